"""Opens the home in a thread, so that it can begin before the screen library is there and never blocks the app."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digit_core.library import Library


class Opening:
    """One attempt to open a home. Made anywhere; looked at from the thread of the app."""

    def __init__(self, open_library: Callable[[], Library]) -> None:
        self.open_library = open_library
        """Makes the attempt; may be called again."""
        self.library: Library | None = None
        """The open home, once `done`."""
        self.error: BaseException | None = None
        """What came instead."""
        self._thread = Thread(target=self._run, name="digit-open", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.library = self.open_library()
        except BaseException as error:  # noqa: BLE001 - handed over whole to whoever asks for the library
            self.error = error

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done, `seconds` at most; whether it is."""
        self._thread.join(seconds)
        return not self._thread.is_alive()
