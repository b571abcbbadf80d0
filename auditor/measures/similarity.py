"""How alike users are, before and after, and what it took: events added and suppressed.

The talk of Hong et al. (CIKM 2009) shows these over k and over users; `auditor sweep` with this
measure gives each curve's points. Similarity is 1 − ½ Σ|share − share|, the complement of the
source's distance, over query strings or over clusters of them.

The mean over all pairs is exact at any size: sorted, the shares of a column give Σ min over its
pairs in O(m log m). The mean to the k − 1 nearest others, which is what k-anonymity raises, looks
at `sample` users; O(rows + Σ over their queries of the users who asked them).
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, expand_ranges
from auditor.figures import Figure, MetricValue, Series
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog
from auditor.log.overlap import SparseRows, iterate_overlaps
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.kept_events import count_common, count_kept_events
from auditor.measures.query_counts import match_vocabulary
from auditor.messages import as_phrase
from auditor.params import Params
from auditor.privacy.bundle_matching import METHOD as BUNDLING
from auditor.privacy.identity import kept_ids
from auditor.privacy.records import group_by_owner
from auditor.privacy.release import Anonymized
from auditor.privacy.verification.k_delta import cluster_by_clicks
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "similarity")

_MOST_CLUSTERED = 2_000_000
"""Rows up to which "by method" clusters the queries of a log anew."""


@dataclass(frozen=True, kw_only=True)
class SimilarityParams(Params, owner="similarity"):
    """What is compared, and with how many others."""

    k: int | None = None
    basis: str = "auto"
    delta: float | None = None
    sample: int = 1_000


class ComparedUsers(NamedTuple):
    """Users before or after: their shares of events, and how like their nearest others they are."""

    name: str
    when: str
    shares: SparseRows
    nearest: Float64s


def run(
    log: QueryLog, release: Anonymized, params: SimilarityParams, context: MeasureContext
) -> MeasureResult:
    """Compare users with each other in the log, and in the release."""
    progress = context.progress
    released = release.log
    assert released is not None
    place = match_vocabulary(released.queries, log.queries, "looking for queries", progress)
    delta = _choose_delta(log, release, params)
    if delta is None:
        columns = np.arange(len(log.queries), dtype=np.int64)
        notes = ["Users are compared by query strings."]
    else:
        columns = cluster_by_clicks(log, delta, progress=progress)
        notes = [catalogue.say("by_clusters", delta=delta)]
    width = int(columns.max(initial=-1)) + 1
    new_codes = width + np.arange(len(released.queries))
    released_columns = np.where(place == NONE, new_codes, np.append(columns, 0)[place])
    before = user_shares(log, columns, width, progress)
    people = _group_by_user(log, release, progress)
    sides = [("before", "in the log", before)]
    if people is None:
        notes.append(catalogue.say("no_users"))
    else:
        after = user_shares(people, released_columns, width + len(released.queries), progress)
        sides.append(("after", "released", after))
    method_k = release.params.get("k")
    k = params.k or (method_k if isinstance(method_k, int) and method_k >= 2 else 2)
    groups = [
        ComparedUsers(
            *side, mean_nearest_similarity(side[2], k, params.sample, context.rng, progress)
        )
        for side in sides
    ]
    moved = count_changes(log, release, place, progress)
    values = tuple(_build_metrics(groups, moved, k, progress))
    if 0 < len(groups[0].nearest) < len(before):
        notes.append(catalogue.say("sample", near=len(groups[0].nearest)))
    changes = []
    if moved is not None:
        if not moved.of_users:
            notes.append(catalogue.say("changed_ids"))
        per_user = np.array([moved.added, moved.suppressed]) / max(moved.users, 1)
        changes = [
            catalogue.figure(
                "searches-changed",
                (Series("per user", np.arange(2.0), per_user, "bars"),),
                categories=("added", "suppressed"),
            )
        ]
    edges = np.linspace(0.0, 1.0, 21)
    middle = (edges[1:] + edges[:-1]) / 2
    return MEASURE.build_result(
        params,
        values,
        figures=(
            _draw_bars(values),
            catalogue.figure(
                "similarity-spread",
                (
                    Series(
                        group.when,
                        middle,
                        np.histogram(group.nearest, edges)[0] / max(len(group.nearest), 1),
                        "bars",
                    )
                    for group in groups
                ),
                places={"k": k - 1},
            ),
            *changes,
        ),
        tables=(
            catalogue.table(
                "similarity",
                [[value.label, round(value.value, 6)] for value in values],
                row_units=tuple(value.unit for value in values),
            ),
        ),
        notes=notes,
    )


def _group_by_user(log: QueryLog, release: Anonymized, progress: Progress) -> QueryLog | None:
    """The released rows under one id for each user; None where ids stand for no one user."""
    released = release.log
    assert released is not None
    if release.truth is not None and release.truth.gives_several:
        owners = release.truth.find_owners(log, released)
        return None if (owners < 0).any() else group_by_owner(log, released, owners)
    if kept_ids(log, release, progress) is not None:
        return released
    ids, users = len(released.users), len(log.users)
    hides_users = release.method == BUNDLING or release.synthetic_seed is not None
    return None if hides_users or ids > users or (ids == 1 and users > 1) else released


def _choose_delta(log: QueryLog, release: Anonymized, params: SimilarityParams) -> float | None:
    """The width of query clusters; None where strings are compared."""
    value = release.params.get("delta")
    is_number = isinstance(value, float | int) and not isinstance(value, bool)
    too_long = not is_number or len(log) > _MOST_CLUSTERED
    if params.basis == "strings" or (params.basis == "auto" and too_long):
        return None
    if params.delta is not None:
        return params.delta
    return float(value) if is_number and value is not None else 0.5


def user_shares(log: QueryLog, columns: Int64s, width: int, progress: Progress) -> SparseRows:
    """Each user's share of events by column; `columns` is that of each query. O(n log n)."""
    starts = log.event_starts
    parts = []
    for first, last in progress.blocks("counting users' queries", len(log.users), 20_000):
        rows = slice(int(log.user_starts[first]), int(log.user_starts[last]))
        begins = starts[rows]
        user = log.user[rows][begins].astype(np.int64)
        keys = user * max(width, 1) + columns[log.query[rows][begins]]
        parts.append(np.unique(keys, return_counts=True))
    none = np.zeros(0, dtype=np.int64)
    keys, count = map(np.concatenate, zip(*parts, strict=True)) if parts else (none, none)
    user = keys // max(width, 1)
    total = np.bincount(user, count, minlength=len(log.users))
    begins_at = np.searchsorted(user, np.arange(len(log.users) + 1)).astype(np.int64)
    return SparseRows(
        begins_at, (keys % max(width, 1)).astype(np.uint32), count / total[user], width
    )


def mean_of_pairs(rows: SparseRows, progress: Progress) -> float:
    """Mean of Σ min over all pairs of different rows; 1 for fewer than two. O(m log m).

    In a column sorted upwards the i-th of n entries is the smaller one in n − i pairs.
    """
    if len(rows) < 2:
        return 1.0
    progress.stage("comparing all users")
    order = np.lexsort((rows.values, rows.columns))
    progress.check()
    column = rows.columns[order]
    size = np.bincount(column, minlength=rows.width)
    ends = np.cumsum(size)[column]
    larger = ends - 1 - np.arange(len(order))
    return float(rows.values[order] @ larger) / (len(rows) * (len(rows) - 1) / 2)


def mean_nearest_similarity(
    rows: SparseRows, k: int, sample: int, rng: np.random.Generator, progress: Progress
) -> Float64s:
    """Mean similarity of each sampled row to its k − 1 nearest others; shape (rows sampled,)."""
    neighbour_count = min(k - 1, len(rows) - 1)
    if neighbour_count < 1:
        return np.zeros(0)
    sampled = np.arange(len(rows))
    if len(rows) > sample:
        sampled = np.sort(rng.choice(len(rows), sample, replace=False))
    size = rows.starts[sampled + 1] - rows.starts[sampled]
    entries = expand_ranges(rows.starts[sampled], size)
    starts = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
    part = SparseRows(starts, rows.columns[entries], rows.values[entries], rows.width)
    means = np.empty(len(sampled))
    block = max(1, min(64, 8_000_000 // len(rows)))
    for numbers, overlaps in iterate_overlaps(part, rows, progress, block=block):
        for line, number in enumerate(numbers.tolist()):
            scores = overlaps[line]
            scores[sampled[number]] = -1.0
            best = np.partition(scores, len(scores) - neighbour_count)[
                len(scores) - neighbour_count :
            ]
            means[number] = best.mean()
    return np.clip(means, 0.0, 1.0)


class SimilarityChanges(NamedTuple):
    """Events that only the release has, and that only the log has.

    `of_users` says that they were counted user by user; else by query and second, whoever asked.
    """

    added: int
    suppressed: int
    users: int
    of_users: bool


def count_changes(
    log: QueryLog, release: Anonymized, place: Int32s, progress: Progress
) -> SimilarityChanges | None:
    """Count added and suppressed events; `place` is the log's code of each released query.

    None where every query was replaced, so that none can be compared.
    """
    released = release.log
    assert released is not None
    if len(place) and (place == NONE).all():
        return None
    owner_of_record = kept_ids(log, release, progress)
    if owner_of_record is None:
        events = count_kept_events(log, dataclasses.replace(release, truth=None), progress)
        suppressed = events.events[0] - events.kept
        return SimilarityChanges(events.added, suppressed, len(log.users), of_users=False)
    query = np.where(place == NONE, len(log.queries) + np.arange(len(place)), place)
    log_events = log.query[log.event_starts].astype(np.int64)
    released_events = query.astype(np.int64)[released.query[released.event_starts]]
    codes = len(log.users) + np.arange(len(released.users))
    codes[owner_of_record[owner_of_record != NONE]] = np.flatnonzero(owner_of_record != NONE)
    first = log.user[log.event_starts].astype(np.int64)
    second = codes[released.user[released.event_starts]]
    wide = len(log.queries) + len(place) + 1
    progress.check()
    common = count_common(first * wide + log_events, second * wide + released_events)
    return SimilarityChanges(
        added=len(released_events) - common,
        suppressed=len(log_events) - common,
        users=len(log.users),
        of_users=True,
    )


def _build_metrics(
    groups: list[ComparedUsers], moved: SimilarityChanges | None, k: int, progress: Progress
) -> Iterator[MetricValue]:
    for group in groups:
        yield catalogue(
            "similarity_pairs",
            mean_of_pairs(group.shares, progress),
            named=f"similarity.pairs_{group.name}",
            when=as_phrase(group.when),
        )
    for group in groups:
        if len(group.nearest):
            yield catalogue(
                "similarity_nearest" if k == 2 else "similarity_nearest_several",
                float(group.nearest.mean()),
                named=f"similarity.nearest_{group.name}",
                better="higher" if group.name == "after" else "",
                side="privacy" if group.name == "after" else "",
                k=k - 1,
                when=as_phrase(group.when),
            )
    if len(groups) > 1 and len(groups[1].nearest):
        yield catalogue("similarity.least_after", float(groups[1].nearest.min()))
    if moved is None:
        return
    for name, count in (("added", moved.added), ("suppressed", moved.suppressed)):
        value = catalogue(f"similarity.{name}", float(count))
        yield value
        yield catalogue(
            "similarity_per_user",
            count / moved.users if moved.users else 0.0,
            named=f"similarity.{name}_per_user",
            label=as_phrase(value.label),
        )


def _draw_bars(values: tuple[MetricValue, ...]) -> Figure:
    scores = {value.name: value.value for value in values}
    sides = [("before", "in the log"), ("after", "released")]
    sides = [side for side in sides if f"similarity.pairs_{side[0]}" in scores]
    names = [
        (name, label)
        for name, label in (("pairs", "all pairs"), ("nearest", "nearest others"))
        if all(f"similarity.{name}_{when}" in scores for when, _ in sides)
    ]
    x = np.arange(len(names), dtype=np.float64)
    return catalogue.figure(
        "similarity",
        (
            Series(label, x, np.array([scores[f"similarity.{n}_{when}"] for n, _ in names]), "bars")
            for when, label in sides
        ),
        categories=tuple(label for _, label in names),
    )


MEASURE = Measure(**catalogue.card, params=SimilarityParams, run=run, applies=("log",))
