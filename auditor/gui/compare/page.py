"""The workspace Compare: the runs as rows, the trade-off between them, and what differs."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from auditor.engine.plan import Intent
from auditor.engine.run import Run
from auditor.engine.sweep import ParameterSweep
from auditor.gui.app.translation import tr
from auditor.gui.compare import text_rows
from auditor.gui.compare.panel import ComparePanel
from auditor.gui.compare.runs_panel import RunsPanel
from auditor.gui.compare.tables_panel import EMPTY
from auditor.gui.plots.area import make_tile
from auditor.gui.plots.pareto import ParetoPanel
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.run_book import tables_of
from auditor.gui.state.verdicts import VerdictKeeper
from auditor.gui.widgets import style
from auditor.gui.widgets.page_area import PageArea

LINES = 36
"""Lines of text that the page needs."""
RUN_LINES, PLOT_LINES = 10, 12
"""Lines of text that the runs and the trade-off have at least."""
TALLER = 1.4
"""How many times as many it needs where the trade-off stands below the runs."""


class ComparePage(QWidget):
    """Runs and their trade-off above; below what is compared, tables, and grids of parameters."""

    def __init__(
        self, controller: Controller, verdicts: VerdictKeeper, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.controller, self.verdicts = controller, verdicts
        self.runs, self.pareto = RunsPanel(verdicts.find_verdict), ParetoPanel()
        self.compare = ComparePanel()
        self.tables, self.explore = self.compare.tables, self.compare.explore
        top = QSplitter(Qt.Orientation.Horizontal)
        top.addWidget(make_tile(self.runs))
        top.addWidget(make_tile(self.pareto))
        top.setSizes([720, 440])
        self.halves = QSplitter(Qt.Orientation.Vertical)
        self.halves.addWidget(top)
        self.halves.addWidget(make_tile(self.compare))
        line = self.fontMetrics().lineSpacing()
        for part, lines in ((self.runs, RUN_LINES), (self.pareto, PLOT_LINES)):
            part.setMinimumHeight(lines * line)
        self.halves.setSizes([PLOT_LINES * line * 3 // 2, PLOT_LINES * line * 2])
        self.halves.setStretchFactor(0, 0)  # a taller window has more lines to compare
        self.halves.setStretchFactor(1, 1)
        for splitter in (top, self.halves):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(6)
        whole = QWidget()
        inside = QVBoxLayout(whole)
        inside.setContentsMargins(*(style.NORMAL,) * 4)
        inside.addWidget(self.halves)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.addWidget(PageArea(whole, LINES, (top,), taller=TALLER))
        self._soon = controller.turns.run_soon
        c = controller
        c.log_opened.connect(self._log_opened)
        c.log_closed.connect(self._log_closed)
        c.runs_changed.connect(self._runs_changed)
        c.run_changed.connect(self._run_changed)
        c.current_changed.connect(self._current_changed)
        c.intents.changed.connect(self._show_intent)
        c.explorer.started.connect(self.explore.show_started)
        c.explorer.cells_changed.connect(self.explore.show_cells)
        c.explorer.ended.connect(self.explore.show_ended)
        verdicts.judged.connect(self.runs.show_verdict)
        self.explore.wanted.connect(self._start_sweep)
        self.explore.cancel_wanted.connect(c.explorer.cancel)
        self.explore.adopted.connect(c.intents.set_all)
        self.pareto.chosen.connect(c.show_run)
        self.runs.opened.connect(c.show_run)
        self.runs.pinned.connect(lambda number, on: c.edit_run(number, pinned=on))
        self.runs.named.connect(lambda number, text: c.edit_run(number, name=text))
        self.runs.commented.connect(lambda number, text: c.edit_run(number, comment=text))
        self.runs.removed.connect(c.remove_run)
        self.runs.adopted.connect(self._adopt_run)
        self.runs.compare.connect(self.show_compared)

    def show_compared(self, numbers: list[int]) -> None:
        """Show finished runs side by side."""
        found = (self.controller.runs.get(number) for number in numbers)
        self.compare.show_runs([r for r in found if r and r.state == "finished"])

    def _start_sweep(self, sweep: ParameterSweep) -> None:
        if self.controller.opened is not None:
            self.controller.explorer.start(sweep, self.controller.opened.log)

    def _adopt_run(self, number: int) -> None:
        record = self.controller.runs.get(number)
        if record is not None:
            self.controller.intents.adopt_plan(record.plan)

    def _show_intent(self, intent: Intent) -> None:
        if self.controller.opened is not None:
            self.explore.show_intent(intent)

    # the log

    def _log_opened(self, opened: OpenedLog) -> None:
        self.compare.set_log(opened.log)
        self.compare.show_runs([])
        self.explore.clear()

    def _log_closed(self) -> None:
        self.compare.show_runs([])
        self.explore.clear()

    # the runs

    def _runs_changed(self) -> None:
        self._soon(self._show_runs, self.runs)
        self._soon(self._trade_off, self.pareto)
        kept = [number for number in self.compare.numbers if self.controller.runs.get(number)]
        if kept != self.compare.numbers:
            self.show_compared(kept)

    def _show_runs(self) -> None:
        self.runs.show_runs(list(self.controller.runs), self.controller.current)

    def _trade_off(self) -> None:
        self.pareto.show_runs(self.controller.runs.finished, self.controller.current)

    def _run_changed(self, record: Run) -> None:
        self._soon(partial(self.runs.show_run, record), (self.runs, record.number))
        if record is self.controller.current:
            self._soon(partial(self._fill_tables, record), self.tables)
        if record.state == "finished":
            self._soon(self._trade_off, self.pareto)
            if record.number in self.compare.numbers:
                again = partial(self.show_compared, self.compare.numbers)
                self._soon(again, self.compare)
            else:
                self._soon(self._show_alone, self.compare)

    def _show_alone(self) -> None:
        """While nobody compares, show the lines of the run that is shown."""
        current = self.controller.current
        if len(self.compare.numbers) < 2 and current is not None:
            self.show_compared([current.number])

    def _current_changed(self, record: Run | None) -> None:
        c = self.controller
        self._soon(lambda: self.runs.show_current(c.current), (self.runs, "current"))
        self._soon(self._trade_off, self.pareto)
        self._soon(self._show_alone, self.compare)
        if record is None:
            c.turns.run_now(partial(self.tables.clear, tr(EMPTY)), self.tables)
        else:
            self._soon(partial(self._fill_tables, record), self.tables)

    def _fill_tables(self, record: Run) -> None:
        ended = record.state in ("failed", "cancelled")
        tables = tables_of(record)
        if tables and not ended:
            self.tables.show_tables(tables, text_rows.column_heading(record))
            return
        self.tables.clear(
            self.tr("Run {letter} {state}: there are no tables of it.").format(
                letter=record.letter, state=style.RUN_SIGNS[record.state].word
            )
            if ended
            else self.tr("No tables of run {letter} yet.").format(letter=record.letter)
        )
