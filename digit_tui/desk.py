"""What screens and commands ask of the app: do what may block, change the home, say something, look otherwise.

    a key → Change → Library.apply → ChangeApplied;  files → Library → SnapshotReplaced → screens

Only the thread `hands` touches the files; everything else happens in the thread of the app.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import App
from textual.filter import ANSIToTruecolor

from digit_tui.hands import Hands
from digit_tui.keyboard import KeyboardApp
from digit_tui.look import DEFAULT, load_look, look_names, to_textual
from digit_tui.messages import ChangeApplied, JobDone, LockAwaited, SnapshotReplaced, Then
from digit_tui.preferences import change
from digit_tui.words import level_of, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from textual.driver import Driver
    from textual.filter import LineFilter
    from textual.message import Message

    from digit_core.library import Library
    from digit_core.memory.changes import Change, Outcome
    from digit_core.views.differences import Difference
    from digit_core.views.snapshot import Snapshot
    from digit_tui.look import Look

_HEARD_BY = 0.1
"""Seconds after which a signal that came while the loop was stopped has been passed on."""

Later = Awaitable[object] | None
"""What to wait for before the next key is taken: a dialog or an editor that is being put on screen."""


class Desk(KeyboardApp, inherit_bindings=False):
    """The open home and the means to work on it. Screens know this much of the app, and no more."""

    def __init__(self, theme: str, *, mouse: bool, driver_class: type[Driver] | None) -> None:
        super().__init__(driver_class=driver_class)
        self.library: Library | None = None
        """The open home; None until it is open."""
        self.snapshot: Snapshot | None = None
        """What the screens show."""
        self.mouse_on = mouse
        self.lent = False
        """Another program has the terminal."""
        self._hands = Hands()
        self._jobs = 0
        self._use_look(theme)

    # ------------------------------------------------------------------- saying

    @property
    def busy(self) -> bool:
        """Whether the hands have something to do for us."""
        return self._jobs > 0

    def say(self, message: str, level: str = "quiet") -> None:
        """Tell the person something: in the dialog that lies above all, else on the status line."""
        for screen in reversed(self.screen_stack):
            say = getattr(screen, "say", None)
            if say is not None:
                say(message, level)
                return

    # ------------------------------------------------------------------ changing

    def do(self, job: Callable[[], Any], then: Callable[[Any], None] | None = None) -> None:
        """Let the hands do something that may block; `then` gets the answer here."""
        self._jobs += 1
        self._hands.do(job, lambda answer, error: self._pass_on(JobDone(answer, error, then)))

    def do_at_last(self, job: Callable[[], Any]) -> None:
        """The same for what is still to do when the app goes: nobody hears the answer."""
        self._hands.do(job, lambda *_: None)

    def finish(self, seconds: float) -> None:
        """Wait for what is still to do, so long at most."""
        self._hands.wait(seconds)

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

    # ------------------------------------------------------------------ looking otherwise

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without the filter that makes colours of the terminal's own: no colour here is one (6 ms a frame)."""
        return [found for found in super().get_line_filters() if not isinstance(found, ANSIToTruecolor)]

    @contextmanager
    def lend_terminal(self) -> Iterator[None]:
        """Let go of the terminal for another program, and take it back. Raises SuspendNotSupported.

        Ctrl+C reaches that program and us. What was pressed meanwhile is only heard of when it has ended.
        """
        self.lent = True
        try:
            with self.suspend():
                yield
        finally:
            asyncio.get_running_loop().call_later(_HEARD_BY, setattr, self, "lent", False)

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


def _next_look(name: str) -> Look:
    """The theme after this one; reads files."""
    names = look_names()
    return load_look(names[(names.index(name) + 1) % len(names)] if name in names else names[0])
