"""Properties of the reader: equal to a plain one in Python, wherever blocks are cut."""

import codecs
import csv
import io
import re
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.log.dictionary_encoding import DictionaryEncoder
from auditor.log.model import QueryLog, RejectedRow
from auditor.log.reading import reader
from auditor.log.reading.reader import ReadOptions
from auditor.log.writing import write_log
from auditor.progress import silent_progress
from tests.log.rows import Row, rows_of

HEADER = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
COLUMNS = {"user": 0, "query": 1, "time": 2, "rank": 3, "url": 4}
PLAIN = ReadOptions(
    format="delimited",
    delimiter="\t",
    quoting=False,
    header=False,
    encoding="utf-8",
    time_format="iso",
    columns=COLUMNS,
    max_rejected_share=1.0,
    max_line_bytes=90,
    max_field_bytes=40,
)


def load(data: bytes, options: ReadOptions, threads: int, block: int) -> QueryLog:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(data)
        planned = reader.planned_parts(path, options, silent_progress())
        return reader.load_parts(planned, silent_progress(), threads, block)


def by_hand(data: bytes, most_line: int, most_field: int) -> tuple[list[Row], list[RejectedRow]]:
    """The same reader in plain Python: rows in order of input, and what was refused."""
    good: list[Row] = []
    bad: list[RejectedRow] = []
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        row = _row(line, most_line, most_field)
        if isinstance(row[0], str) and len(row) == 2:
            bad.append(RejectedRow("log", number, row[1], row[0]))  # type: ignore[arg-type]
        else:
            good.append(row)  # type: ignore[arg-type]
    return good, bad


def _row(line: bytes, most_line: int, most_field: int) -> tuple[object, ...]:
    line = line.removeprefix(codecs.BOM_UTF8)  # of a file that was appended
    if len(line) > most_line:
        return "line too long", None
    body = line.removesuffix(b"\r")
    if not body:
        return "empty line", None
    if b"\0" in line:
        return "NUL byte", line[: line.index(b"\0")].count(b"\t") + 1
    try:
        body.decode()
    except UnicodeDecodeError as error:
        return "bad UTF-8", body[: error.start].count(b"\t") + 1
    fields = body.decode().split("\t")
    if len(fields) != 5:
        return "wrong column count", min(len(fields), 6)
    user, query, stamp, rank, url = fields
    for role in (0, 1, 2, 4, 3):
        if len(fields[role].encode()) > most_field:
            return "field too long", role + 1
    if not user:
        return "empty user", 1
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", stamp):
        return "bad time", 3
    try:
        moment = datetime.strptime(stamp, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return "bad time", 3
    rank = re.sub("^-1$", "", rank.strip(" "))
    if (rank and not re.fullmatch(r"[0-9]{1,5}", rank)) or int(rank or 0) > 32_767:
        return "bad rank", 4
    clicked = None if url in ("", "-") else url
    place = int(rank or -1)
    return user, query, int(moment.timestamp()), clicked, place if place or clicked else -1


def expected(good: list[Row]) -> list[Row]:
    order = {user: number for number, user in enumerate(dict.fromkeys(row[0] for row in good))}
    return sorted(good, key=lambda row: (order[row[0]], row[2]))


TEXT = st.sampled_from(["", "-", "a", "é", "検索", "zebra", 'a "b', "x" * 8, "x" * 9, "y" * 17])
STAMP = st.sampled_from([
    "2006-03-01 00:00:00", "2006-03-31 23:59:59", "2006-02-28 01:02:03", "2006-02-29 00:00:00",
    "2004-02-29 00:00:00", "2006-04-31 00:00:00", "2006-03-1x 00:00:00", "2006-03-01 0:000:00",
    "2006-03-00 00:00:00", "1969-12-31 23:59:59", "", "2006-03-01",
])  # fmt: skip
GOOD_LINE = st.builds(
    lambda user, query, stamp, rank, url, end: "\t".join((user, query, stamp, rank, url)) + end,
    st.sampled_from(["1", "2", "30", "", "user with a long name"]),
    TEXT,
    STAMP,
    st.sampled_from(["", "1", " 500 ", "32767", "32768", "x", "-1", "-2"]),
    TEXT,
    st.sampled_from(["\n", "\n", "\r\n"]),
).map(str.encode)
ANY_LINE = st.one_of(
    GOOD_LINE,
    GOOD_LINE,
    GOOD_LINE,
    st.binary(max_size=120).map(lambda data: data + b"\n"),
    st.just(b"\n"),
    st.just(b"z" * 300 + b"\n"),
)
DATA = st.lists(ANY_LINE, min_size=1, max_size=40).map(b"".join)


@given(
    data=DATA, last=st.booleans(), threads=st.sampled_from([1, 2, 3]), block=st.integers(64, 900)
)
@example(data=codecs.BOM_UTF8 + b"\n", last=False, threads=1, block=64)
@example(data=codecs.BOM_UTF8 + b"\n", last=True, threads=2, block=64)
@example(data=codecs.BOM_UTF8 * 2 + b"\n", last=False, threads=1, block=64)
def test_that_it_reads_what_a_plain_reader_reads_wherever_blocks_are_cut(
    data: bytes, last: bool, threads: int, block: int
) -> None:
    # Enough good rows that the columns are plain.
    data = b"1\tq\t2006-03-01 00:00:00\t\t\n" * 42 + data
    if last:
        data = data.rstrip(b"\n")
    good, bad = by_hand(data, PLAIN.max_line_bytes, PLAIN.max_field_bytes)
    log = load(data, PLAIN, threads, block)
    assert rows_of(log) == expected(good)
    rejects = [RejectedRow(r.file, r.line, r.column, r.reason) for r in log.origin.rejects]
    assert rejects == bad
    assert sum(log.origin.rejected.values()) == len(bad)
    assert log.origin.rows_read == len(good) + len(bad)
    for codes, words in ((log.query, log.queries), (log.url, log.urls), (log.user, log.users)):
        some = codes[codes >= 0]
        places = np.unique(some, return_index=True)
        assert places[0].tolist() == list(range(len(words)))
        assert np.all(np.diff(places[1]) > 0)


CELL = st.text(st.sampled_from('ab ,"\n\r\té'), max_size=6)
QUOTED = ReadOptions(
    format="delimited",
    delimiter=",",
    quoting=True,
    header=False,
    encoding="utf-8",
    time_format="epoch_s",
    columns={"user": 0, "query": 1, "time": 2},
    max_rejected_share=1.0,
)


@given(
    cells=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=20),
    threads=st.sampled_from([1, 2]),
    block=st.integers(64, 300),
)
def test_that_quoted_cells_come_back_as_csv_wrote_them(
    cells: list[tuple[str, str]], threads: int, block: int
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for number, (user, query) in enumerate(cells):
        writer.writerow([user + "u", query, number])
    log = load(text.getvalue().encode(), QUOTED, threads, block)
    assert log.origin.rejected == {}
    rows = sorted((int(t), log.users[u], log.queries[q]) for u, q, t in zip(
        log.user, log.query, log.time, strict=True))  # fmt: skip
    assert rows == [(n, user + "u", query) for n, (user, query) in enumerate(cells)]


@given(
    pieces=st.lists(
        st.sampled_from(
            ['a,b,1\n', '"a","b",2\n', '"a""c",b,3\n', '"a\nb",c,4\n', 'a,"b,5\n', '"a"x,b,6\n',
             'a,b""c,7\n', '"\n', '"",b,8\n', 'a,"b"\r\n', 'a,"b",9\r\n', "a,b\n", '"\0",b,1\n',
             "y" * 500 + "\n", '"' + "y" * 500 + '",b,1\n']
        ),
        max_size=30,
    ),
    block=st.integers(64, 400),
)  # fmt: skip
def test_that_broken_quoting_is_read_alike_wherever_blocks_are_cut(
    pieces: list[str], block: int
) -> None:
    data = ("k,k,1\n" + "".join(pieces)).encode()
    options = replace(QUOTED, max_line_bytes=200)
    full, cut = load(data, options, 1, 10**6), load(data, options, 2, block)
    assert cut.digest == full.digest
    assert cut.origin.rejects == full.origin.rejects
    assert cut.origin.rows_read == full.origin.rows_read
    assert all(reject.line <= data.count(b"\n") for reject in cut.origin.rejects)


LOG = st.lists(
    st.tuples(
        st.sampled_from(["u1", "u2", "ü 3", 'u"4']),
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8),
        st.integers(-(10**9), 2 * 10**9),
        st.one_of(st.none(), st.text(st.sampled_from('ht:/"\t\n\r. é'), min_size=1, max_size=8)),
        st.integers(-1, 32_767),
        st.integers(0, 2**32 - 1),
        st.one_of(st.none(), st.sampled_from(["k1", "k\t2"])),
    ),
    min_size=1,
    max_size=25,
)


@given(events=LOG, form=st.sampled_from(["tsv", "parquet"]), ip=st.booleans(), cookie=st.booleans())
@pytest.mark.parametrize("subset", [False, True])
def test_that_a_log_written_and_read_again_is_the_same(
    events: list[tuple[str, str, int, str | None, int, int, str | None]],
    form: str,
    ip: bool,
    cookie: bool,
    subset: bool,
) -> None:
    user, query, time, url, rank, address, cookies = (list(c) for c in zip(*events, strict=True))
    log = QueryLog.from_columns(
        user=user,
        query=query,
        time=time,
        url=url,
        rank=np.array([n or -1 for n in rank], np.int16),
        ip=np.array(address, np.uint32) if ip else None,
        cookie=cookies if cookie else None,
    )
    if subset:
        log = log.rows(np.arange(len(log) // 2, len(log)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        write_log(log, path, format=form)  # type: ignore[arg-type]
        again = reader.read_log(path)
    assert again.origin.rejected == {}
    assert rows_of(again) == rows_of(log)
    assert again.digest == log.digest


@given(
    words=st.lists(st.sampled_from([b"", b"a", b"b" * 7, b"c" * 8, b"d" * 9, b"d" * 16 + b"e"] + [
        str(n).encode() for n in range(40)]), max_size=200),
    cut=st.integers(1, 50),
)  # fmt: skip
def test_that_strings_are_numbered_by_first_appearance(words: list[bytes], cut: int) -> None:
    from auditor.log import dictionary_kernels as kernels
    from auditor.log.dictionary_encoding import SECRET

    interner = DictionaryEncoder()
    codes: list[int] = []
    for start in range(0, len(words), cut):
        piece = words[start : start + cut]
        data = np.frombuffer(b"".join(piece) + bytes(kernels.PADDING), np.uint8)
        lengths = np.array([len(word) for word in piece], np.int32)
        starts = (np.cumsum(lengths) - lengths).astype(np.int32)
        hashes = np.empty(len(piece), np.uint64)
        kernels.hash_all(data, starts, lengths, SECRET, hashes)
        # Equal tags for different strings: only their bytes tell them apart.
        hashes &= np.uint64(0x7000000000000000)
        new_codes = np.empty(len(piece), np.int32)
        interner.add(data, starts, lengths, hashes, new_codes)
        codes += new_codes.tolist()
    numbers: dict[bytes, int] = {}
    assert codes == [numbers.setdefault(word, len(numbers)) for word in words]
    assert interner.take_vocabulary().list_strings() == [word.decode() for word in numbers]


def test_that_sorting_in_slices_is_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    lines = [
        f"{rng.integers(40)}\tq{rng.integers(90)}\t2006-03-{rng.integers(1, 29):02} 00:00:00\t\t"
        + ("" if rng.random() < 0.5 else f"u{rng.integers(50)}")
        for _ in range(1500)
    ]
    data = "\n".join(lines).encode()
    log = load(data, PLAIN, 1, 10**6)
    assert rows_of(log) == expected(by_hand(data, 90, 40)[0])
    monkeypatch.setattr("auditor.log.dictionary_encoding.SLICE", 37)
    assert load(data, PLAIN, 1, 10**6).digest == log.digest
