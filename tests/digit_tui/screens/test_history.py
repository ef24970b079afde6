"""The undo list and the backups, in the whole app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digit_tui.app import DigitApp
from digit_tui.screens.history import HistoryScreen
from tests.digit_tui.driving import press, running, screen_text, until
from tests.digit_tui.screens.support import words

THREE = "First\n§\nSecond\n§\nThird"


def shown(app: DigitApp) -> str:
    return words(screen_text(app).split("\n"))


def memory(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_bytes().decode()


async def test_empty_lists_say_what_will_be_here(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=THREE)) as (app, pilot):
        await press(pilot, "U")
        assert "Nothing yet. What you change appears here." in shown(app)
        await press(pilot, "z")
        assert "There is nothing to undo." in shown(app)
        await press(pilot, "R")
        assert "R restores a backup: b shows them." in shown(app)
        await press(pilot, "b", "R")
        assert "There is no backup yet." in shown(app)


async def test_an_older_change_is_undone_alone_and_the_cursor_goes_on(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "p", "j", "p", "j", "d", "y", "U")
        text = shown(app)
        assert "Changes 3" in text
        assert (
            text.index("Removed “Third”") < text.index("Replaced “Second”") < text.index("Replaced “First”")
        )
        await press(pilot, "j", "z")
        assert memory(home) == "First #pinned\n§\nSecond"
        assert "✓ Undid: Replaced “Second” in MEMORY." in shown(app)
        assert "↶ Replaced “Second” in MEMORY undone" in shown(app)
        await press(pilot, "z")
        assert memory(home) == "First\n§\nSecond"
        await press(pilot, "Z")
        assert memory(home) == "First #pinned\n§\nSecond"


async def test_what_cannot_be_undone_says_why(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "p", "z", "U")
        assert "This is an undo itself" in shown(app)
        await press(pilot, "z")
        assert "△ This is an undo itself; Z does again what was undone last." in shown(app)
        await press(pilot, "j", "z")
        assert "△ This one is undone already" in shown(app)
    assert memory(home) == THREE


async def test_the_difference_is_shown_by_signs_and_can_be_read_alone(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory="one\ntwo")) as (app, pilot):
        await press(pilot, "e", "x", "ctrl+s", "U")
        text = shown(app)
        assert "MEMORY one − two + twox" in text
        await press(pilot, "enter")
        assert "1 you" not in shown(app)
        assert "esc list" in shown(app)
        await press(pilot, "escape")
        assert "esc back" in shown(app)
        assert isinstance(app.screen, HistoryScreen)
        await press(pilot, "escape")
        assert len(app.screen_stack) == 1


async def test_a_backup_is_restored_after_a_question_and_undone(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "d", "y")
        assert memory(home) == "Second\n§\nThird"
        await press(pilot, "U", "b")
        text = shown(app)
        assert "Backups 1" in text
        assert "3 notes; restoring it would change 1. + First" in text
        await press(pilot, "R", "enter")
        assert memory(home) == "Second\n§\nThird"
        await press(pilot, "R")
        assert "Put MEMORY back as it was on" in shown(app)
        await press(pilot, "y")
        assert memory(home) == THREE
        assert "✓" in shown(app)
        await press(pilot, "z")
        assert memory(home) == "Second\n§\nThird"


async def test_a_damaged_backup_is_said_and_nothing_is_written(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "d", "y", "U", "b")
        for path in (home / "digit-tui" / "backups").iterdir():
            path.write_bytes(b"other")
        await press(pilot, "R")
        assert "⊘" in shown(app)
        assert isinstance(app.screen, HistoryScreen)
    assert memory(home) == "Second\n§\nThird"


async def test_it_follows_the_files_and_keeps_its_cursor(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "p", "j", "p", "U", "j")
        (home / "memories" / "MEMORY.md").write_text(memory(home) + "\n§\nFourth")
        await until(pilot, lambda: "Changes 3" in shown(app), "the change from outside")
        assert "▸ Replaced “First” in MEMORY" in shown(app)
        await press(pilot, "k", "k", "z")
        assert "△ Written by the agent or another program" in shown(app)


@pytest.mark.parametrize("size", [(40, 12), (200, 60)])
async def test_every_key_is_named_at_every_size(
    make_home: Callable[..., Path], size: tuple[int, int]
) -> None:
    async with running(make_home(memory=THREE), (80, 24)) as (app, pilot):
        await press(pilot, "p", "U")
        await pilot.resize_terminal(*size)
        await press(pilot)
        for key in ("esc back", "z undo this one", "Z redo", "b backups", "⏎ read"):
            assert key in shown(app)
        await press(pilot, "b")
        for key in ("esc back", "R restore this one", "z undo", "Z redo", "b changes", "⏎ read"):
            assert key in shown(app)


async def test_letters_work_on_a_russian_layout(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=THREE)
    async with running(home) as (app, pilot):
        await press(pilot, "p", "Г")
        assert isinstance(app.screen, HistoryScreen)
        await press(pilot, "я")
        assert memory(home) == THREE
        await press(pilot, "Я")
        assert memory(home).startswith("First #pinned")
        await press(pilot, "и")
        assert "Backups" in shown(app)
        await press(pilot, "К")
        assert "Put MEMORY back" in shown(app)
        await press(pilot, "т")
        assert isinstance(app.screen, HistoryScreen)
        await press(pilot, "й")
        assert len(app.screen_stack) == 1
