"""What is said where nothing passes, of policies that no release can meet."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.release.policy.policy import parse_policy
from auditor.release.record import AttackRecord, GateVerdict
from auditor.suggestions.candidates import list_dp_methods
from auditor.suggestions.growth import GrowthCurve, GrowthPoint
from auditor.suggestions.remedies import ANOTHER_LOOK, LONGEST_DAYS, NO_EPSILON, say_changed_limit
from auditor.suggestions.request import SearchRequest, parse_goal
from auditor.suggestions.result import Suggestions
from auditor.suggestions.search import suggest_release
from tests.narrowing import present
from tests.policies import policy_text

HEAD = policy_text()


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(300, days=12, seed=6).log


def search(log: QueryLog, policy: str, **changes: Any) -> Suggestions:
    options = {
        "policy": parse_policy((HEAD + policy).encode()),
        "goal": parse_goal("queries"),
        "mode": "free",
        "methods": list_dp_methods(),
    } | changes
    return suggest_release(SearchRequest(growth=False, **options), log)  # type: ignore[arg-type]


def gate(figure: str, **limits: float) -> str:
    bounds = "\n".join(f"{name} = {value}" for name, value in limits.items())
    name = figure.replace(".", "-").replace("_", "-")
    return f'[[gate]]\nname = "{name}"\ntitle = "{figure}"\nfigure = "{figure}"\n{bounds}\n'


def test_that_a_policy_that_allows_no_epsilon_says_so(log: QueryLog) -> None:
    """Nor does it advise to search methods with ε, which were searched."""
    formal = gate("statement.formal", least=1) + gate("statement.failing", most=0)
    result = search(
        log, formal + gate("statement.epsilon", most=0) + gate("release.queries", least=3)
    )
    assert result.best is None
    assert result.obstacle is not None
    assert result.obstacle.gates[0] == NO_EPSILON
    assert not any("ε ≤" in line for line in result.obstacle.remedies)
    assert ANOTHER_LOOK not in result.obstacle.remedies


def test_that_a_limit_below_guessing_is_named_as_such() -> None:
    worst = AttackRecord("dp-audit", figures={"rate": 0.55}, label="guesses", baseline=0.5)
    (limited,) = parse_policy((HEAD + gate("attack.worst.rate", most=0.1)).encode()).gates
    failed = GateVerdict(limited, "failed", 0.55, "")
    message = say_changed_limit(failed, worst, "Some method")
    assert message.startswith("Policy: guessing alone gives 50 %, so no release passes")
    assert "attack.worst.lead" in message
    higher = dataclasses.replace(limited, most=0.52)
    assert not say_changed_limit(dataclasses.replace(failed, gate=higher), worst, "Some method")


@pytest.mark.parametrize(
    ("figure", "limits", "value", "offered"),
    [
        ("statement.epsilon", {"most": 10}, 12.0, ""),
        ("statement.failing", {"most": 0}, 1.0, ""),
        ("attack.dp-audit.lead", {"most": 0.1}, 0.2, ""),
        ("ledger.epsilon", {"most": 10}, 180.0, ""),
        ("release.queries", {"least": 100}, 84.6, "84 or more"),
        ("release.queries", {"least": 100}, 9.0, ""),
        ("release.searches_share", {"least": 0.1}, 0.0987, "9.8 % or more"),
    ],
)
def test_that_no_remedy_goes_beyond_what_a_policy_allows_of_privacy(
    figure: str, limits: dict[str, float], value: float, offered: str
) -> None:
    (limited,) = parse_policy((HEAD + gate(figure, **limits)).encode()).gates
    message = say_changed_limit(GateVerdict(limited, "failed", value, ""), None, "Some method")
    assert bool(message) == bool(offered)
    assert offered in message


def test_that_more_queries_than_the_log_has_are_not_foretold(log: QueryLog) -> None:
    formal = gate("statement.formal", least=1) + gate("statement.epsilon", most=8)
    result = search(log, formal + gate("release.queries", least=10_000_000), methods=("zealous",))
    assert result.best is None
    lines = [line for line in present(result.obstacle).remedies if line.startswith("More users")]
    assert lines == [
        "More users: this log can't tell how many would be enough, since all its distinct "
        f"queries are {len(log.queries):,}."
    ]


@pytest.mark.parametrize("epsilon", [1e-3, 0.1])
def test_that_next_to_nothing_is_not_extrapolated(log: QueryLog, epsilon: float) -> None:
    """Of a thousandth of a query no period follows, and no number is too large to be had."""
    formal = gate("statement.formal", least=1) + gate("statement.epsilon", most=epsilon)
    result = search(
        log, formal + gate("release.queries", least=50), methods=("set-union", "zealous")
    )
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
