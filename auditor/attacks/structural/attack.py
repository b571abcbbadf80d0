"""What bundles give away by their make-up alone: dominant users, and places of one user's own.

Heavy users hold most of a small bundle, so that whatever it holds is probably theirs; and a place
that one user of a bundle alone asks for leads whoever knows where they live to their queries. No
query is compared with another for that: knowing the bundle is enough.

Source: Jones, Kumar, Pang and Tomkins, CIKM 2008, section 5 (Table 6 and the table of places). Its
remark that users' power law makes dominant users in any partition is measured, not proved: users
are dealt into bundles at random, as they are and with what they issue drawn from the fitted law.
O(n) for n rows, and O(m log m) for the m events that ask for a place.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from auditor.arrays import Float64s, share_of
from auditor.attacks import bundle_view
from auditor.attacks.base import Attack, AttackResult, Evidence
from auditor.attacks.bundle_view import BundleParams
from auditor.attacks.structural import dominant_users, report, unique_places
from auditor.attacks.structural.dominant_users import mean_reached
from auditor.attacks.structural.report import BundleStructure, StructuralCounts, catalogue
from auditor.attacks.structural.unique_places import LocatedQueries
from auditor.errors import MissingInput
from auditor.log import bundles
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.progress import Progress, run_cancellable

_CHANCES = 5


@dataclass(frozen=True, kw_only=True)
class StructuralParams(BundleParams, owner="structural"):
    """What bundles are looked at, and what it takes to dominate one."""

    share: float = 0.5
    confidence: float = 0.5


def run(
    evidence: Evidence, params: StructuralParams, *, rng: np.random.Generator, progress: Progress
) -> AttackResult:
    """Count dominated bundles and places of one user's own.

    The rate is the share of bundles that one user dominates, among those that are large enough and
    those of one user alone. The baseline is that share if each query of a bundle were one of its
    users' at random, the control that share if users were put into bundles of as many users at
    random. Where most users are in other bundles only, the rate bounds nothing.
    """
    if reason := bundle_view.why_not(evidence, params):
        raise MissingInput(phrase("structural: {why}.", why=as_phrase(reason)))
    result = measure_structure(evidence, params, rng, progress)
    crowd = result.variants[0].crowd
    large, lone_bundles = int(crowd.large.sum()), int(crowd.lone.sum())
    trials = large + lone_bundles

    def count_dominated(shares: Float64s) -> float:
        return mean_reached(shares, params.share) * large + lone_bundles

    attack = ATTACK.build_result(
        params,
        round(count_dominated(crowd.shares)),
        trials,
        baseline=share_of(count_dominated(result.chance.even), trials),
        control=share_of(count_dominated(result.chance.dealt), trials),
        rate_label=catalogue.say(
            "rate_with_lone" if lone_bundles else "rate",
            trials=trials,
            min_queries=params.min_queries,
            share=100 * params.share,
        ),
        values=tuple(report.build_metrics(result, params.share)),
        figures=(report.by_share(result), report.by_rank(result)),
        tables=(
            report.dominance_table(result),
            report.chance_table(result),
            report.places_table(result),
            report.users_table(evidence.log, result),
        ),
        findings=report.collect_findings(evidence, result, params.share, progress),
        notes=report.write_notes(result),
        details=report.build_details(result),
    )
    outside, users = result.outside
    return attack if 2 * outside <= users else replace(attack, interval=(0.0, 1.0), counts=None)


def measure_structure(
    evidence: Evidence, params: StructuralParams, rng: np.random.Generator, progress: Progress
) -> BundleStructure:
    """Look at the bundles, and where the log has addresses at those of the source's masks."""
    log = evidence.log
    crowd = bundle_view.find_bundles(evidence, params, progress)
    places = unique_places.locate_queries(log.queries, params.confidence, progress)
    events = unique_places.find_place_queries(crowd, places)
    place_users = run_cancellable(lambda: unique_places.count_place_users(events, crowd), progress)

    def count_shuffled() -> unique_places.PlaceCounts:
        return unique_places.count_place_queries(unique_places.shuffle_places(events, rng), crowd)

    at_random = [run_cancellable(count_shuffled, progress) for _ in range(_CHANCES)]
    law = run_cancellable(lambda: dominant_users.fit_power_law(crowd.fiber_queries), progress)
    return BundleStructure(
        variants=(
            StructuralCounts(crowd, unique_places.PlaceCounts.of(crowd, place_users)),
            *_count_masks(log, crowd.bits, params.min_queries, places, progress),
        ),
        places=places,
        place_events=events,
        place_users=place_users,
        chance=dominant_users.by_chance(crowd, params.min_queries, law, rng, progress),
        places_by_chance=unique_places.PlaceCounts.average_counts(at_random),
        law=law,
    )


def _count_masks(
    log: QueryLog, chosen_bits: int | None, least: int, places: LocatedQueries, progress: Progress
) -> list[StructuralCounts]:
    """The source's masks besides the one that is shown, one at a time."""
    if not bundles.has_addresses(log):
        return []
    variants = []
    for bits in bundle_view.MASKS:
        if bits != chosen_bits:
            parts = bundles.by_address(log, bits, progress)
            crowd = bundle_view.arrange_events(log, parts, least, "ip-mask", bits, progress)
            events = unique_places.find_place_queries(crowd, places)
            count = partial(unique_places.count_place_queries, events, crowd)
            variants.append(StructuralCounts(crowd, run_cancellable(count, progress)))
    return variants


ATTACK = Attack(
    **catalogue.card,
    criterion="singling out",
    params=StructuralParams,
    run=run,
    applies=("bundles",),
    unfit=bundle_view.why_not,
)
