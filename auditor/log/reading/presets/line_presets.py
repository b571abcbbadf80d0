"""Logs of plain lines: web servers, Sogou, Yandex, ORCAS and Bing's sets of queries."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from auditor.log.reading.presets.base import SHOWN, Record, RecordFunction, list_shown, make_preset

QUERY_PARAMETERS = (
    "q", "query", "search", "s", "text", "keyword", "keywords", "term", "p", "wd", "search_query",
)  # fmt: skip
"""Usual names of the parameter that holds a query, for the order of suggestions."""
_COMBINED = re.compile(
    r"(?:[\w.-]+(?::\d+)? )?(?!- )(?P<host>[^\s,]+)(?:, ?[^\s,]+)* "  # virtual host, proxies
    r"\S+ (?P<who>\S+) \[(?P<time>[^\]]{20,40})\] "
    r'"(?P<verb>[A-Z]+) (?P<target>\S+)[^"]*" (?P<status>\d{3}) \S+'
    r'(?: "[^"]*" "(?P<agent>[^"]*)")?.*'
)
_DATE_FREE = "2008-06-01 "
"""The month of Sogou's first logs, whose lines have times of day alone, or none."""


def _detect_lines(pattern: re.Pattern[str], least: float = 0.8) -> Callable[[Sequence[str]], bool]:
    """The `detect` of a format of whose first lines that aren't empty a share fits a pattern."""

    def detect(lines: Sequence[str]) -> bool:
        filled = [line for line in lines[:200] if line.strip()]
        fits = sum(pattern.fullmatch(line) is not None for line in filled)
        return bool(filled) and fits / len(filled) >= least

    return detect


_LineParser = Callable[[str], dict[str, str] | None]
"""The fields of a line: none of one that is no request, None if it can't be read."""
_QUERY_FIELD = "cs-uri-query"


def _rank_parameters(
    make_parser: Callable[[], _LineParser],
) -> Callable[[Sequence[str]], list[tuple[str, int]]]:
    """Parameters of the addresses, with how often each stands there, the likeliest first."""

    def rank(lines: Sequence[str]) -> list[tuple[str, int]]:
        rows = map(make_parser(), lines)
        parameters = [{name for name, _ in _parse_pairs(row[_QUERY_FIELD])} for row in rows if row]
        counts = Counter(name for names in parameters for name in names if name.isprintable())
        usual = {name: place for place, name in enumerate(QUERY_PARAMETERS)}
        return sorted(counts.items(), key=lambda item: (usual.get(item[0].lower(), 99), -item[1]))

    return rank


def _parse_pairs(query: str) -> list[tuple[str, str]]:
    """The parameters of an address; rows of those that aren't UTF-8 are refused."""
    try:
        return parse_qsl(query, max_num_fields=200, errors="surrogateescape")
    except ValueError:
        return []


def _read_requests(
    make_parser: Callable[[], _LineParser],
    users: tuple[str, ...],
    read_time: Callable[[Mapping[str, str]], datetime],
) -> Callable[[Mapping[str, str | int], Any], RecordFunction]:
    """The `start` of a server's format; of `users`, the first field that isn't "-" is who asked."""

    def start(columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
        parameter, parse = str(columns.get("query", "")), make_parser()
        whom = [name.strip() for name in str(columns.get("user", "")).split("+")]

        def read(line: str) -> list[Record] | None:
            row = parse(line)
            if not row:
                return None if row is None else []
            pairs = _parse_pairs(row[_QUERY_FIELD])
            query = next((text for name, text in pairs if name == parameter), None)
            if query is None:
                return []
            try:
                time = read_time(row)
            except ValueError:
                return None
            user = next((row[name] for name in users if row.get(name, "-") != "-"), "")
            user = " ".join(row.get(name, "") for name in whom).strip() or user
            return [{"user": user, "query": query, "time": str(int(time.timestamp()))}]

        return read

    return start


def _make_combined_parser() -> _LineParser:
    """Apache's and nginx's combined format."""

    def parse(line: str) -> dict[str, str] | None:
        match = _COMBINED.fullmatch(line)
        if match is None or match["verb"] not in ("GET", "POST"):
            return None if match is None else {}
        try:
            return match.groupdict("") | {_QUERY_FIELD: urlsplit(match["target"]).query}
        except ValueError:
            return {}

    return parse


_W3C_FIELDS = {"date", "time", _QUERY_FIELD}


def _is_w3c(lines: Sequence[str]) -> bool:
    fields = next((line for line in lines[:20] if line.startswith("#Fields:")), "").split()
    return set(fields) >= _W3C_FIELDS


def _make_w3c_parser() -> _LineParser:
    """W3C's extended format: IIS, and CloudFront, which writes tabs and encodes addresses twice."""
    names: list[str] = []

    def parse(line: str) -> dict[str, str] | None:
        if line.startswith("#"):
            if line.startswith("#Fields:"):
                names[:] = line.split()[1:]
            return {}
        fields = line.split("\t" if "\t" in line else " ")
        if len(fields) != len(names) or not set(names) >= _W3C_FIELDS:
            return None
        row = dict(zip(names, fields, strict=True))
        return {n: unquote(v) for n, v in row.items()} if "x-edge-location" in row else row

    return parse


_SOGOU = re.compile(
    r"((\d\d:\d\d:\d\d\t)?\w+\t\[.*\]\t\d+ \d+\t\S*|\d{14}\t\w+\t[^\t]*\t\d+\t\d+\t\S*)"
)


def _make_sogou_reader(_columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    def read(line: str) -> list[Record] | None:
        fields = line.split("\t")
        try:
            if len(fields) == 6:
                time = datetime.strptime(fields[0], "%Y%m%d%H%M%S")
                user, query, rank, _, url = fields[1:]
            else:
                clock = fields.pop(0) if len(fields) == 5 else "00:00:00"
                time = datetime.strptime(_DATE_FREE + clock, "%Y-%m-%d %H:%M:%S")
                user, query, place, url = fields
                rank = place.split(" ")[0]
        except ValueError:
            return None
        query = query.removeprefix("[").removesuffix("]")
        seconds = str(int(time.replace(tzinfo=UTC).timestamp()))
        return [{"user": user, "query": query, "time": seconds, "rank": rank, "url": url}]

    return read


_YANDEX = re.compile(
    r"\d+\tM\t\d+\t\d+"
    r"|\d+\t\d+\t[QT]\t\d+\t\d+\t[\d,]*(\t\d+,\d+)*"
    r"|\d+\t\d+\tC\t\d+\t\d+"
)


def _is_yandex(lines: Sequence[str]) -> bool:
    return "\tM\t" in (lines[0] if lines else "") and _detect_lines(_YANDEX, 0.9)(lines)


def _make_yandex_reader(columns: Mapping[str, str | int], _state: Any) -> RecordFunction:
    session = user = ""
    shows = SHOWN[0] in columns
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
                record, results = pages[fields[3]]
                rank = {"rank": str(results.index(fields[4]) + 1)} if fields[4] in results else {}
                return [record | {"url": fields[4]} | rank]
            record = {
                "user": user,
                "query": fields[5].replace(",", " "),
                "time": str(86_400 * day + int(fields[1])),
            }
            results = [pair.partition(",")[0] for pair in fields[6:]]
            record |= list_shown(results) if shows else {}
            pages[fields[3]] = record, results
        except (ValueError, IndexError, KeyError):
            return None
        return [record]

    return read


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
            places.update({name.strip().lower(): place for place, name in enumerate(fields)})
            return []
        try:
            day = datetime.fromisoformat(fields[places["date"]]).replace(tzinfo=UTC)
            query = fields[places["query"]]
        except (ValueError, IndexError, KeyError):
            return None
        return [{"user": str(next(number)), "query": query, "time": str(int(day.timestamp()))}]

    return read


PRESETS = (
    make_preset(
        "web-server",
        _detect_lines(_COMBINED),
        _read_requests(
            _make_combined_parser,
            ("who", "host"),
            lambda row: datetime.strptime(row["time"], "%d/%b/%Y:%H:%M:%S %z"),
        ),
        parameters=_rank_parameters(_make_combined_parser),
    ),
    make_preset(
        "w3c",
        _is_w3c,
        _read_requests(
            _make_w3c_parser,
            ("cs-username", "c-ip"),
            lambda row: datetime.fromisoformat(f"{row['date']}T{row['time']}+00:00"),
        ),
        parameters=_rank_parameters(_make_w3c_parser),
    ),
    make_preset("sogou", _detect_lines(_SOGOU), _make_sogou_reader),
    make_preset("yandex", _is_yandex, _make_yandex_reader),
    make_preset("orcas", _detect_lines(_ORCAS), _make_orcas_reader),
    make_preset("bing", _is_bing, _bing_record),
)
