"""A target of our own for figures of matplotlib: what it draws with, and its canvas."""

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import FigureCanvasBase, RendererBase


class SheetPen(RendererBase):
    """What matplotlib draws with; a unit is a point, y goes up."""

    def __init__(self, size: tuple[float, float]) -> None:
        super().__init__()
        self._size = size

    def flipy(self) -> bool:
        return False

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self._size

    def points_to_pixels(self, points: Any) -> Any:
        return points


class SheetCanvas(FigureCanvasBase):
    """Gives a sheet its pen: for measuring texts, too."""

    def __init__(self, sheet: Any, pen: SheetPen) -> None:
        super().__init__(sheet)
        self._pen = pen

    def get_renderer(self) -> SheetPen:
        return self._pen


def alpha_of(gc: Any) -> float:
    """How opaque a line or a text is, from 0 to 1."""
    rgb = gc.get_rgb()
    return float(rgb[3]) if len(rgb) > 3 and not gc.get_forced_alpha() else float(gc.get_alpha())


def is_filled(face: Any) -> bool:
    """Whether a path with this colour of its inside has one."""
    return face is not None and (len(face) < 4 or face[3] > 0)
