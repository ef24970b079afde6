"""What is understood of a command line, and what is said of what is not."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from pathlib import Path

import pytest

from digit_tui.cli import parser
from digit_tui.cli.exits import WORDS
from digit_tui.cli.parser import COMMANDS, is_ours, named, parse
from tests.digit_tui.cli.conftest import Digit

EVERY_VERB = [(command, verb) for command, (_, verbs) in COMMANDS.items() for verb in verbs]


def test_options_stand_before_between_and_behind() -> None:
    for words in (
        ["--home", "/h", "-p", "work", "memory", "add", "text", "--to", "user", "--json"],
        ["memory", "--to", "user", "--home", "/h", "add", "--json", "-p", "work", "text"],
        ["memory", "add", "--json", "text", "--to=user", "--home=/h", "-pwork"],
    ):
        got = parse("digit", words)
        assert (got.command, got.verb, got.text, got.to) == ("memory", "add", "text", "user")
        assert (got.home, got.profile, got.json, got.demo) == ("/h", "work", True, False)


def test_a_text_may_look_like_an_option_or_a_command() -> None:
    assert parse("digit", ["memory", "add", "--", "--home"]).text == "--home"
    assert parse("digit", ["memory", "add", "--json", "--", "-x"]).text == "-x"
    got = parse("digit", ["memory", "replace", "--", "-a", "-b"])
    assert (got.note, got.text) == ("-a", "-b")
    assert parse("digit", ["memory", "add", "- milk"]).text == "- milk"
    assert parse("digit", ["memory", "add", "-"]).text == "-"
    assert parse("digit", ["memory", "add", "memory"]).text == "memory"
    assert parse("digit", ["config", "set", "memory.nudge_interval", "-5"]).value == "-5"


def test_the_command_is_found_behind_values_of_options() -> None:
    assert named(["--home", "memory", "config", "get", "x"]) == ("config", "get")
    assert named(["--home=memory", "-p", "config", "memory"]) == ("memory", None)
    assert named(["--demo"]) == (None, None)
    assert named(["--", "memory"]) == (None, None)
    assert is_ours(["memory"]) and is_ours([]) and is_ours(["memory", "list"])
    assert not is_ours(["chat"]) and not is_ours(["memory", "setup"]) and not is_ours(["-x", "chat", "hello"])


def test_the_options_that_take_a_word_are_known() -> None:
    """`VALUED` is a list by hand; it has to be that of the parsers."""
    parsers = [parser._app_parser("digit")]
    parsers += [parser._verb_parser("digit", command, verb, []) for command, verb in EVERY_VERB]
    takes = {
        option
        for one in parsers
        for action in one._actions
        for option in action.option_strings
        if action.nargs is None and not isinstance(action, argparse._HelpAction)
    }
    assert takes == parser.VALUED


@pytest.mark.parametrize(("command", "verb"), EVERY_VERB)
def test_every_verb_has_json_and_help(command: str, verb: str, digit: Digit) -> None:
    said = digit(command, verb, "--help")
    assert said.code == 0
    assert said.err == ""
    assert said.out.startswith(f"usage: digit {command} {verb}")
    assert "--json" in said.out and "--home" in said.out
    assert digit(command, "--help").out.count(f"  {command} {verb} ") == 1


def test_help_tells_verbs_and_exit_codes(digit: Digit) -> None:
    said = digit("--help")
    for command, verb in EVERY_VERB:
        assert f"  {command} {verb} " in said.out
    for code, words in WORDS:
        assert f"{code:>3}  {words}" in said.out
    assert digit("--version").out == f"digit {version('digit-tui')}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["memory"], "digit memory: say what to do: status, list,"),
        (["memory", "lst"], "digit memory: there is no 'lst'; there are status, list,"),
        (["nonsense"], "digit: there is no command 'nonsense'; there are memory, config."),
        (["memory", "list", "--sor", "date"], "unrecognized arguments: --sor date"),
        (["memory", "list", "--sort", "name"], "argument --sort: invalid choice: 'name'"),
        (["memory", "history", "--limit", "-1"], "--limit"),
        (["memory", "history", "--limit", "x"], "'x' is no whole number, 0 or more"),
        (["memory", "add"], "the following arguments are required: text"),
        (["memory", "add", "-x"], "(-- goes before a text that begins with -)"),
        (["memory", "add", "a", "b"], "unrecognized arguments: b"),
        (["memory", "list", "--home", ""], "argument --home: the value is empty"),
        (["memory", "list", "--profile="], "argument -p/--profile: the value is empty"),
        (["memory", "list", "--kind", " "], "argument --kind: the value is empty"),
        (["memory", "export", "-o", ""], "argument -o/--output: the value is empty"),
        (["--home", ""], "argument --home: the value is empty"),
        (["--hom", "/h"], "unrecognized arguments: --hom"),
        (["memory", "list", "--theme", "dark"], "unrecognized arguments: --theme dark"),
    ],
)
def test_a_mistake_is_named_with_the_way_out(
    words: list[str], told: str, digit: Digit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # no other digit
    said = digit(*words)
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert " --help\n" in said.err
    assert said.err.count("\n") == 1


def test_a_mistake_with_escapes_in_it_drives_no_terminal(digit: Digit) -> None:
    said = digit("memory", "list", "--\x1b[2J")
    assert said.code == 2
    assert "\x1b" not in said.err


def test_the_app_needs_a_terminal(digit: Digit) -> None:
    said = digit("--theme", "dark")
    assert said.code == 2
    assert "needs a terminal" in said.err and "digit memory list" in said.err
