"""Progress and cancellation: the only thing a kernel sees of the outside.

A kernel calls `Progress.stage` once, then `advance` or iterates over `blocks`; both raise
`Cancelled` soon after somebody asked to stop. Reports are throttled, so a tight loop may
call as often as it likes.
"""

import bisect
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count, pairwise
from typing import Any, TypeVar

from auditor import platform
from auditor.errors import Cancelled

Report = Callable[[str, int, int], None]
Look = Callable[[Any], None]
T = TypeVar("T")


class Progress:
    """Reports (stage, done, total) at most every `interval` seconds; raises `Cancelled`.

    Parameters
    ----------
    report
        Called with the stage's name, the work done and the work in all (0 = unknown), in the
        thread that does the work.
    cancelled
        Set by another thread to stop the work.
    interval
        Least time between two reports of one stage, in seconds.
    look
        Called with every picture of work that goes on, in the thread that does the work.
    """

    def __init__(
        self,
        report: Report | None = None,
        cancelled: threading.Event | None = None,
        *,
        interval: float = 0.05,
        look: Look | None = None,
    ) -> None:
        self._report = report
        self._look = look
        self._cancelled = cancelled or threading.Event()
        self._interval = interval
        self._stage = ""
        self._done = 0
        self._total = 0
        self._last = 0.0

    def stage(self, name: str, total: int = 0) -> None:
        """Begin a stage of `total` units of work (0 when nobody knows)."""
        self._stage, self._done, self._total = name, 0, total
        self._send_report()

    def report(self, stage: str, done: int, total: int) -> None:
        """Pass on how far work is that another progress watches."""
        if (stage, total) != (self._stage, self._total):
            self._stage, self._done, self._total = stage, done, total
            self._send_report()
        self.update(done)

    def advance(self, units: int = 1) -> None:
        """Count `units` more as done; raises `Cancelled` after a cancel."""
        self.update(self._done + units)

    def update(self, done: int) -> None:
        """Set how much is done in all; raises `Cancelled` after a cancel."""
        self.check()
        self._done = done
        if time.monotonic() - self._last >= self._interval:
            self._send_report()

    def show(self, figure: Any) -> None:
        """Show an intermediate result; `figure` is an `auditor.figures.Figure`.

        For work of many rounds, one picture a round, each with the points of all rounds so far.
        """
        self.check()
        if self._look is not None:
            self._look(figure)

    def check(self) -> None:
        """Raise `Cancelled` after a cancel."""
        if self._cancelled.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Ask the work to stop; may be called from any thread."""
        self._cancelled.set()

    def blocks(self, name: str, total: int, size: int) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) of consecutive blocks that cover ``range(total)``.

        Choose `size` so that one block takes well under 200 ms: cancel is heard between blocks.
        """
        self.stage(name, total)
        for start in range(0, total, size):
            self.check()
            stop = min(start + size, total)
            yield start, stop
            self.update(stop)

    def whole_blocks(self, name: str, starts: Any, size: int) -> Iterator[tuple[int, int]]:
        """Yield (first, last) of consecutive items that hold about `size` rows, one item at least.

        Item i holds the rows ``starts[i]:starts[i + 1]``, such as those of a user.
        """
        self.stage(name, int(starts[-1]))
        for first, last in split_ranges(starts, size):
            self.check()
            yield first, last
            self.update(int(starts[last]))

    def _send_report(self) -> None:
        self.check()
        self._last = time.monotonic()
        if self._report is not None:
            self._report(self._stage, self._done, self._total)


class PartialProgress(Progress):
    """The progress of one part of longer work: its stages go from `start` to `stop` of the whole.

    So that work of many stages shows one share that rises from 0 to 1.
    """

    WHOLE = 10_000

    def __init__(self, outer: Progress, start: float, stop: float) -> None:
        super().__init__(self._pass_on, interval=0.0)
        self._outer, self._start, self._stop = outer, start, stop

    def check(self) -> None:
        """Raise `Cancelled` if the enclosing work was cancelled."""
        self._outer.check()

    def show(self, figure: Any) -> None:
        """Let whoever watches the work around look."""
        self._outer.show(figure)

    def _pass_on(self, stage: str, done: int, total: int) -> None:
        share = min(done / total, 1.0) if total else 0.0
        position = self._start + (self._stop - self._start) * share
        self._outer.report(stage, round(self.WHOLE * position), self.WHOLE)


def split_progress(outer: Progress, weights: Sequence[float]) -> list[PartialProgress]:
    """One progress after the other, each as much of `outer` as its weight says."""
    total = sum(weights) or 1.0
    ends = [end / total for end in accumulate(weights, initial=0.0)]
    return [PartialProgress(outer, start, stop) for start, stop in pairwise(ends)]


def split_ranges(starts: Any, size: int) -> Iterator[tuple[int, int]]:
    """(first, last) of consecutive items that hold about `size` rows, one item at least.

    Item i holds the rows ``starts[i]:starts[i + 1]``.
    """
    first = 0
    while first < len(starts) - 1:
        last = max(bisect.bisect_right(starts, starts[first] + size) - 1, first + 1)
        yield first, last
        first = last


class SilentProgress(Progress):
    """For many runs within one stage: hears the cancel of the work around, reports nothing."""

    def __init__(self, outer: Progress) -> None:
        super().__init__()
        self._outer = outer

    def check(self) -> None:
        """Raise `Cancelled` if the enclosing work was cancelled."""
        self._outer.check()


def silent_progress() -> Progress:
    """A progress that nobody watches and nobody cancels."""
    return Progress()


def run_cancellable(work: Callable[[], T], progress: Progress) -> T:
    """Run one long library call in a thread, so that a cancel takes effect at once."""
    from concurrent.futures import ThreadPoolExecutor
    from concurrent.futures import TimeoutError as NotYet

    worker = ThreadPoolExecutor(1, thread_name_prefix="patient")
    try:
        future = worker.submit(work)
        while True:
            progress.check()
            try:
                return future.result(timeout=0.05)
            except NotYet:
                continue
    finally:
        worker.shutdown(wait=False)


def run_in_threads(
    stage: str,
    units: Sequence[int],
    make_worker: Callable[[], Callable[[int], None]],
    progress: Progress,
    threads: int | None = None,
) -> None:
    """Do tasks 0, 1, 2 … on all cores, or in so many threads.

    ``units[i]`` is how much task i is for the progress, and `make_worker` makes what one thread
    calls with task numbers. Tasks must look at ``progress.check`` themselves if they take long.
    Raises what a task raises, and `Cancelled`.
    """
    from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

    progress.stage(stage, int(sum(units)))
    threads = min(threads or platform.count_usable_cores(), len(units))
    if threads <= 1:
        work = make_worker() if units else None
        for task, size in enumerate(units):
            assert work is not None
            work(task)
            progress.advance(size)
        return
    numbers, stop, done = count(), threading.Event(), [0] * len(units)

    def run_tasks() -> None:
        work = make_worker()
        for task in numbers:
            if task >= len(units) or stop.is_set():
                return
            work(task)
            done[task] = units[task]

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run_tasks) for _ in range(threads)]
        try:
            while wait(futures, timeout=0.05, return_when=FIRST_EXCEPTION).not_done:
                progress.update(sum(done))
                if any(future.done() and future.exception() for future in futures):
                    break
        finally:
            stop.set()
    for future in futures:
        future.result()
    progress.update(sum(units))
