"""Paints a query with its marks: plain text in pieces, which no parser of rich text sees."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from auditor.gui.risk import session_data
from auditor.gui.widgets import style
from auditor.gui.widgets.tables import Index

MARKS = Qt.ItemDataRole.UserRole + 1
"""The role under which a model gives the marks of a cell's text."""


class MarkedDelegate(QStyledItemDelegate):
    """Paints a query with its marks; the text is laid out as it is, never parsed."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Background and focus as the style paints them, then the text in pieces."""
        cell: Any = QStyleOptionViewItem(option)
        self.initStyleOption(cell, index)
        text, marks = session_data.cut_to_first_mark(cell.text, index.data(MARKS) or [])
        cell.text = ""
        widget: QWidget = cell.widget
        painted = widget.style() if widget is not None else QApplication.style()
        painted.drawControl(QStyle.ControlElement.CE_ItemViewItem, cell, painter, widget)
        area = cell.rect.adjusted(style.TIGHT, 0, -style.TIGHT, 0)
        metrics = QFontMetrics(cell.font)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        selected = bool(cell.state & QStyle.StateFlag.State_Selected)
        roles = cell.palette.ColorRole
        layout = QTextLayout(text, cell.font)
        line_option = QTextOption()
        line_option.setWrapMode(QTextOption.WrapMode.NoWrap)
        line_option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(line_option)
        form = mark_format(widget, selected=selected)
        layout.setFormats(
            [_make_range(a, n, form) for a, n in session_data.utf16_marks(text, marks)]
        )
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(area.width())
        layout.endLayout()
        top = area.top() + (area.height() - line.height()) / 2
        painter.save()
        painter.setClipRect(cell.rect)
        painter.setPen(cell.palette.color(roles.HighlightedText if selected else roles.Text))
        layout.draw(painter, QPointF(area.left(), top))
        painter.restore()


def mark_format(widget: QWidget | None, *, selected: bool = False) -> QTextCharFormat:
    """How a marked piece looks: underlined and on a tint; on a selected row underlined alone."""
    theme = style.theme_of(widget)
    form = QTextCharFormat()
    form.setFontUnderline(True)
    if not selected:
        form.setUnderlineColor(QColor(theme.bad))
        form.setBackground(style.mix_colours(theme.bad, theme.surface, 0.18))
        form.setForeground(QColor(theme.text))
    return form


def _make_range(start: int, length: int, form: QTextCharFormat) -> QTextLayout.FormatRange:
    span = QTextLayout.FormatRange()
    span.start, span.length, span.format = start, length, form
    return span
