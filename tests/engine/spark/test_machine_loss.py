"""Machines of a cluster, or Spark's own processes, are killed in the middle of a release.

Either the release is whole and what was drawn was drawn once, or there is a clear error within
bounded time, and nothing else.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from auditor.api.run import anonymize
from auditor.log.model import QueryLog
from auditor.log.writing import write_log
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
from tests.engine.spark.spark_logs import HARDLY_ANY_NOISE
from tests.engine.spark.standalone import Cluster, standalone, until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

PARAMS = {
    "K": 3, "q_f": 6, "c_f": 4, "b": HARDLY_ANY_NOISE, "clicks": False, "transitions": False,
}  # fmt: skip

SCRIPT = """
import json, os, signal, sys
from pathlib import Path
from auditor.engine.backends.spark.job import SparkJob
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.engine.backends.spark.session import open_session
from auditor.engine.plan import Intent
from auditor.errors import AuditorError
from auditor.log.reading.reader import ReadOptions
from auditor.log.out_of_core.splits import plan_splits

from auditor.progress import silent_progress
from auditor.release.distributed_export import write_spread_release

master, log, folder, grave, params = sys.argv[1:]

draw_table = SparkRunContext.draw_table

def draw_deadly(work, counts, noise, name):
    def draw(count, *rest):
        if not Path(grave).exists():
            Path(grave).touch()
            daemon = os.getppid()
            status = Path(f"/proc/{daemon}/status").read_text()
            machine = int(next(line for line in status.splitlines() if "PPid" in line).split()[1])
            os.kill(machine, signal.SIGKILL)
        return noise(count, *rest)
    return draw_table(work, counts, draw, name)

if __name__ == "__main__":
    SparkRunContext.draw_table = draw_deadly
    splits = plan_splits(Path(log), ReadOptions(max_rejected_share=1.0, max_line_bytes=400))
    intent = Intent(method="safelog", attacks=(), measures=()).choose("safelog")
    more = {"spark.driver.memory": "600m", "spark.executor.memory": "600m"}
    said = "released"
    try:
        with open_session(master, **more) as spark:
            job = SparkJob(spark, splits, intent.set(**json.loads(params)))
            try:
                write_spread_release(job, splits.files, Path(folder), progress=silent_progress())
            finally:
                job.close()
    except AuditorError as error:
        said = str(error)
    print("SAID", said, flush=True)
"""


def released(master: str, log: Path, folder: Path) -> str:
    """What a run says of whose draws one kills the process above the workers."""
    grave = folder.parent / "grave"
    script = folder.parent / "script.py"
    script.write_text(SCRIPT)
    result = subprocess.run(
        [sys.executable, str(script), master, str(log), str(folder), str(grave),
         json.dumps(PARAMS)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=840,
        check=False,
    )  # fmt: skip
    assert grave.exists(), result.stderr[-2000:]
    grave.unlink()
    script.unlink()
    messages = [line for line in result.stdout.splitlines() if line.startswith("SAID ")]
    assert messages, result.stderr[-2000:]
    return messages[0].removeprefix("SAID ")


def test_that_without_the_steering_process_there_is_a_clear_error_and_nothing_else(
    path: Path, tmp_path: Path
) -> None:
    message = released("local[2]", path, tmp_path / "out")
    assert message.startswith("Spark failed: the process that steers it ended"), message
    assert list(tmp_path.iterdir()) == []


# --- a cluster --------------------------------------------------------------------------------


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
    local = anonymize(whole, "frequency-threshold", n=5, ids="keep")
    assert local.log is not None
    write_log(local.log, tmp_path / "local.tsv")
    assert (tmp_path / "log" / "log.tsv").read_bytes() == (tmp_path / "local.tsv").read_bytes()
    assert verify_folder(tmp_path / "log") == []
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
