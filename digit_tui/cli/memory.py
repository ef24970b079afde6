"""`digit memory`: the same core and the same words as the app, without a screen."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from digit_core.library import Library
from digit_core.memory.changes import Add, Change, Move, Outcome, Remove, Replace
from digit_core.memory.limits import usage_words
from digit_core.memory.prompt import FROZEN_NOTE, block
from digit_core.text.visible import visible
from digit_core.views.snapshot import Note, Snapshot, StoreView
from digit_tui.cli import exits
from digit_tui.cli.naming import find, note_id
from digit_tui.cli.output import Output, cells, table
from digit_tui.cli.when import exact, relative

Verb = Callable[[Namespace, Library, Output], int]


def run(arguments: Namespace, library: Library, output: Output) -> int:
    """Do what `digit memory VERB` asks for; the answer is the exit code."""
    return _VERBS[arguments.verb](arguments, library, output)


# ------------------------------------------------------------------------------ looking


def _status(arguments: Namespace, library: Library, output: Output) -> int:
    snapshot = library.snapshot
    if output.json:
        output.data(_status_data(snapshot))
        return exits.DONE
    home = snapshot.home
    output.line(f"{home.kind.value}  {visible(str(home.path))} · profile {home.profile}  ({home.kind_why})")
    rows = [
        (
            store.label,
            _count(len(store.notes), "note"),
            usage_words(store.usage),
            _travels(store),
            _state(store),
        )
        for store in snapshot.stores
    ]
    output.lines(table(rows))
    for problem in snapshot.problems:
        where = f"{problem.path.name}, line {problem.line}: " if problem.path and problem.line else ""
        output.line(
            f"{problem.severity.value}: {visible(where + problem.message)} {problem.way_out}".rstrip()
        )
    return exits.DONE


def _status_data(snapshot: Snapshot) -> dict[str, object]:
    home = snapshot.home
    return {
        "home": str(home.path),
        "kind": home.kind.value,
        "why": home.kind_why,
        "profile": home.profile,
        "found_by": home.found_by,
        "stores": [
            {
                "name": store.name,
                "path": str(store.path),
                "state": store.state.value,
                "why": store.why,
                "enabled": store.enabled,
                "notes": len(store.notes),
                "used": store.usage.used,
                "limit": store.usage.limit,
                "percent": store.usage.true_percent,
                "verbatim_limit": store.usage.inline,
                "verbatim": store.usage.verbatim,
                "over": store.usage.over,
            }
            for store in snapshot.stores
        ],
        "problems": [
            {
                "kind": problem.kind,
                "severity": problem.severity.value,
                "message": problem.message,
                "way_out": problem.way_out,
                "path": str(problem.path) if problem.path else None,
                "line": problem.line,
            }
            for problem in snapshot.problems
        ],
    }


def _travels(store: StoreView) -> str:
    """Whether the agent gets the store whole or searches it."""
    if store.usage.inline is None:
        return "in the prompt"
    return "in the prompt" if store.usage.verbatim else f"searched (over {store.usage.inline:,} verbatim)"


def _state(store: StoreView) -> str:
    if not store.enabled:
        return "turned off"
    return "" if store.state.value == "ready" else store.state.value


def _list(arguments: Namespace, library: Library, output: Output) -> int:
    notes = _sorted(_chosen(library.snapshot, arguments.store), arguments.sort)
    if output.json:
        output.data([_note_data(note) for note in notes])
        return exits.DONE
    rows = [(note_id(note), f"{note.length:,}", _date(note), _title(note)) for note in notes]
    output.lines(table(rows, right=frozenset({1})))
    if not rows:
        output.say("No notes yet. `digit memory add TEXT` writes one.")
    return exits.DONE


def _show(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot.notes, number=True)
    if output.json:
        output.data(_note_data(note))
        return exits.DONE
    output.line(visible(note.text))
    output.say(
        f"{note_id(note)} · {note.length:,} characters · "
        f"{'≈ ' if note.date_is_guess else ''}{exact(note.date)}{' · pinned' if note.pinned else ''}"
    )
    return exits.DONE


def _prompt(arguments: Namespace, library: Library, output: Output) -> int:
    stores = _chosen_stores(library.snapshot, arguments.store)
    blocks = {
        store.name: block(store.name, store.document.texts, store.limits) for store in stores if store.enabled
    }
    if output.json:
        output.data(blocks)
    else:
        output.line(visible("\n\n".join(text for text in blocks.values() if text)))
        output.say(FROZEN_NOTE)
    return exits.DONE


def _history(arguments: Namespace, library: Library, output: Output) -> int:
    records = tuple(reversed(library.history()))
    records = records[: arguments.limit] if arguments.limit > 0 else records
    if output.json:
        output.data(
            [
                {
                    "id": record.id,
                    "at": record.at,
                    "by": record.principal.value,
                    "cause": record.cause,
                    "summary": record.summary,
                    "steps": [step._asdict() for step in record.steps],
                }
                for record in records
            ]
        )
        return exits.DONE
    output.lines(
        table([(r.id, relative(r.at, library.now()), r.principal.value, cells(r.summary)) for r in records])
    )
    if not records:
        output.say("Nothing was changed through this program yet.")
    return exits.DONE


def _backups(arguments: Namespace, library: Library, output: Output) -> int:
    copies = library.backups()
    if output.json:
        output.data([{**copy._asdict(), "path": str(copy.path)} for copy in copies])
        return exits.DONE
    output.lines(
        table(
            [(copy.id, copy.document, exact(copy.at), f"{copy.size:,} bytes") for copy in copies],
            right=frozenset({3}),
        )
    )
    if not copies:
        output.say("No backups yet; one is made before each change.")
    return exits.DONE


def _export(arguments: Namespace, library: Library, output: Output) -> int:
    stores = _chosen_stores(library.snapshot, arguments.store)
    if output.json:
        value = {store.name: [_note_data(note) for note in store.notes] for store in stores}
        if arguments.output is None:
            output.data(value)
            return exits.DONE
        import json

        text = json.dumps(value, indent=2) + "\n"
    else:
        text = "\n".join(_markdown(store) for store in stores if store.notes)
        if arguments.output is None:
            output.line(visible(text).rstrip("\n"))
            return exits.DONE
    from digit_core.disk.writing import write_atomically

    path = Path(arguments.output).absolute()
    write_atomically(path, text.encode("utf-8", "surrogateescape"))
    output.say(f"Wrote {_count(sum(len(store.notes) for store in stores), 'note')} to {path}.")
    return exits.DONE


def _markdown(store: StoreView) -> str:
    """A store as one Markdown text; § stays between the notes, so that it can be read back."""
    return f"# {store.label}\n\n" + "\n\n§\n\n".join(note.text for note in store.notes) + "\n"


# ----------------------------------------------------------------------------- changing


def _add(arguments: Namespace, library: Library, output: Output) -> int:
    return _apply(library, output, Change((Add(arguments.to, _text(arguments.text)),)))


def _replace(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot.notes)
    return _apply(library, output, Change((Replace(note.ref, _text(arguments.text)),)))


def _remove(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot.notes)
    return _apply(library, output, Change((Remove(note.ref),)))


def _move(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot.notes)
    other = library.snapshot.other(note.ref.document)
    if other is None:
        output.say("This home has no other store to move a note to.")
        return exits.REFUSED
    return _apply(library, output, Change((Move(note.ref, other.name),)))


def _undo(arguments: Namespace, library: Library, output: Output) -> int:
    return _told(library.undo(arguments.change), output)


def _redo(arguments: Namespace, library: Library, output: Output) -> int:
    return _told(library.redo(), output)


def _restore(arguments: Namespace, library: Library, output: Output) -> int:
    return _told(library.restore(arguments.backup), output)


def _reset(arguments: Namespace, library: Library, output: Output) -> int:
    names = [store.name for store in library.snapshot.stores if arguments.target in ("all", store.name)]
    held = sum(len(library.snapshot.store(name).notes) for name in names)
    words = " and ".join(library.snapshot.store(name).label for name in names)
    if not _sure(arguments, output, f"Remove all {_count(held, 'note')} of {words}? Undo brings them back."):
        return exits.REFUSED
    return _told(library.reset(names), output)


def _forget(arguments: Namespace, library: Library, output: Output) -> int:
    text = _text(arguments.text)
    question = (
        f"Forget {cells(text)!r} for good, in the files, the history and the backups? This cannot be undone."
    )
    if not _sure(arguments, output, question):
        return exits.REFUSED
    report = library.forget(text)
    if output.json:
        output.data(report._asdict())
    else:
        output.line(visible(report.message))
        for left in report.could_not_reach:
            output.say(left)
    return exits.DONE if report.found else exits.NOT_FOUND


def _apply(library: Library, output: Output, change: Change) -> int:
    return _told(library.apply(change, on_wait=lambda who: _waiting(output, who)), output)


def _waiting(output: Output, who: str | None) -> None:
    output.say(f"Waiting for the lock, held by {who or 'another process'} …")


def _told(outcome: Outcome, output: Output) -> int:
    """Say what came of a change: data on stdout, a refusal on stderr."""
    if output.json:
        output.data(
            {
                "ok": outcome.ok,
                "changed": outcome.changed,
                "reason": outcome.reason.value if outcome.reason else None,
                "message": outcome.message,
                "change": outcome.record_id,
                "notes": [f"{ref.document}:{ref.digest}" for ref in outcome.refs],
                "stores": [state._asdict() for state in outcome.documents],
                "notices": list(outcome.notices),
            }
        )
    elif outcome.ok:
        output.line(visible(outcome.message))
        if outcome.changed:
            output.say(FROZEN_NOTE)
    else:
        output.say(outcome.message)
    if not output.json:
        for notice in outcome.notices:
            output.say(notice)
    return exits.of_outcome(outcome)


# ------------------------------------------------------------------------------ pieces


def _chosen_stores(snapshot: Snapshot, name: str | None) -> tuple[StoreView, ...]:
    return tuple(store for store in snapshot.stores if name in (None, store.name))


def _chosen(snapshot: Snapshot, name: str | None) -> Iterable[Note]:
    return (note for store in _chosen_stores(snapshot, name) for note in store.notes)


def _sorted(notes: Iterable[Note], order: str) -> list[Note]:
    if order == "length":
        return sorted(notes, key=lambda note: -note.length)
    if order == "date":
        return sorted(notes, key=lambda note: -note.date)
    return list(notes)


def _note_data(note: Note) -> dict[str, object]:
    return {
        "id": note_id(note),
        "store": note.ref.document,
        "position": note.position + 1,
        "title": note.title,
        "text": note.text,
        "length": note.length,
        "pinned": note.pinned,
        "copies": note.copies,
        "date": note.date,
        "date_is_guess": note.date_is_guess,
    }


def _title(note: Note) -> str:
    return cells(note.title) + ("  (one of several equal notes)" if note.copies > 1 else "")


def _date(note: Note) -> str:
    return ("≈" if note.date_is_guess else " ") + exact(note.date)[:10]


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _text(given: str) -> str:
    """A text of the command line, or standard input for `-`; bytes that are no UTF-8 are refused by the store."""
    if given != "-":
        return given
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


def _sure(arguments: Namespace, output: Output, question: str) -> bool:
    """Whether the person says yes: `--yes`, or the word at a terminal."""
    if getattr(arguments, "yes", False):
        return True
    if not sys.stdin.isatty():
        output.say(f"{question} There is no terminal to ask at; add --yes.")
        return False
    output.say(f"{question} Type yes:")
    if sys.stdin.readline().strip().lower() == "yes":
        return True
    output.say("Nothing was changed.")
    return False


_VERBS: dict[str, Verb] = {
    "status": _status,
    "list": _list,
    "show": _show,
    "add": _add,
    "replace": _replace,
    "remove": _remove,
    "move": _move,
    "prompt": _prompt,
    "history": _history,
    "undo": _undo,
    "redo": _redo,
    "backups": _backups,
    "restore": _restore,
    "forget": _forget,
    "reset": _reset,
    "export": _export,
}
