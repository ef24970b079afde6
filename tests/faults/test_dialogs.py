"""Dialogs: F113 from every place that opens one, and what F28 shows of undo after a change from outside."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_tui.app import DigitApp
from digit_tui.screens.history import HistoryScreen
from tests.digit_tui.driving import press, running, screen_text, settle, until
from tests.digit_tui.screens.support import words

TWO = "# First\nnote\n\n# Its second part\nmore\n§\nSecond note"
PLACES: dict[str, tuple[str, ...]] = {
    "list": (),
    "note": ("enter",),
    "find line left open": ("slash", "n", "o", "t", "e", "enter"),
}
"""Where one may be, with the keys that lead there."""
DIALOGS: dict[str, tuple[str, str]] = {
    "d": ("Delete this note", "n esc ⏎ No"),
    "S": ("Split this note", "n esc ⏎ No"),
    "U": ("Changes", "esc back"),
    "r": ("Make room", "esc done"),
    "question_mark": ("What you can do here", "esc back"),
    "colon": ("Run a command", "esc back"),
    "exclamation_mark": ("Nothing is wrong", "esc back"),
}
"""Key → what the dialog shows at least, and its way out."""


def shown(app: DigitApp) -> str:
    return words(screen_text(app).split("\n"))


@pytest.mark.parametrize("place", PLACES)
async def test_f113_every_dialog_opens_from_every_place_is_drawn_at_40x12_and_left_by_escape(
    make_home: Callable[..., Path], place: str
) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await press(pilot, *PLACES[place])
        for key, parts in DIALOGS.items():
            focused = app.focused
            await press(pilot, key)
            for size in ((80, 24), (60, 16), (40, 12)):
                await pilot.resize_terminal(*size)
                await settle(pilot)
                for part in parts:
                    assert part in shown(app), (key, size)
            await press(pilot, "escape")
            assert len(app.screen_stack) == 1, key
            await pilot.resize_terminal(80, 24)
            await until(pilot, lambda: not app.main.has_class("-small"), "the larger size")
            assert app.focused is focused, key


async def test_f113_help_and_the_question_whether_to_leave_open_from_the_editor(
    make_home: Callable[..., Path],
) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await press(pilot, "e", "x")
        for key, part in (("f1", "What you can do here"), ("escape", "Leave without saving?")):
            await press(pilot, key)
            await pilot.resize_terminal(40, 12)
            await settle(pilot)
            assert part in shown(app)
            await press(pilot, "escape")
            await pilot.resize_terminal(80, 24)
            await until(pilot, lambda: not app.main.has_class("-small"), "the larger size")
            assert len(app.screen_stack) == 1
            assert app.main.editor is not None
            assert app.main.editor.shown.endswith("x")


async def test_f113_a_dialog_opens_while_a_change_waits_for_a_lock(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO)
    lock = os.open(home / "memories" / "MEMORY.md.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        async with running(home) as (app, pilot):
            await pilot.press("p")
            await pilot.pause()
            for key, (part, _) in DIALOGS.items():
                await pilot.press(key)
                await pilot.pause()
                assert part in shown(app)
                await pilot.press("escape")
                await pilot.pause()
                assert len(app.screen_stack) == 1
            await pilot.press("U")
            await pilot.pause()
            assert "Reading …" in shown(app)
            fcntl.flock(lock, fcntl.LOCK_UN)
            await until(pilot, lambda: "Changes 1" in shown(app), "the change that had waited")
            assert "#pinned" in shown(app)
    finally:
        os.close(lock)


async def test_f28_changes_from_outside_keep_undo_and_a_change_to_this_note_is_one_more_step(
    make_home: Callable[..., Path],
) -> None:
    home = make_home(memory="mine\n§\nother")
    path = home / "memories" / "MEMORY.md"
    async with running(home) as (app, pilot):
        await press(pilot, "e", "1", "ctrl+s")
        await press(pilot, "e", "2", "ctrl+s")
        assert path.read_text() == "mine12\n§\nother"
        path.touch()
        path.write_text("mine12\n§\nother, by the agent")
        await press(pilot, "ctrl+r", "U")
        await until(pilot, lambda: "MEMORY was changed outside" in shown(app), "the outside change")
        path.write_text("mine12, by the agent\n§\nother, by the agent")
        await until(pilot, lambda: "Changes 4" in shown(app), "the change to this note")
        assert isinstance(app.screen, HistoryScreen)
        await press(pilot, "g", "z")
        assert path.read_text() == "mine12\n§\nother, by the agent"
        assert "✓ Undid: MEMORY was changed outside" in shown(app)
        await press(pilot, "z")
        assert path.read_text() == "mine1\n§\nother, by the agent"
        await press(pilot, "z")
        assert path.read_text() == "mine\n§\nother, by the agent"
