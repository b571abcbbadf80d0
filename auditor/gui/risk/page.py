"""The workspace Risk: who can still be recognised, in the log and in the run that is shown.

Before a run it lists the sessions of the log itself. A count anywhere in the window leads here, to
the sessions behind it.
"""

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from auditor.arrays import Array, Int64s, expand_ranges
from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.registry import ATTACKS, choose_first
from auditor.attacks.risk.exposed_sessions import count_marked_queries
from auditor.attacks.risk.session_scoring import standing_verbatim
from auditor.engine.run import Run
from auditor.figures import UserReference
from auditor.gui.app.navigation import Banner
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.risk.panel import FlaggedPanel
from auditor.gui.risk.rules_view import RulesView, SampleView
from auditor.gui.state.controller import Controller
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, style
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import QueryLog
from auditor.log.sessions import GAP_SECONDS, find_sessions
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from auditor.release.record import ReleaseRecord

MOST_COUNTED = 200_000
"""Sessions up to which marked queries are counted one by one."""


def find_counting_attack(record: Run, target: UserReference) -> AttackResult | None:
    for attack in record.attacks:
        references = [value.who for value in attack.values]
        references += [reference for table in attack.tables for reference in table.who.values()]
        references += [series.who for figure in attack.figures for series in figure.series]
        if any(reference is target for reference in references):
            return attack
    return None


def trace_sessions(
    log: QueryLog,
    release: Anonymized | None,
    attack: AttackResult | None,
    users: UserReference,
    line: int,
    progress: Progress,
) -> FlaggedFindings:
    """The sessions behind one line of `users`, the riskiest with the attack's reasons and marks."""
    codes = np.asarray(users.find(line))
    progress.check()
    gap = GAP_SECONDS
    if attack is not None and isinstance(attack.params.get("gap"), int):
        gap = 60 * int(attack.params["gap"])
    starts = find_sessions(log, gap)
    session_numbers = _find_sessions(log, starts, users.unit, codes)
    progress.check()
    begin, stop = starts[session_numbers], starts[session_numbers + 1]
    flagged = attack.findings if attack is not None else None
    queries = codes if users.unit == "queries" else codes[:0]
    if flagged is not None:
        flags = _find_flagged(flagged, begin, stop)
    else:
        flags = _mark_queries(log, begin, queries, release)
    none = np.zeros((2, len(begin)), dtype=np.int32)
    findings = FlaggedFindings(start=begin, stop=stop, surviving=none[0], flagged=none[1], **flags)
    part = slice(MOST_COUNTED)
    findings.flagged[part], findings.surviving[part] = count_marked_queries(
        log, begin[part], stop[part], findings.mark_query, findings.survives
    )
    return findings


def _find_sessions(log: QueryLog, starts: Int64s, unit: str, codes: Array) -> Int64s:
    """Numbers of the sessions that codes stand for, each once, ascending."""
    if not len(codes) or not len(log):
        return np.zeros(0, dtype=np.int64)
    if unit == "queries":
        mask = np.zeros(len(log.queries), dtype=np.bool_)
        mask[codes] = True
        rows = np.flatnonzero(mask[log.query])
    elif unit == "users":
        first = np.searchsorted(starts, log.user_starts[codes])
        size = np.searchsorted(starts, log.user_starts[codes.astype(np.int64) + 1]) - first
        return sorted_distinct(expand_ranges(first, size)).astype(np.int64)
    else:
        rows = codes.astype(np.int64)
    return sorted_distinct(np.searchsorted(starts, rows, side="right") - 1).astype(np.int64)


def _find_flagged(flagged: FlaggedFindings, begin: Int64s, stop: Int64s) -> dict[str, Any]:
    """The reasons, risks and marks that the attack has for sessions, as fields of findings."""
    exposed = flagged.exposed
    reason, risk = np.zeros(len(begin), dtype=np.uint64), np.zeros(len(begin))
    parts = (
        (exposed.rows, exposed.stops, exposed.reason, exposed.risk),
        (flagged.start, flagged.stop, flagged.reason, flagged.risk),  # flagged, if not exposed
    )
    for start, end, bits, worst in parts:
        order = np.argsort(start, kind="stable")
        low = np.searchsorted(end[order], begin, side="right")
        met = np.flatnonzero(low < len(order))
        met = met[start[order][low[met]] < stop[met]]
        reason[met] |= bits[order][low[met]].astype(np.uint64)
        risk[met] = np.maximum(risk[met], worst[order][low[met]])
    fields = "reasons", "mark_query", "mark_start", "mark_stop", "mark_reason", "survives"
    return {"reason": reason, "risk": risk} | {name: getattr(flagged, name) for name in fields}


def _mark_queries(
    log: QueryLog, begin: Int64s, queries: Array, release: Anonymized | None
) -> dict[str, Any]:
    """The same of an attack without flagged sessions: whole queries are marked."""
    queries = sorted_distinct(queries).astype(np.int32)
    size = log.queries.compute_lengths()[queries]
    return {
        "reason": np.ones(len(begin), dtype=np.uint64),
        "risk": np.zeros(len(begin)),
        "reasons": (QCoreApplication.translate("Sessions", "counted here"),),
        "mark_query": queries,
        "mark_start": np.zeros(len(queries), dtype=np.int32),
        "mark_stop": np.minimum(size, np.iinfo(np.int32).max).astype(np.int32),
        "mark_reason": np.zeros(len(queries), dtype=np.uint8),
        "survives": standing_verbatim(log.queries, release),
    }


class RiskPage(QWidget):
    """The flagged sessions of the run that is shown, or else of the log."""

    page_requested = Signal()
    """Somebody asked for the sessions behind a count: the page is to be shown."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self.controller = controller
        self.panel = FlaggedPanel(controller.disclosure)
        self.panel.keep_notes(controller.notes)
        self.bar = Banner()
        """Says that only the sessions behind a count are listed."""
        self.bar.text.setAccessibleName(self.tr("Which sessions are listed"))
        for part in (self.bar.sign, self.bar.shut):
            part.hide()
        self.findings: FlaggedFindings | None = None
        """What is listed as a whole; None while something is said in its place."""
        self._of_log: FlaggedFindings | None = None
        self._attack = ""
        self._job = LatestJob()
        self.rules, self.sample = RulesView(controller), SampleView(controller)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.panel, self.tr("Who is exposed"))
        self.tabs.addTab(self.rules, self.tr("Rules"))
        self.tabs.addTab(self.sample, self.tr("Sample"))
        style.column(self, [self.bar, (self.tabs, 1)], spacing=0)
        self.panel.attack_chosen.connect(self._pick_attack)
        for signal in (self.panel.opened, controller.disclosure.toggled):
            signal.connect(self._note_opened)
        controller.log_opened.connect(lambda opened: self._show_log(opened.log))
        controller.log_closed.connect(lambda: self._show_log(None))
        controller.run_changed.connect(self._run_changed)
        controller.current_changed.connect(self._current_changed)

    # the flagged sessions

    def start_triage(self) -> None:
        """Give the keyboard to the list of sessions."""
        if self.tabs.currentWidget() is self.panel:
            self.panel.table.setFocus()

    def _note_opened(self) -> None:
        """Note a session as read if it is visible and not masked."""
        row = self.panel.session.first_row
        if row is not None and self.controller.disclosure.isChecked() and self.panel.isVisible():
            self.controller.notes.opened.add(row)

    def show_log_findings(self, result: AttackResult | None) -> None:
        """What the log itself gives away, before any run."""
        flags = self._of_log = result.findings if result is not None else None
        self.controller.feedback.learn_findings(flags.full or flags if flags is not None else None)
        self._tell_shown()
        if self.controller.current is None:
            self._list_log()

    def _tell_shown(self) -> None:
        """A signature covers what sessions are flagged for in the log and in the run shown."""
        record = self.controller.current
        of_run = record.findings.values() if record is not None else ()
        all_findings = [findings for findings in (self._of_log, *of_run) if findings is not None]
        full = [findings.full for findings in all_findings if findings.full is not None]
        self.rules.shown = (*all_findings, *full)

    def _show_scope(self, text: str) -> None:
        self.bar.show_message("info", text, self.tr("All flagged sessions"), self.show_all)

    def show_all(self) -> None:
        self.bar.hide()
        self.findings = None
        self._current_changed(self.controller.current)

    def _show_log(self, log: QueryLog | None) -> None:
        self._job.drop()
        self.bar.hide()
        self.findings, self._of_log = None, None
        self.panel.set_log(log)

    def _run_changed(self, record: Run) -> None:
        if record is self.controller.current:
            self.controller.turns.run_soon(partial(self._list_findings, record), self)

    def _current_changed(self, record: Run | None) -> None:
        self._job.drop()
        if record is not None:
            self.controller.turns.run_soon(partial(self._list_findings, record), self)
        else:
            self.controller.turns.run_now(self._list_log, self)

    def _pick_attack(self, name: str) -> None:
        self._attack = name
        if self.controller.current is not None:
            self._list_findings(self.controller.current)

    def _list_log(self) -> None:
        """The sessions of the log, as far as they have been looked for."""
        opened, findings = self.controller.opened, self._of_log
        self.bar.hide()
        self.panel.filters.offer_attacks({}, "")
        if opened is None:
            self.panel.set_log(None)
        elif findings is None:
            self.findings = None
            text = self.tr(
                "The log is being searched for sessions at risk: names, places, numbers…"
            )
            self.panel.set_state(text)
        elif findings is not self.findings:
            self.findings = findings
            self.panel.show_findings(opened.log, findings, None)

    def _list_findings(self, record: Run) -> None:
        self._tell_shown()
        opened, by_attack, panel = self.controller.opened, record.findings, self.panel
        attack = self._attack if self._attack in by_attack else choose_first(by_attack)
        titles = {name: translate_text(ATTACKS[name].title) for name in by_attack}
        panel.filters.offer_attacks(titles, attack)
        findings = by_attack.get(attack)
        if findings is not None and opened is not None:
            if findings is not self.findings:
                self.findings = findings
                self.bar.hide()
                panel.show_findings(opened.log, findings, record.anonymized, tuple(record.attacks))
            return
        self.findings = None
        self.bar.hide()
        panel.set_log(opened.log if opened is not None else None)
        if self._say_not_kept(record):
            return
        if record.anonymized is not None:
            empty = record.anonymized.is_empty
        else:  # its record says so where the content isn't loaded
            judged = bool(record.gates) and record.statement is not None
            empty = judged and ReleaseRecord.of_stored(record).kept.empty
        if record.active:
            text = self.tr("Flagged sessions follow when run {letter} is done.")
        elif record.state == "finished" and empty:
            text = self.tr("The release holds no query, so nobody is exposed by it.")
        elif record.state == "finished":
            text = self.tr("No attack of run {letter} flags sessions.")
        else:
            text = self.tr("Run {letter} {state}: there is nothing to look at.")
        state = style.RUN_SIGNS[record.state].word
        panel.set_state(text.format(letter=record.letter, state=state))
        if empty and self._of_log is not None:
            text = self.tr("See what the log itself gives away")
            panel.empty.offer_action(text, self._list_log_instead)

    def _list_log_instead(self) -> None:
        """List what the log gives away beside a run whose release holds nothing."""
        opened, findings = self.controller.opened, self._of_log
        if opened is not None and findings is not None:
            self.findings = findings
            self.panel.show_findings(opened.log, findings, None)
            self._show_scope(self.tr("This is the log as it is: the release holds no query."))

    def _say_not_kept(self, record: Run) -> bool:
        """Say why a project's run has no sessions, and offer to find them; False if it has."""
        outcome, opened = record.outcome, self.controller.opened
        if not record.reopened or outcome is None or not any(outcome.flagged.values()):
            return False
        most = max(outcome.flagged.values())
        flagged = formats.format_plural(most, "session was flagged", "sessions were flagged")
        text = tr("{flagged} by an attack on run {letter}.")
        text = text.format(flagged=flagged, letter=record.letter) + " "
        text += tr("A project keeps metrics, but no sessions: those hold what people searched for.")
        if count := len(self.controller.notes.list_notes()):
            notes_text = tr("What you noted of {sessions} is kept and stands in the list then.")
            text += " " + notes_text.format(sessions=formats.format_plural(count, "session"))
        action_text = tr("Find them again")
        if opened is None:
            text += " " + tr("They can be found again once the log is open.")
        elif not self.controller.is_repeatable(record):
            action_text = tr("Run the same settings")
            if record.plan.what.randomised:
                text += " " + say("another run beside it")
        self.panel.set_state(text)
        if opened is not None:
            make_again = partial(self.controller.make_again, record.number)
            self.panel.empty.offer_action(action_text, make_again)
        return True

    # the sessions behind a count

    def trace_count(self, users: UserReference, line: int, label: str) -> None:
        if self.controller.current is not None:
            self._look_up(self.controller.current, users, line, label)

    def trace_of(self, number: int, users: UserReference, line: int, label: str) -> None:
        """List the sessions behind a count of one of the runs that are compared."""
        record = self.controller.runs.get(number)
        if record is not None:
            self.controller.show_run(number)
            self._look_up(record, users, line, label)

    def _look_up(self, record: Run, users: UserReference, line: int, label: str) -> None:
        opened = self.controller.opened
        if opened is None:
            return
        attack = find_counting_attack(record, users)
        self._job.start(
            "sessions behind a count",
            partial(trace_sessions, opened.log, record.anonymized, attack, users, line),
            lambda findings: self._show_traced(record, findings, label),
            self._show_scope,
        )
        self._show_scope(self.tr("Looking for the sessions behind “{}”…").format(label))
        self.page_requested.emit()

    def _show_traced(self, record: Run, findings: FlaggedFindings, label: str) -> None:
        opened = self.controller.opened
        if opened is None:
            return
        if not len(findings):
            self._show_scope(self.tr("Nobody is behind “{}”.").format(label))
            return
        users = len(sorted_distinct(opened.log.user[findings.start]))
        text = self.tr("Behind “{count}” of run {run}: {sessions} of {users}.").format(
            count=label,
            run=record.letter,
            sessions=formats.format_plural(len(findings), self.tr("session"), self.tr("sessions")),
            users=formats.format_plural(users, self.tr("user"), self.tr("users")),
        )
        self.panel.show_findings(opened.log, findings, record.anonymized)
        self._show_scope(text)
