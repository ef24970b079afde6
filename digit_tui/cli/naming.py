"""How a note is named on the command line: by an id made of its text, or by a piece of text only it has.

An id never is a position: after somebody else has written, a position would name another note (F20). For the same
reason an id whose text is gone names nothing, even when another note mentions that id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from digit_core.memory.names import NoteRef
from digit_core.text.visible import one_line
from digit_core.views.snapshot import Note, Snapshot, StoreView
from digit_tui.cli.exits import FAILED, NOT_FOUND, REFUSED, Turned

SHORTEST = 8
"""Hexadecimal digits of the text's digest that an id shows."""

_ID = re.compile(r"(?P<document>memory|user|shared):(?P<digest>[0-9a-f]{4,64})(?:~(?P<copy>[1-9]\d{0,5}))?")


def ref_id(ref: NoteRef) -> str:
    """`memory:3fa9c2d1`; the second of two equal notes is `memory:3fa9c2d1~2`."""
    copy = f"~{ref.occurrence + 1}" if ref.occurrence else ""
    return f"{ref.document}:{ref.digest[:SHORTEST]}{copy}"


def is_id(asked: str) -> bool:
    """Whether this can only be meant as an id."""
    return _ID.fullmatch(asked.strip()) is not None


def stores_asked(asked: str, snapshot: Snapshot) -> tuple[StoreView, ...]:
    """The stores in which `asked` may name a note: an id names one, all else is looked for in every store."""
    found = _ID.fullmatch(asked.strip())
    return tuple(store for store in snapshot.stores if found is None or store.name == found["document"])


def find(asked: str, snapshot: Snapshot, *, place: bool = False) -> Note:
    """The one note that `asked` names: an id, its whole text or title, or a piece of text that only it has.

    With `place` a whole number counts too, from 1 over all notes: only for looking. Raises Turned; a note that is
    not found while a store cannot be read may be in there.
    """
    try:
        return _find(asked, tuple(snapshot.notes), place=place)
    except Turned as error:
        unread = [store.why or "" for store in stores_asked(asked, snapshot) if store.unread]
        if error.code == NOT_FOUND and unread:
            raise Turned("unreadable", "\n".join([str(error), *unread]), FAILED) from error
        raise


def _find(asked: str, held: tuple[Note, ...], *, place: bool) -> Note:
    if place and asked.isdecimal() and 1 <= int(asked) <= len(held):
        return held[int(asked) - 1]
    if is_id(asked):
        return _only(asked, tuple(_by_id(asked, held)), "its text was changed, or it was removed")
    wanted = asked.strip()
    exact = tuple(note for note in held if note.text == wanted)
    if exact or not wanted:
        return _only(asked, exact, "a piece of its text is needed")
    if wanted.isdecimal() and not place:
        # A place in some listing, most likely; as a piece of text it could be in any note.
        raise Turned(
            "not_found",
            "A number only works with show; name the note by its id from `digit memory list`, or by a piece of its "
            "text.",
            NOT_FOUND,
        )
    titled = tuple(_titled(wanted.casefold(), held))
    if len(titled) == 1:
        return titled[0]
    return _only(asked, tuple(note for note in held if wanted in note.text), "none holds that text")


def _titled(wanted: str, notes: Iterable[Note]) -> Iterator[Note]:
    """Notes of this title, in any case."""
    for note in notes:
        # A title is made in 20 µs, and there may be 12,000.
        if wanted in note.text.casefold() and note.title.casefold() == wanted:
            yield note


_LISTED = "`digit memory list` shows the ids."


def _by_id(asked: str, notes: tuple[Note, ...]) -> Iterable[Note]:
    found = _ID.fullmatch(asked.strip())
    if found is None:
        return
    copy = int(found["copy"] or 1)
    for note in notes:
        ref = note.ref
        if (ref.document, ref.occurrence + 1) == (found["document"], copy) and ref.digest.startswith(
            found["digest"]
        ):
            yield note


def _only(asked: str, notes: tuple[Note, ...], why_none: str) -> Note:
    if not notes:
        raise Turned("not_found", f"There is no note “{_short(asked)}”: {why_none}. {_LISTED}", NOT_FOUND)
    if len(notes) > 1:
        listed = "\n".join(f"  {ref_id(note.ref)}  {_short(note.title)}" for note in notes[:10])
        more = f"\n  … and {len(notes) - 10:,} more" if len(notes) > 10 else ""
        message = f"“{_short(asked)}” is in {len(notes):,} notes; name one by its id:\n{listed}{more}"
        raise Turned("ambiguous", message, REFUSED)
    return notes[0]


def _short(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= 80 else line[:79] + "…"
