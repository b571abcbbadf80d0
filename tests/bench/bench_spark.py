"""The Spark engine at several sizes: python -m tests.bench.bench_spark [LOG] [--rows N …]

Takes the first N rows of LOG for each size (0 = all), or of an AOL-shaped log made up, anonymizes
them on Spark, and prints rows, seconds, bytes read and shuffled (from Spark's event log), seconds
of all tasks, seconds of processor, the largest memory of driver, JVM and Python workers together,
and bytes shuffled a row. With ``--half user`` or ``--half query`` one user, or one query and page,
has every second row. At last it says what the same would be for 10¹¹ events: in proportion to
the last size, so an upper bound wherever what is shuffled grows slower than the log.
"""

import argparse
import json
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.engine.backends.spark.job import SparkJob
from auditor.engine.backends.spark.session import open_session
from auditor.engine.plan import Intent
from auditor.log.out_of_core.splits import plan_splits
from auditor.methods.registry import METHODS
from auditor.progress import Progress
from auditor.release.distributed_export import write_spread_release
from tests.bench import aol_shape
from tests.bench.measuring import Peak

FAR = 10**11


@dataclass
class Measured:
    """One run."""

    rows: int
    users: int
    bytes: int
    seconds: float
    task_seconds: float
    cpu: float
    shuffled: int
    spilled: int
    tasks: int
    peak: int
    released: int


def cut(log: Path, rows: int, folder: Path, half: str | None = None) -> Path:
    """The header and the first `rows` rows, as a file; the log itself for 0 where no `half` is set.

    One user or one query has `half` of the rows of a log in AOL's columns.
    """
    if not rows and half is None:
        return log
    part = folder / f"{rows}.tsv"
    with log.open("rb") as source, part.open("wb") as target:
        for number, line in enumerate(source):
            if rows and number > rows:
                break
            if half is not None and number and number % 2 == 0:
                user, query, moment, rank, url = line.rstrip(b"\n").split(b"\t")[:5]
                if half == "user":
                    user = b"5"
                else:
                    query, url = b"weather", url and b"http://www.theweather.com"
                line = b"\t".join((user, query, moment, rank, url)) + b"\n"
            target.write(line)
    return part


def measure(log: Path, intent: Intent, master: str, memory: str, folder: Path) -> Measured:
    """One run in a session of its own."""
    events = folder / f"events-{time.monotonic_ns()}"
    events.mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.driver.memory": memory,
        "spark.local.dir": str(folder),
    }
    with Peak(0.5, children=True) as peak, open_session(master, **settings) as spark:
        spark.range(1).count()
        began, before = time.perf_counter(), peak.work
        splits = plan_splits(log)
        job = SparkJob(spark, splits, intent)
        out = folder / f"release-{time.monotonic_ns()}"
        run = write_spread_release(job, splits.files, out, progress=Progress())
        job.close()
        seconds, cpu = time.perf_counter() - began, peak.work - before
    totals = {"run": 0, "shuffled": 0, "spilled": 0, "tasks": 0}
    for file in (path for path in events.rglob("*") if path.is_file()):
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                if '"SparkListenerTaskEnd"' not in line[:60]:
                    continue
                metrics = json.loads(line).get("Task Metrics") or {}
                totals["tasks"] += 1
                totals["run"] += metrics.get("Executor Run Time", 0)
                totals["spilled"] += metrics.get("Disk Bytes Spilled", 0)
                written = metrics.get("Shuffle Write Metrics") or {}
                totals["shuffled"] += written.get("Shuffle Bytes Written", 0)
    content: Any = run.result.release.content
    return Measured(
        rows=len(run.log),
        users=len(run.log.users),
        bytes=log.stat().st_size,
        seconds=seconds,
        task_seconds=totals["run"] / 1000,
        cpu=cpu,
        shuffled=totals["shuffled"],
        spilled=totals["spilled"],
        tasks=totals["tasks"],
        peak=peak.most,
        released=sum(content.rows.values()),
    )


def format_row(run: Measured) -> str:
    """One row of the table."""
    return (
        f"{run.rows:>12,} {run.users:>9,} {run.bytes / 2**20:>8,.0f} {run.seconds:>8,.0f} "
        f"{run.task_seconds:>8,.0f} {run.cpu:>7,.0f} {run.tasks:>6,} {run.shuffled / 2**20:>9,.1f} "
        f"{run.shuffled / run.rows:>7.1f} {run.spilled / 2**20:>8,.0f} {run.peak / 2**20:>8,.0f} "
        f"{run.released:>9,}"
    )


def main(arguments: Any = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path, nargs="?")
    parser.add_argument("--rows", type=int, nargs="+", default=[300_000, 3_000_000])
    parser.add_argument("--half", choices=["user", "query"])
    parser.add_argument("--method", default="safelog")
    parser.add_argument("-p", "--param", action="append", default=[])
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--memory", default="2g", help="of the JVM")
    options = parser.parse_args(arguments)
    values = dict(pair.split("=", 1) for pair in options.param)
    params = METHODS[options.method].params.parse(values)
    intent = Intent(method=options.method, values=((options.method, params),), measures=())
    print(
        "        rows     users  MiB log  seconds  task s   cpu s  tasks  MiB shuf"
        "  B/row  MiB spill  MiB peak  released"
    )
    last = None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = options.log
        if source is None:
            source = folder / "log.tsv"
            aol_shape.write(source, max(options.rows))
        for rows in options.rows:
            log = cut(source, rows, folder, options.half)
            last = measure(log, intent, options.master, options.memory, folder)
            print(format_row(last), flush=True)
    if last is not None:
        times = FAR / last.rows
        print(
            f"for {FAR:.0e} events, in proportion: {last.bytes * times / 1e12:,.1f} TB of log, "
            f"{last.shuffled * times / 1e12:,.2f} TB shuffled, "
            f"{last.cpu * times / 3600:,.0f} core hours"
        )


if __name__ == "__main__":
    main()
