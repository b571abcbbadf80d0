"""Coins for users, and what they do to ε and δ."""

import math

import numpy as np
import pytest
from scipy import stats

from auditor.errors import ParameterError
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.subsampling import amplified_delta, amplified_epsilon, draw_coins


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1e-3, 0.5, 1.0, 5.0, 30.0])
@pytest.mark.parametrize("share", [1e-9, 0.01, 0.5, 1.0])
def test_that_epsilon_is_amplified_by_the_formula(epsilon: float, share: float) -> None:
    expected = math.log1p(share * math.expm1(epsilon))
    assert amplified_epsilon(epsilon, share) == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert amplified_delta(0.25, share) == 0.25 * share


def test_that_large_epsilons_lose_the_logarithm_of_the_share_and_no_more() -> None:
    assert amplified_epsilon(5_000.0, 0.1) == pytest.approx(5_000 + math.log(0.1))
    assert amplified_epsilon(math.inf, 0.1) == math.inf
    assert amplified_epsilon(7.0, 1.0) == 7.0


@pytest.mark.parametrize("rng", [SecureRandomness(), PreviewRandomness(3)])
def test_that_each_user_has_a_coin_of_their_own(rng: SecureRandomness | PreviewRandomness) -> None:
    """The number of users is Binomial: a fixed size would have no spread."""
    taken = np.array([np.count_nonzero(draw_coins(200, 0.3, rng)) for _ in range(400)])
    assert abs(taken.mean() - 60) < 4 * math.sqrt(200 * 0.21 / 400)
    spread = float(taken.var(ddof=1)) * 399 / (200 * 0.21)
    assert 1e-5 < stats.chi2.cdf(spread, 399) < 1 - 1e-5
    pairs = np.array([draw_coins(2, 0.5, rng) for _ in range(2_000)])
    table = np.array(
        [[np.sum((pairs[:, 0] == a) & (pairs[:, 1] == b)) for a in (0, 1)] for b in (0, 1)]
    )
    assert stats.chi2_contingency(table).pvalue > 1e-5


def test_that_a_share_is_a_chance() -> None:
    for wrong in (0.0, -0.1, 1.1, math.nan, math.inf, 1e-12):
        with pytest.raises(ParameterError, match="above 0 and up to 1"):
            draw_coins(3, wrong, SecureRandomness())
    assert draw_coins(50, 1.0, SecureRandomness()).all()
