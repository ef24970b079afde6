"""The question with a whole text: what answers it, and that "no" is ready."""

from __future__ import annotations

import pytest

from digit_tui.screens.confirm import Confirm
from tests.digit_tui.screens.support import NOTHING, hosted


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("y", True),
        ("н", True),
        ("n", False),
        ("т", False),
        ("escape", False),
        ("enter", False),
        ("q", False),
        ("x", NOTHING),
        ("space", NOTHING),
    ],
)
async def test_keys(key: str, answer: object) -> None:
    if key in ("н", "т"):
        from digit_tui.keys import latin

        key = latin(key)
    async with hosted(Confirm("Delete this note?", "its text", yes="Delete")) as (app, pilot):
        assert "Delete this note? its text n esc ⏎ No y Delete" in app.words
        await pilot.press(key)
        await pilot.pause()
        assert app.answer is answer


async def test_the_whole_text_can_be_read_and_the_keys_say_so() -> None:
    text = "\n".join(f"line {number}" for number in range(60))
    async with hosted(Confirm("Really?", text), (40, 12)) as (app, pilot):
        assert "line 0" in app.words
        assert "j k scroll" in app.words
        await pilot.press("G")
        await pilot.pause()
        assert "line 59" in app.words
        assert "n esc ⏎ No" in app.words


async def test_a_short_text_takes_little_room_and_has_nothing_to_scroll() -> None:
    async with hosted(Confirm("Really?", "short"), (80, 24)) as (app, _pilot):
        assert sum(bool(line.strip()) for line in app.lines) == 7
        assert "scroll" not in app.words


async def test_a_long_question_wraps() -> None:
    question = "Leave without saving? This text would be lost."
    async with hosted(Confirm(question, "text", no="Go on editing"), (40, 12)) as (app, _pilot):
        assert question in app.words
        assert "n esc ⏎ Go on editing y Yes" in app.words


async def test_a_click_on_a_key_presses_it() -> None:
    async with hosted(Confirm("Really?", "text", yes="Delete"), (80, 24)) as (app, pilot):
        row = next(number for number, line in enumerate(app.lines) if "y Delete" in line)
        await pilot.click(offset=(app.lines[row].index("y Delete") + 3, row))
        await pilot.pause()
        assert app.answer is True
