"""How documents, notes and those who act are named.

Apart from `changes`, whose eleven classes cost half of what Python's own start does: who only looks needs none.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

DocumentName = str
"""`memory` or `user` in a Digit or Hermes home; `shared`, `user:<id>`, `group:<id>` in a Profile."""


class Principal(Enum):
    """Who acts. A host program states it; a terminal is a hint, not a boundary."""

    PERSON = "person"
    AGENT = "agent"
    BACKGROUND = "background"
    OUTSIDE = "outside"
    """Somebody else wrote the file; only history has this one."""


class NoteRef(NamedTuple):
    """The identity of a note: its document, the digest of its text, and which of equal texts it is."""

    document: DocumentName
    digest: str
    """`text_digest` of the note's text."""
    occurrence: int = 0
    """0 for the first note with this text in the document, 1 for the second, …"""
