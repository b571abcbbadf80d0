"""Bundling on Spark: rows under one number a bundle, in an order that keeps nothing of users.

What bundles are made by follows from the row alone (a masked address, a keyed hash of a cookie)
or from the rank of its user under a keyed hash. Bundle numbers, and the order of rows of one
bundle and second, are ranks under keyed hashes, too: random to whoever hasn't the key, the same
if a task runs twice. Sizes are counted exactly, an event in the bundle of its first row.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.methods.logs import made_log, rank_users, released_figures
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    count_blank_rows,
    read_facts,
    sum_records,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log import bundles
from auditor.log.model import NONE
from auditor.log.writing import tsv_heading
from auditor.methods.bundling import method
from auditor.methods.bundling.method import HEAVY, BundlingFacts, BundlingFigures, BundlingParams

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

UNKNOWN = "?"
KEYED = f"{rows.ROWS}, bundle string, tie string, last string"


def bundle_log(work: SparkRunContext, params: BundlingParams) -> SparkJobResult:
    """Rows in bundles under shuffled numbers; user, cookie and address go."""
    from pyspark.sql import functions as F

    work.stage("reading")
    every = work.persist_frame(rows.scan(work.spark, work.splits))
    records = every.where(F.col("kind") != rows.ROW).select(
        "kind", F.col("query").alias("a"), F.col("url").alias("b"), F.col("time").alias("n")
    )
    found = sum_records(work, records)
    raw = every.where(F.col("kind") == rows.ROW)
    people = raw.select("user").distinct()
    found.total["users"] = work.count_rows(people)
    log = read_facts(work, records, found)
    by = bundles.choose_basis(params.by, found["addresses"] > 0, found["cookies"] > 0)
    if (by == "ip-mask" and not found["addresses"]) or (
        by == "cookie-hash" and not found["cookies"]
    ):
        raise bundles.explain_missing(by)
    if by == "random-users":
        groups = max(1, len(log.users) // params.group)
        group = rank_users(work, people).select("user", (F.col("number") % groups).alias("group"))
        raw = raw.join(group, "user")
    work.stage("making bundles")
    keyed = work.persist_frame(_key_rows(raw, by, params))
    figures, heavy_people = _measure_bundles(
        work, keyed, len(log.users), log.clicks - found["blank_clicks"]
    )
    searched = len(log) - found["blank_rows"]
    unknown = 0 if by == "random-users" else searched - found[
        "addresses" if by == "ip-mask" else "cookies"
    ]  # fmt: skip
    numbers = rank_users(work, keyed.select(F.col("bundle").alias("user")).distinct())
    numbered = keyed.join(numbers.withColumnRenamed("user", "bundle"), "bundle")
    shown = {
        "user": F.col("number").cast("string"),
        "ip": F.lit(None).cast("long"),
        "cookie": F.lit(None).cast("string"),
    }
    if not params.clicks:
        shown |= {"url": F.lit(None).cast("string"), "rank": F.lit(NONE).cast("short")}
    ordered = numbered.withColumns(shown).orderBy("number", "time", "tie", "last")
    released = released_figures(work, numbered.withColumns(shown), ("query", "url"))
    heading = tsv_heading(False, ip=False, cookie=False)
    statement = method.statement_of(BundlingFacts(figures, params, by, True))
    changes = {
        **method.changes_of(figures, searched, heavy_people, unknown),
        **count_blank_rows(found),
    }
    return made_log(ordered.select(*rows.NAMES), released, heading, statement, changes, log)


def _key_rows(raw: DataFrame, by: str, params: BundlingParams) -> DataFrame:
    """Rows with what their bundle is made by, and two keyed hashes that break ties."""
    secret = secrets.token_bytes(32)
    bits, buckets = params.bits, params.buckets

    def hash_text(domain: bytes, text: str) -> bytes:
        return hmac.digest(secret, domain + text.encode(), "sha256")

    def bundle_of(batch: pa.RecordBatch) -> list[str]:
        if by == "ip-mask":
            return [str(ip >> bits) if ip else UNKNOWN for ip in batch.column("ip").to_pylist()]
        if by == "random-users":
            return [str(group) for group in batch.column("group").to_pylist()]
        known: dict[str | None, str] = {None: UNKNOWN}
        cookies = batch.column("cookie").to_pylist()
        for cookie in set(cookies) - {None}:
            number = int.from_bytes(hash_text(b"cookie ", cookie)) % buckets
            known[cookie] = str(number)
        return [known[cookie] for cookie in cookies]

    def key_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            queries = batch.column("query").dictionary_encode()
            ties = [hash_text(b"query ", text)[:8].hex() for text in queries.dictionary.to_pylist()]
            codes = queries.indices.to_numpy()
            places = batch.column("place").to_pylist()
            columns = [batch.column(name) for name in rows.NAMES]
            columns += [
                pa.array(bundle_of(batch), pa.string()),
                pa.array(np.array(ties, dtype=object)[codes].tolist(), pa.string()),
                pa.array(
                    [hash_text(b"row ", str(place))[:8].hex() for place in places], pa.string()
                ),
            ]
            yield pa.RecordBatch.from_arrays(columns, names=[*rows.NAMES, "bundle", "tie", "last"])

    return map_in_arrow(raw, key_batches, KEYED)


def _measure_bundles(
    work: SparkRunContext, keyed: DataFrame, users: int, clicks: int
) -> tuple[BundlingFigures, int]:
    """The figures of all bundles, and how many users the heavy ones have."""
    from pyspark.sql import functions as F

    events = keyed.groupBy("user", "query", "time").agg(F.min_by("bundle", "place").alias("bundle"))
    fibers = work.persist_frame(events.groupBy("bundle", "user").agg(F.count("*").alias("n")))
    each = fibers.groupBy("bundle").agg(
        F.count("*").alias("users"), F.sum("n").alias("queries"), F.max("n").alias("largest")
    )
    heavy = F.col("queries") >= HEAVY
    total = each.agg(
        F.sum("users").alias("members"),
        F.sum("queries").alias("queries"),
        F.max("users").alias("most_users"),
        F.max("queries").alias("most_queries"),
        F.count_if(heavy).alias("heavy"),
        F.sum(F.when(heavy, F.col("users"))).alias("heavy_members"),
        F.sum(F.when(heavy, F.col("queries"))).alias("heavy_queries"),
        F.count_if(F.col("users") == 1).alias("alone"),
        F.count_if(2 * F.col("largest") > F.col("queries")).alias("dominated"),
    )
    found = {name: int(n or 0) for name, n in work.collect_rows(total, 1)[0].asDict().items()}
    count = work.count_rows(keyed.select("bundle").distinct())
    large = each.where(heavy).select("bundle")
    people = work.count_rows(fibers.join(large, "bundle", "left_semi").select("user").distinct())
    return BundlingFigures(users=users, clicks=clicks, bundles=count, **found), people
