"""The commands that work here, with their keys, filtered as one types; choosing one runs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events, on
from textual.binding import Binding
from textual.widget import Widget
from textual.widgets import Input

from digit_core.text.visible import one_line
from digit_tui.commands import Command
from digit_tui.screens.dialog import Dialog, Key
from digit_tui.widgets.choices import Choice, Choices
from digit_tui.widgets.page import Page, plain

Offer = tuple[Command, str | None]
"""A command, and why it does not work now; None when it does."""


_SIGNS_ROW = "·signs"
_SIGNS = (
    "◆ note  ★ pinned  ≡ there twice  ≈ a date that is a guess  △ nearly full, or worth knowing  ⊘ wrong  "
    "┊ up to here all of it is in the prompt"
)


def matching(offers: Sequence[Offer], typed: str) -> list[Offer]:
    """The commands that hold every word typed; the one called exactly so first, then those that begin so."""
    words = typed.removeprefix("/").removeprefix(":").casefold().split()
    if not words:
        return list(offers)
    first = words[0]

    def place(offer: Offer) -> int:
        command = offer[0]
        if command.id == first:
            return 0
        if command.id.startswith(first):
            return 1
        return 2 if command.title.casefold().startswith(first) else 3

    held = [offer for offer in offers if all(word in _searched(offer[0]) for word in words)]
    return sorted(held, key=place)


def _searched(command: Command) -> str:
    return f"{command.id} {command.title} {command.help} {command.key_words}".casefold()


class CommandInput(Input):
    """What one types to narrow the list; the arrows move in the list meanwhile."""

    BINDINGS = [
        Binding("down,ctrl+n", "screen.step(1)", "Down", show=False),
        Binding("up,ctrl+p", "screen.step(-1)", "Up", show=False),
        Binding("pagedown", "screen.step(8)", "Page down", show=False),
        Binding("pageup", "screen.step(-8)", "Page up", show=False),
    ]
    DEFAULT_CSS = """
    CommandInput {
        height: 1;
        border: none;
        padding: 0;
        background: $panel;
        color: $text;
        &:focus { border: none; background: $panel; background-tint: $panel 0%; }
        & .input--placeholder { color: $muted; }
    }
    """

    def __init__(self, placeholder: str) -> None:
        super().__init__(placeholder=placeholder, compact=True)
        self.cursor_blink = False

    def _on_paste(self, event: events.Paste) -> None:
        # Textual's own keeps only the first line of a paste, with the control bytes in it.
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(one_line(" ".join(event.text.split())))


class HelpScreen(Dialog[str | None]):
    """Answers with the id of the command that was chosen."""

    TALL = True
    DEFAULT_CSS = """
    HelpScreen {
        Choices { height: 1fr; margin-top: 1; }
        Frame > #about { height: 2; margin-top: 1; }
        &.-short Choices { margin: 0; }
        &.-short Frame > #about { margin: 0; }
    }
    """

    def __init__(self, offers: Sequence[Offer], *, command_line: bool = False) -> None:
        super().__init__()
        self._offers = tuple(offers)
        self._command_line = command_line
        self._input = CommandInput("the name of a command" if command_line else "type to narrow the list")
        self._choices = Choices()
        self._about = Page(id="about")

    def title_words(self) -> str:
        """Which of the two this is."""
        return "Run a command" if self._command_line else "What you can do here"

    def key_words(self) -> Iterable[Key]:
        """The way out first."""
        return (("esc", "back"), ("⏎", "run it"), ("↓ ↑", "choose"))

    def body(self) -> Iterable[Widget]:
        """What is typed, the list, one sentence about the row under the cursor."""
        return (self._input, self._choices, self._about)

    def on_mount(self) -> None:
        """Everything is there at first."""
        self._choices.can_focus = False
        self._about.can_focus = False
        self._show("")
        self._input.focus()

    def _show(self, typed: str) -> None:
        rows = [
            Choice(command.id, command.title, command.key_words, "·" if why else " ", dim=why is not None)
            for command, why in matching(self._offers, typed)
        ]
        if not self._command_line and not typed:
            rows.append(Choice(_SIGNS_ROW, "What the signs mean"))
        self._choices.show(rows)
        self._choices.action_step(-len(self._offers))
        self._tell()

    def _tell(self) -> None:
        current = self._choices.current
        if current is None:
            self._about.show((plain("No command has these words.", "warning"),))
            return
        if current.id == _SIGNS_ROW:
            self._about.show((plain(_SIGNS, "muted"),))
            return
        command, why = next(offer for offer in self._offers if offer[0].id == current.id)
        words = plain(f"Not now: {why}", "warning") if why else plain(command.help, "muted")
        self._about.show((words,))

    def action_step(self, steps: int) -> None:
        """Move in the list while one types."""
        self._choices.action_step(steps)

    @on(Input.Changed)
    def _changed(self, message: Input.Changed) -> None:
        message.stop()
        self._show(message.value)

    @on(Choices.Moved)
    def _moved(self) -> None:
        self._tell()

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self._run()

    @on(Choices.Chosen)
    def _chosen(self) -> None:
        self._run()

    def _run(self) -> None:
        current = self._choices.current
        if current is not None and current.id != _SIGNS_ROW:
            self.dismiss(current.id)
