"""Saving against a disk that moves: conflicts, locks, refusals, text that must not get lost."""

from __future__ import annotations

import fcntl
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from digit_tui.app import DigitApp
from digit_tui.screens.conflict import ConflictScreen
from digit_tui.screens.main import MainScreen
from tests.digit_tui.driving import paste, press, running, screen_text, settle, until
from tests.pty_app import PtyApp, command

NOTES = "First note\n§\nSecond note"


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=NOTES, user="About you")


def shown(app: DigitApp) -> str | None:
    """The text in the editor; None when there is none."""
    return app.main.editor.shown if app.main.editor is not None else None


def file(home: Path) -> Path:
    return home / "memories" / "MEMORY.md"


def text(home: Path) -> str:
    return file(home).read_bytes().decode()


async def edited_against(home: Path, app: DigitApp, pilot: Pilot[int], on_disk: str) -> None:
    """Type into the first note while somebody writes the file."""
    await press(pilot, "e", *"mine")
    file(home).write_bytes(on_disk.encode())
    await until(pilot, lambda: app.main.editor is not None and app.main.editor.disturbed, "the disturbance")


async def test_conflict_is_said_in_the_editor_and_shown_on_save(home: Path) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "First note by the agent\n§\nSecond note")
        assert "changed on disk meanwhile" in screen_text(app)
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, ConflictScreen)
        both = screen_text(app)
        assert "First notemine" in both
        assert "First note by the agent" in both
        await press(pilot, "escape")
        assert shown(app) == "First notemine"
    assert text(home) == "First note by the agent\n§\nSecond note"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("m",), "First notemine\n§\nSecond note"),
        (("t", "y"), "First note by the agent\n§\nSecond note"),
        (("b",), "First note by the agent\n§\nSecond note\n§\nFirst notemine"),
    ],
)
async def test_conflict_mine_theirs_both(home: Path, keys: tuple[str, ...], expected: str) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "First note by the agent\n§\nSecond note")
        await press(pilot, "ctrl+s")
        for key in keys:
            await press(pilot, key)
        assert shown(app) is None
        assert isinstance(app.screen, MainScreen)
    assert text(home) == expected


async def test_giving_up_ones_own_text_is_asked_for(home: Path) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "First note by the agent\n§\nSecond note")
        await press(pilot, "ctrl+s")
        await press(pilot, "t")
        await press(pilot, "n")
        await press(pilot, "escape")
        assert shown(app) == "First notemine"
        await press(pilot, "!")
        assert shown(app) == "First notemine!"


async def test_a_note_that_is_gone_can_be_written_again(home: Path) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "Second note")
        assert "is gone on disk" in screen_text(app)
        await press(pilot, "ctrl+s", "m")
    assert text(home) == "Second note\n§\nFirst notemine"


async def test_a_note_that_comes_back_is_no_conflict(home: Path) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "Second note")
        file(home).write_text(NOTES)
        await until(pilot, lambda: app.main.editor is not None and not app.main.editor.disturbed, "the note")
        await press(pilot, "ctrl+s")
    assert text(home) == "First notemine\n§\nSecond note"


async def test_the_same_edit_on_disk_is_no_conflict(home: Path) -> None:
    async with running(home) as (app, pilot):
        await edited_against(home, app, pilot, "First notemine\n§\nSecond note")
        await press(pilot, "ctrl+s")
        assert "already reads so" in screen_text(app)
        assert shown(app) is None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the lock of a memory file."""
    with path.with_name(path.name + ".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


async def test_while_a_lock_is_awaited_the_app_lives_and_says_who_holds_it(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "e", "x")
        with locked(file(home)):
            await pilot.press("ctrl+s")
            await until_said(app, pilot, "Waiting for the lock")
            await pilot.press("question_mark")  # no text goes in while it is being saved
            assert shown(app) == "First notex"
        await settle(pilot)
        assert shown(app) is None
    assert text(home) == "First notex\n§\nSecond note"


async def until_said(app: DigitApp, pilot: Pilot[int], words: str) -> None:
    end = time.monotonic() + 10
    while words not in app.main._status.message:
        assert time.monotonic() < end, app.main._status.message
        await pilot.pause(0.02)


def test_the_app_can_be_left_while_a_lock_is_awaited(home: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        app.send("p")
        app.wait_for("Pinned")
        with locked(file(home)):
            app.send("p")
            app.wait_for("Waiting for the lock")
            start = time.monotonic()
            app.send("q")
            assert app.wait() == 0
            assert time.monotonic() - start < 5
    assert text(home) == "First note #pinned\n§\nSecond note"


async def test_leaving_a_dirty_editor_asks_and_no_is_ready(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "e", *"mine", "escape", "enter")
        assert shown(app) == "First notemine"
        await press(pilot, "escape", "y")
        assert shown(app) is None
    assert text(home) == NOTES


async def test_quitting_with_unsaved_text_asks(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "e", *"mine", "ctrl+c", "n")
        assert app.is_running
        await press(pilot, "ctrl+q", "y")
    assert app.return_code == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_what_was_typed_and_the_next_start_offers_it(home: Path, number: int) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        app.send("emine")
        app.wait_for("First notemine")
        app.signal(number)
        app.wait()
    assert text(home) == NOTES
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("was not saved")
        app.send("y")
        app.wait_for("First notemine")
        app.send("\x13")
        app.wait_for("Saved.")
        app.send("q")
        app.wait()
    assert text(home) == "First notemine\n§\nSecond note"
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        app.read(quiet=0.5)
        assert "was not saved" not in app.text


async def test_editing_keeps_its_note_whatever_is_clicked(home: Path) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "e", *"mine")
        await pilot.click(offset=(10, 3))
        await press(pilot, *"!")
        assert shown(app) == "First notemine!"
        assert app.main.note is not None
        assert app.main.note.text == "First note"


async def test_hidden_characters_survive_an_edit_around_them(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="a\x1b[31mb\u2028c\x85d\x0be")
    async with running(home) as (app, pilot):
        await press(pilot, "e", "!")
        assert "\x1b" not in screen_text(app)
        await press(pilot, "ctrl+s")
    assert text(home) == "a\x1b[31mb\u2028c\x85d\x0be!"


async def test_a_new_note_that_is_there_already_is_no_second_one(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "n")
        await paste(pilot, "Second note")
        await press(pilot, "ctrl+s")
        assert "already" in screen_text(app)
    assert text(home) == NOTES


async def test_one_note_edited_and_undone_leaves_every_other_byte(make_home: Callable[..., Path]) -> None:
    before = "\ufeffOne  \r\n §\r\nx\r\n§\r\nTwo\r\n\r\n§\r\nThree".encode()
    home = make_home(memory=before)
    async with running(home) as (app, pilot):
        await press(pilot, "j", "e", "!", "ctrl+s")
        after = file(home).read_bytes()
        assert after != before
        assert shown(app) is None
        await press(pilot, "z")
    assert file(home).read_bytes() == before


CHECKLIST = "Deploy checklist:\n§\nrun the migration first"


async def test_f001_a_line_that_is_just_the_sign_is_refused_and_a_split_offered(
    make_home: Callable[..., Path],
) -> None:
    home = make_home(memory=b"one")
    path = home / "memories" / "MEMORY.md"
    async with running(home) as (app, pilot):
        await press(pilot, "n")
        await paste(pilot, CHECKLIST)
        await press(pilot, "ctrl+s")
        assert "Split this note of 43 characters into 2?" in screen_text(app)
        assert path.read_bytes() == b"one"
        await press(pilot, "n")
        assert "Line 2 is just §" in screen_text(app)  # refused, and the text is still there
        assert app.main.editor is not None
        assert app.main.editor.text == CHECKLIST
        assert path.read_bytes() == b"one"
        await press(pilot, "ctrl+s", "y")
        assert path.read_bytes() == "one\n§\nDeploy checklist:\n§\nrun the migration first".encode()
        await press(pilot, "z")
        assert path.read_bytes() == b"one"


async def test_f001_an_edited_note_is_split_in_its_place(make_home: Callable[..., Path]) -> None:
    home = make_home(memory="one\n§\ntwo".encode())
    path = home / "memories" / "MEMORY.md"
    async with running(home) as (_app, pilot):
        await press(pilot, "e")
        await paste(pilot, "\n§\nand a half")
        await press(pilot, "ctrl+s", "y")
        assert path.read_bytes() == "one\n§\nand a half\n§\ntwo".encode()
