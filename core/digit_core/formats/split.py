"""Proposing where one long text without delimiters could be cut into notes (faults 4 and 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from digit_core.formats.entries import SIGN, clean
from digit_core.formats.fences import fences

# Given to `re` as strings: compiled at the first use, not at every start of a command.
_BULLET = r"(?:[-*+]|\d{1,3}[.)])[ \t]+\S"
_HEADING = r"#{1,6}[ \t]"
_TABLE = r"(?m)^[^\n]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*$(?:\n[^\n]*\|[^\n]*)*"
_HEADING_MARKS = ("## ", "# ", "### ")
_PROSE_PIECES = 3
_PROSE_LENGTH = 600
"""Bullets and paragraphs alone are usual in one note; from three pieces and this many code points on, ask."""


class _Line(NamedTuple):
    text: str
    solid: bool
    """Inside a fence or a table: no border before it."""


_Part = list[_Line]
_Border = Callable[[_Line, _Line], bool]
"""Whether a new note begins at the second line, the first being the one before it."""


def propose_split(text: str) -> tuple[str, ...]:
    """Notes that `text` could be cut into; one when nothing suggests a border, none when there is no text.

    Lines that are § but for blanks around it, which the agent does not take for a border, are borders here
    and go. Then by headings, or else by top-level bullets, or else by paragraphs; a heading stays with what
    it heads, text before the first is a note of its own. Never inside a code fence or a table. No other
    non-blank character is lost.
    """
    parts = _by_signs(text)
    if len(parts) == 1:
        parts = _by_headings(parts[0]) or _by_bullets(parts[0]) or _by_paragraphs(parts[0])
    else:
        parts = [piece for part in parts for piece in _by_headings(part) or [part]]
    return tuple(map(_text, parts))


def at_delimiters(text: str) -> tuple[str, ...]:
    """What becomes of a text that is cut at its lines which are just §: the notes its writer may have meant (F1)."""
    pieces = re.split("(?m)^§$", clean(text))
    return tuple(piece.strip() for piece in pieces if piece.strip())


def likely_split(text: str) -> tuple[str, ...]:
    """The proposal when one note is likely several, else (): it has headings or § lines, or is long prose."""
    if len(text) < _PROSE_LENGTH and "#" not in text and SIGN not in text:
        return ()
    proposal = propose_split(text)
    if len(proposal) >= _PROSE_PIECES and len(text) >= _PROSE_LENGTH:
        return proposal
    parts = _by_signs(text)
    return proposal if len(parts) > 1 or any(map(_by_headings, parts)) else ()


def _lines(text: str) -> _Part:
    """The lines of a text, those inside a fence or a table marked."""
    solid = [(fence.start, fence.end) for fence in fences(text) if fence.closed]
    if "|" in text:
        solid += [found.span() for found in re.finditer(_TABLE, text)]
    inside: set[int] = set()
    for start, end in solid:
        first = text.count("\n", 0, start)
        inside.update(range(first + 1, first + 1 + text.count("\n", start, end)))
    return [_Line(line, number in inside) for number, line in enumerate(text.split("\n"))]


def _text(part: _Part) -> str:
    """The text of a part, stripped."""
    return "\n".join(line.text for line in part).strip()


def _by_signs(text: str) -> list[_Part]:
    """Cut at § lines, which go. Parts without text go too."""
    parts: list[_Part] = []
    for stretch in re.split("(?m)^§$", clean(text)):  # such a line cuts a fence as well
        parts.append([])
        for line in _lines(stretch):
            if not line.solid and line.text.strip() == SIGN:
                parts.append([])
            else:
                parts[-1].append(line)
    return [found for found in parts if _text(found)]


def _by_headings(part: _Part) -> list[_Part]:
    """Cut before each heading of the level that notes are usually written with; [] when that cuts nothing."""
    for mark in _HEADING_MARKS:
        pieces = _cut(part, partial(_headed, mark))
        if len(pieces) > 1:
            return pieces
    return []


def _headed(mark: str, _: _Line, line: _Line) -> bool:
    """A line that is a heading of the level of `mark`."""
    return line.text.startswith(mark)


def _by_bullets(part: _Part) -> list[_Part]:
    """Cut before each top-level bullet; nothing when there are not two of them."""
    if sum(not line.solid and _is_bullet(line) for line in part) < 2:
        return []
    pieces = _cut(part, lambda before, line: _is_bullet(line) or _paragraph(before, line))
    return list(_with_headings(pieces))


def _by_paragraphs(part: _Part) -> list[_Part]:
    """Cut before each paragraph."""
    return list(_with_headings(_cut(part, _paragraph)))


def _is_bullet(line: _Line) -> bool:
    return re.match(_BULLET, line.text) is not None


def _paragraph(before: _Line, line: _Line) -> bool:
    """A line that is not indented, behind a blank one."""
    return not before.text.strip() and line.text[:1].strip() != ""


def _cut(part: _Part, border: _Border) -> list[_Part]:
    """Cut before every line at which `border` sees a new note, unless it is inside a fence or a table."""
    pieces: list[_Part] = [[]]
    before = _Line("", False)
    for line in part:
        if pieces[-1] and not line.solid and border(before, line):
            pieces.append([])
        pieces[-1].append(line)
        before = line
    return [piece for piece in pieces if _text(piece)]


def _with_headings(parts: list[_Part]) -> Iterator[_Part]:
    """Put a part that is nothing but sub-headings before what it heads."""
    held: _Part = []
    for part in parts:
        if _is_subheading(part):
            held += part
        else:
            yield held + part
            held = []
    if held:
        yield held


def _is_subheading(part: _Part) -> bool:
    return all(not line.text.strip() or re.match(_HEADING, line.text) is not None for line in part)
