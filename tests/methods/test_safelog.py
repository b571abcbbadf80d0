"""SafeLog: releases of both modes, pools of every kind, what is promised, and its solvers."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.errors import LogFormatError, MissingInput, ParameterError
from auditor.figures import Figure
from auditor.log.model import QueryLog
from auditor.methods import safelog as strict
from auditor.methods.base import ParameterSolver
from auditor.methods.noisy_counts import counting
from auditor.methods.noisy_counts.histograms import ReleasedQueries, limit_users, transition_pairs
from auditor.methods.noisy_counts.query_pool import ListPool, NgramPool, canonical_pairs, load_pool
from auditor.methods.safelog import METHOD, SafeLogParams, epsilon_of
from auditor.privacy import accounting
from auditor.privacy.noise import add_noise
from auditor.privacy.randomness import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Product, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress
from tests.methods.logs import (
    SILENT,
    Row,
    find_assumption,
    log_of,
    present,
    queries_of,
    random_rows,
    released_places,
    run_method,
    tables_of,
)

LOG = log_of(random_rows())
PUBLISHED: dict[str, Any] = {
    "mode": "published",
    "b": SILENT,
    "b_q": SILENT,
    "b_c": SILENT,
    "b_t": SILENT,
    "K": 3,
    "tau": 1,
}
STRICT: dict[str, Any] = {"b": SILENT, "b_c": SILENT, "b_t": SILENT, "K": 3, "K_c": 2, "K_t": 2}
TENS: dict[str, Any] = {
    "mode": "published",
    "K": 10,
    "b": 10.0,
    "b_q": 10.0,
    "b_c": 10.0,
    "p_g": 1.0,
    "transitions": False,
}


def run(rows: list[Row], seed: int = 1, **values: Any) -> Product:
    return run_method("safelog", log_of(rows), seed, **values)


def release(rows: list[Row], seed: int = 1, **values: Any) -> Tables:
    return tables_of(run(rows, seed, **values).content)


# Strict -------------------------------------------------------------------------------------


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
    product = run(rows, **STRICT | {"q_f": 4})
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


# As published -------------------------------------------------------------------------------


def test_that_selection_and_count_are_two_draws() -> None:
    """What is released may be below K, since its count was drawn anew."""
    rows: list[Row] = [(f"u{n}", f"q{n % 400}", 1, None) for n in range(4_000)]
    values = PUBLISHED | {"b": 3.0, "b_q": 3.0, "K": 10}
    count = release(rows, **values).query_count
    assert count.min() < 10
    # Each of 400 queries has 10 users: it passes with P[X ≥ 0] = 1/(1 + e^(−1/3)).
    chance = 1 / (1 + math.exp(-1 / 3))
    assert abs(len(count) - 400 * chance) < 5 * math.sqrt(400 * chance * (1 - chance))
    assert abs(count.mean() - 10) < 5 * math.sqrt(2 * 9 / len(count))


def test_that_rows_are_accounted_for_with_tau_and_limits() -> None:
    rows = random_rows()
    changes = run(
        rows, **PUBLISHED | {"tau": 30, "q_f": 5, "counting_unit": "rows", "K": 1}
    ).changes
    log = log_of(rows)
    often = np.bincount(log.query)
    dropped = int((often[log.query] < 30).sum())
    frequent = log.user[often[log.query] >= 30]
    within = int(np.minimum(np.bincount(frequent, minlength=len(log.users)), 5).sum())
    assert changes["rows_rarer_than_tau"] == dropped
    assert changes["rows_over_limit"] == len(rows) - dropped - within


# Pools --------------------------------------------------------------------------------------


def test_that_a_list_adds_decoys_and_no_second_chance(tmp_path: Path) -> None:
    """1,000 strangers and the log's own queries in a list: each string has one count."""
    file = tmp_path / "pool.txt"
    strangers = [f"stranger {n}" for n in range(1_000)]
    log_queries = ["a", "b"]
    file.write_text("\n".join([*strangers, *log_queries, "", strangers[0]]), encoding="utf-8")
    rows: list[Row] = [(f"u{n}", "a", 1, None) for n in range(50)]
    product = run(rows, K=4, b=2.0, pool="file", pool_file=file)
    tables = tables_of(product.content)
    counts = queries_of(tables)
    assert len(counts) == len(tables.queries)
    decoys = len(counts) - 1
    assert product.changes["pool_queries_released"] == decoys
    chance = math.exp(-4 / 2) / (1 + math.exp(-1 / 2))
    assert abs(decoys - 1_001 * chance) < 5 * math.sqrt(1_001 * chance)
    assert abs(counts["a"] - 50) < 40
    assert set(counts) <= {*strangers, *log_queries}


def test_that_a_pool_query_beyond_everybodys_limit_counts_as_zero(tmp_path: Path) -> None:
    file = tmp_path / "pool.txt"
    file.write_text("second\nnowhere\n", encoding="utf-8")
    log = log_of([("u", "first", 1, None), ("u", "second", 2, None)])
    pool = load_pool("file", file, 0, Progress())
    assert isinstance(pool, ListPool)
    assert pool.count_zeros(log, np.array([1, 0], dtype=np.int32)) == 2
    assert pool.count_zeros(log, np.array([1, 1], dtype=np.int32)) == 1
    assert pool.count_overlap(log) == 1


def test_that_ngram_pairs_are_drawn_from_the_noun_ngrams() -> None:
    ngrams = tuple(f"word{n} noun" for n in range(40))
    pool = NgramPool(ngrams, 1_600, "test")
    texts, noisy = pool.draw_passing(
        log_of([("u", "a", 1, None)]),
        np.array([1], dtype=np.int32),
        2.0,
        3,
        PreviewRandomness(2),
        Progress(),
    )
    chance = math.exp(-3 / 2) / (1 + math.exp(-1 / 2))
    assert abs(len(texts) - 1_600 * chance) < 5 * math.sqrt(1_600 * chance)
    assert len(set(texts)) == len(texts) == len(noisy)
    assert noisy.min() >= 3
    assert all(len(text.split()) == 4 for text in texts)


def test_that_a_string_that_two_pairs_spell_is_in_the_pool_once() -> None:
    ngrams = ("old car", "old", "car park", "park")
    canonical = canonical_pairs(ngrams)
    assert canonical("old", "car park")
    assert not canonical("old car", "park")
    draws = [draw_texts(NgramPool(ngrams, 16, "test"), log_of([]), seed) for seed in range(60)]
    assert all(len(set(texts)) == len(texts) for texts in draws)
    assert 0.2 < sum("old car park" in texts for texts in draws) / 60 < 0.8


def test_that_ngrams_that_the_log_counts_keep_their_own_count() -> None:
    pool = NgramPool(("red", "car"), 4, "test")
    log = log_of([("u", "red car", 1, None)])
    assert not any("red car" in draw_texts(pool, log, seed) for seed in range(30))


def draw_texts(pool: NgramPool, log: QueryLog, seed: int) -> list[str]:
    """What a pool adds to a log each of whose queries counts 1, with much noise."""
    counted = np.ones(len(log.queries), dtype=np.int32)
    return pool.draw_passing(log, counted, 1e6, 1, PreviewRandomness(seed), Progress())[0]


@pytest.mark.parametrize("kind", ["file", "reference"])
def test_that_a_pool_without_its_file_says_what_to_give(kind: str) -> None:
    with pytest.raises(MissingInput, match="pool_file"):
        load_pool(kind, None, 1, Progress())


@pytest.mark.parametrize(
    ("content", "error"),
    [(None, "can't be read"), (b"good\n\xff\xfe\n", "line 2"), (b"\n \n", "no query")],
)
def test_that_pools_that_cannot_be_read_are_clear_errors(
    content: bytes | None, error: str, tmp_path: Path
) -> None:
    if content is not None:
        (tmp_path / "pool.txt").write_bytes(content)
    with pytest.raises(LogFormatError, match=error):
        load_pool("file", tmp_path / "pool.txt", 1, Progress())


def test_that_a_changed_pool_file_is_read_anew(tmp_path: Path) -> None:
    file = tmp_path / "pool.txt"
    for text, size in (("one\n", 1), ("one\ntwo\nthree\n", 3)):
        file.write_text(text)
        pool = load_pool("file", file, 1, Progress())
        assert isinstance(pool, ListPool)
        assert len(pool.strings) == size


def test_that_the_shipped_ngrams_make_a_pool() -> None:
    product = run(random_rows(), K=30, b=4.0, pool="n-grams", pool_size=1_000_000)
    assert product.changes["pool_queries_released"] > 100


# Statements ---------------------------------------------------------------------------------


def statement(secure: bool = False, **values: Any) -> Statement:
    rng = SecureRandomness() if secure else PreviewRandomness(1)
    return METHOD.run(LOG, SafeLogParams(**values), rng=rng, progress=Progress()).statement


def figure(name: str, users: int = 1_000, **values: Any) -> Figure:
    curves = present(METHOD.curves)
    return next(plot for plot in curves(SafeLogParams(**values), users) if plot.name == name)


def solver(parameter: str) -> ParameterSolver:
    return next(entry for entry in METHOD.solvers if entry.parameter == parameter)


# The source's numbers -----------------------------------------------------------------------


def test_that_transitions_cost_only_where_they_are_released() -> None:
    steps = statement(**TENS | {"transitions": True, "b_t": 3.0}, q_f=10, c_f=10)
    without = present(statement(**TENS, q_f=10, c_f=10).epsilon)
    assert steps.epsilon == pytest.approx(without + 9 / 3)
    assert sum(term.epsilon for term in steps.terms) == pytest.approx(steps.epsilon)


@pytest.mark.parametrize(
    ("K", "b"), [(10, 6.883), (30, 14.426), (50, 20.738), (100, 34.565), (500, 121.408)]
)
def test_that_the_turning_point_is_marked_where_the_source_has_it(K: int, b: float) -> None:
    marks = figure("epsilon", **TENS | {"K": K}).marks
    optimum = next(mark for mark in marks if mark.role == "optimum")
    assert optimum.at == pytest.approx(b, abs=6e-4)
    line = figure("epsilon", **TENS | {"K": K}).series[0]
    assert line.x[np.argmin(line.y)] == pytest.approx(b, abs=6e-4)


def test_that_korolovas_delta_stands_beside_the_printed_epsilon() -> None:
    """Spec caveat 2: q_f = 10, K = b = 10 gives δ = 5, which says nothing."""
    facts = statement(**TENS, q_f=10, c_f=10, tau=1)
    assert facts.measured["korolova_delta"] == pytest.approx(5.0)
    pool = find_assumption(facts, "every query can come from the pool")
    assert pool.status == "fails"
    assert "≥ 1/users" in pool.evidence
    assert "protects nobody" in facts.claim


@pytest.mark.parametrize(("q_f", "K", "once"), [(10, 164, 155), (50, 220, 171), (100, 277, 178)])
def test_that_thresholds_solved_from_delta_are_the_specs(q_f: int, K: int, once: int) -> None:
    values: dict[str, Any] = {"q_f": q_f, "b": 10.0, "delta": 1e-6}
    by_events = SafeLogParams(mode="published", **values)
    assert statement(mode="published", tau=1, **values).measured["korolova_delta"] <= 1e-6
    least = solver("K").solve(by_events, 1e-6, 1_000).K  # type: ignore[attr-defined]
    assert least == pytest.approx(K, abs=1)
    strict = statement(clicks=False, transitions=False, **values)
    assert strict.measured["K"] == pytest.approx(once, abs=1.2)
    assert (
        present(strict.delta)
        <= 1e-6
        < accounting.threshold_delta(q_f, strict.measured["K"] - 1, 10.0, once=True)
    )


def test_that_no_chance_in_the_pool_means_no_finite_epsilon() -> None:
    facts = statement(**TENS | {"p_g": 0.0}, q_f=10, c_f=10)
    assert facts.epsilon == math.inf
    assert facts.write_headline().startswith("no finite ε")
    json.dumps(facts.to_dict(), allow_nan=False)


# Assumptions --------------------------------------------------------------------------------


def test_that_published_mode_names_every_caveat_with_evidence_from_this_log() -> None:
    facts = statement(mode="published", K=10, b=4.0, q_f=30)
    failing = {entry.name for entry in facts.failing}
    assert failing >= {
        "no data-dependent cleaning",
        "every query can come from the pool",
        "clicks known beforehand",
        "transitions known beforehand",
        "noise",
    }
    assert find_assumption(facts, "a pure ε leaves something to use").status == "holds"
    assert all(entry.evidence for entry in facts.assumptions[:6])
    assert "occurred once" in find_assumption(facts, "clicks known beforehand").evidence
    assert "discrete tail" in find_assumption(facts, "noise").evidence


def test_that_caveats_that_do_not_apply_hold() -> None:
    facts = statement(secure=True, mode="published", tau=1, clicks=False, transitions=False, K=10)
    failing = {entry.name for entry in facts.failing}
    assert failing == {"every query can come from the pool"}


def test_that_a_log_that_is_its_own_pool_is_noticed(tmp_path: Path) -> None:
    pool = tmp_path / "pool.txt"
    for queries, status in (LOG.queries.list_strings(), "fails"), (["another thing"], "unknown"):
        pool.write_text("\n".join([*queries, ""]), encoding="utf-8")
        facts = statement(pool="file", pool_file=pool, K=20)
        assert find_assumption(facts, "pool from elsewhere").status == status


# Strict -------------------------------------------------------------------------------------


def test_that_a_threshold_set_by_hand_decides_delta_and_turns_it_red() -> None:
    facts = statement(K=5, q_f=20, b=10.0)
    expected = accounting.threshold_delta(20, 5, 10.0, once=True)
    assert facts.terms[0].delta == pytest.approx(expected)
    assert find_assumption(facts, "delta").status == "fails"
    assert "too large" in facts.claim
    assert facts.delta == 1.0 or facts.delta == pytest.approx(expected + facts.terms[1].delta)


# Solvers and curves ---------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["strict", "published"])
@pytest.mark.parametrize("K", [None, 60])
def test_that_solvers_reach_what_is_wanted(mode: str, K: int | None) -> None:
    params = SafeLogParams(mode=mode, K=K, b_q=40.0, b_c=40.0, b_t=40.0, q_f=20, c_f=20)
    for parameter in ("b", "q_f"):
        solved: Any = solver(parameter).solve(params, 4.0, 1_000)
        assert epsilon_of(solved) <= 4.0 + 1e-9
        assert epsilon_of(solved) > 3.0
        changed = params.replace(**{parameter: getattr(solved, parameter)})
        assert epsilon_of(changed) == epsilon_of(solved)
    for target in (1e-3, 1e-9):
        solved = solver("K").solve(params, target, 1_000)
        changed = params.replace(K=solved.K)
        stated = statement(**changed.to_dict())
        delta = stated.delta if mode == "strict" else stated.measured["korolova_delta"]
        assert present(delta) <= target
        assert solved.K < 1_000


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_that_solvers_refuse_what_nothing_reaches(mode: str) -> None:
    for parameter, wanted, error in (
        ("b", 1e-3, "No b reaches"),
        ("q_f", 1e-3, "No q_f reaches"),
        ("K", 2.0, "δ"),
    ):
        with pytest.raises(ParameterError, match=error):
            solver(parameter).solve(SafeLogParams(mode=mode), wanted, 100)


def test_that_delta_is_red_from_one_in_the_number_of_users() -> None:
    plot = figure("delta", users=5_000, K=30)
    (zone,) = plot.zones
    assert (zone.low, zone.role) == (1 / 5_000, "bad")
    assert next(mark for mark in plot.marks if mark.role == "current").at == 30
    line = plot.series[0]
    assert np.all(np.diff(line.y) <= 0)


def test_that_epsilon_over_the_pools_chance_falls_to_the_printed_one() -> None:
    plot = figure("pool", **TENS, q_f=10, c_f=10)
    assert plot.series[0].y[-1] == pytest.approx(4.27, abs=5e-3)
    assert np.all(np.diff(plot.series[0].y) <= 1e-12)
