"""The line below everything: stage, progress, time left, and how many runs wait."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QToolButton, QWidget

from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.elided_label import ElidedLabel


class StatusBar(QWidget):
    """Never in the way: work goes on while it shows how far."""

    queue_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 24)
        self.bar.setFixedHeight(style.NORMAL)
        self.stage = ElidedLabel()
        self.left = style.plain_label(role="muted")
        self.queue = QToolButton()
        self.queue.setAutoRaise(True)
        self.queue.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.queue.setToolTip(self.tr("Show the queued runs: their order, and how far each is"))
        self.queue.clicked.connect(self.queue_wanted)
        line = QHBoxLayout(self)
        line.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        line.setSpacing(style.NORMAL)
        line.addWidget(self.bar)
        line.addWidget(self.stage, 10)
        line.addWidget(self.left)
        line.addWidget(self.queue)
        line.addStretch(1)
        self.setMinimumHeight(self.queue.sizeHint().height() + 2 * style.TIGHT)
        self.show_idle(self.tr("Ready"))
        self.show_waiting(None)

    def show_waiting(self, runs: int | None) -> None:
        """Say how many runs wait behind the one at work; None if none is."""
        self.queue.setVisible(runs is not None)
        text = safe_text.format_plural(runs or 0, "waiting", "waiting") + " ▸"
        self.queue.setText(text if runs else self.tr("Queue ▸"))

    def show_busy(self, text: str) -> None:
        """Work has begun; nobody knows how much."""
        self.stage.show_text(text)
        self.left.setText("")
        self.bar.setRange(0, 0)
        self.bar.show()

    def show_progress(self, stage: str, share: float | None, left: float | None) -> None:
        """Show how far a stage is; None where nobody knows."""
        self.stage.show_text(stage)
        known = [] if share is None else [formats.format_percentage(round(share, 2))]
        known += [] if left is None else [formats.format_time_left(left)]
        self.left.setText(" · ".join(known))
        self.bar.show()
        # or it would paint at once, and with it all that waits to be painted in the window
        self.bar.setUpdatesEnabled(False)
        self.bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.bar.setValue(round(1000 * share))
        self.bar.setUpdatesEnabled(True)

    def show_idle(self, text: str) -> None:
        """Nothing is at work."""
        self.stage.show_text(text)
        self.left.setText("")
        self.bar.setRange(0, 1000)
        self.bar.setValue(0)
        self.bar.hide()
