"""What is known of a release, as the evidence that stays with those who hold the log.

The evidence holds no seed, no key, no query of the raw log, and no path of this machine. It does
hold figures that were computed from the raw log (measures, attacks, changes, digests); no
statement covers those, so it stays inside (`auditor.release.manifest`), and the release's
``manifest.json`` has what is left without them (`auditor.release.evidence`).
"""

import contextlib
import dataclasses
import importlib.metadata
import itertools
import math
import os
import platform
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from auditor.attacks.base import AttackResult
from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.log.model import LogTotals
from auditor.log.sentences import sentence
from auditor.log.user_column import UserColumn
from auditor.measures.registry import MEASURES
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.params import SECRET_NAME, ParamKind
from auditor.progress import Progress
from auditor.release.gates import gate_facts
from auditor.release.guarantee import Strength
from auditor.release.manifest import FORMAT, REQUIRED, sha256_of, written_at
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import ReleaseState, state_title
from auditor.version import __version__

NOT_COVERED = sentence("manifest.not_covered")

_HALVES = re.compile("[\ud800-\udfff]")
"""What a file's name holds that isn't UTF-8: no JSON that others read can say it."""
_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "numba", "opendp", "dp-accounting")


def build_manifest(
    result: Run,
    log: LogTotals,
    files: Mapping[str, str],
    *,
    record: ReleaseRecord | None = None,
    inputs: Iterable[Mapping[str, str]] = (),
    content: Mapping[str, Any] | None = None,
    reviewer: str = "",
    comment: str = "",
    dismissed: Mapping[str, Any] | None = None,
    created: datetime | None = None,
) -> dict[str, Any]:
    """The evidence of a release as plain values for JSON; what doesn't apply stays out.

    `files` are name → SHA-256 of every file of the folder but the manifest, `inputs` those of the
    files that the log was read from (`input_files`). `record` has the policy's checks if one has
    judged; it is the run's own unless it is given. `content` is how the data files are written.
    `dismissed` counts flagged sessions that somebody put away, by a few fixed reasons, and those of
    which somebody made notes.
    """
    record = record or ReleaseRecord.of_log(result, log)
    sample = log.origin.sample
    facts: dict[str, Any] = {
        "format": FORMAT,
        "created": written_at(created),
        "method": record.method,
        "params": record.params,
        "withheld": record.withheld,
        "statement": record.statement.to_dict(),
        "changes": dict(result.release.changes),
        "measures": _key_by_name(
            (
                m.measure,
                {"params": dict(m.params), **_values_to_dict(m.values), "notes": [*m.notes]},
            )
            for m in result.measures
        ),
        "attacks": _key_by_name((a.attack, _describe_attack(a)) for a in result.attacks),
        "skipped": dict(result.skipped),
        "input": {
            "digest": log.digest,
            "format": log.origin.format,
            "files": [dict(entry) for entry in inputs],
            **({"left_out": dict(log.origin.left_out)} if log.origin.left_out else {}),
            # for whoever takes its counts for the whole log's
            **({"sample": _pick(sample, "users", "of", "share", "error")} if sample else {}),
        },
        "note": NOT_COVERED,
        "content": dict(content or {}),
        # Two audits that came out alike in one second are two, and the ledger has to know.
        "gates": {}
        if record.policy is None
        else gate_facts(record) | {"audit": secrets.token_hex(16)},
        "dismissed": dict(dismissed or {}),
        "rule_weights": dict(result.plan.rule_weights),
        "reviewer": reviewer.strip(),
        "comment": comment.strip(),
        "versions": list_versions(result.plan),
        "files": dict(files),
    }
    entries = {k: v for k, v in facts.items() if v or k in (*REQUIRED, "measures", "attacks")}
    clean: dict[str, Any] = _to_json_value(entries, _make_scrubber(result, log))
    return clean


def _pick(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def list_versions(plan: Plan) -> dict[str, str]:
    """Of this program, of Python, and of the packages that a plan's result can depend on."""
    versions = {"auditor": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    for registry, steps in ((MEASURES, plan.measures), (ATTACKS, plan.attacks)):
        plugins = [registry.plugins.get(step.name) for step in steps]
        versions |= {
            plugin.distribution: plugin.version for plugin in plugins if plugin is not None
        }
    method = METHODS.plugins.get(plan.method)
    return versions if method is None else versions | {method.distribution: method.version}


def input_files(log: LogTotals, progress: Progress) -> list[dict[str, str]]:
    """Name and SHA-256 of the files that the log came from.

    A file that is gone, was changed since or can't be read has no hash: the log's own digest, over
    what was read, is in the manifest in any case.
    """
    entries = []
    for path, stamp in itertools.zip_longest(log.origin.files, log.origin.stamps):
        entry = {"name": path.name}
        with contextlib.suppress(OSError):
            digest = sha256_of(path, progress)
            status = path.stat()
            if stamp is None or stamp == (status.st_size, status.st_mtime_ns):
                entry["sha256"] = digest
        entries.append(entry)
    return entries


# --- plain values -----------------------------------------------------------------------------


def _describe_attack(result: AttackResult) -> dict[str, Any]:
    facts: dict[str, Any] = {"params": dict(result.params)}
    facts |= _pick(result, "rate", "rate_label", "baseline", "control", "interval")
    if result.counts is not None:
        facts["hits"], facts["trials"] = result.counts
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
    by_name: dict[str, Any] = {}
    for name, facts in pairs:
        namesakes = sum(key == name or key.startswith(f"{name} (") for key in by_name)
        by_name[f"{name} ({namesakes + 1})" if namesakes else name] = facts
    return by_name


def _to_json_value(value: Any, scrub: Callable[[str], str]) -> Any:
    """Only what JSON has: infinity becomes a word, what is nan or empty below stays out."""
    if isinstance(value, Mapping):
        plain = {
            scrub(str(name)): _to_json_value(item, scrub)
            for name, item in value.items()
            if not SECRET_NAME.search(str(name))
        }
        return {name: item for name, item in plain.items() if item is not None}
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
    for params in (
        result.plan.params,
        *(step.params for step in (*result.plan.attacks, *result.plan.measures)),
    ):
        values = [
            getattr(params, spec.name) for spec in params.specs() if spec.kind is ParamKind.PATH
        ]
        paths |= {path for path in values if path is not None}
    replacements = sorted(
        {(str(place), path.name) for path in paths for place in (path, path.absolute())},
        key=lambda pair: -len(pair[0]),
    )
    home = str(Path.home())

    def scrub(text: str) -> str:
        for path, name in replacements:
            text = text.replace(path, name)
        text = _HALVES.sub("\ufffd", text)
        if PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute():
            return PureWindowsPath(text).name
        return text.replace(home + os.sep, "~" + os.sep) if len(home) > 1 else text

    return scrub


# --- what a recipient gets ----------------------------------------------------------------------


COVERED = sentence("manifest.covered")

_PUBLIC = ("format", "created", "method", "params", "withheld", "content", "reviewer", "comment")
_GROUPS = ("k", "smallest_class")
_COUNT = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d{3,})(?![\d.])")


def public_facts(evidence: Mapping[str, Any], verdict: Mapping[str, Any] | None) -> dict[str, Any]:
    """The manifest of the release folder; `verdict` is that of the policy, if one has judged."""
    facts = {name: evidence[name] for name in _PUBLIC if name in evidence}
    facts |= {
        "statement": public_statement(evidence["statement"], evidence["params"]),
        "changes": {},
        **{
            kind: {
                name: {"params": dict(entry.get("params", {}))}
                for name, entry in evidence[kind].items()
            }
            for kind in ("measures", "attacks")
        },
        "note": COVERED,
    }
    sample = evidence.get("input", {}).get("sample", {})
    if "share" in sample:  # a parameter, not a count; how many users it took is one
        facts["sample"] = {"share": sample["share"]}
    if verdict is not None:
        facts["verdict"] = public_verdict(verdict)
    if "audit" in evidence.get("gates", {}):  # two audits that came out alike are two releases
        facts["audit"] = evidence["gates"]["audit"]
    return facts | {"versions": evidence["versions"], "files": dict(evidence["files"])}


def public_statement(statement: Mapping[str, Any], params: Mapping[str, Any]) -> dict[str, Any]:
    """A statement, made with `params`, without the evidence of its assumptions.

    Differential privacy's figures come from parameters alone. Other models measure the log: of
    those the sizes of groups stay, which anybody can count in the release, and counts in sentences
    are rounded to one digit, but not parameters: "at least k users", or k − 1 others.
    """
    facts = dict(statement)
    facts["assumptions"] = [
        {name: item[name] for name in ("name", "text", "status", "decided") if name in item}
        for item in statement.get("assumptions", ())
    ]
    if "user_column" in facts:  # what is doubted of it was counted in the log
        column = UserColumn.of({**facts.pop("user_column"), "doubts": []})
        facts |= {"user_column": column.to_dict()} if column is not None else {}
    if statement.get("model") != "differential privacy":
        sizes = [value for value in params.values() if type(value) is int]
        stated = {size - deduction for size in sizes for deduction in (0, 1)}

        def round_count(match: re.Match[str]) -> str:
            count = int(match[0].replace(",", ""))
            rounded = round(count, 1 - len(str(count)))
            return match[0] if count in stated else phrase("about {digits:,}", digits=rounded)

        facts["claim"] = _COUNT.sub(round_count, str(statement.get("claim", "")))
        measured = statement.get("measured", {})
        facts["measured"] = {name: measured[name] for name in _GROUPS if name in measured}
    return {name: value for name, value in facts.items() if value not in ({}, [])}


def public_verdict(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict, its policy, and the number of checks by outcome."""
    names = ("state", "title", "strength", "policy", "checks", "overridden")
    return {name: verdict[name] for name in names if name in verdict}


def audited_verdict(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict that a manifest tells of, at the approval if there was one.

    Empty where the manifest has none, or none of the form that this program writes.
    """
    data = facts.get("approval", {}).get("verdict") or facts.get("verdict")
    if not isinstance(data, dict) or data.get("state") not in {item.value for item in ReleaseState}:
        return {}
    state = ReleaseState(data["state"])
    strengths = {item.key: item for item in Strength}
    strength = strengths.get(str(data.get("strength")))
    title = state_title(state, len(overridden_checks(facts)), strength)
    return public_verdict(data) | {"state": state.value, "title": title}


def overridden_checks(facts: Mapping[str, Any]) -> list[str]:
    """Names of the checks that a manifest says a reviewer let pass."""
    approval = facts.get("approval", {})
    verdict = approval.get("verdict") or facts.get("verdict") or {}
    names = [str(name) for name in verdict.get("overridden", ())]
    return names or [str(override.get("gate", "")) for override in approval.get("overrides", ())]
