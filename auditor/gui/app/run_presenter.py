"""Between the runs and the panels: what of a run is shown, in pieces that have a turn each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import PreviewOutcome
from auditor.gui.app.panels import WindowPanels
from auditor.gui.app.translation import later, tr, words
from auditor.gui.compare.tables_panel import EMPTY
from auditor.gui.projects import dialogs
from auditor.gui.release.review_data import FIRST_ATTACK
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_book import tables_of
from auditor.gui.widgets import formats, style
from auditor.project.model import RunRecord

EXPECTED = "expected"

SO_FAR = later("so far")


class RunPresenter(QObject):
    """Fills the panels from the runs, and passes what people do to them."""

    def __init__(
        self,
        controller: Controller,
        panels: WindowPanels,
        show_setting: Callable[[], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.controller = controller
        self.panels = panels
        self.shown = False
        """Whether the panels show a run, and not the setting."""
        self.flagged: FlaggedFindings | None = None
        self._attack = FIRST_ATTACK
        self._show_setting = show_setting
        self._soon = controller.turns.soon
        c, p = controller, panels
        c.runs_changed.connect(self._runs)
        c.run_changed.connect(self._run)
        c.run_glimpse.connect(self._glimpse)
        c.current_changed.connect(self._current)
        p.flagged.attack_chosen.connect(self._pick_attack)
        p.plots.pareto.chosen.connect(c.show_run)
        p.runs.opened.connect(c.show_run)
        p.runs.pinned.connect(lambda number, on: c.edit_run(number, pinned=on))
        p.runs.named.connect(lambda number, text: c.edit_run(number, name=text))
        p.runs.commented.connect(lambda number, text: c.edit_run(number, comment=text))
        p.runs.removed.connect(c.remove_run)
        p.runs.adopted.connect(self._adopt)
        p.runs.compare.connect(self.compare)

    # what people do

    def compare(self, numbers: list[int]) -> None:
        """Show finished runs side by side."""
        found = (self.controller.runs.get(number) for number in numbers)
        self.panels.compare.show_runs([r for r in found if r and r.state == "finished"])

    def forget(self) -> None:
        """No session of a log that is gone."""
        self.flagged = None

    def _adopt(self, number: int) -> None:
        record = self.controller.runs.get(number)
        if record is not None:
            self.controller.adopt(record.plan)

    def _again(self, record: RunRecord) -> None:
        self.controller.adopt(record.plan)
        self.controller.run()

    def _pick_attack(self, name: str) -> None:
        self._attack = name
        if self.controller.current is not None:
            self._flag(self.controller.current)

    # all runs

    def _runs(self) -> None:
        c = self.controller
        self._soon("runs", self._list)
        self._soon("trade-off", self._trade_off)
        self.panels.header.show_running(c.running is not None)
        kept = [number for number in self.panels.compare.numbers if c.runs.get(number)]
        if kept != self.panels.compare.numbers:
            self.compare(kept)

    def _list(self) -> None:
        self.panels.runs.show_runs(list(self.controller.runs), self.controller.current)

    def _trade_off(self) -> None:
        c = self.controller
        self.panels.plots.pareto.show_runs(c.runs.finished, c.current)

    def _run(self, record: RunRecord) -> None:
        c, p = self.controller, self.panels
        self._soon(f"run {record.number}", partial(p.runs.show_run, record))
        p.header.show_running(c.running is not None)
        name = self.tr("Run {letter}").format(letter=record.letter)
        if record is c.current:
            self._show(record, again=False)
        match record.state:
            case "running":
                p.banner.hide()
                p.status.begin(self.tr("{name}: started").format(name=name))
            case "finished":
                self._soon("trade-off", self._trade_off)
                if record.number in p.compare.numbers:
                    self._soon("compare", lambda: self.compare(p.compare.numbers))
                p.status.end(self.tr("{name} is finished").format(name=name))
            case "failed":
                p.status.end(self.tr("{name} failed").format(name=name))
                p.banner.say(
                    "bad",
                    self.tr("{name} failed. {message}").format(
                        name=name, message=words(record.message)
                    ),
                    self.tr("Try again"),
                    lambda: self._again(record),
                )
            case "cancelled":
                p.status.end(self.tr("{name} was cancelled").format(name=name))
                p.banner.say(
                    "info",
                    self.tr("{name} was cancelled. Nothing of it was kept.").format(name=name),
                    self.tr("Run again"),
                    lambda: self._again(record),
                )

    # the run that is shown

    def _glimpse(self, event: PreviewOutcome) -> None:
        """Draw how far an attack has come; its result takes the picture's place."""
        if self.shown:
            results = self.panels.plots.results
            results.show_figures(SO_FAR, (event.figure,), pick=not results.has(SO_FAR))

    def _current(self, record: RunRecord | None) -> None:
        p, c = self.panels, self.controller
        self.shown = record is not None
        self._soon("current", lambda: p.runs.show_current(c.current))
        self._soon("trade-off", self._trade_off)
        p.status.offer_export(record)
        if record is not None:
            self._show(record)
            return
        p.plots.results.drop_groups(EXPECTED)
        c.turns.now("tables", partial(p.tables.clear, tr(EMPTY)))
        c.turns.now("skipped", partial(p.checks.show_skipped, {}))
        c.turns.now("flagged", self._flag_nothing)

    def _flag_nothing(self) -> None:
        self.flagged = None
        self.panels.flagged.clear()
        if self.controller.opened is not None:
            self.panels.flagged.set_state(
                self.tr("Press Run: attacks then flag the sessions that are at risk.")
            )

    def _show(self, record: RunRecord, *, again: bool = True) -> None:
        """Turn the panels to a run, as far as it has come.

        Numbers are left alone if a slider was moved while the run went on, unless `again`.
        """
        p = self.panels
        name = self.tr("Run {letter}").format(letter=record.letter)
        p.status.offer_export(record)
        self._soon("flagged", partial(self._flag, record))
        self._soon("tables", partial(self._tables, record))
        self._soon("skipped", partial(p.checks.show_skipped, record.skipped))
        self.shown = self.shown or again
        if record.statement is None:
            self._show_setting()
        if record.statement is None or not self.shown:
            return
        if record.state in ("running", "finished"):
            whose = self.tr("Of run {letter}").format(letter=record.letter)
            told = partial(p.statement.show_statement, record.statement, whose, record.attacks)
            self._soon("statement", told)
        if record.values:
            took = (
                self.tr(", made in {seconds} s").format(seconds=formats.fixed(record.seconds, 1))
                if record.seconds >= 0.1
                else ""
            )
            whose = self.tr("Measured on run {letter}{took}").format(
                letter=record.letter, took=took
            )
            self._soon("values", partial(p.values.show_values, record.values, whose))
        going = (SO_FAR,) if record.state == "running" else ()
        p.plots.results.drop_groups(EXPECTED, name, *going)
        p.plots.results.show_figures(name, record.figures, pick=record.state == "finished")

    def _tables(self, record: RunRecord) -> None:
        if tables := tables_of(record):
            self.panels.tables.show_tables(tables)
            return
        ended = record.state in ("failed", "cancelled")
        self.panels.tables.clear(
            self.tr("Run {letter} {state}: there are no tables of it.").format(
                letter=record.letter, state=style.RUN_SIGNS[record.state].word
            )
            if ended
            else self.tr("No tables of run {letter} yet.").format(letter=record.letter)
        )

    def _flag(self, record: RunRecord) -> None:
        opened, found, table = self.controller.opened, record.findings, self.panels.flagged
        shown = self._attack if self._attack in found else next(iter(found), "")
        table.offer_attacks({name: words(ATTACKS[name].title) for name in found}, shown)
        findings = found.get(shown)
        if findings is not None and opened is not None:
            if findings is not self.flagged:
                self.flagged = findings
                table.show_findings(opened.log, findings, record.release)
            return
        self.flagged = None
        table.clear()
        if dialogs.not_kept(table, record, opened is not None, self.controller.make_again):
            return
        if record.active:
            table.set_state(
                self.tr("Flagged sessions follow when run {letter} is done.").format(
                    letter=record.letter
                )
            )
        elif record.state == "finished":
            table.set_state(
                self.tr("No attack of run {letter} flags sessions.").format(letter=record.letter)
            )
        else:
            table.set_state(
                self.tr("Run {letter} {state}: there is nothing to look at.").format(
                    letter=record.letter, state=style.RUN_SIGNS[record.state].word
                )
            )
