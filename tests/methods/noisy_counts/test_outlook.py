"""Expectations against the mean of many releases, samples against the whole, and speed's ground."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.backends import local
from auditor.methods.noisy_counts import discrete_laplace, expectations
from auditor.methods.registry import METHODS
from auditor.privacy.accounting import laplace_tail
from auditor.privacy.randomness import PreviewRandomness
from auditor.progress import Progress
from auditor.release.kept_content import KeptContent
from tests.methods.logs import (
    Row,
    expect,
    expected_values,
    line_of,
    log_of,
    present,
    random_rows,
    tables_of,
)

TABLES = ("safelog", "korolova", "zealous")


@given(least=st.integers(-60, 60), scale=st.floats(0.3, 30))
def test_that_the_arrays_agree_with_the_accountant_and_with_sums(least: int, scale: float) -> None:
    assert discrete_laplace.tail_probability(float(least), scale) == pytest.approx(
        laplace_tail(least, scale)
    )
    ratio = np.exp(-1 / scale)
    x = np.arange(-3_000, 3_001)
    chance = (1 - ratio) / (1 + ratio) * ratio ** np.abs(x)
    size = float((np.abs(x) * chance)[x >= least].sum())
    assert discrete_laplace.mean_size_above(np.array(float(least)), scale) == pytest.approx(
        size, abs=1e-9
    )
    assert discrete_laplace.mean_size(scale) == pytest.approx(float((np.abs(x) * chance).sum()))


SETTINGS = [
    {"K": 12, "b": 4.0, "b_c": 3.0, "K_c": 6, "b_t": 2.0, "K_t": 5, "q_f": 8, "c_f": 6},
    {"K": 12, "b": 4.0, "pool": "n-grams", "pool_size": 5_000, "K_t": 40, "b_t": 4.0},
    {"mode": "published", "K": 20, "b": 6.0, "b_q": 5.0, "tau": 30, "q_f": 10, "c_f": 4},
]


@pytest.mark.parametrize("values", SETTINGS)
def test_that_expectations_are_the_means_of_releases(values: dict[str, Any]) -> None:
    """225 releases; every expected figure within five standard errors of their mean."""
    log, method = log_of(random_rows()), METHODS["safelog"]
    params = method.params(**values)
    rng = PreviewRandomness(4)
    names = ("queries", "decoys", "clicks", "transitions", "false")
    drawn = np.zeros((225, len(names)))
    for row in drawn:
        changes = method.run(log, params, rng=rng, progress=Progress()).changes
        false = changes.get("transitions_that_never_happened", 0)
        decoys = changes["pool_queries_released"]
        row[:] = (
            changes["queries_released"] - decoys,
            decoys,
            changes.get("click_pairs_released", 0),
            changes["transitions_released"] - false,
            false,
        )
    values_by_name = expected_values(expect("safelog", log, **values))
    means = {name: values_by_name[name] for name in ("queries", "clicks", "transitions")}
    if "pool" in values:
        means["decoys"] = values_by_name["decoys"]
    elif values.get("mode") != "published":
        means["false"] = values_by_name["false_transitions"]
    for name, expected in means.items():
        column = drawn[:, names.index(name)]
        spread = 5 * column.std() / 15 + 0.02 * max(expected, 0.5)
        assert abs(column.mean() - expected) < spread, name


def test_that_the_three_errors_are_those_of_releases() -> None:
    """Bounding and threshold exactly by their definitions, noise by the mean over 225 releases."""
    log, method = log_of(random_rows()), METHODS["safelog"]
    values: dict[str, Any] = {"K": 12, "b": 4.0, "q_f": 6, "clicks": False, "transitions": False}
    params = method.params(**values)
    counts = expectations.count_log(log, params.limits, Progress())  # type: ignore[attr-defined]
    text = log.queries.list_strings()
    rng = PreviewRandomness(5)
    shares, noise = [], []
    for _ in range(225):
        tables = tables_of(method.run(log, params, rng=rng, progress=Progress()).content)
        codes = [text.index(query) for query in tables.queries.list_strings()]
        true = counts.query_count[codes]
        shares.append(true.sum() / counts.volume)
        noise.append(np.abs(tables.query_count - true).sum() / counts.volume)
    expected = expected_values(expect("safelog", log, **values))
    bounding, threshold = expected["error.bounding"], expected["error.threshold"]
    assert bounding == pytest.approx(1 - counts.limited_volume / counts.volume)
    assert expected["volume"] == pytest.approx(1 - bounding - threshold)
    assert np.mean(shares) == pytest.approx(expected["volume"], abs=0.01)
    assert np.mean(noise) == pytest.approx(expected["error.noise"], rel=0.05)


SHARES: list[tuple[str, dict[str, Any]]] = [
    ("safelog", {"K": 12, "b": 4.0, "q_f": 6}),
    ("safelog", {"K": 12, "b": 4.0, "q_f": 6, "counting_unit": "users"}),
    ("korolova", {"K": 12, "b": 4.0, "q_f": 6}),
    ("zealous", {"epsilon": 8.0, "delta": 0.01}),
    ("set-union", {"epsilon": 4.0, "delta": 1e-3, "q_f": 6}),
    ("partition-selection", {"epsilon": 4.0, "delta": 1e-3, "q_f": 3, "k": 2}),
    (
        "partition-selection",
        {"epsilon": 4.0, "delta": 1e-3, "q_f": 3, "k": 2, "protected_unit": "day"},
    ),
    ("dated-counts", {"epsilon": 4.0, "delta": 1e-3}),
]


@pytest.mark.parametrize(("name", "values"), SHARES)
def test_that_expected_searches_queries_and_cells_are_those_that_releases_keep(
    name: str, values: dict[str, Any]
) -> None:
    """The verdict before a run and the one after it speak of the same share."""
    log, params = log_of(random_rows()), METHODS[name].params(**values)
    rng = PreviewRandomness(6)
    previews = [local.apply_method(log, name, params, rng, Progress()) for _ in range(100)]
    outlook = expect(name, log, **values)
    expected = expected_values(outlook)
    share = present(KeptContent.from_expectations(outlook.values, log).share)
    assert share == pytest.approx(expected["searches_share"])
    assert 0.02 < share < 0.98  # or nothing would be compared
    shares = [present(KeptContent.of(log, preview).share) for preview in previews]
    assert np.mean(shares) == pytest.approx(share, abs=float(np.std(shares)) / 2 + 0.005)
    for figure in {"queries", "cells"} & expected.keys():
        sizes = [preview.changes[f"{figure}_released"] for preview in previews]
        assert np.mean(sizes) == pytest.approx(
            expected[figure], abs=float(np.std(sizes)) / 2 + 0.05
        )


def test_that_periods_beyond_the_limit_lower_the_expected_share_of_searches() -> None:
    day = 86_400
    rows: list[Row] = [(f"u{user}", "a", n * day, None) for user in range(60) for n in range(4)]
    values: dict[str, Any] = {"K": 5, "b": 1.0, "protected_unit": "day"}
    full = expected_values(expect("safelog", log_of(rows), **values))["searches_share"]
    some = expected_values(expect("safelog", log_of(rows), periods=1, **values))["searches_share"]
    assert full == pytest.approx(1.0)
    assert some == pytest.approx(0.25)


def test_that_a_sample_of_users_stands_for_the_whole() -> None:
    """A fifth of 4,000 users, five times: the mean of the estimates is near the whole's."""
    rng = np.random.default_rng(8)
    rows: list[Row] = [
        (f"u{user}", f"q{int(rng.zipf(1.4)) % 3_000}", time, None)
        for user in range(4_000)
        for time in range(int(rng.integers(1, 6)))
    ]
    log = log_of(rows)
    values: dict[str, Any] = {"K": 60, "b": 8.0, "clicks": False, "transitions": False}
    full = expect("safelog", log, **values)
    parts = [expect("safelog", log.sample_users(800, seed), 5.0, **values) for seed in range(5)]
    for name in ("queries", "volume", "searches_share"):
        mean = np.mean([expected_values(part)[name] for part in parts])
        assert mean == pytest.approx(expected_values(full)[name], rel=0.25), name
    single = expect("safelog", log_of([("u", "alone", 1, None)]), 1_000.0, **values)
    assert expected_values(single)["queries"] < 1  # of the 1,000 it stands for


@pytest.mark.parametrize("name", TABLES)
def test_that_more_threshold_never_keeps_more(name: str) -> None:
    shares = line_of(expect(name, log_of(random_rows())), "volume", "kept")
    assert np.all(np.diff(shares) <= 1e-12)


def test_that_a_log_is_counted_a_few_times_and_forgotten_with_the_log() -> None:
    log = log_of(random_rows())
    base: Any = METHODS["safelog"].params()
    first = expectations.count_log(log, base.limits, Progress())
    assert expectations.count_log(log, base.limits, Progress()) is first
    for q_f in range(30, 36):
        expectations.count_log(log, base.replace(q_f=q_f).limits, Progress())
    assert expectations.count_log(log, base.limits, Progress()) is not first
    gone = weakref.ref(log)
    del log
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("safelog", {"K": 100_000}),
        ("korolova", {"K": 100_000}),
        ("zealous", {"tau": 100_000}),
        ("frequency-threshold", {"n": 100_000}),
        ("partition-selection", {"epsilon": 0.1}),
    ],
)
def test_that_parameters_that_release_nothing_are_said(name: str, values: dict[str, Any]) -> None:
    log = log_of([(f"u{user}", "a secret query", user, None) for user in range(7)])
    note = expect(name, log, **values).note
    assert "expected to release" in note
    assert "100,000" in note or name in ("zealous", "partition-selection")
    assert "secret" not in note
    assert "7 counts" in note or name != "safelog"
    few = {"K": 2, "b": 0.5} if "K" in values else {"n": 2}
    if name in ("safelog", "frequency-threshold"):
        crowd = log_of([(f"u{user}", "a", user, None) for user in range(60)])
        assert expect(name, crowd, **few).note == ""
