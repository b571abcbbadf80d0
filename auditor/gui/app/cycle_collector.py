"""Python's cyclic garbage is collected in the window's thread alone.

A worker that destroys a Qt object waits for Python's lock with Qt's lock of connections held, while
the window's thread may wait for that with Python's: then neither goes on.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 20
"""Milliseconds between two looks at how much was allocated.

With more, a look finds more to search at once: with 100 a start has pauses of 0.1 s.
"""


class CycleCollector(QObject):
    """Collects by Python's own thresholds in turns of the event loop, from now to `stop`."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL)
        self._timer.timeout.connect(collect_due)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.enable()


def collect_due() -> None:
    """Collect the oldest generation that has grown over its threshold, and those younger."""
    sizes = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, most) in enumerate(sizes) if count > most]
    if due:
        gc.collect(due[-1])
