"""Making room: what is offered, marks, the live meter, and the way back from the editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from digit_tui.app import DigitApp
from digit_tui.screens.dialog import Title
from tests.digit_tui.driving import press, running, screen_text, until
from tests.digit_tui.screens.support import words

CONFIG = "memory:\n  memory_char_limit: 90\n  recall:\n    enabled: false\n"
FULL = "\n§\n".join(["twice", "long " * 8 + "end", "twice", "middle one", "short"])


def shown(app: DigitApp) -> str:
    return words(screen_text(app).split("\n"))


def memory(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_bytes().decode()


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=FULL, config=CONFIG)


async def test_surplus_and_candidates_with_what_each_frees(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r")
        text = shown(app)
        assert f"{len(FULL)}/90 · 88% △ high" in text
        assert "△ Free 8 more characters to get to 80%." in text
        assert text.index("duplicate") < text.index("long ")
        assert "▸ ≡ twice" in text
        assert "frees 8" in text


async def test_delete_asks_shows_the_text_frees_and_undo_brings_it_back(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r", "d")
        assert "Delete this note? It frees 8 characters twice" in shown(app)
        await press(pilot, "enter")
        assert memory(home) == FULL
        await press(pilot, "d", "y")
        assert memory(home) == FULL.replace("end\n§\ntwice", "end")
        assert "72/90 · 80% △ high" in shown(app)
        assert "✓ At 80% or less: the agent has room." in shown(app)
        assert "✓ Removed “twice” from MEMORY" in shown(app)
        await press(pilot, "z")
        assert memory(home) == FULL
        assert "✓ Undid: Removed “twice” from MEMORY." in shown(app)
        assert f"{len(FULL)}/90" in shown(app)
        assert "▸ ≡ twice" in shown(app)


async def test_several_are_marked_and_go_in_one_change(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r", "space", "space", "d")
        assert "Delete these 2 notes?" in shown(app)
        await press(pilot, "y")
        assert memory(home) == "twice\n§\nmiddle one\n§\nshort"
        await press(pilot, "z")
        assert memory(home) == FULL


async def test_marks_survive_a_change_from_outside_and_fall_with_their_note(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r", "j", "space", "space")
        assert "2 marked" in shown(app)
        path = home / "memories" / "MEMORY.md"
        path.write_text("new\n§\n" + memory(home))
        await until(pilot, lambda: "new" in shown(app) and "2 marked" in shown(app), "new note and marks")
        path.write_text(memory(home).replace("middle one", "middle two"))
        await until(pilot, lambda: "1 marked" in shown(app), "the mark that fell")


async def test_a_mark_stays_though_the_note_is_no_longer_among_the_longest(
    make_home: Callable[..., Path],
) -> None:
    notes = [f"note {number} {'x' * number}" for number in range(40)]
    home = make_home(memory="\n§\n".join(notes))
    async with running(home) as (app, pilot):
        await press(pilot, "r", *["j"] * 11, "space")
        assert "1 marked" in shown(app)
        longer = [f"longer {number} {'y' * 90}" for number in range(30)]
        (home / "memories" / "MEMORY.md").write_text("\n§\n".join(longer + notes))
        await until(
            pilot, lambda: "longer" in shown(app) and "1 marked" in shown(app), "longer notes and the mark"
        )
        await press(pilot, "d", "y")
        assert notes[28] not in memory(home)
        assert memory(home).count("§") == 68


async def test_the_cursor_goes_to_the_next_after_a_delete(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r", "j", "j")
        assert "▸ ↔ middle one" in shown(app)
        await press(pilot, "d", "y")
        assert "▸" in shown(app)
        assert "middle one" not in memory(home)
        await press(pilot, "G", "d", "y")
        assert "▸" in shown(app)


async def test_nothing_left_is_said(make_home: Callable[..., Path]) -> None:
    async with running(make_home(memory="only")) as (app, pilot):
        await press(pilot, "r", "d", "y")
        assert "There is nothing left to offer." in shown(app)
        await press(pilot, "d")
        assert "△ There is nothing to delete." in shown(app)
        await press(pilot, "e")
        assert "△ There is nothing to edit." in shown(app)


async def test_edit_opens_the_editor_and_comes_back(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r", "j", "e")
        assert app.screen is app.main
        assert app.main.editor is not None
        assert app.main.editor.shown.startswith("long")
        await press(pilot, "escape")
        assert app.screen.query(Title).first().text == "Make room in MEMORY"
        await press(pilot, "escape", "e", "escape")
        assert len(app.screen_stack) == 1


async def test_edit_finds_a_note_that_the_filter_hides(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "slash", *"short", "enter", "r", "j", "e")
        assert app.main.editor is not None
        assert app.main.editor.shown.startswith("long")


async def test_at_40x12_list_meter_and_every_key_are_there(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "r")
        await pilot.resize_terminal(40, 12)
        await press(pilot)
        text = shown(app)
        for part in ("Make room in MEMORY", "/90", "▸ ≡ twice", "esc done", "d delete", "e edit"):
            assert part in text
        assert "space mark z undo ⏎ read" in text
        await press(pilot, "j", "enter")
        assert "long long long long" in shown(app)
