"""The line below everything: stage, progress, time left; and the queue of runs behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QProgressBar, QToolButton, QWidget

from auditor.engine.run import Run
from auditor.engine.run_progress import RunProgress
from auditor.gui.app.translation import read_words, say, tr, translate_text
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import title_of
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.release.ledger.store import data_folder


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
        """Show how many runs are queued behind the running one; None if none is."""
        self.queue.setVisible(runs is not None)
        text = formats.format_plural(runs or 0, "waiting", "waiting") + " ▸"
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


ENDS = read_words("news of a run")
OFTEN = 100
"""Milliseconds between two looks at a running run."""


@dataclass(frozen=True)
class QueueRow:
    """One queued run, in words."""

    number: int
    letter: str
    title: str
    running: bool
    state: str
    time_left: str


class QueuePanel(QWidget):
    """The runs that are queued, in a list and below every page, and what can be done with one."""

    def __init__(self, controller: Controller, status: StatusBar, *, remember: bool) -> None:
        super().__init__()
        self.controller, self.status = controller, status
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Queued runs"))
        self.list.setSelectionMode(self.list.SelectionMode.SingleSelection)
        self.list.setVerticalScrollMode(self.list.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.currentItemChanged.connect(lambda _now, _before: self._enable_actions())
        self.list.itemActivated.connect(lambda _item: self._with_picked(controller.show_run))
        self.empty = style.plain_label(say("queue is empty"), role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.sum = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self._rows: list[QueueRow] = []
        c, runs, buttons = controller, controller.queue, style.row(None, spacing=style.TIGHT)
        self.earlier, self.later, self.cancel, self.drop = actions = [
            self._make_action(self.tr("▲ Earlier"), self.tr("Begin one place earlier"), "Alt+Up",
                              lambda run: runs.move(run, -1)),
            self._make_action(self.tr("▼ Later"), self.tr("Begin one place later"), "Alt+Down",
                              lambda run: runs.move(run, 1)),
            self._make_action(self.tr("■ Cancel"), self.tr("Stop it; it stays among the runs"),
                              "Ctrl+Backspace", c.cancel_run),
            self._make_action(self.tr("✕ Remove"), self.tr("Stop it and strike it out"),
                              QKeySequence.StandardKey.Delete, c.remove_run),
        ]  # fmt: skip
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text())
            buttons.addWidget(button)
        buttons.addStretch(1)
        style.panel(self, [self.empty, (self.list, 1), self.sum, buttons])
        self._look = QTimer(self, singleShot=True, interval=OFTEN)
        self._look.timeout.connect(self._show_queue)
        runs.changed.connect(lambda: c.turns.run_now(self._show_queue, self._show_queue))
        for signal in (c.runs_changed, c.run_changed):
            signal.connect(lambda *_: c.turns.run_soon(self._show_queue))
        runs.moved_on.connect(lambda: self._look.isActive() or self._look.start())
        memory = past_runs if remember else lambda: None  # then what is learned is forgotten
        c.log_opened.connect(lambda _opened: runs.load_costs(memory))
        c.run_changed.connect(self._tell_end)
        self._show_queue()

    def _make_action(self, text: str, tip: str, keys: Any, do: Callable[[int], None]) -> QAction:
        action = QAction(text, self.list)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        shortcut = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{tip} ({shortcut})")
        action.triggered.connect(lambda: self._with_picked(do))
        self.list.addAction(action)
        return action

    def _tell_end(self, record: Run) -> None:
        name = self.tr("Run {letter}").format(letter=record.letter)
        text = tr(ENDS.get(record.state, ""))
        if record.state == "running":
            if record.statement is None:
                self.status.show_busy(text.format(name=name))
        elif text:
            self.status.show_idle(text.format(name=name))

    def _show_queue(self) -> None:
        """Show the queue, keeping the selection."""
        c = self.controller
        records = [record for number in c.queue.numbers if (record := c.runs.get(number))]
        waiting = set(c.queue.waiting)
        picked, before = self.picked, self._rows
        self._rows = rows = [
            self._make_row(run, run.number in waiting, place)
            for place, run in enumerate(records, start=1)
        ]
        if [row.number for row in rows] == [row.number for row in before]:
            for place, row in enumerate(rows):
                if row != before[place]:
                    self._fill_item(self.list.item(place), row)
        else:
            self.list.blockSignals(True)
            self.list.clear()
            for row in rows:
                self.list.addItem(item := QListWidgetItem())
                self._fill_item(item, row)
            numbers = [row.number for row in rows]
            self.list.setCurrentRow(numbers.index(picked) if picked in numbers else 0)
            self.list.blockSignals(False)
        total = c.queue.estimate_seconds_left(records[-1].number) if len(records) > 1 else None
        self.sum.setVisible(total is not None)
        if total is not None:
            count, time_left = formats.format_count(len(rows)), formats.format_time_left(total)
            self.sum.setText(
                self.tr("All {count} runs: {left}.").format(count=count, left=time_left)
            )
        self.list.setVisible(bool(rows))
        self.empty.setVisible(not rows)
        self._enable_actions()
        self.status.show_waiting(len(rows) - 1 if rows else None)
        if rows and rows[0].running and (course := c.queue.find_progress(rows[0].number)):
            text = self.tr("Run {letter}: {state}")
            text = text.format(letter=rows[0].letter, state=rows[0].state)
            self.status.show_progress(text, course.done, course.seconds_left)

    def _make_row(self, record: Run, waits: bool, place: int) -> QueueRow:
        course = self.controller.queue.find_progress(record.number)
        seconds = course.seconds_left if course is not None else None
        if waits or course is None or record.state == "waiting":
            state = self.tr("queued: number {place}").format(place=formats.format_count(place))
            time_left = "" if seconds is None else formats.format_duration(seconds)
        else:
            state = self._describe_progress(course)
            time_left = "" if seconds is None else formats.format_time_left(seconds)
        title = f"{translate_text(record.title)}  {formats.brief_parameters(record.plan.params)}"
        return QueueRow(record.number, record.letter, title, not waits, state, time_left)

    def _describe_progress(self, course: RunProgress) -> str:
        part = course.part
        if part is None:
            return self.tr("beginning")
        stage = translate_text(course.stage)
        if course.share is not None:
            stage += f" {formats.format_fixed(100 * course.share, 0)} %"
        pattern = tr(read_words("parts of a run")[part.kind])
        return pattern.format(
            at=formats.format_count(course.at),
            of=formats.format_count(course.of),
            title=title_of(part),
            stage=stage or self.tr("begun"),
        )

    def _fill_item(self, item: QListWidgetItem, row: QueueRow) -> None:
        sign = style.RUN_SIGNS["running" if row.running else "waiting"].icon
        state = ". ".join(filter(None, (row.state, row.time_left)))
        words = f"{row.letter}  {row.title}\n{sign} {state}"
        item.setText(words)
        item.setToolTip(safe_text.plain_tip(words))

    @property
    def picked(self) -> int | None:
        place = self.list.currentRow()
        return self._rows[place].number if 0 <= place < len(self._rows) else None

    def _enable_actions(self) -> None:
        place = self.list.currentRow()
        first = sum(row.running for row in self._rows)
        self.earlier.setEnabled(first < place < len(self._rows))
        self.later.setEnabled(first <= place < len(self._rows) - 1)
        for action in (self.cancel, self.drop):
            action.setEnabled(0 <= place < len(self._rows))

    def _with_picked(self, do: Callable[[int], None]) -> None:
        if (number := self.picked) is not None:
            do(number)


def past_runs() -> Path | None:
    """The file in which past runs are kept, as the command line keeps them."""
    return data_folder() / "runs.json"
