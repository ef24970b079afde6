"""Our own folder: private, out of version control, and left alone when a newer program made it."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from digit_core.disk.ownfolder import OwnFolder

AsNobody = Callable[[str, Path], "CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    path = tmp_path / ".digit"
    path.mkdir()
    return path


def test_looking_writes_nothing_and_ensuring_makes_it(home: Path) -> None:
    own = OwnFolder(home)
    assert (own.path, own.read_only, own.problem) == (home / "digit-tui", False, None)
    assert list(home.iterdir()) == []
    assert own.ensure()
    assert stat.S_IMODE(own.path.stat().st_mode) == 0o700
    assert {entry.name: entry.read_bytes() for entry in own.path.iterdir()} == {
        ".gitignore": b"*\n",
        "version": b"1\n",
    }
    assert stat.S_IMODE((own.path / "version").stat().st_mode) == 0o600
    assert own.ensure()


def test_a_profile_has_it_deeper(home: Path) -> None:
    own = OwnFolder(home, ".runtime/digit-tui")
    assert own.ensure()
    assert (home / ".runtime" / "digit-tui" / "version").read_bytes() == b"1\n"


def test_a_folder_that_others_may_enter_is_closed(home: Path) -> None:
    (home / "digit-tui").mkdir(mode=0o755)
    assert OwnFolder(home).ensure()
    assert stat.S_IMODE((home / "digit-tui").stat().st_mode) == 0o700


def test_a_newer_layout_is_only_read(home: Path) -> None:
    (home / "digit-tui").mkdir()
    (home / "digit-tui" / "version").write_bytes(b"2\n")
    own = OwnFolder(home)
    assert own.read_only
    assert not own.ensure()
    assert "newer version" in (own.problem or "")
    assert [entry.name for entry in own.path.iterdir()] == ["version"]


@pytest.mark.parametrize("content", [b"", b"one", b"\xff\xfe"])
def test_a_version_that_says_nothing_is_not_guessed_at(home: Path, content: bytes) -> None:
    (home / "digit-tui").mkdir()
    (home / "digit-tui" / "version").write_bytes(content)
    own = OwnFolder(home)
    assert not own.ensure()
    assert "cannot be understood" in (own.problem or "")
    (own.path / "version").write_bytes(b"1")
    assert own.ensure()
    assert own.problem is None


def test_a_link_or_a_file_in_its_place_is_refused(home: Path, tmp_path: Path) -> None:
    (home / "digit-tui").symlink_to(tmp_path)
    assert "is a link" in (OwnFolder(home).problem or "")
    (home / "digit-tui").unlink()
    (home / "digit-tui").write_bytes(b"")
    assert "is not a folder" in (OwnFolder(home).problem or "")


def test_a_home_that_may_not_be_written_is_said_beforehand(tmp_path: Path, as_nobody: AsNobody) -> None:
    done = as_nobody(
        "from pathlib import Path\n"
        "from digit_core.disk.ownfolder import OwnFolder\n"
        "Path('home').mkdir(); Path('home').chmod(0o555)\n"
        "own = OwnFolder(Path('home')); print(own.ensure(), own.read_only, own.problem)\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"False True {tmp_path}/home may not be written (mode 0555, owner ")
