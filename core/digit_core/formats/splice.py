"""Changing a memory file by cutting one place of it, so that every other byte stays (facts 13).

Each function answers with the re-parsed document, and checks that it holds exactly the expected texts. None
of them turns a file that the agent accepts into one that it calls drifted (facts 1.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from digit_core.formats.entries import DELIMITER, SIGN, Document, delimiters, parse, to_bytes


class SpliceError(ValueError):
    """The change cannot be written so that it reads back as meant. Nothing was changed."""


def splice_add(document: Document, text: str) -> Document:
    """Put an entry behind all others.

    Blanks at the end of the file go: between two entries they would be drift. A delimiter that already
    stands there (`A LF § LF`, `A LF §`) is used instead of a second one.
    """
    return splice_insert(document, len(document.entries), text)


def splice_insert(document: Document, index: int, text: str) -> Document:
    """Put an entry before the one at `index`; at the end when `index` is the number of entries."""
    expected = [*document.texts]
    if not 0 <= index <= len(expected):
        raise SpliceError(f"There is no place {index} among {len(expected)} entries.")
    expected.insert(index, text)
    new = _in_file_form(document, text)
    if not document.entries:
        return _settle(document, [new], expected)
    if index < len(document.entries):
        start = document.entries[index].start
        return _settle(
            document, [_join(document, document.raw[:start] + new, document.raw[start:])], expected
        )
    before, expected[index - 1] = _room_at_end(document)
    bare = document.raw[: _seam(document, index - 1)] + before[document.entries[-1].start :]
    # The second form is for a last entry that is nothing but §: blanks before it would make it a delimiter.
    return _settle(document, [before + new, bare + new], expected)


def splice_replace(document: Document, index: int, texts: Sequence[str]) -> Document:
    """Put `texts` in the place of one entry: one replaces it, several split it, none removes it."""
    if not texts:
        return splice_remove(document, index)
    entry = document.entries[index]
    new = _in_file_form(document, DELIMITER.join(texts))
    expected = [*document.texts]
    expected[index : index + 1] = texts
    return _settle(document, [document.raw[: entry.start] + new + document.raw[entry.end :]], expected)


def splice_remove(document: Document, index: int) -> Document:
    """Take one entry out, with one of the delimiters beside it. Without its only entry a file is empty."""
    raw, entries = document.raw, document.entries
    entry = entries[index]
    index %= len(entries)
    expected = [*document.texts[:index], *document.texts[index + 1 :]]
    if not expected:
        return _settle(document, [""], expected)
    if index == len(entries) - 1:
        kept = raw[: entries[index - 1].end]
        # The second form is for an entry that ends in a § line: line ends behind it would make that a
        # delimiter.
        return _settle(document, [kept + raw[entry.end :], kept], expected)
    following = raw[entries[index + 1].start :]
    # The second form is for a following entry that begins with a § line: blanks before it would make a
    # delimiter.
    return _settle(
        document, [raw[: entry.start] + following, raw[: _seam(document, index)] + following], expected
    )


def normalise(document: Document) -> Document:
    """Write the document in the agent's own form: LF § LF between stripped entries, nothing around them.

    Line ends become LF, a byte order mark goes, and § lines at the edges of an entry, which are delimiters
    gone astray, go too. Every other character of every entry stays, and duplicates stay.
    """
    texts = [bare for text in document.texts if (bare := _without_stray_signs(text))]
    return _settle(document._replace(bom=False), [DELIMITER.join(texts)], texts)


def _seam(document: Document, index: int) -> int:
    """Where the last delimiter before an entry ends; 0 when there is none."""
    gap = document.entries[index - 1].end if index else 0
    between = delimiters(document.raw, gap, document.entries[index].start)
    return between[-1][1] if between else 0


def _in_file_form(document: Document, text: str) -> str:
    """`text` with the line ends of the file."""
    return text.replace("\n", document.newline)


def _join(document: Document, before: str, after: str) -> str:
    """Two stretches with a delimiter of the file's own form between them."""
    return before + _in_file_form(document, DELIMITER) + after


def _room_at_end(document: Document) -> tuple[str, str]:
    """Everything that stands before an added entry, and the text the last entry then has."""
    raw, last = document.raw, document.entries[-1]
    stray = delimiters(raw, last.end, len(raw))
    if stray:
        return raw[: stray[-1][1]], last.text
    text, end = last.text, last.end
    # The agent reads a § line at the very end as content as long as nothing follows; behind one more delimiter
    # it would cut. So it serves as the delimiter. A § line with blanks around it that thus comes last goes too.
    while text.endswith("\n" + SIGN):
        text = text[: -len(SIGN)].rstrip()
        end = len(raw[: end - len(SIGN)].rstrip())
    return _join(document, raw[:end], ""), text


def _without_stray_signs(text: str) -> str:
    """`text` without lines at its edges that are just §; "" when nothing else is in it."""
    while text == SIGN or text.startswith(SIGN + "\n"):
        text = text[len(SIGN) :].strip()
    while text == SIGN or text.endswith("\n" + SIGN):
        text = text[: -len(SIGN)].strip()
    return text


def _settle(document: Document, forms: Iterable[str], expected: Sequence[str]) -> Document:
    """The first of the forms that reads back as `expected`. SpliceError when none does."""
    if document.identities:
        raise SpliceError("The file carries entry identities, a form that is read and never written.")
    wanted = tuple(expected)
    for raw in forms:
        # A first entry may begin with U+FEFF of its own: without a mark before it, it would be taken for
        # the mark.
        bom = bool(raw) and (document.bom or raw.startswith("\ufeff"))
        try:
            after = parse(to_bytes(document._replace(raw=raw, bom=bom)))
        except UnicodeEncodeError as error:
            raise SpliceError("The text has a lone surrogate, which UTF-8 cannot hold.") from error
        if after.texts == wanted:
            return after
    raise SpliceError("Written like this, the file would not read back as the same entries.")
