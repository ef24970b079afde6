"""Exit codes of the command line, and the ways a command ends before it has done anything."""

from __future__ import annotations

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


class Turned(Exception):
    """A command that is turned down: a word for scripts, plain words for people, and the exit code."""

    def __init__(self, reason: str, message: str, code: int = REFUSED) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = code
