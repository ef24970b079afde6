"""The undo list: every change with its difference, newest first, and the backups."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import on
from textual.binding import Binding

from digit_core.errors import FileError
from digit_core.formats.document import parse
from digit_core.memory.changes import Outcome, Principal, Reason
from digit_core.memory.merge import pair
from digit_core.memory.undo import REDO, UNDO, stacks
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Key, Title
from digit_tui.screens.sides import ListDialog
from digit_tui.times import ago, exact
from digit_tui.widgets.choices import Choice, Choices, aligned
from digit_tui.widgets.diff import Effort, difference
from digit_tui.widgets.page import BLANK, Paragraph, plain

if TYPE_CHECKING:
    from digit_core.disk.backups import Backup
    from digit_core.library import Library
    from digit_core.memory.history import Record
    from digit_core.views.differences import Difference
    from digit_core.views.snapshot import Snapshot
    from digit_tui.desk import Desk

_WHO = {
    Principal.PERSON: "you",
    Principal.AGENT: "agent",
    Principal.BACKGROUND: "review",
    Principal.OUTSIDE: "outside",
}
_READING = (plain("Reading …", "muted"),)
_HEADING_MARKS = re.compile("“#+ +")
_MOST_STEPS = 200
"""Changed notes whose difference is shown; a reset of a large home has thousands."""


class _Found(NamedTuple):
    """What was read for the two lists."""

    records: tuple[Record, ...] = ()
    undoable: frozenset[str] = frozenset()
    undone: frozenset[str] = frozenset()
    redone: frozenset[str] = frozenset()
    """Undone and done again, by a later record."""
    copies: tuple[Backup, ...] = ()
    error: str | None = None


class HistoryScreen(ListDialog[None]):
    """Two lists, one at a time: changes (undo and redo), and backups (restore)."""

    BINDINGS = [
        Binding("z", "undo", "Undo this", show=False),
        Binding("Z", "redo", "Redo", show=False),
        Binding("b", "turn", "Changes or backups", show=False),
        Binding("R", "restore", "Restore", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.page.show(_READING)
        self._found = _Found()
        self._records: dict[str, Record] = {}
        self._copies: dict[str, Backup] = {}
        self._backups = False
        """Backups are shown, rather than changes."""

    @property
    def digit(self) -> Desk:
        """The app, as far as a screen knows it."""
        return cast("Desk", self.app)

    def title_words(self) -> str:
        """Which of the two lists."""
        return "Backups" if self._backups else "Changes"

    def key_words(self) -> Iterable[Key]:
        """What each key does in this list."""
        act = ("R", "restore this one") if self._backups else ("z", "undo this one")
        if self.has_class("-reading"):
            return (("esc", "list"), act, *self.scroll_keys(self.page))
        other = ("b", "changes") if self._backups else ("b", "backups")
        return (
            ("esc", "back"),
            act,
            *((("z", "undo"),) if self._backups else ()),
            ("Z", "redo"),
            other,
            ("⏎", "read"),
        )

    def on_mount(self) -> None:
        """Read what there is."""
        self.choices.focus()
        self._read()

    def follow(self, difference: Difference) -> None:
        """The files have changed: so has the history."""
        self._read()

    # ----------------------------------------------------------------- looking

    def _read(self) -> None:
        library = self.digit.library
        if library is not None:
            self.digit.do(lambda: _read(library), self._show)

    def _show(self, found: _Found) -> None:
        if not self.is_open:
            return
        self._found = found
        self._records = {record.id: record for record in reversed(found.records)}
        self._copies = {copy.id: copy for copy in found.copies}
        now = self.digit.library.now() if self.digit.library is not None else 0.0
        self.choices.show(self._backup_rows(now) if self._backups else self._change_rows(now))
        count = len(self._copies) if self._backups else len(self._records)
        self.query_one(Title).show(self.title_words(), f"{count:,}")
        if found.error is not None:
            self.page.show((plain(found.error, "error", "⊘"),))
        else:
            self._tell()

    def _change_rows(self, now: float) -> list[Choice]:
        records, undone = tuple(self._records.values()), self._found.undone
        whos = aligned([_who(record, undone) for record in records], "<")
        ages = aligned([ago(record.at, now) for record in records])
        return [
            Choice(
                record.id,
                _summary(record),
                f"{who}  {age}",
                "↶" if record.id in undone else " ",
                dim=record.id not in self._found.undoable,
                brief=age,
            )
            for record, who, age in zip(records, whos, ages, strict=True)
        ]

    def _backup_rows(self, now: float) -> list[Choice]:
        copies = tuple(self._copies.values())
        sizes = aligned([f"{copy.size:,} bytes" for copy in copies])
        ages = aligned([ago(copy.at, now) for copy in copies])
        return [
            Choice(copy.id, copy.document.upper(), f"{size}  {age}", brief=age)
            for copy, size, age in zip(copies, sizes, ages, strict=True)
        ]

    @on(Choices.Moved)
    def _moved(self) -> None:
        self._tell()

    def _tell(self) -> None:
        current = self.choices.current
        if current is None:
            words = "A copy is kept before each change." if self._backups else "What you change appears here."
            self.page.show((plain(f"Nothing yet. {words}", "muted"),))
        elif self._backups:
            copy, library = self._copies[current.id], self.digit.library
            if library is not None:
                self.digit.do(lambda: _contents(library, copy), lambda found: self._show_copy(copy, found))
        else:
            record = self._records[current.id]
            self.page.show(_what_happened(record, _why_not(record, self._found)))
        self.call_after_refresh(self.show_keys)

    def _show_copy(self, copy: Backup, found: tuple[str, ...] | str) -> None:
        current = self.choices.current
        if self.is_open and self._backups and current is not None and current.id == copy.id:
            self.page.show(_against_now(copy, found, self.digit.snapshot))
            self.call_after_refresh(self.show_keys)

    def action_turn(self) -> None:
        """Show the other list."""
        if self.has_class("-reading"):
            self.action_read()
        self._backups = not self._backups
        self._read()

    # ------------------------------------------------------------------ acting

    def action_undo(self) -> None:
        """Take back the change under the cursor; among the backups, the last change."""
        current = self.choices.current
        if self._backups or current is None:
            self.digit.undo(None, self._done)
            return
        why = _why_not(self._records[current.id], self._found)
        if why:
            self.say(why, "warning")
        else:
            self.digit.undo(current.id, self._undone)

    def action_redo(self) -> None:
        """Do again what was undone last."""
        self.digit.redo(self._done)

    def action_restore(self) -> None:
        """Put the backup under the cursor back; asks, with what would change."""
        current, library = self.choices.current, self.digit.library
        if not self._backups:
            self.say("R restores a backup: b shows them.", "warning")
        elif current is None or library is None:
            self.say("There is no backup yet. A copy is kept before each change.", "warning")
        else:
            copy = self._copies[current.id]
            self.digit.do(lambda: _contents(library, copy), lambda found: self._ask(copy, found))

    def _ask(self, copy: Backup, found: tuple[str, ...] | str) -> None:
        library = self.digit.library
        if not self.is_current or library is None:
            return
        if isinstance(found, str):
            self.say(found, "error")
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.digit.do(lambda: _restored(library, copy.id), self._told)

        title = f"Put {copy.document.upper()} back as it was on {exact(copy.at)}?"
        question = Confirm(title, _against_now(copy, found, self.digit.snapshot), yes="Restore")
        self.digit.push_screen(question, answered)

    def _told(self, outcome: Outcome) -> None:
        words = " ".join((outcome.message, *outcome.notices))
        self.digit.say(words, "good" if outcome.changed else "quiet" if outcome.ok else "error")
        self._done(outcome)

    def _undone(self, outcome: Outcome) -> None:
        """The cursor goes on to the next change that can be undone, so that z z z goes back in time."""
        if self.is_open and outcome.changed:
            rows = [choice.id for choice in self.choices.rows]
            current = self.choices.current
            at = rows.index(current.id) if current is not None else 0
            following = [id for id in rows[at + 1 :] if id in self._found.undoable]
            if following:
                self.choices.select(following[0])
        self._done(outcome)

    def _done(self, outcome: Outcome) -> None:
        if self.is_open:
            self._read()


def _read(library: Library) -> _Found:
    try:
        records = library.history()
        found = stacks(records)
        undone = {record.cause.removeprefix(UNDO) for record in found.redo}
        return _Found(
            records,
            frozenset(record.id for record in found.undo),
            frozenset(undone),
            _redone(records),
            library.backups(),
        )
    except FileError as error:
        return _Found(error=str(error))


def _redone(records: Iterable[Record]) -> frozenset[str]:
    causes = {record.id: record.cause for record in records}
    undos = (cause.removeprefix(REDO) for cause in causes.values() if cause.startswith(REDO))
    return frozenset(causes.get(undo, "").removeprefix(UNDO) for undo in undos)


def _contents(library: Library, copy: Backup) -> tuple[str, ...] | str:
    """The notes in a backup, or why it cannot be read."""
    try:
        return parse(library.store.backups.read(copy.id)).texts
    except FileError as error:
        return str(error)


def _restored(library: Library, backup_id: str) -> Outcome:
    """Restore; a backup that cannot be read is a refusal too."""
    try:
        return library.restore(backup_id)
    except FileError as error:
        return Outcome(False, False, str(error), Reason.IO)


def _why_not(record: Record, found: _Found) -> str:
    """Why a change cannot be undone, in plain words; "" when it can."""
    if record.id in found.undoable:
        return ""
    if record.id in found.undone:
        return "This one is undone already; Z does again what was undone last."
    if record.id in found.redone:
        return "This one was undone and redone later: undo the entry above that did it again."
    if record.cause.startswith(UNDO):
        return "This is an undo itself; Z does again what was undone last."
    if record.cause.startswith(REDO):
        return "This was done again, and is undone since."
    if record.principal is Principal.PERSON:
        return "This one is undone already, or was forgotten for good."
    return (
        "Written by the agent or another program. It changed no note of yours, so undo does not touch it; "
        "edit the note instead."
    )


def _summary(record: Record) -> str:
    """What was done, the note named by its title without the marks of a heading."""
    return _HEADING_MARKS.sub("“", record.summary)


def _who(record: Record, undone: frozenset[str]) -> str:
    return "undone" if record.id in undone else _WHO[record.principal]


def _what_happened(record: Record, why_not: str) -> Iterable[Paragraph]:
    yield plain(f"{exact(record.at)} · {_WHO[record.principal]}", "muted")
    yield plain(_summary(record), "heading")
    if why_not:
        yield plain(why_not, "muted", "·")
    if not record.steps:
        yield plain("No note changed its text.")
    effort = Effort()
    for step in record.steps[:_MOST_STEPS]:
        yield BLANK
        yield plain(step.document.upper(), "accent")
        yield from difference(step.before, step.after, effort)
    yield from _and_more(len(record.steps))


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
    count = f"{len(found):,} note{'' if len(found) == 1 else 's'}"
    yield plain(
        f"{count}; restoring it would change {len(steps):,}." if steps else f"{count}, the same as now."
    )
    effort = Effort()
    for step in steps[:_MOST_STEPS]:
        yield BLANK
        yield from difference(step.before, step.after, effort)
    yield from _and_more(len(steps))


def _and_more(steps: int) -> Iterable[Paragraph]:
    if steps > _MOST_STEPS:
        yield BLANK
        yield plain(f"And {steps - _MOST_STEPS:,} notes more.", "muted")
