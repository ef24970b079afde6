"""Hands a command that is not ours to the next program of our name on PATH: the agent's own `digit`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_PASSED = "DIGIT_TUI_PASSED"
"""Names, for whoever is run, the programs that have passed the command on already."""
_LAUNCHER = 1 << 20
"""Bytes: more than any launcher that pip makes, with the script at its end."""


def pass_on(program: str, words: Sequence[str]) -> int | None:
    """Run the next program of this name with the same words; its exit code. None when there is none.

    Where the system can replace a process, this one becomes the other program and nothing comes back. Raises
    OSError when the other cannot be run.
    """
    own = str(Path(sys.argv[0]).resolve())
    passed = {own, *os.environ.get(_PASSED, "").split(os.pathsep)} - {""}
    other = next((path for path in _on_path(program) if not _is_passed(path, passed)), None)
    if other is None:
        return None
    os.environ[_PASSED] = os.pathsep.join(sorted(passed))
    if os.name != "nt":
        os.execv(other, [str(other), *words])
    import subprocess  # for Windows, where execv starts a second process and does not wait for it

    return subprocess.call([str(other), *words])


def _on_path(program: str) -> Iterator[Path]:
    """Every program of this name, in the order of PATH. A relative folder on PATH is left out: it runs anything."""
    endings = os.environ.get("PATHEXT", ".EXE;.BAT;.CMD").split(";") if os.name == "nt" else [""]
    for folder in map(Path, os.get_exec_path()):
        for path in (folder / f"{program}{ending}" for ending in endings):
            if folder.is_absolute() and path.is_file() and os.access(path, os.X_OK):
                yield path


def _is_passed(path: Path, passed: set[str]) -> bool:
    """Whether a program has had its turn, or is another installation of this one: that would only come back."""
    if str(path.resolve()) in passed:
        return True
    try:
        with path.open("rb") as stream:
            return b"digit_tui.cli" in stream.read(_LAUNCHER)
    except OSError:
        return False
