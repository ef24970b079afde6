"""One document while a change is planned: its notes, where each came from, and the bytes they make. Pure.

A `NoteRef` names a note in the document as the face showed it. Within a batch it is therefore looked up among
the notes the document began with; those that the batch itself has made are counted on behind them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from digit_core.formats.document import (
    Document,
    length,
    normalise,
    parse,
    splice_add,
    splice_insert,
    splice_remove,
    splice_replace,
    to_bytes,
)
from digit_core.memory.history import Step
from digit_core.memory.merge import Pair, pair
from digit_core.memory.names import DocumentName, NoteRef
from digit_core.text.digest import text_digest


class Slot:
    """One note of a draft. It is itself, whatever its text: two slots of equal text stay two."""

    __slots__ = ("origin", "text")

    def __init__(self, text: str, origin: int | None) -> None:
        self.text = text
        self.origin = origin
        """Position in the document the draft began with; None for a note made since."""


class Slots:
    """The notes of a document in order, each with its origin."""

    __slots__ = ("_digests", "_start", "items")

    def __init__(self, texts: Sequence[str]) -> None:
        self._start = tuple(texts)
        self._digests: list[str] | None = None
        self.items = [Slot(text, index) for index, text in enumerate(texts)]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts as they are now."""
        return tuple(slot.text for slot in self.items)

    def resolve(self, digest: str, occurrence: int) -> int | None:
        """Where the note that a `NoteRef` names stands now, or None."""
        if self._digests is None:
            self._digests = [text_digest(text) for text in self._start]  # 1 ms for 1,200 notes: once a change
        named = [index for index, one in enumerate(self._digests) if one == digest]
        if occurrence < len(named):
            here = [position for position, slot in enumerate(self.items) if slot.origin == named[occurrence]]
            return here[0] if here else None
        made = [
            position
            for position, slot in enumerate(self.items)
            if slot.origin is None and text_digest(slot.text) == digest
        ]
        later = occurrence - len(named)
        return made[later] if later < len(made) else None

    def ref(self, document: DocumentName, position: int) -> NoteRef:
        """The `NoteRef` by which `resolve` finds the note at `position`."""
        slot = self.items[position]
        if slot.origin is None:
            made = (other.text for other in self.items[:position] if other.origin is None)
            earlier = (*self._start, *made)
        else:
            earlier = self._start[: slot.origin]
        return NoteRef(document, text_digest(slot.text), earlier.count(slot.text))

    def find(self, text: str, behind: str | None) -> int | None:
        """Where a text stands: rather the one behind the note that it is known to have stood behind."""
        found = [position for position, slot in enumerate(self.items) if slot.text == text]
        for position in found:
            if self.behind(position) == behind:
                return position
        return found[0] if found else None

    def behind(self, position: int) -> str:
        """Text of the note before `position`; "" for the first."""
        return self.items[position - 1].text if position > 0 else ""

    def place_after(self, behind: str | None) -> int:
        """The position for a note that goes behind that text; the end when it is not there, or not known.

        Of several it goes behind the last: notes are added at the end far more often than put back between.
        """
        if behind == "":
            return 0
        for position in range(len(self.items), 0, -1):
            if self.items[position - 1].text == behind:
                return position
        return len(self.items)


class Draft:
    """A document, and what a change makes of it. SpliceError from every change that cannot be written."""

    __slots__ = ("before", "document", "exists", "name", "slots", "steps")

    def __init__(self, name: DocumentName, document: Document, exists: bool) -> None:
        self.name = name
        self.before = document
        self.document = document
        self.exists = exists
        self.slots = Slots(document.texts)
        self.steps: list[Step] = []

    @property
    def data(self) -> bytes | None:
        """The bytes of the file as planned; None for no file."""
        return to_bytes(self.document) if self.exists else None

    @property
    def used(self) -> int:
        """Code points, as the agent counts."""
        return length(self.document.texts)

    def add(self, text: str, position: int | None = None) -> Slot:
        """Put a note at `position`, or at the end."""
        items = self.slots.items
        if position is None or position >= len(items):
            position = len(items)
            self.document = splice_add(self.document, text)
        else:
            self.document = splice_insert(self.document, position, text)
        slot = Slot(text, None)
        items.insert(position, slot)
        self.exists = True
        self._adopt_texts()
        self.steps.append(Step(self.name, None, text, self.slots.behind(position)))
        return slot

    def replace(self, position: int, texts: Sequence[str]) -> list[Slot]:
        """Put one or several notes in the place of one."""
        old = self.slots.items[position].text
        self.document = splice_replace(self.document, position, texts)
        slots = [Slot(text, None) for text in texts]
        self.slots.items[position : position + 1] = slots
        self._adopt_texts()
        self.steps.append(Step(self.name, old, texts[0], self.slots.behind(position)))
        for offset, text in enumerate(texts[1:], 1):
            self.steps.append(Step(self.name, None, text, self.slots.behind(position + offset)))
        return slots

    def remove(self, position: int) -> str:
        """Take a note out; its text."""
        self.document = splice_remove(self.document, position)
        old = self.slots.items.pop(position).text
        self._adopt_texts()
        self.steps.append(Step(self.name, old, None, self.slots.behind(position)))
        return old

    def normalise(self) -> None:
        """Put the document in the agent's own form."""
        self._become(normalise(self.document), self.exists)

    def restore(self, data: bytes | None) -> None:
        """Put exact bytes there; None for no file."""
        self._become(parse(data or b""), data is not None)

    def _become(self, document: Document, exists: bool) -> None:
        self.steps.extend(steps_between(self.name, self.document.texts, document.texts))
        if document.texts != self.document.texts:
            self.slots.items = [Slot(text, None) for text in document.texts]
        self.document, self.exists = document, exists

    def _adopt_texts(self) -> None:
        """A splice may trim a neighbour (a stray § at the end of the last note): say so in steps too."""
        for slot, text in zip(self.slots.items, self.document.texts, strict=True):
            if slot.text != text:
                position = self.slots.items.index(slot)
                self.steps.append(Step(self.name, slot.text, text, self.slots.behind(position)))
                slot.text = text


def steps_between(name: DocumentName, before: Sequence[str], after: Sequence[str]) -> tuple[Step, ...]:
    """The steps that lead from one list of notes to another. Replayed in order they give `after`; exactly so
    where no two notes of a list are equal."""
    pairs = tuple(pair(before, after))
    steps = tuple(_in_order(name, pairs))
    # A note that moves up is there twice for a moment, and what goes behind it may then go behind the wrong one.
    return (
        steps
        if replay(before, steps) == tuple(after)
        else (*_removals(name, pairs), *_additions(name, pairs))
    )


def _in_order(name: DocumentName, pairs: Sequence[Pair]) -> Iterator[Step]:
    behind = ""
    for one in pairs:
        if one.kind != "same":
            yield Step(name, one.before, one.after, behind)
        if one.after is not None:
            behind = one.after


def _removals(name: DocumentName, pairs: Sequence[Pair]) -> Iterator[Step]:
    """Take out whatever does not stay as it is."""
    behind = ""
    for one in pairs:
        if one.kind == "same":
            behind = one.before or ""
        elif one.before is not None:
            yield Step(name, one.before, None, behind)


def _additions(name: DocumentName, pairs: Sequence[Pair]) -> Iterator[Step]:
    """Put in whatever was not there, among what stayed."""
    behind = ""
    for one in pairs:
        if one.kind != "same" and one.after is not None:
            yield Step(name, None, one.after, behind)
        if one.after is not None:
            behind = one.after


def replay(texts: Sequence[str], steps: Sequence[Step]) -> tuple[str, ...]:
    """Do steps of one document over again on a list of its notes."""
    slots = Slots(texts)
    for step in steps:
        if step.before is None:
            if step.after is not None:
                slots.items.insert(slots.place_after(step.behind), Slot(step.after, None))
            continue
        position = slots.find(step.before, step.behind)
        if position is None:
            continue
        if step.after is None:
            del slots.items[position]
        else:
            slots.items[position].text = step.after
    return slots.texts
