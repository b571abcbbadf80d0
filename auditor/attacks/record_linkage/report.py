"""What the attack by record linkage tells: its figures as values, tables, plots and sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from auditor.arrays import Array, Bools, Float64s, Int32s, Int64s, UInt64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.record_linkage.index import AttackerKnowledge, LinkageScores
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.figures import SHARE, Axis, Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions
from auditor.messages import NumberText, as_phrase, phrase
from auditor.privacy.records import RecordTruth
from auditor.privacy.release import Anonymized

describe_metric = MetricCatalogue("attacks", "record_linkage")

MOST_FINDINGS = 200_000
"""Sessions kept for the flagged-sessions table, those of the riskiest users first."""
LISTED = 1_000
"""Users in the table of the riskiest."""
REASONS = (
    "record singled out",
    "record among a few equally close",
    "record among the five closest",
    "search that identified the record",
)
"""What each bit of a finding says."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkageSummary:
    """The outcome for t targets who have a record.

    Attributes
    ----------
    users, record
        Their codes in the log and in the release; shape (t,).
    known, scores
        What is known of each, and how the records rank.
    shares
        The scores at each share of events that was looked at.
    share
        The share that `known` and `scores` are of.
    records, whole
        Records in the release; users in the log.
    truth
        The true record of every target that was drawn, and how it is known.
    readable
        Whether queries were compared as strings.
    strangers
        Scores of people who are not in the log, or None without a reference.
    """

    users: Int64s
    record: Int64s
    known: AttackerKnowledge
    scores: LinkageScores
    shares: Mapping[float, LinkageScores]
    share: float
    records: int
    whole: int
    truth: RecordTruth
    readable: bool
    strangers: LinkageScores | None

    @property
    def drawn(self) -> int:
        """Targets drawn."""
        return len(self.truth.record)

    @property
    def without(self) -> int:
        """Targets without a record."""
        return int(np.count_nonzero(self.truth.record == -1))

    @property
    def unknown(self) -> int:
        """Targets of whom nobody can say which record is theirs."""
        return int(np.count_nonzero(self.truth.record == -2))

    @property
    def told(self) -> str:
        """How the true record is known."""
        return self.truth.told


def control_rate(found: LinkageSummary, lead: float) -> float | None:
    """How often the attacker would be sure of somebody who has no record."""
    if found.strangers is not None:
        claims = found.strangers.is_sure(lead)
    else:
        claims = found.scores.sure_of_another(lead)
    return float(claims.mean()) if len(claims) else None


def _compute_mean(chances: Array) -> float:
    return float(chances.mean()) if len(chances) else 0.0


def _refer_to_targets(found: LinkageSummary, *which: Bools) -> UserReference:
    """The targets of each line."""
    return UserReference.from_parts("users", [found.users[some].astype(np.int32) for some in which])


def build_metrics(found: LinkageSummary, lead: float) -> tuple[MetricValue, ...]:
    told = []
    trials = len(found.users)
    for rank in (1, 5):
        hits = float(found.scores.compute_chance(rank).sum())
        told.append(
            MetricValue(
                f"rank{rank}",
                phrase(
                    "users whose record is the closest"
                    if rank == 1
                    else "users whose record is among the 5 closest"
                ),
                hits / trials if trials else 0.0,
                unit=SHARE,
                help="Share of the targets who have a record in the release; records as "
                "close as the true one share its rank.",
                better="lower",
                side="privacy",
                interval=wilson_interval(hits, trials),
                who=_refer_to_targets(found, found.scores.compute_chance(rank) > 0),
            )
        )
    for share, scores in sorted(found.shares.items()):
        name = f"{100 * share:g}".replace(".", "_")
        for rank in (1, 5):
            told.append(
                MetricValue(
                    f"rank{rank}_at_{name}",
                    phrase(
                        "the same, rank {rank}, {share:g} % of events known",
                        rank=rank,
                        share=100 * share,
                    ),
                    _compute_mean(scores.compute_chance(rank)),
                    unit=SHARE,
                    better="lower",
                )
            )
    claims = found.scores.is_sure(lead)
    sure = int(claims.sum())
    right = int((claims & (found.scores.who == found.record)).sum())
    told.append(
        describe_metric(
            "sure",
            sure / trials if trials else 0.0,
            who=_refer_to_targets(found, claims),
            lead=lead,
        )
    )
    if sure:
        told.append(
            describe_metric(
                "sure_right",
                right / sure,
                interval=wilson_interval(right, sure),
                who=_refer_to_targets(found, claims & (found.scores.who == found.record)),
            )
        )
    told += [
        describe_metric(
            "rank1_of_all",
            float(found.scores.compute_chance(1).sum()) / found.drawn if found.drawn else 0.0,
        ),
        describe_metric("known_records", trials / found.drawn if found.drawn else 0.0),
        describe_metric("records", found.records),
        describe_metric("known", _compute_mean(found.known.events)),
    ]
    return tuple(told)


def write_notes(found: LinkageSummary, lead: float) -> tuple[str, ...]:
    said = [phrase("Ground truth: {told}.", told=as_phrase(found.told))]
    if found.drawn < found.whole:
        said.append(
            phrase(
                "{drawn:,} of {whole:,} users were drawn as targets.",
                drawn=found.drawn,
                whole=found.whole,
            )
        )
    lost = found.unknown + (found.without if found.records >= found.whole else 0)
    if lost:
        said.append(
            phrase(
                "For {lost:,} targets equal rows don't determine which record is theirs. "
                "They are left out, and may be harder to find than the rest: keep the ids "
                "to measure them, too.",
                lost=lost,
            )
        )
    if not found.readable:
        said.append(
            "The released queries can't be read: the attacker uses how many tokens a query "
            "has and how often it was issued, to a factor of two."
        )
    said.append(
        phrase(
            "The control is how often a record is at least {lead:g} times as close as any other "
            "for users of the reference log who are not in the raw one."
            if found.strangers is not None
            else "The control is how often a record is at least {lead:g} times as close as any "
            "other for the targets, their own record and all as close as it held out.",
            lead=lead,
        )
    )
    return tuple(said)


def rates_table(found: LinkageSummary) -> Table:
    rows = [
        [
            f"{100 * share:g} %",
            rank,
            round(_compute_mean(scores.compute_chance(rank)), 6),
            round(min(1.0, rank / found.records), 6),
        ]
        for share, scores in sorted(found.shares.items())
        for rank in (1, 5, 10)
    ]
    return Table(
        "rates",
        "How often the true record is among the first",
        ("Events known", "Rank", "Share of users", "By chance"),
        rows,
        own_words=True,
        units=("", "", SHARE, SHARE),
    )


def by_rank(found: LinkageSummary) -> Figure:
    ranks = np.unique(np.geomspace(1, max(1, min(found.records, 1000)), 40).round())
    series = [
        Series(
            phrase("{share:g} % of events known", share=100 * share),
            ranks,
            np.array([_compute_mean(scores.compute_chance(int(rank))) for rank in ranks]),
        )
        for share, scores in sorted(found.shares.items())
    ]
    series.append(Series("by chance", ranks, np.minimum(1.0, ranks / found.records)))
    return Figure(
        "linkage-by-rank",
        "Rank of the true record",
        Axis("records examined, closest first", scale="log"),
        Axis("share of users found", unit=SHARE, whole=1.0),
        tuple(series),
    )


def by_share(found: LinkageSummary) -> Figure:
    shares = np.array(sorted(found.shares))
    series = []
    for rank in (1, 5):
        rates = [_compute_mean(found.shares[share].compute_chance(rank)) for share in shares]
        trials = len(found.users)
        bounds = [wilson_interval(min(rate * trials, trials), trials) for rate in rates]
        name = "closest" if rank == 1 else "among the 5 closest"
        series.append(
            Series(
                name,
                100 * shares,
                np.array(rates),
                low=np.array([low for low, _ in bounds]),
                high=np.array([high for _, high in bounds]),
            )
        )
    return Figure(
        "linkage-by-share",
        "Effect of the attacker's knowledge",
        Axis("events known", unit="%"),
        Axis("share of users found", unit=SHARE, whole=1.0),
        tuple(series),
    )


def by_known(found: LinkageSummary) -> Figure:
    """The rate of users of whom 1, 2–3, 4–7, … searches are known."""
    bucket = np.log2(np.maximum(found.known.events, 1)).astype(np.int64)
    size = int(bucket.max(initial=0)) + 1
    there = np.bincount(bucket, minlength=size)
    hits = np.bincount(bucket, found.scores.compute_chance(1), minlength=size)
    names = ("1", *(NumberText(f"{1 << b:,}–{(2 << b) - 1:,}") for b in range(1, size)))
    some = np.flatnonzero(there)
    bounds = [wilson_interval(min(float(hits[b]), float(there[b])), int(there[b])) for b in some]
    return Figure(
        "linkage-by-known",
        "Which users are found",
        Axis("searches known of a user", categories=names),
        Axis("share of users whose record is the closest", unit=SHARE),
        (
            Series(
                "found",
                some.astype(np.float64),
                hits[some] / there[some],
                "bars",
                low=np.array([low for low, _ in bounds]),
                high=np.array([high for _, high in bounds]),
                who=_refer_to_targets(found, *(bucket == b for b in some)),
            ),
        ),
        own_words=True,
    )


def _rank_targets(found: LinkageSummary) -> tuple[Int64s, Float64s]:
    """Targets in falling order of risk, and the risk: the chance to be picked first, or a fifth of
    the chance to be among the first five. Ties by how far ahead the closest record is.
    """
    risk = np.maximum(found.scores.compute_chance(1), found.scores.compute_chance(5) / 5)
    ahead = found.scores.top[:, 0] - found.scores.top[:, 1]
    return np.lexsort((-ahead, -risk)), risk


def users_table(log: QueryLog, found: LinkageSummary) -> Table:
    order, risk = _rank_targets(found)
    order = order[risk[order] > 0][:LISTED]
    chance = found.scores.compute_chance(5)
    rows = [
        [
            log.users[int(found.users[t])],
            int(found.known.events[t]),
            int(found.scores.before[t]) + 1,
            int(found.scores.level[t]),
            round(float(found.scores.compute_chance(1)[t]), 6),
            round(float(chance[t]), 6),
        ]
        for t in order.tolist()
    ]
    return Table(
        "riskiest-users",
        "The users who are easiest to find",
        (
            "User",
            "Searches known",
            "Rank of the user's record",
            "Records with that rank",
            "Probability of being picked",
            "Probability of being among 5",
        ),
        rows,
        private=True,
        who={-1: UserReference.from_list("users", found.users[order].astype(np.int32))},
        units=("", "", "", "", SHARE, SHARE),
    )


def collect_findings(
    log: QueryLog, release: Anonymized | None, found: LinkageSummary
) -> FlaggedFindings:
    """Sessions of targets who may be picked out, the riskiest users first."""
    order, risk = _rank_targets(found)
    order = order[risk[order] > 0]
    starts = find_sessions(log)
    of_user = np.searchsorted(starts[:-1], log.user_starts)
    first, last = of_user[found.users[order]], of_user[found.users[order] + 1]
    survives = standing_verbatim(log.queries, release)
    telling = _telling_rows(log, found, order, survives)
    session, target = _of_targets(order, first, last)
    bits = _encode_reasons(
        found, target, _has_any_flag(telling, starts[session], starts[session + 1])
    )
    everybody = ExposedSessions.of(starts[session], starts[session + 1], bits, risk[target])
    listed = int(np.count_nonzero(np.cumsum(last - first) <= MOST_FINDINGS))
    telling = _telling_rows(log, found, order[:listed], survives)
    session, target = _of_targets(order[:listed], first[:listed], last[:listed])
    sessions = _TargetSessions(starts[session], starts[session + 1], target, risk[target])
    return _build_findings(log, found, sessions, telling, survives, everybody)


def _of_targets(order: Int64s, first: Int64s, last: Int64s) -> tuple[Int64s, Int64s]:
    """The sessions ``first:last`` of each target, and whose each is."""
    size = last - first
    ends = np.cumsum(size)
    session = np.arange(int(size.sum())) - np.repeat(ends - size - first, size)
    return session, np.repeat(order, size)


def _has_any_flag(flags: Bools, begin: Int64s, stop: Int64s) -> Bools:
    """Whether any flag of each range is set; no range is empty."""
    if not len(begin):
        return np.zeros(0, dtype=np.bool_)
    edges = np.column_stack((begin, stop)).ravel()
    found: Bools = np.logical_or.reduceat(np.append(flags, False), edges)[::2]
    return found


def _encode_reasons(found: LinkageSummary, target: Int64s, gave: Bools) -> UInt64s:
    """Why each session is listed: how likely its user is picked, and whether it gave them away."""
    one, five = found.scores.compute_chance(1)[target], found.scores.compute_chance(5)[target]
    bits = np.where(one >= 1, 1, np.where(one > 0, 2, np.where(five > 0, 4, 0)))
    return (bits | np.where(gave, 8, 0)).astype(np.uint64)


def _telling_rows(log: QueryLog, found: LinkageSummary, order: Int64s, survives: Bools) -> Bools:
    """Known rows of the listed targets whose query can be read in the release; shape (rows,)."""
    listed = np.zeros(len(log.users), dtype=np.bool_)
    listed[found.users[order]] = True
    rows = found.known.rows
    telling = np.zeros(len(log), dtype=np.bool_)
    telling[rows[listed[log.user[rows]] & (survives[log.query[rows]] | (not found.readable))]] = (
        True
    )
    return telling


class _TargetSessions(NamedTuple):
    """Sessions of targets: first row, the one behind the last, the target and its risk."""

    begin: Int64s
    stop: Int64s
    target: Int64s
    risk: Float64s


def _build_findings(
    log: QueryLog,
    found: LinkageSummary,
    sessions: _TargetSessions,
    telling: Bools,
    survives: Bools,
    everybody: ExposedSessions,
) -> FlaggedFindings:
    marked_query = sorted_distinct(log.query[telling])
    marked = np.zeros(len(log.queries), dtype=np.bool_)
    marked[marked_query] = True
    begin, stop, target, risk = sessions
    size = stop - begin
    ends = np.cumsum(size)
    rows = np.arange(int(size.sum())) - np.repeat(ends - size - begin, size)
    number = np.repeat(np.arange(len(begin)), size)
    some = marked[log.query[rows]]
    pairs = sorted_distinct((number[some] << 32) | log.query[rows[some]])
    flagged = np.bincount(pairs >> 32, minlength=len(begin)).astype(np.int32)
    left = survives[pairs & 0xFFFFFFFF]
    surviving = np.bincount(pairs >> 32, left, minlength=len(begin)).astype(np.int32)
    gave = np.bincount(number, telling[rows], minlength=len(begin)) > 0
    lengths = _count_characters(log, marked_query)
    return FlaggedFindings(
        start=begin,
        stop=stop,
        reason=_encode_reasons(found, target, gave),
        risk=risk,
        surviving=surviving,
        flagged=flagged,
        reasons=REASONS,
        mark_query=marked_query.astype(np.int32),
        mark_start=np.zeros(len(marked_query), dtype=np.int32),
        mark_stop=lengths,
        mark_reason=np.full(len(marked_query), 3, dtype=np.uint8),
        survives=survives,
        everybody=everybody,
    )


def _count_characters(log: QueryLog, queries: Int32s) -> Int32s:
    """How many characters each query has; bytes that continue one are none."""
    strings = log.queries.take(queries)
    characters = np.concatenate(([0], np.cumsum((strings.data & 0xC0) != 0x80)))
    return np.diff(characters[strings.offsets]).astype(np.int32)
