"""Whether the chance that a pair gets is about how often such pairs are right."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from auditor.arrays import Bools
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion import confidence
from auditor.attacks.hash_inversion.attack import ATTACK
from auditor.log.synthetic.generator import SyntheticLog, synthesize_log
from tests.measures.fakes import run_attack


@pytest.fixture(scope="module")
def world() -> SyntheticLog:
    return synthesize_log(2500, days=30, seed=12)


@example(margin=np.array([4.9e-162]), seed=0)
@given(
    margin=hnp.arrays(np.float64, st.integers(0, 40), elements=st.floats(-2, 2)),
    seed=st.integers(0, 2**32 - 1),
)
def test_that_chances_are_chances_and_rise_with_the_margin(
    margin: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    right = (rng.random(len(margin)) < 0.5).astype(np.float64)
    curve = confidence.fit_curve(margin, right, -rng.integers(1, 3, len(margin)).astype(np.float64))
    grid = np.append(np.linspace(-3, 3, 50), -np.inf)
    chance = curve.estimate_chances(grid)
    assert np.all((chance >= 0) & (chance <= 1))
    assert np.all(np.diff(chance[:-1]) >= 0)
    assert chance[-1] == 0


def test_that_a_known_law_is_found_again_and_drawn_out_to_the_whole() -> None:
    rng = np.random.default_rng(0)
    margin = rng.normal(0, 1, 40_000)
    size = -rng.integers(1, 3, 40_000).astype(np.float64)
    true = 1 / (1 + np.exp(-(0.5 + 1.5 * margin + size)))
    curve = confidence.fit_curve(margin, (rng.random(40_000) < true).astype(np.float64), size)
    grid = np.linspace(-2, 2, 9)
    assert curve.estimate_chances(grid) == pytest.approx(
        1 / (1 + np.exp(-(0.5 + 1.5 * grid))), abs=0.05
    )


def test_that_told_chances_are_about_as_often_right(world: SyntheticLog) -> None:
    evidence = Evidence(log=world.log, reference=world.reference)
    result = run_attack(ATTACK, evidence, seed=1, n=600, confidence="always")
    (table,) = [table for table in result.tables if table.name == "reliability"]
    chances, pairs, right = (np.array([row[k] for row in table.rows]) for k in range(3))
    assert pairs.sum() == 600
    assert abs((chances * pairs).sum() - (right * pairs).sum()) / 600 < 0.2
    assert (np.abs(chances - right) * pairs).sum() / 600 < 0.2

    def share_right(chosen: Bools) -> float:
        return float((right * pairs)[chosen].sum() / pairs[chosen].sum())

    # A dozen pairs of a class say little; the page on inversion says that its middle is too high.
    assert share_right(chances > 0.9) > 0.9
    assert share_right(chances > 0.6) > 0.7
    assert share_right(chances < 0.2) < 0.2
