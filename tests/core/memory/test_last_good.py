"""The last good config: when it is kept, and when it counts."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.config import get_setting
from digit_core.memory.last_good import LAST_GOOD, load_settings, recall, remember

GOOD = b"memory:\n  write_approval: no\n  nudge_interval: 3\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "digit-tui"
    folder.mkdir()
    return folder


def test_it_is_kept_byte_for_byte_for_its_owner_only(own: Path) -> None:
    assert recall(own) is None
    remember(own, GOOD)
    assert recall(own) == GOOD
    assert stat.S_IMODE((own / LAST_GOOD).stat().st_mode) == 0o600


def test_it_is_written_only_when_it_is_new(own: Path) -> None:
    remember(own, GOOD)
    before = (own / LAST_GOOD).stat()
    remember(own, GOOD)
    assert (own / LAST_GOOD).stat() == before
    remember(own, b"a: 1\n")
    assert recall(own) == b"a: 1\n"


def test_nothing_is_written_where_nothing_may_be(tmp_path: Path, own: Path) -> None:
    (tmp_path / "config.yaml").write_bytes(GOOD)
    load_settings(tmp_path, own, may_write=False)
    assert list(own.iterdir()) == []
    loaded = load_settings(tmp_path, tmp_path / "absent", may_write=True)
    assert not (tmp_path / "absent").exists()
    assert loaded.settings.memory.nudge_interval == 3


def test_a_home_without_a_config_runs_on_defaults(tmp_path: Path, own: Path) -> None:
    remember(own, GOOD)
    loaded = load_settings(tmp_path, own, may_write=True)
    assert loaded.data is None
    assert loaded.broken is None
    assert not loaded.from_last_good
    assert loaded.settings.memory.nudge_interval == 10
    assert not loaded.settings.memory.write_approval


def test_a_damaged_copy_is_as_good_as_none(tmp_path: Path, own: Path) -> None:
    (tmp_path / "config.yaml").write_bytes(b"a: [")
    (own / LAST_GOOD).write_bytes(b"also: {broken")
    loaded = load_settings(tmp_path, own, may_write=True)
    assert loaded.broken is not None
    assert not loaded.from_last_good
    assert get_setting(loaded.config, "memory.write_approval") == (True, "default", None)
    assert get_setting(loaded.config, "skills.write_approval") == (True, "default", None)


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_config_that_cannot_be_read_is_told_and_counts_as_broken(
    tmp_path: Path, own: Path, kind: str
) -> None:
    remember(own, GOOD)
    path = tmp_path / "config.yaml"
    if kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / "nowhere")
    loaded = load_settings(tmp_path, own, may_write=True)
    assert loaded.broken is not None
    assert str(path) in loaded.broken.problem
    assert loaded.from_last_good
    assert loaded.settings.memory.nudge_interval == 3


def test_a_copy_that_cannot_be_kept_is_said(tmp_path: Path, as_nobody: Callable[..., object]) -> None:
    own = tmp_path / "digit-tui"
    own.mkdir()
    (tmp_path / "config.yaml").write_bytes(GOOD)
    source = (
        "from pathlib import Path\n"
        "from digit_core.memory.last_good import load_settings\n"
        "own = Path('digit-tui'); own.chmod(0o500)\n"
        "loaded = load_settings(Path('.'), own, may_write=True)\n"
        "print(loaded.settings.memory.nudge_interval, len(loaded.problems), loaded.broken)\n"
        "print(loaded.problems[0].message)\n"
    )
    done = as_nobody(source, tmp_path)
    output = done.stdout  # type: ignore[attr-defined]
    assert output.startswith("3 1 None\nconfig.yaml is good"), done
