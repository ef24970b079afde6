"""The undo list: every change with its difference, newest first, and the backups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual import on
from textual.binding import Binding
from textual.containers import Container
from textual.widget import Widget

from digit_core.errors import FileError
from digit_core.formats.document import parse
from digit_core.memory.changes import Principal
from digit_core.memory.merge import pair
from digit_core.memory.undo import stacks
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key, KeyLine, Title
from digit_tui.times import ago, exact
from digit_tui.widgets.choices import Choice, Choices
from digit_tui.widgets.diff import difference
from digit_tui.widgets.page import BLANK, Page, Paragraph, plain

if TYPE_CHECKING:
    from digit_core.disk.backups import Backup
    from digit_core.library import Library
    from digit_core.memory.changes import Outcome
    from digit_core.memory.history import Record
    from digit_core.views.differences import Difference
    from digit_core.views.snapshot import Snapshot
    from digit_tui.app import DigitApp

_WHO = {
    Principal.PERSON: "you",
    Principal.AGENT: "agent",
    Principal.BACKGROUND: "review",
    Principal.OUTSIDE: "outside",
}
_READING = (plain("Reading …", "muted"),)


class HistoryScreen(Dialog[None]):
    """Two lists, one at a time: changes (undo and redo), and backups (restore)."""

    TALL = True
    BINDINGS = [
        Binding("z", "undo", "Undo this", show=False),
        Binding("Z", "redo", "Redo", show=False),
        Binding("b", "turn", "Changes or backups", show=False),
        Binding("R", "restore", "Restore", show=False),
        Binding("tab", "app.focus_next", "Other side", show=False),
        Binding("J", "scroll(1)", "Scroll", show=False),
        Binding("K", "scroll(-1)", "Scroll", show=False),
    ]
    DEFAULT_CSS = """
    HistoryScreen {
        #sides { layout: vertical; height: 1fr; }
        #sides Choices { height: 1fr; }
        #sides Page { height: 1fr; margin-top: 1; }
        &.-wide #sides { layout: horizontal; }
        &.-wide #sides Choices { width: 5fr; }
        &.-wide #sides Page { width: 6fr; margin: 0 0 0 2; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._choices = Choices()
        self._page = Page(_READING)
        self._records: dict[str, Record] = {}
        self._copies: dict[str, Backup] = {}
        self._undoable: frozenset[str] = frozenset()
        self._backups = False
        """Backups are shown, rather than changes."""

    @property
    def digit(self) -> DigitApp:
        """The app, as what it is."""
        return cast("DigitApp", self.app)

    def title_words(self) -> str:
        """Which of the two lists."""
        return "Backups" if self._backups else "Changes"

    def key_words(self) -> Iterable[Key]:
        """What each key does in this list."""
        if self._backups:
            return (
                ("esc", "back"),
                ("R", "restore this one"),
                ("z Z", "undo, redo"),
                ("b", "changes"),
                ("J K", "scroll"),
            )
        return (("esc", "back"), ("z", "undo this one"), ("Z", "redo"), ("b", "backups"), ("J K", "scroll"))

    def body(self) -> Iterable[Widget]:
        """The list, and what the row under the cursor did."""
        yield Container(self._choices, self._page, id="sides")

    def on_mount(self) -> None:
        """Read what there is."""
        self._choices.focus()
        self._read()

    def follow(self, difference: Difference) -> None:
        """The files have changed: so has the history."""
        self._read()

    def _read(self) -> None:
        library = self.digit.library
        if library is not None:
            self.digit.do(lambda: _read(library), self._show)

    def _show(self, found: tuple[tuple[Record, ...], tuple[Backup, ...], str | None]) -> None:
        records, copies, error = found
        if not self.is_attached:
            return
        self._records = {record.id: record for record in reversed(records)}
        self._copies = {copy.id: copy for copy in copies}
        self._undoable = frozenset(record.id for record in stacks(records).undo)
        now = self.digit.library.now() if self.digit.library is not None else 0.0
        self._choices.show(self._backup_rows(now) if self._backups else self._change_rows(now))
        count = len(self._copies) if self._backups else len(self._records)
        self.query_one(Title).show(self.title_words(), f"{count:,}")
        self.query_one(KeyLine).show(self.key_words())
        if error is not None:
            self._page.show((plain(error, "error", "⊘"),))
        else:
            self._tell()

    def _change_rows(self, now: float) -> list[Choice]:
        return [
            Choice(
                record.id,
                record.summary,
                f"{_WHO[record.principal]} · {ago(record.at, now)}",
                "z" if record.id in self._undoable else "·",
                dim=record.id not in self._undoable,
            )
            for record in self._records.values()
        ]

    def _backup_rows(self, now: float) -> list[Choice]:
        return [
            Choice(copy.id, copy.document.upper(), f"{copy.size:,} bytes · {ago(copy.at, now)}")
            for copy in self._copies.values()
        ]

    @on(Choices.Moved)
    def _moved(self) -> None:
        self._tell()

    @on(Choices.Chosen)
    def _chosen(self) -> None:
        self._page.focus()

    def _tell(self) -> None:
        current = self._choices.current
        if current is None:
            words = "A copy is kept before each change." if self._backups else "What you change appears here."
            self._page.show((plain(f"Nothing yet. {words}", "muted"),))
        elif self._backups:
            copy = self._copies[current.id]
            library = self.digit.library
            if library is not None:
                self.digit.do(lambda: _contents(library, copy), lambda found: self._show_copy(copy, found))
        else:
            self._page.show(_what_happened(self._records[current.id], current.id in self._undoable))

    def _show_copy(self, copy: Backup, found: tuple[str, ...] | str) -> None:
        current = self._choices.current
        if self.is_attached and self._backups and current is not None and current.id == copy.id:
            self._page.show(_against_now(copy, found, self.digit.snapshot))

    def action_turn(self) -> None:
        """Show the other list."""
        self._backups = not self._backups
        self._read()

    def action_scroll(self, rows: int) -> None:
        """Scroll the difference without leaving the list."""
        self._page.scroll_to(y=self._page.scroll_offset.y + rows, animate=False)

    def action_undo(self) -> None:
        """Take back the change under the cursor."""
        current = self._choices.current
        if self._backups or current is None:
            self.digit.undo(None, self._done)
        elif current.id in self._undoable:
            self.digit.undo(current.id, self._done)
        else:
            self.digit.say("This one is not yours to undo, or is undone already.", "warning")

    def action_redo(self) -> None:
        """Do again what was undone last."""
        self.digit.redo(self._done)

    def action_restore(self) -> None:
        """Put the backup under the cursor back; asks, with what would change."""
        current, snapshot, library = self._choices.current, self.digit.snapshot, self.digit.library
        if not self._backups or current is None or snapshot is None or library is None:
            self.digit.say("b shows the backups; R restores one.", "warning")
            return
        copy = self._copies[current.id]

        def ask(found: tuple[str, ...] | str) -> None:
            title = f"Put {copy.document.upper()} back as it was on {exact(copy.at)}?"
            question = Confirm(title, _against_now(copy, found, snapshot), yes="Restore")
            self.digit.push_screen(question, lambda yes: restore() if yes else None)

        def restore() -> None:
            self.digit.do(lambda: library.restore(copy.id), self._restored)

        self.digit.do(lambda: _contents(library, copy), ask)

    def _restored(self, outcome: Outcome) -> None:
        self.digit.say(outcome.message, "good" if outcome.ok else "error")
        self._done(outcome)

    def _done(self, outcome: Outcome) -> None:
        if self.is_attached:
            self._read()


def _read(library: Library) -> tuple[tuple[Record, ...], tuple[Backup, ...], str | None]:
    try:
        return library.history(), library.backups(), None
    except FileError as error:
        return (), (), str(error)


def _contents(library: Library, copy: Backup) -> tuple[str, ...] | str:
    """The notes in a backup, or why it cannot be read."""
    try:
        return parse(library.store.backups.read(copy.id)).texts
    except FileError as error:
        return str(error)


def _what_happened(record: Record, undoable: bool) -> Iterable[Paragraph]:
    yield plain(f"{exact(record.at)} · {_WHO[record.principal]}", "muted")
    if not undoable:
        yield plain("Not in reach of undo: not your change, or undone already.", "muted")
    if not record.steps:
        yield plain(f"{record.summary}. No note changed its text.", "text")
    for step in record.steps:
        yield BLANK
        yield plain(step.document.upper(), "accent")
        yield from difference(step.before, step.after)


def _against_now(
    copy: Backup, found: tuple[str, ...] | str, snapshot: Snapshot | None
) -> Iterable[Paragraph]:
    """What restoring a backup would change, note by note."""
    yield plain(f"{exact(copy.at)} · {copy.size:,} bytes", "muted")
    if isinstance(found, str):
        yield plain(found, "error", "⊘")
        return
    held = tuple(note.text for note in snapshot.store(copy.document).notes) if snapshot is not None else ()
    steps = [step for step in pair(held, found) if step.before != step.after]
    yield plain(
        f"{len(found):,} notes; restoring it would change {len(steps):,}."
        if steps
        else "The same notes as now.",
        "text",
    )
    for step in steps:
        yield BLANK
        yield from difference(step.before, step.after)
