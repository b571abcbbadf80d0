"""The sliders' pictures that methods share: ε over b, δ over K, what is shown over users."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from auditor.arrays import Array, Float64s, Int64s
from auditor.figures import Figure, MetricValue, PlotMark, PlotZone, Series, format_power
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import phrase

describe_metric = MetricCatalogue("methods", "noisy_counts")

POINTS = 160
B_RANGE = (0.2, 1_000.0)


def metric_of_searches(share: float) -> MetricValue:
    """What a run measures of its release as the share of searches, expected of it."""
    return describe_metric("expected.searches_share", share)


def epsilon_over_b(
    epsilon: Callable[[float], float],
    current: float,
    turning: float | None,
    *,
    note: str = "",
    source: str = "",
) -> Figure:
    """ε over b, with the current b and, where there is one, the turning point."""
    spread = [current, *([turning] if turning else [])]
    low, high = min(B_RANGE[0], *spread), max(B_RANGE[1], *spread)
    grid = np.unique(np.concatenate([np.geomspace(low, high, POINTS), spread]))
    values = np.array([epsilon(float(b)) for b in grid])
    finite = np.isfinite(values)
    marks = [PlotMark("x", current, f"b = {current:.4g}", "current")]
    if turning:
        marks.append(
            PlotMark(
                "x", turning, phrase("turning point {turning:.4g}", turning=turning), "optimum"
            )
        )
    return describe_metric.figure(
        "epsilon",
        (Series("ε", grid[finite], values[finite]),),
        marks=tuple(marks),
        note=note,
        source=source,
    )


def delta_over_threshold(
    delta: Callable[[int], float], current: int, users: int, *, note: str = ""
) -> Figure:
    """δ over K, red where it is at least one in the number of users."""
    high = max(20, 2 * current)
    # Nearly a straight line on its logarithmic axis, and drawn at every step of a slider.
    grid = np.unique(np.linspace(1, high, POINTS // 4).round())
    values = np.array([delta(int(least)) for least in grid])
    positive = np.isfinite(values) & (values > 0)
    limit = 1 / max(users, 1)
    top = max(1.0, float(values[positive].max(initial=0.0)))
    return describe_metric.figure(
        "delta",
        (Series("δ", grid[positive], values[positive]),),
        marks=(
            PlotMark("x", float(current), f"K = {current:,}", "current"),
            PlotMark("y", limit, phrase("1/users = {limit}", limit=format_power(limit)), "limit"),
        ),
        zones=(PlotZone("y", limit, top, "protects nobody: δ ≥ 1/users", "bad"),),
        note=note,
    )


def users_needed(
    describe: MetricCatalogue,
    params: Any,
    find_weight: Callable[[Any], float],
    labels: tuple[str, str],
    other_lines: Mapping[str, Callable[[Any], float]] = MappingProxyType({}),
) -> Figure:
    """How many users who share a weight of 1 it takes to reach a threshold, over ε.

    `labels` are of users who give it all of their weight, and of those who give it to q_f.
    """
    grid = np.geomspace(min(0.1, params.epsilon), max(20.0, params.epsilon), 24)
    settings = [params.replace(epsilon=float(epsilon)) for epsilon in grid]
    single_weight = np.array([find_weight(other) for other in settings])
    lines = {labels[0]: single_weight, labels[1]: single_weight * math.sqrt(params.q_f)}
    lines |= {
        label: np.array([read_value(other) for other in settings])
        for label, read_value in other_lines.items()
    }
    return describe.figure(
        "users-needed",
        [Series(label, grid, values) for label, values in lines.items()],
        marks=(PlotMark("x", params.epsilon, f"ε = {params.epsilon:.4g}", "current"),),
    )


def chance_by_users(
    describe: MetricCatalogue,
    largest_count: float,
    find_chances: Callable[[Float64s], Float64s],
    mark: float,
    text: str,
    role: Literal["current", "limit"] = "current",
    first: float = 1,
) -> Figure:
    """With which probability something is shown, over its users up to `largest_count`."""
    counts = np.unique(np.linspace(first, largest_count, 80).round())
    return describe.figure(
        "chance-by-users",
        (Series("released", counts, find_chances(counts)),),
        marks=(PlotMark("x", float(mark), text, role),),
    )


def volume_by_threshold(
    describe: MetricCatalogue,
    rows: Int64s,
    users: Mapping[str, Float64s],
    threshold: int,
    text: str,
) -> Figure:
    """The share of rows kept over the users that a query needs, by what counts as its users.

    `rows` and each of `users` are of the log's queries; shape (queries,).
    """
    largest_count = max(float(counts.max(initial=1)) for counts in users.values())
    grid = np.unique(np.geomspace(1, max(10.0, 2 * threshold, largest_count), 48).round())
    lines = []
    for label, counts in users.items():
        order = np.argsort(counts)
        below = np.concatenate(([0], np.cumsum(rows[order])))
        volume = below[-1] - below[np.searchsorted(counts[order], grid)]
        lines.append(Series(label, grid, volume / max(int(below[-1]), 1)))
    return describe.figure(
        "volume", lines, marks=(PlotMark("x", float(threshold), text, "current"),)
    )


def values_by_rank(describe: MetricCatalogue, name: str, label: str, values: Array) -> Figure:
    """The values from the largest to the smallest, by their rank."""
    ordered = np.sort(values)[::-1].astype(np.float64)
    grid = np.unique(np.geomspace(1, max(len(ordered), 1), 64).round()).astype(np.int64)
    grid = grid[grid <= len(ordered)]
    return describe.figure(name, (Series(label, grid.astype(np.float64), ordered[grid - 1]),))
