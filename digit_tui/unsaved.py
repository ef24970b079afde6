"""Unsaved text, kept in our own folder of the home: what a crash, a hang-up or a refusal must not take away."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.ownfolder import OwnFolder
from digit_core.disk.reading import read_file
from digit_core.disk.writing import make_folder, write_atomically
from digit_core.errors import FileError

_FOLDER = "drafts"
_MAX_BYTES = 16 * 1024 * 1024


class Unsaved(NamedTuple):
    """Text that was typed and not saved."""

    document: str
    """The store it was for."""
    base: str | None
    """The note it was made from; None for a new one."""
    text: str
    at: float
    """Epoch seconds."""
    path: Path | None = None
    """Its file, once it has one."""


def folder(own: OwnFolder) -> Path:
    """The folder they are in, made if need be. Raises FileError."""
    if not own.ensure():
        raise FileError(own.path, own.problem or f"{own.path} cannot be written.")
    path = own.path / _FOLDER
    make_folder(path)
    return path


def keep(own: OwnFolder, unsaved: Unsaved) -> Path:
    """Write it down, durable when this returns; its file. Raises FileError."""
    path = unsaved.path or folder(own) / f"{time.time_ns()}.json"
    content = {"document": unsaved.document, "base": unsaved.base, "text": unsaved.text, "at": unsaved.at}
    write_atomically(path, json.dumps(content).encode())  # ASCII with \u escapes, lone surrogates included
    return path


def kept(own: OwnFolder) -> tuple[Unsaved, ...]:
    """What is written down, the newest first. A file that is no draft is left alone."""
    found = []
    for path in sorted((own.path / _FOLDER).glob("*.json"), reverse=True):
        image = read_file(path, _MAX_BYTES)
        try:
            content = json.loads(image.data or b"")
            found.append(
                Unsaved(
                    str(content["document"]),
                    content["base"],
                    str(content["text"]),
                    float(content["at"]),
                    path,
                )
            )
        except (ValueError, KeyError, TypeError):
            continue
    return tuple(found)


def drop(unsaved: Unsaved) -> None:
    """It was saved, or given up on purpose."""
    if unsaved.path is not None:
        unsaved.path.unlink(missing_ok=True)
