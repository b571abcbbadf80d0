"""The scores of a private choice on neighbouring logs, enumerated; and what a mutant would leak."""

import functools
import itertools

import numpy as np
import pytest

from auditor.errors import MissingInput, ParameterError
from auditor.log.model import QueryLog
from auditor.privacy.randomness import PreviewRandomness
from auditor.progress import silent_progress
from auditor.suggestions.candidates import list_public_candidates
from auditor.suggestions.limits import PolicyLimits
from auditor.suggestions.private_selection import PrivateScore, choose_candidate, score_candidates
from tests.methods.logs import Row, log_of
from tests.privacy.exact_laws import selection_chances

QUIET = silent_progress()
LIMITS = PolicyLimits(epsilon=8.0, delta=0.02, k=2, queries=1, share=0.0, users=5)
HISTORIES = [("x",), ("x", "y"), ("z", "y", "x"), ("w",), ("x", "y", "z", "w")]


def make_log(histories: list[tuple[str, ...]]) -> QueryLog:
    rows: list[Row] = [
        (f"u{who}", query, 1, None) for who, history in enumerate(histories) for query in history
    ]
    return log_of(rows)


def neighbours(users: int) -> list[tuple[tuple[tuple[str, ...], ...], ...]]:
    """Every group of so many users with the histories above, without and with one user more."""
    groups = itertools.combinations_with_replacement(HISTORIES, users)
    return [(group, (*group, more)) for group in groups for more in HISTORIES]


@functools.cache
def scores_of_all(histories: tuple[tuple[str, ...], ...], goal: str) -> list[PrivateScore]:
    """The scores of every candidate on the log of some histories; many pairs share a log."""
    log = make_log(list(histories))
    return score_candidates(log, list_public_candidates(LIMITS), goal, QUIET)


def losses(goal: str, share: float, epsilon: float = 1.0) -> float:
    """The largest loss of any choice over the neighbours, Δ being taken `share` times as large."""
    worst = 0.0
    for pair in neighbours(2):
        before, after = (scores_of_all(group, goal) for group in pair)
        largest = max(1, round(share * max(score.sensitivity for score in before)))
        chances = [
            selection_chances([score.score for score in scores], largest, epsilon)
            for scores in (before, after)
        ]
        worst = max(worst, float(np.abs(np.log(chances[0] / chances[1])).max()))
    return worst


@pytest.mark.parametrize("goal", ["queries", "volume"])
def test_that_one_user_raises_each_score_by_its_sensitivity_at_most(goal: str) -> None:
    candidates = list_public_candidates(LIMITS)
    assert candidates == list_public_candidates(LIMITS)
    assert not list_public_candidates(LIMITS.with_epsilon(0.0))
    assert {candidate.method for candidate in candidates} == {"safelog", "zealous", "set-union"}
    reached = 0.0
    for pair in neighbours(2):
        before, after = (scores_of_all(group, goal) for group in pair)
        for low, high in zip(before, after, strict=True):
            assert low.sensitivity == high.sensitivity
            assert 0 <= high.score - low.score <= low.sensitivity
            reached = max(reached, (high.score - low.score) / low.sensitivity)
    assert reached > 0.4  # the bound isn't idle


@pytest.mark.parametrize("goal", ["queries", "volume"])
def test_that_epsilon_bounds_every_choice_on_neighbouring_logs(goal: str) -> None:
    assert losses(goal, 1.0) <= 1.0 + 1e-9


def test_that_too_small_a_sensitivity_is_refuted() -> None:
    assert losses("queries", 0.1) > 1.0


def test_that_a_clear_winner_is_chosen_and_told_about() -> None:
    histories: list[tuple[str, ...]] = [("x", "y", "z")] * 400
    candidates = list_public_candidates(LIMITS, ("safelog",))
    log, rng = make_log(histories), PreviewRandomness(1)
    choice = choose_candidate(log, candidates, "queries", 50.0, rng, QUIET)
    assert candidates[choice.place].number >= 3
    assert choice.score == pytest.approx(3, abs=choice.error)
    assert choice.resolution < 3


def test_that_other_goals_and_empty_lists_are_refused() -> None:
    log = make_log([("x",)])
    with pytest.raises(ParameterError, match="queries or volume"):
        choose_candidate(log, (), "ndcg", 1.0, PreviewRandomness(1), QUIET)
    with pytest.raises(MissingInput, match="larger ε"):
        choose_candidate(log, (), "queries", 1.0, PreviewRandomness(1), QUIET)
