"""Homes: where an agent's memory lies, of which kind it is and why, and how it was found.

A home is looked up once, when a face starts; the `Home` then keeps that directory, whatever the environment
says later (F153). A directory that was asked for and is missing is an error, never a reason to open another.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from digit_core.disk.reading import mode_and_owner, read_file, writable_problem
from digit_core.errors import HomeNotFound, HomeUnusable, ProfileNotFound
from digit_core.memory.names import DocumentName

_PROFILE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_RESERVED = frozenset({"hermes", "test", "tmp", "root", "sudo"})
_DEFAULT = "default"
_MAX_ACTIVE = 4096
"""`active_profile` holds one name; more bytes than this are something else."""
_MAX_CONFIG = 4 * 1024 * 1024

# What sync programs and people leave beside a memory file: `MEMORY (conflicted copy).md`, `MEMORY (1).md`,
# `MEMORY 2.md`, `MEMORY.sync-conflict-20260101-….md`, `MEMORY - Copy.md`, and the name in another case.
_STRAY = re.compile(
    r"(?:memory|user)(?:\s*\(.*\)|\s+\d+|\.sync-conflict-.*|.*\bconflict.*| - copy.*)?\.md", re.I
)
_CANONICAL = frozenset({"MEMORY.md", "USER.md"})


class HomeKind(Enum):
    """Which program the home belongs to; it decides limits and what may be in the folder."""

    DIGIT = "digit"
    HERMES = "hermes"
    PROFILE = "profile"


class Home(NamedTuple):
    """One opened home. Absolute paths; a symbolic link that was asked for stays one in `path`."""

    path: Path
    kind: HomeKind
    kind_why: str
    """Plain words: what decided the kind."""
    profile: str
    """`default` for the root home, else the name of the folder."""
    root: Path
    """The home that has `profiles/`; the same as `path` for the default profile."""
    found_by: str
    """`--home`, `DIGIT_HOME`, `HERMES_HOME`, `~/.digit`, `~/.hermes` (on Windows the folder's own place)."""
    notices: tuple[str, ...] = ()

    @property
    def memories(self) -> Path:
        """The folder that holds the memory files (it may not exist yet)."""
        return self.path if self.kind is HomeKind.PROFILE else self.path / "memories"

    @property
    def config_path(self) -> Path:
        """`config.yaml`; a Profile has none, so there it names a file that is not read."""
        return self.path / "config.yaml"

    @property
    def documents(self) -> tuple[DocumentName, ...]:
        """The documents every home of this kind has, in the order of the screen."""
        return ("shared",) if self.kind is HomeKind.PROFILE else ("memory", "user")

    def document_path(self, name: DocumentName) -> Path:
        """The file of a document. KeyError for a name that a home of this kind cannot have."""
        if self.kind is HomeKind.PROFILE:
            return self.path / _profile_file(name)
        return self.memories / {"memory": "MEMORY.md", "user": "USER.md"}[name]


def _profile_file(name: DocumentName) -> str:
    """The path of a Profile's document inside it (facts/profile 1, 2)."""
    if name == "shared":
        return "MEMORY.md"
    scope, _, key = name.partition(":")
    if scope not in ("user", "group") or not re.fullmatch(r"[a-z0-9._-]{1,64}", key):
        raise KeyError(name)
    return f"memory/{scope}s/{key}.md"


class _Place(NamedTuple):
    """A directory somebody named, before profiles are looked at."""

    path: Path
    by: str
    says: HomeKind | None
    """The kind that the way it was named says, if it says one."""


def find_home(
    home: str | None = None,
    kind: str | None = None,
    profile: str | None = None,
    env: Mapping[str, str] | None = None,
    user: Path | None = None,
) -> Home:
    """Look a home up: `home` (as `--home`), DIGIT_HOME, HERMES_HOME, `~/.digit`, `~/.hermes`, first come.

    `profile` picks a profile of that root (`default` is the root itself). Without it an explicit directory,
    and an environment home inside `profiles/`, are taken as they are; else the root's `active_profile` is
    followed (facts 1.1). `env` and `user` (the person's own folder) stand in for the process's in tests.

    Raises HomeNotFound, ProfileNotFound, HomeUnusable.
    """
    env = os.environ if env is None else env
    user = _user_folder() if user is None else user
    place = _place(home, env, user)
    _require_directory(place.path, place.by)
    _refuse_memories(place.path)
    root = _root_of(place.path, env, user)
    path, notices = _profile_path(place, root, profile)
    decided, why, doubts = _kind(path, root, place, kind)
    return Home(path, decided, why, _profile_name(path, root), root, place.by, (*notices, *doubts))


def default_path(kind: HomeKind, env: Mapping[str, str] | None = None, user: Path | None = None) -> Path:
    """Where a home of this kind lies when nobody says otherwise (it may not exist)."""
    env = os.environ if env is None else env
    user = _user_folder() if user is None else user
    local = env.get("LOCALAPPDATA", "").strip() if sys.platform == "win32" else ""
    return Path(local) / kind.value if local else user / f".{kind.value}"


def _user_folder() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise HomeNotFound(
            None, f"the person's own folder is not known ({error}); name the home with --home"
        ) from error


def _place(home: str | None, env: Mapping[str, str], user: Path) -> _Place:
    """The directory that was named, by the first way that names one."""
    if home is not None and home.strip():
        return _Place(_absolute(home.strip(), user), "--home", None)
    for variable, says in (("DIGIT_HOME", HomeKind.DIGIT), ("HERMES_HOME", None)):
        named = env.get(variable, "").strip()
        if named:
            return _Place(_absolute(named, user), variable, says)
    kinds = (HomeKind.DIGIT, HomeKind.HERMES)
    for kind in kinds:
        path = default_path(kind, env, user)
        # A dangling link counts as named: an unmounted disk must not lead to another home.
        if os.path.lexists(path):
            return _Place(path, _tilde(path, user), kind if kind is HomeKind.DIGIT else None)
    tried = " and ".join(_tilde(default_path(kind, env, user), user) for kind in kinds)
    raise HomeNotFound(
        None, f"neither --home, DIGIT_HOME nor HERMES_HOME names one, and {tried} do not exist"
    )


def _tilde(path: Path, user: Path) -> str:
    return f"~/{path.relative_to(user).as_posix()}" if path.is_relative_to(user) else str(path)


def _absolute(text: str, user: Path) -> Path:
    """A path as somebody typed it, made absolute; `~` is `user`; `..` follows links as the system does."""
    if "\0" in text:
        raise HomeUnusable(Path(text.replace("\0", "␀")), "a path cannot hold a NUL character")
    if text == "~" or text.startswith(("~/", f"~{os.sep}")):
        return user / text[2:]
    path = Path(text)
    try:
        path = path if path.is_absolute() else Path.cwd() / path
        return path.resolve() if ".." in path.parts else path
    except (OSError, RuntimeError) as error:  # the current folder is gone, or a link loop
        raise HomeUnusable(path, f"the path cannot be followed ({error})") from error


def _require_directory(path: Path, by: str) -> None:
    """Raise unless `path` is a directory that can be entered."""
    try:
        found = path.stat()
    except FileNotFoundError:
        if path.is_symlink():
            raise HomeUnusable(
                path, f"it is a symbolic link to {_link_target(path)}, which is not there"
            ) from None
        raise HomeNotFound(path, f"{by} names this directory, and it is not there") from None
    except NotADirectoryError:
        raise HomeNotFound(path, f"{by} names this directory, and a part of its path is a file") from None
    except PermissionError as error:
        raise HomeUnusable(path, writable_problem(path) or f"{error.strerror}") from error
    except OSError as error:
        raise HomeUnusable(path, error.strerror or str(error)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise HomeUnusable(path, f"{by} names it, and it is not a directory")
    if not os.access(path, os.X_OK):
        way_out = "run as that user, or let its owner allow it with chmod u+rwx"
        raise HomeUnusable(path, f"it may not be entered ({mode_and_owner(path)}); {way_out}")


def _refuse_memories(path: Path) -> None:
    """Raise when what was named is the folder inside a home: opened as one, it would look empty."""
    held = any(_type(path / name) == stat.S_IFREG for name in _CANONICAL)
    if path.name == "memories" and held and not _type(path / "SOUL.md"):
        raise HomeUnusable(path, f"it is the memories folder of a home; the home is {path.parent}")


def _link_target(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return "a place that cannot be read"


def _root_of(path: Path, env: Mapping[str, str], user: Path) -> Path:
    """The root home of a directory (facts 1.1): the default home around it, or what holds its `profiles/`."""
    for kind in (HomeKind.DIGIT, HomeKind.HERMES):
        default = default_path(kind, env, user)
        if path != default and path.is_relative_to(default):
            return default
    return path.parent.parent if path.parent.name == "profiles" else path


def _profile_name(path: Path, root: Path) -> str:
    return _DEFAULT if path == root else path.name


def _profile_path(place: _Place, root: Path, profile: str | None) -> tuple[Path, tuple[str, ...]]:
    """The profile's directory, and what should be said about how it was chosen."""
    if profile is not None and profile.strip():
        return _named_profile(root, profile.strip(), "--profile"), ()
    if place.path != root:
        return place.path, ()
    try:
        active = _active_profile(root)
    except HomeUnusable as error:
        if place.by != "--home":
            raise
        return root, (str(error),)
    if active == _DEFAULT:
        return root, ()
    if place.by == "--home":
        return root, (f"active_profile there names {active!r}, which --profile would open",)
    path = _named_profile(root, active, "active_profile")
    return path, (f"opened profile {active!r}, which active_profile names; --profile default opens the root",)


def _named_profile(root: Path, name: str, by: str) -> Path:
    if name == _DEFAULT:
        return root
    path = root / "profiles" / name
    if not _PROFILE_ID.fullmatch(name) or not os.path.lexists(path):
        raise ProfileNotFound(name, root, profiles(root))
    _require_directory(path, by)
    return path


def _active_profile(root: Path) -> str:
    """The sticky choice; `default` when there is none. HomeUnusable when it is there and cannot be read."""
    path = root / "active_profile"
    image = read_file(path, max_bytes=_MAX_ACTIVE)
    if image.kind == "missing":
        return _DEFAULT
    if image.data is None:
        # Opening the root instead could put the person's writes into the wrong profile.
        raise HomeUnusable(path, f"{image.problem} Name the profile with --profile (default is the root).")
    return image.data.decode("utf-8-sig", "replace").strip() or _DEFAULT


def profiles(root: Path) -> tuple[str, ...]:
    """The names that `--profile` takes in this root: `default`, then all that can be seen, sorted."""
    try:
        found = sorted((root / "profiles").iterdir())
    except OSError:
        found = []
    named = (path for path in found if _PROFILE_ID.fullmatch(path.name) and path.name != _DEFAULT)
    return (_DEFAULT, *(path.name for path in named if _type(path) == stat.S_IFDIR))


def _type(path: Path) -> int:
    """The type bits of what a path leads to; 0 when that cannot be seen."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except OSError:
        return 0


def _kind(path: Path, root: Path, place: _Place, asked: str | None) -> tuple[HomeKind, str, tuple[str, ...]]:
    """The kind, why, and doubts worth saying (design, "Home kind")."""
    if asked is not None and asked.strip():
        try:
            return HomeKind(asked.strip().lower()), "--kind says so", ()
        except ValueError:
            raise HomeUnusable(path, f"there is no kind {asked!r}; it is digit, hermes or profile") from None
    if ".digit" in (path.name, root.name):
        return HomeKind.DIGIT, "the folder is called .digit", ()
    if place.says is not None:
        return place.says, f"it was found by {place.by}", ()
    recall, doubts = _has_recall_key(path)
    if recall:
        return HomeKind.DIGIT, "config.yaml has memory.recall", ()
    if ".hermes" in (path.name, root.name):
        return HomeKind.HERMES, "the folder is called .hermes", doubts
    if place.by == "HERMES_HOME":
        return HomeKind.HERMES, "it was found by HERMES_HOME", doubts
    if _type(path / "SOUL.md") == stat.S_IFREG and not os.path.lexists(path / "memories"):
        return HomeKind.PROFILE, "it has SOUL.md and no memories folder", doubts
    return (
        HomeKind.HERMES,
        "nothing says Digit (no .digit in the path, no memory.recall in config.yaml)",
        doubts,
    )


def _has_recall_key(path: Path) -> tuple[bool, tuple[str, ...]]:
    """Whether config.yaml has `memory.recall`, and what to say when that cannot be known."""
    image = read_file(path / "config.yaml", max_bytes=_MAX_CONFIG)
    if image.data is None:
        if image.kind == "missing":
            return False, ()
        return False, (f"config.yaml cannot be read, so the kind of home is a guess: {image.problem}",)
    if b"recall" not in image.data:  # spares most homes the 20 ms that importing yaml costs
        return False, ()
    from digit_core.memory.last_good import load_settings  # lazily, for the line above

    loaded = load_settings(path, path / "digit-tui", may_write=False)
    if loaded.broken is not None and not loaded.from_last_good:
        return False, (f"the kind of home is a guess, because config.yaml does not parse: {loaded.broken}",)
    return loaded.recall_key, ()


def create_home(path: Path, kind: HomeKind) -> Home:
    """Make a home's two folders (0700) and nothing else; one that is there is completed, never emptied.

    Raises HomeUnusable when it cannot be made, or when the kind is PROFILE, which its own program makes.
    """
    if kind is HomeKind.PROFILE:
        raise HomeUnusable(path, "a Profile is made by its own program (ziggy init)")
    path = _absolute(str(path), _user_folder())
    root = path.parent.parent if path.parent.name == "profiles" else path
    if root != path and (path.name in _RESERVED or not _PROFILE_ID.fullmatch(path.name)):
        raise HomeUnusable(path, f"{path.name!r} cannot be the name of a profile")
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        (path / "memories").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise HomeUnusable(path, f"it could not be made: {error.strerror or error}") from error
    return Home(path, kind, "it was made as one", _profile_name(path, root), root, "created")


def canonical_strays(memories: Path) -> tuple[Path, ...]:
    """Files beside MEMORY.md and USER.md that look like them and are not read: other case, sync (F144).

    Sorted by name. Where case does not matter, a lower-case name that *is* the canonical file is no stray.
    """
    try:
        found = sorted(memories.iterdir())
    except OSError:  # missing or closed: the store's own read says so
        return ()
    odd = (path for path in found if path.name not in _CANONICAL and _STRAY.fullmatch(path.name))
    return tuple(path for path in odd if not _is_canonical(path))


def _is_canonical(path: Path) -> bool:
    """Whether the canonical name opens this very file (a file system that ignores case)."""
    stem = path.name.lower()
    if stem not in ("memory.md", "user.md"):
        return False
    try:
        return path.samefile(path.with_name(stem.removesuffix(".md").upper() + ".md"))
    except OSError:
        return False


def write_problem(home: Home) -> str | None:
    """Why this home can only be read, naming the first path that fails; None when it can be written (F43).

    Probed without writing, at start: the folder, each memory file, and our own folder.
    """
    own = home.path / (".runtime/digit-tui" if home.kind is HomeKind.PROFILE else "digit-tui")
    for path in (home.memories, *(home.document_path(name) for name in home.documents), own):
        problem = writable_problem(path)
        if problem is not None:
            return problem
    return None
