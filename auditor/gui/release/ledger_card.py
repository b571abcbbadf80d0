"""The ledger in the review: what was released of this log, and what it adds up to with this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton

from auditor.gui.app.translation import translate_text
from auditor.gui.release.review_cards import ReviewCard
from auditor.gui.widgets import formats, style

if TYPE_CHECKING:
    from auditor.release.ledger.history import LedgerHistory
    from auditor.release.ledger.totals import LedgerTotal
    from auditor.release.record import ReleaseRecord


class LedgerCard(ReviewCard):
    """The total before and after this release; `asked` wants the whole ledger shown."""

    asked = Signal()

    def __init__(self, history: LedgerHistory | str, record: ReleaseRecord) -> None:
        super().__init__(QCoreApplication.translate("LedgerCard", "This log in the ledger"))
        if isinstance(history, str):
            self.add_paragraph(
                self.tr("✗ The ledger can't be used. {why}").format(why=history), role="bad"
            )
            self.add_paragraph(
                self.tr("Without it nobody knows what was released of this log before."),
                role="muted",
            )
            return
        after = history.add_release(record)
        self._add_totals(history.before, after)
        self._add_history(history, after)

    def _add_totals(self, before: LedgerTotal, after: LedgerTotal) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(style.WIDE)
        grid.setVerticalSpacing(style.TIGHT)
        grid.setColumnStretch(2, 1)
        for row, (name, total) in enumerate(
            ((self.tr("Approved so far"), before), (self.tr("With this release"), after))
        ):
            grid.addWidget(style.plain_label(name, role="muted"), row, 0)
            grid.addWidget(style.plain_label(self._format_count(total), role="muted"), row, 1)
            bad = bool(total.releases) and total.bounded is None
            text = self._format_headline(total)
            grid.addWidget(
                style.plain_label(text, bold=True, role="bad" if bad else "", wrap=True), row, 2
            )
        self.column.addLayout(grid)

    def _format_count(self, total: LedgerTotal) -> str:
        count = len(total.releases)
        if count == 1:
            return self.tr("1 release")
        return self.tr("{count} releases").format(count=formats.format_count(count))

    def _format_headline(self, total: LedgerTotal) -> str:
        if not total.releases:
            return self.tr("nothing")
        if total.bounded is None:
            return self.tr("✗ no total: no ε bounds what all of them tell together")
        alone = self.tr("ε {epsilon}, δ {delta}")
        text = self.tr("ε {epsilon}, δ {delta} together") if total.formal > 1 else alone
        return text.format(
            epsilon=formats.format_digits(total.bounded.epsilon, 4),
            delta=formats.format_number(total.bounded.delta),
        )

    def _add_history(self, history: LedgerHistory, after: LedgerTotal) -> None:
        from auditor.release.ledger.history import format_history

        told = format_history(history, after)
        self.add_paragraph(translate_text(told[0]))
        for line in told[1:]:
            self.add_paragraph(translate_text(line), role="muted")
        show = QPushButton(self.tr("Show the &ledger…"))
        show.setAutoDefault(False)
        show.clicked.connect(self.asked)
        row = QGridLayout()
        row.setColumnStretch(1, 1)
        row.addWidget(show, 0, 0)
        self.column.addLayout(row)
