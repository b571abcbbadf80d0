"""What is said of a run before and while it goes on, and what is advised where it won't fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.engine.costs import CostEstimator, CostPoint, RunCost
from auditor.engine.events import StageProgress, TaskStarted
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.resource_warnings import (
    LONG,
    MemoryState,
    RunResourceWarning,
    memory_now,
    warn_of_resources,
)
from auditor.engine.run_progress import RunForecast, RunPart, RunProgress, forecast_run
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.params import Params

GIB = 2**30
SAFELOG: Params = METHODS["safelog"].params()


def part(kind: str, name: str, seconds: float, gib: float = 0.0) -> RunPart:
    return RunPart(kind, name, RunCost(seconds, round(gib * GIB), 1.0, False))  # type: ignore[arg-type]


def planned(*parts: RunPart) -> RunForecast:
    return RunForecast(parts)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


RUN = planned(
    part("method", "safelog", 10), part("measure", "volume", 2), part("attack", "structural", 8)
)


def test_that_a_run_that_waits_takes_what_was_forecast() -> None:
    course = RunProgress(RUN, Clock())
    assert (course.at, course.of, course.left, course.done) == (0, 3, 20, None)


def test_that_time_left_falls_as_time_goes_by() -> None:
    clock = Clock()
    course = RunProgress(RUN, clock)
    course.handle_event(TaskStarted(1, "method", "safelog"))
    clock.now += 4
    assert course.left == pytest.approx(16)
    assert course.done == pytest.approx(0.2)


def test_that_parts_which_took_twice_as_long_double_what_is_left() -> None:
    clock = Clock()
    course = RunProgress(RUN, clock)
    course.handle_event(TaskStarted(1, "method", "safelog"))
    clock.now += 20
    course.handle_event(TaskStarted(1, "measure", "volume"))
    assert course.pace == pytest.approx(2.0)
    assert course.left == pytest.approx(20)


def test_that_a_part_which_does_not_apply_is_passed_over() -> None:
    clock = Clock()
    course = RunProgress(RUN, clock)
    course.handle_event(TaskStarted(1, "method", "safelog"))
    course.handle_event(TaskStarted(1, "attack", "structural"))
    assert course.at == 3
    assert course.part is RUN.parts[2]
    assert course.left == pytest.approx(8)


def test_that_a_stage_that_knows_better_is_believed_once_the_estimate_has_run_out() -> None:
    clock = Clock()
    course = RunProgress(planned(part("method", "safelog", 1)), clock)
    course.handle_event(TaskStarted(1, "method", "safelog"))
    clock.now += 30
    assert course.left == 0
    course.handle_event(StageProgress(1, "drawing", 1, 4, left=90.0))
    assert (course.stage, course.share, course.left) == ("drawing", 0.25, 90.0)


def test_that_nothing_is_said_of_a_method_that_was_never_measured() -> None:
    course = RunProgress(planned(RunPart("method", "new", None), part("measure", "volume", 1)))
    course.handle_event(TaskStarted(1, "method", "new"))
    assert course.left is None
    assert course.done is None


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=8), st.floats(0, 1e4))
def test_that_the_share_done_never_falls_and_time_left_is_never_negative(
    took: list[float], expected: float
) -> None:
    clock = Clock()
    parts = [part("method", "m", expected), *(part("attack", f"a{i}", 1) for i in range(8))]
    course = RunProgress(planned(*parts), clock)
    course.handle_event(TaskStarted(1, "method", "m"))
    before = 0.0
    for at, seconds in enumerate(took):
        clock.now += seconds
        assert course.left is not None
        assert course.left >= 0
        done = course.done
        assert done is None or before <= done < 1
        before = before if done is None else done
        course.handle_event(TaskStarted(1, "attack", f"a{at}"))


def test_that_a_methods_own_estimate_counts_instead_of_the_measured_one() -> None:
    log = QueryLog.from_columns(user=["a"], query=["b"], time=[0])
    plan = resolve_intent(Intent(method="safelog", attacks=(), measures=("volume",)), log)
    known = CostEstimator(
        {"method/safelog": [CostPoint(1, 5.0, GIB)], "measure/volume": [CostPoint(1, 1.0, GIB)]}
    )
    assert forecast_run(plan, 1, known).total == RunCost(6.0, GIB, 1.0, False)
    own = forecast_run(plan, 1, known, RunCost(100.0, 8 * GIB, 1.0, False)).total
    assert own is not None
    assert (own.seconds, own.bytes) == (101.0, 8 * GIB)
    without_memory = forecast_run(plan, 1, known, RunCost(100.0, 0, 1.0, False)).total
    assert without_memory is not None
    assert without_memory.bytes == GIB


def test_that_a_run_which_fits_is_let_be() -> None:
    assert warn_of_resources(RUN, SAFELOG, MemoryState(0, 16 * GIB)) == RunResourceWarning()


def test_that_of_a_long_run_as_much_is_offered_to_leave_out_as_is_enough() -> None:
    long = planned(
        part("method", "safelog", 10),
        part("measure", "similarity", LONG),
        part("attack", "structural", 5),
        part("attack", "dp-audit", 0.6 * LONG),
    )
    found = warn_of_resources(long, SAFELOG, MemoryState(0, 16 * GIB))
    assert (found.trouble, found.without) == ("time", ("similarity",))


def test_that_a_method_too_long_by_itself_offers_its_faster_variant() -> None:
    params = METHODS["microaggregation"].params().replace(search="exact")
    long = planned(part("method", "microaggregation", 10 * LONG), part("measure", "volume", 1))
    found = warn_of_resources(long, params, MemoryState(0, 16 * GIB))
    assert found == RunResourceWarning("time", (("search", "auto"),), ())


def test_that_what_needs_more_memory_than_there_is_is_told_and_left_out() -> None:
    large = planned(
        part("method", "safelog", 10, 4),
        part("measure", "retrieval", 5, 30),
        part("measure", "volume", 5, 4),
    )
    found = warn_of_resources(large, SAFELOG, MemoryState(GIB, 16 * GIB))
    assert (found.trouble, found.without) == ("memory", ("retrieval",))
    too_large = planned(part("method", "safelog", 10, 40), part("measure", "volume", 5, 4))
    assert warn_of_resources(too_large, SAFELOG, MemoryState(GIB, 16 * GIB)) == RunResourceWarning(
        "memory"
    )


def test_that_memory_of_which_nothing_is_known_is_no_reason_to_warn() -> None:
    large = planned(part("method", "safelog", 10, 4_000))
    assert warn_of_resources(large, SAFELOG, MemoryState()) == RunResourceWarning()


def test_that_this_computer_says_what_memory_it_has() -> None:
    now = memory_now()
    assert now.free > 0


def test_that_only_slow_choices_that_matter_have_a_quicker_one() -> None:
    params = METHODS["microaggregation"].params
    assert params().quicker() == {}
    assert params().replace(search="exact").quicker() == {"search": "auto"}
    assert METHODS["k-delta"].params().replace(linkage="beeferman-berger").quicker() == {
        "linkage": "complete"
    }


@pytest.mark.parametrize(
    ("method", "left_out"),
    [
        ("safelog", {"unbundling", "hash-inversion", "record-linkage"}),
        ("frequency-threshold", {"unbundling", "hash-inversion", "dp-audit"}),
        ("token-hashing", {"unbundling", "dp-audit"}),
        ("bundling", {"hash-inversion", "dp-audit"}),
    ],
)
def test_that_attacks_which_can_t_apply_to_the_release_take_no_time(
    method: str, left_out: set[str]
) -> None:
    log = QueryLog.from_columns(user=["a"], query=["b"], time=[0])
    tried = ("unbundling", "hash-inversion", "record-linkage", "surviving-content", "dp-audit")
    plan = resolve_intent(Intent(method=method, attacks=tried, measures=()), log)
    forecast = forecast_run(plan, 1, CostEstimator({}))
    named = [part.name for part in forecast.parts if part.kind == "attack"]
    assert named == [name for name in tried if name not in left_out]
