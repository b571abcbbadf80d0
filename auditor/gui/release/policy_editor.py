"""Policy: every gate with its meaning and limits, and what the run that is open makes of each.

Reading, judging and writing go on in threads. Nothing is in force before "Use this policy".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QUndoStack
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QFrame, QLineEdit, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import (
    localize_number,
    read_figure,
    tr,
    translate_all,
    translate_text,
)
from auditor.gui.release.gates_card import SIGNS
from auditor.gui.state.intent_editor import UndoableEdit
from auditor.gui.state.verdicts import PolicyKeeper, RunEvidence, gather_evidence
from auditor.gui.state.worker import LatestJob, Work
from auditor.gui.widgets import style
from auditor.gui.widgets.dialogs import ask_for_files, ask_where_to_save
from auditor.gui.widgets.fields import WrappingCheckBox, ignore_wheel
from auditor.log.model import QueryLog
from auditor.progress import Progress
from auditor.release.atomic_write import replaced_file, write_file
from auditor.release.policy import policy
from auditor.release.policy.policy import GateMetric, find_metric, read_policy_text
from auditor.release.record import GateVerdict

if TYPE_CHECKING:
    from auditor.release.policy.editing import GateDraft, PolicyDraft


class GateRow(QFrame):
    """Edits one gate; `edited` carries its new state, `wrong` an invalid number."""

    edited = Signal(object)
    wrong = Signal(str, str)
    """Name of the gate, what is wrong with what was typed; empty when nothing is any more."""

    def __init__(self, entry: GateDraft, metric: GateMetric) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._entry = entry
        self.box = WrappingCheckBox(translate_text(entry.gate.title).replace("&", "&&"))
        self.box.setFont(style.scaled_font(self.box, bold=True))
        self.box.setAccessibleDescription(translate_text(metric.meaning))
        self.box.toggled.connect(lambda on: self.edited.emit(replace(self._entry, on=on)))
        self.verdict = style.plain_label(size=style.SMALL, bold=True)
        top = style.row(None, [(self.box, 1), self.verdict])
        self.fields: dict[str, QLineEdit] = {}
        self.limits = QWidget()
        line: list[style.Part] = []
        for key, word in (("least", self.tr("at least")), ("most", self.tr("at most"))):
            field = self.fields[key] = QLineEdit(maxLength=30)
            field.setFixedWidth(field.fontMetrics().horizontalAdvance("0") * 12)
            field.setPlaceholderText(self.tr("no limit"))
            field.setAccessibleName(f"{translate_text(entry.gate.title)}: {word}")
            field.editingFinished.connect(partial(self._apply_limit, key))
            line += [style.plain_label(word), field]
        unit = style.plain_label(translate_text(metric.unit), role="muted")
        style.row(self.limits, [*line, unit, 1])
        small = partial(style.plain_label, size=style.SMALL, wrap=True)
        self.complaint, self.evidence = small(role="bad"), small(role="muted")
        for part in (self.complaint, self.evidence):
            part.hide()
        texts = [translate_text(metric.meaning)]
        if entry.gate.reasons:
            texts.append(self.tr("Only: {}.").format(", ".join(translate_all(entry.gate.reasons))))
        if metric.runs:
            texts.append(self.tr("A run has to make: {}.").format(metric.runs))
        reason_labels = [small(translate_text(entry.gate.why))] if entry.gate.why else []
        self.follows = small(role="muted")
        text = self.tr("Signed dismissals and signed weights of rules lower this count")
        self.feedback = WrappingCheckBox(text)
        tip = self.tr("Without it they are shown beside the count and change no verdict")
        self.feedback.setAccessibleDescription(tip)
        self.feedback.setToolTip(tip)
        self.feedback.setVisible(entry.gate.takes_feedback)
        self.feedback.toggled.connect(
            lambda on: self.edited.emit(
                replace(self._entry, gate=replace(self._entry.gate, feedback=on))
            )
        )
        meaning, limits = small(" ".join(texts), role="muted"), [self.limits, self.follows]
        parts = [meaning, *reason_labels, *limits, self.feedback, self.complaint, self.evidence]
        indent = (style.WIDE + style.NORMAL, 0, 0, 0)
        content = style.column(None, parts, margins=indent, spacing=style.TIGHT)
        style.column(self, [top, content], margins=None, spacing=style.TIGHT)
        self.show_entry(entry)

    def show_entry(self, entry: GateDraft) -> None:
        self._entry = entry
        with QSignalBlocker(self.box):
            self.box.setChecked(entry.on)
        self.limits.setEnabled(entry.on)
        formula = entry.gate.formula
        text = self.tr("“{}” in the policy's table of limits; others follow from it")
        if "(" in formula:
            text = self.tr("Follows from the policy's table of limits: {}")
        style.show_text(self.follows, text.format(formula) if formula else "")
        with QSignalBlocker(self.feedback):
            self.feedback.setChecked(entry.gate.feedback)
        self.feedback.setEnabled(entry.on)
        for key, field in self.fields.items():
            field.setText(self._limit_text(key))
        self.wrong.emit(entry.gate.name, "")

    def show_verdict(self, check: GateVerdict | None) -> None:
        word, role = SIGNS[check.verdict] if check is not None else ("", "")
        self.verdict.setText(tr(word))
        if self.verdict.property("role") != role:
            style.restyle(self.verdict, "role", role)
        evidence = translate_text(check.evidence) if check is not None else ""
        text = self.tr("This run: {}").format(evidence) if check is not None else ""
        style.show_text(self.evidence, text)

    def _limit_text(self, key: str) -> str:
        value = getattr(self._entry.gate, key)
        digits = 6 if "(" in self._entry.gate.formula else 12
        return "" if value is None else localize_number(f"{value:.{digits}g}")

    def _apply_limit(self, key: str) -> None:
        text = read_figure(self.fields[key].text())
        try:
            value = float(text) if text else None
        except ValueError:
            message = self.tr("{} must be a number, or empty for no limit.")
            self.wrong.emit(self._entry.gate.name, message.format(f"{self._entry.gate.name}.{key}"))
            return
        unchanged = self.fields[key].text() == self._limit_text(key)  # rounded, and typed by nobody
        if unchanged or value == getattr(self._entry.gate, key):
            self.show_entry(self._entry)
        else:
            self.edited.emit(self._entry.with_limit(key, value))


KEEP = 200
"""Steps that can be taken back."""


class PolicyEditor(QDialog):
    """Edits a copy of the policy in force; `run` is (result, log) of the run that is open.

    `exported` is where that run's release stands, if it was written.
    """

    def __init__(
        self,
        keeper: PolicyKeeper,
        run: tuple[Run, QueryLog] | None = None,
        parent: QWidget | None = None,
        *,
        exported: Path | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Policy"))
        self._keeper, self._run, self._exported = keeper, run, exported
        self.jobs: dict[str, LatestJob] = defaultdict(LatestJob)
        self._evidence: RunEvidence | None = None
        self._bundled: dict[str, str] = {}
        self._catalogue: list[Any] = []
        self.draft: PolicyDraft | None = None
        """The policy as it is being edited; None while it is read."""
        self._steps = QUndoStack(self)
        self._steps.setUndoLimit(KEEP)
        self._figures_changed = False
        self._wrong: dict[str, str] = {}
        self.rows: dict[str, GateRow] = {}
        self._make_widgets()
        self.resize(720, 640)
        self._read_policies()

    # making

    def _make_widgets(self) -> None:
        # Return in a field must not put a policy in force
        make_button = partial(style.button, auto_default=False)
        self.start = QComboBox()
        ignore_wheel(self.start)
        self.start.setAccessibleName(self.tr("Start from"))
        self.start.activated.connect(
            lambda _index: self._parse_policy(self._bundled[self.start.currentData()])
        )
        self.load = make_button(self.tr("&Load…"), self._ask_load)
        self.save = make_button(self.tr("&Save as…"), self._ask_save)
        label = style.plain_label(self.tr("Start from"))
        top = style.row(None, [label, (self.start, 1), self.load, self.save])
        self.name = QLineEdit(maxLength=100)
        self.note = QLineEdit(maxLength=500)
        self.name.editingFinished.connect(self._rename_draft)
        self.note.editingFinished.connect(self._rename_draft)
        form = QFormLayout()
        form.addRow(self.tr("&Name"), self.name)
        form.addRow(self.tr("For &what"), self.note)
        content = QWidget()
        self._gates = style.column(content, [1], margins=None, spacing=style.NORMAL)
        area = style.scroll_area(content, across=False, focus=False)
        self.message = style.plain_label(wrap=True)
        self.undo = make_button(self.tr("Undo"), self._steps.undo)
        self.redo = make_button(self.tr("Redo"), self._steps.redo)
        keys, steps = QKeySequence.StandardKey, self._steps
        for button, key, possible in (
            (self.undo, keys.Undo, steps.canUndoChanged),
            (self.redo, keys.Redo, steps.canRedoChanged),
        ):
            button.setEnabled(False)
            possible.connect(button.setEnabled)
            QShortcut(QKeySequence(key), self, button.click)
        self.use = make_button(self.tr("&Use this policy"), self._use_policy, role="primary")
        cancel = make_button(self.tr("Cancel"), self.reject)
        bottom = style.row(None, [self.undo, self.redo, 1, cancel, self.use])
        style.column(self, [top, form, (area, 1), self.message, bottom], margins=None)
        self._update_state()

    # reading

    def _read_policies(self) -> None:
        keeper, run, exported = self._keeper, self._run, self._exported
        self._show_message(self.tr("Reading the policies…"))

        def gather_policies(_progress: Progress) -> Any:
            texts = {f"{name}.toml": policy.bundled_text(name) for name in policy.bundled_files()}
            listed = policy.gate_catalogue()
            return texts, listed, keeper.text

        self._start_job("read", gather_policies, self._show_policies)
        if run is not None:
            gather = partial(gather_evidence, *run, keeper, exported=exported)
            self._start_job("evidence", gather, self._take_evidence)

    def _take_evidence(self, evidence: RunEvidence) -> None:
        self._evidence = evidence
        self._judge_draft()

    def _show_policies(self, result: tuple[dict[str, str], list[Any], str]) -> None:
        self._bundled, self._catalogue, current = result
        self.start.clear()
        for name in self._bundled:
            self.start.addItem(name.removesuffix(".toml"), name)
        self.start.setCurrentIndex(0 if not current else -1)
        self._parse_policy(current or next(iter(self._bundled.values())))

    def _parse_policy(self, text: str) -> None:
        """Edit this text from now on; read in a thread, since a file may say anything."""
        catalogue = self._catalogue

        def parse_draft(_progress: Progress) -> Any:
            from auditor.release.policy.editing import PolicyDraft

            draft = PolicyDraft.of(text, catalogue)
            metrics = {e.gate.figure: find_metric(e.gate.figure) for e in draft.entries}
            return draft, metrics

        self._start_job("take", parse_draft, self._adopt_draft)

    def _adopt_draft(self, result: tuple[PolicyDraft, dict[str, Any]]) -> None:
        draft, self._figures = result
        self._figures_changed = True
        self._push_draft(draft)
        self._show_message("")

    # editing

    def _push_draft(self, draft: PolicyDraft) -> None:
        if self.draft is None:
            self._show_draft(draft)
        else:
            self._steps.push(UndoableEdit("", self._show_draft, draft, self.draft))

    def _replace_entry(self, entry: GateDraft) -> None:
        if self.draft is not None:
            self._push_draft(self.draft.with_entry(entry))

    def _rename_draft(self) -> None:
        draft = self.draft
        name, note = self.name.text().strip(), self.note.text().strip()
        if draft is not None and (name, note) != (draft.name, draft.note):
            self._push_draft(replace(draft, name=name, note=note))

    def _note_complaint(self, name: str, reason: str) -> None:
        self._wrong[name] = reason
        if name in self.rows:
            self._update_state()

    def _show_draft(self, draft: PolicyDraft) -> None:
        self.draft = draft
        names = [entry.gate.name for entry in draft.entries]
        if self._figures_changed or names != list(self.rows):
            self._figures_changed = False
            self._fill_rows(draft)
        else:
            for entry in draft.entries:
                self.rows[entry.gate.name].show_entry(entry)
        for field, text in ((self.name, draft.name), (self.note, draft.note)):
            if field.text() != text:
                field.setText(text)
        self._update_state()
        self._judge_draft()

    def _fill_rows(self, draft: PolicyDraft) -> None:
        for row in self.rows.values():
            self._gates.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows, self._wrong = {}, {}
        for place, entry in enumerate(draft.entries):
            metric = self._figures.get(entry.gate.figure)
            assert metric is not None
            row = GateRow(entry, metric)
            row.edited.connect(self._replace_entry)
            row.wrong.connect(self._note_complaint)
            self.rows[entry.gate.name] = row
            self._gates.insertWidget(place, row)

    def _update_state(self) -> None:
        draft = self.draft
        wrong = draft.list_complaints() if draft is not None else {}
        wrong = wrong | {name: reason for name, reason in self._wrong.items() if reason}
        for name, row in self.rows.items():
            style.show_text(row.complaint, wrong.get(name, ""))
        ready = draft is not None and not wrong
        for widget in (self.use, self.save):
            widget.setEnabled(ready)
        for source in (self.load, self.start):
            source.setEnabled(bool(self._catalogue))
        if wrong:
            self._show_message(next(iter(wrong.values())), bad=True)
        elif self.message.property("role") == "bad":
            self._show_message("")

    def _show_message(self, text: str, *, bad: bool = False) -> None:
        self.message.setText(text)
        style.restyle(self.message, "role", "bad" if bad else "muted")

    # the run that is open

    def _judge_draft(self) -> None:
        draft, evidence = self.draft, self._evidence
        if evidence is None or draft is None or draft.list_complaints():
            return

        def judge_metrics(_progress: Progress) -> Any:
            return evidence.judge_record(draft.build_policy()).judged

        self._start_job("judge", judge_metrics, self._show_verdicts)

    def _show_verdicts(self, checks: tuple[GateVerdict, ...]) -> None:
        verdicts = {check.gate.name: check for check in checks}
        for name, row in self.rows.items():
            row.show_verdict(verdicts.get(name))
        failed = sum(not check.ok for check in checks)
        if self.message.property("role") != "bad":
            text = self.tr("✓ The run that is open passes every gate.")
            if failed:
                text = self.tr("✗ The run that is open fails {} of {} gates.")
            self._show_message(text.format(failed, len(checks)))

    # files

    def _ask_load(self) -> None:
        kinds = [self.tr("Policies (*.toml)"), self.tr("All files (*)")]
        title = self.tr("Load a policy")
        ask_for_files(self, title, lambda paths: self.load_file(paths[0]), kinds=kinds)

    def load_file(self, path: Path) -> None:
        self.start.setCurrentIndex(-1)
        self._start_job("load", lambda _progress: read_policy_text(path), self._parse_policy)

    def _ask_save(self) -> None:
        kinds = [self.tr("Policies (*.toml)")]
        ask_where_to_save(self, self.tr("Save the policy"), self.save_file, kinds, "toml")

    def save_file(self, path: Path) -> None:
        draft = self.draft
        if draft is None:
            return

        def write_policy(_progress: Progress) -> bool:
            text, intact = draft.format_text()
            with replaced_file(path) as new:
                write_file(new, [text.encode("utf-8")])
            return intact

        self._start_job("save", write_policy, self._report_saved)

    def _report_saved(self, intact: bool) -> None:
        text = self.tr("✓ Saved.")
        if not intact:
            text += " " + self.tr("The file was written anew, without the comments it had.")
        self._show_message(text)

    # the end

    def _use_policy(self) -> None:
        draft = self.draft
        if draft is None or not self.use.isEnabled():
            return
        text = draft.format_text()[0]
        default = next(iter(self._bundled.values()), "")
        self._keeper.use_policy("" if text == default else text)
        self.accept()

    def done(self, code: int) -> None:
        for job in self.jobs.values():
            job.drop()
        super().done(code)

    def _start_job(self, name: str, work: Work, proceed: Callable[[Any], None]) -> None:
        """Do something in a thread; a newer one of that name makes the older stale."""
        complain = partial(self._show_message, bad=True)
        self.jobs[name].start(f"policy {name}", work, proceed, complain)
