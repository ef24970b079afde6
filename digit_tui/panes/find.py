"""The line in which one types what to find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import Input

from digit_core.text.visible import one_line
from digit_tui.commands import Where, bindings
from digit_tui.widgets.leaving import Leaving
from digit_tui.widgets.lines import Painted, row


class Prompt(Painted):
    """The sign before the text."""

    STYLES: ClassVar[Mapping[str, str]] = {"sign": "accent on panel"}
    DEFAULT_CSS = """
    Prompt { width: 3; height: 1; }
    """

    def render_line(self, y: int) -> Strip:
        """Draw it."""
        style = self.paint("sign")
        return row([(" / ", style)], self.size.width, style)


class FindInput(Leaving, Input, inherit_bindings=True):
    """An input that filters as one types. Everything in it is literal."""

    BINDINGS = bindings(Where.FIND)
    DEFAULT_CSS = """
    FindInput {
        width: 1fr;
        background: $panel;
        color: $text;
        &:focus { background: $panel; background-tint: $panel 0%; }
        & .input--placeholder { color: $muted; }
    }
    """

    def __init__(self) -> None:
        super().__init__(placeholder="what the notes should hold", compact=True)
        self.cursor_blink = False

    @property
    def cursor_screen_offset(self) -> Offset:
        """Where the text cursor is: for input methods. Textual's own is one off."""
        x, y, _, _ = self.content_region
        return Offset(x + self._position_to_cell(self.cursor_position) - self.scroll_offset.x, y)

    def on_mount(self) -> None:
        """Take the keys before the next one comes."""
        self.screen.set_focus(self)

    def on_resize(self) -> None:
        """Only now is it known where the line stands."""
        self.app.cursor_position = self.cursor_screen_offset

    def _on_paste(self, event: events.Paste) -> None:
        # Textual's own keeps only the first line of a paste, with the control bytes in it.
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(one_line(" ".join(event.text.split())))


class FindLine(Horizontal):
    """The line."""

    DEFAULT_CSS = """
    FindLine { height: 1; background: $panel; }
    """

    def compose(self) -> ComposeResult:
        """The sign, and the text."""
        yield Prompt()
        yield FindInput()
