"""From trials to bounds, and from bounds to a verdict on what is claimed.

All bounds hold together with the wanted confidence: each of T tests is made at 1 − (1 − c)/T. So
whatever stands above a claim in a table or picture refutes it, and no row has to be explained away.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.dp_audit.neighbouring_logs import OutputObservation, Scenario
from auditor.attacks.dp_audit.trials import STATISTICS, Trials
from auditor.messages import as_phrase, phrase
from auditor.privacy import audit_bounds as bounds
from auditor.privacy import trade_off_audit as trade_off
from auditor.privacy.audit_bounds import OutputEvent
from auditor.privacy.statement import Statement

Verdict = Literal["refuted", "not refuted", "not audited"]
OWN_CLAIMS = ("stated", "noise")
"""Names of the claims that a statement makes itself; the others are those of sources."""


@dataclass(frozen=True)
class EpsilonClaim:
    """An (ε, δ) that somebody states of the method; `gaussian` if it is that of Gaussian noise."""

    name: str
    title: str
    epsilon: float
    delta: float
    gaussian: bool = False


@dataclass(frozen=True)
class EventCounts:
    """An event, chosen on one half, and how often it happened on the other."""

    statistic: int
    event: OutputEvent
    likely: tuple[int, int]  # (hits, trials) where it is likelier
    other: tuple[int, int]  # the same on the other side

    @property
    def words(self) -> str:
        """The event, as a table has it."""
        sign = "≥" if self.event.above else "≤"
        return phrase(
            "{statistic} {sign} {threshold:,.6g}",
            statistic=as_phrase(STATISTICS[self.statistic]),
            sign=sign,
            threshold=self.event.threshold,
        )


@dataclass(frozen=True)
class GuessingCounts:
    """Guesses of the coins of one run: `right` of `guesses`, among `canaries`."""

    right: int
    guesses: int
    canaries: int
    most: int  # could have been right, all being guesses of the same side of a coin


@dataclass(frozen=True)
class OneRunBounds:
    """What the guesses of one run show of ε at δ, and the most that they could, all being right."""

    binomial: float  # the bound of Steinke, Nasr and Jagielski
    curve: float  # by the (ε, δ) trade-off curve (Mahloujifar, Melis and Chaudhuri)
    binomial_limit: float
    curve_limit: float
    # ε of Gaussian noise, about the claim of that noise alone; None for other noise.
    gaussian: float | None = None
    gaussian_limit: float | None = None

    @property
    def epsilon(self) -> float:
        """The larger bound: as sure as either, since both refute from some number of hits on."""
        return max(self.binomial, self.curve)

    @property
    def limit(self) -> float:
        """The most that could have been shown."""
        return max(self.binomial_limit, self.curve_limit)


@dataclass(frozen=True)
class DemonstratedEpsilon:
    """All evidence of one look; what wasn't tried is None."""

    scenario: Scenario
    look: OutputObservation
    events: EventCounts | None = None
    # The event that shows most of Gaussian noise, where the statement names such.
    shifted: EventCounts | None = None
    guessed: GuessingCounts | None = None
    # (hits, trials) of outputs that hold a string which only one user had.
    impossible: tuple[int, int] | None = None
    # (users whose string came out, users) of single runs of many such users.
    impossible_alike: tuple[int, int] | None = None


@dataclass(frozen=True)
class EpsilonBound:
    """What one look shows at a δ: lower bounds on ε, None where not tried."""

    evidence: DemonstratedEpsilon
    runs: float | None
    one_run: OneRunBounds | None
    limit: float  # the most that both could have shown
    # Least chance of outputs that the neighbour can't give; None without such.
    impossible: float | None
    delta: float
    limit_of_runs: float = 0.0  # the most that independent runs could

    @property
    def single(self) -> float | None:
        """The larger bound of one run; None where not tried."""
        return None if self.one_run is None else self.one_run.epsilon

    @property
    def sampled(self) -> float:
        """The larger of the two sampled bounds."""
        return max(self.runs or 0.0, self.single or 0.0)

    @property
    def epsilon(self) -> float:
        """The bound on ε: infinite if an impossible output is likelier than δ."""
        if self.impossible is not None and self.impossible > self.delta:
            return math.inf
        return self.sampled


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with the bounds that bear on it; none where no output held anything."""

    claim: EpsilonClaim
    bounds: Sequence[EpsilonBound]

    def find_largest(
        self, field: Literal["epsilon", "sampled", "limit", "limit_of_runs", "impossible"]
    ) -> float:
        """The largest of one kind of bound over all looks."""
        return max((getattr(bound, field) or 0.0 for bound in self.bounds), default=0.0)

    @property
    def verdict(self) -> Verdict:
        """Whether any bound stands above the claim; not audited where nothing bears on it."""
        if not self.bounds:
            return "not audited"
        return "refuted" if self.find_largest("epsilon") > self.claim.epsilon else "not refuted"


def gather_counts(
    runs: Sequence[Trials],
    single: Sequence[Trials],
    delta: float,
    rng: np.random.Generator,
    *,
    gaussian: bool = False,
) -> list[DemonstratedEpsilon]:
    """Choose the event of each look on one half of its trials, and count it on the other."""
    cases: dict[str, DemonstratedEpsilon] = {}
    for trials in runs:
        case = DemonstratedEpsilon(trials.scenario, trials.look, _count_events(trials, delta))
        if gaussian:
            event = _count_events(trials, delta, bounds.gaussian_shift_at_least)
            case = replace(case, shifted=event)
        if trials.look.canary:
            case = replace(case, impossible=_count_impossible(trials))
        cases[trials.look.name] = case
    for trials in single:
        name = trials.look.name
        before = cases.get(name) or DemonstratedEpsilon(trials.scenario, trials.look)
        impossible = _count_impossible(trials) if trials.look.canary else None
        cases[name] = replace(
            before, guessed=_count_guesses(trials, delta, rng), impossible_alike=impossible
        )
    return list(cases.values())


def judge_claim(
    cases: Sequence[DemonstratedEpsilon],
    claim: EpsilonClaim,
    confidence: float,
    *,
    gaussian: bool = False,
) -> JudgedClaim:
    """Judge a claim by the bounds that bear on it: those of its noise if that is what it is of.

    The bounds of all looks hold together; `gaussian` if the noise is known to be.
    """
    tests = sum(
        evidence is not None
        for s in cases
        for evidence in (s.events, s.shifted, s.guessed, s.impossible, s.impossible_alike)
    )
    test_confidence = 1 - (1 - confidence) / max(tests, 1)
    gaussian_known = gaussian or claim.gaussian
    epsilons = [
        _compute_bound(case, claim.delta, test_confidence, gaussian_known) for case in cases
    ]
    if claim.gaussian:
        of_noise = (_bound_noise(bound, claim.delta, test_confidence) for bound in epsilons)
        epsilons = [b for b in of_noise if b.runs is not None or b.one_run is not None]
    return JudgedClaim(claim, epsilons)


def _bound_noise(bound: EpsilonBound, delta: float, confidence: float) -> EpsilonBound:
    """What the same look shows of Gaussian noise, as its ε at δ."""

    def epsilon_of(*counts: int) -> float:
        shift = bounds.gaussian_shift_at_least(*counts, delta=delta, confidence=confidence)
        return trade_off.epsilon_of_gaussian(float(shift), delta)

    runs, of_runs, one_run = None, 0.0, None
    if bound.evidence.shifted is not None:
        likely, other = bound.evidence.shifted.likely, bound.evidence.shifted.other
        runs, of_runs = epsilon_of(*likely, *other), epsilon_of(likely[1], likely[1], 0, other[1])
    if bound.one_run is not None and bound.one_run.gaussian is not None:
        gaussian_limit = bound.one_run.gaussian_limit or 0.0
        one_run = OneRunBounds(bound.one_run.gaussian, 0.0, gaussian_limit, 0.0)
    limit = max(of_runs, one_run.limit if one_run else 0.0)
    return EpsilonBound(bound.evidence, runs, one_run, limit, None, delta, of_runs)


def has_gaussian_noise(statement: Statement) -> bool:
    """Whether all noise is Gaussian of a known ρ, and no sampling of users lies before it."""
    return statement.measured.get("rho", 0.0) > 0 and statement.sample_share is None


def list_claims(statement: Statement) -> list[EpsilonClaim]:
    """What the statement claims, and what the source prints where that is something else."""
    if statement.epsilon is None:
        return []
    delta = statement.delta or 0.0
    claims = [EpsilonClaim("stated", "as stated", statement.epsilon, delta)]
    measured: Mapping[str, float] = statement.measured
    printed = measured.get("printed_delta")
    if isinstance(printed, int | float) and printed < 1 and printed != delta:
        title = "with the printed δ"
        claims.append(EpsilonClaim("printed", title, statement.epsilon, float(printed)))
    if has_gaussian_noise(statement) and 0 < delta < 1:
        epsilon = trade_off.epsilon_of_gaussian(math.sqrt(2 * measured["rho"]), delta)
        title = "of its Gaussian noise, by the stated ρ"
        claims.append(EpsilonClaim("noise", title, epsilon, delta, gaussian=True))
    other = measured.get("korolova_epsilon"), measured.get("korolova_delta_integer_noise")
    if isinstance(other[0], int | float) and isinstance(other[1], int | float):
        title = "without a pool (Korolova)"
        claims.append(EpsilonClaim("without-pool", title, float(other[0]), float(other[1])))
    return claims


def is_refuted(results: Sequence[JudgedClaim]) -> bool:
    """Whether what the statement says is refuted: its (ε, δ), or the noise that it names."""
    return any(item.claim.name in OWN_CLAIMS and item.verdict == "refuted" for item in results)


def _count_events(
    trials: Trials, delta: float, bound: Callable[..., Float64s] = bounds.epsilon_at_least
) -> EventCounts | None:
    first, second = trials.take_half(False), trials.take_half(True)
    if min(map(len, (*first.split_by_side(0), *second.split_by_side(0)))) == 0:
        return None
    options = []
    for statistic in range(len(STATISTICS)):
        sides = first.split_by_side(statistic)
        event = bounds.choose_event(*sides, delta=delta, bound=bound)
        promise = bounds.epsilon_of_event(event, *sides, delta=delta, bound=bound)
        options.append((promise, -statistic, event))
    _, negative, event = max(options, key=lambda option: option[:2])
    likely, other = event.order_by_likelihood(*second.split_by_side(-negative))
    return EventCounts(
        -negative, event, (int(likely.sum()), len(likely)), (int(other.sum()), len(other))
    )


def _count_guesses(trials: Trials, delta: float, rng: np.random.Generator) -> GuessingCounts | None:
    first, second = trials.take_half(False), trials.take_half(True)
    best = _count_events(trials, delta)
    if best is None:
        return None
    event, statistic = best.event, best.statistic
    values = second.statistics[statistic]
    guesses = bounds.safe_guesses(event, first.statistics[statistic], len(values))
    tried, guess = bounds.guess_canaries(event, values, guesses, rng)
    right = int(np.count_nonzero(second.is_inside[tried] == guess))
    hits = int(np.count_nonzero(second.is_inside))
    return GuessingCounts(right, len(tried), len(values), hits if guess else len(values) - hits)


def _count_impossible(trials: Trials) -> tuple[int, int] | None:
    """Outputs with a string that only the user had; none if the method shows what it never read."""
    inside_values, outside = trials.split_by_side(0)
    if np.any(outside > 0):
        return None
    return int(np.count_nonzero(inside_values > 0)), len(inside_values)


def _compute_bound(
    case: DemonstratedEpsilon, delta: float, confidence: float, gaussian: bool
) -> EpsilonBound:
    runs = least = one_run = None
    reach = of_runs = 0.0
    if case.events is not None:
        (k, n), (j, m) = case.events.likely, case.events.other
        runs = float(bounds.epsilon_at_least(k, n, j, m, delta=delta, confidence=confidence))
        reach = bounds.resolution_limit(n, m, delta=delta, confidence=confidence)
        of_runs = reach
    if case.guessed is not None:
        one_run = _compute_one_run(case.guessed, delta, confidence, gaussian)
        reach = max(reach, one_run.limit)
    if case.impossible is not None:
        hits, trials = case.impossible
        least = bounds.impossible_share(hits, trials, confidence) if hits else None
    if case.impossible_alike is not None and case.impossible_alike[0]:
        hits, users = case.impossible_alike
        least = max(least or 0.0, bounds.impossible_share_of_many(hits, users, confidence))
    return EpsilonBound(case, runs, one_run, reach, least, delta, of_runs)


def _compute_one_run(
    tried: GuessingCounts, delta: float, sure: float, gaussian: bool
) -> OneRunBounds:
    """All bounds of the same guesses, and what all right ones would have shown."""
    most_guesses = max(tried.most, tried.guesses)

    def apply(theorem: Callable[..., float]) -> tuple[float, float]:
        bound = theorem(tried.right, tried.guesses, tried.canaries, delta=delta, confidence=sure)
        return bound, theorem(
            most_guesses, most_guesses, tried.canaries, delta=delta, confidence=sure
        )

    binomial, binomial_limit = apply(bounds.one_run_epsilon)
    curve, curve_limit = apply(trade_off.one_run_curve_epsilon)
    noise = apply(trade_off.one_run_gaussian_epsilon) if gaussian and delta > 0 else (None, None)
    return OneRunBounds(binomial, curve, binomial_limit, curve_limit, *noise)
