"""What is in a log, and what it gives away before anything is done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Int64s
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS, choose_first, list_content_attacks
from auditor.attacks.risk.people_estimate import PeopleEstimate, estimate_people
from auditor.attacks.surviving_content.attack import NO_WEIGHTS, SurvivingContentParams, rules_of
from auditor.log.columns import ColumnExposure, ColumnFacts, describe_columns, list_exposures
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.keystrokes import describe_unfinished
from auditor.log.model import QueryLog
from auditor.messages import DisplayText
from auditor.progress import Progress

HEAD = 12
"""Most frequent queries, and kinds of content, that are listed."""
LARGE = 200_000
"""Rows from which it takes more than three seconds to search all of them."""


@dataclass(frozen=True, eq=False)
class LogSummary:
    """Columns, the head of the queries with their users, and counts."""

    columns: tuple[ColumnFacts, ...]
    head: tuple[tuple[int, int], ...]
    """(query code, users) of the most frequent queries."""
    once: int
    """Distinct queries that one user alone submitted."""
    median: float
    most: int
    """Searches of the median user, and of the one with the most."""
    exposures: tuple[ColumnExposure, ...]
    """What attributes give away."""
    unfinished: DisplayText | None
    """That what was being typed is counted as searches, where it is."""
    per_user: Int64s
    """Searches of each user; shape (users,)."""
    by_rank: Int64s
    """Users of each distinct query, the most first; shape (queries,)."""


def summarize_log(log: QueryLog, progress: Progress) -> LogSummary:
    """Count it all; O(rows log rows)."""
    progress.stage("counting queries and users")
    blank = log.queries.find_blank()  # a missing value, never counted
    events = log.event_starts & ~blank[log.query]
    per_user = np.bincount(log.user[events], minlength=len(log.users))
    progress.check()
    pairs = sorted_distinct((log.query.astype(np.int64) << 32) | log.user)
    progress.check()
    users = np.bincount(pairs >> 32, minlength=len(log.queries))
    users[blank] = 0
    order = np.argsort(-users, kind="stable")
    head = tuple((int(code), int(users[code])) for code in order[:HEAD] if users[code])
    return LogSummary(
        columns=describe_columns(log),
        head=head,
        once=int((users == 1).sum()),
        median=float(np.median(per_user)) if len(per_user) else 0.0,
        most=int(per_user.max(initial=0)),
        exposures=list_exposures(log),
        unfinished=describe_unfinished(log),
        per_user=per_user,
        by_rank=users[order][: int((~blank).sum())],
    )


def find_content(
    log: QueryLog,
    progress: Progress,
    tell: Callable[[PeopleEstimate], object] | None = None,
    rule_weights: Mapping[str, float] = NO_WEIGHTS,
    profiles: Path | None = None,
) -> AttackResult:
    """Sensitive content by kind, and the sessions at risk, of the log as it is.

    `tell` hears of a large log first about how many users are at risk. `profiles` are those
    that runs are attacked with: people's own names count there, too.
    """
    attack = ATTACKS[choose_first(list_content_attacks("strings"))]
    if tell is not None and len(log) >= LARGE:
        rules = rules_of(SurvivingContentParams(), rule_weights)
        tell(estimate_people(log, profiles, rules, progress))
    rng = np.random.default_rng(0)  # nothing of it is random
    evidence = Evidence(log=log, rule_weights=rule_weights, profiles=profiles)
    # Whether people ask for their own name in other forms changes nobody's risk, and takes long.
    params = attack.params().replace(nearly=False)
    return attack.run(evidence, params, rng=rng, progress=progress)
