"""Partition selection: queries shown with the least noise that hides one user, by truncated noise.

Source: Desfontaines, Voss, Gipson and Mandayam: Differentially private partition selection, PoPETs
2022. Each user counts once for each of their first q_f distinct queries. Each count of users gets
truncated geometric noise and is shown where it is above the noise's bound, so a query of one user
is shown with δ₀ at most, and one of more than twice the bound always. The noise of a user's q_f
counts is composed exactly (see `privacy.truncated_geometric`).

Beyond the source: queries of fewer than k users are never shown, as in ORCAS (Craswell et al.,
CIKM 2020), which subtracts k − 1 from each count before the noise and adds it afterwards, so that
the release is k-thresholded and (ε, δ) at once; and the unit of protection may be a user's day,
week or month instead of their whole history (see `noisy_counts.period_units`).

Cost: O(rows), and one draw of noise for each query of k users at least.
"""

from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import MetricValue
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods import statements as words
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.explanation.explanation import (
    Explanation,
    ExplanationRequest,
    find_occurrences,
    find_turning_points,
)
from auditor.methods.faults import list_faults
from auditor.methods.noisy_counts import counting, outlook
from auditor.methods.noisy_counts.counting_plan import CountingMethod, CountingPlan, NoiseRule
from auditor.methods.noisy_counts.expectations import extrapolate_users, share_of_searches
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit, limit_users
from auditor.methods.noisy_counts.outlook import metric_of_searches
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.methods.setting_families import PassingLaw, SettingFamily
from auditor.params import Params
from auditor.privacy import count_error, truncated_geometric
from auditor.privacy.composition import NoiseLaw
from auditor.privacy.randomness import Randomness
from auditor.privacy.statement import Statement, Term
from auditor.privacy.truncated_geometric import TruncatedGeometric
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "partition_selection")


@dataclass(frozen=True, kw_only=True)
class PartitionSelectionParams(Params, owner="partition-selection"):
    """What is wanted, whom it protects, and how much of each user is counted."""

    epsilon: float = 2.0
    delta: float = 1e-06
    q_f: int = 1
    k: int = 1
    protected_unit: str = "history"
    periods: int | None = None
    group_by: str = NO_GROUPS
    suppress: str = "nothing"

    @property
    def limits(self) -> ContributionLimits:
        """Users count once for each of their first q_f distinct queries."""
        return ContributionLimits(CountingUnit.USERS, self.q_f, 1)

    @property
    def noise(self) -> TruncatedGeometric:
        """The noise of a count beyond the k − 1 users who are never shown."""
        return truncated_geometric.noise_for(self.epsilon, self.delta, self.q_f)

    def compute_chances(self, users: Float64s) -> Float64s:
        """P[shown] of so many users (or periods)."""
        return self.noise.compute_chances(np.maximum(users - (self.k - 1), 0.0))

    @property
    def always_shown(self) -> int:
        """From how many users on a query is shown whatever the noise."""
        return 2 * self.noise.bound + self.k


@dataclass(frozen=True, kw_only=True)
class SelectionRule(NoiseRule):
    """Truncated noise on what counts have beyond k − 1; those are shown that exceed its bound."""

    noise: TruncatedGeometric
    k: int

    @property
    def error(self) -> int:
        """How far 95 % of released counts are at most from what was counted."""
        return count_error.of_law(self.noise.law)

    def draw(self, counts: Int64s, rng: Randomness, progress: Progress) -> tuple[Int64s, Int64s]:
        """Positions of the shown counts, ascending, and their noisy values; shapes (shown,)."""
        candidates = np.flatnonzero(counts >= self.k)
        progress.stage("drawing noise", len(candidates))
        noisy = counts[candidates] - (self.k - 1) + self.noise.draw(len(candidates), rng, progress)
        keep = noisy > self.noise.bound
        return candidates[keep], noisy[keep] + self.k - 1


def _plan(params: PartitionSelectionParams) -> CountingPlan:
    noise = params.noise
    rule = SelectionRule(noise.scale, noise.bound + params.k, noise=noise, k=params.k)
    return CountingPlan(limits=params.limits, queries=rule)


def statement_of(params: PartitionSelectionParams, users: int, secure: bool) -> Statement:
    """The guarantee of a release that counts this many users (or periods)."""
    law = params.noise
    delta = truncated_geometric.delta_of(law, params.q_f, params.epsilon)
    edge_delta = -np.expm1(params.q_f * np.log1p(-law.edge))
    return words.state_history(
        params.epsilon,
        delta,
        terms=(
            Term(
                "counts",
                params.epsilon,
                max(0.0, float(delta - edge_delta)),
                sentence(
                    "partition_selection.counts_loss_composed_exactly",
                    q_f=params.q_f,
                    scale=words.format_number(1 / law.scale),
                ),
                NoiseLaw("truncated geometric", law.scale, params.q_f),
            ),
            Term.of_budget(
                "ends of the noise",
                0.0,
                float(edge_delta),
                "1 − (1 − δ₀)^q_f with δ₀ = P[X = bound]",
            ),
        ),
        limits=sentence("partition_selection.first_distinct_queries_user", q_f=params.q_f),
        users=users,
        noise=words.secure_noise(
            secure,
            "discrete Laplace (Canonne, Kamath and Steinke), those beyond the bound drawn again",
        ),
        measured={
            "epsilon_of_one_count": 1 / law.scale,
            "bound_of_noise": float(law.bound),
            "users_always_released": float(params.always_shown),
        },
    )


def expect_release(
    log: QueryLog, params: PartitionSelectionParams, *, scale: float, progress: Progress
) -> ExpectedRelease:
    """How many queries will be shown, from the exact law of the noise; O(rows).

    A query of c sampled users (one in s) is taken for one of 1 + s(c − 1) users, and stands for
    s·c ÷ that many queries.
    """
    users: Float64s = limit_users(log, params.limits, progress).query_count.astype(np.float64)
    totals, stands = extrapolate_users(users, scale)
    chance = params.compute_chances(totals)

    def expect_values(chance: Float64s) -> tuple[MetricValue, ...]:
        return (
            describe_metric("expected.queries", float(chance @ stands)),
            metric_of_searches(share_of_searches(chance, log.searches_by_query)),
            describe_metric("expected.noise", params.noise.error),
        )

    values = expect_values(chance)
    most, always = float(totals.max(initial=0.0)), params.always_shown
    return ExpectedRelease(
        statement=statement_of(params, round(len(log.users) * scale), True),
        values=values,
        note=""
        if values[0].value >= 1
        else sentence("partition_selection.nothing", most=most, always=always),
        expect_without=lambda marks: (
            expect_values(np.where(marks.queries(log.queries), 0, chance)),
            (),
        ),
    )


def explain(
    request: ExplanationRequest, params: PartitionSelectionParams, progress: Progress
) -> Explanation:
    """How many users (or periods) issued it among their first q_f, and the chance that suffices.

    Exact; O(rows), and the noise anew for each value that is tried.
    """
    occurrences = find_occurrences(request, CountingUnit.USERS, progress)
    blank = not request.text.strip()  # a missing value is no query

    def count_users(other: PartitionSelectionParams) -> int:
        return 0 if blank else occurrences.users_within(other.q_f)

    def compute_chance(other: PartitionSelectionParams) -> float:
        return float(other.compute_chances(np.array([float(count_users(other))]))[0])

    whom = "users" if params.protected_unit == HISTORY else "periods of users"
    names = ("epsilon", "delta", "q_f", "k")
    solved = (
        find_turning_points(params, compute_chance, names, progress=progress)
        if count_users(params)
        else ()
    )
    return Explanation(
        outcome=(
            sentence(
                "partition_selection.issued_within_limit_queries",
                count=count_users(params),
                whom=whom,
                q_f=params.q_f,
                k=params.k,
                always=params.always_shown,
            )
        ),
        chance=compute_chance(params),
        values=(
            describe_metric("limited_users", float(count_users(params)), whom=whom, q_f=params.q_f),
            describe_metric("bound", float(params.noise.bound)),
        ),
        turns=solved,
    )


COUNTING = CountingMethod(
    _plan, lambda params, figures: statement_of(params, figures.users, figures.secure)
)

METHOD = Method(
    **describe_metric.card,
    **counting.build_fields(COUNTING) | {"outlook": expect_release, "explain": explain},
    params=PartitionSelectionParams,
    curves=lambda params, _users: (
        outlook.chance_by_users(
            describe_metric,
            params.always_shown,
            params.compute_chances,
            params.k,
            f"k = {params.k:,}",
            "limit",
        ),
    ),
    main=("epsilon", "delta", "q_f", "k", "protected_unit"),
    families=(
        SettingFamily(
            "whole histories",
            "q_f",
            lambda q_f, epsilon, delta: PartitionSelectionParams(
                epsilon=epsilon, delta=delta, q_f=q_f
            ),
        ),
    ),
    law=lambda params: PassingLaw(params.q_f, params.compute_chances),
    faults=list_faults(
        {"q_f": 1, "epsilon": 1.0, "delta": 0.01},
        "auditor.privacy.truncated_geometric:noise_for",
        "bound",
        module=counting.__name__,
    ),
)
