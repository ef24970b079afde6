"""A tiny model of the agent's own reader, from facts 1.2 and 1.7, that shares nothing with our code."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper

from hypothesis import strategies as st


def _text(data: bytes) -> str:
    """Read in text mode with a decoder that tolerates a byte order mark."""
    return TextIOWrapper(BytesIO(data), encoding="utf-8-sig", errors="surrogateescape").read()


def agent_reads(data: bytes) -> tuple[str, ...]:
    """Entries as the agent has them in its list (before it drops duplicates)."""
    pieces = (piece.strip() for piece in _text(data).split("\n§\n"))
    return tuple(piece for piece in pieces if piece)


def agent_drifts(data: bytes) -> bool:
    """Whether the agent would refuse to replace or remove anything in this file."""
    return _text(data).strip() != "\n§\n".join(agent_reads(data))


_PIECES = ("\n", "§", "\n§\n", "\r\n", "\r", " ", "a", "b", "ж", "\ufeff", "\x1c", "\u2028", "🪨")
FILES = st.lists(st.sampled_from(_PIECES), max_size=14).map(lambda pieces: "".join(pieces).encode())
"""Files made of what separates, what pads and what is text."""
TEXTS = (
    st.lists(st.sampled_from(("\n", "§", " ", "a", "bc", "ё", "\n\n", "- x\n", "§ ", " §\n")), max_size=8)
    .map(lambda pieces: "".join(pieces).strip())
    .filter(lambda text: text and "§" not in text.split("\n"))
)
"""Texts that can be one entry."""
