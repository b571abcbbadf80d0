"""Whether a run meets a policy: each gate with its figure, its verdict and the evidence.

A gate passes where its figure is within its limits, and where the figure does not apply to this
release, which is said. It fails where the figure is beyond them, and where it could have been
measured and was not: what nobody looked at is not known to be harmless.

Judging knows no run, only what `record` kept of one: plain figures, which stand in the manifest
too. So an approval judges a release anew, by the reviewer's own policy, as the audit judged it.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from auditor.arrays import UInt64s
from auditor.attacks.base import AttackResult, Evidence, FlaggedFindings
from auditor.attacks.registry import ATTACKS
from auditor.attacks.risk.reasons import WRONG, current_label
from auditor.engine.run import Run
from auditor.errors import ExportRefused
from auditor.figures import format_power, format_share
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.messages import NumberText, as_phrase, join_phrases, phrase
from auditor.methods.statements import UNIT
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import FORMAL
from auditor.progress import Progress
from auditor.release.feedback.file import SignedDismissals, StewardFeedback
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import (
    RAN,
    SOME_CONTENT,
    SURVIVING,
    WORST,
    Gate,
    Policy,
)

if TYPE_CHECKING:
    from auditor.release.ledger.totals import LedgerTotal

Verdict = Literal["passed", "failed", "not measured", "does not apply"]
Found = tuple[float | None, str]
"""A figure, or None, and what there is to say of it."""

_MISSING = "was not measured"
_NOTHING = ("none", "pseudonymity")
"""Models that guarantee nothing: a pseudonym hides a word, and what stands beside it tells it."""
ENTITY_EXPOSURE = "entity-exposure"
CONTENT_ATTACKS = ("surviving-content", ENTITY_EXPOSURE)
"""Which attacks say what can be read in a release: verbatim, and in words behind hashes."""
_LATER = "counted at the approval, by the ledger"


@dataclass(frozen=True)
class GateVerdict:
    """One gate of one run; `value` is None where there is no figure."""

    gate: Gate
    verdict: Verdict
    value: float | None
    evidence: str
    counts: tuple[float, float] | None = None
    """Without signed dismissals and the project's rule weights, and with them, if there are any."""

    @property
    def ok(self) -> bool:
        """Whether it stands in nobody's way."""
        return self.verdict in ("passed", "does not apply")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for the manifest."""
        plain: dict[str, Any] = {
            "name": self.gate.name,
            "title": self.gate.title,
            "figure": self.gate.figure,
            "wanted": self.gate.wanted,
            "verdict": self.verdict,
            "evidence": self.evidence,
        }
        if self.value is not None:
            plain["value"] = self.value
        if self.counts is not None:
            plain |= {"without_feedback": self.counts[0], "with_feedback": self.counts[1]}
        return plain


def record_metrics(
    result: Run, log: QueryLog, feedback: StewardFeedback | None = None, secret: bytes = b""
) -> dict[str, Any]:
    """Every figure that a gate can name, as plain values; O(findings).

    `feedback` is what a steward said of this log's marks, `secret` that of the audit key with
    which it was made. Raises `ExportRefused` where it is about another log.
    """
    attacks: dict[str, Any] = {}
    measures: dict[str, Any] = {}
    away = SignedDismissals.of(feedback, log, secret) if feedback is not None else None
    for attack in result.attacks:
        attacks.setdefault(attack.attack, _of_attack(attack, away))
    for measure in result.measures:
        measures.setdefault(measure.measure, {"figures": _of_measure(measure)})
    for name in ATTACKS:
        if name not in attacks:
            attacks[name] = {"why": _why_no_attack(name, result, log)}
    for name in MEASURES:
        if name not in measures:
            measures[name] = {"why": _why_no_measure(name, result)}
    kept = KeptContent.of(log, result.release).to_dict()
    users = len(log.without_blank.users)
    plain = {"users": users, "kept": kept, "attacks": attacks, "measures": measures}
    plain["adversary"] = result.adversary
    told = feedback.summarize() if feedback is not None else {}
    if result.plan.rule_weights:
        told["weights"] = dict(result.plan.rule_weights)
    return plain | ({"feedback": told} if told else {})


def _of_attack(made: AttackResult, away: SignedDismissals | None) -> dict[str, Any]:
    found = {key: float(value) for key, value in made.details.items() if _is_number(value)}
    found |= {value.name: float(value.value) for value in made.values}
    found |= {"rate": made.rate, "lead": made.rate - made.baseline}
    found |= {"control": made.control} if made.control is not None else {}
    plain: dict[str, Any] = {
        "figures": found,
        "interval": list(made.interval),
        "baseline": made.baseline,
        "label": made.rate_label,
    }
    if made.notes:  # a yes or no says little by itself
        flags = [key for key, value in made.details.items() if isinstance(value, bool)]
        plain |= {"flags": flags, "note": made.notes[0]} if flags else {}
    if made.findings is not None:
        here, full = made.findings, made.findings.full or made.findings
        plain["flagged"] = len(full)
        plain["surviving"] = _by_reasons(full, _find_readable(made.attack, full))
        gone = (
            away.find_dismissed(here) if away is not None else np.zeros(len(here), dtype=np.bool_)
        )
        if full is not here or gone.any():
            reasons = _find_readable(made.attack, here)
            plain["remaining"] = _by_reasons(here, np.where(gone, np.uint64(0), reasons))
            plain["dismissed"] = int(gone.sum())
    return plain


def _by_reasons(findings: FlaggedFindings, reasons: UInt64s) -> list[dict[str, Any]]:
    """How many sessions there are of each set of reasons, but for the empty one."""
    labels = findings.reasons
    return [
        {"reasons": [text for bit, text in enumerate(labels) if key >> bit & 1], "sessions": n}
        for key, n in sorted(Counter(reasons[reasons != 0].tolist()).items())
    ]


def _find_readable(attack: str, findings: FlaggedFindings) -> UInt64s:
    """The reasons of each session if the attack reads something in it that is true, else 0."""
    reason: UInt64s = findings.reason.astype(np.uint64)
    if attack != ENTITY_EXPOSURE:
        verbatim: UInt64s = np.where(findings.surviving > 0, reason, np.uint64(0))
        return verbatim
    # Every session that is found here has a recovered word in it; wrong ones expose nothing.
    right: UInt64s = reason & ~np.uint64(1 << WRONG)
    return right


def _of_measure(made: MeasureResult) -> dict[str, float]:
    found = {key: float(value) for key, value in made.details.items() if _is_number(value)}
    return found | {value.name: float(value.value) for value in made.values}


def _why_no_attack(name: str, result: Run, log: QueryLog) -> str:
    """Why an attack that was not run doesn't apply; that it was not measured, if it would."""
    attack, release = ATTACKS[name], result.release
    # With all that an attacker could have at hand, does it still not apply?
    most = Evidence(log=log, release=release, reference=log, profiles=Path(), rerun=_refuse_rerun)
    if why := attack.why_not(most):
        return why
    needs = result.skipped.get(name) or attack.why_not(Evidence(log=log, release=release))
    needs = as_phrase(needs or "was not run")
    return phrase(
        "was not measured: the attack “{name}” {needs}", name=_title_of(name), needs=needs
    )


def _why_no_measure(name: str, result: Run) -> str:
    if why := MEASURES[name].why_not(result.release):
        return why
    why = as_phrase(result.skipped.get(name) or "was not run")
    return phrase(
        "was not measured: the measure “{name}” {skipped}", name=_title_of(name), skipped=why
    )


def _refuse_rerun(log: QueryLog, number: int, progress: Progress) -> Anonymized:
    del log, number, progress
    raise AssertionError("only asked whether an attack would apply")


# --- judging ----------------------------------------------------------------------------------


def judge_gates(
    result: Run, log: QueryLog, policy: Policy, total: LedgerTotal | str | None = None
) -> tuple[GateVerdict, ...]:
    """Every gate of the policy, in its order; O(findings) for gates on flagged sessions."""
    return judge_recorded(
        record_metrics(result, log), result.release.statement.to_dict(), policy, total
    )


def judge_recorded(
    recorded: Mapping[str, Any],
    statement: Mapping[str, Any],
    policy: Policy,
    total: LedgerTotal | str | None = None,
) -> tuple[GateVerdict, ...]:
    """The same from what was recorded of a run, a manifest's too.

    `total` is what the ledger adds up to, this release included; a text says why that is not
    known, which fails gates on it; None leaves them to the approval. Raises `ExportRefused` if
    the record can't be read.
    """
    try:
        judged = (_judge_gate(gate, recorded, statement, total) for gate in policy.checks)
        # Nobody wrote the checks that every policy gets: of these only what applies is said.
        return tuple(
            one for one in judged if one.verdict != "does not apply" or one.gate not in SOME_CONTENT
        )
    except (TypeError, KeyError, ValueError, AttributeError, IndexError):
        raise ExportRefused(
            "The manifest's numbers can't be read. Make the release anew."
        ) from None


def is_utility(gate: Gate) -> bool:
    """Whether a gate asks what is left, and not what is told of people."""
    return gate.figure.startswith("release.")


def gate_facts(
    policy: Policy, judged: Sequence[GateVerdict], recorded: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What the manifest says of the gates; with what was recorded, it can be judged anew."""
    plain: dict[str, Any] = {
        "policy": policy.name,
        "sha256": policy.sha256,
        "note": policy.note,
        "passed": all(one.ok for one in judged),
        "results": [one.to_dict() for one in judged],
    }
    if recorded is not None:
        plain |= {"rules": [gate.to_dict() for gate in policy.gates], "figures": dict(recorded)}
        plain |= {"requires": list(policy.requires)} if policy.requires else {}
        # Two audits that came out alike in one second are two, and the ledger has to know.
        plain["audit"] = secrets.token_hex(16)
    return plain


def format_gates(judged: Iterable[GateVerdict]) -> str:
    """A line a gate, for people."""
    signs: Mapping[Verdict, str] = {"passed": "✓", "does not apply": "–"}
    return "\n".join(
        f"{signs.get(one.verdict, '✗')} {one.gate.title}: {one.evidence}" for one in judged
    )


def _judge_gate(
    gate: Gate,
    recorded: Mapping[str, Any],
    statement: Mapping[str, Any],
    total: LedgerTotal | str | None,
) -> GateVerdict:
    scope, _, rest = gate.figure.partition(".")
    users = int(recorded["users"])
    look: Mapping[str, Callable[[], Found]] = {
        "statement": lambda: _statement_figure(rest, statement, users),
        "release": lambda: KeptContent.from_dict(recorded.get("kept", {})).find_figure(rest),
        "attack": lambda: _attack_figure(gate, recorded["attacks"]),
        "measure": lambda: _measure_figure(gate, recorded["measures"]),
        "ledger": lambda: _ledger_figure(rest, total, users),
    }
    value, why = look[scope]()
    if value is None:
        missing = why.startswith(_MISSING)
        return GateVerdict(gate, "not measured" if missing else "does not apply", None, why)
    counts = _with_feedback(gate, value, recorded["attacks"])
    if counts is not None:
        # A person's word, or a rule that is off, hides something only where the policy lets it.
        value = counts[1] if gate.feedback else max(counts)
        why += _feedback_words(counts, allowed=gate.feedback)
    nothing = is_utility(gate) and value == 0  # no policy makes an empty release worth releasing
    verdict: Verdict = "passed" if gate.admits(value) and not nothing else "failed"
    if gate.is_yes_or_no:
        name, _, flag = rest.partition(".")
        made = recorded["attacks"].get(name, {}) if scope == "attack" else {}
        if flag in made.get("flags", ()):  # its note says yes or no in words
            return GateVerdict(gate, verdict, value, made["note"])
        text = phrase("yes{why}" if value else "no{why}", why=as_phrase(why))
        return GateVerdict(gate, verdict, value, text)
    said = format_share(value) if gate.is_share else _format_value(value)
    wanted, why = as_phrase(gate.wanted), as_phrase(why)
    text = phrase("{said}, wanted {wanted}{why}", said=said, wanted=wanted, why=why)
    return GateVerdict(gate, verdict, value, text, counts)


def _with_feedback(
    gate: Gate, value: float, attacks: Mapping[str, Any]
) -> tuple[float, float] | None:
    """A count of sessions without signed dismissals and weights, and with them; None if same."""
    told = any("remaining" in made for made in attacks.values())
    if not told or not gate.figure.endswith(f".{SURVIVING}"):
        return None
    after = {
        name: made | {"surviving": made.get("remaining", made.get("surviving"))}
        for name, made in attacks.items()
        if "why" in made or "surviving" in made
    }
    left, _ = _attack_figure(gate, after)
    return None if left is None else (value, left)


def _feedback_words(counts: tuple[float, float], *, allowed: bool) -> str:
    return phrase(
        "; {before:,.0f} without signed dismissals and this project's rule weights, {after:,.0f} "
        "with them, and this policy counts them"
        if allowed
        else "; {before:,.0f} without signed dismissals and this project's rule weights, "
        "{after:,.0f} with them, and this policy does not count them",
        before=counts[0],
        after=counts[1],
    )


def _statement_figure(name: str, statement: Mapping[str, Any], users: int) -> Found:
    if name == "measured.k":
        groups = group_size(statement)
        return groups, "" if groups is not None else "the release has no groups of users"
    if name.startswith("measured."):
        value = read_number(statement.get("measured", {}).get(name.removeprefix("measured.")))
        return value, "" if value is not None else "the statement has no such number"
    epsilon, delta = read_number(statement.get("epsilon")), read_number(statement.get("delta"))
    nothing = "the method claims none"
    match name:
        case "epsilon":
            unit = str(statement.get("unit", "")) or UNIT
            of = (
                ""
                if unit == UNIT
                else phrase("; of {unit}, not of a whole history", unit=as_phrase(unit))
            )
            return epsilon, nothing if epsilon is None else of
        case "delta":
            return delta, nothing if delta is None else ""
        case "delta_users":
            if delta is None:
                return None, nothing
            return delta * users, phrase(
                "; δ = {delta} times {users:,} users", delta=_format_value(delta), users=users
            )
        case "formal":
            model = str(statement["model"])
            return float(model in FORMAL), phrase("; the model is: {model}", model=as_phrase(model))
    wanted = {"failing": "fails", "unknown": "unknown"}[name]
    found = [a["name"] for a in statement.get("assumptions", ()) if a["status"] == wanted]
    return float(len(found)), phrase(": {names}", names=join_phrases("; ", found)) if found else ""


def group_size(statement: Mapping[str, Any]) -> float | None:
    """How many records are alike at least, as it was measured; None where there are no groups.

    Some methods say it as ``k``, those that reach it only nearly by their ``smallest_class``, the
    smallest set of records that are exactly alike.
    """
    measured = statement.get("measured", {})
    return read_number(measured.get("k", measured.get("smallest_class")))


def _attack_figure(gate: Gate, attacks: Mapping[str, Any]) -> Found:
    _, name, figure = gate.figure.split(".", 2)
    if name == WORST:
        return _worst_figure(gate, figure, attacks)
    made = attacks.get(name)
    if made is None:  # an attack that this program has and the one that audited had not
        return None, phrase(
            "was not measured: the attack “{name}” was not run", name=_title_of(name)
        )
    if "why" in made:
        return None, made["why"]
    if figure == RAN:
        return 1.0, "; it was tried"
    if figure == SURVIVING:
        return _find_surviving(gate, name, made)
    value = read_number(made["figures"].get(figure))
    if value is not None:
        return value, _format_details(made, figure)
    return None, "the attack has no control group" if figure == "control" else (
        phrase("was not measured by “{name}”", name=_title_of(name))
    )


def _measure_figure(gate: Gate, measures: Mapping[str, Any]) -> Found:
    _, name, figure = gate.figure.split(".", 2)
    made = measures.get(
        name,
        {"why": phrase("was not measured: run the measure “{name}”", name=_title_of(name))},
    )
    if "why" in made:
        return None, made["why"]
    found = read_number(made["figures"].get(figure))
    return found, "" if found is not None else phrase(
        "was not measured by “{name}”", name=_title_of(name)
    )


def _title_of(name: str) -> str:
    """What people call an attack or a measure; its name where this program does not know it."""
    registry = next((known for known in (ATTACKS, MEASURES) if name in known), None)
    return as_phrase(registry[name].title) if registry is not None else name


def _ledger_figure(name: str, total: LedgerTotal | str | None, users: int) -> Found:
    if total is None:
        return None, _LATER
    if isinstance(total, str):
        return None, phrase("was not measured: {why}", why=as_phrase(total))
    return total.find_figure(name, users)


def _find_surviving(gate: Gate, name: str, made: Mapping[str, Any]) -> Found:
    if "surviving" not in made:
        return None, phrase("was not measured: “{name}” flagged no sessions", name=_title_of(name))
    wanted = set(gate.reasons)
    counted = [
        int(some["sessions"])
        for some in made["surviving"]
        if not wanted or wanted.intersection(map(current_label, some["reasons"]))
    ]
    return float(sum(counted)), "; flagged sessions of which something survives"


def _worst_figure(gate: Gate, figure: str, attacks: Mapping[str, Any]) -> Found:
    """The greatest of a figure over the attacks that apply.

    For surviving sessions these are the attacks that read content, each of which has to be known.
    """
    found: list[tuple[float, str]] = []
    for name in CONTENT_ATTACKS if figure == SURVIVING else attacks:
        missing = phrase("was not measured: the attack “{name}” was not run", name=_title_of(name))
        made = attacks.get(name, {"why": missing})
        if "why" in made:
            if figure == SURVIVING and made["why"].startswith(_MISSING):
                return None, made["why"]
            continue
        value, why = (
            _find_surviving(gate, name, made)
            if figure == SURVIVING
            else (
                read_number(made["figures"].get(figure)),
                _format_details(made, figure),
            )
        )
        if value is None and figure == SURVIVING:
            return None, why
        if value is not None:
            found.append(
                (value, phrase(" by “{name}”{why}", name=_title_of(name), why=as_phrase(why)))
            )
    if not found:
        return None, "was not measured: no attack was run"
    value, why = max(found, key=lambda one: one[0])
    return value, phrase(",{why}", why=as_phrase(why))


def _format_details(made: Mapping[str, Any], figure: str) -> str:
    if figure in made.get("flags", ()):
        return phrase("; {note}", note=as_phrase(made["note"]))
    if figure != "rate":
        return ""
    low, high = map(read_number, made["interval"])
    guessing = read_number(made["baseline"])
    if low is None or high is None or guessing is None:
        return ""
    first, last, chance = map(format_share, (low, high, guessing))
    return phrase(
        "; 95 % interval {first} to {last}, guessing {chance}",
        first=first,
        last=last,
        chance=chance,
    )


def read_number(value: Any) -> float | None:
    """A figure as a manifest has it: infinity is a word there."""
    if value in ("infinite", "-infinite"):
        return math.inf if value == "infinite" else -math.inf
    return float(value) if _is_number(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.integer | np.floating)


def _format_value(value: float) -> str:
    if math.isinf(value):
        return "infinite"
    if 0 < abs(value) < 1e-3:
        return format_power(value)
    return NumberText(f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}")
