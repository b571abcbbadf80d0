"""Columns whose names are like those that a role usually has: an order to look in, never a choice.

A misread column decides what is protected or released, so nothing here is taken for a role. The
names that are suggested are only those that are like a usual one: what is taken for names may be
the first row of a log, somebody's query.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from auditor.log.reading.column_mapping import ALIKE
from auditor.messages import phrase

LIKELY = 75.0
"""Likeness (0 to 100) from which on a column is suggested."""
MOST_WORDS = 3
"""More words are hardly a name."""
_SHORT = 3


class ColumnSuggestion(NamedTuple):
    """A column that may have a role, its place from 0, and how like a usual name its name is."""

    name: str
    place: int
    likeness: float


def suggest_columns(
    role: str, names: Sequence[str], taken: Collection[int] = (), *, limit: int = 3
) -> list[ColumnSuggestion]:
    """Columns whose names are like those of a role, the likeliest first; `taken` are left out."""
    from rapidfuzz import fuzz, process

    known = [name for name in ALIKE.get(role, ()) if len(name) > _SHORT]
    found = []
    for place, name in enumerate(names):
        plain = re.sub(r"[\W_]+", "", name[:80]).lower()
        if place in taken or len(plain) < _SHORT or len(name.split()) > MOST_WORDS:
            continue
        best = process.extractOne(plain, known, scorer=fuzz.WRatio, score_cutoff=LIKELY)
        if best is not None:
            found.append(ColumnSuggestion(name[:80], place, float(best[1])))
    return sorted(found, key=lambda one: (-one.likeness, one.place))[:limit]


def describe_suggestions(
    missing: Sequence[str], names: Sequence[str], taken: Collection[int] = ()
) -> str:
    """For each missing role the columns with the likeliest names, in a sentence; "" for none."""
    found = {role: suggest_columns(role, names, taken) for role in missing}
    parts = [
        " ".join(("the", role, " or ".join(f"“{one.name}”" for one in some)))
        for role, some in found.items()
        if some
    ]
    return (
        phrase("By the names it may be {parts}, the likeliest first.", parts="; ".join(parts))
        if parts
        else ""
    )
