"""Faults of the kind "Configuration and profiles" through the command line, the tool and the app."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from digit_core.library import Library
from digit_core.memory.homes import find_home
from tests.digit_tui.driving import press, running, screen_text, until
from tests.faults.faces import FACES, ToolFace, digit, holds, opened, tree
from tests.faults.test_configuration import BROKEN, TWICE
from tests.storing import joined, memory_file, user_file

MakeHome = Callable[..., Path]

GATE = "memory.write_approval"


def config(home: Path) -> bytes:
    return (home / "config.yaml").read_bytes()


def set_config(home: Path, data: bytes) -> None:
    (home / "config.yaml").write_bytes(data)


def setting(home: Path, key: str) -> object:
    """A setting as the command line reads it."""
    value: object = json.loads(digit(home, "config", "get", key, "--json").out)["value"]
    return value


# ---------------------------------------------------------------------------- F145, F146, F155

COMMENTED = """\
# ── config of the laptop ──
defaults: &defaults
  timeout: 30      # seconds
model:
  <<: *defaults
  default: 'qwen3: coder'   # quoted for the colon
memory:
  write_approval: off   # с августа: сначала спрашивать
# commented out until needed:
# curator:
#   stale_after_days: 30
""".encode()
FLUSH = b"fallback:\n- a\n- b\nmemory:\n    write_approval: false   # keep"
NOTEPAD = b"\xef\xbb\xbfmemory:\r\n  write_approval: false\r\nskills:\r\n  write_approval: no\r\n"


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (COMMENTED, b"write_approval: off ", b"write_approval: true "),
        (FLUSH, b"write_approval: false ", b"write_approval: true "),
        (NOTEPAD, b"write_approval: false\r", b"write_approval: true\r"),
    ],
    ids=["f145", "f146", "f155"],
)
def test_f145_f146_f155_the_command_line_changes_one_value_and_no_other_byte(
    make_home: MakeHome, before: bytes, old: bytes, new: bytes
) -> None:
    home = make_home(memory=b"one")
    set_config(home, before)
    (home / "config.yaml").chmod(0o640)
    done = digit(home, "config", "set", GATE, "on")
    assert done.code == 0
    assert config(home) == before.replace(old, new, 1)
    assert (home / "config.yaml").stat().st_mode & 0o777 == 0o640
    assert setting(home, GATE) is True
    assert digit(home, "config", "set", GATE, "off").code == 0
    assert config(home) == before.replace(old, new.replace(b"true", b"false"), 1)
    assert sorted(tree(home)) == ["config.yaml", "memories/MEMORY.md"]


# ---------------------------------------------------------------------------- F147, F148


@pytest.mark.parametrize(("data", "line", "column"), BROKEN + TWICE)
def test_f147_the_command_line_never_writes_a_broken_file(
    make_home: MakeHome, data: bytes, line: int, column: int
) -> None:
    home = make_home(memory=b"one")
    set_config(home, data)
    for more in ((), ("--json",)):
        done = digit(home, "config", "set", GATE, "on", *more)
        assert done.code == 4
        assert f"line {line}, column {column}: " in done.words
        assert config(home) == data
    with Library(find_home(str(home))) as library:
        for way_out in [problem.way_out for problem in library.snapshot.problems]:
            assert "config set" not in way_out, "what is refused is no way out"


@pytest.mark.parametrize(("data", "line", "column"), TWICE)
def test_f147_a_key_that_is_there_twice_is_listed_with_both_lines(
    make_home: MakeHome, data: bytes, line: int, column: int
) -> None:
    home = make_home(memory=b"one")
    set_config(home, data)
    for words in (("config", "list"), ("config", "get", GATE), ("memory", "status")):
        done = digit(home, *words)
        assert done.code == 0
        assert "is written twice, in lines " in done.words
        assert f" and {line}; using the one in line {line}" in done.words
        assert "in the file itself" in done.words
    assert setting(home, GATE) is (b"true" in data)


def test_f147_an_empty_file_gets_its_section(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", config="")
    assert digit(home, "config", "set", GATE, "on").code == 0
    assert config(home) == b"memory:\n  write_approval: true\n"


@pytest.mark.parametrize(("data", "line", "column"), BROKEN)
async def test_f148_the_app_and_the_command_line_say_on_what_they_run(
    make_home: MakeHome, data: bytes, line: int, column: int
) -> None:
    home = make_home(memory=b"one")
    set_config(home, data)
    words = f"config.yaml, line {line}, column {column}: "
    assert words in digit(home, "memory", "status").out
    assert words in digit(home, "config", "list").err
    assert setting(home, GATE) is True
    async with running(home, (140, 30)) as (app, pilot):
        assert holds(screen_text(app), words)
        assert holds(screen_text(app), "default limits")
        assert "3/120,000" in screen_text(app)
        await press(pilot, "j", "e", "!", "ctrl+s")
        assert holds(screen_text(app), words), "the banner stays"
        set_config(home, b"memory:\n  recall: {memory_char_limit: 4321}\n")
        await until(pilot, lambda: "4/4,321" in screen_text(app), "the mended config")
        assert "line 1, column" not in screen_text(app)
        set_config(home, data)
        await until(pilot, lambda: holds(screen_text(app), words), "the banner")
        assert "4/4,321" in screen_text(app), "the last good limits go on"
        assert holds(screen_text(app), "the last settings that could be read")
    assert config(home) == data


# ---------------------------------------------------------------------------- F150, F151


@pytest.mark.parametrize("spelling", ["on", "off", "verbose", '"off"', "OFF", "no", "0", "null"])
def test_f150_notifications_are_read_in_each_spelling_and_written_for_every_reader(
    make_home: MakeHome, spelling: str
) -> None:
    home = make_home(memory=b"one")
    key = "display.memory_notifications"
    before = f"display:\n  memory_notifications: {spelling}  # note\n".encode()
    means = {"on": "on", "verbose": "verbose", "null": "on"}.get(spelling, "off")
    for word in ("on", "off", "verbose"):
        set_config(home, before)
        assert setting(home, key) == means
        assert digit(home, "config", "get", key).out == f"{means}\n"
        assert digit(home, "config", "set", key, word).code == 0
        assert setting(home, key) == word
        assert yaml.safe_load(config(home))["display"]["memory_notifications"] == word
        assert config(home).endswith(b"  # note\n")


async def test_f151_core_command_line_and_app_read_the_same_and_report_the_same(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    set_config(
        home,
        b"memory:\n  write_approval: []\n  memory_char_limit: 2_200\n"
        b'  recall:\n    top_k: "6"\n    max_chars: 2e3\n    hops: -1\n'
        b"skills:\n  write_approval: 'off'\n",
    )
    expected = {
        GATE: True,
        "skills.write_approval": False,
        "memory.memory_char_limit": 2200,
        "memory.recall.top_k": 6,
        "memory.recall.max_chars": 2000,
        "memory.recall.hops": 1,
    }
    shown = {one["key"]: one["value"] for one in json.loads(digit(home, "config", "list", "--json").out)}
    with Library(find_home(str(home))) as library:
        for key, value in expected.items():
            assert setting(home, key) == shown[key] == library.setting(key).value == value, key
        assert library.snapshot.settings.memory.write_approval is True
        assert library.snapshot.settings.memory.recall.hops == 1
    said = digit(home, "memory", "status").out
    for words in (
        "line 2: memory.write_approval cannot be",
        "using true",
        "line 7: memory.recall.hops",
        "using 1",
    ):
        assert words in said
    async with running(home, (140, 30)) as (app, pilot):
        await press(pilot, "exclamation_mark")
        assert holds(screen_text(app), "memory.write_approval cannot be")
        assert holds(screen_text(app), "using true")


# ---------------------------------------------------------------------------- F152

LIMITS = "memory:\n  memory_char_limit: {}\n  user_char_limit: {}\n"


async def test_f152_the_numbers_on_screen_follow_the_config_of_the_open_profile(make_home: MakeHome) -> None:
    home = make_home(memory="x" * 2470, user=b"u" * 7, config=LIMITS.format(3203, 1501))
    work = make_home(memory=b"one", name=".digit/profiles/work", config=LIMITS.format(77, 19))
    for config_path in (home / "config.yaml", work / "config.yaml"):
        config_path.write_bytes(config_path.read_bytes() + b"  recall: {enabled: false}\n")
    assert "2,470/3,203" in digit(home, "memory", "status").out
    assert "3/77" in digit(home, "memory", "status", "-p", "work").out
    async with running(home, (140, 30)) as (app, pilot):
        assert "2,470/3,203" in screen_text(app).split("\n")[0]
        assert "7/1,501" in screen_text(app).split("\n")[0]
        assert digit(home, "config", "set", "memory.memory_char_limit", "1701").code == 0
        await until(pilot, lambda: "2,470/1,701 · 145%" in screen_text(app), "the new limit, not clipped")
        assert "over" in screen_text(app).split("\n")[0]
        set_config(home, b"memory: {recall: {memory_char_limit: 90001}}\n")
        await until(pilot, lambda: "2,470/90,001" in screen_text(app), "the limit of recall")
        status = digit(home, "memory", "status").out
        assert "2,470/90,001" in status
        assert "in the prompt" in status or "over 2,200 verbatim" in status
        set_config(home, b"")
        await until(pilot, lambda: "2,470/120,000" in screen_text(app), "the default")
    assert "3/77" in digit(home, "memory", "status", "-p", "work").out


# ---------------------------------------------------------------------------- F153


@pytest.mark.parametrize("name", FACES)
async def test_f153_what_is_saved_goes_to_the_home_that_was_opened(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    a, b = make_home(memory=b"a", name="a/.digit"), make_home(memory=b"b", name="b/.digit")
    monkeypatch.setenv("DIGIT_HOME", str(a))
    async with opened(name, a) as face:
        if name == "app":
            app, pilot = face.app, face.pilot  # type: ignore[attr-defined]
            await press(pilot, "e", "!")  # editing begins before the switch
            monkeypatch.setenv("DIGIT_HOME", str(b))
            monkeypatch.chdir(b)
            await press(pilot, "ctrl+s")
            assert ".digit" in screen_text(app).split("\n")[0]
            assert "default" in screen_text(app).split("\n")[0]
        for number, value in enumerate((str(b), "", "  ", "relative", str(tmp_path / "missing"))):
            monkeypatch.setenv("DIGIT_HOME", value)
            monkeypatch.setenv("HERMES_HOME", str(b))
            assert (await face.add(f"new {number}")).ok
    assert list(tree(b)) == ["memories/MEMORY.md"]
    assert memory_file(b).read_bytes() == b"b"
    assert memory_file(a).read_bytes() == joined(
        "a!" if name == "app" else "a", *(f"new {n}" for n in range(5))
    )


def test_f153_the_variable_at_the_start(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = make_home(memory=b"from the variable", name="here/.digit")
    default = tmp_path / "user" / ".digit"
    (default / "memories").mkdir(parents=True)
    (default / "memories" / "MEMORY.md").write_bytes(b"of the user")
    monkeypatch.chdir(tmp_path)
    for value, expected in (
        ("", "of the user"),
        ("   ", "of the user"),
        (f"  {home}  ", "from the variable"),
        ("here/.digit", "from the variable"),
    ):
        monkeypatch.setenv("DIGIT_HOME", value)
        done = digit(None, "memory", "show", "1")
        assert (done.code, done.out) == (0, f"{expected}\n"), value
    for value in (str(tmp_path / "missing"), "missing"):
        monkeypatch.setenv("DIGIT_HOME", value)
        for words in (("memory", "list"), ("memory", "add", "x"), ("config", "set", GATE, "on")):
            done = digit(None, *words)
            assert done.code == 3
            assert "DIGIT_HOME" in done.err
            assert "missing" in done.err
    assert not (tmp_path / "missing").exists()
    assert memory_file(default).read_bytes() == b"of the user"


# ---------------------------------------------------------------------------- F154


@pytest.mark.parametrize(
    ("key", "document"), [("memory_enabled", "memory"), ("user_profile_enabled", "user")]
)
async def test_f154_what_is_turned_off_is_said_and_not_written_by_any_face(
    make_home: MakeHome, key: str, document: str
) -> None:
    home = make_home(memory=b"m", user=b"u", config=f"memory:\n  {key}: false\n")
    file, text = (memory_file(home), "m") if document == "memory" else (user_file(home), "u")
    label = document.upper()
    raw = file.read_bytes()
    status = digit(home, "memory", "status").out
    assert "turned off" in status
    assert f"{file.name} exists and is left as it is" in status
    off = f"memory.{key} is false"
    for words in (("add", "--to", document, "x"), ("remove", text), ("replace", text, "x"), ("move", text)):
        done = digit(home, "memory", *words)
        assert done.code == 4
        assert off in done.err
        assert f"{file} is there" in done.err
    other = "user" if document == "memory" else "memory"
    assert digit(home, "memory", "move", "u" if document == "memory" else "m").code == 4
    answer = ToolFace(home).tool.call(action="add", target=document, content="x")
    assert answer["success"] is False
    assert off in str(answer["error"])
    assert digit(home, "memory", "prompt").out.count("═" * 46) == 2, "what is off is in no prompt"
    async with running(home, (140, 30)) as (app, pilot):
        assert f"{label}" in screen_text(app).split("\n")[0]
        assert "turned off" in screen_text(app).split("\n")[0]
        library = app.library
        assert library is not None
        note = next(note for note in library.snapshot.notes if note.ref.document == document)
        app.main.notes.select(note.ref)
        for pressed in ("e", "d", "p", "m", "E"):
            await press(pilot, pressed)
            assert holds(screen_text(app), off)
            assert app.main.editor is None
            assert app.screen is app.main
        await press(pilot, "n", *"new", "ctrl+s")  # goes to the store that is on
        await press(pilot, "exclamation_mark")
        assert holds(screen_text(app), f"{file.name} exists and is left as")
    assert file.read_bytes() == raw
    assert (home / "memories" / f"{other.upper()}.md").read_bytes().endswith("\n§\nnew".encode())


# ---------------------------------------------------------------------------- F144


async def test_f144_files_of_almost_the_same_name_are_named_and_not_read(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", user=b"u")
    strays = ("memory.md", "Memory.md", "USER.sync-conflict-20260101-120000-ABCDEFG.md")
    for name in strays:
        (home / "memories" / name).write_bytes(b"stray note")
    before = tree(home)
    listed = digit(home, "memory", "list").out
    assert "stray" not in listed
    assert len(listed.splitlines()) == 2
    for name in strays:
        assert f"{name} lies beside the memory files" in digit(home, "memory", "status").out
    assert digit(home, "memory", "add", "two").code == 0
    async with running(home, (140, 30)) as (app, pilot):
        assert "stray note" not in screen_text(app)
        await press(pilot, "exclamation_mark")
        for name in strays:
            assert holds(screen_text(app), f"{name} lies beside the memory files")
        await press(pilot, "escape", "e", "!", "ctrl+s")
    assert memory_file(home).read_bytes() == joined("one!", "two")
    for name in strays:
        assert (home / "memories" / name).read_bytes() == before[f"memories/{name}"]
