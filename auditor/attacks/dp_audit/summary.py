"""Claim, lower bound and limit of an audit as one thing: in words, as a picture, as numbers.

Read from the details of the audit's result, so that a window, a report and a script that hold the
result alone tell the same. A lower bound never confirms a claim; nothing here says that it does.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from auditor.attacks.base import AttackResult
from auditor.figures import Figure, PlotMark, PlotZone, Series, format_delta
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.messages import NumberText, as_phrase, join_phrases, phrase
from auditor.privacy.statement import Statement

catalogue = MetricCatalogue("attacks", "dp_audit")

NAME = "dp-audit"
FAR = 3
"""A claim so many times beyond what can be shown would squeeze all else: it is cut off."""

Outcome = Literal["no claim", "not audited", "refuted", "not refuted", "beyond sight"]


@dataclass(frozen=True)
class AuditSummary:
    """What is claimed of a release and what an audit showed of it.

    `claimed` is None where there is no claim, and may be infinite. `sampled` is the largest lower
    bound on ε by counting, None without an audit and where its `runs` showed nothing. `limit` is
    the most that counting could have shown. `impossible` is the least chance of outputs that are
    impossible without one user, 0 if none was seen; `endless` where that is above δ, so that no ε
    holds at all. `refuted` says that the audit refutes the (ε, δ) or the noise that the statement
    names; `failing` are the assumptions that fail by the statement itself.
    """

    claimed: float | None
    delta: float
    sampled: float | None = None
    limit: float = 0.0
    impossible: float = 0.0
    endless: bool = False
    refuted: bool = False
    runs: int = 0
    confidence: float = 0.95
    failing: tuple[str, ...] = ()

    @property
    def bound(self) -> float | None:
        """The lower bound that counts: infinite where no ε holds."""
        return math.inf if self.endless else self.sampled

    @property
    def outcome(self) -> Outcome:
        """What the audit says of the claim."""
        if self.claimed is None:
            return "no claim"
        if self.bound is None:
            return "not audited"
        if self.refuted or self.bound > self.claimed:
            return "refuted"
        return "beyond sight" if self.claimed > self.limit else "not refuted"

    @property
    def end(self) -> float:
        """Where a scale of ε ends on which all of it has its place."""
        reach, claimed = max(self.limit, self.sampled or 0.0), self.claimed or 0.0
        if math.isfinite(claimed) and (reach == 0 or claimed <= FAR * reach):
            reach = max(reach, claimed)
        return 1.2 * reach or 1.0


def summarize_audit(statement: Statement, attacks: Iterable[AttackResult] = ()) -> AuditSummary:
    """The claim of a statement with what an audit among `attacks` showed."""
    audit = next((attack for attack in attacks if attack.attack == NAME), None)
    return summarize_details(statement, None if audit is None else audit.details)


def summarize_details(statement: Statement, details: Mapping[str, Any] | None) -> AuditSummary:
    """The same from the audit's details; None where there was no audit."""
    claim = statement.epsilon if statement.model == "differential privacy" else None
    audit = AuditSummary(
        claim,
        statement.delta or 0.0,
        failing=tuple(assumption.name for assumption in statement.failing),
    )
    if details is None or claim is None:
        return audit
    if details.get("verdict") == "not audited":
        return dataclasses.replace(audit, runs=int(details["runs"]))
    looks = details["bounds"].values()
    return dataclasses.replace(
        audit,
        sampled=float(details["sampled_epsilon"]),
        limit=float(details["limit"]),
        impossible=max((float(look.get("impossible", 0.0)) for look in looks), default=0.0),
        endless=details["audited_epsilon"] == "infinite",
        refuted=bool(details.get("refuted")),  # audits of earlier versions compare ε alone
        runs=int(details["runs"]),
        confidence=float(details["confidence"]),
    )


def format_short(audit: AuditSummary) -> str:
    """The bound as it stands beside a claim; empty if nothing was audited."""
    if audit.claimed is None or audit.bound is None:
        return ""
    if audit.endless:
        return "audited: no ε holds"
    return phrase("audited ≥ {sampled:.3g}", sampled=audit.sampled)


def draw_summary(audit: AuditSummary) -> Figure:
    """Claim, bound, limit and failed assumptions for a report or a window."""
    assert audit.claimed is not None
    assert audit.sampled is not None
    assert audit.bound is not None
    end = audit.end
    bar = end if audit.endless else audit.sampled
    names = (
        "no finite claim"
        if math.isinf(audit.claimed)
        else phrase("claimed ≤ {claimed:.4g}", claimed=audit.claimed),
        "no ε holds" if audit.endless else phrase("shown ≥ {sampled:.3g}", sampled=audit.sampled),
    )
    wrong = audit.bound > audit.claimed
    series = (
        _make_bar("claimed by the statement", 0, min(audit.claimed, end)),
        _make_bar(
            "✗ shown, above the claim" if wrong else "shown, within the claim", 1, bar, wrong
        ),
    )
    marks = [
        PlotMark("y", audit.limit, phrase("unseen above {limit:.3g}", limit=audit.limit), "note")
    ]
    if audit.claimed <= end:
        label = phrase("claim {claimed:.4g}", claimed=audit.claimed)
        marks.insert(0, PlotMark("y", audit.claimed, label, "current"))
    return catalogue.figure(
        "verdict",
        series,
        categories=names,
        note=join_phrases(" ", write_sentences(audit)),
        marks=tuple(marks),
        zones=(PlotZone("y", audit.limit, end, "", "note"),),
    )


def write_sentences(audit: AuditSummary) -> list[str]:
    """The result for readers without statistics, the verdict first."""
    sentences = [write_verdict(audit)]
    if audit.sampled is not None and audit.outcome != "no claim":
        sentences.append(catalogue.say("summary_reach", runs=audit.runs, limit=audit.limit))
        if audit.impossible and not audit.endless:
            impossible = as_phrase(format_delta(audit.impossible))
            sentences.append(catalogue.say("summary_impossible", impossible=impossible))
    if audit.failing:
        is_plural = len(audit.failing) > 1
        sentences.append(
            catalogue.say(
                "summary_failing_several" if is_plural else "summary_failing",
                failing=len(audit.failing),
                found_failing=join_phrases("; ", audit.failing),
            )
        )
    return sentences


def write_verdict(audit: AuditSummary) -> str:
    """One sentence with a sign; it never says that a claim was confirmed."""
    claimed = _format_epsilon(audit.claimed)
    sure = as_phrase(phrase("with {confidence:g} % confidence", confidence=100 * audit.confidence))
    match audit.outcome:
        case "no claim":
            return "– No ε is claimed, so there is none to audit."
        case "not audited" if audit.runs:
            return catalogue.say("summary_no_output", runs=audit.runs)
        case "not audited":
            return "? Not audited: nobody has tried to refute this claim."
        case "refuted" if audit.endless:
            impossible = as_phrase(format_delta(audit.impossible or 0.0))
            return catalogue.say(
                "summary_refuted_outright", impossible=impossible, sampled=audit.sampled
            )
        case "refuted" if (audit.sampled or 0.0) <= (audit.claimed or 0.0):
            return catalogue.say("summary_less_noise", sampled=audit.sampled, sure=sure)
        case "beyond sight":
            return catalogue.say("summary_beyond_sight", sampled=audit.sampled, claimed=claimed)
        case outcome:
            name = "summary_refuted" if outcome == "refuted" else "summary_not_refuted"
            return catalogue.say(name, sampled=audit.sampled, sure=sure, claimed=claimed)


def _make_bar(name: str, position: int, value: float, bad: bool = False) -> Series:
    values, none = np.full(2, np.nan), np.full(2, np.nan)
    values[position] = value
    role: Literal["", "bad"] = "bad" if bad else ""
    return Series(name, np.arange(2.0), values, "bars", none, none, role=role)


def _format_epsilon(value: float | None) -> str:
    if value is None or math.isnan(value):
        return "nothing"
    return phrase("no finite number") if math.isinf(value) else NumberText(f"{value:.4g}")
