"""Three-way merge and pairing of lists of notes, pure.

A store has no ids on disk, so what became of a note is found by alignment: equal texts in order are the same
note, and what stands between them pairs up by likeness. `merge` is used where two sides have built on one
base: an open editor against a changed file, a staged write against what is there now, two machines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

SIMILAR = 0.5
"""Two texts of a replaced block are one note edited when they share this much (Dice over character pairs)."""

BLOCK = 2_500
"""Comparisons that likeness may cost in one replaced block; a larger block pairs by place alone."""


class Pair(NamedTuple):
    """What became of one note between two lists."""

    kind: str
    """"same", "changed", "added" or "removed"."""
    before: str | None
    after: str | None
    before_index: int | None
    after_index: int | None


class Conflict(NamedTuple):
    """Both sides changed one note, each in its own way. None stands for "removed"."""

    base: str | None
    ours: str | None
    theirs: str | None


class Merge(NamedTuple):
    """A merged list. Each text of a conflict is in it, ours before theirs, so that nothing is lost."""

    texts: tuple[str, ...]
    conflicts: tuple[Conflict, ...]


def pair(before: Sequence[str], after: Sequence[str]) -> tuple[Pair, ...]:
    """Align two lists, in order of `after`; a removed note stands where it was. No two pairs cross."""
    head = 0
    shorter = min(len(before), len(after))
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    pairs = [Pair("same", before[i], after[i], i, i) for i in range(head)]
    ends = (len(before) - tail, len(after) - tail)
    for b, a in _middle(before, after, head, ends):
        pairs.append(_pair(before, after, b, a))
    for back in range(tail, 0, -1):
        pairs.append(_pair(before, after, len(before) - back, len(after) - back))
    return tuple(pairs)


def merge(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Merge:
    """Merge two lists that both come from `base`.

    Additions of both sides are kept (one that both made, once), a removal stays removed, a change against an
    untouched note wins, and a change against another change or a removal is a conflict.
    """
    mine, yours = _Side(base, ours), _Side(base, theirs)
    common = mine.added_count & yours.added_count
    texts: list[str] = []
    conflicts: list[Conflict] = []
    for gap in range(-1, len(base)):
        if gap >= 0:
            kept, conflict = _settle(base[gap], mine.now[gap], yours.now[gap])
            texts.extend(kept)
            if conflict is not None:
                conflicts.append(conflict)
        texts.extend(mine.added.get(gap, ()))
        for text in yours.added.get(gap, ()):
            if common[text] > 0:
                common[text] -= 1
            else:
                texts.append(text)
    return Merge(tuple(texts), tuple(conflicts))


class _Side:
    """One side of a merge: what each base note is now, and what was added behind which of them."""

    __slots__ = ("added", "added_count", "now")

    def __init__(self, base: Sequence[str], side: Sequence[str]) -> None:
        self.now: list[str | None] = [None] * len(base)
        self.added: dict[int, list[str]] = {}
        self.added_count: Counter[str] = Counter()
        last = -1
        for one in pair(base, side):
            if one.before_index is not None and one.after is not None:
                last = one.before_index
                self.now[last] = one.after
            elif one.after is not None:
                self.added.setdefault(last, []).append(one.after)
                self.added_count[one.after] += 1


def _settle(base: str, ours: str | None, theirs: str | None) -> tuple[list[str], Conflict | None]:
    """What one base note becomes, and the conflict if there is one."""
    if ours == theirs or theirs == base:
        return ([] if ours is None else [ours]), None
    if ours == base:
        return ([] if theirs is None else [theirs]), None
    kept = [text for text in (ours, theirs) if text is not None]
    return kept, Conflict(base, ours, theirs)


def _pair(before: Sequence[str], after: Sequence[str], b: int | None, a: int | None) -> Pair:
    """Name what the two positions (None: nothing there) say about a note."""
    old = None if b is None else before[b]
    new = None if a is None else after[a]
    if old is None:
        kind = "added"
    elif new is None:
        kind = "removed"
    else:
        kind = "same" if old == new else "changed"
    return Pair(kind, old, new, b, a)


def _middle(
    before: Sequence[str], after: Sequence[str], head: int, ends: tuple[int, int]
) -> Iterator[tuple[int | None, int | None]]:
    """Positions that belong together between the common head and tail."""
    if head == ends[0]:
        yield from ((None, a) for a in range(head, ends[1]))
        return
    if head == ends[1]:
        yield from ((b, None) for b in range(head, ends[0]))
        return
    from difflib import SequenceMatcher  # 4 ms, and most changes are settled by head and tail

    # Without autojunk: it would leave out a text that stands there often.
    matcher = SequenceMatcher(None, before[head : ends[0]], after[head : ends[1]], autojunk=False)
    for tag, b1, b2, a1, a2 in matcher.get_opcodes():
        olds, news = range(head + b1, head + b2), range(head + a1, head + a2)
        if tag == "equal":
            yield from zip(olds, news, strict=True)
        else:
            yield from _block(before, after, olds, news)


def _block(
    before: Sequence[str], after: Sequence[str], olds: range, news: range
) -> Iterator[tuple[int | None, int | None]]:
    """Pair up a replaced block: like texts first; then runs of equal length between them, by place."""
    anchors = _alike(before, after, olds, news) if len(olds) * len(news) <= BLOCK else []
    b, a = olds.start, news.start
    for old, new in [*anchors, (olds.stop, news.stop)]:
        if old - b == new - a:
            yield from zip(range(b, old), range(a, new), strict=True)
        else:
            yield from ((one, None) for one in range(b, old))
            yield from ((None, one) for one in range(a, new))
        if old < olds.stop:
            yield old, new
        b, a = old + 1, new + 1


def _alike(before: Sequence[str], after: Sequence[str], olds: range, news: range) -> list[tuple[int, int]]:
    """The chain of like texts, in order on both sides, that shares most: a weighted common subsequence."""
    if not olds or not news or len(olds) == len(news) == 1:
        return []
    grams = {i: _grams(before[i]) for i in olds}
    table: dict[tuple[int, int], tuple[float, int]] = {}
    new_grams = [_grams(after[i]) for i in news]
    for b in reversed(olds):
        for a in reversed(news):
            down, right = table.get((b + 1, a), (0.0, 0))[0], table.get((b, a + 1), (0.0, 0))[0]
            best = (down, 1) if down >= right else (right, 2)
            likeness = _likeness(grams[b], new_grams[a - news.start])
            if likeness >= SIMILAR:
                both = likeness + table.get((b + 1, a + 1), (0.0, 0))[0]
                best = max(best, (both, 3))
            table[b, a] = best
    chain: list[tuple[int, int]] = []
    b, a = olds.start, news.start
    while b < olds.stop and a < news.stop:
        step = table[b, a][1]
        if step == 3:
            chain.append((b, a))
        b, a = b + (step != 2), a + (step != 1)
    return chain


def _grams(text: str) -> Counter[str]:
    """How often each pair of neighbouring characters stands in the beginning of a text."""
    sample = text[:1000]
    return Counter(map("".join, pairwise(sample))) if len(sample) > 1 else Counter([sample])


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """From 0 (nothing shared) to 1 (the same)."""
    return 2 * (one & other).total() / max(1, one.total() + other.total())
