"""One thread that does what may block, in the order it was asked for: saving, undoing, copying, reading themes.

A daemon thread rather than a worker of the screen library: a save that waits ten seconds for another program's lock
must not keep the app from closing. Until it has the lock nothing is written; after that a write is whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any

Job = Callable[[], Any]
Done = Callable[[Any, BaseException | None], None]
"""Called in the thread, with what the job answered or what it raised: it should only pass that on."""


class Hands:
    """Does jobs one after the other."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[Job, Done]] = SimpleQueue()
        self._thread: Thread | None = None

    def do(self, job: Job, done: Done) -> None:
        """Do `job` after those before it, then call `done`. Answers at once."""
        self._jobs.put((job, done))
        if self._thread is None:
            self._thread = Thread(target=self._work, name="digit-hands", daemon=True)
            self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until all is done that was asked for, `seconds` at most; whether it is."""
        if self._thread is None:
            return True
        done = Event()
        self.do(lambda: None, lambda *_: done.set())
        return done.wait(seconds)

    def _work(self) -> None:
        while True:
            job, done = self._jobs.get()
            try:
                answer, error = job(), None
            except BaseException as raised:  # noqa: BLE001 - passed on whole; the app raises it again in its own thread
                answer, error = None, raised
            done(answer, error)
