"""The strip that never leaves the screen: may what is shown be released, and why?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from auditor.gui.app.translation import tr, translate_text
from auditor.gui.state.verdicts import StoredApproval
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import EventWatch

if TYPE_CHECKING:
    from auditor.attacks.risk.people_estimate import PeopleEstimate
    from auditor.gui.state.controller import Controller
    from auditor.gui.state.verdicts import VerdictKeeper
    from auditor.release.verdict import ReleaseVerdict

SIGNS = {
    "can-be-released": "circle-check",
    "cannot-be-released": "circle-x",
    "nothing-left": "circle-x",
    "not-checked": "circle-question-mark",
}
"""The drawing of each answer; colour and words say the same."""

LINES, FEWEST = 9, 4
"""Lines of reasons that are shown at once, and in a low window; the rest is scrolled to."""


class VerdictStrip(QFrame):
    """The answer, a sentence in people that says why, and what to do next."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "verdict")
        self.setAccessibleName(self.tr("Verdict"))
        self._tone = ("", "")
        self._shown: tuple[object, ...] | None = None
        self._verdict: ReleaseVerdict | None = None
        self.sign = style.plain_label()
        self.answer = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.sentence = style.plain_label(wrap=True)
        tip = self.tr("Which checks fail, and what the numbers mean")
        self.why = style.button(self.tr("Why"), checkable=True, tip=tip)
        self.why.toggled.connect(self._show_details)
        tip = self.tr("Releases that pass the policy, the most useful first")
        self.suggest = style.button(self.tr("Find a release"), tip=tip)
        self.review = style.button(self.tr("Review"), role="primary")
        self.people = style.button(self.tr("See who"), tip=self.tr("The people who are at risk"))
        self.details = style.plain_label(wrap=True, selectable=True, name=self.tr("Why"))
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reasons = style.scroll_area(self.details)
        for part in (self.reasons, self.reasons.viewport()):
            part.setAutoFillBackground(False)
        self.reasons.viewport().setStyleSheet("background: transparent")
        texts = style.column(None, [self.answer, self.sentence], spacing=0)
        self._buttons = QWidget()
        row = style.row(self._buttons, spacing=style.NORMAL)
        for button in (self.why, self.people, self.suggest, self.review):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        line = style.row(None, [self.sign, (texts, 1), self._buttons], spacing=style.NORMAL)
        margins = style.WIDE, style.NORMAL
        style.column(self, [line, self.reasons], margins=margins, spacing=style.TIGHT)
        self.reasons.hide()
        self.show_verdict(None, self.tr("Open a log to begin."), idle=True)
        EventWatch(self, self._draw_sign, QEvent.Type.PaletteChange)

    def show_verdict(self, verdict: ReleaseVerdict | None, whose: str, idle: bool = False) -> None:
        """Show the verdict on `whose`, or that there is none; only that while `idle`."""
        if not self._begin(id(verdict), whose, idle):
            return
        self._verdict = verdict  # kept, so that no other one gets its number
        self._buttons.setVisible(not idle)
        ran = verdict is not None and not verdict.expected
        self._offer(self.why, *([self.people] if ran else ()), self.suggest, self.review)
        self.people.setEnabled(True)
        state = verdict.state.value if verdict is not None else "not-checked"
        tone = formats.tone_of(verdict)
        self._set_tone(tone, "triangle-alert" if tone == "warn" else SIGNS[state])
        answer = self.tr("Not checked yet") if verdict is None else translate_text(verdict.answer)
        if verdict is not None and verdict.expected:
            answer += self.tr(" (expected)")
        sentences = [] if verdict is None else _say_in_people(verdict)
        reserve = "" if verdict is None else translate_text(verdict.reserve)
        parts = (formats.capitalize(reserve), whose, *sentences)
        lines = [] if verdict is None else _list_reasons(verdict)
        self.why.setEnabled(bool(lines))
        judging = verdict is None and not idle and self.sentence.isVisible()
        # what is judged anew keeps its room: the page below stays where it is
        self.sentence.setMinimumHeight(self.sentence.height() if judging else 0)
        self._say(answer, " \u00b7 ".join(filter(None, parts)), lines)

    def show_log(
        self,
        users: int,
        at_risk: int | None,
        below: int = 0,
        estimate: PeopleEstimate | None = None,
    ) -> None:
        """Say what the log itself gives away, before anything is chosen; None while it is searched.

        `below` more users hold marks, and are not at risk by all that they issued. Until `at_risk`
        is known the `estimate` stands in its place.
        """
        if not self._begin("log", users, at_risk, below, estimate):
            return
        roughly = estimate if at_risk is None and estimate is not None and estimate.low else None
        self._buttons.show()
        self.sentence.setMinimumHeight(0)
        self._offer(self.people, self.suggest)
        self.people.setEnabled(bool(at_risk or below))
        bad = bool(at_risk or roughly)
        self._set_tone("bad" if bad else "info", SIGNS["nothing-left" if bad else "not-checked"])
        every = safe_text.format_plural(users, "user")
        if roughly is not None:
            low, high = map(formats.format_count, roughly.round_outwards())
            answer = self.tr("As it is: no. About {low} to {high} of {users} at risk")
            answer = answer.format(low=low, high=high, users=every)
            whose = self.tr("Estimated from {drawn} users drawn at random; counting all…")
            whose = whose.format(drawn=formats.format_count(roughly.drawn))
        elif at_risk is None:
            answer = self.tr("As it is: not known yet")
            whose = self.tr("Looking for people at risk…")
        elif at_risk:
            answer = self.tr("As it is: no. {at_risk} of {users} at risk")
            answer = answer.format(at_risk=formats.format_count(at_risk), users=every)
            whose = self.tr("By what they searched for")
            if below:
                whose = self.tr("By what they searched for; {below} more hold marks")
            whose = whose.format(below=formats.format_count(below))
        else:
            answer = self.tr("As it is: nobody of {users} was found to be at risk")
            answer = answer.format(users=every)
            whose = self.tr("Detection knows lists and patterns alone: choose a method")
        self._say(answer, whose, ())

    def _say(self, answer: str, sentence: str, reasons: Sequence[str]) -> None:
        self.answer.setText(answer)
        self.sentence.setText(sentence)
        self.details.setText("\n".join(reasons))
        self._show_details(self.why.isChecked())
        self.setAccessibleDescription(f"{answer}. {sentence}")
        parent = self.parentWidget()
        if parent is not None and self.sentence.height() < self.sentence.heightForWidth(
            self.sentence.width()
        ):  # now, not when the layout's turn comes: until then the last line would be cut
            for part in (self, parent):
                layout = part.layout()
                if layout is not None:
                    layout.activate()

    def _begin(self, *content: object) -> bool:
        new = content != self._shown
        self._shown = content
        return new

    def _offer(self, *buttons: QWidget) -> None:
        for button in (self.why, self.people, self.suggest, self.review):
            button.setVisible(button in buttons)

    def _set_tone(self, tone: str, drawing: str) -> None:
        if self._tone != (tone, drawing):
            self._tone = tone, drawing
            style.restyle(self, "tone", tone)
            self._draw_sign()

    def _show_details(self, checked: bool) -> None:
        visible = checked and bool(self.details.text())
        if visible:
            high = self.details.heightForWidth(max(self.width() - 3 * style.WIDE, 200))
            line, window = self.fontMetrics().lineSpacing(), self.window()
            self.reasons.hide()
            spare = window.height() - window.minimumSizeHint().height()
            most = max(FEWEST * line, min(LINES * line, spare))
            self.reasons.setFixedHeight(min(high + style.TIGHT, most))
        self.reasons.setVisible(visible)

    def _draw_sign(self) -> None:
        theme, (tone, drawing) = style.theme_of(self), self._tone
        colours = {"good": theme.good, "warn": theme.warn, "bad": theme.bad, "info": theme.accent}
        size = round(1.9 * self.fontMetrics().height())
        self.sign.setPixmap(style.draw_pixmap(drawing, colours[tone], size))


def _say_in_people(verdict: ReleaseVerdict) -> list[str]:
    """Whom attacks found, what is kept, and what nobody tried."""
    sentences = [translate_text(text) for text in verdict.exposed]
    if not sentences and not verdict.expected:
        sentences = [tr("no attack on people found anything to try")]
        if not verdict.record.made_attacks:
            sentences = [tr("no attack was tried")]
    amount = translate_text(verdict.kept.short)
    if verdict.kept.share is not None and not verdict.expected:
        share = formats.format_percentage(verdict.kept.share)
        amount = tr("{share} of searches").format(share=share)
    if amount:
        keeps = tr("should keep {kept}") if verdict.expected else tr("keeps {kept}")
        sentences.append(keeps.format(kept=amount))
    return sentences


def _list_reasons(verdict: ReleaseVerdict) -> list[str]:
    """What the strip has no room for: every check in the way, then what its numbers mean."""
    checks = tr("Checks: {checks}.").format(checks=translate_text(verdict.checks))
    failed = verdict.obstacles[: len(verdict.failed)]
    causes: dict[str, list[str]] = {}
    for item in verdict.not_run:
        causes.setdefault(translate_text(item.evidence), []).append(translate_text(item.gate.title))
    pattern = tr("Not made: {checks} ({why})")
    if verdict.expected:
        pattern = tr("Not made yet: {checks} ({why})")
    not_made = [pattern.format(checks="; ".join(some), why=why) for why, some in causes.items()]
    numbers = map(translate_text, verdict.sentences[1:])
    return [checks, *map(translate_text, failed), *not_made, *numbers]


def describe_judged(c: Controller, verdicts: VerdictKeeper) -> str:
    """What the verdict is of: a run and who approved it, or the configuration; or why none is."""
    record = c.shown_run
    if record is None:
        if c.opened is None:
            return tr("Open a log to begin.")
        if c.method.outlook is None:
            return tr("This method is known only after a run.")
        return verdicts.problem or tr("Expected of the configuration, before a run")
    outcome = verdicts.of_run(record.number)
    if isinstance(outcome, str):
        return outcome
    text, reviewer = tr("Run {letter}"), outcome.reviewer if outcome is not None else ""
    if record.state != "finished":
        text = tr("Run {letter}: {state}")
    elif reviewer:
        text = tr("Run {letter}, approved by {reviewer}")
    elif outcome is None and record.complete:
        text = tr("Run {letter} is being judged")
    elif outcome is None and record.gates:
        text = tr("Run {letter}, as it was judged when the project was saved")
    elif outcome is None:
        text = tr("Run {letter}, of which only metrics are kept")
    state = style.RUN_SIGNS[record.state].word
    return text.format(letter=record.letter, state=state, reviewer=reviewer)


def describe_approval(c: Controller, verdicts: VerdictKeeper) -> str:
    """Who approved the release of a run that came from a project; empty if nobody did."""
    record = c.shown_run
    approval = None if record is None else verdicts.of_run(record.number)
    if record is None or not isinstance(approval, StoredApproval):
        return ""
    text = tr("The release of run {letter} was approved by {reviewer} on {day}, says the ledger.")
    reviewer = safe_text.shorten_text(approval.reviewer, 200)
    return text.format(letter=record.letter, reviewer=reviewer, day=approval.date[:10])
