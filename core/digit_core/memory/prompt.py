"""What the agent sees of a store: a block in its system prompt, frozen when a session starts (facts 1.4)."""

from __future__ import annotations

from collections.abc import Iterable

from digit_core.formats.tags import is_pinned
from digit_core.memory.limits import Limits, usage, usage_words
from digit_core.memory.names import DocumentName

FROZEN_NOTE = (
    "The agent will see this from its next session on; "
    "a session that is running keeps the snapshot it started with."
)
"""What is worth saying after every save."""

RULE = "═" * 46
DELIMITER = "\n§\n"

_LABELS = {
    "memory": ("MEMORY (your personal notes)", "MEMORY.md"),
    "user": ("USER PROFILE (who the user is)", "USER.md"),
}

_SEARCH_HINT = """\
Full note text is NOT in the prompt — the relevant ones are attached to the
user's message inside <memory-context>. If what you need isn't there, search:
memory(action="search", query="…")."""


def block(name: DocumentName, texts: Iterable[str], limits: Limits) -> str:
    """The block of one store (`memory` or `user`), without a final newline; "" for a store without notes.

    Exact duplicates are left out, as the agent drops them when it loads the file (facts 1.2). Over its
    verbatim budget a store sends a digest: how many notes, how to search, and the pinned notes in full.
    """
    notes = tuple(dict.fromkeys(texts))
    if not notes:
        return ""
    label, file = _LABELS[name]
    held = usage(notes, limits)
    content = DELIMITER.join(notes) if held.verbatim else _digest(notes, file)
    return f"{RULE}\n{label} [{usage_words(held)}]\n{RULE}\n{content}"


def _digest(notes: tuple[str, ...], file: str) -> str:
    """What stands for the notes of a store that has outgrown its verbatim budget."""
    head = f"{len(notes):,} {'note' if len(notes) == 1 else 'notes'} in {file}.\n{_SEARCH_HINT}"
    return DELIMITER.join((head, *(note for note in notes if is_pinned(note))))
