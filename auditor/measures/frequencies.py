"""Whether the release still says which queries and words are frequent.

Compared like with like: the log is counted in the unit that the release counts in (rows, events
or users). Over the queries that both have, a release flatters itself, since what it lost doesn't
show; so each figure also stands over the log's own most frequent ones, where what is missing
counts as 0. O(rows + distinct queries · log).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.figures import Axis, Figure, Series, Table, Value
from auditor.log import gazetteers
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.log.text import Tokens, tokens
from auditor.measures import counting
from auditor.measures.base import Measure, MeasureResult
from auditor.params import Option, Params, choice, flag, integer
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

Codes = NDArray[np.int32]
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

KENDALL_PAIRS = 200_000
"""Kendall's coefficient is taken of at most so many strings, drawn at random beyond."""


@dataclass(frozen=True, kw_only=True)
class FrequencyParams(Params, owner="frequencies"):
    """How much is shown, and how deep the ranking is compared."""

    top: int = integer(
        10,
        1,
        1000,
        slider=(5, 50),
        label="Rows shown",
        help="How many of the log's most frequent queries and words the tables and bars show.",
    )
    depth: int = integer(
        1000,
        2,
        KENDALL_PAIRS,
        slider=(10, 100_000),
        scale="log",
        label="Ranks compared",
        help="The rank correlation over the most frequent ones looks at so many of them; those "
        "that are not released count as 0 there.",
    )
    unit: str = choice(
        "release",
        (
            Option("release", "as the release does"),
            *(Option(name, text) for name, text in counting.UNITS.items()),
        ),
        label="Count the log in",
        help="What one count of the log is. Other units than the release's own compare two "
        "different things.",
    )
    stop_words: bool = flag(
        False,
        label="Count stop words",
        help="Whether words such as 'the' count among the words. They are frequent in every log "
        "and say little, so the source leaves them out.",
    )


@dataclass(frozen=True, eq=False)
class Compared:
    """The same strings counted twice: in the log, and as released.

    Attributes
    ----------
    name, plural
        What the strings are: "query", "queries".
    strings, whole
        The log's strings, and how often each occurs; shape (n,).
    released
        Released count of each, 0 where it isn't released; shape (n,).
    common
        Whether it is released at all; shape (n,).
    frequent
        Codes of the log's most frequent strings, as many as anything here looks at.
    own
        All released counts, falling, of strings that the log never had too; shape (m,).
    """

    name: str
    plural: str
    strings: Vocabulary
    whole: Counts
    released: Counts
    common: NDArray[np.bool_]
    frequent: NDArray[np.int64]
    own: Counts

    def top(self, size: int) -> NDArray[np.int64]:
        """Codes of the log's `size` most frequent strings, falling."""
        return self.frequent[:size]


def most_frequent(counts: Counts, size: int) -> NDArray[np.int64]:
    """Codes of the `size` largest counts above 0, falling; ties by code. O(n + size log size)."""
    size = min(size, int(np.count_nonzero(counts)))
    if not size:
        return np.zeros(0, dtype=np.int64)
    least = np.partition(counts, len(counts) - size)[len(counts) - size]
    above = np.flatnonzero(counts > least)
    codes = np.concatenate([above, np.flatnonzero(counts == least)[: size - len(above)]])
    return codes[np.lexsort((codes, -counts[codes]))]


def run(
    log: QueryLog,
    release: Anonymized,
    params: FrequencyParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> MeasureResult:
    """Compare the frequencies of queries and of their words."""
    unit = next((u for u in counting.UNITS if u == params.unit), counting.unit_of(release))
    place = counting.released_codes(log, release, progress)
    whole = counting.query_counts(log, unit, progress)
    own = np.maximum(counting.released_counts(release, unit, progress), 0)
    size = max(params.depth, params.top)
    queries = _compared("query", "queries", log.queries, whole, place, own, size)
    vocabularies = log.queries, counting.vocabulary(release)
    words = _words(vocabularies, (whole, own), size, params.stop_words, progress)

    values: list[Value] = []
    notes = [f"Counts are {counting.UNITS[unit]}. Released counts below 0 are taken as 0."]
    for what in (queries, words):
        progress.stage(f"ranking {what.plural}")
        values += _values(what, params, rng, progress)
        if not what.common.any():
            notes.append(f"No {what.name} of the log is released as it is.")
        elif int(what.common.sum()) > KENDALL_PAIRS:
            notes.append(
                f"Kendall's τ over all common {what.plural} is of {KENDALL_PAIRS:,} drawn of them."
            )
    return MeasureResult(
        measure="frequencies",
        params=params.to_dict(),
        values=tuple(values),
        figures=(_bars(queries, params.top), _bars(words, params.top), _zipf(queries)),
        tables=(_table(queries, params.top), _table(words, params.top)),
        notes=tuple(notes),
        details=_details(queries, words, params.top),
    )


def _compared(
    name: str,
    plural: str,
    strings: Vocabulary,
    whole: Counts,
    place: Codes,
    own: Counts,
    size: int,
) -> Compared:
    common = place != NONE
    released = np.zeros(len(whole), dtype=np.int64)
    released[common] = own[place[common]]
    frequent = most_frequent(whole, size)
    return Compared(name, plural, strings, whole, released, common, frequent, np.sort(own)[::-1])


def _words(
    queries: tuple[Vocabulary, Vocabulary],
    counts: tuple[Counts, Counts],
    size: int,
    stop_words: bool,
    progress: Progress,
) -> Compared:
    """The same for words: a query counts for every word of it, as often as it occurs."""
    here, there = (tokens(strings, progress) for strings in queries)
    if not stop_words:
        here, there = _without_stop_words(here), _without_stop_words(there)
    place = counting.matched(here.vocabulary, there.vocabulary, "looking for words", progress)
    whole, own = here.counts(counts[0]), there.counts(counts[1])
    return _compared("word", "words", here.vocabulary, whole, place, own, size)


def _without_stop_words(found: Tokens) -> Tokens:
    stop = Vocabulary.of(sorted(gazetteers.stop_words()))
    keep = found.vocabulary.match(stop) == NONE
    codes = np.where(keep, np.cumsum(keep) - 1, NONE).astype(np.int32)
    return found.recoded(codes, found.vocabulary.take(np.flatnonzero(keep)))


def _details(queries: Compared, words: Compared, top: int) -> dict[str, list[int]]:
    """Counts of the log's most frequent strings, which a sweep over k makes curves of."""
    return {
        f"top_{what.plural}_{name}": counts[what.top(top)].tolist()
        for what in (queries, words)
        for name, counts in (("log", what.whole), ("released", what.released))
    }


def _values(
    what: Compared, params: FrequencyParams, rng: np.random.Generator, progress: Progress
) -> Iterator[Value]:
    top = what.top(params.depth)
    common = np.flatnonzero(what.common)
    drawn = common
    if len(common) > KENDALL_PAIRS:
        drawn = np.sort(rng.choice(common, KENDALL_PAIRS, replace=False))
    deep = f"the log's {len(top):,} most frequent {what.plural}, missing ones as 0"
    for name, codes, few, text in (
        ("common", common, drawn, f"{what.plural} that both have"),
        ("top", top, top, deep),
    ):
        progress.check()
        both = what.whole[codes], what.released[codes]
        yield from _value(
            f"frequencies.{what.name}_spearman_{name}",
            f"Spearman's ρ over {text}",
            counting.patiently(partial(spearman, *both), progress),
            "Do the released counts rank as the log's do? 1 is the same order, 0 none.",
        )
        part = what.whole[few], what.released[few]
        yield from _value(
            f"frequencies.{what.name}_kendall_{name}",
            f"Kendall's τ over {text}",
            counting.patiently(partial(kendall, *part), progress),
            "Share of pairs in the same order less those in the opposite one, ties corrected.",
        )
    if len(top):
        shown = top[: params.top]
        yield Value(
            f"frequencies.{what.name}_top_released",
            f"share of the log's {len(shown)} most frequent {what.plural} that are released",
            float(what.common[shown].mean()),
            help="Whether what everybody asks for is still there.",
            better="higher",
            side="utility",
        )
        error = np.abs(what.released[top] - what.whole[top]) / what.whole[top]
        yield Value(
            f"frequencies.{what.name}_error_top",
            f"mean relative error of counts over {deep}",
            float(error.mean()),
            help="|released − log| ÷ log; a missing one has an error of 1.",
            better="lower",
            side="utility",
        )
    if len(common):
        error = np.abs(what.released[common] - what.whole[common]) / what.whole[common]
        yield Value(
            f"frequencies.{what.name}_error_common",
            f"median relative error of counts over {what.plural} that both have",
            float(np.median(error)),
            help="|released − log| ÷ log, for the one in the middle.",
            better="lower",
            side="utility",
        )


def _value(name: str, label: str, value: float, text: str) -> Iterator[Value]:
    """Nothing where a coefficient isn't defined: one string, or all counts equal."""
    if not math.isnan(value):
        yield Value(name, label, value, help=text, better="higher", side="utility")


def spearman(x: Counts, y: Counts) -> float:
    """Spearman's ρ, ties at their mean rank; NaN if one side is constant. O(n log n)."""
    if len(x) < 2:
        return math.nan
    a, b = mean_ranks(x), mean_ranks(y)
    a -= a.mean()
    b -= b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else math.nan


def mean_ranks(values: Counts) -> Floats:
    """Ranks from 1, equal values at the mean of theirs; shape of `values`."""
    _, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    ranks: Floats = (ends - (sizes - 1) / 2)[where]
    return ranks


def kendall(x: Counts, y: Counts) -> float:
    """Kendall's τ_b; NaN if one side is constant. O(n log n)."""
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return math.nan
    from scipy.stats import kendalltau

    return float(kendalltau(x, y).statistic)


def _released_rank(what: Compared, code: int) -> int | str:
    """The place of a string among all released ones, from 1; ties share the first place."""
    if not what.common[code]:
        return "–"
    return int(np.searchsorted(-what.own, -what.released[code], side="left")) + 1


def _table(what: Compared, size: int) -> Table:
    rows: list[list[Any]] = [
        [
            place,
            what.strings[int(code)],
            int(what.whole[code]),
            int(what.released[code]) if what.common[code] else "–",
            _released_rank(what, int(code)),
        ]
        for place, code in enumerate(what.top(size), start=1)
    ]
    return Table(
        name=f"top-{what.plural}",
        title=f"The log's most frequent {what.plural}",
        columns=("rank", what.name, "in the log", "released", "rank in the release"),
        rows=rows,
        note=f"– is a {what.name} that is not released.",
        private=True,
    )


def _bars(what: Compared, size: int) -> Figure:
    codes = what.top(size)
    x = np.arange(len(codes), dtype=np.float64)
    return Figure(
        name=f"top-{what.plural}",
        title=f"The log's most frequent {what.plural}",
        x=Axis(what.name, categories=tuple(what.strings.strings(codes))),
        y=Axis("count"),
        series=(
            Series("in the log", x, what.whole[codes].astype(np.float64), kind="bars"),
            Series("released", x, what.released[codes].astype(np.float64), kind="bars"),
        ),
        private=True,
    )


def _zipf(what: Compared) -> Figure:
    """Count over rank of the log and of the release, at some 200 ranks."""
    series = []
    for name, counts in (("in the log", np.sort(what.whole)[::-1]), ("released", what.own)):
        counts = counts[counts > 0]
        if len(counts):
            ranks = np.unique(np.geomspace(1, len(counts), 200).astype(np.int64))
            series.append(
                Series(name, ranks.astype(np.float64), counts[ranks - 1].astype(np.float64))
            )
    return Figure(
        name="frequency-over-rank",
        title=f"Count over rank of {what.plural}",
        x=Axis("rank", scale="log"),
        y=Axis("count", scale="log"),
        series=tuple(series),
    )


MEASURE = Measure(
    name="frequencies",
    cost="O(rows + distinct queries · log)",
    title="Frequencies",
    summary="Whether the release still says which queries and words are frequent.",
    source="Spearman 1904; Kendall 1945 (τ_b); Navarro-Arribas et al. 2012, figs 7 and 8",
    params=FrequencyParams,
    run=run,
)
