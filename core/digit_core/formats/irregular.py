"""What is odd about a memory file: what the agent would call drift, and what a person wants to know of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from digit_core.formats.entries import DELIMITER, SIGN, Document, delimiters, fold, length, line_of
from digit_core.formats.fences import FENCE_MARKS, fences
from digit_core.formats.split import likely_split

# Given to `re` as strings: compiled at the first use, not at every start of a command.
_LINE_END = "\r\n|\r|\n"
_MERGE_MARKS = ("<<<<<<<", ">>>>>>>")


class Drift(NamedTuple):
    """Why the agent would refuse to replace or remove anything in the file (facts 1.7)."""

    kind: str
    """`padding` or `long entry`."""
    message: str
    line: int
    """In the file, from 1."""


class Irregularity(NamedTuple):
    """One odd thing in a file. None of them stops a person from working with it."""

    kind: str
    """`stray delimiter`, `near delimiter`, `no delimiter`, `unbalanced fence`, `merge marks`, `bom`, `crlf`,
    `mixed line ends`, `bad bytes` or `duplicate`."""
    line: int
    """In the file, from 1."""
    message: str


def drift(document: Document, limit: int | None = None) -> Drift | None:
    """What the agent would call drift: notes that, joined again, are not the stripped file, or a note
    longer than `limit` code points, the limit of the whole store. None for `limit` leaves that test out.
    """
    if document.identities:
        return None
    if fold(document.raw).strip() != DELIMITER.join(document.texts):
        line = line_of(document.raw, _padded(document))
        return Drift("padding", f"Line {line}: blanks or a second § stand where notes are separated.", line)
    if limit is None:
        return None
    for entry in document.entries:
        if len(entry.text) > limit:
            line = line_of(document.raw, entry.start)
            size = f"{len(entry.text):,} characters, more than the whole store may hold ({limit:,})"
            return Drift("long entry", f"The note at line {line} has {size}.", line)
    return None


def irregularities(document: Document) -> tuple[Irregularity, ...]:
    """Everything odd about a document, in the order of lines.

    Looked for at every start and every change: 1 ms for 1,200 ordinary notes, since what cannot be there is told
    from the whole text, and only what may be there is looked for line by line (7 ms).
    """
    raw, lines = document.raw, _Lines(document.raw)
    found = list(_of_bytes(document, lines))
    # Each note but the first stands behind a § of its own. Where there are no others, none is odd.
    odd_signs = raw.count(SIGN) != max(0, len(document.entries) - 1)
    if odd_signs or any(mark in raw for mark in _MERGE_MARKS):
        found += _of_lines(lines)
    if odd_signs:
        found += _strays(document, lines)
    found += _repeated(document, lines)
    if any(mark in raw for mark in FENCE_MARKS):
        found += _unclosed(document, lines)
    found += _undivided(document, lines)
    return tuple(sorted(found, key=lambda odd: odd.line))


class _Lines:
    """The lines of a raw text, with any of the line ends, and on which of them an offset lies."""

    __slots__ = ("_raw", "_starts", "_texts")

    def __init__(self, raw: str) -> None:
        self._raw = raw
        self._texts: list[str] | None = None
        self._starts: list[int] | None = None

    @property
    def texts(self) -> list[str]:
        """The lines. Cut at the first use: most files have nothing odd, and then nobody asks."""
        if self._texts is None:
            self._texts = fold(self._raw).split("\n")
        return self._texts

    def number(self, offset: int) -> int:
        """The line, from 1, of an offset in code points."""
        if self._starts is None:
            line_end = _LINE_END if "\r" in self._raw else "\n"  # a plain letter is found ten times as fast
            self._starts = [found.end() for found in re.finditer(line_end, self._raw)]
        return bisect_right(self._starts, offset) + 1


def _padded(document: Document) -> int:
    """Where the first gap is that is not just a delimiter: offset in `raw`."""
    end = len(document.raw)
    starts = [entry.start for entry in document.entries] or [end]
    before = delimiters(document.raw, 0, starts[0])
    if before:
        return before[0][0]
    for entry, following in zip(document.entries, [*starts[1:], end], strict=False):
        gap = fold(document.raw[entry.end : following])
        if gap != DELIMITER and (following != end or SIGN in gap):
            return entry.end
    return 0


def _of_bytes(document: Document, lines: _Lines) -> Iterator[Irregularity]:
    """Byte order mark, line ends, bytes that are no UTF-8."""
    raw = document.raw
    if document.bom:
        message = "The file begins with a byte order mark; it is no part of the first note."
        yield Irregularity("bom", 1, message)
    with_cr = raw.count("\r\n")
    alone_cr, alone_lf = raw.count("\r") - with_cr, raw.count("\n") - with_cr
    if (with_cr > 0) + (alone_cr > 0) + (alone_lf > 0) > 1:
        counts = f"{alone_lf} LF, {with_cr} CR LF, {alone_cr} CR"
        yield Irregularity("mixed line ends", 1, f"Line ends are mixed ({counts}). They stay as they are.")
    elif with_cr or alone_cr:
        form = "CR LF" if with_cr else "CR"
        message = f"Line ends are {form}. They stay as they are; the agent would write LF."
        yield Irregularity("crlf", 1, message)
    if document.bad_bytes:
        # Every bad byte is one lone surrogate, and a parsed document has no others.
        line = lines.number(next(at for at, char in enumerate(raw) if "\udc80" <= char <= "\udcff"))
        count, first = len(document.bad_bytes), document.bad_bytes[0]
        what = "1 byte is" if count == 1 else f"{count} bytes are"
        message = f"{what} not UTF-8, the first at byte {first} (line {line}): the agent cannot read this."
        yield Irregularity("bad bytes", line, message)


def _of_lines(lines: _Lines) -> Iterator[Irregularity]:
    """§ lines with blanks around the sign, and what a merge left behind."""
    for line, text in enumerate(lines.texts, 1):
        if text != SIGN and SIGN in text and text.strip() == SIGN:
            message = f"Line {line} is § with blanks around it: the agent does not separate notes there."
            yield Irregularity("near delimiter", line, message)
        elif text.startswith(_MERGE_MARKS) and not text[7:8].strip():
            message = f"Line {line} is a mark that an unfinished merge left behind."
            yield Irregularity("merge marks", line, message)


def _strays(document: Document, lines: _Lines) -> Iterator[Irregularity]:
    """§ lines that separate nothing: repeated, before the first note, behind the last, at the edge of one."""
    entries = document.entries
    signs = [line for line, text in enumerate(lines.texts, 1) if text == SIGN]
    if len(signs) < max(1, len(entries)):
        return
    used = set()
    for entry, following in pairwise(entries):
        border = delimiters(document.raw, entry.end, following.start)[0]
        used.add(lines.number(border[0]) + 1)
    for line in signs:
        if line not in used:
            yield Irregularity("stray delimiter", line, f"Line {line} is a § that separates nothing.")


def _repeated(document: Document, lines: _Lines) -> Iterator[Irregularity]:
    """Notes that say the same as one before them."""
    texts = document.texts
    if len(set(texts)) == len(texts):
        return
    first: dict[str, int] = {}
    for index, text in enumerate(texts):
        if first.setdefault(text, index) != index:
            message = f"Note {index + 1} is the same as note {first[text] + 1}."
            yield Irregularity("duplicate", lines.number(document.entries[index].start), message)


def _unclosed(document: Document, lines: _Lines) -> Iterator[Irregularity]:
    """Fences that do not close inside their note."""
    for text, start, _ in document.entries:
        for fence in fences(text):
            if not fence.closed:
                line = lines.number(start) + text.count("\n", 0, fence.start)
                message = f"The code fence at line {line} is not closed inside its note."
                yield Irregularity("unbalanced fence", line, message)


def _undivided(document: Document, lines: _Lines) -> Iterator[Irregularity]:
    """One note that looks like several."""
    entries = document.entries
    if len(entries) == 1 and (pieces := len(likely_split(entries[0].text))):
        size = length(document.texts)
        message = f"No § separates notes here: {size:,} characters are one note, which could become {pieces}."
        yield Irregularity("no delimiter", lines.number(entries[0].start), message)
