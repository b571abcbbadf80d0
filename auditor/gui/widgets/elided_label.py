"""A label of one line that gives way to what stands beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel

from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.fields import EventWatch


class ElidedLabel(QLabel):
    """One line that gives way: what doesn't fit becomes an ellipsis; the tooltip has it all."""

    def __init__(self, *, size: float = style.BODY, bold: bool = False, role: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(style.scaled_font(self, size, bold=bold))
        if role:
            self.setProperty("role", role)
        self._whole = ""
        EventWatch(self, self._fit_text, QEvent.Type.Resize)

    def show_text(self, text: str) -> None:
        self._whole = text
        self.setToolTip(safe_text.plain_tip(text))
        self.setAccessibleName(text)
        self._fit_text()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the whole text, of which it has maybe shown a part so far."""
        wide = self.fontMetrics().horizontalAdvance(self._whole) + 2
        return QSize(wide, super().sizeHint().height())

    def _fit_text(self) -> None:
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(self._whole)
        self.setMaximumWidth(wide + style.NORMAL)
        self.setMinimumWidth(min(80, wide + 2))
        room = max(self.width(), self.minimumWidth())
        self.setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideMiddle, room))
