"""What goes on between the moment a widget is taken away and the next layout."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class Leaving(Widget):
    """Blank while it has no styles: before it is part of the screen, and once it is taken out of it.

    A dialog that opens in the same moment paints the screen below it as it was laid out before, with widgets in it
    that have lost their styles: Textual's text area and input end the app then (KeyError, 8.2.8).
    """

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw what is asked for, if it can be drawn."""
        try:
            self.get_component_styles(*self.COMPONENT_CLASSES)
        except KeyError:
            return [Strip.blank(crop.width, self.rich_style)] * crop.height
        return super().render_lines(crop)
