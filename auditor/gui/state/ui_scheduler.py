"""Work for the window's own thread, in pieces that have a turn of the event loop each.

Between two pieces is a turn in which what the last one changed is painted, and the mouse and the
keys are heard. So no turn grows longer than a frame by all that a slider's step or a run's end
changes at once.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class UiScheduler(QObject):
    """Pieces that wait; they come in the order in which they were first asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[str, Callable[[], object]] = {}
        self._painting = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    @property
    def busy(self) -> bool:
        """Whether a piece waits."""
        return bool(self._waiting)

    def soon(self, name: str, piece: Callable[[], object]) -> None:
        """Do a piece in a turn of its own.

        It takes the place of the one of this name that still waits: however many steps a slider
        makes meanwhile, the last is drawn, and not later than the first would have been.
        """
        self._waiting[name] = piece
        if not self._timer.isActive():
            self._timer.start()

    def now(self, name: str, piece: Callable[[], object]) -> None:
        """Do a piece at once, in place of the one of this name that waits."""
        self._waiting.pop(name, None)
        piece()

    def clear(self) -> None:
        """Do nothing of what waits."""
        self._waiting.clear()
        self._painting = False
        self._timer.stop()

    def _next(self) -> None:
        self._painting = not self._painting
        if not self._painting:
            if self._waiting:
                self._timer.start()
            return
        self._timer.start()  # also when the piece fails
        if self._waiting:
            self._waiting.pop(next(iter(self._waiting)))()
