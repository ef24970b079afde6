"""Removing what a killed save of ours left behind, in every folder of a home that we write to."""

from __future__ import annotations

import os
from pathlib import Path

from digit_core.disk.reading import subfolders
from digit_core.disk.writing import sweep_leftovers
from digit_core.memory.homes import Home


def tidy(home: Home, own: Path) -> None:
    """Remove temporary files that a killed process of ours left behind; nothing else, and nobody else's.

    `own` is our own folder in the home.
    """
    folders = {home.path, home.memories, own, *subfolders(own)}
    for name in home.documents:
        folders.add(Path(os.path.realpath(home.document_path(name))).parent)
    for folder in folders:
        sweep_leftovers(folder)
