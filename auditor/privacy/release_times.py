"""How exact the times of a released log are, and how to compare them with exact ones.

A method that yields a log says in its public parameter ``times`` what is left of them. Whoever
compares a release with its log, as attackers and auditors do, brings both to the same coarseness.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from auditor.arrays import Int64s

EXACT, SHUFFLED = "exact", "shuffled"

STEPS = {"hour": 3_600, "day": 86_400, "week": 604_800}
"""Seconds of each step to which times are cut off."""

_MONDAY = 4 * 86_400
"""The first Monday after 1970 began, at which weeks are counted."""
_SPARE = {"week": 3_600, "day": 3_600, "hour": 60}
"""Seconds within a step that may number searches and tell no time."""
_LOOKED_AT = 1_000
"""Times that are looked at before all of them are."""


def times_of(params: Mapping[str, Any]) -> str:
    """What a release's parameters say of its times; `EXACT` if they say nothing."""
    times = params.get("times", EXACT)
    return str(times) if times in (*STEPS, SHUFFLED) else EXACT


def apparent_times(time: Int64s) -> str:
    """What is left of times as they look: of days alone nothing shows that they were moments.

    Most are at the beginning of a step, the rest a bit later: they number a user's equal searches.
    Weeks show in two Mondays or more.
    """
    if len(time) and not time.any():
        return SHUFFLED
    for name, spare in _SPARE.items():
        first = time[:_LOOKED_AT]
        if (first - floor_times(first, name) < spare).all():
            remainder = time - floor_times(time, name)
            is_cut = (remainder < spare).all() and 2 * np.count_nonzero(remainder) <= len(remainder)
            if is_cut and (name != "week" or (len(time) and np.ptp(time) >= STEPS[name])):
                return name
    return EXACT


def comparable_times(params: Mapping[str, Any]) -> str:
    """The same for rows that are compared with the log's: `SHUFFLED` where the clock was hidden."""
    return times_of(params) if params.get("clock", "kept") == "kept" else SHUFFLED


def floor_times(time: Int64s, times: str) -> Int64s:
    """The beginning of the hour, day or week (from Monday) of each time, in UTC.

    Unchanged where `times` is none of these. All times that a search may have after it was cut
    off lie within the step, so that those of a release have the same beginning as the log's.
    """
    step = STEPS.get(times)
    if step is None:
        return time
    begin = _MONDAY if times == "week" else 0
    floored: Int64s = (time - begin) // step * step + begin
    return floored
