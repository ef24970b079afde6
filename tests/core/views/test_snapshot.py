"""Snapshots: identities, differences, making room."""

from __future__ import annotations

from pathlib import Path

from digit_core.formats.document import parse
from digit_core.formats.settings import Settings
from digit_core.memory.homes import Home, HomeKind
from digit_core.memory.limits import Limits, usage
from digit_core.text.digest import bytes_digest, text_digest
from digit_core.views.differences import Difference, difference
from digit_core.views.room import Why, candidates, surplus
from digit_core.views.snapshot import Dates, Snapshot, StoreState, StoreView, make_notes


def store(*texts: str, limit: int = 2200, learned: dict[str, float] | None = None) -> StoreView:
    data = "\n§\n".join(texts).encode()
    document = parse(data)
    limits = Limits(limit, None, True)
    dates = Dates({text_digest(text): at for text, at in (learned or {}).items()}, 1000.0)
    return StoreView(
        name="memory",
        label="MEMORY",
        path=Path("MEMORY.md"),
        state=StoreState.READY,
        why=None,
        enabled=True,
        document=document,
        notes=make_notes("memory", document.texts, dates),
        limits=limits,
        usage=usage(document.texts, limits),
        digest=bytes_digest(data),
        changed_at=1000.0,
    )


def snapshot(view: StoreView, serial: int = 1) -> Snapshot:
    home = Home(Path("home"), HomeKind.HERMES, "test", "default", Path("home"), "--home", ())
    return Snapshot(home, Settings(), (view,), (), serial)


def compare(before: StoreView, after: StoreView) -> Difference:
    found = difference(snapshot(before), snapshot(after, 2))
    assert found is not None
    return found


def test_f014_equal_texts_have_identities_of_their_own() -> None:
    notes = store("A", "B", "A").notes
    assert [note.ref.occurrence for note in notes] == [0, 0, 1]
    assert [note.copies for note in notes] == [2, 1, 2]
    assert len({note.ref for note in notes}) == 3


def test_a_known_date_is_exact_and_the_file_time_is_a_guess() -> None:
    first, second = store("A", "B", learned={"A": 5.0}).notes
    assert (first.date, first.date_is_guess) == (5.0, False)
    assert (second.date, second.date_is_guess) == (1000.0, True)


def test_the_same_content_is_no_difference() -> None:
    assert difference(snapshot(store("A", "B")), snapshot(store("A", "B"), 2)) is None


def test_a_difference_names_what_was_added_removed_and_changed() -> None:
    found = compare(store("one note", "two notes here", "three"), store("one note", "two notes there"))
    [of_store] = found.stores
    assert [note.text for note in of_store.removed] == ["three"]
    assert of_store.added == ()
    found = compare(store("one note", "two notes here"), store("one note", "two notes there", "four"))
    [of_store] = found.stores
    assert [(a.text, b.text) for a, b in of_store.changed] == [("two notes here", "two notes there")]
    assert of_store.removed == ()
    assert [note.text for note in of_store.added] == ["four"]


def test_a_note_is_followed_to_its_new_text() -> None:
    before = store("keep", "port 22 on the host", "gone with the wind")
    found = compare(before, store("port 2222 on the host", "keep"))
    keep, port, gone = before.notes
    assert found.successor(keep.ref) == found.new.store("memory").notes[1]
    successor = found.successor(port.ref)
    assert successor is None or successor.text == "port 2222 on the host"
    assert found.successor(gone.ref) is None


def test_room_offers_duplicates_first_then_the_longest_then_the_oldest() -> None:
    view = store("x" * 50, "b", "b", "c" * 20, "#pinned " + "y" * 90, limit=100, learned={"b": 1.0})
    offered = candidates(view, each=1)
    assert [(c.note.text[:1], c.why) for c in offered] == [
        ("b", Why.DUPLICATE),
        ("x", Why.LONGEST),
        ("b", Why.OLDEST),
    ]
    assert offered[1].frees == 53


def test_surplus_is_what_stands_over_four_fifths_of_the_limit() -> None:
    assert surplus(store("x" * 90, limit=100)) == 10
    assert surplus(store("x" * 80, limit=100)) == 0
