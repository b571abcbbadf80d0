"""Between a slider's whole-number positions and a parameter's values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from auditor.params import ParamKind, ParamSpec

STEPS = 1000
"""Positions of a slider whose values can't be told apart one by one."""


@dataclass(frozen=True)
class SliderScale:
    """Maps positions 0 … `steps` onto the range that a parameter's slider spans."""

    spec: ParamSpec
    low: float
    high: float
    steps: int

    @classmethod
    def of(cls, spec: ParamSpec) -> SliderScale:
        """The scale of a number's slider; a short range of integers gets a place for each."""
        low, high = spec.slider or (0.0, 1.0)
        span = high - low
        exact = spec.kind is ParamKind.INTEGER and spec.scale == "linear" and span <= STEPS
        return cls(spec, low, high, int(span) if exact else STEPS)

    def convert_to_value(self, position: int) -> int | float:
        """The value at a position: rounded to what people would type, and within bounds."""
        share = position / self.steps
        if self.spec.scale == "log" and self.low > 0:
            raw = self.low * math.pow(self.high / self.low, share)
        elif self.spec.scale == "log":
            raw = self.low + math.expm1(share * math.log1p(self.high - self.low))
        else:
            raw = self.low + (self.high - self.low) * share
        if self.spec.kind is ParamKind.INTEGER:
            return min(max(round(raw), math.ceil(self.low)), math.floor(self.high))
        value, bounds = min(max(_round(raw), self.low), self.high), self.spec.bounds
        if bounds is None or value in bounds:
            return value
        step = (self.high - self.low) / self.steps  # off an end that the bounds leave out
        return _round(bounds.low + step if value <= bounds.low else bounds.high - step)

    def convert_to_position(self, value: float | None) -> int:
        """The position nearest to a value; the slider's end for one that it doesn't span."""
        if value is None:
            return 0
        clamped = min(max(float(value), self.low), self.high)
        if self.spec.scale == "log" and self.low > 0:
            share = math.log(clamped / self.low) / math.log(self.high / self.low)
        elif self.spec.scale == "log":
            share = math.log1p(clamped - self.low) / math.log1p(self.high - self.low)
        else:
            share = (clamped - self.low) / (self.high - self.low)
        return round(share * self.steps)


def _round(value: float) -> float:
    """Three significant digits."""
    return float(f"{value:.3g}")
