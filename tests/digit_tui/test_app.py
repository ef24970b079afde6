"""The app from open to quit: what is on screen, what is in the files, what is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from digit_tui.panes.note import NoteText
from digit_tui.screens.main import MainScreen
from tests.digit_tui.driving import paste, press, running, screen_text, until

TWO = "First note\n§\nSecond note\nwith more"


def memory(home: Path) -> bytes:
    return (home / "memories" / "MEMORY.md").read_bytes()


async def test_shows_home_meters_and_notes(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO, user="About you")
    async with running(home) as (app, _pilot):
        text = screen_text(app)
    assert "digit" in text
    assert "default" in text
    assert "Digit" in text
    assert "First note" in text
    assert "Second note  with more" in text
    assert "About you" in text
    assert "34/120,000" in text


async def test_wide_window_shows_list_and_note(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO)
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "j")
        assert "with more" in screen_text(app)
        assert "note 2 of 2" in screen_text(app)
        assert isinstance(app.focused, type(app.main.notes))


async def test_narrow_window_opens_the_note_over_the_list(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO)
    async with running(home) as (app, pilot):
        await press(pilot, "j", "enter")
        assert isinstance(app.focused, NoteText)
        assert "First note" not in screen_text(app)
        await press(pilot, "escape")
        assert "First note" in screen_text(app)


async def test_edit_in_place_saves_and_undo_brings_the_bytes_back(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO)
    before = memory(path)
    async with running(path) as (app, pilot):
        await press(pilot, "e", "home", *"Very", "space")
        assert "+5" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert memory(path) == b"Very First note\n\xc2\xa7\nSecond note\nwith more"
        assert "Saved. The agent will see it from its next session on. z undoes." in screen_text(app)
        await press(pilot, "z")
        assert memory(path) == before


async def test_opening_and_saving_an_untouched_note_writes_nothing(make_home: Callable[..., Path]) -> None:
    path = make_home(memory="a\x1b[31mb\u2028c\x85d\tÿ")
    stamp = (path / "memories" / "MEMORY.md").stat()
    async with running(path) as (app, pilot):
        await press(pilot, "e", "ctrl+s")
        assert "Nothing was changed." in screen_text(app)
    assert (path / "memories" / "MEMORY.md").stat() == stamp


async def test_new_note_goes_to_the_store_that_is_chosen(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO, user="About you")
    async with running(path) as (_app, pilot):
        await press(pilot, "n", *"Hi", "ctrl+t", "ctrl+s")
    assert (path / "memories" / "USER.md").read_text() == "About you\n§\nHi"
    assert memory(path) == TWO.encode()


async def test_move_and_pin(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO, user="About you")
    async with running(path) as (app, pilot):
        await press(pilot, "m")
        assert (path / "memories" / "USER.md").read_text() == "About you\n§\nFirst note"
        assert "Moved from MEMORY to USER" in screen_text(app)
        await press(pilot, "p")
        assert (path / "memories" / "USER.md").read_text() == "About you\n§\nFirst note #pinned"
        await press(pilot, "p")
        assert (path / "memories" / "USER.md").read_text() == "About you\n§\nFirst note"


async def test_outside_change_appears_and_the_cursor_stays(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO)
    async with running(path) as (app, pilot):
        await press(pilot, "j")
        (path / "memories" / "MEMORY.md").write_text("New\n§\n" + TWO)
        await until(pilot, lambda: "New" in screen_text(app), "the new note")
        note = app.main.note
        assert note is not None
        assert note.text == "Second note\nwith more"


async def test_editor_keeps_text_focus_and_caret_through_outside_changes(
    make_home: Callable[..., Path],
) -> None:
    path = make_home(memory=TWO)
    async with running(path) as (app, pilot):
        await press(pilot, "e", *"abc")
        editor = app.main.editor
        assert editor is not None
        focused, caret = app.focused, editor.area.cursor_location
        (path / "memories" / "MEMORY.md").write_text("New\n§\n" + TWO)
        await until(
            pilot, lambda: app.snapshot is not None and len(list(app.snapshot.notes)) == 3, "the change"
        )
        assert app.focused is focused
        assert editor.area.cursor_location == caret
        assert editor.shown == "First noteabc"
        await press(pilot, "ctrl+s")
    assert memory(path).decode() == "New\n§\nFirst noteabc\n§\nSecond note\nwith more"


async def test_line_that_is_just_the_sign_is_refused_in_words(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO)
    async with running(path) as (app, pilot):
        await press(pilot, "e")
        await paste(pilot, "\n§\nrest")
        assert "Line 2 is just §" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert "Line 2 is just §" in screen_text(app)
        assert app.main.editor is not None
    assert memory(path) == TWO.encode()


async def test_over_the_limit_is_refused_and_the_text_stays(make_home: Callable[..., Path]) -> None:
    path = make_home(memory=TWO, config="memory:\n  recall:\n    enabled: false\n  memory_char_limit: 40\n")
    async with running(path) as (app, pilot):
        await press(pilot, "e", *"abcdefghijk", "ctrl+s")
        editor = app.main.editor
        assert editor is not None
        assert editor.shown == "First noteabcdefghijk"
        assert "too many" in screen_text(app) or "over the limit" in screen_text(app)
    assert memory(path) == TWO.encode()


async def test_find_filters_and_escape_shows_all(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await press(pilot, "slash", *"MORE")
        assert "First note" not in screen_text(app)
        assert "1 of 2 notes" in screen_text(app)
        await press(pilot, "enter", "escape")
        assert "First note" in screen_text(app)


async def test_commands_that_do_not_work_say_why(make_home: Callable[..., Path]) -> None:
    async with running(make_home()) as (app, pilot):
        await press(pilot, "d")
        assert "No note is selected." in screen_text(app)
        assert "Nothing yet." in screen_text(app)


async def test_theme_toggles(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        assert app.theme == "dark"
        await press(pilot, "t")
        assert app.theme == "light"


async def test_small_window_says_so_and_recovers(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await pilot.resize_terminal(50, 10)
        await press(pilot)
        assert "60×16 at least" in screen_text(app)
        assert "First note" not in screen_text(app)
        await pilot.resize_terminal(80, 24)
        await press(pilot)
        assert "First note" in screen_text(app)


async def test_quit_leaves_with_code_0(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        assert isinstance(app.screen, MainScreen)
        await press(pilot, "q")
    assert app.return_code == 0
