"""The look: colours by meaning, one YAML file a theme.

The files lie in `themes/` of a checkout and in `digit_tui/themes/` of an installed package. Only the chosen
one is read. `to_textual` hands the colours to Textual under our own names, so that a style sheet says
`$muted` or `$selection` and no colour is written anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.theme import Theme

BACKGROUNDS = (
    "background",
    "surface",
    "panel",
    "overlay",
    "selection",
    "selection-blurred",
)
"""Colours that text stands on."""

TEXTS = (
    "text",
    "muted",
    "selection-text",
    "accent",
    "heading",
    "link",
    "tag",
    "code",
    "success",
    "warning",
    "error",
)
"""Colours of text. Each may stand on each background, 4.5 : 1 or better."""

DIFF_PAIRS = (
    ("added", "added-background"),
    ("removed", "removed-background"),
    ("text", "added-background"),
    ("text", "removed-background"),
    ("muted", "added-background"),
    ("muted", "removed-background"),
)
"""Further pairs of text and background, in differences."""

FILLS = ("border", "rule", "meter", "meter-rest", "scrollbar")
"""Lines and fills; no text has these colours."""

NAMES = frozenset((*BACKGROUNDS, *TEXTS, *FILLS, *(name for pair in DIFF_PAIRS for name in pair)))
"""Every colour a theme has to name."""

DEFAULT = "dark"

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class LookBroken(Exception):
    """A theme that is not there, does not parse, or lacks a colour. Says which file, and what is wrong."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class Look(NamedTuple):
    """One theme."""

    name: str
    label: str
    """How it is called on screen."""
    dark: bool
    colours: Mapping[str, str]
    """`#rrggbb` for every name in `NAMES`."""


def themes_folder() -> Path:
    """Where the theme files are: beside the code in a wheel, at the top of a checkout."""
    package = Path(__file__).parent
    shipped = package / "themes"
    return shipped if shipped.is_dir() else package.parent / "themes"


def look_names() -> tuple[str, ...]:
    """Names of the themes there are, the default first. Reads no file."""
    names = sorted(path.stem for path in themes_folder().glob("*.yaml"))
    return tuple(sorted(names, key=lambda name: name != DEFAULT))


def load_look(name: str = DEFAULT) -> Look:
    """Read one theme. Raises LookBroken when there is none of that name or its file is wrong."""
    path = themes_folder() / f"{name}.yaml"
    if name not in look_names():
        raise LookBroken(path, f"there is no theme {name!r}; there are {', '.join(look_names()) or 'none'}")
    return parse_look(path, path.read_bytes())


def load_looks() -> dict[str, Look]:
    """Read every theme, by name. Raises LookBroken for the first one that is wrong."""
    return {name: load_look(name) for name in look_names()}


def parse_look(path: Path, data: bytes) -> Look:
    """Make a Look of a theme file's bytes; `path` is only named in the error. Raises LookBroken."""
    import yaml  # 25 ms, paid by whoever has read config.yaml already

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is eight times as fast
    try:
        content = yaml.load(data, loader)
    except yaml.YAMLError as error:
        raise LookBroken(path, f"no YAML: {error}") from error
    if not isinstance(content, dict) or not isinstance(content.get("colours"), dict):
        raise LookBroken(path, "a theme is a mapping with name, dark and colours")
    dark = content.get("dark")
    if not isinstance(dark, bool):
        raise LookBroken(path, f"dark must be true or false, not {dark!r}")
    name = str(content.get("name", path.stem))
    return Look(name, str(content.get("label", name)), dark, _colours(path, content["colours"]))


def _colours(path: Path, found: dict[object, object]) -> Mapping[str, str]:
    wrong = {
        "missing": sorted(NAMES - found.keys()),
        "unknown": sorted(str(name) for name in found.keys() - NAMES),
    }
    if any(wrong.values()):
        said = "; ".join(f"{what} {', '.join(names)}" for what, names in wrong.items() if names)
        raise LookBroken(path, f"colours: {said}")
    colours = {}
    for name in sorted(NAMES):
        value = found[name]
        if not isinstance(value, str) or not _COLOUR.fullmatch(value):
            raise LookBroken(path, f"{name} must be a colour like #1a2b3c, not {value!r}")
        colours[name] = value.lower()
    return MappingProxyType(colours)


def contrast(one: str, other: str) -> float:
    """Contrast of two `#rrggbb` colours, from 1 to 21 (WCAG 2: relative luminance, sRGB)."""
    dim, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_TEXTUAL_NAMES = {
    # Textual's own widgets ask for these; whatever is not named here Textual derives from our main colours.
    "text-muted": "muted",
    "text-disabled": "muted",
    "text-primary": "accent",
    "text-secondary": "accent",
    "text-accent": "accent",
    "text-success": "success",
    "text-warning": "warning",
    "text-error": "error",
    "foreground-muted": "muted",
    "border-blurred": "rule",
    "block-cursor-foreground": "selection-text",
    "block-cursor-background": "selection",
    "block-cursor-blurred-foreground": "text",
    "block-cursor-blurred-background": "selection-blurred",
    "block-hover-background": "selection-blurred",
    "surface-active": "surface",
    "scrollbar-hover": "muted",
    "scrollbar-active": "accent",
    "scrollbar-background": "background",
    "scrollbar-background-hover": "background",
    "scrollbar-background-active": "background",
    "scrollbar-corner-color": "background",
    "link-color": "link",
    "link-color-hover": "selection-text",
    "link-background-hover": "selection",
    "footer-foreground": "muted",
    "footer-background": "panel",
    "footer-key-foreground": "accent",
    "footer-description-foreground": "muted",
    "input-cursor-background": "accent",
    "input-cursor-foreground": "background",
    "input-selection-background": "selection",
    "input-selection-foreground": "selection-text",
    "screen-selection-background": "selection",
    "screen-selection-foreground": "selection-text",
    "markdown-h1-color": "heading",
    "markdown-h2-color": "heading",
    "markdown-h3-color": "heading",
    "markdown-h4-color": "heading",
    "markdown-h5-color": "heading",
    "markdown-h6-color": "heading",
    "button-foreground": "text",
    "button-color-foreground": "background",
}


def to_textual(look: Look) -> Theme:
    """The theme as Textual wants it: its own colours set from ours, and every name of ours as a variable."""
    from textual.theme import Theme  # the command line never gets here and imports no Textual

    colours = look.colours
    variables = {theirs: colours[ours] for theirs, ours in _TEXTUAL_NAMES.items()}
    variables |= colours
    return Theme(
        name=look.name,
        dark=look.dark,
        primary=colours["accent"],
        secondary=colours["accent"],
        accent=colours["accent"],
        foreground=colours["text"],
        background=colours["background"],
        surface=colours["surface"],
        panel=colours["panel"],
        success=colours["success"],
        warning=colours["warning"],
        error=colours["error"],
        variables=variables,
    )
