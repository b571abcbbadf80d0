"""What a guarantee means for one person, and how strong it is at a unit of protection."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from auditor.figures import format_delta, format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, phrase
from auditor.methods.noisy_counts.period_units import (
    HISTORY,
    USUAL_DELTA,
    USUAL_EPSILON,
    WHOLE_DELTA,
    WHOLE_EPSILON,
    cost_at_unit,
    find_period,
    protects_nothing,
)
from auditor.privacy.belief import BeliefBound, bound_belief
from auditor.privacy.statement import Statement, encode_number

STRONG_EPSILON, MODERATE_EPSILON = 1.0, 4.0
"""The largest ε of a strong and of a moderate guarantee."""


class Strength(IntEnum):
    """How much a guarantee bounds at a unit; see the guide's page on guarantees."""

    NONE = 0
    WEAK = 1
    MODERATE = 2
    STRONG = 3

    @property
    def title(self) -> DisplayText:
        """What stands beside a verdict."""
        return _TITLES[self][0]

    @property
    def word(self) -> DisplayText:
        """The adjective, as it stands beside a limit."""
        return _TITLES[self][1]

    @property
    def key(self) -> str:
        """What stands in JSON."""
        return self.name.lower()


RESTS = phrase("rests on the attacks tried")
"""What is said of a pass by a weak guarantee, or by none."""
_TITLES: Mapping[Strength, tuple[DisplayText, DisplayText]] = {
    Strength.NONE: (phrase("no guarantee"), phrase("none")),
    Strength.WEAK: (phrase("weak guarantee"), phrase("weak")),
    Strength.MODERATE: (phrase("moderate guarantee"), phrase("moderate")),
    Strength.STRONG: (phrase("strong guarantee"), phrase("strong")),
}


def strength_of(statement: Statement, unit: str = HISTORY) -> Strength:
    """How strong a statement is where `unit` is protected.

    Without ε, as for groups of k, or with an assumption that fails, it is weak whatever else it
    says.
    """
    if not statement.formal:
        return Strength.NONE
    cost = cost_at_unit(statement, unit)
    if cost is None:
        return Strength.WEAK
    epsilon, delta = cost
    if not math.isfinite(epsilon) or delta >= 1:
        return Strength.NONE
    if statement.failing or epsilon > MODERATE_EPSILON:
        return Strength.WEAK
    return Strength.STRONG if epsilon <= STRONG_EPSILON else Strength.MODERATE


@dataclass(frozen=True)
class GuaranteeMeaning:
    """What is guaranteed and what that means for one person."""

    model: str
    epsilon: float | None = None
    delta: float | None = None
    # Size of the smallest group of records that are alike, if there are groups.
    k: int | None = None
    # What somebody who gives it 50 % gets from a release, None where nothing bounds it.
    bound: BeliefBound | None = None
    failing: int = 0  # assumptions that do not hold
    sentence: str = ""
    period: str = ""  # the day, week or month of which ε speaks, empty for a whole history

    @property
    def short(self) -> str:
        """A few words for a strip or a table."""
        if self.epsilon is not None and self.bound is not None:
            belief = format_share(self.bound.accuracy)
            return sentence("guarantee.short", brief=self.brief, belief=belief)
        if self.epsilon is not None:
            return "no finite ε" if math.isinf(self.epsilon) else "no guarantee (δ = 1)"
        if self.k is not None:
            return phrase("groups of {k:,} or more", k=self.k)
        return "no guarantee"

    @property
    def brief(self) -> str:
        """The same where many stand below each other: what ε means is said elsewhere."""
        if self.epsilon is None or self.bound is None:
            return self.short
        key = "guarantee.epsilon_per_period" if self.period else "guarantee.epsilon"
        return sentence(key, epsilon=self.epsilon, period=self.period)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain = {
            "model": self.model,
            "epsilon": encode_number(self.epsilon),
            "delta": self.delta,
            "k": self.k,
            "accuracy": self.bound and self.bound.accuracy,
            "belief": self.bound and self.bound.belief,
            "belief_failure": self.bound and self.bound.failure,
            "failing_assumptions": self.failing,
            "sentence": self.sentence,
            "period": self.period or None,
        }
        return {name: value for name, value in plain.items() if value is not None}


def meaning_of(claim: Statement) -> GuaranteeMeaning:
    """What a statement means for one person."""
    failing = len(claim.failing)
    epsilon, delta = claim.epsilon, claim.delta or 0.0
    groups = claim.group_size
    k = int(groups) if groups is not None and math.isfinite(groups) else None
    period, exchanged = find_period(claim.to_dict())
    bound = None
    if not claim.formal:
        meaning = "Nothing is guaranteed: nobody knows what attacks that were not tried achieve."
    elif epsilon is not None and not math.isfinite(epsilon):
        meaning = "No finite ε is guaranteed: one person's history may change everything."
    elif epsilon is not None and delta >= 1.0:
        meaning = "Nothing is guaranteed: δ is 1, and one person's history may change everything."
    elif epsilon is not None:
        bound = bound_belief(epsilon, delta)
        assert bound is not None
        meaning = bound.describe(exchanged=exchanged, period=period)
    elif k is not None:
        meaning = sentence("guarantee.groups", k=max(k - 1, 0))
    else:
        meaning = claim.claim
    if period and bound is not None:
        meaning += _say_of_history(claim, period)
    if failing:
        what = "assumption that it rests on does" if failing == 1 else "assumptions behind it do"
        meaning += sentence("guarantee.assumptions_fail", failing=failing, rest=what)
    return GuaranteeMeaning(claim.model, epsilon, claim.delta, k, bound, failing, meaning, period)


def say_counted_unit(statement: Statement) -> DisplayText:
    """What the word user means where a day, week or month is protected; empty for histories."""
    if not statement.period:
        return ""
    return sentence("guarantee.counted_unit", period=statement.period)


def _say_of_history(statement: Statement, period: str) -> str:
    """What a guarantee of one period leaves of a whole history."""
    measured = statement.measured
    if WHOLE_EPSILON in measured:
        epsilon, delta = measured[WHOLE_EPSILON], format_delta(measured[WHOLE_DELTA])
        return sentence("guarantee.of_history", period=period, epsilon=epsilon, delta=delta)
    usual = measured.get(USUAL_EPSILON, math.inf), measured.get(USUAL_DELTA, 0.0)
    if not protects_nothing(*usual):
        return sentence("guarantee.of_history_grows", period=period)
    return sentence("guarantee.history_unprotected", period=period)
