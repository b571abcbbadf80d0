"""Methods that release a log, on Spark: frequency threshold and token hashing.

Words are hashed where they are read, split by split: a keyed hash needs nothing of other rows. New
user numbers are the ranks of the users under a keyed hash, which is a random order to whoever
hasn't the key; a task that runs twice comes to the same, where two draws would not. Keys are
drawn on the driver from the operating system, go to the executors with the code, and end with
the session.

Rows go out in the order of a local run: by user, time, and place in the input. Only where ids are
dropped are rows of one second in the order of the files instead of the order of their users.
"""

from __future__ import annotations

import dataclasses
import hmac
import secrets
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.engine.backends.spark import limited_counts, rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    count_blank_rows,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import hide_warnings, map_in_arrow
from auditor.engine.distributed_results import DistributedTable
from auditor.log.escaping import INVISIBLE
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.log.writing import escape_log, tsv_heading, tsv_rows
from auditor.methods import frequency_threshold
from auditor.methods.frequency_threshold import FrequencyThresholdParams
from auditor.methods.noisy_counts.histograms import ContributionLimits, CountingUnit
from auditor.methods.released_ids import NO_USER
from auditor.methods.token_hashing import method
from auditor.methods.token_hashing.method import HashKey, TokenHashingParams
from auditor.progress import silent_progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

TEXTS = ("user", "query", "url", "cookie")


# --- frequency threshold ----------------------------------------------------------------------


def release_frequent(work: SparkRunContext, params: FrequencyThresholdParams) -> SparkJobResult:
    """Rows of queries that enough users issued."""
    from pyspark.sql import functions as F

    work.stage("counting users of queries")
    users = rows.by_user(rows.scan(work.spark, work.splits), work.parts)
    records = work.persist_frame(
        limited_counts.count_units(users, ContributionLimits(CountingUnit.USERS, 1, 1))
    )
    found = sum_records(work, records)
    issued = work.persist_frame(limited_counts.add_counts(records, rows.UNIT))
    log = read_facts(work, records, found, query_count=work.count_rows(issued))
    frequent = issued.where(F.col("n") >= params.n).select(F.col("a").alias("query"))
    every = rows.scan(work.spark, work.splits).where(F.col("kind") == rows.ROW)
    work.stage("dropping rare queries")
    kept = work.persist_frame(every.join(frequent, "query", "left_semi").select(*rows.NAMES))
    with_ids = params.ids == "keep"
    shown = released_figures(work, kept, TEXTS if with_ids else ("query", "url"))
    statement = frequency_threshold.statement_of(
        params,
        frequency_threshold.ThresholdedRows(
            users=shown["users"],
            queries=shown["queries"],
            urls=shown["urls"],
            unique=count_unique_users(work, kept),
            pages=_count_rare_pages(work, kept, params.n),
        ),
    )
    ordered = _with_ids(work, params.ids, kept)
    searched = len(log) - found["blank_rows"]
    changes = {
        "rows": searched,
        "rows_dropped": searched - shown["rows"],
        "queries_dropped": len(log.queries) - shown["queries"],
        "users_dropped": len(log.users) - shown["users"],
        **count_blank_rows(found),
    }
    heading = tsv_heading(
        False,
        ip=with_ids and bool(found.most.get("with_ip")),
        cookie=with_ids and bool(found.most.get("with_cookie")),
    )
    return made_log(ordered, shown, heading, statement, changes, log)


def _with_ids(work: SparkRunContext, ids: str, kept: DataFrame) -> DataFrame:
    """Rows with the user column that was asked for, sorted as they are released."""
    from pyspark.sql import functions as F

    if ids == "keep":
        return _by_appearance(kept)
    bare = kept.withColumns({
        "ip": F.lit(None).cast("long"), "cookie": F.lit(None).cast("string")
    })  # fmt: skip
    if ids == "drop":
        return bare.withColumn("user", F.lit(NO_USER)).orderBy("time", "place")
    numbers = rank_users(work, kept.select("user").distinct())
    numbered = bare.join(numbers, "user").withColumn("user", F.col("number").cast("string"))
    return numbered.orderBy("number", "time", "place").select(*rows.NAMES)


def rank_users(work: SparkRunContext, users: DataFrame) -> DataFrame:
    """A number from 1 for each user, in the order of a keyed hash whose key is forgotten."""
    from pyspark.sql import functions as F

    secret = secrets.token_bytes(32)

    def digest_names(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            names = batch.column(0).to_pylist()
            found = [hmac.digest(secret, name.encode(), "sha256") for name in names]
            yield pa.RecordBatch.from_arrays(
                [batch.column(0), pa.array(found, pa.binary())], names=["user", "hash"]
            )

    hashed = map_in_arrow(users, digest_names, "user string, hash binary")
    ordered = hashed.orderBy("hash").withColumn("id", F.monotonically_increasing_id())
    kept = work.persist_frame(ordered.select("user", "id"))
    return number_densely(work, kept).select("user", (F.col("place") + 1).alias("number"))


def number_densely(work: SparkRunContext, kept: DataFrame) -> DataFrame:
    """A column `place` from 0 without gaps, in the order of `id`; one offset a partition."""
    from pyspark.sql import functions as F

    part = F.shiftright("id", 33)
    sizes = work.collect_rows(kept.groupBy(part.alias("part")).count(), 1 << 20)
    sizes.sort()
    before = np.concatenate([[0], np.cumsum([row[1] for row in sizes])])
    offsets = [(row[0], int(before[at]) - (row[0] << 33)) for at, row in enumerate(sizes)]
    with hide_warnings():
        table = work.spark.createDataFrame(offsets or [(0, 0)], "part long, offset long")
    joined = kept.withColumn("part", part.cast("long")).join(F.broadcast(table), "part")
    return joined.withColumn("place", F.col("id") + F.col("offset")).drop("part", "offset", "id")


def _by_appearance(kept: DataFrame) -> DataFrame:
    """Rows by user, users by where their first row stands in the files."""
    from pyspark.sql import functions as F

    first = kept.groupBy("user").agg(F.min("place").alias("first"))
    return kept.join(first, "user").orderBy("first", "time", "place").select(*rows.NAMES)


# --- token hashing ----------------------------------------------------------------------------


def release_hashed(work: SparkRunContext, params: TokenHashingParams) -> SparkJobResult:
    """Every word as a keyed hash."""
    from pyspark.sql import functions as F

    secret = secrets.token_bytes(32)
    work.stage("hashing words")
    step = partial(_hashed_split, secret, params.to_dict())
    every = work.persist_frame(rows.scan_splits(work.spark, work.splits, step))
    records = every.where(F.col("kind") != rows.ROW).select(
        "kind", F.col("query").alias("a"), F.col("url").alias("b"), F.col("time").alias("n")
    )
    found = sum_records(work, records)
    sizes = _count_distinct(work, every)
    found.total["users"] = sizes.get(rows.PERSON, 0)
    log = read_facts(work, records, found, query_count=sizes.get(rows.TEXT, 0))
    released = every.where(F.col("kind") == rows.ROW)
    shown = released_figures(work, released, TEXTS)
    words = sizes.get(rows.WORD, 0)
    unique = count_unique_users(work, released) if params.users != "dropped" else 0
    searched_clicks = log.clicks - found["blank_clicks"]
    clicks = 0 if params.urls == "dropped" else searched_clicks
    users = 1 if params.users == "dropped" else len(log.users)
    statement = method.statement_of(
        params, method.HashedOutlook(words, users, clicks, unique), secure=True
    )
    changes = {
        "rows": len(log) - found["blank_rows"],
        "tokens_hashed": words,
        "queries_merged": len(log.queries) - shown["queries"],
        "users_changed": 0 if params.users == "kept" else len(log.users),
        "clicks_changed": 0 if params.urls == "kept" else searched_clicks,
        **count_blank_rows(found),
    }
    if params.users == "kept":
        ordered = _by_appearance(released)
    elif params.users == "hashed":
        ordered = released.orderBy("user", "time", "place")
    else:
        ordered = released.orderBy("time", "place")
    kept = params.users == "kept"
    heading = tsv_heading(
        False,
        ip=kept and bool(found.most.get("with_ip")),
        cookie=kept and bool(found.most.get("with_cookie")),
    )
    if params.key_file is not None:
        HashKey(secret).save(params.key_file)
    return made_log(ordered, shown, heading, statement, changes, log)


def _hashed_split(
    secret: bytes, params: dict[str, Any], split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """One split's rows hashed, and what must be counted over all splits, as hashes."""
    key = HashKey(secret)
    log = piece.log.without_blank
    yield rows.split_facts(split, piece)
    yield rows.id_facts(split, piece)
    done = method.hash_log(log, TokenHashingParams(**params), key, silent_progress())
    yield rows.hash_rows(rows.WORD, [word.tobytes().hex() for word in done.words])
    yield rows.hash_rows(rows.TEXT, _mask_columns(key, b"query ", log.queries.list_strings()))
    yield rows.hash_rows(rows.PERSON, _mask_columns(key, b"person ", log.users.list_strings()))
    yield from rows.batches_of(done.log, split.number)


def _mask_columns(key: HashKey, domain: bytes, texts: list[str]) -> list[str]:
    return [
        key.hash_message(domain + text.encode("utf-8", "surrogatepass")).hex() for text in texts
    ]


def _count_distinct(work: SparkRunContext, every: DataFrame) -> dict[int, int]:
    from pyspark.sql import functions as F

    some = every.where(F.col("kind").isin(rows.WORD, rows.TEXT, rows.PERSON))
    grouped = some.select("kind", "user").distinct().groupBy("kind").count()
    return {row[0]: row[1] for row in work.collect_rows(grouped, 3)}


# --- what they share --------------------------------------------------------------------------


def released_figures(
    work: SparkRunContext, kept: DataFrame, texts: Sequence[str]
) -> dict[str, int]:
    """Rows and distinct strings of released rows; whether one of `texts` has to be escaped."""
    from pyspark.sql import functions as F

    invisible = F.concat_ws("", *texts).rlike(INVISIBLE).cast("int")
    total = work.collect_rows(kept.agg(F.count("*"), F.max(invisible)), 1)[0]
    found = {"rows": int(total[0]), "escaped": int(total[1] or 0)}
    for name, column in (("users", "user"), ("queries", "query"), ("urls", "url")):
        some = kept.where(F.col(column).isNotNull()).select(column).distinct()
        found[name] = work.count_rows(some)
    return found


def count_unique_users(work: SparkRunContext, kept: DataFrame) -> int:
    """Users whose set of queries no other has, by two 64-bit hashes over the set."""
    from pyspark.sql import functions as F

    pairs = kept.select("user", "query").distinct()
    one, other = F.xxhash64("query"), F.xxhash64("query", F.lit(1))
    sets = pairs.groupBy("user").agg(F.bit_xor(one).alias("x"), F.bit_xor(other).alias("y"))
    return work.count_rows(sets.groupBy("x", "y").count().where(F.col("count") == 1))


def _count_rare_pages(work: SparkRunContext, kept: DataFrame, least: int) -> int:
    """Released pages that fewer than `least` users clicked."""
    from pyspark.sql import functions as F

    pairs = kept.where(F.col("url").isNotNull()).select("url", "user").distinct()
    return work.count_rows(pairs.groupBy("url").count().where(F.col("count") < least))


def made_log(
    ordered: DataFrame,
    shown: dict[str, int],
    heading: tuple[str, ...],
    statement: Any,
    changes: dict[str, int],
    log: Any,
) -> SparkJobResult:
    """A released log: its rows in order, its figures, the heading of its file."""
    return SparkJobResult(
        {"log": ordered},
        {"log": shown["rows"]},
        statement,
        changes,
        log,
        headings={"log": heading},
        query_count=shown["queries"],
        escaped=bool(shown["escaped"]),
    )


def format_lines(sheet: DistributedTable, table: pa.Table) -> bytes:
    """Released rows as lines of the log's file."""
    log = rows.log_of(table, ip="IP" in sheet.heading)
    if "Cookie" not in sheet.heading:
        log = dataclasses.replace(log, cookie=None, cookies=None)
    written = escape_log(log) if sheet.escaped else log
    return b"".join(tsv_rows(written, False, silent_progress()))
