"""One gate of a policy as a row: on or off, its limits and meaning, and what a run comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from auditor.gui.app.translation import localize_number, tr, translate_all, translate_text
from auditor.gui.widgets import style
from auditor.gui.widgets.wrapping_check_box import WrappingCheckBox

if TYPE_CHECKING:
    from auditor.release.policy.editing import GateDraft
    from auditor.release.policy.schema import GateMetric
    from auditor.release.record import GateVerdict

KEYS = ("least", "most")


class GateRow(QFrame):
    """Shows an entry; `edited` tells what somebody made of it, `wrong` of what is no number."""

    edited = Signal(object)
    wrong = Signal(str, str)
    """Name of the gate, what is wrong with what was typed; empty when nothing is any more."""

    def __init__(self, entry: GateDraft, known: GateMetric, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._entry = entry
        self.box = WrappingCheckBox(translate_text(entry.gate.title).replace("&", "&&"))
        self.box.setFont(style.scaled_font(self.box, bold=True))
        self.box.setAccessibleDescription(translate_text(known.meaning))
        self.box.toggled.connect(self._toggle_gate)
        self.verdict = style.plain_label(size=style.SMALL, bold=True)
        top = QHBoxLayout()
        top.addWidget(self.box, 1)
        top.addWidget(self.verdict)
        self.fields = {key: self._make_field(key) for key in KEYS}
        self.limits = QWidget()
        line = QHBoxLayout(self.limits)
        line.setContentsMargins(0, 0, 0, 0)
        ends = {"least": self.tr("at least"), "most": self.tr("at most")}
        for key in KEYS:
            line.addWidget(style.plain_label(ends[key]))
            line.addWidget(self.fields[key])
        line.addWidget(style.plain_label(translate_text(known.unit), role="muted"))
        line.addStretch(1)
        self.complaint = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.complaint.hide()
        self.evidence = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.evidence.hide()
        column = QVBoxLayout(self)
        column.setSpacing(style.TIGHT)
        column.addLayout(top)
        inside = QVBoxLayout()
        inside.setContentsMargins(style.WIDE + style.NORMAL, 0, 0, 0)
        inside.setSpacing(style.TIGHT)
        told = [translate_text(known.meaning)]
        if entry.gate.reasons:
            told.append(self.tr("Only: {}.").format(", ".join(translate_all(entry.gate.reasons))))
        if known.runs:
            told.append(self.tr("A run has to make: {}.").format(known.runs))
        inside.addWidget(
            style.plain_label(" ".join(told), size=style.SMALL, role="muted", wrap=True)
        )
        if entry.gate.why:
            inside.addWidget(
                style.plain_label(translate_text(entry.gate.why), size=style.SMALL, wrap=True)
            )
        inside.addWidget(self.limits)
        self.follows = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        inside.addWidget(self.follows)
        self.feedback = WrappingCheckBox(
            self.tr("Signed dismissals and signed weights of rules lower this count")
        )
        self.feedback.setAccessibleDescription(
            self.tr("Without it they are shown beside the count and change no verdict")
        )
        self.feedback.setToolTip(self.feedback.accessibleDescription())
        self.feedback.setVisible(entry.gate.takes_feedback)
        self.feedback.toggled.connect(self._allow_feedback)
        for part in (self.feedback, self.complaint, self.evidence):
            inside.addWidget(part)
        column.addLayout(inside)
        self.show_entry(entry)

    def _make_field(self, key: str) -> QLineEdit:
        field = QLineEdit(maxLength=30)
        field.setFixedWidth(field.fontMetrics().horizontalAdvance("0") * 12)
        field.setPlaceholderText(self.tr("no limit"))
        word = self.tr("at least") if key == "least" else self.tr("at most")
        field.setAccessibleName(f"{translate_text(self._entry.gate.title)}: {word}")
        field.editingFinished.connect(lambda: self._apply_limit(key))
        return field

    def show_entry(self, entry: GateDraft) -> None:
        """Show what the draft says of the gate."""
        self._entry = entry
        self.box.blockSignals(True)
        self.box.setChecked(entry.on)
        self.box.blockSignals(False)
        self.limits.setEnabled(entry.on)
        formula = entry.gate.formula
        self.follows.setText(
            (
                self.tr("Follows from the policy's table of limits: {}")
                if "(" in formula
                else self.tr("“{}” in the policy's table of limits; others follow from it")
            ).format(formula)
        )
        self.follows.setVisible(bool(formula))
        self.feedback.blockSignals(True)
        self.feedback.setChecked(entry.gate.feedback)
        self.feedback.blockSignals(False)
        self.feedback.setEnabled(entry.on)
        for key, field in self.fields.items():
            field.setText(self._limit_text(key))
        self.wrong.emit(entry.gate.name, "")

    def show_complaint(self, text: str) -> None:
        """Say what is wrong with the limits; nothing if they are fine."""
        self.complaint.setText(text)
        self.complaint.setVisible(bool(text))

    def show_verdict(self, word: str, role: str, judged: GateVerdict | None) -> None:
        """What the run that is open comes to; empty where there is none."""
        self.verdict.setText(tr(word))
        if self.verdict.property("role") != role:
            style.restyle(self.verdict, "role", role)
        self.evidence.setText(
            self.tr("This run: {}").format(translate_text(judged.evidence))
            if judged is not None
            else ""
        )
        self.evidence.setVisible(judged is not None)

    def _toggle_gate(self, on: bool) -> None:
        self.edited.emit(replace(self._entry, on=on))

    def _allow_feedback(self, on: bool) -> None:
        self.edited.emit(replace(self._entry, gate=replace(self._entry.gate, feedback=on)))

    def _limit_text(self, key: str) -> str:
        value = getattr(self._entry.gate, key)
        digits = 6 if "(" in self._entry.gate.formula else 12
        return "" if value is None else localize_number(f"{value:.{digits}g}")

    def _apply_limit(self, key: str) -> None:
        text = self.fields[key].text().strip().replace(",", ".")
        try:
            value = float(text) if text else None
        except ValueError:
            said = self.tr("{} must be a number, or empty for no limit.")
            self.wrong.emit(self._entry.gate.name, said.format(f"{self._entry.gate.name}.{key}"))
            return
        shown = self.fields[key].text() == self._limit_text(key)  # rounded, and typed by nobody
        if shown or value == getattr(self._entry.gate, key):
            self.show_entry(self._entry)
        else:
            self.edited.emit(self._entry.with_limit(key, value))
