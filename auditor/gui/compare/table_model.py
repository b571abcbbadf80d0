"""Lines of a comparison of exposures as a table; a line's text is made when it is seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QObject, Qt

from auditor.arrays import Int64s
from auditor.gui.app.translation import translate_all
from auditor.gui.compare.exposure import BOTH, FIRST, ExposureDifference, Level
from auditor.gui.risk.table_model import Index
from auditor.gui.widgets import formats, safe_text
from auditor.log.model import QueryLog

Role = Qt.ItemDataRole

KEYS = ("log", "log", "where", "why 1", "why 2", "risk 1", "risk 2", "sessions 1", "sessions 2")
"""What each column sorts by."""
USER, WHEN, WHERE, WHY, RISK, SESSIONS = 0, 1, 2, 3, 5, 7


class ExposedModel(QAbstractTableModel):
    """Lines of a `ExposureDifference` in some order; text is made when a line is seen."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.log: QueryLog | None = None
        self.found: ExposureDifference | None = None
        self.level: Level = "users"
        self.names = ("A", "B")
        self.places: Int64s = np.zeros(0, dtype=np.int64)

    def set_comparison(
        self,
        log: QueryLog | None,
        found: ExposureDifference | None,
        level: Level,
        names: tuple[str, str],
        places: Int64s,
    ) -> None:
        """Show these lines of a comparison."""
        self.beginResetModel()
        self.log, self.found, self.level, self.names, self.places = log, found, level, names, places
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Lines shown."""
        return 0 if parent is not None and parent.isValid() else len(self.places)

    def columnCount(self, parent: Index | None = None) -> int:
        """The columns of the level."""
        return 0 if parent is not None and parent.isValid() else len(KEYS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """Headings, which name the runs."""
        if orientation is not Qt.Orientation.Horizontal or role != Role.DisplayRole:
            return None
        when = self.tr("First session (UTC)") if self.level == "users" else self.tr("When (UTC)")
        fixed = (self.tr("User"), when, self.tr("Exposed by"))
        if section < WHY:
            return fixed[section]
        kinds = (self.tr("Why in {}"), self.tr("Risk in {}"), self.tr("Sessions in {}"))
        return kinds[(section - WHY) // 2].format(self.names[(section - WHY) % 2])

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """One cell."""
        if not index.isValid() or self.log is None or self.found is None:
            return None
        if role == Role.TextAlignmentRole and index.column() >= RISK:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Role.DisplayRole, Role.ToolTipRole):
            return None
        text = self._format_cell(
            self.log, self.found, int(self.places[index.row()]), index.column()
        )
        return safe_text.plain_tip(text) if role == Role.ToolTipRole else text

    def _format_cell(
        self, log: QueryLog, found: ExposureDifference, place: int, column: int
    ) -> str:
        lines = found.select_rows(self.level)
        if column == USER:
            return safe_text.make_line(log.users, int(lines.user[place]), 60)
        if column == WHEN:
            return safe_text.format_moment(int(log.time[lines.start[place]]))
        if column == WHERE:
            return self.describe_where(int(lines.where[place]))
        side = (column - WHY) % 2
        if not int(lines.where[place]) >> side & 1:
            return "" if column < RISK else "–"
        if column < RISK:
            whys = (found.first, found.second)[side].list_reasons(int(lines.reason[side, place]))
            return "; ".join(translate_all(whys))
        if column < SESSIONS:
            return formats.format_fixed(lines.risk[side, place], 2)
        return formats.format_count(int(lines.sessions[side, place]))

    def describe_where(self, code: int) -> str:
        """By which run somebody is exposed, in words."""
        if code == BOTH:
            return self.tr("both")
        return self.tr("{} only").format(self.names[0 if code == FIRST else 1])
