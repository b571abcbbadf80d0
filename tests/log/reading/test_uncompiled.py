"""A first, small log is read without compiled loops, and is the same as with them."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from auditor.log import dictionary_encoding, kernel_cache
from auditor.log.dictionary_encoding import renumber_in_place, sort_order
from auditor.log.model import Vocabulary
from auditor.log.reading import field_kernels, parse_kernels, reader, time_kernels, uncompiled
from auditor.log.reading.reader import ReadOptions
from auditor.progress import silent_progress

AOL = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tIP\tCookie\n"
USUAL = [
    "9\tweather\t2006-03-01 00:00:00\t\t\t10.0.0.1\tab",
    "9\tsüßes é\t2006-03-01 00:00:01\t3\thttp://a.example\t\t",
    "1\tweather\t2004-02-29 23:59:60\t32767\thttp://a.example\t4294967295\tcd",
]
TIMES = [
    *("2006-02-29 00:00:00", "2006-03-01T00:00:00Z", "2006-03-01t00:00:00z"),
    *("2006-03-01 00:00:00X", "2006-13-01 00:00:00", "0000-01-01 00:00:00", "2006-01-01 24:00:00"),
    *("9999-12-31 23:59:59", "2006-03-01x00:00:00", "2006-03-0a 00:00:00", "", "2006-03-01"),
]
ELSEWISE = [
    *("2006-03-01 00:00", "2006-03-01 00:00+01", "2006-03-01 00:00UTC"),
    *("2006-03-01 00:00:00.5", "2006-03-01T00:00:00+02:00", "2006-03-01 00:00:00 -0130"),
]
ADDRESSES = ["1.2.3", "1.2.3.4.5", "256.1.1.1", "1..2.3", "0001.1.1.1", "x", "4294967296", "0" * 11]
ODD = [
    "",
    "7\tone column too few",
    "7\tone\t2006-03-01 00:00:00\t1\tu\t\t\ttoo many",
    "\tnobody\t2006-03-01 00:00:00\t\t\t\t",
    "7\t\t2006-03-01 00:00:00\t\t\t\t",
    "7\t" + "long " * 20 + "\t2006-03-01 00:00:00\t\t\t\t",
    AOL.strip(),
    *(f"7\trank\t2006-03-01 00:00:00\t{rank}\tu\t\t" for rank in ("0", "32768", "x", "-1", "١")),
    *(f"7\taddress\t2006-03-01 00:00:00\t\t\t{address}\t" for address in ADDRESSES),
    *(f"7\ttime\t{time}\t\t\t\t" for time in TIMES),
    "two\tfaults\tnever\tx\t\ty\t",
]
CSV = (
    'user,query,time,url\n1,"one, two",2006-03-01 00:00:00,\n'
    '2,"say ""yes""",2006-03-01 00:00:01,"http://a.example/?q=""x"""\n'
    "3,plain,2006-03-01 00:00:02,\n"
)
RECORDS = [
    {"user": 3, "query": "é", "time": "2006-03-01 00:00:00", "url": "http://a.example"},
    {"user": 2, "query": "a\0b", "time": "2006-03-01 00:00:00"},
    {"user": 2, "query": "\ud800", "time": "2006-03-01 00:00:00"},
]
FILES = {
    "usual.tsv": AOL + "\n".join(USUAL * 3),
    "returns.tsv": (AOL + "\n".join(USUAL)).replace("\n", "\r\n"),
    "odd.tsv": AOL + "\n".join([*USUAL * 30, *ODD]) + "\n",
    "elsewise.tsv": AOL + "\n".join(
        [*USUAL, *(f"7\ttime\t{time}\t\t\t\t" for time in ELSEWISE)]),
    "nul.tsv": AOL + "\n".join([*USUAL * 9, "1\ta\0b\t2006-03-01 00:00:00\t\t\t\t"]),
    "quotes.csv": CSV,
    "no-quotes.csv": CSV.replace('"', "").replace("one, two", "one"),
    "epoch.csv": "user,query,time\n1,a,1141171200\n1,b,1141171201\n1,c,1141171202\n",
    "records.jsonl": "\n".join(json.dumps(record) for record in RECORDS * 3),
}  # fmt: skip
LOOSE = ReadOptions(max_rejected_share=1.0, max_field_bytes=60)


@pytest.mark.parametrize("name", FILES)
def test_that_a_log_is_the_same_without_compiled_loops(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name].encode("utf-8", "surrogatepass"))
    planned = reader.planned_parts(path, LOOSE, silent_progress())
    expected, other = (
        reader.load_parts(planned, silent_progress(), 2, block, compiled=compiled)
        for compiled, block in ((True, 2**20), (False, 400))
    )
    assert other.digest == expected.digest
    assert other.origin == expected.origin
    for column in ("user", "query", "time", "url", "rank", "ip", "cookie"):
        np.testing.assert_array_equal(getattr(other, column), getattr(expected, column))
    assert len(expected) > 1


def test_that_a_usual_first_log_calls_no_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a compiled loop was called")

    for module in (field_kernels, parse_kernels, time_kernels):
        for name, kernel in vars(module).items():
            if hasattr(kernel, "py_func"):
                monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(uncompiled, "are_loops_compiled", lambda: False)
    path = tmp_path / "log.tsv.gz"
    path.write_bytes(gzip.compress((AOL + "\n".join(USUAL * 5)).encode()))
    log = reader.read_log(path)
    assert (len(log), len(log.users), len(log.queries)) == (15, 2, 2)
    monkeypatch.setattr(uncompiled, "ROWS", 3)
    with pytest.raises(AssertionError, match="compiled loop"):
        reader.read_log(path)  # what is large is worth compiling for


def test_whether_a_loop_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.warm_reader()
    assert uncompiled.are_loops_compiled()

    class Stats:
        cache_path = str(tmp_path)

    class Kernel:
        signatures: tuple[object, ...] = ()
        stats = Stats()
        py_func = staticmethod(lambda: None)
        __name__ = "some_loop"

    assert not kernel_cache.is_compiled(Kernel())
    line = Kernel.py_func.__code__.co_firstlineno
    (tmp_path / f"kernels.some_loop-{line}.py22.nbi").touch()  # of another Python
    assert not kernel_cache.is_compiled(Kernel())
    python = f"py{sys.version_info.major}{sys.version_info.minor}"
    (tmp_path / f"kernels.some_loop-{line}.{python}.nbi").touch()
    assert kernel_cache.is_compiled(Kernel())


def test_that_small_logs_are_sorted_and_renumbered_as_large_ones_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(3)
    user = rng.integers(0, 9, 500).astype(np.int32)
    time = rng.integers(0, 40, 500)
    codes = rng.integers(-1, 30, 500).astype(np.int32)
    words = Vocabulary.of(f"word {number}" for number in range(30))
    results = []
    for small in (1000, 0):
        monkeypatch.setattr(dictionary_encoding, "SMALL", small)
        order = sort_order(user, time, 9, silent_progress())
        assert order is not None
        coded, named = renumber_in_place(codes[order], words, silent_progress())
        results.append((order.tolist(), coded.tolist(), named.list_strings()))
    assert results[0] == results[1]
