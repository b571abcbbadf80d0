"""How well bundles were taken apart, as plots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from auditor.arrays import Float64s
from auditor.attacks.unbundling.report import (
    SOURCE,
    FiberResult,
    better_baseline,
    by_bits,
    mean_over_bundles,
)
from auditor.attacks.unbundling.scores import mean_interval
from auditor.attacks.unbundling.variants import BASELINES
from auditor.figures import SHARE, Axis, Figure, Series
from auditor.log.gil_friendly import sorted_distinct
from auditor.messages import NumberText, phrase


def draw_figures(found: FiberResult) -> tuple[Figure, ...]:
    told = [_variants_figure(found), _balance_figure(found)]
    if found.masks:
        told.append(_masks_figure(found))
    if len(found.scores):
        told.append(_size_figure(found))
    return tuple(told)


def _draw_means(
    name: str, x: Float64s, parts: Sequence[Float64s], kind: Literal["line", "bars"] = "line"
) -> Series:
    """The mean of each part, with its interval."""
    bounds = np.array([mean_interval(part, 0.0, 1.0) for part in parts]).reshape(-1, 2)
    means = np.array([mean_over_bundles(part) for part in parts])
    return Series(name, x, means, kind, low=bounds[:, 0], high=bounds[:, 1])


def _variants_figure(found: FiberResult) -> Figure:
    names = list(found.main.scores)
    f = [found.main.scores[name].f for name in names]
    return Figure(
        "unbundling-variants",
        "How well each variant splits bundles",
        Axis("joined by", categories=tuple(found.variants[name].label for name in names)),
        Axis("F, mean over bundles", unit=SHARE),
        (_draw_means("F", np.arange(len(names), dtype=np.float64), f, "bars"),),
        own_words=True,
    )


def _balance_figure(found: FiberResult) -> Figure:
    return Figure(
        "unbundling-balance",
        "Fibers too small or too large",
        Axis("of a heavy user's queries, share in one fiber (recall)", unit=SHARE),
        Axis("of that fiber, share that is the user's (precision)", unit=SHARE),
        tuple(
            Series(
                found.variants[name].label,
                np.array([mean_over_bundles(scores.recall)]),
                np.array([mean_over_bundles(scores.precision)]),
                "points",
            )
            for name, scores in found.main.scores.items()
        ),
        note=(
            "BL1 has perfect precision, BL2 perfect recall; where both are high, users are exposed."
        ),
    )


def _masks_figure(found: FiberResult) -> Figure:
    seen = by_bits(found)
    x = np.array([float(one.bits or 0) for one in seen])
    lines = []
    for name in dict.fromkeys((*BASELINES, "w", found.chosen.name)):
        here = [one.scores.get(name) for one in seen]
        if any(scores is None for scores in here) or name not in found.variants:
            continue
        f = [scores.f for scores in here if scores is not None]
        lines.append(_draw_means(found.variants[name].label, x, f))
    return Figure(
        "unbundling-masks",
        "Effect of coarser addresses",
        Axis("address bits masked", unit="bits"),
        Axis("F, mean over bundles", unit=SHARE),
        tuple(lines),
        source=phrase("{source}, Table 7", source=SOURCE),
    )


def _size_figure(found: FiberResult) -> Figure:
    """F by the bundle's users: 1–2, 3–4, 5–8 …"""
    bucket = np.ceil(np.log2(np.maximum(found.main.users, 2))).astype(np.int64) - 1
    some = sorted_distinct(bucket)
    names = tuple(NumberText(f"{(1 << b) + 1 if b else 1:,}–{2 << b:,}") for b in some.tolist())
    lines = []
    for name in dict.fromkeys((better_baseline(found.main), found.chosen.name)):
        f = found.main.scores[name].f
        parts = [f[bucket == b] for b in some]
        places = np.arange(len(some), dtype=np.float64)
        lines.append(_draw_means(found.variants[name].label, places, parts))
    return Figure(
        "unbundling-by-users",
        "Effect of more users in a bundle",
        Axis("users in the bundle", categories=names),
        Axis("F, mean over bundles", unit=SHARE),
        tuple(lines),
        own_words=True,
    )
