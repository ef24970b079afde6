"""What every row shares: the homes, how long to measure, how to start and end the app."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import measure
from tests.benchmarks.measure import Strangers
from tests.benchmarks.terminal import Terminal


class Bench(NamedTuple):
    """What a row needs: the two homes and how long to measure."""

    home: Path
    large: Path
    runs: int
    idle: float
    """Seconds to watch an idle app."""
    env: dict[str, str]
    noise: list[float]
    """Strangers' share of a core in every run that was kept."""


def app(home: Path) -> list[str | Path]:
    """The command line that opens `home`."""
    return [measure.PROGRAM, "--home", home]


@contextmanager
def watched(bench: Bench) -> Iterator[Strangers]:
    """Note the share of strangers in one run."""
    with Strangers() as strangers:
        yield strangers
    bench.noise.append(strangers.share)


def quit_app(terminal: Terminal) -> None:
    """End an app the way a person does."""
    terminal.send(b"q")
    terminal.exit_code()
