"""What one release adds to the ledger: its (ε, δ), its unit, its terms, and of which days it is.

The cost is read from the statement's terms, one for each mechanism that touched the log. Where an
entry has no terms, or they do not add up to its ε, nothing is known but its (ε, δ).

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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.messages import as_phrase, phrase
from auditor.methods.noisy_counts.period_units import DAY
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import SELECTION_EPSILON
from auditor.privacy.composition import ComposedLaws, NoiseLaw, combine_laws
from auditor.privacy.statement import SAMPLE_SHARE

_WINDOW = ("first_day", "last_day")


@dataclass(frozen=True)
class SpentBudget:
    """What composition has to know of one release.

    `why` says why it has no ε to add, and is empty if it has. `laws` are those of all mechanisms
    that touched the log, empty where no more is known than (ε, δ). Releases of one `series` whose
    days (`window`, the first and the last) have none in common cost no more than one.
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
    laws: tuple[NoiseLaw, ...] = ()
    series: str = ""
    window: tuple[int, int] = (0, 0)

    @property
    def worst(self) -> NoiseLaw:
        """The law of which every mechanism of this (ε, δ) is a case."""
        return NoiseLaw("approximate", epsilon=self.epsilon, delta=self.delta)

    @property
    def composed(self) -> ComposedLaws:
        """All its mechanisms together."""
        return combine_laws(self.laws or (self.worst,))


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
        laws=() if why else _read_laws(statement.get("terms", ()), epsilon or 0.0, delta or 0.0),
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
    if spent.laws:
        plain["laws"] = [law.to_dict() for law in spent.laws]
    return plain


def from_plain(plain: Mapping[str, Any]) -> SpentBudget:
    """The inverse of `to_plain`; what can't be read has no guarantee."""
    try:
        laws = tuple(NoiseLaw.from_dict(law) for law in plain.get("laws", ()))
        epsilon, delta = float(plain.get("epsilon", 0.0)), float(plain.get("delta", 0.0))
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
            laws=laws,
            series=str(plain.get("series", "")) if first <= last else "",
            window=(first, last),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
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
            same = len({one.laws for one in layer}) == 1
            laws = costly.laws if same else ()
            merged.append(dataclasses.replace(costly, delta=delta, laws=laws))
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
    measured = statement.get("measured", {})
    if SELECTION_EPSILON in measured or (SAMPLE_SHARE in measured and params.get("unit") != DAY):
        return {}  # each release has its own choice of parameters, and its own coins
    if params.get("unit") == DAY:
        name = phrase("by {step}", step=params.get("step"))
    else:
        rest = {name: value for name, value in params.items() if name not in _WINDOW}
        name = hashlib.sha256(json.dumps(rest, sort_keys=True, default=str).encode()).hexdigest()
    return {"series": phrase("dated-counts {name}", name=name[:16]), "window": (first, last)}


def _read_laws(terms: Any, epsilon: float, delta: float) -> tuple[NoiseLaw, ...]:
    """The laws of a statement's terms; none where they don't make up its ε and δ."""
    try:
        laws = tuple(NoiseLaw.from_dict(term["law"]) for term in terms)
        stated = math.fsum(_parse_number(term["epsilon"]) or 0.0 for term in terms)
        known = math.fsum(_parse_number(term["delta"]) or 0.0 for term in terms)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ()
    complete = stated >= epsilon * (1 - 1e-9) and min(known, 1.0) >= delta * (1 - 1e-9)
    return laws if complete else ()


def _parse_number(value: Any) -> float | None:
    if value == "infinite":
        return math.inf
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
