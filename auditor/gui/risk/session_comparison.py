"""One session of the raw log and what two or more releases show of it, side by side.

Its text is plain everywhere. What the releases show is looked up in a thread.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHeaderView, QLabel

from auditor.attacks.base import FlaggedFindings
from auditor.gui.app.translation import tr
from auditor.gui.risk import session_data
from auditor.gui.risk.session_data import Mark, SessionEvents
from auditor.gui.risk.session_released import ReleasedEvents, find_released_events
from auditor.gui.risk.session_view import QUERY, SessionPane
from auditor.gui.widgets import safe_text, style
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


@dataclass(frozen=True, eq=False)
class OpenedComparison(SessionEvents):
    """A session, and the sides that are compared."""

    sides: tuple[ComparedRelease, ...]

    def list_marks(self, event: int) -> list[Mark]:
        """Every side's marks, each once."""
        code = self.find_query_code(event)
        flagged = [side.findings for side in self.sides if side.findings is not None]
        return sorted({mark for findings in flagged for mark in findings.list_marks(code)})

    def describe_unknown(self, place: int, _event: int) -> str:
        return tr("release not kept") if self.sides[place].release is None else "…"


class SessionComparisonView(SessionPane):
    """A session beside its releases."""

    def __init__(self) -> None:
        super().__init__(tr("Queries of the session in every release"))
        self.setAccessibleName(self.tr("Session in every release"))
        tip = self.tr("Back to the list (Esc)")
        self.bar.insertWidget(0, style.button(self.tr("‹ Back to the list"), self.closed, tip=tip))
        self.text_box = style.plain_label(wrap=True, name=self.tr("The chosen query in full"))
        self._texts: list[QLabel] = []
        self.words.addWidget(self.text_box)
        self.words.addStretch(1)

    def show_session(self, opened: OpenedComparison) -> None:
        self.clear()
        heads = [self.tr("In {run}").format(run=side.name) for side in opened.sides]
        self.model.set_columns(self.tr("Query in the log"), heads)
        self.model.set_session(opened)
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
        marked = next((event for event in events if opened.list_marks(event)), 0)
        self.table.setCurrentIndex(self.model.index(marked, QUERY))
        self.fit_rows()

        def find_events(progress: Progress) -> list[ReleasedEvents | None]:
            log, where = opened.log, (opened.rows, opened.stop, progress)
            releases = [side.release for side in opened.sides]
            return [
                release if release is None else find_released_events(log, release, *where)
                for release in releases
            ]

        self.job.start("released sessions", find_events, self._show_released, self._not_found)

    def clear(self) -> None:
        self.job.drop()
        self.model.set_session(None)
        self.heading.show_text("")
        self.text_box.clear()
        self._texts = []
        while self.words.count() > 2:
            item = self.words.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()

    def _add_label(self, text: str, *, bold: bool = False) -> QLabel:
        label = style.plain_label(text, bold=bold, wrap=True)
        self.words.insertWidget(self.words.count() - 1, label)
        return label

    def _show_released(self, released: list[ReleasedEvents | None]) -> None:
        self.model.set_released_events(released)
        for label, events in zip(self._texts, released, strict=True):
            label.setText(
                f"{label.text()}\n{events.evidence}" if events is not None else label.text()
            )
        self.show_event(self.table.currentIndex())

    def _not_found(self, why: str) -> None:
        for label in self._texts:
            label.setText(why)

    def show_event(self, current: QModelIndex) -> None:
        opened = self.model.session
        if not isinstance(opened, OpenedComparison) or not current.isValid():
            return
        event = current.row()
        code = opened.find_query_code(event)
        text, _left = safe_text.take_head(opened.log.queries, code, safe_text.LINE_LIMIT)
        lines = [text]
        marks = opened.list_marks(event)
        if marks:
            lines.append(session_data.in_words(text, marks))
        clicked = opened.list_clicks(event)[:3]
        lines += [self.tr("Clicked: {url}").format(url=url) for url in clicked]
        for side, released in zip(opened.sides, self.model.shown, strict=True):
            if released is not None:
                lines += [f"{side.name}: {more}" for more in released.events[event].more]
        self.text_box.setText("\n".join(lines))
