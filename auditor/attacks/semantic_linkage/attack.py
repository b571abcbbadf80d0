"""Record linkage by meaning: what the attacker knows is mapped to released queries that mean it.

The near attack (`near-linkage`) misses other words: "physician" for "doctor", and the other queries
of somebody's topic where the known one was suppressed. Here each known query also stands for the
released ones whose static word embeddings are closest to its own by cosine, and a record is as
likely as its queries make what is known (`scoring`). All three attacks are run on the same targets
with the same knowledge.

Source: beyond the five sources. Translation model: Berger and Lafferty, SIGIR 1999; with
embeddings: Ganguly, Roy, Mitra and Jones, SIGIR 2015. Embeddings: the optional package `wordllama`.
Cost: O(rows + known queries · released queries · 256), with at most `MOST_KNOWN` known queries, and
for each target the records that hold what its queries stand for. Memory: one block of comparisons.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.near_linkage.attack import explain_unfit as explain_unfit_nearly
from auditor.attacks.near_linkage.known_queries import LinkageByWay, link_in_ways, matches_table
from auditor.attacks.record_linkage.targets import released_log
from auditor.attacks.semantic_linkage.embeddings import TextEncoder, explain_missing, load_encoder
from auditor.attacks.semantic_linkage.scoring import MOST_KNOWN, KnownMeanings
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.params import Params
from auditor.progress import Progress

catalogue = MetricCatalogue("attacks", "semantic_linkage")


@dataclass(frozen=True, kw_only=True)
class SemanticLinkageParams(Params, owner="semantic-linkage"):
    """What the attacker knows, in whose words, and what they take for the same meaning."""

    share: float = 0.5
    paraphrased: float = 0.0
    cosine: float = 0.5
    neighbours: int = 4
    targets: int = 500
    lead: float = 1.5


def run(
    evidence: Evidence,
    params: SemanticLinkageParams,
    *,
    rng: np.random.Generator,
    progress: Progress,
) -> AttackResult:
    """Link users to records by meaning, by near matches, and exactly, on the same targets."""
    linkage = link_by_meaning(evidence, params, load_encoder(), rng, progress)
    exact, near_outcome, _ = linkage.outcomes
    matches = linkage.mapping.count_matches(params.paraphrased)
    labels = ("verbatim", "nearly", "by meaning only", "no match")
    notes = [
        catalogue.say(
            "weaker_rates",
            exact=100 * exact.scores.compute_rate(),
            near=100 * near_outcome.scores.compute_rate(),
        ),
        catalogue.say("share_altered", share=100 * linkage.mapping.share_altered),
    ]
    if linkage.mapping.left_out:
        notes.append(catalogue.say("left_out", left_out=linkage.mapping.left_out, most=MOST_KNOWN))
    return linkage.build_result(
        ATTACK,
        evidence,
        params,
        catalogue,
        only="found_only_by_meaning",
        mapped=("mapped_by_meaning", matches[2]),
        figure="linkage-by-wording",
        table=matches_table("matches", list(zip(labels, matches, strict=True))),
        notes=notes,
    )


def link_by_meaning(
    evidence: Evidence,
    params: SemanticLinkageParams,
    encode: TextEncoder,
    rng: np.random.Generator,
    progress: Progress,
) -> LinkageByWay[KnownMeanings]:
    """Draw targets and what is known of them, and rank all records in each of the three ways."""
    map_queries = partial(
        KnownMeanings.look_up,
        released=released_log(evidence)[1],
        encode=encode,
        least=params.cosine,
        limit=params.neighbours,
        progress=progress,
    )
    return link_in_ways(evidence, params, map_queries, params.paraphrased, rng, progress)


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by meaning, in words; empty if it can."""
    return explain_unfit_nearly(evidence) or explain_missing()


ATTACK = Attack(
    **catalogue.card,
    criterion="linkability",
    intruder=True,
    params=SemanticLinkageParams,
    run=run,
    sampled="measured",
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
