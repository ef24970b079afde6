"""Digests: how a text and a file are named without keeping them."""

from __future__ import annotations

from hashlib import sha256


def bytes_digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, hexadecimal."""
    return sha256(data).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of a note's text, hexadecimal. Bytes that are no UTF-8 (kept as surrogates) count as they are."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
