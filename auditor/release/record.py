"""The record of one release: what is known of a run, worked out once, and read by all who say it.

`ReleaseRecord.of_run` makes it once when a run has ended and keeps it on the run, `of_outlook`
makes one from what a run is expected to come to. A steward's feedback, `gates.judge_record` with
the policy's checks, and an approval with the names of those that a reviewer let pass complete it.
Verdict, strip, reports, manifests, ledger, terminal and cards read it.

Its plain form (`to_dict`) stands in the evidence beside a release, so that an approval judges a
release by the very numbers that the audit judged it by.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from auditor.arrays import UInt64s
from auditor.attacks.adversaries import USUAL
from auditor.attacks.base import AttackResult, Evidence, FlaggedFindings
from auditor.attacks.record_linkage.targets import NEEDS_TRUTH
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.reasons import WRONG
from auditor.engine.run import Run
from auditor.errors import ExportRefused
from auditor.log.gil_friendly import is_among
from auditor.log.model import LogTotals, QueryLog
from auditor.log.sentences import sentence
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.messages import as_phrase, phrase
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.noisy_counts.period_units import HISTORY, count_units
from auditor.privacy.release import UNKNOWN, Anonymized
from auditor.privacy.statement import Statement, encode_number
from auditor.progress import Progress
from auditor.release.feedback import SignedFeedback, StewardFeedback
from auditor.release.kept_content import Basis, ContentFacts, KeptContent
from auditor.release.loading import is_number, read_number, statement_of
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Gate, Policy

GateOutcome = Literal["passed", "attested", "failed", "not measured", "does not apply"]

MISSING = "was not measured"
"""How the reason begins why something that would apply has no figure."""
MANY = 1_000
"""Released users among whom it shows whether an attack has anything to try."""
_COUNTS = ("hits", "trials")
_CACHE = "release_record"


@dataclass(frozen=True)
class GateVerdict:
    """One gate of one run; `value` is None where there is no figure."""

    gate: Gate
    verdict: GateOutcome
    value: float | None
    evidence: str
    counts: tuple[float, float] | None = None
    """Without signed dismissals and weights of rules, and with them, if there are any."""

    @property
    def lowered(self) -> bool:
        """Whether signed feedback made its figure smaller."""
        return self.counts is not None and self.value == self.counts[1] < self.counts[0]

    @property
    def ok(self) -> bool:
        """Whether it stands in nobody's way."""
        return self.verdict in ("passed", "attested", "does not apply")

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "name": self.gate.name,
            "title": self.gate.title,
            "figure": self.gate.figure,
            "wanted": self.gate.requirement,
            "verdict": self.verdict,
            "evidence": self.evidence,
        }
        limits = {"value": self.value, "most": self.gate.most, "least": self.gate.least}
        plain |= {
            name: encode_number(number) for name, number in limits.items() if number is not None
        }
        if self.counts is not None:
            plain |= {"without_feedback": self.counts[0], "with_feedback": self.counts[1]}
        return plain

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> GateVerdict:
        gate = Gate(
            str(plain["name"]),
            str(plain["title"]),
            str(plain["figure"]),
            most=read_number(plain.get("most")),
            least=read_number(plain.get("least")),
        )
        value = read_number(plain.get("value"))
        both = [read_number(plain.get(f"{prefix}_feedback")) for prefix in ("without", "with")]
        counts = None if both[0] is None or both[1] is None else (both[0], both[1])
        return cls(gate, plain["verdict"], value, str(plain["evidence"]), counts)


ReasonCount = tuple[tuple[str, ...], int]
"""How many sessions were flagged for a set of reasons."""


RatedAttack = TypeVar("RatedAttack", "AttackRecord", AttackResult)


def is_ranked(attack: str) -> bool:
    """Whether an attack may be called the worst one; one that isn't known here may."""
    return attack not in ATTACKS or ATTACKS[attack].in_worst


def find_worst(attacks: Iterable[RatedAttack], *, of_all: bool = False) -> RatedAttack | None:
    """The attack whose rate is farthest above guessing; ties go to the higher rate.

    One that found nothing to try says nothing of the release. One that isn't ranked is the worst
    only where no other tells anything, or where `of_all` one is compared.
    """
    rated = [
        attack
        for attack in attacks
        if not math.isnan(attack.rate - attack.baseline)
        and (attack.counts is None or attack.counts[1] > 0)
    ]
    compared = [] if of_all else [attack for attack in rated if is_ranked(attack.attack)]
    return max(
        compared or rated,
        key=lambda attack: (attack.rate - attack.baseline, attack.rate),
        default=None,
    )


@dataclass(frozen=True)
class AttackRecord:
    """What one attack achieved on a release, or `why` it was not made.

    `figures` has every number of it by name: rate, lead (rate above guessing), control, its own; of
    those in `flags`, which are a yes or no, `note` says it in words. `counts` are hits and trials
    of the rate, where it is a share of trials. `flagged` counts flagged sessions, `surviving` those
    of which something can be read in the release, by their reasons, and `remaining` what signed
    dismissals and signed weights of rules leave of these; None where there is nothing of that kind.
    `sample` is how many users it looked at, or could have, of how many, where not all.
    """

    attack: str
    why: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    label: str = "success rate"
    baseline: float = math.nan
    interval: tuple[float, float] | None = None
    counts: tuple[float, float] | None = None
    flags: tuple[str, ...] = ()
    note: str = ""
    flagged: int | None = None
    surviving: tuple[ReasonCount, ...] | None = None
    remaining: tuple[ReasonCount, ...] | None = None
    dismissed: int = 0
    sample: tuple[int, int] | None = None

    @classmethod
    def of_result(
        cls, result: AttackResult, away: SignedFeedback | None = None, *, weighed: bool = False
    ) -> AttackRecord:
        """What is kept of a result; O(findings).

        Figures are those with every rule of the detector counting fully. Only what flagged
        sessions come to may be lowered, by weights that somebody signed (`weighed`).
        """
        flagged: dict[str, Any] = {}
        if result.findings is not None:
            flagged = _count_flagged(result.attack, result.findings, away, weighed=weighed)
        result = result.unweighted or result
        figures = _collect_figures(result)
        figures |= {"rate": result.rate, "lead": result.rate - result.baseline}
        figures |= {"control": result.control} if result.control is not None else {}
        flags = [key for key, value in result.details.items() if isinstance(value, bool)]
        flags = flags if result.notes else []  # a yes or no says little by itself
        return cls(
            attack=result.attack,
            figures=figures,
            label=result.rate_label,
            baseline=result.baseline,
            interval=result.interval,
            counts=result.counts,
            flags=tuple(flags),
            note=result.notes[0] if flags else "",
            **flagged,
        )

    @property
    def title(self) -> str:
        return title_of(self.attack)

    @property
    def rate(self) -> float:
        """The success rate; not a number where it has none (`rated`)."""
        return self.figures.get("rate", math.nan)

    @property
    def is_above_guessing(self) -> bool:
        """Whether its interval lies above guessing."""
        low = self.rate if self.interval is None else self.interval[0]
        return low > self.baseline and not math.isclose(low, self.baseline)

    @property
    def had_trials(self) -> bool:
        """Whether its rate tells anything; none of some attacks' trials is a finding itself."""
        if self.attack in ATTACKS and ATTACKS[self.attack].zero_trials_tell:
            return True
        # A mean of nothing has the widest interval.
        return self.interval != (0.0, 1.0) if self.counts is None else self.counts[1] > 0

    @property
    def control(self) -> float | None:
        """The rate on people who are not in the log, where there is such a group."""
        return self.figures.get("control")

    @property
    def rated(self) -> bool:
        """Whether it was made and has a success rate."""
        return not self.why and "rate" in self.figures

    def to_dict(self) -> dict[str, Any]:
        looked = {"sample": list(self.sample)} if self.sample is not None else {}
        if self.why:
            return {"why": self.why} | looked
        plain: dict[str, Any] = {"figures": dict(self.figures), "label": self.label} | looked
        plain |= {"interval": list(self.interval)} if self.interval is not None else {}
        if self.counts is not None:
            plain |= dict(zip(_COUNTS, self.counts, strict=True))
        plain |= {"baseline": self.baseline} if not math.isnan(self.baseline) else {}
        plain |= {"flags": list(self.flags), "note": self.note} if self.flags else {}
        plain |= {"flagged": self.flagged} if self.flagged is not None else {}
        for name in ("surviving", "remaining"):
            if (counts := getattr(self, name)) is not None:
                plain[name] = [{"reasons": list(of), "sessions": n} for of, n in counts]
        return plain | ({"dismissed": self.dismissed} if self.remaining is not None else {})

    @classmethod
    def from_dict(cls, attack: str, plain: Mapping[str, Any]) -> AttackRecord:
        users, of = plain.get("sample", (None, None))
        sample = None if users is None else (int(users), int(of))
        if "why" in plain:
            return cls(attack, why=str(plain["why"]), sample=sample)
        low, high = map(read_number, plain.get("interval", (None, None)))
        hits, trials = (read_number(plain.get(name)) for name in _COUNTS)
        baseline = read_number(plain.get("baseline"))
        return cls(
            attack=attack,
            figures=_read_figures(plain["figures"]),
            label=str(plain.get("label", "success rate")),
            baseline=math.nan if baseline is None else baseline,
            interval=None if low is None or high is None else (low, high),
            counts=None if hits is None or trials is None else (hits, trials),
            flags=tuple(map(str, plain.get("flags", ()))),
            note=str(plain.get("note", "")),
            flagged=plain.get("flagged"),
            surviving=_read_counts(plain.get("surviving")),
            remaining=_read_counts(plain.get("remaining")),
            dismissed=int(plain.get("dismissed", 0)),
            sample=sample,
        )


@dataclass(frozen=True)
class MeasureRecord:
    """The numbers of one measure by name, or `why` it was not made."""

    why: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_result(cls, result: MeasureResult) -> MeasureRecord:
        """What is kept of a result."""
        return cls(figures=_collect_figures(result))

    def to_dict(self) -> dict[str, Any]:
        return {"why": self.why} if self.why else {"figures": dict(self.figures)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> MeasureRecord:
        reason = str(plain.get("why", ""))
        return cls(reason) if reason else cls(figures=_read_figures(plain["figures"]))


@dataclass(frozen=True)
class ReleaseRecord:
    """Everything that is known of one release."""

    statement: Statement
    # How many of each unit of protection the log has: of ``history`` its users, and of the day,
    # week or month that the statement protects as many as all users have together.
    units: Mapping[str, int] = field(default_factory=dict)
    kept: KeptContent = field(default_factory=KeptContent)
    # attacks, measures: by name; what was not made says why
    attacks: Mapping[str, AttackRecord] = field(default_factory=dict)
    measures: Mapping[str, MeasureRecord] = field(default_factory=dict)
    # Who made the attacks: a name of `adversaries.ADVERSARIES`, or `adversaries.CUSTOM`.
    adversary: str = USUAL
    # What a steward said of the detector's marks, as counts.
    feedback: Mapping[str, Any] = field(default_factory=dict)
    # method, params, withheld: the plan's public part: parameters that may be published, and names
    # of the others
    method: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    withheld: tuple[str, ...] = ()
    expected: bool = False  # whether nothing ran yet, so that all of it is what is to be expected
    # policy, judged, overridden: the policy and its checks, once it has judged, and names of those
    # that a reviewer let pass
    policy: Policy | None = None
    judged: tuple[GateVerdict, ...] = ()
    overridden: tuple[str, ...] = ()
    # Of a release that is judged by its own manifest, what of it was worked out again from the log
    # and agrees; None for a run, of which everything is.
    rechecked: tuple[str, ...] | None = None
    # The moment at which it was made; that of every assumption that was not decided later.
    moment: str = ""
    content: ContentFacts = field(default_factory=ContentFacts)
    # What they attest of the contract, which no other figure depends on.
    attestation: ContractAttestation = field(default_factory=ContractAttestation)

    @classmethod
    def of_run(
        cls,
        result: Run,
        log: QueryLog,
        feedback: StewardFeedback | None = None,
        secret: bytes = b"",
    ) -> ReleaseRecord:
        """The record of a run that ended; O(rows + findings), and once for each run.

        `feedback` is what a steward said of this log's marks, `secret` that of the audit key with
        which it was made. Raises `ExportRefused` where it is about another log.
        """
        parts = (log, result.release.content, *result.attacks, *result.measures)
        record: ReleaseRecord
        sources, record = result.cache.get(_CACHE, ((), None))
        if [*map(id, sources)] != [*map(id, parts)]:
            record = cls._count_run(result, log)
            result.cache[_CACHE] = parts, record
        record = dataclasses.replace(record, statement=result.release.statement)
        return record if feedback is None else record._add_feedback(result, log, feedback, secret)

    @classmethod
    def of_log(cls, result: Run, log: LogTotals) -> ReleaseRecord:
        """The same of a log that may be on other machines, of which no rows can be counted."""
        return cls.of_run(result, log) if isinstance(log, QueryLog) else cls._count_run(result, log)

    @classmethod
    def of_sample(
        cls,
        result: Run,
        evidence: Evidence,
        kept: KeptContent,
        content: ContentFacts,
        users: int,
        unit_count: int | None = None,
    ) -> ReleaseRecord:
        """The same of a run whose attacks looked at some users of a log, those of the `evidence`.

        `kept`, `content`, the `users` who issued a query and `unit_count`, of what the statement
        protects, are counted over the whole log. That an attack does not apply follows from the
        release's form, or from the released rows of `MANY` users: not by what a few lack.
        """
        record = cls._count_run(result, evidence.log)
        form, release, sample = result.plan.what.form, evidence.release, evidence.log.origin.sample
        assert sample is not None
        part = None if release is None else release.log
        if result.plan.method == UNKNOWN and part is not None:
            form = "log"
        rows_tell = part is not None and len(part.users) >= MANY

        def judge(name: str, entry: AttackRecord) -> AttackRecord:
            attack = ATTACKS[name]
            measured = not entry.why
            unfit = not measured and not entry.why.startswith(MISSING)
            if reason := attack.why_not_form(form):
                return AttackRecord(name, reason)
            if attack.sampled == "whole" and (measured or unfit):
                return entry
            if unfit and rows_tell and attack.why_not(evidence):
                return entry
            if not measured:
                needs = result.skipped.get(name) or attack.unsampled
                entry = AttackRecord(name, _say_not_measured(name, needs))
            return dataclasses.replace(entry, sample=(sample.users, users))

        attacks = {name: judge(name, entry) for name, entry in record.attacks.items()}
        units = {HISTORY: users}
        if record.statement.period and unit_count is not None:
            units[record.statement.period] = unit_count
        return dataclasses.replace(record, units=units, kept=kept, content=content, attacks=attacks)

    @classmethod
    def _count_run(cls, result: Run, log: LogTotals) -> ReleaseRecord:
        attacks: dict[str, AttackRecord] = {}
        measures: dict[str, MeasureRecord] = {}
        units, kept, content = {HISTORY: len(log.users)}, KeptContent(), ContentFacts()
        statement, weights = result.release.statement, dict(result.plan.rule_weights)
        if isinstance(log, QueryLog):
            visible, period = log.without_blank, statement.period
            units = {HISTORY: len(visible.users)}
            if period:
                periods = getattr(result.plan.params, "periods", None)
                units[period] = count_units(visible, period, periods)
            kept = KeptContent.of(log, result.release)
            content = ContentFacts.of(log, result.release)
            attacks = {
                name: AttackRecord(name, _why_no_attack(name, result, log)) for name in ATTACKS
            }
            measures = {name: MeasureRecord(_why_no_measure(name, result)) for name in MEASURES}
        attacks |= {row.attack: AttackRecord.of_result(row) for row in reversed(result.attacks)}
        measures |= {row.measure: MeasureRecord.of_result(row) for row in reversed(result.measures)}
        return cls(
            statement=statement,
            units=units,
            kept=kept,
            content=content,
            attacks=attacks,
            measures=measures,
            adversary=result.adversary,
            feedback={"weights": weights, "weights_counting": False} if weights else {},
            method=result.plan.method,
            params=result.plan.params.to_public(),
            withheld=tuple(result.plan.params.list_secrets()),
            moment=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )

    def _add_feedback(
        self, result: Run, log: QueryLog, feedback: StewardFeedback, secret: bytes
    ) -> ReleaseRecord:
        """The same with what a steward said; counts anew what flagged sessions come to."""
        signed_feedback = SignedFeedback.of(feedback, log, secret)
        weighed = dict(result.plan.rule_weights) == dict(signed_feedback.weights)
        attacks = {
            attack.attack: AttackRecord.of_result(attack, signed_feedback, weighed=weighed)
            for attack in reversed(result.attacks)
        }
        weights = {**self.feedback, "weights_counting": weighed} if self.feedback else {}
        return dataclasses.replace(
            self, attacks={**self.attacks, **attacks}, feedback={**feedback.summarize(), **weights}
        )

    @classmethod
    def of_outlook(
        cls, outlook: ExpectedRelease, log: QueryLog | None = None, method: Method | None = None
    ) -> ReleaseRecord:
        """What the record is expected to be before anything ran; see `of_expectation`."""
        users = 0 if log is None else len(log.users)
        units = {HISTORY: users}
        if outlook.units is not None and outlook.statement.period:
            units[outlook.statement.period] = outlook.units
        basis: Basis = "queries"
        if method is not None and method.yields == "log":
            basis = "hashed" if method.form == "hashes" else "events"
        expected_content = KeptContent.from_expectations(outlook.values, log, basis=basis)
        return cls.of_expectation(outlook.statement, expected_content, units, method)

    @classmethod
    def of_expectation(
        cls,
        statement: Statement,
        kept: KeptContent,
        units: Mapping[str, int],
        method: Method | None = None,
    ) -> ReleaseRecord:
        """The same from its parts; what applies to no release of `method` says so already."""
        attacks: dict[str, AttackRecord] = {}
        measures: dict[str, MeasureRecord] = {}
        if method is not None:
            kind = method.measured_kind
            for name in ATTACKS:
                if reason := ATTACKS[name].why_not_form(method.form):
                    attacks[name] = AttackRecord(name, reason)
            for name in MEASURES:
                if reason := MEASURES[name].why_not_kind(kind, dated=method.dated):
                    measures[name] = MeasureRecord(reason)
        return cls(statement, units, kept, attacks, measures, expected=True)

    @classmethod
    def of_stored(cls, run: Run) -> ReleaseRecord:
        """The record of a run from a project, by its gates as they were judged when it was saved.

        What is kept is known where the project stored it.
        """
        assert run.statement is not None
        return cls(
            statement=run.statement,
            kept=KeptContent.from_dict(run.gates.get("kept", {})),
            attacks={attack.attack: AttackRecord.of_result(attack) for attack in run.attacks},
            adversary=run.adversary,
            method=run.plan.method,
        ).with_gates(run.gates)

    @classmethod
    def from_evidence(cls, facts: Mapping[str, Any]) -> ReleaseRecord:
        """The record that an audit kept, with its checks; raises as `from_dict` does."""
        record = cls.from_dict(facts["gates"]["figures"], statement_of(facts["statement"]))
        return dataclasses.replace(
            record,
            method=str(facts["method"]),
            params=dict(facts["params"]),
            withheld=tuple(map(str, facts.get("withheld", ()))),
        ).with_gates(facts["gates"])

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], statement: Statement) -> ReleaseRecord:
        """The inverse of `to_dict`; raises `ExportRefused` if it can't be read."""
        try:
            return cls(
                statement=statement,
                units={str(name): int(number) for name, number in plain.get("units", {}).items()},
                kept=KeptContent.from_dict(plain.get("kept", {})),
                content=ContentFacts.from_dict(plain.get("content", {})),
                attacks={
                    name: AttackRecord.from_dict(name, entry)
                    for name, entry in plain.get("attacks", {}).items()
                },
                measures={
                    name: MeasureRecord.from_dict(entry)
                    for name, entry in plain.get("measures", {}).items()
                },
                adversary=str(plain.get("adversary", USUAL)),
                feedback=dict(plain.get("feedback", {})),
                moment=str(plain.get("made", "")),
            )
        except (TypeError, KeyError, ValueError, AttributeError, IndexError):
            raise ExportRefused(
                "The manifest's numbers can't be read. Make the release anew."
            ) from None

    def with_gates(self, gates: Mapping[str, Any]) -> ReleaseRecord:
        """The same with the checks as evidence or a project has them (`to_gates`)."""
        policy = Policy(
            str(gates.get("policy", "")),
            str(gates.get("note", "")),
            (),
            str(gates.get("sha256", "")),
            unit=str(gates.get("unit") or HISTORY),
        )
        checks = tuple(GateVerdict.from_dict(row) for row in gates.get("results", ()))
        return dataclasses.replace(self, policy=policy, judged=checks)

    def override(self, names: Iterable[str]) -> ReleaseRecord:
        """The same with the checks that a reviewer let pass, as far as they are not passed."""
        allowed = set(names)
        let = (item.gate.name for item in self.judged if not item.ok and item.gate.name in allowed)
        return dataclasses.replace(self, overridden=tuple(let))

    @property
    def decided(self) -> dict[str, str]:
        """By name of each assumption, of which moment its status speaks."""
        return {item.name: item.decided or self.moment for item in self.statement.assumptions}

    @property
    def users(self) -> int:
        """Users of the log who issued a query."""
        return self.units.get(HISTORY, 0)

    @property
    def unit(self) -> str:
        """The unit by which the policy counts, or the statement's own without a policy."""
        return self.policy.unit if self.policy is not None else self.statement.period or HISTORY

    @property
    def made_attacks(self) -> tuple[AttackRecord, ...]:
        """The attacks that ran and have a rate."""
        return tuple(attack for attack in self.attacks.values() if attack.rated)

    @property
    def worst(self) -> AttackRecord | None:
        return find_worst(self.made_attacks)

    @property
    def ranked_attacks(self) -> tuple[AttackRecord, ...]:
        """Those that `worst` is the worst of."""
        ranked = tuple(attack for attack in self.made_attacks if is_ranked(attack.attack))
        return ranked or self.made_attacks

    @property
    def worse_unranked(self) -> AttackRecord | None:
        """An attack that isn't ranked, on strings say, if it is farther above guessing."""
        farthest, worst = find_worst(self.made_attacks, of_all=True), self.worst
        if farthest is None or worst is None or farthest in self.ranked_attacks:
            return None
        is_farther = farthest.rate - farthest.baseline > worst.rate - worst.baseline
        return farthest if is_farther else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without the statement and the checks."""
        plain: dict[str, Any] = {
            "users": self.users,
            "units": dict(self.units),
            "kept": self.kept.to_dict(),
            "content": self.content.to_dict(),
            "attacks": {name: entry.to_dict() for name, entry in self.attacks.items()},
            "measures": {name: entry.to_dict() for name, entry in self.measures.items()},
            "adversary": self.adversary,
        }
        plain |= {"made": self.moment, "decided": self.decided} if self.moment else {}
        return plain | ({"feedback": dict(self.feedback)} if self.feedback else {})


def title_of(name: str) -> str:
    """What people call an attack or a measure; its name where this program does not know it."""
    registry = next((candidate for candidate in (ATTACKS, MEASURES) if name in candidate), None)
    return as_phrase(registry[name].title) if registry is not None else name


def _collect_figures(result: AttackResult | MeasureResult) -> dict[str, float]:
    figures = {key: float(value) for key, value in result.details.items() if is_number(value)}
    return figures | {value.name: float(value.value) for value in result.values}


def _read_figures(plain: Mapping[str, Any]) -> dict[str, float]:
    numbers = ((str(name), read_number(value)) for name, value in plain.items())
    return {name: value for name, value in numbers if value is not None}


def _read_counts(plain: Any) -> tuple[ReasonCount, ...] | None:
    if plain is None:
        return None
    return tuple((tuple(map(str, entry["reasons"])), int(entry["sessions"])) for entry in plain)


def _count_flagged(
    attack: str, marks: FlaggedFindings, away: SignedFeedback | None, *, weighed: bool
) -> dict[str, Any]:
    full = marks.full or marks
    marks = marks if weighed else full
    counts: dict[str, Any] = {"flagged": len(full)}
    unlisted = _find_unlisted(attack, full)
    counts["surviving"] = _count_reasons(full, np.append(_find_readable(attack, full), unlisted))
    gone = away.find_dismissed(marks) if away is not None else np.zeros(len(marks), dtype=np.bool_)
    if full is not marks or gone.any():
        reasons = _find_readable(attack, marks)
        left = np.append(np.where(gone, np.uint64(0), reasons), _find_unlisted(attack, marks))
        counts["remaining"] = _count_reasons(marks, left)
        counts["dismissed"] = int(gone.sum())
    return counts


def _count_reasons(findings: FlaggedFindings, reasons: UInt64s) -> tuple[ReasonCount, ...]:
    """How many sessions there are of each set of reasons, but for the empty one."""
    labels = findings.reasons
    return tuple(
        (tuple(text for bit, text in enumerate(labels) if key >> bit & 1), number)
        for key, number in sorted(Counter(reasons[reasons != 0].tolist()).items())
    )


def _find_readable(attack: str, findings: FlaggedFindings) -> UInt64s:
    """The reasons of each session if the attack reads something in it that is true, else 0."""
    reason: UInt64s = findings.reason.astype(np.uint64)
    if ATTACKS[attack].reads != "tokens":
        return np.where(findings.surviving > 0, reason, np.uint64(0))
    # Every session that this attack finds has a recovered word in it; wrong ones expose nothing.
    return reason & ~np.uint64(1 << WRONG)


def _find_unlisted(attack: str, findings: FlaggedFindings) -> UInt64s:
    """The reasons of exposed sessions that are too many to be listed, if the attack reads them."""
    exposed = findings.exposed
    is_listed = is_among(exposed.rows, findings.start)
    unlisted: UInt64s = exposed.reason[~is_listed & bool(ATTACKS[attack].reads)]
    return unlisted & ~np.uint64(1 << WRONG)


def _why_no_attack(name: str, result: Run, log: QueryLog) -> str:
    """Why an attack that was not run doesn't apply; that it was not measured, if it would."""
    if any(entry.attack == name for entry in result.attacks):
        return ""
    attack, release = ATTACKS[name], result.release
    # With all that an attacker could have at hand, does it still not apply?
    full_evidence = Evidence(
        log=log, release=release, reference=log, profiles=Path(), rerun=_refuse_rerun
    )
    skipped = result.skipped.get(name, "")
    cause = attack.why_not(full_evidence)
    if cause and not any(NEEDS_TRUTH in reason for reason in (cause, skipped)):
        return cause
    rerun = None if result.plan.method == UNKNOWN else _refuse_rerun
    present_evidence = Evidence(log=log, release=release, rerun=rerun)
    needs = skipped or attack.why_not(present_evidence)
    return _say_not_measured(name, needs or "was not run")


def _say_not_measured(name: str, needs: str) -> str:
    needs = as_phrase(needs)
    return phrase("was not measured: the attack “{name}” {needs}", name=title_of(name), needs=needs)


def _why_no_measure(name: str, result: Run) -> str:
    if any(entry.measure == name for entry in result.measures):
        return ""
    if reason := MEASURES[name].why_not(result.release):
        return reason
    reason = as_phrase(result.skipped.get(name) or "was not run")
    return sentence("record.measure_not_made", name=title_of(name), skipped=reason)


def _refuse_rerun(log: QueryLog, number: int, progress: Progress) -> Anonymized:
    del log, number, progress
    raise AssertionError("only asked whether an attack would apply")
