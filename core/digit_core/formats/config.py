"""Reads config.yaml: the one place that says what a setting is.

Reading never gives up over a single key: a value that cannot be read is reported with what is used instead,
which for a write gate is "on". Only a file that is no YAML mapping at all raises.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from digit_core.errors import UnknownSetting
from digit_core.formats.config_values import Unreadable, plain_words, read_word
from digit_core.formats.config_yaml import (
    Pair,
    Source,
    compose,
    duplicates,
    find,
    is_null,
    mapping,
    own_pairs,
    place,
    scalar,
    sequence,
    small,
    what,
)
from digit_core.formats.settings import (
    GATE,
    LIST,
    MAPPING,
    PLATFORMS,
    SPECS,
    KeySpec,
    Settings,
    path_of,
    platform_spec,
    settings_from,
    spec_for,
)

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node


class ConfigProblem(NamedTuple):
    """A setting that could not be read as it stands, and what is used instead."""

    key: str
    line: int
    """From 1, as `column`."""
    column: int
    message: str
    """Plain words; begins with the key."""
    used: str
    """What is used instead, as a person writes it."""
    by_hand: bool = False
    """Whether the file has to be changed by hand; else setting the key to another value puts it right."""


class Config(NamedTuple):
    """What a config file says."""

    settings: Settings
    problems: tuple[ConfigProblem, ...] = ()
    """In file order."""
    present: frozenset[str] = frozenset()
    """Dotted keys that have a value in the file which could be read."""
    recall_key: bool = False
    """There is a `memory.recall` key, whatever it holds: the mark of a Digit home."""
    values: Mapping[str, Any] = {}
    """What the file decides: the `present` keys, and gates that count as on because they cannot be read."""
    lines: Mapping[str, int] = {}
    """Lines of the known keys and sections that are written in the file, from 1."""


DEFAULTS = Config(Settings())
"""What a missing or an empty file means."""


def read_config(data: bytes | None, path: Path | None = None) -> Config:
    """Read a config file; None and an empty file are the defaults. Raises ConfigBroken (see `compose`)."""
    if not data or not data.strip():
        return DEFAULTS
    source = compose(data, path)
    return DEFAULTS if source.root is None else _Reader(source).read(source.root)


def get_setting(config: Config, key: str) -> tuple[object, str, int | None]:
    """A setting's value, its origin (`set` or `default`) and its line in the file; raises UnknownSetting.

    A value that stands in the file and cannot be read has the origin `default` and a line.
    """
    spec = spec_for(key)
    if spec is None:
        raise unknown(key)
    value = config.values.get(key, spec.default)
    if key not in config.values and key.startswith(f"{PLATFORMS}."):
        value = config.settings.display.memory_notifications
    if key not in config.values and spec.kind == GATE:  # on when the whole file could not be read
        group = config.settings.memory if key.startswith("memory.") else config.settings.skills
        value = group.write_approval
    return value, "set" if key in config.present else "default", config.lines.get(key)


def unknown(key: str) -> UnknownSetting:
    """The error for a key that is not there, with the keys that look like it."""
    # 5 ms to import, for a mistake only.
    import difflib

    names = [spec.key for spec in SPECS]
    last = key.rsplit(".", 1)[-1]
    near = [name for name in names if name.endswith(f".{last}")]
    near += [name for name in difflib.get_close_matches(key, names, 3, 0.7) if name not in near]
    return UnknownSetting(key, tuple(near[:3]))


_Tree = dict[str, Any]
"""Sections by name: a `KeySpec` for a key, another tree for a section."""


def _tree(specs: Iterable[KeySpec]) -> _Tree:
    tree: _Tree = {}
    for spec in specs:
        *above, name = path_of(spec.key)
        branch = tree
        for section in above:
            branch = branch.setdefault(section, {})
        branch[name] = spec
    return tree


class _Reader:
    """One pass over a composed file."""

    __slots__ = ("lines", "present", "problems", "source", "values")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.values: dict[str, Any] = {}
        self.present: set[str] = set()
        self.lines: dict[str, int] = {}
        self.problems: list[ConfigProblem] = []

    def read(self, root: MappingNode) -> Config:
        self._section(root, _tree(SPECS), "")
        display = find(root, "display")
        platforms = find(mapping(display.value), "platforms") if display else None
        memory = find(root, "memory")
        return Config(
            settings_from(self.values, self._platforms(platforms) if platforms else {}),
            tuple(sorted(self.problems, key=lambda problem: (problem.line, problem.column))),
            frozenset(self.present),
            memory is not None and find(mapping(memory.value), "recall") is not None,
            self.values,
            self.lines,
        )

    def _section(self, node: MappingNode, tree: _Tree, prefix: str) -> None:
        self._report_duplicates(node, prefix)
        for name, part in tree.items():
            pair = find(node, name)
            if pair is None:
                continue
            key = prefix + name
            self.lines[key] = place(self.source.text, pair.key.start_mark.index)[0]
            if isinstance(part, KeySpec):
                self._key(part, pair.value)
            elif (child := self._mapping(key, pair, part)) is not None:
                self._section(child, part, f"{key}.")

    def _mapping(self, key: str, pair: Pair, tree: _Tree) -> MappingNode | None:
        """The mapping under a key; anything else but a blank is reported, and gates in it count as on."""
        child = mapping(pair.value)
        if child is None and not is_null(pair.value):
            gates = [part for part in tree.values() if isinstance(part, KeySpec) and part.kind == GATE]
            self.values.update((gate.key, True) for gate in gates)
            used = "the defaults, and write approval on" if gates else "the defaults"
            self._report(key, pair.value, f"{key} holds {what(pair.value)}, not settings", used, by_hand=True)
        return child

    def _key(self, spec: KeySpec, node: Node) -> None:
        """One known key. Blank and `null` are YAML's way to leave it unset, so the default counts."""
        if is_null(node):
            return
        try:
            self.values[spec.key] = self._value(spec, node)
            self.present.add(spec.key)
        except Unreadable as error:
            used = True if spec.kind == GATE else spec.default
            if spec.kind == GATE:
                self.values[spec.key] = True
            words = str(error) or what(node)
            message = f"{spec.key} cannot be {words}; it takes {spec.type}"
            by_hand = spec.kind in (LIST, MAPPING) or (scalar(node) is None and bool(node.value))
            self._report(spec.key, node, message, plain_words(used), by_hand=by_hand)

    def _value(self, spec: KeySpec, node: Node) -> object:
        word = scalar(node)
        if spec.kind == LIST:
            return self._list(spec, node)
        if spec.kind == MAPPING:
            return self._plain_mapping(node)
        if word is None:
            raise Unreadable
        return read_word(spec, word.value)

    def _list(self, spec: KeySpec, node: Node) -> tuple[str, ...]:
        word, listed = scalar(node), sequence(node)
        if word is not None:
            message = f"{spec.key} is one text; it takes {spec.type}"
            self._report(spec.key, node, message, f"[{word.value}]", by_hand=True)
            return (word.value,)
        items = [scalar(item) for item in listed.value] if listed is not None else [None]
        texts = tuple(item.value for item in items if item is not None)
        if len(texts) < len(items):
            raise Unreadable
        return texts

    def _plain_mapping(self, node: Node) -> Mapping[str, object]:
        from yaml import YAMLError
        from yaml.constructor import SafeConstructor

        if mapping(node) is None or not small(node):
            raise Unreadable
        try:
            made = SafeConstructor().construct_document(node)
        except (YAMLError, ValueError, TypeError, RecursionError) as error:
            raise Unreadable from error
        return {str(key): value for key, value in made.items()}

    def _platforms(self, platforms: Pair) -> Mapping[str, str]:
        """`display.platforms.<platform>.memory_notifications` for every platform that sets it."""
        node = self._mapping(PLATFORMS, platforms, {})
        if node is None:
            return {}
        self._report_duplicates(node, f"{PLATFORMS}.")
        found = {}
        for name in dict.fromkeys(pair.key.value for pair in own_pairs(node)):
            pair = find(node, name)
            spec = platform_spec(name)
            child = self._mapping(f"{PLATFORMS}.{name}", pair, {}) if pair else None
            if child is not None:
                self._section(child, {"memory_notifications": spec}, f"{PLATFORMS}.{name}.")
                if spec.key in self.values:
                    found[name] = self.values[spec.key]
        return found

    def _report_duplicates(self, node: MappingNode, prefix: str) -> None:
        for earlier, later in duplicates(node):
            first, last = (place(self.source.text, key.start_mark.index)[0] for key in (earlier, later))
            key = f"{prefix}{later.value}"
            message = f"{key} is written twice, in lines {first} and {last}"
            self._report(key, later, message, f"the one in line {last}", by_hand=True)

    def _report(self, key: str, node: Node, message: str, used: str, *, by_hand: bool = False) -> None:
        line, column = place(self.source.text, node.start_mark.index)
        self.problems.append(ConfigProblem(key, line, column, message, used, by_hand))
