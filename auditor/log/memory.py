"""How much memory there is, how much this process holds, and a watch that it keeps to a limit."""

from __future__ import annotations

import mmap
import re
import resource
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from auditor.errors import ParameterError

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
LEAST = 256 << 20
"""Bytes that the program itself takes, without any log."""
LOOK = 0.02
"""Seconds between two looks at the memory held."""
_GROUP = Path("/sys/fs/cgroup")


def size_of(text: str, name: str = "memory") -> int:
    """Bytes of a size as people write it: ``2GiB``, ``1500M``; units are powers of 1,024."""
    found = _SIZE.fullmatch(text.strip())
    amount = float(found[1]) * _UNITS[found[2].lower()] if found and len(found[1]) < 20 else 0.0
    size = round(amount) if amount < 2**60 else 0
    if size < 2 * LEAST:
        raise ParameterError(
            name,
            f"--{name} takes a size of {format_size(2 * LEAST)} or more, like 2GiB or 1500MiB.",
        )
    return size


def format_size(size: float) -> str:
    """A size for people."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.0f} MiB"


def held_memory() -> tuple[int, int]:
    """Bytes of memory that this process holds, and of these pages of files; 0 where unknown."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:  # noqa: PTH123  every 20 ms
            found = file.read(256).split()
    except OSError:
        return 0, 0
    return int(found[1]) * mmap.PAGESIZE, int(found[2]) * mmap.PAGESIZE


def available_memory() -> int | None:
    """Bytes that this process may still take, by the system, its group and its limits."""
    found = [_free(), _left_in_group()]
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        most = resource.getrlimit(limit)[0]
        found.append(None if most == resource.RLIM_INFINITY else most)
    known = [size for size in found if size is not None]
    return min(known) if known else None


def _free() -> int | None:
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    found = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) << 10 if found else None


def _left_in_group() -> int | None:
    """What a container's limit leaves; pages of files that it counts can be dropped."""
    try:
        most = (_GROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (_GROUP / "memory.current").read_text(encoding="ascii")
        stat = (_GROUP / "memory.stat").read_text(encoding="ascii")
    except OSError:
        return None
    if most == "max":
        return None
    pages = re.search(r"^inactive_file (\d+)", stat, re.MULTILINE)
    return max(int(most) - int(used) + (int(pages[1]) if pages else 0), 0)


class MemoryReadings:
    """Calls `look` every `LOOK` seconds in a thread, until it says True; a context manager."""

    def __init__(self, name: str, look: Callable[[], bool]) -> None:
        self._look = look
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(LOOK):
            if self._look():
                return


class MemoryWatch(MemoryReadings):
    """Calls `exceeded`, once, when this process holds more than `most` bytes of its own.

    Pages of files, which the system can drop, don't count. A limit of the system's would be exact,
    but where it ends a thread's beginning Python waits for that thread for ever, and libraries
    abort. Use as a context manager; `over` says whether it came to that.
    """

    def __init__(self, most: int, exceeded: Callable[[], None]) -> None:
        super().__init__("memory", self._exceeds)
        self.most = most
        self.over = False
        self._exceeded = exceeded

    def _exceeds(self) -> bool:
        total, pages = held_memory()
        if total - pages <= self.most:
            return False
        self.over = True
        self._exceeded()
        return True
