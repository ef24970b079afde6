"""All example homes: every file reads as promised, and every change can be taken back to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.document import (
    drift,
    irregularities,
    length,
    parse,
    splice_insert,
    splice_remove,
    splice_replace,
    to_bytes,
)
from digit_core.formats.profile import parse_profile, profile_length, serialise_profile
from digit_core.formats.tags import is_pinned, tags, title, with_pin, without_pin
from tests.core.formats.agent import agent_drifts, agent_reads

HOMES = ("small", "grown", "real/hermes-nixos-a", "real/hermes-fork-zh", "real/hermes-webteam-ko")
FILES = ("MEMORY.md", "USER.md")
VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda data: data,
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "bom": lambda data: b"\xef\xbb\xbf" + data,
    "final newline": lambda data: data + b"\n",
    "no final newline": lambda data: data.rstrip(),
    "padding": lambda data: b"\n \n" + data.replace("\n§\n".encode(), " \n\n§\n\n  ".encode()) + b" \n\n",
    "crlf, bom, padding": lambda data: (
        b"\xef\xbb\xbf" + data.replace("\n§\n".encode(), "\n\n§\n\t".encode()).replace(b"\n", b"\r\n")
    ),
}


@pytest.mark.parametrize("home", ["small", "grown"])
def test_notes_are_what_the_home_promises(shared: Path, home: str) -> None:
    base = shared / "homes" / home
    promised = json.loads((base / "EXPECT.json").read_text("utf-8"))
    found = {name[:-3].lower(): parse((base / "memories" / name).read_bytes()) for name in FILES}
    for name, document in found.items():
        assert len(document.entries) == promised["entries"][name]["raw"]
        assert len(set(document.texts)) == promised["entries"][name]["unique"]
        assert length(document.texts) == promised["entries"][name]["code_points"]
        assert irregularities(document) == ()
    assert sum(len(document.entries) for document in found.values()) == len(promised["notes"])
    for note in promised["notes"]:
        text = found[note["store"]].texts[note["index"]]
        got = (title(text), list(tags(text)), is_pinned(text), len(text))
        assert got == (note["title"], note["tags"], note["pinned"], note["code_points"])
    pinned = [
        [name, index, title(text)]
        for name in ("memory", "user")
        for index, text in enumerate(found[name].texts)
        if is_pinned(text)
    ]
    assert pinned == promised["pinned"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("home", HOMES)
def test_every_edit_can_be_taken_back(shared: Path, home: str, name: str, variant: str) -> None:
    data = VARIANTS[variant]((shared / "homes" / home / "memories" / name).read_bytes())
    document = parse(data)
    assert to_bytes(document) == data
    assert document.texts == agent_reads(data)
    assert (drift(document) is not None) == agent_drifts(data)
    some = range(0, len(document.entries), 1 + len(document.entries) // 12)
    for index in {*some, len(document.entries) - 1}:
        before = document.entries[index].text
        edited = splice_replace(document, index, ["Put right:\nin two lines"])
        assert to_bytes(edited) != data
        assert to_bytes(splice_replace(parse(to_bytes(edited)), index, [before])) == data
        inserted = splice_insert(document, index, "new")
        assert to_bytes(splice_remove(parse(to_bytes(inserted)), index)) == data


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("home", HOMES)
def test_every_note_can_be_pinned_and_unpinned(shared: Path, home: str, name: str) -> None:
    for text in parse((shared / "homes" / home / "memories" / name).read_bytes()).texts:
        if not is_pinned(text):
            assert is_pinned(with_pin(text))
            assert without_pin(with_pin(text)) == text
            assert title(with_pin(text)) == title(text)
        else:
            assert not is_pinned(without_pin(text))


ODD = {
    "MEMORY.md": (1, 83),
    "memory/users/owner.md": (2, 56),
    "memory/users/bob.md": (12, 1525),
    "memory/users/blank.md": (5, 27),
    "memory/users/spaced.md": (1, 48),
    "memory/users/dup.md": (3, 19),
    # The page beside the files counts two, but its § is one byte there: no § in UTF-8 (facts "Profile" 3).
    "memory/users/latin1.md": (1, 38),
    "memory/users/controls.md": (3, 60),
    "memory/users/readme.md": (1, 51),
    "memory/users/k.md": (1, 16),
    "memory/groups/tail.md": (2, 17),
    "memory/groups/lead.md": (2, 17),
    "memory/groups/only.md": (1, 1),
    "memory/groups/empty.md": (0, 0),
    "memory/groups/space.md": (0, 5),
    "memory/groups/padded.md": (3, 27),
    "memory/groups/atcap.md": (1, 1375),
    "memory/groups/emoji.md": (3, 135),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_profile_documents(shared: Path, name: str) -> None:
    data = (shared / "homes" / "profile-odd" / name).read_bytes()
    document = parse_profile(data)
    assert (len(document.entries), len(document.text)) == ODD[name]
    assert document.bom == name.endswith("owner.md")
    assert document.replaced == name.endswith("latin1.md")
    assert to_bytes(parse(data)) == data, "the other dialect gives any bytes back too"


def test_regular_profile_documents(shared: Path) -> None:
    base = shared / "homes" / "profile"
    names = ["MEMORY.md", *(str(path.relative_to(base)) for path in base.glob("memory/*/*.md"))]
    assert len(names) == 6
    for name in names:
        data = (base / name).read_bytes()
        document = parse_profile(data)
        assert serialise_profile(document.entries) == data
        assert profile_length(document.entries) == len(document.text)
