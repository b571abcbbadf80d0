"""What one release adds to the ledger: its (ε, δ), its unit, its noise, and of which days it is.

**Different days.** Tables by date of different days, made with the same parameters as a log grows,
are one release of all these days that is made bit by bit (`methods.dated_counts.budget`): they
cost what one costs. Where a user's day is protected, one day is in one of them only, whatever the
parameters of the others: the costliest counts (parallel composition).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.errors import ParameterError
from auditor.messages import as_phrase, phrase
from auditor.methods.noisy_counts.period_units import DAY, HISTORY, privacy_unit
from auditor.methods.registry import METHODS
from auditor.privacy.composition import Mechanism
from auditor.privacy.statement import SAMPLE_SHARE

_WINDOW = ("first_day", "last_day")


@dataclass(frozen=True)
class SpentBudget:
    """What composition has to know of one release.

    `why` says why it has no ε to add, and is empty if it has. `mechanisms` are its noisy counts
    where they are known, and `rho` the concentrated cost of its Gaussian noise; `besides` then is
    the part of δ that they leave: thresholds, and the ends of truncated noise; all of it where it
    isn't known. Releases of one `series` whose days (`window`, the first and the last) have none in
    common cost no more than one.
    """

    method: str
    unit: str
    neighbours: str
    epsilon: float = 0.0
    delta: float = 0.0
    why: str = ""
    noise: bool = True
    model: str = ""
    unknown: int = 0
    mechanisms: tuple[Mechanism, ...] = ()
    rho: float = 0.0
    besides: float | None = None
    series: str = ""
    window: tuple[int, int] = (0, 0)

    @property
    def uncovered(self) -> float:
        """The part of δ that the known noise leaves."""
        return self.delta if self.besides is None else self.besides


def spent_of(method: str, params: Mapping[str, Any], statement: Mapping[str, Any]) -> SpentBudget:
    """What a release costs, from what its manifest says."""
    failing = [a["name"] for a in statement.get("assumptions", ()) if a["status"] == "fails"]
    unknown = sum(a["status"] == "unknown" for a in statement.get("assumptions", ()))
    epsilon, delta = _parse_number(statement.get("epsilon")), _parse_number(statement.get("delta"))
    model = str(statement.get("model", "none"))
    why = ""
    if model != "differential privacy":
        why = phrase("no formal guarantee that adds up: {model}", model=as_phrase(model))
    elif epsilon is None or not 0 <= epsilon < math.inf:
        why = "no finite ε"
    elif delta is None or not 0 <= delta < 1:
        why = "a δ that says nothing"
    elif failing:
        why = phrase(
            "an assumption of its ε fails: {failing}", failing=as_phrase(", ".join(failing))
        )
    # Of a sample the noise alone says too much: its amplified (ε, δ) is what composes.
    sampled = SAMPLE_SHARE in statement.get("measured", {})
    known = METHODS[method].randomised if method in METHODS else model == "differential privacy"
    return SpentBudget(
        method=method,
        unit=str(statement.get("unit", "")),
        neighbours=str(statement.get("neighbours", "")),
        epsilon=0.0 if why or epsilon is None else epsilon,
        delta=0.0 if why or delta is None else delta,
        why=why,
        noise=known,
        model=model,
        unknown=unknown,
        **({} if why or sampled else _find_noise(method, params, delta or 0.0)),
        **_days_of(method, params, statement),
    )


def to_plain(spent: SpentBudget) -> dict[str, Any]:
    """An entry's part that `from_plain` reads."""
    plain: dict[str, Any] = {
        "method": spent.method,
        "model": spent.model,
        "unit": spent.unit,
        "neighbours": spent.neighbours,
        "holds": not spent.why,
        "noise": spent.noise,
        "unknown": spent.unknown,
    }
    if spent.why:
        return plain | {"why": spent.why}
    plain |= {"epsilon": spent.epsilon, "delta": spent.delta}
    if spent.series:
        plain |= {"series": spent.series, "window": list(spent.window)}
    if spent.mechanisms:
        plain["mechanisms"] = [[one.scale, one.count] for one in spent.mechanisms]
    if spent.rho:
        plain["rho"] = spent.rho
    if spent.mechanisms or spent.rho:
        plain["besides"] = spent.uncovered
    return plain


def from_plain(plain: Mapping[str, Any]) -> SpentBudget:
    """The inverse of `to_plain`; what can't be read has no guarantee."""
    try:
        listed = [Mechanism(float(s), int(n)) for s, n in plain.get("mechanisms", ())]
        if not all(0 < one.scale < math.inf and one.count >= 0 for one in listed):
            raise ValueError("no noise")
        epsilon, delta = float(plain.get("epsilon", 0.0)), float(plain.get("delta", 0.0))
        rho, besides = float(plain.get("rho", 0.0)), float(plain.get("besides", delta))
        if not (0 <= rho < math.inf and 0 <= besides < 1):
            raise ValueError("no noise")
        why = str(plain.get("why", ""))
        if not plain["holds"] or not (0 <= epsilon < math.inf and 0 <= delta < 1):
            why = why or "no finite ε"
        first, last = (int(day) for day in plain.get("window", (0, 0)))
        return SpentBudget(
            method=str(plain["method"]),
            unit=str(plain["unit"]),
            neighbours=str(plain["neighbours"]),
            epsilon=epsilon,
            delta=delta,
            why=why,
            noise=bool(plain["noise"]),
            model=str(plain["model"]),
            unknown=int(plain["unknown"]),
            mechanisms=tuple(listed),
            rho=rho,
            besides=besides if listed or rho else None,
            series=str(plain.get("series", "")) if first <= last else "",
            window=(first, last),
        )
    except (KeyError, TypeError, ValueError):
        return SpentBudget("unknown", "", "", why="its entry can't be read", noise=False)


def merge_series(found: Sequence[SpentBudget]) -> list[SpentBudget]:
    """One release for all of a series whose days have none in common; the costliest stands.

    With days in common, as many stay as lie over each other: each of them is a set of releases
    without common days.
    """
    merged = [one for one in found if not one.series]
    series: dict[str, list[SpentBudget]] = {}
    for one in found:
        if one.series:
            series.setdefault(one.series, []).append(one)
    for members in series.values():
        layers: list[list[SpentBudget]] = []
        for one in sorted(members, key=lambda one: one.window):
            free = (layer for layer in layers if layer[-1].window[1] < one.window[0])
            layer = next(free, None)
            if layer is None:
                layers.append([one])
            else:
                layer.append(one)
        for layer in layers:
            costly = max(layer, key=lambda one: one.epsilon)
            delta = max(one.delta for one in layer)
            merged.append(dataclasses.replace(costly, delta=delta))
    return merged


def _days_of(
    method: str, params: Mapping[str, Any], statement: Mapping[str, Any]
) -> dict[str, Any]:
    """The series and the days of a table by date, where both its ends were set beforehand.

    With the same parameters, releases of different days are one release of all of them, made bit by
    bit. Where a user's day is protected, it is in one of them whatever the parameters: so these are
    of one series, too.
    """
    first, last = params.get("first_day"), params.get("last_day")
    if method != "dated-counts" or not isinstance(first, int) or not isinstance(last, int):
        return {}
    if SAMPLE_SHARE in statement.get("measured", {}) and params.get("unit") != DAY:
        return {}  # the coins of each release are its own
    if params.get("unit") == DAY:
        name = phrase("by {step}", step=params.get("step"))
    else:
        rest = {name: value for name, value in params.items() if name not in _WINDOW}
        name = hashlib.sha256(json.dumps(rest, sort_keys=True, default=str).encode()).hexdigest()
    return {"series": phrase("dated-counts {name}", name=name[:16]), "window": (first, last)}


def _find_noise(method: str, params: Mapping[str, Any], delta: float) -> dict[str, Any]:
    """The noise of methods whose noise is all there is to compose; nothing for others."""
    if method not in _COMPOSED:
        return {}
    known = METHODS[method].params
    names = {spec.name for spec in known.specs()} - {"pool_file"}
    try:
        read = known(**{name: value for name, value in params.items() if name in names})
    except (ParameterError, TypeError):
        return {}
    if privacy_unit(read) != HISTORY and getattr(read, "periods", None):
        return {}  # one period more displaces another: the counts are not moved by 1 alone
    return _COMPOSED[method](read, delta)


def _of_safelog(read: Any, delta: float) -> dict[str, Any]:
    from auditor.methods.safelog import strict

    if read.mode != "strict":
        return {}
    return {"mechanisms": tuple(strict.list_mechanisms(read)), "besides": delta}


def _of_set_union(read: Any, delta: float) -> dict[str, Any]:
    from auditor.methods.set_union.rounds import derive_noise

    del delta
    return {"rho": derive_noise(read).rho, "besides": read.delta / 2}


def _of_ngrams(read: Any, delta: float) -> dict[str, Any]:
    from auditor.methods.n_grams.budget import derive_noise

    del delta
    return {"rho": derive_noise(read).rho, "besides": read.delta / 2}


def _of_partition_selection(read: Any, delta: float) -> dict[str, Any]:
    from auditor.privacy import truncated_geometric

    noise = truncated_geometric.noise_for(read.epsilon, read.delta, read.q_f)
    ends = -math.expm1(read.q_f * math.log1p(-noise.edge)) if noise.edge < 1 else 1.0
    counts = (Mechanism(noise.scale, read.q_f),)
    return {"mechanisms": counts, "besides": ends} if ends <= delta else {}


_COMPOSED: Mapping[str, Callable[[Any, float], dict[str, Any]]] = {
    "safelog": _of_safelog,
    "set-union": _of_set_union,
    "n-grams": _of_ngrams,
    "partition-selection": _of_partition_selection,
}
"""Methods of whose noise more is known than its (ε, δ)."""


def _parse_number(value: Any) -> float | None:
    if value == "infinite":
        return math.inf
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
