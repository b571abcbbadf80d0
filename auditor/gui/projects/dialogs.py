"""Questions that open, return at once, and call back with the answer; and what they speak of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from auditor.engine.run import Run
from auditor.gui.app.translation import tr
from auditor.gui.widgets import formats, safe_text
from auditor.project.model import LogFacts

Do = Callable[[], object]
Role = QMessageBox.ButtonRole


def do_nothing() -> None:
    """Leave all as it is."""


def ask_question(
    parent: QWidget,
    title: str,
    text: str,
    more: str,
    answers: Mapping[str, tuple[QMessageBox.ButtonRole, Do]],
    dismissed: Do = do_nothing,
) -> QMessageBox:
    """Show a question with these answers; the first is the default one."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(text)
    box.setInformativeText(more)
    made: dict[QPushButton, Do] = {}
    for name, (role, do) in answers.items():
        button = box.addButton(name, role)
        if not made:
            box.setDefaultButton(button)
        if role == Role.RejectRole:
            box.setEscapeButton(button)
        made[button] = do

    def run_answer(_code: int) -> None:
        chosen = box.clickedButton()
        next((do for button, do in made.items() if button is chosen), dismissed)()

    box.finished.connect(run_answer)
    box.open()
    return box


def not_kept(panel: Any, record: Run, there: bool, make_again: Callable[[int], None]) -> bool:
    """Say why a project's run has no sessions, and offer to find them; False if it has."""
    kept = record.outcome
    if not record.reopened or kept is None or not any(kept.flagged.values()):
        return False
    count = formats.format_count(max(kept.flagged.values()))
    text = tr("Up to {count} sessions were flagged by an attack on run {letter}.")
    text = text.format(count=count, letter=record.letter) + " "
    text += tr("A project keeps metrics, but no sessions: those hold what people searched for.")
    again = tr("Find them again")
    if not there:
        text += " " + tr("They can be found again once the log is open.")
    elif record.plan.what.randomised:
        text += " " + tr("Its noise can't be drawn twice: another run will stand beside it.")
        again = tr("Run the same settings")
    panel.set_state(text)
    if there:
        panel.empty.offer_action(again, lambda: make_again(record.number))
    return True


def describe_log(facts: LogFacts) -> str:
    """A log in a few words, none of them somebody's."""
    parts = [
        tr("{count} users").format(count=formats.format_count(facts.users)),
        tr("{count} rows").format(count=formats.format_count(facts.rows)),
    ]
    if facts.period is not None:
        parts.append(formats.format_period(facts.period))
    return f"{safe_text.shorten_text(facts.title, 80)} ({', '.join(parts)})"
