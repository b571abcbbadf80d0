"""A look at what would leave: the first rows of a release, as its files will show them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from auditor.gui.app.translation import tr
from auditor.gui.release.review_cards import ReviewCard
from auditor.gui.widgets import formats, safe_text
from auditor.gui.widgets.tables import dress_table
from auditor.log.model import NONE, QueryLog
from auditor.privacy.release import Anonymized, Tables

ROWS = 12
WIDEST = 120
"""Characters of a cell."""

Lines = tuple[Sequence[str], list[list[str]]]


class ReleasedRows(ReviewCard):
    """The first rows of a release in a table that can be read and not changed."""

    def __init__(self, release: Anonymized) -> None:
        super().__init__(tr("What would leave: the first rows"))
        heads, rows = first_rows(release)
        if not rows:
            self.add_paragraph(tr("✗ Nothing: not a single row is left."), role="bad", bold=True)
            return
        table = self.table = QTableWidget(len(rows), len(heads))
        table.setHorizontalHeaderLabels(list(heads))
        dress_table(table, tr("First rows of the release"))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(safe_text.plain_tip(text))
                table.setItem(row, column, item)
        table.setMinimumHeight(
            (min(len(rows), ROWS) + 2) * table.verticalHeader().defaultSectionSize()
        )
        self.column.addWidget(table)


def first_rows(release: Anonymized) -> Lines:
    """Headings and the first rows: of the log, or of the table of queries; O(1)."""
    if release.tables is not None:
        return _of_tables(release.tables)
    return _of_log(release.log) if release.log is not None else ((), [])


def _of_tables(tables: Tables) -> Lines:
    rows = [
        [
            safe_text.make_line(tables.queries, code, WIDEST),
            formats.format_count(int(tables.query_count[code])),
        ]
        for code in range(min(ROWS, len(tables.queries)))
    ]
    if tables.ngrams:
        return (tr("n-gram"), tr("Weight")), rows
    return (tr("Query"), tr("Count")), rows


def _of_log(log: QueryLog) -> Lines:
    rows = []
    for row in range(min(ROWS, len(log))):
        url = int(log.url[row])
        rows.append(
            [
                safe_text.make_line(log.users, int(log.user[row]), WIDEST),
                safe_text.make_line(log.queries, int(log.query[row]), WIDEST),
                safe_text.format_moment(int(log.time[row])),
                safe_text.make_line(log.urls, url, WIDEST) if url != NONE else "",
            ]
        )
    return (tr("User"), tr("Query"), tr("Time (UTC)"), tr("Clicked")), rows
