"""Machines of a cluster, or Spark's own processes, are killed in the middle of a release.

Either the release is whole and what was drawn was drawn once, or there is a clear error within
bounded time, and nothing else.
"""

import contextlib
import shutil
import signal
import stat
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from auditor.api.run import anonymize
from auditor.log.model import QueryLog
from auditor.release.atomic_write import clear_leftovers
from auditor.release.manifest import verify_folder
from tests.engine.spark.cluster_runs import (
    EXACT,
    NOISY,
    PATIENCE,
    drawing,
    drawn_in,
    ended,
    of_one_draw,
    same,
    working,
)
from tests.engine.spark.spark_logs import same_rows
from tests.engine.spark.standalone import Cluster, standalone, until
from tests.narrowing import present

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with standalone(tmp_path_factory.mktemp("cluster") / "spark") as running:
        yield running


@pytest.fixture
def cluster(machines: Cluster) -> Iterator[Cluster]:
    yield machines
    machines.rest()


def slay(processes: Iterable[psutil.Process | subprocess.Popen[bytes]]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):  # it has just ended
            process.kill()


def test_that_a_real_cluster_releases_what_one_machine_does(
    cluster: Cluster, parts: Path, whole: QueryLog, tmp_path: Path
) -> None:
    output = ended(cluster.start(parts, tmp_path / "tables", "safelog", **EXACT), 0)
    assert "not encrypted" not in output, "it has a secret"
    same(tmp_path / "tables", whole, **EXACT)
    ended(cluster.start(parts, tmp_path / "log", "frequency-threshold", n=5, ids="keep"), 0)
    assert verify_folder(tmp_path / "log") == []
    local = anonymize(whole, "frequency-threshold", n=5, ids="keep")
    same_rows(tmp_path / "log", present(local.log), in_order=True)
    texts = [*whole.queries.list_strings(), *whole.urls.list_strings()]
    output = cluster.said()
    assert "Running task" in output
    assert not [text for text in texts if text and text in output], "executors' own logs tell"


def test_that_an_executor_lost_before_anything_is_drawn_costs_its_tasks_again(
    cluster: Cluster, parts: Path, whole: QueryLog, tmp_path: Path
) -> None:
    run = cluster.start(parts, tmp_path / "out", "safelog", **EXACT)
    until(lambda: len(cluster.executors()) > 1, PATIENCE, "executors")
    victim: list[psutil.Process] = []

    def there() -> bool:
        victim[:] = working(cluster)
        return bool(victim)

    until(there, PATIENCE, "workers in Python")
    victim[0].kill()
    ended(run, 0)
    same(tmp_path / "out", whole, **EXACT)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["out", "out.internal"]


def test_that_what_was_drawn_is_not_drawn_again_when_its_executors_are_lost(
    cluster: Cluster, parts: Path, tmp_path: Path
) -> None:
    run = cluster.start(parts, tmp_path / "out", "safelog", **NOISY)
    queries = drawing(tmp_path, "queries", run)
    victims = cluster.executors()
    slay(victims)
    assert len(victims) == 2
    drawn = drawn_in(queries)
    ended(run, 0)
    of_one_draw(tmp_path / "out", drawn)


def test_that_executors_that_are_lost_again_and_again_end_the_run_with_a_reason(
    cluster: Cluster, parts: Path, tmp_path: Path
) -> None:
    run = cluster.start(parts, tmp_path / "out", "safelog", **EXACT)

    def over() -> bool:
        slay(working(cluster))
        return run.poll() is not None

    until(over, PATIENCE, "an end")
    assert "Spark failed: machines " in ended(run, 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("victim", ["machine", "program"])
def test_that_without_what_steers_it_nothing_is_released_and_executors_go(
    cluster: Cluster, parts: Path, tmp_path: Path, victim: str
) -> None:
    run = cluster.start(parts, tmp_path / "out", "safelog", **EXACT)
    drawing(tmp_path, "queries", run)
    if victim == "machine":
        steering = [entry for entry in psutil.Process(run.pid).children() if entry.name() == "java"]
        steering[0].kill()
        assert "Spark failed: the process that steers it ended" in ended(run, 2)
    else:
        run.kill()
        ended(run, -signal.SIGKILL)
        leftovers = list(tmp_path.iterdir())
        assert leftovers
        assert {stat.S_IMODE(entry.stat().st_mode) for entry in leftovers} == {0o700}
        until(lambda: not cluster.executors(), PATIENCE, "executors end")
        clear_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == []
    until(lambda: not cluster.executors(), PATIENCE, "executors end")


def test_that_a_run_whose_machines_are_all_lost_ends_in_bounded_time(
    parts: Path, tmp_path: Path
) -> None:
    with standalone(tmp_path / "spark", "spark.auditor.wait 90") as cluster:
        run = cluster.start(parts, tmp_path / "out", "safelog", **EXACT)
        drawing(tmp_path, "queries", run)
        for daemon in cluster.daemons:  # so that no executor is started anew
            daemon.send_signal(signal.SIGSTOP)
        victims = cluster.executors()
        slay([*victims, *cluster.daemons])
        assert len(victims) == 2
        assert "no machine for this run in 90 seconds" in ended(run, 2)
        shutil.rmtree(cluster.folder)
    assert list(tmp_path.iterdir()) == []
