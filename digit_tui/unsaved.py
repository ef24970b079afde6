"""Unsaved text, kept in our own folder of the home: what a kill, a hang-up or a refusal must not take away.

One JSON file for each edit. While the person's own editor has a note, its text is in a file of the same name that ends
in `.md`. A file belongs to the process that wrote it for as long as that runs: another window does not offer it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.ownfolder import OwnFolder
from digit_core.disk.reading import read_file
from digit_core.disk.writing import make_folder, write_atomically
from digit_core.errors import FileError
from digit_core.formats.document import clean

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


def new_path(own: OwnFolder) -> Path:
    """A name for the file of one edit; nothing is made."""
    return own.path / _FOLDER / f"{time.time_ns()}.json"


def keep(own: OwnFolder, unsaved: Unsaved) -> Path:
    """Write it down, durable when this returns; its file. Raises FileError."""
    folder(own)
    path = unsaved.path or new_path(own)
    content = {
        "document": unsaved.document,
        "base": unsaved.base,
        "text": unsaved.text,
        "at": unsaved.at,
        "process": os.getpid(),
    }
    write_atomically(path, json.dumps(content).encode())  # ASCII with \u escapes, lone surrogates included
    _unlink(_text_file(path))
    return path


def lend(own: OwnFolder, unsaved: Unsaved) -> tuple[Unsaved, Path]:
    """Write text to a file for the person's own editor, as a draft that a kill does not lose. Raises FileError."""
    path = keep(own, unsaved._replace(path=None))
    text = _text_file(path)
    write_atomically(text, f"{unsaved.text}\n".encode("utf-8", "surrogateescape"))
    return unsaved._replace(path=path), text


def kept(own: OwnFolder, *, ours: bool = True) -> tuple[Unsaved, ...]:
    """What is written down, the newest first; with `ours` also by this process, which may be working on it.

    What says nothing new is cleaned up; what is no draft is left alone.
    """
    found = []
    for path in (own.path / _FOLDER).glob("*.json"):
        unsaved = _read(path, ours)
        if unsaved is None:
            continue
        if clean(unsaved.text) == clean(unsaved.base or ""):
            drop(unsaved)
        else:
            found.append(unsaved)
    return tuple(sorted(found, key=lambda unsaved: -unsaved.at))


def _read(path: Path, ours: bool) -> Unsaved | None:
    """One draft; None where there is none, or its writer still runs."""
    image = read_file(path, _MAX_BYTES)
    try:
        content = json.loads(image.data or b"")
        process = content.get("process")
        if _runs(process) or (process == os.getpid() and not ours):
            return None
        base = content["base"]
        text = str(content["text"])
        lent = read_file(_text_file(path), _MAX_BYTES).data
        if lent is not None:
            text = lent.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")
        return Unsaved(
            str(content["document"]), base if base is None else str(base), text, float(content["at"]), path
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _runs(process: object) -> bool:
    """Whether another `digit` of that number is running. In doubt it is not: a text is rather offered twice."""
    if not isinstance(process, int) or process in (0, os.getpid()) or sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
        return b"digit" in Path(f"/proc/{process}/cmdline").read_bytes()
    except (OSError, OverflowError):
        return False


def drop(unsaved: Unsaved) -> None:
    """It was saved, or given up on purpose."""
    if unsaved.path is not None:
        _unlink(unsaved.path)
        _unlink(_text_file(unsaved.path))


def _text_file(path: Path) -> Path:
    """The file that the person's own editor has."""
    return path.with_suffix(".md")


def _unlink(path: Path) -> None:
    with suppress(OSError):  # what cannot be removed is offered once more
        path.unlink(missing_ok=True)
