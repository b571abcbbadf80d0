"""What people search next: how often the released transitions tell it of people they don't hold.

Query suggestion is what SafeLog's transitions are for; the source names it and doesn't measure it.
The users are split in folds by a hash of their ids. The method is run anew on all folds but one,
and every step of the others, from a query to that user's next other query, is a question: is the
next query among the k that most often followed the first in the release? A guess that needs no
transitions is the baseline: the k most frequent queries, whatever was asked.

That finds nothing in a release whose queries can't be read, such as hashed ones, although who
follows whom may be all there. So a released log is asked about itself as well: learned from some
of its users, tested on the others, beside the same within the log. Where a method makes users
alike (k copies of one history), that figure flatters, and the first is the one to go by.

Cost: the method once a fold, and O(steps · log steps) for each.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from auditor.arrays import Int8s, Int32s, Int64s
from auditor.figures import SHARE, Figure, MetricValue, Series, format_share
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text_hashing import hash_texts
from auditor.measures.base import Measure, MeasureResult, RerunFunction
from auditor.measures.event_folds import fold_of
from auditor.measures.log_tables import count_transitions, tables_of, tabulate_log
from auditor.measures.prepared_cache import PreparedCache
from auditor.measures.retrieval.algorithms import by_weight
from auditor.measures.retrieval.graph import graph_of
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized, Tables
from auditor.progress import Progress, run_cancellable

catalogue = MetricCatalogue("measures", "next_query")

KS = (1, 5, 10)
KEEP_ROWS = 4_000_000
"""Logs of at most so many rows have all their training parts kept for the next setting."""


@dataclass(frozen=True, kw_only=True)
class NextQueryParams(Params, owner="next-query"):
    """How users are split, and what a step is."""

    folds: int = 5
    seed: int = 1
    pause: int | None = None


@dataclass(frozen=True, eq=False)
class ObservedTransitions:
    """The steps of one fold's users: distinct pairs of `queries`, and how often each was made."""

    queries: Vocabulary
    first: Int64s
    second: Int64s
    times: Int64s


@dataclass(eq=False)
class TransitionParts:
    """A log's users in folds, with what is asked about each, and what the whole log answers."""

    part: Int8s
    asked: dict[int, ObservedTransitions] = field(default_factory=dict)
    training: dict[int, QueryLog] = field(default_factory=dict)
    own: dict[Hashable, PredictionCounts] = field(default_factory=dict)

    def select_training_log(self, log: QueryLog, number: int, progress: Progress) -> QueryLog:
        """The log without the users of a fold; O(rows)."""
        made = self.training.get(number)
        if made is None:
            made = run_cancellable(lambda: log.rows(self.part[log.user] != number), progress)
            if len(log) <= KEEP_ROWS:
                self.training[number] = made
        return made

    def count_fold_transitions(
        self, log: QueryLog, number: int, pause: int | None, progress: Progress
    ) -> ObservedTransitions:
        """The steps of a fold's users."""
        made = self.asked.get(number)
        if made is None:
            rows = run_cancellable(lambda: log.rows(self.part[log.user] == number), progress)
            first, second, times = count_transitions(rows, pause, progress)
            made = ObservedTransitions(
                rows.queries, first.astype(np.int64), second.astype(np.int64), times
            )
            self.asked[number] = made
        return made


@dataclass(frozen=True)
class PredictionCounts:
    """Predicted steps, those whose first query was there, right answers among the first k.

    `popular` are the right answers of the most frequent queries, over all steps.
    """

    steps: int = 0
    found: int = 0
    hits: tuple[int, ...] = (0,) * len(KS)
    popular: tuple[int, ...] = (0,) * len(KS)

    def __add__(self, other: PredictionCounts) -> PredictionCounts:
        return PredictionCounts(
            self.steps + other.steps,
            self.found + other.found,
            tuple(a + b for a, b in zip(self.hits, other.hits, strict=True)),
            tuple(a + b for a, b in zip(self.popular, other.popular, strict=True)),
        )

    def compute_rate(self, k: int) -> float:
        """Right answers among the first k, of all steps."""
        return self.hits[KS.index(k)] / self.steps if self.steps else 0.0

    def found_rate(self, k: int) -> float:
        """Right answers of the steps whose first query was there."""
        return self.hits[KS.index(k)] / self.found if self.found else 0.0

    def popular_rate(self, k: int) -> float:
        """Right answers of the baseline."""
        return self.popular[KS.index(k)] / self.steps if self.steps else 0.0


_parts: PreparedCache[TransitionParts] = PreparedCache()


def parts_of(log: QueryLog, params: NextQueryParams, progress: Progress) -> TransitionParts:
    """The folds of a log's users; made once, then remembered until another split is asked for."""

    def make_parts() -> TransitionParts:
        return TransitionParts(fold_of(hash_texts(log.users, params.seed, progress), params.folds))

    return _parts.get(log, (params.folds, params.seed, params.pause), make_parts)


def predict_next(
    log: QueryLog, params: NextQueryParams, progress: Progress, again: RerunFunction | None = None
) -> PredictionCounts:
    """Learn from all folds but one, by `again` or as they are, and ask about the one; all folds."""
    parts = parts_of(log, params, progress)
    if again is None and params in parts.own:
        return parts.own[params]
    told = PredictionCounts()
    for number in range(params.folds):
        train = parts.select_training_log(log, number, progress)
        if again is None:
            learned = tabulate_log(train, params.pause, progress)
        else:
            learned = tables_of(again(train, number, progress), params.pause, progress)
        told += count_answers(
            learned, parts.count_fold_transitions(log, number, params.pause, progress), progress
        )
    if again is None:
        parts.own[params] = told
    return told


def count_answers(
    learned: Tables, asked: ObservedTransitions, progress: Progress
) -> PredictionCounts:
    """How often the followers with the highest released counts hold the next query."""
    graph = graph_of(learned, progress)
    node = graph.find_queries(asked.queries, progress).astype(np.int64)
    first, second = node[asked.first], node[asked.second]
    there = first != NONE
    start, row = run_cancellable(lambda: np.unique(first[there], return_inverse=True), progress)
    ranked = by_weight(graph.transitions, start, "ranking next queries", progress)
    size = max(len(graph.queries), 1)
    keys = ranked.row * size + ranked.page
    order = run_cancellable(lambda: np.argsort(keys), progress)
    wanted = np.where(second[there] == NONE, -1, row * size + second[there])
    place = np.zeros(len(wanted), dtype=np.int64)
    if len(keys):
        at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
        place = np.where(keys[at] == wanted, ranked.place[at], 0)
    times = asked.times[there]
    return PredictionCounts(
        steps=int(asked.times.sum()),
        found=int(times.sum()),
        hits=tuple(int(times[(place > 0) & (place <= k)].sum()) for k in KS),
        popular=_count_popular_hits(learned, graph.query_node, second, asked.times),
    )


def _count_popular_hits(
    learned: Tables, node: Int32s, second: Int64s, times: Int64s
) -> tuple[int, ...]:
    """Steps whose next query is among the k with the highest released counts."""
    order = np.lexsort((node, -learned.query_count))[: max(KS)]
    best = np.asarray(node, dtype=np.int64)[order]
    return tuple(int(times[np.isin(second, best[:k])].sum()) for k in KS)


def measure_release_alone(
    log: QueryLog,
    release: Anonymized,
    params: NextQueryParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> MeasureResult:
    """Without the method: only what a released log tells of itself."""
    del rng
    if release.log is None:
        note = catalogue.say("unknown_method")
        return MEASURE.build_result(params, notes=(note,))
    return _build_result(params, {}, _count_inside(log, release, params, progress))


def measure_by_folds(
    log: QueryLog,
    release: Anonymized,
    params: NextQueryParams,
    *,
    again: RerunFunction,
    rng: np.random.Generator,
    progress: Progress,
) -> MeasureResult:
    """Repeat the method without the users of each fold, and ask about their steps."""
    del rng
    if release.tables is not None and not release.tables.has_transitions:
        note = "The release has no table of transitions."
        return MEASURE.build_result(params, notes=(note,))
    held = {
        "log": predict_next(log, params, progress),
        "release": predict_next(log, params, progress, again),
    }
    return _build_result(params, held, _count_inside(log, release, params, progress))


def _count_inside(
    log: QueryLog, release: Anonymized, params: NextQueryParams, progress: Progress
) -> dict[str, PredictionCounts]:
    if release.log is None:
        return {}
    return {
        "log": predict_next(log, params, progress),
        "release": predict_next(release.log, params, progress),
    }


def _build_result(
    params: NextQueryParams,
    held: Mapping[str, PredictionCounts],
    inside: Mapping[str, PredictionCounts],
) -> MeasureResult:
    values: list[MetricValue] = []
    if held:
        values = _held_values(held)
    if inside:
        values.append(
            catalogue(
                "next_query.inside_hit10",
                inside["release"].compute_rate(10),
                rate=format_share(inside["log"].compute_rate(10)),
            )
        )
    lines = [("held-out users", side, told) for side, told in held.items()]
    lines += [("within itself", side, told) for side, told in inside.items()]
    details: dict[str, Any] = {
        f"next_query.{'inside_' if 'within' in view else ''}{side}_{k}": told.compute_rate(k)
        for view, side, told in lines
        for k in KS
    }
    table = catalogue.table(
        "next-query",
        [
            [view, side, told.steps, told.found]
            + [float(f"{told.compute_rate(k):.4g}") for k in KS]
            + [float(f"{told.popular_rate(k):.4g}") for k in KS]
            for view, side, told in lines
        ],
        columns=(
            "tested on",
            "learned from",
            "steps",
            "first query there",
            *(f"hit@{k}" for k in KS),
            *(phrase("hit@{k}, most frequent queries", k=k) for k in KS),
        ),
        units=("", "", "", "", *[SHARE] * (2 * len(KS))),
        own_words=True,
    )
    notes = []
    if held and not held["release"].found:
        notes.append(catalogue.say("no_readable_query"))
    return MEASURE.build_result(
        params,
        values,
        figures=(_draw_figure(lines),),
        tables=(table,),
        notes=notes,
        details=details,
    )


def _held_values(held: Mapping[str, PredictionCounts]) -> list[MetricValue]:
    told, log = held["release"], held["log"]
    made = [catalogue("next_query.coverage", told.found / told.steps if told.steps else 0.0)]
    for k in (KS[0], KS[-1]):
        made.append(
            MetricValue(
                f"next_query.hit{k}",
                phrase("next query among {k} predicted, all transitions", k=k)
                if k > 1
                else ("next query predicted, all transitions"),
                told.compute_rate(k),
                unit=SHARE,
                help=catalogue.say(
                    "hit_help", rate=log.compute_rate(k), popular_rate=told.popular_rate(k)
                ),
                better="higher",
                side="utility",
            )
        )
    if told.found:
        made.append(catalogue("next_query.hit10_found", told.found_rate(10)))
    return made


def _draw_figure(lines: list[tuple[str, str, PredictionCounts]]) -> Figure:
    x = np.array(KS, dtype=np.float64)
    series = [
        Series(
            phrase("{side}, {view}", side=as_phrase(side), view=as_phrase(view)),
            x,
            np.array([told.compute_rate(k) for k in KS]),
        )
        for view, side, told in lines
    ]
    if lines:
        last = lines[-1][2] if lines[0][0] != "held-out users" else lines[1][2]
        rates = np.array([last.popular_rate(k) for k in KS])
        series.append(Series("most frequent released queries", x, rates))
    return catalogue.figure("next-query", series)


MEASURE = Measure(
    name="next-query",
    cost="the method once a fold, and O(steps · log steps)",
    title="Next query",
    summary="How often released transitions predict the next query of users they were not "
    "learned from.",
    source=("the purpose of SafeLog's transitions (Zhang et al. 2016), which doesn't measure it"),
    params=NextQueryParams,
    run=measure_release_alone,
    repeat=measure_by_folds,
    unasked=200_000,
)
