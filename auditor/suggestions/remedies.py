"""Where nothing passes: which gate stands in the way, by how much, and what would change it.

Remedies are looked for one at a time, each the smallest of its kind: less that is wanted to be
left, more users, a longer period, a smaller unit of protection, coarser times. None goes beyond
what the policy allows of ε, δ, assumptions and attacks. What is kept comes from expectations;
attacks that succeeded are tried again, on a sample of users.

Of what is wanted to be left, the limit is what the nearest setting has where one check fails, else
what the most useful setting leaves that passes everything else.
"""

import dataclasses
import math
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from auditor.errors import Cancelled
from auditor.figures import format_share
from auditor.log.sentences import sentence
from auditor.messages import NumberText, join_phrases, phrase
from auditor.methods.noisy_counts.period_units import (
    MONTH,
    WHOLE_DELTA,
    WHOLE_EPSILON,
    period_of,
    protects_nothing,
    split_by_period,
)
from auditor.methods.registry import METHODS
from auditor.methods.statements import format_number
from auditor.privacy.release_times import EXACT, STEPS
from auditor.release.gates import is_utility
from auditor.release.policy.policy import Gate
from auditor.release.record import AttackRecord, GateVerdict
from auditor.suggestions.candidates import (
    RatedCandidate,
    SearchCandidate,
    find_family,
    find_first,
    list_families,
)
from auditor.suggestions.estimates import LogPart, expect_statement, expected_content, find_hidden
from auditor.suggestions.growth import LEAST_USERS
from auditor.suggestions.limits import PolicyLimits, attacks_of
from auditor.suggestions.passing import (
    SLOW_ROWS,
    FamilySearch,
    PassingSettings,
    PlantedGates,
    find_most_queries,
    list_numbers,
    rate_candidate,
)
from auditor.suggestions.request import parse_goal
from auditor.suggestions.result import Obstacle, Suggestion
from auditor.suggestions.table import CandidateTable, expect_verdict

ATTACKED = 1_500
"""Users of the sample on which attacks on remedies are tried."""
MOST_GROWTH = 4096
"""How many times the users, or the period, are looked at."""
GROWTH_STEP = 1.02
"""Multiples of the users that are told apart."""
LEAST_LEFT = 10
"""Fewer queries are no release by any policy."""
LONGEST_DAYS = 3_653
"""Nobody waits for more than ten years of searches."""
ANOTHER_LOOK = sentence("remedies.another_look")
"""What to do where only methods without ε were searched."""
NO_REMEDY = sentence("remedies.no_change")
CUT_SHORT = sentence("remedies.cut_short")
TOO_FEW = "More users: this log has too few to tell how many would be enough."
NO_SETTING = "No setting of the chosen methods could be made or run under this policy."
FREE_LOOK = sentence("remedies.free_look")
"""What to do where a private choice is expected to keep too little."""
NO_EPSILON = sentence("remedies.no_epsilon")
SAFER_LEVELS = (0.8, 0.65, 0.5, 0.35)
"""Shares of ε at which a setting is looked for that withstands an attack."""
UNIT_LIMITS = (1, 2, 3, 5, 8)
"""Queries of each period that are looked at where a period is protected."""
_MONTH = 30 * 86_400
_SEED = 1


def find_obstacle(
    table: CandidateTable, points: Sequence[Suggestion], part: LogPart, limits: PolicyLimits
) -> Obstacle:
    """The gates in the way of the nearest of the table's `points`, and remedies.

    `part` is the log, or what stands for it. A search that is stopped has the remedies found by
    then.
    """
    nearest = min(points, key=_measure_distance, default=None)
    gates = () if nearest is None else tuple(map(describe_gate, nearest.verdict.failed))
    if not gates:
        pruned = ((METHODS[name].title, gate) for name, gate in table.pruned.items())
        gates = tuple(
            sentence("remedies.method_fails", method=name, title=c.gate.title, evidence=c.evidence)
            for name, c in pruned
        )
    search = RemedySearch(table, points, part, limits)
    if search.lacks_epsilon:
        gates = (NO_EPSILON, *gates)
    remedies: list[str] = []
    try:
        table.progress.stage("looking for remedies")
        remedies.extend(search.iterate_remedies(nearest))
        unsaid = NO_REMEDY if table.dp_methods else ANOTHER_LOOK
    except Cancelled:  # what was found by then is told
        unsaid = CUT_SHORT
    return Obstacle(gates or (NO_SETTING,), tuple(remedies) or (unsaid,))


class RemedySearch:
    """Looks for remedies: with the policy, and the methods with ε that were searched.

    Attacks that succeeded against `points` are tried again on a sample of the users of `part`.
    """

    def __init__(
        self,
        table: CandidateTable,
        points: Sequence[Suggestion],
        part: LogPart,
        limits: PolicyLimits,
    ) -> None:
        self._part = part
        self._policy = table.request.policy
        self._limits = limits
        self._methods = table.dp_methods
        self._progress = table.progress
        self._runner = table.runner_on(part.log.sample_users(ATTACKED, _SEED))
        failed = [check.gate for point in points for check in point.verdict.failed]
        attacked = {gate.name: gate for gate in failed if attacks_of(gate)}
        self._attacked = tuple(attacked.values())

    @property
    def lacks_epsilon(self) -> bool:
        """Whether methods with ε were wanted, and the policy leaves none."""
        return bool(self._methods) and self._limits.epsilon <= 0

    def iterate_remedies(self, nearest: Suggestion | None) -> Iterator[str]:
        """What would help the nearest setting, each remedy in a sentence."""
        failed = nearest.verdict.failed if nearest is not None else ()
        if nearest is not None and len(failed) == 1:
            message = say_changed_limit(failed[0], nearest.verdict.worst, nearest.title)
            yield from filter(None, (message,))
        elif any(is_utility(check.gate) for check in failed):
            yield from filter(None, (self._say_less_wanted(),))
        if nearest is not None and (coarser := self._coarsen_times(nearest)):
            yield coarser
        if any(not (is_utility(check.gate) or attacks_of(check.gate)) for check in failed):
            return
        if not self._methods or self.lacks_epsilon:
            return
        for look in (self._add_users, self._lengthen_period, self._protect_less):
            if (remedy := look()) is not None:
                yield remedy

    def _find_best(self, limits: PolicyLimits, part: LogPart) -> RatedCandidate | None:
        """The setting of most queries that is expected of any which withstands the attacks."""
        families = list_families(limits, self._methods)
        peaks = (find_most_queries(family, part, self._progress) for family in families)
        best: RatedCandidate | None = None
        for peak in sorted(filter(None, peaks), key=_rank, reverse=True):
            if best is not None and _rank(peak) <= _rank(best):
                break
            if self._withstands(peak):
                return peak
            for level in SAFER_LEVELS:
                lower = limits.with_epsilon(limits.epsilon * level)
                family = find_family(lower, peak.method, peak.family)
                lesser = None if family is None else find_most_queries(family, part, self._progress)
                if lesser is None or (best is not None and _rank(lesser) <= _rank(best)):
                    break
                if self._withstands(lesser):
                    best = lesser
                    break
        return best

    def _withstands(self, candidate: SearchCandidate) -> bool:
        """Whether a setting isn't refused by an attack that succeeded against others."""
        if not self._attacked:
            return True
        method, params = candidate.method, candidate.params
        checks = self._runner.judge_again(method, params, self._attacked, 0)
        return all(check.verdict != "failed" for check in checks)

    def _add_users(self) -> str | None:
        limits, part = self._limits, self._part
        users, distinct = part.users, len(part.log.queries)
        if len(part.log.users) < LEAST_USERS:
            return TOO_FEW
        if limits.queries > distinct:
            return sentence("remedies.too_few_queries", distinct=distinct)

        def find_best(factor: float) -> RatedCandidate | None:
            grown = LogPart(part.log, part.scale * factor)
            return self._find_best(limits.of_users(round(users * factor)), grown)

        def passes(step: int) -> bool:
            best = find_best(min(GROWTH_STEP**step, MOST_GROWTH))
            return best is not None and best.leaves_enough(limits)

        high = 0
        last = math.ceil(math.log(MOST_GROWTH, GROWTH_STEP))
        low, jump = -1, round(math.log(4, GROWTH_STEP))
        while not passes(high):
            if high == last:
                most_users, epsilon = users * MOST_GROWTH, limits.epsilon
                return sentence("remedies.not_even_so_many_users", here=most_users, epsilon=epsilon)
            low, high = high, min(high + jump, last)
        step = find_first(low, high, passes)
        needed_users = round_two_digits(users * min(GROWTH_STEP**step, MOST_GROWTH))
        best = find_best(needed_users / users)
        if best is None:
            return None
        kept = {"queries": best.estimate.queries, "share": format_share(best.estimate.share)}
        return sentence("remedies.more_users", users=needed_users, **kept)

    def _lengthen_period(self) -> str | None:
        """By how the halves of the period compare with the whole of it, as a power of its length.

        A longer period brings more users, too: those that appear in it, not more of each alone.
        """
        log, scale, limits = self._part.log, self._part.scale, self._limits
        if log.period is None or log.period[1] - log.period[0] < 2 * 86_400:
            return None
        begin, end = log.period
        full = self._find_best(limits, self._part)
        halves = []
        for keep in (log.time < (begin + end) // 2, log.time >= (begin + end) // 2):
            half = log.rows(keep)
            if not len(half.users):
                return None
            users = round(len(half.users) * scale)
            best = self._find_best(limits.of_users(users), LogPart(half, scale))
            if best is not None:
                halves.append(best.estimate.queries)
        target = limits.queries
        if full is None or len(halves) < 2 or not 1 <= full.estimate.queries < target:
            return None  # less than one query says nothing of how many more time would bring
        mean = float(np.mean(halves))
        if not 0 < mean < full.estimate.queries:
            return None
        power = math.log2(full.estimate.queries / mean)
        doublings = math.log2(target / full.estimate.queries) / power
        if doublings > math.log2(MOST_GROWTH):
            return None
        days = (end - begin) / 86_400 * 2**doublings
        if days > LONGEST_DAYS:
            return None
        length = phrase("{days:,.0f} days", days=days)
        if days >= 90:
            length = phrase("{days:,.0f} months", days=days * 86_400 / _MONTH)
        return sentence("remedies.longer_period", power=power, said=length, wanted=target)

    def _protect_less(self) -> str | None:
        """The largest period of a history of which a release with as much ε leaves enough."""
        log, limits = self._part.log, self._limits
        # Of one user more or less, by a law of users alone.
        methods = [
            name
            for name in METHODS
            if METHODS[name].law is not None and not METHODS[name].exchanges
            for spec in METHODS[name].params.specs()
            if spec.name == "protected_unit" and MONTH in {o.value for o in spec.options}
        ]
        families = [group for group in list_families(limits, methods) if group.direction == "limit"]
        for unit in ("month", "week", "day"):
            if not len(log):
                return None
            # As many of a user's periods count as nine in ten users have at most.
            pairs = np.stack((log.user.astype(np.int64), period_of(log.time, unit)))
            periods_of_users = np.bincount(np.unique(pairs, axis=1)[0], minlength=1)
            periods = int(np.quantile(periods_of_users[periods_of_users > 0], 0.9, method="higher"))
            if periods < 2:
                continue
            # Of the log that is cut into periods, a period is a whole history.
            cut = LogPart(split_by_period(log, unit, periods), self._part.scale)
            settings = chain.from_iterable(f.iterate_candidates(UNIT_LIMITS) for f in families)
            goal = parse_goal("queries")
            rated = (rate_candidate(trial, cut, goal, self._progress) for trial in settings)
            best = max(filter(None, rated), key=_rank, default=None)
            if best is None:
                continue
            kept_share = int(cut.log.event_starts.sum()) / max(int(log.event_starts.sum()), 1)
            estimate = dataclasses.replace(best.estimate, share=best.estimate.share * kept_share)
            params = best.params.replace(protected_unit=unit, periods=periods)
            best = dataclasses.replace(best, params=params, estimate=estimate)
            if not best.leaves_enough(limits):
                continue
            statement = expect_statement(best.method, params, limits.users)
            if statement is None:
                continue
            content = expected_content(estimate, self._part)
            verdict = expect_verdict(statement, content, self._policy, limits.users)
            if verdict.failed or not self._withstands(best):
                continue
            costs = statement.measured[WHOLE_EPSILON], statement.measured[WHOLE_DELTA]
            is_alone = protects_nothing(*costs)
            return sentence(
                "remedies.smaller_unit_alone" if is_alone else "remedies.smaller_unit",
                unit=unit,
                queries=estimate.queries,
                share=format_share(estimate.share),
                method=METHODS[best.method].title,
                epsilon=format_number(statement.epsilon or 0.0),
                delta=format_number(statement.delta or 0.0),
                periods=periods,
                whole=format_number(costs[0]),
                whole_delta=format_number(costs[1]),
            )
        return None

    def _coarsen_times(self, nearest: Suggestion) -> str | None:
        """The finest coarser times with which fewer checks of a released log fail, on a sample."""
        failed = [check.gate for check in nearest.verdict.failed if not is_utility(check.gate)]
        if nearest.params.to_dict().get("times") != EXACT or not failed:
            return None
        for times in STEPS:
            params = nearest.params.replace(times=times)
            checks = self._runner.judge_again(nearest.method, params, failed, 0)
            if passed := [check for check in checks if check.ok]:
                titles = [
                    sentence("remedies.check", title=check.gate.title, evidence=check.evidence)
                    for check in passed
                ]
                return sentence(
                    "remedies.coarser_times",
                    times=times,
                    suggestion=nearest.title,
                    titles=join_phrases(", ", titles),
                    rest=len(checks) - len(passed),
                )
        return None

    def _say_less_wanted(self) -> str:
        """What a policy may want to be left for a setting to pass; empty where that is no release.

        It is the setting with most queries that is calculated to pass all but what is wanted to be
        left. Of a large log quick families alone are looked at.
        """
        part, policy = self._part, self._policy
        log = part.log
        if part.scale == 1:  # of a sample or a made-up log it isn't known what has to be kept back
            hidden = find_hidden(log, policy, self._progress)
            part = dataclasses.replace(part, hidden=hidden)
        limits = dataclasses.replace(self._limits, queries=1.0, share=0.0)
        rating = FamilySearch(log, parse_goal("queries"), self._progress, part.scale)
        passing = PassingSettings(rating, part, limits, PlantedGates(policy))
        families = list_numbers(list_families(limits, self._methods), (), len(log))
        if len(log) >= SLOW_ROWS:
            families = [pair for pair in families if not pair[0].walks]
        setting = next(passing.find(families), None)
        if setting is None:
            return ""
        estimate = setting.estimate
        best = {"release.queries": estimate.least_queries, "release.searches_share": estimate.share}
        changes = []
        for gate in policy.checks:
            value = best.get(gate.figure)
            if value is None or not is_utility(gate) or gate.admits(value):
                continue
            if value < (LEAST_LEFT if gate.figure == "release.queries" else 1e-4):
                return ""
            changes.append(_say_least(gate, value))
        if not changes:
            return ""
        listed = join_phrases(", ", changes)
        return sentence("remedies.less_wanted", wanted=listed, title=setting.label)


def _rank(candidate: RatedCandidate) -> tuple[float, float]:
    return candidate.estimate.queries, candidate.estimate.share


def _measure_distance(point: Suggestion) -> tuple[int, float]:
    """How many gates fail, and by how much the worst of them, as a share of its limit."""
    worst = 0.0
    for check in point.verdict.failed:
        limit = check.gate.least if check.gate.least is not None else check.gate.most
        if check.value is None or limit is None:
            worst = math.inf
        else:
            worst = max(worst, abs(check.value - limit) / max(abs(limit), 1e-9))
    return len(point.verdict.failed), worst


def describe_gate(check: GateVerdict) -> str:
    """A gate with its value and its limit."""
    return sentence("remedies.gate", title=check.gate.title, evidence=check.evidence)


def round_two_digits(value: float) -> int:
    power = int(10 ** max(math.floor(math.log10(value)) - 1, 0))
    return math.ceil(value / power) * power


def say_changed_limit(check: GateVerdict, worst: AttackRecord | None, setting: str) -> str:
    """What to change where one gate alone fails; empty where no limit of it would be right.

    Only less that is wanted to be left is offered: what a policy allows of ε, δ, assumptions and
    attacks stands. `worst` is the worst attack on the nearest setting, called `setting`. Where
    guessing alone gets beyond the limit, no release can pass it, and that is said.
    """
    gate = check.gate
    guessing = worst.baseline if worst is not None and worst.rate == check.value else 0.0
    if gate.figure.endswith(".rate") and gate.most is not None and gate.most < guessing:
        share = format_share(guessing)
        return sentence("remedies.guessing_alone", guessing=share, title=gate.title)
    value = check.value
    if not is_utility(gate) or value is None or not math.isfinite(value) or value <= 0:
        return ""
    if gate.least is None or value >= gate.least:
        return ""
    if gate.figure == "release.queries" and value < LEAST_LEFT:
        return ""
    return sentence("remedies.policy", said=_say_least(gate, value), title=setting)


def _say_least(gate: Gate, value: float) -> str:
    text = round_down(value)
    if gate.is_share:
        text = phrase("{value} %", value=round_down(100 * value))
    return sentence("remedies.at_least", title=gate.title, value=text)


def round_down(value: float) -> str:
    """Two digits, at which a setting still passes that has so much left."""
    if value == 0:
        return "0"
    power = 10 ** (math.floor(math.log10(abs(value))) - 1)
    # What is two digits but for how it is stored stays as it is.
    rounded = math.floor(value / power + 1e-9) * power
    return NumberText(f"{rounded:,.0f}" if abs(rounded) >= 1_000 else f"{rounded:.3g}")
