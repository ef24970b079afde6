from __future__ import annotations

import pytest
from hypothesis import given

from digit_core.formats.document import drift, irregularities, parse
from tests.core.formats.agent import FILES


def _kinds(data: bytes) -> list[tuple[str, int]]:
    return [(odd.kind, odd.line) for odd in irregularities(parse(data))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("A\n§\nB\n", []),
        ("A § b\n§\nB", []),
        ("§", [("stray delimiter", 1)]),
        ("A\n§\n", [("stray delimiter", 2)]),
        ("A\n§", [("stray delimiter", 2)]),
        ("\n§\nA\n§\n§\nB", [("stray delimiter", 2), ("stray delimiter", 5)]),
        ("A\n§\n\n§\nB", [("stray delimiter", 4)]),
        ("A\n§\nB\n § \nC\n§\nD", [("near delimiter", 4)]),
        ("A\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other", [("merge marks", 2), ("merge marks", 6)]),
        ("<<<<<<<< not one", []),
        ("A\n§\nB\n§\nA\n§\nA", [("duplicate", 5), ("duplicate", 7)]),
        ("A\n§\nB\n```\nx", [("unbalanced fence", 4)]),
        ("\ufeffA", [("bom", 1)]),
        ("A\r\n§\r\nB", [("crlf", 1)]),
        ("A\r§\rB", [("crlf", 1)]),
        ("A\r\n§\nB", [("mixed line ends", 1)]),
        ("## A\na\n## B\nb", [("no delimiter", 1)]),
        ("A\r\n§\r\nA\r\n§\r\nB\r\n§", [("crlf", 1), ("duplicate", 3), ("stray delimiter", 6)]),
    ],
)
def test_what_is_odd(text: str, found: list[tuple[str, int]]) -> None:
    assert _kinds(text.encode()) == found


def test_bad_bytes_are_told_with_offset_and_line() -> None:
    (odd,) = irregularities(parse(b"a\nb\n\xe9\xe8"))
    assert (odd.kind, odd.line) == ("bad bytes", 3)
    assert odd.message == "2 bytes are not UTF-8, the first at byte 4 (line 3): the agent cannot read this."


@given(FILES)
def test_anything_can_be_looked_at(data: bytes) -> None:
    document = parse(data)
    lines = document.raw.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    for odd in (*irregularities(document), drift(document, 1)):
        assert odd is None or (1 <= odd.line <= lines and odd.message)


@pytest.mark.parametrize(
    ("text", "line"),
    [("A\n§\nB \n§\nC", 3), ("\n§\nA", 1), ("A\n§\n", 1), ("A\n§\n\nB", 1), ("x\n\n§\n", 1)],
)
def test_drift_names_its_line(text: str, line: int) -> None:
    found = drift(parse(text.encode()))
    assert found is not None
    assert (found.kind, found.line) == ("padding", line)


def test_a_note_longer_than_the_store_is_drift() -> None:
    document = parse("a\n§\nbcdef\n§\ng".encode())
    assert drift(document) is None
    assert drift(document, 5) is None
    found = drift(document, 4)
    assert found is not None
    assert (found.kind, found.line) == ("long entry", 3)
    assert "5 characters" in found.message
    assert drift(parse(b"<!-- hermes-memory-identities:v1 -->\n\nA"), 1) is None


@pytest.mark.parametrize("text", ["A\n", "\n A", "A\r\n§\r\nB\r\n", "A\n§", "one  \n§ \ntwo\n\n"])
def test_what_the_agent_accepts_is_no_drift(text: str) -> None:
    assert drift(parse(text.encode())) is None
