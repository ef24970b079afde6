"""How a note is named on the command line: by an id made of its text, or by a piece of text only it has.

An id never is a position: after somebody else has written, a position would name another note (F20).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from digit_core.text.visible import one_line
from digit_core.views.snapshot import Note

SHORTEST = 8
"""Hexadecimal digits of the text's digest that an id shows."""

_ID = re.compile(r"(?:(?P<document>[a-z]+(?::[a-z0-9._-]+)?):)?(?P<digest>[0-9a-f]{4,64})(?:~(?P<copy>\d+))?")


class NotFound(Exception):
    """No note is named like this."""


class Ambiguous(Exception):
    """Several notes are named like this."""

    def __init__(self, asked: str, notes: tuple[Note, ...]) -> None:
        listed = "\n".join(f"  {note_id(note)}  {one_line(note.title)}" for note in notes[:10])
        more = f"\n  … and {len(notes) - 10:,} more" if len(notes) > 10 else ""
        super().__init__(f"{len(notes):,} notes are meant by {asked!r}; name one by its id:\n{listed}{more}")
        self.notes = notes


def note_id(note: Note) -> str:
    """`memory:3fa9c2d1`; the second of two equal notes is `memory:3fa9c2d1~2`."""
    copy = f"~{note.ref.occurrence + 1}" if note.ref.occurrence else ""
    return f"{note.ref.document}:{note.ref.digest[:SHORTEST]}{copy}"


def find(asked: str, notes: Iterable[Note], *, number: bool = False) -> Note:
    """The one note that `asked` names: an id, or a piece of text.

    With `number` a whole number counts too, from 1 over all notes: only for looking. Raises NotFound, Ambiguous.
    """
    held = tuple(notes)
    if number and asked.isdecimal() and 1 <= int(asked) <= len(held):
        return held[int(asked) - 1]
    by_id = tuple(_by_id(asked, held))
    if by_id:
        return _only(asked, by_id)
    exact = tuple(note for note in held if note.text == asked.strip())
    if exact:
        return _only(asked, exact)
    holding = tuple(note for note in held if asked.strip() and asked.strip() in note.text)
    if not holding:
        raise NotFound(f"No note is called {asked!r}, and none holds that text; `list` shows all.")
    return _only(asked, holding)


def _by_id(asked: str, notes: tuple[Note, ...]) -> Iterable[Note]:
    found = _ID.fullmatch(asked.strip())
    if found is None:
        return
    document, digest, copy = found["document"], found["digest"], found["copy"]
    for note in notes:
        if (
            note.ref.digest.startswith(digest)
            and document in (None, note.ref.document)
            and note.ref.occurrence == int(copy or 1) - 1
        ):
            yield note


def _only(asked: str, notes: tuple[Note, ...]) -> Note:
    if len(notes) > 1:
        raise Ambiguous(asked, notes)
    return notes[0]
