"""One row of the parameter panel for each kind of parameter; made from its `ParamSpec` alone."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSlider, QWidget

from auditor.errors import ParameterError
from auditor.gui.app import translation
from auditor.gui.widgets import formats, style
from auditor.gui.widgets.dialogs import ask_for_files
from auditor.gui.widgets.fields import ChoiceBox, EventWatch, ignore_wheel
from auditor.messages import error_message
from auditor.params import ParamKind, ParamSpec

STEPS = 1000
"""Positions of a slider whose values can't be told apart one by one."""


@dataclass(frozen=True)
class SliderScale:
    """Maps positions 0 … `steps` onto the range that a parameter's slider spans."""

    spec: ParamSpec
    low: float
    high: float
    steps: int

    @classmethod
    def of(cls, spec: ParamSpec) -> SliderScale:
        """The scale of a number's slider; a short range of integers gets a place for each."""
        low, high = spec.slider or (0.0, 1.0)
        span = high - low
        exact = spec.kind is ParamKind.INTEGER and spec.scale == "linear" and span <= STEPS
        return cls(spec, low, high, int(span) if exact else STEPS)

    def convert_to_value(self, position: int) -> int | float:
        """The value at a position: rounded to what people would type, and within bounds."""
        share = position / self.steps
        if self.spec.scale == "log" and self.low > 0:
            raw = self.low * math.pow(self.high / self.low, share)
        elif self.spec.scale == "log":
            raw = self.low + math.expm1(share * math.log1p(self.high - self.low))
        else:
            raw = self.low + (self.high - self.low) * share
        if self.spec.kind is ParamKind.INTEGER:
            return min(max(round(raw), math.ceil(self.low)), math.floor(self.high))
        value, bounds = min(max(_round(raw), self.low), self.high), self.spec.bounds
        if bounds is None or value in bounds:
            return value
        step = (self.high - self.low) / self.steps  # off an end that the bounds leave out
        return _round(bounds.low + step if value <= bounds.low else bounds.high - step)

    def convert_to_position(self, value: float | None) -> int:
        """The position nearest to a value; the slider's end for one that it doesn't span."""
        if value is None:
            return 0
        clamped = min(max(float(value), self.low), self.high)
        if self.spec.scale == "log" and self.low > 0:
            share = math.log(clamped / self.low) / math.log(self.high / self.low)
        elif self.spec.scale == "log":
            share = math.log1p(clamped - self.low) / math.log1p(self.high - self.low)
        else:
            share = (clamped - self.low) / (self.high - self.low)
        return round(share * self.steps)


def _round(value: float) -> float:
    """Three significant digits."""
    return float(f"{value:.3g}")


GLANCE = 4
"""Digits of a number in a field that nobody types in."""
PAUSE = 700
"""Milliseconds without a key after which the next key begins another step of the history."""

_gestures = itertools.count(1)


class NumberEdit(QLineEdit):
    """A typed value; the up and down keys ask for the next one."""

    stepped = Signal(int)
    focused = Signal()
    """It got the focus, or lost it and has told what was typed."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.focused.emit()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if step:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)


class ParamRow(QWidget):
    """Label, value, reset, and a line that says what is wrong with what was typed."""

    edited = Signal(str, object, int)
    """Name, value, and the gesture that the change belongs to."""
    reset = Signal(str)
    complained = Signal(object)
    looked_at = Signal(object)
    """The spec whose help somebody may want to read."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__()
        self.spec = spec
        self.owner = owner
        self.setObjectName(f"row_{spec.name}")
        self._gesture = 0
        self._matters: bool | None = None
        self._shown: Any = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._end_gesture)

        named = not spec.unit or spec.unit.casefold() in re.findall(r"\w+", spec.label.casefold())
        unit = "" if named else f" ({spec.unit})"
        self.label = style.plain_label(spec.label + unit, wrap=True)
        default = formats.format_parameter(spec, spec.default)
        self.undo = style.tool_button(
            "↺",
            lambda: self.reset.emit(spec.name),
            name=self.tr("Reset {label}").format(label=spec.label),
            tip=self.tr("Back to {spec}").format(spec=default),
        )
        style.keep_room(self.undo)
        self.wrong = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.wrong.setAccessibleName(self.tr("Problem with {label}").format(label=spec.label))
        self.wrong.hide()

        self.top = style.row(None, [(self.label, 1)], spacing=style.TIGHT)
        self.body = style.column(self, [self.top], margins=(0, style.TIGHT), spacing=1)

    def finish_row(self, *inputs: QWidget) -> None:
        """Close the row: name its inputs for screen readers and follow their focus."""
        self.top.addWidget(self.undo)
        self.body.addWidget(self.wrong)
        for widget in inputs:
            widget.setAccessibleName(self.spec.label)
            widget.setAccessibleDescription(self.spec.help)
            widget.setToolTip(self.spec.help)
            EventWatch(widget, self._look_at, QEvent.Type.FocusIn)
        self.label.setToolTip(self.spec.help)
        self.label.setBuddy(inputs[0])
        EventWatch(self, self._look_at, QEvent.Type.Enter)

    def _look_at(self) -> None:
        self.looked_at.emit(self.spec)

    def show_value(self, value: Any, matters: bool) -> None:
        """Show the intent's value; a row that has no effect now is greyed."""
        self.show_problem("")
        self.undo.setVisible(value != self.spec.default)
        if matters != self._matters:
            self._matters = matters
            for layout in (self.body, self.top):
                for index in range(layout.count()):
                    item = layout.itemAt(index)
                    if item is not None and (widget := item.widget()) is not None:
                        widget.setEnabled(matters)
        self._shown = value
        self.display_value(value)

    def display_value(self, value: Any) -> None:
        """Put the value into the row's inputs without telling anybody."""

    def show_problem(self, why: str) -> None:
        """Say under the row what was wrong with a value, whose place the valid one takes again."""
        style.show_text(self.wrong, f"✗ {why}" if why else "")
        if why:
            self.restore_value()
            self.complained.emit(self)

    def restore_value(self) -> None:
        """Show the intent's value in place of one that was not taken."""
        self.display_value(self._shown)

    @property
    def gesture(self) -> int:
        """The gesture that a change now is part of: one drag, one burst of keys."""
        if not self._gesture:
            self._gesture = next(_gestures)
        return self._gesture

    def emit_value(self, value: Any) -> None:
        """Pass on what was set, as part of the gesture that goes on."""
        self.edited.emit(self.spec.name, value, self.gesture)

    def emit_step(self, value: Any) -> None:
        """Pass on what was set, as a gesture of its own."""
        self._end_gesture()
        self.emit_value(value)
        self._end_gesture()

    def _end_gesture(self) -> None:
        self._gesture = 0


class NumberRow(ParamRow):
    """A slider whose ends are labelled in words, and the value to type."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__(spec, owner)
        self.scale = SliderScale.of(spec)
        self.edit = NumberEdit()
        self.edit.setObjectName(f"edit_{spec.name}")
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 11)
        self.edit.setPlaceholderText(self.tr("auto") if spec.optional else "")
        self.edit.editingFinished.connect(self._emit_typed_value)
        self.edit.stepped.connect(self._step_value)
        self.edit.focused.connect(self._show_text)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        ignore_wheel(self.slider)
        self.slider.setObjectName(f"slider_{spec.name}")
        self.slider.setRange(0, self.scale.steps)
        self.slider.setPageStep(max(1, self.scale.steps // 10))
        self.slider.sliderPressed.connect(self._end_gesture)
        self.slider.sliderReleased.connect(self._end_gesture)
        self.slider.valueChanged.connect(self._emit_slider_value)
        self.top.addWidget(self.edit)
        self.body.addWidget(self.slider)
        if any(spec.ends):
            left, right = (style.plain_label(e, size=style.SMALL, role="muted") for e in spec.ends)
            right.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.body.addLayout(style.row(None, [left, right], margins=None))
        self.finish_row(self.slider, self.edit)
        self._text = ""

    def display_value(self, value: Any) -> None:
        """Move the slider and fill the field; the field stays while it is being typed in."""
        self.slider.blockSignals(True)
        self.slider.setValue(self.scale.convert_to_position(value))
        self.slider.blockSignals(False)
        self._show_text()
        tip, exact = self.spec.help, formats.format_for_field(self.spec, value)
        if value is None or exact != self._text:
            now = exact or self.spec.optional
            tip = self.tr("Now: {optional}. {help}").format(optional=now, help=tip)
        if tip != self.edit.toolTip():
            self.edit.setToolTip(tip)

    def _show_text(self) -> None:
        """Every digit while somebody types, and as many as can be read at a glance otherwise."""
        self._text = formats.format_for_field(self.spec, self._shown)
        if not self.edit.hasFocus() and self.spec.kind is ParamKind.REAL and self._text:
            self._text = translation.localize_number(f"{self._shown:.{GLANCE}g}")
        if self._text != self.edit.text():
            self.edit.setText(self._text)

    def _emit_slider_value(self, position: int) -> None:
        value = self.scale.convert_to_value(position)
        if value == self._shown:
            return
        self.edited.emit(self.spec.name, value, self.gesture)
        if not self.slider.isSliderDown():
            self._pause.start()

    def _step_value(self, step: int) -> None:
        self._emit_typed_value()
        position = self.slider.value()
        limit = self.scale.steps if step > 0 else 0
        while position != limit:  # several positions may round to the value that is shown
            position += step
            if self.scale.convert_to_value(position) != self._shown:
                break
        self.slider.setValue(position)

    def _emit_typed_value(self) -> None:
        if self.edit.text() == self._text:  # nobody typed, and it may be rounded
            return
        try:
            value = self.spec.parse(translation.read_figure(self.edit.text()), self.owner)
        except ParameterError as error:
            self.show_problem(translation.translate_text(error_message(error)))
            return
        self.show_problem("")
        if value != self._shown:
            self.emit_step(value)


class ChoiceRow(ParamRow):
    """A list of named values, each with its own help."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__(spec, owner)
        self.box = ChoiceBox(spec.label, least=12)
        self.box.setObjectName(f"choice_{spec.name}")
        self.box.offer((option.label, option.value, option.help) for option in spec.options)
        self.box.activated.connect(lambda _index: self.emit_step(self.box.currentData()))
        self.body.addWidget(self.box)
        self.finish_row(self.box)

    def display_value(self, value: Any) -> None:
        self.box.setCurrentIndex(self.box.findData(value))
        option = self.spec.options[self.box.currentIndex()]
        tip = option.help or self.spec.help
        if tip != self.box.toolTip():
            self.box.setToolTip(tip)


class FlagRow(ParamRow):
    """A box to tick."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__(spec, owner)
        self.box = QCheckBox()
        self.box.setObjectName(f"flag_{spec.name}")
        self.box.clicked.connect(self.emit_step)
        self.top.insertWidget(0, self.box)
        self.finish_row(self.box)

    def display_value(self, value: Any) -> None:
        self.box.setChecked(bool(value))


class PathRow(ParamRow):
    """A file to read, or none."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__(spec, owner)
        self.name = QLineEdit()
        self.name.setObjectName(f"path_{spec.name}")
        self.name.setReadOnly(True)
        self.name.setPlaceholderText(spec.optional)
        self.button = style.button(self.tr("Choose…"), self._ask_for_file)
        self.body.addLayout(style.row(None, [(self.name, 1), self.button]))
        self.finish_row(self.name, self.button)

    def display_value(self, value: Any) -> None:
        self.name.setText("" if value is None else Path(value).name)

    def _ask_for_file(self) -> None:
        ask_for_files(self, self.spec.label, lambda paths: self.emit_value(paths[0]))


def row_for(spec: ParamSpec, owner: str) -> ParamRow:
    kinds: dict[ParamKind, type[ParamRow]] = {
        ParamKind.INTEGER: NumberRow,
        ParamKind.REAL: NumberRow,
        ParamKind.CHOICE: ChoiceRow,
        ParamKind.FLAG: FlagRow,
        ParamKind.PATH: PathRow,
    }
    return kinds[spec.kind](translation.translate_spec(spec), owner)
