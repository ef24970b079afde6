"""The pieces of the app that need no screen."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from digit_core.disk.ownfolder import OwnFolder
from digit_core.errors import FileError
from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_core.memory.limits import Limits, usage_of
from digit_core.text.measure import width
from digit_core.text.visible import visible
from digit_tui.app import DigitApp
from digit_tui.external_editor import run_editor
from digit_tui.opening import Opening
from digit_tui.panes.editor import pasted, standing
from digit_tui.panes.note import facts, lay_out
from digit_tui.panes.notes import Sort, build_rows, excerpt
from digit_tui.times import ago, exact
from digit_tui.unsaved import Unsaved, drop, keep, kept
from digit_tui.widgets.header import short_path
from digit_tui.widgets.lines import drawn
from digit_tui.widgets.meter import bar, budget_words, state_words
from tests.digit_tui.driving import press, screen_text, settle, until

DAY = 86_400.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "now"),
        (59, "now"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (DAY, "1 d"),
        (13 * DAY, "13 d"),
    ],
)
def test_ages_are_short(seconds: float, words: str) -> None:
    assert ago(1_700_000_000 - seconds, 1_700_000_000) == words


@given(some.floats(-1e11, 2e11), some.floats(0, 4e9))
def test_ages_never_fail_and_stay_short(then: float, now: float) -> None:
    assert 0 < len(ago(then, now)) <= 9
    assert exact(then)


@given(some.integers(0, 300_000), some.integers(0, 130_000), some.integers(0, 12), some.booleans())
def test_a_bar_has_its_cells_and_shows_anything_used(used: int, limit: int, cells: int, tick: bool) -> None:
    drawn_bar = bar(usage_of(used, Limits(limit, 2_200)), cells, tick)
    assert width(drawn_bar) == (cells if drawn_bar else 0)
    assert used == 0 or cells < 3 or "▰" in drawn_bar


def test_meters_say_in_words_what_their_colour_says() -> None:
    assert state_words(usage_of(79, Limits(100))) == ""
    assert state_words(usage_of(80, Limits(100))) == "△ high"
    assert state_words(usage_of(95, Limits(100))) == "▲ near full"
    assert state_words(usage_of(1_234, Limits(100))) == "⊘ over by 1,134"
    assert budget_words(usage_of(10, Limits(120_000, 2_200))) == "all of it is in the prompt up to 2,200"
    assert budget_words(usage_of(3_000, Limits(120_000, 2_200))) == "over 2,200: the agent searches it"


def test_paths_are_shown_from_the_persons_folder_and_safe() -> None:
    assert short_path(Path("/home/a/.digit"), Path("/home/a")) == "~/.digit"
    assert short_path(Path("/home/a"), Path("/home/a")) == "~"
    assert short_path(Path("/srv/x\x1b[31m\ny"), Path("/home/a")) == "/srv/x␛[31m⏎y"


def test_wide_emoji_are_drawn_as_the_symbols_they_are_made_of() -> None:
    assert drawn("⚠️ ⏺️") == "⚠ ⏺"
    assert drawn("🏳️‍🌈 👨‍👩‍👧") == "🏳️‍🌈 👨‍👩‍👧"


@given(some.text(alphabet="ab #`~\n[]\tя整⚠\ufe0f", max_size=80), some.integers(1, 30))
def test_a_note_is_laid_out_without_losing_anything(text: str, cells: int) -> None:
    lines = lay_out(visible(text), cells)
    shown = "".join(visible(text)[line.start : line.end] for line in lines)
    assert shown.replace(" ", "").replace("\t", "") == visible(text).replace("\n", "").replace(
        " ", ""
    ).replace("\t", "")


def test_titles_headings_and_code_have_their_styles() -> None:
    lines = lay_out("Title\nplain\n# Heading\n```\n# code\n```\nend", 40)
    assert [line.style for line in lines] == ["heading", "text", "heading", "code", "code", "code", "text"]
    assert lay_out("only one line", 40)[0].style == "text"


def open_library(home: Path) -> Library:
    return Library(find_home(home=str(home)))


def test_rows_are_sorted_within_their_store_and_filtered(make_home: Callable[..., Path]) -> None:
    library = open_library(make_home(memory="bb\n§\naaaa\n§\nc", user="Über"))
    stores = library.snapshot.stores

    def texts(sort: Sort, needle: str = "") -> list[str]:
        return [row.note.text for row in build_rows(stores, sort, needle) if row.note is not None]

    assert texts(Sort.POSITION) == ["bb", "aaaa", "c", "Über"]
    assert texts(Sort.LENGTH) == ["aaaa", "bb", "c", "Über"]
    assert texts(Sort.POSITION, "AAAA") == ["aaaa"]
    assert texts(Sort.POSITION, "üBER") == ["Über"]
    words = [row.words for row in build_rows(stores, Sort.POSITION, "zz") if row.words]
    assert words == ["No note here holds 'zz'."] * 2
    assert excerpt(stores[0].notes[0]) == ""


def test_facts_name_what_is_special(make_home: Callable[..., Path]) -> None:
    library = open_library(make_home(memory="a\x1bb #pinned\n§\ntwice\n§\ntwice"))
    store = library.snapshot.stores[0]
    first = " ".join(fact.words for fact in facts(store.notes[0], store, ()))
    assert "note 1 of 3" in first
    assert "or before (the file's own time)" in first
    assert "pinned" in first
    assert "hidden characters: U+001B ESC at 2" in first
    second = " ".join(fact.words for fact in facts(store.notes[1], store, ()))
    assert "duplicate: 2 notes have exactly this text" in second


def test_standing_counts_as_the_agent_does(make_home: Callable[..., Path]) -> None:
    library = open_library(make_home(memory="one\n§\ntwo"))
    store = library.snapshot.stores[0]
    assert standing(store, "one", "one more ").usage.used == 9 + 5
    assert standing(store, None, "new").usage.used == 9 + 3 + 3
    assert standing(store, None, "").usage.used == 9
    assert standing(store, "one", " § ").fault.startswith("Line 1 is just §")


@given(some.text())
def test_pasted_text_holds_nothing_that_cannot_be_seen(text: str) -> None:
    kept_text, left_out = pasted(text)
    assert visible(kept_text) == kept_text
    assert "\r" not in kept_text
    assert left_out >= 0


def test_unsaved_text_is_kept_found_and_dropped(tmp_path: Path) -> None:
    own = OwnFolder(tmp_path)
    assert kept(own) == ()
    first = Unsaved("memory", None, "typed \udcff \x1b", 1.0)
    path = keep(own, first)
    assert path.stat().st_mode & 0o777 == 0o600
    (path.parent / "other.json").write_text("[]")
    found = kept(own)
    assert found == (first._replace(path=path),)
    keep(own, found[0]._replace(text="typed more"))
    assert [unsaved.text for unsaved in kept(own)] == ["typed more"]
    drop(found[0])
    assert kept(own) == ()


def test_unsaved_text_that_cannot_be_kept_is_an_error_with_words(tmp_path: Path) -> None:
    (tmp_path / "digit-tui").write_text("in the way")
    with pytest.raises(FileError, match="is not a folder"):
        keep(OwnFolder(tmp_path), Unsaved("memory", None, "x", 1.0))


def test_an_editor_that_fails_says_so(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_bytes(b"text\r\n")
    assert run_editor(("true",), path, "text").text == "text\n"
    failed = run_editor(("false",), path, "text")
    assert failed.text is None
    assert failed.problem == "The editor ended with 1; nothing was saved."
    assert run_editor((str(tmp_path / "none"),), path, "text").problem is not None
    path.write_bytes(b"\xff")
    assert "no UTF-8" in (run_editor(("true",), path, "text").problem or "")


async def test_a_home_that_opens_slowly_is_filled_in_and_no_key_is_lost(
    make_home: Callable[..., Path],
) -> None:
    home = make_home(memory="First note\n§\nSecond note")
    go = threading.Event()

    def slowly() -> Library:
        go.wait(20)
        return open_library(home)

    app = await asyncio.to_thread(lambda: DigitApp(Opening(slowly)))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        assert "opening …" in screen_text(app)
        await pilot.press("n")
        await pilot.pause()
        assert "still being opened" in screen_text(app)
        go.set()
        await until(pilot, lambda: "First note" in screen_text(app), "the notes")
        await press(pilot, "j")
        assert app.main.note is not None
        assert app.main.note.text == "Second note"
        await settle(pilot)
    if app.library is not None:
        await asyncio.to_thread(app.library.close)
