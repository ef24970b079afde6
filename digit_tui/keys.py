"""Keys as a person means them: by their place on the keyboard, whatever layout is on.

On a Russian layout the key of `q` sends `й`, and `ctrl+с` holds a Cyrillic letter. `latin` gives the key
that a shortcut is bound to; text that is typed is never touched.
"""

from __future__ import annotations

_RUSSIAN = "йцукенгшщзхъфывапролджэячсмитьбю.ё"
_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./`"
_RUSSIAN_SHIFTED = "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,Ё"
_LATIN_SHIFTED = 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?~'
# Other Slavic layouts put their own letters on the places of ы, э, ъ, ё.
_MORE = {"і": "s", "І": "S", "ї": "]", "Ї": "}", "є": "'", "Є": '"', "ў": "o", "Ў": "O"}

LATIN_FOR = {
    **dict(zip(_RUSSIAN, _LATIN, strict=True)),
    **dict(zip(_RUSSIAN_SHIFTED, _LATIN_SHIFTED, strict=True)),
    **_MORE,
}
"""Character that a Cyrillic layout sends → character on the same key of the Latin one."""

_NAMES = {
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "{": "left_curly_bracket",
    "}": "right_curly_bracket",
    ";": "semicolon",
    ":": "colon",
    "'": "apostrophe",
    '"': "quotation_mark",
    ",": "comma",
    ".": "full_stop",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    "/": "slash",
    "?": "question_mark",
    "`": "grave_accent",
    "~": "tilde",
}
_CHARACTERS = {name: character for character, name in _NAMES.items()}


def latin(key: str) -> str:
    """The key that is meant: `q` for `й`, `ctrl+c` for `ctrl+с`; any other key as it is.

    `.` and `,` stand where a Latin layout has `/` and `?`, and no shortcut is bound to them.
    """
    modifiers, plus, last = key.rpartition("+")
    meant = LATIN_FOR.get(_CHARACTERS.get(last, last))
    if meant is None:
        return key
    if modifiers and meant.isalpha():
        meant = meant.lower()
    return f"{modifiers}{plus}{_NAMES.get(meant, meant)}"
