"""What stewards say of sessions and queries: notes, dismissals and judged samples."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk import feedback
from auditor.attacks.risk.feedback import RuleFeedback
from auditor.attacks.risk.query_sample import JudgedStratum
from auditor.errors import AuditorError
from auditor.gui.risk.session_filter import Rows, dismissed_rows
from auditor.gui.state.intent_editor import Edit
from auditor.gui.widgets import formats
from auditor.log.model import QueryLog
from auditor.project.model import QueryReview, QueryVerdict, ReviewedQuery, SessionNote
from auditor.release import feedback as file
from auditor.release.feedback import StewardFeedback, judged_strata
from auditor.release.manifest import keyed_digest

LONGEST = 2_000
"""Characters of a note."""


class SessionNotes(QObject):
    """The notes on one log."""

    changed = Signal()

    def __init__(self, edit: Edit, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self._notes: dict[Rows, SessionNote] = {}
        self.opened: set[int] = set()
        """First rows of the sessions, or of people's, that somebody has read."""

    def __len__(self) -> int:
        return len(self._notes)

    def list_notes(self) -> tuple[SessionNote, ...]:
        """Every note, as the log runs."""
        return tuple(self._notes[rows] for rows in sorted(self._notes))

    def get(self, start: int, stop: int) -> SessionNote:
        """What is said of a session; an empty note if nothing is."""
        return self._notes.get((start, stop)) or SessionNote(start=start, stop=stop)

    def list_within(self, start: int, stop: int) -> list[SessionNote]:
        """What is said of a session, or of those of a person, by its rows."""
        return [self._notes[rows] for rows in sorted(self._notes) if start <= rows[0] < stop]

    def write_note(self, start: int, stop: int, text: str) -> None:
        text = " ".join(text.split())[:LONGEST]
        note = dataclasses.replace(self.get(start, stop), text=text)
        self._change_notes([note], self.tr("note on a session"))

    def dismiss_session(self, start: int, stop: int, reason: str) -> None:
        """Put a session away for a reason; none takes it back."""
        edit_name = self.tr("dismissal of a session") if reason else self.tr("return of a session")
        self._change_notes([_dismiss_note(self.get(start, stop), reason)], edit_name)

    def dismiss_all(self, sessions: Sequence[Rows], reason: str) -> None:
        """Put several sessions away for one reason, in one step; none takes them back."""
        text = self.tr("dismissal of {which}") if reason else self.tr("return of {which}")
        notes = [_dismiss_note(self.get(*rows), reason) for rows in sessions]
        which = formats.format_plural(len(sessions), "session")
        self._change_notes(notes, text.format(which=which))

    def confirm_all(self, sessions: Sequence[Rows], *, right: bool = True) -> None:
        """Say of several sessions that they are a risk, or no more, in one step."""
        notes = [
            dataclasses.replace(note, confirmed=right, dismissed="" if right else note.dismissed)
            for note in (self.get(*rows) for rows in sessions)
        ]
        which = formats.format_plural(len(sessions), "session")
        self._change_notes(notes, self.tr("confirmation of {which}").format(which=which))

    def restore_notes(self, notes: Iterable[SessionNote]) -> None:
        """Have these notes and no others; no step of the history."""
        self._notes = {(note.start, note.stop): note for note in notes if not note.empty}
        self.opened.clear()
        self.changed.emit()

    @property
    def starts(self) -> tuple[int, ...]:
        """First rows of the sessions that something is said of."""
        return tuple(start for start, _ in self._notes)

    @property
    def dismissed(self) -> tuple[Rows, ...]:
        """Rows of the dismissed sessions."""
        return tuple(rows for rows, note in self._notes.items() if note.dismissed)

    def _change_notes(self, after: list[SessionNote], text: str) -> None:
        before = [self.get(note.start, note.stop) for note in after]
        if after != before:
            self._edit(text, self._put_notes, after, before)

    def _put_notes(self, notes: Iterable[SessionNote]) -> None:
        self._notes |= {(note.start, note.stop): note for note in notes}
        self._notes = {rows: note for rows, note in self._notes.items() if not note.empty}
        self.changed.emit()


def _dismiss_note(note: SessionNote, reason: str) -> SessionNote:
    stays = note.confirmed and not reason
    return dataclasses.replace(note, dismissed=reason, confirmed=stays)


QUIET = 1_500
"""Milliseconds after the last answer until runs are judged anew."""


@dataclass(frozen=True, eq=False)
class FeedbackSnapshot:
    """All that was said so far; `findings` are those of the log with every rule counting fully."""

    notes: tuple[SessionNote, ...] = ()
    review: QueryReview = dataclasses.field(default_factory=QueryReview)
    signed: str = ""
    findings: FlaggedFindings | None = None


class FeedbackBook(QObject):
    """The judged queries and the signed dismissals of one log; every answer can be undone."""

    changed = Signal()
    settled = Signal()
    """What runs are judged by has changed, and nobody has answered for a moment."""

    def __init__(self, edit: Edit, notes: SessionNotes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit, self._notes = edit, notes
        self.now = FeedbackSnapshot()
        """As it is; never changed, so that a thread may read it."""
        self._pause = QTimer(self, singleShot=True, interval=QUIET)
        self._pause.timeout.connect(self.settled)
        notes.changed.connect(lambda: self._publish(notes=notes.list_notes()))

    def restore_feedback(
        self, notes: Iterable[SessionNote], review: QueryReview, signed: str
    ) -> None:
        """Set the feedback of a project; not a step of the history."""
        self.now = dataclasses.replace(self.now, review=review, signed=signed)
        self._notes.restore_notes(notes)

    def forget(self) -> None:
        """Drop all feedback, as another log was opened."""
        self.now = FeedbackSnapshot()
        self._notes.restore_notes(())

    def learn_findings(self, findings: FlaggedFindings | None) -> None:
        """What the detector found in the log with every rule counting fully."""
        self._publish(findings=findings)

    def replace_review(self, review: QueryReview, text: str = "") -> None:
        """Judge these queries, after those that were judged already."""
        text = text or self.tr("draw of queries to judge")
        self._edit(text, lambda review: self._publish(review=review), review, self.now.review)

    def answer_query(self, place: int, answer: QueryVerdict) -> None:
        """Say of one of the drawn queries whether it is sensitive."""
        queries = list(self.now.review.queries)
        queries[place] = dataclasses.replace(queries[place], answer=answer)
        review = dataclasses.replace(self.now.review, queries=tuple(queries))
        self.replace_review(review, self.tr("judgement of a query"))

    def set_signature(self, text: str) -> None:
        edit_name = self.tr("signature of dismissals")
        self._edit(edit_name, lambda signed: self._publish(signed=signed), text, self.now.signed)

    def _publish(self, **changes: Any) -> None:
        self.now = dataclasses.replace(self.now, **changes)
        self.changed.emit()
        self._pause.start()


def count_feedback(log: QueryLog, snapshot: FeedbackSnapshot) -> RuleFeedback:
    """All answers by rule; none until the log was searched."""
    if snapshot.findings is None:
        return RuleFeedback()
    sessions = [
        feedback.SessionAnswer(note.start, note.stop, right=note.confirmed)
        for note in snapshot.notes
        if note.confirmed or note.dismissed in feedback.FALSE_ALARMS
    ]
    queries = [
        feedback.QueryAnswer(int(log.query[query.row]), right=query.answer == "yes")
        for query in snapshot.review.queries
        if query.answer in ("yes", "no") and query.row < len(log)
    ]
    return feedback.count_answers(snapshot.findings, log.query, sessions, queries)


def judged_sample(review: QueryReview) -> tuple[JudgedStratum, ...]:
    """How each stratum of the random sample came out; skipped queries are left out."""
    rated = [item for item in review.queries if item.stratum >= 0 and item.answer in ("yes", "no")]
    return judged_strata(review.strata, ((item.stratum, item.answer == "yes") for item in rated))


def steward_feedback(
    log: QueryLog,
    snapshot: FeedbackSnapshot,
    secret: bytes,
    weights: Sequence[tuple[str, float]] = (),
    listed: Sequence[FlaggedFindings] = (),
) -> StewardFeedback:
    """The feedback as its file has it; for a worker thread.

    With `listed` it is what is to be signed: every dismissed session, with all that these findings
    flag it for. Without, it holds the signed dismissals that still stand, under their signature.
    """
    digest = keyed_digest(log.digest, secret)
    rules, sample = count_feedback(log, snapshot), judged_sample(snapshot.review)
    draft = file.StewardFeedback(log=digest, rules=rules, weights=dict(weights), sample=sample)
    rows = dismissed_rows(snapshot.notes)
    if listed:
        dismissals = file.collect_dismissals(log, rows, listed, secret)
        return dataclasses.replace(draft, dismissals=dismissals)
    try:
        signed = file.parse_feedback(snapshot.signed.encode()) if snapshot.signed else None
    except AuditorError:
        return draft  # a project that somebody changed: nothing of it is signed
    if signed is None or signed.log != digest:
        return draft
    stands = {file.session_digest(log.digest, *pair, secret): cause for pair, cause in rows.items()}
    kept = tuple(item for item in signed.dismissals if stands.get(item.session) == item.reason)
    return dataclasses.replace(draft, dismissals=kept, weights=signed.weights, signer=signed.signer)


def as_drawn(
    log: QueryLog, codes: Iterable[int], strata: Iterable[int]
) -> tuple[ReviewedQuery, ...]:
    """Drawn queries by the first row that has each; O(rows)."""
    import numpy as np

    first = np.full(len(log.queries), -1, dtype=np.int64)
    rows = np.arange(len(log) - 1, -1, -1)
    first[log.query[rows]] = rows
    pairs = zip(codes, strata, strict=True)
    return tuple(ReviewedQuery(row=int(first[code]), stratum=stratum) for code, stratum in pairs)
