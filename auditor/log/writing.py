"""Writing a log: AOL-shaped rows or Parquet, which `read_log` reads back as the same log.

Rows stand on lines of their own whatever the texts hold: if any text has a tab, a line end or a
quote where it would matter, every field of the file stands in quotes, the header too, which is
how the reader knows. NUL and what isn't Unicode text become U+FFFD. O(bytes).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

import numpy as np

from auditor.arrays import Int32s
from auditor.log.escaping import escape_text, has_invisible
from auditor.log.model import (
    NONE,
    QueryLog,
    Vocabulary,
    format_addresses,
    format_numbers,
    iterate_slices,
)
from auditor.log.reading.column_mapping import AOL_NAMES
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 65_536
"""Rows written at once."""


def write_log(
    log: QueryLog,
    path: Path | str,
    *,
    format: Literal["tsv", "parquet"] = "tsv",
    progress: Progress | None = None,
) -> None:
    """Write all rows of `log` in their order, replacing `path` if it is there.

    Raises `Cancelled` if `progress` says so; a part of the file is then left for the caller to
    remove; `OSError` if it can't be written.
    """
    progress = progress or silent_progress()
    with Path(path).open("wb") as file:
        if format == "parquet":
            _write_parquet(log, file, progress)
            return
        quoted = any(map(_needs_quotes, log.vocabularies.values()))
        names = tsv_heading(
            quoted, ip=log.ip is not None, cookie=log.cookie is not None, attributes=log.attributes
        )
        file.write(("\t".join(names) + "\n").encode())
        for rows in tsv_rows(log, quoted, progress):
            file.write(rows)


def needs_escapes(log: QueryLog) -> bool:
    """Whether any text has a character of `escaping.INVISIBLE`: a release then escapes all."""
    return any(
        has_invisible("".join(texts.list_strings(range(len(texts))[part])))
        for texts in log.vocabularies.values()
        for part in iterate_slices(len(texts), 1 << 16)
    )


def escape_log(log: QueryLog) -> QueryLog:
    """The log with its texts escaped as those of a release's tables."""
    return log.with_texts(lambda texts: Vocabulary.of(map(escape_text, texts.list_strings())))


def tsv_heading(
    quoted: bool, *, ip: bool, cookie: bool, attributes: Iterable[str] = ()
) -> tuple[str, ...]:
    """The columns' names as they stand in the file."""
    core = [*AOL_NAMES, *(["IP"] if ip else []), *(["Cookie"] if cookie else [])]
    names = [*core, *attributes]
    return tuple(f'"{name}"' if quoted else name for name in names)


def tsv_rows(log: QueryLog, quoted: bool, progress: Progress) -> Iterator[memoryview]:
    """The lines of all rows, a block at a time; `quoted` if any text of the file needs it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = {
        role: _escape_strings(vocabulary, quoted) for role, vocabulary in log.vocabularies.items()
    }
    between = pa.scalar("\t", pa.large_string())
    for start, stop in progress.blocks("writing the log", len(log), BLOCK):
        part = slice(start, stop)
        columns = [
            _take_strings(texts["user"], log.user[part]),
            _take_strings(texts["query"], log.query[part]),
            pa.array(log.time[part]).cast(pa.timestamp("s")).cast(pa.large_string()),
            format_numbers(log.rank[part], NONE),
            _take_strings(texts["url"], log.url[part]),
        ]
        if log.ip is not None:
            columns.append(format_addresses(log.ip[part]).fill_null(""))
        if log.cookie is not None:
            columns.append(_take_strings(texts["cookie"], log.cookie[part]))
        for name, attribute in log.attributes.items():
            columns.append(_take_strings(texts[name], attribute.codes[part]))
        ends = pa.repeat(pa.scalar("\n", pa.large_string()), stop - start)
        empty = pa.scalar("", pa.large_string())
        rows = pc.binary_join_element_wise(*columns, between)
        rows = pc.binary_join_element_wise(rows, ends, empty)
        _, offsets, data = rows.buffers()
        places = np.frombuffer(offsets, dtype=np.int64)
        yield memoryview(data)[places[rows.offset] : places[rows.offset + len(rows)]]


def _write_parquet(log: QueryLog, file: BinaryIO, progress: Progress) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = {
        role: _escape_strings(vocabulary, False) for role, vocabulary in log.vocabularies.items()
    }

    def make_table(part: slice) -> pa.Table:
        texts = {
            role: _take_strings(words[role], log.columns[role][part], missing=None)
            for role in words
        }
        columns = {
            "AnonID": texts.pop("user"),
            "Query": texts.pop("query"),
            "QueryTime": pa.array(log.time[part]).cast(pa.timestamp("s", "UTC")),
            "ItemRank": pa.array(log.rank[part], mask=log.rank[part] == NONE),
            "ClickURL": texts.pop("url"),
        }
        if log.ip is not None:
            columns["IP"] = pa.array(log.ip[part], mask=log.ip[part] == 0)
        if log.cookie is not None:
            columns["Cookie"] = texts.pop("cookie")
        return pa.table(columns | texts)

    schema = make_table(slice(0)).schema
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start, stop in progress.blocks("writing the log", len(log), BLOCK * 8):
            writer.write_table(make_table(slice(start, stop)))


def _needs_quotes(vocabulary: Vocabulary) -> bool:
    """Whether any string holds a tab or a line end."""
    return any(bool((vocabulary.data == byte).any()) for byte in b"\t\n\r")


def _escape_strings(vocabulary: Vocabulary, quoted: bool) -> pa.Array:
    """The strings as they are written, as an Arrow array."""
    import pyarrow as pa
    import pyarrow.compute as pc

    strings = vocabulary.as_arrow()
    try:
        strings.validate(full=True)
        clean = not (vocabulary.data == 0).any()
    except ValueError:  # no UTF-8
        clean = False
    if not clean:
        texts = [text.replace("\0", "\ufffd") for text in vocabulary.list_strings()]
        strings = pa.array(texts, pa.large_string())
    if not quoted:
        return strings
    mark, empty = pa.scalar('"', pa.large_string()), pa.scalar("", pa.large_string())
    doubled = pc.replace_substring(strings, '"', '""')
    return pc.binary_join_element_wise(mark, doubled, mark, empty)


def _take_strings(strings: pa.Array, codes: Int32s, missing: str | None = "") -> pa.Array:
    import pyarrow as pa

    taken = strings.take(pa.array(codes, mask=codes == NONE))
    return taken if missing is None else taken.fill_null(missing)
