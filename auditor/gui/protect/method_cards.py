"""Methods to choose from, a card for each: what comes out, what is guaranteed, what is weak."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout

from auditor.engine.plan import Intent
from auditor.engine.presets import ReleasePreset, preset_files, read_preset
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.worker import JobProgress, LatestJob
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.areas import UprightArea
from auditor.gui.widgets.fields import EventWatch
from auditor.messages import DisplayText
from auditor.methods.base import Method
from auditor.methods.registry import METHODS
from auditor.suggestions.improvements import AFTER_RUN, expect_methods

CARD = 40
"""Characters that a card is wide at least."""


class MethodCard(QFrame):
    """One method in four lines, to choose, and below it settings of deployed releases."""

    def __init__(
        self, method: Method, presets: Sequence[ReleasePreset], gallery: MethodGallery
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.title = style.plain_label(translate_text(method.title), size=style.HEADING, bold=True)
        self.summary = style.plain_label(translate_text(method.summary), wrap=True)
        self.summary.setToolTip(method.source)
        use = self.tr("Use")
        name = f"{use}: {translate_text(method.title)}"
        self.use = style.button(use, lambda: gallery.chosen.emit(method.name), name=name)
        head = style.row(None, [(self.title, 1), self.use])
        facts = style.grid(stretch={1: 1}, across=style.NORMAL)
        self.kept = style.plain_label(size=style.SMALL, bold=True, wrap=True)
        self.kept.setToolTip(self.tr("Expected with the parameters as this method has them"))
        heading = style.plain_label(self.tr("This log"), size=style.SMALL, role="muted")
        facts.addWidget(heading, 0, 0, Qt.AlignmentFlag.AlignTop)
        facts.addWidget(self.kept, 0, 1)
        texts = {
            tr("Gives"): describe_output(method),
            tr("Guarantee"): translate_text(method.guarantee),
            tr("Weakness"): translate_text(method.weakness),
        }
        for row, (name, text) in enumerate(texts.items(), start=1):
            head_label = style.plain_label(name, size=style.SMALL, role="muted")
            label = style.plain_label(text or "–", size=style.SMALL, wrap=True)
            facts.addWidget(head_label, row, 0, Qt.AlignmentFlag.AlignTop)
            facts.addWidget(label, row, 1, Qt.AlignmentFlag.AlignTop)
        self.presets = [
            style.button(
                self.tr("Settings of {name}").format(name=preset.name),
                lambda _checked=False, preset=preset: gallery.preset.emit(preset),
                tip=safe_text.plain_tip("\n".join(map(translate_text, preset.notes))),
            )
            for preset in presets
        ]
        style.column(
            self,
            [head, self.summary, facts, 1, *self.presets],
            margins=(style.WIDE, style.NORMAL, style.NORMAL, style.NORMAL),
            spacing=style.TIGHT,
        )


def describe_output(method: Method) -> str:
    """What comes out, in one line; what else than queries is counted is a parameter each."""
    if method.yields == "log":
        return tr("A log, row by row")
    names = {spec.name for spec in method.params.specs()}
    if "transitions" in names:
        return tr("Tables of counts: queries, clicks, transitions")
    if "clicks" in names:
        return tr("Tables of counts: queries, clicks")
    if method.form == "n-grams":
        return tr("A table of n-grams")
    if method.folds:
        return tr("A table of queries by page, place or date")
    if "items" in names:
        return tr("A table of what a public list holds, by date")
    return tr("A table of queries by date") if method.dated else tr("A table of queries")


class MethodGallery(UprightArea):
    """All methods; as many cards beside each other as have room."""

    chosen = Signal(str)
    preset = Signal(ReleasePreset)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Methods"))
        self.cards: dict[str, MethodCard] = {}
        self.job = LatestJob()
        """What works out what each method would keep."""
        self._grid = QGridLayout()
        self._grid.setContentsMargins(*(style.WIDE,) * 4)
        self._grid.setSpacing(style.NORMAL)
        self._columns = 0
        self.setWidget(style.filled(self._grid))
        EventWatch(self.viewport(), self._arrange_cards, QEvent.Type.Resize)
        EventWatch(self, self._arrange_cards, QEvent.Type.FontChange)

    def show_methods(self, intent: Intent, opened: OpenedLog | None) -> None:
        """Make the cards when they are first looked at, mark the method that is set, and say what
        each would keep of the log."""
        current = intent.method
        if not self.cards:
            presets = [read_preset(name) for name in preset_files()]
            for name in METHODS:
                matches = [preset for preset in presets if preset.method == name]
                self.cards[name] = MethodCard(METHODS[name], matches, self)
            self._arrange_cards()
        for name, card in self.cards.items():
            style.restyle(card, "current", "true" if name == current else "false")
            known_before = METHODS[name].outlook is not None
            card.kept.setText("…" if known_before else translate_text(AFTER_RUN))
        if opened is not None:
            conditions = opened.log, opened.sample, opened.scale, intent

            def expect(progress: JobProgress) -> None:
                expect_methods(*conditions, progress.tell, progress)

            self.job.start("kept", expect, lambda _end: None, partial=self._show_kept)
        self.cards[current].use.setFocus()

    def _show_kept(self, expected: tuple[str, DisplayText]) -> None:
        name, sentence = expected
        self.cards[name].kept.setText(translate_text(sentence))

    def _arrange_cards(self) -> None:
        wide = CARD * self.fontMetrics().averageCharWidth()
        columns = max(1, min(4, self.viewport().width() // max(1, wide)))
        if not self.cards or columns == self._columns:
            return
        for column in range(self._columns):
            self._grid.setColumnStretch(column, 0)
        self._grid.setRowStretch(self._grid.rowCount() - 1, 0)
        self._columns = columns
        for place, card in enumerate(self.cards.values()):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(columns):
            self._grid.setColumnStretch(column, 1)
        self._grid.setRowStretch(self._grid.rowCount(), 1)  # cards are no higher than their text
