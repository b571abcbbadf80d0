"""A part of a log: a period, and users of a list."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from auditor.errors import LogFormatError, ParameterError
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.reader import read_log
from tests.log.rows import AOL_HEADER, rows_of, save

ROWS = [
    (user, f"query {user} {day}", f"2006-03-{day:02} {hour}:00:00")
    for user, day, hour in itertools.product((1, 2, 3), (1, 2, 3, 4), ("00", "23"))
]


def write(path: Path, rows: list[tuple[int, str, str]]) -> Path:
    return save(path, AOL_HEADER + "".join(f"{u}\t{q}\t{t}\t\t\n" for u, q, t in rows))


def test_that_the_part_is_the_log_of_its_own_rows(tmp_path: Path) -> None:
    """The same codes, digest and rows as of a file that holds nothing else."""
    users = tmp_path / "ids.txt"
    users.write_text("3\n1\n99\n", "utf-8")
    options = ReadOptions(since="2006-03-02", until="2006-03-03", only_users=str(users))
    part = read_log(write(tmp_path / "log.tsv", ROWS), options)
    rows = [row for row in ROWS if row[0] != 2 and row[2][8:10] in ("02", "03")]
    alone = read_log(write(tmp_path / "alone.tsv", rows))
    assert rows_of(part) == rows_of(alone)
    assert len(part) == 8
    assert part.digest == alone.digest
    (note,) = (text for text in part.origin.assumptions if "only rows since" in text)
    assert "8 of 24 rows and 2 of 3 users are in the part; 1 id of the list" in note
    column = part.origin.user_column
    assert column is not None
    assert "only users of a list" in column.treatments


@pytest.mark.parametrize("out", [1, 2, 3])
def test_that_neighbours_stay_neighbours(tmp_path: Path, out: int) -> None:
    """What is left of the others' rows doesn't depend on one user's."""
    options = ReadOptions(since="2006-03-02T23:00:00", until="2006-03-04T00:00:00")
    full_rows = rows_of(read_log(write(tmp_path / "log.tsv", ROWS), options))
    rest = [row for row in ROWS if row[0] != out]
    neighbour = rows_of(read_log(write(tmp_path / "less.tsv", rest), options))
    assert [row for row in full_rows if row[0] != str(out)] == neighbour
    assert len(full_rows) == 3 * 4


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"since": "yesterday"}, "is no date"),
        ({"until": "2006-03-01T00:00:00+01:00"}, "is no date"),
        ({"since": "2006-03-04", "until": "2006-03-01"}, "ends before it begins"),
        ({"since": "2007-01-01"}, "None of the 24 rows"),
    ],
)
def test_that_a_period_that_cannot_be_is_refused(
    tmp_path: Path, options: dict[str, Any], part: str
) -> None:
    with pytest.raises(ParameterError, match=part):
        read_log(write(tmp_path / "log.tsv", ROWS), ReadOptions(**options))


def test_that_a_list_of_users_that_is_missing_is_refused(tmp_path: Path) -> None:
    options = ReadOptions(only_users=str(tmp_path / "100"))
    with pytest.raises(LogFormatError, match="one id a line"):
        read_log(write(tmp_path / "log.tsv", ROWS), options)
