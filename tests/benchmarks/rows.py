"""The rows of the design's budget table that can be measured now, each beside its floor, A and B by turns."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks import answers, homes, measure
from tests.benchmarks.bench import Bench, app, quit_app, watched
from tests.benchmarks.measure import Row, Samples, Strangers
from tests.benchmarks.terminal import Terminal

EMPTY: tuple[str | Path, ...] = (sys.executable, Path(__file__).with_name("empty_app.py"))
FLOOR = b"Emptyfloor"
NOISY = 0.15
"""A run is taken again when strangers used more than this share of a core (three times at most)."""


def paint_once(bench: Bench, argv: Sequence[str | Path], sentinel: bytes, cols: int, rows: int) -> float:
    """Seconds from the start of the program until `sentinel` reaches the terminal, at its quietest."""
    tries: list[tuple[float, float]] = []
    for _ in range(3):
        with Strangers() as strangers, Terminal(argv, cols=cols, rows=rows, env=bench.env) as terminal:
            seconds = terminal.wait_for(sentinel) - terminal.started
            terminal.wait_quiet(0.1)
            quit_app(terminal)
        tries.append((strangers.share, seconds))
        if strangers.share <= NOISY:
            break
    share, seconds = min(tries)
    bench.noise.append(share)
    return seconds


def first_paint(bench: Bench) -> Iterator[Row]:
    """First paint with a note's own text, at 80×24 and 200×60, and that of the large home."""
    title = homes.TITLES[0].encode()
    for cols, rows in ((80, 24), (200, 60)):
        floor, ours, large = [], [], []
        for _ in range(bench.runs):
            floor.append(paint_once(bench, EMPTY, FLOOR, cols, rows))
            ours.append(paint_once(bench, app(bench.home), title, cols, rows))
            large.append(paint_once(bench, app(bench.large), title, cols, rows))
        a, b, c = Samples(tuple(floor)), Samples(tuple(ours)), Samples(tuple(large))
        behind = f"{b.words()}; empty app {a.words()}; median ratio {b.median / a.median:.2f}"
        yield Row(f"first paint {cols}×{rows}", b.low / a.low, "×", 1.6, behind)
        behind = f"{c.words()}; 1,200 notes {b.words()}"
        yield Row(f"… 12,000 notes {cols}×{rows}", c.low / b.low, "×", 1.5, behind)


def filled(bench: Bench) -> Iterator[Row]:
    """Every pane filled: list and the whole of the first note, where both are on screen."""
    end = homes.ENDS[0].encode()
    floor, ours = [], []
    for _ in range(bench.runs):
        floor.append(paint_once(bench, EMPTY, FLOOR, 200, 60))
        ours.append(paint_once(bench, app(bench.home), end, 200, 60))
    a, b = Samples(tuple(floor)), Samples(tuple(ours))
    yield Row("every pane filled 200×60", b.low / a.low, "×", 2.5, f"{b.words()}; empty app {a.words()}")


def first_key(bench: Bench) -> Iterator[Row]:
    """A key sent the moment a note is painted moves to the next note, whose text then appears."""
    lost, waits = 0, []
    for _ in range(bench.runs):
        with watched(bench), Terminal(app(bench.home), cols=200, rows=60, env=bench.env) as terminal:
            painted = terminal.wait_for(homes.TITLES[0].encode())
            terminal.send(b"j")
            try:
                waits.append(terminal.wait_for(homes.ENDS[1].encode(), 3) - painted)
            except TimeoutError:
                lost += 1
            quit_app(terminal)
    behind = (
        f"{bench.runs} starts; answered after {Samples(tuple(waits)).words()}"
        if waits
        else "none was answered"
    )
    yield Row("first keys lost", lost, "", 0, behind)


def commands(bench: Bench) -> Iterator[Row]:
    """Whole runs of `digit memory status`, in CPU, against an interpreter that does nothing."""
    floor, ours = [], []
    status: list[str | Path] = [measure.PROGRAM_CLI, "memory", "status", "--home", bench.home]
    measure.command_cpu(status, bench.env)
    for _ in range(2 * bench.runs):
        with watched(bench):
            floor.append(measure.command_cpu([sys.executable, "-c", "pass"], bench.env))
            ours.append(measure.command_cpu(status, bench.env))
    a, b = Samples(tuple(floor)), Samples(tuple(ours))
    behind = f"CPU {b.words()}; python -c pass {a.words()}; median ratio {b.median / a.median:.2f}"
    yield Row("digit memory status", b.low / a.low, "×", 8, behind)


def replace(path: Path, data: bytes) -> None:
    """Write as the agent does: a temporary file in the same folder, fsync, replace."""
    handle, name = tempfile.mkstemp(prefix=".mem_", suffix=".tmp", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(name).replace(path)


def outside_change(bench: Bench) -> Iterator[Row]:
    """From the moment that somebody else's write is there until it is painted. The home has a history by then: what
    others wrote is noted in it."""
    path = bench.home / "memories" / "MEMORY.md"
    for words in (("add", "A note for the history"), ("undo",)):
        measure.command_cpu([measure.PROGRAM_CLI, "memory", *words, "--home", bench.home], bench.env)
    original = path.read_bytes()
    waits: list[float] = []
    with watched(bench), Terminal(app(bench.home), cols=120, rows=36, env=bench.env) as terminal:
        terminal.wait_for(homes.TITLES[0].encode())
        terminal.wait_quiet(1.0)
        for number in range(4 * bench.runs):
            token = f"Ticked{number:04}x".encode()
            data = original.replace(homes.TITLES[0].encode(), token, 1)
            terminal.forget()
            replace(path, data) if number % 2 else path.write_bytes(data)
            written = time.perf_counter()
            waits.append(terminal.wait_for(token) - written)
            terminal.wait_quiet(0.3)
        quit_app(terminal)
    replace(path, original)
    found = Samples(tuple(waits))
    behind = f"{found.words()}, {len(waits)} changes, half by replace, half in place"
    yield Row("changed outside → painted, p95", found.quantile(0.95) * 1000, "ms", 120, behind)


def idle(bench: Bench) -> Iterator[Row]:
    """A quiet app beside a quiet empty one, at the same time: bytes, CPU and memory."""
    if not Path("/proc/self/schedstat").exists():
        return
    with (
        watched(bench),
        Terminal(app(bench.home), cols=120, rows=36, env=bench.env) as ours,
        Terminal(EMPTY, cols=120, rows=36, env=bench.env) as floor,
    ):
        ours.wait_for(homes.TITLES[0].encode())
        floor.wait_for(FLOOR)
        for terminal in (ours, floor):
            terminal.wait_quiet(1.0)
            terminal.forget()
        pids = (ours.process.pid, floor.process.pid)
        before = [measure.process_cpu(pid) for pid in pids]
        end = time.perf_counter() + bench.idle
        while (left := end - time.perf_counter()) > 0:
            ours.read(left)
        used, least = (measure.process_cpu(pid) - start for pid, start in zip(pids, before, strict=True))
        rss, least_rss = (measure.process_rss(pid) for pid in pids)
        sent = len(ours.output)
        grown = [_after_keys(ours, 2_000), _after_keys(ours, 2_000)]
        quit_app(ours)
        quit_app(floor)
    yield Row(f"idle {bench.idle:g} s, bytes sent", sent, "B", 0, "")
    behind = f"{used * 1000:.0f} ms; empty app {least * 1000:.0f} ms"
    yield Row(f"idle {bench.idle:g} s, CPU", used / least, "×", 1.2, behind)
    behind = f"{rss:.1f} MiB; empty app {least_rss:.1f} MiB"
    yield Row("memory (RSS)", rss / least_rss, "×", 1.8, behind)
    behind = f"{grown[0]:.1f} MiB after the first 2,000, {grown[1]:.1f} MiB after 2,000 more"
    yield Row("… growth over 2,000 keys", grown[1] - grown[0], "MiB", 1, behind)


def _after_keys(terminal: Terminal, count: int) -> float:
    """Resident memory after so many keys up and down the whole list."""
    for key in (b"j", b"k", b"\x04", b"\x15"):
        terminal.send(key * (count // 4))
        terminal.wait_quiet(1.0, 120)
    return measure.process_rss(terminal.process.pid)


ROWS = {
    "paint": first_paint,
    "filled": filled,
    "key": first_key,
    "commands": commands,
    "outside": outside_change,
    "keys": answers.keys,
    "typing": answers.typing,
    "long": answers.long_note,
    "apply": answers.apply,
    "idle": idle,
}
"""Groups of rows by the name that `--only` takes."""
