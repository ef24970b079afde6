"""Runs one command: opens the home, hands it to the verb, and turns what goes wrong into words and an exit code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from digit_core.errors import (
    ConfigError,
    DigitError,
    HomeNotFound,
    ProfileNotFound,
    UnknownSetting,
)
from digit_core.library import Library
from digit_tui.cli import exits
from digit_tui.cli.exits import Turned
from digit_tui.cli.home import opener
from digit_tui.cli.output import Output

Verb = Callable[[Namespace, Library, Output], int]


def run(program: str, arguments: Namespace) -> int:
    """Do `COMMAND VERB`; the exit code."""
    output = Output(json=arguments.json)
    try:
        code = _run(arguments, output)
    except Turned as error:
        output.fail(error.reason, str(error))
        code = error.code
    except HomeNotFound as error:
        output.fail("home_not_found", f"{error}. {_ways_out(program)}")
        code = exits.NOT_FOUND
    except UnknownSetting as error:
        output.fail("unknown_setting", f"{error} `{program} config list` shows all.")
        code = exits.NOT_FOUND
    except DigitError as error:
        output.fail(_word(error), str(error))
        code = _code(error)
    except OSError as error:  # what the core does not touch: the temporary folder of a demo, standard input
        where = f"{error.filename}: " if error.filename else ""
        output.fail("io", f"{where}{error.strerror or error}.")
        code = exits.FAILED
    return output.code(code)


def _run(arguments: Namespace, output: Output) -> int:
    with opener(arguments)() as library:
        if arguments.demo:
            output.say(f"A copy of the demo home; it is gone when this ends: {library.home.path}")
        return _verb(arguments)(arguments, library, output)


def _verb(arguments: Namespace) -> Verb:
    """What does the verb; only the module that has it is imported."""
    if arguments.command == "config":
        from digit_tui.cli.config import VERBS as SETTINGS

        return SETTINGS[arguments.verb]
    from digit_tui.cli.looking import VERBS as LOOKING

    if arguments.verb in LOOKING:
        return LOOKING[arguments.verb]
    from digit_tui.cli.changing import VERBS as CHANGING

    if arguments.verb in CHANGING:
        return CHANGING[arguments.verb]
    from digit_tui.cli.shaping import VERBS as SHAPING

    return SHAPING[arguments.verb]


def _ways_out(program: str) -> str:
    return (
        f"Name one with --home, or run {program} without a command: it offers to make one. "
        "--demo opens an example instead."
    )


def _word(error: DigitError) -> str:
    """`LockTimeout` → `lock_timeout`."""
    name = type(error).__name__
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


def _code(error: DigitError) -> int:
    if isinstance(error, ProfileNotFound):
        return exits.NOT_FOUND
    return exits.REFUSED if isinstance(error, ConfigError) else exits.FAILED
