"""The app from open to quit: what is on screen, what is in the files, what is said."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

from digit_tui.actions import ACTIONS
from digit_tui.commands import COMMANDS, Where
from digit_tui.panes.note import NoteText
from digit_tui.panes.notes import Density, Sort
from digit_tui.preferences import Preferences, load
from digit_tui.screens.main import MainScreen
from tests.digit_tui.driving import paste, press, rows, running, screen_text, settle, until
from tests.pty_app import PtyApp, command

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
        assert app.main._status.message.startswith(
            "Moved “First note” from MEMORY to USER. The agent will see it"
        )
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


async def test_theme_sort_and_density_are_remembered(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO)
    async with running(home) as (_app, pilot):
        await press(pilot, "t", "s", "D")
    kept = await asyncio.to_thread(load)
    assert kept == Preferences("light", "COMPACT", "LENGTH")
    async with running(home, preferences=kept) as (app, _pilot):
        assert app.theme == "light"
        assert app.main.notes.sort is Sort.LENGTH
        assert app.main.notes.density is Density.COMPACT
        assert "longest first" in screen_text(app)


async def test_settings_that_make_no_sense_are_the_defaults(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO), preferences=Preferences("no such", "x", "y")) as (app, _pilot):
        assert app.theme == "dark"
        assert app.main.notes.sort is Sort.POSITION


async def test_help_runs_what_is_chosen_and_the_command_line_finds_exact_names(
    make_home: Callable[..., Path],
) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await press(pilot, "question_mark", *"density", "enter")
        assert app.main.notes.density is Density.COMPACT
        await press(pilot, "colon", *"sort", "enter")
        assert app.main.notes.sort is Sort.LENGTH


async def test_mouse_selects_opens_and_runs_the_keys_of_the_footer(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory=TWO)) as (app, pilot):
        await pilot.click(offset=(10, 3))
        await settle(pilot)
        assert app.main.note is not None
        assert app.main.note.position == 1
        await pilot.click(offset=(10, 3), times=2)
        await settle(pilot)
        assert isinstance(app.focused, NoteText)
        await press(pilot, "escape")
        column = rows(app)[-1].index("new")
        await pilot.click(offset=(column, 23))
        await settle(pilot)
        assert app.main.editor is not None


async def test_header_warns_at_80_and_95_percent_and_over(make_home: Callable[..., Path]) -> None:
    config = "memory:\n  memory_char_limit: 100\n  user_char_limit: 100\n  recall:\n    enabled: false\n"
    for length, words in ((79, ""), (80, "△ high"), (95, "▲ near full"), (101, "⊘ over by 1")):
        home = make_home(memory="x" * length, config=config, name=f"home{length}")
        async with running(home, (140, 24)) as (app, _pilot):
            assert words in rows(app)[0]
            assert ("high" in rows(app)[0]) == (words == "△ high")


async def test_broken_config_is_a_banner_with_line_and_column(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO, config="memory:\n  memory_enabled: [true\n")
    async with running(home) as (app, pilot):
        assert "config.yaml, line" in screen_text(app)
        assert "First note" in screen_text(app)
        (home / "config.yaml").write_text("memory: {}\n")
        await until(pilot, lambda: "config.yaml, line" not in screen_text(app), "the end of the banner")


async def test_a_store_that_is_turned_off_is_shown_and_not_written(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO, config="memory:\n  memory_enabled: false\n")
    async with running(home) as (app, pilot):
        assert "turned off" in screen_text(app)
        await press(pilot, "d")
        assert "MEMORY is turned off: memory.memory_enabled is false in config.yaml." in screen_text(app)
    assert memory(home) == TWO.encode()


async def test_every_command_has_a_function_words_and_one_meaning_for_each_key() -> None:
    assert set(ACTIONS) == {one.id for one in COMMANDS}
    for where in (Where.LIST, Where.NOTE, Where.EDITOR, Where.FIND):
        keys = [key for one in COMMANDS if one.where & where for key in one.keys]
        assert len(keys) == len(set(keys)), where
    for one in COMMANDS:
        assert one.title
        assert one.help.endswith(".")


def test_idle_sends_nothing_to_the_terminal(make_home: Callable[..., Path]) -> None:
    with PtyApp([command("digit-tui"), "--home", str(make_home(memory=TWO))]) as app:
        app.wait_for("Second note")
        app.read(quiet=1.0)
        assert app.read(quiet=3.0) == b""


def test_no_color_sends_no_colour(make_home: Callable[..., Path]) -> None:
    home = make_home(memory=TWO)
    with PtyApp([command("digit-tui"), "--home", str(home)], env={"NO_COLOR": "1"}) as app:
        app.wait_for("Second note")
        app.send("j")
        app.wait_for("▸ ◆ Second note")
    grey = re.compile(rb"\x1b\[[0-9;]*[34]8;2;(\d+);(\d+);(\d+)")
    assert all(len(set(found.groups())) == 1 for found in grey.finditer(bytes(app.output)))


async def test_f004_a_file_without_delimiters_says_so_and_offers_to_split(
    make_home: Callable[..., Path],
) -> None:
    home = make_home(memory="## Schedule\n- Daily: website check\n\n## Projects\nFoo at /data/foo/\n")
    before = (home / "memories" / "MEMORY.md").read_bytes()
    async with running(home, size=(100, 24)) as (app, pilot):
        said = " ".join(screen_text(app).split())
        assert "No § separates notes here: 65 characters are one note, which could become 2." in said
        assert "Split it into notes: you see a preview first, and can undo it. (S)" in said
        assert "Schedule" in screen_text(app)
        await press(pilot, "exclamation_mark", "escape")
        assert "No § separates notes" not in screen_text(app)  # looked at: it repeats itself no more
        await press(pilot, "S", "y")
        assert app.snapshot is not None
        assert [note.title for note in app.snapshot.store("memory").notes] == ["Schedule", "Projects"]
        await press(pilot, "z")
        assert (home / "memories" / "MEMORY.md").read_bytes() == before
