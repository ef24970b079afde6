"""What every test of the app has: a blocked event loop fails it."""

from tests.digit_tui.conftest import blockbuster

__all__ = ["blockbuster"]
