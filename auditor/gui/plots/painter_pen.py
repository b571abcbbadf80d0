"""Draws a figure of matplotlib with a painter of Qt: lines stay lines and words stay words."""

from __future__ import annotations

from typing import Any

from matplotlib.transforms import Affine2D
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPen,
)

from auditor.release.report.sheet_pen import SheetPen, alpha_of, is_filled

FINE = 10
"""Fonts are set so many times too large and scaled down: their sizes in pixels are whole."""
_HATCH = 72.0
_CAPS = {
    "butt": Qt.PenCapStyle.FlatCap,
    "round": Qt.PenCapStyle.RoundCap,
    "projecting": Qt.PenCapStyle.SquareCap,
}
_JOINS = {
    "miter": Qt.PenJoinStyle.MiterJoin,
    "round": Qt.PenJoinStyle.RoundJoin,
    "bevel": Qt.PenJoinStyle.BevelJoin,
}


class PainterPen(SheetPen):
    """Draws on a painter whose unit is a point and whose y goes up."""

    def __init__(self, painter: QPainter, size: tuple[float, float]) -> None:
        super().__init__(size)
        self._painter = painter

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        del ismath
        metrics = QFontMetricsF(_font_of(prop))
        return (
            metrics.horizontalAdvance(s) / FINE,
            (metrics.ascent() + metrics.descent()) * 0.8 / FINE,
            metrics.descent() / FINE,
        )

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        """Text as text: it can be searched and changed in a drawing program."""
        del ismath, mtext
        painter = self._painter
        painter.save()
        self._set_clip(gc)
        painter.setPen(_make_colour(gc.get_rgb(), alpha_of(gc)))
        painter.setFont(_font_of(prop))
        painter.translate(x, y)
        painter.scale(1 / FINE, -1 / FINE)
        painter.rotate(-angle)
        painter.drawText(QPointF(0, 0), s)
        painter.restore()

    def draw_path(self, gc: Any, path: Any, transform: Any, rgbFace: Any = None) -> None:
        painter = self._painter
        painter.save()
        self._set_clip(gc)
        drawn = _painter_path(path, transform)
        if is_filled(rgbFace):
            alpha = rgbFace[3] if len(rgbFace) > 3 and not gc.get_forced_alpha() else gc.get_alpha()
            painter.fillPath(drawn, _make_colour(rgbFace, float(alpha)))
        if gc.get_hatch():
            self._draw_hatch(gc, drawn)
        if gc.get_linewidth() > 0:
            painter.strokePath(drawn, _line_of(gc))
        painter.restore()

    def _draw_hatch(self, gc: Any, inside: QPainterPath) -> None:
        """Tiles of the hatch over the path's box, clipped to the path."""
        painter, box = self._painter, inside.boundingRect()
        painter.save()
        painter.setClipPath(inside, Qt.ClipOperation.IntersectClip)
        pen = QPen(_make_colour(gc.get_hatch_color(), alpha_of(gc)), gc.get_hatch_linewidth())
        tile = gc.get_hatch_path()
        for column in range(int(box.left() // _HATCH), int(box.right() // _HATCH) + 1):
            for row in range(int(box.top() // _HATCH), int(box.bottom() // _HATCH) + 1):
                move = Affine2D().scale(_HATCH).translate(column * _HATCH, row * _HATCH)
                painter.strokePath(_painter_path(tile, move), pen)
        painter.restore()

    def _set_clip(self, gc: Any) -> None:
        box = gc.get_clip_rectangle()
        if box is not None:
            area = QRectF(box.x0, box.y0, box.width, box.height)
            self._painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        path, transform = gc.get_clip_path()
        if path is not None:
            drawn = _painter_path(path, transform)
            self._painter.setClipPath(drawn, Qt.ClipOperation.IntersectClip)


def _font_of(prop: Any) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(max(1, round(prop.get_size_in_points() * FINE)))
    font.setBold(prop.get_weight() == "bold")
    return font


def _make_colour(rgb: Any, alpha: float) -> QColor:
    red, green, blue = (float(part) for part in rgb[:3])
    return QColor.fromRgbF(red, green, blue, alpha)


def _line_of(gc: Any) -> QPen:
    width = float(gc.get_linewidth())
    pen = QPen(_make_colour(gc.get_rgb(), alpha_of(gc)), width)
    pen.setCapStyle(_CAPS[gc.get_capstyle()])
    pen.setJoinStyle(_JOINS[gc.get_joinstyle()])
    offset, dashes = gc.get_dashes()
    if dashes is not None:
        pen.setDashPattern([float(dash) / width for dash in dashes])
        pen.setDashOffset(float(offset) / width)
    return pen


def _painter_path(path: Any, transform: Any) -> QPainterPath:
    """A path of matplotlib as one of Qt."""
    drawn = QPainterPath()
    for points, code in path.iter_segments(transform, simplify=False):
        p = [QPointF(x, y) for x, y in zip(points[::2], points[1::2], strict=True)]
        if code == path.MOVETO:
            drawn.moveTo(p[0])
        elif code == path.LINETO:
            drawn.lineTo(p[0])
        elif code == path.CURVE3:
            drawn.quadTo(p[0], p[1])
        elif code == path.CURVE4:
            drawn.cubicTo(p[0], p[1], p[2])
        elif code == path.CLOSEPOLY:
            drawn.closeSubpath()
    return drawn
