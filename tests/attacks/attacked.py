"""Small logs and releases made by hand, and attacks on them."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.figures import Table
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Anonymized, Tables
from tests.measures import fakes
from tests.measures.fakes import release_of as release_of
from tests.measures.fakes import value as value
from tests.methods.logs import QUIET as QUIET
from tests.narrowing import present

Event = tuple[str, str, int]


def log_of(*events: Event) -> QueryLog:
    """User, query and minute of each event."""
    user, query, minute = zip(*events, strict=True) if events else ((), (), ())
    return QueryLog.from_columns(user=user, query=query, time=[60 * m for m in minute])


def log_of_histories(histories: Mapping[str, Iterable[str]]) -> QueryLog:
    """The queries of each user, a minute apart."""
    rows = [(user, query) for user, queries in histories.items() for query in queries]
    return fakes.log_in_order(*rows, step=60)


def searches(**histories: str) -> list[Event]:
    """Events of users, each with its minute: ``searches(ann="10 rose; 20 my own name")``."""
    return [(user, query, minute) for user, query, minute, _ in fakes.searches(**histories)]


def tables_of(*queries: str) -> Tables:
    return Tables(queries=Vocabulary.of(queries), query_count=np.ones(len(queries), np.int64))


Content = Anonymized | QueryLog | Tables


def evidence_of(log: QueryLog, release: Content | None = None, **more: Any) -> Evidence:
    """`release` may be what a release consists of; `more` are other fields of the evidence."""
    if isinstance(release, QueryLog | Tables):
        release = release_of(release)
    return Evidence(log=log, release=release, **more)


def run_attack(
    attack: Attack,
    log: QueryLog,
    release: Content | None = None,
    *,
    reference: QueryLog | None = None,
    profiles: Any = None,
    others: tuple[Anonymized, ...] = (),
    rerun: Any = None,
    seed: int = 4,
    **params: Any,
) -> AttackResult:
    evidence = evidence_of(
        log, release, reference=reference, profiles=profiles, others=others, rerun=rerun
    )
    return fakes.run_attack(attack, evidence, seed=seed, **params)


def explain(attack: Attack, log: QueryLog, release: Content | None = None, **more: Any) -> str:
    """Why the attack does not apply; empty if it does."""
    return attack.why_not(evidence_of(log, release, **more))


def table_of(result: AttackResult, name: str) -> Table:
    return next(table for table in result.tables if table.name == name)


def findings(result: AttackResult) -> FlaggedFindings:
    return present(result.findings)


def whose(log: QueryLog, flagged: FlaggedFindings) -> list[str]:
    """The user of each finding."""
    return [log.users[int(log.user[start])] for start in flagged.start]


def check_result(log: QueryLog, result: AttackResult) -> None:
    """What can be read of a result agrees with itself."""
    low, high = result.interval
    assert 0 <= low <= result.rate <= high <= 1
    if result.counts is not None:
        assert result.rate == pytest.approx(result.counts[0] / max(result.counts[1], 1))
    assert all(0 <= share <= 1 for share in (result.baseline, result.control) if share is not None)
    assert all(math.isfinite(value.value) for value in result.values)
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)
    json.dumps(result.details, allow_nan=False)
    if result.findings is not None:
        check_findings(log, result.findings)


def check_findings(log: QueryLog, findings: FlaggedFindings) -> None:
    """Each session is of one user, the riskiest first; marks lie inside their queries."""
    assert (findings.start < findings.stop).all()
    assert (log.user[findings.start] == log.user[findings.stop - 1]).all()
    assert ((findings.risk >= 0) & (findings.risk <= 1)).all()
    assert (np.diff(findings.risk) <= 0).all()
    assert (findings.surviving <= findings.flagged).all()
    lengths = np.array([len(log.queries[code]) for code in findings.mark_query.tolist()], int)
    assert (findings.mark_start < findings.mark_stop).all()
    assert (findings.mark_stop <= lengths).all()
    assert (np.diff(findings.mark_query) >= 0).all()


def judge(log: QueryLog, flagged: FlaggedFindings | None) -> dict[str, tuple[float, list[str]]]:
    """Risk and reasons of each user's finding, of whom there is one each, the riskiest first."""
    flagged = present(flagged)
    risks, reasons = flagged.risk.tolist(), map(flagged.list_reasons, range(len(flagged)))
    return dict(zip(whose(log, flagged), zip(risks, reasons, strict=True), strict=True))
