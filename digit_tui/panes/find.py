"""The line in which one types what to find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.widgets import Input

from digit_core.text.visible import one_line


class FindLine(Input, inherit_bindings=True):
    """An input that filters as one types. Everything in it is literal."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", show=False),
        Binding("down", "step(1)", "Down", show=False),
        Binding("up", "step(-1)", "Up", show=False),
    ]
    DEFAULT_CSS = """
    FindLine {
        height: 1;
        border: none;
        padding: 0 1;
        background: $panel;
        color: $text;
        &:focus { border: none; background: $panel; background-tint: $panel 0%; }
        & .input--placeholder { color: $muted; }
    }
    """

    @dataclass
    class Left(Message):
        """Escape: the filter goes."""

    @dataclass
    class Stepped(Message):
        """An arrow: the cursor of the list moves while one types."""

        steps: int

    def __init__(self) -> None:
        super().__init__(placeholder="/ type what the notes should hold; esc shows all again", compact=True)
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

    def action_leave(self) -> None:
        """Give the filter up."""
        self.post_message(self.Left())

    def action_step(self, steps: int) -> None:
        """Move the list's cursor."""
        self.post_message(self.Stepped(steps))

    def _on_paste(self, event: events.Paste) -> None:
        # Textual's own keeps only the first line of a paste, with the control bytes in it.
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(one_line(" ".join(event.text.split())))
