"""Real processes on one home: every entry that was said to be saved is there, once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.memory.changes import Principal
from tests.storing import joined, memory_file, open_store, replace

MakeHome = Callable[..., Path]

OURS = """
import sys
from digit_core.formats.settings import Settings
from digit_core.memory.changes import Add, Change
from digit_core.memory.homes import find_home
from digit_core.memory.store import Store
home, name, count = sys.argv[1:]
store = Store(find_home(home, kind="digit"), settings=Settings, lock_timeout=60.0)
for number in range(int(count)):
    outcome = store.apply(Change((Add("memory", f"{name} entry {number}"),)))
    assert outcome.ok and outcome.changed and not outcome.notices, outcome
"""

THEIRS = """
import fcntl, os, sys, tempfile
home, name, count = sys.argv[1:]
path = os.path.join(home, "memories", "MEMORY.md")
for number in range(int(count)):
    with open(path + ".lock", "a") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        with open(path, encoding="utf-8") as file:
            entries = [piece.strip() for piece in file.read().split("\\n§\\n")]
        entries = [entry for entry in dict.fromkeys(entries) if entry] + [f"{name} entry {number}"]
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".mem_", suffix=".tmp")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write("\\n§\\n".join(entries))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
"""


def _run(home: Path, count: int, sources: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [
        subprocess.Popen([sys.executable, "-c", source, str(home), f"w{index}", str(count)], env=env)
        for index, source in enumerate(sources)
    ]
    store = open_store(home, lock_timeout=60.0)
    edits = 0
    while any(writer.poll() is None for writer in writers):
        assert replace(store, f"edited {edits} times", f"edited {edits + 1} times").ok
        edits += 1
    assert [writer.wait() for writer in writers] == [0] * len(writers)
    texts = store.read("memory").document.texts
    expected = {f"w{index} entry {number}" for index in range(len(sources)) for number in range(count)}
    assert len(texts) == len(expected) + 1
    assert set(texts) == expected | {f"edited {edits} times"}
    assert texts[0] == f"edited {edits} times"
    assert memory_file(home).read_bytes() == joined(*texts)
    for index in range(len(sources)):  # each writer's own come in its order
        mine = [text for text in texts if text.startswith(f"w{index} ")]
        assert mine == [f"w{index} entry {number}" for number in range(count)]
    left = [path.name for path in (home / "memories").iterdir()]
    assert sorted(left) == ["MEMORY.md", "MEMORY.md.lock"]


def test_eight_processes_add_while_one_edits(make_home: MakeHome) -> None:
    home = make_home(memory=b"edited 0 times")
    _run(home, 25, [OURS] * 8)
    store = open_store(home)
    records = store.history()
    assert {record.principal for record in records} == {Principal.PERSON}
    assert sum(len(record.steps) for record in records if "edited" not in record.summary) == 200


def test_half_of_the_writers_are_not_ours(make_home: MakeHome) -> None:
    _run(make_home(memory=b"edited 0 times"), 10, [OURS, THEIRS] * 2)


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("sources", [[OURS] * 8, [OURS, THEIRS] * 4], ids=["ours", "half not ours"])
def test_eight_processes_add_two_hundred_each(make_home: MakeHome, sources: list[str]) -> None:
    _run(make_home(memory=b"edited 0 times"), 200, sources)
