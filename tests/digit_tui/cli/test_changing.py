"""`digit memory`: the verbs that change something, and how notes are named."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.disk.locking import lock
from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_core.memory.prompt import FROZEN_NOTE
from digit_core.text.digest import text_digest
from digit_tui.cli import home as home_room
from tests.digit_tui.cli.conftest import Digit, Program
from tests.storing import joined, memory_file, user_file

MakeHome = Callable[..., Path]

ODD = b"\xef\xbb\xbfone\r\n\xc2\xa7\r\n  two\t \r\n\xc2\xa7\r\nthree"


@pytest.fixture
def home(make_home: MakeHome) -> Path:
    return make_home(memory=joined("one", "two", "three"), user=joined("four"))


def note_id(text: str, document: str = "memory") -> str:
    return f"{document}:{text_digest(text)[:8]}"


def test_add_says_what_the_agent_will_see(digit: Digit, home: Path) -> None:
    said = digit("memory", "add", "five", home=home)
    assert said == (0, "Added “five” to MEMORY.\n", f"{FROZEN_NOTE}\n")
    assert memory_file(home).read_bytes() == joined("one", "two", "three", "five")
    assert digit("memory", "add", "six", "--to", "user", home=home).code == 0
    assert user_file(home).read_bytes() == joined("four", "six")


def test_a_change_as_json(digit: Digit, home: Path) -> None:
    value = digit("memory", "add", "five", "--json", home=home).json
    assert set(value) == {"ok", "changed", "reason", "message", "change", "notes", "stores", "notices"}
    assert (value["ok"], value["changed"], value["reason"]) == (True, True, None)
    assert value["notes"] == [note_id("five")]
    assert value["change"] == digit("memory", "history", "--json", home=home).json[0]["id"]
    assert value["stores"][0]["count"] == 4
    again = digit("memory", "add", "five", "--json", home=home)
    assert again.code == 0
    assert (again.json["changed"], again.json["reason"]) == (False, "duplicate")


@pytest.mark.parametrize(
    ("words", "reason", "told"),
    [
        (("add", "a\n§\nb"), "delimiter", "Line 2"),
        (("add", "  "), "empty", "needs some text"),
        (("add", "x" * 130_000), "over_limit", "too many"),
        (("replace", "one", "§"), "delimiter", "Line 1"),
    ],
)
def test_a_refusal_says_why_and_writes_nothing(
    digit: Digit, home: Path, words: tuple[str, ...], reason: str, told: str
) -> None:
    before = memory_file(home).read_bytes()
    said = digit("memory", *words, home=home)
    assert (said.code, said.out) == (4, "")
    assert told in said.err
    again = digit("memory", *words, "--json", home=home)
    assert (again.code, again.err) == (4, "")
    assert (again.json["ok"], again.json["reason"]) == (False, reason)
    assert memory_file(home).read_bytes() == before


def test_replace_remove_move(digit: Digit, home: Path) -> None:
    assert digit("memory", "replace", "two", "2", home=home).code == 0
    assert digit("memory", "remove", note_id("one"), home=home).code == 0
    assert digit("memory", "move", "four", home=home).code == 0
    assert memory_file(home).read_bytes() == joined("2", "three", "four")
    assert user_file(home).read_bytes() == b""


def test_undo_and_redo_give_back_every_byte(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=ODD)
    changed = []
    for words in (("replace", "two", "zwei"), ("remove", "one"), ("add", "four")):
        changed.append(memory_file(home).read_bytes())
        assert digit("memory", *words, home=home).code == 0
    last = memory_file(home).read_bytes()
    for data in reversed(changed):
        assert digit("memory", "undo", home=home).code == 0
        assert memory_file(home).read_bytes() == data
    said = digit("memory", "undo", home=home)
    assert (said.code, said.out) == (3, "")
    assert "nothing to undo" in said.err
    for _ in changed:
        assert digit("memory", "redo", home=home).code == 0
    assert memory_file(home).read_bytes() == last
    assert digit("memory", "redo", home=home).code == 3


def test_undo_of_one_change_named(digit: Digit, home: Path) -> None:
    first = digit("memory", "add", "five", "--json", home=home).json["change"]
    digit("memory", "add", "six", home=home)
    assert digit("memory", "undo", first, home=home).code == 0
    assert memory_file(home).read_bytes() == joined("one", "two", "three", "six")
    said = digit("memory", "undo", "nope", home=home)
    assert said.code == 3 and "nope" in said.err


def test_history_and_backups(digit: Digit, home: Path) -> None:
    for text in ("five", "six", "seven"):
        digit("memory", "add", text, home=home)
    out = digit("memory", "history", "--limit", "2", home=home).out
    assert [line.split("  ")[2:] for line in out.splitlines()] == [
        ["you", "Added “seven” to MEMORY"],
        ["you", "Added “six” to MEMORY"],
    ]
    records = digit("memory", "history", "--limit", "0", "--json", home=home).json
    assert [record["summary"][:5] for record in records] == ["Added"] * 3
    assert records[0]["steps"][0]["after"] == "seven" and records[0]["by"] == "person"
    copies = digit("memory", "backups", "--json", home=home).json
    assert [copy["size"] for copy in copies] == [
        len(joined("one", "two", "three", *more)) for more in (("five", "six"), ("five",), ())
    ]
    assert len(digit("memory", "backups", home=home).out.splitlines()) == 3


def test_restore_puts_a_backup_back_and_can_be_undone(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=ODD)
    digit("memory", "remove", "one", home=home)
    digit("memory", "add", "four", home=home)
    now = memory_file(home).read_bytes()
    oldest = digit("memory", "backups", "--json", home=home).json[-1]["id"]
    assert digit("memory", "restore", oldest[:12], home=home).code == 0
    assert memory_file(home).read_bytes() == ODD
    assert digit("memory", "undo", home=home).code == 0
    assert memory_file(home).read_bytes() == now
    for asked, reason in (("nope", "not_found"), ("memory-", "ambiguous")):
        said = digit("memory", "restore", asked, "--json", home=home)
        assert said.json["reason"] == reason
        assert said.code == (3 if reason == "not_found" else 4)
    assert memory_file(home).read_bytes() == now


def test_reset_asks_and_is_undone_byte_for_byte(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=ODD, user=joined("four"))
    said = digit("memory", "reset", home=home)
    assert said.code == 4
    assert "4 notes of MEMORY and USER" in said.err and "--yes" in said.err
    assert digit("memory", "reset", "--json", home=home).json["reason"] == "not_confirmed"
    assert memory_file(home).read_bytes() == ODD
    assert digit("memory", "reset", "--target", "user", "-y", home=home).code == 0
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (ODD, b"")
    assert digit("memory", "undo", home=home).code == 0
    said = digit("memory", "reset", "--yes", home=home)
    assert said.out == "Removed 4 notes of MEMORY and USER. `digit memory undo` brings them back.\n"
    assert (
        digit("memory", "history", home=home)
        .out.split("\n")[0]
        .endswith("Removed all notes of MEMORY and USER")
    )
    assert digit("memory", "list", "--json", home=home).json == []
    assert digit("memory", "undo", home=home).code == 0
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (ODD, joined("four"))


def test_what_cannot_be_undone_takes_the_word_yes(
    digit: Digit, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for answer, code in (("y\n", 4), ("", 4), ("Yes\n", 0)):
        monkeypatch.setattr(sys, "stdin", Terminal(answer))
        said = digit("memory", "forget", "two", home=home)
        assert said.code == code
        assert "two" in said.err and "Type yes:" in said.err
    assert memory_file(home).read_bytes() == joined("one", "three")


def test_forget_leaves_nothing_and_says_what_it_could_not_reach(digit: Digit, home: Path) -> None:
    digit("memory", "replace", "two", "a secret", home=home)
    digit("memory", "add", "five", home=home)
    (home / "memories" / "MEMORY (conflicted copy).md").write_text("a secret")
    said = digit("memory", "forget", note_id("a secret"), "-y", home=home)
    assert said.code == 0
    assert said.out.startswith("Forgotten for good: 1 note,")
    assert "conflicted copy" in said.err
    held = [path for path in home.rglob("*") if path.is_file() and b"a secret" in path.read_bytes()]
    assert [path.name for path in held] == ["MEMORY (conflicted copy).md"]
    again = digit("memory", "forget", "never seen", "--yes", "--json", home=home)
    assert again.code == 3
    assert set(again.json) == {"file", "history", "backups", "could_not_reach", "ok", "message"}
    assert digit("memory", "forget", " ", "-y", home=home).code == 4
    assert digit("memory", "forget", "memory:00000000", "-y", home=home).code == 3


def test_a_piece_of_text_names_the_only_note_that_has_it(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=joined("deploy on monday", "deploy", "tuesday \x1b[2J 2024", "tuesday"))
    assert digit("memory", "show", "deploy", home=home).out == "deploy\n"  # the whole text goes first
    assert digit("memory", "show", "monday", home=home).out == "deploy on monday\n"
    said = digit("memory", "remove", "day", home=home)
    assert (said.code, said.out) == (4, "")
    assert said.err.startswith("“day” is in 3 notes; name one by its id:\n  memory:")
    assert "\x1b" not in said.err
    said = digit("memory", "remove", "day", "--json", home=home)
    assert said.json["reason"] == "ambiguous"
    for asked in ("wednesday", "", "2024", "1"):  # a number could be a place in some listing
        said = digit("memory", "remove", asked, home=home)
        assert said.code == 3
        assert "`digit memory list`" in said.err
    said = digit("memory", "remove", "2024", "--json", home=home)
    assert said.json["reason"] == "not_found"
    assert said.json["message"].startswith("A number only works with show; name the note by its id")


def test_a_whole_title_names_its_note(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(
        memory=joined("about the deploy", "# Deploy #work\non monday", "# Twice\na", "# Twice\nb")
    )
    assert digit("memory", "show", "deploy", home=home).out == "# Deploy #work\non monday\n"
    assert digit("memory", "show", "Twice", home=home).code == 4
    assert digit("memory", "remove", "DEPLOY", home=home).code == 0
    assert memory_file(home).read_bytes() == joined("about the deploy", "# Twice\na", "# Twice\nb")


def test_a_line_is_named_once(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=b"one\n\xc2\xa7\n\n\ntwo\n\xc2\xa7\nthree")
    said = digit("memory", "add", "four", home=home)
    assert said.code == 0
    assert said.err.count("ine 1") == 1


@pytest.mark.parametrize("words", [("add", "text"), ("remove", "text"), ("pin", "memory:00000000")])
def test_a_file_for_a_folder_is_a_failure(digit: Digit, tmp_path: Path, words: tuple[str, ...]) -> None:
    home = tmp_path / ".digit"
    home.mkdir()
    (home / "memories").write_text("not a folder")
    said = digit("memory", *words, home=home)
    assert (said.code, said.out) == (1, "")
    assert str(home / "memories") in said.err and "a file" in said.err
    assert (home / "memories").read_text() == "not a folder"


def test_equal_notes_are_told_apart(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=joined("same", "other", "same"))
    assert digit("memory", "remove", "same", home=home).code == 4
    assert "one of several equal notes" in digit("memory", "list", home=home).out
    assert digit("memory", "remove", f"{note_id('same')}~2", home=home).code == 0
    assert memory_file(home).read_bytes() == joined("same", "other")


def test_standard_input_is_a_text(program: Program, home: Path) -> None:
    ran = program("memory", "add", "-", home=home, stdin="\ufeffпервая\r\nвторая\n".encode())
    assert (ran.code, ran.out.decode()) == (0, "Added “первая” to MEMORY.\n")
    assert program("memory", "replace", "two", "-", home=home, stdin=b"2\n").code == 0
    assert memory_file(home).read_bytes() == joined("one", "2", "three", "первая\nвторая")
    ran = program("memory", "add", "-", home=home)
    assert ran.code == 4


def test_standard_input_that_is_closed_is_said(
    home: Path, digit: Digit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    said = digit("memory", "add", "-", home=home)
    assert said.code == 1
    assert "standard input" in said.err
    assert digit("memory", "reset", home=home).code == 4
    assert digit().code == 2


def test_bytes_that_are_no_text_are_refused(program: Program, home: Path) -> None:
    before = memory_file(home).read_bytes()
    ran = program("memory", "add", "-", home=home, stdin=b"caf\xe9")
    assert ran.code == 4
    assert b"Traceback" not in ran.err and ran.err
    ran = program("memory", "add", os.fsdecode(b"caf\xe9"), home=home)
    assert ran.code == 4
    assert memory_file(home).read_bytes() == before


def test_a_lock_is_waited_for_aloud(home: Path, digit: Digit, monkeypatch: pytest.MonkeyPatch) -> None:
    def hurried(arguments: object) -> Callable[[], Library]:
        return lambda: Library(find_home(str(home)), lock_timeout=0.3)

    monkeypatch.setattr("digit_tui.cli.run.opener", hurried)
    assert home_room.opener is not hurried
    with lock(memory_file(home)):
        said = digit("memory", "add", "five", home=home)
        value = digit("memory", "add", "five", "--json", home=home)
    assert said.code == value.code == 1
    assert "Waiting for the lock, held by" in said.err and "Nothing was written" in said.err
    assert value.json["reason"] == "locked"
    assert memory_file(home).read_bytes() == joined("one", "two", "three")


def test_undo_where_a_file_is_for_the_folder_is_a_failure(digit: Digit, home: Path) -> None:
    digit("memory", "add", "five", home=home)
    (home / "memories").rename(home / "elsewhere")
    (home / "memories").write_text("not a folder")
    said = digit("memory", "undo", home=home)
    assert (said.code, said.out) == (1, "")
    assert f"{home / 'memories'} is a file where a folder is needed" in said.err
    assert "is not there any more" not in digit("memory", "status", home=home).out
