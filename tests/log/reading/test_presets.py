"""Known formats, each by a file written by hand after the format's documentation."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.plan import Intent, resolve_intent
from auditor.errors import LogFormatError, MissingInput
from auditor.log.model import QueryLog
from auditor.log.reading.presets import json_array
from auditor.log.reading.presets.base import epoch_seconds
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def rows(log: QueryLog) -> list[tuple[str, str, int, str | None, int]]:
    return [
        (log.users[u], log.queries[q], int(t), log.urls[c] if c >= 0 else None, int(r))
        for u, q, t, c, r in zip(log.user, log.query, log.time, log.url, log.rank, strict=True)
    ]


UBI_QUERIES = lines(
    {
        "_index": "ubi_queries",
        "_id": "1",
        "_source": {
            "application": "shop",
            "query_id": "q-1",
            "client_id": "browser-a",
            "user_query": "red shoes",
            "timestamp": "2024-05-01T10:00:00.500Z",
            "query_response_hit_ids": ["p1", "p2"],
        },
    },
    {
        "_index": "ubi_queries",
        "_id": "2",
        "_source": {
            "application": "shop",
            "query_id": "q-2",
            "client_id": "browser-b",
            "user_query": "hats",
            "timestamp": 1714557660000,
        },
    },
)
UBI_EVENTS = lines(
    {
        "_source": {
            "application": "shop",
            "action_name": "click",
            "query_id": "q-1",
            "client_id": "browser-a",
            "timestamp": "2024-05-01T10:00:09Z",
            "event_attributes": {"object": {"object_id": "p2"}, "position": {"ordinal": 2}},
        }
    },
    {
        "_source": {
            "application": "shop",
            "action_name": "page_exit",
            "query_id": "q-1",
            "client_id": "browser-a",
            "timestamp": "2024-05-01T10:01:09Z",
            "event_attributes": {},
        }
    },
)
TRIPCLICK = lines(
    {
        "DateCreated": "/Date(1376861943960)/",
        "SessionId": "s-1",
        "Documents": [11, 22, 33],
        "DocumentId": 22,
        "Url": "http://www.ncbi.example/22",
        "Title": "A title",
        "DOI": None,
        "ClinicalAreas": "Oncology",
        "Keywords": "breast cancer",
    },
    {
        "DateCreated": "/Date(1376862000000+0100)/",
        "SessionId": "s-1",
        "Documents": [],
        "DocumentId": 44,
        "Url": "",
        "Keywords": "asthma",
    },
    {
        "DateCreated": "/Date(1376862060000)/",
        "SessionId": "s-2",
        "Documents": ["11", "22"],
        "DocumentId": 0,
        "Url": "",
        "Keywords": "no click",
    },
)
IR_DATASETS = lines(
    {
        "user_id": "142",
        "query_id": "8c418e7c9e5993",
        "query": "rentdirect com",
        "query_orig": "rentdirect.com",
        "time": "2006-03-01T07:17:12",
        "items": [
            {"doc_id": "43d9a4b0ec94", "rank": 1, "clicked": True},
            {"doc_id": "0000a4b0ec94", "rank": 2, "clicked": False},
            ["77d9a4b0ec94", 3, True],
        ],
    },
    {
        "user_id": "142",
        "query_id": "1",
        "query": "cars",
        "time": "2006-03-02 08:00:00",
        "items": [],
    },
)
MATOMO = json.dumps(
    [
        {
            "idVisit": "71",
            "visitorId": "6e0b3d2c1a4f5e6d",
            "serverTimestamp": 1717236000,
            "actionDetails": [
                {"type": "action", "url": "https://a.example/", "timestamp": 1717236000},
                {"type": "search", "siteSearchKeyword": "opening hours", "timestamp": 1717236060},
            ],
        },
        {
            "idVisit": "72",
            "visitorId": "aaaa3d2c1a4f5e6d",
            "serverTimestamp": 1717237000,
            "actionDetails": [{"type": "search", "siteSearchKeyword": "jobs"}],
        },
    ],
    indent=2,
)
GA4 = lines(
    {
        "event_date": "20240501",
        "event_timestamp": "1714557600123456",
        "event_name": "view_search_results",
        "event_params": [
            {"key": "ga_session_id", "value": {"int_value": "17145"}},
            {"key": "search_term", "value": {"string_value": "solar panels"}},
        ],
        "user_pseudo_id": "1090.2424",
    },
    {
        "event_date": "20240501",
        "event_timestamp": "1714557700000000",
        "event_name": "page_view",
        "event_params": [],
        "user_pseudo_id": "1090.2424",
    },
)
AQL = lines(
    {
        "url": "https://www.google.example/search?q=weather",
        "timestamp": 1462132800,
        "url_query": "weather",
        "url_page": 1,
        "wayback_url": "https://web.archive.example/1",
    },
    {
        "url": "https://www.google.example/search?q=news",
        "timestamp": 1462132860,
        "url_query": "news",
        "url_page": None,
        "wayback_url": "https://web.archive.example/2",
    },
)
COMBINED = (
    '203.0.113.9 - - [10/Oct/2023:13:55:36 -0700] "GET /find?q=red+shoes&page=2 HTTP/1.1" 200 23 '
    '"-" "Mozilla/5.0"\n'
    '203.0.113.9 - - [10/Oct/2023:13:55:40 -0700] "GET /style.css HTTP/1.1" 200 23 "-" "x"\n'
    '198.51.100.4 - ann [10/Oct/2023:13:56:00 -0700] "GET /find?q=caf%C3%A9 HTTP/1.1" 200 5 - -\n'
)
AQL_CORPUS = lines(
    {
        "serp_id": "0d1a",
        "serp_url": "https://www.google.example/search?q=weather",
        "serp_timestamp": 1462132800,
        "serp_page": None,
        "serp_query_text_url": "weather",
        "serp_query_text_url_language": "en",
        "serp_results": [],
        "search_provider_name": "google",
    }
)
SOGOU = (
    "00:00:00\t2982199073774412\t[360安全卫士]\t8 3\tdownload.it.example/softweb\n"
    "00:00:01\t07594220010824798\t[哄抢救灾物资]\t1 1\tnews.example/1\n"
)
SOGOU_WITHOUT_TIMES = "".join(f"{line.partition(chr(9))[2]}\n" for line in SOGOU.splitlines())
SOGOU_2012 = (
    "20111230000005\t57375476989eea12893c0c3811607bcf\t奇艺高清\t1\t1\thttp://www.qiyi.example/\n"
    "20111230000006\t66c5bb7774e31d0a22278249b26bc83a\t凡人修仙传\t3\t1\thttp://www.booksky.example\n"
)
YANDEX = (
    "744899\tM\t23\t123123123\n"
    "744899\t0\tQ\t0\t192902\t4857,3847,2939\t632428,2384\t309585,28374\t6834,13\n"
    "744899\t1403\tC\t0\t309585\n"
    "744900\tM\t24\t55\n"
    "744900\t5\tT\t0\t77\t12\t1,2\n"
)
ORCAS = (
    "10103699\twordle\tD1265400\thttps://wordle.example/\n"
    "1000001\tattorney near me\tD2345\thttp://law.example/a\n"
)
BING = (
    "Date\tQuery\tIsImplicitIntent\tCountry\tPopularityScore\n"
    "2020-01-01\tcdc flu\tTrue\tUnited States\t1\n"
    "2020-01-02\tcorona beer\tFalse\tCanada\t33\n"
)

Row = tuple[str, str, int, str | None, int]
CASES: list[tuple[str, str, str, list[Row]]] = [
    (
        "tripclick",
        "2013-08-18.json",
        TRIPCLICK,
        [
            ("s-1", "breast cancer", 1376861943, "http://www.ncbi.example/22", 2),
            ("s-1", "asthma", 1376862000, "44", -1),
            ("s-2", "no click", 1376862060, None, -1),
        ],
    ),
    (
        "ir-datasets",
        "qlogs.jsonl",
        IR_DATASETS,
        [
            ("142", "rentdirect.com", at("2006-03-01 07:17:12"), "43d9a4b0ec94", 1),
            ("142", "rentdirect.com", at("2006-03-01 07:17:12"), "77d9a4b0ec94", 3),
            ("142", "cars", at("2006-03-02 08:00:00"), None, -1),
        ],
    ),
    (
        "matomo",
        "visits.json",
        MATOMO,
        [
            ("6e0b3d2c1a4f5e6d", "opening hours", 1717236060, None, -1),
            ("aaaa3d2c1a4f5e6d", "jobs", 1717237000, None, -1),
        ],
    ),
    ("ga4", "events.json", GA4, [("1090.2424", "solar panels", 1714557600, None, -1)]),
    (
        "aql",
        "aql.jsonl",
        AQL,
        [("1", "weather", 1462132800, None, -1), ("2", "news", 1462132860, None, -1)],
    ),
    ("aql", "corpus.jsonl", AQL_CORPUS, [("1", "weather", 1462132800, None, -1)]),
    (
        "sogou",
        "access_log.20060801",
        SOGOU_WITHOUT_TIMES,
        [
            ("2982199073774412", "360安全卫士", at("2008-06-01 00:00:00"),
             "download.it.example/softweb", 8),
            ("07594220010824798", "哄抢救灾物资", at("2008-06-01 00:00:00"), "news.example/1", 1),
        ],
    ),
    (
        "sogou",
        "access_log.20080601",
        SOGOU,
        [
            ("2982199073774412", "360安全卫士", at("2008-06-01 00:00:00"),
             "download.it.example/softweb", 8),
            ("07594220010824798", "哄抢救灾物资", at("2008-06-01 00:00:01"), "news.example/1", 1),
        ],
    ),
    (
        "sogou",
        "SogouQ.txt",
        SOGOU_2012,
        [
            ("57375476989eea12893c0c3811607bcf", "奇艺高清", at("2011-12-30 00:00:05"),
             "http://www.qiyi.example/", 1),
            ("66c5bb7774e31d0a22278249b26bc83a", "凡人修仙传", at("2011-12-30 00:00:06"),
             "http://www.booksky.example", 3),
        ],
    ),
    (
        "yandex",
        "train",
        YANDEX,
        [
            ("123123123", "4857 3847 2939", 23 * 86_400, None, -1),
            ("123123123", "4857 3847 2939", 23 * 86_400, "309585", 2),
            ("55", "12", 24 * 86_400 + 5, None, -1),
        ],
    ),
    (
        "orcas",
        "orcas.tsv",
        ORCAS,
        [
            ("1", "wordle", 0, "https://wordle.example/", -1),
            ("2", "attorney near me", 0, "http://law.example/a", -1),
        ],
    ),
    (
        "bing",
        "QueriesByCountry.tsv",
        BING,
        [
            ("1", "cdc flu", at("2020-01-01"), None, -1),
            ("2", "corona beer", at("2020-01-02"), None, -1),
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "text", "wanted"), CASES)
def test_that_a_known_format_is_recognised_and_its_roles_are_right(
    tmp_path: Path, name: str, file: str, text: str, wanted: list[Row]
) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    seen = sniff_log(path)
    assert (seen.format, seen.problems) == (name, ())
    assert seen.user is not None
    assert (seen.user.name, seen.user.chosen) == (PRESETS[name].user, "format")
    log = read_log(path)
    assert rows(log) == wanted
    assert log.origin.rejected == {}
    assert log.origin.aggregated == PRESETS[name].aggregated
    assert read_log(path, seen.options).digest == log.digest


def test_that_ubi_clicks_stand_with_their_queries(tmp_path: Path) -> None:
    (tmp_path / "ubi_events.json").write_text(UBI_EVENTS, encoding="utf-8")
    (tmp_path / "ubi_queries.json").write_text(UBI_QUERIES, encoding="utf-8")
    log = read_log(tmp_path)
    assert rows(log) == [
        ("browser-a", "red shoes", at("2024-05-01 10:00:00"), "p2", 2),
        ("browser-b", "hats", at("2024-05-01 10:01:00"), None, -1),
    ]
    alone = read_log(tmp_path / "ubi_queries.json")
    assert alone.clicks == 0
    assert len(alone) == 2


def test_that_a_web_servers_log_asks_for_the_parameter_of_the_query(tmp_path: Path) -> None:
    path = tmp_path / "access.log"
    path.write_text(COMBINED, encoding="utf-8")
    seen = sniff_log(path)
    assert seen.format == "web-server"
    assert "q (2), page (1)" in seen.problems[0]
    with pytest.raises(LogFormatError, match="Name the parameter"):
        read_log(path)
    log = read_log(path, ReadOptions(columns={"query": "q"}))
    assert rows(log) == [
        ("203.0.113.9", "red shoes", at("2023-10-10 20:55:36"), None, -1),
        ("ann", "café", at("2023-10-10 20:56:00"), None, -1),
    ]


def test_that_sogou_is_read_in_its_own_encoding(tmp_path: Path) -> None:
    path = tmp_path / "access_log"
    path.write_bytes((SOGOU * 20).encode("gb18030"))
    log = read_log(path)
    assert "360安全卫士" in log.queries.list_strings()
    assert any("gb18030" in note for note in log.origin.assumptions)


@pytest.mark.parametrize(
    ("name", "bad", "reason"),
    [
        ("tripclick", "{broken\n", "bad JSON"),
        ("yandex", "744900\t5\tC\t9\t1\n", "wrong column count"),
        ("orcas", "only\ttwo\n", "wrong column count"),
        ("ga4", '{"event_name": "search", "event_params": [{"key": "search_term", "value": '
         '{"string_value": "x"}}], "user_pseudo_id": "u", "event_timestamp": "soon"}\n',
         "bad time"),
    ],
)  # fmt: skip
def test_that_bad_lines_are_counted_where_they_stand(
    tmp_path: Path, name: str, bad: str, reason: str
) -> None:
    text = next(text for kind, _, text, _ in CASES if kind == name)
    path = tmp_path / "log.txt"
    path.write_text(text * 30 + bad, encoding="utf-8")
    log = read_log(path, ReadOptions(format=name))
    assert log.origin.rejected == {reason: 1}
    assert log.origin.rejects[0].line == 30 * text.count("\n") + 1


def test_that_columns_that_somebody_names_go_before_a_known_format(tmp_path: Path) -> None:
    path = tmp_path / "ubi.jsonl"
    path.write_text(UBI_QUERIES, encoding="utf-8")
    columns = {"user": "application", "query": "user_query", "time": "query_id"}
    seen = sniff_log(path, ReadOptions(columns=columns))
    assert seen.format == "jsonl"


def test_that_json_is_read_in_arrays_and_below_dots(tmp_path: Path) -> None:
    records = [
        {
            "who": {"id": f"u{n % 3}"},
            "when": f"2024-05-0{1 + n} 10:00:00",
            "q": 'shoes [and] "hats"',
            "hits": [{"doc": f"d{n}", "at": 1}, {"doc": "e", "at": 2}] if n else [],
        }
        for n in range(4)
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(records, indent=1), encoding="utf-8")
    columns = {"user": "who.id", "time": "when", "query": "q", "url": "hits.doc", "rank": "hits.at"}
    seen = sniff_log(path)
    assert {"who.id", "hits.doc", "hits.at"} <= set(seen.column_names)
    log = read_log(path, ReadOptions(columns=columns))
    assert len(log) == 7
    assert log.clicks == 6
    assert log.queries.list_strings() == ['shoes [and] "hats"']
    as_lines = tmp_path / "log.jsonl"
    as_lines.write_text(lines(*records), encoding="utf-8")
    assert read_log(as_lines, ReadOptions(columns=columns)).digest == log.digest


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_that_an_array_gives_the_same_elements_however_it_is_cut(size: int) -> None:
    records = [{"a": "]},{[", "n": n, "é": "\u2028\n"} for n in range(50)]
    data = ("\ufeff" + json.dumps(records, ensure_ascii=False, indent=2)).encode()

    class Slow(json_array.HeldBytes):
        def readinto(self, view: Any) -> int:
            return super().readinto(memoryview(view)[:size])

    stream = json_array.JsonArrayStream(Slow(data))
    view = memoryview(bytearray(333))
    made = b""
    while got := stream.readinto(view):
        made += bytes(view[:got])
    assert [json.loads(line) for line in made.split(b"\n")[:-1]] == records


@pytest.mark.parametrize("text", ['[{"a": 1}, {"a": ', '[{"a": 1}, what', '[{"a": 1} '])
def test_that_a_cut_array_gives_its_whole_elements_and_one_bad_line(text: str) -> None:
    made = json_array.element_lines(text.encode(), complete=True).decode().split("\n")
    assert made[0] == '{"a": 1}'
    assert len([line for line in made if line.strip()]) <= 2


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (1714557600, 1714557600),
        (1714557600123, 1714557600),
        ("1714557600123456", 1714557600),
        ("2024-05-01T10:00:00Z", 1714557600),
        ("2024-05-01 12:00:00+02:00", 1714557600),
        ("2024-05-01 10:00:00 UTC", 1714557600),
        ("/Date(1714557600123)/", 1714557600),
    ],
)
def test_that_times_are_told_by_how_they_look(value: Any, seconds: int) -> None:
    assert epoch_seconds(value) == str(seconds)


@pytest.mark.parametrize("value", [None, "", "soon", True, [], "2024-13-01"])
def test_that_what_is_no_time_is_none(value: Any) -> None:
    assert epoch_seconds(value) == ""


def test_that_a_set_without_users_gets_only_what_makes_sense(tmp_path: Path) -> None:
    path = tmp_path / "orcas.tsv"
    path.write_text(ORCAS * 20, encoding="utf-8")
    log = read_log(path)
    with pytest.raises(MissingInput, match="without users"):
        resolve_intent(Intent(method="safelog"), log)
    with pytest.raises(MissingInput, match="attack record-linkage needs to know whose"):
        resolve_intent(Intent(method="token-hashing", attacks=("record-linkage",)), log)
    plan = resolve_intent(Intent(method="token-hashing"), log)
    assert {step.name for step in plan.attacks} <= {
        "hash-inversion",
        "entity-exposure",
        "surviving-content",
    }
    assert {step.name for step in plan.measures} <= {"frequencies", "volume"}
    assert "user-clustering" in dict(plan.left)
