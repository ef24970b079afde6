"""What our own widgets share: rows made of segments, styles by part, colours from the theme only.

Each widget draws rows itself (Textual's line API): a row costs a few segments, and moving a cursor paints two rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from digit_core.text.measure import clip, width

_WIDENERS = re.compile("\ufe0f(?!\u200d)")

Part = tuple[str, Style]
"""Text that is safe to draw, and its style."""


@lru_cache(maxsize=256)
def blanks(count: int, style: Style) -> Segment:
    """A run of blanks; the same object each time, so that nothing is measured again."""
    return Segment(" " * count, style)


def parts_width(parts: Iterable[Part]) -> int:
    """Cells that the parts take together."""
    return sum(width(drawn(text)) for text, _ in parts)


def drawn(text: str) -> str:
    """Text as it is drawn: without the selectors that make a narrow symbol a wide emoji (⚠️ is drawn as ⚠).

    Terminals do not agree on the width of those, and the screen library loses a cell where a dialog cuts one.
    Within joined emoji they stay.
    """
    return _WIDENERS.sub("", text) if "\ufe0f" in text else text


def row(left: Iterable[Part], cells: int, fill: Style, right: Iterable[Part] = ()) -> Strip:
    """One row of exactly `cells` cells: `left`, blanks, `right`. What does not fit of `left` is cut off."""
    ending = list(right)
    room = cells - parts_width(ending)
    if room < 0:
        ending, room = [], cells
    segments: list[Segment] = []
    used = 0
    for text, style in left:
        free = room - used
        if free <= 0:
            break
        shown = clip(drawn(text), free)
        segments.append(Segment(shown, style))
        used += width(shown)
    if used < room:
        segments.append(blanks(room - used, fill))
    segments.extend(Segment(drawn(text), style) for text, style in ending)
    return Strip(segments, max(cells, 0))


class Painted(Widget):
    """A widget that draws its own rows in colours of the theme."""

    STYLES: ClassVar[Mapping[str, str]] = {}
    """Part → `text on background`, two names of `look.NAMES`, attributes before them: `bold heading on panel`.

    A table rather than component classes of the style sheet: those cost 30 ms before the first picture.
    """
    PREFIX = ""
    """For parts that are component classes, `PREFIX--name`."""
    ALLOW_SELECT = False

    def __init__(
        self,
        *children: Widget,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
        disabled: bool = False,
    ) -> None:
        super().__init__(*children, name=name, id=id, classes=classes, disabled=disabled)
        self.auto_links = False
        self._palette: dict[str, Style] = {}

    def paint(self, name: str) -> Style:
        """The style of one part, worked out once a theme."""
        style = self._palette.get(name)
        if style is None:
            style = self._palette[name] = self._look_up(name)
        return style

    def _look_up(self, name: str) -> Style:
        words = self.STYLES.get(name)
        if words is None:
            return self.get_component_rich_style(f"{self.PREFIX}--{name}")
        *attributes, text, _, background = words.split()
        colours = self.app.theme_variables
        return Style.parse(" ".join((*attributes, colours[text], "on", colours[background])))

    def notify_style_update(self) -> None:
        """Forget the styles: the theme or a class has changed."""
        self._palette.clear()
        super().notify_style_update()


def parts(prefix: str, *names: str) -> set[str]:
    """Component classes for `Painted.paint`."""
    return {f"{prefix}--{name}" for name in names}
