"""One parameter of a grid: which, from where to where, and in how many steps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSpinBox, QWidget

from auditor.gui.app.translation import read_figure, translate_text
from auditor.gui.state.grid_runs import ParameterSpan
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.choice_box import ChoiceBox
from auditor.gui.widgets.slider_scale import SliderScale
from auditor.params import ParamKind, ParamSpec

NUMBERS = (ParamKind.INTEGER, ParamKind.REAL)
TOGETHER = ("q_f", "c_f")
"""Limits that SafeLog's source moves together."""


class SpanRow(QWidget):
    """A parameter, and from where to where in how many steps."""

    def __init__(self, name: str, *, optional: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._optional = optional
        self._specs: dict[str, ParamSpec] = {}
        self.box = ChoiceBox(name)
        self.box.currentIndexChanged.connect(self._show_range)
        self.low, self.high = QLineEdit(), QLineEdit()
        self.steps = QSpinBox(minimum=2, maximum=100, value=5)
        style.prepare_spin_box(self.steps)
        self.steps.setPrefix("× ")
        self.steps.setToolTip(self.tr("How many values between the two ends"))
        for edit, word in ((self.low, self.tr("from")), (self.high, self.tr("to"))):
            edit.setAccessibleName(f"{name} {word}")
            edit.setPlaceholderText(word)
            edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 8)
        self.steps.setAccessibleName(self.tr("{name} steps").format(name=name))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(style.TIGHT)
        line.addWidget(self.box, 1)
        for widget in (self.low, self.high, self.steps):
            line.addWidget(widget)

    def offer_parameters(self, specs: Sequence[ParamSpec], first: int) -> None:
        """Offer a method's parameters; `first` is the one that is picked."""
        self._specs = {spec.name: spec for spec in specs}
        self.box.clear()
        if self._optional:
            self.box.addItem(self.tr("no second parameter"), "")
        for spec in specs:
            self.box.addItem(translate_text(spec.label), spec.name)
            self.box.setItemData(
                self.box.count() - 1, translate_text(spec.help), Qt.ItemDataRole.ToolTipRole
            )
        if set(TOGETHER) <= set(self._specs):
            self.box.addItem(" = ".join(TOGETHER), "=".join(TOGETHER))
        self.box.setCurrentIndex(first)

    @property
    def spec(self) -> ParamSpec | None:
        """The parameter that is picked, or the first of those that go together."""
        return self._specs.get(self._list_names()[0])

    def _list_names(self) -> list[str]:
        return str(self.box.currentData() or "").split("=")

    def read_span(self, owner: str) -> ParameterSpan | None:
        """What is asked for. Raises `ParameterError` for an end that the parameter can't take."""
        spec = self.spec
        if spec is None or spec.kind not in NUMBERS:
            return None if spec is None else ParameterSpan(spec)
        low, high = (spec.parse(read_figure(e.text()), owner) for e in (self.low, self.high))
        also = tuple(self._list_names()[1:])
        return ParameterSpan(spec, float(low or 0), float(high or 0), self.steps.value(), also)

    def _show_range(self) -> None:
        spec = self.spec
        numeric = spec is not None and spec.kind in NUMBERS
        for widget in (self.low, self.high, self.steps):
            widget.setVisible(numeric)
        if spec is not None and numeric and spec.slider is not None:
            low, high = spec.slider
            self.low.setText(formats.format_for_field(spec, _snap_value(spec, low)))
            self.high.setText(formats.format_for_field(spec, _snap_value(spec, high)))


def _snap_value(spec: ParamSpec, value: float) -> float | int:
    """An end of the slider as a value that the parameter takes."""
    scale = SliderScale.of(spec)
    return scale.convert_to_value(scale.convert_to_position(value))
