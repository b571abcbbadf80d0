"""The verbs that decide: audit by a policy, approve, verify. Each returns the exit code."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from auditor.arguments import intent_of, known, load, params_of, read, release_at
from auditor.console import Console, run_text, values, verdict_text
from auditor.engine.plan import resolve
from auditor.engine.runner import execute
from auditor.errors import ParameterError
from auditor.privacy.noise import SecureRandomness


def audit(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder with everything that applies measured, judged by a policy."""
    from auditor.release import export, gates, policy

    wanted = Path(arguments.policy) if arguments.policy else None
    rules = policy.read_policy(wanted) if wanted else policy.default_policy()
    intent = intent_of(arguments.method, arguments.param, attacks=None)
    folder = Path(arguments.out)
    log = read(arguments, console)
    export.check_target(folder, log, overwrite=arguments.overwrite)
    evidence, given = known(arguments, log, console)
    plan = resolve(intent, log, given)
    result = execute(plan, evidence, SecureRandomness(), console.handle, console)
    judged = gates.judge(result, log, rules)
    found = gates.facts(rules, judged)
    export.write_release(
        result,
        log,
        folder,
        progress=console.progress,
        overwrite=arguments.overwrite,
        gates=found,
    )
    facts = {"folder": str(folder), "gates": found}
    facts |= {"statement": result.release.statement.to_dict(), "values": values(result.values)}
    text = f"{run_text(result)}\n\nPolicy {rules.name}:\n{gates.text(judged)}\n\nRelease: {folder}"
    console.result(facts, text)
    return 0 if found["passed"] else 1


def approve(arguments: argparse.Namespace, console: Console) -> int:
    """A signed folder, if every gate is passed or overridden with a reason."""
    from auditor.release import approve as approving
    from auditor.release import signing

    folder, key = Path(arguments.dir), Path(arguments.key)
    overrides = _overrides(arguments.override)
    blocking = approving.blocking(folder, overrides)
    if blocking:
        told = ", ".join(blocking)
        text = f"Not approved: these gates stand in the way: {told}"
        console.result({"approved": False, "blocking": blocking}, text)
        return 1
    if arguments.new_key:
        public = signing.new_key(key)
        console.note(f"new key; give {public} to whoever shall verify your releases")
    found = approving.approve(
        folder,
        reviewer=arguments.reviewer,
        key=signing.private_key(key),
        overrides=overrides,
        progress=console.progress,
    )
    text = f"Approved by {found['reviewer']}, signed with the key {found['key_fingerprint']}"
    console.result({"approved": True} | found, text)
    return 0


def _overrides(pairs: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        gate, equals, reason = pair.partition("=")
        if not equals or not gate.strip() or gate.strip() in found:
            raise ParameterError("override", "--override takes GATE=REASON, once for each gate.")
        found[gate.strip()] = reason
    return found


def verify(arguments: argparse.Namespace, console: Console) -> int:
    """Whether a release folder is what its manifest says, or any log what a definition asks."""
    if arguments.model is not None:
        return _verify_model(arguments, console)
    if arguments.param or arguments.clicks:
        raise ParameterError("model", "-p and --clicks go with --model: name the definition.")
    from auditor.release import signing
    from auditor.release.manifest import verify_folder

    folder = Path(arguments.log)
    trusted = signing.public_key(Path(arguments.public_key)) if arguments.public_key else None
    problems = verify_folder(folder)
    wrong, signer = signing.check(folder, trusted)
    problems += wrong
    lines = problems or [f"{arguments.log}: every file is as its manifest says"]
    if signer and not wrong:
        lines.append(f"signed with the key {signer}")
        if trusted is None:
            lines.append("whose key that is, only --public-key with a key you trust can tell")
    facts = {"ok": not problems, "problems": problems}
    facts |= {"key_fingerprint": signer} if signer else {}
    console.result(facts, "\n".join(lines))
    return 1 if problems else 0


def _verify_model(arguments: argparse.Namespace, console: Console) -> int:
    """Names the users for whom the definition fails, by their ids in the log."""
    from auditor.privacy.models import MODELS

    model = MODELS[arguments.model]
    given = params_of(model.params, arguments.param)
    if arguments.clicks and not model.clustered:
        raise ParameterError("clicks", f"{model.name} looks at no clusters: leave out --clicks.")
    folder = Path(arguments.log)
    if folder.is_dir() and (folder / "manifest.json").exists():
        log = release_at(arguments.log, console).log
        if log is None:
            raise ParameterError("log", f"{arguments.log} releases tables: they hold no users.")
    else:
        log = read(arguments, console)
    clicked = load([Path(arguments.clicks)], None, console) if arguments.clicks else None
    found = model.check(log, given, clicked, console.progress)
    facts = {"ok": found.holds, "model": model.name} | given.to_dict()
    facts |= {"users": found.users, "failing_users": list(found.failing)} | dict(found.facts)
    console.result(facts, verdict_text(model.name, given.to_dict(), found))
    return 0 if found.holds else 1
