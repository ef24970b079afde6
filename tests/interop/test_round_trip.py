"""Every example home, in every form a file is found in: opened, read, one note edited, undone; `cmp` says the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from digit_core.formats.document import parse
from digit_tui.app import DigitApp
from tests.digit_tui.driving import press, running, screen_text, settle

HOMES = ("small", "grown", "real/hermes-fork-zh", "real/hermes-nixos-a", "real/hermes-webteam-ko")
CopyHome = Callable[[str], Path]


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def bom(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def final_newline(data: bytes) -> bytes:
    return data.rstrip(b"\n") + b"\n"


def no_final_newline(data: bytes) -> bytes:
    return data.rstrip(b"\n")


def padding(data: bytes) -> bytes:
    return b"\n  " + data.replace(b"\n\xc2\xa7\n", b"  \n\n\xc2\xa7\n\n\t") + b" \n\n"


def as_it_is(data: bytes) -> bytes:
    return data


FORMS = (as_it_is, crlf, bom, final_newline, no_final_newline, padding)


def files(home: Path) -> dict[Path, bytes]:
    """Every file of the home that is not ours, and its bytes."""
    return {
        path: path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and home / "digit-tui" not in path.parents and path.suffix != ".lock"
    }


def assert_only(before: dict[Path, bytes], home: Path, changed: Path | None) -> None:
    """Every file but `changed`, our own folder and lock files holds the bytes it held, and there is no other."""
    now = files(home)
    assert now.keys() == before.keys()
    assert [path for path in before if now[path] != before[path] and path != changed] == []


@pytest.mark.parametrize("name", HOMES)
async def test_one_edit_changes_one_note_and_undo_nothing(copy_home: CopyHome, name: str) -> None:
    home = copy_home(name)
    stores = [home / "memories" / file for file in ("MEMORY.md", "USER.md")]
    original = [path.read_bytes() for path in stores]
    async with running(home, size=(120, 40)) as (app, pilot):
        await press(pilot, "j", "k", "G", "g", "s", "s", "s")
        for form in FORMS:
            for path, data in zip(stores, original, strict=True):
                path.write_bytes(form(data))
            await press(pilot, "ctrl+r", "g")
            await edit_and_undo(app, pilot, home)


async def edit_and_undo(app: DigitApp, pilot: Pilot[int], home: Path) -> None:
    """Edit the second note in place and take it back; the bytes of everything else are watched."""
    before = files(home)
    memory = home / "memories" / "MEMORY.md"
    old = parse(before[memory])
    assert app.snapshot is not None
    assert app.snapshot.store("memory").document.raw == old.raw
    count = len(app.snapshot.store("memory").notes)
    # The second note, or the only one; the text gets two letters more.
    target = 1 if count > 1 else 0
    await press(pilot, *["j"] * target, "e", "o", "k", "ctrl+s")
    await settle(pilot)
    if app.snapshot.store("memory").usage.over and "characters" in screen_text(app):
        # Over its limit nothing may grow; so it shrinks.
        await press(pilot, *["backspace"] * 4, "ctrl+s")
    after = parse(memory.read_bytes())
    entry = old.entries[target]
    assert after.raw[: entry.start] == old.raw[: entry.start]
    tail = len(old.raw) - entry.end
    assert after.raw[len(after.raw) - tail :] == old.raw[entry.end :]
    assert after.bom == old.bom
    assert after.raw != old.raw
    assert [text for index, text in enumerate(after.texts) if index != target] == [
        text for index, text in enumerate(old.texts) if index != target
    ]
    assert_only(before, home, memory)
    await press(pilot, "z")
    assert memory.read_bytes() == before[memory]
    assert_only(before, home, None)
