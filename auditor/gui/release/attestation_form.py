"""What a reviewer attests of the contract: fields, those first that the policy asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from auditor.gui.app.translation import translate_text
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.areas import FoldedSection
from auditor.gui.widgets.fields import ignore_wheel
from auditor.gui.widgets.wrapping import WrappingCheckBox

if TYPE_CHECKING:
    from auditor.release.policy.attestation import ContractAttestation
    from auditor.release.policy.policy import Gate
    from auditor.release.record import ReleaseRecord


class AttestationForm(QWidget):
    """Fields with the policy's limits filled in; they count once somebody ticks that they hold."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QWidget] = {}
        self.problem = ""
        """What is wrong with a field, in words."""
        text = self.tr("I attest what stands here of the contract; the program measures none of it")
        self.agreed = WrappingCheckBox(text)
        self.agreed.toggled.connect(self.changed)
        self._content = QWidget()
        self._column = style.column(self, [self._content, self.agreed], spacing=style.TIGHT)
        self._needed: dict[str, Gate] | None = None
        self.hide()

    def show_needs(self, record: ReleaseRecord) -> None:
        from auditor.release.policy.attestation import SCOPE, attested_field
        from auditor.release.policy.policy import gate_words

        needed = {attested_field(check.gate): check.gate for check in record.judged}
        needed.pop("", None)
        if needed == self._needed:
            return
        self._needed, self.fields, words = needed, {}, gate_words(SCOPE)
        self.agreed.setChecked(False)
        required, others = QFormLayout(), QFormLayout()
        for name in sorted(words, key=lambda name: name not in needed):
            self._add_field(required if name in needed else others, name, words[name])
        title = self.tr("Contract: other fields") if needed else self.tr("Contract: what is agreed")
        fold = FoldedSection(title)
        fold.column.addLayout(others)
        content = style.filled(style.column(None, [required, fold], spacing=style.TIGHT))
        (self._column if needed else fold.column).addWidget(self.agreed)
        self._column.replaceWidget(self._content, content)
        self._content.hide()
        self._content.deleteLater()
        self._content = content
        self.show()

    def _add_field(self, form: QFormLayout, name: str, words: Any) -> None:
        label = translate_text(words["label"])
        gate = (self._needed or {}).get(name)
        limit = 0 if gate is None else (gate.most if gate.most is not None else gate.least) or 0
        field: WrappingCheckBox | QComboBox | QLineEdit
        match words["kind"]:
            case "flag":
                field = WrappingCheckBox(label)
                field.toggled.connect(self._edited)
                form.addRow(field)
            case "choice":
                field = QComboBox()
                ignore_wheel(field)
                field.addItem("–", "")
                for value, option in words["options"].items():
                    field.addItem(translate_text(option["label"]), value)
                field.setCurrentIndex(int(limit))
                field.currentIndexChanged.connect(self._edited)
                form.addRow(label, field)
            case kind:
                hint = self.tr("YYYY-MM-DD") if kind == "day" else ""
                field = style.line_edit(label, hint, most=500)
                field.setText(_prefill(kind, int(limit)))
                field.editingFinished.connect(self._edited)
                form.addRow(label, field)
        field.setAccessibleName(label)
        field.setToolTip(safe_text.plain_tip(translate_text(words["help"])))
        self.fields[name] = field

    def _edited(self) -> None:
        if self.agreed.isChecked():
            self.changed.emit()

    def read_fields(self) -> dict[str, Any]:
        """What is filled in, as a file has it; nothing before somebody attests it."""
        plain: dict[str, Any] = {}
        for name, field in self.fields.items() if self.agreed.isChecked() else ():
            if isinstance(field, WrappingCheckBox):
                plain |= {name: True} if field.isChecked() else {}
                continue
            text = field.currentData() if isinstance(field, QComboBox) else ""
            text = field.text().strip() if isinstance(field, QLineEdit) else text
            is_count = text.isascii() and text.isdecimal() and len(text) < 10
            plain |= {name: int(text) if is_count else text} if text else {}
        return plain

    def attest(self, reviewer: str) -> ContractAttestation:
        """What the reviewer attests; nothing where no field is filled in, or one is wrong."""
        from auditor.errors import ParameterError
        from auditor.release.policy.attestation import ContractAttestation

        self.problem = ""
        try:
            attestation = ContractAttestation.of(reviewer, self.read_fields())
        except ParameterError as error:
            self.problem = translate_text(str(error))
            return ContractAttestation()
        return attestation if attestation.fields else ContractAttestation()


def _prefill(kind: str, limit: int) -> str:
    """A policy's limit as a field has it: a count, or the last day after so many years."""
    from auditor.release.policy.attestation import ContractAttestation

    if kind == "text" or not limit:
        return ""
    today = ContractAttestation().on
    last = today.replace(year=today.year + limit, day=min(today.day, 28))
    return str(limit) if kind == "count" else last.isoformat()
