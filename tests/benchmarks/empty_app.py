"""The floor: a Textual app of one Static. `python empty_app.py`; `q` quits."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class EmptyApp(App[None]):
    """Shows one word."""

    BINDINGS = [("q", "quit", "Quit")]  # noqa: RUF012 - Textual's own form

    def compose(self) -> ComposeResult:
        """One Static."""
        yield Static("Emptyfloor")


if __name__ == "__main__":
    EmptyApp().run()
