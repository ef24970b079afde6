"""A page of text to read: paragraphs that wrap, in a few styles, with a sign before them; scrolls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from digit_core.text.measure import expand_tabs, width, wrap
from digit_core.text.visible import visible
from digit_tui.widgets.lines import Painted, Part, parts, row

Run = tuple[str, str]
"""Text, and the name of its style."""

STYLES = (
    "text",
    "muted",
    "heading",
    "accent",
    "good",
    "warning",
    "error",
    "added",
    "removed",
    "added-word",
    "removed-word",
    "same",
    "differs",
)


class Paragraph(NamedTuple):
    """Runs of text that wrap together. The text may be a file's: it is made visible when it is shown."""

    runs: tuple[Run, ...]
    mark: str = ""
    """A sign in the margin, one cell."""
    style: str = "text"
    """Of the margin and of what is left of each row."""


class _Line(NamedTuple):
    """One row: what stands in it, ready to draw."""

    mark: str
    runs: tuple[Run, ...]
    style: str


def plain(text: str, style: str = "text", mark: str = "") -> Paragraph:
    """A paragraph in one style."""
    return Paragraph(((text, style),), mark, style)


def heading(text: str) -> Paragraph:
    """A heading."""
    return plain(text, "heading")


BLANK = plain("")


def lay_out(paragraphs: Iterable[Paragraph], cells: int) -> list[_Line]:
    """The rows that paragraphs take in a column of `cells` cells, margin included."""
    lines: list[_Line] = []
    for paragraph in paragraphs:
        whole = visible("".join(text for text, _ in paragraph.runs))
        margin = width(paragraph.mark) + 1 if paragraph.mark else 0
        for number, (start, end) in enumerate(wrap(whole, max(cells - margin, 1))):
            mark = paragraph.mark if number == 0 else " " * width(paragraph.mark)
            runs = tuple(_cut(paragraph.runs, whole, start, end))
            lines.append(_Line(mark and f"{mark} ", runs, paragraph.style))
    return lines


def _cut(runs: Iterable[Run], whole: str, start: int, end: int) -> Iterable[Run]:
    """What of the runs lies between two code points of their text; `whole` is that text made visible."""
    at = column = 0
    for text, style in runs:
        piece = whole[max(start, at) : min(end, at + len(text))] if at < end else ""
        at += len(text)
        if piece:
            drawn = _from_column(piece, column)
            column += width(drawn)
            yield drawn, style


def _from_column(text: str, column: int) -> str:
    """`text` with blanks for its tabs, as it is drawn from this column on."""
    return expand_tabs(" " * column + text)[column:] if "\t" in text else text


class Page(ScrollView, Painted, can_focus=True):
    """Shows paragraphs and scrolls through them."""

    PREFIX = "page"
    COMPONENT_CLASSES = parts("page", *STYLES)
    BINDINGS = [
        Binding("j,down", "scroll_down", "Down", show=False),
        Binding("k,up", "scroll_up", "Up", show=False),
        Binding("ctrl+d,pagedown,space", "page_down", "Page down", show=False),
        Binding("ctrl+u,pageup", "page_up", "Page up", show=False),
        Binding("g,home", "scroll_home", "Top", show=False),
        Binding("G,end", "scroll_end", "End", show=False),
    ]
    DEFAULT_CSS = """
    Page {
        height: auto;
        background: $overlay;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        scrollbar-color: $scrollbar;
        scrollbar-background: $overlay;
        scrollbar-background-hover: $overlay;
        scrollbar-background-active: $overlay;
        &:focus { scrollbar-color: $muted; }
        .page--text { color: $text; background: $overlay; }
        .page--same { color: $text; background: $overlay; }
        .page--differs { color: $accent; background: $overlay; text-style: bold underline; }
        .page--muted { color: $muted; background: $overlay; }
        .page--heading { color: $heading; background: $overlay; text-style: bold; }
        .page--accent { color: $accent; background: $overlay; }
        .page--good { color: $success; background: $overlay; }
        .page--warning { color: $warning; background: $overlay; }
        .page--error { color: $error; background: $overlay; }
        .page--added { color: $added; background: $added-background; }
        .page--removed { color: $removed; background: $removed-background; }
        .page--added-word { color: $added; background: $added-background; text-style: bold underline; }
        .page--removed-word { color: $removed; background: $removed-background; text-style: bold underline; }
    }
    """

    def __init__(
        self, paragraphs: Iterable[Paragraph] = (), *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._paragraphs = tuple(paragraphs)
        self._known: dict[int, list[_Line]] = {}
        """Rows by width: the layout asks for two, with and without the scroll bar."""

    @property
    def text(self) -> str:
        """What is shown, as plain text: one line a row of the present width."""
        return "\n".join(line.mark + "".join(text for text, _ in line.runs) for line in self._rows())

    def show(self, paragraphs: Iterable[Paragraph]) -> None:
        """Show other paragraphs, from their top; the same ones stay where they are."""
        paragraphs = tuple(paragraphs)
        if paragraphs != self._paragraphs:
            self._paragraphs = paragraphs
            self._known.clear()
            self._measure()
            self.scroll_to(y=0, animate=False, immediate=True)
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text takes in this width."""
        return max(len(self._laid_out(width)), 1)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap again."""
        self._measure()

    def watch_show_vertical_scrollbar(self) -> None:
        """The scroll bar takes a column: wrap again."""
        self._measure()

    def _measure(self) -> None:
        self.virtual_size = Size(1, len(self._rows()))

    def _rows(self) -> list[_Line]:
        return self._laid_out(self.scrollable_content_region.width)

    def _laid_out(self, cells: int) -> list[_Line]:
        if cells <= 0:
            return []
        if cells not in self._known:
            if len(self._known) > 1:
                self._known.clear()
            self._known[cells] = lay_out(self._paragraphs, cells)
        return self._known[cells]

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        cells = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        lines = self._rows()
        if not 0 <= index < len(lines):
            return row((), cells, self.paint("text"))
        line = lines[index]
        fill = self.paint(line.style)
        drawn: list[Part] = [(line.mark, fill), *((text, self.paint(style)) for text, style in line.runs)]
        return row(drawn, cells, fill)
