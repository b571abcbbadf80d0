"""A hostile log for the tests of Spark, runs on it, and a count of what reaches the driver."""

import dataclasses
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from auditor.api.run import anonymize
from auditor.engine.backends.spark.job import SparkJob
from auditor.engine.backends.spark.methods import sets
from auditor.engine.plan import Intent
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits, plan_splits
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.log.writing import write_log
from auditor.methods.set_union import method as set_union
from auditor.privacy.release import Anonymized
from auditor.progress import silent_progress
from auditor.release.distributed_export import write_spread_release
from auditor.release.manifest import verify_folder
from auditor.release.tables import iterate_lines
from tests.narrowing import present

HARDLY_ANY_NOISE = 0.01
HEADING = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
OPTIONS = ReadOptions(max_rejected_share=1.0, max_line_bytes=400)


def hostile(path: Path, people: int = 90, seed: int = 5) -> Path:
    """A log with bad and blank rows, equal seconds, users in several places, and a bot."""
    draw = random.Random(seed)
    lines = [HEADING.encode()]
    for _ in range(people * 25):
        user = "bot" if draw.random() < 0.2 else f"u{draw.randrange(people)}é"
        query = f"word{int(draw.expovariate(0.15))} \\x" if draw.random() < 0.8 else "hot query"
        when = f"2006-03-{draw.randint(1, 3):02d} 00:00:{draw.randint(0, 59):02d}"
        click = f"2\thttp://p{draw.randrange(9)}.org" if draw.random() < 0.4 else "\t"
        lines.append(f"{user}\t{query}\t{when}\t{click}".encode())
        if draw.random() < 0.05:  # a blank query is a missing value
            lines.append(f"{user}\t{draw.choice(['', '  '])}\t{when}\t{click}".encode())
        if draw.random() < 0.06:
            bad = [b"", b"\xff\tb\t2006-03-01\t\t", b"x" * 500, lines[0], b"u\0\tq\t2006\t\t"]
            lines.append(draw.choice(bad))
    path.write_bytes(b"\n".join(lines))
    return path


CutLog = tuple[LogSplits, QueryLog]
Compare = Callable[..., tuple[Any, Anonymized]]


def cut_log(path: Path, options: ReadOptions | None = None, pieces: int = 3) -> CutLog:
    """A log in about so many pieces, and as one machine reads it."""
    return (plan_splits(path, options, size=path.stat().st_size // pieces), read_log(path, options))


def write_lines(path: Path, heading: str, lines: Iterable[str]) -> Path:
    """A log of these lines; the file."""
    path.write_text("\n".join([heading, *lines]) + "\n", encoding="utf-8")
    return path


def run(spark: Any, splits: LogSplits, folder: Path, method: str, **params: Any) -> Any:
    intent = Intent(method=method, attacks=(), measures=()).choose(method).set(**params)
    job = SparkJob(spark, splits, intent)
    try:
        return write_spread_release(job, splits.files, folder, progress=silent_progress())
    finally:
        job.close()


def same_run(
    spark: Any, cut: CutLog, folder: Path, method: str, **params: Any
) -> tuple[Any, Anonymized]:
    """The run on Spark and the local release, whose statement, changes and tables it has."""
    splits, log = cut
    result = run(spark, splits, folder, method, **params)
    local = anonymize(log, method, **params)
    release = result.result.release
    assert release.statement.to_dict() == local.statement.to_dict()
    assert dict(release.changes) == dict(local.changes)
    assert verify_folder(folder) == []
    assert result.record.users == len(log.without_blank.users)
    if local.tables is not None:
        same_tables(folder, local)
    elif params.get("ids") in ("keep", "drop"):
        same_rows(folder, present(local.log), in_order="columns" not in params)
    return result, local


def same_rows(folder: Path, local: QueryLog, *, in_order: bool) -> None:
    """Find the rows of a local release in `folder`, byte for byte."""
    write_log(local, folder.with_name("local.tsv"))
    files = (folder.with_name("local.tsv"), folder / "log.tsv")
    mine, theirs = (file.read_bytes().split(b"\n") for file in files)
    assert mine[0] == theirs[0]
    assert sorted(mine) == sorted(theirs)
    assert mine == theirs or not in_order


def same_tables(folder: Path, local: Anonymized) -> None:
    """Find the tables of a local release in `folder`, byte for byte."""
    for sheet in present(local.tables).list_sheets():
        expected = b"".join(iterate_lines(sheet, silent_progress()))
        assert (folder / sheet.file).read_bytes() == expected, sheet.file


def silence_union(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[set_union.SetUnionParams], set_union.SetUnionNoise]:
    """Let set union draw no noise on either engine, with weights and thresholds as they are."""
    derive_noise = set_union.derive_noise

    def derive_quietly(params: set_union.SetUnionParams) -> set_union.SetUnionNoise:
        derived = derive_noise(params)
        quiet = tuple(HARDLY_ANY_NOISE for _ in derived.sigma)
        return dataclasses.replace(derived, sigma=quiet, count_sigma=HARDLY_ANY_NOISE)

    for module in (set_union, sets):
        monkeypatch.setattr(module, "derive_noise", derive_quietly)
    return derive_quietly


def watch(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each action brings to the driver from now on."""
    from pyspark.sql.classic.dataframe import DataFrame

    collected: list[int] = []

    def watched(bring: Any) -> Any:
        def count(self: Any) -> Any:
            rows = bring(self)
            collected.append(len(rows))
            return rows

        return count

    for name in ("collect", "toArrow"):
        monkeypatch.setattr(DataFrame, name, watched(getattr(DataFrame, name)))
    return collected
