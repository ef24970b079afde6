"""Homes to measure on: by the shared tool when it is beside the checkout, else by a small one of our own.

Two notes are put in front of whatever was made, so that a run knows what to wait for on screen.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).resolve().parents[3] / "shared" / "tools" / "make_home.py"

TITLES = ("Zeroanchor", "Oneanchor")
"""Titles of the first two notes of every home."""
ENDS = ("Zeroending", "Oneending")
"""Last words of the same notes; they show when a note is on screen in full."""

DELIMITER = "\n§\n"

_BODY = "The list shows how this note begins, and its last word only where the note is open. " * 3

_WORDS = (
    *("server", "note", "index", "backup", "tide", "river", "garden", "bread", "paper", "train", "orange"),
    *("сервер", "заметка", "копия", "тест", "хлеб", "поезд", "бумага", "река", "тихий", "порядок", "ответ"),
)
_TAGS = ("#infra", "#кухня", "#process", "#дом", "#travel", "")


def build(folder: Path, notes: int, messages: int) -> Path:
    """Make a Digit home of `notes` notes and `messages` messages in `folder`; the path of the home.

    Our own generator makes no messages: what it builds has no `state.db`.
    """
    home = folder / f"home-{notes}" / ".digit"
    if TOOL.is_file():
        home.parent.mkdir(parents=True)
        sessions = max(1, messages // 50)
        options = [
            "--notes",
            notes,
            "--messages",
            messages,
            "--sessions",
            sessions,
            "--pending",
            300,
            "--skills",
            150,
        ]
        subprocess.run(
            [sys.executable, TOOL, home, *map(str, options)],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=600,
        )
    else:
        _write_own(home, notes)
    mark(home)
    return home


def made_by() -> str:
    """Which generator `build` uses, for the printed table."""
    return "the shared make_home.py" if TOOL.is_file() else "our own generator (no messages)"


def mark(home: Path, title: str = TITLES[0]) -> None:
    """Put the two known notes in front of MEMORY.md, the first of them titled `title`."""
    path = home / "memories" / "MEMORY.md"
    texts = [text for text in path.read_bytes().decode().split(DELIMITER) if not text.endswith(ENDS)]
    known = [f"{name}\n{_BODY}\n{end}" for name, end in zip(TITLES, ENDS, strict=True)]
    known[0] = known[0].replace(TITLES[0], title)
    path.write_bytes(DELIMITER.join(known + texts).encode())


def _write_own(home: Path, notes: int) -> None:
    choose = random.Random(notes)
    memories = home / "memories"
    memories.mkdir(parents=True)
    for name, count in (("MEMORY.md", notes), ("USER.md", max(10, min(200, notes // 8)))):
        texts = [_note(choose, number) for number in range(count)]
        (memories / name).write_bytes(DELIMITER.join(texts).encode())
    limit = max(120_000, 2 * (memories / "MEMORY.md").stat().st_size)
    (home / "config.yaml").write_text(
        f"memory:\n  recall:\n    memory_char_limit: {limit}\n    user_char_limit: 60000\n",
        "utf-8",
    )


def _note(choose: random.Random, number: int) -> str:
    words = " ".join(choose.choices(_WORDS, k=choose.randint(6, 24)))
    title = f"{' '.join(choose.choices(_WORDS, k=2)).capitalize()} {number}"
    return f"{title}\n{words.capitalize()}. {choose.choice(_TAGS)}".strip()
