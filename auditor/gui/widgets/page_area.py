"""A page that is as high as it needs to be, and scrolled where the window is lower."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

NARROW = 130
"""Characters below which what stands side by side goes one below the other."""
TALLER = 1.8
"""How many times the lines a page has whose pairs stand one below the other."""


def is_narrow(widget: QWidget) -> bool:
    """Whether what stands side by side in a widget has too little room for its text."""
    return widget.width() < NARROW * widget.fontMetrics().averageCharWidth()


class PageArea(QScrollArea):
    """Gives its page at least so many lines of text, so that large text squeezes nothing.

    Where the window is narrow for its text, `pairs` stand one below the other, and the page is as
    high as they need, at least `taller` times as many lines.
    """

    narrowed = Signal(bool)
    """Whether the pairs stand one below the other, when that changes."""

    def __init__(
        self,
        page: QWidget | None = None,
        lines: int = 0,
        pairs: Sequence[QSplitter] = (),
        parent: QWidget | None = None,
        *,
        taller: float = TALLER,
    ) -> None:
        super().__init__(parent)
        self._taller = taller
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is put into a page may need more room."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self.__dict__.get("_page"):
            self._fit_page()
        return super().eventFilter(watched, event)

    def _fit_page(self) -> None:
        narrow = is_narrow(self)
        way = Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal
        for pair in self._pairs:
            if pair.orientation() != way:
                pair.setOrientation(way)
                self.narrowed.emit(narrow)
        stacked, layout = narrow and bool(self._pairs), self._page.layout()
        lines = self._lines * (self._taller if stacked else 1.0)
        high = round(lines * self.fontMetrics().lineSpacing())
        if stacked and layout is not None:
            high = max(high, layout.minimumSize().height())
        self._page.setMinimumHeight(high)
