"""How the table of flagged sessions looks: its columns, their widths, and the bar of the risk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from auditor.gui.app.translation import tr
from auditor.gui.risk.table_model import (
    MARKED,
    NOTED,
    QUERIES,
    RISK,
    RISK_COLUMN,
    SURVIVES,
    USER,
    WHEN,
    WHY,
    FlaggedModel,
    Index,
)
from auditor.gui.widgets import style
from auditor.gui.widgets.tables import dress_table

ROOMY = 120
"""Characters of a list that has room for every column."""
TIGHT = 40
"""Characters of a list that has room for a query and its risk alone."""


class RiskDelegate(QStyledItemDelegate):
    """The risk as a number, with a bar under it that is as long as the risk is high."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The cell as always, then the bar."""
        super().paint(painter, option, index)
        risk = index.data(RISK)
        if risk is None:
            return
        cell: Any = option
        area, state = cell.rect, cell.state
        theme = style.theme_of(cell.widget)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        colour = theme.on_accent if selected else theme.bad
        width = round((area.width() - 8) * min(1.0, max(0.0, risk)))
        painter.fillRect(area.right() - 4 - width, area.bottom() - 3, width, 2, QColor(colour))


class FlaggedTable(QTableView):
    """The list of sessions; shows the columns that it has room for."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A list that gets narrower, such as beside a session that opens, shows less."""
        super().resizeEvent(event)
        hide_columns(self, self.width())


def make_table_view(model: FlaggedModel) -> FlaggedTable:
    """The table; a row is chosen whole."""
    table = FlaggedTable()
    table.setModel(model)
    dress_table(table, tr("Flagged sessions"), several=True)
    table.setItemDelegateForColumn(RISK_COLUMN, RiskDelegate(table))
    header = table.horizontalHeader()
    widths = ("0" * 10, "2006-03-04 21:10:00", "Queries  ▾", "m" * 20, "n" * 30, "Risk  ▾ 0",
              "✗ 2 of 2 marked queries", "n" * 12)  # fmt: skip
    for place, sample in enumerate(widths):
        header.resizeSection(place, table.fontMetrics().horizontalAdvance(sample) + 16)
    table.setColumnHidden(NOTED, True)
    for place in (MARKED, WHY, NOTED):
        header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
    header.setMinimumSectionSize(48)
    header.setSortIndicator(RISK_COLUMN, Qt.SortOrder.DescendingOrder)
    table.setSortingEnabled(True)
    return table


def hide_columns(table: QTableView, width: int) -> None:
    """Show the columns that a list of so many pixels has room for.

    Before there is a release, the reasons stand where it would say what survives.
    """
    letters = width / table.fontMetrics().averageCharWidth()
    model = table.model()
    released = isinstance(model, FlaggedModel) and model.released
    for column in (USER, WHEN, QUERIES):
        table.setColumnHidden(column, letters <= ROOMY)
    table.setColumnHidden(WHY, letters <= (ROOMY if released else TIGHT))
    table.setColumnHidden(SURVIVES, letters <= TIGHT or not released)


def bind_keys(widget: QWidget, keys: Mapping[Any, Callable[[], None]]) -> None:
    """Keys that work while a widget, or anything in it, has the focus."""
    for key, act in keys.items():
        shortcut = QShortcut(QKeySequence(key), widget)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)
