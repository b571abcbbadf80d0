"""Draws a `Figure` into a PDF as vectors with real text: matplotlib's axes, ReportLab's paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.backend_bases import FigureCanvasBase, RendererBase
from matplotlib.transforms import Affine2D
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable

from auditor.figures import Figure
from auditor.release.report.drawing import ON_LIGHT
from auditor.release.report.svg_plots import sheet_of_figure

WIDTH, HEIGHT = 640.0, 340.0
"""CSS pixels, as in the page."""

_HATCH = 72.0
_CAPS = {"butt": 0, "round": 1, "projecting": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


class PdfPlot(Flowable):  # type: ignore[misc]  # the library has no types
    """A figure as wide as the page lets it be."""

    def __init__(self, figure: Figure, font: str, clean: Callable[[str], str]) -> None:
        super().__init__()
        self._figure, self._font, self._shown = figure, font, clean
        self._scale = 1.0

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        del height
        natural = WIDTH * 72 / 96
        self._scale = min(1.0, width / natural)
        return natural * self._scale, HEIGHT * 72 / 96 * self._scale

    def draw(self) -> None:
        self.canv.saveState()
        self.canv.scale(self._scale, self._scale)
        with sheet_of_figure(self._figure, ON_LIGHT, WIDTH, HEIGHT) as sheet:
            pen = PlotPen(self.canv, self._font, self._shown)
            PlotCanvas(sheet, pen)
            sheet.draw(pen)
        self.canv.restoreState()


class PlotPen(RendererBase):
    """What matplotlib draws with on ReportLab's paper; a unit is a point, y goes up."""

    def __init__(self, paper: Any, font: str, clean: Callable[[str], str]) -> None:
        super().__init__()
        self._paper, self._font, self._shown = paper, font, clean

    def flipy(self) -> bool:
        return False

    def get_canvas_width_height(self) -> tuple[float, float]:
        return WIDTH * 72 / 96, HEIGHT * 72 / 96

    def points_to_pixels(self, points: Any) -> Any:
        return points

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        del ismath
        size = prop.get_size_in_points()
        return stringWidth(self._shown(s), self._font, size), size * 0.97, size * 0.22

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        """Text as text: it can be searched and read aloud."""
        del ismath, mtext
        paper = self._paper
        paper.saveState()
        self._apply_clip(gc)
        paper.setFillColorRGB(*gc.get_rgb()[:3], alpha=_opacity_of(gc))
        paper.translate(x, y)
        paper.rotate(angle)
        paper.setFont(self._font, prop.get_size_in_points())
        paper.drawString(0, 0, self._shown(s))
        paper.restoreState()

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:
        paper = self._paper
        paper.saveState()
        self._apply_clip(gc)
        drawn = _convert_path(paper, path, transform)
        filled = rgbFace is not None and (len(rgbFace) < 4 or rgbFace[3] > 0)
        if filled:
            solid = gc.get_alpha() if gc.get_forced_alpha() or len(rgbFace) < 4 else rgbFace[3]
            paper.setFillColorRGB(*rgbFace[:3], alpha=solid if solid is not None else 1)
        line = gc.get_linewidth()
        if line > 0:
            paper.setStrokeColorRGB(*gc.get_rgb()[:3], alpha=_opacity_of(gc))
            paper.setLineWidth(line)
            paper.setLineCap(_CAPS[gc.get_capstyle()])
            paper.setLineJoin(_JOINS[gc.get_joinstyle()])
            offset, dashes = gc.get_dashes()
            if dashes is not None:
                paper.setDash([float(dash) for dash in dashes], float(offset))
        paper.drawPath(drawn, stroke=int(line > 0), fill=int(filled))
        if gc.get_hatch():
            self._draw_hatch(gc, path, transform)
        paper.restoreState()

    def _draw_hatch(self, gc: Any, path: Any, transform: Any) -> None:
        """Tiles of the hatch over the path's box, clipped to the path."""
        paper = self._paper
        box = path.get_extents(transform)
        paper.clipPath(_convert_path(paper, path, transform), stroke=0, fill=0)
        colour = gc.get_hatch_color()
        paper.setStrokeColorRGB(*colour[:3])
        paper.setLineWidth(gc.get_hatch_linewidth())
        paper.setDash()
        tile = gc.get_hatch_path()
        across, up = int(box.x0 // _HATCH), int(box.y0 // _HATCH)
        for column in range(across, int(box.x1 // _HATCH) + 1):
            for row in range(up, int(box.y1 // _HATCH) + 1):
                move = Affine2D().scale(_HATCH).translate(column * _HATCH, row * _HATCH)
                paper.drawPath(_convert_path(paper, tile, move), stroke=1, fill=0)

    def _apply_clip(self, gc: Any) -> None:
        box = gc.get_clip_rectangle()
        if box is not None:
            path = self._paper.beginPath()
            path.rect(box.x0, box.y0, box.width, box.height)
            self._paper.clipPath(path, stroke=0, fill=0)
        path, transform = gc.get_clip_path()
        if path is not None:
            self._paper.clipPath(_convert_path(self._paper, path, transform), stroke=0, fill=0)


class PlotCanvas(FigureCanvasBase):
    """Gives a sheet its pen: for measuring texts, too."""

    def __init__(self, sheet: Any, pen: PlotPen) -> None:
        super().__init__(sheet)
        self._pen = pen

    def get_renderer(self) -> PlotPen:
        return self._pen


def _opacity_of(gc: Any) -> float:
    """How opaque a line or a text is, from 0 to 1."""
    rgb = gc.get_rgb()
    return float(rgb[3]) if len(rgb) > 3 and not gc.get_forced_alpha() else float(gc.get_alpha())


def _convert_path(paper: Any, path: Any, transform: Any) -> Any:
    """A path of matplotlib as one of ReportLab."""
    drawn = paper.beginPath()
    point = (0.0, 0.0)
    for points, code in path.iter_segments(transform, simplify=False):
        p = [float(value) for value in points]
        if code == path.MOVETO:
            drawn.moveTo(*p)
        elif code == path.LINETO:
            drawn.lineTo(*p)
        elif code == path.CURVE3:
            first = [point[i] + 2 / 3 * (p[i] - point[i]) for i in (0, 1)]
            second = [p[i + 2] + 2 / 3 * (p[i] - p[i + 2]) for i in (0, 1)]
            drawn.curveTo(*first, *second, p[2], p[3])
        elif code == path.CURVE4:
            drawn.curveTo(*p)
        elif code == path.CLOSEPOLY:
            drawn.close()
            continue
        point = p[-2], p[-1]
    return drawn
