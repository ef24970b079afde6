"""Limits follow the home's config, and what they count is code points (facts 1.3, F152)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from digit_core.formats.config import read_config
from digit_core.formats.document import parse
from digit_core.formats.profile import parse_profile
from digit_core.formats.settings import Settings
from digit_core.memory.homes import HomeKind, find_home
from digit_core.memory.limits import (
    Limits,
    level,
    limits,
    limits_of,
    short_usage,
    usage,
    usage_of,
    usage_words,
)

ODD = b"""memory:
  memory_char_limit: 3200
  user_char_limit: 1001
  recall: {enabled: true, memory_char_limit: 77777, user_char_limit: 5555}
"""


def test_defaults_by_kind() -> None:
    assert limits(HomeKind.HERMES, Settings()) == {"memory": Limits(2200), "user": Limits(1375)}
    assert limits(HomeKind.DIGIT, Settings()) == {
        "memory": Limits(120_000, 2200),
        "user": Limits(24_000, 1375),
    }
    assert limits(HomeKind.PROFILE, Settings())["shared"] == Limits(2200, closing=1)


def test_odd_numbers_from_config_are_followed() -> None:
    settings = read_config(ODD).settings
    assert limits(HomeKind.DIGIT, settings) == {
        "memory": Limits(77_777, 3200, True),
        "user": Limits(5555, 1001, True),
    }
    assert limits(HomeKind.HERMES, settings) == {
        "memory": Limits(3200, None, True),
        "user": Limits(1001, None, True),
    }


def test_recall_off_makes_the_budget_the_limit_again() -> None:
    settings = read_config(b"memory:\n  recall:\n    enabled: off\n").settings
    assert limits(HomeKind.DIGIT, settings) == {"memory": Limits(2200), "user": Limits(1375)}


def test_limits_of_a_person_and_a_group() -> None:
    known = limits(HomeKind.PROFILE, Settings())
    assert limits_of(known, "shared").storage == 2200
    assert limits_of(known, "user:anna").storage == 1375
    assert limits_of(known, "group:tg1").storage == 1375
    with pytest.raises(KeyError):
        limits_of(known, "memory")


def test_usage_counts_code_points_and_delimiters() -> None:
    held = usage(("é" * 2, "e\u0301", "👩‍👩‍👧"), Limits(100))
    assert held.used == 2 + 3 + 2 + 3 + 5
    assert usage((), Limits(2200)).used == 0
    assert usage(("ab", "c"), Limits(2200, closing=1)).used == 7
    assert usage((), Limits(2200, closing=1)).used == 0


def test_words_are_those_of_the_agent() -> None:
    assert usage_words(usage_of(1474, Limits(2200))) == "67% — 1,474/2,200 chars"
    assert usage_words(usage_of(264, Limits(2200))) == "12% — 264/2,200 chars"
    assert usage_words(usage_of(5327, Limits(120_000, 2200))) == "4% — 5,327/120,000 chars"
    assert short_usage(usage_of(2100, Limits(2200))) == "2,100/2,200"


def test_over_the_limit_is_not_clipped_where_a_person_looks() -> None:
    held = usage_of(2470, Limits(2200))
    assert (held.percent, held.true_percent, held.over) == (100, 112, 270)
    assert level(held) == "over"
    assert usage_words(held) == "100% — 2,470/2,200 chars"


def test_percentages_are_truncated() -> None:
    assert usage_of(2199, Limits(2200)).percent == 99
    assert usage_of(1, Limits(2200)).percent == 0


@pytest.mark.parametrize(
    ("used", "expected"), [(0, "ok"), (79, "ok"), (80, "high"), (95, "near"), (100, "near"), (101, "over")]
)
def test_levels(used: int, expected: str) -> None:
    assert level(usage_of(used, Limits(100))) == expected


def test_a_limit_of_zero_divides_nothing() -> None:
    held = usage_of(5, Limits(0))
    assert (held.percent, held.over, level(held)) == (0, 5, "over")
    assert level(usage_of(0, Limits(0))) == "ok"


def test_verbatim_ends_behind_the_budget() -> None:
    assert usage_of(2200, Limits(120_000, 2200)).verbatim
    assert not usage_of(2201, Limits(120_000, 2200)).verbatim
    assert usage_of(99_999, Limits(2200)).verbatim  # without note search everything travels


@pytest.mark.parametrize("name", ["small", "grown"])
def test_example_homes_count_as_expected(name: str, copy_home: Callable[[str], Path]) -> None:
    path = copy_home(name)
    expected = json.loads((path / "EXPECT.json").read_text(encoding="utf-8"))
    home = find_home(str(path))
    known = limits(home.kind, read_config(home.config_path.read_bytes()).settings)
    for document in home.documents:
        held = usage(parse(home.document_path(document).read_bytes()).texts, known[document])
        assert held.limit == expected["limits"][document]
        assert held.used == expected["entries"][document]["code_points"]
        assert held.percent == 100 * held.used // held.limit


@pytest.mark.parametrize(
    ("name", "memory", "user"),
    [("real/hermes-nixos-a", "ok", "ok"), ("real/hermes-webteam-ko", "over", "over")],
)
def test_real_homes_have_default_limits(
    name: str, memory: str, user: str, copy_home: Callable[[str], Path]
) -> None:
    home = find_home(str(copy_home(name)))
    assert home.kind is HomeKind.HERMES
    known = limits(home.kind, Settings())
    shown = {}
    for document in home.documents:
        path = home.document_path(document)
        held = usage(parse(path.read_bytes()).texts if path.exists() else (), known[document])
        assert held.limit == {"memory": 2200, "user": 1375}[document]
        shown[document] = level(held)
    assert shown == {"memory": memory, "user": user}


def test_a_profile_counts_its_last_newline(copy_home: Callable[[str], Path]) -> None:
    home = find_home(str(copy_home("profile")))
    data = home.document_path("shared").read_bytes()
    held = usage(parse_profile(data).entries, limits(home.kind, Settings())["shared"])
    assert held.used == len(data.decode())
