"""Asks before what is not easily put right."""

from __future__ import annotations

import sys
from argparse import Namespace

from digit_tui.cli.exits import Turned
from digit_tui.cli.output import Output


def make_sure(arguments: Namespace, output: Output, question: str) -> None:
    """Go on when the person says yes: `--yes`, or the word at a terminal. Raises Turned."""
    if arguments.yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise Turned(
            "not_confirmed", f"{question}\nThere is no terminal to ask at; add --yes. Nothing was changed."
        )
    output.say(f"{question} Type yes:")
    if sys.stdin.readline().strip().lower() != "yes":
        raise Turned("not_confirmed", "Nothing was changed.")
