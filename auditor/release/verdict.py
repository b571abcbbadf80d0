"""The answer to "may this log be released?": one value, the same for window, report and terminal.

A verdict reads a `ReleaseRecord`. There are two ways to one: `measured_verdict` of a run, and
`expected_verdict` of what a run is expected to come to. What does not apply is neither passed nor
failed, and is counted apart; what could not run stands in the way.

The order: a failed check on privacy, identifiers that can be read before all others; then what was
not checked; then that nothing worth releasing is left; then the pass, with the strength of its
guarantee. A release that holds nothing at all has nothing left, whatever its privacy.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from auditor.attacks.adversaries import ADVERSARIES, USUAL, find_adversary
from auditor.attacks.base import EMPTY_RELEASE
from auditor.attacks.registry import ATTACKS
from auditor.figures import ShortRepr, format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, as_phrase, join_phrases, phrase
from auditor.privacy.belief import bound_belief
from auditor.release import gates
from auditor.release.guarantee import RESTS, GuaranteeMeaning, Strength, meaning_of, strength_of
from auditor.release.kept_content import KeptContent
from auditor.release.record import AttackRecord, GateVerdict, ReleaseRecord, find_worst


class ReleaseState(Enum):
    """May it be released? The value is the key in JSON, `title` the answer in words."""

    RELEASABLE = "can-be-released"
    REFUSED = "cannot-be-released"
    NOTHING_LEFT = "nothing-left"
    NOT_CHECKED = "not-checked"

    @property
    def title(self) -> str:
        return _TITLES[self]


_TITLES = {
    ReleaseState.RELEASABLE: "Can be released",
    ReleaseState.REFUSED: "Cannot be released as it is",
    ReleaseState.NOTHING_LEFT: "Nothing worth releasing is left",
    ReleaseState.NOT_CHECKED: "Not checked yet",
}


def state_title(state: ReleaseState, overridden: int, strength: Strength | None) -> DisplayText:
    """The answer: a pass with its strength, and with how many checks a reviewer overrode."""
    if state is not ReleaseState.RELEASABLE:
        return state.title
    answer = as_phrase(state.title)
    if overridden:
        answer = sentence("verdict.overridden", overridden=overridden)
    if strength is None:
        return answer
    key = "verdict.strength_rests" if strength <= Strength.WEAK else "verdict.strength"
    return sentence(key, answer=answer, strength=strength.title, rests=RESTS)


def describe_checks(counts: Mapping[str, int], *, expected: bool = False) -> str:
    """How many checks came out how, in a few words; `counts` are a verdict's `check_counts`."""
    applicable, failed, missing = (counts[name] for name in ("applicable", "failed", "not_run"))
    if not applicable:
        return "no check was made"
    if applicable > 1 and not failed and not missing:
        text = phrase("all {applicable:,} applicable checks passed", applicable=applicable)
    else:
        key = "verdict.failed_one" if applicable == 1 else "verdict.failed_many"
        text = sentence(key, failed=failed, applicable=applicable)
    if missing:
        text += sentence("verdict.not_run_yet" if expected else "verdict.not_run", not_run=missing)
    if attested := counts.get("attested"):
        text += sentence("verdict.attested", attested=attested)
    if rest := counts["not_applicable"]:
        key = "verdict.not_applicable_one" if rest == 1 else "verdict.not_applicable_many"
        text += sentence(key, rest=rest)
    return text


@dataclass(frozen=True)
class ReleaseVerdict(ShortRepr):
    """Whether a release may go out, and the few figures of its record that say why."""

    state: ReleaseState
    record: ReleaseRecord

    def describe(self) -> str:
        return self.title

    @property
    def expected(self) -> bool:
        """Whether nothing ran yet, so that the verdict is a forecast."""
        return self.record.expected

    @property
    def title(self) -> str:
        answer = state_title(self.state, len(self.overridden), self.strength)
        return answer + (" (expected)" if self.expected else "")

    @property
    def policy(self) -> str:
        """The name of the policy that judged; empty without one."""
        return self.record.policy.name if self.record.policy is not None else ""

    @property
    def failed(self) -> tuple[GateVerdict, ...]:
        """Checks beyond their limits: readable content, then the rest of privacy, then utility."""
        return tuple(sorted(self._select("failed"), key=gates.rank_check))

    @property
    def not_run(self) -> tuple[GateVerdict, ...]:
        """Checks that could have been made and were not."""
        return self._select("not measured")

    @property
    def not_applicable(self) -> tuple[GateVerdict, ...]:
        """Checks without meaning for this release; all others apply."""
        return self._select("does not apply")

    @property
    def passed(self) -> tuple[GateVerdict, ...]:
        return self._select("passed")

    @property
    def attested(self) -> tuple[GateVerdict, ...]:
        """Checks that a reviewer's word meets, which nobody measured."""
        return self._select("attested")

    @property
    def overridden(self) -> tuple[str, ...]:
        """Names of checks that a reviewer let pass with a reason."""
        return self.record.overridden

    @property
    def kept(self) -> KeptContent:
        """What is left of the log, and what was added."""
        return self.record.kept

    @property
    def guarantee(self) -> GuaranteeMeaning:
        """What is guaranteed, for one person."""
        return meaning_of(self.record.statement)

    @property
    def strength(self) -> Strength:
        """The strength of the guarantee at the policy's unit of protection."""
        return strength_of(self.record.statement, self.record.unit)

    @property
    def worst(self) -> AttackRecord | None:
        """The attack that gets farthest above guessing."""
        return self.record.worst

    @property
    def exposed(self) -> tuple[DisplayText, ...]:
        """Whom attacks found, in people.

        First of whom something can still be read, then what the attack on people does that gets
        farthest above guessing. What a sample of users finds too much of is not said.
        """
        people = [
            row
            for row in self.record.made_attacks
            if row.counts
            and ATTACKS[row.attack].people
            and (row.sample is None or ATTACKS[row.attack].sampled != "found")
        ]
        strings = [row for row in people if ATTACKS[row.attack].reads == "strings"]
        lines = []
        for worst in (find_worst(strings), find_worst(row for row in people if row not in strings)):
            if worst is not None and worst.counts is not None:
                hits, trials = worst.counts
                key = "verdict.exposed" if hits == round(hits) else "verdict.about_exposed"
                group = ATTACKS[worst.attack].people
                line = sentence(key, hits=round(hits), trials=int(trials), people=group)
                guessed = worst.baseline > 0 and not worst.is_above_guessing
                if hits and guessed and worst not in strings:
                    line = sentence("verdict.not_above_guessing", exposed=line)
                lines.append(line)
        return tuple(lines)

    @property
    def sampled(self) -> DisplayText | str:
        """How many users attacks looked at, where those are a sample; empty else."""
        sample = next((item.sample for item in self.record.attacks.values() if item.sample), None)
        return sentence("verdict.sampled", users=sample[0], of=sample[1]) if sample else ""

    @property
    def applicable(self) -> int:
        """Checks that mean something for this release, without those that are attested."""
        return len(self.record.judged) - len(self.not_applicable) - len(self.attested)

    @property
    def releasable(self) -> bool:
        return self.state is ReleaseState.RELEASABLE

    @property
    def unreserved(self) -> bool:
        """Whether the answer is yes, with no weak guarantee and with nothing overridden."""
        return self.releasable and self.strength >= Strength.MODERATE and not self.overridden

    @property
    def answer(self) -> DisplayText:
        """The title without what a weak pass rests on, for narrow places."""
        if not self.releasable:
            return self.state.title
        answer = state_title(self.state, len(self.overridden), None)
        return sentence("verdict.strength", answer=answer, strength=self.strength.title)

    @property
    def reserve(self) -> DisplayText:
        """What a weak pass rests on; empty for any other answer."""
        return RESTS if self.releasable and self.strength <= Strength.WEAK else ""

    @property
    def check_counts(self) -> dict[str, int]:
        """How many checks there are of each outcome that needs a word."""
        counts = {
            "applicable": self.applicable,
            "failed": len(self.failed),
            "not_run": len(self.not_run),
            "not_applicable": len(self.not_applicable),
        }
        return counts | ({"attested": len(self.attested)} if self.attested else {})

    @property
    def checks(self) -> str:
        """How the checks came out, in a few words."""
        return describe_checks(self.check_counts, expected=self.expected)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The whole verdict in plain English, the answer first."""
        title, checks = as_phrase(self.title), as_phrase(self.checks)
        lines = [phrase("{title}: {checks}.", title=title, checks=checks)]
        if self.failed and gates.rank_check(self.failed[0]) == 0:
            gate, evidence = self.failed[0].gate, self.failed[0].evidence
            lines.append(sentence("verdict.above_all", title=gate.title, evidence=evidence))
        lines += self.describe_feedback()
        if self.overridden:
            titles = {check.gate.name: check.gate.title for check in self.record.judged}
            overridden_titles = "; ".join(titles.get(name, name) for name in self.overridden)
            lines.append(sentence("verdict.overridden_with_reason", overridden=overridden_titles))
        if self.exposed:
            exposed = join_phrases("; ", self.exposed)
            lines.append(sentence("verdict.exposed_people", exposed=exposed))
        lines += filter(None, (self.kept.describe(expected=self.expected), self.guarantee.sentence))
        lines.append(self._worst_sentence())
        if (other := self.record.worse_unranked) is not None and not self.expected:
            head = phrase("Farther above guessing, in strings or words and not in people,")
            lines.append(self._describe_attack(other, head))
        if self.worst is not None and (assumed := describe_adversary(self.record.adversary)):
            lines.append(assumed)
        lines += filter(None, (self.sampled,))
        return tuple(lines)

    def describe_feedback(self) -> list[DisplayText]:
        """Which checks signed feedback lowered, by how much and by whose word."""
        feedback, lines = self.record.feedback, []
        signer = feedback.get("signer", {}).get("name", "")
        weights = feedback.get("weights", {}) if feedback.get("weights_counting") else {}
        rules = ", ".join(f"{rule} {weight:g}" for rule, weight in weights.items())
        key = "verdict.feedback_with_rules" if rules else "verdict.feedback"
        for check in self.record.judged:
            if check.lowered and check.counts is not None:
                title, (before, after) = check.gate.title, check.counts
                facts = {"signer": signer, "title": title, "rules": rules}
                lines.append(sentence(key, before=before, after=after, **facts))
        return lines

    @property
    def obstacles(self) -> tuple[DisplayText, ...]:
        """One line for each check that stands in the way."""
        label = "Not made yet" if self.expected else "Not made"
        return (*_say_checks("Failed", self.failed), *_say_checks(label, self.not_run))

    @property
    def details(self) -> tuple[str, ...]:
        """One line for each check that is not passed."""
        return (*self.obstacles, *_say_checks("Does not apply", self.not_applicable))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what doesn't apply stays out."""
        plain: dict[str, Any] = {
            "state": self.state.value,
            "title": self.title,
            "strength": self.strength.key,
            "expected": self.expected,
            "checks": self.check_counts,
            "kept": self.kept.to_dict(),
            "guarantee": self.guarantee.to_dict(),
            "sentences": list(self.sentences),
        }
        if self.kept.share is not None:
            plain["kept"]["share"] = self.kept.share
        plain |= {"policy": self.policy} if self.policy else {}
        adversary = self.record.adversary
        plain |= {"adversary": adversary} if adversary != USUAL else {}
        if (worst := self.worst) is not None:
            plain["worst_attack"] = {
                "attack": worst.attack,
                "title": worst.title,
                "label": worst.label,
                "rate": worst.rate,
                "baseline": worst.baseline,
            } | ({"interval": list(worst.interval)} if worst.interval is not None else {})
            if worst.counts is not None:
                plain["worst_attack"] |= dict(zip(("hits", "trials"), worst.counts, strict=True))
        return plain | ({"overridden": list(self.overridden)} if self.overridden else {})

    def text(self) -> str:
        """The sentences and the checks that are not passed, for a terminal."""
        return "\n".join([*self.sentences, *(f"  {line}" for line in self.details)])

    def _select(self, outcome: str) -> tuple[GateVerdict, ...]:
        return tuple(check for check in self.record.judged if check.verdict == outcome)

    def _worst_sentence(self) -> str:
        if self.expected:
            return "No attack was tried yet: run it to know what attackers achieve."
        is_of_all = self.record.worse_unranked is None
        compared = self.record.made_attacks if is_of_all else self.record.ranked_attacks
        worst, attacks = self.worst, len(compared)
        if worst is None and attacks:
            return "The attacks on it found nothing to try, so they tell nothing of the release."
        if worst is None and any(a.why == EMPTY_RELEASE for a in self.record.attacks.values()):
            return "It is empty, so there was nothing to attack."
        if worst is None:
            return "No attack was tried on it, so what attackers achieve is not known."
        head: DisplayText = "The only attack"
        if attacks > 1:
            head = phrase("The worst of {attacks:,} attacks", attacks=attacks)
        elif len(self.record.made_attacks) > 1:  # others read strings, and rank nowhere
            head = phrase("The only attack on people")
        return self._describe_attack(worst, head)

    def _describe_attack(self, attack: AttackRecord, head: DisplayText) -> DisplayText:
        return sentence(
            "verdict.worst_attack",
            head=head,
            title=attack.title,
            rate=describe_rate(self.record, attack),
            label=attack.label,
            baseline=format_share(attack.baseline),
        )


def measured_verdict(record: ReleaseRecord) -> ReleaseVerdict:
    """The verdict on a run; without a policy's checks it says what is known and "not checked"."""
    standing = [item for item in record.judged if item.gate.name not in record.overridden]
    failing = [item.gate for item in record.judged if item.verdict == "failed"]
    missing = any(item.verdict == "not measured" for item in standing)
    applicable = any(item.verdict not in ("does not apply", "attested") for item in record.judged)
    if record.kept.empty:
        state = ReleaseState.NOTHING_LEFT
    elif any(item.verdict == "failed" and not gates.is_utility(item.gate) for item in standing):
        state = ReleaseState.REFUSED
    elif missing or not applicable:
        state = ReleaseState.NOT_CHECKED
    elif any(map(gates.is_utility, failing)):  # no reason makes it worth releasing
        state = ReleaseState.NOTHING_LEFT
    else:
        state = ReleaseState.RELEASABLE
    return ReleaseVerdict(state, record)


def expected_verdict(record: ReleaseRecord) -> ReleaseVerdict:
    """The verdict that is to be expected before anything ran, which is never a yes.

    Checks of attacks and measures are not made yet: that little is left is said before that.
    """
    failing = [check for check in record.judged if check.verdict == "failed"]
    if record.kept.empty:
        state = ReleaseState.NOTHING_LEFT
    elif any(not gates.is_utility(check.gate) for check in failing):
        state = ReleaseState.REFUSED
    else:
        state = ReleaseState.NOTHING_LEFT if failing else ReleaseState.NOT_CHECKED
    return ReleaseVerdict(state, record)


def describe_rate(record: ReleaseRecord, attack: AttackRecord) -> DisplayText:
    """Hits of trials, the rate with its interval and, where the statement bounds it, that bound."""
    rate: DisplayText = format_share(attack.rate)
    if attack.interval is not None:
        rate = gates.describe_interval(rate, *attack.interval)
    hits, trials = attack.counts or (math.nan, math.nan)
    if hits == 0 or hits >= 1:  # ties are broken by chance: a hit may count in part
        exact = hits == round(hits)
        key = "verdict.hits_of_trials" if exact else "verdict.about_hits_of_trials"
        rate = sentence(key, hits=round(hits), trials=int(trials), rate=rate)
    bound = stated_bound(record, attack)
    if bound is None:
        return rate
    low = attack.rate if attack.interval is None else min(attack.rate, attack.interval[0])
    key = "verdict.within_bound" if low <= bound else "verdict.above_bound"
    return sentence(key, rate=rate, bound=format_share(bound))


def _say_checks(head: str, checks: Sequence[GateVerdict]) -> Iterator[DisplayText]:
    for check in checks:
        title, evidence = check.gate.title, check.evidence
        yield sentence("verdict.check", head=head, title=title, evidence=evidence)


def stated_bound(record: ReleaseRecord, attack: AttackRecord) -> float | None:
    """What the statement says that an attack's rate is at most; None where it bounds it not.

    An audit tells apart two logs that are neighbours: what (ε, δ) bounds directly.
    """
    statement = record.statement
    if not ATTACKS[attack.attack].told_by_epsilon or statement.epsilon is None:
        return None
    bound = bound_belief(statement.epsilon, statement.delta or 0.0)
    return None if bound is None else bound.accuracy


def describe_adversary(name: str) -> DisplayText:
    """Who made the attacks, in words; nothing where nobody chose anything."""
    if name == USUAL:
        return ""
    if name not in {adversary.name for adversary in ADVERSARIES}:
        return phrase("Parameters of the attacks were set for this run: see which in the report.")
    assumed = find_adversary(name)
    return sentence("verdict.adversary", title=assumed.title, knows=assumed.knows)
