"""Two ways along a row of settings: to the first that passes, and to the most useful one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

FALLS = 3
"""After so many lower utilities in a row a climb ends: whole thresholds make small dents."""

Rated = TypeVar("Rated")


def find_first(low: int, high: int, passes: Callable[[int], bool]) -> int:
    """The first place above `low` that passes, if all behind it do; `high` is taken to pass."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def find_peak(rated: Iterable[Rated | None], worth: Callable[[Rated], float]) -> Rated | None:
    """The most worth of some that rise and then fall; what isn't known is passed over."""
    best: Rated | None = None
    falls = 0
    for one in rated:
        if one is None:
            continue
        if best is None or worth(one) >= worth(best):
            best, falls = one, 0
        else:
            falls += 1
        if falls == FALLS:
            break
    return best
