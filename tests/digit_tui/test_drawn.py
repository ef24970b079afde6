"""How things are drawn: links over the end of a row, the caret, a demo that is called one."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.style import Style
from textual.widgets import Input, TextArea

from digit_core.errors import HomeNotFound
from digit_core.library import Library
from digit_tui.app import DigitApp
from digit_tui.look import contrast, look_names
from digit_tui.opening import Opening
from digit_tui.options import Options
from digit_tui.panes.note import NoteText
from tests.digit_tui.driving import press, rows, running, screen_text, settle, until
from tests.digit_tui.test_contrast import hex_of

MakeHome = Callable[..., Path]


def drawn_in(app: DigitApp, style: Style) -> list[str]:
    """What is on screen in the text colour of a style, row by row."""
    found = []
    for strip in app.screen._compositor.render_strips(app.screen.size):
        text = "".join(part for part, painted, _ in strip if painted and painted.color == style.color)
        if text.strip():
            found.append(text.strip())
    return found


async def test_a_link_over_the_end_of_a_row_is_coloured_on_both(make_home: MakeHome) -> None:
    filling = "word " * 9
    home = make_home(
        memory=f"{filling}[[A title that is\tcut in two]] and `code that goes over the end` #tag"
    )
    async with running(home, (60, 24)) as (app, pilot):
        await press(pilot, "enter")
        note = app.main.query_one(NoteText)
        assert (
            " ".join(" ".join(drawn_in(app, note.paint("link"))).split()) == "[[A title that is cut in two]]"
        )
        assert len(drawn_in(app, note.paint("link"))) == 2
        assert " ".join(drawn_in(app, note.paint("code"))) == "`code that goes over the end`"
        assert "#tag" in drawn_in(app, note.paint("tag"))


@pytest.mark.parametrize("theme", look_names())
async def test_the_caret_can_be_seen(make_home: MakeHome, theme: str) -> None:
    async with running(make_home(memory="a note"), options=Options(theme=theme)) as (app, pilot):
        for keys in (("e",), ("escape", "slash", "n"), ("escape", "colon", "n")):
            await press(pilot, *keys)
            assert isinstance(app.focused, Input | TextArea)
            x, y = app.focused.cursor_screen_offset
            strips = app.screen._compositor.render_strips(app.screen.size)
            before, caret = (next(iter(strips[y].crop(at, at + 1))).style for at in (x - 1, x))
            if caret == before:  # an input's own offset is one further than its caret
                before, caret = (next(iter(strips[y].crop(at, at + 1))).style for at in (x - 2, x - 1))
            assert before is not None
            assert caret is not None
            assert contrast(hex_of(caret.bgcolor), hex_of(before.bgcolor)) >= 3, keys
            assert contrast(hex_of(caret.bgcolor), hex_of(caret.color)) >= 4.5, keys


async def test_a_demo_opened_from_the_start_screen_is_called_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def nothing() -> Library:
        raise HomeNotFound(None, "nothing was looked for")

    opening = Opening(nothing)
    opening.wait()
    app = await asyncio.to_thread(DigitApp, opening)
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        assert "No agent home here yet" in screen_text(app)
        await press(pilot, "d")
        await until(pilot, lambda: app.snapshot is not None, "the demo")
        await settle(pilot)
        assert "demo, a copy" in rows(app)[0]
    assert app.library is not None
    await asyncio.to_thread(app.library.close)
