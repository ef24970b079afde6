from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.profile import JS_BLANKS, parse_profile, profile_length, serialise_profile
from tests.core.formats.agent import FILES


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", ()),
        (" \n\ufeff", ()),
        ("a\n§\n§\nb", ("a", "§\nb")),
        ("a\n§\n\n§\nb", ("a", "", "b")),
        ("a\n\n§\n\nb", ("a\n", "\nb")),
        ("a\n§\n", ("a\n§",)),
        ("§\na", ("§\na",)),
        ("§", ("§",)),
        ("a\r\n§\r\nb", ("a\r\n§\r\nb",)),
        ("a\n § \nb\n§ \nc", ("a\n § \nb\n§ \nc",)),
        ("foo\n§\n§\nb", ("foo", "§\nb")),
        ("\x1ca\x85\n", ("\x1ca\x85",)),
        ("\u3000a\u180e\u2029", ("a\u180e",)),
    ],
)
def test_entries(text: str, entries: tuple[str, ...]) -> None:
    assert parse_profile(text.encode()).entries == entries


def test_the_mark_is_dropped_once_and_bad_bytes_are_replaced() -> None:
    document = parse_profile(b"\xef\xbb\xbf\xef\xbb\xbfcaf\xe9 \xe2\x82")
    assert (document.bom, document.replaced) == (True, True)
    assert document.text == "\ufeffcaf\ufffd \ufffd"
    assert document.entries == ("caf\ufffd \ufffd",)


def test_what_trim_takes_off() -> None:
    assert len(JS_BLANKS) == len(set(JS_BLANKS)) == 25
    assert {char for char in map(chr, range(0x10000)) if char.isspace()} ^ set(JS_BLANKS) == set(
        "\x1c\x1d\x1e\x1f\x85\ufeff"
    )


def test_writing() -> None:
    assert serialise_profile([]) == b""
    assert serialise_profile(["a", "ж"]) == "a\n§\nж\n".encode()
    assert profile_length([]) == 0
    assert profile_length(["kept", "first", "second"]) == 22


@given(FILES)
def test_what_is_written_reads_the_same(data: bytes) -> None:
    entries = parse_profile(data).entries
    again = parse_profile(serialise_profile(entries))
    assert again.entries == entries or entries[-1:] == ("",)
    assert len(again.text) == profile_length(entries)


@given(st.binary(max_size=40))
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert all("\n§\n" not in entry for entry in parse_profile(data).entries)
