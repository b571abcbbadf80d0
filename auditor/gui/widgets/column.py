"""Rows one below the other in a side panel: scrolled up and down, never cut at the side."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class ScrollColumn(QScrollArea):
    """Scrolls its rows up and down, and asks for the width that the widest of them needs."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    def minimumSizeHint(self) -> QSize:
        """As wide as the rows and a scroll bar; as low as any such area."""
        least = super().minimumSizeHint()
        rows = self.widget()
        if rows is None:
            return least
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(max(least.width(), rows.minimumSizeHint().width() + bar), least.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hear of rows that come, go or grow."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
