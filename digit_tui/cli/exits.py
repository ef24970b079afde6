"""Exit codes of the command line, and which of them an outcome means."""

from __future__ import annotations

from digit_core.errors import (
    ConfigError,
    DigitError,
    HomeNotFound,
    InvalidSetting,
    LockTimeout,
    ProfileNotFound,
    UnknownSetting,
)
from digit_core.memory.changes import Outcome, Reason

DONE = 0
FAILED = 1
USAGE = 2
NOT_FOUND = 3
REFUSED = 4
INTERRUPTED = 130

WORDS = (
    (DONE, "done, or there was nothing to do"),
    (FAILED, "failed: a file could not be read, locked or written"),
    (USAGE, "the command was not understood"),
    (NOT_FOUND, "no such home, note, setting, backup or change"),
    (REFUSED, "refused, with the reason; nothing was written"),
    (INTERRUPTED, "interrupted"),
)
"""Code and meaning, for `--help` and the README."""

_NOT_FOUND = frozenset({Reason.NOT_FOUND, Reason.GONE, Reason.NOTHING})
_FAILED = frozenset({Reason.UNREADABLE, Reason.LOCKED, Reason.IO})


def of_outcome(outcome: Outcome) -> int:
    """The exit code for what came of a change."""
    if outcome.ok:
        return DONE
    if outcome.reason in _NOT_FOUND:
        return NOT_FOUND
    return FAILED if outcome.reason in _FAILED else REFUSED


def of_error(error: DigitError) -> int:
    """The exit code for an error of the core."""
    if isinstance(error, HomeNotFound | ProfileNotFound | UnknownSetting):
        return NOT_FOUND
    if isinstance(error, InvalidSetting | ConfigError) and not isinstance(error, LockTimeout):
        return REFUSED
    return FAILED
