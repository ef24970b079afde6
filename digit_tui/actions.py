"""What each command of the main screen does. Dialogs are imported when they are first opened."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from digit_core.memory.changes import Change, Move, Normalise, Outcome, Remove, Replace, Split
from digit_core.text.visible import has_hidden, visible
from digit_tui.panes.notes import Density, Sort

if TYPE_CHECKING:
    from digit_core.memory.changes import NoteRef, Operation
    from digit_core.views.snapshot import Note, Problem, StoreView
    from digit_tui.desk import Later
    from digit_tui.screens.main import Action, MainScreen
    from digit_tui.unsaved import Unsaved

# ---------------------------------------------------------------------- the note under the cursor


def _subject(screen: MainScreen) -> tuple[Note, StoreView]:
    """The note and its store; `commands.why_not` has seen to it that they are there."""
    note, store = screen.note, screen.store
    assert note is not None
    assert store is not None
    return note, store


def _apply(screen: MainScreen, operation: Operation, words: str = "") -> None:
    """Carry out one operation; the cursor goes to what it put there."""
    screen.digit.apply(Change((operation,)), partial(_follow_refs, screen), words)


def edit(screen: MainScreen) -> Later:
    """Edit the note in place."""
    from digit_tui.panes.editor import Subject  # the text area: 10 ms

    note, store = _subject(screen)
    return screen.begin_edit(Subject(store.name, note.ref, note.text, note.position + 1))


def new(screen: MainScreen) -> Later:
    """Write a new note, in the store of the cursor if it can be written."""
    from digit_tui.panes.editor import Subject  # the text area: 10 ms

    snapshot, store = screen.snapshot, screen.store
    if snapshot is None:
        return None
    if store is None or not store.writable:
        store = next(other for other in snapshot.stores if other.writable)
    return screen.begin_edit(Subject(store.name, None, ""))


def delete(screen: MainScreen) -> Later:
    """Delete the note, once the person has seen its text and said so."""
    from digit_tui.screens.confirm import Confirm

    note, store = _subject(screen)

    def answered(yes: bool | None) -> None:
        if yes:
            _apply(screen, Remove(note.ref))

    title = f"Delete this note from {store.label}?"
    return screen.digit.push_screen(Confirm(title, note.text, yes="Delete"), answered)


def move(screen: MainScreen) -> None:
    """Move the note to the other store."""
    note, store = _subject(screen)
    other = screen.snapshot.other(store.name) if screen.snapshot is not None else None
    if other is not None:
        _apply(screen, Move(note.ref, other.name))


def pin(screen: MainScreen) -> None:
    """Put the tag #pinned on the note, or take it off."""
    from digit_core.formats.tags import with_pin, without_pin

    note, _ = _subject(screen)
    text = without_pin(note.text) if note.pinned else with_pin(note.text)
    words = (
        "No longer pinned." if note.pinned else f"Pinned; the tag costs {len(text) - note.length} characters."
    )
    _apply(screen, Replace(note.ref, text), words)


def split(screen: MainScreen) -> Later:
    """Show how the note would be cut into several, and ask."""
    from digit_core.formats.document import propose_split
    from digit_tui.screens.split import SplitScreen

    note, _ = _subject(screen)
    texts = propose_split(note.text)

    def answered(yes: bool | None) -> None:
        if yes:
            _apply(screen, Split(note.ref, texts), f"One note became {len(texts)}.")

    return screen.digit.push_screen(SplitScreen(note.text, texts), answered)


def copy(screen: MainScreen) -> None:
    """Copy the note."""
    note, _ = _subject(screen)
    copy_text(screen, note.text)


def copy_text(screen: MainScreen, text: str) -> None:
    """Copy text, and say how it was sent. Control characters go as the signs that are shown for them."""
    from digit_tui.clipboard import copy_with_tool, osc52_words

    shown = visible(text)
    signs = " Hidden characters went as signs." if has_hidden(text) else ""

    def then(words: str | None) -> None:
        if words is not None:
            screen.digit.say(words + signs, "good")
            return
        sent, words = osc52_words(shown)
        if sent:
            screen.digit.copy_to_clipboard(shown)
        screen.digit.say(words + (signs if sent else ""), "quiet" if sent else "error")

    screen.digit.do(partial(copy_with_tool, shown), then)


# ---------------------------------------------------------------------- the store and the home


def tidy(screen: MainScreen) -> Later:
    """Write the file in the agent's own form, once the person has seen what differs."""
    from digit_core.formats.document import normalise
    from digit_core.views.line_changes import line_changes
    from digit_tui.screens.confirm import Confirm

    store = screen.store
    if store is None:
        return None
    after = normalise(store.document)
    if after.raw == store.document.raw and not store.document.bom:
        screen.say(f"{store.path.name} is in the agent's own form already.")
        return None

    def answered(yes: bool | None) -> None:
        if yes:
            _apply(screen, Normalise(store.name), f"{store.path.name} is tidy now.")

    title = f"Write {store.path.name} in the agent's own form? The notes keep their texts."
    return screen.digit.push_screen(
        Confirm(title, line_changes(store.document.raw, after.raw), yes="Tidy"), answered
    )


def undo(screen: MainScreen) -> None:
    """Take the last change back."""

    def then(outcome: Outcome) -> None:
        if outcome.changed and not outcome.refs and screen.came:
            screen.notes.select(screen.came[0])
        _follow_refs(screen, outcome)

    screen.digit.undo(then=then)


def redo(screen: MainScreen) -> None:
    """Do again what was undone last."""
    screen.digit.redo(then=partial(_follow_refs, screen))


def _follow_refs(screen: MainScreen, outcome: Outcome) -> None:
    if outcome.ok and outcome.refs:
        screen.notes.select(outcome.refs[0])


def history(screen: MainScreen) -> Later:
    """Open the undo list."""
    from digit_tui.screens.history import HistoryScreen

    return screen.digit.push_screen(HistoryScreen())


def room(screen: MainScreen) -> Later:
    """Open the guided way to make room."""
    from digit_tui.screens.room import RoomScreen

    store = screen.store
    if store is None:
        return None

    def edited() -> None:
        """The list comes back when the edit has ended, if it has begun."""
        if screen.editor is not None:
            screen.after_edit = lambda: screen.digit.push_screen(RoomScreen(store.name), chosen)

    def chosen(ref: NoteRef | None) -> None:
        if ref is None:
            return
        if not screen.notes.select(ref):
            screen.close_find()  # the filter may have hidden it
            screen.notes.select(ref)
        screen.run_command("edit")
        screen.call_later(edited)

    return screen.digit.push_screen(RoomScreen(store.name), chosen)


def make_room(screen: MainScreen) -> Later:
    """The same from the editor, which keeps its text and is there again afterwards."""
    from digit_tui.screens.room import RoomScreen

    pane = screen.editor
    if pane is None or pane.saving:
        return None

    def done(_: NoteRef | None) -> None:
        if screen.editor is pane:
            pane.go_on()

    return screen.digit.push_screen(RoomScreen(pane.subject.document, editing=True), done)


def problems(screen: MainScreen) -> Later:
    """List what is wrong with the home."""
    from digit_tui.screens.problems import ProblemsScreen

    def chosen(problem: Problem | None) -> None:
        screen.problems_seen()
        if problem is not None:
            screen.go_to(problem)
            screen.run_command(problem.remedy)

    if screen.snapshot is not None:
        return screen.digit.push_screen(ProblemsScreen(screen.snapshot), chosen)
    return None


def reload(screen: MainScreen) -> None:
    """Read the files again."""
    library = screen.digit.library
    if library is not None:
        screen.digit.do(
            library.reload, lambda found: screen.say("Read again." if found else "Nothing has changed.")
        )


# ---------------------------------------------------------------------- the screen


def sort(screen: MainScreen) -> None:
    """The next order of the list."""
    orders = list(Sort)
    screen.notes.order(sort=orders[(orders.index(screen.notes.sort) + 1) % len(orders)])
    screen.digit.prefer(sort=screen.notes.sort.name)
    screen.say(f"Sorted {screen.notes.sort.value}.")


def density(screen: MainScreen) -> None:
    """More or less room for each note of the list."""
    steps = list(Density)
    screen.notes.order(density=steps[(steps.index(screen.notes.density) + 1) % len(steps)])
    screen.digit.prefer(density=screen.notes.density.name)
    screen.say(f"List: {screen.notes.density.value}.")


def mouse(screen: MainScreen) -> None:
    """Take the mouse, or leave it to the terminal."""
    ours = screen.digit.toggle_mouse()
    screen.say(
        "The mouse works here again."
        if ours
        else "The mouse is the terminal's: drag to select text. M takes it."
    )


def show_all(screen: MainScreen) -> None:
    """Give the filter up."""
    screen.close_find()


def command_line(screen: MainScreen) -> Later:
    """Ask for a command by its name."""
    return _choose(screen, by_name=True)


def show_help(screen: MainScreen) -> Later:
    """List the keys that work here; choosing one runs it."""
    return _choose(screen, by_name=False)


def _choose(screen: MainScreen, *, by_name: bool) -> Later:
    from digit_tui.commands import why_not, works
    from digit_tui.screens.help import HelpScreen

    where, situation = screen.where, screen.situation
    offers = [
        (command._replace(keys=command.keys_in(where)), why_not(command, situation))
        for command in works(where)
    ]

    def chosen(command: str | None) -> None:
        if command is not None:
            screen.run_command(command)

    return screen.digit.push_screen(HelpScreen(offers, command_line=by_name), chosen)


def _scroll(screen: MainScreen, pages: float) -> None:
    """Move by pages in whatever has the keys."""
    if screen.notes.has_focus:
        screen.notes.move_by_pages(pages)
    else:
        screen.scroll_note(int(screen.pane.size.height * pages))


def _to_end(screen: MainScreen, bottom: bool) -> None:
    if screen.notes.has_focus:
        screen.notes.to_end(bottom)
    else:
        screen.scroll_note(1_000_000 if bottom else -1_000_000)


# ---------------------------------------------------------------------- the editor


def save(screen: MainScreen) -> Later:
    """Save what is in the editor."""
    from digit_tui.saving import save

    return save(screen)


def leave(screen: MainScreen) -> Later:
    """Leave the editor; asks when there is something to lose."""
    from digit_tui.saving import leave

    return leave(screen)


def other_store(screen: MainScreen) -> None:
    """A new note goes to the other store."""
    pane = screen.editor
    other = screen.snapshot.other(pane.subject.document) if pane is not None and screen.snapshot else None
    if pane is not None and other is not None:
        if other.writable:
            pane.choose_store(other.name)
        else:
            pane.refuse(f"{other.label} cannot be written: {other.why or 'it is turned off in config.yaml'}")


def copy_all(screen: MainScreen) -> None:
    """Copy what is in the editor."""
    if screen.editor is not None:
        copy_text(screen, screen.editor.text)


def external(screen: MainScreen) -> None:
    """Edit the note in the person's own editor."""
    from digit_tui.saving import edit_outside

    edit_outside(screen, os.environ)


def copy_selection(screen: MainScreen) -> bool:
    """Copy what is selected in the editor; False when nothing is."""
    selected = screen.editor.selected if screen.editor is not None else ""
    if selected:
        copy_text(screen, selected)
    return bool(selected)


def offer_unsaved(screen: MainScreen, unsaved: Unsaved) -> None:
    """Ask whether to go on with what an earlier run could not save."""
    from digit_tui.saving import offer_unsaved

    offer_unsaved(screen, unsaved)


def find_unsaved(screen: MainScreen) -> None:
    """Offer text that was not saved."""
    from digit_tui.saving import find_unsaved

    find_unsaved(screen, "There is no text that was not saved.")


def leave_app(screen: MainScreen) -> Later:
    """Leave; asks when there is something to lose."""
    from digit_tui.saving import leave_app

    return leave_app(screen)


ACTIONS: dict[str, Action] = {
    "open": lambda screen: screen.open_note(),
    "back": lambda screen: screen.close_note(),
    "all": show_all,
    "new": new,
    "edit": edit,
    "editor": external,
    "delete": delete,
    "move": move,
    "copy": copy,
    "pin": pin,
    "split": split,
    "undo": undo,
    "redo": redo,
    "history": history,
    "room": room,
    "tidy": tidy,
    "keep": lambda screen: screen.keep_found(),
    "found_down": lambda screen: screen.notes.move(1),
    "found_up": lambda screen: screen.notes.move(-1),
    "find": lambda screen: screen.open_find(),
    "sort": sort,
    "down": lambda screen: screen.notes.move(1),
    "up": lambda screen: screen.notes.move(-1),
    "half_down": lambda screen: _scroll(screen, 0.5),
    "half_up": lambda screen: _scroll(screen, -0.5),
    "page_down": lambda screen: _scroll(screen, 1),
    "page_up": lambda screen: _scroll(screen, -1),
    "top": lambda screen: _to_end(screen, False),
    "bottom": lambda screen: _to_end(screen, True),
    "scroll_down": lambda screen: screen.scroll_note(1),
    "scroll_up": lambda screen: screen.scroll_note(-1),
    "read_down": lambda screen: screen.scroll_note(1),
    "read_up": lambda screen: screen.scroll_note(-1),
    "command": command_line,
    "help": show_help,
    "problems": problems,
    "unsaved": find_unsaved,
    "reload": reload,
    "density": density,
    "theme": lambda screen: screen.digit.toggle_theme(),
    "mouse": mouse,
    "redraw": lambda screen: screen.digit.redraw(),
    "suspend": lambda screen: screen.digit.action_suspend_process(),
    "quit": leave_app,
    "save": save,
    "leave": leave,
    "store": other_store,
    "copy_all": copy_all,
    "make_room": make_room,
    "text_undo": lambda screen: screen.editor.area.undo() if screen.editor is not None else None,
    "text_redo": lambda screen: screen.editor.area.redo() if screen.editor is not None else None,
    "text_start": lambda screen: screen.editor.to_end(start=True) if screen.editor is not None else None,
    "text_end": lambda screen: screen.editor.to_end() if screen.editor is not None else None,
    "select_all": lambda screen: screen.editor.area.select_all() if screen.editor is not None else None,
    "quit_editor": leave_app,
}
"""The function of every command in `commands.COMMANDS`."""
