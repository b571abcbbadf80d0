"""The questions about projects. Each opens, returns at once, and calls back with the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from auditor.engine.run import Run
from auditor.gui.projects.keeper import PendingSave
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import formats, safe_text
from auditor.project.model import LogFacts

Do = Callable[[], object]
Role = QMessageBox.ButtonRole


def tr(text: str) -> str:
    """The text in the person's language."""
    return QCoreApplication.translate("Project", text)


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


def ask_overtaken(parent: QWidget, name: str, elsewhere: Do, replace: Do) -> QMessageBox:
    """Whether to replace what another window or program saved meanwhile."""
    text = tr("{name} was saved by another window or program since it was opened here.")
    return ask_question(
        parent,
        tr("Saved by somebody else"),
        text.format(name=name),
        tr("Replacing it loses the runs, notes and settings that were saved there."),
        {
            tr("Save &as…"): (Role.AcceptRole, elsewhere),
            tr("&Replace it"): (Role.DestructiveRole, replace),
            tr("Cancel"): (Role.RejectRole, do_nothing),
        },
    )


def ask_before_losing(parent: QWidget, name: str, save: Do, drop: Do) -> QMessageBox:
    """Whether to save what would be lost."""
    return ask_question(
        parent,
        tr("Not saved"),
        tr("Save the changes to {name}?").format(name=name),
        tr("Runs, notes and settings since the last save would be lost. No noise comes twice."),
        {
            tr("&Save"): (Role.AcceptRole, save),
            tr("&Don't save"): (Role.DestructiveRole, drop),
            tr("Cancel"): (Role.RejectRole, do_nothing),
        },
    )


def ask_for_log(
    parent: QWidget, pending: PendingSave, tried: OpenedLog | str, *, find: Do, view: Do, stop: Do
) -> QMessageBox:
    """Where the log is that a project is about; `tried` is another, or why none was read."""
    facts = pending.facts
    assert facts is not None
    wanted = describe_log(facts)
    if isinstance(tried, str):
        title, text = tr("The project's log"), tr("Where is the log of this project?")
        more = tr("It is about {log}. A project holds no queries, so it needs its log.")
        more = f"{tried}\n\n{more.format(log=wanted)}".strip()
    else:
        title, text = tr("Another log"), tr("This is not the log that the project was made with.")
        more = tr(
            "The project is about {wanted}. What was opened is {found}, and its contents differ. "
            "Results and notes belong to the first: on another log they would say something "
            "untrue. If it is the same file, its columns may have been read in another way."
        ).format(wanted=wanted, found=describe_log(LogFacts.of(tried.log, tried.title)))
    answers = {
        tr("&Find the log…"): (Role.AcceptRole, find),
        tr("&View the results only"): (Role.ActionRole, view),
        tr("Cancel"): (Role.RejectRole, stop),
    }
    return ask_question(parent, title, text, more, answers, stop)


def ask_recovery(
    parent: QWidget,
    when: datetime | None,
    log: LogFacts | None,
    *,
    restore: Do,
    later: Do,
    discard: Do,
) -> QMessageBox:
    """Whether to go on where a crash stopped: with what was kept aside `when`, of which `log`."""
    at = when.astimezone().strftime("%Y-%m-%d %H:%M") if when is not None else ""
    text = tr("The program ended without being closed.")
    if log is not None:
        text += "\n" + tr("Log: {log}").format(log=describe_log(log))
    more = tr("What was set, run and noted until {time} was kept aside. Go on from there?")
    return ask_question(
        parent,
        tr("Go on where you were"),
        text,
        more.format(time=at),
        {
            tr("&Restore"): (Role.AcceptRole, restore),
            tr("&Discard"): (Role.DestructiveRole, discard),
            tr("&Not now"): (Role.RejectRole, later),
        },
        later,
    )


def not_kept(panel: Any, record: Run, there: bool, make_again: Callable[[int], None]) -> bool:
    """Of a run that came from a project, say why there are no sessions to look at.

    `there` says whether the project's log is open. False if it is no such run.
    """
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
