"""Keyboard, mouse, clipboard, editor: F121-F124, F126-F130, F133, with their exact inputs."""

from __future__ import annotations

import signal
import stat
import sys
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.widgets import TextArea

from digit_tui import clipboard
from digit_tui.commands import COMMANDS, Where
from digit_tui.external_editor import NoEditor, editor_command
from digit_tui.keys import LATIN_FOR, latin
from digit_tui.terminal import MouseFilter, PasteFilter, plain_key
from tests.digit_tui.driving import paste, press, running, screen_text, settle
from tests.pty_app import PtyApp, command

RUSSIAN = {meant: sent for sent, meant in LATIN_FOR.items() if sent not in "іІїЇєЄўЎ"}
NOTES = "First note\n§\nSecond note"
RESETS = (
    b"\x1b[?1000l",
    b"\x1b[?1003l",
    b"\x1b[?1006l",
    b"\x1b[?2004l",
    b"\x1b[<u",
    b"\x1b[?1049l",
    b"\x1b[?25h",
)


@pytest.fixture
def home(make_home: Callable[..., Path]) -> Path:
    return make_home(memory=NOTES, user="About you")


@pytest.fixture
def app(home: Path) -> Iterator[PtyApp]:
    with PtyApp([command("digit-tui"), "--home", str(home)]) as running_app:
        running_app.wait_for("Second note")
        yield running_app


def notes(home: Path) -> str:
    return (home / "memories" / "MEMORY.md").read_bytes().decode()


# ---------------------------------------------------------------------------- F121


def test_f121_old_mouse_reports_and_stray_bytes_do_not_end_the_app(app: PtyApp) -> None:
    app.send(b"\x1b[M\x20\xb4\x30")
    app.send(b"\xb5")
    app.send(b"j")
    app.wait_for("▸ ◆ Second note")
    app.send("q")
    assert app.wait() == 0


def test_f121_the_mouse_is_asked_for_again_after_a_rebuilt_terminal(app: PtyApp) -> None:
    app.read(quiet=0.3)
    app.send(b"\x1b[M\x20\xb4\x30")
    assert b"\x1b[?1006h" in app.read(quiet=0.3)


def test_f121_reports_are_taken_out_wherever_a_read_cuts_them() -> None:
    data = b"ab\x1b[M\x20\xb4\x30\x1b[M \xc4\x80cd"
    for cut in range(len(data)):
        if data[:cut].endswith((b"\x1b", b"\x1b[")):
            continue  # an escape that may be a key is not held back
        mouse = MouseFilter()
        assert mouse.feed(data[:cut]) + mouse.feed(data[cut:]) == b"abcd"
        assert mouse.seen


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_f128_what_is_pasted_is_parted_from_what_is_typed_wherever_a_read_cuts_it(size: int) -> None:
    sent = "a\x1b[200~b\x1bq\x1b[2Jc\x1b[201~\x1b[A\x1b[200~\x1b[201~d\x1b[2~"
    pastes = PasteFilter()
    typed, pasted = "", []
    for start in range(0, len(sent), size):
        for text, was_pasted in pastes.feed(sent[start : start + size]):
            if was_pasted:
                pasted.append(text)
            else:
                typed += text
    assert pasted == ["b\x1bq\x1b[2Jc", ""]
    assert typed.replace("\x1b[200~\x1b[201~", "") == "a\x1b[Ad\x1b[2~"


def test_f128_escapes_in_a_paste_are_no_keys(app: PtyApp, home: Path) -> None:
    paste = "\x1b[200~\x1bq\x1bd\x1by\x1b[27u\x1b[115;5ux\x1b[201~"
    app.send(paste * 3)  # over the list: it is for nobody
    app.read(quiet=0.3)
    assert notes(home) == NOTES
    app.send("e")
    app.wait_for("after saving")
    app.send(paste)
    app.wait_for("left out")
    app.send("\x13")
    app.wait_for("Saved.")
    assert notes(home) == "First noteqdy[27u[115;5ux\n§\nSecond note"


# ---------------------------------------------------------------------------- F122


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_f122_a_signal_leaves_a_clean_terminal(app: PtyApp, number: int) -> None:
    app.signal(number)
    assert app.wait() == 128 + number
    assert_clean(app)


@pytest.mark.parametrize("keys", ["q", "\x03\x03\x03", "\x11"])
def test_f122_quitting_while_the_mouse_moves_leaves_a_clean_terminal(app: PtyApp, keys: str) -> None:
    app.send(b"\x1b[<35;10;5M\x1b[<35;11;5M")
    app.send(keys)
    app.send(b"\x1b[<35;12;5M")
    assert app.wait() == 0
    assert_clean(app)


def test_f122_an_error_leaves_a_clean_terminal_and_keeps_what_was_typed(home: Path) -> None:
    program = (
        "import sys\n"
        "from digit_tui.screens.main import MainScreen\n"
        "def broken(*arguments): raise RuntimeError('a fault for the test')\n"
        "MainScreen.follow = broken\n"
        "from digit_tui.cli.entry import main\n"
        f"sys.exit(main(['--home', {str(home)!r}]))\n"
    )
    with PtyApp([sys.executable, "-c", program]) as app:
        app.wait_for("Second note")
        app.send("e typed")
        app.wait_for("First note typed")
        (home / "memories" / "USER.md").write_text("changed")
        assert app.wait() == 1
        assert_clean(app)
        assert b"RuntimeError: a fault for the test" in app.output
    with PtyApp([command("digit-tui"), "--home", str(home)]) as app:
        app.wait_for("was not saved")
        app.send("y")
        app.wait_for("First note typed")
        app.send("\x13")
        app.wait_for("Saved.")
    assert notes(home) == "First note typed\n§\nSecond note"
    assert not list((home / "digit-tui" / "drafts").iterdir())


def assert_clean(app: PtyApp) -> None:
    tail = bytes(app.output[-4000:])
    for reset in RESETS:
        assert reset in tail, reset
    assert app.echo


# ---------------------------------------------------------------------------- F123


def test_f123_the_terminals_cursor_is_where_the_text_cursor_is(app: PtyApp) -> None:
    app.send("/Sec")
    app.wait_for("1 note")
    line = 21
    app.read(quiet=0.3)
    assert (app.cursor[1], app.lines[line][: app.cursor[0]].strip()) == (line, "/ Sec")
    app.send("\x1b")
    app.wait_for("First note")
    app.send("e")
    app.wait_for("after saving")
    app.send("日本")
    app.wait_for("First note日")
    app.read(quiet=0.3)
    column, row = app.cursor
    assert "First note" in app.lines[row]
    assert column == 2 + len("First note") + 4


# ---------------------------------------------------------------------------- F124


@pytest.mark.parametrize("key", sorted({key for command in COMMANDS for key in command.keys}))
def test_f124_every_key_of_the_table_works_on_a_russian_layout(key: str) -> None:
    head, plus, last = key.rpartition("+")
    named = {"slash": "full_stop", "question_mark": "comma"}
    sent = named.get(last) or RUSSIAN.get(last, last)
    assert latin(f"{head}{plus}{sent}") == key


async def test_f124_letters_work_by_place_and_cyrillic_can_be_typed(home: Path) -> None:
    async with running(home) as (app, pilot):
        await press(pilot, "о")  # j
        assert app.main.note is not None
        assert app.main.note.text == "Second note"
        await press(pilot, "л", "у")  # k e
        await press(pilot, *"привет", "ctrl+ы")  # ctrl+s
        assert notes(home) == "First noteпривет\n§\nSecond note"
        await press(pilot, "я")  # z
        assert notes(home) == NOTES
        await press(pilot, "full_stop", *"second")
        assert "1 of 2 notes" in screen_text(app)
        await press(pilot, "escape", "й")  # q
    assert app.return_code == 0


@pytest.mark.parametrize(
    "sequence", [b"\x1b[1081::113u", "й".encode(), b"\x1b[1089::99;5u", b"\x1b[1081;;1081u"]
)
def test_f124_q_and_ctrl_c_in_every_protocol(app: PtyApp, sequence: bytes) -> None:
    app.send(sequence)
    assert app.wait() == 0


def test_f124_keys_of_other_protocols_are_spelled_as_textual_reads_them() -> None:
    assert plain_key("\x1b[1081::113u") == "\x1b[1081;;1081u"
    assert plain_key("\x1b[1081::113;5u") == "\x1b[113;5u"
    assert plain_key("\x1b[27;5;115~") == "\x1b[115;5u"
    assert plain_key("\x1b[97:65:97;2u") == "\x1b[65;;65u"
    assert plain_key("\x1b[97;1:3u") is None
    assert plain_key("\x1b[A") == "\x1b[A"


# ---------------------------------------------------------------------------- F126


def fake_tool(folder: Path, name: str, code: int, record: Path) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat > {record}\nexit {code}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_f126_a_program_of_the_system_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "clipboard"
    fake_tool(tmp_path / "bin", "wl-copy", 1, record)
    fake_tool(tmp_path / "bin", "xclip", 0, record)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    words = clipboard.copy_with_tool("текст", {"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"})
    assert words == "Copied with xclip."
    assert record.read_text() == "текст"


def test_f126_a_program_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "wl-copy"
    tool.write_text("#!/bin/sh\nsleep 60\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(clipboard, "SECONDS", 0.2)
    assert clipboard.copy_with_tool("text", {"WAYLAND_DISPLAY": "w"}) is None


async def test_f126_without_one_it_is_said_how_it_was_sent(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WAYLAND_DISPLAY", "DISPLAY", "TMUX", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    async with running(home) as (app, pilot):
        await press(pilot, "y")
        assert "it may not arrive" in app.main._status.message
        assert app.clipboard == "First note"


def test_f126_200_kb_are_not_sent_to_a_terminal_and_that_is_said() -> None:
    sent, words = clipboard.osc52_words("x" * 200_000)
    assert not sent
    assert words.startswith("Not copied: 200,000 bytes")


# ---------------------------------------------------------------------------- F127


def test_f127_the_mouse_can_be_given_back_at_once(app: PtyApp) -> None:
    app.read(quiet=0.3)
    app.send("M")
    app.wait_for("drag to select")
    assert b"\x1b[?1003l" in app.output
    before = len(app.output)
    app.send("M")
    app.wait_for("works here again")
    assert b"\x1b[?1003h" in app.output[before:]


def test_f127_no_mouse_asks_for_none(home: Path) -> None:
    with PtyApp([command("digit-tui"), "--home", str(home), "--no-mouse"]) as app:
        app.wait_for("Second note")
        app.send("q")
        app.wait()
    assert b"\x1b[?1000h" not in app.output


# ---------------------------------------------------------------------------- F128


@pytest.mark.parametrize("save", [b"\x13", b"\x1b[115;5u", b"\x1b[27;5;115~", b"\x1bOQ"])
def test_f128_f129_every_way_to_say_save_saves_and_leaves_no_control_character(
    app: PtyApp, home: Path, save: bytes
) -> None:
    app.send("e")
    app.wait_for("after saving")
    app.send(b"!\x1b[97;5u\x1b[27;5;107~>")  # ctrl+a and ctrl+k: start of line, delete to its end
    app.read(quiet=0.3)
    app.send(save)
    app.wait_for("Saved.")
    assert notes(home) == ">\n§\nSecond note"


# ---------------------------------------------------------------------------- F129


def test_f129_flow_control_is_off_while_it_runs_and_back_on_afterwards(app: PtyApp) -> None:
    assert app.attributes[0] & termios.IXON
    assert not app.input_flags & termios.IXON
    app.send("q")
    app.wait()
    assert app.input_flags & termios.IXON


def test_f129_there_is_a_second_save_key() -> None:
    save = next(command for command in COMMANDS if command.id == "save")
    assert save.where is Where.EDITOR
    assert save.keys == ("ctrl+s", "f2")


# ---------------------------------------------------------------------------- F130


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    return path


def test_f130_editors_with_arguments_blanks_and_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = program(tmp_path / "bin" / "code")
    spaced = program(tmp_path / "My Editor" / "ed")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert editor_command({"EDITOR": "code --wait"}) == (str(code), "--wait")
    assert editor_command({"EDITOR": f"'{spaced}' -w"}) == (str(spaced), "-w")
    assert editor_command({"EDITOR": f"{spaced} -w"}) == (str(spaced), "-w")
    assert editor_command({"VISUAL": "code", "EDITOR": "nonexistent"}) == (str(code),)
    assert editor_command({"VISUAL": " ", "EDITOR": "code -x; touch pwned"}) == (
        str(code),
        "-x;",
        "touch",
        "pwned",
    )


@pytest.mark.parametrize("value", ["nonexistent", r"C:\Program Files\N\n.exe", "'unbalanced", "", None])
def test_f130_an_editor_that_is_not_there_is_said(value: str | None) -> None:
    with pytest.raises(NoEditor) as caught:
        editor_command({} if value is None else {"EDITOR": value})
    assert "e edits here" in str(caught.value) or "cannot be read" in str(caught.value)
    if value:
        assert repr(value) in str(caught.value)


def test_f130_the_editor_is_lent_the_terminal_and_its_text_is_saved(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "my editor"
    editor.write_text('#!/bin/sh\nprintf "%s" "by the editor" >> "$1"\n')
    editor.chmod(0o755)
    with PtyApp(
        [command("digit-tui"), "--home", str(home)], env={"VISUAL": f"'{editor}'", "EDITOR": "false"}
    ) as app:
        app.wait_for("Second note")
        app.send("E")
        app.wait_for("Saved.")
        app.send("z")
        app.wait_for("▸ ◆ First note  ")
        app.send("q")
        assert app.wait() == 0
        assert_clean(app)
    assert notes(home) == NOTES
    assert not list((home / "digit-tui" / "drafts").iterdir())


def test_f130_what_an_editor_left_and_cannot_be_saved_stays(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "cutter"
    editor.write_text('#!/bin/sh\nprintf "one\\n\\302\\247\\ntwo" > "$1"\n')
    editor.chmod(0o755)
    with PtyApp([command("digit-tui"), "--home", str(home)], env={"EDITOR": str(editor)}) as app:
        app.wait_for("Second note")
        app.send("E")
        app.wait_for("Line 2 is just §")
        app.wait_for("two")
    assert notes(home) == NOTES


# ---------------------------------------------------------------------------- F133


@pytest.mark.parametrize(
    ("text", "selection"),
    [
        ("one word here", ((0, 4), (0, 8))),
        ("one word here", ((0, 0), (0, 3))),
        ("one word here", ((0, 9), (0, 13))),
        ("a 👨‍👩‍👧 b\nsecond 🏴‍☠️ line", ((0, 2), (1, 6))),
        ("a\nb", ((0, 1), (1, 0))),
    ],
)
async def test_f133_undo_after_a_paste_over_a_selection_is_exact(
    make_home: Callable[..., Path], text: str, selection: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    async with running(make_home(memory=text)) as (app, pilot):
        await press(pilot, "e")
        area = app.main.editor
        assert area is not None
        editor = area.query_one(TextArea)
        editor.selection = type(editor.selection)(*selection)
        await settle(pilot)
        await paste(pilot, "x\ny\n")
        pasted = editor.text
        assert "x\ny\n" in pasted
        await press(pilot, "ctrl+z")
        assert editor.text == text
        await press(pilot, "ctrl+y")
        assert editor.text == pasted
        await press(pilot, "ctrl+z")
        assert editor.text == text
        assert not area.dirty
