"""F26, F27 and what else may happen to an open editor: a wrong note is never written, typing and disk never lost."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from blockbuster import BlockBuster, blockbuster_ctx
from textual.pilot import Pilot

from digit_tui.app import DigitApp
from digit_tui.panes.editor import character_around
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.conflict import ConflictScreen
from digit_tui.screens.main import MainScreen
from tests.digit_tui.driving import paste, press, running, screen_text, settle, until

NOTES = ("First note", "Second note", "Third note")
MakeHome = Callable[..., Path]


@pytest.fixture(autouse=True)
def blockbuster() -> Iterator[BlockBuster]:
    with blockbuster_ctx(scanned_modules=["digit_tui", "digit_core", "textual"]) as buster:
        yield buster


@pytest.fixture
def home(make_home: MakeHome) -> Path:
    return make_home(memory=joined(*NOTES), user="About you")


def joined(*texts: str) -> str:
    return "\n§\n".join(texts)


def memory(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_bytes().decode()


def write(home: Path, *texts: str) -> None:
    (home / "memories" / "MEMORY.md").write_bytes(joined(*texts).encode())


def typed(app: DigitApp) -> str | None:
    """What is in the editor; None when there is none."""
    return app.main.editor.shown if app.main.editor is not None else None


# ---------------------------------------------------------------------------- F26


async def test_f026_the_save_goes_to_the_note_that_was_opened_whatever_is_clicked_or_pressed(
    home: Path,
) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "e", *"mine")
        for row in (3, 4, 5, 3, 4, 2) * 4:  # fast, without waiting for anything
            await pilot.click(offset=(10, row))
            await pilot.click(offset=(10, row), times=2)
        await settle(pilot)
        assert typed(app) == "First notemine"
        await press(pilot, "j", "k", "ctrl+s")  # text, like every letter
    assert memory(home) == joined("First noteminejk", *NOTES[1:])


async def test_f026_a_filter_that_hides_the_note_and_the_other_commands_wait_for_the_editor(
    home: Path,
) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "slash", *"note", "enter", "e", *"mine")
        app.main.notes.find("Second")  # as the line would do that is still there
        await settle(pilot)
        assert typed(app) == "First notemine"
        for command in ("delete", "move", "pin", "edit", "new", "open", "undo", "find", "editor", "room"):
            app.main.run_command(command)
            await settle(pilot)
            assert "Save (^s) or leave (esc) the edit first." in screen_text(app), command
        await press(pilot, "ctrl+s")
        assert typed(app) is None
    assert memory(home) == joined("First notemine", *NOTES[1:])


@pytest.mark.parametrize(
    ("keys", "expected"),
    [(("m",), joined(*NOTES[1:], "First notemine")), (("t", "y"), joined(*NOTES[1:]))],
)
async def test_f026_the_note_is_deleted_elsewhere_and_the_save_asks(
    home: Path, keys: tuple[str, ...], expected: str
) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "e", *"mine")
        write(home, *NOTES[1:])
        await until(pilot, lambda: "is gone on disk" in screen_text(app), "the deletion")
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, ConflictScreen)
        await press(pilot, *keys)
    assert memory(home) == expected


# ---------------------------------------------------------------------------- F27


async def edit_against(home: Path, app: DigitApp, pilot: Pilot[int]) -> None:
    """Three words, sed on the same note, the watcher, more words."""
    await press(pilot, "e", *" my own words")
    path = home / "memories" / "MEMORY.md"
    sed = ["sed", "-i", "s/^First note$/First note, by sed/", str(path)]
    await asyncio.to_thread(subprocess.run, sed, check=True)
    await until(pilot, lambda: app.main.editor is not None and app.main.editor.disturbed, "the watcher")
    assert "changed on disk meanwhile" in screen_text(app)
    await press(pilot, *" and on")
    assert typed(app) == "First note my own words and on"


BOTH = ("First note, by sed", *NOTES[1:], "First note my own words and on")


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("m",), ("First note my own words and on", *NOTES[1:])),
        (("t", "y"), ("First note, by sed", *NOTES[1:])),
        (("b",), BOTH),
    ],
)
async def test_f027_typing_goes_on_over_a_change_on_disk_and_both_are_shown(
    home: Path, keys: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await edit_against(home, app, pilot)
        await press(pilot, "ctrl+s")
        assert memory(home) == joined("First note, by sed", *NOTES[1:])
        text = screen_text(app)
        assert "MINE: what you typed" in text
        assert "ON DISK NOW" in text
        assert "First note my own words and on" in text
        assert "First note, by sed" in text
        await press(pilot, *keys)
        assert isinstance(app.screen, MainScreen)
        assert typed(app) is None
        assert memory(home) == joined(*expected)
        if keys != ("t", "y"):
            await press(pilot, "z")
            assert memory(home) == joined("First note, by sed", *NOTES[1:])


async def test_f027_the_disk_changes_again_while_both_are_shown_and_is_asked_about_again(home: Path) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await edit_against(home, app, pilot)
        await press(pilot, "ctrl+s")
        write(home, "First note, by sed, twice", *NOTES[1:])
        await until(pilot, lambda: "twice" in str(app.snapshot), "the second change")
        await press(pilot, "m")
        assert isinstance(app.screen, ConflictScreen)
        assert memory(home) == joined("First note, by sed, twice", *NOTES[1:])
        assert "First note, by sed, twice" in screen_text(app)
        await press(pilot, "escape")
        assert typed(app) == "First note my own words and on"
        await press(pilot, "ctrl+s", "m")
        assert memory(home) == joined("First note my own words and on", *NOTES[1:])


async def test_f027_gone_while_both_are_shown_mine_is_added_and_nothing_is_lost(home: Path) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        await edit_against(home, app, pilot)
        await press(pilot, "ctrl+s")
        write(home, *NOTES[1:])
        await until(pilot, lambda: "by sed" not in str(app.snapshot), "the removal")
        await press(pilot, "m")
        assert isinstance(app.screen, ConflictScreen)
        await press(pilot, "m")
    assert memory(home) == joined(*NOTES[1:], "First note my own words and on")


# ---------------------------------------------------------------------------- a dialog as the editor closes


async def test_a_dialog_may_open_in_the_very_moment_an_editor_or_the_find_line_is_closed(home: Path) -> None:
    async with running(home, (140, 30)) as (app, pilot):
        for _ in range(3):
            await press(pilot, "e", "x")
            app.main.end_edit()
            await app.push_screen(Confirm("Really?", "text"))
            await pilot.resize_terminal(100, 20)
            await press(pilot, "escape")
            await press(pilot, "e", "x")
            app.main.end_edit()
            app.main.call_later(lambda: app.push_screen(Confirm("Really?", "text")))
            await settle(pilot)
            await press(pilot, "escape")
            await press(pilot, "slash", "N")
            app.main.close_find()
            app.main.call_later(lambda: app.push_screen(Confirm("Really?", "text")))
            await settle(pilot)
            await press(pilot, "escape")
            await pilot.resize_terminal(140, 30)
        await press(pilot, "e", "ctrl+s", "d", "escape", "e", "escape", "question_mark", "escape")
        assert isinstance(app.screen, MainScreen)
        assert "First note" in screen_text(app)


async def test_keys_work_though_what_had_them_was_hidden(home: Path) -> None:
    async with running(home) as (app, pilot):
        app.main.set_focus(None)
        await press(pilot, "j")
        assert app.main.note is not None
        assert app.main.note.text == "Second note"


# ---------------------------------------------------------------------------- F108, F110

CHARACTERS = ("〽️", "⏺️", "👍🏽", "🏴‍☠️", "क्षि", "👨‍👩‍👧", "🇷🇺", "e\u0301", "你", "я")


async def test_f108_one_step_is_one_character_and_no_half_of_one_is_saved(make_home: MakeHome) -> None:
    home = make_home(memory="a")
    async with running(home, (100, 24)) as (app, pilot):
        await press(pilot, "e")
        pane = app.main.editor
        assert pane is not None
        for character in CHARACTERS:
            await paste(pilot, character)
            assert pane.area.text == f"a{character}"
            await press(pilot, "left")
            assert pane.area.cursor_location == (0, 1), character
            await press(pilot, "right")
            assert pane.area.cursor_location == (0, 1 + len(character)), character
            for column in range(2, 1 + len(character)):  # as a click or the line above may put it
                pane.area.move_cursor((0, column))
                assert pane.area.cursor_location in ((0, 1), (0, 1 + len(character))), character
            for keys in (
                ("end", "backspace"),
                ("home", "right", "delete"),
                ("end", "shift+left", "backspace"),
            ):
                await press(pilot, *keys)
                assert pane.area.text == "a", (character, keys)
                await paste(pilot, character)
            await press(pilot, "end", "ctrl+w")
            assert pane.area.text in ("", "a"), character
            pane.area.load_text("a")
            await press(pilot, "end")
        await paste(pilot, "".join(CHARACTERS))
        await press(pilot, *["backspace"] * 4, "ctrl+s")
    assert memory(home) == "a" + "".join(CHARACTERS[:-4])


def test_f108_a_character_is_found_in_a_line_of_any_length() -> None:
    line = "x" * 50_000 + "👨‍👩‍👧" + "y" * 50_000
    assert character_around(line, 50_002) == (50_000, 50_005)
    assert character_around(line, 50_000) == (50_000, 50_000)
    assert character_around(line, 50_005) == (50_005, 50_005)


async def test_f110_wide_text_deleted_leaves_what_a_fresh_picture_has(make_home: MakeHome) -> None:
    text = "你好测试abc привет"
    async with running(make_home(memory="a")) as (app, pilot):
        await press(pilot, "e")
        fresh = screen_text(app)
        await paste(pilot, text)
        assert text in screen_text(app)
        await press(pilot, *["backspace"] * len(text))
        assert screen_text(app) == fresh
        await pilot.resize_terminal(100, 30)
        await pilot.resize_terminal(80, 24)
        await press(pilot, "ctrl+l")
        assert screen_text(app) == fresh


async def test_the_caret_goes_to_both_ends_of_the_text(make_home: MakeHome) -> None:
    home = make_home(memory="one\ntwo")
    async with running(home) as (app, pilot):
        await press(pilot, "e", "ctrl+home", "x", "ctrl+end", "y", "ctrl+a", "z", "f7")
        assert app.main.editor is not None
        assert app.main.editor.selected == "xone\nztwoy"
        await press(pilot, "f1", *"start")
        assert "Home or ^a goes to the start of the line." in screen_text(app)
