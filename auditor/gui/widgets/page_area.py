"""A page that is as high as it needs to be, and scrolled where the window is lower."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

NARROW = 130
"""Characters below which what stands side by side goes one below the other."""
TALLER = 1.8


class PageArea(QScrollArea):
    """Gives its page at least so many lines of text, so that large text squeezes nothing.

    Where the window is narrow for its text, `pairs` stand one below the other.
    """

    def __init__(
        self,
        page: QWidget | None = None,
        lines: int = 0,
        pairs: Sequence[QSplitter] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_page(page or QWidget(), lines, pairs)

    def set_page(self, page: QWidget, lines: int, pairs: Sequence[QSplitter] = ()) -> None:
        """Have this page."""
        self._page, self._lines, self._pairs = page, lines, tuple(pairs)
        self.setWidget(page)
        self._fit_page()

    def changeEvent(self, event: QEvent) -> None:
        """Larger text needs more room."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and "_page" in self.__dict__:
            self._fit_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrower window has less beside each other."""
        super().resizeEvent(event)
        self._fit_page()

    def _fit_page(self) -> None:
        narrow = self.width() < NARROW * self.fontMetrics().averageCharWidth()
        way = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        for pair in self._pairs:
            if pair.orientation() != way:
                pair.setOrientation(way)
        lines = self._lines * (TALLER if narrow and self._pairs else 1.0)
        self._page.setMinimumHeight(round(lines * self.fontMetrics().lineSpacing()))
