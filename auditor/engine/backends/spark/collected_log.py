"""A log that Spark reads and this machine checks: its rows come here, a few splits at a time.

Attacks and measures are then the local engine's own. A log of more rows than there is room for
comes as the whole histories of some users, whom a keyed hash chose: each time the rows that came
are too many, the share of users is halved, and the others are dropped.
"""

import dataclasses
import secrets
from collections.abc import Iterator
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkRunContext,
    SparkSums,
    describe_origin,
    read_scan,
)
from auditor.engine.distributed_results import DistributedLog
from auditor.errors import MemoryExceeded, MissingInput
from auditor.log.model import QueryLog, UserSample, name_fields
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.log.reading.user_ids import settle_users
from auditor.privacy.truth_table import TruthTable


def collect_log(
    work: SparkRunContext, row_limit: int | None = None, *, sampled: bool = True
) -> QueryLog:
    """The log alone, as `collect_places` has it."""
    return collect_places(work, row_limit, sampled=sampled)[0]


def collect_places(
    work: SparkRunContext,
    row_limit: int | None = None,
    users: int | None = None,
    *,
    sampled: bool = True,
) -> tuple[QueryLog, pa.Table]:
    """The log, or so many of its users, chosen at random, that it has at most `row_limit` rows.

    A sample has no more than so many `users`, too. Whole, it is the log that the local reader
    gives, row for row. A sample says so in its origin, where the number of all users is an
    estimate. Beside it stand the place of each row and whose it is, as `place` and `owner`. Raises
    `MemoryExceeded` for a log of more rows that may not be `sampled`.
    """
    pieces = len(work.splits.pieces)
    attributes = rows.list_beside(work.splits)
    schema = ", ".join([rows.ROWS, *(f"`{name}` string" for name in attributes), "coin double"])
    key, share = secrets.token_bytes(32), 1.0
    parts: list[pa.Table] = []
    facts: list[pa.Table] = []
    at_once = 2 * work.spark.sparkContext.defaultParallelism
    for first in range(0, pieces, at_once):
        stop = min(first + at_once, pieces)
        work.stage(f"reading splits {first + 1:,} to {stop:,} of {pieces:,}")
        read_split = partial(_read_sampled, key, share, schema)
        split_numbers = range(first, stop)
        frame = rows.scan_splits(work.spark, work.splits, read_split, schema, split_numbers)
        table = work.collect_log_rows(frame)
        is_row = pc.equal(table["kind"], rows.ROW)
        facts.append(table.filter(pc.invert(is_row)))
        parts.append(table.filter(is_row))
        while (row_limit is not None and sum(map(len, parts)) > row_limit) or (
            users is not None and len(pa.concat_tables(parts)["user"].unique()) > users
        ):
            if not sampled:
                raise MemoryExceeded(
                    "A release is compared with its whole log, which the memory of this machine "
                    "does not hold. Run the command where there is more memory, or name a part of "
                    "the log and a release of that part."
                )
            share /= 2
            parts = [part.filter(pc.less(part["coin"], share)) for part in parts]
    table = pa.concat_tables(parts).sort_by("place")
    if not len(table):
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    log = rows.log_of(table, ip=table["ip"].null_count < len(table), attributes=attributes)
    places = pa.table({"place": table["place"], "owner": table["user"]})
    of = round(len(log.users) / share)
    origin = describe_origin(work.splits, *_read_totals(pa.concat_tables(facts), of))
    if share < 1:
        users = len(log.without_blank.users)
        sample = UserSample(users=users, of=round(users / share), share=share)
        note = "spellings of ids and shared ids were not looked for"
        notes = (*origin.assumptions, note)
        origin = dataclasses.replace(origin, sample=sample, assumptions=notes)
    fields = name_fields(log.columns, log.vocabularies)
    result = QueryLog.from_codes(**fields, origin=origin)
    if share < 1:
        return result, places
    return settle_users(result, work.splits.options, work.splits.pieces[0].part.name), places


def collect_released(
    work: SparkRunContext, released: DataFrame, places: pa.Table
) -> tuple[QueryLog, TruthTable | None]:
    """The released rows of the rows at some `places`, and whose their ids are if they are new."""
    table = work.collect_log_rows(released.join(work.spark.createDataFrame(places), "place"))
    table = table.sort_by([(name, "ascending") for name in ("user", "time", "place")])
    attributes = released.columns[len(rows.NAMES) :]
    log = rows.log_of(table, ip=table["ip"].null_count < len(table), attributes=attributes)
    pairs = set(zip(table["user"].to_pylist(), table["owner"].to_pylist(), strict=True))
    new = len(pairs) == len(log.users) and any(user != owner for user, owner in pairs)
    return log, TruthTable.of(dict(sorted(pairs))) if new else None


def collect_truth(work: SparkRunContext, owners: DataFrame) -> TruthTable:
    """Whose each released id is; `owners` has the user of each id on every row."""
    pairs = work.collect_log_rows(owners.select("user", "owner").distinct())
    names = (pairs[name].to_pylist() for name in ("user", "owner"))
    return TruthTable.of(dict(sorted(zip(*names, strict=True))))


def _read_sampled(
    key: bytes, share: float, schema: str, split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """The facts of a split, and the rows of users whose coin is below a share.

    A user's coin is a keyed hash of their id, from 0 up to 1: the same in every split.
    """
    log = piece.log
    yield from rows.list_facts(split, piece, schema, ids=False)
    digests = rows.hash_texts(key, log.users.list_strings())
    coins = np.array([int.from_bytes(digest[:6]) / 2**48 for digest in digests])
    sampled = np.flatnonzero((coins < share)[log.user])
    for span in rows.iterate_batches(len(sampled)):
        part = sampled[span]
        batch = rows.batch_of(log, part, split.number * rows.PLACES, tuple(log.attributes))
        yield batch.append_column("coin", pa.array(coins[log.user[part]]))


def _read_totals(
    facts: pa.Table, users: int
) -> tuple[SparkSums, list[tuple[str, str, int]], list[tuple[str, int]]]:
    """Sums of the splits' figures, their digests in order, and refused rows in order."""
    sums = SparkSums({"users": users}, {}, {})
    digests, rejects = [], []
    columns = (facts[name].to_pylist() for name in ("kind", "query", "url", "time"))
    for kind, name, text, number in zip(*columns, strict=True):
        if kind == rows.FACT:
            sums.total[name] = sums[name] + number
        elif kind == rows.DIGEST:
            digests.append((name, text, number))
        else:
            rejects.append((name, number))
    digests.sort(key=lambda digest: digest[2])
    rejects.sort(key=lambda reject: reject[1])
    return sums, digests, rejects


def count_log(work: SparkRunContext) -> DistributedLog:
    """The figures of a log: rows, users, distinct queries and pages, clicks, refused rows."""
    work.stage("counting searches")
    all_rows = work.persist_frame(rows.scan(work.spark, work.splits))
    raw = all_rows.where(F.col("kind") == rows.ROW)
    names = ("user", "query", "url")
    users, queries, pages = (
        work.count_rows(raw.select(name).where(F.col(name).isNotNull()).distinct())
        for name in names
    )
    return read_scan(work, all_rows, users, query_count=queries, url_count=pages)[0]
