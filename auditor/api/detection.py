"""`auditor.detect`: sensitive content in queries, as a table with one row a mark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from auditor.attacks.detection.detector import detect_all, options_of
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
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Find people, places, identifiers and sensitive topics in queries.

    Parameters
    ----------
    queries
        Query strings; each is read once however often it stands there.
    kinds
        What to look for, as `auditor detect --help` lists it; everything by default.
    countries
        ISO codes of countries whose numbers count without a word beside them; the first is the
        region of telephone numbers without a +.
    least
        How sure a mark must be.
    rule_weights
        Rule → factor on how sure its marks are; 0 switches it off.

    Returns
    -------
    pandas.DataFrame
        One row a mark: ``query`` (position in `queries`), ``start`` and ``stop`` (characters),
        ``text``, ``kind``, ``known`` (the person is known to the public), ``rule``, ``term`` (of
        the list, empty for other rules), ``confidence``. In the order of the queries.

    Raises
    ------
    ParameterError
        A kind is unknown, or `least` is not between 0 and 1.
    """
    options = options_of(kinds, countries, least, rule_weights or {})
    return detect_all(list(queries), options, progress)
