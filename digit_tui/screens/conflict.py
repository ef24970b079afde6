"""The note was changed on disk while it was edited: both texts, and three ways to go on. Nothing is lost by any."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.widget import Widget

from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key
from digit_tui.times import exact
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
        #theirs { margin-top: 1; }
        &.-short #theirs { margin: 0; }
        &.-wide > Frame { max-width: 160; }
        &.-wide #sides { layout: horizontal; }
        &.-wide #sides > Vertical { width: 1fr; }
        &.-wide #theirs { margin: 0 0 0 2; }
    }
    """

    def __init__(
        self, base: str | None, mine: str, theirs: str | None, *, where: str, at: float | None = None
    ) -> None:
        """`base` is the text the edit began with, `theirs` None when the note is gone; `where` names the store.

        `at` is when the file was written last, in epoch seconds, if that is known.
        """
        super().__init__()
        self._base, self._mine, self._theirs, self._where, self._at = base, mine, theirs, where, at

    def title_words(self) -> str:
        """What happened."""
        what = "removed" if self._theirs is None else "changed"
        return f"Somebody else {what} this note ({self._where}) while you edited it"

    def key_words(self) -> Iterable[Key]:
        """Three ways on, and back."""
        ways: Iterable[Key] = (("m", "mine: write it again"), ("t", "theirs: leave it removed"))
        if self._theirs is not None:
            ways = (("m", "mine replaces theirs"), ("t", "theirs stays"), ("b", "both: mine as a new note"))
        return (("esc", "back"), *(_short(ways) if self.has_class("-narrow") else ways))

    def body(self) -> Iterable[Widget]:
        """Both texts, each under its name; the words only one of them has are underlined."""
        theirs = self._gone() if self._theirs is None else marked(self._theirs, self._mine)
        since = f" since {exact(self._at)}" if self._at is not None else ""
        yield Container(
            self._side("mine", "MINE: what you typed", marked(self._mine, self._theirs)),
            self._side("theirs", f"ON DISK NOW{since}", theirs),
            id="sides",
        )

    def _gone(self) -> Iterable[Paragraph]:
        yield plain("The note is not there any more.", "warning", "△")
        if self._base is not None:
            yield BLANK
            yield plain("Before you edited it, it read:", "muted")
            yield plain(self._base, "muted")

    def _side(self, name: str, title: str, text: Iterable[Paragraph]) -> Vertical:
        head = Page((heading(title),), classes="side-title")
        head.can_focus = False
        return Vertical(head, Page(text, classes="side-text"), id=name)

    def on_mount(self) -> None:
        """What was typed has the keys."""
        self.query_one("#mine > .side-text").focus()

    def action_choose(self, choice: str) -> None:
        """Decide. What was typed is only given up after one more question."""
        chosen = Choice(choice)
        if chosen is Choice.THEIRS:
            question = Confirm(
                "Give up what you typed?", self._mine, yes="Give it up", no="No, look at both again"
            )
            self.app.push_screen(question, self._given_up)
        else:
            self.dismiss(Choice.MINE if self._theirs is None else chosen)

    def _given_up(self, yes: bool | None) -> None:
        if yes:
            self.dismiss(Choice.THEIRS)


def _short(keys: Iterable[Key]) -> Iterable[Key]:
    """Only the first word of what each key does."""
    return ((key, words.split()[0].rstrip(":")) for key, words in keys)
