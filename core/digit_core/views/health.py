"""Everything that is wrong with a home, in one list, each with the way out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from digit_core.disk.reading import is_folder
from digit_core.formats.config import ConfigProblem
from digit_core.formats.irregular import drift, irregularities
from digit_core.memory.homes import Home, canonical_strays
from digit_core.memory.last_good import LoadedSettings
from digit_core.views.snapshot import Problem, Severity, StoreState, StoreView

_TIDY = "Tidy the file: it is written in the agent's own form, and undo brings it back."

# What to do about each irregularity of a file (`formats.irregular`), and how much it matters.
_WAYS_OUT = {
    "stray delimiter": (Severity.NOTE, _TIDY, "tidy"),
    "near delimiter": (
        Severity.WARNING,
        "The agent does not split there. Split the note, or edit the line so that it is only §.",
        "split",
    ),
    "no delimiter": (
        Severity.WARNING,
        "Split it into notes: you see a preview first, and can undo it.",
        "split",
    ),
    "unbalanced fence": (
        Severity.NOTE,
        "A § line inside a code fence splits the note, as it does for the agent.",
        "edit",
    ),
    "merge marks": (
        Severity.WARNING,
        "Two versions were merged by a tool. Edit the notes between the marks and delete the marks.",
        "edit",
    ),
    "bad bytes": (
        Severity.ERROR,
        "The store is read-only here. Save the file as UTF-8, or restore a backup.",
        "history",
    ),
    "duplicate": (Severity.NOTE, "Delete one of them; the other stays.", "delete"),
}
_LOOK = (Severity.NOTE, "Open the file and look at the line.", "editor")
_DRIFT_WAYS_OUT = {
    "padding": (_TIDY, "tidy"),
    "long entry": ("Split that note or shorten it; undo brings it back.", "split"),
}
_QUIET = frozenset({"bom", "crlf", "mixed line ends"})
"""Kept byte for byte and harmless: shown by `digit memory status`, no problem of the home."""


def store_problems(store: StoreView) -> Iterator[Problem]:
    """What is wrong with one memory file."""
    if store.state not in (StoreState.READY, StoreState.MISSING) and store.why:
        severity = Severity.ERROR if store.state is StoreState.UNREADABLE else Severity.WARNING
        way_out = "" if store.unread else "You can still read and copy."  # else `why` says what to do
        yield Problem(store.state.value, severity, store.why, way_out, store.path, store.name)
    if not store.enabled:
        key = "memory_enabled" if store.name == "memory" else "user_profile_enabled"
        there = (
            f"{store.path.name} exists and is left as it is"
            if store.digest
            else f"{store.path.name} does not exist"
        )
        yield Problem(
            "disabled",
            Severity.WARNING,
            f"{store.label} is turned off for the agent (memory.{key} is false); {there}.",
            f"Turn it on with: digit config set memory.{key} true",
            store.path,
            store.name,
        )
    if store.usage.over > 0:
        yield Problem(
            "over limit",
            Severity.WARNING,
            f"{store.label} is {store.usage.over:,} characters over its limit; the agent cannot add to it.",
            "Make room: anything that shrinks it is allowed.",
            store.path,
            store.name,
            remedy="room",
        )
    for found in irregularities(store.document):
        if found.kind in _QUIET:
            continue
        severity, way_out, remedy = _WAYS_OUT.get(found.kind, _LOOK)
        yield Problem(
            found.kind, severity, found.message, way_out, store.path, store.name, found.line, remedy
        )
    drifted = drift(store.document, store.limits.storage)
    if drifted is not None and store.document.entries:
        way_out, remedy = _DRIFT_WAYS_OUT[drifted.kind]
        yield Problem(
            "drift",
            Severity.WARNING,
            f"The agent will refuse to edit {store.path.name}: {drifted.message}",
            way_out,
            store.path,
            store.name,
            drifted.line,
            remedy,
        )


def config_problems(path: Path, loaded: LoadedSettings) -> Iterator[Problem]:
    """What is wrong with config.yaml."""
    if loaded.broken is not None:
        used = "the last settings that could be read" if loaded.from_last_good else "default limits"
        yield Problem(
            "broken config",
            Severity.ERROR,
            f"config.yaml, line {loaded.broken.line}, column {loaded.broken.column}: {loaded.broken.problem}. "
            f"Using {used} meanwhile.",
            "Mend the line; the file is read again as soon as it is saved.",
            path,
            None,
            loaded.broken.line,
        )
    for problem in loaded.problems:
        yield Problem(
            "config value",
            Severity.WARNING,
            f"config.yaml, line {problem.line}: {problem.message}; using {problem.used}.",
            _config_way_out(problem),
            path,
            None,
            problem.line,
        )


def _config_way_out(problem: ConfigProblem) -> str:
    if not problem.key:
        return "The settings count all the same."
    if problem.by_hand:
        return "Change that line in the file itself."
    return f"Set it right with: digit config set {problem.key} VALUE"


def stray_problems(home: Home) -> Iterator[Problem]:
    """Files beside the memory files that look like them and are not read (F144, synced homes)."""
    for path in canonical_strays(home.memories):
        yield Problem(
            "stray file",
            Severity.WARNING,
            f"{path.name} lies beside the memory files; neither the agent nor this program reads it.",
            "If it holds notes you want, copy them in by hand, then remove it.",
            path,
        )


def vanished_problems(home: Home, vanished: Iterable[StoreView]) -> Iterator[Problem]:
    """Files that were there and are not, and it was not this program that removed them."""
    if not is_folder(home.path):
        return  # each store says so itself
    for store in vanished:
        if store.unread:
            continue  # what lies there instead is told already
        yield Problem(
            "file gone",
            Severity.ERROR,
            f"{store.path.name} is not there any more; another program removed or moved it.",
            "The backups bring it back; or bring the file back yourself.",
            store.path,
            store.name,
            remedy="history",
        )


def problems(
    home: Home,
    stores: Iterable[StoreView],
    loaded: LoadedSettings,
    watch_notice: str | None = None,
    vanished: Iterable[StoreView] = (),
) -> tuple[Problem, ...]:
    """Every problem of a home, the gravest first.

    `watch_notice` says why changes are polled for, if they are; `vanished` are stores whose file is gone.
    """
    found = [
        *vanished_problems(home, vanished),
        *config_problems(home.config_path, loaded),
        *(problem for store in stores for problem in store_problems(store)),
        *stray_problems(home),
        *(Problem("home", Severity.NOTE, notice, "", home.path) for notice in home.notices),
        *(
            [Problem("watching", Severity.NOTE, watch_notice, "^r reads again at once.")]
            if watch_notice
            else []
        ),
    ]
    order = list(Severity)
    return tuple(sorted(found, key=lambda problem: order.index(problem.severity)))
