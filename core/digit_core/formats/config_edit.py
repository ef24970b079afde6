"""Changes one setting in the text of config.yaml and leaves every other byte as it is.

A value that is there is replaced in its line. A key that is not there becomes one new line in its section. A
section that is not there is added with it (a top one at the end of the file), which takes more than one line.
What cannot be done that way without touching anything else is refused with line and column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from digit_core.errors import ConfigBroken, InvalidSetting
from digit_core.formats.config import read_config, unknown
from digit_core.formats.config_values import Unreadable, read_word
from digit_core.formats.config_yaml import (
    BOM,
    Pair,
    Source,
    compose,
    duplicates,
    events,
    is_null,
    mapping,
    own_pairs,
    place,
    scalar,
    what,
)
from digit_core.formats.settings import LIST, MAPPING, SPECS, KeySpec, path_of, spec_for

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node, ScalarNode

_NEWLINE = re.compile(r"\r\n|\n|\r")
# What YAML 1.1 and 1.2 both read as the same text without quotes, in a block and inside braces.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*", re.ASCII)
_NOT_PLAIN = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
_BY_HAND = "change it in the file itself"


def setting_keys() -> tuple[KeySpec, ...]:
    """Every key there is, section by section; `display.platforms.<platform>.memory_notifications` besides."""
    return SPECS


def change_setting(data: bytes | None, key: str, value: str, path: Path | None = None) -> bytes:
    """The file's bytes with one setting changed; None is a file that does not exist yet.

    Raises UnknownSetting, InvalidSetting, and ConfigBroken for a file that does not parse, that holds any key
    twice, or whose value is an alias, has an anchor or a tag, or goes over several lines.
    """
    spec = spec_for(key)
    if spec is None:
        raise unknown(key)
    wanted = _wanted(spec, value)
    source = compose(data or b"", path)
    file = _File(source.text, path)
    if source.root is not None:
        _refuse_duplicates(file, source.root)
    edited = _edited(file, source, path_of(key), wanted)
    changed = (BOM if source.bom else b"") + edited.encode("utf-8")
    _check(file, data, changed, key, wanted)
    return changed


class _File(NamedTuple):
    """The text that is edited, and how to refuse it."""

    text: str
    path: Path | None

    def newline(self) -> str:
        found = _NEWLINE.search(self.text)
        return found.group() if found else "\n"

    def line_start(self, offset: int) -> int:
        before = self.text[:offset]
        return max(before.rfind("\n"), before.rfind("\r")) + 1

    def with_value(self, offset: int, value: str) -> str:
        """The text with a value where none is, right behind its colon; the loaders disagree on where that is."""
        colon = len(self.text[:offset].rstrip())
        if self.text[colon - 1] == ":":
            return self.spliced(colon, colon, f" {value}")
        return self.spliced(offset, offset, value)

    def spliced(self, start: int, end: int, new: str) -> str:
        return self.text[:start] + new + self.text[end:]

    def with_lines(self, offset: int, lines: Sequence[str]) -> str:
        """The text with new lines behind the line of `offset`; where no newline ended the file, none does."""
        end = _NEWLINE.search(self.text, offset)
        if end is None:
            return self.text + "".join(self.newline() + line for line in lines)
        return self.spliced(end.end(), end.end(), "".join(line + end.group() for line in lines))

    def refusal(self, offset: int, problem: str) -> ConfigBroken:
        return ConfigBroken(self.path, *place(self.text, offset), problem)


def _wanted(spec: KeySpec, value: str) -> bool | float | str:
    """What the value means for its key; raises InvalidSetting."""
    allowed = (
        f"{spec.type}, which is changed in the file itself" if spec.kind in (LIST, MAPPING) else spec.type
    )
    if not value.isprintable():
        raise InvalidSetting(spec.key, value, allowed)
    try:
        return read_word(spec, value)
    except Unreadable as error:
        raise InvalidSetting(spec.key, value, allowed) from error


def _written(value: bool | float | str, style: str | None = None) -> str:
    """A value as YAML: booleans and numbers bare; texts in the quotes they had, else bare if that is safe."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    if style != '"' and _PLAIN.fullmatch(value) and value.lower() not in _NOT_PLAIN:
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _refuse_duplicates(file: _File, root: MappingNode) -> None:
    """With a key written twice it is unclear what a change means; strict YAML readers refuse such a file."""
    found: list[tuple[ScalarNode, ScalarNode]] = []
    stack: list[Node] = [root]
    seen: set[int] = set()  # an alias is the same node again
    while stack:
        node = stack.pop()
        if id(node) in seen or scalar(node):
            continue
        seen.add(id(node))
        inside = mapping(node)
        if inside is None:
            stack += node.value
        else:
            found += duplicates(inside)
            stack += [part for pair in inside.value for part in pair]
    if found:
        first, second = min(found, key=lambda pair: pair[1].start_mark.index)
        line = place(file.text, first.start_mark.index)[0]
        problem = f"{second.value} is written twice, first in line {line}; remove one of them"
        raise file.refusal(second.start_mark.index, problem)


def _edited(file: _File, source: Source, names: tuple[str, ...], wanted: bool | float | str) -> str:
    if source.root is None:
        return _appended(file, "", names, wanted)
    node = source.root
    for depth, name in enumerate(names):
        pair = next((pair for pair in own_pairs(node) if pair.key.value == name), None)
        rest = names[depth:]
        if pair is None:
            return _inserted(file, source.root, node, rest, wanted)
        if _is_alias(pair):
            raise file.refusal(pair.key.start_mark.index, f"{name} is an alias (*); {_BY_HAND}")
        if len(rest) == 1:
            return _replaced(file, pair, wanted)
        child = mapping(pair.value)
        if child is None:
            return _filled(file, source.root, node, pair, rest[1:], wanted)
        node = child
    raise AssertionError("a key has at least one name")


def _is_alias(pair: Pair) -> bool:
    """Whether the value is only pointed at: an alias is the node of its anchor, which stands before."""
    return bool(pair.value.start_mark.index < pair.key.end_mark.index)


def _replaced(file: _File, pair: Pair, wanted: bool | float | str) -> str:
    """The text with another value in the place of the one that is there."""
    start, end = pair.value.start_mark.index, pair.value.end_mark.index
    span = file.text[start:end]
    word = scalar(pair.value)
    if start == end:
        return file.with_value(start, _written(wanted))
    if span[0] in "&!":
        raise file.refusal(start, f"{pair.key.value} has an anchor or a tag; {_BY_HAND}")
    if _NEWLINE.search(span):
        raise file.refusal(start, f"{pair.key.value} goes over several lines; {_BY_HAND}")
    if word is None and pair.value.value:
        raise file.refusal(start, f"{pair.key.value} holds {what(pair.value)}; {_BY_HAND}")
    return file.spliced(start, end, _written(wanted, word.style if word is not None else None))


def _inserted(
    file: _File, root: MappingNode, section: MappingNode, names: Sequence[str], wanted: bool | float | str
) -> str:
    """The text with a key (and the sections that are missing above it) added to a section that is there."""
    first = section.value[0][0] if section.value else None
    if section.flow_style or first is None:
        inside = first.start_mark.index if first else file.text.index("{", section.start_mark.index) + 1
        quote = '"' if first is not None and getattr(first, "style", None) == '"' else ""
        return file.spliced(inside, inside, _flow(names, wanted, quote) + (", " if first else ""))
    indent = " " * first.start_mark.column
    if section is root:
        return _appended(file, indent, names, wanted)
    lines = _block(indent, " " * _step(root), names, wanted)
    for pair in reversed(own_pairs(section)):
        if _on_one_line(file, pair):
            return file.with_lines(pair.value.end_mark.index, lines)
    start = file.line_start(first.start_mark.index)
    return file.spliced(start, start, "".join(line + file.newline() for line in lines))


def _on_one_line(file: _File, pair: Pair) -> bool:
    """Whether a pair and nothing before it stands in one line, so that another line can follow."""
    start, end = pair.key.start_mark.index, pair.value.end_mark.index
    alone = not file.text[file.line_start(start) : start].strip()
    return (
        alone
        and not _is_alias(pair)
        and bool(scalar(pair.value))
        and not _NEWLINE.search(file.text[start:end])
    )


def _filled(
    file: _File,
    root: MappingNode,
    parent: MappingNode,
    pair: Pair,
    names: Sequence[str],
    wanted: bool | float | str,
) -> str:
    """The text with a first key in a section that is blank or null."""
    start, end = pair.value.start_mark.index, pair.value.end_mark.index
    if not is_null(pair.value):
        raise file.refusal(start, f"{pair.key.value} holds {what(pair.value)}, not settings; {_BY_HAND}")
    if start == end and not parent.flow_style:
        indent = " " * (pair.key.start_mark.column + _step(root))
        return file.with_lines(start, _block(indent, " " * _step(root), names, wanted))
    value = f"{{{_flow(names, wanted)}}}"
    return file.with_value(start, value) if start == end else file.spliced(start, end, value)


def _appended(file: _File, indent: str, names: Sequence[str], wanted: bool | float | str) -> str:
    """The text with a section at its end; a last line without a newline stays the rule if it was."""
    lines = _block(indent, "  ", names, wanted)
    if not file.text or file.text[-1] in "\r\n":
        return file.text + "".join(line + file.newline() for line in lines)
    return file.with_lines(len(file.text), lines)


def _block(indent: str, step: str, names: Sequence[str], wanted: bool | float | str) -> list[str]:
    """Lines of nested sections, the last with the value."""
    *above, name = (_written(name) for name in names)
    lines = [f"{indent}{step * depth}{section}:" for depth, section in enumerate(above)]
    return [*lines, f"{indent}{step * len(above)}{name}: {_written(wanted)}"]


def _flow(names: Sequence[str], wanted: bool | float | str, quote: str = "") -> str:
    """`name: {name: value}`, in double quotes where the neighbours are (JSON is YAML)."""
    *above, name = (_written(name, quote) for name in names)
    opened = "".join(f"{section}: {{" for section in above)
    return f"{opened}{name}: {_written(wanted, quote)}{'}' * len(above)}"


def _step(root: MappingNode) -> int:
    """By how many blanks the file indents its sections: as the first one does, else two."""
    for pair in own_pairs(root):
        child = mapping(pair.value)
        if child is not None and child.value and not child.flow_style and not _is_alias(pair):
            return max(1, int(child.value[0][0].start_mark.column) - int(pair.key.start_mark.column))
    return 2


def _check(file: _File, before: bytes | None, after: bytes, key: str, wanted: bool | float | str) -> None:
    """Read the result again: it says what was wanted, and nothing else in the file says anything new."""
    problem = f"{key} cannot be changed without touching something else; {_BY_HAND}"
    try:
        old, new = read_config(before, file.path), read_config(after, file.path)
        told_before, told_after = events(file.text), events(compose(after).text)
    except ConfigBroken as error:
        raise file.refusal(len(file.text), problem) from error
    others = {name: value for name, value in old.values.items() if name != key}
    same = others == {name: value for name, value in new.values.items() if name != key}
    read_back = key in new.present and new.values[key] == wanted
    if not (same and read_back and _one_place(told_before, told_after)):
        raise file.refusal(len(file.text), problem)


def _one_place(before: list[tuple[str, ...]], after: list[tuple[str, ...]]) -> bool:
    """Whether only one value (at most an empty pair of brackets) gave way for something new in its place."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return len(before) - head - tail <= 2
