"""What benchmarks take: seconds and memory."""

from __future__ import annotations

import resource
import time


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
