"""A place for several figures of which one is drawn; somebody picks which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from auditor.figures import Figure
from auditor.gui.app import translation
from auditor.gui.app.translation import tr
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.state.ui_scheduler import UiScheduler
from auditor.gui.widgets import safe_text, style
from auditor.gui.widgets.choice_box import ChoiceBox


class FigurePane(QWidget):
    """Figures in named groups ("expected", "run A"); the pick survives new numbers.

    With `turns` the one that is picked is drawn in a turn of its own, and painted in another.
    """

    filled = Signal()
    """There are figures where there were none, or none any more."""

    def __init__(
        self, name: str, empty: str, parent: QWidget | None = None, turns: UiScheduler | None = None
    ) -> None:
        super().__init__(parent)
        self._empty = empty
        self._turns = turns
        self._groups: dict[str, tuple[Figure, ...]] = {}
        self._was_empty = True
        self.box = ChoiceBox(name)
        self.box.setToolTip(name)
        self.box.activated.connect(lambda _index: self._draw_soon())
        self.title = style.plain_label(name, bold=True)
        self.view = FigureView()
        head = QHBoxLayout()
        head.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        head.setSpacing(style.NORMAL)
        head.addWidget(self.title)
        head.addWidget(self.box, 1)
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addLayout(head)
        body.addWidget(self.view, 1)
        self.show_figures("", ())

    def show_figures(self, group: str, figures: Sequence[Figure], *, pick: bool = False) -> None:
        """Replace a group's figures; with `pick` its first becomes the one that is drawn."""
        if figures:
            self._groups[group] = tuple(figures)
        else:
            self._groups.pop(group, None)
        entries = [
            (f"{figure.title} ({tr(name)})" if name else figure.title, f"{name}/{figure.name}")
            for name, members in self._groups.items()
            for figure in map(translation.translate_figure, members)
        ]
        shown = [(self.box.itemText(i), self.box.itemData(i)) for i in range(self.box.count())]
        if entries != shown:
            kept = self.box.currentData()
            self.box.clear()
            for text, key in entries:
                self.box.addItem(text, key)
                tip = safe_text.plain_tip(text)
                self.box.setItemData(self.box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            self.box.setCurrentIndex(max(0, self.box.findData(kept)) if entries else -1)
        if pick and figures:
            self.box.setCurrentIndex(self.box.findData(f"{group}/{figures[0].name}"))
        self.box.setVisible(bool(entries))
        self._draw_soon()
        if self._was_empty != self.is_empty:
            self._was_empty = self.is_empty
            self.filled.emit()

    @property
    def is_empty(self) -> bool:
        """Whether there is no figure to draw."""
        return not self._groups

    def has_group(self, group: str) -> bool:
        """Whether a group has figures here."""
        return group in self._groups

    def drop_groups(self, *but: str) -> None:
        """Forget all groups except these."""
        for group in [name for name in self._groups if name not in but]:
            self.show_figures(group, ())

    def _draw_soon(self) -> None:
        """Draw, work out the axes and paint in a turn each, where there are turns."""
        if self._turns is None:
            self._draw_figure()
            return
        self._turns.run_soon(partial(self._draw_unseen, self._turns), self)

    def _draw_unseen(self, turns: UiScheduler) -> None:
        if not self.is_empty or self.view.has_plot:
            self.view.plot.show_in(turns)
        self._draw_figure()

    def _draw_figure(self) -> None:
        key = self.box.currentData()
        for name, members in self._groups.items():
            for figure in members:
                if f"{name}/{figure.name}" == key:
                    self.view.whose = name
                    self.view.show_figure(figure)
                    return
        self.view.clear(self._empty)
