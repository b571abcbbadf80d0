"""Where nothing passes: which gate stands in the way, by how much, and what would change it.

Remedies are looked for one at a time, each the smallest of its kind: a larger ε, another limit of
the gate itself, more users of the same kind, a longer period. All of it comes from expectations.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.figures import format_share
from auditor.log.model import QueryLog
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import METHODS
from auditor.progress import Progress
from auditor.release.gates import GateVerdict, is_utility
from auditor.release.policy.policy import Policy
from auditor.suggestions.candidates import COUNTED, CandidateFamily, list_families
from auditor.suggestions.estimates import CandidateEstimate, LogPart, estimate_content
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.result import Obstacle, Suggestion

MOST_EPSILON = 200.0
MOST_GROWTH = 4096
"""How many times the users, or the period, are looked at."""
ANOTHER_LOOK = (
    "Search methods with ε: on an older or a synthetic log, by public sizes, or by a private "
    "selection on this one."
)
"""What to do where only methods without ε were searched."""
NO_SETTING = "No setting of the chosen methods could be made or run under this policy."
FREE_LOOK = (
    "What would change that, a search of an older or a synthetic log tells for free; of this log "
    "it would cost more ε."
)
"""What to do where a private choice is expected to keep too little."""
_HALVINGS = 10
_MONTH = 30 * 86_400


@dataclass(frozen=True)
class RemedySearch:
    """What remedies are looked for with: the log, the policy, and the methods that were searched.

    `scale` is how many users each user of the log stands for.
    """

    log: QueryLog
    scale: float
    policy: Policy
    limits: PolicyLimits
    methods: tuple[str, ...]
    progress: Progress

    def best(self, limits: PolicyLimits, part: LogPart) -> CandidateEstimate | None:
        """The most queries that is expected of any setting, with the share that goes with it."""
        found: CandidateEstimate | None = None
        for family in list_families(limits, self.methods):
            if family.direction != "limit":
                continue
            one = _peak(family, part, self.progress)
            if one is not None and (found is None or _meets(one, found)):
                found = one
        return found

    def passes(self, limits: PolicyLimits, part: LogPart) -> bool:
        """Whether some setting is expected to leave as much as the policy wants."""
        found = self.best(limits, part)
        return found is not None and self._enough(found)

    def _enough(self, found: CandidateEstimate) -> bool:
        return found.queries >= max(self.limits.queries, 1) and found.share >= self.limits.share

    @property
    def whole(self) -> LogPart:
        """The log itself."""
        return LogPart(self.log, self.scale)


def find_obstacle(
    points: Sequence[Suggestion], pruned: Mapping[str, str], search: RemedySearch
) -> Obstacle:
    """The gates in the way of the nearest setting, and remedies.

    `pruned` says of methods of which no setting was run which check each of them fails.
    """
    nearest = min(points, key=_distance, default=None)
    gates = (
        tuple(describe_gate(one) for one in nearest.verdict.failed) if nearest is not None else ()
    )
    if not gates:
        gates = tuple(f"{METHODS[name].title}: {why}" for name, why in pruned.items())
    remedies = tuple(_remedies(nearest, search))
    if not remedies:
        remedies = (ANOTHER_LOOK,)
    return Obstacle(gates or (NO_SETTING,), remedies)


def _remedies(nearest: Suggestion | None, search: RemedySearch) -> Iterator[str]:
    failed = nearest.verdict.failed if nearest is not None else ()
    if nearest is not None:
        for one in failed:
            if (said := _other_limit(one)) and len(failed) == 1:
                yield phrase(
                    "Policy: {said} and {title} passes.",
                    said=as_phrase(said),
                    title=as_phrase(nearest.title),
                )
    if any(not is_utility(one.gate) for one in failed):
        return
    if not any(name in COUNTED for name in search.methods):
        return
    for look in (_larger_epsilon, _more_users, _longer_period):
        if (found := look(search)) is not None:
            yield found
    if nearest is not None and nearest.params.to_dict().get("clicks") in (True, "observed"):
        yield "Fewer columns: without clicks and transitions all of ε goes to the queries."


def _other_limit(one: GateVerdict) -> str:
    """The smallest change of a gate's own limit."""
    if one.value is None or not math.isfinite(one.value):
        return ""
    if one.gate.least is not None and one.value < one.gate.least:
        return phrase(
            "let “{title}” be {value} or more",
            title=as_phrase(one.gate.title),
            value=_rounded(one.value, down=True),
        )
    if one.gate.most is not None and one.value > one.gate.most:
        return phrase(
            "let “{title}” be {value} or less",
            title=as_phrase(one.gate.title),
            value=_rounded(one.value, down=False),
        )
    return ""


def _larger_epsilon(search: RemedySearch) -> str | None:
    limits, part = search.limits, search.whole
    found = _least(
        lambda factor: search.passes(limits.at(limits.epsilon * factor), part),
        max(MOST_EPSILON / max(limits.epsilon, 1e-9), 1.0),
    )
    if found is None:
        return None
    return phrase(
        "Policy: with ε ≤ {epsilon} something passes.",
        epsilon=_rounded(limits.epsilon * found, down=False),
    )


def _more_users(search: RemedySearch) -> str | None:
    limits, part = search.limits, search.whole
    here = limits.users

    def at(factor: float) -> tuple[PolicyLimits, LogPart]:
        users = round(here * factor)
        return limits.of_users(users), LogPart(part.log, part.scale * factor)

    found = _least(lambda factor: search.passes(*at(factor)), MOST_GROWTH)
    if found is None:
        return phrase(
            "More users: not even {here:,} users of this kind would be enough at ε = "
            "{epsilon:.3g}.",
            here=here * MOST_GROWTH,
            epsilon=limits.epsilon,
        )
    users = _two_digits(here * found)
    best = search.best(*at(users / here))
    if best is None:
        return None
    return phrase(
        "More users: with {users:,} users of this kind about {queries:,.0f} queries "
        "({share} of the searches) pass.",
        users=users,
        queries=best.queries,
        share=format_share(best.share),
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
    whole = search.best(limits, search.whole)
    halves = []
    for keep in (log.time < middle, log.time >= middle):
        half = log.rows(keep)
        if not len(half.users):
            return None
        users = round(len(half.users) * search.scale)
        found = search.best(limits.of_users(users), LogPart(half, search.scale))
        if found is not None:
            halves.append(found.queries)
    if whole is None or len(halves) < 2 or not 0 < np.mean(halves) < whole.queries:
        return None
    power = math.log2(whole.queries / float(np.mean(halves)))
    wanted = max(limits.queries, 1)
    if whole.queries >= wanted:
        return None
    times = (wanted / whole.queries) ** (1 / power)
    if times > MOST_GROWTH:
        return None
    days = (period[1] - period[0]) / 86_400 * times
    said = (
        phrase("{days:,.0f} days", days=days)
        if days < 90
        else phrase("{days:,.0f} months", days=days * 86400 / _MONTH)
    )
    return phrase(
        "Longer period: what passes grew with its length to the power {power:.2g} "
        "between half of this log and all of it; at that, {said} would bring "
        "{wanted:,.0f} queries.",
        power=power,
        said=as_phrase(said),
        wanted=wanted,
    )


def _peak(family: CandidateFamily, part: LogPart, progress: Progress) -> CandidateEstimate | None:
    """The most that a family is expected to release; two falls in a row end the climb."""
    best: CandidateEstimate | None = None
    falls = 0
    for candidate in family.candidates():
        progress.check()
        found = estimate_content(candidate.method, candidate.params, part, progress)
        if found is None:
            continue
        if best is None or found.queries >= best.queries:
            best, falls = found, 0
        else:
            falls += 1
        if falls == 2:
            break
    return best


def _meets(one: CandidateEstimate, other: CandidateEstimate) -> bool:
    return (one.queries, one.share) > (other.queries, other.share)


def _least(passes: Callable[[float], bool], most: float) -> float | None:
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


def _distance(point: Suggestion) -> tuple[int, float]:
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
    return f"{one.gate.title}: {one.evidence}"


def _rounded(value: float, *, down: bool) -> str:
    """Two digits, to the side on which the setting still passes."""
    if value == 0:
        return "0"
    power = 10 ** (math.floor(math.log10(abs(value))) - 1)
    rounded = (math.floor if down else math.ceil)(value / power) * power
    return f"{rounded:.3g}"


def _two_digits(value: float) -> int:
    power = int(10 ** max(math.floor(math.log10(value)) - 1, 0))
    return math.ceil(value / power) * power
