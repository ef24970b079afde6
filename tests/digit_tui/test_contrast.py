"""What is really on screen, cell by cell: text stands at 4.5 : 1 in every theme, signs and bars at 3 : 1."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style

from digit_tui import look
from digit_tui.app import DigitApp
from digit_tui.demo import make_demo_home
from digit_tui.options import Options
from tests.digit_tui.driving import press, running

FILLS = {*"▱┊│─╭╮╰╯┌┐└┘ ", *map(chr, range(0x2580, 0x25A0))}  # the last: scroll bars and thick frames
"""Lines, scroll bars, the free part of a meter: they say nothing that no word beside them says."""

SCENES = {
    "main": "",
    "note": "enter",
    "editor": "e x",
    "find": "slash t i d e",
    "confirm": "d",
    "help": "question_mark",
    "room": "G r",
    "changes": "p U",
    "problems": "exclamation_mark",
    "split": "j j j j S",
}


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return make_demo_home()


def poor_cells(app: DigitApp) -> set[str]:
    """Every text that is hard to read in the topmost screen; what lies under a dialog is dim on purpose."""
    screen = app.screen
    region = screen.region if screen is app.main else screen.children[0].region
    strips = screen._compositor.render_strips()
    found = set()
    for y in range(region.y, region.bottom):
        strip = strips[y].crop(region.x, region.right)
        for text, style, _ in strip:
            least = needed(text)
            if least and style is not None and (ratio := style_contrast(style)) < least:
                found.add(f"{text.strip()!r} {ratio:.2f} < {least}")
    return found


def needed(text: str) -> float:
    """The contrast that a piece of the screen needs."""
    signs = set(text) - FILLS
    if not signs:
        return 0.0
    return 4.5 if any(unicodedata.category(sign)[0] in "LN" for sign in signs) else 3.0


def style_contrast(style: Style) -> float:
    """Contrast of text and background as they are painted."""
    assert not style.dim, "dim leaves the contrast to the terminal"
    text, ground = hex_of(style.color), hex_of(style.bgcolor)
    return look.contrast(ground, text) if style.reverse else look.contrast(text, ground)


def hex_of(colour: Color | None) -> str:
    """`#rrggbb` of a colour; every colour that we paint is given in full."""
    assert colour is not None
    assert colour.triplet is not None, colour
    return colour.triplet.hex


@pytest.mark.parametrize("theme", look.look_names())
@pytest.mark.parametrize("scene", SCENES)
async def test_text_on_screen_is_readable(demo: Path, theme: str, scene: str) -> None:
    options = Options(theme=theme, motion=False)
    async with running(demo, (120, 36), options) as (app, pilot):
        await press(pilot, *SCENES[scene].split())
        assert (app.screen is not app.main) == (scene not in {"main", "note", "editor", "find"})
        assert poor_cells(app) == set()
