"""YAML as a tree of nodes that know their place in the text; nothing is constructed, no alias is copied."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from digit_core.errors import ConfigBroken

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

BOM = b"\xef\xbb\xbf"
NULL = "tag:yaml.org,2002:null"
MERGE = "tag:yaml.org,2002:merge"


class Source(NamedTuple):
    """A config file that parses: its text and its root."""

    text: str
    """Without the byte order mark; all offsets count code points of it."""
    bom: bool
    root: MappingNode | None
    """None: nothing in it but comments."""


class Pair(NamedTuple):
    """One key of a mapping with its value."""

    key: ScalarNode
    value: Node


def compose(data: bytes, path: Path | None = None) -> Source:
    """Parse a config file.

    Raises ConfigBroken for what is no YAML, for several documents, and for a root that is no mapping.
    """
    text, bom = decode(data, path)
    if not text.strip():
        return Source(text, bom, None)
    # About 25 ms to import: only where there is a config file to read.
    import yaml

    try:
        # The loader in C, where it was built, is ten times as fast as the other.
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError) as error:
        raise _broken(error, text, path) from error
    if root is None or root.tag == NULL:
        return Source(text, bom, None)
    if not isinstance(root, yaml.MappingNode):
        line, column = place(text, root.start_mark.index)
        raise ConfigBroken(
            path, line, column, f"the file holds {what(root)}; settings are `key: value` lines"
        )
    return Source(text, bom, root)


def decode(data: bytes, path: Path | None) -> tuple[str, bool]:
    """The text and whether a byte order mark stood before it; raises ConfigBroken where it is no UTF-8."""
    bom = data.startswith(BOM)
    body = data[len(BOM) :] if bom else data
    try:
        return body.decode("utf-8"), bom
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        line, column = place(before, len(before))
        raise ConfigBroken(path, line, column, "these bytes are no UTF-8; save the file as UTF-8") from error


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1, lines as an editor counts them."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _broken(error: Exception, text: str, path: Path | None) -> ConfigBroken:
    from yaml.reader import Reader, ReaderError

    if isinstance(error, ReaderError):
        # The loader in C tells bytes here, the other one code points: look again.
        found = Reader.NON_PRINTABLE.search(text)
        line, column = place(text, found.start() if found else 0)
        return ConfigBroken(path, line, column, "a control character, which YAML does not allow")
    mark = getattr(error, "problem_mark", None)
    offset = mark.index if mark is not None else 0
    words = getattr(error, "problem", None) or "it nests too deeply"
    if "cannot start any token" in words and text[offset : offset + 1] == "\t":
        words = "a tab cannot indent YAML; use spaces"
    line, column = place(text, offset)
    return ConfigBroken(path, line, column, words)


def what(node: Node) -> str:
    """What a node is, in words."""
    return "a mapping" if mapping(node) else "a list" if sequence(node) else "a single value"


def is_null(node: Node) -> bool:
    """Whether a value says nothing: blank, `~` or `null` without quotes."""
    return bool(node.tag == NULL)


def mapping(node: Node | None) -> MappingNode | None:
    """The node when it is a mapping."""
    from yaml.nodes import MappingNode

    return node if isinstance(node, MappingNode) else None


def scalar(node: Node | None) -> ScalarNode | None:
    """The node when it is a scalar."""
    from yaml.nodes import ScalarNode

    return node if isinstance(node, ScalarNode) else None


def sequence(node: Node | None) -> SequenceNode | None:
    """The node when it is a list."""
    from yaml.nodes import SequenceNode

    return node if isinstance(node, SequenceNode) else None


def own_pairs(node: MappingNode) -> list[Pair]:
    """The pairs written in this mapping itself, in file order; no merge keys, no keys but scalars."""
    return [Pair(key, value) for key, value in node.value if scalar(key) and key.tag != MERGE]


def find(node: MappingNode | None, name: str) -> Pair | None:
    """The pair of a key: the last one written here, as YAML readers take it, else one that `<<` brings in."""
    waiting = [node] if node is not None else []
    seen: set[int] = set()  # a mapping may merge itself, or one mapping a million times
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        for pair in reversed(own_pairs(current)):
            if pair.key.value == name:
                return pair
        waiting += reversed(_merged(current))
    return None


def _merged(node: MappingNode) -> list[MappingNode]:
    """The mappings that `<<` brings in; the first that has a key wins."""
    sources: list[Node] = []
    for key, value in node.value:
        if key.tag == MERGE:
            listed = sequence(value)
            sources += listed.value if listed is not None else [value]
    return [found for found in map(mapping, sources) if found is not None]


def duplicates(node: MappingNode) -> list[tuple[ScalarNode, ScalarNode]]:
    """Keys that are written more than once in one mapping: the earlier and the later one, by pairs."""
    seen: dict[str, ScalarNode] = {}
    twice = []
    for key, _ in own_pairs(node):
        if key.value in seen:
            twice.append((seen[key.value], key))
        seen[key.value] = key
    return twice


def small(node: Node, limit: int = 1000) -> bool:
    """Whether a value has at most `limit` nodes with every alias copied out; aliases can make billions of a few."""
    stack = [node]
    while stack and limit >= 0:
        limit -= 1
        inside = stack.pop()
        if (pairs := mapping(inside)) is not None:
            stack += [part for pair in pairs.value for part in pair]
        elif (listed := sequence(inside)) is not None:
            stack += listed.value
    return limit >= 0


def events(text: str) -> list[tuple[str, ...]]:
    """What a YAML text says, as a flat list in which aliases stay aliases, so that two texts can be compared.

    Raises yaml's own errors; call it for text that `compose` took.
    """
    import yaml

    told = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    parts = ("anchor", "tag", "value", "style")
    return [(type(event).__name__, *(str(getattr(event, part, None)) for part in parts)) for event in told]
