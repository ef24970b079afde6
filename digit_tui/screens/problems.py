"""What is wrong with this home, and the way out of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.widget import Widget

from digit_core.views.differences import Difference
from digit_core.views.snapshot import Problem, Severity
from digit_tui.screens.dialog import Dialog, Key, Title
from digit_tui.widgets.page import BLANK, Page, Paragraph, plain

_GLYPHS = {Severity.ERROR: "⊘", Severity.WARNING: "△", Severity.NOTE: "·"}
_STYLES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "text"}


class ProblemsScreen(Dialog[None]):
    """The list; it follows the files while it is open."""

    TALL = True
    DEFAULT_CSS = """
    ProblemsScreen Page { height: 1fr; }
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__()
        self._problems = tuple(problems)

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
        return (("esc", "back"), ("j k", "scroll"))

    def body(self) -> Iterable[Widget]:
        """All of them."""
        return (Page(_paragraphs(self._problems)),)

    def follow(self, difference: Difference) -> None:
        """The files have changed."""
        if difference.problems_changed:
            self._problems = difference.new.problems
            self.query_one(Page).show(_paragraphs(self._problems))
            self.query_one(Title).show(self.title_words())


def _paragraphs(problems: Iterable[Problem]) -> Iterable[Paragraph]:
    known = tuple(problems)
    if not known:
        yield plain("Every file reads as the agent reads it, every setting is understood.", "good")
    for problem in known:
        yield plain(problem.message, _STYLES[problem.severity], _GLYPHS[problem.severity])
        if problem.way_out:
            yield plain(problem.way_out, "text", " ")
        if problem.path is not None:
            line = f", line {problem.line}" if problem.line else ""
            yield plain(f"{problem.path}{line}", "muted", " ")
        yield BLANK
