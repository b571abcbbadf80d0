"""Where values stand on an axis, and round ranges around them; no drawing, and quick to load."""

from __future__ import annotations

import math

import numpy as np

from auditor.arrays import Float64s
from auditor.figures import Axis

Range = tuple[float, float]

MARGIN = 0.012
"""Share of the height above its range: a line along its end is seen whole."""


def next_round_step(spacing: float) -> float:
    """The next of 1, 2 and 5 times a power of ten."""
    power_below = 10.0 ** math.floor(math.log10(spacing) + 1e-9)
    first = round(spacing / power_below)
    return power_below * (2 if first < 2 else 5 if first < 5 else 10)


def add_headroom(up: Range) -> Range:
    """A range with a little room above it."""
    low, high = up
    return low, high + MARGIN * (high - low)


def scale_values(values: Float64s, axis: Axis) -> Float64s:
    """Where values stand on an axis; NaN for what it can't show. Shape as given."""
    numbers = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.log10(numbers) if axis.scale == "log" else numbers
    return np.where(np.isfinite(places), places, np.nan)


def scale_value(value: float, axis: Axis) -> float:
    """`scaled` for one number."""
    return float(scale_values(np.array([value]), axis)[0])


def round_range(low: float, high: float, axis: Axis) -> Range:
    """A range around the data with round ends, so that it holds still while data move."""
    if axis.categories:
        return -0.6, len(axis.categories) - 0.4
    if not (math.isfinite(low) and math.isfinite(high)):
        return 0.0, 1.0
    if axis.scale == "log":
        return (
            (math.floor(low + 1e-9), math.ceil(high - 1e-9)) if high > low else (low - 1, high + 1)
        )
    if high == low:
        low, high = min(low, 0.0), max(high, 0.0) or 1.0
    if 0 < low < 0.5 * high:
        low = 0.0
    step = 10 ** math.floor(math.log10(high - low))
    step = step / 2 if (high - low) / step < 3 else step
    bottom = math.floor(low / step + 1e-9) * step
    return bottom, math.ceil(high / step - 1e-9) * step
