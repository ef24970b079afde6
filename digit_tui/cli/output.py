"""What the command line prints: data on stdout, words about it on stderr, nothing that could drive a terminal.

Text of files goes through `digit_core.text.visible`. A pipe and a file get UTF-8, whatever the locale says: with
less, notes in Russian would come out as question marks. A terminal that cannot hold a sign gets one that it can. A
reader that has gone away ends the output quietly (F105, F119).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from digit_core.text.measure import clip, fit, width
from digit_core.text.visible import one_line, visible
from digit_tui.cli import exits

_SURROGATE = re.compile("[\ud800-\udfff]")
_ASCII = str.maketrans(
    {"§": "S", "—": "-", "–": "-", "═": "=", "│": "|", "◆": "*", "●": "o", "⚑": "!", "≈": "~", "…": "..."}
    | {"·": "-", "“": '"', "”": '"', "’": "'", "→": "->", "←": "<-", "⏎": "|", "▰": "#", "▱": ".", "␛": "^["}
)


class Output:
    """Takes what a command says and hands it to the two streams."""

    __slots__ = ("_lost", "json")

    def __init__(self, json: bool = False) -> None:
        self.json = json
        """Whether data is printed as JSON; then words never go to stdout."""
        self._lost = False
        for stream in (sys.stdout, sys.stderr):
            _prepare(stream)

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
        """One JSON value."""
        self._write(sys.stdout, json_text(value, ascii_only=not _holds_unicode(sys.stdout)) + "\n")

    def fail(self, reason: str, message: str) -> None:
        """Why nothing came of the command: words, or JSON with a word that stays the same."""
        if self.json:
            self.data({"ok": False, "reason": reason, "message": message})
        else:
            self.say(message)

    def code(self, code: int) -> int:
        """The exit code in the end: data that could not be printed is a failure, whatever was done before."""
        return exits.FAILED if self._lost and code == exits.DONE else code

    def _write(self, stream: TextIO | None, text: str) -> None:
        if stream is None or not text:
            return
        try:
            stream.write(_fitting(stream, text))
            stream.flush()
        except BrokenPipeError:  # `| head -1`: the reader has what it wanted
            _let_go(stream)
        except OSError as error:
            _let_go(stream)
            if stream is sys.stdout:
                self._lost = True
                self.say(f"The output could not be written: {error.strerror or error}.")


def _prepare(stream: TextIO | None) -> None:
    """Make a stream that is no terminal UTF-8. A text that slips through with a lone surrogate raises nowhere."""
    reconfigure = getattr(stream, "reconfigure", None)
    if stream is None or reconfigure is None or stream.closed:
        return
    if _holds_unicode(stream) or stream.isatty():
        reconfigure(errors="replace")
    else:
        reconfigure(encoding="utf-8", errors="replace")


def _let_go(stream: TextIO) -> None:
    """Lead a broken stream nowhere: the interpreter flushes it once more when it ends."""
    with suppress(OSError, ValueError):  # a stand-in in tests has no descriptor
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _holds_unicode(stream: TextIO | None) -> bool:
    """Whether a stream takes every character; one without an encoding is no file, and does."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return encoding.lower().startswith(("utf", "cp65001"))


def _fitting(stream: TextIO, text: str) -> str:
    """`text` in what the stream's encoding can hold: signs become ASCII art, the rest `?`."""
    if _holds_unicode(stream):
        return text
    try:
        text.encode(stream.encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(stream.encoding, "replace").decode(stream.encoding)
    return text


def json_text(value: object, *, ascii_only: bool = False) -> str:
    """A value as JSON in which everything `visible` would replace is a `\\u` escape: it means the same.

    But for lone surrogates, which stand for bytes that are no UTF-8: strict readers refuse even their escapes, so
    they are U+FFFD.
    """
    import json  # 3 ms that a command without --json need not pay

    text = _SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False, indent=2))
    shown = visible(text)
    if shown != text:
        text = "".join(old if old == new else _escaped(old) for old, new in zip(text, shown, strict=True))
    return "".join(code if code.isascii() else _escaped(code) for code in text) if ascii_only else text


def has_bad_bytes(text: str) -> bool:
    """Whether there are bytes in it that are no UTF-8: each is a lone surrogate, and U+FFFD in JSON."""
    return _SURROGATE.search(text) is not None


def _escaped(code: str) -> str:
    point = ord(code)
    if point <= 0xFFFF:
        return f"\\u{point:04x}"
    high, low = divmod(point - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def cells(text: str) -> str:
    """File text for one cell of a table: one line, visible."""
    return one_line(text)


def count(number: int, word: str) -> str:
    """`1 note`, `1,200 notes`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def table(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as aligned lines, two blanks between columns; columns in `right` are right-aligned. Cells are visible.

    At a terminal the last column is cut to what fits; a pipe gets all of it.
    """
    rows = list(rows)
    if not rows:
        return []
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    last = len(widths) - 1
    room = _columns() - sum(widths[:-1]) - 2 * last
    if last not in right and room < widths[last]:
        rows = [(*row[:-1], clip(row[-1], max(room, 8))) for row in rows]
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


def _columns() -> int:
    """Columns of the terminal that the data goes to; no end of them when it goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError, AttributeError):  # no terminal, no descriptor, or no stream at all
        return sys.maxsize
