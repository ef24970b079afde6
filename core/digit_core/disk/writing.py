"""The one way in which bytes get to disk.

`write_atomically`: a temporary file in the folder of the real target, flushed to the disk, put in place
with one rename, and the folder flushed. A reader, and a crash at any moment, finds the old content or the
new, never a part. Links stay links; mode, group and owner stay (facts 1.8 and 13).

Beside `appending`, for our own journal, nothing else in this program opens a file for writing.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from digit_core.disk.locking import WHOLE_FILE_LOCKS, FileLock, try_hold
from digit_core.disk.reading import dangling, is_folder, is_link, read_up_to, writable_problem
from digit_core.errors import LockUnsupported, WriteFailed

_PREFIX = ".digit-tui-"
_SUFFIX = ".tmp"
_NEW_FLAGS = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_BINARY", 0)
)
_POSIX = os.name == "posix"
_YOUNG = 60.0
"""Seconds for which a temporary file of a living process is left alone even when nobody has it locked."""


def write_atomically(
    path: Path,
    data: bytes,
    *,
    new_mode: int = 0o600,
    held: FileLock | None = None,
    backed_up: bool = False,
) -> None:
    """Make `data` the whole content of `path`. A new file gets `new_mode`; others keep mode, owner, group.

    `held` is the lock under which the new content was made; the write is refused when it was lost
    meanwhile. `backed_up` says that the prior bytes are safe elsewhere. Only then may a file that cannot be
    renamed over (one that is itself a mount point) be overwritten in place, where a crash could leave a
    part.

    Raises WriteFailed with `step` = "find", "check", "create", "write", "lock", "replace" or "overwrite".
    Unless the message says otherwise the old content is untouched. No temporary file is left.
    """
    target, before = _find(path)
    temporary = target.with_name(f"{_PREFIX}{os.getpid()}-{os.urandom(6).hex()}{_SUFFIX}")
    descriptor = _create(path, temporary)
    try:
        try:
            _dress(descriptor, target, before, new_mode)
            _fill(path, descriptor, data)
            if not _POSIX:  # an open file cannot be renamed there
                os.close(descriptor)
                descriptor = -1
            _put_in_place(path, temporary, target, held, data if backed_up else None)
        finally:
            if descriptor >= 0:
                os.close(descriptor)
    except BaseException:
        _remove(temporary)
        raise
    flush_folder(target.parent)


def _find(path: Path) -> tuple[Path, os.stat_result | None]:
    """The real file to replace and what it is now; None when it is new. Refuses what must not be replaced."""
    target = path
    if is_link(path):
        try:
            target = Path(os.path.realpath(path, strict=True))
        except OSError as error:
            if error.errno == errno.ENOENT:
                raise WriteFailed(path, "find", dangling(path), error) from error
            raise _failed(path, "find", error) from error
    problem = writable_problem(target)
    if problem is not None:
        raise WriteFailed(path, "check", problem)
    try:
        return target, target.stat()
    except FileNotFoundError:
        return target, None
    except OSError as error:
        raise _failed(path, "find", error) from error


def _create(path: Path, temporary: Path) -> int:
    try:
        descriptor = os.open(temporary, _NEW_FLAGS, 0o600)
    except OSError as error:
        raise _failed(path, "create", error) from error
    try:
        if WHOLE_FILE_LOCKS:
            try_hold(descriptor, temporary)  # tells `sweep_leftovers` that somebody is at work
    except LockUnsupported:
        pass  # then the sweeper goes by the process number
    except BaseException:
        os.close(descriptor)
        _remove(temporary)
        raise
    return descriptor


def _fill(path: Path, descriptor: int, data: bytes) -> None:
    try:
        _write_all(descriptor, data)
        os.fsync(descriptor)
    except OSError as error:
        raise _failed(path, "write", error) from error


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _dress(descriptor: int, target: Path, before: os.stat_result | None, new_mode: int) -> None:
    """Give the new file the mode, group and owner of the old one, as far as this process may."""
    if not hasattr(os, "fchmod"):  # Windows: rights come with the folder
        return
    mode = new_mode if before is None else stat.S_IMODE(before.st_mode)
    if before is not None:
        mode = _give_away(descriptor, before, mode)
        _copy_attributes(descriptor, target)
    try:
        os.fchmod(descriptor, mode)
    except OSError:
        return  # a file system without modes, on which none is lost


def _give_away(descriptor: int, before: os.stat_result, mode: int) -> int:
    """Give the file to the old owner and group. Answers with the mode that it may then have."""
    try:
        os.fchown(descriptor, before.st_uid, before.st_gid)
    except OSError:
        try:
            os.fchown(descriptor, -1, before.st_gid)
        except OSError:
            # The file falls to another group, which must not get more than strangers had.
            return mode & ~0o070 | (mode & 0o007) << 3
    return mode


def _copy_attributes(descriptor: int, target: Path) -> None:
    """Extended attributes: access lists are there, and without them members of a team would lose the file."""
    if not hasattr(os, "listxattr"):  # Linux only
        return
    try:
        for name in os.listxattr(target):
            os.setxattr(descriptor, name, os.getxattr(target, name))
    except OSError:
        return  # not every attribute may be set by everyone, and not every file system has them


def _put_in_place(
    path: Path, temporary: Path, target: Path, held: FileLock | None, overwrite_with: bytes | None
) -> None:
    if held is not None:
        with held.committing():
            return _put_in_place(path, temporary, target, None, overwrite_with)
    try:
        temporary.replace(target)
    except OSError as error:
        if error.errno not in (errno.EXDEV, errno.EBUSY):
            raise _failed(path, "replace", error) from error
        if overwrite_with is None:
            words = (
                f"{target} cannot be replaced in one step, as it is a mount point of its own, and its "
                "content is not backed up. Mount its folder instead of the file."
            )
            raise WriteFailed(path, "replace", words, error) from error
        _overwrite(path, target, overwrite_with)
        _remove(temporary)
    return None


def _overwrite(path: Path, target: Path, data: bytes) -> None:
    """Write over a file that cannot be renamed over (facts 1.8). On failure the old bytes go back."""
    try:
        descriptor = os.open(target, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise _failed(path, "overwrite", error) from error
    try:
        old = read_up_to(descriptor, os.fstat(descriptor).st_size)
        try:
            _rewrite(descriptor, data)
        except OSError as error:
            try:
                _rewrite(descriptor, old)
            except OSError:
                words = (
                    f"{target} was written only in part: {error.strerror}. The backup holds what was there."
                )
                raise WriteFailed(path, "overwrite", words, error) from error
            raise _failed(path, "overwrite", error) from error
    finally:
        os.close(descriptor)


def _rewrite(descriptor: int, data: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    _write_all(descriptor, data)
    os.ftruncate(descriptor, len(data))
    os.fsync(descriptor)


def make_folder(path: Path, mode: int = 0o700) -> None:
    """Make a folder, and those above it that are missing, each with `mode`. Raises WriteFailed."""
    if is_folder(path):
        return
    if is_link(path):
        raise WriteFailed(path, "create", dangling(path))
    try:
        if not is_folder(path.parent):
            make_folder(path.parent, mode)
        path.mkdir(mode, exist_ok=True)
    except OSError as error:
        raise _failed(path, "create", error) from error
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Make a rename durable. Where a folder cannot be flushed the rename has happened all the same."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        return  # gone already, or not ours to remove any more; `sweep_leftovers` comes by


def _failed(path: Path, step: str, error: OSError) -> WriteFailed:
    """The error with words that a person can act upon."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        words = f"{path} was not saved: the disk is full. Make room and save again."
    elif error.errno == errno.ENOENT:
        words = f"{path} was not saved: its folder {path.parent} is not there."
    else:
        words = writable_problem(path) or f"{path} was not saved: {error.strerror or error}."
    return WriteFailed(path, step, words, error)


def sweep_leftovers(folder: Path) -> tuple[Path, ...]:
    """Remove temporary files that a killed process of ours left in `folder`; answers with those removed.

    A file that somebody still has locked is in use. One that is not locked is removed when the process that
    made it is gone, or when it is older than a minute (its number may have gone to another process).
    """
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.startswith(_PREFIX))
    except OSError:
        return ()
    return tuple(path for path in (folder / name for name in names if name.endswith(_SUFFIX)) if _sweep(path))


def _sweep(path: Path) -> bool:
    pid, _, random_part = path.name[len(_PREFIX) : -len(_SUFFIX)].partition("-")
    if not (pid.isdecimal() and random_part):
        return False
    try:
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode) or _in_use(path, int(pid), info):
            return False
        path.unlink()
    except OSError:
        return False
    return True


def _in_use(path: Path, pid: int, info: os.stat_result) -> bool:
    import time  # built in, costs nothing; only a sweep needs it

    if _alive(pid) and time.time() - info.st_mtime < _YOUNG:
        return True
    if not WHOLE_FILE_LOCKS:
        return False
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        return not try_hold(descriptor, path)
    except LockUnsupported:
        return False
    finally:
        os.close(descriptor)


def _alive(pid: int) -> bool:
    if not _POSIX:  # os.kill would end the process there
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
