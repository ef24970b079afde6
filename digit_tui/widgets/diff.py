"""What differs between two texts, by lines and words, as paragraphs of a `Page`. Signs as well as colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from digit_tui.widgets.page import Paragraph, Run, plain

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_MOST_WORDS = 4_000
"""Words of a pair of lines that are compared one by one (10 ms); longer lines differ as a whole."""

MINUS, PLUS = "−", "+"


def difference(before: str | None, after: str | None) -> tuple[Paragraph, ...]:
    """How `before` became `after`; None is a note that was not there."""
    if before is None or after is None:
        style, mark = ("removed", MINUS) if after is None else ("added", PLUS)
        text = before if after is None else after
        return tuple(plain(line, style, mark) for line in (text or "").split("\n"))
    return tuple(_paragraphs(before.split("\n"), after.split("\n")))


def marked(text: str, other: str | None, *, style: str) -> tuple[Paragraph, ...]:
    """`text` whole, with the words that `other` does not have in `style` (`added` or `removed`)."""
    if other is None:
        return tuple(plain(line) for line in text.split("\n"))
    mine, theirs = text.split("\n"), other.split("\n")
    found: list[Paragraph] = []
    for kind, start, end, from_, to in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        for number in range(start, end):
            facing = from_ + number - start
            if kind == "equal":
                found.append(plain(mine[number], mark=" "))
            else:
                line = theirs[facing] if facing < to else ""
                found.append(_line_against(mine[number], line, style))
    return tuple(found)


def _line_against(line: str, other: str, style: str) -> Paragraph:
    if not line:
        return plain("", style, "~")
    _, runs = _by_words(other, line, "text", "text", "text", f"{style}-word")
    return Paragraph(runs, "~", "text")


def _paragraphs(old: Sequence[str], new: Sequence[str]) -> Iterator[Paragraph]:
    for kind, start, end, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (plain(line, "same", " ") for line in old[start:end])
            continue
        pairs = min(end - start, to - from_)
        for number in range(pairs):
            minus, plus = _by_words(
                old[start + number], new[from_ + number], "removed", "removed-word", "added", "added-word"
            )
            yield Paragraph(minus, MINUS, "removed")
            yield Paragraph(plus, PLUS, "added")
        yield from (plain(line, "removed", MINUS) for line in old[start + pairs : end])
        yield from (plain(line, "added", PLUS) for line in new[from_ + pairs : to])


def _by_words(
    old: str, new: str, kept: str, gone: str, stays: str, came: str
) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The runs of two lines: words they share in one style each, the others in another."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if len(before) + len(after) > _MOST_WORDS:
        return ((old, gone),), ((new, came),)
    left: list[Run] = []
    right: list[Run] = []
    for kind, start, end, from_, to in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same = kind == "equal"
        if start < end:
            left.append(("".join(before[start:end]), kept if same else gone))
        if from_ < to:
            right.append(("".join(after[from_:to]), stays if same else came))
    return tuple(left), tuple(right)
