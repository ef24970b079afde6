"""The line above the footer: what just happened, or why something does not work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.geometry import Size
from textual.strip import Strip

from digit_core.text.measure import wrap
from digit_core.text.visible import visible
from digit_tui.widgets.lines import Painted, row

_MOST_LINES = 4
_GLYPHS = {"quiet": " ", "good": "✓", "warning": "△", "error": "⊘"}


class Status(Painted):
    """One message at a time, in full: up to four rows, one of them always there."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "quiet": "muted on background",
        "good": "success on background",
        "warning": "warning on background",
        "error": "error on background",
    }
    DEFAULT_CSS = """
    Status {
        height: auto;
        max-height: 4;
        background: $background;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.message = ""
        """What is shown, safe to draw."""
        self.level = "quiet"
        self._lines: list[str] = [""]

    def say(self, message: str, level: str = "quiet") -> None:
        """Show a message until the next one. Levels: quiet, good, warning, error."""
        message = visible(message)
        if (message, level) == (self.message, self.level):
            return
        self.message, self.level = message, level
        before = len(self._lines)
        self._wrap(self.size.width)
        self.refresh(layout=len(self._lines) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the message takes."""
        self._wrap(width)
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        """Draw one row of the message."""
        style = self.paint(self.level)
        text = self._lines[y] if y < len(self._lines) else ""
        glyph = _GLYPHS[self.level] if y == 0 and text else " "
        return row([(f" {glyph} {text}", style)], self.size.width, style)

    def _wrap(self, cells: int) -> None:
        spans = wrap(self.message, max(cells - 4, 10))
        self._lines = [self.message[start:end] for start, end in spans[:_MOST_LINES]] or [""]
