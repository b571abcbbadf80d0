"""The table of formats: each opened from a file written by hand after its documentation.

``python -m tests.tables formats`` prints it; a known format's file is one of its own tests.
"""

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from auditor.errors import AuditorError
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.log.reading.user_ids import UserColumnUnnamed
from tests.log.reading import test_presets as presets
from tests.log.rows import Row, rows_of, utc

NAME, PAGE, HEADING = "formats", "measurements.md", "<!-- formats -->\n"

WEATHER = utc("2006-03-01 00:00:00")
ROWS: list[Row] = [
    ("7", "weather", WEATHER, None, -1),
    ("7", "news", WEATHER + 1, "http://a.example", 2),
]
AOL = (
    "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
    "7\tweather\t2006-03-01 00:00:00\t\t\n7\tnews\t2006-03-01 00:00:01\t2\thttp://a.example\n"
)
NAMED = AOL.replace("AnonID\tQuery\tQueryTime\tItemRank\tClickURL", "user\tquery\ttime\trank\turl")
EXCITE = "2FE\t970916001949\tweather\n2FE\t970916001954\tnews\n2AB\t970916004954\tjobs\n"
UNNAMED = "event,visit,search,when\n" + "".join(
    f"{row},{row // 3},weather,2006-03-01 00:00:0{row}\n" for row in range(9)
)


@dataclass(frozen=True)
class FormatCase:
    """Files of one format, the rows that they hold, and how the user is found.

    `user` is `format` or `header`, which name the column, or `asked`, where opening must stop;
    `named` are the columns that somebody must name whatever the user is.
    """

    title: str
    files: Mapping[str, bytes]
    wanted: Sequence[Row]
    user: str = "format"
    named: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenedFormat:
    """What came of a case; whoever is a user is told in words."""

    case: FormatCase
    opens: bool
    roles: bool
    unit: str
    unit_right: bool

    @property
    def right(self) -> bool:
        return self.opens and self.roles and self.unit_right

    def line(self) -> str:
        names = ", ".join(f"`{name}`" for name in self.case.files)
        checks = {"opens": self.opens, "roles": self.roles, "user": self.unit_right}
        wrong = ", ".join(f"NOT {name}" for name, good in checks.items() if not good)
        return f"| {self.case.title} | {names} | {wrong or 'right'} | {self.unit} |"


def list_cases() -> list[FormatCase]:
    table = io.BytesIO()
    pd.read_csv(io.StringIO(NAMED), sep="\t", dtype=str).to_parquet(table)
    records = (
        '{"user": "7", "query": "weather", "time": "2006-03-01T00:00:00Z"}\n'
        '{"user": "7", "query": "news", "time": "2006-03-01T00:00:01Z", "rank": 2, '
        '"url": "http://a.example"}\n'
    )
    array = "[" + ",".join(records.splitlines()) + "]"
    excite = [
        (user, query, utc(f"1997-09-16 {clock}"), None, -1)
        for user, query, clock in (
            ("2FE", "weather", "00:19:49"),
            ("2FE", "news", "00:19:54"),
            ("2AB", "jobs", "00:49:54"),
        )
    ]
    ubi = {name: presets.read(name).encode() for name in ("ubi_events.json", "ubi_queries.json")}
    server: list[Row] = [
        ("203.0.113.9", "red shoes", utc("2023-10-10 20:55:36"), None, -1),
        ("ann", "café", utc("2023-10-10 20:56:00"), None, -1),
    ]
    return [
        FormatCase("AOL", {"user-ct-test.txt": AOL.encode()}, ROWS),
        FormatCase("Excite", {"excite.log": EXCITE.encode()}, excite),
        FormatCase("CSV, users named", {"log.csv": _as_csv(NAMED)}, ROWS, "header"),
        FormatCase("CSV, users not named", {"events.csv": UNNAMED.encode()}, [], "asked"),
        FormatCase("Parquet", {"log.parquet": table.getvalue()}, ROWS, "header"),
        FormatCase("JSON lines", {"log.jsonl": records.encode()}, ROWS, "header"),
        FormatCase("a JSON array", {"log.json": array.encode()}, ROWS, "header"),
        FormatCase("OpenSearch UBI", ubi, [
            ("browser-a", "red shoes", utc("2024-05-01 10:00:00"), "p2", 2),
            ("browser-b", "hats", utc("2024-05-01 10:01:00"), None, -1),
        ]),
        FormatCase("web server, combined", {"access.log": presets.read("access.log").encode()},
                   server, named={"query": "q"}),
        *(
            FormatCase(PRESETS[name].title, {file: presets.read(file).encode()}, rows)
            for name, file, rows in presets.CASES
        ),
    ]  # fmt: skip


def _as_csv(text: str) -> bytes:
    return text.replace("\t", ",").encode()


def open_cases() -> Iterator[OpenedFormat]:
    for case in list_cases():
        with tempfile.TemporaryDirectory() as place:
            for name, data in case.files.items():
                Path(place, name).write_bytes(data)
            folder = Path(place)
            yield open_case(case, folder if len(case.files) > 1 else next(folder.iterdir()))


def open_case(case: FormatCase, path: Path) -> OpenedFormat:
    """Open the files at `path` as somebody would who names no more than must be named."""
    options = ReadOptions(columns=case.named)
    try:
        log = read_log(path, options)
    except UserColumnUnnamed as stopped:
        names = ", ".join(f"`{candidate.name}`" for candidate in stopped.candidates)
        fits = case.user == "asked" and bool(stopped.candidates)
        chosen = read_log(path, ReadOptions(columns={"user": stopped.candidates[-1].name}))
        return OpenedFormat(case, fits and len(chosen) > 0, fits, f"asked, among {names}", fits)
    except AuditorError as error:
        return OpenedFormat(case, False, False, str(error), False)
    column = sniff_log(path, options).user
    assert column is not None
    unit = "nobody (aggregated)" if log.origin.aggregated else f"`{column.name}`"
    unit += "" if column.chosen == "format" else f" ({column.chosen})"
    good = not log.origin.rejected and rows_of(log) == list(case.wanted)
    return OpenedFormat(case, True, good, unit, column.chosen == case.user)


def section(opened: list[OpenedFormat]) -> str:
    """The table in Markdown, under its comment."""
    head = [
        "| format | file | read | whom a row protects, by the format or else |",
        "|---|---|---|---|",
    ]
    return HEADING + "\n".join([*head, *(entry.line() for entry in opened)]) + "\n"
