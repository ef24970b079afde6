from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from digit_core.text import measure
from digit_core.text.measure import clip, expand_tabs, fit, width, wrap

from .texts import CORPUS, any_text, cells


def borders(text: str) -> set[int]:
    """Cluster borders by the tables of Unicode, but none after a zero-width joiner."""
    at, found = 0, {0, len(text)}
    for cluster in wcwidth.iter_graphemes(text):
        at += len(cluster)
        if cluster[-1] != "\u200d":
            found.add(at)
    return found


# --- width --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", CORPUS)
def test_the_corpus_has_the_widths_of_the_screen_library(text: str) -> None:
    assert width(text) == cell_len(text)


@given(any_text)
def test_width_is_that_of_the_screen_library(text: str) -> None:
    known = "".join(code for code in text if not _newer(code))
    assert width(known) == cell_len(known)


def _newer(code: str) -> bool:
    """A code point that this Python's tables do not have: both libraries have tables of their own for it."""
    import unicodedata

    return unicodedata.category(code) == "Cn"


def test_every_code_point_has_the_width_of_the_screen_library() -> None:
    for number in range(0x20000):
        code = chr(number)
        if not _newer(code):
            assert width(code) == cell_len(code), hex(number)
    for number in range(0x20000, 0x110000, 97):
        if not _newer(chr(number)):
            assert width(chr(number)) == cell_len(chr(number)), hex(number)


def test_the_classes_hold_only_what_they_say() -> None:
    known = "".join(map(chr, range(0x20000)))
    for ranges, expected in ((measure._ONE, 1), (measure._TWO, 2)):
        found = measure._class(ranges).findall(known)
        assert all(cell_len(code) == expected for code in found)
        assert list(wcwidth.iter_graphemes("".join(found))) == found


def test_the_widened_symbols_are_those_of_the_library() -> None:
    for number in range(0x20000):
        widened = cell_len(f"{chr(number)}\ufe0f") - cell_len(chr(number))
        assert widened == (chr(number) in measure._WIDENED), hex(number)


def test_all_example_homes_have_the_widths_of_the_screen_library(shared: Path) -> None:
    seen = 0
    for path in sorted((shared / "homes").rglob("*.md")):
        if not path.is_file():
            continue
        for line in path.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            assert width(line) == cell_len(line), (path, line)
            seen += 1
    assert seen > 1000


def test_everyday_text_needs_no_tables() -> None:
    source = (
        "import sys; from digit_core.text.measure import clip, width, wrap\n"
        "for text in ('Пишет — да → ok', '整理论文和更新README 한국어', '⚠️ 危险 👩‍💻 👍🏽 🇷🇺 1️⃣ e\u0301'):\n"
        "    width(text), clip(text, 7), wrap(text, 7)\n"
        "assert 'wcwidth' not in sys.modules\n"
    )
    core = Path(measure.__file__).parents[2]
    subprocess.run([sys.executable, "-c", source], check=True, env={"PYTHONPATH": str(core)})


# --- clip and fit -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size", "shown"),
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("整理论文", 5, "整理…"),
        ("整理论文", 4, "整…"),
        ("整理论文", 8, "整理论文"),
        ("ab👨‍👩‍👧cd", 4, "ab…"),
        ("ab👨‍👩‍👧cd", 5, "ab👨‍👩‍👧…"),
        ("⚠️⚠️⚠️", 4, "⚠️…"),
        ("🇷🇺🇷🇺🇷🇺", 4, "🇷🇺…"),
        ("ae\u0301io", 3, "ae\u0301…"),
        ("क्षिक्षि", 3, "क्षि…"),
        ("x", 0, ""),
        ("x", -3, ""),
        ("整整", 1, "…"),
    ],
)
def test_clip(text: str, size: int, shown: str) -> None:
    assert clip(text, size) == shown


def test_an_ellipsis_that_does_not_fit_is_left_out() -> None:
    assert clip("abcdef", 2, " […]") == "ab"
    assert clip("整整", 1, "....") == ""
    assert clip("abcdef", 4, "") == "abcd"


@given(any_text, cells)
def test_a_clipped_text_fits_and_ends_at_a_cluster(text: str, size: int) -> None:
    shown = clip(text, size)
    assert width(shown) <= max(size, 0)
    if width(text) <= size:
        assert shown == text
    elif text:
        assert len(shown.removesuffix("…")) in borders(text)


@given(any_text, st.integers(0, 30))
def test_clip_takes_all_that_fits(text: str, size: int) -> None:
    shown = clip(text, size, "")
    following = min((border for border in borders(text) if border > len(shown)), default=None)
    if following is not None:
        assert width(text[:following]) > size


@given(any_text, st.integers(0, 30), st.sampled_from(["left", "right", "center"]))
def test_fit_is_exact(text: str, size: int, align: Literal["left", "right", "center"]) -> None:
    shown = fit(text, size, align)
    assert width(shown) == size
    assert shown.strip(" ") == clip(text, size).strip(" ")


def test_fit_aligns() -> None:
    assert [fit("ж", 4), fit("ж", 4, "right"), fit("ж", 4, "center")] == ["ж   ", "   ж", " ж  "]


# --- tabs and wrap ------------------------------------------------------------------------------------------


def test_tabs_go_to_the_next_stop() -> None:
    assert expand_tabs("a\tb\n\t整\tc") == "a   b\n    整  c"
    assert expand_tabs("none") == "none"


def lines(text: str, size: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, size)]


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("", 10, [""]),
        ("a\n\nb\n", 10, ["a", "", "b", ""]),
        ("one two three", 7, ["one two", "three"]),
        ("one two   three", 8, ["one two", "three"]),
        ("one two", 3, ["one", "two"]),
        ("end   ", 4, ["end"]),
        ("end ", 4, ["end "]),
        ("    ", 2, [""]),
        ("    code here", 10, ["    code", "here"]),
        ("    code", 4, ["code"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("- https://example.com/x", 12, ["- https://ex", "ample.com/x"]),
        ("see the text https://example.com/", 14, ["see the text", "https://exampl", "e.com/"]),
        ("整理论文和更新README，然后", 8, ["整理论文", "和更新", "README，", "然后"]),
        ("他说「好的」。", 6, ["他说", "「好", "的」。"]),
        ("👩‍💻👩‍💻👩‍💻", 5, ["👩‍💻👩‍💻", "👩‍💻"]),
        ("整", 1, ["整"]),
        ("a整b", 0, ["a", "整", "b"]),
        ("नमस्ते दुनिया", 6, ["नमस्ते", "दुनिया"]),
        ("a\tbc", 5, ["a", "bc"]),
        ("a\tb", 5, ["a\tb"]),
    ],
)
def test_wrap(text: str, size: int, expected: list[str]) -> None:
    assert lines(text, size) == expected


@given(any_text, st.integers(-1, 30))
def test_wrapped_lines_cover_the_text_and_fit(text: str, size: int) -> None:
    spans = wrap(text, size)
    assert spans[0][0] >= 0
    assert len(spans) >= text.count("\n") + 1
    covered = [at for start, end in spans for at in range(start, end)]
    assert covered == sorted(set(covered))
    assert all(start < end or not text[start:].split("\n")[0].strip(" \t") for start, end in spans)
    assert {text[at] for at in set(range(len(text))) - set(covered)} <= {" ", "\t", "\n"}
    for start, end in spans:
        line = text[start:end]
        assert "\n" not in line
        if width(expand_tabs(line)) > max(size, 1):  # one cluster alone may be wider
            assert len(borders(line)) == 2


@given(any_text, st.integers(1, 30))
def test_wrapped_lines_begin_and_end_between_clusters(text: str, size: int) -> None:
    for paragraph in text.split("\n"):
        allowed = borders(paragraph)
        for start, end in wrap(paragraph, size):
            assert {start, end} <= allowed


@given(any_text, st.integers(1, 30))
def test_no_line_leaves_room_for_the_next_word(text: str, size: int) -> None:
    for paragraph in text.split("\n"):
        for (start, end), (follows, after) in pairwise(wrap(paragraph, size)):
            word = paragraph[follows:after].split(" ")[0].split("\t")[0]
            if end < follows:
                assert width(expand_tabs(paragraph[start:follows])) + width(word) > size


@given(st.text("ab  я—", max_size=60), st.integers(1, 12))
def test_the_fast_way_wraps_like_the_general_one(text: str, size: int) -> None:
    assert wrap(text, size) == measure._wrap_any(text, size)


@given(any_text)
def test_simple_clusters_are_those_of_unicode(text: str) -> None:
    simple, cluster = measure._simple_patterns()
    if simple.fullmatch(text) and "\t" not in text:
        assert cluster.findall(text) == list(measure._clusters_of_any_script(text))
