"""A word instead of everything else, where the window is too small for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.strip import Strip

from digit_tui.widgets.lines import Painted, row


class TooSmall(Painted):
    """Says that the window is too small, over all the rest; its screen shows and hides it."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "text": "text on background",
    }
    DEFAULT_CSS = """
    TooSmall {
        layer: above;
        width: 100%;
        height: 100%;
        display: none;
        background: $background;
    }
    """

    def __init__(self, smallest: tuple[int, int]) -> None:
        """`smallest` are the cells and rows that are needed."""
        super().__init__()
        self._smallest = smallest

    def render_line(self, y: int) -> Strip:
        """The words, in the middle row."""
        style = self.paint("text")
        columns, lines = self._smallest
        words = f"{columns}×{lines} at least, please"
        if self.size.width < len(words):
            words = f"min {columns}×{lines}"
        return row([(words, style)] if y == self.size.height // 2 else (), self.size.width, style)
