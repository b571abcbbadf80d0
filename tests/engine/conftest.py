"""One Spark session of two cores for all tests of the engine, and the log that they read."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from auditor.engine.backends.spark.session import open_session
from auditor.log.model import QueryLog
from auditor.log.out_of_core.splits import LogSplits, plan_splits
from auditor.log.reading.reader import ReadOptions, read_log
from auditor.privacy.release import Anonymized
from tests.engine.spark.spark_logs import OPTIONS, Compare, CutLog, hostile, same_run

SPARK = Path(__file__).parent / "spark"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests of Spark more time; its own sockets are closed when its process ends."""
    for item in items:
        if item.path.is_relative_to(SPARK) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(900))
            for warning in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning"):
                item.add_marker(pytest.mark.filterwarnings(f"ignore::{warning}"))


@pytest.fixture(scope="package")
def spark() -> Iterator[Any]:
    quick = {
        "spark.driver.memory": "700m",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.codegen.wholeStage": "false",
    }
    with open_session("local[2,2]", **quick) as session:  # a task may fail once
        yield session


@pytest.fixture(scope="package")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile(tmp_path_factory.mktemp("log") / "log.tsv")


@pytest.fixture(scope="package")
def log(path: Path) -> QueryLog:
    return read_log(path, OPTIONS)


@pytest.fixture(scope="package")
def splits(path: Path) -> LogSplits:
    result = plan_splits(path, OPTIONS, size=path.stat().st_size // 3)
    assert len(result.pieces) > 2
    return result


@pytest.fixture
def compare(spark: Any, splits: LogSplits, log: QueryLog, tmp_path: Path) -> Compare:
    """``compare(method, cut, **params)``: a run into `out` that is found to be the local one."""

    def run(method: str, cut: CutLog | None = None, **params: Any) -> tuple[Any, Anonymized]:
        return same_run(spark, cut or (splits, log), tmp_path / "out", method, **params)

    return run


@pytest.fixture(scope="package")
def parts(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log in four files, so in four splits."""
    head, *lines = path.read_bytes().split(b"\n")
    folder = tmp_path_factory.mktemp("parts")
    for number in range(4):
        share = lines[len(lines) * number // 4 : len(lines) * (number + 1) // 4]
        (folder / f"{number}.tsv").write_bytes(b"\n".join([head, *share]) + b"\n")
    return folder


@pytest.fixture(scope="package")
def whole(parts: Path) -> QueryLog:
    return read_log(parts, ReadOptions(max_rejected_share=1.0))
