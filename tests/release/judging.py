"""Runs and outlooks judged in one step, for tests that begin with a run."""

from __future__ import annotations

from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.base import ExpectedRelease, Method
from auditor.release.gates import judge_record
from auditor.release.policy.policy import Policy
from auditor.release.record import ReleaseRecord
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
