"""Commands that are not ours go to the next `digit` on PATH."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from digit_tui.cli import passing
from tests.digit_tui.cli.conftest import PROGRAM, Digit

pytestmark = pytest.mark.skipif(os.name == "nt", reason="scripts with a shebang")


def write_program(folder: Path, source: str, name: str = "digit") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(source)
    path.chmod(0o755)
    return path


def run(path: list[Path], *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": os.pathsep.join([*map(str, path), os.defpath])}
    return subprocess.run(
        [str(PROGRAM), *words], env=env, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    "words",
    [
        ["chat", "-q", "hello there"],
        ["memory", "setup", "mem0"],
        ["memory", "off"],
        ["config", "edit"],
        ["-p", "work", "sessions", "list"],
        ["--yolo", "chat"],
    ],
)
def test_what_is_not_ours_goes_to_the_agent_word_for_word(tmp_path: Path, words: list[str]) -> None:
    write_program(tmp_path / "agent", '#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
    done = run([PROGRAM.parent, tmp_path / "agent"], *words)
    assert (done.returncode, done.stdout, done.stderr) == (7, "".join(f"{word}|" for word in words), "")


@pytest.mark.parametrize(
    ("words", "told"), [(["chat"], "no command 'chat'"), (["memory", "off"], "no 'off'")]
)
def test_without_another_digit_it_is_an_error(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "digit").mkdir()  # a folder of that name is no program
    done = run([PROGRAM.parent, tmp_path], *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr and "--help" in done.stderr
    assert "No other digit was found on PATH" in done.stderr


def test_two_installations_of_ours_do_not_play_ball(tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_program(other, PROGRAM.read_text())
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "digit").symlink_to(PROGRAM)
    done = run([tmp_path / "link", PROGRAM.parent, other], "chat")
    assert done.returncode == 2
    write_program(tmp_path / "agent", "#!/bin/sh\necho agent\n")
    assert run([other, PROGRAM.parent, tmp_path / "agent"], "chat").stdout == "agent\n"


def test_programs_that_call_each_other_in_a_circle_stop(tmp_path: Path) -> None:
    write_program(tmp_path / "wrapper", f'#!/bin/sh\necho once more\n{PROGRAM} "$@"\n')
    done = run([tmp_path / "wrapper", PROGRAM.parent], "chat")
    assert done.stdout == "once more\n" * 10
    assert done.returncode == 1
    assert "in a circle" in done.stderr and str(tmp_path / "wrapper" / "digit") in done.stderr


def test_a_relative_folder_on_path_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_program(tmp_path / "here", "#!/bin/sh\necho unsafe\n")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", "../here"]))
    assert passing.pass_on("digit", ["chat"]) is None


def test_one_that_cannot_be_run_is_named(
    tmp_path: Path, digit: Digit, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = write_program(tmp_path / "agent", "#!/nowhere/python\n")
    monkeypatch.setenv("PATH", str(broken.parent))
    monkeypatch.setenv(passing._TIMES, "")
    said = digit("chat")
    assert said.code == 1
    assert str(broken) in said.err


def test_where_a_process_cannot_be_replaced_its_code_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = write_program(tmp_path / "agent", "#!/bin/sh\nexit 7\n")
    called: list[list[str]] = []

    def call(argv: list[str]) -> int:
        called.append(argv)
        return 7

    monkeypatch.setattr(passing, "_replaces_itself", False)
    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setenv("PATH", str(agent.parent))
    monkeypatch.setenv(passing._TIMES, "")
    assert passing.pass_on("digit", ["chat", "x"]) == 7
    assert called == [[str(agent), "chat", "x"]]


def test_the_program_itself_is_found(tmp_path: Path) -> None:
    assert shutil.which("digit", path=str(PROGRAM.parent)) == str(PROGRAM)
    assert PROGRAM.parent == Path(sys.executable).parent
