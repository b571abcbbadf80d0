"""Whom one run exposes and another doesn't: users or sessions in a table, each to be opened.

Nothing is compared, filtered or sorted on the UI thread; the newest wish makes older ones stale.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QStackedLayout, QTableView, QWidget

from auditor.arrays import Array, Float32s, Int64s, UInt8s, UInt64s
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.exposed_sessions import ExposedSessions
from auditor.attacks.risk.reasons import main_reasons
from auditor.engine.run import Run
from auditor.gui.app.translation import say, translate_all, translate_text
from auditor.gui.release.exportable import Exportable
from auditor.gui.risk.session_data import SessionRows, SessionSide
from auditor.gui.risk.session_view import SessionView
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox, Disclosure, EventWatch
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.progress import Progress

FIRST, SECOND, BOTH = 1, 2, 3
"""Exposed by the first run alone, by the second alone, by both."""

Level = Literal["users", "sessions"]


@dataclass(frozen=True, eq=False)
class ExposureSide:
    """What one run's attack exposes, and what the bits of its reasons say."""

    exposed: ExposedSessions
    reasons: tuple[str, ...]

    def list_reasons(self, bits: int) -> list[str]:
        return main_reasons([text for bit, text in enumerate(self.reasons) if bits >> bit & 1])


@dataclass(frozen=True, eq=False, kw_only=True)
class ExposureRows:
    """Users or sessions that either run exposes; m of them.

    Arrays have shape (m,), those of either side (2, m).
    """

    user: Int64s
    start: Int64s
    stop: Int64s
    """Rows of each session; of a user's, from the first to the end of the last."""
    side: UInt8s
    """`FIRST`, `SECOND` or `BOTH`."""
    reason: UInt64s
    """Of either side: reason bits, the highest risk, and how many sessions are exposed."""
    risk: Float32s
    sessions: Int64s

    def __len__(self) -> int:
        return len(self.user)

    def count(self, side: int) -> int:
        return int(np.count_nonzero(self.side == side))


@dataclass(frozen=True, eq=False)
class ExposureDifference:
    """Two sides of one attack compared, by user and by session."""

    first: ExposureSide
    second: ExposureSide
    users: ExposureRows
    sessions: ExposureRows

    def select_rows(self, level: Level) -> ExposureRows:
        return self.users if level == "users" else self.sessions


def compare_exposure(
    log: QueryLog, first: ExposureSide, second: ExposureSide, least: float, progress: Progress
) -> ExposureDifference:
    """Whom either side exposes with a risk of `least` or more."""
    a, b = first.exposed, second.exposed
    if least > 0:  # a risk as the tables show it: to two digits
        lowest = np.float32(round(least, 2))
        a, b = (side.select_sessions(np.round(side.risk, 2) >= lowest) for side in (a, b))
    progress.check()
    sessions = _compare_sessions(log, a, b)
    progress.check()
    return ExposureDifference(first, second, _compare_users(log, a, b), sessions)


def _compare_sessions(log: QueryLog, a: ExposedSessions, b: ExposedSessions) -> ExposureRows:
    low, high = _find_overlaps(a, b)
    first, last = _find_overlaps(b, a)
    is_alone = last <= first
    start = np.concatenate([a.rows, b.rows[is_alone]])
    stop = np.concatenate([a.stops, b.stops[is_alone]])
    size, total = len(a), len(start)
    reason, risk = np.zeros((2, total), np.uint64), np.zeros((2, total), np.float32)
    for values, of_a, of_b, fold in (
        (reason, a.reason, b.reason, np.bitwise_or),
        (risk, a.risk, b.risk, np.maximum),
    ):
        values[0, :size] = of_a
        values[1] = np.concatenate([_reduce_ranges(fold, of_b, low, high), of_b[is_alone]])
    side = np.full(total, SECOND, dtype=np.uint8)
    side[:size] = np.where(high > low, BOTH, FIRST)
    sessions = np.ones((2, total), dtype=np.int64)
    sessions[0, size:], sessions[1, :size] = 0, high - low
    user = log.user[start].astype(np.int64) if len(start) else start
    return ExposureRows(
        user=user, start=start, stop=stop, side=side, reason=reason, risk=risk, sessions=sessions
    )


def _find_overlaps(a: ExposedSessions, b: ExposedSessions) -> tuple[Int64s, Int64s]:
    """Of each session of `a` the range of sessions of `b` that share a row with it."""
    low = np.searchsorted(b.stops, a.rows, side="right").astype(np.int64)
    high = np.searchsorted(b.rows, a.stops, side="left").astype(np.int64)
    return low, np.maximum(low, high)


def _reduce_ranges(fold: np.ufunc, values: Array, low: Int64s, high: Int64s) -> Array:
    """`fold` over ``values[low:high]`` of each range, 0 for an empty one."""
    if not len(values) or not len(low):
        return np.zeros(len(low), dtype=values.dtype)
    padded = np.append(values, values.dtype.type(0))
    folded: Array = fold.reduceat(padded, np.column_stack((low, high)).ravel())[::2]
    return np.where(high > low, folded, values.dtype.type(0))


def _compare_users(log: QueryLog, a: ExposedSessions, b: ExposedSessions) -> ExposureRows:
    parts = [_by_user(log, side) for side in (a, b)]
    user = sorted_distinct(np.concatenate([users for users, *_ in parts])).astype(np.int64)
    size = len(user)
    reason, risk = np.zeros((2, size), np.uint64), np.zeros((2, size), np.float32)
    sessions, flags = np.zeros((2, size), np.int64), np.zeros(size, np.uint8)
    start = np.full(size, np.iinfo(np.int64).max, np.int64)
    stop = np.zeros(size, np.int64)
    for side, exposed in enumerate((a, b)):
        users, begins, ends, bits, worst = parts[side]
        index = np.searchsorted(user, users)
        flags[index] |= FIRST if side == 0 else SECOND
        reason[side, index], risk[side, index], sessions[side, index] = bits, worst, ends - begins
        start[index] = np.minimum(start[index], exposed.rows[begins])
        stop[index] = np.maximum(stop[index], exposed.stops[ends - 1])
    return ExposureRows(
        user=user, start=start, stop=stop, side=flags, reason=reason, risk=risk, sessions=sessions
    )


def _by_user(
    log: QueryLog, exposed: ExposedSessions
) -> tuple[Int64s, Int64s, Int64s, UInt64s, Float32s]:
    """Users of some sessions, the range of each one's sessions, their reasons and worst risk."""
    row_users = log.user[exposed.rows].astype(np.int64) if len(exposed) else exposed.rows
    begins = np.flatnonzero(np.diff(row_users, prepend=-1)).astype(np.int64)
    ends = np.append(begins[1:], len(row_users)).astype(np.int64) if len(begins) else begins
    bits, risk = exposed.reason, exposed.risk
    if len(begins):
        bits, risk = np.bitwise_or.reduceat(bits, begins), np.maximum.reduceat(risk, begins)
    return row_users[begins], begins, ends, bits, risk


def select_lines(
    lines: ExposureRows, sides: Sequence[int], key: str, descending: bool, user: int | None = None
) -> Int64s:
    """Positions of the lines to list, in the order wanted; ties by risk, then as in the log."""
    keep = np.isin(lines.side, sides)
    if user is not None:
        keep &= lines.user == user
    places = np.flatnonzero(keep).astype(np.int64)
    worst = lines.risk.max(axis=0, initial=0)
    columns: dict[str, Array] = {"where": lines.side, "log": lines.start, "risk": worst}
    for name, pair in (("why", lines.reason), ("risk", lines.risk), ("sessions", lines.sessions)):
        columns |= {f"{name} {side + 1}": pair[side] for side in (0, 1)}
    column = columns[key][places].astype(np.float64)
    order = np.lexsort((lines.start[places], -worst[places], -column if descending else column))
    return places[order]


KEYS = ("log", "log", "where", "why 1", "why 2", "risk 1", "risk 2", "sessions 1", "sessions 2")
"""What each column sorts by."""
USER, WHEN, WHERE, WHY, RISK = 0, 1, 2, 3, 5


class ExposedModel(ColumnModel):
    """Lines of an `ExposureDifference` in some order, by their places in it."""

    level: Level = "users"
    names = ("A", "B")

    def __init__(self, disclosure: Disclosure, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._mask_id = disclosure.mask_id
        disclosure.toggled.connect(lambda _on: self.refresh_columns(USER))

    def set_comparison(
        self,
        log: QueryLog,
        difference: ExposureDifference,
        level: Level,
        names: tuple[str, str],
        places: Int64s,
    ) -> None:
        self.level, self.names = level, names
        lines = difference.select_rows(level)
        when = self.tr("First session (UTC)") if level == "users" else self.tr("When (UTC)")

        def name_user(i: int) -> str:
            return self._mask_id(safe_text.make_line(log.users, int(lines.user[i]), 60))

        def tell_risk(side: int, i: int) -> str:
            exposed = lines.sessions[side, i]
            return formats.format_fixed(lines.risk[side, i], 2) if exposed else "–"

        def count_sessions(side: int, i: int) -> str:
            count = int(lines.sessions[side, i])
            return formats.format_count(count) if count else "–"

        cells: list[tuple[str, Callable[[int], str]]] = [
            (self.tr("User"), name_user),
            (when, lambda i: safe_text.format_moment(int(log.time[lines.start[i]]))),
            (self.tr("Exposed by"), lambda i: self.describe_where(int(lines.side[i]))),
        ]
        for title, tell in (
            (self.tr("Why in {}"), partial(_list_reasons, difference, lines)),
            (self.tr("Risk in {}"), tell_risk),
            (self.tr("Sessions in {}"), count_sessions),
        ):
            cells += [(title.format(name), partial(tell, side)) for side, name in enumerate(names)]
        numbered = enumerate(cells)
        columns = [Column(title, tell, place >= RISK, tell) for place, (title, tell) in numbered]
        self.set_lines(places, columns)

    def describe_where(self, code: int) -> str:
        if code == BOTH:
            return self.tr("both")
        return self.tr("{} only").format(self.names[0 if code == FIRST else 1])


def _list_reasons(compared: ExposureDifference, lines: ExposureRows, side: int, place: int) -> str:
    reasons = (compared.first, compared.second)[side].list_reasons(int(lines.reason[side, place]))
    return "; ".join(translate_all(reasons))


MOST_TAKEN = 5_000
"""Lines that are copied, saved or printed."""


class ExposedPanel(QWidget):
    """Choices, the table, and in its place one session in both releases."""

    def __init__(self, disclosure: Disclosure) -> None:
        super().__init__()
        self._log: QueryLog | None = None
        self._records: list[Run] = []
        self._found: ExposureDifference | None = None
        self._user: int | None = None
        self._row = -1
        self._order = ("risk", True)
        self.job = LatestJob()
        self.model = ExposedModel(disclosure, self)
        restart = self._restart_comparison
        self.attack = self._make_choice_box(self.tr("Attack"), restart)
        self.other = self._make_choice_box(self.tr("Run that the first is compared with"), restart)
        self.level = self._make_choice_box(self.tr("Users or sessions"), self._level_picked)
        self.level.offer(((self.tr("Users"), "users"), (self.tr("Sessions"), "sessions")))
        self.where = self._make_choice_box(self.tr("Exposed by"), self._refresh_rows)
        self.least = QDoubleSpinBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2)
        style.prepare_spin_box(self.least)
        self.least.setPrefix(self.tr("risk ≥ "))
        self.least.setAccessibleName(self.tr("Least risk that counts as exposed"))
        self.least.valueChanged.connect(self._restart_comparison)
        self.everybody = style.button(self.tr("All users"), self._back_to_users)
        self.said = style.plain_label(wrap=True, name=self.tr("Who is exposed by which run"))
        self.table = self._make_table()
        self.sides = SessionView(disclosure, self.tr("‹ Back to the list"))
        self.sides.closed.connect(self._close_session)
        self.sides.stepped.connect(self._step_session)
        boxes = [(self.attack, 3), (self.other, 2), (self.level, 1), (self.where, 2)]
        bar = style.row(None, [*boxes, self.least, self.everybody], spacing=style.TIGHT)
        page = style.column(None, [bar, self.said, (self.table, 1)], spacing=style.TIGHT)
        self.pages = QStackedLayout(self)
        self.pages.addWidget(style.filled(page))
        self.pages.addWidget(self.sides)
        self.everybody.hide()

    def _make_choice_box(self, name: str, do: Any) -> ChoiceBox:
        box = ChoiceBox(name, least=6, tip=name)
        box.activated.connect(lambda _index: do())
        return box

    def _make_table(self) -> QTableView:
        table = make_table(self.model, self.tr("Exposed users or sessions"))
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        header.sortIndicatorChanged.connect(self._sort_by_column)
        table.activated.connect(self._open_row)
        EventWatch(table.viewport(), self._fit_columns, QEvent.Type.Resize)
        table.setToolTip(self.tr("Return or a double click opens a user's sessions, or a session"))
        return table

    def _fit_columns(self) -> None:
        measure = self.table.fontMetrics().horizontalAdvance
        samples = {USER: "0000000", WHEN: "2006-03-04 21:10:00", WHY: "n" * 16, WHY + 1: "n" * 16}
        wide = {place: measure(sample) + 16 for place, sample in samples.items()}
        titles = enumerate(column.title for column in self.model.columns)
        widths = [max(measure(title) + 24, wide.get(place, 0)) for place, title in titles]
        spare = self.table.viewport().width() - sum(widths) + sum(widths[WHY : WHY + 2])
        for place, width in enumerate(widths):
            share = spare // 2 if place in (WHY, WHY + 1) else 0
            self.table.setColumnWidth(place, max(width, share))

    # what the window calls

    def set_log(self, log: QueryLog | None) -> None:
        self._log = log

    def show_runs(self, records: Sequence[Run]) -> None:
        """Offer the attacks that flag sessions in the first run and in another one."""
        self._records = list(records)
        self.job.drop()
        self._close_session()
        # Those that flag sessions in most runs come first: two runs can be told apart by them.
        names = Counter(name for record in records for name in record.findings)
        common = (name for name, _runs in names.most_common())
        self.attack.offer((translate_text(ATTACKS[name].title), name) for name in common)
        text, first = self.tr("{first} against {second}"), records[0].letter if records else ""
        self.other.offer((text.format(first=first, second=r.letter), r.number) for r in records[1:])
        self.other.setVisible(len(records) > 2)
        self._restart_comparison()

    @property
    def pair(self) -> tuple[Run, Run] | None:
        number = self.other.currentData()
        second = next((r for r in self._records[1:] if r.number == number), None)
        return (self._records[0], second) if second is not None else None

    def make_exportable(self, title: str) -> Exportable | None:
        """The lines that are listed, up to `MOST_TAKEN`, as a table that holds users."""
        columns, lines = self.model.columns, self.model.lines
        if not len(lines):
            return None
        rows = [[column.title for column in columns]]
        rows += [[column.text(line) for column in columns] for line in lines[:MOST_TAKEN]]
        return Exportable(title, private=True, rows=rows, note=self.said.text())

    # reacting

    def _restart_comparison(self) -> None:
        self._found = None
        self._level_picked()

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
        findings = [record.findings[attack] for record in pair or () if attack in record.findings]
        if log is None or pair is None or len(findings) < len(pair):
            self._show_nothing(pair, attack)
            return
        first, second = (ExposureSide(side.exposed, side.reasons) for side in findings)
        previous, least, user = self._found, self.least.value(), self._user
        level: Level = "sessions" if self.level.currentData() == "sessions" else "users"
        picked = self.where.currentData()
        sides = (int(picked),) if picked else (FIRST, SECOND, BOTH)
        key, descending = self._order
        names = (pair[0].letter, pair[1].letter)

        def compare_sides(progress: Progress) -> tuple[ExposureDifference, Int64s]:
            difference = previous or compare_exposure(log, first, second, least, progress)
            progress.check()
            lines = difference.select_rows(level)
            return difference, select_lines(lines, sides, key, descending, user)

        def show_difference(result: tuple[ExposureDifference, Int64s]) -> None:
            self._found, places = result
            self.model.set_comparison(log, self._found, level, names, places)
            self._show_counts(self._found, level)
            self._fit_columns()
            if len(places):
                self.table.setCurrentIndex(self.model.index(0, 0))

        self.job.start("exposure", compare_sides, show_difference, self.said.setText)

    def _show_nothing(self, pair: tuple[Run, Run] | None, attack: str) -> None:
        self.model.set_lines(())
        if pair is None or not attack:
            self.said.setText(say("no attack flags sessions"))
            return
        text = say("attack flags nobody")
        runs = self.tr(" and ").join(r.letter for r in pair if attack not in r.findings)
        self.said.setText(text.format(attack=translate_text(ATTACKS[attack].title), runs=runs))

    def _show_counts(self, difference: ExposureDifference, level: Level) -> None:
        lines, (first, second) = difference.select_rows(level), self.model.names
        either = self.tr("{} or {}: {}").format(first, second, formats.format_count(len(lines)))
        entries, counts = [(either, 0)], {}
        for code in (FIRST, SECOND, BOTH):
            count = formats.format_count(lines.count(code))
            entries.append((f"{self.model.describe_where(code)}: {count}", code))
            users = formats.format_plural(difference.users.count(code), "user")
            sessions = formats.format_plural(difference.sessions.count(code), "session")
            counts[f"count_{code}"] = f"{users}, {sessions}"
        self.where.offer(entries)
        text = say("exposed by each run")
        self.said.setText(text.format(first=first, second=second, **counts))

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
        pair, difference, log = self.pair, self._found, self._log
        if pair is None or difference is None or log is None:
            return
        place = int(self.model.lines[row])
        lines, attack = difference.sessions, str(self.attack.currentData())
        sides = []
        for number, record in enumerate(pair):
            verdict = self.tr("Not exposed.")
            if int(lines.side[place]) >> number & 1:
                verdict = self.tr("Exposed: {why}. Risk {risk} of 1.").format(
                    why=_list_reasons(difference, lines, number, place),
                    risk=formats.format_fixed(lines.risk[number, place], 2),
                )
            side_facts = record.letter, record.findings.get(attack), record.anonymized, verdict
            sides.append(SessionSide(*side_facts))
        self._row = row
        rows = int(lines.start[place]), int(lines.stop[place])
        self.sides.show_sides(SessionRows(log, *rows, tuple(sides)))
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
