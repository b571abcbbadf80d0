"""Writes a synthetic log that was generated from a release folder's tables, as a folder of its own.

Rows come from the release folder alone. The new folder's manifest has the method, the parameters,
the statement and the verdict of the release, the seed, and the SHA-256 of the manifest it was made
from: who has that release and the seed makes the same rows again. Whatever keeps the release in the
house keeps its synthetic log there, too.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from auditor.errors import ExportRefused, MissingInput
from auditor.log.sentences import sentence
from auditor.methods.synthetic_sessions import MARK, shape_as_log
from auditor.privacy.release import Anonymized, Release
from auditor.progress import Progress
from auditor.release.atomic_write import staged_folder, write_file
from auditor.release.evidence import audited_verdict, public_statement
from auditor.release.export import LogFormat, write_released_log
from auditor.release.export_target import check_folder
from auditor.release.loading import read_release
from auditor.release.manifest import (
    MANIFEST,
    audited_digest,
    internal_folder,
    is_release,
    read_evidence,
    read_manifest,
    sha256_of,
    to_bytes,
    written_at,
)
from auditor.release.verdict import ReleaseState
from auditor.release.verify import verify_release
from auditor.version import __version__

ReleasedT = TypeVar("ReleasedT", bound=Anonymized)

NOTE = sentence("synthetic.what_it_is", mark=MARK)
REFUSED_NOTE = " That release cannot be released as it is, and neither can this log."
UNCHECKED_NOTE = " No policy has let that release pass so far, and so none lets this log pass."
SINGLE_USER = "single_user_strings_surviving"
"""The metric of an attack that counts released strings which one user alone submitted."""
_COPIED = ("format", "method", "params", "withheld", "sample")


def write_synthetic_release(
    source: Path,
    folder: Path,
    *,
    progress: Progress,
    seed: int = 0,
    overwrite: bool = False,
    log_format: LogFormat = "tsv",
) -> Release:
    """Generate sessions from the release folder `source` and write them into `folder`.

    Raises `MissingInput` where the release is a log already, `LogFormatError` where `source` is no
    release folder or changed meanwhile, and `ExportRefused` or `ExportFailed` where something else
    stands at `folder`, nothing may be written, or the files of `source` are not those of its
    manifest.
    """
    target = check_synthetic(folder, [source], overwrite=overwrite)
    release = shape_folder(source, seed, progress)
    if problems := verify_release(source, progress).problems:
        raise ExportRefused(sentence("synthetic.not_as_manifest", problem=problems[0]))
    assert release.log is not None
    name = f"log.{log_format}"
    with staged_folder(target, replaceable=is_release if overwrite else None) as place:
        write_file(place / name, ())
        content = write_released_log(release.log, place, log_format, progress)
        facts = _make_manifest(source, release, content, {name: sha256_of(place / name, progress)})
        write_file(place / MANIFEST, [to_bytes(facts)])
    return release


def synthetic_folder(folder: Path) -> Path:
    """Where the synthetic log of a release folder stands if nobody says where."""
    return folder.with_name(f"{folder.name}-synthetic")


def check_synthetic(folder: Path, inputs: Iterable[Path], *, overwrite: bool) -> Path:
    """The folder that a synthetic log may be written into; raises `ExportRefused`."""
    return check_folder(folder, is_release, overwrite=overwrite, inputs=inputs)


def shape_folder(source: Path, seed: int, progress: Progress) -> Release:
    """The synthetic log of a release folder, in memory; reads that folder alone."""
    release = read_release(source, progress=progress)
    return shape_release(release, seed, progress)


def shape_release(release: ReleasedT, seed: int, progress: Progress) -> ReleasedT:
    """A synthetic log of a release of tables; refuses what there is none of."""
    if release.tables is None:
        raise MissingInput(sentence("synthetic.no_tables"))
    if release.tables.ngrams:
        raise MissingInput(sentence("synthetic.no_queries"))
    if release.tables.alone is not None:
        raise MissingInput(sentence("synthetic.cells"))
    return shape_as_log(release, seed, progress)


def _make_manifest(
    source: Path, release: Release, content: dict[str, Any], files: dict[str, str]
) -> dict[str, Any]:
    manifest = read_manifest(source)
    verdict = source_verdict(manifest)
    note = NOTE
    if verdict["state"] != ReleaseState.RELEASABLE.value:
        unchecked = verdict["state"] == ReleaseState.NOT_CHECKED.value
        note += UNCHECKED_NOTE if unchecked else REFUSED_NOTE
    tables = {n: value for n, value in manifest.get("files", {}).items() if n.endswith(".tsv")}
    facts: dict[str, Any] = {name: manifest[name] for name in _COPIED if name in manifest}
    return facts | {
        "created": written_at(),
        "statement": public_statement(release.statement.to_dict(), release.params),
        "changes": {},
        "measures": {},
        "attacks": {},
        "note": note,
        "verdict": verdict,
        "content": content
        | {
            "synthetic": {
                "seed": release.synthetic_seed,
                "source": audited_digest(manifest),
                "tables": tables,
            }
        },
        "versions": {**manifest.get("versions", {}), "auditor": __version__},
        "files": files,
    }


def source_verdict(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on a release, with its overridden checks; *not checked* where it has none."""
    unchecked = ReleaseState.NOT_CHECKED
    return audited_verdict(manifest) or {"state": unchecked.value, "title": unchecked.title}


def count_single_user_strings(source: Path) -> int | None:
    """How many released strings one user alone submitted, by the evidence beside a release.

    None where no evidence of this very release stands there, or none that counted them. The number
    was computed from the original log: it is for whoever holds the evidence, and goes into no file.
    """
    try:
        evidence, _ = read_evidence(internal_folder(source))
        if evidence["release"]["manifest_sha256"] != audited_digest(read_manifest(source)):
            return None
        values = [attack.get("values", {}) for attack in evidence["attacks"].values()]
    except (KeyError, TypeError, ValueError):
        return None
    counts = [entry[SINGLE_USER] for entry in values if isinstance(entry.get(SINGLE_USER), int)]
    return counts[0] if counts else None


def describe_rows(release: Release) -> str:
    """What was generated, in a sentence."""
    log = release.log
    assert log is not None
    return sentence(
        "synthetic.rows", rows=len(log), sessions=len(log.users), queries=len(log.queries)
    )
