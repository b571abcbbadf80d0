"""Whether a run meets a policy: each gate with its figure, its verdict and the evidence.

A gate passes where its figure is within its limits, and where the figure does not apply to this
release, which is said. It fails where the figure is beyond them, and where it could have been
measured and was not: what nobody looked at is not known to be harmless.

Judging reads a `ReleaseRecord` and nothing else, which stands in the evidence too. So an approval
judges a release anew, by the reviewer's own policy, as the audit judged it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from auditor.attacks.base import EMPTY_RELEASE
from auditor.attacks.detection.kinds import PII
from auditor.attacks.registry import ATTACKS, find_counters, list_content_attacks
from auditor.attacks.risk.reasons import CLICKED, LABELS, reason_mask
from auditor.errors import ExportRefused
from auditor.figures import format_share
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, NumberText, as_phrase, join_phrases, phrase
from auditor.methods.noisy_counts.period_units import HISTORY, cost_at_unit
from auditor.methods.suppression import (
    IDENTIFIERS,
    LEVELS,
    NAMES,
    NOTHING,
    PARAMETER,
    suppression_level,
)
from auditor.params import Params
from auditor.privacy.release import UNKNOWN
from auditor.release.guarantee import strength_of
from auditor.release.policy.attestation import ContractAttestation, attested_field
from auditor.release.policy.policy import (
    RAN,
    SOME_CONTENT,
    SURVIVING,
    WORST,
    Gate,
    Policy,
    bounded_advantage,
    format_value,
)
from auditor.release.record import (
    MISSING,
    AttackRecord,
    GateOutcome,
    GateVerdict,
    ReleaseRecord,
    is_ranked,
    title_of,
)

if TYPE_CHECKING:
    from auditor.release.ledger.totals import LedgerTotal


GateFigure = tuple[float | None, str]
"""A figure, or None, and what there is to say of it."""


def judge_record(
    record: ReleaseRecord, policy: Policy, total: LedgerTotal | str | None = None
) -> ReleaseRecord:
    """The record with every gate of the policy judged, in its order.

    `total` is what the ledger adds up to, this release included; a text says why that is not
    known, which fails gates on it; None leaves them to the approval. Raises `ExportRefused` if
    the record can't be read.
    """
    record = dataclasses.replace(record, policy=policy)
    try:
        rows = (_judge_gate(gate, record, total) for gate in policy.checks)
        # Nobody wrote the checks that every policy gets: of these only what applies is said.
        checks = tuple(
            row for row in rows if row.verdict != "does not apply" or row.gate not in SOME_CONTENT
        )
    except (TypeError, KeyError, ValueError, AttributeError, IndexError):
        raise ExportRefused(
            "The manifest's numbers can't be read. Make the release anew."
        ) from None
    return dataclasses.replace(record, judged=checks)


def attest_record(record: ReleaseRecord, attestation: ContractAttestation) -> ReleaseRecord:
    """A judged record with what a reviewer attests, and the gates that ask for that judged anew."""
    checks = tuple(
        _judge_attested(check.gate, attestation) if attested_field(check.gate) else check
        for check in record.judged
    )
    return dataclasses.replace(record, attestation=attestation, judged=checks)


def is_utility(gate: Gate) -> bool:
    """Whether a gate limits what is kept rather than what is given away."""
    return gate.figure.startswith("release.")


def rank_check(check: GateVerdict) -> int:
    """Which check counts most: what can be read of people, then privacy, then utility."""
    if is_utility(check.gate):
        return 2
    return 0 if check.gate.takes_feedback else 1


def gate_facts(record: ReleaseRecord, *, figures: bool = True) -> dict[str, Any]:
    """What the evidence says of the gates; with the `figures`, it can be judged anew."""
    policy = record.policy
    assert policy is not None
    plain: dict[str, Any] = {
        "policy": policy.name,
        "unit": policy.unit,
        "sha256": policy.sha256,
        "note": policy.note,
        "passed": all(check.ok for check in record.judged),
        "results": [check.to_dict() for check in record.judged],
    }
    if not figures:
        return plain | {"kept": record.kept.to_dict()}
    plain |= {"rules": [gate.to_dict() for gate in policy.gates], "figures": record.to_dict()}
    plain |= {"requires": list(policy.requires)} if policy.requires else {}
    return plain


def describe_interval(rate: DisplayText, low: float, high: float) -> DisplayText:
    """A rate in words with its interval."""
    first, last = map(format_share, (low, high))
    if isinstance(first, NumberText) and last.endswith(" %"):
        first = NumberText(first.removesuffix(" %"))
    return sentence("gates.interval", rate=rate, low=first, high=last)


def format_gates(checks: Iterable[GateVerdict]) -> str:
    """A line a gate, for people."""
    signs: Mapping[GateOutcome, str] = {"passed": "✓", "attested": "○", "does not apply": "–"}
    return "\n".join(
        f"{signs.get(check.verdict, '✗')} {check.gate.title}: {check.evidence}" for check in checks
    )


def _judge_attested(gate: Gate, attestation: ContractAttestation) -> GateVerdict:
    name, by = attested_field(gate), attestation.by
    value = attestation.find_figure(name)
    if value is None:
        return GateVerdict(gate, "not measured", None, sentence("gates.not_attested"))
    answer = attestation.describe_field(name)
    if gate.admits(value):
        text = sentence("gates.attested", by=by, value=answer)
        return GateVerdict(gate, "attested", value, text)
    text = sentence("gates.attested_beyond", by=by, value=answer, wanted=gate.requirement)
    return GateVerdict(gate, "failed", value, text)


def _judge_gate(gate: Gate, record: ReleaseRecord, total: LedgerTotal | str | None) -> GateVerdict:
    if attested_field(gate):
        return _judge_attested(gate, record.attestation)
    scope, _, metric = gate.figure.partition(".")
    look: Mapping[str, Callable[[], GateFigure]] = {
        "statement": lambda: _statement_figure(metric, record),
        "release": lambda: record.kept.find_figure(metric, gate.least),
        "content": lambda: record.content.find_figure(metric, record.moment),
        "attack": lambda: _attack_figure(gate, record.attacks),
        "measure": lambda: _measure_figure(gate, record),
    }
    if scope != "ledger":
        value, reason = look[scope]()
    elif total is None:
        value, reason = None, "counted at the approval, by the ledger"
    elif isinstance(total, str):
        value, reason = None, phrase("was not measured: {why}", why=as_phrase(total))
    else:
        value, reason = total.find_figure(metric, record.units, record.unit)
    if value is not None and math.isnan(value):
        value, reason = None, sentence("gates.no_number", why=reason)
    if scope == "statement" and value is not None and record.rechecked is not None:
        reason = phrase("{why}; as its manifest says", why=as_phrase(reason))
    if (row := _judge_by_epsilon(gate, record, value)) is not None:
        return row
    if value is None:
        missing = reason.startswith(MISSING)
        return GateVerdict(gate, "not measured" if missing else "does not apply", None, reason)
    counts = _with_feedback(gate, value, record.attacks)
    if counts is not None:
        # A person's word, or a rule that is off, hides something only where the policy lets it.
        value = counts[1] if gate.feedback else max(counts)
        key = "gates.feedback_counts" if gate.feedback else "gates.feedback_ignored"
        reason += sentence(key, before=counts[0], after=counts[1])
    is_empty = is_utility(gate) and value == 0  # no policy makes an empty release worth releasing
    verdict: GateOutcome = "passed" if gate.admits(value) and not is_empty else "failed"
    if gate.is_yes_or_no:
        name, _, flag = metric.partition(".")
        attack = record.attacks.get(name) if scope == "attack" else None
        if attack is not None and flag in attack.flags:  # its note says yes or no in words
            return GateVerdict(gate, verdict, value, attack.note)
        text = phrase("yes{why}" if value else "no{why}", why=as_phrase(reason))
        return GateVerdict(gate, verdict, value, text)
    text = sentence("gates.wanted", said=gate.show(value), wanted=gate.requirement, why=reason)
    return GateVerdict(gate, verdict, value, text, counts)


def _judge_by_epsilon(gate: Gate, record: ReleaseRecord, value: float | None) -> GateVerdict | None:
    """What a guarantee within the policy's ε says of a figure; None where it bounds none.

    Such a figure is evidence, even if nothing but its interval is known: the gate on ε decides.
    """
    cost = cost_at_unit(record.statement, record.unit) if gate.bounded_by_epsilon else None
    if cost is None or gate.most is None or bounded_advantage(cost[0], 0.0) > gate.most:
        return None
    name, _, figure = gate.figure.partition(".")[2].partition(".")
    figures = record.attacks[name].figures if name in record.attacks else {}
    low, high = (figures.get(f"{figure}_{end}", value) for end in ("low", "high"))
    if low is None or high is None:
        return None
    bound = bounded_advantage(*cost)
    rate = describe_interval(phrase("unknown") if value is None else gate.show(value), low, high)
    is_within = low <= bound
    key = "gates.within_epsilon" if is_within else "gates.above_epsilon"
    text = sentence(key, said=rate, bound=gate.show(bound))
    return GateVerdict(gate, "passed" if is_within else "failed", value, text)


def _with_feedback(
    gate: Gate, value: float, attacks: Mapping[str, AttackRecord]
) -> tuple[float, float] | None:
    """A count of sessions without signed dismissals and weights, and with them, if any."""
    after = {
        name: dataclasses.replace(attack, surviving=attack.remaining)
        for name, attack in attacks.items()
        if attack.remaining is not None
    }
    if not after or not gate.takes_feedback:
        return None
    remaining, _ = _attack_figure(gate, {**attacks, **after})
    return None if remaining is None else (value, remaining)


def _statement_figure(name: str, record: ReleaseRecord) -> GateFigure:
    statement = record.statement
    if name.startswith("measured."):
        return _measured_figure(name.removeprefix("measured."), record)
    match name:
        case "epsilon" | "delta" | "delta_users" | "delta_users_squared":
            return _cost_figure(name, record)
        case "unpublished":
            unset = statement.measured.get("unset_rules")
            if unset is None and record.method == UNKNOWN:
                return None, "was not measured: nothing is known of how this release was made"
            if unset is None:
                return None, "the method follows no text that leaves rules out"
            return (0.0, "") if not unset else (None, sentence("gates.unpublished", unset=unset))
        case "strength":
            return float(strength_of(statement, record.unit)), _of_unit(record)
        case "formal":
            model = phrase("; the model is: {model}", model=as_phrase(statement.model))
            return float(statement.formal), model
    if not statement.assumptions and not statement.formal:
        return None, "nothing is claimed, so nothing is assumed"
    status = {"failing": "fails", "unknown": "unknown"}[name]
    names = [assumption.name for assumption in statement.assumptions if assumption.status == status]
    return float(len(names)), phrase(": {names}", names=join_phrases("; ", names)) if names else ""


def _measured_figure(name: str, record: ReleaseRecord) -> GateFigure:
    """A number that the statement has, or what else says it."""
    measured = record.statement.measured
    value = record.statement.group_size if name == "k" else measured.get(name)
    if value is not None:
        return value, ""
    if name == "k":
        return None, "the release has no groups of users"
    if name == "smallest_column_group":  # of a release made elsewhere it may not be known
        if record.content.unnamed_columns or "released_columns" in measured:
            return None, sentence("gates.columns_not_counted")
    elif counters := find_counters(name):
        if record.statement.has_public_keys:
            return None, sentence("gates.public_strings")
        tried = [record.attacks.get(counter) or _not_run(counter) for counter in counters]
        missing = (attack for attack in tried if attack.why.startswith(MISSING))
        attack = next((attack for attack in tried if name in attack.figures), None)
        attack = attack or next(missing, tried[0])
        if attack.why:
            return None, attack.why
        value = None if attack.sample is not None else attack.figures.get(name)
        if value is None:
            return None, phrase("was not measured by “{name}”", name=attack.title)
        return value, phrase(",{why}", why=phrase(" by “{name}”{why}", name=attack.title, why=""))
    return None, "the statement has no such number"


def _cost_figure(name: str, record: ReleaseRecord) -> GateFigure:
    """ε or δ at the policy's unit of protection."""
    statement, unit = record.statement, record.unit
    cost = cost_at_unit(statement, unit)
    if cost is None or (statement.delta is None and name != "epsilon"):
        return None, "the method claims none"
    epsilon, delta = cost
    if not name.startswith("delta_users"):
        return epsilon if name == "epsilon" else delta, _of_unit(record)
    number = record.units.get(unit)
    if number is None:
        return None, sentence("gates.other_unit", unit=describe_counted(unit, 2))
    squared = name == "delta_users_squared"
    key = "gates.delta_times_squared" if squared else "gates.delta_times_units"
    units = describe_counted(unit, number)
    text = sentence(key, delta=format_value(delta), number=number, units=units)
    return delta * number ** (2 if squared else 1), text + _of_unit(record)


def describe_counted(unit: str, number: int) -> str:
    """So many units of protection, as a noun."""
    if unit == HISTORY:
        return "user" if number == 1 else "users"
    return phrase("{unit} of users" if number == 1 else "{unit}s of users", unit=as_phrase(unit))


def _of_unit(record: ReleaseRecord) -> str:
    """Where the release protects another unit than the policy counts by, what it protects."""
    period, unit = record.statement.period or HISTORY, record.unit
    if record.statement.epsilon is None:
        return ""
    if period == unit:
        return "" if period == HISTORY else phrase("; of one {unit}", unit=as_phrase(period))
    history = "whole history"
    return sentence(
        "gates.of_unit_protecting",
        unit=history if unit == HISTORY else unit,
        own=history if period == HISTORY else period,
        epsilon=record.statement.epsilon,
    )


def _attack_figure(gate: Gate, attacks: Mapping[str, AttackRecord]) -> GateFigure:
    _, name, figure = gate.figure.split(".", 2)
    if name == WORST:
        return _worst_figure(gate, figure, attacks)
    attack = attacks.get(name) or _not_run(name)
    if attack.why:
        return None, attack.why
    if figure == RAN and attack.sample is None:
        return 1.0, "; it was tried"
    if figure == RAN and attack.sample is not None:
        users, of = attack.sample
        return 1.0, sentence("gates.tried_on_sample", users=users, of=of)
    if figure == SURVIVING:
        return _find_surviving(gate, attack)
    value, reason = _read_figure(gate, attack, figure)
    if value is not None or reason:
        return value, reason
    if figure == "control":
        return None, "the attack has no control group"
    return None, phrase("was not measured by “{name}”", name=attack.title)


def _read_figure(gate: Gate, attack: AttackRecord, figure: str) -> GateFigure:
    """A figure of an attack, None where it has none; of a sample of users its worse end.

    Only a rate that is no lower than that among all users bounds anything. What guessing gives
    among all is not known: a rate above guessing is judged as if that were nothing.
    """
    value = attack.figures.get(figure)
    if value is None:
        return None, ""
    is_rate = figure == "rate" or (gate.is_share and value == attack.rate)
    if (is_rate or figure == "lead") and not attack.had_trials:
        return None, sentence("gates.nothing_to_try", name=attack.title)
    if attack.sample is None:
        return value, _format_details(attack, figure, is_rate)
    bounds = attack.attack in ATTACKS and ATTACKS[attack.attack].bounds_all
    if bounds and figure in ("rate", "lead") and attack.interval and gate.least is None:
        users, of = attack.sample
        return attack.interval[1], sentence("gates.upper_end", users=users, of=of)
    return None, _bounds_nothing(gate, value, attack.sample)


def _bounds_nothing(gate: Gate, value: float, sample: tuple[int, int]) -> DisplayText:
    users, of = sample
    return sentence("gates.sample_bounds_nothing", value=gate.show(value), users=users, of=of)


def _not_run(name: str) -> AttackRecord:
    """An attack that this program has and the one that audited had not."""
    reason = phrase("was not measured: the attack “{name}” was not run", name=title_of(name))
    return AttackRecord(name, reason)


def _measure_figure(gate: Gate, record: ReleaseRecord) -> GateFigure:
    _, name, figure = gate.figure.split(".", 2)
    measure, title = record.measures.get(name), title_of(name)
    if measure is None:
        return None, phrase("was not measured: run the measure “{name}”", name=title)
    if measure.why:
        return None, measure.why
    value = measure.figures.get(figure)
    return value, "" if value is not None else sentence("gates.not_measured_by", name=title)


def _find_surviving(gate: Gate, attack: AttackRecord) -> GateFigure:
    if attack.surviving is None:
        return None, phrase("was not measured: “{name}” flagged no sessions", name=attack.title)
    total = sum(
        sessions
        for reasons, sessions in attack.surviving
        if not gate.reasons or set(gate.reasons).intersection(reasons)
    )
    if attack.sample is not None:
        return None, _bounds_nothing(gate, float(total), attack.sample)
    return float(total), "; flagged sessions of which something survives"


def _worst_figure(gate: Gate, figure: str, attacks: Mapping[str, AttackRecord]) -> GateFigure:
    """The greatest of a figure over the attacks that apply.

    For surviving sessions these are the attacks that read content, each of which has to be known;
    of a sample of users all have to be.
    """
    values: list[tuple[float, str]] = []
    reasons: set[str] = set()
    needs_all = figure == SURVIVING or any(item.sample is not None for item in attacks.values())
    ranked = [name for name in attacks if is_ranked(name)]
    for name in list_content_attacks() if figure == SURVIVING else ranked:
        item = attacks.get(name) or _not_run(name)
        if item.why:
            if needs_all and item.why.startswith(MISSING):
                return None, item.why
            reasons.add(item.why)
            continue
        if figure == SURVIVING:
            value, reason = _find_surviving(gate, item)
        else:
            value, reason = _read_figure(gate, item, figure)
        if value is None and needs_all and reason:
            return None, reason
        if value is not None:
            text = phrase(" by “{name}”{why}", name=item.title, why=as_phrase(reason))
            values.append((value, text))
    if not values:
        is_missing = any(why.startswith(MISSING) for why in reasons)
        if EMPTY_RELEASE in reasons and not is_missing:
            return None, EMPTY_RELEASE
        return None, "was not measured: no attack was run"
    value, reason = max(values, key=lambda pair: -math.inf if math.isnan(pair[0]) else pair[0])
    if gate.admits(value):  # a figure that is no number could be worse than any that passes
        value, reason = next((pair for pair in values if math.isnan(pair[0])), (value, reason))
    return value, phrase(",{why}", why=as_phrase(reason))


def _format_details(attack: AttackRecord, figure: str, is_rate: bool) -> str:
    if figure in attack.flags:
        return phrase("; {note}", note=as_phrase(attack.note))
    if attack.interval is None or math.isnan(attack.baseline):
        return ""
    if figure == "lead":
        low, high = (format_share(end - attack.baseline) for end in attack.interval)
        return phrase("; 95 % interval {first} to {last} above guessing", first=low, last=high)
    if not is_rate:
        return ""
    first, last, chance = map(format_share, (*attack.interval, attack.baseline))
    return sentence("gates.interval_and_guessing", first=first, last=last, chance=chance)


# --- what helps against a failed check on content: strings that are suppressed ------------------
#
# Such a check fails because marked strings stand in the release. A method that releases tables can
# leave them out by their text alone, which costs no ε (`methods.suppression`); so the answer to it
# is a setting, and a new run.

_OF_IDENTIFIERS = frozenset(
    label for bit, label in enumerate(LABELS) if reason_mask(*PII, CLICKED) >> bit & 1
)
"""Reasons that an identifier in a query or a clicked address gives."""


def is_on_content(gate: Gate) -> bool:
    """Whether a gate limits how many flagged sessions can be read in a release."""
    scope, _, figure = gate.figure.partition(".")
    name, _, figure = figure.partition(".")
    if (scope, figure) != ("attack", SURVIVING) or gate.most is None or gate.least is not None:
        return False
    return name == WORST or (name in ATTACKS and ATTACKS[name].reads == "strings")


def find_level(gates: Iterable[Gate]) -> str:
    """What has to be left out for these gates; identifiers alone where that is enough."""
    level = NOTHING
    for gate in gates:
        if not gate.reasons or not set(gate.reasons) <= _OF_IDENTIFIERS:
            return NAMES
        level = IDENTIFIERS
    return level


def find_suppression(failed: Iterable[GateVerdict], params: Params) -> str:
    """The level to which a setting's failed checks on content point; empty where it is no help.

    It is none where the method has no such parameter, or suppresses as much already.
    """
    gates = [row.gate for row in failed if row.verdict == "failed" and is_on_content(row.gate)]
    if PARAMETER not in {spec.name for spec in params.specs()}:
        return ""
    level = find_level(gates)
    is_stronger = LEVELS.index(level) > LEVELS.index(suppression_level(params))
    return level if is_stronger else ""


def describe_suppression(level: str) -> DisplayText:
    """What to set, and what that costs."""
    what = as_phrase("identifiers and names" if level == NAMES else "identifiers")
    return sentence("policy.suppress", level=what)
