"""Rendering in the app: F103-F105, F107, F111, F113-F115 with their exact inputs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blockbuster import BlockBuster, blockbuster_ctx
from rich.cells import cell_len
from textual.strip import Strip

from digit_core.text.visible import visible
from digit_tui.app import DigitApp
from digit_tui.panes.notes import Density, NoteList
from tests.digit_tui.driving import paste, press, rows, running, screen_text, settle, until
from tests.hostile import CONTROL, MARKUP, TEXTS, WIDE, write_hostile_home

SIZES = ((1, 1), (10, 3), (40, 12), (59, 15), (60, 16), (80, 24), (133, 40), (200, 60))

DIALOGS = {
    "confirm": ("d",),
    "help": ("question_mark",),
    "command": ("colon",),
    "problems": ("exclamation_mark",),
    "history": ("U",),
    "room": ("r",),
    "editor": ("e",),
    "new": ("n",),
    "find": ("slash",),
    "leave": ("e", "x", "escape"),
}
"""Every screen and dialog that a key opens, with the keys."""


@pytest.fixture(autouse=True)
def blockbuster() -> Iterator[BlockBuster]:
    with blockbuster_ctx(scanned_modules=["digit_tui", "digit_core", "textual"]) as buster:
        yield buster


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return write_hostile_home(tmp_path / "hostile")


def assert_whole(app: DigitApp) -> None:
    """Every row is as wide as the screen, and holds no control character."""
    for text in rows(app):
        assert cell_len(text) == app.size.width, text
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e]", text), text


# ---------------------------------------------------------------------------- F103, F104


async def test_f103_every_text_is_literal_in_list_note_editor_and_dialog(
    make_home: Callable[..., Path],
) -> None:
    lines = [f"{text} tail" for text in MARKUP]
    home = make_home(memory="\n§\n".join(["\n".join(["Title", *lines]), *lines]))
    async with running(home, (160, 50)) as (app, pilot):

        def assert_literal(where: str, times: int = 1) -> None:
            shown = screen_text(app)
            for line in lines:
                assert shown.count(line) >= times, (where, line)

        assert_literal("list and note", 2)
        await press(pilot, "e", "!")
        assert_literal("list and editor", 2)
        await press(pilot, "escape")
        assert_literal("the question whether to leave")
        await press(pilot, "y", "d")
        assert "Delete this note" in screen_text(app)
        assert_literal("the question whether to delete")
        await press(pilot, "y", "U")
        assert_literal("the undo list")
        await press(pilot, "escape")
        for line in lines:
            app.notify(f"{line} toast", markup=False)
            app.say(f"{line} said")
            await settle(pilot)
            assert f"{line} said" in screen_text(app)
        await press(pilot, "slash", *"tail", "enter")
        assert_literal("what was found")


async def test_f103_a_click_on_a_note_with_a_link_does_nothing(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory="[@click=app.quit]press me[/]"), (140, 30)) as (app, pilot):
        for x in range(0, 40, 3):
            await pilot.click(offset=(x, 2))
        await settle(pilot)
        assert app.is_running


async def test_f104_brackets_in_the_filter_are_literal(hostile: Path) -> None:
    async with running(hostile) as (app, pilot):
        for typed in ("[", "]", "[/", "\\[", "[["):
            await press(pilot, "slash")
            await paste(pilot, typed)
            wanted = [text for text in TEXTS if typed in text]
            assert app.main.notes.shown >= len(wanted)
            assert typed in screen_text(app).split("\n")[-3]
            await press(pilot, "escape")


# ---------------------------------------------------------------------------- F105


async def test_f105_nothing_of_a_paste_with_control_bytes_is_stored(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="a")
    async with running(home) as (app, pilot):
        await press(pilot, "e")
        await paste(pilot, " b\x1b[2Jc\x13\x9b31m\u202ed\r\ne\x85f")
        assert "left out" in screen_text(app)
        await press(pilot, "ctrl+s")
    assert (home / "memories" / "MEMORY.md").read_text() == "a b[2Jc31md\ne\nf"


# ---------------------------------------------------------------------------- F107


async def test_f107_columns_line_up_whatever_the_notes_hold(hostile: Path) -> None:
    async with running(hostile) as (app, pilot):
        for columns in (60, 80, 133):
            await pilot.resize_terminal(columns, 40)
            for _ in range(3):
                await press(pilot, "D")  # normal, compact, roomy
                assert_whole(app)
                if app.main.notes.density is Density.ROOMY:
                    continue
                listed = app.main.notes.region
                for text in rows(app)[listed.y + 1 : listed.y + 8]:
                    row = _cut(text, app.main.notes.scrollable_content_region.width)
                    assert re.search(r"\d $", row), row  # the lengths end in one column
            await press(pilot, "enter")
            for _ in range(3):
                assert_whole(app)
                await press(pilot, "pagedown")
            await press(pilot, "escape")


def _cut(text: str, cells: int) -> str:
    taken = ""
    for code in text:
        if cell_len(taken + code) > cells:
            break
        taken += code
    return taken


async def test_f107_no_note_is_cut_within_a_cluster(make_home: Callable[..., Path]) -> None:
    family = "👨‍👩‍👧"
    async with running(make_home(memory=family * 60)) as (app, pilot):
        row = next(text for text in rows(app) if family in text)
        assert row.replace(family, "").count("👨") == 0
        await press(pilot, "enter")
        assert_whole(app)


# ---------------------------------------------------------------------------- F111, F113


@pytest.mark.parametrize("dialog", ["", *DIALOGS])
async def test_f111_every_size_and_live_resize(hostile: Path, dialog: str) -> None:
    async with running(hostile) as (app, pilot):
        await press(pilot, *DIALOGS.get(dialog, ()))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(pilot)
            assert_whole(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert app.is_running
        assert "at least, please" not in screen_text(app)


@pytest.mark.parametrize("size", SIZES)
async def test_f111_starts_at_every_size(hostile: Path, size: tuple[int, int]) -> None:
    async with running(hostile, size) as (app, pilot):
        assert_whole(app)
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "MEMORY" in screen_text(app)


@pytest.mark.parametrize("dialog", [name for name in DIALOGS if name not in ("editor", "new", "find")])
async def test_f113_every_dialog_is_drawn_at_40x12_and_escape_leaves_it(hostile: Path, dialog: str) -> None:
    async with running(hostile) as (app, pilot):
        main = app.screen
        await press(pilot, *DIALOGS[dialog])
        await pilot.resize_terminal(40, 12)
        await settle(pilot)
        assert app.screen is not main
        assert "esc" in screen_text(app)
        assert app.screen.query("Frame").first().region.area > 0
        await press(pilot, "escape")
        assert app.screen is main


# ---------------------------------------------------------------------------- F114


async def test_f114_a_cursor_move_draws_two_rows_and_no_more(
    make_home: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = "\n§\n".join(f"Note {number} " + "x" * 90 for number in range(1200))
    async with running(make_home(memory=memory)) as (app, pilot):
        drawn: list[int] = []
        draw = NoteList.render_line

        def counted(self: NoteList, y: int) -> Strip:
            drawn.append(y)
            return draw(self, y)

        monkeypatch.setattr(NoteList, "render_line", counted)
        await press(pilot, "j")
        assert sorted(set(drawn)) == [1, 2]
        drawn.clear()
        await press(pilot, "G")
        assert len(drawn) <= 2 * app.main.notes.size.height
        assert app.main.note is not None
        assert app.main.note.position == 1199


async def test_f114_one_note_of_100000_characters_and_1200_notes_answer_at_once(
    make_home: Callable[..., Path],
) -> None:
    memory = "\n§\n".join(["слово " * 16_000, *(f"Note {number} " + "x" * 90 for number in range(1200))])
    async with running(
        make_home(memory=memory, config="memory:\n  recall:\n    memory_char_limit: 900000\n")
    ) as (
        app,
        pilot,
    ):
        start = time.process_time()
        await press(pilot, "enter", "escape")
        await press(pilot, *"jjjjjjjjjj")
        await press(pilot, "slash", *"Note", "escape")
        assert time.process_time() - start < 8  # a hang guard; the clocks are in tests/benchmarks
        assert app.main.notes.shown == 1201


# ---------------------------------------------------------------------------- F115


async def test_f115_the_same_note_stays_selected_through_every_change(make_home: Callable[..., Path]) -> None:
    texts = [f"Note {number}" for number in range(600)]
    home = make_home(memory="\n§\n".join(texts))
    path = home / "memories" / "MEMORY.md"
    async with running(home) as (app, pilot):
        notes = app.main.notes

        def selected() -> str:
            return app.main.note.text if app.main.note is not None else ""

        def in_view() -> bool:
            return f"▸ ◆ {selected()} " in screen_text(app)

        notes.select(next(note.ref for note in app.snapshot.notes if note.text == "Note 500"))  # type: ignore[union-attr]
        await settle(pilot)
        offset = notes._cursor - notes.scroll_offset.y

        async def write(wanted: list[str]) -> None:
            path.write_text("\n§\n".join(wanted))
            await until(pilot, lambda: [n.text for n in app.snapshot.notes] == wanted, "the change")  # type: ignore[union-attr]

        await write(["New", *texts])
        assert (selected(), in_view()) == ("Note 500", True)
        assert notes._cursor - notes.scroll_offset.y == offset
        await write([text for text in texts if text != "Note 10"])
        assert (selected(), in_view()) == ("Note 500", True)
        await write([text for text in texts if text not in ("Note 10", "Note 500")])
        assert (selected(), in_view()) == ("Note 501", True)
        await press(pilot, "slash", *"Note", "space", *"42", "enter")
        assert selected().startswith("Note 42")
        found = selected()
        await press(pilot, "escape")
        assert (selected(), in_view()) == (found, True)  # all notes again, and the cursor on the one found
        await press(pilot, "G", "d", "y")
        assert (selected(), in_view()) == ("Note 598", True)


async def test_f115_deleting_the_last_note_leaves_words_and_no_error(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory="only")) as (app, pilot):
        await press(pilot, "d", "y")
        assert app.main.note is None
        assert "Nothing yet." in screen_text(app)
        await press(pilot, "z")
        assert app.main.note is not None


def test_hostile_texts_are_all_drawn() -> None:
    for text in (*MARKUP, *CONTROL, *WIDE):
        assert len(visible(text)) == len(text)
