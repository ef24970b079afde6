"""File text → text that is safe to draw, and back again.

Text of a memory file is written by an agent, by people and by whatever the agent read. Drawn as it is, it
can set the clipboard, move the cursor, turn the direction of a line or hide words (control bytes reach the
terminal through every Textual widget). `visible` gives every such code point a stand-in that can be seen. One
code point in, one code point out, so that offsets found in the one text hold in the other. Files keep their
bytes: only what is drawn goes through here, and `restore` brings the original back from what a person made of
the shown text in an editor.

What is kept although it takes no cells: the joiners and selectors that real writing needs. A zero-width
joiner inside an emoji sequence, one variation selector right after its base, joiners between Arabic or Indic
letters, the tags of a flag. Each is kept only where it does that work; anywhere else, and a second one in a
row, it is shown.
"""

from __future__ import annotations

import re
from functools import cache

REPLACEMENT = "\ufffd"
NEWLINE_PICTURE = "\u2424"

# Code points that draw nothing or steer the terminal, by ranges as in a regex class. "\n" and "\t" are text.
_HIDDEN_BMP = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # C0, DEL, C1
    "\\xad\\u034f\\u061c"  # soft hyphen, grapheme joiner, Arabic letter mark
    "\\u115f\\u1160\\u3164\\uffa0"  # Hangul fillers
    "\\u17b4\\u17b5\\u180b-\\u180f"  # Khmer inherent vowels, Mongolian selectors
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f"  # zero width, separators, bidi, invisible operators
    "\\ud800-\\udfff"  # bytes that were no UTF-8, as surrogateescape keeps them
    "\\ufe00-\\ufe0f\\ufeff\\ufff0-\\ufffb"  # variation selectors, BOM, annotations
)
_HIDDEN = (
    _HIDDEN_BMP
    + "\\U00013430-\\U0001343f\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"  # hieroglyphs, shorthand, music
    "\\U000e0000-\\U000e0fff"  # tags, more variation selectors
)

# Symbols that emoji are made of. Whole blocks: a joiner between two drawn symbols hides no words.
_EMOJI = (
    "©®‼⁉™ℹ↔-↙↩↪⌚⌛⌨⏏⏩-⏳⏸-⏺Ⓜ▪▫▶◀◻-◾☀-➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"
    "\\U0001f000-\\U0001f1e5\\U0001f200-\\U0001f3fa\\U0001f400-\\U0001faff"
)
_SKIN = "\\U0001f3fb-\\U0001f3ff"
_IDEOGRAPHS = "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\U00020000-\\U0003fffd"
# Letters and their marks of scripts that join: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa.
_JOINING = (
    "\\u0620-\\u065f\\u066e-\\u06d3\\u06d5-\\u06dc\\u06fa-\\u06ff\\u0710-\\u077f\\u07ca-\\u07f5\\u0840-\\u085b"
    "\\u0860-\\u088e\\u08a0-\\u08e1\\u08e3-\\u08ff\\u1820-\\u18aa\\ua840-\\ua871\\ufb50-\\ufbb1"
)
# The same of the Indic family: Devanagari to Sinhala, Myanmar, Khmer, Balinese to Batak.
_INDIC = (
    "\\u0900-\\u0963\\u0971-\\u09e5\\u09f0-\\u0df3\\u1000-\\u103f\\u1050-\\u109d"
    "\\u1780-\\u17b3\\u17b6-\\u17d3\\u1b00-\\u1bf3"
)
_VIRAMAS = "\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2"

# Where a hidden code point does its work. Every look-behind is of fixed length and holds no hidden code point
# but a kept one, so that what is kept once is kept again (`visible` is idempotent).
_KEPT = "|".join(
    (
        f"(?:(?<=[{_EMOJI}])|(?<=[{_EMOJI}]\ufe0f)|(?<=[{_EMOJI}][{_SKIN}]))\u200d(?=[{_EMOJI}])",
        f"(?<=[{_EMOJI}#*0-9])[\ufe0e\ufe0f]",
        f"(?<=[{_IDEOGRAPHS}])[\ufe00-\ufe02\U000e0100-\U000e01ef]",
        "(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]",
        f"(?<=[{_JOINING}])[\u200c\u200d](?=[{_JOINING}])",
        f"(?<=[{_INDIC}])[\u200c\u200d](?=[{_INDIC}])",
        f"(?<=[{_VIRAMAS}])[\u200c\u200d]",  # at the end of a word too (RFC 5892 A.1, A.2)
        # A flag of a region: its code (two letters and two or three more) and the cancel tag.
        "(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{4,5}\U000e007f",
    )
)

# Searched first. Clean text costs this search and no more (0.8 ms for 100 KB), so beyond U+FFFF it tests two
# ranges that hold the hidden ones and no emoji: each range more is tested for every code point.
_SUSPECT = re.compile(f"[{_HIDDEN_BMP}\\U00013430-\\U0001d17a\\U000e0000-\\U000e0fff]")


@cache
def _kept_or_hidden() -> re.Pattern[str]:
    """Return the pattern of what is kept or else (group 1) hidden. Compiled late: 7 ms."""
    return re.compile(f"(?=[{_HIDDEN}])(?:{_KEPT}|(.))", re.DOTALL)


def _stand_in(code: str) -> str:
    """Return the sign that is shown for one hidden code point."""
    if code < " ":
        return chr(0x2400 + ord(code))
    if code == "\x7f":
        return "\u2421"
    return NEWLINE_PICTURE if code in "\x85\u2028\u2029" else REPLACEMENT


def visible(text: str) -> str:
    """Return `text` with a sign for each code point that draws nothing or steers the terminal.

    "\\n" and "\\t" stay. C0 → control pictures (ESC → ␛), DEL → ␡, NEL and the line and paragraph separators
    → ␤, all else (C1, bidi controls, zero-width and other ignorable code points, bytes no UTF-8) → U+FFFD.
    `len(visible(t)) == len(t)`, and `visible(visible(t)) == visible(t)`.
    """
    if _SUSPECT.search(text) is None:
        return text
    return _kept_or_hidden().sub(lambda found: _stand_in(found[1]) if found[1] else found[0], text)


def one_line(text: str) -> str:
    """Return `visible(text)` on one line: "\\n" → "⏎", "\\t" → a blank. Offsets stay valid."""
    return visible(text).replace("\n", "⏎").replace("\t", " ")


def has_hidden(text: str) -> bool:
    """Tell whether `visible` would replace anything in `text`."""
    return visible(text) != text


def describe_hidden(text: str) -> tuple[str, ...]:
    """Name each code point that `visible` replaces: "U+001B ESC at 14", counted from 1."""
    if _SUSPECT.search(text) is None:
        return ()
    return tuple(
        f"{_name(found[1])} at {found.start() + 1}" for found in _kept_or_hidden().finditer(text) if found[1]
    )


_C0_NAMES = (
    *("NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI"),
    *(
        "DLE",
        "DC1",
        "DC2",
        "DC3",
        "DC4",
        "NAK",
        "SYN",
        "ETB",
        "CAN",
        "EM",
        "SUB",
        "ESC",
        "FS",
        "GS",
        "RS",
        "US",
    ),
)
_OTHER_NAMES = {"\x7f": "DEL", "\x85": "NEL", "\x90": "DCS", "\x9b": "CSI", "\x9c": "ST", "\x9d": "OSC"}


def _name(code: str) -> str:
    """Name one hidden code point; a surrogate is named as the byte that it stands for."""
    from unicodedata import name  # a megabyte of tables, needed only when something is described

    number = ord(code)
    if 0xDC80 <= number <= 0xDCFF:
        return f"byte 0x{number - 0xDC00:02X} (no UTF-8)"
    if number < len(_C0_NAMES):
        return f"U+{number:04X} {_C0_NAMES[number]}"
    word = _OTHER_NAMES.get(code) or name(code, "control" if number < 0xA0 else "not a character")
    return f"U+{number:04X} {word}"


def editor_text(original: str) -> str:
    """Return what an editor is given to show for `original`.

    `visible` already takes out all that Textual's TextArea would turn into a line break although it is none
    (VT, FF, FS, GS, RS, NEL, the two separators and CR); a document's own line ends must be "\\n".
    """
    return visible(original)


# Code points of one side times the other, up to which two pieces are compared one by one (0.2 s).
_COMPARED = 400_000


def restore(original: str, shown_before: str, shown_after: str) -> str:
    """Return the text that a person meant who was shown `shown_before` and made `shown_after` of it.

    `shown_before` must be `editor_text(original)`, code point for code point. What was not typed over keeps
    the code points of `original`; what was typed is taken as typed. Equal ends are found first, then equal
    lines, then equal code points. A changed piece of more than `_COMPARED` pairs is taken as typed, stand-ins
    included. Where equal stand-ins stand side by side, the texts alone cannot tell which one was deleted.
    Raises ValueError when the two texts cannot be a pair.
    """
    if len(original) != len(shown_before):
        raise ValueError("the shown text is not that of the original")
    if shown_after == shown_before:
        return original
    if original == shown_before:
        return shown_after
    return _restore(original, shown_before, shown_after, by_line=True)


def _restore(original: str, before: str, after: str, *, by_line: bool) -> str:
    """Restore one piece; `by_line` first looks for equal lines in what the equal ends leave."""
    head = _common_start(before, after)
    rest = min(len(before), len(after)) - head
    tail = _common_start(before[::-1][:rest], after[::-1][:rest])
    start, end = head, len(before) - tail
    hidden, shown, typed = original[start:end], before[start:end], after[head : len(after) - tail]
    if hidden != shown and typed:
        if by_line:
            typed = _by_lines(hidden, shown, typed)
        elif len(shown) * len(typed) <= _COMPARED:
            typed = _by_code_points(hidden, shown, typed)
    return original[:start] + typed + original[end:]


def _by_lines(original: str, before: str, after: str) -> str:
    """Restore line by line; a block of changed lines is restored by its code points."""
    old, new = before.split("\n"), after.split("\n")
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    parts: list[str] = []
    for same, a, b, c, d in _blocks(old, new):
        piece = original[starts[a] : max(starts[b] - 1, starts[a])]
        if same:
            parts.append(piece)
        elif c < d:
            shown = before[starts[a] : max(starts[b] - 1, starts[a])]
            parts.append(_restore(piece, shown, "\n".join(new[c:d]), by_line=False))
    return "\n".join(parts)


def _by_code_points(original: str, before: str, after: str) -> str:
    """Restore code point by code point."""
    return "".join(
        original[a:b] if same else after[c:d] for same, a, b, c, d in _blocks(before, after) if same or c < d
    )


def _blocks(before: list[str] | str, after: list[str] | str) -> list[tuple[bool, int, int, int, int]]:
    """Align two sequences: (equal?, start and end before, start and end after), in order, without gaps."""
    from difflib import (
        SequenceMatcher,
    )  # 5 ms; only when a text with hidden code points was edited in its middle

    return [
        (tag == "equal", a, b, c, d)
        for tag, a, b, c, d in SequenceMatcher(None, before, after, False).get_opcodes()
    ]


def _common_start(one: str, other: str) -> int:
    """Return how many code points two texts have in common at their start (by halving, no loop)."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
