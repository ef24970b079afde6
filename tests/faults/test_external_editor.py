"""F112: the terminal is lent to the person's own editor or to the shell, and comes back whole, in a real one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.pty_app import PtyApp, command

NOTES = "First note\n§\nSecond note"


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=NOTES, user="About you")


def notes(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_bytes().decode()


@contextmanager
def lent(home: Path, script: str) -> Iterator[PtyApp]:
    """The app, whose editor is a shell script."""
    editor = home.parent / "editor"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    with PtyApp([command("digit-tui"), "--home", str(home)], env={"VISUAL": str(editor)}) as app:
        app.wait_for("Second note")
        app.send("E")
        yield app


def assert_whole(app: PtyApp, columns: int, rows: int) -> None:
    """The picture is that of a fresh start at this size, keys and mouse work, and leaving is clean."""
    app.wait_for(lambda it: len(it.lines) == rows and "quit" in it.lines[-1])
    app.read(quiet=0.15)
    assert "digit" in app.lines[0]
    assert "/120,000" in app.lines[0]
    assert len(app.lines[0]) == columns
    assert not app.echo
    painted = app.text
    app._stream.feed(b"\x1b[2J")
    app.send(b"\x0c")  # ctrl+l paints every cell: the same picture, so nothing of it was left over
    app.read(quiet=0.15)
    assert app.text == painted
    app.send("j")
    app.wait_for("▸ ◆ Second note")
    row = next(number for number, line in enumerate(app.lines) if "First note" in line)
    app.send(f"\x1b[<0;10;{row + 1}M\x1b[<0;10;{row + 1}m".encode())
    app.wait_for("▸ ◆ First note")
    app.send("q")
    assert app.wait() == 0
    assert bool(app.echo) is True
    assert b"\x1b[?1049l" in app.output[-2000:]


def test_f112_an_editor_that_draws_leaves_nothing_behind(home: Path) -> None:
    script = 'printf "\\033[2J\\033[Hnoise of an editor\\n"; stty -a > "$0.stty"; printf "%s" "!" >> "$1"'
    with lent(home, script) as app:
        app.wait_for("Saved.")
        assert "noise" not in app.text
        assert " echo " in (home.parent / "editor.stty").read_text()
        assert_whole(app, 80, 24)
    assert notes(home).startswith("First note\n!") or notes(home).startswith("First note!")


def test_f112_a_resize_while_the_editor_runs_is_followed(home: Path) -> None:
    with lent(home, 'echo ready; read line; printf "" > /dev/null') as app:
        app.wait_for("ready")
        app.resize(133, 40)
        app.send("\r")
        app.wait_for("Nothing was changed.")
        assert_whole(app, 133, 40)


def test_f112_an_editor_called_false(home: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)], env={"EDITOR": "false"}) as app:
        app.wait_for("Second note")
        app.send("E")
        app.wait_for("The editor ended with 1; nothing was saved.")
        assert_whole(app, 80, 24)
    assert notes(home) == NOTES


def test_f112_an_editor_that_is_killed_leaves_its_text_in_ours(home: Path) -> None:
    with lent(home, 'printf "half written" > "$1"; stty -echo raw; kill -9 $$') as app:
        app.wait_for("ended by signal 9")
        app.wait_for("half written")
        app.send(b"\x1b")
        app.wait_for("Leave without saving?")
        app.send("y")
        app.wait_for("Second note")
        assert_whole(app, 80, 24)
    assert notes(home) == NOTES


def test_f112_ctrl_c_for_the_editor_is_not_for_us(home: Path) -> None:
    with lent(home, "trap 'exit 0' INT; echo ready; while :; do sleep 0.05; done") as app:
        app.wait_for("ready")
        app.send(b"\x03")
        app.wait_for("Nothing was changed.")
        app.read(quiet=0.3)
        assert_whole(app, 80, 24)


def test_f112_bytes_that_are_no_text_stay_where_the_editor_left_them(home: Path) -> None:
    with lent(home, 'printf "caf\\351" > "$1"') as app:
        app.wait_for("no UTF-8")
        app.send("q")
        app.wait()
    assert [path.read_bytes() for path in (home / "digit-tui" / "drafts").iterdir()] == [b"caf\xe9"]


def stopped(app: PtyApp) -> None:
    """Wait until the app is stopped, and what it wrote before is read."""
    end = time.monotonic() + 10
    while Path(f"/proc/{app.process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
        assert time.monotonic() < end
        app.read(quiet=0.02, limit=0.05)
    app.read(quiet=0.1)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="process states are read from /proc")
@pytest.mark.parametrize("stop", ["ctrl+z", "SIGTSTP", "SIGSTOP"])
def test_f112_stopped_and_brought_back(home: Path, stop: str) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("Second note")
        for columns, rows in ((80, 24), (100, 30)):  # once at the same size: nothing but us paints it again
            if stop == "ctrl+z":
                app.send(b"\x1a")
            else:
                app.signal(getattr(signal, stop))
            stopped(app)
            if stop != "SIGSTOP":  # which a program does not hear of
                assert app.echo
                assert b"\x1b[?1049l" in app.output[-2000:]
            app._stream.feed(b"\x1b[2J\x1b[Hshell $ fg\r\n")
            app.resize(columns, rows)
            app.signal(signal.SIGCONT)
            app.wait_for(lambda it: "Second note" in it.text and "shell $" not in it.text)
        assert_whole(app, 100, 30)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="process states are read from /proc")
def test_f112_the_editor_itself_is_stopped_and_brought_back(home: Path) -> None:
    with lent(home, 'echo ready; read line; printf "%s" "$line" > "$1"') as app:
        app.wait_for("ready")
        group = os.getpgid(app.process.pid)
        os.killpg(group, signal.SIGTSTP)  # what the terminal does for ctrl+z: to the editor and to us
        stopped(app)
        before = len(app.output)
        os.killpg(group, signal.SIGCONT)
        app.read(quiet=0.3)
        assert b"\x1b[?1049h" not in app.output[before:], "the terminal is the editor's still"
        assert app.echo
        app.send("edited\r")
        app.wait_for("Saved.")
        app.send("z")
        app.wait_for("▸ ◆ First note")
        assert_whole(app, 80, 24)
    assert notes(home) == NOTES
