"""What was typed outlives a kill, and is offered, opened on its note, or thrown away."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.disk.ownfolder import OwnFolder
from digit_tui.app import DigitApp
from digit_tui.screens.conflict import ConflictScreen
from digit_tui.screens.main import MainScreen
from digit_tui.screens.unsaved import UnsavedScreen
from digit_tui.unsaved import Unsaved, keep, kept, lend
from tests.digit_tui.driving import press, running, screen_text, settle, until
from tests.pty_app import PtyApp, command

NOTES = "First note\n§\nSecond note"


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=NOTES, user="About you")


def text(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_text()


def drafts(home: Path) -> list[Path]:
    return sorted((home / "digit-tui" / "drafts").glob("*"))


def keep_before(home: Path, unsaved: Unsaved) -> None:
    """Keep a text as an app did that does not run any more."""
    path = keep(OwnFolder(home), unsaved)
    path.write_text(path.read_text().replace(f'"process": {os.getpid()}', '"process": 0'))


def shown(app: DigitApp) -> str | None:
    return app.main.editor.shown if app.main.editor is not None else None


def test_a_kill_loses_nothing_that_was_typed(home: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        app.send("emine")
        app.wait_for("First notemine")
        for _ in range(100):
            if drafts(home):
                break
            app.read(quiet=0.1)
        app.signal(signal.SIGKILL)
        app.wait()
    (found,) = kept(OwnFolder(home))
    assert (found.text, found.base) == ("First notemine", "First note")


async def test_one_file_an_edit_and_none_after_it_is_saved(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("digit_tui.screens.main._WRITTEN_DOWN_AFTER", 0.05)
    async with running(home) as (app, pilot):
        await press(pilot, "e")
        assert app.main._keeping is None
        await press(pilot, "a")
        await until(pilot, lambda: len(drafts(home)) == 1, "the draft")
        first = drafts(home)[0].read_bytes()
        await press(pilot, "b")
        await until(pilot, lambda: drafts(home)[0].read_bytes() != first, "the draft")
        assert b"First noteab" in drafts(home)[0].read_bytes()
        assert len(drafts(home)) == 1
        assert app.main._keeping is None
        await press(pilot, "ctrl+s")
        assert drafts(home) == []
        await press(pilot, "e", "c")
        await until(pilot, lambda: len(drafts(home)) == 1, "the draft")
        await press(pilot, "escape", "y")
        assert drafts(home) == []


async def test_quitting_on_purpose_keeps_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("digit_tui.screens.main._WRITTEN_DOWN_AFTER", 0.05)
    async with running(home) as (app, pilot):
        await press(pilot, "e", "a")
        await until(pilot, lambda: len(drafts(home)) == 1, "the draft")
        await press(pilot, "ctrl+q", "y")
        await asyncio.to_thread(app.finish, 5)
    assert drafts(home) == []


async def test_kept_text_can_be_thrown_away_or_left_for_later(home: Path) -> None:
    await asyncio.to_thread(
        keep_before, home, Unsaved("memory", "First note", "First note, mine", 1_700_000_000.0)
    )
    async with running(home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, UnsavedScreen), "the offer")
        assert "throw it away" in screen_text(app)
        await press(pilot, "enter")
        assert len(drafts(home)) == 1
        await press(pilot, "colon", *"unsaved", "enter")
        assert isinstance(app.screen, UnsavedScreen)
        await press(pilot, "d", "enter")
        assert isinstance(app.screen, UnsavedScreen)
        await press(pilot, "d", "y")
        await settle(pilot)
        assert drafts(home) == []
        assert isinstance(app.screen, MainScreen)
        await press(pilot, "w")
        assert "no text that was not saved" in screen_text(app)


async def test_kept_text_opens_on_its_note(home: Path) -> None:
    await asyncio.to_thread(
        keep_before, home, Unsaved("memory", "Second note", "Second note, mine", 1_700_000_000.0)
    )
    async with running(home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, UnsavedScreen), "the offer")
        await press(pilot, "y")
        assert "note 2" in screen_text(app)
        await press(pilot, "ctrl+s")
    assert text(home) == "First note\n§\nSecond note, mine"
    assert drafts(home) == []


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("First note\n§\nSecond note by the agent", "First note\n§\nSecond note, mine"),
        ("First one", "First one\n§\nSecond note, mine"),
    ],
)
async def test_kept_text_whose_note_has_changed_is_a_conflict(home: Path, now: str, expected: str) -> None:
    await asyncio.to_thread(
        keep_before, home, Unsaved("memory", "Second note", "Second note, mine", 1_700_000_000.0)
    )
    (home / "memories" / "MEMORY.md").write_text(now)
    async with running(home) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, UnsavedScreen), "the offer")
        await press(pilot, "y", "ctrl+s")
        assert isinstance(app.screen, ConflictScreen)
        assert text(home) == now
        await press(pilot, "m")
        assert shown(app) is None
    assert text(home) == expected


def test_what_an_editor_had_when_we_were_killed_is_found(home: Path) -> None:
    own = OwnFolder(home)
    _, path = lend(own, Unsaved("memory", "First note", "First note", 1.0))
    path.write_text("First note\nand more\n")
    _, untouched = lend(own, Unsaved("memory", "Second note", "Second note", 2.0))
    (found,) = kept(own)
    assert found.text == "First note\nand more\n"
    assert not untouched.exists()
    assert len(drafts(home)) == 2


def test_text_of_another_window_is_not_offered(home: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        app.send("emine")
        for _ in range(100):
            app.read(quiet=0.1)
            if drafts(home):
                break
        assert drafts(home)
        assert kept(OwnFolder(home)) == ()
        app.signal(signal.SIGTERM)
        app.wait()
        app.read(quiet=0.2)
        assert "What you typed is kept in" in app.text
    assert len(kept(OwnFolder(home))) == 1
