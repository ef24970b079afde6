"""The first start: no home was found, or it cannot be opened. Says what was looked for, and three ways on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.binding import Binding
from textual.widget import Widget

from digit_core.errors import DigitError, HomeError, HomeNotFound
from digit_core.memory.homes import HomeKind, create_home, default_path, find_home
from digit_tui.opening import Opening
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.page import BLANK, Page, Paragraph, heading, plain

if TYPE_CHECKING:
    from digit_core.library import Library
    from digit_tui.app import DigitApp


class StartScreen(Dialog[Opening | None]):
    """Answers with what opens a home, or None to leave."""

    BINDINGS = [
        Binding("d", "demo", "Demo", show=False),
        Binding("c", "create", "Create", show=False),
        Binding("r", "again", "Again", show=False),
        Binding("q", "leave", "Quit", show=False),
    ]

    def __init__(self, error: DigitError, again: Opening | None = None) -> None:
        super().__init__()
        self._error = error
        self._again = again
        self._path = _place(error)

    @property
    def digit(self) -> DigitApp:
        """The app, as what it is."""
        return cast("DigitApp", self.app)

    def title_words(self) -> str:
        """What is the matter."""
        return (
            "No agent home here yet"
            if isinstance(self._error, HomeNotFound)
            else "This home cannot be opened"
        )

    def key_words(self) -> Iterable[Key]:
        """The ways on."""
        create = (("c", f"create {_short(self._path)}"),) if self._path is not None else ()
        return (("q esc", "quit"), ("d", "look at the demo"), *create)

    def body(self) -> Iterable[Widget]:
        """What was looked for, and what each way does."""
        return (Page(self._words()),)

    def _words(self) -> Iterable[Paragraph]:
        yield plain(str(self._error), "warning", "△")
        yield BLANK
        yield heading("What will be here")
        yield plain(
            "An agent like Digit or Hermes keeps what it learns in two files, memories/MEMORY.md and "
            "memories/USER.md of its home. This program shows every note in them and lets you put wrong ones right."
        )
        yield BLANK
        yield plain("d", "accent", " ")
        yield plain("opens a copy of an example home; nothing you do there touches your own files.", mark=" ")
        if self._path is not None:
            yield plain("c", "accent", " ")
            yield plain(f"makes {_short(self._path)} with an empty memories folder, and opens it.", mark=" ")
        yield BLANK
        yield plain("Is your home somewhere else? Start with: digit-tui --home DIR", "muted")

    def action_demo(self) -> None:
        """Open a copy of the bundled home."""
        self.dismiss(Opening(_open_demo))

    def action_create(self) -> None:
        """Make a home, after a question."""
        path = self._path
        if path is None:
            return
        question = Confirm(
            f"Create {_short(path)}?",
            f"{path} and {path / 'memories'} are made, readable only by you. Nothing else is written.",
            yes="Create",
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(Opening(lambda: _create(path)))

        self.digit.push_screen(question, answered)


def _place(error: DigitError) -> Path | None:
    """Where a home would be made: the folder that was asked for, else the usual one; None when neither can be."""
    if not isinstance(error, HomeNotFound):
        return None
    if error.path is not None:
        return error.path
    try:
        return default_path(HomeKind.DIGIT)
    except HomeError:
        return None


def _short(path: Path) -> str:
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)


def _open_demo() -> Library:
    from digit_core.library import Library
    from digit_tui.demo import make_demo_home

    return Library(find_home(home=str(make_demo_home()), env={}))


def _create(path: Path) -> Library:
    from digit_core.library import Library

    return Library(create_home(path, HomeKind.HERMES if path.name == ".hermes" else HomeKind.DIGIT))
