"""A heading that unfolds what stands under it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget

from auditor.gui.widgets import style


class FoldedSection(QWidget):
    """Shows its heading alone until somebody unfolds it."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = QToolButton()
        self.button.setProperty("role", "fold")
        self.button.setText(title)
        self.button.setAccessibleName(title)
        self.button.setCheckable(True)
        self.button.setAutoRaise(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button.setFont(style.scaled_font(self.button, bold=True))
        self.button.toggled.connect(self._set_unfolded)
        self.inside = QWidget()
        self.column = QVBoxLayout(self.inside)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(style.TIGHT)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(style.TIGHT)
        body.addWidget(self.button)
        body.addWidget(self.inside)
        self._set_unfolded(False)

    def _set_unfolded(self, wide: bool) -> None:
        self.button.setArrowType(Qt.ArrowType.DownArrow if wide else Qt.ArrowType.RightArrow)
        self.inside.setVisible(wide)

    def unfold(self) -> None:
        """Show what stands under the heading."""
        self.button.setChecked(True)
