"""Forgetting a text for good: out of the files, the history and the backups; and saying what could not be reached.

A file is written without a backup here: the backup would hold what is to be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from digit_core.disk.backups import Backups
from digit_core.disk.locking import FileLock, lock
from digit_core.disk.reading import read_file
from digit_core.disk.writing import write_atomically
from digit_core.errors import FileError
from digit_core.formats.document import Document, SpliceError, clean, fold, parse, splice_remove, to_bytes
from digit_core.memory import words
from digit_core.memory.changes import DocumentName, Principal
from digit_core.memory.history import FileChange, History, Record
from digit_core.text.digest import bytes_digest

if TYPE_CHECKING:
    from digit_core.memory.homes import Home

_AGENTS_OWN = (
    ("memories/recall.db", "the agent's search index may hold it until the agent rebuilds it"),
    ("state.db", "conversations are never written here, and may hold it"),
)
_MOST_NAMED = 5
"""Notes of a store that are named one by one."""
_MAY_HOLD = ("memories/*", "pending/*/*.json", "skills/**/SKILL.md")


class ForgetReport(NamedTuple):
    """What `forget` did."""

    file: int
    """Notes removed from the memory files."""
    history: int
    """Records of the history that lost texts."""
    backups: int
    """Backups removed."""
    could_not_reach: tuple[str, ...]
    """Where the text is, or may be, still: plain words, one line each."""
    ok: bool
    """False when nothing was done at all."""
    message: str


class Place(NamedTuple):
    """What of a home forgetting works on."""

    home: Home
    documents: tuple[DocumentName, ...]
    history: History
    backups: Backups
    stamp: tuple[str, float]
    """Id and time (epoch seconds) of the history's record."""
    timeout: float
    """Seconds to wait for each lock."""
    closed: str | None = None
    """Why history and backups cannot be written, if so."""


def forget(text: str, place: Place) -> ForgetReport:
    """Remove every note that is exactly `text`, and every trace of it in history and backups.

    In history and backups the text counts wherever it stands as whole lines, so earlier notes that it was a part of
    go too. Where it only is a part of a longer line it stays, since a short text would take everything with it; that
    is reported, for notes, history and backups alike. Never raises for what a disk can do.
    """
    wanted = clean(text)
    if not wanted:
        return _nothing("Forgetting needs the whole text of a note.")
    if place.closed is not None:
        return _nothing(f"Nothing was forgotten: history and backups would keep it. {place.closed}")
    try:
        with ExitStack() as stack:
            held = {
                name: stack.enter_context(lock(place.home.document_path(name), place.timeout))
                for name in sorted(place.documents)
                if place.home.memories.is_dir()
            }
            return _forget(wanted, place, held)
    except FileError as error:
        return _nothing(f"Not everything was forgotten. {error}")


def _forget(text: str, place: Place, held: dict[DocumentName, FileLock]) -> ForgetReport:
    holds = _holder(text)
    left: list[str] = []
    inside: list[str] = []
    notes = 0
    files: dict[DocumentName, FileChange] = {}
    for name, one in held.items():
        path = place.home.document_path(name)
        image = read_file(path)
        if image.data is None:
            if image.kind != "missing":
                left.append(f"{path} cannot be read: {image.problem}")
            continue
        before = parse(image.data)
        try:
            after = _without(before, text)
        except SpliceError as error:
            left.append(f"{path} still has it: {error}")
            continue
        if after.texts != before.texts:
            data = to_bytes(after)
            write_atomically(path, data, held=one)
            notes += len(before.texts) - len(after.texts)
            files[name] = FileChange(bytes_digest(image.data), bytes_digest(data), None)
        inside.extend(_inside_notes(words.label(name), [longer for longer in after.texts if text in longer]))
    record = Record(*place.stamp, Principal.PERSON, "forget", "Forgot a note for good", (), files)
    records = place.history.forget(holds, record if files else None)
    copies = _remove_backups(text, place, files, left)
    inside.extend(_inside_ours(text, place))
    message = _message(notes, records, copies, inside=bool(inside))
    return ForgetReport(notes, records, copies, (*left, *inside, *_elsewhere(place, text)), True, message)


def _holder(text: str) -> Callable[[str], bool]:
    """Says whether the text stands as whole lines in another."""
    lines = re.compile(rf"^\s*{re.escape(text)}\s*$", re.MULTILINE)
    return lambda other: text in other and lines.search(other) is not None


def _without(document: Document, text: str) -> Document:
    while text in document.texts:
        document = splice_remove(document, document.texts.index(text))
    return document


def _remove_backups(text: str, place: Place, files: dict[DocumentName, FileChange], left: list[str]) -> int:
    """Remove the backups that hold the text, and keep the files as they are now in their stead."""
    removed = 0
    for copy in place.backups.holding(text):
        try:
            removed += place.backups.remove(copy.id)
        except FileError as error:
            left.append(str(error))
    for name in files if removed else ():
        data = read_file(place.home.document_path(name)).data
        if data is not None:
            place.backups.keep(name, data)
    return removed


def _inside_notes(label: str, longer: list[str]) -> Iterator[str]:
    for text in longer[:_MOST_NAMED]:
        yield f"{label} has it inside a longer note: {words.excerpt(text)}. Edit that note, or forget it whole."
    if len(longer) > _MOST_NAMED:
        yield f"{label} has it inside {len(longer) - _MOST_NAMED:,} more notes."


def _inside_ours(text: str, place: Place) -> Iterator[str]:
    """History, backups and drafts that hold the text as a part of something longer."""
    way_out = "Forget that whole text to remove it there too"
    longer = [
        next(held for step in record.steps for held in step[1:] if held is not None and text in held)
        for record in place.history.records()
        if any(held is not None and text in held for step in record.steps for held in step[1:])
    ]
    if longer:
        records = words.count(len(longer), "history record")
        yield f"In {records} it is inside a longer text: {words.excerpt(longer[-1])}. {way_out}."
    copies = place.backups.holding(text, whole_lines=False)
    if copies:
        backups = words.count(len(copies), "backup")
        yield f"In {backups} it is inside a longer line, as in {copies[0].path}. {way_out}, or remove the file."
    for path in sorted((place.history.folder / "drafts").glob("*")):
        if _file_holds(path, text):
            yield f"{path} has it, as typed and not saved. Save or drop it in the app, or remove the file."


def _elsewhere(place: Place, text: str) -> Iterator[str]:
    """Files of the agent and of others that hold the text, or may hold it where it cannot be looked for."""
    home = place.home
    canonical = {home.document_path(name) for name in home.documents}
    for pattern in _MAY_HOLD:
        for path in sorted(home.path.glob(pattern)):
            if path not in canonical and path.suffix not in (".lock", ".db") and _file_holds(path, text):
                yield f"{path} has it; it is not ours to change. Remove the file if you want it gone."
    for name, why in _AGENTS_OWN:
        if (home.path / name).exists():
            yield f"{home.path / name}: {why}."
    yield "A session that is running keeps its memory as it was at its start, until it ends."


def _file_holds(path: Path, text: str) -> bool:
    data = read_file(path).data
    if data is None:
        return False
    held = fold(data.decode("utf-8", "replace"))
    if path.suffix in (".json", ".jsonl"):
        return any(text in string for string in _strings(held))
    return text in held


def _strings(text: str) -> Iterator[str]:
    """The texts in JSON, one value or one a line; the file itself where it is none."""
    import json  # 3 ms, and only forgetting looks into such files

    for part in [text] if text.lstrip().startswith("{\n") else text.split("\n"):
        try:
            yield from _leaves(json.loads(part))
        except ValueError:
            yield part


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one)


def _nothing(why: str) -> ForgetReport:
    return ForgetReport(0, 0, 0, (), False, why)


def _message(notes: int, records: int, copies: int, *, inside: bool) -> str:
    if not (notes or records or copies) and inside:
        return (
            "Nothing was forgotten: it is no whole note, but part of longer texts. They are left as they are."
        )
    if not (notes or records or copies):
        return "That text is in no memory file, no history record and no backup of this home."
    return (
        f"Forgotten for good: {words.count(notes, 'note')}, {words.count(records, 'history record')} and "
        f"{words.count(copies, 'backup')}. This cannot be undone."
    )
