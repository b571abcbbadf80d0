"""What the reader makes of good files: formats, compression, columns, encodings, times."""

import bz2
import gzip
import json
import lzma
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.errors import Cancelled, LogFormatError, ParameterError
from auditor.log.reading.column_inference import NARROW_BLANK, PATTERNS, is_time
from auditor.log.reading.column_mapping import EXCITE_TIME
from auditor.log.reading.decompression import load_zstd
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.progress import Progress
from tests.log.rows import AOL_HEADER as HEADER
from tests.log.rows import rows_of, save, utc, zipped

ZSTD = load_zstd()

AOL = HEADER + (
    "142\trentdirect.com\t2006-03-01 07:17:12\t\t\n"
    '142\twestchester "gov\t2006-03-17 00:19:07\t1\thttp://www.westchestergov.example\n'
    '142\twestchester "gov\t2006-03-17 00:19:07\t2\thttp://www.other.example\n'
    "142\t-\t2006-03-18 12:00:00\t\t\n"
    "142\t\t2006-03-18 12:00:01\t\t\n"
    "217\tlottery\t2006-03-01 11:58:51\t1\thttp://www.calottery.example\n"
    "217\tlottery\t2006-03-01 11:58:51\t\t\n"
)


def test_that_aol_rows_keep_their_meaning(tmp_path: Path) -> None:
    log = read_log(save(tmp_path / "a.txt", AOL))
    assert rows_of(log) == [
        ("142", "rentdirect.com", utc("2006-03-01 07:17:12"), None, -1),
        (
            "142",
            'westchester "gov',
            utc("2006-03-17 00:19:07"),
            "http://www.westchestergov.example",
            1,
        ),
        ("142", 'westchester "gov', utc("2006-03-17 00:19:07"), "http://www.other.example", 2),
        ("142", "-", utc("2006-03-18 12:00:00"), None, -1),
        ("142", "", utc("2006-03-18 12:00:01"), None, -1),
        ("217", "lottery", utc("2006-03-01 11:58:51"), "http://www.calottery.example", 1),
        ("217", "lottery", utc("2006-03-01 11:58:51"), None, -1),
    ]
    assert log.origin.format == "aol"
    assert log.origin.rejected == {}
    assert log.origin.rows_read == 7
    assert log.ip is None
    assert log.cookie is None


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstd": ZSTD.compress,
    "zstd after a skippable frame": lambda data: (
        b"\x50\x2a\x4d\x18\x03\0\0\0abc" + ZSTD.compress(data)
    ),
    "zip": lambda data: zipped(
        {"x/AOL.txt": data, "x/": b"", "__MACOSX/x": b"?", "README": b"Hi\n"}
    ),
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    """A text of several chunks, and the digest of its log."""
    text = HEADER + "".join(
        f"{n // 9}\tword {n % 500}\t2006-03-01 00:{n % 60:02}:00\t\t\n" for n in range(40_000)
    )
    path = save(tmp_path_factory.mktemp("large") / "a.txt", text)
    return text.encode(), read_log(path).digest


@pytest.mark.parametrize("packer", PACKERS)
def test_that_compression_is_told_by_content(
    tmp_path: Path, packer: str, large: tuple[bytes, str]
) -> None:
    text, digest = large
    packed = read_log(save(tmp_path / "b.txt", PACKERS[packer](text)))
    assert packed.digest == digest
    assert packed.origin.rejected == {}


def test_that_line_numbers_begin_anew_in_each_file(tmp_path: Path) -> None:
    paths = [save(tmp_path / name, AOL + f"9\t{name}\tbad\t\t\n" + AOL) for name in "ab"]
    log = read_log(paths, ReadOptions(max_rejected_share=0.5))
    bad = [row for row in log.origin.rejects if row.reason == "bad time"]
    assert [(row.file, row.line, row.column) for row in bad] == [("a", 9, 3), ("b", 9, 3)]
    assert log.origin.rejected == {"bad time": 2, "repeated header": 2}


def test_that_csv_is_read_by_its_column_names(tmp_path: Path) -> None:
    text = (
        "id;Timestamp;user_id;search query;clicked_url;position;ip;cookie\n"
        '1;2020-05-06T07:08:09Z;u1;"a; ""b""\nc";https://x.example/;3;1.2.3.4;k1\n'
        "2;2020-05-06T09:08:09+02:00;u2;d;;;;\n"
    )
    log = read_log(save(tmp_path / "a.csv", text))
    assert rows_of(log) == [
        ("u1", 'a; "b"\nc', utc("2020-05-06 07:08:09"), "https://x.example/", 3),
        ("u2", "d", utc("2020-05-06 07:08:09"), None, -1),
    ]
    assert log.ip is not None
    assert log.ip.tolist() == [0x01020304, 0]
    assert log.cookie is not None
    assert log.cookies is not None
    assert log.cookie.tolist() == [0, -1]
    assert log.cookies.list_strings() == ["k1"]


def test_that_columns_without_names_are_guessed_and_said(tmp_path: Path) -> None:
    text = "".join(
        f"10.0.0.{n},1141{n:06},{n % 3},{'buy some shoes' if n % 2 else 'weather today'},"
        f"http://s{n}.example/\n"
        for n in range(40)
    )
    log = read_log(save(tmp_path / "a.csv", text), ReadOptions(columns={"user": 2}))
    assert log.queries.list_strings() == ["weather today", "buy some shoes"]
    assert len(log.users) == 3
    assert log.ip is not None
    assert log.clicks == 40
    assert any("epoch_s" in assumption for assumption in log.origin.assumptions)
    assert any("column 4 is taken for the query" in note for note in log.origin.assumptions)


TIMES = [
    ("iso", "2006-03-01 10:20:30", "2006-03-01 10:20:30"),
    ("iso", "2006-03-01T10:20", "2006-03-01 10:20:00"),
    ("iso", "2006-03-01T10:20:30.999Z", "2006-03-01 10:20:30"),
    ("iso", "2006-03-01 10:20:30 -0130", "2006-03-01 11:50:30"),
    ("iso", "2004-02-29 23:59:60", "2004-03-01 00:00:00"),
    ("iso", "1969-12-31 23:59:59", "1969-12-31 23:59:59"),
    ("iso", "0001-01-01 00:00:00", "0001-01-01 00:00:00"),
    ("iso", "9999-12-31 23:59:59", "9999-12-31 23:59:59"),
    ("epoch_s", "1141208430", "2006-03-01 10:20:30"),
    ("epoch_s", "1141208430.75", "2006-03-01 10:20:30"),
    ("epoch_s", "-0.5", "1969-12-31 23:59:59"),
    ("epoch_ms", "1141208430999", "2006-03-01 10:20:30"),
    ("epoch_ms", "-1", "1969-12-31 23:59:59"),
    ("epoch_us", "1141208430999999", "2006-03-01 10:20:30"),
    ("%y%m%d%H%M%S", "060301102030", "2006-03-01 10:20:30"),
    ("%y%m%d%H%M%S", "690301102030", "1969-03-01 10:20:30"),
    ("%d/%b/%Y:%H:%M:%S %z", "01/Mar/2006:10:20:30 +0100", "2006-03-01 09:20:30"),
    ("%m/%d/%Y %I:%M:%S %p", "3/1/2006 12:20:30 AM", "2006-03-01 00:20:30"),
    ("%m/%d/%Y %I:%M:%S %p", "3/1/2006 12:20:30 pm", "2006-03-01 12:20:30"),
    ("%A, %d. %B %Y", "Wednesday, 1. March 2006", "2006-03-01 00:00:00"),
    ("%FT%T.%f%%", "2006-03-01T10:20:30.5%", "2006-03-01 10:20:30"),
]


@pytest.mark.parametrize(("form", "text", "expected"), TIMES)
def test_that_times_are_read_as_their_format_says(
    tmp_path: Path, form: str, text: str, expected: str
) -> None:
    options = ReadOptions(
        format="delimited",
        delimiter="\t",
        header=False,
        columns={"user": 0, "query": 1, "time": 2},
        time_format=form,
    )
    log = read_log(save(tmp_path / "a", f"u\tq\t{text}\n"), options)
    assert log.time.tolist() == [utc(expected)]


@pytest.mark.parametrize("form", [*PATTERNS, "%dth of %B", "%d.%m.%Y %z", "%d%%%m%%%Y"])
def test_that_a_time_is_of_a_form_where_python_reads_it_so(form: str) -> None:
    moments = [datetime(2006, 3, day, 9, 5, tzinfo=UTC) for day in (1, 22)]
    for value in ("", "12", "a, b", *(m.strftime(f) for m in moments for f in (form, *PATTERNS))):
        try:
            datetime.strptime(value, form)
            if (NARROW_BLANK in value) != (NARROW_BLANK in form):
                raise ValueError("Python takes any blank for any other")
        except ValueError:
            assert not is_time(value, form)
        else:
            digits = form in (EXCITE_TIME, "%Y%m%d%H%M%S")
            is_short = digits and len(value) != len(moments[0].strftime(form))
            # Python takes one blank for another, which the compiled loops don't.
            other_blank = (NARROW_BLANK in value) != (NARROW_BLANK in form)
            assert is_time(value, form) == (not is_short and not other_blank)


def test_that_every_day_of_two_hundred_years_is_its_own(tmp_path: Path) -> None:
    days = np.arange("1899-12-30", "2101-03-03", dtype="datetime64[D]")
    text = HEADER + "".join(f"1\tq\t{day} 12:34:56\t\t\n" for day in days.astype(str))
    log = read_log(save(tmp_path / "a", text))
    assert np.array_equal(log.time, days.astype("datetime64[s]").astype(np.int64) + 45_296)


def test_that_json_lines_are_read(tmp_path: Path) -> None:
    lines = [
        {"uid": 7, "q": 'a\tb\n"c"', "timestamp": 1_141_208_430, "url": None, "rank": None},
        {"uid": "7", "q": "é", "timestamp": "1141208431", "url": "http://x.example", "rank": 2},
        {"uid": 7.0, "timestamp": 1_141_208_432.5, "ip": "1.2.3.4"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    log = read_log(save(tmp_path / "a.jsonl", text))
    moment = utc("2006-03-01 10:20:30")
    assert rows_of(log) == [
        ("7", 'a\tb\n"c"', moment, None, -1),
        ("7", "é", moment + 1, "http://x.example", 2),
        ("7", "", moment + 2, None, -1),
    ]
    assert log.ip is not None
    assert log.ip.tolist() == [0, 0, 0x01020304]


@pytest.mark.parametrize("kind", ["s", "ms", "ns", "text", "integer", "date"])
def test_that_parquet_is_read_whatever_holds_the_time(tmp_path: Path, kind: str) -> None:
    moments = [utc("2006-03-01 00:00:00"), utc("2006-03-02 00:00:00")]
    column = {
        "text": lambda: pa.array(["2006-03-01 00:00:00", "2006-03-02 00:00:00"]),
        "integer": lambda: pa.array(moments),
        "date": lambda: pa.array([datetime.fromtimestamp(m, UTC).date() for m in moments]),
    }.get(kind, lambda: pa.array([m * 10**9 for m in moments]).cast(pa.timestamp("ns")).cast(
        pa.timestamp(kind, "UTC")))()  # fmt: skip
    table = pa.table({
        "AnonID": pa.array([5, 5]),
        "Query": pa.array(["a\nb", "c"]).dictionary_encode(),
        "QueryTime": column,
        "ItemRank": pa.array([1.0, None]),
        "ClickURL": ["http://x.example", None],
    })  # fmt: skip
    pq.write_table(table, tmp_path / "a.parquet")
    log = read_log(tmp_path / "a.parquet")
    assert rows_of(log) == [
        ("5", "a\nb", moments[0], "http://x.example", 1),
        ("5", "c", moments[1], None, -1),
    ]


def test_that_sniffing_says_what_reading_will_do(tmp_path: Path) -> None:
    text = HEADER + "".join(
        f"{n // 10}\tword {n % 300}\t2006-03-01 00:00:00\t\t\n" for n in range(40_000)
    )
    path = save(tmp_path / "a.txt.gz", gzip.compress(text.encode()))
    sniffed = sniff_log(path)
    assert (sniffed.format, sniffed.compression) == ("aol", "gzip")
    assert sniffed.column_names == tuple(HEADER.strip().split("\t"))
    assert sniffed.preview[0] == ("0", "word 0", "2006-03-01 00:00:00", "", "")
    assert len(sniffed.preview) == 50
    assert sniffed.bytes_on_disk == path.stat().st_size
    assert 20_000 < sniffed.estimated_rows < 80_000
    assert sniffed.problems == ()
    log = read_log(path, sniffed.options)
    assert log.digest == read_log(path).digest
    assert log.nbytes / 3 < sniffed.estimated_memory < log.nbytes * 3
    assert sniffed.estimated_peak > sniffed.estimated_memory


def test_that_what_nobody_can_guess_is_a_problem_and_not_an_error(tmp_path: Path) -> None:
    path = save(tmp_path / "a.csv", "when,user,query\n7th of May,me,shoes\n8th of May,me,hats\n")
    sniffed = sniff_log(path)
    assert len(sniffed.problems) == 1
    assert sniffed.user is not None
    assert (sniffed.user.name, sniffed.user.chosen) == ("user", "header")
    assert sniffed.column_names == ("when", "user", "query")
    with pytest.raises(LogFormatError, match=r"a\.csv: "):
        read_log(path)
    mended = replace(
        sniffed.options, time_format="%dth of %B", columns={"user": 1, "query": 2, "time": 0}
    )
    assert sniff_log(path, mended).problems == ()
    assert len(read_log(path, mended)) == 2


def test_that_no_more_rejects_are_kept_than_asked_for(tmp_path: Path) -> None:
    path = save(tmp_path / "a", AOL + "bad\n" * 500)
    log = read_log(path, ReadOptions(max_rejected_share=1.0, keep_rejects=3))
    assert log.origin.rejected == {"wrong column count": 500}
    assert [row.line for row in log.origin.rejects] == [9, 10, 11]
    assert all(row.text == "bad" for row in log.origin.rejects)
    assert "text" not in repr(log.origin.rejects[0])


def test_that_the_limit_on_bad_rows_is_a_share(tmp_path: Path) -> None:
    path = save(tmp_path / "a", HEADER + "1\tq\t2006-03-01 00:00:00\t\t\n" * 9 + "bad\n")
    assert len(read_log(path, ReadOptions(max_rejected_share=0.1))) == 9
    with pytest.raises(LogFormatError, match=r"a, line 11, column 1: 1 of 10 rows"):
        read_log(path, ReadOptions(max_rejected_share=0.099))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "excel"), ("columns", {"qury": 1}), ("columns", {"Colour": 1}),
        ("columns", {f"colour{number}": number for number in range(17)}), ("columns", {"user": -1}),
        ("delimiter", "ab"), ("delimiter", '"'), ("encoding", "klingon"), ("encoding", "zlib"),
        ("time_format", "soon"), ("time_format", "%Q"), ("time_zone", "Mars/Base"),
        ("max_rejected_share", 2.0), ("max_line_bytes", 0), ("max_expansion_ratio", float("nan")),
    ],
)  # fmt: skip
def test_that_wrong_options_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' must be") as caught:
        ReadOptions(**{name: value})  # type: ignore[arg-type]
    assert caught.value.parameter == name


def test_that_a_load_reports_and_hears_cancel(tmp_path: Path) -> None:
    text = HEADER + "".join(f"{n}\tq{n}\t2006-03-01 00:00:00\t\t\n" for n in range(60_000))
    path = save(tmp_path / "a", text)
    stages: list[tuple[str, int, int]] = []
    read_log(path, progress=Progress(lambda *what: stages.append(what), interval=0))
    reading = [what for what in stages if what[0] == "reading"]
    assert reading[-1][1] == reading[-1][2] == path.stat().st_size
    assert [what[1] for what in reading] == sorted(what[1] for what in reading)
    cancelled = threading.Event()
    moment = [0.0]

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "reading" and done:
            cancelled.set()
            moment[0] = time.monotonic()

    with pytest.raises(Cancelled):
        read_log(path, progress=Progress(stop, cancelled, interval=0))
    assert cancelled.is_set()
    assert threading.active_count() < 20
