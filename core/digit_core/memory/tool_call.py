"""What an agent asks of its memory tool: one call checked before anything is read (facts 1.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from digit_core.formats.document import clean, content_fault
from digit_core.memory.changes import DocumentName

TARGETS = ("memory", "user")
ACTIONS = ("add", "replace", "remove")


class CallFault(Exception):
    """A parameter is missing or cannot be what it is. Its text is the answer's `error`."""

    def __init__(self, error: str, *, missing_old_text: bool = False) -> None:
        super().__init__(error)
        self.missing_old_text = missing_old_text
        """The one fault that is answered with the inventory, so that the agent can choose."""


class Operation(NamedTuple):
    """One thing to do. Both texts are stripped, with line ends folded."""

    action: str
    content: str
    """"" for a remove."""
    old_text: str
    """"" for an add."""


class Call(NamedTuple):
    """One call: one operation, or a batch on one target."""

    target: DocumentName
    operations: tuple[Operation, ...]
    batch: bool


def target_of(params: Mapping[str, object]) -> DocumentName:
    """The store that is meant; `memory` when none is named. Raises CallFault."""
    target = params.get("target")
    if target is None or target == "":
        return "memory"
    if target not in TARGETS:
        raise CallFault(f"There is no target {target!r}. Use 'memory' or 'user'.")
    return str(target)


def is_batch(params: Mapping[str, object]) -> bool:
    """Whether `operations` count, and `action` does not."""
    return bool(params.get("operations"))


def read_call(params: Mapping[str, object]) -> Call:
    """Check all parameters of a call. Raises CallFault; of a batch, for the first operation that is wrong."""
    target = target_of(params)
    if not is_batch(params):
        return Call(target, (_operation(params),), False)
    given = params["operations"]
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        raise CallFault("operations must be a list of objects, each with an action.")
    return Call(target, tuple(_numbered(number, one) for number, one in enumerate(given, 1)), True)


def _numbered(number: int, given: object) -> Operation:
    """One operation of a batch; its fault names its 1-based number."""
    if not isinstance(given, Mapping):
        raise CallFault(f"Operation {number}: it must be an object with an action.")
    try:
        return _operation(given)
    except CallFault as fault:
        raise CallFault(f"Operation {number}: {fault}") from fault


def _operation(given: Mapping[str, object]) -> Operation:
    action = given.get("action")
    if action not in ACTIONS:
        named = "No action was given" if action is None else f"There is no action {action!r}"
        raise CallFault(f"{named}. Use 'add', 'replace' or 'remove'.")
    old_text = content = ""
    if action != "add":
        old_text = _text(given, "old_text")
        if not old_text:
            why = f"old_text is required for {action!r}: a short text that only the entry meant has in it."
            raise CallFault(why, missing_old_text=True)
    if action != "remove":
        # `new_text` is another name for `content`, which wins when both are there.
        content = _text(given, "content" if given.get("content") is not None else "new_text")
        _check_content(str(action), content)
    return Operation(str(action), content, old_text)


def _text(given: Mapping[str, object], key: str) -> str:
    value = given.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise CallFault(f"{key} must be text.")
    return clean(value)


def _check_content(action: str, content: str) -> None:
    if not content:
        hint = " Use 'remove' to take an entry out." if action == "replace" else ""
        raise CallFault(f"content is required for {action!r} and cannot be empty.{hint}")
    fault = content_fault(content)
    if fault is not None:
        raise CallFault(f"{fault.message} Write that line in another way; nothing was saved.")
