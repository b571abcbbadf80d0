"""Checks a release against the log that it was made from: what can be computed, is.

What no check can show is that the noise of a random release was drawn as its method says: any
output is possible. What the attacks measured is not measured again either; for both, the seal of
the audit answers.
"""

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from auditor.errors import AuditorError, ExportRefused
from auditor.figures import format_count
from auditor.log.model import QueryLog
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import repeat_selection
from auditor.params import ParamKind, Params
from auditor.privacy.release import Anonymized
from auditor.privacy.statement import Statement
from auditor.privacy.verification.models import MODELS
from auditor.progress import Progress
from auditor.release import signing
from auditor.release.export_target import quote_name
from auditor.release.ledger import store
from auditor.release.ledger.history import log_of
from auditor.release.loading import read_release, statement_of
from auditor.release.manifest import (
    audited_digest,
    internal_folder,
    keyed_digest,
    manifest_bytes,
    parse_manifest,
    read_evidence,
)


def recheck_release(
    log: QueryLog, folder: Path, facts: Mapping[str, Any], progress: Progress
) -> tuple[str, ...]:
    """What was checked and holds, in words; raises `ExportRefused` for what does not.

    O(rows), and what the definition's own check costs where the release claims k-anonymity.
    """
    is_same_log = _same_log(log, facts.get("input", {}))
    if is_same_log is False:
        raise ExportRefused(
            f"{quote_name(folder)} was made from another log than this one, or the log was read "
            "in another way than then."
        )
    users, log_users = facts["gates"]["figures"].get("users"), len(log.without_blank.users)
    if users != log_users:
        raise _make_contradiction(f"it speaks of {users!r} users, the log has {log_users:,}")
    checks = ["the log's digest"] if is_same_log else []
    return (*checks, *recheck_claims(log, read_release(folder, progress=progress), facts, progress))


def recheck_claims(
    log: QueryLog, release: Anonymized, facts: Mapping[str, Any], progress: Progress
) -> tuple[str, ...]:
    """The same of what a manifest alone claims, be it whose it may.

    Of a sample of the log's users, and of a synthetic log, nothing can be worked out again.
    """
    checks: list[str] = []
    statement = statement_of(facts["statement"])
    if statement.sample_share is not None or release.synthetic_seed is not None:
        return ()
    params = _rebuild_params(facts)
    if params is not None and statement.model == "differential privacy":
        _check_claim(str(facts["method"]), params, log, statement, progress)
        checks.append("ε, δ, unit and neighbours of its method with its parameters")
    if statement.model == "k-anonymity" and release.log is not None and params is not None:
        method = str(facts["method"])
        checks.append(_check_definition(method, params, log, release, statement, progress))
    recheck = METHODS[facts["method"]].recheck if params is not None else None
    if recheck is not None:
        if (release.log is None) != (METHODS[facts["method"]].yields == "tables"):
            raise _make_contradiction("it is not what its method makes")
        content = release.local_content
        if contradiction := recheck.find_contradiction(log, content, params, progress):
            raise _make_contradiction(contradiction)
        checks.append(recheck.holds)
    return tuple(check for check in checks if check)


def is_of_other_log(folder: Path, log: QueryLog) -> bool:
    """Whether a release is known to be made from another log than this one, or one read otherwise.

    The usual ledger says it, or the evidence beside the release; False where neither does.
    """
    with contextlib.suppress(AuditorError, OSError, ValueError):
        audited = audited_digest(parse_manifest(manifest_bytes(folder)))
        for entry in store.read_ledger(store.ledger_path()).written:
            if entry.body.get("release") == audited:
                return log_of(entry) != log.digest
        facts, _ = read_evidence(internal_folder(folder.resolve()))
        is_same_manifest = facts.get("release", {}).get("manifest_sha256") == audited
        if is_same_manifest and (store.data_folder() / signing.AUDIT_KEY).exists():
            source = facts.get("input", {})
            return "keyed_digest" in source and _same_log(log, source) is False
    return False


def _same_log(log: QueryLog, source: Mapping[str, Any]) -> bool | None:
    """Whether evidence is of this log; None where only another person's key could tell."""
    key = signing.audit_key()
    if source.get("key_fingerprint") != signing.key_fingerprint(key.public_key()):
        return None if "keyed_digest" in source else False
    return bool(source["keyed_digest"] == keyed_digest(log.digest, signing.audit_secret(key)))


def _rebuild_params(facts: Mapping[str, Any]) -> Params | None:
    """The method's parameters, or None where the manifest can't hold all of them."""
    if facts["method"] not in METHODS or facts.get("withheld"):
        return None
    kind = METHODS[facts["method"]].params
    paths = {spec.name for spec in kind.specs() if spec.kind is ParamKind.PATH}
    if paths & set(facts["params"]):
        return None  # a pool or a gazetteer of which only the name is known
    try:
        return kind.of(facts["params"])
    except (AuditorError, TypeError):
        raise _make_contradiction("no run of its method can have had its parameters") from None


def _check_claim(
    method: str, params: Params, log: QueryLog, claim: Statement, progress: Progress
) -> None:
    look = METHODS[method].outlook
    if look is None:
        return
    expected = look(log, params, scale=1.0, progress=progress).statement
    expected = repeat_selection(expected, claim)
    for name in ("model", "unit", "neighbours"):
        if getattr(expected, name) != getattr(claim, name):
            raise _make_contradiction(f"its {name} is not that of its method")
    for name in ("epsilon", "delta"):
        own, claimed = getattr(expected, name), getattr(claim, name)
        if own is None or claimed is None or not np.isclose(own, claimed, rtol=1e-9, atol=0.0):
            raise _make_contradiction(f"its {name} is not what its method has with its parameters")
    names = {assumption.name for assumption in claim.assumptions if assumption.status == "holds"}
    for name in (assumption.name for assumption in expected.failing):
        if name in names:
            raise _make_contradiction(f"the assumption '{name}' fails, and it says that it holds")


def _check_definition(
    method: str,
    params: Params,
    log: QueryLog,
    release: Anonymized,
    statement: Statement,
    progress: Progress,
) -> str:
    """Hold the released log against the definition that it claims, by the independent verifier."""
    assert release.log is not None
    name = METHODS[method].definition
    if not name:
        return ""
    model, plain = MODELS[name], params.to_dict()
    values = {spec.name: plain[spec.name] for spec in model.params.specs() if spec.name in plain}
    if name == "user-k":  # the groups that were made may be larger than was asked for
        values["k"] = int(statement.measured.get("k", plain["k"]))
    checked = model.check(release.log, model.params(**values), log, progress)
    users = format_count(checked.users, "user")
    if not checked.holds:
        failing = len(checked.failing)
        raise _make_contradiction(f"{model.name} fails for {failing:,} of its {users}")
    return f"{model.name}, for each of {users}"


def _make_contradiction(contradiction: str) -> ExportRefused:
    return ExportRefused(f"The release contradicts its log: {contradiction}.")
