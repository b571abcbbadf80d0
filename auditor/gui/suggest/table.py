"""The suggestions as rows: method, verdict, guarantee, what is kept, worst attack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from auditor.gui.app.translation import tr, translate_text
from auditor.gui.compare.runs_panel import VERDICT_SIGNS
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.tables import dress_table

if TYPE_CHECKING:
    from auditor.suggestions.result import Suggestion


class SuggestionTable(QTableWidget):
    """Best first; those that none of the others beats have a star."""

    chosen = Signal(int)
    """The row whose suggestion is looked at; −1 for none."""
    adopted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 5, parent)
        self.setHorizontalHeaderLabels(
            [
                self.tr("Setting"),
                self.tr("Verdict"),
                self.tr("Guarantee"),
                self.tr("What is kept"),
                self.tr("Worst attack"),
            ]
        )
        dress_table(self, self.tr("Suggestions"))
        # All columns share the width, and long texts wrap: the table never scrolls sideways.
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setWordWrap(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.currentCellChanged.connect(lambda row, *_rest: self.chosen.emit(row))
        self.cellActivated.connect(lambda row, _column: self.adopted.emit(row))

    def show_suggestions(self, points: Sequence[Suggestion]) -> None:
        """Show these; the row that was current stays current."""
        kept = max(self.currentRow(), 0)
        self.setRowCount(len(points))
        theme = style.theme_of(self)
        for row, point in enumerate(points):
            verdict = point.verdict
            mark, colour = VERDICT_SIGNS[formats.tone_of(verdict)]
            state = translate_text(verdict.answer)
            if verdict.expected:
                state += tr(" (expected)")
            texts = (
                f"{'★ ' if point.on_front else ''}{translate_text(point.title)}",
                f"{mark} {state}",
                translate_text(verdict.guarantee.brief),
                formats.say_kept(verdict),
                translate_text(point.worst_short),
            )
            tip = "\n".join((*texts, *map(translate_text, point.reasons)))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(safe_text.plain_tip(tip))
                if column == 1 and colour:
                    item.setForeground(QBrush(QColor(getattr(theme, colour))))
                self.setItem(row, column, item)
        if points:
            self.setCurrentCell(min(kept, len(points) - 1), 0)
