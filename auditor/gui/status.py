"""The line below everything: stage, progress, time left, and the way to export."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from auditor.gui import formats, style
from auditor.gui.header import ElidedLabel
from auditor.gui.run_book import RunRecord


class Status(QWidget):
    """Never in the way: work goes on while it shows how far."""

    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QProgressBar()
        self.bar.setAccessibleName("Progress")
        self.bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 36)
        self.stage = ElidedLabel()
        self.left = style.label(role="muted")
        self.export = QPushButton("Review && export…")
        self.export.clicked.connect(self.export_wanted)
        line = QHBoxLayout(self)
        line.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        line.setSpacing(style.NORMAL)
        line.addWidget(self.bar)
        line.addWidget(self.stage, 10)
        line.addWidget(self.left)
        line.addStretch(1)
        line.addWidget(self.export)
        self.end("Ready")
        self.offer_export(None)

    def begin(self, text: str) -> None:
        """Work has begun; nobody knows how much."""
        self.stage.say(text)
        self.left.setText("")
        self.bar.setRange(0, 0)
        self.bar.show()

    def advance(self, stage: str, share: float | None, left: float | None) -> None:
        """Show how far a stage is; None where nobody knows."""
        self.stage.say(stage)
        self.left.setText(formats.left(left) if left is not None else "")
        self.bar.show()
        if share is None:
            self.bar.setRange(0, 0)
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * share))

    def end(self, text: str) -> None:
        """Nothing is at work."""
        self.stage.say(text)
        self.left.setText("")
        self.bar.setRange(0, 1000)
        self.bar.setValue(0)
        self.bar.hide()

    def offer_export(self, record: RunRecord | None) -> None:
        """Offer to export a run that has a release."""
        ready = record is not None and record.result is not None
        self.export.setEnabled(ready)
        if ready and record is not None:
            why = f"Check run {record.letter} against the gates and export it"
        elif record is not None and record.state == "finished":
            why = "The content of this run was dropped to save memory: run its settings again"
        else:
            why = "Finish a run first"
        self.export.setToolTip(why)
