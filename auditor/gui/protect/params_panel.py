"""The sliders, built from a method's `Params` and `solvers` alone, and what a run will take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QWidget

from auditor.engine.run_progress import RunPart
from auditor.engine.solver import solvable_parameters, solve_parameter
from auditor.figures import SHARE, MetricValue
from auditor.gui.app import translation
from auditor.gui.app.translation import mark_for_translation, read_figure, tr, translate_text
from auditor.gui.help.view import set_page
from auditor.gui.protect.param_rows import ParamRow, row_for
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import QueuedRun
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import FoldedSection, ScrollColumn
from auditor.gui.widgets.fields import ChoiceBox
from auditor.methods.base import Method, ParameterSolver
from auditor.params import Params, ParamSpec
from auditor.progress import Progress

GOALS = {
    "higher": mark_for_translation("{figure}: at least"),
    "lower": mark_for_translation("{figure}: at most"),
    "": mark_for_translation("{figure}: exactly"),
}
"""How a figure is wanted, by which way is better."""
APART = ("expected.seconds", "expected.memory")
"""Figures of the run itself, which nobody wants to be some number."""


class WantedValue(QWidget):
    """A number to type and a button; says what is wrong with the number, or that none was found."""

    requested = Signal(float)

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

    def show_problem(self, why: str) -> None:
        """Say why nothing was found, or nothing."""
        style.show_text(self.wrong, translate_text(why))

    def _read_number(self) -> None:
        try:
            number = float(read_figure(self.edit.text().strip().removesuffix("%")))
        except ValueError:
            self.show_problem(self._example)
            return
        self.show_problem("")
        self.requested.emit(number)


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
        self.requested.connect(self._request_goal)
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
        self.setObjectName(f"solver_{solver.parameter}_{solver.target}")
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
        if advice.trouble and not advice.quicker and not advice.without:
            warning += self.tr(" A sample of the users would take less.")
        style.show_text(self.wrong, warning)
        if tone != self.property("banner"):
            style.restyle(self, "banner", tone)
        self._values, self._names = dict(advice.quicker), list(advice.without)
        specs = [spec for spec in params.specs() if spec.name in self._values]
        values = (formats.format_parameter(spec, self._values[spec.name]) for spec in specs)
        labels = (translate_text(spec.label) for spec in specs)
        changes = [f"{label}: {value}" for label, value in zip(labels, values, strict=True)]
        self.faster.setText(self.tr("Faster: {changes}").format(changes=", ".join(changes)))
        self.faster.setVisible(bool(changes))
        left_out = [titles(part) for part in outline.planned.parts if part.name in self._names]
        named = ", ".join(left_out[:NAMED])
        if len(left_out) > NAMED:
            more = self.tr("{names} and {count} more")
            named = more.format(names=named, count=len(left_out) - NAMED)
        self.leave.setText(self.tr("Leave out {names}").format(names=named))
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
        self.help.setObjectName("param_help")
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

    def show_refusal(self, name: str, why: str) -> None:
        """Say beside a parameter, or the solver asked last, what was wrong."""
        origin, self._asked = self._asked, None
        for row in self.rows.values():
            row.restore_value()
        if isinstance(origin, GoalRow) or (origin is not None and origin.solver.parameter == name):
            origin.show_problem(why)
        elif name in self.rows:
            self.rows[name].show_problem(why)

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
            line.requested.connect(partial(self._request_solve, line))
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
        text = self.tr("Point at a parameter to read what it does.")
        self.help.setText(text)

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
            lines.append(
                self.tr("Allowed: {wanted}.").format(wanted=translate_text(spec.requirement()))
            )
        lines.extend(f"{o.label}: {o.help}" for o in spec.options if o.help)
        default = formats.format_parameter(spec, spec.default)
        lines.append(self.tr("Default: {spec}.").format(spec=default))
        self.help.setText("\n".join(lines))
