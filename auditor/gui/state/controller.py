"""The one object that owns the log, the intent, its history and the runs.

Views call its methods and listen to its signals; nothing here knows a widget. The engine's
events come in worker threads and are handled here, in the UI thread, through an `EventRelay`.
"""

import dataclasses
import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from auditor.engine import events
from auditor.engine.plan import Intent, Plan, resolve_intent
from auditor.engine.run import Run
from auditor.engine.runner import MAX_RESULTS, RunHandle
from auditor.errors import AuditorError
from auditor.gui.state import log_loading
from auditor.gui.state.feedback_book import FeedbackBook, SessionNotes
from auditor.gui.state.intent_editor import IntentEditor
from auditor.gui.state.log_loading import KnowledgeReader, LogReader, OpenedLog
from auditor.gui.state.run_queue import EventRelay, GridRunner, RunBook, RunQueue
from auditor.gui.state.worker import UiScheduler
from auditor.gui.widgets.fields import Disclosure
from auditor.messages import error_message
from auditor.methods.base import Method
from auditor.methods.registry import FIRST, METHODS
from auditor.privacy.noise import Randomness, SecureRandomness
from auditor.project.model import Project

PATIENCE = 1.0
"""Seconds a preview may be on its way before a newer setting cuts it short."""


class Controller(QObject):
    """See the module. Signals carry frozen data or a `Run` of the `RunBook`."""

    curves_changed = Signal(object)
    """Figures that need no log, for the intent as it is now."""
    expected = Signal(object)
    preview_failed = Signal(object)  # a message: a str would lose its template

    log_opened = Signal(object)
    log_closed = Signal()
    """No log is open any more; there may be runs of one to look at."""

    carried = Signal(bool, object)
    """Another log was opened: parameters still are those set before, what attackers knew is not."""

    runs_changed = Signal()
    run_changed = Signal(object)
    run_glimpse = Signal(object)
    """A picture of an attack of the current run that is still at work."""
    current_changed = Signal(object)
    closing = Signal()
    """The window closes: whoever works in a thread stops."""

    def __init__(
        self, method: str = "", *, make_rng: Callable[[], Randomness] = SecureRandomness
    ) -> None:
        super().__init__()
        first = FIRST if FIRST in METHODS else next(iter(METHODS))
        self.intents = IntentEditor(method or first, self)
        self.runs = RunBook()
        self.notes = SessionNotes(self.intents.push_edit, self)
        self.feedback = FeedbackBook(self.intents.push_edit, self.notes, self)
        self.options: Any = None
        """How somebody said that the open log is to be read; None if as it looks."""
        self.opened: OpenedLog | None = None
        self.current: Run | None = None
        self.disclosure = Disclosure(self)
        for moment in (self.log_opened, self.log_closed):
            moment.connect(lambda *_: self.disclosure.setChecked(False))
        self.turns = UiScheduler(self)
        """What the window does in pieces."""
        self._make_rng = make_rng
        self.known = KnowledgeReader(self)
        self.explorer = GridRunner(self)
        self.reader = LogReader(self)
        self.relay = EventRelay()
        self.queue = RunQueue(self.relay.send, self)
        self.expectation: events.ExpectedOutcome | None = None
        """What the chosen method was last said to come to; None while that isn't known."""
        self.expected.connect(self._keep_expectation)
        self.preview_failed.connect(lambda _why: self._keep_expectation(None))
        self.intents.changed.connect(self._look_soon)
        self.relay.arrived.connect(self._on_event, Qt.ConnectionType.QueuedConnection)
        self._looking: tuple[RunHandle, Plan, float] | None = None
        self._completing = 0
        self._wanted = False
        self._seen: Intent | None = None
        self._shows_run = False

    # the setting

    @property
    def shown_run(self) -> Run | None:
        """The run that the window shows; None once a slider was moved, until a run is opened."""
        return self.current if self._shows_run else None

    @property
    def intent(self) -> Intent:
        """What the sliders say."""
        return self.intents.intent

    @property
    def method(self) -> Method:
        return self.intents.method

    @property
    def users(self) -> int:
        """Users of the log; 0 without one."""
        return len(self.opened.log.users) if self.opened else 0

    def _look_soon(self, intent: Intent) -> None:
        self._shows_run = self._shows_run and intent == self._seen
        self._seen = intent
        self._keep_expectation(self.expectation)
        # the expectation first: it is computed while the curves are drawn here
        self.turns.run_soon(self._request_outlook)
        self.turns.run_soon(self._draw_curves)

    def _keep_expectation(self, event: events.ExpectedOutcome | None) -> None:
        """Another method's promise must not stand over these sliders."""
        is_same = event is not None and event.plan.method == self.intent.method
        self.expectation = event if is_same else None

    @property
    def looking(self) -> bool:
        """Whether a preview is running, queued or not yet shown."""
        return self._looking is not None or self._wanted or self.turns.busy

    def refresh(self) -> None:
        """Tell everything anew, for a view that has just been made."""
        self.intents.changed.emit(self.intent)

    # previews

    def _draw_curves(self) -> None:
        curves = self.method.curves
        try:
            figures = curves(self.intent.params, self.users) if curves and self.users else ()
        except AuditorError as error:
            self.preview_failed.emit(error_message(error))
            figures = ()
        self.curves_changed.emit(figures)

    def _request_outlook(self) -> None:
        """Ask for the setting's expectation; a quick one under way is let through, as in a drag."""
        if self.opened is None or self.method.outlook is None:
            self._wanted = False
            return
        if self._looking is not None:
            _, plan, since = self._looking
            young = time.monotonic() - since < PATIENCE
            is_same = (plan.method, plan.log_digest) == (self.intent.method, self.opened.log.digest)
            if young and is_same:
                self._wanted = True
                return
        self._wanted = False
        without_checks = dataclasses.replace(self.intent, attacks=(), measures=())
        try:
            plan = resolve_intent(without_checks, self.opened.log)
        except AuditorError as error:
            self.preview_failed.emit(error_message(error))
            return
        handle = self.queue.runner.preview(plan, self.opened.sample, self.opened.scale)
        self._looking, self._completing = (handle, plan, time.monotonic()), 0

    # the log

    def open_log(
        self,
        paths: Sequence[Path],
        options: Any = None,
        take: Callable[[OpenedLog], None] | None = None,
    ) -> None:
        """Read a log in the background, to be taken by `take`; until then the open one stays."""
        files = list(paths)

        def finish_opening(opened: OpenedLog) -> None:
            (take or self.adopt_log)(opened)
            self.options = options

        title = log_loading.title_of(files)
        self.reader.read(title, partial(log_loading.read_files, files, options), finish_opening)

    def open_sample(self, take: Callable[[OpenedLog], None] | None = None) -> None:
        def finish_opening(opened: OpenedLog) -> None:
            (take or self.adopt_log)(opened)
            self.known.read_sample()

        self.reader.read(self.tr("the sample log"), log_loading.read_sample, finish_opening)

    def adopt_log(self, opened: OpenedLog) -> None:
        """Work on this log from now on; runs of another log are removed."""
        is_reopened, files = self.opened is not None, self.known.now.chosen
        self._put_away()
        self.opened = opened
        self.intents.take_log(opened.log.digest, opened.spent)
        self.log_opened.emit(opened)
        self._tell_all()
        tuned = is_reopened and self.intent.params != self.method.params()
        if tuned or files:
            self.carried.emit(tuned, files)

    def restore_project(self, project: Project, opened: OpenedLog | None) -> None:
        """Restore a project; without its log only its results can be viewed."""
        self._put_away()
        self.opened = opened
        digest = project.log.digest if project.log is not None else ""
        digest = digest if opened is None else opened.log.digest
        spent = None if opened is None else opened.spent
        self.intents.restore_intent(project.intent, digest, spent)
        self.runs.restore_runs(project.runs)
        if opened is not None:
            self.log_opened.emit(opened)
        else:
            self.log_closed.emit()
        self.feedback.restore_feedback(project.notes, project.review, project.signed)
        self._tell_all()
        for record in self.runs:
            if record.letter == project.current:
                self.show_run(record.number)
                break

    def close_log(self) -> None:
        self._put_away()
        self.intents.take_log("")
        self.log_closed.emit()
        self._tell_all()

    def _put_away(self) -> None:
        self.queue.clear()
        self.opened, self.options, self.expectation = None, None, None
        self._looking, self._completing, self.current, self._shows_run = None, 0, None, False
        self.runs.clear()
        self.feedback.forget()
        self.intents.undo.clear()
        self.known.forget()
        self.explorer.forget()

    def _tell_all(self) -> None:
        self.intents.users = self.users
        self.runs_changed.emit()
        self.current_changed.emit(None)
        self.refresh()

    # runs

    @property
    def running(self) -> Run | None:
        """The running run, or the first one in the queue."""
        return next((record for record in self.runs if record.active), None)

    def run(self) -> None:
        """Submit the current configuration; noise is drawn from a secure source."""
        if self.opened is None:
            return
        try:
            plan = resolve_intent(self.intent, self.opened.log, self.known.now.digests)
        except AuditorError as error:
            self.preview_failed.emit(error_message(error))
            return
        complete_runs = (run for run in self.runs.finished[-MAX_RESULTS:] if run.complete)
        first = next((run for run in complete_runs if run.plan == plan), None)
        number = self.submit(plan)
        record = self.runs.add(number, plan)
        if first is not None:  # it is kept: nothing is drawn, or spent, a second time
            record.comment = self.tr("the same release as run {letter}").format(letter=first.letter)
        self.runs_changed.emit()
        self.show_run(number)

    def submit(self, plan: Plan) -> int:
        """Have the open log worked on; the number that the work goes by."""
        assert self.opened is not None
        evidence = self.known.now.make_evidence(self.opened.log)
        return self.queue.submit(plan, evidence, self._make_rng, self.expectation)

    def make_again(self, number: int) -> None:
        """Make what a project doesn't keep of a run: its release and its flagged sessions.

        Where the same comes of it, it takes its place again; else it is another run, beside the one
        whose figures were kept.
        """
        record = self.runs.get(number)
        if record is None or self.opened is None or record.active:
            return
        knowledge = tuple(sorted(self.known.now.digests.items()))
        plan = dataclasses.replace(record.plan, knowledge=knowledge)
        if self.is_repeatable(record):
            number = self.submit(plan)
            record.plan = plan
            record.begin_again()
            self.runs.renumber(record, number)
        else:
            selection = self.intents.charge_selection(plan.selection)
            plan = dataclasses.replace(plan, selection=selection)
            number = self.submit(plan)
            self.runs.add(number, plan).name = record.name
        self.runs_changed.emit()
        self.show_run(number)

    def is_repeatable(self, record: Run) -> bool:
        """Whether the same comes of a run: nothing is drawn, and attackers know what they knew."""
        at_hand = set(self.known.now.digests.items())
        return not record.plan.what.randomised and at_hand.issuperset(record.plan.knowledge)

    def cancel_run(self, number: int | None = None) -> None:
        """Ask a run (the active one by default) to stop; returns at once."""
        record = self.running if number is None else self.runs.get(number)
        if record is not None:
            self.queue.cancel(record.number)

    def show_run(self, number: int) -> None:
        self.current = self.runs.get(number)
        self._shows_run = self.current is not None
        self.current_changed.emit(self.current)

    def edit_run(
        self,
        number: int,
        *,
        name: str | None = None,
        comment: str | None = None,
        pinned: bool | None = None,
    ) -> None:
        """Name, annotate or pin a run; each change is one undoable step."""
        record = self.runs.get(number)
        if record is None:
            return
        tr = QCoreApplication.translate
        for field, after, text in (
            ("name", name and name.strip(), tr("Undo", "name of run {letter}")),
            ("comment", comment and comment.strip(), tr("Undo", "comment on run {letter}")),
            ("pinned", pinned, tr("Undo", "pin of run {letter}")),
        ):
            before = getattr(record, field)
            if after is not None and after != before:

                def set_field(value: str | bool, field: str = field) -> None:
                    setattr(record, field, value)
                    self.run_changed.emit(record)

                self.intents.push_edit(text.format(letter=record.letter), set_field, after, before)

    def remove_run(self, number: int) -> None:
        """Strike a run out, stopping it first; its step keeps it, so that it can come back."""
        record = self.runs.get(number)
        if record is None:
            return
        self.cancel_run(number)
        if record.active:
            record.state = "cancelled"
        place, current = self.runs.find_place(number), self.current is record

        def list_run(listed: bool) -> None:
            if listed:
                self.runs.insert_run(record, place)
            else:
                self.runs.remove(record.number)
            self.runs_changed.emit()
            if listed and current:
                self.show_run(record.number)
            elif not listed and self.current is record:
                self.current = None
                self.current_changed.emit(None)

        text = QCoreApplication.translate("Undo", "removal of run {letter}")
        self.intents.push_edit(text.format(letter=record.letter), list_run, False, True)

    def close(self) -> None:
        """Stop everything without waiting for it."""
        self.closing.emit()
        self._looking, self._wanted = None, False  # an event may be on its way to here
        self.turns.clear()
        self.reader.drop()
        self.intents.solving.drop()
        self.known.close()
        self.explorer.drop()
        self.queue.close()
        self.relay.close()

    # events of the engine, in the UI thread

    def _on_event(self, event: events.RunEvent) -> None:
        looked = self._looking is not None and event.run == self._looking[0].run
        if isinstance(event, events.ExpectedOutcome):
            setting = attrgetter("method", "params")
            is_same = setting(event.plan) == setting(self.intent)
            if looked or (event.run == self._completing and is_same):
                self._completing = event.run
                self.expected.emit(event)
            if looked:
                self._look_again()
            return
        if looked:
            if isinstance(event, events.RunFailed):
                self.preview_failed.emit(event.message)
            if isinstance(event, events.RunFailed | events.RunCancelled):
                self._look_again()
            return
        self.queue.handle_event(event)
        record = self.runs.get(event.run)
        if record is None:  # stale: an older preview, a run struck out, another log's run
            return
        match event:
            case events.RunStarted():
                record.state = "running"
            case events.StageProgress() | events.TaskStarted():
                return
            case events.PreviewOutcome():
                if record is self.current:
                    self.run_glimpse.emit(event)
                return
            case events.PartialResult():
                record.take_release(event.release)
            case events.MeasureDone() | events.AttackDone():
                record.add_part(event.result)
            case events.RunFinished():
                record.finish(event.result)
                self.runs.drop_old_releases()
            case events.RunFailed():
                record.end("failed", event.message)
            case events.RunCancelled():
                record.end("cancelled")
        if not record.active and record.state != "finished":
            record.forget_release()
        self.run_changed.emit(record)

    def _look_again(self) -> None:
        """A preview has ended; the setting may have moved on meanwhile."""
        self._looking = None
        if self._wanted:
            self._request_outlook()
