"""A list to choose from: the cursor, what stays when the rows change, narrow rows."""

from __future__ import annotations

import pytest

from digit_tui.widgets.choices import Choice, Choices, aligned
from tests.digit_tui.screens.support import assert_whole, hosted
from tests.hostile import TEXTS


def rows(*names: str) -> list[Choice]:
    return [Choice(name, f"text {name}", f"right {name}", brief=name) for name in names]


def current(choices: Choices) -> str:
    """The id of the row under the cursor; "" when there is none."""
    return choices.current.id if choices.current is not None else ""


async def test_keys_move_and_the_cursor_stays_in_view() -> None:
    choices = Choices()
    async with hosted(choices, (80, 5)) as (app, pilot):
        choices.show(rows(*map(str, range(100))))
        for keys, at in (("j", 1), ("k", 0), ("k", 0), ("G", 99), ("k", 98), ("g", 0), ("down", 1)):
            await pilot.press(keys)
            await pilot.pause()
            assert current(choices) == str(at)
            assert f"▸ text {at} " in app.words
        await pilot.press("pagedown")
        await pilot.pause()
        assert current(choices) == "5"


async def test_the_cursor_keeps_its_row_else_its_place() -> None:
    choices = Choices()
    async with hosted(choices):
        choices.show(rows("a", "b", "c", "d"))
        choices.select("c")
        choices.show(rows("x", "a", "b", "c"))
        assert current(choices) == "c"
        choices.show(rows("x", "a", "b", "d"))
        assert current(choices) == "d"
        choices.show(rows("x"))
        assert current(choices) == "x"
        choices.show([])
        assert current(choices) == ""
        choices.action_choose()
        choices.action_step(1)
        choices.select("nowhere")
        choices.show(rows("y", "z"))
        assert current(choices) == "y"


async def test_a_click_moves_and_one_more_chooses() -> None:
    choices = Choices()
    async with hosted(choices, (80, 10)) as (_app, pilot):
        choices.show(rows("a", "b", "c"))
        await pilot.pause()
        chosen: list[object] = []
        choices.action_choose = lambda: chosen.append(choices.current)  # type: ignore[method-assign]
        await pilot.click(offset=(3, 2))
        assert current(choices) == "c"
        assert chosen == []
        await pilot.click(offset=(3, 2))
        assert chosen == rows("c")


async def test_short_rows_keep_the_brief_words() -> None:
    choices = Choices()
    async with hosted(choices, (80, 5)) as (app, pilot):
        choices.show([Choice("a", "long " * 30, "twelve words at the right", brief="twelve")])
        await pilot.pause()
        assert "… twelve words at the right" in app.words
        await pilot.resize_terminal(40, 5)
        await pilot.pause()
        assert "… twelve" in app.words
        assert "words" not in app.words


@pytest.mark.parametrize("cells", [1, 5, 20, 60, 133])
async def test_hostile_texts_at_any_width(cells: int) -> None:
    choices = Choices()
    async with hosted(choices, (cells, 40)) as (app, pilot):
        choices.show([Choice(text, text, text[:5], brief="x") for text in TEXTS])
        await pilot.pause()
        assert_whole(app.lines, cells)


def test_columns_stand_in_line() -> None:
    assert aligned(["1", "22", ""]) == [" 1", "22", "  "]
    assert aligned(["1", "22"], "<") == ["1 ", "22"]
    assert aligned([]) == []
