"""Safe reading: whatever lies at a path, the answer is a value, in bounded time and memory.

A memory file may be missing, a link to nowhere, a pipe, a folder, a gigabyte, or somebody else's. None of
that is an exception here: `read_file` answers with a `FileImage` that either has the bytes or says in plain
words why not. `writable_problem` answers beforehand, without writing, whether a save could succeed and what
stands in its way.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Literal, NamedTuple

Kind = Literal["file", "missing", "unreadable", "not a file", "dangling link", "link loop", "too big"]

MAX_BYTES = 64 * 1024 * 1024
"""Bytes that are read at most; a memory file has some hundred thousand."""

_OPEN_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_STEADY_READS = 3


class FileImage(NamedTuple):
    """What lay at a path at one moment."""

    path: Path
    data: bytes | None
    """The whole content; None when it could not be had."""
    problem: str | None
    """Why not, in plain words with the way out; None for a file that was read or is not there."""
    kind: Kind
    mode: int | None
    """Permission bits of the real file, as in 0o644."""
    uid: int | None
    gid: int | None
    mtime: float | None
    """Seconds since the epoch."""
    target: Path
    """The real path: where a chain of links ends."""


def read_file(path: Path, max_bytes: int = MAX_BYTES) -> FileImage:
    """Read `path` whole. Never raises OSError, never waits on a pipe or a device, follows links."""
    info: os.stat_result | None = None
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):  # asked before opening: to open a device may already do something
            return _image(path, info, "not a file", _not_a_file(path, info.st_mode))
        return _read_open(path, max_bytes)
    except OSError as error:
        kind, problem = _explain(path, error)
        return _image(path, info, kind, problem)


def _read_open(path: Path, max_bytes: int) -> FileImage:
    descriptor = os.open(path, _OPEN_FLAGS)
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            return _image(path, info, "not a file", _not_a_file(path, info.st_mode))
        data = _read_steady(descriptor, max_bytes)
        info = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        problem = f"{path} has {info.st_size:,} bytes; {max_bytes:,} are read at most. Shorten or move it."
        return _image(path, info, "too big", problem)
    return _image(path, info, "file", None, data)


def _read_steady(descriptor: int, max_bytes: int) -> bytes:
    """Read again when the file changed under the read: someone wrote in place instead of replacing."""
    data = b""
    for _ in range(_STEADY_READS):
        before = os.fstat(descriptor)
        os.lseek(descriptor, 0, os.SEEK_SET)
        data = read_up_to(descriptor, max_bytes + 1)
        after = os.fstat(descriptor)
        if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
            break
    return data


def read_up_to(descriptor: int, count: int) -> bytes:
    """The next `count` bytes of an open file, fewer at its end."""
    parts: list[bytes] = []
    while count > 0 and (part := os.read(descriptor, min(count, 1024 * 1024))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _image(
    path: Path, info: os.stat_result | None, kind: Kind, problem: str | None, data: bytes | None = None
) -> FileImage:
    target = Path(os.path.realpath(path))
    if info is None:
        return FileImage(path, data, problem, kind, None, None, None, None, target)
    mode = stat.S_IMODE(info.st_mode)
    return FileImage(path, data, problem, kind, mode, info.st_uid, info.st_gid, info.st_mtime, target)


def _explain(path: Path, error: OSError) -> tuple[Kind, str | None]:
    if error.errno == errno.ENOENT:
        if is_link(path):
            return "dangling link", dangling(path)
        return "missing", None
    if error.errno == errno.ELOOP:
        return "link loop", link_loop(path)
    if error.errno in (errno.EACCES, errno.EPERM):
        return "unreadable", _closed_to_us(path)
    if error.errno == errno.ENOTDIR:
        return "unreadable", f"{path} cannot be read: something on the way to it is a file, not a folder."
    return "unreadable", f"{path} cannot be read: {error.strerror or error}."


def is_link(path: Path) -> bool:
    """Whether a link lies there. Unlike `Path.is_symlink`, a folder that may not be entered is no error."""
    try:
        return path.is_symlink()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder lies there, or a link to one. Never raises OSError."""
    try:
        return path.is_dir()
    except OSError:
        return False


def subfolders(folder: Path) -> tuple[Path, ...]:
    """The folders in a folder, links not followed; none where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return tuple(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return ()


def dangling(path: Path) -> str:
    """Words for a link whose target is not there."""
    return (
        f"{path} is a link to {os.path.realpath(path)}, which is not there. Bring it back or remove the link."
    )


def link_loop(path: Path) -> str:
    """Words for links that lead to each other."""
    return f"{path} is a link that leads back to itself. Remove the link and put the file in its place."


def _not_a_file(path: Path, mode: int) -> str:
    if stat.S_ISDIR(mode):
        what = "a folder"
    elif stat.S_ISFIFO(mode):
        what = "a pipe"
    elif stat.S_ISSOCK(mode):
        what = "a socket"
    else:
        what = "a device"
    return f"{path} is {what}, not a file. Move it away; the file is then made anew."


def owner(info: os.stat_result) -> str:
    """Name of the owner of a file, or its number where there is no name."""
    try:
        import pwd  # not on Windows

        return pwd.getpwuid(info.st_uid).pw_name
    except (ImportError, KeyError):
        return f"uid {info.st_uid}"


def mode_and_owner(path: Path) -> str:
    """Words such as `mode 0444, owner alice` for the file or folder at `path` (links followed)."""
    try:
        info = path.stat()
    except OSError as error:
        return error.strerror or str(error)
    return f"mode {stat.S_IMODE(info.st_mode):04o}, owner {owner(info)}"


def _closed_to_us(path: Path) -> str:
    """Name the first folder that may not be entered, or the file itself, with the way out."""
    for folder in _ancestors(Path(os.path.realpath(path))):
        if is_folder(folder) and not os.access(folder, os.X_OK):
            return _closed_folder(folder)
    return f"{path} may not be read ({mode_and_owner(path)}). Its owner can allow it: chmod u+r."


def _closed_folder(folder: Path) -> str:
    return f"{folder} may not be entered ({mode_and_owner(folder)}). Its owner can allow it: chmod u+x."


def _ancestors(path: Path) -> tuple[Path, ...]:
    """Folders on the way to `path`, outermost first, without `path` itself."""
    return tuple(reversed(path.absolute().parents))


def writable_problem(path: Path) -> str | None:
    """Why a save to `path` (a file or folder, there or not) would fail; None when nothing is in the way.

    Nothing is written. The first path that fails is named, with its mode, its owner and what to do. A file
    without any write bit counts as one that its owner made read-only, even for root, whom no mode stops.
    """
    try:
        real = Path(os.path.realpath(path, strict=is_link(path)))
    except OSError as error:
        return _explain(path, error)[1]
    for folder in _ancestors(real):
        if not os.path.lexists(folder):
            break
        if not is_folder(folder):
            return f"{folder} is a file where a folder is needed. Move it away."
        if not os.access(folder, os.X_OK):
            return _closed_folder(folder)
    return _folder_problem(_nearest_folder(real)) or _file_problem(real)


def _nearest_folder(real: Path) -> Path:
    """Where something has to be made: `real` itself if it is a folder, or the nearest one above it."""
    while not is_folder(real) and real != real.parent:
        real = real.parent
    return real


def _folder_problem(folder: Path) -> str | None:
    if os.access(folder, os.W_OK | os.X_OK):
        return None
    if _mounted_read_only(folder):
        return f"{folder} is on a file system that is mounted read-only. Mount it for writing."
    return f"{folder} may not be written ({mode_and_owner(folder)}). Its owner can allow it: chmod u+w."


def _file_problem(real: Path) -> str | None:
    try:
        info = real.stat()
    except OSError:
        return None  # not there yet: only its folder counts
    if stat.S_ISDIR(info.st_mode):
        return None
    if not stat.S_ISREG(info.st_mode):
        return _not_a_file(real, info.st_mode)
    if info.st_mode & 0o222 and os.access(real, os.W_OK):
        return None
    if _mounted_read_only(real):
        return f"{real} is on a file system that is mounted read-only. Mount it for writing."
    return f"{real} is read-only ({mode_and_owner(real)}). Its owner can allow it: chmod u+w."


def _mounted_read_only(path: Path) -> bool:
    if not hasattr(os, "statvfs"):  # Windows
        return False
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False
