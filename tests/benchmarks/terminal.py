"""A program in a pseudo terminal, measured: its bytes and when they came. POSIX only.

It draws no screen, unlike `tests.pty_app`: a terminal emulator in Python would be the load that it measures.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

CHANGES_OUTPUT = ("COLUMNS", "LINES", "NO_COLOR", "PYTHONPATH", "TEXTUAL")
"""Variables of whoever runs the tests that would change what a child does."""


class Terminal:
    """One child under a pty of `cols` × `rows` cells. Use it in a `with`: leaving ends the child.

    `env` is laid over the environment of this process, less `CHANGES_OUTPUT`.
    """

    def __init__(
        self,
        argv: Sequence[str | Path],
        *,
        cols: int = 100,
        rows: int = 30,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in CHANGES_OUTPUT}
        environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})}
        self.output = bytearray()
        """All bytes that came so far; `forget` empties it."""
        self.fd, child = os.openpty()
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.started = time.perf_counter()
        """When the child was started, on `time.perf_counter`'s clock."""
        # Not pty.fork: that warns in a process with threads, and a test runner has some.
        self.process = subprocess.Popen(
            [os.fspath(part) for part in argv],
            stdin=child,
            stdout=child,
            stderr=child,
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
        os.close(child)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.fd)

    def send(self, data: bytes) -> None:
        """Type `data`."""
        os.write(self.fd, data)

    def forget(self) -> None:
        """Drop what came so far."""
        self.output.clear()

    def read(self, seconds: float) -> bytes:
        """The next bytes within `seconds`; b"" when there were none or the child has gone."""
        if not select.select([self.fd], [], [], max(seconds, 0.0))[0]:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux says EIO when the child's side is closed
            return b""
        self.output += data
        return data

    def wait_for(self, sentinel: bytes, seconds: float = 20.0) -> float:
        """Wait until `sentinel` is in what came since the last `forget`; the moment (`perf_counter`).

        Raises TimeoutError with the end of what came, also when the child ends without sending it.
        """
        deadline = time.perf_counter() + seconds
        searched = 0
        while self.output.find(sentinel, max(0, searched - len(sentinel))) < 0:
            searched = len(self.output)
            left = deadline - time.perf_counter()
            if left <= 0 or (not self.read(left) and self.process.poll() is not None):
                raise TimeoutError(f"no {sentinel!r}; the output ended with {bytes(self.output[-2000:])!r}")
        return time.perf_counter()

    def wait_quiet(self, seconds: float = 0.3, limit: float = 20.0) -> None:
        """Read until nothing has come for `seconds`. Raises TimeoutError after `limit` seconds."""
        deadline = time.perf_counter() + limit
        while self.read(seconds):
            if time.perf_counter() > deadline:
                raise TimeoutError(f"the program went on sending for {limit:g} s")

    def exit_code(self, seconds: float = 20.0) -> int:
        """Wait for the child's end; its exit code, negative for a signal. Raises TimeoutError."""
        deadline = time.perf_counter() + seconds
        while (code := self.process.poll()) is None:
            if time.perf_counter() > deadline:
                raise TimeoutError(f"still running; the output ended with {bytes(self.output[-2000:])!r}")
            if not self.read(0.02):  # read on: a child whose terminal is full would wait for ever
                time.sleep(0.005)
        return code
