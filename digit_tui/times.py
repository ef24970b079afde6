"""Times as a person reads them: short and relative in lists, exact in the detail; and for scripts. Local time."""

from __future__ import annotations

import time

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def ago(then: float, now: float) -> str:
    """How long ago, in at most 8 cells: `now`, `5 min`, `3 h`, `6 d`, then the day, `2 Apr` or `Apr 2025`."""
    seconds = now - then
    if seconds < _MINUTE:
        return "now" if seconds > -_MINUTE else _day(then, now)
    if seconds < _HOUR:
        return f"{int(seconds // _MINUTE)} min"
    if seconds < _DAY:
        return f"{int(seconds // _HOUR)} h"
    if seconds < 14 * _DAY:
        return f"{int(seconds // _DAY)} d"
    return _day(then, now)


def _day(then: float, now: float) -> str:
    day = _local(then)
    if day.tm_year == _local(now).tm_year:
        return f"{day.tm_mday} {_MONTHS[day.tm_mon - 1]}"
    return f"{_MONTHS[day.tm_mon - 1]} {day.tm_year}"


def exact(then: float) -> str:
    """`2 Apr 2026, 14:03`."""
    at = _local(then)
    return f"{at.tm_mday} {_MONTHS[at.tm_mon - 1]} {at.tm_year}, {at.tm_hour:02}:{at.tm_min:02}"


def stamp(then: float) -> str:
    """`2026-04-02 14:03`, always 16 cells and in the order of time, for tables; blank for 0: nobody knows."""
    return time.strftime("%Y-%m-%d %H:%M", _local(then)) if then > 0 else " " * 16


def _local(then: float) -> time.struct_time:
    """Local time; a time stamp that no calendar holds counts as the first of them all."""
    try:
        return time.localtime(then)
    except (OverflowError, ValueError, OSError):
        return time.localtime(0)
