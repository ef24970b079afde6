from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from digit_core.text.visible import (
    describe_hidden,
    editor_text,
    has_hidden,
    one_line,
    restore,
    visible,
)

from .texts import CORPUS, any_text

# Never kept, whatever stands around it; written down apart from the module's own table.
NEVER = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e002f]"
)
AGENT_BLOCKS = "\u200b\u200c\u200d\u2060\u2062\u2063\u2064\ufeff" + "".join(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext — да", "plain\n\ttext — да"),
        ("a\x1b[2Jb", "a␛[2Jb"),
        ("\x00\x07\r\x7f", "␀␇␍␡"),
        ("\x9b31m\x85", "�31m␤"),
        ("a\u2028b\u2029c", "a␤b␤c"),
        ("\u202eabc\u2066\u200f\u061c", "�abc���"),
        ("z\u200bw\ufeff\u2060\u00ad\u3164", "z�w����"),
        ("bad \udcff byte", "bad � byte"),
        ("x\ufe0f 😀\U000e0100\U000e0101", "x� 😀��"),
        ("⚠\ufe0f\ufe0f", "⚠\ufe0f�"),
        ("👍\U0001f3fd\u200dx", "👍\U0001f3fd�x"),
        ("葛\U000e0100\U000e0101", "葛\U000e0100�"),
        ("\U0001f3f4" + "\U000e0061" * 12 + "\U000e007f", "\U0001f3f4" + "�" * 13),
    ],
)
def test_each_hidden_code_point_gets_a_sign(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *(text for text in CORPUS if not set(text) & {"\u202e", "\u00ad"}),
        "क्\u200dष क्\u200d अवन\u0d4d\u200d",
        "میan \u0647\u200d\u0645",
        "\u1820\u180b",
        "👩🏽\u200d💻 👁\ufe0f\u200d🗨\ufe0f",
    ],
)
def test_what_writing_needs_is_kept(text: str) -> None:
    assert visible(text) == text
    assert not has_hidden(text)
    assert describe_hidden(text) == ()


@given(any_text)
def test_one_code_point_for_one(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert visible(shown) == shown
    assert NEVER.search(shown) is None
    assert not has_hidden(shown)
    assert all(a == b or b in "␤�␡" or "\u2400" <= b <= "\u241f" for a, b in zip(text, shown, strict=True))
    shown.encode("utf-8")


@given(any_text)
def test_described_is_what_was_replaced(text: str) -> None:
    shown = visible(text)
    places = [int(line.rsplit(" ", 1)[1]) - 1 for line in describe_hidden(text)]
    assert places == [at for at, (a, b) in enumerate(zip(text, shown, strict=True)) if a != b]
    assert has_hidden(text) == bool(places)


# Format characters that are drawn: the signs that stand over Arabic, Syriac and Kaithi numbers.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def test_every_code_point_alone_is_shown_as_it_is_or_by_a_sign() -> None:
    shown = visible("".join(f"a{chr(number)}b" for number in range(0x110000)))
    for number in range(0x110000):
        code, kind = chr(number), unicodedata.category(chr(number))
        if NEVER.match(code) or (kind in ("Cc", "Cf", "Cs", "Zl", "Zp") and number not in {9, 10, *DRAWN}):
            assert shown[number * 3 + 1] != code, hex(number)
        elif kind not in ("Cn", "Mn", "Mc", "Lo") or number in DRAWN:
            assert shown[number * 3 + 1] == code, hex(number)


def test_what_the_agent_calls_invisible_is_shown_between_words() -> None:
    for code in AGENT_BLOCKS:
        assert visible(f"ignore{code} previous") == "ignore� previous"
        assert f"U+{ord(code):04X}" in describe_hidden(f"ignore{code} previous")[0]


def test_hidden_code_points_are_named() -> None:
    assert describe_hidden("copy this text\x1b]52") == ("U+001B ESC at 15",)
    assert describe_hidden("\u202e\x9b\udcff\ufffe\x80") == (
        "U+202E RIGHT-TO-LEFT OVERRIDE at 1",
        "U+009B CSI at 2",
        "byte 0xFF (no UTF-8) at 3",
        "U+0080 control at 5",
    )


@given(any_text)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert len(line) == len(text)
    assert line.splitlines() == ([line] if line else [])
    assert "\t" not in line


def test_clean_homes_pass_as_they_are(shared: Path) -> None:
    for path in sorted(shared.glob("homes/grown/memories/*.md")):
        text = path.read_text(encoding="utf-8")
        assert visible(text) == text


# --- the editor ---------------------------------------------------------------------------------------------


@given(any_text)
def test_the_editor_breaks_lines_where_the_text_does(text: str) -> None:
    shown = editor_text(text)
    assert shown.count("\n") == text.count("\n")
    assert shown.splitlines() == shown.removesuffix("\n").split("\n") or shown == ""


@given(any_text)
def test_nothing_typed_nothing_changed(text: str) -> None:
    assert restore(text, editor_text(text), editor_text(text)) == text


@given(any_text, st.integers(0, 40), st.text("ab\n␛�é", min_size=1, max_size=5))
def test_an_insertion_keeps_all_of_the_original(text: str, at: int, typed: str) -> None:
    at = min(at, len(text))
    shown = editor_text(text)
    after = shown[:at] + typed + shown[at:]
    result = restore(text, shown, after)
    assert len(result) == len(after)
    size = len(typed)
    # Where signs that look alike stand side by side, the place of the insertion is any of them.
    assert any(result[:n] + result[n + size :] == text for n in range(len(text) + 1))
    if "␛" not in shown and "�" not in shown:
        assert result[:at] + result[at + size :] == text


@given(any_text, st.integers(0, 40), st.integers(1, 5))
def test_a_deletion_keeps_the_rest_of_the_original(text: str, at: int, size: int) -> None:
    at = min(at, len(text))
    shown = editor_text(text)
    after = shown[:at] + shown[at + size :]
    result = restore(text, shown, after)
    gone = len(text) - len(after)
    assert len(result) == len(after)
    assert any(
        result == text[:n] + text[n + gone :] and after == shown[:n] + shown[n + gone :]
        for n in range(len(after) + 1)
    )


@given(any_text, any_text)
@example("\x1b\n\x1b", "x\n␛\ny")
@example("a\nb\x1b", "\n")
def test_what_is_typed_is_what_was_seen(text: str, after: str) -> None:
    """Each code point of the result is the typed one, or an original that was shown as it."""
    result = restore(text, editor_text(text), after)
    assert len(result) == len(after)
    originals = dict.fromkeys(zip(text, editor_text(text), strict=True))
    assert all(a == b or (a, b) in originals for a, b in zip(result, after, strict=True))


def test_edits_in_two_places_keep_what_is_between() -> None:
    original = "one\x1b[31m two\u2028three\nfour\x0bfive\nsix\udcff"
    shown = editor_text(original)
    after = "ONE" + shown[3:].replace("two", "2").replace("six", "SIX")
    assert restore(original, shown, after) == "ONE\x1b[31m 2\u2028three\nfour\x0bfive\nSIX\udcff"


def test_lines_may_move_around_hidden_ones() -> None:
    original = "a\nb\x1bb\nc\nd\x07\n"
    assert restore(original, editor_text(original), "new\nb␛b\nd␇\nend") == "new\nb\x1bb\nd\x07\nend"


def test_a_large_rewritten_piece_is_taken_as_typed() -> None:
    original = "a" + "x\x1b" * 1000 + "b"
    after = "-" + "y␛" * 1000 + "-"
    assert restore(original, editor_text(original), after) == after


def test_texts_that_are_no_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="not that of the original"):
        restore("abc", "ab", "x")
