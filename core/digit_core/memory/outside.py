"""What others did to a memory file since we last saw it, told from our records and backups alone."""

from __future__ import annotations

from collections.abc import Sequence

from digit_core.disk.backups import Backups
from digit_core.errors import FileError
from digit_core.formats.document import parse
from digit_core.memory import words
from digit_core.memory.changes import DocumentName, Principal
from digit_core.memory.drafts import replay, steps_between
from digit_core.memory.history import FORGOTTEN, FileChange, History, Record, Step, last_touching


def noticed(
    history: History,
    backups: Backups,
    document: DocumentName,
    digest: str,
    texts: Sequence[str],
    stamp: tuple[str, float],
) -> Record | None:
    """The record of a change that somebody else made, or None when the file is as we last saw it.

    `digest` and `texts` are the file as it is now, read under its lock; `stamp` is the id and the time (epoch
    seconds) of the new record. Raises FileError when the history cannot be read.
    """
    head = history.head(document)
    if head is None or head == digest:
        return None
    before = _texts_at_head(history, backups, document, head)
    steps = () if before is None else tuple(steps_between(document, before, texts))
    summary = _summary(document, None if before is None else steps)
    return Record(*stamp, Principal.OUTSIDE, "", summary, steps, {document: FileChange(head, digest, None)})


def _texts_at_head(
    history: History, backups: Backups, document: DocumentName, head: str
) -> tuple[str, ...] | None:
    """The notes when we last saw the file: from a backup of that state, or of an earlier one and what the records
    say happened since."""
    for copy in backups.list(document):
        if head and head.startswith(copy.digest):
            return _texts(backups, copy.id)
    since: list[Record] = []
    for record in last_touching(history.records(), document):
        if record.cause == FORGOTTEN or record.cause == "forget":
            return None
        since.append(record)
        change = record.files[document]
        texts = () if change.before == "" else _texts(backups, change.backup)
        if texts is not None:
            steps = [step for one in reversed(since) for step in one.steps if step.document == document]
            return replay(texts, steps)
    return None


def _texts(backups: Backups, id: str | None) -> tuple[str, ...] | None:
    if id is None:
        return None
    try:
        return parse(backups.read(id)).texts
    except FileError:
        return None  # pruned, or damaged: then an earlier one has to do


def _summary(document: DocumentName, steps: Sequence[Step] | None) -> str:
    where = words.label(document)
    if steps is None:
        return f"{where} was changed outside"
    if not steps:
        return f"{where} was rewritten outside, its notes are the same"
    added = sum(step.before is None for step in steps)
    removed = sum(step.after is None for step in steps)
    counts = ((added, "added"), (len(steps) - added - removed, "changed"), (removed, "removed"))
    return f"{where} was changed outside: " + ", ".join(
        f"{number:,} {what}" for number, what in counts if number
    )
