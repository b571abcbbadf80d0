"""Why a query stands in a release or doesn't: one answer for the command line and the window.

The answer shows counts of the log as they are. It is for those who hold the log; no ε covers it,
and nothing of it goes into a release.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.engine.suppressed_content import is_suppressed
from auditor.errors import ParameterError
from auditor.figures import MetricValue, ShortRepr
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, code_of
from auditor.methods.registry import METHODS, find_params
from auditor.params import Params
from auditor.privacy.blank_queries import spell_queries
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

    `rows` and `users` are of the log. `released_count` is what tables say of it; `released_rows`
    and `released_users` are of a released log. These are None where the release is of the other
    form or hides its words, and `explanation`, the method's own, where the method isn't known.
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
            **_list_known(self, "rows", "users", "released"),
            **_list_known(self, "released_count", "released_rows", "released_users"),
        }
        explanation = self.explanation
        if explanation is None:
            return plain
        plain["outcome"] = explanation.outcome
        if explanation.chance is not None:
            plain["chance"] = explanation.chance
        plain["values"] = {value.name: value.value for value in explanation.values}
        plain["changes"] = [
            _list_known(turn, "parameter", "now", "value", "chance")
            | ({"why": turn.why} if turn.why else {})
            for turn in explanation.turns
        ]
        plain["tables"] = {
            table.name: {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}
            for table in explanation.tables
        }
        return plain | {"notes": list(explanation.notes)}

    def list_facts(self) -> tuple[MetricValue, ...]:
        """The figures that every answer has, before the method's own."""
        facts = (
            ("rows", "rows in the log", self.rows, "rows"),
            ("users", "users who issued it", self.users, "users"),
            ("released_count", "released count", self.released_count, ""),
            ("released_rows", "rows in the release", self.released_rows, "rows"),
            ("released_users", "ids it stands under", self.released_users, "ids"),
        )
        return tuple(
            MetricValue(name, label, float(count), unit)
            for name, label, count, unit in facts
            if count is not None
        )


def explain_query(
    log: QueryLog, release: Anonymized, query: str, progress: Progress
) -> ExplanationAnswer:
    """Everything that can be said of one query in a log and a release of it.

    O(rows), and the method's own part. Raises `ParameterError` for a query longer than `LONGEST`.
    """
    if len(query) > LONGEST:
        raise ParameterError(
            "query", phrase("The query is longer than {longest:,} characters.", longest=LONGEST)
        )
    progress.stage("looking up the query")
    request = ExplanationRequest.of(log, query, release)
    progress.check()
    plain: dict[str, Any] = {}
    if release.tables is not None:
        spelling = spell_queries(Vocabulary.of([request.text]), release)[0]
        code = code_of(release.tables.queries, spelling)
        if code != NONE and release.tables.is_counted:
            plain["released_count"] = int(release.tables.query_count[code])
        released = code != NONE
    else:
        assert release.log is not None
        matches = ExplanationRequest.of(release.log, request.text)
        plain |= {"released_rows": len(matches.rows), "released_users": len(matches.users)}
        released = len(matches.rows) > 0
    answer = ExplanationAnswer(
        query=request.text,
        method=release.method,
        rows=len(request.rows),
        users=len(request.users),
        released=released,
        **plain,
    )
    params = params_of(release)
    hook = METHODS[release.method].explain if params is not None else None
    if hook is None:
        return answer
    explanation = hook(request, params, progress)
    if params is not None and is_suppressed(query, params, progress):
        explanation = dataclasses.replace(
            explanation,
            outcome=sentence(
                "explanation.text_marked_pointing_person", outcome=as_phrase(explanation.outcome)
            ),
            chance=None if explanation.chance is None else 0.0,
        )
    if explanation.released is not None:
        answer = dataclasses.replace(
            answer, released=explanation.released, released_rows=None, released_users=None
        )
    return dataclasses.replace(answer, explanation=explanation)


def params_of(release: Anonymized) -> Params | None:
    """The parameters that made a release; None where its method or they aren't known."""
    params = find_params(release.method, release.params)
    if params is None or (release.log is None) != (METHODS[release.method].yields == "tables"):
        return None
    return params


def beginning_with(log: QueryLog, start: str, user_limit: int, progress: Progress) -> list[str]:
    """The queries of the log that begin so, those of most rows first; O(distinct queries)."""
    import pyarrow.compute as pc

    matches = pc.starts_with(log.queries.as_arrow(), start)
    codes = np.flatnonzero(matches.to_numpy(zero_copy_only=False))
    progress.check()
    is_match = np.zeros(len(log.queries), dtype=np.bool_)
    is_match[codes] = True
    rows = np.bincount(log.query[is_match[log.query]], minlength=len(log.queries))[codes]
    order = np.argsort(-rows, kind="stable")[:user_limit]
    return log.queries.list_strings(codes[order])


def _list_known(facts: Any, *names: str) -> dict[str, Any]:
    """Attributes that are not None, by name."""
    return {name: value for name in names if (value := getattr(facts, name)) is not None}
