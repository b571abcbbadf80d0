"""The detector's rules as a steward's answers show them: precision, and weight in this project.

Below stands who signed the dismissals, and where to sign or save them.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from pathlib import Path

from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QTableWidget, QTableWidgetItem, QWidget

from auditor.attacks.base import FlaggedFindings
from auditor.attacks.risk.feedback import FEWEST_ANSWERS, RulePrecision
from auditor.errors import AuditorError
from auditor.figures import format_share
from auditor.gui.app.translation import say
from auditor.gui.risk.session_filter import dismissed_rows
from auditor.gui.state.controller import Controller
from auditor.gui.state.feedback_book import count_feedback, steward_feedback
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.dialogs import ask_where_to_save
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.tables import RIGHT as RIGHT_ALIGNED
from auditor.progress import Progress

RULE, RIGHT, WRONG, PRECISION, WEIGHT, SUGGESTED = range(6)


class RulesView(QWidget):
    """One line a rule that somebody said something of, or whose weight was changed."""

    def __init__(self, controller: Controller, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._job = LatestJob()
        self.shown: tuple[FlaggedFindings, ...] = ()
        """What is listed: a signature covers what these flag sessions for."""
        self.intro = style.plain_label(say("how rules are judged"), role="muted", wrap=True)
        self.table = self._make_table()
        self.empty = style.plain_label(
            self.tr("No answer yet: confirm or dismiss sessions, or judge queries in Sample."),
            role="muted",
            wrap=True,
            centred=True,
        )
        self.state = style.plain_label(wrap=True, name=self.tr("Who signed the dismissals"))
        style.column(
            self,
            [self.intro, (self.table, 1), (self.empty, 1), self.state, self._make_signature()],
            margins=style.WIDE,
            spacing=style.NORMAL,
        )
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
            few = answers is not None and answers.confirmed + answers.dismissed < FEWEST_ANSWERS
            hint = self.tr("from {count} answers on").format(count=FEWEST_ANSWERS) if few else ""
            self.table.setItem(row, SUGGESTED, QTableWidgetItem(hint))
            return
        suggested = answers.suggested_weight
        word = self.tr("Switch off") if suggested == 0 else formats.format_fixed(suggested, 2)
        name = self.tr("Take the suggested weight of {rule}").format(rule=rule)
        button = style.button(word, lambda: self.set_weight(rule, suggested), name=name)
        self.table.setCellWidget(row, SUGGESTED, button)

    # signing

    def _make_signature(self) -> QHBoxLayout:
        self.name = style.line_edit(self.tr("Who signs"), self.tr("Your name"), most=200)
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
        log, now = opened.log, self._controller.feedback.now
        weights, listed = self._controller.intent.rule_weights, self.shown
        name, key = self.name.text().strip(), self.key.text().strip()
        place = Path(key).expanduser().absolute() if key and path is None else None

        def run_signing(_progress: Progress) -> str:
            from auditor.release import signing
            from auditor.release.atomic_write import write_file
            from auditor.release.feedback.file import feedback_bytes, parse_feedback

            secret = signing.audit_secret(signing.audit_key())
            feedback = steward_feedback(log, now, secret, weights, listed)
            if place is not None and not place.exists():
                signing.new_key(place)
            private = signing.private_key(place) if place is not None else None
            text = feedback_bytes(feedback, private, name).decode()
            if private is None and now.signed:  # signed last: it stands while nothing else is said
                before = parse_feedback(now.signed.encode())
                parts = attrgetter("rules", "weights", "sample", "dismissals")
                text = now.signed if parts(before) == parts(feedback) else text
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
        away = len(dismissed_rows(book.now.notes))
        ready = bool(self.name.text().strip() and self.key.text().strip())
        self.sign.setEnabled(away > 0 and ready)
        self.save.setEnabled(self._controller.opened is not None)
        if not book.now.signed:
            text = self.tr("Dismissed: {sessions}. None is signed: none lowers a check.")
            self.state.setText(text.format(sessions=safe_text.format_plural(away, "session")))
            return
        from auditor.release.feedback.file import parse_feedback

        try:
            feedback = parse_feedback(book.now.signed.encode())
        except AuditorError as error:
            self.state.setText(str(error))
            return
        text = say("who signed the dismissals")
        signed = formats.format_count(len(feedback.counting))
        name, day = (feedback.signer.name, feedback.signer.at[:10]) if feedback.signer else ("", "")
        sessions = safe_text.format_plural(away, "session")
        self.state.setText(text.format(sessions=sessions, signed=signed, name=name, day=day))
