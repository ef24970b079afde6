"""What every test of the app has: a blocked event loop fails it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from blockbuster import BlockBuster, blockbuster_ctx


@pytest.fixture(autouse=True)
def blockbuster() -> Iterator[BlockBuster]:
    # The tests themselves may read files; the program may not, in the thread of its event loop.
    with blockbuster_ctx(scanned_modules=["digit_tui", "digit_core", "textual"]) as buster:
        yield buster
