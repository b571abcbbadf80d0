"""Logs of plain lines: web servers, Sogou, Yandex, ORCAS and Bing's sets of queries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from auditor.log.reading.presets.base import LogPreset, Record, RecordFunction
from auditor.log.reading.presets.json_presets import NO_USERS

QUERY_PARAMETERS = (
    "q", "query", "search", "s", "text", "keyword", "keywords", "term", "p", "wd", "search_query",
)  # fmt: skip
"""Usual names of the parameter that holds a query, for the order of suggestions."""
_COMBINED = re.compile(
    r"(?P<host>\S+) \S+ (?P<who>\S+) \[(?P<time>[^\]]{20,40})\] "
    r'"(?P<verb>[A-Z]+) (?P<target>\S+)[^"]*" (?P<status>\d{3}) \S+'
    r'(?: "[^"]*" "(?P<agent>[^"]*)")?.*'
)
_DATE_FREE = datetime(2008, 6, 1, tzinfo=UTC)
"""The month of Sogou's first logs, whose lines have times of day alone, or none."""


def _detect_lines(pattern: re.Pattern[str], least: float = 0.8) -> Callable[[Sequence[str]], bool]:
    """The `detect` of a format of whose first lines that aren't empty a share fits a pattern."""

    def detect(lines: Sequence[str]) -> bool:
        some = [line for line in lines[:200] if line.strip()]
        fits = sum(pattern.fullmatch(line) is not None for line in some)
        return bool(some) and fits / len(some) >= least

    return detect


# Web servers: Apache's and nginx's combined format


def _rank_parameters(lines: Sequence[str]) -> list[tuple[str, int]]:
    """Parameters of the addresses, with how often each stands there, the likeliest first."""
    rows = (_COMBINED.fullmatch(line) for line in lines)
    return _rank_pairs(_parse_pairs(urlsplit_query(row["target"])) for row in rows if row)


def _rank_pairs(found: Iterable[Sequence[tuple[str, str]]]) -> list[tuple[str, int]]:
    counts = Counter(name for pairs in found for name in {name for name, _ in pairs})
    usual = {name: place for place, name in enumerate(QUERY_PARAMETERS)}
    return sorted(counts.items(), key=lambda one: (usual.get(one[0].lower(), 99), -one[1]))


def urlsplit_query(target: str) -> str:
    """What stands behind the question mark of an address; nothing of one that is none."""
    try:
        return urlsplit(target).query
    except ValueError:
        return ""


def _parse_pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, max_num_fields=200, errors="replace")
    except ValueError:
        return []


def _find_parameter(query: str, name: str) -> str | None:
    """The first value that an address gives a parameter."""
    return next((value for key, value in _parse_pairs(query) if key == name), None)


def _combined_record(columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    wanted, whom = str(columns.get("query", "")), _split_user(columns)

    def read(line: str) -> list[Record] | None:
        found = _COMBINED.fullmatch(line)
        if found is None:
            return None
        query = _find_parameter(urlsplit_query(found["target"]), wanted)
        if query is None or found["verb"] not in ("GET", "POST"):
            return []
        try:
            time = datetime.strptime(found["time"], "%d/%b/%Y:%H:%M:%S %z")
        except ValueError:
            return None
        who = found["who"] if found["who"] != "-" else found["host"]
        who = _join_fields(found.groupdict(""), whom) or who
        return [{"user": who, "query": query, "time": str(int(time.timestamp()))}]

    return read


def _split_user(columns: Mapping[str, str | int]) -> list[str]:
    """The fields that somebody named as the user, with a + between."""
    return [name.strip() for name in str(columns.get("user", "")).split("+") if name.strip()]


def _join_fields(fields: Mapping[str, str], names: Sequence[str]) -> str:
    return " ".join(fields.get(name, "") for name in names).strip()


# W3C's extended format: IIS, and CloudFront, which writes tabs and encodes addresses twice


def _is_w3c(lines: Sequence[str]) -> bool:
    fields = next((line for line in lines[:20] if line.startswith("#Fields:")), "").split()
    return {"date", "time", "cs-uri-query"} <= set(fields)


def _parse_w3c(line: str, names: list[str]) -> dict[str, str] | None:
    """The fields of a line by `names`, which a comment changes; None if there are others."""
    if line.startswith("#"):
        if line.startswith("#Fields:"):
            names[:] = line.split()[1:]
        return {}
    fields = line.split("\t" if "\t" in line else " ")
    if len(fields) != len(names):
        return None
    row = dict(zip(names, fields, strict=True))
    return {n: unquote(v) for n, v in row.items()} if "x-edge-location" in row else row


def _rank_w3c_parameters(lines: Sequence[str]) -> list[tuple[str, int]]:
    names: list[str] = []
    rows = [_parse_w3c(line, names) for line in lines]
    return _rank_pairs(_parse_pairs(row["cs-uri-query"]) for row in rows if row)


def _make_w3c_reader(columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    wanted, whom = str(columns.get("query", "")), _split_user(columns)
    fields: list[str] = []

    def read(line: str) -> list[Record] | None:
        row = _parse_w3c(line, fields)
        if not row:
            return None if row is None else []
        query = _find_parameter(row["cs-uri-query"], wanted)
        if query is None:
            return []
        try:
            time = datetime.fromisoformat(f"{row['date']}T{row['time']}+00:00")
        except ValueError:
            return None
        names = ("cs-username", "c-ip")
        who = next((row[name] for name in names if row.get(name, "-") != "-"), "")
        who = _join_fields(row, whom) or who
        return [{"user": who, "query": query, "time": str(int(time.timestamp()))}]

    return read


# Sogou


_SOGOU = re.compile(
    r"((\d\d:\d\d:\d\d\t)?\w+\t\[.*\]\t\d+ \d+\t\S*|\d{14}\t\w+\t[^\t]*\t\d+\t\d+\t\S*)"
)


def _make_sogou_reader(_columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    def read(line: str) -> list[Record] | None:
        fields = line.split("\t")
        try:
            if len(fields) == 6:
                time = datetime.strptime(fields[0], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
                user, query, rank, _, url = fields[1:]
            else:
                written = fields.pop(0) if len(fields) == 5 else "00:00:00"
                clock = datetime.strptime(written, "%H:%M:%S")
                time = _DATE_FREE.replace(hour=clock.hour, minute=clock.minute, second=clock.second)
                user, query, place, url = fields
                rank = place.split(" ")[0]
        except ValueError:
            return None
        query = query.removeprefix("[").removesuffix("]")
        seconds = str(int(time.timestamp()))
        return [{"user": user, "query": query, "time": seconds, "rank": rank, "url": url}]

    return read


# Yandex: the Personalized Web Search Challenge


_YANDEX = re.compile(
    r"\d+\tM\t\d+\t\d+"
    r"|\d+\t\d+\t[QT]\t\d+\t\d+\t[\d,]*(\t\d+,\d+)*"
    r"|\d+\t\d+\tC\t\d+\t\d+"
)


def _is_yandex(lines: Sequence[str]) -> bool:
    return "\tM\t" in (lines[0] if lines else "") and _detect_lines(_YANDEX, 0.9)(lines)


def _make_yandex_reader(_columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    session = user = ""
    day = 0
    pages: dict[str, tuple[Record, list[str]]] = {}

    def read(line: str) -> list[Record] | None:
        nonlocal session, user, day
        fields = line.split("\t")
        try:
            if fields[1] == "M":
                session, day, user = fields[0], int(fields[2]), fields[3]
                pages.clear()
                return []
            if fields[0] != session:
                return None
            if fields[2] == "C":
                record, shown = pages[fields[3]]
                rank = {"rank": str(shown.index(fields[4]) + 1)} if fields[4] in shown else {}
                return [record | {"url": fields[4]} | rank]
            record = {
                "user": user,
                "query": fields[5].replace(",", " "),
                "time": str(86_400 * day + int(fields[1])),
            }
            pages[fields[3]] = record, [pair.partition(",")[0] for pair in fields[6:]]
        except (ValueError, IndexError, KeyError):
            return None
        return [record]

    return read


# Sets without users: ORCAS, and Bing's queries


_ORCAS = re.compile(r"\d+\t[^\t]*\tD\d+\thttps?://\S*")


def _make_orcas_reader(_columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    number = iter(range(1, 1 << 62))

    def read(line: str) -> list[Record] | None:
        fields = line.split("\t")
        if len(fields) != 4:
            return None
        return [{"user": str(next(number)), "query": fields[1], "time": "0", "url": fields[3]}]

    return read


def _is_bing(lines: Sequence[str]) -> bool:
    names = [name.strip().lower() for name in lines[0].split("\t")] if lines else []
    return {"query", "isimplicitintent", "popularityscore"} <= set(names)


def _bing_record(_columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    number = iter(range(1, 1 << 62))
    places: dict[str, int] = {}

    def read(line: str) -> list[Record] | None:
        fields = line.split("\t")
        if not places or "IsImplicitIntent" in fields:
            places.update({name.strip().lower(): at for at, name in enumerate(fields)})
            return []
        try:
            day = datetime.fromisoformat(fields[places["date"]]).replace(tzinfo=UTC)
            query = fields[places["query"]]
        except (ValueError, IndexError, KeyError):
            return None
        return [{"user": str(next(number)), "query": query, "time": str(int(day.timestamp()))}]

    return read


PRESETS = (
    LogPreset(
        "web-server",
        "Web server (combined log format)",
        "https://httpd.apache.org/docs/current/logs.html#combined",
        "remote user, or host",
        _detect_lines(_COMBINED),
        _combined_record,
        lines=True,
        doubts=("an address may be a household or a company, and changes",),
        parameters=_rank_parameters,
    ),
    LogPreset(
        "w3c",
        "W3C extended log format (IIS, CloudFront)",
        "https://www.w3.org/TR/WD-logfile.html",
        "cs-username, or c-ip",
        _is_w3c,
        _make_w3c_reader,
        lines=True,
        doubts=("an address may be a household or a company, and changes",),
        ordered=True,
        parameters=_rank_w3c_parameters,
    ),
    LogPreset(
        "sogou",
        "Sogou (SogouQ)",
        "https://link.springer.com/chapter/10.1007/978-981-15-5554-1_10",
        "user ID",
        _detect_lines(_SOGOU),
        _make_sogou_reader,
        lines=True,
        zoned=False,
        notes=(
            "lines with a time of day alone are put on 1 June 2008, those without any at its start",
        ),
        encoding="gb18030",
    ),
    LogPreset(
        "yandex",
        "Yandex (Personalized Web Search Challenge)",
        "https://www.kaggle.com/c/yandex-personalized-web-search-challenge/data",
        "USERID",
        _is_yandex,
        _make_yandex_reader,
        lines=True,
        zoned=False,
        notes=("days are counted from 1970, and units of time within a session are seconds",),
        ordered=True,
    ),
    LogPreset(
        "orcas",
        "ORCAS",
        "https://microsoft.github.io/msmarco/ORCAS",
        "none",
        _detect_lines(_ORCAS),
        _make_orcas_reader,
        lines=True,
        zoned=False,
        doubts=(NO_USERS,),
        notes=("the set has no times: all are 1970",),
        ordered=True,
        aggregated=True,
    ),
    LogPreset(
        "bing",
        "Bing's sets of queries",
        "https://github.com/microsoft/BingCoronavirusQuerySet",
        "none",
        _is_bing,
        _bing_record,
        lines=True,
        zoned=False,
        doubts=(NO_USERS,),
        ordered=True,
        aggregated=True,
    ),
)
