"""The verbs that decide: audit by a policy, approve, verify. Each returns the exit code."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.cli import ledger as cli_ledger
from auditor.cli.arguments import (
    assume_attackers,
    attacker_evidence,
    expect_run,
    input_paths,
    load_log,
    load_named_log,
    params_of,
    print_plan,
    release_at,
    run_plan,
    selection_of,
)
from auditor.cli.console import Console, print_values, run_text, verdict_text
from auditor.cli.suggest import update_selection
from auditor.cli.summary import closing_summary
from auditor.engine.plan import Intent, resolve_intent, select_checks
from auditor.engine.run import Run
from auditor.errors import AuditorError, ExportRefused, ParameterError
from auditor.figures import format_count
from auditor.log.model import LogTotals, QueryLog
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.verification.models import MODELS
from auditor.release import approval as approving
from auditor.release import export, gates, signing
from auditor.release.atomic_write import clear_leftovers
from auditor.release.export_target import quote_name
from auditor.release.feedback import SignedFeedback, feedback_sentences, read_feedback
from auditor.release.ledger import history as ledger_history
from auditor.release.ledger import other_releases, store
from auditor.release.manifest import synthetic_source
from auditor.release.officer import answer_officer
from auditor.release.policy.attestation import read_attestation
from auditor.release.policy.policy import load_policy, read_policy
from auditor.release.record import ReleaseRecord
from auditor.release.report import html, registry_card
from auditor.release.verdict import measured_verdict
from auditor.release.verify import verify_release


def audit_intent(arguments: argparse.Namespace, intent: Intent, console: Console) -> int:
    """A release folder with everything that applies measured, judged by a policy."""
    rules = load_policy(arguments.policy)
    intent = assume_attackers(arguments, intent)
    folder = Path(arguments.out)
    inputs = input_paths(arguments, *dict(intent.values).values())
    check_places(arguments, folder, inputs, console)
    key = signing.audit_key()  # refused now, not after an hour of work
    feedback = read_feedback(Path(arguments.feedback)) if arguments.feedback else None
    intent = intent.weigh_rules(feedback.counting_weights) if feedback is not None else intent
    selection = selection_of(arguments, quick=False)
    expect_run(arguments, intent, selection, console)
    log = load_named_log(arguments, console)
    export.check_target(folder, log.origin.files, overwrite=arguments.overwrite)
    secret = signing.audit_secret(key)
    if feedback is not None:
        SignedFeedback.of(feedback, log, secret)  # refused now, too, if it is about another log
        for line in feedback_sentences(feedback.summarize()):
            console.print_note(line)
    evidence = attacker_evidence(arguments, log, console)
    knowledge = evidence.digest_knowledge()
    path = cli_ledger.locate_ledger(arguments)
    intent = update_selection(intent, log, console, path)
    plan = select_checks(resolve_intent(intent, log, knowledge), intent, selection, log)
    if arguments.dry_run:
        return print_plan(plan, log, console)
    result = run_plan(plan, evidence, SecureRandomness(), console, ledger=path)
    console.begin_phase("Writing the release, its report and how the policy judges it")
    history = ledger_history.releases_before(log, path, secret, console.progress)
    record = ReleaseRecord.of_run(result, log, feedback, secret)
    total = history if isinstance(history, str) else history.add_release(record)
    record = gates.judge_record(record, rules, total)
    export.write_release(
        result,
        log,
        folder,
        progress=console.progress,
        overwrite=arguments.overwrite,
        record=record,
        pdf=arguments.pdf,
        comment=arguments.purpose,
        ledger=path,
    )
    write_truth(arguments, result, console)
    internal = internal_report(arguments, result, log, folder, console)
    return print_audit(arguments, result, log, record, internal, console)


def print_audit(
    arguments: argparse.Namespace,
    result: Run,
    log: LogTotals,
    record: ReleaseRecord,
    internal: Mapping[str, Any],
    console: Console,
) -> int:
    """Print how a policy judged what was written; the exit code."""
    assert record.policy is not None
    folder, verdict = Path(arguments.out), measured_verdict(record)
    facts: dict[str, Any] = {"folder": str(folder), "verdict": verdict.to_dict()}
    facts |= {"gates": gates.gate_facts(record), **internal}
    facts |= {"statement": record.statement.to_dict(), "values": print_values(result.values)}
    facts |= {"feedback": dict(record.feedback)} if record.feedback else {}
    facts |= {"officer": [answer.to_dict() for answer in answer_officer(record, arguments.purpose)]}
    checks = f"Policy {record.policy.name}:\n{gates.format_gates(record.judged)}"
    text = closing_summary(result, log, verdict, folder)
    console.print_result(facts, text, details=f"{run_text(result)}\n\n{checks}")
    return 0 if verdict.releasable else 1


def check_places(
    arguments: argparse.Namespace, folder: Path, inputs: Sequence[Path], console: Console
) -> None:
    """Refuse places where something stands, before any work is done."""
    overwrite = arguments.overwrite
    seeded = getattr(arguments, "preview_seed", None) is not None
    if arguments.write_truth:  # nowhere where it would go out, or replace something
        truth, refused = Path(arguments.write_truth), ""
        if seeded:
            refused = "It goes with a release, not with a preview."
        elif truth.exists():
            refused = "Something stands there: name a new file."
        elif not truth.parent.is_dir():
            refused = "Its folder is not there."
        elif truth.resolve().is_relative_to(folder.resolve()):
            refused = "Name a file outside the release, which is given away."
        if refused:
            raise ParameterError("write_truth", refused)
    if seeded:
        export.check_preview(folder, inputs, overwrite=overwrite)
        return
    report_leftovers(folder, console)
    export.check_target(folder, inputs, overwrite=overwrite)
    if arguments.edition == "internal":
        html.check_internal(folder, inputs, pdf=arguments.pdf, overwrite=overwrite)


def write_truth(arguments: argparse.Namespace, result: Run, console: Console) -> None:
    """Write the truth table of a release if a path for it was given."""
    path = arguments.write_truth
    if path and result.release.truth is None:
        console.print_note("No truth table is written: this release has no new ids.")
    elif path and result.release.truth is not None:
        result.release.truth.save(Path(path))


def report_leftovers(folder: Path, console: Console) -> None:
    """Clear what killed runs left beside a folder, and say so."""
    if clear_leftovers(folder.absolute().parent):
        console.print_note(
            f"A run was killed while it wrote beside {quote_name(folder)}: what it left, no whole "
            "release, is cleared away. A release that stood there before stands there now."
        )


def internal_report(
    arguments: argparse.Namespace, result: Run, log: QueryLog, folder: Path, console: Console
) -> dict[str, Any]:
    """Write the internal edition beside the folder, if it is wanted; its names for the result."""
    if arguments.edition != "internal":
        return {}

    paths = html.write_internal(result, log, folder, pdf=arguments.pdf, progress=console.progress)
    for path in paths:
        console.print_note(f"internal report, not to be passed on: {path}")
    return {"internal": [str(path) for path in paths]}


def approve_release(arguments: argparse.Namespace, console: Console) -> int:
    """A signed folder, if every gate is passed or overridden with a reason."""
    folder, key = Path(arguments.dir), Path(arguments.key)
    overrides: dict[str, str] = {}
    for pair in arguments.override:
        gate, equals, reason = pair.partition("=")
        if not equals or not gate.strip() or gate.strip() in overrides:
            raise ParameterError("override", "--override takes GATE=REASON, once for each gate.")
        overrides[gate.strip()] = reason
    rules = read_policy(Path(arguments.policy)) if arguments.policy else None
    trusted = signing.public_key(Path(arguments.audit_key)) if arguments.audit_key else None
    log = load_named_log(arguments, console) if arguments.log else None
    waiting = approving.review_folder(
        folder, progress=console.progress, policy=rules, audit_key=trusted, log=log
    )
    path = cli_ledger.locate_ledger(arguments)
    if log is not None:
        secret = signing.audit_secret(signing.audit_key())
        ledger_history.remember_log(log, path, secret, console.progress)
    if arguments.attest:
        fields = read_attestation(Path(arguments.attest))
        waiting = waiting.attest(arguments.reviewer, fields)
    state = store.read_ledger(path)
    state.raise_problems()
    history = waiting.find_history(state)
    for line in ["Of this log so far:", *cli_ledger.format_total(history)]:
        console.print_note(line)
    blocking = waiting.list_blocking(state, overrides)
    if blocking:
        names = ", ".join(blocking)
        text = f"Not approved: these gates stand in the way: {names}\n"
        verdict = waiting.compute_verdict(state, overrides)
        facts = {"approved": False, "blocking": blocking, "verdict": verdict.to_dict()}
        answer = "\n".join(verdict.sentences)
        console.print_result(
            facts, f"{text}{gates.format_gates(waiting.judge_gates(state))}\n\n{answer}"
        )
        return 1
    reviewer = approving.clean_reviewer(arguments.reviewer)
    approving.check_overrides(overrides, waiting.judge_gates(state))
    if arguments.new_key:  # none is made for an approval that is refused
        public = signing.new_key(key)
        console.print_note(f"new key; give {public} to whoever shall verify your releases")
    if not waiting.own_policy:
        console.print_note(
            f"judged by the policy that the audit named, '{waiting.policy.name}'; "
            "--policy judges by yours"
        )
    approval = approving.sign_folder(
        waiting,
        reviewer=reviewer,
        key=signing.private_key(key, console.ask_secret),
        overrides=overrides,
        progress=console.progress,
        ledger_file=path,
    )
    text = f"Approved by {approval['reviewer']}, signed with the key {approval['key_fingerprint']}"
    after = cli_ledger.format_total(history, history.add_release(waiting.record))
    verdict = waiting.compute_verdict(state, overrides)
    attested = waiting.attestation.lines
    lines = [text, *attested, "", *verdict.sentences, "", "With this release:", *after]
    facts = {"approved": True, "verdict": verdict.to_dict()} | approval
    console.print_result(facts, "\n".join(lines))
    return 0


def verify_folder(arguments: argparse.Namespace, console: Console) -> int:
    """Whether a release folder is what its manifest says, or any log what a definition asks."""
    if arguments.model is not None:
        return _verify_model(arguments, console)
    if arguments.param or arguments.clicks:
        raise ParameterError("model", "-p and --clicks go with --model: name the definition.")

    trusted = signing.public_key(Path(arguments.public_key)) if arguments.public_key else None
    result = verify_release(Path(arguments.log), console.progress, trusted)
    lines = [*result.problems] or [f"{arguments.log}: every file is as its manifest says"]
    if trusted is None and not result.problems:
        lines.append(
            "nobody is identified: whoever can write here can write all of it anew. Only "
            "--public-key, with a key that you have from the signer, tells who signed"
        )
    if result.signer:
        lines.append(f"signed with the key {result.signer}")
        lines += [] if result.approved else ["not approved"]
    elif not result.problems:
        lines.append("not signed: nobody answers for it")
    lines += result.attestation.lines
    if result.verdict:
        line = f"verdict of the audit: {result.verdict['title']}"
        if names := [str(name) for name in result.verdict.get("overridden", ())]:
            checks = format_count(len(names), "check")
            line += f" (a reviewer let {checks} pass with a reason: {', '.join(names)})"
        lines.append(line)
    if result.source:
        lines.append(
            "synthetic log: rows are made up, strings are real, and the verdict and what the "
            f"ledger says are those of the release it was made from, {result.source}"
        )
    facts = result.to_dict()
    path, is_named = cli_ledger.locate_ledger(arguments), bool(arguments.ledger)
    standing: Mapping[str, tuple[str, str]] = {}
    try:
        standing = _find_standing(result.manifest, path, is_named=is_named)
    except AuditorError as error:  # the folder is what it is, whatever became of the usual ledger
        if is_named:
            raise
        console.print_note(str(error))
    for name, (status, evidence) in standing.items():
        lines.append(f"by the ledger, now: '{name}' {status}: {evidence}")
    if standing:
        facts |= {"assumptions_now": {name: status for name, (status, _) in standing.items()}}
    console.print_result(facts, "\n".join(lines))
    return 1 if result.problems else 0


def print_card(arguments: argparse.Namespace, console: Console) -> int:
    """A release's card for the registry of deployments of differential privacy."""
    result = verify_release(Path(arguments.dir), console.progress)
    if result.problems:
        raise ExportRefused(result.problems[0])
    if not result.approved:
        console.print_note("nobody has approved this release: it is not to be registered yet")
    card = registry_card.registry_card(result.manifest)
    open_fields = list(registry_card.list_open_fields(card))
    console.print_note("to be filled in: " + ", ".join(open_fields))
    text = registry_card.format_card(card).rstrip()
    console.print_result({"card": card, "open_fields": open_fields}, text)
    return 0


def _find_standing(
    manifest: Mapping[str, Any], path: Path, *, is_named: bool
) -> Mapping[str, tuple[str, str]]:
    """What the ledger decides now of a release's assumptions; nothing where it is in no ledger."""
    if not manifest or not (is_named or path.exists()):
        return {}
    state = store.read_ledger(path)
    state.raise_problems()
    standing = other_releases.find_standing(manifest, state)
    if standing is None and is_named:
        source = synthetic_source(manifest)
        subject = f"release {source}, of which this synthetic log was made" if source else "release"
        raise ParameterError(
            "ledger", f"This ledger does not hold the {subject}. Name the one that does."
        )
    return standing or {}


def _verify_model(arguments: argparse.Namespace, console: Console) -> int:
    """Names the users for whom the definition fails, by their ids in the log."""
    model = MODELS[arguments.model]
    params = params_of(model.params, arguments.param)
    if arguments.clicks and not model.clustered:
        raise ParameterError("clicks", f"{model.name} looks at no clusters: leave out --clicks.")
    folder = Path(arguments.log)
    if folder.is_dir() and (folder / "manifest.json").exists():
        log = release_at(arguments.log, console).log
        if log is None:
            raise ParameterError("log", f"{arguments.log} releases tables: they hold no users.")
    else:
        log = load_named_log(arguments, console)
    clicked = load_log([Path(arguments.clicks)], None, console) if arguments.clicks else None
    result = model.check(log, params, clicked, console.progress)
    facts = {"ok": result.holds, "model": model.name} | params.to_dict()
    facts |= {"users": result.users, "failing_users": list(result.failing)} | dict(result.facts)
    console.print_result(facts, verdict_text(model.name, params.to_dict(), result))
    return 0 if result.holds else 1
