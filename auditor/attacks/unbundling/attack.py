"""Who of a bundle asked what: bundles taken apart into the fibers of their users.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 6. Queries that share a word, a place or
a topic are joined, and what hangs together is taken for one user's; `VARIANTS` has the ways.
Near linear in the events for connected components; what learned ways cost they say themselves.

The rate is F of the chosen way, its mean over bundles; the baseline is F of the better of both ways
not to look at the queries at all, all apart and all together; the control is F of the same fibers
against true ones dealt out anew within each bundle.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, expand_ranges, mark_run_starts, mean_of
from auditor.attacks import bundle_view
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.bundle_view import BundledLog, BundleParams
from auditor.attacks.intervals import describe_share
from auditor.attacks.risk.exposed_sessions import count_marked_queries, rank_sessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.unbundling.candidate_pairs import place_keys
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    FiberScores,
    FiberTruth,
    FiberVariant,
    count_agreement,
    first_days,
    group_pairs,
    join_fibers,
    label_singletons,
    label_whole_bundles,
    link_events,
    mean_interval,
    score_labels,
    shuffle_fibers,
    truth_of,
    word_keys,
    words_of,
)
from auditor.attacks.unbundling.learning.learned_fibers import (
    QUALITY,
    classify_fibers,
    learn_fibers,
    nothing_learned,
)
from auditor.attacks.unbundling.learning.pair_classifier import PairQuality
from auditor.attacks.unbundling.topics.topics import (
    RelatedTokens,
    TokenTopics,
    clique_topics,
    connected_topics,
    find_related_tokens,
    topic_keys,
)
from auditor.errors import MissingInput
from auditor.figures import SHARE, Figure, MetricValue, Series, Table, UserReference
from auditor.log import bundles, gazetteers
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions, session_of_rows
from auditor.log.text import TokenizedQueries, stem_words
from auditor.messages import NumberText, as_phrase, phrase
from auditor.params import ParamOption, choice
from auditor.progress import Progress

BASELINES = ("bl1", "bl2")
"""The ways that look at no query."""
_LISTED = (
    FiberVariant("bl1", "each apart (BL1)", lambda bundled, *_: label_singletons(bundled)),
    FiberVariant("bl2", "all together (BL2)", lambda bundled, *_: label_whole_bundles(bundled)),
    FiberVariant("g", "places", link_events("g"), "g", help="Queries that name the same place."),
    FiberVariant("w", "words", link_events("w"), "w", help="Queries that share a word."),
    FiberVariant("g+w", "places, words", link_events("gw"), "gw", help="A place or a word."),
    FiberVariant("t", "topics", link_events("t"), "t", help="Words that the same people use."),
    FiberVariant("g+t", "places, topics", link_events("gt"), "gt", help="A place or a topic."),
    FiberVariant("w+t", "words, topics", link_events("wt"), "wt", help="A word or a topic."),
    FiberVariant("g+w+t", "places, words, topics", link_events("gwt"), "gwt", help="Any of these."),
    FiberVariant(
        "classifier",
        "pairs judged by a tree",
        classify_fibers,
        trained=True,
        help="A decision tree trained on known bundles, the source's own, says which two queries "
        "are one user's.",
    ),
    FiberVariant(
        "learned",
        "learned weights",
        learn_fibers,
        trained=True,
        works_untrained=True,
        help="How likely two queries are one user's, by words, characters, time and clicks, as "
        "learned from bundles of the reference log (without one, from known bundles); then all "
        "evidence is weighed together. Beyond the source; where it was measured, the strongest by "
        "F beyond chance.",
    ),
)
VARIANTS = {variant.name: variant for variant in _LISTED}
"""All ways to recover fibers, by the names that tables and scripts use."""
DEFAULT = "learned"
"""The way that finds most by F beyond chance at masks 8 and 12, and has the highest F at 8. At
mask 16 it was not measured, and over 30 days words have the higher F from mask 12 on."""


@dataclass(frozen=True, kw_only=True)
class UnbundlingParams(BundleParams, owner="unbundling"):
    """What is joined, and how it is compared with the truth."""

    variant: str = choice(
        DEFAULT,
        tuple(
            ParamOption(name, variant.label, variant.help)
            for name, variant in VARIANTS.items()
            if name not in BASELINES
        ),
        label="Joined by",
        help="By what the attacker attributes two queries to the same user. Links are "
        "transitive, so one wrong link can put two users into one fiber.",
    )
    compare: bool = True
    days: int | None = None
    cut: str = "whole"
    confidence: float = 0.5
    topics: str = "components"
    chi2: float | None = None
    topic_words: int = 20_000
    training: int = 40
    table: str = "masks"


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


MOST_FINDINGS = 50_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
MOST_MARKED = 100_000
"""Distinct queries whose words are marked, those of the riskiest sessions first."""
LISTED = 1_000
"""Recovered fibers in the table of fibers."""
OPENED = 25
"""Fibers whose queries are listed beside the true ones."""
LISTED_QUERIES = 200
"""Queries listed of each."""
REASONS = (
    "most of the user's queries in the bundle, recovered as one fiber",
    "linked with another session of the same user, in a fiber that is mostly theirs",
    "word that links it with other queries of the user",
)
"""What each bit of a finding says; marks are of the last."""


def collect_findings(
    evidence: Evidence, result: FiberResult, progress: Progress
) -> FlaggedFindings:
    """Sessions of heavy users whose queries were put together again; O(n log n)."""
    log = evidence.log
    progress.stage("sessions that are recovered")
    event, bundled = np.flatnonzero(result.truth.counts), result.bundled
    label, fiber = result.labels[event], bundled.fiber[event]
    joint, fiber_sizes, label_sizes = count_agreement(
        bundled.fiber, result.labels, len(bundled), progress
    )
    recall, precision = joint[event] / fiber_sizes[fiber], joint[event] / label_sizes[label]
    starts = find_sessions(log)
    session = session_of_rows(starts)[bundled.row[event]]
    # What is both one recovered fiber and one user's has one number.
    group = group_pairs(label, fiber, progress)[2]
    is_precise = precision >= 0.5
    bits = (is_precise & (recall >= 0.5)).astype(np.uint64)
    # Whether the group of each event has events in another session, too.
    size = int(group.max(initial=-1)) + 1
    last = np.zeros(size, dtype=np.int64)
    last[group] = session
    spans_sessions: Bools = np.bincount(group[session != last[group]], minlength=size)[group] > 0
    bits |= (is_precise & spans_sessions).astype(np.uint64) << np.uint64(1)
    f_score = 2 * recall * precision / (recall + precision)
    reason, risk, ranked, everybody = rank_sessions(starts, session, bits, f_score, MOST_FINDINGS)
    progress.check()
    is_taken = np.zeros(len(reason), dtype=np.bool_)
    is_taken[ranked] = True
    marks = _find_marks(log, result, (event, group, session), risk, is_taken, progress)
    survives = standing_verbatim(log.queries, evidence.release)
    start, stop = starts[ranked], starts[ranked + 1]
    flagged, surviving = count_marked_queries(log, start, stop, marks[0], survives)
    return FlaggedFindings(
        start=start,
        stop=stop,
        reason=reason[ranked],
        risk=np.clip(risk[ranked], 0.0, 1.0),
        surviving=surviving,
        flagged=flagged,
        reasons=REASONS,
        mark_query=marks[0],
        mark_start=marks[1],
        mark_stop=marks[2],
        mark_reason=np.full(len(marks[0]), 2, dtype=np.uint8),
        survives=survives,
        everybody=everybody,
    )


def _find_marks(
    log: QueryLog,
    result: FiberResult,
    placed: tuple[Int64s, Int64s, Int64s],
    risk: Float64s,
    is_taken: Bools,
    progress: Progress,
) -> tuple[Int32s, Int32s, Int32s]:
    """Words of queries in the sessions taken that another query of the same group has, too.

    `placed` are events of heavy users, with the number of their group and of their session.
    """
    event, group, session = placed
    query = result.bundled.query[event].astype(np.int64)
    in_session = is_taken[session]
    taken_groups = sorted_distinct(group[in_session])
    is_in_group = np.isin(group, taken_groups)
    pair = sorted_distinct(group[is_in_group] * len(log.queries) + query[is_in_group])
    progress.check()
    groups, queries = pair // len(log.queries), pair % len(log.queries)
    lengths = result.words.compute_lengths()[queries]
    place = expand_ranges(result.words.offsets[queries], lengths)
    word = result.words.codes[place].astype(np.int64)
    size = max(len(result.words.vocabulary), 1)
    # A word twice in one query links it with nothing.
    owner = np.repeat(np.arange(len(pair)), lengths)
    once = sorted_distinct(owner * size + word)
    owner, word = once // size, once % size
    _, key_number, key_counts = np.unique(
        groups[owner] * size + word, return_inverse=True, return_counts=True
    )
    shared = key_counts[key_number] > 1
    progress.check()
    first = np.full(len(log.queries), -1.0)
    np.maximum.at(first, query[in_session], risk[session[in_session]])
    telling = sorted_distinct(queries[owner[shared]] * size + word[shared])
    code, word = telling // size, telling % size
    marked_codes = sorted_distinct(code[first[code] >= 0])
    marked_codes = np.sort(
        marked_codes[np.argsort(-first[marked_codes], kind="stable")[:MOST_MARKED]]
    )
    keep = np.isin(code, marked_codes)
    return _find_word_spans(log, result, code[keep], word[keep], progress)


def _find_word_spans(
    log: QueryLog, result: FiberResult, query: Int64s, word: Int64s, progress: Progress
) -> tuple[Int32s, Int32s, Int32s]:
    """Query and characters of every place where a query, ascending, has a word."""
    stop_words = gazetteers.stop_words()
    stems: dict[str, str] = {}
    rows: list[tuple[int, int, int]] = []
    codes, begins = np.unique(query, return_index=True)
    ends = np.searchsorted(query, codes, side="right")
    columns = (codes.tolist(), begins.tolist(), ends.tolist())
    for number, (code, low, high) in enumerate(zip(*columns, strict=True)):
        if number % 1_000 == 0:
            progress.check()
        targets = {result.words.vocabulary[int(w)] for w in word[low:high]}
        text = log.queries[code]
        offset = 0
        for token in text.split():
            offset = text.index(token, offset)
            typed = token.lower()
            if typed not in stop_words:
                if typed not in stems:
                    stems[typed] = stem_words([typed])[0]
                if stems[typed] in targets:
                    rows.append((code, offset, offset + len(token)))
            offset += len(token)
    table = np.asarray(rows, dtype=np.int32).reshape(-1, 3)
    return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy()


def list_fibers(log: QueryLog, result: FiberResult, progress: Progress) -> tuple[Table, Table]:
    """The recovered fibers that come nearest to a heavy user's, and the queries of the first."""
    event = np.flatnonzero(result.truth.counts)
    bundled = result.bundled
    fiber, label, number = group_pairs(bundled.fiber[event], result.labels[event], progress)
    joint = np.bincount(number, minlength=len(fiber))
    label_size = np.bincount(result.labels, minlength=len(bundled))[label]
    fiber_size = bundled.fiber_queries[fiber]
    progress.check()
    f_score = 2 * joint / (fiber_size + label_size)
    order = np.lexsort((label, -f_score, fiber))
    best = order[mark_run_starts(fiber[order])]
    best = best[np.argsort(-f_score[best] * np.log2(1 + joint[best]), kind="stable")][:LISTED]
    rows = [
        [
            number,
            log.users[int(bundled.fiber_user[fiber[index]])],
            int(bundled.fiber_bundle[fiber[index]]),
            int(fiber_size[index]),
            int(label_size[index]),
            int(joint[index]),
            round(float(joint[index] / fiber_size[index]), 4),
            round(float(joint[index] / label_size[index]), 4),
        ]
        for number, index in enumerate(best.tolist(), start=1)
    ]
    users = bundled.fiber_user[fiber[best]].astype(np.int32)
    references = {-1: UserReference.from_list("users", users)}
    table = catalogue.table("fibers", rows, who=references)
    opened = list(_iterate_lines(log, result, fiber[best[:OPENED]], label[best[:OPENED]]))
    events = np.asarray([row for row, _ in opened], dtype=np.int64)
    references = {-1: UserReference.from_list("rows", events)}
    lines = [line for _, line in opened]
    return table, catalogue.table("fiber-queries", lines, who=references, shown=LISTED_QUERIES)


def _iterate_lines(
    log: QueryLog, result: FiberResult, fibers: Int64s, labels: Int64s
) -> Iterable[tuple[int, list[object]]]:
    """Lines of the table of queries, each with the row of the log that it is about."""
    bundled = result.bundled
    pairs = zip(fibers.tolist(), labels.tolist(), strict=True)
    for number, (fiber, label) in enumerate(pairs, start=1):
        part = bundled.slice_events(int(bundled.fiber_bundle[fiber]))
        own, labelled = bundled.fiber[part] == fiber, result.labels[part] == label
        for row in np.flatnonzero(own | labelled)[:LISTED_QUERIES].tolist():
            event = part.start + row
            source = "the user's, recovered" if own[row] and labelled[row] else "the user's, missed"
            line: list[object] = [
                number,
                str(np.datetime64(int(bundled.time[event]), "s")).replace("T", " "),
                log.queries[int(bundled.query[event])],
                source if own[row] else "somebody else's, attributed to the user",
            ]
            yield int(bundled.row[event]), line


def run_trials(
    bundled: BundledLog,
    variants: Sequence[FiberVariant],
    clues: FiberClues,
    params: UnbundlingParams,
    rng: np.random.Generator,
    progress: Progress,
    *,
    must: bool = True,
) -> tuple[UnbundlingResult, Int32s | None, FiberClues]:
    """Every variant scored on the same bundles; the chosen one's labels; the clues it had.

    Where there is too little to learn from, what learns is left out, unless it `must` be there.
    """
    training: Int64s = np.zeros(0, dtype=np.int64)
    if any(variant.trained for variant in variants):
        large = np.flatnonzero(bundled.large)
        training = np.sort(rng.choice(large, min(params.training, len(large) // 5), replace=False))
    clues = dataclasses.replace(clues, training=training, worked={})
    truth = truth_of(bundled, is_within=params.cut == "within", training=training)
    # A stream of its own, so that what is drawn further on stays the same.
    strangers = shuffle_fibers(bundled, truth, rng.spawn(1)[0], progress)
    scores, chance, best_labels = {}, {}, None
    for variant in variants:
        if variant.trained and not variant.works_untrained and not len(training):
            if must and variant.name == params.variant:
                raise MissingInput(
                    "unbundling: there are too few bundles to learn from: five large ones at least."
                )
            continue
        labels = variant.find(bundled, clues, progress)
        scores[variant.name] = score_labels(bundled, truth, labels, progress)
        chance[variant.name] = score_labels(bundled, strangers, labels, progress).f
        if variant.name == params.variant:
            best_labels = labels
    result = UnbundlingResult(
        label=bundled.label,
        bits=bundled.bits,
        users=bundled.users[truth.bundles],
        heavy=int(truth.heavy.sum()),
        trained=len(training),
        scores=scores,
        chance=chance,
    )
    return result, best_labels, clues


def mask_bundles(
    log: QueryLog,
    main: BundledLog,
    variants: Sequence[FiberVariant],
    clues: FiberClues,
    params: UnbundlingParams,
    rng: np.random.Generator,
    progress: Progress,
) -> list[UnbundlingResult]:
    """The source's masks besides the one that is attacked, one at a time.

    Ways that learn are left out, or all of them but the chosen one, which learns for each anew.
    """
    if params.table not in ("masks", "masks-learned") or not bundles.has_addresses(log):
        return []
    learned_variant = params.variant if params.table == "masks-learned" else ""
    variants = [
        variant for variant in variants if not variant.trained or variant.name == learned_variant
    ]
    results = []
    for bits in bundle_view.MASKS:
        if bits != main.bits:
            parts = bundles.by_address(log, bits, progress)
            bundled = bundle_view.arrange_events(
                log, parts, params.min_queries, "ip-mask", bits, progress
            )
            cut = first_days(bundled, params.days)
            results.append(run_trials(cut, variants, clues, params, rng, progress, must=False)[0])
    return results


STEPS = (0.25, 1.0, 4.0)
"""The three thresholds of Table 9, as multiples of the chosen one."""
LEAST, LEAST_SHARE = 40.0, 0.002
"""The threshold unless one is asked for: χ² grows with the users counted, at equal relatedness."""
TOPICS = {"cliques": clique_topics, "components": connected_topics}
"""How topics of each kind are made of related words and a threshold."""


def tabulate_topics(
    bundled: BundledLog,
    clues: FiberClues,
    related: RelatedTokens,
    chi2: float,
    is_within: bool,
    progress: Progress,
) -> tuple[list[TopicScore], list[TopicScore]]:
    """Tables 8 and 9.

    The first has one day, one week and all, without topics and with the best of either kind; the
    second words and topics together over all days, by each kind of topic and threshold.
    """
    words = clues.keys["w"]
    trials = [
        (topic_kind, chi2 * step, make(related, chi2 * step, progress))
        for topic_kind, make in TOPICS.items()
        for step in STEPS
    ]
    keys = [topic_keys(words, clues.words.vocabulary, related, topics) for *_, topics in trials]
    periods: list[TopicScore] = []
    for days in (1, 7, None):
        cut = first_days(bundled, days)
        period = {1: "1 day", None: "all"}.get(days, phrase("{days} days", days=days))
        truth = truth_of(cut, is_within=is_within, training=clues.training)
        plain = {
            "bl1": label_singletons(cut),
            "bl2": label_whole_bundles(cut),
            "w": join_fibers(cut, [words], progress),
        }
        for name, labels in plain.items():
            scores = score_labels(cut, truth, labels, progress)
            periods.append(TopicScore(period, name, 0.0, None, scores))
        thresholds = []
        for trial, topic in zip(trials, keys, strict=True):
            labels = join_fibers(cut, [words, topic], progress)
            scores = score_labels(cut, truth, labels, progress)
            thresholds.append(TopicScore(period, *trial, scores))
        for topic_kind in TOPICS:
            of_kind = [cell for cell in thresholds if cell.how == topic_kind]
            periods.append(max(of_kind, key=lambda cell: mean_of(cell.scores.f)))
    return periods, thresholds


def run(
    evidence: Evidence, params: UnbundlingParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Take bundles apart and compare with the truth.

    Raises `MissingInput` if there are no bundles, or the variant needs a reference or known bundles
    and there are none.
    """
    if reason := bundle_view.why_not(evidence, params):
        raise MissingInput(phrase("unbundling: {why}.", why=as_phrase(reason)))
    result = take_apart(evidence, params, rng, progress)
    scores = result.main.scores
    f = scores[params.variant].f
    outside, users = result.outside
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=mean_of(f),
        baseline=max(mean_of(scores[name].f) for name in BASELINES),
        control=mean_of(result.control.f) if len(f) else None,
        interval=mean_interval(f, 0.0, 1.0) if 2 * outside <= users else (0.0, 1.0),
        rate_label=phrase("F of the recovered fibers, mean over {f:,} bundles", f=len(f)),
        values=tuple(build_metrics(result)),
        figures=tuple(draw_figures(result)),
        tables=(*build_tables(result), *list_fibers(evidence.log, result, progress)),
        findings=collect_findings(evidence, result, progress),
        notes=tuple(write_notes(result, params.min_queries)),
        details=build_details(result),
    )


def take_apart(
    evidence: Evidence, params: UnbundlingParams, rng: np.random.Generator, progress: Progress
) -> FiberResult:
    """Recover the fibers of the bundles, and score every way that is asked for."""
    log = evidence.log
    if "t" in VARIANTS[params.variant].edges and evidence.reference is None:
        raise MissingInput(
            "unbundling: topics are learned from a reference log, and there is none. Give one, or "
            "join by words or places."
        )
    # Scored are both baselines, the chosen variant, and any others asked for.
    variants = [
        variant
        for name, variant in VARIANTS.items()
        if name in (*BASELINES, params.variant)
        or (params.compare and (evidence.reference is not None or "t" not in variant.edges))
    ]
    kinds = {kind for variant in variants for kind in variant.edges}
    words = words_of(log.queries, progress)
    keys = {"w": word_keys(words)}
    if "g" in kinds:
        keys["g"] = place_keys(log.queries, params.confidence, progress)
    related, chi2 = None, 0.0
    if evidence.reference is not None and (params.table == "topics" or "t" in kinds):
        least = max(LEAST, LEAST_SHARE * len(evidence.reference.users))
        chi2 = least if params.chi2 is None else params.chi2
        lowest = chi2 * (min(STEPS) if params.table == "topics" else 1.0)
        related = find_related_tokens(evidence.reference, params.topic_words, lowest, progress)
        topics = TOPICS[params.topics](related, chi2, progress)
        keys["t"] = topic_keys(keys["w"], words.vocabulary, related, topics)
    # Clicks are known if the log has some and its bundles, where they are released, have them, too.
    release = bundle_view.bundled_release(evidence)
    released = None if release is None else release.log
    has_clicks = bool(log.clicks) and (released is None or bool(released.clicks))
    clues = FiberClues(
        queries=log.queries,
        words=words,
        keys=keys,
        reference=evidence.reference,
        clicks=log if has_clicks else None,
    )
    bundled = first_days(bundle_view.find_bundles(evidence, params, progress), params.days)
    main, labels, clues = run_trials(bundled, variants, clues, params, rng, progress)
    assert labels is not None
    is_within = params.cut == "within"
    truth = truth_of(bundled, is_within=is_within, training=clues.training)
    by_chance = shuffle_fibers(bundled, truth, rng, progress)
    periods: list[TopicScore] = []
    thresholds: list[TopicScore] = []
    if params.table == "topics" and related is not None:
        periods, thresholds = tabulate_topics(bundled, clues, related, chi2, is_within, progress)
    return FiberResult(
        main=main,
        masks=tuple(mask_bundles(log, bundled, variants, clues, params, rng, progress)),
        chosen=VARIANTS[params.variant],
        variants={variant.name: variant for variant in variants},
        bundled=bundled,
        truth=truth,
        labels=labels,
        control=score_labels(bundled, by_chance, labels, progress),
        classifier=clues.worked.get(QUALITY),
        unlearned=nothing_learned(clues),
        words=clues.words,
        related=related,
        periods=periods,
        thresholds=thresholds,
        chi2=chi2,
    )


ATTACK = Attack(
    **MetricCatalogue("attacks", "unbundling").card,
    criterion="linkability",
    params=UnbundlingParams,
    run=run,
    applies=("bundles",),
    unfit=bundle_view.why_not,
)
