"""Work for the window's own thread, in pieces that have a turn of the event loop each.

In between, what changed is painted and keys are heard: no turn grows longer than a frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, QTimer

PATIENCE = 0.12
"""Seconds that text waits for pictures at most: while a slider is dragged, nobody reads it."""


class UiScheduler(QObject):
    """Pieces in the order in which they were first asked for; text beside pictures comes after."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Hashable, Callable[[], object]] = {}
        self._texts: dict[Hashable, tuple[float, Callable[[], object]]] = {}
        """Pieces that come later, with when they were first asked for."""
        self._painting = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._run_next)

    @property
    def busy(self) -> bool:
        """Whether a piece waits."""
        return bool(self._waiting or self._texts)

    @property
    def drawing(self) -> bool:
        """Whether a piece waits that isn't text."""
        return bool(self._waiting)

    def run_soon(self, piece: Callable[[], object], whose: Hashable = None) -> None:
        """Do a piece in a turn of its own, in place of one that waits for the same (`whose`).

        The last of many steps is drawn, and not later than the first would have been.
        """
        self._waiting[piece if whose is None else whose] = piece
        if not self._timer.isActive():
            self._timer.start()

    def run_later(self, piece: Callable[[], object], whose: Hashable = None) -> None:
        """Do a piece, as `run_soon`, once no other waits, or after `PATIENCE`: for text."""
        key = piece if whose is None else whose
        since = self._texts[key][0] if key in self._texts else time.monotonic()
        self._texts[key] = since, piece
        if not self._timer.isActive():
            self._timer.start()

    def run_now(self, piece: Callable[[], object], whose: Hashable) -> None:
        """Do a piece at once, in place of the one that waits for the same."""
        self._waiting.pop(whose, None)
        self._texts.pop(whose, None)
        piece()

    def clear(self) -> None:
        self._waiting.clear()
        self._texts.clear()
        self._painting = False
        self._timer.stop()

    def _run_next(self) -> None:
        self._painting = not self._painting
        if not self._painting:
            if self.busy:
                self._timer.start()
            return
        self._timer.start()  # also when the piece fails
        first = next(iter(self._texts), None)
        overdue = first is not None and time.monotonic() - self._texts[first][0] > PATIENCE
        if self._waiting and not overdue:
            self._waiting.pop(next(iter(self._waiting)))()
        elif first is not None:
            self._texts.pop(first)[1]()
