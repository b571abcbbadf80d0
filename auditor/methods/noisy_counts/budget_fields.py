"""The parameters that say which ε and δ are wanted, alike for every method that spends them."""

from __future__ import annotations

from typing import Any

from auditor.params import ParamInterval, real

ENDS = ("more private", "more useful")
USUAL_EPSILON = ParamInterval(0.001, 100.0, "both")
USUAL_DELTA = ParamInterval(0.0, 0.1, "right")


def epsilon_field(
    help: str, *, label: str = "Wanted ε", bounds: ParamInterval = USUAL_EPSILON
) -> Any:
    """The ε of a release, by default 2."""
    return real(
        2.0,
        bounds.low,
        bounds.high,
        closed=bounds.closed,
        label=label,
        help=help,
        slider=(0.1, 20.0),
        scale="log",
        ends=ENDS,
    )


def delta_field(
    help: str, *, label: str = "Failure probability (δ)", bounds: ParamInterval = USUAL_DELTA
) -> Any:
    """The δ of a release, by default a millionth."""
    return real(
        1e-6,
        bounds.low,
        bounds.high,
        closed=bounds.closed,
        label=label,
        help=help,
        slider=(1e-12, 1e-2),
        scale="log",
        ends=ENDS,
    )
