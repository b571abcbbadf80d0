"""The answer to "may this log be released?": one value, the same for window, report and terminal.

`verdict_of_record` is pure: from what `auditor.release.gates.record_metrics` kept of a run, its
statement and the judged gates. `verdict_of_run` and `verdict_of_outlook` begin with a run and
with what a run is expected to come to. What does not apply is neither passed nor failed, and is
counted apart; what could not run stands in the way.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from auditor.attacks.adversaries import ADVERSARIES, USUAL, find_adversary
from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.figures import ShortRepr, format_share
from auditor.log.model import QueryLog
from auditor.messages import DisplayText, as_phrase, phrase
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.noisy_counts.period_units import find_period
from auditor.privacy.belief import BeliefBound, bound_belief
from auditor.privacy.statement import FORMAL, Statement
from auditor.release import gates
from auditor.release.gates import GateVerdict
from auditor.release.kept_content import KeptContent
from auditor.release.policy.expected_gates import judge_expected
from auditor.release.policy.policy import Gate, Policy

if TYPE_CHECKING:
    from auditor.release.ledger.totals import LedgerTotal


class ReleaseState(Enum):
    """May it be released? The value is the key in JSON, `title` the answer in words."""

    RELEASABLE = "can-be-released"
    REFUSED = "cannot-be-released"
    NOTHING_LEFT = "nothing-left"
    NOT_CHECKED = "not-checked"

    @property
    def title(self) -> str:
        """What a person reads."""
        return _TITLES[self]


_TITLES = {
    ReleaseState.RELEASABLE: "Can be released",
    ReleaseState.REFUSED: "Cannot be released as it is",
    ReleaseState.NOTHING_LEFT: "Nothing worth releasing is left",
    ReleaseState.NOT_CHECKED: "Not checked yet",
}


@dataclass(frozen=True)
class GuaranteeMeaning:
    """What is guaranteed and what that means for one person.

    `bound` is what somebody who gives it 50 % gets from a release, or None where nothing bounds it.
    `k` is the size of the smallest group of records that are alike, if there are groups.
    `failing` counts assumptions that do not hold. `period` is the day, week or month of which ε
    speaks, or empty where it speaks of a whole history.
    """

    model: str
    epsilon: float | None = None
    delta: float | None = None
    k: int | None = None
    bound: BeliefBound | None = None
    failing: int = 0
    sentence: str = ""
    period: str = ""

    @property
    def short(self) -> str:
        """A few words for a strip or a table."""
        if self.epsilon is not None:
            if self.bound is None:
                return "no finite ε" if math.isinf(self.epsilon) else "no guarantee (δ = 1)"
            return phrase(
                "{brief} (a 50 % guess → {belief})",
                brief=as_phrase(self.brief),
                belief=as_phrase(format_share(self.bound.accuracy)),
            )
        if self.k is not None:
            return phrase("groups of {k:,} or more", k=self.k)
        return "no guarantee"

    @property
    def brief(self) -> str:
        """The same where many stand below each other: what ε means is said elsewhere."""
        if self.epsilon is not None and self.bound is not None:
            return phrase(
                "ε {epsilon:.3g} per {period}" if self.period else "ε {epsilon:.3g}",
                epsilon=self.epsilon,
                period=as_phrase(self.period),
            )
        return self.short

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain = {
            "model": self.model,
            "epsilon": "infinite" if self.epsilon == math.inf else self.epsilon,
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


@dataclass(frozen=True)
class WorstAttack:
    """The attack that gets farthest above guessing, of those that ran on this release."""

    attack: str
    title: str
    label: str
    rate: float
    baseline: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class ReleaseVerdict(ShortRepr):
    """Whether a release may go out, and the few figures that say why.

    Attributes
    ----------
    expected
        True where nothing ran yet, so that all of it is what is to be expected.
    failed, not_run, not_applicable, passed
        The policy's checks by outcome: beyond their limits; could have been made and were not;
        without meaning for this release; within their limits. All but `not_applicable` apply.
    overridden
        Names of checks that a reviewer let pass with a reason.
    attacks
        How many attacks ran.
    adversary
        Who made them: a name of `adversaries.ADVERSARIES`, or `adversaries.CUSTOM`.
    """

    state: ReleaseState
    expected: bool
    policy: str
    failed: tuple[GateVerdict, ...]
    not_run: tuple[GateVerdict, ...]
    not_applicable: tuple[GateVerdict, ...]
    passed: tuple[GateVerdict, ...]
    overridden: tuple[str, ...]
    kept: KeptContent
    guarantee: GuaranteeMeaning
    worst: WorstAttack | None
    attacks: int
    adversary: str = USUAL

    def describe(self) -> str:
        """The answer."""
        return self.title

    @property
    def title(self) -> str:
        """The answer."""
        return self.state.title + (" (expected)" if self.expected else "")

    @property
    def applicable(self) -> int:
        """Checks that mean something for this release."""
        return len(self.failed) + len(self.not_run) + len(self.passed)

    @property
    def releasable(self) -> bool:
        """Whether the answer is yes."""
        return self.state is ReleaseState.RELEASABLE

    @property
    def checks(self) -> str:
        """How the checks came out, in a few words."""
        if not self.applicable:
            return "no check was made"
        if self.applicable > 1 and len(self.passed) == self.applicable:
            said = phrase("all {applicable:,} applicable checks passed", applicable=self.applicable)
        else:
            said = phrase(
                "{failed:,} of {applicable:,} applicable check failed"
                if self.applicable == 1
                else "{failed:,} of {applicable:,} applicable checks failed",
                failed=len(self.failed),
                applicable=self.applicable,
            )
        if self.not_run:
            said += phrase(
                ", {not_run:,} could not be made yet"
                if self.expected
                else ", {not_run:,} could not be made",
                not_run=len(self.not_run),
            )
        if self.not_applicable:
            rest = len(self.not_applicable)
            said += phrase(
                "; {rest:,} more does not apply" if rest == 1 else "; {rest:,} more do not apply",
                rest=rest,
            )
        return said

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it in plain English, the answer first."""
        found = [
            phrase("{title}: {checks}.", title=as_phrase(self.title), checks=as_phrase(self.checks))
        ]
        if self.overridden:
            found.append(
                phrase(
                    "A reviewer let pass with a reason: {overridden}.",
                    overridden=", ".join(self.overridden),
                )
            )
        found += filter(None, (self.kept.describe(expected=self.expected), self.guarantee.sentence))
        found.append(self._worst_sentence())
        if self.worst is not None and (assumed := describe_adversary(self.adversary)):
            found.append(assumed)
        return tuple(found)

    @property
    def details(self) -> tuple[str, ...]:
        """One line for each check that is not passed."""
        made = "Not made yet" if self.expected else "Not made"
        parts = (("Failed", self.failed), (made, self.not_run))
        found = [
            phrase(
                "{head}: {title} ({evidence})",
                head=as_phrase(head),
                title=as_phrase(one.gate.title),
                evidence=as_phrase(one.evidence),
            )
            for head, of in parts
            for one in of
        ]
        found += [
            phrase(
                "Does not apply: {title} ({evidence})", title=one.gate.title, evidence=one.evidence
            )
            for one in self.not_applicable
        ]
        return tuple(found)

    @property
    def kept_short(self) -> str:
        """What is left, in a few words; empty where it is not known."""
        return self.kept.short

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain: dict[str, Any] = {
            "state": self.state.value,
            "title": self.title,
            "expected": self.expected,
            "checks": {
                "applicable": self.applicable,
                "failed": len(self.failed),
                "not_run": len(self.not_run),
                "not_applicable": len(self.not_applicable),
            },
            "kept": self.kept.to_dict(),
            "guarantee": self.guarantee.to_dict(),
            "sentences": list(self.sentences),
        }
        if self.kept.share is not None:
            plain["kept"]["share"] = self.kept.share
        plain |= {"policy": self.policy} if self.policy else {}
        plain |= {"adversary": self.adversary} if self.adversary != USUAL else {}
        plain |= {"worst_attack": self.worst.to_dict()} if self.worst else {}
        return plain | ({"overridden": list(self.overridden)} if self.overridden else {})

    def text(self) -> str:
        """The sentences and the checks that are not passed, for a terminal."""
        return "\n".join([*self.sentences, *(f"  {line}" for line in self.details)])

    def _worst_sentence(self) -> str:
        if self.expected:
            return "No attack was tried yet: run it to know what attackers achieve."
        if self.worst is None:
            return "No attack was tried on it, so what attackers achieve is not known."
        worst = self.worst
        head = (
            phrase("The worst of {attacks:,} attacks", attacks=self.attacks)
            if self.attacks > 1
            else "The only attack"
        )
        return phrase(
            "{head} is “{title}”: {rate} ({label}), where guessing gives {baseline}.",
            head=head,
            title=worst.title,
            rate=format_share(worst.rate),
            label=as_phrase(worst.label),
            baseline=format_share(worst.baseline),
        )


def verdict_of_run(
    result: Run,
    log: QueryLog,
    policy: Policy | None,
    total: LedgerTotal | str | None = None,
) -> ReleaseVerdict:
    """The verdict on a run by a policy; without one, it says what is known and "not checked"."""
    recorded = gates.record_metrics(result, log)
    statement = result.release.statement.to_dict()
    if policy is None:
        return verdict_of_record(recorded, statement, ())
    judged = gates.judge_recorded(recorded, statement, policy, total)
    return verdict_of_record(recorded, statement, judged, policy=policy.name)


def verdict_of_outlook(
    outlook: ExpectedRelease,
    policy: Policy,
    log: QueryLog | None = None,
    total: LedgerTotal | str | None = None,
    method: Method | None = None,
) -> ReleaseVerdict:
    """What the verdict is expected to be before anything ran.

    Checks of attacks and measures are not made yet, so the answer is never yes. Those that apply to
    no release of `method` are told from them.
    """
    statement = outlook.statement
    kept = KeptContent.from_expectations(outlook.values, log)
    users = 0 if log is None else len(log.users)
    return verdict_of_record(
        {"kept": kept.to_dict()},
        statement.to_dict(),
        judge_expected(statement, kept, policy, users, total, method),
        policy=policy.name,
        expected=True,
    )


def verdict_of_record(
    recorded: Mapping[str, Any],
    statement: Mapping[str, Any],
    judged: Sequence[GateVerdict],
    *,
    policy: str = "",
    overridden: Iterable[str] = (),
    expected: bool = False,
) -> ReleaseVerdict:
    """The verdict from what was recorded of a run; O(gates + attacks).

    `overridden` names the checks that a reviewer let pass; what is empty no reason makes worth
    releasing.
    """
    let = tuple(one.gate.name for one in judged if one.gate.name in set(overridden) and not one.ok)
    sorted_out: dict[str, tuple[GateVerdict, ...]] = {
        outcome: tuple(one for one in judged if one.verdict == outcome)
        for outcome in ("failed", "not measured", "does not apply", "passed")
    }
    kept = KeptContent.from_dict(recorded.get("kept", {}))
    blocking = [one for one in judged if not one.ok and one.gate.name not in let]
    if kept.empty or any(gates.is_utility(one.gate) for one in sorted_out["failed"]):
        state = ReleaseState.NOTHING_LEFT
    elif sorted_out["failed"] and any(one.verdict == "failed" for one in blocking):
        state = ReleaseState.REFUSED
    elif expected or not any(one.verdict != "does not apply" for one in judged):
        state = ReleaseState.NOT_CHECKED
    else:
        state = ReleaseState.REFUSED if blocking else ReleaseState.RELEASABLE
    attacks = recorded.get("attacks", {})
    return ReleaseVerdict(
        state=state,
        expected=expected,
        policy=policy,
        failed=sorted_out["failed"],
        not_run=sorted_out["not measured"],
        not_applicable=sorted_out["does not apply"],
        passed=sorted_out["passed"],
        overridden=let,
        kept=kept,
        guarantee=meaning_of(statement),
        worst=worst_attack(attacks),
        attacks=sum("figures" in made for made in attacks.values()),
        adversary=str(recorded.get("adversary", USUAL)),
    )


def describe_adversary(name: str) -> DisplayText:
    """Who made the attacks, in words; nothing where nobody chose anything."""
    if name == USUAL:
        return ""
    if name not in {one.name for one in ADVERSARIES}:
        return phrase("Parameters of the attacks were set for this run: see which in the report.")
    who = find_adversary(name)
    return phrase(
        "The attackers are taken to be: {title}. {knows}",
        title=as_phrase(who.title),
        knows=as_phrase(who.knows),
    )


def verdict_of_gates(
    told: Mapping[str, Any], statement: Mapping[str, Any], *, overridden: Iterable[str] = ()
) -> ReleaseVerdict:
    """The verdict from what evidence or a project says of the gates (`gates.gate_facts`)."""
    judged = [
        GateVerdict(
            Gate(str(row["name"]), str(row["title"]), str(row["figure"])),
            row["verdict"],
            gates.read_number(row.get("value")),
            str(row["evidence"]),
        )
        for row in told["results"]
    ]
    return verdict_of_record(
        told.get("figures", {}),
        statement,
        judged,
        policy=str(told["policy"]),
        overridden=overridden,
    )


def verdict_of_stored(run: Run, overridden: Iterable[str] = ()) -> ReleaseVerdict | None:
    """The verdict on a run from a project, by its gates as they were judged when it was saved.

    None where no policy judged it. What is kept is known where the project stored it.
    """
    if not run.gates or run.statement is None:
        return None
    attacks = {
        made.attack: {
            "figures": {"rate": made.rate},
            "baseline": made.baseline,
            "label": made.rate_label,
        }
        for made in run.attacks
    }
    known = {"attacks": attacks, "kept": run.gates.get("kept", {}), "adversary": run.adversary}
    told = {**run.gates, "figures": known}
    return verdict_of_gates(told, run.statement.to_dict(), overridden=overridden)


def worst_attack(attacks: Mapping[str, Any]) -> WorstAttack | None:
    """The recorded attack whose rate is farthest above guessing; ties go to the higher rate."""
    found = [
        WorstAttack(
            name,
            str(ATTACKS[name].title) if name in ATTACKS else name,
            made.get("label", "success rate"),
            float(made["figures"]["rate"]),
            float(made["baseline"]),
        )
        for name, made in attacks.items()
        if "figures" in made and "rate" in made["figures"]
    ]
    return max(found, key=lambda one: (one.rate - one.baseline, one.rate), default=None)


def meaning_of(statement: Mapping[str, Any] | Statement) -> GuaranteeMeaning:
    """What a statement, or what its manifest says of it, means for one person."""
    plain = statement.to_dict() if isinstance(statement, Statement) else statement
    model = str(plain.get("model", "none"))
    failing = sum(one.get("status") == "fails" for one in plain.get("assumptions", ()))
    epsilon, delta = gates.read_number(plain.get("epsilon")), gates.read_number(plain.get("delta"))
    groups = gates.group_size(plain)
    k = int(groups) if groups is not None and math.isfinite(groups) else None
    period, exchanged = find_period(plain)
    bound = None
    if model not in FORMAL:
        sentence = "Nothing is guaranteed: nobody knows what attacks that were not tried achieve."
    elif epsilon is not None and not math.isfinite(epsilon):
        sentence = "No finite ε is guaranteed: one person's history may change everything."
    elif epsilon is not None and (delta or 0.0) >= 1.0:
        sentence = "Nothing is guaranteed: δ is 1, and one person's history may change everything."
    elif epsilon is not None:
        bound = bound_belief(epsilon, delta or 0.0)
        assert bound is not None
        sentence = bound.describe(exchanged=exchanged, period=period)
    elif k is not None:
        sentence = phrase(
            "Each person's record is like those of at least {k:,} others.", k=max(k - 1, 0)
        )
    else:
        sentence = str(plain.get("claim", ""))
    if failing:
        rest = "assumption that it rests on does" if failing == 1 else "assumptions behind it do"
        sentence += phrase(
            " {failing:,} {rest} not hold here.", failing=failing, rest=as_phrase(rest)
        )
    return GuaranteeMeaning(model, epsilon, delta, k, bound, failing, sentence, period)
