"""Our own folder in a home: history, backups, first-seen times. Losing it loses no memory.

It is 0700, keeps itself out of the person's version control, and carries the version of its own layout. A
newer layout than we know is read and never written.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from digit_core.disk.reading import is_folder, is_link, read_file, writable_problem
from digit_core.disk.writing import make_folder, write_atomically
from digit_core.errors import WriteFailed

VERSION = 1
"""Of the layout that this program writes."""


class OwnFolder:
    """The folder `inside` of a home (a Profile: `.runtime/digit-tui`). Looking at it writes nothing."""

    __slots__ = ("_home", "path", "problem", "read_only")

    path: Path
    read_only: bool
    """It must not be written now."""
    problem: str | None
    """Why not, with the way out."""

    def __init__(self, home: Path, inside: str = "digit-tui") -> None:
        self._home = home
        self.path = home / inside
        self._note(self._look())

    def ensure(self) -> bool:
        """Make the folder if it is missing. False, with `problem` set, when it cannot be used for writing."""
        if self.read_only or not is_folder(self._home):
            self._note(self._look())  # the person may have put it right
        if not self.read_only:
            try:
                self._make()
            except (WriteFailed, OSError) as error:
                self._note(str(error))
        return not self.read_only

    def _make(self) -> None:
        make_folder(self.path)
        if os.name == "posix" and stat.S_IMODE(self.path.stat().st_mode) & 0o077:
            self.path.chmod(0o700)
        for name, content in ((".gitignore", b"*\n"), ("version", b"%d\n" % VERSION)):
            if not (self.path / name).exists():
                write_atomically(self.path / name, content)

    def _note(self, problem: str | None) -> None:
        self.problem = problem
        self.read_only = problem is not None

    def _look(self) -> str | None:
        if not is_folder(self._home):
            return f"{self._home} is not there any more; nothing is made in its place."
        if is_link(self.path):
            return f"{self.path} is a link; history and backups are not kept through one. Remove the link."
        if not os.path.lexists(self.path):
            return writable_problem(self.path)
        if not is_folder(self.path):
            return f"{self.path} is not a folder. Move it away; history and backups are kept there."
        return self._version_problem() or writable_problem(self.path)

    def _version_problem(self) -> str | None:
        image = read_file(self.path / "version", max_bytes=100)
        if image.kind == "missing":
            return None
        words = (image.data or b"").decode("ascii", "replace").strip()
        if not words.isdecimal():
            return f"{image.path} cannot be understood. Remove it if no other program made {self.path}."
        if int(words) > VERSION:
            return f"{self.path} was made by a newer version of us (layout {words}): it is only read."
        return None
