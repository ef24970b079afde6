"""The error tree of the core. Every error carries data and says in plain words what is wrong and the way out.

    DigitError
    ├── HomeError
    │   ├── HomeNotFound        nothing where a home was asked for (path, why)
    │   ├── ProfileNotFound     a profile name with no folder (name, root)
    │   └── HomeUnusable        it is there and cannot be opened (path, why)
    ├── ConfigError
    │   ├── ConfigBroken        YAML that does not parse, with line and column (path, line, column, problem)
    │   ├── UnknownSetting      no such key (key, nearest)
    │   └── InvalidSetting      a value the key cannot have (key, value, allowed)
    └── FileError               (path, cause)
        ├── ReadFailed
        ├── WriteFailed         (path, step, cause)
        ├── LockTimeout         (path, seconds, holder)
        └── LockUnsupported     the file system cannot lock (path, cause)

A change that is turned down is no error: `Store.apply` answers with an `Outcome`.
"""

from __future__ import annotations

from pathlib import Path


class DigitError(Exception):
    """Base of every error the core raises on purpose."""


class HomeError(DigitError):
    """A home could not be opened."""


class HomeNotFound(HomeError):
    """There is no home where one was asked for."""

    def __init__(self, path: Path | None, why: str) -> None:
        super().__init__(f"No agent home at {path}: {why}" if path else f"No agent home found: {why}")
        self.path = path
        self.why = why


class ProfileNotFound(HomeError):
    """A profile was named that has no folder."""

    def __init__(self, name: str, root: Path, known: tuple[str, ...] = ()) -> None:
        listed = f" Profiles there: {', '.join(known)}." if known else ""
        super().__init__(f"No profile {name!r} in {root}.{listed}")
        self.name = name
        self.root = root
        self.known = known


class HomeUnusable(HomeError):
    """A home is there and cannot be opened."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"Cannot open {path}: {why}")
        self.path = path
        self.why = why


class ConfigError(DigitError):
    """Something about config.yaml."""


class ConfigBroken(ConfigError):
    """config.yaml does not parse, or is not a mapping. Line and column count from 1."""

    def __init__(self, path: Path | None, line: int, column: int, problem: str) -> None:
        super().__init__(f"{path or 'config.yaml'}, line {line}, column {column}: {problem}")
        self.path = path
        self.line = line
        self.column = column
        self.problem = problem


class UnknownSetting(ConfigError):
    """A key that config.yaml does not have."""

    def __init__(self, key: str, nearest: tuple[str, ...] = ()) -> None:
        hint = f" Did you mean {', '.join(nearest)}?" if nearest else ""
        super().__init__(f"There is no setting {key!r}.{hint}")
        self.key = key
        self.nearest = nearest


class InvalidSetting(ConfigError):
    """A value that the key cannot have."""

    def __init__(self, key: str, value: str, allowed: str) -> None:
        super().__init__(f"{key} cannot be {value!r}; it takes {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed


class FileError(DigitError):
    """A file could not be read, locked or written."""

    def __init__(self, path: Path, message: str, cause: OSError | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.cause = cause


class ReadFailed(FileError):
    """A file is there and cannot be read."""


class WriteFailed(FileError):
    """A file could not be written; what was there before still is. `step` names what failed."""

    def __init__(self, path: Path, step: str, message: str, cause: OSError | None = None) -> None:
        super().__init__(path, message, cause)
        self.step = step


class LockTimeout(FileError):
    """Another process held the lock for longer than we wait. `seconds` waited; `holder` as far as it is known."""

    def __init__(self, path: Path, seconds: float, holder: str | None) -> None:
        who = f" It is held by {holder}." if holder else ""
        super().__init__(path, f"{path} is locked; waited {seconds:g} s.{who} Nothing was written.")
        self.seconds = seconds
        self.holder = holder


class LockUnsupported(FileError):
    """The file system cannot lock, so writing there would not be safe."""
