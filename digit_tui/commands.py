"""Every command of the app in one table: key bindings, footer, command line and help all come from it.

The command line `digit memory …` has verbs of its own and uses the same words. Nothing here imports Textual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Flag, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.binding import BindingType

    from digit_core.views.snapshot import Note, Snapshot, StoreView


class Where(Flag):
    """In what part of the main screen a command works."""

    LIST = auto()
    """The list has the keys."""
    NOTE = auto()
    """The note has the keys: opened over the list, or by Tab."""
    EDITOR = auto()
    """A note is being edited; letters are text."""
    FIND = auto()
    """What to find is being typed; letters are text."""
    BROWSE = LIST | NOTE
    ALL = LIST | NOTE | EDITOR


class Situation(NamedTuple):
    """What the main screen shows: enough to tell which commands work, and why others do not."""

    where: Where
    snapshot: Snapshot | None
    """None while the home is being opened."""
    store: StoreView | None
    """The store the cursor is in."""
    note: Note | None
    """The note under the cursor."""
    new_note: bool = False
    """The editor holds a note that is not in a store yet."""


WhyNot = Callable[[Situation], str | None]
"""Says in plain words why a command does not work now; None when it does."""


def _home(situation: Situation) -> str | None:
    return None if situation.snapshot is not None else "The home is still being opened."


def _note(situation: Situation) -> str | None:
    return _home(situation) or (None if situation.note is not None else "No note is selected.")


def _refusal(store: StoreView) -> str | None:
    """Why a store takes no change."""
    if store.writable:
        return None
    if not store.enabled:
        key = "memory_enabled" if store.name == "memory" else "user_profile_enabled"
        return f"{store.label} is turned off: memory.{key} is false in config.yaml."
    return f"{store.label} is {store.state.value}: {store.why}"


def _writable_note(situation: Situation) -> str | None:
    if (why := _note(situation)) is not None:
        return why
    return _refusal(situation.store) if situation.store is not None else None


def _some_store(situation: Situation) -> str | None:
    if situation.snapshot is None:
        return _home(situation)
    refusals = [_refusal(store) for store in situation.snapshot.stores]
    return refusals[0] if refusals and None not in refusals else None


def _movable(situation: Situation) -> str | None:
    if (why := _writable_note(situation)) is not None or situation.snapshot is None or situation.note is None:
        return why
    other = situation.snapshot.other(situation.note.ref.document)
    return "There is no other store in this home." if other is None else _refusal(other)


def _splittable(situation: Situation) -> str | None:
    if (why := _writable_note(situation)) is not None or situation.note is None:
        return why
    from digit_core.formats.document import (
        propose_split,
    )  # only asked for when the key is pressed or help is open

    if len(propose_split(situation.note.text)) > 1:
        return None
    return "This note has no headings, bullets or paragraphs to split at."


def _store(situation: Situation) -> str | None:
    if (why := _home(situation)) is not None or situation.store is None:
        return why
    return _refusal(situation.store)


def _new_note(situation: Situation) -> str | None:
    return None if situation.new_note else "Only a new note can choose its store; m moves a saved one."


_NO_TEXT = frozenset({"escape", "enter", "up", "down", "pageup", "pagedown", "delete"})
_RANKS = {"help": 0, "quit": 0, "save": 0, "leave": 0, "edit": 1, "new": 1, "open": 1, "back": 1} | {
    "undo": 2,
    "find": 2,
    "delete": 2,
    "sort": 4,
    "pin": 4,
    "copy": 4,
}


MOVING = frozenset(
    {
        "down",
        "up",
        "half_down",
        "half_up",
        "page_down",
        "page_up",
        "top",
        "bottom",
        "scroll_down",
        "scroll_up",
    }
    | {"read_down", "read_up", "found_down", "found_up", "keep", "back", "open"}
)
"""Commands that only look elsewhere: what was said last stays."""

ANYWHERE = MOVING | {"quit", "quit_editor", "redraw", "suspend"}
"""Commands that work in a window too small to show what they do."""


class Command(NamedTuple):
    """One thing a person can do."""

    id: str
    """Stable; also what is typed after `:`."""
    title: str
    help: str
    """One sentence: what it does."""
    keys: tuple[str, ...]
    """Textual's names for keys, the main one first."""
    where: Where
    footer: str = ""
    """Word in the footer; "" leaves it out."""
    why_not: WhyNot | None = None

    @property
    def rank(self) -> int:
        """Where there is no room for all, the footer keeps the lowest ranks."""
        return _RANKS.get(self.id, 3)

    def keys_in(self, where: Where) -> tuple[str, ...]:
        """The keys that work in one part of the screen: where letters are text, those that are no letters."""
        if where in (Where.EDITOR, Where.FIND):
            return tuple(key for key in self.keys if "+" in key or key in _NO_TEXT or key[1:].isdigit())
        return self.keys

    def key_in(self, where: Where) -> str:
        """The key to show in one part of the screen."""
        return next(iter(self.keys_in(where)), "")

    @property
    def key_words(self) -> str:
        """The keys as a person reads them: `j ↓`."""
        return " ".join(key_word(key) for key in self.keys)


COMMANDS: tuple[Command, ...] = (
    Command("save", "Save", "Saves the note.", ("ctrl+s", "f2"), Where.EDITOR, "save"),
    Command(
        "leave",
        "Leave the editor",
        "Asks when there is something to lose.",
        ("escape",),
        Where.EDITOR,
        "leave",
    ),
    Command(
        "store",
        "Choose the store",
        "A new note goes to the other store.",
        ("ctrl+t",),
        Where.EDITOR,
        "other store",
        _new_note,
    ),
    Command("copy_all", "Copy the text", "Copies what is in the editor.", ("f3",), Where.EDITOR, "copy"),
    Command(
        "make_room",
        "Make room",
        "Shows what else the store could do without, and comes back to the text.",
        ("f4",),
        Where.EDITOR,
        "make room",
    ),
    Command("text_undo", "Undo typing", "Takes back what was typed last.", ("ctrl+z",), Where.EDITOR),
    Command("text_redo", "Redo typing", "Types it again.", ("ctrl+y",), Where.EDITOR),
    Command(
        "text_start",
        "To the start of the text",
        "Home or ^a goes to the start of the line.",
        ("ctrl+home",),
        Where.EDITOR,
    ),
    Command(
        "text_end",
        "To the end of the text",
        "End or ^e goes to the end of the line.",
        ("ctrl+end",),
        Where.EDITOR,
    ),
    Command(
        "select_all", "Select all", "The whole text; ⇧ with the arrows selects a part.", ("f7",), Where.EDITOR
    ),
    Command(
        "quit_editor",
        "Quit",
        "Leaves the app; asks when there is something to lose.",
        ("ctrl+q",),
        Where.EDITOR,
    ),
    Command("keep", "To the list", "Keeps what was found.", ("enter",), Where.FIND, "keep"),
    Command("found_down", "Down", "To the next note that was found.", ("down",), Where.FIND),
    Command("found_up", "Up", "To the note before.", ("up",), Where.FIND),
    Command("open", "Open the note", "Shows the whole note.", ("enter",), Where.LIST, "open", _note),
    Command("back", "Back to the list", "Leaves the note.", ("escape", "backspace"), Where.NOTE, "back"),
    Command(
        "all", "Show all notes", "Gives up what was typed to find.", ("escape",), Where.LIST | Where.FIND
    ),
    Command("new", "New note", "Writes a new note.", ("n",), Where.BROWSE, "new", _some_store),
    Command("edit", "Edit here", "Edits the note in place.", ("e",), Where.BROWSE, "edit", _writable_note),
    Command(
        "editor",
        "Edit in your editor",
        "Opens the note in $VISUAL or $EDITOR.",
        ("E",),
        Where.BROWSE,
        "",
        _writable_note,
    ),
    Command(
        "delete",
        "Delete the note",
        "Shows the text and asks; z brings it back.",
        ("d", "delete"),
        Where.BROWSE,
        "delete",
        _writable_note,
    ),
    Command(
        "move",
        "Move to the other store",
        "Moves the note between MEMORY and USER.",
        ("m",),
        Where.BROWSE,
        "move",
        _movable,
    ),
    Command(
        "copy", "Copy the note", "Copies the text to the clipboard.", ("y",), Where.BROWSE, "copy", _note
    ),
    Command(
        "pin",
        "Pin or unpin",
        "Adds or takes the tag #pinned, which keeps a note in the prompt.",
        ("p",),
        Where.BROWSE,
        "pin",
        _writable_note,
    ),
    Command(
        "split",
        "Split the note",
        "Shows how the note would be cut into several, and asks.",
        ("S",),
        Where.BROWSE,
        "",
        _splittable,
    ),
    Command(
        "undo",
        "Undo",
        "Takes your last change back; what others wrote stays.",
        ("z",),
        Where.BROWSE,
        "undo",
        _home,
    ),
    Command("redo", "Redo", "Does again what was undone last.", ("Z",), Where.BROWSE, "", _home),
    Command(
        "history",
        "Undo list",
        "Every change, with its difference, and the backups.",
        ("U",),
        Where.BROWSE,
        "",
        _home,
    ),
    Command(
        "room",
        "Make room",
        "Offers duplicates, the longest and the oldest notes of a store.",
        ("r",),
        Where.BROWSE,
        "",
        _store,
    ),
    Command(
        "tidy",
        "Tidy the file",
        "Writes the file in the agent's own form; shows the difference and asks.",
        ("T",),
        Where.BROWSE,
        "",
        _store,
    ),
    Command(
        "find", "Find", "Keeps the notes that hold what you type.", ("slash",), Where.BROWSE, "find", _home
    ),
    Command("sort", "Sort", "By place in the file, by length, by date.", ("s",), Where.BROWSE, "sort", _home),
    Command("down", "Down", "To the next note.", ("j", "down"), Where.LIST),
    Command("up", "Up", "To the note before.", ("k", "up"), Where.LIST),
    Command("half_down", "Half a page down", "Moves by half a page.", ("ctrl+d",), Where.BROWSE),
    Command("half_up", "Half a page up", "Moves back by half a page.", ("ctrl+u",), Where.BROWSE),
    Command("page_down", "Page down", "Moves by a page.", ("pagedown",), Where.BROWSE),
    Command("page_up", "Page up", "Moves back by a page.", ("pageup",), Where.BROWSE),
    Command("top", "To the top", "To the first note, or the start of the note.", ("g", "home"), Where.BROWSE),
    Command(
        "bottom", "To the bottom", "To the last note, or the end of the note.", ("G", "end"), Where.BROWSE
    ),
    Command("scroll_down", "Scroll the note down", "Without leaving the list.", ("J",), Where.BROWSE),
    Command("scroll_up", "Scroll the note up", "Without leaving the list.", ("K",), Where.BROWSE),
    Command("read_down", "Line down", "Scrolls the open note.", ("j", "down"), Where.NOTE),
    Command("read_up", "Line up", "Scrolls the open note.", ("k", "up"), Where.NOTE),
    Command(
        "command", "Command line", "Runs a command by name.", ("colon", "ctrl+p"), Where.BROWSE, "command"
    ),
    Command(
        "help",
        "Help",
        "The keys that work here; choosing one runs it.",
        ("question_mark", "f1"),
        Where.ALL,
        "help",
    ),
    Command(
        "problems",
        "Problems",
        "What is wrong with this home, and the way out.",
        ("exclamation_mark",),
        Where.BROWSE,
    ),
    Command(
        "unsaved",
        "Unsaved text",
        "Offers what you typed and an earlier run could not save.",
        ("w",),
        Where.BROWSE,
        "",
        _home,
    ),
    Command("reload", "Read again", "Reads the files again now.", ("ctrl+r",), Where.BROWSE, "", _home),
    Command("density", "Density", "Compact, normal or roomy list.", ("D",), Where.BROWSE),
    Command("theme", "Light or dark", "Changes the theme.", ("t",), Where.BROWSE),
    Command(
        "mouse",
        "Mouse on or off",
        "Off leaves the mouse to the terminal, so that it selects text.",
        ("M",),
        Where.BROWSE,
    ),
    Command("redraw", "Draw again", "Paints the whole screen again.", ("ctrl+l",), Where.ALL),
    Command("suspend", "To the shell", "Stops the app; `fg` brings it back.", ("ctrl+z",), Where.BROWSE),
    Command("quit", "Quit", "Leaves the app.", ("q", "ctrl+c", "ctrl+q"), Where.BROWSE, "quit"),
)

BY_ID = {command.id: command for command in COMMANDS}

_KEY_WORDS = {
    "enter": "⏎",
    "escape": "esc",
    "backspace": "⌫",
    "delete": "del",
    "down": "↓",
    "up": "↑",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "slash": "/",
    "colon": ":",
    "question_mark": "?",
    "exclamation_mark": "!",
}


def key_word(key: str) -> str:
    """A key as a person reads it: `^s` for ctrl+s, `?` for question_mark."""
    if key.startswith("ctrl+"):
        return f"^{key.removeprefix('ctrl+')}"
    return _KEY_WORDS.get(key, key.upper() if key[1:].isdigit() else key)


def works(where: Where) -> tuple[Command, ...]:
    """The commands of one part of the screen, in the order of the table."""
    return tuple(command for command in COMMANDS if command.where & where)


def why_not(command: Command, situation: Situation) -> str | None:
    """Why a command does not work now, in plain words; None when it does."""
    if not command.where & situation.where:
        if situation.where is Where.EDITOR:
            return "Save (^s) or leave (esc) the edit first."
        if situation.where is Where.FIND:
            return "Enter keeps what was found, esc shows all notes."
        return f"{command.title}: not here."
    return command.why_not(situation) if command.why_not is not None else None


def bindings(where: Where, commands: Iterable[Command] = COMMANDS) -> list[BindingType]:
    """Textual's bindings for the commands of one part of the screen; each calls the screen's `action_command`."""
    from textual.binding import Binding  # the command line reads this table too, and never gets here

    return [
        Binding(",".join(command.keys), f"screen.command({command.id!r})", command.title, show=False)
        for command in commands
        if command.where & where
    ]
