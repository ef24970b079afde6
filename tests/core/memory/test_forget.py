from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from digit_core.memory.changes import Reason
from tests.storing import add, joined, memory_file, open_store, remove, replace, user_file

MakeHome = Callable[..., Path]

SECRET = "the code is 1234\nand nobody knows"


def _files_with(home: Path, needle: bytes) -> list[str]:
    return sorted(
        str(path.relative_to(home))
        for path in home.rglob("*")
        if path.is_file() and needle in path.read_bytes()
    )


def test_forget_leaves_no_trace_that_it_can_reach(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", SECRET), user=f"u\r\n§\r\n{SECRET}".replace("\n", "\r\n").encode())
    store = open_store(home)
    assert add(store, "two").ok
    assert replace(store, SECRET, "harmless").ok
    assert store.undo().ok
    assert replace(store, "one", "uno").ok
    assert _files_with(home, b"1234")
    report = store.forget(SECRET)
    assert report.ok and report.file == 2 and report.history >= 2 and report.backups >= 2
    assert _files_with(home, b"1234") == []
    assert memory_file(home).read_bytes() == joined("uno", "two")
    assert store.history()[-1].cause == "forget"
    assert store.undo().ok and memory_file(home).read_bytes() == joined("one", "two")
    assert store.redo().ok
    again = store.forget(SECRET)
    assert again.ok and "in no memory file" in again.message


def test_forget_says_what_it_could_not_reach(make_home: MakeHome) -> None:
    home = make_home(memory=joined(f"longer\n{SECRET}\nnote", "b"), user=b"u")
    memories = home / "memories"
    (memories / "MEMORY.md.bak.1790000000").write_bytes(joined(SECRET))
    (memories / "ARCHIVE.jsonl").write_text('{"entry": "the code is 1234\\nand nobody knows"}\n')
    (home / "pending" / "memory").mkdir(parents=True)
    (home / "pending" / "memory" / "0.json").write_text(
        '{\n  "payload": {"content": "the code is 1234\\nand nobody knows"}\n}'
    )
    (memories / "recall.db").write_bytes(b"SQLite")
    (home / "state.db").write_bytes(b"SQLite")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    report = open_store(home).forget(SECRET)
    said = "\n".join(report.could_not_reach)
    for name in ("MEMORY.md.bak.1790000000", "ARCHIVE.jsonl", "0.json", "recall.db", "state.db"):
        assert name in said
    assert "inside a longer note: “longer”" in said
    assert report.file == 0
    assert {path: path.read_bytes() for path in before} == before


def test_forget_needs_a_text_and_a_lock(make_home: MakeHome) -> None:
    from digit_core.disk.locking import lock

    home = make_home(memory=joined("a"))
    assert not open_store(home).forget("  ").ok
    with lock(user_file(home)):
        report = open_store(home, lock_timeout=0.05).forget("a")
    assert not report.ok and "locked" in report.message
    assert memory_file(home).read_bytes() == b"a"


def test_what_was_forgotten_cannot_be_undone(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a"))
    store = open_store(home)
    assert add(store, "b").ok
    assert remove(store, "b").ok
    assert store.forget("b").ok
    assert store.undo().reason is Reason.NOTHING
    assert memory_file(home).read_bytes() == b"a"


def test_outside_changes_after_forgetting_are_still_noticed(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a", "b"))
    store = open_store(home)
    assert add(store, "c").ok and store.forget("b").ok
    memory_file(home).write_bytes(joined("a", "c", "d"))
    assert store.notice()
    assert [step.after for step in store.history()[-1].steps] == ["d"]


def test_a_part_of_a_longer_line_stays_and_every_place_of_it_is_named(make_home: MakeHome) -> None:
    longer = "the key is sk-12345678 and works"
    home = make_home(memory=joined("one", longer, "x sk-12345678 y"))
    store = open_store(home)
    assert replace(store, longer, "the key is in the safe").ok
    drafts = home / "digit-tui" / "drafts"
    drafts.mkdir()
    (drafts / "1.json").write_text('{"text": "typed sk-12345678 only"}')
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    report = store.forget("sk-12345678")
    assert (report.ok, report.file, report.history, report.backups) == (True, 0, 0, 0)
    assert "Nothing was forgotten" in report.message
    said = "\n".join(report.could_not_reach)
    assert "MEMORY has it inside a longer note: “x sk-12345678 y”" in said
    assert f"In 1 history record it is inside a longer text: “{longer}”. Forget that whole text" in said
    (copy,) = store.backups.list()
    assert f"In 1 backup it is inside a longer line, as in {copy.path}" in said
    assert f"{drafts / '1.json'} has it, as typed and not saved" in said
    assert {path: path.read_bytes() for path in before} == before
    assert store.forget(longer).backups == 1  # the way out that was named
    assert store.forget("x sk-12345678 y").file == 1
    (drafts / "1.json").unlink()
    assert _files_with(home, b"sk-12345678") == []
    assert "in no memory file" in store.forget("sk-12345678").message


def test_a_short_text_is_not_named_a_thousand_times(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a", *(f"a {number}" for number in range(20))))
    report = open_store(home).forget("a")
    assert report.file == 1
    notes = [line for line in report.could_not_reach if line.startswith("MEMORY has it")]
    assert len(notes) == 6
    assert notes[-1] == "MEMORY has it inside 15 more notes."


def test_half_of_a_killed_save_is_forgotten_too(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", SECRET))
    (home / "memories" / ".digit-tui-999999999-abcdef.tmp").write_bytes(SECRET.encode())
    assert open_store(home).forget(SECRET).file == 1
    assert _files_with(home, b"1234") == []
