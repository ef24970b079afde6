"""The note was changed on disk while it was edited: both texts, and three ways to go on. Nothing is lost by any."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.widget import Widget

from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.diff import marked
from digit_tui.widgets.page import BLANK, Page, Paragraph, heading, plain


class Choice(Enum):
    """How a conflict ends."""

    MINE = "mine"
    """What was typed takes the place of what is on disk."""
    THEIRS = "theirs"
    """What is on disk stays; what was typed is given up."""
    BOTH = "both"
    """What is on disk stays, and what was typed becomes a note of its own."""


class ConflictScreen(Dialog[Choice | None]):
    """Mine and theirs, side by side where there is room. Esc goes back to the editor, with its text."""

    TALL = True
    BINDINGS = [
        Binding("1,m", "choose('mine')", "Mine", show=False),
        Binding("2,t", "choose('theirs')", "Theirs", show=False),
        Binding("3,b", "choose('both')", "Both", show=False),
        Binding("tab", "app.focus_next", "Other side", show=False),
    ]
    DEFAULT_CSS = """
    ConflictScreen {
        #sides { layout: vertical; height: 1fr; }
        #sides > Vertical { height: 1fr; }
        #sides Page { height: 1fr; }
        #sides .side-title { height: auto; max-height: 2; }
        &.-wide #sides { layout: horizontal; }
        &.-wide #sides > Vertical { width: 1fr; }
        &.-wide #mine { padding-right: 1; }
        &.-wide #theirs { padding-left: 1; }
    }
    """

    def __init__(self, base: str | None, mine: str, theirs: str | None, *, where: str) -> None:
        """`base` is the text the edit began with, `theirs` None when the note is gone; `where` names the store."""
        super().__init__()
        self._base, self._mine, self._theirs, self._where = base, mine, theirs, where

    def title_words(self) -> str:
        """What happened."""
        what = "was removed" if self._theirs is None else "was changed"
        return f"This note {what} in {self._where} while you edited it"

    def key_words(self) -> Iterable[Key]:
        """Three ways on, and back."""
        if self._theirs is None:
            return (("esc", "back"), ("1 m", "mine: write it again"), ("2 t", "theirs: leave it removed"))
        return (
            ("esc", "back"),
            ("1 m", "mine replaces theirs"),
            ("2 t", "theirs stays"),
            ("3 b", "both: mine as a new note"),
        )

    def body(self) -> Iterable[Widget]:
        """Both texts, each under its name; the words only one of them has are underlined."""
        mine = marked(self._mine, self._theirs, style="added")
        if self._theirs is None:
            theirs: Iterable[Paragraph] = self._gone()
        else:
            theirs = marked(self._theirs, self._mine, style="removed")
        yield Container(
            self._side("mine", "MINE: what you typed", mine),
            self._side("theirs", "ON DISK NOW: what somebody else wrote", theirs),
            id="sides",
        )

    def _gone(self) -> Iterable[Paragraph]:
        yield plain("The note is not there any more.", "warning")
        if self._base is not None:
            yield BLANK
            yield plain("Before you edited it, it read:", "muted")
            yield plain(self._base, "muted")

    def _side(self, name: str, title: str, text: Iterable[Paragraph]) -> Vertical:
        return Vertical(Page((heading(title),), classes="side-title"), Page(text), id=name)

    def on_mount(self) -> None:
        """The titles are no stop for the keys."""
        for title in self.query(".side-title").results(Page):
            title.can_focus = False
        self.query_one("#mine > Page:last-of-type").focus()

    def action_choose(self, choice: str) -> None:
        """Decide."""
        chosen = Choice(choice)
        if chosen is Choice.BOTH and self._theirs is None:
            chosen = Choice.MINE
        self.dismiss(chosen)
