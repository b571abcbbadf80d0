"""Runs side by side: what was set and what came of it, their plots, and whom each exposes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from auditor.engine.run import Run
from auditor.gui.compare.explore_panel import ExplorePanel
from auditor.gui.compare.exposed_panel import ExposedPanel
from auditor.gui.compare.plots import ComparedPlots
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.compare.text_rows import ComparisonRow, column_heading, csv_of, lines_of, rows_of
from auditor.gui.release.exportable import Exportable
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.tables import dress_table
from auditor.log.model import QueryLog


class ComparePanel(QWidget):
    """The comparison in three parts; the first run is what the others are compared with."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records: list[Run] = []
        self.hint = style.plain_label(role="muted", wrap=True)
        self.table = QTableWidget()
        dress_table(self.table, self.tr("Comparison of runs"), several=True)
        self.plots, self.exposed = ComparedPlots(), ExposedPanel()
        self.tables, self.explore = TablesPanel(), ExplorePanel()
        self.copy = QPushButton(self.tr("Copy as CSV"))
        self.copy.clicked.connect(self._copy_table)
        self.only = QCheckBox(self.tr("Only what differs"))
        self.only.toggled.connect(lambda _on: self._fill_table())
        head = QHBoxLayout()
        head.setSpacing(style.NORMAL)
        head.addWidget(self.hint, 1)
        head.addWidget(self.only)
        head.addWidget(self.copy)
        figures = QWidget()
        column = QVBoxLayout(figures)
        column.setContentsMargins(0, style.TIGHT, 0, 0)
        column.setSpacing(style.TIGHT)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        self._below = QWidget()
        column.addWidget(self._below, 1)
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.setAccessibleName(self.tr("What is compared"))
        self.tabs.addTab(figures, self.tr("Parameters and metrics"))
        self.tabs.addTab(self.plots, self.tr("Plots"))
        self.tabs.addTab(self.exposed, self.tr("Who is exposed"))
        self.tabs.addTab(self.tables, self.tr("Tables"))
        self.tabs.addTab(self.explore, self.tr("Grid"))
        self._stale: set[int] = set()
        self.tabs.currentChanged.connect(self._fill_part)
        body = QVBoxLayout(self)
        body.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        body.setSpacing(0)
        body.addWidget(self.tabs, 1)
        self.show_runs([])

    @property
    def numbers(self) -> list[int]:
        """The runs that are compared."""
        return [record.number for record in self._records]

    def set_log(self, log: QueryLog | None) -> None:
        """The log that the runs are of."""
        self.exposed.set_log(log)

    def show_runs(self, records: Sequence[Run]) -> None:
        """Compare these runs with the first of them; one alone has its lines."""
        self._records = list(records)
        several = len(self._records) > 1
        if not several and self.tabs.currentIndex() in (1, 2):
            self.tabs.setCurrentIndex(0)
        for place in (1, 2):
            self.tabs.setTabEnabled(place, several)
        self._stale = {0, 1, 2}
        self._fill_part(self.tabs.currentIndex())

    def _fill_part(self, part: int) -> None:
        """Fill the part that is in front; the others wait until somebody turns to them."""
        if part not in self._stale:
            return
        self._stale.discard(part)
        several = len(self._records) > 1
        records = self._records if several else []
        if part == 1:
            self.plots.show_runs(records)
        elif part == 2:
            self.exposed.show_runs(records)
        else:
            self._fill_table()

    def _fill_table(self) -> None:
        some, several = bool(self._records), len(self._records) > 1
        self.table.setVisible(some)
        self.copy.setVisible(some)
        self.only.setVisible(several)
        self._below.setVisible(not some)
        self.hint.setText(
            self.tr(
                "In brackets: the difference to run {}. A dot marks what is not the same, a star "
                "the best."
            ).format(self._records[0].letter)
            if several
            else self.tr("Select two or more finished runs in the list and press Compare.")
        )
        if not some:
            self.table.setRowCount(0)
            return
        lines = lines_of(self._records)
        if several and self.only.isChecked():
            lines = _without_empty([line for line in lines if line.differs or not line.cells])
        self.table.clear()
        self.table.setRowCount(len(lines))
        self.table.setColumnCount(1 + len(self._records))
        self.table.setHorizontalHeaderLabels(["", *(column_heading(r) for r in self._records)])
        for column, record in enumerate(self._records, start=1):
            top = self.table.horizontalHeaderItem(column)
            if top is not None:
                top.setToolTip(safe_text.plain_tip(column_heading(record)))
        self.table.clearSpans()
        for row, line in enumerate(lines):
            self._fill_row(row, line)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self._fit_labels()
        self.table.verticalHeader().setDefaultSectionSize(
            self.fontMetrics().height() + 2 * style.TIGHT
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A wider window cuts no label."""
        super().resizeEvent(event)
        self._fit_labels()

    def _fit_labels(self) -> None:
        """The labels' column: as wide as they are, up to a third of the page."""
        most = max(30 * self.fontMetrics().averageCharWidth(), self.width() // 3)
        wanted = max(self.table.sizeHintForColumn(0), 0) + style.TIGHT
        self.table.horizontalHeader().resizeSection(0, min(wanted, most))

    def _fill_row(self, row: int, line: ComparisonRow) -> None:
        theme = style.theme_of(self)
        label = QTableWidgetItem(("● " if line.differs else "") + line.label)
        label.setToolTip(safe_text.plain_tip(f"{line.label}\n{line.help}".strip()))
        if not line.cells:
            label.setFont(style.scaled_font(self, bold=True))
            label.setBackground(QColor(theme.window))
            self.table.setSpan(row, 0, 1, 1 + len(self._records))
        self.table.setItem(row, 0, label)
        for column, cell in enumerate(line.cells, start=1):
            item = QTableWidgetItem(f"★ {cell}" if column - 1 in line.best else cell)
            item.setToolTip(safe_text.plain_tip(cell))
            item.setFont(style.scaled_font(self, bold=line.differs))
            item.setTextAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            self.table.setItem(row, column, item)

    def make_exportable(self) -> Exportable | None:
        """The comparison's table, or whom the runs expose as far as it is listed."""
        if not self._records:
            return None
        letters = ", ".join(record.letter for record in self._records)
        title = self.tr("Comparison of runs {}").format(letters)
        if self.tabs.currentWidget() is self.exposed:
            return self.exposed.make_exportable(title)
        return Exportable(title, rows=rows_of(self._records))

    def _copy_table(self) -> None:
        QGuiApplication.clipboard().setText(csv_of(self._records))


def _without_empty(lines: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    """Lines without the headings under which nothing stands."""
    after = [*lines[1:], ComparisonRow("")]
    return [line for line, then in zip(lines, after, strict=True) if line.cells or then.cells]
