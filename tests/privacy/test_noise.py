"""Sampling only what passes has the law of drawing noise for everything."""

import copy
import decimal
import math
import pickle
import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from auditor.errors import Cancelled, ParameterError
from auditor.privacy import noise
from auditor.privacy.accounting import laplace_tail
from auditor.privacy.noise import (
    PreviewRandomness,
    Randomness,
    SecureRandomness,
    add_noise,
    noisy_at_least,
    passing_positions,
    zero_cells,
)
from auditor.progress import Progress

IMPLAUSIBLE = 1e-9
"""Unseeded draws fail a test by bad luck less often than once in a billion runs."""

KINDS = [SecureRandomness, lambda: PreviewRandomness(20260401)]
both_kinds = pytest.mark.parametrize("make", KINDS, ids=["secure", "preview"])
Make = Callable[[], Randomness]


def laplace_law(scale: float, low: int, high: int) -> np.ndarray:
    """P[X = x] for x in low … high, with the tails beyond at both ends."""
    x = np.arange(low, high + 1)
    law = np.exp(-np.abs(x) / scale) * math.tanh(0.5 / scale)
    law[0], law[-1] = 1 - laplace_tail(low + 1, scale), laplace_tail(high, scale)
    return law


def geometric_law(scale: float, high: int) -> np.ndarray:
    law = np.exp(-np.arange(high + 1) / scale) * -math.expm1(-1 / scale)
    law[-1] = math.exp(-high / scale)
    return law


def gaussian_law(scale: float, reach: int) -> np.ndarray:
    """P[X = x] for x in −reach … reach, with the tails beyond at both ends."""
    x = np.arange(-40 * reach, 40 * reach + 1)
    law = np.exp(-(x**2) / (2 * scale * scale))
    places = np.clip(x, -reach, reach) + reach
    return np.bincount(places, law / law.sum())


def agreement(values: np.ndarray, law: np.ndarray, low: int = 0) -> float:
    """p-value of the values against the law of low, low + 1, … with both ends lumped."""
    counts = np.bincount(np.clip(values - low, 0, len(law) - 1), minlength=len(law))
    assert law.sum() == pytest.approx(1)
    return float(stats.chisquare(counts, law * len(values)).pvalue)


@both_kinds
@pytest.mark.parametrize(("scale", "reach"), [(0.4, 2), (3.0, 12), (50.0, 150)])
def test_that_draws_follow_their_law(make: Make, scale: float, reach: int) -> None:
    drawn = make().discrete_laplace(scale, 20_000, Progress())
    assert agreement(drawn, laplace_law(scale, -reach, reach), -reach) > IMPLAUSIBLE
    drawn = make().geometric(scale, 20_000, Progress())
    assert drawn.min() >= 0
    assert agreement(drawn, geometric_law(scale, reach)) > IMPLAUSIBLE


@both_kinds
@pytest.mark.parametrize(("scale", "reach"), [(0.6, 2), (3.0, 9)])
def test_that_gaussian_draws_follow_their_law(make: Make, scale: float, reach: int) -> None:
    drawn = make().discrete_gaussian(scale, 20_000, Progress())
    assert agreement(drawn, gaussian_law(scale, reach), -reach) > IMPLAUSIBLE


@both_kinds
def test_that_a_gap_beyond_all_integers_stays_positive(make: Make) -> None:
    assert np.all(make().geometric(1e300, 100, Progress()) > 1 << 62)


@both_kinds
def test_that_every_order_is_equally_likely(make: Make) -> None:
    rng = make()
    orders = [tuple(rng.permutation(4)) for _ in range(4800)]
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > IMPLAUSIBLE


@both_kinds
@pytest.mark.parametrize("size", [2, 4])
def test_that_every_subset_is_equally_likely(make: Make, size: int) -> None:
    rng = make()
    subsets = [tuple(rng.sample(6, size)) for _ in range(3000)]
    assert all(list(subset) == sorted(set(subset)) for subset in subsets)
    _, counts = np.unique(subsets, axis=0, return_counts=True)
    assert len(counts) == math.comb(6, size)
    assert stats.chisquare(counts).pvalue > IMPLAUSIBLE


@both_kinds
@pytest.mark.parametrize("high", [1, 2, 5, 1 << 20, (1 << 62) + 1, 1 << 63])
def test_that_integers_are_uniform_below_their_bound(make: Make, high: int) -> None:
    drawn = make().integers(high, 5000)
    assert drawn.min() >= 0
    assert int(drawn.max()) < high
    parts = min(high, 8)
    counts = np.bincount([int(value) * parts // high for value in drawn], minlength=parts)
    expected = [
        len(range(-(-i * high // parts), -(-(i + 1) * high // parts))) for i in range(parts)
    ]
    assert (
        parts == 1 or stats.chisquare(counts, np.array(expected) / high * 5000).pvalue > IMPLAUSIBLE
    )


@both_kinds
def test_that_sampling_everything_and_nothing_works(make: Make) -> None:
    rng = make()
    np.testing.assert_array_equal(rng.sample(7, 7), np.arange(7))
    assert len(rng.sample(7, 0)) == len(rng.sample(0, 0)) == len(rng.permutation(0)) == 0
    assert len(rng.discrete_laplace(1.0, 0, Progress())) == 0
    with pytest.raises(ValueError, match="distinct"):
        rng.sample(3, 4)


def test_that_secure_randomness_shows_and_stores_no_state() -> None:
    rng = SecureRandomness()
    assert rng.secure is True
    assert repr(rng) == "SecureRandomness()"
    assert not hasattr(rng, "__dict__")
    for store in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="never stored"):
            store(rng)
    with pytest.raises(TypeError):
        SecureRandomness(1)  # type: ignore[call-arg]


def test_that_a_preview_repeats_and_never_passes_for_secure() -> None:
    first, second = PreviewRandomness(5), PreviewRandomness(5)
    assert first.secure is False
    assert "5" not in repr(first)
    np.testing.assert_array_equal(first.permutation(50), second.permutation(50))
    np.testing.assert_array_equal(
        first.discrete_laplace(3.0, 50, Progress()), second.discrete_laplace(3.0, 50, Progress())
    )


def test_that_two_secure_sources_differ() -> None:
    first, second = SecureRandomness(), SecureRandomness()
    draws = [rng.discrete_laplace(1e6, 20, Progress()).tolist() for rng in (first, second, first)]
    assert draws[0] != draws[1] != draws[2] != draws[0]


def test_that_threads_draw_side_by_side() -> None:
    rng, draws = SecureRandomness(), []

    def work() -> None:
        draws.append(rng.discrete_laplace(10.0, 5000, Progress()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({values.tobytes() for values in draws}) == 4


DRAWS: tuple[Callable[[np.ndarray, float, Randomness, Progress], object], ...] = (
    lambda counts, scale, rng, progress: add_noise(counts, scale, rng, progress),
    lambda counts, scale, rng, progress: noisy_at_least(counts, scale, 5, rng, progress),
    lambda counts, scale, rng, progress: passing_positions(counts, scale, 5, rng, progress),
    lambda counts, scale, rng, progress: zero_cells(len(counts), scale, 1, rng, progress),
    lambda counts, scale, rng, progress: rng.discrete_gaussian(scale, len(counts), progress),
)


@both_kinds
@pytest.mark.parametrize("scale", [0.0, -1.0, math.inf, math.nan, 1e16])
def test_that_a_scale_without_meaning_is_refused(make: Make, scale: float) -> None:
    for draw in DRAWS:
        with pytest.raises(ValueError, match="scale"):
            draw(np.zeros(3, np.int64), scale, make(), Progress())


MIXED = np.repeat(np.arange(-3, 60), 4000)


def dense(
    counts: np.ndarray, scale: float, threshold: float, rng: Randomness
) -> tuple[np.ndarray, np.ndarray]:
    """The definition: noise for every count, then the threshold."""
    noisy = add_noise(counts, scale, rng, Progress())
    index = np.flatnonzero(noisy >= threshold)
    return index, noisy[index]


def sparse(
    counts: np.ndarray, scale: float, threshold: float, rng: Randomness
) -> tuple[np.ndarray, np.ndarray]:
    return noisy_at_least(counts, scale, threshold, rng, Progress())


@pytest.mark.parametrize("sampler", [dense, sparse])
@pytest.mark.parametrize(("scale", "threshold"), [(0.7, 3), (5.0, 20), (20.0, 30), (40.0, 49.2)])
def test_that_each_count_passes_as_often_as_its_law_says(
    sampler: Callable[..., tuple[np.ndarray, np.ndarray]], scale: float, threshold: float
) -> None:
    """Both ways against the exact law: which pass, where in their class, and with which value."""
    order = np.random.default_rng(7).permutation(len(MIXED))
    counts = MIXED[order]
    index, noisy = sampler(counts, scale, threshold, PreviewRandomness(11))
    least = math.ceil(threshold)
    assert np.all(np.diff(index) > 0)
    assert noisy.min() >= least
    squares, places = 0.0, []
    for count in range(-3, 60):
        there = np.flatnonzero(counts == count)
        passed = int(np.isin(there, index).sum())
        chance = laplace_tail(least - count, scale)
        spread = 4000 * chance * (1 - chance)
        if spread > 5:
            squares += (passed - 4000 * chance) ** 2 / spread
            places.append(np.searchsorted(there, index[counts[index] == count]) // 400)
        else:
            assert abs(passed - 4000 * chance) < 25
    assert stats.chi2.sf(squares, len(places)) > 1e-4
    assert stats.chisquare(np.bincount(np.concatenate(places), minlength=10)).pvalue > 1e-4
    below = noisy[counts[index] < least] - least
    assert agreement(below, geometric_law(scale, max(1, int(2 * scale)))) > 1e-4
    shift = (noisy - counts[index])[counts[index] == 59]
    if least < 59 - 10 * scale:
        reach = max(1, int(2 * scale))
        assert agreement(shift, laplace_law(scale, -reach, reach), -reach) > 1e-4


@pytest.mark.parametrize(("scale", "threshold"), [(0.7, 3), (5.0, 20), (20.0, 30)])
def test_that_passing_alone_has_the_same_law(scale: float, threshold: int) -> None:
    counts = MIXED[np.random.default_rng(8).permutation(len(MIXED))]
    index = passing_positions(counts, scale, threshold, PreviewRandomness(3), Progress())
    assert np.all(np.diff(index) > 0)
    passed = np.bincount(counts[index] + 3, minlength=63)
    chance = np.array([laplace_tail(threshold - count, scale) for count in range(-3, 60)])
    spread = 4000 * chance * (1 - chance)
    usable = spread > 5
    squares = np.sum((passed - 4000 * chance)[usable] ** 2 / spread[usable])
    assert stats.chi2.sf(squares, int(usable.sum())) > 1e-4
    assert np.all(np.abs(passed - 4000 * chance)[~usable] < 25)


def test_that_secure_draws_pass_as_often_as_their_law_says() -> None:
    counts = np.repeat(np.arange(10), 1000)
    index, noisy = noisy_at_least(counts, 2.0, 8, SecureRandomness(), Progress())
    passed = np.bincount(counts[index], minlength=10)
    chance = np.array([laplace_tail(8 - count, 2.0) for count in range(10)])
    squares = np.sum((passed - 1000 * chance) ** 2 / (1000 * chance * (1 - chance)))
    assert stats.chi2.sf(squares, 10) > IMPLAUSIBLE
    assert agreement(noisy[counts[index] < 8] - 8, geometric_law(2.0, 6)) > IMPLAUSIBLE


@given(
    counts=st.lists(st.integers(-5, 60) | st.integers(0, 10**9), max_size=60),
    scale=st.sampled_from([0.3, 2.0, 11.5, 30.0]),
    threshold=st.integers(-2, 70),
    block=st.integers(1, 30),
    seed=st.integers(0, 1000),
)
def test_that_block_size_changes_nothing(
    counts: list[int], scale: float, threshold: int, block: int, seed: int
) -> None:
    array = np.array(counts, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        results = []
        for size in (1 << 20, block):
            patch.setattr(noise, "_SCAN", size)
            rng = PreviewRandomness(seed)
            results.append(
                [
                    *noisy_at_least(array, scale, threshold, rng, Progress()),
                    passing_positions(array, scale, threshold, rng, Progress()),
                ]
            )
    for unsplit, parted in zip(*results, strict=True):
        np.testing.assert_array_equal(unsplit, parted)
    assert np.all(results[0][1] >= threshold)


def test_that_sampled_zero_cells_have_the_law_of_dense_ones() -> None:
    """How many of 300 pass, which ones, and their values, in 4,000 runs of either way."""
    zeros, scale, threshold = np.zeros(300, np.int64), 2.0, 6
    chance = laplace_tail(threshold, scale)
    for variant in ("dense", "sampled"):
        rng, numbers, places, values = PreviewRandomness(4), [], [], []
        for _ in range(4000):
            if variant == "dense":
                index, noisy = dense(zeros, scale, threshold, rng)
            else:
                index, noisy = zero_cells(300, scale, threshold, rng, Progress())
                assert np.all(np.diff(index) > 0)
            numbers.append(len(index))
            places.append(index)
            values.append(noisy)
        law = stats.binom.pmf(np.arange(18), 300, chance)
        law[-1] += stats.binom.sf(17, 300, chance)
        assert agreement(np.array(numbers), law) > 1e-4, variant
        assert stats.chisquare(np.bincount(np.concatenate(places), minlength=300)).pvalue > 1e-4
        assert agreement(np.concatenate(values) - threshold, geometric_law(scale, 8)) > 1e-4


@both_kinds
@pytest.mark.parametrize(("sigma", "least"), [(2.5, 2), (2.5, 5), (0.7, 1), (3.0, 12)])
def test_that_gaussian_zero_cells_have_the_dense_law(make: Make, sigma: float, least: int) -> None:
    """How many pass, where, and with which values; `least` on both sides of σ, and in the tail."""
    weight = np.exp(-(np.arange(100) ** 2) / (2 * sigma * sigma))
    law = weight[least:] / (2 * weight.sum() - 1)
    chance = float(law.sum())
    assert noise._gaussian_gap(least, sigma) == pytest.approx(-1 / math.log1p(-chance), rel=1e-12)
    cells = int(3_000 / chance)
    positions, values = zero_cells(cells, sigma, least, make(), Progress(), "gaussian")
    assert IMPLAUSIBLE < stats.binom.cdf(len(positions), cells, chance) < 1 - IMPLAUSIBLE
    assert np.all(np.diff(positions) > 0)
    tenths = np.bincount(positions * 10 // cells, minlength=10)
    assert stats.chisquare(tenths).pvalue > IMPLAUSIBLE
    wide = max(2, int(np.count_nonzero(law > chance / 500)))
    law = np.append(law[: wide - 1], law[wide - 1 :].sum()) / chance
    assert agreement(values, law, least) > IMPLAUSIBLE


def test_that_the_gap_of_gaussian_noise_is_that_of_its_tail_to_all_digits() -> None:
    for sigma, least in [(18.257418583505537, 91), (179.8, 1_001), (1.0, 10)]:
        with decimal.localcontext() as context:
            context.prec = 80
            half = 1 / (2 * decimal.Decimal(sigma) ** 2)
            weight = [(-x * x * half).exp() for x in range(int(25 * sigma))]
            tail = decimal.Decimal(sum(weight[least:])) / (2 * sum(weight) - 1)
            assert float(-1 / (1 - tail).ln()) == noise._gaussian_gap(least, sigma)


@both_kinds
def test_that_a_quintillion_cells_cost_what_passes(make: Make) -> None:
    cells, scale = 10**18, 10.0
    threshold = math.ceil(scale * math.log(cells / 2000))
    positions, noisy = zero_cells(cells, scale, threshold, make(), Progress())
    expected = cells * laplace_tail(threshold, scale)
    assert abs(len(positions) - expected) < 6.5 * math.sqrt(expected)
    assert np.all(np.diff(positions) > 0)
    assert positions[0] >= 0
    assert positions[-1] < cells
    uniform = stats.kstest(positions / cells, "uniform").pvalue
    assert uniform > IMPLAUSIBLE
    assert agreement(noisy - threshold, geometric_law(scale, 25)) > IMPLAUSIBLE


def test_that_more_zero_cells_than_anybody_can_store_are_refused_with_a_way_out() -> None:
    with pytest.raises(ParameterError, match="Raise it to") as caught:
        zero_cells(10**18, 10.0, 5, PreviewRandomness(1), Progress())
    minimum = int(str(caught.value).split()[-3])
    assert 10**18 * laplace_tail(minimum, 10.0) <= noise.MOST_SHOWN
    with pytest.raises(ParameterError, match="at least 1"):
        zero_cells(10, 10.0, 0, PreviewRandomness(1), Progress())
    with pytest.raises(ValueError, match="cells"):
        zero_cells(-1, 10.0, 5, PreviewRandomness(1), Progress())


def test_that_no_cells_give_none() -> None:
    for cells, threshold in ((0, 3), (10, 10**9)):
        positions, noisy = zero_cells(cells, 1.0, threshold, PreviewRandomness(1), Progress())
        assert len(positions) == len(noisy) == 0


@given(st.integers(1, 10**5), st.floats(1e-2, 1e6))
def test_that_the_gap_scale_is_that_of_the_tail(excess: int, scale: float) -> None:
    """1/γ against doubles, which are good to about t/b ulps."""
    chance = laplace_tail(excess, scale)
    if chance < 1e-290:
        assert noise._gap_scale(excess, scale) > 1e289
        return
    expected = -1 / math.log1p(-chance)
    assert noise._gap_scale(excess, scale) == pytest.approx(expected, rel=3e-13)


def test_that_a_chance_below_all_doubles_gives_no_gap_at_all() -> None:
    assert noise._gap_scale(10**6, 1.0) == math.inf
    assert noise._gap_scale(10**18, 1e-3) == math.inf


@both_kinds
def test_that_drawing_stops_when_cancelled(make: Make) -> None:
    rng, progress = make(), Progress()
    progress.cancel()
    for draw in DRAWS:
        with pytest.raises(Cancelled):
            draw(np.zeros(10**6, dtype=np.int64), 1.0, rng, progress)
    with pytest.raises(Cancelled):
        rng.geometric(1.0, 10_000, progress)


def test_that_draws_are_reported_as_they_come() -> None:
    reports: list[tuple[str, int, int]] = []
    progress = Progress(lambda *report: reports.append(report), interval=0.0)
    add_noise(np.zeros(10_000, dtype=np.int64), 1.0, SecureRandomness(), progress)
    assert reports[0] == ("drawing noise", 0, 10_000)
    assert reports[-1] == ("drawing noise", 10_000, 10_000)
    assert len(reports) > 3


def test_that_only_what_can_pass_is_drawn() -> None:
    """A million ones under a threshold of 200: a few draws, not a million."""
    drawn = 0

    def count(stage: str, done: int, total: int) -> None:
        nonlocal drawn
        if stage == "drawing noise":
            drawn = max(drawn, done)

    counts = np.ones(1_000_000, dtype=np.int64)
    counts[:50] = 1000
    index, _ = noisy_at_least(
        counts, 10.0, 200, PreviewRandomness(1), Progress(count, interval=0.0)
    )
    assert set(range(50)) <= set(index.tolist())
    assert drawn < 500
