"""`digit memory`: pin, split, tidy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.digit_tui.cli.conftest import Digit
from tests.storing import joined, memory_file, user_file

MakeHome = Callable[..., Path]

LONG = "# One\na\n\n# Two\nb"


def test_pin_puts_the_tag_on_and_takes_it_off(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "two"))
    said = digit("memory", "pin", "one", home=home)
    assert (said.code, said.out) == (0, "Pinned; the tag costs 8 characters.\n")
    assert memory_file(home).read_bytes() == joined("one #pinned", "two")
    value = digit("memory", "pin", "one", "--json", home=home).json
    assert (value["ok"], value["changed"], value["message"]) == (True, True, "No longer pinned.")
    assert memory_file(home).read_bytes() == joined("one", "two")


def test_split_shows_first_and_is_done_with_yes(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=joined(LONG, "short"))
    said = digit("memory", "split", "Two", home=home)
    assert (said.code, said.out) == (0, "# One\na\n§\n# Two\nb\n")
    assert "would become 2" in said.err and "--yes" in said.err
    value = digit("memory", "split", "Two", "--json", home=home).json
    assert (value["changed"], value["proposal"]) == (False, ["# One\na", "# Two\nb"])
    assert memory_file(home).read_bytes() == joined(LONG, "short")
    value = digit("memory", "split", "Two", "--json", "-y", home=home).json
    assert (value["ok"], value["changed"], len(value["notes"])) == (True, True, 2)
    assert memory_file(home).read_bytes() == joined("# One\na", "# Two\nb", "short")
    digit("memory", "undo", home=home)
    assert memory_file(home).read_bytes() == joined(LONG, "short")


def test_a_note_of_one_piece_is_not_split(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    said = digit("memory", "split", "one", "-y", home=home)
    assert (said.code, said.out) == (0, "") and "no headings" in said.err
    assert digit("memory", "split", "one", "--json", home=home).json["changed"] is False
    assert digit("memory", "split", "gone", home=home).code == 3


def test_tidy_shows_what_differs_and_is_done_with_yes(digit: Digit, make_home: MakeHome) -> None:
    odd = b"one \n\xc2\xa7\n\n\ntwo\n\xc2\xa7\n"
    home = make_home(memory=odd, user=b"\xef\xbb\xbfu")
    said = digit("memory", "tidy", home=home)
    assert said.code == 0
    assert said.out.startswith(f"{memory_file(home)}\n@@ ") and "-one·\n+one\n" in said.out
    assert said.out.endswith(f"{user_file(home)}\nThe byte order mark goes.\n")
    assert "--yes" in said.err
    assert set(digit("memory", "tidy", "--json", home=home).json["differences"]) == {"memory", "user"}
    assert memory_file(home).read_bytes() == odd
    assert digit("memory", "tidy", "--store", "memory", "--yes", home=home).code == 0
    assert memory_file(home).read_bytes() == joined("one", "two")
    assert user_file(home).read_bytes() == b"\xef\xbb\xbfu"
    said = digit("memory", "tidy", "--store", "memory", "-y", home=home)
    assert said.code == 0 and "own form already" in said.err
    digit("memory", "undo", home=home)
    assert memory_file(home).read_bytes() == odd


def test_what_cannot_be_read_is_not_tidy(digit: Digit, make_home: MakeHome) -> None:
    home = make_home(user=" u ")
    memory_file(home).mkdir()
    said = digit("memory", "tidy", home=home)
    assert said.code == 1
    assert str(memory_file(home)) in said.err and "+u" in said.out
    assert digit("memory", "tidy", "-y", home=home).code == 1
    assert user_file(home).read_bytes() == b"u"
