"""Record linkage by near matches: what the attacker knows is mapped to the nearest released query.

The exact attack (`record-linkage`) compares strings byte for byte: one released "cheap hotel
boston" where "cheap hotels boston" was issued, or one slip of memory, and the event is lost to it.
Here each known query that does not stand in the release is mapped to the nearest one that does: the
same words in another order, singular for plural, one word more or less, or a spelling variant. Both
attacks are run on the same targets with the same knowledge, and both rates are reported.

Records are compared as `record-linkage` does; an event that was mapped counts its likeness to the
power of four, so that it never outweighs an exact one. Source: beyond the five sources; blocks and
cutoffs as usual in record linkage (Christen: Data Matching, Springer 2012, chapters 4 and 5).
Cost: O(rows + released queries · size of their block), and for each target the records that hold
what is known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int64s
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.near_linkage.known_queries import KnownQueryMapping, LinkageTargets
from auditor.attacks.near_linkage.matching import LABELS, NearKind
from auditor.attacks.near_linkage.rate_lines import make_rate_lines
from auditor.attacks.near_linkage.recollection import misremember_strings
from auditor.attacks.record_linkage import ground_truth as truth
from auditor.attacks.record_linkage import report
from auditor.attacks.record_linkage.index import (
    QUERY,
    AttackerKnowledge,
    LinkageScores,
    build_index,
    released_side,
    score_records,
)
from auditor.attacks.record_linkage.report import LinkageSummary
from auditor.attacks.record_linkage.targets import (
    confident_lead,
    known_share,
    target_count,
)
from auditor.errors import MissingInput
from auditor.figures import Axis, Figure, MetricValue, Table
from auditor.fuzzy_search import fold_text
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import Params, real
from auditor.privacy.records import is_readable
from auditor.progress import Progress

describe_metric = MetricCatalogue("attacks", "near_linkage")

SLIPS = (0.0, 0.5, 1.0)
"""Shares of misremembered queries that are always looked at."""


@dataclass(frozen=True, kw_only=True)
class NearLinkageParams(Params, owner="near-linkage"):
    """What the attacker knows, how well they remember it, and what they take for near."""

    share: float = known_share()
    misremembered: float = real(
        0.0,
        0.0,
        1.0,
        label="Share of known queries misremembered",
        slider=(0.0, 1.0),
        ends=("exact memory", "vague memory"),
        help="Each such query is known with a slip of the keyboard, in another word order, in the "
        "singular or plural, or without one of its words. Somebody with a file knows queries "
        "exactly; somebody who looked over a shoulder does not.",
    )
    likeness: float = real(
        0.85,
        0.5,
        1.0,
        label="Least likeness of a spelling variant",
        slider=(0.7, 1.0),
        ends=("more matches", "fewer matches"),
        help="One minus the edits between two strings divided by the length of the longer one. At "
        "0.85 a string of seven letters may differ in one of them.",
    )
    targets: int = target_count(500, 100_000, (100, 10_000))
    lead: float = confident_lead()


def run(
    evidence: Evidence,
    params: NearLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Link users to records with near matches, and without, on the same targets.

    Raises
    ------
    MissingInput
        Nobody can say whose record is whose, or the released queries can't be read.
    Cancelled
        Somebody asked to stop.
    """
    if why := explain_unfit(evidence):
        raise MissingInput(phrase("near-linkage {why}.", why=as_phrase(why)))
    found = link_nearly(evidence, params, rng, progress)
    near, exact = found.near, found.exact
    trials = len(near.users)
    hits = float(near.scores.compute_chance(1).sum())
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=hits / trials if trials else 0.0,
        baseline=1.0 / near.records,
        interval=wilson_interval(hits, trials),
        control=report.control_rate(near, params.lead),
        rate_label=(
            phrase(
                "of {trials:,} users, those whose record is the closest to what the "
                "attacker knows, near matches included",
                trials=trials,
            )
        ),
        values=_build_metrics(found, params.lead),
        figures=(_by_memory(found, params.share),),
        tables=(_kinds_table(found), report.users_table(evidence.log, near)),
        findings=report.collect_findings(evidence.log, evidence.release, near),
        notes=_write_notes(found, params),
        details={
            "exact_rate": _compute_rate(exact.scores),
            "exact_interval": list(
                wilson_interval(float(exact.scores.compute_chance(1).sum()), trials)
            ),
            "exact_control": report.control_rate(exact, params.lead) or 0.0,
            "records": near.records,
            "targets": near.drawn,
        },
    )


@dataclass(frozen=True, eq=False)
class NearLinkageSummary:
    """Both attacks on the same targets.

    Attributes
    ----------
    near, exact
        With near matches and without.
    kinds
        How many distinct known queries have which kind of match; shape (6,).
    by_memory
        For each share of misremembered queries the rates of (exact, near).
    """

    near: LinkageSummary
    exact: LinkageSummary
    kinds: Int64s
    by_memory: dict[float, tuple[float, float]]


def link_nearly(
    evidence: Evidence,
    params: NearLinkageParams,
    rng: np.random.Generator,
    progress: Progress,
) -> NearLinkageSummary:
    """Draw targets and what is known of them, map it to the release, and rank all records."""
    log, release = evidence.log, evidence.release
    assert release is not None
    assert release.log is not None
    released = release.log
    drawn = LinkageTargets.draw(evidence, params.targets, params.share, rng, progress)

    def map_queries(whose: QueryLog, known: AttackerKnowledge) -> KnownQueryMapping:
        return KnownQueryMapping.of(
            whose,
            known,
            released,
            alter=misremember_strings,
            least=params.likeness,
            seed=drawn.seed,
            progress=progress,
        )

    mapped = map_queries(log, drawn.known)
    others = None
    if drawn.strangers is not None:
        assert evidence.reference is not None
        others = map_queries(evidence.reference, drawn.strangers)
    wanted = [mapped.list_mapped_queries()] + (
        [others.list_mapped_queries()] if others is not None else []
    )
    side = released_side(released, True, (QUERY,), progress)
    table = build_index(side, sorted_distinct(np.concatenate(wanted)), "likelihood", progress)

    def rank_records(slips: float, nearly: bool) -> LinkageScores:
        return score_records(mapped.translate(slips, nearly), table, drawn.record, progress)

    scores = {
        (slips, nearly): rank_records(slips, nearly)
        for slips in sorted({*SLIPS, params.misremembered})
        for nearly in (False, True)
    }
    summaries = []
    for nearly in (True, False):
        stranger_scores = None
        if others is not None:
            nobody = np.full(len(others.known.events), -1, dtype=np.int64)
            some = others.translate(params.misremembered, nearly)
            stranger_scores = score_records(some, table, nobody, progress)
        mine = scores[(params.misremembered, nearly)]
        summaries.append(drawn.summarize(evidence, mine, stranger_scores))
    rates = {
        slips: (_compute_rate(scores[(slips, False)]), _compute_rate(scores[(slips, True)]))
        for slips, nearly in scores
        if nearly
    }
    kinds = mapped.count_kinds(params.misremembered)
    return NearLinkageSummary(summaries[0], summaries[1], kinds, rates)


def _compute_rate(scores: LinkageScores) -> float:
    chance = scores.compute_chance(1)
    return float(chance.mean()) if len(chance) else 0.0


def _build_metrics(found: NearLinkageSummary, lead: float) -> tuple[MetricValue, ...]:
    trials = len(found.near.users)
    exact = float(found.exact.scores.compute_chance(1).sum())
    control = report.control_rate(found.exact, lead)
    only = found.near.scores.compute_chance(1) > found.exact.scores.compute_chance(1)
    some = (
        describe_metric(
            "exact_rank1",
            exact / trials if trials else 0.0,
            interval=wilson_interval(exact, trials),
        ),
        describe_metric("found_only_nearly", float(only.mean()) if trials else 0.0),
        describe_metric("mapped", int(found.kinds[NearKind.SAME + 1 :].sum())),
    )
    if control is None:
        return some
    return (
        *some,
        describe_metric("exact_control", control),
    )


def _kinds_table(found: NearLinkageSummary) -> Table:
    rows = [[LABELS[kind], int(found.kinds[kind])] for kind in NearKind if kind != NearKind.NONE]
    rows.append(["no match", int(found.kinds[NearKind.NONE])])
    return Table(
        "kinds-of-match",
        "How known queries are found in the release",
        ("Match", "Distinct queries"),
        rows,
        own_words=True,
    )


def _by_memory(found: NearLinkageSummary, share: float) -> Figure:
    names = ("exact matches only", "near matches, too")
    lines = make_rate_lines(names, found.by_memory, len(found.near.users))
    return Figure(
        "linkage-by-memory",
        phrase("Effect of inexact memory, {share:g} % of events known", share=100 * share),
        Axis("known queries that are misremembered", unit="%"),
        Axis("share of users whose record is the closest", whole=1.0),
        lines,
    )


def _write_notes(found: NearLinkageSummary, params: NearLinkageParams) -> tuple[str, ...]:
    exact = _compute_rate(found.exact.scores)
    return (
        phrase(
            "Without near matches the rate is {exact:.3g} % on the same targets.", exact=100 * exact
        ),
        *report.write_notes(found.near, params.lead),
    )


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by near matches, in words; empty if it can."""
    if why := truth.why_not(evidence):
        return why
    release = evidence.release
    assert release is not None
    assert release.log is not None
    if is_readable(release.log, evidence.log) or _shares_words(release.log, evidence.log):
        return ""
    return "needs released queries that can be read"


def _shares_words(released: QueryLog, log: QueryLog) -> bool:
    """Whether most words of a sample of the released queries are words of the log's queries.

    Queries may have been rewritten; hashed words are none of the log's.
    """

    def collect_words(one: QueryLog, most: int) -> set[str]:
        size = min(most, len(one.queries))
        places = np.linspace(0, len(one.queries) - 1, size).astype(np.int64)
        return {
            word for text in one.queries.list_strings(places) for word in fold_text(text).split()
        }

    theirs = collect_words(released, 200)
    return 2 * len(theirs & collect_words(log, 20_000)) > len(theirs)


ATTACK = Attack(
    name="near-linkage",
    cost="O(rows + released queries), and the records that hold what is known for each target",
    title="Record linkage by near matches",
    summary="Maps what an attacker knows to the nearest released query (spelling, word order, "
    "plural, one word) and links records with it, beside the exact attack.",
    source="Query Log Privacy Auditor; blocking and comparison: Christen, Data Matching, 2012",
    params=NearLinkageParams,
    run=run,
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
