"""A release's tables as lines of text, in an order that says nothing of the raw log.

Rows are sorted by their first number, the greatest first, then by their strings as UTF-8: neither
the order of the input nor the order in which codes were given can be read off them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.escaping import escape_text
from auditor.log.model import QueryLog
from auditor.messages import phrase
from auditor.privacy.release import FIGURES, Anonymized, CellFigure, CellTable
from auditor.progress import Progress, silent_progress

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 20_000
"""Rows turned into text at once: some 20 ms, so that cancel is heard."""


def iterate_lines(
    sheet: CellTable, progress: Progress, *, formulas: bool = False
) -> Iterator[bytes]:
    """The file's content in blocks, the heading first; O(n log n) for n rows."""
    import pyarrow.compute as pc

    yield ("\t".join(sheet.heading) + "\n").encode()
    progress.stage(phrase("sorting {file}", file=sheet.file))
    ranks = []  # of no text 0, since that has the code −1
    for key in reversed(sheet.keys):
        rank = pc.rank(key.texts.as_arrow(), tiebreaker="first").to_numpy()
        ranks.append(np.append(rank, np.uint64(0))[key.codes])
    order = np.lexsort((*ranks, *(-figure.values for figure in sheet.figures[:1])))
    writing = phrase("writing {file}", file=sheet.file)
    for start, stop in progress.blocks(writing, len(order), BLOCK):
        part = order[start:stop]
        columns: list[Sequence[str]] = [
            [escape_text(text, formulas=formulas) for text in key.list_texts(part)]
            for key in sheet.keys
        ]
        columns += [figure.list_texts(part) for figure in sheet.figures]
        rows = map("\t".join, zip(*columns, strict=True))
        yield ("\n".join(rows) + "\n").encode("utf-8", "backslashreplace")


def row_lines(heading: Sequence[str], rows: pa.Table) -> bytes:
    """Rows that come with their strings, in the order of the file, as lines of it.

    The columns are those of `heading`: the strings, and behind them the figures.
    """
    columns = [
        CellFigure(name, column.to_numpy()).list_texts()
        if name in FIGURES
        else [escape_text(text) for text in column.to_pylist()]
        for name, column in zip(heading, rows.columns, strict=True)
    ]
    return ("\n".join(map("\t".join, zip(*columns, strict=True))) + "\n").encode(
        "utf-8", "backslashreplace"
    )


def content_digest(release: Anonymized) -> str:
    """SHA-256 of the content as it would be written; equal contents have equal digests."""
    total = hashlib.sha256(b"release content 1")
    if release.tables is not None:
        for sheet in release.tables.list_sheets():
            total.update(f"\0{sheet.file}\0".encode())
            for block in iterate_lines(sheet, silent_progress()):
                total.update(block)
    else:
        total.update(
            release.content.digest.encode() if isinstance(release.content, QueryLog) else b""
        )
    return total.hexdigest()
