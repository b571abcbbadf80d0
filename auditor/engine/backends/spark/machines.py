"""Whether a cluster has a machine left: Spark itself waits for one without end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from auditor.errors import EngineFailed, ParameterError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
        now = self._clock()
        if now - self._looked < self._every:
            return
        self._looked = now
        if self._count():
            self._seen = now
        elif now - self._seen >= self._wait:
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
    told = context.getConf().get(SETTING, str(WAIT))
    try:
        wait = float(told)
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
