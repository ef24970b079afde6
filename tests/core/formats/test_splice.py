from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.document import (
    SpliceError,
    drift,
    normalise,
    parse,
    splice_add,
    splice_insert,
    splice_remove,
    splice_replace,
    to_bytes,
)
from tests.core.formats.agent import FILES, TEXTS, agent_drifts, agent_reads


def _add(before: str, text: str) -> str:
    return to_bytes(splice_add(parse(before.encode()), text)).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "B"),
        (" \n", "B"),
        ("\n§\n", "B"),
        ("A", "A\n§\nB"),
        ("A\n", "A\n§\nB"),
        ("A \n\n", "A\n§\nB"),
        ("A\n§\n", "A\n§\nB"),
        ("A\n§", "A\n§\nB"),
        ("A\n\n§", "A\n§\nB"),
        ("A\n§\n\n", "A\n§\nB"),
        ("A\n§\n§", "A\n§\n§\n§\nB"),
        ("A\n§\n\n§", "A\n§\n§\n§\nB"),
        ("\n§", "§\n§\nB"),
        ("A\n§ \n\n§", "A\n§\nB"),
        ("A\n§\n§\n", "A\n§\n§\n§\nB"),
        ("A\r\n§\r\nC\r\n", "A\r\n§\r\nC\r\n§\r\nB"),
        ("A\r\n§\r\n", "A\r\n§\r\nB"),
        ("\n A \n§\n C", "\n A \n§\n C\n§\nB"),
        ("\ufeffA", "\ufeffA\n§\nB"),
    ],
)
def test_add(before: str, after: str) -> None:
    assert _add(before, "B") == after


def test_new_text_takes_the_line_ends_of_the_file() -> None:
    document = parse("A\r\nx\r\n§\r\nB\r\n".encode())
    assert (
        to_bytes(splice_replace(document, 1, ["p\nq", "r"])) == "A\r\nx\r\n§\r\np\r\nq\r\n§\r\nr\r\n".encode()
    )
    assert to_bytes(splice_insert(document, 0, "p\nq")) == "p\r\nq\r\n§\r\nA\r\nx\r\n§\r\nB\r\n".encode()


@pytest.mark.parametrize(
    ("before", "index", "after"),
    [
        ("A", 0, ""),
        ("\ufeff A \n", 0, ""),
        ("A\n§\nB\n§\nC", 0, "B\n§\nC"),
        ("A\n§\nB\n§\nC", 1, "A\n§\nC"),
        ("A\n§\nB\n§\nC\n", 2, "A\n§\nB\n"),
        (" A \n§\n\nB \n§\n C", 1, " A \n§\n\nC"),
        ("A\n§\nB\n§\nC", -1, "A\n§\nB"),
        # What follows begins or ends with a § line: nothing may turn it into a delimiter.
        ("\nX\n§\n§\nA", 0, "§\nA"),
        ("A\n§\n\nB\n§\n§\nC", 1, "A\n§\n§\nC"),
        ("A\n§ \n§\nB\n", 1, "A\n§"),
    ],
)
def test_remove(before: str, index: int, after: str) -> None:
    assert to_bytes(splice_remove(parse(before.encode()), index)).decode() == after


def test_a_first_entry_that_begins_with_the_mark_keeps_it() -> None:
    after = splice_remove(parse("A\n§\n\ufeffB".encode()), 0)
    assert after.texts == ("\ufeffB",)
    assert parse(to_bytes(after)) == after


@pytest.mark.parametrize("text", ["", " a", "a\n§\nb", "§", "a\r\nb", "a\n§", "\ud800"])
def test_what_would_not_read_back_is_refused(text: str) -> None:
    document = parse("A\n§\nB".encode())
    for splice in (splice_add, lambda d, t: splice_insert(d, 1, t), lambda d, t: splice_replace(d, 0, [t])):
        try:
            after = splice(document, text)
        except SpliceError:
            continue
        assert text in after.texts, "only what reads back as meant"
        assert len(after.texts) in (2, 3)
    with pytest.raises(SpliceError):
        splice_insert(document, 3, "c")


def test_identities_are_never_written() -> None:
    document = parse(b"<!-- hermes-memory-identities:v1 -->\nA")
    with pytest.raises(SpliceError, match="identities"):
        splice_add(document, "B")
    with pytest.raises(SpliceError, match="identities"):
        splice_remove(document, 0)
    with pytest.raises(SpliceError, match="identities"):
        normalise(document)


def _is_subsequence(parts: list[bytes], data: bytes) -> bool:
    position = 0
    for part in parts:
        position = data.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return True


def _bytes_of(data: bytes) -> list[bytes]:
    """Each entry as it stands in the file."""
    document = parse(data)
    return [document.raw[start:end].encode("utf-8", "surrogateescape") for _, start, end in document.entries]


@given(FILES, TEXTS, st.integers(0, 9))
def test_insert_keeps_the_rest(data: bytes, text: str, place: int) -> None:
    document = parse(data)
    index = place % (len(document.entries) + 1)
    before = agent_reads(data)
    after = to_bytes(splice_insert(document, index, text))
    expected = {(*before[:index], text, *before[index:])}
    if index == len(before) > 0:  # a § line at the very end may serve as the delimiter
        last = before[-1]
        while last.endswith("\n§"):
            last = last[:-1].rstrip()
        expected.add((*before[:-1], last, text))
    assert agent_reads(after) in expected
    assert agent_drifts(data) or not agent_drifts(after)
    kept = _bytes_of(data)
    if index == len(kept) and kept and kept[-1].endswith("§".encode()):
        kept.pop()
    assert _is_subsequence(kept, after)
    if index < len(document.entries):
        begin = len(document.raw[: document.entries[index].start].encode("utf-8", "surrogateescape"))
        begin += 3 if document.bom else 0
        assert after.startswith(data[:begin])
        assert after.endswith(data[begin:])


@given(FILES, st.lists(TEXTS, min_size=1, max_size=3), st.integers(0, 9))
def test_replace_and_reverse(data: bytes, texts: list[str], place: int) -> None:
    document = parse(data)
    if not document.entries:
        return
    index = place % len(document.entries)
    expected = [*agent_reads(data)]
    expected[index : index + 1] = texts
    replaced = splice_replace(document, index, texts)
    after = to_bytes(replaced)
    assert agent_reads(after) == tuple(expected)
    assert agent_drifts(data) or not agent_drifts(after)
    entry = document.entries[index]
    assert replaced.raw.startswith(document.raw[: entry.start])
    assert replaced.raw.endswith(document.raw[entry.end :])


@given(FILES, st.integers(0, 9))
def test_remove_keeps_the_rest(data: bytes, place: int) -> None:
    document = parse(data)
    if not document.entries:
        return
    index = place % len(document.entries)
    expected, kept = [*agent_reads(data)], _bytes_of(data)
    del expected[index], kept[index]
    after = to_bytes(splice_remove(document, index))
    assert agent_reads(after) == tuple(expected)
    assert agent_drifts(data) or not agent_drifts(after)
    assert _is_subsequence(kept, after)
    assert len(after) < len(data) or after.startswith(b"\xef\xbb\xbf")
    assert expected or after == b""


@given(FILES, TEXTS)
def test_an_added_entry_can_be_taken_back(data: bytes, text: str) -> None:
    before = parse(data)
    added = splice_add(before, text)
    taken = splice_remove(added, len(added.entries) - 1)
    assert taken.texts == added.texts[:-1]


@given(FILES)
def test_normalised_files_are_the_agents_own_form(data: bytes) -> None:
    document = parse(data)
    after = to_bytes(normalise(document))
    assert not agent_drifts(after)
    assert after.removeprefix(b"\xef\xbb\xbf") == "\n§\n".join(agent_reads(after)).encode()
    assert to_bytes(normalise(parse(after))) == after
    unsigned = "".join("".join(agent_reads(data)).replace("§", "").split())
    assert "".join("".join(agent_reads(after)).replace("§", "").split()) == unsigned


@given(FILES)
def test_drift_is_what_the_agent_calls_drift(data: bytes) -> None:
    assert (drift(parse(data)) is not None) == agent_drifts(data)
