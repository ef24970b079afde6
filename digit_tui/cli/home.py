"""Opens the home that the options name."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from digit_core.library import Library
from digit_core.memory.homes import find_home


def opener(arguments: Namespace) -> Callable[[], Library]:
    """Opens the home when called: then it raises HomeError, and OSError when a demo home cannot be made."""

    def opened() -> Library:
        if arguments.demo:
            from digit_tui.demo import make_demo_home

            return Library(find_home(home=str(make_demo_home()), env={}))
        return Library(find_home(home=arguments.home, kind=arguments.kind, profile=arguments.profile))

    return opened
