"""Work for the window's own thread, in pieces that have a turn of the event loop each.

Between two pieces is a turn in which what the last one changed is painted, and the mouse and the
keys are heard. So no turn grows longer than a frame by all that a slider's step or a run's end
changes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, QTimer


class UiScheduler(QObject):
    """Pieces that wait; they come in the order in which they were first asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Hashable, Callable[[], object]] = {}
        self._painting = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._run_next)

    @property
    def busy(self) -> bool:
        """Whether a piece waits."""
        return bool(self._waiting)

    def run_soon(self, piece: Callable[[], object], whose: Hashable = None) -> None:
        """Do a piece in a turn of its own.

        It takes the place of the one that still waits for the same widget or thing (`whose`, by
        default the piece itself): however many steps a slider makes meanwhile, the last is drawn,
        and not later than the first would have been.
        """
        self._waiting[piece if whose is None else whose] = piece
        if not self._timer.isActive():
            self._timer.start()

    def run_now(self, piece: Callable[[], object], whose: Hashable) -> None:
        """Do a piece at once, in place of the one that waits for the same."""
        self._waiting.pop(whose, None)
        piece()

    def clear(self) -> None:
        """Do nothing of what waits."""
        self._waiting.clear()
        self._painting = False
        self._timer.stop()

    def _run_next(self) -> None:
        self._painting = not self._painting
        if not self._painting:
            if self._waiting:
                self._timer.start()
            return
        self._timer.start()  # also when the piece fails
        if self._waiting:
            self._waiting.pop(next(iter(self._waiting)))()
