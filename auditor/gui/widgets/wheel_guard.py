"""The wheel scrolls pages and changes no value: somebody who scrolls past a field set nothing."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


class WheelGuard(QObject):
    """Passes turns of the wheel on to what its widget stands in."""

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Leave a turn of the wheel to the widgets around."""
        if event.type() != QEvent.Type.Wheel:
            return False
        event.ignore()
        return True


def ignore_wheel(widget: QWidget) -> None:
    """Have a slider, a list or a field with arrows keep its value and its focus under the wheel."""
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    widget.installEventFilter(WheelGuard(widget))
