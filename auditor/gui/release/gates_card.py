"""The gates of the review: each with its verdict and evidence, and room to override one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.release.ledger_view import LedgerCard
from auditor.gui.release.review_cards import ReviewCard
from auditor.gui.state.verdicts import PolicyKeeper, RunJudgement, VerdictKeeper, judge_run
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.areas import FoldedSection
from auditor.log.model import QueryLog

if TYPE_CHECKING:
    from auditor.release.policy.attestation import ContractAttestation
    from auditor.release.record import GateVerdict, ReleaseRecord

SIGNS = {
    "passed": (mark_for_translation("✓ passed"), ""),
    "attested": (mark_for_translation("○ attested, not measured"), "muted"),
    "does not apply": (mark_for_translation("– does not apply"), "muted"),
    "failed": (mark_for_translation("✗ failed"), "bad"),
    "not measured": (mark_for_translation("✗ not measured"), "bad"),
}
ORDER = {"failed": 0, "not measured": 1, "attested": 2, "passed": 3, "does not apply": 4}
WHY = mark_for_translation("Reason")
GROUPS = {
    "": ("failed",),
    mark_for_translation("Not measured: {count}"): ("not measured",),
    mark_for_translation("Attested, not measured: {count}"): ("attested",),
    mark_for_translation("Passed or not applicable: {count}"): ("passed", "does not apply"),
}
"""Verdicts that stand together, under a heading that unfolds them; those that failed are shown."""


class GatesCard(ReviewCard):
    """What the policy says of the run; `changed` is called when a reason is written.

    `level` is what the run's method may suppress so that checks on content pass; empty for none.
    """

    suppression_wanted = Signal()

    def __init__(
        self,
        record: ReleaseRecord,
        changed: Callable[[], None],
        *,
        level: str = "",
        reasons: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        from auditor.release.gates import describe_suppression, rank_check
        from auditor.release.record import MISSING
        from auditor.release.verdict import measured_verdict

        super().__init__(tr("Checks"))
        self._missing = f"{translate_text(MISSING)}: "
        self.record, checks, policy = record, record.judged, record.policy
        assert policy is not None
        self.reasons: dict[str, QLineEdit] = {}
        failed = sum(not check.ok for check in checks)
        applicable = sum(check.verdict not in ("attested", "does not apply") for check in checks)
        if failed:
            text = f"✗ {translate_text(measured_verdict(record).checks)}"
            self.add_paragraph(text, bold=True, role="bad")
            if level:
                self.add_paragraph(translate_text(describe_suppression(level)))
                tip = self.tr("Takes over this run's settings with it; then run again")
                text, do = self.tr("Set “Suppress”"), self.suppression_wanted
                self.suppress = style.button(text, do, auto_default=False, tip=tip)
                self.column.addWidget(self.suppress, 0, Qt.AlignmentFlag.AlignLeft)
            self.add_paragraph(self.tr("To sign all the same, give each a reason."))
        else:
            text = self.tr("– No check applies to it")
            if applicable:
                text = self.tr("✓ It meets all {applicable} applicable checks")
            self.add_paragraph(text.format(applicable=applicable), bold=True)
            if (answer := measured_verdict(record)).reserve:
                self.add_paragraph(translate_text(answer.title), role="warn")
        by = self.tr("Policy: {name}").format(name=policy.name)
        self.add_paragraph(by, role="muted", tip=translate_text(policy.note))
        ranked = sorted(checks, key=lambda check: (ORDER[check.verdict], rank_check(check)))
        for title, verdicts in GROUPS.items():
            some = [check for check in ranked if check.verdict in verdicts]
            grid = self._make_grid(some, changed)
            if not title:
                self.column.addLayout(grid)
            elif some:
                fold = FoldedSection(tr(title).format(count=len(some)))
                fold.column.addLayout(grid)
                self.column.addWidget(fold)
                if failed == len(some) and not some[0].ok:  # nothing else is in the way
                    fold.unfold()
        for name, text in reasons.items():
            if name in self.reasons:
                self.reasons[name].setText(text)

    def _make_grid(self, checks: Sequence[GateVerdict], changed: Callable[[], None]) -> QGridLayout:
        grid, row = style.grid(stretch={1: 1}), 0
        for check in checks:
            word, role = SIGNS[check.verdict]
            title, evidence = translate_text(check.gate.title), translate_text(check.evidence)
            evidence = evidence.removeprefix(self._missing)  # the word beside it says that
            top = Qt.AlignmentFlag.AlignTop
            text = tr(word).split(" ")[0] if check.verdict == "failed" else tr(word)
            sign = style.plain_label(text, role=role, bold=not check.ok, name=tr(word))
            grid.addWidget(sign, row, 0, top)
            parts: list[QWidget] = [
                style.plain_label(title, bold=not check.ok, wrap=True),
                style.plain_label(evidence, size=style.SMALL, role="muted", wrap=True),
            ]
            if not check.ok:
                reason = style.line_edit(f"{tr(WHY)}: {title}", tr(WHY), most=1000)
                reason.textChanged.connect(lambda _: changed())
                self.reasons[check.gate.name] = reason
                parts.append(reason)
            for part in parts:
                part.setToolTip(safe_text.plain_tip(translate_text(check.gate.why)))
                grid.addWidget(part, row, 1)
                row += 1
            if not check.ok:
                grid.setRowMinimumHeight(row, style.TIGHT)
                row += 1
        return grid

    def read_overrides(self) -> dict[str, str]:
        texts = {name: field.text().strip() for name, field in self.reasons.items()}
        return {name: text for name, text in texts.items() if text}

    def has_unsettled_gates(self) -> bool:
        return len(self.read_overrides()) < len(self.reasons)


class GateOverrides(QWidget):
    """Shows how a run was judged; `changed` tells of every verdict or reason.

    The judgement is that of the window's `verdicts`. One more release of the run is judged here, in
    a thread, as everything is without them.
    """

    changed = Signal()
    policy_wanted = Signal()
    ledger_wanted = Signal()
    suppression_wanted = Signal(str)
    """The level that would help, for a new run."""

    def __init__(
        self, result: Run, log: QueryLog, keeper: PolicyKeeper, verdicts: VerdictKeeper | None
    ) -> None:
        super().__init__()
        self._result, self._log, self._keeper = result, log, keeper
        self._verdicts, self._waiting = verdicts, False
        self._job = LatestJob()
        self._cards: list[ReviewCard] = []
        self._judgement: RunJudgement | None = None
        self._attestation: ContractAttestation | None = None
        if verdicts is not None:
            verdicts.judged.connect(self._take_judgement)
        keeper.changed.connect(self.start_judging)
        self.card: GatesCard | None = None
        self.ledger: LedgerCard | None = None
        self._column = style.column(self)
        self.hide()

    @property
    def busy(self) -> bool:
        return self._job.running or self._waiting

    def judge_next_release(self) -> None:
        self._verdicts = None
        self.start_judging()

    def start_judging(self) -> None:
        """Begin to judge by the policy in force, and once more when there is another."""
        self.drop_jobs()
        if self._verdicts is not None:
            self._waiting = True
            self._take_judgement(self._result.number)
        else:
            work = partial(judge_run, self._result, self._log, self._keeper)
            self._job.start("gates", work, self._show_verdicts, self._show_failure)
        self.changed.emit()

    def _take_judgement(self, number: int) -> None:
        if self._verdicts is None or number != self._result.number:
            return
        judgement = self._verdicts.of_run(number)
        if isinstance(judgement, RunJudgement):
            self._show_verdicts(judgement)
        elif isinstance(judgement, str):
            self._show_failure(judgement)

    def drop_jobs(self) -> None:
        self._waiting = False
        self._job.drop()

    def attest(self, attestation: ContractAttestation) -> None:
        """Judge by what somebody attests, too; the card stays where that changes nothing."""
        self._attestation, record = attestation, self.record
        if self._judgement and record is not None and record.attestation != attestation:
            self._show_verdicts(self._judgement)

    def has_unsettled_gates(self) -> bool:
        return self.card is None or self.card.has_unsettled_gates()

    def read_overrides(self) -> dict[str, str]:
        return self.card.read_overrides() if self.card is not None else {}

    @property
    def record(self) -> ReleaseRecord | None:
        """The run's record with its checks; None where they could not be judged."""
        return self.card.record if self.card is not None else None

    def _show_verdicts(self, judgement: RunJudgement) -> None:
        from auditor.release.gates import attest_record, find_suppression

        self._judgement, record = judgement, judgement.record
        if self._attestation is not None:
            record = attest_record(record, self._attestation)
        level = find_suppression(record.judged, self._result.plan.params)
        self.ledger = LedgerCard(judgement.history, record)
        self.ledger.ledger_requested.connect(self.ledger_wanted)
        self.card = GatesCard(record, self.changed.emit, level=level, reasons=self.read_overrides())
        self.card.suppression_wanted.connect(lambda: self.suppression_wanted.emit(level))
        self._show_cards(self.card, self.ledger)

    def _show_failure(self, message: str) -> None:
        self.card = None
        card = ReviewCard(self.tr("Checks"))
        text = self.tr("The checks could not be made. {message}").format(message=message)
        card.add_paragraph(text, role="bad")
        self._show_cards(card)

    def _show_cards(self, *cards: ReviewCard) -> None:
        self._waiting = False
        for old in self._cards:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._cards = list(cards)
        tip, text = self.tr("What every check asks, and to change it"), self.tr("&Policy…")
        edit = style.button(text, self.policy_wanted, auto_default=False, tip=tip)
        cards[0].column.addWidget(edit, 0, Qt.AlignmentFlag.AlignLeft)
        for card in cards:
            self._column.addWidget(card)
        self.show()
        self.changed.emit()
