"""Why a query stands in a release or doesn't: one answer for the command line and the window.

The answer shows counts of the log as they are. It is for those who hold the log; no ε covers it,
and nothing of it goes into a release.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.engine.suppressed_content import is_suppressed
from auditor.errors import ParameterError
from auditor.figures import MetricValue, ShortRepr, Table
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, code_of
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

INTERNAL = (
    "Internal: these are counts of the original log as they are. No ε covers them; do not pass "
    "them on."
)
"""What stands at every answer."""

LONGEST = 1 << 16
"""Characters of a query that is asked after."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ExplanationAnswer(ShortRepr):
    """What is known of one query, of the log and so not for others.

    Attributes
    ----------
    query, method
        What was asked after, and what made the release.
    rows, users
        In the log.
    released
        Whether the release holds it.
    released_count
        What tables say of it; None where they don't hold it, or the release is a log.
    released_rows, released_users
        In a released log; None where the release is tables, or its words are hidden.
    explanation
        The method's, or None where the method isn't known.
    """

    query: str
    method: str
    rows: int
    users: int
    released: bool
    released_count: int | None = None
    released_rows: int | None = None
    released_users: int | None = None
    explanation: Explanation | None = None

    def describe(self) -> str:
        """What made the release, without the query."""
        return f"{self.method}; to_dict() has the query and its counts"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain: dict[str, Any] = {
            "query": self.query,
            "method": self.method,
            "internal": INTERNAL,
            "rows": self.rows,
            "users": self.users,
            "released": self.released,
        }
        plain |= _list_known(self, "released_count", "released_rows", "released_users")
        told = self.explanation
        if told is None:
            return plain
        plain["outcome"] = told.outcome
        if told.chance is not None:
            plain["chance"] = told.chance
        plain["values"] = {value.name: value.value for value in told.values}
        plain["changes"] = [_turn_to_dict(turn) for turn in told.turns]
        plain["tables"] = {table.name: _table_to_dict(table) for table in told.tables}
        return plain | {"notes": list(told.notes)}

    def list_facts(self) -> tuple[MetricValue, ...]:
        """The figures that every answer has, before the method's own."""
        found = [
            MetricValue("rows", "rows in the log", float(self.rows), "rows"),
            MetricValue("users", "users who issued it", float(self.users), "users"),
        ]
        if self.released_count is not None:
            found.append(
                MetricValue("released_count", "released count", float(self.released_count))
            )
        if self.released_rows is not None and self.released_users is not None:
            found += [
                MetricValue(
                    "released_rows", "rows in the release", float(self.released_rows), "rows"
                ),
                MetricValue(
                    "released_users", "ids it stands under", float(self.released_users), "ids"
                ),
            ]
        return tuple(found)


def explain_query(
    log: QueryLog, release: Anonymized, query: str, progress: Progress
) -> ExplanationAnswer:
    """Everything that can be said of one query in a log and a release of it.

    Looking a query up is O(rows); the method's own part says what it costs.

    Raises
    ------
    ParameterError
        The query is longer than any that is looked up.
    """
    if len(query) > LONGEST:
        raise ParameterError(
            "query", phrase("The query is longer than {longest:,} characters.", longest=LONGEST)
        )
    progress.stage("looking up the query")
    asked = ExplanationRequest.of(log, query, release)
    progress.check()
    answer = _find_in_release(asked, release)
    params = params_of(release)
    hook = METHODS[release.method].explain if params is not None else None
    if hook is None:
        return answer
    told = hook(asked, params, progress)
    if params is not None and is_suppressed(query, params, progress):
        told = dataclasses.replace(
            told,
            outcome=sentence(
                "explanation.text_marked_pointing_person", outcome=as_phrase(told.outcome)
            ),
            chance=None if told.chance is None else 0.0,
        )
    if told.released is not None:
        answer = dataclasses.replace(
            answer, released=told.released, released_rows=None, released_users=None
        )
    return dataclasses.replace(answer, explanation=told)


def params_of(release: Anonymized) -> Params | None:
    """The parameters that made a release; None where its method or they aren't known."""
    if release.method not in METHODS:
        return None
    method = METHODS[release.method]
    if (release.tables is not None) != (method.yields == "tables"):
        return None
    try:
        return method.params.of(release.params)
    except (ParameterError, TypeError, ValueError):
        return None


def _find_in_release(asked: ExplanationRequest, release: Anonymized) -> ExplanationAnswer:
    plain: dict[str, Any] = {}
    if release.tables is not None:
        code = code_of(release.tables.queries, asked.text)
        if code != NONE and release.tables.is_counted:
            plain["released_count"] = int(release.tables.query_count[code])
        released = code != NONE
    else:
        assert release.log is not None
        there = ExplanationRequest.of(release.log, asked.text)
        plain |= {"released_rows": len(there.rows), "released_users": len(there.users)}
        released = len(there.rows) > 0
    return ExplanationAnswer(
        query=asked.text,
        method=release.method,
        rows=len(asked.rows),
        users=len(asked.users),
        released=released,
        **plain,
    )


def beginning_with(log: QueryLog, start: str, most: int, progress: Progress) -> list[str]:
    """The queries of the log that begin so, those of most rows first; O(distinct queries)."""
    import pyarrow.compute as pc

    found = pc.starts_with(log.queries.as_arrow(), start)
    codes = np.flatnonzero(found.to_numpy(zero_copy_only=False))
    progress.check()
    wanted = np.zeros(len(log.queries), dtype=np.bool_)
    wanted[codes] = True
    rows = np.bincount(log.query[wanted[log.query]], minlength=len(log.queries))[codes]
    order = np.argsort(-rows, kind="stable")[:most]
    return log.queries.list_strings(codes[order])


def _list_known(what: Any, *names: str) -> dict[str, Any]:
    """Attributes that are not None, by name."""
    return {name: value for name in names if (value := getattr(what, name)) is not None}


def _turn_to_dict(turn: Any) -> dict[str, Any]:
    plain = _list_known(turn, "parameter", "now", "value", "chance")
    return plain | ({"why": turn.why} if turn.why else {})


def _table_to_dict(table: Table) -> dict[str, Any]:
    return {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}
