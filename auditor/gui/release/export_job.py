"""Write a reviewed release, and approve it where a key was given; runs in a thread, no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.app.translation import tr
from auditor.log.model import QueryLog
from auditor.progress import Progress


@dataclass(frozen=True)
class ApprovalRequest:
    """Who approves, with which key file, and why failed gates may pass."""

    key: Path
    reviewer: str
    overrides: Mapping[str, str]


@dataclass(frozen=True)
class BesideRequest:
    """What shall stand beside the release folder: an internal report, a synthetic log."""

    internal: bool = False
    synthetic: bool = False


NOTHING_BESIDE = BesideRequest()


@dataclass(frozen=True)
class ExportReceipt:
    """What was written, and what the recipient gets.

    Attributes
    ----------
    folder
        Where the release stands.
    words
        Whether it is signed, and what stands beside it.
    files, size
        How many files are in it, and their bytes.
    public_key
        The file with which a recipient checks the signature; None where nobody signed.
    """

    folder: Path
    words: str
    files: int = 0
    size: int = 0
    public_key: Path | None = None


def export_run(
    result: Run,
    log: QueryLog,
    folder: Path,
    more: Mapping[str, Any],
    approval: ApprovalRequest | None,
    progress: Progress,
    beside: BesideRequest = NOTHING_BESIDE,
) -> ExportReceipt:
    """Write the release, sign it where a key is given, and write what shall stand beside it.

    A key that can't be used is refused before anything is written. If signing fails after that,
    the release stands there unapproved, and the words say so.
    """
    from auditor.release import synthetic_log
    from auditor.release.report import html

    replace, with_pdf = bool(more.get("overwrite")), bool(more.get("pdf"))
    shaped = synthetic_log.synthetic_folder(folder)
    if beside.internal:
        html.check_internal(folder, log.origin.files, pdf=with_pdf, overwrite=replace)
    if beside.synthetic:
        synthetic_log.check_synthetic(shaped, log.origin.files, overwrite=replace)
    target, words, public_key = _export_release(result, log, folder, more, approval, progress)
    if beside.internal:
        made = html.write_internal(result, log, target, pdf=with_pdf, progress=progress)
        words += tr(" {name} stands beside it, for nobody else.").format(name=made[0].name)
    if beside.synthetic:
        synthetic_log.write_synthetic_release(target, shaped, progress=progress, overwrite=replace)
        words += tr(" {name} holds the synthetic log.").format(name=shaped.name)
    sizes = [path.stat().st_size for path in target.rglob("*") if path.is_file()]
    return ExportReceipt(target, words, len(sizes), sum(sizes), public_key)


def _export_release(
    result: Run,
    log: QueryLog,
    folder: Path,
    more: Mapping[str, Any],
    approval: ApprovalRequest | None,
    progress: Progress,
) -> tuple[Path, str, Path | None]:
    from auditor.release.export import write_release

    if approval is None:
        target = write_release(result, log, folder, progress=progress, **more)
        return target, tr("It is not signed."), None
    from auditor.release import approval as release_approval
    from auditor.release import signing
    from auditor.release.ledger import history, store

    made = "" if approval.key.exists() else signing.new_key(approval.key).name
    key = signing.private_key(approval.key)
    target = write_release(result, log, folder, progress=progress, **more)
    try:
        secret = signing.audit_secret(signing.audit_key())
        history.remember_log(log, store.ledger_path(), secret, progress)
        told = release_approval.approve_folder(
            target,
            reviewer=approval.reviewer,
            key=key,
            overrides=approval.overrides,
            progress=progress,
        )
    except AuditorError as error:
        return target, tr("It is not signed: {error}").format(error=error), None
    words = tr("Signed with the key {told}.").format(told=told["key_fingerprint"])
    public = approval.key.with_name(approval.key.name + ".pub")
    return target, words, public if made or public.exists() else None
