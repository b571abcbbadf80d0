"""Where nothing passes: which gate stands in the way, by how much, and what would change it.

Remedies are looked for one at a time, each the smallest of its kind: less that is wanted to be
left, more users of the same kind, a longer period, a smaller unit of protection than a user's whole
history, coarser times. None goes beyond what the policy allows of ε, δ, assumptions
and attacks. What is kept comes from expectations; attacks that succeeded are tried again, on a
sample of users.

Of what is wanted to be left, the limit is what the nearest setting has where one check fails. Where
too little is left and more fails besides, it is what the most useful setting leaves that passes
everything else.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from auditor.errors import Cancelled
from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import NumberText, join_phrases, phrase
from auditor.methods.base import Method
from auditor.methods.noisy_counts.period_units import MONTH, period_of, split_by_period
from auditor.methods.registry import METHODS
from auditor.privacy.release_times import EXACT, STEPS
from auditor.progress import Progress
from auditor.release.gates import is_utility
from auditor.release.policy.policy import Gate, Policy
from auditor.release.record import AttackRecord, GateVerdict
from auditor.suggestions.candidates import SearchCandidate, find_family, list_families
from auditor.suggestions.content_gates import find_hidden
from auditor.suggestions.estimates import (
    CandidateEstimate,
    LogPart,
    estimate_content,
    expect_statement,
    expected_content,
)
from auditor.suggestions.family_search import FamilySearch, RatedCandidate, find_most_queries
from auditor.suggestions.goals import parse_goal
from auditor.suggestions.growth import LEAST_USERS
from auditor.suggestions.limits import PolicyLimits, attacks_of
from auditor.suggestions.result import Obstacle, Suggestion
from auditor.suggestions.runs.evaluation import CandidateRunner, expect_verdict
from auditor.suggestions.runs.passing_settings import SLOW_ROWS, PassingSettings, list_numbers
from auditor.suggestions.runs.planted_gates import PlantedGates

MOST_GROWTH = 4096
"""How many times the users, or the period, are looked at."""
LEAST_LEFT = 10
"""Fewer queries are no release by any policy."""
LONGEST_DAYS = 3_653
"""Nobody waits for more than ten years of searches."""
ANOTHER_LOOK = (
    "Search methods with ε: on an older or a synthetic log, by public sizes, or by a private "
    "selection on this one."
)
"""What to do where only methods without ε were searched."""
NO_REMEDY = (
    "No single change within the policy's limits that was looked at would be enough: more users, a "
    "longer period or a smaller unit of protection."
)
CUT_SHORT = (
    "The search ended before it was known what would help: give it more time, and it goes on."
)
TOO_FEW = "More users: this log has too few to tell how many would be enough."
NO_SETTING = "No setting of the chosen methods could be made or run under this policy."
FREE_LOOK = (
    "What would change that, a search of an older or a synthetic log tells for free; of this log "
    "it would cost more ε."
)
"""What to do where a private choice is expected to keep too little."""
NO_EPSILON = (
    "Methods with ε: the policy, less what earlier releases of this log have used of it, leaves "
    "no ε."
)
SAFER_LEVELS = (0.8, 0.65, 0.5, 0.35)
"""Shares of ε at which a setting is looked for that withstands an attack."""
UNIT_LIMITS = (1, 2, 3, 5, 8)
"""Queries of each period that are looked at where a period is protected."""
_HALVINGS = 10
_MONTH = 30 * 86_400


@dataclass(frozen=True)
class RemedySearch:
    """What remedies are looked for with: the log, the policy, and the methods that were searched.

    `scale` is how many users each user of the log stands for, `runner` tries attacks on a sample of
    them, and `gates` are those on attacks that succeeded.
    """

    log: QueryLog
    scale: float
    policy: Policy
    limits: PolicyLimits
    methods: tuple[str, ...]
    progress: Progress
    runner: CandidateRunner
    gates: tuple[Gate, ...] = ()

    def find_best(self, limits: PolicyLimits, part: LogPart) -> CandidateEstimate | None:
        """The most queries that is expected of any setting which withstands the attacks."""
        peaks = []
        for family in list_families(limits, self.methods):
            peak = find_most_queries(family, part, self.progress)
            if peak is not None:
                peaks.append((family, *peak))
        peaks.sort(key=lambda one: (-one[2].queries, -one[2].share))
        best: CandidateEstimate | None = None
        for family, candidate, estimate in peaks:
            if best is not None and not _is_better(estimate, best):
                break
            if self.withstands(candidate):
                return estimate
            for level in SAFER_LEVELS:
                lower = limits.with_epsilon(limits.epsilon * level)
                same = find_family(lower, family.method, family.name)
                less = None if same is None else find_most_queries(same, part, self.progress)
                if less is None or (best is not None and not _is_better(less[1], best)):
                    break
                if self.withstands(less[0]):
                    best = less[1]
                    break
        return best

    def withstands(self, candidate: SearchCandidate) -> bool:
        """Whether a setting isn't refused by an attack that succeeded against others."""
        if not self.gates:
            return True
        judged = self.runner.judge_again(candidate.method, candidate.params, self.gates, 0)
        return all(one.verdict != "failed" for one in judged)

    def allows(self, estimate: CandidateEstimate, candidate: SearchCandidate) -> bool:
        """Whether no check is expected to fail of a setting, and none that an attack decides."""
        statement = expect_statement(candidate.method, candidate.params, self.limits.users)
        if statement is None:
            return False
        kept = expected_content(estimate, self.whole)
        verdict = expect_verdict(statement, kept, self.policy, self.limits.users)
        return not verdict.failed and self.withstands(candidate)

    @property
    def counts(self) -> bool:
        """Whether a method with ε was searched."""
        return any(METHODS[name].families for name in self.methods)

    @property
    def lacks_epsilon(self) -> bool:
        """Whether methods with ε were wanted, and the policy leaves none."""
        return self.counts and self.limits.epsilon <= 0

    @property
    def whole(self) -> LogPart:
        """The log itself."""
        return LogPart(self.log, self.scale)


def find_obstacle(
    points: Sequence[Suggestion], pruned: Mapping[str, GateVerdict], search: RemedySearch
) -> Obstacle:
    """The gates in the way of the nearest setting, and remedies.

    `pruned` says of methods of which no setting was run which check each of them fails. If the time
    runs out or somebody stops it, the remedies are those found by then.
    """
    nearest = min(points, key=_measure_distance, default=None)
    gates = (
        tuple(describe_gate(one) for one in nearest.verdict.failed) if nearest is not None else ()
    )
    if not gates:
        gates = tuple(
            sentence(
                "remedies.method_fails",
                method=METHODS[name].title,
                title=one.gate.title,
                evidence=one.evidence,
            )
            for name, one in pruned.items()
        )
    if search.lacks_epsilon:
        gates = (NO_EPSILON, *gates)
    remedies: list[str] = []
    try:
        remedies.extend(_iterate_remedies(nearest, search))
        unsaid = NO_REMEDY if search.counts else ANOTHER_LOOK
    except Cancelled:  # what was found by then is told
        unsaid = CUT_SHORT
    return Obstacle(gates or (NO_SETTING,), tuple(remedies) or (unsaid,))


def _iterate_remedies(nearest: Suggestion | None, search: RemedySearch) -> Iterator[str]:
    failed = nearest.verdict.failed if nearest is not None else ()
    if nearest is not None and len(failed) == 1:
        said = say_changed_limit(failed[0], nearest.verdict.worst, nearest.title)
        yield from filter(None, (said,))
    elif any(is_utility(one.gate) for one in failed):
        yield from filter(None, (_say_less_wanted(search.policy, _find_passing(search)),))
    if nearest is not None and (coarser := _coarser_times(nearest, search)):
        yield coarser
    if any(not (is_utility(one.gate) or attacks_of(one.gate)) for one in failed):
        return
    if not search.counts or search.lacks_epsilon:
        return
    for look in (_more_users, _longer_period, _smaller_unit):
        if (found := look(search)) is not None:
            yield found


def _more_users(search: RemedySearch) -> str | None:
    limits, part = search.limits, search.whole
    here = part.users
    if len(part.log.users) < LEAST_USERS:
        return TOO_FEW

    def scale_users(factor: float) -> tuple[PolicyLimits, LogPart]:
        users = round(here * factor)
        return limits.of_users(users), LogPart(part.log, part.scale * factor)

    distinct = len(part.log.queries)
    if limits.queries > distinct:
        return sentence("remedies.too_few_queries", distinct=distinct)

    def passes(factor: float) -> bool:
        best = search.find_best(*scale_users(factor))
        return best is not None and limits.is_enough(best.least_queries, best.share)

    found = _find_least_factor(passes, MOST_GROWTH)
    if found is None:
        return sentence(
            "remedies.not_even_so_many_users", here=here * MOST_GROWTH, epsilon=limits.epsilon
        )
    users = round_two_digits(here * found)
    best = search.find_best(*scale_users(users / here))
    if best is None:
        return None
    return sentence(
        "remedies.more_users", users=users, queries=best.queries, share=format_share(best.share)
    )


def _longer_period(search: RemedySearch) -> str | None:
    """By how the halves of the period compare with the whole of it, as a power of its length.

    A longer period brings more users, too: those that appear in it, not more of each alone.
    """
    log, limits = search.log, search.limits
    period = log.period
    if period is None or period[1] - period[0] < 2 * 86_400:
        return None
    middle = (period[0] + period[1]) // 2
    whole = search.find_best(limits, search.whole)
    halves = []
    for keep in (log.time < middle, log.time >= middle):
        half = log.rows(keep)
        if not len(half.users):
            return None
        users = round(len(half.users) * search.scale)
        found = search.find_best(limits.of_users(users), LogPart(half, search.scale))
        if found is not None:
            halves.append(found.queries)
    wanted = max(limits.queries, 1)
    if whole is None or len(halves) < 2 or not 1 <= whole.queries < wanted:
        return None  # less than one query says nothing of how many more time would bring
    mean = float(np.mean(halves))
    if not 0 < mean < whole.queries:
        return None
    power = math.log2(whole.queries / mean)
    doublings = math.log2(wanted / whole.queries) / power
    if doublings > math.log2(MOST_GROWTH):
        return None
    days = (period[1] - period[0]) / 86_400 * 2**doublings
    if days > LONGEST_DAYS:
        return None
    said = (
        phrase("{days:,.0f} days", days=days)
        if days < 90
        else phrase("{days:,.0f} months", days=days * 86400 / _MONTH)
    )
    return sentence("remedies.longer_period", power=power, said=said, wanted=wanted)


def _smaller_unit(search: RemedySearch) -> str | None:
    """The largest period of a user's history of which a release with as much ε leaves enough."""
    limits = search.limits
    methods = [name for name in METHODS if _counts_periods(METHODS[name])]
    families = [family for family in list_families(limits, methods) if family.direction == "limit"]
    for unit in ("month", "week", "day"):
        periods = _active_periods(search.log, unit)
        if periods < 2:
            continue
        cut = split_by_period(search.log, unit, periods)
        kept = int(cut.event_starts.sum()) / max(int(search.log.event_starts.sum()), 1)
        best: tuple[CandidateEstimate, SearchCandidate] | None = None
        settings = chain.from_iterable(one.iterate_candidates(UNIT_LIMITS) for one in families)
        for candidate in settings:
            # Of the log that is cut into periods, a period is a whole history.
            part = LogPart(cut, search.scale)
            estimate = estimate_content(candidate.method, candidate.params, part, search.progress)
            if estimate is None or (best is not None and not _is_better(estimate, best[0])):
                continue
            params = candidate.params.replace(unit=unit, periods=periods)
            best = (
                dataclasses.replace(estimate, share=estimate.share * kept),
                dataclasses.replace(candidate, params=params),
            )
        if best is None or not limits.is_enough(best[0].least_queries, best[0].share):
            continue
        if not search.allows(*best):
            continue
        whole = limits.epsilon * periods
        return sentence(
            "remedies.smaller_unit",
            unit=unit,
            queries=best[0].queries,
            share=format_share(best[0].share),
            method=METHODS[best[1].method].title,
            epsilon=limits.epsilon,
            periods=periods,
            whole=whole,
        )
    return None


def _counts_periods(method: Method) -> bool:
    """Whether a method can protect a period of one user more or less, by a law of users alone."""
    units = {spec.name: spec for spec in method.params.specs()}.get("unit")
    known = units is not None and MONTH in {option.value for option in units.options}
    return known and method.law is not None and not method.exchanges


def _active_periods(log: QueryLog, unit: str) -> int:
    """How many of a user's periods count: as many as nine in ten users have at most."""
    if not len(log):
        return 0
    period = period_of(log.time, unit)
    pairs = np.unique(np.stack((log.user.astype(np.int64), period)), axis=1)
    each = np.bincount(pairs[0], minlength=1)
    return int(np.quantile(each[each > 0], 0.9, method="higher"))


def _coarser_times(nearest: Suggestion, search: RemedySearch) -> str | None:
    """The finest coarser times with which fewer checks of a released log fail, on a sample."""
    failed = [one.gate for one in nearest.verdict.failed if not is_utility(one.gate)]
    if nearest.params.to_dict().get("times") != EXACT or not failed:
        return None
    for times in STEPS:
        params = nearest.params.replace(times=times)
        judged = search.runner.judge_again(nearest.method, params, failed, 0)
        mended = [one for one in judged if one.ok]
        if mended:
            titles = join_phrases(
                ", ",
                [
                    sentence("remedies.check", title=one.gate.title, evidence=one.evidence)
                    for one in mended
                ],
            )
            return sentence(
                "remedies.coarser_times",
                times=times,
                suggestion=nearest.title,
                titles=titles,
                rest=len(judged) - len(mended),
            )
    return None


def _is_better(one: CandidateEstimate, other: CandidateEstimate) -> bool:
    return (one.queries, one.share) > (other.queries, other.share)


def _find_least_factor(passes: Callable[[float], bool], most: float) -> float | None:
    """The least factor above 1, up to `most`, at which it passes; larger ones pass, too."""
    low, high = 1.0, 1.0
    while not passes(high):
        if high >= most:
            return None
        low, high = high, min(high * 4, most)
    for _ in range(_HALVINGS):
        if high / low < 1.02:
            break
        middle = math.sqrt(low * high)
        low, high = (low, middle) if passes(middle) else (middle, high)
    return high


def _measure_distance(point: Suggestion) -> tuple[int, float]:
    """How many gates fail, and by how much the worst of them, as a share of its limit."""
    worst = 0.0
    for one in point.verdict.failed:
        limit = one.gate.least if one.gate.least is not None else one.gate.most
        if one.value is None or limit is None:
            worst = math.inf
        else:
            worst = max(worst, abs(one.value - limit) / max(abs(limit), 1e-9))
    return len(point.verdict.failed), worst


def describe_gate(one: GateVerdict) -> str:
    """A gate with its value and its limit."""
    return sentence("remedies.gate", title=one.gate.title, evidence=one.evidence)


def round_two_digits(value: float) -> int:
    power = int(10 ** max(math.floor(math.log10(value)) - 1, 0))
    return math.ceil(value / power) * power


def _find_passing(search: RemedySearch) -> RatedCandidate | None:
    """The setting with most queries that passes all but what is wanted to be left.

    It is calculated, as that of a search is. Of a large log quick families alone are looked at.
    """
    log, part = search.log, search.whole
    if part.scale == 1:  # of a sample or a made-up log it isn't known what has to be kept back
        hidden = find_hidden(log, search.policy, None, search.progress)
        part = dataclasses.replace(part, hidden=hidden)
    limits = dataclasses.replace(search.limits, queries=0.0, share=0.0)
    rating = FamilySearch(log, parse_goal("queries"), search.progress, part.scale)
    passing = PassingSettings(rating, part, limits, PlantedGates(search.policy))
    families = list_numbers(list_families(limits, search.methods), (), len(log))
    if len(log) >= SLOW_ROWS:
        families = [pair for pair in families if not pair[0].walks]
    return next(passing.find(families), None)


def _say_less_wanted(policy: Policy, found: RatedCandidate | None) -> str:
    """What a policy may want to be left for a setting to pass; empty where that is no release."""
    if found is None:
        return ""
    estimate = found.estimate
    left = {"release.queries": estimate.least_queries, "release.searches_share": estimate.share}
    wanted = []
    for gate in policy.checks:
        value = left.get(gate.figure)
        if value is None or not is_utility(gate) or gate.admits(value):
            continue
        if value < (LEAST_LEFT if gate.figure == "release.queries" else 1e-4):
            return ""
        wanted.append(_say_least(gate, value))
    if not wanted:
        return ""
    return sentence(
        "remedies.less_wanted", wanted=join_phrases(", ", wanted), title=found.candidate.label
    )


def say_changed_limit(one: GateVerdict, worst: AttackRecord | None, setting: str) -> str:
    """What to change where one gate alone fails; empty where no limit of it would be right.

    Only less that is wanted to be left is offered: what a policy allows of ε, δ, assumptions and
    attacks stands. `worst` is the worst attack on the nearest setting, which is called `setting`.
    Where guessing alone gets beyond the limit, no release can pass it, and that is said.
    """
    gate = one.gate
    guessing = worst.baseline if worst is not None and worst.rate == one.value else 0.0
    if gate.figure.endswith(".rate") and gate.most is not None and gate.most < guessing:
        return sentence(
            "remedies.guessing_alone", guessing=format_share(guessing), title=gate.title
        )
    value = one.value
    if not is_utility(gate) or value is None or not math.isfinite(value) or value <= 0:
        return ""
    if gate.least is None or value >= gate.least:
        return ""
    if gate.figure == "release.queries" and value < LEAST_LEFT:
        return ""
    return sentence("remedies.policy", said=_say_least(gate, value), title=setting)


def _say_least(gate: Gate, value: float) -> str:
    return sentence(
        "remedies.at_least",
        title=gate.title,
        value=phrase("{value} %", value=round_down(100 * value))
        if gate.is_share
        else round_down(value),
    )


def round_down(value: float) -> str:
    """Two digits, at which a setting still passes that has so much left."""
    if value == 0:
        return "0"
    power = 10 ** (math.floor(math.log10(abs(value))) - 1)
    # What is two digits but for how it is stored stays as it is.
    rounded = math.floor(value / power + 1e-9) * power
    return NumberText(f"{rounded:,.0f}" if abs(rounded) >= 1_000 else f"{rounded:.3g}")
