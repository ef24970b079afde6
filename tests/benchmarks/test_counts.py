"""Counts, not clocks: what a command imports. The clocks are printed by `python -m tests.benchmarks`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from digit_tui.demo import make_demo_home

# Each of these costs a command a third of an interpreter's start or more.
HEAVY = (
    "textual",
    "rich",
    "asyncio",
    "watchdog",
    "wcwidth",
    "sqlite3",
    "platformdirs",
    "dataclasses",
    "subprocess",
    "tempfile",
    "uuid",
    "difflib",
    "importlib.metadata",
    "email",
)

PROBE = """
import sys
from digit_tui.cli.entry import main_digit
try:
    code = main_digit(sys.argv[1:])
except SystemExit as error:
    code = error.code
sys.stdout.flush()
print(*sorted(sys.modules), sep="\\n", file=sys.__stderr__)
sys.exit(code)
"""


def modules(*arguments: str | Path) -> list[str]:
    """Every module in memory after `digit …` in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout
    return done.stderr.splitlines()


@pytest.mark.parametrize(
    "command",
    [("memory", "status"), ("memory", "list"), ("memory", "show", "1"), ("config", "list")],
    ids=" ".join,
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["words", "json"])
def test_a_command_imports_nothing_heavy(command: tuple[str, ...], form: tuple[str, ...]) -> None:
    found = modules(*command, *form, "--home", make_demo_home())
    assert [name for name in found if name in HEAVY] == []


def test_status_needs_few_modules() -> None:
    bare = subprocess.run(
        [sys.executable, "-c", "import sys; print(len(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(modules("memory", "status", "--home", make_demo_home())) - int(bare.stdout) < 135


def test_the_core_is_imported_without_a_screen_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import sys, digit_core.library; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"textual", "rich", "watchdog", "digit_tui"} & set(done.stdout.split())


ONLY_FOR_CHANGES = {
    f"digit_core.{name}"
    for name in (
        "memory.changes",
        "memory.store",
        "memory.planning",
        "memory.drafts",
        "memory.merge",
        "memory.undo",
        "memory.outside",
        "memory.commit",
        "disk.backups",
        "formats.splice",
        "views.differences",
    )
}


def test_looking_imports_nothing_that_only_changes_need() -> None:
    """A fifth of `digit memory status` when it did."""
    found = modules("memory", "status", "--home", make_demo_home())
    assert [name for name in found if name in ONLY_FOR_CHANGES] == []
