"""The verdict: one answer from a run, from its record and from an outlook; and its guarantee."""

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.attacks.registry import ATTACKS
from auditor.figures import MetricValue, format_power, format_share
from auditor.methods.base import ExpectedRelease
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    WEEK,
    cost_at_unit,
    count_units,
    describe_neighbours,
    describe_unit,
    state_period,
)
from auditor.methods.registry import METHODS
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy.statement import Assumption, Statement
from auditor.release.guarantee import Strength, meaning_of, strength_of
from auditor.release.loading import statement_of
from auditor.release.policy.policy import Gate, Policy, read_policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseState, describe_rate, measured_verdict
from tests.methods.logs import log_of
from tests.narrowing import present
from tests.release import fakes
from tests.release.judging import EVERY_CHECK, judge_gate, judge_outlook, policy_of

FORMAL = statement_of({"model": "differential privacy", "epsilon": 5.8, "delta": 1e-6})
CONTENT = {"queries": 1, "log_queries": 160_852, "searches": 16, "log_searches": 1_000}


def gate(name: str, figure: str = "statement.epsilon") -> Gate:
    return Gate(name, f"Title of {name}", figure, most=1.0)


def outcome(name: str, verdict: Any, figure: str = "statement.epsilon") -> GateVerdict:
    return GateVerdict(gate(name, figure), verdict, None, "because")


def of(*checks: GateVerdict, kept: dict[str, Any] | None = None, **more: Any) -> Any:
    recorded = {"kept": CONTENT if kept is None else kept, "attacks": more.pop("attacks", {})}
    record = ReleaseRecord.from_dict(recorded, FORMAL)
    record = dataclasses.replace(record, judged=checks, policy=policy_of())
    return measured_verdict(record.override(more.pop("overridden", ())))


def policy(*gates: Gate) -> Policy:
    some = Gate("some", "Something is left", "release.queries", least=1.0)
    every = gates if any(item.figure == some.figure for item in gates) else (*gates, some)
    return policy_of(*every)


OUTCOMES = {"✓": "passed", "✗": "failed", "?": "not measured", "–": "does not apply"}


@pytest.mark.parametrize(
    ("signs", "state", "checks"),
    [
        ("✓–", "RELEASABLE", "0 of 1 applicable check failed; 1 more does not apply"),
        ("✓✓–", "RELEASABLE", "all 2 applicable checks passed; 1 more does not apply"),
        ("✓✗", "REFUSED", "1 of 2 applicable checks failed"),
        ("✓?", "NOT_CHECKED", "0 of 2 applicable checks failed, 1 could not be made"),
        ("–", "NOT_CHECKED", "no check was made"),
        ("", "NOT_CHECKED", "no check was made"),
    ],
)
def test_that_checks_decide_the_answer(signs: str, state: str, checks: str) -> None:
    verdict = of(*(outcome(f"{index}", OUTCOMES[sign]) for index, sign in enumerate(signs)))
    assert (verdict.state, verdict.checks) == (ReleaseState[state], checks)
    assert verdict.applicable == len(signs) - signs.count("–")
    assert verdict.releasable == (state == "RELEASABLE")
    assert verdict.title.startswith("Can be released · weak guarantee") == verdict.releasable
    failed = f"Failed: Title of {signs.find('✗')} (because)"
    assert (failed in verdict.details) == ("✗" in signs)
    assert verdict.sentences[0] == f"{verdict.title}: {checks}."


@pytest.mark.parametrize("overridden", [(), ("u",)])
def test_that_a_release_with_nothing_in_it_is_never_a_yes(overridden: tuple[str, ...]) -> None:
    empty = of(outcome("a", "passed"), kept=CONTENT | {"queries": 0})
    assert empty.state is ReleaseState.NOTHING_LEFT
    assert "Not a single query is left in it." in empty.sentences
    little = of(outcome("u", "failed", "release.queries"), overridden=overridden)
    assert little.state is ReleaseState.NOTHING_LEFT


def test_that_a_reviewer_lets_pass_what_failed_with_a_reason() -> None:
    checks = (outcome("a", "failed"), outcome("b", "not measured"), outcome("c", "passed"))
    assert not of(*checks, overridden=["a"]).releasable
    verdict = of(*checks, overridden=["a", "b", "c"])
    assert verdict.state is ReleaseState.RELEASABLE
    assert verdict.title.startswith("Can be released with 2 checks overridden")
    assert not verdict.unreserved
    assert verdict.overridden == ("a", "b")
    assert "A reviewer let pass with a reason: Title of a; Title of b." in verdict.sentences


def test_that_whom_attacks_found_is_said_in_people() -> None:
    def attacked(hits: float, trials: float) -> dict[str, Any]:
        rate = hits / trials if trials else 0.0
        return {"figures": {"rate": rate}, "baseline": 0.0, "hits": hits, "trials": trials}

    attacks = {
        "record-linkage": attacked(20.5, 40),
        "near-linkage": attacked(4, 40),
        "surviving-content": attacked(3, 900),
        "dp-audit": attacked(999, 1_000),  # guesses, and no people
    }
    verdict = of(attacks=attacks)
    assert verdict.exposed == (
        "3 of 900 users at risk still show something",
        "about 20 of 40 users are found again by some of their queries",
    )
    assert any(line.startswith("In people: 3 of 900 users at risk") for line in verdict.sentences)
    assert of(attacks={"near-linkage": attacked(0, 0)}).exposed == ()
    guessed = attacked(1, 500) | {"baseline": 0.002, "interval": [0.0004, 0.0112]}
    (line,) = of(attacks={"record-linkage": guessed}).exposed
    assert "of 500 users" in line
    assert "not measurably more than by guessing" in line
    # Strings look rarer among some of the users: more of them still show something than do.
    sampled = {name: facts | {"sample": [254, 1_000]} for name, facts in attacks.items()}
    assert of(attacks=sampled).exposed == verdict.exposed[1:]
    assert "254 of 1,000 users" in of(attacks=sampled).sampled


def test_that_the_worst_attack_is_the_one_farthest_above_guessing() -> None:
    attacks = {
        "record-linkage": {"figures": {"rate": 0.5}, "baseline": 0.4, "label": "linked"},
        "hash-inversion": {"figures": {"rate": 0.3}, "baseline": 0.01, "label": "words"},
        "vanity": {"why": "needs profiles"},
    }
    verdict = of(outcome("a", "passed"), attacks=attacks)
    worst = present(verdict.worst)
    assert (worst.attack, worst.title, worst.rate) == ("hash-inversion", "Hash inversion", 0.3)
    assert len(verdict.record.made_attacks) == 2
    assert verdict.sentences[-1] == (
        "The worst of 2 attacks is “Hash inversion”: 30 % (words), where guessing gives 1 %."
    )
    assert of(outcome("a", "passed")).worst is None
    strings = {"figures": {"rate": 0.6}, "baseline": 0.0, "label": "strings"}
    both = of(outcome("a", "passed"), attacks=attacks | {"composition-exposure": strings})
    assert both.worst == worst
    assert both.sentences[-2:-1] == verdict.sentences[-1:], "it is the worst of two, not of three"
    assert "60 % (strings)" in both.sentences[-1]
    equal = {"figures": {"rate": 0.0}, "baseline": 0.0, "label": "nothing"}
    alike = of(attacks={"composition-exposure": equal, "planted-strings": equal})
    assert alike.record.worse_unranked is None, "it is as far, and not farther"


def test_that_an_attack_that_found_nothing_to_try_is_not_the_worst() -> None:
    nothing = {"figures": {"rate": 0.0}, "baseline": 0.0, "hits": 0, "trials": 0}
    weak = {"figures": {"rate": 0.1}, "baseline": 0.4, "hits": 1, "trials": 10}
    check = outcome("a", "passed")
    both = of(check, attacks={"surviving-content": nothing, "record-linkage": weak})
    assert present(both.worst).attack == "record-linkage"
    alone = of(check, attacks={"surviving-content": nothing})
    assert alone.worst is None
    assert alone.sentences[-1].startswith("The attacks on it found nothing to try")


def test_that_epsilon_is_said_as_what_a_guess_becomes() -> None:
    meaning = meaning_of(FORMAL)
    assert present(meaning.bound).accuracy == pytest.approx(math.exp(5.8) / (1 + math.exp(5.8)))
    assert meaning.short == "ε 5.8 (a 50 % guess → 99.7 %)"
    assert "right at most 99.7 % of the time" in meaning.sentence
    assert meaning.sentence.endswith("10⁻⁵.")
    nearly = meaning_of(dataclasses.replace(FORMAL, epsilon=10.0, delta=0.0))
    assert "at most" not in nearly.sentence
    assert "over 99.9 %" in nearly.sentence
    endless = meaning_of(dataclasses.replace(FORMAL, epsilon=math.inf))
    assert (endless.bound, endless.short) == (None, "no finite ε")
    assert meaning_of(statement_of({"model": "pseudonymity"})).short == "no guarantee"


@pytest.mark.parametrize(
    ("exchanged", "guess"),
    [
        (False, "whether the log holds what somebody did in one day"),
        (True, "which of two versions of one day is somebody's"),
    ],
)
def test_that_an_epsilon_of_a_day_says_nothing_of_being_in_the_log(
    exchanged: bool, guess: str
) -> None:
    plain = {"model": "differential privacy", "epsilon": 2.0, "delta": 0.0}
    unit, neighbours = describe_unit("day"), describe_neighbours("day", exchanged=exchanged)
    plain |= {"unit": str(unit), "neighbours": str(neighbours)}
    meaning = meaning_of(statement_of(plain))
    assert meaning.sentence.startswith(f"ε 2: a 50 % guess {guess} becomes at most 88.1 %.")
    assert meaning.sentence.endswith("a history of many is not protected.")
    assert meaning.short == "ε 2 per day (a 50 % guess → 88.1 %)"
    assert (meaning.period, meaning.to_dict()["period"]) == ("day", "day")
    assert "period" not in meaning_of(FORMAL).to_dict()


def test_that_sizes_of_groups_and_failing_assumptions_are_counted() -> None:
    for measured in ({"k": 3.0}, {"smallest_class": 3.0}):
        meaning = meaning_of(statement_of({"model": "k-anonymity", "measured": measured}))
        assert (meaning.k, meaning.short) == (3, "groups of 3 or more")
    fails = [{"name": "a", "status": "fails"}, {"name": "b", "status": "holds"}]
    meaning = meaning_of(statement_of(FORMAL.to_dict() | {"assumptions": fails}))
    assert meaning.failing == 1
    assert meaning.sentence.endswith("1 assumption that it rests on does not hold here.")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.016, "1.6 %"),
        (0.99999, "over 99.9 %"),
        (0.9974, "99.7 %"),
        (1e-9, "under 0.001 %"),
        (0.00002, "0.002 %"),
        (9.994, "999 %"),
        (9.996, "1,000 %"),
        (12.2546608, "1,230 %"),
        (1e6, "100,000,000 %"),
    ],
)
def test_that_shares_are_said_with_three_digits(share: float, text: str) -> None:
    assert format_share(share) == text
    assert [format_power(value) for value in (1e-6, 2.5e-7)] == ["10⁻⁶", "2.5 × 10⁻⁷"]


OUTLOOK = ExpectedRelease(
    statement=Statement("differential privacy", "claim", "unit", epsilon=0.5, delta=1e-9), values=()
)


def test_that_what_is_expected_is_said_to_be_and_is_never_a_yes() -> None:
    share = MetricValue("expected.searches_share", "v", 0.5)
    values = (MetricValue("expected.queries", "q", 5.7), share)
    outlook = dataclasses.replace(OUTLOOK, values=values)
    verdict = judge_outlook(outlook, policy(gate("e")), fakes.raw_log())
    assert (verdict.state, verdict.expected) == (ReleaseState.NOT_CHECKED, True)
    assert verdict.title == "Not checked yet (expected)"
    assert verdict.kept.share == pytest.approx(0.5)
    dear = dataclasses.replace(OUTLOOK.statement, epsilon=2.0)
    refused = judge_outlook(dataclasses.replace(outlook, statement=dear), policy(gate("e")))
    assert refused.state is ReleaseState.REFUSED
    few = Gate("u", "u", "release.queries", least=6)
    assert judge_outlook(outlook, policy(few)).state is ReleaseState.NOTHING_LEFT
    attack = gate("l", "attack.record-linkage.rate")
    waiting = judge_outlook(outlook, policy(gate("e"), attack))
    assert waiting.state is ReleaseState.NOT_CHECKED
    assert waiting.checks == "0 of 3 applicable checks failed, 1 could not be made yet"


@pytest.mark.parametrize("name", list(METHODS))
def test_that_before_a_run_a_check_that_can_not_apply_is_not_one_still_to_be_made(
    name: str,
) -> None:
    """Each attack and measure by itself: what the method's form rules out, and nothing else."""
    method = METHODS[name]
    for attack in ATTACKS:
        rules = policy(gate("e"), gate("a", f"attack.{attack}.rate"))
        verdict = judge_outlook(OUTLOOK, rules, method=method)
        ruled_out = [check.evidence for check in verdict.not_applicable]
        assert len(ruled_out) == (method.form not in ATTACKS[attack].applies), attack
        assert all(why.startswith("does not apply to a release of ") for why in ruled_out)


@pytest.mark.parametrize(
    ("method", "waiting", "ruled_out"),
    [(None, ["m", "some"], []), ("set-union", ["some"], ["m"]), ("k-delta", ["m", "some"], [])],
)
def test_that_measures_of_a_log_are_not_expected_of_tables(
    method: str | None, waiting: list[str], ruled_out: list[str]
) -> None:
    rules = policy(gate("e"), gate("m", "measure.similarity.mean"))
    what = None if method is None else METHODS[method]
    verdict = judge_outlook(OUTLOOK, rules, method=what)
    assert [check.gate.name for check in verdict.not_run] == waiting
    assert [check.gate.name for check in verdict.not_applicable] == ruled_out


def test_that_a_delta_of_one_guarantees_nothing() -> None:
    plain = {"model": "differential privacy", "epsilon": 1.0, "delta": 1.0}
    meaning = meaning_of(statement_of(plain))
    assert meaning.sentence.startswith("Nothing is guaranteed: δ is 1")
    assert meaning.short == "no guarantee (δ = 1)"
    assert meaning.bound is None
    assert "50 % guess" in meaning_of(statement_of(plain | {"delta": 0.5})).sentence


def test_that_privacy_comes_before_what_is_left_and_what_can_be_read_before_all() -> None:
    useless = outcome("u", "failed", "release.queries")
    privacy = outcome("p", "failed")
    readable = outcome("r", "failed", "attack.worst.sessions_surviving")
    missing = outcome("m", "not measured", "attack.record-linkage.rate")
    verdict = of(useless, privacy, readable, missing)
    assert verdict.state is ReleaseState.REFUSED
    assert [check.gate.name for check in verdict.failed] == ["r", "p", "u"]
    assert "Title of r" in verdict.sentences[1]
    assert of(useless, missing).state is ReleaseState.NOT_CHECKED
    assert of(useless, outcome("a", "passed")).state is ReleaseState.NOTHING_LEFT
    assert of(privacy, kept=CONTENT | {"queries": 0}).state is ReleaseState.NOTHING_LEFT


def test_that_a_rate_stands_with_its_interval_and_with_what_is_stated() -> None:
    audit = {"figures": {"rate": 0.892}, "interval": [0.871, 0.91], "baseline": 0.5}
    attacks = {"dp-audit": audit | {"label": "right"}}
    stated = dataclasses.replace(FORMAL, epsilon=2.0, delta=0.0)
    record = ReleaseRecord.from_dict({"kept": CONTENT, "attacks": attacks}, stated)
    worst = present(record.worst)
    text = describe_rate(record, worst)
    assert text == "89.2 % (87.1 to 91 %), within the stated 88.1 %"
    for hits, people in (
        (892.0, "892 of 1,000, "),
        (891.8, "about 892 of 1,000, "),
        (0.2, ""),  # neither nobody nor somebody is hit
    ):
        counted = dataclasses.replace(worst, counts=(hits, 1_000.0))
        assert describe_rate(record, counted) == f"{people}{text}"
    tight = dataclasses.replace(record, statement=dataclasses.replace(stated, epsilon=1.0))
    assert describe_rate(tight, worst).endswith("above the stated 73.1 %")


# The unit of protection in every number


OF_USERS = Statement("differential privacy", "c", UNIT, NEIGHBOURS, epsilon=2.0, delta=1e-9)


def of_day(epsilon: float = 2.0, most: int | None = None) -> Statement:
    return state_period(dataclasses.replace(OF_USERS, epsilon=epsilon), DAY, most, 1_000)


EXCHANGED = str(describe_neighbours(HISTORY, exchanged=True))


@pytest.mark.parametrize(
    ("statement", "unit", "cost"),
    [
        (OF_USERS, HISTORY, (2.0, 1e-9)),
        (of_day(), DAY, (2.0, 1e-9)),
        (of_day(), HISTORY, (math.inf, 1.0)),
        # three steps of (ε, δ): δ (e^3ε − 1)/(e^ε − 1)
        (of_day(0.5, most=3), HISTORY, (1.5, 1e-9 * math.expm1(1.5) / math.expm1(0.5))),
        (of_day(0.1), WEEK, (0.7, 1e-9 * math.expm1(0.7) / math.expm1(0.1))),
        (OF_USERS, DAY, (4.0, 1e-9 * (1 + math.exp(2.0)))),  # out, and in again
        (dataclasses.replace(OF_USERS, neighbours=EXCHANGED), DAY, (2.0, 1e-9)),
    ],
)
def test_that_a_statement_costs_what_it_bounds_at_a_unit(
    statement: Statement, unit: str, cost: tuple[float, float]
) -> None:
    assert present(cost_at_unit(statement, unit)) == pytest.approx(cost)


def of_epsilon(epsilon: float, *assumptions: Assumption) -> Statement:
    return dataclasses.replace(OF_USERS, epsilon=epsilon, assumptions=assumptions)


GROUPS = Statement("k-anonymity", "c", UNIT, measured={"k": 50.0})


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        (of_epsilon(1.0), Strength.STRONG),
        (of_epsilon(1.01), Strength.MODERATE),
        (of_epsilon(4.0), Strength.MODERATE),
        (of_epsilon(4.01), Strength.WEAK),
        (of_epsilon(1971.0), Strength.WEAK),
        (of_epsilon(math.inf), Strength.NONE),
        (of_epsilon(0.1, Assumption("a", "b", "fails")), Strength.WEAK),
        (GROUPS, Strength.WEAK),
        (Statement("pseudonymity", "c", UNIT), Strength.NONE),
        (of_day(0.1), Strength.NONE),
    ],
)
def test_that_the_strength_is_that_of_epsilon_where_it_holds_for_users(
    statement: Statement, strength: Strength
) -> None:
    assert strength_of(statement) is strength
    assert strength_of(of_day(0.1), DAY) is Strength.STRONG


def test_that_no_history_is_said_to_be_left_anything_by_an_epsilon_that_bounds_nothing() -> None:
    day = of_day()
    for epsilon, ends in ((2.0, "grows with each day."), (52.0, "many is not protected.")):
        usual = {**day.measured, "epsilon_of_usual_history": epsilon, "delta_of_usual_history": 0.0}
        assert ends in meaning_of(dataclasses.replace(day, measured=usual)).sentence
    assert "is not protected" in day.claim
    assert "62" in day.claim
    assert "is protected by" in of_day(0.01).claim
    assert "one day" in meaning_of(day).sentence


def judge(statement: Statement, unit: str, figure: str, **limits: Any) -> GateVerdict:
    record = ReleaseRecord(statement, units={HISTORY: 5, DAY: 60})
    return judge_gate(record, figure, unit=unit, **limits)


def test_that_gates_compare_at_the_unit_that_the_policy_names() -> None:
    assert judge(of_day(), DAY, "statement.epsilon", most=3).verdict == "passed"
    history = judge(of_day(), HISTORY, "statement.epsilon", most=3)
    assert (history.verdict, history.value) == ("failed", math.inf)
    assert "one day" in history.evidence
    days = judge(of_day(), DAY, "statement.delta_users", most=1)
    assert days.value == pytest.approx(60 * 1e-9)
    assert "60 days of users" in days.evidence
    users = judge(OF_USERS, HISTORY, "statement.delta_users", most=1)
    assert users.value == pytest.approx(5 * 1e-9)
    assert judge(OF_USERS, HISTORY, "statement.strength", least=2).verdict == "passed"
    assert judge(of_day(), HISTORY, "statement.strength", least=2).verdict == "failed"


def test_that_the_units_of_a_run_are_those_that_its_method_counted() -> None:
    log = log_of([("ann", "rose", day * 86_400, None) for day in range(60)])
    assert (count_units(log, HISTORY), count_units(log, DAY), count_units(log, WEEK)) == (1, 60, 9)
    values: dict[str, Any] = {"protected_unit": "day", "epsilon": 1.0, "skip": EVERY_CHECK}
    for periods, days in ((None, 60), (7, 7)):
        result = auditor.audit(log, "partition-selection", periods=periods, **values)
        assert result.verdict.record.units == {HISTORY: 1, DAY: days}
        assert result.release.statement.unit == str(describe_unit(DAY))


def test_that_the_public_policy_passes_nothing_weak() -> None:
    (gate,) = (item for item in read_policy(Path("public")).gates if item.name == "strength")
    assert gate.requirement == "at least moderate"
    for statement, passes in ((GROUPS, False), (of_epsilon(5.0), False), (OF_USERS, True)):
        check = judge(statement, HISTORY, gate.figure, least=gate.least or 0)
        assert check.ok is passes
