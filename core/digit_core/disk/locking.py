"""The lock that we share with the agent: `<file>.lock` beside each memory file (facts 1.8).

POSIX: an exclusive `flock`; Windows: `msvcrt.locking` on the first byte. The lock file is made 0600, never
deleted, never followed when it is a link. Where a system cannot lock, nothing is written:
`LockUnsupported`.

Somebody may delete a lock file that is held. Whoever comes next then locks a new file of the same name, and
two believe they are alone. Therefore a `FileLock` can be asked to guard the moment of writing, see
`FileLock.committing`.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from digit_core.disk.reading import is_folder, is_link, mode_and_owner
from digit_core.errors import FileError, LockTimeout, LockUnsupported, WriteFailed

fcntl: Any
msvcrt: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
try:
    import msvcrt
except ImportError:  # everywhere else
    msvcrt = None

WHOLE_FILE_LOCKS = fcntl is not None
"""Whether a lock covers a file without touching its bytes; on Windows it covers its first byte."""

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
_FOLDER_ATTEMPTS = 500
"""We hold a folder for one rename; who holds it for a second is a stranger, for whom nobody waits."""
_TELL_AFTER = 0.1
_TELL_EVERY = 1.0
_UNSUPPORTED = frozenset(
    {errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
)
_BUSY = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})
_FLAGS = (
    getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a pipe of that name must not hang the open
    | getattr(os, "O_NOINHERIT", 0)
)


def lock_path(path: Path) -> Path:
    """The lock file of a memory file: `MEMORY.md` → `MEMORY.md.lock`."""
    return path.with_name(path.name + ".lock")


def lock(path: Path, timeout: float = 10.0, on_wait: Callable[[str | None], None] | None = None) -> FileLock:
    """The lock of the file `path`, to be used in a `with`.

    Entering waits up to `timeout` seconds. `on_wait` is told after a tenth of a second, and then every
    second, who holds the lock as far as that can be seen.

    Entering raises LockTimeout, LockUnsupported, and FileError when the lock file cannot be opened.
    """
    return FileLock(path, timeout, on_wait)


class FileLock:
    """An exclusive lock between processes and between threads. Not re-entrant."""

    __slots__ = ("_descriptor", "_on_wait", "_path", "_timeout")

    def __init__(self, path: Path, timeout: float, on_wait: Callable[[str | None], None] | None) -> None:
        self._path = lock_path(path)
        self._timeout = timeout
        self._on_wait = on_wait
        self._descriptor = -1

    def __enter__(self) -> FileLock:
        started = told = time.monotonic()
        told += _TELL_AFTER - _TELL_EVERY
        pause = _FIRST_PAUSE
        while not self._attempt():
            now = time.monotonic()
            if now - started >= self._timeout:
                raise LockTimeout(self._path, self._timeout, holder(self._path))
            if self._on_wait is not None and now - told >= _TELL_EVERY:
                told = now
                self._on_wait(holder(self._path))
            time.sleep(min(pause, max(0.0, started + self._timeout - now)))
            pause = min(pause * 1.5, _LONGEST_PAUSE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        try:
            _let_go(descriptor)  # said aloud: a forked child may still have the descriptor
        finally:
            os.close(descriptor)

    def _attempt(self) -> bool:
        descriptor = _open(self._path)
        try:
            if try_hold(descriptor, self._path) and _is_at(descriptor, self._path):
                self._descriptor, descriptor = descriptor, -1
                _barrier(self._path.parent)
                return True
            return False
        finally:
            if descriptor >= 0:
                os.close(descriptor)

    def still_held(self) -> bool:
        """Whether the file that was locked still is the one that others find at the path."""
        return self._descriptor >= 0 and _is_at(self._descriptor, self._path)

    def committing(self) -> _Commit:
        """A short `with` around the one call that makes a write visible; WriteFailed when the lock was lost.

        For its length the folder itself is locked, and everybody who enters a lock here waits for that once
        before reading. So either the newcomer sees what was written, or the writer sees that its lock file
        was replaced.
        """
        return _Commit(self)


class _Commit:
    __slots__ = ("_folder", "_lock")

    def __init__(self, held: FileLock) -> None:
        self._lock = held
        self._folder = -1

    def __enter__(self) -> None:
        path = self._lock._path  # noqa: SLF001 - one class in two parts
        self._folder = _hold_folder(path.parent)
        if not self._lock.still_held():
            self._end()
            message = (
                f"{path} was deleted while it was held, so somebody else may be writing. "
                "Nothing was written; try again."
            )
            raise WriteFailed(path, "lock", message)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1


def _hold_folder(folder: Path) -> int:
    """Lock a folder for a moment; -1 where that cannot be, as on Windows: the file's own lock remains."""
    if fcntl is None:
        return -1
    try:
        descriptor = os.open(folder, os.O_RDONLY | _FLAGS & ~getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return -1
    for _ in range(_FOLDER_ATTEMPTS):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_FIRST_PAUSE)
        except OSError:
            break
        else:
            return descriptor
    os.close(descriptor)
    return -1


def _barrier(folder: Path) -> None:
    """Wait until nobody is in the middle of `committing` in this folder."""
    descriptor = _hold_folder(folder)
    if descriptor >= 0:
        os.close(descriptor)


def _open(path: Path) -> int:
    try:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
        except PermissionError:
            # Made by another member of the group: to read is enough to lock.
            descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError as error:
        raise FileError(path, _why_not_opened(path, error), error) from error
    # A pipe or a device can be opened as well.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileError(path, f"{path} is not a file, so it cannot be locked. Move it away.")
    return descriptor


def _why_not_opened(path: Path, error: OSError) -> str:
    if is_link(path):
        return f"{path} is a link; a lock file is never followed. Remove the link."
    if is_folder(path):
        return f"{path} is a folder, so it cannot be locked. Move it away."
    if not os.path.lexists(path.parent):
        return f"{path} cannot be locked: its folder is not there."
    refusing = path if os.path.lexists(path) else path.parent
    if isinstance(error, (PermissionError, FileNotFoundError)):
        allow = "Its owner can allow it: chmod u+w."
        return f"{path} cannot be locked: {refusing} may not be written ({mode_and_owner(refusing)}). {allow}"
    return f"{path} cannot be opened for locking: {error.strerror or error}."


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except OSError:
        return False


def try_hold(descriptor: int, path: Path) -> bool:
    """Take the lock of an open file if it is free. Raises LockUnsupported when the system cannot lock it."""
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            _hold_first_byte(descriptor)
        else:
            raise OSError(errno.ENOSYS, "this system has no file locks")
    except OSError as error:
        if error.errno in _BUSY:
            return False
        if error.errno in _UNSUPPORTED:
            message = (
                f"{path} cannot be locked: {error.strerror or error}. Without a lock a save could destroy "
                "what the agent writes at the same time, so nothing is written. Use a home on a local disk."
            )
            raise LockUnsupported(path, message, error) from error
        raise FileError(path, f"{path} cannot be locked: {error.strerror or error}.", error) from error
    return True


def _hold_first_byte(descriptor: int) -> None:
    """Windows. The byte must exist: to lock the first byte of an empty file answers EDEADLK."""
    if os.fstat(descriptor).st_size == 0:
        os.write(descriptor, b" ")
    os.lseek(descriptor, 0, os.SEEK_SET)
    msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)


def _let_go(descriptor: int) -> None:
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    elif msvcrt is not None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)


def holder(path: Path) -> str | None:
    """Who holds the lock file `path`, as in `flock (pid 4711)`; None where that cannot be seen."""
    try:
        inode = path.stat().st_ino
        with open("/proc/locks", encoding="ascii", errors="replace") as table:  # noqa: PTH123 - no path of ours
            lines = [line.split() for line in table]
    except OSError:
        return None
    for fields in lines:
        # `7: FLOCK ADVISORY WRITE 4711 fe:00:2146390 0 EOF`; the device is not compared, since some file
        # systems (btrfs, overlay) show another one here than in stat. Waiting processes have `->` in the
        # second field.
        if len(fields) >= 6 and fields[1] == "FLOCK" and fields[5].rpartition(":")[2] == str(inode):
            return _process(fields[4])
    return None


def _process(pid: str) -> str | None:
    if not pid.isdecimal() or pid == "0":  # of another container
        return None
    try:
        name = Path("/proc", pid, "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        name = ""
    name = "".join(sign if sign.isprintable() else "?" for sign in name)
    return f"{name or 'a process'} (pid {pid})"
