"""Columns of released logs on Spark: rare values go as on one machine; and drawn orders."""

import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from auditor.engine.backends.spark import rows
from auditor.engine.backends.spark.methods import logs, records
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.log.model import Attribute, QueryLog, Vocabulary
from auditor.log.out_of_core.splits import LogSplits
from auditor.methods.frequency_threshold import FrequencyThresholdParams
from auditor.methods.released_columns import state_columns, state_values, suppress_rare_values
from auditor.methods.released_ids import MiniSessions, number_records
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from tests.engine.spark.spark_logs import OPTIONS


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


def test_that_drawn_orders_are_the_same_in_every_block_and_differ_by_key() -> None:
    few, more = Vocabulary.of(["b", "a"]), Vocabulary.of(["x", "a", "y", "b"])
    rank = records._rank_by_key
    assert rank(b"k", few).tolist() == rank(b"k", more)[[3, 1]].tolist()
    orders = {tuple(rank(bytes([key]), more, 1).argsort().tolist()) for key in range(64)}
    assert len(orders) > 20
