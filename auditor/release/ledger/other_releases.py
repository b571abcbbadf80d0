"""Whether a statement's assumption that nothing else of the log is released holds, by the ledger.

A method can't know it, so the assumption leaves it undecided; whoever writes the release can. The
ledger knows what was approved by this account: another person's releases are in another ledger.
"""

from __future__ import annotations

import contextlib
import dataclasses
from pathlib import Path

from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.methods.statements import NO_OTHER_RELEASE
from auditor.privacy.statement import Statement, Status
from auditor.release import signing
from auditor.release.internal_folder import keyed_digest
from auditor.release.ledger import history, store


def decide_other_releases(
    statement: Statement,
    digest: str,
    keyed: str = "",
    *,
    ledger: Path | None = None,
    without: str = "",
) -> Statement:
    """The statement with that assumption decided; `keyed` is the log's keyed digest.

    `ledger` is the file that is asked, the usual one unless it is given; `without` leaves out a
    release, by the digest of its manifest.

    Budgets add up, so a formal ε holds beside others that the ledger counts. Groups of several
    releases don't, and tell more than each alone: there it fails.
    """
    if not any(one.name == NO_OTHER_RELEASE for one in statement.assumptions):
        return statement
    status, evidence = _decide_status(statement, digest, keyed, store.ledger_path(ledger), without)
    decided = tuple(
        dataclasses.replace(one, status=status, evidence=evidence)
        if one.name == NO_OTHER_RELEASE
        else one
        for one in statement.assumptions
    )
    return dataclasses.replace(statement, assumptions=decided)


def decide_before_run(
    statement: Statement, digest: str, *, ledger: Path | None = None
) -> Statement:
    """The same of a release that isn't made yet; makes no audit key where there is none."""
    keyed = ""
    path = store.data_folder() / signing.AUDIT_KEY
    with contextlib.suppress(AuditorError, OSError):
        if path.exists():
            secret = signing.audit_secret(signing.private_key(path))
            keyed = keyed_digest(digest, secret)
    return decide_other_releases(statement, digest, keyed, ledger=ledger)


def decide_for_run(result: Run, *, ledger: Path | None = None) -> None:
    """Let a run's release say it, for whoever shows or judges what isn't written to a folder."""
    statement = decide_before_run(result.release.statement, result.plan.log_digest, ledger=ledger)
    if statement is not result.release.statement:
        result.made = dataclasses.replace(result.release, statement=statement)
        result.statement = statement


def _decide_status(
    statement: Statement, digest: str, keyed: str, ledger: Path, without: str
) -> tuple[Status, str]:
    try:
        state = store.read_ledger(ledger)
        state.raise_problems()
    except (AuditorError, OSError):
        return "unknown", "the ledger of this account can't be read"
    others = len(history.ledger_history(state, digest, without=without, keyed=keyed).releases)
    if not others:
        return "holds", "when this was written, the ledger of this account had no release of it"
    if statement.model == "differential privacy":
        return "holds", (
            "the ledger of this account has other releases of it, and its sum will count this "
            "one, too"
        )
    return "fails", "the ledger of this account has other releases of it"
