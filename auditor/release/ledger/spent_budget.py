"""What one release adds to the ledger: its (ε, δ), its unit, its terms, and of which days it is.

The cost is read from the record's terms, one for each mechanism that touched the log. Where there
are none, or they do not add up to its ε, nothing is known but its (ε, δ).

**Different days.** Tables by date of different days, made with the same parameters as a log grows,
are one release of all these days that is made bit by bit (`methods.dated_counts`): they
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

from auditor.log.sentences import sentence
from auditor.messages import as_phrase, phrase
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    MONTH,
    WEEK,
    WHOLE_EPSILON,
    cost_at_unit,
    describe_neighbours,
    describe_unit,
)
from auditor.methods.registry import METHODS
from auditor.privacy.composition import ComposedLaws, NoiseLaw, combine_laws
from auditor.privacy.selection import SELECTION_EPSILON
from auditor.privacy.statement import SAMPLE_SHARE, Term, find_unit_period
from auditor.release.record import ReleaseRecord

LENGTHS = (DAY, WEEK, MONTH, HISTORY)
"""Units of protection, the shortest first."""
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
    choice: float = 0.0
    """What of its ε chose its parameters privately."""
    longer: tuple[tuple[str, float, float], ...] = ()
    """Units longer than its own, with the ε and δ of one of them, where these are bounded."""

    def extend_unit(self, unit: str) -> SpentBudget | None:
        """What it costs where a longer unit is protected; None where nothing bounds that.

        Itself where its own is as long. Days of a series may lie in one longer unit: each counts.
        """
        own = find_unit_period(self.unit) or HISTORY
        if LENGTHS.index(own) >= LENGTHS.index(unit):
            return self
        exchanged = self.neighbours == describe_neighbours(own, exchanged=True)
        for longer, epsilon, delta in self.longer:
            if longer == unit:
                return dataclasses.replace(
                    self,
                    unit=describe_unit(unit),
                    neighbours=describe_neighbours(unit, exchanged=exchanged),
                    epsilon=epsilon,
                    delta=delta,
                    laws=(),
                    series="",
                )
        return None

    @property
    def worst(self) -> NoiseLaw:
        """The law of which every mechanism of this (ε, δ) is a case."""
        return NoiseLaw("approximate", epsilon=self.epsilon, delta=self.delta)

    @property
    def composed(self) -> ComposedLaws:
        """All its mechanisms together."""
        return combine_laws(self.laws or (self.worst,))


def spent_of(record: ReleaseRecord) -> SpentBudget:
    """What a release costs, from its record."""
    method, statement = record.method, record.statement
    epsilon, delta, model = statement.epsilon, statement.delta, statement.model
    reason = ""
    if model == "none":
        reason = "no formal guarantee"
    elif model != "differential privacy":
        reason = phrase("no formal guarantee that adds up: {model}", model=as_phrase(model))
    elif epsilon is None or not 0 <= epsilon < math.inf:
        reason = "no finite ε"
    elif delta is None or not 0 <= delta < 1:
        reason = "a δ that says nothing"
    elif statement.failing:
        failing = as_phrase(", ".join(assumption.name for assumption in statement.failing))
        reason = sentence("ledger.assumption_fails", failing=failing)
    longer = tuple(
        (unit, *cost)
        for unit in LENGTHS[LENGTHS.index(statement.period or HISTORY) + 1 :]
        if (cost := cost_at_unit(statement, unit)) is not None and math.isfinite(cost[0])
    )
    return SpentBudget(
        method=method,
        unit=statement.unit,
        neighbours=statement.neighbours,
        epsilon=0.0 if reason or epsilon is None else epsilon,
        delta=0.0 if reason or delta is None else delta,
        why=reason,
        noise=METHODS[method].randomised if method in METHODS else model == "differential privacy",
        model=model,
        unknown=sum(assumption.status == "unknown" for assumption in statement.assumptions),
        laws=() if reason else _read_laws(statement.terms, epsilon or 0.0, delta or 0.0),
        choice=0.0 if reason else statement.measured.get(SELECTION_EPSILON, 0.0),
        longer=() if reason else longer,
        **_days_of(record),
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
    if spent.choice:
        plain["choice"] = spent.choice
    if spent.longer:
        plain["longer"] = {unit: [epsilon, delta] for unit, epsilon, delta in spent.longer}
    if spent.laws:
        plain["laws"] = [law.to_dict() for law in spent.laws]
    return plain


def from_plain(plain: Mapping[str, Any]) -> SpentBudget:
    """The inverse of `to_plain`; what can't be read has no guarantee."""
    try:
        laws = tuple(NoiseLaw.from_dict(law) for law in plain.get("laws", ()))
        epsilon, delta = float(plain.get("epsilon", 0.0)), float(plain.get("delta", 0.0))
        reason = str(plain.get("why", ""))
        if not plain["holds"] or not (0 <= epsilon < math.inf and 0 <= delta < 1):
            reason = reason or "no finite ε"
        longer = tuple(
            (str(unit), float(cost), float(lost))
            for unit, (cost, lost) in plain.get("longer", {}).items()
            if 0 <= cost < math.inf and 0 <= lost <= 1
        )
        first, last = (int(day) for day in plain.get("window", (0, 0)))
        return SpentBudget(
            method=str(plain["method"]),
            unit=str(plain["unit"]),
            neighbours=str(plain["neighbours"]),
            epsilon=epsilon,
            delta=delta,
            why=reason,
            noise=bool(plain["noise"]),
            model=str(plain["model"]),
            unknown=int(plain["unknown"]),
            laws=laws,
            series=str(plain.get("series", "")) if first <= last else "",
            window=(first, last),
            choice=float(plain.get("choice", 0.0)),
            longer=longer,
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return SpentBudget("unknown", "", "", why="its entry can't be read", noise=False)


def merge_series(releases: Sequence[SpentBudget]) -> list[SpentBudget]:
    """One release for all of a series whose days have none in common; the costliest stands.

    With days in common, as many stay as lie over each other.
    """
    merged = [release for release in releases if not release.series]
    series: dict[str, list[SpentBudget]] = {}
    for release in releases:
        if release.series:
            series.setdefault(release.series, []).append(release)
    for members in series.values():
        layers: list[list[SpentBudget]] = []
        for release in sorted(members, key=lambda release: release.window):
            free = (layer for layer in layers if layer[-1].window[1] < release.window[0])
            layer = next(free, None)
            if layer is None:
                layers.append([release])
            else:
                layer.append(release)
        for layer in layers:
            costly = max(layer, key=lambda release: release.epsilon)
            delta = max(release.delta for release in layer)
            is_same_law = len({release.laws for release in layer}) == 1
            laws = costly.laws if is_same_law else ()
            merged.append(dataclasses.replace(costly, delta=delta, laws=laws))
    return merged


def _days_of(record: ReleaseRecord) -> dict[str, Any]:
    """The series and the days of a table by date, where both its ends were set beforehand.

    With the same parameters, releases of different days are one release of all of them, made bit by
    bit. Where a user's day is protected, it is in one of them whatever the parameters: so these are
    of one series, too.
    """
    params, measured = record.params, record.statement.measured
    first, last = params.get("first_day"), params.get("last_day")
    if not isinstance(first, int) or not isinstance(last, int):
        return {}
    # Where days of a user are limited, one more may displace one of another release.
    by_day = find_unit_period(record.statement.unit) == DAY and WHOLE_EPSILON not in measured
    if SELECTION_EPSILON in measured or (SAMPLE_SHARE in measured and not by_day):
        return {}  # each release has its own choice of parameters, and its own coins
    if by_day:
        name = phrase("by {step}", step=params.get("step", DAY))
    else:
        other_params = {name: value for name, value in params.items() if name not in _WINDOW}
        name = hashlib.sha256(
            json.dumps(other_params, sort_keys=True, default=str).encode()
        ).hexdigest()
    return {
        "series": phrase("{method} {name}", method=record.method, name=name[:16]),
        "window": (first, last),
    }


def _read_laws(terms: Sequence[Term], epsilon: float, delta: float) -> tuple[NoiseLaw, ...]:
    """The laws of a statement's terms; none where they don't make up its ε and δ."""
    laws = tuple(term.law for term in terms if term.law is not None)
    stated = math.fsum(term.epsilon for term in terms)
    delta_sum = math.fsum(term.delta for term in terms)
    complete = stated >= epsilon * (1 - 1e-9) and min(delta_sum, 1.0) >= delta * (1 - 1e-9)
    return laws if complete and len(laws) == len(terms) else ()
