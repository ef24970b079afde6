"""Faults 21–24 and 33 where they happen: at the one writer and the backups."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from digit_core.disk.backups import NEWEST, Backups
from digit_core.disk.reading import read_file, writable_problem
from digit_core.disk.writing import sweep_leftovers, write_atomically
from digit_core.errors import WriteFailed

AsNobody = Callable[[str, Path], "CompletedProcess[str]"]
CORE = Path(__file__).resolve().parents[2] / "core"


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / ".digit" / "memories"
    folder.mkdir(parents=True)
    path = folder / "MEMORY.md"
    path.write_bytes(b"old")
    return path


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_f021_a_link_stays_a_link_and_its_target_is_replaced(memory: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    memory.rename(notes / "M.md")
    memory.symlink_to(notes / "M.md")
    inode = (notes / "M.md").stat().st_ino
    write_atomically(memory, b"new")
    assert memory.readlink() == notes / "M.md"
    assert (notes / "M.md").read_bytes() == b"new"
    assert (notes / "M.md").stat().st_ino != inode  # replaced, not written over
    assert names(notes) == ["M.md"]
    assert names(memory.parent) == ["MEMORY.md"]


def test_f021_dangling_links_and_loops_are_refused(memory: Path) -> None:
    memory.unlink()
    memory.symlink_to("gone.md")
    with pytest.raises(WriteFailed, match=r"is a link to .*gone\.md, which is not there") as dangling:
        write_atomically(memory, b"new")
    memory.unlink()
    memory.symlink_to("MEMORY.md")
    with pytest.raises(WriteFailed, match="leads back to itself") as loop:
        write_atomically(memory, b"new")
    assert (dangling.value.step, loop.value.step) == ("find", "find")
    assert names(memory.parent) == ["MEMORY.md"]
    assert memory.is_symlink()


@pytest.fixture
def another_disk() -> Iterator[Path]:
    """A folder on another file system where there is one (a memory disk), else a temporary folder."""
    import tempfile

    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


def test_f021_the_whole_folder_is_a_link_to_another_disk(memory: Path, another_disk: Path) -> None:
    memory.unlink()
    memory.parent.rmdir()
    memory.parent.symlink_to(another_disk)
    write_atomically(memory, b"new")
    write_atomically(memory, b"newer")
    assert memory.parent.readlink() == another_disk
    assert names(another_disk) == ["MEMORY.md"]
    assert (another_disk / "MEMORY.md").read_bytes() == b"newer"


@pytest.mark.parametrize("mode", [0o660, 0o640, 0o644, 0o600, 0o664])
def test_f022_the_mode_stays(memory: Path, mode: int) -> None:
    memory.chmod(mode)
    write_atomically(memory, b"new")
    assert stat.S_IMODE(memory.stat().st_mode) == mode


def test_f022_a_setgid_folder_keeps_its_group(memory: Path) -> None:
    gid = 65534 if os.geteuid() == 0 else os.getgid()
    os.chown(memory.parent, -1, gid)
    memory.parent.chmod(0o2775)
    memory.unlink()
    write_atomically(memory, b"new")
    assert (memory.stat().st_gid, stat.S_IMODE(memory.stat().st_mode)) == (gid, 0o600)


def test_f022_a_file_of_another_group_member_keeps_group_and_mode(memory: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to somebody else")
    os.chown(memory, 65534, 12345)
    memory.chmod(0o660)
    write_atomically(memory, b"new")
    info = memory.stat()
    assert (info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)) == (65534, 12345, 0o660)


def test_f022_a_new_file_is_for_its_owner_only(memory: Path) -> None:
    write_atomically(memory.with_name("USER.md"), b"new")
    assert stat.S_IMODE(memory.with_name("USER.md").stat().st_mode) == 0o600


def test_f023_a_read_only_file_or_folder_is_named_with_its_mode(memory: Path, as_nobody: AsNobody) -> None:
    done = as_nobody(
        "from pathlib import Path\n"
        "from digit_core.disk.writing import write_atomically\n"
        "from digit_core.errors import WriteFailed\n"
        "memory = Path('MEMORY.md').absolute()\n"
        "def save():\n"
        "    try: write_atomically(memory, b'x' * 300)\n"
        "    except WriteFailed as error: print(error.step, error)\n"
        "memory.chmod(0o444); save(); memory.chmod(0o644)\n"
        "memory.parent.chmod(0o555); save(); memory.parent.chmod(0o755)\n"
        "print(memory.read_bytes(), sorted(p.name for p in memory.parent.iterdir()))\n",
        memory.parent,
    )
    assert done.returncode == 0, done.stderr
    file, folder, left = done.stdout.splitlines()
    assert file.startswith(f"check {memory} is read-only (mode 0444, owner ")
    assert file.endswith("Its owner can allow it: chmod u+w.")
    assert folder.startswith(f"check {memory.parent} may not be written (mode 0555, owner ")
    assert left == "b'old' ['MEMORY.md']"


def test_f023_even_root_does_not_replace_what_was_made_read_only(memory: Path) -> None:
    memory.chmod(0o444)
    assert "mode 0444" in (writable_problem(memory) or "")
    with pytest.raises(WriteFailed, match="mode 0444"):
        write_atomically(memory, b"new")
    assert memory.read_bytes() == b"old"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o444


WRITER = """
import hashlib, sys
from pathlib import Path
from digit_core.disk.writing import write_atomically
path = Path(sys.argv[1])
for number in range(1_000_000):
    body = (str(number) * 20_000).encode()[:100_000]
    write_atomically(path, hashlib.sha256(body).hexdigest().encode() + body)
    if number == 1:
        print("saving", flush=True)
"""


def whole(data: bytes) -> bool:
    return hashlib.sha256(data[64:]).hexdigest().encode() == data[:64]


def kill_while_saving(path: Path, times: int) -> None:
    moments = random.Random(24)
    body = b"old"
    path.write_bytes(hashlib.sha256(body).hexdigest().encode() + body)
    for _ in range(times):
        command = [sys.executable, "-S", "-c", WRITER, str(path)]
        with subprocess.Popen(command, env={"PYTHONPATH": str(CORE)}, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            end = time.monotonic() + moments.uniform(0, 0.02)
            while time.monotonic() < end:
                assert whole(read_file(path).data or b"")
            writer.send_signal(signal.SIGKILL)
        assert whole(path.read_bytes())
        sweep_leftovers(path.parent)
        assert names(path.parent) == ["MEMORY.md"]


def test_f024_killed_while_saving(memory: Path) -> None:
    kill_while_saving(memory, 20)


@pytest.mark.torture
def test_f024_killed_two_hundred_times_while_saving(memory: Path) -> None:
    kill_while_saving(memory, 200)


def test_f033_a_hundred_failing_saves_keep_one_backup(memory: Path, as_nobody: AsNobody) -> None:
    done = as_nobody(
        "from pathlib import Path\n"
        "from digit_core.disk.backups import Backups\n"
        "from digit_core.disk.writing import write_atomically\n"
        "from digit_core.errors import WriteFailed\n"
        "backups = Backups(Path('digit-tui/backups')); memory = Path('memories/MEMORY.md')\n"
        "memory.parent.chmod(0o555); failed = 0\n"
        "for _ in range(100):\n"
        "    backups.keep('memory', memory.read_bytes())\n"
        "    try: write_atomically(memory, b'new')\n"
        "    except WriteFailed: failed += 1\n"
        "print(failed, [backups.read(copy.id) for copy in backups.list()])\n"
        "print(len(list(Path('digit-tui/backups').iterdir()))); memory.parent.chmod(0o755)\n",
        memory.parent.parent,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "100 [b'old']\n1\n"


def test_f033_a_hundred_saves_of_the_same_keep_one_backup(tmp_path: Path) -> None:
    backups = Backups(tmp_path / "backups")
    for _ in range(100):
        backups.keep("memory", b"old")
    assert [backups.read(copy.id) for copy in backups.list()] == [b"old"]
    assert len(names(tmp_path / "backups")) == 1


def test_f033_a_clock_that_is_set_back_neither_blocks_nor_loses_the_newest(tmp_path: Path) -> None:
    now = 1_800_000_000.0
    backups = Backups(tmp_path / "backups", lambda: now)
    for number in range(100):
        backups.keep("memory", b"%d" % number)
        now -= 3600.0
        newest = [backups.read(copy.id) for copy in backups.list()[:NEWEST]]
        assert newest == [b"%d" % kept for kept in range(number, max(-1, number - NEWEST), -1)]
    assert len(names(tmp_path / "backups")) <= 100
    for number in range(100, 130):
        backups.keep("memory", b"%d" % number)  # and now it stands still
    assert backups.read(backups.list()[0].id) == b"129"
    assert len(names(tmp_path / "backups")) <= 100 + 1 + NEWEST
