"""What may be done to a home, who does it, and what came of it.

Data flows one way: a face makes a `Change`, `Store.apply` answers with an `Outcome`. A change never holds a
position in a file: it names its target by text (`NoteRef`), and the store finds it again under the lock.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from digit_core.memory.names import DocumentName, NoteRef, Principal

__all__ = [
    "NOT_A_FAILURE",
    "Add",
    "Change",
    "DocumentName",
    "DocumentState",
    "Move",
    "Normalise",
    "NoteRef",
    "Operation",
    "Outcome",
    "Principal",
    "Reason",
    "Remove",
    "Replace",
    "RestoreBytes",
    "Split",
]


class Add(NamedTuple):
    """Append a note, or put it back behind the note `after` when undo knows its place."""

    document: DocumentName
    text: str
    after: str | None = None
    """Text of the note it goes behind; "" for the very first place; None to append."""
    allow_duplicate: bool = False
    """Undo and restore may bring back an exact duplicate; a plain add of one changes nothing."""


class Replace(NamedTuple):
    """The whole text of one note becomes `text`."""

    ref: NoteRef
    text: str


class Remove(NamedTuple):
    """One note goes."""

    ref: NoteRef


class Move(NamedTuple):
    """One note goes to the end of another document."""

    ref: NoteRef
    to: DocumentName


class Split(NamedTuple):
    """One note becomes several, in its place."""

    ref: NoteRef
    texts: tuple[str, ...]


class Normalise(NamedTuple):
    """Write the document in the agent's own form: LF § LF between stripped notes, nothing around them."""

    document: DocumentName


class RestoreBytes(NamedTuple):
    """Put exact bytes back (a backup, or undo of a change nobody has built upon)."""

    document: DocumentName
    data: bytes | None
    """None: there was no file, and there is to be none again."""
    expect: str | None = None
    """Digest (`bytes_digest`) the file must have now; None: whatever is there (it is backed up first)."""


Operation = Add | Replace | Remove | Move | Split | Normalise | RestoreBytes


class Change(NamedTuple):
    """One decision: all of its operations happen, or none."""

    operations: tuple[Operation, ...]
    principal: Principal = Principal.PERSON
    cause: str = ""
    """For history: "" for a plain change, `undo:<record id>`, `redo:<record id>`, `restore:<backup id>`."""
    batch: bool = False
    """Asked for as a batch, even if of one: the agent's tool is stricter with those (facts 1.5, 1.7)."""


class Reason(Enum):
    """Why a change did not happen, or changed nothing."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    """The note was there when the face showed it, and has been changed or removed since."""
    AMBIGUOUS = "ambiguous"
    OVER_LIMIT = "over_limit"
    DELIMITER = "delimiter"
    """The content holds a line that is just §, which would cut it in two."""
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    SAME = "same"
    """The file already is as asked."""
    DRIFT = "drift"
    UNREADABLE = "unreadable"
    READ_ONLY = "read_only"
    IDENTITY_FORM = "identity_form"
    """The file carries entry identities (facts 1.9), which we read and never write."""
    LOCKED = "locked"
    DISABLED = "disabled"
    PRINCIPAL = "principal"
    """This principal may not write directly."""
    NOTHING = "nothing"
    """Nothing to undo, redo or forget."""
    CONFLICT = "conflict"
    INVALID = "invalid"
    IO = "io"


NOT_A_FAILURE = frozenset({Reason.DUPLICATE, Reason.SAME})
"""Reasons for which nothing had to be done: the outcome is a success without a change."""


class DocumentState(NamedTuple):
    """What is on disk for one document after an `apply`, re-read from the file."""

    document: DocumentName
    digest: str
    """`bytes_digest` of the file; "" when it does not exist."""
    used: int
    """Code points, as the agent counts."""
    limit: int
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which nobody wants of it
    """Notes."""


class Outcome(NamedTuple):
    """What came of a change: either what is on disk now, or why nothing changed."""

    ok: bool
    changed: bool
    message: str
    """Plain words for a person, with the way out when refused."""
    reason: Reason | None = None
    documents: tuple[DocumentState, ...] = ()
    record_id: str | None = None
    """Of the history record, for undo."""
    refs: tuple[NoteRef, ...] = ()
    """The notes that the operations put there, in order, as they can be named now."""
    notices: tuple[str, ...] = ()
    """Things worth saying beside the result: drift that was tidied, history that could not be written."""
    details: Mapping[str, object] = {}
    """Facts for the tool faces: `matches`, `drift_backup`, `current`, `needed`, …"""
