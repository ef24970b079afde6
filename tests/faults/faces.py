"""The ways into a store, alike: a test of a fault goes through every one of them with the same input.

    async with opened("cli", home) as face:
        said = await face.add("text")

`store` is the core, `tool` the agent's tool, `cli` the command line, `app` the full screen with its keys.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from textual.pilot import Pilot

from digit_core.library import Library
from digit_core.memory.changes import Add, Change, NoteRef, Operation, Outcome, Principal, Remove, Replace
from digit_core.memory.homes import find_home
from digit_core.memory.tool import MemoryTool
from digit_core.views.snapshot import Note
from digit_tui.app import DigitApp
from digit_tui.cli.entry import main_digit
from digit_tui.screens.split import SplitScreen
from tests.digit_tui.driving import paste, press, running, screen_text

FACES = ("store", "tool", "cli", "app")
PERSONS = ("store", "cli", "app")


class Said(NamedTuple):
    """What a face answered."""

    ok: bool
    words: str


class Face(Protocol):
    """One way into a store. Notes are named by their whole text."""

    async def add(self, text: str, document: str = "memory") -> Said: ...

    async def replace(self, old: str, new: str) -> Said: ...

    async def remove(self, text: str, copy: int = 0) -> Said: ...

    async def undo(self) -> Said: ...


class Ran(NamedTuple):
    """How a command of the command line ended."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        return self.out + self.err


def digit(home: Path | None, *words: str, stdin: bytes | None = None) -> Ran:
    """Run `digit WORDS` in this process on a home (None: on whatever the environment says)."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv = [*words[:2], *([] if home is None else ["--home", str(home)]), *words[2:]]
    given = io.TextIOWrapper(io.BytesIO(stdin or b""), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        old, sys.stdin = sys.stdin, given
        try:
            code = main_digit(argv)
        finally:
            sys.stdin = old
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def tree(home: Path) -> dict[str, bytes]:
    """Every file of a home and what it holds, without lock files and what our own folder has from its start."""
    ours = (".gitignore", "version")
    files = (path for path in sorted(home.rglob("*")) if path.is_file() and path.suffix != ".lock")
    found = (path for path in files if not (path.parent.name == "digit-tui" and path.name in ours))
    return {str(path.relative_to(home)): path.read_bytes() for path in found}


def joined_one_line(text: str) -> str:
    """A screen as one line: words that were wrapped stand together again."""
    return " ".join(text.split())


def holds(text: str, words: str) -> bool:
    """Whether words stand in a text, however it is wrapped, and in whatever frame."""
    return "".join(words.split()) in re.sub("[\\s▊▎▔▁]", "", text)


def document_with(library: Library, text: str, copy: int = 0) -> NoteRef:
    """The note with that text."""
    found = [note.ref for note in library.snapshot.notes if note.text == text]
    return found[copy]


class StoreFace:
    """The core."""

    def __init__(self, home: Path) -> None:
        self.library = Library(find_home(str(home)))

    async def _do(self, operation: Operation) -> Said:
        return _said(await asyncio.to_thread(self.library.apply, Change((operation,))))

    async def add(self, text: str, document: str = "memory") -> Said:
        return await self._do(Add(document, text))

    async def replace(self, old: str, new: str) -> Said:
        self.library.reload()
        return await self._do(Replace(document_with(self.library, old), new))

    async def remove(self, text: str, copy: int = 0) -> Said:
        self.library.reload()
        return await self._do(Remove(document_with(self.library, text, copy)))

    async def undo(self) -> Said:
        return _said(await asyncio.to_thread(self.library.undo))


def _said(outcome: Outcome) -> Said:
    return Said(outcome.ok, " ".join((outcome.message, *outcome.notices)))


class ToolFace(StoreFace):
    """The agent's tool, called for the person until the gate is there."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.tool = MemoryTool(self.library.store, Principal.PERSON)

    async def call(self, **params: object) -> Said:
        answer = self.tool.call(**params)
        return Said(answer["success"] is True, str(answer))

    async def add(self, text: str, document: str = "memory") -> Said:
        return await self.call(action="add", target=document, content=text)

    async def replace(self, old: str, new: str) -> Said:
        return await self.call(action="replace", old_text=old, content=new)

    async def remove(self, text: str, copy: int = 0) -> Said:
        return await self.call(action="remove", old_text=text)


class CliFace:
    """The command line."""

    def __init__(self, home: Path) -> None:
        self.home = home

    async def _run(self, *words: str) -> Said:
        done = await asyncio.to_thread(digit, self.home, *words)
        assert ("Nothing was written" in done.words) <= (done.code != 0)
        return Said(done.code == 0, done.words)

    async def add(self, text: str, document: str = "memory") -> Said:
        return await self._run("memory", "add", "--to", document, "--", text)

    async def replace(self, old: str, new: str) -> Said:
        return await self._run("memory", "replace", "--", old, new)

    async def remove(self, text: str, copy: int = 0) -> Said:
        from digit_core.text.digest import text_digest

        name = f"memory:{text_digest(text)[:12]}" + (f"~{copy + 1}" if copy else "")
        return await self._run("memory", "remove", name)

    async def undo(self) -> Said:
        return await self._run("memory", "undo")


class AppFace:
    """The app, by its keys."""

    def __init__(self, app: DigitApp, pilot: Pilot[int]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def screen(self) -> str:
        return joined_one_line(screen_text(self.app))

    def _notes(self) -> tuple[Note, ...]:
        assert self.app.snapshot is not None
        return tuple(self.app.snapshot.notes)

    async def show(self, text: str, copy: int = 0) -> None:
        """Put the cursor on a note, as the screen shows it now."""
        await press(self.pilot, "ctrl+r")
        assert self.app.library is not None
        assert self.app.main.notes.select(document_with(self.app.library, text, copy))
        await press(self.pilot)

    async def _save(self) -> Said:
        await press(self.pilot, "ctrl+s")
        if isinstance(
            self.app.screen, SplitScreen
        ):  # offered where a line is just §; declined, it is refused
            await press(self.pilot, "n")
        said = Said(self.app.main.editor is None, self.screen)
        if not said.ok:
            await press(self.pilot, "escape", "y")
            assert self.app.main.editor is None
        return said

    async def add(self, text: str, document: str = "memory") -> Said:
        await press(self.pilot, "n")
        editor = self.app.main.editor
        assert editor is not None, self.screen
        if editor.subject.document != document:
            await press(self.pilot, "ctrl+t")
        await paste(self.pilot, text)
        return await self._save()

    async def replace(self, old: str, new: str) -> Said:
        await self.show(old)
        await press(self.pilot, "e")
        editor = self.app.main.editor
        assert editor is not None, self.screen
        editor.area.select_all()
        await paste(self.pilot, new)
        return await self._save()

    async def remove(self, text: str, copy: int = 0) -> Said:
        await self.show(text, copy)
        before = len(self._notes())
        await press(self.pilot, "d", "y")
        return Said(len(self._notes()) == before - 1, self.screen)

    async def undo(self) -> Said:
        await press(self.pilot, "z")
        return Said("Undid" in self.screen or "Restored" in self.screen, self.screen)


@asynccontextmanager
async def opened(name: str, home: Path) -> AsyncIterator[Face]:
    """The face of that name on a home."""
    makers: dict[str, Callable[[Path], Face]] = {"store": StoreFace, "tool": ToolFace, "cli": CliFace}
    if name == "app":
        async with running(home, (100, 30)) as (app, pilot):
            yield AppFace(app, pilot)
    else:
        yield await asyncio.to_thread(makers[name], home)
