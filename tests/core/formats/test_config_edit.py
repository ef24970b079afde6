"""Changing one setting: which bytes change, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.errors import ConfigBroken, InvalidSetting, UnknownSetting
from digit_core.formats.config import get_setting, read_config
from digit_core.formats.config_edit import change_setting, setting_keys
from digit_core.formats.config_values import plain_words
from digit_core.formats.settings import LIST, MAPPING, SPECS, path_of

GATE = "memory.write_approval"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # replaced in its place, with its comment and the blanks around
        (b"memory:\n  write_approval:   no  # why\n", b"memory:\n  write_approval:   true  # why\n"),
        (b"memory:\n  write_approval: 'off'\n", b"memory:\n  write_approval: true\n"),
        (b"memory:\n  write_approval:\n    no\n", b"memory:\n  write_approval:\n    true\n"),
        (b"memory:\n  write_approval: []\n", b"memory:\n  write_approval: true\n"),
        (b"memory:\n  write_approval: ~", b"memory:\n  write_approval: true"),
        (b"memory:\n  write_approval:   # blank\n", b"memory:\n  write_approval: true   # blank\n"),
        (b"memory:\n  ? write_approval\n  : no\n", b"memory:\n  ? write_approval\n  : true\n"),
        (b"memory: {write_approval: no, a: 1}", b"memory: {write_approval: true, a: 1}"),
        (b"memory: {write_approval: , a: 1}", b"memory: {write_approval: true , a: 1}"),
        (b'{"memory":{"write_approval":no}}', b'{"memory":{"write_approval":true}}'),
        (b'{"memory": {"write_approval": false}}', b'{"memory": {"write_approval": true}}'),
        # a new line in its section, behind the last plain one
        (b"memory:\n   a: 1 # x\n   b:\n   - 1\n", b"memory:\n   a: 1 # x\n   write_approval: true\n   b:\n   - 1\n"),
        (b"memory:\n  a: 1", b"memory:\n  a: 1\n  write_approval: true"),
        (b"memory:\r\n  a: 1\r\n", b"memory:\r\n  a: 1\r\n  write_approval: true\r\n"),
        (b"memory:\n  a: |\n    x\n", b"memory:\n  write_approval: true\n  a: |\n    x\n"),
        (b"b: &b {c: 1}\nmemory:\n  a: *b\n", b"b: &b {c: 1}\nmemory:\n  write_approval: true\n  a: *b\n"),
        (b"m:\n    a: 1\nmemory: # x\nc: 2\n", b"m:\n    a: 1\nmemory: # x\n    write_approval: true\nc: 2\n"),
        (b"memory: {a: 1}\n", b"memory: {write_approval: true, a: 1}\n"),
        (b"memory: { }\n", b"memory: {write_approval: true }\n"),
        (b"memory: null\n", b"memory: {write_approval: true}\n"),
        (b'{"a": 1}', b'{"memory": {"write_approval": true}, "a": 1}'),
        (b"{a: 1, memory: }", b"{a: 1, memory: {write_approval: true} }"),
        # with its section, at the end
        (None, b"memory:\n  write_approval: true\n"),
        (b"", b"memory:\n  write_approval: true\n"),
        (b"# only\r\n", b"# only\r\nmemory:\r\n  write_approval: true\r\n"),
        (b"a: 1", b"a: 1\nmemory:\n  write_approval: true"),
        (b"---\na: 1\n# end\n", b"---\na: 1\n# end\nmemory:\n  write_approval: true\n"),
        (b"  a: 1\n", b"  a: 1\n  memory:\n    write_approval: true\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("quick", [True, False])
def test_only_the_setting_changes(
    before: bytes | None, after: bytes, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not quick:  # PyYAML that was built without its loader in C
        monkeypatch.delattr("yaml.CSafeLoader", raising=False)
    assert change_setting(before, GATE, "on") == after
    assert change_setting(after, GATE, "true") == after


@pytest.mark.parametrize(
    ("key", "value", "before", "after"),
    [
        ("memory.provider", "it's", b"memory: {provider: 'a'}", b"memory: {provider: 'it''s'}"),
        ("memory.provider", 'a "b" \\', b"memory: {provider: a}", b'memory: {provider: "a \\"b\\" \\\\"}'),
        ("memory.provider", "honcho", b'memory: {provider: "a"}', b'memory: {provider: "honcho"}'),
        ("memory.provider", "", b"memory: {provider: a}", b'memory: {provider: ""}'),
        ("memory.provider", "off", b"memory: {provider: a}", b'memory: {provider: "off"}'),
        ("memory.provider", "заметки", b"memory: {provider: a}", 'memory: {provider: "заметки"}'.encode()),
        ("memory.user_char_limit", "2_200", b"memory: {user_char_limit: '1'}", b"memory: {user_char_limit: 2200}"),
        ("skills.inline_shell_timeout", "2.5", b"skills:\n  a: 1\n", b"skills:\n  a: 1\n  inline_shell_timeout: 2.5\n"),
        ("memory.recall.hops", "2", b"memory:\n    a: 1\n", b"memory:\n    a: 1\n    recall:\n        hops: 2\n"),
        (
            "display.platforms.chat.example.memory_notifications",
            "No",
            b"display:\n  platforms:\n    x:\n      memory_notifications: on\n",
            b"display:\n  platforms:\n    chat.example:\n      memory_notifications: \"off\"\n    x:\n"
            b"      memory_notifications: on\n",
        ),
    ],
)  # fmt: skip
def test_values_are_written_so_that_every_reader_takes_them_alike(
    key: str, value: str, before: bytes, after: bytes
) -> None:
    assert change_setting(before, key, value) == after


@pytest.mark.parametrize(
    ("data", "line", "column", "words"),
    [
        (b"memory:\n  write_approval: &a no\nb: *a\n", 2, 19, "anchor"),
        (b"a: &a no\nmemory:\n  write_approval: *a\n", 3, 3, "alias"),
        (b"a: &a {b: 1}\nmemory: *a\n", 2, 1, "alias"),
        (b"memory:\n  write_approval: !!bool no\n", 2, 19, "tag"),
        (b"memory:\n  write_approval: |\n    no\n", 2, 19, "several lines"),
        (b"memory:\n  write_approval: no\n    way\n", 2, 19, "several lines"),
        (b"memory:\n  write_approval: [a]\n", 2, 19, "a list"),
        (b"memory: yes\n", 1, 9, "a single value"),
        (b"memory:\n- a\n", 2, 1, "a list"),
        (b"memory: {a: 1}\nx: 1\nx: 2\n", 3, 1, "twice"),
        (b"a: [{b: 1, b: 2}]\n", 1, 12, "twice"),
        (b"a: 1\n...\n", 3, 1, "something else"),
        (b"a: &s {write_approval: no}\nmemory: &m {a: 1}\nskills: *m\n", 4, 1, "something else"),
    ],
)
def test_what_would_touch_more_is_refused_with_its_place(
    data: bytes, line: int, column: int, words: str
) -> None:
    with pytest.raises(ConfigBroken) as caught:
        change_setting(data, GATE, "on", Path("config.yaml"))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert words in caught.value.problem


def test_a_section_that_comes_from_a_merge_key_is_not_hidden_by_a_new_one() -> None:
    data = b"base: &base {recall: {top_k: 3}}\nmemory:\n  <<: *base\n  a: 1\n"
    with pytest.raises(ConfigBroken):
        change_setting(data, "memory.recall.hops", "2")
    assert change_setting(data, GATE, "on") == data + b"  write_approval: true\n"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (GATE, "maybe"),
        (GATE, ""),
        ("memory.recall.hops", "-1"),
        ("memory.recall.top_k", "0"),
        ("memory.memory_char_limit", "many"),
        ("memory.memory_char_limit", "2.5"),
        ("memory.provider", "a\nb: c"),
        ("memory.provider", "\x1b[2J"),
        ("memory.provider", "\udcff"),
        ("display.memory_notifications", "loud"),
        ("skills.external_dirs", "a"),
        ("plugins.hermes-memory-store.default_trust", "1.5"),
    ],
)
def test_a_value_the_key_cannot_have_is_refused_and_says_what_it_takes(key: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        change_setting(None, key, value)
    spec = next(spec for spec in setting_keys() if spec.key == key)
    assert caught.value.allowed.startswith(spec.type)


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(UnknownSetting) as caught:
        change_setting(b"broken: [", "memory.write_aproval", "on")
    assert "memory.write_approval" in caught.value.nearest


def test_every_key_can_be_set_in_the_example_homes(shared: Path) -> None:
    sample = {"bool": "yes", "gate": "no", "int": "7", "number": "0.5", "text": "x: #y", "choice": "off"}
    for home in ("small", "grown"):
        data = (shared / "homes" / home / "config.yaml").read_bytes()
        for spec in SPECS:
            if spec.kind not in (LIST, MAPPING):
                changed = change_setting(data, spec.key, sample[spec.kind])
                old, new = data.splitlines(True), changed.splitlines(True)
                assert _added(old, new) <= len(path_of(spec.key))


def _added(old: list[bytes], new: list[bytes]) -> int:
    """How many new lines took the place of at most one old one; everything else is the same, in the same order."""
    head = 0
    while head < len(old) and head < len(new) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    assert len(old) - head - tail <= 1
    return len(new) - head - tail


class Layout(NamedTuple):
    """A generated config file and a key that stands in it."""

    data: bytes
    key: str


_SPELLINGS = {
    "bool": ["true", "no", "'off'", '"yes"', "~", ""],
    "gate": ["on", "false", '"1"', "maybe", ""],
    "int": ["7", "'8'", "2_200", "0x1F"],
    "number": ["7", "0.5", '"1"'],
    "text": ["plain", "'it''s'", '"a\\tb"', "a b # c", "x#y"],
    "choice": ["on", '"off"', "verbose", "OFF"],
}
_COMMENTS = ["", "", "  # why", " #: {[ 'odd\"", "\t# tab", "   "]


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Sections of two levels in many hands: indents, comments, quotes, braces, blank lines, line ends, BOM."""
    scalars = [spec for spec in SPECS if spec.kind in _SPELLINGS and len(path_of(spec.key)) == 2]
    chosen = draw(st.lists(st.sampled_from(scalars), min_size=1, max_size=6, unique_by=lambda spec: spec.key))
    step = " " * draw(st.integers(1, 5))
    lines = draw(
        st.lists(st.sampled_from(["# заметка", "", "other: {a: [1, 2]}", "---"]), max_size=3, unique=True)
    )
    lines.sort(key=lambda line: line == "other: {a: [1, 2]}")
    for section in dict.fromkeys(path_of(spec.key)[0] for spec in chosen):
        pairs = []
        for spec in chosen:
            if path_of(spec.key)[0] == section:
                word = draw(st.sampled_from(_SPELLINGS[spec.kind]))
                pairs.append((path_of(spec.key)[1], word.replace(" # c", "")))
        if draw(st.booleans()):
            inner = ", ".join(f"{name}: {word or '~'}" for name, word in pairs)
            lines.append(f"{section}: {{{inner}}}{draw(st.sampled_from(_COMMENTS))}")
            continue
        lines.append(f"{section}:{draw(st.sampled_from(_COMMENTS))}")
        for name, word in pairs:
            lines.append(f"{step}{name}: {word}{draw(st.sampled_from(_COMMENTS))}")
            lines += draw(st.lists(st.sampled_from(["", f"{step}# between", "# left", "   "]), max_size=2))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = newline.join(lines) + draw(st.sampled_from(["", newline, newline * 2]))
    bom = draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    return Layout(bom + text.encode(), draw(st.sampled_from(chosen)).key)


_WORDS = {
    "bool": st.sampled_from(["true", "off"]),
    "gate": st.sampled_from(["yes", "0"]),
    "int": st.integers(1, 10**9).map(str),
    "number": st.sampled_from(["0", "0.25", "1"]),
    "text": st.text(st.characters(codec="utf-8"), max_size=12).filter(str.isprintable),
    "choice": st.sampled_from(["on", "off", "verbose"]),
}


@given(layouts(), st.data())
def test_a_change_in_any_layout_is_one_line_and_reads_back(layout: Layout, data: st.DataObject) -> None:
    spec = next(spec for spec in SPECS if spec.key == layout.key)
    word = data.draw(_WORDS[spec.kind])
    changed = change_setting(layout.data, layout.key, word)
    old, new = layout.data.splitlines(True), changed.splitlines(True)
    assert len(old) == len(new)
    assert sum(one != other for one, other in zip(old, new, strict=True)) <= 1
    value, origin, _ = get_setting(read_config(changed), layout.key)
    assert origin == "set"
    assert plain_words(value) == plain_words(_read(spec.kind, word))
    assert change_setting(changed, layout.key, word) == changed


@given(layouts(), st.sampled_from([spec for spec in SPECS if spec.kind == "int"]))
def test_a_new_key_in_any_layout_adds_lines_only(layout: Layout, spec: object) -> None:
    key = spec.key  # type: ignore[attr-defined]
    changed = change_setting(layout.data, key, "77")
    assert get_setting(read_config(changed), key)[:2] == (77, "set")
    added = _added(layout.data.splitlines(True), changed.splitlines(True))
    assert added <= len(path_of(key)) + 1  # a last line without a newline gets one


def _read(kind: str, word: str) -> object:
    if kind in ("bool", "gate"):
        return word in ("true", "yes")
    return float(word) if kind == "number" and "." in word else word


def test_yaml_of_both_versions_reads_what_is_written() -> None:
    """YAML 1.1 takes on, off, yes, no and y for booleans; in quotes they are texts in every version."""
    import yaml

    for word in (
        "on",
        "off",
        "yes",
        "No",
        "y",
        "n",
        "null",
        "true",
        "1",
        "0x1",
        "1e3",
        "~",
        "a: b",
        "# c",
        "2026-01-01",
    ):
        changed = change_setting(None, "memory.provider", word)
        assert changed == f'memory:\n  provider: "{word}"\n'.encode()
        assert yaml.safe_load(changed) == {"memory": {"provider": word}}
