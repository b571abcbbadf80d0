"""Reach a goal: "released queries at least 100, by changing b", for any figure and parameter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from auditor.engine.solver import solvable_parameters
from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import mark_for_translation, tr, translate_text
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import ChoiceBox
from auditor.params import Params

GOALS = {
    "higher": mark_for_translation("{figure}: at least"),
    "lower": mark_for_translation("{figure}: at most"),
    "": mark_for_translation("{figure}: exactly"),
}
"""How a figure is wanted, by which way is better."""
APART = ("expected.seconds", "expected.memory")
"""Figures of the run itself, which nobody wants to be some number."""


class GoalRow(QWidget):
    """A figure with "at least" or "at most", a wanted number, a parameter, and a button."""

    wanted = Signal(str, str, float)
    """Parameter, figure, number."""

    def __init__(self, params: type[Params], main: Sequence[str] = ()) -> None:
        super().__init__()
        self.parameter = ChoiceBox(self.tr("Parameter to find"), least=6)
        self.figure = ChoiceBox(self.tr("Expected metric"), least=6)
        specs = solvable_parameters(params, main)
        self.parameter.offer((translate_text(spec.label), spec.name) for spec in specs)
        self.edit = QLineEdit()
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 9)
        self.edit.setAccessibleName(self.tr("Wanted value"))
        self.edit.returnPressed.connect(self._request_value)
        self.button = style.button(
            self.tr("Find"),
            self._request_value,
            name=self.tr("Find the parameter for the wanted metric"),
        )
        self.wrong = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.wrong.hide()
        by = style.plain_label(self.tr("by changing"))
        wanted = style.row(None, [(self.figure, 1), self.edit], spacing=style.TIGHT)
        means = style.row(None, [by, (self.parameter, 1), self.button], spacing=style.TIGHT)
        style.column(self, [wanted, means, self.wrong], spacing=style.TIGHT)
        self._offered: tuple[str, ...] = ()
        self._shares: set[str] = set()
        self.hide()

    def offer_metrics(self, values: Sequence[MetricValue]) -> None:
        goals = [value for value in values if value.name not in APART]
        names = tuple(value.name for value in goals)
        if names != self._offered:
            self._offered = names
            entries = []
            for value in map(translation.translate_value, goals):
                unit = "%" if value.unit == SHARE else value.unit
                unit = f" ({unit})" if unit and not value.label.endswith(")") else ""
                goal = tr(GOALS[value.better]).format(figure=value.label + unit)
                entries.append((goal, value.name, value.help))
            self._shares = {value.name for value in goals if value.unit == SHARE}
            self.figure.offer(entries, next((value.name for value in goals if value.side), None))
        self.setVisible(bool(names) and self.parameter.count() > 0)

    def show_problem(self, why: str) -> None:
        """Say why nothing was found, or nothing."""
        style.show_text(self.wrong, translate_text(why))

    def _request_value(self) -> None:
        try:
            number = float(translation.read_figure(self.edit.text().strip().removesuffix("%")))
        except ValueError:
            self.show_problem(self.tr("Type a number first, such as 0.5."))
            return
        self.show_problem("")
        parameter, figure = self.parameter.currentData(), self.figure.currentData()
        if figure in self._shares:  # typed in per cent, as they are shown
            number /= 100
        self.wanted.emit(str(parameter), str(figure), number)
