"""From a change and the documents as they are now to the documents as they will be. Pure: no disk, no clock.

Every rule about content is here: what may be one note, what is a duplicate, how long a store may get, and
what the tool face refuses although a person's faces do not (facts 1.5, 1.7, 13).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from digit_core.formats.document import Document, SpliceError, clean, content_fault, drift, length
from digit_core.memory import words
from digit_core.memory.changes import (
    Add,
    Change,
    DocumentName,
    Move,
    Normalise,
    NoteRef,
    Operation,
    Reason,
    Remove,
    Replace,
    RestoreBytes,
    Split,
)
from digit_core.memory.drafts import Draft, Slot
from digit_core.memory.history import Step
from digit_core.text.digest import bytes_digest, text_digest

PUTS_BACK = ("undo:", "redo:", "restore:")
"""Beginnings of `Change.cause` for what brings an earlier state back."""
RESET = "reset"
"""`Change.cause` for removing every note of a store."""


class Manner(Enum):
    """How strict to be (facts 13)."""

    PERSON = "person"
    """Never refuses what shrinks a store, undo or restore; only growth over the limit."""
    TOOL = "tool"
    """As the agent's own tool: drift is refused, and whatever leaves a store over its limit."""


class Loaded(NamedTuple):
    """One document as it was read under the lock."""

    document: Document
    exists: bool
    digest: str
    """`bytes_digest` of the file; "" when there is none."""
    limit: int
    """Storage limit in code points."""


class Done(NamedTuple):
    """What one operation did, in the order of the operations."""

    kind: str
    """`added`, `replaced`, `removed`, `moved`, `split`, `normalised`, `restored`; `duplicate` or `same` when
    nothing had to be done."""
    document: DocumentName
    before: str | None = None
    """Full text of the note that was there."""
    after: str | None = None
    to: DocumentName | None = None
    """Where a moved note went."""


class Plan(NamedTuple):
    """What the files will hold. Documents that stay as they are are not in `after`."""

    after: Mapping[DocumentName, bytes | None]
    """New bytes; None for a file that will not exist."""
    steps: tuple[Step, ...]
    done: tuple[Done, ...]
    refs: tuple[NoteRef, ...]
    documents: Mapping[DocumentName, Document]
    """Every document concerned, as it will be."""
    notices: tuple[str, ...] = ()


class Refusal(NamedTuple):
    """Why nothing is to be written."""

    reason: Reason
    message: str
    document: DocumentName | None = None
    details: Mapping[str, object] = {}


class _Refused(Exception):
    def __init__(
        self, reason: Reason, message: str, document: DocumentName | None = None, **details: object
    ) -> None:
        super().__init__(message)
        self.refusal = Refusal(reason, message, document, details)


def touched(change: Change) -> tuple[DocumentName, ...]:
    """The documents that a change is about, each once, by name: the order in which they are locked."""
    return tuple(sorted({name for operation in change.operations for name in documents_of(operation)}))


def documents_of(operation: Operation) -> tuple[DocumentName, ...]:
    """The documents that an operation writes: the one it begins in, and where a note moves to."""
    if isinstance(operation, Move):
        return operation.ref.document, operation.to
    if isinstance(operation, Replace | Remove | Split):
        return (operation.ref.document,)
    return (operation.document,)


def plan(change: Change, loaded: Mapping[DocumentName, Loaded], manner: Manner) -> Plan | Refusal:
    """Work a change out: all of its operations, or the reason why none of them."""
    planning = _Planning(loaded, manner)
    try:
        if manner is Manner.TOOL:
            _refuse_drift(change, loaded)
        for number, operation in enumerate(change.operations, 1):
            planning.do(operation, number)
        for name, draft in planning.drafts.items():
            _check_length(change, draft, loaded[name].limit, manner, planning.done)
            _check_emptied(change, draft, manner)
    except _Refused as refused:
        return refused.refusal
    return planning.result()


class _Planning:
    """Drafts of the documents, and what the operations so far did to them."""

    __slots__ = ("_loaded", "_made", "_manner", "_number", "done", "drafts", "notices")

    def __init__(self, loaded: Mapping[DocumentName, Loaded], manner: Manner) -> None:
        self._loaded = loaded
        self._manner = manner
        self._made: list[tuple[Draft, Slot]] = []
        self._number = 0
        self.drafts = {name: Draft(name, one.document, one.exists) for name, one in loaded.items()}
        self.done: list[Done] = []
        self.notices: list[str] = []

    def do(self, operation: Operation, number: int) -> None:
        """Carry one operation out on the drafts; `number` counts from 1."""
        self._number = number
        try:
            match operation:
                case Add():
                    self._add(operation)
                case Replace():
                    self._replace(operation)
                case Remove():
                    draft, position = self._find(operation.ref)
                    self.done.append(Done("removed", draft.name, before=draft.remove(position)))
                case Move():
                    self._move(operation)
                case Split():
                    self._split(operation)
                case Normalise():
                    self._normalise(operation)
                case RestoreBytes():
                    self._restore(operation)
        except SpliceError as error:
            raise _Refused(
                Reason.INVALID,
                f"This cannot be stored as it stands. {error}",
                documents_of(operation)[0],
                operation=number,
            ) from error

    def result(self) -> Plan:
        """The plan once all operations are done."""
        after: dict[DocumentName, bytes | None] = {}
        steps: list[Step] = []
        for name, draft in self.drafts.items():
            data = draft.data
            if ("" if data is None else bytes_digest(data)) != self._loaded[name].digest:
                after[name] = data
                steps.extend(draft.steps)
                self._say_drift(draft, self._loaded[name].limit)
        documents = {name: draft.document for name, draft in self.drafts.items()}
        return Plan(after, tuple(steps), tuple(self.done), self._refs(), documents, tuple(self.notices))

    def _refs(self) -> tuple[NoteRef, ...]:
        refs = []
        for draft, slot in self._made:
            if slot in draft.slots.items:
                position = draft.slots.items.index(slot)
                same = draft.slots.texts[:position].count(slot.text)
                refs.append(NoteRef(draft.name, text_digest(slot.text), same))
        return tuple(refs)

    def _say_drift(self, draft: Draft, limit: int) -> None:
        found = drift(draft.document, limit) if draft.document.entries else None
        if found is not None and self._manner is Manner.PERSON:
            self.notices.append(
                f"The agent's own tool refuses to change or remove notes of {words.label(draft.name)} as the "
                f"file is. {found.message} {words.drift_mended(found.kind)}"
            )

    def _add(self, operation: Add) -> None:
        draft = self.drafts[operation.document]
        text = self._checked(operation.text, draft.name)
        slots = draft.slots
        if not operation.allow_duplicate and text in slots.texts:
            self.done.append(Done("duplicate", draft.name, after=text))
            self._made.append((draft, slots.items[slots.texts.index(text)]))
            return
        position = None if operation.after is None else slots.place_after(operation.after)
        self._made.append((draft, draft.add(text, position)))
        self.done.append(Done("added", draft.name, after=text))

    def _replace(self, operation: Replace) -> None:
        draft, position = self._find(operation.ref)
        text = self._checked(operation.text, draft.name)
        slot = draft.slots.items[position]
        if slot.text == text:
            self._made.append((draft, slot))
            self.done.append(Done("same", draft.name, slot.text, text))
            return
        if text in draft.slots.texts:
            self.notices.append(f"{words.label(draft.name)} now holds {words.excerpt(text)} more than once.")
        self.done.append(Done("replaced", draft.name, slot.text, text))
        self._made.extend((draft, slot) for slot in draft.replace(position, [text]))

    def _move(self, operation: Move) -> None:
        source, position = self._find(operation.ref)
        target = self.drafts[operation.to]
        text = source.slots.items[position].text
        if source is target:
            self.done.append(Done("same", source.name, text, text, operation.to))
            return
        if text in target.slots.texts:
            slot = target.slots.items[target.slots.texts.index(text)]
            self.notices.append(f"{words.label(target.name)} held this note already; it is there once.")
        else:
            slot = target.add(self._checked(text, target.name))
        source.remove(position)
        self._made.append((target, slot))
        self.done.append(Done("moved", source.name, text, text, operation.to))

    def _split(self, operation: Split) -> None:
        draft, position = self._find(operation.ref)
        texts = [self._checked(text, draft.name) for text in operation.texts]
        if not texts:
            raise _Refused(Reason.EMPTY, "There is nothing to split this note into.", draft.name)
        old = draft.slots.items[position].text
        if texts == [old]:
            self.done.append(Done("same", draft.name, old, old))
            return
        self._made.extend((draft, slot) for slot in draft.replace(position, texts))
        self.done.append(Done("split", draft.name, old, "\n".join(texts)))

    def _normalise(self, operation: Normalise) -> None:
        draft = self.drafts[operation.document]
        before = draft.data
        if before is not None:
            draft.normalise()
        self.done.append(Done("same" if draft.data == before else "normalised", draft.name))

    def _restore(self, operation: RestoreBytes) -> None:
        draft = self.drafts[operation.document]
        if operation.expect is not None and operation.expect != self._loaded[draft.name].digest:
            raise _Refused(
                Reason.CONFLICT,
                f"{words.label(draft.name)} has been changed since; what is there now was kept. "
                "Look at it again, then decide.",
                draft.name,
            )
        before = draft.data
        draft.restore(operation.data)
        self.done.append(Done("same" if draft.data == before else "restored", draft.name))

    def _find(self, ref: NoteRef) -> tuple[Draft, int]:
        draft = self.drafts[ref.document]
        position = draft.slots.resolve(ref.digest, ref.occurrence)
        if position is None:
            message = words.gone(draft.name, None, len(draft.slots.items))
            raise _Refused(Reason.GONE, message, draft.name, ref=ref, operation=self._number)
        return draft, position

    def _checked(self, text: str, document: DocumentName) -> str:
        """The text in the form in which it is stored. Raises when it cannot be one note."""
        cleaned = clean(text)
        fault = content_fault(cleaned)
        if fault is not None and fault.kind == "delimiter":
            message = (
                f"{fault.message} Nothing was written. Change that line, or save it as two notes on purpose."
            )
            raise _Refused(Reason.DELIMITER, message, document, line=fault.line, operation=self._number)
        if fault is not None:
            message = "A note needs some text. To get rid of a note, remove it."
            raise _Refused(Reason.EMPTY, message, document, operation=self._number)
        try:
            cleaned.encode("utf-8")
        except UnicodeEncodeError as error:
            message = (
                f"The text holds something that is no character, at position {error.start + 1:,}; a memory "
                "file is UTF-8 and cannot hold it. Nothing was written. Take it out and try again."
            )
            raise _Refused(Reason.INVALID, message, document, operation=self._number) from error
        return cleaned


def _refuse_drift(change: Change, loaded: Mapping[DocumentName, Loaded]) -> None:
    """As the agent's tool: before replace, remove and batch; a single add is let through (facts 1.7)."""
    if not _is_batch(change) and isinstance(change.operations[0], Add | Normalise | RestoreBytes):
        return
    for name, one in loaded.items():
        found = drift(one.document, one.limit)
        if found is not None:
            raise _Refused(
                Reason.DRIFT,
                f"{words.label(name)} was changed outside the memory tool in a way it would not keep. "
                f"{found.message}",
                name,
                line=found.line,
                kind=found.kind,
            )


def _is_batch(change: Change) -> bool:
    return change.batch or len(change.operations) > 1


def _check_length(change: Change, draft: Draft, limit: int, manner: Manner, done: list[Done]) -> None:
    """Refuse what makes a store too long; the tool face also what leaves it so (facts 1.5, 13).

    A person may always shrink: of a store that is over its limit only more text is refused, so a note may be
    split although that takes delimiters. Undo, redo and restore are never refused.
    """
    before, after = length(draft.before.texts), draft.used
    if after <= limit or draft.document.texts == draft.before.texts:
        return
    if change.cause.startswith(PUTS_BACK) or any(isinstance(one, RestoreBytes) for one in change.operations):
        return
    if manner is Manner.PERSON:
        if before > limit and sum(map(len, draft.document.texts)) <= sum(map(len, draft.before.texts)):
            return
    elif not any(one.kind in ("added", "replaced", "moved", "split") for one in done):
        return
    new = [one.after for one in done if one.kind in ("added", "replaced") and one.after is not None]
    raise _Refused(
        Reason.OVER_LIMIT,
        words.over_limit(draft.name, before, limit, after - before, after),
        draft.name,
        used=before,
        limit=limit,
        after=after,
        over=after - limit,
        size=len(new[0]) if len(new) == 1 else sum(map(len, new)),
    )


def _check_emptied(change: Change, draft: Draft, manner: Manner) -> None:
    """As the agent's tool: a batch may not leave a store empty that was not (facts 1.5)."""
    batch = manner is Manner.TOOL and _is_batch(change)
    if batch and draft.before.entries and not draft.document.entries:
        message = (
            f"This batch would leave {words.label(draft.name)} empty. Nothing was written. "
            "If that is meant, remove the last note by itself."
        )
        raise _Refused(Reason.INVALID, message, draft.name, emptied=True)


def summary(done: tuple[Done, ...], cause: str = "") -> str:
    """One line, in plain words, for history and for the message after a save. `cause` is that of the change."""
    real = [one for one in done if one.kind not in ("duplicate", "same")]
    where = " and ".join(dict.fromkeys(words.label(one.document) for one in real))
    if cause == RESET:
        return f"Removed all notes of {where}"
    if len(real) == 1:
        return _one_summary(real[0])
    kinds = dict.fromkeys(one.kind for one in real)
    counted = ", ".join(f"{sum(one.kind == kind for one in real):,} {kind}" for kind in kinds)
    return f"{len(real):,} changes in {where}: {counted}"


def _one_summary(one: Done) -> str:
    where = words.label(one.document)
    match one.kind:
        case "added":
            return f"Added {words.excerpt(one.after or '')} to {where}"
        case "replaced":
            return f"Replaced {words.excerpt(one.before or '')} in {where}"
        case "removed":
            return f"Removed {words.excerpt(one.before or '')} from {where}"
        case "moved":
            return f"Moved {words.excerpt(one.before or '')} from {where} to {words.label(one.to or '')}"
        case "split":
            return f"Split {words.excerpt(one.before or '')} in {where}"
        case "normalised":
            return f"Tidied {where}"
        case _:
            return f"Restored {where}"
