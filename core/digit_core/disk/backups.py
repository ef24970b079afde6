"""Copies of memory files as they were before each change: exact bytes, each content once, pruned by rule.

A copy's file name carries all that is known about it, so there is no index that could be lost or disagree:

    00000042.1773321600000.1773408000000.memory.1f3a….bak
    sequence  first kept    last kept     document digest

Order is by sequence, not by time: clocks are set back, sequences are not. Keeping a content that is there
already gives its copy a new sequence and a new "last kept"; its id stays.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.locking import lock
from digit_core.disk.reading import is_folder, read_file
from digit_core.disk.writing import flush_folder, make_folder, sweep_leftovers, write_atomically
from digit_core.errors import ReadFailed, WriteFailed

NEWEST = 5
"""Copies of a document that are kept whatever their age."""
DAYS = 30
"""For so long the first copy of each day and of each burst is kept."""
BURST_GAP = 600.0
"""Seconds from the first copy of a burst until one counts as the first of the next."""
MAX_TOTAL = 64 * 1024 * 1024
"""Bytes of all copies together; the newest of each document stays in any case."""

_SUFFIX = ".bak"


class Backup(NamedTuple):
    """One copy."""

    id: str
    """Names it for good: document and digest."""
    document: str
    at: float
    """When this content was last kept, in seconds since the epoch."""
    size: int
    """Bytes."""
    digest: str
    """`bytes_digest` of the content."""
    path: Path
    first: float
    """When this content was first kept: the document held it not later than that."""
    sequence: int
    """Grows with every keeping; what is newer is decided by it."""


class Backups:
    """The copies in one folder. Many processes may use it at once."""

    __slots__ = ("_clock", "_folder", "_max_total")

    def __init__(
        self, folder: Path, clock: Callable[[], float] = time.time, *, max_total: int = MAX_TOTAL
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._max_total = max_total

    def keep(self, document: str, data: bytes, at: float | None = None) -> Backup:
        """Keep `data` as a copy of `document`, durable before this returns, then prune.

        Raises WriteFailed, and FileError when the folder's lock cannot be had.
        """
        make_folder(self._folder)
        with lock(self._folder):
            backup = self._keep(document, data, self._clock() if at is None else at)
            self._prune()
        return backup

    def _keep(self, document: str, data: bytes, at: float) -> Backup:
        there = self.list()
        digest = _digest(data)
        known = next((copy for copy in there if copy.document == document and copy.digest == digest), None)
        if known is not None and not _sound(known):
            known = None  # damaged: written anew below
        if known is not None and known == next(copy for copy in there if copy.document == document):
            return known
        sequence = there[0].sequence + 1 if there else 1
        first = known.first if known else at
        path = self._folder / _file_name(sequence, first, at, document, digest)
        if known is None:
            write_atomically(path, data)
        else:
            self._rename(known.path, path)
        return _named(path, len(data), sequence, first, at, document, digest)

    def _rename(self, old: Path, new: Path) -> None:
        try:
            old.rename(new)
        except OSError as error:
            words = f"{old} could not be renamed: {error.strerror or error}."
            raise WriteFailed(old, "replace", words, error) from error
        flush_folder(self._folder)

    def list(self, document: str | None = None) -> tuple[Backup, ...]:
        """All copies, or those of one document, newest first. A folder that cannot be read has none."""
        found: list[Backup] = []
        try:
            with os.scandir(self._folder) as entries:
                for entry in entries:
                    if entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                        backup = _backup(Path(entry.path), entry.stat(follow_symlinks=False).st_size)
                        if backup is not None and document in (None, backup.document):
                            found.append(backup)
        except OSError:
            return ()
        return tuple(sorted(found, key=lambda copy: (copy.sequence, copy.at), reverse=True))

    def read(self, id: str) -> bytes:
        """The exact bytes of a copy. Raises ReadFailed when there is none of that id, or it is damaged."""
        backup = self._find(id)
        if backup is None:
            raise ReadFailed(self._folder, f"There is no backup {id} in {self._folder}.")
        image = read_file(backup.path)
        if image.data is None:
            raise ReadFailed(backup.path, image.problem or f"{backup.path} is gone.")
        if _digest(image.data) != backup.digest:
            raise ReadFailed(backup.path, f"{backup.path} is damaged: its content is not what was kept.")
        return image.data

    def remove(self, id: str) -> bool:
        """Delete a copy. False when there was none of that id. Raises WriteFailed."""
        with lock(self._folder):
            backup = self._find(id)
            if backup is None:
                return False
            try:
                backup.path.unlink()
            except OSError as error:
                words = f"{backup.path} was not deleted: {error.strerror or error}."
                raise WriteFailed(backup.path, "delete", words, error) from error
            flush_folder(self._folder)
        return True

    def holding(self, text: str, *, whole_lines: bool = True) -> tuple[Backup, ...]:
        """The copies in which `text` stands, newest first: as whole lines, or anywhere. For forgetting it."""
        import re  # loaded by pathlib anyway

        if not whole_lines:
            return tuple(copy for copy in self.list() if text in _text(copy.path))
        lines = re.compile(rf"^\s*{re.escape(text)}\s*$", re.MULTILINE)
        return tuple(copy for copy in self.list() if lines.search(_text(copy.path)))

    def prune(self) -> tuple[Backup, ...]:
        """Delete what the rules above no longer keep; answers with what went."""
        if not is_folder(self._folder):
            return ()
        with lock(self._folder):
            return self._prune()

    def _prune(self) -> tuple[Backup, ...]:
        sweep_leftovers(self._folder)
        copies = self.list()
        now = self._clock()
        kept = {copy for group in _by_document(copies) for copy in _worth_keeping(group, now)}
        safe = {copy for group in _by_document(copies) for copy in _newest_good(group)}
        total = 0
        gone: list[Backup] = []
        for copy in copies:  # newest first, so that the cap falls on the oldest
            fits = copy in kept and total + copy.size <= self._max_total
            if fits or copy in safe:
                total += copy.size
            elif _delete(copy.path):
                gone.append(copy)
        return tuple(gone)

    def _find(self, id: str) -> Backup | None:
        return next((copy for copy in self.list() if copy.id == id), None)


def _worth_keeping(copies: Iterable[Backup], now: float) -> set[Backup]:
    """Copies of one document, newest first → those that count and age allow to stay."""
    copies = tuple(copies)
    kept = set(copies[:NEWEST])
    days: set[tuple[int, ...]] = set()
    leader = float("-inf")
    for when, copy in sorted((when, one) for one in copies for when in {one.first, one.at}):
        day = _day(when)
        if day not in days or when - leader >= BURST_GAP:
            # Measured from the last one that stays, so that what is pruned now does not change what stays later.
            days.add(day)
            leader = when
            if now - when <= DAYS * 86_400:
                kept.add(copy)
    return kept


def _day(when: float) -> tuple[int, ...]:
    return time.localtime(when)[:3]


def _newest_good(copies: Iterable[Backup]) -> tuple[Backup, ...]:
    """The newest copy of a document whose content is what was kept, and any newer ones that are not."""
    passed: list[Backup] = []
    for copy in copies:
        passed.append(copy)
        if _sound(copy):
            break
    return tuple(passed)


def _by_document(copies: Iterable[Backup]) -> Iterable[tuple[Backup, ...]]:
    groups: dict[str, list[Backup]] = {}
    for copy in copies:
        groups.setdefault(copy.document, []).append(copy)
    return [tuple(group) for group in groups.values()]


def _sound(copy: Backup) -> bool:
    data = read_file(copy.path).data
    return data is not None and _digest(data) == copy.digest


def _text(path: Path) -> str:
    data = (read_file(path).data or b"").removeprefix(b"\xef\xbb\xbf")
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def _digest(data: bytes) -> str:
    # hashlib costs 1 ms, and to list or to prune nothing needs no digest.
    from digit_core.text.digest import bytes_digest

    return bytes_digest(data)


def _delete(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False  # the next pruning tries again
    return True


def _file_name(sequence: int, first: float, at: float, document: str, digest: str) -> str:
    return f"{sequence:08d}.{round(first * 1000)}.{round(at * 1000)}.{_quoted(document)}.{digest}{_SUFFIX}"


def _quoted(document: str) -> str:
    """A document's name as part of a file name: `user:a.b` → `user%3Aa%2Eb`."""
    return "".join(
        chr(byte) if (byte < 128 and chr(byte).isalnum()) or byte in b"_-" else f"%{byte:02X}"
        for byte in document.encode("utf-8", "surrogateescape")
    )


def _unquoted(part: str) -> str:
    head, *rest = part.split("%")
    data = head.encode("ascii") + b"".join(
        bytes.fromhex(piece[:2]) + piece[2:].encode("ascii") for piece in rest
    )
    return data.decode("utf-8", "surrogateescape")


def _backup(path: Path, size: int) -> Backup | None:
    """What a file name says; None for a name that is none of ours."""
    try:
        sequence, first, at, document, digest = path.name.removesuffix(_SUFFIX).split(".")
        return _named(
            path, size, int(sequence), int(first) / 1000, int(at) / 1000, _unquoted(document), digest
        )
    except ValueError:
        return None


def _named(
    path: Path, size: int, sequence: int, first: float, at: float, document: str, digest: str
) -> Backup:
    id = f"{document}-{digest[:16]}"
    return Backup(id, document, round(at, 3), size, digest, path, round(first, 3), sequence)
