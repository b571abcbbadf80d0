"""The gates of the review with their evidence, what may override them, and the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication, QItemSelection, Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QListWidget, QListWidgetItem, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import mark_for_translation, say, tr, translate_all, translate_text
from auditor.gui.release.review_cards import ReviewCard
from auditor.gui.state.verdicts import PolicyKeeper, RunJudgement, VerdictKeeper, judge_run
from auditor.gui.state.worker import LatestJob
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import FoldedSection
from auditor.gui.widgets.tables import Column, ColumnModel, make_table
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.release.gates import attest_record, describe_suppression, find_suppression, rank_check
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import store
from auditor.release.ledger.history import LedgerHistory, format_history
from auditor.release.ledger.store import LedgerEntry, LedgerState
from auditor.release.ledger.totals import LedgerTotal
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.record import MISSING, GateVerdict, ReleaseRecord
from auditor.release.verdict import measured_verdict

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
        note_change: Callable[[], None],
        *,
        level: str = "",
        reasons: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
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
            matching = [check for check in ranked if check.verdict in verdicts]
            grid = self._make_grid(matching, note_change)
            if not title:
                self.column.addLayout(grid)
            elif matching:
                fold = FoldedSection(tr(title).format(count=len(matching)))
                fold.column.addLayout(grid)
                self.column.addWidget(fold)
                if failed == len(matching) and not matching[0].ok:  # nothing else is in the way
                    fold.unfold()
        for name in reasons.keys() & self.reasons.keys():
            self.reasons[name].setText(reasons[name])

    def _make_grid(
        self, checks: Sequence[GateVerdict], note_change: Callable[[], None]
    ) -> QGridLayout:
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
                reason = style.line_edit(f"{tr(WHY)}: {title}", tr(WHY), length=1000)
                reason.textChanged.connect(lambda _: note_change())
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
        """Judge by what the reviewer attests, too; the card stays where that changes nothing."""
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


LINE_LIMIT = 300
SHOWN_PROBLEMS = 5


def _tr(text: str) -> str:
    return QCoreApplication.translate("LedgerView", text)


@dataclass(frozen=True)
class OpenedLedger:
    """What the thread read: the ledger, and the history and total of every log in it."""

    path: Path
    state: LedgerState
    histories: tuple[LedgerHistory, ...]
    texts: tuple[tuple[str, list[str]], ...]
    """Of each history its total in a line, and what there is to say of it."""


def open_ledger(first: str = "") -> OpenedLedger:
    """Read and check the ledger; the log with the digest `first` stands first."""
    path = store.ledger_path()
    state = store.read_ledger(path)
    digests = sorted(ledger_history.known_logs(state), key=lambda digest: digest != first)
    histories = tuple(ledger_history.ledger_history(state, digest) for digest in digests)
    # Of an altered ledger what is left adds up to nothing that anybody could rely on.
    texts = [(_tr("no total"), [_tr("no total")])] * len(histories)
    if not state.problems:
        totals = [(history, history.before) for history in histories]
        texts = [(t.format_headline(), ledger_history.format_history(h, t)) for h, t in totals]
    return OpenedLedger(path, state, histories, tuple(texts))


class LedgerView(QDialog):
    """Lists what was approved of which log; `first` is the digest of the log to begin with."""

    def __init__(self, first: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_tr("Ledger"))
        self._first = first
        self._found: OpenedLedger | None = None
        self.title_label = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.chain = style.plain_label(_tr("Reading…"), wrap=True, selectable=True)
        self.logs = QListWidget()
        self.logs.setAccessibleName(_tr("Logs"))
        self.logs.setWordWrap(True)
        self.logs.currentRowChanged.connect(self._show_history)
        self.head = style.plain_label(size=style.HEADING, bold=True, wrap=True)
        self.words = style.plain_label(wrap=True, selectable=True)
        self.model = ColumnModel(_release_columns(), (), self)
        samples = ("Entry 00", "2026-00-00 00:00:00", max(METHODS, key=len), "infinite", "0.00e-00")
        self.table = make_table(self.model, _tr("Approved releases"), samples)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.selectionModel().selectionChanged.connect(self._show_entry_detail)
        self.detail = style.plain_label(role="muted", wrap=True, selectable=True)
        parts: list[style.Part] = [self.head, self.words, (self.table, 1), self.detail]
        right = style.filled(style.column(None, parts, spacing=style.NORMAL))
        self.split = style.splitter([self.logs, right], sizes=[240, 640], stretch=(0, 1))
        self._place = style.plain_label(role="muted", wrap=True)
        parts = [self.title_label, self.chain, (self.split, 1), self._place, 0]
        style.column(self, parts, margins=None)
        self.split.hide()
        self.resize(900, 560)
        self.job = LatestJob()
        self.finished.connect(self.job.drop)
        self.job.start(
            "ledger", lambda _progress: open_ledger(first), self._show_ledger, self._show_failure
        )

    def _show_failure(self, message: str) -> None:
        self.chain.setText(_tr("✗ The ledger can't be used. {why}").format(why=message))
        style.restyle(self.chain, "role", "bad")

    def _show_ledger(self, opened: OpenedLedger) -> None:
        self._found = opened
        title = "" if opened.state.entries else _tr("Nothing was approved so far")
        if opened.state.problems:
            title = _tr("✗ This ledger is not as it was written")
        style.show_text(self.title_label, title)
        self.chain.setText(describe_chain(opened))
        self._place.setText(_tr("The ledger: {path}").format(path=opened.path))
        if not opened.histories:
            self.resize(560, 240)
        style.restyle(self.chain, "role", "bad" if opened.state.problems else "")
        self.split.setVisible(bool(opened.histories))
        for history, (headline, _) in zip(opened.histories, opened.texts, strict=True):
            name = _tr("This log") if history.digest == self._first else _tr("Log")
            item = QListWidgetItem(f"{name} {history.digest[:12]}\n{translate_text(headline)}")
            self.logs.addItem(item)
        if opened.histories:
            self.logs.setCurrentRow(0)

    def _show_history(self, row: int) -> None:
        if self._found is None or row < 0:
            return
        first, *other_texts = translate_all(self._found.texts[row][1])
        self.head.setText(first)
        style.show_text(self.words, "\n".join(other_texts))
        self.model.set_lines(self._found.histories[row].approvals[::-1])
        self.table.selectRow(0)

    def _show_entry_detail(self, selected: QItemSelection) -> None:
        lines = [self.model.lines[index.row()] for index in selected.indexes()[:1]]
        histories = () if self._found is None else self._found.histories
        firsts = {entry.number for history in histories for entry in history.releases}
        repetitions = [translate_text("(approved again)") for e in lines if e.number not in firsts]
        self.detail.setText("\n".join([*map(describe_entry, lines), *repetitions]))


def describe_chain(opened: OpenedLedger) -> str:
    if opened.state.problems:
        problems = "; ".join(translate_all(opened.state.problems[:SHOWN_PROBLEMS]))
        return say("ledger is damaged").format(problems=problems)
    if not opened.state.entries:
        return say("what the ledger is for")
    return say("ledger is intact").format(count=formats.format_count(len(opened.state.entries)))


def describe_entry(entry: LedgerEntry) -> str:
    body, lines = entry.body, []
    if body.get("holds"):
        keys = "unit", "neighbours"
        unit, neighbours = (translate_text(str(body.get(key, ""))) for key in keys)
        text = _tr("Protected: {unit}; neighbouring logs: {neighbours}.")
        lines.append(text.format(unit=unit, neighbours=neighbours))
    elif body.get("why"):
        lines.append(translate_text(str(body["why"])))
    params = ", ".join(f"{name} = {value}" for name, value in body.get("params", {}).items())
    lines += [_tr("Parameters: {given}").format(given=params)] if params else []
    for override in body.get("overrides", ()):
        text = _tr("Overridden: {gate}. “{reason}”")
        lines.append(text.format(gate=override.get("gate", ""), reason=override.get("reason", "")))
    lines += translate_all(ContractAttestation.of_approval(body).lines)
    policy_name = body.get("policy", {}).get("name", "")
    lines += [_tr("Policy: {name}").format(name=policy_name)] if policy_name else []
    lines.append(_tr("Key {key}").format(key=body.get("key_fingerprint", "")))
    return "\n".join(safe_text.shorten_text(line, LINE_LIMIT) for line in lines)


def _release_columns() -> tuple[Column, ...]:
    def format_bound(entry: LedgerEntry) -> str:
        if not entry.body.get("holds"):
            return _tr("✗ none")
        return formats.format_digits(float(entry.body.get("epsilon", 0)), 4)

    def format_delta(entry: LedgerEntry) -> str:
        if not entry.body.get("holds"):
            return ""
        return formats.format_number(float(entry.body.get("delta", 0)))

    def format_day(entry: LedgerEntry) -> str:
        return str(entry.body.get("at", "")).replace("T", " ").removesuffix("Z")

    def of_body(key: str, limit: int) -> Callable[[LedgerEntry], str]:
        return lambda entry: safe_text.shorten_text(str(entry.body.get(key, "")), limit)

    return (
        Column(_tr("Entry"), lambda entry: formats.format_count(entry.number), number=True),
        Column(_tr("Approved"), format_day),
        Column(_tr("Method"), of_body("method", 40)),
        Column("ε", format_bound, number=True),
        Column("δ", format_delta, number=True),
        Column(_tr("By"), of_body("reviewer", 80)),
    )


class LedgerCard(ReviewCard):
    """The total before and after this release; `ledger_requested` wants the whole ledger shown."""

    ledger_requested = Signal()

    def __init__(self, history: LedgerHistory | str, record: ReleaseRecord) -> None:
        super().__init__(QCoreApplication.translate("LedgerCard", "This log in the ledger"))
        if isinstance(history, str):
            text = self.tr("✗ The ledger can't be used. {why}").format(why=history)
            self.add_paragraph(text, role="bad")
            text = self.tr("Without it nobody knows what was released of this log before.")
            self.add_paragraph(text, role="muted")
            return
        after, grid = history.add_release(record), style.grid(stretch={2: 1})
        totals = (self.tr("Approved so far"), history.before), (self.tr("With this release"), after)
        for row, (name, total) in enumerate(totals):
            count = len(total.releases)
            text = self.tr("1 release") if count == 1 else self.tr("{count} releases")
            text = text.format(count=formats.format_count(count))
            role = "bad" if count and total.bounded is None else ""
            headline = self._format_headline(total)
            grid.addWidget(style.plain_label(name, role="muted"), row, 0)
            grid.addWidget(style.plain_label(text, role="muted"), row, 1)
            grid.addWidget(style.plain_label(headline, bold=True, role=role, wrap=True), row, 2)
        self.column.addLayout(grid)
        is_single = after.bounded is not None and len(after.releases) == 1  # the row says all of it
        for place, sentence in enumerate(format_history(history, after)):
            if place or not is_single:
                self.add_paragraph(translate_text(sentence), role="muted" if place else "")
        show = style.button(self.tr("Show the &ledger…"), self.ledger_requested, auto_default=False)
        self.column.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)

    def _format_headline(self, total: LedgerTotal) -> str:
        if not total.releases:
            return self.tr("nothing")
        if total.bounded is None:
            return self.tr("✗ no total")
        single_text = self.tr("ε {epsilon}, δ {delta}")
        text = self.tr("ε {epsilon}, δ {delta} together") if total.formal > 1 else single_text
        epsilon = formats.format_digits(total.bounded.epsilon, 4)
        return text.format(epsilon=epsilon, delta=formats.format_number(total.bounded.delta))
