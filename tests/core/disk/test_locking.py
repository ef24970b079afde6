"""The lock: one at a time, between threads as between processes, and honest words when it cannot be had."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from digit_core.disk.locking import lock, lock_path
from digit_core.errors import FileError, LockTimeout

AsNobody = Callable[[str, Path], "CompletedProcess[str]"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "MEMORY.md"


def test_the_lock_file_is_private_empty_and_stays(path: Path) -> None:
    with lock(path) as held:
        assert held.still_held()
    assert not held.still_held()
    info = lock_path(path).stat()
    assert (stat.S_IMODE(info.st_mode), info.st_size) == (0o600, 0)
    assert lock_path(path).name == "MEMORY.md.lock"
    assert not path.exists()


def test_a_second_taker_in_the_same_process_waits(path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        with lock(path, on_wait=lambda holder: waiting.set()):
            order.append("second")

    with lock(path):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(5)
        order.append("first")
    thread.join(5)
    assert order == ["first", "second"]


def test_two_documents_may_be_locked_at_once(tmp_path: Path) -> None:
    with lock(tmp_path / "MEMORY.md") as memory, lock(tmp_path / "USER.md") as user:
        with memory.committing():
            assert user.still_held()
        with user.committing():
            assert memory.still_held()


def test_the_lock_is_free_after_an_error(path: Path) -> None:
    with pytest.raises(ZeroDivisionError), lock(path):
        raise ZeroDivisionError
    with lock(path, timeout=0):
        pass


def test_no_descriptor_is_left_after_a_time_out(path: Path) -> None:
    with lock(path):
        before = len(os.listdir("/dev/fd"))  # noqa: PTH208 - the listing itself costs one
        with pytest.raises(LockTimeout):
            lock(path, timeout=0).__enter__()
        assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


@pytest.mark.parametrize("make", ["link", "folder", "pipe"])
def test_what_is_no_file_is_not_locked(path: Path, make: str) -> None:
    place = lock_path(path)
    if make == "link":
        place.symlink_to("elsewhere")
    elif make == "folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    with pytest.raises(FileError, match=r"MEMORY\.md\.lock is (a link|a folder|not a file)"), lock(path):
        pass
    assert not (path.parent / "elsewhere").exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="its folder is not there"), lock(tmp_path / "none" / "MEMORY.md"):
        pass


def test_a_closed_folder_is_named_and_a_group_members_lock_file_serves(
    tmp_path: Path, as_nobody: AsNobody
) -> None:
    done = as_nobody(
        "from pathlib import Path\n"
        "from digit_core.disk.locking import lock\n"
        "from digit_core.errors import FileError\n"
        "Path('closed').mkdir(); Path('closed').chmod(0o555)\n"
        "try:\n    lock(Path('closed/MEMORY.md')).__enter__()\n"
        "except FileError as error: print(type(error).__name__, error)\n"
        "Path('closed').chmod(0o755); Path('closed/MEMORY.md.lock').touch()\n"
        "Path('closed/MEMORY.md.lock').chmod(0o444)\n"
        "with lock(Path('closed/MEMORY.md')) as held: print(held.still_held())\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    refused, served = done.stdout.splitlines()
    assert refused.startswith(
        "FileError closed/MEMORY.md.lock cannot be locked: closed may not be written (mode 0555"
    )
    assert served == "True"


def test_a_stranger_who_locks_the_folder_is_not_waited_for_long(path: Path) -> None:
    import fcntl

    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with lock(path) as held:
            assert held.still_held()
    finally:
        os.close(descriptor)
