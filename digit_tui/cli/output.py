"""What the command line prints: data on stdout, words about it on stderr, nothing that could drive a terminal.

Text of files goes through `digit_core.text.visible`. A stream that cannot hold a character gets one that it can,
and a reader that has gone away ends the command quietly (F105, F119).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from digit_core.text.measure import fit, width
from digit_core.text.visible import one_line, visible

_ASCII = str.maketrans(
    {
        "§": "S",
        "—": "-",
        "–": "-",
        "═": "=",
        "│": "|",
        "◆": "*",
        "●": "o",
        "⚑": "!",
        "≈": "~",
        "…": "...",
        "·": "-",
    }
    | {"“": '"', "”": '"', "’": "'", "→": "->", "←": "<-", "⏎": "|", "▰": "#", "▱": ".", "␛": "^["}
)


class Output:
    """Collects what a command says and hands it to the two streams."""

    __slots__ = ("_closed", "json")

    def __init__(self, json: bool = False) -> None:
        self.json = json
        """Whether data is printed as JSON; then words never go to stdout."""
        self._closed = False

    def line(self, text: str = "") -> None:
        """One line of data that is ours or has been made visible already."""
        self._write(sys.stdout, text + "\n")

    def lines(self, texts: Iterable[str]) -> None:
        """Several lines in one write."""
        self._write(sys.stdout, "".join(f"{text}\n" for text in texts))

    def say(self, text: str) -> None:
        """Words about what was done: stderr, so that stdout stays data."""
        self._write(sys.stderr, visible(text) + "\n")

    def data(self, value: object) -> None:
        """One JSON value. Control, C1, bidirectional and lone surrogate code points are escaped in it."""
        import json  # 3 ms that a command without --json need not pay

        text = json.dumps(value, ensure_ascii=not _holds_unicode(sys.stdout), indent=2)
        self._write(sys.stdout, _escape_hidden(text) + "\n")

    def _write(self, stream: TextIO, text: str) -> None:
        if self._closed:
            return
        try:
            stream.write(_fitting(stream, text))
            stream.flush()
        except BrokenPipeError:
            # `| head -1`: the reader has what it wanted. The interpreter must not flush again when it ends.
            self._closed = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _holds_unicode(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "").startswith("utf")


def _fitting(stream: TextIO, text: str) -> str:
    """`text` in what the stream's encoding can hold: signs become ASCII art, the rest `?`."""
    if _holds_unicode(stream):
        return text
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "replace").decode(encoding)
    return text


def _escape_hidden(text: str) -> str:
    """JSON source in which everything `visible` would replace is a `\\u` escape: it means the same."""
    shown = visible(text)
    if shown == text:
        return text
    return "".join(old if old == new else _escaped(old) for old, new in zip(text, shown, strict=True))


def _escaped(code: str) -> str:
    point = ord(code)
    if point <= 0xFFFF:
        return f"\\u{point:04x}"
    high, low = divmod(point - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def cells(text: str) -> str:
    """File text for one cell of a table: one line, visible."""
    return one_line(text)


def table(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as aligned lines, two blanks between columns; columns in `right` are right-aligned. Cells are visible."""
    rows = list(rows)
    if not rows:
        return []
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    last = len(widths) - 1
    lines = []
    for row in rows:
        parts = [
            cell
            if column == last and column not in right
            else fit(cell, widths[column], "right" if column in right else "left")
            for column, cell in enumerate(row)
        ]
        lines.append("  ".join(parts).rstrip())
    return lines
