"""Who is who in a release, for an attacker who knows part of what somebody issued.

For each target the attacker holds a share of their original events and picks the released record
that is closest to them. The rate is the share of targets whose record comes first; guessing gives
1/n in a release of n records. Records as close as the true one share its place, so k equal
records leave a chance of 1/k. Spec: beyond the sources. Cost: O(rows of the release) for the
index, and for each target the records that hold what is known; memory never grows with the
square of the users.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.record_linkage import ground_truth as truth
from auditor.attacks.record_linkage import report
from auditor.attacks.record_linkage.index import (
    KNOWS,
    AttackerKnowledge,
    LinkageIndex,
    LinkageScores,
    LinkageSide,
    build_index,
    draw_knowledge,
    raw_side,
    released_side,
    score_records,
)
from auditor.attacks.record_linkage.report import LinkageSummary
from auditor.attacks.record_linkage.targets import (
    confident_lead,
    draw_strangers,
    draw_users,
    known_share,
    target_count,
)
from auditor.errors import MissingInput
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import ParamOption, Params, choice
from auditor.privacy.records import is_readable, records_of
from auditor.privacy.release_times import times_of
from auditor.progress import Progress

SHARES = (0.1, 0.5)
"""Shares of a user's events that are always looked at besides the one that is asked for."""


@dataclass(frozen=True, kw_only=True)
class RecordLinkageParams(Params, owner="record-linkage"):
    """What the attacker knows, and how they compare records."""

    share: float = known_share(
        " A colleague or a shop may know a tenth; somebody who saw the browser's "
        "history knows half."
    )
    knows: str = choice(
        "queries",
        (
            ParamOption("queries", "queries", "What the user typed."),
            ParamOption("pages", "queries and pages", "And which pages they clicked."),
            ParamOption("times", "queries, pages and times", "And when, to the minute."),
        ),
        label="What is known of an event",
        help="What the attacker knows of each search. Where the released tokens are hashed, "
        "a query is known by its number of tokens and by how often it was issued, to a "
        "factor of two.",
    )
    targets: int = target_count(2_000, 1_000_000, (100, 100_000))
    closeness: str = choice(
        "likelihood",
        (
            ParamOption(
                "likelihood",
                "likelihood",
                ("The record under which the known events are most likely."),
            ),
            ParamOption("overlap", "overlap", "Searches in common, rare ones weighing more."),
        ),
        label="Closeness",
        help="How a record is compared with what the attacker knows. Likelihood takes a "
        "record's length into account; overlap counts what both have.",
    )
    lead: float = confident_lead(
        " People who are not in the release show how often a confident link is wrong."
    )


def run(
    evidence: Evidence,
    params: RecordLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Link users of the log to records of the release.

    The rate is over targets who have a record. The control is the share of people without one of
    whom the attacker would be sure: users of the reference log who are not in the raw one, or,
    without a reference, the targets themselves, their own record and all as close as it held out.

    Raises
    ------
    MissingInput
        Nobody can say whose record is whose.
    Cancelled
        Somebody asked to stop.
    """
    if why := truth.why_not(evidence):
        raise MissingInput(phrase("record-linkage {why}.", why=as_phrase(why)))
    found = link_targets(evidence, params, rng, progress)
    trials = len(found.users)
    hits = float(found.scores.compute_chance(1).sum())
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=hits / trials if trials else 0.0,
        baseline=1.0 / found.records,
        interval=wilson_interval(hits, trials),
        control=report.control_rate(found, params.lead),
        rate_label=(
            phrase(
                "of {trials:,} users, those whose record is the closest to what the attacker knows",
                trials=trials,
            )
        ),
        values=report.build_metrics(found, params.lead),
        figures=(report.by_rank(found), report.by_known(found), report.by_share(found)),
        tables=(report.rates_table(found), report.users_table(evidence.log, found)),
        findings=report.collect_findings(evidence.log, evidence.release, found),
        notes=report.write_notes(found, params.lead),
        details={
            "rank1": hits / trials if trials else 0.0,
            "rank5": float(found.scores.compute_chance(5).sum()) / trials if trials else 0.0,
            "records": found.records,
            "targets": found.drawn,
        },
    )


def link_targets(
    evidence: Evidence,
    params: RecordLinkageParams,
    rng: np.random.Generator,
    progress: Progress,
) -> LinkageSummary:
    """Draw targets, look up the truth, and rank all records for each of them."""
    log, release = evidence.log, evidence.release
    assert release is not None
    assert release.log is not None
    released = release.log
    drawn = draw_users(len(log.users), params.targets, rng)
    told = records_of(log, release, drawn, progress)
    here = told.record >= 0
    users, record = drawn[here], told.record[here]
    kinds = KNOWS[params.knows]
    plain = is_readable(released, log)
    times = times_of(release.params)
    mine = _as_exact(raw_side(log, released, plain, kinds, progress), times)
    theirs = _as_exact(released_side(released, plain, kinds, progress), times)
    seed = int(rng.integers(1 << 62))
    shares = sorted({*SHARES, params.share})
    known = {share: draw_knowledge(mine, users, share, seed) for share in shares}
    strangers = None
    if evidence.reference is not None:
        there = raw_side(evidence.reference, released, plain, kinds, progress)
        there = _as_exact(there, times)
        strangers = _draw_stranger_knowledge(there, log, params, rng)
    keys = [known[shares[-1]].keys] + ([strangers.keys] if strangers is not None else [])
    looked_up = build_index(
        theirs, sorted_distinct(np.concatenate(keys)), params.closeness, progress
    )
    scores = {share: score_records(known[share], looked_up, record, progress) for share in shares}
    return LinkageSummary(
        users=users,
        record=record,
        known=known[params.share],
        scores=scores[params.share],
        shares=scores,
        share=params.share,
        records=len(released.users),
        whole=len(log.users),
        truth=told,
        readable=plain,
        strangers=_of_nobody(strangers, looked_up, progress),
    )


def _as_exact(side: LinkageSide, times: str) -> LinkageSide:
    return dataclasses.replace(side, times=times)


def _draw_stranger_knowledge(
    there: LinkageSide, log: QueryLog, params: RecordLinkageParams, rng: np.random.Generator
) -> AttackerKnowledge | None:
    """What would be known of users of the reference who are not in the log."""
    chosen = draw_strangers(there.log.users, log.users, params.targets, rng)
    if chosen is None:
        return None
    return draw_knowledge(there, chosen, params.share, int(rng.integers(1 << 62)))


def _of_nobody(
    known: AttackerKnowledge | None, found: LinkageIndex, progress: Progress
) -> LinkageScores | None:
    if known is None:
        return None
    return score_records(known, found, np.full(len(known.events), -1, dtype=np.int64), progress)


ATTACK = Attack(
    name="record-linkage",
    cost="O(rows), and the records that hold what is known for each target",
    title="Record linkage",
    summary="Picks the released record that is closest to a known part of a user's queries, "
    "and measures how often it is theirs.",
    source="Query Log Privacy Auditor; likelihood of a record: Ponte and Croft, SIGIR 1998",
    params=RecordLinkageParams,
    run=run,
    applies=("log", "hashes", "bundles"),
    unfit=truth.why_not,
)
