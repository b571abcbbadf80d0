"""Day pseudonyms: every row, under an id that is new each day, at the day instead of the second.

The counterproposal of 2026 to the sharing order of the Digital Markets Act (Francis and Dewes;
spec 7, section 1): pseudonyms of a day, times of 24 hours, and a filter of identifiers. The number
of a user and day is drawn at random and forgotten. Queries stay whole: who knows some finds the
day's record, and a query that somebody alone repeats links their days.
Cost: O(rows log rows), and the detector once a log.
"""

from dataclasses import dataclass, replace

import numpy as np

from auditor.arrays import Bools
from auditor.attacks.detection.marked_strings import mark_identifying, mark_identifying_addresses
from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.sentences import sentence
from auditor.methods.base import ExpectedRelease, Method, SparkSupport
from auditor.methods.daily_records import expect_records, release_records
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest
from auditor.methods.noisy_counts.expectations import extrapolate_counts, share_of_searches
from auditor.methods.noisy_counts.histograms import CountingUnit, unit_counts
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.suppression import NAMES, NOTHING, SUPPRESSED_ADDRESSES, SUPPRESSED_QUERIES
from auditor.params import Params
from auditor.privacy.randomness import Randomness
from auditor.privacy.release import Product
from auditor.privacy.statement import Statement
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "day_pseudonyms")


@dataclass(frozen=True, kw_only=True)
class DayPseudonymsParams(Params, owner="day-pseudonyms"):
    """Which strings are left out, and what is left of times and columns."""

    suppress: str = "identifiers"
    times: str = "day"
    columns: str = "drop"
    group: int = 1_000
    cell: int = 5


def run(
    log: QueryLog, params: DayPseudonymsParams, *, rng: Randomness, progress: Progress
) -> Product:
    """Release the rows whose query holds no identifier, without pages that hold one."""
    progress.check()
    if params.suppress == NOTHING:
        return release_records(log, log, params, state_days(), rng=rng, progress=progress)
    queries = mark_identifying(log.queries, progress, names=params.suppress == NAMES)
    pages = mark_identifying_addresses(log.urls)
    return release_records(
        log,
        leave_out(log, queries, pages),
        params,
        state_days(),
        rng=rng,
        progress=progress,
        changes={SUPPRESSED_QUERIES: int(queries.sum()), SUPPRESSED_ADDRESSES: int(pages.sum())},
    )


def leave_out(log: QueryLog, queries: Bools, pages: Bools) -> QueryLog:
    """The log without the rows of marked queries, and without clicks on marked pages."""
    if pages.any():
        hidden = np.append(pages, False)[log.url]
        url = np.where(hidden, np.int32(NONE), log.url)
        log = replace(log, url=url, rank=np.where(hidden, np.int16(NONE), log.rank))
    return log.rows(~queries[log.query])


def state_days() -> Statement:
    """What is said of every release, before its records are counted."""
    return Statement(model="none", claim=sentence("day_pseudonyms.claim"), unit="one user's day")


def estimate_release(
    log: QueryLog, params: DayPseudonymsParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """What is left before any string is suppressed; a sample's shares stand for the whole log's."""
    rows = np.bincount(log.query, minlength=len(log.queries))
    users_of_query = unit_counts(log, CountingUnit.USERS, progress)
    _, stand_for = extrapolate_counts(np.maximum(users_of_query, 1).astype(np.float64), scale)

    def expect_values(keep: Bools) -> tuple[MetricValue, ...]:
        share = float(rows @ keep) / max(len(log), 1)
        return (
            describe_metric("expected.queries", float(stand_for[keep].sum())),
            metric_of_searches(share_of_searches(keep.astype(np.float64), log.searches_by_query)),
            describe_metric("expected.volume", share),
        )

    return ExpectedRelease(
        statement=expect_records(state_days(), log, params, progress),
        values=expect_values(np.ones(len(log.queries), dtype=np.bool_)),
        expect_without=lambda marks: (expect_values(~marks.queries(log.queries)), ()),
    )


def explain(
    request: ExplanationRequest, params: DayPseudonymsParams, progress: Progress
) -> Explanation:
    """How many of its users it links across their days; the engine says what is suppressed."""
    del params
    progress.check()
    log, rows = request.log, request.rows
    days = np.unique(np.stack([log.user[rows], log.time[rows] // 86_400]), axis=1)
    has_several_days = np.unique(days[0], return_counts=True)[1] > 1
    return Explanation(
        outcome=sentence(
            "day_pseudonyms.issued", users=len(request.users), several=int(has_several_days.sum())
        ),
        chance=float(bool(len(request.rows))),
    )


METHOD = Method(
    **describe_metric.card,
    params=DayPseudonymsParams,
    yields="log",
    randomised=False,
    run=run,
    spark=SparkSupport("records.release_days", follows=("columns", "times", "suppress")),
    outlook=estimate_release,
    explain=explain,
)
