"""Reading config.yaml: types, spellings, problems, broken files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.errors import ConfigBroken, UnknownSetting
from digit_core.formats import config_yaml
from digit_core.formats.config import DEFAULTS, get_setting, read_config
from digit_core.formats.settings import (
    GATE,
    SPECS,
    MemorySettings,
    RecallSettings,
    ReviewSettings,
    Settings,
    gated,
    path_of,
    settings_from,
    spec_for,
)

FULL = b"""\
memory:
  memory_enabled: false
  user_profile_enabled: no
  memory_char_limit: 3201
  user_char_limit: 1407
  write_approval: approve
  provider: holographic
  nudge_interval: 0
  recall: {enabled: off, memory_char_limit: 90001, user_char_limit: 20003, top_k: 4, max_chars: 1501, hops: 2}
skills:
  write_approval: Enabled
  creation_nudge_interval: 15
  external_dirs: [~/a, /srv/b]
  template_vars: n
  inline_shell: y
  inline_shell_timeout: 2.5
  guard_agent_created: 1
display:
  memory_notifications: verbose
  platforms:
    telegram: {memory_notifications: off}
    chat.example: {memory_notifications: "on"}
    quiet:
auxiliary:
  background_review:
    provider: openrouter
    model: 'a: b'
    base_url: http://192.0.2.1:8080/v1
    api_key: k
    timeout: 60
    extra_body: {a: [1, true], b: {c: x}}
    reasoning_effort: low
    enabled: false
    max_input_tokens: 9000
    extra_tools:
    - web
    defer: yes
    defer_max_age_s: 60
curator: {stale_after_days: 3, archive_after_days: 9, prune_builtins: false, consolidate: true}
agent:
  disabled_toolsets: [memory]
plugins:
  hermes-memory-store: {db_path: /x.db, auto_extract: true, default_trust: 0.25, hrr_dim: 512}
"""


def test_every_key_has_its_typed_place() -> None:
    config = read_config(FULL)
    settings = config.settings
    assert settings.memory == MemorySettings(
        False, False, 3201, 1407, True, "holographic", 0, RecallSettings(False, 90001, 20003, 4, 1501, 2)
    )
    assert tuple(settings.skills) == (True, 15, ("~/a", "/srv/b"), False, True, 2.5, True)
    assert settings.display.memory_notifications == "verbose"
    assert settings.display.platforms == {"telegram": "off", "chat.example": "on"}
    assert settings.review == ReviewSettings(
        "openrouter",
        "a: b",
        "http://192.0.2.1:8080/v1",
        "k",
        60,
        {"a": [1, True], "b": {"c": "x"}},
        "low",
        False,
        9000,
        ("web",),
        "on",
        60,
    )
    assert tuple(settings.curator) == (3, 9, False, True)
    assert tuple(settings.holographic) == ("/x.db", True, 0.25, 512)
    assert settings.disabled_toolsets == ("memory",)
    assert config.problems == ()
    assert config.present >= {spec.key for spec in SPECS}
    assert config.recall_key


def test_the_table_and_the_classes_agree_on_defaults() -> None:
    assert settings_from({spec.key: spec.default for spec in SPECS}, {}) == Settings()
    assert len({spec.key for spec in SPECS}) == len(SPECS)
    assert all(spec.type and spec.doc.endswith(".") for spec in SPECS)


@pytest.mark.parametrize(
    "data", [None, b"", b"\n", b"\xef\xbb\xbf", b"# only a comment\n", b"---\n", b"null\n", b"{}"]
)
def test_nothing_is_the_defaults(data: bytes | None) -> None:
    config = read_config(data)
    assert config.settings == Settings()
    assert not config.problems
    assert not config.present
    assert not config.recall_key


@pytest.mark.parametrize("home, recall", [("small", False), ("grown", True)])
def test_the_example_homes_read_without_a_problem(shared: Path, home: str, recall: bool) -> None:
    config = read_config((shared / "homes" / home / "config.yaml").read_bytes())
    assert config.problems == ()
    assert config.settings.memory.write_approval
    assert config.settings.skills.write_approval
    assert config.settings.memory.memory_char_limit == 2200
    assert config.recall_key is recall


def test_a_recall_key_counts_whatever_it_holds() -> None:
    assert read_config(b"memory: {recall: }").recall_key
    assert read_config(b"memory:\n  recall: maybe\n").recall_key
    assert not read_config(b"recall: {enabled: true}").recall_key


def test_problems_come_in_file_order_with_place_and_the_value_used() -> None:
    config = read_config(b"# \xd1\x8f\nskills: [a]\nmemory:\n  recall: {hops: -1,  top_k: many}\n")
    assert [(p.key, p.line, p.column, p.used) for p in config.problems] == [
        ("skills", 2, 9, "the defaults, and write approval on"),
        ("memory.recall.hops", 4, 18, "1"),
        ("memory.recall.top_k", 4, 30, "6"),
    ]
    assert (
        config.problems[1].message == "memory.recall.hops cannot be '-1'; it takes a whole number, 0 or more"
    )
    assert config.settings.skills.write_approval
    assert "skills.write_approval" not in config.present


@pytest.mark.parametrize(
    "value", ["true", "", "[]", "1:30", "0100", "2.5", "1e999", ".inf", "٣", "2,200", "9" * 30]
)
def test_what_is_no_whole_number_is_reported(value: str) -> None:
    config = read_config(f'memory: {{memory_char_limit: "{value}"}}'.encode())
    assert config.settings.memory.memory_char_limit is None
    (problem,) = config.problems
    assert problem.used == "not set"


def test_a_key_written_twice_counts_the_last_time_and_is_reported() -> None:
    config = read_config(
        b"memory:\n  nudge_interval: 3\nx: 1\nmemory:\n  nudge_interval: 4\n  nudge_interval: 5\n"
    )
    assert config.settings.memory.nudge_interval == 5
    assert [(p.key, p.line, p.message) for p in config.problems] == [
        ("memory", 4, "memory is written twice, in lines 1 and 4"),
        ("memory.nudge_interval", 6, "memory.nudge_interval is written twice, in lines 5 and 6"),
    ]


def test_aliases_and_merge_keys_are_followed() -> None:
    data = (
        b"base: &base {write_approval: on, nudge_interval: 3}\n"
        b"gate: &gate yes\n"
        b"memory:\n  <<: *base\n  nudge_interval: 4\n"
        b"skills: {write_approval: *gate}\n"
        b"curator:\n  <<: [{stale_after_days: 1}, {stale_after_days: 2, archive_after_days: 5}]\n"
    )
    settings = read_config(data).settings
    assert (settings.memory.write_approval, settings.memory.nudge_interval) == (True, 4)
    assert settings.skills.write_approval
    assert settings.curator[:2] == (1, 5)


def test_a_mapping_that_merges_itself_or_a_million_others_ends() -> None:
    assert read_config(b"memory: &m\n  <<: *m\n  write_approval: on\n").settings.memory.write_approval
    bomb = b"a0: &a0 {x: 1}\n" + b"".join(
        b"a%d: &a%d\n  <<: [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9)) for i in range(1, 30)
    )
    assert read_config(bomb + b"memory: *a29\n").settings == Settings()
    lists = b"a0: &a0 [x]\n" + b"".join(
        b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9)) for i in range(1, 30)
    )
    (problem,) = read_config(lists + b"auxiliary: {background_review: {extra_body: {a: *a29}}}").problems
    assert problem.key == "auxiliary.background_review.extra_body"


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"memory:\n  a: 1\nbroken: [unclosed", 3, 18),
        ("# я\nя: \x00".encode(), 2, 4),
        (b"memory:\n\twrite_approval: on", 2, 1),
        (b"a: 1\nb: \xff", 2, 4),
        (b"a: 1\n---\nb: 2\n", 2, 1),
        (b"- a\n", 1, 1),
        (b"\xef\xbb\xbf\nscalar", 2, 1),
        (b"a: *nowhere", 1, 4),
        ("a: 1\n".encode("utf-16"), 1, 1),
        (b"{a: " * 5000, 1, 4001),
    ],
)
def test_what_is_no_config_says_where(data: bytes, line: int, column: int) -> None:
    with pytest.raises(ConfigBroken) as caught:
        read_config(data, Path("config.yaml"))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"config.yaml, line {line}, column {column}: ")


def test_without_the_loader_in_c_everything_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    quick = read_config(FULL)
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert read_config(FULL) == quick
    for data in (b"a: [1\nb: 2", b"a: \xd1\x8f\x00", b"\ta: 1", b"[" * 20_000):
        with pytest.raises(ConfigBroken):
            read_config(data)


def test_get_setting_tells_value_origin_and_line() -> None:
    config = read_config(
        b"memory:\n  nudge_interval: 3\n  write_approval: maybe\n  recall:\n    hops:\n"
        b"display: {memory_notifications: off, platforms: {a.b: {memory_notifications: verbose}}}\n"
    )
    assert get_setting(config, "memory.nudge_interval") == (3, "set", 2)
    assert get_setting(config, "memory.write_approval") == (True, "default", 3)
    assert get_setting(config, "memory.recall.hops") == (1, "default", 5)
    assert get_setting(config, "memory.recall.top_k") == (6, "default", None)
    assert get_setting(config, "display.platforms.a.b.memory_notifications") == ("verbose", "set", 6)
    assert get_setting(config, "display.platforms.else.memory_notifications") == ("off", "default", None)
    broken = DEFAULTS._replace(settings=gated(Settings()))
    assert get_setting(broken, "skills.write_approval") == (True, "default", None)


def test_an_unknown_key_names_what_is_near() -> None:
    with pytest.raises(UnknownSetting) as caught:
        get_setting(DEFAULTS, "memory.write_aproval")
    assert "memory.write_approval" in caught.value.nearest
    with pytest.raises(UnknownSetting) as caught:
        get_setting(DEFAULTS, "write_approval")
    assert caught.value.nearest[:2] == ("memory.write_approval", "skills.write_approval")
    assert spec_for("display.platforms..memory_notifications") is None
    assert spec_for("display.platforms.memory_notifications") is None
    assert path_of("display.platforms.a.b.memory_notifications") == (
        "display",
        "platforms",
        "a.b",
        "memory_notifications",
    )


def test_nothing_of_yaml_is_imported_without_a_config() -> None:
    source = (
        "import sys; from digit_core.formats.config import read_config; read_config(None); read_config(b' ');"
        "assert 'yaml' not in sys.modules; read_config(b'a: 1'); assert 'yaml' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", source], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@given(st.binary(max_size=80) | st.text("amor:yn -[]{}#&*'\"|\n\t!%,?<\xa7", max_size=60).map(str.encode))
def test_any_bytes_are_a_config_or_broken(data: bytes) -> None:
    try:
        read_config(data)
    except ConfigBroken as error:
        assert error.line >= 1
        assert error.column >= 1


_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([spec.key for spec in SPECS]), _VALUES, max_size=8))
def test_whatever_a_key_holds_the_settings_keep_their_types(values: dict[str, Any]) -> None:
    import yaml

    tree: dict[str, Any] = {}
    for key, value in values.items():
        *above, name = path_of(key)
        branch = tree
        for section in above:
            branch = branch.setdefault(section, {})
        branch[name] = value
    config = read_config(yaml.safe_dump(tree, allow_unicode=True).encode())
    told = {problem.key for problem in config.problems}
    for spec in SPECS:
        value, origin, _ = get_setting(config, spec.key)
        if spec.default is not None and value is not None:
            kinds = (int, float) if isinstance(spec.default, float | int) else (type(spec.default),)
            assert isinstance(value, kinds)
        if origin == "default" and values.get(spec.key) is not None:
            assert spec.key in told
            assert value is True if spec.kind == GATE else value == spec.default


def test_places_count_as_editors_do() -> None:
    text = "a\r\nb\rc\nd"
    assert [config_yaml.place(text, text.index(letter)) for letter in "abcd"] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
    ]
