"""Runs side by side: every parameter and every figure, with the difference to the first."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from auditor.figures import Value
from auditor.gui import formats, style
from auditor.gui.run_book import RunRecord
from auditor.params import Spec

RISKY = ("=", "+", "-", "@", "\t", "\r")
"""First characters that a spreadsheet takes for a formula."""


@dataclass(frozen=True)
class Line:
    """One row of the comparison: a heading if it has no cells."""

    label: str
    cells: tuple[str, ...] = ()
    help: str = ""
    differs: bool = False


def lines_of(records: Sequence[RunRecord]) -> list[Line]:
    """What the table shows, as text; the first run is what the others are compared with."""
    lines = [Line("Parameters"), *_parameters(records), Line("Figures")]
    names: dict[str, Value] = {}
    for record in records:
        for value in record.values:
            names.setdefault(value.name, value)
    for name, about in names.items():
        found = [next((v for v in r.values if v.name == name), None) for r in records]
        first, cells = found[0], []
        for index, one in enumerate(found):
            if one is None:
                cells.append("does not apply")
            elif index == 0 or first is None:
                cells.append(formats.measured(one))
            else:
                cells.append(f"{formats.measured(one)}  {_difference(one, first)}".rstrip())
        shown = {v.value if v is not None else None for v in found}
        better = f" ({about.better} is better)" if about.better else ""
        lines.append(Line(about.label + better, tuple(cells), about.help, len(shown) > 1))
    said = tuple(_statement(record) for record in records)
    lines += [Line("Statement"), Line("promise", said, "", len(set(said)) > 1)]
    return lines


def _parameters(records: Sequence[RunRecord]) -> list[Line]:
    methods = tuple(record.plan.what.title for record in records)
    lines = [Line("method", methods, "", len(set(methods)) > 1)]
    specs: dict[str, Spec] = {}
    for record in records:
        for spec in record.plan.params.specs():
            specs.setdefault(spec.name, spec)
    for name, spec in specs.items():
        cells = []
        for record in records:
            params = record.plan.params
            known = any(s.name == name for s in params.specs())
            used = known and params.matters(name)
            cells.append(
                formats.setting(params.spec(name), getattr(params, name)) if used else "not used"
            )
        lines.append(Line(spec.label, tuple(cells), spec.help, len(set(cells)) > 1))
    return lines


def _difference(value: Value, first: Value) -> str:
    """By how much a figure differs from the first run's, and whether that is good."""
    change = value.value - first.value
    if not math.isfinite(change) or change == 0:
        return ""
    sign = "+" if change > 0 else "−"
    word = ""
    if value.better:
        word = " better" if (change > 0) == (value.better == "higher") else " worse"
    return f"[{sign}{formats.number(abs(change))}{word}]"


def _statement(record: RunRecord) -> str:
    return record.statement.headline() if record.statement is not None else "none"


def csv_of(records: Sequence[RunRecord]) -> str:
    """The comparison for a spreadsheet; no cell can act as a formula there."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["", *(safe(heading(record)) for record in records)])
    for line in lines_of(records):
        writer.writerow([safe(line.label), *(safe(cell) for cell in line.cells)])
    return out.getvalue()


def safe(cell: str) -> str:
    """A cell that a spreadsheet shows instead of running it."""
    return f"'{cell}" if cell.startswith(RISKY) else cell


def heading(record: RunRecord) -> str:
    """A column's heading."""
    return f"{record.letter}  {record.title}"


class ComparePanel(QWidget):
    """The table, and a button that copies it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._records: list[RunRecord] = []
        self.hint = style.label(
            "Select two or more finished runs in the list and press Compare.",
            role="muted",
            wrap=True,
        )
        self.table = QTableWidget()
        self.table.setAccessibleName("Comparison of runs")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setAlternatingRowColors(True)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.copy = QPushButton("Copy as CSV")
        self.copy.clicked.connect(self._copy)
        self.only = QCheckBox("Only what differs")
        self.only.toggled.connect(lambda _on: self.show_runs(self._records))
        head = QHBoxLayout()
        head.setSpacing(style.NORMAL)
        head.addWidget(self.hint, 1)
        head.addWidget(self.only)
        head.addWidget(self.copy)
        body = QVBoxLayout(self)
        body.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        body.setSpacing(style.TIGHT)
        body.addLayout(head)
        body.addWidget(self.table, 1)
        self.show_runs([])

    @property
    def numbers(self) -> list[int]:
        """The runs that are compared."""
        return [record.number for record in self._records]

    def show_runs(self, records: Sequence[RunRecord]) -> None:
        """Compare these runs with the first of them."""
        self._records = list(records)
        several = len(self._records) > 1
        self.table.setVisible(several)
        self.copy.setEnabled(several)
        self.only.setEnabled(several)
        if not several:
            self.hint.setText("Select two or more finished runs in the list and press Compare.")
            self.table.setRowCount(0)
            return
        first = self._records[0].letter
        self.hint.setText(
            f"In brackets: the difference to run {first}. A dot marks what is not the same."
        )
        lines = lines_of(self._records)
        if self.only.isChecked():
            lines = [line for line in lines if line.differs or not line.cells]
        self.table.clear()
        self.table.setRowCount(len(lines))
        self.table.setColumnCount(1 + len(self._records))
        self.table.setHorizontalHeaderLabels(["", *(heading(r) for r in self._records)])
        for column, record in enumerate(self._records, start=1):
            top = self.table.horizontalHeaderItem(column)
            if top is not None:
                top.setToolTip(heading(record))
        self.table.clearSpans()
        for row, line in enumerate(lines):
            self._fill(row, line)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        self.table.resizeColumnToContents(0)
        most = max(200, self.width() // 3)
        header.resizeSection(0, min(self.table.columnWidth(0), most))
        self.table.verticalHeader().setDefaultSectionSize(
            self.fontMetrics().height() + 2 * style.TIGHT
        )

    def _fill(self, row: int, line: Line) -> None:
        theme = style.theme_of(self)
        label = QTableWidgetItem(("● " if line.differs else "") + line.label)
        label.setToolTip(f"{line.label}\n{line.help}".strip())
        if not line.cells:
            label.setFont(style.font(self, bold=True))
            label.setBackground(QColor(theme.window))
            self.table.setSpan(row, 0, 1, 1 + len(self._records))
        self.table.setItem(row, 0, label)
        for column, cell in enumerate(line.cells, start=1):
            item = QTableWidgetItem(cell)
            item.setToolTip(cell)
            item.setFont(style.font(self, bold=line.differs))
            item.setTextAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            self.table.setItem(row, column, item)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(csv_of(self._records))
