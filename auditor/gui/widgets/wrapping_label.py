"""A label of several lines that remembers how high it is at a width."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget


class WrappingLabel(QLabel):
    """Plain text in as many lines as its width needs.

    Qt breaks the lines of all labels of a panel anew, several times, whenever one of them says
    something else. Here each text is measured once for a width. Margins are set before it is shown.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._heights: dict[int, int] = {}
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def setText(self, text: str) -> None:
        """Say something else; the same again costs nothing."""
        if text != self.text():
            self._heights.clear()
            super().setText(text)

    def setMargin(self, margin: int) -> None:
        """Leave another room around the text."""
        self._heights.clear()
        super().setMargin(margin)

    def heightForWidth(self, width: int) -> int:
        """Pixels that the text needs at a width."""
        height = self._heights.get(width)
        if height is None:
            height = self._heights[width] = super().heightForWidth(width)
        return height

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew after a change of how the text looks."""
        self._heights.clear()
        super().changeEvent(event)
