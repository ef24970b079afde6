"""Reading: every kind of thing at a path has an answer, and none of them is an exception."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from digit_core.disk import reading
from digit_core.disk.reading import read_file, writable_problem

AsNobody = Callable[[str, Path], "CompletedProcess[str]"]


def test_a_file_is_read_whole_with_its_mode_and_owner(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"\xef\xbb\xbfA\r\n\xc2\xa7\n\xff")
    path.chmod(0o640)
    image = read_file(path)
    assert image.data == b"\xef\xbb\xbfA\r\n\xc2\xa7\n\xff"
    assert (image.kind, image.problem, image.mode) == ("file", None, 0o640)
    assert (image.uid, image.gid) == (os.getuid(), os.getgid())
    assert image.mtime == path.stat().st_mtime
    assert image.target == path.resolve()


def test_missing_is_no_problem(tmp_path: Path) -> None:
    image = read_file(tmp_path / "no" / "MEMORY.md")
    assert (image.kind, image.problem, image.data, image.mode) == ("missing", None, None, None)


def test_a_link_is_followed_and_its_end_named(tmp_path: Path) -> None:
    real = tmp_path / "notes.md"
    real.write_bytes(b"x")
    link = tmp_path / "MEMORY.md"
    link.symlink_to("notes.md")
    image = read_file(link)
    assert (image.data, image.path, image.target) == (b"x", link, real.resolve())


def test_links_to_nowhere_and_in_a_circle_are_told_apart(tmp_path: Path) -> None:
    dangling = tmp_path / "dangling.md"
    dangling.symlink_to("gone.md")
    loop = tmp_path / "loop.md"
    loop.symlink_to("loop.md")
    assert read_file(dangling).kind == "dangling link"
    assert "gone.md, which is not there" in (read_file(dangling).problem or "")
    assert read_file(loop).kind == "link loop"
    assert "leads back to itself" in (read_file(loop).problem or "")


@pytest.mark.parametrize(("make", "word"), [(os.mkfifo, "a pipe"), (os.mkdir, "a folder")])
def test_what_is_no_file_is_never_opened(tmp_path: Path, make: Callable[[Path], None], word: str) -> None:
    path = tmp_path / "MEMORY.md"
    make(path)
    image = read_file(path)
    assert (image.kind, image.data) == ("not a file", None)
    assert word in (image.problem or "")
    assert read_file(Path("/dev/null")).kind == "not a file"


def test_a_pipe_that_takes_the_place_of_a_file_does_not_hang(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"x")
    real_stat = Path.stat

    def stat_then_swap(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        info = real_stat(self, follow_symlinks=follow_symlinks)
        path.unlink()
        os.mkfifo(path)
        return info

    monkeypatch.setattr(Path, "stat", stat_then_swap)
    assert read_file(path).kind == "not a file"


def test_a_huge_file_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"x" * 1001)
    image = read_file(path, max_bytes=1000)
    assert (image.kind, image.data) == ("too big", None)
    assert "1,001 bytes" in (image.problem or "")
    assert read_file(path, max_bytes=1001).kind == "file"


def test_a_file_that_changes_under_the_read_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"old")
    real_read = reading.read_up_to
    calls: list[bytes] = []

    def read_and_disturb(descriptor: int, count: int) -> bytes:
        data = real_read(descriptor, count)
        calls.append(data)
        if len(calls) == 1:
            path.write_bytes(b"new and longer")
        return data

    monkeypatch.setattr(reading, "read_up_to", read_and_disturb)
    assert read_file(path).data == b"new and longer"
    assert calls[0] == b"old"


def test_a_file_in_the_way_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "memories").write_bytes(b"")
    image = read_file(tmp_path / "memories" / "MEMORY.md")
    assert image.kind == "unreadable"
    assert "not a folder" in (image.problem or "")
    assert "is a file where a folder is needed" in (
        writable_problem(tmp_path / "memories" / "MEMORY.md") or ""
    )


def test_what_may_be_written_has_no_problem_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"x")
    for path in (tmp_path, tmp_path / "MEMORY.md", tmp_path / "new.md", tmp_path / "a" / "b" / "new.md"):
        assert writable_problem(path) is None
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "user"] == ["MEMORY.md"]


def test_a_read_only_mount_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class ReadOnly:
        f_flag = os.ST_RDONLY

    def access(path: Path, mode: int) -> bool:
        return not mode & os.W_OK

    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(os, "statvfs", lambda path: ReadOnly)
    assert "mounted read-only" in (writable_problem(tmp_path / "MEMORY.md") or "")


def test_f043_the_first_path_that_fails_is_named(tmp_path: Path, as_nobody: AsNobody) -> None:
    (tmp_path / "home" / "memories").mkdir(parents=True)
    (tmp_path / "home" / "memories" / "MEMORY.md").write_bytes(b"x")
    done = as_nobody(
        "from pathlib import Path\n"
        "from digit_core.disk.reading import read_file, writable_problem\n"
        "home = Path('home').absolute(); file = home / 'memories' / 'MEMORY.md'\n"
        "file.chmod(0o200); print(read_file(file).kind, '|', read_file(file).problem); file.chmod(0o600)\n"
        "home.chmod(0o555); print(writable_problem(home / 'new.md')); print(writable_problem(file))\n"
        "home.chmod(0o600); print(read_file(file).problem); print(writable_problem(file)); home.chmod(0o700)\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    unreadable, closed, fine, no_entry, no_entry_to_write = done.stdout.splitlines()
    assert unreadable.startswith("unreadable | ")
    assert "MEMORY.md may not be read (mode 0200, owner " in unreadable
    assert f"{tmp_path}/home may not be written (mode 0555, owner " in closed
    assert fine == "None"  # the folder and the file are open; only what is beside them is not
    assert f"{tmp_path}/home may not be entered (mode 0600, owner " in no_entry
    assert no_entry_to_write == no_entry
