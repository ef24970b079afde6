"""How a note is named on the command line: by an id made of its text, or by a piece of text only it has.

An id never is a position: after somebody else has written, a position would name another note (F20). For the same
reason an id whose text is gone names nothing, even when another note mentions that id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from digit_core.memory.names import NoteRef
from digit_core.text.visible import one_line
from digit_core.views.snapshot import Note
from digit_tui.cli.exits import NOT_FOUND, REFUSED, Turned

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


def find(asked: str, notes: Iterable[Note], *, place: bool = False) -> Note:
    """The one note that `asked` names: an id, its whole text, or a piece of text that only it has.

    With `place` a whole number counts too, from 1 over all notes: only for looking. Raises Turned.
    """
    held = tuple(notes)
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
            "not_found", f"A number names no note that is to be changed ({wanted}). {_LISTED}", NOT_FOUND
        )
    return _only(asked, tuple(note for note in held if wanted in note.text), "none holds that text")


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
