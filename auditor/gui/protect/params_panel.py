"""The sliders, built from a method's `Params` and `solvers` alone, and what a run will take."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QPushButton, QSlider, QWidget

from auditor.engine.run_progress import RunPart
from auditor.engine.solver import solvable_parameters, solve_parameter
from auditor.errors import ParameterError
from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import read_figure, read_words, tr, translate_text
from auditor.gui.help.view import set_page
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import QueuedRun
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import FoldedSection, ScrollColumn
from auditor.gui.widgets.dialogs import ask_for_files
from auditor.gui.widgets.fields import ChoiceBox, EventWatch, ignore_wheel
from auditor.messages import error_message
from auditor.methods.base import Method, ParameterSolver
from auditor.params import ParamKind, Params, ParamSpec
from auditor.progress import Progress

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
        self._gesture = 0
        self._matters: bool | None = None
        self._shown: Any = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._end_gesture)

        words = re.findall(r"\w+", spec.label.casefold())
        unit = f" ({spec.unit})" if spec.unit and spec.unit.casefold() not in words else ""
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
        look_at = partial(self.looked_at.emit, self.spec)
        for widget in inputs:
            widget.setAccessibleName(self.spec.label)
            widget.setAccessibleDescription(self.spec.help)
            widget.setToolTip(self.spec.help)
            EventWatch(widget, look_at, QEvent.Type.FocusIn)
        self.label.setToolTip(self.spec.help)
        self.label.setBuddy(inputs[0])
        EventWatch(self, look_at, QEvent.Type.Enter)

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

    def show_problem(self, reason: str) -> None:
        """Say under the row what was wrong with a value, whose place the valid one takes again."""
        style.show_text(self.wrong, f"✗ {reason}" if reason else "")
        if reason:
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
        """Pass a value on while a gesture, such as a drag, continues."""
        self.edited.emit(self.spec.name, value, self.gesture)

    def emit_step(self, value: Any) -> None:
        """Pass a value on as a complete gesture."""
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
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 11)
        self.edit.setPlaceholderText(self.tr("auto") if spec.optional else "")
        self.edit.editingFinished.connect(self._emit_typed_value)
        self.edit.stepped.connect(self._step_value)
        self.edit.focused.connect(self._show_text)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        ignore_wheel(self.slider)
        self.slider.setRange(0, self.scale.steps)
        self.slider.setPageStep(max(1, self.scale.steps // 10))
        self.slider.sliderPressed.connect(self._end_gesture)
        self.slider.sliderReleased.connect(self._end_gesture)
        self.slider.valueChanged.connect(self._emit_slider_value)
        self.top.addWidget(self.edit)
        scale: list[style.Part] = [self.slider]
        if any(spec.ends):
            left, right = (style.plain_label(e, size=style.SMALL, role="muted") for e in spec.ends)
            right.setAlignment(Qt.AlignmentFlag.AlignRight)
            scale.append(style.row(None, [left, right], margins=None))
        self._range = style.filled(style.column(None, scale, spacing=1))
        self.body.addWidget(self._range)
        self.finish_row(self.slider, self.edit)
        self._text = ""

    def display_value(self, value: Any) -> None:
        """Move the slider and fill the field; the field stays while it is being typed in."""
        self.slider.blockSignals(True)
        self.slider.setValue(self.scale.convert_to_position(value))
        self.slider.blockSignals(False)
        self._range.setVisible(value is not None)  # no place on it means that it is automatic
        self._show_text()
        tip, exact = self.spec.help, formats.format_for_field(self.spec, value)
        if value is None or exact != self._text:
            current = exact or self.spec.optional
            tip = self.tr("Now: {optional}. {help}").format(optional=current, help=tip)
        self.edit.setToolTip(tip)

    def _show_text(self) -> None:
        """All digits while the field is edited, otherwise as many as can be read at a glance."""
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
        self.box.offer((option.label, option.value, option.help) for option in spec.options)
        self.box.activated.connect(lambda _index: self.emit_step(self.box.currentData()))
        self.body.addWidget(self.box)
        self.finish_row(self.box)

    def display_value(self, value: Any) -> None:
        self.box.setCurrentIndex(self.box.findData(value))
        option = self.spec.options[self.box.currentIndex()]
        self.box.setToolTip(option.help or self.spec.help)


class FlagRow(ParamRow):
    """A box to tick."""

    def __init__(self, spec: ParamSpec, owner: str) -> None:
        super().__init__(spec, owner)
        self.box = QCheckBox()
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
        self.name.setReadOnly(True)
        self.name.setPlaceholderText(spec.optional)
        ask = partial(ask_for_files, self, spec.label, lambda paths: self.emit_value(paths[0]))
        button = style.button(self.tr("Choose…"), lambda: ask())
        self.body.addLayout(style.row(None, [(self.name, 1), button]))
        self.finish_row(self.name, button)

    def display_value(self, value: Any) -> None:
        self.name.setText("" if value is None else Path(value).name)


def row_for(spec: ParamSpec, owner: str) -> ParamRow:
    kinds: dict[ParamKind, type[ParamRow]] = {
        ParamKind.INTEGER: NumberRow,
        ParamKind.REAL: NumberRow,
        ParamKind.CHOICE: ChoiceRow,
        ParamKind.FLAG: FlagRow,
        ParamKind.PATH: PathRow,
    }
    return kinds[spec.kind](translation.translate_spec(spec), owner)


GOALS = read_words("wanted metrics")
"""How a figure is wanted, by which way is better."""
APART = ("expected.seconds", "expected.memory")
"""Figures of the run itself, which nobody wants to be some number."""


class WantedValue(QWidget):
    """A number to type and a button; says what is wrong with the number, or that none was found."""

    entered = Signal(float)

    def __init__(self, name: str, find: str, digits: int, example: str) -> None:
        super().__init__()
        self._example = example
        self.edit = QLineEdit()
        self.edit.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * digits)
        self.edit.setAccessibleName(name)
        self.edit.returnPressed.connect(self._read_number)
        self.button = style.button(self.tr("Find"), self._read_number, name=find)
        self.wrong = style.plain_label(size=style.SMALL, role="bad", wrap=True)
        self.wrong.hide()

    def show_problem(self, reason: str) -> None:
        """Say why nothing was found, or nothing."""
        style.show_text(self.wrong, translate_text(reason))

    def _read_number(self) -> None:
        try:
            number = float(read_figure(self.edit.text().strip().removesuffix("%")))
        except ValueError:
            self.show_problem(self._example)
            return
        self.show_problem("")
        self.entered.emit(number)


class GoalRow(WantedValue):
    """A figure with "at least" or "at most", a wanted number, a parameter, and a button."""

    goal_requested = Signal(str, str, float)
    """Parameter, figure, number."""

    def __init__(self, params: type[Params], main: Sequence[str] = ()) -> None:
        name, find = self.tr("Wanted value"), self.tr("Find the parameter for the wanted metric")
        super().__init__(name, find, 9, self.tr("Type a number first, such as 0.5."))
        self.parameter = ChoiceBox(self.tr("Parameter to find"), least=6)
        self.figure = ChoiceBox(self.tr("Expected metric"), least=6)
        specs = solvable_parameters(params, main)
        self.parameter.offer((translate_text(spec.label), spec.name) for spec in specs)
        by = style.plain_label(self.tr("by changing"))
        goal = style.row(None, [(self.figure, 1), self.edit], spacing=style.TIGHT)
        means = style.row(None, [by, (self.parameter, 1), self.button], spacing=style.TIGHT)
        style.column(self, [goal, means, self.wrong], spacing=style.TIGHT)
        self._offered: tuple[str, ...] = ()
        self._shares: set[str] = set()
        self.entered.connect(self._request_goal)
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

    def _request_goal(self, number: float) -> None:
        parameter, figure = str(self.parameter.currentData()), str(self.figure.currentData())
        if figure in self._shares:  # typed in per cent, as they are shown
            number /= 100
        self.goal_requested.emit(parameter, figure, number)


class SolverRow(WantedValue):
    """ "Find b for ε = …": a wanted number and a button."""

    def __init__(self, solver: ParameterSolver, label: str) -> None:
        name = self.tr("Wanted {target}").format(target=solver.target)
        find = self.tr("Find {label}").format(label=label)
        super().__init__(name, find, 11, self.tr("Type a number first, such as 1.5 or 1e-6."))
        self.solver = solver
        symbol = {"epsilon": "ε", "delta": "δ"}.get(solver.target, solver.target)
        tip = self.tr("The {symbol} that the release shall have")
        self.edit.setToolTip(tip.format(symbol=symbol))
        usual = self.tr("{label} for {symbol} =").format(label=label, symbol=symbol)
        text = style.plain_label(translate_text(solver.label) or usual, wrap=True)
        text.setBuddy(self.edit)
        line = style.row(None, [(text, 1), self.edit, self.button], spacing=style.TIGHT)
        style.column(self, [line, self.wrong])


NAMED = 3
"""Measures and attacks that a button names; more are counted."""


class CostCard(QFrame):
    """One line as long as all is well."""

    quicker = Signal(dict)
    """Parameter → value of the faster variant that somebody takes."""
    less = Signal(list)
    """Names of measures and attacks that somebody leaves out."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What a run will take"))
        self.line = style.plain_label(size=style.SMALL, wrap=True)
        self.wrong = style.plain_label(size=style.SMALL, wrap=True)
        self._values: dict[str, object] = {}
        self._names: list[str] = []
        self.faster = style.button("", lambda: self.quicker.emit(self._values))
        self.leave = style.button("", lambda: self.less.emit(self._names))
        style.panel(self, [self.line, self.wrong, self.faster, self.leave])
        self.hide()

    def show_outline(
        self,
        outline: QueuedRun | None,
        params: Params,
        titles: Callable[[RunPart], str],
        waiting: float | None = None,
    ) -> None:
        """Say what the next run will take, if known, after `waiting` seconds of those before it."""
        total = None if outline is None else outline.planned.total
        if outline is None or total is None:
            self.hide()
            return
        parts = [formats.format_duration(total.seconds)]
        if total.bytes:
            memory = safe_text.format_bytes(total.bytes)
            parts.append(self.tr("{memory} of memory").format(memory=memory))
        text = self.tr("A run takes about {cost}").format(cost=" · ".join(parts))
        if total.beyond > 2:
            text += self.tr(" – a guess: no log nearly as large was measured")
        if waiting is not None and waiting > 0:
            after = self.tr(", after {time} for the runs before it")
            text += after.format(time=formats.format_duration(waiting))
        self.line.setText(text)
        costs = ((part, part.cost) for part in outline.planned.parts if part.cost is not None)
        lines = (f"{titles(part)}: {formats.format_duration(cost.seconds)}" for part, cost in costs)
        self.setToolTip("\n".join(lines))
        self._show_warning(outline, params, titles)
        self.show()

    def _show_warning(
        self, outline: QueuedRun, params: Params, titles: Callable[[RunPart], str]
    ) -> None:
        advice = outline.advice
        warning, tone = {
            "": ("", ""),
            "memory": (self.tr("✗ It won't fit into the memory that is free."), "bad"),
            "time": (self.tr("! That is long."), "info"),
        }[advice.trouble]
        if advice.trouble and not advice.quicker and not advice.lighter_parts:
            warning += self.tr(" A sample of the users would take less.")
        style.show_text(self.wrong, warning)
        if tone != self.property("banner"):
            style.restyle(self, "banner", tone)
        self._values, self._names = dict(advice.quicker), list(advice.lighter_parts)
        changes = [
            f"{translate_text(s.label)}: {formats.format_parameter(s, self._values[s.name])}"
            for s in params.specs()
            if s.name in self._values
        ]
        self.faster.setText(self.tr("Faster: {changes}").format(changes=", ".join(changes)))
        self.faster.setVisible(bool(changes))
        left_out = [titles(part) for part in outline.planned.parts if part.name in self._names]
        names = ", ".join(left_out[:NAMED])
        if len(left_out) > NAMED:
            pattern = self.tr("{names} and {count} more")
            names = pattern.format(names=names, count=len(left_out) - NAMED)
        self.leave.setText(self.tr("Leave out {names}").format(names=names))
        self.leave.setToolTip("\n".join(left_out))
        self.leave.setVisible(bool(left_out))


class ParamsPanel(QWidget):
    """Every parameter of one method, in the order in which they are declared."""

    def __init__(self, controller: Controller) -> None:
        super().__init__()
        self._controller, self._intents = controller, controller.intents
        self.rows: dict[str, ParamRow] = {}
        self.solvers: list[SolverRow] = []
        self._method = ""
        self._asked: SolverRow | GoalRow | None = None
        self.goal: GoalRow | None = None
        self.cost = CostCard()
        self._area = ScrollColumn(self.tr("Parameters"))
        self.help = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.help.setAccessibleName(self.tr("Help for the parameter in focus"))
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.help.setMargin(style.NORMAL)
        card = style.scroll_area(self.help, focus=False)
        card.setFixedHeight(self.fontMetrics().lineSpacing() * 4 + style.NORMAL)
        self.all = QPushButton(self.tr("Reset all"))  # made anew with the rows
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedHeight(1)
        style.panel(self, [(self._area, 1), self.cost, line, card])
        self._intents.refused.connect(self.show_refusal)

    def show_params(self, method: Method, params: Params) -> None:
        """Show a method's values; the rows are made anew only for another method."""
        if method.name != self._method:
            self._build_rows(method)
        for name, row in self.rows.items():
            row.show_value(getattr(params, name), params.matters(name))
        defaults = all(getattr(params, s.name) == s.default for s in params.specs())
        self.all.setEnabled(not defaults)
        for solver in self.solvers:
            solver.show_problem("")
        if self.goal is not None:
            self.goal.show_problem("")

    def offer_figures(self, values: Sequence[MetricValue]) -> None:
        """Offer to find a parameter for any of the figures that are expected."""
        if self.goal is not None:
            self.goal.offer_metrics(values)
            self.goals.setVisible(bool(self.solvers) or not self.goal.isHidden())

    def show_refusal(self, name: str, reason: str) -> None:
        """Say beside a parameter, or the solver asked last, what was wrong."""
        origin, self._asked = self._asked, None
        for row in self.rows.values():
            row.restore_value()
        if isinstance(origin, GoalRow) or (origin is not None and origin.solver.parameter == name):
            origin.show_problem(reason)
        elif name in self.rows:
            self.rows[name].show_problem(reason)

    def _build_rows(self, method: Method) -> None:
        self._method = method.name
        column = style.column(None, margins=(0, 0, style.NORMAL, 0), spacing=style.TIGHT)
        self.rows, self.solvers, self._asked = {}, [], None
        self.all = style.button(
            self.tr("Reset all"),
            lambda: self._intents.reset(),
            tip=self.tr("Put every parameter of this method back to its default"),
        )
        self.advanced = FoldedSection(self.tr("More parameters"))
        main = method.main or tuple(spec.name for spec in method.params.specs())
        for spec in method.params.specs():
            row = row_for(spec, method.params.owner)
            row.edited.connect(self._forget_asked)
            row.edited.connect(self._intents.set)
            row.reset.connect(self._intents.reset)
            row.looked_at.connect(self._show_help)
            row.complained.connect(self._show_row)
            set_page(row, f"methods/{method.name}", spec.name)
            self.rows[spec.name] = row
        for name in main:
            column.addWidget(self.rows[name])
        for name, row in self.rows.items():
            if name not in main:
                self.advanced.column.addWidget(row)
        self.advanced.setVisible(len(main) < len(self.rows))
        column.addWidget(self.advanced)
        self.goals = FoldedSection(self.tr("Reach a goal"))
        for solver in method.solvers:
            line = SolverRow(solver, translate_text(method.params.spec(solver.parameter).label))
            line.entered.connect(partial(self._request_solve, line))
            self.solvers.append(line)
            self.goals.column.addWidget(line)
        self.goal = GoalRow(method.params, method.main or ())
        self.goal.goal_requested.connect(self._request_goal)
        self.goals.column.addWidget(self.goal)
        if not method.solvers:
            self.goals.hide()
        column.addWidget(self.goals)
        column.addWidget(self.all, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._area.setWidget(style.filled(column))
        self.help.setText(self.tr("Point at a parameter to read what it does."))

    def _forget_asked(self) -> None:
        self._asked = None

    def show_parameter(self, name: str) -> None:
        """Bring a parameter into view and the keyboard to it."""
        row = self.rows[name]
        self._show_row(row)
        row.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_row(self, row: QWidget) -> None:
        # after the layout has made room for the message
        if self.advanced.isAncestorOf(row):
            self.advanced.unfold()
        QTimer.singleShot(0, row, lambda: self._area.ensureWidgetVisible(row))

    def _request_solve(self, row: SolverRow, value: float) -> None:
        self._asked = row
        self._intents.solve(row.solver, value)

    def _request_goal(self, parameter: str, figure: str, value: float) -> None:
        """Look for a value on the preview's users, in a thread, and take it."""
        self._asked = self.goal
        c, opened = self._controller, self._controller.opened
        if opened is not None:
            method, params, users = c.method, c.intent.params, (opened.sample, opened.scale)

            def find_value(progress: Progress) -> Params:
                return solve_parameter(method, params, parameter, figure, value, *users, progress)

            self._intents.search_value(parameter, find_value)

    def _show_help(self, spec: ParamSpec) -> None:
        lines = [f"{spec.label}: {spec.help}"]
        if spec.bounds is not None:
            allowed = translate_text(spec.requirement())
            lines.append(self.tr("Allowed: {wanted}.").format(wanted=allowed))
        lines.extend(f"{o.label}: {o.help}" for o in spec.options if o.help)
        default = formats.format_parameter(spec, spec.default)
        lines.append(self.tr("Default: {spec}.").format(spec=default))
        self.help.setText("\n".join(lines))
