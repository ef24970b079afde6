"""`digit memory`, the verbs that only look: the same core and the same words as the app, without a screen."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from digit_core.library import Library
from digit_core.memory.limits import Usage, short_usage
from digit_core.memory.names import Principal
from digit_core.memory.prompt import FROZEN_NOTE, block
from digit_core.text.visible import visible
from digit_core.views.snapshot import Note, Problem, Snapshot, StoreState, StoreView
from digit_tui.cli import exits
from digit_tui.cli.exits import Turned
from digit_tui.cli.naming import find, ref_id, stores_asked
from digit_tui.cli.output import Output, cells, count, has_bad_bytes, json_text, table
from digit_tui.times import exact, stamp

# ------------------------------------------------------------------------------ status


def _status(arguments: Namespace, library: Library, output: Output) -> int:
    snapshot = library.snapshot
    if output.json:
        output.data(_status_data(snapshot))
        return exits.DONE
    home = snapshot.home
    rows = [_row(store) for store in snapshot.stores]
    output.lines(
        [
            f"{home.kind.value}  {cells(str(home.path))} · profile {cells(home.profile)}  ({home.kind_why})",
            *table(rows),
            *map(_problem, snapshot.problems),
        ]
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


def _row(store: StoreView) -> tuple[str, ...]:
    if store.unread:
        return store.label, "unreadable", "", "", ""
    held = count(len(store.notes), "note")
    return store.label, held, _usage(store.usage), _travels(store), _state(store)


def _usage(usage: Usage) -> str:
    """As the prompt's header says it, but of a store that is over its limit, how far."""
    return f"{usage.true_percent:,}% — {short_usage(usage)} chars"


def _travels(store: StoreView) -> str:
    """Whether the agent gets the store whole or searches it."""
    if not store.enabled or store.state is StoreState.UNREADABLE:
        return "not used"
    if store.usage.verbatim:
        return "in the prompt"
    return f"searched (over {store.usage.inline:,} verbatim)"


def _state(store: StoreView) -> str:
    state = [] if store.enabled else ["turned off"]
    if store.usage.over:
        state.append(f"over by {store.usage.over:,}")
    if store.state is not StoreState.READY:
        state.append(_STATES[store.state])
    return ", ".join(state)


_STATES = {
    StoreState.MISSING: "no file yet",
    StoreState.READ_ONLY: "read only",
    StoreState.UNREADABLE: "not all of it is text",
}


def _problem(problem: Problem) -> str:
    """One line: how grave, where unless the message says so, what, and the way out."""
    message, where = problem.message, ""
    if problem.path and problem.line and f"line {problem.line}" not in message:
        where = f"{problem.path.name}, line {problem.line}: "
    elif problem.path and problem.line and problem.path.name not in message:
        where = f"{problem.path.name}: "
    return f"{problem.severity.value}: {cells(where + message)} {cells(problem.way_out)}".rstrip()


# ------------------------------------------------------------------------------- notes


def _list(arguments: Namespace, library: Library, output: Output) -> int:
    stores = chosen(library, arguments)
    notes = _sorted((note for store in stores for note in store.notes), arguments.sort)
    if output.json:
        output.data([note_data(note) for note in notes])
        return readable(stores, output)
    rows = [(ref_id(note.ref), f"{note.length:,}", _day(note), _title(note)) for note in notes]
    output.lines(table(rows, right=frozenset({1})))
    code = readable(stores, output)
    if not rows and code == exits.DONE:
        output.say("No notes yet. `digit memory add TEXT` writes one.")
    return code


def _show(arguments: Namespace, library: Library, output: Output) -> int:
    note = find(arguments.note, library.snapshot, place=True)
    stores = stores_asked(arguments.note, library.snapshot)
    if output.json:
        output.data(note_data(note))
        return readable(stores, output)
    output.line(visible(note.text))
    words = [ref_id(note.ref), count(note.length, "character")]
    if note.date > 0:
        words.append(("≈ " if note.date_is_guess else "") + exact(note.date))
    output.say(" · ".join(words + ["pinned"] * note.pinned))
    return readable(stores, output)


def _prompt(arguments: Namespace, library: Library, output: Output) -> int:
    stores = chosen(library, arguments)
    blocks = {
        store.name: block(store.name, store.document.texts, store.limits) for store in stores if store.enabled
    }
    if output.json:
        output.data(blocks)
        return readable(stores, output)
    text = "\n\n".join(text for text in blocks.values() if text)
    if text:
        output.line(visible(text))
    for store in stores:
        if not store.enabled:
            output.say(f"{store.label} is turned off in config.yaml, so it is not in the prompt.")
        elif not store.notes and not store.unread:
            output.say(f"{store.label} has no notes, so it is not in the prompt.")
        dropped = len(store.notes) - len(set(store.document.texts))
        if store.enabled and dropped:
            are = "is" if dropped == 1 else "are"
            output.say(f"{store.label}: {count(dropped, 'duplicate')} {are} left out, as the agent does.")
    output.say(FROZEN_NOTE)
    return readable(stores, output)


def _export(arguments: Namespace, library: Library, output: Output) -> int:
    stores = chosen(library, arguments)
    held = {store.name: [note_data(note) for note in store.notes] for store in stores}
    if arguments.output not in (None, "-"):
        text = json_text(held) + "\n" if output.json else _markdown(stores)
        target = Path(arguments.output).absolute()
        _check_target(target, library)
        if target.exists():
            from digit_tui.cli.asking import make_sure

            make_sure(arguments, output, f"Replace {target}, which is there already?")
        _write(target, text)
        notes = count(sum(map(len, held.values())), "note")
        output.say(f"Wrote {notes} to {target}.")
    elif output.json:
        output.data(held)
    else:
        text = _markdown(stores)
        output.lines([visible(text).removesuffix("\n")] if text else [])
        if visible(text) != text:
            output.say("Hidden characters are printed as signs; --json or -o FILE keeps them as they are.")
    return readable(stores, output)


def _markdown(stores: Iterable[StoreView]) -> str:
    """The notes with § between them, as in a memory file. Of several stores each is headed by its name."""
    stores = tuple(stores)
    if len(stores) == 1:
        parts = list(stores[0].document.texts)
    else:
        parts = [
            part for store in stores if store.notes for part in (f"# {store.label}", *store.document.texts)
        ]
    return "\n§\n".join(parts) + ("\n" if parts else "")


def _check_target(path: Path, library: Library) -> None:
    """Not into the home: there it could replace what it was made from. Nor over what is no file. Raises Turned."""
    if path.resolve().is_relative_to(library.home.root.resolve()):
        raise Turned("refused", f"{path} is inside the agent's home; export to another folder.")
    if path.exists() and not path.is_file():
        what = (
            "a folder; name a file in it" if path.is_dir() else "not a file; without -o the notes are printed"
        )
        raise Turned("refused", f"{path} is {what}.")


def _write(path: Path, text: str) -> None:
    from digit_core.disk.writing import write_atomically

    write_atomically(path, text.encode("utf-8", "surrogateescape"))


# -------------------------------------------------------------------- history and backups


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
    output.lines(table([(r.id, stamp(r.at), _WHO[r.principal], cells(r.summary)) for r in records]))
    if not records:
        output.say("Nothing was changed through this program yet.")
    return exits.DONE


_WHO = {
    Principal.PERSON: "you",
    Principal.AGENT: "agent",
    Principal.BACKGROUND: "review",
    Principal.OUTSIDE: "outside",
}
"""As the app says it."""


def _backups(arguments: Namespace, library: Library, output: Output) -> int:
    copies = library.backups()
    if output.json:
        output.data([{**copy._asdict(), "path": str(copy.path)} for copy in copies])
        return exits.DONE
    rows = [(copy.id, copy.document, stamp(copy.at), f"{copy.size:,} bytes") for copy in copies]
    output.lines(table(rows, right=frozenset({3})))
    if not copies:
        output.say("No backups yet; one is made before each change.")
    return exits.DONE


# ------------------------------------------------------------------------------ pieces


def chosen(library: Library, arguments: Namespace) -> tuple[StoreView, ...]:
    """The stores that the command is about: the one of `--store`, or all."""
    return tuple(store for store in library.snapshot.stores if arguments.store in (None, store.name))


def readable(stores: Iterable[StoreView], output: Output) -> int:
    """The exit code of a look at these stores; what could not be read of them is said."""
    code = exits.DONE
    for store in stores:
        if store.state is StoreState.UNREADABLE and store.why:
            output.say(store.why)
        if store.unread:
            code = exits.FAILED
    return code


def _sorted(notes: Iterable[Note], order: str) -> list[Note]:
    if order == "length":
        return sorted(notes, key=lambda note: -note.length)
    if order == "date":
        return sorted(notes, key=lambda note: -note.date)
    return list(notes)


def note_data(note: Note) -> dict[str, object]:
    """A note as JSON; the times are seconds since 1970. With `bad_bytes` the text has U+FFFD for each of them."""
    return {
        "id": ref_id(note.ref),
        "store": note.ref.document,
        "position": note.position + 1,
        "title": note.title,
        "text": note.text,
        "bad_bytes": has_bad_bytes(note.text),
        "length": note.length,
        "pinned": note.pinned,
        "copies": note.copies,
        "date": note.date,
        "date_is_guess": note.date_is_guess,
    }


def _title(note: Note) -> str:
    return cells(note.title) + ("  (one of several equal notes)" if note.copies > 1 else "")


def _day(note: Note) -> str:
    return ("≈" if note.date_is_guess and note.date > 0 else " ") + stamp(note.date)[:10]


VERBS = {
    "status": _status,
    "list": _list,
    "show": _show,
    "prompt": _prompt,
    "export": _export,
    "history": _history,
    "backups": _backups,
}
