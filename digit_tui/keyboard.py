"""Keys taken strictly in the order in which they were pressed, each for what it means by its place."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from textual import events
from textual.app import App

from digit_tui.keys import latin

if TYPE_CHECKING:
    from textual.widget import Widget


class KeyboardApp(App[int], inherit_bindings=False):
    """An app that loses no key that is typed ahead, on any layout.

    Textual hands a key to a widget and takes the next one meanwhile, so that keys typed ahead meet a screen that is
    not there yet: after `e` the first letters of the text would be commands. Here a key that is bound runs at once,
    and what it opens is waited for.
    """

    _typed_into: Widget | None = None

    async def on_event(self, event: events.Event) -> None:
        """Text goes to the widget that takes it; any other key runs what is bound to it."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.app_focus = True  # some terminals tell when the focus goes, and not when it comes
            focused = self.focused or self._refocused()
            if focused is not None and focused.check_consume_key(event.key, event.character):
                self._typed_into = focused
            else:
                meant = latin(event.key)
                if meant != event.key:
                    event = events.Key(meant, meant if len(meant) == 1 else None)
                await self._typing_done()
                if await self._check_bindings(meant, priority=True) or await self._check_bindings(meant):
                    return
        await super().on_event(event)

    def _refocused(self) -> Widget | None:
        """Give the keys to something: whoever had them was hidden, as a resize may do, and no key would work."""
        screen = self.screen
        screen.set_focus(next(iter(screen.focus_chain), None))
        return screen.focused

    async def _typing_done(self) -> None:
        """Wait until the text that was typed before is in its widget."""
        widget, self._typed_into = self._typed_into, None
        if widget is not None:
            done = asyncio.Event()
            if widget.call_later(done.set):
                with suppress(TimeoutError):  # a widget that closes answers nothing
                    await asyncio.wait_for(done.wait(), 0.5)
