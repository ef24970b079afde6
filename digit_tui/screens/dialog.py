"""What all dialogs share: one frame, a title above, news and keys below; Esc leaves; readable from 40×12 on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from digit_core.text.measure import width, wrap
from digit_core.text.visible import one_line
from digit_tui.commands import key_word
from digit_tui.widgets.lines import Painted, Part, parts, row
from digit_tui.widgets.page import Page, plain
from digit_tui.widgets.small import TooSmall

Answer = TypeVar("Answer")
Key = tuple[str, str]
"""Keys as a person reads them, `n esc ⏎`, and what they do."""

SMALLEST = (40, 12)
"""Cells and rows below which there is only a word that the window is too small."""

_LOOKING = frozenset({"leave", "read", "scroll", "step"})
"""What the keys of a dialog may do while the window is too small for it."""

_LEVELS = {
    "quiet": ("muted", ""),
    "good": ("good", "✓"),
    "warning": ("warning", "△"),
    "error": ("error", "⊘"),
}
_NAMES = {key_word(key): key for key in ("escape", "enter", "down", "up", "pagedown", "pageup")}


class Title(Painted):
    """The top of a dialog."""

    PREFIX = "title"
    COMPONENT_CLASSES = parts("title", "text", "right")
    DEFAULT_CSS = """
    Title {
        height: auto;
        max-height: 4;
        .title--text { color: $heading; background: $overlay; text-style: bold; }
        .title--right { color: $muted; background: $overlay; }
    }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = one_line(text)
        self.right = ""

    def show(self, text: str, right: str = "") -> None:
        """Other words; `right` stands at the right end."""
        text, right = one_line(text), one_line(right)
        if (text, right) != (self.text, self.right):
            self.text, self.right = text, right
            self.refresh(layout=True)

    def _rows(self, cells: int) -> list[str]:
        room = cells - width(self.right) - 2 if self.right else cells
        return [self.text[start:end] for start, end in wrap(self.text, max(room, 8))]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words take."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """Draw one row of the words."""
        fill = self.paint("text")
        rows = self._rows(self.size.width)
        right: list[Part] = [(self.right, self.paint("right"))] if self.right and y == 0 else []
        return row([(rows[y], fill)] if y < len(rows) else (), self.size.width, fill, right)


class KeyLine(Painted):
    """The bottom of a dialog: its keys, on as many rows as they take. A click on one presses it."""

    PREFIX = "keyline"
    COMPONENT_CLASSES = parts("keyline", "key", "word")
    DEFAULT_CSS = """
    KeyLine {
        height: auto;
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
            self.refresh(layout=True)

    def _rows(self, cells: int) -> list[list[Key]]:
        """The keys that stand in each row: as many as fit, at least one."""
        rows: list[list[Key]] = [[]]
        used = 0
        for key in self.keys:
            wide = _cells(key)
            if rows[-1] and used + wide > cells:
                rows.append([])
                used = 0
            rows[-1].append(key)
            used += wide + 2
        return rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the keys take."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """Draw one row of keys."""
        word = self.paint("word")
        drawn: list[Part] = []
        rows = self._rows(self.size.width)
        for key, words in rows[y] if y < len(rows) else ():
            drawn += [("  " if drawn else "", word), (key, self.paint("key")), (f" {words}", word)]
        return row(drawn, self.size.width, word)

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked on."""
        rows, start = self._rows(self.size.width), 0
        for key in rows[event.y] if event.y < len(rows) else ():
            if start <= event.x < start + _cells(key):
                first = key[0].split()[0]
                self.app.simulate_key(_NAMES.get(first, first))
            start += _cells(key) + 2


def _cells(key: Key) -> int:
    return width(key[0]) + 1 + width(key[1])


class Frame(Vertical):
    """As high as what is in it, though one part takes what the others leave."""

    _has_relative_children_height = False  # else Textual makes it as high as it may be

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The rows of all parts."""
        return sum(
            part.get_content_height(container, viewport, width) + part.styles.margin.height
            for part in self.displayed_children
            if isinstance(part, Widget)
        )


class Dialog(ModalScreen[Answer]):
    """A framed dialog over the screen. Subclasses say what is in it: `body`, `title_words`, `key_words`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Leave", show=False)]
    DEFAULT_CSS = """
    Dialog {
        layers: default above;
        align: center middle;
        background: $background 60%;
        & > Frame {
            width: 84%;
            max-width: 112;
            height: auto;
            max-height: 90%;
            background: $overlay;
            border: tall $border;
            padding: 0 1;
        }
        & > Frame > Page { height: 1fr; }
        & > Frame > Title { margin-bottom: 1; }
        & > Frame > KeyLine { margin-top: 1; }
        & > Frame > #said { height: auto; max-height: 5; margin-top: 1; display: none; }
        &.-said > Frame > #said { display: block; }
        &.-tall > Frame { height: 90%; }
        &.-narrow > Frame { width: 100%; max-height: 100%; padding: 0; }
        &.-narrow.-tall > Frame { height: 100%; }
        &.-short > Frame { max-height: 100%; }
        &.-short.-tall > Frame { height: 100%; }
        &.-short > Frame > Title, &.-short > Frame > KeyLine, &.-short > Frame > #said { margin: 0; }
        &.-short #sides { min-height: 1; }
        &.-small TooSmall { display: block; }
    }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (17, "-high")]
    TALL = False
    """Takes the height there is, whatever is in it."""

    def compose(self) -> ComposeResult:
        """The title, what the dialog is about, what was said last, the keys."""
        self.set_class(self.TALL, "-tall")
        said = Page(id="said")
        said.can_focus = False
        with Frame():
            yield Title(self.title_words())
            yield from self.body()
            yield said
            yield KeyLine(self.key_words())
        yield TooSmall(SMALLEST)

    def title_words(self) -> str:
        """What the dialog is about."""
        raise NotImplementedError  # pragma: no cover - every dialog says

    def key_words(self) -> Iterable[Key]:
        """Its keys, the way out first."""
        return (("esc", "back"),)

    def body(self) -> Iterable[Widget]:
        """What is between title and keys."""
        return ()

    @property
    def is_open(self) -> bool:
        """Whether its parts are there: not before it is on screen, and not while it is being taken away."""
        return self.is_mounted and self in self.app.screen_stack

    def say(self, message: str, level: str = "quiet") -> None:
        """Put a message above the keys, until the next one. Levels: quiet, good, warning, error."""
        if self.is_open:
            style, mark = _LEVELS[level]
            self.query_one("#said", Page).show((plain(message, style, mark),))
            self.set_class(bool(message), "-said")

    def on_resize(self, event: events.Resize) -> None:
        """Below the smallest size there is only a word."""
        self.set_class(event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1], "-small")
        self.call_after_refresh(self.show_keys)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where only the word is seen, nothing is decided: the keys leave and look."""
        return not self.has_class("-small") or action in _LOOKING

    def show_keys(self) -> None:
        """Show the keys that work now: whether there is something to scroll is known once it is laid out."""
        if self.is_open:
            self.query_one(KeyLine).show(self.key_words())

    @staticmethod
    def scroll_keys(page: Page) -> tuple[Key, ...]:
        """The keys that scroll a page, if there is more of it than is seen."""
        return (("j k", "scroll"),) if page.max_scroll_y > 0 else ()

    def action_leave(self) -> None:
        """Leave without deciding anything."""
        self.dismiss(None)
