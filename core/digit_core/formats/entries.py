"""The bytes of a memory file in the Digit/Hermes dialect, and the entries in them (facts 1.2, 1.9).

    entry LF § LF entry LF § LF entry

Reading is what the agent does in text mode: line ends folded to LF, split on the full delimiter, pieces
stripped, empty pieces dropped. Beside that every entry knows where it lies, so that a change can leave all
other bytes alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SIGN = "§"
DELIMITER = "\n§\n"
"""Between two entries, as the agent writes it: bytes 0A C2 A7 0A."""

_BOM = b"\xef\xbb\xbf"
_RAW_DELIMITER = re.compile("(?:\r\n|\r|\n)§(?:\r\n|\r|\n)")
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
_IDENTITIES = re.compile(r"<!--\s*hermes-memory-identities:v\d+\s*-->")
_IDENTITY_LINES = re.compile(r"(?:<!--\s*hermes-memory-(?:identities|entry):[^\r\n]*?-->\s*)+")


class Entry(NamedTuple):
    """One entry: its text, and where it lies in the document."""

    text: str
    """Stripped as `str.strip` does, line ends folded to LF. Never empty."""
    start: int
    """Code points from the start of `Document.raw` to the first of the stripped text."""
    end: int
    """Code points from the start of `Document.raw` to behind its last."""


class Document(NamedTuple):
    """One memory file, parsed. `to_bytes` gives back the very bytes."""

    raw: str
    """The decoded file without a leading byte order mark. Bytes that are no UTF-8 are lone surrogates
    (`surrogateescape`)."""
    bom: bool
    """The file begins with a byte order mark; it is no part of the first entry (facts 12)."""
    entries: tuple[Entry, ...]
    newline: str
    """The dominant line end, "\\n" or "\\r\\n": new text is written with it."""
    bad_bytes: tuple[int, ...]
    """Offsets in the file, in bytes, of every byte that is no UTF-8."""
    identities: bool
    """The file is in the form with entry identities, which is read and never written (facts 1.9)."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the entries, in order."""
        return tuple(entry.text for entry in self.entries)


class ContentFault(NamedTuple):
    """Why a text cannot be stored as one entry."""

    kind: str
    """`empty` or `delimiter`."""
    line: int
    """The offending line, from 1."""
    message: str


def fold(text: str) -> str:
    """Fold CR LF and lone CR to LF, as reading in text mode does."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def clean(text: str) -> str:
    """Give `text` the form in which an entry is stored: line ends folded to LF, stripped."""
    return fold(text).strip()


def content_fault(text: str) -> ContentFault | None:
    """Say why `text`, once clean, cannot be one entry: it is empty, or a line of it is exactly §.

    Such a line would cut the entry in two at the next reading (facts 1.2, 13). A § inside a line is content.
    """
    text = clean(text)
    if not text:
        return ContentFault("empty", 1, "There is no text.")
    if SIGN not in text:
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if line == SIGN:
            message = f"Line {number} is just §, which separates notes: the note would be cut in two there."
            return ContentFault("delimiter", number, message)
    return None


def length(texts: Sequence[str]) -> int:
    """Code points of the joined texts, three for each delimiter: what limits count (facts 1.3)."""
    return sum(map(len, texts)) + len(DELIMITER) * max(0, len(texts) - 1)


def parse(data: bytes) -> Document:
    """Read the bytes of a memory file. Any bytes can be read; `to_bytes` is the exact inverse."""
    bom = data.startswith(_BOM)
    body = data[len(_BOM) :] if bom else data
    bad: tuple[int, ...] = ()
    try:
        raw = body.decode("utf-8")
    except UnicodeDecodeError:
        raw = body.decode("utf-8", "surrogateescape")
        bad = tuple(_bad_offsets(raw, len(_BOM) if bom else 0))
    identities = _IDENTITIES.match(raw) is not None
    entries = _with_line_ends(raw) if "\r" in raw else _plain(raw)
    if identities:
        entries = _without_identities(raw, entries)
    with_cr = raw.count("\r\n")
    newline = "\r\n" if with_cr > raw.count("\n") - with_cr else "\n"
    return Document(raw, bom, tuple(entries), newline, bad, identities)


def to_bytes(document: Document) -> bytes:
    """The bytes of a document. UnicodeEncodeError when it holds a surrogate that stands for no byte."""
    return (_BOM if document.bom else b"") + document.raw.encode("utf-8", "surrogateescape")


def delimiters(raw: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Spans of the delimiters in a stretch of `raw` that lies between entries, with any of the line ends."""
    return tuple(found.span() for found in _RAW_DELIMITER.finditer(raw, start, end))


def line_of(raw: str, offset: int) -> int:
    """The line, from 1, on which an offset of `raw` lies."""
    return fold(raw[:offset]).count("\n") + 1


def _plain(raw: str) -> Iterator[Entry]:
    """Entries of a text that has LF only: the usual file, and the fast way."""
    position = 0
    for piece in raw.split(DELIMITER):
        text = piece.strip()
        if text:
            start = position if len(text) == len(piece) else position + len(piece) - len(piece.lstrip())
            yield Entry(text, start, start + len(text))
        position += len(piece) + len(DELIMITER)


def _with_line_ends(raw: str) -> Iterator[Entry]:
    """Entries of a text with CR in it. Stripping before folding gives the same: both line ends are blanks."""
    position = 0
    borders = [found.span() for found in _RAW_DELIMITER.finditer(raw)]
    for end, following in [*borders, (len(raw), len(raw))]:
        piece = raw[position:end]
        text = piece.strip()
        if text:
            start = position + len(piece) - len(piece.lstrip())
            yield Entry(fold(text), start, start + len(text))
        position = following


def _without_identities(raw: str, entries: Iterator[Entry]) -> Iterator[Entry]:
    """Entries without the comment lines that name them, which are no prose."""
    for entry in entries:
        found = _IDENTITY_LINES.match(raw, entry.start, entry.end)
        if found is None:
            yield entry
        elif found.end() < entry.end:
            yield Entry(fold(raw[found.end() : entry.end]), found.end(), entry.end)


def _bad_offsets(raw: str, base: int) -> Iterator[int]:
    """Where in the file, in bytes, the escaped bytes of `raw` lie."""
    position, offset = 0, base
    for found in _ESCAPED_BYTE.finditer(raw):
        offset += len(raw[position : found.start()].encode("utf-8"))
        yield offset
        position, offset = found.end(), offset + 1
