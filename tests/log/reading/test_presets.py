"""Known formats, each by a file of `formats` written by hand after the format's documentation."""

import copy
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.plan import Intent, resolve_intent
from auditor.errors import LogFormatError, MissingInput, ParameterError
from auditor.log.reading.presets import json_array
from auditor.log.reading.presets.base import epoch_seconds
from auditor.log.reading.presets.registry import PRESETS
from auditor.log.reading.reader import ReadOptions, implausible_times, read_log, sniff_log
from tests.log.rows import Row, rows_of, save, utc

FORMATS = Path(__file__).parent / "formats"


def read(file: str) -> str:
    return (FORMATS / file).read_text("utf-8")


def sogou_rows(*seconds: str) -> list[Row]:
    """Two rows of Sogou's first logs, at these seconds."""
    times = [utc(f"2008-06-01 00:00:{second}") for second in seconds]
    return [
        ("2982199073774412", "360安全卫士", times[0], "download.it.example/softweb", 8),
        ("07594220010824798", "哄抢救灾物资", times[1], "news.example/1", 1),
    ]


CASES: list[tuple[str, str, list[Row]]] = [
    ("tripclick", "2013-08-18.json", [
        ("s-1", "breast cancer", 1376861943, "http://www.ncbi.example/22", 2),
        ("s-1", "asthma", 1376862000, "44", -1),
        ("s-2", "no click", 1376862060, None, -1),
    ]),
    ("ir-datasets", "qlogs.jsonl", [
        ("142", "rentdirect.com", utc("2006-03-01 07:17:12"), "43d9a4b0ec94", 1),
        ("142", "rentdirect.com", utc("2006-03-01 07:17:12"), "77d9a4b0ec94", 3),
        ("142", "cars", utc("2006-03-02 08:00:00"), None, -1),
    ]),
    ("matomo", "visits.json", [
        ("6e0b3d2c1a4f5e6d", "opening hours", 1717236060, None, -1),
        ("aaaa3d2c1a4f5e6d", "jobs", 1717237000, None, -1),
    ]),
    ("ga4", "events.json", [("1090.2424", "solar panels", 1714557600, None, -1)]),
    ("aql", "aql.jsonl", [
        ("1", "weather", 1462132800, None, -1), ("2", "news", 1462132860, None, -1),
    ]),
    ("aql", "corpus.jsonl", [("1", "weather", 1462132800, None, -1)]),
    ("sogou", "access_log.20060801", sogou_rows("00", "00")),
    ("sogou", "access_log.20080601", sogou_rows("00", "01")),
    ("sogou", "SogouQ.txt", [
        ("57375476989eea12893c0c3811607bcf", "奇艺高清", utc("2011-12-30 00:00:05"),
         "http://www.qiyi.example/", 1),
        ("66c5bb7774e31d0a22278249b26bc83a", "凡人修仙传", utc("2011-12-30 00:00:06"),
         "http://www.booksky.example", 3),
    ]),
    ("yandex", "train", [
        ("123123123", "4857 3847 2939", 23 * 86_400, None, -1),
        ("123123123", "4857 3847 2939", 23 * 86_400, "309585", 2),
        ("55", "12", 24 * 86_400 + 5, None, -1),
    ]),
    ("orcas", "orcas.tsv", [
        ("1", "wordle", 0, "https://wordle.example/", -1),
        ("2", "attorney near me", 0, "http://law.example/a", -1),
    ]),
    ("bing", "QueriesByCountry.tsv", [
        ("1", "cdc flu", utc("2020-01-01"), None, -1),
        ("2", "corona beer", utc("2020-01-02"), None, -1),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "expected"), CASES)
def test_that_a_known_format_is_recognised_and_its_roles_are_right(
    name: str, file: str, expected: list[Row]
) -> None:
    path = FORMATS / file
    sniffed = sniff_log(path)
    assert (sniffed.format, sniffed.problems) == (name, ())
    assert sniffed.user is not None
    assert (sniffed.user.name, sniffed.user.chosen) == (PRESETS[name].user, "format")
    log = read_log(path)
    assert rows_of(log) == expected
    assert log.origin.rejected == {}
    assert log.origin.aggregated == PRESETS[name].aggregated
    assert implausible_times(log) == ""
    assert read_log(path, sniffed.options).digest == log.digest


def test_that_ubi_clicks_stand_with_their_queries() -> None:
    log = read_log([FORMATS / "ubi_events.json", FORMATS / "ubi_queries.json"])
    assert rows_of(log) == [
        ("browser-a", "red shoes", utc("2024-05-01 10:00:00"), "p2", 2),
        ("browser-b", "hats", utc("2024-05-01 10:01:00"), None, -1),
    ]
    alone = read_log(FORMATS / "ubi_queries.json")
    assert alone.clicks == 0
    assert len(alone) == 2


def test_that_a_web_servers_log_asks_for_the_parameter_of_the_query() -> None:
    path = FORMATS / "access.log"
    sniffed = sniff_log(path)
    assert sniffed.format == "web-server"
    assert "q (2), page (1)" in sniffed.problems[0]
    with pytest.raises(LogFormatError, match="Name the parameter"):
        read_log(path)
    log = read_log(path, ReadOptions(columns={"query": "q"}))
    assert rows_of(log) == [
        ("203.0.113.9", "red shoes", utc("2023-10-10 20:55:36"), None, -1),
        ("ann", "café", utc("2023-10-10 20:56:00"), None, -1),
    ]


def test_that_sogou_is_read_in_its_own_encoding(tmp_path: Path) -> None:
    path = tmp_path / "access_log"
    path.write_bytes((read("access_log.20080601") * 20).encode("gb18030"))
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
    text = read(next(file for kind, file, _ in CASES if kind == name))
    path = save(tmp_path / "log.txt", text * 30 + bad)
    log = read_log(path, ReadOptions(format=name))
    assert log.origin.rejected == {reason: 1}
    assert log.origin.rejects[0].line == 30 * text.count("\n") + 1


JSON_VALUES: tuple[Any, ...] = (5, 1e300, "x", True, None, [1], ["x"], [[1]], [{}], {}, {"a": [1]})


def mutated(value: Any, depth: int = 3) -> Iterator[Any]:
    """A JSON value with one part after another replaced by a value of another kind."""
    yield from JSON_VALUES
    if not depth or not isinstance(value, dict | list):
        return
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        for other in mutated(part, depth - 1):
            changed = copy.copy(value)
            changed[key] = other
            yield changed


@pytest.mark.parametrize(("name", "file"), [(n, f) for n, f, _ in CASES if "json" in f])
def test_that_a_record_of_other_kinds_of_values_ends_no_load(
    tmp_path: Path, name: str, file: str
) -> None:
    text = read(file)
    records = json.loads(text) if text.startswith("[") else map(json.loads, text.splitlines())
    lines = [json.dumps(changed) for record in records for changed in mutated(record)]
    path = save(tmp_path / "log.jsonl", "\n".join([*text.splitlines() * 3, *lines]))
    log = read_log(path, ReadOptions(format=name, max_rejected_share=1.0))
    assert len(log) > 0
    assert set(log.origin.rejected) <= {"bad JSON", "bad time", "bad rank", "empty user"}


def test_that_a_w3c_log_whose_fields_change_is_read_or_counted(tmp_path: Path) -> None:
    heading = "#Fields: date time c-ip cs-uri-stem cs-uri-query\n"
    rows = "2024-05-01 10:00:00 192.0.2.1 /search q=red+shoes\n" * 30
    path = save(
        tmp_path / "u_ex.log",
        heading + rows + "#Fields: date time c-ip\n2024-05-01 10:00:00 192.0.2.1\n",
    )
    log = read_log(path, ReadOptions(columns={"query": "q"}))
    assert len(log) == 30
    assert log.origin.rejected == {"wrong column count": 1}


def test_that_lists_side_by_side_do_not_multiply_without_a_limit(tmp_path: Path) -> None:
    good = {"u": "a", "q": "shoes", "t": 1_700_000_000, "x": [{"a": 1}], "y": [{"b": 1}]}
    bad = good | {"x": [{"a": 1}] * 200, "y": [{"b": 1}] * 200}
    path = save(tmp_path / "log.jsonl", "\n".join(map(json.dumps, [good, bad])))
    columns = {"user": "u", "query": "q", "time": "t", "url": "x.a", "rank": "y.b"}
    log = read_log(path, ReadOptions(columns=columns, max_rejected_share=1.0))
    assert (len(log), log.origin.rejected) == (1, {"bad JSON": 1})


def test_that_columns_that_somebody_names_go_before_a_known_format() -> None:
    columns = {"user": "application", "query": "user_query", "time": "query_id"}
    sniffed = sniff_log(FORMATS / "ubi_queries.json", ReadOptions(columns=columns))
    assert sniffed.format == "jsonl"


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
    path = save(tmp_path / "log.json", json.dumps(records, indent=1))
    columns = {"user": "who.id", "time": "when", "query": "q", "url": "hits.doc", "rank": "hits.at"}
    sniffed = sniff_log(path)
    assert {"who.id", "hits.doc", "hits.at"} <= set(sniffed.column_names)
    log = read_log(path, ReadOptions(columns=columns))
    assert len(log) == 7
    assert log.clicks == 6
    assert log.queries.list_strings() == ['shoes [and] "hats"']
    as_lines = tmp_path / "log.jsonl"
    as_lines.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert read_log(as_lines, ReadOptions(columns=columns)).digest == log.digest


@pytest.mark.parametrize("size", [1, 2, 7, 64, 10_000])
def test_that_an_array_gives_the_same_elements_however_it_is_cut(size: int) -> None:
    records = [{"a": "]},{[", "n": n, "é": "\u2028\n"} for n in range(50)]
    data = ("\ufeff" + json.dumps(records, ensure_ascii=False, indent=2)).encode()

    class Slow(io.BytesIO):
        def readinto(self, view: Any) -> int:
            return super().readinto(memoryview(view)[:size])

    stream = json_array.JsonArrayStream(Slow(data))
    view = memoryview(bytearray(333))
    output = b""
    while got := stream.readinto(view):
        output += bytes(view[:got])
    assert [json.loads(line) for line in output.split(b"\n")[:-1]] == records


@pytest.mark.parametrize("text", ['[{"a": 1}, {"a": ', '[{"a": 1}, what', '[{"a": 1} '])
def test_that_a_cut_array_gives_its_whole_elements_and_one_bad_line(text: str) -> None:
    lines = json_array.element_lines(text.encode(), complete=True).decode().split("\n")
    assert lines[0] == '{"a": 1}'
    assert len([line for line in lines if line.strip()]) <= 2


NO_TIMES: tuple[Any, ...] = (None, "", "soon", True, [], "2024-13-01")


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
        *((value, "") for value in NO_TIMES),
    ],
)
def test_that_times_are_told_by_how_they_look(value: Any, seconds: object) -> None:
    assert epoch_seconds(value) == str(seconds)


def test_that_a_set_without_users_gets_only_what_makes_sense(tmp_path: Path) -> None:
    path = save(tmp_path / "orcas.tsv", read("orcas.tsv") * 20)
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
    assert "user-clustering" in dict(plan.omitted)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["ubi_events.json", "ubi_queries.json"], {("red shoes", "2", "p1 p2", "1 2")}),
        (["2013-08-18.json"], {
            ("breast cancer", "3", "11 22 33", "1 2 3"), ("no click", "2", "11 22", "1 2"),
        }),
        (["train"], {
            ("4857 3847 2939", "3", "632428 309585 6834", "1 2 3"), ("12", "1", "1", "1"),
        }),
    ],
)  # fmt: skip
def test_that_results_listed_in_records_are_kept_beside_their_search(
    files: list[str], expected: set[tuple[str, ...]]
) -> None:
    paths = [FORMATS / file for file in files]
    log = read_log(paths, ReadOptions(keep_shown=True))
    plain = read_log(paths)
    assert not plain.attributes
    assert rows_of(log) == rows_of(plain)
    names = ("views", "results_shown", "positions_shown")
    results = {
        (log.queries[query], *(log.attributes[name].texts[code] for name, code in codes.items()))
        for row, query in enumerate(log.query.tolist())
        if (codes := {name: int(log.attributes[name].codes[row]) for name in names})["views"] >= 0
    }
    assert results == expected


def test_that_a_format_that_lists_no_results_keeps_none() -> None:
    with pytest.raises(ParameterError, match="Nothing says which results were shown"):
        read_log(FORMATS / "aql.jsonl", ReadOptions(keep_shown=True))


def test_that_a_list_beside_a_search_is_kept_as_its_values(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    record = {"user": "u1", "query": "a b", "time": "2026-01-01 00:00:00", "shown": ["x 1", 2]}
    path.write_text(json.dumps(record) + "\n" + json.dumps(record | {"shown": []}) + "\n")
    log = read_log(path, ReadOptions(columns={"shown": "shown"}))
    assert log.attributes["shown"].texts.list_strings()[0] == "x_1 2"
