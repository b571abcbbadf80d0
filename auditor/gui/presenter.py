"""Between the controller and the panels: which signal changes what is shown.

The window shows either the setting (what the sliders mean, expected) or a run (what came of
it): moving a slider turns to the setting, opening a run turns to the run.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from auditor.attacks.base import Findings
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import Expected, Glimpse
from auditor.engine.plan import Intent
from auditor.figures import Figure
from auditor.gui import formats, goal_row, project_asks, style
from auditor.gui.controller import Controller
from auditor.gui.knowledge import Knowledge
from auditor.gui.loading import Opened
from auditor.gui.panels import Panels
from auditor.gui.review_data import FIRST_ATTACK
from auditor.gui.run_book import RunRecord
from auditor.gui.tables_panel import EMPTY
from auditor.gui.translated import later, tr, words

EXPECTED = "expected"

SO_FAR = later("so far")


class Presenter(QObject):
    """Fills the panels from the controller's signals, and passes what people do to it."""

    def __init__(self, controller: Controller, panels: Panels, parent: QObject) -> None:
        super().__init__(parent)
        self.controller = controller
        self.panels = panels
        self._flagged: Findings | None = None
        self._attack = FIRST_ATTACK
        self._intent_shown: Intent | None = None
        self._outlook: Expected | None = None
        self._on_run = False
        self._listen()
        self._obey()

    def _listen(self) -> None:
        c = self.controller
        c.intent_changed.connect(self._intent)
        c.refused.connect(self.panels.params.refuse)
        c.refused.connect(self.panels.checks.refuse)
        c.curves_changed.connect(self._curves)
        c.expected.connect(self._expected)
        c.preview_failed.connect(self._no_preview)
        c.log_opening.connect(self._opening)
        c.log_progress.connect(self._reading)
        c.log_opened.connect(self._opened)
        c.log_failed.connect(self._not_opened)
        c.log_cancelled.connect(self._not_read)
        c.log_closed.connect(self.forget)
        c.runs_changed.connect(self._runs)
        c.run_changed.connect(self._run)
        c.run_glimpse.connect(self._glimpse)
        c.known.changed.connect(self._known)
        c.known.failed.connect(self._not_known)
        c.explorer.started.connect(self.panels.explore.show_started)
        c.explorer.cells_changed.connect(self.panels.explore.show_cells)
        c.explorer.ended.connect(self.panels.explore.show_ended)
        c.current_changed.connect(self._current)

    def _obey(self) -> None:
        c, p = self.controller, self.panels
        p.header.method_chosen.connect(c.choose)
        p.header.run_wanted.connect(c.run)
        p.header.cancel_wanted.connect(self.stop)
        p.params.edited.connect(c.set)
        p.params.reset.connect(c.reset)
        p.params.solve.connect(c.solve)
        p.params.reach.connect(lambda *what: goal_row.find(c, *what))
        p.checks.toggled.connect(c.check)
        p.checks.edited.connect(c.tune)
        p.checks.reference_wanted.connect(c.known.take_reference)
        p.checks.profiles_wanted.connect(c.known.take_profiles)
        p.checks.forgotten.connect(c.known.forget)
        p.flagged.attack_chosen.connect(self._pick_attack)
        p.explore.wanted.connect(c.explore)
        p.explore.cancel_wanted.connect(c.explorer.cancel)
        p.explore.adopted.connect(c.set_all)
        p.welcome.sample_wanted.connect(c.open_sample)
        p.welcome.cancel_wanted.connect(c.cancel_open)
        p.plots.pareto.chosen.connect(c.show_run)
        p.runs.opened.connect(c.show_run)
        p.runs.pinned.connect(lambda number, on: c.edit_run(number, pinned=on))
        p.runs.named.connect(lambda number, text: c.edit_run(number, name=text))
        p.runs.commented.connect(lambda number, text: c.edit_run(number, comment=text))
        p.runs.removed.connect(c.remove_run)
        p.runs.adopted.connect(self._adopt)
        p.runs.compare.connect(self.compare)

    # what people do

    def stop(self) -> None:
        """Cancel the run, or else the reading."""
        if self.controller.running is not None:
            self.controller.cancel()
        else:
            self.controller.cancel_open()

    def compare(self, numbers: list[int]) -> None:
        """Show finished runs side by side."""
        found = (self.controller.runs.get(number) for number in numbers)
        self.panels.compare.show_runs([r for r in found if r and r.state == "finished"])

    def _adopt(self, number: int) -> None:
        record = self.controller.runs.get(number)
        if record is not None:
            self.controller.adopt(record.plan)

    # the setting

    def _intent(self, intent: Intent) -> None:
        if intent != self._intent_shown:
            self._on_run = False
        self._intent_shown = intent
        self.panels.header.show_method(intent.method)
        self.panels.params.show_params(self.controller.method, intent.params)
        self.panels.checks.show_intent(intent)
        if self.controller.opened is not None:
            self.panels.explore.show_intent(intent)
        if self.controller.opened is not None and self.controller.method.outlook is None:
            why = self.tr("What this method gives is known only after a run. Press Run.")
            self.panels.statement.clear(why)
            self.panels.values.clear(why)
            self.panels.plots.results.show_figures(EXPECTED, ())
        elif self._outlook is not None and self._outlook.plan.method != intent.method:
            self._outlook = None  # another method's promise must not stand over this one's sliders
            if not self._on_run:
                self._say_computing()

    def _say_computing(self) -> None:
        """Say of statement and figures that they are on their way."""
        self.panels.statement.clear(self.tr("Computing what this setting promises…"))
        self.panels.values.clear(self.tr("Computing what to expect of this setting…"))

    def _curves(self, figures: tuple[Figure, ...]) -> None:
        self.panels.plots.curves.show_figures("", figures)

    def _expected(self, event: Expected) -> None:
        self._outlook = event
        if event.plan.method == self.controller.intent.method:
            self.panels.params.offer_figures(event.outlook.values)
        self.panels.plots.results.show_figures(EXPECTED, event.outlook.figures)
        if not self._on_run:
            self._show_setting()

    def _show_setting(self) -> None:
        """Turn the panels to what the setting promises, as far as that is known."""
        event = self._outlook
        if event is None or event.plan.method != self.controller.intent.method:
            return
        outlook, users = event.outlook, self.controller.users
        self.panels.statement.show_statement(
            outlook.statement, self.tr("Of this setting, before a run")
        )
        seen = (
            self.tr("all")
            if event.sampled_users >= users
            else self.tr("a sample of {sampled_users}").format(
                sampled_users=formats.count(event.sampled_users)
            )
        )
        whose = self.tr("Expected of this setting, from {seen} users").format(seen=seen)
        self.panels.values.show_values(outlook.values, whose, outlook.note)

    def _no_preview(self, why: str) -> None:
        self.panels.banner.say("bad", words(why))

    # the log

    def _opening(self, title: str) -> None:
        self.panels.banner.hide()
        self.panels.welcome.show_reading(title)
        self.panels.status.begin(self.tr("Reading {title}").format(title=title))
        self.panels.header.show_running(True)

    def _reading(self, stage: str, done: int, total: int) -> None:
        share = min(1.0, done / total) if total else None
        told = words(stage)
        self.panels.welcome.show_progress(told, share)
        self.panels.status.advance(told, share, None)

    def _opened(self, opened: Opened) -> None:
        p = self.panels
        p.header.show_log(opened)
        p.header.show_running(False)
        p.status.end(self.tr("{title} is open").format(title=words(opened.title)))
        p.banner.hide()
        self._say_computing()
        p.plots.results.drop_groups()
        p.compare.show_runs([])
        p.explore.clear()
        self._flagged = self._outlook = None
        p.flagged.set_log(opened.log)

    def _not_opened(self, why: str, _columns: bool) -> None:
        self.idle()
        self.panels.banner.say("bad", words(why))
        self.panels.status.end(self.tr("The log could not be read"))

    def _not_read(self) -> None:
        self.idle()
        self.panels.status.end(self.tr("Reading was cancelled"))

    def idle(self) -> None:
        """Nothing is read any more."""
        self.panels.welcome.show_empty()
        self.panels.header.show_running(False)
        self.panels.status.end(self.tr("Ready"))

    def forget(self) -> None:
        """No session and no expectation of a log that is gone."""
        self._flagged = self._outlook = None

    # what attackers know

    def _known(self, knowledge: Knowledge) -> None:
        self.panels.checks.show_knowledge(knowledge)

    def _not_known(self, _kind: str, why: str) -> None:
        self.panels.checks.complain(why)
        self.panels.banner.say("bad", words(why))

    # runs

    def _runs(self) -> None:
        c = self.controller
        self.panels.runs.show_runs(list(c.runs), c.current)
        self.panels.plots.pareto.show_runs(c.runs.finished, c.current)
        self.panels.header.show_running(c.running is not None)
        kept = [number for number in self.panels.compare.numbers if c.runs.get(number)]
        if kept != self.panels.compare.numbers:
            self.compare(kept)

    def _glimpse(self, event: Glimpse) -> None:
        """Draw how far an attack has come; its result takes the picture's place."""
        if self._on_run:
            results = self.panels.plots.results
            results.show_figures(SO_FAR, (event.figure,), pick=not results.has(SO_FAR))

    def _run(self, record: RunRecord) -> None:
        c, p = self.controller, self.panels
        p.runs.show_run(record)
        p.header.show_running(c.running is not None)
        name = self.tr("Run {letter}").format(letter=record.letter)
        if record is c.current:
            self._show(record, again=False)
        match record.state:
            case "running":
                p.banner.hide()
                p.status.begin(self.tr("{name}: started").format(name=name))
            case "finished":
                p.plots.pareto.show_runs(c.runs.finished, c.current)
                if record.number in p.compare.numbers:
                    self.compare(p.compare.numbers)
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

    def _again(self, record: RunRecord) -> None:
        self.controller.adopt(record.plan)
        self.controller.run()

    def _current(self, record: RunRecord | None) -> None:
        p, c = self.panels, self.controller
        self._on_run = record is not None
        p.runs.show_current(record)
        p.plots.pareto.show_runs(c.runs.finished, record)
        p.status.offer_export(record)
        if record is None:
            p.plots.results.drop_groups(EXPECTED)
            p.tables.clear(tr(EMPTY))
            p.checks.show_skipped({})
            self._flagged = None
            p.flagged.clear()
            if c.opened is not None:
                p.flagged.set_state(
                    self.tr("Press Run: attacks then flag the sessions that are at risk.")
                )
        else:
            self._show(record)

    def _show(self, record: RunRecord, *, again: bool = True) -> None:
        """Turn the panels to a run, as far as it has come.

        Numbers are left alone if a slider was moved while the run went on, unless `again`.
        """
        p = self.panels
        name = self.tr("Run {letter}").format(letter=record.letter)
        p.status.offer_export(record)
        self._flag(record)
        if record.tables:
            p.tables.show_tables(record.tables)
        else:
            ended = record.state in ("failed", "cancelled")
            p.tables.clear(
                self.tr("Run {letter} {state}: there are no tables of it.").format(
                    letter=record.letter, state=style.RUN_SIGNS[record.state].word
                )
                if ended
                else self.tr("No tables of run {letter} yet.").format(letter=record.letter)
            )
        p.checks.show_skipped(record.skipped)
        self._on_run = self._on_run or again
        if record.statement is None:
            self._show_setting()
        if record.statement is None or not self._on_run:
            return
        if record.state in ("running", "finished"):
            p.statement.show_statement(
                record.statement,
                self.tr("Of run {letter}").format(letter=record.letter),
                record.attacks,
            )
        if record.values:
            took = (
                self.tr(", made in {seconds} s").format(seconds=formats.fixed(record.seconds, 1))
                if record.seconds >= 0.1
                else ""
            )
            p.values.show_values(
                record.values,
                self.tr("Measured on run {letter}{took}").format(letter=record.letter, took=took),
            )
        going = (SO_FAR,) if record.state == "running" else ()
        p.plots.results.drop_groups(EXPECTED, name, *going)
        p.plots.results.show_figures(name, record.figures, pick=record.state == "finished")

    def _flag(self, record: RunRecord) -> None:
        opened, found, table = self.controller.opened, record.findings, self.panels.flagged
        shown = self._attack if self._attack in found else next(iter(found), "")
        table.offer_attacks({name: words(ATTACKS[name].title) for name in found}, shown)
        findings = found.get(shown)
        if findings is not None and opened is not None:
            if findings is not self._flagged:
                self._flagged = findings
                table.show_findings(opened.log, findings, record.release)
            return
        self._flagged = None
        table.clear()
        if project_asks.not_kept(table, record, opened is not None, self.controller.make_again):
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

    def _pick_attack(self, name: str) -> None:
        self._attack = name
        if self.controller.current is not None:
            self._flag(self.controller.current)
