"""What reaches the app from other threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:
    from digit_core.memory.changes import Outcome
    from digit_core.views.differences import Difference

Then = Callable[["Outcome"], None]
"""Hears what came of a change, in the thread of the app."""


@dataclass
class SnapshotReplaced(Message):
    """The files are not what they were."""

    difference: Difference


@dataclass
class ChangeApplied(Message):
    """A change was carried out, or refused."""

    outcome: Outcome
    words: str
    """What to say, with what always follows a change."""
    then: Then | None


@dataclass
class LockAwaited(Message):
    """A save waits for another program; `holder` as far as it is known."""

    holder: str | None


@dataclass
class TerminalGone(Message):
    """The terminal has closed; nobody sees the app any more."""


@dataclass
class JobDone(Message):
    """The hands have done something for the app."""

    answer: Any
    error: BaseException | None
    then: Callable[[Any], None] | None
