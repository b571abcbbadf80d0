"""Writing a log: AOL-shaped rows or Parquet, which `read_log` reads back as the same log.

Rows stand on lines of their own whatever the texts hold: if any text has a tab, a line end or a
quote where it would matter, every field of the file stands in quotes, the header too, which is
how the reader knows. NUL and what isn't Unicode text become U+FFFD. O(bytes).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

import numpy as np

from auditor.log.escaping import INVISIBLE, escape_text
from auditor.log.model import NONE, QueryLog, Vocabulary, format_addresses, iterate_slices
from auditor.log.reading.column_mapping import AOL_NAMES, AOL_ROLES, EXTRA_NAMES
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
        texts = [words.data for words in log.vocabularies.values()]
        quoted = any((data == byte).any() for data in texts for byte in b"\t\n\r")
        names = tsv_heading(
            quoted, ip=log.ip is not None, cookie=log.cookie is not None, attributes=log.attributes
        )
        file.write(("\t".join(names) + "\n").encode())
        for rows in tsv_rows(log, quoted, progress):
            file.write(rows)


def needs_escapes(log: QueryLog) -> bool:
    """Whether any text has a character of `escaping.INVISIBLE`: a release then escapes all."""
    return any(
        re.search(INVISIBLE, "".join(texts.list_strings(range(len(texts))[part])))
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

    words = _escape_texts(log, quoted)
    line_end, between = (pa.scalar(sign, pa.large_string()) for sign in "\n\t")
    for start, stop in progress.blocks("writing the log", len(log), BLOCK):
        part = slice(start, stop)
        columns = _make_columns(log, part, words)
        columns["QueryTime"] = columns["QueryTime"].cast(pa.timestamp("s"))  # names no zone
        if log.ip is not None:
            columns["IP"] = format_addresses(log.ip[part])
        texts = (column.cast(pa.large_string()).fill_null("") for column in columns.values())
        rows = pc.binary_join_element_wise(*texts, between)
        rows = pc.binary_join_element_wise(rows, line_end, pa.scalar("", pa.large_string()))
        _, offsets, data = rows.buffers()
        places = np.frombuffer(offsets, dtype=np.int64)
        yield memoryview(data)[places[rows.offset] : places[rows.offset + len(rows)]]


def _write_parquet(log: QueryLog, file: BinaryIO, progress: Progress) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    words = _escape_texts(log, False)
    schema = pa.table(_make_columns(log, slice(0), words)).schema
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start, stop in progress.blocks("writing the log", len(log), BLOCK * 8):
            writer.write_table(pa.table(_make_columns(log, slice(start, stop), words)))


def _make_columns(log: QueryLog, part: slice, words: Mapping[str, pa.Array]) -> dict[str, pa.Array]:
    """The columns of some rows by their names in a file, null where nothing is."""
    import pyarrow as pa

    columns = {
        role: texts.take(pa.array(log.columns[role][part], mask=log.columns[role][part] == NONE))
        for role, texts in words.items()
    }
    columns["time"] = pa.array(log.time[part]).cast(pa.timestamp("s", "UTC"))
    columns["rank"] = pa.array(log.rank[part], mask=log.rank[part] == NONE)
    if log.ip is not None:
        columns["ip"] = pa.array(log.ip[part], mask=log.ip[part] == 0)
    names = dict(zip(AOL_ROLES, AOL_NAMES, strict=True))
    names |= {role: name for name, role in EXTRA_NAMES.items()}
    order = [role for role in (*names, *log.attributes) if role in columns]
    return {names.get(role, role): columns[role] for role in order}


def _escape_texts(log: QueryLog, quoted: bool) -> dict[str, pa.Array]:
    return {role: _escape_strings(texts, quoted) for role, texts in log.vocabularies.items()}


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
