"""A dialog with a list and, beside or below it, the whole of what is under the cursor."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from textual import on
from textual.binding import Binding
from textual.containers import Container
from textual.widget import Widget

from digit_tui.screens.dialog import Dialog
from digit_tui.widgets.choices import Choices
from digit_tui.widgets.page import Page

Answer = TypeVar("Answer")


class ListDialog(Dialog[Answer]):
    """The list has the keys; Enter gives the whole frame to the text beside it, Esc gives it back."""

    TALL = True
    BINDINGS = [
        Binding("tab", "read", "Read", show=False),
        Binding("J", "scroll(1)", "Scroll", show=False),
        Binding("K", "scroll(-1)", "Scroll", show=False),
    ]
    DEFAULT_CSS = """
    ListDialog {
        #sides { layout: vertical; height: 1fr; }
        #sides > Choices { height: auto; max-height: 50%; }
        #sides > Page { height: 1fr; margin-top: 1; }
        &.-wide > Frame { max-width: 160; }
        &.-wide #sides { layout: horizontal; }
        &.-wide #sides > Choices { width: 1fr; height: 1fr; max-height: 100%; }
        &.-wide #sides > Page { width: 1fr; margin: 0 0 0 2; }
        &.-short #sides > Choices { height: 1fr; max-height: 100%; }
        &.-short #sides > Page { display: none; margin: 0; }
        &.-reading #sides > Choices { display: none; }
        &.-reading #sides > Page { display: block; width: 1fr; margin: 0; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.choices = Choices()
        self.page = Page()
        self.page.can_focus = False

    def body(self) -> Iterable[Widget]:
        """The list and the page."""
        yield Container(self.choices, self.page, id="sides")

    @on(Choices.Chosen)
    def _chosen(self) -> None:
        self.action_read()

    def action_read(self) -> None:
        """Give the page the whole frame and the keys, or take them back."""
        reading = not self.has_class("-reading")
        self.set_class(reading, "-reading")
        self.page.can_focus = reading
        (self.page if reading else self.choices).focus()
        self.call_after_refresh(self.show_keys)

    def action_leave(self) -> None:
        """Back to the list, then out."""
        if self.has_class("-reading"):
            self.action_read()
        else:
            self.dismiss(None)

    def action_scroll(self, rows: int) -> None:
        """Scroll the page without leaving the list."""
        self.page.scroll_to(y=self.page.scroll_offset.y + rows, animate=False)
