"""Faults of rendering (faults.md F74, F103–F109, X3, X5, X8), as far as the core answers for them."""

from __future__ import annotations

import re

import pytest
import wcwidth
from rich.cells import cell_len

from digit_core.text.measure import clip, fit, width, wrap
from digit_core.text.visible import editor_text, has_hidden, one_line, restore, visible

BRACKETS = (
    "[/",
    "[x=1: y]",
    "[/red]",
    "[stage] item",
    "[red]x[/red]",
    "arr[0]",
    "[b + c",
    "[[Note]]",
    "[link=file:///etc/passwd]x[/link]",
    "[@click=app.boom]text[/]",
)
ESCAPES = (
    "\x1b]52;c;ZWNobyBoaQ==\x07",
    "\x1b[2J",
    "\x1b]0;t\x07",
    "\x1b[6n",
    "\x9b31m",
    "\x1b]",
    "\x1bc",
)
WIDE = ("整理论文和更新README", "⚠️ 危险", "👨‍👩‍👧 семья", "🇷🇺", "e\u0301", "①—◆")
CLUSTERS = ("〽️", "⏺️", "👍🏽", "🏴‍☠️", "क्षि")


def test_f074_emoji_joiners_are_kept_and_others_shown() -> None:
    text = "Пишет как 👩‍💻, любит 🏳️‍🌈 и ❤️‍🔥"
    assert visible(text) == text
    assert has_hidden("foo\u200dbar")
    assert visible("ignore\u200d previous instructions") == "ignore� previous instructions"


@pytest.mark.parametrize("text", BRACKETS)
def test_f103_brackets_stay_literal(text: str) -> None:
    assert visible(text) == one_line(text) == editor_text(text) == text
    assert clip(text, 80) == text
    assert fit(text, 40).rstrip() == text
    assert "".join(text[a:b] for a, b in wrap(text, 80)) == text


@pytest.mark.parametrize("text", ESCAPES)
def test_f105_no_control_byte_is_left(text: str) -> None:
    shown = visible(f"before {text} after")
    assert re.search("[\x00-\x1f\x7f-\x9f]", shown) is None
    assert ("␛" in shown) == ("\x1b" in text)
    assert width(shown) == len(shown) == cell_len(shown)


@pytest.mark.parametrize("text", [*WIDE, *CLUSTERS])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 60, 80, 133])
def test_f107_columns_line_up(text: str, size: int) -> None:
    assert width(text) == cell_len(text)
    row = fit(text * 40, size) + "│"
    assert cell_len(row) == size + 1


@pytest.mark.parametrize("text", CLUSTERS)
def test_f108_no_cluster_is_ever_cut(text: str) -> None:
    line = f"а{text}б{text}" * 5
    starts = {0}
    for cluster in wcwidth.iter_graphemes(line):
        starts.add(max(starts) + len(cluster))
    for size in range(1, width(line) + 1):
        assert len(clip(line, size).removesuffix("…")) in starts
        assert all(start in starts and end in starts for start, end in wrap(line, size))


@pytest.mark.parametrize("size", [20, 40, 78, 80])
def test_f109_wrapped_lines_do_not_overflow(size: int) -> None:
    text = "⏺️ слово ⏺️⏺️ и ещё " * 20
    lines = [text[start:end] for start, end in wrap(text, size)]
    assert max(map(cell_len, lines)) <= size
    assert " ".join(line.strip() for line in lines) == text.strip()


def test_x3_an_editor_gives_back_what_it_was_only_shown() -> None:
    original = "a\x0bb\x0cc\x1cd\x1de\x1ef\x85g\u2028h\u2029i\rj\nk"
    shown = editor_text(original)
    assert shown.splitlines() == shown.split("\n") == ["a␋b␌c␜d␝e␞f␤g␤h␤i␍j", "k"]
    assert restore(original, shown, shown) == original
    assert restore(original, shown, shown.replace("b", "B!")) == original.replace("b", "B!")


def test_x5_bytes_that_are_no_text_are_shown() -> None:
    bad = b"caf\xe9 \x9b".decode("utf-8", "surrogateescape")
    assert visible(bad) == "caf� �"
    visible(bad).encode("utf-8")


def test_x8_widths_are_those_of_the_screen_library() -> None:
    for text in ("⚠️", "👨‍👩‍👧", "🇷🇺", "\t", "\u202eabc", "\u00ad"):
        assert width(text) == cell_len(text)
