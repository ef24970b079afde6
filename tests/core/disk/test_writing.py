"""Writing: whole or not at all, and nothing but the content changes."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from digit_core.disk import writing
from digit_core.disk.locking import lock, lock_path
from digit_core.disk.writing import make_folder, sweep_leftovers, write_atomically
from digit_core.errors import WriteFailed

AsNobody = Callable[[str, Path], "CompletedProcess[str]"]


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "memories"
    path.mkdir()
    return path


def test_a_new_file_is_for_its_owner_only(folder: Path) -> None:
    write_atomically(folder / "MEMORY.md", b"A\n\xc2\xa7\nB")
    assert (folder / "MEMORY.md").read_bytes() == b"A\n\xc2\xa7\nB"
    assert stat.S_IMODE((folder / "MEMORY.md").stat().st_mode) == 0o600
    assert names(folder) == ["MEMORY.md"]


def test_the_mode_of_a_new_file_does_not_depend_on_the_umask(folder: Path) -> None:
    before = os.umask(0o077)
    try:
        write_atomically(folder / "export.md", b"x", new_mode=0o644)
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "export.md").stat().st_mode) == 0o644


def test_emptying_a_file_keeps_it(folder: Path) -> None:
    (folder / "MEMORY.md").write_bytes(b"A")
    write_atomically(folder / "MEMORY.md", b"")
    assert (folder / "MEMORY.md").read_bytes() == b""


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes are read on Linux only")
def test_extended_attributes_stay(folder: Path) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"A")
    os.setxattr(path, "user.origin", b"dotfiles")
    write_atomically(path, b"B")
    assert os.getxattr(path, "user.origin") == b"dotfiles"


@pytest.mark.parametrize(
    ("call", "code", "step", "words"),
    [
        ("write", errno.ENOSPC, "write", "the disk is full"),
        ("fsync", errno.EIO, "write", "Input/output error"),
        ("replace", errno.EACCES, "replace", "Permission denied"),
        ("replace", errno.EBUSY, "replace", "mount point of its own"),
    ],
)
def test_whatever_fails_the_old_file_stays_and_no_temporary_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, step: str, words: str
) -> None:
    (folder / "MEMORY.md").write_bytes(b"old")

    def fail(*arguments: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(WriteFailed) as caught:
        write_atomically(folder / "MEMORY.md", b"new")
    monkeypatch.undo()
    assert caught.value.step == step
    assert words in str(caught.value)
    assert isinstance(caught.value.cause, OSError)
    assert (folder / "MEMORY.md").read_bytes() == b"old"
    assert names(folder) == ["MEMORY.md"]


def test_an_interrupt_leaves_no_temporary_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(folder / "MEMORY.md", b"new")
    assert names(folder) == []


def test_a_missing_folder_is_named(folder: Path) -> None:
    with pytest.raises(WriteFailed, match=r"its folder .*/none is not there") as caught:
        write_atomically(folder / "none" / "MEMORY.md", b"x")
    assert caught.value.step == "create"


def busy(self: Path, target: Path) -> None:
    raise OSError(errno.EBUSY, "Device or resource busy")


def test_a_mount_point_is_written_over_only_when_backed_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"a longer old content")
    inode = path.stat().st_ino
    monkeypatch.setattr(Path, "replace", busy)
    with lock(path) as held:
        write_atomically(path, b"new", backed_up=True, held=held)
    assert path.read_bytes() == b"new"
    assert path.stat().st_ino == inode
    assert names(folder) == ["MEMORY.md", "MEMORY.md.lock"]


def test_a_failed_write_over_puts_the_old_bytes_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"old bytes")
    monkeypatch.setattr(Path, "replace", busy)
    real_truncate = os.ftruncate

    def full_once(descriptor: int, size: int) -> None:
        monkeypatch.setattr(os, "ftruncate", real_truncate)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "ftruncate", full_once)
    with pytest.raises(WriteFailed, match="the disk is full") as caught:
        write_atomically(path, b"NEW", backed_up=True)
    assert caught.value.step == "overwrite"
    assert path.read_bytes() == b"old bytes"
    assert names(folder) == ["MEMORY.md"]


def test_a_write_whose_lock_was_deleted_is_refused(folder: Path) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"old")
    with lock(path) as held:
        lock_path(path).unlink()
        with pytest.raises(WriteFailed, match="deleted while it was held") as caught:
            write_atomically(path, b"new", held=held)
    assert caught.value.step == "lock"
    assert path.read_bytes() == b"old"
    assert names(folder) == ["MEMORY.md"]


def test_the_group_gets_no_more_than_strangers_when_it_cannot_stay(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "MEMORY.md"
    path.write_bytes(b"old")
    path.chmod(0o664)

    def refuse(descriptor: int, uid: int, gid: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "fchown", refuse)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_folders_are_made_private(tmp_path: Path) -> None:
    make_folder(tmp_path / ".runtime" / "digit-tui")
    for made in (tmp_path / ".runtime", tmp_path / ".runtime" / "digit-tui"):
        assert stat.S_IMODE(made.stat().st_mode) == 0o700
    (tmp_path / "memories").symlink_to("gone")
    with pytest.raises(WriteFailed, match="which is not there"):
        make_folder(tmp_path / "memories")


def dead_process() -> int:
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    )
    return int(done.stdout)


def test_only_our_own_dead_files_are_swept(folder: Path) -> None:
    dead = folder / f".digit-tui-{dead_process()}-0123456789ab.tmp"
    old = folder / f".digit-tui-{os.getpid()}-00000000000a.tmp"
    mine = folder / f".digit-tui-{os.getpid()}-00000000000b.tmp"
    others = [folder / ".mem_x1.tmp", folder / ".digit-tui-notes.tmp", folder / "MEMORY.md"]
    for path in (dead, old, mine, *others):
        path.write_bytes(b"x")
    os.utime(old, (0, 0))
    link = folder / f".digit-tui-{dead_process()}-ffffffffffff.tmp"
    link.symlink_to("MEMORY.md")
    assert sweep_leftovers(folder) == tuple(sorted((dead, old)))
    assert names(folder) == sorted(path.name for path in (mine, link, *others))
    assert sweep_leftovers(folder / "none") == ()


def test_a_file_that_is_being_written_is_not_swept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept: list[tuple[Path, ...]] = []
    real_sync = os.fsync

    def sweep_meanwhile(descriptor: int) -> None:
        if not swept:  # as another machine sees it, on which no process has our number
            monkeypatch.setattr(writing, "_alive", lambda pid: False)
            swept.append(sweep_leftovers(folder))
        real_sync(descriptor)

    monkeypatch.setattr(os, "fsync", sweep_meanwhile)
    write_atomically(folder / "MEMORY.md", b"new")
    assert swept == [()]
    assert (folder / "MEMORY.md").read_bytes() == b"new"
