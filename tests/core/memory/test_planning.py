from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.document import drift, length, parse
from digit_core.memory.changes import Add, Change, Move, Operation, Reason, Remove, Replace, Split
from digit_core.memory.drafts import Slots, replay
from digit_core.memory.planning import Loaded, Manner, Plan, Refusal, plan, summary, touched
from digit_core.text.digest import bytes_digest
from tests.storing import joined, ref

raws = st.lists(
    st.sampled_from(["a", "b", "note", "\n§\n", "\r\n§\r\n", "\n", " ", "§", "\n\n"]), max_size=12
).map(lambda parts: "".join(parts).encode())
words = st.text("abж ", min_size=1, max_size=5)


def loaded(data: bytes, limit: int = 1000) -> Loaded:
    return Loaded(parse(data), True, bytes_digest(data), limit)


@st.composite
def changes(draw: st.DrawFn, texts: tuple[str, ...]) -> Change:
    """A batch that means notes as they are shown, or notes it has made itself."""
    slots = Slots(texts)
    operations: list[Operation] = []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["add", "replace", "remove", "move", "split"]))
        if kind == "add" or not slots.items:
            operations.append(Add("memory", draw(words)))
            continue
        position = draw(st.integers(0, len(slots.items) - 1))
        named = slots.ref("memory", position)
        if kind == "replace":
            operations.append(Replace(named, draw(words)))
        elif kind == "split":
            operations.append(Split(named, (draw(words), draw(words))))
        else:
            operations.append(Remove(named) if kind == "remove" else Move(named, "user"))
        del slots.items[position]
    return Change(tuple(operations))


@given(raws, raws, st.data())
def test_a_plan_reads_back_as_its_steps_say(memory: bytes, user: bytes, data: st.DataObject) -> None:
    before = {"memory": loaded(memory), "user": loaded(user)}
    texts = before["memory"].document.texts
    change = data.draw(changes(texts))
    planned = plan(change, before, Manner.PERSON)
    if isinstance(planned, Refusal):
        assert planned.reason in (Reason.EMPTY, Reason.DELIMITER, Reason.INVALID), planned
        return
    for name, data_after in planned.after.items():
        after = parse(data_after or b"")
        assert after.texts == planned.documents[name].texts
        if len(set(after.texts)) == len(after.texts) == len(set(before[name].document.texts)):
            steps = [step for step in planned.steps if step.document == name]
            assert sorted(replay(before[name].document.texts, steps)) == sorted(after.texts)
        if drift(before[name].document, 1000) is None:
            assert drift(after, 1000) is None
    for named in planned.refs:
        here = planned.documents[named.document].texts
        assert Slots(here).resolve(named.digest, named.occurrence) is not None


@given(st.lists(words, max_size=6), st.integers(0, 40))
def test_a_person_may_always_shrink_and_never_grow_past_the_limit(texts: list[str], limit: int) -> None:
    before = {"memory": loaded(joined(*texts), limit)}
    shown = before["memory"].document.texts
    for text in set(shown):
        assert isinstance(plan(Change((Remove(ref(text)),)), before, Manner.PERSON), Plan)
        strict = plan(Change((Remove(ref(text)),)), before, Manner.TOOL)
        assert isinstance(strict, Plan) or strict.reason is Reason.DRIFT
    planned = plan(Change((Add("memory", "something new"),)), before, Manner.PERSON)
    fits = length([*shown, "something new"]) <= limit
    assert isinstance(planned, Plan) == fits


def test_names_and_summaries() -> None:
    change = Change((Move(ref("a"), "user"), Add("memory", "b")))
    assert touched(change) == ("memory", "user")
    planned = plan(change, {"memory": loaded(b"a"), "user": loaded(b"")}, Manner.PERSON)
    assert isinstance(planned, Plan)
    assert summary(planned.done) == "2 changes in MEMORY: 1 moved, 1 added"
    assert planned.after == {"memory": b"b", "user": b"a"}
