"""Keeps what a measure prepared from a log for as long as the log lives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from auditor.log.model import QueryLog

T = TypeVar("T")


class PreparedCache(Generic[T]):
    """One prepared thing for each log: that of the key asked last; safe in several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[QueryLog, tuple[Hashable, T]] = WeakKeyDictionary()

    def get(self, log: QueryLog, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for this log and key, or what `make` gives now."""
        with self._lock:
            known = self._kept.get(log)
        if known is not None and known[0] == key:
            return known[1]
        made = make()
        with self._lock:
            self._kept[log] = (key, made)
        return made
