"""What a word in config.yaml means: every spelling of booleans, numbers and choices (facts 3.2, 7).

The one place where spellings are read; the reader, the editor and the command line all come here.
"""

from __future__ import annotations

import re

from digit_core.formats.settings import BOOL, CHOICE, GATE, INT, NUMBER, TEXT, KeySpec

TRUE_WORDS = frozenset({"true", "yes", "on", "1", "y", "t", "approve", "enabled", "enable"})
FALSE_WORDS = frozenset({"false", "no", "off", "0", "n", "f", "disabled", "disable", "none", "null"})

# A leading zero is left out on purpose: YAML 1.1 reads 0100 as 64, YAML 1.2 and people as 100.
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9_]{0,17})(?:\.[0-9]{0,17})?(?:[eE]\+?[0-9]{1,2})?", re.ASCII)


class Unreadable(ValueError):
    """A word that the key cannot have. Its text is the word, shortened and quoted, or empty."""

    def __init__(self, word: str | None = None) -> None:
        super().__init__("" if word is None else repr(word if len(word) <= 40 else word[:39] + "…"))


def read_bool(word: str) -> bool:
    """`true/yes/on/1/approve/enabled…` and `false/no/off/0/disabled/none…` in any case. Raises Unreadable."""
    folded = word.strip().lower()
    if folded in TRUE_WORDS:
        return True
    if folded in FALSE_WORDS:
        return False
    raise Unreadable(word)


def read_number(word: str) -> float:
    """`6`, `2_200`, `2e3`, `0.5`; an int when it is whole. Raises Unreadable."""
    if not _NUMBER.fullmatch(word.strip()):
        raise Unreadable(word)
    digits = word.strip().replace("_", "")
    try:
        return int(digits)
    except ValueError:
        value = float(digits)
    return int(value) if value.is_integer() else value


def read_choice(word: str, choices: tuple[str, ...]) -> str:
    """One of the choices, in any case; each spelling of a boolean means `on` or `off`. Raises Unreadable."""
    folded = word.strip().lower()
    return folded if folded in choices else "on" if read_bool(word) else "off"


def read_word(spec: KeySpec, word: str) -> bool | float | str:
    """The value of a word by the kind of its key; raises Unreadable (lists and mappings are no words)."""
    if spec.kind in (BOOL, GATE):
        return read_bool(word)
    if spec.kind == CHOICE:
        return read_choice(word, spec.choices)
    if spec.kind == TEXT:
        return word
    if spec.kind not in (INT, NUMBER):
        raise Unreadable(word)
    number = read_number(word)
    whole = isinstance(number, int) or spec.kind == NUMBER
    if not whole or number < spec.minimum or (spec.maximum is not None and number > spec.maximum):
        raise Unreadable(word)
    return number


def plain_words(value: object) -> str:
    """A value as a person writes it: `true`, `2200`, `on`, `[a, b]`, `""`; `not set` for None."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(str(item) for item in value) + "]"
    if value is None:
        return "not set"
    return str(value) if value != "" else '""'
