"""Small logs and releases made by hand, and attacks on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Tables
from tests.measures import fakes
from tests.measures.fakes import release_of as release_of
from tests.measures.fakes import value as value

Event = tuple[str, str, int]


def log_of(*events: Event) -> QueryLog:
    """User, query and minute of each event."""
    user, query, minute = zip(*events, strict=True) if events else ((), (), ())
    return QueryLog.from_columns(user=user, query=query, time=[60 * m for m in minute])


def searches(**histories: str) -> list[Event]:
    """Events of users, each with its minute: ``searches(ann="10 rose; 20 my own name")``."""
    return [(user, query, minute) for user, query, minute, _ in fakes.searches(**histories)]


def tables_of(*queries: str) -> Tables:
    return Tables(queries=Vocabulary.of(queries), query_count=np.ones(len(queries), np.int64))


def run_attack(
    attack: Attack,
    log: QueryLog,
    release: QueryLog | Tables | None = None,
    *,
    reference: QueryLog | None = None,
    profiles: Any = None,
    seed: int = 4,
    **params: Any,
) -> AttackResult:
    preview = None if release is None else release_of(release)
    evidence = Evidence(log=log, release=preview, reference=reference, profiles=profiles)
    return fakes.run_attack(attack, evidence, seed=seed, **params)


def findings(result: AttackResult) -> FlaggedFindings:
    assert result.findings is not None
    return result.findings


def whose(log: QueryLog, flagged: FlaggedFindings) -> list[str]:
    """The user of each finding."""
    return [log.users[int(log.user[start])] for start in flagged.start]
