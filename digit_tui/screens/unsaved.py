"""Text that was typed and not saved: go on with it, leave it for later, or throw it away."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.widget import Widget

from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key
from digit_tui.times import exact
from digit_tui.widgets.page import Page, plain


class UnsavedScreen(Dialog[str | None]):
    """Answers with `open`, `drop`, or None for later. Enter and Esc are later."""

    BINDINGS = [
        Binding("y", "open", "Open it", show=False),
        Binding("n,enter", "leave", "Later", show=False),
        Binding("d", "drop", "Throw it away", show=False),
    ]

    def __init__(self, text: str, at: float) -> None:
        """`at` is when it was typed, in epoch seconds."""
        super().__init__()
        self._text, self._at = text, at
        self._page = Page((plain(text),))

    def title_words(self) -> str:
        """The question."""
        return f"Text from {exact(self._at)} was not saved. Go on with it?"

    def key_words(self) -> Iterable[Key]:
        """Later comes first: it is what Enter and Esc mean."""
        return (
            ("n esc ⏎", "later"),
            ("y", "open it"),
            ("d", "throw it away"),
            *self.scroll_keys(self._page),
        )

    def body(self) -> Iterable[Widget]:
        """The text, whole."""
        return (self._page,)

    def action_open(self) -> None:
        """Go on with it."""
        self.dismiss("open")

    def action_drop(self) -> None:
        """Throw it away, after one more question."""
        question = Confirm("Throw this text away? Nothing brings it back.", self._text, yes="Throw it away")
        self.app.push_screen(question, self._answered)

    def _answered(self, yes: bool | None) -> None:
        if yes:
            self.dismiss("drop")
