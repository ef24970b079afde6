"""The app: opens a home, puts the main screen on it, and lets go of the terminal whatever comes.

What screens ask of it is in `desk`, what commands do in `actions`.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.driver import Driver

from digit_core.errors import DigitError
from digit_core.text.visible import one_line, visible
from digit_tui import actions
from digit_tui.desk import Desk
from digit_tui.messages import TerminalGone
from digit_tui.opening import Opening
from digit_tui.options import Options
from digit_tui.preferences import Preferences, load
from digit_tui.screens.main import MainScreen

if TYPE_CHECKING:
    from pathlib import Path

    from textual.screen import Screen

    from digit_core.library import Library
    from digit_tui.unsaved import Unsaved

_MINUTE = 60.0
_HANDS_FINISH = 0.5
"""Seconds that leaving waits for the hands; what they write is whole or not at all."""
_HUNG_UP = 128 + signal.SIGHUP if sys.platform != "win32" else 1
_INTERRUPTED = 128 + signal.SIGINT


class DigitApp(Desk, inherit_bindings=False):
    """Browse and curate one home."""

    TITLE = "digit"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Quit", show=False, priority=True),
        Binding("ctrl+q", "leave", "Quit", show=False, priority=True),
    ]

    def __init__(
        self,
        opening: Opening,
        options: Options = Options(),  # noqa: B008 - an immutable tuple
        preferences: Preferences = Preferences(),  # noqa: B008 - an immutable tuple
    ) -> None:
        super().__init__(
            options.theme or preferences.theme, mouse=options.mouse, driver_class=_driver_class()
        )
        self.options = options
        self.preferences = preferences
        self.kept_in: Path | None = None
        """Where what was typed is kept, when the app was ended from outside."""
        self.failure = ""
        """What ended the app, in words; "" when it ended as asked."""
        self._opening = opening
        if not options.motion:
            self.animation_level = "none"
        if opening.wait(0):
            self._take_library()

    # ------------------------------------------------------------------ starting

    def get_default_screen(self) -> Screen[Any]:
        """The one screen that is always there."""
        return MainScreen(actions.ACTIONS, self.preferences)

    def on_mount(self) -> None:
        """Open what is not open yet; the rest once the first picture is on screen."""
        self._listen_for_signals()
        if self._opening.wait(0):
            self._opened(None)
        else:
            self.do(self._opening.wait, self._opened)
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        """Everything made so far lives as long as the app: the collector need not look at it, now or later."""
        gc.freeze()
        gc.enable()
        self.set_interval(_MINUTE, self._minute)

    def _minute(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                screen.pass_time()

    def _take_library(self) -> None:
        self.library = self._opening.library
        if self.library is not None:
            self.snapshot = self.library.snapshot

    def _opened(self, _: object) -> None:
        error = self._opening.error
        if isinstance(error, DigitError):
            self._offer_start(error)
            return
        if error is not None:
            raise error
        self._take_library()
        assert self.library is not None
        self.library.listen(self._files_changed)
        if self.main.is_mounted:  # else it shows what is there when it is
            self.main.show_snapshot()
        self.call_after_refresh(self._watch)

    def _watch(self) -> None:
        """Look out for changes, and for text that an earlier run could not save."""
        library = self.library
        if library is None:
            return

        def begin() -> tuple[str | None, tuple[Unsaved, ...]]:
            from digit_tui.unsaved import kept

            library.watch()
            return library.watch_notice, kept(library.own, ours=False)

        self.do(begin, self._watching)

    def _watching(self, found: tuple[str | None, tuple[Unsaved, ...]]) -> None:
        notice, unsaved = found
        if notice:
            self.say(notice, "warning")
        if unsaved:
            actions.offer_unsaved(self.main, unsaved[0])

    def _offer_start(self, error: DigitError) -> None:
        from digit_tui.screens.start import StartScreen  # only where there is no home

        self.push_screen(StartScreen(error, self._opening.open_library), self._start_chosen)

    def _start_chosen(self, opening: Opening | None) -> None:
        if opening is None:
            from digit_tui.screens.start import GOODBYE

            self.exit(0, message=GOODBYE)
            return
        self._opening = opening
        self.do(opening.wait, self._opened)

    # ------------------------------------------------------------------- looking

    @property
    def main(self) -> MainScreen:
        """The main screen, whatever lies above it."""
        for screen in self.screen_stack:
            if isinstance(screen, MainScreen):
                return screen
        raise LookupError("the main screen is not there")

    def action_interrupt(self) -> None:
        """Ctrl+C: copies a selection in the editor, else leaves."""
        if not actions.copy_selection(self.main):
            self.action_leave()

    def action_leave(self) -> None:
        """Leave; asks when there is something to lose."""
        actions.leave_app(self.main)

    @on(TerminalGone)
    def _terminal_gone(self) -> None:
        self._end_by(_HUNG_UP)

    @on(Driver.SignalResume)
    def _resumed(self) -> None:
        """Back from the shell, which has written on the terminal meanwhile."""
        self.redraw()

    def _listen_for_signals(self) -> None:
        """End as asked when the system says so: text kept, terminal restored."""
        if sys.platform == "win32":
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._end_by, 128 + number)

    def _end_by(self, code: int) -> None:
        if self.lent and code == _INTERRUPTED:
            return  # ctrl+c was for the editor that has the terminal
        self.kept_in = self.keep_unsaved()
        self.exit(return_code=code)

    def keep_unsaved(self) -> Path | None:
        """Write down what is typed and not saved; its file."""
        unsaved = next(
            (screen.unsaved() for screen in self.screen_stack if isinstance(screen, MainScreen)), None
        )
        if unsaved is None or self.library is None:
            return None
        from digit_tui.unsaved import keep

        try:
            return keep(self.library.own, unsaved)
        except DigitError as error:
            self.failure += f"\nWhat you typed could not be kept: {error}\n{visible(unsaved.text)}"
            return None

    def _fatal_error(self) -> None:
        """The last resort for an error nobody expected: keep the text, say what it was, leave the terminal clean."""
        import traceback

        error = self._exception
        if error is not None:
            self.failure = "".join(traceback.format_exception(error, limit=-6))
        try:
            self.kept_in = self.keep_unsaved()
        except Exception as second:  # noqa: BLE001 - the one blind catch: nothing may come in the way of the way out
            self.failure = f"{self.failure}\n{type(second).__name__}: {second}"
        self._close_messages_no_wait()


def _driver_class() -> type[Driver] | None:
    """Our terminal driver where there is one."""
    if sys.platform == "win32":
        return None
    from digit_tui.terminal import TerminalDriver

    return TerminalDriver


def run(open_library: Callable[[], Library] | Opening, options: Options = Options()) -> int:  # noqa: B008
    """Open the app on a home until the person leaves; the exit code. Hand over an `Opening` that already runs."""
    gc.disable()  # until the first picture: 10 ms that look through what is not going away
    opening = open_library if isinstance(open_library, Opening) else Opening(open_library)
    opening.wait(0.5)
    app = DigitApp(opening, options, load())
    try:
        answer = app.run(mouse=options.mouse)
    finally:
        gc.enable()
        app.finish(_HANDS_FINISH)
        if app.library is not None:
            app.library.close()
    with suppress(OSError):  # a terminal that has closed takes no words
        if app.failure:
            sys.stderr.write(f"digit ended by an error:\n{visible(app.failure)}\n")
        if app.kept_in is not None:
            sys.stderr.write(
                f"What you typed is kept in {one_line(str(app.kept_in))} and offered at the next start.\n"
            )
        sys.stderr.flush()
    if app.failure:
        return 1
    return app.return_code or answer or 0
