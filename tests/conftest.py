"""Fixtures that every test may use, and guards that keep the developer's machine out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(autouse=True)
def _own_machine_stays_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No test sees a real home, settings folder or editor of whoever runs it."""
    for name in ("DIGIT_HOME", "HERMES_HOME", "ZIGGY_HOME", "EDITOR", "VISUAL", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(user / name.lower()))
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    yield


@pytest.fixture
def shared() -> Path:
    """The folder of example homes beside the checkout; tests that need it are left out where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the example homes (../shared) are not beside this checkout")
    return SHARED


@pytest.fixture
def copy_home(shared: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Copy an example home by name (`small`, `grown`, `real/hermes-nixos-a`) to a writable place."""

    def copy(name: str) -> Path:
        target = tmp_path / name.replace("/", "-")
        shutil.copytree(shared / "homes" / name, target)
        for path in [target, *target.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        return target

    return copy


@pytest.fixture
def make_home(tmp_path: Path) -> Callable[..., Path]:
    """Write a Digit home: `make_home(memory=b"...", user=b"...", config="...")`; None leaves a file out."""

    def make(
        memory: bytes | str | None = None,
        user: bytes | str | None = None,
        config: str | None = None,
        name: str = ".digit",
    ) -> Path:
        home = tmp_path / name
        (home / "memories").mkdir(parents=True, exist_ok=True)
        for file, content in (
            ("memories/MEMORY.md", memory),
            ("memories/USER.md", user),
            ("config.yaml", config),
        ):
            if content is not None:
                (home / file).write_bytes(content.encode() if isinstance(content, str) else content)
        return home

    return make


@pytest.fixture
def as_nobody() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python source in a child that has given up root, so that modes and owners count.

    `as_nobody(source, folder)` hands `folder` (and all in it) to that user first; the child runs with `folder` as
    its directory and HOME, and its output and exit code come back. `before` is run while it is root still.
    """

    def run(source: str, folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
        # The interpreter's own folder may be closed to the other user, so what is imported late is imported before.
        drop = (
            "import pkgutil, importlib as i, digit_core, digit_tui.cli as c\n"
            "for m in pkgutil.walk_packages(digit_core.__path__, 'digit_core.'): i.import_module(m.name)\n"
            "for m in pkgutil.walk_packages(c.__path__, 'digit_tui.cli.'): i.import_module(m.name)\n"
            "import json, tempfile, subprocess, random, uuid, difflib, shutil, datetime, calendar, argparse, gettext\n"
            "import yaml, watchdog.observers, watchdog.events, platformdirs, wcwidth, traceback, pwd, grp\n"
        )
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            for path in [folder, *folder.rglob("*")]:
                if not path.is_symlink():
                    os.chown(path, 65534, 65534)
            for parent in folder.parents:  # pytest's own folders are 0700
                if parent != Path(parent.anchor) and "pytest" in str(parent):
                    parent.chmod(0o755)
            drop += "import os; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        paths = os.pathsep.join([str(ROOT / "core"), str(ROOT)])
        env = {**os.environ, "PYTHONPATH": paths, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", f"{before}\n{drop}{source}"],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run
