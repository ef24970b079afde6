"""What can be taken back, and the change that takes it back. Pure: records in, a change out.

An undo is a change like any other: it has a record, and redo is the undo of that record. So both survive a
restart, and neither keeps a list of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from digit_core.memory import words
from digit_core.memory.changes import (
    Add,
    Change,
    DocumentName,
    Operation,
    Principal,
    Reason,
    Remove,
    Replace,
    RestoreBytes,
)
from digit_core.memory.drafts import Slot, Slots
from digit_core.memory.history import FORGOTTEN, FileChange, Record, Step
from digit_core.memory.planning import Refusal

UNDO = "undo:"
REDO = "redo:"


class Stacks(NamedTuple):
    """What undo and redo would take back, the next one first."""

    undo: tuple[Record, ...]
    redo: tuple[Record, ...]
    """Records of undos."""


class Now(NamedTuple):
    """One document as it is now."""

    digest: str
    texts: tuple[str, ...]


class _Conflict(Exception):
    """A step that cannot be taken back: the note it wrote is not there any more."""

    def __init__(self, step: Step) -> None:
        super().__init__()
        self.step = step


def stacks(records: Sequence[Record]) -> Stacks:
    """Sort records into what can be undone and what can be redone.

    A person's change can be undone. So can what others did to a text that such a change had written: it is
    one more step on the way back (F28), until they put that text back themselves. Other changes made outside
    are left alone. A new change ends what could be redone.
    """
    undo: dict[str, Record] = {}
    redo: dict[str, Record] = {}
    for record in records:
        verb, _, of = record.cause.partition(":")
        if record.cause == FORGOTTEN:
            continue
        if verb == "undo":
            undo.pop(of, None)
            if record.files:
                redo[record.id] = record
        elif verb == "redo":
            redo.pop(of, None)
            undo[record.id] = record
        elif record.principal is Principal.PERSON and verb != "forget":
            undo[record.id] = record
            redo.clear()
        elif record.principal is Principal.OUTSIDE:
            settled = [earlier.id for earlier in undo.values() if _settles(record, earlier)]
            for id_ in settled:
                del undo[id_]
            if not settled and _builds_on(record, undo.values()):
                undo[record.id] = record
    return Stacks(tuple(reversed(undo.values())), tuple(reversed(redo.values())))


def inverse(
    record: Record, now: Mapping[DocumentName, Now], backup: Callable[[str], bytes | None], verb: str = UNDO
) -> Change | Refusal:
    """The change that takes a record back.

    A file that still is as the record left it gets its exact bytes of before. Where others have written since,
    only the record's own notes are put back, and all else stays. When one of those is not there any more,
    nothing is done. A record that others have taken back already gives a change without operations.
    """
    operations: list[Operation] = []
    try:
        for document, change in record.files.items():
            here = now[document]
            data = _bytes_before(change, backup)
            if here.digest == change.after and (data is not None or change.before == ""):
                operations.append(RestoreBytes(document, data, here.digest))
            else:
                steps = [step for step in record.steps if step.document == document]
                operations.extend(_steps_back(document, steps, here.texts))
    except _Conflict as conflict:
        return _refusal(record, conflict.step)
    return Change(tuple(operations), Principal.PERSON, verb + record.id)


def nothing_to_take_back(verb: str, id: str | None) -> Refusal:
    """The answer when there is no such record, or none at all."""
    if id is not None:
        message = f"There is no change {id} that could be undone; it may be undone already."
    else:
        message = "There is nothing to undo." if verb == UNDO else "There is nothing to redo."
    return Refusal(Reason.NOTHING, message)


def _builds_on(record: Record, written: Iterable[Record]) -> bool:
    """Whether a record changes a text that one of the others wrote."""
    texts = {
        (step.document, step.after) for other in written for step in other.steps if step.after is not None
    }
    return any((step.document, step.before) in texts for step in record.steps)


def _settles(record: Record, earlier: Record) -> bool:
    """Whether others put back with `record` all that they took with `earlier`: a file that was gone for a while."""
    if earlier.principal is not Principal.OUTSIDE:
        return False
    taken = {(step.document, step.before) for step in earlier.steps if step.before is not None}
    given = {(step.document, step.after) for step in record.steps if step.after is not None}
    return bool(taken) and taken <= given


def _bytes_before(change: FileChange, backup: Callable[[str], bytes | None]) -> bytes | None:
    return None if change.backup is None else backup(change.backup)


def _steps_back(document: DocumentName, steps: Sequence[Step], texts: Sequence[str]) -> list[Operation]:
    """Operations that take steps back on a document that others have changed since."""
    slots = Slots(texts)
    operations: list[Operation] = []
    for step in reversed(steps):
        operation = _step_back(document, step, slots)
        if operation is not None:
            operations.append(operation)
    return operations


def _step_back(document: DocumentName, step: Step, slots: Slots) -> Operation | None:
    """The operation that takes one step back, done on `slots` too; None when it is taken back already."""
    if step.after is None:
        text = step.before or ""
        slots.items.insert(slots.place_after(step.behind), Slot(text, None))
        return Add(document, text, step.behind, allow_duplicate=True)
    position = slots.find(step.after, step.behind)
    if position is None:
        if step.before is None or step.before in slots.texts:
            return None
        raise _Conflict(step)
    ref = slots.ref(document, position)
    if step.before is None:
        del slots.items[position]
        return Remove(ref)
    slots.items[position] = Slot(step.before, None)
    return Replace(ref, step.before)


def _refusal(record: Record, step: Step) -> Refusal:
    where = words.label(step.document)
    message = (
        f"Cannot take this back: {words.excerpt(step.after or '')} in {where} has been changed or removed by "
        f"others since. Nothing was written. Before, it read {words.excerpt(step.before or '')}."
    )
    return Refusal(Reason.CONFLICT, message, step.document, {"record": record.id, "before": step.before})
