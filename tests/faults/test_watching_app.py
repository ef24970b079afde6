"""Faults of the kind "File watching" where they are seen: on the screen."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from digit_core.disk import watching
from digit_core.library import Library
from tests.digit_tui.driving import press, running, screen_text, settle
from tests.faults.faces import holds
from tests.faults.test_watching import WAYS, FakeObserver, shell
from tests.storing import joined, memory_file

MakeHome = Callable[..., Path]


async def seen(pilot: Pilot[int], words: str, seconds: float = 2.0) -> None:
    """Wait until the screen shows words; the faults say within two seconds."""
    end = time.monotonic() + seconds
    while not holds(screen_text(pilot.app), words):
        assert time.monotonic() < end, screen_text(pilot.app)
        await settle(pilot)
        await asyncio.sleep(0.01)


async def test_f134_every_way_to_save_is_on_screen_within_two_seconds(make_home: MakeHome) -> None:
    home = make_home(memory=b"note")
    path = memory_file(home)
    text = "note"
    async with running(home) as (app, pilot):
        for way, shell_line in WAYS.items():
            if shutil.which(shell_line.split()[0].strip("(")) is None and way in ("vim", "sed"):
                continue
            for _ in range(2):
                await asyncio.to_thread(shell(shell_line), path)
                text = path.read_bytes().decode().strip()
                await seen(pilot, f"{text} ")
        assert app.is_running
    assert text.startswith("note++++")


async def test_f135_the_screen_follows_after_our_own_save_and_the_next_save_merges(
    make_home: MakeHome,
) -> None:
    home = make_home(memory=joined("one", "two"))
    async with running(home) as (_, pilot):
        for number in range(3):
            await press(pilot, "g", "e", "!", "ctrl+s")
            memory_file(home).write_bytes(memory_file(home).read_bytes() + f"\n§\ntheirs {number}".encode())
            await seen(pilot, f"theirs {number}")
    assert memory_file(home).read_bytes() == joined("one!!!", "two", "theirs 0", "theirs 1", "theirs 2")


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENOSPC])
async def test_f137_without_watches_the_app_starts_polls_and_says_so_once(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse() -> FakeObserver:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(watching, "_system_observer", refuse)
    home = make_home(memory=joined("one", "two"))
    async with running(home) as (app, pilot):
        await seen(pilot, "gives no more watches", 5.0)
        await press(pilot, "s")
        assert "gives no more watches" not in screen_text(app)
        memory_file(home).write_bytes(joined("one", "two", "three"))
        await seen(pilot, "three", 5.0)
        assert "gives no more watches" not in screen_text(app), "said once"


async def test_f138_where_nothing_is_reported_the_screen_follows_and_the_key_works_at_once(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "_system_observer", FakeObserver)
    home = make_home(memory=joined("one", "two"))
    async with running(home) as (_, pilot):
        memory_file(home).write_bytes(joined("one", "two", "three"))
        await press(pilot, "ctrl+r")
        await seen(pilot, "three", 0.5)
        memory_file(home).write_bytes(joined("one", "two", "three", "four"))
        await seen(pilot, "four", 6.0)
        await press(pilot, "exclamation_mark")
        await seen(pilot, "does not report changes", 6.0)


async def test_f139_a_file_that_is_deleted_and_made_again_never_empties_the_list(
    make_home: MakeHome,
) -> None:
    home = make_home(memory=joined("one", "two"))
    async with running(home) as (app, pilot):
        counts = set()
        for number in range(5):
            data = memory_file(home).read_bytes()
            memory_file(home).unlink()
            await asyncio.sleep(0.005)
            memory_file(home).write_bytes(data + f"\n§\n{number}".encode())
            end = time.monotonic() + 0.3
            while time.monotonic() < end:
                await settle(pilot)
                assert app.snapshot is not None
                counts.add(len(tuple(app.snapshot.notes)))
                await asyncio.sleep(0.01)
        assert min(counts) >= 2
        assert max(counts) == 7


async def test_f141_an_idle_app_never_reads_again(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(memory=joined("one", "two"))
    async with running(home) as (app, pilot):
        await settle(pilot)
        await asyncio.sleep(0.3)
        reloads: list[float] = []
        real = Library.reload

        def counted(library: Library) -> object:
            reloads.append(time.monotonic())
            return real(library)

        monkeypatch.setattr(Library, "reload", counted)
        serial = app.snapshot.serial if app.snapshot is not None else 0
        before = time.process_time()
        for _ in range(20):
            memory_file(home).read_bytes()
            (home / "memories" / "other.md").write_bytes(b"x")
            await asyncio.sleep(0.1)
        assert reloads == []
        assert app.snapshot is not None
        assert app.snapshot.serial == serial
        assert time.process_time() - before < 1.0


async def test_f142_memories_that_are_made_while_it_runs_appear(tmp_path: Path) -> None:
    home = tmp_path / ".digit"
    home.mkdir()
    async with running(home) as (_, pilot):
        (home / "memories").mkdir()
        memory_file(home).write_bytes(b"the first note")
        await seen(pilot, "the first note")
        memory_file(home).write_bytes(joined("the first note", "the second"))
        await seen(pilot, "the second")
        (home / "config.yaml").write_text("memory: {recall: {memory_char_limit: 4321}}\n")
        await seen(pilot, "/4,321")
