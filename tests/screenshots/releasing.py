"""From a run to a signed release, what is kept of it, and what a crash leaves."""

from __future__ import annotations

from pathlib import Path

from auditor.gui.projects.dialogs import ask_before_losing, do_nothing
from auditor.gui.protect.why_dialog import WhyDialog
from auditor.gui.release.ledger_view import LedgerView
from auditor.gui.release.policy_editor import PolicyEditor
from auditor.gui.release.review_panel import ReviewPanel
from tests.screenshots.stage import Stage


def releasing(out: Path) -> Stage:
    """Policy, review, signature, ledger, why, questions."""
    stage = Stage(out)
    window = stage.window
    (stage.home / "Documents").mkdir()
    stage.open_sample()
    stage.choose("safelog", q_f=10, c_f=10)
    stage.run("cautious")

    window.commands.edit_policy()
    editor = stage.dialog(PolicyEditor)
    stage.until(lambda: editor.rows and not editor.jobs)
    stage.shot("policy", editor)
    editor.reject()

    review = stage.review()
    stage.shot("review")
    fill_sign_off(stage, review)
    stage.shot("review-sign-off", review)
    review.export()
    stage.until(lambda: review.state in ("done", "failed"))
    stage.until(lambda: not review.gates.busy)
    stage.shot("review-done")

    window.commands.show_ledger()
    ledger = stage.dialog(LedgerView)
    stage.spin(1.0)
    stage.shot("ledger", ledger)
    ledger.reject()

    window.commands.ask_why()
    why = stage.dialog(WhyDialog)
    why.explain_query("google")
    stage.until(lambda: why.column.count() > 2)
    stage.spin(0.6)
    stage.shot("why", why)
    why.reject()

    message = ask_before_losing(window, "sitting.qlpa", do_nothing, do_nothing)
    stage.spin(0.3)
    stage.shot("not-saved", message)
    message.reject()
    return stage


def fill_sign_off(stage: Stage, review: ReviewPanel) -> None:
    """Fill in who signs, for whom and with which key, and confirm everything."""
    review.reviewer.setText("Ada Example")
    review.comment.setPlainText("For the university's retrieval group.")
    review.key.setText(str(stage.home / "release.pem"))
    for box in review.checks:
        box.setChecked(True)
    settle_gates(review)


def settle_gates(review: ReviewPanel) -> None:
    """Say of each failed gate why it may pass."""
    from PySide6.QtWidgets import QLineEdit

    card = review.gates.card
    if card is None:
        return
    for field in card.findChildren(QLineEdit):
        field.setText("Made-up people: the log is synthetic.")
