"""What differs between two texts, by lines and words, as paragraphs of a `Page`. Signs as well as colour."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from digit_core.text.measure import clusters
from digit_tui.widgets.page import Paragraph, Run, plain

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_IDEOGRAPH = re.compile("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# Latin, Greek, Cyrillic, dashes and quotation marks: each code point is a cluster.
_SIMPLE = re.compile("[\t -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027]*")
_MOST_PAIRS = 100_000
"""Pairs of lines, or of words, that are compared (100 ms at worst); what is larger differs as a whole."""

MINUS, PLUS = "−", "+"

Block = tuple[bool, int, int, int, int]
"""Whether it is the same in both, its start and end in the one, its start and end in the other."""


class Effort:
    """How much comparing is still worth its time; one for all differences that are shown together."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST_PAIRS

    def affords(self, pairs: int) -> bool:
        """Whether so many pairs may be compared; takes them off."""
        enough = pairs <= self.left
        self.left -= pairs * enough
        return enough


def difference(before: str | None, after: str | None, effort: Effort | None = None) -> tuple[Paragraph, ...]:
    """How `before` became `after`; None is a note that was not there."""
    if before is None or after is None:
        style, mark = ("removed", MINUS) if after is None else ("added", PLUS)
        text = before if after is None else after
        return tuple(plain(line, style, mark) for line in (text or "").split("\n"))
    return tuple(_paragraphs(before.split("\n"), after.split("\n"), effort or Effort()))


def marked(text: str, other: str | None) -> tuple[Paragraph, ...]:
    """`text` whole, with a sign before each line that `other` does not have and its own words underlined."""
    mine, theirs = text.split("\n"), (other or "").split("\n")
    if other is None:
        return tuple(plain(line) for line in mine)
    effort = Effort()
    found: list[Paragraph] = []
    for same, start, end, from_, to in _blocks(mine, theirs, effort):
        for number in range(start, end):
            facing = from_ + number - start
            if same:
                found.append(plain(mine[number], mark=" "))
            else:
                line = theirs[facing] if facing < to else ""
                _, runs = _by_words(line, mine[number], _OWN, effort)
                found.append(Paragraph(runs, "~"))
    return tuple(found)


def _paragraphs(old: Sequence[str], new: Sequence[str], effort: Effort) -> Iterator[Paragraph]:
    for same, start, end, from_, to in _blocks(old, new, effort):
        if same:
            yield from (plain(line, "same", " ") for line in old[start:end])
            continue
        pairs = min(end - start, to - from_)
        for number in range(pairs):
            minus, plus = _by_words(old[start + number], new[from_ + number], _CHANGE, effort)
            yield Paragraph(minus, MINUS, "removed")
            yield Paragraph(plus, PLUS, "added")
        yield from (plain(line, "removed", MINUS) for line in old[start + pairs : end])
        yield from (plain(line, "added", PLUS) for line in new[from_ + pairs : to])


class _Styles(NamedTuple):
    """Styles for the words of two lines."""

    kept: str
    gone: str
    stays: str
    came: str


_CHANGE = _Styles("removed", "removed-word", "added", "added-word")
_OWN = _Styles("text", "text", "text", "differs")


def _by_words(old: str, new: str, styles: _Styles, effort: Effort) -> tuple[tuple[Run, ...], tuple[Run, ...]]:
    """The runs of two lines: words they share in one style each, the others in another."""
    before, after = _tokens(old), _tokens(new)
    left: list[Run] = []
    right: list[Run] = []
    for same, start, end, from_, to in _blocks(before, after, effort):
        if start < end:
            left.append(("".join(before[start:end]), styles.kept if same else styles.gone))
        if from_ < to:
            right.append(("".join(after[from_:to]), styles.stays if same else styles.came))
    return tuple(left), tuple(right)


def _blocks(one: Sequence[str], other: Sequence[str], effort: Effort) -> Iterator[Block]:
    """Align two sequences, without gaps. Equal ends cost nothing, and most edits leave little between them."""
    head = _equal(one, other)
    tail = _equal(one[: head - 1 if head else None : -1], other[: head - 1 if head else None : -1])
    end, to = len(one) - tail, len(other) - tail
    if head:
        yield True, 0, head, 0, head
    if end > head and to > head and effort.affords((end - head) * (to - head)):
        matcher = SequenceMatcher(None, one[head:end], other[head:to], autojunk=False)
        for kind, start, stop, from_, until in matcher.get_opcodes():
            yield kind == "equal", head + start, head + stop, head + from_, head + until
    elif end > head or to > head:
        yield False, head, end, head, to
    if tail:
        yield True, end, len(one), to, len(other)


def _equal(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items are the same from the start on."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _tokens(line: str) -> list[str]:
    """Words, runs of blanks, single signs and ideographs: never a part of a grapheme cluster."""
    if _SIMPLE.fullmatch(line):
        return _WORDS.findall(line)
    tokens: list[str] = []
    last = ""
    for cluster in clusters(line):
        kind = _kind(cluster[0])
        if kind and kind == last:
            tokens[-1] += cluster
        else:
            tokens.append(cluster)
        last = kind
    return tokens


def _kind(code: str) -> str:
    """Of what the code point may be a part: a word, a run of blanks, or "" for nothing larger."""
    if code.isspace():
        return "blank"
    return "word" if (code.isalnum() or code == "_") and not _IDEOGRAPH.match(code) else ""
