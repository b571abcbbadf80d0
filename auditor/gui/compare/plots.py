"""The same plot of several runs side by side: one range, one place pointed at, in all of them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QCheckBox, QSplitter, QWidget

from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.figures import Figure
from auditor.gui.app.translation import translate_text
from auditor.gui.plots.figure_view import FigureView
from auditor.gui.release.exportable import SIZE, Exportable
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import ChoiceBox
from auditor.measures.registry import MEASURES
from auditor.release.report.svg_plots import lay_side_by_side

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
        text = (
            "" if uniform or len(present) < 2 else self.tr("Axes differ, so ranges are not shared.")
        )
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
            lambda reference, row, text: self.whose.emit(
                self._records[place].number, reference, row, text
            )
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
