"""One session of the raw log and what two or more releases show of it, side by side.

Its text is plain everywhere. What the releases show is looked up in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QModelIndex, QObject
from PySide6.QtWidgets import QHeaderView, QLabel, QWidget

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import tr
from auditor.gui.risk import session_data, session_released
from auditor.gui.risk.session_data import Mark, SessionEvents
from auditor.gui.risk.session_released import ReleasedEvents
from auditor.gui.risk.session_view import QUERY, SessionPane
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.marked_text import MARKS
from auditor.gui.widgets.tables import Column, ColumnModel
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

TIME, _, WHY = range(3)


@dataclass(frozen=True, eq=False)
class ComparedRelease:
    """One run's view of a session: its name, why its attack flags it, and its release."""

    name: str
    verdict: str
    findings: FlaggedFindings | None = None
    release: Anonymized | None = None
    shown: ReleasedEvents | None = None


@dataclass(frozen=True, eq=False)
class OpenedComparison(SessionEvents):
    """A session, and the sides that are compared."""

    sides: tuple[ComparedRelease, ...]


class SessionComparisonModel(ColumnModel):
    """The events: time, query and reasons, then a column a release."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.opened: OpenedComparison | None = None

    def set_comparison(self, opened: OpenedComparison | None) -> None:
        self.opened = opened
        if opened is None:
            self.set_lines((), ())
            return
        log, rows = opened.log, opened.rows
        columns = [
            Column(
                self.tr("Time (UTC)"),
                lambda event: safe_text.format_moment(int(log.time[rows[event]]), date=False),
            ),
            Column(
                self.tr("Query in the log"),
                lambda event: safe_text.make_line(log.queries, opened.find_query_code(event)),
                roles={MARKS: self.list_marks},
            ),
            Column(
                self.tr("Why marked"),
                lambda event: "; ".join(
                    session_data.gravest_first(why for _, _, why in self.list_marks(event))
                ),
            ),
        ]
        columns += [
            Column(
                self.tr("In {run}").format(run=side.name),
                partial(self._format_fate, number),
                tip=partial(self._tell_fate, number),
            )
            for number, side in enumerate(opened.sides)
        ]
        self.set_lines(range(len(rows)), columns)

    def set_released_events(self, shown: Sequence[ReleasedEvents | None]) -> None:
        if self.opened is not None:
            sides = zip(self.opened.sides, shown, strict=True)
            self.opened = replace(self.opened, sides=tuple(replace(s, shown=o) for s, o in sides))
            self.refresh_columns(WHY + 1)

    def list_marks(self, event: int) -> list[Mark]:
        if self.opened is None:
            return []
        code = self.opened.find_query_code(event)
        marks = {
            mark
            for side in self.opened.sides
            if side.findings is not None
            for mark in side.findings.list_marks(code)
        }
        return sorted(marks)

    def list_details(self, event: int, side: int) -> list[str]:
        shown = self.opened.sides[side].shown if self.opened is not None else None
        return list(shown.events[event].more) if shown is not None else []

    def _format_fate(self, number: int, event: int) -> str:
        assert self.opened is not None
        side = self.opened.sides[number]
        if side.release is None:
            return self.tr("release not kept")
        return side.shown.events[event].format_fate() if side.shown is not None else "…"

    def _tell_fate(self, number: int, event: int) -> str:
        return "\n".join([self._format_fate(number, event), *self.list_details(event, number)])


class SessionComparisonView(SessionPane):
    """A session beside its releases."""

    def __init__(self, parent: QWidget | None = None) -> None:
        model = SessionComparisonModel()
        super().__init__(model, tr("Queries of the session in every release"), parent)
        self.model = model
        self.setAccessibleName(self.tr("Session in every release"))
        back = style.button(
            self.tr("‹ Back to the list"), self.closed, tip=self.tr("Back to the list (Esc)")
        )
        self.bar.insertWidget(0, back)
        self.text_box = style.plain_label(wrap=True, name=self.tr("The chosen query in full"))
        self._texts: list[QLabel] = []
        self.words.addWidget(self.text_box)
        self.words.addStretch(1)

    def show_session(self, opened: OpenedComparison) -> None:
        self.clear()
        self.model.set_comparison(opened)
        self.heading.show_text(opened.format_heading())
        for place in range(self.model.columnCount()):
            stretched = place == QUERY or place > WHY
            mode = QHeaderView.ResizeMode
            header = self.table.horizontalHeader()
            header.setSectionResizeMode(place, mode.Stretch if stretched else mode.Interactive)
        metrics = self.table.fontMetrics()
        self.table.setColumnWidth(TIME, metrics.horizontalAdvance("Time (UTC)") + 20)
        self.table.setColumnWidth(WHY, metrics.horizontalAdvance("private person's name") + 20)
        for side in opened.sides:
            self._add_label(side.name, bold=True)
            self._texts.append(self._add_label(side.verdict))
        events = range(min(len(opened.rows), session_data.ROWS_JUDGED))
        marked = next((event for event in events if self.model.list_marks(event)), 0)
        self.table.setCurrentIndex(self.model.index(marked, QUERY))
        self.fit_rows()
        self._look_up(opened)

    def clear(self) -> None:
        self.job.drop()
        self.model.set_comparison(None)
        self.heading.show_text("")
        self.text_box.clear()
        self._texts = []
        while self.words.count() > 2:
            item = self.words.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()

    def _add_label(self, text: str, *, bold: bool = False) -> QLabel:
        made = style.plain_label(text, bold=bold, wrap=True)
        self.words.insertWidget(self.words.count() - 1, made)
        return made

    def _look_up(self, opened: OpenedComparison) -> None:
        def find_events(progress: Progress) -> list[ReleasedEvents | None]:
            return [
                None
                if side.release is None
                else session_released.find_released_events(
                    opened.log, side.release, opened.rows, opened.stop, progress
                )
                for side in opened.sides
            ]

        self.job.start("released sessions", find_events, self._show_released, self._not_found)

    def _show_released(self, shown: list[ReleasedEvents | None]) -> None:
        self.model.set_released_events(shown)
        opened = self.model.opened
        if opened is not None:
            for label, side in zip(self._texts, opened.sides, strict=True):
                told = side.shown.told if side.shown is not None else ""
                label.setText(f"{side.verdict}\n{told}".strip())
        self.show_event(self.table.currentIndex())

    def _not_found(self, why: str) -> None:
        for label in self._texts:
            label.setText(why)

    def show_event(self, current: QModelIndex) -> None:
        opened = self.model.opened
        if opened is None or not current.isValid():
            return
        event = current.row()
        code = opened.find_query_code(event)
        text, _left = safe_text.take_head(opened.log.queries, code, safe_text.LINE_LIMIT)
        lines = [text]
        marks = self.model.list_marks(event)
        if marks:
            lines.append(session_data.in_words(text, marks))
        clicked = opened.list_clicks(event)[:3]
        lines += [self.tr("Clicked: {url}").format(url=url) for url in clicked]
        for number, side in enumerate(opened.sides):
            lines += [f"{side.name}: {more}" for more in self.model.list_details(event, number)]
        self.text_box.setText("\n".join(lines))
