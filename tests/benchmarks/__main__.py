"""Measure and print: `python -m tests.benchmarks [--only paint,commands] [--runs 10] [--idle 60]`."""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks import homes, measure
from tests.benchmarks.bench import Bench
from tests.benchmarks.rows import ROWS


def main() -> int:
    """Build two homes, measure what was asked for, print the table. 1 when a budget does not hold."""
    options = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    options.add_argument("--only", default=",".join(ROWS), help=f"some of {','.join(ROWS)}")
    options.add_argument("--runs", type=int, default=10, help="measurements of each kind (10)")
    options.add_argument("--idle", type=float, default=60, help="seconds to watch an idle app (60)")
    options.add_argument("--notes", type=int, default=1_200, help="notes in the home (1,200)")
    options.add_argument("--messages", type=int, default=100_000, help="messages in its state.db (100,000)")
    chosen = options.parse_args()
    measure.compile_all()
    with tempfile.TemporaryDirectory(prefix="digit-bench-") as folder:
        place = Path(folder)
        bench = Bench(
            homes.build(place, chosen.notes, chosen.messages),
            homes.build(place, 10 * chosen.notes, 3_000),
            chosen.runs,
            chosen.idle,
            measure.child_env(place),
            [],
        )
        rows = [row for name in chosen.only.split(",") for row in ROWS[name](bench)]
    machine = f"{platform.system()}, {os.cpu_count()} CPUs"
    print(f"Textual {version('textual')}, Python {platform.python_version()}, {machine}")
    print(f"homes of {chosen.notes:,} and {10 * chosen.notes:,} notes by {homes.made_by()}")
    if bench.noise:
        noise = f"median {statistics.median(bench.noise):.0%}, most {max(bench.noise):.0%} of a core"
        print(
            f"noise: others used {noise}; a paint with more than 15 % was measured again, up to three times"
        )
    print()
    print(measure.table(rows))
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
