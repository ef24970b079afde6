"""Text to the clipboard, and an honest word about whether it got there.

A program of the system answers for what it did, so it goes first. Without one the terminal is asked (OSC 52), which
never answers: some terminals, old tmux and many SSH clients ignore it (F126).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

SECONDS = 2.0
"""How long a program may take before the next is tried."""

OSC52_LIMIT = 74_994
"""Bytes of text that still make a sequence of 100,000 characters; many terminals drop a longer one."""


class Tool(NamedTuple):
    """A program that takes the text on its standard input."""

    argv: tuple[str, ...]
    words: str
    """What to say when it took it."""
    encoding: str = "utf-8"


_TMUX = Tool(
    ("tmux", "load-buffer", "-w", "-"),
    "Copied to tmux's buffer, and sent on to the terminal's clipboard, where it may not arrive.",
)


def tools(env: Mapping[str, str], platform: str = sys.platform) -> tuple[Tool, ...]:
    """The programs that can reach a clipboard from here, the likeliest first. Not all of them need be there."""
    found = []
    if env.get("WAYLAND_DISPLAY"):
        found.append(Tool(("wl-copy",), "Copied with wl-copy."))
    if env.get("DISPLAY"):
        found.append(Tool(("xclip", "-selection", "clipboard"), "Copied with xclip."))
        found.append(Tool(("xsel", "--clipboard", "--input"), "Copied with xsel."))
    if platform == "darwin":
        found.append(Tool(("pbcopy",), "Copied with pbcopy."))
    if platform == "win32" or env.get("WSL_DISTRO_NAME"):
        found.append(Tool(("clip.exe",), "Copied with clip.exe.", "utf-16-le"))
    if env.get("TMUX"):
        found.append(_TMUX)
    return tuple(found)


def copy_with_tool(text: str, env: Mapping[str, str] | None = None) -> str | None:
    """Hand text to the first program that takes it; what to say then, or None when none did. Blocks: use a thread."""
    from shutil import which

    for tool in tools(os.environ if env is None else env):
        if which(tool.argv[0]) and _ran(tool, text.encode(tool.encoding, "replace")):
            return tool.words
    return None


def _ran(tool: Tool, data: bytes) -> bool:
    import subprocess  # 15 ms, and most runs copy nothing

    try:
        # The programs of X and Wayland stay in the background to serve the text: no pipe of ours may stay with them.
        done = subprocess.run(
            tool.argv,
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
            start_new_session=True,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def osc52_words(text: str) -> tuple[bool, str]:
    """Whether text may be sent as OSC 52, and what to say."""
    size = len(text.encode("utf-8", "replace"))
    if size > OSC52_LIMIT:
        return False, (
            f"Not copied: {size:,} bytes, and a terminal takes {OSC52_LIMIT:,} at most. "
            "With wl-copy, xclip, xsel or tmux installed there is no such limit."
        )
    return True, "Sent to the terminal's clipboard (OSC 52). Not every terminal takes it: it may not arrive."
