"""The demo home: realistic, the person's own copy, and odd in all the ways a newcomer should see."""

from __future__ import annotations

import re
import stat
import tempfile
import time
from pathlib import Path

import pytest

from digit_tui.demo import is_demo, make_demo_home

DELIMITER = "\n§\n"


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return make_demo_home()


def notes(demo: Path, name: str) -> list[str]:
    return (demo / "memories" / name).read_bytes().decode().split(DELIMITER)


def test_each_demo_is_a_private_copy_of_its_own(demo: Path) -> None:
    other = make_demo_home()
    assert demo.name == other.name == ".digit"
    assert demo != other
    assert is_demo(demo)
    assert not is_demo(Path.home() / ".digit")
    for path in (demo.parent, demo, *demo.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert abs((demo / "memories" / "MEMORY.md").stat().st_mtime - time.time()) < 60


def test_the_files_are_in_the_agents_own_form(demo: Path) -> None:
    for name in ("MEMORY.md", "USER.md"):
        found = notes(demo, name)
        assert [text.strip() for text in found] == found
        assert all(found)
        assert "\r" not in "".join(found)


def test_memory_is_searched_and_user_stands_near_its_limit(demo: Path) -> None:
    memory = (demo / "memories" / "MEMORY.md").read_bytes().decode()
    user = (demo / "memories" / "USER.md").read_bytes().decode()
    config = (demo / "config.yaml").read_text("utf-8")
    limit = int(re.findall(r"user_char_limit: (\d+)", config)[1])
    assert 2_200 < len(memory) < 0.8 * 120_000
    assert 80 <= 100 * len(user) // limit < 95


def test_it_has_what_a_newcomer_should_see(demo: Path) -> None:
    memory, user = notes(demo, "MEMORY.md"), notes(demo, "USER.md")
    assert len(memory) >= 40
    assert len(user) >= 10
    assert len(memory) - len(set(memory)) == 1
    assert 3 <= sum("#pinned" in text for text in memory + user) <= 5
    titles = {text.splitlines()[0].lstrip("# ").casefold() for text in memory + user}
    plain = [re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in memory + user]
    targets = {found.casefold() for text in plain for found in re.findall(r"\[\[([^]|]+)", text)}
    assert targets - titles == {"disaster drill"}
    whole = "".join(memory + user)
    assert "```bash" in whole
    assert re.search("[а-я]", whole)
    assert re.search("[\u3040-\u30ff\u4e00-\u9fff]", whole)
    assert "🌊" in whole


def test_it_names_no_real_host(demo: Path) -> None:
    whole = "".join(path.read_text("utf-8") for path in demo.rglob("*") if path.is_file())
    for address in re.findall(r"\b\d+\.\d+\.\d+\.\d+\b", whole):
        assert address.startswith(("192.0.2.", "198.51.100.", "203.0.113."))
    for host in re.findall(r"\b[a-z0-9-]+\.(?:com|org|net|io|ee|ru|example)\b", whole):
        assert host.endswith(".example")
