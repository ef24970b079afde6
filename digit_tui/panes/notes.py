"""The list: the notes of every store, one cursor, one row a note (two when roomy).

Rows are drawn when they come into view, so 12,000 notes cost as much as 20. A cursor move paints two rows.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from digit_core.memory.limits import level
from digit_core.text.measure import clip, fit, width, wrap
from digit_core.text.visible import one_line
from digit_tui.commands import Where, bindings
from digit_tui.times import ago
from digit_tui.widgets.header import store_words
from digit_tui.widgets.lines import Painted, Part, drawn, parts_width, row
from digit_tui.widgets.meter import bar, budget_words, numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from digit_core.memory.changes import NoteRef
    from digit_core.views.snapshot import Note, Snapshot, StoreView

_EXCERPT_READ = 600
"""Code points of a note that are looked at for its row."""


class Sort(Enum):
    """Order of the notes within their store."""

    POSITION = "by place"
    LENGTH = "longest first"
    DATE = "newest first"


class Density(Enum):
    """How much room a note takes in the list."""

    NORMAL = "normal"
    """One row: title, then the beginning of the rest."""
    COMPACT = "compact"
    """One row, the title alone."""
    ROOMY = "roomy"
    """Two rows."""


class Row(NamedTuple):
    """One entry of the list: a store's heading, a note, or words where a store has none."""

    store: StoreView
    note: Note | None = None
    words: str = ""


def build_rows(stores: Sequence[StoreView], sort: Sort, needle: str) -> list[Row]:
    """The entries of the list, for the notes that hold `needle` (without regard to case)."""
    wanted = needle.casefold()
    rows: list[Row] = []
    for store in stores:
        rows.append(Row(store))
        notes = [note for note in store.notes if not wanted or wanted in note.text.casefold()]
        if sort is Sort.LENGTH:
            notes.sort(key=lambda note: (-note.length, note.position))
        elif sort is Sort.DATE:
            notes.sort(key=lambda note: (-note.date, note.position))
        rows.extend(Row(store, note) for note in notes)
        if not notes:
            rows.append(Row(store, None, _empty_words(store, needle)))
    return rows


def _empty_words(store: StoreView, needle: str) -> str:
    if store.notes:
        return f"No note here holds {one_line(needle)!r}."
    whose = "about you" if store.name == "user" else "about its work"
    return f"Nothing yet. The agent writes here {whose}; n adds a note."


def excerpt(note: Note) -> str:
    """What a note says behind its title, on one line."""
    head = note.text[:_EXCERPT_READ]
    _, _, rest = head.partition("\n")
    if not rest:
        return ""
    return one_line(" ".join(rest.split()))


def glyph(note: Note) -> str:
    """The sign of a note: pinned, one of several equal ones, or plain."""
    if note.pinned:
        return "★"
    return "≡" if note.copies > 1 else "◆"


class NoteList(ScrollView, Painted, can_focus=True, inherit_bindings=False):
    """All notes of a snapshot, with a cursor."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "title": "text on background",
        "muted": "muted on background",
        "glyph": "accent on background",
        "heading": "bold heading on background",
        "ok": "meter on background",
        "high": "warning on background",
        "near": "bold warning on background",
        "over": "bold error on background",
        "cursor": "selection-text on selection",
        "cursor-muted": "muted on selection",
        "blurred": "text on selection-blurred",
        "blurred-muted": "muted on selection-blurred",
    }
    BINDINGS = bindings(Where.LIST)
    DEFAULT_CSS = """
    NoteList {
        background: $background;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        &:disabled:can-focus { opacity: 1; }  /* while a note is edited it is still there to be read */
    }
    """

    @dataclass
    class Highlighted(Message):
        """The cursor stands on another note, or on none."""

        note: Note | None

    @dataclass
    class Opened(Message):
        """A note was clicked twice."""

        note: Note

    def __init__(self, sort: str = "", density: str = "") -> None:
        """`sort` and `density` are names of members, as kept between runs; others count as the first."""
        super().__init__()
        self.sort = next((member for member in Sort if member.name == sort), Sort.POSITION)
        self.density = next((member for member in Density if member.name == density), Density.NORMAL)
        self.needle = ""
        self.clock: Callable[[], float] = time.time
        self._stores: Sequence[StoreView] = ()
        self._rows: list[Row] = []
        self._cursor = 0
        self._wanted: NoteRef | None = None
        self._dates_shown: tuple[str, ...] = ()

    # ------------------------------------------------------------------ looking

    @property
    def note(self) -> Note | None:
        """The note under the cursor."""
        return self._rows[self._cursor].note if self._cursor < len(self._rows) else None

    @property
    def store(self) -> StoreView | None:
        """The store that the cursor is in."""
        return self._rows[self._cursor].store if self._cursor < len(self._rows) else None

    @property
    def stores(self) -> Sequence[StoreView]:
        """What the list is about."""
        return self._stores

    @property
    def shown(self) -> int:
        """How many notes the list holds now."""
        return sum(item.note is not None for item in self._rows)

    # ------------------------------------------------------------------ changing

    def show(self, snapshot: Snapshot, successor: Callable[[NoteRef], Note | None] | None = None) -> None:
        """Follow a snapshot; the cursor stays on its note, on what became of it, or goes to its neighbour."""
        self._stores = snapshot.stores
        if self._wanted is not None:
            now = (successor or snapshot.find)(self._wanted)
            self._wanted = now.ref if now is not None else None
        self._rebuild()

    def order(self, *, sort: Sort | None = None, density: Density | None = None) -> None:
        """Change the order or the room that a note takes."""
        self.sort = sort or self.sort
        self.density = density or self.density
        self._rebuild()

    def find(self, needle: str) -> None:
        """Keep the notes that hold `needle`; "" keeps all."""
        if needle != self.needle:
            self.needle = needle
            self._rebuild()

    def select(self, ref: NoteRef) -> bool:
        """Put the cursor on a note, if the list holds it."""
        for index, item in enumerate(self._rows):
            if item.note is not None and item.note.ref == ref:
                self._go(index)
                return True
        return False

    def settle(self) -> None:
        """Where the cursor is now, it stays, though it was another note that was wanted."""
        if self.note is not None:
            self._wanted = self.note.ref

    def move(self, steps: int) -> None:
        """Move the cursor by so many notes, as far as there are any."""
        direction = 1 if steps > 0 else -1
        at = self._cursor
        for _ in range(abs(steps)):
            ahead = at + direction
            while 0 <= ahead < len(self._rows) and self._rows[ahead].note is None:
                ahead += direction
            if not 0 <= ahead < len(self._rows):
                break
            at = ahead
        self._go(at)

    def move_by_pages(self, pages: float) -> None:
        """Move the cursor by pages, or parts of one."""
        self.move(int(max(self.size.height // self._height, 1) * pages))

    def to_end(self, bottom: bool) -> None:
        """Move to the first or the last note."""
        self.move(len(self._rows) if bottom else -len(self._rows))

    def pass_time(self) -> None:
        """Draw again if a relative time on screen reads differently by now."""
        if self._dates_shown and self._dates() != self._dates_shown:
            self.refresh()

    # ------------------------------------------------------------------ inside

    @property
    def _height(self) -> int:
        return 2 if self.density is Density.ROOMY else 1

    def _rebuild(self) -> None:
        before, cursor = self._rows, self._cursor
        offset = cursor * self._height - self.scroll_offset.y
        self._rows = build_rows(self._stores, self.sort, self.needle)
        places = {item.note.ref: index for index, item in enumerate(self._rows) if item.note is not None}
        self._cursor = _place(before, cursor, places, self._wanted, self._rows)
        same = self.note is not None and self.note.ref == self._wanted
        if self._wanted is None and self.note is not None:
            self._wanted = self.note.ref
        self.virtual_size = Size(1, len(self._rows) * self._height)
        if before:
            self.scroll_to(y=max(self._cursor * self._height - offset, 0), animate=False, immediate=True)
        self._keep_in_view()
        self.refresh()
        if not same:
            self.post_message(self.Highlighted(self.note))

    def _go(self, index: int) -> None:
        if index == self._cursor:
            self._keep_in_view()
            return
        old, self._cursor = self._cursor, index
        note = self.note
        self._wanted = note.ref if note is not None else None
        self.refresh_lines(old * self._height, self._height)
        self.refresh_lines(index * self._height, self._height)
        self._keep_in_view()
        self.post_message(self.Highlighted(self.note))

    def _keep_in_view(self) -> None:
        """Scroll as little as needed; the first note of a store brings its heading along."""
        height = self.size.height
        if height <= 0:
            return
        first = self._cursor
        while first > 0 and self._rows[first - 1].note is None:
            first -= 1
        top, bottom = first * self._height, (self._cursor + 1) * self._height
        y = self.scroll_offset.y
        if top < y:
            y = top
        if bottom > y + height:
            y = bottom - height
        if y != self.scroll_offset.y:
            self.scroll_to(y=y, animate=False, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor on screen."""
        self._keep_in_view()

    def on_focus(self) -> None:
        """Draw the cursor as one that the keys move."""
        self._refresh_cursor()

    def on_blur(self) -> None:
        """Draw the cursor as one that waits."""
        self._refresh_cursor()

    def _refresh_cursor(self) -> None:
        self.refresh_lines(self._cursor * self._height, self._height)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Put the cursor on the row under the mouse."""
        index = (event.y + self.scroll_offset.y) // self._height
        if 0 <= index < len(self._rows) and self._rows[index].note is not None:
            self._go(index)

    def on_click(self, event: events.Click) -> None:
        """A second click opens."""
        note = self.note
        if event.chain == 2 and note is not None:
            self.post_message(self.Opened(note))

    # ------------------------------------------------------------------ drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw rows, and remember which relative times they show."""
        strips = super().render_lines(crop)
        self._dates_shown = self._dates()
        return strips

    def render_line(self, y: int) -> Strip:
        """Draw one row of what is in view."""
        index, second = divmod(y + self.scroll_offset.y, self._height)
        cells = self.scrollable_content_region.width
        if index >= len(self._rows):
            return row((), cells, self.paint("title"))
        item = self._rows[index]
        if item.note is not None:
            return self._note_row(item.note, cells, index == self._cursor, bool(second))
        if second:
            return row((), cells, self.paint("title"))
        if item.words:
            return row([(f"     {item.words}", self.paint("muted"))], cells, self.paint("muted"))
        return self._heading(item.store, cells)

    def _heading(self, store: StoreView, cells: int) -> Strip:
        muted, state = self.paint("muted"), self.paint(level(store.usage))
        count = len(store.notes)
        shown = sum(item.note is not None and item.store is store for item in self._rows)
        counted = f"{shown} of {count}" if self.needle else f"{count}"
        right: list[Part] = [(f" {counted} note{'' if count == 1 else 's'} · {self.sort.value} ", muted)]
        words = store_words(store)
        warning: list[Part] = (
            [(f" {words}", state if store.writable else self.paint("high"))] if words else []
        )
        name: list[Part] = [(f" {store.label}", self.paint("heading"))]
        meter: list[Part] = [(f" {bar(store.usage, 10, tick=True)} ", state)]
        said: list[Part] = [(numbers(store.usage), self.paint("title"))]
        budget: list[Part] = [(f"  {budget_words(store.usage)}", muted)]
        short: list[Part] = [(numbers(store.usage, percent=False), self.paint("title"))]
        for left in (
            [*name, *meter, *said, *warning, *budget],
            [*name, *meter, *said, *warning],
            [*name, *meter, *short, *warning],
        ):
            if parts_width([*left, *right]) <= cells:
                return row(left, cells, muted, right)
        return row([*name, *meter, *warning], cells, muted, right)

    def _note_row(self, note: Note, cells: int, cursor: bool, second: bool) -> Strip:
        plain, muted, sign = self._row_styles(cursor)
        number = self._number(note)
        room = cells - 6 - width(number)
        title = one_line(note.title)
        rest = excerpt(note) if self.density is not Density.COMPACT else ""
        if self.density is Density.ROOMY and not rest:
            title, rest = _halves(drawn(title), room - 2)
        if second:
            return row([("     ", plain), (clip(rest, room - 2), muted)], cells, plain)
        left: list[Part] = [(" ▸ " if cursor else "   ", sign), (f"{glyph(note)} ", sign), (title, plain)]
        if rest and self.density is Density.NORMAL and width(title) + 8 < room:
            left.append((f"  {rest}", muted))
        body = row(left, cells - width(number) - 2, plain)
        return Strip([*body, *row([(f" {number} ", muted)], width(number) + 2, plain)], cells)

    def _row_styles(self, cursor: bool) -> tuple[Style, Style, Style]:
        """Of plain text, of what is dim, of the signs."""
        if not cursor:
            return self.paint("title"), self.paint("muted"), self.paint("glyph")
        if self.has_focus:
            return self.paint("cursor"), self.paint("cursor-muted"), self.paint("cursor")
        return self.paint("blurred"), self.paint("blurred-muted"), self.paint("blurred")

    def _number(self, note: Note) -> str:
        """What stands at the right: the age when sorted by date, else the length."""
        if self.sort is Sort.DATE:
            return fit(self._age(note), 10, "right")
        return fit(f"{note.length:,}", 6, "right")

    def _age(self, note: Note) -> str:
        return f"{'≈ ' if note.date_is_guess else ''}{ago(note.date, self.clock())}"

    def _dates(self) -> tuple[str, ...]:
        if self.sort is not Sort.DATE:
            return ()
        first = self.scroll_offset.y // self._height
        rows = self._rows[first : first + self.size.height // self._height + 1]
        return tuple(self._age(item.note) for item in rows if item.note is not None)


def _halves(text: str, cells: int) -> tuple[str, str]:
    """What of a text fits in one row, and the rest of it."""
    first, *others = wrap(text, cells)
    return text[first[0] : first[1]], text[others[0][0] :] if others else ""


def _place(
    before: list[Row], cursor: int, places: dict[NoteRef, int], wanted: NoteRef | None, rows: list[Row]
) -> int:
    """Where the cursor goes after a rebuild: the note that was wanted, or the nearest that is left of the old rows."""
    if wanted in places:
        return places[wanted]
    after = range(cursor, len(before))
    back = range(min(cursor, len(before)) - 1, -1, -1)
    for index in (*after, *back):
        note = before[index].note
        if note is not None and note.ref in places:
            return places[note.ref]
    return next((index for index, item in enumerate(rows) if item.note is not None), 0)
