"""The rows of a log as people write them."""

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from auditor.log.model import QueryLog

Row = tuple[str, str, int, str | None, int]
"""User, query, seconds, clicked URL, rank."""


AOL_HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"


def utc(text: str) -> int:
    """Seconds since 1970 of a date and time of UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def save(path: Path, content: str | bytes) -> Path:
    """The file with that content; a text in UTF-8."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
    """Columns as a file of the form that its name ends with; JSON leaves out what is missing."""
    frame = pd.DataFrame(columns)
    match path.suffix:
        case ".csv":
            frame.to_csv(path, index=False)
        case ".jsonl":
            rows = (zip(columns, row, strict=True) for row in zip(*columns.values(), strict=True))
            records = ({name: value for name, value in row if value is not None} for row in rows)
            path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        case ".parquet":
            frame.to_parquet(path)
        case ".arrow":
            frame.to_feather(path, compression="uncompressed")
    return path


def rows_of(log: QueryLog) -> list[Row]:
    """Each row of a log, in its order."""
    return [
        (log.users[u], log.queries[q], int(t), log.urls[c] if c >= 0 else None, int(r))
        for u, q, t, c, r in zip(log.user, log.query, log.time, log.url, log.rank, strict=True)
    ]
