"""Methods that release rows under ids of a day or mini-session, on Spark.

What is judged by its text alone (identifiers, entities) is judged where rows are read, by the local
detector. Who used an entity is counted as distinct pairs of both, so what everybody uses is spread
over all tasks. A user's rows are brought together only to cut their days into mini-sessions and to
make times coarser, in blocks, by the local functions. New ids are ranks under a keyed hash; so are
the orders that coarse times draw, which have to be the same in every block: an order of a block's
own would tell which records stood in one, and these are of one user. Keys are forgotten.
"""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from auditor.arrays import Int64s
from auditor.attacks.detection.marked_strings import mark_identifying, mark_identifying_addresses
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.methods.logs import (
    build_log_result,
    count_dropped,
    count_log,
    hash_query_sets,
    read_counted_log,
    released_figures,
    renumber_users,
    suppress_rare_values,
)
from auditor.engine.backends.spark.run_context import SparkJobResult, SparkRunContext
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog
from auditor.log.model import QueryLog, Vocabulary, name_fields
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.methods import day_pseudonyms, entity_allowlist
from auditor.methods.counted_windows import find_signed_in, list_windows
from auditor.methods.daily_records import RecordFacts, state_records
from auditor.methods.day_pseudonyms import DayPseudonymsParams
from auditor.methods.entity_allowlist import EntityAllowlistParams, SplitQueries
from auditor.methods.noisy_counts.period_units import number_day, take_as_users
from auditor.methods.released_columns import SUPPRESSED, list_released, state_values
from auditor.methods.released_ids import (
    WHOLE_DAYS,
    MiniSessions,
    gather_events,
    number_records,
    order_events,
)
from auditor.methods.suppression import NAMES, NOTHING, SUPPRESSED_ADDRESSES, SUPPRESSED_QUERIES
from auditor.methods.time_granularity import TimeFacts, coarsen_times
from auditor.privacy.entities import MASK, iterate_entity_users, split_entities
from auditor.privacy.randomness import SecureRandomness
from auditor.privacy.release_times import EXACT, STEPS, floor_times
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress

_PARTS = "query string, entity string, place int, short boolean, user string, window int"
"""An entity of a query and its place in it; or, with a user and a window, who used it when."""


# --- day pseudonyms ---------------------------------------------------------------------------


def release_days(work: SparkRunContext, params: DayPseudonymsParams) -> SparkJobResult:
    """Rows whose query holds no identifier."""
    work.stage("looking for identifiers")
    attributes = list_released(rows.list_beside(work.splits), params)
    step, schema = partial(_read_marked, params.suppress, attributes), rows.extend_rows(attributes)
    all_rows = work.persist_frame(rows.scan_splits(work.spark, work.splits, step, schema))
    raw = all_rows.where(F.col("kind").isin(rows.ROW, rows.HIDDEN))
    log, _, changes = read_counted_log(work, all_rows, raw)
    if params.suppress != NOTHING:
        marked = {
            SUPPRESSED_QUERIES: (rows.HIDDEN, "query"),
            SUPPRESSED_ADDRESSES: (rows.PAGE, "user"),
        }
        for name, (kind, column) in marked.items():
            strings = all_rows.where(F.col("kind") == kind).select(column)
            changes[name] = work.count_rows(strings.distinct())
    frame = all_rows.where(F.col("kind") == rows.ROW)
    statement = day_pseudonyms.state_days()
    return _release_records(work, params, log, raw, frame, statement, changes)


def _read_marked(
    suppress: str, attributes: Sequence[str], split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """One split: its rows, those that are suppressed as `HIDDEN`, and its suppressed pages."""
    schema = rows.extend_rows(attributes)
    yield from rows.list_facts(split, piece, schema)
    log = piece.log.without_blank
    queries = np.zeros(len(log.queries), dtype=np.bool_)
    pages = np.zeros(len(log.urls), dtype=np.bool_)
    if suppress != NOTHING:
        queries = mark_identifying(log.queries, silent_progress(), names=suppress == NAMES)
        pages = mark_identifying_addresses(log.urls)
    yield rows.list_texts(rows.PAGE, log.urls.list_strings(np.flatnonzero(pages)), schema)
    for batch in rows.batches_of(log, split.number, lambda log: queries[log.query], attributes):
        hidden = pa.array(np.full(len(batch), rows.HIDDEN, dtype=np.int8))
        yield batch.set_column(0, "kind", hidden)
    visible = day_pseudonyms.leave_out(log, queries, pages)
    yield from rows.batches_of(visible, split.number, attributes=attributes)


# --- entity allowlist -------------------------------------------------------------------------


def release_allowed(work: SparkRunContext, params: EntityAllowlistParams) -> SparkJobResult:
    """Rows of queries whose every entity enough users used."""
    columns = rows.list_beside(work.splits)
    attributes = list_released(columns, params)
    reads = tuple(name for name in columns if name in entity_allowlist.METHOD.reads)
    all_rows = work.persist_frame(
        rows.scan(work.spark, work.splits, attributes=(*attributes, *reads))
    )
    raw = all_rows.where(F.col("kind") == rows.ROW)
    in_time = raw
    if params.first_day is not None:
        in_time = raw.where(F.col("time") >= 86_400 * number_day(params.first_day))
    log, sums, changes = read_counted_log(work, all_rows, raw)
    if in_time is not raw:
        changes |= count_log(work, in_time)
    windows = list(list_windows(sums.period, params.window, params.first_day, 12 * params.life))
    work.stage("counting users of words")
    split_up = partial(_split_queries, params.to_dict(), windows, reads)
    entities = work.persist_frame(map_in_arrow(raw, split_up, _PARTS))
    uses = entities.where(F.col("user").isNotNull()).select("entity", "user", "window").distinct()
    peaks = (
        uses.groupBy("entity", "window").count().groupBy("entity").agg(F.max("count").alias("n"))
    )
    allowed = work.persist_frame(peaks.where(F.col("n") >= params.k_entity).select("entity"))
    parts = entities.where(F.col("user").isNull()).select("query", "entity", "place", "short")
    flags = parts.distinct().join(allowed.withColumn("ok", F.lit(True)), "entity", "left")
    word = F.when(F.col("ok"), F.col("entity")).otherwise(MASK)
    queries = work.persist_frame(
        flags.groupBy("query").agg(
            F.bool_and("short").alias("short"),
            F.count("entity").alias("parts"),
            F.count("ok").alias("allowed"),
            F.sort_array(F.collect_list(F.struct("place", word.alias("word")))).alias("words"),
        )
    )
    changes |= {
        "entities": work.count_rows(parts.select("entity").dropna().distinct()),
        "entities_allowed": work.count_rows(allowed),
        "queries_too_long": work.count_rows(queries.where(~F.col("short"))),
    }
    is_complete = F.col("allowed") == F.col("parts")
    passing = is_complete if params.forbidden == "drop" else F.col("allowed") > 0
    text = F.when(is_complete, F.col("query")).otherwise(F.array_join("words.word", " "))
    passed = queries.where(F.col("short") & passing).select("query", text.alias("text"))
    frame = in_time.join(passed, "query").drop("query").withColumnRenamed("text", "query")
    frame = work.persist_frame(frame.select(*rows.NAMES, *attributes))
    issuers, totals = (
        part.select("query", "user").distinct().groupBy("query").agg(F.count("*").alias(name))
        for part, name in ((frame, "n"), (raw, "whole"))
    )
    users = F.greatest("n", "whole")
    rare = work.sum_up(
        issuers.join(totals, "query", "left"),
        few=F.count_if(users < params.k_entity),
        lone=F.count_if(users == 1),
        queries=F.count("*"),
    )
    statement = entity_allowlist.state_allowlist(params, columns, *rare.values())
    return _release_records(work, params, log, raw, frame, statement, changes, params.sessions)


def _split_queries(
    params: dict[str, Any],
    windows: list[tuple[int, int]],
    reads: Sequence[str],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """The entities of the queries of a split, and who used them in each window.

    The columns that it `reads` beside the log say whose rows count.
    """
    progress = silent_progress()
    for table in rows.iterate_users(batches):
        block = rows.log_of(table, attributes=reads)
        log = QueryLog.from_codes(**name_fields(block.columns, block.vocabularies))
        entities = split_entities(log.queries, progress)
        words = entities.vocabulary
        queries = SplitQueries(log.queries, entities, np.zeros(len(words), dtype=np.int64))
        # A query without any entity has a row of its own.
        without_entity = np.flatnonzero(entities.compute_lengths() == 0)
        owners = np.concatenate([entities.find_owners(), without_entity])
        codes = np.concatenate([entities.codes, np.full(len(without_entity), -1)])
        places = np.arange(len(owners)) - np.append(entities.offsets, 0)[owners]
        places[len(entities.codes) :] = 0
        short = queries.is_short(EntityAllowlistParams(**params))
        for part in rows.iterate_batches(len(owners)):
            columns = {
                "query": rows.take_strings(log.queries, owners[part]),
                "entity": rows.take_strings(words, codes[part]),
                "place": places[part].astype(np.int32),
                "short": short[owners[part]],
            }
            yield rows.make_batch(columns, _PARTS)
        signed_in = find_signed_in(log)
        for number, (begin, end) in enumerate(windows):
            is_counted = signed_in & (log.time >= begin) & (log.time < end)
            for entity_pairs in iterate_entity_users(log, entities, progress, is_counted):
                for part in rows.iterate_batches(len(entity_pairs)):
                    pairs = entity_pairs[part]
                    columns = {
                        "entity": rows.take_strings(words, pairs & 0xFFFFFFFF),
                        "user": rows.take_strings(log.users, pairs >> 32),
                        "window": np.full(len(pairs), number, dtype=np.int32),
                    }
                    yield rows.make_batch(columns, _PARTS)


# --- what they share --------------------------------------------------------------------------


def _release_records(
    work: SparkRunContext,
    params: Any,
    log: DistributedLog,
    raw: DataFrame,
    frame: DataFrame,
    statement: Statement,
    changes: dict[str, int],
    sessions: MiniSessions = WHOLE_DAYS,
) -> SparkJobResult:
    """The rows that are kept, under fresh ids, with coarser times; `raw` are all of the log.

    Columns beside it are those of `frame`.
    """
    attributes: tuple[str, ...] = tuple(frame.columns[len(rows.NAMES) :])
    values = None
    if attributes:
        schema = f"{rows.extend_rows(attributes)}, record long"
        number = partial(_number_records, sessions)
        frame = work.persist_frame(map_in_arrow(rows.by_user(frame, work.parts), number, schema))
        frame, values = suppress_rare_values(work, frame, attributes, params, True)
        frame, attributes = frame.drop("record"), values.columns
    work.stage("renumbering users")
    cut = partial(_cut_records, secrets.token_bytes(32), params.times, sessions, attributes)
    schema = f"{rows.extend_rows(attributes)}, record string, step long"
    released = work.persist_frame(map_in_arrow(rows.by_user(frame, work.parts), cut, schema))
    figures = released_figures(work, released, ("query", "url", *attributes))
    pairs = released.select("query", "user", "record").distinct()
    links = pairs.groupBy("query", "user").count().groupBy("query").agg(
        F.count("*").alias("users"), F.max("count").alias("records"), F.min("user").alias("user")
    ).where("users = 1 and records > 1")  # fmt: skip
    sets = hash_query_sets(released, "user", "record").groupBy("x", "y")
    owners = sets.agg(F.count_distinct("user").alias("users"), F.count("*").alias("records"))
    lone_records = F.sum(F.when(F.col("users") == 1, F.col("records")))
    owned_records = released.withColumns({"user": F.col("record"), "owner": F.col("user")})
    facts = RecordFacts(
        records=work.count_rows(owned_records.select("user").distinct()),
        users=figures["users"],
        unique=work.sum_up(owners, unique=lone_records)["unique"],
        linked=work.count_rows(links.select("user").distinct()),
    )
    count_dropped(changes, figures)
    statement = state_records(statement, facts)
    if values is not None:
        statement = state_values(statement, values, params)
        changes[SUPPRESSED] = values.suppressed
    numbered = renumber_users(work, owned_records)
    result = build_log_result(
        numbered.orderBy("number", "time", "place").select(*rows.NAMES, *attributes),
        figures,
        statement,
        changes,
        log,
    )
    times = _compare_times(work, params.times, raw, released, figures["rows"])
    return replace(result, times=times, owners=numbered)


def _number_records(
    sessions: MiniSessions, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Rows of whole users with their record: the place of its first row."""
    for table in rows.iterate_users(batches):
        log = rows.log_of(table)
        if (order := order_events(log)) is not None:
            table, log = table.take(order), log.rows(order)
        record = number_records(log, sessions)
        first = table["place"].to_numpy()[np.flatnonzero(np.diff(record, prepend=-1))]
        yield from table.append_column("record", pa.array(first[record])).to_batches()


def _cut_records(
    secret: bytes,
    times: str,
    sessions: MiniSessions,
    attributes: Sequence[str],
    batches: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Rows of whole users with their record, times made coarser, in the order of the release."""
    context = TaskContext.get()
    part = context.partitionId() if context is not None else 0
    before = 0
    for table in rows.iterate_users(batches):
        log = gather_events(rows.log_of(table, attributes=attributes))
        record = number_records(log, sessions)
        owner = log.user[np.flatnonzero(np.diff(record, prepend=-1))]
        coarse = coarsen_times(
            replace(take_as_users(log, record), attributes=log.attributes),
            times,
            SecureRandomness(),
            progress=silent_progress(),
            draw=partial(_rank_by_key, secret),
        )
        step = floor_times(coarse.time, times)
        for span in rows.iterate_batches(len(coarse)):
            row_numbers = np.arange(len(coarse))[span]
            batch = rows.batch_of(coarse, row_numbers, attributes=attributes)
            users = rows.take_strings(log.users, owner[coarse.user[row_numbers]])
            names = [f"{part} {before + number}" for number in coarse.user[row_numbers].tolist()]
            batch = batch.set_column(1, "user", users)
            batch = batch.append_column("record", pa.array(names, pa.string()))
            yield batch.append_column("step", pa.array(step[row_numbers]))
        before += len(owner)


def _rank_by_key(secret: bytes, things: Vocabulary | Int64s, spare: int = 0) -> Int64s:
    """Strings or numbers in an order that is the same wherever they are met; others stand apart."""
    if isinstance(things, Vocabulary):
        texts = things.list_strings()
    else:
        texts = [str(number) for number in things.tolist()]
    keys = rows.hash_texts(secret, [*texts, *(f"\0{number}" for number in range(spare))])
    ranks = np.frombuffer(b"".join(digest[:8] for digest in keys), dtype=">i8")
    return ranks.astype(np.int64)


def _compare_times(
    work: SparkRunContext, times: str, raw: DataFrame, released: DataFrame, count: int
) -> TimeFacts:
    """What is known of the released times, as `with_coarse_times` counts it."""
    if times == EXACT:
        return TimeFacts(EXACT, count)
    work.stage("comparing times")
    queries = raw.select("query").distinct()
    readable = work.count_rows(released.join(queries, "query", "left_semi").limit(1))
    keys = ["query", "time"] if readable else ["time"]
    moments = released.select(*keys).distinct()
    matches = moments.join(raw.select(*keys).distinct(), keys, "left_semi")
    step_users = (
        released.select("query", "step", "user").distinct().groupBy("query", "step").count()
    )
    return TimeFacts(
        times,
        count,
        kept=work.count_rows(matches),
        pairs=work.count_rows(moments),
        lone_pairs=work.count_rows(step_users.where(F.col("count") == 1)) if times in STEPS else 0,
        readable=bool(readable),
    )
