"""Write a reviewed release, and approve it where a key was given; runs in a thread, no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.app.translation import tr
from auditor.gui.state.worker import describe_error
from auditor.log.model import QueryLog
from auditor.progress import Progress


@dataclass(frozen=True)
class ExportReceipt:
    """What was written, and what the recipient gets."""

    folder: Path
    words: str
    """Whether it is signed, and what stands beside it."""
    files: int = 0
    size: int = 0
    """Bytes of all files."""
    public_key: Path | None = None
    """The file with which a recipient checks the signature; None where it isn't there."""
    signed: bool = False


def export_run(
    result: Run,
    log: QueryLog,
    folder: Path,
    more: Mapping[str, Any],
    progress: Progress,
    *,
    key_file: Path | None = None,
    overrides: Mapping[str, str] | None = None,
    attested: Mapping[str, Any] | None = None,
    internal: bool = False,
    synthetic: bool = False,
    card: bool = False,
) -> ExportReceipt:
    """Write the release, sign it where a key is given, and write what shall stand beside it.

    `more` goes to `write_release`; `overrides` says why failed gates may pass, `attested` what the
    reviewer attests, which counts where they sign. Beside the folder may stand an `internal`
    report, a `synthetic` log, and a `card` for the registry of differential privacy. A key that
    can't be used is refused before anything is written, one that isn't there is made. If
    signing or a part beside the folder fails after that, or is cancelled, the words say so.
    """
    from auditor.release import approval, signing, synthetic_log
    from auditor.release.export import write_release
    from auditor.release.gates import attest_record
    from auditor.release.ledger import history, store
    from auditor.release.policy.attestation import ContractAttestation
    from auditor.release.report import html, registry_card

    replace, with_pdf = bool(more.get("overwrite")), bool(more.get("pdf"))
    shaped = synthetic_log.synthetic_folder(folder)
    if internal:
        html.check_internal(folder, log.origin.files, pdf=with_pdf, overwrite=replace)
    if synthetic:
        synthetic_log.check_synthetic(shaped, log.origin.files, overwrite=replace)
    if card:
        registry_card.check_card(folder, overwrite=replace)
    if key_file is not None and not key_file.exists():
        signing.new_key(key_file)
    key = signing.private_key(key_file) if key_file is not None else None
    if (record := more.get("record")) is not None:
        record = record.override(())  # what an earlier release was let pass in spite of
        if key is None:  # nobody signs what is attested
            record = attest_record(record, ContractAttestation())
        more = {**more, "record": record}
    target = write_release(result, log, folder, progress=progress, **more)
    # from here on a release stands there: whatever fails, or is cancelled, the receipt tells of it
    words, signed, public_key = tr("It is not signed."), False, None
    if key is not None and key_file is not None:
        try:
            secret = signing.audit_secret(signing.audit_key())
            history.remember_log(log, store.ledger_path(), secret, progress)
            approved = approval.approve_folder(
                target,
                reviewer=more["reviewer"],
                key=key,
                overrides=overrides or {},
                attested=attested,
                progress=progress,
            )
        except (AuditorError, OSError) as error:
            words = tr("It is not signed: {error}").format(error=error)
        else:
            signed = True
            words = tr("Signed with the key {told}.").format(told=approved["key_fingerprint"])
            public_key = key_file.with_name(key_file.name + ".pub")

    def write_report() -> str:
        report, *_ = html.write_internal(result, log, target, pdf=with_pdf, progress=progress)
        return tr(" {name} stands beside it, for nobody else.").format(name=report.name)

    def write_synthetic() -> str:
        synthetic_log.write_synthetic_release(target, shaped, progress=progress, overwrite=replace)
        return tr(" {name} holds the synthetic log.").format(name=shaped.name)

    def write_card() -> str:
        written = registry_card.write_card(target, overwrite=replace)
        return tr(" {name} is the card, for you to fill in.").format(name=written.name)

    for chosen, write, part in (
        (internal, write_report, tr("The internal report")),
        (synthetic, write_synthetic, tr("The synthetic log")),
        (card, write_card, tr("The card")),
    ):
        if chosen:
            try:
                words += write()
            except (AuditorError, OSError) as error:
                why = describe_error(error).rstrip(".")
                words += tr(" {part} was not written: {why}.").format(part=part, why=why)
    sizes = [path.stat().st_size for path in target.rglob("*") if path.is_file()]
    public_key = public_key if public_key is not None and public_key.exists() else None
    return ExportReceipt(target, words, len(sizes), sum(sizes), public_key, signed)
