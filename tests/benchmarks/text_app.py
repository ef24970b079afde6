"""The floor of typing: a Textual app of one text area. `python text_app.py`; ctrl+q quits."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import TextArea


class TextApp(App[None]):
    """One paragraph to type into."""

    def compose(self) -> ComposeResult:
        """One text area, with the caret at its end."""
        area = TextArea("Emptyfloor\n" + "A sentence as long as those of a note, and another one. " * 5)
        area.cursor_blink = False
        area.move_cursor(area.document.end)
        yield area


if __name__ == "__main__":
    TextApp().run()
