"""What is said of a run before and while it goes on, and what is advised where it won't fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.engine.costs import CostEstimator, CostPoint, RunCost
from auditor.engine.events import StageProgress, TaskStarted
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.run_progress import (
    LONG,
    MemoryState,
    RunForecast,
    RunPart,
    RunProgress,
    RunResourceWarning,
    forecast_run,
    memory_now,
    warn_of_resources,
)
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.params import Params
from tests.narrowing import present

GIB = 2**30
SAFELOG: Params = METHODS["safelog"].params()


def part(kind: str, name: str, seconds: float, gib: float = 0.0) -> RunPart:
    return RunPart(kind, name, RunCost(seconds, round(gib * GIB), 1.0, False))  # type: ignore[arg-type]


def planned(*parts: RunPart) -> RunForecast:
    return RunForecast(parts)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def begin(run: RunForecast) -> tuple[Clock, RunProgress]:
    """A run whose first part has just begun."""
    clock = Clock()
    course = RunProgress(run, clock)
    course.handle_event(TaskStarted(1, run.parts[0].kind, run.parts[0].name))
    return clock, course


RUN = planned(
    part("method", "safelog", 10), part("measure", "volume", 2), part("attack", "structural", 8)
)


def test_that_a_run_that_waits_takes_what_was_forecast() -> None:
    course = RunProgress(RUN, Clock())
    assert (course.at, course.of, course.seconds_left, course.done) == (0, 3, 20, None)


def test_that_time_left_falls_and_parts_that_took_twice_as_long_double_it() -> None:
    clock, course = begin(RUN)
    clock.now += 4
    assert course.seconds_left == pytest.approx(16)
    assert course.done == pytest.approx(0.2)
    clock.now += 16
    course.handle_event(TaskStarted(1, "measure", "volume"))
    assert course.pace == pytest.approx(2.0)
    assert course.seconds_left == pytest.approx(20)


def test_that_a_part_which_does_not_apply_is_passed_over() -> None:
    _, course = begin(RUN)
    course.handle_event(TaskStarted(1, "attack", "structural"))
    assert course.at == 3
    assert course.part is RUN.parts[2]
    assert course.seconds_left == pytest.approx(8)


def test_that_a_stage_that_knows_better_is_believed_once_the_estimate_has_run_out() -> None:
    clock, course = begin(planned(part("method", "safelog", 1)))
    clock.now += 30
    assert course.seconds_left == pytest.approx(3)
    course.handle_event(StageProgress(1, "drawing", 1, 4, seconds_left=90.0))
    assert (course.stage, course.share, course.seconds_left) == ("drawing", 0.25, 90.0)


def test_that_nothing_is_said_of_a_method_that_was_never_measured() -> None:
    _, course = begin(planned(RunPart("method", "new", None), part("measure", "volume", 1)))
    assert course.seconds_left is None
    assert course.done is None


@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=8), st.floats(0, 1e4))
def test_that_the_share_done_never_falls_and_time_left_is_never_negative(
    took: list[float], expected: float
) -> None:
    parts = [part("method", "m", expected), *(part("attack", f"a{i}", 1) for i in range(8))]
    clock, course = begin(planned(*parts))
    before = 0.0
    for index, seconds in enumerate(took):
        clock.now += seconds
        assert course.seconds_left is not None
        assert course.seconds_left >= 0
        done = course.done
        assert done is None or before <= done < 1
        before = before if done is None else done
        course.handle_event(TaskStarted(1, "attack", f"a{index}"))


def follow(
    before: float, forecast: float, took: float, step: float
) -> list[tuple[float, float, float]]:
    """(share done, seconds said to be left, seconds left) where the last part counts itself."""
    clock, course = begin(planned(part("method", "m", before), part("attack", "a", forecast)))
    began, samples = clock.now, []
    while clock.now < began + before:
        clock.now = min(clock.now + step, began + before)
        samples.append((course.done, course.seconds_left, began + before + took - clock.now))
    course.handle_event(TaskStarted(1, "attack", "a"))
    while clock.now < began + before + took:
        clock.now = min(clock.now + step, began + before + took)
        share = (clock.now - began - before) / took
        time_left = took * (1 - share) if share * took > 0.5 else None
        course.handle_event(StageProgress(1, "trying", round(1e4 * share), 10_000, time_left))
        samples.append((course.done, course.seconds_left, began + before + took - clock.now))
    return samples  # type: ignore[return-value]


@given(
    before=st.floats(0.5, 60),
    forecast=st.floats(2, 20),
    slower=st.floats(0.5, 10),
    step=st.floats(0.2, 0.5),
)
def test_that_share_and_time_left_agree_where_a_part_takes_far_longer_than_forecast(
    before: float, forecast: float, slower: float, step: float
) -> None:
    samples = follow(before, forecast, slower * forecast, step)
    shares = [done for done, _, _ in samples]
    assert shares == sorted(shares)
    total = before + slower * forecast
    for (done, time_left, _), (earlier, *_) in zip(samples[1:], samples, strict=False):
        if done > max(earlier, 0.9):  # it says so only where the time left bears it out
            assert time_left <= 2 * (1 - done) * (total + time_left) + 1e-9
    for done, time_left, truly in samples[int(before / step) + int(1 / step) + 2 :]:
        if truly > max(0.1 * total, forecast):
            assert truly / 2 <= time_left <= 2 * truly
            assert done < 0.99


def test_that_an_audit_which_takes_a_minute_instead_of_two_seconds_is_never_nearly_done() -> None:
    """It said 99 %, and about 64 s left."""
    samples = follow(before=4, forecast=2, took=66, step=0.1)
    for done, time_left, truly in samples:
        if time_left > 10:
            assert done < 0.95
        if truly < 60:
            assert time_left == pytest.approx(truly, abs=7)
    assert samples[-1][0] > 0.95
    halfway = next(done for done, _, truly in samples if truly <= 33)
    assert halfway < 0.9


def test_that_a_part_which_counts_itself_as_a_whole_may_be_faster_than_forecast() -> None:
    clock, course = begin(planned(part("attack", "a", 100)))
    for stage, done in (("calibrating", 10), ("trying", 10), ("trying", 2_000)):
        clock.now += 1
        time_left = 3 * (10_000 - done) / done if done > 10 else None
        course.handle_event(StageProgress(1, stage, done, 10_000, time_left))
    assert course.seconds_left == pytest.approx(12)
    clock, other = begin(planned(part("attack", "a", 100)))
    for stage, done in (("reading", 2_000), ("counting", 0), ("counting", 5_000)):
        clock.now += 1
        other.handle_event(StageProgress(1, stage, done, 10_000, 1.0))
    assert other.seconds_left == pytest.approx(97)  # there may be many such stages


def test_that_one_part_whose_forecast_was_wrong_slows_no_other() -> None:
    clock, course = begin(
        planned(part("method", "m", 10), part("attack", "a", 2), part("attack", "b", 8))
    )
    for seconds, name in ((10, "a"), (60, "b")):
        clock.now += seconds
        course.handle_event(TaskStarted(1, "attack", name))
    assert course.seconds_left == pytest.approx(8)


LOG = QueryLog.from_columns(user=["a"], query=["b"], time=[0])


def test_that_more_trials_are_forecast_to_take_longer() -> None:
    points = {"method/safelog": [CostPoint(1, 1.0, 1)], "attack/dp-audit": [CostPoint(1, 10.0, 1)]}
    intent = Intent(method="safelog", attacks=("dp-audit",), measures=())
    total = {}
    for runs in (2_000, 20_000):
        plan = resolve_intent(intent.tune_check("dp-audit", runs=runs), LOG)
        total[runs] = present(forecast_run(plan, 1, CostEstimator(points)).total).seconds
    assert total[2_000] == pytest.approx(11.0)
    assert 60 < total[20_000] < 111


def test_that_a_methods_own_estimate_counts_instead_of_the_measured_one() -> None:
    plan = resolve_intent(Intent(method="safelog", attacks=(), measures=("volume",)), LOG)
    estimator = CostEstimator(
        {"method/safelog": [CostPoint(1, 5.0, GIB)], "measure/volume": [CostPoint(1, 1.0, 3 * GIB)]}
    )

    def total(own: RunCost | None = None) -> RunCost:
        return present(forecast_run(plan, 1, estimator, own).total)

    assert total() == RunCost(6.0, 3 * GIB, 1.0, False)  # the sum, and the most memory
    cost = total(RunCost(100.0, 8 * GIB, 1.0, False))
    assert (cost.seconds, cost.bytes) == (101.0, 8 * GIB)
    assert total(RunCost(100.0, 0, 1.0, False)).bytes == 3 * GIB


EXACT: Params = METHODS["microaggregation"].params().replace(search="exact")
WARNINGS: dict[str, tuple[list[RunPart], Params, MemoryState, RunResourceWarning]] = {
    "as much left out as is enough": (
        [part("method", "safelog", 10), part("measure", "similarity", LONG),
         part("attack", "structural", 5), part("attack", "dp-audit", 0.6 * LONG)],
        SAFELOG, MemoryState(0, 16 * GIB), RunResourceWarning("time", (), ("similarity",)),
    ),
    "a method too long by itself": (
        [part("method", "microaggregation", 10 * LONG), part("measure", "volume", 1)],
        EXACT, MemoryState(0, 16 * GIB), RunResourceWarning("time", (("search", "auto"),), ()),
    ),
    "a measure that needs more memory than there is": (
        [part("method", "safelog", 10, 4), part("measure", "retrieval", 5, 30),
         part("measure", "volume", 5, 4)],
        SAFELOG, MemoryState(GIB, 16 * GIB), RunResourceWarning("memory", (), ("retrieval",)),
    ),
    "a method that does": (
        [part("method", "safelog", 10, 40), part("measure", "volume", 5, 4)],
        SAFELOG, MemoryState(GIB, 16 * GIB), RunResourceWarning("memory"),
    ),
    "memory of which nothing is known": (
        [part("method", "safelog", 10, 4_000)], SAFELOG, MemoryState(), RunResourceWarning(),
    ),
    "a run that fits": ([*RUN.parts], SAFELOG, MemoryState(0, 16 * GIB), RunResourceWarning()),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNINGS)
def test_that_what_takes_too_much_is_told_with_what_would_be_better(name: str) -> None:
    parts, params, memory, warning = WARNINGS[name]
    assert warn_of_resources(planned(*parts), params, memory) == warning
    assert memory_now().free > 0


@pytest.mark.parametrize(
    ("method", "left_out"),
    [
        ("safelog", {"unbundling", "hash-inversion", "record-linkage"}),
        ("set-union", {"unbundling", "hash-inversion", "record-linkage"}),
        ("frequency-threshold", {"unbundling", "hash-inversion", "dp-audit"}),
        ("token-hashing", {"unbundling", "dp-audit"}),
        ("bundling", {"hash-inversion", "dp-audit"}),
    ],
)
def test_that_attacks_which_can_t_apply_to_the_release_take_no_time(
    method: str, left_out: set[str]
) -> None:
    tried = ("unbundling", "hash-inversion", "record-linkage", "surviving-content", "dp-audit")
    plan = resolve_intent(Intent(method=method, attacks=tried, measures=()), LOG)
    forecast = forecast_run(plan, 1, CostEstimator({}))
    named = [part.name for part in forecast.parts if part.kind == "attack"]
    assert sorted(named) == sorted(set(tried) - left_out)
