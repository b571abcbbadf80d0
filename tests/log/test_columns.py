"""Columns kept beside a log: read like its own, no method's by default, counted exactly."""

import dataclasses
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.errors import LogFormatError
from auditor.log.columns import FEW, describe_columns, list_exposures, measure_exposure
from auditor.log.model import NONE, Attribute, QueryLog, Vocabulary
from auditor.log.out_of_core.splits import plan_splits
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.log.reading.column_mapping import ReadOptions
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from tests.log.rows import write_table
from tests.measures.fakes import made_by
from tests.test_blank_queries import PARAMS, content_of

ROWS: dict[str, list[str | None]] = {
    "user": ["b", "a", "a", "c"],
    "query": ["maps", "weather", "news", "maps"],
    "time": [f"2020-01-{when}:00" for when in ("02 10:00", "01 10:05", "01 10:00", "03 10:00")],
    "place": ["DE", "FR", None, "DE"],
    "agent": ['phone "x", 5', None, "desktop", "ä∂"],
}
ATTRIBUTES = {"country": "place", "device": "agent"}
EXPECTED = {"country": [None, "FR", "DE", "DE"], "device": ["desktop", None, 'phone "x", 5', "ä∂"]}


def kept_by(log: QueryLog) -> dict[str, list[str | None]]:
    """The attributes as texts by row; rows are sorted by user as they came, then by time."""
    order = np.argsort([log.users[int(code)] for code in log.user], kind="stable")
    return {
        name: [column.texts[int(code)] if code != NONE else None for code in column.codes[order]]
        for name, column in log.attributes.items()
    }


READ = ReadOptions(columns=ATTRIBUTES)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "log.csv", ROWS)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "arrow"])
def test_that_each_format_gives_the_same_attributes(tmp_path: Path, form: str) -> None:
    path = write_table(tmp_path / f"log.{form}", ROWS)
    log = read_log(path, READ)
    assert kept_by(log) == EXPECTED
    assert set(log.to_pandas().columns) >= set(ATTRIBUTES)
    assert log.without_attributes.digest == read_log(path).digest != log.digest


@pytest.mark.parametrize(
    ("kept", "left_out"), [({}, "place, agent"), ({"device": "agent"}, "place")]
)
def test_that_what_is_not_kept_is_named(table: Path, kept: dict[str, Any], left_out: str) -> None:
    log = read_log(table, ReadOptions(columns=kept))
    assert f"columns without a role are left out: {left_out}" in log.origin.assumptions


def test_that_a_file_without_the_column_has_no_values_of_it(tmp_path: Path) -> None:
    first = write_table(tmp_path / "1.csv", {name: ROWS[name][:2] for name in ROWS})
    names = ("time", "agent", "user", "query")
    second = write_table(tmp_path / "2.csv", {name: ROWS[name][2:] for name in names})
    assert kept_by(read_log([first, second], READ)) == {
        **EXPECTED, "country": [None, "FR", "DE", None]
    }  # fmt: skip


def test_that_working_files_hold_them_too(table: Path, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    with WorkingFiles(512 << 20, tmp_path / "work") as spill:
        log = read_log(table, READ, spill=spill)
        assert log.digest == read_log(table, READ).digest
        assert kept_by(log.rows(log.user == 0)) == {"country": ["DE"], "device": ['phone "x", 5']}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(-1, 2), st.integers(-1, 1)), min_size=1))
def test_that_exposure_is_what_a_plain_count_gives(rows: list[tuple[int, int, int]]) -> None:
    plain = QueryLog.from_columns(
        user=[str(user) for user, _, _ in rows], query=["x"] * len(rows), time=range(len(rows))
    )
    by_user = sorted(rows, key=lambda row: plain.users.list_strings().index(str(row[0])))
    codes = np.array(by_user, dtype=np.int32)
    attributes = {
        "country": Attribute(codes[:, 1].copy(), Vocabulary.of("ABC")),
        "device": Attribute(codes[:, 2].copy(), Vocabulary.of("pd")),
    }
    log = dataclasses.replace(plain, attributes=attributes)
    holders = defaultdict(set)
    for user, country, device in rows:
        holders[country, device].add(user)
    least = {
        user: min(len(holders[country, device]) for who, country, device in rows if who == user)
        for user, _, _ in rows
    }
    exposure = measure_exposure(log, ["country", "device"])
    assert exposure.users == len(least)
    assert exposure.alone == sum(size == 1 for size in least.values())
    assert exposure.few == sum(size < FEW for size in least.values())


def test_that_columns_are_refused_where_none_can_be_kept_or_made_coarser(
    table: Path, tmp_path: Path
) -> None:
    line = '10.0.0.1 - - [10/Oct/2000:13:55:36 +0000] "GET /s?q=maps HTTP/1.0" 200 2326 "-" "M"'
    path = tmp_path / "access.log"
    path.write_text(f"{line}\n" * 5, "utf-8")
    with pytest.raises(LogFormatError, match="nothing can be kept beside them as country"):
        read_log(path, ReadOptions(columns={"query": "q", "country": "lang"}))
    plan_splits(table, READ)
    with pytest.raises(LogFormatError, match="on one machine only"):
        plan_splits(table, dataclasses.replace(READ, coarsen="device=device"))


def test_that_facts_of_columns_are_exact(table: Path) -> None:
    log = read_log(table, READ)
    facts = {column.name: column for column in describe_columns(log)}
    assert list(facts) == ["user", "query", "time", "country", "device"]
    assert (facts["country"].distinct, facts["country"].missing) == (2, 0.25)
    assert set(facts["country"].examples) == {"DE", "FR"}
    both, country, _ = list_exposures(log)
    assert (country.alone, country.few, country.users) == (1, 3, 3)
    assert (both.names, both.alone) == (("country", "device"), 3)
    assert both.text in auditor.check(log, content=False).card_lines()


LOG = synthesize_log(60, days=10, seed=4).log
TAGGED = dataclasses.replace(LOG, attributes={"secret": Attribute(LOG.user.copy(), LOG.users)})


@pytest.mark.parametrize("name", METHODS)
def test_that_no_method_releases_an_attribute(name: str) -> None:
    """A release of a log with attributes is that of the log without, and has none."""
    plain, tagged = (made_by(name, log, 3, **PARAMS.get(name, {})) for log in (LOG, TAGGED))
    assert tagged.log is None or not tagged.log.attributes
    assert content_of(plain) == content_of(tagged)
    assert plain.statement == tagged.statement
