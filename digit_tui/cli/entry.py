"""Where `digit-tui` and `digit` start. Nothing of Textual is imported until the app opens."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from digit_core.errors import DigitError
from digit_core.library import Library
from digit_core.memory.homes import find_home
from digit_tui.cli import exits
from digit_tui.cli.naming import Ambiguous, NotFound
from digit_tui.cli.output import Output
from digit_tui.cli.parser import build_parser
from digit_tui.options import Options

VERSION = "0.1.0"

_OURS = frozenset({"memory", "config"})


def main(argv: Sequence[str] | None = None) -> int:
    """The command `digit-tui`."""
    return _main("digit-tui", sys.argv[1:] if argv is None else argv)


def main_digit(argv: Sequence[str] | None = None) -> int:
    """The command `digit`: as `digit-tui`, and a command that is not ours goes to the next `digit` on PATH."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and not words[0].startswith("-") and words[0] not in _OURS:
        other = _next_on_path("digit")
        if other is not None:
            sys.stdout.flush()
            os.execv(other, [str(other), *words])
    return _main("digit", words)


def _main(program: str, words: Sequence[str]) -> int:
    parser = build_parser(program, VERSION)
    arguments = parser.parse_args(words)
    output = Output(json=getattr(arguments, "json", False))
    try:
        if arguments.command is None:
            return _open_app(arguments, output)
        return _run(parser, arguments, output)
    except (NotFound, Ambiguous) as error:
        output.say(str(error))
        return exits.NOT_FOUND if isinstance(error, NotFound) else exits.REFUSED
    except DigitError as error:
        output.say(str(error))
        return exits.of_error(error)
    except KeyboardInterrupt:
        output.say("Interrupted.")
        return exits.INTERRUPTED


def _run(parser: ArgumentParser, arguments: Namespace, output: Output) -> int:
    with _library(arguments)() as library:
        if arguments.command == "config":
            from digit_tui.cli import config  # yaml costs 20 ms, and the memory commands may do without

            return config.run(arguments, library, output)
        from digit_tui.cli import memory

        return memory.run(arguments, library, output)


def _open_app(arguments: Namespace, output: Output) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        output.say(
            "The app needs a terminal. `digit memory list` prints the notes; `digit --help` lists the commands."
        )
        return exits.USAGE
    from digit_tui.start import start  # Textual: 200 ms

    options = Options(
        theme=arguments.theme,
        mouse=not arguments.no_mouse,
        motion=not arguments.no_motion,
        demo=getattr(arguments, "demo", False),
    )
    return start(_library(arguments), options)


def _library(arguments: Namespace) -> Callable[[], Library]:
    """Opens the home that the options name; raises HomeError when called."""

    def opened() -> Library:
        if getattr(arguments, "demo", False):
            from digit_tui.demo import make_demo_home

            return Library(find_home(home=str(make_demo_home()), env={}))
        return Library(
            find_home(
                home=getattr(arguments, "home", None),
                kind=getattr(arguments, "kind", None),
                profile=getattr(arguments, "profile", None),
            )
        )

    return opened


def _next_on_path(program: str) -> Path | None:
    """The next executable of this name on PATH that is not this program, or None."""
    own = Path(sys.argv[0]).resolve()
    for folder in os.get_exec_path():
        candidate = Path(folder) / program
        if not candidate.is_file() or not os.access(candidate, os.X_OK):
            continue
        if candidate.resolve() != own and not _is_ours(candidate):
            return candidate
    return None


def _is_ours(script: Path) -> bool:
    """Whether a script on PATH is another installation of this program: running it would only come back here."""
    try:
        with script.open("rb") as stream:
            return b"digit_tui" in stream.read(4096)
    except OSError:
        return False
