"""Record linkage by meaning: what the attacker knows is mapped to released queries that mean it.

The near attack (`near-linkage`) finds the same words, spelled or ordered otherwise. It misses other
words: "physician" for "doctor", and the other queries of somebody's topic where the one that the
attacker knows was suppressed. Here each known query also stands for the released ones whose static
word embeddings are closest to its own by cosine, and a record is as likely as its queries make what
is known (`scoring`). All three attacks are run on the same targets with the same knowledge, and all
three rates are reported.

Source: beyond the five sources. Translation model: Berger and Lafferty, SIGIR 1999; with
embeddings: Ganguly, Roy, Mitra and Jones, SIGIR 2015. Embeddings: the optional package `wordllama`.
Cost: O(rows + known queries · released queries · 256), with at most `MOST_KNOWN` known queries, and
for each target the records that hold what its queries stand for. Memory: one block of comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.intervals import wilson_interval
from auditor.attacks.near_linkage.attack import explain_unfit as explain_unfit_nearly
from auditor.attacks.near_linkage.known_queries import (
    KnownQueryMapping,
    LinkageTargets,
)
from auditor.attacks.near_linkage.rate_lines import make_rate_lines
from auditor.attacks.record_linkage import report
from auditor.attacks.record_linkage.index import (
    QUERY,
    AttackerKnowledge,
    LinkageScores,
    build_index,
    released_side,
)
from auditor.attacks.record_linkage.report import LinkageSummary
from auditor.attacks.record_linkage.targets import (
    confident_lead,
    known_share,
    target_count,
)
from auditor.attacks.semantic_linkage.embeddings import (
    TextEncoder,
    explain_missing,
    load_encoder,
)
from auditor.attacks.semantic_linkage.known_meanings import MOST_KNOWN, KnownMeanings
from auditor.attacks.semantic_linkage.paraphrases import paraphrase_strings
from auditor.errors import MissingInput
from auditor.figures import SHARE, Axis, Figure, MetricValue, Table
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.params import Params, integer, real
from auditor.progress import Progress

describe_metric = MetricCatalogue("attacks", "semantic_linkage")

SPELLING = 0.85
"""Least likeness of a spelling variant, as `near-linkage` has it by itself."""
PARAPHRASED = (0.0, 0.5, 1.0)
"""Shares of paraphrased queries that are always looked at."""
WAYS = ("exact matches only", "near matches, too", "matches by meaning, too")


@dataclass(frozen=True, kw_only=True)
class SemanticLinkageParams(Params, owner="semantic-linkage"):
    """What the attacker knows, in whose words, and what they take for the same meaning."""

    share: float = known_share()
    paraphrased: float = real(
        0.0,
        0.0,
        1.0,
        label="Share of known queries paraphrased",
        slider=(0.0, 1.0),
        ends=("their words", "other words"),
        help="Of so many of the known queries the attacker remembers the meaning but not the "
        "words: up to two of the words are replaced by synonyms, where the program knows any.",
    )
    cosine: float = real(
        0.5,
        0.3,
        1.0,
        label="Least cosine of like meanings",
        slider=(0.4, 0.95),
        ends=("more matches", "fewer matches"),
        help="Of the two queries' vectors: 1 for the same meaning, about 0 for unrelated ones. A "
        "synonym in a query of two words leaves 0.4 to 0.9.",
    )
    neighbours: int = integer(
        4,
        1,
        64,
        label="Released queries by meaning",
        unit="queries",
        slider=(1, 32),
        scale="log",
        ends=("the nearest", "the topic"),
        help="How many released queries a known one may stand for, the closest in meaning first.",
    )
    targets: int = target_count(500, 100_000, (100, 10_000))
    lead: float = confident_lead()


def run(
    evidence: Evidence,
    params: SemanticLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Link users to records by meaning, by near matches, and exactly, on the same targets.

    Raises
    ------
    MissingInput
        Nobody can say whose record is whose, the released queries can't be read, or the word
        embeddings aren't installed.
    Cancelled
        Somebody asked to stop.
    """
    if why := explain_unfit(evidence):
        raise MissingInput(phrase("semantic-linkage {why}.", why=as_phrase(why)))
    found = link_by_meaning(evidence, params, load_encoder(), rng, progress)
    semantic, records = found.semantic, found.semantic.records
    trials, hits = len(semantic.users), _count_hits(semantic.scores)
    exact, near = (
        wilson_interval(_count_hits(one.scores), trials) for one in (found.exact, found.near)
    )
    return AttackResult(
        attack=ATTACK.name,
        params=params.to_dict(),
        rate=_compute_rate(semantic.scores),
        baseline=1.0 / records,
        interval=wilson_interval(hits, trials),
        control=report.control_rate(semantic, params.lead),
        rate_label=phrase(
            "of {trials:,} users, those whose record is the closest to what the "
            "attacker knows, meanings included",
            trials=trials,
        ),
        values=_build_metrics(found, params.lead),
        figures=(_by_wording(found, params.share),),
        tables=(_matches_table(found), report.users_table(evidence.log, semantic)),
        findings=report.collect_findings(evidence.log, evidence.release, semantic),
        notes=_write_notes(found, params),
        details={
            "exact_rate": _compute_rate(found.exact.scores),
            "exact_interval": list(exact),
            "exact_control": report.control_rate(found.exact, params.lead) or 0.0,
            "near_rate": _compute_rate(found.near.scores),
            "near_interval": list(near),
            "near_control": report.control_rate(found.near, params.lead) or 0.0,
            "records": records,
            "targets": semantic.drawn,
        },
    )


@dataclass(frozen=True, eq=False)
class SemanticLinkageSummary:
    """The three attacks on the same targets.

    Attributes
    ----------
    semantic, near, exact
        By meaning and nearly, nearly, and by exact matches alone.
    matches
        How many distinct known queries are found: verbatim, nearly, only by meaning, not at all.
    paraphrasable
        Share of the distinct known queries of which the program knows a paraphrase.
    left_out
        Distinct known queries that were not looked up by meaning, because they are too many.
    by_wording
        For each share of paraphrased queries the rates, in the order of `WAYS`.
    """

    semantic: LinkageSummary
    near: LinkageSummary
    exact: LinkageSummary
    matches: tuple[int, int, int, int]
    paraphrasable: float
    left_out: int
    by_wording: dict[float, tuple[float, ...]]


def link_by_meaning(
    evidence: Evidence,
    params: SemanticLinkageParams,
    encode: TextEncoder,
    rng: np.random.Generator,
    progress: Progress,
) -> SemanticLinkageSummary:
    """Draw targets and what is known of them, and rank all records in each of the three ways."""
    assert evidence.release is not None
    assert evidence.release.log is not None
    released = evidence.release.log
    drawn = LinkageTargets.draw(evidence, params.targets, params.share, rng, progress)

    def prepare(log: QueryLog, known: AttackerKnowledge) -> KnownMeanings:
        mapping = KnownQueryMapping.of(
            log,
            known,
            released,
            alter=paraphrase_strings,
            least=SPELLING,
            seed=drawn.seed,
            progress=progress,
        )
        return KnownMeanings.of(
            mapping,
            released,
            encode,
            least=params.cosine,
            most=params.neighbours,
            progress=progress,
        )

    mine = prepare(evidence.log, drawn.known)
    others = None
    if drawn.strangers is not None:
        assert evidence.reference is not None
        others = prepare(evidence.reference, drawn.strangers)
    both = [mine] + ([others] if others is not None else [])
    wanted = [one.mapping.list_mapped_queries() for one in both]
    side = released_side(released, True, (QUERY,), progress)
    table = build_index(side, sorted_distinct(np.concatenate(wanted)), "likelihood", progress)
    scores = {
        share: mine.rank_records(share, table, drawn.record, progress)
        for share in sorted({*PARAPHRASED, params.paraphrased})
    }
    ranked = scores[params.paraphrased]
    strange: tuple[LinkageScores | None, ...] = (None, None, None)
    if others is not None:
        nobody = np.full(len(others.mapping.known.events), -1, dtype=np.int64)
        strange = others.rank_records(params.paraphrased, table, nobody, progress)
    exact, near, semantic = (
        drawn.summarize(evidence, some, other) for some, other in zip(ranked, strange, strict=True)
    )
    mapping = mine.mapping
    changed = [one != other for one, other in zip(mapping.strings, mapping.altered, strict=True)]
    return SemanticLinkageSummary(
        semantic=semantic,
        near=near,
        exact=exact,
        matches=mine.count_matches(params.paraphrased),
        paraphrasable=float(np.mean(changed)) if changed else 0.0,
        left_out=mine.left_out,
        by_wording={share: tuple(map(_compute_rate, three)) for share, three in scores.items()},
    )


def _count_hits(scores: LinkageScores) -> float:
    return float(scores.compute_chance(1).sum())


def _compute_rate(scores: LinkageScores) -> float:
    chance = scores.compute_chance(1)
    return float(chance.mean()) if len(chance) else 0.0


def _build_metrics(found: SemanticLinkageSummary, lead: float) -> tuple[MetricValue, ...]:
    trials = len(found.semantic.users)
    chance = [one.scores.compute_chance(1) for one in (found.exact, found.near, found.semantic)]
    only = chance[2] > np.maximum(chance[0], chance[1])
    made = []
    for name, label, one in (
        ("exact_rank1", "the same by exact matches only", found.exact),
        ("near_rank1", "the same by exact and near matches", found.near),
    ):
        made.append(
            MetricValue(
                name,
                label,
                _compute_rate(one.scores),
                unit=SHARE,
                help="On the same targets with the same knowledge.",
                better="lower",
                side="privacy",
                interval=wilson_interval(_count_hits(one.scores), trials),
            )
        )
    made += [
        describe_metric("found_only_by_meaning", float(only.mean()) if trials else 0.0),
        describe_metric("mapped_by_meaning", found.matches[2]),
    ]
    for name, label, one in (
        ("exact_control", "control of the exact attack", found.exact),
        ("near_control", "control of the attack by near matches", found.near),
    ):
        control = report.control_rate(one, lead)
        if control is not None:
            made.append(MetricValue(name, label, control, unit=SHARE, better="lower"))
    return tuple(made)


def _matches_table(found: SemanticLinkageSummary) -> Table:
    labels = ("verbatim", "nearly", "by meaning only", "no match")
    rows = [[label, count] for label, count in zip(labels, found.matches, strict=True)]
    return Table(
        "matches",
        "How known queries are found in the release",
        ("Match", "Distinct queries"),
        rows,
        own_words=True,
    )


def _by_wording(found: SemanticLinkageSummary, share: float) -> Figure:
    lines = make_rate_lines(WAYS, found.by_wording, len(found.semantic.users))
    return Figure(
        "linkage-by-wording",
        phrase("Effect of other words, {share:g} % of events known", share=100 * share),
        Axis("known queries that are paraphrased", unit="%"),
        Axis("share of users whose record is the closest", whole=1.0),
        lines,
    )


def _write_notes(found: SemanticLinkageSummary, params: SemanticLinkageParams) -> tuple[str, ...]:
    said = [
        phrase(
            "On the same targets exact matches reach {exact:.3g} %, near ones {near:.3g} %.",
            exact=100 * _compute_rate(found.exact.scores),
            near=100 * _compute_rate(found.near.scores),
        ),
        phrase(
            "The program knows other words for {share:.3g} % of the known queries; the others are "
            "never paraphrased.",
            share=100 * found.paraphrasable,
        ),
    ]
    if found.left_out:
        said.append(
            phrase(
                "{left_out:,} known queries were compared by their letters only: at most {most:,} "
                "are looked up by meaning.",
                left_out=found.left_out,
                most=MOST_KNOWN,
            )
        )
    return (*said, *report.write_notes(found.semantic, params.lead))


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by meaning, in words; empty if it can."""
    return explain_unfit_nearly(evidence) or explain_missing()


ATTACK = Attack(
    name="semantic-linkage",
    cost="O(rows + known queries · released queries · 256), and the records that hold what is "
    "known for each target",
    title="Record linkage by meaning",
    summary="Maps what an attacker knows to released queries that mean the same in other words "
    "(word embeddings, an optional package) and links records with it, beside the exact and the "
    "near attack.",
    source="Query Log Privacy Auditor; translation model: Berger and Lafferty, SIGIR 1999; "
    "embeddings: WordLlama, 2024",
    params=SemanticLinkageParams,
    run=run,
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
