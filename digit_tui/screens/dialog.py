"""What all dialogs share: one frame with a title above and the keys below, Esc leaves, visible at 40×12."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from digit_core.text.measure import width
from digit_core.text.visible import one_line
from digit_tui.widgets.lines import Painted, Part, parts, row

Answer = TypeVar("Answer")
Key = tuple[str, str]
"""A key as a person reads it, and what it does."""


class Title(Painted):
    """The top row of a dialog."""

    PREFIX = "title"
    COMPONENT_CLASSES = parts("title", "text", "right")
    DEFAULT_CSS = """
    Title {
        height: 2;
        .title--text { color: $heading; background: $overlay; text-style: bold; }
        .title--right { color: $muted; background: $overlay; }
    }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.right = ""

    def show(self, text: str, right: str = "") -> None:
        """Other words; `right` stands at the right end."""
        if (text, right) != (self.text, self.right):
            self.text, self.right = text, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the words, and a blank row below."""
        fill = self.paint("text")
        if y:
            return row((), self.size.width, fill)
        right: list[Part] = [(one_line(self.right), self.paint("right"))] if self.right else []
        return row([(one_line(self.text), fill)], self.size.width, fill, right)


class KeyLine(Painted):
    """The bottom row of a dialog: its keys."""

    PREFIX = "keyline"
    COMPONENT_CLASSES = parts("keyline", "key", "word")
    DEFAULT_CSS = """
    KeyLine {
        height: 2;
        .keyline--key { color: $accent; background: $overlay; }
        .keyline--word { color: $muted; background: $overlay; }
    }
    """

    def __init__(self, keys: Iterable[Key]) -> None:
        super().__init__()
        self.keys = tuple(keys)

    def show(self, keys: Iterable[Key]) -> None:
        """Other keys."""
        keys = tuple(keys)
        if keys != self.keys:
            self.keys = keys
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a blank row, then the keys; Esc comes first, so that it is never cut off."""
        word = self.paint("word")
        drawn: list[Part] = []
        if y:
            used = 0
            for key, words in self.keys:
                used += width(key) + width(words) + 3
                if used > self.size.width + 2:
                    break
                drawn += [(key, self.paint("key")), (f" {words}  ", word)]
        return row(drawn, self.size.width, word)


class Dialog(ModalScreen[Answer]):
    """A framed dialog over the screen. Subclasses say what is in it: `body`, `title_words`, `key_words`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 60%;
    }
    Dialog > #frame {
        width: 84%;
        max-width: 120;
        height: auto;
        max-height: 90%;
        background: $overlay;
        border: round $border;
        padding: 0 1;
    }
    Dialog.-tall > #frame { height: 90%; }
    Dialog.-narrow > #frame { width: 100%; max-height: 100%; padding: 0; }
    Dialog.-narrow.-tall > #frame { height: 100%; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    TALL = False
    """Takes the height there is, whatever is in it."""

    def compose(self) -> ComposeResult:
        """The title, what the dialog is about, the keys."""
        self.set_class(self.TALL, "-tall")
        with Vertical(id="frame"):
            yield Title(self.title_words())
            yield from self.body()
            yield KeyLine(self.key_words())

    def title_words(self) -> str:
        """What the dialog is about."""
        raise NotImplementedError  # pragma: no cover - every dialog says

    def key_words(self) -> Iterable[Key]:
        """Its keys, the way out first."""
        return (("esc", "back"),)

    def body(self) -> Iterable[Widget]:
        """What is between title and keys."""
        return ()

    def action_leave(self) -> None:
        """Leave without deciding anything."""
        self.dismiss(None)
