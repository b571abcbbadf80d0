"""Queries to judge one by one: a random sample, or those whose judgement tells most.

The random sample says how precise the marks are and how much they miss, with intervals; whether a
query is marked isn't shown, so that nobody agrees out of politeness.
"""

from __future__ import annotations

import secrets

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QFrame, QProgressBar, QPushButton, QRadioButton, QWidget

from auditor.attacks.detection.kinds import PII, TOPICS, EntityKind
from auditor.attacks.risk.feedback import RuleFeedback, most_informative
from auditor.attacks.risk.query_sample import EstimatedShare, estimate_content, sample_queries
from auditor.gui.app.translation import say
from auditor.gui.risk.table_model import bind_keys
from auditor.gui.state.controller import Controller
from auditor.gui.state.feedback_book import as_drawn, count_feedback, judged_sample
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.project.model import QueryReview, QueryVerdict, ReviewedQuery

QUEUE = 40
"""Queries that are queued at once, the most informative first."""
LONGEST = 400
MARKED_KINDS = [int(kind) for kind in (EntityKind.PERSON, *PII, *TOPICS)]
"""Kinds of marks that may be sensitive by themselves."""


class SampleView(QWidget):
    """Shows one drawn query after another and what follows from the answers."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        parts: list[style.Part] = [top, (self.card, 1), self.estimate]
        style.column(self, parts, margins=style.WIDE, spacing=style.NORMAL)
        controller.feedback.changed.connect(self.refresh)
        controller.log_opened.connect(self._forget_drawing)
        controller.log_closed.connect(self._forget_drawing)
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
        log, before, now = opened.log, self.review, self._controller.feedback.now
        seed = secrets.randbits(32)

        def draw_sample(_progress: Progress) -> QueryReview:
            drawn = sample_queries(log, findings, seed=seed)
            queue = tuple(query for query in before.queries if query.stratum < 0)
            some = as_drawn(log, drawn.query.tolist(), drawn.stratum.tolist())
            return QueryReview(strata=drawn.strata, queries=(*some, *queue))

        def pick_telling(progress: Progress) -> QueryReview:
            codes = _most_telling(log, now.review, progress, count_feedback(log, now))
            rest = tuple(query for query in before.queries if query.stratum >= 0 or query.answer)
            some = as_drawn(log, codes, [-1] * len(codes))
            return QueryReview(strata=before.strata, queries=(*rest, *some))

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
        mine = [query for query in self.review.queries if self._of_way(query)]
        done = sum(bool(query.answer) for query in mine)
        ready = self._controller.feedback.now.findings is not None
        for button in self.buttons.values():
            button.setEnabled(index >= 0 and opened is not None and not self.job.running)
        self.draw.setEnabled(ready and not self.job.running and (index < 0 or not done))
        self.progress.setRange(0, max(1, len(mine)))
        self.progress.setValue(done)
        answered, every = formats.format_count(done), formats.format_count(len(mine))
        self.progress.setFormat(self.tr("{done} of {all} judged").format(done=answered, all=every))
        self.question.setVisible(index >= 0)
        if opened is None:
            text = self.tr("Open a log: its queries are drawn from it.")
        elif self.job.running:
            text = self.tr("Drawing queries…")
        elif index >= 0:
            log, row = opened.log, self.review.queries[index].row
            in_log = row < len(log)
            text = safe_text.make_line(log.queries, int(log.query[row]), LONGEST) if in_log else ""
        elif not ready:
            text = self.tr("The log is being searched first.")
        elif mine:
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
            low, high, every = map(count, (round(missed.low), round(missed.high), content.unmarked))
            share, total = _format_interval(content.missed), count(content.judged_unmarked)
            lines.append(text.format(share=share, judged=total, low=low, high=high, all=every))
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
    from auditor.attacks.risk.session_scoring import marks_of_rules
    from auditor.attacks.surviving_content.attack import SurvivingContentParams, rules_of

    marks = marks_of_rules(log.queries, rules_of(SurvivingContentParams()), progress)
    marks = marks.take(np.isin(marks.kind, MARKED_KINDS))
    judged = {int(log.query[query.row]) for query in review.queries if query.answer}
    codes = marks.query[most_informative(marks, feedback, len(marks))].tolist()
    return [code for code in dict.fromkeys(codes) if code not in judged][:QUEUE]
