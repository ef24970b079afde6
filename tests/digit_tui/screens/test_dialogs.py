"""Every dialog by itself: hostile texts, every size, live resize, both themes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from digit_core.errors import HomeUnusable
from digit_core.text.visible import one_line, visible
from digit_core.views.snapshot import Problem, Severity
from digit_tui.commands import COMMANDS
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.conflict import ConflictScreen
from digit_tui.screens.dialog import Dialog
from digit_tui.screens.help import HelpScreen, Offer
from digit_tui.screens.problems import ProblemsScreen
from digit_tui.screens.split import SplitScreen
from digit_tui.screens.start import StartScreen
from tests.digit_tui.screens.support import assert_whole, hosted, snapshot_with
from tests.hostile import CONTROL, MARKUP, TEXTS, WIDE

SIZES = ((1, 1), (2, 1), (20, 5), (40, 12), (59, 15), (60, 16), (133, 40), (200, 60))

MAKERS: dict[str, Callable[[str], Dialog[Any]]] = {
    "confirm": lambda text: Confirm(text, f"{text} body", yes="Delete"),
    "conflict": lambda text: ConflictScreen(text, f"{text} mine", f"{text} theirs", where=text, at=0.0),
    "removed": lambda text: ConflictScreen(text, f"{text} mine", None, where="MEMORY"),
    "help": lambda text: HelpScreen(
        [(COMMANDS[0]._replace(title=text, help=text), text), (COMMANDS[1], None)]
    ),
    "split": lambda text: SplitScreen(text, [text, f"{text} second"]),
    "problems": lambda text: ProblemsScreen(
        snapshot_with(Problem("kind", Severity.ERROR, text, text, Path(text), line=3))
    ),
    "start": lambda text: StartScreen(HomeUnusable(Path("/h") / text.replace("\0", ""), text)),
}
WHOLE = "\n".join(TEXTS)


def solid(text: str) -> str:
    """Without blanks, frames, and the selector that is not drawn (terminals disagree about it)."""
    return re.sub("[\\s▊▎▔▁\ufe0f]", "", text)


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "help"])
async def test_f103_f105_f107_hostile_texts_are_literal_and_whole(name: str) -> None:
    async with hosted(MAKERS[name]("[/] first"), (100, 60)) as (app, pilot):
        for texts in (MARKUP, CONTROL, WIDE):
            await app.pop_screen()
            group = " ¦ ".join(texts)
            await app.push_screen(MAKERS[name](group))
            await pilot.pause()
            assert_whole(app.lines, 100)
            assert solid(visible(group)) in solid("".join(app.lines))


async def test_f103_f105_f107_hostile_commands_are_literal_and_whole() -> None:
    offers: list[Offer] = [
        (COMMANDS[0]._replace(id=str(number), title=text, help=text), text)
        for number, text in enumerate(TEXTS)
    ]
    async with hosted(HelpScreen(offers), (200, 60)) as (app, pilot):
        for number, text in enumerate(TEXTS):
            assert_whole(app.lines, 200)
            assert solid(one_line(text))[:50] in solid("".join(app.lines)), text
            await pilot.press("down")
            assert number < len(TEXTS)


@pytest.mark.parametrize(
    "text", ["[/oops] tail", "\x1b]52;c;eA==\x07 tail", "👨‍👩‍👧 tail", "[@click=app.quit]x[/]"]
)
async def test_what_is_said_is_literal(text: str) -> None:
    dialog = Confirm("Really?", "text")
    async with hosted(dialog, (60, 16)) as (app, pilot):
        dialog.say(text, "warning")
        await pilot.pause()
        assert_whole(app.lines, 60)
        assert f"△ {visible(text)}" in app.words


@pytest.mark.parametrize("name", MAKERS)
async def test_f111_every_size_and_live_resize(name: str) -> None:
    async with hosted(MAKERS[name](WHOLE), (80, 24)) as (app, pilot):
        for size in (*SIZES, (10, 3)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert_whole(app.lines, size[0])
            if size[0] >= 40 and size[1] >= 12:
                assert "esc" in app.words
                assert "please" not in app.words
            else:
                assert app.words == "40×12 at least, please"[: len(app.words)] or size[0] < 30
        await pilot.resize_terminal(80, 24)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is not app.shown


@pytest.mark.parametrize("name", MAKERS)
async def test_f111_opens_at_every_size_and_escape_leaves(name: str) -> None:
    async with hosted(MAKERS[name]("first"), (80, 24)) as (app, pilot):
        await app.pop_screen()
        for size in SIZES[:6]:
            await pilot.resize_terminal(*size)
            dialog = MAKERS[name](WHOLE)
            await app.push_screen(dialog)
            await pilot.pause()
            assert app.screen is dialog
            assert_whole(app.lines, size[0])
            await pilot.press("escape")
            await pilot.pause()
            assert app.screen is not dialog


@pytest.mark.parametrize("name", MAKERS)
async def test_the_focus_survives_a_window_that_was_too_small(name: str) -> None:
    async with hosted(MAKERS[name]("word " * 2000), (60, 16)) as (app, pilot):
        focused = app.focused
        assert focused is not None
        for size in ((5, 2), (60, 16)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.focused is focused


async def test_both_themes() -> None:
    for theme in ("dark", "light"):
        async with hosted(MAKERS["conflict"]("text"), (133, 40), theme) as (app, _pilot):
            assert "text mine" in app.words


async def test_what_is_said_stays_until_the_next_and_can_be_taken_away() -> None:
    dialog = Confirm("Really?", "text")
    async with hosted(dialog, (60, 16)) as (app, pilot):
        dialog.say(one_line("a\nb [red]literal[/red]"), "error")
        await pilot.pause()
        assert "⊘ a⏎b [red]literal[/red]" in app.words
        dialog.say("good news", "good")
        await pilot.pause()
        assert "✓ good news" in app.words
        assert "literal" not in app.words
        dialog.say("")
        await pilot.pause()
        assert "news" not in app.words


@pytest.mark.parametrize("name", MAKERS)
async def test_a_dialog_that_is_gone_takes_no_words_and_shows_no_keys(name: str) -> None:
    dialog = MAKERS[name]("text")
    async with hosted(dialog, (80, 24)) as (app, pilot):
        assert dialog.is_open
        dialog.call_after_refresh(dialog.show_keys)
        await app.pop_screen()
        dialog.show_keys()  # as a job that was waited for, or a last layout, may ask for
        dialog.say("too late")
        await pilot.pause()
        assert not dialog.is_open
