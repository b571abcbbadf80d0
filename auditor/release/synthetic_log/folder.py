"""Writes a synthetic log that was generated from a release folder's tables, as a folder of its own.

Nothing but the release folder is read. The new folder's manifest has the method, the parameters
and the statement of the tables, the seed, and the SHA-256 of the manifest it was made from: who
has that release and the seed makes the same rows again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from auditor.errors import MissingInput
from auditor.log.writing import write_log
from auditor.messages import phrase
from auditor.methods.synthetic_sessions import MARK, shape_as_log
from auditor.privacy.release import Anonymized, Release
from auditor.progress import Progress
from auditor.release.atomic_write import staged_folder, write_file
from auditor.release.export import LogFormat, is_release
from auditor.release.export_target import check_folder
from auditor.release.loading import read_release
from auditor.release.manifest import (
    MANIFEST,
    manifest_bytes,
    parse_manifest,
    sha256_of,
    to_bytes,
    written_at,
)
from auditor.release.public_manifest import public_statement
from auditor.version import __version__

ReleasedT = TypeVar("ReleasedT", bound=Anonymized)

NOTE = phrase(
    "Synthetic log: no row is anybody's search. Every user's name begins with '{mark}'. It was "
    "generated from the tables of a release and from nothing else, so the statement of those "
    "tables covers it. Who searches for what together is known no further than the tables tell.",
    mark=MARK,
)
NO_TABLES = (
    "This release is a log already. A synthetic log is made of released tables: take the release "
    "of a method that counts, such as safelog, zealous, set-union or dated-counts."
)
NO_QUERIES = (
    "This release holds n-grams, from which no sessions of queries can be made. Take the "
    "release of a method that counts queries."
)
_KEPT = ("format", "method", "params", "withheld", "sample")


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

    Raises
    ------
    MissingInput
        The release is a log already.
    ExportRefused, ExportFailed
        Something else stands at `folder`, or nothing may be written there.
    LogFormatError
        `source` is no release folder, or changed while it was read.
    """
    target = check_synthetic(folder, [source], overwrite=overwrite)
    made = shape_folder(source, seed, progress)
    assert made.log is not None
    name = f"log.{log_format}"
    with staged_folder(target, replaceable=is_release if overwrite else None) as place:
        write_file(place / name, ())
        write_log(made.log, place / name, format=log_format, progress=progress)
        rows = {name: len(made.log)}
        facts = _make_manifest(source, made, rows, {name: sha256_of(place / name, progress)})
        write_file(place / MANIFEST, [to_bytes(facts)])
    return made


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
        raise MissingInput(NO_TABLES)
    if release.tables.ngrams:
        raise MissingInput(NO_QUERIES)
    return shape_as_log(release, seed, progress)


def _make_manifest(
    source: Path, made: Release, rows: dict[str, int], files: dict[str, str]
) -> dict[str, Any]:
    data = manifest_bytes(source)
    told = parse_manifest(data)
    facts: dict[str, Any] = {name: told[name] for name in _KEPT if name in told}
    return facts | {
        "created": written_at(),
        "statement": public_statement(made.statement.to_dict()),
        "changes": {},
        "measures": {},
        "attacks": {},
        "note": NOTE,
        "content": {
            "rows": rows,
            "synthetic": {
                "seed": made.synthetic_seed,
                "source": hashlib.sha256(data).hexdigest(),
                "tables": {
                    name: value
                    for name, value in told.get("files", {}).items()
                    if name.endswith(".tsv")
                },
            },
        },
        "versions": {**told.get("versions", {}), "auditor": __version__},
        "files": files,
    }


def describe_rows(made: Release) -> str:
    """What was generated, in a sentence."""
    log = made.log
    assert log is not None
    return phrase(
        "{rows:,} synthetic rows in {sessions:,} sessions, {queries:,} distinct queries",
        rows=len(log),
        sessions=len(log.users),
        queries=len(log.queries),
    )
