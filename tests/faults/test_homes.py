"""Faults about which home is opened and what stands in its way: F43, F144, F152, F153, F154, F156."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.errors import HomeNotFound
from digit_core.formats.config import read_config
from digit_core.formats.settings import Settings
from digit_core.memory.changes import Add, Change, NoteRef, Reason, Remove
from digit_core.memory.homes import Home, canonical_strays, find_home
from digit_core.memory.limits import Limits, level, limits, usage_of
from digit_core.memory.store import Store
from digit_core.text.digest import text_digest

AsNobody = Callable[[str, Path], "subprocess.CompletedProcess[str]"]
Probe = Callable[..., "dict[str, object]"]

SOURCE = """
import json, os
from pathlib import Path
from digit_core.errors import DigitError
from digit_core.memory.homes import canonical_strays, find_home, profiles, write_problem
for path, mode in {modes!r}:
    os.chmod(path, mode)
try:
    home = find_home({home!r}, env={{}})
    answer = {{
        "kind": home.kind.value,
        "notices": home.notices,
        "profiles": profiles(home.root),
        "problem": write_problem(home),
        "strays": [str(path) for path in canonical_strays(home.memories)],
    }}
except DigitError as error:
    answer = {{"error": type(error).__name__, "message": str(error)}}
for path, mode in {modes!r}:
    os.chmod(path, 0o700)
print(json.dumps(answer))
"""


@pytest.fixture
def probe(as_nobody: AsNobody, tmp_path: Path) -> Probe:
    """Open a home as somebody who is not root, with the modes given; what came of it."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()

    def run(home: Path, *modes: tuple[Path, int]) -> dict[str, object]:
        source = SOURCE.format(home=str(home), modes=[(str(path), mode) for path, mode in modes])
        done = as_nobody(source, theirs)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        assert isinstance(answer, dict)
        return answer

    return run


def a_home(path: Path) -> Path:
    (path / "memories").mkdir(parents=True)
    (path / "memories/MEMORY.md").write_bytes(b"one")
    return path


def test_f043_a_home_that_may_not_be_written_names_the_first_path(probe: Probe, tmp_path: Path) -> None:
    home = a_home(tmp_path / "theirs/.digit")
    memories = home / "memories"
    problem = str(probe(home, (memories, 0o500))["problem"])
    assert str(memories) in problem
    assert "0500" in problem
    file = memories / "MEMORY.md"
    assert str(file) in str(probe(home, (file, 0o444))["problem"])
    assert probe(home)["problem"] is None


def test_f043_a_home_of_another_user_says_whose_it_is(probe: Probe, tmp_path: Path) -> None:
    if tmp_path.stat().st_uid != 0:
        pytest.skip("needs two users; only root can have files of both")
    home = a_home(tmp_path / "of root/.digit")
    for path in (home, home / "memories", home.parent):
        path.chmod(0o755)
    problem = str(probe(home)["problem"])
    assert str(home / "memories") in problem
    assert "root" in problem


def test_f144_only_the_canonical_name_counts_and_the_others_are_named(tmp_path: Path) -> None:
    memories = a_home(tmp_path / ".digit") / "memories"
    for name in ("memory.md", "Memory.md", "User.md", "MEMORY (conflict).md"):
        (memories / name).write_bytes(b"stray")
    home = find_home(str(tmp_path / ".digit"), env={})
    assert home.document_path("memory").read_bytes() == b"one"
    assert [path.name for path in canonical_strays(memories)] == [
        "MEMORY (conflict).md",
        "Memory.md",
        "User.md",
        "memory.md",
    ]


def settings_of(home: Home) -> Settings:
    return read_config(home.config_path.read_bytes()).settings


def test_f152_limits_are_those_of_the_open_profile_and_follow_its_config(tmp_path: Path) -> None:
    root = a_home(tmp_path / ".digit")
    a_home(root / "profiles/work")
    (root / "config.yaml").write_text("memory: {memory_char_limit: 3200}\n", encoding="utf-8")
    config = root / "profiles/work/config.yaml"
    config.write_text(
        "memory: {memory_char_limit: 77, recall: {memory_char_limit: 7777}}\n", encoding="utf-8"
    )
    work = find_home(str(root), profile="work", env={})
    store = Store(work, settings=lambda: settings_of(work))
    assert store.limits["memory"] == Limits(7777, 77, True)
    config.write_text("memory: {recall: {enabled: false}}\n", encoding="utf-8")
    assert store.limits["memory"] == Limits(2200)
    hermes = find_home(str(root), kind="hermes", env={})
    held = usage_of(3500, limits(hermes.kind, settings_of(hermes))["memory"])
    assert (held.true_percent, held.over, level(held)) == (109, 300, "over")


@pytest.mark.parametrize(
    ("key", "document"), [("memory_enabled", "memory"), ("user_profile_enabled", "user")]
)
def test_f154_what_is_disabled_is_not_written_and_its_file_is_told(
    key: str, document: str, tmp_path: Path
) -> None:
    home = find_home(str(a_home(tmp_path / ".digit")), env={})
    file = home.document_path(document)
    file.write_bytes(b"one")
    home.config_path.write_text(f"memory:\n  {key}: false\n", encoding="utf-8")
    store = Store(home, settings=lambda: settings_of(home))
    for operation in (Add(document, "two"), Remove(NoteRef(document, text_digest("one")))):
        outcome = store.apply(Change((operation,)))
        assert (outcome.ok, outcome.reason) == (False, Reason.DISABLED)
        assert key in outcome.message
        assert f"{file} is there" in outcome.message
    assert file.read_bytes() == b"one"
    other = "user" if document == "memory" else "memory"
    assert store.apply(Change((Add(other, "three"),))).ok


def test_f153_the_home_stays_the_one_it_was_opened_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = a_home(tmp_path / "first/.digit"), a_home(tmp_path / "second/.digit")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DIGIT_HOME", " first/.digit ")
    opened = find_home()
    monkeypatch.setenv("DIGIT_HOME", str(second))
    monkeypatch.chdir(second)
    assert opened.document_path("memory") == first / "memories/MEMORY.md"
    monkeypatch.setenv("DIGIT_HOME", str(tmp_path / "missing"))
    with pytest.raises(HomeNotFound, match="DIGIT_HOME"):
        find_home()


def test_f156_a_closed_home_is_said_with_its_mode(probe: Probe, tmp_path: Path) -> None:
    home = a_home(tmp_path / "theirs/.digit")
    closed = probe(home, (home, 0o000))
    assert closed["error"] == "HomeUnusable"
    assert "0000" in str(closed["message"])
    parent = a_home(tmp_path / "theirs/deep/.digit").parent
    above = probe(parent / ".digit", (parent, 0o000))
    assert above["error"] == "HomeUnusable"
    assert str(parent) in str(above["message"])


def test_f156_closed_folders_inside_do_not_close_the_home(probe: Probe, tmp_path: Path) -> None:
    home = a_home(tmp_path / "theirs/home")
    (home / "config.yaml").write_text("memory:\n  recall: {}\n", encoding="utf-8")
    (home / "profiles").mkdir()
    opened = probe(home, (home / "config.yaml", 0), (home / "profiles", 0), (home / "memories", 0))
    assert opened["kind"] == "hermes"
    assert opened["profiles"] == ["default"]
    assert opened["strays"] == []
    assert "config.yaml cannot be read" in str(opened["notices"])
    assert str(home / "memories") in str(opened["problem"])


def test_f156_a_closed_profile_is_an_error_of_that_profile_only(probe: Probe, tmp_path: Path) -> None:
    home = a_home(tmp_path / "theirs/.digit")
    for name in ("a", "b"):
        a_home(home / "profiles" / name)
    opened = probe(home, (home / "profiles/a", 0))
    assert opened["profiles"] == ["default", "a", "b"]
    assert probe(home / "profiles/a", (home / "profiles/a", 0))["error"] == "HomeUnusable"
