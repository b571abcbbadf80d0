"""What un-bundling tells: its figures as values, tables and plots in the shape of their source."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s, mean_of
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.intervals import describe_share
from auditor.attacks.unbundling.fibers import FiberVariant
from auditor.attacks.unbundling.learning.pair_classifier import PairQuality
from auditor.attacks.unbundling.params import BASELINES
from auditor.attacks.unbundling.scores import FiberScores, FiberTruth, mean_interval
from auditor.attacks.unbundling.topics.topics import RelatedTokens, TokenTopics
from auditor.figures import SHARE, Figure, MetricValue, Series, Table
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.text import TokenizedQueries
from auditor.messages import NumberText, phrase

catalogue = MetricCatalogue("attacks", "unbundling")

SOURCE = "after Jones et al. 2008"


@dataclass(frozen=True, eq=False, kw_only=True)
class UnbundlingResult:
    """One way to bundle the log, and how well each variant takes it apart."""

    label: str  # what bundles were made by
    bits: int | None  # address bits masked, None unless by address
    users: Int64s  # those of each scored bundle
    heavy: int  # the heavy users' fibers there
    trained: int  # bundles whose users were known to variants that learn
    scores: Mapping[str, FiberScores]  # by variant
    # F of a variant's fibers against true ones dealt out anew within each bundle.
    chance: Mapping[str, Float64s]


class TopicScore(NamedTuple):
    """One cell of Tables 8 and 9: a period, a way, a threshold, and what it gives."""

    period: str
    how: str
    threshold: float
    topics: TokenTopics | None
    scores: FiberScores


@dataclass(frozen=True, eq=False, kw_only=True)
class FiberResult:
    """All that was found: `main` is what is attacked, `masks` are for comparison."""

    main: UnbundlingResult
    masks: tuple[UnbundlingResult, ...]
    chosen: FiberVariant
    variants: Mapping[str, FiberVariant]
    bundled: BundledLog
    truth: FiberTruth
    labels: Int32s  # the chosen variant's
    control: FiberScores  # its scores against fibers dealt out anew
    classifier: PairQuality | None  # how the pair classifier did, if it was tried
    unlearned: bool  # too little for learned weights to learn from: words stood in for them
    words: TokenizedQueries
    related: RelatedTokens | None
    periods: Sequence[TopicScore]
    thresholds: Sequence[TopicScore]
    chi2: float  # from which on words counted as related

    @property
    def scores(self) -> FiberScores:
        """The chosen variant's."""
        return self.main.scores[self.chosen.name]

    @property
    def outside(self) -> tuple[int, int]:
        """Users who are in small bundles alone, which are left out, and all users."""
        return self.bundled.count_outside(self.bundled.large)


def better_baseline(result: UnbundlingResult) -> str:
    """The baseline with the higher F."""
    return max(BASELINES, key=lambda name: mean_of(result.scores[name].f))


def build_metrics(result: FiberResult) -> Iterator[MetricValue]:
    scores, main = result.scores, result.main
    for name in ("f", "recall", "precision", "meila", "rand"):
        values, high = getattr(scores, name), np.inf if name == "meila" else 1.0
        yield catalogue(name, mean_of(values), interval=mean_interval(values, 0.0, high))
    if not len(scores):
        return
    best = better_baseline(main)
    gain, label = scores.f - main.scores[best].f, result.variants[best].label
    interval = mean_interval(gain, -1.0, 1.0)
    yield catalogue("gain", mean_of(gain), interval=interval, label=label)
    beaten = np.logical_and.reduce([scores.f > main.scores[name].f for name in BASELINES])
    yield describe_share(catalogue, "bundles_gained", int(beaten.sum()), len(scores))
    yield catalogue("f_pooled", scores.pooled_f())
    yield catalogue("bundles", float(len(scores)))
    yield catalogue("heavy_users", float(main.heavy))
    yield catalogue("users_per_bundle", mean_of(main.users.astype(np.float64)))


def build_details(result: FiberResult) -> Mapping[str, Any]:
    """The keys that scripts read: each measure by variant, and again by mask."""
    details: dict[str, Any] = {
        **_build_details(result.main),
        "bundles": len(result.scores),
        "heavy_users": result.main.heavy,
        "baselines": list(BASELINES),
    }
    if result.classifier is not None:
        details["pairs"] = {
            key: getattr(result.classifier, key)
            for key in ("accuracy", "precision", "recall", "blocking", "pairs", "candidates")
        }
    masks = by_bits(result)
    if len(masks) > 1:
        details["masks"] = {
            str(mask.bits): {**_build_details(mask), "bundles": len(mask.users)} for mask in masks
        }
    if result.thresholds:
        details["topics"] = [
            {
                "how": cell.how,
                "chi2": cell.threshold,
                "coverage": cell.topics.coverage if cell.topics else 0,
                "f": mean_of(cell.scores.f),
            }
            for cell in result.thresholds
        ]
    return details


def _build_details(result: UnbundlingResult) -> dict[str, dict[str, float]]:
    details = {
        measure: {name: mean_of(getattr(scores, measure)) for name, scores in result.scores.items()}
        for measure in ("f", "meila", "rand")
    }
    by_chance = {name: mean_of(f) for name, f in result.chance.items()}
    return {**details, "f_by_chance": by_chance}


def build_tables(result: FiberResult) -> Iterator[Table]:
    rows = []
    for name, scores in result.main.scores.items():
        low, high = mean_interval(scores.f, 0.0, 1.0)
        means = _round_means(
            scores.recall, scores.precision, scores.meila, scores.rand, result.main.chance[name]
        )
        interval = (round(low, 6), round(high, 6))
        rows.append([result.variants[name].label, *_round_means(scores.f), *interval, *means])
    yield catalogue.table("variants", rows, scores=len(result.scores), label=result.main.label)
    if result.classifier is not None:
        yield _pairs_table(result.classifier)
    if result.masks:
        yield _masks_table(result)
    if result.periods:
        # Table 8: without topics and with the best of either kind, by period.
        rows = []
        for period in dict.fromkeys(cell.period for cell in result.periods):
            by_how = {cell.how: cell.scores for cell in result.periods if cell.period == period}
            f = [
                by_how[topic_kind].f for topic_kind in ("bl1", "bl2", "w", "cliques", "components")
            ]
            rows.append([period, len(by_how["w"]), *_round_means(*f)])
        source = phrase("{source}, Table 8", source=SOURCE)
        yield catalogue.table("topics", rows, source=source)
    if result.thresholds:
        # Table 9: coverage and F by kind of topic and threshold.
        rows, cut = [], 0
        for cell in result.thresholds:
            assert cell.topics is not None
            means = _round_means(cell.scores.f, cell.scores.recall, cell.scores.precision)
            size = (cell.topics.coverage, cell.topics.count)
            rows.append([cell.how, round(cell.threshold, 6), *size, *means])
            cut = max(cut, cell.topics.cut)
        note = "Joined by words and topics."
        if cut:
            note += catalogue.say("ended_early", cut=cut)
        source = phrase("{source}, Table 9", source=SOURCE)
        yield catalogue.table("thresholds", rows, note=note, source=source)


def _round_means(*values: Float64s) -> list[float]:
    """The means over bundles as tables show them."""
    return [round(mean_of(sample), 6) for sample in values]


def _pairs_table(quality: PairQuality) -> Table:
    """What section 6.4 of the source tells of its classifier."""
    shares = (
        ("accuracy", quality.accuracy, "97.5 %"),
        ("precision", quality.precision, "71.2 %"),
        ("recall", quality.recall, "29.9 %"),
        ("true pairs among the candidates", quality.blocking, "all"),
    )
    rows = [[label, round(share, 6), pair_count] for label, share, pair_count in shares]
    rows += [
        ["pairs of queries", quality.pairs, "8,235,739"],
        ["of one user", quality.same, ""],
        ["candidates examined", quality.candidates, "8,235,739"],
        ["attributed to one user", quality.claimed, ""],
    ]
    return catalogue.table("pairs", rows, row_units=(SHARE,) * len(shares))


def by_bits(result: FiberResult) -> list[UnbundlingResult]:
    masks = [mask for mask in (result.main, *result.masks) if mask.bits is not None]
    return sorted(masks, key=lambda mask: mask.bits or 0)


def _masks_table(result: FiberResult) -> Table:
    """Table 7: three measures of every variant under each mask."""
    masks = by_bits(result)
    headings = (phrase("{bits} bits", bits=mask.bits) for mask in masks)
    rows: list[list[Any]] = []
    for measure, label in (("f", "F"), ("meila", "Meila (bits)"), ("rand", "Rand")):
        for name, variant in result.variants.items():
            line = [mask.scores.get(name) for mask in masks]
            row = ["" if cell is None else _round_means(getattr(cell, measure))[0] for cell in line]
            rows.append([label, variant.label, *row])
    for name, variant in result.variants.items():
        chances = [mask.chance.get(name) for mask in masks]
        row = ["" if chance is None else _round_means(chance)[0] for chance in chances]
        rows.append(["F by chance", variant.label, *row])
    rows.append(["Bundles", "", *(len(mask.users) for mask in masks)])
    users = (round(mean_of(mask.users.astype(np.float64)), 2) for mask in masks)
    rows.append(["Users in a bundle", "", *users])
    return catalogue.table(
        "masks",
        rows,
        columns=("Measure", "Joined by", *headings),
        row_units=(SHARE if row[0] in ("F", "Rand", "F by chance") else "" for row in rows),
    )


def write_notes(result: FiberResult, least: int) -> Iterator[str]:
    main = result.main
    if not len(result.scores):
        yield catalogue.say("nothing_scored", least=least)
        return
    scores = len(result.scores)
    outside, users = result.outside
    if 2 * outside > users:
        yield catalogue.say("most_outside", outside=outside, users=users, least=least)
    yield catalogue.say("scored", heavy=main.heavy, scores=scores, least=least, label=main.label)
    time = result.bundled.time
    yield catalogue.say("span", span=int(np.ptp(time)) / 86_400 if len(time) else 0.0)
    yield catalogue.say("how_averaged")
    yield catalogue.say("f_without_looking")
    if main.trained:
        yield catalogue.say("trained", trained=main.trained)
    if result.unlearned:
        yield catalogue.say("unlearned")
    if result.bundled.guessed:
        yield catalogue.say("guessed", guessed=result.bundled.guessed)
    if related := result.related:
        yield catalogue.say("topics", users=related.users, out=related.out, chi2=result.chi2)


def draw_figures(result: FiberResult) -> Iterator[Figure]:
    names = list(result.main.scores)
    f = [result.main.scores[name].f for name in names]
    yield catalogue.figure(
        "unbundling-variants",
        [_draw_means("F", np.arange(len(names), dtype=np.float64), f, "bars")],
        categories=[result.variants[name].label for name in names],
    )
    series = [
        Series(
            result.variants[name].label,
            np.array([mean_of(scores.recall)]),
            np.array([mean_of(scores.precision)]),
            "points",
        )
        for name, scores in result.main.scores.items()
    ]
    yield catalogue.figure("unbundling-balance", series)
    if result.masks:
        masks = by_bits(result)
        x = np.array([float(mask.bits or 0) for mask in masks])
        lines = []
        for name in dict.fromkeys((*BASELINES, "w", result.chosen.name)):
            f = [mask.scores[name].f for mask in masks if name in mask.scores]
            if len(f) == len(masks) and name in result.variants:
                lines.append(_draw_means(result.variants[name].label, x, f))
        source = phrase("{source}, Table 7", source=SOURCE)
        yield catalogue.figure("unbundling-masks", lines, source=source)
    if len(result.scores):
        # F by the bundle's users: 1–2, 3–4, 5–8 …
        bucket = np.ceil(np.log2(np.maximum(result.main.users, 2))).astype(np.int64) - 1
        sizes = sorted_distinct(bucket)
        places = np.arange(len(sizes), dtype=np.float64)
        lines = []
        for name in dict.fromkeys((better_baseline(result.main), result.chosen.name)):
            parts = [result.main.scores[name].f[bucket == size] for size in sizes]
            lines.append(_draw_means(result.variants[name].label, places, parts))
        yield catalogue.figure(
            "unbundling-by-users",
            lines,
            categories=[
                NumberText(f"{(1 << b) + 1 if b else 1:,}–{2 << b:,}") for b in sizes.tolist()
            ],
        )


def _draw_means(
    name: str, x: Float64s, parts: Sequence[Float64s], kind: Literal["line", "bars"] = "line"
) -> Series:
    """The mean of each part, with its interval."""
    bounds = np.array([mean_interval(part, 0.0, 1.0) for part in parts]).reshape(-1, 2)
    means = np.array([mean_of(part) for part in parts])
    return Series(name, x, means, kind, low=bounds[:, 0], high=bounds[:, 1])
