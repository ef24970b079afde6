"""Faults of the kinds "Parsing", "Writing and data loss" and "Locking" that the store has to answer for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from digit_core.disk.locking import lock
from digit_core.disk.writing import write_atomically
from digit_core.memory import commit
from digit_core.memory.changes import (
    Add,
    Change,
    Move,
    Normalise,
    Operation,
    Outcome,
    Reason,
    Remove,
    Replace,
    RestoreBytes,
    Split,
)
from digit_core.memory.planning import Manner
from tests.storing import add, joined, memory_file, open_store, ref, remove, replace, user_file

MakeHome = Callable[..., Path]
AsNobody = Callable[[str, Path], subprocess.CompletedProcess[str]]

CHECKLIST = "Deploy checklist:\n§\nrun the migration first"


@pytest.mark.parametrize(
    "operation",
    [
        Add("memory", CHECKLIST),
        Add("memory", CHECKLIST.replace("\n", "\r\n")),
        Replace(ref("one"), CHECKLIST),
        Split(ref("one"), ("fine", CHECKLIST)),
    ],
)
@pytest.mark.parametrize("manner", list(Manner))
def test_f001_a_delimiter_line_in_content_is_refused_on_every_path(
    make_home: MakeHome, operation: Operation, manner: Manner
) -> None:
    home = make_home(memory=joined("one"))
    outcome = open_store(home).apply(Change((Add("memory", "fine too"), operation)), manner=manner)
    assert (outcome.ok, outcome.reason) == (False, Reason.DELIMITER)
    assert "Line 2" in outcome.message and "two notes" in outcome.message
    assert outcome.details["line"] == 2
    assert memory_file(home).read_bytes() == b"one"
    assert not (home / "digit-tui").exists()


def test_f001_a_sign_inside_a_line_is_legal(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    assert add(open_store(home), "User prefers § for sections\n § \nсм. § 5").ok
    assert open_store(home).read("memory").document.texts == (
        "one",
        "User prefers § for sections\n § \nсм. § 5",
    )


def test_f013_five_saves_of_an_edit_on_an_odd_file(make_home: MakeHome) -> None:
    raw = "one  \n§ \ntwo\n\n".encode()
    home = make_home(memory=raw)
    store = open_store(home)
    old = "one  \n§ \ntwo"
    for _ in range(5):
        outcome = replace(store, old, "one  \n§ \ntwo!")
        if not outcome.ok:
            assert outcome.reason is Reason.GONE
    assert memory_file(home).read_bytes() == "one  \n§ \ntwo!\n\n".encode()
    copies = store.backups.list()
    assert [store.backups.read(copy.id) for copy in copies] == [raw]


def test_f013_a_refusal_for_drift_repeated_keeps_one_copy(make_home: MakeHome) -> None:
    raw = "one  \n§\n\ntwo\n\n".encode()
    home = make_home(memory=raw)
    store = open_store(home)
    for _ in range(5):
        outcome = store.apply(Change((Replace(ref("two"), "x"),)), manner=Manner.TOOL)
        assert outcome.reason is Reason.DRIFT and "Line 1: " in outcome.message
    assert memory_file(home).read_bytes() == raw
    assert len(store.backups.list()) == 1
    assert store.apply(Change((Normalise("memory"),))).ok
    assert store.apply(Change((Replace(ref("two"), "x"),)), manner=Manner.TOOL).ok
    assert memory_file(home).read_bytes() == joined("one", "x")


def test_f014_of_two_equal_entries_exactly_one_goes(make_home: MakeHome) -> None:
    home = make_home(memory=joined("A", "B", "A"))
    store = open_store(home)
    third = store.apply(Change((Remove(ref("A", occurrence=1)),)))
    assert third.ok and memory_file(home).read_bytes() == joined("A", "B")
    assert store.apply(Change((Remove(ref("A", occurrence=1)),))).reason is Reason.GONE
    assert replace(store, "A", "A edited").ok
    assert memory_file(home).read_bytes() == joined("A edited", "B")
    assert store.undo().ok and store.undo().ok
    assert memory_file(home).read_bytes() == joined("A", "B", "A")


def test_f015_an_edit_keeps_what_another_program_appended(make_home: MakeHome) -> None:
    home = make_home(memory="User prefers dark mode")
    store = open_store(home)
    (shown,) = store.read("memory").document.texts
    vendor = ("\n§\nVendor master: " + "x" * 8192).encode()
    with memory_file(home).open("ab") as file:
        file.write(vendor)
    assert replace(store, shown, "User prefers light mode").ok
    assert memory_file(home).read_bytes() == b"User prefers light mode" + vendor


@pytest.mark.parametrize("letters", ["内存条目测试数据", "заметка"])
def test_f016_only_the_target_changes(make_home: MakeHome, letters: str) -> None:
    texts = [(letters * 20)[: 71 + (number % 2)] + f"{number:03}" for number in range(28)]
    texts[27] = (letters * 20)[: 2112 - len("\n§\n".join([*texts[:27], ""]))]
    home = make_home(memory=joined(*texts))
    store = open_store(home, limit=2200)
    assert len("\n§\n".join(texts)) == 2112

    def others() -> list[str]:
        parts = memory_file(home).read_bytes().split("\n§\n".encode())
        return [sha256(part).hexdigest() for position, part in enumerate(parts[:28]) if position != 14]

    before = others()
    assert replace(store, texts[14], "y" * len(texts[14])).ok
    assert others() == before and len(store.read("memory").document.texts) == 28
    assert add(store, "z" * 85).ok
    assert others() == before and len(store.read("memory").document.texts) == 29
    full = memory_file(home).read_bytes()
    assert remove(store, "z" * 85).ok
    outcome = add(store, "z" * 86)
    assert outcome.reason is Reason.OVER_LIMIT and "2,112/2,200" in outcome.message
    assert "1 too many" in outcome.message
    assert memory_file(home).read_bytes() == full[: -len("\n§\n".encode()) - 85]


def test_f017_a_replace_is_of_the_whole_entry_on_every_path(make_home: MakeHome) -> None:
    section = "Section A\na\n\nSection B\nb\n\nSection C\nc"
    for manner in Manner:
        batches: tuple[tuple[Operation, ...], ...] = ((), (Add("memory", "other"),))
        for more in batches:
            home = make_home(memory=joined(section))
            store = open_store(home)
            fragment = Change((Replace(ref("Section B\nb"), "Section B\nB2"), *more))
            assert store.apply(fragment, manner=manner).reason is Reason.GONE
            assert memory_file(home).read_bytes() == section.encode()
            outcome = store.apply(Change((Replace(ref(section), "Section B\nB2"), *more)), manner=manner)
            done = outcome.details["done"]
            assert isinstance(done, tuple) and done[0].before == section
            assert store.undo().ok and memory_file(home).read_bytes() == section.encode()


def test_f019_a_delete_keeps_what_was_added_while_it_was_asked(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one", "selected", "three"))
    face, other = open_store(home), open_store(home)
    shown = ref("selected")
    for text in ("new 1", "new 2", "new 3"):
        assert add(other, text).ok
    prior = memory_file(home).read_bytes()
    assert face.apply(Change((Remove(shown),))).ok
    assert memory_file(home).read_bytes() == joined("one", "three", "new 1", "new 2", "new 3")
    assert face.backups.read(face.backups.list("memory")[0].id) == prior


def test_f020_a_stale_identity_is_refused_and_never_meets_another(make_home: MakeHome) -> None:
    home = make_home(memory=joined("zero", "one", "two"))
    store = open_store(home)
    listing = [ref(text) for text in store.read("memory").document.texts]
    assert store.apply(Change((Remove(listing[0]),))).ok
    assert store.apply(Change((Remove(listing[1]),))).ok
    assert memory_file(home).read_bytes() == b"two"
    for stale in listing[:2]:
        for operation in (Remove(stale), Replace(stale, "x"), Move(stale, "user"), Split(stale, ("x", "y"))):
            outcome = open_store(home).apply(Change((operation,)))
            assert outcome.reason is Reason.GONE and "it was removed" in outcome.message
    assert memory_file(home).read_bytes() == b"two" and not user_file(home).exists()


def test_f023_a_read_only_file_is_named_with_its_mode(as_nobody: AsNobody, make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    source = (
        "import os; from pathlib import Path\n"
        "from digit_core.formats.settings import Settings\n"
        "from digit_core.memory.changes import Add, Change\n"
        "from digit_core.memory.homes import find_home\n"
        "from digit_core.memory.store import Store\n"
        "store = Store(find_home('.', kind='digit'), settings=Settings)\n"
        "def run():\n"
        "    outcome = store.apply(Change((Add('memory', 'two'),)))\n"
        "    print(outcome.ok, outcome.reason and outcome.reason.value, outcome.message)\n"
        "memory = Path('memories/MEMORY.md')\n"
        "memory.chmod(0o444); run(); memory.chmod(0o644)\n"
        "Path('memories').chmod(0o555); run(); Path('memories').chmod(0o755)\n"
        "Path('.').chmod(0o555); run(); Path('.').chmod(0o755)\n"
        "print(sorted(path.name for path in Path('.').iterdir())); run()\n"
    )
    done = as_nobody(source, home)
    lines = done.stdout.splitlines()
    assert len(lines) == 5, done.stderr
    assert lines[0].startswith("False read_only") and "MEMORY.md" in lines[0] and "444" in lines[0]
    assert lines[1].startswith("False read_only") and "memories" in lines[1] and "555" in lines[1]
    assert lines[2].startswith("False read_only") and "555" in lines[2]
    assert lines[3] == "['memories']"
    assert lines[4].startswith("True")
    assert memory_file(home).read_bytes() == joined("one", "two")


def test_f025_a_batch_with_one_bad_item_says_which_and_writes_none(make_home: MakeHome) -> None:
    home = make_home(memory=joined("one"))
    bad = "key is in\n§\n~/.digit/.env"
    outcome = open_store(home).apply(
        Change((Add("memory", "A"), Add("memory", "B"), Add("memory", bad), Add("memory", "D")))
    )
    assert (outcome.ok, outcome.changed, outcome.details["operation"]) == (False, False, 3)
    assert "Nothing was written" in outcome.message
    assert memory_file(home).read_bytes() == b"one"
    results = [add(open_store(home), text) for text in ("A", "B", bad, "D")]
    assert [one.ok for one in results] == [True, True, False, True]
    assert memory_file(home).read_bytes() == joined("one", "A", "B", "D")


def test_f028_outside_changes_keep_undo_and_add_a_step_when_they_touch_the_entry(
    make_home: MakeHome,
) -> None:
    home = make_home(memory=joined("draft", "other"))
    store = open_store(home)
    assert replace(store, "draft", "draft, better").ok
    assert replace(store, "draft, better", "draft, best").ok
    os.utime(memory_file(home))
    store.notice()
    assert len(store.stacks().undo) == 2
    memory_file(home).write_bytes(joined("draft, best", "other, by the agent"))
    store.notice()
    assert len(store.stacks().undo) == 2
    assert store.undo().ok
    assert memory_file(home).read_bytes() == joined("draft, better", "other, by the agent")
    assert store.redo().ok
    memory_file(home).write_bytes(joined("draft, best, by the agent", "other, by the agent"))
    store.notice()
    assert len(store.stacks().undo) == 3
    for expected in ("draft, best", "draft, better", "draft"):
        assert open_store(home).undo().ok
        assert memory_file(home).read_bytes() == joined(expected, "other, by the agent")


def test_f030_what_a_wholesale_rewrite_replaced_stays_restorable(make_home: MakeHome) -> None:
    texts = [f"fact {number} " + "x" * 78 for number in range(10)]
    raw = joined(*texts)
    home = make_home(user=raw)
    store = open_store(home, user_limit=1375)
    shrink: tuple[Operation, ...] = (
        Replace(ref(texts[0], "user"), "all in one"),
        *(Remove(ref(text, "user")) for text in texts[1:7]),
    )
    outcome = store.apply(Change(shrink))
    assert outcome.ok
    done = outcome.details["done"]
    assert isinstance(done, tuple) and [one.before for one in done] == texts[:7]
    assert outcome.documents[0].used < 0.4 * len("\n§\n".join(texts)) + 20
    (copy,) = store.backups.list("user")
    after = user_file(home).read_bytes()
    assert store.undo().ok and user_file(home).read_bytes() == raw
    assert store.redo().ok and user_file(home).read_bytes() == after
    data = store.backups.read(copy.id)
    assert store.apply(Change((RestoreBytes("user", data),), cause=f"restore:{copy.id}")).ok
    assert user_file(home).read_bytes() == raw


def test_f031_a_store_above_its_limit_can_be_cleaned(make_home: MakeHome) -> None:
    texts = [f"{number:03} " + "x" * 496 for number in range(241)]
    assert len("\n§\n".join(texts)) > 121_000
    home = make_home(memory=joined(*texts))
    store = open_store(home, limit=120_000)
    used = store.apply(Change((Remove(ref(texts[0])),))).documents[0].used
    assert used == len("\n§\n".join(texts[1:])) > 120_000
    assert replace(store, texts[1], "y" * 400).ok
    merge = Change((Replace(ref(texts[2]), "z" * 900), Remove(ref(texts[3]))))
    assert store.apply(merge).ok
    assert store.apply(Change((Split(ref(texts[4]), ("first", texts[4][6:])),))).ok
    assert add(store, "1").reason is Reason.OVER_LIMIT
    assert replace(store, texts[5], texts[5] + "1").reason is Reason.OVER_LIMIT
    assert store.undo().ok and store.undo().ok and store.undo().ok and store.undo().ok
    assert memory_file(home).read_bytes() == joined(*texts)


def test_f036_a_lock_file_deleted_all_the_time_costs_no_entry(make_home: MakeHome) -> None:
    home = make_home(memory=joined("start"))
    adder = (
        "import sys; from digit_core.formats.settings import Settings\n"
        "from digit_core.memory.changes import Add, Change\n"
        "from digit_core.memory.homes import find_home\n"
        "from digit_core.memory.store import Store\n"
        "store = Store(find_home(sys.argv[1], kind='digit'), settings=Settings)\n"
        "for number in range(25):\n"
        "    text = f'{sys.argv[2]} {number}'\n"
        "    if store.apply(Change((Add('memory', text),))).ok: print(text)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", adder, str(home), name], env=env, stdout=subprocess.PIPE, text=True
        )
        for name in ("a", "b")
    ]
    path = home / "memories" / "MEMORY.md.lock"
    while any(writer.poll() is None for writer in writers):
        subprocess.run(["rm", "-f", str(path)], check=True)
    said = [line for writer in writers for line in writer.communicate()[0].splitlines()]
    texts = open_store(home).read("memory").document.texts
    assert said and not set(said) - set(texts)
    assert len(texts) == len(set(texts))


def test_f039_two_instances_lose_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=joined("Z", "other"))
    a, b = open_store(home), open_store(home)
    for store in (a, b):
        store.read("memory")
    assert add(a, "X").ok
    assert add(b, "Y").ok
    assert replace(a, "Z", "Z edited").ok
    assert memory_file(home).read_bytes() == joined("Z edited", "other", "X", "Y")
    assert a.read("memory").document == b.read("memory").document
    assert a.history() == b.history() and len(a.history()) == 3


@pytest.mark.parametrize("operation", [Remove(ref("victim")), Move(ref("victim"), "user")])
def test_f041_what_was_added_during_a_long_dialog_survives(
    make_home: MakeHome, operation: Remove | Move
) -> None:
    home = make_home(memory=joined("first", "victim", "last"))
    face, other = open_store(home), open_store(home)
    assert "victim" in face.read("memory").document.texts
    for number in range(5):
        assert add(other, f"meanwhile {number}").ok
    assert face.apply(Change((operation,))).ok
    rest = [f"meanwhile {number}" for number in range(5)]
    assert memory_file(home).read_bytes() == joined("first", "last", *rest)


def test_f086_success_is_said_only_after_looking_again(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(memory=joined("one", "two"))
    store = open_store(home, limit=40, lock_timeout=0.05)
    raw = memory_file(home).read_bytes()
    failures: dict[Reason, Callable[[], Outcome]] = {
        Reason.GONE: lambda: replace(store, "old text", "new"),
        Reason.SAME: lambda: replace(store, "one", "one"),
        Reason.OVER_LIMIT: lambda: replace(store, "one", "x" * 80),
    }
    for reason, attempt in failures.items():
        outcome = attempt()
        assert (outcome.changed, outcome.reason) == (False, reason) and outcome.message
    with lock(memory_file(home)):
        assert replace(store, "one", "uno").reason is Reason.LOCKED
    assert memory_file(home).read_bytes() == raw

    def overwritten_at_once(path: Path, data: bytes, **more: object) -> None:
        write_atomically(path, data, **more)  # type: ignore[arg-type]
        path.write_bytes(b"somebody else")

    monkeypatch.setattr(commit, "write_atomically", overwritten_at_once)
    outcome = replace(store, "one", "uno")
    assert (outcome.ok, outcome.changed, outcome.reason) == (False, True, Reason.IO)
    assert store.backups.read(store.backups.list()[0].id) == raw
    assert str(store.backups.list()[0].id) in outcome.message


def test_f005_every_step_on_a_legacy_file_says_why_or_works(make_home: MakeHome) -> None:
    sections = [f"## Heading {number}\n" + "x" * 585 for number in range(20)]
    raw = "\n\n".join(sections).encode()
    home = make_home(memory=raw)
    store = open_store(home, limit=2200)
    assert add(store, "new").reason is Reason.OVER_LIMIT
    assert replace(store, raw.decode(), raw.decode() + "y").reason is Reason.OVER_LIMIT
    assert memory_file(home).read_bytes() == raw
    assert store.apply(Change((Split(ref(raw.decode()), tuple(sections)),))).ok
    assert store.read("memory").document.texts == tuple(sections)
    assert store.undo().ok and memory_file(home).read_bytes() == raw


def test_f012_stray_delimiters_do_not_multiply(make_home: MakeHome) -> None:
    home = make_home(memory="\n§\n§\n\none\n§\n\n§\ntwo\n§\n".encode())
    store = open_store(home)
    texts = store.read("memory").document.texts
    assert len(texts) == 2
    sizes = []
    for number in range(10):
        assert replace(store, store.read("memory").document.texts[1], f"two {number}").ok
        sizes.append(memory_file(home).stat().st_size)
    assert len(set(sizes)) == 1
    assert store.read("memory").document.texts == (texts[0], "two 9")


def test_f153_the_store_keeps_the_directory_it_was_opened_with(
    make_home: MakeHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = make_home(memory=b"a", name="a"), make_home(memory=b"b", name="b")
    store = open_store(a)
    for value in (str(b), "", "  ", "relative"):
        monkeypatch.setenv("DIGIT_HOME", value)
        assert add(store, f"text {value!r}").ok
    assert memory_file(b).read_bytes() == b"b"
    assert len(open_store(a).read("memory").document.texts) == 5
