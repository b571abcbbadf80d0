"""A log that Spark reads and this machine checks: its rows come here, a few splits at a time.

Attacks and measures are then the local engine's own. A log of more rows than there is room for
comes as the whole histories of some users, whom a keyed hash chose: each time the rows that came
are too many, the share of users is halved, and the others are dropped.
"""

from __future__ import annotations

import dataclasses
import hmac
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkRunContext,
    SparkSums,
    describe_origin,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog
from auditor.errors import MemoryExceeded, MissingInput
from auditor.log.model import QueryLog, UserSample, name_fields
from auditor.log.out_of_core.splits import LogSplits, read_split
from auditor.log.reading.column_mapping import ROLES, list_roles
from auditor.log.reading.user_ids import settle_users
from auditor.privacy.truth_table import TruthTable

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


def collect_log(
    work: SparkRunContext, most: int | None = None, *, sampled: bool = True
) -> QueryLog:
    """The log alone, as `collect_places` has it."""
    return collect_places(work, most, sampled=sampled)[0]


def collect_places(
    work: SparkRunContext,
    most: int | None = None,
    users: int | None = None,
    *,
    sampled: bool = True,
) -> tuple[QueryLog, pa.Table]:
    """The log, or so many of its users, chosen at random, that it has at most `most` rows.

    A sample has no more than so many `users`, too. Whole, it is the log that the local reader
    gives, row for row. A sample says so in its origin, where the number of all users is an
    estimate. Beside it stand the place of each row and whose it is, as `place` and `owner`.

    Raises
    ------
    MemoryExceeded
        The log has more rows, and may not be `sampled`.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    pieces = len(work.splits.pieces)
    beside = list_roles(work.splits.roles)[len(ROLES) :]
    schema = ", ".join([rows.ROWS, *(f"`{name}` string" for name in beside), "coin double"])
    key, share = secrets.token_bytes(32), 1.0
    parts: list[pa.Table] = []
    facts: list[pa.Table] = []
    at_once = 2 * work.spark.sparkContext.defaultParallelism
    for first in range(0, pieces, at_once):
        stop = min(first + at_once, pieces)
        work.stage(f"reading splits {first + 1:,} to {stop:,} of {pieces:,}")
        numbers = work.spark.range(first, stop, 1, stop - first)
        read = _SplitReader(work.splits, key, share)
        table = work.collect_log_rows(map_in_arrow(numbers, read, schema))
        is_row = pc.equal(table["kind"], rows.ROW)
        facts.append(table.filter(pc.invert(is_row)))
        parts.append(table.filter(is_row))
        while _is_too_large(parts, most, users):
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
    log = rows.log_of(table, ip=table["ip"].null_count < len(table), beside=beside)
    places = pa.table({"place": table["place"], "owner": table["user"]})
    of = round(len(log.users) / share)
    origin = describe_origin(work.splits, *_read_totals(pa.concat_tables(facts), of))
    if share < 1:
        sample = UserSample(users=len(log.users), of=of, share=share)
        note = "spellings of ids and shared ids were not looked for"
        notes = (*origin.assumptions, note)
        origin = dataclasses.replace(origin, sample=sample, assumptions=notes)
    fields = name_fields(log.columns, log.vocabularies)
    whole = QueryLog.from_codes(**fields, origin=origin)
    if share < 1:
        return whole, places
    return settle_users(whole, work.splits.options, work.splits.pieces[0].part.name), places


def _is_too_large(parts: list[pa.Table], most: int | None, users: int | None) -> bool:
    import pyarrow as pa

    if most is not None and sum(map(len, parts)) > most:
        return True
    return users is not None and len(pa.concat_tables(parts)["user"].unique()) > users


def collect_released(
    work: SparkRunContext, released: DataFrame, places: pa.Table
) -> tuple[QueryLog, TruthTable | None]:
    """The released rows of the rows at some `places`, and whose their ids are if they are new."""
    table = work.collect_log_rows(released.join(work.spark.createDataFrame(places), "place"))
    table = table.sort_by([(name, "ascending") for name in ("user", "time", "place")])
    log = rows.log_of(table, ip=table["ip"].null_count < len(table))
    pairs = set(zip(table["user"].to_pylist(), table["owner"].to_pylist(), strict=True))
    new = len(pairs) == len(log.users) and any(shown != owner for shown, owner in pairs)
    return log, TruthTable.of(dict(sorted(pairs))) if new else None


class _SplitReader:
    """Reads splits on an executor: their facts, and the rows of users whose coin is below a share.

    A user's coin is a keyed hash of their id, from 0 up to 1: the same in every split.
    """

    def __init__(self, splits: LogSplits, key: bytes, share: float) -> None:
        self._splits, self._key, self._share = splits, key, share

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import numpy as np
        import pyarrow as pa

        for batch in batches:
            for number in batch.column(0).to_pylist():
                split = self._splits.pieces[number]
                piece = read_split(self._splits, split)
                log, fact = piece.log, rows.split_facts(split, piece)
                for name in log.attributes:
                    fact = fact.append_column(name, pa.nulls(len(fact), pa.string()))
                yield fact.append_column("coin", pa.nulls(len(fact), pa.float64()))
                coins = np.array([self._toss(user) for user in log.users.list_strings()])
                chosen = np.flatnonzero((coins < self._share)[log.user])
                for start in range(0, len(chosen), 1 << 16):
                    part = chosen[start : start + (1 << 16)]
                    made = rows.batch_of(log, part, number * rows.PLACES)
                    for name, one in log.attributes.items():
                        texts = rows.take_strings(one.texts, one.codes[part])
                        made = made.append_column(name, texts)
                    yield made.append_column("coin", pa.array(coins[log.user[part]]))

    def _toss(self, user: str) -> float:
        digest = hmac.digest(self._key, user.encode(), "sha256")
        return int.from_bytes(digest[:6]) / 2**48


def _read_totals(
    facts: pa.Table, users: int
) -> tuple[SparkSums, list[tuple[str, str, int]], list[tuple[str, int]]]:
    """Sums of the splits' figures, their digests in order, and refused rows in order."""
    found = SparkSums({"users": users}, {}, {})
    digests, rejects = [], []
    columns = (facts[name].to_pylist() for name in ("kind", "query", "url", "time"))
    for kind, name, text, number in zip(*columns, strict=True):
        if kind == rows.FACT:
            found.total[name] = found[name] + number
        elif kind == rows.DIGEST:
            digests.append((name, text, number))
        else:
            rejects.append((name, number))
    digests.sort(key=lambda digest: digest[2])
    rejects.sort(key=lambda reject: reject[1])
    return found, digests, rejects


def count_log(work: SparkRunContext) -> DistributedLog:
    """The figures of a log: rows, users, distinct queries and pages, clicks, refused rows."""
    from pyspark.sql import functions as F

    work.stage("counting searches")
    every = work.persist_frame(rows.scan(work.spark, work.splits))
    records = every.where(F.col("kind") != rows.ROW).select(
        "kind", F.col("query").alias("a"), F.col("url").alias("b"), F.col("time").alias("n")
    )
    found = sum_records(work, records)
    raw = every.where(F.col("kind") == rows.ROW)
    names = ("user", "query", "url")
    users, queries, pages = (
        work.count_rows(raw.select(name).where(F.col(name).isNotNull()).distinct())
        for name in names
    )
    found.total["users"] = users
    return read_facts(work, records, found, query_count=queries, url_count=pages)
