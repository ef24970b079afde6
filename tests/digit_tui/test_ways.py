"""Ways through the app: windows too small, finding, making room from the editor, problems, words that go again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digit_tui.cli.entry import main
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.history import HistoryScreen
from digit_tui.screens.main import MainScreen
from digit_tui.screens.problems import ProblemsScreen
from digit_tui.screens.room import RoomScreen
from digit_tui.screens.split import SplitScreen
from tests.digit_tui.driving import paste, press, running, screen_text, until

NOTES = "First note\n§\nSecond note\n§\nThird note"


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=NOTES, user="About you")


def text(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_text()


async def test_in_a_window_too_small_nothing_is_deleted(home: Path) -> None:
    async with running(home, (20, 5)) as (app, pilot):
        assert "min 60×16" in screen_text(app)
        await press(pilot, "d", "y", "n", "p", "m", "question_mark", "enter")
        assert isinstance(app.screen, MainScreen)
        assert app.main.editor is None
        await pilot.resize_terminal(80, 24)
        await press(pilot, "d")
        assert isinstance(app.screen, Confirm)
        await pilot.resize_terminal(20, 5)
        await press(pilot, "y")
        assert isinstance(app.screen, Confirm)
        await press(pilot, "escape")
        assert isinstance(app.screen, MainScreen)
        await press(pilot, "q")
        assert app.return_code == 0
    assert text(home) == NOTES


async def test_what_was_found_stays_under_the_cursor(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "slash", *"second")
        assert "1 note" in app.main._status.message
        await press(pilot, "enter", "escape")
        assert app.main.note is not None
        assert app.main.note.text == "Second note"
        assert app.main._status.message == ""
        assert "Third note" in screen_text(app)


async def test_words_about_the_past_go_with_the_next_change(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "p")
        assert "Pinned" in app.main._status.message
        await press(pilot, "j")
        assert "Pinned" in app.main._status.message
        (home / "memories" / "MEMORY.md").write_text("Only")
        await until(pilot, lambda: "Only" in screen_text(app), "the change")
        assert app.main._status.message == ""


async def test_a_dialog_alone_says_what_concerns_it(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "e", "x", "f4", "ctrl+q")
        assert isinstance(app.screen, RoomScreen)
        assert screen_text(app).count("leave this dialog first") == 1
        await press(pilot, "escape")
        assert "leave this dialog first" not in screen_text(app)


async def test_the_editor_makes_room_and_comes_back_with_its_text(make_home: Callable[..., Path]) -> None:
    home = make_home(
        memory=NOTES,
        user="About you",
        config="memory:\n  recall:\n    enabled: false\n  memory_char_limit: 60\n",
    )
    async with running(home) as (app, pilot):
        await press(pilot, "e")
        await paste(pilot, " that is far too long now")
        assert "make room (F4)" in screen_text(app)
        await press(pilot, "f4")
        assert isinstance(app.screen, RoomScreen)
        await press(pilot, "e")
        assert "being edited already" in screen_text(app)
        while app.screen._current is not None and app.screen._current.note.text != "Third note":
            await press(pilot, "j")
        await press(pilot, "m")
        await press(pilot, "escape")
        assert app.main.editor is not None
        assert app.main.editor.shown == "First note that is far too long now"
        await press(pilot, "ctrl+s")
    assert text(home) == "First note that is far too long now\n§\nSecond note"
    assert (home / "memories" / "USER.md").read_text() == "About you\n§\nThird note"


async def test_help_in_the_editor_lists_the_keys_of_the_editor(home: Path) -> None:
    async with running(home, (100, 40)) as (app, pilot):
        await press(pilot, "e", "f1")
        listed = screen_text(app)
        assert "Undo typing" in listed
        assert "^z" in listed
        assert "? F1" not in listed
        assert "What the signs mean" in listed
        await press(pilot, "escape", "x", "ctrl+z")
        assert app.main.editor is not None
        assert app.main.editor.shown == "First note"
        await press(pilot, "ctrl+y")
        assert app.main.editor.shown == "First notex"


async def test_the_signs_are_explained(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "question_mark", "up", *["pagedown"] * 9)
        assert "★ pinned" in screen_text(app)


async def test_a_problem_is_mended_from_its_list(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="One\n§\nTwo\n § \nThree")
    async with running(home) as (app, pilot):
        await press(pilot, "exclamation_mark")
        assert isinstance(app.screen, ProblemsScreen)
        await press(pilot, "U")
        assert "way out of nothing" in screen_text(app)
        await press(pilot, "S")
        assert isinstance(app.screen, SplitScreen)
        await press(pilot, "y")
    assert text(home) == "One\n§\nTwo\n§\nThree"


async def test_undoing_a_deletion_goes_to_what_came_back(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "j", "d", "y", "G", "z")
        assert app.main.note is not None
        assert app.main.note.text == "Second note"


async def test_the_undo_list_says_what_was_done_again(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="# A heading\nwith text")
    async with running(home) as (app, pilot):
        await press(pilot, "p", "z", "Z", "U")
        assert isinstance(app.screen, HistoryScreen)
        assert "“A heading" in screen_text(app)
        await press(pilot, "G")
        assert "redone later" in app.screen.page.text.replace("\n", " ")


async def test_the_hint_of_an_empty_store_is_whole(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="One")
    async with running(home) as (app, _pilot):
        assert "n adds a note." in screen_text(app)


def test_a_theme_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    assert main(["--theme", "nosuch"]) == 2
    assert "there are dark, light" in capsys.readouterr().err
