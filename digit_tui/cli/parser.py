"""The words of the command line: which commands there are, what they take, and their help.

One flat parser is made, for the verb that was asked for, so that options may stand anywhere. argparse's own
sub-parsers are all made before the first is used, which takes longer than `digit memory status` itself.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from digit_tui.cli import exits
from digit_tui.cli.output import Output

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_Group = argparse._ArgumentGroup  # noqa: SLF001  # the public API has no name for what add_argument_group returns
_Arguments = Callable[[_Group], None]

VALUED = frozenset(
    {"--home", "--kind", "-p", "--profile", "--theme"}
    | {"--store", "--sort", "--to", "--limit", "--target", "-o", "--output"}
)
"""Options that take the next word, so that it is no command (a test compares them with the parsers)."""

_EXITS = "exit codes:\n" + "\n".join(f"  {code:>3}  {words}" for code, words in exits.WORDS)
_NOTE = (
    "a note: its id from `list` (as memory:3fa9c2d1), enough of it to be the only one, "
    "or a piece of text that only this note has"
)
_TEXT = "the text; - reads it from standard input, and -- goes before one that begins with -"


# ------------------------------------------------------------------------- what verbs take


def _nothing(group: _Group) -> None:
    """A verb that takes no more than the options all have."""


def _store(group: _Group) -> None:
    group.add_argument("--store", choices=("memory", "user"), help="only this store")


def _list(group: _Group) -> None:
    _store(group)
    orders = ("position", "length", "date")
    group.add_argument("--sort", choices=orders, default="position", help="the order (position)")


def _show(group: _Group) -> None:
    group.add_argument("note", help=_NOTE + ", or its place, counted from 1")


def _note(group: _Group) -> None:
    group.add_argument("note", help=_NOTE)


def _add(group: _Group) -> None:
    group.add_argument("text", help=_TEXT)
    group.add_argument("--to", choices=("memory", "user"), default="memory", help="the store (memory)")


def _replace(group: _Group) -> None:
    _note(group)
    group.add_argument("text", help=_TEXT)


def _history(group: _Group) -> None:
    group.add_argument("--limit", type=_whole, default=20, metavar="N", help="how many (20); 0 for all")


def _undo(group: _Group) -> None:
    group.add_argument("change", nargs="?", help="its id from `history`")


def _restore(group: _Group) -> None:
    group.add_argument("backup", help="its id from `backups`, or enough of it to be the only one")


def _forget(group: _Group) -> None:
    group.add_argument(
        "text",
        help="the whole text of a note, also of one that is gone; - reads it from standard input; or an id",
    )
    _yes(group)


def _reset(group: _Group) -> None:
    group.add_argument("--target", choices=("all", "memory", "user"), default="all", help="which store (all)")
    _yes(group)


def _export(group: _Group) -> None:
    _store(group)
    group.add_argument("-o", "--output", type=_named, metavar="FILE", help="write there instead of printing")
    group.add_argument(
        "-y", "--yes", action="store_true", help="replace a file that is there, without asking"
    )


def _proposal(group: _Group) -> None:
    group.add_argument("-y", "--yes", action="store_true", help="do it; else it is only shown")


def _split(group: _Group) -> None:
    _note(group)
    _proposal(group)


def _tidy(group: _Group) -> None:
    _store(group)
    _proposal(group)


def _yes(group: _Group) -> None:
    group.add_argument("-y", "--yes", action="store_true", help="do not ask")


def _key(group: _Group) -> None:
    group.add_argument("key", help="as memory.write_approval; `list` shows them all")


def _set(group: _Group) -> None:
    _key(group)
    group.add_argument("value")


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number, 0 or more")
    return int(text)


def _named(text: str) -> str:
    """A value that has to name something. An empty one, as of a variable that is not set, must not mean another."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the value is empty")
    return text


COMMANDS: dict[str, tuple[str, dict[str, tuple[str, _Arguments]]]] = {
    "memory": (
        "the notes: look at them, change them, undo",
        {
            "status": ("how full the stores are, and what is wrong with the home", _nothing),
            "list": ("every note, one a line", _list),
            "show": ("one note in full", _show),
            "add": ("add a note", _add),
            "replace": ("give a note another text", _replace),
            "remove": ("remove a note", _note),
            "move": ("move a note to the other store", _note),
            "pin": ("put the tag #pinned on a note, or take it off", _note),
            "split": ("several notes in place of one: shows them, does it with --yes", _split),
            "tidy": ("the files in the agent's own form: shows what differs, does it with --yes", _tidy),
            "prompt": ("the block that goes into the agent's system prompt", _store),
            "history": ("what was changed, newest first", _history),
            "undo": ("take back the last change, or the one named", _undo),
            "redo": ("do again what was undone last", _nothing),
            "backups": ("the copies made before each change", _nothing),
            "restore": ("put a backup back; undo takes that back", _restore),
            "forget": ("remove a note for good: from the files, history and backups; no undo", _forget),
            "reset": ("remove all notes; undo brings them back", _reset),
            "export": ("the notes as Markdown, or as JSON with --json", _export),
        },
    ),
    "config": (
        "settings of the agent that concern memory",
        {
            "get": ("the value of one setting", _key),
            "set": ("change one setting: one line of config.yaml", _set),
            "list": ("every setting, its value and where it comes from", _nothing),
        },
    ),
}
"""Command → what it is about, and its verbs: what each does, and what it takes."""


# --------------------------------------------------------------------------------- parsing


def named(words: Sequence[str]) -> tuple[str | None, str | None]:
    """The command and the verb among the words of a command line, known or not; None for what is not there."""
    found = [words[place] for place in _places(words)]
    return (found[0] if found else None), (found[1] if len(found) > 1 else None)


def is_ours(words: Sequence[str]) -> bool:
    """Whether this program answers: no command (the app), or a command and a verb that it has."""
    command, verb = named(words)
    return command is None or (command in COMMANDS and (verb is None or verb in COMMANDS[command][1]))


def parse(program: str, words: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command line; `command` is None for the app. Raises SystemExit for help and mistakes."""
    command, verb = named(words)
    if command is None:
        arguments = _app_parser(program).parse_args(words)
    else:
        places = _places(words)
        if command not in COMMANDS:
            _app_parser(program).parse_args(words[: places[0]])  # says so when an option there is the mistake
        rest = [word for place, word in enumerate(words) if place not in places]
        arguments = _verb_parser(program, command, verb, rest).parse_args(rest)
    arguments.command, arguments.verb = command, verb
    return arguments


def _places(words: Sequence[str]) -> tuple[int, ...]:
    """Where the command and the verb stand: the first two words that are no options nor values of options."""
    places: list[int] = []
    is_value = False
    for place, word in enumerate(words):
        if word == "--" or len(places) == 2:
            break
        if is_value or (word.startswith("-") and word != "-"):
            is_value = not is_value and word in VALUED
        else:
            places.append(place)
    return tuple(places)


class _Parser(argparse.ArgumentParser):
    """argparse with our way of printing, and with a way out in what it says about a mistake."""

    def error(self, message: str) -> NoReturn:
        """Say what was not understood, and where it is told; exit code 2."""
        if any(action.dest in ("text", "value") for action in self._actions):
            message += " (-- goes before a text that begins with -)"
        _stop(self.prog, f"{message}.", self.prog)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        Output().line(message.rstrip("\n"))  # help and version; mistakes go another way


class _ShowVersion(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version  # 20 ms, for this option alone

        try:
            Output().line(f"{parser.prog} {version('digit-tui')}")
        except PackageNotFoundError:
            Output().line(f"{parser.prog} (run from a source tree that is not installed)")
        raise SystemExit(exits.DONE)


def _stop(program: str, message: str, help_of: str) -> NoReturn:
    Output().say(f"{program}: {message} See {help_of} --help")
    raise SystemExit(exits.USAGE)


def _parser(program: str, words: str, epilog: str = _EXITS, usage: str | None = None) -> _Parser:
    """A parser with the options that everything has.

    Options go into groups: adding one to the parser itself makes argparse measure the terminal, for 4 ms.
    """
    parser = _Parser(
        prog=program,
        usage=usage,
        description=words,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    vars(parser)["color"] = False  # Python 3.14 would colour help, whatever NO_COLOR was when it started
    group = parser.add_argument_group("which home")
    group.add_argument(
        "--home",
        type=_named,
        metavar="DIR",
        help="the home to open (else DIGIT_HOME, HERMES_HOME, ~/.digit, ~/.hermes)",
    )
    group.add_argument(
        "--kind",
        type=_named,
        choices=("digit", "hermes", "profile"),
        help="what kind of home it is, if the guess is wrong",
    )
    group.add_argument(
        "-p",
        "--profile",
        type=_named,
        metavar="NAME",
        help="a profile of that home; default is the home itself",
    )
    group.add_argument("--demo", action="store_true", help="a throw-away copy of the example home")
    general = parser.add_argument_group("in general")
    general.add_argument("--no-color", action="store_true", help="no colours, as with NO_COLOR set")
    general.add_argument("-h", "--help", action="help", help="show this and leave")
    return parser


def _verb_parser(program: str, command: str, verb: str | None, rest: Sequence[str]) -> _Parser:
    """The parser of one verb. Raises SystemExit when there is no such command or verb."""
    # What is not ours was to go to the agent's own program of that name (`entry`).
    no_other = " No other digit was found on PATH to hand it to." if program == "digit" else ""
    if command not in COMMANDS:
        there_are = ", ".join(COMMANDS)
        _stop(program, f"there is no command {command!r}; there are {there_are}.{no_other}", program)
    program = f"{program} {command}"
    verbs = COMMANDS[command][1]
    if verb is None:
        _without_verb(program, command, rest)
    if verb not in verbs:
        _stop(program, f"there is no {verb!r}; there are {', '.join(verbs)}.{no_other}", program)
    words, arguments = verbs[verb]
    parser = _parser(f"{program} {verb}", words[0].upper() + words[1:] + ".")
    group = parser.add_argument_group("this command")
    arguments(group)
    group.add_argument("--json", action="store_true", help="print data as JSON")
    return parser


def _app_parser(program: str) -> _Parser:
    parser = _parser(
        program,
        "Browse and curate the memory of a Digit or Hermes agent. Without a command the app opens.",
        "\n\n".join([*(_verbs_of(command) for command in COMMANDS), _EXITS]),
        f"{program} [options]\n       {program} COMMAND VERB [options]",
    )
    app = parser.add_argument_group("the app")
    app.add_argument("--theme", default="", metavar="NAME", help="dark, light, or a theme of your own")
    app.add_argument(
        "--no-mouse", action="store_true", help="leave the mouse to the terminal, so that it selects text"
    )
    app.add_argument("--no-motion", action="store_true", help="nothing moves by itself")
    app.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and leave")
    return parser


def _without_verb(program: str, command: str, rest: Sequence[str]) -> NoReturn:
    """`digit memory` alone: its help when that was asked for, else what it could have been."""
    about, verbs = COMMANDS[command]
    if not {"-h", "--help"} & set(rest):
        _stop(program, f"say what to do: {', '.join(verbs)}.", program)
    usage = f"{program} VERB [options]"
    epilog = f"{_verbs_of(command)}\n\n{program} VERB --help tells more.\n\n{_EXITS}"
    _parser(program, about[0].upper() + about[1:] + ".", epilog, usage).print_help()
    raise SystemExit(exits.DONE)


def _verbs_of(command: str) -> str:
    about, verbs = COMMANDS[command]
    lines = [f"  {command} {verb:<9} {words}" for verb, (words, _) in verbs.items()]
    return "\n".join([f"{command} — {about}:", *lines])
