"""One run under review: failed checks first, what would leave, sign-off, and the export.

The export runs in a thread and can be cancelled; a refusal or a failure stands here in words and
everything can be tried again. The line with the button stays at the foot, whatever is scrolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from auditor.engine.run import Run
from auditor.gui.app.translation import mark_for_translation
from auditor.gui.release import review_cards, review_data
from auditor.gui.release.export_job import ApprovalRequest
from auditor.gui.release.export_target_card import TargetCard
from auditor.gui.release.gates_card import GateOverrides
from auditor.gui.release.released_rows import ReleasedRows
from auditor.gui.release.review_data import SurvivalSummary
from auditor.gui.state.policy_choice import PolicyKeeper
from auditor.gui.state.worker import BackgroundJob, Tell
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.wrapping_check_box import WrappingCheckBox
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from auditor.progress import Progress
from auditor.project.model import SessionNote

State = Literal["ready", "refused", "running", "cancelling", "cancelled", "failed", "done"]

PREVIEW = mark_for_translation(
    "This is a preview. Its noise came from a seed, and a seed undoes the noise, so it can't be "
    "exported. Press Run, and review the run that comes of it."
)
COMMENT_LIMIT = 4_000


class ReviewPanel(QWidget):
    """Reviews one run and exports it; `exported(folder)` tells that a release stands there."""

    exported = Signal(Path)
    policy_wanted = Signal()
    ledger_wanted = Signal()

    def __init__(
        self,
        result: Run,
        log: QueryLog,
        parent: QWidget | None = None,
        keeper: PolicyKeeper | None = None,
        notes: Sequence[SessionNote] = (),
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Review & export"))
        self._result, self._log, self._notes = result, log, tuple(notes)
        self._job: BackgroundJob | None = None
        self._counting: BackgroundJob | None = None
        self._gates = GateOverrides(result, log, keeper or PolicyKeeper(self))
        self._gates.changed.connect(self._judge)
        self._survived: SurvivalSummary | None = None
        self._folder: Path | None = None
        self._checks: list[WrappingCheckBox] = []
        self.state: State = "ready"
        self._gates.policy_wanted.connect(self.policy_wanted)
        self._gates.ledger_wanted.connect(self.ledger_wanted)
        self._cards, evidence = _make_scrolled_column()
        self._deeds, deeds = _make_scrolled_column()
        self._make_cards()
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.setChildrenCollapsible(False)
        sides.setHandleWidth(6)
        sides.addWidget(evidence)
        sides.addWidget(deeds)
        sides.setSizes([600, 400])
        column = QVBoxLayout(self)
        column.setContentsMargins(*(style.NORMAL,) * 4)
        column.addWidget(self._make_banner())
        column.addWidget(sides, 1)
        column.addLayout(self._make_buttons())
        if isinstance(result.release, Preview):
            self._enter("refused", PREVIEW)
        else:
            self._enter("ready")
            self._gates.start()
        self._count()

    # Making

    def _make_cards(self) -> None:
        statement = self._result.release.statement
        self._survival = review_cards.survival_card(None, self.tr("Counting…"))
        self._where = TargetCard(self._result)
        self._where.changed.connect(self._judge)
        self._inputs = (self._make_sign_off(), self._where)
        told = review_cards.statement_card(statement, self._result.attacks)
        figures = review_cards.figures_card(self._result)
        evidence: tuple[QWidget, ...] = (self._gates, self._survival, told, figures)
        for card in evidence:
            self._cards.addWidget(card)
        self._cards.addStretch(1)
        for part in (*self._inputs, ReleasedRows(self._result.release)):
            self._deeds.addWidget(part)
        self._deeds.addStretch(1)

    def _make_sign_off(self) -> QWidget:
        card = review_cards.ReviewCard(self.tr("Sign-off"))
        self._reviewer = QLineEdit(maxLength=200)
        self._reviewer.setAccessibleName(self.tr("Reviewer"))
        self._reviewer.setPlaceholderText(self.tr("Who approves this release"))
        self._reviewer.textChanged.connect(self._judge)
        self._comment = QPlainTextEdit(tabChangesFocus=True)
        self._comment.setAccessibleName(self.tr("Comment"))
        self._comment.setPlaceholderText(self.tr("For whom, and why it may be released (optional)"))
        self._comment.setFixedHeight(self._comment.fontMetrics().lineSpacing() * 4)
        form = QFormLayout()
        form.addRow(self.tr("&Reviewer"), self._reviewer)
        form.addRow(self.tr("&Comment"), self._comment)
        self._key = QLineEdit()
        self._key.setAccessibleName(self.tr("Signing key"))
        self._key.setPlaceholderText(
            self.tr("A file that is yours alone; made if it is not there yet")
        )
        self._key.textChanged.connect(self._judge)
        form.addRow(self.tr("Signing &key"), self._key)
        card.column.addLayout(form)
        card.say(
            self.tr(
                "Name and comment stand in the release: put no query text there. With a key the "
                "release is approved and signed, without one it is written unapproved."
            ),
            role="muted",
        )
        self._confirm = QVBoxLayout()
        card.column.addLayout(self._confirm)
        self._fill_confirmations()
        return card

    def _make_banner(self) -> QWidget:
        self._banner = QFrame()
        self._banner.setAccessibleName(self.tr("State of the export"))
        self._message = style.plain_label(wrap=True)
        self._progress = QProgressBar(textVisible=True)
        self._progress.setAccessibleName(self.tr("Progress of the export"))
        self._open = QPushButton(self.tr("&Open the folder"))
        self._open.clicked.connect(self._open_folder)
        row = QHBoxLayout(self._banner)
        row.addWidget(self._message, 1)
        row.addWidget(self._progress, 1)
        row.addWidget(self._open)
        return self._banner

    def _make_buttons(self) -> QHBoxLayout:
        self._export = QPushButton(self.tr("E&xport"))
        self._export.setProperty("role", "primary")
        self._export.setAutoDefault(False)  # Return in a field must not publish anything
        self._export.clicked.connect(self.export)
        self._stop = QPushButton(self.tr("Cancel the export"))
        self._stop.setAutoDefault(False)
        self._stop.clicked.connect(self.cancel)
        self._missing = style.plain_label(role="muted", wrap=True)
        row = QHBoxLayout()
        row.addWidget(self._missing, 1)
        row.addWidget(self._stop)
        row.addWidget(self._export)
        return row

    def _fill_confirmations(self) -> None:
        checked = {box.given for box in self._checks if box.isChecked()}
        for box in self._checks:
            self._confirm.removeWidget(box)
            box.deleteLater()
        self._checks = []
        for text in review_data.list_confirmations(self._result, self._survived):
            box = WrappingCheckBox(text)
            box.setChecked(text in checked)
            box.toggled.connect(self._judge)
            self._confirm.addWidget(box)
            self._checks.append(box)

    # What survives

    def _count(self) -> None:
        result, notes = self._result, self._notes
        if review_data.findings_of(result) is None:
            self._show_survival(None, self.tr("No attack of this run looked for sessions at risk."))
            return

        def work(progress: Progress, _tell: Tell) -> SurvivalSummary | None:
            progress.check()
            return review_data.survival_of(result, notes)

        self._counting = BackgroundJob("what survives", work)
        self._counting.done.connect(self._counted)
        self._counting.failed.connect(self._uncounted)
        self._counting.start()
        self._judge()

    def _counted(self, survived: SurvivalSummary) -> None:
        self._counting = None
        self._survived = survived
        self._show_survival(survived, "")
        self._fill_confirmations()
        self._judge()

    def _uncounted(self, message: str) -> None:
        self._counting = None
        self._show_survival(
            None, self.tr("What survives could not be counted. {message}").format(message=message)
        )
        self._judge()

    def _show_survival(self, survived: SurvivalSummary | None, text: str) -> None:
        card = review_cards.survival_card(survived, text)
        self._cards.replaceWidget(self._survival, card)
        self._survival.hide()
        self._survival.deleteLater()
        self._survival = card

    # The export

    def missing(self) -> str:
        """What is still to be done before the export can begin, in words; empty if nothing."""
        if self._counting is not None:
            return self.tr("What survives is still being counted.")
        if self._gates.busy:
            return self.tr("The checks are still being made.")
        if not self._reviewer.text().strip():
            return self.tr("Enter the reviewer's name.")
        if not all(box.isChecked() for box in self._checks):
            return self.tr("Tick what you confirm.")
        if self._where.place() is None:
            return self.tr("Choose a folder.")
        if self._key.text().strip() and self._gates.unsettled():
            return self.tr("Say why each failed gate may pass, or leave the key empty.")
        return ""

    def export(self) -> None:
        """Begin the export, in a thread."""
        folder = self._where.place()
        busy = self.state in ("refused", "running", "cancelling")
        if folder is None or self.missing() or busy:
            return
        target, internal = folder, self._where.internal.isChecked()
        result, log = self._result, self._log
        more: dict[str, Any] = {
            **self._where.options(),
            "reviewer": self._reviewer.text().strip(),
            "comment": self._comment.toPlainText()[:COMMENT_LIMIT].strip(),
            "gates": self._gates.facts(),
            "dismissed": review_data.dismissed_facts(self._survived),
        }
        approval = self._approval()

        def work(progress: Progress, tell: Tell) -> tuple[Path, str]:
            del tell
            from auditor.gui.release import export_job

            return export_job.export(result, log, target, more, approval, progress, internal)

        job = self._job = BackgroundJob("export", work)
        job.progressed.connect(self._progressed)
        job.done.connect(self._done)
        job.failed.connect(self._failed)
        job.cancelled.connect(self._cancelled)
        self._enter("running", self.tr("Exporting…"))
        job.start()

    def cancel(self) -> None:
        """Stop the export; nothing of it will be left."""
        if self._job is not None:
            self._job.cancel()
            self._enter("cancelling", self.tr("Cancelling…"))

    def _progressed(self, stage: str, done: int, total: int) -> None:
        if self.state == "running":
            self._progress.setRange(0, 1000 if total else 0)
            self._progress.setValue(round(1000 * min(done, total) / total) if total else 0)
            self._message.setText(f"{stage[:1].upper()}{stage[1:]}…")

    def _approval(self) -> ApprovalRequest | None:
        key = self._key.text().strip()
        if not key:
            return None
        reviewer = self._reviewer.text().strip()
        return ApprovalRequest(Path(key).expanduser().absolute(), reviewer, self._gates.overrides())

    def _done(self, made: tuple[Path, str]) -> None:
        self._job = None
        self._folder, signed = made
        where = safe_text.shorten_text(str(self._folder), 300)
        self._enter(
            "done",
            self.tr("✓ The release stands in {where}. {signed}").format(where=where, signed=signed),
        )
        self.exported.emit(self._folder)
        self._gates.released()

    def _failed(self, message: str) -> None:
        self._job = None
        self._enter("failed", self.tr("✗ Nothing was exported. {message}").format(message=message))

    def _cancelled(self) -> None:
        self._job = None
        self._enter("cancelled", self.tr("■ Cancelled. Nothing of the export is left."))

    def _enter(self, state: State, message: str = "") -> None:
        self.state = state
        busy = state in ("running", "cancelling")
        kind = {"refused": "bad", "failed": "bad", "done": "good"}.get(state, "info")
        style.restyle(self._banner, "banner", kind)
        self._message.setText(message)
        self._banner.setVisible(state != "ready")
        self._progress.setVisible(busy)
        if busy:
            self._progress.setRange(0, 0)
        self._open.setVisible(state == "done")
        for card in (*self._inputs, self._gates):
            card.setEnabled(not busy)
        self._stop.setVisible(busy)
        self._stop.setEnabled(state != "cancelling")
        self._export.setText(self.tr("E&xport again") if state == "done" else self.tr("E&xport"))
        self._judge()

    def _judge(self) -> None:
        if not hasattr(self, "_export"):
            return  # a field changed while the dialog is being made
        if self.state in ("refused", "running", "cancelling"):
            self._export.setEnabled(False)
            self._missing.clear()
            return
        missing = self.missing()
        self._export.setEnabled(not missing)
        if missing and self.state == "done":
            missing = self.tr("To export again: {what}").format(what=missing)
        self._missing.setText(missing)

    def _open_folder(self) -> None:
        if self._folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closed, it stops what it was doing."""
        self.drop()
        super().closeEvent(event)

    @property
    def busy(self) -> bool:
        """Whether an export is being written."""
        return self._job is not None

    def drop(self) -> None:
        """Another run is reviewed: stop what was being done."""
        for job in (self._job, self._counting):
            if job is not None:
                job.drop()
        self._gates.drop()


def _make_scrolled_column() -> tuple[QVBoxLayout, QScrollArea]:
    """A column of cards in an area that scrolls."""
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, style.NORMAL, 0)
    column.setSpacing(style.NORMAL)
    scroll = QScrollArea(widgetResizable=True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(content)
    return column, scroll
