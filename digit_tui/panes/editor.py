"""The editor in place of the note. Imported when it is first needed: the text area costs 10 ms.

What is shown is `editor_text` of the note, and `restore` brings back what was not typed over, so that opening a note
and saving it untouched changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.document._document import EditResult, Location, Selection
from textual.message import Message
from textual.widgets import TextArea

from digit_core.formats.document import clean, content_fault
from digit_core.memory.limits import Usage, short_usage, usage_of
from digit_core.memory.merge import pair
from digit_core.text.measure import clusters
from digit_core.text.visible import editor_text, restore, visible
from digit_core.views.room import DELIMITER_LENGTH
from digit_tui.commands import Where, bindings
from digit_tui.widgets.leaving import Leaving
from digit_tui.widgets.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from digit_core.memory.changes import NoteRef
    from digit_core.views.snapshot import Note, Snapshot, StoreView

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_INDENT = "  "
_LONGEST_CHARACTER = 256
"""Code points; a line may be a whole note, which is not looked through for each key."""


class Subject(NamedTuple):
    """What is being edited."""

    document: str
    """The store it is in, or will be."""
    ref: NoteRef | None
    """None for a new note."""
    base: str
    """Its text when the edit began; "" for a new note."""
    number: int = 0
    """1-based place among the notes of the store; 0 for a new note."""


class Standing(NamedTuple):
    """What would come of saving now."""

    usage: Usage
    """Of the store, once saved."""
    length: int
    """Of the note, as it would be stored."""
    grows: int
    fault: str
    """Why it cannot be saved; "" when it can."""


def standing(store: StoreView, before: str | None, text: str) -> Standing:
    """Count what a store holds once `text` stands in the place of `before` (None: as a new note)."""
    cleaned = clean(text)
    used = store.usage.used
    if before is not None:
        used += len(cleaned) - len(before)
    elif cleaned:
        used += len(cleaned) + (DELIMITER_LENGTH if store.notes else 0)
    fault = content_fault(text)
    after = usage_of(used, store.limits)
    grows = len(cleaned) - len(before or "")
    words = fault.message if fault is not None else ""
    if not words and after.over and grows > 0:
        words = f"{after.over:,} characters over the limit of {store.label}: shorten it, or make room (F4)."
    return Standing(after, len(cleaned), grows, words)


def _became(base: str, notes: Sequence[Note]) -> Note | None:
    """The note that one with the text `base`, which is gone, seems to have become: by likeness."""
    texts = [*(note.text for note in notes), ""]  # never one against one, which would pair by place alone
    index = next((step.after_index for step in pair((base,), texts) if step.before_index == 0), None)
    return notes[index] if index is not None and index < len(notes) else None


def pasted(text: str) -> tuple[str, int]:
    """Pasted text fit to be stored, and how many code points of it that draw nothing were left out."""
    text = _LINE_ENDS.sub("\n", text)
    shown = visible(text)
    if shown == text:
        return text, 0
    kept = "".join(code for code, drawn in zip(text, shown, strict=True) if code == drawn)
    return kept, len(text) - len(kept)


def character_around(line: str, column: int) -> tuple[int, int]:
    """Where the character begins and ends that `column` lies within; `column` twice where it lies between two.

    A character is what a person sees as one: an emoji of several code points, a letter with its accents.
    """
    if not 0 < column < len(line) or line[column].isascii():
        return column, column
    at = max(column - _LONGEST_CHARACTER, 0)
    for cluster in clusters(line[at : column + _LONGEST_CHARACTER]):
        if at + len(cluster) > column:
            return (at, at + len(cluster)) if at < column else (column, column)
        at += len(cluster)
    return column, column


class Editor(Leaving, TextArea, inherit_bindings=True):
    """The text area, with our keys, and without what would put control characters into a note."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Where.EDITOR),
        Binding("tab", "indent", "Indent", show=False),
    ]
    DEFAULT_CSS = """
    Editor {
        background: $surface;
        color: $text;
        border: none;
        padding: 1 1 0 2;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
        &:focus { border: none; }
        & .text-area--cursor, &:light .text-area--cursor { background: $accent; color: $background; }
        & .text-area--selection { background: $selection; color: $selection-text; }
    }
    """

    @dataclass
    class LeftOut(Message):
        """Some code points of a paste were left out."""

        count: int

    def __init__(self, text: str) -> None:
        super().__init__(text, soft_wrap=True, tab_behavior="focus", show_line_numbers=False)
        self.cursor_blink = False  # a blinking caret is 0.5 % of a core and a byte stream to the terminal

    def get_cursor_left_location(self) -> Location:
        """One whole character to the left."""
        return self._border(super().get_cursor_left_location())

    def get_cursor_right_location(self) -> Location:
        """One whole character to the right."""
        return self._border(super().get_cursor_right_location(), after=True)

    def validate_selection(self, selection: Selection) -> Selection:
        """Neither end stands within a character, wherever the mouse or a line above has put it."""
        return Selection(*map(self._border, selection))

    def _delete_via_keyboard(self, start: Location, end: Location) -> EditResult | None:
        start, end = sorted((start, end))
        return super()._delete_via_keyboard(self._border(start), self._border(end, after=True))

    def _border(self, location: Location, *, after: bool = False) -> Location:
        """The location, or that before (or after) the character it lies within."""
        line, column = location
        before, behind = character_around(self.document.get_line(line), column)
        return line, behind if after else before

    def action_indent(self) -> None:
        """Two blanks: Tab stays in the text."""
        self.insert(_INDENT)

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        text, left_out = pasted(event.text)
        result = self.replace(text, *self.selection, maintain_selection_offset=False)
        self.move_cursor(result.end_location)
        if left_out:
            self.post_message(self.LeftOut(left_out))


class EditorStatus(Status):
    """What a save would come to."""

    STYLES: ClassVar[Mapping[str, str]] = {
        part: words.replace("on background", "on surface") for part, words in Status.STYLES.items()
    }
    DEFAULT_CSS = """
    EditorStatus { background: $surface; padding: 1 0 0 0; max-height: 6; }
    """


class EditorPane(Vertical):
    """One edit: the text, what it would come to, and why it cannot be saved."""

    DEFAULT_CSS = """
    EditorPane {
        background: $surface;
    }
    """

    @dataclass
    class Changed(Message):
        """The text is another one."""

        pane: EditorPane

    def __init__(self, subject: Subject, snapshot: Snapshot, typed: str | None = None) -> None:
        super().__init__()
        self.subject = subject
        self.now: Note | None = None
        """What the note has become on disk; None when it is gone, or new."""
        self.disturbed = False
        """The note on disk is no longer the one the edit began with."""
        self._snapshot = snapshot
        self._before = editor_text(subject.base)
        self.area = Editor(self._before if typed is None else editor_text(typed))
        self._status = EditorStatus()
        self._said = ""
        if subject.ref is not None:
            self._meet(snapshot.find(subject.ref) or _became(subject.base, self.store.notes))

    def compose(self) -> ComposeResult:
        """The text, and a line below it."""
        yield self.area
        yield self._status

    def on_mount(self) -> None:
        """Begin at the end of the text, where most additions go."""
        self.area.move_cursor(self.area.document.end)
        self.go_on()

    @property
    def text(self) -> str:
        """What the person means: untouched code points are those of the note."""
        return restore(self.subject.base, self._before, self.area.text)

    @property
    def shown(self) -> str:
        """What is in the editor, as it is drawn."""
        return self.area.text

    @property
    def dirty(self) -> bool:
        """Whether there is something to lose."""
        return clean(self.text) != self.subject.base

    @property
    def store(self) -> StoreView:
        """The store that a save would go to, as it is now."""
        return self._snapshot.store(self.subject.document)

    def choose_store(self, document: str) -> None:
        """A new note goes to another store."""
        self.subject = self.subject._replace(document=document)
        self._said = ""
        self._count()

    def follow(self, snapshot: Snapshot, now: Note | None) -> None:
        """The files have changed: `now` is what the note has become. The text, focus and caret stay."""
        self._snapshot = snapshot
        if self.subject.ref is not None:
            now = now or snapshot.find(self.subject.ref)
            self._meet(now)
        self._count()

    def _meet(self, now: Note | None) -> None:
        """What the note of this edit is by now; another text than the edit began with is a disturbance."""
        self.now = now
        self.disturbed = now is None or now.text != self.subject.base
        if not self.disturbed and now is not None:
            self.subject = self.subject._replace(ref=now.ref, number=now.position + 1)

    def to_end(self, *, start: bool = False) -> None:
        """Put the caret at the end of the text, or at its start."""
        self.area.move_cursor((0, 0) if start else self.area.document.end)

    def refuse(self, why: str) -> None:
        """Say why it was not saved, until the text changes."""
        self._said = why
        self.area.read_only = False
        self._count()

    @property
    def selected(self) -> str:
        """What is selected."""
        return self.area.selected_text

    @property
    def saving(self) -> bool:
        """A save is on its way; the text stays as it is until then."""
        return self.area.read_only

    def waiting(self) -> None:
        """It is being saved."""
        self.area.read_only = True
        self._status.say("Saving …")

    def go_on(self) -> None:
        """It was not saved: give the text the keys again."""
        self.area.read_only = False
        self.screen.set_focus(self.area)
        self._count()

    @on(TextArea.Changed)
    def _text_changed(self) -> None:
        self._said = ""
        self._count()
        self.post_message(self.Changed(self))

    @on(Editor.LeftOut)
    def _some_left_out(self, message: Editor.LeftOut) -> None:
        plural = "" if message.count == 1 else "s"
        self._status.say(f"{message.count} invisible character{plural} of the paste left out.", "warning")

    def _count(self) -> None:
        """Say what a save would come to, or what stands in its way."""
        if self._said:
            self._status.say(self._said, "error")
            return
        store = self.store
        found = standing(store, self.subject.base if self.subject.ref is not None else None, self.text)
        where = "new note" if self.subject.ref is None else f"note {self.subject.number or ''}".rstrip()
        words = (
            f"{store.label} · {where} · {found.length:,} characters, {found.grows:+,} · "
            f"{short_usage(found.usage)} after saving"
        )
        if self.disturbed:
            became = "is gone" if self.now is None else "was changed"
            self._status.say(f"{words}\nThis note {became} on disk meanwhile; ^s shows both.", "warning")
        elif found.fault and self.dirty:
            self._status.say(f"{words}\n{found.fault}", "error")
        else:
            self._status.say(words)
