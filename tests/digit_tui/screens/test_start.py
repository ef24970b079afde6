"""The first start: what is said for each way a home can be missing, and the ways on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from digit_core.errors import HomeUnusable, ProfileNotFound
from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_tui.app import DigitApp
from digit_tui.demo import is_demo
from digit_tui.opening import Opening
from digit_tui.screens.start import GOODBYE, StartScreen
from tests.digit_tui.driving import press, screen_text, until
from tests.digit_tui.screens.support import hosted, words
from tests.pty_app import PtyApp, command


@asynccontextmanager
async def starting(
    home: Path | None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[DigitApp, Pilot[int]]]:
    """The app where no home opens."""

    def prepared() -> DigitApp:
        opening = Opening(lambda: Library(find_home(home=str(home) if home else None, env={})))
        opening.wait()
        return DigitApp(opening)

    app = await asyncio.to_thread(prepared)
    async with app.run_test(size=size) as pilot:
        await press(pilot)
        yield app, pilot
    if app.library is not None:
        await asyncio.to_thread(app.library.close)


def shown(app: DigitApp) -> str:
    return words(screen_text(app).split("\n"))


async def test_no_home_at_all_names_what_was_looked_for() -> None:
    async with starting(None) as (app, _pilot):
        text = shown(app)
        assert "No agent home here yet" in text
        assert "~/.digit and ~/.hermes do not exist" in text
        assert "c makes ~/.digit with an empty memories folder" in text
        assert "Start with: digit-tui --home DIR" in text
        assert "opening" not in text


@pytest.mark.parametrize("key", ["escape", "q", "й"])
async def test_leaving_ends_the_app_with_code_0(key: str) -> None:
    async with starting(None) as (app, pilot):
        await press(pilot, key)
    assert app.return_code == 0


async def test_create_asks_and_makes_the_folders_and_nothing_else(tmp_path: Path) -> None:
    home = tmp_path / "made" / ".digit"
    async with starting(home) as (app, pilot):
        assert "There is no home here" in shown(app)
        await press(pilot, "c", "enter")
        assert not home.exists()
        await press(pilot, "c")
        assert "are made, readable only by you. Nothing else is written." in shown(app)
        await press(pilot, "y")
        await until(pilot, lambda: app.library is not None, "the new home")
        assert app.screen is app.main
        assert (home / "memories").stat().st_mode & 0o777 == 0o700


async def test_a_home_that_was_made_is_opened_as_it_will_be_next_time(tmp_path: Path) -> None:
    home = tmp_path / "agent"
    async with starting(home) as (app, pilot):
        await press(pilot, "c", "y")
        await until(pilot, lambda: app.library is not None, "the new home")
        assert app.library is not None
        later = await asyncio.to_thread(lambda: find_home(home=str(home), env={}))
        assert app.library.home.kind is later.kind


async def test_demo_opens_a_copy() -> None:
    async with starting(None) as (app, pilot):
        await press(pilot, "d")
        await until(pilot, lambda: app.library is not None, "the demo")
        assert app.library is not None
        assert is_demo(app.library.home.path)


async def test_a_file_in_the_place_of_the_home_can_be_put_right_and_tried_again(tmp_path: Path) -> None:
    home = tmp_path / ".digit"
    home.write_text("a file")
    async with starting(home) as (app, pilot):
        text = shown(app)
        assert "This home cannot be opened" in text
        assert "it is not a directory" in text
        assert "create" not in text
        await press(pilot, "c")
        assert "△ A home is only made where there is nothing yet." in shown(app)
        await press(pilot, "r")
        await until(pilot, lambda: "This home cannot be opened" in shown(app), "the same words again")
        home.unlink()
        (home / "memories").mkdir(parents=True)
        await press(pilot, "r")
        await until(pilot, lambda: app.library is not None, "the home")


async def test_a_home_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with starting(tmp_path / "file" / ".digit") as (app, pilot):
        await press(pilot, "c", "y")
        await until(pilot, lambda: "This home cannot be opened" in shown(app), "the refusal")


async def test_another_users_home_names_mode_and_owner(tmp_path: Path) -> None:
    why = "it may not be entered (mode 0700, owner root); run as that user, or let its owner allow it with chmod u+rwx"
    async with hosted(StartScreen(HomeUnusable(Path("/root/.digit"), why)), (40, 12)) as (app, pilot):
        await pilot.press("G")
        await pilot.pause()
        assert "Start with: digit-tui --home DIR" in app.words
        await pilot.press("g")
        await pilot.pause()
        assert why[:60] in app.words
        assert "q esc quit d demo" in app.words


async def test_a_profile_that_is_not_there_lists_those_that_are() -> None:
    error = ProfileNotFound("wrok", Path("/h/.digit"), ("default", "work"))
    async with hosted(StartScreen(error)) as (app, _pilot):
        assert "There is no such profile" in app.words
        assert "Profiles there: default, work." in app.words


def test_esc_leaves_a_plain_word_on_the_terminal(tmp_path: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(tmp_path / "none")]) as app:
        app.wait_for("There is no home here")
        app.send("\x1b")
        assert app.wait() == 0
    assert GOODBYE.split(". ")[0].encode() in bytes(app.output)


def test_a_home_of_another_user_is_said_by_the_core_itself(
    as_nobody: Callable[..., object], tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    source = (
        "from pathlib import Path\nfrom digit_core.memory.homes import find_home\n"
        "from digit_core.errors import HomeUnusable\n"
        "Path('closed').chmod(0)\n"
        "try:\n    find_home(home='closed', env={})\nexcept HomeUnusable as error:\n    print(error)\n"
    )
    done = as_nobody(source, tmp_path)
    assert "it may not be entered (mode 0000" in done.stdout, done  # type: ignore[attr-defined]
