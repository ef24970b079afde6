"""The bottom row: the keys that work now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.strip import Strip

from digit_core.text.measure import width
from digit_tui.commands import Command, Situation, Where, key_word, why_not, works
from digit_tui.widgets.lines import Painted, Part, row


class Footer(Painted):
    """One row of keys and words; those that do not work now are dimmed, and say why when they are used."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "key": "accent on panel",
        "word": "muted on panel",
        "off": "strike muted on panel",
    }
    DEFAULT_CSS = """
    Footer {
        height: 1;
        background: $panel;
    }
    """

    @dataclass
    class Chosen(Message):
        """A command was clicked."""

        command: str

    def __init__(self) -> None:
        super().__init__()
        self._situation = Situation(Where.LIST, None, None, None)
        self._items: tuple[tuple[Command, bool], ...] = ()
        self._places: list[tuple[int, int, str]] = []

    def show(self, situation: Situation) -> None:
        """Follow what the main screen shows."""
        self._situation = situation
        items = tuple(
            (command, why_not(command, situation) is None)
            for command in works(situation.where)
            if command.footer and not (command.id == "store" and not situation.new_note)
        )
        if items != self._items:
            self._items = items
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw as many keys as fit, the most needed first, in the order of the table."""
        cells = self.size.width
        kept = set()
        used = 1
        for command, _ in sorted(self._items, key=lambda item: item[0].rank):
            more = width(self._label(command)) + 2
            if used + more > cells + 1:
                break
            used += more
            kept.add(command.id)
        found: list[Part] = [(" ", self.paint("word"))]
        self._places = []
        at = 1
        for command, on in self._items:
            if command.id in kept:
                end = at + width(self._label(command))
                self._places.append((at, end, command.id))
                found.append((self._key(command), self.paint("key" if on else "off")))
                found.append((f" {command.footer}", self.paint("word" if on else "off")))
                found.append(("  ", self.paint("word")))
                at = end + 2
        return row(found, cells, self.paint("word"))

    def on_click(self, event: events.Click) -> None:
        """Run the command under the mouse."""
        for start, end, command in self._places:
            if start <= event.x < end:
                self.post_message(self.Chosen(command))

    def _key(self, command: Command) -> str:
        return key_word(command.key_in(self._situation.where))

    def _label(self, command: Command) -> str:
        return f"{self._key(command)} {command.footer}"
