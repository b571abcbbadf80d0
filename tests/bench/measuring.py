"""What benchmarks have in common: logs, seconds, memory, and lines of tables."""

import contextlib
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Self, TypeVar

import psutil

from auditor.log.gazetteers import sample_log
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.base import ExpectedRelease
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.progress import silent_progress
from tests.bench import aol_shape
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
    """The shipped sample, Excite's day, a file, a synthetic log of so many users, or `aol:ROWS`."""
    if name.isdigit():
        return synthesize_log(int(name), days=30, seed=1).log
    if name.startswith("aol:"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "aol.tsv")
            aol_shape.write(path, int(name.removeprefix("aol:")))
            return read_log(path)
    return read_log({"sample": sample_log(), "excite": EXCITE}.get(name, Path(name)))


def expect_release(log: QueryLog, method: str, params: Params) -> ExpectedRelease:
    """What the whole log lets expect of a method before a run."""
    outlook = METHODS[method].outlook
    assert outlook is not None
    return outlook(log, params, scale=1.0, progress=silent_progress())


def print_row(cells: Iterable[object]) -> None:
    """A line of a Markdown table, at once."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def print_head(columns: Iterable[str], numbers: int = 0) -> None:
    """The head of a Markdown table, whose last so many columns are numbers."""
    columns = list(columns)
    print_row(columns)
    print("|" + "---|" * (len(columns) - numbers) + "---:|" * numbers, flush=True)


def peak_memory() -> float:
    """The most memory that this process has held so far, in GiB; Linux counts in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


class Clock:
    """Wall and processor seconds of a block."""

    def __enter__(self) -> Self:
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._began[0]
        self.work = time.process_time() - self._began[1]


class Peak:
    """The most memory above the start while it is open, of this process or with all it started.

    A page that several processes share counts for each its part. `work` are the processor seconds
    of all of them.
    """

    def __init__(self, every: float = 0.005, *, children: bool = False) -> None:
        self._every, self._children = every, children
        self._seconds: dict[int, float] = {}

    def __enter__(self) -> Self:
        self._process = psutil.Process()
        self._before = self.most = self._measure()
        self._stop = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._stop.wait(self._every):
            self.most = max(self.most, self._measure())

    def _measure(self) -> int:
        total = int(self._process.memory_info().rss)
        for child in self._process.children(recursive=True) if self._children else ():
            with contextlib.suppress(psutil.Error):
                memory, times = child.memory_full_info(), child.cpu_times()
                total += getattr(memory, "pss", 0) or memory.rss
                self._seconds[child.pid] = times.user + times.system
        return total

    @property
    def work(self) -> float:
        """Processor seconds of this process and of those that it started."""
        return time.process_time() + sum(self._seconds.values())

    @property
    def gigabytes(self) -> float:
        """Peak above the start."""
        return float(self.most - self._before) / 1e9
