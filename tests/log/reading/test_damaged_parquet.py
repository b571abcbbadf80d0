"""Parquet files and tables with damaged bytes: read, or one clear error, never anything else."""

import io
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.api.log import from_arrow
from auditor.errors import LogFormatError
from auditor.log.reading.reader import ReadOptions, read_log

ROWS = 400
TABLE = pa.table(
    {
        "user": [f"u{row % 23}" for row in range(ROWS)],
        "query": [f"query {row % 31}" for row in range(ROWS)],
        "time": pa.array([1_767_225_600 + 977 * row for row in range(ROWS)], pa.timestamp("s")),
    }
)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("compression", ["none", "snappy"])
def test_that_flipped_bytes_are_read_or_one_clear_error(
    seed: int, compression: str, tmp_path: Path
) -> None:
    out = io.BytesIO()
    pq.write_table(TABLE, out, compression=compression, row_group_size=150)
    rng, path = random.Random(seed), tmp_path / "log.parquet"
    for _ in range(25):
        data = bytearray(out.getvalue())
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            log = read_log(path, ReadOptions(max_rejected_share=1.0))
        except LogFormatError:
            continue
        assert len(log) + sum(log.origin.rejected.values()) == log.origin.rows_read


def test_that_strings_with_wrong_offsets_are_refused() -> None:
    offsets = pa.py_buffer(b"".join(value.to_bytes(4, "little") for value in (0, 900, 3)))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"abc")])
    table = pa.table({"user": broken, "query": ["a b", "c d"], "time": [1_767_225_600] * 2})
    with pytest.raises(LogFormatError):
        from_arrow(table)


def test_that_codes_beyond_a_dictionary_are_refused() -> None:
    codes = pa.array([0, -1], pa.int32())
    broken = pa.DictionaryArray.from_arrays(codes, ["red shoes"], safe=False)
    table = pa.table({"user": ["u", "v"], "query": broken, "time": [1_767_225_600] * 2})
    with pytest.raises(LogFormatError):
        from_arrow(table)


def test_that_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    columns = [TABLE["user"], TABLE["query"], TABLE["time"], TABLE["user"]]
    pq.write_table(
        pa.Table.from_arrays(columns, ["user", "query", "time", "user"]), tmp_path / "log.parquet"
    )
    with pytest.raises(LogFormatError, match="same name"):
        read_log(tmp_path / "log.parquet")
