"""Hands a command that is not ours to the next program of our name on PATH: the agent's own `digit`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from digit_tui.cli.exits import FAILED, Turned

_TIMES = "DIGIT_TUI_PASSED"
"""How often the command, or what it was started by, was passed on already."""
_MOST = 10
"""More is a circle: a program that the agent starts may well call us again, but not for ever."""
_LAUNCHER = 1 << 20
"""Bytes: more than any launcher that pip makes, with the script at its end."""
_replaces_itself = os.name != "nt"


def pass_on(program: str, words: Sequence[str]) -> int | None:
    """Run the next program of this name with the same words; its exit code. None when there is none.

    Where the system can replace a process, this one becomes the other program and nothing comes back. Raises
    Turned when the other cannot be run, or leads back here again and again.
    """
    own = Path(sys.argv[0]).resolve()
    other = next((path for path in _on_path(program) if path.resolve() != own and not _is_ours(path)), None)
    if other is None:
        return None
    times = os.environ.get(_TIMES, "")
    if times.isdecimal() and int(times) >= _MOST:
        message = (
            f"{other} and {own} call each other in a circle; put the agent's own {program} first on PATH."
        )
        raise Turned("failed", message, FAILED)
    os.environ[_TIMES] = str(int(times) + 1 if times.isdecimal() else 1)
    try:
        if _replaces_itself:
            os.execv(other, [str(other), *words])
        import subprocess  # for Windows, where execv starts a second process and does not wait for it

        return subprocess.call([str(other), *words])
    except OSError as error:
        message = f"{other} is the next {program} on PATH, and cannot be run: {error.strerror}."
        raise Turned("failed", message, FAILED) from error


def _on_path(program: str) -> Iterator[Path]:
    """Every program of this name, in the order of PATH. A relative folder on PATH is left out: it runs anything."""
    endings = os.environ.get("PATHEXT", ".EXE;.BAT;.CMD").split(";") if os.name == "nt" else [""]
    for folder in map(Path, os.get_exec_path()):
        for path in (folder / f"{program}{ending}" for ending in endings):
            if folder.is_absolute() and path.is_file() and os.access(path, os.X_OK):
                yield path


def _is_ours(path: Path) -> bool:
    """Whether a program is another installation of this one: it would only come back."""
    try:
        with path.open("rb") as stream:
            return b"digit_tui.cli" in stream.read(_LAUNCHER)
    except OSError:
        return False
