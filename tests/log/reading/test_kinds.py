# ruff: noqa: E501
"""Kinds of files that logs come in, each written anew: read right, asked about, or refused.

A file that is read must give exactly the 80 searches of `SEARCHES`; one that is asked about or
refused must say what is needed. Nothing may be read wrongly without a word.
"""

import csv
import gzip
import io
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.errors import LogFormatError
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import plan_splits, read_split
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.log.reading.reader import ReadOptions, read_log
from tests.log.rows import zipped

START = datetime(2026, 1, 3, 10, 0, tzinfo=UTC)
QUERIES = ("red shoes", "tax form", "radio", "weather berlin", "cheap flights to rome")
Search = tuple[str, str, datetime]
SEARCHES: list[Search] = [
    (f"reader{row % 16:02d}", QUERIES[row % 5], START + timedelta(hours=9 * row))
    for row in range(80)
]
JANUARY, FEBRUARY = SEARCHES[:40], SEARCHES[40:]
NAMES = ("user_id", "query", "timestamp")
Cell = Callable[[Search], Any]
USER: Cell = lambda row: row[0]  # noqa: E731
QUERY: Cell = lambda row: row[1]  # noqa: E731
ISO: Cell = lambda row: row[2].strftime("%Y-%m-%d %H:%M:%S")  # noqa: E731


def moment(form: str) -> Cell:
    """The time of a search by a pattern."""
    return lambda row: row[2].strftime(form)


def seconds(unit: int) -> Cell:
    """The time of a search as a count of 1/`unit` seconds since 1970."""
    return lambda row: int(row[2].timestamp()) * unit


def real_seconds(unit: int) -> Cell:
    """The same as a number with a fraction."""
    return lambda row: f"{int(row[2].timestamp()) * unit}.0"


COLUMNS: dict[str, Cell] = {"user_id": USER, "query": QUERY, "timestamp": ISO}


def table(
    rows: Sequence[Search] = SEARCHES,
    columns: dict[str, Cell] | None = None,
    *,
    order: Sequence[str] | None = None,
    delimiter: str = ",",
    header: bool = True,
    before: str = "",
) -> str:
    """A table in text, as `csv` writes it."""
    columns = columns or COLUMNS
    names = list(order or columns)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if header:
        writer.writerow(names)
    writer.writerows([[columns[name](row) for name in names] for row in rows])
    return before + out.getvalue()


def records(rows: Sequence[Search] = SEARCHES, **more: Cell) -> list[dict[str, Any]]:
    """The searches as JSON objects."""
    columns = COLUMNS | more
    return [{name: cell(row) for name, cell in columns.items()} for row in rows]


def translated(words: dict[str, str]) -> list[Search]:
    """The searches with other queries."""
    return [(user, words.get(query, query), time) for user, query, time in SEARCHES]


ODD = [(user, f'{query}, "now"; über', time) for user, query, time in SEARCHES]


def lines_of(values: Sequence[Any]) -> str:
    """A JSON value a line."""
    return "".join(json.dumps(value) + "\n" for value in values)


def parquet_of(rows: Sequence[Search], order: Sequence[str] = NAMES, **more: Any) -> bytes:
    """The searches as a Parquet file."""
    values = {name: [COLUMNS[name](row) for row in rows] for name in order}
    out = io.BytesIO()
    pq.write_table(pa.table(values | more), out)
    return out.getvalue()


Content = str | bytes


@dataclass(frozen=True)
class Kind:
    """A kind of input: files by name, how they are read, and what must come of it.

    `outcome` is "right", "asked" or "refused"; of the latter two `words` must be in the message.
    `notes` are words that must be in what the log's origin says, `form` is the format that the log
    must be read as, if that is a matter of doubt. `searches` is None where these
    are told from `rejected` alone. Several `files` are read as a
    folder, or one by one if `listed`.
    """

    content: dict[str, Content] | Content
    outcome: str = "right"
    words: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    listed: bool = False
    searches: Sequence[Search] | None = tuple(SEARCHES)
    rejected: dict[str, int] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    form: str = ""
    group: str = ""
    name: str = ""

    @property
    def files(self) -> dict[str, Content]:
        """The files by name; one without is a table."""
        return self.content if isinstance(self.content, dict) else {"log.csv": self.content}

    def write(self, folder: Path) -> Path | list[Path]:
        """Write the files; what `read_log` is given."""
        for name, content in self.files.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        paths = [folder / name for name in self.files]
        return paths if self.listed else paths[0] if len(paths) == 1 else folder


KINDS: list[Kind] = []


def kinds(group: str, table: dict[str, Kind]) -> None:
    """Add rows to the table."""
    KINDS.extend(replace(case, group=group, name=name) for name, case in table.items())


def kind(group: str, name: str, *content: Any, **rest: Any) -> None:
    """Add one row."""
    kinds(group, {name: Kind(*content, **rest)})


def searches_of(log: QueryLog) -> Counter[tuple[str, str, int]]:
    """Who searched for what and when, of a log."""
    return Counter(
        (log.users[u], log.queries[q], t)
        for u, q, t in zip(log.user.tolist(), log.query.tolist(), log.time.tolist(), strict=True)
    )


def expected_of(rows: Sequence[Search]) -> Counter[tuple[str, str, int]]:
    """The same of searches."""
    return Counter((user, query, int(time.timestamp())) for user, query, time in rows)


def check_kind(case: Kind, folder: Path, read: Callable[[Any, ReadOptions], QueryLog]) -> None:
    """Assert that a kind's files come out as the table says."""
    paths, options = case.write(folder), ReadOptions(**case.options)
    if case.outcome != "right":
        with pytest.raises(LogFormatError) as raised:
            read(paths, options)
        text = " ".join((str(raised.value), *map(str, getattr(raised.value, "details", ()))))
        for words in case.words.split(" … "):
            assert words in text, text
        return
    log = read(paths, options)
    if case.searches is not None:
        assert searches_of(log) == expected_of(case.searches)
    assert log.origin.format == (case.form or log.origin.format)
    assert log.origin.rejected == case.rejected
    notes = " ".join(log.origin.notes)
    if log.origin.user_column is not None:
        notes += log.origin.user_column.text
    for words in case.notes:
        assert words in notes, notes
    assert {name.rpartition(":")[2] for name in log.origin.left_out} == case.left_out


# Several files ----------------------------------------------------------------------------------

SWAPPED = ("query", "user_id", "timestamp")
WIDE = COLUMNS | {"country": lambda row: "DE"}
BY_NAME = {"user": "user_id", "query": "query", "time": "timestamp"}
BY_PLACE = {"user": 0, "query": 1, "time": 2}
HEADERLESS: dict[str, Any] = {"notes": ("has no header",)}
UNLIKE: dict[str, Any] = {"outcome": "refused"}
ALL_NAMES = "user_id, query, timestamp"
OTHER_NAMES: dict[str, Cell] = {"uid": USER, "search": QUERY, "ts": ISO}
NO_QUERY: dict[str, Cell] = {"user_id": USER, "page": QUERY, "timestamp": ISO}
TURNED = lines_of([dict(reversed(record.items())) for record in records(FEBRUARY)])
FIRST = table(JANUARY)
DAYS: dict[str, Cell] = COLUMNS | {
    "timestamp": lambda row: f"{row[2].timestamp() / 86_400 + 25_569:.9f}"
}
PAIRS: dict[str, tuple[Content, Content, dict[str, Any]]] = {
    "the same headers": (FIRST, table(FEBRUARY), {}),
    **{
        f"headers in another order ({order[0]} first, {order[1]})": (FIRST, table(FEBRUARY, order=order), {})
        for order in (SWAPPED, ("timestamp", "query", "user_id"), ("timestamp", "user_id", "query"))
    },
    "another order, columns by name": (FIRST, table(FEBRUARY, order=SWAPPED), {"options": {"columns": BY_NAME}}),
    "another order, columns by place": (FIRST, table(FEBRUARY, order=SWAPPED), {"options": {"columns": BY_PLACE}}),
    "one more column": (FIRST, table(FEBRUARY, WIDE), {}),
    "one more column in front": (FIRST, table(FEBRUARY, WIDE, order=("country", *NAMES)), {}),
    "headers in another case": (FIRST, table(FEBRUARY, {name.upper(): cell for name, cell in COLUMNS.items()}), {}),
    "headers in another case and order": (
        FIRST, table(FEBRUARY, {" Query ": QUERY, "User_ID": USER, "Timestamp": ISO}), {},
    ),
    "one column less": (table(JANUARY, WIDE), table(FEBRUARY), {}),
    "another delimiter": (FIRST, table(FEBRUARY, delimiter=";"), {}),
    "another delimiter and order": (FIRST, table(FEBRUARY, delimiter="\t", order=SWAPPED), {}),
    "another encoding": (FIRST, table(FEBRUARY).encode("utf-16"), {}),
    "the second without a header": (FIRST, table(FEBRUARY, header=False), HEADERLESS),
    "the first without a header": (table(JANUARY, header=False), table(FEBRUARY), HEADERLESS),
    "the second without a header and swapped": (
        FIRST, table(FEBRUARY, header=False, order=SWAPPED), UNLIKE | {"words": f"{ALL_NAMES} … columns without names"},
    ),
    "other names": (FIRST, table(FEBRUARY, OTHER_NAMES), UNLIKE | {"words": f"{ALL_NAMES} … uid, search, ts"}),
    "no query in the second": (
        FIRST, table(FEBRUARY, NO_QUERY), UNLIKE | {"words": f"{ALL_NAMES} … user_id, page, timestamp"},
    ),
    "times written in another way": (FIRST, table(FEBRUARY, COLUMNS | {"timestamp": seconds(1)}), {}),
    "a spreadsheet's days, another order": (
        table(JANUARY, DAYS), table(FEBRUARY, DAYS, order=SWAPPED), {}
    ),
    "JSON lines with keys in another order": (lines_of(records(JANUARY)), TURNED, {}),
    "Parquet with columns in another order": (parquet_of(JANUARY), parquet_of(FEBRUARY, SWAPPED), {}),
}  # fmt: skip
for shape in ("folder", "list", "zip"):
    for name, (first, second, rest) in PAIRS.items():
        files: dict[str, Content] = {"a.csv": first, "b.csv": second}
        if shape == "zip":
            files = {"both.zip": zipped(files)}
        if shape != "zip" or "Parquet" not in name:
            kind("several files", f"{name}, {shape}", files, listed=shape == "list", **rest)
AOL_NAMES = ("AnonID", "Query", "QueryTime", "ItemRank", "ClickURL")
AOL: dict[str, Cell] = dict(
    zip(AOL_NAMES, (USER, QUERY, ISO, lambda row: "", lambda row: ""), strict=True)
)


for cut in (2_001, 2_010, 2_030):
    pieces = {"x.aa": table()[:cut], "x.ab": table()[cut:]}
    kind("several files", f"one that was cut at {cut}", pieces, "refused", "pieces of one")
kinds("several files", {
    "AOL's columns in another order beside AOL's": Kind(
        {
                "a.tsv": table(JANUARY, AOL, delimiter="\t"),
                "b.tsv": table(FEBRUARY, AOL, delimiter="\t", order=AOL_NAMES[::-1]),
        },
    ),
    "AOL's columns in another order, named as AOL's format": Kind(
        {"a.tsv": table(SEARCHES, AOL, delimiter="\t", order=AOL_NAMES[::-1])}, options={"format": "aol"},
    ),
    "gzip with headers in another order": Kind(
        {
                "a.csv.gz": gzip.compress(table(JANUARY).encode()),
                "b.csv": table(FEBRUARY, order=SWAPPED),
        },
    ),
    "another table beside the log": Kind(
        {"a.csv": table(), "prices.csv": "item,price,stock\nshoe,3,4\nhat,5,6\n"}, "refused",
        "user_id, query, timestamp",
    ),
    "without line ends at their ends": Kind(
        {"a.csv": table(JANUARY)[:-1], "b.csv": table(FEBRUARY, header=False)[:-1]}, **HEADERLESS,
    ),
})  # fmt: skip
COPIES: dict[str, dict[str, Content]] = {
    "a file": {"a.csv": table(), "b.csv": table()},
    "a packed file": {"a.csv": table(), "b.csv": gzip.compress(table().encode())},
}
for name, files in COPIES.items():
    kind("several files", f"a copy of {name}", files, left_out=frozenset({"b.csv"}))
kinds("containers", {
    "tables end to end": Kind(table(JANUARY) + table(FEBRUARY), rejected={"repeated header": 1}),
    "tables end to end, another order": Kind(
        table(JANUARY) + table(FEBRUARY, order=SWAPPED), "refused", "line 42 … another order",
    ),
})  # fmt: skip

# Ends of lines, of files, and of what was put end to end ------------------------------------------

HEADLESS = table(FEBRUARY, header=False)
MARKED = "\ufeff" + table(JANUARY)
LONG_LOG = JANUARY * 100
kinds("line ends", {
    "of Windows": Kind(table().replace("\n", "\r\n")),
    "of old Macs": Kind(table().replace("\n", "\r")),
    "none behind the last row": Kind(table()[:-1]),
    "without AOL's last tabs": Kind(table(columns=AOL, delimiter="\t").replace("\t\t\n", "\n")),
    "carriage returns behind line feeds": Kind(table(JANUARY) + HEADLESS.replace("\n", "\r")),
    "carriage returns behind line feeds, longer than a line may be": Kind(
        table() + table(LONG_LOG, header=False).replace("\n", "\r"), searches=[*SEARCHES, *LONG_LOG],
    ),
    "carriage returns behind line feeds, JSON": Kind(
        lines_of(records(JANUARY)) + lines_of(records(FEBRUARY)).replace("\n", "\r"),
    ),
    "a carriage return in a query": Kind(
        table(delimiter="\t").replace("radio", "ra\rdio"), searches=translated({"radio": "ra\rdio"}),
    ),
    "two carriage returns each": Kind(table().replace("\n", "\r\r\n")),
    "blank lines between": Kind(table().replace("\n", "\n\n"), rejected={"empty line": 81}),
    "lines of delimiters": Kind(table() + ",,\n" * 50, rejected={"empty line": 50}),
    "a byte order mark in the middle": Kind(MARKED + "\ufeff" + HEADLESS),
    "a byte order mark in the middle and a header": Kind(
        MARKED + "\ufeff" + table(FEBRUARY), rejected={"repeated header": 1},
    ),
    "a byte order mark in the middle, JSON": Kind(
        lines_of(records(JANUARY)) + "\ufeff" + lines_of(records(FEBRUARY)),
    ),
    "a byte order mark in the middle, UTF-16": Kind(
        table(JANUARY).encode("utf-16") + HEADLESS.encode("utf-16"),
    ),
    "a header after every five rows": Kind(
        "".join(table(SEARCHES[row : row + 5]) for row in range(0, 80, 5)), rejected={"repeated header": 15},
    ),
    "an array that nobody closed": Kind(json.dumps(records())[:-1], rejected={"bad JSON": 1}),
    "no row": Kind(table([]), "refused", "0 rows"),
    "no row in Parquet": Kind({"log.parquet": parquet_of([])}, "refused", "0 rows"),
    "no row in AOL's format": Kind(table([], AOL, delimiter="\t"), searches=[], notes=("0 rows",)),
    "AOL's format, cut between columns": Kind(
        {"x.aa": (cut_log := table(columns=AOL, delimiter="\t"))[:-1_002], "x.ab": cut_log[-1_002:]},
        "refused", "pieces of one",
    ),
    "quotes, cut between columns": Kind(
        {"x.aa": (odd_log := table(ODD))[:1_520], "x.ab": odd_log[1_520:]}, "refused", "pieces of one",
    ),
})  # fmt: skip

# Who a user is ----------------------------------------------------------------------------------


def spelled(change: Callable[[str, int], str]) -> dict[str, Cell]:
    """Columns whose ids are spelled in other ways at every other search."""
    return COLUMNS | {"user_id": lambda row: change(row[0], SEARCHES.index(row) // 16)}


def guid_of(user: str) -> UUID:
    """An id as systems make them."""
    return UUID(int=(int(user[6:]) + 5) * 0x1234567890ABCDEF1234567890ABC)


Spelling = Callable[[str, int], str]
ODD_SPELLINGS: dict[str, Spelling] = {
    "case": lambda user, row: user.upper() if row % 2 else user,
    "spaces behind": lambda user, row: user + " " * (row % 2),
    "spaces before": lambda user, row: " " * (row % 3) + user,
    "two spaces within": lambda user, row: f"the{' ' * (1 + row % 2)}{user}",
    "a fraction": lambda user, row: user + (".0" if row % 2 else ""),
    "a sign that nobody sees": lambda user, row: "\u200b" * (row % 2) + user,
    "full width": lambda user, row: (
        user.translate({48 + digit: 0xFF10 + digit for digit in range(10)}) if row % 2 else user
    ),
    "quotes": lambda user, row: ("", "'", '"')[row % 3].join(("", user, "")),
    "braces": lambda user, row: f"{{{user}}}" if row % 2 else user,
    "an address of mail": lambda user, row: "mailto:" * (row % 2) + user,
    "e-mail case": lambda user, row: f"{user.title() if row % 2 else user}@a.example",
}  # fmt: skip
NUMBERED: dict[str, tuple[Spelling, Callable[[str], str]]] = {
    "zeros in front": (lambda user, row: user[6:].zfill(2 + row % 3 * 3), lambda user: str(int(user[6:]))),
    "a plus in front": (lambda user, row: "+" * (row % 2) + "49170" + user[6:], lambda user: f"49170{user[6:]}"),
    "hyphens and braces of GUIDs": (
        lambda user, row: f"{{{guid_of(user)}}}" if row % 2 else guid_of(user).hex,
        lambda user: guid_of(user).hex,
    ),
    "commas in thousands": (lambda user, row: f"12{',' * (row % 2)}3{user[6:]}", lambda user: f"123{user[6:]}"),
    "points in thousands": (lambda user, row: f"12{'.' * (row % 2)}3{user[6:]}", lambda user: f"123{user[6:]}"),
    "apostrophes in millions": (
        lambda user, row: f"3'120'3{user[6:]}".replace("'", "'" * (row % 2)), lambda user: f"31203{user[6:]}",
    ),
    "numbers as floats": (
        lambda user, row: f"{int(user[6:]) + 1}{'.0' if row % 2 else ''}", lambda user: str(int(user[6:]) + 1),
    ),
}  # fmt: skip
NO_SPELLINGS = (
    "1.5", "15", "1,23", "123", "12,34", "1234", "1.234.5", "12345", "7-8", "78", "+7+8", "0x7", "7a", "007a",
    "{7", "g550e840-e29b-41d4-a716-446655440000", "g550e840e29b41d4a716446655440000",
)  # fmt: skip
for name, (change, merged) in (
    {name: (change, str) for name, change in ODD_SPELLINGS.items()} | NUMBERED
).items():
    kind(
        "spellings of one id", name, table(columns=spelled(change)), searches=None,
        notes=("Doubtful", "only in how they are written", "spellings of one id"),
    )  # fmt: skip
    if name not in ("e-mail case", "two spaces within"):
        kind(
            "spellings of one id", f"{name}, merged", table(columns=spelled(change)),
            searches=[(merged(user), *rest) for user, *rest in SEARCHES],
            options={"spellings": "merge"}, notes=("are one user",),
        )  # fmt: skip
    kind(
        "spellings of one id", f"{name}, kept", table(columns=spelled(change)), searches=None,
        options={"spellings": "keep"}, notes=("kept as users",),
    )  # fmt: skip
UNLIKE_IDS = [
    (user, "radio", time) for user, (*_, time) in zip(NO_SPELLINGS * 4, SEARCHES, strict=False)
]
kinds("spellings of one id", {
    "ids that are no spellings of one, merged": Kind(
        table(UNLIKE_IDS), searches=UNLIKE_IDS, options={"spellings": "merge"},
        notes=("the log's header calls it so.",),
    ),
    "none": Kind(table(), notes=("the log's header calls it so.",)),
})  # fmt: skip
NOBODY = (
    "NULL", "null", "-", "\\N", "nan", "None", "anonymous", "guest", "unknown", "(not set)", "N/A",
    "00000000-0000-0000-0000-000000000000", "Googlebot/2.1", "Mozilla/5.0 (X11; Linux x86_64)",
    "undefined", "curl/8.0", "admin",
)  # fmt: skip
SHARED = (
    "Gast", "not logged in", "(direct)", "0000000000000000", "anonymous@a.example", "1.23E+15",
    "d41d8cd98f00b204e9800998ecf8427e", "user_not_set", "#N/A", "127.0.0.1", "splunk-system-user",
    "Anonymer Benutzer", "гость", "匿名", "health-check", "svc_search", "Public Terminal", "visitor",
    "(not provided)", "NaT", "#REF!", "NoUser", "{00000000-0000-0000-0000-000000000000}", "Java/17",
    "not-logged-in", "-1", "deleted", "[object Object]", "kiosk-3", "opac01", "proxy.a.example", "  ",
)  # fmt: skip
for name, numbers, sign in (
    ("0", [0] * 9, True), ("a few 0", [0] * 5, False), ("99999999", [99_999_999] * 9, True),
    ("0 among numbers", [*range(50)] * 9, False), ("9999 among numbers", [*range(9_950, 10_000)] * 9, False),
    ("99999999 among numbers", [*range(8 * 10**7, 8 * 10**7 + 50), *[99_999_999] * 9], True),
):  # fmt: skip
    numbered = [
        (str(number), "radio", START + timedelta(minutes=row)) for row, number in enumerate(numbers)
    ]
    searches = [*SEARCHES, *numbered] if len({*numbers}) == 1 else numbered
    notes = (
        ("Doubtful", "word for nobody", "with 9 of") if sign else ("the log's header calls it so.",)
    )
    kind("shared ids", name, table(searches), searches=searches, notes=notes)
for shared_id in NOBODY + SHARED:
    extra = [(shared_id, f"query {row}", START) for row in range(3)]
    kind(
        "shared ids", shared_id, table([*SEARCHES, *extra]), searches=[*SEARCHES, *extra],
        notes=("Doubtful", "with 3 of 83 rows", *["word for nobody"] * (shared_id in NOBODY)),
    )  # fmt: skip
    if shared_id in ("NULL", "curl/8.0"):
        kind(
            "shared ids", f"{shared_id[:12]}, left out", table([*SEARCHES, *extra]),
            options={"shared_ids": "drop"}, notes=("were left out",),
            rejected={"id that people share": 3},
        )  # fmt: skip
KIOSK = [("kiosk", f"q {row}", START + timedelta(seconds=row)) for row in range(1_200)]
ZERO = [("0", f"q {row}", START + timedelta(hours=row)) for row in range(200)]
kinds("shared ids", {
    "a kiosk": Kind(table([*SEARCHES, *KIOSK]), searches=[*SEARCHES, *KIOSK], notes=("busier than a person",)),
    "0 with very many rows": Kind(table([*SEARCHES, *ZERO]), searches=[*SEARCHES, *ZERO], notes=("word for nobody",)),
    "0 as one of the users": Kind(
        table(columns=COLUMNS | {"user_id": lambda row: int(row[0][6:])}),
        searches=[(str(int(user[6:])), query, time) for user, query, time in SEARCHES],
        notes=("the log's header calls it so.",),
    ),
})  # fmt: skip

# Every byte of a container ----------------------------------------------------------------------

DATE, CLOCK = moment("%Y-%m-%d"), moment("%H:%M:%S")
APPLE = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "
WEB = "".join(
    f'{user} - - [{time:%d/%b/%Y:%H:%M:%S +0000}] "GET /s?q={query.replace(" ", "+")} HTTP/1.1" '
    '200 5 "-" "agent"\n'
    for user, query, time in SEARCHES
)
AGENT_WEB = "".join(
    f'{line[:-8]} "{AGENT}"\n'
    for line, AGENT in zip(WEB.splitlines(), ["Opera", "Safari"] * 40, strict=True)
)
EZPROXY = WEB.replace("GET /s", "GET http://library.example:80/s").replace(' "-" "agent"', "")
ENCODED = {query: query.replace(" ", "+") for query in QUERIES}


def w3c(fields: str, line: Callable[[Search], str]) -> str:
    """A log in W3C's extended format."""
    return f"#Version: 1.0\n#Fields: {fields}\n" + "".join(line(row) + "\n" for row in SEARCHES)


W3C = {
    "IIS": w3c(
        "date time c-ip cs-username cs-method cs-uri-stem cs-uri-query sc-status",
        lambda row: f"{DATE(row)} {CLOCK(row)} 10.0.0.1 {row[0]} GET /s q={ENCODED[row[1]]}&p=1 200",
    ),
    "IIS without names": w3c(
        "date time c-ip cs-username cs-uri-query",
        lambda row: f"{DATE(row)} {CLOCK(row)} {row[0]} - q={ENCODED[row[1]]}",
    ),
    "CloudFront": w3c(
        "date time x-edge-location c-ip cs-uri-stem cs-uri-query cs(User-Agent)",
        lambda row: "\t".join((DATE(row), CLOCK(row), "FRA50", row[0], "/s",
                               f"q={row[1].replace(' ', '%2520')}", "Opera")),
    ),
}  # fmt: skip
for name, written in W3C.items():
    kind(
        "containers", f"W3C's extended format, {name}", written, options={"columns": {"query": "q"}},
        notes=("2 lines hold no search",),
    )  # fmt: skip
    kind("containers", f"W3C's extended format, {name}, no parameter", written, "asked", "q (80)")
NESTED = {
    "user": [{"id": user, "city": {"name": "Bonn"}} for user, *_ in SEARCHES],
    "shown": [["a b", "c"]] * 80,
}
UUIDS = [f"{int(user[6:]):032x}" for user, *_ in SEARCHES]
kinds("containers", {
    "a zip from macOS": Kind(
        {"log.zip": zipped({"log.csv": table(), "__MACOSX/._log.csv": APPLE})},
        left_out=frozenset({"__MACOSX/._log.csv"}),
    ),
    "rows in a folder called __MACOSX": Kind(
        {"log.zip": zipped({"a.csv": table(JANUARY), "__MACOSX/b.csv": table(FEBRUARY)})}, searches=JANUARY,
        left_out=frozenset({"__MACOSX/b.csv"}),
    ),
    "rows in a hidden member": Kind(
        {"log.zip": zipped({"a.csv": table(JANUARY), "x/.b.csv": table(FEBRUARY)})}, searches=JANUARY,
        left_out=frozenset({"x/.b.csv"}),
    ),
    "rows in a member called like a folder": Kind(
        {"log.zip": zipped({"a.csv": table(JANUARY), "b/": table(FEBRUARY)})},
    ),
    "two zips end to end": Kind(
        {"log.zip": zipped({"a.csv": table(JANUARY)}) + zipped({"b.csv": table(FEBRUARY)})}, "refused", "no member's",
    ),
    "two gzips end to end": Kind(
        {"log.gz": gzip.compress(table(JANUARY).encode())
            + gzip.compress(table(FEBRUARY, header=False).encode())},
    ),
    "an empty file in a folder": Kind({"a.csv": table(), "b.csv": b""}, left_out=frozenset({"b.csv"})),
    "a web server's log": Kind(WEB, options={"columns": {"query": "q"}}),
    "a web server's log, an address in latin-1": Kind(
        WEB.replace("radio", "r%E9dio", 1), searches=SEARCHES[:2] + SEARCHES[3:], rejected={"bad UTF-8": 1},
        options={"columns": {"query": "q"}},
    ),
    "a web server's log, wrong parameter": Kind(
        WEB, "refused", "names of columns and parameters", options={"columns": {"query": "x"}},
    ),
    "a web server's log, other pages": Kind(
        WEB + WEB.replace("?q=", "?page="), options={"columns": {"query": "q"}}, notes=("80 lines hold no search",),
    ),
    "a web server's log, address and agent": Kind(
        AGENT_WEB, options={"columns": {"query": "q", "user": "host+agent"}},
        searches=[(f"{user} {('Opera', 'Safari')[row % 2]}", query, time)
            for row, (user, query, time) in enumerate(SEARCHES)],
    ),
    "EZproxy's log": Kind(EZPROXY, options={"columns": {"query": "q"}}),
    "Parquet": Kind({"log.parquet": parquet_of(SEARCHES)}),
    "Parquet with a structure beside": Kind(
        {"log.parquet": parquet_of(SEARCHES, extra=[{"a": 1}] * 80, tags=[["x"]] * 80)},
    ),
    "Parquet with UUIDs": Kind(
        {"log.parquet": parquet_of(SEARCHES, NAMES[1:], user_id=pa.array(map(bytes.fromhex, UUIDS), pa.uuid()))},
        searches=[(str(UUID(text)), *row[1:]) for text, row in zip(UUIDS, SEARCHES, strict=True)],
    ),
    "Parquet with a structure and a list that are kept": Kind(
        {"log.parquet": parquet_of(SEARCHES, NAMES[1:], **NESTED)},
        options={"columns": {"city": "user.city.name", "shown": "shown"}}, notes=("“user.id”",),
    ),
})  # fmt: skip


def arrow_of(*, stream: bool = False) -> bytes:
    """The searches in Arrow's format."""
    columns = pa.table({name: [COLUMNS[name](row) for row in SEARCHES] for name in NAMES})
    out = io.BytesIO()
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(out, columns.schema) as writer:
        writer.write_table(columns)
    return out.getvalue()


def sqlite_of(users: str = "text", **tables: Sequence[Search]) -> bytes:
    """A database of SQLite with tables of searches, and one of prices."""
    with closing(sqlite3.connect(":memory:")) as base:
        for name, rows in tables.items():
            base.execute(f"create table {name} (user_id {users}, query text, timestamp text)")
            values = [[COLUMNS[column](row) for column in NAMES] for row in rows]
            base.executemany(f"insert into {name} values (?, ?, ?)", values)
        base.execute("create table prices (item text, price real, sold integer)")
        base.execute("insert into prices values ('shoe', 3.5, null)")
        return base.serialize()


def duckdb_of(create: str = "create table log as select * from searches") -> bytes:
    """A database of DuckDB with what the SQL makes of a table of the searches."""
    with tempfile.TemporaryDirectory() as folder:
        with duckdb.connect(str(Path(folder, "log"))) as base:
            base.execute("create table searches (user_id text, query text, timestamp timestamp)")
            base.executemany(
                "insert into searches values (?, ?, ?)",
                [[user, query, time.replace(tzinfo=None)] for user, query, time in SEARCHES],
            )
            base.execute(f"{create}; drop table searches")
        return Path(folder, "log").read_bytes()


_CELL = '<c t="inlineStr"><is><t>{}</t></is></c>'
_BOOK = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def workbook_of(properties: str = "", hidden: str = "", **sheets: Sequence[Sequence[str]]) -> bytes:
    """A workbook of Excel's, with cells of text."""
    states = {hidden: ' state="hidden"'}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"{states.get(name, "")}/>'
        for n, name in enumerate(sheets, 1)
    )
    links = "".join(
        f'<Relationship Id="r{n}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    members: dict[str, Content] = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_BOOK}" xmlns:r="{_LINKS}">{properties}<sheets>{listed}'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">{links}'
        "</Relationships>",
    }
    for n, rows in enumerate(sheets.values(), 1):
        cells = ("".join(_CELL.format(escape(cell)) for cell in row) for row in rows)
        data = "".join(f"<row>{row}</row>" for row in cells)
        members[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{_BOOK}"><sheetData>{data}</sheetData></worksheet>'
        )
    return zipped(members)


def cells_of(rows: Sequence[Search]) -> list[list[str]]:
    """The searches as rows of a sheet."""
    return [list(NAMES), *([str(COLUMNS[name](row)) for name in NAMES] for row in rows)]


def sheets_of_calc() -> bytes:
    """The searches as LibreOffice keeps a sheet."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = "".join(
        f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>"
        for row in cells_of(SEARCHES)
    )
    kind_of = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped(
        {
            "mimetype": kind_of,
            "content.xml": f"<office:document-content{spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="Log">{rows}</table:table></office:spreadsheet>'
            "</office:body></office:document-content>",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


TITLED = [["Search report", "", ""], *cells_of(SEARCHES)]
BOOKS: dict[str, tuple[bytes, dict[str, Any]]] = {
    "log.xlsx": (workbook_of(Log=cells_of(SEARCHES)), {}),
    "log.ods": (sheets_of_calc(), {}),
    "months.xlsx": (
        workbook_of(January=cells_of(JANUARY), February=cells_of(FEBRUARY)), {"notes": ("are one log",)},
    ),
    "named.xlsx": (
        workbook_of(January=cells_of(JANUARY), All=cells_of(SEARCHES)), {"options": {"table": "All"}},
    ),
    "hidden.xlsx": (
        workbook_of(Log=cells_of(SEARCHES), Old=cells_of(JANUARY), hidden="Old"),
        {"left_out": frozenset({"Old"})},
    ),
    "shown.xlsx": (
        workbook_of(Log=cells_of(JANUARY), Old=cells_of(SEARCHES), hidden="Old"), {"options": {"table": "Old"}},
    ),
    "titled.xlsx": (workbook_of(Log=TITLED), {"notes": ("above the table",)}),
}  # fmt: skip
for name, (book, expected) in BOOKS.items():
    if find_spec("python_calamine") is None:
        kind("tables", name, {name: book}, "refused", "pip install python-calamine")
    else:
        kind("tables", name, {name: book}, **expected)
kinds("tables", {
    "Arrow's file": Kind({"log.arrow": arrow_of()}),
    "Arrow's stream": Kind({"log.arrows": arrow_of(stream=True)}),
    "Arrow's file beside CSV": Kind({"a.csv": table(), "b.arrow": arrow_of()}, searches=[*SEARCHES, *SEARCHES]),
    "half of Arrow's file": Kind({"log.arrow": arrow_of()[:1500]}, "refused", "damaged"),
    "half of Arrow's stream": Kind({"log.arrows": arrow_of(stream=True)[:700]}, "refused", "damaged"),
    "SQLite": Kind({"log.db": sqlite_of(log=SEARCHES)}, left_out=frozenset({"prices"})),
    "SQLite with odd texts": Kind({"log.db": sqlite_of(log=ODD)}, searches=ODD, left_out=frozenset({"prices"})),
    "SQLite with a copy of the log": Kind(
        {"log.db": sqlite_of(log=SEARCHES, old=SEARCHES)}, "asked", "Several of its tables … log, old … `table`",
    ),
    "SQLite, the table named": Kind({"log.db": sqlite_of(log=SEARCHES, old=JANUARY)}, options={"table": "log"}),
    "SQLite, another table named": Kind(
        {"log.db": sqlite_of(log=SEARCHES)}, "refused", "log, prices", options={"table": "logs"},
    ),
    "SQLite without tables": Kind({"log.db": sqlite_of()}, "asked", ""),
    "half of SQLite": Kind({"log.db": sqlite_of(log=SEARCHES)[:5_000]}, "refused", "damaged"),
    "DuckDB": Kind({"log.duckdb": duckdb_of()}),
    "DuckDB, in a schema": Kind(
        {"log.duckdb": duckdb_of('create schema "a.b"; create table "a.b".log as from searches')},
    ),
    "DuckDB with a structure and a list": Kind(
        {"log.duckdb": duckdb_of("create table log as select {'user_id': user_id} as who, [query] as query, timestamp from searches")},
        options={"columns": {"user": "who.user_id"}},
    ),
    "DuckDB with a time that is infinite": Kind(
        {"log.duckdb": duckdb_of("create table log as from searches union all select 'a', 'b', 'infinity'")},
        rejected={"bad time": 1},
    ),
    "a text document of an office": Kind(
        {"log.docx": zipped({"[Content_Types].xml": "<a/>", "word/document.xml": "<a/>"})}, "refused",
        "Office document",
    ),
})  # fmt: skip

# Times and numbers ------------------------------------------------------------------------------


def timed(cell: Cell) -> str:
    """The table with its times written in another way."""
    return table(columns=COLUMNS | {"timestamp": cell})


for form in (
    "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S.250", "%Y-%m-%d %H:%M:%S,250", "%Y-%m-%d %H:%M:%S+00:00",
    "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%d.%m.%Y, %H:%M", "%d-%b-%Y %H:%M:%S",
    "%d/%b/%Y:%H:%M:%S +0000", "%b %d, %Y %I:%M:%S %p", "%Y%m%d%H%M%S", "%d %b %Y %H:%M:%S",
    "%Y-%m-%d %I:%M:%S %p", "%b %d, %Y @ %H:%M:%S.250", "%d %B %Y, %H:%M", "%Y%m%d %H:%M:%S",
    "%a, %d %b %Y %H:%M:%S GMT", "%a %b %d %H:%M:%S UTC %Y", "%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S",
    "%a %b %d %H:%M:%S +0000 %Y", "%Y-%m-%d-%H.%M.%S.000000", "%Y年%m月%d日 %H:%M:%S", "%-m/%-d/%Y %H:%M",
    "%m/%d/%Y, %I:%M:%S %p", "%m/%d/%Y, %I:%M:%S\u202f%p", "%d.%m.%y %H:%M", "%y/%m/%d %H:%M:%S",
    "%d-%b-%y %I.%M.%S.000000 %p", "%A, %d %B %Y %H:%M:%S", "%a %b %d %Y %H:%M:%S GMT+0000",
    "%d%b%Y:%H:%M:%S", "%Y-%m-%d %H:%M:%S.123456789 +0000 UTC", "%b %d %Y %I:%M%p",
    "%Y-%-m-%-d %-H:%M:%S", " %Y-%m-%d %H:%M:%S  ", " %d.%m.%Y %H:%M ",
):  # fmt: skip
    kind("times", form, timed(moment(form)))
for mark in ("/", "-"):
    for clock in ("%H:%M", "%H:%M:%S", "%I:%M %p"):
        for pattern in ("%d{0}%m{0}%Y {1}", "%m{0}%d{0}%Y {1}", "%d{0}%m{0}%y {1}"):
            form = pattern.format(mark, clock)
            kind("times", f"{form}, by its evidence", timed(moment(form)))
EARLY = [
    (user, query, START.replace(day=1 + row % 12)) for row, (user, query, _) in enumerate(SEARCHES)
]
LATE = [*EARLY * 8, *SEARCHES]
for form in ("%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M"):
    written, late = (
        table(rows, COLUMNS | {"timestamp": moment(form)}) for rows in (EARLY, LATE)
    )  # fmt: skip
    kinds("times", {
        f"{form}, either order": Kind(written, "asked", "%d/%m/%Y %H:%M … %m/%d/%Y %H:%M"),
        f"{form}, as was said": Kind(written, options={"time_format": form}, searches=EARLY),
        f"{form}, shown by the last rows": Kind(late, searches=LATE),
    })  # fmt: skip
YEAR_LONG = [
    (user, query, time + timedelta(days=4 * row))
    for row, (user, query, time) in enumerate(SEARCHES)
]
MONTHS = {
    "German": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "French": "JANVIER FÉVRIER MARS AVRIL MAI JUIN JUILLET AOÛT SEPTEMBRE OCTOBRE NOVEMBRE DÉCEMBRE",
    "short French": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "Spanish": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "short Italian": "gen feb mar apr mag giu lug ago set ott nov dic",
}
for language, months in MONTHS.items():
    for form in ("%d %B %Y", "%d. %B %Y,", "%d-%B-%Y", "%d de %B de %Y"):
        named: list[Any] = [
            (user, query, f"{time:{form.replace('%B', months.split()[time.month - 1])} %H:%M:%S}")
            for user, query, time in YEAR_LONG
        ]
        kind(
            "times", f"{language} months, {form}",
            table(named, COLUMNS | {"timestamp": lambda row: row[2]}, delimiter=";"), searches=YEAR_LONG,
        )  # fmt: skip
for zone, hours in (("UTC", 0), ("Europe/Berlin", 1), ("America/New_York", -5)):
    shifted = [(user, query, time + timedelta(hours=hours)) for user, query, time in SEARCHES]
    moments: dict[str, Content] = {
        "epoch": timed(seconds(1)),
        "ISO": timed(moment("%Y-%m-%dT%H:%M:%SZ")),
        "JSON": lines_of(records(timestamp=seconds(1))),
        "Parquet": parquet_of(SEARCHES, timestamp=[time for *_, time in SEARCHES]),
    }
    for name, content in moments.items():
        kind(
            "time zones", f"{name}, the clock of {zone}", content, searches=shifted,
            options={"time_zone": zone}, notes=() if zone == "UTC" else (f"the clock of {zone}",),
        )  # fmt: skip
    clocks: dict[str, Content] = {
        "times without a zone": table(),
        "a clock's times": parquet_of(SEARCHES, timestamp=[time.replace(tzinfo=None) for *_, time in SEARCHES]),
    }  # fmt: skip
    for name, content in clocks.items():
        kind("time zones", f"{name}, the clock of {zone}", content, options={"time_zone": zone})
MIXED_ZONES: Cell = lambda row: ISO(row) + ("Z" if row[0] == "reader03" else "")  # noqa: E731
kind(
    "time zones", "some with a zone, some without", timed(MIXED_ZONES),
    options={"time_zone": "Asia/Tokyo"}, notes=("5 of 80 rows name a zone",),
    searches=[(user, query, time + timedelta(hours=9 * (user == "reader03")))
              for user, query, time in SEARCHES],
)  # fmt: skip
for mark in ".,":
    written = table(columns=DAYS, delimiter=";").replace(".", mark)
    kind("times", f"a spreadsheet's days with “{mark}”", written, notes=("read as excel",))
SERIALS = [
    list(NAMES),
    *([user, query, f"{time.timestamp() / 86_400 + 24_107:.9f}"] for user, query, time in SEARCHES),
]
if find_spec("python_calamine") is not None:
    kind(
        "times", "days since 1904", {"log.xlsx": workbook_of('<workbookPr date1904="1"/>', Log=SERIALS)},
        notes=("read as excel_1904",),
    )  # fmt: skip
for names in (("date", "time"), ("Day", "Clock")):
    split = {"user_id": USER, "query": QUERY, names[0]: DATE, names[1]: CLOCK}
    made_of = (f"made of “{names[0]}” and “{names[1]}”",)
    kind("times", f"in the columns {' and '.join(names)}", table(columns=split), notes=made_of)
    kind(
        "times", f"in the columns {' and '.join(names)}, JSON",
        lines_of([{name: cell(row) for name, cell in split.items()} for row in SEARCHES]),
        notes=made_of,
    )  # fmt: skip
    kind(
        "times", f"in the columns {' and '.join(names)}, Parquet",
        {"log.parquet": parquet_of(SEARCHES, NAMES[:2], **{
            names[0]: [row[2].date() for row in SEARCHES],
            names[1]: [row[2].time() for row in SEARCHES]})},
        notes=made_of,
    )  # fmt: skip
    kind(
        "times", f"in the columns {' and '.join(names)} of two files",
        {"a.csv": table(JANUARY, split), "b.csv": table(FEBRUARY, split, order=[*split][::-1])},
        notes=made_of,
    )  # fmt: skip
for name, unit in {"seconds": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}.items():
    kind("times", f"epoch in {name}", timed(seconds(unit)))
for written in ("0", "-1", "#", "about:blank"):
    kind(
        "numbers", f"{written} where nothing was clicked",
        table(columns=AOL | {"ClickURL": lambda row, no=written: ("https://a.example", no)[row[2].hour % 2]}, delimiter="\t"),
        notes=("rows without a click",),
    )  # fmt: skip
for unit in (10**3, 10**6):
    kind("times", f"{unit} for a second, with a fraction", timed(real_seconds(unit)))
for written in ("3", "3.0", "3,0", "3.000", "NULL", "-1", "-1.0", " 3 "):
    ranked = AOL | {"ItemRank": lambda row, rank=written: rank}
    kind("numbers", f"rank “{written}”", table(columns=ranked, delimiter="\t"))

for name, moment_as in {
    ".NET's ticks": lambda row: int(row[2].timestamp()) * 10**7 + 621_355_968 * 10**9,
    "Windows' file times": lambda row: int(row[2].timestamp()) * 10**7 + 116_444_736 * 10**9,
    "Apple's seconds since 1904": lambda row: int(row[2].timestamp()) + 2_082_844_800,
    "Apple's seconds since 2001": lambda row: int(row[2].timestamp()) - 978_307_200,
    "digits without seconds": moment("%Y%m%d%H%M"),
    "six times two digits, either end the year": moment("%d%m%y%H%M%S"),
    "digits alone": moment("%Y%m%d"),
    "a day before the month behind the year": moment("%Y-%d-%m %H:%M:%S"),
    "a zone by its name": moment("%Y-%m-%d %H:%M:%S CET"),
}.items():  # fmt: skip
    kind("times", name, timed(moment_as), "asked", "time format")
HALVES: dict[str, Cell] = {"user_id": USER, "query": QUERY, "date": DATE, "time": moment("%I:%M:%S")}  # fmt: skip
kinds("times", {
    "days of a spreadsheet in the second file": Kind(
        {"a.csv": table(JANUARY),
         "b.csv": table(FEBRUARY, DAYS)},
    ),
    "day first, shown by another file": Kind(
        {"a.csv": table(EARLY, COLUMNS | {"timestamp": moment("%d/%m/%Y %H:%M")}),
         "b.csv": timed(moment("%d/%m/%Y %H:%M"))},
        searches=[*EARLY, *SEARCHES],
    ),
    "a spreadsheet's days in Parquet": Kind(
        {"log.parquet": parquet_of(SEARCHES, timestamp=[
            time.timestamp() / 86_400 + 25_569 for _, _, time in SEARCHES])},
        options={"time_format": "excel"},
    ),
    "a date beside how long it took": Kind(
        table(columns={"user_id": USER, "query": QUERY, "date": DATE, "duration": CLOCK}),
        searches=[(*row[:2], row[2].replace(hour=0, minute=0)) for row in SEARCHES],
    ),
    "no time in any row": Kind(timed(lambda row: ""), "refused", "No row has a time"),
    "two digits of the year, all of one day": Kind(
        table([(user, query, START) for user, query, _ in SEARCHES], COLUMNS | {"timestamp": moment("%d.%m.%y %H:%M")}),
        "asked", "time format",
    ),
    "epoch in ns, as was said": Kind(timed(seconds(10**9)), options={"time_format": "epoch_ns"}),
    "epoch with a fraction": Kind(timed(lambda row: f"{row[2].timestamp():.2f}")),
    "epoch with a decimal comma": Kind(
        table(columns=COLUMNS | {"timestamp": lambda row: f"{row[2].timestamp():.2f}".replace(".", ",")},
            delimiter=";"),
    ),
    "AM and PM in a column": Kind(table(columns=HALVES | {"half": moment("%p")})),
    "no AM and PM": Kind(table(columns=HALVES), notes=("half of them are wrong",), searches=None),
})  # fmt: skip
kinds("numbers", {
    "rank no number": Kind(
        table(columns=AOL | {"ItemRank": lambda row: "first"}, delimiter="\t"), "refused", "bad rank",
    ),
    "fractions in Parquet's ids": Kind(
        {"log.parquet": parquet_of(SEARCHES, user_id=[int(row[0][6:]) / 4 for row in SEARCHES])},
        searches=[(f"{int(user[6:]) / 4:.6g}", query, time) for user, query, time in SEARCHES],
    ),
    "fractions in Parquet's ranks": Kind(
        {"log.parquet": parquet_of(SEARCHES, rank=[2.7] * 80)}, "refused", "bad rank",
    ),
})  # fmt: skip

# JSON -------------------------------------------------------------------------------------------

HITS = [{"_index": "log", "_id": str(row), "_source": one} for row, one in enumerate(records())]
RESPONSE = {
    "took": 3,
    "timed_out": False,
    "_shards": {"total": 1},
    "hits": {"total": {"value": 80}, "hits": HITS},
}
SEVERAL_RESPONSES = {
    "responses": [{"took": 1, "hits": {"hits": [hit]}, "status": 200} for hit in HITS]
}
BULK = [line for row, one in enumerate(records()) for line in ({"index": {"_id": str(row)}}, one)]
JSON: dict[str, tuple[Content, str, str]] = {
    "lines": (lines_of(records()), "right", ""),
    "an array": (json.dumps(records()), "right", ""),
    "a pretty array": (json.dumps(records(), indent=2), "right", ""),
    "two arrays": (json.dumps(records(JANUARY)) + "\n" + json.dumps(records(FEBRUARY)), "right", ""),
    "two arrays on a line": (json.dumps(records(JANUARY)) + json.dumps(records(FEBRUARY)), "right", ""),
    "an array and lines": (json.dumps(records(JANUARY)) + "\n" + lines_of(records(FEBRUARY)), "right", ""),
    "objects end to end": ("".join(map(json.dumps, records())), "right", ""),
    "objects with commas": (",\n".join(map(json.dumps, records())), "right", ""),
    "pretty objects": ("\n".join(json.dumps(one, indent=2) for one in records()), "right", ""),
    "a response": (json.dumps(RESPONSE), "right", ""),
    "a pretty response": (json.dumps(RESPONSE, indent=1), "right", ""),
    "a response with aggregations": (json.dumps(RESPONSE | {"aggregations": {"a": [1]}}), "right", ""),
    "two responses": (
        "\n".join(json.dumps({"took": 3, "hits": {"total": {"value": 40}, "hits": some}, "n": {}}, indent=1)
                  for some in (HITS[:40], HITS[40:])), "right", "",
    ),
    "several responses in one": (json.dumps(SEVERAL_RESPONSES), "right", ""),
    "several pretty responses in one": (json.dumps({"took": 3, **SEVERAL_RESPONSES, "n": 1}, indent=1), "right", ""),
    "one list": (json.dumps({"meta": {"page": 1}, "data": records(), "total": 80}), "right", ""),
    "a page of results": (json.dumps({"count": 80, "next": None, "results": records()}), "right", ""),
    "two pages of results": (
        "\n".join(json.dumps({"page": {"n": 1}, "items": some, "facets": [1]}, indent=1)
                  for some in (records(JANUARY), records(FEBRUARY))), "right", "",
    ),
    "OData's values": (json.dumps({"@odata.context": "https://a.example/$m", "value": records()}), "right", ""),
    "a list beside a user": (json.dumps({"customer": "a", "results": records()}), "asked", "results.user_id"),
    "a list of other things": (
        json.dumps({"results": [{"title": row[1], "url": "https://a.example"} for row in SEARCHES]}), "asked", "",
    ),
    "a list beside another": (
        json.dumps({"results": records(), "more": records()}), "refused", "bad JSON",
    ),
    "one pretty list": (json.dumps({"data": records()}, indent=1), "right", ""),
    "a list a line": (lines_of([{"data": [record]} for record in records()]), "asked", "data.user_id"),
    "Solr's response": (
        json.dumps({"responseHeader": {"status": 0}, "response": {"numFound": 80, "docs": records()}}), "right", "",
    ),
    "Solr's fields in lists": (
        json.dumps({"response": {"docs": [{name: [cell] for name, cell in one.items()} for one in records()]}}), "right", "",
    ),
    "fields of hits in lists": (
        json.dumps({"hits": {"hits": [
            {"_index": "log", "fields": {name: [cell] for name, cell in one.items()}} for one in records()]}}), "right", "",
    ),
    "Splunk's results": (lines_of([{"preview": False, "result": one} for one in records()]), "right", ""),
    "a list of two queries": (lines_of([one | {"query": ["a", "b"]} for one in records()]), "refused", "bad JSON"),
    "an array in UTF-16": (json.dumps(records(), indent=1).encode("utf-16"), "right", ""),
    "bulk": (lines_of(BULK), "right", ""),
    "hits a line": (lines_of(HITS), "right", ""),
    "an array and rubbish": (json.dumps(records()) + " and more", "refused", "bad JSON"),
    "an array of lists": (json.dumps([list(one.values()) for one in records()]), "refused", ""),
    "columns": (
        json.dumps({name: [one[name] for one in records()] for name in NAMES}), "refused", "",
    ),
    "columns as pandas writes them": (
        json.dumps({name: {str(row): one[name] for row, one in enumerate(records())} for name in NAMES}), "asked", "",
    ),
    **{
        f"a table of {names} and {rows}": (
            json.dumps({"took": 3, names: fields, rows: [list(one.values()) for one in records()], "n": 1}), "right", "",
        )
        for names, rows, fields in (
            ("columns", "values", [{"name": name, "type": "keyword"} for name in NAMES]),
            ("columns", "data", NAMES), ("schema", "datarows", [{"name": name} for name in NAMES]), ("fields", "rows", NAMES),
        )
    },
    "a table by columns": (
        json.dumps({"columns": [{"name": name} for name in NAMES], "values": [*zip(*(one.values() for one in records()), strict=True)]}),
        "refused", "",
    ),
    "Splunk's fields and results": (
        json.dumps({"preview": False, "messages": [], "fields": [{"name": name} for name in NAMES], "results": records()}), "right", "",
    ),
    "searches in lists by user": (
        json.dumps([
            {"user_id": user, "searches": [{"query": query, "timestamp": f"{time:%F %T}"}]} for user, query, time in SEARCHES]),
        "right", "",
    ),
    "an empty array": ("[]", "refused", ""),
    "scalars": ("[1, 2, 3]", "refused", ""),
}  # fmt: skip
for name, (content, outcome, words) in JSON.items():
    strict = {"options": {"max_rejected_share": 0.0}} if outcome == "refused" else {}
    kind("JSON", name, {"log.json": content}, outcome, words, **strict)
for indent in (None, 1):
    broken = json.dumps(records(), indent=indent).replace("reader11", 'reader"11', 1)
    kind(
        "JSON", f"one bad element, indented {indent}", broken, rejected={"bad JSON": 1},
        searches=SEARCHES[:11] + SEARCHES[12:], options={"max_rejected_share": 0.1},
    )  # fmt: skip


def takeout_of(rows: Sequence[Search]) -> str:
    """Google's file of what somebody did, with a visit before each search."""
    entries = []
    for _, query, time in rows:
        about = {
            "header": "Search",
            "time": f"{time:%Y-%m-%dT%H:%M:%S}.250Z",
            "products": ["Search"],
        }
        entries += [
            about | {"title": "Visited a page", "titleUrl": "https://www.google.com/url?q=x"},
            about | {"title": f"Searched for {query}"}
            | ({"titleUrl": f"https://www.google.com/search?q={query.replace(' ', '+')}"}
               if len(query) % 2 else {}),
        ]  # fmt: skip
    return json.dumps(entries, indent=1)


DONORS = {user: [row for row in SEARCHES if row[0] == user] for user in ("reader00", "reader01")}
kind(
    "JSON", "Google Takeout of two donors",
    {"all.zip": zipped({f"{user}/MyActivity.json": takeout_of(rows) for user, rows in DONORS.items()})},
    searches=[row for rows in DONORS.values() for row in rows],
    notes=("10 lines hold no search", "one person"),
)  # fmt: skip


def page_of(rows: Sequence[Search], label: str, form: str, *months: str) -> str:
    """The same as a page of HTML, its times those of a clock an hour ahead of UTC.

    `months` are what January and February are called, if not as in English.
    """
    cells = [
        f'<div class="outer-cell mdl-cell"><p class="mdl-typography--title">Search<br></p>'
        f'<div class="mdl-typography--body-1">{content}<br>{moment(form)(("", "", time + timedelta(hours=1)))}</div>'
        "</div>"
        for _, query, time in rows
        for content in (
            'Visited&nbsp;<a href="https://www.google.com/url?q=x">a page</a>',
            f'{label}&nbsp;<a href="https://www.google.com/search?q={query.replace(" ", "+")}&amp;hl=x">{query}</a>'
            if len(query) % 2 else f"{label} {query}",
        )
    ]  # fmt: skip
    text = "".join(cells)
    for english, name in zip(("Jan", "Feb"), months, strict=False):
        text = text.replace(english, name)
    return f"<html><style>{' ' * 70_000}</style><body>{text}</body></html>"


FORMS = {
    "English": ("Searched for", "%b %d, %Y, %I:%M:%S\u202f%p CET"),
    "German": ("Gesucht nach:", "%d.%m.%Y, %H:%M:%S MEZ"),
    "French": ("Vous avez recherché", "%d %b %Y, %H:%M:%S CET", "janv.", "févr."),
    "Spanish": ("Has buscado", "%d %b %Y, %H:%M:%S CET", "ene", "feb"),
    "Portuguese": ("Pesquisou", "%d de %b de %Y, %H:%M:%S GMT+01:00", "jan.", "fev."),
}
DONATED = [("MyActivity.html", *row[1:]) for row in SEARCHES]
for language, page_form in FORMS.items():
    kind(
        "donors", f"Google Takeout's page in {language}", {"MyActivity.html": page_of(SEARCHES, *page_form)},
        searches=DONATED, notes=("80 lines hold no search",),
    )  # fmt: skip
PRODUCTS = {"Search": takeout_of(JANUARY), "Image Search": takeout_of(FEBRUARY)}
for activity in ("My Activity", "Mon activité", "Mi actividad"):
    file = activity.replace(" ", "").replace("activité", "Activité").replace("act", "Act")
    kind(
        "donors", f"one Takeout, a folder for each product in {activity}",
        {"anna.zip": zipped({f"Takeout/{activity}/{name}/{file}.json": text for name, text in PRODUCTS.items()})},
        searches=[("anna.zip", *row[1:]) for row in SEARCHES],
    )  # fmt: skip
    kind(
        "donors", f"the folders of two with {activity}",
        {f"{user}/Takeout/{activity}/X/{file}.json": takeout_of(rows) for user, rows in DONORS.items()},
        searches=[row for rows in DONORS.values() for row in rows],
    )  # fmt: skip
ENGINES = (
    "https://www.google.de/search?hl=de&q={}", "https://duckduckgo.com/?q={}&ia=web", "https://search.yahoo.co.jp/search?p={}",
)  # fmt: skip
NO_SEARCH = (
    "https://shop.example/search?q=shoes",
    "https://mail.google.com/mail/?q=x",
    "https://www.google.com/url?q=x",
)
VISITS = [
    (int(time.timestamp() * 10**6), address)
    for row, (_, query, time) in enumerate(SEARCHES)
    for address in (ENGINES[row % 3].format(query.replace(" ", "+")), NO_SEARCH[row % 3])
]


def history_of(visits: str, places: str, since: int, script: str) -> bytes:
    """The database in which a browser keeps `VISITS`."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(script)
        for number, (time, address) in enumerate(VISITS):
            base.execute(f"insert into {places} (id, url) values (?, ?)", (number, address))
            base.execute(f"insert into {visits} values (?, ?, ?)", (number, number, time + since))
        base.commit()
        return base.serialize()


BROWSERS: dict[str, Content] = {
    "Chrome": history_of(
        "visits", "urls", 11_644_473_600_000_000,
        "CREATE TABLE urls (id, url); CREATE TABLE visits (id, url, visit_time);"
        "CREATE TABLE keyword_search_terms (term); CREATE TABLE downloads (id)"),
    "Firefox": history_of(
        "moz_historyvisits", "moz_places", 0,
        "CREATE TABLE moz_places (id, url, title);"
        "CREATE TABLE moz_historyvisits (id, place_id, visit_date); CREATE TABLE moz_bookmarks (id)"),
    "Takeout": json.dumps(
        {"Browser History": [{"url": url, "time_usec": time, "title": "x"} for time, url in VISITS]}, indent=1),
}  # fmt: skip
kinds("donors", {
    "Google Takeout's archives, the same folders in each": Kind(
        {f"{user}.zip": zipped({"Takeout/My Activity/Search/MyActivity.html": page_of(rows, *FORMS["German"])})
            for user, rows in DONORS.items()},
        searches=[(f"{user}.zip", *row[1:]) for user, rows in DONORS.items() for row in rows],
    ),
    "one Takeout in numbered archives": Kind(
        {f"takeout-20260301T101112Z-00{number}.zip": zipped({f"Takeout/My Activity/{name}/MyActivity.json": text})
            for number, (name, text) in enumerate(PRODUCTS.items(), 1)},
        searches=[("takeout-20260301T101112Z", *row[1:]) for row in SEARCHES],
    ),
    "histories in the folders of two": Kind(
        {f"{user}/History": BROWSERS["Chrome"] for user in DONORS},
        searches=[(user, *row[1:]) for row in SEARCHES for user in DONORS],
    ),
})  # fmt: skip
for name, content in BROWSERS.items():
    kind(
        "donors", f"a browser's history: {name}", {"History": content},
        searches=[("History", *row[1:]) for row in SEARCHES], notes=("80 lines hold no search",),
    )  # fmt: skip
MANY = [f"{query} {number}" for query in QUERIES for number in range(12)]
EXPORTS: dict[str, tuple[str, Callable[[int, str], str]]] = {
    "by day": ("date,query,clicks,impressions,ctr,position", lambda n, q: f"2026-01-{n % 9 + 1:02d},{q},{n},{9 * n},0.1,4.5"),
    "by page": ("query,page,country,clicks,impressions", lambda n, q: f"{QUERIES[n % 5]},https://a.example/{n},deu,{n},{9 * n}"),
    "in German": ("Häufigste Suchanfragen,Klicks,Impressionen", lambda n, q: f"{q},{n},{9 * n}"),
}  # fmt: skip
for name, (header, row_of) in EXPORTS.items():
    lines = [header, *(row_of(number, query) for number, query in enumerate(MANY))]
    text = "\n".join(lines) + "\n"
    kind("aggregated", f"Search Console {name}", text, "refused", "aggregated … without users")

# Columns ----------------------------------------------------------------------------------------


def renamed(**columns: Cell) -> str:
    """A table of these columns."""
    return table(columns=columns)


for name in (
    "siteSearchKeyword", "search_term", "Search Term", "user_query", "queryText", "lookfor",
    "Search String", "query_desc", "q", "suchbegriff", "Search Keyword", "query_string",
):  # fmt: skip
    kind("query column", name, renamed(**{"user_id": USER, name: QUERY, "timestamp": ISO}))
for midnight in ("%Y-%m-%d 00:00:00", "%Y-%m-%dT00:00Z"):
    kind(
        "query column", f"a time beside its date as {midnight}",
        renamed(user_id=USER, query=QUERY, time=moment(midnight), datetime=ISO),
    )  # fmt: skip
for name, odd in {"HTML's": "rock &amp; roll", "a database's": r"red\tshoes"}.items():
    kind(
        "query column", f"with {name} escapes",
        table([(user, odd if user == "reader03" else query, time) for user, query, time in SEARCHES]),
        searches=None, notes=("1 of the 6 distinct queries", "written as in web pages"),
    )  # fmt: skip
PRETTY: Cell = moment("%b %d, %Y")
for name in ("value", "label", "what", "sqt"):
    unknown = renamed(**{"user_id": USER, name: QUERY, "timestamp": ISO})
    kind("query column", f"an unknown name: {name}", unknown, "asked", "query")
for name, cell in {
    "numbers": lambda row: row[2].day, "flags": lambda row: row[2].hour % 2 == 0,
    "a few categories": lambda row: ("book", "film")[row[2].day % 2],
}.items():  # fmt: skip
    kind(
        "query column", f"{name} called query", renamed(user_id=USER, query=cell, typed=QUERY, timestamp=ISO),
        "asked", "query",
    )  # fmt: skip
EXPORTED = moment("2026-05-%d 10:%M:%S")
LATER = {"created_at": lambda row: ISO((*row[:2], row[2] + timedelta(seconds=2)))}
SECONDS = seconds(1)
BEYOND = {"created_at": lambda row: "9" * 20 if row == SEARCHES[0] else SECONDS(row)}
kinds("times", {
    "of the search and of the export": Kind(renamed(**COLUMNS, created_at=EXPORTED), "asked", "time"),
    "two a moment apart, and a day": Kind(renamed(date=DATE, **COLUMNS, **LATER)),
    "days of birth": Kind(table(columns={"user_id": USER, "date_of_birth": DATE, "query": QUERY}), "asked", "time"),
    "two, one of them once beyond all dates": Kind(renamed(**COLUMNS | {"timestamp": SECONDS}, **BEYOND)),
    "a count called the time beside the time": Kind(renamed(time=lambda row: row[2].day, **COLUMNS)),
})  # fmt: skip
NO_CLICKS: dict[str, Cell] = {
    "clicked": lambda row: row[2].hour % 2,
    "site": lambda row: "library",
    "url": lambda row: f"https://a.example/search?q={row[1].replace(' ', '+')}&page=1",
    "link": lambda row: "https://a.example/",
}
for name, cell in NO_CLICKS.items():
    kind(
        "query column", f"no click in “{name}”",
        renamed(user_id=USER, query=QUERY, timestamp=ISO, **{name: cell}), notes=(f"left out: {name}",),
    )  # fmt: skip
for name, cell in {
    "an address": lambda row: f"/search?q={row[1].replace(' ', '+')}",
    "parameters": lambda row: f"q={row[1].replace(' ', '+')}&page=1",
    "JSON": lambda row: json.dumps({"q": row[1]}),
}.items():
    holder = renamed(user_id=USER, query=cell, timestamp=ISO)
    kind("query column", f"within {name}", holder, "asked", "query")
kinds("query column", {
    "two columns that may be the time": Kind(
        renamed(user_id=USER, query=QUERY, indexed=moment("2026-02-01 10:%M:%S"), said_at=ISO), "asked", "time",
    ),
    "Matomo's export": Kind(
        renamed(visitorId=USER, serverTimePretty=PRETTY, siteSearchKeyword=QUERY, serverTimestamp=seconds(1)),
    ),
    "an unknown name, named": Kind(
        renamed(user_id=USER, value=QUERY, timestamp=ISO), options={"columns": {"query": "value"}},
    ),
    "two that fit": Kind(
        renamed(user_id=USER, query=QUERY, search_term=lambda row: row[1] + "s", timestamp=ISO), "asked", "query",
    ),
    "a date called query": Kind(renamed(user_id=USER, query=PRETTY, timestamp=ISO), "asked", "query"),
    "a constant called search": Kind(renamed(user_id=USER, search=lambda row: "site", query=QUERY, timestamp=ISO)),
    "a constant called query beside another text": Kind(
        renamed(user_id=USER, query=lambda row: "true", typed=QUERY, timestamp=ISO), "asked", "query",
    ),
    "a constant called query": Kind(
        renamed(user_id=USER, query=lambda row: "site", timestamp=ISO), searches=None, notes=("are the same",),
    ),
    "written as in addresses": Kind(
        renamed(user_id=USER, query=lambda row: row[1].replace(" ", "%20"), timestamp=ISO), searches=None,
        notes=("until they are decoded",),
    ),
    "two columns of users that mean different people": Kind(
        renamed(user=lambda row: "web", user_id=USER, query=QUERY, timestamp=ISO), "asked", "user",
    ),
    "two columns of as many users that mean different people": Kind(
        renamed(user=lambda row: (row[2] - START) // timedelta(hours=45), user_id=USER, query=QUERY, timestamp=ISO),
        "asked", "user",
    ),
    "an id like a time beside an unknown time": Kind(
        renamed(user_id=USER, account=lambda row: 1_767_000_000 + int(row[0][6:]), query=QUERY, seen_at=ISO),
    ),
    "a time of numbers, its name unknown": Kind(
        renamed(user_id=USER, query=QUERY, account=lambda row: 1_767_000_000 + int(row[0][6:])), "asked", "time",
    ),
    "Splunk's export": Kind(renamed(_time=ISO, user=USER, search=QUERY, host=lambda row: "web1")),
})  # fmt: skip
AGGREGATED = {
    "queries and counts": "query,searches\nred shoes,3\nradio,4\nweather,9\n",
    "Search Console's": "Top queries,Clicks,Impressions,CTR,Position\nred shoes,3,40,7.5%,2.1\n"
                        "radio,4,50,8%,1.9\nweather,9,70,12.9%,3\n",
    "Google Analytics'": "# Search terms\n# 20260101-20260131\n\nSearch term,Event count,Total users\n"
                         "red shoes,3,2\nradio,4,4\nweather,9,8\n",
    "Search Console's in French": "Requêtes les plus fréquentes,Clics,Impressions,CTR,Position\nred shoes,3,40,\"7,5 %\",2\nradio,4,50,8 %,1\n",
    "Search Console's in Italian": "Query più frequenti,Clic,Impressioni,CTR,Posizione\nred shoes,3,40,8%,2\nradio,4,50,8%,1\n",
    "Matomo's": "label,nb_visits,nb_hits,exit_rate\nred shoes,3,4,50%\nradio,4,5,8%\n",
    "a workbook's": "Popular searches - March,\nSearch String,Searches\nred shoes,3\nradio,4\n",
    "Primo's": "Search String\tSearches\nred shoes\t1,203\nradio\t4\nweather\t9\n",
}  # fmt: skip
for name, text in AGGREGATED.items():
    kind("aggregated exports", name, text, "refused", "an aggregated export")
CONSOLE = {
    "Chart.csv": "Date,Clicks,Impressions\n2026-01-01,3,40\n2026-01-02,4,50\n",
    "Queries.csv": AGGREGATED["Search Console's"],
}
kinds("aggregated exports", {
    "Search Console's archive": Kind({"a.zip": zipped(CONSOLE)}, "refused", "Queries.csv: This is an aggregated"),
    "as JSON": Kind(
        lines_of([{"query": "red shoes", "count": 3}, {"query": "radio", "count": 4}]), "refused",
        "an aggregated export",
    ),
})  # fmt: skip
DAILY = [(user, query, time.replace(hour=0, minute=0)) for user, query, time in SEARCHES]
COUNTED = table(DAILY, COLUMNS | {"timestamp": DATE, "searches": lambda row: row[2].day})
kinds("aggregated exports", {
    "of each user and day": Kind(COUNTED, "asked", "“searches” seems to say"),
    "of each user and day, as was said": Kind(
        COUNTED, options={"columns": {"number": "searches"}}, searches=DAILY,
    ),
})  # fmt: skip
AGENTS = ("Mozilla/5.0 (X11; Linux)", "Mozilla/5.0 (Windows), like Gecko")
WHO: dict[str, Cell] = {
    "ip": lambda row: f"10.0.0.{row[0][6:]}",
    "agent": lambda row: AGENTS[int(row[0][6:]) % 2],
}
PAIRED = [(f"{WHO['ip'](row)} {WHO['agent'](row)}", *row[1:]) for row in SEARCHES]
WITH_AGENT: dict[str, Cell] = {**WHO, "query": QUERY, "timestamp": ISO}
SEVERAL_COLUMNS: dict[str, Content] = {
    "CSV": table(columns=WITH_AGENT),
    "TSV": table(columns=WITH_AGENT, delimiter="\t"),
    "JSON": lines_of([{name: cell(row) for name, cell in WITH_AGENT.items()} for row in SEARCHES]),
    "Parquet": parquet_of(
        SEARCHES, NAMES[1:], **{name: [cell(row) for row in SEARCHES] for name, cell in WHO.items()}
    ),
}
for name, content in SEVERAL_COLUMNS.items():
    kind(
        "user of several columns", name, {"log": content}, searches=PAIRED,
        options={"columns": {"user": "ip+agent"}}, notes=("“ip+agent”",),
    )  # fmt: skip
kind(
    "user of several columns", "one of them missing", table(columns=WITH_AGENT), "refused",
    "no column called", options={"columns": {"user": "ip+browser"}},
)  # fmt: skip
for column, role in (("user_id", "user"), ("query", "query")):
    header, *rows = table(order=NAMES).splitlines()
    for name, copies, outcome in (("another", rows[::-1], "asked"), ("the same", rows, "right")):
        values = [row.split(",")[NAMES.index(column)] for row in copies]
        if outcome == "asked":
            values = [value[:6] + str(len(value) % 2) for value in values]
        pairs = zip([header, *rows], [column, *values], strict=True)
        kind(
            "columns", f"a second one called {column}, {name}",
            "".join(f"{row},{value}\n" for row, value in pairs),
            outcome, role if outcome == "asked" else "",
        )  # fmt: skip
for least, outcome in ((9_000_000_000_000_000, "right"), (9_107_199_254_740_992, "refused")):
    numbered = [(str(least + int(user[6:])), query, time) for user, query, time in SEARCHES]
    kind(
        "numbers", f"ids as floats from {least}",
        {"log.jsonl": lines_of(records(numbered, user_id=lambda row: float(row[0])))},
        outcome, "" if outcome == "right" else "bad JSON", searches=numbered,
    )  # fmt: skip
    kind(
        "numbers", f"ids as floats in Parquet from {least}",
        {"log.parquet": parquet_of(SEARCHES, NAMES[1:], user_id=[float(row[0]) for row in numbered])},
        outcome, "" if outcome == "right" else "rounded", searches=numbered,
    )  # fmt: skip
FRACTION: Cell = lambda row: int(row[0][6:]) + 0.25  # noqa: E731
FRACTIONS: dict[str, Content] = {
    "log.parquet": parquet_of(SEARCHES, NAMES[1:], user_id=[*map(FRACTION, SEARCHES)]),
    "log.csv": table(columns=COLUMNS | {"user_id": FRACTION}),
}
for name, content in FRACTIONS.items():
    kind(
        "numbers", f"ids with fractions in {name}", {name: content}, searches=None,
        notes=("Doubtful", "fractions"),
    )  # fmt: skip
kind(
    "numbers", "ids that a database has rounded",
    {"log.db": sqlite_of("real", log=[("1234567890" + u[6:] * 4, q, time) for u, q, time in SEARCHES])},
    searches=None, notes=("Doubtful", "16 of its ids are a program's word"), left_out=frozenset({"prices"}),
)  # fmt: skip


# Above the table, and around its fields ---------------------------------------------------------

ABOVE = (
    "# exported\n# by a tool\n", "Search report\n", "Search report\n\n", "\n\n",
    "Search report\nJanuary, all\n", "Search report, all, 2026\n\n", ",Search report,\n",
)  # fmt: skip
UNCLOSED = table().replace(",red", ',"red', 1).replace("rome,", 'rome",', 1)
TWOFOLD = [(f"{user}\n{user}", query, time) for user, query, time in SEARCHES]
PHRASES = [(user, f'{query} "new"', time) for user, query, time in SEARCHES]
for before in ABOVE:
    kind("preambles", repr(before), table(before=before), notes=("above the table",))
for mark in "\x01\x1f~^":
    kind("preambles", f"the delimiter {mark!r}", table(delimiter=mark))
for name, text in {
    "XML": "".join(f'<search user="{user}" time="{time:%F %T}">{query}</search>\n' for user, query, time in SEARCHES),
    "YAML": "".join(f"- user_id: {user}\n  query: {query}\n" for user, query, _ in SEARCHES),
}.items():  # fmt: skip
    kind("preambles", f"no table but {name}", text, "asked", "It is no table")
kind(
    "shared ids", "numbers that a spreadsheet rounded",
    table(columns=COLUMNS | {"user_id": lambda row: f"1234567890123{row[0][-2:]}000"}),
    searches=None, notes=("Doubtful", "spreadsheet"),
)  # fmt: skip
kinds("quotes", {
    "closed some lines further down": Kind(UNCLOSED, searches=None, notes=("swallowed rows",)),
    "two ids in a field": Kind(table(TWOFOLD), searches=TWOFOLD, notes=("ids go over several",)),
    "doubled between tabs": Kind(table(PHRASES, delimiter="\t"), searches=PHRASES),
    "escaped by backslashes": Kind(
        "user_id,query,timestamp\n"
            + "".join(f'{USER(row)},"{QUERY(row)} \\"new\\", x",{ISO(row)}\n' for row in SEARCHES),
        "refused", "check the delimiter and quotes",
    ),
})  # fmt: skip
kinds("preambles", {
    "sep=;": Kind(table(before="sep=;\n", delimiter=";"), notes=("above the table",)),
    "a comment in a headerless table": Kind(
        table(before="# x\n", header=False), options={"columns": {"user": 0, "query": 1, "time": 2}},
        notes=("above",),
    ),
    "ids that begin like comments": Kind(
        table(columns=COLUMNS | {"user_id": lambda row: "#" + row[0]}),
        searches=[("#" + user, query, time) for user, query, time in SEARCHES],
    ),
})  # fmt: skip
COMMAS = [(user, query.replace(" ", ", "), time) for user, query, time in SEARCHES]
QUOTED = "".join(f'"{row}"\n'.replace(",", '", "') for row in table().splitlines())
kinds("blanks", {
    "before all fields": Kind(table().replace(",", ", ")),
    "before all fields, without a header": Kind(
        table(header=False).replace(",", ", "), options={"columns": BY_PLACE},
    ),
    "before delimiters at the same places": Kind(
        "".join("|".join(f"{cell:<22}" for cell in line.split(",")) + "\n" for line in table().splitlines()),
    ),
    "before quotes": Kind(QUOTED),
    "before quotes around commas": Kind(
        QUOTED.replace("red shoes", "red, shoes"), searches=translated({"red shoes": "red, shoes"}),
    ),
    "on both sides": Kind(table().replace(",", " , ")),
    "before commas, behind quotes": Kind(QUOTED.replace('", "', '" ,"')),
    "before commas and line ends, behind some quotes": Kind(
        'user_id,"query" ,timestamp\n'
            + "".join(f'{user},"{query}, ""now"" , x"  ,"{time:%F %T}" \n' for user, query, time in SEARCHES),
        searches=[(user, f'{query}, "now" , x', time) for user, query, time in SEARCHES],
    ),
})  # fmt: skip
EVERYWHERE = [(user, f"{query}, a, b", time) for user, query, time in SEARCHES]
for name, texts in {"commas": COMMAS, "as many commas": EVERYWHERE}.items():
    for mark in ";\t":
        written = table(texts, delimiter=mark)
        kind("preambles", f"{name} in values between {mark!r}", written, searches=texts)
RUSSIAN = translated({"red shoes": "красные туфли", "tax form": "налоговая форма"})
JAPANESE = translated({"red shoes": "赤い靴", "tax form": "税金のフォーム"})
GREEK = translated({"red shoes": "κόκκινα παπούτσια"})
GERMAN = translated({"red shoes": "fußballschuhe größe", "tax form": "köln führer"})
SPANISH = translated({"red shoes": "¿qué tiempo hace mañana?", "radio": "canción de cuna"})
FRENCH = translated({"red shoes": "chaussures été", "radio": "théâtre à paris"})
POLISH = translated({"red shoes": "czerwone buty łódź", "tax form": "zażółć gęślą jaźń"})
LITHUANIAN = translated({"red shoes": "raudoni batai žąsis", "tax form": "šėpa"})
ICELANDIC = translated({"red shoes": "rauðir skór", "tax form": "það er útvarp"})
EURO = translated({"red shoes": "schuhe 50 €", "tax form": "œuvre"})
TURKISH = translated({"red shoes": "kırmızı ayakkabı", "tax form": "vergi formu şişli"})
for searches, encodings, outcome in (
    (RUSSIAN, ("koi8-r", "cp1251", "iso8859-5", "cp866"), "right"),
    (JAPANESE, ("iso2022_jp", "shift_jis"), "right"),
    (JAPANESE, ("euc-jp",), "asked"),
    (GREEK, ("cp1253",), "asked"),
    (POLISH, ("cp1250", "iso8859-2"), "asked"),
    (TURKISH, ("cp1254",), "asked"),
    (LITHUANIAN, ("cp1257",), "asked"),
    (ICELANDIC, ("cp1252",), "asked"),
    (EURO, ("iso8859-15",), "asked"),
):
    for encoding in encodings:
        content = table(searches).encode(encoding)
        kinds("encodings", {
            encoding: Kind(content, outcome, "encoding", searches=searches, notes=("encoding is taken for",)),
            f"{encoding}, named": Kind(content, options={"encoding": encoding}, searches=searches),
        })  # fmt: skip
HUNGARIAN = translated({"red shoes": "női cipő", "tax form": "űrlap"})
CROATIAN = translated({"red shoes": "kuća čaj", "tax form": "Čačić"})
for name, searches, encodings in (
    ("Hungarian", HUNGARIAN, ("cp1250", "iso8859-2")),
    ("Croatian", CROATIAN, ("cp1250",)),
    ("German", GERMAN, ("cp850", "mac_roman")),
    ("French", FRENCH, ("cp850", "mac_roman")),
):
    for encoding in encodings:
        content = table(searches).encode(encoding)
        kind("encodings", f"{encoding} ({name})", content, "asked", "encoding")
TABBED = [
    (user, f"{query}\t{row}" if row % 9 == 4 else query, at)
    for row, (user, query, at) in enumerate(SEARCHES)
]
for form in ("%Y-%m-%d %H:%M:%S", "%b %d, %Y, %I:%M:%S %p"):
    written = table(TABBED, COLUMNS | {"timestamp": moment(form)}, delimiter="\t")
    kind("quotes", f"tabs in a few quoted queries, {form}", written, searches=TABBED)
ONE_UMLAUT = [
    (user, "müller" if row == 7 else query, at) for row, (user, query, at) in enumerate(SEARCHES)
]
for encoding, outcome in (("cp1252", "right"), ("mac_roman", "asked")):
    kind(
        "encodings", f"one row beyond ASCII, {encoding}", table(ONE_UMLAUT).encode(encoding),
        outcome, "encoding", searches=ONE_UMLAUT,
    )  # fmt: skip
kind(
    "encodings", "bytes that the encoding doesn't have", table().encode() + b"u,a\x81b,2026-01-01 10:00:00\n",
    options={"encoding": "cp1252"}, rejected={"bad UTF-8": 1},
)  # fmt: skip
for searches in (GERMAN, FRENCH, SPANISH):
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1"):
        content = table(searches).encode(encoding)
        kind("encodings", f"{encoding} ({searches[0][1]})", content, searches=searches)
for name, no_query in (
    ("dates", moment("%Y-%m-%d")),
    ("numbers", seconds(1)),
    ("addresses", lambda row: "?q=" + row[1].replace(" ", "+")),
    ("pages", lambda row: f"/catalog/{row[2].day}"),
    ("addresses of pages", lambda row: f"https://a.example/{row[2].day}"),
):
    few = {"user_id": USER, "query": no_query, "phrase": QUERY, "timestamp": ISO}
    kind("query", f"few {name} called the query", table(SEARCHES[:20], few), "asked", "the query")
kind(
    "query", "one value called the query", table(SEARCHES[:20], COLUMNS | {"query": lambda _: "find"}),
    searches=[(user, "find", time) for user, _, time in SEARCHES[:20]], notes=("are the same",),
)  # fmt: skip
for part in ("_delta_log/0.json", ".hoodie/hoodie.properties"):
    files = {"a.parquet": parquet_of(JANUARY), part: "{}"}
    kind("folders", f"a table with {part}", files, "refused", "deleted")
LONG = [(user, query + "\nagain" * (user == "reader07"), time) for user, query, time in SEARCHES]
CLOCKED = {"user": USER, "day": DATE, "clock": CLOCK, "query": QUERY}
kind("tables", "queries over two lines beside date and clock", table(LONG, CLOCKED), searches=LONG)
kind(
    "copies", "one export in two formats", {"a.csv": table(), "a.parquet": parquet_of(SEARCHES)},
    searches=SEARCHES * 2, notes=("80 of 160 rows are the same",),
)  # fmt: skip
for before, proxies in (("www.example.org:443 ", ""), ("www.example.org ", ""), ("", ", 10.0.0.1")):
    requests = (
        f'{before}{user}{proxies} - - [{time:%d/%b/%Y:%H:%M:%S +0000}] "GET /?q={query.replace(" ", "+")} HTTP/1.1" 200 9'
        for user, query, time in SEARCHES
    )
    name = f"host between “{before}” and “{proxies}”"
    kind("web", name, "\n".join(requests), options={"columns": {"query": "q"}})


# Rows of searches, results and clicks -------------------------------------------------------------

EVENT_NAMES = ("type", "record_type", "event.action", "activity", "what")
EVENT_WORDS = {
    "English": ("search", "view", "click"), "German": ("Suche", "Anzeige", "Klick"),
    "French": ("recherche", "affichage", "clic"), "Spanish": ("búsqueda", "impresión", "clic"),
    "Dutch": ("zoekopdracht", "impressie", "klik"),
}  # fmt: skip


def events_of(name: str, words: Sequence[str]) -> str:
    """Each search as a row, with a result that it showed and a click on that behind it."""
    cells = [*enumerate(zip(words, ("", "a.example", "a.example"), strict=True))]
    lines = (
        f"{user},{query},{time + timedelta(seconds=second):%F %T},{word},{url}"
        for user, query, time in SEARCHES
        for second, (word, url) in cells
    )
    return "\n".join([f"user_id,query,timestamp,{name},url", *lines])


for name in EVENT_NAMES:
    kind("events", f"called {name}", events_of(name, EVENT_WORDS["English"]), notes=("80 clicks",))
for page, note in {
    "target": "“target” is taken for the page", "thing": "80 rows are clicks on no known page"
}.items():  # fmt: skip
    content = events_of("event", EVENT_WORDS["English"]).replace(",url", f",{page}")
    kind("events", f"on a page called {page}", content, notes=(note,))
for shown in (
    "SERP View", "results page view", "search results viewed", "viewed search results",
    "View Search Results Page", "searchResultsViewed", "search completed", "search_filter_applied",
):  # fmt: skip
    content = events_of("verb", ("search", shown, "click"))
    kind("events", f"{shown} beside search", content, notes=("80 searches", "0 results, and 80"))
    content = events_of("event", (shown, "scroll", "click"))
    rejected = {"event other than a search": 80}
    kind("events", f"{shown} alone", content, notes=("80 searches",), rejected=rejected)
for name, codes in (("event", "QIC"), ("action", "012"), ("t", "QVC")):
    kind("events", f"{name} in codes {codes}", events_of(name, codes), "asked", f"“{name}” says")
for language, spoken in EVENT_WORDS.items():
    content = events_of("event", spoken)
    kind("events", f"in {language}", content, notes=("80 results, and 80 clicks",))
kinds("events", {
    "in codes, as was said": Kind(
        events_of("event", ("Q", "I", "C")), options={"columns": {"kind": "event"}}, searches=None,
        notes=("the log's header calls it so",),
    ),
    "of clicks and unknown words": Kind(
        events_of("event", ("haku", "lista", "klikkaus")), "refused", "no word for a search",
    ),
    "in a file of two": Kind(
        {"a.csv": events_of("event", EVENT_WORDS["English"]), "b.csv": table(FEBRUARY)}, "refused", "Its columns",
    ),
    "a category beside the action": Kind(
        events_of("action", EVENT_WORDS["English"]).replace(",action", ",event_category,action").replace(
            ",search,", ",site search,search,").replace(",view,", ",site search,view,").replace(
            ",click,", ",site search,click,"),
        notes=("80 clicks",),
    ),
    "words like events among others": Kind(
        table(columns=COLUMNS | {"source": lambda row: ("search box", "click on a tag", "voice")[row[2].day % 3]}),
    ),
    "words of events that are addresses": Kind(
        table(columns=COLUMNS | {"page": lambda row: f"/{('search', 'click')[row[2].hour % 2]}"}),
    ),
})  # fmt: skip

# What only looks like a known format ------------------------------------------------------------

STAMP: Cell = moment("%Y-%m-%dT%H:%M:%SZ")
MICROS = seconds(10**6)
PAGE: dict[str, Cell] = {
    "query": QUERY, "timestamp": STAMP, "url": lambda row: "https://a.example", "page": lambda row: 1,
}  # fmt: skip
TAKEN: dict[str, Cell] = {
    "header": lambda row: "Search", "title": lambda row: f"Searched for {row[1]}", "time": STAMP,
    "products": lambda row: ["Search"],
}  # fmt: skip
VISITED = {"url": lambda row: f"https://www.google.com/search?q={row[1]}", "time_usec": MICROS}
TRIPS = {"SessionId": lambda row: f"s{row[2].day}", "Keywords": QUERY, "DateCreated": STAMP}
EVENT: dict[str, Cell] = {
    "event_name": lambda row: "search", "event_timestamp": MICROS, "user_pseudo_id": USER,
    "event_params": lambda row: [{"key": "search_term", "value": {"string_value": None, "int_value": 17}}],
}  # fmt: skip
for name, fields, outcome, words in (
    ("Archive Query Log with a visitor", PAGE | {"visitor_id": USER}, "right", ""),
    ("Archive Query Log with a customer", PAGE | {"customer": USER}, "asked", "customer"),
    ("Archive Query Log with sessions", PAGE | {"session": USER}, "asked", "session"),
    ("Google Takeout of several people", TAKEN | {"user_id": USER}, "asked", "the query"),
    ("browsers' histories of several people", VISITED | {"user_id": USER}, "asked", "the time"),
    ("TripClick with users", TRIPS | {"user_id": USER}, "right", ""),
):
    content = lines_of([{field: cell(row) for field, cell in fields.items()} for row in SEARCHES])
    kind("known formats", f"not {name}", {"log.jsonl": content}, outcome, words)
NUMBERS: Cell = lambda row: SEARCHES.index(row)  # noqa: E731
NOTHING: Cell = lambda row: ""  # noqa: E731
for name, cells, outcome in (
    ("AOL's, but row numbers", [NUMBERS, QUERY, ISO, NOTHING, NOTHING], "asked"),
    ("AOL's, but queries first", [QUERY, USER, ISO, lambda row: "1", lambda row: "https://a.example"], "asked"),
    ("AOL's", [USER, QUERY, ISO, NOTHING, NOTHING], "right"),
    ("AOL's, but pages", [USER, lambda row: f"/page/{row[2].day}", ISO, NOTHING, NOTHING], "asked"),
    ("Excite's, but row numbers", [NUMBERS, moment("%y%m%d%H%M%S"), QUERY], "asked"),
    ("Excite's, but either end the year", [USER, moment("%d%m%y%H%M%S"), QUERY], "asked"),
    ("Excite's", [USER, lambda row: f"97{row[2]:%m%d%H%M%S}", QUERY], "right"),
):  # fmt: skip
    columns = {str(place): cell for place, cell in enumerate(cells)}
    dated = [(user, query, time.replace(year=1997)) for user, query, time in SEARCHES]
    kind(
        "known formats", f"columns like {name}",
        table(columns=columns, header=False, delimiter="\t"), outcome, "",
        searches=dated if len(cells) == 3 else SEARCHES, form="excite" if len(cells) == 3 else "aol",
        notes=("the log's format says so",),
    )  # fmt: skip
kinds("known formats", {
    "GA4's terms of digits": Kind(
        {"log.jsonl": lines_of([{field: cell(row) for field, cell in EVENT.items()} for row in SEARCHES])},
        searches=[(user, "17", time) for user, _, time in SEARCHES],
    ),
    "AOL's, one user": Kind(
        table(columns=AOL | {"AnonID": lambda row: "7"}, delimiter="\t"),
        searches=[("7", *row[1:]) for row in SEARCHES], notes=("the log's format says so", "the same value"),
    ),
})  # fmt: skip


@pytest.mark.parametrize("case", KINDS, ids=lambda case: f"{case.group}: {case.name}")
def test_that_a_kind_is_read_right_asked_about_or_refused(case: Kind, tmp_path: Path) -> None:
    check_kind(case, tmp_path, read_log)


def read_in_pieces(paths: Any, options: ReadOptions) -> QueryLog:
    """The log as the pieces that Spark's machines read, put together."""
    splits = plan_splits(paths, options, size=512)
    rows = [
        (log.users[u], log.queries[q], t)
        for split in splits.pieces
        for log in [read_split(splits, split).log]
        for u, q, t in zip(log.user.tolist(), log.query.tolist(), log.time.tolist(), strict=True)
    ]
    users, queries, times = zip(*rows, strict=True)
    return QueryLog.from_columns(user=users, query=queries, time=times, origin=splits.origin)


SEVERAL = [case for case in KINDS if case.group == "several files"]


@pytest.mark.parametrize(
    "case", [case for case in SEVERAL if not case.listed and "both.zip" not in case.files],
    ids=lambda case: case.name,
)  # fmt: skip
def test_that_pieces_of_several_files_give_the_same(case: Kind, tmp_path: Path) -> None:
    check_kind(case, tmp_path, read_in_pieces)


TREATED = [case for case in KINDS if {"spellings", "shared_ids"} & case.options.keys()]


@pytest.mark.parametrize("case", [*SEVERAL[:8], *TREATED[:4]], ids=lambda case: case.name)
def test_that_working_files_hold_the_same(case: Kind, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    with WorkingFiles(1 << 24, tmp_path) as spill:
        check_kind(
            case, tmp_path / "log", lambda paths, options: read_log(paths, options, spill=spill)
        )
