"""The first start: no home was found, or it cannot be opened. Says what was looked for, and the ways on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.binding import Binding
from textual.widget import Widget

from digit_core.errors import DigitError, HomeError, HomeNotFound, HomeUnusable, ProfileNotFound
from digit_core.memory.homes import HomeKind, create_home, default_path, find_home
from digit_tui.opening import Opening
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.page import BLANK, Page, Paragraph, heading, plain

if TYPE_CHECKING:
    from digit_core.library import Library
    from digit_tui.desk import Desk

GOODBYE = "No home was opened. --demo opens an example, --home DIR a home of yours."
"""What is left on the terminal when nothing was chosen."""


class StartScreen(Dialog[Opening | None]):
    """Answers with what opens a home, or None to leave."""

    BINDINGS = [
        Binding("d", "demo", "Demo", show=False),
        Binding("c", "create", "Create", show=False),
        Binding("r", "again", "Again", show=False),
    ]
    DEFAULT_CSS = """
    StartScreen { background: $background; }
    """

    def __init__(self, error: DigitError, again: Callable[[], Library] | None = None) -> None:
        """`error` is what came of the attempt; `again` makes it once more."""
        super().__init__()
        self._error = error
        self._again = again
        self._path = _place(error)
        self._page = Page(self._words())

    @property
    def digit(self) -> Desk:
        """The app, as far as a screen knows it."""
        return cast("Desk", self.app)

    def title_words(self) -> str:
        """What is the matter."""
        if isinstance(self._error, HomeNotFound):
            return "There is no home here" if self._error.path is not None else "No agent home here yet"
        if isinstance(self._error, ProfileNotFound):
            return "There is no such profile"
        return "This home cannot be opened"

    def key_words(self) -> Iterable[Key]:
        """The ways on."""
        ways = ((key, short) for key, short, _ in self._ways())
        return (("q esc", "quit"), *ways, *self.scroll_keys(self._page))

    def body(self) -> Iterable[Widget]:
        """What was looked for, and what each way does."""
        return (self._page,)

    def _ways(self) -> Iterable[tuple[str, str, str]]:
        """The ways on: key, short words, what it does."""
        yield "d", "demo", "opens a copy of an example home; nothing you do there touches your own files."
        if self._path is not None:
            made = f"makes {_short(self._path)} with an empty memories folder, and opens it."
            yield "c", "create", made
        if self._again is not None:
            yield "r", "try again", "looks once more, when you have put it right elsewhere."

    def _words(self) -> Iterable[Paragraph]:
        yield plain(str(self._error), "warning", "△")
        yield BLANK
        for key, _, does in self._ways():
            yield Paragraph(((does, "text"),), key, "accent")
        yield BLANK
        yield heading("What this is for")
        yield plain(
            "Agents like Digit and Hermes keep what they learn in two files of their home, memories/MEMORY.md "
            "and memories/USER.md. Here you see every note in them, and put wrong ones right."
        )
        yield plain("Is your home somewhere else? Start with: digit-tui --home DIR", "muted")

    def action_demo(self) -> None:
        """Open a copy of the bundled home."""
        self.dismiss(Opening(_open_demo))

    def action_again(self) -> None:
        """Try once more what failed."""
        if self._again is not None:
            self.dismiss(Opening(self._again))

    def action_create(self) -> None:
        """Make a home, after a question."""
        path, again = self._path, self._again
        if path is None:
            self.say("A home is only made where there is nothing yet.", "warning")
            return
        question = Confirm(
            f"Create {_short(path)}?",
            f"{path} and {path / 'memories'} are made, readable only by you. Nothing else is written.",
            yes="Create",
        )

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(Opening(lambda: _create(path, again)))

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

    try:
        home = make_demo_home()
    except OSError as error:
        why = f"the demo could not be copied: {error.strerror or error}"
        raise HomeUnusable(Path(error.filename or "."), why) from error
    return Library(find_home(home=str(home), env={}))


def _create(path: Path, again: Callable[[], Library] | None) -> Library:
    """Make the home, then open it as it will be opened every time from now on."""
    from digit_core.library import Library

    create_home(path, HomeKind.HERMES if path.name == ".hermes" else HomeKind.DIGIT)
    return again() if again is not None else Library(find_home(home=str(path)))
