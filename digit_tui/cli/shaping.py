"""`digit memory`, the verbs that put notes into another shape: pin, split, tidy. The last two show it first."""

from __future__ import annotations

from argparse import Namespace

from digit_core.library import Library
from digit_core.memory.changes import Change, Normalise, Replace, Split
from digit_core.text.visible import visible
from digit_tui.cli import exits
from digit_tui.cli.changing import applied, told
from digit_tui.cli.looking import chosen, readable
from digit_tui.cli.naming import find, ref_id
from digit_tui.cli.output import Output, count

_AGREE = "Nothing was changed. Add --yes to do it; undo takes it back."


def _pin(arguments: Namespace, library: Library, output: Output) -> int:
    from digit_core.formats.tags import with_pin, without_pin

    note = find(arguments.note, library.snapshot)
    text = without_pin(note.text) if note.pinned else with_pin(note.text)
    outcome = applied(library, output, Change((Replace(note.ref, text),)))
    if outcome.ok and outcome.changed:
        costs = f"Pinned; the tag costs {count(len(text) - note.length, 'character')}."
        outcome = outcome._replace(message="No longer pinned." if note.pinned else costs)
    return told(outcome, output)


def _split(arguments: Namespace, library: Library, output: Output) -> int:
    from digit_core.formats.split import propose_split

    note = find(arguments.note, library.snapshot)
    texts = propose_split(note.text)
    if len(texts) < 2:
        return _nothing(output, "This note has no headings, bullets or paragraphs to split it at.")
    if arguments.yes:
        return told(applied(library, output, Change((Split(note.ref, texts),))), output)
    if output.json:
        output.data({"ok": True, "changed": False, "note": ref_id(note.ref), "proposal": list(texts)})
        return exits.DONE
    output.line(visible("\n§\n".join(texts)))
    output.say(f"One note would become {len(texts):,}. {_AGREE}")
    return exits.DONE


def _tidy(arguments: Namespace, library: Library, output: Output) -> int:
    from digit_core.formats.splice import normalise
    from digit_core.views.line_changes import line_changes

    stores = chosen(library, arguments)
    found = {}
    for store in stores:
        before, after = store.document, normalise(store.document)
        if (before.raw, before.bom) != (after.raw, after.bom):
            found[store.name] = line_changes(before.raw, after.raw) or "The byte order mark goes."
    code = readable(stores, output)
    if not found:
        return code or _nothing(output, "In the agent's own form already.")
    if arguments.yes:
        outcome = applied(library, output, Change(tuple(Normalise(name) for name in found)))
        return told(outcome, output) or code
    if output.json:
        output.data({"ok": code == exits.DONE, "changed": False, "differences": found})
        return code
    for name, difference in found.items():
        output.line(visible(f"{library.home.document_path(name)}\n{difference}"))
    output.say(_AGREE)
    return code


def _nothing(output: Output, message: str) -> int:
    if output.json:
        output.data({"ok": True, "changed": False, "message": message})
    else:
        output.say(message)
    return exits.DONE


VERBS = {"pin": _pin, "split": _split, "tidy": _tidy}
