"""The journal of written releases, and the assumptions that the ledger decides by it.

Every release that is written is entered in the ledger, approved or not. A method can't know what
else was released of its log, nor whether its draw is one of several, so it leaves these assumptions
undecided; they are decided when a release is written, again when it is approved, and again for
whoever verifies it beside a ledger. The ledger knows the releases of one account: those of other
people are in other ledgers.
"""

import contextlib
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.engine.run import Run
from auditor.errors import AuditorError, ExportRefused
from auditor.log.model import LogTotals, QueryLog
from auditor.log.sentences import sentence
from auditor.methods.registry import METHODS
from auditor.methods.statements import NO_OTHER_RELEASE, ONE_DRAW
from auditor.privacy.statement import Assumption, Statement, Status
from auditor.progress import Progress
from auditor.release import signing
from auditor.release.ledger import history, store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import LedgerState
from auditor.release.manifest import audited_digest, keyed_digest, synthetic_source

NO_OTHER_DRAW = sentence("ledger.no_other_draw")
Decisions = Mapping[str, tuple[Status, str]]
"""Names of assumptions with the status that the ledger gives them, and why."""


def decide_assumptions(model: str, releases: LedgerHistory | None) -> Decisions:
    """What the ledger says of a release of this model; `releases` None if it can't be read.

    Budgets add up, so a formal ε holds beside others that are approved and so counted. Groups of
    several releases don't, and tell more than each alone: there it fails. Of a release that was
    written and not approved nobody knows whether it was handed out, or only looked at; of a log
    that shares user ids alone, whether it is the same people's, perhaps in another form. Draws that
    were looked at without being written are in no journal, so that a draw was not picked among
    several is never known.
    """
    if releases is None:
        unread = "the ledger of this account can't be read"
        return {NO_OTHER_RELEASE: ("unknown", unread), ONE_DRAW: ("unknown", unread)}
    approved, pending = len(releases.releases), len(releases.unapproved)
    methods = [str(entry.body.get("method", "")) for entry in releases.unapproved]
    draws = sum(name not in METHODS or METHODS[name].randomised for name in methods)
    other_status: tuple[Status, str]
    if approved and model != "differential privacy":
        other_status = "fails", "the ledger of this account has other releases of it"
    elif pending:
        key = "ledger.other_pending_many" if pending > 1 else "ledger.other_pending_one"
        other_status = "unknown", sentence(key, pending=pending)
    elif releases.perhaps:
        other_status = "unknown", sentence("ledger.other_with_same_users")
    elif approved:
        other_status = "holds", sentence("ledger.counted_with_others")
    else:
        other_status = "holds", "the ledger of this account has no other release of it"
    evidence = sentence("ledger.draws", draws=draws) if draws else NO_OTHER_DRAW
    return {NO_OTHER_RELEASE: other_status, ONE_DRAW: ("unknown", evidence)}


def apply_decisions(statement: Statement, decisions: Decisions) -> Statement:
    """The statement with the status and the evidence of its assumptions that were decided."""
    moment = store.current_time()
    assumptions = [
        Assumption(item.name, item.text, *decisions[item.name], moment)
        if item.name in decisions
        else item
        for item in statement.assumptions
    ]
    return dataclasses.replace(statement, assumptions=tuple(assumptions))


def decide_before_run(
    statement: Statement, digest: str, *, ledger: Path | None = None, excluded: str = ""
) -> Statement:
    """The statement of a release that isn't written; makes no audit key where there is none."""
    keyed = ""
    path = store.data_folder() / signing.AUDIT_KEY
    with contextlib.suppress(AuditorError, OSError):
        if path.exists():
            secret = signing.audit_secret(signing.private_key(path))
            keyed = keyed_digest(digest, secret)
    releases = None
    with contextlib.suppress(AuditorError, OSError):
        state = store.read_ledger(store.ledger_path(ledger))
        state.raise_problems()
        releases = history.ledger_history(state, digest, excluded=excluded, keyed=keyed)
    return apply_decisions(statement, decide_assumptions(statement.model, releases))


def decide_for_run(result: Run, *, ledger: Path | None = None) -> None:
    """Let a run's release say it, for whoever shows or judges what isn't written to a folder."""
    statement = decide_before_run(result.release.statement, result.plan.log_digest, ledger=ledger)
    result.anonymized = dataclasses.replace(result.release, statement=statement)
    result.statement = statement


class ReleaseJournal:
    """The ledger, while a release of a log is written: what it decides, and the new entry.

    Raises `ExportRefused` or `ExportFailed` where the ledger can't be read or written: a release
    that leaves no trace is not written.
    """

    def __init__(
        self, result: Run, log: LogTotals, ledger: Path | None, progress: Progress
    ) -> None:
        self._path = store.ledger_path(ledger)
        self._result, self._log = result, log
        secret = signing.audit_secret(signing.audit_key())
        self._keyed = keyed_digest(log.digest, secret)
        if isinstance(log, QueryLog):
            self._state = history.remember_log(log, self._path, secret, progress)
            # A statement that leaves out what choosing parameters cost meanwhile is refused.
            if (selection := result.plan.selection) is not None:
                updated = PrivateChoices(self._path).update_selection(selection, log, progress)
                if updated and updated.epsilon > selection.epsilon:
                    spent, stated = updated.epsilon, selection.epsilon
                    raise ExportRefused(sentence("ledger.choices_cost", spent=spent, stated=stated))
        else:
            self._state = store.read_ledger(self._path)
            self._state.raise_problems()

    def decide(self, statement: Statement) -> Statement:
        """The statement with what the ledger decides, before this release is in it.

        What was decided already and comes out the same keeps its moment.
        """
        releases = history.ledger_history(self._state, self._log.digest, keyed=self._keyed)
        decisions = dict(decide_assumptions(statement.model, releases))
        for item in statement.assumptions:
            if item.decided and decisions.get(item.name) == (item.status, item.evidence):
                del decisions[item.name]
        return apply_decisions(statement, decisions)

    def enter_release(self, manifest: str) -> None:
        """Enter the release with a manifest of this SHA-256."""
        body = {
            "kind": store.WRITTEN,
            "at": store.current_time(),
            "log": {"digest": self._log.digest, "keyed": self._keyed},
            "release": manifest,
            "method": self._result.plan.method,
        }
        with store.open_for_append(self._path) as writer:
            writer.append(body)


def find_standing(facts: Mapping[str, Any], state: LedgerState) -> Decisions | None:
    """What a ledger decides now of the release with this manifest; None if it isn't in it.

    Of a synthetic log it is that of the release of which it was made.
    """
    audited = synthetic_source(facts) or audited_digest(facts)
    entry = next((item for item in state.entries if item.body.get("release") == audited), None)
    if entry is None:
        return None
    statement = facts["statement"]
    releases = history.ledger_history(state, history.log_of(entry), excluded=audited)
    decisions = decide_assumptions(str(statement.get("model", "")), releases)
    names = {item.get("name") for item in statement.get("assumptions", ())}
    return {name: decided for name, decided in decisions.items() if name in names}
