"""By which policy the window judges, and whether what it shows may be released; in a thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from auditor.engine.events import ExpectedOutcome
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.state.controller import Controller
from auditor.gui.state.feedback_book import steward_feedback
from auditor.gui.state.intent_editor import Edit
from auditor.gui.state.worker import LatestJob, LatestValue, Work
from auditor.log.model import QueryLog
from auditor.messages import error_message
from auditor.progress import Progress
from auditor.project.model import QueryReview
from auditor.release import signing
from auditor.release.feedback import StewardFeedback
from auditor.release.gates import attest_record, gate_facts, judge_record
from auditor.release.ledger.history import LedgerHistory, releases_before
from auditor.release.ledger.other_releases import decide_before_run
from auditor.release.ledger.store import ledger_path, read_ledger
from auditor.release.manifest import SIGNATURE, audited_digest, read_manifest
from auditor.release.policy import policy as policies
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Policy
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict, measured_verdict

KEY = "policy"


def default_policy() -> str:
    """The policy that a new workspace begins with."""
    return str(QSettings().value(KEY, ""))


class PolicyKeeper(QObject):
    """Keeps the text of the policy in force, this time and next time; `changed` tells of another.

    An empty text stands for the default. A kept policy that can't be read any more is not
    replaced by the default in silence: `load_policy` says what is wrong with it.
    """

    changed = Signal()
    outdated = Signal()
    """Verdicts are outdated: by another policy, or by what was said of marks since."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.changed.connect(self.outdated)
        self.edit: Edit | None = None
        """Makes a change a step that can be undone."""
        self.steward: Callable[[QueryLog, bytes], StewardFeedback | None] | None = None
        """What somebody said of a log's marks, for a worker thread; with the audit key's secret."""
        self.text = default_policy()
        self._read = LatestValue()

    def use_policy(self, text: str) -> None:
        """Judge by this policy from now on; an empty text is the default."""
        if text == self.text:
            return
        if self.edit is None:
            self._store_policy(text)
        else:
            self.edit(self.tr("policy"), self._store_policy, text, self.text)

    def use_for_project(self, text: str) -> None:
        """Judge by a project's policy as long as that is open; the next start won't know it."""
        if text != self.text:
            self.text = text
            self.changed.emit()

    def _store_policy(self, text: str) -> None:
        if text:
            QSettings().setValue(KEY, text)
        else:
            QSettings().remove(KEY)
        self.use_for_project(text)

    def load_policy(self) -> Policy:
        """The policy in force; for a worker thread. Raises `ParameterError` if it can't be read."""
        text = self.text

        def read_policy() -> Policy:
            return policies.parse_policy(text.encode()) if text else policies.default_policy()

        rules: Policy = self._read.find(text, read_policy)  # every step of a slider is judged by it
        return rules


@dataclass(frozen=True, eq=False)
class RunJudgement:
    """How a run was judged, and by what; `history` is a text where the ledger can't be read."""

    record: ReleaseRecord
    history: LedgerHistory | str
    verdict: ReleaseVerdict
    reviewer: str = ""
    """Who approved the run's release; empty as long as nobody did."""
    released: str = ""
    """By what name the ledger knows that release."""

    def list_facts(self) -> Mapping[str, Any]:
        """What a project keeps of it, so that the run counts as many checks when it is reopened."""
        return gate_facts(self.record, figures=False)


@dataclass(frozen=True, eq=False)
class StoredApproval:
    """What the ledger says of the release of a run that came from a project."""

    reviewers: tuple[tuple[str, str], ...]
    """Everybody who approved it, in their order, and when; none was withdrawn."""
    verdict: ReleaseVerdict | None
    """As it was judged when the project was saved, with what the first reviewer let pass."""

    @property
    def reviewer(self) -> str:
        """Who approved it, in one line."""
        return ", ".join(dict.fromkeys(name for name, _date in self.reviewers))


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """What a run is judged by, whatever the policy; `approval` is that of its signed release."""

    record: ReleaseRecord
    history: LedgerHistory | str
    name: str
    approval: Mapping[str, Any]

    def judge_record(self, policy: Policy) -> ReleaseRecord:
        """The run's record with the policy's checks, those of the ledger among them."""
        history, approval = self.history, self.approval
        total = history if isinstance(history, str) else history.add_release(self.record)
        record = judge_record(self.record, policy, total)
        record = attest_record(record, ContractAttestation.of_approval(approval))
        return record.override(str(override["gate"]) for override in approval.get("overrides", ()))


def gather_evidence(
    result: Run,
    log: QueryLog,
    keeper: PolicyKeeper,
    progress: Progress,
    *,
    exported: Path | None = None,
) -> RunEvidence:
    """What a run is judged by, the ledger as it stands included; for a thread.

    `exported` is where the run's own release stands: once signed it is in the ledger, too, and
    counts once. So does one that was signed before the run was made again.
    """
    secret = signing.audit_secret(signing.audit_key())
    name, approval = _read_release(exported) if exported is not None else (result.released, {})
    history = releases_before(log, ledger_path(), secret, progress, keep=False, excluded=name)
    feedback = keeper.steward(log, secret) if keeper.steward is not None else None
    record = ReleaseRecord.of_run(result, log, feedback, secret)
    stated = decide_before_run(record.statement, log.digest, excluded=name)
    return RunEvidence(replace(record, statement=stated), history, name, approval)


def judge_run(
    result: Run,
    log: QueryLog,
    keeper: PolicyKeeper,
    progress: Progress,
    *,
    exported: Path | None = None,
) -> RunJudgement:
    """Judge a run by the policy in force, and by the ledger; see `gather_evidence`."""
    rules = keeper.load_policy()
    evidence = gather_evidence(result, log, keeper, progress, exported=exported)
    record = evidence.judge_record(rules)
    reviewer = str(evidence.approval.get("reviewer", ""))
    released = evidence.name if reviewer else ""
    return RunJudgement(record, evidence.history, measured_verdict(record), reviewer, released)


def find_approval(record: Run, _progress: Progress) -> StoredApproval | None:
    """The ledger's approval of a stored run's release. Raises `ExportRefused`, `ExportFailed`."""
    state = read_ledger(ledger_path())
    state.raise_problems()
    approvals = [e.body for e in state.approvals if e.body.get("release") == record.released]
    if not approvals:
        return None
    allowed = [str(override["gate"]) for override in approvals[0].get("overrides", ())]
    reviewers = tuple((str(body["reviewer"]), str(body["at"])) for body in approvals)
    return StoredApproval(reviewers, _judge_stored(record, allowed))


def _read_release(folder: Path) -> tuple[str, Mapping[str, Any]]:
    """By what name the ledger knows a release folder, and its approval; none if it was changed."""
    try:
        manifest = read_manifest(folder)
    except (AuditorError, OSError, ValueError):
        return "", {}
    return audited_digest(manifest), manifest.get("approval", {})


def _judge_expected(
    event: ExpectedOutcome,
    log: QueryLog,
    keeper: PolicyKeeper,
    history: LedgerHistory | str | None,
    progress: Progress,
) -> tuple[ReleaseVerdict, LedgerHistory | str]:
    """Judge what is expected after the releases so far; those too, read where they aren't yet."""
    rules, plan = keeper.load_policy(), event.plan
    history = _read_history(log, progress) if history is None else history
    record = ReleaseRecord.of_outlook(event.outlook, log, plan.what)
    record = replace(record, method=plan.method, params=plan.params.to_public())
    total = history if isinstance(history, str) else history.add_release(record)
    return expected_verdict(judge_record(record, rules, total)), history


def _read_history(log: QueryLog, progress: Progress) -> LedgerHistory | str:
    """All releases of the log so far, or why they aren't known."""
    path = ledger_path()
    try:
        state = read_ledger(path)
        state.raise_problems()
    except AuditorError as error:
        return error_message(error)
    if not state.entries:  # nothing to compare the log's samples with
        return LedgerHistory(log.digest, ())
    secret = signing.audit_secret(signing.audit_key())
    return releases_before(log, path, secret, progress, keep=False)


def _judge_stored(run: Run, overridden: Sequence[str] = ()) -> ReleaseVerdict | None:
    """The verdict on a run from a project, as it was judged when that was saved; None if not."""
    if not run.gates or run.statement is None:
        return None
    return measured_verdict(ReleaseRecord.of_stored(run).override(overridden))


RunOutcome = RunJudgement | StoredApproval | str | None
"""A judgement; of a run whose release isn't there its approval, or None; or why there is none."""


class VerdictKeeper(QObject):
    """Judges runs and expectations; one at a time, what is shown first, then the expectation."""

    changed = Signal()
    """What is shown has another verdict, or none yet."""
    judged = Signal(int)
    """A run of that number has been judged."""

    def __init__(self, controller: Controller, policy: PolicyKeeper, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._policy = controller, policy
        self._runs: dict[int, RunOutcome] = {}
        self._exported: dict[int, Path] = {}
        self._history: LedgerHistory | str | None = None
        """Of the open log; None until a configuration was judged by it."""
        self._fresh = False
        """Whether the newest expectation is yet to be judged."""
        self._job = LatestJob()
        self.expected: ReleaseVerdict | None = None
        """Of the configuration; None until it is known."""
        self.problem = ""
        """Why the configuration could not be judged, for instance by a policy that is not valid."""
        c = controller
        c.expected.connect(self._note_expectation)
        c.intents.changed.connect(self._forget_expected)
        c.preview_failed.connect(self._forget_expected)
        c.current_changed.connect(lambda _record: self.changed.emit())
        c.run_changed.connect(self._run_moved)
        c.runs_changed.connect(self._judge_next)
        for moment in (c.log_opened, c.log_closed):
            moment.connect(self._forget_verdicts)
        c.closing.connect(self._job.drop)
        policy.outdated.connect(self.judge_again)
        policy.steward = self._make_steward_feedback
        self._said: tuple[object, ...] = ((), QueryReview(), "")
        c.feedback.settled.connect(self._feedback_settled)

    @property
    def current(self) -> ReleaseVerdict | None:
        """The verdict on what the window shows: a run, or the configuration."""
        record = self._controller.shown_run
        if record is None:
            return self.expected
        return self.find_verdict(record.number)

    def find_verdict(self, number: int) -> ReleaseVerdict | None:
        """The verdict on a run, the saved one without its release; None until there is one."""
        outcome, record = self.of_run(number), self._controller.runs.get(number)
        if isinstance(outcome, RunJudgement | StoredApproval):
            return outcome.verdict
        if outcome is not None or record is None or record.complete or record.state != "finished":
            return None
        return _judge_stored(record)

    @property
    def busy(self) -> bool:
        return self._job.running

    def of_run(self, number: int) -> RunOutcome:
        """How a run was judged, or why it could not be; None until it is, too."""
        return self._runs.get(number)

    def note_export(self, number: int, folder: Path) -> None:
        """A run's release stands in a folder now, perhaps signed: judge anew; 0 for no run here."""
        if number and (number not in self._exported or (folder / SIGNATURE).exists()):
            self._exported[number] = folder  # an approved one stays before a later draft
        self.judge_again()

    def find_export(self, number: int) -> Path | None:
        """Where a run's release stands, a signed one before drafts; None if it was not written."""
        return self._exported.get(number)

    def judge_again(self) -> None:
        """The policy or the ledger has changed: judge all runs anew, the shown one first."""
        self._runs.clear()
        self._history, self._fresh = None, True
        self._job.drop()
        self._judge_next()

    def _make_steward_feedback(self, log: QueryLog, secret: bytes) -> StewardFeedback | None:
        """The feedback on the log's marks, None without any; for a worker thread."""
        feedback = steward_feedback(log, self._controller.feedback.now, secret)
        rated = any(stratum.sampled for stratum in feedback.sample)
        full = rated or feedback.dismissals or feedback.weights or feedback.rules.list_precisions()
        return feedback if full else None

    def _feedback_settled(self) -> None:
        """Judge the run anew after the feedback changed."""
        feedback = self._controller.feedback.now
        answers = (feedback.notes, feedback.review, feedback.signed)
        if answers != self._said:
            self._said = answers
            if any(run.complete for run in self._controller.runs):
                self._policy.outdated.emit()

    def _forget_verdicts(self) -> None:
        self._job.drop()
        self._runs.clear()
        self._exported.clear()
        self._history = None
        self._forget_expected()

    def _note_expectation(self) -> None:
        self._fresh = True
        self._judge_next()

    def _forget_expected(self) -> None:
        """Nothing stands of a configuration that the controller expects nothing of any more."""
        if self._controller.expectation is None:
            self.expected = None
        self.changed.emit()

    def _run_moved(self, record: Run) -> None:
        if record.complete:
            self._judge_next()
        elif record is self._controller.shown_run:
            self.changed.emit()

    def _judge_next(self) -> None:
        """Judge the shown run, the newest expectation, or another run without a verdict."""
        c, policy = self._controller, self._policy
        if self._job.running or c.opened is None:
            return
        log, current = c.opened.log, c.shown_run
        waited_for = current is not None and current.complete and current.number not in self._runs
        if self._fresh and c.expectation is not None and not waited_for:
            self._fresh = False
            judge_expected = partial(_judge_expected, c.expectation, log, policy, self._history)
            self._start_job(0, judge_expected)
            return
        for record in sorted(c.runs, key=lambda run: run is not c.shown_run):
            number = record.number
            if number in self._runs:
                continue
            if record.complete:
                exported = self.find_export(number)
                judge = partial(judge_run, record.copy(), log, policy, exported=exported)
                self._start_job(number, judge)
                return
            if record.reopened and record.released:
                self._start_job(number, partial(find_approval, record.copy()))
                return

    def _start_job(self, number: int, work: Work) -> None:
        store = partial(self._store_verdict, number)
        self._job.start("verdict", work, store, store)

    def _store_verdict(self, number: int, result: Any) -> None:
        if number:
            self._runs[number] = result
            record = self._controller.runs.get(number)
            if isinstance(result, RunJudgement) and record is not None and record.complete:
                gates, released = result.list_facts(), result.released or record.released
                if (gates, released) != (record.gates, record.released):
                    record.gates, record.released, record.reported = gates, released, False
                    self._controller.run_changed.emit(record)  # to be saved
            self.judged.emit(number)
        else:
            self.problem, self.expected, self._history = "", None, None
            if isinstance(result, str):
                self.problem = result
            else:
                verdict, self._history = result
                self.expected = verdict if self._controller.expectation is not None else None
        self.changed.emit()
        self._judge_next()
