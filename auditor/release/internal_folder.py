"""The folder beside a release that stays inside: evidence, its seal, reports, the whole approval.

A release ``NAME`` is what may be handed out, whole. ``NAME.internal`` holds what it was judged by:
``evidence.json`` with every figure, sealed by the audit key, and the reports. It names the original
log by keyed digests: without the key nobody can try which log it was.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.release.export_target import folder_entries
from auditor.release.manifest import REPORT, REPORT_PDF, SEAL, manifest_bytes, parse_manifest

EVIDENCE = "evidence.json"
APPROVAL = "approval.json"
INTERNAL_NAMES = frozenset({EVIDENCE, SEAL, REPORT, REPORT_PDF, APPROVAL})
"""Every file that may stand in such a folder."""


def internal_folder(release: Path) -> Path:
    """Where the evidence of a release folder stands."""
    return release.with_name(f"{release.name}.internal")


def is_internal(folder: Path) -> bool:
    """Whether the evidence of a release, and nothing else, stands there."""
    try:
        names = set(folder_entries(folder))
        regular = all(stat.S_ISREG((folder / name).lstat().st_mode) for name in names)
        return names <= INTERNAL_NAMES and regular and bool(read_evidence(folder)[0])
    except (OSError, ValueError):
        return False


def read_evidence(folder: Path) -> tuple[dict[str, Any], bytes]:
    """What the evidence says, and its bytes; raises ValueError saying what is wrong with it."""
    data = manifest_bytes(folder, EVIDENCE)
    return parse_manifest(data, EVIDENCE), data


def belongs_to_release(evidence: Mapping[str, Any], manifest: bytes) -> bool:
    """Whether some evidence is that of the release with this manifest, as it was audited."""
    release = evidence.get("release")
    told = release.get("manifest_sha256") if isinstance(release, dict) else None
    return told == hashlib.sha256(manifest).hexdigest()


def keyed_digest(digest: str, secret: bytes) -> str:
    """A digest that nobody without the secret can compare with that of another log."""
    data = b"auditor log digest 1\0" + digest.encode()
    return hashlib.blake2b(data, key=secret, digest_size=32).hexdigest()


def keyed_input(told: Mapping[str, Any], secret: bytes | None) -> dict[str, Any]:
    """What the evidence says of the original log: digests keyed, or left out without a secret."""
    files = []
    for file in told.get("files", ()):
        entry = {"name": file["name"]}
        if secret is not None and "sha256" in file:
            entry["keyed_sha256"] = keyed_digest(file["sha256"], secret)
        files.append(entry)
    plain = {name: value for name, value in told.items() if name not in ("digest", "files")}
    if secret is not None:
        plain["keyed_digest"] = keyed_digest(str(told["digest"]), secret)
    return plain | {"files": files}
