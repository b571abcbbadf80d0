"""What each verb of the command line does. Each function returns the exit code."""

import argparse
import contextlib
import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from auditor.attacks.adversaries import find_adversary
from auditor.attacks.base import AttackResult, Evidence
from auditor.attacks.detection.languages import estimate_languages
from auditor.attacks.registry import ATTACKS
from auditor.bounded_files import UnfitFile, read_bounded, read_text
from auditor.cli import (
    approval,
    completion,
    detect,
    judge,
    ledger,
    memory_budget,
    reproduce,
    spark,
    suggest,
)
from auditor.cli.arguments import (
    assume_attackers,
    attacker_evidence,
    checks_of,
    expect_run,
    input_paths,
    is_of_check,
    load_log,
    load_named_log,
    log_paths,
    params_of,
    print_plan,
    reading_options,
    release_of,
    run_plan,
    selection_of,
    store_standard_input,
)
from auditor.cli.console import (
    Console,
    attack_facts,
    attack_text,
    describe_entry,
    format_whole,
    measure_facts,
    measure_text,
    print_values,
    run_text,
    to_json_value,
)
from auditor.cli.summary import closing_summary, demo_summary, log_facts, log_summary
from auditor.engine import explanation
from auditor.engine import sweep as engine_sweep
from auditor.engine.backends import local
from auditor.engine.costs import CostEstimator
from auditor.engine.plan import Intent, resolve_intent, select_checks
from auditor.engine.run_progress import forecast_run
from auditor.errors import LogFormatError, MissingInput, ParameterError, PlaceRefused
from auditor.figures import format_count, format_share
from auditor.log import gazetteers
from auditor.log.columns import describe_columns, list_exposures
from auditor.log.equal_histories import doubt_users
from auditor.log.keystrokes import describe_unfinished
from auditor.log.model import QueryLog
from auditor.log.reading.format_detection import AGGREGATED
from auditor.log.reading.sources import find_parts
from auditor.log.reading.user_ids import largest_users, mask_value
from auditor.log.synthetic.generator import FILES, synthesize_log, write_synthetic
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.noise import PreviewRandomness, SecureRandomness
from auditor.privacy.release import Preview
from auditor.privacy.truth_table import TruthTable
from auditor.registry import Registry
from auditor.release import export, signing, synthetic_log
from auditor.release.explanation_text import as_text
from auditor.release.export import write_json, write_table
from auditor.release.export_target import check_file, check_folder, quote_name
from auditor.release.feedback import SignedFeedback, feedback_sentences, read_feedback
from auditor.release.gates import judge_record
from auditor.release.manifest import read_manifest
from auditor.release.policy.policy import bundled_text, default_policy, read_bundled
from auditor.release.record import ReleaseRecord
from auditor.release.report import html
from auditor.release.report.drawing import write_figures
from auditor.release.tables import content_digest
from auditor.release.verdict import ReleaseState, measured_verdict

LARGEST = 1 << 20
"""Bytes of a file of queries."""


def explain_queries(arguments: argparse.Namespace, console: Console) -> int:
    """Why queries stand in a release or don't, and what would change that."""
    if (arguments.query is None) == (arguments.query_file is None):
        raise ParameterError("query", "Give one QUERY, or --query-file FILE with one on each line.")
    single = arguments.query is not None
    queries = [arguments.query] if single else _read_queries(arguments.query_file)
    log = load_named_log(arguments, console)
    release = release_of(arguments.release, log, console)
    answers = [
        explanation.explain_query(log, release, query, console.progress) for query in queries
    ]
    plain = [answer.to_dict() for answer in answers]
    console.print_result(plain[0] if single else plain, "\n\n\n".join(map(as_text, answers)))
    return 0


def _read_queries(name: str) -> list[str]:
    """The lines of a file, or of standard input where its name is "-"; none is ever printed."""
    path = store_standard_input("queries") if name == STANDARD else Path(name)
    try:
        text = read_text(path, LARGEST)
    except UnfitFile as error:
        raise MissingInput(f"The file of queries can't be read: it is {error}.") from None
    queries = [query for line in text.split("\n") if (query := line.removesuffix("\r"))]
    if not queries:
        raise ParameterError("query-file", "The file of queries holds none; put one on each line.")
    return queries


def show_feedback(arguments: argparse.Namespace, console: Console) -> int:
    """Each rule's precision, what the judged sample says, and which dismissals count."""
    feedback = read_feedback(Path(arguments.feedback))
    facts: dict[str, Any] = feedback.summarize()
    if arguments.log:
        log = load_named_log(arguments, console)
        SignedFeedback.of(feedback, log, signing.audit_secret(signing.audit_key()))
        facts["log_matches"] = True
    lines = feedback_sentences(facts) or ["The file holds no feedback yet."]
    rules = [
        f"  {row.rule:44}{row.confirmed:>6,} right{row.dismissed:>6,} wrong   "
        f"{format_share(row.precision):>7} ({format_share(row.low)} to {format_share(row.high)})"
        for row in feedback.rules.list_precisions()
    ]
    console.print_result(facts, "\n".join([*lines, *rules]))
    return 0


_AUDIT = "`auditor audit` attacks a release, measures all that applies and judges it by a policy"


def write_demo(arguments: argparse.Namespace, console: Console) -> int:
    """The suggested release of the sample log, audited; with `--all`, every method compared."""
    if arguments.param:
        raise ParameterError("param", "The demonstration takes -p CHECK.NAME=VALUE alone.")
    if arguments.all:
        folder = Path(arguments.out)
        html.check_demo(folder, overwrite=arguments.overwrite)
        log = load_log([gazetteers.sample_log()], None, console, what="sample log")
        plans = [resolve_intent(Intent(method=name), log) for name in METHODS]
        estimator = CostEstimator.load_shipped()
        console.expect_runs(*(forecast_run(plan, len(log), estimator) for plan in plans))
        results = []
        for number, plan in enumerate(plans, start=1):
            phase = f"{plan.what.title} ({number} of {len(plans)})"
            results.append(run_plan(plan, Evidence(log=log), SecureRandomness(), console, phase))
        console.begin_phase("Writing the report")
        report = html.demo_report(
            results, log, folder, edition=arguments.edition, overwrite=arguments.overwrite
        )
        summary = {result.plan.method: print_values(result.values) for result in results}
        records = [ReleaseRecord.of_run(result, log) for result in results]
        verdicts = [measured_verdict(judge_record(record, default_policy())) for record in records]
        console.print_result(
            {"report": str(report), "methods": summary},
            demo_summary(results, verdicts, report),
            details="\n\n".join(run_text(result) for result in results),
        )
        return 0
    arguments.log = str(gazetteers.sample_log())
    folder = Path(arguments.out)
    approval.check_places(arguments, folder, input_paths(arguments), console)
    intent = suggest.suggested_intent(arguments, console)
    if intent is None:
        console.print_note("No release of the sample log is expected to pass this policy.")
        return 1
    return approval.audit_intent(arguments, intent, console)


def write_synthetic_log(arguments: argparse.Namespace, console: Console) -> int:
    """A synthetic log with its reference period, profiles and truth."""
    folder = Path(arguments.dir)
    for name in FILES:
        check_file(folder / name, overwrite=arguments.overwrite)
    data = synthesize_log(
        arguments.users,
        days=arguments.days,
        seed=arguments.seed,
        attributes=arguments.attributes,
        progress=console.progress,
    )
    write_synthetic(data, folder)
    facts = {"rows": len(data.log), "users": len(data.log.users), "queries": len(data.log.queries)}
    console.print_result(
        facts | {"files": sorted(path.name for path in folder.iterdir())},
        f"{folder}: {format_count(len(data.log), 'row')} of "
        f"{format_count(len(data.log.users), 'user')}",
    )
    return 0


def inspect_log(arguments: argparse.Namespace, console: Console) -> int:
    """What a log holds, and what could not be read and why."""
    if arguments.engine == "spark":
        return spark.inspect_log(arguments, console)
    try:
        log = load_named_log(arguments, console)
    except LogFormatError as error:
        paths, options = log_paths(arguments), reading_options(arguments)
        parts = find_parts(paths, options).parts
        if AGGREGATED not in str(error) or len(parts) > 1 or not paths[0].is_file():
            raise
        table = detect.read_counts(paths[0], options, options.max_rejected_share)
        detect.inspect_counts(table, console)
        return 0
    column = doubt_users(log, console.progress)
    facts = log_facts(log, len(log.urls), column, arguments.time_zone)
    facts |= {"queries_searched": int((~log.queries.find_blank()).sum()), "memory": log.nbytes}
    facts["languages"] = dict(estimate_languages(log.queries, console.progress))
    if (unfinished := describe_unfinished(log)) is not None:
        facts["unfinished"] = unfinished
    if log.attributes:
        facts["attributes"] = [
            {
                "name": attribute.name,
                "distinct": attribute.distinct,
                "missing": attribute.missing,
                "examples": [mask_value(text[:40]) for text in attribute.examples],
            }
            for attribute in describe_columns(log)
            if attribute.name in log.attributes
        ]
        facts["exposures"] = [
            {"attributes": list(row.names), "alone": row.alone, "few": row.few, "text": row.text}
            for row in list_exposures(log)
        ]
    if len(log):
        facts["largest_users"] = [
            {"id": name, "rows": rows, "share": rows / len(log)}
            for name, rows in largest_users(log)
        ]
    console.print_result(facts, log_summary(log, facts))
    return 0


def make_listing_verb(registry: Registry[Any]) -> Callable[[argparse.Namespace, Console], int]:
    """A verb that shows what a registry holds, or one entry whole."""

    def show(arguments: argparse.Namespace, console: Console) -> int:
        names = [arguments.name] if arguments.name is not None else list(registry)
        entries = [describe_entry(registry[name]) for name in names]
        if arguments.name is not None:
            console.print_result(entries[0], format_whole(entries[0]))
        else:
            width = max(map(len, names), default=0)
            rows = [f"{entry['name']:{width}}  {entry['summary']}" for entry in entries]
            for problem in registry.problems:
                console.print_note(problem)
            console.print_result(entries, "\n".join(rows))
        return 0

    return show


def anonymize_log(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder, or with a seed the figures of a preview."""
    intent = assume_attackers(arguments, suggest.adopted_intent(arguments, attacks=()))
    if arguments.engine == "spark":
        return spark.anonymize_log(arguments, console)
    expect_run(arguments, intent, selection_of(arguments, quick=True), console)
    folder = Path(arguments.out)
    inputs = input_paths(arguments, *dict(intent.values).values())
    approval.check_places(arguments, folder, inputs, console)
    with memory_budget.open_log(arguments, console) as log:
        return _run_anonymize(arguments, intent, log, folder, console)


def _run_anonymize(
    arguments: argparse.Namespace, intent: Intent, log: QueryLog, folder: Path, console: Console
) -> int:
    evidence = attacker_evidence(arguments, log, console)
    knowledge = evidence.digest_knowledge()
    intent = suggest.update_selection(intent, log, console)
    plan = select_checks(
        resolve_intent(intent, log, knowledge), intent, selection_of(arguments, quick=True), log
    )
    plan = memory_budget.trim_plan(plan, log)
    if arguments.dry_run:
        return print_plan(plan, log, console)
    if arguments.preview_seed is not None:
        result = run_plan(plan, evidence, PreviewRandomness(arguments.preview_seed), console)
        seeded = {
            "preview": Preview.WATERMARK,
            "method": result.plan.method,
            "params": result.plan.params.to_dict(),
            "statement": result.release.statement.to_dict(),
            "changes": dict(result.release.changes),
            "values": print_values(result.values),
            "content_sha256": content_digest(result.release),
        }
        export.write_preview(seeded, folder, overwrite=arguments.overwrite)
        console.print_result(seeded, f"{run_text(result)}\n\nPREVIEW, not a release: {folder}")
        return 0
    export.check_target(folder, log.origin.files, overwrite=arguments.overwrite)
    result = run_plan(plan, evidence, SecureRandomness(), console)
    console.begin_phase("Writing the release and its report")
    export.write_release(
        result,
        log,
        folder,
        progress=console.progress,
        overwrite=arguments.overwrite,
        pdf=arguments.pdf,
        comment=arguments.purpose,
    )
    approval.write_truth(arguments, result, console)
    verdict = measured_verdict(ReleaseRecord.of_run(result, log))
    facts: dict[str, Any] = {"folder": str(folder), "verdict": verdict.to_dict()}
    facts |= {"statement": result.release.statement.to_dict()}
    facts |= approval.internal_report(arguments, result, log, folder, console)
    facts |= {"changes": dict(result.release.changes), "values": print_values(result.values)}
    text = closing_summary(result, log, verdict, folder, next_step=_AUDIT)
    console.print_result(facts, text, details=run_text(result))
    return 0


def audit_release(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder with everything that applies measured, judged by a policy."""
    if arguments.release:
        return judge.judge_release(arguments, console)
    for name in ("truth", "release_columns"):
        if getattr(arguments, name, None):
            raise ParameterError(name, "It goes with --release: a release that others made.")
    if arguments.engine == "spark":
        return spark.audit_log(arguments, console)
    intent = suggest.adopted_intent(arguments, attacks=None)
    return approval.audit_intent(arguments, intent, console)


def synthesize_release(arguments: argparse.Namespace, console: Console) -> int:
    """A folder with a synthetic log, made of a release's tables; 1 where that can't be released."""
    source, folder = Path(arguments.release), Path(arguments.out)
    release = synthetic_log.write_synthetic_release(
        source,
        folder,
        progress=console.progress,
        seed=arguments.seed,
        overwrite=arguments.overwrite,
        log_format=arguments.format,
    )
    log = release.log
    assert log is not None
    facts = {
        "folder": str(folder),
        "synthetic": True,
        "method": release.method,
        "rows": len(log),
        "sessions": len(log.users),
        "queries": len(log.queries),
        "clicks": log.clicks,
        "seed": arguments.seed,
        "statement": release.statement.to_dict(),
        "verdict": synthetic_log.source_verdict(read_manifest(source)),
    }
    lines = [f"{folder}: {synthetic_log.describe_rows(release)}", release.statement.claim]
    lines.append(f"Verdict of the release it was made from: {facts['verdict']['title']}.")
    single = synthetic_log.count_single_user_strings(source)
    if single is not None:
        facts["single_user_strings"] = single
        strings = "1 string" if single == 1 else f"{single:,} strings"
        lines.append(f"Its strings are real: the release holds {strings} of one user alone.")
    console.print_result(facts, "\n".join(lines))
    refused = (ReleaseState.REFUSED.value, ReleaseState.NOTHING_LEFT.value)
    return 1 if facts["verdict"]["state"] in refused else 0


ALL, STANDARD = "all", "-"
"""Stand for every attack or measure that applies, and for standard output."""


def run_attack(arguments: argparse.Namespace, console: Console) -> int:
    """One attack on a log, or on a release of it; or all that apply."""
    chosen_attacks = _choose_checks(arguments, ATTACKS, arguments.attack)
    if arguments.adversary is not None:
        adversary = find_adversary(arguments.adversary)
        pairs = [pair.partition("=")[0].rpartition(".") for pair in arguments.param]
        for name, params in chosen_attacks.items():
            names = {field.strip() for check, _, field in pairs if check.strip() in ("", name)}
            changes = {key: value for key, value in params.get_params().items() if key in names}
            chosen_attacks[name] = adversary.make_params(name).replace(**changes)
    _check_files(arguments, *chosen_attacks.values())
    log = _load_checked_log(arguments, console)
    release = release_of(arguments.release, log, console) if arguments.release else None
    if release is not None and arguments.truth:
        truth = TruthTable.read(Path(arguments.truth))
        release = dataclasses.replace(release, truth=truth)
    evidence = attacker_evidence(arguments, log, console)
    if release is not None:
        evidence = local.give_reruns(evidence, release, 0)

    def run(name: str) -> AttackResult:
        rng = np.random.default_rng(arguments.seed)
        result = ATTACKS[name].run(
            evidence, chosen_attacks[name], rng=rng, progress=console.progress
        )
        return dataclasses.replace(result, notes=(*result.notes, *spark.sample_notes(log)))

    why_not = {name: ATTACKS[name].why_not(evidence) for name in chosen_attacks}
    _run_checks(arguments.attack, why_not, run, (attack_facts, attack_text), console, arguments)
    return 0


def _choose_checks(
    arguments: argparse.Namespace, registry: Registry[Any], choice: str
) -> dict[str, Params]:
    """The attacks or measures that are meant, with their parameters."""
    names = list(registry) if choice == ALL else [registry[choice].name]
    unscoped = [pair for pair in arguments.param if not is_of_check(pair)]
    if unscoped and choice == ALL:
        raise ParameterError("param", "With all, -p takes CHECK.NAME=VALUE: say whose it is.")
    settings = dict(checks_of(p if is_of_check(p) else f"{choice}.{p}" for p in arguments.param))
    if strangers := [name for name in settings if name not in names]:
        raise ParameterError("param", f"-p names {strangers[0]}, which is not asked for.")
    return {name: settings.get(name, registry[name].params()) for name in names}


def _check_files(arguments: argparse.Namespace, *all_params: Params) -> None:
    """Look at what `--csv` and `--out` name; raises `ExportRefused` where one can't be written."""
    if arguments.csv == STANDARD and arguments.json:
        raise ParameterError("csv", "Standard output takes JSON or a table: leave out --json.")
    for name in (arguments.csv, arguments.out):
        if name not in (None, STANDARD):
            inputs = input_paths(arguments, *all_params)
            check_file(Path(name), inputs, overwrite=arguments.overwrite)


def _run_checks(
    choice: str,
    why_not: Mapping[str, str],
    run: Callable[[str], Any],
    describe: tuple[Callable[[Any], dict[str, Any]], Callable[[Any], str]],
    console: Console,
    arguments: argparse.Namespace,
) -> None:
    """Run one attack or measure, or all that apply; print results, and write them where asked.

    `describe` gives a result's facts and its text. Raises `ParameterError` if the one that was
    asked for doesn't apply.
    """
    import pandas as pd

    if choice != ALL and why_not[choice]:
        raise ParameterError(choice, f"{choice} {why_not[choice]}.")
    results = {}
    for name in (name for name, reason in why_not.items() if not reason):
        if choice == ALL:
            console.begin_phase(name)
        results[name] = run(name)
    give_facts, give_text = describe
    facts: dict[str, Any] = {name: give_facts(result) for name, result in results.items()}
    texts = [give_text(result) for result in results.values()]
    if choice == ALL:
        skipped = {name: reason for name, reason in why_not.items() if reason}
        facts = {"results": facts, "skipped": skipped}
        texts += ["\n".join(f"not tried: {name} {reason}" for name, reason in skipped.items())]
    else:
        facts = facts[choice]
    if arguments.out is not None:
        write_json(to_json_value(facts), Path(arguments.out))
    if arguments.csv is not None:
        frames = [result.to_pandas().assign(of=name) for name, result in results.items()]
        frame = pd.concat(frames) if frames else pd.DataFrame({"of": []})
        frame = frame[["of", *(name for name in frame if name != "of")]]
        if arguments.csv == STANDARD:
            console.print_table(frame)
            return
        write_table(frame, Path(arguments.csv))
    console.print_result(facts, "\n\n".join(text for text in texts if text))


def _load_checked_log(arguments: argparse.Namespace, console: Console) -> QueryLog:
    """The log that an attack or a measure looks at, read here or by Spark."""
    load = spark.collect_log if arguments.engine == "spark" else load_named_log
    return load(arguments, console)


def run_measure(arguments: argparse.Namespace, console: Console) -> int:
    """One measure of a release against its log; or all that apply."""
    chosen_measures = _choose_checks(arguments, MEASURES, arguments.measure)
    _check_files(arguments, *chosen_measures.values())
    log = _load_checked_log(arguments, console)
    release = release_of(arguments.release, log, console)

    def run(name: str) -> MeasureResult:
        return MEASURES[name].take(
            log,
            release,
            chosen_measures[name],
            again=local.repeating_release(release, 0),
            rng=np.random.default_rng(arguments.seed),
            progress=console.progress,
        )

    why_not = {name: MEASURES[name].why_not(release) for name in chosen_measures}
    _run_checks(arguments.measure, why_not, run, (measure_facts, measure_text), console, arguments)
    return 0


def list_policies(arguments: argparse.Namespace, console: Console) -> int:
    """The bundled policies, or the text of one to copy."""
    policies = read_bundled()
    if arguments.name is None:
        width = max(map(len, policies))
        rows = [
            {"name": name, "checks": len(policy.checks), "note": policy.note}
            for name, policy in policies.items()
        ]
        lines = (
            f"{name:{width}}  {format_count(len(policy.checks), 'check')}. "
            f"{policy.note.partition('. ')[0]}"
            for name, policy in policies.items()
        )
        console.print_result(rows, "\n".join(lines))
        return 0
    if arguments.name not in policies:
        names = ", ".join(policies)
        raise ParameterError("name", f"There is no policy {arguments.name[:80]!r}, only {names}.")
    text = bundled_text(arguments.name)
    console.print_result({"name": arguments.name, "text": text}, text.rstrip())
    return 0


def sweep_parameters(arguments: argparse.Namespace, console: Console) -> int:
    """A grid of settings, one row each, written as Parquet, and drawn on request.

    When it is stopped, what it has come to by then is written.
    """
    import pandas as pd

    method = METHODS[arguments.method]
    sweep = engine_sweep.ParameterSweep(
        method=arguments.method,
        base=params_of(method.params, arguments.param),
        axes=tuple(engine_sweep.SweepAxis.parse(method.params, text) for text in arguments.grid),
        attacks=tuple(name for name in arguments.attack if ATTACKS[name]),
        measures=tuple(name for name in arguments.measure if MEASURES[name]) or None,
        checks=checks_of(arguments.set),
        seed=arguments.seed,
        equal=arguments.equal,
    )
    inputs = input_paths(arguments, sweep.base, *(params for _, params in sweep.checks))
    overwrite = arguments.overwrite
    printed = arguments.out == STANDARD
    if printed and (arguments.json or arguments.resume):
        raise ParameterError("out", "A table that is printed takes no --json and no --resume.")
    out = Path(arguments.out)
    part = _check_journal(out, resume=arguments.resume, overwrite=overwrite)
    if not printed:
        overwrite = overwrite or part.exists()
        check_file(out, inputs, overwrite=overwrite)
    if arguments.plots:
        check_folder(Path(arguments.plots), Path.is_dir, overwrite=overwrite, inputs=inputs)
    log = load_named_log(arguments, console)
    if not printed:
        check_file(out, log.origin.files, overwrite=overwrite)
    total = sweep.cell_count
    done: list[engine_sweep.SweepCell] = []
    journal = None if printed else engine_sweep.SweepJournal(part, sweep, log)
    try:
        with journal or contextlib.nullcontext():
            for cell in engine_sweep.run_sweep(sweep, log, console.handle, console, cache=journal):
                done.append(cell)
                console.report_units(len(done), total)
                place = zip(sweep.axes, cell.place, strict=True)
                values_set = " ".join(f"{axis.title}={value}" for axis, value in place)
                console.begin_phase(f"{len(done)} of {total} settings done: {values_set}")
    finally:
        frame = pd.DataFrame([cell.row for cell in done])
        if done and not printed:
            write_table(frame, out)
        if done and arguments.plots:
            write_figures(engine_sweep.draw_plots(sweep, done), Path(arguments.plots))
    if printed:
        console.print_table(frame)
        return 0
    rows = [cell.row for cell in done]
    console.print_result(
        {"out": arguments.out, "rows": rows},
        f"{format_count(len(rows), 'setting')} written to {arguments.out}",
    )
    return 0


def _check_journal(table: Path, *, resume: bool, overwrite: bool) -> Path:
    """Where the journal of a table stands; raises `PlaceRefused`.

    An older one is kept with `resume`, and removed with `overwrite`.
    """
    path = table.with_name(f"{table.name}.part")
    if resume or not os.path.lexists(path):
        return path
    if not overwrite:
        raise PlaceRefused(
            f"{quote_name(path)} holds what a stopped sweep came to. Go on with --resume, or "
            "begin anew with --overwrite."
        )
    try:
        is_journal = read_bounded(path, engine_sweep.LARGEST_JOURNAL)[:8] in (b"", b'{"key": ')
    except UnfitFile:
        is_journal = False
    if not is_journal:
        raise PlaceRefused(f"{quote_name(path)} was not made by a sweep. Move it away.")
    path.unlink()
    return path


VERBS: Mapping[str, Callable[[argparse.Namespace, Console], int]] = {
    "demo": write_demo,
    "synth": write_synthetic_log,
    "inspect": inspect_log,
    "detect": detect.detect_entities,
    "methods": make_listing_verb(METHODS),
    "attacks": make_listing_verb(ATTACKS),
    "measures": make_listing_verb(MEASURES),
    "policies": list_policies,
    "anonymize": anonymize_log,
    "synthesize-release": synthesize_release,
    "audit": audit_release,
    "approve": approval.approve_release,
    "feedback": show_feedback,
    "attack": run_attack,
    "measure": run_measure,
    "sweep": sweep_parameters,
    "suggest": suggest.suggest_release,
    "reproduce": reproduce.reproduce_source,
    "verify": approval.verify_folder,
    "card": approval.print_card,
    "explain": explain_queries,
    "ledger": ledger.show_ledger,
    "completion": completion.print_completion,
}
