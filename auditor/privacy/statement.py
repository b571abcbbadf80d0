"""What a release promises, under which assumptions, and which of them fail here.

A statement is data for machines and words for a steward. It never shows a bare number: every
ε stands with its unit, its neighbours and its assumptions (spec "Beyond the sources").
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from auditor.figures import ShortRepr, format_delta
from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.messages import join_phrases, phrase
from auditor.privacy.composition import NoiseLaw

Status = Literal["holds", "fails", "unknown"]

FORMAL = ("differential privacy", "k-anonymity")
"""The models that say something of any attacker, or of a well-defined one."""


SAMPLE_SHARE = "sample_share"
"""The name, under `measured`, of the chance with which each user was taken."""


_PERIOD_UNIT = re.compile(r"what one user did in one (day|week|month)")


def find_unit_period(unit: str) -> str:
    """The day, week or month of which a unit of protection speaks, or ""."""
    match = _PERIOD_UNIT.fullmatch(unit)
    return match[1] if match else ""


@dataclass(frozen=True)
class Assumption:
    """One thing the guarantee rests on, whether it holds for this run, and how we know.

    `decided` is the moment of which the status speaks, where it may change later.
    """

    name: str
    text: str
    status: Status
    evidence: str = ""
    decided: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = {"name": self.name, "text": self.text, "status": self.status}
        plain |= {"evidence": self.evidence} if self.evidence else {}
        return plain | ({"decided": self.decided} if self.decided else {})


def assume(key: str, status: Status, evidence: str = "", **places: Any) -> Assumption:
    """The assumption `key` of ``resources/sentences/assumptions.toml``, its `places` filled."""
    return Assumption(sentence(key), sentence(f"{key}_text", **places), status, evidence)


@dataclass(frozen=True)
class Term:
    """One mechanism that touched the log: what it adds to ε and δ, by which formula.

    The summands of all terms are the statement's ε and δ. `law` is how it composes with other
    mechanisms; None where nobody knows, as of statements that were written before there were laws.
    """

    name: str
    epsilon: float
    delta: float
    formula: str
    law: NoiseLaw | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = {
            "name": self.name,
            "epsilon": encode_number(self.epsilon),
            "delta": encode_number(self.delta),
            "formula": self.formula,
        }
        return plain | ({"law": self.law.to_dict()} if self.law else {})

    @classmethod
    def of_budget(cls, name: str, epsilon: float, delta: float, formula: str) -> Term:
        """A mechanism of which no more is known than its (ε, δ)."""
        finite = math.isfinite(epsilon)
        law = NoiseLaw("approximate", epsilon=epsilon, delta=delta) if finite else None
        return cls(name, epsilon, delta, formula, law)

    def include(self) -> Term:
        """The same, whose cost the law of a later term covers."""
        return dataclasses.replace(self, law=NoiseLaw("included"))


@dataclass(frozen=True)
class Statement(ShortRepr):
    """The guarantee of one release.

    Attributes
    ----------
    model
        The definition that is claimed, or "none".
    claim
        One or two sentences a steward can read aloud, numbers included.
    epsilon, delta
        What the claim says; None where the model has no such number. ``epsilon`` may be
        infinite, which is shown as "no finite ε".
    unit
        What is protected: one user's whole history, one event, …
    neighbours
        Which two logs may not be told apart.
    terms
        How the sum comes about: one for each mechanism that touched the log.
    tight_epsilon
        The smaller ε at the same δ by a privacy-loss-distribution accountant, where one was
        computed.
    measured
        Figures that were measured on this run, such as an achieved distance.
    user_column
        The log's column that says who is one user, and who chose it; None if nobody knows.
    """

    model: Literal["differential privacy", "k-anonymity", "pseudonymity", "none"]
    claim: str
    unit: str
    neighbours: str = ""
    epsilon: float | None = None
    delta: float | None = None
    tight_epsilon: float | None = None
    tight_note: str = ""
    terms: tuple[Term, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    measured: Mapping[str, float] = field(default_factory=dict)
    user_column: UserColumn | None = None

    def describe(self) -> str:
        """What is claimed."""
        return self.claim

    def attach_user_column(self, column: UserColumn | None) -> Statement:
        """The same statement, which says what column of the log its users come from."""
        return dataclasses.replace(self, user_column=column)

    @property
    def sample_share(self) -> float | None:
        """The chance with which each user of the log is in the release; None where all are."""
        return self.measured.get(SAMPLE_SHARE)

    @property
    def formal(self) -> bool:
        """Whether anything is guaranteed; a pseudonym guarantees nothing."""
        return self.model in FORMAL

    @property
    def has_public_keys(self) -> bool:
        """Whether it is of counts of what a public list holds, and of nothing else."""
        return any(premise.name == "keys are public" for premise in self.assumptions)

    @property
    def group_size(self) -> float | None:
        """How many records are alike at least, as measured; None where there are no groups.

        Some methods have it as ``k``, those that reach it only nearly as ``smallest_class``, the
        smallest set of records that are exactly alike.
        """
        return self.measured.get("k", self.measured.get("smallest_class"))

    @property
    def failing(self) -> tuple[Assumption, ...]:
        """The assumptions that do not hold for this run."""
        return tuple(a for a in self.assumptions if a.status == "fails")

    @property
    def period(self) -> str:
        """The day, week or month of one user that ε speaks of; "" where it is something else."""
        return find_unit_period(self.unit)

    def write_headline(self) -> str:
        """One line for lists: the numbers, and how many assumptions stand in their way."""
        numbers = []
        if self.epsilon is not None:
            numbers.append(
                sentence(
                    "statement.no_epsilon"
                    if self.epsilon >= 1e300
                    else "statement.epsilon_per_period"
                    if self.period
                    else "statement.epsilon",
                    epsilon=self.epsilon,
                    period=self.period,
                )
            )
        if self.delta:
            numbers.append(phrase("δ {delta}", delta=format_delta(self.delta)))
        line = join_phrases(", ", numbers or [self.model if self.formal else "no formal guarantee"])
        if self.model == "pseudonymity":
            line += ": pseudonyms"
        if self.failing:
            count = len(self.failing)
            line += sentence(
                "statement.assumptions_fail" if count > 1 else "statement.assumption_fails",
                count=count,
            )
        elif (numbers or self.formal) and any(a.status == "unknown" for a in self.assumptions):
            line += ", under the stated assumptions"
        return line

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain: dict[str, Any] = {
            "model": self.model,
            "claim": self.claim,
            "unit": self.unit,
            "neighbours": self.neighbours,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "tight_epsilon": self.tight_epsilon,
            "tight_note": self.tight_note,
            "terms": [term.to_dict() for term in self.terms],
            "assumptions": [assumption.to_dict() for assumption in self.assumptions],
            "measured": {name: encode_number(value) for name, value in self.measured.items()},
            "user_column": self.user_column.to_dict() if self.user_column else None,
        }
        return {
            key: encode_number(value) for key, value in plain.items() if value not in (None, "", {})
        }


def encode_number(value: Any) -> Any:
    """JSON has no infinity: say it in words."""
    return "infinite" if value == float("inf") else value
