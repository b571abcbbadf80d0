"""Small logs and releases made by hand, and attacks on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.errors import Cancelled
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Preview, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress
from tests.measures.fakes import value as value

Event = tuple[str, str, int]


def log_of(*events: Event) -> QueryLog:
    """User, query and minute of each event."""
    user, query, minute = zip(*events, strict=True) if events else ((), (), ())
    return QueryLog.from_columns(user=user, query=query, time=[60 * m for m in minute])


def tables_of(*queries: str) -> Tables:
    return Tables(queries=Vocabulary.of(queries), query_count=np.ones(len(queries), np.int64))


def release_of(content: QueryLog | Tables) -> Preview:
    nothing = Statement(model="none", claim="nothing", unit="nothing")
    return Preview(method="made-up", params={}, content=content, statement=nothing, changes={})


def run_attack(
    attack: Attack,
    log: QueryLog,
    release: QueryLog | Tables | None = None,
    *,
    progress: Progress | None = None,
    reference: QueryLog | None = None,
    profiles: Any = None,
    seed: int = 4,
    **params: Any,
) -> AttackResult:
    made = None if release is None else release_of(release)
    evidence = Evidence(log=log, release=made, reference=reference, profiles=profiles)
    return attack.run(
        evidence,
        attack.params(**params),
        rng=np.random.default_rng(seed),
        progress=progress or silent_progress(),
    )


def check_that_it_can_be_cancelled(attack: Attack, log: QueryLog, profiles: Any = None) -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        run_attack(attack, log, progress=progress, profiles=profiles)


def findings(result: AttackResult) -> FlaggedFindings:
    assert result.findings is not None
    return result.findings


def whose(log: QueryLog, found: FlaggedFindings) -> list[str]:
    """The user of each finding."""
    return [log.users[int(log.user[start])] for start in found.start]
