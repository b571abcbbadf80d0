"""Logs of JSON records: OpenSearch UBI, TripClick, ir_datasets, AQL, Matomo, GA4, Takeout."""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

from auditor.log.reading.column_names import role_of
from auditor.log.reading.presets.base import (
    LOG_WORDS,
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
Clicks = dict[str, list[tuple[str, str]]]
"""Object and position of each click, by the query that it belongs to."""


def _read_objects(rows: RowFunction) -> Callable[[Mapping[str, str | int], Any], RecordFunction]:
    """The `start` of a format whose lines are objects, each of which `rows` turns into records."""

    def start(_columns: Mapping[str, str | int], state: Any) -> RecordFunction:
        def read(line: str) -> list[Record] | None:
            entry = json_object(line)
            return None if entry is None else rows(entry, state)

        return read

    return start


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


def _detect_records(test: Callable[[Mapping[str, Any]], bool]) -> Callable[[Sequence[str]], bool]:
    """The `detect` of a format whose first objects all pass a test."""

    def detect(lines: Sequence[str]) -> bool:
        records = [json_object(line) for line in [line for line in lines if line.strip()][:20]]
        return bool(records) and all(record is not None and test(record) for record in records)

    return detect


def _make_keyed_preset(name: str, rows: RowFunction, *fields: str, named: bool = True) -> LogPreset:
    """A format whose first objects all have these fields; `named` if one says whose they are."""

    def test(record: Mapping[str, Any]) -> bool:
        return record.keys() >= set(fields) and (named or not _names_user(record))

    return make_preset(name, _detect_records(test), _read_objects(rows))


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


PRESETS = (
    make_preset(
        "ubi", _detect_records(_is_ubi_record), _read_objects(_ubi_rows), collect=_ubi_clicks
    ),
    _make_keyed_preset(
        "tripclick", _tripclick_rows, "SessionId", "Keywords", "DateCreated", named=False
    ),
    _make_keyed_preset("ir-datasets", _ir_datasets_rows, "user_id", "query", "time", "items"),
    _make_keyed_preset("matomo", _matomo_rows, "visitorId", "idVisit", "actionDetails"),
    _make_keyed_preset(
        "ga4", _ga4_rows, "event_name", "event_params", "event_timestamp", "user_pseudo_id"
    ),
    _make_keyed_preset(
        "takeout", _takeout_rows, "header", "title", "time", "products", named=False
    ),
    _make_keyed_preset("browser-history", _history_rows, "url", "time_usec", named=False),
    make_preset(
        "aql",
        _detect_records(_is_aql_record),
        lambda columns, _state: _read_objects(_aql_rows)(columns, itertools.count(1)),
    ),
)
