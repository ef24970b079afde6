"""The sentences that follow a change, everywhere the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from digit_core.memory.changes import Outcome

FROZEN = "The agent will see it from its next session on."
"""What a person should know after every save: a running session keeps the snapshot it began with."""

UNDOABLE = "z undoes."


def said(outcome: Outcome, words: str = "", hint: str = UNDOABLE) -> str:
    """What came of a change; `words` in the place of the store's own, `hint` how to go on from here."""
    sentence = words or outcome.message
    if not outcome.changed:
        return " ".join((outcome.message, *outcome.notices))
    if not sentence.endswith((".", "!", "?", "…")):
        sentence += "."
    return " ".join(part for part in (sentence, FROZEN, hint, *outcome.notices) if part)


def level_of(outcome: Outcome) -> str:
    """How it is shown: `good`, `quiet` when nothing had to be done, `error` when it was refused."""
    if not outcome.ok:
        return "error"
    return "good" if outcome.changed else "quiet"
