"""What people search next: how often the released transitions tell it of people they don't hold.

Query suggestion is what SafeLog's transitions are for; the source names it and doesn't measure it.
The users are split in folds by a hash of their ids. The method is run anew on all folds but one,
and every step of the others, from a query to that user's next other query, is a question: is the
next query among the k that most often followed the first in the release? The baseline needs no
transitions: the k most frequent queries, whatever was asked.

That finds nothing where queries can't be read, such as hashed ones. So a released log is asked
about itself as well: learned from some of its users, tested on the others, beside the same within
the log. Where a method makes users alike, that figure flatters.

Cost: the method once a fold, and O(steps · log steps) for each.
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.figures import SHARE, MetricValue, Series, format_share
from auditor.log.lifetime_cache import LifetimeCache
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text_hashing import hash_texts
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.measures.click_graph import by_weight, graph_of
from auditor.measures.query_counts import count_transitions, tables_of, tabulate_log
from auditor.measures.retrieval import fold_of
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized, MethodRerun, Tables
from auditor.progress import Progress, run_cancellable

catalogue = MetricCatalogue("measures", "next_query")

KS = (1, 5, 10)


@dataclass(frozen=True, kw_only=True)
class NextQueryParams(Params, owner="next-query"):
    """How users are split, and what a step is."""

    folds: int = 5
    seed: int = 1
    pause: int | None = None


class PredictionCounts(NamedTuple):
    """Predicted steps, those whose first query was there, right answers among the first k."""

    steps: int
    predictable: int
    hits: Int64s  # by k, shape (len(KS),)
    popular: Int64s  # right answers of the most frequent queries, over all steps; by k

    @property
    def rates(self) -> Float64s:
        """Right answers among the first k, of all steps."""
        return self.hits / max(self.steps, 1)

    @property
    def popular_rates(self) -> Float64s:
        """Right answers of the baseline."""
        return self.popular / max(self.steps, 1)


_of_logs = LifetimeCache[QueryLog, PredictionCounts]()


def predict_next(
    log: QueryLog, params: NextQueryParams, progress: Progress, rerun: MethodRerun | None = None
) -> PredictionCounts:
    """Learn from all folds but one, by `rerun` or as they are, and ask about the one; all folds.

    What a log tells of itself is remembered for the next setting of a method.
    """

    def predict_folds() -> PredictionCounts:
        fold = fold_of(hash_texts(log.users, params.seed, progress), params.folds)
        counts = []
        for number in range(params.folds):
            tested = fold[log.user] == number
            train, test = (
                run_cancellable(functools.partial(log.rows, rows), progress)
                for rows in (~tested, tested)
            )
            if rerun is None:
                learned = tabulate_log(train, params.pause, progress)
            else:
                learned = tables_of(rerun(train, number, progress), params.pause, progress)
            steps = count_transitions(test, params.pause, progress)
            counts.append(count_answers(learned, test.queries, steps, progress))
        return PredictionCounts(*(sum(column) for column in zip(*counts, strict=True)))

    return predict_folds() if rerun else _of_logs.get(log, params, predict_folds)


def count_answers(
    learned: Tables, queries: Vocabulary, steps: tuple[Int32s, Int32s, Int64s], progress: Progress
) -> PredictionCounts:
    """How often the followers with the highest released counts hold the next query.

    `steps` are distinct pairs of some `queries`, and how often each was made.
    """
    graph = graph_of(learned, progress)
    node = graph.find_nodes(queries, progress).astype(np.int64)
    first, second, times = node[steps[0]], node[steps[1]], steps[2]
    is_common = first != NONE
    start, row = run_cancellable(lambda: np.unique(first[is_common], return_inverse=True), progress)
    ranked = by_weight(graph.transitions, start, "ranking next queries", progress)
    size = max(len(graph.queries), 1)
    keys = ranked.row * size + ranked.page
    order = run_cancellable(lambda: np.argsort(keys), progress)
    targets = np.where(second[is_common] == NONE, -1, row * size + second[is_common])
    place = np.zeros(len(targets), dtype=np.int64)
    if len(keys):
        nearest = order[np.minimum(np.searchsorted(keys, targets, sorter=order), len(keys) - 1)]
        place = np.where(keys[nearest] == targets, ranked.place[nearest], 0)
    popular = np.lexsort((graph.query_node, -learned.query_count))[: max(KS)]
    best = graph.query_node[popular].astype(np.int64)
    counts = times[is_common]
    return PredictionCounts(
        steps=int(times.sum()),
        predictable=int(counts.sum()),
        hits=np.array([counts[(place > 0) & (place <= k)].sum() for k in KS], dtype=np.int64),
        popular=np.array([times[np.isin(second, best[:k])].sum() for k in KS], dtype=np.int64),
    )


def run(
    log: QueryLog, release: Anonymized, params: NextQueryParams, context: MeasureContext
) -> MeasureResult:
    """Repeat the method without the users of each fold, and ask about their steps.

    Where the method can't be repeated, only what a released log tells of itself.
    """
    progress = context.progress
    held_out, in_sample, notes = {}, {}, []
    if context.rerun is None and release.log is None:
        return MEASURE.build_result(params, notes=(catalogue.say("unknown_method"),))
    if release.tables is not None and not release.tables.has_transitions:
        note = "The release has no table of transitions."
        return MEASURE.build_result(params, notes=(note,))
    in_log = predict_next(log, params, progress)
    if not in_log.steps:
        return MEASURE.build_result(params, notes=(catalogue.say("no_transition"),))
    if context.rerun is not None:
        held_out = {"log": in_log, "release": predict_next(log, params, progress, context.rerun)}
    if release.log is not None:
        counts = predict_next(release.log, params, progress)
        if len(release.log.users) > 1 and counts.steps:
            in_sample = {"log": in_log, "release": counts}
        else:
            notes.append(catalogue.say("no_other_user"))
    if not held_out and not in_sample:
        return MEASURE.build_result(params, notes=notes)
    return _build_result(params, held_out, in_sample, notes)


def _build_result(
    params: NextQueryParams,
    held_out: Mapping[str, PredictionCounts],
    in_sample: Mapping[str, PredictionCounts],
    notes: list[str],
) -> MeasureResult:
    values = list(_held_values(held_out)) if held_out else []
    if in_sample:
        rate = format_share(float(in_sample["log"].rates[-1]))
        value = float(in_sample["release"].rates[-1])
        values.append(catalogue("next_query.inside_hit10", value, rate=rate))
    lines = [("held-out users", side, stats) for side, stats in held_out.items()]
    lines += [("within itself", side, stats) for side, stats in in_sample.items()]
    details: dict[str, Any] = {
        f"next_query.{'inside_' if 'within' in view else ''}{side}_{k}": rate
        for view, side, stats in lines
        for k, rate in zip(KS, stats.rates.tolist(), strict=True)
    }
    table = catalogue.table(
        "next-query",
        [
            [view, side, stats.steps, stats.predictable]
            + [float(f"{rate:.4g}") for rate in (*stats.rates, *stats.popular_rates)]
            for view, side, stats in lines
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
    )
    if held_out and not held_out["release"].predictable:
        notes.append(catalogue.say("no_readable_query"))
    x = np.array(KS, dtype=np.float64)
    series = [
        Series(phrase("{side}, {view}", side=as_phrase(side), view=as_phrase(view)), x, stats.rates)
        for view, side, stats in lines
    ]
    last = lines[-1][2] if lines[0][0] != "held-out users" else lines[1][2]
    series.append(Series("most frequent released queries", x, last.popular_rates))
    return MEASURE.build_result(
        params,
        values,
        figures=(catalogue.figure("next-query", series),),
        tables=(table,),
        notes=notes,
        details=details,
    )


def _held_values(held_out: Mapping[str, PredictionCounts]) -> Iterator[MetricValue]:
    counts, log = held_out["release"], held_out["log"]
    yield catalogue("next_query.coverage", counts.predictable / counts.steps)
    for place in (0, -1):
        yield catalogue(
            f"next_query.hit{KS[place]}",
            float(counts.rates[place]),
            k=KS[place],
            rate=float(log.rates[place]),
            popular_rate=float(counts.popular_rates[place]),
        )
    if counts.predictable:
        yield catalogue("next_query.hit10_found", int(counts.hits[-1]) / counts.predictable)


MEASURE = Measure(
    **catalogue.card, params=NextQueryParams, run=run, reruns_method=True, unasked=200_000
)
