"""The workspace Release: may the run that is shown leave the house, and who says so?"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.release import review_cards
from auditor.gui.release.folder_review import FolderReview, ReleasedRows
from auditor.gui.release.gates_card import GateOverrides
from auditor.gui.release.review_cards import (
    ExportReceipt,
    OfficerCard,
    SurvivalSummary,
    statement_card,
    survival_card,
)
from auditor.gui.risk import session_filter
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import PolicyKeeper, VerdictKeeper
from auditor.gui.state.worker import LatestJob, describe_error
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.fields import Disclosure, EventWatch
from auditor.log.model import QueryLog
from auditor.methods.suppression import PARAMETER
from auditor.privacy.release import Preview
from auditor.progress import Progress
from auditor.project.model import SessionNote
from auditor.release.gates import attest_record
from auditor.release.ledger import history, store
from auditor.release.manifest import audited_digest, read_manifest
from auditor.release.policy.attestation import ContractAttestation


def export_run(
    result: Run,
    log: QueryLog,
    folder: Path,
    options: Mapping[str, Any],
    progress: Progress,
    *,
    key_file: Path | None = None,
    overrides: Mapping[str, str] | None = None,
    attested: Mapping[str, Any] | None = None,
    internal: bool = False,
    synthetic: bool = False,
    card: bool = False,
) -> ExportReceipt:
    """Write the release, sign it where a key is given, and write what shall stand beside it.

    `options` goes to `write_release`; `overrides` says why failed gates may pass, `attested` what
    the reviewer attests, which counts where they sign. Beside the folder may stand an `internal`
    report, a `synthetic` log, and a `card` for the registry of differential privacy. A key that
    can't be used is refused before anything is written, one that isn't there is made. If signing or
    a part beside the folder fails after that, or is cancelled, the words say so.
    """
    from auditor.release import approval, signing, synthetic_log
    from auditor.release.export import write_release
    from auditor.release.report import html, registry_card

    replace, with_pdf = bool(options.get("overwrite")), bool(options.get("pdf"))
    shaped = synthetic_log.synthetic_folder(folder)
    if internal:
        html.check_internal(folder, log.origin.files, pdf=with_pdf, overwrite=replace)
    if synthetic:
        synthetic_log.check_synthetic(shaped, log.origin.files, overwrite=replace)
    if card:
        registry_card.check_card(folder, overwrite=replace)
    if key_file is not None and not key_file.exists():
        signing.new_key(key_file)
    key = signing.private_key(key_file) if key_file is not None else None
    if (record := options.get("record")) is not None:
        record = record.override(())  # what an earlier release was let pass in spite of
        if key is None:  # nobody signs what is attested
            record = attest_record(record, ContractAttestation())
        options = {**options, "record": record}
    target = write_release(result, log, folder, progress=progress, **options)
    # from here on a release stands there: whatever fails, or is cancelled, the receipt tells of it
    words, released, public_key = tr("It is not signed."), "", None
    if key is not None and key_file is not None:
        try:
            name = audited_digest(read_manifest(target))  # which an approval does not change
            secret = signing.audit_secret(signing.audit_key())
            history.remember_log(log, store.ledger_path(), secret, progress)
            approved = approval.approve_folder(
                target,
                reviewer=options["reviewer"],
                key=key,
                overrides=overrides or {},
                attested=attested,
                progress=progress,
            )
        except (AuditorError, OSError, ValueError) as error:
            words = tr("It is not signed: {error}").format(error=error)
        else:
            released = name
            words = tr("Signed with the key {told}.").format(told=approved["key_fingerprint"])
            public_key = key_file.with_name(key_file.name + ".pub")

    def write_report() -> str:
        report, *_ = html.write_internal(result, log, target, pdf=with_pdf, progress=progress)
        return tr(" {name} stands beside it, for nobody else.").format(name=report.name)

    def write_synthetic() -> str:
        synthetic_log.write_synthetic_release(target, shaped, progress=progress, overwrite=replace)
        return tr(" {name} holds the synthetic log.").format(name=shaped.name)

    def write_card() -> str:
        card_path = registry_card.write_card(target, overwrite=replace)
        return tr(" {name} is the card, for you to fill in.").format(name=card_path.name)

    for is_chosen, write, part in (
        (internal, write_report, tr("The internal report")),
        (synthetic, write_synthetic, tr("The synthetic log")),
        (card, write_card, tr("The card")),
    ):
        if is_chosen:
            try:
                words += write()
            except (AuditorError, OSError) as error:
                reason = describe_error(error).rstrip(".")
                words += tr(" {part} was not written: {why}.").format(part=part, why=reason)
    sizes = [path.stat().st_size for path in target.rglob("*") if path.is_file()]
    public_key = public_key if public_key is not None and public_key.exists() else None
    review_by = str((attested or {}).get("review_by", "")) if released else ""
    return ExportReceipt(target, words, len(sizes), sum(sizes), public_key, released, review_by)


State = Literal["ready", "refused", "running", "cancelling", "cancelled", "failed", "done"]

COMMENT_LIMIT = 4_000


class ReviewPanel(QWidget):
    """Reviews one run and exports it.

    `exported(folder, name)` tells that a release stands there, and by what name the ledger knows
    it; "" for a draft.
    """

    exported = Signal(Path, str)
    ended = Signal()
    """An export came to an end, whatever came of it."""
    other_wanted = Signal()
    """Somebody turns to the run that was chosen meanwhile."""

    def __init__(
        self,
        result: Run,
        log: QueryLog,
        parent: QWidget | None = None,
        keeper: PolicyKeeper | None = None,
        notes: Sequence[SessionNote] = (),
        verdicts: VerdictKeeper | None = None,
        opened: Collection[int] = (),
        disclosure: Disclosure | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Review & export"))
        self.disclosure = disclosure or Disclosure(self)
        self._result, self._log, self._notes, self._read = result, log, tuple(notes), opened
        self.job, self.counting = LatestJob(), LatestJob()
        self.gates = GateOverrides(result, log, keeper or PolicyKeeper(self), verdicts)
        self.gates.changed.connect(self._show_statement)
        self.gates.changed.connect(self._update_buttons)
        self._statement = result.release.statement
        self._survived: SurvivalSummary | None = None
        self.folder: Path | None = None
        self.state: State = "ready"
        (self._cards, evidence), (self._deeds, deeds) = (_make_scrolled_column() for _ in range(2))
        self._make_cards()
        self._sides = style.splitter([evidence, deeds], sizes=[600, 400])
        self.receipt = review_cards.ReceiptCard()
        self.receipt.again.connect(self._review_again)
        self.answers = style.scroll_area(QWidget())
        halves: list[style.Part] = [(style.scroll_area(self.receipt), 3), (self.answers, 2)]
        self._finished = style.filled(style.row(None, halves, spacing=style.NORMAL))
        parts: list[style.Part] = [self._make_heading(), self._make_banner()]
        parts += [(self._sides, 1), (self._finished, 1), self._make_buttons()]
        style.column(self, parts, margins=style.NORMAL)
        if isinstance(result.release, Preview):
            self._enter_state("refused", say("previews are not exported"))
        else:
            self._enter_state("ready")
            self.gates.start_judging()
        self._count_survival()
        EventWatch(self, self.drop_jobs, QEvent.Type.Close)
        EventWatch(self, self._fill_confirmations, QEvent.Type.Show)  # more may be read by now

    # Making

    def _make_cards(self) -> None:
        self.survival: QWidget = survival_card(None, self.tr("Counting…"))
        self.target = review_cards.TargetCard(self._result)
        self.target.changed.connect(self._update_buttons)
        self._inputs = (self._make_sign_off(), self.target)
        self.guarantee: QWidget = statement_card(self._statement, self._result.attacks)
        figures = review_cards.figures_card(self._result)
        self.officer = QWidget()  # until the run was judged
        for card in (self.gates, self.survival, self.officer, self.guarantee, figures):
            self._cards.addWidget(card)
        self._cards.addStretch(1)
        self.rows = ReleasedRows(self._result.release, self.disclosure)
        for part in (*self._inputs, self.rows):
            self._deeds.addWidget(part)
        self._deeds.addStretch(1)

    def _make_sign_off(self) -> QWidget:
        self.comment = QPlainTextEdit(tabChangesFocus=True)
        self.comment.setAccessibleName(self.tr("Comment"))
        self.comment.setPlaceholderText(self.tr("For whom, and why it may be released (optional)"))
        self.comment.setFixedHeight(self.comment.fontMetrics().lineSpacing() * 4)
        self.sign_off = review_cards.SignOffCard([(self.tr("&Comment"), self.comment)])
        self.sign_off.changed.connect(self._update_buttons)
        self.sign_off.attested.connect(self._attest)
        self._fill_confirmations()
        return self.sign_off

    def _attest(self) -> None:
        self.gates.attest(self.sign_off.attest())
        self._update_buttons()

    def _make_heading(self) -> QHBoxLayout:
        """The heading with the run that is reviewed, whatever run the window shows."""
        title = translate_text(self._result.title)
        text = self.tr("Run {letter}").format(letter=self._result.letter)
        self.heading = style.plain_label(f"{text} \u00b7 {title}", bold=True)
        self.heading.setVisible(bool(self._result.letter))
        self.turn_button = style.button("", self.other_wanted, auto_default=False)
        self.turn_button.hide()
        return style.row(None, [(self.heading, 1), self.turn_button])

    def offer_other(self, letter: str) -> None:
        """Offer to turn to another run, by its letter; none takes the offer back."""
        self.turn_button.setText(self.tr("Turn to run {letter}").format(letter=letter))
        self.turn_button.setVisible(bool(letter))

    def _make_banner(self) -> QWidget:
        self._banner = QFrame()
        self._banner.setAccessibleName(self.tr("State of the export"))
        self.message = style.plain_label(wrap=True)
        self._progress = QProgressBar(textVisible=True)
        self._progress.setAccessibleName(self.tr("Progress of the export"))
        self.open_button = style.button(self.tr("&Open the folder"), self._open_folder)
        parts: list[style.Part] = [(self.message, 1), (self._progress, 1), self.open_button]
        style.row(self._banner, parts, margins=None)
        return self._banner

    def _make_buttons(self) -> QHBoxLayout:
        button = partial(style.button, auto_default=False)  # Return must not publish anything
        self.export_button = button(self.tr("E&xport"), self.export, role="primary")
        self.stop_button = button(self.tr("Cancel the export"), self.cancel)
        self.missing_label = style.plain_label(role="muted", wrap=True)
        return style.row(None, [(self.missing_label, 1), self.stop_button, self.export_button])

    def _fill_confirmations(self) -> None:
        texts = review_cards.list_confirmations(self._statement, self._survived, self._read)
        self.sign_off.ask_to_confirm(texts)

    # What survives

    def _count_survival(self) -> None:
        result, notes = self._result, self._notes
        if review_cards.findings_of(result) is None:
            self._show_survival(None, self.tr("No attack of this run looked for sessions at risk."))
            return

        def set_survival(survived: SurvivalSummary) -> None:
            self._survived = survived
            self._show_survival(survived, "")
            self._fill_confirmations()
            self._update_buttons()

        def report_failure(message: str) -> None:
            text = self.tr("What survives could not be counted. {message}").format(message=message)
            self._show_survival(None, text)
            self._update_buttons()

        work = partial(review_cards.survival_of, result, notes)
        self.counting.start("what survives", lambda _: work(), set_survival, report_failure)
        self._update_buttons()

    def _show_survival(self, survived: SurvivalSummary | None, text: str) -> None:
        self.survival = self._replace_card(self.survival, survival_card(survived, text))

    def _show_statement(self) -> None:
        """Show the statement as judged now: the ledger may decide assumptions after the run."""
        record = self.gates.record
        if record is None:
            return
        self.officer = self._replace_card(self.officer, OfficerCard(record))
        self.sign_off.contract.show_needs(record)
        if record.statement is self._statement:
            return
        self._statement = record.statement
        card = statement_card(self._statement, self._result.attacks)
        self.guarantee = self._replace_card(self.guarantee, card)
        self._fill_confirmations()

    def _replace_card(self, old: QWidget, new: QWidget) -> QWidget:
        self._cards.replaceWidget(old, new)
        old.hide()
        old.deleteLater()
        return new

    # The export

    def describe_missing(self) -> str:
        """What is still to be done before the export can begin, in words; empty if nothing."""
        if self.counting.running:
            return self.tr("What survives is still being counted.")
        if self.gates.busy:
            return self.tr("The checks are still being made.")
        if missing := self.sign_off.describe_missing():
            return missing
        if self.target.read_folder_path() is None:
            return self.tr("Choose a folder.")
        if self.sign_off.key_path and self.gates.has_unsettled_gates():
            return self.tr("Give each check that did not pass a reason, or leave the key empty.")
        return ""

    def export(self) -> None:
        folder = self.target.read_folder_path()
        busy = self.state in ("refused", "running", "cancelling")
        if folder is None or self.describe_missing() or busy:
            return
        dismissed: dict[str, object] = {}
        if (survived := self._survived) is not None:
            dismissed = session_filter.dismissal_facts(survived.dismissed, survived.noted)
        options: dict[str, Any] = {
            **self.target.read_options(),
            "reviewer": self.sign_off.reviewer_name,
            "comment": self.comment.toPlainText()[:COMMENT_LIMIT].strip(),
            "record": self.gates.record,
            "dismissed": dismissed,
        }
        work = partial(
            export_run,
            self._result,
            self._log,
            folder,
            options,
            key_file=self.sign_off.key_path,
            overrides=self.gates.read_overrides(),
            attested=self.sign_off.contract.read_fields(),
            internal=self.target.internal.isChecked(),
            synthetic=self.target.synthetic.isChecked(),
            card=self.target.card.isChecked(),
        )
        cancelled = self.tr("■ Cancelled. Nothing of the export is left.")
        self._enter_state("running", self.tr("Exporting…"))
        self.job.start(
            "export",
            work,
            self._show_exported,
            self._show_failure,
            cancelled=partial(self._enter_state, "cancelled", cancelled),
            progressed=self._show_progress,
        )

    def cancel(self) -> None:
        if self.job.running:
            self.job.cancel()
            self._enter_state("cancelling", self.tr("Cancelling…"))

    def _show_progress(self, stage: str, done: int, total: int) -> None:
        if self.state == "running":
            self._progress.setRange(0, 1000 if total else 0)
            self._progress.setValue(round(1000 * min(done, total) / total) if total else 0)
            self.message.setText(f"{formats.capitalize(translate_text(stage))}…")

    def _show_exported(self, receipt: ExportReceipt) -> None:
        self.folder = receipt.folder
        self.receipt.show_receipt(receipt)
        if (record := self.gates.record) is not None:
            self.answers.setWidget(OfficerCard(record))
        sign, kind = "✓", "good"
        if not receipt.released:  # a draft as it was wanted, or for want of a signature
            sign, kind = ("", "info") if self.sign_off.key_path is None else ("✗", "bad")
        self._enter_state("done", f"{sign} {receipt.words}".strip())
        style.restyle(self._banner, "banner", kind)
        self.exported.emit(self.folder, receipt.released)

    def _review_again(self) -> None:
        """Review one more release of the same run; the ledger has the last one."""
        self._enter_state("ready")
        self.gates.judge_next_release()

    def _show_failure(self, message: str) -> None:
        text = self.tr("✗ Nothing was exported. {message}").format(message=message)
        self._enter_state("failed", text)

    def _enter_state(self, state: State, message: str = "") -> None:
        self.state = state
        busy = state in ("running", "cancelling")
        kind = {"refused": "bad", "failed": "bad"}.get(state, "info")
        style.restyle(self._banner, "banner", kind)
        self.message.setText(message)
        self._banner.setVisible(state != "ready")
        self._progress.setVisible(busy)
        if busy:
            self._progress.setRange(0, 0)
        done = state == "done"
        for part in (self.open_button, self._finished):
            part.setVisible(done)
        for part in (self._sides, self.export_button, self.missing_label):
            part.setVisible(not done)
        for card in (*self._inputs, self.gates):
            card.setEnabled(not busy)
        self.stop_button.setVisible(busy)
        self.stop_button.setEnabled(state != "cancelling")
        self._update_buttons()
        if state in ("cancelled", "failed", "done"):
            self.ended.emit()

    def _update_buttons(self) -> None:
        if not hasattr(self, "export_button"):
            return  # a field changed while the dialog is being made
        if self.state in ("refused", "running", "cancelling"):
            self.export_button.setEnabled(False)
            self.missing_label.clear()
            return
        missing, draft = self.describe_missing(), self.tr("E&xport unapproved draft")
        self.export_button.setEnabled(not missing)
        self.export_button.setText(self.tr("E&xport") if self.sign_off.key_path else draft)
        self.missing_label.setText(missing)

    def _open_folder(self) -> None:
        if self.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.folder)))

    @property
    def busy(self) -> bool:
        return self.job.running

    def drop_jobs(self) -> None:
        self.job.drop()
        self.counting.drop()
        self.gates.drop_jobs()


def _make_scrolled_column() -> tuple[QVBoxLayout, QScrollArea]:
    content = QWidget()
    column = style.column(content, margins=(0, 0, style.NORMAL, 0), spacing=style.NORMAL)
    scroll = style.scroll_area(content, across=False)
    return column, scroll


class ReleasePage(QStackedWidget):
    """The review of the run that is shown; what to do first where there is none."""

    exported = Signal(int, Path)
    """A release of the run of that number was written to this folder; 0 for no run here."""
    policy_wanted = Signal()
    ledger_wanted = Signal()
    protect_wanted = Signal()
    """The setting was changed, and is to be looked at before it runs."""

    def __init__(
        self, controller: Controller, policy: PolicyKeeper, verdicts: VerdictKeeper
    ) -> None:
        super().__init__()
        self.controller, self.policy, self._verdicts = controller, policy, verdicts
        self.panel: ReviewPanel | None = None
        self._shown: Run | None = None
        self._waiting: Run | None = None
        """The run that was chosen while another one's export came to its end."""
        self.said = style.plain_label(size=style.HEADING, wrap=True)
        self.act = style.button(self.tr("Run"), self._run_or_remake, role="primary")
        self.exported_before = style.button(self.tr("Sign an exported folder…"), self.review_folder)
        self.folder: FolderReview | None = None
        self._approval = ""
        self.ledger = style.button(self.tr("Ledger of approved releases…"), self.ledger_wanted)
        row = style.row(None, [self.act, self.exported_before, self.ledger, 1])
        parts: list[style.Part] = [self.said, row, 1]
        empty = style.column(None, parts, margins=3 * style.WIDE, spacing=style.WIDE)
        self.addWidget(style.filled(empty))
        c = controller
        c.current_changed.connect(lambda _record: self.update_soon())
        c.run_changed.connect(self._run_changed)
        c.log_opened.connect(lambda _opened: self._explain_empty())
        c.log_closed.connect(self._close_panel)
        c.log_closed.connect(self._explain_empty)
        c.closing.connect(self._close_panel)
        c.known.changed.connect(lambda _knowledge: self._explain_empty())
        EventWatch(self, self.bring_up_to_date, QEvent.Type.Show)
        self._explain_empty()

    def review_folder(self) -> None:
        """Turn to a release that was exported, which a second person reviews and signs."""
        if self.folder is None:
            self.folder = FolderReview()
            self.folder.signed.connect(partial(self.exported.emit, 0))
            self.folder.left.connect(self._leave_folder)
            self.controller.closing.connect(self.folder.drop_jobs)
            self.addWidget(self.folder)
        self.setCurrentWidget(self.folder)
        self.folder.folder.setFocus()

    def show_approval(self, text: str) -> None:
        """Say who approved the release of the run that is shown, where its content is gone."""
        if text != self._approval:
            self._approval = text
            if self.panel is None:
                self._explain_empty()

    def start_sign_off(self) -> None:
        review = self.folder or self.panel
        if review is not None:
            review.sign_off.reviewer.setFocus()

    def _leave_folder(self) -> None:
        if self.folder is not None:
            self.folder.drop_jobs()
            self.removeWidget(self.folder)
            self.folder.deleteLater()
            self.folder = None
        if self.panel is not None:
            self.setCurrentWidget(self.panel)
        self.bring_up_to_date()

    def update_soon(self) -> None:
        if self.isVisible():
            self.controller.turns.run_soon(self.bring_up_to_date)

    def bring_up_to_date(self) -> None:
        """Review the run that is shown, unless another one was being written meanwhile."""
        record, opened = self.controller.current, self.controller.opened
        if self.folder is not None:  # somebody is at it: the run can wait
            return
        if self.panel is not None:
            another = record is not self._shown
            self.panel.offer_other(record.letter if record is not None and another else "")
            if self.panel.busy or not another or (record is not None and record is self._waiting):
                return
        self._close_panel()
        if record is None or not record.complete or opened is None:
            self._explain_empty()
            return
        book = self.controller.notes
        context = self.policy, book.list_notes(), self._verdicts, book.opened
        disclosure = self.controller.disclosure
        panel = ReviewPanel(record.copy(), opened.log, self, *context, disclosure)
        panel.exported.connect(partial(self._announce_export, record))
        panel.ended.connect(self._wait_for_reader)
        panel.other_wanted.connect(self._turn_to_current)
        panel.gates.policy_wanted.connect(self.policy_wanted)
        panel.gates.ledger_wanted.connect(self.ledger_wanted)
        panel.gates.suppression_wanted.connect(partial(self._set_suppression, record.plan))
        self.panel, self._shown = panel, record
        self.addWidget(panel)
        self.setCurrentWidget(panel)

    def _announce_export(self, record: Run, folder: Path, released: str) -> None:
        """A run's release stands in a folder; a project that is saved now has its approval."""
        if released:
            record.released, record.reported = released, False
            self.controller.run_changed.emit(record)
        self.exported.emit(record.number, folder)

    def _wait_for_reader(self) -> None:
        """Keep the outcome of an export in view, though another run is shown."""
        self._waiting = self.controller.current

    def _turn_to_current(self) -> None:
        self._waiting = None
        self.bring_up_to_date()

    def _set_suppression(self, plan: Plan, level: str) -> None:
        self.controller.intents.adopt_plan(plan)
        self.controller.intents.set_all({PARAMETER: level})
        self.protect_wanted.emit()

    def _run_changed(self, record: Run) -> None:
        if record is not self.controller.current:
            return
        if record is not self._shown:
            self.update_soon()
        elif record.state != "finished":
            self._shown = None
            self.update_soon()

    def _close_panel(self) -> None:
        panel, self.panel, self._shown, self._waiting = self.panel, None, None, None
        if panel is not None:
            panel.drop_jobs()
            self.removeWidget(panel)
            panel.hide()
            panel.deleteLater()
        self.setCurrentIndex(0)

    def _explain_empty(self) -> None:
        record, act = self.controller.current, self.tr("Run")
        self.act.setVisible(record is None or not record.active)
        self.act.setEnabled(self.controller.opened is not None)
        if record is None:
            text = say("nothing to review")
        elif record.active:
            text = self.tr("Run {letter} is not finished yet. Its review follows when it is.")
        elif record.state != "finished":
            text = self.tr("Run {letter} {state}: there is nothing to release.")
        else:
            text = say("run without content")
            details = self.tr("The method draws no noise: made again, it is the same.")
            act = self.tr("Make it again")
            if not self.controller.is_repeatable(record):
                details = say("attackers' files are missing")
                if record.plan.what.randomised:
                    details = say("sign the exported folder")
                act = self.tr("Run the same parameters")
            text = f"{text} {details}"
        self.act.setText(act)
        if record is not None:
            state = style.RUN_SIGNS[record.state].word
            text = text.format(letter=record.letter, state=state)
        approval = self._approval if record is not None and record.state == "finished" else ""
        self.said.setText("\n\n".join(filter(None, (approval, text))))

    def _run_or_remake(self) -> None:
        record = self.controller.current
        if record is not None and record.state == "finished":
            self.controller.make_again(record.number)
        else:
            self.controller.run()
