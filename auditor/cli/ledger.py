"""The ledger on the command line: what was released of a log, and whether the record is whole."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.cli.arguments import load_named_log
from auditor.cli.console import Console
from auditor.errors import AuditorError
from auditor.figures import format_delta
from auditor.log.sentences import sentence
from auditor.messages import phrase
from auditor.release import signing
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import store
from auditor.release.ledger.history import LedgerHistory, format_history, sketch_log
from auditor.release.ledger.store import LedgerEntry, LedgerState, ledger_path
from auditor.release.ledger.totals import LedgerTotal
from auditor.release.manifest import (
    audited_digest,
    internal_folder,
    keyed_digest,
    manifest_bytes,
    parse_manifest,
    read_evidence,
)
from auditor.release.policy.attestation import ContractAttestation

_LARGE = 1e300


def format_total(history: LedgerHistory, total: LedgerTotal | None = None) -> list[str]:
    """The total of a log, indented."""
    return [f"  {line}" for line in format_history(history, total)]


def locate_ledger(arguments: argparse.Namespace) -> Path:
    """The ledger that the arguments name, or the usual one."""
    return ledger_path(Path(arguments.ledger) if arguments.ledger else None)


def show_ledger(arguments: argparse.Namespace, console: Console) -> int:
    """What the ledger holds, whether its chain is whole, and whether releases agree with it."""
    path = locate_ledger(arguments)
    state = store.read_ledger(path)
    problems = [phrase("ledger: {problem}", problem=problem) for problem in state.problems]
    for folder in arguments.release:
        problems += [
            f"{folder}: {difference}" for difference in _compare_with_folder(Path(folder), state)
        ]
    facts: dict[str, Any] = {"ok": not problems, "problems": problems}
    facts |= {"ledger": str(path), "entries": len(state.entries)}
    facts |= {"id": state.id, "head": state.head} if state.id else {}
    lines = [*problems, _format_chain(state, path)]
    if not arguments.verify and not state.problems:
        if arguments.log:
            histories = [_find_history(arguments, console, state)]
        else:
            histories = [
                ledger_history.ledger_history(state, log_id)
                for log_id in ledger_history.known_logs(state)
            ]
        facts["logs"] = [history.to_dict() for history in histories]
        listed = {entry.number: entry for history in histories for entry in history.approvals}
        facts["approved"] = [_describe_entry(listed[number]) for number in sorted(listed)]
        today = store.current_time()[:10]
        due = [number for number in sorted(listed) if _attested(listed[number]).is_due(today)]
        facts |= {"due": due} if due else {}
        lines[:0] = [sentence("cli_ledger.due", entry=number) for number in due]
        for history in histories:
            digest, headline = history.digest[:16], history.before.format_headline()
            lines += ["", sentence("cli_ledger.log", digest=digest, headline=headline)]
            lines += format_total(history)
            for entry in history.approvals:
                repetition = "" if entry in history.releases else " " + phrase("(approved again)")
                lines.append(f"  {_format_entry(entry)}{repetition}")
                lines += [f"        {line}" for line in _attested(entry).lines]
    console.print_result(facts, "\n".join(lines))
    return 1 if problems else 0


def _find_history(
    arguments: argparse.Namespace, console: Console, state: LedgerState
) -> LedgerHistory:
    """Of the log that is named: a release folder names its own, any other is read and sampled."""
    if (Path(arguments.log) / "manifest.json").exists():
        try:
            return _of_release(Path(arguments.log), state)
        except ValueError as error:
            raise AuditorError(f"{error}.") from None
    log = load_named_log(arguments, console)
    secret = signing.audit_secret(signing.audit_key())
    sketch = sketch_log(log, secret, console.progress)
    return ledger_history.ledger_history(
        state, log.digest, sketch=sketch, keyed=keyed_digest(log.digest, secret)
    )


def _of_release(folder: Path, state: LedgerState) -> LedgerHistory:
    """The history of the log that a release was made from; raises ValueError.

    Its evidence says which log that is, or, where nobody has that, the entry of its approval.
    """
    facts = parse_manifest(manifest_bytes(folder))
    audited = audited_digest(facts)
    internal = internal_folder(folder.resolve())
    if internal.is_dir() and "input" not in facts:
        facts, _ = read_evidence(internal)
    source = facts.get("input", {})
    keyed = str(source.get("keyed_digest", ""))
    digest = str(source.get("digest", ""))
    if keyed:
        secret = signing.audit_secret(signing.audit_key())
        digest = ledger_history.digest_of(state, keyed, secret)
    for entry in state.approved:
        if not digest and entry.body.get("release") == audited:
            digest = ledger_history.log_of(entry)
    return ledger_history.ledger_history(state, digest, keyed=keyed)


def _compare_with_folder(folder: Path, state: LedgerState) -> list[str]:
    """In what a release folder and the ledger differ."""
    try:
        data = manifest_bytes(folder)
        facts = parse_manifest(data)
    except ValueError as error:
        return [str(error)]
    problems, signer = signing.check_signature(folder, data=data)
    if problems or not signer:
        return problems or ["is not signed, so it proves nothing"]
    return store.find_disagreements(state, facts, audited_digest(facts))


def _format_chain(state: LedgerState, path: Path) -> str:
    if not state.id and path.exists():
        return sentence("cli_ledger.empty", path=path)
    if not state.id:
        return sentence("cli_ledger.none", path=path)
    count = sentence("cli_ledger.entries", entries=len(state.entries))
    if state.problems:
        return sentence("cli_ledger.broken", path=path, count=count)
    return sentence("cli_ledger.chain", path=path, count=count, head=state.head[:16])


def _format_entry(entry: LedgerEntry) -> str:
    facts = _describe_entry(entry)
    epsilon, delta = facts.get("epsilon"), facts.get("delta")
    if isinstance(epsilon, float | int) and isinstance(delta, float | int):
        cost = (
            f"ε {epsilon:.4g}, δ {format_delta(delta)}" if abs(epsilon) < _LARGE else "no finite ε"
        )
    else:
        cost = str(facts.get("why", "what it costs is not said"))
    reviewer = phrase("by {reviewer}", reviewer=facts["reviewer"])
    if facts["overridden"]:
        reviewer += phrase("; overridden: {overridden}", overridden=", ".join(facts["overridden"]))
    time, method = facts.get("at", "at no time"), facts.get("method", "unknown")
    return f"{facts['entry']:>4}  {time}  {method}: {cost}; {reviewer}"


def _describe_entry(entry: LedgerEntry) -> Mapping[str, Any]:
    """One approval for JSON."""
    body = entry.body
    plain: dict[str, Any] = {"entry": entry.number}
    plain |= {key: body[key] for key in ("at", "method", "params", "model") if key in body}
    plain |= {key: body[key] for key in ("unit", "neighbours", "holds", "noise") if key in body}
    plain |= {key: body[key] for key in ("epsilon", "delta", "why") if key in body}
    plain |= {"log": body.get("log", {}).get("digest", ""), "release": body.get("release", "")}
    plain |= {"reviewer": body.get("reviewer", "nobody"), "head": entry.hash}
    plain |= _attested(entry).to_plain()
    return plain | {"overridden": [item.get("gate", "") for item in body.get("overrides", ())]}


def _attested(entry: LedgerEntry) -> ContractAttestation:
    return ContractAttestation.of_approval(entry.body)
