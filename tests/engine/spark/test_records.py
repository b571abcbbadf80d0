"""Day pseudonyms and the entity allowlist on Spark: the local release but for ids and orders."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from auditor.api.run import anonymize
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.collected_log import collect_log
from auditor.engine.backends.spark.methods import logs, records
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.log.out_of_core.splits import LogSplits
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.log.writing import write_log
from auditor.methods.frequency_threshold import FrequencyThresholdParams
from auditor.methods.released_columns import state_columns, state_values, suppress_rare_values
from auditor.methods.released_ids import MiniSessions, number_records
from auditor.privacy.release_times import floor_times
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from tests.engine.spark.spark_logs import OPTIONS, cut_log, same_run
from tests.narrowing import present

BESIDE = ReadOptions(columns={"country": "Country"})
RELEASED_BESIDE = ReadOptions(columns={"country": "country"})


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names, numbers and pages of persons, over some months, with a column beside."""
    draw = random.Random(4)
    words = ["red", "ox", "weather", "anna", "müller", "Anna Müller", "call 555-123-4567", "Berlin"]
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tCountry\tSigned"]
    for number in range(1500):
        user = "half" if number % 2 else f"u{draw.randrange(40)}"
        query = " ".join(draw.choices(words, range(len(words), 0, -1), k=draw.randint(1, 3)))
        query = "hot" if draw.random() < 0.3 else query
        if draw.random() < 0.02:
            query = draw.choice(["  ", f"lone{number}", "mail to anna.weber@gmail.com"])
        when = (
            f"2006-{draw.randint(1, 5):02d}-{draw.randint(1, 3):02d} 00:{draw.randint(0, 9):02d}:00"
        )
        page = draw.choice(["http://a.org", "http://b.org/?mail=anna.weber@gmail.com"])
        click = f"{draw.randint(1, 9)}\t{page}" if draw.random() < 0.4 else "\t"
        country, signed = draw.choice(["DE", "FR", ""]), ("no", "yes", "")[number % 3]
        lines.append(f"{user}\t{query}\t{when}\t{click}\t{country}\t{signed}")
    path = tmp_path_factory.mktemp("months") / "log.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def records_of(log: QueryLog, times: str) -> Counter[Any]:
    """The rows of each id, in order where times are exact; which second a search of a step has,
    of several of the same query, is drawn, but not which seconds there are."""
    by_id: dict[int, list[Any]] = {}
    for index, step in enumerate(floor_times(log.time, times).tolist()):
        url = "" if log.url[index] < 0 else log.urls[int(log.url[index])]
        values = [log.attributes[name].texts for name in log.attributes]
        codes = [int(log.attributes[name].codes[index]) for name in log.attributes]
        beside = tuple("" if c < 0 else texts[c] for texts, c in zip(values, codes, strict=True))
        row = (step, log.queries[int(log.query[index])], url, int(log.rank[index]), *beside)
        by_id.setdefault(int(log.user[index]), []).append((row, int(log.time[index])))
    return Counter(
        (
            tuple(row for row, _ in (rows if times == "exact" else sorted(rows))),
            frozenset((row[1], time) for row, time in rows),
        )
        for rows in by_id.values()
    )


ALLOW = {"k_entity": 8, "session_queries": 3, "session_gap": 2}


KEEP = {"columns": "keep", "group": 10}
FORBIDDEN = {"forbidden": "mask", "window": 1, "life": 1, "first_day": 20060402}
RELEASED: list[tuple[str, dict[str, Any]]] = [
    ("entity-allowlist", {**ALLOW, "times": "exact", "max_words": 3}),
    ("day-pseudonyms", {"suppress": "names", "times": "exact"}),
    ("day-pseudonyms", {}),
    ("day-pseudonyms", {"suppress": "nothing", "times": "week"}),
    ("entity-allowlist", {"k_entity": 8}),
    ("entity-allowlist", ALLOW | FORBIDDEN),
    ("day-pseudonyms", {"times": "week", "cell": 3} | KEEP),
    ("entity-allowlist", ALLOW | FORBIDDEN | KEEP),
    ("entity-allowlist", ALLOW | KEEP | {"group": 999}),
]


@pytest.mark.parametrize(
    ("method", "params"),
    [RELEASED[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in RELEASED[1:])],
)
def test_that_a_release_is_the_local_one_but_for_ids_and_drawn_orders(
    spark: Any, months: Path, tmp_path: Path, method: str, params: dict[str, Any]
) -> None:
    splits, log = cut_log(months, BESIDE)
    _, local = same_run(spark, splits, log, tmp_path / "out", method, **params)
    assert local.log is not None
    assert len(local.log)
    assert log.attributes
    kept = params.get("columns") == "keep" and params["group"] < 99
    released = read_log(tmp_path / "out" / "log.tsv", RELEASED_BESIDE if kept else OPTIONS)
    assert released.users.list_strings() == [str(n + 1) for n in range(len(local.log.users))]
    times = params.get("times", "day")
    assert list(released.attributes) == list(local.log.attributes) == ["country"] * kept
    assert records_of(released, times) == records_of(local.log, times)


@pytest.mark.slow
def test_that_signed_in_users_count_and_the_column_is_not_released(
    spark: Any, months: Path, tmp_path: Path
) -> None:
    beside = ReadOptions(columns={"country": "Country", "signed_in": "Signed"})
    (splits, log), params = cut_log(months, beside), dict[str, Any](KEEP, k_entity=8)
    _, local = same_run(spark, splits, log, tmp_path / "out", "entity-allowlist", **params)
    assert list(present(local.log).attributes) == ["country"]
    released = read_log(tmp_path / "out" / "log.tsv", RELEASED_BESIDE)
    assert records_of(released, "day") == records_of(present(local.log), "day")
    heading = (tmp_path / "out" / "log.tsv").read_text("utf-8").split("\n")[0]
    assert heading.split("\t")[5:] == ["country"]
    everybody = anonymize(read_log(months, BESIDE), "entity-allowlist", **params)
    assert local.changes["entities_allowed"] < everybody.changes["entities_allowed"]


@pytest.mark.slow
def test_that_pairs_and_sets_of_queries_are_of_users_and_not_of_records(
    spark: Any, tmp_path: Path
) -> None:
    """What `same_run` compares, where each of twenty users repeats a query of their own."""
    lines = ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL"]
    for user in range(20):
        lines += [f"u{user}\tzebra{user}\t2006-03-0{day} 00:00:00\t\t" for day in (7, 8)]
    path = tmp_path / "log.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    splits, log = cut_log(path, OPTIONS)
    distributed, _ = same_run(spark, splits, log, tmp_path / "out", "day-pseudonyms", times="week")
    measured = distributed.result.release.statement.measured
    assert (measured["lone_times"], measured["unique_records"]) == (20, 40)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["day-pseudonyms", "entity-allowlist"])
def test_that_blank_and_refused_rows_play_no_part(
    spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path, method: str
) -> None:
    params: dict[str, Any] = {"times": "exact"} | (
        {"k_entity": 20} if method == "entity-allowlist" else {}
    )
    _, local = same_run(spark, splits, log, tmp_path / "out", method, **params)
    assert local.log is not None
    released = read_log(tmp_path / "out" / "log.tsv", OPTIONS)
    assert Counter(released.time.tolist()) == Counter(local.log.time.tolist())


def draw_log(seed: int) -> QueryLog:
    """A log of a dozen users with two columns, some of whose values are missing."""
    draw = random.Random(seed)
    rows_of_all = sorted((draw.randrange(12), draw.randrange(4)) for _ in range(50))
    plain = QueryLog.from_columns(
        user=[str(user) for user, _ in rows_of_all],
        query=[f"query {query}" for _, query in rows_of_all],
        time=range(len(rows_of_all)),
    )
    words = {"region": "ABC", "device": "pt"}
    attributes = {
        name: Attribute(
            np.array([draw.choice([0, 0, draw.randrange(-1, len(texts))]) for _ in rows_of_all],
                     dtype=np.int32),
            Vocabulary.of(texts),
        )
        for name, texts in words.items()
    }  # fmt: skip
    return dataclasses.replace(plain, attributes=attributes).rows(np.arange(len(plain)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "linked", "group", "cell", "by_record"),
    [
        (1, True, 3, 2, False),
        (2, False, 8, 3, False),
        (3, True, 5, 1, False),
        (4, False, 9, 6, False),
        (5, True, 2, 4, False),
        (6, True, 4, 1, True),
        (7, True, 3, 2, True),
    ],
)
def test_that_rare_values_go_as_on_one_machine(
    spark: Any, tmp_path: Path, seed: int, linked: bool, group: int, cell: int, by_record: bool
) -> None:
    log, names = draw_log(seed), ["region", "device"]
    batch = rows.batch_of(log, np.arange(len(log)), 0, names)
    record = number_records(log, MiniSessions(searches=2)) if by_record else None
    if record is not None:
        batch = batch.append_column("record", pa.array(record))
    folder = tmp_path / "work"
    folder.mkdir()
    nothing = LogSplits((), OPTIONS, log.origin, frozenset())
    work = SparkRunContext(spark, nothing, folder, silent_progress())
    table = work.read_table(pa.Table.from_batches([batch]), "rows")
    params = FrequencyThresholdParams(group=group, cell=cell)
    frame, summary = logs.suppress_rare_values(work, table, names, params, linked)
    quiet = silent_progress()
    expected, taken = suppress_rare_values(log, group, cell, linked, quiet, record)
    assert (summary.suppressed, set(summary.columns)) == (taken, set(expected.attributes))
    for name in names:
        texts = [row[name] for row in frame.orderBy("place").collect()]
        column = expected.attributes.get(name)
        if column is None:
            assert set(texts) == {None}
        else:
            assert texts == [column.texts[n] if n >= 0 else None for n in column.codes.tolist()]
    empty = Statement(model="none", claim="", unit="")
    stated = state_columns(empty, expected, params, taken, linked, record)
    assert stated.measured == state_values(empty, summary, params).measured
    work.release()


@pytest.mark.slow
@pytest.mark.parametrize(("ids", "group"), [("keep", 10), ("drop", 10), ("keep", 99)])
def test_that_released_columns_are_those_of_one_machine(
    spark: Any, months: Path, tmp_path: Path, ids: str, group: int
) -> None:
    params: dict[str, Any] = {"n": 3, "ids": ids, "columns": "keep", "group": group, "cell": 3}
    splits, log = cut_log(months, BESIDE)
    _, local = same_run(spark, splits, log, tmp_path / "out", "frequency-threshold", **params)
    assert local.log is not None
    write_log(local.log, tmp_path / "local.tsv")
    files = (tmp_path / "local.tsv", tmp_path / "out" / "log.tsv")
    mine, theirs = (file.read_bytes().split(b"\n") for file in files)
    assert mine[0] == theirs[0]
    assert sorted(mine) == sorted(theirs)
    assert bool(local.log.attributes) == (group == 10)


def test_that_columns_beside_the_log_come_home_for_a_check(
    spark: Any, months: Path, tmp_path: Path
) -> None:
    splits, local = cut_log(months, BESIDE)
    work = SparkRunContext(spark, splits, tmp_path, silent_progress())
    assert set(local.attributes) == {"country"}
    assert collect_log(work).digest == local.digest


def test_that_drawn_orders_are_the_same_in_every_block_and_differ_by_key() -> None:
    few, more = Vocabulary.of(["b", "a"]), Vocabulary.of(["x", "a", "y", "b"])
    rank = records._rank_by_key
    assert rank(b"k", few).tolist() == rank(b"k", more)[[3, 1]].tolist()
    orders = {tuple(rank(bytes([key]), more, 1).argsort().tolist()) for key in range(64)}
    assert len(orders) > 20
