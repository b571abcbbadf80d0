"""The rows that could not be read: how many by reason, and the first of them one by one."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelection, QObject, Qt
from PySide6.QtWidgets import QHeaderView, QSplitter, QTableView, QVBoxLayout, QWidget

from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.risk.table_model import Index
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.tables import dress_table
from auditor.log.model import LogOrigin, RejectedRow

Role = Qt.ItemDataRole
EVERY = mark_for_translation("All reasons")
TEXT_SHOWN = 200


class _RejectCounts(QAbstractTableModel):
    """Reason and number of rows, the most frequent first, under a row for all."""

    def __init__(self, origin: LogOrigin, parent: QObject) -> None:
        super().__init__(parent)
        counts = sorted(origin.rejected.items(), key=lambda item: (-item[1], item[0]))
        self.lines = [(EVERY, sum(origin.rejected.values())), *counts]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else 2

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return (tr("Reason"), tr("Rows"))[section]
        return _align_numbers(role, section == 1)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        reason, count = self.lines[index.row()]
        if role == Role.DisplayRole:
            return formats.format_count(count) if index.column() else _translate_reason(reason)
        return _align_numbers(role, index.column() == 1)


class _RejectExamples(QAbstractTableModel):
    """Each kept reject: where it stands, why it was refused, how it begins."""

    HEADINGS = (
        mark_for_translation("File"),
        mark_for_translation("Line"),
        mark_for_translation("Column"),
        mark_for_translation("Reason"),
        mark_for_translation("Begins with"),
    )

    def __init__(self, rejects: tuple[RejectedRow, ...], parent: QObject) -> None:
        super().__init__(parent)
        self._all = rejects
        self._shown = rejects

    def filter_by_reason(self, reason: str) -> None:
        """Show the rejects of one reason, or of all."""
        self.beginResetModel()
        every = reason == EVERY
        self._shown = tuple(r for r in self._all if every or r.reason == reason)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.HEADINGS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return tr(self.HEADINGS[section])
        return _align_numbers(role, section in (1, 2))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        reject = self._shown[index.row()]
        if role == Role.DisplayRole:
            column = "" if reject.column is None else formats.format_count(reject.column)
            return (
                safe_text.shorten_text(reject.file, 200),
                formats.format_count(reject.line),
                column,
                translate_text(reject.reason),
                safe_text.shorten_text(reject.text, TEXT_SHOWN),
            )[index.column()]
        return _align_numbers(role, index.column() in (1, 2))


class RejectedRowsView(QWidget):
    """Shows what a log's reader refused; choosing a reason lists the rows refused for it."""

    def __init__(self, origin: LogOrigin, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Rejected rows"))
        self.summary = style.plain_label(summarize_rejected(origin), wrap=True)
        self.kept = _RejectExamples(origin.rejects, self)
        self.counts = _RejectCounts(origin, self)
        self.reasons = _make_table(self.counts, self.tr("Rejected rows by reason"))
        header = self.reasons.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.reasons.selectionModel().selectionChanged.connect(self._show_chosen_reason)
        self._rows = _make_table(self.kept, self.tr("The first rejected rows"))
        header = self._rows.horizontalHeader()
        metrics = self._rows.fontMetrics()
        for place, sample in enumerate(("user-ct-test-collection", "36,389,567", "Column 0")):
            header.resizeSection(place, metrics.horizontalAdvance(sample) + 16)
        header.resizeSection(3, metrics.horizontalAdvance("wrong number of columns") + 16)
        header.setStretchLastSection(True)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.reasons)
        split.addWidget(self._rows)
        split.setStretchFactor(1, 1)
        split.setSizes([240, 640])
        split.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.addWidget(self.summary)
        column.addWidget(split, 1)
        split.setVisible(bool(origin.rejected))
        if not origin.rejected:
            column.addStretch(1)
        self.reasons.selectRow(0)

    def _show_chosen_reason(self, selected: QItemSelection) -> None:
        rows = {index.row() for index in selected.indexes()}
        if rows:
            self.kept.filter_by_reason(self.counts.lines[min(rows)][0])


def summarize_rejected(origin: LogOrigin) -> str:
    """How many rows were refused, of how many, and how many of them are listed."""
    refused = sum(origin.rejected.values())
    if not refused:
        return tr("Every one of the {rows_read} was read.").format(
            rows_read=safe_text.format_plural(origin.rows_read, "row")
        )
    share = 100 * refused / max(1, origin.rows_read)
    text = tr(
        "{refused} of {rows} ({share} %) could not be read and are left out of everything that "
        "follows."
    ).format(
        refused=formats.format_count(refused),
        rows=safe_text.format_plural(origin.rows_read, "row"),
        share=tr("under 0.01") if share < 0.01 else formats.format_digits(share, 2),
    )
    if len(origin.rejects) < refused:
        text += tr(" The first {rejects} are listed.").format(
            rejects=formats.format_count(len(origin.rejects))
        )
    return text + tr(" Lines count from 1 within their file.")


def _translate_reason(reason: str) -> str:
    return tr(reason) if reason == EVERY else translate_text(reason)


def _align_numbers(role: int, number: bool) -> Any:
    """Numbers, and their headings, stand on the right."""
    if role == Role.TextAlignmentRole and number:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    return None


def _make_table(model: QAbstractTableModel, name: str) -> QTableView:
    table = QTableView()
    table.setModel(model)
    dress_table(table, name)
    return table
