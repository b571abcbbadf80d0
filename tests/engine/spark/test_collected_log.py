"""The log that Spark brings home is the one that is read here, or whole users of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from auditor.__main__ import main
from auditor.cli import spark as cli_spark
from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.collected_log import collect_log, count_log
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.errors import MemoryExceeded
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits
from auditor.log.reading.reader import ReadOptions
from auditor.log.synthetic.generator import synthesize_log, write_synthetic
from auditor.progress import silent_progress
from tests.engine.spark.spark_logs import HEADING, cut_log, write_lines
from tests.narrowing import present


def test_that_all_rows_of_a_user_are_in_one_block_and_are_joined_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded: list[int] = []

    def encode_strings(column: Any) -> Any:
        encoded.append(len(column))
        return encode(column)

    encode = rows.encode_strings
    monkeypatch.setattr(rows, "encode_strings", encode_strings)
    monkeypatch.setattr(rows, "BLOCK", 4)
    users = ["a", "a", "b", *["robot"] * 40, "s", "t"]
    table = pa.table({"kind": [rows.ROW] * len(users), "user": users})
    blocks = list(rows.iterate_users(iter(table.to_batches(3))))
    assert pa.concat_tables(blocks)["user"].to_pylist() == users
    assert sum("robot" in block["user"].to_pylist() for block in blocks) == 1
    assert sum(encoded) < 4 * len(users)


@pytest.fixture(scope="module")
def work(
    spark: Any, splits: LogSplits, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkRunContext]:
    context = SparkRunContext(spark, splits, tmp_path_factory.mktemp("work"), silent_progress())
    yield context
    context.release()


@pytest.mark.slow
def test_that_a_log_comes_home_and_is_counted_as_it_is_read_here(
    work: SparkRunContext, log: QueryLog
) -> None:
    home = collect_log(work)
    assert home.digest == log.digest
    assert home.origin.rejected == log.origin.rejected
    refused, expected = (
        [(row.file, row.line, row.column, row.reason) for row in source.origin.rejects]
        for source in (home, log)
    )
    assert refused == expected
    assert home.origin.sample is None
    figures, nonblank = count_log(work), log.without_blank
    assert (len(figures), figures.clicks, figures.period) == (len(log), log.clicks, log.period)
    assert (len(figures.users), len(figures.queries), figures.url_count) == (
        len(nonblank.users), len(nonblank.queries), len(nonblank.urls)
    )  # fmt: skip


@pytest.mark.slow
def test_that_of_a_log_too_large_whole_users_come(work: SparkRunContext, log: QueryLog) -> None:
    most = len(log) // 3
    home = collect_log(work, most)
    sample = present(home.origin.sample)
    assert 0 < len(home) <= most
    assert sample.users == len(home.without_blank.users) == round(sample.of * sample.share)
    rows, mine = (
        dict(zip(some.users.list_strings(), np.diff(some.user_starts).tolist(), strict=True))
        for some in (log, home)
    )
    assert mine.items() <= rows.items(), "a user lost rows"
    with pytest.raises(MemoryExceeded):
        collect_log(work, most, sampled=False)


@pytest.mark.slow
def test_that_checks_say_on_spark_what_they_say_here(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    del spark  # the running session is used

    def answer(*words: str) -> Any:
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    write_synthetic(synthesize_log(150, days=8, seed=3), tmp_path)
    log, out = str(tmp_path / "log.tsv"), str(tmp_path / "out")
    answer("anonymize", log, "--method", "frequency-threshold", "-p", "n=2", "--out", out)
    surviving = ("attack", "surviving-content", log)
    for words in (
        (*surviving, out),
        ("attack", "structural", log),
        ("measure", "volume", log, out),
    ):
        local, distributed = (answer(*words, "--engine", engine) for engine in ("local", "spark"))
        assert local == distributed
    monkeypatch.setattr(cli_spark, "ROW_BYTES", 1 << 60)
    monkeypatch.setattr(cli_spark, "LEAST_ROWS", 100)
    assert "random sample" in " ".join(answer(*surviving, "--engine", "spark")["notes"])
    assert main([*surviving, out, "--engine", "spark"]) == 2
    assert "whole log" in capsys.readouterr().err


def test_that_all_columns_words_for_nothing_and_zones_are_read_and_counted_alike(
    spark: Any, tmp_path: Path
) -> None:
    lines = []
    for row in range(120):
        when, url = f"2006-03-01 00:00:{row % 60:02d}", ("NULL", "-", "http://a.example")[row % 3]
        address, cookie = f"10.0.0.{row % 9}" * (row % 7 > 0), f"c{row % 4}" * (row % 5 > 0)
        time, country = f"{when}{'Z' if row % 4 else ''}", ("DE", "FR", "")[row % 3]
        lines.append(f"u{row % 13}\tq{row % 11}\t{time}\t\t{url}\t{address}\t{cookie}\t{country}")
    path = write_lines(tmp_path / "log.tsv", f"{HEADING}\tIP\tCookie\tCountry", lines)
    options = ReadOptions(time_zone="Europe/Berlin", columns={"country": "Country"})
    splits, log = cut_log(path, options)
    work = SparkRunContext(spark, splits, tmp_path / "work", silent_progress())
    home = collect_log(work)
    assert (home.digest, home.clicks) == (log.digest, 40)
    assert set(log.attributes) == {"country"}
    assert len(present(log.cookies)) == 4
    for words in ("80 of 120 rows have NULL", "90 of 120 rows name a zone"):
        assert all(any(words in note for note in some.origin.notes) for some in (home, log))
