"""Bad files, one a line, and what each gives: refused as a whole, or rows counted and left out.

The table is the documentation: `REFUSED` files raise one error with this text; of `COUNTED`
files the good rows are read and the bad ones counted under this reason, with this line and
column. Nothing hangs, and no message holds a query.
"""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import random
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.api.log import from_arrow
from auditor.errors import LogFormatError
from auditor.log.reading.decompression import CHUNK, expand_streams, fill_from, load_zstd
from auditor.log.reading.presets.json_array import find_elements
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.log.reading.sources import is_one_time
from tests.log.rows import zipped

ZSTD = load_zstd()

HEADER = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
BROKEN = "log.tsv: The archive is damaged or cut short."
SECRET = "zebra crossing"
"""A query that no message may hold."""
GOOD = f"7\t{SECRET}\t2006-03-01 10:00:00\t1\thttp://a.example\n".encode()
BARE = f"7\t{SECRET}\t2006-03-01 10:00:00\t\t\n".encode()
LOG = HEADER + GOOD * 3
BIG = HEADER + b"".join(
    f"{user}\tword{user}\t2006-03-01 10:{user % 60:02}:00\t\t\n".encode() for user in range(20_000)
)

Make = Callable[[Path], Path]


def holds(data: bytes | Callable[[], bytes], name: str = "log.tsv") -> Make:
    """A file of these bytes; what is large is made when its test runs."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(data() if callable(data) else data)
        return path

    return make


def encrypted() -> bytes:
    data = bytearray(zipped({"log.tsv": LOG}))
    data[6] |= 1  # the flag in the member's own header
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the directory
    return bytes(data)


def tarred() -> bytes:
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        info = tarfile.TarInfo("log.tsv")
        info.size = len(LOG)
        archive.addfile(info, io.BytesIO(LOG))
    return buffer.getvalue()


def bad_checksum() -> bytes:
    data = bytearray(gzip.compress(BIG))
    data[-8] ^= 0xFF
    return bytes(data)


def parquet(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def parquet_log(rows: int = 1000) -> bytes:
    return parquet(
        pa.table({
            "user": [str(row) for row in range(rows)],
            "query": ["a b"] * rows,
            "time": pa.array([1_141_000_000 + row for row in range(rows)], pa.timestamp("s")),
        })
    )  # fmt: skip


def equal_rows(rows: int) -> pa.Table:
    codes = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int32)), ["a"])
    time = pa.array(np.full(rows, 1_141_000_000))
    return pa.table({"user": codes, "query": codes, "time": time})


def overlapping(entries: int) -> bytes:
    """A zip whose directory names one member many times."""
    data = zipped({"log.tsv": BIG})
    place = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entry = data[place:end]
    names = [b"%07d" % number for number in range(entries)]
    directory = b"".join(entry.replace(b"log.tsv", name) for name in names)
    counts = struct.pack("<HHII", entries, entries, len(directory), place)
    return data[:place] + directory + data[end : end + 8] + counts + b"\0\0"


def lying_about_sizes() -> bytes:
    data = bytearray(zipped({"log.tsv": BIG}))
    place = data.index(b"PK\x01\x02") + 24
    data[place : place + 4] = struct.pack("<I", 10)
    return bytes(data)


def folder_of(**files: bytes) -> Make:
    def make(folder: Path) -> Path:
        target = folder / "logs"
        target.mkdir()
        for name, data in files.items():
            (target / name.replace("_", ".")).write_bytes(data)
        return target

    return make


def fifo(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.tsv")
    return folder / "pipe.tsv"


def unix_socket(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(folder)  # the name of a socket may not be long
        server.bind("s")
    return folder / "s"


def loop(folder: Path) -> Path:
    (folder / "a.tsv").symlink_to(folder / "b.tsv")
    (folder / "b.tsv").symlink_to(folder / "a.tsv")
    return folder / "a.tsv"


SMALL: dict[str, object] = {"max_expanded_bytes": 100_000}
RATIO: dict[str, object] = {"max_expansion_ratio": 20.0}

REFUSED: dict[str, tuple[Any, ...]] = {
    "an empty file": (b"", "log.tsv: The file is empty."),
    "UTF-16 of neither order": (
        LOG, "log.tsv: The text isn't in the encoding it should be", {"encoding": "utf-16"},
    ),
    "a table of numbers in a program's own form": (
        struct.pack("<500d", *range(500)), "log.tsv: This is binary data",
    ),
    # --- packed badly
    "gzip cut short": (lambda: gzip.compress(BIG)[:-2000], BROKEN),
    "gzip of nothing but a header": (b"\x1f\x8b", BROKEN),
    "gzip with a wrong checksum": (bad_checksum, BROKEN),
    "gzip and something behind it": (gzip.compress(LOG) + b"more", BROKEN),
    "bzip2 cut short": (lambda: bz2.compress(BIG)[:-500], BROKEN),
    "xz cut short": (lambda: lzma.compress(BIG, preset=0)[:-500], BROKEN),
    "xz with a flipped bit": (lzma.compress(LOG)[:30] + b"\xff" + lzma.compress(LOG)[31:], BROKEN),
    "zstd cut short": (lambda: ZSTD.compress(BIG)[:-500], BROKEN),
    "zip cut short": (zipped({"log.tsv": BIG})[:-200], "The zip archive is damaged or cut short"),
    "a zip directory that lies about sizes": (lying_about_sizes, "damaged or cut short"),
    "zip without members": (zipped({}), "log.tsv: The archive holds no file."),
    "packed twice": (gzip.compress(bz2.compress(LOG)), "This is packed twice (gzip, then bzip2)"),
    "a tar archive": (tarred(), "This is a tar archive. Unpack it"),
    "a bomb by size": (
        gzip.compress(bytes(10**7)), "Unpacked, this is larger than 100,000 bytes", SMALL,
    ),
    "a bomb by ratio": (
        lambda: gzip.compress(HEADER + GOOD * 1_300_000), "This expands more than 20 times", RATIO,
    ),
    "a zip bomb": (
        lambda: zipped({"log.tsv": HEADER + GOOD * 1_300_000}),
        "This expands more than 20 times", RATIO,
    ),
    "a zip of members on the same bytes": (
        overlapping(200), "Two members of the zip archive stand on the same bytes",
    ),
    "a zip bomb of many members": (
        lambda: zipped({f"{n}.tsv": HEADER + GOOD * 100_000 for n in range(20)}),
        "log.tsv: This expands more than 20 times", RATIO,
    ),
    "a zip of more members than are taken in": (
        lambda: zipped({f"{n}.tsv": LOG for n in range(10_001)}),
        "log.tsv: The archive holds more than 10,000 members",
    ),
    "zstd with a million empty frames": (
        lambda: ZSTD.compress(LOG) + ZSTD.compress(b"") * 1_000_000,
        "The archive holds more than 10,000 empty parts",
    ),
    "gzip with 100,000 empty members": (
        lambda: gzip.compress(LOG) + gzip.compress(b"") * 100_000,
        "The archive holds more than 10,000 empty parts",
    ),
    "Parquet that claims to be huge": (
        lambda: parquet_log(100_000), "larger than 1,000 bytes", {"max_expanded_bytes": 1000},
    ),
    "Parquet of 20 million equal rows": (
        lambda: parquet(equal_rows(20_000_000)), "log.tsv: This expands more than 250 times",
    ),
    "Parquet of one query of 100 MB": (
        lambda: parquet(pa.table({"user": ["u"], "query": ["x" * 100_000_000], "time": [1]})),
        "log.tsv: This expands more than 250 times",
    ),
    # --- something else
    "a PDF": (b"%PDF-1.7\n", "This is a PDF document."),
    "a spreadsheet": (zipped({"[Content_Types].xml": b"<x/>"}), "This is an Office document"),
    "Parquet cut short": (parquet_log()[:-100], "The file is damaged or cut short"),
    "Parquet with zeros in it": (
        parquet_log()[:200] + bytes(2000) + parquet_log()[2200:],
        "The file is damaged or cut short",
    ),
    "Parquet inside gzip": (
        gzip.compress(parquet_log()), "This is a Parquet or Arrow file inside an archive",
    ),
    "Parquet without a time": (
        parquet(pa.table({"user": ["a"], "query": ["b"]})), "No column could be taken for the time",
    ),
    "Parquet of lists": (
        parquet(pa.table({"user": [["a"]], "query": ["b"], "time": [1_141_000_000]})),
        "A column holds neither text nor numbers",
    ),
    "prose": (b"This is a letter.\n\nIt has no columns.\n", "It is no table"),
    "random bytes": (
        bytes((i * 7919 + i // 3) % 256 for i in range(9000)),
        "log.tsv: This is binary data, no log.",
    ),
    "one line of 30 MB": (lambda: b"x" * 30_000_000, "It is no table"),
    "JSON lines of lists": (
        b"[1]\n[2]\n", "No line of the beginning is a JSON object", {"format": "jsonl"},
    ),
    # --- too much of it bad
    "half the rows bad": (
        LOG + b"x\ty\n" * 3, "log.tsv, line 5, column 2: 3 of 6 rows can't be read",
    ),
    "every time bad": (
        HEADER + b"1\tq\tyesterday\t\t\n",
        "log.tsv, line 2, column 3: 1 of 1 rows can't be read (bad time 1)",
    ),
    # --- not what was said
    "a column that isn't there": (
        b"user,query,time\na,b,2006-01-01 00:00:00\n",
        "There is no column called 'who' to take for user", {"columns": {"user": "who"}},
    ),
    "a column beyond the last": (
        b"a,b,2006-01-01 00:00:00\n", "Column 9 for time is beyond the last of 3",
        {"columns": {"user": 0, "query": 1, "time": 9}, "header": False},
    ),
    "one column in two roles": (
        b"a,b,2006-01-01 00:00:00\n", "One column can't be both user and query",
        {"columns": {"user": 0, "query": 0, "time": 2}, "header": False},
    ),
}  # fmt: skip
"""Of files the bytes, or what makes them, the message, and perhaps options."""
UNREACHABLE: dict[str, tuple[Make, str]] = {
    "no such file": (lambda folder: folder / "no.tsv", "no.tsv: There is no such file."),
    "an empty folder": (folder_of(), "logs: The folder holds no file."),
    "a folder of empty files": (folder_of(a_tsv=b"", b_tsv=b""), "a.tsv: The file is empty."),
    "a folder without a log": (folder_of(README=b"Hello\n", a_png=b"\x89PNG\r\n"), "README: "),
    "a named pipe": (fifo, "pipe.tsv: This is no regular file but a pipe or a device."),
    "a socket": (unix_socket, "s: This is no regular file but a pipe or a device."),
    "a device": (lambda _: Path("/dev/zero"), "zero: This is no regular file but a pipe"),
    "links in a circle": (loop, "a.tsv: The file can't be read: "),
    "a name with NUL": (lambda folder: folder / "a\0b", "The file can't be read."),
    "a broken part of a folder": (
        folder_of(a_tsv=LOG, b_gz=gzip.compress(BIG)[:-100]), "b.gz: The archive is damaged",
    ),
    "zip encrypted": (holds(encrypted(), "a.zip"), "a.zip:log.tsv: This member is encrypted"),
    "two files of different columns": (folder_of(a_tsv=LOG), "Its columns aren't those of a.tsv"),
}  # fmt: skip
"""What makes a place, and the message."""


@pytest.mark.parametrize("name", [*REFUSED, *UNREACHABLE])
def test_that_a_file_is_refused_with_one_clear_error(name: str, tmp_path: Path) -> None:
    content, message, *options = REFUSED.get(name) or UNREACHABLE[name]
    make = content if name in UNREACHABLE else holds(content)
    cwd = Path.cwd()
    try:
        path: object = make(tmp_path)
        if name == "two files of different columns":
            other = tmp_path / "b.csv"
            other.write_bytes(b"user,query,time\na,b,2006-01-01 00:00:00\n")
            path = [tmp_path / "logs" / "a.tsv", other]
        with pytest.raises(LogFormatError) as caught:
            read_log(path, ReadOptions(**dict(*options)))  # type: ignore[arg-type]
        if name == "gzip and something behind it":
            with pytest.raises(LogFormatError, match="damaged or cut short"):
                sniff_log(path)  # type: ignore[arg-type]
    finally:
        os.chdir(cwd)
    assert message in str(caught.value)
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def row(
    user: bytes = b"9",
    query: bytes = b"q",
    time: bytes = b"2006-03-02 00:00:00",
    rank: bytes = b"",
    url: bytes = b"",
) -> bytes:
    return b"\t".join((user, query, time, rank, url)) + b"\n"


CSV = b"user,query,time,ip\n"
CSV_GOOD = b'u,"a, ""b""",2006-03-01 10:00:00,10.0.0.1\n' * 3
JSON_GOOD = b'{"user": 1, "query": "a", "time": "2006-03-01 10:00:00"}\n' * 3

COUNTED: dict[str, tuple[bytes, str, int, int | None]] = {
    # --- AOL's rows: file, reason, line, column (from 1)
    "too few columns": (LOG + b"9\tq\n", "wrong column count", 5, 2),
    "four columns": (LOG + b"9\tq\t2006-03-02 00:00:00\t\n", "wrong column count", 5, 4),
    "too many columns": (LOG + row(url=b"a\tb"), "wrong column count", 5, 6),
    "an empty line": (HEADER + GOOD + b"\n" + GOOD * 2, "empty line", 3, None),
    "two line ends at the end": (LOG + b"\n", "empty line", 5, None),
    "the last row cut short": (LOG + b"9\tq\t2006-0", "bad time", 5, 3),
    "a second header": (LOG + HEADER, "repeated header", 5, None),
    "no user": (LOG + row(user=b""), "empty user", 5, 1),
    "a day that never was": (LOG + row(time=b"2006-02-29 00:00:00"), "bad time", 5, 3),
    "a day beyond the month": (
        LOG + row(time=b"2006-03-31 00:00:00") + row(time=b"2006-03-32 00:00:00"), "bad time", 6, 3
    ),
    "hour 24": (LOG + row(time=b"2006-03-01 24:00:00"), "bad time", 5, 3),
    "letters in the time": (LOG + row(time=b"2006-03-0x 00:00:00"), "bad time", 5, 3),
    "a colon for a digit": (LOG + row(time=b"2006-03-0: 00:00:00"), "bad time", 5, 3),
    "no time": (LOG + row(time=b""), "bad time", 5, 3),
    "a time with a tail": (LOG + row(time=b"2006-03-01 00:00:00x"), "bad time", 5, 3),
    "a rank of letters": (LOG + row(rank=b"first"), "bad rank", 5, 4),
    "a negative rank": (LOG + row(rank=b"-2"), "bad rank", 5, 4),
    "a rank beyond 32,767": (LOG + row(rank=b"32768"), "bad rank", 5, 4),
    "NUL in the query": (LOG + row(query=b"a\0b"), "NUL byte", 5, 2),
    "NUL in the user": (LOG + row(user=b"\0"), "NUL byte", 5, 1),
    "Latin-1 beside UTF-8": (
        LOG + row(query="café".encode()) + row(query=b"caf\xe9"), "bad UTF-8", 6, 2
    ),
    "damage in the query": (LOG + row(query=b"caf\xff"), "bad UTF-8", 5, 2),
    "UTF-8 cut off": (LOG + row(query=b"\xe2\x82"), "bad UTF-8", 5, 2),
    "an overlong encoding": (LOG + row(query=b"\xc0\xaf"), "bad UTF-8", 5, 2),
    "half a surrogate pair": (LOG + row(url=b"\xed\xa0\x80"), "bad UTF-8", 5, 5),
    "beyond Unicode": (LOG + row(query=b"\xf4\x90\x80\x80"), "bad UTF-8", 5, 2),
    "a line of 70,000 bytes": (LOG + row(query=b"x" * 70_000), "line too long", 5, None),
    "a line of 3 MB": (LOG + row(query=b"x" * 3_000_000) + GOOD, "line too long", 5, None),
    "a field of 20,000 bytes": (LOG + row(query=b"x" * 20_000), "field too long", 5, 2),
    # --- CSV
    "a quote nobody closed": (
        CSV + CSV_GOOD + b'v,"a,2006-03-01 10:00:00,\n' + CSV_GOOD, "bad quoting", 5, 2
    ),
    "text behind a closing quote": (
        CSV + CSV_GOOD + b'v,"a"b,2006-03-01 10:00:00,\n', "bad quoting", 5, 2
    ),
    "an address of five parts": (
        CSV + CSV_GOOD + b"v,a,2006-03-01 10:00:00,1.2.3.4.5\n", "bad IP address", 5, 4
    ),
    "an address beyond 255": (
        CSV + CSV_GOOD + b"v,a,2006-03-01 10:00:00,1.2.3.256\n", "bad IP address", 5, 4
    ),
    "an IPv6 address": (CSV + CSV_GOOD + b"v,a,2006-03-01 10:00:00,::1\n", "bad IP address", 5, 4),
    # --- JSON lines
    "no JSON": (JSON_GOOD + b"{nothing}\n", "bad JSON", 4, None),
    "JSON that isn't an object": (JSON_GOOD + b"[1, 2]\n", "bad JSON", 4, None),
    "JSON nested 50,000 deep": (JSON_GOOD + b"[" * 50_000 + b"\n", "bad JSON", 4, None),
    "a number of 5,000 digits": (
        JSON_GOOD + b'{"user": ' + b"1" * 5000 + b', "query": "a", "time": 1}\n',
        "bad JSON", 4, None,
    ),
    "a list for a query": (
        JSON_GOOD + b'{"user": 1, "query": ["a", "b"], "time": "2006-03-01 10:00:00"}\n',
        "bad JSON", 4, None,
    ),
    "an escaped NUL": (
        JSON_GOOD + b'{"user": 1, "query": "\\u0000", "time": "2006-03-01 10:00:00"}\n',
        "NUL byte", 4, None,
    ),
    "an escaped half pair": (
        JSON_GOOD + b'{"user": 1, "query": "\\ud800", "time": "2006-03-01 10:00:00"}\n',
        "bad UTF-8", 4, None,
    ),
    "no user in JSON": (
        JSON_GOOD + b'{"query": "a", "time": "2006-03-01 10:00:00"}\n', "empty user", 4, None
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COUNTED)
def test_that_a_bad_row_is_counted_with_its_place(name: str, tmp_path: Path) -> None:
    data, reason, line, column = COUNTED[name]
    path = holds(data, "log.txt")(tmp_path)
    log = read_log(path, ReadOptions(max_rejected_share=0.5))
    assert log.origin.rejected == {reason: 1}
    [reject] = log.origin.rejects
    assert (reject.file, reject.line, reject.column) == ("log.txt", line, column)
    assert reject.reason == reason
    assert len(log) == log.origin.rows_read - 1 >= 3
    assert len(reject.text) <= 300


def test_that_a_null_in_parquet_is_counted(tmp_path: Path) -> None:
    table = pa.table({
        "user": ["a", None, "b", "c"],
        "query": ["x", "y", None, "z"],
        "time": pa.array([1_141_000_000, 1_141_000_000, 1_141_000_000, None], pa.timestamp("s")),
    })  # fmt: skip
    path = holds(parquet(table))(tmp_path)
    log = read_log(path, ReadOptions(max_rejected_share=0.5))
    assert log.origin.rejected == {"empty user": 1, "bad time": 1}
    assert [(reject.line, reject.reason) for reject in log.origin.rejects] == [
        (2, "empty user"),
        (4, "bad time"),
    ]
    assert log.queries.list_strings() == ["x", ""]


def test_that_one_long_string_repeated_in_parquet_takes_no_memory(tmp_path: Path) -> None:
    rows = 200_000
    words = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * 10_000])
    time = pa.array([1_141_000_000] * rows, pa.timestamp("s"))
    table = pa.table({"user": pa.array(["u"] * rows), "query": words, "time": time})
    path = holds(parquet(table))(tmp_path)
    log = read_log(path, ReadOptions(columns={"user": "user"}))
    assert len(log) == rows
    assert log.queries.nbytes < 20_000


def test_that_what_lies_about_in_a_folder_is_ignored_with_a_note(tmp_path: Path) -> None:
    target = folder_of(log_tsv=LOG)(tmp_path)
    os.mkfifo(target / "a.tsv")
    (target / "README").write_bytes(b"Read me.\n")
    (target / "notes.txt").write_bytes(b"Some notes, about this; and that.\n")
    (target / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (target / "deeper").mkdir()
    (target / ".hidden").write_bytes(b"x")
    log = read_log(target)
    assert len(log) == 3
    unread = {"a.tsv", "README", "notes.txt", "picture.png", "deeper", ".hidden"}
    assert set(log.origin.left_out) == unread
    assert [path.name for path in log.origin.files] == ["log.tsv"]


def test_that_many_unclosed_quotes_take_no_quadratic_time(tmp_path: Path) -> None:
    path = holds(CSV + b'v,"a,2006-03-01 10:00:00,\n' * 200_001)(tmp_path)
    log = read_log(path, ReadOptions(max_rejected_share=1.0, columns={}))
    assert log.origin.rejected["bad quoting"] + len(log) == log.origin.rows_read


@pytest.mark.parametrize("behind", range(-9, 10))
def test_that_no_row_is_lost_where_a_zstd_frame_ends_with_a_read(
    behind: int, tmp_path: Path
) -> None:
    lines = BIG.split(b"\n")[:201]
    first = ZSTD.compress(b"\n".join(lines) + b"\n")
    filler = 2 * CHUNK - len(first) % CHUNK - 8 + behind
    skippable = b"\x50\x2a\x4d\x18" + struct.pack("<I", filler) + bytes(filler)
    rest = b"\n".join(lines[1:]).replace(b"\tword", b"\tother")
    path = holds(first + skippable + ZSTD.compress(rest))(tmp_path)
    assert len(read_log(path)) == 400


@pytest.mark.parametrize("kind", ["gzip", "bzip2", "xz", "zstd"])
@given(sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=12), padding=st.integers(0, 9))
@settings(max_examples=25)
def test_that_streams_end_to_end_are_one_however_they_are_read(
    kind: str, sizes: list[int], padding: int
) -> None:
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "bzip2": bz2.compress,
        "xz": lambda data: lzma.compress(data, preset=0),
        "zstd": ZSTD.compress,
    }
    pack = packers[kind]
    between = b"" if kind == "zstd" else bytes(padding)
    texts = [BIG[size : 3 * size] for size in sizes]
    packed = io.BytesIO(between.join(pack(text) for text in texts))
    for step in (1, 7, 4096):
        packed.seek(0)
        fill = fill_from(expand_streams(kind, lambda size, step=step: packed.read(min(size, step))))  # type: ignore[misc]
        buffer = bytearray(100_000)
        done = 0
        while got := fill(memoryview(buffer)[done:]):
            done += got
        assert bytes(buffer[:done]) == b"".join(texts)


@pytest.mark.parametrize("part", ['"schema":{},', '"fields":[],', '"columns":[],', '"a":{},'])
def test_that_an_object_of_many_fields_is_looked_through_once(part: str) -> None:
    # Fields that fit in two ways once took a time that doubled with each of them.
    head = ("{" + part * 20_000).encode()
    began = time.process_time()
    find_elements(head)
    assert time.process_time() - began < 5


@pytest.mark.slow
def test_that_thousands_of_small_members_take_no_quadratic_time(tmp_path: Path) -> None:
    # Each member used to cost a reading of the whole directory: 135 seconds for these.
    members = [(f"{n}.tsv", HEADER + b"%d\tq\t2006-03-01 10:00:00\t\t\n" % n) for n in range(3_000)]
    path = holds(zipped(dict(members)))(tmp_path)
    began = time.process_time()
    assert len(read_log(path)) == 3_000
    assert time.process_time() - began < 40


@pytest.mark.parametrize("role", ["user", "query", "time", "url"])
@pytest.mark.parametrize(
    "kind",
    [*(pa.timestamp(unit) for unit in ("ms", "us", "ns")), pa.date32(), pa.duration("s")],
    ids=str,
)
def test_that_times_outside_the_calendar_are_no_traceback(
    kind: pa.DataType, role: str, tmp_path: Path
) -> None:
    integer = pa.int32() if kind == pa.date32() else pa.int64()
    most = 2**31 - 1 if kind == pa.date32() else 2**63 - 1
    columns = {"user": pa.array(["a", "b"]), "query": pa.array(["x", "y"])}
    columns |= {"time": pa.array([1_141_000_000] * 2)}
    columns |= {role: pa.array([most, -most], integer).cast(kind)}
    path = holds(parquet(pa.table(columns)))(tmp_path)
    assert sniff_log(path).estimated_rows == 2
    with contextlib.suppress(LogFormatError):  # a traceback of Arrow's or Python's is what fails
        assert len(read_log(path, ReadOptions(max_rejected_share=1.0))) <= 2


def test_that_rows_from_before_the_web_are_told(tmp_path: Path) -> None:
    path = holds(LOG + row(time=b"0001-01-02 00:00:00") + row(time=b"9999-12-30 00:00:00"))(
        tmp_path
    )
    assert "2 of 5 rows have times before 1990 or after 2099" in " ".join(
        read_log(path).origin.assumptions
    )
    assert "times before" not in " ".join(read_log(holds(LOG)(tmp_path)).origin.assumptions)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1_700_000_000_123_456_789, 1_700_000_000_123_456_789, True),
        (1_700_000_000_123_456_789, 1_700_000_000_000_000_000, True),  # seconds
        (1_700_000_000_123_000_000, 1_700_000_000_123_456_789, True),  # milliseconds
        (1_700_000_000_123_456_700, 1_700_000_000_123_456_789, True),  # as in Windows' shares
        (1_700_000_000_123_456_789, 1_700_000_000_123_456_790, False),
        (1_700_000_000_123_456_789, 1_700_000_001_000_000_000, False),
        (1_700_000_000_123_456_789, 1_700_000_000_124_000_000, False),
        (1_700_000_000_123_000_001, 1_700_000_000_123_456_789, False),
    ],
)
def test_that_a_time_of_change_may_be_told_in_other_units(
    first: int, second: int, same: bool
) -> None:
    assert is_one_time(first, second) == is_one_time(second, first) == same


ROWS = 400
TABLE = pa.table({
    "user": [f"u{row % 23}" for row in range(ROWS)],
    "query": [f"query {row % 31}" for row in range(ROWS)],
    "time": pa.array([1_767_225_600 + 977 * row for row in range(ROWS)], pa.timestamp("s")),
})  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("compression", ["none", "snappy"])
def test_that_flipped_bytes_of_parquet_are_read_or_one_clear_error(
    seed: int, compression: str, tmp_path: Path
) -> None:
    out = io.BytesIO()
    pq.write_table(TABLE, out, compression=compression, row_group_size=150)
    rng = random.Random(seed)
    for _ in range(25):
        data = bytearray(out.getvalue())
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        try:
            log = read_log(holds(bytes(data))(tmp_path), ReadOptions(max_rejected_share=1.0))
        except LogFormatError:
            continue
        assert len(log) + sum(log.origin.rejected.values()) == log.origin.rows_read


OFFSETS = pa.py_buffer(b"".join(value.to_bytes(4, "little") for value in (0, 900, 3)))
BROKEN_TABLES = {
    "strings with wrong offsets": {
        "user": pa.Array.from_buffers(pa.string(), 2, [None, OFFSETS, pa.py_buffer(b"abc")]),
        "query": ["a b", "c d"],
    },
    "codes beyond a dictionary": {
        "user": ["u", "v"],
        "query": pa.DictionaryArray.from_arrays(pa.array([0, -1], pa.int32()), ["x"], safe=False),
    },
}


@pytest.mark.parametrize("name", BROKEN_TABLES)
def test_that_a_damaged_table_in_memory_is_refused(name: str) -> None:
    with pytest.raises(LogFormatError):
        from_arrow(pa.table(BROKEN_TABLES[name] | {"time": [1_767_225_600] * 2}))


def test_that_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    twofold = pa.Table.from_arrays([*TABLE.columns, TABLE["query"]], [*TABLE.column_names, "query"])
    with pytest.raises(LogFormatError, match="same name"):
        read_log(holds(parquet(twofold))(tmp_path))
    with pytest.raises(LogFormatError, match="same name"):
        from_arrow(twofold)
