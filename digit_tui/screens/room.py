"""Making room in a store that is nearly full: what to look at first, each step undoable, the meter live."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from textual import on
from textual.binding import Binding
from textual.widget import Widget

from digit_core.memory.changes import Change, DocumentName, NoteRef, Remove
from digit_core.text.visible import one_line
from digit_core.views.room import COMFORTABLE, Candidate, Why, candidates, surplus
from digit_core.views.snapshot import StoreView
from digit_tui.screens.confirm import Confirm
from digit_tui.screens.dialog import Dialog, Key, Title
from digit_tui.times import ago
from digit_tui.widgets.choices import Choice, Choices
from digit_tui.widgets.meter import bar, numbers
from digit_tui.widgets.page import BLANK, Page, Paragraph, heading, plain

if TYPE_CHECKING:
    from digit_core.memory.changes import Outcome
    from digit_core.views.differences import Difference
    from digit_tui.app import DigitApp

_MARKS = {Why.DUPLICATE: "≡", Why.LONGEST: "↔", Why.OLDEST: "◷"}


class RoomScreen(Dialog[NoteRef | None]):
    """Candidates with what each would free. Answers with the note to edit, or None."""

    TALL = True
    BINDINGS = [
        Binding("d,delete", "delete", "Delete", show=False),
        Binding("e", "edit", "Edit", show=False),
        Binding("space", "mark", "Mark", show=False),
        Binding("z", "undo", "Undo", show=False),
        Binding("J", "scroll(1)", "Scroll", show=False),
        Binding("K", "scroll(-1)", "Scroll", show=False),
    ]
    DEFAULT_CSS = """
    RoomScreen {
        #where { height: auto; max-height: 4; margin-bottom: 1; }
        Choices { height: 2fr; min-height: 3; }
        #whole { height: 1fr; min-height: 2; margin-top: 1; }
    }
    """

    def __init__(self, document: DocumentName) -> None:
        super().__init__()
        self._document = document
        self._where = Page(id="where")
        self._choices = Choices()
        self._whole = Page(id="whole")
        self._offered: dict[str, Candidate] = {}
        self._marked: set[NoteRef] = set()

    @property
    def digit(self) -> DigitApp:
        """The app, as what it is."""
        return cast("DigitApp", self.app)

    @property
    def store(self) -> StoreView | None:
        """The store as it is now."""
        snapshot = self.digit.snapshot
        return snapshot.store(self._document) if snapshot is not None else None

    def title_words(self) -> str:
        """Which store."""
        return "Make room"

    def key_words(self) -> Iterable[Key]:
        """What each key does."""
        return (
            ("esc", "done"),
            ("d", "delete"),
            ("e", "edit"),
            ("space", "mark"),
            ("z", "undo"),
            ("J K", "scroll"),
        )

    def body(self) -> Iterable[Widget]:
        """How full it is, the candidates, the whole text of the one under the cursor."""
        return (self._where, self._choices, self._whole)

    def on_mount(self) -> None:
        """Show the store; the list has the keys."""
        self._where.can_focus = self._whole.can_focus = False
        self._show()
        self._choices.focus()

    def follow(self, difference: Difference) -> None:
        """The files have changed, by us or by others."""
        self._show()

    def _show(self) -> None:
        store = self.store
        if store is None:
            return
        self._offered = {_id(found.note.ref): found for found in candidates(store)}
        self._marked &= {found.note.ref for found in self._offered.values()}
        now = self.digit.library.now() if self.digit.library is not None else 0.0
        rows = []
        for id_, found in self._offered.items():
            age = ("≈ " if found.note.date_is_guess else "") + ago(found.note.date, now)
            right = f"{found.why.value} · {age} · frees {found.frees:,}"
            mark = "✓" if found.note.ref in self._marked else _MARKS[found.why]
            rows.append(Choice(id_, found.note.title, right, mark))
        self._choices.show(rows)
        self._where.show(_state(store))
        self.query_one(Title).show(
            f"Make room in {store.label}", f"{len(self._marked)} marked" if self._marked else ""
        )
        self._tell()

    def _tell(self) -> None:
        found = self._current
        if found is None:
            self._whole.show((plain("There is nothing left to offer.", "muted"),))
        else:
            self._whole.show((plain(found.note.text),))

    @property
    def _current(self) -> Candidate | None:
        current = self._choices.current
        return self._offered.get(current.id) if current is not None else None

    @on(Choices.Moved)
    def _moved(self) -> None:
        self._tell()

    @on(Choices.Chosen)
    def _chosen(self) -> None:
        self._whole.show((plain(self._current.note.text),) if self._current else ())

    def action_scroll(self, rows: int) -> None:
        """Scroll the text without leaving the list."""
        self._whole.scroll_to(y=self._whole.scroll_offset.y + rows, animate=False)

    def action_mark(self) -> None:
        """Mark or unmark, and go on to the next."""
        found = self._current
        if found is not None:
            self._marked ^= {found.note.ref}
            self._show()
            self._choices.action_step(1)

    def action_edit(self) -> None:
        """Leave, to shorten this note in the editor."""
        found = self._current
        if found is not None:
            self.dismiss(found.note.ref)

    def action_undo(self) -> None:
        """Take the last step back."""
        self.digit.undo()

    def action_delete(self) -> None:
        """Delete what is marked, else the note under the cursor; asks with the whole text."""
        chosen = [found for found in self._offered.values() if found.note.ref in self._marked]
        if not chosen and self._current is not None:
            chosen = [self._current]
        if not chosen:
            return
        frees = sum(found.frees for found in chosen)
        title = "Delete this note?" if len(chosen) == 1 else f"Delete these {len(chosen)} notes?"
        self.digit.push_screen(
            Confirm(f"{title} It frees {frees:,} characters", _whole_texts(chosen), yes="Delete"),
            lambda yes: self._delete(chosen) if yes else None,
        )

    def _delete(self, chosen: list[Candidate]) -> None:
        refs = tuple(found.note.ref for found in chosen)
        # A later copy goes first, so that the names of those before it still hold.
        ordered = sorted(refs, key=lambda ref: -ref.occurrence)
        self.digit.apply(Change(tuple(Remove(ref) for ref in ordered)), self._deleted)

    def _deleted(self, outcome: Outcome) -> None:
        if outcome.ok:
            self._marked.clear()
            self._show()


def _id(ref: NoteRef) -> str:
    return f"{ref.document}:{ref.digest}:{ref.occurrence}"


def _whole_texts(chosen: list[Candidate]) -> Iterable[Paragraph]:
    for number, found in enumerate(chosen):
        if number:
            yield BLANK
        if len(chosen) > 1:
            yield heading(one_line(found.note.title))
        yield plain(found.note.text)


def _state(store: StoreView) -> Iterable[Paragraph]:
    """How full the store is, and what is still to do."""
    usage = store.usage
    yield plain(f"{bar(usage, 24)}  {numbers(usage)}", "accent")
    left = surplus(store)
    goal = f"{COMFORTABLE:.0%} of its limit"
    if left:
        yield plain(
            f"Free {left:,} more characters to get under {goal}, so that the agent has room.", "warning", "△"
        )
    else:
        yield plain(f"It stands under {goal}: the agent has room.", "good", "✓")
