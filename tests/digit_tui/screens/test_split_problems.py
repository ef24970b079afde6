"""The preview of a split, and the list of what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from digit_core.views.snapshot import Problem, Severity
from digit_tui.screens.problems import ProblemsScreen
from digit_tui.screens.split import SplitScreen
from tests.digit_tui.screens.support import hosted, snapshot_with


@pytest.mark.parametrize(("key", "answer"), [("y", True), ("n", False), ("enter", False), ("escape", False)])
async def test_split_shows_every_part_and_asks(key: str, answer: bool) -> None:
    async with hosted(SplitScreen("# A\nfirst\n# B\nsecond", ["# A\nfirst", "# B\nsecond"])) as (app, pilot):
        assert "Split this note of 20 characters into 2?" in app.words
        assert "1 of 2 · 9 characters # A first 2 of 2 · 10 characters # B second" in app.words
        await pilot.press(key)
        await pilot.pause()
        assert app.answer is answer


async def test_split_of_many_scrolls_to_the_last() -> None:
    async with hosted(SplitScreen("x", [f"part {number}" for number in range(50)]), (40, 12)) as (app, pilot):
        await pilot.press("G")
        await pilot.pause()
        assert "part 49" in app.words
        assert "The order stays." in app.words


def problem(number: int) -> Problem:
    return Problem(
        "kind", Severity.WARNING, f"Problem {number}.", f"Way out {number}.", Path("/h/M.md"), line=7
    )


async def test_problems_with_way_out_place_and_scrolling() -> None:
    async with hosted(ProblemsScreen(snapshot_with(*map(problem, range(30)))), (60, 16)) as (app, pilot):
        assert "30 things to know about this home" in app.words
        assert (
            "/h: Digit, because the folder is called .digit. Profile default; found by --home." in app.words
        )
        assert "△ Problem 0. Way out 0. /h/M.md, line 7" in app.words
        assert "j k scroll" in app.words
        await pilot.press("G")
        await pilot.pause()
        assert "Problem 29. Way out 29." in app.words
        await pilot.press("escape")
        await pilot.pause()
        assert app.answer is None


async def test_a_place_that_the_message_names_is_not_said_twice() -> None:
    named = Problem("kind", Severity.ERROR, "/h/M.md is read-only.", "chmod.", Path("/h/M.md"))
    async with hosted(ProblemsScreen(snapshot_with(named))) as (app, _pilot):
        assert app.words.count("/h/M.md") == 1
        assert "⊘" in app.words


async def test_no_problem_is_said_in_words() -> None:
    async with hosted(ProblemsScreen(snapshot_with())) as (app, _pilot):
        assert "Nothing is wrong" in app.words
