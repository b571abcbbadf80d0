"""The flagged sessions as a table that holds numbers alone; a row's text is made when it is seen.

Two million sessions cost 8 bytes each here. Nothing in this module reads the whole log.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from auditor.arrays import Bools, Float64s, Int64s
from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk.reasons import main_reasons
from auditor.gui.app.translation import tr, translate_all
from auditor.gui.risk import session_data
from auditor.gui.risk.session_data import reason_said
from auditor.gui.risk.session_filter import Key
from auditor.gui.state.feedback_book import SessionNotes
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.tables import RIGHT, Column, ColumnModel, Index, Role, make_table
from auditor.log.model import QueryLog

RISK = Qt.ItemDataRole.UserRole + 1
"""The risk of a row as a float, for the delegate that paints it."""

PEEK_ROWS = 5_000
"""Rows of a session, or of a person, that are looked through for its most telling query."""
KEPT_TEXTS = 2_000
"""Texts of cells that are kept: some screens full, which scrolling paints over and over."""

KEYS: tuple[Key, ...] = ("user", "when", "queries", "log", "why", "risk", "survives", "noted")
"""By what each column sorts."""
USER, WHEN, QUERIES, MARKED, WHY, RISK_COLUMN, SURVIVES, NOTED = range(len(KEYS))


class FlaggedModel(ColumnModel):
    """A view of `FlaggedFindings` in some order; the panel sorts and filters."""

    lines: array[int]
    """Positions in the findings."""

    def __init__(self, sort_wanted: Callable[[Key, bool], None], parent: QObject) -> None:
        self._sort_wanted = sort_wanted
        self.notes: SessionNotes | None = None
        self._log: QueryLog | None = None
        self._findings: FlaggedFindings | None = None
        self.released = False
        """Whether there is a release that something may survive in."""
        self._grave: Float64s = np.zeros(0)
        self._events: Int64s = np.zeros(0, dtype=np.int64)
        self.hits: dict[int, int] = {}
        """Session → the row of the log in which a search hit it."""
        self._recovered: Bools | None = None
        self.texts = lru_cache(KEPT_TEXTS)(lambda column, place: self._format_cell(place, column))
        heads = (
            (tr("User"), tr("The user's id in the log, as it was before anonymization")),
            (tr("When (UTC)"), tr("When the session began")),
            (tr("Queries"), tr("How many queries the user sent in the session")),
            (tr("Most telling query"), tr("The query with the gravest mark; sorts as in the log")),
            (tr("Why"), tr("What was recognised")),
            (tr("Risk"), tr("From 0 to 1; 1 is worst. Open the session to see what it is made of")),
            (
                tr("What survives"),
                tr("How many of the marked queries stand verbatim in the release"),
            ),
            (tr("Note"), tr("What somebody said of the session, and why it was dismissed")),
        )
        risk_roles: dict[int, Callable[[int], Any]] = {
            RISK: lambda place: float(self._source[1].risk[place]),
            Role.TextAlignmentRole: lambda _place: RIGHT,
        }
        columns = [
            Column(
                title,
                partial(self.texts, column),
                number=column == QUERIES,
                tip=self._list_reasons if column == WHY else None,
                roles=risk_roles if column == RISK_COLUMN else {},
                help=about,
            )
            for column, (title, about) in enumerate(heads)
        ]
        super().__init__(columns, array("q"), parent)

    def set_findings(
        self,
        log: QueryLog | None,
        findings: FlaggedFindings | None,
        events: Int64s,
        *,
        released: bool,
    ) -> None:
        """Look at other findings; shows none of them before `append`."""
        self._log, self._findings, self._events = log, findings, events
        self.released, self.hits = released, {}
        self._grave = np.zeros(0) if findings is None else session_data.reason_weights(findings)
        self.texts.cache_clear()
        self.set_lines(array("q"))

    def learn_recovered(self, recovered: Bools | None) -> None:
        """Which distinct queries an attack on the release gave back, if one was tried."""
        self._recovered = recovered
        self.texts.cache_clear()
        self.refresh_columns(SURVIVES)

    def append(self, places: Int64s, hits: Int64s | None = None) -> None:
        """Show these, too, after the others; `hits` are the rows of the log that a search hit."""
        if len(places):
            if hits is not None:
                pairs = zip(places.tolist(), hits.tolist(), strict=True)
                self.hits.update((place, row) for place, row in pairs if row >= 0)
            count = self.rowCount()
            self.beginInsertRows(QModelIndex(), count, count + len(places) - 1)
            self.lines.frombytes(places.tobytes())
            self.endInsertRows()

    def find_place(self, row: int) -> int:
        return self.lines[row]

    def refresh_notes(self) -> None:
        self.texts.cache_clear()
        self.refresh_columns(NOTED)

    def row_of(self, place: int) -> int:
        """In which row a session stands, or −1 if it isn't shown; O(rows)."""
        rows = np.flatnonzero(np.asarray(self.lines) == place)
        return int(rows[0]) if len(rows) else -1

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for another order; it is made in the background and comes through `append`."""
        if 0 <= column < len(KEYS):
            self._sort_wanted(KEYS[column], order == Qt.SortOrder.DescendingOrder)

    def _list_reasons(self, place: int) -> str:
        whys = session_data.gravest_first(self._source[1].list_reasons(place))
        return "; ".join(translate_all(whys))

    @property
    def _source(self) -> tuple[QueryLog, FlaggedFindings]:
        """What the lines are of; there are none without."""
        assert self._log is not None
        assert self._findings is not None
        return self._log, self._findings

    def _format_cell(self, place: int, column: int) -> str:
        log, findings = self._source
        first, stop = int(findings.start[place]), int(findings.stop[place])
        match KEYS[column]:
            case "user":
                return safe_text.make_line(log.users, int(log.user[first]), 60)
            case "when":
                return safe_text.format_moment(int(log.time[first]))
            case "queries":
                return formats.format_count(int(self._events[place]))
            case "log":
                row, last = self.hits.get(place), min(stop, first + PEEK_ROWS)
                if row is None:
                    row = session_data.most_telling(log, findings, self._grave, first, last)
                return "" if row is None else safe_text.make_line(log.queries, log.query[row], 200)
            case "why":
                whys, decided = findings.list_reasons(place), findings.decided is not None
                return "; ".join(translate_all(main_reasons(whys, decided=decided)))
            case "risk":
                return formats.format_fixed(findings.risk[place], 2)
            case "noted":
                note = self.notes.get(first, stop) if self.notes is not None else None
                if note is None:
                    return ""
                word = tr("✓ confirmed") if note.confirmed else reason_said(note.dismissed)
                return " \u00b7 ".join(part for part in (word, note.text) if part)
            case _:
                codes = log.query[first : min(stop, first + PEEK_ROWS)]
                if self._recovered is not None:
                    recovered = codes[self._recovered[codes]]
                    if np.isin(recovered, findings.mark_query).any():
                        return tr("✗ recovered by hash inversion")
                counts = int(findings.surviving[place]), int(findings.flagged[place])
                return describe_survival(*counts, released=self.released)


def describe_survival(surviving: int, flagged: int, *, released: bool) -> str:
    if not released:
        return tr("no release yet")
    if not surviving:
        return tr("nothing")
    return tr("✗ {surviving} of {flagged} marked").format(
        surviving=formats.format_count(surviving), flagged=formats.format_count(flagged)
    )


ROOMY = 120
"""Characters of a list that has room for every column."""
TIGHT = 40
"""Characters of a list that has room for a query and its risk alone."""


class RiskDelegate(QStyledItemDelegate):
    """The risk as a number, with a bar under it that is as long as the risk is high."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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


def make_table_view(model: FlaggedModel) -> QTableView:
    """The list of sessions, with the columns that it has room for."""
    widths = ("0" * 8, "2006-03-04 21:10:00", "Queries  ▾", "m" * 20, "n" * 30, "Risk  ▾ 0",
              describe_survival(21, 22, released=True), "n" * 12)  # fmt: skip
    table = make_table(model, tr("Flagged sessions"), widths, several=True)
    table.setItemDelegateForColumn(RISK_COLUMN, RiskDelegate(table))
    header = table.horizontalHeader()
    table.setColumnHidden(NOTED, True)
    for place in (MARKED, WHY, NOTED):
        header.setSectionResizeMode(place, header.ResizeMode.Stretch)
    header.setMinimumSectionSize(48)
    header.setSortIndicator(RISK_COLUMN, Qt.SortOrder.DescendingOrder)
    table.setSortingEnabled(True)
    EventWatch(table, lambda: hide_columns(table, table.width()), QEvent.Type.Resize)
    return table


def hide_columns(table: QTableView, width: int) -> None:
    """Show the columns that a list of so many pixels has room for.

    Before there is a release, the reasons stand where it would say what survives.
    """
    letters = width / table.fontMetrics().averageCharWidth()
    model = table.model()
    released = isinstance(model, FlaggedModel) and model.released
    for column in (WHEN, QUERIES):
        table.setColumnHidden(column, letters <= ROOMY)
    table.setColumnHidden(USER, letters <= TIGHT)
    table.setColumnHidden(WHY, letters <= (ROOMY if released else TIGHT))
    table.setColumnHidden(SURVIVES, letters <= TIGHT or not released)


def bind_keys(
    widget: QWidget, keys: Mapping[Any, Callable[[], None]], repeated: Collection[str] = ()
) -> None:
    """Keys that act while something in a widget has the focus; held down, only `repeated` do."""
    for key, act in keys.items():
        shortcut = QShortcut(QKeySequence(key), widget)
        shortcut.setAutoRepeat(key in repeated)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(act)
