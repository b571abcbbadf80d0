"""Where runs stand between privacy and utility: their points, their front, and who is close."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from auditor.arrays import Float64s
from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, Figure, MetricValue
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.plots.scales import Range
from auditor.gui.state.run_queue import pareto_positions

NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""
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


def pareto_front(x: Sequence[float], y: Sequence[float], about: Sequence[MetricValue]) -> Float64s:
    """The best trade-offs, shape (2, n); none where nothing says which way is good."""
    points = np.array([x, y], dtype=np.float64)
    if not all(value.better for value in about):
        return points[:, :0]
    low_x, low_y = (value.better == "lower" for value in about)
    return points[:, pareto_positions(*points, low_x=low_x, low_y=low_y)]


def axis_of(value: MetricValue) -> Axis:
    """An axis whose arrow says where the better end is; along y it points up or down."""
    share = value.unit == SHARE
    unit = f" ({translate_text(value.unit)})" if value.unit and not share else ""
    better = {"higher": tr("  → better"), "lower": tr("  ← better"), "": ""}[value.better]
    return Axis(translate_text(value.label) + unit + better, unit=SHARE if share else "")


def group_close_points(
    points: Sequence[tuple[Run, float, float]], frame: tuple[Range, Range]
) -> list[Label]:
    """Runs whose points (nearly) cover each other share one line of letters, at the first."""
    across, up = (high - low for low, high in frame)
    labels: list[Label] = []
    for record, a, b in points:
        for members, x, y in labels:
            if abs(a - x) < NEAR * across and abs(b - y) < 2 * NEAR * up:
                members.append(record)
                break
        else:
            labels.append(([record], a, b))
    return labels


def name_runs(members: Sequence[Run]) -> str:
    return " ".join(record.letter for record in members)


def roomy_range(values: Sequence[float]) -> Range:
    """A range with room around the outermost points; little of it where no value can be."""
    low, high = min(values), max(values)
    room = 0.2 * (high - low) or 0.1 * abs(high) or 0.2
    bottom = low - room
    return (max(bottom, -0.1 * (high + room)) if low >= 0 else bottom), high + room
