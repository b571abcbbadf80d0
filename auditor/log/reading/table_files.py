"""Tables of spreadsheets and of SQLite and DuckDB files, row by row as lines of CSV in UTF-8.

What reads text with delimiters reads them then: title rows, headers, types and rejected rows are
as there. Databases are opened for reading alone; of SQLite's no view is run.
"""

import csv
import io
import json
import re
import sqlite3
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from auditor.errors import LogFormatError
from auditor.log.sentences import sentence

TABLE_FILES = ("spreadsheet", "sqlite", "duckdb")
"""What `SourcePart.compression` says of a part that is a table of such a file."""
DATABASES = TABLE_FILES[1:]
_ROWS = 1_000
"""Rows that are written at once."""
_OFFICE = b"\xd0\xcf\x11\xe0"
HISTORY = "browser-history"
"""The name of the visits of a browser's database, which are lines of JSON: time and address."""
_HISTORIES = {
    ("urls", "visits", "keyword_search_terms"): """
        SELECT v.visit_time - 11644473600000000 AS time_usec, u.url
        FROM visits v JOIN urls u ON u.id = v.url ORDER BY v.id""",
    ("moz_places", "moz_historyvisits"): """
        SELECT v.visit_date AS time_usec, p.url
        FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id ORDER BY v.id""",
    ("history_items", "history_visits"): """
        SELECT CAST((v.visit_time + 978307200) * 1000000 AS INTEGER) AS time_usec, i.url
        FROM history_visits v JOIN history_items i ON i.id = v.history_item ORDER BY v.id""",
}
"""How Chrome, Firefox and Safari keep visits: the tables, and microseconds since 1970 with the
address of each."""
UNREADABLE = "The tables of the file can't be read: it is damaged, locked, or of another program."


def table_kind(path: Path, head: bytes) -> str:
    """Which file of tables one is that begins with `head`; "" for any other."""
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head.startswith(_OFFICE):
        return "spreadsheet"
    if not head.startswith(b"PK\x03\x04"):
        return ""
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    book = {"xl/workbook.xml", "xl/workbook.bin"} & names
    sheets = {"mimetype", "content.xml", "META-INF/manifest.xml"} <= names
    return "spreadsheet" if book or sheets else ""


def counts_from_1904(path: Path) -> bool:
    """Whether a workbook of Excel's says that its days are counted from 1904."""
    with suppress(OSError, KeyError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        return re.search(rb"date1904=[\"'](1|true)", archive.read("xl/workbook.xml")) is not None
    return False


def list_tables(kind: str, path: Path) -> tuple[list[str], list[str]]:
    """The names of the tables or sheets, and of hidden ones beside them.

    Raises `LogFormatError` if they can't be read.
    """
    with _READERS[kind](path) as tables:
        names, hidden = tables.names(), tables.hidden()
    visible = [name for name in names if name not in hidden]
    return (visible, hidden) if visible else (names, [])


def table_lines(kind: str, path: Path, name: str) -> Generator[bytes]:
    """The rows of a table as CSV, some at once; as JSON where they hold lists or structures."""
    with _READERS[kind](path) as tables:
        rows = iter(tables.rows(name))
        batch = list(islice(rows, _ROWS))
        names = batch[0] if batch else []
        as_json = name == HISTORY or any(isinstance(v, list | dict) for row in batch for v in row)
        batch = batch[as_json:]
        while batch:
            out = io.StringIO()
            if as_json:
                records = (dict(zip(names, row, strict=True)) for row in batch)
                out.writelines(
                    json.dumps(row, default=lambda value: str(_format_cell(value))) + "\n"
                    for row in records
                )
            else:
                cells = (map(_format_cell, row) for row in batch)
                csv.writer(out, lineterminator="\n").writerows(cells)
            yield out.getvalue().encode("utf-8", "surrogateescape")
            batch = list(islice(rows, _ROWS))


def _format_cell(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) < 2**53 else f"{value:.15e}"  # digits that it may not have
    if isinstance(value, datetime | time):
        return "infinity" if value in (datetime.max, datetime.min) else str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return "" if value is None else value


class _Tables(ABC):
    """A file of tables that is open; what goes wrong within is one `LogFormatError`."""

    errors: tuple[type[Exception], ...] = (OSError, ValueError)

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: Any = None
        self._queries: dict[str, str] = {}

    def __enter__(self) -> Any:
        try:
            self._file = self.open()
        except self.errors:
            raise LogFormatError(UNREADABLE, path=self._path) from None
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: object) -> None:
        self._file.close()
        if isinstance(error, self.errors):
            raise LogFormatError(UNREADABLE, path=self._path) from None

    @abstractmethod
    def open(self) -> Any:
        """The library's own object, to be closed; raises one of `errors`."""

    @abstractmethod
    def names(self) -> list[str]:
        """The tables or sheets; of a database `_queries` are known from then on."""

    def hidden(self) -> list[str]:
        """The tables that their program doesn't show."""
        return []

    def rows(self, name: str) -> Iterable[Sequence[Any]]:
        """The names of a table's columns, and its rows."""
        self.names()
        cursor = self._file.execute(self._queries[name])
        yield [column[0] for column in cursor.description]
        while batch := cursor.fetchmany(_ROWS):
            yield from batch

    def _need(self, module: str, extra: str) -> Any:
        """An optional library; raises `LogFormatError` where it isn't installed."""
        from importlib import import_module

        try:
            return import_module(module)
        except ImportError:
            raise LogFormatError(
                sentence("table_files.read_install_pip_install", extra=extra), path=self._path
            ) from None


class _Workbook(_Tables):
    """Sheets of Excel's and LibreOffice's workbooks; a sheet is held in memory."""

    def open(self) -> Any:
        calamine = self._need("python_calamine", "python-calamine")
        self.errors = (calamine.CalamineError, OSError, ValueError)
        return calamine.CalamineWorkbook.from_path(str(self._path))

    def names(self) -> list[str]:
        return list(self._file.sheet_names)

    def hidden(self) -> list[str]:
        sheets = self._file.sheets_metadata
        return [sheet.name for sheet in sheets if not str(sheet.visible).endswith(".Visible")]

    def rows(self, name: str) -> Iterable[Sequence[Any]]:
        return self._file.get_sheet_by_name(name).iter_rows()  # type: ignore[no-any-return]


class _Sqlite(_Tables):
    errors = (sqlite3.Error, OSError)

    def open(self) -> Any:
        # Not as immutable: what stands in the write-ahead log belongs to the tables.
        place = f"file:{quote(str(self._path.absolute()))}?mode=ro"
        file = sqlite3.connect(place, uri=True, check_same_thread=False)
        file.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        return file

    def names(self) -> list[str]:
        cursor = self._file.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND sql NOT LIKE 'create virtual%' ORDER BY name"
        )
        names = [name for (name,) in cursor]
        history = next((sql for key, sql in _HISTORIES.items() if {*key} <= {*names}), "")
        queries = {name: _select_rows(name) for name in names}
        self._queries = {HISTORY: history} if history else queries
        return [*self._queries]


class _DuckDB(_Tables):
    def open(self) -> Any:
        duckdb = self._need("duckdb", "duckdb")
        self.errors = (duckdb.Error, OSError)
        settings = {"enable_external_access": "false"}
        return duckdb.connect(str(self._path), read_only=True, config=settings)

    def names(self) -> list[str]:
        tables = "SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL"
        paths = self._file.execute(tables).fetchall()
        self._queries = {".".join(p).removeprefix("main."): _select_rows(*p) for p in paths}
        return [*self._queries]


def _select_rows(*path: str) -> str:
    quoted = ".".join('"{}"'.format(name.replace('"', '""')) for name in path)
    return f"SELECT * FROM {quoted}"  # noqa: S608


_READERS: Mapping[str, type[_Tables]] = {
    "spreadsheet": _Workbook, "sqlite": _Sqlite, "duckdb": _DuckDB
}  # fmt: skip
