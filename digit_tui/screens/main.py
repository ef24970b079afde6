"""The main screen: header, list, note or editor, a line of news, the keys that work now.

It shows the snapshot it is given and says what is under the cursor; what commands do is in `digit_tui.actions`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Input

from digit_core.errors import DigitError
from digit_core.views.snapshot import Severity
from digit_tui.commands import ANYWHERE, BY_ID, Situation, Where, key_word, why_not
from digit_tui.panes.note import NotePane, NoteText
from digit_tui.panes.notes import NoteList
from digit_tui.widgets.footer import Footer
from digit_tui.widgets.header import Header
from digit_tui.widgets.small import TooSmall
from digit_tui.widgets.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.timer import Timer

    from digit_core.memory.changes import NoteRef
    from digit_core.views.differences import Difference
    from digit_core.views.snapshot import Note, Problem, Snapshot, StoreView
    from digit_tui.desk import Desk, Later
    from digit_tui.panes.editor import EditorPane, Subject
    from digit_tui.panes.find import FindLine
    from digit_tui.preferences import Preferences
    from digit_tui.unsaved import Unsaved

SMALLEST = (60, 16)
"""Cells and rows below which there is only a word that the window is too small."""

_ON_THE_METER = frozenset({"over limit"})
"""Kinds of problems that the meters show all the time."""

_WRITTEN_DOWN_AFTER = 1.5
"""Seconds that what was typed may be lost by a kill."""

_ENTER_NEEDS_DETAIL = 120
"""Cells from which list and note stand side by side."""


class MainScreen(Screen[None], inherit_bindings=False):
    """The one screen that is always there."""

    AUTO_FOCUS = "NoteList"
    HORIZONTAL_BREAKPOINTS = [
        (0, "-narrow"),
        (_ENTER_NEEDS_DETAIL, "-wide"),
    ]
    DEFAULT_CSS = """
    MainScreen {
        layers: default above;
        background: $background;
        #banner { display: none; max-height: 2; }
        #banner.-open { display: block; }
        #panes { height: 1fr; }
        NoteList { width: 2fr; height: 1fr; }
        NotePane { width: 3fr; height: 1fr; }
        NoteText { height: 1fr; }
        EditorPane { width: 3fr; height: 1fr; }
        &.-narrow NotePane { display: none; }
        &.-narrow.-detail NotePane { display: block; width: 1fr; }
        &.-narrow.-detail NoteList { display: none; }
        &.-editing NotePane { display: none; }
        &.-narrow.-editing NoteList { display: none; }
        &.-narrow.-editing.-detail NotePane { display: none; }
        &.-small TooSmall { display: block; }
    }
    """

    def __init__(self, actions: Mapping[str, Action], preferences: Preferences) -> None:
        super().__init__()
        self._actions = actions
        self.notes: NoteList = NoteList(preferences.sort, preferences.density)
        self.pane = NotePane()
        self.editor: EditorPane | None = None
        """The edit that is going on."""
        self.draft: Unsaved | None = None
        """What is written down of the edit that is going on, should the app be killed."""
        self._keeping: Timer | None = None
        """Runs while something is typed that is not written down yet."""
        self.after_edit: Callable[[], object] | None = None
        """Called once the edit that is going on has ended: a dialog that it was begun from comes back."""
        self.came: tuple[NoteRef, ...] = ()
        """What the last change of the files added."""
        self._header = Header()
        self._find: FindLine | None = None
        self._footer = Footer()
        self._status = Status()
        self._banner = Status(id="banner")
        self._looked_at: frozenset[str] = frozenset()
        """Kinds of problems that were there when their list was last open."""

    @property
    def digit(self) -> Desk:
        """The app, as far as a screen knows it."""
        return cast("Desk", self.app)

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield self._header
        yield self._banner
        with Horizontal(id="panes"):
            yield self.notes
            yield self.pane
        yield self._status
        yield self._footer
        yield TooSmall(SMALLEST)

    def on_mount(self) -> None:
        """Show what is there already."""
        if self.digit.snapshot is not None:
            self.show_snapshot()

    # ------------------------------------------------------------------ looking

    @property
    def snapshot(self) -> Snapshot | None:
        """What is shown."""
        return self.digit.snapshot

    @property
    def note(self) -> Note | None:
        """The note under the cursor."""
        return self.notes.note

    @property
    def store(self) -> StoreView | None:
        """The store that the cursor is in."""
        return self.notes.store

    @property
    def situation(self) -> Situation:
        """What is shown, for the commands."""
        new = self.editor is not None and self.editor.subject.ref is None
        return Situation(self.where, self.snapshot, self.store, self.note, new)

    @property
    def where(self) -> Where:
        """Which part of the screen has the keys."""
        if self.editor is not None:
            return Where.EDITOR
        if isinstance(self.focused, Input):
            return Where.FIND
        return Where.NOTE if isinstance(self.focused, NoteText) else Where.LIST

    def say(self, message: str, level: str = "quiet") -> None:
        """Put a message on the line above the footer."""
        self._status.say(message, level)

    # --------------------------------------------------------------- following

    def show_snapshot(self) -> None:
        """Show the app's snapshot from scratch."""
        snapshot = self.snapshot
        if snapshot is not None:
            self.notes.show(snapshot)
            self._show_around(snapshot)
            self._show_note(from_top=True)

    def follow(self, difference: Difference) -> None:
        """The files have changed: update what differs; cursor, focus and typing stay."""
        snapshot = difference.new
        self.came = tuple(note.ref for store in difference.stores for note in store.added)
        if difference.stores and self._status.level in ("quiet", "good"):
            self.say("")  # it was about files that are other ones now
        if self.editor is not None:
            ref = self.editor.now.ref if self.editor.now is not None else None
            self.editor.follow(snapshot, difference.successor(ref) if ref is not None else None)
        self.notes.show(snapshot, difference.successor)
        self._show_around(snapshot)
        self._show_note(from_top=False)

    def _show_around(self, snapshot: Snapshot) -> None:
        self._header.show(snapshot)
        self._show_banner(snapshot.problems)
        self._show_keys()

    def _show_banner(self, problems: Sequence[Problem]) -> None:
        """The gravest problem, until it is mended; one that is no error only until the list of them was looked at."""
        told = [
            problem
            for problem in problems
            if problem.severity is Severity.ERROR
            or (problem.severity is Severity.WARNING and problem.kind not in _ON_THE_METER | self._looked_at)
        ]
        self._banner.set_class(bool(told), "-open")
        if told:
            first = told[0]
            command = BY_ID.get(first.remedy)
            key = f" ({key_word(command.keys[0])})" if command is not None else ""
            level = "error" if first.severity is Severity.ERROR else "warning"
            more = f"  And {len(problems) - 1} more: !" if len(problems) > 1 else "  More: !"
            self._banner.say(f"{first.message} {first.way_out}{key}{more}", level)

    def problems_seen(self) -> None:
        """The list of problems was looked at: the banner stops repeating what is no error."""
        if self.snapshot is not None:
            self._looked_at = frozenset(problem.kind for problem in self.snapshot.problems)
            self._show_banner(self.snapshot.problems)

    def _show_note(self, *, from_top: bool) -> None:
        if self.snapshot is not None:
            self.pane.show(self.note, self.snapshot, from_top=from_top)

    def _show_keys(self) -> None:
        self._footer.show(self.situation)

    def pass_time(self) -> None:
        """A minute has passed."""
        self.notes.pass_time()

    @on(NoteList.Highlighted)
    def _highlighted(self) -> None:
        self._show_note(from_top=True)
        self._show_keys()

    @on(NoteList.Opened)
    def _opened(self) -> None:
        self.run_command("open")

    @on(Footer.Chosen)
    def _chosen(self, message: Footer.Chosen) -> None:
        self.run_command(message.command)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """In a narrow window the note lies over the list while it has the keys."""
        if isinstance(event.widget, NoteText | NoteList):
            self.set_class(isinstance(event.widget, NoteText), "-detail")
        self._show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Below the smallest size there is only a word."""
        self.set_class(event.size.width < SMALLEST[0] or event.size.height < SMALLEST[1], "-small")

    # ------------------------------------------------------------------- acting

    async def action_command(self, command_id: str) -> None:
        """Run a command of the table, or say why it does not work."""
        if self.has_class("-small") and command_id not in ANYWHERE:
            return  # nobody sees what it would do; the word that is there says why
        if command_id not in ANYWHERE:
            self.say("")
        command = BY_ID[command_id]
        reason = why_not(command, self.situation)
        if reason is not None:
            self.say(reason, "warning")
            return
        later = self._actions[command_id](self)
        if later is not None:
            await later  # the next key is for what this one opens

    def run_command(self, command_id: str) -> None:
        """The same from where nothing can be waited for."""
        self.call_later(self.action_command, command_id)

    def go_to(self, problem: Problem) -> None:
        """Put the cursor on the note that a problem is about, or into its store."""
        store = next((one for one in self.notes.stores if one.name == problem.document), None)
        if store is None or not store.notes:
            return
        starts = [store.document.raw.count("\n", 0, entry.start) + 1 for entry in store.document.entries]
        at = sum(start <= problem.line for start in starts) - 1 if problem.line else 0
        ref = store.notes[min(max(at, 0), len(store.notes) - 1)].ref
        if not self.notes.select(ref):
            self.close_find()  # the filter may have hidden it
            self.notes.select(ref)

    def open_note(self) -> None:
        """Give the note the keys; in a narrow window that shows it."""
        self.add_class("-detail")
        self.set_focus(self.pane.query_one(NoteText))

    def close_note(self) -> None:
        """Give the list the keys."""
        self.remove_class("-detail")
        self.set_focus(self.notes)

    def scroll_note(self, rows: int) -> None:
        """Scroll the note, wherever the keys are."""
        text = self.pane.query_one(NoteText)
        text.scroll_to(y=text.scroll_offset.y + rows, animate=False)

    # ------------------------------------------------------------------ finding

    def open_find(self) -> Later:
        """Show the line to type in."""
        if self._find is not None:
            self.set_focus(self._find.query_one(Input))
            return None
        from digit_tui.panes.find import FindLine  # a style sheet of 8 ms

        self._find = FindLine()
        return self.mount(self._find, before=self._status)

    def close_find(self) -> bool:
        """Show all notes again; False when they were shown."""
        if self._find is None:
            return False
        self._find.remove()
        self._find = None
        self.notes.find("")
        self.say("")
        self.set_focus(self.notes)
        return True

    def keep_found(self) -> None:
        """Give the list the keys; what is typed goes on filtering, and the cursor stays where it is now."""
        self.notes.settle()
        if not self.notes.needle:
            self.close_find()
        self.set_focus(self.notes)

    @on(Input.Changed)
    def _find_changed(self, message: Input.Changed) -> None:
        message.stop()
        self.notes.find(message.value)
        count = self.notes.shown
        self.say(f"{count:,} note{'' if count == 1 else 's'}" if message.value else "")

    # ------------------------------------------------------------------ editing

    def begin_edit(self, subject: Subject, typed: str | None = None, why: str = "") -> Later:
        """Put the editor in the place of the note; `typed` is text that is not in the note, `why` what came of it."""
        from digit_tui.panes.editor import EditorPane  # the text area: 10 ms

        snapshot = self.snapshot
        if self.editor is not None or snapshot is None:
            return None
        self.editor = EditorPane(subject, snapshot, typed)
        self.notes.disabled = True
        self.add_class("-editing")
        self.say("")
        if why:
            self.editor.refuse(why)
        self.on_editor_pane_changed()
        self._show_keys()
        return self.query_one("#panes").mount(self.editor)

    def end_edit(self, select: NoteRef | None = None) -> Later:
        """Take the editor away; the cursor goes to `select`."""
        if self.editor is None:
            return None
        gone = self.editor.remove()
        self.editor = None
        self.forget_draft(self.digit.do)
        self.remove_class("-editing")
        self.notes.disabled = False
        if self.has_class("-detail"):
            self.set_focus(self.pane.query_one(NoteText))
        else:
            self.set_focus(self.notes)
        if select is not None:
            self.notes.select(select)
        self._show_note(from_top=True)
        self._show_keys()
        after, self.after_edit = self.after_edit, None
        if after is not None:
            self.call_after_refresh(after)  # once the list is back: a dialog shows what is below it
        return gone

    def unsaved(self) -> Unsaved | None:
        """What is typed and not saved."""
        from digit_tui.unsaved import Unsaved

        pane = self.editor
        if pane is None or not pane.dirty:
            return None
        base = pane.subject.base if pane.subject.ref is not None else None
        path = self.draft.path if self.draft is not None else None
        return Unsaved(pane.subject.document, base, pane.text, time.time(), path)

    def on_editor_pane_changed(self) -> None:
        """Something was typed: in a moment it is written down, so that not even a killed app loses it."""
        if (
            self._keeping is None
            and self.editor is not None
            and (self.draft is not None or self.editor.dirty)
        ):
            self._keeping = self.set_timer(_WRITTEN_DOWN_AFTER, self._keep_draft)

    def _keep_draft(self) -> None:
        from digit_tui.unsaved import keep, new_path

        self._keeping = None
        library, unsaved = self.digit.library, self.unsaved()
        if library is None or unsaved is None:
            self.forget_draft(self.digit.do)
            return
        draft = unsaved if unsaved.path is not None else unsaved._replace(path=new_path(library.own))
        self.draft = draft

        def write() -> str:
            try:
                keep(library.own, draft)
            except DigitError as error:
                return f"Until it is saved, this text is kept nowhere: {error}"
            return ""

        self.digit.do(write, lambda problem: self.say(problem, "warning") if problem else None)

    def forget_draft(self, do: Callable[[Callable[[], None]], None]) -> None:
        """What was typed is saved, or given up: nothing is kept of it. `do` is how the file is removed."""
        if self._keeping is not None:
            self._keeping.stop()
            self._keeping = None
        draft, self.draft = self.draft, None
        if draft is not None:
            from digit_tui.unsaved import drop

            do(partial(drop, draft))


Action = Callable[[MainScreen], "Later"]
"""What a command does."""
