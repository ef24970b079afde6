"""Themes: complete, readable, and the only place with colours."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from digit_tui import look

PAIRS = [
    *itertools.product(look.TEXTS, look.BACKGROUNDS),
    *look.DIFF_PAIRS,
    ("background", "accent"),  # a focused button, the caret
]
ROOT = Path(__file__).resolve().parents[2]


def test_both_themes_are_there_and_the_default_comes_first() -> None:
    assert look.look_names() == ("dark", "light")
    assert [item.dark for item in look.load_looks().values()] == [True, False]


@pytest.mark.parametrize("name", look.look_names())
def test_every_text_is_readable_on_every_background(name: str) -> None:
    colours = look.load_look(name).colours
    poor = [
        f"{text} on {ground}: {ratio:.2f}"
        for text, ground in PAIRS
        if (ratio := look.contrast(colours[text], colours[ground])) < 4.5
    ]
    assert poor == []


@pytest.mark.parametrize("name", look.look_names())
def test_textual_gets_readable_pairs_too(name: str) -> None:
    generated = look.to_textual(look.load_look(name)).to_color_system().generate()
    for text, ground in [
        ("foreground", "background"),
        ("text", "surface"),
        ("text-muted", "panel"),
        ("block-cursor-foreground", "block-cursor-background"),
        ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
        ("footer-description-foreground", "footer-background"),
        ("footer-key-foreground", "footer-background"),
        ("input-cursor-foreground", "input-cursor-background"),
        ("input-selection-foreground", "input-selection-background"),
        ("screen-selection-foreground", "screen-selection-background"),
    ]:
        assert look.contrast(generated[text], generated[ground]) >= 4.5, (text, ground)


@pytest.mark.parametrize("name", look.look_names())
def test_our_names_are_variables_of_the_style_sheet(name: str) -> None:
    chosen = look.load_look(name)
    theme = look.to_textual(chosen)
    assert {key: theme.variables[key] for key in look.NAMES} == dict(chosen.colours)
    assert theme.dark is chosen.dark


def test_contrast_is_that_of_wcag() -> None:
    assert look.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert look.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_an_unknown_theme_names_those_there_are() -> None:
    with pytest.raises(look.LookBroken, match=r"no theme 'sepia'; there are dark, light"):
        look.load_look("sepia")
    with pytest.raises(look.LookBroken, match="no theme"):
        look.load_look("../themes/dark")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dark: [", "no YAML"),
        ("- a", "a theme is a mapping"),
        ("dark: dim\ncolours: {}", "dark must be true or false, not 'dim'"),
        ("dark: true\ncolours: {}", "missing accent"),
    ],
)
def test_a_broken_theme_is_named_with_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(look.LookBroken, match=re.escape(said)):
        look.parse_look(Path("odd.yaml"), text.encode())


@pytest.mark.parametrize("value", ["red", "'#12345'", "12", "'#gggggg'", "'#123456 50%'"])
def test_a_wrong_colour_is_named(value: str) -> None:
    black = "'#000000'"
    lines = [f"  {name}: {value if name == 'accent' else black}" for name in sorted(look.NAMES)]
    data = "\n".join(["dark: true", "colours:", *lines]).encode()
    with pytest.raises(look.LookBroken, match="accent must be a colour like #1a2b3c"):
        look.parse_look(Path("odd.yaml"), data)


def test_no_colour_is_written_outside_the_themes() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match}"
        for path in sorted((ROOT / "digit_tui").rglob("*"))
        if path.suffix in {".py", ".tcss"} and "demo" not in path.parts and path.name != "look.py"
        for match in re.findall(
            r"""["'\s:]#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?=["';\s])|rgba?\(\s*\d+\s*,""",
            path.read_text("utf-8"),
        )
    ]
    assert found == []
