"""Tags, the pin and the title of a note (facts 11.1 as section 13 changes it)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import category, is_normalized, normalize

from digit_core.formats.fences import code_spans

__all__ = ["PIN", "Tag", "code_spans", "is_pinned", "tag_spans", "tags", "title", "with_pin", "without_pin"]

PIN = "pinned"
"""The tag that marks a note as pinned; it files it nowhere."""

_MOST = 64
"""Letters of the longest tag."""
# The # goes first, so that the engine searches for it and only then looks back.
_START = re.compile(r"#(?<![^\s(\[]#)(?=[^\W\d_])")
_HEX_COLOUR = re.compile(r"(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_HEADING = re.compile(r"#{1,6}(?:[ \t]+|\Z)")
_CLOSED_LINE = re.compile(r"[-=*_~`:|\s]+\Z|\s*\|.*\|\s*\Z")
"""A last line that means something as a whole: a rule, the underline of a heading, a fence, a table row."""


class Tag(NamedTuple):
    """A tag where it stands: code points from its # to behind it."""

    start: int
    end: int
    name: str
    """NFC, lower case."""


def tag_spans(text: str) -> tuple[Tag, ...]:
    """All tags of a text outside code, in order, repeated ones too."""
    return tuple(_tags(text)) if "#" in text else ()


def tags(text: str) -> tuple[str, ...]:
    """The tags of a text, each once, in order of appearance; NFC and lower case.

    A tag is # at the start or behind a blank, ( or [, then a letter, then up to 63 letters, marks, digits,
    _ / -. Not in code, and not a hex colour.
    """
    return tuple(dict.fromkeys(tag.name for tag in tag_spans(text)))


def is_pinned(text: str) -> bool:
    """Whether a note is pinned."""
    return PIN in tags(text)


def with_pin(text: str) -> str:
    """`text` with the pin at the end of its last line, or on a line of its own where that would change what
    the last line means (the end of a fence, a table row, a rule). A pinned text comes back as it is.
    """
    if is_pinned(text):
        return text
    if not text:
        return f"#{PIN}"
    last = text[text.rfind("\n") + 1 :]
    pinned = f"{text} #{PIN}"
    if _CLOSED_LINE.match(last) is None and code_spans(pinned) == code_spans(text):
        return pinned
    return f"{text}\n\n#{PIN}"


def without_pin(text: str) -> str:
    """`text` without the pin, wherever it stands outside code, and without the blanks that set it apart.

    Undoes `with_pin` exactly for a stripped text. May be empty: when there was nothing but the pin.
    """
    for tag in reversed(tag_spans(text)):
        if tag.name == PIN:
            text = _cut_out(text, tag.start, tag.end)
    return text


def title(text: str) -> str:
    """What a note is listed by: its first line with text, without heading marks and without tags at its
    edges.

    A line of nothing else is its own title, so that only a blank text has none.
    """
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    whole = text[start:end].strip()
    heading = _HEADING.match(text, start, end)
    start = heading.end() if heading else start
    spans = [tag for tag in tag_spans(text) if start <= tag.start < end]
    left, right = 0, len(spans)
    while left < right and not text[start : spans[left].start].strip():
        start, left = spans[left].end, left + 1
    while left < right and not text[spans[right - 1].end : end].strip():
        end, right = spans[right - 1].start, right - 1
    return text[start:end].strip() or whole


def _tags(text: str) -> Iterator[Tag]:
    """Find tags outside code."""
    code = code_spans(text)
    for found in _START.finditer(text):
        start = found.start()
        if any(begin <= start < end for begin, end in code) or not text[start + 1].isalpha():
            continue
        end = start + 2
        most = min(len(text), start + 1 + _MOST)
        while end < most and _goes_on(text[end]):
            end += 1
        name = text[start + 1 : end]
        if not _is_colour(name):
            name = name.strip("/-")
            yield Tag(start, end, _nfc(_nfc(name).lower()))


def _goes_on(char: str) -> bool:
    """Whether a tag goes on with this letter, mark or sign."""
    return char.isalnum() or char in "_/-" or (char > "\u02ff" and category(char)[0] == "M")


def _is_colour(name: str) -> bool:
    """Hex digits of a colour, with a digit among them or all capitals."""
    return _HEX_COLOUR.match(name) is not None and (name.isupper() or not name.isalpha())


def _nfc(text: str) -> str:
    return text if is_normalized("NFC", text) else normalize("NFC", text)


def _cut_out(text: str, start: int, end: int) -> str:
    """`text` without a stretch, its brackets, and the blanks before it; a line left empty goes."""
    if text[start - 1 : start] + text[end : end + 1] in ("()", "[]"):
        start, end = start - 1, end + 1
    before, after = text[:start], text[end:]
    if not after.strip():
        return before.rstrip()
    bare = before.rstrip(" \t")
    if bare and not bare.endswith("\n"):
        return bare + after
    after = after.lstrip(" \t")
    return bare + after[1:] if after.startswith("\n") else before + after
