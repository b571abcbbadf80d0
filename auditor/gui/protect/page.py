"""The workspace Protect: which method and parameters, what they come to, what would help most."""

import contextlib
import dataclasses
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QPushButton, QStackedWidget, QTabWidget

from auditor.attacks.registry import ATTACKS
from auditor.engine.events import ExpectedOutcome, PreviewOutcome
from auditor.engine.plan import Intent, resolve_intent
from auditor.engine.presets import ReleasePreset
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.figures import MetricValue
from auditor.gui.app.translation import mark_for_translation, read_words, say, tr, translate_text
from auditor.gui.plots.figure_view import PlotArea, make_tile
from auditor.gui.protect.checks_panel import ChecksPanel, Group
from auditor.gui.protect.method_cards import MethodGallery
from auditor.gui.protect.params_panel import ParamsPanel
from auditor.gui.protect.statement_panel import MetricsPanel, StatementPanel
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.run_queue import title_of
from auditor.gui.state.verdicts import PolicyKeeper, VerdictKeeper
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import PageArea
from auditor.messages import fill_places
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.progress import Progress
from auditor.release.kept_content import KeptContent
from auditor.release.ledger.store import ledger_path
from auditor.suggestions.improvements import Improvement, find_improvements
from auditor.suggestions.limits import read_earlier

RESTING = 500
"""Milliseconds after the last expectation at which changes are tried."""
FEW, SMALL, SMALL_WORDS = 10, 0.01, 0.1
"""Distinct queries or n-grams, share of the searches, and share of their words that n-grams hold,
below which next to nothing is left."""

CAUSES: dict[str, str] = read_words("causes of loss")
"""What takes searches away, in order: each from what the ones before leave."""


class AdviceFinder(QObject):
    """Tries changes of the configuration in a thread once the sliders rest."""

    advice_ready = Signal(object)
    """A tuple of `Improvement`."""

    def __init__(self, controller: Controller, policy: PolicyKeeper, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._policy = controller, policy
        self._job = LatestJob()
        self._pause = QTimer(self, singleShot=True, interval=RESTING)
        self._pause.timeout.connect(self._start_search)
        controller.expected.connect(lambda _event: self._pause.start())
        controller.intents.changed.connect(lambda _intent: self.cancel_search())
        policy.outdated.connect(self._pause.start)
        controller.log_closed.connect(self.cancel_search)
        controller.closing.connect(self.cancel_search)

    @property
    def busy(self) -> bool:
        return self._job.running or self._pause.isActive()

    def cancel_search(self) -> None:
        """What was being tried is about an older configuration."""
        self._pause.stop()
        self._job.drop()

    def _start_search(self) -> None:
        opened, method = self._controller.opened, self._controller.method
        if opened is None or method.outlook is None:
            return
        intent, policy = self._controller.intent, self._policy

        def find_advice(progress: Progress) -> tuple[Improvement, ...]:
            plan = resolve_intent(dataclasses.replace(intent, attacks=(), measures=()), opened.log)
            samples = opened.log, opened.sample, opened.scale
            earlier = read_earlier(opened.log, ledger_path(), progress)
            return find_improvements(plan, *samples, policy.load_policy(), progress, earlier)

        self._pause.stop()
        self._job.start("advice", find_advice, self.advice_ready.emit)


class AdviceBar(QFrame):
    """A warning where next to nothing is left, the cause, and a line for each change."""

    applied = Signal(object)
    """Parameter → value of the change that somebody takes."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(self.tr("What to change"))
        self.hint = style.plain_label(bold=True, role="bad", wrap=True)
        self.cause = style.plain_label(wrap=True)
        self.buttons: list[QPushButton] = []
        self._lines = style.column(None, spacing=style.TIGHT)
        style.column(
            self,
            [self.hint, self.cause, self._lines],
            margins=(style.WIDE, style.NORMAL, style.NORMAL, style.NORMAL),
            spacing=style.TIGHT,
        )
        self.clear()

    def clear(self) -> None:
        """Nothing is known of this configuration."""
        self.hint.hide()
        self.cause.hide()
        self.show_improvements((), None)

    def show_kept(self, kept: KeptContent) -> None:
        """Warn if next to nothing is left, before or after a run."""
        words = kept.ngrams is not None
        count = kept.ngrams if words else kept.queries
        share, small = (kept.words_share, SMALL_WORDS) if words else (kept.share, SMALL)
        least = FEW if words or not kept.log_queries else min(FEW, kept.log_queries / 2)
        little = (count is not None and count < least) or (share is not None and share < small)
        text = self.tr("Next to nothing is left: {kept}.").format(kept=translate_text(kept.short))
        style.show_text(self.hint, text if little else "")
        self._update_visibility()

    def show_expected(self, event: ExpectedOutcome) -> None:
        style.show_text(self.cause, cause_of(event.outlook.values))
        self._update_visibility()

    def show_improvements(self, improvements: Sequence[Improvement], params: Params | None) -> None:
        """One line for each change, with a button."""
        style.clear_layout(self._lines)
        self.buttons = []
        for improvement in improvements:
            assert params is not None
            text = said_of(improvement, params)
            button = style.button(
                self.tr("Apply"),
                lambda _on=False, values=improvement.values: self.applied.emit(dict(values)),
                name=self.tr("Apply: {change}").format(change=text),
            )
            self.buttons.append(button)
            row = style.row(None, [(style.plain_label(text, wrap=True), 1), button])
            self._lines.addWidget(style.filled(row))
        self._update_visibility()

    def _update_visibility(self) -> None:
        has_text = bool(self.hint.text() or (self.cause.text() and not self.cause.isHidden()))
        self.setVisible(has_text or bool(self.buttons))


def cause_of(values: Sequence[MetricValue]) -> str:
    """What takes the largest part of what reaches it, where the method says so."""
    values_by_name = {value.name: value.value for value in values if value.name in CAUSES}
    remainder = 1.0
    parts: dict[str, float] = {}
    for name in CAUSES:
        share = values_by_name.get(name, 0.0)
        parts[name] = share / remainder if remainder > 0 else 0.0
        remainder -= share
    name = max(parts, key=lambda key: parts[key])
    if not parts[name] > 0:
        return ""
    return tr(CAUSES[name]).format(share=formats.format_fixed(100 * min(parts[name], 1.0), 0))


def said_of(improvement: Improvement, params: Params) -> str:
    """A change in a sentence: what is set, and what it brings."""
    specs = {spec.name: spec for spec in params.specs()}
    labels = {name: translate_text(specs[name].label) for name in improvement.values}
    off = [labels[name] for name, value in improvement.values.items() if value is False]
    changes = ", ".join(
        f"{labels[name]} {formats.format_parameter(specs[name], value)}"
        for name, value in improvement.values.items()
        if value is not False
    )
    if off:
        changes = tr("Without “{parts}”").format(parts=tr("” and “").join(off))
    before, after = (formats.format_digits(value, 3) for value in improvement.epsilon)
    fewer, larger = map(formats.format_count, improvement.kept)
    places = {"changes": changes, "more": larger, "kept": fewer, "before": before, "after": after}
    texts = {
        "passes": say("change passes the checks"),
        "cheaper": tr("{changes}: as much is kept, and ε falls from {before} to {after}."),
        "richer": tr("{changes}: released strings go from {kept} to {more}, at the same ε."),
    }
    text = texts.get(improvement.kind) or say("change keeps more at another ε")
    return fill_places(text, places)


EXPECTED, SO_FAR = mark_for_translation("expected"), mark_for_translation("so far")
"""Groups of figures beside those of runs."""
LINES = 36
"""Lines of text that the page needs."""
PAUSE = 150
"""Milliseconds after the last change at which a run's cost is worked out."""


class ProtectPage(QStackedWidget):
    """The configuration at the left and its outcome at the right; or all methods as cards."""

    def __init__(
        self, controller: Controller, verdicts: VerdictKeeper, policy: PolicyKeeper
    ) -> None:
        super().__init__()
        self.controller, self.verdicts = controller, verdicts
        self.params = ParamsPanel(controller)
        self.checks = ChecksPanel(controller.intents, controller.known)
        self.statement, self.values = StatementPanel(), MetricsPanel()
        self.plots, self.advice = PlotArea(controller.turns), AdviceBar()
        self.finder = AdviceFinder(controller, policy, self)
        self.gallery = MethodGallery()
        self.gallery.chosen.connect(self._choose_method)
        self.gallery.preset.connect(self._use_preset)
        self._soon = controller.turns.run_soon
        self._outlining = QTimer(self, singleShot=True, interval=PAUSE)
        self._outlining.timeout.connect(self._show_cost)
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.setAccessibleName(self.tr("What to set"))
        self.tabs.addTab(self.params, self.tr("Parameters"))
        self.tabs.addTab(self.checks, self.tr("Attacks and measures"))
        self.method = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        tip = self.tr("Choose among all methods")
        change = style.button(self.tr("Change…"), self.show_methods, tip=tip)
        head = style.row(None, [(self.method, 1), change], margins=(style.NORMAL, 0))
        left = style.column(None, [head, (make_tile(self.tabs), 1)], spacing=style.TIGHT)
        self.tabs.ensurePolished()
        left.addStrut(self.tabs.tabBar().sizeHint().width() + style.NORMAL)  # or wider, for rows
        tiles = make_tile(self.statement), make_tile(self.values)
        words = style.splitter(tiles, sizes=[620, 380])
        self.halves = style.splitter([self.plots, words], sizes=[540, 460], vertical=True)
        right = style.column(None, [self.advice, (self.halves, 1)], spacing=style.NORMAL)
        sides = style.filled(left), style.filled(right)
        self.sides = style.splitter(sides, sizes=[340, 940], stretch=(0, 1))
        page = style.filled(style.column(None, [self.sides], margins=style.NORMAL))
        self.addWidget(PageArea(page, LINES, (self.plots, words)))
        back_button = style.button(self.tr("‹ Back"), lambda: self.setCurrentIndex(0))
        head = style.row(None, [back_button, 1], margins=(style.WIDE, style.NORMAL))
        choice = style.filled(style.column(None, [head, (self.gallery, 1)], spacing=0))
        QShortcut(QKeySequence("Escape"), choice, back_button.click)
        self.addWidget(choice)
        self._connect_controller()

    def _connect_controller(self) -> None:
        c = self.controller
        c.intents.changed.connect(self._show_intent)
        c.curves_changed.connect(lambda figures: self.plots.curves.show_figures("", figures))
        c.preview_failed.connect(self._show_preview_failure)
        c.expected.connect(self._show_expected)
        c.log_opened.connect(self._log_opened)
        c.log_closed.connect(self._log_closed)
        for end in (c.closing, c.log_closed, c.log_opened):
            end.connect(lambda *_: self.gallery.job.drop())
        c.run_changed.connect(self._run_changed)
        c.run_glimpse.connect(self._show_glimpse)
        c.current_changed.connect(self._current_changed)
        self.verdicts.changed.connect(self._show_kept)
        self.finder.advice_ready.connect(
            lambda improvements: self.advice.show_improvements(improvements, c.intent.params)
        )
        moments = (c.intents.changed, c.log_opened, c.log_closed, c.expected, c.known.changed)
        for signal in (*moments, c.queue.learned, c.queue.changed):
            signal.connect(self._outlining.start)
        self.params.cost.quicker.connect(c.intents.set_all)
        self.params.cost.less.connect(self._leave_out)
        self.advice.applied.connect(c.intents.set_all)

    # what people do

    def show_methods(self) -> None:
        self.gallery.show_methods(self.controller.intent, self.controller.opened)
        self.setCurrentIndex(1)

    def _choose_method(self, name: str) -> None:
        self.setCurrentIndex(0)
        self.controller.intents.choose_method(name)

    def _use_preset(self, preset: ReleasePreset) -> None:
        self._choose_method(preset.method)
        params = METHODS[preset.method].params(**preset.params)
        self.controller.intents.set_all(params.get_params())

    def _leave_out(self, names: list[str]) -> None:
        for name in names:
            group: Group = "attacks" if name in ATTACKS else "measures"
            self.controller.intents.toggle_check(group, name, False)

    # the configuration

    def _show_intent(self, intent: Intent) -> None:
        method = self.controller.method
        self.method.setText(translate_text(method.title))
        self.method.setToolTip(safe_text.plain_tip(translate_text(method.summary)))
        rows = self.params.rows
        self.params.show_params(method, intent.params)
        if self.params.rows is not rows:
            style.tab_through(self.tabs.tabBar(), self.params)
        self.advice.show_improvements((), None)
        if self.controller.opened is None:
            return
        if method.outlook is None:
            reason = self.tr("What this method gives is known only after a run. Press Run.")
            self._clear_panels(reason, reason)
            self.plots.results.show_figures(EXPECTED, ())
        elif self.controller.expectation is None:
            self._clear_advice()
            self.plots.results.show_figures(EXPECTED, ())
            if self.controller.shown_run is None:
                self._say_computing()

    def _say_computing(self) -> None:
        self._clear_panels(
            self.tr("Computing what this configuration promises…"),
            self.tr("Computing what to expect of this configuration…"),
        )

    def _clear_panels(self, statement: str, values: str) -> None:
        """Let nothing stand at once that is no longer promised or expected."""
        turns = self.controller.turns
        turns.run_now(partial(self.statement.clear, statement), self.statement)
        turns.run_now(partial(self.values.clear, values), self.values)

    def _show_preview_failure(self, reason: str) -> None:
        """Let nothing stand that another configuration promised."""
        self._clear_advice()
        if self.controller.shown_run is None:
            text = translate_text(reason)
            self._clear_panels(text, text)

    def _clear_advice(self) -> None:
        """Advise nothing, also not what still waits to be said of another configuration."""
        self.controller.turns.run_now(self.advice.clear, self.advice)

    def _show_expected(self, event: ExpectedOutcome) -> None:
        if event.plan.method != self.controller.intent.method:
            return
        offered = partial(self.params.offer_figures, event.outlook.values)
        self.controller.turns.run_later(offered, self.params)
        self.plots.results.show_figures(EXPECTED, event.outlook.figures)
        record = self.controller.shown_run
        if record is None or record.state in ("failed", "cancelled"):
            self._show_setting(event)

    def _show_setting(self, event: ExpectedOutcome) -> None:
        outlook = event.outlook
        subject = self.tr("Of this configuration, before a run")
        statement = partial(self.statement.show_statement, outlook.statement, subject)
        self.controller.turns.run_later(statement, self.statement)
        users = self.tr("all")
        if event.sampled_users < self.controller.users:
            users = self.tr("a sample of {sampled_users}")
            users = users.format(sampled_users=formats.format_count(event.sampled_users))
        subject = self.tr("Expected of this configuration, from {seen} users").format(seen=users)
        values = partial(self.values.show_values, outlook.values, subject, outlook.note)
        self._soon(values, self.values)
        self.controller.turns.run_later(partial(self.advice.show_expected, event), self.advice)

    def _show_kept(self) -> None:
        record, verdict = self.controller.shown_run, self.verdicts.current
        if record is not None and record.state != "finished":  # the page shows the configuration
            verdict = self.verdicts.expected
        self.advice.show_kept(KeptContent() if verdict is None else verdict.kept)

    def _show_cost(self) -> None:
        c = self.controller
        outline = None
        if c.opened is not None:
            # The panel says beside the parameter what is wrong.
            with contextlib.suppress(AuditorError):
                plan = resolve_intent(c.intent, c.opened.log, c.known.now.digests)
                outline = c.queue.outline_run(plan, len(c.opened.log), c.expectation)
        last = c.queue.numbers[-1:]
        before = c.queue.estimate_seconds_left(last[0]) if last else None
        self.params.cost.show_outline(outline, c.intent.params, title_of, before)

    # the log

    def _log_opened(self, _opened: OpenedLog) -> None:
        self._clear_advice()
        self._say_computing()
        self.plots.results.drop_groups()

    def _log_closed(self) -> None:
        reason = self.tr("The log is not open: open it to see what a configuration promises.")
        self._clear_panels(reason, reason)
        self._clear_advice()
        self.plots.curves.show_figures("", ())
        self.plots.results.drop_groups()

    # the run that is shown

    def _run_changed(self, record: Run) -> None:
        if record is self.controller.current:
            self._show_run(record)

    def _show_glimpse(self, event: PreviewOutcome) -> None:
        if self.controller.shown_run is not None:
            results = self.plots.results
            results.show_figures(SO_FAR, (event.figure,), pick=not results.has_group(SO_FAR))

    def _current_changed(self, record: Run | None) -> None:
        if record is not None:
            self._show_run(record)
            return
        self.plots.results.drop_groups(EXPECTED)
        self.checks.show_skipped({})
        if (expectation := self.controller.expectation) is not None:
            self._show_setting(expectation)

    def _show_run(self, record: Run) -> None:
        """Turn the panels to a run so far; numbers stay if a slider was moved while it went on."""
        self._soon(partial(self.checks.show_skipped, record.skipped), self.checks)
        ended = record.state in ("failed", "cancelled")
        expectation = self.controller.expectation
        if (record.statement is None or ended) and expectation is not None:
            self._show_setting(expectation)
        if ended:
            self.plots.results.drop_groups(EXPECTED)
        if record.statement is None or ended or self.controller.shown_run is None:
            return
        name = self.tr("Run {letter}").format(letter=record.letter)
        subject, show = self.tr("Of run {letter}"), self.statement.show_statement
        subject = subject.format(letter=record.letter)
        self._soon(partial(show, record.statement, subject, record.attacks), self.statement)
        if record.values:
            subject = self.tr("Measured on run {letter}").format(letter=record.letter)
            self._soon(partial(self.values.show_values, record.values, subject), self.values)
        going = (SO_FAR,) if record.state == "running" else ()
        self.plots.results.drop_groups(EXPECTED, name, *going)
        self.plots.results.show_figures(name, record.figures, pick=record.state == "finished")
