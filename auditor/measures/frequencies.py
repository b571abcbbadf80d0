"""Whether the release still says which queries and words are frequent.

Compared like with like: the log is counted in the unit that the release counts in (rows, events
or users). Over the queries that both have, a release flatters itself, since what it lost doesn't
show; so each figure also stands over the log's own most frequent ones, where what is missing
counts as 0. O(rows + distinct queries · log).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s
from auditor.figures import Figure, MetricValue, Series, Table
from auditor.log import gazetteers, gil_friendly
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import TokenizedQueries, byte_order, tokenize_strings
from auditor.measures import query_counts
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.messages import as_phrase, phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, run_cancellable

catalogue = MetricCatalogue("measures", "frequencies")

KENDALL_PAIRS = 200_000
"""Kendall's coefficient is taken of at most so many strings, drawn at random beyond."""

CURVE = 200
"""Points of a curve of counts over ranks."""


@dataclass(frozen=True, kw_only=True)
class FrequenciesParams(Params, owner="frequencies"):
    """How much is shown, and how deep the ranking is compared."""

    top: int = 10
    depth: int = 1000
    counting_unit: str = "release"
    stop_words: bool = False


@dataclass(frozen=True, eq=False)
class FrequencyComparison:
    """The same strings counted twice, in the log and as released, and what that comes to.

    Only the log's t most frequent strings are looked at one by one, equal counts in the order of
    their bytes.
    """

    # name, plural: what the strings are: "query", "queries"
    name: str
    plural: str
    # strings, places: those of the t that are shown, and the place of each one's count among all
    # released ones
    strings: tuple[str, ...]
    places: tuple[int, ...]
    # counts, released, common: how often each occurs in the log and is released, and whether it is
    # at all; shapes (t,)
    counts: Int64s
    released: Int64s
    common: Bools
    # shared, spearman, kendall, error: how many strings both have; over these the two rank
    # correlations and the median relative error, NaN where there is none
    shared: int
    spearman: float
    kendall: float
    error: float
    # Ranks and counts of the log's strings, and of the release's, at some 200 ranks.
    curves: tuple[tuple[Float64s, Float64s], tuple[Float64s, Float64s]]


def _most_frequent(counts: Int64s, size: int, strings: Vocabulary) -> Int64s:
    """Codes of the `size` largest counts above 0, falling; equal ones in the order of the bytes.

    O(n + size log size), and a sort of the strings that are as frequent as the last one.
    """
    size = min(size, int(np.count_nonzero(counts)))
    if not size:
        return np.zeros(0, dtype=np.int64)
    least = np.partition(counts, len(counts) - size)[len(counts) - size]
    codes = np.flatnonzero(counts >= least)
    codes = codes[byte_order(strings.take(codes))]
    return codes[np.argsort(-counts[codes], kind="stable")][:size]


def run(
    log: QueryLog, release: Anonymized, params: FrequenciesParams, context: MeasureContext
) -> MeasureResult:
    """Compare the frequencies of queries and of their words."""
    progress = context.progress
    if release.tables is not None and not release.tables.is_counted:
        return MEASURE.build_result(params, notes=(catalogue.say("no_counts"),))
    unit = next(
        (u for u in query_counts.UNITS if u == params.counting_unit), query_counts.unit_of(release)
    )
    place = query_counts.released_codes(log, release, progress)
    original = query_counts.query_counts(log, unit, progress)
    released = np.maximum(query_counts.released_counts(release, unit, progress), 0)
    compare = partial(_compare_counts, params, context.rng, progress)
    queries = compare("query", "queries", log.queries, original, place, released)
    tokens, output = (
        tokenize_strings(strings, progress)
        for strings in (log.queries, release.local_content.queries)
    )
    if not params.stop_words:
        tokens, output = map(_drop_stop_words, (tokens, output))
    place = query_counts.match_vocabulary(
        tokens.vocabulary, output.vocabulary, "looking for words", progress
    )
    # A query counts for every word of it, as often as it occurs.
    original, released = tokens.count_occurrences(original), output.count_occurrences(released)
    words = compare("word", "words", tokens.vocabulary, original, place, released)
    values: list[MetricValue] = []
    notes = [catalogue.say("unit", units=as_phrase(query_counts.UNITS[unit]))]
    for comparison in (queries, words):
        values += _build_metrics(comparison, params, progress)
        if not comparison.shared:
            notes.append(
                phrase(
                    "No {name} of the log is released unchanged.", name=as_phrase(comparison.name)
                )
            )
        elif comparison.shared > KENDALL_PAIRS:
            notes.append(
                catalogue.say(
                    "kendall_sample",
                    plural=as_phrase(comparison.plural),
                    kendall_pairs=KENDALL_PAIRS,
                    kendall_pairs_2=math.sqrt(2 / KENDALL_PAIRS),
                )
            )
    top = params.top
    return MEASURE.build_result(
        params,
        values,
        figures=(_draw_bars(queries, top), _draw_bars(words, top), _draw_zipf_plot(queries)),
        tables=(_build_table(queries, top), _build_table(words, top)),
        notes=notes,
        # Counts of the log's most frequent strings, which a sweep over k makes curves of.
        details={
            f"top_{comparison.plural}_{name}": counts[:top].tolist()
            for comparison in (queries, words)
            for name, counts in (("log", comparison.counts), ("released", comparison.released))
        },
    )


def _drop_stop_words(tokens: TokenizedQueries) -> TokenizedQueries:
    stop = Vocabulary.of(sorted(gazetteers.stop_words()))
    keep = tokens.vocabulary.match(stop) == NONE
    codes = np.where(keep, gil_friendly.running_count(keep) - 1, NONE).astype(np.int32)
    return tokens.recode_tokens(codes, tokens.vocabulary.take(np.flatnonzero(keep)))


def _compare_counts(
    params: FrequenciesParams,
    rng: np.random.Generator,
    progress: Progress,
    name: str,
    plural: str,
    strings: Vocabulary,
    original: Int64s,
    place: Int32s,
    counts: Int64s,
) -> FrequencyComparison:
    """`place` is the code of each string in the release, whose counts are `counts`."""
    progress.stage(phrase("ranking {plural}", plural=as_phrase(plural)))
    common = place != NONE
    released = np.zeros(len(original), dtype=np.int64)
    released[common] = counts[place[common]]
    frequent = _most_frequent(original, max(params.depth, params.top), strings)
    top = frequent[: params.top]
    codes = sampled = np.flatnonzero(common)
    if len(codes) > KENDALL_PAIRS:
        sampled = np.sort(rng.choice(codes, KENDALL_PAIRS, replace=False))
    both, sampled_pair = (original[codes], released[codes]), (original[sampled], released[sampled])
    falling = np.sort(counts)[::-1]
    return FrequencyComparison(
        name=name,
        plural=plural,
        strings=tuple(strings.list_strings(top)),
        places=tuple((np.searchsorted(-falling, -released[top]) + 1).tolist()),
        counts=original[frequent],
        released=released[frequent],
        common=common[frequent],
        shared=len(codes),
        spearman=run_cancellable(partial(spearman_rho, *both), progress),
        kendall=run_cancellable(partial(kendall_tau, *sampled_pair), progress),
        error=float(np.median(abs(both[1] - both[0]) / both[0])) if len(codes) else math.nan,
        curves=(_compute_curve(np.sort(original)[::-1]), _compute_curve(falling)),
    )


def _compute_curve(falling: Int64s) -> tuple[Float64s, Float64s]:
    """At most `CURVE` ranks from 1 at equal ratios, and the positive counts that have them."""
    falling = falling[falling > 0]
    if not len(falling):
        return np.zeros(0), np.zeros(0)
    ranks = np.unique(np.geomspace(1, len(falling), CURVE).astype(np.int64))
    return ranks.astype(np.float64), falling[ranks - 1].astype(np.float64)


def _build_metrics(
    compared: FrequencyComparison, params: FrequenciesParams, progress: Progress
) -> Iterator[MetricValue]:
    top = compared.counts[: params.depth], compared.released[: params.depth]
    deep = catalogue.say("most_frequent", top=len(top[0]), plural=as_phrase(compared.plural))
    rho = run_cancellable(partial(spearman_rho, *top), progress)
    tau = run_cancellable(partial(kendall_tau, *top), progress)
    both = phrase("{plural} in both", plural=as_phrase(compared.plural))
    for name, coefficients, text in (
        ("common", (compared.spearman, compared.kendall), both),
        ("top", (rho, tau), deep),
    ):
        for key, value in zip(("spearman", "kendall"), coefficients, strict=True):
            if not math.isnan(value):  # it is where there is one string, or all counts are equal
                key_name = f"frequencies.{compared.name}_{key}_{name}"
                yield catalogue(key, value, named=key_name, text=as_phrase(text))
    plural = as_phrase(compared.plural)
    if len(top[0]):
        is_released = compared.common[: min(params.top, params.depth)]
        yield catalogue(
            "frequencies_top_released",
            float(is_released.mean()),
            named=f"frequencies.{compared.name}_top_released",
            shown=len(is_released),
            plural=plural,
        )
        error = float((abs(top[1] - top[0]) / top[0]).mean())
        key_name = f"frequencies.{compared.name}_error_top"
        yield catalogue("frequencies_error_top", error, named=key_name, deep=as_phrase(deep))
    if compared.shared:
        key_name = f"frequencies.{compared.name}_error_common"
        yield catalogue("frequencies_error_common", compared.error, named=key_name, plural=plural)


def spearman_rho(x: Int64s, y: Int64s) -> float:
    """Spearman's ρ, ties at their mean rank; NaN if one side is constant. O(n log n)."""
    from scipy.stats import spearmanr

    return math.nan if _is_constant(x) or _is_constant(y) else float(spearmanr(x, y).statistic)


def kendall_tau(x: Int64s, y: Int64s) -> float:
    """Kendall's τ_b; NaN if one side is constant. O(n log n)."""
    from scipy.stats import kendalltau

    return math.nan if _is_constant(x) or _is_constant(y) else float(kendalltau(x, y).statistic)


def _is_constant(values: Int64s) -> bool:
    return len(values) < 2 or bool(values.min() == values.max())


def _build_table(comparison: FrequencyComparison, size: int) -> Table:
    rows: list[list[Any]] = []
    for place, text in enumerate(comparison.strings[:size]):
        values = (int(comparison.released[place]), comparison.places[place])
        cells = values if comparison.common[place] else ("–", "–")
        rows.append([place + 1, text, int(comparison.counts[place]), *cells])
    name, plural = as_phrase(comparison.name), as_phrase(comparison.plural)
    return catalogue.table("top", rows, named=f"top-{comparison.plural}", name=name, plural=plural)


def _draw_bars(comparison: FrequencyComparison, size: int) -> Figure:
    strings = comparison.strings[:size]
    x = np.arange(len(strings), dtype=np.float64)
    original, released = (
        counts[: len(strings)].astype(np.float64)
        for counts in (comparison.counts, comparison.released)
    )
    return catalogue.figure(
        "top",
        (Series("in the log", x, original, "bars"), Series("released", x, released, "bars")),
        named=f"top-{comparison.plural}",
        categories=strings,
        places={"name": as_phrase(comparison.name), "plural": as_phrase(comparison.plural)},
    )


def _draw_zipf_plot(comparison: FrequencyComparison) -> Figure:
    """Count over rank of the log and of the release, at some 200 ranks."""
    labelled_curves = zip(("in the log", "released"), comparison.curves, strict=True)
    return catalogue.figure(
        "frequency-over-rank",
        (Series(name, *curve) for name, curve in labelled_curves if len(curve[0])),
        places={"plural": as_phrase(comparison.plural)},
    )


MEASURE = Measure(
    **catalogue.card, params=FrequenciesParams, run=run, quick=True, without_users=True
)
