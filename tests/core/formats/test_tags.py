from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.formats.tags import code_spans, is_pinned, tag_spans, tags, title, with_pin, without_pin


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#one two #Two (#three) [#four]\n#five", ("one", "two", "three", "four", "five")),
        ("#инфра/сеть #Кухня/ #a-b- #x_y", ("инфра/сеть", "кухня", "a-b", "x_y")),
        ("#42 # Heading ##x a#b #2024год #26045 upstream#119668 #-a #_a", ()),
        ("#Heading glued", ("heading",)),
        ("#one #ONE #one", ("one",)),
        ("#a1b #fff #FFF #c0ffee #ABCDEF #deadbeef #12345678", ("fff", "deadbeef")),
        ("#a1b2c #face1", ("a1b2c", "face1")),
        ("`#code` ``#a ` #b`` #yes", ("yes",)),
        ("```\n#code\n```\n#yes", ("yes",)),
        ("~~~sh\n#code\n~~~ \n#yes", ("yes",)),
        ("```\n#open fence", ("open",)),
        ("    #indented", ("indented",)),
        ("a ` b #yes\n\nc ` d", ("yes",)),
        ("- a ` b #yes\n- c ` d", ("yes",)),
        ("\\`#no` #yes", ("yes",)),
        ("#cafe\u0301s", ("cafés",)),
        ("#हिन्दी #ไทยได้", ("हिन्दी", "ไทยได้")),
        ("#" + "x" * 70, ("x" * 64,)),
        ("x,#no x\u00a0#yes", ("yes",)),
        ("#a²b #²", ("a²b",)),
    ],
)
def test_tags(text: str, found: tuple[str, ...]) -> None:
    assert tags(text) == found


def test_spans_name_every_place() -> None:
    text = "#One x #one."
    assert [text[tag.start : tag.end] for tag in tag_spans(text)] == ["#One", "#one"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a", []),
        ("`a` ``b`c``", ["`a`", "``b`c``"]),
        ("x\n```py\n`a`\n~~~\n````\ny `z`", ["```py\n`a`\n~~~\n````", "`z`"]),
        ("```a```", ["```a```"]),
        ("````\n```\n````", ["````\n```\n````"]),
        ("```\nopen\n\n~~~\nx\n~~~", ["~~~\nx\n~~~"]),
        ("  - x\n    ```\n    y\n    ```", ["    ```\n    y\n    ```"]),
        ("`a\nb`", ["`a\nb`"]),
    ],
)
def test_code(text: str, code: list[str]) -> None:
    assert [text[start:end] for start, end in code_spans(text)] == code


@pytest.mark.parametrize(
    ("text", "pinned"),
    [
        ("a", "a #pinned"),
        ("a\nb", "a\nb #pinned"),
        ("# H", "# H #pinned"),
        ("use `x`", "use `x` #pinned"),
        ("```\nx\n```", "```\nx\n```\n\n#pinned"),
        ("| a |\n|---|\n| b |", "| a |\n|---|\n| b |\n\n#pinned"),
        ("a\n---", "a\n---\n\n#pinned"),
        ("", "#pinned"),
        ("#Pinned x", "#Pinned x"),
        ("`#pinned`", "`#pinned` #pinned"),
    ],
)
def test_pin(text: str, pinned: str) -> None:
    assert with_pin(text) == pinned


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a #pinned b", "a b"),
        ("#pinned a", "a"),
        ("a (#pinned) b", "a b"),
        ("#pinned\na", "a"),
        ("a\n#pinned\nb", "a\nb"),
        ("a #pinned\nb #Pinned", "a\nb"),
        ("  #pinned", ""),
        ("#pinned", ""),
        ("`#pinned` x", "`#pinned` x"),
        ("a\n  #pinned b", "a\n  b"),
        ("a\n  #pinned\nb", "a\nb"),
        ("  #pinned a", "  a"),
    ],
)
def test_unpin(text: str, bare: str) -> None:
    assert without_pin(text) == bare


_TEXT = st.lists(
    st.sampled_from(
        (
            "a",
            " ",
            "\n",
            "#pinned",
            "#x",
            "`",
            "```",
            "\n```\n",
            "|",
            "---",
            "(",
            ")",
            "[",
            "]",
            "~~~",
            "\\",
            "ж",
            "\n- ",
        )
    ),
    max_size=12,
).map(lambda pieces: "".join(pieces).strip())


@given(_TEXT)
def test_pinning_can_be_taken_back(text: str) -> None:
    pinned = with_pin(text)
    assert is_pinned(pinned)
    if not is_pinned(text):
        assert without_pin(pinned) == text
        assert [text[a:b] for a, b in code_spans(text)] == [pinned[a:b] for a, b in code_spans(pinned)]


@given(st.one_of(_TEXT, st.text(max_size=30)))
def test_a_title_is_never_empty(text: str) -> None:
    assert bool(title(text)) == bool(text.strip())
    assert "\n" not in title(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\n\n## Vector search\nbody", "Vector search"),
        ("# #infra Build box #pinned\nx", "Build box"),
        ("#pinned", "#pinned"),
        ("## ", "##"),
        ("##x y", "##x y"),
        ("a #b c", "a #b c"),
        ("`#a` b #c", "`#a` b"),
        ("═══\nMEMORY", "═══"),
        ("---\nname: x\n---", "---"),
    ],
)
def test_title(text: str, shown: str) -> None:
    assert title(text) == shown
