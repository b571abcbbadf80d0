"""Runs, outlooks and records judged in one step."""

from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.base import ExpectedRelease, Method
from auditor.methods.noisy_counts.period_units import HISTORY
from auditor.release.gates import judge_record
from auditor.release.policy.policy import Gate, Policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, expected_verdict, measured_verdict

EVERY_CHECK = (*ATTACKS, *MEASURES)


def all_checks_but(*names: str) -> list[str]:
    """Attacks and measures for an audit to leave out."""
    return [name for name in EVERY_CHECK if name not in names]


def judge_run(result: Run, log: QueryLog, policy: Policy | None = None) -> ReleaseVerdict:
    record = ReleaseRecord.of_run(result, log)
    return measured_verdict(record if policy is None else judge_record(record, policy))


def judge_outlook(
    outlook: ExpectedRelease,
    policy: Policy,
    log: QueryLog | None = None,
    method: Method | None = None,
) -> ReleaseVerdict:
    return expected_verdict(judge_record(ReleaseRecord.of_outlook(outlook, log, method), policy))


def judged_record(result: Run, log: QueryLog, policy: Policy) -> ReleaseRecord:
    return judge_record(ReleaseRecord.of_run(result, log), policy)


def policy_of(*gates: Gate, **more: Any) -> Policy:
    """A policy as if it was read from a file."""
    return Policy("ours", "", gates, "0" * 64, **more)


def judge_gate(
    record: ReleaseRecord, figure: str, *, unit: str = HISTORY, **limits: Any
) -> GateVerdict:
    """How one check of a record comes out; its gate is called “it”."""
    gate = Gate("it", "it", figure, **limits)
    return judge_record(record, policy_of(gate, unit=unit)).judged[0]
