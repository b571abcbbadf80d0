"""One run's surroundings: the session, the folder that all machines see, and what was counted."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import shutil
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark import StorageLevel, TaskContext
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from auditor.arrays import Int64s
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.session import (
    check_folder,
    hide_warnings,
    map_in_arrow,
    put_up,
    run_action,
    wait_for,
)
from auditor.engine.distributed_results import DistributedLog, DistributedTable, Formatter
from auditor.errors import MissingInput
from auditor.log.model import LogOrigin, QueryLog, RejectedRow
from auditor.log.out_of_core.splits import LogSplits
from auditor.log.reading.pipeline import COUNTS, describe_counts
from auditor.log.reading.reader import complete_origin
from auditor.log.reading.user_ids import (
    EXAMPLES,
    FEW_ROWS,
    SAMPLE,
    VISIT_SECONDS,
    WEAK_RATIO,
    IdJudgement,
    are_visits,
    judge_values,
    match_shared_ids,
    normalize_ids,
    shape_ids,
)
from auditor.methods.time_granularity import TimeFacts
from auditor.privacy.blank_queries import CHANGE
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.statement import Statement
from auditor.progress import Progress, silent_progress

Sheet = tuple[DistributedTable, DataFrame]
"""A file of a release and its rows."""


@dataclass(frozen=True, eq=False)
class SparkJobResult:
    """What a job made: released rows by file, and what is said of them.

    Tables have columns a, b, n; a log has its rows in the order of the release. `owners` has the
    user (`owner`) of each released id (`user`), on every row, where ids are new and of one user
    each. `units` is how many units of protection the log has, where the job counted them.
    """

    sheets: Sequence[Sheet]
    statement: Statement
    changes: dict[str, int]
    log: DistributedLog
    query_count: int
    times: TimeFacts | None = None
    owners: DataFrame | None = None
    units: int | None = None


T = TypeVar("T")
Noise = Callable[[Int64s, SecureRandomness, Progress], tuple[Int64s, Int64s]]
"""From counts to the positions that are released and their noisy counts."""

MOST_NAMES = 1_000
"""Named figures of a run: their names are ours and the reasons for which rows are refused."""


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """Released counts: how many they are, of how many, and how many of these were 1."""

    frame: DataFrame
    rows: int
    candidates: int
    single: int

    def as_sheet(self, file: str, *keys: str) -> Sheet:
        """A file of them under these headings."""
        return DistributedTable(file, (*keys, "count"), self.rows), self.frame


@dataclass(eq=False)
class SparkRunContext:
    """What every job needs; `folder` is seen by all machines and holds released things alone."""

    spark: SparkSession
    splits: LogSplits
    folder: Path
    progress: Progress
    cached: list[DataFrame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spark.conf.set("spark.sql.shuffle.partitions", self.parts)

    @property
    def parts(self) -> int:
        """Partitions of a shuffle of all rows: one a core, more where there are many bytes."""
        pieces = self.splits.pieces
        size = sum({split.part: split.part.size for split in pieces}.values())
        return max(self.spark.sparkContext.defaultParallelism, math.ceil(size / rows.SHUFFLED))

    def stage(self, name: str) -> None:
        self.progress.stage(f"Spark: {name}")

    def perform_action(self, action: Callable[[], T]) -> T:
        """Run an action; hears a cancel."""
        return run_action(self.spark, action, self.progress)

    def collect_rows(self, frame: DataFrame, row_limit: int) -> list[Any]:
        """The rows of a frame of at most `row_limit`; all that a release brings to the driver.

        `row_limit` never depends on how many rows the log has. Raises RuntimeError if there are
        more.
        """
        collected: list[Any] = self.perform_action(frame.limit(row_limit + 1).collect)
        if len(collected) > row_limit:
            raise RuntimeError(f"more than {row_limit:,} rows were to be brought to the driver")
        return collected

    def collect_log_rows(self, frame: DataFrame) -> pa.Table:
        """All rows of a frame: for `collected_log` alone, where a check wants the log itself."""
        return self.perform_action(frame.toArrow)

    def persist_frame(self, frame: DataFrame) -> DataFrame:
        """The frame, kept on the executors' disks (encrypted) until `release`."""
        frame = frame.persist(StorageLevel.DISK_ONLY)
        self.cached.append(frame)
        return frame

    def cut_frame(self, frame: DataFrame) -> DataFrame:
        """The frame, worked out and kept as by `persist_frame`, without how it was made.

        For rounds: a plan that grows with each of them ends the driver's memory. An executor that
        is lost with its part ends the run.
        """
        return self.perform_action(
            lambda: frame.localCheckpoint(storageLevel=StorageLevel.DISK_ONLY)
        )

    def count_rows(self, frame: DataFrame) -> int:
        return self.perform_action(frame.count)

    def sum_up(self, frame: DataFrame, /, **figures: Column) -> dict[str, int]:
        """Figures of a frame by their names, 0 where it has none: one action."""
        sums = frame.agg(*(figure.alias(name) for name, figure in figures.items()))
        row = self.collect_rows(sums, 1)[0].asDict()
        return {name: int(number or 0) for name, number in row.items()}

    def write_frame(self, frame: DataFrame, name: str) -> DataFrame:
        """Carry out `frame` once and give what was written: for anything that draws randomness.

        Of a task that runs twice Spark takes one result; what comes after sees that one alone.
        """
        place = (self.folder / name).as_uri()
        observation = Observation()

        def write() -> int:
            observed = frame.observe(observation, F.count(F.lit(1)).alias("rows"))
            observed.write.mode("errorifexists").parquet(place)
            return int(observation.get["rows"])

        def read() -> DataFrame:
            return self.spark.read.schema(frame.schema).parquet(place)

        rows = self.perform_action(write)
        wait_for(lambda: self.count_rows(read()) == rows, self.progress)
        return read()

    def read_table(self, table: pa.Table, name: str) -> DataFrame:
        """A table of this machine as a frame, by way of a file."""
        place = self.folder / f"{name}.parquet"
        pq.write_table(table, place)
        return self.spark.read.parquet(place.as_uri())

    def count_users(
        self, frame: DataFrame, count: Callable[[pa.Table, QueryLog], list[rows.Records]]
    ) -> tuple[DataFrame, SparkSums]:
        """The records of blocks of whole users, persisted, and the sums among them."""
        records = self.persist_frame(rows.map_users(frame, self.parts, count))
        return records, sum_records(self, records)

    def draw_table(self, counts: DataFrame, noise: Noise, name: str) -> DrawnTable:
        """Draw the noise of counts once, and tell what is released from its figures.

        It is drawn where the counts are, from that machine's own secure randomness, by one that
        sees the folder. Every run of a task draws anew: so what this gives is written, and read
        from there. Each task adds a row of the kind `rows.DONE`: how many counts it saw, and how
        many of them were 1.
        """
        place = put_up(self.folder)

        def draw(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            check_folder(place)
            rng, total, single = SecureRandomness(), 0, 0
            for batch in batches:
                counts = batch.column(2).to_numpy()
                total += len(counts)
                single += int(np.count_nonzero(counts == 1))
                index, noisy = noise(counts, rng, silent_progress())
                first, second = batch.column(0).take(index), batch.column(1).take(index)
                yield from rows.make_records([(rows.ROW, first, second, noisy)])
            yield from rows.make_records([rows.make_totals({"seen": total, "single": single})])

        second = F.col("b") if "b" in counts.columns else F.lit(None).cast("string").alias("b")
        noisy_rows = map_in_arrow(counts.select("a", second, "n"), draw, rows.RECORDS)
        table = self.write_frame(noisy_rows, name)
        figures = F.when(F.col("kind") == rows.DONE, F.col("a")).alias("name")
        grouped = table.groupBy(figures).agg(F.count("*"), F.sum("n"))
        sums = {row[0]: row for row in self.collect_rows(grouped, 3)}
        return DrawnTable(
            table.where(F.col("kind") == rows.ROW),
            sums[None][1] if None in sums else 0,
            sums["seen"][2] if "seen" in sums else 0,
            sums["single"][2] if "single" in sums else 0,
        )

    def write_pieces(self, ordered: DataFrame, format: Formatter) -> list[Path]:
        """The rows of a sorted frame as lines, in files to be put one behind the other.

        Every task writes its range to a file of its own name. Which file a range has is known from
        the result of the one attempt that Spark counts, so what a lost or doubled attempt wrote is
        never looked at.
        """
        folder = self.folder / uuid.uuid4().hex
        folder.mkdir(mode=0o700)
        place = put_up(folder)

        def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            check_folder(place)
            context = TaskContext.get()
            part = context.partitionId() if context is not None else 0
            name, size = uuid.uuid4().hex, 0
            with (Path(place) / name).open("xb") as file:
                for batch in batches:
                    if len(batch):
                        size += file.write(format(pa.Table.from_batches([batch])))
            yield pa.RecordBatch.from_pydict({"part": [part], "file": [name], "size": [size]})

        # One row a task, never one a row of the release.
        pieces = map_in_arrow(ordered, write, "part long, file string, size long")
        paths = []
        for _, name, size in sorted(map(tuple, self.collect_rows(pieces, 1 << 20))):
            path = folder / name

            def is_whole(path: Path = path, size: int = size) -> bool:
                return path.exists() and path.stat().st_size == size

            wait_for(is_whole, self.progress)
            paths.append(path)
        return paths

    def release(self) -> None:
        """Unpersist frames and remove intermediate files."""
        for frame in self.cached:
            with contextlib.suppress(Exception):  # nothing is kept where Spark itself is gone
                frame.unpersist()
        self.cached.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class SparkSums:
    """Named figures over all splits and users: sums, least and greatest."""

    total: dict[str, int]
    least: dict[str, int]
    most: dict[str, int]

    def __getitem__(self, name: str) -> int:
        return self.total.get(name, 0)

    @property
    def period(self) -> tuple[int, int] | None:
        """When the log was searched, without blank queries."""
        return (self.least["first"], self.most["last"]) if "last" in self.most else None


def number_densely(work: SparkRunContext, frame: DataFrame) -> DataFrame:
    """The frame, kept, with a column `place` from 0 without gaps, in its order."""
    # Of Spark's increasing ids those of a partition follow each other.
    frame = work.persist_frame(frame.withColumn("id", F.monotonically_increasing_id()))
    part = F.shiftright("id", 33)
    grouped = frame.groupBy(part.alias("part")).agg(F.min("id"), F.count("*"))
    sizes = sorted(tuple(row) for row in work.collect_rows(grouped, 1 << 20))
    offsets, place = [], 0
    for number, first, size in sizes:
        offsets.append((number, place - first))
        place += size
    with hide_warnings():
        table = work.spark.createDataFrame(offsets or [(0, 0)], "part long, offset long")
    with_offsets = frame.withColumn("part", part.cast("long")).join(F.broadcast(table), "part")
    return with_offsets.withColumn("place", F.col("id") + F.col("offset")).drop(
        "part", "offset", "id"
    )


def sum_records(work: SparkRunContext, records: DataFrame) -> SparkSums:
    """Add up all figures among `records`; the first action on them."""
    facts = records.where(F.col("kind").isin(rows.FACT, rows.DONE))
    grouped = facts.groupBy("a").agg(F.sum("n"), F.min("n"), F.max("n"))
    sums = work.collect_rows(grouped, MOST_NAMES)
    return SparkSums(*({row[0]: row[column] for row in sums} for column in (1, 2, 3)))


def count_blank_rows(sums: SparkSums) -> dict[str, int]:
    """The entry among changes of rows whose query is blank, as a local run has it."""
    blank = sums["blank_rows"]
    return {CHANGE: blank} if blank else {}


def read_scan(
    work: SparkRunContext, all_rows: DataFrame, users: int | None = None, **counts: int | None
) -> tuple[DistributedLog, SparkSums]:
    """The log of a scan and its figures; its `users` are counted by their ids unless given."""
    facts = all_rows.where(F.col("kind").isin(rows.FACT, rows.REJECT, rows.DIGEST, rows.ID))
    names = {"query": "a", "url": "b", "time": "n"}
    records = facts.select("kind", *names).withColumnsRenamed(names)
    sums = sum_records(work, records)
    if users is None:
        users = work.count_rows(records.where(F.col("kind") == rows.ID).select("a").distinct())
    sums.total["users"] = users
    return read_facts(work, records, sums, **counts), sums


def read_facts(
    work: SparkRunContext, records: DataFrame, sums: SparkSums, **counts: int | None
) -> DistributedLog:
    """The figures and refused rows of the log.

    Raises `LogFormatError` where more rows are refused than the options allow, and `MissingInput`
    where no row is left, as local readers.
    """
    splits = work.splits
    digest_rows = work.collect_rows(records.where(F.col("kind") == rows.DIGEST), len(splits.pieces))
    digests = sorted(
        ((row["a"], row["b"], row["n"]) for row in digest_rows), key=lambda row: row[2]
    )
    keep = splits.options.keep_rejects
    rejects = []
    if sums["rows"] < sums["rows_read"]:
        refused = records.where(F.col("kind") == rows.REJECT).orderBy("n")
        rejects = [(row["a"], row["n"]) for row in work.collect_rows(refused.limit(keep), keep)]
    origin = describe_origin(splits, sums, digests, rejects)
    if not sums["rows"]:
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    period = (sums.least["start"], sums.most["end"])
    origin = judge_users(work, records, origin, period)
    whole = hashlib.sha256(b"query log in splits 1")
    for digest, _, _ in digests:
        whole.update(bytes.fromhex(digest))
    return DistributedLog(
        digest=whole.hexdigest(),
        origin=origin,
        rows=sums["rows"],
        user_count=sums["users"],
        clicks=sums["clicks"],
        period=period,
        **counts,
    )


def describe_origin(
    splits: LogSplits,
    sums: SparkSums,
    digests: list[tuple[str, str, int]],
    rejects: list[tuple[str, int]],
) -> LogOrigin:
    """Where a log that was read in splits came from; raises as local readers.

    `digests` are (digest, lines, number) of the splits in order, `rejects` (text, place) of
    refused rows in order.
    """
    lines: list[int] = []  # of the same file that stand before each split
    total = 0
    for split, (_, count, _) in zip(splits.pieces, digests, strict=True):
        if split.start == 0 or split.stop < 0:
            total = 0
        lines.append(total)
        total += int(count)
    name = splits.pieces[0].part.name
    counts = {name: sums[name] for name in COUNTS}
    notes = describe_counts(counts, sums["rows"], splits.options.time_zone)
    return complete_origin(
        splits.origin.add_notes(*notes),
        sums["rows_read"],
        {
            name.removeprefix("rejected:"): count
            for name, count in sums.total.items()
            if name.startswith("rejected:")
        },
        [
            RejectedRow(file, line + lines[place // rows.PLACES], column, reason)
            for text, place in rejects[: splits.options.keep_rejects]
            for file, line, column, reason in [json.loads(text)]
        ],
        splits.options,
        name,
    )


def judge_users(
    work: SparkRunContext, records: DataFrame, origin: LogOrigin, period: tuple[int, int]
) -> LogOrigin:
    """The origin with its user column judged by all ids, as `settle_users` judges a log.

    Raises `UserColumnUnnamed` where the user column can't be persons.
    """
    if (column := origin.user_column) is None:
        return origin
    parts = F.split("b", " ")
    first, last = (parts[index].cast("long") for index in range(2))
    facts = records.where(F.col("kind") == rows.ID).groupBy("a").agg(
        F.sum("n").alias("n"), (F.max(last) - F.min(first)).alias("span")
    )  # fmt: skip
    texts = "id string, plain string, shape string"
    schema = f"{texts}, n long, span long, shared boolean, weak boolean"
    ids = work.persist_frame(map_in_arrow(facts, _match_ids, schema))
    repeated = F.col("n") > 1
    users, searches, weak, busy, long = work.collect_rows(
        ids.agg(
            F.count("*"), F.sum("n"), F.count_if("weak"), F.count_if(repeated),
            F.count_if(repeated & (F.col("span") > VISIT_SECONDS)),
        ), 1,
    )[0]  # fmt: skip
    shared = ids.where("shared")
    if 0 < weak < users and users > 2:
        median = work.collect_rows(ids.where("not weak").agg(F.percentile("n", F.lit(0.5))), 1)[0]
        threshold = WEAK_RATIO * max(1.0, median[0] or 0.0)
        sizes = ids.groupBy("shape").agg(F.count("*").alias("ids"), F.max("weak").alias("weak"))
        shapes = [row["shape"] for row in work.collect_rows(sizes.where("weak and ids = 1"), 100)]
        unlike = (F.col("n") > FEW_ROWS) & F.col("shape").isin(shapes)
        is_shared = F.col("shared") | (F.col("weak") & ((F.col("n") >= threshold) | unlike))
        shared = ids.where(is_shared)
    spelled = ids.groupBy("plain").agg(
        F.count("*").alias("ids"), F.min("id").alias("least"), F.max("id").alias("most")
    ).where("ids > 1")  # fmt: skip
    judgement = IdJudgement(work.splits.options)
    count, total = work.collect_rows(shared.agg(F.count("*"), F.sum("n")), 1)[0]
    largest = work.collect_rows(shared.orderBy(F.desc("n"), "id").limit(EXAMPLES), EXAMPLES)
    judgement.add_shared(count, total or 0, searches, (row["id"] for row in largest))
    people, spellings, example = work.collect_rows(
        spelled.agg(F.count("*"), F.sum("ids"), F.min(F.struct("plain", "least", "most"))), 1
    )[0]
    judgement.add_spellings(spellings or 0, people, example[1:] if example else ())
    values: list[Any] = []  # ids of the log, which only a column that was guessed is judged by
    if column.chosen != "format":
        values = work.collect_rows(ids.orderBy(F.xxhash64("id")).limit(SAMPLE), SAMPLE)
    doubts = judge_values(
        column,
        (users, searches),
        [row["id"] for row in values],
        visits=are_visits(users, busy, long, period),
        file=work.splits.pieces[0].part.name,
    )
    return judgement.complete(origin, doubts)


def _match_ids(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        ids, n, span = (batch.column(index) for index in range(3))
        shared, weak = match_shared_ids(ids, n.to_numpy(), span.to_numpy())
        texts = [ids, normalize_ids(ids), shape_ids(ids)]
        columns = [*texts, n, span, pa.array(shared), pa.array(weak)]
        names = ["id", "plain", "shape", "n", "span", "shared", "weak"]
        yield pa.RecordBatch.from_arrays(columns, names=names)
