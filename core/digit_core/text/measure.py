"""How many cells a text takes on a screen, and texts cut, padded and wrapped by cells.

Widths are those the screen library counts with (rich.cells, tables of Unicode 17): a sum over code points, in
which a zero-width joiner swallows the code point after it and U+FE0F widens a narrow emoji. A border drawn by
other widths than the library's would not stand in line. Cuts fall between grapheme clusters only (UAX 29; a
joiner is never parted from what follows it).

Nearly all text is made of code points that take one cell and never join: one regex match answers for those,
and another knows the clusters of emoji and accents. `wcwidth` (60 ms to import) is asked for clusters of
other scripts and for code points this Python does not know.

Text that goes to a screen passes `visible` first. Whatever is passed here is measured and cut all the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import Literal

TAB = 4  # cells from one tab stop to the next

_JOINER = "\u200d"
_WIDENER = "\ufe0f"

# One cell each, and none joins a neighbour by itself. Blocks whose every code point is so; not all there are.
_ONE = (
    " -~\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0590\u05be\u05d0-\u05ff\u061d-\u064a\u0671-\u06d3"
    "\u10a0-\u10ff\u13a0-\u167f\u1d00-\u1dbf\u1e00-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u20cf\u2100-\u2319"
    "\u231c-\u2328\u232b-\u23e8\u23ed-\u23ef\u23f1\u23f2\u23f4-\u25fc\u25ff-\u2613\u2616-\u262f\u2638-\u2647"
    "\u2654-\u267e\u2680-\u2689\u2690-\u2692\u2694-\u26a0\u26a2-\u26a9\u26ac-\u26bc\u26bf-\u26c3\u26c6-\u26cd"
    "\u26cf-\u26d3\u26d5-\u26e9\u26eb-\u26f1\u26f4\u26f6-\u26f9\u26fb\u26fc\u26fe-\u2704\u2706-\u2709"
    "\u270c-\u2727\u2729-\u274b\u274d\u274f-\u2752\u2756\u2758-\u2794\u2798-\u27af\u27b1-\u27be\u27c0-\u2b1a"
    "\u2b1d-\u2b4f\u2b51-\u2b54\u2b56-\u2cee\ue000-\uf8ff\uff61-\uff9d\ufffd"
)
# Two cells each: CJK, kana, Hangul syllables, full-width forms, emoji (up to Unicode 17).
_TWO = (
    "\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2630-\u2637\u2648-\u2653\u267f"
    "\u268a-\u268f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd"
    "\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55"
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u30ff\u3105-\u312f"
    "\u3131-\u3163\u3165-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247\u3250-\ua48c\ua490-\ua4c6\uac00-\ud7a3"
    "\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6"
    "\U0001d300-\U0001d356\U0001d360-\U0001d376\U0001f004\U0001f0cf\U0001f18e\U0001f191-\U0001f19a"
    "\U0001f200-\U0001f202\U0001f210-\U0001f23b\U0001f240-\U0001f248\U0001f250\U0001f251\U0001f260-\U0001f265"
    "\U0001f300-\U0001f320\U0001f32d-\U0001f335\U0001f337-\U0001f37c\U0001f37e-\U0001f393\U0001f3a0-\U0001f3ca"
    "\U0001f3cf-\U0001f3d3\U0001f3e0-\U0001f3f0\U0001f3f4\U0001f3f8-\U0001f3fa\U0001f400-\U0001f43e\U0001f440"
    "\U0001f442-\U0001f4fc\U0001f4ff-\U0001f53d\U0001f54b-\U0001f54e\U0001f550-\U0001f567\U0001f57a\U0001f595"
    "\U0001f596\U0001f5a4\U0001f5fb-\U0001f64f\U0001f680-\U0001f6c5\U0001f6cc\U0001f6d0-\U0001f6d2"
    "\U0001f6d5-\U0001f6d8\U0001f6dc-\U0001f6df\U0001f6eb\U0001f6ec\U0001f6f4-\U0001f6fc\U0001f7e0-\U0001f7eb"
    "\U0001f7f0\U0001f90c-\U0001f93a\U0001f93c-\U0001f945\U0001f947-\U0001f9ff\U0001fa70-\U0001fa7c"
    "\U0001fa80-\U0001fa8a\U0001fa8e-\U0001fac6\U0001fac8\U0001facd-\U0001fadc\U0001fadf-\U0001faea"
    "\U0001faef-\U0001faf8\U00020000-\U0002fffd\U00030000-\U0003fffd"
)
# What the general category and the East Asian width of a code point do not tell.
_ODD_NOTHING = "\u1160-\u11ff\u2028\u2029\u3164\ud7b0-\ud7fb\uffa0\U0001f3fb-\U0001f3ff"
_ODD_ONE = "\xad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# One-cell symbols that take two when U+FE0F follows (emoji-variation-sequences.txt).
_WIDENED = frozenset(
    "#*0123456789©®‼⁉™ℹ↔↕↖↗↘↙↩↪⌨⏏⏭⏮⏯⏱⏲⏸⏹⏺Ⓜ▪▫▶◀◻◼☀☁☂☃☄☎☑☘☝☠☢☣☦☪☮☯☸☹☺♀♂♟♠♣♥♦♨♻♾⚒⚔⚕⚖⚗⚙⚛⚜⚠⚧⚰⚱⛈⛏⛑⛓⛩⛰⛱"
    "⛴⛷⛸⛹✂✈✉✌✍✏✒✔✖✝✡✳✴❄❇❣❤➡⤴⤵⬅⬆⬇🅰🅱🅾🅿🌡🌤🌥🌦🌧🌨🌩🌪🌫🌬🌶🍽🎖🎗🎙🎚🎛🎞🎟🏋🏌🏍🏎🏔🏕🏖🏗🏘🏙🏚🏛🏜🏝🏞🏟🏳🏵🏷🐿👁📽🕉🕊🕯🕰🕳🕴🕵"
    "🕶🕷🕸🕹🖇🖊🖋🖌🖍🖐🖥🖨🖱🖲🖼🗂🗃🗄🗑🗒🗓🗜🗝🗞🗡🗣🗨🗯🗳🗺🛋🛍🛎🛏🛠🛡🛢🛣🛤🛥🛩🛰🛳"
)

# Marks that always belong to the code point before them: accents, U+FE0E/F, the keycap, skin tones, tags.
_MARKS = "\u0300-\u036f\u20d0-\u20f0\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"
_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"

_narrow = re.compile(f"[{_ONE}]*").fullmatch
_joiner_or_widener = re.compile(f"[{_JOINER}{_WIDENER}]").finditer


class _Cells(dict[str, int]):
    """Cells of single code points, worked out when one is first met."""

    def __missing__(self, code: str) -> int:
        self[code] = cells = _code_point_cells(code)
        return cells


_cells = _Cells()


@cache
def _class(ranges: str) -> re.Pattern[str]:
    return re.compile(f"[{ranges}]")


def _code_point_cells(code: str) -> int:
    """Return the cells of one code point that stands alone: 0, 1 or 2."""
    if _narrow(code):
        return 1
    if _class(_TWO).match(code):
        return 2
    if _class(_ODD_NOTHING).match(code):
        return 0
    if _class(_ODD_ONE).match(code):
        return 1
    from unicodedata import category, east_asian_width  # a megabyte of tables; most texts need none of them

    kind = category(code)
    if kind == "Cn":  # newer than this Python
        from wcwidth import wcwidth  # 60 ms

        return max(wcwidth(code), 0)
    if kind in ("Mn", "Me", "Mc", "Cf", "Cc"):
        return 0
    return 2 if east_asian_width(code) in "WF" else 1


def width(text: str) -> int:
    """Return the cells that `text` takes on a screen; control code points ("\\n" and "\\t" too) take none."""
    return len(text) if _narrow(text) else sum(_cells_of(text))


def _cells_of(text: str) -> list[int]:
    """Return the cells that each code point of `text` adds to the width of what is before it."""
    cells = list(map(_cells.__getitem__, text))
    swallowed = -1  # the offset after a joiner
    since = 0  # where the code point that U+FE0F widens may stand
    for found in _joiner_or_widener(text):
        at = found.start()
        if at == swallowed:
            continue
        if found[0] == _JOINER:
            swallowed = at + 1
            if swallowed < len(text):
                cells[swallowed] = 0
            continue
        drawn = at - 1
        while drawn >= since and not cells[drawn]:
            drawn -= 1
        cells[at] = int(drawn >= since and text[drawn] in _WIDENED)
        since = at + 1
    return cells


@cache
def _simple_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of simple text, whose clusters need no tables, and that of one such cluster.

    Simple are the code points of `_ONE` and `_TWO`, flags, tabs, and the marks and joiners between them.
    """
    base = f"[{_FLAG_LETTERS}]{{1,2}}|[^\\t{_FLAG_LETTERS}\u200d]"
    joined = f"\u200d(?:[{_FLAG_LETTERS}]{{1,2}}|[^\\t{_FLAG_LETTERS}\u200d{_MARKS}])?[{_MARKS}]*"
    cluster = f"(?:{base}|(?=\u200d))[{_MARKS}]*(?:{joined})*|\\t"
    return re.compile(f"[{_ONE}{_TWO}{_FLAG_LETTERS}{_MARKS}\u200d\\t]*"), re.compile(cluster)


def clusters(text: str) -> Iterable[str]:
    """Cut `text` into grapheme clusters; what follows a zero-width joiner is never parted from it."""
    simple, cluster = _simple_patterns()
    return cluster.findall(text) if simple.fullmatch(text) else _clusters_of_any_script(text)


def _clusters_of_any_script(text: str) -> Iterator[str]:
    """Do what `clusters` does, by the tables of Unicode."""
    from wcwidth import iter_graphemes  # 60 ms

    waiting = ""
    for cluster in iter_graphemes(text):
        waiting += cluster
        if cluster[-1] != _JOINER:
            yield waiting
            waiting = ""
    if waiting:
        yield waiting


def _border(text: str, start: int, limit: int) -> int:
    """Return the last cluster border of `text` from `start`, itself one, up to `limit`."""
    if limit == len(text) or all(
        _narrow(code) or _class(_TWO).match(code) for code in text[limit - 1 : limit + 1]
    ):
        return limit
    border = start
    for cluster in clusters(text[start : limit + 1]):
        if border + len(cluster) > limit:
            break
        border += len(cluster)
    return border


def clip(text: str, cells: int, ellipsis: str = "…") -> str:
    """Return `text` if it fits in `cells`, else its start and `ellipsis`, cut between clusters.

    The result is never wider than `cells`: where not even the ellipsis fits, it is left out.
    """
    start = text[: max(cells, 0) + 1]
    narrow = _narrow(start) is not None
    sums = range(len(text) + 1) if narrow else [0, *accumulate(_cells_of(text))]
    if sums[-1] <= cells:
        return text
    room = cells - width(ellipsis)
    if room < 0:
        room, ellipsis = max(cells, 0), ""
    if narrow:
        return start[:room] + ellipsis
    return text[: _border(text, 0, bisect_right(sums, room) - 1)] + ellipsis


def fit(text: str, cells: int, align: Literal["left", "right", "center"] = "left") -> str:
    """Return `text` clipped and padded with blanks to exactly `cells` cells."""
    shown = clip(text, cells)
    left = 0
    blanks = max(cells - width(shown), 0)
    if align != "left":
        left = blanks if align == "right" else blanks // 2
    right = blanks - left
    if right and shown.endswith(_JOINER):  # a joiner at the very end swallows one blank
        right += cells - width(" " * left + shown + " " * right)
    return " " * left + shown + " " * right


def expand_tabs(text: str) -> str:
    """Return `text` with blanks for each tab, up to the next stop; a line has one every `TAB` cells."""
    if "\t" not in text:
        return text
    return "\n".join(map(_expand_line, text.split("\n")))


def _expand_line(line: str) -> str:
    """Expand the tabs of one line."""
    shown, *others = line.split("\t")
    for part in others:
        shown += " " * (TAB - width(shown) % TAB) + part
    return shown


def wrap(text: str, cells: int) -> list[tuple[int, int]]:
    """Return the visual lines of `text` in a column of `cells` cells, as (start, end) offsets in code points.

    Lines end at each "\\n", and between words where the next word does not fit; ideographs and kana count as
    words of their own, with the punctuation that follows. A word wider than a line is cut between clusters,
    from where it stands if at least half of that line is free. Blanks where a line was broken, and those at
    the end of a paragraph that do not fit, belong to no line; each other code point but "\\n" to exactly one.
    No line is wider than `cells` (at least 1), but for a single cluster that is wider alone. A tab counts as
    `expand_tabs(text[start:end])` will draw it.
    """
    cells = max(cells, 1)
    lines: list[tuple[int, int]] = []
    start = 0
    while True:
        end = text.find("\n", start)
        if end < 0:
            end = len(text)
        if _narrow(text, start, end):
            _wrap_narrow(text, start, end, cells, lines)
        else:
            lines.extend((start + a, start + b) for a, b in _wrap_any(text[start:end], cells))
        if end == len(text):
            return lines
        start = end + 1


def _wrap_narrow(text: str, start: int, end: int, cells: int, lines: list[tuple[int, int]]) -> None:
    """Wrap a paragraph of one-cell code points: offsets are cells, so searching for blanks is all."""
    while end - start > cells:
        limit = start + cells
        blank = text.rfind(" ", start, limit + 1)
        if blank < 0:  # one word from start on
            lines.append((start, limit))
            start = limit
            continue
        words_end = start + len(text[start:blank].rstrip(" "))
        word = blank + 1
        while word < end and text[word] == " ":
            word += 1
        word_end = text.find(" ", word, end)
        if (end if word_end < 0 else word_end) - word > cells and (limit - word) * 2 >= cells:
            lines.append((start, limit))
            start = limit
            continue
        if words_end > start or word == end:
            lines.append((start, words_end))
        if word == end:
            return
        start = word
    lines.append((start, end))


def _wrap_any(text: str, cells: int) -> list[tuple[int, int]]:
    """Wrap one paragraph of any code points."""
    sums = [0, *accumulate(_cells_of(text))]
    lines: list[tuple[int, int]] = []
    line = stop = used = 0  # where the line begins, where its words end, the cells up to there
    for start, end in _words(text):
        before = used + (start - stop and _blank_cells(text[stop:start], used))
        size = sums[end] - sums[start]
        if before + size <= cells:
            stop, used = end, before + size
            continue
        if size <= cells or (cells - before) * 2 < cells:
            if stop > line:
                lines.append((line, stop))
            line, before = start, 0
        piece = start
        while sums[end] - sums[piece] > cells - before:
            cut = _border(text, piece, bisect_right(sums, sums[piece] + cells - before, piece, end) - 1)
            if cut == piece and not before:  # a cluster wider than a line
                cut += len(next(iter(clusters(text[piece:end]))))
                if cut == end:
                    break
            if cut > line:
                lines.append((line, cut))
            line = piece = cut
            before = 0
        stop, used = end, before + sums[end] - sums[piece]
    if used + _blank_cells(text[stop:], used) <= cells:
        stop = len(text)
    return [*lines, (line, stop)]


def _blank_cells(blanks: str, column: int) -> int:
    """Return the cells that blanks and tabs take from `column` on."""
    if "\t" not in blanks:
        return len(blanks)
    used = column
    for blank in blanks:
        used += TAB - used % TAB if blank == "\t" else 1
    return used - column


# Lines may be broken before and after each of these: radicals, kana, ideographs.
_IDEOGRAPHS = "\u2e80-\u2fdf\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"


@cache
def _word_pattern() -> re.Pattern[str]:
    """Return the pattern of a word in simple text.

    An ideograph takes along brackets that open before it, and after it all that is neither letter, digit, blank
    nor opens. What follows a joiner, and a blank that bears a mark, belong to the word.
    """
    openers = "「『（《〈【〔［｛“‘"
    joined = "(?<=\u200d)[^\\t]"
    ideograph = f"[{openers}(\\[{{]*[{_IDEOGRAPHS}](?:[^\\w\\s{openers}(\\[{{]|{joined})*"
    other = f"(?:[^{_IDEOGRAPHS}{openers} \\t]+|{joined}| (?=[{_MARKS}\u200d]))+"
    return re.compile(f"{ideograph}|[{openers}]*{other}|[{openers}]+")


def _words(text: str) -> Iterable[tuple[int, int]]:
    """Find the words of one paragraph: what stands between the places where a line may be broken."""
    if _simple_patterns()[0].fullmatch(text):
        return [found.span() for found in _word_pattern().finditer(text)]
    return _words_of_any_script(text)


def _words_of_any_script(text: str) -> Iterator[tuple[int, int]]:
    """Find what stands between blanks that are clusters of their own."""
    start = offset = 0
    for cluster in clusters(text):
        if cluster in (" ", "\t"):
            if offset > start:
                yield start, offset
            start = offset + 1
        offset += len(cluster)
    if offset > start:
        yield start, offset
