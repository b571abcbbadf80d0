"""How much memory there is, how much this process holds, and a watch that it keeps to a limit."""

import re
import threading
from collections.abc import Callable
from typing import Self

from auditor import platform
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.messages import phrase

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
LEAST = 256 << 20
"""Bytes that the program itself takes, without any log."""
LOOK = 0.02
"""Seconds between two looks at the memory held."""


def size_of(text: str, name: str = "memory") -> int:
    """Bytes of a size as people write it: ``2GiB``, ``1500M``; units are powers of 1,024."""
    match = _SIZE.fullmatch(text.strip())
    amount = float(match[1]) * _UNITS[match[2].lower()] if match and len(match[1]) < 20 else 0.0
    size = round(amount) if amount < 2**60 else 0
    if size < 2 * LEAST:
        raise ParameterError(
            name, sentence("memory.takes_size_like_gib", name=name, least=format_size(2 * LEAST))
        )
    return size


def format_size(size: float) -> str:
    """A size for people."""
    if size >= 2**30:
        return phrase("{size:.1f} GiB", size=size / 2**30)
    return (
        phrase("{size:.0f} MiB", size=size / 2**20)
        if size >= 2**20
        else phrase("{size:.0f} KiB", size=size / 2**10)
    )


def available_memory() -> int | None:
    """Bytes that this process may still take, by the system, its group and its limits."""
    free = platform.read_free_memory()
    limits = [*platform.read_memory_limits(), *([] if free is None else [free])]
    return min(limits) if limits else None


class MemoryReadings:
    """Calls `look` every `LOOK` seconds in a thread, until it says True; a context manager."""

    def __init__(self, name: str, look: Callable[[], bool]) -> None:
        self._look = look
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._take_readings, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _take_readings(self) -> None:
        while not self._stop.wait(LOOK):
            if self._look():
                return


class MemoryWatch(MemoryReadings):
    """Calls `exceeded` once when this process holds more than `most` bytes of its own.

    Pages of files, which the system can drop, don't count. A limit of the system's would be exact,
    but where it ends a thread's beginning Python waits for that thread for ever, and libraries
    abort. Use as a context manager; `over` says whether it came to that.
    """

    def __init__(self, byte_limit: int, exceeded: Callable[[], None]) -> None:
        super().__init__("memory", self._check_limit)
        self.most = byte_limit
        self.over = False
        self._exceeded = exceeded

    def _check_limit(self) -> bool:
        total, pages = platform.read_held_memory()
        if total - pages <= self.most:
            return False
        self.over = True
        self._exceeded()
        return True
