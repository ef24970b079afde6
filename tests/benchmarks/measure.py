"""Rulers: CPU of a process, its memory, strangers' use of the machine, and a table of ratios."""

from __future__ import annotations

import compileall
import importlib.util
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAM = Path(sys.executable).with_name("digit-tui")
"""The installed command of this environment. A shim on PATH would be measured as ours."""
PROGRAM_CLI = Path(sys.executable).with_name("digit")


class Row(NamedTuple):
    """One line of the table."""

    what: str
    value: float
    unit: str
    budget: float
    """The value is at most this."""
    detail: str
    """The figures behind the value: minimum and median, ours beside the floor."""

    @property
    def met(self) -> bool:
        """Whether the budget holds."""
        return self.value <= self.budget


class Samples(NamedTuple):
    """Several measurements of one thing, in the order they were taken."""

    values: tuple[float, ...]

    @property
    def low(self) -> float:
        """The smallest."""
        return min(self.values)

    @property
    def median(self) -> float:
        """The middle one."""
        return statistics.median(self.values)

    def quantile(self, share: float) -> float:
        """The value that `share` of the samples do not exceed (nearest rank)."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1))]

    def words(self, scale: float = 1000, unit: str = "ms") -> str:
        """`min 212 med 230 ms`."""
        return f"min {self.low * scale:.0f} med {self.median * scale:.0f} {unit}"


def compile_all() -> None:
    """Write byte code for whatever a start imports: without it the first paint costs four times as much."""
    names = ("digit_core", "digit_tui", "textual", "rich", "yaml", "watchdog", "platformdirs", "wcwidth")
    for name in names:
        found = importlib.util.find_spec(name)
        for folder in (found.submodule_search_locations or []) if found else []:
            compileall.compile_dir(folder, quiet=2)


def child_env(folder: Path) -> dict[str, str]:
    """Settings folders for a child, so that nobody's own settings are measured."""
    return {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder)}


def command_cpu(argv: Sequence[str | Path], env: dict[str, str]) -> float:
    """Seconds of CPU (user and system) of one whole process. Raises CalledProcessError when it fails."""
    process = subprocess.Popen(
        [os.fspath(part) for part in argv], stdout=subprocess.DEVNULL, env={**os.environ, **env}, text=False
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, [str(part) for part in argv])
    return usage.ru_utime + usage.ru_stime


def process_cpu(pid: int) -> float:
    """Seconds of CPU of a running process, all threads, those that have ended too. Linux only."""
    return time.clock_gettime((~pid << 3) | 2)  # the kernel's name for that clock: clock_getcpuclockid(3)


def process_rss(pid: int) -> float:
    """Resident memory in MiB. Linux only."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no VmRSS of process {pid}")


class Strangers:
    """How much of one core others used meanwhile: `with Strangers() as s: …; s.share`.

    0.0 where it cannot be known. Only children that have been waited for count as ours.
    """

    def __init__(self) -> None:
        self.share = 0.0

    def __enter__(self) -> Strangers:
        self._before = self._foreign()
        self._start = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        wall = time.perf_counter() - self._start
        self.share = max(0.0, self._foreign() - self._before) / wall if wall else 0.0

    def _foreign(self) -> float:
        try:
            fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
        except OSError:
            return 0.0
        busy = sum(map(int, fields[:3])) + sum(map(int, fields[5:8]))
        ours = sum(os.times()[:4])
        return busy / os.sysconf("SC_CLK_TCK") - ours


def table(rows: Iterable[Row]) -> str:
    """The rows as text: what, value, budget, verdict, and the figures behind it."""
    lines = [("what", "value", "budget", "", "behind it")]
    for row in rows:
        lines.append(
            (
                row.what,
                f"{row.value:,.2f} {row.unit}".rstrip(),
                f"≤ {row.budget:g} {row.unit}".rstrip(),
                "ok" if row.met else "OVER",
                row.detail,
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        "  ".join(
            (what.ljust(widths[0]), value.rjust(widths[1]), limit.rjust(widths[2]), verdict.ljust(4), detail)
        )
        for what, value, limit, verdict, detail in lines
    )
