"""What may be wrong in a method with ε, as its registry entry declares it for the audit of ε.

A fault names the functions that it replaces and how. Nothing here is ever applied by the program:
tests break the method so, leave its statement as it is, and look whether the audit refutes it.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

FaultKind = Literal["noise", "threshold", "limit", "weights"]
REQUIRED_KINDS: tuple[FaultKind, ...] = ("noise", "threshold", "limit")
"""What every method with ε has, and so can have wrong."""
DRAWS = tuple(
    f"auditor.privacy.randomness:PreviewRandomness.{draw}"
    for draw in ("discrete_laplace", "discrete_gaussian")
)
"""Where noise is drawn that is added to every count."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fault:
    """One way to break a method."""

    name: str
    kind: FaultKind
    values: Mapping[str, Any]  # the method's parameters under which it is audited
    places: tuple[str, ...]  # ``module:attribute`` of what is replaced
    change: Callable[[Any], Any]  # makes the replacement from the original


def weaken_noise(
    values: Mapping[str, Any], factor: float, places: tuple[str, ...] = DRAWS
) -> Fault:
    """Noise is so many times too small, and thresholds stay; `places` take its scale second."""

    def weaken(draw: Any) -> Any:
        return lambda first, scale, *args: draw(first, scale / factor, *args)

    name = f"noise ÷ {factor:g}"
    return Fault(name=name, kind="noise", values=values, places=places, change=weaken)


def scale_budget(
    name: str, kind: FaultKind, values: Mapping[str, Any], place: str, factor: float, *fields: str
) -> Fault:
    """What solves the budget gives `fields`, or a number, that are so many times too large."""

    def scale(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(scale, value))
        return max(1, int(value * factor)) if isinstance(value, int) else value * factor

    def change(solve: Any) -> Any:
        def solve_wrongly(*args: Any) -> Any:
            budget = solve(*args)
            if not fields:
                return scale(budget)
            changes = {field: scale(getattr(budget, field)) for field in fields}
            return dataclasses.replace(budget, **changes)

        return solve_wrongly

    return Fault(name=name, kind=kind, values=values, places=(place,), change=change)


def widen_limit(values: Mapping[str, Any], module: str) -> Fault:
    """Four times as many queries of each user count; noise and threshold stay."""

    def widen(limit_users: Any) -> Any:
        def limit_widely(log: Any, limits: Any, *args: Any, **options: Any) -> Any:
            wide = dataclasses.replace(limits, q_f=4 * limits.q_f)
            return limit_users(log, wide, *args, **options)

        return limit_widely

    place = f"{module}:limit_users"
    name = "limit of queries × 4"
    return Fault(name=name, kind="limit", values=values, places=(place,), change=widen)


def list_faults(
    values: Mapping[str, Any],
    budget: str,
    *fields: str,
    module: str,
    places: tuple[str, ...] = DRAWS,
    name: str = "threshold",
) -> tuple[Fault, ...]:
    """Half and a quarter of the noise, a lower threshold, and limits that are too wide.

    The threshold is what the function at `budget` gives as `fields`; it is audited at a smaller δ.
    """
    rare = {**values, "delta": 1e-3}
    return (
        weaken_noise(values, 2, places),
        weaken_noise(values, 4, places),
        scale_budget(f"{name} × 0.7", "threshold", rare, budget, 0.7, *fields),
        widen_limit(values, module),
    )
