"""Rows under fresh random ids each day or mini-session: what day pseudonyms and allowlists share.

What such ids leave is counted on the release: records with a set of queries that no other user has,
and users whom a query of theirs alone links across their own records.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.frequency_threshold import sum_query_sets
from auditor.methods.noisy_counts.period_units import take_as_users
from auditor.methods.released_columns import (
    SUPPRESSED,
    expect_columns,
    keep_released,
    state_columns,
    suppress_rare_values,
)
from auditor.methods.released_ids import (
    WHOLE_DAYS,
    MiniSessions,
    count_dropped,
    gather_events,
    number_records,
    replace_user_ids,
)
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Statement, assume
from auditor.progress import Progress


@dataclass(frozen=True)
class RecordFacts:
    """How many records there are and users behind them, unique ones, and users who are linked.

    A record is unique if no other user has one with the same set of queries.
    """

    records: int
    users: int
    unique: int
    linked: int


def count_records(log: QueryLog, sessions: MiniSessions, progress: Progress) -> RecordFacts:
    """The facts of rows that are released under ids of days or mini-sessions; O(rows log rows).

    `log` has its own users still.
    """
    record = number_records(log, sessions)
    cut = take_as_users(log, record)
    owner = log.user[np.flatnonzero(np.diff(record, prepend=-1))]
    _, query_set = np.unique(sum_query_sets(cut, progress), return_inverse=True)
    owned = sorted_distinct(query_set.astype(np.int64) << 32 | owner)
    owners = np.bincount(owned >> 32)
    unique = int(np.count_nonzero(owners[query_set] == 1))
    progress.stage("counting linked records")
    query_users = sorted_distinct(log.query.astype(np.int64) << 32 | log.user)
    placed = sorted_distinct(log.query.astype(np.int64) << 32 | record)
    size = len(log.queries)
    single = np.bincount(query_users >> 32, minlength=size) == 1
    is_repeated = np.bincount(placed >> 32, minlength=size) > 1
    linked = sorted_distinct(query_users[(single & is_repeated)[query_users >> 32]] & 0xFFFFFFFF)
    return RecordFacts(len(cut.users), len(log.users), unique, len(linked))


def state_records(statement: Statement, facts: RecordFacts) -> Statement:
    """The statement with what the ids leave."""
    people = assume(
        "daily_records.users_cant_be_told_apart",
        "fails" if facts.unique else "holds",
        sentence("daily_records.unique", unique=facts.unique, records=facts.records),
    )
    days = assume(
        "daily_records.records_of_one_user_are_not_linked",
        "fails" if facts.linked else "unknown",
        sentence("daily_records.linked", linked=facts.linked, users=facts.users),
    )
    return replace(
        statement,
        assumptions=(*statement.assumptions, people, days),
        measured={
            **statement.measured,
            "unique_records": float(facts.unique),
            "linked_users": float(facts.linked),
        },
    )


def release_records(
    log: QueryLog,
    kept_log: QueryLog,
    params: Any,
    statement: Statement,
    *,
    rng: Randomness,
    progress: Progress,
    sessions: MiniSessions = WHOLE_DAYS,
    changes: dict[str, int] | None = None,
) -> Product:
    """The product whose rows are those `kept_log` of a log, under fresh ids.

    Columns beside the log are released where `params` says so, by the rules of
    `released_columns`; its `group` and `cell` bound them.
    """
    kept_log = gather_events(keep_released(kept_log, params))
    counts = {**count_dropped(log, kept_log), **(changes or {})}
    statement = state_records(statement, count_records(kept_log, sessions, progress))
    if kept_log.attributes:
        record, group, cell = number_records(kept_log, sessions), params.group, params.cell
        kept_log, suppressed_values = suppress_rare_values(
            kept_log, group, cell, True, progress, record
        )
        statement = state_columns(statement, kept_log, params, suppressed_values, True, record)
        counts[SUPPRESSED] = suppressed_values
    content, truth = replace_user_ids(kept_log, "day", rng, progress, sessions)
    return Product(content=content, statement=statement, changes=counts, truth=truth)


def expect_records(
    statement: Statement,
    kept_log: QueryLog,
    params: Any,
    progress: Progress,
    sessions: MiniSessions = WHOLE_DAYS,
) -> Statement:
    """The statement before a run, of the rows that are expected to be kept."""
    facts = count_records(gather_events(kept_log), sessions, progress)
    stated = state_records(statement, facts)
    return expect_columns(stated, kept_log, params)
