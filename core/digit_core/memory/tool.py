"""The memory tool as an agent calls it: parameters in, one mapping out, as the facts say (1.5, 1.6, 13).

Nothing is decided here that the store decides: this finds what a call means, hands the store one change, and
puts its outcome into the agent's words. A call is refused or done as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from digit_core.memory.changes import (
    Change,
    DocumentName,
    NoteRef,
    Outcome,
    Principal,
    Reason,
    Remove,
)
from digit_core.memory.limits import Usage, short_usage, usage, usage_words
from digit_core.memory.prompt import FROZEN_NOTE
from digit_core.memory.store import Manner, Store
from digit_core.memory.tool_call import Call, CallFault, is_batch, read_call, target_of
from digit_core.memory.tool_plan import NoPlan, Plan, plan

Answer = dict[str, object]

MAX_FAILURES = 3
"""Failed consolidations that a turn may have; the next one ends it (facts 1.6)."""
_TRIES = 5
"""How often a note is looked for again when somebody changes the file between finding and writing."""

_NOTHING_APPLIED = "No operations were applied: a batch is all or nothing."
_SAVED = f"Saved, and complete: do not repeat it. {FROZEN_NOTE}"
_UNCHANGED = "Nothing had to be written; do not repeat it."
_REMEDIATION = (
    "The file was left as it is, and a copy is kept at drift_backup. Do not write it in another way. "
    "Tell the person: digit-tui shows what is wrong with the file, and tidies it or splits what is too long."
)
_TERMINAL = (
    "Memory could not be brought into shape in this turn: too many attempts failed. Stop, save nothing "
    "more in this turn, and go on with the conversation. The failed attempts changed nothing on disk."
)


class MemoryTool:
    """The tool of one session. It counts failures by turn, so it lives as long as the session does."""

    __slots__ = ("_failures", "_principal", "_store")

    def __init__(self, store: Store, principal: Principal = Principal.AGENT) -> None:
        self._store = store
        self._principal = principal
        self._failures = 0

    def new_turn(self) -> None:
        """A new turn of the conversation begins: failures are counted afresh."""
        self._failures = 0

    def call(self, **params: object) -> Answer:
        """Answer one call: `action`, `target`, `content` or `new_text`, `old_text`, or `operations`.

        Always has `success`; the other keys go by the case (facts 1.6). Raises nothing for what a caller can
        get wrong or a disk can do.
        """
        try:
            call = read_call(params)
        except CallFault as fault:
            return self._faulty(params, fault)
        for _ in range(_TRIES):
            texts, held = self._look(call.target)
            try:
                found = plan(call, texts)
            except NoPlan as why:
                return self._unplanned(call, held, why)
            change = Change(found.operations, self._principal, batch=call.batch)
            outcome = self._store.apply(change, manner=Manner.TOOL)
            if outcome.reason is not Reason.GONE:
                break
        return self._done(call, found, outcome) if outcome.ok else self._refused(call, outcome)

    def _look(self, target: DocumentName) -> tuple[tuple[str, ...], Usage]:
        """The notes of a store and how full it is; none where it cannot be read, as the store will say."""
        texts = self._store.read(target).document.texts
        return texts, usage(texts, self._store.limits[target])

    def _faulty(self, params: Mapping[str, object], fault: CallFault) -> Answer:
        """Answer a wrong parameter; a missing `old_text` with the inventory, so that the agent can choose."""
        answer: Answer = {"success": False, "error": str(fault)}
        if is_batch(params):
            answer["error"] = f"{fault} {_NOTHING_APPLIED}"
        if is_batch(params) or fault.missing_old_text:
            try:
                texts, held = self._look(target_of(params))
            except CallFault:
                return answer
            if not is_batch(params):
                answer["current_entries"] = list(texts)
            answer["usage"] = short_usage(held)
        return answer

    def _unplanned(self, call: Call, held: Usage, why: NoPlan) -> Answer:
        """Answer a call whose notes are not there; a reason of the store's own comes first."""
        nowhere = Remove(NoteRef(call.target, "", 0))  # no text has this digest: the store can only refuse
        outcome = self._store.apply(Change((nowhere,), self._principal), manner=Manner.TOOL)
        if outcome.reason is not Reason.GONE:
            return self._refused(call, outcome)
        if call.batch:
            answer = _failed(f"{why} {_NOTHING_APPLIED}", usage=short_usage(held))
        else:
            answer = _failed(f"{why} {why.hint}", **why.extra)
        return self._counted(answer) if why.counts else answer

    def _done(self, call: Call, found: Plan, outcome: Outcome) -> Answer:
        """Answer a call that succeeded, with what is on disk now."""
        self._failures = 0
        texts, held = self._look(call.target)
        return {
            "success": True,
            "done": True,
            "target": call.target,
            "usage": usage_words(held),
            "entry_count": len(texts),
            "message": _message(call, found, outcome),
            "note": _SAVED if outcome.changed else _UNCHANGED,
            **_old_texts(call, found),
        }

    def _refused(self, call: Call, outcome: Outcome) -> Answer:
        """Answer a call that the store turned down."""
        if outcome.reason is Reason.OVER_LIMIT:
            return self._counted(self._over_limit(call))
        answer = _failed(outcome.message)
        if outcome.reason is Reason.DRIFT:
            answer["drift_backup"] = str(outcome.details.get("drift_backup", ""))
            answer["remediation"] = _REMEDIATION
        return answer

    def _over_limit(self, call: Call) -> Answer:
        """The refusal of the reference, with the numbers as they are now."""
        texts, held = self._look(call.target)
        if call.batch:
            error = (
                f"Memory at {short_usage(held)} chars. After this batch it would exceed the limit. Remove or "
                f"shorten more in the same batch, then retry — all in this turn. {_NOTHING_APPLIED}"
            )
            return _failed(error, usage=short_usage(held))
        (operation,) = call.operations
        doing = "Adding this entry" if operation.action == "add" else "Replacing it with this content"
        error = (
            f"Memory at {short_usage(held)} chars. {doing} ({len(operation.content):,} chars) would exceed "
            f"the limit. Consolidate now: use 'replace' to merge overlapping entries into shorter ones or "
            f"'remove' stale or less important entries (see current_entries below), then retry this "
            f"{operation.action} — all in this turn."
        )
        return _failed(error, current_entries=list(texts), usage=short_usage(held))

    def _counted(self, answer: Answer) -> Answer:
        """A failed consolidation: this answer, or the one that ends the attempts of the turn."""
        self._failures += 1
        if self._failures <= MAX_FAILURES:
            return answer
        return {"success": False, "done": True, "error": _TERMINAL}


def _failed(error: str, **extra: object) -> Answer:
    return {"success": False, "error": error, **extra}


def _message(call: Call, found: Plan, outcome: Outcome) -> str:
    """What was done; programs look for these words (facts 1.6)."""
    if call.batch:
        there = f" {found.duplicates} already existed (no duplicate added)." if found.duplicates else ""
        return f"Applied {len(call.operations)} operation(s).{there}"
    (operation,) = call.operations
    if operation.action == "add":
        return "Entry added." if outcome.changed else "Entry already exists (no duplicate added)."
    return "Entry replaced." if operation.action == "replace" else "Entry removed."


def _old_texts(call: Call, found: Plan) -> Answer:
    """The full texts that were replaced or removed, so that a mistake can be seen and put right."""
    if not call.batch:
        return {f"{call.operations[0].action}d_entry": old for old in found.old.values()}
    answer: Answer = {}
    for action, key in (("replace", "replaced_entries"), ("remove", "removed_entries")):
        old = {str(n): text for n, text in found.old.items() if call.operations[n - 1].action == action}
        if old:
            answer[key] = old
    return answer
