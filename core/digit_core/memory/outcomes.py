"""Outcomes from refusals, plans and what a disk can do: the answers that `Store` gives. Pure but for the words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from digit_core.errors import FileError, LockTimeout, LockUnsupported, WriteFailed
from digit_core.formats.document import length
from digit_core.memory import words
from digit_core.memory.changes import DocumentName, DocumentState, Outcome, Reason
from digit_core.memory.commit import HalfDone
from digit_core.memory.planning import Loaded, Plan, Refusal

_OF_THE_DISK = frozenset({"write", "lock", "replace", "overwrite"})
"""Steps of a write that fail because of the disk, or of somebody else, rather than of rights."""


def guarded(work: Callable[[], Outcome]) -> Outcome:
    """Do `work`; what a disk can do to it becomes an outcome."""
    try:
        return work()
    except HalfDone as error:
        return Outcome(False, True, str(error), Reason.IO, details=_details(error, step=error.step))
    except LockTimeout as error:
        details = _details(error, holder=error.holder, seconds=error.seconds)
        return Outcome(False, False, str(error), Reason.LOCKED, details=details)
    except LockUnsupported as error:
        return Outcome(False, False, str(error), Reason.READ_ONLY, details=_details(error))
    except WriteFailed as error:
        reason = Reason.IO if error.step in _OF_THE_DISK else Reason.READ_ONLY
        return Outcome(False, False, str(error), reason, details=_details(error, step=error.step))
    except FileError as error:
        return Outcome(False, False, str(error), Reason.READ_ONLY, details=_details(error))


def refused(refusal: Refusal) -> Outcome:
    """The outcome of a refusal for which no file was looked at."""
    return turned_down(refusal, {})


def turned_down(refusal: Refusal, loaded: Mapping[DocumentName, Loaded]) -> Outcome:
    """The outcome of a refusal, with what a face needs to show a way on: the notes there are, and how full it is."""
    details: dict[str, object] = {"document": refusal.document, **refusal.details}
    one = loaded.get(refusal.document) if refusal.document is not None else None
    if one is not None:
        used = length(one.document.texts)
        details = {"current": one.document.texts, "used": used, "limit": one.limit, **details}
    return Outcome(False, False, refusal.message, refusal.reason, states(loaded), details=details)


def nothing_to_do(planned: Plan, loaded: Mapping[DocumentName, Loaded]) -> Outcome:
    """The outcome of a change that the files are already in accord with."""
    duplicate = any(one.kind == "duplicate" for one in planned.done)
    return Outcome(
        True,
        False,
        words.nothing_to_do(duplicate, sorted(loaded)),
        Reason.DUPLICATE if duplicate else Reason.SAME,
        states(loaded),
        refs=planned.refs,
        notices=planned.notices,
        details={"done": planned.done},
    )


def states(loaded: Mapping[DocumentName, Loaded]) -> tuple[DocumentState, ...]:
    """How the documents stand."""
    return tuple(
        DocumentState(name, one.digest, length(one.document.texts), one.limit, len(one.document.entries))
        for name, one in loaded.items()
    )


def _details(error: FileError, **more: object) -> dict[str, object]:
    return {"path": error.path, **more}
