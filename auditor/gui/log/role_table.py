"""The wizard's preview: the first rows as they were read, and above each column its role."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from auditor.gui.app.translation import tr
from auditor.gui.log.wizard_intent import ROLES
from auditor.gui.widgets import safe_text
from auditor.gui.widgets.tables import dress_table
from auditor.gui.widgets.wheel_guard import ignore_wheel

MOST_COLUMNS = 100
CELL_LIMIT = 200


class RoleHeader(QHeaderView):
    """A header with a choice of role in every section, over the column's name."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._choices: list[QComboBox] = []
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.setHighlightSections(False)
        self.sectionResized.connect(self.place_choices)
        self.geometriesChanged.connect(self.place_choices)

    def offer_roles(self, names: Sequence[str], roles: Sequence[str], *, fixed: bool) -> None:
        """One choice a column, set to its role; `fixed` ones can be read but not changed."""
        while len(self._choices) > len(names):
            self._choices.pop().deleteLater()
        while len(self._choices) < len(names):
            choice = QComboBox(self.viewport())
            ignore_wheel(choice)
            for place, (role, label, help_) in enumerate(ROLES):
                choice.addItem(tr(label), role)
                choice.setItemData(place, tr(help_), Qt.ItemDataRole.ToolTipRole)
            choice.currentIndexChanged.connect(self.changed)
            self._choices.append(choice)
        for number, (choice, role) in enumerate(zip(self._choices, roles, strict=True), start=1):
            with QSignalBlocker(choice):
                choice.setCurrentIndex(max(0, choice.findData(role)))
            choice.setEnabled(not fixed)
            choice.setAccessibleName(self.tr("Role of column {number}").format(number=number))
            choice.show()
        for before, after in zip(self._choices, self._choices[1:], strict=False):
            QWidget.setTabOrder(before, after)
        self.place_choices()

    def list_roles(self) -> list[str]:
        """The role of each column."""
        return [choice.currentData() for choice in self._choices]

    def choice(self, column: int) -> QComboBox:
        """The choice above a column."""
        return self._choices[column]

    def place_choices(self) -> None:
        """Put each choice over its column, wherever that was scrolled to."""
        height = self._choices[0].sizeHint().height() if self._choices else 0
        for column, choice in enumerate(self._choices):
            left = self.sectionViewportPosition(column)
            choice.setGeometry(left + 2, 2, max(0, self.sectionSize(column) - 4), height)

    def sizeHint(self) -> QSize:
        """High enough for the choices and the names."""
        hint = super().sizeHint()
        if self._choices:
            hint.setHeight(hint.height() + self._choices[0].sizeHint().height())
        return hint


class RoleTable(QTableWidget):
    """At most 50 rows of a file; `changed` when somebody gave a column another role."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dress_table(self, self.tr("First rows of the file"), several=True)
        self._header = RoleHeader(self)
        self._header.changed.connect(self.changed)
        self.setHorizontalHeader(self._header)
        self.horizontalScrollBar().valueChanged.connect(self._header.place_choices)
        self.verticalHeader().show()

    @property
    def header(self) -> RoleHeader:
        """The choices of role."""
        return self._header

    def show_rows(
        self,
        names: Sequence[str],
        roles: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        fixed: bool,
    ) -> None:
        """Show these rows, every cell as plain text."""
        shown = min(len(names), MOST_COLUMNS)
        again = self.columnCount() == shown
        self.setColumnCount(shown)
        self.setRowCount(len(rows))
        self.setHorizontalHeaderLabels([safe_text.shorten_text(name, 60) for name in names[:shown]])
        for at, row in enumerate(rows):
            for column in range(shown):
                text = row[column] if column < len(row) else ""
                self.setItem(at, column, QTableWidgetItem(safe_text.shorten_text(text, CELL_LIMIT)))
        self._header.offer_roles(names[:shown], roles[:shown], fixed=fixed)
        if not again:
            least = self._header.choice(0).sizeHint().width() + 8 if shown else 80
            for column in range(shown):
                wide = max(least, min(320, self.sizeHintForColumn(column) + 16))
                self.setColumnWidth(column, wide)
        self.updateGeometries()

    def list_roles(self) -> list[str]:
        """The role of each column that is shown."""
        return self._header.list_roles()

    def clear_rows(self) -> None:
        """Show nothing."""
        self.setRowCount(0)
        self.setColumnCount(0)
        self._header.offer_roles((), (), fixed=True)
