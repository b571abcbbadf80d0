"""Where values stand on an axis, which point of a figure is meant, what a scatter shows."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

import numpy as np

from auditor.arrays import Float64s
from auditor.engine.run import Run
from auditor.figures import Axis, Figure, Series, Unit
from auditor.gui.widgets import formats

Range = tuple[float, float]

MARGIN = 0.012
"""Share of the height above its range: a line along its end is seen whole."""


def next_round_step(spacing: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power_below = 10.0 ** math.floor(math.log10(spacing) + 1e-9)
    first = round(spacing / power_below)
    return power_below * (2 if first < 2 else 5 if first < 5 else 10)


def add_headroom(up: Range) -> Range:
    low, high = up
    return low, high + MARGIN * (high - low)


def scale_values(values: Float64s, axis: Axis) -> Float64s:
    """Where values stand on an axis; NaN for what it can't show. Shape as given."""
    numbers = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.log10(numbers) if axis.scale == "log" else numbers
    return np.where(np.isfinite(places), places, np.nan)


def scale_value(value: float, axis: Axis) -> float:
    return float(scale_values(np.array([value]), axis)[0])


def round_range(low: float, high: float, axis: Axis) -> Range:
    """A range around the data with round ends, so that it holds still while data move."""
    if axis.categories:
        return -0.6, len(axis.categories) - 0.4
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    if axis.scale == "log" and high > low:
        return math.floor(low + 1e-9), math.ceil(high - 1e-9)
    if axis.scale == "log":
        return low - 1, high + 1
    if high == low:
        low, high = min(low, 0.0), max(high, 0.0) or 1.0
    if 0 < low < 0.5 * high:
        low = 0.0
    if axis.unit in get_args(Unit):
        high = max(high, 1.0)  # the least count that there is
    step = 10 ** math.floor(math.log10(high - low))
    step = step / 2 if (high - low) / step < 3 else step
    bottom = math.floor(low / step + 1e-9) * step
    return bottom, math.ceil(high / step - 1e-9) * step


REACH = 12.0
"""Pixels from a point within which it is meant."""


def find_point_under(plot: Any, position: Any) -> tuple[int, int] | None:
    """The series and the point of a `Plot` under a place of its scene, or None.

    A bar is meant over its whole width, however short it is.
    """
    figure: Figure | None = plot.figure
    if figure is None:
        return None
    point = plot.view.mapSceneToView(position)
    across, up = (point.y(), point.x()) if plot.turned else (point.x(), point.y())
    size = plot.view.viewPixelSize()
    wide, high = reversed(size) if plot.turned else size
    best, nearest = None, REACH
    for number, series in enumerate(figure.series):
        x, y = scale_values(series.x, figure.x), scale_values(series.y, figure.y)
        if not len(x):
            continue
        if series.kind == "bars":
            middle, width = plot.bars_of(series)
            distance = np.abs(middle - across)
            if float(np.nanmin(distance)) <= width / 2:
                return number, int(np.nanargmin(distance))
            continue
        distance = np.hypot((x - across) / wide, (y - up) / high)
        if np.isfinite(distance).any() and float(np.nanmin(distance)) < nearest:
            best, nearest = (number, int(np.nanargmin(distance))), float(np.nanmin(distance))
    return best


def find_nearest_point(series: Series, x: Axis, place: float) -> int | None:
    """The point of a series that is nearest to a place on the x axis as it is scaled."""
    distance = np.abs(scale_values(series.x, x) - place)
    return int(np.nanargmin(distance)) if len(distance) and np.isfinite(distance).any() else None


def list_x_places(figure: Figure) -> Float64s:
    parts = [scale_values(series.x, figure.x) for series in figure.series]
    flat = np.unique(np.concatenate(parts)) if parts else np.zeros(0)
    return flat[np.isfinite(flat)]


def read_values_at(figure: Figure, place: float) -> tuple[str, str]:
    """The x that is nearest to a place, and what every series holds there, in words."""
    values, name = [], ""
    for series in figure.series:
        point = find_nearest_point(series, figure.x, place)
        if point is not None:
            name = name or x_name(figure, float(series.x[point]))
            number = formats.format_quantity(float(series.y[point]), figure.y.unit)
            values.append(f"{series.name}: {number}" if series.name else number)
    return name, "; ".join(values)


def x_name(figure: Figure, x: float) -> str:
    names = figure.x.categories
    if names:
        place = round(x)
        return names[place] if 0 <= place < len(names) else ""
    return formats.format_quantity(x, figure.x.unit)


Label = tuple[list[Run], float, float]
"""Runs whose letters stand together, and where."""


class ParetoPicture(NamedTuple):
    """What is drawn: a series for each method, the run of each of its points, and the front."""

    figure: Figure
    runs: Sequence[Run]
    front: Float64s
    """x and y of the best trade-offs, shape (2, n)."""
    frame: tuple[Range, Range]
    labels: Sequence[Label]


def name_runs(members: Sequence[Run]) -> str:
    return " ".join(record.letter for record in members)
