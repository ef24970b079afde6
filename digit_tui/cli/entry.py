"""Where `digit-tui` and `digit` start. Nothing of Textual is imported until the app opens."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from digit_tui.cli import exits
from digit_tui.cli.exits import Turned
from digit_tui.cli.output import Output
from digit_tui.cli.parser import is_ours, parse


def main(argv: Sequence[str] | None = None) -> int:
    """The command `digit-tui`."""
    return _main("digit-tui", argv)


def main_digit(argv: Sequence[str] | None = None) -> int:
    """The command `digit`: as `digit-tui`, and a command that is not ours goes to the next `digit` on PATH."""
    return _main("digit", argv)


def _main(program: str, argv: Sequence[str] | None) -> int:
    if argv is not None:
        return _answer(program, argv)
    # This process is for one command. To look for garbage in it costs a twentieth of `digit memory status`, half
    # of that at its end; the app turns the collector on again.
    gc.disable()
    try:
        return _answer(program, [_text(word) for word in sys.argv[1:]])
    finally:
        gc.freeze()


def _text(word: str) -> str:
    """A word as it was typed: in a locale that is not UTF-8 Python hands over the bytes of what it cannot decode."""
    if word.isprintable():  # what holds such bytes is not
        return word
    try:
        return os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word


def _answer(program: str, words: Sequence[str]) -> int:
    try:
        if program == "digit" and not is_ours(words):
            from digit_tui.cli.passing import pass_on

            code = pass_on(program, words)
            if code is not None:
                return code
        arguments = parse(program, words)
        if arguments.no_color:
            os.environ["NO_COLOR"] = "1"
        if arguments.command is None:
            return _open_app(program, arguments)
        from digit_tui.cli.run import run  # the core: 50 ms that help and what is passed on do without

        return run(program, arguments)
    except Turned as error:
        Output().say(f"{program}: {error}")
        return error.code
    except SystemExit as stop:  # argparse: help was shown, or a mistake was
        return stop.code if isinstance(stop.code, int) else exits.USAGE
    except KeyboardInterrupt:
        Output().say("Interrupted.")
        return exits.INTERRUPTED


def _open_app(program: str, arguments: Namespace) -> int:
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        Output().say(
            f"The app needs a terminal. `{program} memory list` prints the notes; `{program} --help` lists all."
        )
        return exits.USAGE
    if arguments.theme:
        from digit_tui.look import look_names

        if arguments.theme not in look_names():
            Output().say(f"There is no theme {arguments.theme!r}; there are {', '.join(look_names())}.")
            return exits.USAGE
    from digit_tui.cli.home import opener
    from digit_tui.options import Options
    from digit_tui.start import start

    options = Options(
        theme=arguments.theme,
        mouse=not arguments.no_mouse,
        motion=not arguments.no_motion,
        demo=arguments.demo,
    )
    return start(opener(arguments), options)
