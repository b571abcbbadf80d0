"""What the rows of a release show whatever is in them: ids of several days, columns, their age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import join_phrases, phrase
from auditor.privacy.release import Anonymized

FORBIDDEN = ("ip", "cookie", "signed_in", "input_mode", "filters")
"""Columns that are never to be handed out (spec 7, section 4)."""
_DAY = 86_400
_UNKNOWN = "was not measured: nobody looked at what the rows show"
_NO_LOG = "the release has no rows of users"


@dataclass(frozen=True)
class ContentFacts:
    """Counts of one release; None where there is nothing to count.

    Attributes
    ----------
    persistent_ids
        Ids under which searches of several days (UTC) stand.
    forbidden_columns
        Columns of `FORBIDDEN` that it has.
    newest
        Second of the newest search of the log, since 1970 UTC.
    known
        Whether anybody looked.
    """

    persistent_ids: int | None = None
    forbidden_columns: tuple[str, ...] | None = None
    newest: int | None = None
    known: bool = False

    @classmethod
    def of(cls, log: QueryLog, release: Anonymized) -> ContentFacts:
        """Count them; O(rows log rows)."""
        newest = None if log.period is None else log.period[1]
        released = release.log
        if released is None:
            return cls(newest=newest, known=True)
        pairs = sorted_distinct(released.user.astype(np.int64) << 32 | released.time // _DAY)
        days = np.bincount(pairs >> 32, minlength=len(released.users))
        several = int(np.count_nonzero(days > 1)) if len(released.users) > 1 else 0
        return cls(
            several, tuple(n for n in FORBIDDEN if n in released.columns), newest, known=True
        )

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> ContentFacts:
        """The inverse of `to_dict`; raises TypeError or ValueError for anything else."""
        if not plain:
            return cls()
        ids, newest, columns = (plain.get(name) for name in _NAMES)
        return cls(
            None if ids is None else int(ids),
            None if columns is None else tuple(map(str, columns)),
            None if newest is None else int(newest),
            known=True,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; empty where nobody looked."""
        columns = self.forbidden_columns
        values = (self.persistent_ids, self.newest, None if columns is None else [*columns])
        plain = dict(zip(_NAMES, values, strict=True))
        return {name: value for name, value in plain.items() if value is not None}

    def find_figure(self, name: str, made: str) -> tuple[float | None, str]:
        """What a gate names after ``content.``, and what there is to say of it.

        `made` is the moment at which the release was made, as a record has it.
        """
        if not self.known or not made:
            return None, _UNKNOWN
        if name == "delay_days":
            if self.newest is None:
                return None, "the log has no search"
            age = datetime.fromisoformat(made).timestamp() - self.newest
            return float(age // _DAY), sentence("content.delay")
        if name == "persistent_ids":
            return (None, _NO_LOG) if self.persistent_ids is None else (self.persistent_ids, "")
        columns = self.forbidden_columns
        if columns is None:
            return None, _NO_LOG
        names = phrase(": {names}", names=join_phrases(", ", columns)) if columns else ""
        return float(len(columns)), names


_NAMES = ("persistent_ids", "newest", "forbidden_columns")
