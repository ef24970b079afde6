"""What comes from the terminal, made fit for Textual: bytes that are no text, and keys in every protocol.

Textual decodes its input strictly and knows one spelling of each key protocol; a stray byte or a key with its
base layout ends it (measured, 8.2.8). Here such input is understood or left out. Linux and macOS; on Windows
Textual's own driver is used.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import termios
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from textual import events
from textual._parser import ParseError
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from digit_tui.messages import TerminalGone

_X10_MOUSE = re.compile(rb"\x1b\[M[\x00-\xff]{3}")
_X10_BEGUN = re.compile(rb"\x1b\[M[\x00-\xff]{0,2}\Z")

# `CSI code:shifted:base ; modifiers:event ; text u` (kitty), and `CSI 27 ; modifiers ; code ~` (xterm, tmux).
_KITTY = re.compile(r"\x1b\[(\d+)(?::(\d*))?(?::(\d*))?(?:;(\d*)(?::(\d))?)?(?:;([\d:]*))?u")
_XTERM = re.compile(r"\x1b\[27;(\d+);(\d+)~")

_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_COULD_BE_A_KEY = 2
"""Bytes of a paste's beginning that may be a key, escape or alt+[, and are not kept waiting."""

_SHIFT = 1
_LOCKS = 64 | 128
_RELEASED = "3"


class MouseFilter:
    """Takes mouse reports of the oldest kind (X10) out of the bytes of the terminal.

    Their coordinates are raw bytes, no UTF-8 past column 95. They come when a terminal was rebuilt (tmux,
    SSH, an editor) and has forgotten the kind of reports that was asked for.
    """

    def __init__(self) -> None:
        self._held = b""
        self.seen = False
        """Whether there was one since this was last set to False."""

    def feed(self, data: bytes) -> bytes:
        """The bytes without such reports; the beginning of one waits for its end."""
        data = self._held + data
        kept, count = _X10_MOUSE.subn(b"", data)
        self.seen = self.seen or count > 0
        begun = _X10_BEGUN.search(kept)
        self._held = kept[begun.start() :] if begun else b""
        return kept[: begun.start()] if begun else kept


class PasteFilter:
    """Parts what is pasted from what is typed.

    Textual's parser takes escape sequences within a paste for keys (measured, 8.2.8): a text that holds ESC q would
    leave the app, and one that holds ESC d ESC y delete a note.
    """

    def __init__(self) -> None:
        self._pasted: str | None = None
        """What has come of a paste that goes on."""
        self._held = ""
        self._fed = ""

    def feed(self, text: str) -> list[tuple[str, bool]]:
        """The parts of what has come, and whether each is pasted. A paste waits for its end."""
        parts: list[tuple[str, bool]] = []
        text, self._held = self._held + text, ""
        for begun in (_PASTE_BEGINS[:2], _PASTE_BEGINS[:1]):
            if self._pasted is not None or not self._fed.endswith(begun):
                continue
            if (begun + text).startswith(_PASTE_BEGINS):
                # The parser has the first bytes, which could have been a key: give it the rest, and the end.
                parts.append((_PASTE_BEGINS[len(begun) :] + _PASTE_ENDS, False))
                self._pasted, text = "", text[len(_PASTE_BEGINS) - len(begun) :]
            elif len(begun + text) > _COULD_BE_A_KEY and _PASTE_BEGINS.startswith(begun + text):
                self._held, text = text, ""
        while text:
            if self._pasted is None:
                typed, start, text = text.partition(_PASTE_BEGINS)
                if start:
                    self._pasted = ""
                else:
                    typed, self._held = _without_beginning(typed)
                self._fed = (self._fed + typed)[-2:]
                parts.append((typed, False))
            else:
                pasted, end, text = (self._pasted + text).partition(_PASTE_ENDS)
                self._pasted = None if end else pasted
                if end:
                    parts.append((pasted, True))
        return parts


def _without_beginning(text: str) -> tuple[str, str]:
    """Text without the beginning of a paste at its end, if that can be no key; and that beginning."""
    for length in range(len(_PASTE_BEGINS) - 1, _COULD_BE_A_KEY, -1):
        if text.endswith(_PASTE_BEGINS[:length]):
            return text[:-length], text[-length:]
    return text, ""


def plain_key(sequence: str) -> str | None:
    """A key sequence in the one spelling that Textual reads; None for one that is no key press.

    A shortcut is named by the place of its key (the base layout), typed text by its character.
    """
    match = _XTERM.fullmatch(sequence)
    if match:
        modifiers, code = match.groups()
        return _spelled(int(code), int(modifiers or 1), "")
    match = _KITTY.fullmatch(sequence)
    if match is None:
        return sequence
    code, shifted, base, modifiers, event, text = match.groups()
    if event == _RELEASED:
        return None
    if shifted is None and base is None and event is None:
        return sequence
    held = (int(modifiers or 1) - 1) & ~_LOCKS
    if held & ~_SHIFT and base:
        code = base
    elif held & _SHIFT and shifted:
        code = shifted
    return _spelled(int(code), int(modifiers or 1), text or "")


def _spelled(code: int, modifiers: int, text: str) -> str:
    """Kitty's plain form. A key without ctrl or alt carries its character, so that it can be typed."""
    if not text and code >= 0x20 and code != 0x7F and not (modifiers - 1) & ~(_SHIFT | _LOCKS):
        return f"\x1b[{code};;{code}u" if not 57344 <= code <= 63743 else f"\x1b[{code};{modifiers}u"
    return f"\x1b[{code};{modifiers};{text}u" if text else f"\x1b[{code};{modifiers}u"


class KeyParser(XTermParser):
    """Textual's parser, which also takes keys with a base layout and keys in xterm's spelling."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        if sequence.startswith("\x1b["):
            plain = plain_key(sequence)
            if plain is None:
                yield events.Key("<ignore>", sequence)
                return
            sequence = plain
        yield from super()._sequence_to_key_events(sequence, alt)


class TerminalDriver(LinuxDriver):
    """Textual's driver, which survives any bytes, and can let go of the mouse while it runs."""

    def set_mouse(self, on: bool) -> None:
        """Ask the terminal for the mouse, or leave the mouse to it."""
        if on:
            self._mouse = True
            self._enable_mouse_support()
        else:
            self._disable_mouse_support()
            self._mouse = False

    @contextmanager
    def no_automatic_restart(self) -> Iterator[None]:
        """While another program has the terminal. Killed, it may leave it raw: that is not what we found."""
        found = self.attrs_before
        with super().no_automatic_restart():
            try:
                yield
            finally:
                if found is not None:
                    with suppress(termios.error):
                        termios.tcsetattr(self.fileno, termios.TCSANOW, found)

    def _sigtstp_application(self, *_: object) -> None:
        # Textual stops in the midst of whatever is interrupted, and hangs when that holds the lock of the writer.
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._stop)
        else:  # another program has the terminal, and the loop waits for it
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._go_on)

    def _stop(self) -> None:
        self.suspend_application_mode()
        self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _go_on(self) -> None:
        # After a `kill -STOP` the terminal is still as we set it: starting at once, as Textual does, would take that
        # for what was found, and leave a terminal without echo at the end.
        if not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True
        self.resume_application_mode()

    def stop_application_mode(self) -> None:
        """Give the terminal back as it was."""
        if self._mouse_pixels:
            self.write("\x1b[?1016l")  # Textual turns this one on and not off again
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Read the terminal until the driver stops; bytes that are no text are left out."""
        decode = getincrementaldecoder("utf-8")(errors="ignore").decode
        mouse, pastes = MouseFilter(), PasteFilter()
        parser = KeyParser(self._debug)
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            final = False
            while not final:
                final = self.exit_event.is_set()
                if selector.select(0.1):
                    data = self._read()
                    if not data:
                        break
                    for text, pasted in pastes.feed(decode(mouse.feed(data))):
                        self._take(text, pasted, parser)
                    if mouse.seen:
                        mouse.seen = False
                        self._enable_mouse_support()
                for event in parser.tick():
                    self.process_message(event)
        try:
            for _ in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass

    def _take(self, text: str, pasted: bool, parser: KeyParser) -> None:
        if pasted:
            self.process_message(events.Paste(text.replace("\0", "")))
            return
        for event in parser.feed(text) if text else ():
            if not isinstance(event, events.Paste):
                self.process_message(event)

    def _read(self) -> bytes:
        """What the terminal sent; nothing when it is gone, which the app is told of."""
        try:
            data = os.read(self.fileno, 4096)
        except OSError:
            data = b""
        if not data:
            self._app.post_message(TerminalGone())
        return data
