"""Making room: which notes to look at first when a store is nearly full."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from digit_core.views.snapshot import Note, StoreView

DELIMITER_LENGTH = 3
"""Code points that go with a note: LF § LF (facts 1.3)."""

COMFORTABLE = 0.8
"""Share of the limit under which the agent has room to write (reference, "Best practice")."""


class Why(Enum):
    """Why a note is offered."""

    DUPLICATE = "exact duplicate"
    LONGEST = "among the longest"
    OLDEST = "among the oldest"


class Candidate(NamedTuple):
    """A note whose removal or shortening would make room."""

    note: Note
    why: Why
    frees: int
    """Code points freed by removing it, its delimiter included."""


def surplus(store: StoreView) -> int:
    """Code points to free until the store stands under 80 % of its limit; 0 when it does already."""
    return max(0, store.usage.used - int(store.usage.limit * COMFORTABLE))


def candidates(store: StoreView, each: int = 12) -> tuple[Candidate, ...]:
    """What to look at: exact duplicates first, then the `each` longest, then the `each` oldest; a note once.

    Pinned notes come in none of the lists but the duplicates: their owner wants them in the prompt.
    """
    offered: dict[Note, Why] = {}
    for note in store.notes:
        if note.ref.occurrence > 0:
            offered[note] = Why.DUPLICATE
    loose = [note for note in store.notes if not note.pinned]
    for note in sorted(loose, key=lambda note: (-note.length, note.position))[:each]:
        offered.setdefault(note, Why.LONGEST)
    for note in sorted(loose, key=lambda note: (note.date, note.position))[:each]:
        offered.setdefault(note, Why.OLDEST)
    return tuple(Candidate(note, why, freed(store, note)) for note, why in offered.items())


def freed(store: StoreView, note: Note) -> int:
    """Code points that removing this note would free."""
    return note.length + (DELIMITER_LENGTH if len(store.notes) > 1 else 0)
