"""The column of facts about a log, beside its plots or above them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget


class FactsArea(QScrollArea):
    """The cards beside the plots: scrolled there, and as high as they are above the plots."""

    def __init__(self, cards: QWidget) -> None:
        super().__init__()
        self._whole, self._cards = False, cards
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(cards)

    def show_whole(self, whole: bool) -> None:
        """Show all cards at once, where the page scrolls, or as many as there is room for."""
        self._whole = whole
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """As high as the cards need in this width, if all are shown."""
        least, cards = super().minimumSizeHint(), self._cards.layout()
        if self._whole and cards is not None:
            least.setHeight(max(cards.heightForWidth(self.width()), cards.minimumSize().height()))
        return least

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the lines of the cards anew."""
        super().resizeEvent(event)
        if self._whole and event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is put into a card may need more room."""
        if self._whole and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)
