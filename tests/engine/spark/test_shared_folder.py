"""The folder that machines share: one that some don't see, or that shows names late or never."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.backends.spark import run_context, session
from auditor.engine.backends.spark.run_context import SparkRunContext
from auditor.errors import EngineFailed, MissingInput
from auditor.log.out_of_core.splits import LogSplits
from auditor.progress import silent_progress
from tests.engine.spark.spark_logs import run

ROWS = 40


@pytest.fixture
def work(spark: Any, splits: LogSplits, tmp_path: Path) -> SparkRunContext:
    folder = tmp_path / "work"
    folder.mkdir()
    return SparkRunContext(spark, splits, folder, silent_progress())


def rows(spark: Any) -> Any:
    """Rows in four parts."""
    return spark.range(0, ROWS, 1, 4).selectExpr("cast(id as string) a", "id n")


def lines(table: Any) -> bytes:
    return b"".join(b"%d\n" % n for n in table["n"].to_pylist())


def elsewhere(folder: Path) -> str:
    return str(folder / "elsewhere")


@pytest.mark.slow
def test_that_a_machine_that_does_not_see_it_draws_nothing(
    spark: Any, splits: LogSplits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_context, "put_up", elsewhere)
    with pytest.raises(MissingInput, match="doesn't see the folder"):
        run(spark, splits, tmp_path / "out", "safelog", K=3)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_that_a_machine_that_does_not_see_it_writes_nothing(
    spark: Any, work: SparkRunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    pieces = work.write_pieces(rows(spark), lines)
    assert b"".join(piece.read_bytes() for piece in pieces).split() == [
        b"%d" % n for n in range(ROWS)
    ]
    monkeypatch.setattr(run_context, "put_up", elsewhere)
    with pytest.raises(MissingInput, match="doesn't see the folder"):
        work.write_pieces(rows(spark), lines)


def after_writing(monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]) -> None:
    """Let something happen to one of the files that Spark wrote."""
    from pyspark.sql import DataFrameWriter

    write = DataFrameWriter.parquet

    def changed(self: Any, place: str) -> None:
        write(self, place)
        change(max(Path(place.removeprefix("file://")).glob("part-*")))

    monkeypatch.setattr(DataFrameWriter, "parquet", changed)


def test_that_rows_that_were_written_and_are_not_there_end_the_run(
    spark: Any, work: SparkRunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1.0)
    after_writing(monkeypatch, Path.unlink)
    with pytest.raises(EngineFailed, match="doesn't show within 1 seconds"):
        work.write_frame(rows(spark), "drawn")


def test_that_rows_that_are_shown_late_are_waited_for(
    spark: Any, work: SparkRunContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[threading.Timer] = []

    def hide(part: Path) -> None:
        hidden = part.rename(tmp_path / part.name)
        late.append(threading.Timer(2.0, hidden.rename, [part]))
        late[-1].start()

    after_writing(monkeypatch, hide)
    written = work.write_frame(rows(spark), "drawn").collect()
    assert sorted(row["n"] for row in written) == list(range(ROWS))
    assert len(late) == 1


@pytest.mark.slow
def test_that_a_piece_that_is_not_as_its_task_left_it_ends_the_run(
    spark: Any, work: SparkRunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "PATIENCE", 1.0)

    collect = work.collect_rows

    def shorter(frame: Any, most: int) -> list[Any]:
        pieces = collect(frame, most)
        (Path(next(work.folder.glob("*/" + pieces[0]["file"])))).write_bytes(b"")
        return pieces

    monkeypatch.setattr(work, "collect_rows", shorter)
    with pytest.raises(EngineFailed, match="doesn't show"):
        work.write_pieces(rows(spark), lines)
