"""Between the line of runs and what shows it: the queue, the status line, what a run will take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer

from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import resolve
from auditor.engine.run_progress import RunPart, RunProgress
from auditor.errors import AuditorError
from auditor.gui.app.translation import words
from auditor.gui.compare.queue_panel import QueuePanel, QueueRow
from auditor.gui.protect.cost_card import CostCard
from auditor.gui.widgets import formats
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.project.model import RunRecord

if TYPE_CHECKING:
    from auditor.gui.app.status_bar import StatusBar
    from auditor.gui.protect.params_panel import ParamsPanel
    from auditor.gui.state.controller import Controller

PAUSE = 150
"""Milliseconds after the last change of the setting at which its cost is worked out."""
OFTEN = 100
"""Milliseconds between two looks at a run at work."""


class DisplayedQueue(Protocol):
    """The parts of a window in which the line is shown."""

    queue: QueuePanel
    params: ParamsPanel
    status: StatusBar

    def raise_dock(self, name: str) -> None: ...


class QueuePresenter(QObject):
    """Shows `RunLine` and passes on what people do to it."""

    def __init__(
        self, controller: Controller, shown: DisplayedQueue, parent: QObject, *, remember: bool
    ) -> None:
        super().__init__(parent)
        self.controller, self.shown = controller, shown
        self._soon = self._timer(PAUSE, self._outline)
        self._look = self._timer(OFTEN, self._show)
        c, line = controller, controller.line
        for changed in (c.intent_changed, c.log_opened, c.log_closed, c.expected, c.known.changed):
            changed.connect(self._soon.start)
        for changed in (line.learned, line.changed):
            changed.connect(self._soon.start)
        line.changed.connect(lambda: c.turns.now("line", self._show))
        for changed in (c.runs_changed, c.run_changed):
            changed.connect(lambda *_: c.turns.soon("line", self._show))
        line.moved_on.connect(lambda: self._look.isActive() or self._look.start())
        memory = past_runs if remember else nowhere
        c.log_opened.connect(lambda _opened: line.prepare(memory))
        queue, card = shown.queue, shown.params.cost
        queue.moved.connect(line.move)
        queue.ordered.connect(line.order)
        queue.cancelled.connect(c.cancel)
        queue.removed.connect(c.remove_run)
        queue.opened.connect(c.show_run)
        card.quicker.connect(c.set_all)
        card.less.connect(self._leave_out)
        shown.status.queue_wanted.connect(lambda: shown.raise_dock("queue"))

    def _timer(self, pause: int, then: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(pause)
        timer.timeout.connect(then)
        return timer

    # before a run

    @property
    def card(self) -> CostCard:
        """Where it is said what a run will take."""
        return self.shown.params.cost

    def _outline(self) -> None:
        c = self.controller
        outline = None
        if c.opened is not None:
            try:
                plan = resolve(c.intent, c.opened.log, c.known.now.given)
                outline = c.line.outline(plan, len(c.opened.log))
            except AuditorError:  # the panel says beside the parameter what is wrong
                outline = None
        if outline is None:
            self.card.clear()
            return
        last = c.line.numbers[-1:]
        before = c.line.left(last[0]) if last else None
        self.card.show_outline(outline, c.intent.params, title_of, before)

    def _leave_out(self, names: list[str]) -> None:
        for name in names:
            self.controller.check("attacks" if name in ATTACKS else "measures", name, False)

    # while runs go on

    def _show(self) -> None:
        c = self.controller
        records = [c.runs.get(number) for number in c.line.numbers]
        there = [record for record in records if record is not None]
        waiting = set(c.line.waiting)
        rows = [self._row(record, record.number in waiting, at) for at, record in enumerate(there)]
        total = c.line.left(there[-1].number) if there else None
        said = ""
        if len(there) > 1 and total is not None:
            said = self.tr("All {count} runs: {left}.").format(
                count=formats.count(len(there)), left=formats.left(total)
            )
        self.shown.queue.show_rows(rows, said)
        self.shown.status.show_waiting(max(0, len(rows) - 1) if rows else None)
        if rows and rows[0].running:
            self._tell(there[0], rows[0])

    def _row(self, record: RunRecord, waits: bool, at: int) -> QueueRow:
        course = self.controller.line.course(record.number)
        if waits or course is None or record.state == "waiting":
            state = self.tr("waits: number {place} in line").format(place=formats.count(at + 1))
            takes = course.left if course is not None else None
            left = "" if takes is None else formats.lasting(takes)
        else:
            state = self._doing(course)
            left = "" if course.left is None else formats.left(course.left)
        return QueueRow(
            number=record.number,
            letter=record.letter,
            title=f"{words(record.title)}  {formats.brief(record.plan.params)}",
            running=not waits,
            state=state,
            left=left,
            done=course.done if course is not None else None,
        )

    def _doing(self, course: RunProgress) -> str:
        """Which part is at work, and what it says of itself."""
        part = course.part
        if part is None:
            return self.tr("beginning")
        stage = words(course.stage)
        if course.share is not None:
            stage += f" {formats.fixed(100 * course.share, 0)} %"
        pattern = {
            "method": self.tr("{at} of {of} · anonymizing: {stage}"),
            "measure": self.tr("{at} of {of} · measuring {title}: {stage}"),
            "attack": self.tr("{at} of {of} · attacking by {title}: {stage}"),
        }[part.kind]
        return pattern.format(
            at=formats.count(course.at),
            of=formats.count(course.of),
            title=title_of(part),
            stage=stage or self.tr("begun"),
        )

    def _tell(self, record: RunRecord, row: QueueRow) -> None:
        """Say in the status line how far the run at work is."""
        course = self.controller.line.course(record.number)
        text = self.tr("Run {letter}: {state}").format(letter=record.letter, state=row.state)
        left = course.left if course is not None else None
        self.shown.status.advance(text, row.done, left)


def past_runs() -> Path | None:
    """The file in which past runs are kept, as the command line keeps them."""
    from auditor.release.ledger.store import data_folder

    return data_folder() / "runs.json"


def nowhere() -> Path | None:
    """What is learned is forgotten with the window."""
    return None


def title_of(part: RunPart) -> str:
    """What people call a part of a run."""
    if part.kind == "method":
        return words(METHODS[part.name].title)
    return words((ATTACKS if part.kind == "attack" else MEASURES)[part.name].title)
