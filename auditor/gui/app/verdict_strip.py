"""The strip that never leaves the screen: may what is shown be released, and why?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.state.verdicts import StoredApproval
from auditor.gui.widgets import formats, icons, safe_text, style
from auditor.gui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
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

FACTS = (
    ("checks", mark_for_translation("Checks")),
    ("kept", mark_for_translation("What is kept")),
    ("guarantee", mark_for_translation("Guarantee")),
    ("worst", mark_for_translation("Worst attack")),
)


WIDTH = 150
"""Characters below which the four figures go to a line of their own."""
LINES, FEWEST = 12, 4
"""Lines of reasons that are shown at once, and in a low window; the rest is scrolled to."""


class VerdictStrip(QFrame):
    """The answer, four figures that say why, and what to do next."""

    review_wanted = Signal()
    suggest_wanted = Signal()
    people_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "verdict")
        self.setAccessibleName(self.tr("Verdict"))
        self._tone: tuple[str, str] | None = None
        self._shown: tuple[object, ...] | None = None
        self._verdict: ReleaseVerdict | None = None
        self.sign = style.plain_label()
        self.answer = style.plain_label(size=style.HEADING, bold=True)
        self.whose = ElidedLabel(size=style.SMALL, role="muted")
        self.facts = {name: ElidedLabel() for name, _ in FACTS}
        self.why = style.button(
            self.tr("Why"),
            checkable=True,
            tip=self.tr("Which checks fail, and what the numbers mean"),
        )
        self.why.toggled.connect(self._show_details)
        self.suggest = style.button(
            self.tr("Suggest"), self.suggest_wanted, tip=self.tr("What would make a better release")
        )
        self.review = style.button(self.tr("Review"), self.review_wanted, role="primary")
        self.people = style.button(
            self.tr("See who"), self.people_wanted, tip=self.tr("The people who are at risk")
        )
        self.details = style.plain_label(wrap=True, selectable=True, name=self.tr("Why"))
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reasons = style.scroll_area(self.details)
        for part in (self.reasons, self.reasons.viewport()):
            part.setAutoFillBackground(False)
        self.reasons.viewport().setStyleSheet("background: transparent")
        self._lay_out()
        self.show_verdict(None, self.tr("Open a log to begin."), idle=True)

    def _lay_out(self) -> None:
        head = QGridLayout()
        head.setHorizontalSpacing(style.NORMAL)
        head.setVerticalSpacing(0)
        head.addWidget(self.sign, 0, 0, 2, 1)
        head.addWidget(self.answer, 0, 1)
        head.addWidget(self.whose, 1, 1)
        head.setColumnStretch(2, 1)  # else the sign would take what the words leave
        self._figures = QWidget()
        self._figures.installEventFilter(self)
        cells = style.row(self._figures, spacing=style.WIDE)
        for name, title in FACTS:
            cell = style.column(
                None,
                [style.plain_label(tr(title), size=style.SMALL, role="muted"), self.facts[name]],
                spacing=0,
            )
            self.facts[name].setAccessibleDescription(tr(title))
            cells.addLayout(cell)
        cells.addStretch(1)
        self._line = style.row(None, [head, (self._figures, 1)], spacing=style.WIDE)
        self._buttons = QWidget()
        row = style.row(self._buttons, spacing=style.NORMAL)
        for button in (self.why, self.people, self.suggest, self.review):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            row.addWidget(button)
        self._line.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignRight)
        self._column = style.column(
            self,
            [self._line, self.reasons],
            margins=(style.WIDE, style.NORMAL),
            spacing=style.TIGHT,
        )
        self.reasons.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the figures a line of their own where they would be cut beside the answer."""
        super().resizeEvent(event)
        narrow = self.width() < WIDTH * self.fontMetrics().averageCharWidth()
        if narrow == (self._line.indexOf(self._figures) < 0):
            return
        if narrow:
            self._line.removeWidget(self._figures)
            self._column.insertWidget(1, self._figures)
        else:
            self._column.removeWidget(self._figures)
            self._line.insertWidget(1, self._figures, 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the room of the figures anew when there is more or less of it."""
        if watched is self._figures and event.type() == QEvent.Type.Resize:
            self._share_room()
        return super().eventFilter(watched, event)

    def _share_room(self) -> None:
        """Say as many figures as fit in full, the first of them first, and the others shorter."""
        widths = {label: label.measure_widths() for label in self.facts.values()}
        room = self._figures.width() - style.WIDE * len(widths)
        room -= sum(short for short, _ in widths.values())
        for label, (short, whole) in widths.items():
            label.prefer_short(whole - short > room)
            room -= 0 if whole - short > room else whole - short

    def show_verdict(self, verdict: ReleaseVerdict | None, whose: str, idle: bool = False) -> None:
        """Show a verdict, or that there is none yet; `whose` says what it is of.

        While the window is `idle`, without a log and without runs, nothing else is shown.
        """
        if not self._begin(id(verdict), whose, idle):
            return
        self._verdict = verdict  # kept, so that no other one gets its number
        self._figures.setVisible(not idle and verdict is not None)
        self._buttons.setVisible(not idle)
        self._offer(self.why, self.suggest, self.review)
        state = verdict.state.value if verdict is not None else "not-checked"
        tone = formats.tone_of(verdict)
        self._set_tone(tone, "triangle-alert" if tone == "warn" else SIGNS[state])
        said_so = self.tr("Not checked yet") if verdict is None else translate_text(verdict.answer)
        if verdict is not None and verdict.expected:
            said_so += self.tr(" (expected)")
        self.answer.setText(said_so)
        rests = "" if verdict is None else translate_text(verdict.reserve)
        self.whose.show_text(" · ".join(filter(None, (formats.capitalize(rests), whose))))
        said = {} if verdict is None else self._format_facts(verdict)
        for name, label in self.facts.items():
            label.show_text(*said.get(name, ("–",)))
        self._share_room()
        lines = [] if verdict is None else _list_reasons(verdict)
        self.details.setText("\n".join(lines))
        self.why.setEnabled(bool(lines))
        self._show_details(self.why.isChecked())
        self.setAccessibleDescription(
            f"{self.answer.text()}. {'. '.join(whole for whole, _ in said.values())}"
        )

    def show_log(self, users: int, at_risk: int | None, below: int = 0) -> None:
        """Say what the log itself gives away, before anything is chosen; None while it is searched.

        `below` more users hold marks, and are not at risk by all that they issued.
        """
        if not self._begin("log", users, at_risk, below):
            return
        self._figures.hide()
        self._buttons.show()
        self._offer(self.people, self.suggest)
        self.people.setEnabled(bool(at_risk or below))
        sign = SIGNS["nothing-left" if at_risk else "not-checked"]
        self._set_tone("bad" if at_risk else "info", sign)
        every = formats.format_count(users)
        if at_risk is None:
            answer, whose = (
                self.tr("As it is: not known yet"),
                self.tr("Looking for people at risk…"),
            )
        elif at_risk:
            answer = self.tr("As it is: no. {at_risk} of {users} users are at risk").format(
                at_risk=formats.format_count(at_risk), users=every
            )
            whose = self.tr("By what they searched for; {below} more hold marks").format(
                below=formats.format_count(below)
            )
        else:
            answer = self.tr("As it is: nobody of {users} users was found to be at risk").format(
                users=every
            )
            whose = self.tr("Detection knows lists and patterns alone: choose a method")
        self.answer.setText(answer)
        self.whose.show_text(whose)
        self.details.clear()
        self._show_details(False)
        self.setAccessibleDescription(f"{answer}. {whose}")

    def _begin(self, *shown: object) -> bool:
        """Whether something else is to be shown than what is."""
        new = shown != self._shown
        self._shown = shown
        return new

    def _offer(self, *buttons: QWidget) -> None:
        for button in (self.why, self.people, self.suggest, self.review):
            button.setVisible(button in buttons)
        self.suggest.setText(
            self.tr("Find a release") if self.people in buttons else self.tr("Suggest")
        )

    def _set_tone(self, tone: str, drawing: str) -> None:
        if self._tone != (tone, drawing):
            self._tone = tone, drawing
            style.restyle(self, "tone", tone)
            self._draw_sign(tone, drawing)

    def _format_facts(self, verdict: ReleaseVerdict) -> dict[str, tuple[str, str]]:
        """The four figures, each in full and as short as it can be said."""
        kept, guarantee = verdict.kept_short, verdict.guarantee
        if verdict.expected:
            nothing = self.tr("not tried yet")
        else:
            nothing = self.tr("nothing to try") if verdict.attacks else self.tr("none was tried")
        return {
            "checks": (_format_checks(verdict), _format_failed_checks(verdict)),
            "kept": (translate_text(kept) or "–", formats.say_kept(verdict)),
            "guarantee": (translate_text(guarantee.short), translate_text(guarantee.brief)),
            "worst": (nothing, nothing)
            if verdict.worst is None
            else (_format_worst_attack(verdict), formats.say_worst(verdict)),
        }

    def _show_details(self, wanted: bool) -> None:
        shown = wanted and bool(self.details.text())
        if shown:
            high = self.details.heightForWidth(max(self.width() - 3 * style.WIDE, 200))
            line, window = self.fontMetrics().lineSpacing(), self.window()
            self.reasons.hide()
            spare = window.height() - window.minimumSizeHint().height()
            most = max(FEWEST * line, min(LINES * line, spare))
            self.reasons.setFixedHeight(min(high + style.TIGHT, most))
        self.reasons.setVisible(shown)

    def _draw_sign(self, tone: str, drawing: str) -> None:
        theme = style.theme_of(self)
        colour = {"good": theme.good, "warn": theme.warn, "bad": theme.bad, "info": theme.accent}[
            tone
        ]
        size = round(1.9 * self.fontMetrics().height())
        self.sign.setPixmap(icons.draw_pixmap(drawing, colour, size))

    def changeEvent(self, event: QEvent) -> None:
        """Draw the sign anew in another theme."""
        super().changeEvent(event)
        tone = self.__dict__.get("_tone")
        if event.type() == QEvent.Type.PaletteChange and tone is not None:
            self._draw_sign(*tone)


def _list_reasons(verdict: ReleaseVerdict) -> list[str]:
    """What the strip has no room for: every check in the way, then what its numbers mean."""
    lines = []
    made = tr("Not made yet") if verdict.expected else tr("Not made")
    for head, checks in ((tr("Failed"), verdict.failed), (made, verdict.not_run)):
        for one in checks:
            title, evidence = translate_text(one.gate.title), translate_text(one.evidence)
            lines.append(f"{head}: {title} ({evidence})")
    if verdict.overridden:
        said = tr("A reviewer let pass with a reason: {names}.")
        judged = (*verdict.failed, *verdict.not_run)
        named = {one.gate.name: translate_text(one.gate.title) for one in judged}
        lines.append(said.format(names="; ".join(named.get(n, n) for n in verdict.overridden)))
    lines.append(translate_text(verdict.guarantee.sentence))
    worst = verdict.worst
    if worst is not None:
        said = tr("Of {attacks} attacks the worst is {attack} ({label}).")
        if verdict.attacks == 1:
            said = tr("The only attack that was tried is {attack} ({label}).")
        lines.append(
            said.format(
                attacks=verdict.attacks,
                attack=_format_worst_attack(verdict),
                label=translate_text(worst.label),
            )
        )
    return [line for line in lines if line]


def _format_failed_checks(verdict: ReleaseVerdict) -> str:
    if verdict.overridden:
        said = tr("{let} of {applicable} let pass with a reason")
        return said.format(let=len(verdict.overridden), applicable=verdict.applicable)
    said = tr("{failed} of {applicable} failed")
    return said.format(failed=len(verdict.failed), applicable=verdict.applicable)


def _format_checks(verdict: ReleaseVerdict) -> str:
    said = _format_failed_checks(verdict)
    if verdict.not_run and not verdict.overridden:
        said += tr(", {number} not made").format(number=len(verdict.not_run))
    return said


def _format_worst_attack(verdict: ReleaseVerdict) -> str:
    worst = verdict.worst
    assert worst is not None
    from auditor.release.verdict import describe_rate

    return tr("{attack}: {rate}; guessing {baseline}").format(
        attack=translate_text(worst.title),
        rate=translate_text(describe_rate(verdict.record, worst)),
        baseline=formats.format_percentage(worst.baseline),
    )


def describe_judged(c: Controller, verdicts: VerdictKeeper) -> str:
    """What the verdict is of: a run and who approved it, or the configuration; or why none is."""
    record = c.shown_run
    if record is None:
        if c.opened is None:
            return tr("Open a log to begin.")
        if c.method.outlook is None:
            return tr("This method is known only after a run.")
        return verdicts.problem or tr("Expected of the configuration, before a run")
    judged = verdicts.of_run(record.number)
    if isinstance(judged, str):
        return judged
    said, reviewer = tr("Run {letter}"), judged.reviewer if judged is not None else ""
    if record.state != "finished":
        said = tr("Run {letter}: {state}")
    elif reviewer:
        said = tr("Run {letter}, approved by {reviewer}")
    elif judged is None and record.complete:
        said = tr("Run {letter} is being judged")
    elif judged is None and record.gates:
        said = tr("Run {letter}, as it was judged when the project was saved")
    elif judged is None:
        said = tr("Run {letter}, of which only metrics are kept")
    state = style.RUN_SIGNS[record.state].word
    return said.format(letter=record.letter, state=state, reviewer=reviewer)


def describe_approval(c: Controller, verdicts: VerdictKeeper) -> str:
    """Who approved the release of a run that came from a project; empty if nobody did."""
    record = c.shown_run
    found = None if record is None else verdicts.of_run(record.number)
    if record is None or not isinstance(found, StoredApproval):
        return ""
    said = tr("The release of run {letter} was approved by {reviewer} on {day}, says the ledger.")
    reviewer = safe_text.shorten_text(found.reviewer, 200)
    return said.format(letter=record.letter, reviewer=reviewer, day=found.at[:10])
