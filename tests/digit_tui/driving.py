"""Driving the app in tests: open it on a home, wait until it has settled, look at what is on screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_tui.app import DigitApp
from digit_tui.opening import Opening
from digit_tui.options import Options
from digit_tui.preferences import Preferences


def prepare(home: Path, options: Options | None = None, preferences: Preferences | None = None) -> DigitApp:
    """The app on a home that is open already; reads files, so not for the event loop."""
    opening = Opening(lambda: Library(find_home(home=str(home))))
    opening.wait()
    if opening.error is not None:
        raise opening.error
    return DigitApp(opening, options or Options(), preferences or Preferences())


@asynccontextmanager
async def running(
    home: Path,
    size: tuple[int, int] = (80, 24),
    options: Options | None = None,
    preferences: Preferences | None = None,
) -> AsyncIterator[tuple[DigitApp, Pilot[int]]]:
    """The app on a home, settled; closed at the end."""
    app = await asyncio.to_thread(prepare, home, options, preferences)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield app, pilot
    if app.library is not None:
        await asyncio.to_thread(app.library.close)


async def settle(pilot: Pilot[int]) -> None:
    """Wait until the app has nothing to do: no job of its hands, no message waiting."""
    app = pilot.app
    assert isinstance(app, DigitApp)
    await pilot.pause()
    while app.busy:
        await asyncio.sleep(0.005)  # the hands are a thread; their answer is a message of the app
        await pilot.pause()
    await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys and wait for what comes of them."""
    await pilot.press(*keys)
    await settle(pilot)


async def paste(pilot: Pilot[int], text: str) -> None:
    """Paste, as a terminal does it."""
    pilot.app.post_message(events.Paste(text))
    await settle(pilot)


async def until(pilot: Pilot[int], condition: object, what: str, seconds: float = 10.0) -> None:
    """Wait until `condition()` holds."""
    assert callable(condition)
    for _ in range(int(seconds / 0.02)):
        await settle(pilot)
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds:g} s:\n{screen_text(pilot.app)}")


def screen_text(app: object) -> str:
    """The screen as one text, rows without the blanks at their ends."""
    assert isinstance(app, DigitApp)
    strips = app.screen._compositor.render_strips(app.screen.size)
    return "\n".join(strip.text.rstrip() for strip in strips)


def rows(app: DigitApp) -> list[str]:
    """The rows of the screen as they are drawn."""
    return [strip.text for strip in app.screen._compositor.render_strips(app.screen.size)]
