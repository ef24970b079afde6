"""Code in a note: fenced blocks and inline spans. What stands in code is neither a tag nor a link (facts 13).

An unclosed fence is no fence, and indented text is no code. How far a fence is indented does not matter,
since notes put them below bullets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE_MARKS = ("```", "~~~")
"""A text without either has no fence."""

# Given to `re` as strings: compiled at the first use, not at every start of a command.
_FENCE = r"(?m)^[ \t]*(`{3,}|~{3,})([^\n]*)$"
_BLOCK = r"\n(?:[ \t]*\n|(?=[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]))"
"""Where an inline span cannot go on: a blank line, before a bullet, before a heading (as in CommonMark)."""


class Fence(NamedTuple):
    """A fence: from the start of its opening line to the end of its closing line, in code points."""

    start: int
    end: int
    """Of an unclosed one: the end of the opening line."""
    closed: bool


def fences(text: str) -> tuple[Fence, ...]:
    """All fences of a text, in order. An unclosed one hides none of those behind its first line."""
    if FENCE_MARKS[0] not in text and FENCE_MARKS[1] not in text:
        return ()
    return tuple(_fences(list(re.finditer(_FENCE, text))))


def code_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Spans of code in a text, in order: closed fences with their marks, inline code with its backticks."""
    if "`" not in text and "~~~" not in text:
        return ()
    spans: list[tuple[int, int]] = []
    position = 0
    for fence in fences(text):
        if fence.closed:
            spans += _inline(text, position, fence.start)
            spans.append((fence.start, fence.end))
            position = fence.end
    spans += _inline(text, position, len(text))
    return tuple(spans)


def _fences(marks: list[re.Match[str]]) -> Iterator[Fence]:
    """Pair opening and closing marks."""
    # Length, by kind, from which on no closing mark is left: keeps a text of many unclosed fences linear.
    hopeless: dict[str, int] = {}
    index = 0
    while index < len(marks):
        opening = marks[index]
        mark, info = opening[1], opening[2]
        index += 1
        if mark[0] == "`" and "`" in info:
            continue  # ```like this``` on one line is inline code
        closing = None
        if len(mark) < hopeless.get(mark[0], len(mark) + 1):
            closing = next((at for at in range(index, len(marks)) if _closes(marks[at], mark)), None)
        if closing is None:
            hopeless[mark[0]] = min(len(mark), hopeless.get(mark[0], len(mark)))
            yield Fence(opening.start(), opening.end(), False)
        else:
            yield Fence(opening.start(), marks[closing].end(), True)
            index = closing + 1


def _closes(candidate: re.Match[str], mark: str) -> bool:
    """Whether a line closes the fence that `mark` opened."""
    return candidate[1].startswith(mark) and not candidate[2].strip()


def _inline(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Inline code in a stretch: from a run of backticks to the next as long in the same block."""
    if text.find("`", start, end) < 0:
        return
    stretch = text[start:end]
    borders = [found.span() for found in re.finditer(_BLOCK, stretch)]
    block = 0
    for stop, following in [*borders, (len(stretch), len(stretch))]:
        runs = list(re.finditer("`+", stretch[block:stop]))
        base, block = start + block, following
        index = 0
        while index < len(runs):
            opening = runs[index]
            index += 1
            if text[base + opening.start() - 1 : base + opening.start()] == "\\":
                continue
            for at in range(index, len(runs)):
                if runs[at][0] == opening[0]:
                    yield base + opening.start(), base + runs[at].end()
                    index = at + 1
                    break
