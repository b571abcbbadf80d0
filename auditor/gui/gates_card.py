"""The gates of the review: each with its verdict and evidence, and room to override one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from auditor.engine.events import RunResult
from auditor.gui import style
from auditor.gui.review_parts import Card
from auditor.gui.worker import Job, Tell
from auditor.log.model import QueryLog
from auditor.progress import Progress

if TYPE_CHECKING:
    from auditor.release.gates import Judged
    from auditor.release.policy import Policy

SIGNS = {
    "passed": ("✓ passed", ""),
    "does not apply": ("– does not apply", "muted"),
    "failed": ("✗ failed", "bad"),
    "not measured": ("✗ not measured", "bad"),
}
WHY = "Why it may pass all the same"


class GatesCard(Card):
    """What the policy says of the run; `changed` is called when a reason is written."""

    def __init__(
        self, policy: Policy, judged: Sequence[Judged], changed: Callable[[], None]
    ) -> None:
        super().__init__("Gates")
        self._policy, self._judged = policy, judged
        self.reasons: dict[str, QLineEdit] = {}
        failed = sum(not one.ok for one in judged)
        if failed:
            self.say(f"✗ {failed} of {len(judged)} gates stand in the way", bold=True, role="bad")
            self.say(
                "A release is signed if every gate is passed, or overridden by you with a reason, "
                "which stands in the release under your name."
            )
        else:
            self.say("✓ Every gate is passed", bold=True)
        self.say(f"Policy: {policy.name}. {policy.note}", role="muted")
        self.column.addLayout(self._grid(changed))

    def _grid(self, changed: Callable[[], None]) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(style.NORMAL)
        row = 0
        for one in self._judged:
            word, role = SIGNS[one.verdict]
            top = Qt.AlignmentFlag.AlignTop
            grid.addWidget(style.label(word, role=role, bold=not one.ok), row, 0, top)
            grid.addWidget(style.label(f"{one.gate.title}  ({one.evidence})", wrap=True), row, 1)
            row += 1
            if not one.ok:
                if one.gate.why:
                    grid.addWidget(style.label(one.gate.why, role="muted", wrap=True), row, 1)
                reason = QLineEdit(maxLength=1_000)
                reason.setPlaceholderText(WHY)
                reason.setAccessibleName(f"{WHY}: {one.gate.title}")
                reason.textChanged.connect(lambda _: changed())
                grid.addWidget(reason, row + 1, 1)
                self.reasons[one.gate.name] = reason
                row += 2
        return grid

    def overrides(self) -> dict[str, str]:
        """Gate → reason, where one was written."""
        told = {name: field.text().strip() for name, field in self.reasons.items()}
        return {name: text for name, text in told.items() if text}

    def unsettled(self) -> bool:
        """Whether a gate fails that has no reason yet."""
        return len(self.overrides()) < len(self.reasons)

    def facts(self) -> dict[str, Any]:
        """What the manifest says of the gates."""
        from auditor.release.gates import facts

        return facts(self._policy, self._judged)


class Gates(QWidget):
    """Judges a run in a thread and shows the card; `changed` tells of every verdict or reason."""

    changed = Signal()

    def __init__(self, result: RunResult, log: QueryLog) -> None:
        super().__init__()
        self._result, self._log = result, log
        self._job: Job | None = None
        self.card: GatesCard | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.hide()

    @property
    def busy(self) -> bool:
        """Whether the verdicts are still to come."""
        return self._job is not None

    def start(self) -> None:
        """Begin to judge by the policy that comes with the program."""
        result, log = self._result, self._log

        def work(progress: Progress, tell: Tell) -> tuple[Any, Any]:
            del tell
            progress.check()
            from auditor.release import gates, policy

            rules = policy.default_policy()
            return rules, gates.judge(result, log, rules)

        self._job = Job("gates", work)
        self._job.done.connect(self._judged)
        self._job.failed.connect(self._failed)
        self._job.start()

    def drop(self) -> None:
        """Nobody wants the verdicts any more."""
        if self._job is not None:
            self._job.drop()
            self._job = None

    def unsettled(self) -> bool:
        """Whether something stands in the way of an approval."""
        return self.card is None or self.card.unsettled()

    def overrides(self) -> dict[str, str]:
        """Gate → reason."""
        return self.card.overrides() if self.card is not None else {}

    def facts(self) -> dict[str, Any] | None:
        """What the manifest says of the gates; None where they could not be judged."""
        return self.card.facts() if self.card is not None else None

    def _judged(self, found: tuple[Any, Any]) -> None:
        self.card = GatesCard(*found, self.changed.emit)
        self._show(self.card)

    def _failed(self, message: str) -> None:
        card = Card("Gates")
        card.say(f"The gates could not be judged. {message}", role="bad")
        self._show(card)

    def _show(self, card: Card) -> None:
        self._job = None
        self._column.addWidget(card)
        self.show()
        self.changed.emit()
