"""Memory documents of a Profile (the other dialect): what their bytes mean (facts "Profile" 3–4).

Unlike the Digit dialect, single entries are not stripped, CR LF is content, and the file ends with LF.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from digit_core.formats.entries import DELIMITER

JS_BLANKS = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's `trim` takes off, unlike `str.strip`: U+FEFF too, U+001C–001F and U+0085 not."""

_BOM = b"\xef\xbb\xbf"


class ProfileDocument(NamedTuple):
    """One memory document of a Profile, as the program there reads it."""

    text: str
    """The decoded file without a leading byte order mark; bytes that are no UTF-8 are U+FFFD. Its length in
    code points is what lists count."""
    entries: tuple[str, ...]
    """In order, each as it stands: blanks around it included, an empty one too."""
    bom: bool
    replaced: bool
    """Some bytes were no UTF-8: written back, the file would lose them."""


def parse_profile(data: bytes) -> ProfileDocument:
    """Read the bytes of a Profile's memory document. Any bytes can be read."""
    bom = data.startswith(_BOM)
    body = data[len(_BOM) :] if bom else data
    try:
        text, replaced = body.decode("utf-8"), False
    except UnicodeDecodeError:
        text, replaced = body.decode("utf-8", "replace"), True
    whole = text.strip(JS_BLANKS)
    return ProfileDocument(text, tuple(whole.split(DELIMITER)) if whole else (), bom, replaced)


def serialise_profile(entries: Iterable[str]) -> bytes:
    """The bytes of a document with these entries: joined, LF at the end; no entries are an empty file."""
    listed = tuple(entries)
    return (DELIMITER.join(listed) + "\n").encode("utf-8") if listed else b""


def profile_length(entries: Iterable[str]) -> int:
    """Code points of the document with these entries, delimiters and last LF included: what caps count."""
    listed = tuple(entries)
    return sum(map(len, listed)) + len(DELIMITER) * (len(listed) - 1) + 1 if listed else 0
