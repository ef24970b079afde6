"""The block in the system prompt, sign by sign as the reference shows it (facts 1.4)."""

from __future__ import annotations

from digit_core.memory.limits import Limits
from digit_core.memory.prompt import FROZEN_NOTE, block

RULE = "\u2550" * 46


def test_block_of_the_reference() -> None:
    notes = (
        "User's project is a Rust web service at ~/code/myapi using Axum + SQLx",
        "This machine runs Ubuntu 22.04, has Docker and Podman installed",
    )
    assert block("memory", notes, Limits(2200)) == (
        f"{RULE}\nMEMORY (your personal notes) [6% — 136/2,200 chars]\n{RULE}\n{notes[0]}\n§\n{notes[1]}"
    )


def test_label_of_the_user_profile() -> None:
    shown = block("user", ("Marta",), Limits(1375)).split("\n")
    assert shown == [RULE, "USER PROFILE (who the user is) [0% — 5/1,375 chars]", RULE, "Marta"]


def test_no_notes_no_block() -> None:
    assert block("memory", (), Limits(2200)) == ""


def test_duplicates_are_dropped_as_the_agent_drops_them() -> None:
    assert block("memory", ("a", "b", "a"), Limits(2200)) == block("memory", ("a", "b"), Limits(2200))


def test_a_store_over_its_budget_sends_a_digest_with_the_storage_limit() -> None:
    shown = block("memory", ("x" * 10, "keep me #pinned", "y" * 10), Limits(120_000, 20))
    assert shown == (
        f"{RULE}\nMEMORY (your personal notes) [0% — 41/120,000 chars]\n{RULE}\n"
        "3 notes in MEMORY.md.\n"
        "Full note text is NOT in the prompt — the relevant ones are attached to the\n"
        "user's message inside <memory-context>. If what you need isn't there, search:\n"
        'memory(action="search", query="…").\n§\nkeep me #pinned'
    )


def test_at_the_budget_it_is_still_verbatim() -> None:
    assert block("user", ("x" * 20,), Limits(24_000, 20)).endswith("\n" + "x" * 20)
    assert block("user", ("x" * 21,), Limits(24_000, 20)).startswith(f"{RULE}\nUSER PROFILE")
    assert "1 note in USER.md." in block("user", ("x" * 21,), Limits(24_000, 20))


def test_frozen_note_says_when() -> None:
    assert "next session" in FROZEN_NOTE
