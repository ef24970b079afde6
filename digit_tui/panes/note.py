"""One note: its text, wrapped, and below it what is known about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from digit_core.text.measure import expand_tabs, width, wrap
from digit_core.text.visible import describe_hidden, one_line, visible
from digit_tui.commands import Where, bindings
from digit_tui.times import exact
from digit_tui.widgets.lines import Painted, Part, row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from textual import events

    from digit_core.views.snapshot import Note, Problem, Snapshot, StoreView

_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_INLINE = re.compile(
    r"(?P<code>`[^`\n]+`)|(?P<tag>(?<![\w#/&])#[^\W\d_][\w/-]*)|(?P<link>\[\[[^\[\]\n]+\]\])"
)
_MOST_HIDDEN = 3
_LONGEST_TITLE = 80
"""Code points up to which the first of several lines counts as a title."""
_MARGIN = 2


Inline = tuple[int, int, str]
"""Code points of a text, from and to, and the style that they have."""


class Line(NamedTuple):
    """One visual line of a note: code points `start` to `end` of the text, in one style."""

    start: int
    end: int
    style: str


def lay_out(text: str, cells: int) -> list[Line]:
    """The visual lines of a text that is safe to draw, in a column of `cells` cells."""
    styles = _line_styles(text)
    lines: list[Line] = []
    at = 0
    for start, end in wrap(text, cells):
        at += text.count("\n", at and lines[-1].start, start) if lines else 0
        lines.append(Line(start, end, styles[at]))
    return lines


def _line_styles(text: str) -> list[str]:
    """The style of each line of the source: heading, code within a fence, or plain."""
    styles = []
    fenced = False
    lines = text.split("\n")
    for line in lines:
        fence = _FENCE.match(line) is not None
        styles.append("code" if fenced or fence else "heading" if _HEADING.match(line) else "text")
        fenced ^= fence
    if len(lines) > 1 and styles[0] == "text" and len(lines[0]) <= _LONGEST_TITLE:
        styles[0] = "heading"
    return styles


class NoteText(ScrollView, Painted, can_focus=True, inherit_bindings=False):
    """The text of one note; scrolls."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "text": "text on surface",
        "muted": "muted on surface",
        "heading": "bold heading on surface",
        "code": "code on surface",
        "tag": "tag on surface",
        "link": "link on surface",
    }
    BINDINGS = bindings(Where.NOTE)
    DEFAULT_CSS = """
    NoteText {
        background: $surface;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._lines: list[Line] = []
        self._laid_out = 0
        self._inline: dict[int, list[Inline]] = {}
        """By where their line of the text starts: found when it is drawn first."""

    def show(self, text: str, *, from_top: bool) -> None:
        """Show a text; a new note starts at its top, a changed one stays where it was read."""
        text = visible(text)
        if text != self._text:
            self._text = text
            self._laid_out = 0
            self._inline.clear()
            self._lay_out()
            self.refresh()
        if from_top:
            self.scroll_to(y=0, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap again for the new width."""
        self._lay_out()

    def _lay_out(self) -> None:
        cells = self.scrollable_content_region.width - 2 * _MARGIN
        if cells <= 0 or cells == self._laid_out:
            return
        self._laid_out = cells
        self._lines = lay_out(self._text, cells)
        self.virtual_size = Size(1, len(self._lines) + 2)

    def render_line(self, y: int) -> Strip:
        """Draw one row; the first is blank."""
        cells = self.scrollable_content_region.width
        fill = self.paint("text")
        index = y + self.scroll_offset.y - 1
        if not 0 <= index < len(self._lines):
            return row((), cells, fill)
        column = 0
        drawn: list[Part] = [(" " * _MARGIN, fill)]
        for piece, style in self._pieces(self._lines[index]):
            text = expand_tabs(" " * column + piece)[column:] if "\t" in piece else piece
            column += width(text)
            drawn.append((text, self.paint(style)))
        return row(drawn, cells, fill)

    def _pieces(self, line: Line) -> Iterator[tuple[str, str]]:
        """The text of one row, cut where its style changes."""
        at = line.start
        for start, end, style in self._inline_of(line) if line.style == "text" else ():
            if end > at and start < line.end:
                yield self._text[at : max(start, at)], line.style
                yield self._text[max(start, at) : min(end, line.end)], style
                at = min(end, line.end)
        yield self._text[at : line.end], line.style

    def _inline_of(self, line: Line) -> list[Inline]:
        """What has a style of its own in the line of the text that a row is a part of."""
        start = self._text.rfind("\n", 0, line.start) + 1
        if start not in self._inline:
            end = self._text.find("\n", line.start)
            found = _INLINE.finditer(self._text, start, end if end >= 0 else len(self._text))
            self._inline[start] = [(match.start(), match.end(), match.lastgroup or "text") for match in found]
        return self._inline[start]


class Fact(NamedTuple):
    """One line about a note."""

    glyph: str
    words: str
    style: str = "muted"


def facts(note: Note, store: StoreView, problems: Sequence[Problem]) -> list[Fact]:
    """What is known about a note besides its text."""
    limit = store.usage.limit
    share = f", {100 * note.length / limit:.1f}% of {limit:,}" if limit > 0 else ""
    plural = "" if note.length == 1 else "s"
    found = [
        Fact(
            "◆",
            f"{store.label} · note {note.position + 1} of {len(store.notes)} · "
            f"{note.length:,} character{plural}{share}",
        )
    ]
    when = exact(note.date)
    found.append(
        Fact("≈", f"learned {when} or before (the file's own time)")
        if note.date_is_guess
        else Fact("·", f"learned {when}")
    )
    if note.pinned:
        found.append(Fact("★", "pinned: it is in the prompt whatever the store holds", "tag"))
    if note.copies > 1:
        found.append(Fact("≡", f"duplicate: {note.copies} notes have exactly this text", "warning"))
    hidden = describe_hidden(note.text)
    if hidden:
        more = f" and {len(hidden) - _MOST_HIDDEN} more" if len(hidden) > _MOST_HIDDEN else ""
        found.append(Fact("△", f"hidden characters: {', '.join(hidden[:_MOST_HIDDEN])}{more}", "warning"))
    found.extend(
        Fact("△", one_line(f"{problem.kind}, line {problem.line}: {problem.message}"), "warning")
        for problem in problems
    )
    return found


def problems_in(note: Note, store: StoreView, problems: Sequence[Problem]) -> list[Problem]:
    """The problems of a file that name a line which lies in this note."""
    entry = store.document.entries[note.position] if note.position < len(store.document.entries) else None
    if entry is None:
        return []
    mine = [problem for problem in problems if problem.document == store.name and problem.line is not None]
    if not mine:
        return []
    first = store.document.raw.count("\n", 0, entry.start) + 1
    last = first + store.document.raw.count("\n", entry.start, entry.end)
    return [problem for problem in mine if problem.line is not None and first <= problem.line <= last]


class NoteFacts(Painted):
    """The lines below a note."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "muted": "muted on surface",
        "tag": "tag on surface",
        "warning": "warning on surface",
    }
    DEFAULT_CSS = """
    NoteFacts {
        height: auto;
        max-height: 50%;
        background: $surface;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._facts: list[Fact] = []
        self._lines: list[Fact] = []

    def show(self, found: list[Fact]) -> None:
        """Show these lines."""
        if found != self._facts:
            before = len(self._lines)
            self._facts = found
            self._wrap(self.size.width)
            self.refresh(layout=len(self._lines) != before)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the wrapped lines take, and a blank one at both ends."""
        self._wrap(width)
        return len(self._lines) + 2 if self._lines else 0

    def _wrap(self, cells: int) -> None:
        self._lines = []
        for fact in self._facts:
            for number, (start, end) in enumerate(wrap(fact.words, max(cells - 2 * _MARGIN - 2, 10))):
                sign = fact.glyph if number == 0 else " "
                self._lines.append(Fact(sign, fact.words[start:end], fact.style))

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        fill = self.paint("muted")
        if not 0 < y <= len(self._lines):
            return row((), self.size.width, fill)
        fact = self._lines[y - 1]
        return row([(f"  {fact.glyph} {fact.words}", self.paint(fact.style))], self.size.width, fill)


class NotePane(Vertical):
    """The note under the cursor."""

    DEFAULT_CSS = """
    NotePane { background: $surface; }
    """
    _NOTHING = "No note is selected.\n\nn writes a new one. What the agent learns appears here by itself."

    def compose(self) -> ComposeResult:
        """The text, and what is known about it."""
        yield NoteText()
        yield NoteFacts()

    def show(self, note: Note | None, snapshot: Snapshot, *, from_top: bool = True) -> None:
        """Show a note of a snapshot, or that there is none."""
        text, below = self.query_one(NoteText), self.query_one(NoteFacts)
        if note is None:
            text.show(self._NOTHING, from_top=True)
            below.show([])
            return
        store = snapshot.store(note.ref.document)
        text.show(note.text, from_top=from_top)
        below.show(facts(note, store, problems_in(note, store, snapshot.problems)))
