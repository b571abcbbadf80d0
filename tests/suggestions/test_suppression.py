"""Suggest suppresses what a policy's checks on content want kept back, and reckons with it."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.detection.marked_strings import mark_identifying
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.methods.suppression import IDENTIFIERS, NAMES, NOTHING
from auditor.progress import silent_progress
from auditor.release.policy.policy import default_policy
from auditor.suggestions.candidates import list_dp_methods, list_families
from auditor.suggestions.estimates import LogPart, estimate_content, find_hidden
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.private_selection import score_candidate
from tests.narrowing import present

MAIL = "jane.miller1962@aol.com"


@pytest.fixture(scope="module")
def log() -> QueryLog:
    """A synthetic log in which everybody also issued the same e-mail address."""
    synthetic = synthesize_log(400, days=5, seed=4).log
    users = [synthetic.users[code] for code in synthetic.user.tolist()]
    queries = [synthetic.queries[code] for code in synthetic.query.tolist()]
    everybody = synthetic.users.list_strings()
    return QueryLog.from_columns(
        user=[*users, *everybody],
        query=[*queries, *([MAIL] * len(everybody))],
        time=[*synthetic.time.tolist(), *([int(synthetic.time.max()) + 5] * len(everybody))],
    )


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_every_setting_that_is_looked_at_suppresses_it(method: str) -> None:
    limits = PolicyLimits.of(default_policy(), 400)
    for family in list_families(limits, (method,)):
        for candidate in family.iterate_candidates():
            assert candidate.params.to_dict()["suppress"] == NAMES


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_an_estimate_leaves_marked_queries_out(log: QueryLog, method: str) -> None:
    """The address, which nearly always passes, is one query less, and others are as before."""
    limits = PolicyLimits.of(default_policy(), len(log.users))
    family = list_families(limits, (method,))[0]
    candidate = present(family.make_candidate(12))
    part = LogPart(log, 1.0)
    plain = candidate.params.replace(suppress=NOTHING)
    full = estimate_content(method, plain, part, silent_progress())
    reduced = estimate_content(method, candidate.params, part, silent_progress())
    marks = mark_identifying(log.queries, silent_progress(), names=True)
    assert marks.sum() >= 1
    assert 0.9 < present(full).queries - present(reduced).queries <= marks.sum()


def test_that_an_estimate_by_the_outlook_leaves_marked_queries_out(log: QueryLog) -> None:
    """Where days of users count, the method's own outlook estimates."""
    params = METHODS["zealous"].params().replace(protected_unit="day", m=5)
    part = LogPart(log, 1.0)
    full = estimate_content("zealous", params, part, silent_progress())
    kept_back = params.replace(suppress=NAMES)
    reduced = estimate_content("zealous", kept_back, part, silent_progress())
    assert present(reduced).queries < present(full).queries - 0.9


@pytest.mark.parametrize("method", list_dp_methods())
def test_that_nothing_marked_is_taken_for_released(log: QueryLog, method: str) -> None:
    """With it the bundled checks on content hardly ever fail, without it they always do."""
    policy = default_policy()
    hidden = find_hidden(log, policy, silent_progress())
    part = LogPart(log, 1.0, hidden=hidden)
    family = list_families(PolicyLimits.of(policy, len(log.users)), (method,))[0]
    candidate = present(family.make_candidate(12))
    plain = candidate.params.replace(suppress=NOTHING)
    chances = []
    for params in (candidate.params, plain):
        estimate = present(estimate_content(method, params, part, silent_progress()))
        chances.append(estimate.safe)
    assert chances[0] > 0.999  # but for strings of one user, which pass by bad luck alone
    assert chances[1] < 0.001


def test_that_a_private_score_leaves_marked_queries_out(log: QueryLog) -> None:
    """The score of a log is that of the log without the address, which no ε has to hide."""
    keep = np.array([q != MAIL for q in log.queries.list_strings()])[log.query]
    for method in ("zealous", "set-union"):
        params = METHODS[method].params().replace(epsilon=5.0, delta=1e-4, suppress=IDENTIFIERS)
        full = score_candidate(log, params.replace(suppress=NOTHING), "queries", silent_progress())
        reduced = score_candidate(log, params, "queries", silent_progress())
        assert reduced.sensitivity == full.sensitivity
        assert reduced.score < full.score
        marks = mark_identifying(log.rows(keep).queries, silent_progress(), names=False)
        assert not marks.all()
