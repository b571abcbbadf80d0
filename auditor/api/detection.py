"""`auditor.detect`: sensitive content in queries, as a table with one row a mark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from auditor.attacks.detection.detector import detect_all, options_of
from auditor.errors import ParameterError
from auditor.progress import Progress

if TYPE_CHECKING:
    import pandas as pd


def detect(
    queries: Iterable[str],
    *,
    kinds: Iterable[str] = (),
    countries: Iterable[str] = ("US",),
    least: float = 0.5,
    rule_weights: Mapping[str, float] | None = None,
    text: bool = False,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Find people, places, identifiers and sensitive topics in queries.

    Parameters
    ----------
    queries
        Query strings; each is read once however often it stands there. A missing one (None, NaN)
        holds nothing.
    kinds
        What to look for, as `auditor detect --help` lists it; everything by default.
    countries
        ISO codes of countries whose numbers count without a word beside them; the first is the
        region of telephone numbers without a +.
    least
        How sure a mark must be.
    rule_weights
        Rule → factor on how sure its marks are; 0 switches it off.
    text
        Whether the table has the marked words themselves, which a notebook then stores.
    progress
        Hears of the work and may cancel it; see `show_progress`.

    Returns
    -------
    pandas.DataFrame
        One row a mark, in the order of the queries: ``query`` (position in `queries`), ``start``
        and ``stop`` (characters), ``kind``, ``known`` (the person is known to the public),
        ``rule``, ``confidence``; with `text` also ``text`` and ``term`` (of the list, empty for
        other rules).

    Raises
    ------
    ParameterError
        A kind is unknown, `least` is not between 0 and 1, or `queries` holds what is no string.
    """
    options = options_of(kinds, countries, least, rule_weights or {})
    marks = detect_all(_list_queries(queries), options, progress)
    return marks if text else marks.drop(columns=["text", "term"])


def _list_queries(queries: Iterable[object]) -> list[str]:
    """The queries as strings, an empty one for each that is missing."""
    import pandas as pd

    if isinstance(queries, str | bytes):
        raise ParameterError("queries", "This is one string. Give a list of queries.")
    listed: list[str] = []
    for place, query in enumerate(queries):
        if isinstance(query, str):
            listed.append(query)
        elif query is None or query is pd.NA or (isinstance(query, float) and math.isnan(query)):
            listed.append("")
        else:
            kind = type(query).__name__
            raise ParameterError("queries", f"Query {place} is no string but {kind}. Convert it.")
    return listed
