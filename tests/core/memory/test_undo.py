from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from digit_core.memory.changes import (
    Add,
    Change,
    Move,
    Normalise,
    Operation,
    Principal,
    Reason,
    Remove,
    Replace,
    RestoreBytes,
    Split,
)
from digit_core.memory.drafts import replay, steps_between
from digit_core.memory.history import FileChange, Record, Step
from digit_core.memory.undo import Now, inverse, stacks
from tests.storing import add, joined, memory_file, open_store, ref, remove, replace, user_file

MakeHome = Callable[..., Path]

texts = st.lists(st.text("ab §\n", min_size=1, max_size=5), max_size=6, unique=True)
# Raw files: notes, delimiters, blanks and line ends in any order.
raws = st.lists(
    st.sampled_from(["a", "b", "note", "\n§\n", "\r\n§\r\n", "\n", "\r\n", " ", "§", "\n\n"]), max_size=12
).map(lambda parts: "".join(parts).encode())


@given(texts, texts)
@example(["a", "b"], ["b", "aa", "a"])  # b moves up, and something goes behind it
@example(["a", "b"], ["b", "x", "c"])
def test_steps_lead_there(before: list[str], after: list[str]) -> None:
    steps = tuple(steps_between("memory", before, after))
    assert list(replay(before, steps)) == after


@given(raws, st.data())
@settings(max_examples=60, deadline=None)
def test_undo_of_apply_is_identity_on_bytes(raw: bytes, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / ".digit"
        (home / "memories").mkdir(parents=True)
        memory_file(home).write_bytes(raw)
        states: list[tuple[bytes | None, bytes | None]] = [_bytes(home)]
        for _ in range(data.draw(st.integers(1, 4))):
            store = open_store(home)
            outcome = store.apply(Change((data.draw(operations(store.read("memory").document.texts)),)))
            if outcome.changed:
                states.append(_bytes(home))
        for earlier in reversed(states[:-1]):
            assert open_store(home).undo().ok
            assert _bytes(home) == earlier
        assert open_store(home).undo().reason is Reason.NOTHING
        for later in states[1:]:
            assert open_store(home).redo().ok
            assert _bytes(home) == later
        assert open_store(home).redo().reason is Reason.NOTHING


def operations(notes: tuple[str, ...]) -> st.SearchStrategy[Operation]:
    new = st.text("abcж ", min_size=1, max_size=6)
    found: list[st.SearchStrategy[Operation]] = [
        st.builds(Add, st.just("memory"), new),
        st.just(Normalise("memory")),
        st.builds(RestoreBytes, st.just("memory"), raws),
    ]
    if notes:
        named = st.sampled_from(notes).map(ref)
        found += [
            st.builds(Remove, named),
            st.builds(Replace, named, new),
            st.builds(Move, named, st.just("user")),
            st.builds(Split, named, st.tuples(new, new)),
        ]
    return st.one_of(found)


def _bytes(home: Path) -> tuple[bytes | None, bytes | None]:
    memory, user = memory_file(home), user_file(home)
    return memory.read_bytes() if memory.exists() else None, user.read_bytes() if user.exists() else None


def test_undo_keeps_what_others_wrote_since(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two", "three"))
    store = open_store(home)
    assert remove(store, "two").ok
    assert replace(store, "three", "drei").ok
    memory_file(home).write_bytes(memory_file(home).read_bytes() + "\n§\nfrom the agent".encode())
    assert store.undo().message == "Undid: Replaced “three” in MEMORY."
    assert memory_file(home).read_bytes() == joined("one", "three", "from the agent")
    assert store.undo().ok
    assert memory_file(home).read_bytes() == joined("one", "two", "three", "from the agent")
    assert store.redo().ok and store.redo().ok
    assert memory_file(home).read_bytes() == joined("one", "drei", "from the agent")
    assert store.history()[2].principal is Principal.OUTSIDE


def test_undo_of_a_move_when_both_files_went_on(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"), user=joined("u"))
    store = open_store(home)
    assert store.apply(Change((Move(ref("one"), "user"),))).ok
    memory_file(home).write_bytes(joined("two", "m"))
    user_file(home).write_bytes(joined("v", "u", "one"))
    assert store.undo().ok
    assert memory_file(home).read_bytes() == joined("one", "two", "m")
    assert user_file(home).read_bytes() == joined("v", "u")


def test_undo_is_never_refused_for_the_cap(make_home: MakeHome) -> None:
    home = make_home(memory=joined("x" * 60, "y"))
    assert remove(open_store(home, limit=100), "x" * 60).ok
    memory_file(home).write_bytes(joined("y", "z" * 80))
    assert open_store(home, limit=100).undo().ok
    assert memory_file(home).read_bytes() == joined("x" * 60, "y", "z" * 80)


def test_a_note_that_others_changed_again_is_a_step_of_its_own(make_home: MakeHome) -> None:
    home = make_home(memory=joined("port 80", "b"))
    store = open_store(home)
    assert replace(store, "port 80", "port 81").ok
    memory_file(home).write_bytes(joined("port 82", "b"))
    assert "changed outside" in store.undo().message
    assert memory_file(home).read_bytes() == joined("port 81", "b")
    assert store.undo().ok and memory_file(home).read_bytes() == joined("port 80", "b")
    assert store.undo().reason is Reason.NOTHING
    assert store.redo().ok and store.redo().ok
    assert memory_file(home).read_bytes() == joined("port 82", "b")


def test_what_others_took_back_already_is_nothing_to_do(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a"))
    store = open_store(home)
    assert add(store, "b").ok
    (record,) = store.history()
    memory_file(home).write_bytes(joined("a"))
    outcome = store.undo(record.id)
    assert (outcome.ok, outcome.changed, outcome.reason) == (True, False, Reason.SAME)
    assert record not in store.stacks().undo
    assert memory_file(home).read_bytes() == joined("a")


def test_one_of_several_changes_can_be_undone_by_itself(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a"))
    store = open_store(home)
    first = add(store, "b").record_id
    assert add(store, "c").ok
    assert store.undo(first).ok
    assert memory_file(home).read_bytes() == joined("a", "c")
    assert store.undo(first).reason is Reason.NOTHING
    assert store.undo().ok and memory_file(home).read_bytes() == joined("a")


def test_a_new_change_ends_redo(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a"))
    store = open_store(home)
    assert add(store, "b").ok and store.undo().ok and len(store.stacks().redo) == 1
    assert add(store, "c").ok
    assert store.redo().reason is Reason.NOTHING


def test_undo_without_the_backup_puts_the_note_back(make_home: MakeHome) -> None:
    home = make_home(memory=b"a \n\xc2\xa7\nb")
    store = open_store(home)
    assert remove(store, "b").ok
    for copy in store.backups.list():
        store.backups.remove(copy.id)
    assert store.undo().ok
    assert store.read("memory").document.texts == ("a", "b")


def test_undo_when_the_folder_is_gone_brings_the_note_back(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a", "b"))
    store = open_store(home)
    assert remove(store, "b").ok
    for path in (home / "memories").iterdir():
        path.unlink()
    (home / "memories").rmdir()
    assert store.undo().ok
    assert "b" in store.read("memory").document.texts


def test_a_changed_note_that_is_gone_blocks_its_undo() -> None:
    step = Step("memory", "old", "new", "")
    record = Record(
        "r", 0.0, Principal.PERSON, "", "Replaced", (step,), {"memory": FileChange("1", "2", None)}
    )
    found = inverse(record, {"memory": Now("3", ("else",))}, lambda _: None)
    assert not isinstance(found, Change) and found.reason is Reason.CONFLICT
    assert found.details["before"] == "old"


def test_stacks_leave_foreign_changes_alone() -> None:
    def record(id: str, principal: Principal, *steps: Step, cause: str = "") -> Record:
        return Record(id, 0.0, principal, cause, id, steps, {"memory": FileChange("1", "2", None)})

    mine = record("mine", Principal.PERSON, Step("memory", "a", "b", ""))
    other = record("other", Principal.OUTSIDE, Step("memory", "x", "y", ""))
    onto = record("onto", Principal.OUTSIDE, Step("memory", "b", "c", ""))
    undone = record("undone", Principal.PERSON, Step("memory", "c", "b", ""), cause="undo:onto")
    assert stacks([mine, other]).undo == (mine,)
    assert stacks([mine, other, onto]).undo == (onto, mine)
    assert stacks([mine, other, onto, undone]) == ((mine,), (undone,))
