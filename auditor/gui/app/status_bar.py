"""The line below everything: stage, progress, time left, and how many runs wait."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QProgressBar, QWidget

from auditor.engine.run import Run
from auditor.engine.run_progress import RunProgress
from auditor.gui.app.translation import translate_text
from auditor.gui.compare.queue_panel import QueuePanel, QueueRow
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import title_of
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.elided_label import ElidedLabel

OFTEN = 100
"""Milliseconds between two looks at a running run."""


class RunStatus(QObject):
    """Shows the queue of runs and passes on what people do to it."""

    def __init__(
        self,
        controller: Controller,
        status: StatusBar,
        queue: QueuePanel,
        parent: QObject,
        *,
        remember: bool,
    ) -> None:
        super().__init__(parent)
        self.controller, self.status, self.queue = controller, status, queue
        self._look = QTimer(self, singleShot=True, interval=OFTEN)
        self._look.timeout.connect(self._show_queue)
        c, runs = controller, controller.queue
        runs.changed.connect(lambda: c.turns.run_now(self._show_queue, self._show_queue))
        for changed in (c.runs_changed, c.run_changed):
            changed.connect(lambda *_: c.turns.run_soon(self._show_queue))
        runs.moved_on.connect(lambda: self._look.isActive() or self._look.start())
        memory = past_runs if remember else lambda: None  # then what is learned is forgotten
        c.log_opened.connect(lambda _opened: runs.load_costs(memory))
        queue.moved.connect(runs.move)
        queue.cancelled.connect(c.cancel_run)
        queue.removed.connect(c.remove_run)
        queue.opened.connect(c.show_run)
        c.run_changed.connect(self._tell_end)

    def _tell_end(self, record: Run) -> None:
        name = self.tr("Run {letter}").format(letter=record.letter)
        text = {
            "running": self.tr("{name}: started"),
            "finished": self.tr("{name} is finished"),
            "failed": self.tr("{name} failed"),
            "cancelled": self.tr("{name} was cancelled"),
        }.get(record.state, "")
        if record.state == "running":
            if record.statement is None:
                self.status.show_busy(text.format(name=name))
        elif text:
            self.status.show_idle(text.format(name=name))

    def _show_queue(self) -> None:
        c = self.controller
        records = [c.runs.get(number) for number in c.queue.numbers]
        there = [record for record in records if record is not None]
        waiting = set(c.queue.waiting)
        places = enumerate(there, start=1)
        rows = [self._make_queue_row(run, run.number in waiting, place) for place, run in places]
        total = c.queue.estimate_seconds_left(there[-1].number) if there else None
        summary = ""
        if len(there) > 1 and total is not None:
            count, time_left = formats.format_count(len(there)), formats.format_time_left(total)
            summary = self.tr("All {count} runs: {left}.").format(count=count, left=time_left)
        self.queue.show_rows(rows, summary)
        self.status.show_waiting(max(0, len(rows) - 1) if rows else None)
        if rows and rows[0].running:
            course = c.queue.find_progress(there[0].number)
            text = self.tr("Run {letter}: {state}")
            text = text.format(letter=rows[0].letter, state=rows[0].state)
            self.status.show_progress(text, rows[0].done, course.seconds_left if course else None)

    def _make_queue_row(self, record: Run, waits: bool, place: int) -> QueueRow:
        course = self.controller.queue.find_progress(record.number)
        if waits or course is None or record.state == "waiting":
            state = self.tr("queued: number {place}").format(place=formats.format_count(place))
            takes = course.seconds_left if course is not None else None
            time_left = "" if takes is None else formats.format_duration(takes)
        else:
            state = self._describe_progress(course)
            time_left = (
                "" if course.seconds_left is None else formats.format_time_left(course.seconds_left)
            )
        return QueueRow(
            number=record.number,
            letter=record.letter,
            title=f"{translate_text(record.title)}  {formats.brief_parameters(record.plan.params)}",
            running=not waits,
            state=state,
            time_left=time_left,
            done=course.done if course is not None else None,
        )

    def _describe_progress(self, course: RunProgress) -> str:
        part = course.part
        if part is None:
            return self.tr("beginning")
        stage = translate_text(course.stage)
        if course.share is not None:
            stage += f" {formats.format_fixed(100 * course.share, 0)} %"
        pattern = {
            "method": self.tr("{at} of {of} · anonymizing: {stage}"),
            "measure": self.tr("{at} of {of} · measuring {title}: {stage}"),
            "attack": self.tr("{at} of {of} · attacking by {title}: {stage}"),
        }[part.kind]
        return pattern.format(
            at=formats.format_count(course.at),
            of=formats.format_count(course.of),
            title=title_of(part),
            stage=stage or self.tr("begun"),
        )


def past_runs() -> Path | None:
    """The file in which past runs are kept, as the command line keeps them."""
    from auditor.release.ledger.store import data_folder

    return data_folder() / "runs.json"


class StatusBar(QWidget):
    """Never in the way: work goes on while it shows how far."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 24)
        self.bar.setFixedHeight(style.NORMAL)
        self.stage = ElidedLabel()
        self.left = style.plain_label(role="muted")
        tip = self.tr("Show the queued runs: their order, and how far each is")
        self.queue = style.tool_button(tip=tip)
        self.queue.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        parts: list[style.Part] = [self.bar, (self.stage, 10), self.left, self.queue, 1]
        style.row(self, parts, margins=(style.NORMAL, style.TIGHT), spacing=style.NORMAL)
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

    def show_progress(self, stage: str, share: float | None, time_left: float | None) -> None:
        """Show how far a stage is; None where nobody knows."""
        self.stage.show_text(stage)
        parts = [] if share is None else [formats.format_percentage(round(share, 2))]
        parts += [] if time_left is None else [formats.format_time_left(time_left)]
        self.left.setText(" · ".join(parts))
        self.bar.show()
        # or it would paint at once, and with it all that waits to be painted in the window
        self.bar.setUpdatesEnabled(False)
        self.bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.bar.setValue(round(1000 * share))
        self.bar.setUpdatesEnabled(True)

    def show_idle(self, text: str) -> None:
        self.stage.show_text(text)
        self.left.setText("")
        self.bar.setRange(0, 1000)
        self.bar.setValue(0)
        self.bar.hide()
