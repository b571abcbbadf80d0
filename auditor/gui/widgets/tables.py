"""How every table looks and is used: whole rows, no lines, and Tab leaves it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from auditor.gui.widgets import style


def dress_table(table: QTableView, name: str, *, several: bool = False) -> None:
    """Make a table one to read from, called `name`; with `several`, rows can be chosen together."""
    view, resize = QAbstractItemView, QHeaderView.ResizeMode
    modes = view.SelectionMode
    table.setAccessibleName(name)
    table.setEditTriggers(view.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(view.SelectionBehavior.SelectRows)
    table.setSelectionMode(modes.ExtendedSelection if several else modes.SingleSelection)
    table.setHorizontalScrollMode(view.ScrollMode.ScrollPerPixel)
    table.setTabKeyNavigation(False)  # Tab leaves the table; the arrows move in it
    table.setAlternatingRowColors(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    upright, header = table.verticalHeader(), table.horizontalHeader()
    upright.hide()
    upright.setSectionResizeMode(resize.Fixed)
    upright.setDefaultSectionSize(table.fontMetrics().height() + 2 * style.TIGHT)
    header.setHighlightSections(False)
    header.setTextElideMode(Qt.TextElideMode.ElideRight)
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
