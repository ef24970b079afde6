"""What differs between two snapshots, so that a face updates that and nothing else."""

from __future__ import annotations

from typing import NamedTuple

from digit_core.memory.merge import pair
from digit_core.memory.names import DocumentName, NoteRef
from digit_core.views.snapshot import Note, Snapshot, StoreView


class StoreDifference(NamedTuple):
    """What happened to the notes of one document."""

    document: DocumentName
    added: tuple[Note, ...]
    removed: tuple[Note, ...]
    changed: tuple[tuple[Note, Note], ...]
    """(before, after): the same place, another text."""


class Difference(NamedTuple):
    """What happened between two snapshots of a library."""

    old: Snapshot
    new: Snapshot
    stores: tuple[StoreDifference, ...]
    """Only documents whose notes differ."""
    settings_changed: bool
    problems_changed: bool

    def successor(self, ref: NoteRef) -> Note | None:
        """The note that `ref` of the old snapshot has become: itself, its new text, or None when it is gone."""
        same = self.new.find(ref)
        if same is not None:
            return same
        for store in self.stores:
            if store.document == ref.document:
                for before, after in store.changed:
                    if before.ref == ref:
                        return after
        return None


def store_difference(old: StoreView, new: StoreView) -> StoreDifference | None:
    """Compare the notes of one document; None when they are the same, in the same order."""
    if [note.text for note in old.notes] == [note.text for note in new.notes]:
        return None
    added: list[Note] = []
    removed: list[Note] = []
    changed: list[tuple[Note, Note]] = []
    at_old = at_new = 0
    for step in pair([note.text for note in old.notes], [note.text for note in new.notes]):
        before = old.notes[at_old] if step.before is not None else None
        after = new.notes[at_new] if step.after is not None else None
        at_old += before is not None
        at_new += after is not None
        if before is None and after is not None:
            added.append(after)
        elif after is None and before is not None:
            removed.append(before)
        elif before is not None and after is not None and before.text != after.text:
            changed.append((before, after))
    return StoreDifference(new.name, tuple(added), tuple(removed), tuple(changed))


def difference(old: Snapshot, new: Snapshot) -> Difference | None:
    """Compare two snapshots; None when a face would show the same."""
    before = {store.name: store for store in old.stores}
    stores = []
    shown_differs = False
    for store in new.stores:
        earlier = before.get(store.name)
        if earlier is None:
            shown_differs = True
            continue
        found = store_difference(earlier, store)
        if found is not None:
            stores.append(found)
        shown_differs |= (
            earlier[:6] != store[:6]
            or earlier.usage != store.usage
            or earlier.digest != store.digest
            or earlier.notes != store.notes  # the same texts, and when they were learned is known better
        )
    settings_changed = old.settings != new.settings or old.home != new.home
    problems_changed = old.problems != new.problems
    if not (stores or shown_differs or settings_changed or problems_changed):
        return None
    return Difference(old, new, tuple(stores), settings_changed, problems_changed)
