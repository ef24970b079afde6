"""Faults of the kind "Parsing the memory files", at the level of bytes and entries."""

from __future__ import annotations

from digit_core.formats.document import (
    content_fault,
    drift,
    irregularities,
    length,
    normalise,
    parse,
    propose_split,
    splice_add,
    splice_remove,
    splice_replace,
    to_bytes,
)
from digit_core.formats.split import likely_split
from digit_core.formats.tags import tags, title
from tests.core.formats.agent import agent_drifts, agent_reads


def _kinds(data: bytes) -> set[str]:
    return {odd.kind for odd in irregularities(parse(data))}


def test_f001_content_with_a_delimiter_line_is_refused_by_line_and_can_be_split_on_purpose() -> None:
    content = "Deploy checklist:\n§\nrun the migration first"
    fault = content_fault(content)
    assert fault is not None
    assert (fault.kind, fault.line) == ("delimiter", 2)
    assert "Line 2" in fault.message
    assert propose_split(content) == ("Deploy checklist:", "run the migration first")
    assert content_fault("see § 5 and\n§§ 10–12") is None


def test_f003_only_a_line_that_is_exactly_the_sign_separates() -> None:
    data = "User prefers § for sections\n§\nсм. § 5 ГК РФ, §§ 10–12\n§\n  § indented\n".encode()
    expected = ("User prefers § for sections", "см. § 5 ГК РФ, §§ 10–12", "§ indented")
    assert parse(data).texts == expected == agent_reads(data)
    assert irregularities(parse(data)) == ()


def test_f004_a_file_without_delimiters_is_one_whole_note_with_an_offer() -> None:
    text = "## Schedule\n- Daily: website check\n- Weekly: backup\n\n## Projects\nFoo at /data/foo/\n"
    for data in (text.encode(), (text + "\n" + "\n".join(f"- fact {n}" for n in range(900))).encode()):
        document = parse(data)
        assert document.texts == (data.decode().strip(),)
        (odd,) = irregularities(document)
        assert odd.kind == "no delimiter"
        assert f"{length(document.texts):,} characters" in odd.message
        proposal = propose_split(document.texts[0])
        assert [title(note) for note in proposal] == ["Schedule", "Projects"]
    assert propose_split(text) == (
        "## Schedule\n- Daily: website check\n- Weekly: backup",
        "## Projects\nFoo at /data/foo/",
    )


def test_f005_a_legacy_file_is_split_by_headings_and_then_takes_every_write() -> None:
    sections = [f"## Heading {n}\n" + "fact and more of it. " * 28 for n in range(20)]
    data = ("\n\n".join(sections) + "\n").encode()
    document = parse(data)
    found = drift(document, 2200)
    assert found is not None
    assert (found.kind, found.line) == ("long entry", 1)
    proposal = propose_split(document.texts[0])
    assert likely_split(document.texts[0]) == proposal == tuple(section.strip() for section in sections)
    migrated = splice_replace(document, 0, proposal)
    assert len(migrated.entries) == 20
    assert drift(migrated, 2200) is None
    assert to_bytes(document) == data, "declining leaves the file as it is"
    assert to_bytes(splice_remove(splice_add(migrated, "new"), 20)) == to_bytes(migrated).rstrip()


def test_f007_a_byte_order_mark_is_no_text() -> None:
    data = b"\xef\xbb\xbfUser prefers dark mode\n\xc2\xa7\nsecond\n"
    document = parse(data)
    assert document.texts == ("User prefers dark mode", "second")
    assert "bom" in _kinds(data)
    deleted = to_bytes(splice_remove(document, 0))
    edited = to_bytes(splice_replace(document, 1, ["2nd"]))
    added = to_bytes(splice_add(document, "third"))
    for after in (deleted, edited, added):
        assert after.rfind(b"\xef\xbb\xbf") == 0
    assert agent_reads(deleted) == ("second",)
    assert b"\xef\xbb\xbf" not in to_bytes(normalise(document))


def test_f008_bytes_that_are_no_utf8_stay_and_are_named() -> None:
    for bad in (b"caf\xe9", b"\xcf\xf0\xe8\xe2\xe5\xf2"):
        data = b"User prefers " + bad + b" mode\n\xc2\xa7\nsecond\n"
        document = parse(data)
        assert len(document.entries) == 2
        assert document.texts[1] == "second"
        assert document.bad_bytes[0] == data.index(bytes([max(bad)]) if bad[0] < 128 else bad[:1])
        assert "bad bytes" in _kinds(data)
        edited = to_bytes(splice_replace(document, 1, ["zweite"]))
        assert edited == data.replace(b"second", b"zweite")
        assert "\ufffd".encode() not in edited


def test_f010_a_sign_in_a_fence_separates_as_it_does_for_the_agent() -> None:
    data = "Real memory one\n```\n§\n```\nReal memory two".encode()
    assert parse(data).texts == agent_reads(data) == ("Real memory one\n```", "```\nReal memory two")
    assert [(odd.kind, odd.line) for odd in irregularities(parse(data))] == [
        ("unbalanced fence", 2),
        ("unbalanced fence", 4),
    ]


def test_f011_words_of_structure_inside_a_note_are_text() -> None:
    rule = "═" * 46
    notes = (
        f"{rule}\nMEMORY (your personal notes) [67% — 1,474/2,200 chars]\n{rule}",
        "# Heading\nbody",
        "---\nname: x\n---",
    )
    data = "\n§\n".join(notes).encode()
    document = parse(data)
    assert document.texts == notes
    assert irregularities(document) == ()
    assert [title(note) for note in notes] == [rule, "Heading", "---"]
    assert [tags(note) for note in notes] == [(), (), ()]


def test_f012_stray_delimiters_do_not_multiply() -> None:
    data = "\n§\n§\n\none\n§\n\n§\ntwo\n§\n".encode()
    document = parse(data)
    # The agent keeps the second of two adjacent § lines with what follows; so does this.
    assert document.texts == agent_reads(data) == ("§\n\none", "two")
    assert [odd.kind for odd in irregularities(document)] == ["stray delimiter"] * 4
    sizes = []
    for n in range(10):
        document = splice_replace(parse(to_bytes(document)), 1, [f"two{n}"])
        assert len(document.entries) == 2
        sizes.append(len(to_bytes(document)))
    assert len(set(sizes)) == 1
    assert to_bytes(normalise(parse(data))) == "one\n§\ntwo".encode()


def test_f013_what_the_agent_accepts_is_accepted_and_stays_so() -> None:
    data = "one  \n§ \ntwo\n\n".encode()
    document = parse(data)
    assert document.texts == agent_reads(data) == ("one  \n§ \ntwo",)
    assert drift(document) is None
    assert not agent_drifts(data)
    assert "near delimiter" in _kinds(data)
    for n in range(5):
        document = splice_replace(document, 0, [f"one  \n§ \ntwo{n}"])
        assert drift(document) is None
    assert propose_split(document.texts[0]) == ("one", "two4")
    # Blanks around a true delimiter are drift for the agent: named by line, and one step puts them right.
    padded = parse("one  \n§\ntwo\n\n".encode())
    found = drift(padded)
    assert found is not None
    assert found.line == 1
    assert drift(normalise(padded)) is None


def test_f014_equal_notes_are_told_apart() -> None:
    document = parse("A\n§\nB\n§\nA".encode())
    assert document.texts == ("A", "B", "A")
    (odd,) = irregularities(document)
    assert (odd.kind, odd.line, odd.message) == ("duplicate", 5, "Note 3 is the same as note 1.")
    third_gone = splice_remove(document, 2)
    assert to_bytes(third_gone) == "A\n§\nB".encode()
    assert to_bytes(splice_replace(third_gone, 0, ["A2"])) == "A2\n§\nB".encode()
