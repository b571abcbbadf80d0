"""A page that is as high as it needs to be, and scrolled where the window is lower."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class PageArea(QScrollArea):
    """Gives its page at least so many lines of text, so that large text squeezes nothing."""

    def __init__(self, page: QWidget, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page, self._lines = page, lines
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(page)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Larger text needs more room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and "_page" in self.__dict__:
            self._fit()

    def _fit(self) -> None:
        self._page.setMinimumHeight(self._lines * self.fontMetrics().lineSpacing())
