"""What benchmarks take: seconds and memory."""

from __future__ import annotations

import resource
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import psutil

from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from tests.reference.logs import EXCITE

T = TypeVar("T")


def timed(work: Callable[[], T], runs: int = 3) -> tuple[float, T]:
    """Median seconds of some runs, and the last result."""
    spent = []
    for _ in range(runs):
        began = time.perf_counter()
        result = work()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent), result


def open_log(name: str) -> QueryLog:
    """The shipped sample, Excite's day, a file, or a synthetic log of so many users."""
    if name.isdigit():
        return synthesize_log(int(name), days=30, seed=1).log
    return read_log({"sample": sample_log(), "excite": EXCITE}.get(name, Path(name)))


def peak_memory() -> float:
    """The most memory that this process has held so far, in GiB; Linux counts in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


class Clock:
    """Wall and processor seconds of a block."""

    def __enter__(self) -> Clock:
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._began[0]
        self.work = time.process_time() - self._began[1]


class Peak:
    """The most resident memory above the start while it is open, watched every 5 ms."""

    def __enter__(self) -> Peak:
        self._process = psutil.Process()
        self._before = self._most = self._process.memory_info().rss
        self._stop = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._stop.wait(0.005):
            self._most = max(self._most, self._process.memory_info().rss)

    @property
    def gigabytes(self) -> float:
        """Peak above the start."""
        return float(self._most - self._before) / 1e9
