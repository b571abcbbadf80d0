"""Edits of the run book that can be undone: names, comments, pins, removals."""

from __future__ import annotations

import dataclasses
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication

from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.gui.state.attacker_knowledge import KnowledgeReader
from auditor.gui.state.intent_editor import IntentEditor
from auditor.gui.state.run_book import RunBook


class RunOwner(Protocol):
    """What has the runs: a window's controller."""

    runs: RunBook
    current: Run | None
    known: KnowledgeReader
    intents: IntentEditor

    @property
    def runs_changed(self) -> Any: ...
    @property
    def run_changed(self) -> Any: ...
    @property
    def current_changed(self) -> Any: ...
    def submit(self, plan: Plan) -> int: ...
    def show_run(self, number: int) -> None: ...


def edit_run(
    controller: RunOwner,
    record: Run,
    *,
    name: str | None = None,
    comment: str | None = None,
    pinned: bool | None = None,
) -> None:
    """Name a run, say something of it, pin it: one step for each that changes."""
    tr = QCoreApplication.translate
    if name is not None and name.strip() != record.name:
        text = tr("Undo", "name of run {letter}").format(letter=record.letter)
        _edit_field(controller, record, text, "name", name.strip())
    if comment is not None and comment.strip() != record.comment:
        text = tr("Undo", "comment on run {letter}").format(letter=record.letter)
        _edit_field(controller, record, text, "comment", comment.strip())
    if pinned is not None and pinned != record.pinned:
        text = tr("Undo", "pin of run {letter}").format(letter=record.letter)
        _edit_field(controller, record, text, "pinned", pinned)


def _edit_field(
    controller: RunOwner, record: Run, text: str, field: str, after: str | bool
) -> None:
    before = getattr(record, field)

    def set_field(value: str | bool) -> None:
        setattr(record, field, value)
        controller.run_changed.emit(record)

    controller.intents.push_edit(text, lambda: set_field(after), lambda: set_field(before))


def remove_run(controller: RunOwner, record: Run) -> None:
    """Strike a run out; its step keeps it, so that it can come back."""
    place = controller.runs.find_place(record.number)
    shown = controller.current is record

    def delete_run() -> None:
        controller.runs.remove(record.number)
        controller.runs_changed.emit()
        if controller.current is record:
            controller.current = None
            controller.current_changed.emit(None)

    def restore_run() -> None:
        controller.runs.insert_run(record, place)
        controller.runs_changed.emit()
        if shown:
            controller.show_run(record.number)

    text = QCoreApplication.translate("Undo", "removal of run {letter}")
    controller.intents.push_edit(text.format(letter=record.letter), delete_run, restore_run)


def make_again(controller: RunOwner, record: Run) -> None:
    """Make a run once more, from what it was set to.

    Where nothing is drawn the same comes of it, and it takes its place again. Noise is never
    drawn twice: then it is another run, beside the one whose figures were kept.
    """
    known = tuple(sorted(controller.known.now.given.items()))
    plan = dataclasses.replace(record.plan, given=known)
    number = controller.submit(plan)
    if plan.what.randomised:
        made = controller.runs.add(number, plan)
        made.name = record.name
    else:
        record.plan = plan
        record.begin_again()
        controller.runs.renumber(record, number)
    controller.runs_changed.emit()
    controller.show_run(number)
