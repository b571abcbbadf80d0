"""Methods that release a log, on Spark, and what they share with others that release rows.

Words are hashed where they are read, split by split: a keyed hash needs nothing of other rows. New
user numbers are the ranks of the users under a keyed hash, which is a random order to whoever
hasn't the key; a task that runs twice comes to the same, where two draws would not. Keys are
drawn on the driver from the operating system, go to the executors with the code, and end with
the session. Bundles follow from the row alone (a masked address, a keyed hash of a cookie) or from
the rank of its user; their sizes are counted exactly, an event in the bundle of its first row.

Which numbered sessions of a user are dropped, and what is left of their times, follows from that
user's rows and a factor that the driver draws: blocks of whole users go through the local
functions.

Rows go out in the order of a local run: by user, time, and place in the input. Only where ids are
dropped are rows of one second in the order of the files instead of the order of their users.
"""

import dataclasses
import secrets
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.run_context import (
    SparkJobResult,
    SparkRunContext,
    SparkSums,
    count_blank_rows,
    number_densely,
    read_scan,
)
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.engine.distributed_results import DistributedLog, DistributedTable
from auditor.log import bundles
from auditor.log.escaping import INVISIBLE
from auditor.log.model import NONE, Vocabulary
from auditor.log.out_of_core.splits import LogSplit, SplitPiece
from auditor.log.text import tokenize_strings
from auditor.log.user_distance.features import host_name
from auditor.log.writing import escape_log, tsv_heading, tsv_rows
from auditor.methods import frequency_threshold, numbered_sessions
from auditor.methods.bundling import method as bundling
from auditor.methods.bundling.method import HEAVY, BundlingFacts, BundlingFigures, BundlingParams
from auditor.methods.frequency_threshold import FrequencyThresholdParams
from auditor.methods.numbered_sessions import NumberedFacts, NumberedSessionsParams
from auditor.methods.released_columns import SUPPRESSED, ShownValues, list_released, state_values
from auditor.methods.released_ids import NO_USER
from auditor.methods.token_hashing import method
from auditor.methods.token_hashing.method import HashKey, TokenHashingParams
from auditor.privacy.randomness import SecureRandomness
from auditor.progress import silent_progress

TEXTS = ("user", "query", "url", "cookie")
UNKNOWN = "?"
KEYED = f"{rows.ROWS}, bundle string, tie string, last string"
_HIDDEN = f"{rows.ROWS}, exact long"
_WORDS = "query string, place int, word string, n long"


# --- frequency threshold ----------------------------------------------------------------------


def release_frequent(work: SparkRunContext, params: FrequencyThresholdParams) -> SparkJobResult:
    """Rows of queries that enough users issued."""
    work.stage("counting users of queries")
    attributes = list_released(rows.list_beside(work.splits), params)
    all_rows = work.persist_frame(rows.scan(work.spark, work.splits, attributes=attributes))
    raw = all_rows.where(F.col("kind") == rows.ROW)
    log, sums, changes = read_counted_log(work, all_rows, raw)
    query_users = raw.select("query", "user").distinct().groupBy("query").count()
    frequent = query_users.where(F.col("count") >= params.n)
    work.stage("dropping rare queries")
    frame = raw.join(frequent, "query", "left_semi").select(*rows.NAMES, *attributes)
    frame = work.persist_frame(frame)
    values = ShownValues((), 0, 0, 0)
    if attributes:
        linked = params.ids != "drop"
        frame, values = suppress_rare_values(work, frame, attributes, params, linked)
        frame = frame.select(*rows.NAMES, *values.columns)
    with_ids = params.ids == "keep"
    texts = (*(TEXTS if with_ids else ("query", "url")), *values.columns)
    figures = released_figures(work, frame, texts)
    clickers = frame.where(F.col("url").isNotNull()).select("url", "user").distinct()
    pages = clickers.groupBy("url").count()
    statement = frequency_threshold.statement_of(
        params,
        frequency_threshold.ThresholdedRows(
            users=figures["users"],
            queries=figures["queries"],
            urls=figures["urls"],
            unique=count_unique_users(work, frame),
            pages=work.count_rows(pages.where(F.col("count") < params.n)),
        ),
    )
    if attributes:
        statement = state_values(statement, values, params)
        changes[SUPPRESSED] = values.suppressed
    if with_ids:
        ordered = _by_appearance(frame)
    elif params.ids == "drop":
        unlinked = drop_links(frame).withColumn("user", F.lit(NO_USER))
        ordered = unlinked.orderBy("time", "place")
    else:
        numbered = renumber_users(work, frame)
        ordered = numbered.orderBy("number", "time", "place").select(*frame.columns)
    count_dropped(changes, figures)
    ids_of = sums if with_ids else None
    return build_log_result(ordered, figures, statement, changes, log, ids_of)


def renumber_users(work: SparkRunContext, frame: DataFrame, by: str = "user") -> DataFrame:
    """Rows whose users are numbers, in `number` too, without addresses and cookies.

    Those that are the same in the column `by` have the same number.
    """
    owners = frame.select(F.col(by).alias("user")).distinct()
    numbers = rank_users(work, owners).withColumnRenamed("user", by)
    numbered = frame.join(numbers, by).withColumn("user", F.col("number").cast("string"))
    return drop_links(numbered)


def drop_links(frame: DataFrame) -> DataFrame:
    """Rows without addresses and cookies."""
    return frame.withColumns({
        "ip": F.lit(None).cast("long"), "cookie": F.lit(None).cast("string")
    })  # fmt: skip


def rank_users(work: SparkRunContext, users: DataFrame) -> DataFrame:
    """A number from 1 for each user, in the order of a keyed hash whose key is forgotten."""
    secret = secrets.token_bytes(32)

    def digest_names(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            digests = rows.hash_texts(secret, batch.column(0).to_pylist())
            yield batch.append_column("hash", pa.array(digests, pa.binary()))

    hashed = map_in_arrow(users, digest_names, "user string, hash binary")
    ranked = number_densely(work, hashed.orderBy("hash").select("user"))
    return ranked.select("user", (F.col("place") + 1).alias("number"))


def _by_appearance(frame: DataFrame) -> DataFrame:
    """Rows by user, users by where their first row stands in the files."""
    first = frame.groupBy("user").agg(F.min("place").alias("first"))
    return frame.join(first, "user").orderBy("first", "time", "place").select(*frame.columns)


# --- token hashing ----------------------------------------------------------------------------


def release_hashed(work: SparkRunContext, params: TokenHashingParams) -> SparkJobResult:
    """Every word as a keyed hash."""
    secret = secrets.token_bytes(32)
    work.stage("hashing words")
    step = partial(_hashed_split, secret, params.to_dict())
    all_rows = work.persist_frame(rows.scan_splits(work.spark, work.splits, step))
    hashes = all_rows.where(F.col("kind").isin(rows.WORD, rows.TEXT, rows.PERSON))
    grouped = hashes.select("kind", "user").distinct().groupBy("kind").count()
    sizes = {row[0]: row[1] for row in work.collect_rows(grouped, 3)}
    log, sums = read_scan(
        work, all_rows, sizes.get(rows.PERSON, 0), query_count=sizes.get(rows.TEXT, 0)
    )
    released = all_rows.where(F.col("kind") == rows.ROW)
    figures = released_figures(work, released, TEXTS)
    words = sizes.get(rows.WORD, 0)
    unique = count_unique_users(work, released) if params.users != "dropped" else 0
    searched_clicks = log.clicks - sums["blank_clicks"]
    clicks = 0 if params.urls == "dropped" else searched_clicks
    users = 1 if params.users == "dropped" else len(log.users)
    statement = method.statement_of(
        params, method.HashedOutlook(words, users, clicks, unique), secure=True
    )
    changes = {
        "rows": len(log) - sums["blank_rows"],
        "tokens_hashed": words,
        "queries_merged": len(log.queries) - figures["queries"],
        "users_changed": 0 if params.users == "kept" else len(log.users),
        "clicks_changed": 0 if params.urls == "kept" else searched_clicks,
        **count_blank_rows(sums),
    }
    if params.users == "kept":
        ordered = _by_appearance(released)
    elif params.users == "hashed":
        ordered = released.orderBy("user", "time", "place")
    else:
        ordered = released.orderBy("time", "place")
    if params.key_file is not None:
        HashKey(secret).save(params.key_file)
    ids_of = sums if params.users == "kept" else None
    result = build_log_result(ordered, figures, statement, changes, log, ids_of)
    if params.users != "hashed":
        return result

    def hash_names(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            users = Vocabulary.of_arrow(batch.column(0))
            names = method.hash_users(users, HashKey(secret), silent_progress())
            columns = [names.as_arrow().cast(pa.string()), batch.column(0)]
            yield pa.RecordBatch.from_arrays(columns, names=["user", "owner"])

    people = rows.scan(work.spark, work.splits).where(F.col("kind") == rows.ROW)
    owners = map_in_arrow(people.select("user").distinct(), hash_names, "user string, owner string")
    return dataclasses.replace(result, owners=owners)


def _hashed_split(
    secret: bytes, params: dict[str, Any], split: LogSplit, piece: SplitPiece
) -> Iterator[pa.RecordBatch]:
    """One split's rows hashed, and what must be counted over all splits, as hashes."""
    key = HashKey(secret)
    log = piece.log.without_blank
    yield from rows.list_facts(split, piece)
    hashed, words = method.hash_log(log, TokenHashingParams(**params), key, silent_progress())
    yield rows.list_texts(rows.WORD, [word.tobytes().hex() for word in words])
    for kind, domain, texts in (
        (rows.TEXT, b"query ", log.queries),
        (rows.PERSON, b"person ", log.users),
    ):
        masked = (domain + text.encode("utf-8", "surrogatepass") for text in texts.list_strings())
        yield rows.list_texts(kind, [key.hash_message(text).hex() for text in masked])
    yield from rows.batches_of(hashed, split.number)


# --- bundling -----------------------------------------------------------------------------------


def bundle_log(work: SparkRunContext, params: BundlingParams) -> SparkJobResult:
    """Rows in bundles under shuffled numbers; user, cookie and address go."""
    work.stage("reading")
    all_rows = work.persist_frame(rows.scan(work.spark, work.splits))
    raw = all_rows.where(F.col("kind") == rows.ROW)
    people = raw.select("user").distinct()
    log, sums = read_scan(work, all_rows, work.count_rows(people))
    by = bundles.choose_basis(params.by, sums["addresses"] > 0, sums["cookies"] > 0)
    if (by == "ip-mask" and not sums["addresses"]) or (by == "cookie-hash" and not sums["cookies"]):
        raise bundles.explain_missing(by)
    if by == "random-users":
        groups = max(1, len(log.users) // params.group)
        group = rank_users(work, people).select("user", (F.col("number") % groups).alias("group"))
        raw = raw.join(group, "user")
    work.stage("making bundles")
    keyed = work.persist_frame(_key_rows(raw, by, params))
    figures, heavy_people = _measure_bundles(
        work, keyed, len(log.users), log.clicks - sums["blank_clicks"]
    )
    searched = len(log) - sums["blank_rows"]
    unknown = 0 if by == "random-users" else searched - sums[
        "addresses" if by == "ip-mask" else "cookies"
    ]  # fmt: skip
    numbered = renumber_users(work, keyed, "bundle")
    if not params.clicks:
        clicks = {"url": F.lit(None).cast("string"), "rank": F.lit(NONE).cast("short")}
        numbered = numbered.withColumns(clicks)
    ordered = numbered.orderBy("number", "time", "tie", "last")
    released = released_figures(work, numbered, ("query", "url"))
    statement = bundling.statement_of(BundlingFacts(figures, params, by, True))
    changes = {
        **bundling.changes_of(figures, searched, heavy_people, unknown),
        **count_blank_rows(sums),
    }
    return build_log_result(ordered.select(*rows.NAMES), released, statement, changes, log)


def _key_rows(raw: DataFrame, by: str, params: BundlingParams) -> DataFrame:
    """Rows with what their bundle is made by, and two keyed hashes that break ties."""
    secret = secrets.token_bytes(32)
    bits, buckets = params.bits, params.buckets

    def hash_some(domain: str, texts: Sequence[Any]) -> list[str]:
        digests = rows.hash_texts(secret, (f"{domain} {text}" for text in texts))
        return [digest[:8].hex() for digest in digests]

    def bundle_of(batch: pa.RecordBatch) -> list[str]:
        if by == "ip-mask":
            return [str(ip >> bits) if ip else UNKNOWN for ip in batch.column("ip").to_pylist()]
        if by == "random-users":
            return [str(group) for group in batch.column("group").to_pylist()]
        cookies = batch.column("cookie").to_pylist()
        distinct_cookies = list(set(cookies) - {None})
        numbers = [str(int(text, 16) % buckets) for text in hash_some("cookie", distinct_cookies)]
        labels = dict(zip(distinct_cookies, numbers, strict=True))
        return [labels.get(cookie, UNKNOWN) for cookie in cookies]

    def key_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            queries = batch.column("query").dictionary_encode()
            ties = pa.array(hash_some("query", queries.dictionary.to_pylist()), pa.string())
            columns = {name: batch.column(name) for name in rows.NAMES}
            columns["bundle"] = bundle_of(batch)
            columns["tie"] = ties.take(queries.indices)
            columns["last"] = hash_some("row", batch.column("place").to_pylist())
            yield rows.make_batch(columns, KEYED)

    return map_in_arrow(raw, key_batches, KEYED)


def _measure_bundles(
    work: SparkRunContext, keyed: DataFrame, users: int, clicks: int
) -> tuple[BundlingFigures, int]:
    """The figures of all bundles, and how many users the heavy ones have."""
    events = keyed.groupBy("user", "query", "time").agg(F.min_by("bundle", "place").alias("bundle"))
    fibers = work.persist_frame(events.groupBy("bundle", "user").agg(F.count("*").alias("n")))
    bundle_sizes = fibers.groupBy("bundle").agg(
        F.count("*").alias("users"), F.sum("n").alias("queries"), F.max("n").alias("largest")
    )
    heavy = F.col("queries") >= HEAVY
    figures = work.sum_up(
        bundle_sizes,
        members=F.sum("users"),
        queries=F.sum("queries"),
        most_users=F.max("users"),
        most_queries=F.max("queries"),
        heavy=F.count_if(heavy),
        heavy_members=F.sum(F.when(heavy, F.col("users"))),
        heavy_queries=F.sum(F.when(heavy, F.col("queries"))),
        lone_bundles=F.count_if(F.col("users") == 1),
        dominated=F.count_if(2 * F.col("largest") > F.col("queries")),
    )
    count = work.count_rows(keyed.select("bundle").distinct())
    large = bundle_sizes.where(heavy).select("bundle")
    people = work.count_rows(fibers.join(large, "bundle", "left_semi").select("user").distinct())
    # Each by its name: `mypy` notices a field that was renamed.
    bundling_figures = BundlingFigures(
        users=users,
        clicks=clicks,
        bundles=count,
        members=figures["members"],
        queries=figures["queries"],
        most_users=figures["most_users"],
        most_queries=figures["most_queries"],
        heavy=figures["heavy"],
        heavy_members=figures["heavy_members"],
        heavy_queries=figures["heavy_queries"],
        lone_bundles=figures["lone_bundles"],
        dominated=figures["dominated"],
    )
    return bundling_figures, people


# --- numbered sessions --------------------------------------------------------------------------


def release_numbered(work: SparkRunContext, params: NumberedSessionsParams) -> SparkJobResult:
    """Rows of sessions without the most frequent queries, all words and pages as numbers."""
    all_rows = work.persist_frame(rows.scan(work.spark, work.splits))
    raw = all_rows.where(F.col("kind") == rows.ROW)
    log, _, changes = read_counted_log(work, all_rows, raw)
    work.stage("cutting sessions")
    factor = numbered_sessions.draw_factor(params, SecureRandomness())
    flagged = raw.withColumn("frequent", F.lit(False))
    if params.top_queries is not None:
        frequencies = work.persist_frame(_count_searches(raw, "time"))
        first = frequencies.orderBy(F.desc("n")).limit(params.top_queries)
        top = F.col("n") >= work.sum_up(first, n=F.min("n"))["n"]  # and those as frequent
        marks = frequencies.where(top).select("query", F.lit(True).alias("frequent"))
        flagged = raw.join(marks, "query", "left").select(*rows.NAMES, "frequent")
    hide = partial(_hide_sessions, params, factor)
    frame = work.persist_frame(map_in_arrow(rows.by_user(flagged, work.parts), hide, _HIDDEN))
    figures = released_figures(work, frame, ())
    count_dropped(changes, figures)
    work.stage("numbering words")
    searches = _count_searches(frame, "exact")
    words = work.persist_frame(map_in_arrow(searches, _split_words, _WORDS))
    frequencies = work.persist_frame(words.groupBy("word").agg(F.sum("n").alias("n")))
    changes["tokens_numbered"] = work.count_rows(frequencies)
    changes["clicks_changed"] = work.count_rows(frame.where(F.col("url").isNotNull()))
    facts = NumberedFacts(
        rows=figures["rows"],
        users=figures["users"],
        pages=figures["urls"],
        words=changes["tokens_numbered"],
        alone=work.count_rows(frequencies.groupBy("n").count().where(F.col("count") == 1)),
        unique=count_unique_users(work, frame),
    )
    start = 0
    if params.clock != "kept":
        start = work.sum_up(frame, day=F.min(F.floor(F.col("time") / 86_400)))["day"]
    queries = words.join(_number_texts(work, frequencies, "word"), "word").groupBy("query").agg(
        F.sort_array(F.collect_list(F.struct("place", "number"))).alias("words")
    )  # fmt: skip
    tokens = F.transform("words", lambda word: F.concat(F.lit("t"), word["number"]))
    queries = queries.select("query", F.array_join(tokens, " ").alias("text"))
    numbered = (
        renumber_users(work, frame.withColumn("owner", F.col("user")))
        .join(queries, "query")
        .join(_number_pages(work, frame), "url", "left")
        .withColumns({
            "query": F.col("text"), "url": F.col("page"), "time": F.col("time") - start * 86_400
        })
    )  # fmt: skip
    numbered = work.persist_frame(numbered)
    result = build_log_result(
        numbered.orderBy("number", "time", "place").select(*rows.NAMES),
        released_figures(work, numbered, ("query", "url")),
        numbered_sessions.state_numbers(params, facts),
        changes,
        log,
    )
    return dataclasses.replace(result, owners=numbered)


def _count_searches(frame: DataFrame, time: str) -> DataFrame:
    events = frame.select("user", "query", time).distinct()
    return events.groupBy("query").agg(F.count("*").alias("n"))


def _hide_sessions(
    params: NumberedSessionsParams, factor: float, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Rows of the sessions that are kept, with hidden times beside the exact ones."""
    for table in rows.iterate_users(batches):
        log = rows.log_of(table)
        frequent = np.zeros(len(log.queries), dtype=np.bool_)
        frequent[log.query[table["frequent"].fill_null(False).to_numpy()]] = True
        places = np.flatnonzero(numbered_sessions.find_sessions_without(log, params, frequent))
        selection = log.rows(places)
        time = numbered_sessions.hide_clock(selection, params, factor)
        for span in rows.iterate_batches(len(selection)):
            batch = rows.batch_of(selection, np.arange(len(selection))[span])
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            columns |= {"time": time[span], "exact": selection.time[span]}
            columns |= {"place": table["place"].take(places[span]).combine_chunks()}
            yield rows.make_batch(columns, _HIDDEN)


def _split_words(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The words of queries, with how many searches each of these has."""
    for batch in batches:
        tokens = tokenize_strings(Vocabulary.of_arrow(batch.column(0)), silent_progress())
        owners = tokens.find_owners()
        columns = {
            "query": batch.column(0).take(pa.array(owners)),
            "place": (np.arange(len(owners)) - tokens.offsets[owners]).astype(np.int32),
            "word": rows.take_strings(tokens.vocabulary, tokens.codes),
            "n": batch.column(1).take(pa.array(owners)),
        }
        yield rows.make_batch(columns, _WORDS)


def _number_texts(work: SparkRunContext, frame: DataFrame, column: str) -> DataFrame:
    """A number from 0 for each distinct text of a column, in a random order."""
    texts = frame.select(F.col(column).alias("user")).distinct()
    number = (F.col("number") - 1).cast("string").alias("number")
    return rank_users(work, texts).select(F.col("user").alias(column), number)


def _number_pages(work: SparkRunContext, frame: DataFrame) -> DataFrame:
    """What stands in the place of each page: the number of its host, and its own."""

    def find_hosts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            urls = batch.column(0)
            hosts = pa.array([host_name(url) for url in urls.to_pylist()], pa.string())
            yield pa.RecordBatch.from_arrays([urls, hosts], names=["url", "host"])

    urls = frame.where(F.col("url").isNotNull()).select("url").distinct()
    pages = work.persist_frame(map_in_arrow(urls, find_hosts, "url string, host string"))
    hosts = _number_texts(work, pages, "host").withColumnRenamed("number", "at")
    page = F.concat(F.lit("d"), "at", F.lit("/u"), "number").alias("page")
    numbered = pages.join(hosts, "host").join(_number_texts(work, pages, "url"), "url")
    return numbered.select("url", page)


# --- what they share --------------------------------------------------------------------------


def read_counted_log(
    work: SparkRunContext, all_rows: DataFrame, raw: DataFrame
) -> tuple[DistributedLog, SparkSums, dict[str, int]]:
    """The log, its figures, and what changes begin with: see `count_log`."""
    sizes = count_log(work, raw)
    log, sums = read_scan(
        work, all_rows, sizes["users_dropped"], query_count=sizes["queries_dropped"]
    )
    return log, sums, sizes | count_blank_rows(sums)


def count_log(work: SparkRunContext, raw: DataFrame) -> dict[str, int]:
    """Rows that are searched, and what would be dropped if nothing was kept."""
    return work.sum_up(
        raw,
        rows=F.count("*"),
        rows_dropped=F.count("*"),
        queries_dropped=F.count_distinct("query"),
        users_dropped=F.count_distinct("user"),
    )


def count_dropped(changes: dict[str, int], figures: dict[str, int]) -> None:
    """Take what is released from what would be dropped."""
    for name in ("rows", "queries", "users"):
        changes[f"{name}_dropped"] -= figures[name]


def released_figures(
    work: SparkRunContext, frame: DataFrame, texts: Sequence[str]
) -> dict[str, int]:
    """Rows and distinct strings of released rows; whether one of `texts` has to be escaped."""
    return work.sum_up(
        frame,
        rows=F.count("*"),
        escaped=F.max(F.concat_ws("", *texts).rlike(INVISIBLE)),
        users=F.count_distinct("user"),
        queries=F.count_distinct("query"),
        urls=F.count_distinct("url"),
    )


def count_unique_users(work: SparkRunContext, frame: DataFrame) -> int:
    """Users whose set of queries no other has."""
    sets = hash_query_sets(frame, "user")
    return work.count_rows(sets.groupBy("x", "y").count().where(F.col("count") == 1))


def hash_query_sets(frame: DataFrame, *by: str) -> DataFrame:
    """Two 64-bit hashes, x and y, over the set of queries of each user, or by other columns."""
    pairs = frame.select(*by, "query").distinct()
    first, second = F.xxhash64("query"), F.xxhash64("query", F.lit(1))
    return pairs.groupBy(*by).agg(F.bit_xor(first).alias("x"), F.bit_xor(second).alias("y"))


def build_log_result(
    ordered: DataFrame,
    figures: dict[str, int],
    statement: Any,
    changes: dict[str, int],
    log: Any,
    ids_of: SparkSums | None = None,
) -> SparkJobResult:
    """A released log: its rows in order, and its figures; `ids_of` a log whose ids it keeps."""
    attributes = tuple(ordered.columns[len(rows.NAMES) :])
    escaped, id_maxima = bool(figures["escaped"]), ids_of.most if ids_of is not None else {}
    heading = tsv_heading(
        False,
        ip=bool(id_maxima.get("with_ip")),
        cookie=bool(id_maxima.get("with_cookie")),
        attributes=attributes,
    )
    sheet = DistributedTable("log.tsv", heading, figures["rows"], escaped, attributes)
    return SparkJobResult([(sheet, ordered)], statement, changes, log, figures["queries"])


def format_lines(sheet: DistributedTable, table: pa.Table) -> bytes:
    """Released rows as lines of the log's file."""
    log = rows.log_of(table, ip="IP" in sheet.heading, attributes=sheet.attributes)
    if "Cookie" not in sheet.heading:
        log = dataclasses.replace(log, cookie=None, cookies=None)
    elif log.cookie is None:
        none = np.full(len(log), NONE, np.int32)
        log = dataclasses.replace(log, cookie=none, cookies=Vocabulary.of(()))
    released = escape_log(log) if sheet.escaped else log
    return b"".join(tsv_rows(released, False, silent_progress()))


# --- columns beside a log: the rules of `released_columns` ---------------------------------------


def suppress_rare_values(
    work: SparkRunContext, frame: DataFrame, names: Sequence[str], params: Any, linked: bool
) -> tuple[DataFrame, ShownValues]:
    """The rows without rare values, and what they show; `linked` says that ids link rows.

    Each step takes values away, from a row or, where an id links a user's rows, from all of a
    user's, or from all of a record's where the rows have a column `record`. How many users show the
    same is counted over all tasks between two steps; values only vanish.
    """
    work.stage("suppressing rare columns")
    ranks: list[tuple[int, int, str]] = []  # the order in which columns go: `released_columns`
    for name in names if len(names) > 1 else ():
        reduced = frame.withColumn(name, F.lit(None).cast("string"))
        counts = _count_users(reduced, names, params, linked)
        rare = work.count_rows(counts.where(F.col("group_rare") | F.col("cell_rare")))
        texts = frame.where(_column(name).isNotNull()).select(_column(name)).distinct()
        ranks.append((rare, -work.count_rows(texts), name))
    order = [name for *_, name in sorted(ranks)] or list(names)
    old_counts = _count_values(work, frame, names)
    columns, owner = frame.columns, _owner_of(frame) if linked else None
    while True:
        counts = work.persist_frame(_count_users(frame, names, params, linked))
        apparent = F.col("apparent")
        total = counts.agg(
            F.max("group_rare"),
            F.max("cell_rare"),
            F.max(F.when(~apparent, F.col("holders"))),
            F.min(F.when(apparent, F.struct("holders", "place", "number"))),
            F.min("holders"),
        )
        group_rare, cell_rare, valueless, fewest, least = work.collect_rows(total, 1)[0]
        if group_rare:
            counts = _take_one(counts, order, F.col("group_rare"), owner)
        elif cell_rare and linked:
            counts = _take_all(counts, names, F.col("cell_rare"))
        elif cell_rare:
            counts = _take_one(counts, order, F.col("cell_rare"), None)
        elif valueless and fewest and valueless < params.group:  # so few show nothing
            smallest = apparent & (F.col("number") == fewest["number"])
            counts = _take_all(counts, names, smallest)
        else:
            break
        frame = work.cut_frame(counts.select(*map(_column, columns)))
    new_counts = _count_values(work, frame, names)
    left = tuple(name for name in names if new_counts[name])
    values = sum(new_counts.values())
    return frame, ShownValues(left, values, sum(old_counts.values()) - values, least or 0)


def _count_values(work: SparkRunContext, frame: DataFrame, names: Sequence[str]) -> dict[str, int]:
    return work.sum_up(frame, **{name: F.count(_column(name)) for name in names})


def _count_users(frame: DataFrame, names: Sequence[str], params: Any, linked: bool) -> DataFrame:
    """The rows with the number of users who show the same, and flags of what is rare.

    What is shown has a `number`; `apparent` says whether it is anything.
    """
    texts = [
        F.coalesce(F.concat(F.length(column).cast("string"), F.lit(":"), column), F.lit("-"))
        for column in map(_column, names)
    ]
    has_value = F.coalesce(*map(_column, names)).isNotNull()
    counts = frame.withColumns({"combination": F.concat(*texts), "shown": has_value})
    cells = counts.select("combination", "query", "user").distinct()
    cells = cells.groupBy("combination", "query").agg(F.count("*").alias("cell"))
    counts = counts.join(cells, ["combination", "query"])
    if linked:
        owner = _owner_of(frame)
        sets = counts.where("shown").select(owner, "combination").distinct()
        combinations = F.array_join(F.sort_array(F.collect_list("combination")), " ")
        sets = sets.groupBy(owner).agg(F.sha2(combinations, 256).alias("number"))
        keys = sorted({owner, "user"})
        owners = counts.select(*keys).distinct().join(sets, owner, "left")
        owners = owners.withColumn("apparent", F.col("number").isNotNull())
        owners = owners.withColumn("number", F.coalesce("number", F.lit("")))
        pairs = owners.select("number", "user").distinct()
        sizes = pairs.groupBy("number").agg(F.count("*").alias("holders"))
        counts = counts.join(owners.join(sizes, "number"), keys)
    else:
        counts = counts.withColumns({"number": F.col("combination"), "apparent": F.col("shown")})
        pairs = counts.select("number", "user").distinct()
        counts = counts.join(pairs.groupBy("number").agg(F.count("*").alias("holders")), "number")
    rare = {
        "group_rare": F.col("apparent") & (F.col("holders") < params.group),
        "cell_rare": F.col("shown") & (F.col("cell") < params.cell),
    }
    return counts.withColumns(rare)


def _owner_of(frame: DataFrame) -> str:
    """What links rows: the records of users where the frame has them, else users."""
    return "record" if "record" in frame.columns else "user"


def _take_one(frame: DataFrame, order: Sequence[str], rare: Column, owner: str | None) -> DataFrame:
    """The rows without the first column that each of those with a rare row shows."""

    def of_owner(flag: Column) -> Column:
        return flag if owner is None else F.max(flag).over(Window.partitionBy(owner))

    visible = [(name, of_owner(_column(name).isNotNull())) for name in order]
    first = F.coalesce(*(F.when(is_visible, F.lit(name)) for name, is_visible in visible))
    frame = frame.withColumn("taken", F.when(of_owner(rare), first))
    is_taken = F.col("taken").eqNullSafe
    return frame.withColumns({n: F.when(~is_taken(F.lit(n)), _column(n)) for n in order})


def _take_all(frame: DataFrame, names: Sequence[str], rare: Column) -> DataFrame:
    """The rows, without any value where they are rare."""
    return frame.withColumns({name: F.when(~rare, _column(name)) for name in names})


def _column(name: str) -> Column:
    return F.col(f"`{name}`")
