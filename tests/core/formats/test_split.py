from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.document import content_fault, propose_split
from digit_core.formats.split import likely_split


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("", ()),
        ("§", ()),
        ("one line", ("one line",)),
        ("pre\n\n## A\na\n\n## B\nb\n", ("pre", "## A\na", "## B\nb")),
        ("# T\n\n## A\na\n### A1\nx\n## B", ("# T", "## A\na\n### A1\nx", "## B")),
        ("# A\na\n# B\nb", ("# A\na", "# B\nb")),
        ("- a\n  - a1\n- b\n\nafter", ("- a\n  - a1", "- b", "after")),
        ("1. a\n2. b", ("1. a", "2. b")),
        ("one\nmore\n\ntwo\n\n  three", ("one\nmore", "two\n\n  three")),
        ("#### H\n\nbody\n\nnext", ("#### H\n\nbody", "next")),
        ("a\n§ \nb\n  §\nc", ("a", "b", "c")),
        ("§\na\n\nb", ("a", "b")),
        ("a\n§ \n## X\nx\n## Y\ny", ("a", "## X\nx", "## Y\ny")),
        ("a\n\n```\nx\n\n## y\n§ \n- z\n```\n\nb", ("a", "```\nx\n\n## y\n§ \n- z\n```", "b")),
        ("| a |\n|---|\n| b |\n\nx", ("| a |\n|---|\n| b |", "x")),
        ("a | b\n--- | ---\n- x | y\n- z | w", ("a | b\n--- | ---\n- x | y\n- z | w",)),
        ("a\r\n\r\nb", ("a", "b")),
        ("```\n§ \n§\n```", ("```", "```")),
    ],
)
def test_proposals(text: str, notes: tuple[str, ...]) -> None:
    assert propose_split(text) == notes


_PIECES = (
    "a",
    "b ",
    "\n",
    "\n\n",
    "## ",
    "\n## ",
    "- ",
    "\n- ",
    "§",
    "\n§ \n",
    "```",
    "\n```\n",
    "|",
    "\n|---|\n",
    "# ",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=16).map("".join))
def test_nothing_but_section_signs_is_lost(text: str) -> None:
    notes = propose_split(text)
    lines = [line for line in text.split("\n") if line.strip() != "§"]
    kept = [line for note in notes for line in note.split("\n") if line.strip() != "§"]
    assert "".join("".join(kept).split()) == "".join("".join(lines).split())
    assert all(content_fault(note) is None and note == note.strip() for note in notes)
    for note in notes:
        assert note in text


def test_only_what_likely_is_several_is_pointed_out() -> None:
    assert likely_split("Likes:\n- tea\n- bread\n- rain") == ()
    assert likely_split("para\n\npara\n\npara") == ()
    assert likely_split("## only one heading\nx") == ()
    assert len(likely_split("## A\na\n## B\nb")) == 2
    assert len(likely_split("a\n§ \nb")) == 2
    assert len(likely_split("\n".join(f"- fact number {n} with some words" for n in range(30)))) == 30
