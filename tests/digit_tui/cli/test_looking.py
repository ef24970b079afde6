"""`digit memory`: the verbs that only look."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.document import parse
from digit_core.memory.prompt import FROZEN_NOTE
from tests.digit_tui.cli.conftest import Digit, Program
from tests.storing import joined, memory_file

MakeHome = Callable[..., Path]


@pytest.fixture
def home(make_home: MakeHome) -> Path:
    return make_home(memory=joined("# Tea\nnot coffee #pinned", "short"), user=joined("Анна пишет по-русски"))


def files(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}


def test_status_tells_kind_profile_fill_and_state(digit: Digit, home: Path) -> None:
    said = digit("memory", "status", home=home)
    assert said.code == 0
    first, memory, user = said.out.splitlines()
    assert first == f"digit  {home} · profile default  (the folder is called .digit)"
    assert re.fullmatch(r"MEMORY  2 notes  0% — 32/120,000 chars  in the prompt", memory)
    assert user.startswith("USER    1 note ")


def test_status_as_json(digit: Digit, home: Path) -> None:
    value = digit("memory", "status", "--json", home=home).json
    assert (value["home"], value["kind"], value["profile"]) == (str(home), "digit", "default")
    memory, user = value["stores"]
    assert memory["name"] == "memory" and memory["path"] == str(memory_file(home))
    assert (memory["notes"], memory["used"], memory["limit"], memory["verbatim_limit"]) == (
        2,
        32,
        120_000,
        2_200,
    )
    assert (user["enabled"], user["state"], value["problems"]) == (True, "ready", [])


def test_status_says_when_a_store_is_searched_or_over(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory="x" * 3000, user="y" * 50, config="memory:\n  recall:\n    user_char_limit: 20\n")
    out = digit("memory", "status", home=home).out
    assert "searched (over 2,200 verbatim)" in out
    assert "over by 30" in out
    assert "no file yet" in digit("memory", "status", home=make_home(name="empty")).out


def test_status_names_the_line_of_a_broken_config_once(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory="a", config="memory:\n\tx: 1\n")
    out = digit("memory", "status", home=home).out
    (line,) = [line for line in out.splitlines() if line.startswith("error:")]
    assert line.count("line 2") == 1 and line.count("config.yaml") == 1


def test_list_shows_ids_lengths_dates_and_titles(digit: Digit, home: Path) -> None:
    out = digit("memory", "list", home=home).out
    assert re.fullmatch(
        r"memory:[0-9a-f]{8}  24  ≈\d{4}-\d\d-\d\d  Tea\n"
        r"memory:[0-9a-f]{8}   5  ≈\d{4}-\d\d-\d\d  short\n"
        r"user:[0-9a-f]{8}    20  ≈\d{4}-\d\d-\d\d  Анна пишет по-русски\n",
        out,
    )


def test_list_is_sorted_and_chosen(digit: Digit, home: Path) -> None:
    def titles(*words: str) -> list[str]:
        return [note["title"] for note in digit("memory", "list", "--json", *words, home=home).json]

    assert titles() == ["Tea", "short", "Анна пишет по-русски"]
    assert titles("--sort", "length") == ["Tea", "Анна пишет по-русски", "short"]
    assert titles("--store", "user") == ["Анна пишет по-русски"]
    assert len(titles("--sort", "date")) == 3


def test_list_of_nothing_says_how_to_begin(digit: Digit, make_home: MakeHome) -> None:
    home = make_home()
    said = digit("memory", "list", home=home)
    assert (said.code, said.out) == (0, "")
    assert "digit memory add TEXT" in said.err
    assert digit("memory", "list", "--json", home=home).json == []


def test_a_note_as_json(digit: Digit, home: Path) -> None:
    note = digit("memory", "show", "coffee", "--json", home=home).json
    assert set(note) == {
        *("id", "store", "position", "title", "text", "bad_bytes", "length", "pinned", "copies"),
        *("date", "date_is_guess"),
    }
    assert note["bad_bytes"] is False
    assert (note["text"], note["pinned"], note["position"]) == ("# Tea\nnot coffee #pinned", True, 1)
    assert digit("memory", "show", note["id"], "--json", home=home).json == note


def test_show_takes_an_id_a_piece_a_place(digit: Digit, home: Path) -> None:
    for asked in ("1", "coffee", digit("memory", "list", home=home).out.split()[0]):
        said = digit("memory", "show", asked, home=home)
        assert said.out == "# Tea\nnot coffee #pinned\n"
        assert "24 characters" in said.err and "pinned" in said.err
    said = digit("memory", "show", "4", home=home)
    assert (said.code, said.out) == (3, "")


def test_prompt_is_the_block_and_says_that_it_is_frozen(digit: Digit, home: Path) -> None:
    said = digit("memory", "prompt", home=home)
    rule = "═" * 46
    assert said.out.startswith(
        f"{rule}\nMEMORY (your personal notes) [0% — 32/120,000 chars]\n{rule}\n# Tea\n"
    )
    assert said.out.count(rule) == 4
    assert FROZEN_NOTE in said.err
    blocks = digit("memory", "prompt", "--json", home=home).json
    assert "\n\n".join(blocks.values()) + "\n" == said.out


def test_looking_changes_nothing(digit: Digit, home: Path) -> None:
    before = files(home)
    for verb in ("status", "list", "prompt", "export", "history", "backups"):
        assert digit("memory", verb, home=home).code == 0
        assert digit("memory", verb, "--json", home=home).code == 0
    assert files(home) == before


def test_export_of_one_store_is_a_memory_file(digit: Digit, home: Path) -> None:
    out = digit("memory", "export", "--store", "memory", home=home).out
    assert out.encode() == memory_file(home).read_bytes() + b"\n"
    both = digit("memory", "export", home=home).out
    assert parse(both.encode()).texts == (
        *("# MEMORY", "# Tea\nnot coffee #pinned", "short"),
        *("# USER", "Анна пишет по-русски"),
    )


def test_export_to_a_file_keeps_every_byte(digit: Digit, make_home: MakeHome, tmp_path: Path) -> None:
    texts = ("esc \x1b[2J bidi \u202e", "[/red] § inside", "кофе\n\n  глубже", "zero\u200bwidth")
    home = make_home(memory=joined(*texts))
    printed = digit("memory", "export", "--store", "memory", home=home)
    assert "\x1b" not in printed.out and "--json or -o FILE" in printed.err
    target = tmp_path / "notes.md"
    said = digit("memory", "export", "--store", "memory", "-o", str(target), home=home)
    assert (said.code, said.out) == (0, "")
    assert f"Wrote 4 notes to {target}" in said.err
    assert parse(target.read_bytes()).texts == texts
    digit("memory", "export", "--json", "-y", "-o", str(target), home=home)
    assert [note["text"] for note in json.loads(target.read_text())["memory"]] == list(texts)
    assert digit("memory", "export", "--json", home=home).json == json.loads(target.read_text())


def test_export_keeps_bytes_that_are_no_text(digit: Digit, make_home: MakeHome, tmp_path: Path) -> None:
    home = make_home(memory=b"caf\xe9\n\xc2\xa7\nfine")
    target = tmp_path / "notes.md"
    assert digit("memory", "export", "--store", "memory", "-o", str(target), home=home).code == 0
    assert target.read_bytes() == b"caf\xe9\n\xc2\xa7\nfine\n"


def test_export_never_writes_into_the_home(digit: Digit, home: Path, tmp_path: Path) -> None:
    before = files(home)
    (tmp_path / "link").symlink_to(home)
    for target in (memory_file(home), home / "new.md", tmp_path / "link" / "config.yaml"):
        said = digit("memory", "export", "-o", str(target), home=home)
        assert said.code == 4
        assert str(target) in said.err and "another folder" in said.err
    assert files(home) == before
    said = digit("memory", "export", "-o", str(tmp_path / "no" / "x.md"), home=home)
    assert said.code == 1
    assert str(tmp_path / "no") in said.err


def test_no_home_is_said_with_ways_out(digit: Digit, tmp_path: Path) -> None:
    for command in (("memory", "list"), ("config", "list")):
        said = digit(*command)
        assert (said.code, said.out) == (3, "")
        for words in ("~/.digit", "--home", "--demo", "digit without a command"):
            assert words in said.err
        value = digit(*command, "--json").json
        assert (value["ok"], value["reason"]) == (False, "home_not_found")
    said = digit("memory", "list", home=tmp_path / "gone")
    assert said.code == 3
    assert str(tmp_path / "gone") in said.err
    (tmp_path / "file").write_text("")
    assert digit("memory", "list", home=tmp_path / "file").code == 1


def test_a_profile_is_chosen_before_or_behind_the_command(digit: Digit, home: Path) -> None:
    work = home / "profiles" / "work" / "memories"
    work.mkdir(parents=True)
    (work / "MEMORY.md").write_text("of work")
    for words in (("-p", "work", "memory", "list"), ("memory", "list", "--profile", "work")):
        assert "of work" in digit(*words, home=home).out
    assert "profile work" in digit("memory", "status", "-p", "work", home=home).out
    said = digit("memory", "list", "-p", "nope", home=home)
    assert said.code == 3
    assert "'nope'" in said.err and "work" in said.err


def test_the_kind_can_be_said(digit: Digit, home: Path) -> None:
    value = digit("memory", "status", "--kind", "hermes", "--json", home=home).json
    assert (value["kind"], value["stores"][0]["limit"]) == ("hermes", 2_200)
    said = digit("memory", "status", "--kind", "profile", home=home)
    assert said.code == 1 and "Profile" in said.err


def test_a_demo_is_a_copy_that_is_named(
    digit: Digit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said = digit("memory", "list", "--demo")
    assert said.code == 0 and said.out
    place = said.err.split(": ")[1].split("\n")[0]
    assert digit("memory", "list", home=Path(place)).out == said.out
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    said = digit("memory", "list", "--demo")
    assert said.code == 1
    assert str(tmp_path / "missing") in said.err


def test_a_demo_is_gone_in_the_end(program: Program, tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    ran = program("memory", "list", "--demo", env={"TMPDIR": str(tmp_path / "temporary")})
    assert ran.code == 0
    assert str(tmp_path / "temporary").encode() in ran.err and b"is gone when this ends" in ran.err
    assert list((tmp_path / "temporary").iterdir()) == []


# --------------------------------------------------------------- what cannot be read


def in_the_way(path: Path, what: str) -> None:
    path.unlink(missing_ok=True)
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.with_name("nowhere"))


@pytest.mark.parametrize("what", ["folder", "pipe", "link"])
def test_a_store_that_cannot_be_read_is_a_failure(what: str, digit: Digit, home: Path) -> None:
    in_the_way(memory_file(home), what)
    for verb in ("list", "export", "prompt"):
        for form in ((), ("--json",)):
            said = digit("memory", verb, *form, home=home)
            assert said.code == 1, verb
            assert "Анна" in said.out and said.err.count(str(memory_file(home))) == 1
            only = digit("memory", verb, "--store", "user", *form, home=home)
            assert (only.code, only.out.count("Анна") > 0) == (0, True)
    assert [note["store"] for note in digit("memory", "list", "--json", home=home).json] == ["user"]
    nothing = digit("memory", "list", "--store", "memory", "--json", home=home)
    assert (nothing.code, nothing.json) == (1, [])
    assert "No notes yet" not in digit("memory", "list", "--store", "memory", home=home).err


@pytest.mark.parametrize("what", ["folder", "pipe", "link"])
def test_show_says_that_it_could_not_look_everywhere(what: str, digit: Digit, home: Path) -> None:
    in_the_way(memory_file(home), what)
    found = digit("memory", "show", "Анна", home=home)
    assert (found.code, found.out) == (1, "Анна пишет по-русски\n")
    assert str(memory_file(home)) in found.err
    by_id = digit("memory", "list", "--store", "user", home=home).out.split()[0]
    assert digit("memory", "show", by_id, home=home).code == 0
    missing = digit("memory", "show", "coffee", "--json", home=home)
    assert (missing.code, missing.json["reason"]) == (1, "unreadable")
    assert str(memory_file(home)) in missing.json["message"]


def test_status_reports_what_cannot_be_read(digit: Digit, home: Path) -> None:
    in_the_way(memory_file(home), "folder")
    said = digit("memory", "status", home=home)
    assert (said.code, said.err) == (0, "")
    _, memory, user, problem = said.out.splitlines()
    assert memory == "MEMORY  unreadable"
    assert user.endswith("in the prompt")
    assert problem.startswith("error: ") and "still read" not in problem
    memory_file(home).rmdir()
    memory_file(home).write_bytes(b"caf\xe9")
    said = digit("memory", "status", home=home)
    assert "1 note" in said.out.splitlines()[1] and "in the prompt" not in said.out.splitlines()[1]
    assert "You can still read and copy." in said.out


def test_nothing_is_known_of_notes_where_a_file_is_for_the_folder(digit: Digit, tmp_path: Path) -> None:
    home = tmp_path / ".digit"
    home.mkdir()
    (home / "memories").write_text("")
    for verb in ("list", "export", "prompt"):
        said = digit("memory", verb, home=home)
        assert (said.code, said.out) == (1, "")
        assert said.err.count("cannot be read") == 2
    assert digit("memory", "show", "1", home=home).code == 1
    assert digit("memory", "status", home=home).code == 0


def test_json_is_for_strict_readers(program: Program, make_home: MakeHome) -> None:
    home = make_home(memory=b"caf\xe9\n\xc2\xa7\nfine")
    for verb in ("list", "prompt", "export", "status"):
        ran = program("memory", verb, "--json", home=home)
        assert ran.code == 0
        assert b"\\ud" not in ran.out.lower()
        json.dumps(json.loads(ran.out.decode("utf-8")), ensure_ascii=False).encode("utf-8")
    bad, fine = json.loads(program("memory", "list", "--json", home=home).out)
    assert (bad["text"], bad["bad_bytes"]) == ("caf\ufffd", True)
    assert (fine["text"], fine["bad_bytes"]) == ("fine", False)


def test_over_its_limit_a_store_is_over_a_hundred_percent(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(user="y" * 50, config="memory:\n  recall:\n    user_char_limit: 20\n")
    assert "250% — 50/20 chars" in digit("memory", "status", home=home).out


def test_prompt_says_that_duplicates_are_left_out(digit: Digit, make_home: MakeHome) -> None:
    said = digit("memory", "prompt", home=make_home(memory=joined("a", "b", "a", "a")))
    assert said.out.endswith("\na\n§\nb\n")
    assert "MEMORY: 2 duplicates are left out" in said.err


def test_export_does_not_replace_a_file_unasked(digit: Digit, home: Path, tmp_path: Path) -> None:
    target = tmp_path / "notes.md"
    target.write_text("precious")
    said = digit("memory", "export", "-o", str(target), home=home)
    assert said.code == 4 and str(target) in said.err and "--yes" in said.err
    assert target.read_text() == "precious"
    assert digit("memory", "export", "-y", "-o", str(target), home=home).code == 0
    assert "Tea" in target.read_text()
    for place, words in (
        ("/dev/full", "not a file; without -o"),
        (str(tmp_path), "a folder; name a file in it"),
    ):
        said = digit("memory", "export", "-y", "-o", place, home=home)
        assert said.code == 4 and words in said.err
