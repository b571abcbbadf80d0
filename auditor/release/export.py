"""Writes a release folder, and its evidence beside it: whole, private to its owner, or not at all.

The folder has mode 0700 and its files 0600: who may read a release is decided by the person who
publishes it, not by a umask. Only a `Release` can be written; a `Preview` was drawn from seeded
noise, and a seed undoes the noise.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, overload

from auditor.engine.run import Run
from auditor.errors import ExportFailed, ExportRefused, PlaceRefused
from auditor.log import escaping
from auditor.log.model import LogTotals, QueryLog
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.platform import sync_private_file
from auditor.privacy.release import CELLS, Anonymized, Preview, Release
from auditor.progress import Progress
from auditor.release import signing, tables
from auditor.release.atomic_write import replaced_file, staged_folder, write_file
from auditor.release.evidence import build_manifest, input_files, public_facts
from auditor.release.export_target import (
    check_folder,
    folder_entries,
    quote_name,
    refuse_inputs,
    resolve_target,
)
from auditor.release.gates import attest_record
from auditor.release.ledger.other_releases import ReleaseJournal
from auditor.release.manifest import (
    DATA_SHEET,
    EVIDENCE,
    INTERNAL_PDF,
    INTERNAL_REPORT,
    MANIFEST,
    REPORT,
    REPORT_PDF,
    SEAL,
    internal_folder,
    is_internal,
    is_release,
    keyed_input,
    sha256_of,
    to_bytes,
)
from auditor.release.policy.attestation import ContractAttestation
from auditor.release.record import ReleaseRecord
from auditor.release.report.blocks import ReportDocument
from auditor.release.report.document import data_sheet_page, public_report
from auditor.release.report.html import document_of, page_of
from auditor.release.verdict import measured_verdict

if TYPE_CHECKING:
    import pandas as pd

LogFormat = Literal["tsv", "parquet"]

PREVIEW = "preview.json"


def write_release(
    result: Run,
    log: QueryLog,
    folder: Path,
    *,
    progress: Progress,
    overwrite: bool = False,
    reviewer: str = "",
    comment: str = "",
    record: ReleaseRecord | None = None,
    dismissed: Mapping[str, Any] | None = None,
    log_format: LogFormat = "tsv",
    spreadsheet_safe: bool = False,
    pdf: bool = False,
    ledger: Path | None = None,
) -> Path:
    """Write the data, the manifest and the report of a run into `folder`; returns its path.

    What stands there may be handed out. Evidence stands beside it, in ``NAME.internal``.

    Parameters
    ----------
    log
        The original log that the run was made on.
    folder
        Where nothing or an empty folder stands; with `overwrite` also an older release, which
        stays whole until the new one takes its place in one step.
    record
        The run's record as a policy judged it, for the evidence, which is sealed with the audit
        key, and the manifest's verdict. Without it nothing is judged.
    dismissed
        See `build_manifest`.
    spreadsheet_safe
        Escape the first character of texts that a spreadsheet would evaluate; see
        `auditor.log.escaping`.
    pdf
        Whether the report is written as a PDF, too.
    ledger
        The ledger that decides whether there are other releases of this log, and that this one
        is entered in; the usual one unless it is given.

    Raises
    ------
    ExportRefused
        A preview, another log's result, or a target that holds something else.
    ExportFailed
        The disk is full or the system refused. In each case, and when cancelled, what stood at
        `folder` before is untouched and nothing is left beside it.
    """
    release = require_release(result.release)
    if result.plan.log_digest != log.digest:
        raise ExportRefused("This result was made from another log. Run it again, then export.")
    target = check_target(folder, log.origin.files, overwrite=overwrite)
    with staged_release(target, overwrite=overwrite) as (place, internal):
        if isinstance(release.content, QueryLog):
            content = write_released_log(release.content, place, log_format, progress)
        else:
            assert release.tables is not None
            rows = {}
            for sheet in release.tables.list_sheets():
                lines = tables.iterate_lines(sheet, progress, formulas=spreadsheet_safe)
                write_file(place / sheet.file, lines)
                rows[sheet.file] = len(sheet)
            content = table_facts(rows)
            content |= {"formulas": escaping.FORMULA_RULE} if spreadsheet_safe else {}
        record = record or ReleaseRecord.of_run(result, log)
        options: dict[str, Any] = {"reviewer": reviewer, "comment": comment, "dismissed": dismissed}
        options |= {"pdf": pdf, "ledger": ledger}
        finish_folder(result, log, record, place, internal, content, progress, **options)
    return target


@contextlib.contextmanager
def staged_release(target: Path, *, overwrite: bool) -> Iterator[tuple[Path, Path]]:
    """Folders that become a release and its evidence when the block ends without an error.

    The evidence is put in place first; if the release then is not, what stood there comes back.
    Killed in between, an older release stands beside evidence that is not its own, which
    `verify_release` finds and an approval refuses.
    """
    private, stands = internal_folder(target), False
    older = {path.name: path.read_bytes() for path in private.iterdir()} if private.is_dir() else {}
    try:
        with staged_folder(target, replaceable=is_release if overwrite else None) as place:
            with staged_folder(private, replaceable=is_internal if overwrite else None) as inner:
                yield place, inner
            stands = True
    except BaseException:
        if stands:
            shutil.rmtree(private, ignore_errors=True)
        if stands and older:
            with contextlib.suppress(ExportFailed, ExportRefused), staged_folder(private) as place:
                for name, data in older.items():
                    write_file(place / name, [data])
        raise


def finish_folder(
    result: Run,
    log: LogTotals,
    record: ReleaseRecord,
    place: Path,
    internal: Path,
    content: Mapping[str, Any],
    progress: Progress,
    *,
    pdf: bool = False,
    ledger: Path | None = None,
    **options: Any,
) -> None:
    """Write manifest and report beside the data files in `place`, and all evidence into `internal`.

    What stands in `place` afterwards may be handed out: no figure of the original log is in it.
    """
    files = {path.name: sha256_of(path, progress) for path in sorted(place.iterdir())}
    inputs = input_files(log, progress)
    is_judged = record.policy is not None
    key = signing.audit_key() if is_judged else None
    journal = ReleaseJournal(result, log, ledger, progress)
    record = dataclasses.replace(record, statement=journal.decide(record.statement))
    # What a reviewer attests stands in the report; in the manifest only once they have signed.
    audited = attest_record(record, ContractAttestation())
    facts = build_manifest(
        result, log, files, record=audited, inputs=inputs, content=content, **options
    )
    facts["input"] = keyed_input(facts["input"], signing.audit_secret(key) if key else None)
    if key is not None:
        facts["input"]["key_fingerprint"] = signing.key_fingerprint(key.public_key())
    verdict = measured_verdict(audited).to_dict() if is_judged else None
    public = public_facts(facts, verdict)
    names = [REPORT, *([REPORT_PDF] if pdf else [])]
    _write_reports(public_report(result, public), place, names, progress)
    sheet = page_of(data_sheet_page(result, public), progress)
    write_file(place / DATA_SHEET, [sheet.encode("utf-8", "backslashreplace")])
    names.append(DATA_SHEET)
    facts["files"] = public["files"] = files | {
        name: sha256_of(place / name, progress) for name in names
    }
    data = to_bytes(public)
    write_file(place / MANIFEST, [data])
    facts["release"] = {"manifest_sha256": hashlib.sha256(data).hexdigest()}
    evidence = to_bytes(facts)
    write_file(internal / EVIDENCE, [evidence])
    if key is not None:
        write_file(internal / SEAL, [signing.sign_bytes(evidence, key, signing.AUDIT_PREFIX)])
    document = document_of(result, log, facts=facts, record=record)
    names = [INTERNAL_REPORT, *([INTERNAL_PDF] if pdf else [])]
    _write_reports(document, internal, names, progress)
    progress.stage("putting the release in place")
    journal.enter_release(facts["release"]["manifest_sha256"])


def _write_reports(
    document: ReportDocument, place: Path, names: Sequence[str], progress: Progress
) -> None:
    """A report as a page, and as a PDF where a second name says so."""
    page = page_of(document, progress)
    write_file(place / names[0], [page.encode("utf-8", "backslashreplace")])
    if names[1:]:
        from auditor.release.report.pdf import pdf_of

        write_file(place / names[1], [pdf_of(document, progress)])


@overload
def require_release(release: Release) -> Release: ...
@overload
def require_release(release: Preview) -> NoReturn: ...
@overload
def require_release(release: Anonymized) -> Release: ...
def require_release(release: Anonymized) -> Release:
    """The release itself; raises `ExportRefused` for anything that isn't one."""
    if isinstance(release, Release):
        return release
    raise ExportRefused(sentence("export.preview"))


def check_target(folder: Path, sources: Iterable[Path], *, overwrite: bool = False) -> Path:
    """The path that an export to `folder` will fill; raises before any work is done.

    Raises `ExportRefused` where something stands that an export must not replace, or what would be
    written is one of the `sources`, and `ExportFailed` where nothing may be written.
    """
    target = resolve_target(Path(folder))
    sources = list(sources)
    refuse_inputs(target, sources)
    label = quote_name(target)
    if target.is_symlink():
        raise PlaceRefused(phrase("{target} is a link. Name the folder itself.", target=label))
    if target.exists() and not target.is_dir():
        raise PlaceRefused(sentence("export.target_is_file", target=label))
    if target.exists() and folder_entries(target):
        if not is_release(target):
            raise PlaceRefused(sentence("export.target_holds_other_things", target=label))
        if not overwrite:
            raise PlaceRefused(sentence("export.target_holds_release", target=label))
    internal = internal_folder(target)
    refuse_inputs(internal, sources)
    label = quote_name(internal)
    if os.path.lexists(internal) and not (internal.is_dir() and not folder_entries(internal)):
        if internal.is_symlink() or not is_internal(internal):
            raise PlaceRefused(sentence("export.beside_holds_other_things", folder=label))
        if not overwrite:
            raise PlaceRefused(sentence("export.beside_holds_evidence", folder=label))
    return target


def write_table(frame: pd.DataFrame, path: Path) -> Path:
    """Write a table of plain values as Parquet, or as CSV if the name ends so; whole or not.

    Raises `ExportFailed`; an older file is then untouched.
    """
    with replaced_file(path) as new:
        if path.suffix.lower() == ".csv":
            frame.map(escaping.escape_cell).to_csv(new, index=False)
        else:
            frame.to_parquet(new, index=False)
        sync_private_file(new)
    return path


def write_json(plain: Any, path: Path) -> Path:
    """Write plain values as JSON; whole or not. Raises `ExportFailed`."""
    with replaced_file(path) as new:
        write_file(new, [_json_bytes(plain)])
    return path


def check_preview(folder: Path, inputs: Iterable[Path] = (), *, overwrite: bool) -> Path:
    """The folder that a preview may be written into; raises `ExportRefused`."""
    return check_folder(Path(folder), _is_preview, overwrite=overwrite, inputs=inputs)


def write_preview(facts: Mapping[str, Any], folder: Path, *, overwrite: bool = False) -> Path:
    """Write ``preview.json``, which is no release and says so; see `check_preview`."""
    target = check_preview(folder, overwrite=overwrite)
    plain = {"preview": Preview.WATERMARK} | dict(facts)
    with staged_folder(target, replaceable=_is_preview) as place:
        write_file(place / PREVIEW, [_json_bytes(plain)])
    return target / PREVIEW


def _json_bytes(plain: Any) -> bytes:
    def convert(value: Any) -> Any:
        return value.item() if hasattr(value, "item") else str(value)

    text = json.dumps(plain, indent=2, ensure_ascii=False, default=convert) + "\n"
    return text.encode("utf-8", "backslashreplace")


def write_released_log(
    log: QueryLog, place: Path, log_format: LogFormat, progress: Progress
) -> dict[str, Any]:
    """Write ``log.tsv`` or ``log.parquet``; what the manifest says of how it is written."""
    from auditor.log.writing import escape_log, needs_escapes, write_log

    name = f"log.{log_format}"
    escaped = log_format == "tsv" and needs_escapes(log)
    escaped_log = escape_log(log) if escaped else log
    write_log(escaped_log, place / name, format=log_format, progress=progress)
    return log_facts({name: len(log)}, escaped=escaped, attributes=log.attributes)


def log_facts(
    rows: Mapping[str, int], *, escaped: bool, attributes: Iterable[str] = ()
) -> dict[str, Any]:
    """How a log is written, for whoever reads it; `attributes` are the columns beside its own."""
    facts: dict[str, Any] = {"rows": dict(rows)}
    if escaped:
        facts["encoding"] = escaping.RULE
    return facts | ({"attributes": names} if (names := list(attributes)) else {})


def table_facts(rows: Mapping[str, int]) -> dict[str, Any]:
    """How tables are written, for whoever reads them."""
    order = "by count, the greatest first, then by text"
    if CELLS in rows:
        order = "by the first number, the greatest first, then by text"
    return {"rows": dict(rows), "encoding": escaping.RULE, "order": order}


def _is_preview(folder: Path) -> bool:
    plain = folder.is_dir() and not folder.is_symlink()
    return plain and set(folder_entries(folder)) <= {PREVIEW}
