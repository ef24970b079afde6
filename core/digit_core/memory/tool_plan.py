"""Which notes the operations of a tool call mean, in a store as it was read just now. Pure (facts 1.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from digit_core.memory import changes
from digit_core.memory.changes import DocumentName
from digit_core.memory.drafts import Slot, Slots
from digit_core.memory.tool_call import Call, Operation

PREVIEW = 80
"""Code points of an entry that several matches are shown with (facts 1.6)."""


class NoPlan(Exception):
    """The operations cannot be carried out on these notes; nothing was done. Its text is the reason."""

    def __init__(self, error: str, hint: str, extra: Mapping[str, object], *, counts: bool) -> None:
        super().__init__(error)
        self.hint = hint
        """What to do about it, in words that go with `extra`."""
        self.extra = extra
        """More keys for the answer to a single operation."""
        self.counts = counts
        """Whether it is a failed consolidation, of which a turn has only so many."""


class Plan(NamedTuple):
    """The change that a call comes down to."""

    operations: tuple[changes.Operation, ...]
    old: Mapping[int, str]
    """Full texts that are replaced or removed, by 1-based number of the operation."""
    duplicates: int
    """Adds whose text is there already: they change nothing."""
    texts: tuple[str, ...]
    """The notes that the plan leads to."""


def plan(call: Call, texts: Sequence[str]) -> Plan:
    """Find the notes; later operations of a batch see the effect of earlier ones. Raises NoPlan."""
    slots = Slots(texts)
    operations: list[changes.Operation] = []
    old: dict[int, str] = {}
    duplicates = 0
    for number, operation in enumerate(call.operations, 1):
        if operation.action == "add":
            operations.append(changes.Add(call.target, operation.content))
            if operation.content in slots.texts:
                duplicates += 1
            else:
                slots.items.append(Slot(operation.content, None))
            continue
        try:
            position = _find(slots.texts, operation)
        except NoPlan as why:
            if call.batch:
                why.args = (f"Operation {number}: {why}",)
            raise
        old[number] = slots.items[position].text
        operations.append(_step(slots, call.target, position, operation))
    if call.batch and texts and not slots.items:
        error = (
            f"This batch would leave {call.target} empty. Keep an entry, or remove the last one by itself."
        )
        raise NoPlan(error, "", {}, counts=True)
    return Plan(tuple(operations), old, duplicates, slots.texts)


def _step(slots: Slots, target: DocumentName, position: int, operation: Operation) -> changes.Operation:
    """The store's operation for a note at `position`, carried out on `slots` as well."""
    ref = slots.ref(target, position)
    if operation.action == "remove":
        del slots.items[position]
        return changes.Remove(ref)
    slots.items[position] = Slot(operation.content, None)
    return changes.Replace(ref, operation.content)


def _find(texts: Sequence[str], operation: Operation) -> int:
    """The entry that is meant: one equal to `old_text`, else the one that holds it; the first of equals."""
    wanted = operation.old_text
    if wanted in texts:
        return texts.index(wanted)
    found = [position for position, text in enumerate(texts) if wanted in text]
    if not found:
        hint = f"Retry with a text that is in the entry to {operation.action} (see current_entries below)."
        raise NoPlan(f"No entry matched {wanted!r}.", hint, {"current_entries": list(texts)}, counts=True)
    if len({texts[position] for position in found}) > 1:
        hint = "Use an old_text that only one of them has in it (see matches below)."
        matches = {"matches": [_preview(texts[position]) for position in found]}
        raise NoPlan(f"{len(found)} entries matched {wanted!r}.", hint, matches, counts=False)
    return found[0]


def _preview(text: str) -> str:
    return text if len(text) <= PREVIEW else f"{text[:PREVIEW]}..."
