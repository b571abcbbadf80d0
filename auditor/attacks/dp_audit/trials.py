"""Runs a method on small neighbouring logs, counts what shows, and judges what is claimed by that.

Two designs. *Independent runs*: one small log of all scenarios, new coins and new noise each time;
the first half of the runs chooses the event of each look, the second half is counted. *One run*:
thousands of copies of one scenario in one log, a coin for each, and guesses of all the coins. A
rehearsal with coins and noise of its own chooses beforehand what to guess by and how often, as the
theorem wants: neither may depend on the output that is guessed from. Both see outputs alone.

All bounds hold together with the wanted confidence: each of T tests is made at 1 − (1 − c)/T. So
whatever stands above a claim in a table or picture refutes it, and no row has to be explained away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from auditor.arrays import Bools, Float64s
from auditor.attacks.dp_audit import neighbouring_logs as logs
from auditor.attacks.dp_audit.neighbouring_logs import (
    Key,
    OutputObservation,
    Scenario,
    ScenarioConfig,
)
from auditor.errors import ParameterError
from auditor.log.model import NONE, QueryLog, Vocabulary
from auditor.messages import as_phrase, phrase
from auditor.privacy import audit_bounds as bounds
from auditor.privacy import trade_off_audit as trade_off
from auditor.privacy.audit_bounds import OutputEvent
from auditor.privacy.planted_keys import plant_keys
from auditor.privacy.release import MethodRerun, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress, SilentProgress, split_progress

STATISTICS = (
    "how many are shown",
    "what they count together",
    "how many count more than the crowd did",
)


class OutputReading:
    """What an output says of each string; O(size of the output) once."""

    def __init__(self, content: QueryLog | Tables) -> None:
        tables = content if isinstance(content, Tables) else _tables_of(content)
        queries, urls = tables.queries.list_strings(), tables.urls.list_strings()
        # Pages and queries are never the same string here, so one table serves all pairs.
        self._found: dict[Key, int] = dict(zip(queries, tables.query_count.tolist(), strict=True))
        for first, second, strings, count in (
            (tables.click_query, tables.click_url, urls, tables.click_count),
            (tables.from_query, tables.to_query, queries, tables.transition_count),
        ):
            pairs = zip(first.tolist(), second.tolist(), count.tolist(), strict=True)
            self._found |= {(queries[i], strings[j]): n for i, j, n in pairs}

    @property
    def is_empty(self) -> bool:
        """Whether it holds no string at all."""
        return not self._found

    def compute_statistics(self, look: OutputObservation) -> Float64s:
        """The `STATISTICS` of a look's strings, those of the other side taken off; shape (3,)."""
        return self._count_side(look.own, look.base) - self._count_side(look.mirrored, look.base)

    def _count_side(self, keys: tuple[Key, ...], base: int) -> Float64s:
        counts = [self._found[key] for key in keys if key in self._found]
        return np.array([len(counts), sum(counts), sum(c > base for c in counts)], dtype=np.float64)


def limits_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of a `ScenarioConfig`, by the names that a method's parameters have."""
    strict, queries = params.get("mode") == "strict", int(params.get("q_f", params.get("m", 10)))
    has_days = params.get("protected_unit") == "history" and "days" in params
    return {
        "queries": queries,
        "clicks": int(params.get("c_f", queries)),
        "tau": 1 if strict else int(params.get("tau", 1)),
        "once": strict or params.get("counting_unit") not in ("rows", "events"),
        "days": int(params["days"]) if has_days else None,
    }


def _tables_of(log: QueryLog) -> Tables:
    """How often each query and each click stands in a released log."""
    clicked = log.url != NONE
    width = max(len(log.urls), 1)
    keys, count = np.unique(
        log.query[clicked].astype(np.int64) * width + log.url[clicked], return_counts=True
    )
    query, url = np.divmod(keys, width)
    return Tables(
        queries=log.queries,
        query_count=np.bincount(log.query, minlength=len(log.queries)).astype(np.int64),
        urls=log.urls,
        click_query=query.astype(np.int32),
        click_url=url.astype(np.int32),
        click_count=count.astype(np.int64),
        has_clicks=True,
    )


LADDER = 14
"""Crowds of up to 2^14 users are tried for a query that is released surely enough."""
MOST_COPIED = 100_000
"""Rows of all copies in one log."""
_LADDER_RUNS = 10
_EDGE_RUNS = 20
_EDGE_STEPS = 12
_CHUNK = 500


@dataclass(eq=False)
class TrialBench:
    """The method under audit, and a number for each of its runs.

    Where its keys are `public`, the list holds all strings of the neighbours, and no output proves
    by a string alone that anybody issued it. `by` is the column that it counts queries by.
    """

    rerun: MethodRerun
    rng: np.random.Generator
    progress: Progress
    number: int = 0
    public: bool = False
    by: str = "none"
    had_output: bool = False
    """Whether any output held a string: where none does, nothing can be told apart."""

    def run(self, log: QueryLog, strings: Vocabulary) -> OutputReading:
        """One output of the method on `log`; `strings` are those of either neighbour."""
        self.number += 1
        with plant_keys(strings if self.public else None):
            release = self.rerun(log, self.number, SilentProgress(self.progress))
        reading = OutputReading(release.local_content)
        self.had_output |= not reading.is_empty
        return reading

    def show(self, look: OutputObservation) -> OutputObservation:
        """What a look shows of this method's outputs."""
        return replace(look, canary=False) if self.public else look


@dataclass(frozen=True, eq=False)
class Trials:
    """What one look showed, in n trials."""

    scenario: Scenario
    look: OutputObservation
    is_inside: Bools  # whether the user was in the log; shape (n,)
    statistics: Float64s  # the `STATISTICS` of the look's strings; shape (3, n)

    def take_half(self, second: bool) -> Trials:
        """The trials that choose an event, or those that it is counted on."""
        middle = len(self.is_inside) // 2
        part = slice(middle, None) if second else slice(middle)
        return Trials(self.scenario, self.look, self.is_inside[part], self.statistics[:, part])

    def split_by_side(self, statistic: int) -> tuple[Float64s, Float64s]:
        """One statistic with the user in the log, and without them."""
        values = self.statistics[statistic]
        return values[self.is_inside], values[~self.is_inside]


def calibrate_crowds(bench: TrialBench, token: str, tau: int) -> tuple[int | None, int | None]:
    """(popular, edge): crowds of which a query comes out surely, and about every other time.

    Found by trying, as anybody could: what the thresholds are is not asked.
    """
    bench.progress.stage("finding queries that are brought out")
    sizes = [1 << power for power in range(LADDER + 1)]
    shares = _measure_shares(bench, token, sizes, _LADDER_RUNS)
    sure = [size for i, size in enumerate(sizes) if min(shares[i:]) >= 1]
    if not sure:
        return None, None
    popular = 2 * sure[0]
    never = max([0, *(size for size, share in zip(sizes, shares, strict=True) if share == 0)])
    between = np.unique(np.linspace(max(never, 1), sure[0], _EDGE_STEPS).astype(int)).tolist()
    rates = _measure_shares(bench, token, between, _EDGE_RUNS)
    edge = between[int(np.argmin(np.abs(np.array(rates) - 0.5)))]
    return popular, edge if edge >= tau else None


def _measure_shares(bench: TrialBench, token: str, sizes: Sequence[int], runs: int) -> list[float]:
    """How often a query of each size came out."""
    writer = logs.CrowdWriter(token)
    looks = []
    for size in sizes:
        bench.progress.check()
        query = f"{token} ladder {size}"
        writer.add_crowd(f"ladder {size}", size, [query])
        looks.append(OutputObservation("", "", (query,)))
    log = logs.log_of(writer.rows, by=bench.by)
    counts = np.zeros(len(sizes))
    for _ in range(runs):
        bench.progress.check()
        reading = bench.run(log, log.queries)
        counts += [reading.compute_statistics(look)[0] for look in looks]
    return [float(share) for share in counts / runs]


def independent_runs(bench: TrialBench, scenarios: Sequence[Scenario], runs: int) -> list[Trials]:
    """A trial of every scenario in each of `runs` runs; O(runs · rows of the log)."""
    coins = bench.rng.random((runs, len(scenarios))) < 0.5
    places = [(index, look) for index, scenario in enumerate(scenarios) for look in scenario.looks]
    values = np.zeros((len(STATISTICS), len(places), runs))
    drafts = logs.ScenarioLogs(scenarios, by=bench.by)
    cache: dict[bytes, QueryLog] = {}
    bench.progress.stage("running the method on neighbouring logs", runs)
    for run in range(runs):
        key = coins[run].tobytes()
        if key not in cache:
            cache[key] = drafts.build(coins[run])
        reading = bench.run(cache[key], drafts.strings)
        for place, (_, look) in enumerate(places):
            values[:, place, run] = reading.compute_statistics(look)
        bench.progress.advance()
    return [
        Trials(scenarios[index], bench.show(look), coins[:, index], values[:, place])
        for place, (index, look) in enumerate(places)
    ]


def one_run(
    bench: TrialBench, config: ScenarioConfig, token: str, copies: int
) -> Iterator[tuple[list[Trials], str]]:
    """For each scenario that can be copied: its looks in one run, or why it could not be run."""
    copied: dict[str, Callable[[str], Scenario | None]] = {
        "unseen": lambda own_token: logs.make_unique_query(config, own_token),
        "unseen-many": lambda own_token: logs.unseen_many(config, own_token),
        "lift": lambda own_token: logs.lift_to_frequency(config, own_token, shared=token),
        "page": lambda own_token: logs.make_unique_clicks(config, own_token, shared=token),
    }
    phases = split_progress(bench.progress, [1.0] * len(copied))
    for (name, make), bench.progress in zip(copied.items(), phases, strict=True):
        first = make(f"{token} {name} 0")
        if first is None:
            continue
        rows = len(first.crowd) + max(len(first.victim), len(first.instead))
        size = min(copies // 2, MOST_COPIED // max(rows, 1))
        if size < 50:
            continue
        bench.progress.stage(
            phrase("one run with {size:,} users who may be there", size=size), size
        )
        scenarios = []
        for number in range(size):
            scenario = make(f"{token} {name} {number}")
            assert scenario is not None
            scenarios.append(scenario)
            if number % _CHUNK == 0:
                bench.progress.update(number)
        try:
            drafts = logs.ScenarioLogs(scenarios, logs.shared_crowd(config, token), by=bench.by)
            rehearsal, final = (_run_scenarios(bench, scenarios, drafts) for _ in range(2))
        except ParameterError as error:
            yield [], str(error)
            continue
        # The trials of the rehearsal choose, and as many others are counted.
        yield (
            [
                replace(
                    chooses,
                    is_inside=np.append(chooses.is_inside, counts.is_inside),
                    statistics=np.hstack([chooses.statistics, counts.statistics]),
                )
                for chooses, counts in zip(rehearsal, final, strict=True)
            ],
            "",
        )


def _run_scenarios(
    bench: TrialBench, scenarios: Sequence[Scenario], drafts: logs.ScenarioLogs
) -> list[Trials]:
    """New coins, one run, and what each look shows of every copy."""
    is_inside = bench.rng.random(len(scenarios)) < 0.5
    log = drafts.build(is_inside)
    bench.progress.check()
    reading = bench.run(log, drafts.strings)
    trials = []
    for place, look in enumerate(scenarios[0].looks):
        statistics = np.zeros((len(STATISTICS), len(scenarios)))
        for number, scenario in enumerate(scenarios):
            statistics[:, number] = reading.compute_statistics(scenario.looks[place])
            if number % _CHUNK == 0:
                bench.progress.check()
        trials.append(Trials(scenarios[0], bench.show(look), is_inside, statistics))
    return trials


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
    most = max(tried.most, tried.guesses)

    def apply(theorem: Callable[..., float]) -> tuple[float, float]:
        options = {"delta": delta, "confidence": sure}
        bound = theorem(tried.right, tried.guesses, tried.canaries, **options)
        return bound, theorem(most, most, tried.canaries, **options)

    binomial, binomial_limit = apply(bounds.one_run_epsilon)
    curve, curve_limit = apply(trade_off.one_run_curve_epsilon)
    noise = apply(trade_off.one_run_gaussian_epsilon) if gaussian and delta > 0 else (None, None)
    return OneRunBounds(binomial, curve, binomial_limit, curve_limit, *noise)
