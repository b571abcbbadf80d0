"""Numbers and names short enough for a plot, and series thin enough for a file."""

from __future__ import annotations

import math
import textwrap

import numpy as np

from auditor.arrays import Float64s, Int64s
from auditor.figures import format_power
from auditor.log.escaping import printable_text
from auditor.messages import phrase

LONGEST_NAME = 34


def thin_positions(y: Float64s, most: int, *, peaks: bool) -> Int64s:
    """Ascending positions of at most `most` of the values, the ends included; O(n).

    With `peaks` the least and the greatest of each stretch stay.
    """
    if len(y) <= most:
        return np.arange(len(y))
    if not peaks:
        return np.unique(np.linspace(0, len(y) - 1, most).round().astype(np.int64))
    edges = np.linspace(0, len(y), max(1, most // 2 - 1) + 1).astype(np.int64)
    found = {0, len(y) - 1}
    for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        found |= {start + int(y[start:stop].argmin()), start + int(y[start:stop].argmax())}
    return np.array(sorted(found), dtype=np.int64)


def format_tick(value: float) -> str:
    """A tick's label: plain where that is short, else a power of ten in plain characters."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else ""
    size = abs(value)
    if 1e-3 <= size < 1e7:
        text = f"{value:,.6g}" if size < 1000 else f"{value:,.0f}"
    elif 1e7 <= size < 1e12:
        text = (
            f"{value / 1e6:,.4g} M"
            if size < 1e9
            else phrase("{value:,.4g} bn", value=value / 1000000000.0)
        )
    else:
        text = format_power(value, 3)
    return text.replace("-", "\u2212")


def shorten_name(text: str) -> str:
    shown = printable_text(text)
    # A leading underscore would hide a series from the legend.
    shown = "\u200b" + shown if shown.startswith("_") else shown
    return shown if len(shown) <= LONGEST_NAME else shown[: LONGEST_NAME - 1] + "…"


def wrap_label(text: str, width: float) -> str:
    return "\n".join(textwrap.wrap(printable_text(text), max(12, int(width / 6.5)))[:4])
