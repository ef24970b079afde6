"""Times in words: exact for a detail, relative for a list (facts 6.2)."""

from __future__ import annotations

import time


def exact(at: float) -> str:
    """`2026-04-02 14:05`, local time; `unknown` for 0, which means that nobody knows."""
    if at <= 0:
        return "unknown   "
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def relative(at: float, now: float) -> str:
    """`just now`, `5m ago`, `3h ago`, `yesterday`, `4d ago`, then the date. Seconds since the epoch."""
    age = now - at
    if age < 60:
        return "just now"
    if age < 3600:
        return f"{age // 60:.0f}m ago"
    if age < 86400:
        return f"{age // 3600:.0f}h ago"
    if age < 2 * 86400:
        return "yesterday"
    if age < 7 * 86400:
        return f"{age // 86400:.0f}d ago"
    return exact(at)[:10]
