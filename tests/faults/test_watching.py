"""Faults 134–139, 141 and 142 at the level of the watcher."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from digit_core.disk.watching import Timing, Watcher
from digit_core.disk.writing import write_atomically

EVENTS_ONLY = Timing(unproven=60, proven=60)
"""No look but those that events ask for: what is seen was told."""


class Changes:
    """Counts the calls of `on_change` and remembers what the files held at each."""

    def __init__(self, *paths: Path) -> None:
        self.paths = paths
        self.seen: list[tuple[bytes | None, ...]] = []
        self.threads: set[str] = set()
        self._called = threading.Condition()

    def __call__(self) -> None:
        with self._called:
            self.threads.add(threading.current_thread().name)
            self.seen.append(tuple(path.read_bytes() if path.exists() else None for path in self.paths))
            self._called.notify_all()

    def wait_until(self, *contents: bytes | None) -> None:
        """Until the last call saw these contents; two seconds at most."""
        with self._called:
            assert self._called.wait_for(lambda: bool(self.seen) and self.seen[-1] == contents, 2), self.seen


class FakeObserver:
    """An observer that tells what the test tells it to, or fails as the test wants."""

    def __init__(self, fail_at: str = "", code: int = 0) -> None:
        self.handler: Any = None
        self.folders: list[str] = []
        self.alive = False
        self._fail_at = fail_at
        self._code = code

    def _maybe_fail(self, step: str) -> None:
        if step == self._fail_at:
            raise OSError(self._code, os.strerror(self._code))

    def schedule(self, event_handler: Any, path: str) -> str:  # noqa: ANN401
        self._maybe_fail("schedule")
        self.handler = event_handler
        self.folders.append(path)
        return path

    def unschedule(self, watch: str) -> None:
        self.folders.remove(watch)

    def start(self) -> None:
        self._maybe_fail("start")
        self.alive = True

    def stop(self) -> None:
        self.alive = False

    def join(self, timeout: float | None = None) -> None:
        assert not self.alive

    def is_alive(self) -> bool:
        return self.alive

    def tell(self, kind: str, source: Path | str, target: Path | str = "") -> None:
        self.handler.dispatch(FakeEvent(kind, str(source), str(target)))


class FakeEvent:
    def __init__(self, event_type: str, src_path: str, dest_path: str) -> None:
        self.event_type = event_type
        self.src_path = src_path
        self.dest_path = dest_path


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = (tmp_path / ".digit" / "memories" / "MEMORY.md").resolve()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"old")
    return path


Watch = Callable[..., Watcher]


@pytest.fixture
def watch(memory: Path) -> Iterator[Watch]:
    """Start a watcher of the home and wait until it is ready; it and its threads are gone after the test."""
    before = set(threading.enumerate())
    started: list[Watcher] = []

    def start(on_change: Callable[[], None], names: Any = None, **options: Any) -> Watcher:  # noqa: ANN401
        watcher = Watcher(memory.parent.parent, names or [memory], on_change, **options)
        started.append(watcher)
        watcher.start()
        assert watcher.wait_until_ready()
        return watcher

    yield start
    for watcher in started:
        watcher.stop()
    assert set(threading.enumerate()) == before


def shell(command: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        subprocess.run(["/bin/sh", "-c", command], cwd=path.parent, check=True)

    return run


WAYS = {
    "vim": "vim -u NONE -N -es -c '%s/$/+/' -c wq MEMORY.md",
    "sed": "sed -i.orig 's/$/+/' MEMORY.md",
    "mv": "(cat MEMORY.md; printf +) > new && mv new MEMORY.md",
    "cp": "(cat MEMORY.md; printf +) > new && cp new MEMORY.md",
    "append": "printf + >> MEMORY.md",
    "syncthing": "(cat MEMORY.md; printf +) > .syncthing.MEMORY.md.tmp && mv .syncthing.MEMORY.md.tmp MEMORY.md",
    "from elsewhere": "(cat MEMORY.md; printf +) > ../../new && mv ../../new MEMORY.md",
    "delete and write": "(cat MEMORY.md; printf +) > new && rm MEMORY.md && cat new > MEMORY.md",
}


@pytest.mark.parametrize("way", WAYS)
def test_f134_every_way_to_save_is_seen_twice_in_a_row(memory: Path, watch: Watch, way: str) -> None:
    program = WAYS[way].split()[0]
    if program in ("vim", "sed") and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    changes = Changes(memory)
    watcher = watch(changes, timing=EVENTS_ONLY)
    for _ in range(2):
        before = memory.read_bytes()
        shell(WAYS[way])(memory)
        after = memory.read_bytes()
        assert after != before
        changes.wait_until(after)
    assert (watcher.state, watcher.notice) == ("events", None)
    assert (None,) not in changes.seen
    assert changes.threads == {"digit-watcher"}


def test_f135_our_own_save_does_not_end_the_watch(memory: Path, watch: Watch) -> None:
    changes = Changes(memory)
    watch(changes, timing=EVENTS_ONLY)
    for number in range(3):
        write_atomically(memory, b"ours %d" % number)
        changes.wait_until(b"ours %d" % number)
        memory.write_bytes(b"theirs %d" % number)
        changes.wait_until(b"theirs %d" % number)


@pytest.mark.parametrize("company", [False, True])
def test_f136_both_ends_of_a_move_count(memory: Path, watch: Watch, company: bool) -> None:
    if company:
        for number in range(50):
            memory.with_name(f"note-{number}.md").write_bytes(b"x")
    changes = Changes(memory)
    watch(changes, timing=EVENTS_ONLY)
    memory.with_name(".MEMORY.md.tmp123").write_bytes(b"new")
    memory.with_name(".MEMORY.md.tmp123").rename(memory)
    changes.wait_until(b"new")
    memory.rename(memory.with_name("MEMORY.bak"))
    changes.wait_until(None)
    memory.with_name("MEMORY.bak").rename(memory)
    changes.wait_until(b"new")


def test_f136_a_move_is_told_by_either_of_its_ends(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watch(changes, observer_factory=lambda: observer, timing=EVENTS_ONLY)
    memory.with_name(".MEMORY.md.tmp123").write_bytes(b"new")
    memory.with_name(".MEMORY.md.tmp123").rename(memory)
    observer.tell("moved", memory.with_name(".MEMORY.md.tmp123"), memory)
    changes.wait_until(b"new")
    memory.rename(memory.with_name("MEMORY.bak"))
    observer.tell("moved", memory, memory.with_name("MEMORY.bak"))
    changes.wait_until(None)


@pytest.mark.parametrize("code", [errno.EMFILE, errno.ENOSPC])
@pytest.mark.parametrize("step", ["make", "start", "schedule"])
def test_f137_no_watches_left_means_polling_said_once(
    memory: Path, watch: Watch, step: str, code: int
) -> None:
    def factory() -> FakeObserver:
        if step == "make":
            raise OSError(code, os.strerror(code))
        return FakeObserver(step, code)

    changes = Changes(memory)
    notices: list[str] = []
    watcher = watch(changes, observer_factory=factory, poll_interval=0.02, on_notice=notices.append)
    assert watcher.state == "polling"
    memory.write_bytes(b"new")
    changes.wait_until(b"new")
    write_atomically(memory, b"newer")
    changes.wait_until(b"newer")
    assert notices == [watcher.notice]
    assert "gives no more watches" in notices[0]
    assert os.strerror(code) in notices[0]


def test_f137_an_observer_that_ends_means_polling(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watcher = watch(changes, observer_factory=lambda: observer, timing=Timing(poll=0.02, unproven=0.02))
    observer.alive = False
    memory.write_bytes(b"new")
    changes.wait_until(b"new")
    assert watcher.state == "polling"


def test_f138_a_folder_without_events_is_found_out_and_polled(memory: Path, watch: Watch) -> None:
    changes = Changes(memory)
    noticed = threading.Event()
    notices: list[str] = []

    def notice(text: str) -> None:
        notices.append(text)
        noticed.set()

    watcher = watch(
        changes,
        observer_factory=FakeObserver,
        on_notice=notice,
        timing=Timing(poll=0.02, unproven=0.05, late=0.01),
    )
    assert watcher.notice is None
    memory.write_bytes(b"new")
    changes.wait_until(b"new")
    assert noticed.wait(2)
    assert watcher.state == "polling"
    memory.write_bytes(b"newer")
    changes.wait_until(b"newer")
    assert len(notices) == 1
    assert "does not report changes" in notices[0]


def test_f138_the_refresh_key_always_works(memory: Path, watch: Watch) -> None:
    changes = Changes(memory)
    watcher = watch(changes, observer_factory=FakeObserver, timing=EVENTS_ONLY)
    memory.write_bytes(b"new")
    watcher.check_now()
    changes.wait_until(b"new")
    assert watcher.state == "events"


def test_f138_an_observer_that_tells_is_trusted_and_looked_after_less(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watcher = watch(
        changes, observer_factory=lambda: observer, timing=Timing(unproven=60, proven=0.02, late=0.5)
    )
    memory.write_bytes(b"told")
    observer.tell("modified", memory)
    changes.wait_until(b"told")
    # From here on the looks of a proven observer come; one of them may be a little earlier than the event.
    memory.write_bytes(b"found first")
    changes.wait_until(b"found first")
    observer.tell("modified", memory)
    memory.write_bytes(b"told again")
    observer.tell("modified", memory)
    changes.wait_until(b"told again")
    assert watcher.state == "events"


def test_f139_five_events_are_one_reload(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watch(changes, observer_factory=lambda: observer, timing=EVENTS_ONLY)
    memory.write_bytes(b"new")
    for _ in range(5):
        observer.tell("modified", memory)
    changes.wait_until(b"new")
    memory.write_bytes(b"newer")
    observer.tell("modified", memory)
    changes.wait_until(b"newer")
    assert changes.seen == [(b"new",), (b"newer",)]


def test_f139_deleted_then_created_is_never_a_flash_of_nothing(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watch(changes, observer_factory=lambda: observer, timing=EVENTS_ONLY)
    memory.unlink()
    observer.tell("deleted", memory)
    threading.Event().wait(0.02)  # longer than events take to settle, shorter than a file must be gone
    memory.write_bytes(b"new")
    observer.tell("created", memory)
    changes.wait_until(b"new")
    memory.unlink()
    observer.tell("deleted", memory)
    changes.wait_until(None)
    memory.write_bytes(b"back")
    observer.tell("created", memory)  # created only
    changes.wait_until(b"back")
    assert changes.seen == [(b"new",), (None,), (b"back",)]


def test_f139_events_for_what_is_not_there_change_nothing(memory: Path, watch: Watch) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    watch(
        changes, [memory, memory.with_name("USER.md")], observer_factory=lambda: observer, timing=EVENTS_ONLY
    )
    observer.tell("modified", memory.with_name("USER.md"))
    observer.tell("deleted", memory.with_name("USER.md"))
    observer.tell("moved", memory.with_name("nothing"), memory.with_name("USER.md"))
    observer.tell("deleted", memory.parent)
    memory.write_bytes(b"new")
    observer.tell("modified", memory)
    changes.wait_until(b"new")
    assert changes.seen == [(b"new",)]


def test_f141_reading_and_touching_nothing_never_reload(memory: Path, watch: Watch) -> None:
    changes = Changes(memory)
    watch(changes)
    for _ in range(50):
        memory.read_bytes()
        list(memory.parent.iterdir())
        os.utime(memory, ns=(0, memory.stat().st_mtime_ns))  # as if only read
        memory.with_name("other.md").write_bytes(b"x")
    memory.write_bytes(b"new")
    changes.wait_until(b"new")
    assert changes.seen == [(b"new",)]


@pytest.mark.parametrize("kind", ["closed", "moved"])
def test_a_save_that_is_told_to_be_over_is_looked_at_at_once(memory: Path, watch: Watch, kind: str) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    never = Timing(unproven=600, proven=600, settle=600)
    watch(changes, observer_factory=lambda: observer, timing=never)
    for content in (b"new", b"newer"):
        memory.write_bytes(content)
        observer.tell("modified", memory.parent)
        observer.tell("modified", memory)
        observer.tell(kind, memory if kind == "closed" else memory.with_name(".mem_1.tmp"), memory)
        changes.wait_until(content)


@pytest.mark.parametrize("kind", ["opened", "closed_no_write"])
def test_f141_events_of_reading_do_not_even_cause_a_look(memory: Path, watch: Watch, kind: str) -> None:
    observer = FakeObserver()
    changes = Changes(memory)
    asked = 0

    def names() -> list[Path]:
        nonlocal asked
        asked += 1
        return [memory]

    watch(changes, names, observer_factory=lambda: observer, timing=EVENTS_ONLY)
    memory.write_bytes(b"new")
    observer.tell("modified", memory)
    changes.wait_until(b"new")
    threading.Event().wait(0.1)  # the look at that is over
    before = asked
    for _ in range(10):
        observer.tell(kind, memory)
        threading.Event().wait(0.02)  # longer than events take to settle
    assert asked == before
    memory.write_bytes(b"newer")
    observer.tell("modified", memory)
    changes.wait_until(b"newer")


def test_f142_folders_that_appear_later_are_watched(tmp_path: Path, watch: Watch) -> None:
    home = tmp_path / ".digit"
    shutil.rmtree(home / "memories")
    memory = home / "memories" / "MEMORY.md"
    pending = home / "pending" / "memory" / "0a1b.json"
    skill = home / "skills" / "new" / "x" / "SKILL.md"
    changes = Changes(memory, pending, skill)
    watch(changes, [memory, pending, skill], timing=EVENTS_ONLY)
    for path in (memory, pending, skill):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"first")
    changes.wait_until(b"first", b"first", b"first")
    for path in (memory, pending, skill):
        path.write_bytes(b"second")
    changes.wait_until(b"second", b"second", b"second")


def test_f142_a_folder_that_is_replaced_is_watched_again(memory: Path, watch: Watch) -> None:
    changes = Changes(memory)
    watch(changes, timing=EVENTS_ONLY)
    for number in range(3):
        shutil.rmtree(memory.parent)
        changes.wait_until(None)
        memory.parent.mkdir()
        memory.write_bytes(b"%d" % number)
        changes.wait_until(b"%d" % number)
        memory.write_bytes(b"%d again" % number)
        changes.wait_until(b"%d again" % number)
