"""What is printed: tables, JSON, and streams that cannot take it."""

from __future__ import annotations

import errno
import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from digit_core.text.measure import width
from digit_core.text.visible import has_hidden
from digit_tui import times
from digit_tui.cli import output
from digit_tui.cli.output import Output, cells, json_text, table

TEXTS = st.text(max_size=30)


@given(
    st.recursive(
        TEXTS | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
    )
)
def test_json_means_the_same_and_hides_nothing(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert not has_hidden(text)
    text.encode("utf-8")
    assert json.loads(json_text(value, ascii_only=True)) == value
    assert json_text(value, ascii_only=True).isascii()


@given(st.lists(st.tuples(TEXTS, TEXTS, st.just("end")), min_size=1))
def test_columns_line_up_whatever_is_in_them(rows: list[tuple[str, str, str]]) -> None:
    shown = [tuple(cells(cell) for cell in row) for row in rows]
    lines = table(shown, right=frozenset({1}))
    assert len(lines) == len(rows)
    assert len({width(line.removesuffix("end")) for line in lines}) == 1


def test_bytes_that_are_no_text_are_marked_in_json() -> None:
    value = {"a\udce9": ["\udc80\ud83d", "fine"]}
    for ascii_only in (False, True):
        text = json_text(value, ascii_only=ascii_only)
        assert json.loads(text) == {"a\ufffd": ["\ufffd\ufffd", "fine"]}
        json.loads(text)["a\ufffd"][0].encode("utf-8")


def test_a_terminal_gets_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("id", "a long title that goes on"), ("id2", "整理论文和更新README")]
    assert table(rows)[0].endswith("goes on")
    monkeypatch.setattr(output, "_columns", lambda: 20)
    lines = table(rows)
    assert lines[0] == "id   a long title t…"
    assert all(cell_len(line) <= 20 for line in lines)
    assert table([]) == []


class Full(io.StringIO):
    """A stream on a disk without room, or with nobody at the other end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def flush(self) -> None:
        raise OSError(self.number, "No space left on device")


def test_output_that_is_lost_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Full(errno.ENOSPC))
    out = Output()
    out.line("data")
    assert (out.code(0), out.code(4)) == (1, 4)
    assert "could not be written: No space left on device" in capsys.readouterr().err


def test_a_reader_that_has_gone_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Full(errno.EPIPE))
    monkeypatch.setattr(sys, "stderr", Full(errno.EPIPE))
    out = Output()
    out.lines(["data"])
    out.say("words")
    assert out.code(0) == 0


def test_streams_that_are_not_there_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    out = Output(json=True)
    out.line("data")
    out.fail("io", "words")
    assert out.code(0) == 0
    assert table([("a", "b")]) == ["a  b"]


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("koi8-r", "S кофе ? -> ..."), ("ascii", "S ???? ? -> ..."), ("utf-8", "§ кофе 整 → …")],
)
def test_a_terminal_of_another_encoding_gets_signs_that_it_has(
    encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(raw, encoding=encoding))
    Output().line("§ кофе 整 → …")
    assert raw.getvalue().decode(encoding) == shown + "\n"
    if encoding != "utf-8":
        Output(json=True).data("кофе")
        assert raw.getvalue().endswith(b'"\\u043a\\u043e\\u0444\\u0435"\n')


def test_stamps_are_as_wide_as_each_other() -> None:
    assert {len(times.stamp(at)) for at in (0, 1.0, 1_790_000_000.0, 1e30)} == {16}
    assert times.stamp(1_790_000_000).startswith("2026-09-2")
