"""Faults of the kind "Writing and data loss" through every face: the core, the tool, the command line, the app."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from digit_core.disk.backups import NEWEST
from digit_core.library import Library
from digit_core.memory.changes import Add, Change, Replace
from digit_core.memory.homes import find_home
from tests.digit_tui.driving import press, running, screen_text, until
from tests.faults.faces import (
    FACES,
    PERSONS,
    AppFace,
    ToolFace,
    digit,
    holds,
    joined_one_line,
    opened,
    tree,
)
from tests.pty_app import PtyApp, command
from tests.storing import add, joined, memory_file, open_store, ref, replace

MakeHome = Callable[..., Path]
AsNobody = Callable[..., "subprocess.CompletedProcess[str]"]

SMALL = "memory:\n  recall:\n    enabled: false\n"
VENDOR = ("\n§\nVendor master: " + "x" * 8192).encode()


def append(path: Path, data: bytes) -> None:
    """Another program adds to the file, as `printf … >>` does."""
    with path.open("ab") as file:
        file.write(data)


# ---------------------------------------------------------------------------- F15


async def test_f015_the_editor_keeps_what_a_shell_appended_meanwhile(make_home: MakeHome) -> None:
    home = make_home(memory="User prefers dark mode")
    async with running(home) as (app, pilot):
        await press(pilot, "e", "!")
        append(memory_file(home), VENDOR)
        await press(pilot, "ctrl+s")
        assert app.main.editor is None
        assert memory_file(home).read_bytes() == b"User prefers dark mode!" + VENDOR
        await until(pilot, lambda: "Vendor master" in screen_text(app), "the other note")
        await press(pilot, "z")
    assert memory_file(home).read_bytes() == b"User prefers dark mode" + VENDOR


def test_f015_the_command_line_reads_its_text_before_it_looks_for_the_note(make_home: MakeHome) -> None:
    home = make_home(memory="User prefers dark mode")
    started = subprocess.Popen(
        [command("digit"), "memory", "replace", "--home", str(home), "User prefers dark mode", "-"],
        stdin=subprocess.PIPE,
    )
    append(memory_file(home), VENDOR)
    started.communicate(b"User prefers light mode")
    assert started.returncode == 0
    assert memory_file(home).read_bytes() == b"User prefers light mode" + VENDOR


# ---------------------------------------------------------------------------- F16


@pytest.mark.parametrize("name", FACES)
async def test_f016_of_28_notes_only_the_target_changes(make_home: MakeHome, name: str) -> None:
    letters = "内存条目测试数据заметка"
    texts = [(letters * 20)[: 71 + (number % 2)] + f"{number:03}" for number in range(28)]
    texts[27] = (letters * 20)[: 2112 - len("\n§\n".join([*texts[:27], ""]))]
    home = make_home(memory=joined(*texts), config=SMALL)
    assert len("\n§\n".join(texts)) == 2112  # 96 % of 2,200

    def others() -> list[str]:
        parts = memory_file(home).read_bytes().split("\n§\n".encode())
        return [sha256(part).hexdigest() for position, part in enumerate(parts[:28]) if position != 14]

    before = others()
    async with opened(name, home) as face:
        assert (await face.replace(texts[14], "y" * len(texts[14]))).ok
        assert others() == before
        assert (await face.add("z" * 85)).ok
        assert others() == before
        full = memory_file(home).read_bytes()
        assert full.split("\n§\n".encode())[14] == b"y" * len(texts[14])
        assert full.endswith(b"z" * 85)
        assert (await face.remove("z" * 85)).ok
        there = memory_file(home).read_bytes()
        said = await face.add("z" * 86)
        assert not said.ok
        assert "2,112/2,200" in said.words
        assert "1 too many" in said.words or "(86 chars)" in said.words
        assert memory_file(home).read_bytes() == there == full[: -len("\n§\n".encode()) - 85]


# ---------------------------------------------------------------------------- F17

SECTIONS = "Section A\na\n\nSection B\nb\n\nSection C\nc"


async def test_f017_the_tool_replaces_the_whole_entry_and_shows_all_of_it(make_home: MakeHome) -> None:
    home = make_home(memory=joined(SECTIONS))
    tool = ToolFace(home).tool
    one: dict[str, object] = {"action": "replace", "old_text": "Section B\nb", "content": "Section B\nB2"}
    batch = [{"action": "add", "content": "x"}, one]
    calls: tuple[tuple[dict[str, object], str, object], ...] = (
        (one, "replaced_entry", SECTIONS),
        ({"operations": [one]}, "replaced_entries", {"1": SECTIONS}),
        ({"operations": batch}, "replaced_entries", {"2": SECTIONS}),
    )
    for call, key, old in calls:
        given = tool.call(**call)
        assert given["success"] is True
        assert given[key] == old
        assert memory_file(home).read_bytes().startswith(b"Section B\nB2")
        assert b"Section A" not in memory_file(home).read_bytes()
        assert digit(home, "memory", "undo").code == 0
        assert memory_file(home).read_bytes() == SECTIONS.encode()


def test_f017_the_command_line_shows_all_of_the_note_it_replaced(make_home: MakeHome) -> None:
    home = make_home(memory=joined(SECTIONS))
    done = digit(home, "memory", "replace", "Section B\nb", "Section B\nB2")
    assert done.code == 0
    assert f"The whole note was replaced; it read:\n{SECTIONS}\n" in done.err
    assert memory_file(home).read_bytes() == b"Section B\nB2"
    assert digit(home, "memory", "undo").code == 0
    assert memory_file(home).read_bytes() == SECTIONS.encode()
    told = digit(home, "memory", "replace", "Section B\nb", "x", "--json")
    assert SECTIONS in json.loads(told.out)["notices"][0]


async def test_f017_the_app_edits_the_whole_note_and_nothing_else_of_it_goes(make_home: MakeHome) -> None:
    home = make_home(memory=joined(SECTIONS))
    async with running(home) as (app, pilot):
        await press(pilot, "e")
        assert app.main.editor is not None
        assert app.main.editor.shown == SECTIONS
        app.main.editor.area.move_cursor((4, 1))
        await press(pilot, "2", "ctrl+s")
    assert memory_file(home).read_bytes() == SECTIONS.replace("\nb\n", "\nb2\n").encode()


# ---------------------------------------------------------------------------- F19, F41


@pytest.mark.parametrize(("keys", "said"), [(("d", "y"), "z undoes"), (("m",), "Moved"), (("p",), "Pinned")])
async def test_f019_three_notes_added_while_one_is_selected_survive(
    make_home: MakeHome, keys: tuple[str, ...], said: str
) -> None:
    home = make_home(memory=joined("one", "selected", "three"), user=b"u")
    async with running(home) as (app, pilot):
        await press(pilot, "j", *keys[:-1])  # the question stays open
        for number in range(3):
            assert digit(home, "memory", "add", f"new {number}").code == 0
        prior = memory_file(home).read_bytes()
        await press(pilot, keys[-1])
        assert said in screen_text(app)
        after = memory_file(home).read_bytes()
        rest = ["one", "selected #pinned", "three"] if said == "Pinned" else ["one", "three"]
        assert after == joined(*rest, "new 0", "new 1", "new 2")
        assert prior in [copy.read_bytes() for copy in (home / "digit-tui" / "backups").glob("memory*")] + [
            copy.read_bytes() for copy in (home / "digit-tui" / "backups").glob("*.memory.*")
        ]
        await press(pilot, "z")
    assert memory_file(home).read_bytes() == prior


async def test_f041_five_notes_added_while_a_question_is_open_survive(make_home: MakeHome) -> None:
    text = "## A\none\n\n## B\ntwo"
    for keys, expected in (
        (("d", "y"), ["first"]),
        (("S", "y"), ["first", "## A\none", "## B\ntwo"]),
        (("e", "!", "escape", "escape", "ctrl+s"), ["first", text + "!"]),
    ):
        home = make_home(memory=joined("first", text))
        async with running(home) as (_, pilot):
            await press(pilot, "j", *keys[:-1])
            for number in range(5):
                append(memory_file(home), f"\n§\nmeanwhile {number}".encode())
            await press(pilot, keys[-1])
        rest = [f"meanwhile {number}" for number in range(5)]
        assert memory_file(home).read_bytes() == joined(*expected, *rest), keys


def test_f041_notes_added_while_the_persons_editor_is_open_survive(
    make_home: MakeHome, tmp_path: Path
) -> None:
    home = make_home(memory=joined("one", "two"))
    editor = tmp_path / "slow-editor"
    editor.write_text(
        "#!/bin/sh\n"
        f"for n in 1 2 3 4 5; do printf '\\n\\302\\247\\nmeanwhile %s' $n >> '{memory_file(home)}'; done\n"
        'printf "%s" " edited" >> "$1"\n'
    )
    editor.chmod(0o755)
    with PtyApp([command("digit-tui"), "--home", str(home)], env={"VISUAL": str(editor)}) as app:
        app.wait_for("two")
        app.send("jE")
        app.wait_for("Saved.")
        app.send("q")
        assert app.wait() == 0
    rest = [f"meanwhile {number}" for number in range(1, 6)]
    assert memory_file(home).read_bytes() == joined("one", "two\n edited", *rest)


# ---------------------------------------------------------------------------- F20, F39


def test_f020_the_ids_of_an_old_listing_name_the_same_texts_or_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=joined("zero", "one", "two"))
    ids = [note["id"] for note in json.loads(digit(home, "memory", "list", "--json").out)]
    assert digit(home, "memory", "remove", ids[0]).code == 0
    assert digit(home, "memory", "remove", ids[1]).code == 0
    assert memory_file(home).read_bytes() == b"two"
    for verb, *more in (("remove",), ("replace", "x"), ("move",), ("show",)):
        done = digit(home, "memory", verb, ids[0], *more)
        assert done.code == 3
        assert "its text was changed, or it was removed" in done.err
    for place in ("1", "0", "memory:memory:1"):
        assert digit(home, "memory", "remove", place).code == 3  # a place names nothing that is to be changed
    assert memory_file(home).read_bytes() == b"two"


async def test_f020_a_question_about_a_note_that_went_meanwhile_touches_no_other(make_home: MakeHome) -> None:
    home = make_home(memory=joined("zero", "one", "two"), user=b"u")
    async with running(home) as (a, pilot_a), running(home) as (b, pilot_b):
        assert a.snapshot is not None
        await press(pilot_b, "j", "d")
        await press(pilot_a, "j", "d", "y")
        assert memory_file(home).read_bytes() == joined("zero", "two")
        await press(pilot_b, "y")
        said = joined_one_line(screen_text(b))
        assert "no longer in MEMORY" in said
        assert "it was removed" in said
        assert memory_file(home).read_bytes() == joined("zero", "two")
        assert [note.text for note in a.snapshot.notes if note.ref.document == "memory"] == ["zero", "two"]


async def test_f039_two_windows_on_one_home_lose_nothing_and_converge(make_home: MakeHome) -> None:
    home = make_home(memory=joined("Z", "other"))
    async with running(home) as (a, pilot_a), running(home) as (b, pilot_b):
        await press(pilot_a, "n", "X", "ctrl+s")
        await press(pilot_b, "n", "Y", "ctrl+s")
        await press(pilot_a, "g", "e", "!", "ctrl+s")
        assert memory_file(home).read_bytes() == joined("Z!", "other", "X", "Y")
        for app, pilot in ((a, pilot_a), (b, pilot_b)):

            def texts(app: object = app) -> list[str]:
                return [note.text for note in app.snapshot.notes]  # type: ignore[attr-defined]

            await until(pilot, lambda texts=texts: texts() == ["Z!", "other", "X", "Y"], "the others' notes")


# ---------------------------------------------------------------------------- F21, F22


@pytest.fixture
def another_disk() -> Iterator[Path]:
    """A folder on another file system where there is one (a memory disk), else a temporary folder."""
    import tempfile

    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


@pytest.mark.parametrize("name", FACES)
async def test_f021_a_linked_memory_file_stays_a_link(make_home: MakeHome, tmp_path: Path, name: str) -> None:
    home = make_home(memory=joined("one", "two"))
    notes = tmp_path / "notes"
    notes.mkdir()
    memory_file(home).rename(notes / "M.md")
    memory_file(home).symlink_to(notes / "M.md")
    async with opened(name, home) as face:
        assert (await face.replace("one", "uno")).ok
        assert (await face.add("three")).ok
        assert (await face.remove("two")).ok
        assert (await face.undo()).ok
        assert memory_file(home).readlink() == notes / "M.md"
        assert (notes / "M.md").read_bytes() == joined("uno", "two", "three")
        assert [path.name for path in notes.iterdir()] == ["M.md"]
        for target, words in (
            ("gone.md", "gone.md, which is not there"),
            ("MEMORY.md", "leads back to itself"),
        ):
            memory_file(home).unlink()
            memory_file(home).symlink_to(target)
            if isinstance(face, AppFace):
                await press(face.pilot, "ctrl+r", "g")
                assert "unreadable" in face.screen.split("10 help")[0]
                await press(face.pilot, "exclamation_mark")
                assert holds(face.screen, words)
                await press(face.pilot, "escape")
            else:
                said = await face.add("four")
                assert not said.ok
                assert words in said.words
            assert str(memory_file(home).readlink()) == target
    assert not (home / "memories" / "gone.md").exists()
    assert words in digit(home, "memory", "status").out


@pytest.mark.parametrize("name", FACES)
async def test_f021_memories_on_another_disk(make_home: MakeHome, another_disk: Path, name: str) -> None:
    home = make_home(memory=b"one", user=b"u")
    for file in ("MEMORY.md", "USER.md"):
        (another_disk / file).write_bytes((home / "memories" / file).read_bytes())
        (home / "memories" / file).unlink()
    (home / "memories").rmdir()
    (home / "memories").symlink_to(another_disk)
    async with opened(name, home) as face:
        assert (await face.replace("one", "uno")).ok
        assert (await face.add("two")).ok
        assert (await face.undo()).ok
    assert (home / "memories").readlink() == another_disk
    assert (another_disk / "MEMORY.md").read_bytes() == b"uno"
    assert sorted(tree(another_disk)) == ["MEMORY.md", "USER.md"]


@pytest.mark.parametrize("mode", [0o660, 0o640, 0o644])
async def test_f022_the_mode_stays_through_every_face(make_home: MakeHome, mode: int) -> None:
    home = make_home(memory=joined("one", "two"))
    path = memory_file(home)
    (home / "memories").chmod(0o2770)
    path.chmod(mode)
    if os.geteuid() == 0:
        os.chown(path, 65534, 12345)
    for name in FACES:
        async with opened(name, home) as face:
            assert (await face.replace("one", "uno")).ok
            assert stat.S_IMODE(path.stat().st_mode) == mode
            assert (await face.undo()).ok
            assert stat.S_IMODE(path.stat().st_mode) == mode
    copy, *_ = json.loads(digit(home, "memory", "backups", "--json").out)
    assert digit(home, "memory", "restore", copy["id"]).code == 0
    info = path.stat()
    assert stat.S_IMODE(info.st_mode) == mode
    if os.geteuid() == 0:
        assert (info.st_uid, info.st_gid) == (65534, 12345)
    assert digit(home, "memory", "add", "--to", "user", "new").code == 0
    assert stat.S_IMODE((home / "memories" / "USER.md").stat().st_mode) == 0o600


# ---------------------------------------------------------------------------- F23

IMPORTED = """
import asyncio, tempfile
from pathlib import Path
from tests.digit_tui.driving import paste, press, running, screen_text
from tests.faults.faces import digit, holds
async def once(home: Path) -> None:  # whatever the app imports late is imported while this is root
    (home / "memories").mkdir()
    async with running(home, (100, 30)) as (app, pilot):
        await press(pilot, "n")
        await paste(pilot, "x")
        await press(pilot, "ctrl+s", "e", "y", "f3", "escape", "y", "question_mark", "escape", "ctrl+r", "d", "y")
with tempfile.TemporaryDirectory() as folder:
    asyncio.run(once(Path(folder)))
    digit(Path(folder), "memory", "status")
"""
CLOSED = """
home = Path(".digit").absolute()
memory = home / "memories" / "MEMORY.md"
async def main() -> None:
    async with running(home, (100, 30)) as (app, pilot):
        for path, mode in ((memory, 0o444), (memory.parent, 0o555)):
            await press(pilot, "g", "e")
            await paste(pilot, "y" * 300)
            old = path.stat().st_mode & 0o777
            path.chmod(mode)
            await press(pilot, "ctrl+s")
            said = screen_text(app)
            assert holds(said, f"{path.name} ") and holds(said, f"mode {mode:04o}"), said
            assert holds(said, "chmod u+w"), said
            assert app.main.editor is not None and "y" * 300 in app.main.editor.text
            await press(pilot, "f3")  # what was typed can be copied
            done = digit(home, "memory", "replace", "one", "x")
            assert done.code == 4 and f"{path} " in done.err and f"mode {mode:04o}" in done.err, done
            assert digit(home, "memory", "list").code == 0
            assert memory.read_bytes() == b"one"
            await press(pilot, "escape", "y", "question_mark", "escape")  # the rest goes on working
            assert "read only" in screen_text(app)
            path.chmod(old)
            await press(pilot, "ctrl+r")
            assert "read only" not in screen_text(app)
        await press(pilot, "e", "!", "ctrl+s")
        assert memory.read_bytes() == b"one!"
asyncio.run(main())
print("done")
"""


def test_f023_what_is_read_only_is_named_with_its_mode_and_the_text_stays(
    make_home: MakeHome, as_nobody: AsNobody
) -> None:
    home = make_home(memory=b"one")
    done = as_nobody(CLOSED, home.parent, IMPORTED)
    assert done.stdout == "done\n", done.stderr[-3000:]


async def test_f023_a_read_only_mount_is_named(make_home: MakeHome, monkeypatch: pytest.MonkeyPatch) -> None:
    home = make_home(memory=b"one")
    real = os.open

    def refuse(path: str | Path, flags: int, mode: int = 0o777, **more: object) -> int:
        if flags & os.O_CREAT and str(path).startswith(str(home / "memories" / ".digit-tui-")):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, flags, mode, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    for name in FACES:
        async with opened(name, home) as face:
            said = await face.replace("one", "x" * 300)
            assert not said.ok
            assert holds(said.words, "MEMORY.md was not saved: Read-only file system")
    assert memory_file(home).read_bytes() == b"one"


# ---------------------------------------------------------------------------- F24

SAVER = """
import sys
from digit_core.library import Library
from digit_core.memory.changes import Change, Replace
from digit_core.memory.homes import find_home
library = Library(find_home(sys.argv[1]))
for number in range(int(sys.argv[2]), 1_000_000):
    (note,) = library.snapshot.notes
    text = (f"{number} " * 50_000)[:100_000].strip()
    outcome = library.apply(Change((Replace(note.ref, text),)))
    assert outcome.ok, outcome
    if number == int(sys.argv[2]) + 1:
        print("saving", flush=True)
"""
STRANGERS = {
    ".mem_x.tmp": b"half of the agent's",
    "MEMORY.md.bak.1": b"the agent's copy",
    ".digit-tui-notes.tmp": b"somebody's own",
    ".digit-tui-1.tmp": b"not ours either",
    "MEMORY.md.tmp": b"an editor's",
}


def is_whole(data: bytes) -> bool:
    words = data.split()
    return len(data) > 99_000 and len(set(words[:-1])) == 1


def kill_the_whole_save(home: Path, times: int) -> None:
    """Kill our own saves of 100 KB: reads are whole, the next start leaves nothing of ours, all of others."""
    moments = random.Random(24)
    path = memory_file(home)
    path.write_bytes(("0 " * 50_000).strip().encode())
    for name, data in STRANGERS.items():
        path.with_name(name).write_bytes(data)
        (home / name).write_bytes(data)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    left_behind = 0
    for number in range(times):
        command_line = [sys.executable, "-c", SAVER, str(home), str(1000 * (number + 1))]
        with subprocess.Popen(command_line, env=env, stdout=subprocess.PIPE) as saver:
            assert saver.stdout is not None
            assert saver.stdout.readline() == b"saving\n"
            end = time.monotonic() + moments.uniform(0, 0.05)
            seen = {path.read_bytes()}
            while time.monotonic() < end:
                seen.add(path.read_bytes())
            saver.send_signal(signal.SIGKILL)
        assert all(map(is_whole, seen))
        assert is_whole(path.read_bytes())
        left_behind += len(ours(home))
        library = Library(find_home(str(home)))  # the next start
        assert ours(home) == []
        assert [note.text.encode() for note in library.snapshot.notes] == [path.read_bytes()]
        assert {copy.size for copy in library.backups()} <= {99_999, *range(99_990, 100_001)}
    assert left_behind, "no kill came while a file was half written"
    for name, data in STRANGERS.items():
        assert path.with_name(name).read_bytes() == data
        assert (home / name).read_bytes() == data


def ours(home: Path) -> list[Path]:
    """Temporary files of ours, wherever they are."""
    return [path for path in home.rglob(".digit-tui-*.tmp") if path.name not in STRANGERS]


def test_f024_the_whole_save_killed_and_started_again(make_home: MakeHome) -> None:
    kill_the_whole_save(make_home(), 12)


@pytest.mark.torture
@pytest.mark.timeout(900)
def test_f024_the_whole_save_killed_two_hundred_times(make_home: MakeHome) -> None:
    kill_the_whole_save(make_home(), 200)


def test_f024_half_a_file_goes_wherever_we_write(make_home: MakeHome, tmp_path: Path) -> None:
    home = make_home(memory=b"one", config=SMALL)
    notes = tmp_path / "notes"
    notes.mkdir()
    memory_file(home).rename(notes / "M.md")
    memory_file(home).symlink_to(notes / "M.md")
    assert digit(home, "memory", "add", "two").code == 0
    own = home / "digit-tui"
    (own / "drafts").mkdir()
    places = (home, home / "memories", notes, own, own / "backups", own / "drafts")
    for folder in places:
        (folder / ".digit-tui-999999999-0123456789ab.tmp").write_bytes(b"half")
    before = {name: data for name, data in tree(tmp_path).items() if ".digit-tui-" not in name}
    assert digit(home, "memory", "status").code == 0
    assert tree(tmp_path) == before


# ---------------------------------------------------------------------------- F25


async def test_f025_a_batch_of_the_tool_names_the_bad_item_and_says_that_none_was_done(
    make_home: MakeHome,
) -> None:
    home = make_home(memory=joined("one"))
    tool = ToolFace(home)
    bad = "key is in\n§\n~/.digit/.env"
    said = await tool.call(operations=[{"action": "add", "content": text} for text in ("A", "B", bad, "D")])
    assert not said.ok
    assert "Operation 3: Line 2 is just §" in said.words
    assert "No operations were applied: a batch is all or nothing" in said.words
    assert memory_file(home).read_bytes() == b"one"
    codes = [digit(home, "memory", "add", text).code for text in ("A", "B", bad, "D")]
    assert codes == [0, 0, 4, 0]
    assert memory_file(home).read_bytes() == joined("one", "A", "B", "D")


# ---------------------------------------------------------------------------- F28


async def test_f028_outside_changes_keep_the_undo_of_the_app(make_home: MakeHome) -> None:
    home = make_home(memory=joined("draft", "other"))
    async with running(home) as (app, pilot):
        await press(pilot, "e", "1", "ctrl+s", "e", "2", "ctrl+s")
        os.utime(memory_file(home))
        memory_file(home).write_bytes(joined("draft12", "other, by the agent"))
        await until(pilot, lambda: "by the agent" in screen_text(app), "the agent's change")
        await press(pilot, "z")
        assert memory_file(home).read_bytes() == joined("draft1", "other, by the agent")
        memory_file(home).write_bytes(joined("draft1 by the agent", "other, by the agent"))
        await until(pilot, lambda: "draft1 by the agent" in screen_text(app), "the agent's change")
        for expected in ("draft1", "draft"):
            await press(pilot, "z")
            assert memory_file(home).read_bytes() == joined(expected, "other, by the agent")


# ---------------------------------------------------------------------------- F30, F31


async def test_f030_a_wholesale_rewrite_by_the_tool_is_shown_and_restorable(make_home: MakeHome) -> None:
    texts = [f"fact {number} " + "x" * 78 for number in range(10)]
    raw = joined(*texts)
    home = make_home(user=raw, config=SMALL)
    assert 0.6 < len(raw.decode()) / 1375 < 0.68
    answer = ToolFace(home).tool.call(
        target="user",
        operations=[
            {"action": "replace", "old_text": "fact 0 ", "content": "all in one"},
            *({"action": "remove", "old_text": f"fact {number} "} for number in range(1, 7)),
        ],
    )
    assert answer["success"] is True
    assert answer["replaced_entries"] == {"1": texts[0]}
    assert answer["removed_entries"] == {str(number + 1): texts[number] for number in range(1, 7)}
    after = (home / "memories" / "USER.md").read_bytes()
    assert len(after) < 0.4 * len(raw)
    (copy,) = json.loads(digit(home, "memory", "backups", "--json").out)
    assert digit(home, "memory", "restore", copy["id"]).code == 0
    assert (home / "memories" / "USER.md").read_bytes() == raw
    assert digit(home, "memory", "undo").code == 0
    assert (home / "memories" / "USER.md").read_bytes() == after
    async with running(home) as (app, pilot):
        await press(pilot, "z")
        assert "Undid" in screen_text(app)
    assert (home / "memories" / "USER.md").read_bytes() == raw


@pytest.mark.parametrize("name", FACES)
async def test_f031_a_store_above_its_limit_can_be_cleaned_through_every_face(
    make_home: MakeHome, name: str
) -> None:
    texts = [f"{number:03} " + "x" * 496 for number in range(241)]
    home = make_home(memory=joined(*texts))
    held = len("\n§\n".join(texts))
    assert held > 121_000
    status = digit(home, "memory", "status").out
    assert f"{held:,}/120,000" in status
    assert f"over by {held - 120_000:,}" in status
    async with opened(name, home) as face:
        if isinstance(face, AppFace):
            assert "over" in face.screen.split("◆")[0]
            assert f"{held:,}/120,000" in face.screen
        assert (await face.remove(texts[0])).ok
        shorter = await face.replace(texts[1], "y" * 400)
        if isinstance(face, ToolFace):  # it is not refused what shrinks by removing; a replace has to fit
            assert "would exceed the limit" in shorter.words
        else:
            assert shorter.ok
            refused = await face.replace(texts[2], texts[2] + texts[3])  # merging begins with what shrinks
            assert not refused.ok
            assert (await face.remove(texts[3])).ok
        said = await face.add("1")
        assert not said.ok
        assert "too many" in said.words or "would exceed the limit" in said.words
    notes = memory_file(home).read_bytes().decode().split("\n§\n")
    assert set(texts[4:]) <= set(notes)


# ---------------------------------------------------------------------------- F33


def test_f033_a_hundred_failing_changes_keep_no_backup_no_record_and_no_file(
    make_home: MakeHome, as_nobody: AsNobody
) -> None:
    home = make_home(memory=b"one")
    assert digit(home, "memory", "add", "two").code == 0
    source = (
        "from pathlib import Path\n"
        "from tests.faults.faces import digit, tree\n"
        "home = Path('.').absolute(); before = tree(home)\n"
        "(home / 'memories').chmod(0o555)\n"
        "codes = {digit(home, 'memory', 'add', 'x').code for _ in range(100)}\n"
        "(home / 'memories').chmod(0o755)\n"
        "print(codes, tree(home) == before)\n"
    )
    done = as_nobody(source, home, "import tests.faults.faces")
    assert done.stdout == "{4} True\n", done.stderr[-2000:]


@pytest.mark.parametrize("name", PERSONS)
async def test_f033_saves_that_change_nothing_keep_nothing(make_home: MakeHome, name: str) -> None:
    home = make_home(memory=joined("one", "two"))
    before = tree(home)
    async with opened(name, home) as face:
        for _ in range(5 if name == "app" else 100):
            if isinstance(face, AppFace):
                await press(face.pilot, "e", "ctrl+s")
                assert "Nothing was changed." in face.screen
            else:
                assert (await face.replace("one", "one")).ok
                assert (await face.add("two")).ok
    assert tree(home) == before


def test_f033_a_clock_set_back_an_hour_at_each_save_blocks_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=b"0")
    now = [1_800_000_000.0]

    def clock() -> float:
        return now[0]

    store = open_store(home, clock=clock)
    for number in range(30):
        assert replace(store, str(number), str(number + 1)).ok
        newest = [store.backups.read(copy.id) for copy in store.backups.list()[:NEWEST]]
        assert newest == [b"%d" % kept for kept in range(number, max(-1, number - NEWEST), -1)]
        now[0] -= 3600.0
    for number in range(30, 45):
        assert replace(store, str(number), str(number + 1)).ok  # and now it stands still
    assert len(store.backups.list()) <= 31 + NEWEST
    for number in range(45, 0, -1):
        assert store.undo().ok
        assert memory_file(home).read_bytes() == b"%d" % (number - 1)


def test_f024_a_save_killed_before_its_record_is_noted_as_made_outside(make_home: MakeHome) -> None:
    """Between the write and its record a kill may come: the next look notes it as a change from outside."""
    home = make_home(memory=joined("one", "two"))
    store = open_store(home)
    assert add(store, "three").ok
    memory_file(home).write_bytes(
        joined("one", "two", "three", "four")
    )  # written, and killed before the record
    again = open_store(home)
    assert again.apply(Change((Replace(ref("one"), "uno"), Add("memory", "five")))).ok
    assert again.undo().ok
    assert memory_file(home).read_bytes() == joined("one", "two", "three", "four")
    assert again.undo().ok
    assert memory_file(home).read_bytes() == joined("one", "two", "four")
