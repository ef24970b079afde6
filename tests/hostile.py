"""Texts that break screens, and a home full of them (F103-F109, what is measured about markup and control bytes)."""

from __future__ import annotations

from pathlib import Path

MARKUP = (
    "[/",
    "[x=1: y]",
    "[/red]",
    "[stage] item",
    "[red]x[/red]",
    "arr[0]",
    "[b + c",
    "[[Note]]",
    "[link=file:///etc/passwd]x[/link]",
    "[@click=app.quit]press me[/]",
    "[/oops]",
    "\\[not a tag",
    "x [/y].md",
)
CONTROL = (
    "\x1b]52;c;ZWNobyBoaQ==\x07",
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x1b[6n",
    "\x9b31m",
    "\x1b]",
    "\x1bc",
    "\x1b[?1049l",
    "\x90q\x9c",
    "bell\x07 back\x08 vt\x0b ff\x0c nul\x00 del\x7f",
    "next\x85line \u2028 \u2029 end",
    "\u202eright to left\u202c \u200bzero \ufeff",
)
WIDE = (
    "整理论文和更新README",
    "⚠️ 危险",
    "👨‍👩‍👧 семья",
    "🇷🇺 flag",
    "e\u0301 accent",
    "①—◆",
    "⏺️" * 39,
    "〽️ 👍🏽 🏴‍☠️ क्षि",
    "你好测试abc привет" * 12,
)
TEXTS = tuple(f"{text} tail" for text in (*MARKUP, *CONTROL, *WIDE))


def write_hostile_home(folder: Path) -> Path:
    """A Digit home whose notes hold every one of these texts, as titles and further down."""
    memories = folder / "memories"
    memories.mkdir(parents=True)
    notes = [*TEXTS, "Title\n" + "\n".join(TEXTS), "long " * 4000, "x" * 5000]
    (memories / "MEMORY.md").write_bytes("\n§\n".join(notes).encode())
    (memories / "USER.md").write_bytes("\n§\n".join(TEXTS[::-1]).encode())
    (folder / "config.yaml").write_text("memory:\n  nudge_interval: '[/red] often'\n")
    return folder
