"""The memory tool's answers, key by key, as the facts say (1.5, 1.6, 1.7, 13)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from digit_core.formats.config import read_config
from digit_core.formats.settings import Settings
from digit_core.memory.changes import Principal
from digit_core.memory.homes import find_home
from digit_core.memory.store import Store
from digit_core.memory.tool import MemoryTool

Answer = dict[str, object]
Open = Callable[..., "Desk"]


class Desk:
    """A tool on a home of its own, and the file it writes."""

    def __init__(self, path: Path, principal: Principal) -> None:
        self.home = find_home(str(path), env={})
        config = self.home.config_path
        data = config.read_bytes() if config.exists() else None
        self.store = Store(self.home, settings=lambda: read_config(data).settings)
        self.tool = MemoryTool(self.store, principal)
        self.file = self.home.document_path("memory")

    def call(self, **params: object) -> Answer:
        answer = self.tool.call(**params)
        json.dumps(answer)  # whatever comes back can be sent
        return answer

    @property
    def bytes(self) -> bytes:
        return self.file.read_bytes()


@pytest.fixture
def desk(make_home: Callable[..., Path]) -> Open:
    """`desk("one", "two")`: a Hermes home with those notes, default limits unless `config` says otherwise."""

    def open_desk(
        *notes: str,
        config: str | None = None,
        raw: bytes | None = None,
        principal: Principal = Principal.PERSON,
    ) -> Desk:
        data = "\n§\n".join(notes).encode() if raw is None else raw
        return Desk(make_home(memory=data, config=config, name="home"), principal)

    return open_desk


def full(count: int, total: int) -> list[str]:
    """`count` different notes that are `total` code points together, delimiters included."""
    length = (total - 3 * (count - 1)) // count
    notes = [f"{number:02}" + "x" * (length - 2) for number in range(count)]
    notes[-1] += "y" * (total - sum(map(len, notes)) - 3 * (count - 1))
    return notes


def test_add(desk: Open) -> None:
    one = desk("first")
    answer = one.call(action="add", target="memory", content="  second \n")
    assert answer.pop("note")
    assert answer == {
        "success": True,
        "done": True,
        "target": "memory",
        "usage": "0% — 14/2,200 chars",
        "entry_count": 2,
        "message": "Entry added.",
    }
    assert one.bytes == "first\n§\nsecond".encode()


def test_usage_words_of_the_facts(desk: Open) -> None:
    answer = desk().call(action="add", content="x" * 264)
    assert answer["usage"] == "12% — 264/2,200 chars"


def test_note_says_when_the_agent_sees_it(desk: Open) -> None:
    assert "next session" in str(desk().call(action="add", content="x")["note"])


@pytest.mark.parametrize("target", [None, "", "memory"])
def test_no_target_is_memory(target: str | None, desk: Open) -> None:
    assert desk().call(action="add", target=target, content="x")["target"] == "memory"


def test_user_target(desk: Open) -> None:
    one = desk("kept")
    answer = one.call(action="add", target="user", content="Marta")
    assert (answer["target"], answer["usage"]) == ("user", "0% — 5/1,375 chars")
    assert one.home.document_path("user").read_bytes() == b"Marta"
    assert one.bytes == b"kept"


def test_an_exact_duplicate_changes_nothing(desk: Open) -> None:
    one = desk("first", "second")
    answer = one.call(action="add", content=" first ")
    assert answer["success"] is True
    assert answer["message"] == "Entry already exists (no duplicate added)."
    assert answer["entry_count"] == 2
    assert one.bytes == "first\n§\nsecond".encode()


def test_add_over_the_limit_word_for_word(desk: Open) -> None:
    notes = full(10, 2100)
    one = desk(*notes)
    before = one.bytes
    assert one.call(action="add", content="z" * 250) == {
        "success": False,
        "error": (
            "Memory at 2,100/2,200 chars. Adding this entry (250 chars) would exceed the limit. "
            "Consolidate now: use 'replace' to merge overlapping entries into shorter ones or 'remove' "
            "stale or less important entries (see current_entries below), then retry this add — all in "
            "this turn."
        ),
        "current_entries": notes,
        "usage": "2,100/2,200",
    }
    assert one.bytes == before
    assert one.call(action="add", content="z" * 97)["success"] is True  # exactly full


def test_replace_over_the_limit(desk: Open) -> None:
    notes = full(10, 2100)
    one = desk(*notes)
    answer = one.call(action="replace", old_text=notes[0], content="z" * 1400)
    assert answer["success"] is False
    assert "(1,400 chars) would exceed the limit" in str(answer["error"])
    assert "retry this replace" in str(answer["error"])
    assert (answer["current_entries"], answer["usage"]) == (notes, "2,100/2,200")


def test_replace_the_whole_entry(desk: Open) -> None:
    one = desk("a", "User prefers dark mode in all editors", "b")
    answer = one.call(action="replace", old_text="dark mode", content="User prefers light mode")
    assert answer["message"] == "Entry replaced."
    assert answer["replaced_entry"] == "User prefers dark mode in all editors"
    assert one.bytes == "a\n§\nUser prefers light mode\n§\nb".encode()


def test_new_text_is_an_alias_and_content_wins(desk: Open) -> None:
    one = desk("old")
    one.call(action="replace", old_text="old", new_text="newer")
    assert one.bytes == b"newer"
    one.call(action="replace", old_text="newer", new_text="no", content="newest")
    assert one.bytes == b"newest"


def test_remove(desk: Open) -> None:
    one = desk("a", "b", "c")
    answer = one.call(action="remove", old_text="b")
    assert (answer["message"], answer["removed_entry"]) == ("Entry removed.", "b")
    assert one.bytes == "a\n§\nc".encode()


def test_a_single_remove_may_empty_the_store(desk: Open) -> None:
    one = desk("only")
    assert one.call(action="remove", old_text="only")["entry_count"] == 0
    assert one.bytes == b""


def test_remove_is_never_refused_for_the_limit(desk: Open) -> None:
    notes = full(20, 3000)
    answer = desk(*notes).call(action="remove", old_text=notes[0])
    assert answer["success"] is True
    assert str(answer["usage"]).startswith("100% — ")


def test_an_equal_entry_wins_over_those_that_hold_the_text(desk: Open) -> None:
    one = desk("port 22", "the port 22 is closed", "port")
    assert one.call(action="remove", old_text="port")["removed_entry"] == "port"


def test_matching_looks_at_case(desk: Open) -> None:
    assert desk("Port").call(action="remove", old_text="port")["success"] is False


def test_several_different_matches_are_refused_with_previews(desk: Open) -> None:
    long = "host " + "ы" * 100
    one = desk("host a", long, "other")
    answer = one.call(action="replace", old_text="host", content="x")
    assert set(answer) == {"success", "error", "matches"}
    assert answer["matches"] == ["host a", long[:80] + "..."]


def test_several_equal_matches_mean_the_first(desk: Open) -> None:
    one = desk("same", "x", "same")
    assert one.call(action="replace", old_text="sam", content="new")["success"] is True
    assert one.bytes == "new\n§\nx\n§\nsame".encode()


def test_no_match_shows_what_is_there(desk: Open) -> None:
    answer = desk("a", "b").call(action="remove", old_text="zzz")
    assert set(answer) == {"success", "error", "current_entries"}
    assert answer["current_entries"] == ["a", "b"]
    assert "zzz" in str(answer["error"])


@pytest.mark.parametrize("action", ["replace", "remove"])
@pytest.mark.parametrize("old_text", [None, "", "  "])
def test_missing_old_text_is_answered_with_the_inventory(
    action: str, old_text: str | None, desk: Open
) -> None:
    answer = desk("a", "b").call(action=action, old_text=old_text, content="x")
    assert set(answer) == {"success", "error", "current_entries", "usage"}
    assert (answer["current_entries"], answer["usage"]) == (["a", "b"], "5/2,200")
    assert "old_text" in str(answer["error"])


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({}, "No action"),
        ({"action": "read"}, "no action 'read'"),
        ({"action": "patch", "content": "x"}, "no action 'patch'"),
        ({"action": "add"}, "content is required"),
        ({"action": "add", "content": " \n "}, "content is required"),
        ({"action": "add", "content": 7}, "content must be text"),
        ({"action": "replace", "old_text": "a"}, "content is required"),
        ({"action": "replace", "old_text": ["a"], "content": "x"}, "old_text must be text"),
        ({"action": "add", "content": "x", "target": "profile"}, "no target 'profile'"),
        ({"action": "add", "content": "one\n§\ntwo"}, "Line 2 is just §"),
        ({"operations": "add"}, "must be a list"),
        ({"operations": {"action": "add"}}, "must be a list"),
    ],
)
def test_wrong_parameters(params: Answer, words: str, desk: Open) -> None:
    one = desk("a")
    answer = one.call(**params)
    assert answer["success"] is False
    assert words in str(answer["error"])
    assert one.bytes == b"a"


def test_a_section_sign_inside_a_line_is_content(desk: Open) -> None:
    one = desk()
    assert one.call(action="add", content="see § 5")["success"] is True
    assert one.bytes == "see § 5".encode()


def ops(*given: Sequence[str]) -> list[dict[str, str]]:
    """`("add", content)`, `("remove", old)`, `("replace", old, content)`."""
    keys = {
        "add": ("action", "content"),
        "remove": ("action", "old_text"),
        "replace": ("action", "old_text", "content"),
    }
    return [dict(zip(keys[one[0]], one, strict=True)) for one in given]


def test_batch(desk: Open) -> None:
    one = desk("a", "b", "c")
    answer = one.call(
        action="nonsense",
        operations=ops(("remove", "b"), ("add", "d"), ("replace", "a", "A"), ("add", "c")),
    )
    assert answer["message"] == "Applied 4 operation(s). 1 already existed (no duplicate added)."
    assert answer["removed_entries"] == {"1": "b"}
    assert answer["replaced_entries"] == {"3": "a"}
    assert (answer["success"], answer["done"], answer["entry_count"]) == (True, True, 3)
    assert one.bytes == "A\n§\nc\n§\nd".encode()


def test_later_operations_see_earlier_ones(desk: Open) -> None:
    one = desk("a")
    answer = one.call(operations=ops(("add", "new"), ("replace", "new", "newer"), ("remove", "newer")))
    assert answer["success"] is True
    assert one.bytes == b"a"
    one.call(operations=ops(("replace", "a", "b"), ("add", "a"), ("replace", "a", "c")))
    assert one.bytes == "b\n§\nc".encode()


def test_a_batch_may_be_over_the_limit_on_its_way(desk: Open) -> None:
    notes = full(10, 2200)
    one = desk(*notes)
    answer = one.call(operations=ops(("add", "z" * 150), ("remove", notes[3])))
    assert answer["success"] is True
    assert answer["entry_count"] == 10


def test_a_batch_that_ends_over_the_limit_changes_nothing(desk: Open) -> None:
    notes = full(10, 2100)
    one = desk(*notes)
    before = one.bytes
    answer = one.call(operations=ops(("remove", notes[3]), ("add", "z" * 900)))
    assert set(answer) == {"success", "error", "usage"}
    assert answer["usage"] == "2,100/2,200"
    assert one.bytes == before


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ({"action": "remove", "old_text": "zzz"}, "Operation 2: No entry matched 'zzz'."),
        ({"action": "remove", "old_text": ""}, "Operation 2: old_text is required"),
        ({"action": "patch"}, "Operation 2: There is no action 'patch'"),
        ({"action": "add", "content": "x\n§\ny"}, "Operation 2: Line 2 is just §"),
        ("add", "Operation 2: it must be an object"),
    ],
)
def test_one_bad_operation_stops_the_whole_batch(last: object, words: str, desk: Open) -> None:
    one = desk("a", "b")
    answer = one.call(operations=[{"action": "add", "content": "c"}, last])
    assert set(answer) == {"success", "error", "usage"}
    assert words in str(answer["error"])
    assert "all or nothing" in str(answer["error"])
    assert one.bytes == "a\n§\nb".encode()


def test_a_batch_may_not_empty_the_store(desk: Open) -> None:
    one = desk("a", "b")
    answer = one.call(operations=ops(("remove", "a"), ("remove", "b")))
    assert answer["success"] is False
    assert one.bytes == "a\n§\nb".encode()


def test_drift_refuses_all_but_add_and_keeps_a_copy(desk: Open) -> None:
    raw = "a\n\n§\n\nb\n".encode()
    one = desk(raw=raw)
    for params in (
        {"action": "replace", "old_text": "a", "content": "x"},
        {"action": "remove", "old_text": "a"},
        {"action": "remove", "old_text": "not there"},
        {"operations": ops(("remove", "a"), ("add", "c"))},
        {"operations": ops(("add", "c"))},  # a batch of one is a batch
    ):
        answer = one.call(**params)
        assert set(answer) == {"success", "error", "drift_backup", "remediation"}, answer
        copy = Path(str(answer["drift_backup"]))
        assert copy.is_absolute()
        assert copy.read_bytes() == raw
        assert one.bytes == raw
    assert not list(one.file.parent.glob("*.bak*"))
    assert one.call(action="add", content="c")["success"] is True
    assert one.bytes == "a\n\n§\n\nb\n§\nc".encode()


def test_an_entry_longer_than_the_whole_limit_is_drift(desk: Open) -> None:
    answer = desk("a", "z" * 2300).call(action="remove", old_text="a")
    assert "drift_backup" in answer


def test_unreadable_answers_with_the_error_alone(desk: Open) -> None:
    one = desk(raw=b"caf\xe9\n\xc2\xa7\nb")
    before = one.bytes
    for params in (
        {"action": "add", "content": "c"},
        {"action": "remove", "old_text": "b"},
        {"action": "remove", "old_text": "zzz"},
    ):
        assert set(one.call(**params)) == {"success", "error"}
        assert one.bytes == before


def test_a_disabled_store_is_not_written(desk: Open) -> None:
    one = desk("a", config="memory:\n  memory_enabled: false\n")
    for params in ({"action": "add", "content": "c"}, {"action": "remove", "old_text": "zzz"}):
        answer = one.call(**params)
        assert answer["success"] is False
        assert "memory_enabled" in str(answer["error"])
    assert one.call(action="add", target="user", content="x")["success"] is True
    assert one.bytes == b"a"


@pytest.mark.parametrize("principal", [Principal.AGENT, Principal.BACKGROUND])
def test_other_principals_are_refused_for_now(principal: Principal, desk: Open) -> None:
    one = desk("a", principal=principal)
    for params in ({"action": "add", "content": "b"}, {"action": "remove", "old_text": "zzz"}):
        answer = one.call(**params)
        assert set(answer) == {"success", "error"}
    assert one.bytes == b"a"


def test_failed_consolidations_end_a_turn(desk: Open) -> None:
    notes = full(10, 2100)
    one = desk(*notes)
    over = {"action": "add", "content": "z" * 250}
    for _ in range(3):
        assert "current_entries" in one.call(**over)
    answer = one.call(**over)
    assert set(answer) == {"success", "done", "error"}
    assert (answer["success"], answer["done"]) == (False, True)
    assert set(one.call(action="remove", old_text="zzz")) == {"success", "done", "error"}
    one.tool.new_turn()
    assert "current_entries" in one.call(**over)


def test_a_success_starts_the_count_afresh(desk: Open) -> None:
    notes = full(10, 2100)
    one = desk(*notes)
    over = {"action": "add", "content": "z" * 250}
    for _ in range(3):
        one.call(**over)
    assert one.call(action="remove", old_text=notes[0])["success"] is True
    for _ in range(3):
        assert "current_entries" in one.call(action="add", content="z" * 450)
    assert one.call(action="add", content="z" * 450)["done"] is True


def test_several_matches_are_no_failed_consolidation(desk: Open) -> None:
    one = desk("host a", "host b")
    for _ in range(6):
        assert "matches" in one.call(action="remove", old_text="host")


def test_a_note_that_changes_between_finding_and_writing_is_found_again(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = desk("port 22", "b")
    apply = one.store.apply
    changed: list[int] = []

    def slow_apply(*args: object, **kwargs: object) -> object:
        if not changed:
            changed.append(one.file.write_bytes("b\n§\nport 22 and 80".encode()))
        return apply(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "apply", lambda self, *args, **kwargs: slow_apply(*args, **kwargs))
    answer = one.call(action="replace", old_text="port", content="ports 22, 80")
    assert answer["replaced_entry"] == "port 22 and 80"
    assert one.bytes == "b\n§\nports 22, 80".encode()


def test_limits_of_a_digit_home(desk: Open) -> None:
    one = desk("a", config="memory:\n  recall:\n    enabled: true\n")
    assert one.call(action="add", content="z" * 3000)["usage"] == "2% — 3,004/120,000 chars"


def test_padding_and_line_ends_of_others_stay(desk: Open) -> None:
    one = desk(raw=b"\xef\xbb\xbfa\r\n\xc2\xa7\r\nb\r\n\xc2\xa7\r\nc\r\n")
    assert one.call(action="replace", old_text="b", content="B\nB")["success"] is True
    assert one.bytes == b"\xef\xbb\xbfa\r\n\xc2\xa7\r\nB\r\nB\r\n\xc2\xa7\r\nc\r\n"


STRICT = {
    "ok": True,
    "unverified": True,
    "over_limit": False,
    "stale": False,
    "duplicate": True,
    "scan_hit": True,
}


@pytest.mark.parametrize("name", ["small", "grown"])
def test_staged_writes_of_the_example_homes_come_out_as_expected(
    name: str, copy_home: Callable[[str], Path], shared: Path
) -> None:
    """Each staged write by itself on a fresh copy. The scan is no part of the store, so it stops none here."""
    path = copy_home(name)
    original = {file: file.read_bytes() for file in (path / "memories").glob("*.md")}
    expected = json.loads((path / "EXPECT.json").read_text(encoding="utf-8"))["pending_memory"]
    for write in expected:
        for file, data in original.items():
            file.write_bytes(data)
        one = Desk(path, Principal.PERSON)
        payload = json.loads((path / f"pending/memory/{write['id']}.json").read_text(encoding="utf-8"))[
            "payload"
        ]
        answer = one.call(**{key: value for key, value in payload.items() if key != "matched_entry"})
        assert answer["success"] is STRICT[write["strict"]], (write["id"], answer)
        if write["size_after"] is not None and answer["success"]:
            assert f"{write['size_after']:,}/{write['limit']:,}" in str(answer["usage"])


def test_settings_are_read_at_each_call(make_home: Callable[..., Path]) -> None:
    settings = [Settings()]
    home = find_home(str(make_home(memory="a", name="home")), env={})
    tool = MemoryTool(Store(home, settings=lambda: settings[0]), Principal.PERSON)
    assert tool.call(action="add", content="b")["usage"] == "0% — 5/2,200 chars"
    settings[0] = read_config(b"memory: {memory_char_limit: 50}").settings
    assert tool.call(action="add", content="c")["usage"] == "18% — 9/50 chars"
