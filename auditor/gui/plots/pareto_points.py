"""Where runs stand between privacy and utility: their looks, their front, and who is close."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from auditor.arrays import Int64s
from auditor.engine.run import Run
from auditor.figures import SHARE, Axis, MetricValue
from auditor.gui.app.translation import tr, translate_text
from auditor.gui.state.run_book import pareto_positions

NEAR = 0.025
"""Share of the axis within which two points count as one for their letters."""


def pareto_front(
    x: Sequence[float], y: Sequence[float], about: tuple[MetricValue, MetricValue]
) -> Int64s:
    """Positions of the best trade-offs; none where nothing says which way is good."""
    if not (about[0].better and about[1].better):
        return np.zeros(0, dtype=np.int64)
    low_x, low_y = (value.better == "lower" for value in about)
    return pareto_positions(np.array(x), np.array(y), low_x=low_x, low_y=low_y)


def look_of(records: Sequence[Run]) -> dict[str, int]:
    """Which colour and symbol each method gets, by first appearance."""
    looks: dict[str, int] = {}
    for record in records:
        looks.setdefault(record.plan.method, len(looks))
    return looks


def axis_of(value: MetricValue) -> Axis:
    """An axis whose arrow says where the better end is; along y it points up or down."""
    share = value.unit == SHARE
    unit = f" ({translate_text(value.unit)})" if value.unit and not share else ""
    better = {"higher": tr("  → better"), "lower": tr("  ← better"), "": ""}[value.better]
    return Axis(translate_text(value.label) + unit + better, unit=SHARE if share else "")


def group_close_points(
    records: Sequence[Run], x: Sequence[float], y: Sequence[float]
) -> list[tuple[list[Run], float, float]]:
    """Runs whose points (nearly) cover each other share one line of letters, at the first."""
    across, up = (high - low for low, high in (roomy_range(x), roomy_range(y)))
    found: list[tuple[list[Run], float, float]] = []
    for record, a, b in zip(records, x, y, strict=True):
        for members, at_x, at_y in found:
            if abs(a - at_x) < NEAR * across and abs(b - at_y) < 2 * NEAR * up:
                members.append(record)
                break
        else:
            found.append(([record], a, b))
    return found


def roomy_range(values: Sequence[float]) -> tuple[float, float]:
    """A range with room around the outermost points; little of it where no value can be."""
    low, high = min(values), max(values)
    room = 0.2 * (high - low) or 0.1 * abs(high) or 0.2
    bottom = low - room
    return (max(bottom, -0.1 * (high + room)) if low >= 0 else bottom), high + room
