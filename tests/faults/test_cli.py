"""Faults that the command line has to answer for (faults.md F20, F23, F43, F103, F105, F107, F119, F154)."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from digit_core.disk.locking import lock
from digit_core.library import Library
from digit_core.text.digest import text_digest
from digit_tui.cli.entry import main, main_digit
from tests.faults.test_rendering_core import BRACKETS, ESCAPES, WIDE
from tests.storing import joined, memory_file, user_file

MakeHome = Callable[..., Path]
AsNobody = Callable[[str, Path], subprocess.CompletedProcess[str]]
Capsys = pytest.CaptureFixture[str]

PROGRAM = Path(sys.executable).with_name("digit")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

LOOKING = ("status", "list", "prompt", "export", "history", "backups")


def call(capsys: Capsys, home: Path, *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main_digit([*words, "--home", str(home)])
    out, err = capsys.readouterr()
    return code, out, err


def ids(capsys: Capsys, home: Path) -> list[str]:
    return [note["id"] for note in json.loads(call(capsys, home, "memory", "list", "--json")[1])]


# ------------------------------------------------------------------------------- identity


def test_f020_an_id_from_an_old_listing_never_names_another_note(make_home: MakeHome, capsys: Capsys) -> None:
    home = make_home(memory=joined("zero", "one", "two"))
    first, second, third = ids(capsys, home)
    assert call(capsys, home, "memory", "remove", first)[0] == 0
    assert call(capsys, home, "memory", "remove", second)[0] == 0  # by the first listing
    assert memory_file(home).read_bytes() == b"two"

    memory_file(home).write_bytes(joined("two, changed by somebody", f"see {third}"))
    before = memory_file(home).read_bytes()
    for words in (("remove", third), ("replace", third, "x"), ("move", third), ("show", third)):
        code, out, err = call(capsys, home, "memory", *words)
        assert (code, out) == (3, "")
        assert third in err and "was changed, or it was removed" in err
    assert memory_file(home).read_bytes() == before


def test_f020_a_note_that_changes_after_it_was_found_is_not_written(
    make_home: MakeHome, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(memory=joined("one", "two"))
    apply = Library.apply

    def late(self: Library, *arguments: object, **more: object) -> object:
        memory_file(home).write_bytes(joined("one", "two, by the agent"))
        return apply(self, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Library, "apply", late)
    code, out, err = call(capsys, home, "memory", "replace", "two", "mine")
    assert (code, out) == (3, "")
    assert "no longer in MEMORY" in err
    assert memory_file(home).read_bytes() == joined("one", "two, by the agent")


# --------------------------------------------------------------------- rights and owners

_AS_NOBODY = """
import contextlib, io
from digit_tui.cli.entry import main_digit
def call(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main_digit([*words, "--home", {home!r}])
    return code, out.getvalue(), err.getvalue()
"""


def nobody(home: Path, source: str) -> str:
    return _AS_NOBODY.format(home=str(home)) + source


def test_f023_a_read_only_file_is_named_with_its_mode(make_home: MakeHome, as_nobody: AsNobody) -> None:
    home = make_home(memory=joined("one"))
    memory_file(home).chmod(0o444)
    source = (
        "code, out, err = call('memory', 'add', 'two')\n"
        "assert (code, out) == (4, ''), (code, out, err)\n"
        "assert 'MEMORY.md' in err and '0444' in err and 'chmod' in err, err\n"
        "assert call('memory', 'list')[0] == 0\n"
        "assert 'read only' in call('memory', 'status')[1]\n"
    )
    done = as_nobody(nobody(home, source), home)
    assert done.returncode == 0, done.stderr
    assert memory_file(home).read_bytes() == b"one"


def test_f023_a_read_only_folder_is_named_with_its_mode(make_home: MakeHome, as_nobody: AsNobody) -> None:
    home = make_home(memory=joined("one"))
    memory_file(home).parent.chmod(0o555)
    source = (
        "code, out, err = call('memory', 'remove', 'one')\n"
        "assert (code, out) == (4, ''), (code, out, err)\n"
        "assert 'memories' in err and '0555' in err, err\n"
    )
    done = as_nobody(nobody(home, source), home)
    memory_file(home).parent.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert memory_file(home).read_bytes() == b"one"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_f043_a_home_of_another_user_can_be_read_and_says_so(
    make_home: MakeHome, as_nobody: AsNobody, tmp_path: Path
) -> None:
    home = make_home(memory=joined("one"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    source = (
        "code, out, err = call('memory', 'status')\n"
        "assert code == 0 and 'read only' in out and str({home!r}) in out and 'root' in out, out\n"
        "code, out, err = call('memory', 'list')\n"
        "assert code == 0 and out.endswith('one\\n'), (code, out, err)\n"
        "for words in (('memory', 'add', 'two'), ('memory', 'remove', 'one'),\n"
        "              ('memory', 'reset', '-y'), ('config', 'set', 'memory.nudge_interval', '5')):\n"
        "    code, out, err = call(*words)\n"
        "    assert code in (1, 4) and out == '', (words, code, out, err)\n"
        "    assert str({home!r}) in err and 'root' in err, err\n"
    ).replace("{home!r}", repr(str(home)))
    for parent in home.parents:
        if "pytest" in str(parent):
            parent.chmod(0o755)
    before = sorted(home.rglob("*"))
    done = as_nobody(nobody(home, source), elsewhere)
    assert done.returncode == 0, done.stderr
    assert memory_file(home).read_bytes() == b"one"
    assert sorted(home.rglob("*")) == before


# -------------------------------------------------------------------------- what is shown


@pytest.mark.parametrize("text", BRACKETS)
def test_f103_brackets_are_printed_as_they_are(text: str, make_home: MakeHome, capsys: Capsys) -> None:
    home = make_home(memory=joined(f"see {text} here"))
    for verb in ("list", "prompt", "export"):
        assert f"see {text} here" in call(capsys, home, "memory", verb)[1]
    assert call(capsys, home, "memory", "show", text)[1] == f"see {text} here\n"
    assert f"“{text}”" in call(capsys, home, "memory", "add", text)[1]
    assert text in call(capsys, home, "memory", "history")[1]
    code, _, err = call(capsys, home, "memory", "show", f"{text}{text}")
    assert code == 3 and f"{text}{text}" in err
    code, _, err = call(capsys, home, "config", "get", text)
    assert code == 3 and text in err


@pytest.mark.parametrize("text", [*ESCAPES, "\u202etxt.exe", "\u2066a\u2069"])
def test_f105_no_control_byte_leaves_the_program(text: str, make_home: MakeHome, capsys: Capsys) -> None:
    note = f"{text} title {text}\nbody {text} end"
    home = make_home(memory=joined(note), user=joined(f"profile {text}"))
    (home / "memories" / f"MEMORY (conflict {re.sub('[/]', '', text)}).md").write_text("x")
    said = [call(capsys, home, "memory", "add", f"more {text}")]
    said.append(call(capsys, home, "memory", "replace", f"profile {text}", f"who {text}"))
    for words in (*((verb,) for verb in LOOKING), ("show", "1"), ("show", "title")):
        for options in ((), ("--json",)):
            code, out, err = call(capsys, home, "memory", *words, *options, "--no-color")
            assert code == 0, err
            said.append((code, out, err))
            if options:
                json.loads(out)
    assert json.loads(call(capsys, home, "memory", "show", "1", "--json")[1])["text"] == note
    said.append(call(capsys, home, "memory", "show", f"nothing {text}"))
    said.append(call(capsys, home, "memory", "forget", f"never {text}"))
    said.append(call(capsys, home, "memory", "undo", text))
    said.append(call(capsys, home, "config", "set", "memory.provider", text))
    said.append(call(capsys, home, "config", "get", text, "--json"))
    said.append(call(capsys, home / text.replace("/", ""), "memory", "list"))
    for _, out, err in said:
        assert CONTROL.search(out) is None, repr(out)
        assert CONTROL.search(err) is None, repr(err)


@pytest.mark.parametrize("text", WIDE)
def test_f107_tables_line_up(text: str, make_home: MakeHome, capsys: Capsys) -> None:
    home = make_home(memory=joined("plain", text, f"{text} {text}"))
    lines = call(capsys, home, "memory", "list")[1].splitlines()
    starts = {
        cell_len(line[: line.index(title)]) for line, title in zip(lines, ("plain", text, text), strict=True)
    }
    assert len(starts) == 1
    call(capsys, home, "memory", "add", f"{text}!")
    assert f"“{text}!”" in call(capsys, home, "memory", "history")[1]


# ------------------------------------------------------------------------------- streams


def shell(command: str, home: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `digit` is this program, and which fails when any part of a pipe does."""
    line = (
        f'set -o pipefail; digit() {{ {shlex.quote(str(PROGRAM))} "$@" --home {shlex.quote(str(home))}; }}; '
    )
    return subprocess.run(
        ["bash", "-c", line + command],
        capture_output=True,
        cwd=home.parent,
        env={**{name: value for name, value in os.environ.items() if not name.startswith("LC_")}, **env},
        timeout=60,
        check=False,
    )


SIGNS = "кофе § 整理 ⚠️ — ═ → “x”"


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii:strict"},
        {"LANG": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX"},
    ],
)
@pytest.mark.parametrize("sink", ["| cat", "> out; code=$?; cat out; exit $code"])
def test_f119_a_pipe_or_file_is_readable_in_any_locale(
    make_home: MakeHome, env: dict[str, str], sink: str
) -> None:
    home = make_home(memory=joined(SIGNS, "[/] \x9b31m"))
    for verb in ("list", "prompt", "export", "status", "show кофе"):
        done = shell(f"digit memory {verb} {sink}", home, **env)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
        out = done.stdout.decode("utf-8")
        assert "\\u" not in out and CONTROL.search(out) is None
        if verb != "status":
            assert SIGNS in out
    done = shell(f"digit memory add {shlex.quote('чай')} --json {sink}", home, **env)
    assert json.loads(done.stdout)["message"] == "Added “чай” to MEMORY."


def test_f119_a_closed_pipe_is_quiet_and_the_work_is_done(make_home: MakeHome) -> None:
    home = make_home(memory=joined(*(f"note {number} {'x' * 60}" for number in range(1500))))
    done = shell("digit memory list | head -1", home)
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (0, 1, b"")
    done = shell("digit memory add last --json | true", home)
    assert (done.returncode, done.stderr) == (0, b"")
    assert memory_file(home).read_bytes().endswith("\n§\nlast".encode())
    done = shell("digit memory show 'note nowhere' 2>&1 | true; echo ${PIPESTATUS[0]}", home)
    assert done.stdout == b"3\n"
    done = shell("digit memory add more >&- 2>&-", home)
    assert done.returncode == 0
    assert memory_file(home).read_bytes().endswith("\n§\nmore".encode())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_f119_output_that_is_lost_is_no_success(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    done = shell("digit memory add two > /dev/full", home)
    assert done.returncode == 1
    assert b"could not be written" in done.stderr and b"Traceback" not in done.stderr
    assert memory_file(home).read_bytes() == joined("one", "two")  # the work itself was done before


def test_f119_standard_input_may_be_closed(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    for line, code in (
        ("digit memory list <&-", 0),
        ("digit memory add two <&-", 0),
        ("digit memory add - <&-", 1),
        ("digit memory reset <&-", 4),
    ):
        done = shell(line, home)
        assert done.returncode == code, line
        assert b"Traceback" not in done.stderr


def test_f119_an_interrupt_ends_with_130_and_writes_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    with lock(memory_file(home)):
        running = subprocess.Popen(
            [str(PROGRAM), "memory", "add", "two", "--home", str(home)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert running.stderr is not None
        assert b"Waiting for the lock" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"")
    assert err.endswith(b"Interrupted.\n") and b"Traceback" not in err
    assert memory_file(home).read_bytes() == b"one"


def test_f119_an_interrupt_at_a_question_ends_with_130(
    make_home: MakeHome, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Terminal())
    home = make_home(memory=joined("one"))
    assert main(["memory", "reset", "--home", str(home)]) == 130
    assert "Interrupted." in capsys.readouterr().err
    assert memory_file(home).read_bytes() == b"one"


# ------------------------------------------------------------------------------ settings


def test_f154_a_store_that_is_turned_off_is_shown_and_not_written(
    make_home: MakeHome, capsys: Capsys
) -> None:
    config = "memory:\n  memory_enabled: false\n  user_profile_enabled: no\n"
    home = make_home(memory=joined("one", "two"), config=config)
    _, out, _ = call(capsys, home, "memory", "status")
    memory, user = out.splitlines()[1:3]
    assert memory.startswith("MEMORY  2 notes") and "turned off" in memory
    assert user.startswith("USER") and "turned off, no file yet" in user
    assert "MEMORY.md exists and is left as it is" in out and "USER.md does not exist" in out
    stores = json.loads(call(capsys, home, "memory", "status", "--json")[1])["stores"]
    assert [store["enabled"] for store in stores] == [False, False]
    _, out, err = call(capsys, home, "memory", "prompt")
    assert out == "" and "MEMORY is turned off in config.yaml" in err
    two = f"memory:{text_digest('two')[:8]}"
    for words in (
        ("add", "x"),
        ("add", "x", "--to", "user"),
        ("remove", two),
        ("move", two),
        ("reset", "-y"),
    ):
        code, out, err = call(capsys, home, "memory", *words)
        assert (code, out) == (4, ""), words
        assert "is turned off (memory." in err
    assert memory_file(home).read_bytes() == joined("one", "two")
    assert not user_file(home).exists()
    assert call(capsys, home, "config", "set", "memory.memory_enabled", "true")[0] == 0
    assert call(capsys, home, "memory", "remove", two)[0] == 0
