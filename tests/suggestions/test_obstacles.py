"""What is said where nothing passes, of policies that no release can meet."""

import dataclasses
import re

import pytest

from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.release.record import AttackRecord, GateVerdict
from auditor.suggestions.candidates import list_dp_methods
from auditor.suggestions.growth import GrowthCurve, GrowthPoint
from auditor.suggestions.remedies import ANOTHER_LOOK, LONGEST_DAYS, NO_EPSILON, say_changed_limit
from tests.narrowing import present
from tests.suggestions.searches import make_policy, parse_gates, search


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(300, days=12, seed=6).log


def test_that_a_policy_that_allows_no_epsilon_says_so(log: QueryLog) -> None:
    """Nor does it advise to search methods with ε, which were searched."""
    failing = "[[gate]]\nname='failing'\nfigure='statement.failing'\nmost=0"
    result = search(log, policy=make_policy(0.0, more=failing), methods=list_dp_methods())
    assert result.best is None
    obstacle = present(result.obstacle)
    assert obstacle.gates[0] == NO_EPSILON
    assert not any("ε ≤" in line for line in obstacle.remedies)
    assert ANOTHER_LOOK not in obstacle.remedies


def change_limit(limit: str, value: float, worst: AttackRecord | None = None) -> str:
    """What is said of a gate that failed with this value."""
    (gate,) = parse_gates(f"it {limit}").gates
    return str(say_changed_limit(GateVerdict(gate, "failed", value, ""), worst, "Some method"))


def test_that_a_limit_below_guessing_is_named_as_such() -> None:
    worst = AttackRecord("dp-audit", figures={"rate": 0.55}, label="guesses", baseline=0.5)
    message = change_limit("attack.worst.rate most=0.1", 0.55, worst)
    assert message.startswith("Policy: guessing alone gives 50 %, so no release passes")
    assert "attack.worst.lead" in message
    assert not change_limit("attack.worst.rate most=0.52", 0.55, worst)


@pytest.mark.parametrize(
    ("limit", "value", "offered"),
    [
        ("statement.epsilon most=10", 12.0, ""),
        ("statement.failing most=0", 1.0, ""),
        ("attack.dp-audit.lead most=0.1", 0.2, ""),
        ("ledger.epsilon most=10", 180.0, ""),
        ("release.queries least=100", 84.6, "84 or more"),
        ("release.queries least=100", 9.0, ""),
        ("release.searches_share least=0.1", 0.0987, "9.8 % or more"),
    ],
)
def test_that_no_remedy_goes_beyond_what_a_policy_allows_of_privacy(
    limit: str, value: float, offered: str
) -> None:
    message = change_limit(limit, value)
    assert bool(message) == bool(offered)
    assert offered in message


def test_that_more_queries_than_the_log_has_are_not_foretold(log: QueryLog) -> None:
    result = search(log, policy=make_policy(queries=10_000_000), methods=("zealous",))
    assert result.best is None
    (line,) = (line for line in present(result.obstacle).remedies if line.startswith("More users"))
    assert "can't tell how many would be enough" in line
    assert f"{len(log.queries):,}" in line


@pytest.mark.parametrize("epsilon", [1e-3, 0.1])
def test_that_next_to_nothing_is_not_extrapolated(log: QueryLog, epsilon: float) -> None:
    """Of a thousandth of a query no period follows, and no number is too large to be had."""
    result = search(log, policy=make_policy(epsilon, 50), methods=("set-union", "zealous"))
    assert result.best is None
    for line in present(result.obstacle).remedies:
        if line.startswith("Longer period"):
            number, unit = present(re.search(r"at that, ([\d,]+) (days|months)", line)).groups()
            days = int(number.replace(",", "")) * (30 if unit == "months" else 1)
            assert days <= LONGEST_DAYS


def test_that_a_curve_of_nothing_is_one_sentence() -> None:
    points = tuple(GrowthPoint(users, 0.001, 0.0, 0.2) for users in (100, 200, 400))
    curve = GrowthCurve(points, 200, "a method", 200)
    (text,) = curve.sentences
    assert "no query can be released, up to 400 users" in text
    some = dataclasses.replace(curve, points=(*points, GrowthPoint(800, 1.5, 0.5, 3.0)))
    assert len(some.sentences) == 6
