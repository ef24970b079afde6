"""One hostile home in a real terminal: every screen and dialog, at eight sizes, and not one byte of it gets through.

F103, F105, F107 and F111 in one: whatever is in notes, settings, file names, the name of the profile, the path of the
home and the words of errors is drawn as signs. The bytes that the program sends are taken apart: what is left when its
own sequences are out holds no control character at all.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from digit_core.text.visible import one_line
from tests.hostile import CONTROL, MARKUP, TEXTS, write_hostile_home
from tests.pty_app import PtyApp, command

SIZES = ((200, 60), (1, 1), (10, 3), (40, 12), (59, 15), (60, 16), (80, 24), (133, 40))
FEW = ((200, 60), (40, 12))
"""Besides 133×40; in the short run. In a terminal of the tests' own, `test_f111_…` goes through all eight."""

Sizes = tuple[tuple[int, int], ...]

# Sequences that the program never sends of its own accord: one of them in its output is a byte of a file.
DRIVES = (
    "\x1b[38;5;213m",
    "\x1b[7;7777H",
    "\x1b[?1337h",
    "\x1b]52;c;eA==\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x9d0;x\x9c",
)
EVIL = f"[/red][x=1: y] {''.join(DRIVES)} {CONTROL[0]}{CONTROL[4]}{CONTROL[1]}\u202e👨‍👩‍👧"
NAME = EVIL.replace("/", "∕").encode()[:120].decode(errors="ignore")
"""The same for a file name."""

ESC = "\x1b[27u"
"""As terminals send it that leave nothing to guess."""

SCREENS: dict[str, tuple[str, str]] = {
    "list": ("", ""),
    "list, compact": ("D", ""),
    "list, roomy": ("D", "D"),
    "list, by date": ("ss", "s"),
    "last note": ("G", ""),
    "note": ("\r", "J" * 9 + ESC),
    "find": ("/", ESC),
    "found nothing": ("/\x1b[200~" + EVIL + "\x1b[201~", ESC),
    "delete": ("gjd", ESC),
    "help": ("?", ESC),
    "command line": (":\x1b[200~" + EVIL + "\x1b[201~", ESC),
    "problems": ("!", ESC),
    "split": ("GkkkS", ESC),
    "tidy": ("gjT", ESC),
    "changes": ("pU", ESC),
    "one change": ("U\r", f"{ESC}{ESC}"),
    "backups": ("Ub", ESC),
    "restore": ("UbR", f"{ESC}{ESC}"),
    "make room": ("r", ESC),
    "one to delete": ("rd", f"{ESC}{ESC}"),
    "editor": ("e", ""),
    "leave": (f"x{ESC}", "y"),
    "new": ("n\x1b[200~" + EVIL + "\x1b[201~", f"{ESC}y"),
    "no such editor": ("E", ""),
}
"""What is looked at, with the keys that lead there and those that lead back."""

# What the program sends: modes, colours, places, keyboard protocol, questions about modes; the shape of the pointer.
OWN = re.compile(
    r"\x1b\[(?:\d*(?:;\d+)?H|[\d;]*m|[?<>=][\d;]*[hlu]|<u|\?\d+\$p|\?\d*u|c|\d*[ABCD])|\x1b\]22;[a-z-]*(?:\x07|\x1b\\)"
)
CONTROLS = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def assert_nothing_got_through(output: bytes) -> None:
    """The program's own sequences out, and no control character is left; no text of a file among those either."""
    sent = output.decode()
    for drive in (*DRIVES, "\x1b[2J", "\x1b[6n", "\x1bc", "\x1b]52", "\x1b]0;"):
        assert drive not in sent, repr(drive)
    assert sent.count("\x1b[?1049l") <= 1, "the program leaves the other screen once, at its end"
    left = OWN.sub("", sent)
    found = CONTROLS.search(left)
    assert found is None, repr(left[max(found.start() - 40, 0) : found.end() + 20])


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """The texts in notes, settings, names of files and of the home itself."""
    home = write_hostile_home(tmp_path / NAME / ".digit")
    memory = home / "memories" / "MEMORY.md"
    evil = f"# {EVIL}\none\n\n# {EVIL}\ntwo"
    memory.write_bytes(memory.read_bytes() + f"\n§\n{evil}\n§\n{EVIL}\n§\nlast  \n\n".encode())
    (home / "memories" / f"MEMORY (conflict) {NAME}.md").write_text(EVIL)
    quoted = "".join(f"\\x{ord(code):02x}" if ord(code) < 256 else code for code in EVIL)
    (home / "config.yaml").write_text(
        f'memory:\n  nudge_interval: "{quoted}"\n  write_approval: "{quoted}"\n  provider: "{quoted}"\n'
    )
    yield home


def settled(app: PtyApp) -> None:
    app.read(quiet=0.06, limit=3.0)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("sizes", [FEW, pytest.param(SIZES, marks=pytest.mark.torture)], ids=["few", "all"])
def test_f105_f111_every_screen_at_every_size_lets_no_byte_of_a_file_through(
    home: Path, sizes: Sizes
) -> None:
    env = {"VISUAL": EVIL.replace("\0", ""), "TEXTUAL_ANIMATIONS": "none"}
    with PtyApp([command("digit-tui"), "--home", str(home)], columns=133, rows=40, env=env) as app:
        app.wait_for("press me")
        app.drawing = False
        for name, (there, back) in SCREENS.items():
            app.send(there)
            settled(app)
            for columns, rows in sizes:
                app.resize(columns, rows)
                settled(app)
            assert app.process.poll() is None, (name, app.output.decode().rpartition("Traceback")[2])
            app.resize(133, 40)  # in one too small nothing can be done
            app.read(quiet=0.25, limit=3.0)
            app.send(back)
            app.read(quiet=0.25, limit=3.0)
        app.drawing = True
        conflict(app, home, sizes)
        broken_settings(app, home, sizes)
        app.resize(200, 60)
        app.send("\x0c")
        app.wait_for(lambda it: all(one_line(f"{text} tail") in it.text for text in MARKUP[1:]))
        app.send("etyped")
        app.wait_for("+5 · ")
        app.signal(signal.SIGTERM)
        assert app.wait() == 128 + signal.SIGTERM
        assert b"What you typed is kept in" in app.output
        assert_nothing_got_through(bytes(app.output))
    assert app.output.count(b"\x1b[?1049l") == 1


def conflict(app: PtyApp, home: Path, sizes: Sizes) -> None:
    """Somebody writes hostile text into the note that is being edited."""
    memory = home / "memories" / "MEMORY.md"
    app.resize(133, 40)
    app.send("\x0c")
    app.wait_for("⏎ open")
    app.send("gemine")
    app.wait_for("mine")
    data = memory.read_bytes()
    memory.write_bytes(data.replace(data.split(b"\n")[0], f"theirs {EVIL}".encode(), 1))
    app.wait_for("changed on disk")
    app.send("\x13")
    app.wait_for("MINE: what you typed")
    for columns, rows in sizes:
        app.resize(columns, rows)
        settled(app)
    app.resize(133, 40)
    app.send("t")
    app.wait_for(lambda it: "Give up what you typed?" in it.text)
    app.send("y")
    app.wait_for("What is on disk stays.")


def broken_settings(app: PtyApp, home: Path, sizes: Sizes) -> None:
    """A configuration that is no YAML, said in the banner."""
    good = (home / "config.yaml").read_bytes()
    (home / "config.yaml").write_bytes(f"memory:\n  [{EVIL}: {{\n".encode())
    app.wait_for("config.yaml, line")
    for columns, rows in sizes:
        app.resize(columns, rows)
        settled(app)
    (home / "config.yaml").write_bytes(good)
    app.wait_for(lambda it: "config.yaml, line" not in it.text)


@pytest.mark.parametrize("words", [("--home", f"/nowhere/{NAME}"), ("--profile", NAME), ("--theme", NAME)])
def test_f105_nor_do_the_words_of_an_error(make_home: object, tmp_path: Path, words: tuple[str, str]) -> None:
    assert callable(make_home)
    home = make_home(memory="note")
    argv = [command("digit-tui"), *(("--home", str(home)) if words[0] != "--home" else ()), *words]
    with PtyApp(argv, columns=100, rows=30) as app:
        end = time.monotonic() + 5
        while app.process.poll() is None and "esc" not in app.text and time.monotonic() < end:
            app.read(quiet=0.1, limit=0.3)
        if app.process.poll() is None:
            for columns, rows in FEW:
                app.resize(columns, rows)
                settled(app)
            assert app.process.poll() is None
            app.resize(100, 30)
            settled(app)
            assert "[∕red][x=1: y]" in app.text
            app.send("q")
            app.wait()
        else:
            assert "[∕red][x=1: y]" in app.text
        assert_nothing_got_through(bytes(app.output))


def test_the_texts_are_those_of_the_faults() -> None:
    assert all(text in "".join(TEXTS) for text in (*MARKUP, *CONTROL))
