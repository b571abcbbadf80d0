"""Who is who in a release, for an attacker who knows part of what somebody issued.

For each target the attacker holds a share of their original events and picks the released record
that is closest to them. The rate is the share of targets whose record comes first; guessing gives
1/n in a release of n records. Records as close as the true one share its place, so k equal
records leave a chance of 1/k. Spec: beyond the sources. Cost: O(rows of the release) for the
index, and for each target the records that hold what is known; memory never grows with the
square of the users.
"""

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Bools, Float64s, Int64s, UInt64s, expand_ranges, mean_of
from auditor.attacks.base import Attack, AttackResult, Evidence, FlaggedFindings
from auditor.attacks.intervals import describe_share, draw_shares
from auditor.attacks.record_linkage.targets import (
    KNOWS,
    LinkageSide,
    LinkageSummary,
    LinkageTargets,
    align_first_days,
    build_index,
    build_side,
    column_keys,
    draw_knowledge,
    released_log,
    score_records,
    why_not,
)
from auditor.attacks.risk.exposed_sessions import ExposedSessions, count_marked_queries
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.figures import Figure, MetricValue, Series, Table, UserReference
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sessions import find_sessions
from auditor.messages import DisplayText, NumberText, as_phrase, phrase
from auditor.params import Params
from auditor.privacy.records import is_readable, is_verbatim
from auditor.privacy.release import Anonymized
from auditor.privacy.release_times import comparable_times, times_of
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "record_linkage")

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


def build_result(
    attack: Attack,
    evidence: Evidence,
    params: Any,
    linkage: LinkageSummary,
    rate_label: DisplayText,
    *,
    values: Sequence[MetricValue],
    figures: Sequence[Figure],
    table: Table,
    notes: Sequence[DisplayText] = (),
    details: Mapping[str, Any],
) -> AttackResult:
    """The result of a linkage attack: the outcome, and what it alone has to show."""
    return attack.build_result(
        params,
        linkage.scores.count_hits(),
        len(linkage.scores.before),
        baseline=linkage.truth.guess_rate(linkage.records),
        control=control_rate(linkage, params.lead),
        rate_label=rate_label,
        values=tuple(values),
        figures=tuple(figures),
        tables=(table, users_table(evidence.log, linkage)),
        findings=collect_findings(evidence.log, evidence.release, linkage),
        notes=(*notes, *write_notes(linkage, params.lead)),
        details={**details, "records": linkage.records, "targets": linkage.drawn},
    )


def control_rate(linkage: LinkageSummary, lead: float) -> float | None:
    """How often the attacker would be sure of somebody who has no record."""
    if linkage.strangers is not None:
        claims = linkage.strangers.is_sure(lead)
    else:
        claims = linkage.scores.is_sure(lead, held_out=True)
    return float(claims.mean()) if len(claims) else None


def _refer_to_targets(linkage: LinkageSummary, *flags: Bools) -> UserReference:
    """The targets of each line."""
    return UserReference.from_parts("users", [linkage.users[is_selected] for is_selected in flags])


def build_metrics(linkage: LinkageSummary, lead: float) -> list[MetricValue]:
    """The metrics of the exact attack."""
    scores, drawn_count = linkage.scores, linkage.drawn
    metrics = [
        catalogue(
            f"rank{rank}",
            scores.compute_rate(rank),
            interval=scores.compute_interval(rank),
            who=_refer_to_targets(linkage, scores.compute_chance(rank) > 0),
        )
        for rank in (1, 5)
    ]
    metrics += [
        catalogue(
            "rank_at_share",
            linkage_of_share.compute_rate(rank),
            named=f"rank{rank}_at_{100 * share:g}".replace(".", "_"),
            rank=rank,
            share=100 * share,
        )
        for share, linkage_of_share in sorted(linkage.shares.items())
        for rank in (1, 5)
    ]
    claims = scores.is_sure(lead)
    right = claims & linkage.is_own(scores.closest)
    references = _refer_to_targets(linkage, claims)
    metrics.append(catalogue("sure", mean_of(claims), who=references, lead=lead))
    if sure := int(claims.sum()):
        references = _refer_to_targets(linkage, right)
        metrics.append(
            describe_share(catalogue, "sure_right", int(right.sum()), sure, who=references)
        )
    return [
        *metrics,
        catalogue("rank1_of_all", scores.count_hits() / drawn_count if drawn_count else 0.0),
        catalogue("known_records", len(linkage.users) / drawn_count if drawn_count else 0.0),
        catalogue("records", linkage.records),
        catalogue("known", mean_of(linkage.knowledge.events)),
    ]


def write_notes(linkage: LinkageSummary, lead: float) -> list[DisplayText]:
    """How the truth is known, who was left out, and what the control is."""
    notes = [phrase("Ground truth: {told}.", told=as_phrase(linkage.truth.evidence))]
    if linkage.drawn < linkage.users_total:
        notes.append(catalogue.say("drawn_targets", drawn=linkage.drawn, whole=linkage.users_total))
    # −2: nobody can say which record is theirs; −1: it has none, though there is room for all.
    lost_marks = (-2, -1) if linkage.records >= linkage.users_total else (-2,)
    if lost := int(np.isin(linkage.truth.record, lost_marks).sum()):
        notes.append(catalogue.say("unknown_records", lost=lost))
    if not linkage.readable:
        notes.append(catalogue.say("unreadable"))
    control = "control_held_out" if linkage.strangers is None else "control_of_reference"
    return [*notes, catalogue.say(control, lead=lead)]


def rates_table(linkage: LinkageSummary) -> Table:
    rows = [
        [
            f"{100 * share:g} %",
            rank,
            round(scores.compute_rate(rank), 6),
            round(min(1.0, rank / linkage.records), 6),
        ]
        for share, scores in sorted(linkage.shares.items())
        for rank in (1, 5, 10)
    ]
    return catalogue.table("rates", rows)


def by_rank(linkage: LinkageSummary) -> Figure:
    ranks = np.unique(np.geomspace(1, max(1, min(linkage.records, 1000)), 40).round())
    series = [
        Series(
            phrase("{share:g} % of events known", share=100 * share),
            ranks,
            np.array([scores.compute_rate(int(rank)) for rank in ranks]),
        )
        for share, scores in sorted(linkage.shares.items())
    ]
    series.append(Series("by chance", ranks, np.minimum(1.0, ranks / linkage.records)))
    return catalogue.figure("linkage-by-rank", series)


def make_rate_lines(
    names: Sequence[str], rates: Mapping[float, Sequence[float]], trials: int
) -> tuple[Series, ...]:
    """A line for each name, with the Wilson intervals of so many trials.

    ``rates[share]`` has a rate for each name at that share, which is drawn in per cent.
    """
    shares = 100 * np.array(sorted(rates))
    values = np.array([rates[share] for share in sorted(rates)]).T
    return tuple(
        draw_shares(name, shares, line, line * trials, trials)
        for name, line in zip(names, values, strict=True)
    )


def by_share(linkage: LinkageSummary) -> Figure:
    """The rate over the share of events that is known."""
    rates = {
        share: [scores.compute_rate(rank) for rank in (1, 5)]
        for share, scores in linkage.shares.items()
    }
    names = ("closest", "among the 5 closest")
    return catalogue.figure("linkage-by-share", make_rate_lines(names, rates, len(linkage.users)))


def by_known(linkage: LinkageSummary) -> Figure:
    """The rate of users of whom 1, 2–3, 4–7, … searches are known."""
    bucket = np.log2(np.maximum(linkage.knowledge.events, 1)).astype(np.int64)
    size = int(bucket.max(initial=0)) + 1
    names = ("1", *(NumberText(f"{1 << b:,}–{(2 << b) - 1:,}") for b in range(1, size)))
    buckets, users = np.unique(bucket, return_counts=True)
    hits = np.bincount(bucket, linkage.scores.compute_chance(1), minlength=size)[buckets]
    references = _refer_to_targets(linkage, *(bucket == b for b in buckets))
    x = buckets.astype(np.float64)
    bars = draw_shares(phrase("found"), x, hits / users, hits, users, kind="bars", who=references)
    return catalogue.figure("linkage-by-known", (bars,), categories=names)


def _rank_targets(linkage: LinkageSummary) -> tuple[Int64s, Float64s]:
    """Targets in falling order of risk, and the risk: the chance to be picked first, or a fifth of
    the chance to be among the first five. Ties by how far ahead the closest record is.
    """
    risk = np.maximum(linkage.scores.compute_chance(1), linkage.scores.compute_chance(5) / 5)
    ahead = linkage.scores.top[:, 0] - linkage.scores.top[:, 1]
    return np.lexsort((-ahead, -risk)), risk


def users_table(log: QueryLog, linkage: LinkageSummary) -> Table:
    order, risk = _rank_targets(linkage)
    order = order[risk[order] > 0][:LISTED]
    first, among = linkage.scores.compute_chance(1), linkage.scores.compute_chance(5)
    rows = [
        [
            log.users[int(linkage.users[t])],
            int(linkage.knowledge.events[t]),
            int(linkage.scores.before[t]) + 1,
            int(linkage.scores.level[t]),
            round(float(first[t]), 6),
            round(float(among[t]), 6),
        ]
        for t in order.tolist()
    ]
    return catalogue.table(
        "riskiest-users", rows, who={-1: UserReference.from_list("users", linkage.users[order])}
    )


def collect_findings(
    log: QueryLog, release: Anonymized | None, linkage: LinkageSummary
) -> FlaggedFindings:
    """Sessions of targets who may be picked out, the riskiest users first."""
    order, risk = _rank_targets(linkage)
    order = order[risk[order] > 0]
    starts = find_sessions(log)
    of_user = np.searchsorted(starts[:-1], log.user_starts)
    first, last = of_user[linkage.users[order]], of_user[linkage.users[order] + 1]
    survives = standing_verbatim(log.queries, release)
    closest, top_five = linkage.scores.compute_chance(1), linkage.scores.compute_chance(5)
    reason_bits = np.where(closest >= 1, 1, np.where(closest > 0, 2, np.where(top_five > 0, 4, 0)))

    def list_sessions(targets: int) -> tuple[Int64s, Int64s, UInt64s, Float64s, Bools]:
        """Sessions of the first `targets`: first row, the one behind the last, reasons and risk;
        and the known rows of theirs whose query can be read in the release.
        """
        sessions = last[:targets] - first[:targets]
        session = expand_ranges(first[:targets], sessions)
        target = np.repeat(order[:targets], sessions)
        listed = np.zeros(len(log.users), dtype=np.bool_)
        listed[linkage.users[order[:targets]]] = True
        rows = linkage.knowledge.rows
        telling = np.zeros(len(log), dtype=np.bool_)
        readable = survives[log.query[rows]] | (not linkage.readable)
        telling[rows[listed[log.user[rows]] & readable]] = True
        begin, stop = starts[session], starts[session + 1]
        before = np.concatenate(([0], np.cumsum(telling)))
        bits = reason_bits[target] | np.where(before[stop] > before[begin], 8, 0)
        return begin, stop, bits.astype(np.uint64), risk[target], telling

    begin, stop, bits, risks, _ = list_sessions(len(order))
    everybody = ExposedSessions.of(begin, stop, bits, risks)
    begin, stop, bits, risks, telling = list_sessions(
        int(np.count_nonzero(np.cumsum(last - first) <= MOST_FINDINGS))
    )
    marked_query = sorted_distinct(log.query[telling])
    flagged, surviving = count_marked_queries(log, begin, stop, marked_query, survives)
    strings = log.queries.take(marked_query)
    characters = np.concatenate(([0], np.cumsum((strings.data & 0xC0) != 0x80)))
    return FlaggedFindings(
        start=begin,
        stop=stop,
        reason=bits,
        risk=risks,
        surviving=surviving,
        flagged=flagged,
        reasons=REASONS,
        mark_query=marked_query.astype(np.int32),
        mark_start=np.zeros(len(marked_query), dtype=np.int32),
        mark_stop=np.diff(characters[strings.offsets]).astype(np.int32),
        mark_reason=np.full(len(marked_query), 3, dtype=np.uint8),
        survives=survives,
        everybody=everybody,
    )


SHARES = (0.1, 0.5)
"""Shares of a user's events that are always looked at besides the one that is asked for."""


@dataclass(frozen=True, kw_only=True)
class RecordLinkageParams(Params, owner="record-linkage"):
    """What the attacker knows, and how they compare records."""

    share: float = 0.5
    knows: str = "queries"
    targets: int = 2_000
    closeness: str = "likelihood"
    lead: float = 1.5


def run(
    evidence: Evidence, params: RecordLinkageParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Link users of the log to records of the release.

    The rate is over targets who have a record. The control is the share of people without one of
    whom the attacker would be sure: users of the reference log who are not in the raw one, or,
    without a reference, the targets themselves, their own record and all as close as it held out.
    """
    linkage = link_targets(evidence, params, rng, progress)
    return build_result(
        ATTACK,
        evidence,
        params,
        linkage,
        catalogue.say("rate", trials=len(linkage.users)),
        values=build_metrics(linkage, params.lead),
        figures=(by_rank(linkage), by_known(linkage), by_share(linkage)),
        table=rates_table(linkage),
        details={"rank1": linkage.scores.compute_rate(), "rank5": linkage.scores.compute_rate(5)},
    )


def link_targets(
    evidence: Evidence, params: RecordLinkageParams, rng: np.random.Generator, progress: Progress
) -> LinkageSummary:
    """Draw targets, look up the truth, and rank all records for each of them.

    Where the release has columns beside its rows, the attacker compares with and without them, and
    where most of its queries are masked and others can be read, by these and by numbers of words.
    The better way counts: values that were taken away can mislead more than others tell.
    """
    release, released = released_log(evidence)
    views = [evidence]
    if column_keys(evidence.log, released):
        plain_release = dataclasses.replace(release, content=released.without_attributes)
        views.append(dataclasses.replace(evidence, release=plain_release))
    ways = {is_verbatim(released, evidence.log), is_readable(released, evidence.log)}
    summaries = (
        _link_targets(view, params, copy.deepcopy(rng), progress, plain)
        for view in views
        for plain in sorted(ways)
    )
    return max(summaries, key=lambda summary: summary.scores.compute_rate())


def _link_targets(
    evidence: Evidence,
    params: RecordLinkageParams,
    rng: np.random.Generator,
    progress: Progress,
    plain: bool,
) -> LinkageSummary:
    release, released = released_log(evidence)
    kinds = KNOWS[params.knows]
    times = times_of(release.params)

    first_days: tuple[int | None, int | None] = None, None
    if comparable_times(release.params) != times:  # its clock was hidden
        first_days = align_first_days(evidence.log, released)

    def make_side(log: QueryLog) -> LinkageSide:
        side = build_side(log, released, plain, kinds, progress, times)
        return dataclasses.replace(side, first_day=first_days[int(log is released)])

    targets = LinkageTargets.draw(evidence, params.targets, params.share, rng, progress, make_side)
    shares = sorted({*SHARES, params.share})
    knowledge = {
        share: targets.knowledge
        if share == params.share
        else draw_knowledge(targets.side, targets.users, share, targets.seed)
        for share in shares
    }
    outsiders, keys = targets.outsiders, [knowledge[shares[-1]].keys]
    if outsiders is not None:
        keys.append(outsiders.keys)
    all_keys = sorted_distinct(np.concatenate(keys))
    index = build_index(make_side(released), all_keys, params.closeness, progress)
    scores = {
        share: score_records(
            knowledge[share], index, targets.record, progress, targets.truth.person
        )
        for share in shares
    }
    return LinkageSummary(
        **vars(targets),
        scores=scores[params.share],
        shares=scores,
        strangers=(None if outsiders is None else score_records(outsiders, index, None, progress)),
        readable=plain,
    )


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    params=RecordLinkageParams,
    run=run,
    sampled="measured",
    applies=("log", "hashes", "bundles"),
    knows_columns=True,
    unfit=why_not,
)
