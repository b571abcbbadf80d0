"""What a steward's answers say of the detector: its rules, and a random sample to judge.

The rules have a precision and a weight in this project; below stands who signed the dismissals. The
sample says how precise the marks are and how much they miss, with intervals; whether a query is
marked isn't shown, so that nobody agrees out of politeness.
"""

import secrets
from functools import partial
from operator import attrgetter
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtWidgets import (
    QButtonGroup,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.detection.kinds import PII, TOPICS, EntityKind
from auditor.attacks.risk.feedback import (
    FEWEST_ANSWERS,
    RuleFeedback,
    RulePrecision,
    most_informative,
)
from auditor.attacks.risk.query_sample import EstimatedShare, estimate_content, sample_queries
from auditor.attacks.risk.session_scoring import marks_of_rules
from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of
from auditor.errors import AuditorError
from auditor.figures import format_share
from auditor.gui.app.translation import say
from auditor.gui.risk.session_filter import dismissed_rows
from auditor.gui.state.controller import Controller
from auditor.gui.state.feedback_book import (
    as_drawn,
    count_feedback,
    judged_sample,
    steward_feedback,
)
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.dialogs import ask_where_to_save
from auditor.gui.widgets.fields import EventWatch, bind_keys
from auditor.gui.widgets.tables import RIGHT as RIGHT_ALIGNED
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.project.model import QueryReview, QueryVerdict, ReviewedQuery
from auditor.release import signing
from auditor.release.atomic_write import write_file
from auditor.release.feedback import feedback_bytes, parse_feedback

QUEUE = 40
"""Queries that are queued at once, the most informative first."""
LONGEST = 400
MARKED_KINDS = [int(kind) for kind in (EntityKind.PERSON, *PII, *TOPICS)]
"""Kinds of marks that may be sensitive by themselves."""


class SampleView(QWidget):
    """Shows one drawn query after another and what follows from the answers."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller = controller
        self.job = LatestJob()
        self.random = QRadioButton(self.tr("&Random sample: how precise, how much is missed"))
        self.random.setChecked(True)
        self.queue = QRadioButton(self.tr("&Most informative next: which rules are right"))
        self._ways = QButtonGroup(self)
        for option in (self.random, self.queue):
            self._ways.addButton(option)
            option.toggled.connect(self.refresh)
        self.draw = style.button(self.tr("&Draw queries"), self.draw_now)
        text = self.tr("Is this query by itself sensitive, or does it name a private person?")
        self.question = style.plain_label(text, bold=True, wrap=True)
        name = self.tr("The query to judge")
        self.text = style.plain_label(size=1.4, wrap=True, name=name, centred=True)
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Judged so far"))
        self.estimate = style.plain_label(wrap=True, name=self.tr("What follows from it"))
        options = style.column(None, [self.random, self.queue], spacing=style.TIGHT)
        controller.disclosure.toggled.connect(lambda _on: self.refresh())
        top = style.row(None, [(options, 1), self.draw])
        self.card = QFrame()
        self.card.setProperty("role", "card")
        inner = style.column(self.card, [self.question, (self.text, 1)], margins=style.WIDE)
        self.buttons: dict[str, QPushButton] = {}
        words: tuple[tuple[QueryVerdict, str, str], ...] = (
            ("yes", self.tr("Sensitive (Y)"), "Y"),
            ("no", self.tr("Not sensitive (N)"), "N"),
            ("skip", self.tr("Skip (S)"), "S"),
        )
        for answer, word, keys in words:
            button = self.buttons[answer] = style.button(
                word, lambda _on=False, verdict=answer: self.answer_current(verdict)
            )
            bind_keys(self, {keys: button.click})
        inner.addLayout(style.row(None, self.buttons.values()))
        inner.addWidget(self.progress)
        unmask = controller.disclosure.make_box()
        parts: list[style.Part] = [top, unmask, (self.card, 1), self.estimate]
        style.column(self, parts, margins=style.WIDE, spacing=style.NORMAL)
        controller.feedback.changed.connect(self.refresh)
        for moment in (controller.log_opened, controller.log_closed):
            moment.connect(self._forget_drawing)
        self.refresh()

    # what is judged

    @property
    def review(self) -> QueryReview:
        return self._controller.feedback.now.review

    def find_current(self) -> int:
        queries = enumerate(self.review.queries)
        return next((i for i, query in queries if not query.answer and self._of_way(query)), -1)

    def answer_current(self, verdict: QueryVerdict) -> None:
        if (index := self.find_current()) >= 0:
            self._controller.feedback.answer_query(index, verdict)

    def draw_now(self) -> None:
        opened, findings = self._controller.opened, self._controller.feedback.now.findings
        if opened is None or findings is None or self.job.running:
            return
        log, before, feedback = opened.log, self.review, self._controller.feedback.now
        seed = secrets.randbits(32)

        def draw_sample(_progress: Progress) -> QueryReview:
            sample = sample_queries(log, findings, seed=seed)
            queue = tuple(query for query in before.queries if query.stratum < 0)
            queries = as_drawn(log, sample.query.tolist(), sample.stratum.tolist())
            return QueryReview(strata=sample.strata, queries=(*queries, *queue))

        def pick_telling(progress: Progress) -> QueryReview:
            codes = _most_telling(log, feedback.review, progress, count_feedback(log, feedback))
            kept = (query for query in before.queries if query.stratum >= 0 or query.answer)
            queries = as_drawn(log, codes, [-1] * len(codes))
            return QueryReview(strata=before.strata, queries=(*kept, *queries))

        work = draw_sample if self.random.isChecked() else pick_telling

        def store_drawn(review: QueryReview) -> None:
            self._controller.feedback.replace_review(review)
            self.refresh()

        def show_failure(message: str) -> None:
            self.refresh()
            self.text.setText(message)

        self.job.start("draw", work, store_drawn, show_failure)
        self.refresh()

    def _forget_drawing(self) -> None:
        """What is being drawn are rows of another log."""
        self.job.drop()
        self.refresh()

    def _of_way(self, query: ReviewedQuery) -> bool:
        return (query.stratum >= 0) == self.random.isChecked()

    # what is shown

    def refresh(self) -> None:
        opened, index = self._controller.opened, self.find_current()
        listed = [query for query in self.review.queries if self._of_way(query)]
        done = sum(bool(query.answer) for query in listed)
        ready = self._controller.feedback.now.findings is not None
        visible = opened is not None and self._controller.disclosure.isChecked()
        for button in self.buttons.values():
            button.setEnabled(visible and index >= 0 and not self.job.running)
        self.draw.setEnabled(ready and not self.job.running and (index < 0 or not done))
        self.progress.setRange(0, max(1, len(listed)))
        self.progress.setValue(done)
        answered, total = formats.format_count(done), formats.format_count(len(listed))
        self.progress.setFormat(self.tr("{done} of {all} judged").format(done=answered, all=total))
        self.question.setVisible(index >= 0)
        if opened is None:
            text = self.tr("Open a log: its queries are drawn from it.")
        elif self.job.running:
            text = self.tr("Drawing queries…")
        elif index >= 0:
            log, row = opened.log, self.review.queries[index].row
            in_log = row < len(log)
            text = safe_text.make_line(log.queries, int(log.query[row]), LONGEST) if in_log else ""
            text = self._controller.disclosure.mask_text(text)
        elif not ready:
            text = self.tr("The log is being searched first.")
        elif listed:
            text = self.tr("✓ All that was drawn is judged.")
        elif self.random.isChecked():
            text = say("random sample to judge")
        else:
            text = self.tr("40 marked queries whose judgement tells most about the rules.")
        self.text.setText(text)
        self.estimate.setText(self._format_estimate())

    def _format_estimate(self) -> str:
        if not self.random.isChecked():
            return self.tr("These answers count for the rules and never for the estimate.")
        content, count = estimate_content(judged_sample(self.review)), formats.format_count
        lines = []
        if content.precision is not None:
            text = self.tr("Marked queries that are sensitive: {share} of {judged} judged")
            share, total = _format_interval(content.precision), count(content.judged_marked)
            lines.append(text.format(share=share, judged=total))
        if content.missed is not None and (missed := content.missed_queries) is not None:
            text = say("unmarked and sensitive")
            ends = round(missed.low), round(missed.high)
            low, high, unmarked = map(count, (*ends, content.unmarked))
            share, total = _format_interval(content.missed), count(content.judged_unmarked)
            lines.append(text.format(share=share, judged=total, low=low, high=high, all=unmarked))
        if content.recall is not None:
            text = self.tr("Sensitive queries that are marked: {share}")
            lines.append(text.format(share=_format_interval(content.recall)))
        return "\n".join(lines)


def _format_interval(share: EstimatedShare) -> str:
    value, low, high = map(formats.format_percentage, (share.value, share.low, share.high))
    return f"{value} ({low}–{high})"


def _most_telling(
    log: QueryLog, review: QueryReview, progress: Progress, feedback: RuleFeedback
) -> list[int]:
    marks = marks_of_rules(log.queries, rules_of(SurvivingContentParams()), progress)
    marks = marks.take(np.isin(marks.kind, MARKED_KINDS))
    judged = {int(log.query[query.row]) for query in review.queries if query.answer}
    codes = marks.query[most_informative(marks, feedback, len(marks))].tolist()
    return [code for code in dict.fromkeys(codes) if code not in judged][:QUEUE]


RULE, RIGHT, WRONG, PRECISION, WEIGHT, SUGGESTED = range(6)


class RulesView(QWidget):
    """One line for each rule with answers or with a changed weight."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller = controller
        self._job = LatestJob()
        self.shown: tuple[FlaggedFindings, ...] = ()
        """What is listed: a signature covers what these flag sessions for."""
        self.intro = style.plain_label(say("how rules are judged"), role="muted", wrap=True)
        self.table = self._make_table()
        text = self.tr("No answer yet: confirm or dismiss sessions, or judge queries in Sample.")
        self.empty = style.plain_label(text, role="muted", wrap=True, centred=True)
        self.state = style.plain_label(wrap=True, name=self.tr("Who signed the dismissals"))
        parts: list[style.Part] = [self.intro, (self.table, 1), (self.empty, 1), self.state]
        parts.append(self._make_signature())
        style.column(self, parts, margins=style.WIDE, spacing=style.NORMAL)
        controller.feedback.changed.connect(self.refresh)
        controller.intents.changed.connect(lambda _intent: self.refresh())
        EventWatch(self, self.refresh, QEvent.Type.Show)
        self.refresh()

    def refresh(self) -> None:
        self._say_signed()
        if not self.isVisible():
            return
        opened = self._controller.opened
        weights = dict(self._controller.intent.rule_weights)
        precisions: list[RulePrecision] = []
        if opened is not None:
            precisions = count_feedback(opened.log, self._controller.feedback.now).list_precisions()
        rules: dict[str, RulePrecision | None] = {answers.rule: answers for answers in precisions}
        rules |= dict.fromkeys(sorted(set(weights) - set(rules)))
        self.table.setRowCount(len(rules))
        for row, (rule, answers) in enumerate(rules.items()):
            self._fill_row(row, rule, weights.get(rule, 1.0), answers)
        self.table.setVisible(bool(rules))
        self.empty.setVisible(not rules)

    def set_weight(self, rule: str, weight: float) -> None:
        text, number = self.tr("weight of {rule}: {weight}"), formats.format_fixed(weight, 2)
        self._controller.intents.weigh_rules({rule: weight}, text.format(rule=rule, weight=number))

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, 6)
        table.setAccessibleName(self.tr("Rules of the detector"))
        heads = [self.tr("Rule"), self.tr("Right"), self.tr("Wrong")]
        heads += [self.tr("Precision (95 % interval)"), self.tr("Weight here")]
        table.setHorizontalHeaderLabels([*heads, self.tr("Suggested")])
        table.verticalHeader().hide()
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        head = table.horizontalHeader()
        head.setSectionResizeMode(head.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(RULE, head.ResizeMode.Stretch)
        return table

    def _fill_row(self, row: int, rule: str, weight: float, answers: RulePrecision | None) -> None:
        cells = [rule, "0", "0", ""]
        if answers is not None:
            right, wrong = map(formats.format_count, (answers.confirmed, answers.dismissed))
            share, low, high = map(format_share, (answers.precision, answers.low, answers.high))
            interval = self.tr("{share} ({low} to {high})").format(share=share, low=low, high=high)
            cells = [rule, right, wrong, interval]
        for column, text in enumerate(cells):
            item = QTableWidgetItem(text)
            if column in (RIGHT, WRONG):
                item.setTextAlignment(RIGHT_ALIGNED)
            self.table.setItem(row, column, item)
        spin = self.table.cellWidget(row, WEIGHT)
        if not isinstance(spin, QDoubleSpinBox) or spin.property("rule") != rule:
            spin = QDoubleSpinBox(minimum=0.0, maximum=1.0, singleStep=0.05, decimals=2)
            style.prepare_spin_box(spin)
            spin.setSpecialValueText(self.tr("off"))
            spin.setKeyboardTracking(False)
            spin.setProperty("rule", rule)
            spin.setAccessibleName(self.tr("Weight of {rule}").format(rule=rule))
            spin.valueChanged.connect(partial(self.set_weight, rule))
            self.table.setCellWidget(row, WEIGHT, spin)
        with QSignalBlocker(spin):
            spin.setValue(weight)
        self.table.removeCellWidget(row, SUGGESTED)
        if answers is None or answers.suggested_weight == weight:
            has_few = answers is not None and answers.confirmed + answers.dismissed < FEWEST_ANSWERS
            hint = self.tr("from {count} answers on") if has_few else ""
            item = QTableWidgetItem(hint.format(count=FEWEST_ANSWERS))
            self.table.setItem(row, SUGGESTED, item)
            return
        suggested = answers.suggested_weight
        word = self.tr("Switch off") if suggested == 0 else formats.format_fixed(suggested, 2)
        name = self.tr("Take the suggested weight of {rule}").format(rule=rule)
        button = style.button(word, lambda: self.set_weight(rule, suggested), name=name)
        self.table.setCellWidget(row, SUGGESTED, button)

    # signing

    def _make_signature(self) -> QHBoxLayout:
        self.name = style.line_edit(self.tr("Who signs"), self.tr("Your name"), length=200)
        hint = self.tr("Signing key: a file that is yours alone; made if it is not there yet")
        self.key = style.line_edit(self.tr("Signing key"), hint)
        self.sign = style.button(
            self.tr("&Sign the dismissals"),
            lambda: self._sign_or_save(None),
            tip=self.tr("Signed dismissals lower a check's count where the policy lets them"),
        )
        tip = self.tr("A file for auditor audit --feedback; it names no query")
        self.save = style.button(self.tr("Save &feedback…"), self._save_feedback, tip=tip)
        row = style.row(None, [(self.name, 1), (self.key, 2), self.sign, self.save])
        for field in (self.name, self.key):
            field.textChanged.connect(lambda _text: self._say_signed())
        return row

    def _save_feedback(self) -> None:
        title, kinds = self.tr("Save feedback"), [self.tr("Feedback (*.json)")]
        ask_where_to_save(self, title, self._sign_or_save, kinds, "json", name="feedback.json")

    def _sign_or_save(self, path: Path | None) -> None:
        """Sign what is dismissed, or save it to `path`, in a thread: a key may have to be made."""
        opened = self._controller.opened
        if opened is None or self._job.running:
            return
        log, feedback_now = opened.log, self._controller.feedback.now
        weights, listed = self._controller.intent.rule_weights, self.shown
        name, key = self.name.text().strip(), self.key.text().strip()
        place = Path(key).expanduser().absolute() if key and path is None else None

        def run_signing(_progress: Progress) -> str:
            secret = signing.audit_secret(signing.audit_key())
            feedback = steward_feedback(log, feedback_now, secret, weights, listed)
            if place is not None and not place.exists():
                signing.new_key(place)
            private = signing.private_key(place) if place is not None else None
            text = feedback_bytes(feedback, private, name).decode()
            if private is None and feedback_now.signed:  # it stands while nothing else is said
                before = parse_feedback(feedback_now.signed.encode())
                parts = attrgetter("rules", "weights", "sample", "dismissals")
                text = feedback_now.signed if parts(before) == parts(feedback) else text
            if path is not None:
                write_file(path, [text.encode()])
            return text

        def finish_signing(text: str) -> None:
            if path is None:
                self._controller.feedback.set_signature(text)
            else:
                message = self.tr("✓ Saved. It names no query and can be read by you alone.")
                self.state.setText(message)

        self._job.start("signing", run_signing, finish_signing, self._show_failure)

    def _show_failure(self, message: str) -> None:
        self._say_signed()
        self.state.setText(self.tr("✗ {message}").format(message=message))

    def _say_signed(self) -> None:
        book = self._controller.feedback
        dismissed_count = len(dismissed_rows(book.now.notes))
        sessions = formats.format_plural(dismissed_count, "session")
        ready = bool(self.name.text().strip() and self.key.text().strip())
        self.sign.setEnabled(dismissed_count > 0 and ready)
        self.save.setEnabled(self._controller.opened is not None)
        if not book.now.signed:
            text = self.tr("Dismissed: {sessions}. None is signed: none lowers a check.")
            self.state.setText(text.format(sessions=sessions))
            return
        try:
            feedback = parse_feedback(book.now.signed.encode())
        except AuditorError as error:
            self.state.setText(str(error))
            return
        text = say("who signed the dismissals")
        signed = formats.format_count(len(feedback.counting))
        name, day = (feedback.signer.name, feedback.signer.at[:10]) if feedback.signer else ("", "")
        self.state.setText(text.format(sessions=sessions, signed=signed, name=name, day=day))
