"""How well bundles were taken apart, as plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.unbundling.report import (
    SOURCE,
    FiberResult,
    better_baseline,
    by_bits,
    catalogue,
    mean_over_bundles,
)
from auditor.attacks.unbundling.scores import mean_interval
from auditor.attacks.unbundling.variants import BASELINES
from auditor.figures import Figure, Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.messages import NumberText, phrase


def draw_figures(result: FiberResult) -> Iterator[Figure]:
    yield _variants_figure(result)
    yield _balance_figure(result)
    if result.masks:
        yield _masks_figure(result)
    if len(result.scores):
        yield _size_figure(result)


def _draw_means(
    name: str, x: Float64s, parts: Sequence[Float64s], kind: Literal["line", "bars"] = "line"
) -> Series:
    """The mean of each part, with its interval."""
    bounds = np.array([mean_interval(part, 0.0, 1.0) for part in parts]).reshape(-1, 2)
    means = np.array([mean_over_bundles(part) for part in parts])
    return Series(name, x, means, kind, low=bounds[:, 0], high=bounds[:, 1])


def _variants_figure(result: FiberResult) -> Figure:
    names = list(result.main.scores)
    f = [result.main.scores[name].f for name in names]
    return catalogue.figure(
        "unbundling-variants",
        [_draw_means("F", np.arange(len(names), dtype=np.float64), f, "bars")],
        categories=[result.variants[name].label for name in names],
        own_words=True,
    )


def _balance_figure(result: FiberResult) -> Figure:
    series = [
        Series(
            result.variants[name].label,
            np.array([mean_over_bundles(scores.recall)]),
            np.array([mean_over_bundles(scores.precision)]),
            "points",
        )
        for name, scores in result.main.scores.items()
    ]
    return catalogue.figure("unbundling-balance", series)


def _masks_figure(result: FiberResult) -> Figure:
    masks = by_bits(result)
    x = np.array([float(mask.bits or 0) for mask in masks])
    lines = []
    for name in dict.fromkeys((*BASELINES, "w", result.chosen.name)):
        f = [mask.scores[name].f for mask in masks if name in mask.scores]
        if len(f) == len(masks) and name in result.variants:
            lines.append(_draw_means(result.variants[name].label, x, f))
    source = phrase("{source}, Table 7", source=SOURCE)
    return catalogue.figure("unbundling-masks", lines, source=source)


def _size_figure(result: FiberResult) -> Figure:
    """F by the bundle's users: 1–2, 3–4, 5–8 …"""
    bucket = np.ceil(np.log2(np.maximum(result.main.users, 2))).astype(np.int64) - 1
    sizes = sorted_distinct(bucket)
    places = np.arange(len(sizes), dtype=np.float64)
    lines = []
    for name in dict.fromkeys((better_baseline(result.main), result.chosen.name)):
        f = result.main.scores[name].f
        parts = [f[bucket == size] for size in sizes]
        lines.append(_draw_means(result.variants[name].label, places, parts))
    return catalogue.figure(
        "unbundling-by-users",
        lines,
        categories=[NumberText(f"{(1 << b) + 1 if b else 1:,}–{2 << b:,}") for b in sizes.tolist()],
        own_words=True,
    )
