"""What tests of the command line share: calling it, in this process and as a program of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from digit_tui.cli.entry import main_digit

PROGRAM = Path(sys.executable).with_name("digit")


class Said(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:  # noqa: ANN401  # whatever the command prints
        return json.loads(self.out)


Digit = Callable[..., Said]


@pytest.fixture
def digit(capsys: pytest.CaptureFixture[str]) -> Digit:
    """Call `digit` in this process: `digit("memory", "list", home=path)`."""

    def call(*words: str, home: Path | None = None) -> Said:
        capsys.readouterr()
        code = main_digit([*words, *(["--home", str(home)] if home else [])])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call


class Ran(NamedTuple):
    """The same of a process, in bytes."""

    code: int
    out: bytes
    err: bytes


Program = Callable[..., Ran]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Run `digit` as a program: `program("memory", "list", home=path, stdin=b"", env={...})`."""

    def run(
        *words: str, home: Path | None = None, stdin: bytes = b"", env: dict[str, str] | None = None
    ) -> Ran:
        argv = [str(PROGRAM), *words, *(["--home", str(home)] if home else [])]
        done = subprocess.run(
            argv,
            input=stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run
