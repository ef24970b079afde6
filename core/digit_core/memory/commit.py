"""Putting planned bytes on disk: backups first, then the files, then a look at what is there.

Everything here happens under the locks of the documents concerned.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.backups import Backups
from digit_core.disk.locking import FileLock
from digit_core.disk.reading import FileImage, read_file, writable_problem
from digit_core.disk.writing import flush_folder, write_atomically
from digit_core.errors import WriteFailed
from digit_core.memory.changes import DocumentName


class Target(NamedTuple):
    """One file of a commit."""

    path: Path
    image: FileImage
    """As it was read under the lock."""
    data: bytes | None
    """What it is to hold; None for no file."""
    held: FileLock
    backup: str | None = None
    """Id of the backup of what it holds now; None when there is no file yet."""


class HalfDone(WriteFailed):
    """One of several files could not be written, and what was written before it could not be put back."""


def check_writable(targets: Mapping[DocumentName, Target]) -> None:
    """Raise WriteFailed for a file that cannot be written, before a backup of it is made for nothing."""
    for target in targets.values():
        problem = writable_problem(target.path)
        if problem is not None:
            raise WriteFailed(target.path, "check", problem)


def keep_backups(targets: Mapping[DocumentName, Target], backups: Backups) -> dict[DocumentName, Target]:
    """The targets with the ids of their backups: exact prior bytes, durable. Raises FileError."""
    return {
        name: target
        if target.image.data is None
        else target._replace(backup=backups.keep(name, target.image.data).id)
        for name, target in targets.items()
    }


def write(targets: Mapping[DocumentName, Target]) -> None:
    """Write all of them, or none. Raises WriteFailed; HalfDone when the way back was closed too.

    The file that grows comes first: a note that moves is for a moment in both files, never in none.
    """
    order = sorted(
        targets.values(), key=lambda target: len(target.image.data or b"") - len(target.data or b"")
    )
    for position, target in enumerate(order):
        try:
            _put(target, target.data)
        except WriteFailed as failed:
            _put_back(order[:position], failed)
            raise


def holds_what_was_written(target: Target) -> bool:
    """Whether the file, read again, holds exactly what it was to hold."""
    image = read_file(target.path)
    return image.data == target.data and (image.data is not None or image.kind == "missing")


def _put(target: Target, data: bytes | None) -> None:
    if data is not None:
        write_atomically(target.path, data, held=target.held, backed_up=target.backup is not None)
        return
    try:
        with target.held.committing():
            target.path.unlink(missing_ok=True)
    except OSError as error:
        message = f"{target.path} was not removed: {error.strerror or error}."
        raise WriteFailed(target.path, "remove", message, error) from error
    flush_folder(target.path.parent)


def _put_back(written: list[Target], failed: WriteFailed) -> None:
    for target in reversed(written):
        try:
            _put(target, target.image.data)
        except WriteFailed as again:
            message = (
                f"{failed} Before that, {target.path} had been written and could not be put back. {again} "
                f"Nothing is lost: what it held is in backup {target.backup or '(it was not there)'}."
            )
            raise HalfDone(failed.path, failed.step, message, failed.cause) from again
