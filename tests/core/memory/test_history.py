from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.disk.appending import lines_backwards
from digit_core.errors import ReadFailed
from digit_core.memory import history as module
from digit_core.memory.changes import Principal
from digit_core.memory.history import FileChange, History, Record, Step


def record(id: str, text: str = "text", document: str = "memory") -> Record:
    files = {document: FileChange("", f"after-{id}", None)}
    return Record(id, 1.5, Principal.PERSON, "", f"Added {id}", (Step(document, None, text, ""),), files)


def test_what_is_appended_is_read_back(tmp_path: Path) -> None:
    history = History(tmp_path)
    assert history.records() == () and history.head("memory") is None
    one, two = record("1", "  line\u2028 \udcff\n§"), record("2", document="user")
    history.append([one])
    assert history.records() == (one,)
    history.append([two])
    assert history.records() == (one, two) == History(tmp_path).records()
    assert (history.head("memory"), history.head("user")) == ("after-1", "after-2")


def test_a_torn_line_costs_only_itself(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.append([record("1")])
    with history.path.open("ab") as file:
        file.write(b'{"id":"torn","at":1')
    assert history.records() == (record("1"),) and history.torn == 0
    assert history.head("memory") == "after-1"
    history.append([record("2")])
    assert history.records() == (record("1"), record("2")) and history.torn == 1


@pytest.mark.parametrize("line", [b"", b"null", b"[]", b'{"id":1}', b"\xff\xfe", b'{"steps":[[1,2]]}'])
def test_lines_that_are_no_records_are_left_out(tmp_path: Path, line: bytes) -> None:
    history = History(tmp_path)
    history.append([record("1")])
    with history.path.open("ab") as file:
        file.write(line + b"\n")
    history.append([record("2")])
    assert history.records() == (record("1"), record("2"))
    assert history.head("memory") == "after-2"


def test_a_history_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.path.mkdir()
    with pytest.raises(ReadFailed):
        history.records()


def test_only_what_is_new_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = History(tmp_path)
    history.append([record(str(number)) for number in range(500)])
    assert len(history.records()) == 500
    parsed: list[bytes] = []

    def spy(line: bytes) -> Record | None:
        parsed.append(line)
        return real(line)

    real = module._parsed
    monkeypatch.setattr(module, "_parsed", spy)
    history.append([record("new")])
    assert len(history.records()) == 501 and len(parsed) == 1


def test_forgetting_takes_texts_and_keeps_marks(tmp_path: Path) -> None:
    history = History(tmp_path)
    neighbour = record("3")._replace(steps=(Step("memory", None, "other", "secret"),))
    history.append([record("1"), record("2", "secret"), neighbour])
    assert history.forget(lambda text: text == "secret", record("mark", "-")) == 2
    kept = history.records()
    assert [one.id for one in kept] == ["1", "2", "3", "mark"]
    assert kept[1].steps == () and kept[1].cause == "forgotten"
    assert kept[2].steps == (Step("memory", None, "other", None),) and kept[2].cause == ""
    assert b"secret" not in history.path.read_bytes()
    assert history.head("memory") == "after-mark"
    assert history.forget(lambda text: text == "secret") == 0


@given(st.lists(st.binary(max_size=30000).map(lambda data: data.replace(b"\n", b"")), max_size=4))
def test_lines_backwards(lines: list[bytes]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal"
        path.write_bytes(b"\n".join(lines))
        assert list(lines_backwards(path)) == [line for line in reversed(lines) if line.strip()]
