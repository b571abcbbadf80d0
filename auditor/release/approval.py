"""Approval: a named reviewer lets a release pass, and the whole folder is signed.

An approval trusts the folder in nothing that it can find out by itself. Files are hashed anew; the
evidence beside the folder must be the one that the audit sealed, and of this manifest; the gates
are judged anew from the recorded figures, by the reviewer's own policy if there is one, and by what
the ledger holds at this very moment; with the log at hand its digest, the statement and the
definitions are checked again (`auditor.release.recheck`). Every gate must be passed, or overridden
by name with a reason.

**Order of writes.** The new folder is complete and on the disk, under a hidden name, except for
manifest and signature; then the ledger is held, the gates are judged for the last time, the entry
is written, manifest and signature with the entry's hash are added, the ledger is committed, and one
rename puts the folder in place. Killed before the commit: nothing happened. Killed after it: the
release counts and is not approved; approving it again finds its entry and counts nothing twice. If
the rename fails, the entry is withdrawn. No release is ever signed that the ledger doesn't hold.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.bounded_files import UnfitFile, open_regular
from auditor.errors import AuditorError, ExportRefused, ParameterError
from auditor.log.escaping import printable_text, says_something
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.messages import DisplayText, phrase
from auditor.progress import Progress
from auditor.release import gates, recheck, signing
from auditor.release.atomic_write import replaced_file, staged_folder, write_file
from auditor.release.evidence import public_facts, public_verdict
from auditor.release.export_target import quote_name, resolve_target
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.other_releases import Decisions, apply_decisions, decide_assumptions
from auditor.release.ledger.store import LedgerEntry, LedgerState, LedgerWriter
from auditor.release.ledger.totals import spent_of, to_plain
from auditor.release.manifest import (
    APPROVAL,
    MANIFEST,
    SIGNATURE,
    belongs_to_release,
    check_files,
    internal_folder,
    manifest_bytes,
    parse_manifest,
    read_evidence,
    to_bytes,
    verify_folder,
)
from auditor.release.policy import policy as policies
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.policy.policy import Policy
from auditor.release.record import GateVerdict, ReleaseRecord
from auditor.release.verdict import ReleaseVerdict, measured_verdict

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


LONGEST_REASON = 4_000
"""Characters of a reason."""
_BLOCK = 8 << 20


def clean_reviewer(name: str) -> str:
    """The name as it will be signed; raises `ParameterError` where nobody can read one."""
    name = printable_text(name).strip()
    if not says_something(name):
        raise ParameterError("reviewer", "An approval needs the name of whoever gives it.")
    return name


def check_overrides(overrides: Mapping[str, str], checks: Sequence[GateVerdict]) -> dict[str, str]:
    """The overrides as they will be signed: of each gate in the way, with a reason, and no other.

    Raises `ParameterError` for another, and `ExportRefused` where one is missing.
    """
    failed_gates = [check.gate.name for check in checks if not check.ok]
    reasons = {name: printable_text(reason).strip() for name, reason in overrides.items()}
    for name, reason in reasons.items():
        message: DisplayText = ""
        if name not in failed_gates:
            name = printable_text(name)[:80]
            message = phrase("The gate '{name}' needs no override here.", name=name)
        elif not says_something(reason):
            message = phrase("Overriding the gate '{name}' needs a reason.", name=name)
        elif len(reason) > LONGEST_REASON:
            pattern = (
                "The reason for overriding the gate '{name}' has more than {most:,} characters."
            )
            message = phrase(pattern, name=name, most=LONGEST_REASON)
        if message:
            raise ParameterError("override", message)
    missing = [name for name in failed_gates if name not in reasons]
    if missing:
        names = ", ".join(missing)
        raise ExportRefused(phrase("These gates stand in the way: {missing}.", missing=names))
    return reasons


@dataclass(frozen=True)
class ApprovalReview:
    """A release that waits for approval, and everything that was found out about it."""

    folder: Path
    facts: Mapping[str, Any]  # the evidence
    public: Mapping[str, Any]  # the manifest
    release: str
    policy: Policy
    own_policy: bool
    audit_key: str
    record: ReleaseRecord
    """As the audit kept it."""
    digest: str  # of the log; empty where only that under the auditor's key is known
    keyed: str  # the digest under the auditor's key
    standing: Mapping[str, tuple[int, int]]
    rechecked: tuple[str, ...] = ()
    attestation: ContractAttestation = field(default_factory=ContractAttestation)

    def attest(self, reviewer: str, fields: Mapping[str, Any]) -> ApprovalReview:
        """The same with what a reviewer attests of the contract; raises `ParameterError`."""
        attestation = ContractAttestation.of(clean_reviewer(reviewer), fields)
        return dataclasses.replace(self, attestation=attestation)

    def find_history(self, state: LedgerState) -> LedgerHistory:
        """The releases of its log, without itself."""
        digest = self.find_digest(state)
        return ledger_history.ledger_history(state, digest, excluded=self.release, keyed=self.keyed)

    def find_digest(self, state: LedgerState) -> str:
        """The log's digest, as far as the ledger and this person's key tell it."""
        if self.digest or not self.keyed:
            return self.digest
        secret = signing.audit_secret(signing.audit_key())
        return ledger_history.digest_of(state, self.keyed, secret)

    def decide_assumptions(self, state: LedgerState) -> Decisions:
        """What the ledger decides of the release, as it stands now."""
        return decide_assumptions(self.record.statement.model, self.find_history(state))

    def judge_gates(self, state: LedgerState) -> tuple[GateVerdict, ...]:
        """Every gate, with the ledger as it stands and this release added to it."""
        return self.judge_record(state).judged

    def judge_record(self, state: LedgerState) -> ReleaseRecord:
        """The record that the audit made, judged anew."""
        statement = apply_decisions(self.record.statement, self.decide_assumptions(state))
        record = dataclasses.replace(self.record, statement=statement, attestation=self.attestation)
        total = self.find_history(state).add_release(record)
        return gates.judge_record(record, self.policy, total)

    def compute_verdict(self, state: LedgerState, overrides: Mapping[str, str]) -> ReleaseVerdict:
        """The answer, with the checks that a reviewer lets pass."""
        return measured_verdict(self.judge_record(state).override(overrides))

    def list_blocking(self, state: LedgerState, overrides: Mapping[str, str]) -> list[str]:
        """Gates that are neither passed nor overridden."""
        failed = [check.gate.name for check in self.judge_gates(state) if not check.ok]
        return [name for name in failed if name not in overrides]


def review_folder(
    folder: Path,
    *,
    progress: Progress,
    policy: Policy | None = None,
    audit_key: Ed25519PublicKey | None = None,
    log: QueryLog | None = None,
) -> ApprovalReview:
    """Look at a release folder as an approval does; nothing is written.

    `policy` is the reviewer's own, or else that of the audit; `audit_key` says whose audits are
    trusted, or else this person's own; from the original `log` is checked again what can be
    computed. Raises `ExportRefused` if the folder is not what its manifest says, was not judged or
    not sealed by a trusted audit, is approved already, or contradicts the log.
    """
    target = resolve_target(Path(folder))
    label = quote_name(target)
    standing = _list_files(target) if target.is_dir() else {}
    try:
        data = manifest_bytes(target)
        public = parse_manifest(data)
    except ValueError as error:
        message = sentence("approval.not_as_manifest", target=label, error=error)
        if not target.is_dir():
            message = phrase("{target} is no release folder.", target=label)
        raise ExportRefused(message) from None
    if problems := verify_folder(target, progress, data=data):
        reason = problems[0].rstrip(".")
        raise ExportRefused(sentence("approval.not_as_manifest_why", target=label, why=reason))
    if "approval" in public or os.path.lexists(target / SIGNATURE):
        raise ExportRefused(phrase("{target} is approved already.", target=label))
    trusted = audit_key or signing.audit_key().public_key()
    facts = _read_evidence(target, data, trusted)
    rules = policy or policies.default_policy()
    if policy is None and facts["gates"].get("sha256") != rules.sha256:
        rules = policies.policy_from(facts["gates"])
    checks = recheck.recheck_release(log, target, facts, progress) if log is not None else ()
    return ApprovalReview(
        folder=target,
        facts=facts,
        public=public,
        release=hashlib.sha256(data).hexdigest(),
        policy=rules,
        own_policy=policy is not None,
        audit_key=signing.key_fingerprint(trusted),
        record=ReleaseRecord.from_evidence(facts),
        digest=log.digest if log is not None else "",
        keyed=str(facts.get("input", {}).get("keyed_digest", "")),
        standing=standing,
        rechecked=checks,
    )


def approve_folder(
    folder: Path,
    *,
    reviewer: str,
    key: Ed25519PrivateKey,
    overrides: Mapping[str, str],
    progress: Progress,
    ledger_file: Path | None = None,
    attested: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`review` and `sign` in one step, for a release that this person audited themselves."""
    review = review_folder(folder, progress=progress).attest(reviewer, attested or {})
    options: dict[str, Any] = {"reviewer": reviewer, "key": key, "overrides": overrides}
    return sign_folder(review, progress=progress, ledger_file=ledger_file, **options)


def sign_folder(
    review: ApprovalReview,
    *,
    reviewer: str,
    key: Ed25519PrivateKey,
    overrides: Mapping[str, str],
    progress: Progress,
    ledger_file: Path | None = None,
) -> dict[str, Any]:
    """Enter the release in the ledger, the approval in the manifest, and sign it.

    What the review attests is attested by whoever signs. Returns what was written of the approval.

    Raises
    ------
    ExportRefused
        A gate stands in the way, the ledger was tampered with, or the folder was changed since.
    ParameterError
        No reviewer, an override without a reason, or of a gate that needs none.
    ExportFailed
        The disk is full or the system refused; folder and ledger are as they were, except that
        the ledger may tell of an entry which was withdrawn.
    """
    review = review.attest(reviewer, review.attestation.fields)
    reviewer = review.attestation.by
    path = store.ledger_path(ledger_file)
    state = store.read_ledger(path)
    state.raise_problems()
    # for the last time when the ledger is held
    check_overrides(overrides, review.judge_gates(state))
    entry: LedgerEntry | None = None
    new = False
    try:
        with staged_folder(
            review.folder, replaceable=lambda old: _list_files(old) == review.standing
        ) as place:
            _copy_files(review, place, progress)
            with store.open_for_append(path) as writer:
                entry, new = _enter_release(review, writer, reviewer, key, overrides)
                approval = _build_approval(review, writer, entry)
                data = to_bytes({**review.public, "approval": _approval_facts(approval)})
                write_file(place / MANIFEST, [data])
                write_file(place / SIGNATURE, [signing.sign_bytes(data, key)])
                if problems := signing.check_signature(place, key.public_key())[0]:
                    facts = {"folder": quote_name(review.folder), "problems": problems[0]}
                    raise ExportRefused(sentence("approval.cannot_sign", **facts))
    except BaseException:
        if entry is not None and new and not _is_in_place(review.folder, entry):
            # Take back what came to nothing; where that fails too, the release goes on counting.
            with contextlib.suppress(AuditorError):
                if entry in store.read_ledger(path).entries:
                    store.withdraw_entry(path, entry, "the folder could not be put in place")
        raise
    copy = internal_folder(review.folder) / APPROVAL
    # The ledger and the manifest have it, too.
    with contextlib.suppress(AuditorError, OSError), replaced_file(copy) as file:
        write_file(file, [to_bytes(approval)])
    return approval


# --- what can be found out --------------------------------------------------------------------


def _read_evidence(target: Path, manifest: bytes, trusted: Ed25519PublicKey) -> dict[str, Any]:
    """The evidence beside a release; raises unless a trusted audit wrote it for this manifest.

    Word for word, and judged by a policy.
    """
    internal = internal_folder(target)
    name, other = quote_name(target), quote_name(internal)
    if not os.path.lexists(internal):
        raise ExportRefused(sentence("approval.no_evidence", beside=other))
    try:
        facts, data = read_evidence(internal)
    except ValueError as error:
        reason = phrase("{beside} can't be read: {error}.", beside=other, error=error)
        raise ExportRefused(reason) from None
    gate_facts = facts.get("gates")
    if not isinstance(gate_facts, dict) or not gate_facts.get("results"):
        raise ExportRefused(
            "This release was not judged by any policy. Make it by 'auditor audit', which does."
        )
    if problems := signing.check_seal(internal, data, trusted):
        raise ExportRefused(sentence("approval.not_as_audited", target=other, problems=problems[0]))
    if not isinstance(gate_facts.get("figures"), dict) or data != to_bytes(facts):
        raise ExportRefused("The manifest's gates can't be judged anew. Make the release anew.")
    if not belongs_to_release(facts, manifest):
        places = {"target": name, "manifest": MANIFEST, "beside": other}
        raise ExportRefused(sentence("approval.changed_after_audit", **places))
    try:
        record = ReleaseRecord.from_evidence(facts)
        derived = public_facts(facts, measured_verdict(record).to_dict())
    except (KeyError, TypeError, ValueError, AttributeError):
        reason = phrase("{beside} can't be judged anew. Audit it anew.", beside=other)
        raise ExportRefused(reason) from None
    if _without_words(derived) != _without_words(parse_manifest(manifest)):
        raise ExportRefused(sentence("approval.contradicts_evidence", target=name, beside=other))
    return facts


def _without_words(facts: Mapping[str, Any]) -> dict[str, Any]:
    """A manifest without the wording of its verdict, which another version may have changed."""
    verdict = facts.get("verdict", {}).items()
    worded = ("title", "strength")
    return {**facts, "verdict": {key: value for key, value in verdict if key not in worded}}


def _approval_facts(approval: Mapping[str, Any]) -> dict[str, Any]:
    """What the manifest says of an approval: no figures, for the release may be handed out."""
    facts = {name: value for name, value in approval.items() if name not in ("gates", "rechecked")}
    facts["ledger"] = {name: approval["ledger"][name] for name in ("id", "entry", "head")}
    facts["assumptions"] = [
        {name: value for name, value in assumption.items() if name != "evidence"}
        for assumption in approval["assumptions"]
    ]
    return facts | {"verdict": public_verdict(approval["verdict"])}


def _enter_release(
    review: ApprovalReview,
    writer: LedgerWriter,
    reviewer: str,
    key: Ed25519PrivateKey,
    overrides: Mapping[str, str],
) -> tuple[LedgerEntry, bool]:
    """The release's entry, and whether it is new: one that a killed approval left is taken up."""
    reasons = check_overrides(overrides, review.judge_gates(writer.state))
    body = {
        "kind": store.APPROVED,
        "log": {"digest": review.find_digest(writer.state), "users": review.record.users}
        | ({"keyed": review.keyed} if review.keyed else {}),
        "release": review.release,
        "params": dict(review.record.params),
        "reviewer": reviewer,
        "overrides": [{"gate": name, "reason": reason} for name, reason in reasons.items()],
        "key_fingerprint": signing.key_fingerprint(key.public_key()),
        "policy": {"name": review.policy.name, "sha256": review.policy.sha256},
        **review.attestation.to_plain(),
    } | to_plain(spent_of(review.record))
    for entry in writer.state.approvals:
        if {name: value for name, value in entry.body.items() if name != "at"} == body:
            return entry, False
    return writer.append(body | {"at": store.current_time()}), True


def _build_approval(
    review: ApprovalReview, writer: LedgerWriter, entry: LedgerEntry
) -> dict[str, Any]:
    history = review.find_history(writer.state)
    checks = review.judge_gates(writer.state)
    return {
        "reviewer": entry.body["reviewer"],
        "at": entry.body["at"],
        "overrides": [dict(item) for item in entry.body["overrides"]],
        **review.attestation.to_plain(),
        "key_fingerprint": entry.body["key_fingerprint"],
        "audit": {"key_fingerprint": review.audit_key, "manifest_sha256": review.release},
        "policy": {
            "name": review.policy.name,
            "sha256": review.policy.sha256,
            "source": "named at the approval" if review.own_policy else "that of the audit",
        },
        "gates": [check.to_dict() for check in checks],
        "verdict": review.compute_verdict(
            writer.state, {item["gate"]: item["reason"] for item in entry.body["overrides"]}
        ).to_dict(),
        "assumptions": [
            {"name": name, "status": status, "evidence": evidence, "at": entry.body["at"]}
            for name, (status, evidence) in review.decide_assumptions(writer.state).items()
        ],
        "rechecked": list(review.rechecked),
        "ledger": {
            "id": writer.state.id,
            "entry": entry.number,
            "head": entry.hash,
            "total": history.add_release(review.record).to_dict(),
        },
    }


def _copy_files(review: ApprovalReview, place: Path, progress: Progress) -> None:
    """Copies of the files, hashed after that: whoever holds the old ones open changes nothing."""
    files = review.public["files"]
    for name in files:
        with (
            contextlib.suppress(UnfitFile),  # then its copy is missing, which is told below
            open_regular(review.folder / name, follow=False) as file,
        ):
            write_file(place / name, iter(functools.partial(file.read, _BLOCK), b""))
        progress.check()
    if problems := check_files(place, files, progress):
        label, reason = quote_name(review.folder), problems[0]
        raise ExportRefused(sentence("approval.changed_meanwhile", folder=label, problems=reason))


def _is_in_place(folder: Path, entry: LedgerEntry) -> bool:
    try:
        approval = parse_manifest(manifest_bytes(folder)).get("approval", {})
        return bool(approval["ledger"]["head"] == entry.hash)
    except (ValueError, KeyError, TypeError):
        return False


def _list_files(folder: Path) -> dict[str, tuple[int, int]]:
    stats = {entry.name: entry.lstat() for entry in folder.iterdir()}
    return {name: (status.st_size, status.st_mtime_ns) for name, status in stats.items()}
