"""A Spark session as this program needs it, actions that hear a cancel, and errors in our words.

Whatever Spark keeps of a log outside memory (shuffles, spills) is encrypted under a key of the
session. What goes wrong in an executor comes back as a type and a line, never with a value of
the log in it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import auditor
from auditor.errors import AuditorError, Cancelled, LogFormatError, MissingInput, ParameterError
from auditor.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")
Batches = Callable[["Iterator[pa.RecordBatch]"], "Iterator[pa.RecordBatch]"]

MARK = "auditor-says:"
_SAID = re.compile(re.escape(MARK) + r"(\{.*?\})~")
_POLL = 0.1
_OWN = {kind.__name__: kind for kind in (LogFormatError, MissingInput)}

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    "spark.io.encryption.enabled": "true",
    "spark.authenticate": "true",
    "spark.network.crypto.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.sql.parquet.compression.codec": "zstd",
    "spark.python.worker.reuse": "true",
}
"""What a session is made with unless spark-submit or spark-defaults say otherwise."""


@contextlib.contextmanager
def session(master: str | None = None, **more: str) -> Iterator[SparkSession]:
    """A session on `master`; the one that is there already is used and left running.

    Raises
    ------
    MissingInput
        If PySpark or Java is not installed, or there is no such master.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingInput(
            "The Spark engine needs PySpark: pip install 'query-log-privacy-auditor[spark]'."
        ) from None
    with quiet():
        running = SparkSession.getActiveSession()
        if running is not None:
            yield running
            return
        if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
            raise MissingInput("The Spark engine needs Java 17 or newer; none was found.")
        _find_ourselves()
        made = SparkSession.builder.appName("auditor")
        if master is not None:
            made = made.master(master)
        elif "MASTER" not in os.environ and "SPARK_HOME" not in os.environ:
            made = made.master("local[*]")
        for name, value in (SETTINGS | more).items():
            made = made.config(name, value)
        try:
            spark = made.getOrCreate()
        except Exception as error:
            raise MissingInput(
                f"No Spark session could be made ({type(error).__name__}). Check --master and Java."
            ) from None
        try:
            yield spark
        finally:
            spark.stop()


def _find_ourselves() -> None:
    """Let the workers of a local session find this package where this process found it."""
    home = str(Path(auditor.__file__).resolve().parent.parent)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if home not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [home, *paths]))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without PySpark's warnings about pandas, which isn't used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def mapped(frame: DataFrame, work: Batches, schema: str) -> DataFrame:
    """``frame.mapInArrow`` whose errors hold no value of the log."""
    with quiet():
        return frame.mapInArrow(guarded(work), schema)


def guarded(work: Batches) -> Batches:
    """`work` in an executor: our errors marked for the driver, others as a type and a line."""

    @functools.wraps(work)
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from work(batches)
        except AuditorError as error:
            said = {"kind": type(error).__name__, "text": str(error)}
        except Exception as error:
            said = {"kind": "", "text": f"{type(error).__name__} at {_where(error)}"}
        else:
            return
        raise RuntimeError(f"{MARK}{json.dumps(said)}~")

    return run


def act(spark: SparkSession, action: Callable[[], T], progress: Progress) -> T:
    """Run an action of Spark; a cancel stops its jobs within a second and is raised at once."""
    with quiet():
        future = _actions().submit(action)
        try:
            while True:
                progress.check()
                try:
                    return future.result(timeout=_POLL)
                except TimeoutError:
                    if future.done():
                        raise
        except Cancelled:
            spark.sparkContext.cancelAllJobs()
            raise
        except AuditorError:
            raise
        except Exception as error:
            raise told(error) from None


@functools.cache
def _actions() -> ThreadPoolExecutor:
    """One thread for all actions: each thread that talks to Spark keeps a connection open."""
    return ThreadPoolExecutor(1, thread_name_prefix="spark")


def told(error: Exception) -> Exception:
    """An error of Spark in our words."""
    found = _SAID.search(str(error))
    if found is None:
        return RuntimeError(f"Spark failed: {type(error).__name__}")
    said = json.loads(found.group(1))
    if said["kind"] in _OWN:
        return _OWN[said["kind"]](said["text"])
    if said["kind"]:
        return ParameterError("spark", said["text"])
    return RuntimeError(f"A task failed: {said['text']}")


def few(spark: SparkSession, frame: DataFrame, most: int, progress: Progress) -> list[Any]:
    """The rows of a frame that has at most `most`; the only way in which rows reach the driver.

    `most` never depends on how many rows the log has. Raises RuntimeError if there are more.
    """
    rows = act(spark, frame.limit(most + 1).collect, progress)
    if len(rows) > most:
        raise RuntimeError(f"more than {most:,} rows were to be brought to the driver")
    return rows


def _where(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
