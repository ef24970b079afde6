"""What a person likes: theme, density, order of the list. Kept where the system keeps settings, not in the home.

The agent writes in the home; it should not be able to change how its memory looks.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.reading import read_file
from digit_core.disk.writing import make_folder, write_atomically
from digit_core.errors import FileError

_FILE = "settings.json"
_MAX_BYTES = 64 * 1024


class Preferences(NamedTuple):
    """The person's own settings; "" is the default."""

    theme: str = ""
    density: str = ""
    sort: str = ""


def settings_folder() -> Path:
    """Where they are kept."""
    from platformdirs import user_config_path  # 4 ms, once a start

    return user_config_path("digit-tui", appauthor=False)


def load() -> Preferences:
    """Read them. A file that is not there, or makes no sense, means the defaults: nothing of value is in it."""
    data = read_file(settings_folder() / _FILE, _MAX_BYTES).data
    try:
        found = json.loads(data) if data else {}
    except ValueError:
        found = {}
    if not isinstance(found, dict):
        return Preferences()
    return Preferences(*(str(found.get(name, "")) for name in Preferences._fields))


def change(**values: str) -> str | None:
    """Change some of them on disk, leaving the others; why that did not work, or None."""
    folder = settings_folder()
    try:
        make_folder(folder)
        content = load()._replace(**values)._asdict()
        write_atomically(folder / _FILE, json.dumps(content, indent=2).encode() + b"\n")
    except FileError as error:
        return str(error)
    return None
