"""Pages: wrapping, signs in the margin, scrolling, and that nothing of a text is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from digit_core.text.measure import width
from digit_core.text.visible import visible
from digit_tui.widgets.page import BLANK, Page, Paragraph, lay_out, plain
from tests.digit_tui.screens.support import assert_whole, hosted
from tests.hostile import TEXTS


def page_of(text: str) -> Page:
    """A page as high as the window."""
    page = Page([plain(text)])
    page.styles.height = "100%"
    return page


WORDS = st.lists(
    st.sampled_from(["word", " ", "整理", "👨‍👩‍👧", "é", "\t", "\n", "क्षि", "‌", "x" * 9]), max_size=20
)


@given(WORDS, st.integers(8, 40), st.sampled_from(["", "△"]))
def test_no_row_is_wider_than_the_page(pieces: list[str], cells: int, mark: str) -> None:
    for line in lay_out([plain("".join(pieces), "text", mark)], cells):
        assert width(line.mark) + sum(width(text) for text, _ in line.runs) <= cells


@given(st.lists(st.sampled_from(["ab ", "слово", "整", "\x1b"]), max_size=8), st.integers(4, 30))
def test_runs_wrap_together_and_keep_their_styles(pieces: list[str], cells: int) -> None:
    runs = tuple((text, "added" if number % 2 else "removed") for number, text in enumerate(pieces))
    rows = lay_out([Paragraph(runs)], cells)
    for style in ("added", "removed"):
        expected = "".join(visible(text) for text, named in runs if named == style).replace(" ", "")
        assert (
            "".join(t for row in rows for t, named in row.runs if named == style).replace(" ", "") == expected
        )


def test_a_tab_stands_where_it_would_in_the_whole_line() -> None:
    rows = lay_out([Paragraph((("ab", "text"), ("\tc", "added")))], 40)
    assert "".join(text for text, _ in rows[0].runs) == "ab  c"


def test_a_joiner_at_the_end_of_a_run_is_seen_in_its_line() -> None:
    rows = lay_out([Paragraph((("می\u200c", "text"), ("خواهم", "added")))], 40)
    assert "".join(text for text, _ in rows[0].runs) == visible("می\u200cخواهم")


async def test_it_scrolls_to_the_last_row_and_keeps_clear_of_its_scroll_bar() -> None:
    text = "\n".join(f"{number:03} " + "x" * 36 for number in range(50))
    async with hosted(page_of(text), (40, 10)) as (app, pilot):
        await pilot.press("G")
        await pilot.pause()
        assert "049" in app.words
        assert "".join(app.lines).count("x" * 35) + "".join(app.lines).count("x" * 36) >= 4
        await pilot.press("g")
        await pilot.pause()
        assert "000" in app.words


async def test_the_same_text_shown_again_stays_where_it_is() -> None:
    page = page_of("\n".join(map(str, range(90))))
    async with hosted(page, (40, 10)) as (app, pilot):
        await pilot.press("G")
        await pilot.pause()
        page.show([plain("\n".join(map(str, range(90))))])
        await pilot.pause()
        assert "89" in app.words
        page.show([plain("other")])
        await pilot.pause()
        assert app.words == "other"


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (40, 12), (133, 40)])
async def test_hostile_texts_at_any_size(size: tuple[int, int]) -> None:
    async with hosted(Page([plain(text, mark="△") for text in TEXTS] + [BLANK]), size) as (app, pilot):
        assert_whole(app.lines, size[0])
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert_whole(app.lines, 40)


async def test_a_large_text_is_laid_out_once_a_width(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counted(*args: object) -> list[object]:
        calls.append(args[1])
        return lay_out(*args)  # type: ignore[arg-type, return-value]

    monkeypatch.setattr("digit_tui.widgets.page.lay_out", counted)
    page = page_of("word " * 20_000)
    async with hosted(page, (60, 16)) as (_app, pilot):
        for _ in range(20):
            await pilot.press("j")
        await pilot.pause()
        assert len(calls) <= 3, calls
