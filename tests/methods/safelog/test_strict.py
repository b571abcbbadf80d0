"""Strict SafeLog: what is released, what can't be, and zero cells against the dense way."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import ParameterError
from auditor.methods import safelog as strict
from auditor.methods.noisy_counts import counting
from auditor.methods.noisy_counts.histograms import ReleasedQueries, limit_users, transition_pairs
from auditor.methods.safelog import SafeLogParams
from auditor.privacy.noise import add_noise
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Product, Tables
from auditor.progress import Progress
from tests.methods.logs import (
    SILENT,
    Row,
    log_of,
    random_rows,
    released_places,
    run_method,
    tables_of,
)

QUIET: dict[str, Any] = {"b": SILENT, "b_c": SILENT, "b_t": SILENT, "K": 3, "K_c": 2, "K_t": 2}


def run(rows: list[Row], seed: int = 1, **values: Any) -> Product:
    return run_method("safelog", log_of(rows), seed, **values)


def release(rows: list[Row], seed: int = 1, **values: Any) -> Tables:
    return tables_of(run(rows, seed, **values).content)


@given(
    picks=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 8)), max_size=60),
    q_f=st.integers(1, 5),
    seed=st.integers(0, 9),
)
def test_that_only_strings_of_limited_histories_are_released(
    picks: list[tuple[int, int]], q_f: int, seed: int
) -> None:
    """A query beyond somebody's limit has no count, so no noise may bring it out."""
    rows: list[Row] = [(f"u{u}", f"q{q}", time, None) for time, (u, q) in enumerate(picks)]
    tables = release(rows, seed, b=50.0, K=1, q_f=q_f)
    allowed: set[str] = set()
    for user in {row[0] for row in rows}:
        history = [row[1] for row in rows if row[0] == user]
        allowed |= set(list(dict.fromkeys(history))[:q_f])
    assert set(tables.queries.list_strings()) <= allowed


def test_that_released_rows_stand_in_an_order_that_the_release_decides() -> None:
    tables = release(random_rows(), b=3.0, b_c=2.0, b_t=2.0, K=8, K_c=6, K_t=6)
    texts = tables.queries.list_strings()
    order = sorted(range(len(texts)), key=lambda i: (-int(tables.query_count[i]), texts[i]))
    assert order == list(range(len(texts)))
    assert tables.urls.list_strings() == sorted(tables.urls.list_strings())
    clicks = list(zip(tables.click_query, -tables.click_count, tables.click_url, strict=True))
    assert clicks == sorted(clicks)
    pairs = list(zip(tables.from_query, tables.to_query, strict=True))
    assert pairs == sorted(set(pairs))


def test_that_every_released_count_reaches_its_threshold_and_is_of_released_queries() -> None:
    tables = release(random_rows(), b=5.0, b_c=5.0, b_t=5.0, K=9, K_c=8, K_t=7)
    assert tables.query_count.min() >= 9
    assert tables.click_count.min() >= 8
    assert tables.transition_count.min() >= 7
    assert np.all(tables.from_query != tables.to_query)
    for pool_size in (1, 500):
        tables = release(random_rows(), K=12, b=5.0, K_c=5, pool="n-grams", pool_size=pool_size)
        assert tables.click_query.max(initial=0) < len(tables.queries)
        assert tables.to_query.max(initial=0) < len(tables.queries)


def test_that_tables_switched_off_are_not_released_and_not_paid_for() -> None:
    product = run(random_rows(), K=10, clicks=False, transitions=False)
    tables = tables_of(product.content)
    assert not tables.has_clicks
    assert not tables.has_transitions
    assert [term.name for term in product.statement.terms] == ["queries"]
    assert product.statement.epsilon == 20 / 10


def test_that_changes_add_up() -> None:
    rows = random_rows()
    product = run(rows, **QUIET | {"q_f": 4})
    changes = product.changes
    released = changes["queries_released"] - changes["pool_queries_released"]
    assert changes["rows"] == len(rows)
    assert changes["queries_in_histories"] == changes["queries_below_threshold"] + released
    assert 0 < changes["rows_over_limit"] < len(rows)


# The zero cells -----------------------------------------------------------------------------


def _five_queries() -> tuple[Any, SafeLogParams, Any, ReleasedQueries]:
    rows: list[Row] = []
    for user in range(6):
        rows += [(f"u{user}", "a", 1, None), (f"u{user}", "b", 2, None)]
    rows += [("x", "b", 1, None), ("x", "c", 2, None), ("x", "d", 3, None), ("y", "e", 1, None)]
    log = log_of(rows)
    params = SafeLogParams(b_t=1.5, K_t=3, q_f=5)
    limited = limit_users(log, params.limits, Progress())
    every = np.arange(5)
    chosen = ReleasedQueries(log.queries, np.ones(5, np.int64), released_places(every, 5), 0)
    return log, params, limited, chosen


def test_that_sampled_zero_cells_have_the_distribution_of_the_dense_way() -> None:
    """2,500 releases of all 20 cells each way: the same chances, by cell and by value."""
    log, params, limited, chosen = _five_queries()
    plan = strict.plan_counting(params)
    happened = transition_pairs(log, limited, chosen.place, Progress())
    runs = 2_500
    sampled: Counter[tuple[int, int]] = Counter()
    values: list[Counter[int]] = [Counter(), Counter()]
    rng = PreviewRandomness(11)
    for _ in range(runs):
        cells = counting.release_all_cells(happened, len(chosen), plan, rng, Progress())[0]
        pairs = list(zip(cells.first.tolist(), cells.second.tolist(), strict=True))
        assert len(set(pairs)) == len(pairs)
        sampled.update(pairs)
        values[0].update(np.minimum(cells.count, 12).tolist())

    true = np.zeros((5, 5), dtype=np.int64)
    index = {text: code for code, text in enumerate(log.queries.list_strings())}
    true[index["a"], index["b"]] = 6
    true[index["b"], index["c"]] = true[index["c"], index["d"]] = 1
    off = ~np.eye(5, dtype=bool)
    dense = np.zeros((5, 5))
    rng = PreviewRandomness(12)
    for _ in range(runs):
        noisy = np.full((5, 5), -(10**6))
        noisy[off] = add_noise(true[off], 1.5, rng, Progress())
        dense += noisy >= 3
        values[1].update(np.minimum(noisy[noisy >= 3], 12).tolist())

    for a, b in zip(*np.nonzero(off), strict=True):
        chance = dense[a, b] / runs
        spread = 5 * np.sqrt(2 * max(chance * (1 - chance), 1e-3) / runs)
        assert abs(sampled[int(a), int(b)] / runs - chance) < spread, (a, b)
    for value in range(3, 13):
        first, second = values[0][value], values[1][value]
        assert abs(first - second) < 5 * np.sqrt(first + second + 1), value
    assert all(sampled[int(i), int(i)] == 0 for i in range(5))


@given(size=st.integers(2, 40), data=st.data())
def test_that_cells_and_pairs_are_numbered_both_ways(size: int, data: st.DataObject) -> None:
    cells = np.arange(size * (size - 1))
    first, second = counting.pair_of(cells, size)
    assert np.all(first != second)
    assert np.array_equal(counting.cell_of(first, second, size), cells)
    chosen = data.draw(st.sets(st.integers(0, len(cells) - 1)))
    present = np.array(sorted(chosen), dtype=np.int64)
    missing = counting.nth_missing(present, np.arange(len(cells) - len(present)))
    assert np.array_equal(missing, np.setdiff1d(cells, present))


def test_that_a_flood_of_false_transitions_is_refused_with_advice() -> None:
    with pytest.raises(ParameterError, match="Set K_t to"):
        strict.transition_threshold(SafeLogParams(K_t=1, b_t=100.0), 10**10)
    assert strict.transition_threshold(SafeLogParams(b_t=10.0), 10**6) == 132
