"""What is wrong with this home, and the way out of each."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.widget import Widget

from digit_core.views.differences import Difference
from digit_core.views.snapshot import Problem, Severity, Snapshot
from digit_tui.commands import BY_ID, COMMANDS, key_word
from digit_tui.screens.dialog import Dialog, Key, Title
from digit_tui.widgets.page import BLANK, Page, Paragraph, plain

_GLYPHS = {Severity.ERROR: "⊘", Severity.WARNING: "△", Severity.NOTE: "·"}
_STYLES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "text"}


_REMEDIES = ("delete", "edit", "editor", "split", "tidy", "room", "history")
"""Commands that a problem may name as its way out."""


class ProblemsScreen(Dialog[Problem | None]):
    """The list; it follows the files while it is open. Answers with the problem whose way out was asked for."""

    BINDINGS = [
        Binding(",".join(command.keys), f"remedy({command.id!r})", command.title, show=False)
        for command in COMMANDS
        if command.id in _REMEDIES
    ]

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__()
        self._problems = snapshot.problems
        self._page = Page(_paragraphs(snapshot))

    def title_words(self) -> str:
        """How many."""
        count = len(self._problems)
        return (
            f"{count} thing{'' if count == 1 else 's'} to know about this home"
            if count
            else "Nothing is wrong"
        )

    def key_words(self) -> Iterable[Key]:
        """Nothing to decide here."""
        return (("esc", "back"), *self.scroll_keys(self._page))

    def body(self) -> Iterable[Widget]:
        """All of them."""
        return (self._page,)

    def action_remedy(self, command: str) -> None:
        """Leave, and take the way out of the first problem that has this one."""
        problem = next((one for one in self._problems if one.remedy == command), None)
        if problem is None:
            self.say("That is the way out of nothing here.", "warning")
        else:
            self.dismiss(problem)

    def follow(self, difference: Difference) -> None:
        """The files have changed."""
        if difference.problems_changed:
            self._problems = difference.new.problems
            self._page.show(_paragraphs(difference.new))
            self.query_one(Title).show(self.title_words())
            self.call_after_refresh(self.show_keys)


def _paragraphs(snapshot: Snapshot) -> Iterable[Paragraph]:
    home = snapshot.home
    if not snapshot.problems:
        yield plain("Every file reads as the agent reads it, every setting is understood.", "good", "✓")
        yield BLANK
    yield plain(f"{home.path}: {home.kind.value.capitalize()}, because {home.kind_why}.", "muted", " ")
    yield plain(f"Profile {home.profile}; found by {home.found_by}.", "muted", " ")
    for problem in snapshot.problems:
        yield BLANK
        yield plain(problem.message, _STYLES[problem.severity], _GLYPHS[problem.severity])
        if problem.way_out:
            yield plain(f"{problem.way_out}{_key(problem)}", mark=" ")
        place = _place(problem)
        if place:
            yield plain(place, "muted", " ")


def _key(problem: Problem) -> str:
    """The key of the way out, where the app has one."""
    command = BY_ID.get(problem.remedy)
    return f" ({command.title}: {key_word(command.keys[0])})" if command is not None else ""


def _place(problem: Problem) -> str:
    """The file and line, unless the message names them."""
    if problem.path is None:
        return ""
    line = f", line {problem.line}" if problem.line else ""
    return "" if f"{problem.path}{line}" in problem.message else f"{problem.path}{line}"
