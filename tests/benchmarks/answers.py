"""How soon a key is answered and what a save costs: rows in milliseconds, the floor is an empty app's frame."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from digit_core.library import Library
from digit_core.memory.changes import Change, Replace
from digit_core.memory.homes import find_home
from tests.benchmarks import homes
from tests.benchmarks.bench import Bench, app, quit_app, watched
from tests.benchmarks.measure import Row, Samples
from tests.benchmarks.terminal import Terminal

TEXT: tuple[str | Path, ...] = (sys.executable, Path(__file__).with_name("text_app.py"))

KEY_BUDGET = 25
"""Milliseconds from a key to the first byte of its answer (design, "keystroke → painted result")."""
TYPING_BUDGET = 2
"""A letter takes at most twice as long as in a bare text area: the length is counted and said each time."""
APPLY_BUDGET = 50
"""Milliseconds of one change to a store of 200 KB: lock, two reads, backup, five fsyncs, history."""
LONG_BUDGET = 100
"""Milliseconds from the key that goes to the longest note until its text is on screen."""
LONG = 100_000
"""Code points of the longest note that is tried."""


def answered(terminal: Terminal, keys: Sequence[bytes], times: int) -> Samples:
    """Seconds from each key to the first byte that comes back; the keys by turns."""
    found = []
    for number in range(times):
        terminal.forget()
        sent = time.perf_counter()
        terminal.send(keys[number % len(keys)])
        if not terminal.read(5):
            raise TimeoutError(f"no answer to {keys[number % len(keys)]!r}")
        found.append(time.perf_counter() - sent)
        terminal.wait_quiet(0.12)
    return Samples(tuple(found))


def _row(what: str, found: Samples) -> Row:
    return Row(
        what, found.quantile(0.95) * 1000, "ms", KEY_BUDGET, f"{found.words()}, {len(found.values)} keys"
    )


def keys(bench: Bench) -> Iterator[Row]:
    """The cursor, one key and held down; letters in the find line."""
    times = 4 * bench.runs
    with watched(bench), Terminal(app(bench.home), cols=120, rows=36, env=bench.env) as terminal:
        terminal.wait_for(homes.TITLES[0].encode())
        terminal.wait_quiet(1.0)
        yield _row("key in the list → painted, p95", answered(terminal, [b"j", b"j", b"k"], times))
        yield _held(terminal)
        terminal.send(b"g/")
        terminal.wait_quiet(0.5)
        yield _row("letter in the find line → painted, p95", answered(terminal, [b"s", b"\x7f"], times))
        terminal.send(b"\x1b")
        terminal.wait_quiet(0.5)
        quit_app(terminal)


def typing(bench: Bench) -> Iterator[Row]:
    """A letter in the editor, beside one in a text area that is alone on its screen; by turns."""
    ours: list[float] = []
    floor: list[float] = []
    with (
        watched(bench),
        Terminal(app(bench.home), cols=120, rows=36, env=bench.env) as terminal,
        Terminal(TEXT, cols=120, rows=36, env=bench.env) as least,
    ):
        terminal.wait_for(homes.TITLES[0].encode())
        terminal.wait_quiet(1.0)
        terminal.send(b"e")
        terminal.wait_quiet(1.0)
        least.wait_for(b"Emptyfloor")
        least.wait_quiet(1.0)
        for _ in range(2 * bench.runs):
            ours += answered(terminal, [b"a", b"\x7f"], 2).values
            floor += answered(least, [b"a", b"\x7f"], 2).values
        terminal.process.terminate()
        terminal.exit_code()
        least.process.terminate()
        least.exit_code()
    a, b = Samples(tuple(floor)), Samples(tuple(ours))
    behind = f"{b.words()}, p95 {b.quantile(0.95) * 1000:.0f} ms; a text area alone {a.words()}"
    yield Row("letter in the editor → painted, median", b.median / a.median, "×", TYPING_BUDGET, behind)


def _held(terminal: Terminal) -> Row:
    """A key held down for three seconds (30 a second): how long the picture goes on after it is let go."""
    for _ in range(90):
        terminal.send(b"j")
        until = time.perf_counter() + 1 / 30
        while (left := until - time.perf_counter()) > 0:
            terminal.read(left)
    released = last = time.perf_counter()
    while terminal.read(0.3):
        last = time.perf_counter()
    after = (last - released) * 1000
    return Row("cursor key held 3 s, picture behind it", after, "ms", 100, "90 keys, 30 a second")


def long_note(bench: Bench) -> Iterator[Row]:
    """A note of 100,000 characters: from the key that goes to it until its text is painted."""
    home = bench.home.with_name("long") / ".digit"
    shutil.copytree(bench.home / "memories", home / "memories")
    (home / "config.yaml").write_text("memory:\n  recall:\n    memory_char_limit: 1000000\n", "utf-8")
    path = home / "memories" / "MEMORY.md"
    words = "wrapped words of a long note "
    note = (
        "Longanchor\n" + words * 10 + "Longbody " + words * (LONG // len(words) - 10)
    )  # not in the list's row
    parts = path.read_bytes().decode().split(homes.DELIMITER)
    path.write_bytes(homes.DELIMITER.join([parts[0], note, *parts[2:]]).encode())
    waits = []
    with watched(bench), Terminal(app(home), cols=120, rows=36, env=bench.env) as terminal:
        terminal.wait_for(homes.ENDS[0].encode())
        for _ in range(bench.runs):
            terminal.wait_quiet(0.3)
            terminal.forget()
            sent = time.perf_counter()
            terminal.send(b"j")
            waits.append(terminal.wait_for(b"Longbody") - sent)
            terminal.wait_quiet(0.3)
            terminal.send(b"k")
        terminal.wait_quiet(0.3)
        quit_app(terminal)
    found = Samples(tuple(waits))
    yield Row(
        f"note of {LONG:,} characters → painted, p95",
        found.quantile(0.95) * 1000,
        "ms",
        LONG_BUDGET,
        found.words(),
    )


def apply(bench: Bench) -> Iterator[Row]:
    """One note replaced in the large file of the home, in this process, durably."""
    home = bench.home.with_name("applied") / ".digit"
    shutil.copytree(bench.home / "memories", home / "memories")
    shutil.copyfile(bench.home / "config.yaml", home / "config.yaml")
    waits = []
    with watched(bench), Library(find_home(home=str(home), env={})) as library:
        for number in range(4 * bench.runs):
            notes = library.snapshot.stores[0].notes
            note = notes[(number * 7) % len(notes)]
            change = Change((Replace(note.ref, f"{note.text} {number}"),))
            start = time.perf_counter()
            outcome = library.store.apply(change)
            waits.append(time.perf_counter() - start)
            if not outcome.ok:
                raise RuntimeError(outcome.message)
            library.reload()
    found = Samples(tuple(waits))
    size = _size(home / "memories" / "MEMORY.md")
    yield Row(f"one change to a store of {size} KB", found.median * 1000, "ms", APPLY_BUDGET, found.words())


def _size(path: Path) -> int:
    return round(path.stat().st_size / 1000)
