"""What is known of a release: made from a run, kept as evidence, and checked by anybody.

The evidence holds no seed, no key, no query of the raw log, and no path of this machine. It does
hold figures that were computed from the raw log (measures, attacks, changes, digests); no
statement covers those, so it stays inside (`auditor.release.internal_folder`), and the release's
``manifest.json`` has what is left without them (`auditor.release.public_manifest`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.metadata
import itertools
import json
import math
import os
import platform
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from auditor.attacks.base import AttackResult
from auditor.attacks.registry import ATTACKS
from auditor.bounded_files import UnfitFile, open_regular, parse_json, read_bounded
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.errors import Cancelled
from auditor.figures import MetricValue
from auditor.log.model import LogTotals
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.messages import error_message, phrase
from auditor.methods.registry import METHODS
from auditor.params import SECRET_NAME, ParamKind
from auditor.progress import Progress
from auditor.release.escaping import printable_text
from auditor.release.shape import (
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Each,
    Shape,
    Values,
    Word,
    describe_misfit,
)
from auditor.version import __version__

FORMAT = "auditor release 1"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
SEAL = "audit.sig"
"""The audit key's signature of a manifest that waits for its approval; an approval replaces it."""
REPORT = "report.html"
REPORT_PDF = "report.pdf"
DATA_SHEET = "data-sheet.html"
LOGS = ("log.tsv", "log.parquet")
TABLES = ("queries.tsv", "clicks.tsv", "transitions.tsv", "dated.tsv", "n-grams.tsv")
NAMES = frozenset({*LOGS, *TABLES, MANIFEST, SIGNATURE, SEAL, REPORT, REPORT_PDF, DATA_SHEET})
"""Every file that may stand in a release folder."""

LARGEST = 16 << 20
"""Bytes of the largest manifest that is read; ours have some ten thousand."""

NOT_COVERED = (
    "The numbers under changes, measures, attacks, dismissed and input were computed from the "
    "original log. The statement covers the data files alone, not these numbers."
)

_HALVES = re.compile("[\ud800-\udfff]")
"""What a file's name holds that isn't UTF-8: no JSON that others read can say it."""
_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "numba", "opendp", "dp-accounting")
_BLOCK = 8 << 20
_FINITE = Word(("infinite", "-infinite"))
VERDICT: Shape = {
    "state": TEXT,
    "title": TEXT,
    "strength": TEXT,
    "policy": TEXT,
    "checks": Values(WHOLE),
    "overridden": Each(TEXT),
}
SHAPE: Shape = {
    "method": TEXT,
    "params": OBJECT,
    "withheld": Each(TEXT),
    "statement": {
        "model": TEXT,
        "claim": TEXT,
        "unit": TEXT,
        "neighbours": TEXT,
        "epsilon": _FINITE,
        "delta": _FINITE,
        "tight_epsilon": _FINITE,
        "tight_note": TEXT,
        "terms": Each(
            {"name": TEXT, "epsilon": _FINITE, "delta": _FINITE, "formula": TEXT, "law": OBJECT}
        ),
        "assumptions": Each(
            {"name": TEXT, "text": TEXT, "status": TEXT, "evidence": TEXT, "decided": TEXT}
        ),
        "measured": Values(_FINITE),
        "user_column": {
            "name": TEXT,
            "chosen": TEXT,
            "doubts": Each(TEXT),
            "treatments": Each(TEXT),
        },
    },
    "sample": {"share": NUMBER},
    "changes": OBJECT,
    "measures": Values(OBJECT),
    "attacks": Values(OBJECT),
    "skipped": Values(TEXT),
    "input": {
        "digest": TEXT,
        "keyed_digest": TEXT,
        "key_fingerprint": TEXT,
        "format": TEXT,
        "left_out": Values(TEXT),
        "files": Each(Values(TEXT)),
        "sample": OBJECT,
    },
    "content": {"rows": Values(WHOLE), "synthetic": {"seed": WHOLE, "source": TEXT}},
    "gates": {"figures": OBJECT, "results": Each(OBJECT), "rules": Each(OBJECT)},
    "verdict": VERDICT,
    "release": {"manifest_sha256": TEXT},
    "approval": {
        "verdict": VERDICT,
        "reviewer": TEXT,
        "at": TEXT,
        "overrides": Each(Values(TEXT)),
        "assumptions": Each(Values(TEXT)),
        "ledger": {"id": TEXT, "entry": WHOLE, "head": TEXT},
    },
    "versions": Values(TEXT),
}
"""What later code counts on: a foreign manifest of another shape is refused before it is used."""
_REQUIRED = ("format", "method", "params", "statement", "changes", "files", "versions")


def build_manifest(
    result: Run,
    log: LogTotals,
    files: Mapping[str, str],
    *,
    inputs: Iterable[Mapping[str, str]] = (),
    content: Mapping[str, Any] | None = None,
    reviewer: str = "",
    comment: str = "",
    gates: Mapping[str, Any] | None = None,
    dismissed: Mapping[str, Any] | None = None,
    created: datetime | None = None,
) -> dict[str, Any]:
    """The manifest of a release as plain values for JSON; what doesn't apply stays out.

    Parameters
    ----------
    files
        Name → SHA-256 in hexadecimal of every file of the folder but the manifest.
    inputs
        Name and SHA-256 of the files that the log was read from; see `input_files`.
    content
        How the data files are written, for whoever reads them.
    gates
        How the run was judged by a policy; see `auditor.release.gates.gate_facts`.
    dismissed
        How many flagged sessions somebody put away, and for which of a few fixed reasons; how
        many somebody made notes of.
    """
    params = result.plan.params
    facts: dict[str, Any] = {
        "format": FORMAT,
        "created": written_at(created),
        "method": result.release.method,
        "params": params.to_public(),
        "withheld": params.list_secrets(),
        "statement": result.release.statement.to_dict(),
        "changes": dict(result.release.changes),
        "measures": _key_by_name((m.measure, _describe_measure(m)) for m in result.measures),
        "attacks": _key_by_name((a.attack, _describe_attack(a)) for a in result.attacks),
        "skipped": dict(result.skipped),
        "input": {
            "digest": log.digest,
            "format": log.origin.format,
            "files": [dict(entry) for entry in inputs],
            **({"left_out": dict(log.origin.left_out)} if log.origin.left_out else {}),
            **_describe_sample(log),
        },
        "note": NOT_COVERED,
        "content": dict(content or {}),
        "gates": dict(gates or {}),
        "dismissed": dict(dismissed or {}),
        "rule_weights": dict(result.plan.rule_weights),
        "reviewer": reviewer.strip(),
        "comment": comment.strip(),
        "versions": list_versions(result.plan),
        "files": dict(files),
    }
    kept = {k: v for k, v in facts.items() if v or k in (*_REQUIRED, "measures", "attacks")}
    clean: dict[str, Any] = _to_json_value(kept, _make_scrubber(result, log))
    return clean


def _describe_sample(log: LogTotals) -> dict[str, Any]:
    """That the log is a sample of users, for whoever takes its counts for the whole log's."""
    sample = log.origin.sample
    if sample is None:
        return {}
    told = {"users": sample.users, "of": sample.of, "share": sample.share, "error": sample.error}
    return {"sample": told}


def written_at(moment: datetime | None = None) -> str:
    """A moment, or now, as manifests write it."""
    return (moment or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")


def to_bytes(facts: Mapping[str, Any]) -> bytes:
    """The file's content; the same facts give the same bytes."""
    text = json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8", "backslashreplace")


def list_versions(plan: Plan) -> dict[str, str]:
    """Of this program, of Python, and of the packages that a plan's result can depend on."""
    found = {"auditor": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    for registry, steps in ((MEASURES, plan.measures), (ATTACKS, plan.attacks)):
        added = [registry.plugins.get(step.name) for step in steps]
        found |= {one.distribution: one.version for one in added if one is not None}
    method = METHODS.plugins.get(plan.method)
    return found if method is None else found | {method.distribution: method.version}


def input_files(log: LogTotals, progress: Progress) -> list[dict[str, str]]:
    """Name and SHA-256 of the files that the log came from.

    A file that is gone, was changed since or can't be read is named without a hash; the log's own
    digest, over what was read, is in the manifest in any case.
    """
    entries = []
    for path, stamp in itertools.zip_longest(log.origin.files, log.origin.stamps):
        entry = {"name": path.name}
        with contextlib.suppress(OSError):
            digest = sha256_of(path, progress)
            about = path.stat()
            if stamp is None or stamp == (about.st_size, about.st_mtime_ns):
                entry["sha256"] = digest
        entries.append(entry)
    return entries


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
        for key in _REQUIRED
        if key not in facts
    ]
    files = facts.get("files")
    if not isinstance(files, dict):
        return [
            *problems,
            phrase("{manifest}: 'files' must map names to hashes", manifest=MANIFEST),
        ]
    problems += [problem for name in files if (problem := _bad_entry(name, files[name]))]
    plain = {name: value for name, value in files.items() if not _bad_entry(name, value)}
    if not set(plain) & {*LOGS, "queries.tsv", "n-grams.tsv"}:
        problems.append(phrase("{manifest}: names no data file", manifest=MANIFEST))
    problems += check_files(folder, plain, progress or Progress())
    listed = {*plain, MANIFEST, SIGNATURE} | (set() if "approval" in facts else {SEAL})
    extra = sorted(entry.name for entry in folder.iterdir() if entry.name not in listed)
    problems += [
        phrase("{name}: not in the manifest", name=_safe_file_name(name)) for name in extra[:100]
    ]
    if len(extra) > 100:
        problems.append(
            phrase("{extra} more files are not in the manifest", extra=len(extra) - 100)
        )
    return problems


def check_files(folder: Path, files: Mapping[str, str], progress: Progress) -> list[str]:
    """Which of these files, name → SHA-256, are missing or changed."""
    checked = (_check_file(folder / name, wanted, progress) for name, wanted in files.items())
    return [problem for problems in checked for problem in problems]


def audited_digest(facts: Mapping[str, Any]) -> str:
    """SHA-256 of the manifest as it was audited: without the approval that was added to it."""
    return hashlib.sha256(
        to_bytes({key: value for key, value in facts.items() if key != "approval"})
    ).hexdigest()


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


def _bad_entry(name: str, wanted: Any) -> str:
    """What is wrong with one entry of `files`, in words; empty if nothing."""
    plain = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not plain or name in ("", ".", "..", MANIFEST, SIGNATURE) or "\0" in name:
        return phrase(
            "{manifest}: '{name}' is no plain file name",
            manifest=MANIFEST,
            name=_safe_file_name(name),
        )
    if not isinstance(wanted, str) or not re.fullmatch(r"[0-9a-f]{64}", wanted):
        return phrase(
            "{manifest}: the hash of '{name}' is no SHA-256",
            manifest=MANIFEST,
            name=_safe_file_name(name),
        )
    return ""


def _check_file(path: Path, wanted: str, progress: Progress) -> list[str]:
    name = _safe_file_name(path.name)
    if not os.path.lexists(path):
        return [phrase("{name}: missing", name=name)]
    try:
        found = sha256_of(path, progress, follow=False)
    except Cancelled:
        raise
    except OSError:
        return [phrase("{name}: not a regular file, or can't be read", name=name)]
    return (
        []
        if found == wanted
        else [phrase("{name}: changed since the export (SHA-256 differs)", name=name)]
    )


def _safe_file_name(name: str) -> str:
    """A file's name for a terminal."""
    shown = printable_text(name)
    return shown if len(shown) <= 80 else shown[:77] + "…"


# --- plain values -----------------------------------------------------------------------------


def _describe_measure(result: MeasureResult) -> dict[str, Any]:
    return {
        "params": dict(result.params),
        **_values_to_dict(result.values),
        "notes": list(result.notes),
    }


def _describe_attack(result: AttackResult) -> dict[str, Any]:
    facts = {
        "params": dict(result.params),
        "rate": result.rate,
        "rate_label": result.rate_label,
        "baseline": result.baseline,
        "control": result.control,
        "interval": list(result.interval),
    }
    if result.findings is not None:
        facts["flagged_sessions"] = len(result.findings)
    return {**facts, **_values_to_dict(result.values), "notes": list(result.notes)}


def _values_to_dict(values: Iterable[MetricValue]) -> dict[str, Any]:
    values = list(values)
    return {
        "values": {value.name: value.value for value in values},
        "intervals": {v.name: list(v.interval) for v in values if v.interval is not None},
    }


def _key_by_name(pairs: Iterable[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """By name; the second of a name becomes "name (2)"."""
    found: dict[str, Any] = {}
    for name, facts in pairs:
        same = sum(key == name or key.startswith(f"{name} (") for key in found)
        found[f"{name} ({same + 1})" if same else name] = facts
    return found


def _to_json_value(value: Any, scrub: Callable[[str], str]) -> Any:
    """Only what JSON has: infinity becomes a word, what is nan or empty below stays out."""
    if isinstance(value, Mapping):
        kept = {
            scrub(str(name)): _to_json_value(item, scrub)
            for name, item in value.items()
            if not SECRET_NAME.search(str(name))
        }
        return {name: item for name, item in kept.items() if item is not None}
    if isinstance(value, list | tuple):
        return [
            item for item in (_to_json_value(item, scrub) for item in value) if item is not None
        ]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _to_json_value(dataclasses.asdict(value), scrub)
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("infinite" if value > 0 else "-infinite")
    if value is None or isinstance(value, bool | int | float):
        return value
    return scrub(value.name if isinstance(value, Path) else str(value))


def _make_scrubber(result: Run, log: LogTotals) -> Callable[[str], str]:
    """Takes this machine's paths out of texts: those that the run knows, and whole-path values."""
    paths = {path for path in log.origin.files if path.is_absolute()}
    for params in (result.plan.params, *(s.params for s in _list_steps(result))):
        held = [
            getattr(params, spec.name) for spec in params.specs() if spec.kind is ParamKind.PATH
        ]
        paths |= {path for path in held if path is not None}
    known = sorted(
        {(str(place), path.name) for path in paths for place in (path, path.absolute())},
        key=lambda pair: -len(pair[0]),
    )
    home = str(Path.home())

    def scrub(text: str) -> str:
        for path, name in known:
            text = text.replace(path, name)
        text = _HALVES.sub("\ufffd", text)
        if PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute():
            return PureWindowsPath(text).name
        return text.replace(home + os.sep, "~" + os.sep) if len(home) > 1 else text

    return scrub


def _list_steps(result: Run) -> tuple[Any, ...]:
    return (*result.plan.attacks, *result.plan.measures)
