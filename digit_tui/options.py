"""What a person asked for on the command line, for the app."""

from __future__ import annotations

from typing import NamedTuple


class Options(NamedTuple):
    """How the app runs; the home it opens is no part of this."""

    theme: str = ""
    """Name of a theme in `themes/`; "" for the dark one."""
    mouse: bool = True
    """False leaves the mouse to the terminal, so that it selects text."""
    motion: bool = True
    """False: nothing moves by itself."""
    demo: bool = False
    """The home is a copy of the bundled one; the header says so."""
