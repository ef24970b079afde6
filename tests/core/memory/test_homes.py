"""Finding a home: by which way, of which kind and why, and never another than was asked for (facts 1.1)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.errors import HomeNotFound, HomeUnusable, ProfileNotFound
from digit_core.memory.homes import (
    HomeKind,
    canonical_strays,
    create_home,
    default_path,
    find_home,
    profiles,
    write_problem,
)

RECALL = "memory:\n  recall:\n    enabled: true\n"


@pytest.fixture
def user(tmp_path: Path) -> Path:
    path = tmp_path / "person"
    path.mkdir()
    return path


def a_home(path: Path, config: str | None = None, memories: bool = True) -> Path:
    path.mkdir(parents=True)
    if memories:
        (path / "memories").mkdir()
    if config is not None:
        (path / "config.yaml").write_text(config, encoding="utf-8")
    return path


def test_order_of_places(user: Path, tmp_path: Path) -> None:
    for name in (".digit", ".hermes"):
        a_home(user / name)
    named = {name: str(a_home(tmp_path / name)) for name in ("given", "digit-env", "hermes-env")}
    env = {"DIGIT_HOME": named["digit-env"], "HERMES_HOME": named["hermes-env"]}
    assert find_home(named["given"], env=env, user=user).found_by == "--home"
    assert find_home(env=env, user=user).found_by == "DIGIT_HOME"
    env["DIGIT_HOME"] = "  "
    assert find_home(env=env, user=user).path == tmp_path / "hermes-env"
    env["HERMES_HOME"] = ""
    assert find_home(env=env, user=user).path == user / ".digit"
    (user / ".digit/memories").rmdir()
    (user / ".digit").rmdir()
    found = find_home(env=env, user=user)
    assert (found.path, found.found_by, found.kind) == (user / ".hermes", "~/.hermes", HomeKind.HERMES)


def test_no_home_at_all_says_where_it_looked(user: Path) -> None:
    with pytest.raises(HomeNotFound, match=r"~/\.digit and ~/\.hermes do not exist") as caught:
        find_home(env={}, user=user)
    assert caught.value.path is None
    assert default_path(HomeKind.DIGIT, {}, user) == user / ".digit"


@pytest.mark.parametrize(
    ("variable", "folder", "config", "kind", "why"),
    [
        ("DIGIT_HOME", "data", None, HomeKind.DIGIT, "DIGIT_HOME"),
        ("DIGIT_HOME", ".hermes", None, HomeKind.DIGIT, "DIGIT_HOME"),
        ("HERMES_HOME", "data", None, HomeKind.HERMES, "HERMES_HOME"),
        ("HERMES_HOME", ".digit", None, HomeKind.DIGIT, ".digit"),
        ("HERMES_HOME", "data", RECALL, HomeKind.DIGIT, "memory.recall"),
        ("HERMES_HOME", ".hermes", RECALL, HomeKind.DIGIT, "memory.recall"),
        ("HERMES_HOME", ".hermes", "# recall is off\nmemory: {}\n", HomeKind.HERMES, ".hermes"),
    ],
)
def test_kind_and_why(
    variable: str, folder: str, config: str | None, kind: HomeKind, why: str, user: Path, tmp_path: Path
) -> None:
    path = a_home(tmp_path / folder, config)
    found = find_home(env={variable: str(path)}, user=user)
    assert found.kind is kind
    assert why in found.kind_why
    assert found.notices == ()


def test_asked_kind_wins(user: Path, tmp_path: Path) -> None:
    path = a_home(tmp_path / ".digit")
    assert find_home(str(path), kind="Hermes", env={}, user=user).kind is HomeKind.HERMES
    with pytest.raises(HomeUnusable, match="digit, hermes or profile"):
        find_home(str(path), kind="other", env={}, user=user)


def test_profile_kind_needs_soul_and_no_memories(user: Path, tmp_path: Path) -> None:
    path = a_home(tmp_path / "bakery", memories=False)
    assert find_home(str(path), env={}, user=user).kind is HomeKind.HERMES
    (path / "SOUL.md").touch()
    found = find_home(str(path), env={}, user=user)
    assert found.kind is HomeKind.PROFILE
    assert found.document_path("shared") == path / "MEMORY.md"
    assert found.document_path("user:owner") == path / "memory/users/owner.md"
    assert found.document_path("group:tg1") == path / "memory/groups/tg1.md"
    for wrong in ("memory", "user:a/b", "user:", "user:Anna", "people:anna"):
        with pytest.raises(KeyError):
            found.document_path(wrong)
    fresh = a_home(tmp_path / ".digit", memories=False)
    (fresh / "SOUL.md").touch()
    assert find_home(str(fresh), env={}, user=user).kind is HomeKind.DIGIT


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("small", HomeKind.HERMES),
        ("grown", HomeKind.DIGIT),
        ("real/hermes-nixos-a", HomeKind.HERMES),
        ("real/hermes-fork-zh", HomeKind.HERMES),
        ("real/hermes-webteam-ko", HomeKind.HERMES),
        ("profile", HomeKind.PROFILE),
        ("profile-odd", HomeKind.PROFILE),
    ],
)
def test_kinds_of_the_example_homes(name: str, kind: HomeKind, shared: Path, user: Path) -> None:
    found = find_home(str(shared / "homes" / name), env={}, user=user)
    assert (found.kind, found.profile, found.notices) == (kind, "default", ())


def test_documents_of_an_agent_home(user: Path) -> None:
    found = find_home(str(a_home(user / ".digit")), env={}, user=user)
    assert [found.document_path(name).name for name in found.documents] == ["MEMORY.md", "USER.md"]
    assert found.document_path("memory").parent == found.memories == user / ".digit/memories"
    with pytest.raises(KeyError):
        found.document_path("shared")


def test_a_broken_config_leaves_the_kind_a_guess_and_says_so(user: Path, tmp_path: Path) -> None:
    found = find_home(str(a_home(tmp_path / "data", "memory:\n\trecall: [\n")), env={}, user=user)
    assert found.kind is HomeKind.HERMES
    assert "config.yaml does not parse" in found.notices[0]


def test_an_explicit_profile(user: Path) -> None:
    root = a_home(user / ".hermes")
    coder = a_home(root / "profiles/coder")
    found = find_home(profile="coder", env={}, user=user)
    assert (found.path, found.root, found.profile) == (coder, root, "coder")
    assert find_home(profile="default", env={"HERMES_HOME": str(coder)}, user=user).path == root
    assert find_home(str(root), profile="coder", env={}, user=user).path == coder
    for name in ("nobody", "../coder", "Coder", "", "a" * 65):
        if name:
            with pytest.raises(ProfileNotFound) as caught:
                find_home(profile=name, env={}, user=user)
            assert caught.value.known == ("default", "coder")


def test_a_profile_of_a_digit_root_is_digit(user: Path) -> None:
    a_home(user / ".digit/profiles/work")
    assert find_home(profile="work", env={}, user=user).kind is HomeKind.DIGIT


def test_active_profile_is_followed_and_told(user: Path) -> None:
    root = a_home(user / ".digit")
    work = a_home(root / "profiles/work")
    a_home(root / "profiles/other")
    (root / "active_profile").write_text("work\n", encoding="utf-8")
    found = find_home(env={}, user=user)
    assert (found.path, found.profile) == (work, "work")
    assert "active_profile" in found.notices[0]
    assert find_home(env={"DIGIT_HOME": str(root)}, user=user).path == work
    assert find_home(profile="default", env={}, user=user).path == root
    # An environment home inside profiles/ is trusted as it is, and so is --home.
    assert find_home(env={"DIGIT_HOME": str(root / "profiles/other")}, user=user).profile == "other"
    explicit = find_home(str(root), env={}, user=user)
    assert explicit.path == root
    assert "active_profile there names 'work'" in explicit.notices[0]


@pytest.mark.parametrize("content", ["", "default\n", "\ufeffdefault", "  \n"])
def test_active_profile_without_a_choice(content: str, user: Path) -> None:
    root = a_home(user / ".digit")
    (root / "active_profile").write_text(content, encoding="utf-8")
    found = find_home(env={}, user=user)
    assert (found.path, found.notices) == (root, ())


def test_an_active_profile_that_is_gone_is_an_error(user: Path) -> None:
    root = a_home(user / ".digit")
    (root / "active_profile").write_text("gone", encoding="utf-8")
    with pytest.raises(ProfileNotFound):
        find_home(env={}, user=user)
    (root / "active_profile").unlink()
    (root / "active_profile").mkdir()
    with pytest.raises(HomeUnusable, match="--profile"):
        find_home(env={}, user=user)
    explicit = find_home(str(root), env={}, user=user)  # says exactly what it means, so it opens
    assert explicit.path == root
    assert "active_profile" in explicit.notices[0]


def test_profiles_are_listed(user: Path) -> None:
    root = a_home(user / ".digit")
    assert profiles(root) == ("default",)
    for name in ("b", "a", "Upper", ".hidden"):
        a_home(root / "profiles" / name)
    (root / "profiles/file").touch()
    (root / "profiles/dangling").symlink_to("nowhere")
    assert profiles(root) == ("default", "a", "b")


def test_root_of_a_home_elsewhere(user: Path, tmp_path: Path) -> None:
    path = a_home(tmp_path / "opt/data/profiles/x")
    found = find_home(env={"HERMES_HOME": str(path)}, user=user)
    assert (found.root, found.profile) == (tmp_path / "opt/data", "x")


@pytest.mark.parametrize("variable", ["DIGIT_HOME", "HERMES_HOME"])
def test_a_missing_directory_is_no_reason_for_another_home(variable: str, user: Path, tmp_path: Path) -> None:
    a_home(user / ".digit")
    with pytest.raises(HomeNotFound, match=variable) as caught:
        find_home(env={variable: str(tmp_path / "gone")}, user=user)
    assert caught.value.path == tmp_path / "gone"
    (tmp_path / "file").touch()
    with pytest.raises(HomeUnusable, match="not a directory"):
        find_home(env={variable: str(tmp_path / "file")}, user=user)
    with pytest.raises(HomeNotFound):
        find_home(env={variable: str(tmp_path / "file/under")}, user=user)


def test_the_memories_folder_is_no_home(user: Path) -> None:
    home = a_home(user / ".digit")
    (home / "memories/MEMORY.md").touch()
    with pytest.raises(HomeUnusable, match=f"the home is {home}"):
        find_home(str(home / "memories"), env={}, user=user)


def test_a_dangling_default_home_is_an_error(user: Path) -> None:
    a_home(user / ".hermes")
    (user / ".digit").symlink_to(user / "unmounted")
    with pytest.raises(HomeUnusable, match="symbolic link"):
        find_home(env={}, user=user)


def test_a_link_to_a_home_keeps_its_name(user: Path, tmp_path: Path) -> None:
    a_home(tmp_path / "data")
    (user / ".digit").symlink_to(tmp_path / "data")
    found = find_home(env={}, user=user)
    assert (found.path, found.kind) == (user / ".digit", HomeKind.DIGIT)


def test_odd_paths(user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_home(user / "data")
    assert find_home("~/data", env={}, user=user).path == user / "data"
    assert find_home(env={"DIGIT_HOME": "~/data "}, user=user).path == user / "data"
    monkeypatch.chdir(user)
    assert find_home("data", env={}, user=user).path == user / "data"
    monkeypatch.chdir(user / "data")
    assert find_home(".", env={}, user=user).path == user / "data"
    assert find_home("../data", env={}, user=user).path == (user / "data").resolve()
    for text in ("a\0b", "n" * 300):
        with pytest.raises(HomeUnusable):
            find_home(text, env={}, user=user)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(HomeUnusable):
        find_home(str(loop), env={}, user=user)


def test_a_vanished_working_directory(user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(HomeUnusable):
        find_home("data", env={}, user=user)
    assert find_home(str(a_home(tmp_path / "data")), env={}, user=user).path == tmp_path / "data"


def test_create_makes_two_folders_and_nothing_else(user: Path) -> None:
    made = create_home(user / "deep/.digit", HomeKind.DIGIT)
    assert sorted(path.name for path in made.path.rglob("*")) == ["memories"]
    assert made.path.stat().st_mode & 0o777 == 0o700
    assert (made.profile, made.kind) == ("default", HomeKind.DIGIT)
    assert find_home(str(made.path), env={}, user=user).kind is HomeKind.DIGIT
    (made.memories / "MEMORY.md").write_bytes(b"kept")
    create_home(made.path, HomeKind.DIGIT)
    assert (made.memories / "MEMORY.md").read_bytes() == b"kept"


def test_create_refuses(user: Path) -> None:
    (user / "file").touch()
    for path in (user / "file", user / "file/home", user / "profiles/Bad Name", user / "profiles/root"):
        with pytest.raises(HomeUnusable):
            create_home(path, HomeKind.HERMES)
    with pytest.raises(HomeUnusable, match="its own program"):
        create_home(user / "bakery", HomeKind.PROFILE)


def test_strays_in_other_words(user: Path) -> None:
    memories = a_home(user / ".digit") / "memories"
    strays = [
        "MEMORY (1).md",
        "MEMORY (Marta's conflicted copy 2026-03-01).md",
        "MEMORY (conflict).md",
        "MEMORY 2.md",
        "MEMORY - Copy.md",
        "MEMORY.sync-conflict-20260301-120000-ABCDEFG.md",
        "Memory.md",
        "USER(1).md",
        "user.md",
    ]
    fine = [
        "MEMORY.md",
        "USER.md",
        "MEMORY.md.lock",
        "MEMORY.md.bak.1",
        "MEMORIES.md",
        "notes.md",
        "USERS.md",
    ]
    for name in (*strays, *fine):
        (memories / name).touch()
    assert [path.name for path in canonical_strays(memories)] == sorted(strays)


def test_another_spelling_of_the_same_file_is_no_stray(user: Path) -> None:
    memories = a_home(user / ".digit") / "memories"
    (memories / "MEMORY.md").write_bytes(b"a")
    os.link(memories / "MEMORY.md", memories / "memory.md")  # as a file system without case shows it
    assert canonical_strays(memories) == ()
    assert canonical_strays(memories / "gone") == ()


def test_a_writable_home_has_no_write_problem(make_home: Callable[..., Path]) -> None:
    assert write_problem(find_home(str(make_home(memory="a")))) is None
