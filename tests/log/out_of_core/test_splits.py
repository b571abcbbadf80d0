"""A log read in splits is the log read whole: same rows, same refusals, same lines."""

import gzip
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from auditor.errors import LogFormatError
from auditor.log.model import QueryLog, RejectedRow
from auditor.log.out_of_core.splits import plan_splits, read_split
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.log.writing import write_log
from tests.log.rows import rows_of

HEADING = b"AnonID\tQuery\tQueryTime\tItemRank\tClickURL"
OPTIONS = ReadOptions(max_rejected_share=1.0, max_line_bytes=200)


def hostile(seed: int, rows: int = 700) -> bytes:
    draw = random.Random(seed)
    bad = [b"", b"\r", b"1\tx\0\t2006-03-01\t\t", b"\xff\tb\t2006\t\t", b"a" * 300]
    bad += [HEADING, b"7\tq"]
    lines = [HEADING]
    for number in range(rows):
        user, query = draw.randrange(40), draw.randrange(9)
        row = f"{user}\tq{query} \u4e2d\t2006-03-01 00:00:{number % 60:02d}\t\t"
        lines.append(draw.choice(bad) if draw.random() < 0.15 else row.encode())
    return b"\n".join(lines) + (b"\n" if seed % 2 else b"")


def rows(log: QueryLog) -> Counter[tuple[Any, ...]]:
    return Counter(row[:3] for row in rows_of(log))


def list_rejects(rejects: Iterable[RejectedRow], lines: int = 0) -> list[tuple[Any, ...]]:
    """Refused rows, with the lines that stand before them counted."""
    return [(row.line + lines, row.column, row.reason, row.text) for row in rejects]


@pytest.mark.parametrize(
    ("size", "seed"), [(64, 1), (999, 1), (999, 2), (4096, 1), (4096, 2), (1 << 20, 1)]
)
def test_that_splits_are_the_whole_log(tmp_path: Path, size: int, seed: int) -> None:
    path = tmp_path / "log.tsv"
    path.write_bytes(hostile(seed, rows=60 if size == 64 else 700))
    full_log = read_log(path, OPTIONS)
    splits = plan_splits(path, OPTIONS, size=size)
    assert any("another again" in note for note in splits.origin.assumptions)
    counts: Counter[tuple[Any, ...]] = Counter()
    rejected: Counter[str] = Counter()
    rejects: list[tuple[Any, ...]] = []
    lines = read = 0
    for split in splits.pieces:
        piece = read_split(splits, split)
        counts += rows(piece.log)
        rejected.update(piece.log.origin.rejected)
        rejects += list_rejects(piece.log.origin.rejects, lines)
        read += piece.log.origin.rows_read
        lines += piece.lines
    assert len(splits.pieces) >= min(path.stat().st_size // size, 2)
    assert (counts, read) == (rows(full_log), full_log.origin.rows_read)
    assert dict(rejected) == dict(full_log.origin.rejected)
    assert rejects == list_rejects(full_log.origin.rejects)


def test_that_what_cannot_be_cut_is_one_split_and_said(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv.gz"
    path.write_bytes(gzip.compress(hostile(3)))
    splits = plan_splits(path, OPTIONS, size=100)
    (split,) = splits.pieces
    notes = splits.origin.assumptions
    assert any("read by one task: it is packed (gzip)" in note for note in notes)
    assert rows(read_split(splits, split).log) == rows(read_log(path, OPTIONS))


def test_that_row_groups_of_parquet_are_splits(tmp_path: Path) -> None:

    plain, path = tmp_path / "log.tsv", tmp_path / "log.parquet"
    plain.write_bytes(hostile(5))
    full_log = read_log(plain, OPTIONS)
    write_log(full_log, path, format="parquet")
    pq.write_table(pq.read_table(path), path, row_group_size=100)
    splits = plan_splits(path, size=10)
    assert len(splits.pieces) == -(-len(full_log) // 100)
    counts: Counter[tuple[Any, ...]] = Counter()
    for split in splits.pieces:
        counts += rows(read_split(splits, split).log)
    assert counts == rows(full_log)


def test_that_a_file_that_went_away_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "log.tsv"
    path.write_bytes(hostile(1))
    splits = plan_splits(path, OPTIONS, size=4096)
    path.unlink()
    with pytest.raises(LogFormatError, match="no such file"):
        read_split(splits, splits.pieces[1])
