"""The library: one open home, its snapshot, its news; what it goes on with when a file turns bad."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from queue import Queue

import pytest

from digit_core.errors import HomeUnusable
from digit_core.library import Library
from digit_core.memory.changes import Add, Change, NoteRef, Remove, Replace
from digit_core.memory.homes import HomeKind, find_home
from digit_core.text.digest import text_digest
from digit_core.views.differences import Difference

MakeHome = Callable[..., Path]

RECALL = "memory:\n  recall:\n    enabled: true\n    memory_char_limit: 5000\n"
BROKEN = "memory:\n  recall: [unclosed\n"


def opened(home: Path) -> Library:
    return Library(find_home(str(home)))


def ref(text: str) -> NoteRef:
    return NoteRef("memory", text_digest(text))


def test_a_change_is_in_the_snapshot_when_apply_returns(make_home: MakeHome) -> None:
    with opened(make_home(memory=b"one")) as library:
        outcome = library.apply(Change((Add("memory", "two"),)))
        assert outcome.ok
        assert [note.text for note in library.snapshot.notes] == ["one", "two"]
        assert library.snapshot.find(outcome.refs[0]) is not None


def test_a_listener_hears_what_differs_and_can_stop_listening(make_home: MakeHome) -> None:
    heard: list[Difference] = []
    with opened(make_home(memory=b"one\n\xc2\xa7\ntwo")) as library:
        stop = library.listen(heard.append)
        library.apply(Change((Replace(ref("two"), "two more"),)))
        [difference] = heard
        assert difference.successor(ref("two")) == library.snapshot.store("memory").notes[1]
        stop()
        library.apply(Change((Remove(ref("one")),)))
        assert len(heard) == 1


def test_a_snapshot_never_changes(make_home: MakeHome) -> None:
    with opened(make_home(memory=b"one")) as library:
        before = library.snapshot
        library.apply(Change((Add("memory", "two"),)))
        assert [note.text for note in before.notes] == ["one"]
        assert library.snapshot.serial == before.serial + 1


def test_reloading_what_is_the_same_is_no_news(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    with opened(home) as library:
        os.utime(home / "memories" / "MEMORY.md")
        before = library.snapshot
        library.reload()
        assert [note.ref for note in library.snapshot.notes] == [note.ref for note in before.notes]


def test_a_change_made_outside_is_heard_of(make_home: MakeHome) -> None:
    home = make_home(memory=b"one")
    heard: Queue[Difference] = Queue()
    with opened(home) as library:
        library.listen(heard.put)
        library.watch()
        while not heard.empty():  # watching may have changed what is said about the home
            heard.get()
        (home / "memories" / "MEMORY.md").write_bytes(b"one\n\xc2\xa7\ntwo")
        found = heard.get(timeout=10)
        assert [note.text for note in found.stores[0].added] == ["two"]


def test_f148_the_last_good_config_counts_and_the_banner_names_the_line(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", config=RECALL, name="plain")
    with opened(home) as library:
        assert library.snapshot.store("memory").limits.storage == 5000
        library.watch()
    (home / "config.yaml").write_text(BROKEN)
    with opened(home) as library:
        assert library.home.kind is HomeKind.DIGIT
        assert library.snapshot.store("memory").limits.storage == 5000
        [problem] = [found for found in library.snapshot.problems if found.kind == "broken config"]
        assert "line 3, column 1" in problem.message
        assert "last settings" in problem.message


def test_f148_a_config_that_breaks_while_the_home_is_open_changes_no_limit(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", config=RECALL)
    with opened(home) as library:
        (home / "config.yaml").write_text(BROKEN)
        library.reload()
        assert library.snapshot.store("memory").limits.storage == 5000
        assert not (home / "digit-tui").exists()
        (home / "config.yaml").write_text(RECALL.replace("5000", "6000"))
        library.reload()
        assert library.snapshot.store("memory").limits.storage == 6000
        assert library.snapshot.problems == ()


def test_f148_without_a_last_good_one_the_gate_counts_as_on(make_home: MakeHome) -> None:
    with opened(make_home(memory=b"one", config=BROKEN)) as library:
        assert library.snapshot.settings.memory.write_approval is True
        assert library.snapshot.store("memory").limits.from_config is False
        assert any("default limits" in problem.message for problem in library.snapshot.problems)


def test_looking_at_a_home_writes_nothing(make_home: MakeHome) -> None:
    home = make_home(memory=b"one", config=RECALL)
    before = sorted(home.rglob("*"))
    with opened(home) as library:
        library.reload()
    assert sorted(home.rglob("*")) == before


def test_a_profile_is_named_and_not_opened(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("soul")
    with pytest.raises(HomeUnusable, match="Ziggy Profile"):
        opened(tmp_path)


MEMORY = b"one\n\xc2\xa7\ntwo\n\xc2\xa7\nthree"


def watched(library: Library) -> None:
    """What the watcher would call when a file has changed, now."""
    library._files_changed()


def test_what_others_take_is_backed_up_though_we_never_wrote(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    path = home / "memories" / "MEMORY.md"
    with opened(home) as library:
        path.write_bytes(b"one\n\xc2\xa7\nthree")
        watched(library)
        [copy] = library.backups()
        assert library.store.backups.read(copy.id) == MEMORY
        assert library.restore(copy.id).ok
        assert path.read_bytes() == MEMORY


def test_what_others_only_add_makes_no_backup(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    with opened(home) as library:
        (home / "memories" / "MEMORY.md").write_bytes(MEMORY + b"\n\xc2\xa7\nfour")
        watched(library)
        assert library.backups() == ()


def test_a_file_that_was_gone_for_a_while_is_no_step_of_undo(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    path = home / "memories" / "MEMORY.md"
    with opened(home) as library:
        library.apply(Change((Replace(ref("one"), "one more"),)))
        path.rename(home / "aside")
        watched(library)
        (home / "aside").rename(path)
        watched(library)
        assert library.undo().ok
        assert path.read_bytes() == MEMORY


def test_a_wipe_by_others_is_one_step_of_undo(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    path = home / "memories" / "MEMORY.md"
    with opened(home) as library:
        library.apply(Change((Replace(ref("one"), "one more"),)))
        after = path.read_bytes()
        path.write_bytes(b"")
        watched(library)
        assert library.undo().ok
        assert path.read_bytes() == after
        assert library.undo().ok
        assert path.read_bytes() == MEMORY


def test_a_file_that_vanished_is_said_and_its_return_too(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    path = home / "memories" / "MEMORY.md"
    with opened(home) as library:
        path.rename(home / "aside")
        watched(library)
        [problem] = library.snapshot.problems
        assert (problem.kind, problem.document) == ("file gone", "memory")
        assert "MEMORY.md is not there any more" in problem.message
        (home / "aside").rename(path)
        watched(library)
        assert library.snapshot.problems == ()


def test_a_file_that_our_own_undo_removed_has_not_vanished(make_home: MakeHome) -> None:
    home = make_home()
    with opened(home) as library:
        library.apply(Change((Add("memory", "first"),)))
        library.undo()
        assert not (home / "memories" / "MEMORY.md").exists()
        assert library.snapshot.problems == ()


def test_a_home_that_is_moved_away_is_not_made_again(make_home: MakeHome) -> None:
    home = make_home(memory=MEMORY)
    with opened(home) as library:
        library.apply(Change((Add("memory", "four"),)))
        home.rename(home.with_name("elsewhere"))
        library.reload()
        for outcome in (library.apply(Change((Add("memory", "five"),))), library.undo()):
            assert not outcome.ok
            assert "is not there any more" in outcome.message
        assert not home.exists()
        assert not library.snapshot.store("memory").writable
        assert any("is not there any more" in problem.message for problem in library.snapshot.problems)
