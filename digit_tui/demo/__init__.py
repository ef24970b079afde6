"""The demo: a realistic home of an invented person, for a first look without a home of one's own."""

from __future__ import annotations

import os
from pathlib import Path

DEMO_PREFIX = "digit-demo-"
"""How the temporary folder of a demo begins; faces show such a home as `~/.digit`."""

_HOME = Path(__file__).parent / "home"


def make_demo_home() -> Path:
    """Copy the demo home into a fresh folder of its own and return the path of the copy.

    The copy is `<temporary folder>/digit-demo-xxxxxxxx/.digit` and belongs to whoever runs this: folders
    0700, files 0600, file times now. It is removed when this process ends. Raises OSError when the temporary
    folder cannot be written.
    """
    import atexit
    import shutil  # 8 ms with tempfile, which every other start would pay
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix=DEMO_PREFIX))
    atexit.register(_remove, folder, os.getpid())
    home = folder / ".digit"
    shutil.copytree(_HOME, home, copy_function=shutil.copyfile)
    for path in (home, *home.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return home


def _remove(folder: Path, maker: int) -> None:
    """Remove a copy at the end of the process that made it; a fork of it ends earlier, and leaves it alone."""
    import shutil

    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)


def is_demo(home: Path) -> bool:
    """Whether `home` is a copy that `make_demo_home` made."""
    return home.name == ".digit" and home.parent.name.startswith(DEMO_PREFIX)
