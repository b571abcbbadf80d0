"""The source's figures and tables on the log at hand, each in the source's own shape.

Kumar et al.: figure 1 (initial mappings), table 1 (updates), the table of distances in section
3.3, table 3 (expansion), the four experiments of section 3.4.2, tables 4 and 5 (gap, interval).
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from auditor.arrays import share_of
from auditor.attacks.hash_inversion.distance import Measure
from auditor.attacks.hash_inversion.features import is_kept, order_decidedness
from auditor.attacks.hash_inversion.ground_truth import simulate_hashing
from auditor.attacks.hash_inversion.inversion import (
    SOURCE,
    UPDATES,
    Inversion,
    catalogue,
    count_oracle_hits,
    size_note,
)
from auditor.attacks.hash_inversion.report import accuracy_figure, list_sizes
from auditor.figures import SHARE, Figure, Table
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase

TableOutput = tuple[Table, Figure | None]


@dataclass(frozen=True, eq=False)
class TableInputs(Inversion):
    """What a table of the source is made of: an inversion and its vocabulary size.

    `log` is the raw one, which the tables by gap and interval cut problems of their own out of.
    """

    n: int
    log: QueryLog


_INITIAL = {"random": "random", "frequency": "frequency-based", "node-start": "NodeStart"}
_BEYOND = "most confident first (beyond the source)"
_HOUR, _DAY = 3600, 86_400
_HOURS = {"1 hour": _HOUR, "3 hours": 3 * _HOUR, "6 hours": 6 * _HOUR, "9 hours": 9 * _HOUR}
_DAYS = {"1 day": _DAY, "1 week": 7 * _DAY, "1 month": 30 * _DAY}
_MOST_EVENTS = 3_000_000
_MIN_ROWS = 100_000
"""Rows that a window of tables 4 and 5 should hold."""


def initial_mappings(of: TableInputs) -> TableOutput:
    """Figure 1: accuracy over iterations for each initial mapping."""
    pair = of.build_pair(of.n)
    iterations = range(of.how.iterations + 1)
    lines: dict[str, list[float]] = {}
    for initial, label in _INITIAL.items():
        reached = [
            score.accuracy for score in of.change(initial=initial).iterate_updates(pair).scores
        ]
        lines[label] = reached + [reached[-1]] * (len(iterations) - len(reached))
    table = catalogue.table(
        "fig1",
        [(number, *(y[number] for y in lines.values())) for number in iterations],
        columns=("Iteration", *lines),
        units=("", *[SHARE] * len(lines)),
        note=size_note(of.game),
        n=of.n,
    )
    return table, accuracy_figure("fig1", iterations, lines, of.game, "figure 1", n=of.n)


def tabulate_updates(of: TableInputs) -> TableOutput:
    """Table 1: the four updates at each vocabulary size."""
    game, config = of.game, of.how
    ordered = of.change(order=True, update="score-greedy")
    rows: list[tuple[float, ...]] = []
    sizes = list_sizes(of.n, config.start)
    for size in sizes:
        pair = of.build_pair(size)
        reached = [of.change(update=name).iterate_updates(pair).scores[-1] for name in UPDATES]
        reached.append(ordered.iterate_confident(size).scores[-1])
        bound = share_of(*count_oracle_hits(game, pair, config.distance, of.progress))
        rows.append((size, reached[0].matchable, *(s.accuracy for s in reached), bound))
    table = catalogue.table(
        "table1",
        rows,
        columns=(
            "Vocabulary (n)", "Matchable set", *UPDATES, _BEYOND, "Nearest token with true context"
        ),
        units=("", "", *[SHARE] * (len(UPDATES) + 2)),
        note=size_note(game),
    )  # fmt: skip
    lines = {
        name: [row[2 + i] for row in rows]
        for i, name in enumerate((*UPDATES, _BEYOND, "nearest, true context"))
    }
    return table, accuracy_figure("table1", sizes, lines, game, "table 1")


def tabulate_variants(of: TableInputs) -> TableOutput:
    """Beyond the source: what re-weighting, order and trust each add, on the same data."""
    game, progress = of.game, of.progress
    plain = {"scheme": "iterate", "initial": "node-start"}
    sure = {"scheme": "confident"}
    distances = {
        "L1 (as in the source)": "l1",
        "L2": "l2",
        "cosine": "cosine",
        "Hellinger (square roots)": "hellinger",
        "cube roots": "rare",
    }
    runs: dict[str, dict[str, Any]] = {
        **{label: {**plain, "distance": distance} for label, distance in distances.items()},
        "L1 and order": {**plain, "distance": "l1", "order": True},
        "cube roots and order": {**plain, "distance": "rare", "order": True},
        "most confident first, cube roots": sure,
        "most confident first, cube roots, order (the default)": {**sure, "order": True},
        "the same, with the least total distance": {**sure, "order": True, "update": "min-cost"},
    }
    rows = []
    for label, changes in runs.items():
        outcome = of.change(**changes).invert(of.n)
        last = outcome.scores[-1]
        perfect = of.change(**changes).update_truth(outcome)
        bound = count_oracle_hits(
            game, outcome.pair, outcome.measure, progress, weight=outcome.weight
        )
        shares = (last.accuracy, last.top, last.bottom, share_of(*bound), perfect.accuracy)
        rows.append((label, *shares, len(outcome.scores) - 1))
        del outcome
    decided = (order_decidedness(side.words, progress) for side in (game.hashes, game.tokens))
    ordered = "is kept and used" if is_kept(*decided) else "carries no information here"
    table = catalogue.table(
        "variants", rows,
        n=of.n, ordered=ordered, iterations=of.how.iterations, game=size_note(game),
    )  # fmt: skip
    return table, None


def distance_measures(of: TableInputs) -> TableOutput:
    """Section 3.3: how often the nearest token is right, by distance, on up to 1,000 hashes."""
    game, n = of.game, of.n
    matchable = np.flatnonzero(game.find_true_tokens(n) >= 0)
    drawn_tokens = of.rng.choice(matchable, min(1000, len(matchable)), replace=False)
    row = []
    for measure in get_args(Measure):
        pair = of.change(distance=measure).build_pair(n)
        hits = count_oracle_hits(game, pair, measure, of.progress, only=drawn_tokens)
        row.append(share_of(*hits))
    other_columns = (
        phrase("{name} (beyond the source)", name=as_phrase(name))
        for name in ("Hellinger", "cube roots")
    )
    table = catalogue.table(
        "distances",
        [row],
        columns=("L1", "L2", "Cosine", *other_columns),
        n=n,
        chosen=len(drawn_tokens),
        game=size_note(game),
    )
    return table, None


def tabulate_growth(of: TableInputs) -> TableOutput:
    """Table 3 and figure 4: expansion with one update at each doubling."""
    game = of.game
    reached = [outcome.scores[-1] for outcome in of.expand_vocabulary(of.n)]
    table = catalogue.table(
        "table3",
        [(s.n, s.matchable, s.accuracy, s.top, s.bottom) for s in reached],
        note=size_note(game),
    )
    shares = {"all": "accuracy", "top half": "top", "bottom half": "bottom"}
    lines = {label: [getattr(s, name) for s in reached] for label, name in shares.items()}
    return table, accuracy_figure("fig4", [s.n for s in reached], lines, game, "figure 4")


def tabulate_experiments(of: TableInputs) -> TableOutput:
    """Section 3.4.2: expansion with and without α-pruning, against one or two plain updates."""
    start = max(of.n // 2, 1)
    runs: dict[str, dict[str, Any]] = {
        "Exp1: expansion, α = 0.1": {"scheme": "expand", "start": start, "alpha": 0.1},
        "Exp2: expansion, no α-pruning": {"scheme": "expand", "start": start, "alpha": 1.0},
        "Exp3: one plain update": {"scheme": "iterate", "iterations": 1},
        "Exp4: two plain updates": {"scheme": "iterate", "iterations": 2},
    }
    rows = []
    for label, changes in runs.items():
        last = of.change(**changes).invert(of.n).scores[-1]
        rows.append((label, last.correct, last.matchable, last.accuracy))
    table = catalogue.table(
        "experiments",
        rows,
        note=sentence(
            "hash_inversion.expansion_begins_updates",
            iterations=of.how.iterations,
            n=start,
            game=size_note(of.game),
        ),
        n=of.n,
    )
    return table, None


def _measure_span(log: QueryLog) -> int:
    first, last = log.period or (0, 0)
    return last - first + 1


def tabulate_gaps(of: TableInputs) -> TableOutput:
    """Table 4: the same interval, ever longer after the reference's; continuous update."""
    span = _measure_span(of.log)
    # The source's six hours, or more where those hold too little.
    longest = max(min(7 * _DAY, span // 8), 1)
    lengths = (length for length in (6 * _HOUR, _DAY) if length <= longest)
    usable = (length for length in lengths if len(of.log) * length / span >= _MIN_ROWS)
    length = next(usable, longest)
    gaps = _DAYS | {"2 months": 61 * _DAY}
    for share in (25, 50, 75):
        gaps[phrase("{share} % of the period", share=share)] = span * share // 100
    windows = {
        label: (gap, length)
        for label, gap in sorted(gaps.items(), key=lambda item: item[1])
        if length <= gap <= span - length
    }
    note = sentence("hash_inversion.log_hours_long_longer", length=length / _HOUR)
    return _tabulate_windows(of, windows, "gap", "Gap", note, "table 4")


def tabulate_intervals(of: TableInputs) -> TableOutput:
    """Table 5: ever longer intervals; the hashed one begins half a period after the reference."""
    span = _measure_span(of.log)
    half = span // 2
    windows = {
        label: (half, length)
        for label, length in (_HOURS | _DAYS | {"half the period": half}).items()
        if 0 < length <= half
    }
    note = phrase("The logs begin {half:.1f} days apart.", half=half / _DAY)
    return _tabulate_windows(of, windows, "interval", "Interval", note, "table 5")


MAKERS: Mapping[str, Callable[[TableInputs], TableOutput]] = {
    "fig1": initial_mappings,
    "table1": tabulate_updates,
    "distances": distance_measures,
    "table3": tabulate_growth,
    "experiments": tabulate_experiments,
    "variants": tabulate_variants,
    "gap": tabulate_gaps,
    "interval": tabulate_intervals,
}
BY_WINDOW = ("gap", "interval")
"""The tables that know the truth of any log."""


def _tabulate_windows(
    of: TableInputs,
    windows: Mapping[str, tuple[int, int]],
    name: str,
    heading: str,
    note: str,
    source: str,
) -> TableOutput:
    """The continuous update on pairs of windows of a log, by their names.

    The reference's begins with the log, that of the hashed log a gap later; both last as long. Of
    one with more events than the source took, as many are drawn.
    """
    rows: list[tuple[str | float, ...]] = []
    begin, _ = of.log.period or (0, 0)
    for label, (gap, length) in windows.items():
        sides = []
        for start in (begin + gap, begin):
            part = np.flatnonzero((of.log.time >= start) & (of.log.time < start + length))
            if len(part) > _MOST_EVENTS:
                part = np.sort(of.rng.choice(part, _MOST_EVENTS, replace=False))
            sides.append(of.log.rows(part))
        left, right = sides
        game = simulate_hashing(left, right, of.n, label, of.rng, of.progress)
        size = min(of.n, game.largest)
        if size == 0:
            continue
        seed_count = min(of.how.bootstrap, size // 10)
        windowed = dataclasses.replace(
            of.change(scheme="continuous", bootstrap=seed_count), game=game
        )
        last = windowed.invert(size).scores[-1]
        rows.append(
            (label, last.accuracy, last.matchable, size, game.hashes.events, game.tokens.events)
        )
    table = catalogue.table(
        "windows",
        rows,
        named=name,
        columns=(heading, "Accuracy", "Matchable", "n", "Hashed events", "Reference events"),
        note=sentence(
            "hash_inversion.bootstrap_pairs_tenth_less", note=note, bootstrap=of.how.bootstrap
        ),
        source=f"{SOURCE}, {source}",
        name=name,
    )
    return table, None
