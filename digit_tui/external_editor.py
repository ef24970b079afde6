"""The person's own editor: which one, and what it made of a text.

`$VISUAL` goes before `$EDITOR`. The value is split as a shell would split it and run without a shell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class NoEditor(Exception):
    """There is no editor that could be started; says why and what to do."""


class Edited(NamedTuple):
    """What came of it."""

    text: str | None
    """The text as the editor left it, line ends LF; None when it cannot be used."""
    problem: str | None
    """Plain words when the editor failed or left something that is no text."""
    unread: bool = False
    """The file holds what only the person can read; it must stay."""


def editor_command(env: Mapping[str, str]) -> tuple[str, ...]:
    """The command of the person's editor, ready to run. Raises NoEditor."""
    from shutil import which

    for name in ("VISUAL", "EDITOR"):
        value = env.get(name, "").strip()
        if not value:
            continue
        words = _split(value, name)
        found = which(words[0])
        if found is None:
            raise NoEditor(f"${name} is {value!r}, and there is no program {words[0]!r}. e edits here.")
        return (found, *words[1:])
    raise NoEditor("No editor is set. Set $VISUAL or $EDITOR, for example to nano; e edits here.")


def _split(value: str, name: str) -> list[str]:
    """Split a command line; a path with blanks or backslashes need not be quoted if the file is there."""
    import shlex
    from shutil import which

    if value[0] not in "\"'":
        parts = value.split(" ")
        for count in range(len(parts), 0, -1):
            program = " ".join(parts[:count])
            if (count > 1 or _WINDOWS_PATH.match(program)) and which(program):
                return [program, *shlex.split(" ".join(parts[count:]))]
    if _WINDOWS_PATH.match(value.lstrip("\"'")):
        # Backslashes are no escapes there, so that they stay; the quotes around a path go.
        return [word.strip("\"'") for word in shlex.split(value, posix=False)]
    try:
        return shlex.split(value) or [value]
    except ValueError as error:
        raise NoEditor(f"${name} is {value!r}, which cannot be read: {error}.") from error


def run_editor(command: tuple[str, ...], path: Path, before: str) -> Edited:
    """Run an editor on a file that holds `before`, and read what it left. The terminal must be free. Blocks."""
    import subprocess

    try:
        code = subprocess.run([*command, str(path)], check=False).returncode
    except OSError as error:
        return Edited(None, f"{command[0]} did not start: {error.strerror}.")
    try:
        after = path.read_bytes().decode("utf-8")
    except OSError as error:
        return Edited(None, f"The editor's file cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        return Edited(None, f"The editor left bytes that are no UTF-8; they stay in {path}.", unread=True)
    after = after.replace("\r\n", "\n").replace("\r", "\n")
    if code == 0:
        return Edited(after, None)
    ended = f"ended by signal {-code}" if code < 0 else f"ended with {code}"
    return Edited(
        after if after.strip() != before.strip() else None, f"The editor {ended}; nothing was saved."
    )
