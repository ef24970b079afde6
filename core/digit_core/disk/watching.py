"""Knowing when somebody changed a file of the home, cheaply and without being misled.

Events of the system only say "look now"; what counts is whether the stat of a watched file differs from what
it was. So it does not matter how an editor saves, which end of a move an event names, or how often it comes,
and our own reading never counts as a change. Where events cannot be had (no watches left, a network folder)
the same stat is taken every second instead, and that is said once.

Folders are watched, not files, so a file that is replaced does not end its watch. Folders that appear later
join.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from digit_core.disk.reading import is_folder

State = Literal["events", "polling"]


class Event(Protocol):
    """What an observer tells (watchdog's `FileSystemEvent`)."""

    @property
    def event_type(self) -> str:
        """`created`, `modified`, `moved`, `deleted`, `closed`, …"""

    @property
    def src_path(self) -> bytes | str:
        """The path it happened to."""

    @property
    def dest_path(self) -> bytes | str:
        """Where it was moved to; "" for everything but a move."""


class Observer(Protocol):
    """The part of a watchdog observer that is used here."""

    def schedule(self, event_handler: Any, path: str) -> Any:  # noqa: ANN401 - watchdog's own, nominal types
        """Tell `event_handler.dispatch` of each `Event` right in one folder; the answer names the watch."""

    def unschedule(self, watch: Any) -> None:  # noqa: ANN401
        """End one watch."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """Ask to end."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""

    def is_alive(self) -> bool:
        """Whether it works."""


class Timing(NamedTuple):
    """All waits, in seconds; tests make them short."""

    poll: float = 1.0
    """Between two looks where there are no events."""
    unproven: float = 2.0
    """Between two looks beside events, until an event was the first to tell of a change."""
    proven: float = 30.0
    """Between two looks beside events afterwards."""
    settle: float = 0.015
    """From an event to the look, unless one tells that the save is over: one save is many events."""
    missing: float = 0.15
    """A file that is gone is believed to be gone only after this: some programs delete and write anew."""
    late: float = 1.0
    """A change that a look found is given so long to be told by an event as well."""


_IGNORED = frozenset({"opened", "closed_no_write"})
_Signature = tuple[int, int, int, int]


class Watcher:
    """Calls `on_change` when one of the files that `names` gives has changed, appeared or gone.

    `names` may change its mind: it is asked at every look. `on_change` and `on_notice` are called from the
    watcher's own thread and must not raise. Start it before reading the files, so that no change is missed.
    """

    def __init__(
        self,
        home: Path,
        names: Callable[[], Iterable[Path]] | Iterable[Path],
        on_change: Callable[[], None],
        *,
        on_notice: Callable[[str], None] | None = None,
        observer_factory: Callable[[], Observer] | None = None,
        poll_interval: float = Timing().poll,
        proven_interval: float = Timing().proven,
        timing: Timing | None = None,
    ) -> None:
        fixed = () if callable(names) else tuple(names)
        self._home = home
        self._names: Callable[[], Iterable[Path]] = names if callable(names) else lambda: fixed
        self._on_change = on_change
        self._on_notice = on_notice
        self._timing = timing or Timing(poll=poll_interval, proven=proven_interval)
        self._watches = _Watches(observer_factory or _system_observer, self._told)
        self._seen: dict[Path, _Signature | None] = {}
        self._interesting: frozenset[str] = frozenset()
        self._proven = False
        self._event = False
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._over = threading.Event()
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self.state: State = "events"
        """`events` while the system tells of changes, `polling` once it cannot be relied upon."""
        self.notice: str | None = None
        """Why it polls, in plain words; None while it does not."""

    def start(self) -> None:
        """Note what the files are now, and watch from here on in a thread. Does not wait for the system."""
        if self._thread is not None:
            return
        self._seen = self._look()
        self._thread = threading.Thread(target=self._run, name="digit-watcher", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch and its threads. May be called twice, and from `on_change`."""
        self._stop.set()
        self._over.set()
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def check_now(self) -> None:
        """Look at once, whatever was told; returns without waiting."""
        self._wake.set()

    def wait_until_ready(self, timeout: float = 10.0) -> bool:
        """Wait until the system's events flow, or it is known that they will not."""
        return self._ready.wait(timeout)

    # Everything below but `_told` runs in the watcher's thread.

    def _told(self, event: Event) -> None:
        """Called by the observer's thread. Both ends of a move count (F136), reading does not (F141)."""
        if event.event_type in _IGNORED:
            return
        if any(self._names_ours(end) for end in (event.src_path, event.dest_path) if end):
            self._event = True
            if event.event_type == "closed" or (event.dest_path and self._names_ours(event.dest_path)):
                self._over.set()  # written and closed, or put in place: a third of the time until it is painted
            self._wake.set()

    def _names_ours(self, path: bytes | str) -> bool:
        return Path(os.fsdecode(path)).name.casefold() in self._interesting

    def _run(self) -> None:
        try:
            self._follow_folders()
            self._compare(woken=True)  # something may have happened since `start`
            self._ready.set()
            while not self._stop.is_set():
                woken = self._wake.wait(self._interval())
                if not self._stop.is_set():
                    self._compare(woken)
        finally:
            self._watches.close()
            self._ready.set()

    def _interval(self) -> float:
        if self.state == "polling":
            return self._timing.poll
        return self._timing.proven if self._proven else self._timing.unproven

    def _compare(self, woken: bool) -> None:
        """One look: has anything changed, and if so, who noticed first?"""
        if self._event:
            self._over.wait(self._timing.settle)
        self._over.clear()
        self._wake.clear()  # before the next line, so that an event in between leads to another look
        told, self._event = self._event, False
        if (
            woken
        ):  # by the clock only the files are looked at: with their folders that costs an idle app 25 % more
            self._follow_folders()
        now = self._look()
        if any(now[path] is None and self._seen.get(path) is not None for path in now):
            self._stop.wait(self._timing.missing)
            now = self._look()
        if self._stop.is_set() or now == self._seen:
            return
        self._seen = now
        if not woken:
            self._follow_folders()
        self._on_change()
        if told:
            self._proven = True
        elif not woken and self.state == "events" and not self._told_late():
            self._poll_instead("the system does not report changes in this folder")

    def _told_late(self) -> bool:
        """Whether an event comes after all for a change that a look found."""
        self._wake.wait(self._timing.late)
        return self._event or self._stop.is_set()

    def _look(self) -> dict[Path, _Signature | None]:
        return {path: _signature(path) for path in self._names()}

    def _follow_folders(self) -> None:
        """Watch the folders in which the files lie now. Failing that, poll (F137)."""
        paths = tuple(self._names())
        folders = {_real(self._home)}
        interesting = {self._home.name.casefold()}
        for path in paths:
            for one in {path, _real(path)}:  # a link may be replaced, and so may what it leads to
                interesting.update(part.casefold() for part in one.parts)  # a folder may come first
                folders.add(_real(_nearest_folder(one.parent)))
        self._interesting = frozenset(interesting)
        if self.state == "polling":
            return
        try:
            if self._watches.follow(folders):
                self._wake.set()  # look again: something may have happened just before a watch began
        except OSError as error:
            self._poll_instead(f"the system gives no more watches ({error.strerror or error})")

    def _poll_instead(self, why: str) -> None:
        self._watches.close()
        self.state = "polling"
        self.notice = f"Changes made by others are looked for every {self._timing.poll:g} s: {why}."
        if self._on_notice is not None:
            self._on_notice(self.notice)


class _Watches:
    """The folders that an observer watches for us. One that is replaced by another of its name joins anew."""

    def __init__(self, factory: Callable[[], Observer], tell: Callable[[Event], None]) -> None:
        self._factory = factory
        self._observer: Observer | None = None
        self._tell = tell
        self._watched: dict[Path, tuple[object, int]] = {}
        self._ended: set[Path] = set()

    def dispatch(self, event: Event) -> None:
        """Take an event from the observer's thread."""
        if event.event_type in ("deleted", "moved"):
            # The watch of a folder ends with it, and a new folder may even get the same inode number.
            self._ended.add(Path(os.fsdecode(event.src_path)))
        self._tell(event)

    def follow(self, folders: Iterable[Path]) -> bool:
        """Watch exactly these folders. Answers whether a watch was added. Raises OSError when that fails."""
        if self._observer is None:
            self._observer = self._factory()
            self._observer.start()
        elif not self._observer.is_alive():
            raise OSError("its observer has ended")
        ended, self._ended = self._ended, set()
        wanted = {folder: info.st_ino for folder in folders if (info := _stat(folder)) is not None}
        for folder, (watch, inode) in tuple(self._watched.items()):
            if wanted.get(folder) != inode or folder in ended:
                del self._watched[folder]
                self._end(watch)
        added = False
        for folder, inode in wanted.items():
            if folder not in self._watched:
                self._watched[folder] = (self._observer.schedule(self, str(folder)), inode)
                added = True
        return added

    def _end(self, watch: object) -> None:
        try:
            if self._observer is not None:
                self._observer.unschedule(watch)
        except (KeyError, OSError):
            return  # it ended by itself with its folder

    def close(self) -> None:
        """End all watches and the observer's threads."""
        observer, self._observer = self._observer, None
        self._watched.clear()
        if observer is not None and observer.is_alive():
            observer.stop()
            observer.join()


def _system_observer() -> Observer:
    # watchdog costs 50 ms of CPU to import, and whoever does not watch needs none of it.
    from watchdog.observers import Observer as SystemObserver

    return SystemObserver()


def _signature(path: Path) -> _Signature | None:
    """What tells one state of a file from another without reading it; None when it is not there."""
    info = _stat(path)
    return None if info is None else (info.st_mtime_ns, info.st_size, info.st_ino, info.st_mode)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _nearest_folder(folder: Path) -> Path:
    while not is_folder(folder) and folder != folder.parent:
        folder = folder.parent
    return folder
