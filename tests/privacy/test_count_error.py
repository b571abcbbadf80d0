"""How far counts may be off, against the exact laws and against draws; and who says so."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.privacy import count_error
from auditor.privacy.release import QUERIES
from auditor.release.kept_content import describe_errors, find_count_errors
from tests.methods.logs import run_method, tables_of


def tail(weights: dict[int, float], width: int) -> float:
    total = sum(weights.values())
    return sum(w for x, w in weights.items() if abs(x) > width) / total


@pytest.mark.parametrize("scale", [0.05, 0.5, 1.0, 2.5, 10.0, 77.7])
def test_that_laplace_widths_are_the_least(scale: float) -> None:
    law = {x: math.exp(-abs(x) / scale) for x in range(-4_000, 4_001)}
    width = count_error.of_laplace(scale)
    assert tail(law, width) <= 0.05
    assert width == 0 or tail(law, width - 1) > 0.05


@pytest.mark.parametrize("sigma", [0.0, 0.3, 1.0, 7.0, 49.9, 50.0, 240.0])
def test_that_gaussian_widths_are_the_least(sigma: float) -> None:
    support = range(-3_000, 3_001)
    law = {x: math.exp(-((x / sigma) ** 2) / 2) if sigma else float(x == 0) for x in support}
    width = count_error.of_gaussian(sigma)
    assert tail(law, width) <= 0.05
    assert width == 0 or tail(law, width - 1) > 0.05


def test_that_a_law_between_bounds_is_read() -> None:
    assert count_error.of_law(np.array([0.02, 0.08, 0.8, 0.08, 0.02])) == 1
    assert count_error.of_law(np.array([0.03, 0.07, 0.8, 0.07, 0.03])) == 2
    assert count_error.of_law(np.array([1.0])) == 0


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("safelog", {"b": 4.0, "q_f": 1, "clicks": False, "transitions": False}),
        ("partition-selection", {"epsilon": 1.0, "delta": 1e-4}),
        ("set-union", {"epsilon": 1.0, "delta": 1e-4}),
    ],
)
def test_that_95_of_100_counts_are_so_near(name: str, values: dict[str, Any]) -> None:
    """400 counts, by which the share may be off by 2.2 % (two standard deviations)."""
    users, queries = 300, 400
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(users * queries)],
        query=[f"weather {n % queries}" for n in range(users * queries)],
        time=range(users * queries),
    )
    width = METHODS[name].find_errors(METHODS[name].params.of(values))[QUERIES]
    counts = tables_of(run_method(name, log, **values).content).query_count
    assert len(counts) == queries
    assert 0.925 <= np.mean(np.abs(counts - users) <= width) <= 0.99


def test_that_every_noisy_table_says_so_and_no_other() -> None:
    log = auditor.load_sample().sample_users(100, 1)
    for name in METHODS:
        release = auditor.preview(log, name, seed=1)
        errors = find_count_errors(release)
        assert bool(errors) == (METHODS[name].randomised and METHODS[name].yields == "tables")
        assert all(width > 0 for width in errors.values())
        assert ("±" in describe_errors(release)) == bool(errors)
        for least, warns in ((5, False), (40, True)):
            measured = {"noise_alone_below": float(least), "threshold": 4.0}
            statement = dataclasses.replace(release.statement, measured=measured)
            text = describe_errors(dataclasses.replace(release, statement=statement))
            assert ("under 40" in text) == (warns and bool(errors))
        if release.tables is not None:
            assert set(errors) <= {sheet.file for sheet in release.tables.list_sheets()}
