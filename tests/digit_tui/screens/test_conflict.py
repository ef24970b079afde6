"""Mine and theirs: which is which, where they stand, and what each key answers."""

from __future__ import annotations

import pytest

from digit_tui.screens.conflict import Choice, ConflictScreen
from tests.digit_tui.screens.support import NOTHING, hosted


def conflict(theirs: str | None = "one\ntheir two") -> ConflictScreen:
    return ConflictScreen("one\ntwo", "one\nmy two", theirs, where="MEMORY, note 3", at=0.0)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["1"], Choice.MINE),
        (["m"], Choice.MINE),
        (["3"], Choice.BOTH),
        (["b"], Choice.BOTH),
        (["escape"], None),
        (["enter"], NOTHING),
        (["t"], NOTHING),
        (["t", "enter"], NOTHING),
        (["t", "y"], Choice.THEIRS),
        (["2", "y"], Choice.THEIRS),
    ],
)
async def test_keys_and_mine_is_only_given_up_after_a_question(keys: list[str], answer: object) -> None:
    async with hosted(conflict()) as (app, pilot):
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        assert app.answer is answer


async def test_giving_up_shows_what_would_be_lost() -> None:
    async with hosted(conflict()) as (app, pilot):
        await pilot.press("t")
        await pilot.pause()
        assert "Give up what you typed? one my two" in app.words


async def test_side_by_side_where_there_is_room() -> None:
    async with hosted(conflict(), (120, 30)) as (app, _pilot):
        line = next(line for line in app.lines if "MINE: what you typed" in line)
        assert "ON DISK NOW since " in line
        assert "~ my two" in app.words
        assert "~ their two" in app.words


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_one_below_the_other_where_there_is_not(size: tuple[int, int]) -> None:
    async with hosted(conflict(), size) as (app, _pilot):
        text = app.words
        assert "Somebody else changed this note (MEMORY, note 3) while you edited it" in text
        assert text.index("MINE: what you typed") < text.index("my two") < text.index("ON DISK NOW since")
        assert "their two" in text
        for way in ("esc back", "m mine", "t theirs", "b both"):
            assert way in text


async def test_a_removed_note_offers_two_ways_and_shows_what_it_was() -> None:
    async with hosted(conflict(None)) as (app, pilot):
        assert "Somebody else removed this note" in app.words
        assert "Before you edited it, it read: one two" in app.words
        assert "both" not in app.words
        await pilot.press("b")
        await pilot.pause()
        assert app.answer is Choice.MINE


async def test_tab_gives_the_keys_to_the_other_side() -> None:
    theirs = "\n".join(f"theirs {number}" for number in range(40))
    async with hosted(conflict(theirs), (120, 24)) as (app, pilot):
        assert "theirs 39" not in app.words
        await pilot.press("tab", "G")
        await pilot.pause()
        assert "theirs 39" in app.words
