from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.disk.backups import Backups
from digit_core.disk.locking import lock
from digit_core.disk.writing import write_atomically
from digit_core.errors import WriteFailed
from digit_core.formats.settings import MemorySettings, Settings
from digit_core.memory import commit
from digit_core.memory.changes import (
    Add,
    Change,
    Move,
    Normalise,
    Principal,
    Reason,
    Remove,
    Replace,
    RestoreBytes,
    Split,
)
from digit_core.memory.history import Step
from digit_core.memory.homes import find_home
from digit_core.memory.planning import Manner
from digit_core.memory.store import Store
from tests.storing import add, joined, memory_file, open_store, ref, remove, replace, user_file

MakeHome = Callable[..., Path]


def test_add_to_nothing_makes_folder_file_and_history(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    outcome = add(open_store(home), "first\r\nline two  ")
    assert outcome.ok and outcome.changed and outcome.message == "Added “first” to MEMORY."
    assert memory_file(home).read_bytes() == b"first\nline two"
    assert stat.S_IMODE(memory_file(home).stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "digit-tui" / "history.jsonl").stat().st_mode) == 0o600
    assert outcome.refs == (ref("first\nline two"),)
    assert outcome.documents[0].used == 14 and outcome.documents[0].count == 1


def test_what_is_refused_makes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    assert remove(open_store(home), "nowhere").reason is Reason.GONE
    assert add(open_store(home), " \n ").reason is Reason.EMPTY
    assert list(home.iterdir()) == []


def test_duplicate_and_same_are_no_failures(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"))
    store = open_store(home)
    before = memory_file(home).stat()
    outcome = add(store, "two\n")
    assert (outcome.ok, outcome.changed, outcome.reason) == (True, False, Reason.DUPLICATE)
    assert outcome.refs == (ref("two"),)
    outcome = replace(store, "one", " one")
    assert (outcome.ok, outcome.changed, outcome.reason) == (True, False, Reason.SAME)
    assert memory_file(home).stat().st_mtime_ns == before.st_mtime_ns
    assert not (home / "digit-tui").exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"a\n\xc2\xa7\nb\n\xc2\xa7\nc",
        b"a\r\n\xc2\xa7\r\nb\r\n\xc2\xa7\r\nc\r\n",
        b"\xef\xbb\xbfa\n\xc2\xa7\nb\n\xc2\xa7\nc\n",
        b"\n\n a  \n\n\xc2\xa7\n\n b\t\n\xc2\xa7\n \n\xc2\xa7\nc\n\n \n",
        b"a\n\xc2\xa7\nb\n\xc2\xa7\nc\n\xc2\xa7\n",
    ],
)
def test_undo_gives_back_the_very_bytes(make_home: MakeHome, raw: bytes) -> None:
    home = make_home(memory=raw)
    store = open_store(home)
    for change in (
        Change((Add("memory", "new"),)),
        Change((Replace(ref("b"), "b two"),)),
        Change((Remove(ref("c")),)),
        Change((Move(ref("a"), "user"),)),
        Change((Split(ref("b"), ("b1", "b2")),)),
        Change((Add("memory", "x"), Remove(ref("a")), Replace(ref("x"), "y"), Replace(ref("c"), "z"))),
    ):
        outcome = store.apply(change)
        assert outcome.ok and outcome.changed, outcome
        assert memory_file(home).read_bytes() != raw
        undone = open_store(home).undo()
        assert undone.ok and undone.message == f"Undid: {outcome.message}"
        assert memory_file(home).read_bytes() == raw
        assert not user_file(home).exists()


def test_untouched_notes_keep_their_bytes(make_home: MakeHome) -> None:
    home = make_home(memory=b"\xef\xbb\xbfa\r\n\xc2\xa7\r\n  b  \r\n\xc2\xa7\r\nc\r\nd\r\n")
    assert replace(open_store(home), "c\nd", "c\ne").ok
    assert memory_file(home).read_bytes() == b"\xef\xbb\xbfa\r\n\xc2\xa7\r\n  b  \r\n\xc2\xa7\r\nc\r\ne\r\n"


def test_a_batch_is_all_or_nothing(make_home: MakeHome) -> None:
    raw = joined("one", "two")
    home = make_home(memory=raw)
    store = open_store(home)
    outcome = store.apply(Change((Add("memory", "three"), Remove(ref("gone")), Add("memory", "four"))))
    assert outcome.reason is Reason.GONE and outcome.details["operation"] == 2
    assert memory_file(home).read_bytes() == raw
    outcome = store.apply(Change((Remove(ref("one")), Add("memory", "two"), Add("memory", "three"))))
    assert outcome.ok and memory_file(home).read_bytes() == joined("two", "three")
    assert outcome.message == "2 changes in MEMORY: 1 removed, 1 added."


def test_refs_of_a_batch_mean_the_notes_as_they_were_shown(make_home: MakeHome) -> None:
    home = make_home(memory=joined("A", "B", "A", "C", "A"))
    store = open_store(home)
    outcome = store.apply(Change((Remove(ref("A", occurrence=0)), Remove(ref("A", occurrence=2)))))
    assert outcome.ok and memory_file(home).read_bytes() == joined("B", "A", "C")
    assert store.apply(Change((Remove(ref("A")), Remove(ref("A"))))).reason is Reason.GONE


def test_over_the_limit_says_by_how_much_and_the_way_out(make_home: MakeHome) -> None:
    home = make_home(memory="x" * 2100)
    outcome = add(open_store(home, limit=2200), "y" * 250)
    assert outcome.reason is Reason.OVER_LIMIT
    assert outcome.message == (
        "MEMORY is at 2,100/2,200 characters; this needs 253 more, 153 too many: "
        "shorten it, or make room (remove, shorten or move notes)."
    )
    details = outcome.details
    assert (details["used"], details["limit"], details["size"], details["over"]) == (2100, 2200, 250, 153)
    assert details["current"] == ("x" * 2100,)
    assert add(open_store(home, limit=2200), "y" * 97).ok


def test_the_length_is_counted_in_code_points_with_delimiters(make_home: MakeHome) -> None:
    home = make_home(memory="ж" * 10)
    store = open_store(home, limit=20)
    assert add(store, "👍🏽" * 4).reason is Reason.OVER_LIMIT
    assert add(store, "👍🏽" * 3 + "!").ok


def test_move_writes_the_destination_first(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(memory=joined("one", "two"), user=joined("u"))
    order: list[str] = []
    real = write_atomically

    def spy(path: Path, data: bytes, **more: object) -> None:
        order.append(path.name)
        real(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(commit, "write_atomically", spy)
    store = open_store(home)
    assert store.apply(Change((Move(ref("one"), "user"),))).ok
    assert order == ["USER.md", "MEMORY.md"]
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (b"two", joined("u", "one"))
    assert store.undo().ok
    assert order[2:] == ["MEMORY.md", "USER.md"]
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (joined("one", "two"), b"u")


def test_a_move_that_stops_half_way_is_put_back(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(memory=joined("one", "two"), user=joined("u"))
    real = write_atomically

    def fails(path: Path, data: bytes, **more: object) -> None:
        if path.name == "MEMORY.md":
            raise WriteFailed(path, "write", "the disk is full")
        real(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(commit, "write_atomically", fails)
    outcome = open_store(home).apply(Change((Move(ref("one"), "user"),)))
    assert (outcome.ok, outcome.changed, outcome.reason) == (False, False, Reason.IO)
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (joined("one", "two"), b"u")


def test_a_move_to_where_the_text_is_already(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"), user=joined("one"))
    outcome = open_store(home).apply(Change((Move(ref("one"), "user"),)))
    assert outcome.ok and outcome.notices
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (b"two", b"one")


def test_other_principals_and_disabled_stores_are_refused(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", user=b"u")
    store = open_store(home, memory=MemorySettings(memory_enabled=False))
    for principal in (Principal.AGENT, Principal.BACKGROUND, Principal.OUTSIDE):
        assert store.apply(Change((Add("user", "x"),), principal)).reason is Reason.PRINCIPAL
    outcome = add(store, "x")
    assert outcome.reason is Reason.DISABLED and str(memory_file(home)) in outcome.message
    assert store.apply(Change((Move(ref("u", "user"), "memory"),))).reason is Reason.DISABLED
    assert add(store, "x", "user").ok
    assert add(store, "x", "shared").reason is Reason.INVALID
    assert store.apply(Change(())).reason is Reason.NOTHING
    assert memory_file(home).read_bytes() == b"one"


def test_identities_and_bad_bytes_are_read_only(make_home: MakeHome) -> None:
    raw = b'<!-- hermes-memory-identities:v1 -->\n<!-- hermes-memory-entry:{"id":"x"} -->\none'
    home = make_home(memory=raw, user=b"caf\xe9\n\xc2\xa7\nsecond")
    store = open_store(home)
    assert add(store, "x").reason is Reason.IDENTITY_FORM
    for change in (Add("user", "x"), Remove(ref("second", "user")), Normalise("user")):
        outcome = store.apply(Change((change,)))
        assert outcome.reason is Reason.UNREADABLE and "offset 3" in outcome.message
    assert memory_file(home).read_bytes() == raw
    assert user_file(home).read_bytes() == b"caf\xe9\n\xc2\xa7\nsecond"
    fixed = "café\n§\nsecond".encode()
    assert store.apply(Change((RestoreBytes("user", fixed),))).ok
    assert user_file(home).read_bytes() == fixed
    assert store.undo().ok
    assert user_file(home).read_bytes() == b"caf\xe9\n\xc2\xa7\nsecond"


def test_text_that_is_no_utf8_is_refused(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    for text in ("lone \ud800 surrogate", "byte \udcff from a terminal"):
        assert add(open_store(home), text).reason is Reason.INVALID
    assert memory_file(home).read_bytes() == b"one"


def test_what_is_no_file_is_refused(make_home: MakeHome) -> None:
    home = make_home()
    memory_file(home).mkdir()
    os.mkfifo(user_file(home))
    store = open_store(home)
    assert add(store, "x").reason is Reason.UNREADABLE
    assert add(store, "x", "user").reason is Reason.UNREADABLE


def test_a_lock_held_by_others_is_waited_for_and_given_up(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    told: list[str | None] = []
    store = open_store(home, lock_timeout=0.3)
    with lock(memory_file(home)):
        outcome = store.apply(Change((Add("memory", "x"),)), on_wait=told.append)
    assert outcome.reason is Reason.LOCKED and "0.3 s" in outcome.message
    assert told
    assert memory_file(home).read_bytes() == b"one"
    assert add(store, "x").ok


def test_without_a_backup_nothing_is_written(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(memory=b"one")

    def full(*_: object) -> None:
        raise WriteFailed(home, "write", "The disk is full.")

    monkeypatch.setattr(Backups, "keep", full)
    outcome = add(open_store(home), "two")
    assert (outcome.ok, outcome.reason) == (False, Reason.READ_ONLY)
    assert "No backup could be kept" in outcome.message and "The disk is full." in outcome.message
    assert memory_file(home).read_bytes() == b"one"


def test_an_own_folder_of_a_newer_version_is_not_written(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    (home / "digit-tui").mkdir()
    (home / "digit-tui" / "version").write_bytes(b"99\n")
    outcome = add(open_store(home), "two")
    assert outcome.reason is Reason.READ_ONLY and "newer version" in outcome.message
    assert memory_file(home).read_bytes() == b"one"
    assert sorted(path.name for path in (home / "digit-tui").iterdir()) == ["version"]


def test_a_history_that_cannot_be_written_is_a_notice(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    (home / "digit-tui" / "history.jsonl").mkdir(parents=True)
    outcome = add(open_store(home), "two")
    assert outcome.ok and outcome.changed
    assert len(outcome.notices) == 1 and "cannot be undone" in outcome.notices[0]
    assert memory_file(home).read_bytes() == joined("one", "two")


def test_the_tool_manner_refuses_drift_with_a_copy(make_home: MakeHome) -> None:
    raw = b"one  \n\xc2\xa7\n\n two\n"
    home = make_home(memory=raw)
    store = open_store(home)
    for change in (
        Change((Remove(ref("two")),)),
        Change((Replace(ref("one"), "x"),)),
        Change((Add("memory", "x"), Add("memory", "y"))),
    ):
        outcome = store.apply(change, manner=Manner.TOOL)
        assert outcome.reason is Reason.DRIFT
        copy = Path(str(outcome.details["drift_backup"]))
        assert copy.read_bytes() == raw and copy.is_relative_to(home / "digit-tui")
    assert memory_file(home).read_bytes() == raw
    assert len(store.backups.list()) == 1
    assert store.apply(Change((Add("memory", "x"),)), manner=Manner.TOOL).ok
    outcome = remove(store, "two")
    assert outcome.ok and any("Tidying" in notice for notice in outcome.notices)


def test_the_tool_manner_refuses_what_stays_over_the_limit(make_home: MakeHome) -> None:
    home = make_home(memory=joined("x" * 60, "y" * 60))
    store = open_store(home, limit=100)
    shorter = Change((Replace(ref("x" * 60), "x" * 50),))
    assert store.apply(shorter, manner=Manner.TOOL).reason is Reason.OVER_LIMIT
    assert store.apply(shorter, manner=Manner.PERSON).ok
    assert store.undo().ok
    assert store.apply(Change((Remove(ref("x" * 60)),)), manner=Manner.TOOL).ok
    assert memory_file(home).read_bytes() == b"y" * 60


def test_the_tool_manner_refuses_a_batch_that_empties(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a", "b"))
    store = open_store(home)
    both = Change((Remove(ref("a")), Remove(ref("b"))))
    assert store.apply(both, manner=Manner.TOOL).details["emptied"] is True
    assert store.apply(both).ok
    assert memory_file(home).read_bytes() == b""


def test_gone_says_what_became_of_it(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"))
    store = open_store(home)
    assert replace(store, "one", "uno").ok
    assert "it now reads “uno”" in remove(store, "one").message
    memory_file(home).write_bytes(joined("uno", "zwei"))
    assert "it now reads “zwei”" in remove(store, "two").message
    memory_file(home).write_bytes(joined("zwei"))
    assert "it was removed" in remove(store, "uno").message
    assert "MEMORY now holds 1 note;" in remove(store, "uno").message


def test_normalise_is_a_change_like_any_other(make_home: MakeHome) -> None:
    raw = b"\xef\xbb\xbf a \r\n\xc2\xa7\r\n\xc2\xa7\r\nb\r\n\r\n"
    home = make_home(memory=raw)
    store = open_store(home)
    outcome = store.apply(Change((Normalise("memory"),)))
    assert outcome.message == "Tidied MEMORY." and memory_file(home).read_bytes() == joined("a", "b")
    assert store.apply(Change((Normalise("memory"),))).reason is Reason.SAME
    assert store.undo().ok and memory_file(home).read_bytes() == raw


def test_restore_expects_what_it_was_told(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    store = open_store(home)
    outcome = store.apply(Change((RestoreBytes("memory", b"two", expect="0" * 64),)))
    assert outcome.reason is Reason.CONFLICT and memory_file(home).read_bytes() == b"one"
    assert store.apply(Change((RestoreBytes("memory", None),))).ok
    assert not memory_file(home).exists()
    assert store.undo().ok and memory_file(home).read_bytes() == b"one"


def test_notice_records_what_others_wrote(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    store = open_store(home)
    assert not store.notice() and not (home / "digit-tui").exists()
    assert add(store, "two").ok
    assert not store.notice()
    memory_file(home).write_bytes(joined("one", "two!", "three"))
    assert store.notice() and not store.notice()
    record = store.history()[-1]
    assert record.principal is Principal.OUTSIDE
    assert record.steps == (Step("memory", "two", "two!", "one"), Step("memory", None, "three", "two!"))
    assert record.summary == "MEMORY was changed outside: 1 added, 1 changed"
    memory_file(home).unlink()
    assert store.notice()
    assert [step.before for step in store.history()[-1].steps] == ["one", "two!", "three"]


def test_learned_knows_first_writings_only(make_home: MakeHome) -> None:
    home = make_home(memory=joined("old"))
    store = open_store(home)
    assert add(store, "new").ok
    at = store.history()[-1].at
    assert remove(store, "old").ok and store.undo().ok
    assert store.apply(Change((Move(ref("new"), "user"),))).ok
    assert store.learned() == {ref("new").digest: at}
    assert open_store(home).learned() == store.learned()


def test_links_modes_and_the_lock_file(make_home: MakeHome, tmp_path: Path) -> None:
    home = make_home()
    real = tmp_path / "notes" / "M.md"
    real.parent.mkdir()
    real.write_bytes(b"one")
    real.chmod(0o640)
    memory_file(home).symlink_to(real)
    store = open_store(home)
    assert add(store, "two").ok
    assert memory_file(home).is_symlink() and real.read_bytes() == joined("one", "two")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert store.apply(Change((RestoreBytes("memory", None),))).ok
    assert memory_file(home).is_symlink() and real.read_bytes() == b""
    assert (home / "memories" / "MEMORY.md.lock").exists()


def test_a_way_back_that_is_closed_is_said(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(memory=joined("one", "two"), user=joined("u"))
    writes: list[str] = []

    def fails_from_the_second_on(path: Path, data: bytes, **more: object) -> None:
        writes.append(path.name)
        if len(writes) > 1:
            raise WriteFailed(path, "write", f"{path.name} was not saved.")
        write_atomically(path, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(commit, "write_atomically", fails_from_the_second_on)
    store = open_store(home)
    outcome = store.apply(Change((Move(ref("one"), "user"),)))
    assert (outcome.ok, outcome.changed, outcome.reason) == (False, True, Reason.IO)
    assert writes == ["USER.md", "MEMORY.md", "USER.md"]
    assert "one" in store.read("memory").document.texts and "one" in store.read("user").document.texts
    (copy,) = store.backups.list("user")
    assert copy.id in outcome.message and store.backups.read(copy.id) == b"u"


def test_a_profile_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "profile"
    home.mkdir()
    (home / "SOUL.md").write_bytes(b"soul")
    (home / "MEMORY.md").write_bytes(b"one\n")
    store = Store(find_home(str(home), kind="profile"), settings=Settings)
    assert add(store, "x", "shared").reason is Reason.READ_ONLY
    assert store.undo().reason is store.redo().reason is Reason.READ_ONLY
    assert not store.forget("one").ok
    assert sorted(path.name for path in home.iterdir()) == ["MEMORY.md", "SOUL.md"]


def test_undo_of_nothing_makes_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    store = open_store(home)
    assert store.undo().reason is store.redo().reason is store.undo("x").reason is Reason.NOTHING
    assert [path.name for path in home.rglob("*")] == ["memories", "MEMORY.md"]


def test_tidy_removes_dead_temporary_files_of_ours_only(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    ours = home / "memories" / ".digit-tui-999999999-abcdef.tmp"
    theirs = home / "memories" / ".mem_abcdefgh.tmp"
    for path in (ours, theirs):
        path.write_bytes(b"half")
    open_store(home).tidy()
    assert not ours.exists() and theirs.read_bytes() == b"half"


@pytest.mark.parametrize(
    "name", ["small", "grown", "real/hermes-fork-zh", "real/hermes-nixos-a", "real/hermes-webteam-ko"]
)
def test_on_example_homes_an_edit_and_its_undo_leave_every_byte(
    copy_home: Callable[[str], Path], name: str
) -> None:
    home = copy_home(name)
    prior = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    store = open_store(home)
    for document in store.documents:
        texts = store.read(document).document.texts
        if texts:
            middle = texts[len(texts) // 2]
            outcome = replace(store, middle, f"{middle} – put right", document)
            assert outcome.ok and outcome.changed, outcome
            expected = [*texts]
            expected[len(texts) // 2] = f"{middle} – put right"
            assert list(store.read(document).document.texts) == expected
            assert open_store(home).undo().ok
    assert {path: path.read_bytes() for path in prior} == prior
    new = {
        path.relative_to(home).parts[0] for path in home.rglob("*") if path.is_file() and path not in prior
    }
    assert new <= {"digit-tui", "memories"}
    assert all(
        path.suffix == ".lock"
        for path in (home / "memories").iterdir()
        if path not in prior and path.is_file()
    )
