"""How long a run waits for machines, without Spark."""

from types import SimpleNamespace
from typing import Any

import pytest

from auditor.engine.backends.spark import session
from auditor.engine.backends.spark.session import SETTING, WAIT, ClusterMachines, find_machines
from auditor.errors import EngineFailed, ParameterError
from auditor.progress import silent_progress


def looks(there: list[int], wait: float, step: float) -> int:
    """How many looks, `step` seconds apart, a run survives that finds so many machines in turn."""
    now = 0.0
    counts = iter(there)
    watched = ClusterMachines(lambda: next(counts), wait, lambda: now)
    for number in range(len(there)):
        now += step
        try:
            watched.check_machines()
        except EngineFailed as error:
            assert SETTING in str(error)
            assert "Nothing was released" in str(error)
            return number
    return len(there)


@pytest.mark.parametrize(
    ("there", "wait", "step", "survived"),
    [
        ([0] * 50, 10, 3, 3),
        ([2, 2, 0, 0, 0, 0, 0], 4, 1, 5),
        ([0] * 1000, WAIT, 5, WAIT / 5 - 1),
        ([2, 0, 0, 0, 1, 0, 0, 0] * 9, 4, 1, 72),  # back in time, again and again
    ],
)
def test_that_a_run_without_machines_ends_when_it_waited_long_enough(
    there: list[int], wait: float, step: float, survived: float
) -> None:
    assert looks(there, wait, step) == survived


def test_that_machines_are_not_counted_at_every_turn() -> None:
    now, times = 0.0, []
    watched = ClusterMachines(lambda: times.append(now) or 1, 300, lambda: now)  # type: ignore[func-returns-value]
    for _ in range(600):
        now += 0.1
        watched.check_machines()
    assert len(times) < 13


class Cluster:
    """As much of a Spark session as is asked, with one machine, which may be lost."""

    def __init__(self, wait: str, executors: int = 1, master: str = "spark://host:7077") -> None:
        settings = {SETTING: wait}
        blocks = SimpleNamespace(size=lambda: executors + 1)
        java = SimpleNamespace(sc=lambda: SimpleNamespace(getExecutorMemoryStatus=lambda: blocks))
        self.sparkContext = SimpleNamespace(
            master=master, getConf=lambda: SimpleNamespace(get=settings.get), _jsc=java
        )


def test_that_an_action_ends_and_its_jobs_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    from pyspark import SparkContext

    monkeypatch.setattr(SparkContext, "_gateway", object())
    done = threading.Event()
    lost: Any = Cluster("1", executors=0)
    lost.sparkContext.cancelAllJobs = done.set
    with pytest.raises(EngineFailed, match="no machine for this run in 1 seconds"):
        session.run_action(lost, lambda: done.wait(30), silent_progress())
    assert done.is_set()


def test_that_this_machine_is_one_and_a_wait_is_seconds() -> None:
    local: Any = Cluster("1", executors=0, master="local[2]")
    assert find_machines(local)._count() == 1
    for wrong in ("0", "soon", "nan", "-5"):
        bad: Any = Cluster(wrong)
        with pytest.raises(ParameterError, match="how many seconds"):
            find_machines(bad)
