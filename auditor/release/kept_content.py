"""How much of a log is left in a release: distinct queries and the share of searches.

Blank queries are missing values: neither the log nor the release is said to hold them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.figures import MetricValue
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized


@dataclass(frozen=True)
class KeptContent:
    """What is left, as counts that can be compared; None where it is not known.

    Attributes
    ----------
    queries, log_queries
        Distinct queries in the release and in the log. Of tables only those count that the log
        holds, not decoys; of a released log all, since its strings may be hashes.
    searches, log_searches
        Searches (distinct user, query and time) of the log whose query is in the released tables,
        or searches in the released log; and searches of the log.
    """

    queries: int | None = None
    log_queries: int | None = None
    searches: float | None = None
    log_searches: int | None = None

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> KeptContent:
        """Count both; O(rows + strings). Of a release that was never in memory nothing is known."""
        blank = log.queries.find_blank()
        events = np.bincount(log.query[log.event_starts], minlength=len(blank))
        whole = (int((~blank).sum()), int(events[~blank].sum()))
        if release.tables is not None:
            found = (log.queries.match(release.tables.queries) != NONE) & ~blank
            return cls(int(found.sum()), whole[0], int(events[found].sum()), whole[1])
        released = release.log
        if released is None:
            return cls(log_queries=whole[0], log_searches=whole[1])
        shown = ~released.queries.find_blank()
        searches = int(shown[released.query[released.event_starts]].sum())
        return cls(int(shown.sum()), whole[0], searches, whole[1])

    @classmethod
    def from_expectations(
        cls, values: tuple[MetricValue, ...], log: QueryLog | None
    ) -> KeptContent:
        """What an outlook's expectations come to, for the whole of `log` where it is known."""
        known = {value.name: value.value for value in values}
        queries, share = known.get("expected.queries"), known.get("expected.volume")
        told = None if log is None else log.without_blank
        searches = None if told is None else int(told.event_starts.sum())
        return cls(
            None if queries is None else int(queries),
            None if told is None else len(told.queries),
            None if share is None or searches is None else share * searches,
            searches,
        )

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> KeptContent:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        names = ("queries", "log_queries", "log_searches")
        counts = {name: int(plain[name]) for name in names if name in plain}
        searches = float(plain["searches"]) if "searches" in plain else None
        return cls(**counts, searches=searches)

    @property
    def share(self) -> float | None:
        """Share of the log's searches that is left, at most 1."""
        if self.searches is None or self.log_searches is None:
            return None
        return min(1.0, self.searches / self.log_searches) if self.log_searches else 0.0

    @property
    def empty(self) -> bool:
        """Whether not a single query is left that shows anything."""
        return self.queries == 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is not known stays out."""
        plain = {
            "queries": self.queries,
            "log_queries": self.log_queries,
            "searches": self.searches,
            "log_searches": self.log_searches,
        }
        return {name: value for name, value in plain.items() if value is not None}
