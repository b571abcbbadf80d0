"""The line above everything: which log, whom a record protects, run and cancel."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from auditor.gui.app.translation import tr, translate_text
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.elided_label import ElidedLabel


class Header(QFrame):
    """Facts of the log on the left, what to do with it on the right."""

    run_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "header")
        self.title = ElidedLabel()
        self.title.setFont(style.scaled_font(self, style.HEADING, bold=True))
        self.facts = ElidedLabel(role="muted")
        self.method = ElidedLabel()
        self.run = QPushButton(self.tr("Run"))
        self.run.setProperty("role", "primary")
        self.run.setToolTip(
            self.tr("Make a release with these parameters, measure and attack it (Ctrl+R)")
        )
        self.run.clicked.connect(self.run_wanted)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setToolTip(self.tr("Stop the run (Esc)"))
        self.cancel.clicked.connect(self.cancel_wanted)
        line = QHBoxLayout(self)
        line.setContentsMargins(style.WIDE, style.TIGHT, style.WIDE, style.TIGHT)
        line.setSpacing(style.WIDE)
        line.addWidget(self.title, 3)
        line.addWidget(self.facts, 8)
        line.addStretch(1)
        line.addWidget(self.method, 2)
        line.addWidget(self.cancel)  # before Run, which then stays where the pointer is
        line.addWidget(self.run)
        self.show_log(None)
        self.show_running(False)

    def show_log(self, opened: OpenedLog | None) -> None:
        """Show a log's facts, or that there is none."""
        self.run.setEnabled(opened is not None)
        self.method.setVisible(opened is not None)
        self.facts.setVisible(opened is not None)
        if opened is None:
            self.title.show_text(self.tr("No log is open"))
            return
        self.title.show_text(translate_text(opened.title))
        self.facts.show_text(log_facts(opened))

    def show_method(self, title: str) -> None:
        """Say which method a run would use."""
        self.method.show_text(translate_text(title))

    def show_running(self, running: bool) -> None:
        """Offer to cancel while something runs."""
        self.cancel.setVisible(running)


def log_facts(opened: OpenedLog) -> str:
    """Users, rows, distinct queries and period of a log in one line."""
    log = opened.log
    parts = [
        safe_text.format_plural(len(log.users), "user"),
        safe_text.format_plural(len(log), "row", large=True),
        safe_text.format_plural(opened.queries, "query", "queries", large=True),
        formats.format_period(log.period),
        tr("protects: one user"),
    ]
    rejected = sum(log.origin.rejected.values())
    if rejected:
        parts.append(safe_text.format_plural(rejected, "row rejected", "rows rejected"))
    return " · ".join(parts)
