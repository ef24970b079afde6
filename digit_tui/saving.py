"""From the editor to the store: saving, leaving, the conflict with what is on disk, the person's own editor.

Whatever is refused stays in the editor with the reason below it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from digit_core.errors import FileError
from digit_core.formats.document import at_delimiters, clean, content_fault
from digit_core.memory.changes import Add, Change, NoteRef, Outcome, Reason, Replace, Split
from digit_core.text.digest import text_digest
from digit_tui.unsaved import Unsaved, drop, keep, kept, lend

if TYPE_CHECKING:
    from digit_core.memory.changes import Operation
    from digit_core.views.snapshot import Note
    from digit_tui.desk import Later
    from digit_tui.external_editor import Edited
    from digit_tui.panes.editor import EditorPane
    from digit_tui.screens.main import MainScreen


def save(screen: MainScreen) -> Later:
    """Save what is in the editor, unless nothing was changed or something stands in its way."""
    pane = screen.editor
    if pane is None or pane.saving:
        return None
    if not pane.dirty:
        screen.say("Nothing was changed.")
        return screen.end_edit()
    fault = content_fault(pane.text)
    if fault is not None and fault.kind == "delimiter" and not pane.disturbed:
        return offer_split(screen, pane, fault.message)
    if fault is not None:
        pane.refuse(f"{fault.message} d deletes a note." if fault.kind == "empty" else fault.message)
    elif pane.disturbed:
        return ask_which(screen, pane)
    elif pane.subject.ref is None:
        _write(screen, pane, Add(pane.subject.document, pane.text))
    else:
        _write(screen, pane, Replace(pane.subject.ref, pane.text))
    return None


def _write(screen: MainScreen, pane: EditorPane, *operations: Operation) -> None:
    pane.waiting()
    screen.digit.apply(Change(operations), partial(_written, screen, pane), "Saved.")


def offer_split(screen: MainScreen, pane: EditorPane, why: str) -> Later:
    """The text has a line that is just §: refuse to store it as one note, offer to make it several on purpose."""
    from digit_tui.screens.split import SplitScreen

    texts = at_delimiters(pane.text)
    if len(texts) < 2:
        pane.refuse(why)
        return None

    def answered(yes: bool | None) -> None:
        if screen.editor is not pane:
            return
        if not yes:
            pane.refuse(why)
        elif pane.subject.ref is None:
            _write(screen, pane, *(Add(pane.subject.document, text) for text in texts))
        else:
            _write(screen, pane, Split(pane.subject.ref, texts))

    return screen.digit.push_screen(SplitScreen(pane.text, texts), answered)


def _written(screen: MainScreen, pane: EditorPane, outcome: Outcome) -> None:
    """The store has answered; the editor may have been closed in the meantime."""
    if screen.editor is not pane:
        return
    if outcome.ok:
        screen.end_edit(outcome.refs[0] if outcome.refs else None)
        return
    screen.say("")
    if outcome.reason is Reason.GONE:
        ask_which(screen, pane)
    else:
        pane.refuse(outcome.message)


# ---------------------------------------------------------------------- two versions


def ask_which(screen: MainScreen, pane: EditorPane) -> Later:
    """The note on disk is not the one that was edited: show both, and let the person choose."""
    from digit_tui.screens.conflict import Choice, ConflictScreen

    now: Note | None = pane.now
    mine = pane.text
    if now is not None and now.text == clean(mine):
        screen.say("The note on disk already reads so.")
        return screen.end_edit(now.ref)

    def chosen(choice: Choice | None) -> None:
        if screen.editor is not pane:
            return
        if choice is None:
            pane.go_on()
        elif choice is Choice.THEIRS:
            screen.end_edit(now.ref if now is not None else None)
            screen.say("What is on disk stays.")
        elif choice is Choice.MINE and now is not None:
            _write(screen, pane, Replace(now.ref, mine))
        else:
            _write(screen, pane, Add(pane.subject.document, mine))

    store = pane.store
    where = f"{store.label}, note {pane.subject.number}" if pane.subject.number else store.label
    base = pane.subject.base if pane.subject.ref is not None else None
    theirs = now.text if now is not None else None
    question = ConflictScreen(base, mine, theirs, where=where, at=store.changed_at)
    return screen.digit.push_screen(question, chosen)


# ---------------------------------------------------------------------- leaving


def leave(screen: MainScreen) -> Later:
    """Leave the editor; asks when there is something to lose."""
    from digit_tui.screens.confirm import Confirm

    pane = screen.editor
    if pane is None:
        return None

    def answered(yes: bool | None) -> None:
        if screen.editor is not pane:
            return
        if yes:
            screen.end_edit()
        else:
            pane.go_on()

    if pane.dirty:
        title = "Leave without saving? This text would be lost."
        return screen.digit.push_screen(Confirm(title, pane.text, yes="Leave", no="Go on editing"), answered)
    return screen.end_edit()


def leave_app(screen: MainScreen) -> Later:
    """Leave the app; asks when there is something to lose."""
    from digit_tui.screens.confirm import Confirm

    digit = screen.digit
    if digit.screen is not screen:
        if screen.unsaved() is None:
            digit.exit(0)
        else:
            digit.say("There is unsaved text: leave this dialog first.", "warning")
        return None

    def answered(yes: bool | None) -> None:
        if yes:
            screen.forget_draft(digit.do_at_last)
            digit.exit(0)
        elif screen.editor is not None:
            screen.editor.go_on()

    pane = screen.editor
    if pane is not None and pane.dirty:
        title = "Quit without saving? This text would be lost."
        return digit.push_screen(Confirm(title, pane.text, yes="Quit", no="Go on editing"), answered)
    screen.forget_draft(digit.do_at_last)
    digit.exit(0)
    return None


# ---------------------------------------------------------------------- text from elsewhere


def find_unsaved(screen: MainScreen, none: str = "") -> None:
    """Look for text that was not saved, and offer the newest; `none` is said where there is nothing."""
    library = screen.digit.library
    if library is None:
        return

    def found(texts: tuple[Unsaved, ...]) -> None:
        if texts:
            offer_unsaved(screen, texts[0])
        elif none:
            screen.say(none)

    screen.digit.do(partial(kept, library.own), found)


def offer_unsaved(screen: MainScreen, unsaved: Unsaved) -> None:
    """Ask whether to go on with what was not saved, or to throw it away."""
    from digit_tui.screens.unsaved import UnsavedScreen

    def answered(choice: str | None) -> None:
        if choice == "open":
            resume(screen, unsaved)
        elif choice == "drop":
            screen.digit.do(partial(drop, unsaved), lambda _: screen.say("Thrown away."))
            find_unsaved(screen)
        else:
            screen.say("The unsaved text is kept; :unsaved offers it again, and so does the next start.")

    if screen.editor is None and screen.digit.screen is screen:
        screen.digit.push_screen(UnsavedScreen(unsaved.text, unsaved.at), answered)


def resume(screen: MainScreen, unsaved: Unsaved, why: str = "") -> None:
    """Open the editor on text that is not in the store; on its own note, or on what became of that."""
    from digit_tui.panes.editor import Subject  # the text area: 10 ms

    snapshot = screen.snapshot
    if snapshot is None or screen.editor is not None:
        _put_by(screen, unsaved, why)
        return
    names = [store.name for store in snapshot.stores]
    document = unsaved.document if unsaved.document in names else names[0]
    screen.draft = unsaved if unsaved.path is not None else None
    base = unsaved.base
    ref = NoteRef(document, text_digest(base), 0) if base is not None else None
    screen.begin_edit(Subject(document, ref, base or ""), unsaved.text, why)


def _put_by(screen: MainScreen, unsaved: Unsaved, why: str) -> None:
    """Another note is being edited by now: write the text down; the next start offers it."""
    library = screen.digit.library
    if library is None:
        return
    own = library.store.own

    def write() -> str:
        try:
            return f"{why} What you typed is kept in {keep(own, unsaved)} and offered at the next start."
        except FileError as error:
            return f"{why} What you typed could not be kept: {error} It was: {unsaved.text}"

    screen.digit.do(write, lambda words: screen.say(words, "error"))


def edit_outside(screen: MainScreen, env: Mapping[str, str]) -> None:
    """Edit the note in the person's own editor. The app lets go of the terminal meanwhile."""
    from textual.app import SuspendNotSupported

    from digit_tui.external_editor import NoEditor, editor_command, run_editor

    note, library = screen.note, screen.digit.library
    if note is None or library is None:
        return
    lent = Unsaved(note.ref.document, note.text, note.text, time.time())
    try:
        command = editor_command(env)
        lent, path = lend(library.own, lent)
    except (NoEditor, FileError) as error:
        screen.say(str(error), "warning")
        return
    try:
        with screen.digit.lend_terminal():
            edited = run_editor(command, path, note.text)
    except SuspendNotSupported:
        drop(lent)
        screen.say("The terminal cannot be lent to an editor here. e edits here.", "warning")
        return
    _take_back(screen, note, edited, lent)


def _take_back(screen: MainScreen, note: Note, edited: Edited, lent: Unsaved) -> None:
    """Save what the person's own editor has left, or go on with it here; the draft is kept until it is saved."""
    text = edited.text
    if edited.unread and lent.path is not None:
        lent.path.unlink(missing_ok=True)  # what it left stays, and only the person can read it
    elif text is None or clean(text) == note.text:
        drop(lent)
    if text is None or clean(text) == note.text:
        screen.say(edited.problem or "Nothing was changed.", "warning" if edited.problem else "quiet")
        return
    unsaved = lent._replace(text=text, at=time.time())
    fault = content_fault(text)
    if edited.problem is not None or fault is not None:
        resume(screen, unsaved, edited.problem or (fault.message if fault is not None else ""))
        return

    def then(outcome: Outcome) -> None:
        if outcome.ok:
            screen.digit.do(partial(drop, unsaved))
            if outcome.refs:
                screen.notes.select(outcome.refs[0])
        else:
            screen.say("")
            resume(screen, unsaved, outcome.message)

    screen.digit.apply(Change((Replace(note.ref, clean(text)),)), then, "Saved.")
