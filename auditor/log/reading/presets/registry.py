"""The known formats by name: JSON records of search engines and exports, and logs of plain lines.

Of JSON these are OpenSearch UBI, TripClick, ir_datasets, AQL, Matomo, GA4 and Takeout; of lines
web servers' logs, Sogou's, Yandex', ORCAS and Bing's sets of queries.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from auditor.log.reading.column_names import role_of
from auditor.log.reading.presets.base import (
    LOG_WORDS,
    SHOWN,
    LogPreset,
    Record,
    RecordFunction,
    at_path,
    epoch_seconds,
    json_object,
    list_shown,
    make_preset,
    plain_text,
)

RowFunction = Callable[[Mapping[str, Any], Any], list[Record]]
"""What turns an object into records, by what is known of the whole log."""
RecordTest = Callable[[Mapping[str, Any]], bool]
Clicks = dict[str, list[tuple[str, str]]]
"""Object and position of each click, by the query that it belongs to."""


def _make_json_preset(
    name: str, test: RecordTest, rows: RowFunction, *, numbered: bool = False, **options: Any
) -> LogPreset:
    """A format whose lines are objects: the first pass `test`, `rows` turns each into records.

    Those of a set without users are `numbered`: `rows` is given the counter instead of a state.
    """

    def detect(lines: Sequence[str]) -> bool:
        records = [json_object(line) for line in [line for line in lines if line.strip()][:20]]
        return bool(records) and all(record is not None and test(record) for record in records)

    def start(_columns: Mapping[str, str | int], state: Any) -> RecordFunction:
        state = itertools.count(1) if numbered else state

        def read(line: str) -> list[Record] | None:
            entry = json_object(line)
            return None if entry is None else rows(entry, state)

        return read

    return make_preset(name, detect, start, **options)


def _have_fields(*fields: str, named: bool = True) -> RecordTest:
    """Whether objects have these fields; `named` if one of them says whose the objects are."""
    return lambda record: record.keys() >= {*fields} and (named or not _names_user(record))


def _make_record(entry: Mapping[str, Any], user: str, query: str, time: str) -> Record:
    """The record of an object, by the names of its fields."""
    return {
        "user": plain_text(entry.get(user)),
        "query": plain_text(entry.get(query)),
        "time": epoch_seconds(entry.get(time)),
    }


def _list_of(entry: Mapping[str, Any], name: str) -> Sequence[Any]:
    """A field's list; an empty one where something else stands."""
    value = entry.get(name)
    return value if isinstance(value, list) else ()


def _names_user(record: Mapping[str, Any]) -> bool:
    """Whether a field is called as users are, and has a value."""
    return any(value and role_of(name) == "user" for name, value in record.items())


def _is_ubi_record(record: Mapping[str, Any]) -> bool:
    has_ids = {"query_id", "client_id"} <= record.keys()
    return has_ids and ("user_query" in record or "action_name" in record)


def _ubi_clicks(lines: Iterable[str]) -> Clicks:
    clicks: Clicks = {}
    for line in lines:
        if '"action_name"' not in line:
            continue
        event = json_object(line)
        if event is None or "click" not in str(event.get("action_name", "")).lower():
            continue
        thing = plain_text(at_path(event, "event_attributes.object.object_id"))
        place = plain_text(at_path(event, "event_attributes.position.ordinal"))
        clicks.setdefault(plain_text(event.get("query_id")), []).append((thing, place))
    return clicks


def _ubi_rows(entry: Mapping[str, Any], clicks: Any) -> list[Record]:
    if "action_name" in entry or "user_query" not in entry:
        return []  # an event: its click stands with its query
    base = _make_record(entry, "client_id", "user_query", "timestamp")
    base |= list_shown([plain_text(hit) for hit in _list_of(entry, "query_response_hit_ids")])
    pairs = (clicks or {}).get(plain_text(entry.get("query_id")), [])
    return [base | {"url": thing, "rank": place} for thing, place in pairs] or [base]


def _tripclick_rows(entry: Mapping[str, Any], _state: Any) -> list[Record]:
    clicked = entry.get("DocumentId") or None
    results = [plain_text(hit) for hit in _list_of(entry, "Documents")]
    record = _make_record(entry, "SessionId", "Keywords", "DateCreated") | list_shown(results)
    record["url"] = plain_text(entry.get("Url")) or plain_text(clicked)
    if plain_text(clicked) in results:
        record["rank"] = str(results.index(plain_text(clicked)) + 1)
    return [record]


def _ir_datasets_rows(entry: Mapping[str, Any], _state: Any) -> list[Record]:
    original = "query_orig" if plain_text(entry.get("query_orig")) else "query"
    base = _make_record(entry, "user_id", original, "time")
    rows = []
    for item in _list_of(entry, "items"):
        values = item if isinstance(item, list) else []
        if isinstance(item, dict):
            values = [item.get("doc_id"), item.get("rank"), item.get("clicked")]
        doc, rank, clicked = [*values, None, None, None][:3]
        if clicked:
            rows.append(base | {"url": plain_text(doc), "rank": plain_text(rank)})
    return rows or [base]


_SERP_QUERY, _SERP_TIME = "serp_query_text_url", "serp_timestamp"
"""Fields of the published corpus; the collection's own files name theirs otherwise."""


_AQL_FIELDS = {"url", "timestamp", "query", "page", "offset", "results", "interpreted_query"}
"""Fields of its parsed pages, none of which says who searched: any other may."""


def _is_aql_record(record: Mapping[str, Any]) -> bool:
    fields = record.keys()
    is_page = {"url", "timestamp", "query", "page"} <= fields <= _AQL_FIELDS
    is_address = {"url", "timestamp", "url_query"} <= fields and fields & {
        "wayback_url",
        "url_page",
    }
    named = is_page or is_address or {_SERP_QUERY, _SERP_TIME} <= fields
    return bool(named) and not _names_user(record)


def _aql_rows(entry: Mapping[str, Any], numbers: Any) -> list[Record]:
    texts = (plain_text(entry.get(name)) for name in (_SERP_QUERY, "url_query", "query"))
    query = next((text for text in texts if text), "")
    time = epoch_seconds(entry.get(_SERP_TIME, entry.get("timestamp")))
    return [{"user": str(next(numbers)), "query": query, "time": time}]


def _matomo_rows(entry: Mapping[str, Any], _state: Any) -> list[Record]:
    return [
        {
            "user": plain_text(entry.get("visitorId")),
            "query": plain_text(action.get("siteSearchKeyword")),
            "time": epoch_seconds(action.get("timestamp") or entry.get("serverTimestamp")),
        }
        for action in _list_of(entry, "actionDetails")
        if isinstance(action, dict) and action.get("type") == "search"
    ]


def _ga4_rows(entry: Mapping[str, Any], _state: Any) -> list[Record]:
    if entry.get("event_name") not in ("view_search_results", "search"):
        return []
    values = [
        parameter.get("value")
        for parameter in _list_of(entry, "event_params")
        if isinstance(parameter, dict) and parameter.get("key") == "search_term"
    ]
    # A term of digits stands in another field than a text.
    fields = [value.values() for value in values if isinstance(value, dict)]
    terms = [next(filter(None, map(plain_text, texts)), "") for texts in fields]
    record = _make_record(entry, "user_pseudo_id", "", "event_timestamp")
    return [record | {"query": term} for term in terms]


_SEARCHED = re.compile(rf"(?:{'|'.join(LOG_WORDS['searched'])})\s(.+)", re.DOTALL)


def _takeout_rows(entry: Mapping[str, Any], donor: Any) -> list[Record]:
    title, link = plain_text(entry.get("title")), plain_text(entry.get("titleUrl"))
    address = link.partition("/search?")[2].partition("#")[0]
    pairs = parse_qsl(address, errors="surrogateescape")
    query = next((value for name, value in pairs if name == "q"), "")
    if not query and (words := _SEARCHED.fullmatch(title)):
        query = words[1]
    time = epoch_seconds(entry.get("time"))  # what has no query is a visit
    return [{"user": str(donor), "query": query, "time": time}] if query else []


_ENGINES: dict[str, str] = LOG_WORDS["engines"]
_RESULTS = re.compile(
    r"https?://(?:(?:www|m|search|images|html|lite|\w\w)\.)*"
    rf"({'|'.join(_ENGINES)})(?:\.com?)?\.\w{{2,3}}"
    r"(?:/(?:search|web|images|html|lite|yandsearch|s|(?:sp|do)/search)?/?)?\?([^#]*).*"
)
"""Addresses of pages of results."""


def _history_rows(entry: Mapping[str, Any], donor: Any) -> list[Record]:
    page = _RESULTS.fullmatch(plain_text(entry.get("url")))
    pairs = parse_qsl(page[2], errors="surrogateescape") if page else []
    query = next((text for name, text in pairs if page and name == _ENGINES[page[1]]), "")
    time = epoch_seconds(entry.get("time_usec"))  # what has no query is a visit
    return [{"user": str(donor), "query": query, "time": time}] if query.strip() else []


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


_TRIPCLICK = ("SessionId", "Keywords", "DateCreated")
_IR_DATASETS = ("user_id", "query", "time", "items")
_MATOMO = ("visitorId", "idVisit", "actionDetails")
_GA4 = ("event_name", "event_params", "event_timestamp", "user_pseudo_id")
_TAKEOUT = ("header", "title", "time", "products")
_ALL = (
    _make_json_preset("ubi", _is_ubi_record, _ubi_rows, collect=_ubi_clicks),
    _make_json_preset("tripclick", _have_fields(*_TRIPCLICK, named=False), _tripclick_rows),
    _make_json_preset("ir-datasets", _have_fields(*_IR_DATASETS), _ir_datasets_rows),
    _make_json_preset("matomo", _have_fields(*_MATOMO), _matomo_rows),
    _make_json_preset("ga4", _have_fields(*_GA4), _ga4_rows),
    _make_json_preset("takeout", _have_fields(*_TAKEOUT, named=False), _takeout_rows),
    _make_json_preset(
        "browser-history", _have_fields("url", "time_usec", named=False), _history_rows
    ),
    _make_json_preset("aql", _is_aql_record, _aql_rows, numbered=True),
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
PRESETS: Mapping[str, LogPreset] = MappingProxyType({preset.name: preset for preset in _ALL})
