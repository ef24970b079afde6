"""How full a store is, as a bar of glyphs and in words. Colour is extra."""

from __future__ import annotations

from digit_core.memory.limits import Usage, level, short_usage

FULL, REST, TICK = "▰", "▱", "┊"
WORDS = {"ok": "", "high": "high", "near": "near full"}
GLYPHS = {"ok": "", "high": "△", "near": "▲", "over": "⊘"}


def bar(usage: Usage, cells: int, tick: bool = False) -> str:
    """A bar of `cells` cells; anything used shows. With `tick`, one cell marks where the verbatim budget ends."""
    marked = tick and usage.inline is not None and 0 < usage.inline < usage.limit
    glyphs = cells - 1 if marked else cells
    if glyphs <= 0:
        return ""
    full = -(-usage.used * glyphs // usage.limit) if usage.limit > 0 else glyphs * (usage.used > 0)
    full = min(full, glyphs)
    drawn = FULL * full + REST * (glyphs - full)
    if not marked or usage.inline is None:
        return drawn
    at = min(max(round(usage.inline * glyphs / usage.limit), 1), glyphs - 1)
    return drawn[:at] + TICK + drawn[at:]


def state_words(usage: Usage) -> str:
    """The warning in words with its glyph: `△ high`, `⊘ over by 34`; "" when there is room."""
    state = level(usage)
    words = f"over by {usage.over:,}" if state == "over" else WORDS[state]
    return f"{GLYPHS[state]} {words}" if words else ""


def numbers(usage: Usage, percent: bool = True) -> str:
    """`1,474/2,200 · 67%`."""
    return f"{short_usage(usage)} · {usage.true_percent}%" if percent else short_usage(usage)


def budget_words(usage: Usage) -> str:
    """Where the verbatim budget ends, in words: what the agent always sees, and what it has to search."""
    if usage.inline is None:
        return "all of it is in the prompt"
    if usage.verbatim:
        return f"all of it is in the prompt up to {usage.inline:,}"
    return f"over {usage.inline:,}: the agent searches it"
