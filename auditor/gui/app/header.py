"""The line above everything: which log, which method, run, cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from auditor.gui.app.translation import tr, words
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import formats, style
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS


class ElidedLabel(QLabel):
    """One line that gives way: what doesn't fit becomes an ellipsis, the tooltip has it all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._whole = ""

    def say(self, text: str) -> None:
        """Show a text."""
        self._whole = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the text anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        self.setMaximumWidth(metrics.horizontalAdvance(self._whole) + style.NORMAL)
        self.setMinimumWidth(min(80, metrics.horizontalAdvance(self._whole)))
        mode = Qt.TextElideMode.ElideMiddle
        self.setText(metrics.elidedText(self._whole, mode, max(self.width(), 80)))


class Header(QWidget):
    """Facts of the log on the left, what to do with it on the right."""

    method_chosen = Signal(str)
    run_wanted = Signal()
    cancel_wanted = Signal()
    rejects_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = ElidedLabel()
        self.title.setFont(style.font(self, style.HEADING, bold=True))
        self.facts = ElidedLabel()
        self.rejects = QToolButton()
        self.rejects.setAutoRaise(True)
        self.rejects.setToolTip(
            self.tr("Rows that could not be read, by reason, with line numbers")
        )
        self.rejects.clicked.connect(self.rejects_wanted)
        self.method = QComboBox()
        self.method.setAccessibleName(self.tr("Method"))
        for name in METHODS:
            method = METHODS[name]
            self.method.addItem(words(method.title), name)
            row = self.method.count() - 1
            self.method.setItemData(row, words(method.summary), Qt.ItemDataRole.ToolTipRole)
        self.method.activated.connect(
            lambda index: self.method_chosen.emit(self.method.itemData(index))
        )
        self.run = QPushButton(self.tr("Run"))
        self.run.setProperty("role", "primary")
        self.run.setToolTip(
            self.tr("Make a release with these settings, measure and attack it (Ctrl+R)")
        )
        self.run.clicked.connect(self.run_wanted)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Stop the run (Esc)"))
        self.cancel.clicked.connect(self.cancel_wanted)
        label = style.label(self.tr("Method"))
        label.setBuddy(self.method)
        line = QHBoxLayout(self)
        line.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        line.setSpacing(style.NORMAL)
        line.addWidget(self.title, 3)
        line.addWidget(self.facts, 8)
        line.addWidget(self.rejects)
        line.addStretch(1)
        for widget in (label, self.method, self.run, self.cancel):
            line.addWidget(widget)
        self.show_log(None)
        self.show_running(False)

    def show_log(self, opened: OpenedLog | None) -> None:
        """Show a log's facts, or that there is none."""
        self.run.setEnabled(opened is not None)
        self.facts.setVisible(opened is not None)
        self.rejects.hide()
        if opened is None:
            self.title.say(self.tr("No log is open"))
            return
        log = opened.log
        self.title.say(words(opened.title))
        self.facts.say(facts(log))
        rejected = sum(log.origin.rejected.values())
        self.rejects.setText(
            self.tr("{rejected} rejected ▸").format(rejected=formats.count(rejected))
        )
        self.rejects.setVisible(rejected > 0)

    def show_method(self, name: str) -> None:
        """Select a method without telling anybody."""
        self.method.setCurrentIndex(self.method.findData(name))

    def show_running(self, running: bool) -> None:
        """Offer to cancel while something runs."""
        self.cancel.setEnabled(running)


def facts(log: QueryLog) -> str:
    """Users, rows, distinct queries and period of a log in one line."""
    parts = (
        tr("{users} users").format(users=formats.count(len(log.users))),
        tr("{log} rows").format(log=formats.big(len(log))),
        tr("{queries} queries").format(queries=formats.big(len(log.queries))),
        formats.period(log.period),
    )
    return " · ".join(parts)
