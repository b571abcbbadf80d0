"""The form of manifests and of the evidence: their names, their shape, and how both are checked.

A release ``NAME`` is what may be handed out, whole. ``NAME.internal`` beside it stays inside:
``evidence.json`` with every figure that the release was judged by, its seal by the audit key, the
reports, the whole approval. It names the original log by keyed digests: without the key nobody can
try which log it was.
"""

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from auditor.bounded_files import UnfitFile, open_regular, parse_json, read_bounded
from auditor.log.escaping import printable_text, shorten_text
from auditor.log.sentences import sentence
from auditor.messages import error_message, phrase
from auditor.privacy.release import CELLS, DATA_TABLES, NGRAMS, QUERIES
from auditor.progress import Progress
from auditor.release.export_target import folder_entries
from auditor.release.shape import INTEGER, NUMBER, OBJECT, TEXT, Shape, Word, describe_misfit

FORMAT = "auditor release 1"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
SEAL = "audit.sig"
"""The audit key's signature of the evidence."""
REPORT = "report.html"
REPORT_PDF = "report.pdf"
DATA_SHEET = "data-sheet.html"
LOGS = ("log.tsv", "log.parquet")
NAMES = frozenset({*LOGS, *DATA_TABLES, MANIFEST, SIGNATURE, REPORT, REPORT_PDF, DATA_SHEET})
"""Every file that may stand in a release folder."""

LARGEST = 16 << 20
"""Bytes of the largest manifest that is read; ours have some ten thousand."""

_BLOCK = 8 << 20
_FINITE = Word(("infinite", "-infinite"))
VERDICT: Shape = {
    "state": TEXT,
    "title": TEXT,
    "strength": TEXT,
    "policy": TEXT,
    "checks": {str: INTEGER},
    "overridden": [TEXT],
}
SHAPE: Shape = {
    "method": TEXT,
    "params": OBJECT,
    "withheld": [TEXT],
    "statement": {
        "model": TEXT,
        "claim": TEXT,
        "unit": TEXT,
        "neighbours": TEXT,
        "epsilon": _FINITE,
        "delta": _FINITE,
        "tight_epsilon": _FINITE,
        "tight_note": TEXT,
        "terms": [
            {"name": TEXT, "epsilon": _FINITE, "delta": _FINITE, "formula": TEXT, "law": OBJECT}
        ],
        "assumptions": [
            {"name": TEXT, "text": TEXT, "status": TEXT, "evidence": TEXT, "decided": TEXT}
        ],
        "measured": {str: _FINITE},
        "user_column": {"name": TEXT, "chosen": TEXT, "doubts": [TEXT], "treatments": [TEXT]},
    },
    "sample": {"share": NUMBER},
    "changes": OBJECT,
    "measures": {str: OBJECT},
    "attacks": {str: OBJECT},
    "skipped": {str: TEXT},
    "input": {
        "digest": TEXT,
        "keyed_digest": TEXT,
        "key_fingerprint": TEXT,
        "format": TEXT,
        "left_out": {str: TEXT},
        "files": [{str: TEXT}],
        "sample": OBJECT,
    },
    "content": {
        "rows": {str: INTEGER},
        "attributes": [TEXT],
        "synthetic": {"seed": INTEGER, "source": TEXT},
    },
    "gates": {"figures": OBJECT, "results": [OBJECT], "rules": [OBJECT]},
    "verdict": VERDICT,
    "release": {"manifest_sha256": TEXT},
    "approval": {
        "verdict": VERDICT,
        "reviewer": TEXT,
        "at": TEXT,
        "overrides": [{str: TEXT}],
        "attested": {str: (str, int, bool)},
        "assumptions": [{str: TEXT}],
        "ledger": {"id": TEXT, "entry": INTEGER, "head": TEXT},
    },
    "versions": {str: TEXT},
}
"""What later code counts on: a foreign manifest of another shape is refused before it is used."""
REQUIRED = ("format", "method", "params", "statement", "changes", "files", "versions")


def written_at(moment: datetime | None = None) -> str:
    """A moment, or now, as manifests write it."""
    return (moment or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_bytes(facts: Mapping[str, Any]) -> bytes:
    """The file's content; the same facts give the same bytes."""
    text = json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")


def sha256_of(path: Path, progress: Progress, *, follow: bool = True) -> str:
    """SHA-256 of a regular file in hexadecimal; raises OSError for anything else."""
    try:
        file = open_regular(path, follow=follow)
    except UnfitFile as error:
        raise OSError(str(error)) from None
    with file:
        total = hashlib.sha256()
        progress.stage(
            phrase("hashing {name}", name=printable_text(path.name)),
            os.fstat(file.fileno()).st_size,
        )
        while block := file.read(_BLOCK):
            total.update(block)
            progress.advance(len(block))
    return total.hexdigest()


# --- checking ---------------------------------------------------------------------------------


def verify_folder(
    folder: Path, progress: Progress | None = None, *, data: bytes | None = None
) -> list[str]:
    """Everything in which a release folder is not what its manifest says; empty if nothing.

    `data` is the manifest, if somebody has read it already: who goes on to look at its signature
    must give the same bytes to both. Reads no file that the manifest doesn't name plainly, follows
    no link, and opens nothing but regular files. Messages are safe to print.
    """
    if folder.is_symlink() or not folder.is_dir():
        return ["There is no release folder here."]
    try:
        facts = parse_manifest(manifest_bytes(folder) if data is None else data)
    except ValueError as error:
        return [error_message(error)]
    problems = [
        phrase("{manifest}: '{key}' is missing", manifest=MANIFEST, key=key)
        for key in REQUIRED
        if key not in facts
    ]
    files = facts.get("files")
    if not isinstance(files, dict):
        no_files = phrase("{manifest}: 'files' must map names to hashes", manifest=MANIFEST)
        return [*problems, no_files]
    problems += [problem for name in files if (problem := _bad_entry(name, files[name]))]
    plain = {name: value for name, value in files.items() if not _bad_entry(name, value)}
    if not set(plain) & {*LOGS, QUERIES, NGRAMS, CELLS}:
        problems.append(phrase("{manifest}: names no data file", manifest=MANIFEST))
    problems += check_files(folder, plain, progress or Progress())
    listed = {*plain, MANIFEST, SIGNATURE}
    extra = sorted(entry.name for entry in folder.iterdir() if entry.name not in listed)
    for name in map(shorten_text, extra[:100]):
        problems.append(phrase("{name}: not in the manifest", name=name))
    if (more := len(extra) - 100) > 0:
        problems.append(phrase("{extra} more files are not in the manifest", extra=more))
    return problems


def check_files(folder: Path, files: Mapping[str, str], progress: Progress) -> list[str]:
    """Which of these files, name → SHA-256, are missing or changed."""
    problems = []
    for path, digest in ((folder / name, digest) for name, digest in files.items()):
        name = shorten_text(path.name)
        try:
            if not os.path.lexists(path):
                problems.append(phrase("{name}: missing", name=name))
            elif sha256_of(path, progress, follow=False) != digest:
                changed = "{name}: changed since the export (SHA-256 differs)"
                problems.append(phrase(changed, name=name))
        except OSError:
            problems.append(phrase("{name}: not a regular file, or can't be read", name=name))
    return problems


def audited_digest(facts: Mapping[str, Any]) -> str:
    """SHA-256 of the manifest as it was audited: without the approval that was added to it."""
    return hashlib.sha256(
        to_bytes({key: value for key, value in facts.items() if key != "approval"})
    ).hexdigest()


def synthetic_source(facts: Mapping[str, Any]) -> str:
    """The release of which a synthetic log was made, as the ledger names it; "" for no such log."""
    return str(facts.get("content", {}).get("synthetic", {}).get("source", ""))


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a release folder; raises ValueError saying what is wrong with it."""
    return parse_manifest(manifest_bytes(folder))


def manifest_bytes(folder: Path, name: str = MANIFEST) -> bytes:
    """The manifest's file, or that of the evidence; raises ValueError if it can't be one."""
    try:
        return read_bounded(folder / name, LARGEST, follow=False)
    except UnfitFile as error:
        raise ValueError(f"{name}: {error}") from None


def parse_manifest(data: bytes, name: str = MANIFEST) -> dict[str, Any]:
    """What a manifest's file says; raises ValueError saying what is wrong with it."""
    try:
        facts = parse_json(data)
    except UnfitFile as error:
        raise ValueError(f"{name}: {error}") from None
    if not isinstance(facts, dict):
        raise ValueError(phrase("{name}: not a JSON object", name=name))
    if facts.get("format") != FORMAT:
        raise ValueError(
            phrase("{name}: not the manifest of a release, or of another version", name=name)
        )
    if wrong := describe_misfit(facts, SHAPE):
        raise ValueError(f"{name}: {wrong}")
    return facts


def _bad_entry(name: str, digest: Any) -> str:
    """What is wrong with one entry of `files`, in words; empty if nothing."""
    plain = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not plain or name in ("", ".", "..", MANIFEST, SIGNATURE) or "\0" in name:
        return sentence("manifest.not_plain_name", manifest=MANIFEST, name=shorten_text(name))
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        return sentence("manifest.no_sha256", manifest=MANIFEST, name=shorten_text(name))
    return ""


EVIDENCE = "evidence.json"
APPROVAL = "approval.json"
INTERNAL_REPORT = "internal-report.html"
INTERNAL_PDF = "internal-report.pdf"
INTERNAL_NAMES = frozenset(
    {EVIDENCE, SEAL, INTERNAL_REPORT, INTERNAL_PDF, APPROVAL, REPORT, REPORT_PDF}
)
"""Every file that may stand in such a folder; older ones hold reports named as the public ones."""


def internal_folder(release: Path) -> Path:
    """Where the evidence of a release folder stands."""
    return release.with_name(f"{release.name}.internal")


def is_release(folder: Path) -> bool:
    """Whether a release of ours, and nothing else, stands there."""
    return _holds_only(folder, NAMES, MANIFEST)


def is_internal(folder: Path) -> bool:
    """Whether the evidence of a release, and nothing else, stands there."""
    return _holds_only(folder, INTERNAL_NAMES, EVIDENCE)


def _holds_only(folder: Path, names: frozenset[str], facts: str) -> bool:
    """Whether nothing but regular files of some names stands there, and one says the `facts`."""
    try:
        entries = set(folder_entries(folder))
        regular = all(stat.S_ISREG((folder / name).lstat().st_mode) for name in entries)
        return entries <= names and regular and bool(parse_manifest(manifest_bytes(folder, facts)))
    except (OSError, ValueError):
        return False


def read_evidence(folder: Path) -> tuple[dict[str, Any], bytes]:
    """What the evidence says, and its bytes; raises ValueError saying what is wrong with it."""
    data = manifest_bytes(folder, EVIDENCE)
    return parse_manifest(data, EVIDENCE), data


def belongs_to_release(evidence: Mapping[str, Any], manifest: bytes) -> bool:
    """Whether some evidence is that of the release with this manifest, as it was audited."""
    release = evidence.get("release")
    digest = release.get("manifest_sha256") if isinstance(release, dict) else None
    return digest == hashlib.sha256(manifest).hexdigest()


def keyed_digest(digest: str, secret: bytes) -> str:
    """A digest that nobody without the secret can compare with that of another log."""
    data = b"auditor log digest 1\0" + digest.encode()
    return hashlib.blake2b(data, key=secret, digest_size=32).hexdigest()


def keyed_input(facts: Mapping[str, Any], secret: bytes | None) -> dict[str, Any]:
    """What the evidence says of the original log: digests keyed, or left out without a secret."""
    files = []
    for file in facts.get("files", ()):
        entry = {"name": file["name"]}
        if secret is not None and "sha256" in file:
            entry["keyed_sha256"] = keyed_digest(file["sha256"], secret)
        files.append(entry)
    plain = {name: value for name, value in facts.items() if name not in ("digest", "files")}
    if secret is not None:
        plain["keyed_digest"] = keyed_digest(str(facts["digest"]), secret)
    return plain | {"files": files}
