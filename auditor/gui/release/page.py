"""The workspace Release: may the run that is shown leave the house, and who says so?"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.gui.app.translation import say
from auditor.gui.release.folder_review import FolderReview
from auditor.gui.release.review_panel import ReviewPanel
from auditor.gui.state.controller import Controller
from auditor.gui.state.verdicts import PolicyKeeper, VerdictKeeper
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import EventWatch
from auditor.methods.suppression import PARAMETER


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
        empty = QWidget()
        row = style.row(None, [self.act, self.exported_before, self.ledger, 1])
        style.column(empty, [self.said, row, 1], margins=3 * style.WIDE, spacing=style.WIDE)
        self.addWidget(empty)
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
        notes = self.controller.notes.list_notes()
        panel = ReviewPanel(record.copy(), opened.log, self, self.policy, notes, self._verdicts)
        panel.exported.connect(partial(self.exported.emit, record.number))
        panel.ended.connect(self._wait_for_reader)
        panel.other_wanted.connect(self._turn_to_current)
        panel.gates.policy_wanted.connect(self.policy_wanted)
        panel.gates.ledger_wanted.connect(self.ledger_wanted)
        panel.gates.suppression_wanted.connect(
            lambda level: self._set_suppression(record.plan, level)
        )
        self.panel, self._shown = panel, record
        self.addWidget(panel)
        self.setCurrentWidget(panel)

    def _wait_for_reader(self) -> None:
        """What came of an export stays to be read, though another run is shown by now."""
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
            more = self.tr("The method draws no noise: made again, it is the same.")
            act = self.tr("Make it again")
            if not self.controller.is_repeatable(record):
                more = say("attackers' files are missing")
                if record.plan.what.randomised:
                    more = say("sign the exported folder")
                act = self.tr("Run the same parameters")
            text = f"{text} {more}"
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
