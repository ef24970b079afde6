"""A question with its whole text; "no" is the answer that is ready."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.widget import Widget

from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.page import Page, Paragraph, plain


class Confirm(Dialog[bool]):
    """Asks yes or no. Everything but `y` is no; Enter is no too."""

    BINDINGS = [
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("n,enter", "answer(False)", "No", show=False),
    ]

    def __init__(
        self,
        title: str,
        text: str | Iterable[Paragraph] = "",
        *,
        yes: str = "Yes",
        no: str = "No",
    ) -> None:
        super().__init__()
        self._title = title
        self._page = Page((plain(text),) if isinstance(text, str) else text)
        self._yes, self._no = yes, no

    def title_words(self) -> str:
        """The question."""
        return self._title

    def key_words(self) -> Iterable[Key]:
        """No comes first: it is what Enter and Esc mean."""
        return (("n esc ⏎", self._no), ("y", self._yes), *self.scroll_keys(self._page))

    def body(self) -> Iterable[Widget]:
        """What the question is about, whole."""
        return (self._page,)

    def action_answer(self, answer: bool) -> None:
        """Answer."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Leaving is no."""
        self.dismiss(False)
