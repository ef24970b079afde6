"""Faults 34–38 at the level of the lock."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from digit_core.disk.locking import lock, lock_path
from digit_core.errors import LockTimeout, LockUnsupported

CORE = Path(__file__).resolve().parents[2] / "core"

WINDOWS = """
import errno, fcntl as real, os, sys, types
def locking(descriptor, mode, count):
    # Windows: one byte from where the file stands, and EDEADLK for a byte that is not there.
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0 and count == 1
    if os.fstat(descriptor).st_size == 0:
        raise OSError(errno.EDEADLK, "Resource deadlock avoided")
    real.lockf(descriptor, real.LOCK_UN if mode == 0 else real.LOCK_EX | real.LOCK_NB, 1, 0)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_UNLCK=0, LK_NBLCK=2)
sys.modules["fcntl"] = None
"""
ADD = """
import sys
from pathlib import Path
from digit_core.disk.locking import lock
from digit_core.disk.writing import write_atomically
from digit_core.errors import WriteFailed
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def add(entry):
    while True:
        try:
            with lock(path, timeout=60) as held:
                before = path.read_bytes() if path.exists() else b""
                write_atomically(path, before + entry, held=held)
                return
        except WriteFailed as error:
            if error.step != "lock":
                raise
for number in range(count):
    add(b"%s %d\\n" % (name.encode(), number))
"""


def python(source: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-S", "-W", "error", "-c", source, *map(str, arguments)]
    return subprocess.Popen(
        command, env={"PYTHONPATH": str(CORE)}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out


def expected(*names: str, count: int) -> list[str]:
    return sorted(f"{name} {number}" for name in names for number in range(count))


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "MEMORY.md"


def test_f034_without_fcntl_everything_imports_and_says_that_it_cannot_lock(memory: Path) -> None:
    out = finish(
        python(
            "import sys; sys.modules['fcntl'] = None\n"
            "from pathlib import Path\n"
            "from digit_core.disk import backups, locking, ownfolder, reading, watching, writing\n"
            "from digit_core.errors import LockUnsupported\n"
            "try:\n    locking.lock(Path(sys.argv[1])).__enter__()\n"
            "except LockUnsupported as error: print(error)\n",
            memory,
        )
    )
    assert f"{memory}.lock cannot be locked: this system has no file locks." in out
    assert "nothing is written" in out


def test_f034_windows_locks_between_processes_with_its_own_call(memory: Path) -> None:
    processes = [python(WINDOWS + ADD, memory, name, 30) for name in ("a", "b")]
    for process in processes:
        finish(process)
    assert sorted(memory.read_text().splitlines()) == expected("a", "b", count=30)


def test_f035_the_first_byte_exists_before_it_is_locked(memory: Path) -> None:
    lock_path(memory).touch()  # as the agent leaves it: empty
    finish(python(WINDOWS + ADD, memory, "a", 1))
    assert lock_path(memory).read_bytes() == b" "
    lock_path(memory).unlink()
    finish(python(WINDOWS + ADD, memory, "b", 1))
    assert memory.read_text() == "a 0\nb 0\n"


@pytest.mark.parametrize("count", [30, pytest.param(200, marks=pytest.mark.torture)])
def test_f036_the_lock_file_is_deleted_all_the_time(memory: Path, count: int) -> None:
    deleting = subprocess.Popen(
        ["/bin/sh", "-c", f"while :; do rm -f '{lock_path(memory)}'; done"], stdout=subprocess.DEVNULL
    )
    try:
        for process in [python(ADD, memory, name, count) for name in ("a", "b")]:
            finish(process)
    finally:
        deleting.kill()
        deleting.wait()
    assert sorted(memory.read_text().splitlines()) == expected("a", "b", count=count)


def test_f036_who_locked_a_deleted_file_tries_again(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    real = fcntl.flock
    deleted: list[int] = []

    def flock(descriptor: int, operation: int) -> None:
        if not deleted:
            deleted.append(os.fstat(descriptor).st_ino)
            lock_path(memory).unlink()
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    with lock(memory) as held:
        assert held.still_held()
        assert lock_path(memory).exists()
    assert len(deleted) == 1


HOLD = "import fcntl, sys, time; fcntl.flock(open(sys.argv[1], 'a'), fcntl.LOCK_EX); time.sleep(120)"


def test_f037_who_holds_the_lock_is_named_and_we_give_up_in_time(memory: Path) -> None:
    lock_file = lock_path(memory)
    lock_file.touch()
    command = [sys.executable, "-c", HOLD, str(lock_file)]
    if tool := shutil.which("flock"):
        command = [tool, str(lock_file), "sleep", "120"]
    waited: list[str | None] = []
    holding = subprocess.Popen(command, start_new_session=True)
    try:
        while _is_free(lock_file):
            assert holding.poll() is None
        with pytest.raises(LockTimeout) as caught, lock(memory, timeout=0.3, on_wait=waited.append):
            pass
    finally:
        os.killpg(holding.pid, 9)
        holding.wait()
    assert len(waited) == 1
    assert caught.value.seconds == 0.3
    if Path("/proc/locks").exists():
        assert f"(pid {holding.pid})" in (waited[0] or "")
        assert f"It is held by {waited[0]}." in str(caught.value)
    assert "Nothing was written" in str(caught.value)
    with lock(memory, timeout=5):
        pass


def _is_free(path: Path) -> bool:
    import fcntl

    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.parametrize("code", [errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP])
def test_f038_a_file_system_without_locks_is_never_written_unlocked(
    memory: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    import fcntl

    def flock(descriptor: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", flock)
    entered = False
    with pytest.raises(LockUnsupported, match="Use a home on a local disk") as caught, lock(memory):
        entered = True
    assert not entered
    assert os.strerror(code) in str(caught.value)
    assert caught.value.path == lock_path(memory)
