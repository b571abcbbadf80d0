"""Whom one run exposes and another doesn't: users or sessions in a table, each to be opened.

Nothing is compared, filtered or sorted on the UI thread; the newest wish makes older ones stale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QStackedLayout, QTableView, QWidget

from auditor.arrays import Int64s
from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.gui.app.translation import translate_all, translate_text
from auditor.gui.compare import exposure
from auditor.gui.compare.exposure import (
    BOTH,
    FIRST,
    SECOND,
    ExposureDifference,
    ExposureSide,
    Level,
)
from auditor.gui.release.exportable import Exportable
from auditor.gui.risk.session_comparison import (
    ComparedRelease,
    OpenedComparison,
    SessionComparisonView,
)
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.model import QueryLog
from auditor.progress import Progress

KEYS = ("log", "log", "where", "why 1", "why 2", "risk 1", "risk 2", "sessions 1", "sessions 2")
"""What each column sorts by."""
USER, WHEN, WHERE, WHY, RISK = 0, 1, 2, 3, 5


class ExposedModel(ColumnModel):
    """Lines of an `ExposureDifference` in some order, by their places in it."""

    found: ExposureDifference | None = None
    level: Level = "users"
    names = ("A", "B")

    def set_comparison(
        self,
        log: QueryLog,
        found: ExposureDifference,
        level: Level,
        names: tuple[str, str],
        places: Int64s,
    ) -> None:
        """Show these lines of a comparison."""
        self.found, self.level, self.names = found, level, names
        lines = found.select_rows(level)
        when = self.tr("First session (UTC)") if level == "users" else self.tr("When (UTC)")
        cells: list[tuple[str, Callable[[int], str]]] = [
            (self.tr("User"), lambda i: safe_text.make_line(log.users, int(lines.user[i]), 60)),
            (when, lambda i: safe_text.format_moment(int(log.time[lines.start[i]]))),
            (self.tr("Exposed by"), lambda i: self.describe_where(int(lines.where[i]))),
        ]
        kinds: tuple[tuple[str, str, Callable[[int, int], str]], ...] = (
            (
                self.tr("Why in {}"),
                "",
                lambda side, i: "; ".join(
                    translate_all(
                        (found.first, found.second)[side].list_reasons(int(lines.reason[side, i]))
                    )
                ),
            ),
            (
                self.tr("Risk in {}"),
                "–",
                lambda side, i: formats.format_fixed(lines.risk[side, i], 2),
            ),
            (
                self.tr("Sessions in {}"),
                "–",
                lambda side, i: formats.format_count(int(lines.sessions[side, i])),
            ),
        )

        def of_side(side: int, absent: str, text: Callable[[int, int], str]) -> Callable[..., str]:
            return lambda i: text(side, i) if int(lines.where[i]) >> side & 1 else absent

        cells += [
            (title.format(names[side]), of_side(side, absent, text))
            for title, absent, text in kinds
            for side in (0, 1)
        ]
        columns = [
            Column(title, text, number=place >= RISK, tip=text)
            for place, (title, text) in enumerate(cells)
        ]
        self.set_lines(places, columns)

    def describe_where(self, code: int) -> str:
        """By which run somebody is exposed, in words."""
        if code == BOTH:
            return self.tr("both")
        return self.tr("{} only").format(self.names[0 if code == FIRST else 1])


MOST_TAKEN = 5_000
"""Lines that are copied, saved or printed."""


class ExposedPanel(QWidget):
    """Choices, the table, and in its place one session in both releases."""

    counted = Signal(str)
    """What came of the last comparison, in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._log: QueryLog | None = None
        self._records: list[Run] = []
        self._found: ExposureDifference | None = None
        self._user: int | None = None
        self._row = -1
        self._order = ("risk", True)
        self.job = LatestJob()
        self.model = ExposedModel(parent=self)
        self.attack = self._make_choice_box(self.tr("Attack"), self._restart_comparison)
        self.other = self._make_choice_box(
            self.tr("Run that the first is compared with"), self._restart_comparison
        )
        self.level = self._make_choice_box(self.tr("Users or sessions"), self._level_picked)
        self.level.addItem(self.tr("Users"), "users")
        self.level.addItem(self.tr("Sessions"), "sessions")
        self.where = self._make_choice_box(self.tr("Exposed by"), self._refresh_rows)
        self.least = QDoubleSpinBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2)
        style.prepare_spin_box(self.least)
        self.least.setPrefix(self.tr("risk ≥ "))
        self.least.setAccessibleName(self.tr("Least risk that counts as exposed"))
        self.least.valueChanged.connect(self._restart_comparison)
        self.everybody = style.button(self.tr("All users"), self._back_to_users)
        self.said = style.plain_label(wrap=True, name=self.tr("Who is exposed by which run"))
        self.table = self._make_table()
        self.sides = SessionComparisonView()
        self.sides.closed.connect(self._close_session)
        self.sides.stepped.connect(self._step_session)
        self._lay_out()

    def _make_choice_box(self, name: str, do: Any) -> QComboBox:
        box = ChoiceBox(name, least=9)
        box.setToolTip(name)
        box.activated.connect(lambda _index: do())
        return box

    def _lay_out(self) -> None:
        bar = style.row(None, spacing=style.TIGHT)
        for widget, stretch in (
            (self.attack, 3), (self.other, 2), (self.level, 1), (self.where, 2), (self.least, 0),
            (self.everybody, 0),
        ):  # fmt: skip
            bar.addWidget(widget, stretch)
        page = QWidget()
        style.column(page, [bar, self.said, (self.table, 1)], spacing=style.TIGHT)
        self.pages = QStackedLayout(self)
        self.pages.addWidget(page)
        self.pages.addWidget(self.sides)
        self.everybody.hide()

    def _make_table(self) -> QTableView:
        table = make_table(self.model, self.tr("Exposed users or sessions"))
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        header.sortIndicatorChanged.connect(self._sort_by_column)
        table.activated.connect(self._open_row)
        table.viewport().installEventFilter(self)
        table.setToolTip(self.tr("Return or a double click opens a user's sessions, or a session"))
        return table

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share out the room that the table has now, such as once it has a scroll bar."""
        if event.type() == QEvent.Type.Resize:
            self._fit_columns()
        return super().eventFilter(watched, event)

    def _fit_columns(self) -> None:
        metrics, across = self.table.fontMetrics(), Qt.Orientation.Horizontal
        wide = {USER: 90, WHEN: metrics.horizontalAdvance("2006-03-04 21:10:00") + 16}
        columns = range(self.model.columnCount())
        heads = [str(self.model.headerData(place, across)) for place in columns]
        widths = [
            max(metrics.horizontalAdvance(head) + 24, wide.get(place, 0))
            for place, head in enumerate(heads)
        ]
        whys = (WHY, WHY + 1)
        left = self.table.viewport().width() - sum(widths) + sum(widths[WHY : WHY + 2])
        for place, width in enumerate(widths):
            self.table.setColumnWidth(place, max(width, left // 2 if place in whys else 0))

    # what the window calls

    def set_log(self, log: QueryLog | None) -> None:
        """The log that the runs are of."""
        self._log = log

    def show_runs(self, records: Sequence[Run]) -> None:
        """Offer the attacks that flag sessions in the first run and in another one."""
        kept = self.attack.currentData(), self.other.currentData()
        self._records = list(records)
        self.job.drop()
        self._close_session()
        # Those that flag sessions in most runs come first: two runs can be told apart by them.
        names = Counter(name for record in records for name in record.findings)
        self.attack.clear()
        for name, _runs in names.most_common():
            self.attack.addItem(translate_text(ATTACKS[name].title), name)
        self.attack.setCurrentIndex(max(0, self.attack.findData(kept[0])))
        self.other.clear()
        for record in self._records[1:]:
            text = self.tr("{first} against {second}")
            first = self._records[0].letter
            self.other.addItem(text.format(first=first, second=record.letter), record.number)
        self.other.setCurrentIndex(max(0, self.other.findData(kept[1])))
        self.other.setVisible(len(self._records) > 2)
        self._restart_comparison()

    @property
    def pair(self) -> tuple[Run, Run] | None:
        """The two runs that are compared."""
        number = self.other.currentData()
        second = next((r for r in self._records[1:] if r.number == number), None)
        return (self._records[0], second) if second is not None else None

    def make_exportable(self, title: str) -> Exportable | None:
        """The lines that are listed, up to `MOST_TAKEN`, as a table that holds users."""
        model, across = self.model, Qt.Orientation.Horizontal
        if not model.rowCount():
            return None
        columns = range(model.columnCount())
        heads = [str(model.headerData(column, across)) for column in columns]
        rows = [
            [model.index(row, column).data() for column in columns]
            for row in range(min(model.rowCount(), MOST_TAKEN))
        ]
        return Exportable(title, private=True, rows=[heads, *rows], note=self.said.text())

    # reacting

    def _restart_comparison(self) -> None:
        """Compare anew: other runs, another attack or another least risk."""
        self._found, self._user = None, None
        self.everybody.hide()
        self._refresh_rows()

    def _level_picked(self) -> None:
        self._user = None
        self.everybody.hide()
        self._refresh_rows()

    def _sort_by_column(self, section: int, order: Qt.SortOrder) -> None:
        if 0 <= section < len(KEYS):
            self._order = (KEYS[section], order == Qt.SortOrder.DescendingOrder)
            self._refresh_rows()

    def _refresh_rows(self) -> None:
        self.job.drop()
        pair, log, attack = self.pair, self._log, str(self.attack.currentData() or "")
        sides = [self._make_side(record, attack) for record in pair or ()]
        if log is None or pair is None or not sides or any(side is None for side in sides):
            self._show_nothing(pair, attack)
            return
        first, second = (side for side in sides if side is not None)
        found, least, user = self._found, self.least.value(), self._user
        level: Level = "sessions" if self.level.currentData() == "sessions" else "users"
        picked = self.where.currentData()
        where = (FIRST, SECOND, BOTH) if not picked else (int(picked),)
        key, descending = self._order
        names = (pair[0].letter, pair[1].letter)

        def compare_sides(progress: Progress) -> tuple[ExposureDifference, Int64s]:
            difference = found or exposure.compare_exposure(log, first, second, least, progress)
            progress.check()
            lines = difference.select_rows(level)
            return difference, exposure.select_lines(lines, where, key, descending, user)

        def show_difference(came: tuple[ExposureDifference, Int64s]) -> None:
            self._found = came[0]
            self.model.set_comparison(log, came[0], level, names, came[1])
            self._show_counts(came[0], level)
            self._fit_columns()
            if len(came[1]):
                self.table.setCurrentIndex(self.model.index(0, 0))

        self.job.start("exposure", compare_sides, show_difference, self.said.setText)

    @staticmethod
    def _make_side(record: Run, attack: str) -> ExposureSide | None:
        found = record.findings.get(attack)
        return ExposureSide(found.exposed, found.reasons) if found is not None else None

    def _show_nothing(self, pair: tuple[Run, Run] | None, attack: str) -> None:
        self.model.set_lines(())
        if pair is None or not attack:
            said = self.tr(
                "None of these runs has an attack that flags sessions. Switch one on under "
                "“Attacks and measures” and run again."
            )
        else:
            lacking = [r.letter for r in pair if attack not in r.findings]
            said = self.tr(
                "{attack} flags nobody in run {runs}: it was not made there, does not apply, or "
                "came from a project, which keeps no sessions."
            ).format(
                attack=translate_text(ATTACKS[attack].title), runs=self.tr(" and ").join(lacking)
            )
        self.said.setText(said)
        self.counted.emit(said)

    def _show_counts(self, found: ExposureDifference, level: Level) -> None:
        lines, picked = found.select_rows(level), self.where.currentData()
        self.where.clear()
        either = self.tr("{} or {}: {}").format(*self.model.names, formats.format_count(len(lines)))
        self.where.addItem(either, 0)
        for code in (FIRST, SECOND, BOTH):
            text = f"{self.model.describe_where(code)}: {formats.format_count(lines.count(code))}"
            self.where.addItem(text, code)
        self.where.setCurrentIndex(max(0, self.where.findData(picked)))
        users, sessions = found.users, found.sessions
        first, second = self.model.names
        counts = {
            f"count_{where}": ", ".join(
                (
                    safe_text.format_plural(users.count(where), "user"),
                    safe_text.format_plural(sessions.count(where), "session"),
                )
            )
            for where in (FIRST, SECOND, BOTH)
        }
        said = self.tr(
            "Exposed by {first} and not by {second}: {count_1}. By {second} and not by {first}: "
            "{count_2}. By both: {count_3}."
        ).format(first=first, second=second, **counts)
        self.said.setText(said)
        self.counted.emit(said)

    # one user, one session

    def _open_row(self, index: QModelIndex) -> None:
        if not index.isValid() or self._found is None:
            return
        place = int(self.model.lines[index.row()])
        if self.model.level == "users":
            self._user = int(self._found.users.user[place])
            self.level.setCurrentIndex(self.level.findData("sessions"))
            self.everybody.show()
            self._refresh_rows()
            return
        self._show_session(index.row())

    def _show_session(self, row: int) -> None:
        pair, found, log = self.pair, self._found, self._log
        if pair is None or found is None or log is None:
            return
        place = int(self.model.lines[row])
        lines, attack = found.sessions, str(self.attack.currentData())
        sides = []
        for number, (record, side) in enumerate(
            zip(pair, (found.first, found.second), strict=True)
        ):
            verdict = self.tr("Not exposed.")
            if int(lines.where[place]) >> number & 1:
                verdict = self.tr("Exposed: {why}. Risk {risk} of 1.").format(
                    why="; ".join(
                        translate_all(side.list_reasons(int(lines.reason[number, place])))
                    ),
                    risk=formats.format_fixed(lines.risk[number, place], 2),
                )
            findings = record.findings.get(attack)
            sides.append(ComparedRelease(record.letter, verdict, findings, record.made))
        self._row = row
        opened = OpenedComparison(
            log, int(lines.start[place]), int(lines.stop[place]), tuple(sides)
        )
        self.sides.show_session(opened)
        self.sides.set_position(row, self.model.rowCount())
        self.pages.setCurrentIndex(1)
        self.sides.setFocus(Qt.FocusReason.OtherFocusReason)

    def _step_session(self, by: int) -> None:
        row = self._row + by
        if 0 <= row < self.model.rowCount():
            self.table.setCurrentIndex(self.model.index(row, 0))
            self._show_session(row)

    def _close_session(self) -> None:
        self.sides.clear()
        if self.pages.currentIndex():
            self.pages.setCurrentIndex(0)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _back_to_users(self) -> None:
        self.level.setCurrentIndex(self.level.findData("users"))
        self._level_picked()
