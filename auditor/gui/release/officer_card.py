"""The data protection officer's questions of a run, each with what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.gui.app.translation import tr, translate_text
from auditor.gui.release.review_cards import ReviewCard
from auditor.gui.widgets import style
from auditor.gui.widgets.areas import FoldedSection

if TYPE_CHECKING:
    from auditor.release.record import ReleaseRecord

ROLES = {"found": "bad", "not measured": "bad", "not found": "", "stated": "muted"}


class OfficerCard(ReviewCard):
    """Three questions of WP 216 and four others; what an answer rests on is unfolded."""

    def __init__(self, record: ReleaseRecord) -> None:
        from auditor.release.officer import answer_officer

        super().__init__(tr("For the data protection officer"))
        for one in answer_officer(record):
            question = f"{translate_text(one.question)} ({one.source})"
            self.add_paragraph(question, bold=True)
            self.add_paragraph(translate_text(one.answer), role=ROLES.get(one.finding, "muted"))
            if one.evidence:
                fold = FoldedSection(self.tr("What it rests on"))
                evidence = "\n".join(map(translate_text, one.evidence))
                fold.column.addWidget(
                    style.plain_label(evidence, size=style.SMALL, wrap=True, selectable=True)
                )
                self.column.addWidget(fold)
        self.column.addStretch(1)
