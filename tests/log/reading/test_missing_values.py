"""What programs write where nothing is, and times that name a zone or don't, by every reader."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from auditor.log.model import MISSING, QueryLog
from auditor.log.out_of_core.splits import plan_splits, read_split
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.log.reading.reader import ReadOptions, read_frame, read_log
from tests.log.rows import write_table

Table = dict[str, list[Any]]


def read_spilled(path: Path, options: ReadOptions) -> QueryLog:
    with WorkingFiles(1 << 24, path.parent) as spill:
        return read_log(path, options, spill=spill)


READERS: dict[str, Callable[[Table, Path, ReadOptions], QueryLog]] = {
    "CSV": lambda table, to, how: read_log(write_table(to / "log.csv", table), how),
    "JSON": lambda table, to, how: read_log(write_table(to / "log.jsonl", table), how),
    "Parquet": lambda table, to, how: read_log(write_table(to / "log.parquet", table), how),
    "table": lambda table, _, how: read_frame(pd.DataFrame(table), how),
    "working files": lambda table, to, how: read_spilled(write_table(to / "log.csv", table), how),
}
ROWS = len(MISSING)
ADDRESS = "https://a.example/"
DASHED: Table = {
    "user_id": [f"u{row % 7}" for row in range(3 * ROWS)],
    "query": ["red shoes", *MISSING, *["radio"] * (2 * ROWS - 1)],
    "timestamp": [f"2026-01-03 10:00:{row % 60:02d}" for row in range(3 * ROWS)],
    "url": [*MISSING, *([ADDRESS, ""] * ROWS)],
    "device": [*["-"] * ROWS, *["phone"] * 2 * ROWS],
}
OPTIONS = ReadOptions(columns={"device": "device", "url": "url"})


@pytest.mark.parametrize("name", READERS)
def test_that_a_word_for_a_missing_value_is_no_click_but_may_be_a_query(
    name: str, tmp_path: Path
) -> None:
    log = READERS[name](DASHED, tmp_path, OPTIONS)
    assert log.urls.list_strings() == [ADDRESS]
    assert log.clicks == ROWS
    assert {*MISSING} < {*log.queries.list_strings()}
    assert sorted(log.attributes["device"].texts.list_strings()) == ["-", "phone"]
    assert log.digest == READERS["CSV"](DASHED, tmp_path, OPTIONS).digest
    clicks, queries = (
        next(note for note in log.origin.assumptions if words in note)
        for words in ("clicked address", "as their query")
    )
    assert f"{ROWS} of {3 * ROWS} rows" in clicks
    assert f"{ROWS} of {3 * ROWS} rows" in queries


ZONED: Table = DASHED | {
    "url": [""] * 3 * ROWS,
    "timestamp": [*["2026-01-03 10:00:00"] * 2 * ROWS, *["2026-01-03T10:00:00Z"] * ROWS],
}
MANY: Table = {name: values[: 2 * ROWS] * 12 + values for name, values in ZONED.items()}
"""The first 500 rows name no zone."""


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_that_each_time_is_read_by_its_own_zone(name: str, zone: str, tmp_path: Path) -> None:
    log = READERS[name](MANY, tmp_path, ReadOptions(time_zone=zone))
    hours = log.time // 3_600 % 24
    assert (hours == 10).sum() == len(log) - (ROWS if zone != "UTC" else 0)
    assert (hours == 11).sum() == (ROWS if zone != "UTC" else 0)
    assert any(f"{ROWS} of {len(log)} rows name a zone" in note for note in log.origin.assumptions)


def test_that_splits_count_what_the_whole_log_counts(tmp_path: Path) -> None:
    table = MANY | {"url": [*MISSING, *[ADDRESS] * (len(MANY["url"]) - ROWS)]}
    path = tmp_path / "log.tsv"
    pd.DataFrame(table).to_csv(path, index=False, sep="\t")
    splits = plan_splits(path, ReadOptions(time_zone="Europe/Berlin"), size=2_000)
    pieces = [read_split(splits, split) for split in splits.pieces]
    assert len(pieces) > 3
    assert sum(piece.counts["missing_urls"] for piece in pieces) == ROWS
    assert sum(piece.counts["zoned_rows"] for piece in pieces) == ROWS
    assert sum(piece.log.clicks for piece in pieces) == len(table["url"]) - ROWS
    assert sum(int((piece.log.time // 3_600 % 24 == 11).sum()) for piece in pieces) == ROWS


FIRST_ROWS = 600
"""More than are looked at before the log is read."""
BARE, CLICK = ("", ""), ("1", ADDRESS)
Ranked = list[tuple[str, str | None]]
"""Ranks and addresses of rows; None where the log has no addresses."""
RANKS: dict[str, tuple[Ranked, Ranked, set[tuple[bool, int]], str]] = {
    "from 0": (
        [], [("0", ""), ("0", ADDRESS), ("1", ADDRESS), ("0", "-")],
        {(False, -1), (True, 1), (True, 2)}, "are counted from 0",
    ),
    "from 0, as floats": (
        [], [BARE, ("0.0", ADDRESS), ("2.0", ADDRESS), ("", "-")],
        {(False, -1), (True, 1), (True, 3)}, "are counted from 0",
    ),
    "from 1, and some 0": (
        [], [("0", ""), ("0", ADDRESS), *[CLICK] * 4],
        {(False, -1), (True, 0), (True, 1)}, "10 of 60 rows have 0",
    ),
    "from 1, 0 where nothing was clicked": (
        [], [("0", ""), ("2", ADDRESS), CLICK, ("0", "-")], {(False, -1), (True, 1), (True, 2)}, "",
    ),
    "from 0, no addresses": (
        [], [("0", None), ("", None), ("1", None), ("NULL", None)],
        {(False, 1), (False, -1), (False, 2)}, "are counted from 0",
    ),
    "from 1, no addresses": (
        [], [("0", None), ("3", None), ("1", None), ("0", None)],
        {(False, -1), (False, 1), (False, 3)}, "30 of 60 rows have 0",
    ),
    "from 0, beyond the first rows": (
        [BARE], [("0", ADDRESS), CLICK], {(False, -1), (True, 1), (True, 2)}, "are counted from 0",
    ),
    "from 1, 0 where nothing was clicked, beyond the first rows": (
        [BARE], [("0", ""), CLICK, ("2", ADDRESS)], {(False, -1), (True, 1), (True, 2)}, "",
    ),
    "from 1, and a few 0, beyond the first rows": (
        [CLICK], [("0", ADDRESS)], {(True, 0), (True, 1)}, "60 of 660 rows have 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("case", RANKS)
def test_that_ranks_of_all_rows_say_what_the_first_place_is_called(
    case: str, name: str, tmp_path: Path
) -> None:
    first, later, expected, note = RANKS[case]
    rows = first * FIRST_ROWS + (later * 60)[:60]
    table: Table = {
        "user_id": [f"u{row % 7}" for row in range(len(rows))],
        "query": [f"query {row}" for row in range(len(rows))],
        "timestamp": [f"2026-01-03 10:{row // 60:02d}:{row % 60:02d}" for row in range(len(rows))],
        "rank": [place for place, _ in rows],
        "url": [f"{url}{row % 9}" if url == ADDRESS else url for row, (_, url) in enumerate(rows)],
    }
    columns = {"rank": "rank", "url": "url"}
    if later[0][1] is None:
        del table["url"], columns["url"]
    log = READERS[name](table, tmp_path, ReadOptions(columns=columns))
    assert {*zip((log.url >= 0).tolist(), log.rank.tolist(), strict=True)} == expected
    notes = [words for words in log.origin.assumptions if "counted from" in words]
    assert [note in words for words in notes] == [True] * bool(note), notes
