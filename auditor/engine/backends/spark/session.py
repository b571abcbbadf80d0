"""A Spark session as this program needs it, actions that hear a cancel, and errors in our words.

Whatever Spark keeps of a log outside memory (shuffles, spills) is encrypted under a key of the
session. What goes wrong in an executor comes back as a type and a line, never with a value of
the log in it.

The folder that all machines are to see: whether they do, and whether it holds all they wrote.

Spark asks neither. A machine that doesn't see it writes to a folder of that name of its own, and a
file system that shows names late hides files from the one that puts them together: rows would be
missing, and nobody told.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import re
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import auditor
from auditor.errors import (
    AuditorError,
    Cancelled,
    EngineFailed,
    LogFormatError,
    MissingInput,
    ParameterError,
    locate_error,
)
from auditor.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession


SETTING = "spark.auditor.wait"
"""Seconds that a run waits for a first machine, and for another one when all are lost."""
WAIT = 300.0


class ClusterMachines:
    """Looks now and then how many executors there are while something is to be done.

    Raises `EngineFailed` when there was none for `wait` seconds in a row. An executor that ends
    is replaced by its cluster within seconds; a cluster that is full gives one later.
    """

    def __init__(
        self, count: Callable[[], int], wait: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._wait = wait
        self._clock = clock
        self._every = min(5.0, wait / 4)
        self._seen = self._looked = clock()

    def check_machines(self) -> None:
        """Count, if it is time to."""
        moment = self._clock()
        if moment - self._looked < self._every:
            return
        self._looked = moment
        if self._count():
            self._seen = moment
        elif moment - self._seen >= self._wait:
            raise EngineFailed(
                f"Spark failed: the cluster had no machine for this run in {self._wait:,.0f} "
                f"seconds ({SETTING}): all were lost, or others have them. Nothing was released."
            )


def find_machines(spark: SparkSession) -> ClusterMachines:
    """Those of a session; one on this machine alone is a machine itself.

    Raises `ParameterError` for a wait that is no number of seconds.
    """
    from pyspark import SparkContext

    context = spark.sparkContext
    text = context.getConf().get(SETTING, str(WAIT))
    try:
        wait = float(text)
    except ValueError:
        wait = 0.0
    if not 1 <= wait <= 1e9:
        raise ParameterError(SETTING, "Say how many seconds to wait for a machine, from 1 on.")
    if (context.master or "").partition("[")[0] == "local":
        return ClusterMachines(lambda: 1, wait)
    java: Any = context._jsc

    def count() -> int:
        """Executors that keep blocks; the driver is one of those that are told."""
        with contextlib.suppress(Exception):  # what has ended tells of itself
            if SparkContext._gateway is not None:
                return int(java.sc().getExecutorMemoryStatus().size()) - 1
        return 1

    return ClusterMachines(count, wait)


SIGN = "sign"
PATIENCE = 90.0
"""Seconds until a file system is told to have lost something; NFS shows names after 60 at most."""
_STEP = 0.5


def put_up(folder: Path) -> str:
    """Make the file by which machines know the folder, if it isn't there; the folder."""
    (folder / SIGN).touch(mode=0o600)
    return str(folder)


def check_folder(folder: str) -> None:
    """On an executor: raise `MissingInput` if this machine doesn't see the folder."""
    if not (Path(folder) / SIGN).is_file():
        raise MissingInput(
            "A machine of the cluster doesn't see the folder in which the release is built. "
            "All need one file system, under one path. Nothing was released."
        )


def wait_for(is_visible: Callable[[], bool], progress: Progress) -> None:
    """Wait until what machines wrote is seen here; raises `EngineFailed` if it never is."""
    end = time.monotonic() + PATIENCE
    while not is_visible():
        if time.monotonic() > end:
            raise EngineFailed(
                f"The file system of the release doesn't show within {PATIENCE:.0f} seconds what "
                "other machines wrote to it. Nothing was released."
            )
        progress.check()
        time.sleep(_STEP)


T = TypeVar("T")
Batches = Callable[["Iterator[pa.RecordBatch]"], "Iterator[pa.RecordBatch]"]

MARK = "auditor-says:"
_REPORT = re.compile(re.escape(MARK) + r"(\{.*?\})~")
_POLL = 0.1
_ERRORS = {kind.__name__: kind for kind in (LogFormatError, MissingInput)}

_SECRET = ("spark.authenticate", "spark.network.crypto.enabled")
_GONE = ("Py4JNetworkError", "ConnectionRefusedError", "ConnectionResetError", "BrokenPipeError")
_ENDED = "the process that steers it ended, perhaps for lack of memory (spark.driver.memory)"
_CAUSES = (
    ("No space left on device", "a disk is full; name a larger one as spark.local.dir"),
    ("maxResultSize", "more came to the driver than spark.driver.maxResultSize lets pass"),
    ("OutOfMemoryError", "memory ran out; raise spark.executor.memory or spark.driver.memory"),
    ("Master removed our application", "machines ended again and again as soon as they started"),
    ("All masters are unresponsive", "the cluster's master is gone"),
    ("SparkContext was shut down", "the cluster ended the session"),
    ("ExecutorLostFailure", "machines were lost more often than spark.task.maxFailures allows"),
    (
        "Python worker exited unexpectedly",
        "a worker ended again and again, most often killed for lack of memory",
    ),
)
"""What Spark says, none of which is text of a log, and what that means."""

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
def open_session(master: str | None = None, **extra_settings: str) -> Iterator[SparkSession]:
    """A session on `master`; the one that is there already is used and left running.

    Raises `MissingInput` if Java is not installed, or there is no such master.
    """
    with hide_warnings():
        from pyspark.sql import SparkSession

        running = SparkSession.getActiveSession()
        if running is not None:
            yield running
            return
        if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
            raise MissingInput("The Spark engine needs Java 17 or newer; none was found.")
        before = _read_submitted_options()
        is_unconfigured = "MASTER" not in os.environ and "SPARK_HOME" not in os.environ
        if master is None and is_unconfigured and "spark.master" not in before:
            master = "local[*]"
        chosen_master = master or before.get("spark.master", "")
        # The workers of a local session find this package where this process found it.
        home = str(Path(auditor.__file__).resolve().parent.parent)
        paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        if home not in paths:
            os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [home, *paths]))
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        if _is_local(chosen_master):  # elsewhere other machines have to reach this one
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder.appName("auditor")
        if master is not None:
            builder = builder.master(master)
        for name, value in (spark_settings(chosen_master, before) | extra_settings).items():
            builder = builder.config(name, value)
        try:
            spark = builder.getOrCreate()
        except Exception as error:
            raise MissingInput(
                f"No Spark session could be made ({describe_cause(error)}). Check `master` and "
                "Java."
            ) from None
        # When Spark ends, its threads print nothing: `run_action` says what happened.
        logging.getLogger("py4j").setLevel(logging.CRITICAL + 1)
        server: Any = getattr(spark.sparkContext, "_accumulatorServer", None)
        if server is not None:  # of accumulators, of which there are none here
            server.handle_error = lambda *_: None
        try:
            yield spark
        except AuditorError:
            raise
        except Exception as error:  # between two actions
            if _has_ended(error):
                raise translate_error(error) from None
            raise
        finally:
            with contextlib.suppress(Exception):  # its process may have ended before
                spark.stop()


def describe_cause(error: Exception) -> str:
    """What Spark found wrong with its settings or surroundings; no log was read yet."""
    java = getattr(error, "java_exception", None)
    if java is None:
        return type(error).__name__
    while java.getCause() is not None:
        java = java.getCause()
    return str(java.toString()).partition("\n")[0][:300]


def spark_settings(master: str, options: Mapping[str, str]) -> dict[str, str]:
    """Those of `SETTINGS` that apply: what `options` say otherwise stays as it is.

    Some masters make the secret by which connections are authenticated. Others have to be given
    one, on every machine alike; without it nothing could connect, so nothing is asked of them.
    """
    settings = {name: value for name, value in SETTINGS.items() if name not in options}
    makes = _is_local(master) or master.startswith(("yarn", "k8s://"))
    if not makes and "spark.authenticate.secret" not in options:
        settings = {name: value for name, value in settings.items() if name not in _SECRET}
    return settings


def is_private(spark: SparkSession) -> bool:
    """Whether whoever listens on the network between the machines learns nothing."""
    conf = spark.sparkContext.getConf()
    return (
        _is_local(spark.sparkContext.master or "")
        or conf.get("spark.network.crypto.enabled") == "true"
    )


def _is_local(master: str) -> bool:
    return master == "local" or master.startswith("local[")


def _read_submitted_options() -> dict[str, str]:
    """What spark-submit or the defaults file say."""
    import pyspark
    from pyspark import SparkConf, SparkContext

    if "PYSPARK_GATEWAY_PORT" in os.environ:  # spark-submit's process is there already
        SparkContext._ensure_initialized()
        return dict(SparkConf().getAll())
    home = os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent
    folder = Path(os.environ.get("SPARK_CONF_DIR") or Path(home) / "conf")
    try:
        text = (folder / "spark-defaults.conf").read_text(encoding="utf-8")
    except OSError:
        return {}
    pairs = (line.replace("=", " ", 1).split(None, 1) for line in text.splitlines())
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2 and pair[0][0] != "#"}


@contextlib.contextmanager
def hide_warnings() -> Iterator[None]:
    """Without PySpark's warnings about pandas, which isn't used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def map_in_arrow(frame: DataFrame, work: Batches, schema: str) -> DataFrame:
    """``frame.mapInArrow`` whose errors hold no value of the log.

    Our errors come back marked for the driver, others as a type and a line.
    """

    @functools.wraps(work)
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from work(batches)
        except AuditorError as error:
            report = {"kind": type(error).__name__, "text": str(error)}
        except Exception as error:
            report = {"kind": "", "text": f"{type(error).__name__} at {locate_error(error)}"}
        else:
            return
        raise RuntimeError(f"{MARK}{json.dumps(report)}~")

    with hide_warnings():
        return frame.mapInArrow(run, schema)


def run_action(spark: SparkSession, action: Callable[[], T], progress: Progress) -> T:
    """Run an action of Spark; a cancel stops its jobs within a second and is raised at once.

    So does a cluster that has no machine left.
    """
    with hide_warnings():
        try:
            watched = find_machines(spark)
            future = _make_executor().submit(action)
            while True:
                progress.check()
                try:
                    return future.result(timeout=_POLL)
                except TimeoutError:
                    if future.done():
                        raise
                watched.check_machines()
        except (Cancelled, EngineFailed):
            with contextlib.suppress(Exception):
                spark.sparkContext.cancelAllJobs()
            raise
        except AuditorError:
            raise
        except Exception as error:
            raise translate_error(error) from None


@functools.cache
def _make_executor() -> ThreadPoolExecutor:
    """One thread for all actions: each thread that talks to Spark keeps a connection open."""
    return ThreadPoolExecutor(1, thread_name_prefix="spark")


def translate_error(error: Exception) -> Exception:
    """An error of Spark in our words."""
    text = str(error)
    match = _REPORT.search(text)
    if match is None:
        kind = type(error).__name__
        cause = next((meaning for part, meaning in _CAUSES if part in text), kind)
        reason = _ENDED if _has_ended(error) else cause
        return EngineFailed(f"Spark failed: {reason}. Nothing was released.")
    report = json.loads(match.group(1))
    if report["kind"] in _ERRORS:
        return _ERRORS[report["kind"]](report["text"])
    if report["kind"]:
        return ParameterError("spark", report["text"])
    return EngineFailed(f"A task failed: {report['text']}. Nothing was released.")


def _has_ended(error: Exception) -> bool:
    """Whether Spark's own process is no more."""
    from pyspark import SparkContext

    gateway: Any = SparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is None or type(error).__name__ == "Py4JJavaError":
        return type(error).__name__ in _GONE
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=1)
        return True
    return type(error).__name__ in _GONE
