"""Keeps the latest results in memory, by the digest of their plan; never on disk."""

from __future__ import annotations

import threading
from collections import OrderedDict

from auditor.engine.run import Run


class ResultCache:
    """The `size` results used last; safe to use from several threads."""

    def __init__(self, size: int = 8) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Run] = OrderedDict()

    def get(self, digest: str) -> Run | None:
        """The result of that plan, if it is still here."""
        with self._lock:
            if digest in self._kept:
                self._kept.move_to_end(digest)
            return self._kept.get(digest)

    def put(self, digest: str, result: Run) -> None:
        """Keep a result, dropping the one unused longest."""
        with self._lock:
            self._kept[digest] = result
            self._kept.move_to_end(digest)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
