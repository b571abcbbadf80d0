"""Keeps what was worked out of a log, or of its strings, for as long as that lives."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
T = TypeVar("T")


class LifetimeCache(Generic[Owner, T]):
    """The last `most` results for each owner, by a key; safe in several threads."""

    def __init__(self, size_limit: int = 1) -> None:
        self._most = size_limit
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[Owner, dict[Hashable, T]] = WeakKeyDictionary()

    def __contains__(self, owner: Owner) -> bool:
        with self._lock:
            return owner in self._kept

    def get(self, owner: Owner, key: Hashable, find: Callable[[], T]) -> T:
        """What was found of this owner under the key, or what `find` finds now."""
        with self._lock:
            results = self._kept.get(owner, {})
        if key in results:
            return results[key]
        result = find()
        with self._lock:
            latest = [*self._kept.get(owner, {}).items(), (key, result)]
            self._kept[owner] = dict(latest[-self._most :])
        return result
