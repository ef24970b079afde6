"""One note that looks like several: how it would be cut, before it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.binding import Binding
from textual.widget import Widget

from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.page import BLANK, Page, Paragraph, plain


class SplitScreen(Dialog[bool]):
    """Shows the notes that a split would make; `y` makes them."""

    BINDINGS = [
        Binding("y", "answer(True)", "Split", show=False),
        Binding("n,enter", "answer(False)", "No", show=False),
    ]

    def __init__(self, text: str, texts: Sequence[str]) -> None:
        super().__init__()
        self._text, self._texts = text, tuple(texts)
        self._page = Page(self._preview())

    def title_words(self) -> str:
        """What would become what."""
        return f"Split this note of {len(self._text):,} characters into {len(self._texts)}?"

    def key_words(self) -> Iterable[Key]:
        """No comes first: it is what Enter and Esc mean."""
        return (("n esc ⏎", "No, leave it whole"), ("y", "Split it"), *self.scroll_keys(self._page))

    def body(self) -> Iterable[Widget]:
        """Every note to be, whole."""
        return (self._page,)

    def _preview(self) -> Iterable[Paragraph]:
        for number, text in enumerate(self._texts, 1):
            if number > 1:
                yield BLANK
            yield plain(f"{number} of {len(self._texts)} · {len(text):,} characters", "accent")
            yield plain(text)
        yield BLANK
        yield plain("The order stays. Undo (z) puts the one note back.", "muted")

    def action_answer(self, answer: bool) -> None:
        """Answer."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Leaving is no."""
        self.dismiss(False)
