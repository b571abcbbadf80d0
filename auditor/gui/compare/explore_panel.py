"""Explore: a figure over one parameter as a curve, over two as a heat map; a click takes it."""

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QSpinBox,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from auditor.arrays import Float64s
from auditor.attacks.registry import ATTACKS
from auditor.engine import sweep as engine_sweep
from auditor.engine.plan import Intent
from auditor.engine.sweep import ParameterSweep, SweepAxis, SweepCell
from auditor.errors import AuditorError
from auditor.figures import MetricValue
from auditor.gui.app.translation import read_figure, say, tr, translate_text
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.protect.params_panel import SliderScale
from auditor.gui.release.exportable import Exportable, of_figure
from auditor.gui.state.run_queue import MOST_CELLS, ParameterSpan
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.fields import ChoiceBox
from auditor.gui.widgets.tables import Index, dress_table
from auditor.measures.registry import MEASURES
from auditor.messages import error_message, fill_places
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params, ParamSpec
from auditor.release.report.drawing import RAMP, CellGrid, share_of_range

BAR = 120
"""Pixels that the bar of colours is wide."""
LINE = "\u2028"
"""What begins another line of a cell."""
Place = tuple[Any, Any]


class GridFigure(NamedTuple):
    """What the cells of a grid show, and what is guaranteed in each."""

    title: str
    cells: Mapping[Place, float]
    unit: str = ""
    guarantees: Mapping[Place, str] = MappingProxyType({})


class CellDelegate(QStyledItemDelegate):
    """As many lines of a cell as there is room for, and a frame around the current one."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        room, lines = option.rect.size(), option.text.splitlines()
        while lines:
            need = option.fontMetrics.size(0, "\n".join(lines))
            if need.width() < room.width() - 4 and need.height() <= room.height():
                break
            lines.pop()
        option.text = LINE.join(lines)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        table = self.parent()
        if isinstance(table, QTableWidget) and table.hasFocus() and index == table.currentIndex():
            painter.setPen(QPen(QColor(style.theme_of(table).text), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))


class HeatCells(QTableWidget):
    """Cells that fill their room; Return and Space take the current one as a click does."""

    def __init__(self) -> None:
        super().__init__()
        dress_table(self, "")
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.setAlternatingRowColors(False)
        self.setItemDelegate(CellDelegate(self))
        self.verticalHeader().show()
        for header in (self.verticalHeader(), self.horizontalHeader()):
            header.setMinimumSectionSize(style.WIDE)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys and self.currentItem() is not None:
            self.cellClicked.emit(self.currentRow(), self.currentColumn())
        else:
            super().keyPressEvent(event)


class HeatMap(QWidget):
    """Values over two parameters: rows run over the first, columns over the second."""

    chosen = Signal(object)
    """The place (value of the rows' parameter, of the columns') that somebody picked."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[Any] = ()
        self._columns: Sequence[Any] = ()
        self._figure = GridFigure("", {})
        self._titles = ("", "")
        self.title, self.legend = ElidedLabel(bold=True), ElidedLabel()
        self.upwards, self.rightwards = ElidedLabel(), ElidedLabel()
        self.low, self.high = style.plain_label(role="muted"), style.plain_label(role="muted")
        bar = QFrame()
        bar.setFixedWidth(BAR)
        stops = ", ".join(f"stop:{index / (len(RAMP) - 1)} {ink}" for index, ink in enumerate(RAMP))
        bar.setStyleSheet(f"background: qlineargradient(x1:0, x2:1, y1:0, y2:0, {stops})")
        self.cells = HeatCells()
        self.cells.cellClicked.connect(
            lambda row, column: self.chosen.emit((self._rows[-1 - row], self._columns[column]))
        )
        self.setFocusProxy(self.cells)
        axes = style.row(None, [self.upwards, 1, self.rightwards])
        foot = style.row(None, [self.legend, self.low, bar, self.high, 1], spacing=style.NORMAL)
        style.column(self, [self.title, axes, (self.cells, 1), foot])

    def show_cells(
        self,
        titles: tuple[str, str],
        rows: Sequence[Any],
        columns: Sequence[Any],
        figure: GridFigure,
    ) -> None:
        self._titles, self._rows, self._columns, self._figure = titles, rows, columns, figure
        title = self.tr("{figure}, by {rows} and {columns}")
        self.title.show_text(title.format(figure=figure.title, rows=titles[0], columns=titles[1]))
        self.upwards.show_text(f"↑ {titles[0]}")
        self.rightwards.show_text(f"{titles[1]} →")
        self.legend.show_text(self.tr("Colour: {figure}").format(figure=figure.title))
        self.setAccessibleName(figure.title)
        self.cells.setAccessibleName(figure.title)
        values, ends = self._list_values()
        for label, text in zip((self.low, self.high), ends, strict=True):
            label.setText(text)
        cells = self.cells
        if (cells.rowCount(), cells.columnCount()) != values.shape:
            cells.setRowCount(len(rows))
            cells.setColumnCount(len(columns))
            cells.setCurrentCell(len(rows) - 1, 0)  # the first row is the lowest, as on an axis
        cells.setHorizontalHeaderLabels([format_place(value) for value in columns])
        cells.setVerticalHeaderLabels([format_place(value) for value in reversed(rows)])
        shares = share_of_range(values)
        for row, column in np.ndindex(*values.shape):
            place, share = (rows[row], columns[column]), float(shares[row, column])
            finite, text = math.isfinite(share), self.describe_cell(place)
            item = QTableWidgetItem("\n".join(self._list_lines(place)) if finite else "")
            item.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            if finite:
                item.setBackground(ramp_colour(share))
                item.setForeground(QColor("#ffffff" if share < 0.5 else "#000000"))
            item.setToolTip(safe_text.plain_tip(text))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
            cells.setItem(len(rows) - 1 - row, column, item)

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def describe_cell(self, place: Place) -> str:
        value, guarantee = self._figure.cells.get(place), self._figure.guarantees.get(place, "")
        content = self.tr("not computed yet") if value is None else self._format_value(value)
        content += f" ({guarantee})" if guarantee else ""
        text = self.tr("{titles} {word}, {titles_2} {word_2}: {told}\nClick to take this setting.")
        (rows, columns), (row, column) = self._titles, map(format_place, place)
        return text.format(titles=rows, word=row, titles_2=columns, word_2=column, told=content)

    def make_exportable(self) -> Exportable | None:
        if not self._rows or not self._columns:
            return None
        values, ends = self._list_values()
        rows, columns = (tuple(map(format_place, side)) for side in (self._rows, self._columns))
        lines = tuple(map(self._list_lines, itertools.product(self._rows, self._columns)))
        grid = CellGrid(self._figure.title, self._titles, rows, columns, values, lines, ends)
        return of_figure(grid)

    def _list_values(self) -> tuple[Float64s, tuple[str, str]]:
        """Cells' values by row and column, NaN where none is known, and the ends in words."""
        places = itertools.product(self._rows, self._columns)
        values = np.array([self._figure.cells.get(place, math.nan) for place in places], float)
        finite = values[np.isfinite(values)]
        ends = "", ""
        if len(finite):
            ends = self._format_value(finite.min()), self._format_value(finite.max())
        return values.reshape(len(self._rows), len(self._columns)), ends

    def _format_value(self, value: float) -> str:
        return formats.format_without_unit(value, self._figure.unit)

    def _list_lines(self, place: Place) -> tuple[str, ...]:
        value = self._format_value(self._figure.cells.get(place, math.nan))
        return tuple(filter(None, (value, self._figure.guarantees.get(place, ""))))


def ramp_colour(share: float) -> QColor:
    place = min(max(share, 0.0), 1.0) * (len(RAMP) - 1)
    below = min(int(place), len(RAMP) - 2)
    return style.mix_colours(RAMP[below + 1], RAMP[below], place - below)


def format_place(value: Any) -> str:
    """A value of a parameter, as an axis or a sentence has it."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return formats.format_number(value) if isinstance(value, int | float) else str(value)


NUMBERS = (ParamKind.INTEGER, ParamKind.REAL)
TOGETHER = ("q_f", "c_f")
"""Limits that SafeLog's source moves together."""


class SpanRow(QWidget):
    """A parameter, and from where to where in how many steps."""

    def __init__(self, name: str, *, optional: bool) -> None:
        super().__init__()
        self._optional = optional
        self._specs: dict[str, ParamSpec] = {}
        self.box = ChoiceBox(name)
        self.box.currentIndexChanged.connect(self._show_range)
        self.low, self.high = QLineEdit(), QLineEdit()
        self.steps = QSpinBox(minimum=2, maximum=100, value=5, prefix="× ")
        style.prepare_spin_box(self.steps)
        self.steps.setToolTip(self.tr("How many values between the two ends"))
        for edit, word in ((self.low, self.tr("from")), (self.high, self.tr("to"))):
            edit.setAccessibleName(f"{name} {word}")
            edit.setPlaceholderText(word)
            edit.setFixedWidth(self.fontMetrics().horizontalAdvance("0") * 8)
        self.steps.setAccessibleName(self.tr("{name} steps").format(name=name))
        style.row(self, [(self.box, 1), self.low, self.high, self.steps], spacing=style.TIGHT)

    def offer_parameters(self, specs: Sequence[ParamSpec], first: int) -> None:
        self._specs = {spec.name: spec for spec in specs}
        entries: list[tuple[str, ...]] = [
            (translate_text(spec.label), spec.name, translate_text(spec.help)) for spec in specs
        ]
        if self._optional:
            entries.insert(0, (self.tr("no second parameter"), ""))
        if set(TOGETHER) <= set(self._specs):
            entries.append((" = ".join(TOGETHER), "=".join(TOGETHER)))
        self.box.offer(entries)
        self.box.setCurrentIndex(first)

    @property
    def spec(self) -> ParamSpec | None:
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
    scale = SliderScale.of(spec)
    return scale.convert_to_value(scale.convert_to_position(value))


CHOSEN = ""
"""Compute everything that is chosen under "Attacks and measures"."""


class ExplorePanel(QWidget):
    """Says what to explore, and shows what came of it so far."""

    requested = Signal(object)
    """A `ParameterSweep` to run."""
    cancel_wanted = Signal()
    adopted = Signal(object)
    """Parameter → value of the setting that somebody picked."""

    def __init__(self) -> None:
        super().__init__()
        self._intent: Intent | None = None
        self._method = ""
        self._sweep: ParameterSweep | None = None
        self._cells: list[SweepCell] = []
        self.first = SpanRow(self.tr("First parameter"), optional=False)
        self.second = SpanRow(self.tr("Second parameter"), optional=True)
        tip = self.tr("What is measured or attacked in every cell: less is quicker")
        self.compute = ChoiceBox(self.tr("What is computed"), tip=tip)
        self.figure = ChoiceBox(self.tr("Figure shown"))
        self.figure.activated.connect(lambda _index: self._draw_figure())
        self.equal = QCheckBox(self.tr("equal data in every cell"))
        self.equal.setToolTip(say("equal data"))
        self.start = style.button(self.tr("Explore"), self._request_sweep)
        self.cancel = style.button(self.tr("Stop"), self.cancel_wanted)
        self.bar = QProgressBar(textVisible=True)
        self.bar.setAccessibleName(self.tr("Cells done"))
        self.said = style.plain_label(size=style.SMALL, role="muted", wrap=True)
        self.curves, self.map = FigureView(), HeatMap()
        self.curves.picked.connect(self._adopt_nearest)
        self.map.chosen.connect(self._adopt_place)
        self.views = QStackedWidget()
        self.views.addWidget(self.curves)
        self.views.addWidget(self.map)
        form = style.grid(across=style.TIGHT)
        texts = self.tr("Over"), self.tr("and"), self.tr("compute"), self.tr("show")
        fields = self.first, self.second, self.compute, self.figure
        labels = [style.plain_label(text, role="muted") for text in texts]
        self._show = labels[-1]
        for place, (label, field) in enumerate(zip(labels, fields, strict=True)):
            form.addWidget(label, place, 0)
            form.addWidget(field, place, 1)
        form.addWidget(self.equal, len(fields), 1)
        buttons = style.row(None, [self.start, self.cancel, (self.bar, 1)])
        left = style.column(None, [form, buttons, self.said, 1], spacing=style.TIGHT)
        margins = 0, 0, style.NORMAL, style.TIGHT
        style.row(self, [(left, 2), (self.views, 3)], margins=margins, spacing=style.NORMAL)
        self.clear()

    # what the window calls

    def show_intent(self, intent: Intent) -> None:
        """Offer the parameters of the chosen method; the others stay as the sliders say."""
        self._intent = intent
        if intent.method == self._method:
            return
        self._method = intent.method
        method = METHODS[intent.method]
        specs = [spec for spec in method.params.specs() if spec.kind is not ParamKind.PATH]
        useful = (
            i for i, s in enumerate(specs) if s.kind in NUMBERS and intent.params.matters(s.name)
        )
        self.first.offer_parameters(specs, next(useful, 0))
        self.second.offer_parameters(specs, 0)
        self.start.setEnabled(bool(specs))
        self.equal.setVisible(any(spec.name == TOGETHER[0] for spec in specs))
        entries = [(self.tr("all that is chosen"), CHOSEN)]
        for name in MEASURES:
            if MEASURES[name].fits(method.yields, dated=method.dated):
                entries.append((translate_text(MEASURES[name].title), f"measures/{name}"))
        for name in ATTACKS:
            if set(ATTACKS[name].needs) <= {"release"}:
                entries.append((translate_text(ATTACKS[name].title), f"attacks/{name}"))
        self.compute.offer(entries)

    def show_started(self, sweep: ParameterSweep) -> None:
        self._sweep, self._cells = sweep, []
        self._show_running(True)
        self.bar.setRange(0, sweep.cell_count)
        self.bar.setValue(0)
        self.said.setText("")

    def show_cells(self, cells: list[SweepCell], cell_count: int) -> None:
        self._cells = cells
        self.bar.setRange(0, cell_count)
        self.bar.setValue(len(cells))
        done, total = map(formats.format_count, (len(cells), cell_count))
        self.bar.setFormat(self.tr("{cells} of {wanted}").format(cells=done, wanted=total))
        values: dict[str, MetricValue] = {}
        for cell in self._cells:
            for value in cell.values:
                values.setdefault(value.name, value)
        entries = [(translate_text(value.label), name) for name, value in values.items()]
        if entries != self.figure.list_entries():
            self._offer_choice(bool(entries))
            useful = next((n for n, value in values.items() if value.side == "utility"), None)
            self.figure.offer(entries, useful)
        self._draw_figure()

    def _show_running(self, running: bool) -> None:
        self.start.setVisible(not running)
        for part in (self.cancel, self.bar):
            part.setVisible(running)

    def show_ended(self, reason: str) -> None:
        self._show_running(False)
        if reason == "cancelled":
            text = self.tr("Stopped after {cells} cells, which stay.")
            self.said.setText(fill_places(text, {"cells": formats.format_count(len(self._cells))}))
        elif reason:
            self.said.setText(reason)
        elif self._cells:
            self.said.setText(self.tr("Every number is of a seeded preview, not of a release."))

    def clear(self) -> None:
        self._sweep, self._cells = None, []
        self._offer_choice(False)
        self.figure.clear()
        self.views.setCurrentWidget(self.curves)
        self.curves.clear(say("no grid yet"))
        self.show_ended("")
        self.said.setText("")

    # reacting

    def _request_sweep(self) -> None:
        intent = self._intent
        if intent is None:
            return
        owner = METHODS[intent.method].params.owner
        try:
            spans = [row.read_span(owner) for row in (self.second, self.first)]
        except AuditorError as error:
            self.said.setText(error_message(error))
            return
        axes = tuple(span.make_axis() for span in spans if span is not None)
        names = [name for axis in axes for name in axis.names]
        if len(set(names)) < len(names):
            self.said.setText(self.tr("Choose two different parameters, or one alone."))
            return
        kind, _, name = str(self.compute.currentData() or CHOSEN).partition("/")
        attacks, measures = intent.attacks, intent.measures
        if name:
            attacks, measures = ((name,), ()) if kind == "attacks" else ((), (name,))
        elif attacks is None:
            attacks = tuple(name for name in ATTACKS if set(ATTACKS[name].needs) <= {"release"})
        sweep = ParameterSweep(
            method=intent.method, base=intent.params, axes=axes, checks=intent.checks,
            equal=not self.equal.isHidden() and self.equal.isChecked(),
            attacks=attacks, measures=measures,
        )  # fmt: skip
        if sweep.cell_count > MOST_CELLS:
            text = self.tr("More than {MOST_CELLS} cells: take fewer steps.")
            self.said.setText(text.format(MOST_CELLS=MOST_CELLS))
            return
        self.said.setText("")
        self.requested.emit(sweep)

    def _offer_choice(self, has_choice: bool) -> None:
        for part in (self._show, self.figure):
            part.setVisible(has_choice)

    def _draw_figure(self) -> None:
        name, sweep = self.figure.currentData(), self._sweep
        if sweep is None or name is None:
            return
        if len(sweep.axes) == 1:
            plots = engine_sweep.draw_plots(sweep, self._cells)
            self.views.setCurrentWidget(self.curves)
            for figure in (plot for plot in plots if plot.name == name):
                bounds = {cell.place[0]: _format_guarantee(cell) for cell in self._cells}
                text = "; ".join(f"{format_place(x)}: {word}" for x, word in bounds.items() if word)
                guarantee = self.tr("Guaranteed at {values}.").format(values=text) if text else ""
                note = f"{translate_text(figure.note)} {guarantee}".strip()
                series = figure.series
                if len(self._cells) == 1:  # a line through one point is nothing
                    series = tuple(dataclasses.replace(s, kind="points") for s in series)
                self.curves.show_figure(dataclasses.replace(figure, note=note, series=series))
            return
        rows, columns = sweep.axes
        specs = METHODS[sweep.method].params
        titles = _make_axis_title(specs, rows), _make_axis_title(specs, columns)
        values = {
            cell.place: value for cell in self._cells for value in cell.values if value.name == name
        }
        grid = GridFigure(
            self.figure.currentText(),
            {place: value.value for place, value in values.items()},
            next((value.unit for value in values.values()), ""),
            {cell.place: _format_guarantee(cell) for cell in self._cells},
        )
        self.views.setCurrentWidget(self.map)
        self.map.show_cells(titles, rows.values, columns.values, grid)

    def _adopt_nearest(self, x: float) -> None:
        """Take the setting whose place on the curve's axis is nearest."""
        sweep = self._sweep
        if sweep is None or len(sweep.axes) != 1 or not self._cells:
            return
        values = [cell.place[0] for cell in self._cells]
        numeric = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        places = [float(v) if numeric else float(sweep.axes[0].values.index(v)) for v in values]
        nearest = min(range(len(values)), key=lambda i: abs(places[i] - x))
        self._adopt_place((values[nearest],))

    def _adopt_place(self, place: tuple[Any, ...]) -> None:
        if self._sweep is not None:
            pairs = zip(self._sweep.axes, place, strict=True)
            self.adopted.emit({name: value for axis, value in pairs for name in axis.names})


def _format_guarantee(cell: SweepCell) -> str:
    epsilon = next((value.value for value in cell.values if value.name == "epsilon"), None)
    if epsilon is not None:
        return f"ε {formats.format_number(epsilon)}"
    return f"k = {formats.format_number(cell.row['k'])}" if "k" in cell.row else ""


def _make_axis_title(specs: type[Params], axis: SweepAxis) -> str:
    return translate_text(specs.spec(axis.names[0]).label) if len(axis.names) == 1 else axis.title
