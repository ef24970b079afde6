"""One immutable picture of a home: everything that a face shows comes from here.

A `Snapshot` is built whole, off the UI thread, and replaced whole; two of them can be compared (`difference`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from digit_core.formats.entries import Document
from digit_core.formats.settings import Settings
from digit_core.formats.tags import is_pinned, title
from digit_core.memory.homes import Home
from digit_core.memory.limits import Limits, Usage
from digit_core.memory.names import DocumentName, NoteRef
from digit_core.text.digest import text_digest


class Note(NamedTuple):
    """One note as it stands in its document."""

    ref: NoteRef
    text: str
    """As the agent reads it: line ends are LF, no blanks around it. Bytes that are no UTF-8 are surrogates."""
    position: int
    """0-based place among the notes of its document."""
    copies: int
    """How many notes of the document have exactly this text; 1 when it is alone."""
    date: float
    """Epoch seconds: when it was learned, as well as is known."""
    date_is_guess: bool
    """True when `date` is only the file's own time."""

    @property
    def length(self) -> int:
        """Code points."""
        return len(self.text)

    @property
    def title(self) -> str:
        """The first line without heading marks and without tags at its edges (facts 13)."""
        return _title(self.text)

    @property
    def pinned(self) -> bool:
        """Whether it carries the tag `#pinned`."""
        return _pinned(self.text)


# Worked out when asked for: 20 µs a note, which a list of 1,200 pays only for the rows in view.
_title = lru_cache(maxsize=4096)(title)
_pinned = lru_cache(maxsize=4096)(is_pinned)


class Severity(Enum):
    """How much a problem matters."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Problem(NamedTuple):
    """Something about the home that its owner should know, with the way out."""

    kind: str
    """A stable word: `broken config`, `stray delimiter`, `read only`, …"""
    severity: Severity
    message: str
    way_out: str
    path: Path | None = None
    document: DocumentName | None = None
    line: int | None = None
    """1-based line in `path`."""
    remedy: str = ""
    """The command of a face that is the way out (`tidy`, `split`, `room`, …), when there is one."""


class StoreState(Enum):
    """What can be done with a store."""

    READY = "ready"
    MISSING = "missing"
    """No file yet; the first note makes it."""
    READ_ONLY = "read only"
    UNREADABLE = "unreadable"
    """It is there and cannot be read, or holds bytes that are no UTF-8: shown as far as possible, never written."""


class StoreView(NamedTuple):
    """One memory file and its notes."""

    name: DocumentName
    label: str
    """`MEMORY` or `USER`."""
    path: Path
    state: StoreState
    why: str | None
    """Plain words when `state` is not READY."""
    enabled: bool
    """False when the configuration turns the store off for the agent."""
    document: Document
    notes: tuple[Note, ...]
    limits: Limits
    usage: Usage
    digest: str
    """`bytes_digest` of the file; "" when there is none."""
    changed_at: float | None
    """The file's own time, epoch seconds."""

    @property
    def unread(self) -> bool:
        """Whether nothing of the file could be read: then it is not known what notes there are."""
        return self.state is StoreState.UNREADABLE and not self.digest

    @property
    def writable(self) -> bool:
        """Whether a change can be applied at all."""
        return self.enabled and self.state in (StoreState.READY, StoreState.MISSING)


class Snapshot(NamedTuple):
    """Everything known about a home at one moment."""

    home: Home
    settings: Settings
    stores: tuple[StoreView, ...]
    problems: tuple[Problem, ...]
    serial: int
    """Grows by one with every snapshot of a library."""

    @property
    def notes(self) -> Iterator[Note]:
        """Every note, document by document."""
        for store in self.stores:
            yield from store.notes

    def store(self, name: DocumentName) -> StoreView:
        """The store with this name; KeyError when the home has none."""
        for store in self.stores:
            if store.name == name:
                return store
        raise KeyError(name)

    def other(self, name: DocumentName) -> StoreView | None:
        """The store a note of `name` can move to, when there is exactly one."""
        others = [store for store in self.stores if store.name != name]
        return others[0] if len(others) == 1 else None

    def find(self, ref: NoteRef) -> Note | None:
        """The note that `ref` names, or None when its text is gone."""
        for store in self.stores:
            if store.name == ref.document:
                for note in store.notes:
                    if note.ref == ref:
                        return note
        return None


class Dates(NamedTuple):
    """What is known about when texts were learned."""

    known: Mapping[str, float]
    """Text digest → epoch seconds, exact."""
    fallback: float
    """The file's own time: a guess."""


def make_notes(
    name: DocumentName, texts: Iterable[str], dates: Dates, earlier: Iterable[Note] = ()
) -> tuple[Note, ...]:
    """The notes of one document, in order, with identities that tell equal texts apart.

    `earlier` are notes of the document as it was: a text that was there needs no digest (half of the time).
    """
    texts = tuple(texts)
    copies = Counter(texts)
    seen: dict[str, int] = {}
    digests = {note.text: note.ref.digest for note in earlier}
    notes = []
    for position, text in enumerate(texts):
        occurrence = 0
        if copies[text] > 1:
            occurrence = seen.get(text, 0)
            seen[text] = occurrence + 1
        digest = digests.get(text) or text_digest(text)
        known = dates.known.get(digest)
        date = dates.fallback if known is None else known
        # By place: names take twice as long, and there may be 12,000.
        notes.append(
            Note(NoteRef(name, digest, occurrence), text, position, copies[text], date, known is None)
        )
    return tuple(notes)
