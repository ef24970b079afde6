"""What tests of the store share: opening one on a folder, and naming notes by text."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from digit_core.formats.settings import MemorySettings, RecallSettings, Settings
from digit_core.memory.changes import Add, Change, NoteRef, Outcome, Remove, Replace
from digit_core.memory.homes import find_home
from digit_core.memory.store import Store
from digit_core.text.digest import text_digest


def open_store(
    home: Path,
    *,
    limit: int = 120_000,
    user_limit: int = 24_000,
    memory: MemorySettings | None = None,
    clock: Callable[[], float] | None = None,
    lock_timeout: float = 10.0,
) -> Store:
    """A store on a Digit home. Its clock ticks a second a look, so that order by time is order of events."""
    recall = RecallSettings(memory_char_limit=limit, user_char_limit=user_limit)
    settings = Settings(memory=memory or MemorySettings(recall=recall))
    ticks = itertools.count(1_790_000_000)
    found = find_home(str(home), kind="digit")
    return Store(
        found,
        settings=lambda: settings,
        clock=clock or (lambda: float(next(ticks))),
        lock_timeout=lock_timeout,
    )


def ref(text: str, document: str = "memory", occurrence: int = 0) -> NoteRef:
    return NoteRef(document, text_digest(text), occurrence)


def add(store: Store, text: str, document: str = "memory") -> Outcome:
    return store.apply(Change((Add(document, text),)))


def replace(store: Store, old: str, new: str, document: str = "memory") -> Outcome:
    return store.apply(Change((Replace(ref(old, document), new),)))


def remove(store: Store, text: str, document: str = "memory", occurrence: int = 0) -> Outcome:
    return store.apply(Change((Remove(ref(text, document, occurrence)),)))


def memory_file(home: Path) -> Path:
    return home / "memories" / "MEMORY.md"


def user_file(home: Path) -> Path:
    return home / "memories" / "USER.md"


def joined(*texts: str) -> bytes:
    """The bytes of a file in the agent's own form."""
    return "\n§\n".join(texts).encode()
