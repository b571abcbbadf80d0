"""Find the value of any parameter at which any expected figure is what somebody wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from auditor.engine.solver import solvable_parameters, solve_parameter
from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import translate_text
from auditor.gui.widgets import style
from auditor.params import Params

if TYPE_CHECKING:
    from auditor.gui.state.controller import Controller

APART = ("expected.seconds", "expected.memory")
"""Figures of the run itself, which nobody wants to be some number."""


class GoalRow(QWidget):
    """A parameter, a figure, a wanted number, and a button."""

    wanted = Signal(str, str, float)
    """Parameter, figure, number."""

    def __init__(self, params: type[Params], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter, self.figure = QComboBox(), QComboBox()
        for box in (self.parameter, self.figure):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(6)
        self.parameter.setAccessibleName(self.tr("Parameter to find"))
        self.figure.setAccessibleName(self.tr("Expected figure"))
        for spec in solvable_parameters(params):
            self.parameter.addItem(translate_text(spec.label), spec.name)
        self.edit = QLineEdit()
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 9)
        self.edit.setAccessibleName(self.tr("Wanted figure"))
        self.edit.returnPressed.connect(self._find)
        self.button = QPushButton(self.tr("Find"))
        self.button.setAccessibleName(self.tr("Find the parameter for the wanted figure"))
        self.button.clicked.connect(self._find)
        self.wrong = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.wrong.hide()
        body = QVBoxLayout(self)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(style.TIGHT)
        body.addWidget(self.parameter)
        for_, is_ = style.plain_label(self.tr("for")), style.plain_label("=")
        for line in ((for_, self.figure), (is_, self.edit, self.button)):
            row = QHBoxLayout()
            row.setSpacing(style.TIGHT)
            for widget in line:
                row.addWidget(widget, int(widget is self.figure))
            body.addLayout(row)
        row.insertStretch(0, 1)
        body.addWidget(self.wrong)
        self._offered: tuple[str, ...] = ()
        self.hide()

    def offer(self, values: Sequence[MetricValue]) -> None:
        """Offer the figures that the method expects of its setting."""
        found = [value for value in values if value.name not in APART]
        names = tuple(value.name for value in found)
        if names != self._offered:
            kept = self.figure.currentData()
            self._offered = names
            self.figure.clear()
            for value in map(translation.translate_value, found):
                unit = f" ({value.unit})" if value.unit and value.unit != SHARE else ""
                self.figure.addItem(value.label + unit, value.name)
                help_ = Qt.ItemDataRole.ToolTipRole
                self.figure.setItemData(self.figure.count() - 1, value.help, help_)
            sides = {value.name: value.side for value in found}
            first = next((name for name in names if sides[name]), names[0] if names else "")
            self.figure.setCurrentIndex(self.figure.findData(kept if kept in names else first))
        self.setVisible(bool(names) and self.parameter.count() > 0)

    def complain(self, why: str) -> None:
        """Say why nothing was found, or nothing."""
        self.wrong.setText(translate_text(why))
        self.wrong.setVisible(bool(why))

    def _find(self) -> None:
        try:
            number = float(translation.read_figure(self.edit.text()))
        except ValueError:
            self.complain(self.tr("Type a number first, such as 0.5."))
            return
        self.complain("")
        parameter, figure = self.parameter.currentData(), self.figure.currentData()
        self.wanted.emit(str(parameter), str(figure), number)


def find(controller: Controller, parameter: str, figure: str, wanted: float) -> None:
    """Look for a value on the preview's users, in a thread, and take it."""
    opened = controller.opened
    if opened is None:
        return
    method, params = controller.method, controller.intent.params
    controller.intents.search(
        parameter,
        lambda progress: solve_parameter(
            method, params, parameter, figure, wanted, opened.sample, opened.scale, progress
        ),
    )
