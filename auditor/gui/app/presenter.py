"""Between the controller and the panels: which signal changes what is shown.

The window shows either the setting (what the sliders mean, expected) or a run (what came of
it): moving a slider turns to the setting, opening a run turns to the run. What takes long to
show has a turn of the event loop to itself, and what is newest takes the place of what waits.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from auditor.engine.events import ExpectedOutcome
from auditor.engine.plan import Intent
from auditor.figures import Figure
from auditor.gui.app.panels import WindowPanels
from auditor.gui.app.run_presenter import EXPECTED, RunPresenter
from auditor.gui.app.translation import words
from auditor.gui.protect import goal_row
from auditor.gui.state.attacker_knowledge import AttackerFiles
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import formats


class Presenter(QObject):
    """Fills the panels from the controller's signals, and passes what people do to it."""

    def __init__(self, controller: Controller, panels: WindowPanels, parent: QObject) -> None:
        super().__init__(parent)
        self.controller = controller
        self.panels = panels
        self._intent_shown: Intent | None = None
        self._outlook: ExpectedOutcome | None = None
        self.runs = RunPresenter(controller, panels, self._show_setting, self)
        self._soon = controller.turns.soon
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
        c.known.changed.connect(self._known)
        c.known.failed.connect(self._not_known)
        c.explorer.started.connect(self.panels.explore.show_started)
        c.explorer.cells_changed.connect(self.panels.explore.show_cells)
        c.explorer.ended.connect(self.panels.explore.show_ended)

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
        p.explore.wanted.connect(c.explore)
        p.explore.cancel_wanted.connect(c.explorer.cancel)
        p.explore.adopted.connect(c.set_all)
        p.welcome.sample_wanted.connect(c.open_sample)
        p.welcome.cancel_wanted.connect(c.cancel_open)

    # what people do

    def stop(self) -> None:
        """Cancel the run, or else the reading."""
        if self.controller.running is not None:
            self.controller.cancel()
        else:
            self.controller.cancel_open()

    # the setting

    def _intent(self, intent: Intent) -> None:
        if intent != self._intent_shown:
            self.runs.shown = False
        self._intent_shown = intent
        self.panels.header.show_method(intent.method)
        self.panels.params.show_params(self.controller.method, intent.params)
        self.panels.checks.show_intent(intent)
        if self.controller.opened is not None:
            self.panels.explore.show_intent(intent)
        if self.controller.opened is not None and self.controller.method.outlook is None:
            why = self.tr("What this method gives is known only after a run. Press Run.")
            self._clear(why, why)
            self.panels.plots.results.show_figures(EXPECTED, ())
        elif self._outlook is not None and self._outlook.plan.method != intent.method:
            self._outlook = None  # another method's promise must not stand over this one's sliders
            if not self.runs.shown:
                self._say_computing()

    def _say_computing(self) -> None:
        """Say of statement and figures that they are on their way."""
        self._clear(
            self.tr("Computing what this setting promises…"),
            self.tr("Computing what to expect of this setting…"),
        )

    def _clear(self, statement: str, values: str) -> None:
        """Let nothing stand at once that is no longer promised or expected."""
        turns = self.controller.turns
        turns.now("statement", partial(self.panels.statement.clear, statement))
        turns.now("values", partial(self.panels.values.clear, values))

    def _curves(self, figures: tuple[Figure, ...]) -> None:
        self.panels.plots.curves.show_figures("", figures)

    def _expected(self, event: ExpectedOutcome) -> None:
        self._outlook = event
        if event.plan.method == self.controller.intent.method:
            self._soon("goal", partial(self.panels.params.offer_figures, event.outlook.values))
        self.panels.plots.results.show_figures(EXPECTED, event.outlook.figures)
        if not self.runs.shown:
            self._show_setting()

    def _show_setting(self) -> None:
        """Turn the panels to what the setting promises, as far as that is known."""
        event = self._outlook
        if event is None or event.plan.method != self.controller.intent.method:
            return
        outlook, users, p = event.outlook, self.controller.users, self.panels
        whose = self.tr("Of this setting, before a run")
        self._soon("statement", partial(p.statement.show_statement, outlook.statement, whose))
        seen = (
            self.tr("all")
            if event.sampled_users >= users
            else self.tr("a sample of {sampled_users}").format(
                sampled_users=formats.count(event.sampled_users)
            )
        )
        whose = self.tr("Expected of this setting, from {seen} users").format(seen=seen)
        values = partial(p.values.show_values, outlook.values, whose, outlook.note)
        self._soon("values", values)

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

    def _opened(self, opened: OpenedLog) -> None:
        p = self.panels
        p.header.show_log(opened)
        p.header.show_running(False)
        p.status.end(self.tr("{title} is open").format(title=words(opened.title)))
        p.banner.hide()
        self._say_computing()
        p.plots.results.drop_groups()
        p.compare.show_runs([])
        p.explore.clear()
        self.forget()
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
        self._outlook = None
        self.runs.forget()

    # what attackers know

    def _known(self, knowledge: AttackerFiles) -> None:
        self.panels.checks.show_knowledge(knowledge)

    def _not_known(self, _kind: str, why: str) -> None:
        self.panels.checks.complain(why)
        self.panels.banner.say("bad", words(why))
