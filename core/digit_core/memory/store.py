"""The one way into the memory files: a `Change` goes in, an `Outcome` comes out.

lock → re-read → find again by content → check → cap → backup → atomic write → re-read → history (facts 1.8, design
"One flow"). What can be expected to fail is an outcome with a reason, never an exception.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from digit_core.disk.backups import Backups
from digit_core.disk.locking import FileLock, lock
from digit_core.disk.ownfolder import OwnFolder
from digit_core.disk.reading import FileImage, is_folder, read_file
from digit_core.disk.writing import make_folder
from digit_core.errors import FileError
from digit_core.formats.document import Document, parse
from digit_core.memory import words
from digit_core.memory.changes import (
    Change,
    DocumentName,
    NoteRef,
    Outcome,
    Principal,
    Reason,
    RestoreBytes,
)
from digit_core.memory.commit import Target, check_writable, holds_what_was_written, keep_backups, write
from digit_core.memory.history import FileChange, History, Record, Step
from digit_core.memory.homes import Home, HomeKind
from digit_core.memory.limits import Limits, limits
from digit_core.memory.outcomes import guarded, nothing_to_do, refused, states, turned_down
from digit_core.memory.outside import noticed
from digit_core.memory.planning import Loaded, Manner, Plan, Refusal, documents_of, plan, summary, touched
from digit_core.memory.tidying import tidy
from digit_core.memory.undo import REDO, UNDO, Now, Stacks, inverse, nothing_to_take_back, stacks
from digit_core.text.digest import bytes_digest, text_digest

if TYPE_CHECKING:
    from digit_core.formats.settings import Settings
    from digit_core.memory.forget import ForgetReport

__all__ = ["Manner", "OnWait", "Reading", "Store"]

OnWait = Callable[[str | None], None]
"""Told, while a lock is waited for, who holds it as far as that is known."""

_ENABLED = {"memory": "memory_enabled", "user": "user_profile_enabled"}


class Reading(NamedTuple):
    """A document as it is on disk now."""

    image: FileImage
    document: Document
    """Without notes when the file is missing or cannot be read."""


class _Held(NamedTuple):
    """Documents under their locks, as they were re-read."""

    locks: Mapping[DocumentName, FileLock]
    readings: Mapping[DocumentName, Reading]
    loaded: Mapping[DocumentName, Loaded]


class Store:
    """The memory of one home. Any number of these, in any number of processes and threads, may be in use."""

    def __init__(
        self,
        home: Home,
        *,
        settings: Callable[[], Settings],
        clock: Callable[[], float] = time.time,
        lock_timeout: float = 10.0,
        history: History | None = None,
    ) -> None:
        """`history` is one of this home that has been opened already: what it has read is not read again."""
        self.home = home
        self.documents: tuple[DocumentName, ...] = home.documents
        inside = ".runtime/digit-tui" if home.kind is HomeKind.PROFILE else "digit-tui"
        self.own = OwnFolder(home.path, inside)
        self.backups = Backups(self.own.path / "backups", clock)
        self._settings = settings
        self._clock = clock
        self._timeout = lock_timeout
        self._history = history or History(self.own.path, timeout=lock_timeout)
        self._parsed: dict[DocumentName, tuple[bytes, Document]] = {}

    # ------------------------------------------------------------------ looking

    @property
    def limits(self) -> Mapping[DocumentName, Limits]:
        """The limits as the settings are now."""
        return limits(self.home.kind, self._settings())

    def read(self, name: DocumentName) -> Reading:
        """Read one document. KeyError for a name that this home cannot have."""
        image = read_file(self.home.document_path(name))
        data, document = self._parsed.get(name, (b"", _NO_NOTES))
        if data != (image.data or b""):  # to compare costs a hundredth of parsing
            data, document = image.data or b"", parse(image.data or b"")
            self._parsed[name] = data, document
        return Reading(image, document)

    def history(self) -> tuple[Record, ...]:
        """All records, oldest first. Raises ReadFailed when the history is there and cannot be read."""
        return self._history.records()

    def stacks(self) -> Stacks:
        """What undo and redo would take back, the next first. Raises ReadFailed as `history` does."""
        return stacks(self.history())

    def learned(self) -> dict[str, float]:
        """Text digest → epoch seconds at which a text was first written (`History.learned`)."""
        return self._history.learned()

    # ----------------------------------------------------------------- changing

    def apply(
        self, change: Change, *, manner: Manner = Manner.PERSON, on_wait: OnWait | None = None
    ) -> Outcome:
        """Do all of a change, or say why none of it was done. `on_wait` may be called from this thread."""
        refusal = self._beforehand(change)
        if refusal is not None:
            return refused(refusal)
        return self._answered(lambda: self._apply(change, touched(change), manner, on_wait))

    def undo(self, record_id: str | None = None) -> Outcome:
        """Take back the last change that can be, or the one named. What others wrote since stays."""
        return self._answered(lambda: self._take_back(record_id, UNDO))

    def redo(self) -> Outcome:
        """Do again what was undone last."""
        return self._answered(lambda: self._take_back(None, REDO))

    def notice(self) -> bool:
        """Note in the history what others have written since, if anything; True when there was something.

        Nothing is noted before the first change of ours: there is nothing to compare with. A document that is
        locked for longer than a moment is left for the next time.
        """
        found = False
        for name in self.documents:
            try:
                head = self._history.head(name)
                if head is None or head == _digest(self.read(name).image.data) or not self.own.ensure():
                    continue
                with self._under_locks((name,), None, timeout=min(1.0, self._timeout)) as held:
                    records = self._outside(held)
                    if records:
                        self._history.append(records)
                        found = True
            except FileError:
                continue  # whoever writes next notes it, and says what is in the way
        return found

    def tidy(self) -> None:
        """Remove temporary files that a killed process of ours left behind; nothing else, and nobody else's."""
        tidy(self.home, self.own.path)

    def forget(self, text: str) -> ForgetReport:
        """Remove a text for good: from the files, the history and the backups."""
        from digit_core.memory.forget import Place, forget  # rare, and 2 ms with what it imports

        self.tidy()  # half of a killed save may hold it too
        stamp = (_new_id(), self._clock())
        closed = self.own.problem if self.own.path.exists() and not self.own.ensure() else None
        if self.home.kind is HomeKind.PROFILE:
            closed = words.profile(self.home.path)
        place = Place(self.home, self.documents, self._history, self.backups, stamp, self._timeout, closed)
        return forget(text, place)

    # ---------------------------------------------------------------- one change

    def _beforehand(self, change: Change) -> Refusal | None:
        """What can be refused without looking at a file."""
        if change.principal is not Principal.PERSON:
            return Refusal(Reason.PRINCIPAL, words.principal(change.principal.value))
        if not change.operations:
            return Refusal(Reason.NOTHING, "There is nothing to do.")
        if self.home.kind is HomeKind.PROFILE:
            return Refusal(Reason.READ_ONLY, words.profile(self.home.path))
        names = touched(change)
        for name in names:
            if name not in self.documents:
                known = ", ".join(self.documents)
                return Refusal(Reason.INVALID, f"There is no store {name!r} here; there are {known}.", name)
        return self._nowhere() or self._disabled(names)

    def _nowhere(self) -> Refusal | None:
        """Why there can be no memory files at all."""
        if not is_folder(self.home.path):
            return Refusal(Reason.IO, words.home_gone(self.home.path))
        if os.path.isfile(self.home.memories):  # noqa: PTH113  # no error where the home may not be entered
            return Refusal(Reason.UNREADABLE, words.no_folder(self.home.memories))
        return None

    def _disabled(self, names: Iterable[DocumentName]) -> Refusal | None:
        memory = self._settings().memory
        for name in names:
            if not getattr(memory, _ENABLED[name]):
                path = self.home.document_path(name)
                message = words.disabled(name, f"memory.{_ENABLED[name]}", path, os.path.lexists(path))
                return Refusal(Reason.DISABLED, message, name)
        return None

    def _answered(self, work: Callable[[], Outcome]) -> Outcome:
        """Do `work`, from the start again while somebody deletes the lock file under it: then nothing was written
        (F36), and after the time that a lock is waited for that is the answer."""
        deadline = time.monotonic() + self._timeout
        while True:
            outcome = guarded(work)
            if outcome.details.get("step") != "lock" or time.monotonic() >= deadline:
                return outcome

    def _apply(
        self, change: Change, names: tuple[DocumentName, ...], manner: Manner, on_wait: OnWait | None
    ) -> Outcome:
        if not self.home.memories.exists():
            # The folder is made for something that will be in it, not for a change that is refused.
            empty = {name: self._loaded(name, Reading(_NO_FILE, _NO_NOTES)) for name in names}
            planned = plan(change, empty, manner)
            if isinstance(planned, Refusal):
                return turned_down(planned, empty)
            if not planned.after:
                return nothing_to_do(planned, empty)
            make_folder(self.home.memories)
        with self._under_locks(names, on_wait) as held:
            return self._carry_out(change, held, manner)

    @contextmanager
    def _under_locks(
        self, names: Iterable[DocumentName], on_wait: OnWait | None, timeout: float | None = None
    ) -> Iterator[_Held]:
        """Lock documents in the order of their names, then read them. Raises FileError."""
        with ExitStack() as stack:
            locks: dict[DocumentName, FileLock] = {}
            for name in sorted(names):
                path = self.home.document_path(name)
                locks[name] = stack.enter_context(
                    lock(path, self._timeout if timeout is None else timeout, on_wait)
                )
            readings = {name: self.read(name) for name in locks}
            loaded = {name: self._loaded(name, reading) for name, reading in readings.items()}
            yield _Held(locks, readings, loaded)

    def _loaded(self, name: DocumentName, reading: Reading) -> Loaded:
        data = reading.image.data
        return Loaded(reading.document, data is not None, _digest(data), self.limits[name].storage)

    def _carry_out(self, change: Change, held: _Held, manner: Manner, said: str | None = None) -> Outcome:
        """Plan and write, under the locks. `said` is the summary of an undo or redo."""
        unfit = _unfit(change, held)
        planned = unfit or plan(change, held.loaded, manner)
        if isinstance(planned, Refusal):
            return self._turned_down(planned, held)
        if not planned.after:
            if said is not None:
                self._history.append([self._record(change, said, (), {})])
            return nothing_to_do(planned, held.loaded)
        return self._commit(change, planned, held, said or summary(planned.done, change.cause))

    def _commit(self, change: Change, planned: Plan, held: _Held, said: str) -> Outcome:
        """Backup, write, look again, note."""
        targets = {name: self._target(name, data, held) for name, data in planned.after.items()}
        check_writable(targets)
        usable = self.own.ensure()
        if any(target.image.data is not None for target in targets.values()):
            if not usable:
                return turned_down(self._no_backup(self.own.problem or ""), held.loaded)
            try:
                targets = keep_backups(targets, self.backups)
            except FileError as error:
                return turned_down(self._no_backup(str(error)), held.loaded)
        write(targets)
        for name, target in targets.items():
            self._parsed[name] = target.data or b"", planned.documents[name]
        record = self._record(
            change,
            said,
            planned.steps,
            {
                name: FileChange(held.loaded[name].digest, _digest(target.data), target.backup)
                for name, target in targets.items()
            },
        )
        notices = [*planned.notices, *self._note(held, record)]
        after = {
            name: one._replace(
                document=planned.documents[name],
                digest=_digest(targets[name].data) if name in targets else one.digest,
            )
            for name, one in held.loaded.items()
        }
        details = {"done": planned.done, "backups": {name: target.backup for name, target in targets.items()}}
        for target in targets.values():
            if not holds_what_was_written(target):
                message = words.not_as_written(target.path, target.backup)
                return Outcome(
                    False, True, message, Reason.IO, states(after), record.id, (), tuple(notices), details
                )
        return Outcome(
            True, True, f"{said}.", None, states(after), record.id, planned.refs, tuple(notices), details
        )

    def _target(self, name: DocumentName, data: bytes | None, held: _Held) -> Target:
        path = self.home.document_path(name)
        if data is None and path.is_symlink():
            data = b""  # the link is the person's: without its file it would lead nowhere
        return Target(path, held.readings[name].image, data, held.locks[name])

    def _no_backup(self, why: str) -> Refusal:
        return Refusal(Reason.READ_ONLY, words.no_backup(self.own.path, why))

    # ------------------------------------------------------------------- history

    def _record(
        self,
        change: Change,
        said: str,
        steps: tuple[Step, ...],
        files: Mapping[DocumentName, FileChange],
    ) -> Record:
        return Record(_new_id(), self._clock(), change.principal, change.cause, said, steps, files)

    def _note(self, held: _Held, record: Record) -> list[str]:
        """Append to the history what others did, then what was done; what is in the way is a notice."""
        if self.own.read_only:
            return [words.no_history(self.own.problem or "")]
        try:
            self._history.append([*self._outside(held), record])
        except FileError as error:
            return [words.no_history(str(error))]
        return []

    def _outside(self, held: _Held) -> list[Record]:
        """Records of what others did to the documents since we last saw them. Raises FileError."""
        found = []
        for name, one in held.loaded.items():
            if held.readings[name].image.kind not in ("file", "missing"):
                continue
            stamp = (_new_id(), self._clock())
            record = noticed(self._history, self.backups, name, one.digest, one.document.texts, stamp)
            if record is not None:
                found.append(record)
        return found

    def _take_back(self, record_id: str | None, verb: str) -> Outcome:
        if self.home.kind is HomeKind.PROFILE:
            return refused(Refusal(Reason.READ_ONLY, words.profile(self.home.path)))
        nowhere = self._nowhere()
        if nowhere is not None:
            return refused(nowhere)
        if not self.history():
            return refused(nothing_to_take_back(verb, record_id))
        make_folder(self.home.memories)
        with self._under_locks(self.documents, None) as held:
            others = self._outside(held)
            if others and self.own.ensure():
                self._history.append(others)
            known = self.stacks().undo if verb == UNDO else self.stacks().redo
            record = next((one for one in known if record_id in (None, one.id)), None)
            if record is None:
                return refused(nothing_to_take_back(verb, record_id))
            now = {name: Now(one.digest, one.document.texts) for name, one in held.loaded.items()}
            change = inverse(record, now, self._backup, verb)
            if isinstance(change, Change):
                change = self._disabled(touched(change)) or change
            if isinstance(change, Refusal):
                return turned_down(change, held.loaded)
            said = words.taken_back(verb == UNDO, record.summary)
            return self._carry_out(change, held, Manner.PERSON, said)

    def _backup(self, id: str) -> bytes | None:
        try:
            return self.backups.read(id)
        except FileError:
            return None  # pruned, forgotten or damaged: then the record's own notes are put back

    # ------------------------------------------------------------------ outcomes

    def _turned_down(self, refusal: Refusal, held: _Held) -> Outcome:
        """The outcome of a refusal, with what only the disk knows: the copy of a drifted file, what became of a
        note that is gone."""
        details: dict[str, object] = {}
        message = refusal.message
        if refusal.document is not None and refusal.reason is Reason.DRIFT:
            message = f"{message} {self._keep_drifted(refusal.document, held, details)}"
        if refusal.document is not None and refusal.reason is Reason.GONE:
            message = self._say_gone(refusal.document, refusal.details.get("ref"), held)
        return turned_down(
            refusal._replace(message=message, details={**refusal.details, **details}), held.loaded
        )

    def _keep_drifted(self, name: DocumentName, held: _Held, details: dict[str, object]) -> str:
        """Copy a drifted file to the backups; the sentence that says so (design "Drift")."""
        data = held.readings[name].image.data
        if data is None:
            return "Nothing was written."
        try:
            if not self.own.ensure():
                return f"Nothing was written, and no copy could be kept. {self.own.problem}"
            path = self.backups.keep(name, data).path
        except FileError as error:
            return f"Nothing was written, and no copy could be kept. {error}"
        details["drift_backup"] = str(path)
        return f"Nothing was written; a copy of the file as it is lies at {path}."

    def _say_gone(self, document: DocumentName, ref: object, held: _Held) -> str:
        """The words for a note that is not there any more."""
        try:
            records = [*self._history.records(), *self._outside(held)]
        except FileError:
            records = []
        became = _became(ref, records) if isinstance(ref, NoteRef) else None
        return words.gone(document, became, len(held.loaded[document].document.entries))


_NO_NOTES = parse(b"")
_NO_FILE = FileImage(Path(), None, None, "missing", None, None, None, None, Path())


def _unfit(change: Change, held: _Held) -> Refusal | None:
    """Why a file must not be written as it is. Exact bytes may replace whatever could be read and backed up."""
    for name, (image, document) in held.readings.items():
        operations = [one for one in change.operations if name in documents_of(one)]
        if not operations:
            continue  # undo and redo lock every document, whatever they write
        if image.kind not in ("file", "missing"):
            return Refusal(Reason.UNREADABLE, image.problem or f"{image.path} cannot be read.", name)
        if all(isinstance(one, RestoreBytes) for one in operations):
            continue
        if document.bad_bytes:
            return Refusal(Reason.UNREADABLE, words.bad_bytes(image.path, document.bad_bytes), name)
        if document.identities:
            return Refusal(Reason.IDENTITY_FORM, words.identity_form(image.path), name)
    return None


def _became(ref: NoteRef, records: Iterable[Record]) -> str | None:
    """What the newest record that changed a note says became of it."""
    became = None
    for record in records:
        for step in record.steps:
            before = step.before if step.document == ref.document else None
            if before is not None and text_digest(before) == ref.digest:
                became = words.became(step.after)
    return became


def _digest(data: bytes | None) -> str:
    return "" if data is None else bytes_digest(data)


def _new_id() -> str:
    return os.urandom(6).hex()
