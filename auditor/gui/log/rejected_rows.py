"""The rows that could not be read: how many by reason, and the first of them one by one."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection
from PySide6.QtWidgets import QHeaderView, QWidget

from auditor.gui.app.translation import tr, translate_text
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.model import LogOrigin

TEXT_SHOWN = 200


class RejectedRowsView(QWidget):
    """Shows what a log's reader refused; choosing a reason lists the rows refused for it."""

    def __init__(self, origin: LogOrigin, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Rejected rows"))
        self.summary = style.plain_label(summarize_rejected(origin), wrap=True)
        self._rejects = origin.rejects
        counts = sorted(origin.rejected.items(), key=lambda item: (-item[1], item[0]))
        self.counts = ColumnModel(
            (
                Column(tr("Reason"), lambda line: translate_text(line[0])),
                Column(tr("Rows"), lambda line: formats.format_count(line[1]), number=True),
            ),
            [(tr("All reasons"), sum(origin.rejected.values())), *counts],
            self,
        )
        self.kept = ColumnModel(
            (
                Column(tr("File"), lambda r: safe_text.shorten_text(r.file, 200)),
                Column(tr("Line"), lambda r: formats.format_count(r.line), number=True),
                Column(
                    tr("Column"),
                    lambda r: "" if r.column is None else formats.format_count(r.column),
                    number=True,
                ),
                Column(tr("Reason"), lambda r: translate_text(r.reason)),
                Column(tr("Begins with"), lambda r: safe_text.shorten_text(r.text, TEXT_SHOWN)),
            ),
            origin.rejects,
            self,
        )
        self.reasons = make_table(self.counts, self.tr("Rejected rows by reason"))
        header = self.reasons.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.reasons.selectionModel().selectionChanged.connect(self._show_chosen_reason)
        samples = ("user-ct-test-collection", "36,389,567", "Column 0", "wrong number of columns")
        self._rows = make_table(self.kept, self.tr("The first rejected rows"), samples)
        self._rows.horizontalHeader().setStretchLastSection(True)
        split = style.splitter([self.reasons, self._rows], sizes=[240, 640], stretch=(0, 1))
        column = style.column(self, [self.summary, (split, 1)], margins=None)
        split.setVisible(bool(origin.rejected))
        if not origin.rejected:
            column.addStretch(1)
        self.reasons.selectRow(0)

    def _show_chosen_reason(self, selected: QItemSelection) -> None:
        rows = {index.row() for index in selected.indexes()}
        if rows:
            reason, every = self.counts.lines[min(rows)][0], min(rows) == 0
            self.kept.set_lines([r for r in self._rejects if every or r.reason == reason])


def summarize_rejected(origin: LogOrigin) -> str:
    """How many rows were refused, of how many, and how many of them are listed."""
    refused = sum(origin.rejected.values())
    rows = safe_text.format_plural(origin.rows_read, "row")
    if not refused:
        return tr("Every one of the {rows_read} was read.").format(rows_read=rows)
    share = 100 * refused / max(1, origin.rows_read)
    text = tr(
        "{refused} of {rows} ({share} %) could not be read and are left out of everything that "
        "follows."
    ).format(
        refused=formats.format_count(refused),
        rows=rows,
        share=tr("under 0.01") if share < 0.01 else formats.format_digits(share, 2),
    )
    if len(origin.rejects) < refused:
        rejects = formats.format_count(len(origin.rejects))
        text += tr(" The first {rejects} are listed.").format(rejects=rejects)
    return text + tr(" Lines count from 1 within their file.")
