"""What the rows of a release show whatever is in them: ids of several days, columns, their age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from auditor.log.model import QueryLog, iterate_slices
from auditor.log.sentences import sentence
from auditor.messages import join_phrases, phrase
from auditor.methods.released_ids import number_records
from auditor.privacy.release import Anonymized

FORBIDDEN = ("ip", "cookie", "signed_in", "input_mode", "filters")
"""Columns that are never to be handed out (spec 7, section 4)."""
_DAY, _HOUR = 86_400, 3_600
"""Searches of a day that are alike stand seconds apart: only what is later than an hour counts."""
_UNKNOWN = "was not measured: nobody looked at what the rows show"
_NO_LOG = "the release has no rows of users"


@dataclass(frozen=True)
class ContentFacts:
    """Counts of one release; None where there is nothing to count.

    `persistent_ids` are ids under which searches of several days (UTC) stand, `forbidden_columns`
    those of `FORBIDDEN` that it has, `exact_times` rows that show more of their time than its day.
    `newest` is the second of the newest search of the log, since 1970 UTC; `known` whether anybody
    looked.
    """

    persistent_ids: int | None = None
    forbidden_columns: tuple[str, ...] | None = None
    newest: int | None = None
    exact_times: int | None = None
    known: bool = False

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> ContentFacts:
        """Count them; O(rows)."""
        newest = None if log.period is None else log.period[1]
        released = release.log
        if released is None:
            return cls(newest=newest, known=True)
        record = number_records(released)
        owner = released.user[np.flatnonzero(np.diff(record, prepend=-1))]
        days = np.bincount(owner, minlength=len(released.users))
        several = int(np.count_nonzero(days > 1)) if len(released.users) > 1 else 0
        columns = tuple(name for name in FORBIDDEN if name in released.columns)
        times = (released.time[part] % _DAY for part in iterate_slices(len(released)))
        exact = sum(int(np.count_nonzero(part >= _HOUR)) for part in times)
        return cls(several, columns, newest, exact, known=True)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ContentFacts:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        if not plain:
            return cls()
        ids, newest, exact, columns = (plain.get(name) for name in _NAMES)
        return cls(
            None if ids is None else int(ids),
            None if columns is None else tuple(map(str, columns)),
            None if newest is None else int(newest),
            None if exact is None else int(exact),
            known=True,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; empty where nobody looked."""
        columns = None if self.forbidden_columns is None else [*self.forbidden_columns]
        values = (self.persistent_ids, self.newest, self.exact_times, columns)
        plain = dict(zip(_NAMES, values, strict=True))
        return {name: value for name, value in plain.items() if value is not None}

    def find_figure(self, name: str, made: str) -> tuple[float | None, str]:
        """What a gate names after ``content.``, of a release `made` then, and what to say of it."""
        if not self.known or not made:
            return None, _UNKNOWN
        if name == "delay_days":
            if self.newest is None:
                return None, "the log has no search"
            age = datetime.fromisoformat(made).timestamp() - self.newest
            return float(age // _DAY), sentence("content.delay")
        if name != "forbidden_columns":
            value = self.persistent_ids if name == "persistent_ids" else self.exact_times
            return (None, _NO_LOG) if value is None else (float(value), "")
        columns = self.forbidden_columns
        if columns is None:
            return None, _NO_LOG
        names = phrase(": {names}", names=join_phrases(", ", columns)) if columns else ""
        return float(len(columns)), names


_NAMES = ("persistent_ids", "newest", "exact_times", "forbidden_columns")
