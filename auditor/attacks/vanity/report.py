"""What the attack by own names tells: tables, curves, values and notes."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int32s, Int64s, UInt64s
from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.bundle_view import BundledLog, bundled_release
from auditor.attacks.intervals import describe_share, draw_shares, wilson_interval
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.attacks.vanity.own_name_queries import UserProfileTable
from auditor.attacks.vanity.user_names import NEVER, RANKS, VARIANTS, NameQueries, UserNames
from auditor.figures import Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.log.sessions import find_sessions
from auditor.messages import as_phrase, phrase
from auditor.privacy.bundle_matching import match_bundles
from auditor.privacy.records import users_in_release
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "vanity")

NameVariant = tuple[str, int]

LISTED = 1_000
"""Users in the table of those who are easiest to find."""
SOURCE = "Jones et al. 2008"
UNCHANGED_ONLY = (
    "Only searches whose words are unchanged in the release count, as if it distinguished users as "
    "the raw log does; where it doesn't, this is an upper bound."
)
_SIGNS = {
    "profile": "P",
    "userid": "S",
    "either": "P ∪ S, either",
    "both": "P ∪ S, both",
    "common": "P ∩ S",
}


@dataclass(frozen=True)
class VanityPropensity:
    """Users with a name by one way, and those of them who ask for it."""

    named_users: int
    any_match: int
    all_match: int


@dataclass(frozen=True, eq=False, kw_only=True)
class VanityCurves:
    """Ranks from 1 of v users who ask for their own name."""

    users: Int64s  # their codes, ascending; shape (v,), as what follows
    of_name: Int64s  # rank of the own name among the name queries of the user's session, or bundle
    of_session: Int64s  # rank of that session or bundle among all that ask for the name
    # the shares of users with a rank up to 1, 2, … in a random order; shape (RANKS,)
    name_by_chance: Float64s
    session_by_chance: Float64s
    searchers: Int64s  # sessions or bundles that ask for the name; `groups` are all there are
    groups: int
    named_users: int  # users with a name
    by_other: int  # users who come first for somebody else's name


@dataclass(frozen=True, eq=False, kw_only=True)
class VanityResult:
    """All that was found; `users` and `bundles` are for the `variant` that was chosen.

    `printed` says that weights are as the source prints them.
    """

    variant: NameVariant
    printed: bool
    names: UserNames
    table: UserProfileTable | None
    name_queries: NameQueries
    propensity: Mapping[NameVariant, VanityPropensity]
    users: VanityCurves
    other_results: Mapping[NameVariant, VanityCurves]
    bundles: VanityCurves | None
    bundled: BundledLog | None
    own_rows: Int64s
    strangers: tuple[int, int]
    in_release: Bools | None

    @property
    def population(self) -> int:
        """Users of the log, without those who are known not to be in the release."""
        if self.in_release is None:
            return self.names.profile.users
        return int(np.count_nonzero(self.in_release))


def recall_by_rank(ranks: Int64s) -> Float64s:
    """The share of ranks up to 1, 2, … `RANKS`; shape (RANKS,)."""
    rank_counts = np.bincount(np.minimum(ranks, RANKS + 1), minlength=RANKS + 2)[1 : RANKS + 1]
    return np.cumsum(rank_counts) / max(1, len(ranks))


def variant_label(variant: NameVariant) -> str:
    """The source's sign for a way, such as "P ∩ S, at least 2"."""
    return phrase("{signs}, at least {way}", signs=as_phrase(_SIGNS[variant[0]]), way=variant[1])


def estimate_percentage(hits: int, trials: int) -> list[float]:
    """Per cent, and the ends of its 95 % interval."""
    low, high = wilson_interval(hits, trials)
    return [round(100 * x, 3) for x in (hits / max(1, trials), low, high)]


def _list_variants(result: VanityResult) -> list[NameVariant]:
    variants = [(variant, least) for least in (1, 2) for variant in VARIANTS]
    return variants if result.variant in variants else [*variants, result.variant]


def extraction_table(result: VanityResult) -> Table:
    """Table 3."""
    rows = []
    for variant in _list_variants(result):
        users = result.propensity[variant].named_users
        rows.append([variant_label(variant), users, *estimate_percentage(users, result.population)])
    return catalogue.table("extraction", rows)


def propensity_table(result: VanityResult) -> Table:
    """Table 4."""
    rows = []
    for variant in _list_variants(result):
        users = result.propensity[variant]
        for match, hits in (("any", users.any_match), ("all", users.all_match)):
            shares = (
                estimate_percentage(hits, base) for base in (result.population, users.named_users)
            )
            rows.append([variant_label(variant), match, hits, *chain(*shares)])
    return catalogue.table("propensity", rows)


def _list_lines(result: VanityResult) -> list[tuple[str, VanityCurves]]:
    label = variant_label(result.variant)
    lines = [(label, result.users)]
    lines += [(variant_label(variant), curves) for variant, curves in result.other_results.items()]
    if result.bundles is not None:
        text = catalogue.say("line_in_bundles", variant_label=as_phrase(label))
        lines.append((text, result.bundles))
    return [(text, curves) for text, curves in lines if len(curves.users)]


def recall_table(result: VanityResult) -> Table:
    """The points of Figures 2 and 3 that the source names, and by chance."""
    rows = []
    for text, curves in _list_lines(result):
        for target, ranks, chance in (
            ("the user's name, from their searches", curves.of_name, curves.name_by_chance),
            ("the user's searches, from their name", curves.of_session, curves.session_by_chance),
        ):
            for rank in (1, 3, 10, 20):
                hits = int(np.count_nonzero(ranks <= rank))
                rows.append(
                    [text, target, rank, len(ranks), *estimate_percentage(hits, len(ranks)),
                     round(100 * float(chance[rank - 1]), 3)]
                )  # fmt: skip
    return catalogue.table("recall", rows)


def draw_figures(result: VanityResult) -> tuple[Figure, Figure]:
    """Figures 2 and 3."""
    ranks = np.arange(1, RANKS + 1, dtype=np.float64)
    lines = _list_lines(result)
    bundles = [line for line in lines if line[1] is result.bundles]

    def draw_recall(name: str, target: str, source: str) -> Figure:
        series = []
        for text, curves in lines:
            shares, trials = recall_by_rank(getattr(curves, f"of_{target}")), len(curves.users)
            series.append(draw_shares(text, ranks, shares, shares * trials, trials))
        for text, curves in [*lines[:1], *bundles]:
            label = phrase("{text}, in random order", text=as_phrase(text))
            series.append(Series(label, ranks, getattr(curves, f"{target}_by_chance")))
        return catalogue.figure(name, series, source=source)

    return (
        draw_recall("name-from-session", "name", phrase("{source}, Figure 2", source=SOURCE)),
        draw_recall("session-from-name", "session", phrase("{source}, Figure 3", source=SOURCE)),
    )


def users_table(log: QueryLog, result: VanityResult) -> Table:
    """Those whom their names give away, the easiest first."""
    curves = result.users
    order = np.lexsort((curves.searchers, curves.of_name, curves.of_session))[:LISTED]
    columns = curves.users, curves.of_session, curves.searchers, curves.of_name
    places = zip(*(column[order].tolist() for column in columns), strict=True)
    rows = [[log.users[user], *user_values] for user, *user_values in places]
    return catalogue.table(
        "told-by-name",
        rows,
        who={-1: UserReference.from_list("users", curves.users[order].astype(np.int32))},
    )


def build_metrics(result: VanityResult) -> tuple[MetricValue, ...]:
    """The figures that matter most."""
    users = result.propensity[result.variant]
    askers = UserReference.from_parts("rows", [result.own_rows])
    metrics = [
        describe_share(catalogue, "named", users.named_users, result.population),
        describe_share(catalogue, "ask_own_name", users.all_match, users.named_users, who=askers),
    ]
    for curves, group_name in ((result.users, "session"), (result.bundles, "bundle")):
        if curves is None:
            continue
        lines = (
            ("name_metric", f"name_{group_name}", curves.of_name),
            ("group_metric", group_name, curves.of_session),
        )
        for (key, name, ranks), rank in product(lines, (1, 10)):
            hits, where = ranks <= rank, as_phrase(group_name)
            who = UserReference.from_parts("users", [curves.users[hits].astype(np.int32)])
            words = {"named": f"{name}_{rank}", "who": who, "rank": rank, "where": where}
            count = int(np.count_nonzero(hits))
            metrics.append(describe_share(catalogue, key, count, len(curves.users), **words))
    strangers, sought = result.strangers
    if strangers:
        metrics.append(describe_share(catalogue, "strangers_asked", sought, strangers))
    return tuple(metrics)


def write_notes(evidence: Evidence, result: VanityResult) -> tuple[str, ...]:
    """What must be known to read the figures rightly."""
    notes = ["The rate counts users who never search for their own name as not found."]
    if result.table is None:
        notes.append("Without profiles, names come from the log's own user ids.")
    elif result.table.known < len(evidence.log.users):
        notes.append(
            catalogue.say("nameless", population=len(evidence.log.users), known=result.table.known)
        )
    if result.bundled is None:
        notes.append(
            "The log has nothing to form the chosen bundles by; only single users are attacked."
        )
    elif evidence.release is None:
        by, least = as_phrase(result.bundled.by), result.bundled.min_queries
        notes.append(catalogue.say("bundled_here", by=by, min_queries=least))
    if evidence.release is not None and not (result.bundled and result.bundled.released):
        notes.append(UNCHANGED_ONLY)
    notes += describe_attacked(result.in_release)
    if result.printed:
        notes.append(
            "Weights are as printed in the source: a query issued once has infinite weight."
        )
    notes.append(catalogue.say("control"))
    return tuple(notes)


def build_details(result: VanityResult) -> dict[str, Any]:
    """Keys for scripts: the curves."""
    details: dict[str, Any] = {"ranks": list(range(1, RANKS + 1)), "recall": {}}
    for text, curves in _list_lines(result):
        details["recall"][text] = {
            "users": len(curves.users),
            "name_from_session": [round(x, 6) for x in recall_by_rank(curves.of_name).tolist()],
            "session_from_name": [round(x, 6) for x in recall_by_rank(curves.of_session).tolist()],
            "found_never": int(np.count_nonzero(curves.of_session == NEVER)),
        }
    return details


MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, the riskiest first."""
REASONS = (
    "searches for their own name",
    "ranks first for the user's name",
    "ranks among the first ten for the user's name",
    "the user's own name has the highest weight among their queries",
)
FEW = 10


def readable_rows(evidence: Evidence, in_release: Bools | None) -> Int64s:
    """Rows where the events begin that an attacker can read.

    All of them without a release, else those whose query stands in it unchanged, of users who are
    `in_release` where that is known.
    """
    log = evidence.log
    if evidence.release is None:
        return np.flatnonzero(log.event_starts)
    readable = log.event_starts & standing_verbatim(log.queries, evidence.release)[log.query]
    return np.flatnonzero(readable if in_release is None else readable & in_release[log.user])


def attacked_users(evidence: Evidence, progress: Progress) -> Bools | None:
    """Which users of the log the release may hold; None where nothing tells.

    All of them without a release. Shape (users of the log,).
    """
    log, in_release = evidence.log, np.zeros(len(evidence.log.users), dtype=np.bool_)
    if evidence.release is None:
        return ~in_release
    if (release := bundled_release(evidence)) is None:
        return users_in_release(log, evidence.release, progress)
    in_release[log.user[match_bundles(log, release, progress).bundle >= 0]] = True
    return in_release if in_release.any() else None


def describe_attacked(in_release: Bools | None) -> list[str]:
    """Notes on who is counted."""
    if in_release is None:
        return [sentence("vanity.unknown_records")]
    absent = int(np.count_nonzero(~in_release))
    return [sentence("vanity.absent_users", absent=absent)] if absent else []


def collect_findings(
    evidence: Evidence, result: VanityResult, progress: Progress
) -> FlaggedFindings:
    """Sessions with an own-name query; the risk is one over the rank of the user's session."""
    log, curves = evidence.log, result.users
    rank = np.full(len(log.users), np.iinfo(np.int64).max, dtype=np.int64)
    rank[curves.users] = curves.of_session
    bits = np.full(len(log.users), 1, dtype=np.uint64)
    is_close = (curves.of_session > 1) & (curves.of_session <= FEW)
    for bit, has_reason in enumerate((curves.of_session == 1, is_close, curves.of_name == 1), 1):
        bits[curves.users[has_reason]] |= np.uint64(1 << bit)
    user = log.user[result.own_rows]
    spots = result.name_queries.spots
    hold = np.zeros(len(log.queries), dtype=np.bool_)
    hold[log.query[result.own_rows]] = True
    spots = spots.take(hold[spots.query])
    marks = spots.query, spots.start, spots.stop
    return open_sessions(
        evidence, result.own_rows, bits[user], 1.0 / rank[user], REASONS, marks, progress
    )


def open_sessions(
    evidence: Evidence,
    rows: Int64s,
    bits: UInt64s,
    risk: Float64s,
    reasons: tuple[str, ...],
    marks: tuple[Int32s, Int32s, Int32s],
    progress: Progress,
) -> FlaggedFindings:
    """The sessions that hold `rows` of the log, each with its reasons and risk; O(rows).

    `marks` are characters of queries, by query; all for the first reason.
    """
    log = evidence.log
    progress.stage("sessions")
    starts = find_sessions(log)
    session = np.searchsorted(starts, rows, side="right") - 1
    numbers, inverse = np.unique(session, return_inverse=True)
    reason = np.zeros(len(numbers), dtype=np.uint64)
    np.bitwise_or.at(reason, inverse, bits)
    worst = np.zeros(len(numbers))
    np.maximum.at(worst, inverse, risk)
    survives = standing_verbatim(log.queries, evidence.release)
    pairs = sorted_distinct(inverse.astype(np.int64) << 32 | log.query[rows])
    flagged = np.bincount(pairs >> 32, minlength=len(numbers))
    surviving = np.bincount(pairs >> 32, survives[pairs & 0xFFFFFFFF], minlength=len(numbers))
    order = np.argsort(-worst, kind="stable")[:MOST_FINDINGS]
    query, start, stop = marks
    return FlaggedFindings(
        start=starts[numbers[order]],
        stop=starts[numbers[order] + 1],
        reason=reason[order],
        risk=np.clip(worst[order], 0.0, 1.0),
        surviving=surviving[order].astype(np.int32),
        flagged=flagged[order].astype(np.int32),
        reasons=reasons,
        mark_query=query.astype(np.int32),
        mark_start=start.astype(np.int32),
        mark_stop=stop.astype(np.int32),
        mark_reason=np.zeros(len(query), dtype=np.uint8),
        survives=survives,
        everybody=ExposedSessions.of(starts[numbers], starts[numbers + 1], reason, worst),
    )
