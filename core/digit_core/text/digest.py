"""Digests: how a text and a file are named without keeping them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256
else:
    # hashlib loads OpenSSL to do the same: 5 ms, which is a third of starting Python.
    try:
        from _sha2 import sha256  # from Python 3.12 on
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:  # a Python built without its own
            from hashlib import sha256


def bytes_digest(data: bytes) -> str:
    """SHA-256 of a file's bytes, hexadecimal."""
    return sha256(data).hexdigest()


def text_digest(text: str) -> str:
    """SHA-256 of a note's text, hexadecimal. Bytes that are no UTF-8 (kept as surrogates) count as they are."""
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
