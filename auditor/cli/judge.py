"""The verb that judges a release that somebody else made."""

import argparse
import contextlib
import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from auditor.attacks.record_linkage.targets import NO_OWNERS
from auditor.cli import spark
from auditor.cli.arguments import (
    assume_attackers,
    attacker_evidence,
    input_paths,
    load_named_log,
    note_other_log,
    parse_columns,
    run_plan,
    selection_of,
)
from auditor.cli.console import Console, print_values, run_text
from auditor.engine.distributed_results import DistributedLog
from auditor.engine.plan import Intent, plan_judgement, select_checks
from auditor.engine.run import Run
from auditor.errors import ExportRefused, LogFormatError, ParameterError
from auditor.log.memory import available_memory
from auditor.log.model import QueryLog
from auditor.log.origin import LogOrigin
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.messages import as_phrase, phrase
from auditor.methods.registry import FIRST
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.release import Release
from auditor.privacy.statement import assume
from auditor.privacy.truth_table import TruthTable
from auditor.release import export, gates
from auditor.release.atomic_write import staged_folder
from auditor.release.export_target import check_folder, folder_entries
from auditor.release.kept_content import ContentFacts, KeptContent
from auditor.release.manifest import MANIFEST
from auditor.release.officer import answer_officer
from auditor.release.policy.policy import load_policy
from auditor.release.recheck import recheck_claims
from auditor.release.record import ReleaseRecord
from auditor.release.report import html
from auditor.release.report.blocks import Edition
from auditor.release.verdict import measured_verdict
from auditor.release.verify import verify_release

REPORT, PDF, FACTS = "report.html", "report.pdf", "judgement.json"
"""What is written: the report, and the same for programs."""
CLAIMED = "What is guaranteed is what its own manifest claims: nobody here saw how it was made."
MADE_HERE = ("suggestion", "feedback", "plan", "ledger", "purpose", "dry_run", "write_truth")
"""Options that say something of a release that is yet to be made, or approved."""


def judge_release(arguments: argparse.Namespace, console: Console) -> int:
    """Everything that applies to a release of others, judged by a policy; 1 where it may not go."""
    if arguments.method is not None or arguments.param:
        raise ParameterError(
            "release", "A release of others has no method here: leave out --method and -p."
        )
    for name in MADE_HERE:
        if getattr(arguments, name, None):
            option = name.replace("_", "-")
            raise ParameterError("release", f"--{option} goes with a release that is made here.")
    rules = load_policy(arguments.policy)
    source, out = Path(arguments.release), Path(arguments.out)
    truth = TruthTable.read(Path(arguments.truth)) if arguments.truth else None
    columns = parse_columns(arguments.release_columns) if arguments.release_columns else None
    inputs = [*input_paths(arguments), source]
    target = check_folder(out, _is_judgement, overwrite=arguments.overwrite, inputs=inputs)
    totals: QueryLog | DistributedLog
    if arguments.engine == "spark":
        log, totals = spark.collect_judged(arguments, console)
    else:
        log = totals = load_named_log(arguments, console)
    free = available_memory()
    console.begin_phase("Reading the release")
    with contextlib.ExitStack() as stack:
        spill = None
        if log.origin.sample is not None and free is not None:
            spill = stack.enter_context(WorkingFiles(free // 2))
        release, other_log, rechecked = _read_release(source, columns, truth, log, spill, console)
        result, record = _attack_release(arguments, release, log, totals, console)
    origin = LogOrigin() if release.log is None else release.log.origin
    record = gates.judge_record(dataclasses.replace(record, rechecked=rechecked), rules)
    verdict = measured_verdict(record)
    edition: Edition = "internal" if arguments.edition == "internal" else "full"
    document = html.document_of(result, totals, edition=edition, record=record)
    facts: dict[str, Any] = {"release": str(source), "verdict": verdict.to_dict()}
    facts |= {"gates": gates.gate_facts(record), "values": print_values(result.values)}
    facts |= {"attacks": {attack.attack: attack.rate for attack in result.attacks}}
    facts |= {"skipped": dict(result.skipped)}
    facts |= {"claim": CLAIMED} if rechecked is not None else {}
    facts |= {"rechecked": [*rechecked]} if rechecked else {}
    facts |= {"rejected": dict(origin.rejected)} if origin.rejected else {}
    facts |= {"other_log": other_log} if other_log else {}
    facts |= {"officer": [answer.to_dict() for answer in answer_officer(record)]}
    with staged_folder(target, replaceable=_is_judgement) as folder:
        folder.mkdir(exist_ok=True)
        for name in (REPORT, PDF) if arguments.pdf else (REPORT,):
            html.write_report(document, totals, folder / name, console.progress)
        export.write_json(facts, folder / FACTS)
    checks = f"Policy {rules.name}:\n{gates.format_gates(record.judged)}"
    lines = [verdict.text(), *filter(None, [other_log, facts.get("claim")])]
    lines += [f"Rows of the release not read: {name} {n:,}." for name, n in origin.rejected.items()]
    lines += [f"The release: {note}." for note in origin.notes]
    lines += [f"Not run: {name} {reason}." for name, reason in result.skipped.items()]
    text = "\n".join([*lines, f"Written to {out}."])
    console.print_result(facts | {"out": str(out)}, text, details=f"{run_text(result)}\n\n{checks}")
    return 0 if verdict.releasable else 1


def _is_judgement(folder: Path) -> bool:
    return folder.is_dir() and set(folder_entries(folder)) <= {REPORT, PDF, FACTS}


def _read_release(
    source: Path,
    columns: Mapping[str, str | int] | None,
    truth: TruthTable | None,
    log: QueryLog,
    spill: WorkingFiles | None,
    console: Console,
) -> tuple[Release, str, tuple[str, ...] | None]:
    """The release, why it is not of this log, and what its manifest claims that still holds.

    The second is empty if nothing says so. The claims are worked out again on a whole log; they are
    None without a manifest.
    """
    from auditor.release.outside import read_outside  # takes time to import

    release = read_outside(source, columns, truth=truth, progress=console.progress, spill=spill)
    if columns is not None or not source.is_dir() or not (source / MANIFEST).exists():
        return release, "", None
    verified = verify_release(source, console.progress)
    for problem in verified.problems[:1]:
        raise LogFormatError(
            phrase("is not what its manifest says: {problem}.", problem=as_phrase(problem)),
            path=source,
        )
    other_log, doubt = "", None
    rechecked: tuple[str, ...] = ()
    is_whole = log.origin.sample is None
    if is_whole and (other_log := note_other_log(source, log, console)):
        doubt = assume("statements.made_from_this_log", "unknown", other_log)
    elif is_whole:
        try:
            rechecked = recheck_claims(log, release, verified.manifest, console.progress)
        except ExportRefused as contradiction:
            doubt = assume("statements.made_from_this_log", "fails", str(contradiction))
    if doubt is not None:
        assumptions = (*release.statement.assumptions, doubt)
        statement = dataclasses.replace(release.statement, assumptions=assumptions)
        release = dataclasses.replace(release, statement=statement)
    return release, other_log, rechecked


def _attack_release(
    arguments: argparse.Namespace,
    release: Release,
    log: QueryLog,
    totals: QueryLog | DistributedLog,
    console: Console,
) -> tuple[Run, ReleaseRecord]:
    """Run all that applies; where `log` is a sample of users, on the rows of these users."""
    from auditor.release.outside import select_sample

    sample, users = log.origin.sample, len(totals.users)
    evidence = attacker_evidence(arguments, log, console)
    part, knowledge = None, evidence.digest_knowledge()
    if sample is not None:
        evidence, knowledge = spark.announce_sample(evidence, users, console), {}
        if release.log is not None:
            part = select_sample(release, log, console.progress)
    attacked = part or release
    intent = assume_attackers(arguments, Intent(method=FIRST))
    full_plan = plan_judgement(attacked, log, intent, knowledge)
    plan = select_checks(full_plan, intent, selection_of(arguments, quick=False), log)
    if sample is not None:
        has_owners = part is not None or release.log is None
        plan = spark.restrict_plan(plan, "" if has_owners else NO_OWNERS)
    result = run_plan(
        plan, evidence, SecureRandomness(), console, "Judging the release", release=attacked
    )
    if sample is None:
        return result, ReleaseRecord.of_run(result, log)
    newest = None if totals.period is None else totals.period[1]
    facts_of_rows = ContentFacts.of_sample(log, release, part, newest)
    spark.add_notes(result, sample.users, users)
    evidence = dataclasses.replace(evidence, release=attacked)
    counted_content = KeptContent(log_queries=len(totals.queries))
    record = ReleaseRecord.of_sample(result, evidence, counted_content, facts_of_rows, users=users)
    return result, record
