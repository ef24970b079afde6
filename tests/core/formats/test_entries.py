from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.document import clean, content_fault, fold, length, line_of, parse, to_bytes
from tests.core.formats.agent import FILES, agent_reads


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"", ()),
        (b" \n\n", ()),
        ("A B\n§\nC".encode(), ("A B", "C")),
        ("\n§\n\n§\nA\n§\n".encode(), ("A",)),
        ("A\n§".encode(), ("A\n§",)),
        ("§\nA".encode(), ("§\nA",)),
        ("A\n§\n§\nB".encode(), ("A", "§\nB")),
        ("A\n § \nB\n§ \nC".encode(), ("A\n § \nB\n§ \nC",)),
        ("A\r\nx\r\n§\r\nB\r\n".encode(), ("A\nx", "B")),
        ("A\r§\rB".encode(), ("A", "B")),
        ("  A  \n§\n\tB\n\n".encode(), ("A", "B")),
        ("\ufeffA\n§\n\ufeffB".encode(), ("A", "\ufeffB")),
        ("A\n§\nA".encode(), ("A", "A")),
        ("A§B\n§§\nC".encode(), ("A§B\n§§\nC",)),
    ],
)
def test_entries_are_those_of_the_agent(data: bytes, texts: tuple[str, ...]) -> None:
    assert parse(data).texts == texts == agent_reads(data)


@given(FILES)
def test_any_file_reads_as_the_agent_reads_it(data: bytes) -> None:
    document = parse(data)
    assert document.texts == agent_reads(data)
    for entry in document.entries:
        assert fold(document.raw[entry.start : entry.end]) == entry.text


@given(st.one_of(FILES, st.binary(max_size=40)))
def test_bytes_come_back(data: bytes) -> None:
    document = parse(data)
    assert to_bytes(document) == data
    assert document.texts == agent_reads(data)


def test_bytes_that_are_no_utf8_are_named_by_offset() -> None:
    data = b"\xef\xbb\xbfcaf\xe9 \xd0\xb6 \xff\n\xc2\xa7\nok"
    document = parse(data)
    assert document.bom
    assert document.bad_bytes == (6, 11)
    assert [data[at] for at in document.bad_bytes] == [0xE9, 0xFF]
    assert document.texts == ("caf\udce9 ж \udcff", "ok")


@pytest.mark.parametrize(
    ("data", "newline"),
    [(b"", "\n"), (b"a", "\n"), (b"a\nb", "\n"), (b"a\r\nb", "\r\n"), (b"a\r\nb\nc", "\n"), (b"a\rb", "\n")],
)
def test_the_dominant_line_end(data: bytes, newline: str) -> None:
    assert parse(data).newline == newline


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_identities_are_recognised_and_are_no_prose(newline: str) -> None:
    lines = (
        "<!-- hermes-memory-identities:v1 -->",
        '<!-- hermes-memory-entry:{"id":"6b0c","target":"memory"} -->',
        "first",
        "line two",
        "§",
        '<!-- hermes-memory-entry:{"id":"77aa","target":"memory"} -->',
        "second",
    )
    document = parse(newline.join(lines).encode())
    assert document.identities
    assert document.texts == ("first\nline two", "second")
    assert document.raw[document.entries[1].start : document.entries[1].end] == "second"
    only = parse("\n".join((lines[0], "§", *lines[1:3])).encode())
    assert only.texts == ("first",)
    assert not parse(b"A\n<!-- hermes-memory-identities:v1 -->").identities


@pytest.mark.parametrize(
    ("texts", "used"), [((), 0), (("",), 0), (("abc",), 3), (("ab", "🪨"), 6), (("a", "b", "c"), 9)]
)
def test_length_counts_code_points_and_delimiters(texts: tuple[str, ...], used: int) -> None:
    assert length(texts) == used == len("\n§\n".join(texts))


def test_clean_is_what_is_stored() -> None:
    assert clean("\r\n a\r\nb\rc \u2028") == "a\nb\nc"


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("", "empty", 1),
        (" \r\n", "empty", 1),
        ("§", "delimiter", 1),
        ("a\r\n§\r\nb", "delimiter", 2),
        ("a\nb\n§", "delimiter", 3),
    ],
)
def test_content_that_cannot_be_one_entry(text: str, kind: str, line: int) -> None:
    fault = content_fault(text)
    assert fault is not None
    assert (fault.kind, fault.line) == (kind, line)
    assert kind == "empty" or f"Line {line} is just §" in fault.message


@pytest.mark.parametrize("text", ["a § b", "§ a", "a\n § \nb", "§§", "a\n§§\nb"])
def test_a_sign_inside_a_line_is_content(text: str) -> None:
    assert content_fault(text) is None


def test_lines_count_every_line_end() -> None:
    raw = "a\r\nb\rc\nd"
    assert [line_of(raw, raw.index(char)) for char in "abcd"] == [1, 2, 3, 4]


def test_parsing_1200_notes_takes_no_time() -> None:
    data = "\n§\n".join(["x" * 177] * 1200).encode()
    best = 1.0
    for _ in range(5):
        started = time.process_time()
        assert len(parse(data).entries) == 1200
        best = min(best, time.process_time() - started)
    assert best < 0.020, "four times the budget of 5 ms, for busy machines"
