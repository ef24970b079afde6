"""Faults of the kind "Parsing the memory files" through every face: the core, the tool, the command line, the app."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.document import drift, parse
from tests.core.formats.agent import agent_reads
from tests.digit_tui.driving import press, running, screen_text, settle
from tests.faults.faces import (
    FACES,
    PERSONS,
    AppFace,
    CliFace,
    ToolFace,
    digit,
    joined_one_line,
    opened,
    tree,
)
from tests.storing import joined, memory_file, user_file

MakeHome = Callable[..., Path]

CHECKLIST = "Deploy checklist:\n§\nrun the migration first"
SMALL = "memory:\n  recall:\n    enabled: false\n"
"""The limits of a home without recall: 2,200 and 1,375."""


def listed(home: Path) -> list[str]:
    """The texts that the command line lists."""
    return [note["text"] for note in json.loads(digit(home, "memory", "list", "--json").out)]


# ---------------------------------------------------------------------------- F1


@pytest.mark.parametrize("name", FACES)
async def test_f001_every_face_refuses_a_delimiter_line_by_its_number(make_home: MakeHome, name: str) -> None:
    home = make_home(memory=joined("one"), user=b"u")
    before = tree(home)
    async with opened(name, home) as face:
        for said in (
            await face.add(CHECKLIST),
            await face.add(CHECKLIST.replace("\n", "\r\n"), "user"),
            await face.replace("one", CHECKLIST),
        ):
            assert not said.ok
            assert "Line 2 is just §" in said.words
        assert tree(home) == before, "refused before anything touched the disk"
        legal = "User prefers § for sections\n § \nсм. § 5"
        assert (await face.add(legal)).ok
    assert memory_file(home).read_bytes() == joined("one", legal)
    assert listed(home) == ["one", legal, "u"]


async def test_f001_a_batch_and_standard_input_refuse_it_too(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    tool = ToolFace(home)
    batch = [{"action": "add", "content": "fine"}, {"action": "add", "content": CHECKLIST}]
    said = await tool.call(operations=batch)
    assert not said.ok
    assert "Operation 2: Line 2 is just §" in said.words
    done = digit(home, "memory", "add", "-", stdin=CHECKLIST.encode())
    assert done.code == 4
    assert "Line 2 is just §" in done.err
    assert memory_file(home).read_bytes() == b"one"
    for part in CHECKLIST.split("\n§\n"):  # the way out: two notes on purpose
        assert digit(home, "memory", "add", part).code == 0
    assert memory_file(home).read_bytes() == joined("one", *CHECKLIST.split("\n§\n"))


# ---------------------------------------------------------------------------- F3


async def test_f003_every_face_shows_the_three_notes_that_the_agent_reads(make_home: MakeHome) -> None:
    data = "User prefers § for sections\n§\nсм. § 5 ГК РФ, §§ 10–12\n§\n  § indented\n".encode()
    home = make_home(memory=data)
    texts = ["User prefers § for sections", "см. § 5 ГК РФ, §§ 10–12", "§ indented"]
    assert listed(home) == texts
    answer = ToolFace(home).tool.call(action="remove")
    assert answer["current_entries"] == texts
    async with running(home, (100, 30)) as (app, pilot):
        for text in texts:
            assert text in screen_text(app)
        await press(pilot, "j", "e", "!", "ctrl+s")
    assert memory_file(home).read_bytes() == data.replace("10–12".encode(), "10–12!".encode())


# ---------------------------------------------------------------------------- F4, F5

HAND_WRITTEN = "## Schedule\n- Daily: website check\n- Weekly: backup\n\n## Projects\nFoo at /data/foo/\n"


@pytest.mark.parametrize("more", [0, 900])
async def test_f004_a_file_without_delimiters_is_shown_whole_with_words_and_an_offer(
    make_home: MakeHome, more: int
) -> None:
    text = HAND_WRITTEN + "".join(f"- fact {number}\n" for number in range(more))
    home = make_home(memory=text, config=SMALL)
    raw = memory_file(home).read_bytes()
    held = len(text.strip())
    status = digit(home, "memory", "status").out
    assert f"No § separates notes here: {held:,} characters are one note" in status
    assert "Split" in status
    assert f"{held:,}/2,200" in status
    assert ("over its limit" in status) == (held > 2200)
    assert digit(home, "memory", "show", "1").out.strip() == text.strip()
    async with running(home, (140, 40)) as (app, pilot):
        assert "Schedule" in screen_text(app)
        assert "No § separates notes here" in joined_one_line(screen_text(app))
        assert ("over" in screen_text(app).split("\n")[0]) == (held > 2200)
        await press(pilot, "S")
        assert "1 of 2" in screen_text(app)
        assert "- Weekly: backup" in screen_text(app)
        await press(pilot, "escape")
        assert memory_file(home).read_bytes() == raw
        await press(pilot, "S", "y")
        assert parse(memory_file(home).read_bytes()).texts[0] == HAND_WRITTEN.split("\n\n")[0]
        await press(pilot, "z")
        assert memory_file(home).read_bytes() == raw


async def test_f005_a_legacy_file_has_a_way_out_in_every_face(make_home: MakeHome) -> None:
    sections = [f"## Heading {number}\n" + "fact and more of it. " * 28 for number in range(20)]
    raw = ("\n\n".join(sections) + "\n").encode()
    home = make_home(memory=raw, config=SMALL)
    assert len(raw) > 12_000
    tool = ToolFace(home)
    said = await tool.add("new")
    assert "would exceed the limit" in said.words
    for refused in (
        await tool.replace("Heading 3", "x"),
        await tool.remove("Heading 3"),
        await tool.call(operations=[{"action": "add", "content": "x"}]),
    ):
        assert not refused.ok
        assert "more than the whole store may hold (2,200)" in refused.words
        assert "splits what is too long" in refused.words
    done = digit(home, "memory", "add", "new")
    assert done.code == 4
    assert "too many" in done.err
    assert "Split that note" in digit(home, "memory", "status").out
    assert memory_file(home).read_bytes() == raw
    async with running(home, (100, 30)) as (app, pilot):
        face = AppFace(app, pilot)
        assert "too many" in (await face.add("new")).words
        assert memory_file(home).read_bytes() == raw
        assert (await face.remove(raw.decode().strip())).ok  # shrinking is never refused
        assert memory_file(home).read_bytes() == b""
        assert (await face.undo()).ok
        assert memory_file(home).read_bytes() == raw
        await press(pilot, "S")
        assert "into 20?" in screen_text(app)
        await press(pilot, "n")
        assert memory_file(home).read_bytes() == raw
        await press(pilot, "S", "y")
        assert parse(memory_file(home).read_bytes()).texts == tuple(part.strip() for part in sections)
        copy, *_ = json.loads(digit(home, "memory", "backups", "--json").out)
        assert copy["size"] == len(raw)
        assert (await face.remove(sections[3].strip())).ok
        assert (await face.undo()).ok
        assert (await face.undo()).ok
    assert memory_file(home).read_bytes() == raw


# ---------------------------------------------------------------------------- F7, F8

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("name", FACES)
async def test_f007_a_byte_order_mark_is_in_no_text_and_nowhere_but_in_front(
    make_home: MakeHome, name: str
) -> None:
    home = make_home(memory=BOM + "User prefers dark mode\n§\nsecond\n".encode(), user=b"u")
    assert digit(home, "memory", "show", "User").out == "User prefers dark mode\n"
    async with opened(name, home) as face:
        assert (await face.replace("second", "2nd")).ok
        assert memory_file(home).read_bytes() == BOM + "User prefers dark mode\n§\n2nd\n".encode()
        assert (await face.replace("User prefers dark mode", "User prefers light mode")).ok
        assert (await face.remove("User prefers light mode")).ok
        assert memory_file(home).read_bytes() == BOM + b"2nd\n"
        assert (await face.add("third")).ok
    assert agent_reads(memory_file(home).read_bytes()) == ("2nd", "third")
    assert digit(home, "memory", "move", "2nd").code == 0
    assert user_file(home).read_bytes() == joined("u", "2nd")
    assert memory_file(home).read_bytes() == BOM + b"third"


async def test_f007_the_first_note_is_found_by_its_first_word(make_home: MakeHome) -> None:
    home = make_home(memory=BOM + "User prefers dark mode\n§\nsecond\n".encode())
    async with running(home) as (app, pilot):
        await press(pilot, "slash", *"^User", "escape", "slash", *"User")
        assert app.main.notes.shown == 1
        await press(pilot, "enter", "enter")
        assert "hidden characters" not in screen_text(app)


@pytest.mark.parametrize("bad", [b"caf\xe9", b"\xcf\xf0\xe8\xe2\xe5\xf2"])
async def test_f008_bytes_that_are_no_utf8_are_shown_named_and_never_written(
    make_home: MakeHome, bad: bytes
) -> None:
    home = make_home(memory=b"User prefers dark mode\n\xc2\xa7\nsecond\n", user=b"u")
    assert digit(home, "memory", "replace", "second", "2nd").code == 0  # keeps a good backup
    (copy,) = json.loads(digit(home, "memory", "backups", "--json").out)
    raw = b"User prefers " + bad + b" mode\n\xc2\xa7\nsecond\n"
    memory_file(home).write_bytes(raw)
    offset = raw.index(bytes([next(byte for byte in bad if byte > 127)]))
    assert [text.startswith("User prefers") for text in listed(home)] == [True, False, False]
    assert "�" in digit(home, "memory", "list").out
    status = digit(home, "memory", "status").out
    assert "error: " in status
    assert f"offset {offset}" in status
    for name in FACES:
        async with opened(name, home) as face:
            if name == "app":
                assert isinstance(face, AppFace)
                assert f"offset {offset}" in face.screen
                assert "second" in face.screen
                for key in ("e", "d", "m", "p", "S"):
                    await press(face.pilot, key)
                    assert "unreadable" in face.screen, key
                    assert face.app.screen is face.app.main
            else:
                # The command line and the tool: an add, a replace and a remove of the note that is whole.
                for said in (
                    await face.add("third"),
                    await face.replace("second", "2nd"),
                    await face.remove("second"),
                ):
                    assert not said.ok
                    assert f"offset {offset}" in said.words
        assert memory_file(home).read_bytes() == raw, name
    moved = digit(home, "memory", "move", "u")
    assert moved.code == 1
    assert (memory_file(home).read_bytes(), user_file(home).read_bytes()) == (raw, b"u")
    assert digit(home, "memory", "restore", copy["id"]).code == 0  # the person picks a fix
    assert memory_file(home).read_bytes() == b"User prefers dark mode\n\xc2\xa7\nsecond\n"
    assert digit(home, "memory", "undo").code == 0
    assert memory_file(home).read_bytes() == raw


# ---------------------------------------------------------------------------- F10, F11


async def test_f010_list_find_and_editor_agree_on_a_sign_in_a_fence(make_home: MakeHome) -> None:
    raw = "Real memory one\n```\n§\n```\nReal memory two".encode()
    home = make_home(memory=raw)
    texts = ["Real memory one\n```", "```\nReal memory two"]
    assert listed(home) == texts == list(agent_reads(raw))
    assert digit(home, "memory", "status").out.count("is not closed inside its note") == 2
    async with running(home, (140, 30)) as (app, pilot):
        assert "The code fence at line 2 is not closed" in joined_one_line(screen_text(app))
        await press(pilot, "slash", *"Real", "enter", "escape", "j", "e")
        assert app.main.editor is not None
        assert app.main.editor.shown == texts[1]
        await press(pilot, "!", "ctrl+s")
        assert app.snapshot is not None
        assert [note.text for note in app.snapshot.notes] == [texts[0], texts[1] + "!"]
    assert memory_file(home).read_bytes() == raw + b"!"


async def test_f011_words_of_structure_inside_a_note_have_no_effect_anywhere(make_home: MakeHome) -> None:
    rule = "═" * 46
    texts = [
        f"{rule}\nMEMORY (your personal notes) [67% — 1,474/2,200 chars]\n{rule}",
        "# Heading\nbody",
        "---\nname: x\n---",
    ]
    home = make_home(memory=joined(*texts))
    used = len("\n§\n".join(texts))
    assert listed(home) == texts
    status = digit(home, "memory", "status").out
    assert f"{used}/120,000" in status
    assert "1,474" not in status
    assert digit(home, "memory", "prompt").out.count(rule) == 4
    async with running(home, (140, 30)) as (app, pilot):
        assert f"{used}/120,000" in screen_text(app).split("\n")[0]
        assert "1,474" not in screen_text(app).split("\n")[0]
        for text in texts:
            for line in text.split("\n"):
                assert line in screen_text(app)
            await press(pilot, "j")
        await press(pilot, "G", "e", "!", "ctrl+s")
    assert memory_file(home).read_bytes() == joined(*texts) + b"!"


# ---------------------------------------------------------------------------- F12–F14


@pytest.mark.parametrize("name", PERSONS)
async def test_f012_ten_saves_beside_stray_delimiters_leave_two_notes_and_one_size(
    make_home: MakeHome, name: str
) -> None:
    home = make_home(memory="\n§\n§\n\none\n§\n\n§\ntwo\n§\n".encode())
    status = digit(home, "memory", "status").out
    assert status.count("is a § that separates nothing") == 4
    sizes = set()
    old = "two"
    async with opened(name, home) as face:
        for number in range(10):
            assert (await face.replace(old, f"two{number}")).ok
            old = f"two{number}"
            assert len(agent_reads(memory_file(home).read_bytes())) == 2
            sizes.add(memory_file(home).stat().st_size)
        if isinstance(face, AppFace):
            await press(face.pilot, "exclamation_mark")
            assert "separates nothing" in face.screen
            await press(face.pilot, "escape", "T", "y")
            assert memory_file(home).read_bytes() == joined("one", "two9")
    assert len(sizes) == 1


@pytest.mark.parametrize("name", FACES)
async def test_f013_five_saves_of_an_edit_beside_trailing_blanks(make_home: MakeHome, name: str) -> None:
    raw = "one  \n§ \ntwo\n\n".encode()
    home = make_home(memory=raw)
    assert "the agent does not separate notes there" in digit(home, "memory", "status").out
    old = "one  \n§ \ntwo"
    async with opened(name, home) as face:
        for number in range(5):
            said = await face.replace(old, f"one  \n§ \ntwo{number}")
            assert said.ok, said.words
            old = f"one  \n§ \ntwo{number}"
    assert memory_file(home).read_bytes() == "one  \n§ \ntwo4\n\n".encode()
    contents = [path.read_bytes() for path in (home / "digit-tui" / "backups").glob("*.bak")]
    assert len(contents) == len(set(contents)) <= 5


async def test_f013_the_tool_refuses_drift_with_the_line_and_one_backup(make_home: MakeHome) -> None:
    raw = "one  \n§\ntwo\n\n".encode()
    home = make_home(memory=raw)
    tool = ToolFace(home)
    for said in [await tool.replace("two", "2") for _ in range(5)] + [
        await tool.remove("two"),
        await tool.call(operations=[{"action": "add", "content": "three"}]),
    ]:
        assert not said.ok
        assert "Line 1" in said.words
        assert "drift_backup" in said.words
    assert memory_file(home).read_bytes() == raw
    (kept,) = (home / "digit-tui" / "backups").glob("*.bak")
    assert kept.read_bytes() == raw
    assert (await tool.add("three")).ok  # a single add is let through, and joins nothing that was apart
    assert agent_reads(memory_file(home).read_bytes()) == ("one", "two", "three")
    async with running(home) as (_, pilot):
        await press(pilot, "T", "y")
    assert drift(parse(memory_file(home).read_bytes())) is None
    assert (await tool.replace("two", "2")).ok
    assert memory_file(home).read_bytes() == joined("one", "2", "three")


@pytest.mark.parametrize("name", PERSONS)
async def test_f014_the_third_of_two_equal_notes_goes_and_no_other(make_home: MakeHome, name: str) -> None:
    home = make_home(memory=joined("A", "B", "A"))
    rows = digit(home, "memory", "list").out.splitlines()
    assert rows[0].split()[0] + "~2" == rows[2].split()[0]
    assert [("several equal" in row) for row in rows] == [True, False, True]
    async with opened(name, home) as face:
        if isinstance(face, AppFace):
            await press(face.pilot, "G")
            await settle(face.pilot)
            assert face.app.main.note is not None
            assert (face.app.main.note.ref.occurrence, face.app.main.note.position) == (1, 2)
            await press(face.pilot, "d", "y", "g", "e", "!", "ctrl+s")
        else:
            assert (await face.remove("A", copy=1)).ok
            assert (await face.replace("A", "A!")).ok
        assert memory_file(home).read_bytes() == joined("A!", "B")
        if isinstance(face, CliFace):
            assert not (await face.remove("A")).ok  # an id whose text is gone names nothing
        assert (await face.undo()).ok
        assert (await face.undo()).ok
    assert memory_file(home).read_bytes() == joined("A", "B", "A")


async def test_f014_the_app_marks_duplicates(make_home: MakeHome) -> None:
    async with running(make_home(memory=joined("A", "B", "A")), (140, 30)) as (app, pilot):
        assert "duplicate: 2 notes have exactly this text" in joined_one_line(screen_text(app))
        await press(pilot, "exclamation_mark")
        assert "Note 3 is the same as note 1" in joined_one_line(screen_text(app))
