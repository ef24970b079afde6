"""Differences: nothing is lost or made up, no cluster is cut, and none takes long."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.text.measure import clusters, width
from digit_tui.widgets.diff import MINUS, PLUS, Effort, difference, marked
from digit_tui.widgets.page import Paragraph
from tests.hostile import TEXTS

PIECES = [
    "a",
    "b",
    " ",
    "\n",
    "\t",
    "слово",
    "é",
    "e\u0301",
    "整理",
    "👨‍👩‍👧",
    "🇷🇺",
    "⚠️",
    "क्षि",
    "\x1b",
    "[/]",
    "_",
    "\u200c",
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=25)


def text_of(paragraphs: Iterable[Paragraph], *styles: str) -> str:
    """The lines in these styles."""
    found = [
        p for p in paragraphs if (p.style if p.runs == () else p.runs[0][1].removesuffix("-word")) in styles
    ]
    return "\n".join("".join(text for text, _ in paragraph.runs) for paragraph in found)


@given(TEXT, TEXT)
def test_added_and_same_give_after_removed_and_same_give_before(before: str, after: str) -> None:
    found = difference(before, after)
    assert text_of(found, "added", "same") == after
    assert text_of(found, "removed", "same") == before


@given(TEXT)
def test_none_is_a_note_that_was_not_there(text: str) -> None:
    assert text_of(difference(None, text), "added") == text
    assert text_of(difference(text, None), "removed") == text


@given(TEXT, TEXT)
def test_marked_keeps_the_text_whole(text: str, other: str) -> None:
    for found in (marked(text, other), marked(text, None)):
        assert "\n".join("".join(part for part, _ in paragraph.runs) for paragraph in found) == text
    assert all(paragraph.mark == " " for paragraph in marked(text, text))


@given(TEXT, TEXT)
def test_no_run_cuts_a_cluster(before: str, after: str) -> None:
    for paragraph in (*difference(before, after), *marked(before, after)):
        line = "".join(text for text, _ in paragraph.runs)
        borders, at = {0}, 0
        for cluster in clusters(line):
            at += len(cluster)
            borders.add(at)
        at = 0
        for text, _ in paragraph.runs:
            at += len(text)
            assert at in borders
        assert sum(width(text) for text, _ in paragraph.runs) == width(line)


def test_signs_and_words() -> None:
    found = difference("one two three\nsame", "one 2 three\nsame\nmore")
    assert [paragraph.mark for paragraph in found] == [MINUS, PLUS, " ", PLUS]
    assert found[0].runs == (("one ", "removed"), ("two", "removed-word"), (" three", "removed"))
    assert found[1].runs == (("one ", "added"), ("2", "added-word"), (" three", "added"))


def test_ideographs_differ_one_by_one() -> None:
    assert difference("整理论文", "整理文章")[0].runs[0] == ("整理", "removed")


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_texts_differ_from_nothing_and_from_themselves(text: str) -> None:
    assert {paragraph.mark for paragraph in difference(text, text)} == {" "}
    assert text_of(difference("", text), "added", "same") == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("w " * 50_000, "w " * 50_000 + "z"),
        ("a " * 20_000 + "b " * 20_000, "a " * 20_000 + "c " * 20_000),
        ("тест é " * 15_000, "z" + "тест é " * 15_000),
        ("\n" * 5_000 + "x", "y" + "\n" * 5_000),
        ("\n".join("ab cd" for _ in range(3_000)), "\n".join("cd ab" for _ in range(3_000))),
    ],
)
def test_large_texts_are_told_at_once(before: str, after: str) -> None:
    start = time.thread_time()
    found = difference(before, after)
    assert time.thread_time() - start < 2  # a hundred times less as a rule
    assert text_of(found, "added", "same") == after


def test_one_effort_for_many_differences() -> None:
    effort = Effort()
    one, other = " ".join("abcdef"[n % 6] for n in range(300)), " ".join("fedcba"[n % 5] for n in range(300))
    start = time.thread_time()
    for _ in range(500):
        found = difference(one, other, effort)
    assert time.thread_time() - start < 3
    assert found[0].runs[0][1] == "removed" or found[0].runs == ((one, "removed-word"),)
