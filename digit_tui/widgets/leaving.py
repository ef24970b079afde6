"""What goes on between the moment a widget is taken away and the next layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.strip import Strip

if TYPE_CHECKING:
    from textual.geometry import Region
    from textual.widget import Widget as Base
else:
    Base = object  # Textual takes style sheets and key bindings from the first base that is a widget


class Leaving(Base):
    """Mixed into one of Textual's widgets: blank while it has no styles, as it is once taken out of the screen.

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
