"""Tables of queries without users: to mark content, one column is enough.

A log has users, and the reader asks for them. Where neither its format nor anybody names them, the
column that the reader takes for the queries is read alone: of text with delimiters, of JSON (lines
or an array), or of Parquet. Rows that can't be read are counted.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from auditor.errors import LogFormatError
from auditor.log.reading.column_mapping import ReadOptions, SniffedLog, role_of
from auditor.log.reading.presets.base import at_path, json_object
from auditor.log.reading.presets.json_array import HeldBytes, JsonArrayStream, is_array
from auditor.log.reading.reader import sniff_log
from auditor.log.reading.sources import SourceLimits, SourcePart, SourceStream, find_parts
from auditor.log.reading.structured import open_parquet
from auditor.log.reading.user_candidates import QUESTION
from auditor.log.sentences import sentence
from auditor.messages import phrase

MOST_BYTES = 1 << 30
"""Bytes of one file, unpacked."""
PACKED = frozenset({".gz", ".bz2", ".xz", ".zst", ".zip"})
_CHUNK = 1 << 20
_BATCH = 1 << 16
_READ = ("delimited", "jsonl", "parquet")
BAD_TEXT, NO_QUERY, BAD_ROW = "bad UTF-8 or NUL", "no query", "bad row"


class QueryColumn(NamedTuple):
    """Distinct queries of a column, its name if it has one, and rows left out by reason."""

    name: str
    queries: list[str]
    rejected: dict[str, int]


def read_query_column(path: Path, options: ReadOptions, most_rejected: float) -> QueryColumn | None:
    """The queries of a table whose users nobody named; None where it is a log with users.

    Raises
    ------
    LogFormatError
        No column can be taken for the queries, there are several files, or too many rows are bad.
    """
    if not path.is_file() or "user" in options.columns:
        return None
    seen = sniff_log([path], options)
    if QUESTION not in seen.problems or seen.format not in _READ:
        return None
    limits = SourceLimits(options.max_expanded_bytes, options.max_expansion_ratio)
    parts = find_parts(path, limits).parts
    if len(parts) > 1:
        raise LogFormatError(
            phrase("It holds {files:,} files. Unpack it and name one of them.", files=len(parts)),
            path=path,
        )
    (part,) = parts
    if path.suffix.lower() in PACKED and part.compression == "none":
        return None  # the reader says what is wrong with it
    data = b"" if seen.format == "parquet" else _read_all(part, limits)
    if (strings := _parse_strings(data)) is not None:
        return _collect_queries(iter(strings), "", path, most_rejected)
    place = _choose_column(seen, path)
    name = seen.column_names[place]
    if seen.format == "parquet":
        values = _iterate_parquet(part, name, options)
    else:
        read = _iterate_objects if seen.format == "jsonl" else _iterate_rows
        values = read(data, seen, place)
    return _collect_queries(values, name, path, most_rejected)


def _choose_column(seen: SniffedLog, path: Path) -> int:
    """The place of the queries' column, as the reader or its name tells."""
    names = seen.column_names
    chosen = seen.options.columns.get("query")
    if isinstance(chosen, int):
        return chosen
    if chosen in names:
        return names.index(chosen)
    named = [
        place for place, name in enumerate(names) if role_of(name.rpartition(".")[2]) == "query"
    ]
    if len(names) == 1 or len(named) == 1:
        return named[0] if named else 0
    raise LogFormatError(
        "Which column holds the queries? Name it by --columns query=COLUMN; a column without a "
        "name is called by its number, counted from 0.",
        path=path,
    )


def _read_all(part: SourcePart, limits: SourceLimits) -> bytes:
    pieces, size = [], 0
    with SourceStream(part, limits) as stream:
        while piece := stream.read(_CHUNK):
            size += len(piece)
            if size > MOST_BYTES:
                raise part.make_error("Unpacked, it holds more than 1 GiB.")
            pieces.append(piece)
    return b"".join(pieces)


def _parse_strings(data: bytes) -> list[str] | None:
    """The strings of an array of JSON that holds nothing else; None for anything else."""
    if not data.lstrip().startswith(b"["):
        return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    strings = isinstance(found, list) and all(isinstance(one, str) for one in found)
    return found if strings else None


def _iterate_rows(data: bytes, seen: SniffedLog, place: int) -> Iterator[str | None]:
    """The column of text with delimiters; None for a row that has no such field."""
    encoding = seen.options.encoding or "utf-8"
    encoding = "utf-8-sig" if encoding == "utf-8" else encoding
    text = io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace", newline="")
    delimiter = seen.options.delimiter or ","
    rows = csv.reader(text, delimiter=delimiter)
    if seen.options.quoting is False:
        rows = csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    first = True
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:  # a field beyond all bounds
            yield None
            continue
        if not row:
            continue
        value = row[place] if place < len(row) else None
        header = seen.options.header or (value is not None and role_of(value) == "query")
        if not (first and header):
            yield value
        first = False


def _iterate_objects(data: bytes, seen: SniffedLog, place: int) -> Iterator[str | None]:
    """What stands under the column's name in each object of JSON; None for what is no object."""
    name = seen.column_names[place]
    if is_array(data):
        stream, lines = JsonArrayStream(HeldBytes(data)), bytearray()
        view = memoryview(bytearray(_CHUNK))
        while got := stream.readinto(view):
            lines += view[:got]
        data = bytes(lines)
    for line in data.split(b"\n"):
        if line.strip():
            found = json_object(line.decode("utf-8", "replace"))
            value = None if found is None else at_path(found, name)
            yield None if value is None else str(value)


def _iterate_parquet(part: SourcePart, name: str, options: ReadOptions) -> Iterator[str | None]:
    import pyarrow as pa

    file = open_parquet(part, None, options)
    try:
        for batch in file.iter_batches(batch_size=_BATCH, columns=[name]):
            for value in batch.column(0).to_pylist():
                yield None if value is None else str(value)
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        raise part.make_error("The Parquet file is damaged or cut short.") from None
    finally:
        file.close(force=True)


def _collect_queries(
    values: Iterator[str | None], name: str, path: Path, most: float
) -> QueryColumn:
    queries, rejected, rows = dict[str, None](), Counter[str](), 0
    for value in values:
        rows += 1
        if value is None:
            rejected[BAD_ROW] += 1
        elif "\0" in value or "\ufffd" in value:
            rejected[BAD_TEXT] += 1
        elif text := value.strip():
            queries[text] = None
        else:
            rejected[NO_QUERY] += 1
    bad = sum(rejected.values()) - rejected[NO_QUERY]
    if bad > most * rows:
        raise LogFormatError(
            sentence("detect.rows_unreadable", bad=bad, rows=rows, name=name), path=path
        )
    if not queries:
        raise LogFormatError("Holds no query: every row is blank.", path=path)
    return QueryColumn(name, list(queries), dict(rejected))
