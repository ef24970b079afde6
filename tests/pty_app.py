"""A program in a pseudo terminal: its bytes, its screen as a terminal shows it, keys and signals to it.

with PtyApp([command("digit-tui"), "--home", str(home)], columns=80, rows=24) as app:
    app.wait_for("MEMORY")
    app.send("q")
    assert app.wait() == 0
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

# Private-mode requests that pyte would draw as letters: keyboard protocol, mode queries.
_NOT_FOR_PYTE = re.compile(rb"\x1b\[[<>=][0-9;]*[A-Za-z]|\x1b\[\?[0-9;]*\$p|\x1bP.*?\x1b\\", re.S)
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;:<>=?$]*|P[^\x1b]*)?\Z")


def command(name: str) -> str:
    """The installed command of that name, beside the interpreter that runs the tests."""
    return str(Path(sys.executable).with_name(name))


class PtyApp:
    """One program in a pseudo terminal of a given size (cells)."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self.output = bytearray()
        """Every byte that the program has sent."""
        self.drawing = True
        """Whether the screen follows the output; it costs as much as the program itself. Keys go through anyway."""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._pending = b""
        self.terminal, child = pty.openpty()
        """Our side of the terminal."""
        self._set_size(columns, rows)
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})}
        for name in ("TMUX", "STY", "WAYLAND_DISPLAY", "DISPLAY", "NO_COLOR", "LINES", "COLUMNS"):
            if env is None or name not in env:
                environment.pop(name, None)
        self.process = subprocess.Popen(
            list(argv),
            stdin=child,
            stdout=child,
            stderr=child,
            cwd=cwd,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - one system call, which needs no lock
        )
        self.attributes = termios.tcgetattr(child)
        """Of the terminal before the program changed them."""
        self._child = child

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------ looking

    def read(self, quiet: float = 0.2, limit: float = 10.0) -> bytes:
        """Bytes that arrive until none came for `quiet` seconds, `limit` seconds at most."""
        start = len(self.output)
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline and self._pump(quiet):
            pass
        return bytes(self.output[start:])

    def wait_for(self, what: str | Callable[[PtyApp], bool], timeout: float = 20.0) -> None:
        """Read until the screen shows `what` (or it says yes); AssertionError with the screen if not."""
        deadline = time.monotonic() + timeout
        seen = (lambda _: what in self.text) if isinstance(what, str) else what
        while not seen(self):
            left = deadline - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{what!r} did not come within {timeout:g} s; the screen:\n{self.text}")
            if not self._pump(min(left, 0.1)) and self.process.poll() is not None and not seen(self):
                raise AssertionError(f"ended with {self.process.returncode} before {what!r}:\n{self.text}")

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, padded with blanks."""
        return list(self._screen.display)

    @property
    def text(self) -> str:
        """The screen as one text, rows without the blanks at their ends."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row of the terminal's own cursor, from 0."""
        return self._screen.cursor.x, self._screen.cursor.y

    @property
    def input_flags(self) -> int:
        """The input flags of the terminal as they are now (`termios.IXON`, …)."""
        flags: int = termios.tcgetattr(self._child)[0]
        return flags

    @property
    def echo(self) -> bool:
        """Whether the terminal echoes what is typed, as a shell's does."""
        return bool(termios.tcgetattr(self._child)[3] & termios.ECHO)

    # ------------------------------------------------------------------- acting

    def send(self, keys: str | bytes) -> None:
        """Type; escape sequences as a terminal would send them."""
        os.write(self.terminal, keys.encode() if isinstance(keys, str) else keys)

    def resize(self, columns: int, rows: int) -> None:
        """Make the window another size; the program hears of it."""
        self._set_size(columns, rows)
        self._screen.resize(rows, columns)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGWINCH)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    def wait(self, timeout: float = 20.0) -> int:
        """Read to the end of the program; its exit code."""
        deadline = time.monotonic() + timeout
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise AssertionError(f"still running after {timeout:g} s; the screen:\n{self.text}")
            self._pump(0.05)
        self.read(quiet=0.05, limit=1.0)
        return self.process.returncode

    def close(self) -> None:
        """End the program if it still runs, and give the terminal back."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        for descriptor in (self._child, self.terminal):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    # ------------------------------------------------------------------ inside

    def _pump(self, timeout: float) -> bool:
        """Take what is there within `timeout` seconds; whether something was."""
        if not select.select([self.terminal], [], [], timeout)[0]:
            return False
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.output += data
        if not self.drawing:
            return bool(data)
        data = self._pending + data
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished else len(data)
        self._pending = data[cut:]
        self._stream.feed(_NOT_FOR_PYTE.sub(b"", data[:cut]))
        return bool(data)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _take_terminal() -> None:
    """In the child: the pseudo terminal is its own, so that it hears of sizes and hang-ups."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
