"""How much a store may hold, how much of it travels in the prompt, and how full it is.

Everything is counted in Unicode code points of the joined notes, three per delimiter (facts 1.3): not bytes,
not cells, not tokens. The numbers follow the home's config, each store by itself (F152).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from digit_core.formats.entries import length
from digit_core.formats.settings import MemorySettings, RecallSettings, Settings
from digit_core.memory.homes import HomeKind
from digit_core.memory.names import DocumentName

HERMES_LIMITS: Mapping[DocumentName, int] = {"memory": 2_200, "user": 1_375}
"""Storage limits without note search; with it, the verbatim budgets."""
PROFILE_LIMITS: Mapping[DocumentName, int] = {"shared": 2_200, "user": 1_375, "group": 1_375}

HIGH = 80
NEAR = 95


class Limits(NamedTuple):
    """The two numbers of one store, in code points."""

    storage: int
    inline: int | None = None
    """Verbatim budget: up to it the whole store is in the prompt. None when the whole store always is."""
    from_config: bool = False
    """Whether config.yaml set any of the two, rather than the kind's default."""
    closing: int = 0
    """Code points that the file counts beside its notes: the last newline of a Profile's document."""


class Usage(NamedTuple):
    """How full one store is, in code points."""

    used: int
    limit: int
    percent: int
    """Truncated and never more than 100, as the agent shows it (facts 1.3); 0 for a limit of 0."""
    true_percent: int
    """Truncated, and as large as it is."""
    inline: int | None
    over: int
    """By how much it is over its limit; 0 when it is not."""

    @property
    def verbatim(self) -> bool:
        """Whether the whole store is in the prompt, rather than searched."""
        return self.inline is None or self.used <= self.inline


def limits(kind: HomeKind, settings: Settings) -> Mapping[DocumentName, Limits]:
    """The limits of each document of a home. A Profile's: any person's (`user`), any group's (`group`)."""
    if kind is HomeKind.PROFILE:
        return {name: Limits(size, closing=1) for name, size in PROFILE_LIMITS.items()}
    memory = settings.memory
    budgets, ceilings, usual_ceilings = (
        _by_document(group) for group in (memory, memory.recall, RecallSettings())
    )
    searched = kind is HomeKind.DIGIT and memory.recall.enabled
    found: dict[DocumentName, Limits] = {}
    for name, usual in HERMES_LIMITS.items():
        budget, ceiling = budgets[name], ceilings[name]
        verbatim = usual if budget is None else budget
        if searched and ceiling is not None:
            found[name] = Limits(ceiling, verbatim, budget is not None or ceiling != usual_ceilings[name])
        else:
            found[name] = Limits(verbatim, None, budget is not None)
    return found


def _by_document(group: MemorySettings | RecallSettings) -> Mapping[DocumentName, int | None]:
    return {"memory": group.memory_char_limit, "user": group.user_char_limit}


def limits_of(known: Mapping[DocumentName, Limits], document: DocumentName) -> Limits:
    """One document's limits: `user:anna` of a Profile has those of `user`. KeyError for an unknown name."""
    return known[document] if document in known else known[document.partition(":")[0]]


def usage(texts: Iterable[str], limits: Limits) -> Usage:
    """Count the notes of a store against its limits."""
    held = tuple(texts)
    return usage_of(length(held) + (limits.closing if held else 0), limits)


def usage_of(used: int, limits: Limits) -> Usage:
    """The same for a length that is known."""
    limit = limits.storage
    percent = 100 * used // limit if limit > 0 else 0
    return Usage(used, limit, min(percent, 100), percent, limits.inline, max(0, used - max(limit, 0)))


def usage_words(usage: Usage) -> str:
    """`67% — 1,474/2,200 chars`, as the prompt's header and the tool say it."""
    return f"{usage.percent}% — {short_usage(usage)} chars"


def short_usage(usage: Usage) -> str:
    """`1,474/2,200`."""
    return f"{usage.used:,}/{usage.limit:,}"


def level(usage: Usage) -> str:
    """How worried to be: `ok`, `high` from 80 %, `near` from 95 %, `over` the limit."""
    if usage.over:
        return "over"
    if usage.true_percent >= NEAR:
        return "near"
    return "high" if usage.true_percent >= HIGH else "ok"
