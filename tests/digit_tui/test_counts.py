"""Counts, not clocks: how much is drawn, built and looked at for one key, one change, one quiet minute."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size

from digit_core.disk import watching
from digit_core.disk.watching import Timing, Watcher
from digit_core.formats.entries import parse
from digit_core.library import Library
from digit_core.memory.changes import Add, Change
from digit_core.memory.homes import find_home
from digit_core.text.digest import text_digest
from digit_tui.panes.note import NoteText
from digit_tui.panes.notes import NoteList
from tests.digit_tui.driving import press, running, settle, until

DELIMITER = "\n§\n"
NOTES = [f"Note {number:04}\nWhat it says, and enough of it to be a sentence." for number in range(1_200)]
ROOMY_LIMIT = "memory:\n  recall:\n    memory_char_limit: 900000\n"


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    """A home of 1,200 notes."""
    return make_home(memory=DELIMITER.join(NOTES), config=ROOMY_LIMIT)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many rows each widget has drawn; clear it to begin."""
    counted: Counter[str] = Counter()
    for widget in (NoteList, NoteText):
        monkeypatch.setattr(widget, "render_line", _counting(widget, counted))
    return counted


def _counting(widget: type[NoteList | NoteText], counted: Counter[str]) -> Any:  # noqa: ANN401
    draw = widget.render_line

    def render_line(self: Any, y: int) -> Any:  # noqa: ANN401
        counted[widget.__name__] += 1
        return draw(self, y)

    return render_line


async def test_a_cursor_move_draws_two_rows_of_the_list(home: Path, drawn: Counter[str]) -> None:
    async with running(home, size=(120, 36)) as (_, pilot):
        for key in ("j", "j", "k", "down"):
            drawn.clear()
            await press(pilot, key)
            assert drawn["NoteList"] == 2


async def test_the_list_draws_what_is_in_view_and_no_more(home: Path, drawn: Counter[str]) -> None:
    async with running(home, size=(120, 36)) as (_, pilot):
        drawn.clear()
        await press(pilot, "G")
        assert 0 < drawn["NoteList"] <= 2 * 36


async def test_a_change_to_another_note_leaves_the_open_one_alone(home: Path, drawn: Counter[str]) -> None:
    async with running(home, size=(120, 36)) as (app, pilot):
        library = app.library
        assert library is not None
        drawn.clear()
        texts = [*NOTES[:-1], "Last\nAnother text."]
        await asyncio.to_thread(_write, home, texts)
        await asyncio.to_thread(library.reload)
        await settle(pilot)
        assert app.snapshot is not None
        assert app.snapshot.stores[0].notes[-1].title == "Last"
        assert drawn["NoteText"] == 0


async def test_a_change_outside_leaves_the_open_note_where_it_was_read(
    make_home: Callable[..., Path],
) -> None:
    long = "Long\n" + "\n".join(f"line {number}" for number in range(200))
    home = make_home(memory=DELIMITER.join([long, "Other"]), config=ROOMY_LIMIT)
    async with running(home, size=(120, 36)) as (app, pilot):
        await press(pilot, "enter", "ctrl+d", "ctrl+d")
        text = app.main.query_one(NoteText)
        read = text.scroll_offset.y
        assert read > 0
        await asyncio.to_thread(_write, home, [long, "Other", "And a third"])
        await until(pilot, lambda: app.main.notes.shown == 3, "the third note")
        await settle(pilot)
        assert text.scroll_offset.y == read
        assert text.virtual_size == Size(1, 201 + 2)


@pytest.mark.parametrize("known", [False, True], ids=["no history", "history"])
async def test_a_change_outside_is_built_once_and_once_more_where_it_is_noted(
    home: Path, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[int] = []
    noted = asyncio.Event()
    loop = asyncio.get_running_loop()
    library = await asyncio.to_thread(lambda: Library(find_home(home=str(home))))
    if known:
        await asyncio.to_thread(library.apply, Change((Add("memory", "ours"),)))
    build, changed = library._build, library._files_changed

    def counting(*arguments: Any) -> Any:  # noqa: ANN401
        built.append(1)
        return build(*arguments)

    def seen() -> None:
        changed()
        loop.call_soon_threadsafe(noted.set)

    monkeypatch.setattr(library, "_files_changed", seen)
    await asyncio.to_thread(library.watch)
    monkeypatch.setattr(library, "_build", counting)
    try:
        await asyncio.to_thread(_replace, home, [*NOTES, "theirs"])
        await asyncio.wait_for(noted.wait(), 10)
        assert len(built) == 1 + known
        assert any(note.text == "theirs" and note.date_is_guess != known for note in library.snapshot.notes)
    finally:
        await asyncio.to_thread(library.close)


def test_what_has_not_changed_is_not_worked_out_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(find_home(home=str(home)))
    parsed: list[bytes] = []
    digested: list[str] = []
    monkeypatch.setattr("digit_core.library.parse", _spy(parse, parsed))
    monkeypatch.setattr("digit_core.views.snapshot.text_digest", _spy(text_digest, digested))
    library.reload()
    assert (parsed, digested) == ([], [])
    _write(home, [*NOTES, "one more"])
    library.reload()
    assert (len(parsed), digested) == (1, ["one more"])


def _spy(function: Callable[[Any], Any], calls: list[Any]) -> Callable[[Any], Any]:
    """The same function, which notes what it is called with."""

    def called(argument: Any) -> Any:  # noqa: ANN401
        calls.append(argument)
        return function(argument)

    return called


def test_a_quiet_look_is_one_stat_of_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / name for name in ("MEMORY.md", "USER.md", "config.yaml")]
    for file in files:
        file.write_bytes(b"x")
    watcher = Watcher(tmp_path, files, lambda: None, timing=Timing(unproven=600, proven=600))
    watcher.start()
    try:
        assert watcher.wait_until_ready()
        looked: list[Path] = []
        monkeypatch.setattr(watching, "_stat", _spy(watching._stat, looked))
        monkeypatch.setattr(os.path, "realpath", _never)
        watcher._compare(woken=False)
        assert looked == files
    finally:
        monkeypatch.undo()
        watcher.stop()


def _never(*_: object, **__: object) -> str:
    raise AssertionError("a look by the clock follows no folders")


def _write(home: Path, texts: list[str]) -> None:
    (home / "memories" / "MEMORY.md").write_bytes(DELIMITER.join(texts).encode())


def _replace(home: Path, texts: list[str]) -> None:
    """As the agent writes: one event in the end, not several."""
    temporary = home / "memories" / ".mem_1.tmp"
    temporary.write_bytes(DELIMITER.join(texts).encode())
    temporary.replace(home / "memories" / "MEMORY.md")
