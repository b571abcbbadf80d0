"""Privacy × utility: every finished run a point, the best trade-offs joined by a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from auditor.engine.run import Run
from auditor.figures import Figure, Series
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.plots.figure_view import Legend, LegendEntry
from auditor.gui.plots.pareto_points import (
    axis_of,
    group_close_points,
    look_of,
    pareto_front,
    roomy_range,
)
from auditor.gui.plots.picture import of_figure
from auditor.gui.release.exportable import Exportable
from auditor.gui.state.metrics import RunMetrics, by_key, list_choices
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.fields import ChoiceBox

if TYPE_CHECKING:
    from auditor.gui.plots.pareto_plot import ParetoPlot


MOST_OFFERED = 8
"""Figures that a menu of an axis offers at first."""
ALL = "all figures"


class ParetoPanel(QWidget):
    """The scatter of all runs, whatever their method, with a choice of what is on each axis."""

    chosen = Signal(int)
    filled = Signal()
    """There are runs to draw where there were none, or none any more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = Legend()
        self.across, self.up = (
            self._make_choice_box(self.tr("Privacy metric")),
            self._make_choice_box(self.tr("Utility metric")),
        )
        self.empty = style.plain_label(
            self.tr(
                "Every run becomes a point here: what an attacker still gets against what the data "
                "are still worth. Press Run to add the first."
            ),
            role="muted",
            wrap=True,
            centred=True,
        )
        self.empty.setContentsMargins(style.WIDE, 0, style.WIDE, style.NORMAL)
        two_lines = 2 * self.empty.fontMetrics().lineSpacing() + 2 * style.NORMAL
        self.empty.setMinimumHeight(two_lines)
        self._records: list[Run] = []
        self._current: Run | None = None
        self._picked: dict[bool, str] = {}
        self._all: set[str] = set()
        """Axes of which every figure is offered, and not only the first few."""
        self._placed: list[tuple[Run, tuple[RunMetrics, RunMetrics]]] = []
        self.missing = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.missing.setContentsMargins(style.NORMAL, 0, style.NORMAL, style.TIGHT)
        self.missing.setAccessibleName(self.tr("Runs that are not drawn, and what is not known"))
        self._head: list[QWidget] = [
            style.plain_label("x", size=style.SMALL, role="muted"),
            self.across,
            style.plain_label("y", size=style.SMALL, role="muted"),
            self.up,
        ]
        axes = QHBoxLayout()
        title = style.row(
            None, [style.plain_label(self.tr("Privacy × utility"), bold=True), (self.legend, 1)]
        )
        for part in self._head:
            axes.addWidget(part, 2 if isinstance(part, QComboBox) else 0)
        self._body = body = style.column(self, spacing=0)
        for line in (title, axes):
            line.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, 0)
            line.setSpacing(style.NORMAL)
            body.addLayout(line)
        body.addWidget(self.empty, 1)
        body.addWidget(self.missing)
        self.show_runs([], None)

    @cached_property
    def plot(self) -> ParetoPlot:
        """The scatter, made when there is a run to draw."""
        from auditor.gui.plots.pareto_plot import ParetoPlot

        made = ParetoPlot()
        made.setAccessibleName(self.tr("Privacy and utility of all runs"))
        made.chosen.connect(self.chosen)
        self._body.insertWidget(2, made, 1)
        return made

    @property
    def is_empty(self) -> bool:
        """Whether there is no run to draw."""
        return not self._records

    def _make_choice_box(self, name: str) -> QComboBox:
        box = ChoiceBox(name, least=6)
        box.setToolTip(name)
        box.activated.connect(lambda _index: self._pick_metric(box))
        return box

    def _pick_metric(self, box: QComboBox) -> None:
        if box.currentData() == ALL:
            self._all.add("utility" if box is self.up else "privacy")
            self.show_runs(self._records, self._current)
            return
        self._picked[box is self.up] = box.currentData()
        self._draw_points()

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        """Draw these finished runs."""
        was_empty, self._records, self._current = not self._records, list(records), current
        for box, side in ((self.across, "privacy"), (self.up, "utility")):
            box.clear()
            offered = list_choices(self._records, side)
            name = self._picked.get(box is self.up)
            short = [one for one in offered if one.value.side == side][:MOST_OFFERED]
            if side not in self._all and short and name in (None, *(one.key for one in short)):
                rest, offered = len(offered) > len(short), short
            else:
                rest = False
            for place, one in enumerate(offered):
                if place and one.value.side != side == offered[place - 1].value.side:
                    box.insertSeparator(box.count())
                box.addItem(one.label, one.key)
                box.setItemData(
                    box.count() - 1,
                    safe_text.plain_tip(_make_tip(one)),
                    Qt.ItemDataRole.ToolTipRole,
                )
            if rest:
                box.addItem(self.tr("All metrics…"), ALL)
            picked = box.findData(name) if name else -1  # a separator's data is None
            own = bool(offered) and offered[0].value.side == side
            box.setCurrentIndex(picked if picked >= 0 else 0 if own else -1)
            box.setEnabled(box.count() > 1)
        self._draw_points()
        if was_empty == bool(records):
            self.filled.emit()

    def _draw_points(self) -> None:
        keys = (self.across.currentData(), self.up.currentData())
        self._placed, lacking = [], []
        about: tuple[RunMetrics, RunMetrics] | None = None
        for record in self._records:
            figures = by_key(record)
            found = [figures.get(key) for key in keys]
            known = [f for f in found if f is not None and math.isfinite(f.value.value)]
            if len(known) == 2:
                self._placed.append((record, (known[0], known[1])))
                about = about or (known[0], known[1])
            else:
                lacking.append((record, [f is None or f not in known for f in found]))
        if about is not None or "plot" in self.__dict__:
            self.plot.setVisible(about is not None)
        self.empty.setVisible(about is None)
        for part in self._head:
            part.setVisible(bool(self._records))
        self._say_missing(lacking, about)
        if about is None:
            self.legend.hide()
            return
        records = [record for record, _ in self._placed]
        self._show_legend(records)
        pairs = [(a.value, b.value) for _, (a, b) in self._placed]
        x, y = [a.value for a, _ in pairs], [b.value for _, b in pairs]
        self.plot.setAccessibleDescription(
            " ".join(
                f"{r.letter}: {a.label} {formats.format_metric(a)}, {b.label} "
                f"{formats.format_metric(b)}."
                for r, (a, b) in zip(records, pairs, strict=True)
            )
        )
        values = about[0].value, about[1].value
        self.plot.show_points(records, x, y, values, self._current)

    def _show_legend(self, records: Sequence[Run]) -> None:
        looks = look_of(records)
        titles = {record.plan.method: translate_text(record.plan.what.title) for record in records}
        self.legend.show_entries(
            tuple(LegendEntry(titles[name], "points", look) for name, look in looks.items())
        )
        self.legend.setVisible(len(looks) > 1)

    def _say_missing(
        self, lacking: Sequence[tuple[Run, list[bool]]], about: tuple[RunMetrics, RunMetrics] | None
    ) -> None:
        """List the runs that have no point, and say why there is no front, if there is none."""
        said = []
        names = ("x", "y")
        for record, absent in lacking:
            which = tr(" and ").join(name for name, no in zip(names, absent, strict=True) if no)
            said.append(f"{record.letter} ({which})")
        lines = []
        if said:
            text = self.tr("Not drawn, since they lack a metric: {}.")
            lines.append(text.format(", ".join(said)))
        if about is not None:
            blind = [translate_text(one.value.label) for one in about if not one.value.better]
            if blind:
                text = self.tr("No front: nothing says which way is better for {}.")
                lines.append(text.format(tr(" and ").join(blind)))
        self.missing.setText(" ".join(lines))
        self.missing.setVisible(bool(lines))

    def make_exportable(self) -> Exportable | None:
        """The runs' points and their front as a picture."""
        if not self._placed:
            return None
        records = [record for record, _ in self._placed]
        about = self._placed[0][1][0].value, self._placed[0][1][1].value
        x = np.array([a.value.value for _, (a, _) in self._placed])
        y = np.array([b.value.value for _, (_, b) in self._placed])
        series = []
        for name in look_of(records):
            mine = np.array([record.plan.method == name for record in records])
            title = next(
                translate_text(r.plan.what.title) for r in records if r.plan.method == name
            )
            series.append(Series(title, x[mine], y[mine], "points"))
        ahead = pareto_front(x.tolist(), y.tolist(), about)
        if len(ahead) > 1:
            series.append(Series(self.tr("best trade-offs"), x[ahead], y[ahead]))
        figure = Figure(
            "privacy-utility",
            self.tr("Privacy × utility"),
            axis_of(about[0]),
            axis_of(about[1]),
            tuple(series),
            note=self.missing.text(),
        )
        labels = [
            (a, b, " ".join(record.letter for record in members))
            for members, a, b in group_close_points(records, x.tolist(), y.tolist())
        ]
        frame = (roomy_range(x.tolist()), roomy_range(y.tolist()))
        return of_figure(figure, frame=frame, labels=labels)


def _make_tip(one: RunMetrics) -> str:
    better = {"higher": tr(" Higher is better."), "lower": tr(" Lower is better."), "": ""}
    return translate_text(one.value.help) + better[one.value.better]
