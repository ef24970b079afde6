"""README is true: its commands run, its tables are those of the program, its pictures are there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from digit_tui import commands
from digit_tui.cli import exits
from digit_tui.demo import make_demo_home

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def marked(name: str) -> list[str]:
    """The lines between `<!-- name -->` and `<!-- end -->`, without fences."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- end -->", README, re.DOTALL)
    assert found, name
    return [line for line in found[1].splitlines() if not line.startswith("```")]


def test_each_set_up_is_one_line() -> None:
    for name, last in (("demo command", "digit-tui --demo"), ("test command", "-m pytest")):
        (line,) = marked(name)
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")
        assert line.endswith(last)


def test_every_command_runs_on_a_demo_home(tmp_path: Path) -> None:
    env = {**os.environ, "DIGIT_HOME": str(make_demo_home())}
    for line in marked("commands"):
        program, *arguments = shlex.split(line)
        argv = [str(Path(sys.executable).with_name(program)), *arguments]
        done = subprocess.run(
            argv, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert done.stdout or done.stderr, line


def test_every_program_and_subcommand_named_exists() -> None:
    helped = subprocess.run(
        [Path(sys.executable).with_name("digit"), "memory", "--help"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in re.findall(r"digit memory ([a-z]+)", README):
        assert re.search(rf"\b{name}\b", helped), name
    more = ("replace", "remove", "move", "pin", "split", "tidy", "redo", "restore", "forget", "reset")
    for name in more:
        assert f"`{name}`" in README
        assert re.search(rf"\b{name}\b", helped), name


def test_the_exit_codes_are_those_of_the_program() -> None:
    assert marked("exit codes")[2:] == [f"| {code} | {words} |" for code, words in exits.WORDS]


def test_the_options_of_the_app_exist() -> None:
    helped = subprocess.run(
        [Path(sys.executable).with_name("digit-tui"), "--help"], capture_output=True, text=True, check=True
    ).stdout
    for option in set(re.findall(r"digit-tui (--[a-z]+)", README)):
        assert option in helped, option


def test_the_key_table_is_that_of_the_program() -> None:
    table = "\n".join(marked("keys")[2:])
    keys = " ".join(re.findall(r"^\| (.+?) \|", table, re.MULTILINE))
    for command in commands.COMMANDS:
        if command.footer:
            assert any(f"`{commands.key_word(key)}`" in table for key in command.keys), command.id
    known = {commands.key_word(key) for command in commands.COMMANDS for key in command.keys}
    assert set(re.findall(r"`(.+?)`", keys)) <= known


@pytest.mark.parametrize("picture", re.findall(r"\]\((screenshots/[^)]+)\)", README))
def test_every_picture_is_there(picture: str) -> None:
    content = (ROOT / picture).read_text("utf-8")
    assert content.lstrip().startswith("<svg")
    assert "digit-demo-" not in content  # no path of the machine that took it


def test_links_into_the_repository_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
