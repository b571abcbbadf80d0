"""From splits to rows, and from rows to whole users: what every job on Spark begins with.

**Scan.** Each task reads one split (`log.out_of_core.splits`) with the loops of the local reader
and hands on rows with their strings, and facts about the split as rows of another kind. Facts
travel with the rows, so that one pass gives both and a task that is run twice counts once.

**Order.** A row's `place` is (split, place in the split's own order by user and time). Rows sorted
by (user, time, place) stand exactly as in a `QueryLog` of the whole: rows of one user and second
as they came in the files.

**Users.** Rows are shuffled by user and sorted within each partition by Spark, which spills.
Whole users come out in blocks of about `BLOCK` rows, as logs of their own.
"""

import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from auditor.arrays import Array, Bools, Int32s, Int64s, Integers
from auditor.engine.backends.spark.session import map_in_arrow
from auditor.log.model import NONE, Attribute, QueryLog, Vocabulary, iterate_slices
from auditor.log.out_of_core.splits import LogSplit, LogSplits, SplitPiece, read_split
from auditor.log.reading.column_mapping import ROLES, list_roles
from auditor.log.text import merge_spellings
from auditor.methods.noisy_counts.grouped_queries import NO_GROUPS, pair_queries

ROWS = (
    "kind byte, user string, time long, place long, query string, url string, rank short, "
    "ip long, cookie string"
)
RECORDS = "kind byte, a string, b string, n long"

ROW, FACT, REJECT, DIGEST, QUERY, CLICK, STEP, UNIT, DONE, WORD, TEXT, PERSON, ID, HIDDEN, PAGE = (
    range(15)
)
DATED, WEIGHT = 15, 16
"""What a row is of: the log, a figure of it, a refused row, a split's digest; then counts of
queries, clicks, transitions, units of the whole log, and figures of whole users; then hashes of
words, queries and users that are to be counted; ids of users, with how many rows they have; rows of
suppressed queries, and suppressed pages; counts of queries by date, and weights of queries."""

BLOCK = 1 << 18
"""Rows of whole users that are worked on at once."""
PLACES = 1 << 36
"""More rows than a split can have."""
SHUFFLED = 64 << 20
"""Bytes of log for each partition of a shuffle."""

Step = Callable[[QueryLog], "Bools | None"]
SplitStep = Callable[[LogSplit, SplitPiece], "Iterator[pa.RecordBatch]"]
Records = tuple[int, "pa.Array", "pa.Array | None", Integers]


def scan(
    spark: SparkSession,
    splits: LogSplits,
    keep: Step | None = None,
    *,
    folded: bool = False,
    by: str = NO_GROUPS,
    attributes: Sequence[str] = (),
) -> DataFrame:
    """All rows, and the facts of every split; `keep` says which rows of a split are wanted.

    Where they are `folded`, queries stand without regard to case and white space. Where they are
    counted `by` group, pairs stand in the place of queries, and a fact is how many splits have the
    column. Columns `attributes` the log come along.

    Rows of blank queries are never among them: a blank query is a missing value.
    """

    def batch_split(split: LogSplit, piece: SplitPiece) -> Iterator[pa.RecordBatch]:
        yield from list_facts(split, piece, schema)
        log = merge_spellings(piece.log) if folded else piece.log
        if by != NO_GROUPS:
            log, has_column = pair_queries(log.without_blank, by)
            yield _make_facts([(FACT, "groups", "", int(has_column))], split, schema)
        yield from batches_of(log, split.number, keep, attributes)

    schema = extend_rows(attributes)
    return scan_splits(spark, splits, batch_split, schema)


def scan_splits(
    spark: SparkSession,
    splits: LogSplits,
    step: SplitStep,
    schema: str = ROWS,
    numbers: range | None = None,
) -> DataFrame:
    """What `step` makes of every split, or of those with some `numbers`; a task for each."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                split = splits.pieces[number]
                yield from step(split, read_split(splits, split))

    chosen_splits = range(len(splits.pieces)) if numbers is None else numbers
    return map_in_arrow(
        spark.range(chosen_splits.start, chosen_splits.stop, 1, max(1, len(chosen_splits))),
        read,
        schema,
    )


def extend_rows(attributes: Sequence[str]) -> str:
    """The schema of rows with columns beside the log."""
    return ", ".join([ROWS, *(f"`{name}` string" for name in attributes)])


def list_beside(splits: LogSplits) -> tuple[str, ...]:
    """The columns beside the log."""
    return list_roles(splits.roles)[len(ROLES) :]


def by_user(frame: DataFrame, parts: int) -> DataFrame:
    """Rows of a user together and in order."""
    return frame.repartition(parts, "user").sortWithinPartitions("kind", "user", "time", "place")


def list_facts(
    split: LogSplit, piece: SplitPiece, schema: str = ROWS, *, ids: bool = True
) -> Iterator[pa.RecordBatch]:
    """What is known of a split, as rows of the kinds `FACT`, `REJECT` and `DIGEST`.

    With `ids` those of its users, too: how many rows they have, and the seconds of the first and
    last.
    """
    log, nonblank = piece.log, piece.log.without_blank
    figures = {
        "rows": len(log),
        "blank_rows": len(log) - len(nonblank),
        "blank_clicks": log.clicks - nonblank.clicks,
        "clicks": log.clicks,
        "rows_read": log.origin.rows_read,
        "with_ip": int(log.ip is not None),
        "addresses": 0 if nonblank.ip is None else int(np.count_nonzero(nonblank.ip)),
        "cookies": 0 if nonblank.cookie is None else int(np.count_nonzero(nonblank.cookie != NONE)),
        "with_cookie": int(log.cookies is not None),
        **piece.counts,
        **{f"rejected:{reason}": count for reason, count in log.origin.rejected.items()},
    }
    if log.period is not None:
        figures |= {"start": log.period[0], "end": log.period[1]}
    if nonblank.period is not None:
        figures |= {"first": nonblank.period[0], "last": nonblank.period[1]}
    facts: list[tuple[int, str, str, int]] = [(FACT, name, "", n) for name, n in figures.items()]
    facts.append((DIGEST, log.digest, str(piece.lines), split.number))
    for place, reject in enumerate(log.origin.rejects):
        fields = [reject.file, reject.line, reject.column, reject.reason]
        facts.append((REJECT, json.dumps(fields), "", split.number * PLACES + place))
    yield _make_facts(facts, split, schema)
    if ids and len(log):
        starts = log.user_starts
        first, last = log.time[starts[:-1]].tolist(), log.time[starts[1:] - 1].tolist()
        spans = [f"{start} {end}" for start, end in zip(first, last, strict=True)]
        user_facts = zip(log.users.list_strings(), spans, np.diff(starts).tolist(), strict=True)
        yield _make_facts([(ID, *user) for user in user_facts], split, schema)


def _make_facts(
    facts: list[tuple[int, str, str, int]], split: LogSplit, schema: str
) -> pa.RecordBatch:
    kinds, names, texts, numbers = zip(*facts, strict=True)
    columns = {"user": [str(split.number)] * len(facts), "place": range(len(facts))}
    columns |= {"kind": kinds, "query": names, "url": texts, "time": numbers}
    return make_batch(columns, schema)


NAMES = [column.split()[0] for column in ROWS.split(", ")]


_TYPES = {
    "byte": pa.int8(), "short": pa.int16(), "int": pa.int32(), "long": pa.int64(),
    "double": pa.float64(), "boolean": pa.bool_(), "string": pa.string(),
}  # fmt: skip


def iterate_batches(size: int) -> Iterator[slice]:
    """Slices of so many rows, of as many as Spark takes at once."""
    return iterate_slices(size, 1 << 16)


def make_batch(columns: Mapping[str, Any], schema: str = ROWS) -> pa.RecordBatch:
    """Columns by name, at least one of the schema's; null where none is given."""
    pairs = [column.split() for column in schema.split(", ")]
    arrow_schema = pa.schema([(name.strip("`"), _TYPES[kind]) for name, kind in pairs])
    size = len(next(iter(columns.values())))
    arrays = [
        pa.array(columns[field.name], field.type)
        if field.name in columns
        else pa.nulls(size, field.type)
        for field in arrow_schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow_schema)


def list_texts(kind: int, texts: list[str], schema: str = ROWS) -> pa.RecordBatch:
    """Texts that are to be counted, as the `user` of rows of that kind."""
    return make_batch({"kind": [kind] * len(texts), "user": texts}, schema)


def hash_texts(secret: bytes, texts: Iterable[str]) -> list[bytes]:
    """A keyed hash of each text, the same wherever it is met: 32 bytes."""
    encoded = (text.encode("utf-8", "surrogatepass") for text in texts)
    return [hmac.digest(secret, text, "sha256") for text in encoded]


def batches_of(
    log: QueryLog, number: int, keep: Step | None = None, attributes: Sequence[str] = ()
) -> Iterator[pa.RecordBatch]:
    """The rows of a split's log that aren't blank, as many at once as Spark takes."""
    is_kept = keep(log) if keep is not None else None
    rows = np.arange(len(log)) if is_kept is None else np.flatnonzero(is_kept)
    rows = rows[~log.queries.find_blank()[log.query[rows]]]
    for part in iterate_batches(len(rows)):
        yield batch_of(log, rows[part], number * PLACES, attributes)


def batch_of(
    log: QueryLog, rows: Int64s, first: int = 0, attributes: Sequence[str] = ()
) -> pa.RecordBatch:
    """Some rows with their strings, and columns `attributes`; `first` is added to their places."""
    columns = {
        "kind": np.zeros(len(rows), dtype=np.int8),
        "user": take_strings(log.users, log.user[rows]),
        "time": log.time[rows],
        "place": rows + first,
        "query": take_strings(log.queries, log.query[rows]),
        "url": take_strings(log.urls, log.url[rows]),
        "rank": log.rank[rows],
    }
    if log.ip is not None:
        columns["ip"] = log.ip[rows].astype(np.int64)
    if log.cookie is not None and log.cookies is not None:
        columns["cookie"] = take_strings(log.cookies, log.cookie[rows])
    for name in attributes:
        if (attribute := log.attributes.get(name)) is not None:
            columns[name] = take_strings(attribute.texts, attribute.codes[rows])
    return make_batch(columns, extend_rows(attributes))


def take_strings(words: Vocabulary, codes: Array) -> pa.Array:
    """The strings of `codes`, null for −1."""
    return words.as_arrow().take(pa.array(codes, mask=codes == NONE)).cast(pa.string())


def iterate_users(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Blocks of whole users, and before them the rows of other kinds as they come.

    Memory: a block, or one user's rows if there are more of them.
    """
    buffer: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        kinds = batch.column(0).to_numpy()
        other = np.flatnonzero(kinds != ROW)
        if len(other):
            yield pa.Table.from_batches([batch.take(pa.array(other))])
            batch = batch.take(pa.array(np.flatnonzero(kinds == ROW)))
        if not len(batch):
            continue
        buffer.append(batch)
        size += len(batch)
        # One user's rows are joined once, however many batches they fill.
        if size >= BLOCK and buffer[0]["user"][0] != batch["user"][-1]:
            table = pa.Table.from_batches(buffer)
            codes = encode_strings(table["user"])[0]
            inner = np.flatnonzero(codes != codes[-1])
            if len(inner):
                cut = int(inner[-1]) + 1
                yield table.slice(0, cut)
                buffer = table.slice(cut).combine_chunks().to_batches()
                size = len(table) - cut
    if buffer:
        yield pa.Table.from_batches(buffer)


def map_users(
    frame: DataFrame, parts: int, count: Callable[[pa.Table, QueryLog], list[Records]]
) -> DataFrame:
    """The records that `count` makes of each block of whole users; facts pass unchanged."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for table in iterate_users(batches):
            if table["kind"][0].as_py() == ROW:
                yield from make_records(count(table, log_of(table)))
            else:  # the name, the text, the number
                facts = table.select(["kind", "query", "url", "time"])
                yield from facts.rename_columns(["kind", "a", "b", "n"]).to_batches()

    return map_in_arrow(by_user(frame, parts), work, RECORDS)


def encode_strings(column: pa.ChunkedArray) -> tuple[Int32s, Vocabulary]:
    """Codes by first appearance, −1 for null, and the strings."""
    array = column.cast(pa.large_string()).combine_chunks().dictionary_encode()
    if isinstance(array, pa.ChunkedArray):
        array = array.unify_dictionaries().combine_chunks()
    codes = array.indices.fill_null(NONE).to_numpy(zero_copy_only=False).astype(np.int32)
    return codes, Vocabulary.of_arrow(array.dictionary)


def log_of(table: pa.Table, *, ip: bool | None = None, attributes: Sequence[str] = ()) -> QueryLog:
    """A block of rows, whole users sorted as they came, as a log of its own.

    Columns `attributes` a log are its attributes; a release is given none.
    """
    user, users_ = encode_strings(table["user"])
    query, queries = encode_strings(table["query"])
    url, urls = encode_strings(table["url"])
    address = cookie = cookies = None
    if ip or (ip is None and table["ip"].null_count == 0):
        address = table["ip"].fill_null(0).to_numpy().astype(np.uint32)
    if table["cookie"].null_count < len(table):
        cookie, cookies = encode_strings(table["cookie"])
    return QueryLog(
        user=user,
        query=query,
        time=table["time"].to_numpy(),
        url=url,
        rank=table["rank"].to_numpy().astype(np.int16),
        users=users_,
        queries=queries,
        urls=urls,
        ip=address,
        cookie=cookie,
        cookies=cookies,
        attributes={name: Attribute(*encode_strings(table[name])) for name in attributes},
    )


def make_records(parts: list[Records]) -> Iterator[pa.RecordBatch]:
    """Counted things as Arrow: (kind, first string, second string or None, counts)."""
    for kind, first, second, count in parts:
        n = len(count)
        if n:
            columns = {"kind": np.full(n, kind, dtype=np.int8), "a": first, "n": count}
            if second is not None:
                columns["b"] = second
            yield make_batch(columns, RECORDS)


def make_totals(totals: dict[str, int]) -> Records:
    """Figures of whole users as records, to be added up."""
    return DONE, pa.array(list(totals), pa.string()), None, np.array(list(totals.values()))
