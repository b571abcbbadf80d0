"""Requests and policies for tests of searches."""

from typing import Any

from auditor.log.model import QueryLog
from auditor.release.policy.policy import Policy, parse_policy
from auditor.suggestions.request import SearchRequest, parse_goal
from auditor.suggestions.result import Suggestions
from auditor.suggestions.search import suggest_release
from tests.policies import policy_text


def parse_gates(*gates: str, more: str = "") -> Policy:
    """A policy of these gates, each ``NAME FIGURE LIMIT=VALUE``, and of `more` text."""
    return parse_policy(f"{policy_text(*gates)}{more}".encode())


def make_policy(epsilon: float = 8.0, queries: int = 3, more: str = "") -> Policy:
    """One that asks for a guarantee and for some queries."""
    return parse_gates(
        f"epsilon statement.epsilon most={epsilon}",
        'formal statement.formal least=1\ntitle="Something is guaranteed"',
        "delta statement.delta_users most=0.1",
        f'queries release.queries least={queries}\ntitle="Some queries are left"',
        more=more,
    )


def request(**changes: Any) -> SearchRequest:
    """A free search for queries, without a look at smaller logs."""
    values = {"policy": make_policy(), "goal": parse_goal("queries"), "mode": "free"}
    return SearchRequest(**(values | {"growth": False} | changes))  # type: ignore[arg-type]


def search(log: QueryLog, **changes: Any) -> Suggestions:
    return suggest_release(request(**changes), log)
