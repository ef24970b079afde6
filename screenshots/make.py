"""Take every picture in this folder from the real app on the demo home: `python screenshots/make.py [NAME …]`.

The same code gives the same bytes: the clock stands still, the home is called `~/.digit`, nothing moves. With names
(`main`, `conflict`) only those scenes are taken.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
NOW = 1_780_000_000.0  # 28 May 2026, 20:26:40 UTC
sys.path[:0] = [str(FOLDER.parent), str(FOLDER.parent / "core")]
os.environ["TZ"] = "UTC"
os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ.pop("NO_COLOR", None)
time.tzset()
time.time = lambda: NOW  # before anything of ours binds it as a default

from textual.keys import _character_to_key  # noqa: E402
from textual.pilot import Pilot  # noqa: E402

from digit_core.library import Library  # noqa: E402
from digit_core.memory.homes import find_home  # noqa: E402
from digit_tui.app import DigitApp  # noqa: E402
from digit_tui.demo import make_demo_home  # noqa: E402
from digit_tui.opening import Opening  # noqa: E402
from digit_tui.options import Options  # noqa: E402

Size = tuple[int, int]
SMALL, MIDDLE, LARGE = (80, 24), (120, 36), (200, 60)


class Stage:
    """A running app, and what a scene does to it."""

    def __init__(self, app: DigitApp, pilot: Pilot[int], home: Path) -> None:
        self.app = app
        self.home = home
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that they set off is done."""
        await self._pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.press(*("enter" if sign == "\n" else _character_to_key(sign) for sign in text))

    async def settle(self) -> None:
        """Wait until the app has nothing left to do."""
        await self._pilot.pause()
        await self.until(lambda: not self.app.busy)
        await self._pilot.pause()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something to come true. Raises TimeoutError."""
        for _ in range(1_000):
            if true():
                return
            await asyncio.sleep(0.01)
        raise TimeoutError("the app did not come to rest")

    async def change_outside(self, old: str, new: str) -> None:
        """Let somebody else change MEMORY.md, and wait until the app has seen it."""
        path = self.home / "memories" / "MEMORY.md"
        before = self.app.snapshot
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode(), 1))
        os.utime(path, (NOW - 5, NOW - 5))
        await self.until(lambda: self.app.snapshot is not before)
        await self.settle()


class Scene(NamedTuple):
    """One picture, at some sizes and in some themes."""

    name: str
    act: Callable[[Stage], Awaitable[None]]
    taken: tuple[tuple[Size, str], ...]

    def file_name(self, size: Size, theme: str) -> str:
        """`main-dark.svg`, and with its size when that is not the usual one."""
        at = "" if size == MIDDLE else f"-{size[0]}x{size[1]}"
        return f"{self.name}-{theme}{at}.svg"


async def main_screen(stage: Stage) -> None:
    """The list, with the cursor on a note that has a code block."""
    await stage.press("j", "j", "j", "j")


async def editor(stage: Stage) -> None:
    """A note being edited in place."""
    await stage.press(*"jjj", "e", "ctrl+end", "enter")
    await stage.type("Since August the pipeline waits for one yes of a person.")


async def conflict(stage: Stage) -> None:
    """The agent changed the note that is being edited."""
    await stage.press(*"jjj", "e", "ctrl+end", "enter")
    await stage.type("Since August the pipeline waits for one yes of a person.")
    await stage.change_outside("No deploys on Friday after 15:00.", "No deploys on Friday, at no hour.")
    await stage.press("ctrl+s")


async def undo_list(stage: Stage) -> None:
    """Some changes, and what one of them was."""
    await stage.press("p")
    await stage.press("j", "j", "e", "ctrl+end")
    await stage.type(" Checked in May.")
    await stage.press("ctrl+s")
    await stage.press("G", "m")
    await stage.press("U")


async def make_room(stage: Stage) -> None:
    """The profile is nearly full."""
    await stage.press("G", "r")


async def keys(stage: Stage) -> None:
    """The keys that work here."""
    await stage.press("question_mark")


async def find(stage: Stage) -> None:
    """Notes that hold a word."""
    await stage.press("slash")
    await stage.type("tide")


SCENES = (
    Scene(
        "main",
        main_screen,
        (
            (MIDDLE, "dark"),
            (MIDDLE, "light"),
            (SMALL, "dark"),
            (SMALL, "light"),
            (LARGE, "dark"),
            (LARGE, "light"),
        ),
    ),
    Scene("editor", editor, ((MIDDLE, "dark"), (SMALL, "light"))),
    Scene("conflict", conflict, ((MIDDLE, "dark"), (SMALL, "dark"))),
    Scene("history", undo_list, ((MIDDLE, "dark"), (MIDDLE, "light"))),
    Scene("room", make_room, ((MIDDLE, "dark"), (MIDDLE, "light"))),
    Scene("help", keys, ((MIDDLE, "dark"), (SMALL, "light"))),
    Scene("find", find, ((MIDDLE, "dark"),)),
)


def prepare(folder: Path) -> Path:
    """Put a demo home where the person's own would be."""
    tempfile.tempdir = str(folder)
    home = make_demo_home()
    place = folder / "user" / ".digit"
    place.parent.mkdir()
    home.rename(place)
    os.environ["HOME"] = str(place.parent)
    for name in ("MEMORY.md", "USER.md"):
        os.utime(place / "memories" / name, (NOW - 7_200, NOW - 7_200))
    return place


async def take(scene: Scene, size: Size, theme: str) -> str:
    """Play one scene in a fresh home; the picture as SVG."""
    with tempfile.TemporaryDirectory(prefix="digit-pictures-") as folder:
        home = prepare(Path(folder))
        opening = Opening(lambda: Library(find_home(home=str(home), env={}), clock=time.time))
        app = DigitApp(opening, Options(theme=theme, motion=False))
        async with app.run_test(size=size) as pilot:
            stage = Stage(app, pilot, home)
            await stage.until(lambda: app.snapshot is not None)
            await stage.settle()
            await scene.act(stage)
            picture = app.export_screenshot(title="digit")
        if app.library is not None:
            app.library.close()
    tempfile.tempdir = None
    return plainer(picture)


_FONT_FACES = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_BLANK_FIRST = re.compile(r'x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)" ([^>]*)>((?:&#160;)+)')
_CELL = 12.2  # how wide a cell is in the pictures that Rich makes


def plainer(picture: str) -> str:
    """The same picture for more programs: no font fetched from the net, and no text that begins with blanks.

    Some programs drop such blanks, and then all that follows stands too far left.
    """

    def moved(found: re.Match[str]) -> str:
        x, y, length, rest, blanks = found.groups()
        cells = blanks.count(";") * _CELL
        left = float(length) - cells
        if left < _CELL / 2:  # nothing but blanks
            return found[0]
        return f'x="{float(x) + cells:g}" y="{y}" textLength="{left:g}" {rest}>'

    picture = _BLANK_FIRST.sub(moved, _FONT_FACES.sub("", picture))
    return picture.replace(
        "font-family: Fira Code, monospace",
        "font-family: Fira Code, Menlo, Consolas, DejaVu Sans Mono, monospace",
    )


def main(names: list[str]) -> None:
    """Take the pictures named, or all, and write them beside this file."""
    for scene in SCENES:
        if names and scene.name not in names:
            continue
        for size, theme in scene.taken:
            path = FOLDER / scene.file_name(size, theme)
            path.write_text(asyncio.run(take(scene, size, theme)), "utf-8")
            print(path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
