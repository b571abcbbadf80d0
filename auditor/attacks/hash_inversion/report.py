"""What the hash inversion tells: values, tables and plots in the shape of their source."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.inversion import InversionOutcome
from auditor.attacks.hash_inversion.scores import SOURCE, InversionScore, safe_ratio, size_note
from auditor.attacks.intervals import wilson_interval
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.messages import as_phrase, phrase

describe_metric = MetricCatalogue("attacks", "hash_inversion")

_PAIRS = 5_000
_BINS = 10


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
    found = [
        describe_metric("n", float(last.n)),
        describe_metric("hashed_events", float(game.hashes.events)),
        describe_metric("reference_events", float(game.tokens.events)),
    ]
    if chance is not None:
        found.insert(0, describe_metric("expected", float(chance.mean()) if len(chance) else 0.0))
    if not game.known or perfect is None:
        return found
    return [
        describe_metric(
            "accuracy", last.accuracy, interval=wilson_interval(last.correct, last.matchable)
        ),
        describe_metric("matchable", float(last.matchable)),
        describe_metric("oracle", safe_ratio(*bound)),
        describe_metric("from_truth", perfect.accuracy),
        describe_metric("top", safe_ratio(*last.top)),
        describe_metric("bottom", safe_ratio(*last.bottom)),
        describe_metric("guess", guess),
        *found,
    ]


def iteration_facts(scores: Iterable[InversionScore]) -> list[dict[str, Any]]:
    """Each update for scripts."""
    return [
        {
            "stage": one.stage,
            "n": one.n,
            "accuracy": one.accuracy,
            "matchable": one.matchable,
            "top": safe_ratio(*one.top),
            "bottom": safe_ratio(*one.bottom),
            "changed": one.changed,
        }
        for one in scores
    ]


def iterations_table(scores: Sequence[InversionScore], game: InversionProblem) -> Table:
    return Table(
        "iterations",
        "Accuracy after each update",
        ("Update", "n", "Accuracy", "Matchable", "Top half", "Bottom half", "Share changed"),
        [
            (
                s.stage,
                s.n,
                s.accuracy,
                s.matchable,
                safe_ratio(*s.top),
                safe_ratio(*s.bottom),
                s.changed,
            )
            for s in scores
        ],
        note=size_note(game),
        own_words=True,
        units=("", "", SHARE, "", *[SHARE] * 3),
    )


def statistics_table(game: InversionProblem, sizes: Sequence[int]) -> Table:
    """Table 2: what information there is at each vocabulary size."""
    rows: list[tuple[Any, ...]] = []
    for n in sizes:
        right, left = game.tokens.build_side(n), game.hashes.build_side(n)
        row: list[Any] = [n]
        for side in (right, left):
            row += [int(side.freq[-1]) if len(side) else 0]
            row += [float(side.degree.mean()) if len(side) else 0.0]
        rows.append(tuple(row))
    return Table(
        "statistics",
        "Basic statistics of the data",
        (
            "Vocabulary (n)",
            "Token side: frequency of the least frequent",
            "Token side: average degree",
            "Hash side: frequency of the least frequent",
            "Hash side: average degree",
        ),
        rows,
        note=size_note(game),
        source=phrase("{source}, table 2", source=SOURCE),
        own_words=True,
    )


def migration_figure(game: InversionProblem, n: int) -> Figure:
    """Fig. 3: how far words' ranks lie apart, and so why pruning by rank fails."""
    true = game.find_true_tokens(n)
    ranks = np.flatnonzero(true >= 0)
    apart = np.abs(true[ranks] - ranks)
    edges = [0]
    step = 100
    while edges[-1] < n:
        edges.append(min(step, n))
        step *= 2
    middle, low, high = [], [], []
    for first, last in itertools.pairwise(edges):
        inside = apart[(ranks >= first) & (ranks < last)]
        quartiles = np.percentile(inside, (25, 50, 75)) if len(inside) else np.zeros(3)
        low.append(quartiles[0])
        middle.append(quartiles[1])
        high.append(quartiles[2])
    x = np.asarray(edges[1:], dtype=np.float64)
    return Figure(
        name="migration",
        title="How far ranks differ between the logs",
        x=Axis("rank of the hash, up to", scale="log"),
        y=Axis("distance of the two ranks (median and quartiles)"),
        series=(
            Series("|rank A − rank R|", x, np.asarray(middle), "line", np.asarray(low),
                   np.asarray(high)),
        ),
        note=phrase("Matchable words at n = {n:,}. {game}", n=n, game=as_phrase(size_note(game))),
        source=phrase("{source}, figure 3", source=SOURCE),
    )  # fmt: skip


def draw_confidence(
    game: InversionProblem, outcome: InversionOutcome
) -> tuple[Table, Figure] | None:
    """Accuracy by confidence: pairs in ten equal groups by their margin to the second best."""
    margin = outcome.margin
    mapped = np.flatnonzero(np.isfinite(margin))
    if not game.known or len(mapped) < _BINS:
        return None
    order = mapped[np.argsort(-margin[mapped], kind="stable")]
    right = game.is_correct(outcome.mapping)
    rows = []
    for part in np.array_split(order, _BINS):
        hits = int(right[part].sum())
        rows.append(
            (float(margin[part].min()), float(margin[part].max()), len(part), hits / len(part),
             *wilson_interval(hits, len(part)))
        )  # fmt: skip
    table = Table(
        "confidence",
        "Share of correct pairs by their margin to the second best",
        ("Margin from", "to", "Pairs", "Right", "95 % from", "95 % to"),
        rows,
        note="All mapped hashes count, those without a counterpart in the reference, too.",
        own_words=True,
        units=("", "", "", *[SHARE] * 3),
    )
    columns = np.asarray(rows, dtype=np.float64)
    figure = Figure(
        name="confidence",
        title="Whether the attacker knows which pairs are correct",
        x=Axis("margin to the second best (median of the group's ends)"),
        y=Axis("share of correct pairs", unit=SHARE),
        series=(
            Series("right", (columns[:, 0] + columns[:, 1]) / 2, columns[:, 3], "points",
                   columns[:, 4], columns[:, 5]),
        ),
        note=size_note(game),
    )  # fmt: skip
    return table, figure


def mismatches_table(
    log: QueryLog | None, game: InversionProblem, outcome: InversionOutcome
) -> Table:
    """Wrong pairs among matchable hashes, the most frequent first, with both words."""
    true = game.find_true_tokens(len(outcome.mapping))
    wrong = np.flatnonzero((true >= 0) & ~game.is_correct(outcome.mapping))[:_PAIRS]
    margin = outcome.margin
    words = game.tokens.vocabulary
    rows = [
        (
            int(game.hashes.freq[h]),
            words[int(game.tokens.terms[true[h]])],
            words[int(game.tokens.terms[m])] if (m := int(outcome.mapping[h])) >= 0 else "",
            _replace_nonfinite(margin[h]),
        )
        for h in wrong.tolist()
    ]
    return Table(
        "mismatches",
        "Wrong pairs, the most frequent first",
        ("Occurrences", "True token", "Mapped to", "Margin"),
        rows,
        note=size_note(game),
        source=phrase("{source}, section 5.3", source=SOURCE),
        private=True,
        who={} if log is None else {-1: find_queries_holding(log, [str(row[1]) for row in rows])},
    )


def pairs_table(
    log: QueryLog | None,
    game: InversionProblem,
    outcome: InversionOutcome,
    chance: Float64s | None = None,
) -> Table:
    """The recovered words, the surest first, with the chance of each where it was learnt.

    With a log the table knows whose queries hold them.
    """
    margin = outcome.margin
    mapped = np.flatnonzero(outcome.mapping >= 0)
    order = mapped[np.argsort(-margin[mapped], kind="stable")][:_PAIRS]
    right = game.is_correct(outcome.mapping)
    words, hashes = game.tokens.vocabulary, game.hashes.vocabulary
    rows = [
        (
            hashes[int(game.hashes.terms[h])],
            words[int(game.tokens.terms[outcome.mapping[h]])],
            int(game.hashes.freq[h]),
            _replace_nonfinite(margin[h]),
            *((float(chance[h]),) if chance is not None else ()),
            ("yes" if right[h] else "no") if game.known else "unknown",
        )
        for h in order.tolist()
    ]
    true = game.find_true_tokens(len(outcome.mapping))
    behind = [
        words[int(game.tokens.terms[m])] if (m := int(true[h])) >= 0 else "" for h in order.tolist()
    ]
    if not game.known:  # a log that came hashed holds the hashes themselves
        behind = [str(row[0]) for row in rows]
    learnt = ("Chance",) if chance is not None else ()
    return Table(
        "pairs",
        "Recovered tokens, the most confident first",
        ("Hash", "Word", "Occurrences", "Margin", *learnt, "Right"),
        rows,
        note=size_note(game),
        private=True,
        who={} if log is None else {-1: find_queries_holding(log, behind)},
        units=("", "", "", "", *[SHARE] * len(learnt)),
    )


def _replace_nonfinite(value: float) -> float:
    return float(value) if np.isfinite(value) else 0.0


def accuracy_figure(
    name: str,
    title: str,
    x: Axis,
    at: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    game_note: str,
    source: str,
) -> Figure:
    """Accuracies over iterations, sizes or gaps, one line a variant."""
    return Figure(
        name=name,
        title=title,
        x=x,
        y=Axis("accuracy on the matchable set", unit=SHARE),
        series=tuple(
            Series(label, np.asarray(at[: len(y)], dtype=np.float64), np.asarray(y, dtype=float))
            for label, y in lines.items()
        ),
        note=game_note,
        source=f"{SOURCE}, {source}",
        own_words=True,
    )


def mutual_nearest(outcome: InversionOutcome) -> Bools:
    """Pairs that are each other's nearest, with nothing as near; shape (hashes,)."""
    return outcome.margin > 0


def find_queries_holding(log: QueryLog, words: Sequence[str]) -> UserReference:
    """The distinct queries with each line's word; an empty word has none. O(query bytes) a line."""
    kept = tuple(words)

    def find_line_queries(line: int) -> Int32s:
        return _queries_with(log.queries, kept[line])

    return UserReference("queries", find_line_queries)


def _queries_with(queries: Vocabulary, word: str) -> Int32s:
    """Queries of which one token is `word`: first by their bytes, then by their tokens."""
    import pyarrow.compute as pc

    if not word:
        return np.zeros(0, dtype=np.int32)
    matches = pc.match_substring(queries.as_arrow(), word).to_numpy(zero_copy_only=False)
    candidates = np.flatnonzero(matches)
    tokens = tokenize_strings(queries.take(candidates))
    code = tokens.vocabulary.find([word])[0]
    if code < 0:
        return np.zeros(0, dtype=np.int32)
    owner = np.repeat(np.arange(len(candidates)), np.diff(tokens.offsets))
    holders: Int32s = candidates[sorted_distinct(owner[tokens.codes == code])].astype(np.int32)
    return holders
