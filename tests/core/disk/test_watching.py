"""The watcher beside its faults: links, changing names, and a clean end."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from digit_core.disk.watching import Timing, Watcher

CORE = Path(__file__).resolve().parents[3] / "core"
EVENTS_ONLY = Timing(unproven=60, proven=60)


def test_a_link_and_what_it_leads_to_are_both_watched(tmp_path: Path) -> None:
    home, notes = tmp_path / ".digit", tmp_path / "notes"
    home.mkdir()
    notes.mkdir()
    (notes / "M.md").write_bytes(b"old")
    (home / "MEMORY.md").symlink_to(notes / "M.md")
    changed = threading.Event()
    watcher = Watcher(home, [home / "MEMORY.md"], changed.set, timing=EVENTS_ONLY)
    watcher.start()
    try:
        assert watcher.wait_until_ready()
        (notes / "M.md").write_bytes(b"edited in its own place")
        assert changed.wait(2)
        changed.clear()
        (home / "MEMORY.md").unlink()
        (home / "MEMORY.md").write_bytes(b"no link any more")
        assert changed.wait(2)
    finally:
        watcher.stop()


def test_names_may_change_their_mind(tmp_path: Path) -> None:
    names = [tmp_path / "a"]
    changed = threading.Event()
    watcher = Watcher(tmp_path, lambda: names, changed.set, timing=EVENTS_ONLY)
    watcher.start()
    try:
        assert watcher.wait_until_ready()
        names.append(tmp_path / "b")
        (tmp_path / "b").write_bytes(b"")
        watcher.check_now()
        assert changed.wait(2)
        changed.clear()
        (tmp_path / "b").write_bytes(b"told of by now")
        assert changed.wait(2)
    finally:
        watcher.stop()


def test_a_change_between_start_and_the_first_watch_is_not_lost(tmp_path: Path) -> None:
    changed = threading.Event()
    for number in range(5):
        watcher = Watcher(tmp_path, [tmp_path / "a"], changed.set, timing=EVENTS_ONLY)
        watcher.start()
        (tmp_path / "a").write_bytes(b"x" * number)
        assert changed.wait(5)
        changed.clear()
        watcher.stop()


def test_stopping_ends_every_thread_and_may_come_at_any_time(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    never = Watcher(tmp_path, [], lambda: None)
    never.stop()
    at_once = Watcher(tmp_path, [tmp_path / "a"], lambda: None)
    at_once.start()
    at_once.start()
    at_once.stop()
    at_once.stop()
    stopped = threading.Event()

    def stop_from_within() -> None:
        inside.stop()
        stopped.set()

    inside = Watcher(tmp_path, [tmp_path / "a"], stop_from_within, timing=EVENTS_ONLY)
    inside.start()
    (tmp_path / "a").write_bytes(b"x")
    assert stopped.wait(5)
    inside.stop()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) == before


def test_a_program_that_forgets_to_stop_it_still_ends(tmp_path: Path) -> None:
    source = (
        "import sys, threading\nfrom pathlib import Path\nfrom digit_core.disk.watching import Watcher\n"
        "watcher = Watcher(Path(sys.argv[1]), [Path(sys.argv[1], 'a')], lambda: None)\n"
        "watcher.start(); print(watcher.wait_until_ready(), all(t.daemon for t in threading.enumerate()[1:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", source, str(tmp_path)],
        env={"PYTHONPATH": str(CORE)},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("True True\n", "", 0)


def test_watchdog_is_imported_only_when_something_is_watched() -> None:
    source = "import sys, digit_core.disk.watching; print('watchdog' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", source],
        env={"PYTHONPATH": str(CORE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
