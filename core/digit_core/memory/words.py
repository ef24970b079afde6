"""The words in which the store says what it did and why it did not: plain text, so that faces agree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from digit_core.memory.changes import DocumentName

_EXCERPT = 60


def label(document: DocumentName) -> str:
    """What a person calls a document: `MEMORY`, `USER`."""
    return document.upper()


def excerpt(text: str) -> str:
    """The first line with something in it, at most 60 code points, in quotation marks."""
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    return f"“{line if len(line) <= _EXCERPT else line[: _EXCERPT - 1].rstrip() + '…'}”"


def count(number: int, one: str, many: str = "") -> str:
    """`1 note`, `1,200 notes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def over_limit(document: DocumentName, used: int, limit: int, grows: int, after: int) -> str:
    """A change that would make a store too long: where it stands, what is too much, and the way out."""
    return (
        f"{label(document)} is at {used:,}/{limit:,} characters; this needs {grows:,} more, "
        f"{after - limit:,} too many: shorten it, or make room (remove, shorten or move notes)."
    )


def gone(document: DocumentName, became: str | None, held: int) -> str:
    """A note that is not there any more; `became` says what happened to it, as far as that is known."""
    what = became or "it was changed or removed since it was shown"
    return (
        f"That note is no longer in {label(document)}: {what}. Nothing was written. "
        f"{label(document)} now holds {count(held, 'note')}; look again, then decide."
    )


def became(text: str | None) -> str:
    """What a note that is gone turned into."""
    return "it was removed" if text is None else f"it now reads {excerpt(text)}"


def bad_bytes(path: Path, offsets: Sequence[int]) -> str:
    """A file that is not UTF-8."""
    many = f", the first of {len(offsets):,}" if len(offsets) > 1 else ""
    return (
        f"{path} holds a byte that is no UTF-8, at offset {offsets[0]:,}{many}. It is left as it is, so that "
        "nothing is lost: restore a backup, or save the file as UTF-8, then try again."
    )


def identity_form(path: Path) -> str:
    """A file with entry identities (facts 1.9)."""
    return (
        f"{path} carries entry identities, an experimental form of the agent's. It can be read here, and is "
        "never written: change it with the program that made it."
    )


def no_folder(path: Path) -> str:
    """A file that lies where the folder of the memory files belongs."""
    return f"{path} is a file where a folder is needed. Nothing was written. Move it away and try again."


def drift_mended(kind: str) -> str:
    """What puts a drifted file right, by the kind of its drift."""
    if kind == "long entry":
        return "Splitting or shortening that note puts that right."
    return "Tidying it puts that right."


def disabled(document: DocumentName, key: str, path: Path, exists: bool) -> str:
    """A store that is turned off in the config (F154)."""
    there = f"{path} is there and stays as it is." if exists else f"{path} does not exist."
    return f"{label(document)} is turned off ({key} is false in config.yaml), so it is not written. {there}"


def no_backup(folder: Path, why: str) -> str:
    """A change that was not made because it could not have been taken back."""
    return f"No backup could be kept in {folder}, so nothing was written. {why}"


def no_history(why: str) -> str:
    """A change that was made and could not be noted."""
    return f"The change is saved, but could not be noted in the history, so it cannot be undone. {why}"


def not_as_written(path: Path, backup: str | None) -> str:
    """A file that, read again, does not hold what was just written."""
    kept = f" What it held before is in backup {backup}." if backup else ""
    return (
        f"{path} was written, and does not hold what was written: another program changed it at once.{kept}"
    )


def nothing_to_do(duplicate: bool, documents: Sequence[DocumentName]) -> str:
    """A change that the files are already in accord with."""
    where = " and ".join(label(name) for name in documents)
    if duplicate:
        return f"{where} has exactly this note already; no duplicate was added."
    return f"{where} already is as asked; nothing had to be written."


def taken_back(undone: bool, summary: str) -> str:
    """The summary of an undo or redo, from that of the record it takes back."""
    plain = summary.removeprefix("Undid: ").removeprefix("Redid: ")
    return f"Undid: {plain}" if undone else f"Redid: {plain}"


def principal(who: str) -> str:
    """A change by somebody who may not write directly."""
    return (
        f"A change by {who!r} is not written directly: it has to pass the person's approval, and that gate is not "
        "there yet. Nothing was written."
    )


def profile(path: Path) -> str:
    """A Profile's memory."""
    return f"{path} is a Profile: its memory can be read here, and is not changed. Nothing was written."


def home_gone(path: Path) -> str:
    """A home whose folder was moved away or unmounted while it is open."""
    return (
        f"The home {path} is not there any more, and no other is made in its place. Nothing was written. "
        "Bring it back (is its disk mounted?), then try again."
    )
