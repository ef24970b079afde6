"""Memory files in the Digit/Hermes dialect: the one face of this room for whoever reads or changes them.

`entries` reads and gives back bytes, `splice` changes, `irregular` says what is odd, `split` proposes
borders.
"""

from __future__ import annotations

from digit_core.formats.entries import (
    DELIMITER,
    ContentFault,
    Document,
    Entry,
    clean,
    content_fault,
    fold,
    length,
    line_of,
    parse,
    to_bytes,
)
from digit_core.formats.irregular import Drift, Irregularity, drift, irregularities
from digit_core.formats.splice import (
    SpliceError,
    normalise,
    splice_add,
    splice_insert,
    splice_remove,
    splice_replace,
)
from digit_core.formats.split import at_delimiters, propose_split

__all__ = [
    "DELIMITER",
    "ContentFault",
    "Document",
    "Drift",
    "Entry",
    "Irregularity",
    "SpliceError",
    "at_delimiters",
    "clean",
    "content_fault",
    "drift",
    "fold",
    "irregularities",
    "length",
    "line_of",
    "normalise",
    "parse",
    "propose_split",
    "splice_add",
    "splice_insert",
    "splice_remove",
    "splice_replace",
    "to_bytes",
]
