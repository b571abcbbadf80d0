"""Undo and redo over everything that somebody edits: one stack, one text a step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from auditor.engine.plan import Intent


class IntentChange(QUndoCommand):
    """From one intent to another. Changes of one gesture (one drag) merge into one step."""

    def __init__(
        self,
        apply: Callable[[Intent], None],
        before: Intent,
        after: Intent,
        gesture: int,
        text: str,
    ) -> None:
        super().__init__(text)
        self._apply = apply
        self._before = before
        self._after = after
        self._gesture = gesture

    def id(self) -> int:
        """What Qt compares to see whether two commands may merge; −1 never does."""
        return self._gesture if self._gesture > 0 else -1

    def redo(self) -> None:
        """Go to the later intent."""
        self._apply(self._after)

    def undo(self) -> None:
        """Go back to the earlier one."""
        self._apply(self._before)

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the end of a later command of the same gesture."""
        if not isinstance(other, IntentChange) or other.id() != self.id():
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(same_intent(self._after, self._before))
        return True


class UndoableEdit(QUndoCommand):
    """A change of something small, from how it was to how it is."""

    def __init__(self, text: str, redo: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._redo = redo
        self._undo = undo

    def redo(self) -> None:
        """Make the change."""
        self._redo()

    def undo(self) -> None:
        """Take it back."""
        self._undo()


def same_intent(a: Intent, b: Intent) -> bool:
    """Whether two intents ask for the same; a value never set equals the default."""
    return (a.method, a.params, a.attacks, a.measures, a.checks, a.selection, a.rule_weights) == (
        b.method,
        b.params,
        b.attacks,
        b.measures,
        b.checks,
        b.selection,
        b.rule_weights,
    )
