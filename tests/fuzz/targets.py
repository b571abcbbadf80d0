"""What is fuzzed: each target takes any bytes, and returns only if what happened is allowed.

Allowed are a result that is consistent in itself, and an `AuditorError` whose message is short, in
one line, and repeats nothing that stands in the bytes.
"""

import argparse
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from auditor.attacks.vanity.own_name_queries import read_rows
from auditor.bounded_files import UnfitFile, parse_json
from auditor.cli.detect import read_query_column
from auditor.cli.suggest import adopted_intent
from auditor.errors import AuditorError
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.reading.reader import ReadOptions, read_log, sniff_log
from auditor.measures.site_clustering import read_labels
from auditor.methods.korolova import read_results
from auditor.methods.noisy_counts.query_pool import load_pool
from auditor.progress import silent_progress
from auditor.project.file import read_project_file
from auditor.release.feedback import (
    feedback_bytes,
    feedback_sentences,
    parse_feedback,
    read_feedback,
)
from auditor.release.ledger.store import open_for_append, read_ledger
from auditor.release.loading import read_release
from auditor.release.manifest import read_evidence
from auditor.release.policy.policy import read_policy
from auditor.release.signing import check_signature, private_key, public_key
from auditor.suggestions.store import SearchStore
from tests.log.rows import zipped

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
        path.chmod(0o600)
        yield path


def reads(name: str, read: Callable[[Path], object], data: bytes) -> None:
    """Any bytes as a file of that name: it is read, or refused in one clear error."""
    with file_of(data, name) as path:
        try:
            read(path)
        except AuditorError as error:
            check_message(error)


def log(data: bytes) -> None:
    """Any bytes as a log: counted rows, or one clear error; a look at them says the same."""
    if not data:
        return
    name = f"log{SUFFIXES[data[0] % len(SUFFIXES)]}"
    options = ReadOptions(max_rejected_share=1.0 if data[0] & 0x80 else 0.01)
    with file_of(data[1:], name) as path:
        try:
            parsed = read_log(path, options)
        except AuditorError as error:
            check_message(error)
            return
        consistent(parsed)
        sniff_log(path, options)


def consistent(query_log: QueryLog) -> None:
    """A log that was read: codes within their vocabularies, sorted, rejects counted."""
    for codes, words, least in (
        (query_log.user, query_log.users, 0),
        (query_log.query, query_log.queries, 0),
        (query_log.url, query_log.urls, -1),
    ):
        assert len(codes) == len(query_log)
        if len(codes):
            assert codes.min() >= least
            assert codes.max() < len(words)
    order = np.lexsort((query_log.time, query_log.user))
    assert np.array_equal(order, np.arange(len(query_log)))
    assert all(count > 0 for count in query_log.origin.rejected.values())
    listed = len(query_log.origin.rejects)
    assert listed <= sum(query_log.origin.rejected.values())


def policy(path: Path) -> None:
    """A policy: its gates have names of their own."""
    rules = read_policy(path)
    assert len({gate.name for gate in rules.gates}) == len(rules.gates)


def table(path: Path) -> None:
    """A table of a release whose manifest is good."""
    (path.parent / "manifest.json").write_bytes(MANIFEST)
    read_release(path.parent)


def evidence(path: Path) -> None:
    """The evidence of a release; whoever reads it takes a ValueError for a refusal."""
    try:
        read_evidence(path.parent)
    except ValueError as error:
        assert PLANTED not in str(error)


def json_bytes(data: bytes) -> None:
    """JSON of any kind: within the limits, or refused with what is wrong."""
    try:
        parse_json(data)
    except UnfitFile as error:
        assert 0 < len(str(error)) <= LONGEST


def feedback(path: Path) -> None:
    """Feedback: what is read can be shown, and written and read again."""
    parsed = read_feedback(path)
    feedback_sentences(parsed.summarize())
    parse_feedback(feedback_bytes(parsed))


def ledger(path: Path) -> None:
    """A ledger: what it holds can be counted."""
    state = read_ledger(path)
    assert len({entry.number for entry in state.approved}) == len(state.approved)


def suggestion(path: Path) -> None:
    """A file of suggestions, of which the first is taken."""
    words = argparse.Namespace(suggestion=str(path), method=None, param=[], engine="local")
    adopted_intent(words, None)


def signature(path: Path) -> None:
    """A signature of a release: there is something wrong with it unless it was made for it."""
    (path.parent / "manifest.json").write_bytes(MANIFEST)
    assert check_signature(path.parent)[0]


def query_column(path: Path) -> None:
    """A table without users, of which one column is read."""
    read_query_column(path, ReadOptions(), 0.5)


def check_message(error: AuditorError) -> None:
    """A message that a person can read, and that says nothing of anybody's queries."""
    message = str(error)
    assert message
    assert len(message) <= LONGEST, len(message)
    assert "\n" not in message
    assert PLANTED not in message


FEEDBACK = {
    "format": "auditor feedback 1",
    "log": "0" * 64,
    "rules": {"confirmed": {"person:name": 3}, "dismissed": {"person:name": 1}},
    "weights": {"person:name": 0.5},
    "sample": [{"name": "a", "marked": True, "size": 9, "judged": 2, "sensitive": 1},
               {"name": "b", "marked": False, "size": 9, "judged": 2, "sensitive": 0}],
    "dismissals": [{"session": "1" * 64, "reason": "public", "covers": ["place"]}],
}  # fmt: skip
SUGGESTION = {
    "method": "zealous",
    "params": {"epsilon": 2.0, "m": 5},
    "selection": {"look": "private", "epsilon": 0.5, "candidates": 12, "searches": 1},
}
PROJECT = Path(__file__).parents[1] / "project" / "v3.qlpa"
MANIFEST = b"""{"format": 1, "method": "safelog", "params": {}, "changes": {}, "measures": {},
"statement": {"model": "none", "claim": "", "unit": "unknown"}, "files": {}, "versions": {}}"""

ROW = f"7\t{PLANTED}\t2006-03-01 10:00:00\t1\thttp://a.example\n".encode()
HEAD = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"


def encode_suggestion(row: Mapping[str, Any]) -> bytes:
    """A table of one suggestion, as CSV."""
    text = io.StringIO()
    cells = [value if isinstance(value, str) else json.dumps(value) for value in row.values()]
    csv.writer(text).writerows([list(row), cells])
    return text.getvalue().encode("utf-8", "replace")


def seeds() -> Mapping[str, list[bytes]]:
    """Small inputs of every form, from which to begin."""
    plain = HEAD + ROW * 3
    line = {"user": "7", "query": PLANTED, "time": 1141200000}
    excite = b"0123456789ABCDEF\t970916001954\t" + PLANTED.encode() + b"\n"
    forms = [
        (1, plain), (2, plain.replace(b"\t", b",")), (3, gzip.compress(plain, mtime=0)),
        (4, zipped({"a.tsv": plain})), (5, (json.dumps(line) + "\n").encode() * 2),
        (7, bz2.compress(plain)), (8, lzma.compress(plain)), (10, excite * 2),
        (2, b'user,query,time\n7,"' + PLANTED.encode() + b'"",2006-03-01\n'),
        (1, plain.decode().encode("utf-16")), (0x81, HEAD + ROW + b"\xff\x00\n" + ROW),
    ]  # fmt: skip
    columns = io.BytesIO()
    rows: dict[str, Any] = {"user": ["7", "8"], "query": [PLANTED, "b"], "time": [1, 1141200000]}
    pq.write_table(pa.table(rows), columns)
    searches = {"format": "auditor suggestions 1", "runs": {"a": {}}}
    return {
        "log": [bytes([first]) + rest for first, rest in forms],
        "parquet": [columns.getvalue()],
        "policy": [b'[[gate]]\nname = "a"\nfigure = "statement.epsilon"\nmost = 1.0\n', b""],
        "manifest": [MANIFEST],
        "evidence": [MANIFEST],
        "table": [f"query\tcount\n{PLANTED}\t12\n".encode()],
        "json": [MANIFEST, b"[[1e9, -0.5, null], {}]", b'"\\ud83d\\ude00"'],
        "project": [PROJECT.read_bytes()],
        "feedback": [json.dumps(FEEDBACK).encode()],
        "ledger": [_ledger_bytes()],
        "suggestion": [encode_suggestion(SUGGESTION)],
        "searches": [json.dumps(searches).encode()],
        "profiles": [f"user,name,userid,zip\n7,{PLANTED},a,12345\n".encode()],
        "labels": [b"site,label\na.example,news\n"],
        "results": [f"{PLANTED}\thttp://a.example\n".encode()],
        "pool": [f"{PLANTED}\nb\n".encode(), gzip.compress(b"a\nb\n", mtime=0)],
        "queries": [f"query\n{PLANTED}\n".encode(), b'["a", "b"]', b'{"query": "a"}\n'],
        "private-key": [KEY],
        "public-key": [PUBLIC_KEY],
        "signature": [SIGNATURE],
    }


def _ledger_bytes() -> bytes:
    """A ledger of one entry."""
    with (
        file_of(b"", "ledger.sqlite") as path,
        mock.patch.dict(os.environ, {"AUDITOR_DATA": str(path.parent)}),
    ):
        with open_for_append(path) as writer:
            writer.append({"kind": "approved", "release": "0" * 64, "log": {"digest": "1" * 64}})
        return path.read_bytes()


KEY = b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
-----END PRIVATE KEY-----
"""
PUBLIC_KEY = b"""-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
"""
"""Both are those of RFC 8032, section 7.1, test 1."""
SIGNATURE = b"""{
  "format": "auditor signature 1",
  "algorithm": "Ed25519",
  "public_key": "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  "signature": "%s=="
}
""" % (b"A" * 86)

TARGETS: Mapping[str, Callable[[bytes], None]] = {"log": log, "json": json_bytes} | {
    target: partial(reads, name, read)
    for target, name, read in (
        ("parquet", "log.parquet", read_log),
        ("policy", "policy.toml", policy),
        ("manifest", "manifest.json", lambda path: read_release(path.parent)),
        ("evidence", "evidence.json", evidence),
        ("table", "queries.tsv", table),
        ("project", "a.qlpa", read_project_file),
        ("feedback", "feedback.json", feedback),
        ("ledger", "ledger.sqlite", ledger),
        ("suggestion", "suggestions.csv", suggestion),
        ("searches", "suggestions.json", SearchStore),
        ("profiles", "profiles.csv", read_rows),
        ("labels", "labels.csv", partial(read_labels, pages=False)),
        (
            "results",
            "results.tsv",
            lambda path: read_results(path, Vocabulary.of([PLANTED]), silent_progress()),
        ),
        ("pool", "pool.txt", lambda path: load_pool("file", path, 10, silent_progress())),
        ("queries", "queries.csv", query_column),
        ("private-key", "key.pem", private_key),
        ("public-key", "key.pem.pub", public_key),
        ("signature", "manifest.sig", signature),
    )
}
"""By name, what any bytes are given to."""
