"""Making room in a store that is nearly full: what to look at first, each step undoable, the meter live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual import events, on
from textual.binding import Binding
from textual.widget import Widget

from digit_core.memory.changes import Change, DocumentName, Move, NoteRef, Remove
from digit_core.memory.limits import level
from digit_core.text.measure import width
from digit_core.views.room import COMFORTABLE, Candidate, Why, candidates, freed, surplus
from digit_core.views.snapshot import Note, StoreView
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Key, Title
from digit_tui.screens.sides import ListDialog
from digit_tui.times import ago
from digit_tui.widgets.choices import Choice, Choices, aligned
from digit_tui.widgets.meter import bar, numbers, state_words
from digit_tui.widgets.page import BLANK, Page, Paragraph, heading, plain

if TYPE_CHECKING:
    from digit_core.memory.changes import Outcome
    from digit_core.views.differences import Difference
    from digit_tui.desk import Desk

_MARKS = {Why.DUPLICATE: "≡", Why.LONGEST: "↔", Why.OLDEST: "◷"}
_WORDS = {Why.DUPLICATE: "duplicate", Why.LONGEST: "long", Why.OLDEST: "old"}
_STYLES = {"ok": "accent", "high": "warning", "near": "warning", "over": "error"}
_MARKED = "✓"
_LONGEST_BAR = 24


class RoomScreen(ListDialog[NoteRef | None]):
    """Candidates with what each would free. Answers with the note to edit, or None."""

    BINDINGS = [
        Binding("d,delete", "delete", "Delete", show=False),
        Binding("e", "edit", "Edit", show=False),
        Binding("m", "move", "Move", show=False),
        Binding("space", "mark", "Mark", show=False),
        Binding("z", "undo", "Undo", show=False),
    ]
    DEFAULT_CSS = """
    RoomScreen {
        Frame > #where { height: auto; max-height: 4; margin-bottom: 1; }
        &.-short Frame > #where { margin: 0; }
    }
    """

    def __init__(self, document: DocumentName, *, editing: bool = False) -> None:
        """With `editing` a note is in the editor already, and no other can be edited."""
        super().__init__()
        self._editing = editing
        self._document = document
        self._where = Page(id="where")
        self._where.can_focus = False
        self._offered: dict[str, Candidate] = {}
        self._marked: set[NoteRef] = set()
        """Also of notes that are gone just now: a file that is being written is short for a moment."""
        self._came: tuple[NoteRef, ...] = ()
        """What the last change on disk added."""

    @property
    def digit(self) -> Desk:
        """The app, as far as a screen knows it."""
        return cast("Desk", self.app)

    @property
    def store(self) -> StoreView | None:
        """The store as it is now."""
        snapshot = self.digit.snapshot
        return snapshot.store(self._document) if snapshot is not None else None

    def title_words(self) -> str:
        """Which store."""
        return f"Make room in {self._document.upper()}"

    def key_words(self) -> Iterable[Key]:
        """What each key does."""
        if self.has_class("-reading"):
            return (("esc", "list"), *self._changing(), *self.scroll_keys(self.page))
        return (
            ("esc", "done"),
            *self._changing(),
            ("space", "mark"),
            ("z", "undo"),
            ("⏎", "read"),
        )

    def _changing(self) -> Iterable[Key]:
        edit = () if self._editing else (("e", "edit"),)
        return (("d", "delete"), *edit, ("m", "move"))

    def body(self) -> Iterable[Widget]:
        """How full it is, the candidates, the whole text of the one under the cursor."""
        yield self._where
        yield from super().body()

    def on_mount(self) -> None:
        """Show the store; the list has the keys."""
        self._show()
        self.choices.focus()

    def on_resize(self, event: events.Resize) -> None:
        """The meter is as long as there is room."""
        super().on_resize(event)
        self._show()

    def follow(self, difference: Difference) -> None:
        """The files have changed, by us or by others. Marks stay on notes whose text stays."""
        self._came = tuple(note.ref for found in difference.stores for note in found.added)
        self._show()

    # ----------------------------------------------------------------- looking

    def _show(self) -> None:
        store = self.store
        if store is None:
            return
        self._offered = {_id(found.note.ref): found for found in self._candidates(store)}
        self.choices.show(self._rows())
        self._where.show(_state(store, self._where.size.width))
        self._show_marked()
        self._tell()

    def _candidates(self, store: StoreView) -> Iterable[Candidate]:
        """What is worth looking at, and what is marked already."""
        found = candidates(store)
        yield from found
        offered = {candidate.note.ref for candidate in found}
        for note in store.notes:
            if note.ref in self._marked and note.ref not in offered:
                yield Candidate(note, Why.LONGEST, freed(store, note))

    def _rows(self) -> list[Choice]:
        now = self.digit.library.now() if self.digit.library is not None else 0.0
        offered = tuple(self._offered.values())
        whys = aligned([_WORDS[found.why] for found in offered], "<")
        ages = aligned([_age(found.note, now) for found in offered])
        frees = aligned([f"{found.frees:,}" for found in offered])
        return [
            Choice(
                _id(found.note.ref),
                found.note.title,
                f"{why}  {age}  frees {free}",
                _MARKED if found.note.ref in self._marked else _MARKS[found.why],
                brief=f"{why} {free}",
            )
            for found, why, age, free in zip(offered, whys, ages, frees, strict=True)
        ]

    def _show_marked(self) -> None:
        chosen = self._marked_notes()
        words = f"{len(chosen)} marked · {sum(found.frees for found in chosen):,}" if chosen else ""
        self.query_one(Title).show(self.title_words(), words)

    def _tell(self) -> None:
        found = self._current
        if found is None:
            self.page.show((plain("There is nothing left to offer.", "muted"),))
        else:
            self.page.show((plain(found.note.text),))
        self.call_after_refresh(self.show_keys)

    @property
    def _current(self) -> Candidate | None:
        current = self.choices.current
        return self._offered.get(current.id) if current is not None else None

    def _marked_notes(self) -> list[Candidate]:
        return [found for found in self._offered.values() if found.note.ref in self._marked]

    @on(Choices.Moved)
    def _moved(self) -> None:
        self._tell()

    # ------------------------------------------------------------------ acting

    def action_mark(self) -> None:
        """Mark or unmark, and go on to the next."""
        found = self._current
        if found is not None:
            self._marked ^= {found.note.ref}
            self._show()
            self.choices.action_step(1)

    def action_edit(self) -> None:
        """Leave, to shorten this note in the editor."""
        found = self._current
        if self._editing:
            self.say("A note is being edited already: esc goes back to it.", "warning")
        elif found is None:
            self.say("There is nothing to edit.", "warning")
        else:
            self.dismiss(found.note.ref)

    def action_undo(self) -> None:
        """Take the last step back; the cursor goes to the note that it brought back."""
        self.digit.undo(then=self._undone)

    def _undone(self, outcome: Outcome) -> None:
        if self.is_open and outcome.changed:
            for ref in reversed(self._came):
                self.choices.select(_id(ref))

    def action_move(self) -> None:
        """Move what is marked, else the note under the cursor, to the other store."""
        snapshot = self.digit.snapshot
        other = snapshot.other(self._document) if snapshot is not None else None
        chosen = self._marked_notes() or [found for found in (self._current,) if found is not None]
        if other is None or not other.writable:
            why = f"{other.label}: {other.why or 'it is turned off'}." if other is not None else ""
            self.say(f"There is no other store to move to. {why}".rstrip(), "warning")
        elif not chosen:
            self.say("There is nothing to move.", "warning")
        else:
            moves = tuple(Move(ref, other.name) for ref in _last_first(chosen))
            self.digit.apply(Change(moves), self._deleted)

    def action_delete(self) -> None:
        """Delete what is marked, else the note under the cursor; asks with the whole text."""
        chosen = self._marked_notes() or [found for found in (self._current,) if found is not None]
        if not chosen:
            self.say("There is nothing to delete.", "warning")
            return
        frees = sum(found.frees for found in chosen)
        what = "this note" if len(chosen) == 1 else f"these {len(chosen)} notes"
        self.digit.push_screen(
            Confirm(f"Delete {what}? It frees {frees:,} characters", _whole_texts(chosen), yes="Delete"),
            lambda yes: self._delete(chosen) if yes else None,
        )

    def _delete(self, chosen: list[Candidate]) -> None:
        self.digit.apply(Change(tuple(Remove(ref) for ref in _last_first(chosen))), self._deleted)

    def _deleted(self, outcome: Outcome) -> None:
        if self.is_open and outcome.ok:
            self._marked.clear()
            self._show()
            if self.has_class("-reading"):
                self.action_read()


def _last_first(chosen: Iterable[Candidate]) -> list[NoteRef]:
    """Their names; a later copy goes first, so that the names of those before it still hold."""
    return sorted((found.note.ref for found in chosen), key=lambda ref: -ref.occurrence)


def _id(ref: NoteRef) -> str:
    return f"{ref.document}:{ref.digest}:{ref.occurrence}"


def _age(note: Note, now: float) -> str:
    return ("≈ " if note.date_is_guess else "") + ago(note.date, now)


def _whole_texts(chosen: list[Candidate]) -> Iterable[Paragraph]:
    for number, found in enumerate(chosen, 1):
        if number > 1:
            yield BLANK
        if len(chosen) > 1:
            yield heading(f"{number} of {len(chosen)}")
        yield plain(found.note.text)


def _state(store: StoreView, cells: int) -> Iterable[Paragraph]:
    """How full the store is, and what is still to do."""
    usage = store.usage
    used = " ".join(filter(None, (numbers(usage), state_words(usage))))
    glyphs = max(min(_LONGEST_BAR, cells - width(used) - 2), 6)
    yield plain(f"{bar(usage, glyphs)}  {used}", _STYLES[level(usage)])
    left = surplus(store)
    goal = f"{COMFORTABLE:.0%}"
    if left:
        yield plain(f"Free {left:,} more characters to get to {goal}.", "warning", "△")
    else:
        yield plain(f"At {goal} or less: the agent has room.", "good", "✓")
