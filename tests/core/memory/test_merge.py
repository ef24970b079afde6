from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from digit_core.memory.merge import Conflict, Merge, merge, pair

# Few letters, so that equal and similar texts happen often.
note = st.text("abc де\n", min_size=1, max_size=8)
notes = st.lists(note, max_size=8)
apart = st.lists(st.text("xyz", min_size=1, max_size=6), max_size=5)


@given(notes, notes)
def test_pairs_lead_from_one_list_to_the_other(before: list[str], after: list[str]) -> None:
    pairs = pair(before, after)
    assert [one.before for one in pairs if one.before is not None] == before
    assert [one.after for one in pairs if one.after is not None] == after
    for one in pairs:
        assert (
            one.kind
            == {
                (True, False): "added",
                (False, True): "removed",
                (False, False): "same" if one.before == one.after else "changed",
            }[one.before is None, one.after is None]
        )
        assert one.before is None or before[one.before_index or 0] == one.before
        assert one.after is None or after[one.after_index or 0] == one.after


@given(notes, notes)
def test_one_side_alone_wins(base: list[str], side: list[str]) -> None:
    assert merge(base, side, base) == Merge(tuple(side), ())
    assert merge(base, base, side) == Merge(tuple(side), ())
    assert merge(base, side, side) == Merge(tuple(side), ())


@given(notes, notes, notes)
def test_symmetric_up_to_order(base: list[str], ours: list[str], theirs: list[str]) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert Counter(one.texts) == Counter(other.texts)
    assert {(c.base, c.ours, c.theirs) for c in one.conflicts} == {
        (c.base, c.theirs, c.ours) for c in other.conflicts
    }


@given(notes, apart, apart)
def test_adds_on_both_sides_are_kept(base: list[str], ours: list[str], theirs: list[str]) -> None:
    merged = merge(base, [*base, *ours], [*base, *theirs])
    assert not merged.conflicts
    assert not Counter(base) - Counter(merged.texts)
    assert Counter(merged.texts) - Counter(base) == Counter(ours) | Counter(theirs)


@given(st.lists(note, unique=True, min_size=1, max_size=8), st.data())
def test_a_removal_stays_removed(base: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(base))
    merged = merge(base, [text for text in base if text != gone], [*base, "later"])
    assert not merged.conflicts
    assert merged.texts == (*(text for text in base if text != gone), "later")


@given(st.lists(note, unique=True, min_size=1, max_size=8), st.data())
def test_an_edit_against_a_removal_is_a_conflict(base: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(base) - 1))
    edited = [*base[:at], "edited!", *base[at + 1 :]]
    without = [*base[:at], *base[at + 1 :]]
    assert merge(base, edited, without).conflicts == (Conflict(base[at], "edited!", None),)
    assert merge(base, without, edited).conflicts == (Conflict(base[at], None, "edited!"),)
    assert merge(base, edited, without).texts == tuple(edited)


def test_two_edits_of_one_note_keep_both() -> None:
    merged = merge(["a", "port 80", "z"], ["a", "port 81", "z"], ["a", "port 82", "z"])
    assert merged.texts == ("a", "port 81", "port 82", "z")
    assert merged.conflicts == (Conflict("port 80", "port 81", "port 82"),)


def test_like_texts_pair_up_in_a_rewritten_block() -> None:
    before = ["the server listens on port 80", "tea, not coffee", "z"]
    after = ["brand new", "the server listens on port 8080", "z"]
    kinds = [(one.kind, one.before, one.after) for one in pair(before, after)]
    assert ("changed", before[0], after[1]) in kinds
    assert ("added", None, "brand new") in kinds
    assert ("removed", "tea, not coffee", None) in kinds


def test_a_large_rewrite_is_aligned_without_comparing_all_with_all() -> None:
    before = [f"before {number}" for number in range(3000)]
    after = [f"after {number}" for number in range(2000)]
    pairs = pair(before, after)
    assert len(pairs) >= 3000
    assert merge(before, after, before).texts == tuple(after)
