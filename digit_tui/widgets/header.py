"""The top row: which home this is, and how full its stores are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.strip import Strip

from digit_core.memory.limits import level
from digit_core.text.measure import clip, width
from digit_core.text.visible import one_line
from digit_core.views.snapshot import StoreState
from digit_tui.demo import is_demo
from digit_tui.widgets.lines import Painted, Part, parts_width, row
from digit_tui.widgets.meter import bar, numbers, state_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.style import Style

    from digit_core.views.snapshot import Snapshot, StoreView

_VARIANTS = (
    (10, True, True, True),
    (6, True, True, True),
    (6, False, True, True),
    (4, False, True, True),
    (0, False, True, True),
    (0, False, False, True),
    (0, False, False, False),
)
"""(cells of a bar, percentage, name of the program, kind and profile): the first that fits is drawn."""

_SHORTEST_PATH = 10


def short_path(path: Path, user: Path | None = None) -> str:
    """A path with the person's own folder as `~`, safe to draw."""
    own = user or Path.home()
    if path == own or own in path.parents:
        path = Path("~") / path.relative_to(own)
    return one_line(str(path))


def store_words(store: StoreView) -> str:
    """What is unusual about a store, in words; "" when nothing is."""
    if not store.enabled:
        return "turned off"
    if store.state in (StoreState.READ_ONLY, StoreState.UNREADABLE):
        return str(store.state.value)
    return state_words(store.usage)


def _ending(path: str, cells: int) -> str:
    """A path in so many cells; its end says more than its start."""
    if width(path) <= cells:
        return path
    return f"…{clip(path[::-1], cells - 1, '')[::-1]}"


class Header(Painted):
    """One row; it follows the snapshot that it is shown."""

    STYLES: ClassVar[Mapping[str, str]] = {
        "name": "bold accent on panel",
        "text": "text on panel",
        "muted": "muted on panel",
        "ok": "meter on panel",
        "high": "warning on panel",
        "near": "bold warning on panel",
        "over": "bold error on panel",
    }
    DEFAULT_CSS = """
    Header {
        height: 1;
        background: $panel;
        color: $text;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._snapshot: Snapshot | None = None

    def show(self, snapshot: Snapshot) -> None:
        """Follow a snapshot."""
        self._snapshot = snapshot
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row, with as much as fits."""
        cells = self.size.width
        fill = self.paint("text")
        if self._snapshot is None:
            return row([*self._program(), ("opening …", self.paint("muted"))], cells, fill)
        for size, percent, named, full in _VARIANTS:
            right = self._stores(self._snapshot.stores, size, percent)
            name = self._program() if named else [(" ", fill)]
            room = cells - parts_width(right) - parts_width(name) - 2
            left = self._home(self._snapshot, room, full)
            if parts_width(left) <= room:
                return row([*name, *left], cells, fill, right)
        return row([*self._program(), *self._stores(self._snapshot.stores, 0, False)], cells, fill)

    def _program(self) -> list[Part]:
        return [(" digit ", self.paint("name")), (" ", self.paint("text"))]

    def _home(self, snapshot: Snapshot, room: int, full: bool) -> list[Part]:
        home = snapshot.home
        muted = self.paint("muted")
        after: list[Part] = []
        demo = is_demo(home.path)
        if full:
            words = [home.profile] if demo else [home.kind.value.capitalize(), home.profile]
            after = [(f" · {word}", muted) for word in words]
        if demo:
            after.append((" · demo, a copy", muted))
        path = "" if demo else short_path(home.path)
        most = max(room - parts_width(after), _SHORTEST_PATH)
        return (
            [(_ending(path, most), self.paint("text")), *after]
            if path
            else [(after[0][0][3:], muted), *after[1:]]
        )

    def _stores(self, stores: tuple[StoreView, ...], size: int, percent: bool) -> list[Part]:
        found: list[Part] = []
        for store in stores:
            if found:
                found.append((" · ", self.paint("muted")))
            found.extend(self._store(store, size, percent))
        found.append((" ", self.paint("muted")))
        return found

    def _store(self, store: StoreView, size: int, percent: bool) -> list[Part]:
        state: Style = self.paint(level(store.usage))
        text, muted = self.paint("text"), self.paint("muted")
        found: list[Part] = [(store.label, muted)]
        if size:
            found.append((f" {bar(store.usage, size, tick=size > 4)}", state))
        found.append((f" {numbers(store.usage, percent)}", text))
        words = store_words(store)
        if words:
            found.append((f" {words}", state if store.writable else self.paint("high")))
        return found
