"""A label of one line that gives way to what stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from auditor.gui.widgets import safe_text, style


class ElidedLabel(QLabel):
    """One line that gives way: what doesn't fit is said shorter, or becomes an ellipsis.

    The tooltip has it all.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        size: float = style.BODY,
        bold: bool = False,
        role: str = "",
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(style.scaled_font(self, size, bold=bold))
        if role:
            self.setProperty("role", role)
        self._whole, self._short, self._floor = "", "", False
        self._brief = False

    def show_text(self, text: str, short: str = "") -> None:
        """Show a text, or what is said in its place where there is no room for it."""
        self._whole, self._short, self._floor = text, short or text, bool(short)
        self.setToolTip(safe_text.plain_tip(text))
        self.setAccessibleName(text)
        self._fit_text()
        self.updateGeometry()

    def measure_widths(self) -> tuple[int, int]:
        """Pixels that it takes said shorter, and as a whole."""
        measure = self.fontMetrics().horizontalAdvance
        return measure(self._short) + style.NORMAL, measure(self._whole) + style.NORMAL

    def prefer_short(self, brief: bool) -> None:
        """Say it shorter even where there is room, so that others beside it have it."""
        if brief != self._brief:
            self._brief = brief
            self._fit_text()
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text anew."""
        super().resizeEvent(event)
        self._fit_text()

    def sizeHint(self) -> QSize:
        """Room for the whole text, of which it has maybe shown a part so far."""
        hint = super().sizeHint()
        said = self._short if self._brief else self._whole
        return QSize(self.fontMetrics().horizontalAdvance(said) + 2, hint.height())

    def _fit_text(self) -> None:
        metrics, wanted = self.fontMetrics(), self._short if self._brief else self._whole
        self.setMaximumWidth(metrics.horizontalAdvance(wanted) + style.NORMAL)
        least = metrics.horizontalAdvance(self._short) + 2
        self.setMinimumWidth(least if self._floor else min(80, least))
        room = max(self.width(), self.minimumWidth())
        fits = metrics.horizontalAdvance(wanted) <= room
        said = wanted if fits else self._short
        self.setText(metrics.elidedText(said, Qt.TextElideMode.ElideMiddle, room))
