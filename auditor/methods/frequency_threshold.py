"""Frequency threshold: drop the queries that fewer than n users issued, keep everything else.

The baseline that everybody uses (Adar 2007 among others). Every query string of the release was
asked by n users or more: k-anonymity of strings, not of people. Who asked which of them, when,
and what they clicked stays together under one user id, so most users remain unique; the
statement counts them. Cost: O(rows) for two passes, O(r log r) for the r rows that are kept.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import UInt64s
from auditor.bit_mixing import mix_numbers
from auditor.log.columns import count_users
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, Method, Recheck, SparkSupport
from auditor.methods.explanation.explanation import (
    NO_ROWS,
    Explanation,
    ExplanationRequest,
    find_threshold_turn,
)
from auditor.methods.noisy_counts import outlook
from auditor.methods.noisy_counts.expectations import extrapolate_counts, share_of_searches
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.methods.released_columns import (
    SUPPRESSED,
    expect_columns,
    shows_rare_values,
    state_columns,
    suppress_rare_values,
)
from auditor.methods.released_ids import DROP, count_dropped, replace_user_ids
from auditor.methods.statements import ids_kept, outsiders_evidence
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Assumption, Statement, assume
from auditor.progress import Progress, run_cancellable

describe_metric = MetricCatalogue("methods", "frequency_threshold")

_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class FrequencyThresholdParams(Params, owner="frequency-threshold"):
    """How many users a query needs, and what becomes of the user ids."""

    n: int = 10
    ids: str = "random"
    times: str = "exact"
    columns: str = "drop"
    group: int = 1_000
    cell: int = 5


def run(
    log: QueryLog, params: FrequencyThresholdParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the rows of queries that enough users issued."""
    progress.check()
    distinct_users = unit_counts(log, CountingUnit.USERS, progress)
    frequent = distinct_users >= params.n
    kept_log = log.rows(np.take(frequent, log.query))
    progress.check()
    changes = count_dropped(log, kept_log)
    statement = statement_of(params, count_kept_rows(kept_log, params.n, progress))
    if kept_log.attributes:
        linked = params.ids != DROP
        kept_log, suppressed_values = suppress_rare_values(
            kept_log, params.group, params.cell, linked, progress
        )
        statement = state_columns(statement, kept_log, params, suppressed_values, linked)
        changes[SUPPRESSED] = suppressed_values
    content, truth = replace_user_ids(kept_log, params.ids, rng, progress)
    return Product(content=content, statement=statement, changes=changes, truth=truth)


@dataclass(frozen=True)
class ThresholdedRows:
    """Figures of the rows that are kept, for the statement's evidence."""

    users: int
    queries: int
    urls: int
    unique: int  # users whose set of queries nobody else has
    pages: int  # those that fewer than n users clicked


def count_kept_rows(kept_log: QueryLog, least: int, progress: Progress) -> ThresholdedRows:
    """The figures of a log of which rare queries were dropped; O(r log r) for its r rows."""
    unique = unique_users(kept_log, progress)
    rows = np.flatnonzero(kept_log.url != NONE)
    pages, people = kept_log.url[rows].astype(np.int64), kept_log.user[rows]
    progress.stage("counting clicked pages")
    _, users = run_cancellable(lambda: count_users(pages, people, len(kept_log.users)), progress)
    return ThresholdedRows(
        users=len(kept_log.users),
        queries=len(kept_log.queries),
        urls=len(kept_log.urls),
        unique=unique,
        pages=int(np.count_nonzero(users < least)),
    )


def statement_of(params: FrequencyThresholdParams, rows: ThresholdedRows) -> Statement:
    """What is promised, and what these rows show of it."""
    of_rows = state_kept_rows(rows, params.ids, params.n)
    strings = assume(
        "frequency_threshold.every_string_has_n_users",
        "holds",
        phrase("{queries:,} queries with {n:,} users or more", queries=rows.queries, n=params.n),
    )
    claim = sentence("frequency_threshold.released_query_issued_least", n=params.n)
    return Statement(
        model="none",
        claim=claim + state_linked_strings(params.ids),
        unit="one query string",
        assumptions=(
            strings,
            *of_rows,
            assume(
                "frequency_threshold.attackers_are_none_of_the_n",
                "unknown",
                outsiders_evidence(params.n),
            ),
        ),
        measured={"unique_users": float(rows.unique), "lonely_pages": float(rows.pages)},
    )


def state_linked_strings(ids: str) -> str:
    """The end of a claim about strings that many issued: what ids make of those of one user."""
    return "" if ids == DROP else sentence("frequency_threshold.linked_strings")


def state_kept_rows(rows: ThresholdedRows, ids: str, least: int) -> tuple[Assumption, ...]:
    """Whether users can be told apart or are known, and whether `least` users clicked each page."""
    together = ids != DROP
    users, unique, pages = rows.users, rows.unique, rows.pages
    people = assume(
        "frequency_threshold.users_cant_be_told_apart",
        "fails" if together and unique else "holds",
        sentence("frequency_threshold.users_set_released_queries", unique=unique, users=users)
        if together
        else "no two rows stand under one user's id",
    )
    clicked = assume(
        "frequency_threshold.clicked_pages_are_shared_too",
        "fails" if pages else "holds",
        sentence(
            "frequency_threshold.released_pages_clicked_fewer", pages=pages, urls=rows.urls, n=least
        ),
    )
    return (people, clicked, *([ids_kept()] if ids == "keep" else []))


def unique_users(log: QueryLog, progress: Progress) -> int:
    """Users whose set of queries no other user has; O(r log r)."""
    _, set_counts = np.unique(sum_query_sets(log, progress), return_counts=True)
    return int(np.count_nonzero(set_counts == 1))


def sum_query_sets(log: QueryLog, progress: Progress) -> UInt64s:
    """A 64-bit sum over the set of queries of each user; shape (users,), O(r log r).

    Two different sets agree by chance with a probability of 2⁻⁶⁴ a pair.
    """
    total = np.zeros(len(log.users), dtype=np.uint64)
    for first, last in progress.whole_blocks("counting unique users", log.user_starts, _BLOCK):
        rows = slice(int(log.user_starts[first]), int(log.user_starts[last]))
        keys = sorted_distinct((log.user[rows].astype(np.int64) << 32) | log.query[rows])
        np.add.at(total, keys >> 32, mix_numbers((keys & 0xFFFFFFFF).astype(np.uint64)))
    return total


def estimate_release(
    log: QueryLog, params: FrequencyThresholdParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left, exactly on the whole log and estimated from a sample of users."""
    distinct_users = unit_counts(log, CountingUnit.USERS, progress)
    rows = np.bincount(log.query, minlength=len(log.queries))
    totals, stand_for = extrapolate_counts(np.maximum(distinct_users, 1).astype(np.float64), scale)
    frequent = totals >= params.n
    share = float(rows @ frequent) / max(len(log), 1)
    figure = outlook.volume_by_threshold(
        describe_metric, rows, {"kept": totals}, params.n, f"n = {params.n:,}"
    )
    chance = frequent.astype(np.float64)
    values = (
        describe_metric("expected.queries", float(stand_for[frequent].sum())),
        outlook.metric_of_searches(share_of_searches(chance, log.searches_by_query)),
        describe_metric("expected.volume", share),
    )
    kept_log = log.rows(frequent[log.query])
    statement = statement_of(params, count_kept_rows(kept_log, params.n, progress))
    return ExpectedRelease(
        statement=expect_columns(statement, kept_log, params),
        values=values,
        figures=(figure,),
        note=""
        if frequent.any()
        else sentence(
            "frequency_threshold.setting_expected_release_query",
            most=float(totals.max(initial=0)),
            n=params.n,
        ),
    )


def explain(
    request: ExplanationRequest, params: FrequencyThresholdParams, progress: Progress
) -> Explanation:
    """Whether enough users issued it; O(1) once they are known."""
    del progress
    users = len(request.users)
    keep = users >= params.n
    turn = find_threshold_turn(params, "n", users, NO_ROWS)
    words = "enough: every row with it is kept" if keep else "too few: every row with it is dropped"
    return Explanation(
        outcome=phrase(
            "{users:,} users issued it, and n is {n:,}. That is {words}.",
            users=users,
            n=params.n,
            words=as_phrase(words),
        ),
        chance=float(keep),
        values=(
            describe_metric("threshold", float(params.n)),
            describe_metric("margin", float(users - params.n)),
        ),
        turns=(turn,),
    )


def _find_contradiction(
    log: QueryLog, released: QueryLog, params: FrequencyThresholdParams, progress: Progress
) -> str:
    counts = np.zeros(len(log.queries), dtype=np.int64)
    queries = log.query.astype(np.int64)
    codes, users = run_cancellable(lambda: count_users(queries, log.user, len(log.users)), progress)
    counts[codes] = users
    code = released.queries.match(log.queries)
    if bool((code == NONE).any()) or bool((counts[code] < params.n).any()):
        return phrase("it holds queries that fewer than {n:,} users of the log issued", n=params.n)
    linked = released.attributes and params.ids != DROP
    if linked and shows_rare_values(released, params.group, params.cell, True):
        return "it shows columns that fewer users share than were to"
    return ""


METHOD = Method(
    **describe_metric.card,
    recheck=Recheck(
        "every released query was issued by the users that it needs", _find_contradiction
    ),
    params=FrequencyThresholdParams,
    yields="log",
    randomised=False,
    run=run,
    spark=SparkSupport("logs.release_frequent", follows=("columns",), placed=True),
    outlook=estimate_release,
    explain=explain,
    streams=True,
    main=("n", "ids", "times", "columns", "group"),
    strictness=("n",),
)
