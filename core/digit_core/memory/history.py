"""History: what happened to the notes of a home, one JSON record a line in `digit-tui/history.jsonl`.

Appended to, never rewritten but by `forget`. It holds the texts that were changed, not whole files: those are
backups, which a record names. Undo, dates and "who changed this" come from here and from nowhere else, so
they survive a restart. Losing it loses no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from digit_core.disk.appending import append, lines_backwards, read_from
from digit_core.disk.locking import FileLock, lock
from digit_core.disk.writing import write_atomically
from digit_core.errors import FileError
from digit_core.memory.names import DocumentName, Principal
from digit_core.text.digest import text_digest

FORGOTTEN = "forgotten"
"""Cause of a record whose texts were forgotten; it cannot be undone any more."""

_VERSION = 1


class Step(NamedTuple):
    """What happened to one note, so that it can be taken back when the whole file cannot."""

    document: DocumentName
    before: str | None
    """Its text before; None for a note that was added."""
    after: str | None
    """Its text after; None for a note that was removed."""
    behind: str | None
    """Text of the note it stood behind at that moment, "" for the first place; None when not known."""


class FileChange(NamedTuple):
    """One file of a record. Digests are `bytes_digest`; "" stands for "no file"."""

    before: str
    after: str
    backup: str | None
    """Id of the backup that holds the bytes from before."""


class Record(NamedTuple):
    """One change, ours or somebody else's."""

    id: str
    at: float
    """Epoch seconds; of a change made by others, when it was noticed."""
    principal: Principal
    cause: str
    """"" for a plain change, `undo:<record id>`, `redo:<record id>`, `restore:<backup id>`, `forget`, or
    `forgotten` for a record that lost its texts."""
    summary: str
    """Plain words, one line."""
    steps: tuple[Step, ...]
    files: Mapping[DocumentName, FileChange]


class History:
    """The records of one home. What was read once is kept: a later look reads only what was added since."""

    __slots__ = ("_known", "_learned", "_read_to", "_reading", "_torn", "folder", "path", "timeout")

    def __init__(self, folder: Path, *, timeout: float = 10.0) -> None:
        self.folder = folder
        self.path = folder / "history.jsonl"
        self.timeout = timeout
        """Seconds to wait for another process that is writing a record."""
        self._known: list[Record] = []
        self._read_to: tuple[int, int] = (-1, 0)
        self._torn = 0
        self._reading = Lock()
        self._learned = Learned()

    @property
    def torn(self) -> int:
        """Lines that could not be read (a crash while one was written), as far as the history was read."""
        return self._torn

    def append(self, records: Sequence[Record]) -> None:
        """Write records behind the others, durably. Raises FileError; nothing is half written then.

        Each line also carries the newest digest of every document (`heads`), so that what a file was when we
        last saw it can be told from the last line alone.
        """
        with self._lock():
            append(self.path, _lines(records, self._heads_on_disk()))

    def head(self, document: DocumentName) -> str | None:
        """Digest of the document's file as of the last record; None when there is no record of it."""
        return self._heads_on_disk().get(document)

    def records(self) -> tuple[Record, ...]:
        """All records, oldest first. A line that does not parse is left out and counted in `torn`.

        Raises ReadFailed when the history is there and cannot be read.
        """
        with self._reading:  # a watcher's thread may look while a change is made
            self._read_on()
            return tuple(self._known)

    def learned(self) -> dict[str, float]:
        """Text digest → epoch seconds at which a text was first written, as far as is known.

        Texts that only came back (undo, restore) or moved were learned at some other time, and are left out.
        A history that cannot be read knows nothing.
        """
        try:
            return self._learned.after(self.records())
        except FileError:
            return {}

    def _read_on(self) -> None:
        found = read_from(self.path, *self._read_to)
        if not found.continues:
            self._known, self._torn = [], 0
        # What comes behind the last line end may be a record that another process is writing just now.
        complete = found.data.rfind(b"\n") + 1
        for line in found.data[:complete].split(b"\n"):
            if line.strip():
                record = _parsed(line)
                if record is None:
                    self._torn += 1
                else:
                    self._known.append(record)
        self._read_to = (found.inode, found.start + complete)

    def forget(self, holds: Callable[[str], bool], append_record: Record | None = None) -> int:
        """Rewrite the history without the texts that `holds` says yes to; how many records that touched.

        Those records stay as marks of when something happened, without that text and without undo.
        """
        if not self.path.exists():
            return 0
        with self._lock():
            self._read_to = (-1, 0)
            records = self.records()
            cleaned = [_without(record, holds) for record in records]
            touched = sum(old is not new for old, new in zip(records, cleaned, strict=True))
            if touched or append_record is not None:
                if append_record is not None:
                    cleaned.append(append_record)
                write_atomically(self.path, _lines(cleaned, {}))
            self._read_to = (-1, 0)
        return touched

    def _lock(self) -> FileLock:
        return lock(self.path, self.timeout)

    def _heads_on_disk(self) -> dict[DocumentName, str]:
        """The heads of the last line that can be read."""
        import json  # 3 ms, and looking at notes needs none of it

        for line in lines_backwards(self.path):
            try:
                heads = json.loads(line)["heads"]
                return {str(name): str(digest) for name, digest in heads.items()}
            except (ValueError, KeyError, TypeError, AttributeError):
                continue
        return {}


class Learned:
    """When texts were first written, from records; the ones already looked at are not looked at again."""

    __slots__ = ("_known", "_last", "_seen")

    def __init__(self) -> None:
        self._seen = 0
        self._last = ""
        self._known: dict[str, float] = {}

    def after(self, records: Sequence[Record]) -> dict[str, float]:
        """Text digest → epoch seconds, as of these records (of one history, oldest first)."""
        if self._seen > len(records) or (self._seen and records[self._seen - 1].id != self._last):
            self._seen, self._known = 0, {}  # the history was rewritten
        for record in records[self._seen :]:
            if not record.cause:  # what undo and restore brought back was learned before
                moved = {step.before for step in record.steps}
                for step in record.steps:
                    if step.after is not None and step.after not in moved:
                        self._known.setdefault(text_digest(step.after), record.at)
        self._seen, self._last = len(records), records[-1].id if records else ""
        return dict(self._known)


def last_touching(records: Sequence[Record], document: DocumentName) -> Iterator[Record]:
    """The records that touch a document, newest first."""
    return (record for record in reversed(records) if document in record.files)


def _lines(records: Iterable[Record], heads: Mapping[DocumentName, str]) -> bytes:
    """Records as lines, each with the heads that hold after it."""
    lines = []
    for record in records:
        heads = {**heads, **{name: change.after for name, change in record.files.items()}}
        lines.append(_line(record, heads))
    return b"".join(lines)


def _line(record: Record, heads: Mapping[DocumentName, str]) -> bytes:
    import json

    value = {
        "v": _VERSION,
        "id": record.id,
        "at": record.at,
        "principal": record.principal.value,
        "cause": record.cause,
        "summary": record.summary,
        "steps": [list(step) for step in record.steps],
        "files": {name: list(change) for name, change in record.files.items()},
        "heads": dict(heads),
    }
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # surrogatepass: a note with bytes that are no UTF-8 holds lone surrogates, and must come back as it is.
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _parsed(line: bytes) -> Record | None:
    """One line as a record, or None."""
    import json

    try:
        value = json.loads(line.decode("utf-8", "surrogatepass"))
        return Record(
            str(value["id"]),
            float(value["at"]),
            Principal(value["principal"]),
            str(value["cause"]),
            str(value["summary"]),
            tuple(_step(*step) for step in value["steps"]),
            {str(name): FileChange(*change) for name, change in value["files"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _step(document: str, before: str | None, after: str | None, behind: str | None) -> Step:
    for text in (before, after, behind):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"a step holds {type(text).__name__} where a text should be")
    return Step(str(document), before, after, behind)


def _without(record: Record, holds: Callable[[str], bool]) -> Record:
    """The record itself when it does not hold the text; else what may stay of it."""

    def held(text: str | None) -> bool:
        return text is not None and holds(text)

    if not any(held(text) for step in record.steps for text in step[1:]) and not held(record.summary):
        return record
    # A neighbour that is only a place mark goes; a step that wrote or removed the text goes whole.
    steps = tuple(
        step._replace(behind=None) if held(step.behind) else step
        for step in record.steps
        if not held(step.before) and not held(step.after)
    )
    if len(steps) == len(record.steps) and not held(record.summary):
        return record._replace(steps=steps)
    files = {name: change._replace(backup=None) for name, change in record.files.items()}
    return Record(
        record.id, record.at, record.principal, FORGOTTEN, "A note that was forgotten", steps, files
    )
