"""The cards of the review: the statement, the figures, what survives. All text is plain."""

from __future__ import annotations

import dataclasses
import shlex
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFormLayout, QFrame, QLabel, QLineEdit, QWidget

from auditor.attacks.base import AttackResult, FlaggedFindings
from auditor.attacks.dp_audit import summary
from auditor.attacks.registry import choose_first
from auditor.engine.run import Run
from auditor.errors import ParameterError
from auditor.figures import MetricValue
from auditor.gui.app.translation import say, tr, translate_all, translate_text
from auditor.gui.protect.statement_panel import EvidenceScale
from auditor.gui.risk import session_filter
from auditor.gui.risk.session_data import reason_said
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import FoldedSection
from auditor.gui.widgets.dialogs import Mode, ask_for_files
from auditor.gui.widgets.fields import ChoiceBox, WrappingCheckBox, ignore_wheel
from auditor.privacy.statement import Statement
from auditor.project.model import SessionNote
from auditor.release.manifest import MANIFEST
from auditor.release.policy.attestation import SCOPE, ContractAttestation, attested_field
from auditor.release.policy.policy import Gate, gate_words
from auditor.release.record import ReleaseRecord
from auditor.release.report.registry_card import has_card


@dataclass(frozen=True)
class SurvivalSummary:
    """Of whom at risk something stands in the release; by reason, the most surviving first.

    `reasons` holds (reason, people at risk for it, of whom something marked survives). Where an
    attack judges no people, sessions stand in their place.
    """

    at_risk: int
    surviving: int
    queries: int
    reasons: tuple[tuple[str, int, int], ...]
    exposed: tuple[session_filter.Rows, ...] = ()
    """Rows of the log of those of whom something survives."""
    below: int = 0
    """People of less risk of whom something survives, too."""
    people: bool = False
    dismissed: Mapping[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    """Reason → (flagged sessions that were put away for it, of which something survives)."""
    noted: int = 0
    """Flagged sessions of which somebody said something."""

    def format_sentence(self) -> str:
        below = formats.format_plural(self.below, "user", "users")
        if not self.at_risk and not self.people:
            return say("no session flagged")
        if not self.at_risk:
            text = tr("Nobody was found to be at risk.")
            if self.below:
                text += tr(" Of {below} of less risk a marked query stands in the release.")
            return text.format(below=below)
        nouns = "session was flagged", "sessions were flagged"
        if self.people:
            nouns = "user is at risk", "users are at risk"
        flagged = formats.format_plural(self.at_risk, *nouns)
        text = say("those that survive" if self.surviving else "nobody survives").format(
            flagged=flagged,
            surviving=formats.format_count(self.surviving),
            queries=formats.format_plural(self.queries, "marked query", "marked queries"),
        )
        if self.below:
            text += tr(" It does of {below} of less risk, too.").format(below=below)
        return text

    def count_opened(self, opened: Iterable[int]) -> int:
        """Of how many whom something survives of somebody `opened` a session, by its first row."""
        rows = sorted(opened)
        return sum(bisect_left(rows, a) < bisect_left(rows, b) for a, b in self.exposed)


def findings_of(result: Run) -> FlaggedFindings | None:
    return result.findings.get(choose_first(result.findings))


def count_survival(findings: FlaggedFindings) -> SurvivalSummary:
    """Count of whom something survives; O(people × reasons)."""
    judged = findings.people or findings
    at_risk, stands = judged.risk >= judged.least, judged.surviving > 0
    exposed = at_risk & stands
    rows = [
        (reason, int((has & at_risk).sum()), int((has & exposed).sum()))
        for reason, has in judged.find_reasons().items()
        if (has & at_risk).any()
    ]
    rows.sort(key=lambda row: (-row[2], -row[1]))
    return SurvivalSummary(
        int(at_risk.sum()),
        int(exposed.sum()),
        int(judged.surviving[exposed].sum(dtype=np.int64)),
        tuple(rows),
        tuple(zip(judged.start[exposed].tolist(), judged.stop[exposed].tolist(), strict=True)),
        int((stands & ~at_risk).sum()),
        findings.people is not None,
    )


def survival_of(result: Run, notes: Sequence[SessionNote]) -> SurvivalSummary | None:
    """What survives of those shown first, and which sessions of any attack's were judged."""
    findings = findings_of(result)
    if findings is None:
        return None
    all_findings = [attack.findings for attack in result.attacks if attack.findings is not None]
    dismissals = session_filter.count_dismissals(all_findings, notes)
    noted = session_filter.count_noted(all_findings, notes)
    return replace(count_survival(findings), dismissed=dismissals, noted=noted)


def key_figures(result: Run) -> tuple[list[MetricValue], list[MetricValue]]:
    """(those to read first, all the others), each in the run's order.

    First come the claim, every attack's rate, and of each measure and attack the first figure
    that speaks of privacy or utility.
    """
    parts = [m.values for m in result.measures] + [a.values for a in result.attacks]
    first = [next((value for value in values if value.side), None) for values in parts]
    names = {value.name for value in first if value is not None}
    names |= {"epsilon", "delta"} | {f"{attack.attack}.rate" for attack in result.attacks}
    key = [value for value in result.values if value.name in names]
    return key, [value for value in result.values if value.name not in names]


def list_confirmations(
    statement: Statement, survived: SurvivalSummary | None, opened: Iterable[int] = ()
) -> list[str]:
    """What a reviewer has to say yes to before this run may leave the house."""
    confirmed = [tr("I have read what is guaranteed here, and what is not.")]
    if failing := len(statement.failing):
        count_text = formats.format_plural(failing, "assumption fails", "assumptions fail")
        text = tr("I know that {which}: the guarantee does not hold as stated.")
        confirmed.append(text.format(which=count_text))
    if survived is not None and survived.dismissed:
        dismissed_count = sum(count for count, _ in survived.dismissed.values())
        count_text = formats.format_plural(dismissed_count, "session was", "sessions were")
        confirmed.append(tr("I agree that {which} dismissed by hand.").format(which=count_text))
    if survived is not None and survived.surviving:
        text = tr("I have looked at those of whom something survives: {opened} of {all} opened.")
        counts = map(formats.format_count, (survived.count_opened(opened), survived.surviving))
        confirmed.append(text.format(**dict(zip(("opened", "all"), counts, strict=True))))
    return confirmed


def suggested_folder(result: Run, parent: Path) -> Path:
    """A folder that doesn't exist yet, named after method and day."""
    name = f"release-{result.release.method}-{date.today().isoformat()}"
    folder, number = parent / name, 2
    while folder.exists():
        folder, number = parent / f"{name}-{number}", number + 1
    return folder


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
        gates = {attested_field(check.gate): check.gate for check in record.judged}
        gates.pop("", None)
        if gates == self._needed:
            return
        self._needed, self.fields, words = gates, {}, gate_words(SCOPE)
        self.agreed.setChecked(False)
        required, optional = QFormLayout(), QFormLayout()
        for name in sorted(words, key=lambda name: name not in gates):
            self._add_field(required if name in gates else optional, name, words[name])
        title = self.tr("Contract: other fields") if gates else self.tr("Contract: what is agreed")
        fold = FoldedSection(title)
        fold.column.addLayout(optional)
        content = style.filled(style.column(None, [required, fold], spacing=style.TIGHT))
        (self._column if gates else fold.column).addWidget(self.agreed)
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
                field = style.line_edit(label, hint, length=500)
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
        self.problem = ""
        try:
            attestation = ContractAttestation.of(reviewer, self.read_fields())
        except ParameterError as error:
            self.problem = translate_text(str(error))
            return ContractAttestation()
        return attestation if attestation.fields else ContractAttestation()


def _prefill(kind: str, limit: int) -> str:
    """A policy's limit as a field has it: a count, or the last day after so many years."""
    if kind == "text" or not limit:
        return ""
    today = ContractAttestation().on
    last = today.replace(year=today.year + limit, day=min(today.day, 28))
    return str(limit) if kind == "count" else last.isoformat()


class ReviewCard(QFrame):
    """A titled box that things are put into one under the other."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        heading = style.plain_label(title, size=style.HEADING, bold=True, wrap=True)
        self.column = style.column(self, [heading], margins=None, spacing=style.NORMAL)

    def add_paragraph(
        self, text: str, *, role: str = "", bold: bool = False, tip: str = ""
    ) -> None:
        label = style.plain_label(text, role=role, bold=bold, wrap=True, selectable=True)
        label.setToolTip(safe_text.plain_tip(tip))
        self.column.addWidget(label)


@dataclass(frozen=True)
class ExportReceipt:
    """What was written, and what the recipient gets."""

    folder: Path
    words: str
    """Whether it is signed, and what stands beside it."""
    files: int = 0
    size: int = 0
    """Bytes of all files."""
    public_key: Path | None = None
    """The file with which a recipient checks the signature; None where it isn't there."""
    released: str = ""
    """By what name the ledger knows it; empty where nobody signed."""
    review_by: str = ""
    """The day by which somebody attested to review it again, as ISO 8601 has it; empty without."""


class ReceiptCard(ReviewCard):
    """What came of an export: where it stands, what to send, and how the recipient checks it."""

    again = Signal()
    """Somebody wants to make one more release of the same run."""

    def __init__(self) -> None:
        super().__init__(tr("The release is written"))
        label = partial(style.plain_label, wrap=True)
        self.where, self.send = label(selectable=True, bold=True), label(selectable=True)
        self.check, self.command = label(), label(selectable=True, role="code")
        self.review = label()
        self.copy_path = style.button(tr("Copy the path"), lambda: self._copy(self.where))
        self.copy_command = style.button(tr("Copy the command"), lambda: self._copy(self.command))
        again_button = style.button(tr("Make another release"), self.again)
        for part in (self.where, self.send, self.check, self.command):
            self.column.addWidget(part)
        self.column.addLayout(style.row(None, [self.copy_path, self.copy_command, 1, again_button]))
        self.column.addWidget(self.review)
        self.column.addStretch(1)

    def show_receipt(self, receipt: ExportReceipt) -> None:
        name, key = receipt.folder.name, receipt.public_key
        self.where.setText(str(receipt.folder))
        text = tr("Send the folder whole: {files}, {size}. Nothing that stands beside it leaves.")
        files = formats.format_plural(receipt.files, "file")
        text = text.format(files=files, size=safe_text.format_bytes(receipt.size))
        command = f"auditor verify {shlex.quote(name)}"
        checks = tr("It is a draft: nobody approved it. The recipient checks that it is whole:")
        if receipt.released:
            checks = tr("It is signed; the public key is elsewhere. To check that it is whole:")
        if key is not None:
            text += " " + tr("Send {key}, too, by another way.").format(key=key.name)
            command += f" --public-key {shlex.quote(key.name)}"
            checks = tr("The recipient checks that it is whole and signed by you:")
        self.send.setText(text)
        self.check.setText(checks)
        self.command.setText(command)
        review = tr("To be reviewed by {day}.").format(day=receipt.review_by)
        self.review.setText(review if receipt.review_by else tr("No day of review was attested."))

    def _copy(self, label: QLabel) -> None:
        QGuiApplication.clipboard().setText(label.text())


def statement_card(statement: Statement, attacks: Sequence[AttackResult] = ()) -> ReviewCard:
    """Headline, audit, claim, what is protected, and every assumption, the failing ones first."""
    card = ReviewCard(tr("What is guaranteed"))
    headline = formats.capitalize(translate_text(statement.write_headline()))
    card.add_paragraph(headline, bold=True, role="bad" if statement.failing else "")
    audit, scale = summary.summarize_audit(statement, attacks), EvidenceScale()
    card.column.addWidget(scale)
    scale.show_audited(audit)
    role = "bad" if audit.outcome == "refuted" else ""
    card.add_paragraph(translate_text(summary.write_verdict(audit)), role=role)
    card.add_paragraph(translate_text(statement.claim))
    facts = tr("Protected: {unit}.").format(unit=translate_text(statement.unit))
    if statement.neighbours:
        neighbours = translate_text(statement.neighbours)
        facts += tr(" Neighbouring logs: {neighbours}.").format(neighbours=neighbours)
    if statement.user_column is not None:
        facts += f" {translate_text(statement.user_column.text)}"
    card.add_paragraph(facts, role="muted")
    if not statement.assumptions:
        return card
    grid = style.grid(stretch={1: 1}, across=style.NORMAL, down=-1)
    for row, (status, text) in enumerate(formats.list_assumptions(statement)):
        sign = style.ASSUMPTION_SIGNS[status]
        role = "bad" if sign.colour == "bad" else ""
        mark = style.plain_label(f"{sign.icon} {sign.word}", bold=True, role=role)
        grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(style.plain_label(text, wrap=True), row, 1)
    card.column.addLayout(grid)
    return card


def figures_card(result: Run) -> ReviewCard:
    """The figures that decide, and behind a button all the others."""
    card = ReviewCard(tr("What it gives and costs"))
    key, other_figures = key_figures(result)
    if not key and not other_figures:
        card.add_paragraph(tr("No measure or attack was run."), role="muted")
        return card
    card.column.addWidget(_make_grid(key or other_figures))
    if key and other_figures:
        count = len(other_figures)
        fold = FoldedSection(formats.format_plural(count, "other metric", "other metrics"))

        def fill_fold() -> None:
            if not fold.column.count():  # hundreds of labels, which few people ask for
                fold.column.addWidget(_make_grid(other_figures))

        fold.button.toggled.connect(fill_fold)
        card.column.addWidget(fold)
    for name, reason in result.skipped.items():
        text = tr("{name}: not done, it {why}.").format(name=name, why=translate_text(reason))
        card.add_paragraph(text, role="muted")
    return card


def _make_grid(values: Sequence[MetricValue]) -> QWidget:
    box = QWidget()
    grid = style.grid(box, {0: 3, 1: 2})
    for row, value in enumerate(values):
        name = style.plain_label(translate_text(value.label), wrap=True)
        name.setToolTip(escape(translate_text(value.help)))  # our own words, and plain all the same
        grid.addWidget(name, row, 0)
        number = style.plain_label(formats.format_metric(value), bold=True, wrap=True)
        number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(number, row, 1)
        if value.better:
            hint = style.plain_label(tr(formats.BETTER[value.better]), role="muted", wrap=True)
            grid.addWidget(hint, row, 2)
    return box


def survival_card(survived: SurvivalSummary | None, text: str = "") -> ReviewCard:
    """What of the flagged sessions stands in the release; `text` while it isn't known."""
    card = ReviewCard(tr("Of whom something survives"))
    if survived is None:
        card.add_paragraph(text, role="muted")
        return card
    card.add_paragraph(survived.format_sentence())
    if survived.reasons:
        box, right = QWidget(), Qt.AlignmentFlag.AlignRight
        grid = style.grid(box, {0: 1})
        people = tr("users at risk") if survived.people else tr("sessions flagged")
        headings = tr("Reason"), people, tr("something survives")
        for column, heading in enumerate(headings):
            label = style.plain_label(heading, role="muted", wrap=True)
            if column:
                label.setAlignment(right | Qt.AlignmentFlag.AlignBottom)
            grid.addWidget(label, 0, column)
        for row, (reason, *counts) in enumerate(survived.reasons, start=1):
            grid.addWidget(style.plain_label(translate_text(reason), wrap=True), row, 0)
            for column, count in enumerate(counts, start=1):
                bold = column == 2 and count > 0
                label = style.plain_label(formats.format_count(count), bold=bold)
                label.setAlignment(right)
                grid.addWidget(label, row, column)
        card.column.addWidget(box)
    if survived.dismissed:
        card.add_paragraph(dismissed_said(survived.dismissed), bold=True)
        card.add_paragraph(say("what dismissals lower"), role="muted")
    return card


def dismissed_said(dismissed: Mapping[str, tuple[int, int]]) -> str:
    tr = QCoreApplication.translate
    total, stands = map(sum, zip(*dismissed.values(), strict=True))
    text = tr("Review", "{which} dismissed by hand: {reasons}.")
    counts = ((formats.format_count(count), reason) for reason, (count, _) in dismissed.items())
    reasons = "; ".join(f"{count} {reason_said(reason)}" for count, reason in counts)
    count_text = formats.format_plural(total, "session was", "sessions were")
    sentence = text.format(which=count_text, reasons=reasons)
    if stands:
        text = tr("Review", "Of {count} of them something survives.")
        sentence += " " + text.format(count=formats.format_count(stands))
    return sentence


FINDINGS = {"found": "bad", "not measured": "bad", "not found": "", "stated": "muted"}


class OfficerCard(ReviewCard):
    """Three questions of WP 216 and four others; what an answer rests on is unfolded."""

    def __init__(self, record: ReleaseRecord) -> None:
        from auditor.release.officer import answer_officer

        super().__init__(tr("For the data protection officer"))
        for row in answer_officer(record):
            question = f"{translate_text(row.question)} ({row.source})"
            self.add_paragraph(question, bold=True)
            self.add_paragraph(translate_text(row.answer), role=FINDINGS.get(row.finding, "muted"))
            if row.evidence:
                fold = FoldedSection(self.tr("What it rests on"))
                text = "\n".join(translate_all(row.evidence))
                small = style.plain_label(text, size=style.SMALL, wrap=True, selectable=True)
                fold.column.addWidget(small)
                self.column.addWidget(fold)
        self.column.addStretch(1)


class SignOffCard(ReviewCard):
    """Who approves a release, with which key, and what they attest and confirm."""

    changed = Signal()
    attested = Signal()
    """The reviewer, or what they attest of the contract, is another."""

    def __init__(self, fields: Sequence[tuple[str, QWidget]] = ()) -> None:
        """Make the card; more `fields` with their labels stand below the reviewer."""
        super().__init__(tr("Sign-off"))
        hint = self.tr("Who approves this release")
        self.reviewer = style.line_edit(self.tr("Reviewer"), hint, length=200)
        self.key = style.line_edit(self.tr("Signing key"), self.tr("Yours alone; made if missing"))
        form = QFormLayout()
        rows = (self.tr("&Reviewer"), self.reviewer), *fields, (self.tr("Signing &key"), self.key)
        for label, field in rows:
            form.addRow(label, field)
        self.column.addLayout(form)
        text = self.tr("What you write stands in the release: no query text there.")
        self.add_paragraph(text, role="muted")
        self.contract = AttestationForm()
        self.column.addWidget(self.contract)
        self.confirmations: list[WrappingCheckBox] = []
        for line in (self.reviewer, self.key):
            line.textChanged.connect(self.changed)
        self.contract.changed.connect(self.attested)
        self.reviewer.editingFinished.connect(self.attested)

    def ask_to_confirm(self, texts: Sequence[str]) -> None:
        """Have the reviewer tick these; what was ticked before stays so."""
        checked = {box.given for box in self.confirmations if box.isChecked()}
        for box in self.confirmations:
            self.column.removeWidget(box)
            box.deleteLater()
        self.confirmations = []
        for text in texts:
            box = WrappingCheckBox(text)
            box.setChecked(text in checked)
            box.toggled.connect(self.changed)
            self.column.addWidget(box)
            QWidget.setTabOrder([self.key, *self.confirmations][-1], box)  # made late, used before
            self.confirmations.append(box)

    @property
    def reviewer_name(self) -> str:
        return self.reviewer.text().strip()

    @property
    def key_path(self) -> Path | None:
        typed = self.key.text().strip()
        return Path(typed).expanduser().absolute() if typed else None

    def attest(self) -> ContractAttestation:
        return self.contract.attest(self.reviewer_name)

    def describe_missing(self) -> str:
        """What is still to be filled in or ticked, in words; the key may be left out."""
        if not self.reviewer_name:
            return self.tr("Enter the reviewer's name.")
        if self.contract.problem:
            return self.contract.problem
        ticked = all(box.isChecked() for box in self.confirmations)
        return "" if ticked else self.tr("Tick what you confirm.")


class TargetCard(ReviewCard):
    """The folder and what is written there; `changed` when it is another folder."""

    changed = Signal()

    def __init__(self, result: Run) -> None:
        super().__init__(self.tr("Where to"))
        self._result = result
        home = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        parent = Path(home) if home and Path(home).is_dir() else Path.home()
        self.folder = QLineEdit(str(suggested_folder(result, parent)))
        self.folder.setAccessibleName(self.tr("Release folder"))
        self.folder.textChanged.connect(self.changed)
        choose = style.button(self.tr("C&hoose…"), self._choose_folder, auto_default=False)
        row = style.row(None, [(self.folder, 1), choose])
        name = QLabel(self.tr("&Folder"))
        name.setBuddy(self.folder)
        form = QFormLayout()
        form.addRow(name, row)
        self.format = ChoiceBox(self.tr("Form of the released log"))
        self.format.setParent(self)  # also where no log is released
        self.format.addItem(self.tr("tab-separated text (log.tsv)"), "tsv")
        self.format.addItem(self.tr("Parquet (log.parquet)"), "parquet")
        self.format.setVisible(result.release.log is not None)
        if result.release.log is not None:
            form.addRow(self.tr("F&orm"), self.format)
        self.column.addLayout(form)
        box = partial(WrappingCheckBox, parent=self)
        self.replace = box(self.tr("R&eplace an older release that stands there"))
        self.pdf = box(self.tr("The report as a &PDF, too"))
        self.pdf.setChecked(True)
        self.internal = box(self.tr("An &internal report with examples, beside the folder"))
        tip = self.tr("It holds searches of the log as they were typed. Never pass it on.")
        self.internal.setToolTip(tip)
        self.safe = box(self.tr("Escape cells that a &spreadsheet would take for a formula"))
        text = self.tr("A s&ynthetic log made of the tables alone, in a folder beside it")
        self.synthetic = box(text)
        self.synthetic.setToolTip(say("synthetic sessions"))
        self.card = box(self.tr("A card for the public re&gistry of differential privacy"))
        self.card.setToolTip(self.tr("What the registry asks, as far as this release tells it."))
        tables, more_section = result.release.tables, FoldedSection(self.tr("More"))
        for part in (self.replace, more_section):
            self.column.addWidget(part)
        walked = tables is not None and not tables.ngrams and tables.alone is None
        for part, offered in (
            (self.pdf, True),
            (self.internal, True),
            (self.safe, tables is not None),
            (self.synthetic, walked),
            (self.card, has_card(result.release.statement)),
        ):
            part.setVisible(offered)
            if offered:
                more_section.column.addWidget(part)

    def read_folder_path(self) -> Path | None:
        text = self.folder.text().strip()
        return Path(text).expanduser().absolute() if text else None

    def read_options(self) -> dict[str, Any]:
        """What `write_release` takes of it."""
        return {
            "overwrite": self.replace.isChecked(),
            "log_format": self.format.currentData(),
            "spreadsheet_safe": self.safe.isChecked(),
            "pdf": self.pdf.isChecked(),
        }

    def _choose_folder(self) -> None:
        current, title = (
            self.read_folder_path(),
            self.tr("Choose where the release folder is to stand"),
        )
        start = str(current.parent) if current is not None and current.parent.is_dir() else ""
        ask_for_files(self, title, self._set_folder, mode=Mode.Directory, folder=start)

    def _set_folder(self, paths: Sequence[Path]) -> None:
        (folder,) = paths
        try:
            full = any(folder.iterdir()) and not (folder / MANIFEST).exists()
        except OSError:
            full = False
        target = suggested_folder(self._result, folder) if full else folder
        self.folder.setText(str(target))
