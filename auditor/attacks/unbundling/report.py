"""What un-bundling tells: its figures as values, tables and plots in the shape of their source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float64s, Int32s, Int64s
from auditor.attacks.bundle_view import BundledLog
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.unbundling.fibers import FiberVariant
from auditor.attacks.unbundling.learning.pair_classifier import PairQuality, pairs_table
from auditor.attacks.unbundling.scores import FiberScores, FiberTruth, mean_interval
from auditor.attacks.unbundling.topics.topics import RelatedTokens, TokenTopics
from auditor.attacks.unbundling.variants import BASELINES
from auditor.figures import SHARE, MetricValue, Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.sentences import sentence
from auditor.log.text import TokenizedQueries
from auditor.messages import as_phrase, phrase

describe_metric = MetricCatalogue("attacks", "unbundling")

SOURCE = "after Jones et al. 2008"
_LABELS = {"ip-mask": "address", "cookie-hash": "cookie", "random-users": "random users"}


@dataclass(frozen=True, eq=False, kw_only=True)
class UnbundlingResult:
    """One way to bundle the log, and how well each variant takes it apart.

    Attributes
    ----------
    label, bits
        What bundles were made by; the address bits masked, None unless by address.
    users
        int64 users of each scored bundle; shape (k,).
    events
        int64 events of each scored bundle, those of light users, too; shape (k,).
    heavy
        Heavy users' fibers in the scored bundles.
    trained
        Bundles whose users were known to variants that learn.
    scores
        By variant.
    chance
        F of each variant's fibers against true ones dealt out anew within each bundle: what their
        sizes alone would agree with; shape (k,) each.
    """

    label: str
    bits: int | None
    users: Int64s
    events: Int64s
    heavy: int
    trained: int
    scores: Mapping[str, FiberScores]
    chance: Mapping[str, Float64s]

    @classmethod
    def of(
        cls,
        bundled: BundledLog,
        truth: FiberTruth,
        scores: Mapping[str, FiberScores],
        chance: Mapping[str, Float64s],
        trained: int,
    ) -> UnbundlingResult:
        """What stays of a bundling when it was scored."""
        return cls(
            label=phrase("address, {bits} bits", bits=bundled.bits)
            if bundled.bits
            else _LABELS[bundled.by],
            bits=bundled.bits,
            users=bundled.users[truth.bundles],
            events=bundled.queries[truth.bundles],
            heavy=int(truth.heavy.sum()),
            trained=trained,
            scores=scores,
            chance=chance,
        )


@dataclass(frozen=True, eq=False)
class TopicScore:
    """One cell of Tables 8 and 9: a period, a way, a threshold, and what it gives."""

    period: str
    how: str
    threshold: float
    topics: TokenTopics | None
    scores: FiberScores


@dataclass(frozen=True, eq=False, kw_only=True)
class FiberResult:
    """All that was found: `main` is what is attacked, `masks` are for comparison.

    `labels` are the chosen variant's, and `control` its scores against fibers dealt out anew;
    `chi2` is from which on words counted as related.
    `judged` says how the pair classifier did, if it was tried; `unlearned` that there was too
    little for learned weights to learn from, so that words stood in for them.
    """

    main: UnbundlingResult
    masks: tuple[UnbundlingResult, ...]
    chosen: FiberVariant
    variants: Mapping[str, FiberVariant]
    bundled: BundledLog
    truth: FiberTruth
    labels: Int32s
    control: FiberScores
    judged: PairQuality | None
    unlearned: bool
    words: TokenizedQueries
    related: RelatedTokens | None
    periods: tuple[TopicScore, ...]
    thresholds: tuple[TopicScore, ...]
    chi2: float

    @property
    def scores(self) -> FiberScores:
        """The chosen variant's."""
        return self.main.scores[self.chosen.name]


def mean_over_bundles(values: Float64s) -> float:
    """The mean over bundles; 0 without any."""
    return float(values.mean()) if len(values) else 0.0


def better_baseline(seen: UnbundlingResult) -> str:
    """The baseline with the higher F."""
    return max(BASELINES, key=lambda name: mean_over_bundles(seen.scores[name].f))


def build_metrics(found: FiberResult) -> Iterator[MetricValue]:
    scores, main = found.scores, found.main
    count = len(scores)
    yield describe_metric(
        "f", mean_over_bundles(scores.f), interval=mean_interval(scores.f, 0.0, 1.0)
    )
    yield from _build_score_metrics(scores)
    if not count:
        return
    best = better_baseline(main)
    gain = scores.f - main.scores[best].f
    yield MetricValue(
        "gain",
        phrase("gain in F over {label}", label=as_phrase(found.variants[best].label)),
        mean_over_bundles(gain),
        unit=SHARE,
        help="What the attacker gains by reading the queries.",
        better="lower",
        interval=mean_interval(gain, -1.0, 1.0),
    )
    beaten = np.logical_and.reduce([scores.f > main.scores[name].f for name in BASELINES])
    yield describe_metric(
        "bundles_gained", float(beaten.mean()), interval=wilson_interval(int(beaten.sum()), count)
    )
    yield describe_metric("f_pooled", scores.pooled_f())
    yield describe_metric("bundles", float(count))
    yield describe_metric("heavy_users", float(main.heavy))
    yield describe_metric("users_per_bundle", mean_over_bundles(main.users.astype(np.float64)))


def _build_score_metrics(scores: FiberScores) -> Iterator[MetricValue]:
    yield describe_metric(
        "recall", mean_over_bundles(scores.recall), interval=mean_interval(scores.recall, 0.0, 1.0)
    )
    yield describe_metric(
        "precision",
        mean_over_bundles(scores.precision),
        interval=mean_interval(scores.precision, 0.0, 1.0),
    )
    yield describe_metric(
        "meila", mean_over_bundles(scores.meila), interval=mean_interval(scores.meila, 0.0, np.inf)
    )
    yield describe_metric(
        "rand", mean_over_bundles(scores.rand), interval=mean_interval(scores.rand, 0.0, 1.0)
    )


def build_details(found: FiberResult) -> Mapping[str, Any]:
    """The keys that scripts read: each measure by variant, and again by mask."""
    told: dict[str, Any] = {
        **_build_details(found.main),
        "bundles": len(found.scores),
        "heavy_users": found.main.heavy,
        "baselines": list(BASELINES),
    }
    if found.judged is not None:
        told["pairs"] = {
            key: getattr(found.judged, key)
            for key in ("accuracy", "precision", "recall", "blocking", "pairs", "candidates")
        }
    masks = [seen for seen in (found.main, *found.masks) if seen.bits is not None]
    if len(masks) > 1:
        told["masks"] = {
            str(seen.bits): {**_build_details(seen), "bundles": len(seen.users)}
            for seen in sorted(masks, key=lambda seen: seen.bits or 0)
        }
    if found.thresholds:
        told["topics"] = [
            {
                "how": one.how,
                "chi2": one.threshold,
                "coverage": one.topics.coverage if one.topics else 0,
                "f": mean_over_bundles(one.scores.f),
            }
            for one in found.thresholds
        ]
    return told


def _build_details(seen: UnbundlingResult) -> dict[str, dict[str, float]]:
    told = {
        measure: {
            name: mean_over_bundles(getattr(scores, measure))
            for name, scores in seen.scores.items()
        }
        for measure in ("f", "meila", "rand")
    }
    return {**told, "f_by_chance": {name: mean_over_bundles(f) for name, f in seen.chance.items()}}


def build_tables(found: FiberResult) -> tuple[Table, ...]:
    told = [_variants_table(found)]
    if found.judged is not None:
        told.append(pairs_table(found.judged, phrase("{source}, section 6.4", source=SOURCE)))
    if found.masks:
        told.append(_masks_table(found))
    if found.periods:
        told.append(_periods_table(found))
    if found.thresholds:
        told.append(_thresholds_table(found))
    return tuple(told)


def _variants_table(found: FiberResult) -> Table:
    rows = []
    for name, scores in found.main.scores.items():
        low, high = mean_interval(scores.f, 0.0, 1.0)
        row = [
            mean_over_bundles(getattr(scores, key))
            for key in ("recall", "precision", "meila", "rand")
        ]
        row.append(mean_over_bundles(found.main.chance[name]))
        rows.append(
            [
                found.variants[name].label,
                *(round(x, 6) for x in (mean_over_bundles(scores.f), low, high, *row)),
            ]
        )
    return Table(
        "variants",
        "How well each variant splits the bundles",
        (
            "Joined by",
            "F",
            "95 % from",
            "to",
            "Recall",
            "Precision",
            "Meila (bits)",
            "Rand",
            "F by chance",
        ),
        rows,
        note=sentence(
            "unbundling.means_over_bundles_chance",
            scores=len(found.scores),
            label=as_phrase(found.main.label),
        ),
        own_words=True,
        units=("", *[SHARE] * 5, "", SHARE, SHARE),
    )


def by_bits(found: FiberResult) -> list[UnbundlingResult]:
    some = [seen for seen in (found.main, *found.masks) if seen.bits is not None]
    return sorted(some, key=lambda seen: seen.bits or 0)


def _masks_table(found: FiberResult) -> Table:
    """Table 7: three measures of every variant under each mask."""
    seen = by_bits(found)
    rows = []
    for measure, label in (("f", "F"), ("meila", "Meila (bits)"), ("rand", "Rand")):
        for name, variant in found.variants.items():
            row: list[Any] = [label, variant.label]
            for one in seen:
                scores = one.scores.get(name)
                row.append(
                    "" if scores is None else round(mean_over_bundles(getattr(scores, measure)), 6)
                )
            rows.append(row)
    for name, variant in found.variants.items():
        chances = [one.chance.get(name) for one in seen]
        row = ["" if chance is None else round(mean_over_bundles(chance), 6) for chance in chances]
        rows.append(["F by chance", variant.label, *row])
    rows.append(["Bundles", "", *(len(one.users) for one in seen)])
    rows.append(
        [
            "Users in a bundle",
            "",
            *(round(mean_over_bundles(one.users.astype(np.float64)), 2) for one in seen),
        ]
    )
    return Table(
        "masks",
        "Each variant under different address masks",
        ("Measure", "Joined by", *(phrase("{bits} bits", bits=one.bits) for one in seen)),
        rows,
        note="F is higher, and Meila and Rand are lower, the better the users' queries are "
        "recovered.",
        source=phrase("{source}, Table 7", source=SOURCE),
        own_words=True,
        row_units=tuple(SHARE if row[0] in ("F", "Rand", "F by chance") else "" for row in rows),
    )


def _periods_table(found: FiberResult) -> Table:
    """Table 8: without topics and with the best of either kind, by period."""
    rows = []
    for period in dict.fromkeys(one.period for one in found.periods):
        of_it = {one.how: one.scores for one in found.periods if one.period == period}
        rows.append(
            [
                period,
                len(of_it["w"]),
                *(
                    round(mean_over_bundles(of_it[how].f), 6)
                    for how in ("bl1", "bl2", "w", "cliques", "components")
                ),
            ]
        )
    return Table(
        "topics",
        "What topics add to words, in F",
        ("Period", "Bundles", "BL1", "BL2", "Words", "+ best cliques", "+ best components"),
        rows,
        source=phrase("{source}, Table 8", source=SOURCE),
        own_words=True,
        units=("", "", *[SHARE] * 5),
    )


def _thresholds_table(found: FiberResult) -> Table:
    """Table 9: coverage and F by kind of topic and threshold."""
    rows = []
    for one in found.thresholds:
        assert one.topics is not None
        rows.append(
            [
                one.how,
                round(one.threshold, 6),
                one.topics.coverage,
                one.topics.count,
                *(round(mean_over_bundles(x), 6) for x in (one.scores.f, one.scores.recall)),
                round(mean_over_bundles(one.scores.precision), 6),
            ]
        )
    cut = max((one.topics.cut for one in found.thresholds if one.topics), default=0)
    note = "Joined by words and topics."
    if cut:
        note += sentence("unbundling.searches_cliques_ended_early", cut=cut)
    return Table(
        "thresholds",
        "Topics by threshold",
        ("Topics", "χ² from", "Words covered", "Number", "F", "Recall", "Precision"),
        rows,
        note=note,
        source=phrase("{source}, Table 9", source=SOURCE),
        own_words=True,
        units=("", "", "", "", *[SHARE] * 3),
    )


def write_notes(found: FiberResult, least: int) -> Iterator[str]:
    main = found.main
    if not len(found.scores):
        yield (sentence("unbundling.bundle_queries_user_mean", least=least))
        return
    yield (
        sentence(
            "unbundling.scored_users_bundle_mean",
            heavy=main.heavy,
            scores=len(found.scores),
            least=least,
            label=as_phrase(main.label),
        )
    )
    days = found.bundled.time
    span = (int(days.max()) - int(days.min())) / 86_400 if len(days) else 0.0
    yield (sentence("unbundling.bundles_span_days_source", span=span))
    yield (
        "The source doesn't print how bundles are averaged: here each counts the same, and "
        "F over all queries at once is given besides. Intervals take bundles as independent."
    )
    yield (
        "F takes the means of recall and precision apart, so it can be had without looking: "
        "five in eight of a bundle's queries, whichever, put together and the others left alone "
        "have F ≥ 0.38 in any bundle. What counts is how far F is above that by chance."
    )
    if main.trained:
        yield (sentence("unbundling.learning_variants_knew_users", trained=main.trained))
    if found.unlearned:
        yield (
            "There are too few bundles to learn weights from, here or in a reference log: queries "
            "that share a word were joined instead."
        )
    if found.bundled.guessed:
        yield (
            sentence("unbundling.queries_determined_bundle_release", guessed=found.bundled.guessed)
        )
    related = found.related
    if related is not None:
        yield (
            sentence(
                "unbundling.topics_come_users_reference",
                users=related.users,
                out=related.out,
                chi2=found.chi2,
            )
        )
