"""What the window shows before there is a log: what to do, and what happens while it reads."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from auditor.gui.app.translation import say, tr
from auditor.gui.widgets import formats, style


class WelcomePage(QWidget):
    """An empty state with two buttons; a busy state with progress and a way out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame = QFrame()
        self.frame.setProperty("role", "drop")
        self.title = style.plain_label(size=style.DISPLAY, bold=True, wrap=True)
        self.text = style.plain_label(say("welcome"), size=style.HEADING, wrap=True)
        self.open = style.button(self.tr("Open a log…"), role="primary")
        tip = self.tr("A made-up log that comes with the program: nobody's real searches")
        self.sample = style.button(self.tr("Open the sample log"), tip=tip)
        tip = self.tr("A short tour on the sample log, to an approved release")
        self.tour = style.button(self.tr("Show me around"), tip=tip)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(self.tr("Reading the log"))
        self.stage = style.plain_label(role="muted")
        self.cancel = style.button(self.tr("Cancel"))
        self._lay_out()
        self.show_empty()

    def _lay_out(self) -> None:
        actions = (self.open, self.sample, self.tour, self.cancel)
        for button in actions:
            button.setMinimumHeight(round(self.fontMetrics().height() * 2))
        buttons = style.row(None, [*actions, 1])
        parts: list[style.Part] = [self.title, self.text, buttons, self.bar, self.stage]
        column = style.column(self.frame, parts, margins=3 * style.WIDE, spacing=style.WIDE)
        column.addSpacing(style.WIDE)
        steps = style.grid(stretch={1: 1}, down=0)
        words = (
            tr("Open a search log"),
            tr("AOL, Excite, any table with users, queries and times; packed too."),
            tr("Tune a method"),
            tr("Sliders show at once what each value promises and what it costs."),
            tr("Look at who is at risk"),
            tr("Runs are attacked; the sessions behind each number open."),
            tr("Release what passes"),
            tr("A release leaves only with its statement and somebody's approval."),
        )
        for place, (head, text) in enumerate(zip(words[::2], words[1::2], strict=True)):
            sign = style.plain_label(str(place + 1), bold=True, role="muted")
            steps.addWidget(sign, 3 * place, 0, Qt.AlignmentFlag.AlignTop)
            steps.addWidget(style.plain_label(head, bold=True), 3 * place, 1)
            steps.addWidget(style.plain_label(text, role="muted", wrap=True), 3 * place + 1, 1)
            steps.setRowMinimumHeight(3 * place + 2, style.NORMAL)
        column.addLayout(steps)
        needed = self.frame.minimumSizeHint().width()
        self.frame.setMaximumWidth(max(self.fontMetrics().averageCharWidth() * 100, needed))
        row = style.row(None, [1, (self.frame, 8), 1])
        inside = QWidget()
        style.column(inside, [1, row, 2], margins=style.WIDE)
        area = style.scroll_area(inside, focus=False)  # for large text on a small screen
        style.column(self, [area])

    def show_empty(self) -> None:
        self.title.setText(self.tr("May this search log be released?"))
        self._set_busy(False)

    def show_reading(self, title: str) -> None:
        text = self.tr("Reading {title}").format(title=title)
        self.title.setText(formats.capitalize(text))  # German begins with the title
        self.bar.setRange(0, 0)
        self.stage.setText(self.tr("starting"))
        self._set_busy(True)

    def show_progress(self, stage: str, share: float | None) -> None:
        """Say how far it is; None when nobody knows."""
        self.stage.setText(stage)
        self.bar.setRange(0, 0 if share is None else 1000)
        self.bar.setValue(round(1000 * (share or 0.0)))

    def show_over(self, over: bool) -> None:
        """Answer to files that are held over the window."""
        style.restyle(self.frame, "over", "true" if over else "false")

    def _set_busy(self, busy: bool) -> None:
        idle: tuple[QWidget, ...] = (self.open, self.sample, self.tour, self.text)
        for widget in idle:
            widget.setVisible(not busy)
        at_work: tuple[QWidget, ...] = (self.bar, self.stage, self.cancel)
        for widget in at_work:
            widget.setVisible(busy)
