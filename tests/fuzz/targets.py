"""What is fuzzed: each target takes any bytes, and returns only if what happened is allowed.

Allowed are a result that is consistent in itself, and an `AuditorError` whose message is short, in
one line, and repeats nothing that stands in the bytes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from auditor.errors import AuditorError
from auditor.log.model import QueryLog
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.release.loading import read_release
from auditor.release.policy.policy import read_policy

SUFFIXES = ("", ".tsv", ".csv", ".gz", ".zip", ".jsonl", ".parquet", ".bz2", ".xz", ".zst", ".log")
"""A log's name ends with one of them, chosen by the first byte."""
LONGEST = 600
"""Characters of the longest message."""
PLANTED = "Zq9xPlantedQuery"
"""A word that seeds hold where a query stands; no message may repeat it."""
ROOM = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextmanager
def file_of(data: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=ROOM) as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def log(data: bytes) -> None:
    """Any bytes as a log: counted rows, or one clear error; a look at them says the same."""
    if not data:
        return
    name = f"log{SUFFIXES[data[0] % len(SUFFIXES)]}"
    options = ReadOptions(max_rejected_share=1.0 if data[0] & 0x80 else 0.01)
    with file_of(data[1:], name) as path:
        try:
            found = read_log(path, options)
        except AuditorError as error:
            told(error)
            return
        consistent(found)
        sniff_log(path, options)


def consistent(found: QueryLog) -> None:
    """A log that was read: codes within their vocabularies, sorted, rejects counted."""
    for codes, words, least in (
        (found.user, found.users, 0),
        (found.query, found.queries, 0),
        (found.url, found.urls, -1),
    ):
        assert len(codes) == len(found)
        if len(codes):
            assert codes.min() >= least
            assert codes.max() < len(words)
    order = np.lexsort((found.time, found.user))
    assert np.array_equal(order, np.arange(len(found)))
    assert all(count > 0 for count in found.origin.rejected.values())
    listed = len(found.origin.rejects)
    assert listed <= sum(found.origin.rejected.values())


def policy(data: bytes) -> None:
    """Any bytes as a policy."""
    with file_of(data, "policy.toml") as path:
        try:
            found = read_policy(path)
        except AuditorError as error:
            told(error)
            return
        assert len({gate.name for gate in found.gates}) == len(found.gates)


def manifest(data: bytes) -> None:
    """Any bytes as the manifest of a release that has no other file."""
    with file_of(data, "manifest.json") as path:
        try:
            read_release(path.parent)
        except AuditorError as error:
            told(error)


def table(data: bytes) -> None:
    """Any bytes as a table of a release whose manifest is good."""
    with file_of(MANIFEST, "manifest.json") as path:
        (path.parent / "queries.tsv").write_bytes(data)
        try:
            read_release(path.parent)
        except AuditorError as error:
            told(error)


def told(error: AuditorError) -> None:
    """A message that a person can read, and that says nothing of anybody's queries."""
    message = str(error)
    assert message
    assert len(message) <= LONGEST, len(message)
    assert "\n" not in message
    assert PLANTED not in message


MANIFEST = b"""{"format": 1, "method": "safelog", "params": {}, "changes": {}, "measures": {},
"statement": {"model": "none", "claim": "", "unit": "unknown"}, "files": {}, "versions": {}}"""

ROW = f"7\t{PLANTED}\t2006-03-01 10:00:00\t1\thttp://a.example\n".encode()
HEAD = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"


def seeds() -> Mapping[str, list[bytes]]:
    """Small inputs of every form, from which to begin."""
    import bz2
    import gzip
    import io
    import json
    import lzma
    import zipfile

    plain = HEAD + ROW * 3
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.tsv", plain)
    line = {"user": "7", "query": PLANTED, "time": 1141200000}
    excite = b"0123456789ABCDEF\t970916001954\t" + PLANTED.encode() + b"\n"
    forms = [
        (1, plain), (2, plain.replace(b"\t", b",")), (3, gzip.compress(plain, mtime=0)),
        (4, archive.getvalue()), (5, (json.dumps(line) + "\n").encode() * 2),
        (7, bz2.compress(plain)), (8, lzma.compress(plain)), (10, excite * 2),
        (2, b'user,query,time\n7,"' + PLANTED.encode() + b'"",2006-03-01\n'),
        (1, plain.decode().encode("utf-16")), (0x81, HEAD + ROW + b"\xff\x00\n" + ROW),
    ]  # fmt: skip
    return {
        "log": [bytes([first]) + rest for first, rest in forms],
        "policy": [b'[[gate]]\nname = "a"\nfigure = "statement.epsilon"\nmost = 1.0\n', b""],
        "manifest": [MANIFEST],
        "table": [f"query\tcount\n{PLANTED}\t12\n".encode()],
    }


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    "log": log,
    "policy": policy,
    "manifest": manifest,
    "table": table,
}
