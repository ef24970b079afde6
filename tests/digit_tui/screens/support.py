"""One dialog, or one widget, in an app with nothing else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from digit_core.formats.settings import Settings
from digit_core.memory.homes import Home, HomeKind
from digit_core.views.snapshot import Problem, Snapshot
from digit_tui.look import load_looks, to_textual

_THEMES = {name: to_textual(look) for name, look in load_looks().items()}

NOTHING = object()
"""The dialog has not answered."""


class Host(App[None]):
    """Shows what it is given in our colours, and keeps the answer."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, shown: Screen[Any] | Widget, theme: str = "dark") -> None:
        super().__init__()
        self.shown = shown
        self.answer: object = NOTHING
        self.messages: list[object] = []
        self.register_theme(_THEMES[theme])
        self.theme = theme

    def compose(self) -> ComposeResult:
        if not isinstance(self.shown, Screen):
            yield self.shown

    def on_mount(self) -> None:
        if isinstance(self.shown, Screen):
            self.push_screen(self.shown, self._answered)

    def _answered(self, answer: object) -> None:
        self.answer = answer

    @property
    def lines(self) -> list[str]:
        """The rows of the screen as they are drawn."""
        return [strip.text for strip in self.screen._compositor.render_strips(self.screen.size)]

    @property
    def words(self) -> str:
        """What is on screen, frames and wrapping left out."""
        return words(self.lines)


def words(lines: list[str]) -> str:
    """Rows as one text: without frames and scroll bars, with one blank for any that stand together."""
    return " ".join(re.sub("[▊▎▔▁-█]", " ", " ".join(lines)).split())


def assert_whole(lines: list[str], cells: int) -> None:
    """Every row is as wide as the screen, and holds no control character."""
    for line in lines:
        assert cell_len(line) == cells, line
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]", line), line


@asynccontextmanager
async def hosted(
    shown: Screen[Any] | Widget, size: tuple[int, int] = (80, 24), theme: str = "dark"
) -> AsyncIterator[tuple[Host, Pilot[None]]]:
    """The host with that dialog or widget, settled."""
    app = Host(shown, theme)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        yield app, pilot


def snapshot_with(*problems: Problem) -> Snapshot:
    """A home without stores that has these problems."""
    home = Home(Path("/h"), HomeKind.DIGIT, "the folder is called .digit", "default", Path("/h"), "--home")
    return Snapshot(home, Settings(), (), problems, 1)
