"""`digit config`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.config_edit import setting_keys
from tests.digit_tui.cli.conftest import Digit

MakeHome = Callable[..., Path]

CONFIG = "# mine\nmemory:\n  nudge_interval: 20  # turns\n  write_approval: yes\n"


@pytest.fixture
def home(make_home: MakeHome) -> Path:
    return make_home(memory="one", config=CONFIG)


def test_get_prints_the_value_alone(digit: Digit, home: Path) -> None:
    assert digit("config", "get", "memory.nudge_interval", home=home) == (0, "20\n", "")
    assert digit("config", "get", "memory.write_approval", home=home).out == "true\n"
    assert digit("config", "get", "memory.memory_char_limit", home=home).out == "(not set)\n"
    assert digit("config", "get", "skills.external_dirs", home=home).out == "(empty)\n"
    value = digit("config", "get", "memory.nudge_interval", "--json", home=home).json
    assert value == {"key": "memory.nudge_interval", "value": 20, "origin": "set", "line": 3}


def test_set_changes_one_line(digit: Digit, home: Path) -> None:
    said = digit("config", "set", "memory.nudge_interval", "5", home=home)
    assert (said.code, said.out) == (0, "memory.nudge_interval = 5\n")
    assert str(home / "config.yaml") in said.err
    assert (home / "config.yaml").read_text() == CONFIG.replace("20", "5")
    value = digit("config", "set", "memory.write_approval", "off", "--json", home=home).json
    assert (value["ok"], value["value"]) == (True, False)
    assert "write_approval: false\n" in (home / "config.yaml").read_text()


def test_set_of_a_limit_counts_at_once(digit: Digit, home: Path) -> None:
    assert digit("config", "set", "memory.recall.memory_char_limit", "2", home=home).code == 0
    assert "3/2 chars" in digit("memory", "status", home=home).out
    assert digit("memory", "add", "two", home=home).code == 4


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("get", "memory.nudge"), 3, "Did you mean memory.nudge_interval?"),
        (("set", "memory.nudge", "1"), 3, "Did you mean memory.nudge_interval?"),
        (("get", "zzz"), 3, "`digit config list` shows all."),
        (("set", "memory.nudge_interval", "-5"), 4, "a whole number, 0 or more"),
        (("set", "memory.nudge_interval", "often"), 4, "'often'"),
        (("set", "display.memory_notifications", "loud"), 4, "off, on or verbose"),
    ],
)
def test_what_is_wrong_is_named(
    digit: Digit, home: Path, words: tuple[str, ...], code: int, told: str
) -> None:
    said = digit("config", *words, home=home)
    assert (said.code, said.out) == (code, "")
    assert told in said.err
    value = digit("config", *words, "--json", home=home)
    assert (value.code, value.json["ok"]) == (code, False)
    assert value.json["reason"] == ("unknown_setting" if code == 3 else "invalid_setting")
    assert (home / "config.yaml").read_text() == CONFIG


def test_list_shows_all_and_no_secret(digit: Digit, home: Path) -> None:
    with (home / "config.yaml").open("a") as stream:
        stream.write("auxiliary:\n  background_review:\n    api_key: sk-very-secret\n")
    out = digit("config", "list", home=home).out
    assert len(out.splitlines()) == len(setting_keys())
    assert "sk-very-secret" not in out
    values = digit("config", "list", "--json", home=home)
    assert "sk-very-secret" not in values.out
    assert [value["key"] for value in values.json] == [spec.key for spec in setting_keys()]
    key = "auxiliary.background_review.api_key"
    assert digit("config", "get", key, home=home).out == "sk-very-secret\n"


def test_a_broken_file_is_said_beside_the_values_used(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(config="memory:\n\tnudge_interval: 5\n")
    said = digit("config", "get", "memory.nudge_interval", home=home)
    assert (said.code, said.out) == (0, "10\n")
    assert "line 2, column 1" in said.err
    said = digit("config", "set", "memory.nudge_interval", "5", home=home)
    assert said.code == 4
    assert "line 2, column 1" in said.err
    assert (home / "config.yaml").read_text() == "memory:\n\tnudge_interval: 5\n"
