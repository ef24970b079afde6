"""The list of commands: found by name, key and word; choosing one answers its id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_tui.commands import COMMANDS
from digit_tui.screens.help import HelpScreen, Offer, matching
from tests.digit_tui.screens.support import NOTHING, hosted

OFFERS: list[Offer] = [(command, None) for command in COMMANDS]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.id)
def test_an_exact_name_is_the_first_hit(command: object) -> None:
    id_ = command.id  # type: ignore[attr-defined]
    for typed in (id_, f"/{id_}", f":{id_}", id_.upper()):
        assert matching(OFFERS, typed)[0][0].id == id_


@given(st.text(max_size=12))
def test_anything_may_be_typed(typed: str) -> None:
    found = matching(OFFERS, typed)
    assert all(offer in OFFERS for offer in found)


async def test_typing_narrows_and_enter_answers() -> None:
    async with hosted(HelpScreen(OFFERS)) as (app, pilot):
        await pilot.press(*"undo list")
        await pilot.pause()
        assert "▸ Undo list U" in app.words
        assert "Every change, with its difference, and the backups." in app.words
        await pilot.press("enter")
        await pilot.pause()
        assert app.answer == "history"


async def test_arrows_move_while_one_types_and_letters_are_text() -> None:
    async with hosted(HelpScreen(OFFERS)) as (app, pilot):
        await pilot.press("q", "backspace", "down", "enter")
        await pilot.pause()
        assert app.answer == COMMANDS[1].id


async def test_a_command_that_does_not_work_says_why() -> None:
    offers: list[Offer] = [(COMMANDS[0], "The home is still being opened."), *OFFERS[1:]]
    async with hosted(HelpScreen(offers)) as (app, _pilot):
        assert "Not now: The home is still being opened." in app.words


async def test_nothing_found_is_said_and_enter_does_nothing() -> None:
    async with hosted(HelpScreen(OFFERS)) as (app, pilot):
        await pilot.press(*"zzzz", "enter")
        await pilot.pause()
        assert "No command has these words." in app.words
        assert app.answer is NOTHING
        await pilot.press("escape")
        await pilot.pause()
        assert app.answer is None


async def test_at_40x12_there_are_rows_and_keys() -> None:
    async with hosted(HelpScreen(OFFERS), (40, 12)) as (app, _pilot):
        assert "▸ Save ^s F2" in app.words
        assert len([line for line in app.lines if "   " in line.strip("▊▎ ")]) >= 4
        assert "esc back ⏎ run it" in app.words


@pytest.mark.parametrize("typed", ["[", "]", "[/", "\\[", "[[", "привет", "]x[red]"])
async def test_f104_what_is_typed_is_echoed_as_it_is(typed: str) -> None:
    async with hosted(HelpScreen(OFFERS)) as (app, pilot):
        await pilot.press(*typed)
        await pilot.pause()
        assert typed in app.words
