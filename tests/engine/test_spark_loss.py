"""Spark's own process is killed in the middle of a release: nothing is left, and no hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.spark_logs import HARDLY_ANY_NOISE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PARAMS = {
    "K": 3, "q_f": 6, "c_f": 4, "b": HARDLY_ANY_NOISE, "clicks": False, "transitions": False,
}  # fmt: skip

SCRIPT = """
import json, os, signal, sys
from pathlib import Path
from auditor.engine.backends.spark import tables_job
from auditor.engine.backends.spark.job import Job
from auditor.engine.backends.spark.session import session
from auditor.engine.plan import Intent
from auditor.errors import AuditorError
from auditor.log.read import ReadOptions
from auditor.log.splits import plan_splits
from auditor.privacy.noise import noisy_at_least
from auditor.progress import silent
from auditor.release.spread import write_spread_release

master, log, folder, grave, params = sys.argv[1:]

def deadly(scale, threshold):
    def draw(rng, count):
        if not Path(grave).exists():
            Path(grave).touch()
            daemon = os.getppid()
            status = Path(f"/proc/{daemon}/status").read_text()
            machine = int(next(line for line in status.splitlines() if "PPid" in line).split()[1])
            os.kill(machine, signal.SIGKILL)
        return noisy_at_least(count, scale, threshold, rng, silent())
    return lambda rng: lambda count: draw(rng, count)

if __name__ == "__main__":
    tables_job._at_least = deadly
    splits = plan_splits(Path(log), ReadOptions(max_rejected_share=1.0, max_line_bytes=400))
    intent = Intent(method="safelog", attacks=(), measures=()).choose("safelog")
    more = {"spark.driver.memory": "600m", "spark.executor.memory": "600m"}
    said = "released"
    try:
        with session(master, **more) as spark:
            job = Job(spark, splits, intent.set(**json.loads(params)))
            try:
                write_spread_release(job, splits.files, Path(folder), progress=silent())
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
    found = subprocess.run(
        [sys.executable, str(script), master, str(log), str(folder), str(grave),
         json.dumps(PARAMS)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=840,
        check=False,
    )  # fmt: skip
    assert grave.exists(), found.stderr[-2000:]
    grave.unlink()
    script.unlink()
    told = [line for line in found.stdout.splitlines() if line.startswith("SAID ")]
    assert told, found.stderr[-2000:]
    return told[0].removeprefix("SAID ")


def test_that_without_the_steering_process_there_is_a_clear_error_and_nothing_else(
    path: Path, tmp_path: Path
) -> None:
    said = released("local[2]", path, tmp_path / "out")
    assert said.startswith("Spark failed: the process that steers it ended"), said
    assert list(tmp_path.iterdir()) == []
