"""Keeps what was worked out of a vocabulary's strings for as long as it lives."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from auditor.log.model import Vocabulary

T = TypeVar("T")


class VocabularyCache(Generic[T]):
    """The last `most` results for each vocabulary, by a key; safe in several threads."""

    def __init__(self, most: int = 1) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[Vocabulary, dict[Hashable, T]] = WeakKeyDictionary()

    def __contains__(self, strings: Vocabulary) -> bool:
        with self._lock:
            return strings in self._kept

    def get(self, strings: Vocabulary, key: Hashable, find: Callable[[], T]) -> T:
        """What was found in these strings under the key, or what `find` finds now."""
        with self._lock:
            results = self._kept.get(strings, {})
        if key in results:
            return results[key]
        result = find()
        with self._lock:
            latest = [*self._kept.get(strings, {}).items(), (key, result)]
            self._kept[strings] = dict(latest[-self._most :])
        return result
