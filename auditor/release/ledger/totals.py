"""What one release adds to the ledger, and what all releases of a log cost together.

**The sum.** Releases with a formal guarantee, of one unit and one kind of neighbours, are (Σε, Σδ)
together. That holds too where each was chosen after the earlier ones had been seen, its parameters
included, as long as the sum stays below a limit that was set beforehand (Rogers, Roth, Ullman and
Vadhan 2016: the sum is a privacy filter). It does not cover choosing by the log itself.

**The tighter figure.** At a δ of its own, from the laws of all mechanisms that touched the log,
private choices of parameters and sampling included; where a law isn't known, from the worst
mechanism of the same (ε, δ); see `privacy.composition`. Also for releases chosen one after the
other, but with parameters that were fixed before the first.

**Other neighbours.** Whoever may not be noticed coming (ε, δ) may not be noticed exchanged at
(2ε, (1 + e^ε)δ): they go, and another comes. The other way there is nothing, so kinds of
neighbours meet under the weaker one, which is said. What hides a whole history hides a day of it at
(2ε, (1 + e^ε)δ) as well, since a day more makes another history of one. So units that differ meet
under the shortest of them: a week lies in two months at most, every other unit in one of the next.
What is said then is of that unit, and nothing longer. Units that aren't known are never added.

**No guarantee.** A release without one, or with one of which an assumption fails, is bounded by no
ε, and neither is any sum with it. It is counted.

**No noise.** Releases without noise are joined by intersection (Ganta, Kasiviswanathan and Smith
2008): whoever knows in which group of each release somebody is knows that they are in all of them.

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.figures import format_delta
from auditor.log.sentences import sentence
from auditor.messages import NumberText, as_phrase, phrase
from auditor.methods.noisy_counts.period_units import (
    DAY,
    HISTORY,
    MONTH,
    WEEK,
    WHOLE_EPSILON,
    chain_steps,
    cost_at_unit,
    describe_neighbours,
    describe_unit,
)
from auditor.methods.registry import METHODS
from auditor.methods.statements import UNIT
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


# --- sums -----------------------------------------------------------------------------------------


LARGEST_TIGHT = 200.0
"""The largest sum for which a tighter one is sought: beyond, nobody is helped by it."""
_UNITS = {
    (describe_unit(unit), describe_neighbours(unit, exchanged=exchanged)): (unit, exchanged)
    for unit in LENGTHS
    for exchanged in (False, True)
}
"""What statements say, to the unit that it means and whether one is exchanged."""
_POINTS = 1 << 20
_LEAST_SLACK = 1e-12


@dataclass(frozen=True)
class ComposedSum:
    """The formal releases of one unit and one kind of neighbours, together."""

    unit: str
    neighbours: str
    epsilon: float
    delta: float
    releases: int
    tight_epsilon: float | None = None
    tight_delta: float = 0.0


@dataclass(frozen=True)
class LedgerTotal:
    """All releases of one log, and their `common_sum` if there is one for all of them."""

    releases: tuple[SpentBudget, ...]
    sums: tuple[ComposedSum, ...]
    common_sum: ComposedSum | None
    notes: tuple[str, ...] = field(default=())

    @property
    def formal(self) -> int:
        """Releases with a guarantee that holds under what is known."""
        return sum(part.releases for part in self.sums)

    @property
    def unbounded(self) -> tuple[SpentBudget, ...]:
        """Releases that no ε bounds."""
        return tuple(release for release in self.releases if release.why)

    @property
    def noiseless(self) -> int:
        """Releases without noise, which can be intersected."""
        return sum(not release.noise for release in self.releases)

    @property
    def comparable(self) -> int:
        """Earlier releases that can be intersected or differenced with the last one."""
        if not self.releases or self.releases[-1].noise:
            return 0
        return self.noiseless - 1

    @property
    def bounded(self) -> ComposedSum | None:
        """The sum of all releases, only if every one of them has a guarantee that adds up."""
        return self.common_sum if not self.unbounded else None

    def sum_at(self, unit: str) -> ComposedSum | None:
        """The releases with a guarantee together, of one day, week, month or history of a user.

        None where one of them bounds nothing of so long a unit, or their units are not known.
        """
        longer = [release.extend_unit(unit) for release in self.releases if not release.why]
        if None in longer:
            return None
        kinds = _group_by_kind(release for release in longer if release is not None)
        merged = {kind: merge_series(members) for kind, members in kinds.items()}
        return _common_sum(merged, unit)

    def find_figure(
        self, name: str, units: Mapping[str, int], unit: str = ""
    ) -> tuple[float | None, str]:
        """A metric that a policy may limit, and a note on it.

        `units` is how many of each unit of protection the log has, as far as is known; `unit` the
        one by which ε and δ are compared, that of `common_sum` by default.
        """
        if name == "comparable" and self.comparable:
            methods = ", ".join(sorted({row.method for row in self.releases[:-1] if not row.noise}))
            return float(self.comparable), sentence(
                "ledger.compare_by_differencing", methods=methods
            )
        counts = {
            "releases": len(self.releases),
            "without_guarantee": len(self.unbounded),
            "noiseless": self.noiseless,
            "comparable": 0,
        }
        if name in counts:
            return float(counts[name]), ""
        if not self.sums:
            return None, "no release of this log has a guarantee that adds up"
        if self.common_sum is None:
            return math.inf, "; the units differ, so nothing can be added"
        total = self.common_sum
        own = find_unit_period(total.unit) or HISTORY
        unit = unit or own
        if unit != own:
            total = self.sum_at(unit) or dataclasses.replace(total, epsilon=math.inf, delta=1.0)
        of = "" if total.unit == UNIT else phrase(", of {unit}", unit=as_phrase(total.unit))
        text = sentence("ledger.of_releases", formal=self.formal, of=of)
        if unbounded := len(self.unbounded):
            text += phrase("; {rest:,} more without a guarantee, which no ε bounds", rest=unbounded)
        if name != "delta_users":
            return getattr(total, name), text
        number = units.get(unit)
        if number is None:
            return None, sentence("ledger.units_not_counted", unit=describe_unit(unit))
        return total.delta * number, text

    def format_headline(self) -> str:
        """One line: what all of it adds up to."""
        if not self.releases:
            return "nothing released yet"
        if self.bounded is None:
            return "no total"
        return f"ε {format_budget(self.bounded.epsilon)}, δ {format_delta(self.bounded.delta)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `epsilon` and `delta` are there only if they bound all of it."""
        plain: dict[str, Any] = {
            "releases": len(self.releases),
            "with_guarantee": self.formal,
            "without_guarantee": len(self.unbounded),
            "noiseless": self.noiseless,
            "sums": [_sum_to_dict(part) for part in self.sums],
            "notes": list(self.notes),
        }
        if self.bounded is not None:
            plain |= _sum_to_dict(self.bounded)
        return plain


def total_of(releases: Iterable[SpentBudget]) -> LedgerTotal:
    """Add up; microseconds for a few, at most about a second for the tighter figure."""
    listed = tuple(releases)
    kinds = _group_by_kind(listed)
    merged_kinds = {kind: merge_series(members) for kind, members in kinds.items()}
    sums = tuple(
        dataclasses.replace(_compose_sum(*kind, members), releases=len(kinds[kind]))
        for kind, members in merged_kinds.items()
    )
    total = sums[0] if len(sums) == 1 else None
    notes: list[str] = []
    if len(sums) > 1:
        total = _common_sum(merged_kinds)
        text = "The releases protect different units, whose ε are not to be added."
        if total is not None:
            total = dataclasses.replace(total, releases=sum(part.releases for part in sums))
            text = sentence("ledger.different_units", unit=total.unit)
            if total.unit == UNIT:
                text = sentence("totals.other_neighbours")
            if any(release.why for release in listed):
                epsilon, delta = format_budget(total.epsilon), format_delta(total.delta)
                text = sentence("ledger.together", told=text, epsilon=epsilon, delta=delta)
        notes.append(text)
    return LedgerTotal(listed, sums, total, (*notes, *_list_notes(listed, sums)))


def sum_beside(
    releases: Iterable[SpentBudget], unit: str, neighbours: str
) -> tuple[ComposedSum, int] | None:
    """What releases come to where one of this kind is added, and how often that one counts then.

    None where the units are not known.
    """
    kinds = {kind: merge_series(members) for kind, members in _group_by_kind(releases).items()}
    kinds.setdefault((unit, neighbours), [])
    total = _common_sum(kinds)
    if total is None:
        return None
    (own, swap), (shortest, exchanged) = (
        _UNITS[kind] for kind in ((unit, neighbours), (total.unit, total.neighbours))
    )
    return total, _count_steps(own, shortest, weaker=exchanged and not swap, swap=swap)


# --- adding up --------------------------------------------------------------------------------


def _group_by_kind(releases: Iterable[SpentBudget]) -> dict[tuple[str, str], list[SpentBudget]]:
    """The releases with a guarantee that holds, by their unit and neighbours."""
    kinds: dict[tuple[str, str], list[SpentBudget]] = {}
    for release in releases:
        if not release.why:
            kinds.setdefault((release.unit, release.neighbours), []).append(release)
    return kinds


def _compose_sum(unit: str, neighbours: str, releases: Sequence[SpentBudget]) -> ComposedSum:
    epsilon = math.fsum(release.epsilon for release in releases)
    delta = min(1.0, math.fsum(release.delta for release in releases))
    plain = ComposedSum(unit, neighbours, epsilon, delta, len(releases))
    # The smaller ε holds at a larger δ: as much again as the sum's, for the noise.
    slack = max(delta, _LEAST_SLACK)
    if len(releases) < 2 or not 0 < epsilon <= LARGEST_TIGHT or delta + slack >= 1:
        return plain
    tight = [
        laws.compute_epsilon(delta + slack)
        for laws in (
            combine_laws(release.worst for release in releases),
            combine_laws(law for release in releases for law in release.laws or (release.worst,)),
        )
        if laws.points <= _POINTS
    ]
    least = min(tight, default=epsilon)
    if least >= epsilon * (1 - 1e-6):
        return plain
    return dataclasses.replace(plain, tight_epsilon=least, tight_delta=delta + slack)


def _common_sum(
    kinds: Mapping[tuple[str, str], Sequence[SpentBudget]], unit: str = HISTORY
) -> ComposedSum | None:
    """All releases under the shortest unit, or a shorter one, and the weaker neighbours.

    None for units unknown.
    """
    matches = [_UNITS.get(kind) for kind in kinds]
    if None in matches:
        return None
    units = [pair for pair in matches if pair is not None]
    shortest = min((unit, *(own for own, _ in units)), key=LENGTHS.index)
    exchanged = any(swap for _, swap in units)
    epsilon, delta = [], []
    for (own, swap), releases in zip(units, kinds.values(), strict=True):
        steps = _count_steps(own, shortest, weaker=exchanged and not swap, swap=swap)
        for release in releases:
            spent, lost = chain_steps(release.epsilon, release.delta, steps)
            epsilon.append(spent)
            delta.append(lost)
    return ComposedSum(
        describe_unit(shortest),
        describe_neighbours(shortest, exchanged=exchanged),
        math.fsum(epsilon),
        min(1.0, math.fsum(delta)),
        len(epsilon),
    )


def _count_steps(unit: str, shorter: str, *, weaker: bool, swap: bool) -> int:
    """How often neighbours of `unit` lead from one neighbour of the shorter unit to the other.

    What is added to a unit that holds other things exchanges it: it goes, and another comes. A
    week may lie in two months.
    """
    if unit == shorter:
        return 2 if weaker else 1
    steps = 2 if (unit, shorter) == (MONTH, WEEK) else 1
    return steps if swap else 2 * steps


def _list_notes(releases: Sequence[SpentBudget], sums: Sequence[ComposedSum]) -> list[str]:
    notes = []
    if sum(part.releases for part in sums) > 1:
        notes.append(sentence("totals.holds_adaptively"))
    choices = [release.choice for release in releases if release.choice]
    if len(choices) > 1:
        spent = format_budget(math.fsum(choices))
        notes.append(sentence("totals.chose_parameters_privately_choice", epsilon=spent))
    names = [release.series for release in releases if release.series and not release.why]
    if len(set(names)) < len(names):
        notes.append(sentence("totals.different_days"))
    if any(release.unknown for release in releases if not release.why):
        notes.append("It holds if what each release assumes holds; nobody can check all of that.")
    noiseless = sum(not release.noise for release in releases)
    if noiseless > 1:
        notes.append(sentence("ledger.without_noise", noiseless=noiseless))
    hashed = {name for name in METHODS if METHODS[name].hides == "hashes"}
    if sum(release.method in hashed for release in releases) > 1:
        notes.append(sentence("totals.hashes_align"))
    return notes


def _sum_to_dict(part: ComposedSum) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "epsilon": part.epsilon,
        "delta": part.delta,
        "unit": part.unit,
        "neighbours": part.neighbours,
    }
    if part.tight_epsilon is not None:
        plain |= {"tight_epsilon": part.tight_epsilon, "tight_delta": part.tight_delta}
    return plain


def format_budget(value: float) -> str:
    """A sum's ε or δ for people."""
    return phrase("infinite") if math.isinf(value) else NumberText(f"{value:.4g}")


def write_sentences(total: LedgerTotal) -> list[str]:
    """What a steward reads, the total first."""
    count = len(total.releases)
    if not count:
        return ["Nothing of this log was approved for release so far."]
    release_count = phrase("{count:,} releases", count=count)
    sentences = []
    if total.bounded is not None:
        part = total.bounded
        sentences.append(
            sentence(
                "ledger.total_of_one" if count == 1 else "ledger.total_of_many",
                many=release_count,
                epsilon=format_budget(part.epsilon),
                delta=format_delta(part.delta),
                unit=as_phrase(part.unit or "not said"),
                neighbours=as_phrase(part.neighbours or "not said"),
            )
        )
    elif total.unbounded:
        lacking = len(total.unbounded)
        key = "ledger.no_total_one" if lacking == 1 else "ledger.no_total_many"
        sentences.append(sentence(key, many=release_count, lacking=lacking))
    else:
        sentences.append(sentence("ledger.units_differ", many=release_count))
    for part in total.sums:
        if total.bounded is not part:
            release_list = phrase("{releases:,} releases", releases=part.releases)
            sentences.append(
                sentence(
                    "ledger.of_these",
                    which=release_list,
                    epsilon=format_budget(part.epsilon),
                    delta=format_delta(part.delta),
                    unit=part.unit,
                    neighbours=part.neighbours,
                )
            )
        if part.tight_epsilon is not None:
            tight = format_budget(part.tight_epsilon), format_delta(part.tight_delta)
            text = sentence("ledger.composed_tightly", tight_epsilon=tight[0], tight_delta=tight[1])
            sentences.append(text)
    return [*sentences, *total.notes]
