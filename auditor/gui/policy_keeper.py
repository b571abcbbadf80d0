"""Which policy runs are judged by: the one that comes with the program, or the house's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings, Signal

if TYPE_CHECKING:
    from auditor.release.policy import Policy

KEY = "policy"


class PolicyKeeper(QObject):
    """Keeps the text of the policy in force, this time and next time; `changed` tells of another.

    An empty text stands for the default. A kept policy that can't be read any more is not
    replaced by the default in silence: `rules` says what is wrong with it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = str(QSettings().value(KEY, ""))

    def use(self, text: str) -> None:
        """Judge by this policy from now on; an empty text is the default."""
        if text == self.text:
            return
        self.text = text
        if text:
            QSettings().setValue(KEY, text)
        else:
            QSettings().remove(KEY)
        self.changed.emit()

    def rules(self) -> Policy:
        """The policy in force; for a worker thread, since it imports and reads.

        Raises `ParameterError` if it can't be read.
        """
        from auditor.release import policy

        if not self.text:
            return policy.default_policy()
        return policy.parse_policy(self.text.encode("utf-8"))
