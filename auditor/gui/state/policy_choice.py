"""Which policy runs are judged by: the one that comes with the program, or the house's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal

from auditor.gui.state.intent_editor import Edit
from auditor.gui.state.worker import LatestValue

if TYPE_CHECKING:
    from auditor.log.model import QueryLog
    from auditor.release.feedback.file import StewardFeedback
    from auditor.release.policy.policy import Policy

KEY = "policy"


def default_policy() -> str:
    """The policy that a new workspace begins with."""
    return str(QSettings().value(KEY, ""))


class PolicyKeeper(QObject):
    """Keeps the text of the policy in force, this time and next time; `changed` tells of another.

    An empty text stands for the default. A kept policy that can't be read any more is not
    replaced by the default in silence: `load_policy` says what is wrong with it.
    """

    changed = Signal()
    outdated = Signal()
    """Verdicts are outdated: by another policy, or by what was said of marks since."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.changed.connect(self.outdated)
        self.edit: Edit | None = None
        """Makes a change a step that can be undone."""
        self.steward: Callable[[QueryLog, bytes], StewardFeedback | None] | None = None
        """What somebody said of a log's marks, for a worker thread; with the audit key's secret."""
        self.text = default_policy()
        self._read = LatestValue()

    def use_policy(self, text: str) -> None:
        """Judge by this policy from now on; an empty text is the default."""
        if text == self.text:
            return
        if self.edit is None:
            self._store_policy(text)
        else:
            self.edit(self.tr("policy"), self._store_policy, text, self.text)

    def use_for_project(self, text: str) -> None:
        """Judge by a project's policy as long as that is open; the next start won't know it."""
        if text != self.text:
            self.text = text
            self.changed.emit()

    def _store_policy(self, text: str) -> None:
        if text:
            QSettings().setValue(KEY, text)
        else:
            QSettings().remove(KEY)
        self.use_for_project(text)

    def load_policy(self) -> Policy:
        """The policy in force; for a worker thread. Raises `ParameterError` if it can't be read."""
        from auditor.release.policy import policy

        def read_policy() -> Policy:
            return policy.parse_policy(text.encode("utf-8")) if text else policy.default_policy()

        text = self.text
        rules: Policy = self._read.find(text, read_policy)  # every step of a slider is judged by it
        return rules
