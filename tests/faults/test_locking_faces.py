"""Faults of the kind "Locking and concurrency" through the command line, the tool and the app."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from digit_core.disk.locking import lock_path
from digit_core.formats.document import parse
from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_tui.app import DigitApp
from digit_tui.cli import home as cli_home
from digit_tui.opening import Opening
from digit_tui.options import Options
from tests.digit_tui.driving import press, running, screen_text, settle
from tests.faults.faces import ToolFace, digit, holds, joined_one_line, opened, tree
from tests.faults.test_locking import HOLD, WINDOWS
from tests.storing import joined, memory_file

MakeHome = Callable[..., Path]
AsNobody = Callable[..., "subprocess.CompletedProcess[str]"]


SEES_HOLDERS = Path("/proc/locks").exists()


def python(source: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", source, *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    return out


# ---------------------------------------------------------------------------- F34, F35

RUN = "import sys\nfrom digit_tui.cli.entry import main_digit\n"


def test_f034_without_unix_locks_the_commands_start_and_read_and_write_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    source = (
        "import sys; sys.modules['fcntl'] = None\n" + RUN + "home = sys.argv[1]\n"
        "import digit_core.library, digit_core.memory.tool, digit_core.disk.watching\n"
        "print(main_digit(['memory', 'list', '--home', home]))\n"
        "print(main_digit(['memory', 'add', '--home', home, 'two']))\n"
    )
    process = python(source, home)
    out, err = process.communicate(timeout=60)
    assert [line for line in out.splitlines() if len(line) == 1] == ["0", "4"], err
    assert "one" in out
    assert "this system has no file locks" in err
    assert memory_file(home).read_bytes() == b"one"


def test_f035_the_first_writes_of_the_day_on_windows_all_succeed(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    lock_path(memory_file(home)).unlink(missing_ok=True)
    source = (
        WINDOWS + RUN + "home, name = sys.argv[1:]\n"
        "for number in range(10):\n"
        "    assert main_digit(['memory', 'add', '--home', home, f'{name} {number}']) == 0\n"
    )
    for process in [python(source, home, name) for name in ("a", "b")]:
        finish(process)
    texts = parse(memory_file(home).read_bytes()).texts
    assert sorted(texts) == sorted(["one", *(f"{name} {n}" for name in "ab" for n in range(10))])
    assert lock_path(memory_file(home)).read_bytes() == b" "


# ---------------------------------------------------------------------------- F37


@pytest.fixture
def held(make_home: MakeHome) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A home whose MEMORY.md another program has locked, as `flock MEMORY.md.lock sleep 120` does."""
    home = make_home(memory=joined("one", "two"))
    path = lock_path(memory_file(home))
    path.touch()
    command = [sys.executable, "-c", HOLD, str(path)]
    if tool := shutil.which("flock"):
        command = [tool, str(path), "sleep", "120"]
    holding = subprocess.Popen(command, start_new_session=True)
    try:
        while _is_free(path):
            if holding.poll() is not None:
                raise AssertionError("the program that holds the lock has ended")
        yield home, holding
    finally:
        if holding.poll() is None:
            os.killpg(holding.pid, 9)
        holding.wait()


def _is_free(path: Path) -> bool:
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@asynccontextmanager
async def waiting_for(home: Path, seconds: float) -> AsyncIterator[tuple[DigitApp, Pilot[int]]]:
    """The app on a home, giving a lock up after `seconds`."""

    def prepare() -> DigitApp:
        opening = Opening(lambda: Library(find_home(home=str(home)), lock_timeout=seconds))
        opening.wait()
        return DigitApp(opening, Options())

    app = await asyncio.to_thread(prepare)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        yield app, pilot
    if app.library is not None:
        await asyncio.to_thread(app.library.close)


async def shown(pilot: Pilot[int], words: str, seconds: float = 10.0) -> None:
    """Wait until the screen shows words, also while a save waits."""
    end = time.monotonic() + seconds
    while not holds(screen_text(pilot.app), words):
        assert time.monotonic() < end, screen_text(pilot.app)
        await pilot.pause(0.02)


async def test_f037_a_save_that_waits_is_said_given_up_and_keeps_the_text(
    held: tuple[Path, subprocess.Popen[bytes]],
) -> None:
    home, holding = held
    async with waiting_for(home, 1.5) as (app, pilot):
        await press(pilot, "e", "!")
        await pilot.press("ctrl+s")
        await shown(pilot, "Waiting for the lock")
        if SEES_HOLDERS:
            await shown(pilot, f"(pid {holding.pid})")
        await pilot.press(
            "x", "f1"
        )  # other keys: the app is alive, and no letter goes where it would be lost
        await shown(pilot, "What you can do here")
        await pilot.press("escape")
        await shown(pilot, "is locked; waited 1.5 s")
        await settle(pilot)
        assert typed(app) == "one!"
        assert memory_file(home).read_bytes() == joined("one", "two")
        let_go(holding)
        await press(pilot, "?", "ctrl+s")
        assert app.main.editor is None
    assert memory_file(home).read_bytes() == joined("one!?", "two")


async def test_f037_a_save_goes_on_when_the_lock_is_free(held: tuple[Path, subprocess.Popen[bytes]]) -> None:
    home, holding = held
    async with waiting_for(home, 20.0) as (app, pilot):
        await press(pilot, "e", "!")
        await pilot.press("ctrl+s")
        await shown(pilot, "Waiting for the lock")
        await pilot.press("x")
        assert typed(app) == "one!", "what is not saved must not look as if it were"
        let_go(holding)
        await settle(pilot)
        assert app.main.editor is None
    assert memory_file(home).read_bytes() == joined("one!", "two")


def typed(app: DigitApp) -> str | None:
    """What is in the editor; None when there is none."""
    return app.main.editor.text if app.main.editor is not None else None


def let_go(holding: subprocess.Popen[bytes]) -> None:
    """End the program that holds the lock."""
    os.killpg(holding.pid, 9)
    holding.wait()


async def test_f037_one_can_quit_while_a_save_waits(held: tuple[Path, subprocess.Popen[bytes]]) -> None:
    home, _ = held
    async with waiting_for(home, 60.0) as (app, pilot):
        await press(pilot, "e", "!")
        await pilot.press("ctrl+s")
        await shown(pilot, "Waiting for the lock")
        started = time.monotonic()
        await pilot.press("ctrl+q")
        await shown(pilot, "would be lost")
        await pilot.press("y")
        await pilot.pause(0.1)
        assert app.return_code == 0
        assert time.monotonic() - started < 5
    assert memory_file(home).read_bytes() == joined("one", "two")


def test_f037_the_command_line_says_who_it_waits_for_and_gives_up(
    held: tuple[Path, subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, holding = held
    monkeypatch.setattr(cli_home, "Library", partial(Library, lock_timeout=0.3))
    for words in (("add", "x"), ("replace", "one", "x"), ("remove", "one")):
        done = digit(home, "memory", *words)
        assert done.code == 1
        assert "Waiting for the lock" in done.err
        if SEES_HOLDERS:
            assert f"(pid {holding.pid})" in done.err
        assert "is locked; waited 0.3 s" in done.err
        assert "Nothing was written" in done.err
    assert digit(home, "memory", "list").code == 0
    assert memory_file(home).read_bytes() == joined("one", "two")


# ---------------------------------------------------------------------------- F38


@pytest.mark.parametrize("code", [errno.EBADF, errno.ENOLCK, errno.ENOTSUP])
async def test_f038_where_nothing_can_be_locked_every_face_reads_and_none_writes(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    home = make_home(memory=joined("one", "two"))
    before = tree(home)

    def flock(descriptor: int, operation: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", flock)
    assert "one" in digit(home, "memory", "list").out
    for name in ("store", "tool", "cli", *(["app"] if code == errno.ENOLCK else [])):
        async with opened(name, home) as face:
            for said in (await face.add("three"), await face.replace("one", "x"), await face.remove("two")):
                assert not said.ok
                assert holds(said.words, "Use a home on a local disk"), said.words
    assert "Use a home on a local disk" in digit(home, "memory", "forget", "--yes", "one").err
    assert {path: data for path, data in tree(home).items() if path in before} == before
    assert not [path for path in tree(home) if "history" in path or "backups" in path]


# ---------------------------------------------------------------------------- F42

WRITER = """
import sqlite3, sys, time
base = sqlite3.connect(sys.argv[1], isolation_level=None)
base.execute("PRAGMA journal_mode=WAL"); base.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, text)")
base.execute("INSERT INTO messages (text) VALUES ('first')")
print("writing", flush=True)
count = 1
import threading
done = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
while not done.wait(0.02):
    base.execute("INSERT INTO messages (text) VALUES ('more')"); count += 1
assert base.execute("SELECT count(*) FROM messages").fetchone() == (count,)
print(count, flush=True)
"""
AUDITED = """
import sys
opened = []
def hook(event, arguments):
    if event in ("open", "sqlite3.connect", "os.chmod", "os.rename", "os.remove", "os.truncate"):
        opened.append(" ".join(map(str, arguments)))
sys.addaudithook(hook)
from digit_tui.cli.entry import main_digit
home = sys.argv[1]
for _ in range(20):
    for verb in ("status", "list"):
        assert main_digit(["memory", verb, "--home", home]) == 0
assert main_digit(["memory", "add", "--home", home, "three"]) == 0
assert main_digit(["memory", "forget", "--yes", "--home", home, "three"]) == 0
touched = [one for one in opened if "state.db" in one]
print("touched", touched, file=sys.stderr)
"""


@pytest.fixture
def database(make_home: MakeHome) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A home whose state.db another program is writing to, in WAL mode."""
    home = make_home(memory=joined("one", "two"))
    command = [sys.executable, "-c", WRITER, str(home / "state.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"writing\n"
        yield home, writer


async def test_f042_a_database_that_is_being_written_is_never_opened(
    database: tuple[Path, subprocess.Popen[bytes]],
) -> None:
    home, writer = database
    base, wal = home / "state.db", home / "state.db-wal"
    before = (wal.stat().st_ino, base.stat().st_ino, base.stat().st_mode, base.stat().st_size)
    audited = python(AUDITED, home)
    _, err = await asyncio.to_thread(audited.communicate, timeout=60)
    assert audited.returncode == 0, err
    assert "touched []" in err
    for _ in range(2):
        async with running(home) as (_, pilot):
            await press(pilot, "exclamation_mark", "escape", "U", "escape", "e", "!", "ctrl+s", "z")
    assert (wal.stat().st_ino, base.stat().st_ino, base.stat().st_mode, base.stat().st_size) == before
    out, _ = await asyncio.to_thread(writer.communicate, timeout=30)
    assert writer.returncode == 0, "the writer failed"
    assert int(out) > 10


# ---------------------------------------------------------------------------- F43, F156

LOOKING = """
from pathlib import Path
from tests.faults.faces import digit
def look(home):
    print([digit(home, "memory", *words).code for words in (["list"], ["status"], ["prompt"], ["history"])])
    print(digit(home, "memory", "status").out.replace("\\n", " | "))
    done = digit(home, "memory", "add", "x")
    print(done.code, done.words.replace("\\n", " | "))
"""


def test_f043_a_home_that_may_be_read_and_not_written_is_said_at_the_start(
    make_home: MakeHome, as_nobody: AsNobody
) -> None:
    home = make_home(memory=joined("one", "two"), user=b"u")
    source = LOOKING + (
        "home = Path('.').absolute()\n"
        "for path in (home / 'memories/USER.md', home / 'memories', home):\n"
        "    path.chmod(path.stat().st_mode & 0o555)\n"
        "look(home)\n"
    )
    done = as_nobody(source, home, "import tests.faults.faces")
    for path in (home, home / "memories", home / "memories" / "USER.md"):
        path.chmod(path.stat().st_mode | 0o200)
    codes, status, added = done.stdout.splitlines()
    assert codes == "[0, 0, 0, 0]", done.stderr
    assert "read only" in status
    assert f"{home / 'memories'} may not be written (mode 0555, owner " in status
    assert added.startswith("4 ")
    assert f"{home / 'memories'} may not be written" in added
    assert "chmod u+w" in added


def test_f043_files_of_another_user_are_said_with_their_owner(
    make_home: MakeHome, as_nobody: AsNobody
) -> None:
    home = make_home(memory=joined("one", "two"), user=b"u")
    if os.geteuid() != 0:
        pytest.skip("needs two users; only root can have files of both")
    before = (
        "import os; from pathlib import Path; import tests.faults.faces\n"
        "os.chown('memories/MEMORY.md', 0, 0); os.chmod('memories/MEMORY.md', 0o644)\n"
    )
    source = LOOKING + (
        "home = Path('.').absolute()\n"
        "look(home)\n"
        "print(digit(home, 'memory', 'add', '--to', 'user', 'x').code)\n"
    )
    # The fixture gives everything to the other user, so the file is given back in the child, still as root.
    done = as_nobody("import os\n" + source, home, before)
    lines = done.stdout.splitlines()
    assert lines[0] == "[0, 0, 0, 0]", done.stderr
    assert f"{memory_file(home)} is read-only (mode 0644, owner root)" in lines[1]
    assert lines[2].startswith("4 ")
    assert "owner root" in lines[2]
    assert lines[3] == "0"  # what is ours goes on
    assert memory_file(home).read_bytes() == joined("one", "two")


async def test_f043_the_app_says_at_its_start_that_it_only_reads(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"))
    memory_file(home).chmod(0o444)  # for root too
    async with running(home, (100, 30)) as (app, pilot):
        assert "read only" in screen_text(app).split("\n")[0]
        for key in ("e", "d", "p"):
            await press(pilot, key)
            assert holds(screen_text(app), "is read-only (mode 0444, owner")
            assert app.main.editor is None
            assert app.screen is app.main
        await press(pilot, "exclamation_mark")
        assert holds(screen_text(app), f"{memory_file(home)} is read-only")
    assert memory_file(home).read_bytes() == joined("one", "two")


CLOSED = (
    "skills",
    "skills/one",
    "pending",
    "state.db",
    "digit-tui/backups",
    "digit-tui/history.jsonl",
    "digit-tui/config.last-good.yaml",
    "memories/USER.md",
    "profiles",
)


CLOSE_EACH = """
import json
from pathlib import Path
from tests.faults.faces import digit
answers = {}
for number, place in enumerate(CLOSED):
    home = Path(f"home{number}/.digit").absolute()
    closed = home / place
    mode = closed.stat().st_mode
    closed.chmod(0)
    looks = (["list", "--store", "memory"], ["show", "one"], ["status"], ["prompt"], ["backups"])
    answers[place] = {
        "looks": [digit(home, "memory", *words).code for words in looks],
        "config": digit(home, "config", "list").code,
        "status": digit(home, "memory", "status").out,
        "added": digit(home, "memory", "add", "four"),
        "forgotten": digit(home, "memory", "forget", "--yes", "two"),
    }
    closed.chmod(mode)
print(json.dumps(answers))
"""


def test_f156_one_closed_place_closes_nothing_else(make_home: MakeHome, as_nobody: AsNobody) -> None:
    homes = [
        make_home(memory=joined("one", "two"), user=b"u", name=f"homes/home{number}/.digit")
        for number in range(len(CLOSED))
    ]
    for home in homes:
        assert digit(home, "memory", "add", "three").code == 0
        for folder in ("skills/one", "pending/memory", "profiles/a"):
            (home / folder).mkdir(parents=True)
        (home / "skills" / "broken").symlink_to("nowhere")
        (home / "memories" / ("n" * 250 + ".md")).write_bytes(b"long name")
        for file in ("state.db", "skills/one/SKILL.md", "digit-tui/config.last-good.yaml"):
            (home / file).write_bytes(b"x")
    done = as_nobody(f"CLOSED = {CLOSED!r}\n{CLOSE_EACH}", homes[0].parents[1], "import tests.faults.faces")
    assert done.returncode == 0, done.stderr[-3000:]
    for home, (place, answer) in zip(homes, json.loads(done.stdout).items(), strict=True):
        # What was asked of both stores ends honestly when one of them cannot be read; all else is as ever.
        asked_of_both = [0, 1, 0, 1, 0] if place == "memories/USER.md" else [0, 0, 0, 0, 0]
        assert answer["looks"] == asked_of_both, place
        assert answer["config"] == 0, place
        code, _, err = answer["added"]
        if place == "digit-tui/backups":
            assert code == 4
            assert "No backup could be kept" in err
        else:
            assert (code, place) == (0, place)
        if place == "memories/USER.md":
            assert f"{home / place} may not be read (mode 0000" in answer["status"]
        assert memory_file(home).read_bytes().startswith("one\n§\n".encode())


def test_f156_a_closed_parent_is_named(make_home: MakeHome, as_nobody: AsNobody) -> None:
    home = make_home(memory=b"one", name="deep/.digit")
    source = (
        "from pathlib import Path\nfrom tests.faults.faces import digit\n"
        "home = Path('deep/.digit').absolute()\n"
        "home.parent.chmod(0)\n"
        "for words in (('memory', 'status'), ('memory', 'add', 'x'), ('config', 'list')):\n"
        "    done = digit(home, *words); print(done.code, done.err.replace('\\n', ' '))\n"
        "home.parent.chmod(0o755)\n"
    )
    done = as_nobody(source, home.parent.parent, "import tests.faults.faces")
    lines = done.stdout.splitlines()
    assert len(lines) == 3, done.stderr
    for line in lines:
        assert line.startswith("1 ")
        assert f"{home.parent} may not be entered (mode 0000" in line


async def test_f156_the_app_shows_the_other_store_when_one_is_closed(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"))
    (home / "memories" / "USER.md").mkdir()  # closed for root as well
    async with running(home, (100, 30)) as (app, pilot):
        assert "unreadable" in screen_text(app).split("\n")[0]
        assert holds(screen_text(app), "is a folder, not a file")
        await press(pilot, "e", "!", "ctrl+s")
        assert memory_file(home).read_bytes() == joined("one!", "two")
        await press(pilot, "z")
        assert memory_file(home).read_bytes() == joined("one", "two")
        await press(pilot, "m")
        assert "USER is unreadable" in joined_one_line(screen_text(app))
    assert ToolFace(home).tool.call(action="add", target="user", content="x")["success"] is False
