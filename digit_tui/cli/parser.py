"""The words of the command line: which commands there are, what they take, and their help."""

from __future__ import annotations

import argparse

from digit_tui.cli.exits import WORDS

_EXITS = "exit codes:\n" + "\n".join(f"  {code:>3}  {words}" for code, words in WORDS)

_NOTE = (
    "a note: its id from `list` (as memory:3fa9c2d1), enough of it to be the only one, "
    "or a piece of text that only this note has"
)
_TEXT = "the text; - reads it from standard input"


def _common() -> argparse.ArgumentParser:
    """Options that may stand before or behind a command. SUPPRESS keeps the inner default from hiding the outer."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    group = common.add_argument_group("which home")
    group.add_argument(
        "--home", metavar="DIR", help="the home to open (else DIGIT_HOME, HERMES_HOME, ~/.digit, ~/.hermes)"
    )
    group.add_argument(
        "--kind",
        choices=("digit", "hermes", "profile"),
        help="what kind of home it is, when the guess is wrong",
    )
    group.add_argument(
        "-p", "--profile", metavar="NAME", help="a profile of that home; default is the home itself"
    )
    group.add_argument("--demo", action="store_true", help="a copy of the bundled example home")
    return common


def _data() -> argparse.ArgumentParser:
    data = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    data.add_argument("--json", action="store_true", help="print data as JSON")
    return data


def build_parser(program: str, version: str) -> argparse.ArgumentParser:
    """The parser of `digit` and `digit-tui`; without a command they open the app."""
    parser = argparse.ArgumentParser(
        prog=program,
        parents=[_common()],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Browse and curate the memory of a Digit or Hermes agent. Without a command the app opens.",
        epilog=_EXITS,
    )
    parser.add_argument("--version", action="version", version=f"{program} {version}")
    app = parser.add_argument_group("the app")
    app.add_argument("--theme", default="", metavar="NAME", help="dark, light, or a theme of your own")
    app.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal, so that it selects text"
    )
    app.add_argument("--no-motion", action="store_true", help="nothing moves by itself")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    _add_memory(commands)
    _add_config(commands)
    return parser


Commands = argparse._SubParsersAction  # noqa: SLF001  # the public API has no name for what add_subparsers returns


def _add_memory(commands: Commands[argparse.ArgumentParser]) -> None:
    memory = commands.add_parser(
        "memory",
        parents=[_common()],
        help="the notes: look at them, change them, undo",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = memory.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name: str, words: str) -> argparse.ArgumentParser:
        return verbs.add_parser(name, parents=[_common(), _data()], help=words, description=words)

    verb("status", "how full the stores are, and what is wrong with the home")
    listing = verb("list", "every note, one a line")
    _store(listing)
    listing.add_argument(
        "--sort", choices=("position", "length", "date"), default="position", help="the order (position)"
    )
    show = verb("show", "one note in full")
    show.add_argument("note", help=_NOTE + ", or its number in `list`")
    add = verb("add", "add a note")
    add.add_argument("text", help=_TEXT)
    add.add_argument("--to", choices=("memory", "user"), default="memory", help="the store (memory)")
    replace = verb("replace", "give a note another text")
    replace.add_argument("note", help=_NOTE)
    replace.add_argument("text", help=_TEXT)
    for name, words in (("remove", "remove a note"), ("move", "move a note to the other store")):
        verb(name, words).add_argument("note", help=_NOTE)
    prompt = verb("prompt", "the block that goes into the agent's system prompt")
    _store(prompt)
    history = verb("history", "what was changed, newest first")
    history.add_argument("--limit", type=int, default=20, metavar="N", help="how many (20); 0 for all")
    undo = verb("undo", "take back the last change, or the one named")
    undo.add_argument("change", nargs="?", help="its id from `history`")
    verb("redo", "do again what was undone last")
    verb("backups", "the copies made before each change")
    restore = verb("restore", "put a backup back; undo takes that back")
    restore.add_argument("backup", help="its id from `backups`")
    forget = verb("forget", "remove a text for good: from the files, the history and the backups; no undo")
    forget.add_argument("text", help="the text to forget")
    _yes(forget)
    reset = verb("reset", "remove all notes; undo brings them back")
    reset.add_argument("--target", choices=("all", "memory", "user"), default="all", help="which store (all)")
    _yes(reset)
    export = verb("export", "the notes as Markdown, or as JSON with --json")
    _store(export)
    export.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")


def _store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", choices=("memory", "user"), help="only this store")


def _yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _add_config(commands: Commands[argparse.ArgumentParser]) -> None:
    config = commands.add_parser(
        "config",
        parents=[_common()],
        help="settings of the agent that concern memory",
        epilog=_EXITS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = config.add_subparsers(dest="verb", metavar="VERB", required=True)
    get = verbs.add_parser("get", parents=[_common(), _data()], help="the value of one setting")
    get.add_argument("key", help="as memory.write_approval")
    set_ = verbs.add_parser(
        "set", parents=[_common(), _data()], help="change one setting: one line of config.yaml"
    )
    set_.add_argument("key", help="as memory.write_approval")
    set_.add_argument("value")
    verbs.add_parser(
        "list", parents=[_common(), _data()], help="every setting, its value and where it comes from"
    )
