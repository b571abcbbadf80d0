"""The gates of a policy before a run: by the expected statement and content alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.attacks.registry import ATTACKS
from auditor.measures.base import MeasuredKind
from auditor.measures.registry import MEASURES
from auditor.methods.base import Method
from auditor.privacy.statement import Statement
from auditor.release.gates import CONTENT_ATTACKS, GateVerdict, judge_recorded
from auditor.release.kept_content import KeptContent
from auditor.release.policy.policy import Policy

if TYPE_CHECKING:
    from auditor.release.ledger.totals import LedgerTotal


def judge_expected(
    statement: Statement,
    kept: KeptContent,
    policy: Policy,
    users: int,
    total: LedgerTotal | str | None = None,
    method: Method | None = None,
) -> tuple[GateVerdict, ...]:
    """Every gate before a run: by the expected statement and content; the rest is not measured.

    What applies to no release of `method` is told from what is still to be measured.
    """
    named = {tuple(gate.figure.split(".")[:2]) for gate in policy.checks}
    attacks: dict[str, Any] = {}
    measures: dict[str, Any] = {}
    if method is not None:
        for name in {name for scope, name in named if scope == "attack"} | {*CONTENT_ATTACKS}:
            if name in ATTACKS and (why := ATTACKS[name].why_not_form(method.form)):
                attacks[name] = {"why": why}
        kind: MeasuredKind = "n-grams" if method.form == "n-grams" else method.yields
        for name in {name for scope, name in named if scope == "measure"}:
            if name in MEASURES and (why := MEASURES[name].why_not_kind(kind, dated=method.dated)):
                measures[name] = {"why": why}
    plain = statement.to_dict()
    recorded = {"users": users, "kept": kept.to_dict(), "attacks": attacks, "measures": measures}
    return judge_recorded(recorded, plain, policy, total)
