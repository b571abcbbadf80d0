"""The program as anybody calls it, and its answers as plain rows and dictionaries.

All that a page is compared with comes through this module, so that what is public stands in one
place: `auditor.read_log`, `auditor.anonymize`, the registries, and the command line.
"""

import contextlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import auditor
from auditor.__main__ import main
from tests.methods.logs import clicks_of, queries_of, transitions_of
from tests.reference.logs import Row

COLUMNS = ("AnonID", "Query", "QueryTime", "ItemRank", "ClickURL")


class Released(NamedTuple):
    """A release: `rows` of a log, or counts of tables; `said` is its statement."""

    rows: list[Row]
    queries: dict[str, int]
    clicks: dict[tuple[str, str], int]
    transitions: dict[tuple[str, str], int]
    said: Any


def write(rows: list[Row], path: Path) -> Path:
    """The log in AOL's form, with addresses and cookies where there are any."""
    addressed = any(row.ip or row.cookie for row in rows)
    lines = [(*COLUMNS, "IP", "Cookie") if addressed else COLUMNS]
    for row in rows:
        moment = datetime.fromtimestamp(row.time, UTC).strftime("%Y-%m-%d %H:%M:%S")
        rank = "" if row.rank is None else str(row.rank)
        line = (row.user, row.query, moment, rank, row.url or "")
        lines.append((*line, row.ip or "", row.cookie or "") if addressed else line)
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


def read(path: Path) -> list[Row]:
    """The rows that the program reads in a file, in its order."""
    return rows_of(auditor.read_log(path))


def rows_of(log: Any) -> list[Row]:
    """The rows of a log that the program holds."""
    table = log.to_pandas()
    columns = zip(
        table["user"], table["query"], table["time"], table["url"], table["rank"], strict=True
    )
    return [
        Row(
            str(user),
            str(query),
            round(time.timestamp()),
            str(url) if isinstance(url, str) else None,
            int(rank) if str(rank).isdigit() else None,
        )
        for user, query, time, url, rank in columns
    ]


def anonymize(rows: list[Row], place: Path, method: str, **params: Any) -> Released:
    """What a method releases of the rows, through a file."""
    log = auditor.read_log(write(rows, place / "log.tsv"))
    return released(auditor.anonymize(log, method, **params))


def released(release: Any) -> Released:
    """A release as rows and dictionaries."""
    tables = release.tables
    if tables is None:
        return Released(rows_of(release.log), {}, {}, {}, release.statement)
    counts = queries_of(tables), clicks_of(tables), transitions_of(tables)
    return Released([], *counts, release.statement)


def call(*words: object) -> tuple[int, Any]:
    """``auditor WORDS --json``: its exit code and its JSON."""
    out, noise = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(noise):
        code = main([*map(str, words), "--json"])
    return code, json.loads(out.getvalue() or "null")


def names(kind: str) -> list[str]:
    """The methods, attacks or measures that are registered."""
    return [str(entry["name"]) for entry in call(kind)[1]]
