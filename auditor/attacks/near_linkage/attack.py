"""Record linkage by near matches: what the attacker knows is mapped to the nearest released query.

The exact attack (`record-linkage`) compares strings byte for byte, and loses an event to one slip
of memory. Here each known query that does not stand in the release is mapped to the nearest one
that does: the same words in another order, singular for plural, one word more or less, or a
spelling variant. Both attacks are run on the same targets with the same knowledge.

An event that was mapped counts its likeness to the power of four, so that it never outweighs an
exact one. Source: beyond the five sources; blocks and cutoffs as usual in record linkage (Christen:
Data Matching, Springer 2012, chapters 4 and 5). Cost: O(rows + released queries · size of their
block), and for each target the records that hold what is known.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.near_linkage.known_queries import (
    KnownQueryMapping,
    catalogue,
    link_in_ways,
    matches_table,
    misremember_strings,
)
from auditor.attacks.near_linkage.matching import LABELS, NearKind
from auditor.attacks.record_linkage.targets import released_log, why_not
from auditor.fuzzy_search import fold_text
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.params import Params
from auditor.privacy.records import is_readable
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class NearLinkageParams(Params, owner="near-linkage"):
    """What the attacker knows, how well they remember it, and what they take for near."""

    share: float = 0.5
    misremembered: float = 0.0
    likeness: float = 0.85
    targets: int = 500
    lead: float = 1.5


def run(
    evidence: Evidence, params: NearLinkageParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Link users to records with near matches, and without, on the same targets."""
    map_queries = partial(
        KnownQueryMapping.of,
        released=released_log(evidence)[1],
        alter=misremember_strings,
        least=params.likeness,
        progress=progress,
    )
    linkage = link_in_ways(evidence, params, map_queries, params.misremembered, rng, progress)
    kinds = linkage.mapping.count_kinds(params.misremembered)
    labels = {**LABELS, NearKind.NONE: "no match"}
    return linkage.build_result(
        ATTACK,
        evidence,
        params,
        catalogue,
        only="found_only_nearly",
        mapped=("mapped", int(kinds[NearKind.SAME + 1 :].sum())),
        figure="linkage-by-memory",
        table=matches_table(
            "kinds-of-match", [(label, int(kinds[kind])) for kind, label in labels.items()]
        ),
        notes=(catalogue.say("exact_rate", exact=100 * linkage.outcomes[0].scores.compute_rate()),),
    )


def explain_unfit(evidence: Evidence) -> str:
    """Why nothing can be linked by near matches, in words; empty if it can."""
    if reason := why_not(evidence):
        return reason
    _, released = released_log(evidence)
    if is_readable(released, evidence.log) or _shares_words(released, evidence.log):
        return ""
    return "needs released queries that can be read"


def _shares_words(released: QueryLog, log: QueryLog) -> bool:
    """Whether most words of a sample of the released queries are words of the log's queries.

    Queries may have been rewritten; hashed words are none of the log's.
    """

    def collect_words(queries: Vocabulary, query_limit: int) -> set[str]:
        places = np.linspace(0, len(queries) - 1, min(query_limit, len(queries))).astype(np.int64)
        return {word for text in queries.list_strings(places) for word in fold_text(text).split()}

    released_words = collect_words(released.queries, 200)
    return 2 * len(released_words & collect_words(log.queries, 20_000)) > len(released_words)


ATTACK = Attack(
    **MetricCatalogue("attacks", "near_linkage").card,
    criterion="linkability",
    intruder=True,
    params=NearLinkageParams,
    run=run,
    sampled="measured",
    applies=("log", "hashes", "bundles"),
    unfit=explain_unfit,
)
