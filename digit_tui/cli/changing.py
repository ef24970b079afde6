"""`digit memory`, the verbs that change something: each ends in the core's `Outcome`, told in its own words."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable

from digit_core.library import Library
from digit_core.memory.changes import Add, Change, Move, Outcome, Reason, Remove, Replace
from digit_core.memory.prompt import FROZEN_NOTE
from digit_core.text.visible import visible
from digit_tui.cli import exits
from digit_tui.cli.asking import make_sure
from digit_tui.cli.exits import Turned
from digit_tui.cli.naming import find, is_id, ref_id
from digit_tui.cli.output import Output, count

_NOT_FOUND = frozenset({Reason.NOT_FOUND, Reason.GONE, Reason.NOTHING})
_FAILED = frozenset({Reason.UNREADABLE, Reason.LOCKED, Reason.IO})


def _add(arguments: Namespace, library: Library, output: Output) -> int:
    return _apply(library, output, Change((Add(arguments.to, _text(arguments.text)),)))


def _replace(arguments: Namespace, library: Library, output: Output) -> int:
    text = _text(arguments.text)  # first, since a pipe may take its time and the note change meanwhile
    note = find(arguments.note, library.snapshot)
    outcome = applied(library, output, Change((Replace(note.ref, text),)))
    if outcome.ok and outcome.changed and arguments.note.strip() != note.text:
        # Named by a piece of it, or by its id: nothing of it goes unseen (F17).
        seen = f"The whole note was replaced; it read:\n{note.text}"
        outcome = outcome._replace(notices=(seen, *outcome.notices))
    return told(outcome, output)


def _remove(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot)
    return _apply(library, output, Change((Remove(note.ref),)))


def _move(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot)
    other = library.snapshot.other(note.ref.document)
    if other is None:
        raise Turned("refused", "This home has no other store to move a note to.")
    return _apply(library, output, Change((Move(note.ref, other.name),)))


def _undo(arguments: Namespace, library: Library, output: Output) -> int:
    return told(library.undo(arguments.change), output)


def _redo(arguments: Namespace, library: Library, output: Output) -> int:
    return told(library.redo(), output)


def _restore(arguments: Namespace, library: Library, output: Output) -> int:
    found = [copy for copy in library.backups() if copy.id.startswith(arguments.backup)]
    if not found or not arguments.backup:
        message = f"There is no backup {arguments.backup!r}. `digit memory backups` lists them."
        raise Turned("not_found", message, exits.NOT_FOUND)
    if len(found) > 1:
        ids = "\n".join(f"  {copy.id}" for copy in found[:10])
        raise Turned("ambiguous", f"{arguments.backup!r} begins the ids of {len(found):,} backups:\n{ids}")
    return told(library.restore(found[0].id), output)


def _reset(arguments: Namespace, library: Library, output: Output) -> int:
    stores = [store for store in library.snapshot.stores if arguments.target in ("all", store.name)]
    what = f"{count(sum(len(store.notes) for store in stores), 'note')} of {_and(store.label for store in stores)}"
    make_sure(arguments, output, f"Remove all {what}? Undo brings them back.")
    outcome = library.reset([store.name for store in stores])
    if outcome.ok and outcome.changed:
        outcome = outcome._replace(message=f"Removed {what}. `digit memory undo` brings them back.")
    return told(outcome, output)


def _and(labels: Iterable[str]) -> str:
    return " and ".join(labels)


def _forget(arguments: Namespace, library: Library, output: Output) -> int:
    text = arguments.text
    text = find(text, library.snapshot).text if is_id(text) else _text(text)
    if not text.strip():
        raise Turned("empty", "There is no text to forget. Give the whole text of a note, or its id.")
    question = (
        f"Forget this for good, in the files, the history and the backups?\n{text}\nIt cannot be undone."
    )
    make_sure(arguments, output, question)
    report = library.forget(text)
    if output.json:
        output.data(report._asdict())
    elif report.ok:
        output.line(visible(report.message))
    else:
        output.say(report.message)
    if not output.json:
        for left in report.could_not_reach:
            output.say(left)
    if not report.ok:
        return exits.FAILED
    return exits.DONE if report.file or report.history or report.backups else exits.NOT_FOUND


def _apply(library: Library, output: Output, change: Change) -> int:
    return told(applied(library, output, change), output)


def applied(library: Library, output: Output, change: Change) -> Outcome:
    """Apply a change; who holds the lock that is waited for is said."""
    return library.apply(change, on_wait=lambda who: _waiting(output, who))


def _waiting(output: Output, who: str | None) -> None:
    output.say(f"Waiting for the lock, held by {who or 'another process'} …")


def told(outcome: Outcome, output: Output) -> int:
    """Say what came of a change: data on stdout, a refusal on stderr."""
    if output.json:
        output.data(
            {
                "ok": outcome.ok,
                "changed": outcome.changed,
                "reason": outcome.reason.value if outcome.reason else None,
                "message": outcome.message,
                "change": outcome.record_id,
                "notes": [ref_id(ref) for ref in outcome.refs],
                "stores": [state._asdict() for state in outcome.documents],
                "notices": list(outcome.notices),
            }
        )
        return _code(outcome)
    if outcome.ok:
        output.line(visible(outcome.message))
    else:
        output.say(outcome.message)
    for notice in outcome.notices:
        output.say(notice)
    if outcome.ok and outcome.changed:
        output.say(FROZEN_NOTE)
    return _code(outcome)


def _code(outcome: Outcome) -> int:
    if outcome.ok:
        return exits.DONE
    if outcome.reason in _NOT_FOUND:
        return exits.NOT_FOUND
    return exits.FAILED if outcome.reason in _FAILED else exits.REFUSED


def _text(given: str) -> str:
    """A text of the command line, or standard input for `-`; what is no UTF-8 stays what it is."""
    if given != "-":
        return given
    if sys.stdin is None or sys.stdin.closed:
        raise Turned("io", "The text is to come from standard input (-), which is closed.", exits.FAILED)
    # Some shells put a byte order mark before what they pipe.
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape").removeprefix("\ufeff")


VERBS = {
    "add": _add,
    "replace": _replace,
    "remove": _remove,
    "move": _move,
    "undo": _undo,
    "redo": _redo,
    "restore": _restore,
    "forget": _forget,
    "reset": _reset,
}
