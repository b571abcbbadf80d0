"""Approval: a named reviewer lets a release pass, and the whole folder is signed.

Every gate must be passed, or overridden by name with a reason; both are written into the manifest
before it is signed. A folder is approved whole or stays as it was.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.errors import ExportRefused, ParameterError
from auditor.progress import Progress
from auditor.release import signing
from auditor.release.escape import printable
from auditor.release.manifest import MANIFEST, SIGNATURE, read_manifest, to_bytes, verify_folder
from auditor.release.staging import staged, write_file
from auditor.release.target import named, resolved

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

LONGEST_REASON = 4_000
PASSES = ("passed", "does not apply")


def open_gates(facts: Mapping[str, Any]) -> list[str]:
    """Names of the gates that stand in the way, by a manifest; raises if none were judged."""
    results = facts.get("gates", {}).get("results")
    if not isinstance(results, list) or not results:
        raise ExportRefused(
            "This release was not judged by any policy. Make it by 'auditor audit', which does."
        )
    try:
        return [one["name"] for one in results if one["verdict"] not in PASSES]
    except (TypeError, KeyError):
        raise ExportRefused("The manifest's gates can't be read. Make the release anew.") from None


def blocking(folder: Path, overrides: Mapping[str, str]) -> list[str]:
    """Gates of a release that are neither passed nor overridden."""
    return [name for name in open_gates(_facts(folder)) if name not in overrides]


def approve(
    folder: Path,
    *,
    reviewer: str,
    key: Ed25519PrivateKey,
    overrides: Mapping[str, str],
    progress: Progress,
) -> dict[str, Any]:
    """Write the approval into the manifest and sign it; returns what was written.

    Raises
    ------
    ExportRefused
        The folder is not what its manifest says, was not judged, is approved already, or a gate
        stands in the way.
    ParameterError
        No reviewer, an override without a reason, or of a gate that needs none.
    ExportFailed
        The disk is full or the system refused; the folder is as it was.
    """
    reviewer = printable(reviewer).strip()
    if not reviewer:
        raise ParameterError("reviewer", "An approval needs the name of whoever gives it.")
    target = resolved(Path(folder))
    problems = verify_folder(target, progress)
    if problems:
        raise ExportRefused(f"{named(target)} is not as its manifest says: {problems[0]}.")
    facts = _facts(target)
    if "approval" in facts or (target / SIGNATURE).exists():
        raise ExportRefused(f"{named(target)} is approved already.")
    given = _overrides(overrides, open_gates(facts))
    facts["approval"] = {
        "reviewer": reviewer,
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "overrides": [{"gate": name, "reason": reason} for name, reason in given.items()],
        "key_fingerprint": signing.fingerprint(key.public_key()),
    }
    _replace(target, facts, key, progress)
    return dict(facts["approval"])


def _facts(folder: Path) -> dict[str, Any]:
    try:
        return read_manifest(folder)
    except ValueError as error:
        raise ExportRefused(f"{error}.") from None


def _overrides(given: Mapping[str, str], needed: Sequence[str]) -> dict[str, str]:
    told = {name: printable(reason).strip() for name, reason in given.items()}
    for name, reason in told.items():
        if name not in needed:
            raise ParameterError(
                "override", f"The gate '{printable(name)[:80]}' needs no override here."
            )
        if not reason or len(reason) > LONGEST_REASON:
            raise ParameterError("override", f"Overriding the gate '{name}' needs a reason.")
    missing = [name for name in needed if name not in told]
    if missing:
        raise ExportRefused(f"These gates stand in the way: {', '.join(missing)}.")
    return told


def _replace(
    target: Path, facts: Mapping[str, Any], key: Ed25519PrivateKey, progress: Progress
) -> None:
    """The same files with a new manifest and its signature, in one step."""
    before = _state(target)
    with staged(target, replaceable=lambda old: _state(old) == before) as place:
        for name in facts["files"]:
            _same_file(target / name, place / name)
            progress.check()
        data = to_bytes(facts)
        write_file(place / MANIFEST, [data])
        write_file(place / SIGNATURE, [signing.signature(data, key)])
        problems = verify_folder(place, progress) + signing.check(place, key.public_key())[0]
        if problems:
            raise ExportRefused(f"{named(target)} changed during the approval: {problems[0]}.")


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    """Which files stand in a folder, and when each was written last."""
    found = {entry.name: entry.lstat() for entry in folder.iterdir()}
    return {name: (about.st_size, about.st_mtime_ns) for name, about in found.items()}


def _same_file(old: Path, new: Path) -> None:
    """The same file under another name, without a copy where the file system can do that."""
    try:
        os.link(old, new, follow_symlinks=False)
    except OSError:
        shutil.copyfile(old, new, follow_symlinks=False)
