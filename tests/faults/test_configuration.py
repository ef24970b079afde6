"""Faults of the kind "Configuration": what other programs did to config.yaml, and what happens here instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from digit_core.errors import ConfigBroken
from digit_core.formats.config import get_setting, read_config
from digit_core.formats.config_edit import change_setting
from digit_core.formats.settings import Settings
from digit_core.memory.last_good import LAST_GOOD, load_settings

GATE = "memory.write_approval"

BROKEN = [
    (b"memory:\n  write_approval: false\nbroken: [unclosed", 3, 18),
    (b"[]", 1, 1),
    (b"just a word\n", 1, 1),
    (b"memory:\n\twrite_approval: false\n", 2, 1),
]
TWICE = [
    (b"memory:\n  write_approval: false\n  write_approval: true\n", 3, 3),
    (b"memory:\n  write_approval: false\nmemory:\n  write_approval: true\n", 3, 1),
    (b"model: a\nmodel: b\nmemory:\n  write_approval: false\n", 2, 1),
]


def _changed_lines(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    old, new = before.splitlines(True), after.splitlines(True)
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]


def test_f145_one_setting_one_line() -> None:
    before = """\
# ── config of the laptop ──
#  last looked through in August

defaults: &defaults
  timeout: 30      # seconds
model:
  <<: *defaults
  default: 'qwen3: coder'   # quoted for the colon
  fallback: "a\\tb"
memory:
  memory_enabled: yes
  write_approval: off   # с августа: сначала спрашивать
  memory_char_limit: 2_200
skills: {write_approval: no, external_dirs: [~/a, "~/b"]}
# commented out until needed:
# curator:
#   stale_after_days: 30
#     archive_after_days: 90
""".encode()
    after = change_setting(before, GATE, "on")
    assert _changed_lines(before, after) == [
        (
            "  write_approval: off   # с августа: сначала спрашивать\n".encode(),
            "  write_approval: true   # с августа: сначала спрашивать\n".encode(),
        )
    ]
    assert change_setting(after, GATE, "off") == before.replace(b"approval: off ", b"approval: false ")
    assert _changed_lines(before, change_setting(before, "skills.write_approval", "on")) == [
        (
            b'skills: {write_approval: no, external_dirs: [~/a, "~/b"]}\n',
            b'skills: {write_approval: true, external_dirs: [~/a, "~/b"]}\n',
        )
    ]


def test_f146_indents_of_others_stay() -> None:
    before = b"fallback:\n- a\n- b\nmemory:\n    write_approval: false   # keep"
    after = change_setting(before, GATE, "true")
    assert after == b"fallback:\n- a\n- b\nmemory:\n    write_approval: true   # keep"


@pytest.mark.parametrize(("data", "line", "column"), BROKEN + TWICE)
def test_f147_a_broken_file_is_never_written(data: bytes, line: int, column: int, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(data)
    with pytest.raises(ConfigBroken) as caught:
        change_setting(file.read_bytes(), GATE, "on", file)
    assert f"{file}, line {line}, column {column}: " in str(caught.value)
    assert file.read_bytes() == data


def test_f147_an_empty_file_is_not_broken() -> None:
    assert change_setting(b"", GATE, "on") == b"memory:\n  write_approval: true\n"


@pytest.mark.parametrize(("data", "line", "column"), BROKEN)
def test_f148_a_broken_file_is_told_and_the_gate_counts_as_on(
    data: bytes, line: int, column: int, tmp_path: Path
) -> None:
    own = tmp_path / "digit-tui"
    own.mkdir()
    (tmp_path / "config.yaml").write_bytes(data)
    loaded = load_settings(tmp_path, own, may_write=True)
    assert loaded.broken is not None
    assert (loaded.broken.line, loaded.broken.column) == (line, column)
    assert not loaded.from_last_good
    assert loaded.settings.memory == Settings().memory._replace(write_approval=True)
    assert loaded.settings.skills.write_approval
    assert loaded.present == frozenset()  # so limits can be shown as defaults
    assert loaded.data == data
    assert list(own.iterdir()) == []
    assert (tmp_path / "config.yaml").read_bytes() == data


def test_f148_the_last_good_one_counts_while_the_file_is_broken(tmp_path: Path) -> None:
    own = tmp_path / "digit-tui"
    own.mkdir()
    good = b"memory:\n  memory_char_limit: 3201\n  write_approval: no\n"
    (tmp_path / "config.yaml").write_bytes(good)
    assert load_settings(tmp_path, own, may_write=True).broken is None
    assert (own / LAST_GOOD).read_bytes() == good
    (tmp_path / "config.yaml").write_bytes(good + b"broken: [unclosed")
    loaded = load_settings(tmp_path, own, may_write=True)
    assert loaded.broken is not None
    assert loaded.from_last_good
    assert loaded.settings.memory.memory_char_limit == 3201
    assert not loaded.settings.memory.write_approval
    assert (own / LAST_GOOD).read_bytes() == good


@pytest.mark.parametrize(
    ("spelling", "means"),
    [
        ("on", "on"),
        ("off", "off"),
        ("verbose", "verbose"),
        ('"off"', "off"),
        ("OFF", "off"),
        ("no", "off"),
        ("0", "off"),
        ("null", "on"),
        ("True", "on"),
        ("'Verbose'", "verbose"),
    ],
)
def test_f150_on_and_off_are_words_in_every_spelling(spelling: str, means: str) -> None:
    data = f"display:\n  memory_notifications: {spelling}  # off | on | verbose\n".encode()
    config = read_config(data)
    assert config.settings.display.memory_notifications == means
    assert config.problems == ()
    for word in ("on", "off", "verbose"):
        written = change_setting(data, "display.memory_notifications", word)
        assert read_config(written).settings.display.memory_notifications == word
        assert yaml.safe_load(written)["display"]["memory_notifications"] == word  # YAML 1.1
        if word != "verbose":  # in quotes: a text in YAML 1.2 too
            quote = b"'" if "'" in spelling else b'"'
            assert b"memory_notifications: " + quote + word.encode() + quote + b"  # off" in written


@pytest.mark.parametrize(
    ("spelling", "counts_as", "reported"),
    [
        ('"false"', False, False),
        ("'off'", False, False),
        ("0", False, False),
        ("no", False, False),
        ("~", False, False),  # YAML's own way to leave a key unset
        ("", False, False),
        ("none", False, False),
        ("[]", True, True),
        ("{}", True, True),
        ("maybe", True, True),
        ('""', True, True),
        ("2", True, True),
        ("approve", True, False),
        ("ENABLED", True, False),
        ('"1"', True, False),
        ("true", True, False),
    ],
)
def test_f151_booleans_are_read_once(spelling: str, counts_as: bool, reported: bool) -> None:
    for section in ("memory", "skills"):
        config = read_config(f"{section}:\n  write_approval: {spelling}\n".encode())
        group = config.settings.memory if section == "memory" else config.settings.skills
        assert group.write_approval is counts_as
        assert get_setting(config, f"{section}.write_approval")[0] is counts_as
        if reported:
            (problem,) = config.problems
            assert (problem.key, problem.line, problem.used) == (f"{section}.write_approval", 2, "true")
        else:
            assert config.problems == ()


def test_f151_numbers_are_read_once() -> None:
    data = (
        b'memory:\n  memory_char_limit: 2_200\n  recall:\n    top_k: "6"\n    max_chars: 2e3\n    hops: -1\n'
    )
    config = read_config(data)
    assert config.settings.memory.memory_char_limit == 2200
    assert config.settings.memory.recall[3:] == (6, 2000, 1)
    (problem,) = config.problems
    assert (problem.key, problem.line, problem.column, problem.used) == ("memory.recall.hops", 6, 11, "1")


def test_f152_limits_follow_the_file(make_home: Callable[..., Path]) -> None:
    limits = (
        "memory:\n  memory_char_limit: {}\n  user_char_limit: {}\n"
        "  recall: {{memory_char_limit: {}, user_char_limit: {}}}\n"
    )
    first = make_home(config=limits.format(3203, 1501, 90001, 20011), name="a")
    second = make_home(config=limits.format(17, 19, 23, 29), name="b")

    def numbers(home: Path) -> tuple[int | None, ...]:
        memory = load_settings(home, home / "digit-tui", may_write=False).settings.memory
        recall = memory.recall
        return (
            memory.memory_char_limit,
            memory.user_char_limit,
            recall.memory_char_limit,
            recall.user_char_limit,
        )

    assert numbers(first) == (3203, 1501, 90001, 20011)
    assert numbers(second) == (17, 19, 23, 29)
    file = first / "config.yaml"
    file.write_bytes(change_setting(file.read_bytes(), "memory.memory_char_limit", "3207"))
    assert numbers(first) == (3207, 1501, 90001, 20011)
    file.write_bytes(b"memory:\n")
    assert numbers(first) == (None, None, 120_000, 24_000)


def test_f155_mark_and_line_ends_stay() -> None:
    before = b"\xef\xbb\xbfmemory:\r\n  write_approval: false\r\nskills:\r\n  write_approval: no\r\n"
    assert read_config(before).lines["memory"] == 1
    after = change_setting(before, GATE, "on")
    assert after == b"\xef\xbb\xbfmemory:\r\n  write_approval: true\r\nskills:\r\n  write_approval: no\r\n"
    first_key = b"\xef\xbb\xbfmemory: {write_approval: off}\r\n"
    assert change_setting(first_key, GATE, "on") == b"\xef\xbb\xbfmemory: {write_approval: true}\r\n"
    added = change_setting(before, "memory.nudge_interval", "5")
    assert added == before.replace(b"false\r\n", b"false\r\n  nudge_interval: 5\r\n")
