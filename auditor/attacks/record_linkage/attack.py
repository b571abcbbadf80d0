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
from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.record_linkage import report
from auditor.attacks.record_linkage.index import (
    KNOWS,
    LinkageSide,
    align_first_days,
    build_index,
    build_side,
    column_keys,
    draw_knowledge,
    score_records,
)
from auditor.attacks.record_linkage.report import catalogue
from auditor.attacks.record_linkage.targets import (
    LinkageSummary,
    LinkageTargets,
    released_log,
    why_not,
)
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.params import Params
from auditor.privacy.records import is_readable, is_verbatim
from auditor.privacy.release_times import comparable_times, times_of
from auditor.progress import Progress

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
    return report.build_result(
        ATTACK,
        evidence,
        params,
        linkage,
        catalogue.say("rate", trials=len(linkage.users)),
        values=report.build_metrics(linkage, params.lead),
        figures=(report.by_rank(linkage), report.by_known(linkage), report.by_share(linkage)),
        table=report.rates_table(linkage),
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
