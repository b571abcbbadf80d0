"""The verbs that can run on Spark, when they are asked to."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.cli.approval import print_audit, report_leftovers
from auditor.cli.arguments import (
    assume_attackers,
    attacker_evidence,
    input_paths,
    intent_of,
    log_paths,
    reading_options,
    run_plan,
    selection_of,
)
from auditor.cli.console import Console, print_values, run_text
from auditor.cli.ledger import locate_ledger
from auditor.cli.suggest import adopted_intent
from auditor.cli.summary import closing_summary, log_facts, log_summary
from auditor.engine.backends.local import attach_users
from auditor.engine.distributed_results import DistributedLog, DistributedRun
from auditor.engine.plan import NO_CONTENT, NO_MEASURE, Intent, Plan, resolve_intent, select_checks
from auditor.engine.run import Run
from auditor.errors import ParameterError
from auditor.figures import format_count
from auditor.log.memory import available_memory
from auditor.log.model import LogTotals, QueryLog
from auditor.log.sentences import sentence
from auditor.privacy.noise import SecureRandomness
from auditor.privacy.release import Tables
from auditor.release import gates, signing
from auditor.release.distributed_export import (
    SpreadRelease,
    count_content,
    sketch_splits,
    write_spread_release,
)
from auditor.release.export import check_target, require_release
from auditor.release.ledger.history import releases_before
from auditor.release.ledger.other_releases import decide_for_run
from auditor.release.loading import read_content
from auditor.release.policy.policy import Policy, load_policy
from auditor.release.record import ReleaseRecord
from auditor.release.verdict import measured_verdict

if TYPE_CHECKING:
    from auditor.engine.backends.spark.job import SparkJob
    from auditor.engine.backends.spark.run_context import SparkRunContext
    from auditor.log.out_of_core.splits import LogSplits

ROW_BYTES = 600
"""Bytes of memory a row is taken to need while it comes home and is looked at."""
LEAST_ROWS = 100_000
"""Rows that are always asked for."""
_LOCAL_ALONE = {
    "preview_seed": "The Spark engine draws no seeded noise: make previews with --engine local.",
    "dry_run": "The Spark engine has no --dry-run: leave it out.",
    "write_truth": "The Spark engine keeps no truth table: leave it out.",
    "edition": "The internal report shows rows of the log, which no machine holds with the Spark "
    "engine: use --edition external.",
    "sample_users": "The Spark engine takes all users: leave --sample-users out, or use --engine "
    "local.",
}
"""Options that it does not take, and why."""
_UNWRITTEN = {"purpose": "The Spark engine writes no --purpose: leave it out."}
"""The same of `anonymize` alone."""
_UNAUDITED = {
    "feedback": "Feedback is about sessions of a log in memory: leave --feedback out, or use "
    "--engine local."
}
"""The same of `audit` alone."""


def anonymize_log(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder, made on Spark."""
    from auditor.engine.backends.spark.job import check_intent
    from auditor.log.out_of_core.splits import plan_splits

    _refuse_options(arguments, _LOCAL_ALONE | _UNWRITTEN)
    if not selection_of(arguments, quick=True).empty:
        raise ParameterError(
            "attack",
            "The Spark engine makes a release with the measures volume and frequencies: leave out "
            "--attack, --measure and --skip, and run `auditor attack` on the release.",
        )
    folder = Path(arguments.out)
    intent = intent_of(arguments.method, arguments.param, attacks=())
    check_intent(intent)
    paths, progress = log_paths(arguments), console.progress
    splits = plan_splits(paths, reading_options(arguments), progress=progress)
    report_leftovers(folder, console)
    check_target(folder, splits.files, overwrite=arguments.overwrite)
    with _open_job(arguments.master, splits, intent, console) as job:
        run = write_spread_release(
            job,
            splits.files,
            folder,
            progress=console.progress,
            overwrite=arguments.overwrite,
            pdf=arguments.pdf,
        )
    result = run.result
    rejected = sum(run.log.origin.rejected.values())
    if rejected:
        console.print_note(
            f"{format_count(rejected, 'row')} could not be read; `auditor inspect` lists them"
        )
    plain = result.release.statement.to_dict()
    verdict = measured_verdict(run.record)
    facts = {"folder": str(folder), "verdict": verdict.to_dict(), "statement": plain}
    facts |= {"changes": dict(result.release.changes), "values": print_values(result.values)}
    console.print_result(facts, closing_summary(result, run.log, verdict, folder), run_text(result))
    return 0


def _refuse_options(arguments: argparse.Namespace, refused: Mapping[str, str]) -> None:
    for name, reason in refused.items():
        value = getattr(arguments, name, None)
        if value is None or value is False or value in ("", "external"):
            continue  # 0 is an answer, and equals False
        raise ParameterError(name, reason)


def audit_log(arguments: argparse.Namespace, console: Console) -> int:
    """A release folder made on Spark and judged by a policy, as `approval.audit_intent` does it.

    A log of no more than `check_users` users that fits in memory is checked whole, as the local
    engine checks it. Of a larger one all that counts is counted on Spark, and attacks look at a
    sample of its users.
    """
    from auditor.engine.backends.spark.job import check_intent
    from auditor.log.out_of_core.splits import plan_splits

    _refuse_options(arguments, _LOCAL_ALONE | _UNAUDITED)
    intent = adopted_intent(arguments, attacks=None)
    if intent.selection is not None:
        raise ParameterError(
            "plan",
            "What a choice of parameters cost is charged by the local engine: leave the plan's "
            "[selection] out, or use --engine local.",
        )
    rules = load_policy(arguments.policy)
    intent = assume_attackers(arguments, intent)
    check_intent(intent)
    folder, ledger = Path(arguments.out), locate_ledger(arguments)
    secret = signing.audit_secret(signing.audit_key())
    splits = plan_splits(
        log_paths(arguments), reading_options(arguments), progress=console.progress
    )
    report_leftovers(folder, console)
    check_target(folder, [*splits.files, *input_paths(arguments)], overwrite=arguments.overwrite)
    with _open_job(arguments.master, splits, intent, console) as job:
        judge = partial(_judge_release, arguments, intent, console, job, rules, ledger, secret)
        run = write_spread_release(
            job,
            splits.files,
            folder,
            progress=console.progress,
            overwrite=arguments.overwrite,
            judge=judge,
            pdf=arguments.pdf,
            comment=arguments.purpose,
            ledger=ledger,
        )
    return print_audit(arguments, run.result, run.log, run.record, {}, console)


def _judge_release(
    arguments: argparse.Namespace,
    intent: Intent,
    console: Console,
    job: SparkJob,
    rules: Policy,
    ledger: Path,
    secret: bytes,
    run: DistributedRun,
    place: Path,
    content: Mapping[str, Any],
) -> SpreadRelease:
    """Check the release whose files stand at `place`, written as `content` says, and judge it."""
    row_limit = _count_affordable_rows()
    log, places = job.collect_users(row_limit, arguments.check_users)
    sample, release = log.origin.sample, require_release(run.result.release)
    product: QueryLog | Tables | None
    product, truth = job.collect_released(places) or (None, None)
    if truth is None and sample is None:
        truth = job.collect_truth()
    size = sum(sheet.rows for sheet in run.sheets)
    tables = run.result.plan.what.yields == "tables"
    if sample is None or (tables and (row_limit is None or size <= row_limit)):
        product = read_content(
            place, {"content": content, "method": release.method}, console.progress
        )
    released = dataclasses.replace(
        release, truth=truth, content=release.content if product is None else product
    )
    evidence = attacker_evidence(arguments, log, console)
    knowledge = evidence.digest_knowledge()
    if sample is None:
        released = attach_users(released, log, console.progress)
    else:
        evidence, knowledge = announce_sample(evidence, run.users, console), {}
    selection = selection_of(arguments, quick=False)
    plan = resolve_intent(intent, log, knowledge)
    plan = select_checks(plan, intent, selection, log)
    if sample is not None:
        has_rows = product is not None and not released.is_empty
        plan = restrict_plan(plan, "" if has_rows else NO_CONTENT)
        plan = dataclasses.replace(plan, log_digest=run.log.digest, engine="spark")
    phase = "Checking the release"
    result = run_plan(plan, evidence, SecureRandomness(), console, phase, release=released)
    result.seconds |= run.result.seconds
    decide_for_run(result, ledger=ledger)
    totals: LogTotals = log if sample is None else run.log
    sketch: Mapping[str, Any] | None = None
    if sample is None:
        record = ReleaseRecord.of_run(result, log)
    else:
        add_notes(result, sample.users, run.users)
        evidence = dataclasses.replace(evidence, release=result.release)
        counts = count_content(job, run)
        record = ReleaseRecord.of_sample(
            result, evidence, *counts, users=run.users, unit_count=run.units
        )
        result.anonymized = dataclasses.replace(release, statement=result.release.statement)
        sketch = sketch_splits(job, log, secret)
    history = releases_before(totals, ledger, secret, console.progress, sketch=sketch)
    total = history if isinstance(history, str) else history.add_release(record)
    return SpreadRelease(result, totals, gates.judge_record(record, rules, total))


def announce_sample(evidence: Evidence, users: int, console: Console) -> Evidence:
    """Say that attacks look at a sample of users; the evidence without a reference log."""
    sample = evidence.log.origin.sample
    assert sample is not None
    console.print_note(sentence("spark.sampled", users=sample.users, of=users))
    if evidence.reference is not None:  # its users count as outsiders, and are not known to be
        console.print_note(sentence("spark.no_reference"))
    return dataclasses.replace(evidence, reference=None, is_cut=True)


def restrict_plan(plan: Plan, no_content: str) -> Plan:
    """The plan with what can be judged on some users of a log, and why it has not the others.

    A gate is judged by an attack only if its rate on some users is no lower than on all. The
    release is cut to the records of these users, who have fewer rivals among themselves than among
    all: a rate of linkage or singling out is an upper bound of that on the whole release. What
    flags strings that look rare is tried for what it finds, and passes no gate. `no_content` says
    why what was released of these users isn't at hand, empty if it is. What looks at no user needs
    the release, but not to know whose it is. Measures compare a whole release with a whole log, and
    are not taken.
    """
    absent: dict[str, str] = {step.name: NO_MEASURE for step in plan.measures}
    for step in plan.attacks:
        attack = ATTACKS[step.name]
        looks_at_rows = attack.sampled != "whole" or no_content == NO_CONTENT
        if not attack.sampled or (no_content and looks_at_rows):
            absent[step.name] = no_content if attack.sampled else attack.unsampled
    steps = tuple(step for step in plan.attacks if step.name not in absent)
    return dataclasses.replace(
        plan, attacks=steps, measures=(), omitted=(*plan.omitted, *absent.items())
    )


def add_notes(result: Run, users: int, of: int) -> None:
    """Let each attack that looked at users say at how many of how many."""
    notes = {
        "above": sentence("sampled.above", users=users, of=of),
        "measured": sentence("sampled.measured", users=users, of=of),
        "found": sentence("sampled.found", users=users, of=of),
    }
    result.attacks = tuple(
        dataclasses.replace(part, notes=(*part.notes, notes[kind])) if kind in notes else part
        for part in result.attacks
        for kind in (ATTACKS[part.attack].sampled,)
    )


@contextlib.contextmanager
def _open_job(
    master: str, splits: LogSplits, intent: Intent, console: Console
) -> Iterator[SparkJob]:
    """A job in a session, which is said where its network is open to others."""
    from auditor.engine.backends.spark.job import SparkJob
    from auditor.engine.backends.spark.session import open_session

    with open_session(master) as spark, contextlib.closing(SparkJob(spark, splits, intent)) as job:
        _warn_of_network(spark, console)
        yield job


def _warn_of_network(spark: Any, console: Console) -> None:
    """Say so where rows of the log cross a network that others may listen to."""
    from auditor.engine.backends.spark.session import is_private

    if not is_private(spark):
        console.print_note(
            "connections between this cluster's machines are not encrypted: give it "
            "spark.authenticate, spark.authenticate.secret and spark.network.crypto.enabled"
        )


@contextlib.contextmanager
def _open_work(arguments: argparse.Namespace, console: Console) -> Iterator[SparkRunContext]:
    """A job that leaves nothing: its folder is on the driver and goes with it."""
    from auditor.engine.backends.spark.run_context import SparkRunContext
    from auditor.engine.backends.spark.session import open_session
    from auditor.log.out_of_core.splits import plan_splits

    progress = console.progress
    splits = plan_splits(log_paths(arguments), reading_options(arguments), progress=progress)
    with open_session(arguments.master) as spark, tempfile.TemporaryDirectory() as folder:
        _warn_of_network(spark, console)
        work = SparkRunContext(spark, splits, Path(folder), progress)
        try:
            yield work
        finally:
            work.release()


def inspect_log(arguments: argparse.Namespace, console: Console) -> int:
    """What a log holds, and what could not be read and why."""
    from auditor.engine.backends.spark.collected_log import count_log

    with _open_work(arguments, console) as work:
        log = count_log(work)
    facts = log_facts(log, log.url_count, log.origin.user_column, arguments.time_zone)
    console.print_result(facts, log_summary(log, facts))
    return 0


def collect_log(arguments: argparse.Namespace, console: Console) -> QueryLog:
    """The log that an attack or a measure wants, or a random sample of its users.

    Raises `MemoryExceeded`: the log does not fit in memory, and what is asked needs all of it.
    """
    from auditor.engine.backends.spark.collected_log import collect_log

    with _open_work(arguments, console) as work:
        return collect_log(work, _count_affordable_rows(), sampled=not arguments.release)


def collect_judged(
    arguments: argparse.Namespace, console: Console
) -> tuple[QueryLog, QueryLog | DistributedLog]:
    """The log with which a release of others is compared, and the same log for its totals.

    The first is a sample of users where the whole does not fit, or has more than `check_users`.
    """
    from auditor.engine.backends.spark.collected_log import collect_places, count_log

    _refuse_options(arguments, _LOCAL_ALONE)
    with _open_work(arguments, console) as work:
        log = collect_places(work, _count_affordable_rows(), arguments.check_users)[0]
        return log, log if log.origin.sample is None else count_log(work)


def _count_affordable_rows() -> int | None:
    """Rows of a log that this machine has room for; None where nobody knows."""
    free = available_memory()
    return None if free is None else max(free // ROW_BYTES, LEAST_ROWS)


def sample_notes(log: QueryLog) -> tuple[str, ...]:
    """What has to be said beside figures of a log of which only some users were looked at."""
    if (sample := log.origin.sample) is None:
        return ()
    times = round(1 / sample.share)
    return (sentence("spark.figures_interval_those_users", users=sample.users, times=times),)
