"""A list to choose from in a dialog: one row each, drawn when it comes into view, one cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from digit_core.text.measure import clip, width
from digit_core.text.visible import one_line
from digit_tui.widgets.lines import Painted, parts, row

_SHORT = 60
"""Cells below which a row is short."""


class Choice(NamedTuple):
    """One row. The text may be a file's."""

    id: str
    text: str
    right: str = ""
    """At the right end, never cut."""
    mark: str = " "
    """A sign before the text, one cell."""
    dim: bool = False
    brief: str = ""
    """What stands at the right end instead where the row is short."""


def aligned(texts: Sequence[str], to: str = ">") -> list[str]:
    """Short texts of ours as a column: all as long as the longest; `<` puts them at the left."""
    longest = max(map(width, texts), default=0)
    return [f"{text:{to}{longest}}" for text in texts]


class Choices(ScrollView, Painted, can_focus=True):
    """Rows with a cursor."""

    PREFIX = "choices"
    COMPONENT_CLASSES = parts("choices", "text", "muted", "cursor", "cursor-muted")
    BINDINGS = [
        Binding("j,down", "step(1)", "Down", show=False),
        Binding("k,up", "step(-1)", "Up", show=False),
        Binding("ctrl+d,pagedown", "page(1)", "Page down", show=False),
        Binding("ctrl+u,pageup", "page(-1)", "Page up", show=False),
        Binding("g,home", "step(-1000000)", "Top", show=False),
        Binding("G,end", "step(1000000)", "End", show=False),
        Binding("enter", "choose", "Choose", show=False),
    ]
    DEFAULT_CSS = """
    Choices {
        height: 1fr;
        background: $overlay;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-color: $scrollbar;
        scrollbar-background: $overlay;
        scrollbar-background-hover: $overlay;
        scrollbar-background-active: $overlay;
        .choices--text { color: $text; background: $overlay; }
        .choices--muted { color: $muted; background: $overlay; }
        .choices--cursor { color: $selection-text; background: $selection; }
        .choices--cursor-muted { color: $muted; background: $selection; }
    }
    """

    @dataclass
    class Moved(Message):
        """The cursor stands on another row."""

        choices: Choices
        choice: Choice

        @property
        def control(self) -> Choices:
            """The list."""
            return self.choices

    @dataclass
    class Chosen(Message):
        """Enter or a click on the row under the cursor."""

        choices: Choices
        choice: Choice

        @property
        def control(self) -> Choices:
            """The list."""
            return self.choices

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows: tuple[Choice, ...] = ()
        self._at = 0

    @property
    def current(self) -> Choice | None:
        """The row under the cursor."""
        return self._rows[self._at] if self._rows else None

    @property
    def rows(self) -> tuple[Choice, ...]:
        """All rows."""
        return self._rows

    def show(self, rows: Sequence[Choice]) -> None:
        """Show other rows; the cursor stays on the row with the same id, else near it."""
        current = self.current
        self._rows = tuple(rows)
        same = [index for index, choice in enumerate(self._rows) if current and choice.id == current.id]
        self._at = same[0] if same else max(0, min(self._at, len(self._rows) - 1))
        self.virtual_size = Size(1, len(self._rows))
        self._keep_in_view()
        self.refresh(layout=True)
        if self.current is not None and self.current != current:
            self.post_message(self.Moved(self, self.current))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are."""
        return max(len(self._rows), 1)

    def select(self, id: str) -> None:
        """Put the cursor on the row with this id, if there is one."""
        for index, choice in enumerate(self._rows):
            if choice.id == id:
                self._go(index)

    def action_step(self, steps: int) -> None:
        """Move the cursor."""
        self._go(self._at + steps)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        self._go(self._at + pages * max(self.size.height - 1, 1))

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.current is not None:
            self.post_message(self.Chosen(self, self.current))

    def _go(self, to: int) -> None:
        to = max(0, min(to, len(self._rows) - 1))
        if self._rows and to != self._at:
            self._at = to
            self._keep_in_view()
            self.refresh()
            self.post_message(self.Moved(self, self._rows[to]))

    def _keep_in_view(self) -> None:
        top, height = self.scroll_offset.y, max(self.size.height, 1)
        if self._at < top or self._at >= top + height:
            to = self._at if self._at < top else self._at - height + 1
            self.scroll_to(y=to, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """The cursor stays in view."""
        self._keep_in_view()

    def on_click(self, event: events.Click) -> None:
        """The first click moves the cursor there, one more chooses."""
        index = event.y + self.scroll_offset.y
        if index == self._at:
            self.action_choose()
        elif 0 <= index < len(self._rows):
            self._go(index)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        cells = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if not 0 <= index < len(self._rows):
            return row((), cells, self.paint("text"))
        choice = self._rows[index]
        here = index == self._at
        base = self.paint("cursor" if here else "muted" if choice.dim else "text")
        quiet = self.paint("cursor-muted" if here else "muted")
        pointer = "▸" if here else " "
        ending = one_line(choice.brief if choice.brief and cells < _SHORT else choice.right)
        right = f"  {ending} " if ending else " "
        room = max(cells - width(right) - 5, 0)
        left = [(f"{pointer} {choice.mark} ", quiet), (clip(one_line(choice.text), room), base)]
        return row(left, cells, base, [(right, quiet)])
