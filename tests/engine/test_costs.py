"""What a run is said to take, and what past runs teach."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.costs import MAX_RUNS, CostEstimator, CostPoint, RunCost
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run import Run
from auditor.log.model import QueryLog
from tests.narrowing import present

POINTS = {"method/safelog": [CostPoint(1_000, 1.0, 100), CostPoint(10_000, 10.0, 200)]}


def result(seconds: dict[str, float]) -> Run:
    log = QueryLog.from_columns(user=["a"], query=["b"], time=[0])
    plan = resolve_intent(Intent(method="safelog", attacks=(), measures=("volume",)), log)
    release: Any = None
    return Run(plan, release, (), (), seconds, {}, {})


def estimate(points: list[tuple[Any, ...]], rows: int) -> RunCost:
    measured = {"method/safelog": [CostPoint(*point) for point in points]}
    return cost_of(CostEstimator(measured), rows)


def cost_of(estimator: CostEstimator, rows: int, name: str = "method/safelog") -> RunCost:
    kind, _, entry = name.partition("/")
    return present(estimator.estimate_part(kind, entry, rows))


@pytest.mark.parametrize(
    ("points", "seconds"),
    [
        ([(1_000, 1.0, 1), (10_000, 10.0, 1)], {5_000: 5.0}),  # a power of the rows in between
        ([(10, 1.0, 1), (100, 100.0, 1)], {1_000: 10_000}),  # the last power goes on
        # what compiled, or took no time, says nothing of other sizes
        ([(1_000, 21.0, 1), (10_000, 9.0, 1)], {10: 0.09, 500: 4.5, 1_000: 9.0, 10_000: 9.0}),
        ([(1_000, 2.0, 1), (10_000, 0.01, 1)], {1_000: 2.0}),
        # a run that was stopped is a floor from its size on, and no measurement
        (
            [(1_000, 1.0, 1), (10_000, 10.0, 1), (100_000, 600.0, 1, True)],
            {50_000: 50.0, 100_000: 600.0, 200_000: 1_200.0},
        ),
    ],
)
def test_that_what_was_measured_tells_of_other_sizes(
    points: list[tuple[Any, ...]], seconds: dict[int, float]
) -> None:
    costs = {rows: estimate(points, rows) for rows in seconds}
    assert {rows: cost.seconds for rows, cost in costs.items()} == pytest.approx(seconds)
    largest = max(point[0] for point in points if point[-1] is not True)
    for rows, cost in costs.items():
        assert cost.beyond == pytest.approx(rows / largest)
        assert not cost.learned


@given(st.lists(st.integers(1, 10**9), min_size=2, max_size=2).map(sorted))
def test_that_more_rows_are_never_said_to_take_less(rows: list[int]) -> None:
    less, more = (estimate([(1_000, 3.0, 5), (10_000, 2.0, 4)], size).seconds for size in rows)
    assert less <= more


def test_that_a_slower_machine_is_learned_and_kept(tmp_path: Path) -> None:
    memory = tmp_path / "made" / "runs.json"
    estimator = CostEstimator(POINTS, memory)
    for _ in range(3):
        estimator.learn(result({"safelog": 3.0, "volume": 2.0, "else": 1.0}), 1_000)
    again = CostEstimator(POINTS, memory)
    for candidate in (estimator, again):
        cost = cost_of(candidate, 2_000)
        assert cost.seconds == pytest.approx(6.0)
        assert cost.learned
    # a second to start, and one for each 1,000 rows
    assert cost_of(again, 3_000, "measure/volume").seconds == pytest.approx(4.0)
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    assert set(json.loads(memory.read_text())) == {"method/safelog", "measure/volume"}


def test_that_the_start_of_a_short_run_is_added_and_never_scaled_with_the_rows() -> None:
    points = {"method/safelog": [CostPoint(300_000, 1.3, 1), CostPoint(3_000_000, 13.0, 1)]}
    estimator = CostEstimator(points)
    fresh = cost_of(estimator, 400_000).seconds
    for _ in range(3):
        estimator.learn(result({"safelog": 0.9, "volume": 0.8}), 500)
    assert fresh < cost_of(estimator, 400_000).seconds < fresh + 1.0
    assert cost_of(estimator, 500).seconds == pytest.approx(0.9, abs=0.01)
    assert cost_of(estimator, 400_000, "measure/volume").seconds == pytest.approx(0.8)


def test_that_only_the_last_runs_are_kept(tmp_path: Path) -> None:
    estimator = CostEstimator({}, tmp_path / "runs.json")
    for _ in range(MAX_RUNS + 7):
        estimator.learn(result({"safelog": 1.0}), 10)
    assert len(json.loads((tmp_path / "runs.json").read_text())["method/safelog"]) == MAX_RUNS


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"method/safelog": 3}', '{"method/safelog": [[1], ["a", 2], [1e999, 1], 7]}'],
)
def test_that_a_damaged_memory_is_taken_for_an_empty_one(tmp_path: Path, text: str) -> None:
    memory = tmp_path / "runs.json"
    memory.write_text(text)
    assert cost_of(CostEstimator(POINTS, memory), 1_000).seconds == pytest.approx(1.0)


def test_that_a_folder_nobody_may_write_costs_only_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    estimator = CostEstimator(POINTS, tmp_path / "file" / "runs.json")
    estimator.learn(result({"safelog": 3.0}), 1_000)
    assert cost_of(estimator, 1_000).seconds == pytest.approx(3.0)


FAR = "about 2.5 hours, far beyond what was measured (12 times the rows)"


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (RunCost(0.2, 0, 0.1, False), "about a second"),
        (RunCost(0.5, 2**20, 1.0, False), "about a second"),  # too little memory to be told
        (RunCost(0.5, 2**29, 1.0, False), "about a second and 0.5 GiB"),
        (RunCost(42.4, 3 << 30, 1.0, False), "about 42 s and 3.0 GiB"),
        (RunCost(600, 0, 1.9, True), "about 10 minutes"),
        (RunCost(9000, 0, 12, False), FAR),
    ],
)
def test_that_a_cost_is_told_as_exactly_as_it_is_known(cost: RunCost, words: str) -> None:
    assert str(cost) == words
