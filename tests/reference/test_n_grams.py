"""What `n-grams` releases, against plain loops over rows."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.reference import logs, product
from tests.reference.methods import n_grams, set_union


@pytest.mark.parametrize(
    ("seed", "q_f", "longest", "epsilon"),
    [(0, 3, 2, 100.0), (1, 9, 3, 80.0), ("excite", 5, 3, 100.0), ("excite", 40, 2, 60.0)],
)
def test_that_what_the_noise_leaves_no_doubt_about_is_released(
    seed: int | str, q_f: int, longest: int, epsilon: float, tmp_path: Path
) -> None:
    rows = logs.excite() if isinstance(seed, str) else logs.random_log(seed, users=60, rows=700)
    delta = 1e-3
    release = product.anonymize(
        rows, tmp_path, "n-grams", q_f=q_f, epsilon=epsilon, delta=delta, longest=longest
    )
    rho = release.said.measured["rho"]
    orders = [1 + 10 ** (step / 200) for step in range(-600, 600)]
    assert set_union.delta_of(rho, epsilon, orders) == pytest.approx(delta / 2, rel=1e-2)
    sigma = 1 / math.sqrt(2 * rho / longest)
    assert release.said.measured["sigma_of_weights"] == pytest.approx(sigma, rel=1e-9)
    least = set_union.threshold(q_f, sigma, delta / 2 / longest)
    assert release.said.measured["threshold"] == pytest.approx(least, rel=1e-4)
    released = set(release.queries)
    sure = 0
    for length in range(1, longest + 1):
        weight = n_grams.weights(rows, length, q_f, released)
        mine = {ngram for ngram in released if len(ngram.split()) == length}
        # A normal number beyond 8 deviations comes once in 10^15.
        surely = {ngram for ngram, sum_ in weight.items() if sum_ > least + 8 * sigma}
        never = {ngram for ngram, sum_ in weight.items() if sum_ < least - 8 * sigma}
        assert surely <= mine <= set(weight) - never
        assert all(abs(release.queries[ngram] - weight[ngram]) <= 1 + 8 * sigma for ngram in mine)
        sure += len(surely)
    assert sure
    assert all(len(ngram.split()) <= longest for ngram in released)
