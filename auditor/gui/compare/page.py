"""The workspace Compare: the runs as rows, the trade-off between them, and what differs."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.engine.sweep import ParameterSweep
from auditor.figures import SHARE, Figure, MetricValue
from auditor.gui.app.translation import say, tr, translate_text
from auditor.gui.compare.explore_panel import ExplorePanel
from auditor.gui.compare.exposed_panel import ExposedPanel
from auditor.gui.compare.tables_panel import EMPTY, TablesPanel
from auditor.gui.plots.figure_view import FigureView, ParetoPanel, make_tile
from auditor.gui.release.exportable import SIZE, Exportable, csv_of
from auditor.gui.state.controller import Controller
from auditor.gui.state.run_queue import RunMetrics, by_key, tables_of
from auditor.gui.state.verdicts import VerdictKeeper
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import PageArea
from auditor.gui.widgets.fields import ChoiceBox, Disclosure, EventWatch
from auditor.gui.widgets.tables import Column, ColumnModel, Role, dress_table, make_table, wrap_rows
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.release.guarantee import meaning_of
from auditor.release.report.drawing import lay_side_by_side
from auditor.release.verdict import ReleaseVerdict

MOST = 4
"""Plots that stand beside each other; more would be too small to read."""


class ComparedView(QWidget):
    """One run's plot under the run's name."""

    def __init__(self) -> None:
        super().__init__()
        self.name = style.plain_label(bold=True)
        self.name.setContentsMargins(style.NORMAL, 0, 0, 0)
        self.name.setMinimumWidth(1)
        self.view = FigureView()
        style.column(self, [self.name, (self.view, 1)], spacing=0)


class ComparedPlots(QWidget):
    """A choice of plots, and the one that is picked for each of the runs."""

    whose = Signal(int, object, int, str)
    """Number of the run, and what `Plot.whose` says."""

    def __init__(self) -> None:
        super().__init__()
        self._records: list[Run] = []
        self._moving = False
        self.box = ChoiceBox(self.tr("Plot to compare"), least=20)
        self.box.activated.connect(lambda _index: self._draw_tiles())
        self.linked = QCheckBox(self.tr("same range in all"))
        self.linked.setChecked(True)
        self.linked.setToolTip(self.tr("Zooming or moving one plot moves the others with it"))
        self.linked.toggled.connect(lambda _on: self._draw_tiles())
        self.said = style.plain_label(role="muted")
        self.said.setMinimumWidth(1)
        self.tiles: list[ComparedView] = []
        self.row = QSplitter(Qt.Orientation.Horizontal)
        self.row.setChildrenCollapsible(False)
        text = self.tr("These runs have no plots. Attacks and measures draw them.")
        self.empty = style.plain_label(text, role="muted", wrap=True, centred=True)
        bar = style.row(None, [(self.box, 2), self.linked, (self.said, 1)], spacing=style.NORMAL)
        style.column(self, [bar, (self.row, 1), (self.empty, 1)], spacing=style.TIGHT)

    def show_runs(self, records: Sequence[Run]) -> None:
        """Offer the plots of these runs, those of most of them first."""
        self._records = list(records)
        figures = [figures_of(record) for record in self._records]
        titles = {key: title for of in reversed(figures) for key, (title, _figure) in of.items()}
        times = Counter(key for of in figures for key in of)
        self.box.offer((titles[key], key) for key, _times in times.most_common())
        for part in (self.box, self.linked, self.row):
            part.setVisible(bool(times))
        self.empty.setVisible(not times)
        self._draw_tiles()

    @property
    def shown(self) -> list[Run]:
        return self._records[:MOST]

    def make_exportable(self) -> Exportable | None:
        parts = [tile.view.make_exportable() for tile in self.tiles[: len(self.shown)]]
        tiles = [part for part in parts if part is not None]
        if not tiles:
            return None

        def draw_pixels(sharp: float) -> QImage:
            images = [part.draw(sharp) for part in tiles if part.draw is not None]
            wide = images[0].width()
            picture = QImage(wide * len(images), images[0].height(), images[0].format())
            painter = QPainter(picture)
            for place, image in enumerate(images):
                painter.drawImage(place * wide, 0, image)
            painter.end()
            return picture

        def draw_svg() -> str:
            parts = [part.svg() for part in tiles if part.svg is not None]
            return lay_side_by_side(parts, SIZE.width() * len(tiles), SIZE.height())

        private = any(part.private for part in tiles)
        return Exportable(self.box.currentText(), private, draw_pixels, svg=draw_svg)

    def _draw_tiles(self) -> None:
        records, key = self.shown, self.box.currentData()
        while len(self.tiles) < len(records):
            self._add_tile()
        figures = [figures_of(record).get(key, ("", None))[1] for record in records]
        for place, tile in enumerate(self.tiles):
            tile.setVisible(place < len(records))
        for tile, record, figure in zip(self.tiles, records, figures, strict=False):
            tile.name.setText(f"{record.letter}  {translate_text(record.title)}")
            tile.view.plot.frame, tile.view.plot.zoomed = None, False
            if figure is None:
                tile.view.clear(self.tr("Run {} has no such plot.").format(record.letter))
            else:
                tile.view.whose = f"{record.letter} {translate_text(record.title)}"
                tile.view.show_figure(figure)
        self.row.setSizes([1000] * len(self.tiles))
        present = [figure for figure in figures if figure is not None]
        axes = {(f.x.scale, f.x.unit, f.x.categories, f.y.scale, f.y.unit) for f in present}
        uniform = len(axes) == 1
        self.linked.setEnabled(uniform)
        text = ""
        if len(present) > 1 and not uniform:
            text = self.tr("Axes differ, so ranges are not shared.")
        if len(self._records) > len(records):
            text = self.tr("The first {} runs are drawn.").format(MOST)
        self.said.setText(text)
        if uniform and self.linked.isChecked():
            plots = self._list_plots()
            sides = zip(*(plot.compute_limits() for plot in plots), strict=True)
            frame = tuple((min(ends)[0], max(high for _low, high in ends)) for ends in sides)
            for plot in plots:
                plot.frame = frame
                plot.show_full_range()

    def _list_plots(self) -> list[Any]:
        tiles = self.tiles[: len(self.shown)]
        return [tile.view.plot for tile in tiles if not tile.view.plot.isHidden()]

    def _add_tile(self) -> None:
        tile, place = ComparedView(), len(self.tiles)
        tile.view.plot.pointed.connect(self._mark_place)
        tile.view.plot.view.sigRangeChanged.connect(
            lambda _view, ranges, _changed=None: self._copy_view_range(place, ranges)
        )
        tile.view.plot.whose.connect(
            lambda *what: self.whose.emit(self._records[place].number, *what)
        )
        self.tiles.append(tile)
        self.row.addWidget(tile)

    def _mark_place(self, position: float | None) -> None:
        for tile in self.tiles[: len(self.shown)]:
            if not tile.view.plot.isHidden():
                tile.view.point_at(position)

    def _copy_view_range(self, place: int, ranges: Sequence[Sequence[float]]) -> None:
        """Move every plot to where one was zoomed or moved."""
        if self._moving or not self.linked.isChecked() or not self.linked.isEnabled():
            return
        plot = self.tiles[place].view.plot
        if plot.isHidden() or place >= len(self.shown):
            return
        self._moving = True
        x, y = ((float(low), float(high)) for low, high in ranges)
        for other in self._list_plots():
            if other is not plot:
                other.zoomed = plot.zoomed
                other.view.setRange(xRange=x, yRange=y, padding=0.0, disableAutoRange=True)
        self._moving = False


def figures_of(record: Run) -> dict[str, tuple[str, Figure]]:
    results = [(f"a/{a.attack}", ATTACKS[a.attack].title, a.figures) for a in record.attacks]
    results += [(f"m/{m.measure}", MEASURES[m.measure].title, m.figures) for m in record.measures]
    return {
        f"{key}/{figure.name}": (f"{translate_text(title)}: {translate_text(figure.title)}", figure)
        for key, title, figures in results
        for figure in figures
    }


RUN, VERDICT, GUARANTEE, UTILITY, WORST = range(5)

VerdictOf = Callable[[int], "ReleaseVerdict | None"]


class RunsPanel(QWidget):
    """The table and what can be done with the runs that are selected in it."""

    opened = Signal(int)
    pinned = Signal(int, bool)
    named = Signal(int, str)
    commented = Signal(int, str)
    removed = Signal(int)
    adopted = Signal(int)
    compare = Signal(list)

    def __init__(self, verdict_of: VerdictOf | None = None) -> None:
        super().__init__()
        self._verdict_of: VerdictOf = verdict_of or (lambda _number: None)
        self._shown: int | None = None
        self.empty = style.plain_label(say("no runs yet"), role="muted", wrap=True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._make_table()
        self.name = style.line_edit(self.tr("Name of this run"), self.tr("Name"), length=200)
        hint = self.tr("Comment")
        self.comment = style.line_edit(self.tr("Comment on this run"), hint, length=200)
        self.name.editingFinished.connect(lambda: self._emit_text(self.named, self.name))
        self.comment.editingFinished.connect(lambda: self._emit_text(self.commented, self.comment))
        tip = self.tr("Pinned runs keep their release in memory")
        self.pin = style.button(self.tr("☆ Pin"), self._pin_selected, checkable=True, tip=tip)
        self.adopt = style.button(
            self.tr("Use its parameters"),
            lambda: self.adopted.emit(self.list_selected_numbers()[0]),
            tip=self.tr("Set the sliders as they stood for this run"),
        )
        self.both = style.button(
            self.tr("Compare"),
            lambda: self.compare.emit(self.list_selected_numbers()),
            tip=self.tr("Side by side: select two or more runs"),
        )
        tip = self.tr("Strike the selected runs out")
        self.drop = style.button(self.tr("Remove"), self._remove_selected, tip=tip)
        delete = QAction(self.tr("Remove runs"), self.table)
        delete.setShortcut(QKeySequence.StandardKey.Delete)
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        delete.triggered.connect(self._remove_selected)
        self.table.addAction(delete)
        parts: list[style.Part] = [(self.name, 2), (self.comment, 2), self.pin, self.both]
        deeds = style.row(None, [*parts, self.adopt, self.drop], spacing=style.TIGHT)
        self.deeds = style.filled(deeds)
        parts = [self.empty, (self.table, 1000), self.deeds, 1]
        style.column(self, parts, margins=style.NORMAL, spacing=style.NORMAL)
        self.show_runs([], None)

    def _make_table(self) -> None:
        heads = self.tr("Run"), self.tr("Verdict"), self.tr("Guarantee"), self.tr("What is kept")
        colour: dict[int, Callable[[Run], QColor]] = {Role.ForegroundRole: self._find_colour}

        def tell(place: int, run: Run) -> str:
            return self._list_texts(run)[place]

        def tell_all(run: Run) -> str:
            return "\n".join(filter(None, (*self._list_texts(run), second_line(run))))

        columns = [
            Column(
                head, partial(tell, place), tip=tell_all, roles=colour if place == VERDICT else {}
            )
            for place, head in enumerate((*heads, self.tr("Worst attack")))
        ]
        self.model = ColumnModel(columns, (), self)
        table = self.table = make_table(self.model, self.tr("Runs"), many_rows=True)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 3 * style.TIGHT)
        self._measure = wrap_rows(table, lines_at_most=2)
        header = table.horizontalHeader()
        header.setMinimumSectionSize(round(7 * table.fontMetrics().averageCharWidth()))
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in (VERDICT, GUARANTEE, UTILITY):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.selectionModel().currentRowChanged.connect(self._open_row)
        table.selectionModel().selectionChanged.connect(lambda *_: self._show_selection())

    def show_runs(self, records: Sequence[Run], current: Run | None) -> None:
        """List the runs, latest first, keeping what is selected."""
        selected = set(self.list_selected_numbers())
        self.model.set_lines(list(reversed(records)))
        self._measure.start()
        self._turn_to(self._shown)
        for row, record in enumerate(self.model.lines):
            if record.number in selected:
                self._select_row(row)
        self.empty.setVisible(not records)
        for part in (self.table, self.deeds):
            part.setVisible(bool(records))
        self.show_current(current)
        self._show_selection()

    def show_run(self, number: int) -> None:
        if self._find_row(number) is not None:
            self.model.refresh_columns(0)
            self._measure.start()
            self._show_selection()

    def show_current(self, record: Run | None) -> None:
        row = self._find_row(record.number) if record is not None else None
        number = record.number if record is not None and row is not None else None
        turned, self._shown = number != self._shown, number
        if row is not None and (turned or row != self.table.currentIndex().row()):
            self._turn_to(number)
            self.table.clearSelection()
            self._select_row(row)  # `selectRow` would toggle while somebody holds Ctrl

    def list_selected_numbers(self) -> list[int]:
        """Numbers of the selected runs, in the order in which they were made."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return sorted(self.model.lines[row].number for row in rows)

    def _find_row(self, number: int | None) -> int | None:
        numbers = [record.number for record in self.model.lines]
        return numbers.index(number) if number in numbers else None

    def _turn_to(self, number: int | None) -> None:
        """Have the keys go on at a run."""
        row, flags = self._find_row(number), QItemSelectionModel.SelectionFlag
        if row is not None:
            self.table.selectionModel().setCurrentIndex(self.model.index(row, 0), flags.NoUpdate)

    def _select_row(self, row: int) -> None:
        flags = QItemSelectionModel.SelectionFlag
        index = self.model.index(row, 0)
        self.table.selectionModel().select(index, flags.Select | flags.Rows)

    def _list_texts(self, record: Run) -> list[str]:
        sign, verdict = style.RUN_SIGNS[record.state], self._verdict_of(record.number)
        star = " ★" if record.pinned else ""
        method = translate_text(record.plan.what.title)
        setting = f"{method}  {formats.brief_parameters(record.plan.params)}"
        name = " · ".join(filter(None, (record.name, setting)))
        title = f"{record.letter}{star}  {name}"
        if verdict is not None:
            return [title, *formats.list_verdict_texts(verdict), formats.say_worst(verdict)]
        guarantee = ""
        if record.statement is not None and record.state == "finished":
            guarantee = translate_text(meaning_of(record.statement).brief)
        return [title, f"{sign.icon} {sign.word}", guarantee, "", ""]

    def _find_colour(self, record: Run) -> QColor:
        verdict, colour = self._verdict_of(record.number), str(style.RUN_SIGNS[record.state].colour)
        if verdict is not None:
            _, colour = formats.VERDICT_SIGNS[formats.tone_of(verdict)]
        return QColor(getattr(style.theme_of(self), colour))

    def _show_selection(self) -> None:
        selected = set(self.list_selected_numbers())
        records = [record for record in self.model.lines if record.number in selected]
        single = records[0] if len(records) == 1 else None
        texts = (single.name, single.comment) if single is not None else ("", "")
        for field, text in zip((self.name, self.comment), texts, strict=True):
            field.setEnabled(single is not None)
            if not field.hasFocus() or single is None:
                field.setText(text)
        pinned = bool(records) and all(record.pinned for record in records)
        self.pin.setChecked(pinned)
        self.pin.setText(self.tr("★ Pin") if pinned else self.tr("☆ Pin"))
        self.adopt.setEnabled(single is not None)
        for button in (self.pin, self.drop):
            button.setEnabled(bool(records))
        self.both.setEnabled(sum(record.state == "finished" for record in records) > 1)

    def _open_row(self, current: QModelIndex, _before: QModelIndex) -> None:
        number = self.model.lines[current.row()].number if current.isValid() else self._shown
        if number != self._shown:
            self._shown = number  # whoever chose it selects as they like
            self.opened.emit(number)

    def _pin_selected(self, checked: bool) -> None:
        for number in self.list_selected_numbers():
            self.pinned.emit(number, checked)

    def _remove_selected(self) -> None:
        for number in self.list_selected_numbers():
            self.removed.emit(number)

    def _emit_text(self, signal: SignalInstance, field: QLineEdit) -> None:
        numbers = self.list_selected_numbers()
        if len(numbers) == 1:
            signal.emit(numbers[0], field.text())


def second_line(record: Run) -> str:
    """Why a run has no result, or the note on it."""
    if record.state == "failed":
        return translate_text(record.message)
    if record.state == "cancelled":
        return tr("nothing of it was kept")
    return record.comment


translate = QCoreApplication.translate


@dataclass(frozen=True)
class ComparisonRow:
    """One row of the comparison: a heading if it has no cells.

    `best` are the columns of the runs that are better than all others.
    """

    label: str
    cells: tuple[str, ...] = ()
    help: str = ""
    differs: bool = False
    best: tuple[int, ...] = ()


def lines_of(records: Sequence[Run]) -> list[ComparisonRow]:
    """What the table shows, as text; the first run is what the others are compared with."""
    promises = tuple(
        translate_text(record.statement.write_headline())
        if record.statement is not None
        else translate("Compare", "none")
        for record in records
    )
    return [
        ComparisonRow(translate("Compare", "Parameters")),
        *_list_parameter_rows(records),
        ComparisonRow(translate("Compare", "Statement")),
        ComparisonRow(translate("Compare", "promise"), promises, "", len(set(promises)) > 1),
        *_list_metric_rows(records),
    ]


def _list_metric_rows(records: Sequence[Run]) -> Iterator[ComparisonRow]:
    """Every figure of any run, under the attack or measure that made it."""
    runs = [by_key(record) for record in records]
    metrics: dict[str, RunMetrics] = {}
    for run in runs:
        for key, metric in run.items():
            metrics.setdefault(key, metric)
    for owner in dict.fromkeys(metric.owner for metric in metrics.values()):
        yield ComparisonRow(owner or translate("Compare", "Metrics"))
        for key, metric in metrics.items():
            if metric.owner == owner:
                values = [run[key].value if key in run else None for run in runs]
                yield _make_metric_row(metric.value, values)


def _make_metric_row(metric: MetricValue, values: Sequence[MetricValue | None]) -> ComparisonRow:
    first, cells = values[0], []
    for value in values:
        change = "" if first is None or value is None else format_difference(value, first)
        text = translate("Compare", "does not apply")
        if value is not None:
            text = f"{formats.format_metric(value)}  {change}".rstrip()
        cells.append(text)
    distinct = {value.value if value is not None else None for value in values}
    better = f" ({tr(formats.BETTER[metric.better])})" if metric.better else ""
    label, help = translate_text(metric.label) + better, translate_text(metric.help)
    return ComparisonRow(label, tuple(cells), help, len(distinct) > 1, _find_best(values))


def _find_best(values: Sequence[MetricValue | None]) -> tuple[int, ...]:
    numbers = np.array([math.nan if value is None else value.value for value in values])
    better = next((value.better for value in values if value is not None), "")
    if not better or len(np.unique(numbers[~np.isnan(numbers)])) < 2:
        return ()
    best = np.nanmax(numbers) if better == "higher" else np.nanmin(numbers)
    return tuple(np.flatnonzero(numbers == best).tolist())


def _list_parameter_rows(records: Sequence[Run]) -> list[ComparisonRow]:
    """One row for each parameter of each method: of two methods, δ is not the same thing."""
    methods = tuple(translate_text(record.plan.what.title) for record in records)
    lines = [ComparisonRow(translate("Compare", "method"), methods, "", len(set(methods)) > 1)]
    several_methods = len({record.plan.method for record in records}) > 1
    plans = [record.plan for record in records]
    specs = {(plan.method, spec.name): spec for plan in plans for spec in plan.params.specs()}
    unused = translate("Compare", "not used")
    for (method, name), spec in specs.items():
        cells = tuple(
            formats.format_parameter(plan.params.spec(name), getattr(plan.params, name))
            if plan.method == method and plan.params.matters(name)
            else unused
            for plan in plans
        )
        if set(cells) == {unused}:
            continue
        label = translate_text(spec.label)
        if several_methods:
            label = f"{translate_text(METHODS[method].title)}: {label}"
        lines.append(ComparisonRow(label, cells, translate_text(spec.help), len(set(cells)) > 1))
    return lines


def format_difference(value: MetricValue, first: MetricValue) -> str:
    """By how much a figure differs from the first run's, and whether that is good."""
    change = value.value - first.value
    if not math.isfinite(change) or change == 0:
        return ""
    unit = value.unit if value.unit == SHARE else ""
    sign = "+" if change > 0 else "−"
    word = ""
    if value.better:
        good = (change > 0) == (value.better == "higher")
        word = translate("Compare", " better") if good else translate("Compare", " worse")
    pairs = (value.interval, first.value), (first.interval, value.value)
    if all(ends is not None and ends[0] <= other <= ends[1] for ends, other in pairs):
        word += translate("Compare", ", within their intervals")
    return f"[{sign}{formats.format_quantity(abs(change), unit)}{word}]"


def rows_of(records: Sequence[Run]) -> list[list[str]]:
    """The comparison as cells, headings first; headings of parts stand alone in their row."""
    rows = [["", *(column_heading(record) for record in records)]]
    return rows + [[line.label, *line.cells] for line in lines_of(records)]


def column_heading(record: Run) -> str:
    return f"{record.letter}  {translate_text(record.title)}"


class ComparePanel(QWidget):
    """The comparison in three parts; the first run is what the others are compared with."""

    def __init__(self, disclosure: Disclosure) -> None:
        super().__init__()
        self._records: list[Run] = []
        self.hint = style.plain_label(role="muted", wrap=True)
        self.table = QTableWidget()
        dress_table(self.table, self.tr("Comparison of runs"), many_rows=True)
        self._measure = wrap_rows(self.table)
        self.plots, self.exposed = ComparedPlots(), ExposedPanel(disclosure)
        self.tables, self.explore = TablesPanel(), ExplorePanel()
        self.copy = style.button(
            self.tr("Copy as CSV"),
            lambda: QGuiApplication.clipboard().setText(
                csv_of(Exportable("", rows=rows_of(self._records)))
            ),
        )
        self.only = QCheckBox(self.tr("Only what differs"))
        self.only.toggled.connect(lambda _on: self._fill_table())
        head = style.row(None, [(self.hint, 1), self.only, self.copy], spacing=style.NORMAL)
        self._below = QWidget()
        parts: list[style.Part] = [head, (self.table, 1), (self._below, 1)]
        figures = style.column(None, parts, (0, style.TIGHT, 0, 0), style.TIGHT)
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.setAccessibleName(self.tr("What is compared"))
        for part, name in (
            (style.filled(figures), self.tr("Parameters and metrics")),
            (self.plots, self.tr("Plots")),
            (self.exposed, self.tr("Who is exposed")),
            (self.tables, self.tr("Tables")),
            (self.explore, self.tr("Grid")),
        ):
            self.tabs.addTab(part, name)
        self._stale: set[int] = set()
        self.tabs.currentChanged.connect(self._fill_part)
        margins = style.NORMAL, 0, style.NORMAL, style.TIGHT
        style.column(self, [(self.tabs, 1)], margins=margins, spacing=0)
        self.show_runs([])
        EventWatch(self, self._fit_labels, QEvent.Type.Resize)

    @property
    def numbers(self) -> list[int]:
        return [record.number for record in self._records]

    def show_runs(self, records: Sequence[Run]) -> None:
        """Compare these runs with the first of them; one alone has its lines."""
        self._records = list(records)
        has_several = len(self._records) > 1
        if not has_several and self.tabs.currentIndex() in (1, 2):
            self.tabs.setCurrentIndex(0)
        for place in (1, 2):
            self.tabs.setTabEnabled(place, has_several)
        self._stale = {0, 1, 2}
        self._fill_part(self.tabs.currentIndex())

    def _fill_part(self, part: int) -> None:
        """Fill the visible part; the others wait until they are shown."""
        if part not in self._stale:
            return
        self._stale.discard(part)
        records = self._records if len(self._records) > 1 else []
        if part == 1:
            self.plots.show_runs(records)
        elif part == 2:
            self.exposed.show_runs(records)
        else:
            self._fill_table()

    def _fill_table(self) -> None:
        has_any, has_two = bool(self._records), len(self._records) > 1
        self.table.setVisible(has_any)
        self.copy.setVisible(has_any)
        self.only.setVisible(has_two)
        self._below.setVisible(not has_any)
        text = self.tr("Select two or more finished runs in the list and press Compare.")
        if has_two:
            text = say("how to read a comparison").format(self._records[0].letter)
        self.hint.setText(text)
        if not has_any:
            self.table.setRowCount(0)
            return
        lines = lines_of(self._records)
        if has_two and self.only.isChecked():
            lines = [line for line in lines if line.differs or not line.cells]
            pairs = itertools.pairwise([*lines, ComparisonRow("")])
            lines = [line for line, following in pairs if line.cells or following.cells]
        self.table.clear()
        self.table.setRowCount(len(lines))
        self.table.setColumnCount(1 + len(self._records))
        for column, heading in enumerate(["", *map(column_heading, self._records)]):
            top = QTableWidgetItem(heading)
            top.setToolTip(safe_text.plain_tip(heading))
            self.table.setHorizontalHeaderItem(column, top)
        self.table.clearSpans()
        for row, line in enumerate(lines):
            self._fill_row(row, line)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(header.ResizeMode.Stretch)
        header.setSectionResizeMode(0, header.ResizeMode.Interactive)
        self._fit_labels()

    def _fit_labels(self) -> None:
        """The labels' column: as wide as they are, up to a third of the page."""
        widest = max(30 * self.fontMetrics().averageCharWidth(), self.width() // 3)
        width = max(self.table.sizeHintForColumn(0), 0) + style.TIGHT
        self.table.horizontalHeader().resizeSection(0, min(width, widest))
        self._measure.start()

    def _fill_row(self, row: int, line: ComparisonRow) -> None:
        label = QTableWidgetItem(("● " if line.differs else "") + line.label)
        label.setToolTip(safe_text.plain_tip(f"{line.label}\n{line.help}".strip()))
        if not line.cells:
            label.setFont(style.scaled_font(self, bold=True))
            self.table.setSpan(row, 0, 1, 1 + len(self._records))
        self.table.setItem(row, 0, label)
        for column, cell in enumerate(line.cells, start=1):
            item = QTableWidgetItem(f"★ {cell}" if column - 1 in line.best else cell)
            item.setToolTip(safe_text.plain_tip(cell))
            item.setFont(style.scaled_font(self, bold=line.differs))
            item.setTextAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            self.table.setItem(row, column, item)

    def make_exportable(self) -> Exportable | None:
        """The comparison's table, or whom the runs expose as far as it is listed."""
        if not self._records:
            return None
        letters = ", ".join(record.letter for record in self._records)
        title = self.tr("Comparison of runs {}").format(letters)
        if self.tabs.currentWidget() is self.exposed:
            return self.exposed.make_exportable(title)
        return Exportable(title, rows=rows_of(self._records))


LINES = 36
"""Lines of text that the page needs."""
RUN_LINES, PLOT_LINES = 10, 12
"""Lines of text that the runs and the trade-off have at least."""
TALLER = 1.4
"""How many times as many it needs where the trade-off stands below the runs."""


class ComparePage(QWidget):
    """Runs and their trade-off above; below what is compared, tables, and grids of parameters."""

    def __init__(self, controller: Controller, verdicts: VerdictKeeper) -> None:
        super().__init__()
        self.controller, self.verdicts = controller, verdicts
        self.runs, self.pareto = RunsPanel(verdicts.find_verdict), ParetoPanel()
        self.compare = ComparePanel(controller.disclosure)
        self.tables, self.explore = self.compare.tables, self.compare.explore
        top = style.splitter([make_tile(self.runs), make_tile(self.pareto)], sizes=[720, 440])
        line = self.fontMetrics().lineSpacing()
        for part, lines in ((self.runs, RUN_LINES), (self.pareto, PLOT_LINES)):
            part.setMinimumHeight(lines * line)
        self.halves = style.splitter(
            [top, make_tile(self.compare)],
            sizes=[PLOT_LINES * line * 3 // 2, PLOT_LINES * line * 2],
            stretch=(0, 1),  # a taller window has more lines to compare
            vertical=True,
        )
        page = style.filled(style.column(None, [self.halves], margins=style.NORMAL))
        style.column(self, [PageArea(page, LINES, (top,), taller=TALLER)])
        self._soon = controller.turns.run_soon
        c = controller
        c.log_opened.connect(lambda opened: self.compare.exposed.set_log(opened.log))
        for signal in (c.log_opened, c.log_closed):
            signal.connect(lambda *_opened: self.compare.show_runs([]))
            signal.connect(lambda *_opened: self.explore.clear())
        c.runs_changed.connect(self._runs_changed)
        c.run_changed.connect(self._run_changed)
        c.current_changed.connect(self._current_changed)
        c.intents.changed.connect(self._show_intent)
        c.explorer.started.connect(self.explore.show_started)
        c.explorer.cells_changed.connect(self.explore.show_cells)
        c.explorer.ended.connect(self.explore.show_ended)
        verdicts.judged.connect(self.runs.show_run)
        self.explore.requested.connect(self._start_sweep)
        self.explore.cancel_wanted.connect(c.explorer.cancel)
        self.explore.adopted.connect(c.intents.set_all)
        self.pareto.chosen.connect(c.show_run)
        self.runs.opened.connect(c.show_run)
        self.runs.pinned.connect(lambda number, on: c.edit_run(number, pinned=on))
        self.runs.named.connect(lambda number, text: c.edit_run(number, name=text))
        self.runs.commented.connect(lambda number, text: c.edit_run(number, comment=text))
        self.runs.removed.connect(c.remove_run)
        self.runs.adopted.connect(self._adopt_run)
        self.runs.compare.connect(self.show_compared)

    def _show_intent(self) -> None:
        if self.controller.opened is not None:
            self.explore.show_intent(self.controller.intent)

    def show_compared(self, numbers: list[int]) -> None:
        records = map(self.controller.runs.get, numbers)
        self.compare.show_runs([r for r in records if r and r.state == "finished"])

    def _start_sweep(self, sweep: ParameterSweep) -> None:
        if self.controller.opened is not None:
            self.controller.explorer.start(sweep, self.controller.opened.log)

    def _adopt_run(self, number: int) -> None:
        record = self.controller.runs.get(number)
        if record is not None:
            self.controller.intents.adopt_plan(record.plan)

    # the runs

    def _runs_changed(self) -> None:
        c = self.controller
        self._soon(lambda: self.runs.show_runs(list(c.runs), c.current), self.runs)
        self._soon(self._trade_off, self.pareto)
        numbers = [number for number in self.compare.numbers if c.runs.get(number)]
        if numbers != self.compare.numbers:
            self.show_compared(numbers)

    def _trade_off(self) -> None:
        self.pareto.show_runs(self.controller.runs.finished, self.controller.current)

    def _run_changed(self, record: Run) -> None:
        self._soon(partial(self.runs.show_run, record.number), (self.runs, record.number))
        if record is self.controller.current:
            self._soon(partial(self._fill_tables, record), self.tables)
        if record.state == "finished":
            self._soon(self._trade_off, self.pareto)
            compared = record.number in self.compare.numbers
            self._soon(self._show_again if compared else self._show_alone, self.compare)

    def _show_again(self) -> None:
        self.show_compared(self.compare.numbers)

    def _show_alone(self) -> None:
        """While nobody compares, show the lines of the run that is shown."""
        current = self.controller.current
        if len(self.compare.numbers) < 2 and current is not None:
            self.show_compared([current.number])

    def _current_changed(self, record: Run | None) -> None:
        c = self.controller
        self._soon(lambda: self.runs.show_current(c.current), (self.runs, "current"))
        self._soon(self._trade_off, self.pareto)
        self._soon(self._show_alone, self.compare)
        if record is None:
            c.turns.run_now(partial(self.tables.clear, tr(EMPTY)), self.tables)
        else:
            self._soon(partial(self._fill_tables, record), self.tables)

    def _fill_tables(self, record: Run) -> None:
        ended = record.state in ("failed", "cancelled")
        tables = tables_of(record)
        if tables and not ended:
            self.tables.show_tables(tables, column_heading(record))
            return
        text = self.tr("No tables of run {letter} yet.")
        if ended:
            text = self.tr("Run {letter} {state}: there are no tables of it.")
        state = style.RUN_SIGNS[record.state].word
        self.tables.clear(text.format(letter=record.letter, state=state))
