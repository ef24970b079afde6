"""A journal: a file of lines that only grows. Append durably; read no more of it than is new or needed.

Whoever appends holds the journal's lock. Readers take none: what is appended comes in whole lines, and
whoever rewrites a journal replaces the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from digit_core.errors import ReadFailed, WriteFailed

_BLOCK = 16 * 1024
_FLAGS = (
    os.O_RDWR
    | os.O_APPEND
    | os.O_CREAT
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)


class Growth(NamedTuple):
    """What a file holds from some offset on."""

    data: bytes
    inode: int
    start: int
    """Offset of `data` in the file, in bytes."""
    continues: bool
    """False when the file is not the one that was read before, and `data` begins at its start."""


def append(path: Path, lines: bytes, *, new_mode: int = 0o600) -> None:
    """Write whole lines at the end of a journal, flushed to the disk; it is made when it is missing.

    A last line without its end (a crash) is ended first, so that it spoils none but itself. When not all
    could be written, the file is cut back to what it was. Raises WriteFailed.
    """
    try:
        descriptor = os.open(path, _FLAGS, new_mode)
    except OSError as error:
        raise WriteFailed(path, "create", _not_written(path, error), error) from error
    try:
        size = os.fstat(descriptor).st_size
        try:
            _write_all(descriptor, lines if _ends_whole(descriptor, size) else b"\n" + lines)
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, size)
            raise
    except OSError as error:
        raise WriteFailed(path, "write", _not_written(path, error), error) from error
    finally:
        os.close(descriptor)


def read_from(path: Path, inode: int, offset: int) -> Growth:
    """Everything behind `offset` while the file is the one with that inode and not shorter; else all of it.

    A missing file reads as empty. Raises ReadFailed.
    """
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            continues = status.st_ino == inode and status.st_size >= offset
            start = offset if continues else 0
            file.seek(start)
            return Growth(file.read(), status.st_ino, start, continues)
    except FileNotFoundError:
        return Growth(b"", -1, 0, False)
    except OSError as error:
        raise ReadFailed(path, _not_read(path, error), error) from error


def lines_backwards(path: Path) -> Iterator[bytes]:
    """The lines of a file, last first, without ends and empty ones. Missing: none. Raises ReadFailed."""
    rest = b""
    for block in _blocks_backwards(path):
        # What stands before the first line end of a block may belong to a line that begins in the next one.
        first, *lines = (block + rest).split(b"\n")
        yield from (line for line in reversed(lines) if line.strip())
        rest = first
    if rest.strip():
        yield rest


def _blocks_backwards(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            while end > 0:
                start = max(0, end - _BLOCK)
                file.seek(start)
                yield file.read(end - start)
                end = start
    except FileNotFoundError:
        return
    except OSError as error:
        raise ReadFailed(path, _not_read(path, error), error) from error


def _ends_whole(descriptor: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _not_written(path: Path, error: OSError) -> str:
    return f"{path} cannot be written: {error.strerror or error}."


def _not_read(path: Path, error: OSError) -> str:
    return f"{path} cannot be read: {error.strerror or error}."
