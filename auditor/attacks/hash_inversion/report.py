"""What the hash inversion tells: values, tables and plots in the shape of their source."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, mean_of, share_of
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.inversion import (
    SOURCE,
    InversionOutcome,
    InversionScore,
    catalogue,
    size_note,
)
from auditor.attacks.intervals import describe_share, wilson_interval
from auditor.figures import SHARE, Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.text import tokenize_strings
from auditor.messages import phrase

_PAIRS = 5_000
_BINS = 10
_EDGES = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Classes of chances."""


def list_sizes(n: int, first: int) -> list[int]:
    """`first`, twice that, and so on, up to and with n."""
    sizes = [min(first, n)]
    while sizes[-1] < n:
        sizes.append(min(2 * sizes[-1], n))
    return sizes


def build_metrics(
    game: InversionProblem,
    outcome: InversionOutcome,
    bound: tuple[int, int],
    perfect: InversionScore | None,
    guess: float,
    chance: Float64s | None,
) -> list[MetricValue]:
    """The result's figures; without truth only what needs none."""
    last = outcome.scores[-1]
    sizes = [
        catalogue("n", float(last.n)),
        catalogue("hashed_events", float(game.hashes.events)),
        catalogue("reference_events", float(game.tokens.events)),
    ]
    if chance is not None:
        sizes.insert(0, catalogue("expected", mean_of(chance)))
    if not game.has_truth or perfect is None:
        return sizes
    return [
        describe_share(catalogue, "accuracy", last.correct, last.matchable),
        catalogue("matchable", float(last.matchable)),
        catalogue("oracle", share_of(*bound)),
        catalogue("from_truth", perfect.accuracy),
        catalogue("top", last.top),
        catalogue("bottom", last.bottom),
        catalogue("guess", guess),
        *sizes,
    ]


def iterations_table(scores: Sequence[InversionScore], game: InversionProblem) -> Table:
    rows = [(s.stage, s.n, s.accuracy, s.matchable, s.top, s.bottom, s.changed) for s in scores]
    return catalogue.table("iterations", rows, note=size_note(game))


def statistics_table(game: InversionProblem, sizes: Sequence[int]) -> Table:
    """Table 2: what information there is at each vocabulary size."""
    rows: list[list[Any]] = []
    for n in sizes:
        rows.append([n])
        for side in (game.tokens.build_side(n), game.hashes.build_side(n)):
            rows[-1] += [int(side.freq[-1]) if len(side) else 0]
            rows[-1] += [mean_of(side.degree)]
    source = phrase("{source}, table 2", source=SOURCE)
    return catalogue.table("statistics", rows, note=size_note(game), source=source)


def migration_figure(game: InversionProblem, n: int) -> Figure:
    """Fig. 3: how far words' ranks lie apart, and so why pruning by rank fails."""
    true = game.find_true_tokens(n)
    ranks = np.flatnonzero(true >= 0)
    rank_shift = np.abs(true[ranks] - ranks)
    edges = [0, *list_sizes(n, 100)]
    quartiles = np.zeros((len(edges) - 1, 3))
    for number, (first, last) in enumerate(itertools.pairwise(edges)):
        shifts = rank_shift[(ranks >= first) & (ranks < last)]
        if len(shifts):
            quartiles[number] = np.percentile(shifts, (25, 50, 75))
    low, middle, high = quartiles.T
    x = np.asarray(edges[1:], dtype=np.float64)
    return catalogue.figure(
        "migration",
        [Series("|rank A − rank R|", x, middle, "line", low, high)],
        places={"n": n, "game": size_note(game)},
    )


def _estimate_share(right: Bools) -> tuple[int, float, float, float]:
    """How many pairs, the share of right ones, and the ends of its interval."""
    hits = int(right.sum())
    return len(right), hits / len(right), *wilson_interval(hits, len(right))


def draw_confidence(
    game: InversionProblem, outcome: InversionOutcome
) -> list[tuple[Table, Figure]]:
    """Accuracy by confidence: pairs in ten equal groups by their margin; none of fewer pairs."""
    margin = outcome.margin
    mapped = np.flatnonzero(np.isfinite(margin))
    if len(mapped) < _BINS:
        return []
    order = mapped[np.argsort(-margin[mapped], kind="stable")]
    right = game.is_correct(outcome.mapping)
    rows = [
        (float(margin[part].min()), float(margin[part].max()), *_estimate_share(right[part]))
        for part in np.array_split(order, _BINS)
    ]
    first, last, _, share, low, high = np.asarray(rows, dtype=np.float64).T
    figure = catalogue.figure(
        "confidence",
        [Series("right", (first + last) / 2, share, "points", low, high)],
        note=size_note(game),
    )
    return [(catalogue.table("confidence", rows), figure)]


def check_reliability(
    game: InversionProblem, outcome: InversionOutcome, chance: Float64s
) -> tuple[Table, Figure]:
    """Whether pairs of about some chance are right about as often; the truth is known."""
    mapped = outcome.mapping >= 0
    right = game.is_correct(outcome.mapping)
    rows = []
    for low, high in itertools.pairwise(_EDGES):
        in_bin = mapped & (chance >= low) & ((chance < high) | (high == _EDGES[-1]))
        if in_bin.any():
            rows.append((float(chance[in_bin].mean()), *_estimate_share(right[in_bin])))
    table = catalogue.table("reliability", rows, game=size_note(game))
    mean, _, share, lower, upper = np.asarray(rows, dtype=np.float64).reshape(-1, 5).T
    ends = np.array([0.0, 1.0])
    series = (
        Series("right", mean, share, "points", lower, upper),
        Series("perfectly calibrated", ends, ends),
    )
    return table, catalogue.figure("reliability", series, places={"game": size_note(game)})


def _list_words(game: InversionProblem) -> list[str]:
    """The token of each rank, and an empty one for −1."""
    return [*game.tokens.vocabulary.list_strings(game.tokens.terms), ""]


def mismatches_table(log: QueryLog, game: InversionProblem, outcome: InversionOutcome) -> Table:
    """Wrong pairs among matchable hashes, the most frequent first, with both words."""
    true, words = game.find_true_tokens(len(outcome.mapping)), _list_words(game)
    wrong = np.flatnonzero((true >= 0) & ~game.is_correct(outcome.mapping))[:_PAIRS]
    margin = np.where(outcome.mapping >= 0, outcome.margin, 0.0)
    rows = [
        (int(game.hashes.freq[h]), words[true[h]], words[outcome.mapping[h]], float(margin[h]))
        for h in wrong.tolist()
    ]
    who = refer_to_holders(log, [row[1] for row in rows])
    return catalogue.table("mismatches", rows, note=size_note(game), who=who)


def pairs_table(
    log: QueryLog, game: InversionProblem, outcome: InversionOutcome, chance: Float64s | None
) -> Table:
    """The recovered words, the surest first, with the chance of each where it was learnt."""
    mapped = np.flatnonzero(outcome.mapping >= 0)
    order = mapped[np.argsort(-outcome.margin[mapped], kind="stable")][:_PAIRS].tolist()
    right, true = game.is_correct(outcome.mapping), game.find_true_tokens(len(outcome.mapping))
    words, hashes = _list_words(game), game.hashes.vocabulary
    rows = [
        (
            hashes[int(game.hashes.terms[h])],
            words[outcome.mapping[h]],
            int(game.hashes.freq[h]),
            float(outcome.margin[h]),
            *((float(chance[h]),) if chance is not None else ()),
            ("yes" if right[h] else "no") if game.has_truth else "unknown",
        )
        for h in order
    ]
    # A log that came hashed holds the hashes themselves.
    behind = [words[true[h]] for h in order] if game.has_truth else [str(row[0]) for row in rows]
    learnt = (phrase("Chance"),) if chance is not None else ()
    return catalogue.table(
        "pairs",
        rows,
        columns=("Hash", "Word", "Occurrences", "Margin", *learnt, "Right"),
        units=("", "", "", "", *[SHARE] * len(learnt)),
        note=size_note(game),
        who=refer_to_holders(log, behind),
    )


def accuracy_figure(
    name: str,
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    game: InversionProblem,
    source: str,
    **places: Any,
) -> Figure:
    """Accuracies over iterations or sizes, one line a variant; `source` names the source's."""
    series = [
        Series(label, np.asarray(x[: len(y)], dtype=np.float64), np.asarray(y, dtype=float))
        for label, y in lines.items()
    ]
    note, source = size_note(game), f"{SOURCE}, {source}"
    return catalogue.figure(name, series, note=note, source=source, places=places, own_words=True)


def refer_to_holders(log: QueryLog, words: Sequence[str]) -> dict[int, UserReference]:
    """The distinct queries with each line's word; an empty word has none. O(query bytes) a line."""
    import pyarrow.compute as pc

    queries = log.queries

    def find_holders(line: int) -> Int32s:
        """First by their bytes, then by their tokens."""
        if not words[line]:
            return np.zeros(0, dtype=np.int32)
        matches = pc.match_substring(queries.as_arrow(), words[line])
        candidates = np.flatnonzero(matches.to_numpy(zero_copy_only=False))
        tokens = tokenize_strings(queries.take(candidates))
        code = tokens.vocabulary.find([words[line]])[0]
        owner = np.repeat(np.arange(len(candidates)), np.diff(tokens.offsets))
        holders = sorted_distinct(owner[tokens.codes == code])  # no token has the code −1
        holding: Int32s = candidates[holders].astype(np.int32)
        return holding

    return {-1: UserReference("queries", find_holders)}
