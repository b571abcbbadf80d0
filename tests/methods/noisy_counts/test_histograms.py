"""Limiting and counting against a plain-Python account of the same definitions."""

import threading
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.methods.noisy_counts import histograms
from auditor.methods.noisy_counts.histograms import (
    ContributionLimits,
    CountingUnit,
    PairCounts,
    choose_queries,
    click_pairs,
    limit_users,
    transition_pairs,
)
from auditor.progress import Progress
from tests.methods.logs import Row, draw_rows, log_of
from tests.reference.logs import Row as ReferenceRow
from tests.reference.methods import safelog

ROWS = draw_rows("uvwxy", "abcde", (0, 6), (None, "p", "q", "r"))
LIMITS = st.builds(
    ContributionLimits,
    unit=st.sampled_from(CountingUnit),
    q_f=st.integers(1, 6),
    c_f=st.integers(1, 4),
    tau=st.integers(1, 4),
)


def plain(rows: list[Row], limits: ContributionLimits) -> tuple[dict[Any, int], ...]:
    """Query, click and transition counts, straight from the definitions."""
    return safelog.published(
        [ReferenceRow(*row) for row in rows],
        tau=limits.tau, q_f=limits.q_f, c_f=limits.c_f, K=1, unit=limits.unit.value,
    )  # fmt: skip


def everything(log: QueryLog) -> np.ndarray:
    return np.arange(len(log.queries), dtype=np.int32)


def named(log: QueryLog, pairs: PairCounts, *, urls: bool) -> dict[tuple[str, str], int]:
    other = log.urls if urls else log.queries
    return {
        (log.queries[int(a)], other[int(b)]): int(n)
        for a, b, n in zip(pairs.first, pairs.second, pairs.count, strict=True)
    }


def count_all(log: QueryLog, limits: ContributionLimits) -> tuple[dict[Any, int], ...]:
    limited = limit_users(log, limits, Progress())
    queries = {log.queries[code]: int(n) for code, n in enumerate(limited.query_count) if n}
    clicks = click_pairs(log, limited, everything(log), Progress())
    steps = transition_pairs(log, limited, everything(log), Progress())
    return queries, named(log, clicks, urls=True), named(log, steps, urls=False)


BETWEEN: list[Row] = [("u", "b", 2, None), ("u", "a", 2, None), ("u", "b", 2, None)]


@settings(max_examples=100)
@example(rows=BETWEEN, limits=ContributionLimits(CountingUnit.EVENTS, 1, 1, 2), block=1)
@given(rows=ROWS, limits=LIMITS, block=st.integers(1, 12) | st.just(1 << 21))
def test_that_counts_are_what_the_definitions_say_whatever_the_block_size(
    rows: list[Row], limits: ContributionLimits, block: int
) -> None:
    with mock.patch.object(histograms, "BLOCK_ROWS", block):
        assert count_all(log_of(rows), limits) == plain(rows, limits)


@settings(max_examples=100)
@given(rows=ROWS, limits=LIMITS, more=ROWS)
def test_that_one_user_changes_the_counts_within_the_sensitivity(
    rows: list[Row], limits: ContributionLimits, more: list[Row]
) -> None:
    """The base of every ε: without tau, a user adds ≤ q_f, c_f, q_f − 1, once a key by users."""
    limits = ContributionLimits(limits.unit, limits.q_f, limits.c_f)
    added = [("newcomer", *row[1:]) for row in more]
    without, with_her = count_all(log_of(rows), limits), count_all(log_of([*rows, *added]), limits)
    for before, after, most in zip(
        without, with_her, (limits.q_f, limits.c_f, limits.q_f - 1), strict=True
    ):
        change = {key: after.get(key, 0) - before.get(key, 0) for key in after | before}
        assert all(step >= 0 for step in change.values())
        assert sum(change.values()) <= most
        if limits.unit is CountingUnit.USERS:
            assert max(change.values(), default=0) <= 1


def test_that_a_cancel_is_heard_between_blocks() -> None:
    log = log_of([("u", "a", 1, None), ("v", "a", 1, None)])
    stop = threading.Event()
    reports: list[int] = []

    def report(_: str, done: int, __: int) -> None:
        reports.append(done)
        if done:
            stop.set()

    limits = ContributionLimits(CountingUnit.ROWS, 3, 3)
    with mock.patch.object(histograms, "BLOCK_ROWS", 1), pytest.raises(Cancelled):
        limit_users(log, limits, Progress(report, stop, interval=0))
    assert max(reports) == 1


TEXTS = st.dictionaries(st.text(min_size=1, max_size=4), st.integers(1, 4), max_size=12)


@given(counts=TEXTS, decoys=st.sets(st.text(min_size=5, max_size=6), max_size=3))
def test_that_queries_stand_by_falling_count_and_then_by_their_bytes(
    counts: dict[str, int], decoys: set[str]
) -> None:
    log = log_of([("u", text, n, None) for n, text in enumerate(counts)])
    index = log.queries.find(list(counts)).astype(np.int64)
    every = counts | dict.fromkeys(decoys, 2)
    expected = sorted(every, key=lambda text: (-every[text], text.encode()))
    decoy_count = np.full(len(decoys), 2, np.int64)
    values = np.array(list(counts.values()), np.int64)
    chosen = choose_queries(log, index, values, list(decoys), decoy_count)
    assert chosen.queries.list_strings() == expected
    assert chosen.count.tolist() == [every[text] for text in expected]
    assert [expected[place] for place in chosen.place[index]] == list(counts)
    assert chosen.decoys == len(decoys)
