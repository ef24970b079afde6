"""The app is open and editing while eight processes write the same file; half of them are not ours."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.document import parse
from tests.core.memory.test_concurrent import OURS, THEIRS
from tests.digit_tui.driving import press, running, until

MakeHome = Callable[..., Path]


async def write_beside(home: Path, count: int, sources: list[str]) -> None:
    """Edit the first note in the app, over and over, while each of the processes adds `count` notes."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    path = home / "memories" / "MEMORY.md"
    async with running(home, size=(100, 30)) as (app, pilot):
        writers = [
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", source, str(home), f"w{index}", str(count), env=env
            )
            for index, source in enumerate(sources)
        ]
        waiting = asyncio.gather(*(writer.wait() for writer in writers))
        typed = 0
        while not waiting.done() or typed == 0:
            await press(pilot, "g", "e", "x", "ctrl+s")
            typed += 1
            await until(pilot, lambda: app.main.editor is None, f"save {typed}", 60.0)
        assert await waiting == [0] * len(writers)
        await press(pilot, "ctrl+r")
        texts = parse(path.read_bytes()).texts
        expected = {f"w{index} entry {number}" for index in range(len(sources)) for number in range(count)}
        assert set(texts[1:]) == expected
        assert len(texts) == len(expected) + 1
        assert texts[0] == "mine" + "x" * typed
        assert app.snapshot is not None
        assert tuple(note.text for note in app.snapshot.store("memory").notes) == texts


async def test_eight_writers_and_the_editor_lose_nothing(make_home: MakeHome) -> None:
    await write_beside(
        make_home(memory=b"mine", config="memory:\n  recall:\n    enabled: true\n"), 12, [OURS] * 8
    )


async def test_half_of_the_writers_follow_the_agents_sequence(make_home: MakeHome) -> None:
    await write_beside(
        make_home(memory=b"mine", config="memory:\n  recall:\n    enabled: true\n"), 12, [OURS, THEIRS] * 4
    )


@pytest.mark.torture
@pytest.mark.timeout(900)
@pytest.mark.parametrize("sources", [[OURS] * 8, [OURS, THEIRS] * 4], ids=["ours", "half not ours"])
async def test_sixteen_hundred_entries_and_the_edit(make_home: MakeHome, sources: list[str]) -> None:
    await write_beside(
        make_home(memory=b"mine", config="memory:\n  recall:\n    enabled: true\n"), 200, sources
    )
