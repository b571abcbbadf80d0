"""What all releases of a log cost together, as figures and in words.

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
"""

from __future__ import annotations

import dataclasses
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
    chain_steps,
    describe_neighbours,
    describe_unit,
)
from auditor.methods.registry import METHODS
from auditor.methods.statements import UNIT
from auditor.privacy.composition import combine_laws
from auditor.privacy.statement import find_unit_period
from auditor.release.ledger.spent_budget import SpentBudget, merge_series

LARGEST_TIGHT = 200.0
"""The largest sum for which a tighter one is sought: beyond, nobody is helped by it."""
_LENGTHS = (DAY, WEEK, MONTH, HISTORY)
_UNITS = {
    (describe_unit(unit), describe_neighbours(unit, exchanged=exchanged)): (unit, exchanged)
    for unit in _LENGTHS
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
    """All releases of one log. `whole` is their common sum, if there is one for all of them."""

    releases: tuple[SpentBudget, ...]
    sums: tuple[ComposedSum, ...]
    whole: ComposedSum | None
    notes: tuple[str, ...] = field(default=())

    @property
    def formal(self) -> int:
        """Releases with a guarantee that holds, as far as is known."""
        return sum(one.releases for one in self.sums)

    @property
    def without(self) -> tuple[SpentBudget, ...]:
        """Releases that no ε bounds."""
        return tuple(one for one in self.releases if one.why)

    @property
    def noiseless(self) -> int:
        """Releases without noise, which can be intersected."""
        return sum(not one.noise for one in self.releases)

    @property
    def comparable(self) -> int:
        """Earlier releases that can be intersected or differenced with the last one."""
        if not self.releases or self.releases[-1].noise:
            return 0
        return self.noiseless - 1

    @property
    def bounded(self) -> ComposedSum | None:
        """The sum of all releases, only if every one of them has a guarantee that adds up."""
        return self.whole if not self.without else None

    def find_figure(self, name: str, units: Mapping[str, int]) -> tuple[float | None, str]:
        """A figure that a policy may limit, and what there is to say of it.

        `units` is how many of each unit of protection the log has, as far as is known.
        """
        if name == "comparable" and self.comparable:
            methods = ", ".join(sorted({one.method for one in self.releases[:-1] if not one.noise}))
            said = sentence("ledger.compare_by_differencing", methods=methods)
            return float(self.comparable), said
        counts = {
            "releases": len(self.releases),
            "without_guarantee": len(self.without),
            "noiseless": self.noiseless,
            "comparable": 0,
        }
        if name in counts:
            return float(counts[name]), ""
        if not self.sums:
            return None, "no release of this log has a guarantee that adds up"
        if self.whole is None:
            return math.inf, "; the units differ, so nothing can be added"
        unit, more = self.whole.unit, ""
        of = "" if unit == UNIT else phrase(", of {unit}", unit=as_phrase(unit))
        if rest := len(self.without):
            more = phrase("; {rest:,} more without a guarantee, which no ε bounds", rest=rest)
        told = sentence(
            "ledger.together_many" if self.formal > 1 else "ledger.together_one",
            formal=self.formal,
            of=of,
        )
        if name != "delta_users":
            return getattr(self.whole, name), told + more
        number = units.get(find_unit_period(unit) or HISTORY)
        if number is None:
            return None, sentence("ledger.units_not_counted", unit=unit)
        return self.whole.delta * number, told + more

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
            "without_guarantee": len(self.without),
            "noiseless": self.noiseless,
            "sums": [_sum_to_dict(one) for one in self.sums],
            "notes": list(self.notes),
        }
        if self.bounded is not None:
            plain |= _sum_to_dict(self.bounded)
        return plain


def total_of(releases: Iterable[SpentBudget]) -> LedgerTotal:
    """Add up; microseconds for a few, at most about a second for the tighter figure."""
    listed = tuple(releases)
    kinds: dict[tuple[str, str], list[SpentBudget]] = {}
    for one in listed:
        if not one.why:
            kinds.setdefault((one.unit, one.neighbours), []).append(one)
    alone = {kind: merge_series(found) for kind, found in kinds.items()}
    sums = tuple(
        dataclasses.replace(_compose_sum(*kind, found), releases=len(kinds[kind]))
        for kind, found in alone.items()
    )
    whole = sums[0] if len(sums) == 1 else None
    notes: list[str] = []
    if len(sums) > 1:
        whole = _common_sum(alone)
        if whole is not None:
            whole = dataclasses.replace(whole, releases=sum(one.releases for one in sums))
        notes.append(_of_kinds(whole, all(not one.why for one in listed)))
    return LedgerTotal(listed, sums, whole, (*notes, *_list_notes(listed, sums)))


# --- adding up --------------------------------------------------------------------------------


def _compose_sum(unit: str, neighbours: str, found: Sequence[SpentBudget]) -> ComposedSum:
    epsilon = math.fsum(one.epsilon for one in found)
    delta = min(1.0, math.fsum(one.delta for one in found))
    tight, at = _tight_sum(found, epsilon, delta) if len(found) > 1 else (None, 0.0)
    return ComposedSum(unit, neighbours, epsilon, delta, len(found), tight, at)


def _tight_sum(
    found: Sequence[SpentBudget], epsilon: float, delta: float
) -> tuple[float | None, float]:
    """The smaller ε, and the δ at which it holds: as much again as the sum's, for the noise."""
    slack = max(delta, _LEAST_SLACK)
    if not 0 < epsilon <= LARGEST_TIGHT or delta + slack >= 1:
        return None, 0.0
    tight = [
        laws.compute_epsilon(delta + slack)
        for laws in (
            combine_laws(one.worst for one in found),
            combine_laws(law for one in found for law in one.laws or (one.worst,)),
        )
        if laws.points <= _POINTS
    ]
    least = min(tight, default=epsilon)
    return (least, delta + slack) if least < epsilon * (1 - 1e-6) else (None, 0.0)


def _common_sum(kinds: Mapping[tuple[str, str], Sequence[SpentBudget]]) -> ComposedSum | None:
    """All releases under the shortest unit and the weaker neighbours; None for units unknown."""
    known = [_UNITS.get(kind) for kind in kinds]
    if None in known:
        return None
    units = [one for one in known if one is not None]
    shortest = min((unit for unit, _ in units), key=_LENGTHS.index)
    exchanged = any(swap for _, swap in units)
    epsilon, delta = [], []
    for (unit, swap), found in zip(units, kinds.values(), strict=True):
        steps = _count_steps(unit, shortest, weaker=exchanged and not swap, swap=swap)
        for one in found:
            each, lost = chain_steps(one.epsilon, one.delta, steps)
            epsilon.append(each)
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
    held = 2 if (unit, shorter) == (MONTH, WEEK) else 1
    return held if swap else 2 * held


def _of_kinds(whole: ComposedSum | None, all_of_it: bool) -> str:
    if whole is None:
        return "The releases protect different units, whose ε are not to be added."
    if whole.unit == UNIT:
        told = sentence("totals.other_neighbours")
    else:
        told = sentence("ledger.different_units", unit=whole.unit)
    if all_of_it:
        return told
    epsilon, delta = format_budget(whole.epsilon), format_delta(whole.delta)
    return sentence("ledger.together", told=told, epsilon=epsilon, delta=delta)


def _list_notes(releases: Sequence[SpentBudget], sums: Sequence[ComposedSum]) -> list[str]:
    found = []
    if sum(one.releases for one in sums) > 1:
        found.append(sentence("totals.holds_adaptively"))
    choices = [one.choice for one in releases if one.choice]
    if len(choices) > 1:
        found.append(
            sentence(
                "totals.chose_parameters_privately_choice",
                epsilon=format_budget(math.fsum(choices)),
            )
        )
    names = [one.series for one in releases if one.series and not one.why]
    if len(set(names)) < len(names):
        found.append(sentence("totals.different_days"))
    if any(one.unknown for one in releases if not one.why):
        found.append("It holds if what each release assumes holds; nobody can check all of that.")
    noiseless = sum(not one.noise for one in releases)
    if noiseless > 1:
        found.append(sentence("ledger.without_noise", noiseless=noiseless))
    hashed = {name for name in METHODS if METHODS[name].hides == "hashes"}
    if sum(one.method in hashed for one in releases) > 1:
        found.append(sentence("totals.hashes_align"))
    return found


def _sum_to_dict(one: ComposedSum) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "epsilon": one.epsilon,
        "delta": one.delta,
        "unit": one.unit,
        "neighbours": one.neighbours,
    }
    if one.tight_epsilon is not None:
        plain |= {"tight_epsilon": one.tight_epsilon, "tight_delta": one.tight_delta}
    return plain


def format_budget(value: float) -> str:
    """A sum's ε or δ for people."""
    return phrase("infinite") if math.isinf(value) else NumberText(f"{value:.4g}")


def write_sentences(total: LedgerTotal) -> list[str]:
    """What a steward reads, the total first."""
    count = len(total.releases)
    if not count:
        return ["Nothing of this log was approved for release so far."]
    many = "1 release" if count == 1 else phrase("{count:,} releases", count=count)
    found = []
    if total.bounded is not None:
        one = total.bounded
        found.append(
            sentence(
                "ledger.total_of_one" if count == 1 else "ledger.total_of_many",
                many=many,
                epsilon=format_budget(one.epsilon),
                delta=format_delta(one.delta),
                unit=as_phrase(one.unit or "not said"),
                neighbours=as_phrase(one.neighbours or "not said"),
            )
        )
    elif total.without:
        lacking = len(total.without)
        found.append(
            sentence(
                "ledger.no_total_one" if lacking == 1 else "ledger.no_total_many",
                many=many,
                lacking=lacking,
            )
        )
    else:
        found.append(sentence("ledger.units_differ", many=many))
    for one in total.sums:
        if total.bounded is not one:
            which = (
                "1 release"
                if one.releases == 1
                else phrase("{releases:,} releases", releases=one.releases)
            )
            found.append(
                sentence(
                    "ledger.of_these",
                    which=which,
                    epsilon=format_budget(one.epsilon),
                    delta=format_delta(one.delta),
                    unit=one.unit,
                    neighbours=one.neighbours,
                )
            )
        if one.tight_epsilon is not None:
            found.append(
                sentence(
                    "ledger.composed_tightly",
                    tight_epsilon=format_budget(one.tight_epsilon),
                    tight_delta=format_delta(one.tight_delta or 0.0),
                )
            )
    return [*found, *total.notes]
