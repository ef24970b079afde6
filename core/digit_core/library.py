"""Opens a home and keeps it in view: what every face imports.

Files → `Snapshot` → faces; `Change` → `Store` → files. A `Library` keeps the directory it was opened with.
It may be used from several threads; listeners are called from the thread that found the difference.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from digit_core.disk.locking import lock
from digit_core.disk.ownfolder import OwnFolder
from digit_core.disk.reading import FileImage, is_folder, read_file, writable_problem
from digit_core.disk.writing import write_atomically
from digit_core.errors import FileError, HomeUnusable, ReadFailed, WriteFailed
from digit_core.formats.config import get_setting
from digit_core.formats.entries import Document, parse, to_bytes
from digit_core.memory.history import History, last_touching
from digit_core.memory.homes import Home, HomeKind
from digit_core.memory.last_good import LoadedSettings, load_settings
from digit_core.memory.limits import Limits, limits, usage
from digit_core.memory.names import DocumentName
from digit_core.memory.tidying import tidy
from digit_core.text.digest import bytes_digest
from digit_core.views.health import problems
from digit_core.views.snapshot import Dates, Snapshot, StoreState, StoreView, make_notes

if TYPE_CHECKING:
    from digit_core.disk.backups import Backup
    from digit_core.disk.watching import Watcher
    from digit_core.formats.settings import Settings
    from digit_core.memory.changes import Change, Outcome
    from digit_core.memory.forget import ForgetReport
    from digit_core.memory.history import Record
    from digit_core.memory.store import OnWait, Store
    from digit_core.views.differences import Difference

Listener = Callable[["Difference"], None]

_WATCH_SECONDS = 2.0
"""For so long opening waits for the system's events to flow; it takes a tenth of that even on a slow machine."""
_LABELS = {"memory": "MEMORY", "user": "USER"}


class Setting(NamedTuple):
    """One setting of config.yaml as it counts now."""

    value: object
    origin: str
    """`set` in the file, or `default`."""
    line: int | None
    """Where it stands in the file, from 1; None when it does not."""


class Library:
    """One open home: its snapshot, the one way to change it, and news when somebody else does."""

    def __init__(
        self, home: Home, *, clock: Callable[[], float] = time.time, lock_timeout: float = 10.0
    ) -> None:
        if home.kind is HomeKind.PROFILE:
            raise HomeUnusable(
                home.path,
                "it is a Ziggy Profile, and this version opens Digit and Hermes homes (--kind overrides)",
            )
        self.home = home
        """The directory it was opened with; nothing re-reads the environment later."""
        self.own = OwnFolder(home.path)
        self.now = clock
        """Epoch seconds."""
        self._lock_timeout = lock_timeout
        self._history = History(self.own.path, timeout=lock_timeout)
        self._had: set[DocumentName] = set()
        """Documents whose file was there at some time since the home was opened."""
        self._building = RLock()
        self._listeners: list[Listener] = []
        tidy(home, self.own.path)  # what a killed save of ours left behind goes at the next start of anything
        self._watcher: Watcher | None = None
        self._loaded = self._load_settings(None)
        self.snapshot: Snapshot = self._build(1, None)
        """The newest picture of the home; replaced whole, never changed."""

    @cached_property
    def store(self) -> Store:
        """The one way to change the home. Made when it is first needed: a tenth of `digit memory status`."""
        from digit_core.memory.store import Store

        return Store(
            self.home,
            settings=self._settings,
            clock=self.now,
            lock_timeout=self._lock_timeout,
            history=self._history,
        )

    # ------------------------------------------------------------------ looking

    def reload(self) -> Difference | None:
        """Read the files again; None when nothing that is shown has changed. Listeners hear of it first."""
        # 3 ms with what it imports, and a first look has nothing to compare with.
        from digit_core.views.differences import difference

        with self._building:
            old = self.snapshot
            self._loaded = self._load_settings(self._loaded)
            new = self._build(old.serial + 1, old)
            found = difference(old, new)
            if found is None:
                return None
            self.snapshot = new
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener(found)
        return found

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every difference from now on; the answer stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def watch(self) -> None:
        """Look out for changes on disk until `close`; importing watchdog costs some 40 ms, so late.

        Returns when the system's events flow, or `watch_notice` says that they will not.
        """
        from digit_core.disk.watching import Watcher

        if self._watcher is None:
            self.own.ensure()  # the last good config is kept there
            self._watcher = Watcher(
                self.home.path, self._watched_files, self._files_changed, on_notice=self._watch_noticed
            )
            self._watcher.start()
            self._watcher.wait_until_ready(_WATCH_SECONDS)
            self.reload()  # what changed since it was opened; and a good config is remembered from now on

    @property
    def watch_notice(self) -> str | None:
        """What is unusual about the watching, in plain words: the system refuses, or gives no events."""
        return self._watcher.notice if self._watcher else None

    def close(self) -> None:
        """Stop watching."""
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ----------------------------------------------------------------- changing

    def apply(self, change: Change, *, on_wait: OnWait | None = None) -> Outcome:
        """Hand a change of the person to the store; the snapshot is new when this returns."""
        outcome = self.store.apply(change, on_wait=on_wait)
        self.reload()
        return outcome

    def undo(self, record_id: str | None = None) -> Outcome:
        """Take back the last change of the person, or the one named; what others wrote since stays."""
        outcome = self.store.undo(record_id)
        self.reload()
        return outcome

    def redo(self) -> Outcome:
        """Do again what was undone last."""
        outcome = self.store.redo()
        self.reload()
        return outcome

    def restore(self, backup_id: str) -> Outcome:
        """Put the bytes of a backup back; what is there now is backed up first, and undo brings it back.

        Raises ReadFailed when there is no such backup, or it is damaged.
        """
        from digit_core.memory.changes import Change, RestoreBytes

        data = self.store.backups.read(backup_id)
        document = next(copy.document for copy in self.backups() if copy.id == backup_id)
        return self.apply(Change((RestoreBytes(document, data),), cause=f"restore:{backup_id}"))

    def reset(self, names: Iterable[DocumentName]) -> Outcome:
        """Remove every note of these stores; undo brings them back."""
        from digit_core.memory.changes import Change, RestoreBytes

        operations = tuple(RestoreBytes(name, b"") for name in names)
        return self.apply(Change(operations, cause="reset"))

    def forget(self, text: str) -> ForgetReport:
        """Remove a text for good: files, history, backups. There is no undo."""
        report = self.store.forget(text)
        self.reload()
        return report

    def history(self) -> tuple[Record, ...]:
        """What was changed, oldest first. Raises ReadFailed."""
        return self._history.records()

    def backups(self) -> tuple[Backup, ...]:
        """The copies made before each change, newest first."""
        return self.store.backups.list()

    # ----------------------------------------------------------------- settings

    def setting(self, key: str) -> Setting:
        """One setting of config.yaml: its value, whether it is set, its line. Raises UnknownSetting."""
        return Setting(*get_setting(self._loaded.config, key))

    def change_setting(self, key: str, value: str) -> None:
        """Change one line of config.yaml. Raises ConfigError and FileError; nothing is written then."""
        from digit_core.formats.config_edit import change_setting  # only who changes a setting pays for it

        path = self.home.config_path
        if not self.own.ensure():
            raise WriteFailed(path, "lock", f"{path} was not changed. {self.own.problem}")
        with lock(self.own.path / "config"):  # the agent takes no lock for it; this is among ourselves
            image = read_file(path)
            if image.problem is not None:
                raise ReadFailed(path, image.problem)
            data = change_setting(image.data, key, value, path)
            if data != image.data:
                write_atomically(path, data, new_mode=0o600)
        self.reload()

    # ----------------------------------------------------------------- building

    def _settings(self) -> Settings:
        return self._loaded.settings

    def _load_settings(self, before: LoadedSettings | None) -> LoadedSettings:
        return load_settings(
            self.home.path, self.own.path, may_write=self._watcher is not None, before=before
        )

    def _watched_files(self) -> tuple[Path, ...]:
        stores = tuple(self.home.document_path(name) for name in self.home.documents)
        return (*stores, self.home.config_path)

    def _watch_noticed(self, _: str) -> None:
        self.reload()  # it is one of the snapshot's problems from now on

    def _files_changed(self) -> None:
        before = self.snapshot
        # First, for the person waits for the picture: to keep and to note takes locks and reads backups.
        found = self.reload()
        if found is not None:
            self._keep_what_went(before, found)
        if self.store.notice():
            self.reload()  # now it is known when the new notes were learned

    def _keep_what_went(self, before: Snapshot, found: Difference) -> None:
        """Back up what others took from a file: as it was shown until now, it may stand nowhere else."""
        for changed in found.stores:
            store = before.store(changed.document)
            if (changed.removed or changed.changed) and self.own.ensure():
                with suppress(FileError):  # a disk that is full or closed is said at the next change of ours
                    self.store.backups.keep(store.name, to_bytes(store.document))

    def _vanished(self, name: DocumentName) -> bool:
        """Whether a file that is missing was there, and it was not this program that removed it."""
        from digit_core.memory.names import Principal

        try:
            last = next(last_touching(self._history.records(), name), None)
        except FileError:
            last = None  # it is said elsewhere that the history cannot be read
        if last is None:
            return name in self._had
        return last.files[name].after != "" or last.principal is Principal.OUTSIDE

    def _build(self, serial: int, before: Snapshot | None) -> Snapshot:
        """Read everything. What has not changed since `before` is not worked out again."""
        settings = self._loaded.settings
        by_name = limits(self.home.kind, settings)
        learned = self._history.learned()
        stores = tuple(
            self._view(name, by_name[name], learned, before.store(name) if before else None)
            for name in self.home.documents
        )
        vanished = [store for store in stores if not store.digest and self._vanished(store.name)]
        found = problems(self.home, stores, self._loaded, self.watch_notice, vanished)
        return Snapshot(self.home, settings, stores, found, serial)

    def _view(
        self, name: DocumentName, limit: Limits, learned: dict[str, float], earlier: StoreView | None
    ) -> StoreView:
        path = self.home.document_path(name)
        image = read_file(path)
        digest = "" if image.data is None else bytes_digest(image.data)
        document = earlier.document if earlier and earlier.digest == digest else parse(image.data or b"")
        state, why = _state(image, document)
        if image.kind == "file":
            self._had.add(name)
        elif not is_folder(self.home.path):
            from digit_core.memory.words import home_gone  # as rare as can be

            state, why = StoreState.READ_ONLY, home_gone(self.home.path)
        memory = self._loaded.settings.memory
        dates = Dates(learned, image.mtime or 0.0)
        notes = make_notes(name, document.texts, dates, earlier.notes if earlier else ())
        return StoreView(
            name=name,
            label=_LABELS[name],
            path=path,
            state=state,
            why=why,
            enabled=memory.user_profile_enabled if name == "user" else memory.memory_enabled,
            document=document,
            notes=notes,
            limits=limit,
            usage=usage(document.texts, limit),
            digest=digest,
            changed_at=image.mtime,
        )


def _state(image: FileImage, document: Document) -> tuple[StoreState, str | None]:
    """What can be done with a store, from what its file is."""
    if image.kind not in ("file", "missing"):
        return StoreState.UNREADABLE, image.problem
    if document.bad_bytes:
        offset = document.bad_bytes[0]
        many = f", the first of {len(document.bad_bytes)}" if len(document.bad_bytes) > 1 else ""
        return StoreState.UNREADABLE, (
            f"{image.path.name} holds a byte that is no UTF-8 (at offset {offset}{many}); "
            "it is read-only here, so that nothing is lost."
        )
    if document.identities:
        return StoreState.READ_ONLY, (
            f"{image.path.name} carries entry identities, an experimental form that this program never writes."
        )
    refused = writable_problem(image.path)
    if refused is not None:
        return StoreState.READ_ONLY, refused
    return (StoreState.READY if image.kind == "file" else StoreState.MISSING), None
