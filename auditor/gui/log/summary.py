"""What is in a log before any method is chosen, as figures; for a worker thread, no Qt."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Int64s
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.registry import ATTACKS, choose_first, list_content_attacks
from auditor.attacks.risk.people_estimate import estimate_people
from auditor.attacks.surviving_content.attack import NO_WEIGHTS, SurvivingContentParams, rules_of
from auditor.figures import Axis, Figure, Series
from auditor.gui.app.translation import tr
from auditor.gui.state.worker import JobProgress
from auditor.gui.widgets import formats
from auditor.log.columns import ColumnExposure, ColumnFacts, describe_columns, list_exposures
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.keystrokes import describe_unfinished
from auditor.log.model import QueryLog
from auditor.messages import DisplayText
from auditor.progress import Progress

HEAD = 12
"""Most frequent queries that are listed."""
LARGE = 200_000
"""Rows from which it takes more than three seconds to search all of them."""


@dataclass(frozen=True, eq=False)
class LogSummary:
    """Columns, the head of the queries with their users, counts, and two plots."""

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
    figures: tuple[Figure, ...]


def summarize_log(log: QueryLog, progress: Progress) -> LogSummary:
    """Count it all; O(rows log rows)."""
    progress.stage(tr("counting queries and users"))
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
        figures=(_per_user(per_user), _by_rank(users[order][: int((~blank).sum())])),
    )


def find_content(
    log: QueryLog,
    progress: JobProgress,
    rule_weights: Mapping[str, float] = NO_WEIGHTS,
    profiles: Path | None = None,
) -> AttackResult:
    """Sensitive content by kind, and the sessions at risk, of the log as it is.

    Of a large log an estimate of how many users are at risk is told first. `profiles` are those
    that runs are attacked with: people's own names count there, too.
    """
    attack = ATTACKS[choose_first(list_content_attacks("strings"))]
    if len(log) >= LARGE:
        rules = rules_of(SurvivingContentParams(), rule_weights)
        progress.tell(estimate_people(log, profiles, rules, progress))
    rng = np.random.default_rng(0)  # nothing of it is random
    evidence = Evidence(log=log, rule_weights=rule_weights, profiles=profiles)
    # Whether people ask for their own name in other forms changes nobody's risk, and takes long.
    params = attack.params().replace(nearly=False)
    return attack.run(evidence, params, rng=rng, progress=progress)


def _per_user(events: Int64s) -> Figure:
    """How many users submitted how many queries, in classes that double."""
    top = int(events.max(initial=1))
    edges = [1]
    while edges[-1] <= top:
        edges.append(edges[-1] * 2)
    counts, _ = np.histogram(events, bins=np.array(edges, dtype=np.float64))
    names = tuple(
        str(low)
        if high - low == 1
        else f"{formats.format_count(low)}–{formats.format_count(high - 1)}"
        for low, high in itertools.pairwise(edges)
    )
    places = np.arange(len(names), dtype=np.float64)
    return Figure(
        "queries-per-user",
        tr("Queries per user"),
        Axis(tr("queries"), categories=names),
        Axis(tr("users")),
        (Series("", places, counts.astype(np.float64), "bars"),),
        own_words=True,
    )


def _by_rank(users: Int64s) -> Figure:
    """Users of each query by its rank: the head at the left, the long tail at the right."""
    count = len(users)
    ranks = np.unique(np.geomspace(1, max(1, count), 200).astype(np.int64))
    ranks = ranks[ranks <= count]
    return Figure(
        "head-and-tail",
        tr("Head and tail of the queries"),
        Axis(tr("rank of the query"), scale="log"),
        Axis(tr("users who submitted it"), scale="log"),
        (Series("", ranks.astype(np.float64), users[ranks - 1].astype(np.float64)),),
    )
