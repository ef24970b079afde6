"""Opens the app. The home is being read while the screen library is imported: neither waits for the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from digit_tui.opening import Opening

if TYPE_CHECKING:
    from digit_core.library import Library
    from digit_tui.options import Options


def start(open_library: Callable[[], Library], options: Options) -> int:
    """Run the app until the person leaves; the exit code."""
    opening = Opening(open_library)
    from digit_tui.app import run  # Textual, 200 ms

    return run(opening, options)
