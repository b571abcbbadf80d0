"""Whether a release folder is what it says: files, seal, signature; each is read once.

The manifest's bytes are read at the beginning, and everything is judged by those: whoever swaps the
file meanwhile changes nothing of the answer. A release that says of itself that it was approved has
to be signed: an approval without a signature is a failure, not an unsigned release.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.log.sentences import sentence
from auditor.messages import error_message
from auditor.progress import Progress
from auditor.release import signing
from auditor.release.evidence import audited_verdict, overridden_checks
from auditor.release.manifest import (
    SIGNATURE,
    manifest_bytes,
    parse_manifest,
    synthetic_source,
    verify_folder,
)
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.verdict import ReleaseState

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


@dataclass(frozen=True)
class VerifiedFolder:
    """What is wrong with a release folder, and by whom it is signed."""

    problems: tuple[str, ...]
    signer: str = ""  # fingerprint of the key that signed it, "" if none did
    # Whether it is the key that was asked for: else nobody knows whose it is.
    identified: bool = False
    approved: bool = False
    """Whether somebody approved it: by a signature, whose owner `identified` speaks of."""
    overridden: tuple[str, ...] = ()
    """Names of checks that the reviewer let pass with a reason."""
    attestation: ContractAttestation = field(default_factory=ContractAttestation)
    """What the reviewer attested of the contract."""
    verdict: Mapping[str, Any] = field(default_factory=dict)
    """What the manifest says of the checks that were made, where nothing is wrong with it."""
    source: str = ""
    """Of a synthetic log, the release of which it was made, and whose verdict it has."""
    manifest: Mapping[str, Any] = field(default_factory=dict)
    """All that its manifest says, where nothing is wrong with it."""

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it, always by the same keys."""
        unknown = {"state": ReleaseState.NOT_CHECKED.value, "title": ReleaseState.NOT_CHECKED.title}
        plain: dict[str, Any] = {
            "ok": not self.problems,
            "problems": list(self.problems),
            "signed": bool(self.signer),
            "identified": self.identified,
            "approved": self.approved,
            "overridden": list(self.overridden),
            "verdict": dict(self.verdict) or unknown,
        }
        if attested := self.attestation.to_plain():
            plain |= {**attested, "attested_by": self.attestation.by}
        plain |= {"key_fingerprint": self.signer} if self.signer else {}
        return plain | ({"synthetic": True, "source": self.source} if self.source else {})


def verify_release(
    folder: Path, progress: Progress, trusted: Ed25519PublicKey | None = None
) -> VerifiedFolder:
    """Check a release folder against its manifest, its seal and its signature."""
    try:
        data = manifest_bytes(folder)
        facts = parse_manifest(data)
    except ValueError as error:
        if not folder.is_dir() or folder.is_symlink():
            return VerifiedFolder(("There is no release folder here.",))
        return VerifiedFolder((error_message(error),))
    problems = verify_folder(folder, progress, data=data)
    wrong, signer = signing.check_signature(folder, trusted, data=data)
    if not wrong and not signer and "approval" in facts:
        wrong = [sentence("verify.unsigned", signature=SIGNATURE)]
    problems += wrong or signing.find_seal_problems(folder, data)
    approved = bool(signer and "approval" in facts and not problems)
    return VerifiedFolder(
        problems=tuple(problems),
        signer=signer,
        identified=bool(trusted and signer and not wrong),
        approved=approved,
        overridden=tuple(overridden_checks(facts)) if approved else (),
        attestation=ContractAttestation.of_approval(facts["approval"] if approved else {}),
        verdict={} if problems else audited_verdict(facts),
        source=synthetic_source(facts),
        manifest={} if problems else facts,
    )
