"""The app: opens a home, holds its snapshot, does what the screens ask for, and lets go of the terminal whatever comes.

    files → Library → SnapshotReplaced → screens;  a key → Change → Library.apply → ChangeApplied

Only the thread `hands` touches the files; everything else happens in the thread of the app.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import ANSIToTruecolor

from digit_core.errors import DigitError
from digit_core.text.visible import visible
from digit_tui.hands import Hands
from digit_tui.keyboard import KeyboardApp
from digit_tui.look import DEFAULT, load_look, look_names, to_textual
from digit_tui.messages import ChangeApplied, JobDone, LockAwaited, SnapshotReplaced, Then
from digit_tui.opening import Opening
from digit_tui.options import Options
from digit_tui.preferences import Preferences, change, load
from digit_tui.screens.main import MainScreen
from digit_tui.words import level_of, said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from textual.driver import Driver
    from textual.filter import LineFilter
    from textual.message import Message
    from textual.screen import Screen

    from digit_core.library import Library
    from digit_core.memory.changes import Change, Outcome
    from digit_core.views.differences import Difference
    from digit_core.views.snapshot import Snapshot
    from digit_tui.look import Look
    from digit_tui.unsaved import Unsaved

_MINUTE = 60.0


class DigitApp(KeyboardApp, inherit_bindings=False):
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
        super().__init__(driver_class=_driver_class())
        self.options = options
        self.preferences = preferences
        self.library: Library | None = None
        """The open home; None until it is open."""
        self.snapshot: Snapshot | None = None
        """What the screens show."""
        self.mouse_on = options.mouse
        self.failure = ""
        """What ended the app, in words; "" when it ended as asked."""
        self._opening = opening
        self._hands = Hands()
        self._jobs = 0
        self._use_look(options.theme or preferences.theme)
        if not options.motion:
            self.animation_level = "none"
        if opening.wait(0):
            self._take_library()

    # ------------------------------------------------------------------ starting

    def get_default_screen(self) -> Screen[Any]:
        """The one screen that is always there."""
        return MainScreen(self.preferences, demo=self.options.demo)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without the filter that makes colours of the terminal's own: no colour here is one (6 ms a frame)."""
        return [found for found in super().get_line_filters() if not isinstance(found, ANSIToTruecolor)]

    def on_mount(self) -> None:
        """Open what is not open yet; the rest once the first picture is on screen."""
        self._listen_for_signals()
        if self._opening.wait(0):
            self._opened(None)
        else:
            self.do(self._opening.wait, self._opened)
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        """Everything made so far lives as long as the app: the collector need not look at it again."""
        gc.collect(0)
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
            library.reload()
            return library.watch_notice, kept(library.store.own)

        self.do(begin, self._watching)

    def _watching(self, found: tuple[str | None, tuple[Unsaved, ...]]) -> None:
        notice, unsaved = found
        if notice:
            self.say(notice, "warning")
        if unsaved:
            self.main.offer_unsaved(unsaved[0])

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

    @property
    def busy(self) -> bool:
        """Whether the hands have something to do for us."""
        return self._jobs > 0

    def say(self, message: str, level: str = "quiet") -> None:
        """Tell the person something: on the status line, and in the dialog that lies above it."""
        self.main.say(message, level)
        say = getattr(self.screen, "say", None)
        if say is not None and self.screen is not self.main:
            say(message, level)

    # ------------------------------------------------------------------ changing

    def do(self, job: Callable[[], Any], then: Callable[[Any], None] | None = None) -> None:
        """Let the hands do something that may block; `then` gets the answer here."""
        self._jobs += 1
        self._hands.do(job, lambda answer, error: self._pass_on(JobDone(answer, error, then)))

    def apply(self, change: Change, then: Then | None = None, words: str = "") -> None:
        """Carry out a change; `then` hears what came of it, `words` stand for the store's own when it was made."""
        self._change(
            lambda library: library.apply(change, on_wait=self._waits), then, partial(said, words=words)
        )

    def undo(self, record_id: str | None = None, then: Then | None = None) -> None:
        """Take back the last change, or the one named."""
        self._change(lambda library: library.undo(record_id), then, partial(said, hint="Z does it again."))

    def redo(self, then: Then | None = None) -> None:
        """Do again what was undone last."""
        self._change(lambda library: library.redo(), then, said)

    def _change(
        self, act: Callable[[Library], Outcome], then: Then | None, words: Callable[[Outcome], str]
    ) -> None:
        library = self.library
        if library is not None:
            self.do(
                partial(act, library),
                lambda outcome: self._pass_on(ChangeApplied(outcome, words(outcome), then)),
            )

    def _waits(self, holder: str | None) -> None:
        self._pass_on(LockAwaited(holder))

    def _files_changed(self, difference: Difference) -> None:
        self._pass_on(SnapshotReplaced(difference))

    def _pass_on(self, message: Message) -> None:
        """Hand a message to the app's own thread, from any."""
        self.post_message(message)

    @on(JobDone)
    def _job_done(self, message: JobDone) -> None:
        self._jobs -= 1
        if message.error is not None:
            raise message.error
        if message.then is not None:
            message.then(message.answer)

    @on(LockAwaited)
    def _lock_awaited(self, message: LockAwaited) -> None:
        who = f" held by {message.holder}" if message.holder else ""
        self.say(f"Waiting for the lock{who} …", "warning")

    @on(ChangeApplied)
    def _change_applied(self, message: ChangeApplied) -> None:
        outcome = message.outcome
        self.say(message.words, level_of(outcome))
        if message.then is not None:
            message.then(outcome)

    @on(SnapshotReplaced)
    def _snapshot_replaced(self, message: SnapshotReplaced) -> None:
        self.snapshot = message.difference.new
        for screen in self.screen_stack:
            follow = getattr(screen, "follow", None)
            if follow is not None:
                follow(message.difference)

    # ------------------------------------------------------------------ the rest

    def redraw(self) -> None:
        """Paint everything again, whatever the terminal shows by now."""
        self.screen.refresh(layout=True)

    def toggle_theme(self) -> None:
        """The next of our themes."""
        self.do(partial(_next_look, self.theme), self._wear)

    def _wear(self, look: Look) -> None:
        self.register_theme(to_textual(look))
        self.theme = look.name
        self.prefer(theme=look.name)

    def prefer(self, **values: str) -> None:
        """Remember what the person likes, for the next start."""

        def then(problem: str | None) -> None:
            if problem is not None:
                self.say(problem, "warning")

        self.do(partial(change, **values), then)

    def _use_look(self, name: str) -> None:
        """Set the theme before anything is parsed or painted, so that both happen once."""
        look = load_look(name if name in look_names() else DEFAULT)
        self.register_theme(to_textual(look))
        self.set_reactive(App.theme, look.name)
        self.stylesheet.set_variables(self.get_css_variables())
        dark = self.current_theme.dark
        self.set_class(dark, "-dark-mode", update=False)
        self.set_class(not dark, "-light-mode", update=False)

    def toggle_mouse(self) -> bool:
        """Take the mouse from the terminal, or give it back; whether it is ours now."""
        set_mouse = getattr(self._driver, "set_mouse", None)
        self.mouse_on = not self.mouse_on
        if set_mouse is not None:
            set_mouse(self.mouse_on)
        return self.mouse_on

    def action_interrupt(self) -> None:
        """Ctrl+C: copies a selection in the editor, else leaves."""
        if not self.main.copy_selection():
            self.action_leave()

    def action_leave(self) -> None:
        """Leave; asks when there is something to lose."""
        self.main.leave_app()

    def _listen_for_signals(self) -> None:
        """End as asked when the system says so: text kept, terminal restored."""
        if sys.platform == "win32":
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._end_by, 128 + number)

    def _end_by(self, code: int) -> None:
        self.keep_unsaved()
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
            return keep(self.library.store.own, unsaved)
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
            kept = self.keep_unsaved()
        except Exception as second:  # noqa: BLE001 - the one blind catch: nothing may come in the way of the way out
            kept, self.failure = None, f"{self.failure}\n{type(second).__name__}: {second}"
        if kept is not None:
            self.failure += f"\nWhat you typed is kept in {kept} and offered at the next start."
        self._close_messages_no_wait()


def _next_look(name: str) -> Look:
    """The theme after this one; reads files."""
    names = look_names()
    return load_look(names[(names.index(name) + 1) % len(names)] if name in names else names[0])


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
        if app.library is not None:
            app.library.close()
    if app.failure:
        sys.stderr.write(f"digit ended by an error:\n{visible(app.failure)}\n")
        return 1
    return app.return_code or answer or 0
