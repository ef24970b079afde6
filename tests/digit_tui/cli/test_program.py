"""The program as it is started: what it imports, and what it does at a terminal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pty_app import PtyApp, command
from tests.storing import joined, memory_file

MakeHome = Callable[..., Path]

# What a command that looks at notes need not pay for.
HEAVY = (
    "textual",
    "rich",
    "watchdog",
    "wcwidth",
    "hashlib",
    "sqlite3",
    "subprocess",
    "shutil",
    "difflib",
    "asyncio",
)


@pytest.mark.parametrize("words", [["status"], ["list"], ["add", "two"]])
def test_commands_import_nothing_heavy(words: list[str], make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"), config="memory:\n  nudge_interval: 5\n")
    source = (
        "import sys, json\n"
        "from digit_tui.cli.entry import main_digit\n"
        f"code = main_digit(['memory', *{words!r}, '--home', {str(home)!r}])\n"
        f"print(json.dumps([code, [name for name in {HEAVY!r} if name in sys.modules]]), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=True
    )
    assert json.loads(done.stderr.splitlines()[-1]) == [0, []]


def test_help_and_version_do_without_the_core() -> None:
    source = (
        "import sys\nfrom digit_tui.cli.entry import main_digit\n"
        "assert main_digit(['memory', '--help']) == main_digit(['--version']) == 0\n"
        "assert 'digit_core.library' not in sys.modules and 'yaml' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", source], capture_output=True, timeout=60, check=True)


@pytest.mark.parametrize("name", ["digit", "digit-tui"])
def test_without_a_command_the_app_opens(name: str, make_home: MakeHome) -> None:
    home = make_home(memory=joined("a note to be seen"))
    with PtyApp([command(name), "--home", str(home), "--no-motion", "--no-mouse"]) as app:
        app.wait_for("a note to be seen")
        app.send("q")
        assert app.wait() == 0


def test_no_color_means_none(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a note to be seen"))
    for options, coloured in (([], True), (["--no-color"], False)):
        with PtyApp([command("digit"), "--home", str(home), *options]) as app:
            app.wait_for("a note to be seen")
            app.send("q")
            assert app.wait() == 0
            found = re.findall(rb"[34]8;2;(\d+);(\d+);(\d+)", bytes(app.output))
            assert any(len(set(colour)) > 1 for colour in found) is coloured  # greys have three equal parts


def test_at_a_terminal_a_list_is_cut_and_a_reset_asks(make_home: MakeHome) -> None:
    home = make_home(memory=joined("word " * 40 + "end"))
    with PtyApp([command("digit"), "memory", "list", "--home", str(home)], columns=60) as app:
        assert app.wait() == 0
        assert b"word" in app.output and b"end" not in app.output
        assert app.output.strip().count(b"\n") == 0
    with PtyApp([command("digit"), "memory", "reset", "--home", str(home)]) as app:
        app.wait_for("Type yes:")
        app.send("no\r")
        assert app.wait() == 4
    assert memory_file(home).stat().st_size > 100
    with PtyApp([command("digit"), "memory", "reset", "--home", str(home)]) as app:
        app.wait_for("Type yes:")
        app.send("yes\r")
        assert app.wait() == 0
    assert memory_file(home).read_bytes() == b""


def test_commands_send_a_terminal_no_escapes(make_home: MakeHome) -> None:
    home = make_home(memory=joined("a note"), config="memory:\n  nonsense: [\n")
    for words in (
        ["memory", "status"],
        ["memory", "list"],
        ["config", "list"],
        ["memory", "--help"],
        ["nonsense"],
    ):
        with PtyApp([command("digit"), *words, "--home", str(home)], columns=100) as app:
            app.wait()
            assert app.output and b"\x1b" not in app.output


def test_without_a_home_the_app_offers_ways_on(tmp_path: Path) -> None:
    with PtyApp([command("digit")], cwd=tmp_path) as app:
        app.wait_for("demo")
        app.send("q")
        assert app.wait() in (0, 1)
