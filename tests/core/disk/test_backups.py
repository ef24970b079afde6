"""Backups: exact bytes, each content once, and the rule of what stays."""

from __future__ import annotations

import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.disk.backups import Backups, _file_name, _quoted, _unquoted
from digit_core.errors import ReadFailed

DAY = 86_400.0
NOON = time.mktime((2026, 7, 1, 12, 0, 0, 0, 0, -1))


class Clock:
    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def backups(tmp_path: Path, clock: Clock) -> Backups:
    return Backups(tmp_path / "digit-tui" / "backups", clock)


def contents(backups: Backups, document: str = "memory") -> list[bytes]:
    return [backups.read(copy.id) for copy in backups.list(document)]


def test_a_copy_is_exact_private_and_named_for_good(backups: Backups) -> None:
    data = b"\xef\xbb\xbfA\r\n\xc2\xa7\r\n\xff  "
    copy = backups.keep("memory", data)
    assert backups.read(copy.id) == data
    assert (copy.document, copy.at, copy.first, copy.size) == ("memory", NOON, NOON, len(data))
    assert copy.path.read_bytes() == data
    assert stat.S_IMODE(copy.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.path.parent.stat().st_mode) == 0o700
    assert backups.list() == (copy,)


def test_the_empty_file_has_a_copy_too(backups: Backups) -> None:
    assert backups.read(backups.keep("memory", b"").id) == b""


def test_each_document_has_its_own_and_the_newest_comes_first(backups: Backups, clock: Clock) -> None:
    for number, document in enumerate(["memory", "user", "memory", "user:a.b-c%d"]):
        clock.now += 1
        backups.keep(document, b"%d" % number)
    assert [copy.document for copy in backups.list()] == ["user:a.b-c%d", "memory", "user", "memory"]
    assert contents(backups) == [b"2", b"0"]
    backups.keep("user", b"2")  # the same bytes in another document are another copy
    assert contents(backups, "user") == [b"2", b"1"]


def test_a_content_that_comes_back_is_the_newest_again_under_its_old_id(
    backups: Backups, clock: Clock
) -> None:
    first = backups.keep("memory", b"A")
    clock.now += 60
    backups.keep("memory", b"B")
    clock.now += 60
    again = backups.keep("memory", b"A")
    assert (again.id, again.first, again.at) == (first.id, NOON, NOON + 120)
    assert contents(backups) == [b"A", b"B"]


def test_a_damaged_copy_is_said_and_made_anew(backups: Backups) -> None:
    copy = backups.keep("memory", b"A")
    copy.path.write_bytes(b"a")
    with pytest.raises(ReadFailed, match="is damaged"):
        backups.read(copy.id)
    assert backups.read(backups.keep("memory", b"A").id) == b"A"
    with pytest.raises(ReadFailed, match="no backup nothing"):
        backups.read("nothing")


def test_removing(backups: Backups) -> None:
    copy = backups.keep("memory", b"A")
    assert backups.remove(copy.id)
    assert not backups.remove(copy.id)
    assert backups.list() == ()


def test_five_newest_stay_and_the_first_of_a_burst(backups: Backups, clock: Clock) -> None:
    for number in range(20):
        backups.keep("memory", b"%d" % number)
        clock.now += 30
    assert contents(backups) == [b"19", b"18", b"17", b"16", b"15", b"0"]
    clock.now += 600
    for number in range(20, 30):
        backups.keep("memory", b"%d" % number)
        clock.now += 30
    assert contents(backups) == [b"29", b"28", b"27", b"26", b"25", b"20", b"0"]


def test_the_first_of_a_day_stays_for_thirty_days(backups: Backups, clock: Clock) -> None:
    for number in range(40):
        backups.keep("memory", b"%d" % number)
        clock.now += DAY
    clock.now -= DAY
    backups.prune()
    assert contents(backups) == [b"%d" % number for number in range(39, 8, -1)]
    clock.now += 100 * DAY
    backups.prune()
    assert contents(backups) == [b"39", b"38", b"37", b"36", b"35"]


def test_a_long_burst_keeps_one_in_ten_minutes_and_the_first_after_midnight(
    backups: Backups, clock: Clock
) -> None:
    clock.now = time.mktime((2026, 7, 1, 23, 57, 0, 0, 0, -1))
    for number in range(20):
        backups.keep("memory", b"%d" % number)
        clock.now += 60
    assert contents(backups)[5:] == [b"13", b"3", b"0"]
    assert backups.prune() == ()


def test_the_cap_on_bytes_falls_on_the_oldest_but_never_on_the_newest(tmp_path: Path, clock: Clock) -> None:
    backups = Backups(tmp_path / "backups", clock, max_total=250)
    backups.keep("user", b"u" * 300)
    for number in range(4):
        clock.now += 1
        backups.keep("memory", b"%d" % number * 100)
    assert contents(backups) == [b"3" * 100, b"2" * 100]
    assert contents(backups, "user") == [b"u" * 300]


def test_pruning_never_deletes_the_newest_good_copy(backups: Backups, clock: Clock) -> None:
    backups.keep("memory", b"good")
    clock.now += 1
    for number in range(8):
        backups.keep("memory", b"%d" % number)
    for copy in backups.list():
        if copy.size == 1:
            copy.path.write_bytes(b"")
    clock.now += 365 * DAY
    backups.prune()
    assert contents_of_sound(backups) == [b"good"]


def contents_of_sound(backups: Backups) -> list[bytes]:
    return [data for copy in backups.list() if (data := copy.path.read_bytes())]


def test_strange_files_in_the_folder_are_left_alone(backups: Backups) -> None:
    copy = backups.keep("memory", b"A")
    strange = [
        copy.path.with_name(name) for name in ("notes.bak", "1.2.3.bak", "x.1.2.memory.ab.bak", "7.txt")
    ]
    for path in strange:
        path.write_bytes(b"")
    assert backups.list() == (copy,)
    backups.prune()
    assert all(path.exists() for path in strange)


def test_copies_that_hold_a_text_as_whole_lines(backups: Backups) -> None:
    holding = [
        backups.keep("memory", data).id
        for data in (
            b"secret (1)\nsecond line",
            b"\xef\xbb\xbf  secret (1)\r\nsecond line  \r\n\xc2\xa7\r\nB",
        )
    ]
    for other in (b"my secret (1)\nsecond line", b"secret (1)", b"secret 1\nsecond line"):
        backups.keep("memory", other)
    assert sorted(copy.id for copy in backups.holding("secret (1)\nsecond line")) == sorted(holding)


def test_no_folder_is_no_backups(backups: Backups) -> None:
    assert backups.list() == ()
    assert backups.prune() == ()
    assert backups.holding("x") == ()


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_every_document_name_survives_the_file_name(name: str) -> None:
    assert _unquoted(_quoted(name)) == name
    assert _file_name(1, 0.0, 0.0, name, "d").count(".") == 5
