"""From the command line's words to logs, releases, parameters and plans."""

import argparse
import atexit
import dataclasses
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Any

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.bounded_files import UnfitFile, parse_json
from auditor.cli.console import Console
from auditor.engine.costs import CostEstimator
from auditor.engine.distributed_results import DistributedLog
from auditor.engine.events import PartialResult, RunEvent
from auditor.engine.plan import CheckSelection, Intent, Plan, resolve_intent, select_checks
from auditor.engine.run import Run
from auditor.engine.run_progress import forecast_run
from auditor.engine.runner import execute_plan
from auditor.errors import MissingInput, ParameterError
from auditor.figures import format_count
from auditor.log.model import LogOrigin, QueryLog
from auditor.log.origin import describe_left_out
from auditor.log.out_of_core.working_files import WorkingFiles
from auditor.log.reading.column_mapping import READ_FLAGS, ReadOptions
from auditor.log.reading.reader import implausible_times, read_log, sniff_log
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.methods.base import unknown_statement
from auditor.methods.registry import METHODS
from auditor.methods.selected_statement import selected_statement
from auditor.methods.statements import ONE_DRAW
from auditor.params import Params
from auditor.privacy.noise import Randomness
from auditor.privacy.release import UNKNOWN, Anonymized, Release
from auditor.registry import Registry
from auditor.release.ledger import store
from auditor.release.ledger.other_releases import NO_OTHER_DRAW, decide_for_run
from auditor.release.ledger.store import data_folder
from auditor.release.loading import read_release
from auditor.release.recheck import is_of_other_log

STANDARD_INPUT = "-"
_INPUTS = (
    *("log", "reference", "profiles", "policy", "clicks", "release", "key", "audit_key"),
    *("attest", "feedback", "only_users", "plan"),
)
"""Arguments that name what a command reads, never what it writes."""


def input_paths(arguments: argparse.Namespace, *all_params: Params) -> list[Path]:
    """Every file and folder that a command reads, as far as its arguments name them."""
    paths = [*log_paths(arguments)] if getattr(arguments, "more_logs", None) else []
    for name in _INPUTS:
        value = getattr(arguments, name, None)
        paths += [Path(item) for item in (value if isinstance(value, list) else [value]) if item]
    for params in all_params:
        values = (getattr(params, spec.name) for spec in params.specs())
        paths += [value for value in values if isinstance(value, Path)]
    return paths


def load_named_log(arguments: argparse.Namespace, console: Console) -> QueryLog:
    return load_log(log_paths(arguments), reading_options(arguments), console)


def log_paths(arguments: argparse.Namespace) -> list[Path]:
    """The files that the arguments name as the log: patterns filled in, `-` read to its end."""
    if not hasattr(arguments, "log_files"):
        arguments.log_files = []
        for name in (arguments.log, *getattr(arguments, "more_logs", ())):
            path = store_standard_input() if name == STANDARD_INPUT else Path(name)
            matches = [] if path.exists() else sorted(glob(str(path)))  # noqa: PTH207 (anywhere)
            arguments.log_files += [Path(match) for match in matches] or [path]
    paths: list[Path] = arguments.log_files
    return paths


def store_standard_input(what: str = "a log") -> Path:
    """A file with what stands on the standard input, which is removed when the program ends."""
    if sys.stdin is None or sys.stdin.closed:
        raise MissingInput(f"There is no standard input to read {what} from.")
    folder = tempfile.mkdtemp(prefix="auditor-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "standard-input")
    with path.open("xb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path


def reading_options(arguments: argparse.Namespace) -> ReadOptions:
    """How the log is to be read, as the arguments say."""
    options: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in READ_FLAGS
        if getattr(arguments, name, None) is not None
    }
    if arguments.columns is not None:
        options["columns"] = parse_columns(arguments.columns)
    if arguments.delimiter is not None:
        options["delimiter"] = "\t" if arguments.delimiter == "tab" else arguments.delimiter
    if getattr(arguments, "max_rejected", None) is not None:
        options["max_rejected_share"] = arguments.max_rejected
    return ReadOptions(**options)


def load_log(
    paths: Sequence[Path],
    options: ReadOptions | None,
    console: Console,
    *,
    spill: WorkingFiles | None = None,
    what: str = "log",
) -> QueryLog:
    """Read a log; `what` says to people which of several it is."""
    console.begin_phase(f"Reading the {what}")
    log = read_log(paths, options, progress=console.progress, spill=spill)
    rejected = sum(log.origin.rejected.values())
    if rejected:
        console.print_note(
            f"{format_count(rejected, 'row')} could not be read; `auditor inspect` lists them"
        )
    for note in describe_left_out(log.origin.left_out):
        console.print_note(note)
    if message := implausible_times(log):
        console.print_note(message)
    return log


def parse_columns(text: str) -> dict[str, str | int]:
    """Which column has which role, as it is typed, or as a plan has it."""
    if text.startswith("{"):
        try:
            plain: dict[str, str | int] = parse_json(text.encode())
        except UnfitFile:
            raise ParameterError("columns", "--columns takes ROLE=COLUMN,ROLE=COLUMN,…") from None
        return plain
    columns: dict[str, str | int] = {}
    for pair in text.split(","):
        role, equals, column = pair.partition("=")
        if not equals:
            raise ParameterError("columns", "--columns takes ROLE=COLUMN,ROLE=COLUMN,…")
        if role.strip() in columns:
            raise ParameterError("columns", f"--columns names the {role.strip()[:20]} twice.")
        place = column.strip()
        number = place.isascii() and place.isdecimal() and len(place) <= 9
        columns[role.strip()] = int(place) if number else place
    return columns


def attacker_evidence(arguments: argparse.Namespace, log: QueryLog, console: Console) -> Evidence:
    """What attackers have at hand besides a release."""
    reference = None
    if arguments.reference:
        reference = load_log([Path(arguments.reference)], None, console, what="reference log")
    return Evidence(
        log=log,
        reference=reference,
        profiles=Path(arguments.profiles) if arguments.profiles else None,
        others=tuple(release_at(path, console) for path in arguments.other),
    )


def selection_of(arguments: argparse.Namespace, *, quick: bool) -> CheckSelection:
    """The attacks and measures that the arguments name, and those that they leave out."""
    return CheckSelection(
        quick=quick,
        attacks=tuple(arguments.attack),
        measures=tuple(arguments.measure),
        skipped=tuple(arguments.skip),
    )


def expect_run(
    arguments: argparse.Namespace, intent: Intent, selection: CheckSelection, console: Console
) -> None:
    """Say what the run will take before the log is read, from the beginning of its files."""
    if not console.live:
        return

    rows = sniff_log(log_paths(arguments), reading_options(arguments)).estimated_rows
    if rows:
        knowledge = {name: "" for name in ("reference", "profiles") if getattr(arguments, name)}
        totals = DistributedLog("", LogOrigin(), rows, user_count=1, clicks=0)
        plan = select_checks(resolve_intent(intent, totals, knowledge), intent, selection, totals)
        console.expect_runs(forecast_run(plan, rows, _make_estimator()))


def print_plan(plan: Plan, log: QueryLog, console: Console) -> int:
    """Say what a run would do, take and guarantee, without making it; the exit code."""
    planned = forecast_run(plan, len(log), _make_estimator())
    cost, steps = planned.total, {"measures": plan.measures, "attacks": plan.attacks}
    names = {kind: [step.name for step in parts] for kind, parts in steps.items()}
    facts: dict[str, Any] = {"dry_run": True, "method": plan.method, "digest": plan.digest}
    facts |= {"params": plan.params.to_public(), "rows": len(log), "users": len(log.users)} | names
    lines = [
        f"Would make  a release by {plan.what.title}: {plan.params!r}",
        f"Of          {format_count(len(log), 'row')} of {format_count(len(log.users), 'user')}",
        *(f"{kind.capitalize():11} {', '.join(parts) or 'none'}" for kind, parts in names.items()),
    ]
    if cost is not None:
        facts |= {"seconds": cost.seconds, "bytes": cost.bytes}
        lines.append(f"Takes       {cost}")
    if plan.what.outlook is not None:
        outlook = plan.what.outlook(log, plan.params, scale=1.0, progress=console.progress)
        if outlook.note:
            facts["note"] = outlook.note
            lines.append(f"Outlook     {outlook.note}")
        statement = selected_statement(outlook.statement, plan.selection, plan.method, plan.params)
        facts["statement"] = statement.to_dict()
        lines.append(f"Guarantee   {statement.claim}")
    console.print_result(facts, "\n".join([*lines, "Nothing was made or written."]))
    return 0


def run_plan(
    plan: Plan,
    evidence: Evidence,
    rng: Randomness,
    console: Console,
    phase: str = "",
    *,
    ledger: Path | None = None,
    release: Release | None = None,
) -> Run:
    """Say what a run will take, make it, and remember what it took for the next one.

    A release that somebody else `release` is judged as it is. `ledger` is asked whether the log has
    other releases; the usual one unless it is given.
    """
    from auditor.log.out_of_core.spilled_log import SpilledLog  # its kernels take time to import

    if rng.secure and release is None:  # refused now, not after an hour of work
        store.check_before_run(store.ledger_path(ledger))
    log = evidence.log
    estimator = _make_estimator()
    planned = forecast_run(plan, len(log), estimator)
    cost = planned.total
    if cost is not None and isinstance(log, SpilledLog):  # keeps to its budget, whatever is usual
        cost = dataclasses.replace(cost, bytes=0)
    if console.live:  # the bar says how long it takes and which part is running
        console.begin_phase(phase or "Making the release", planned)
    else:
        text = phase or f"Making the release by {plan.what.title}"
        console.begin_phase(text if cost is None else f"{text}, {cost}", planned)

    def handle_event(event: RunEvent) -> None:
        if isinstance(event, PartialResult) and not (phase or console.live) and event.checks:
            attacks = sum(name in ATTACKS for name in event.checks)
            counts = (len(event.checks) - attacks, "measure"), (attacks, "attack")
            text = ", ".join(f"{n:,} {noun}{'s' if n > 1 else ''}" for n, noun in counts if n)
            console.print_note(f"Checking it: {text}")
        console(event)

    result = execute_plan(plan, evidence, rng, console.handle, handle_event, existing=release)
    if release is not None:
        return result
    decide_for_run(result, ledger=ledger)
    for assumption in result.release.statement.assumptions:
        if rng.secure and assumption.name == ONE_DRAW and assumption.evidence != NO_OTHER_DRAW:
            console.print_note(assumption.evidence)
    estimator.learn(result, len(log))
    return result


def _make_estimator() -> CostEstimator:
    return CostEstimator.load_shipped(data_folder() / "runs.json")


def release_at(path: str, console: Console) -> Anonymized:
    """A release folder, or any log that the user calls a release."""
    folder = Path(path)
    if folder.is_dir() and (folder / "manifest.json").exists():
        return read_release(folder, progress=console.progress)
    log = load_log([folder], None, console, what="release")
    return Release(
        method=UNKNOWN, params={}, content=log, statement=unknown_statement(), changes={}
    )


def release_of(path: str, log: QueryLog, console: Console) -> Anonymized:
    """What is compared with a log, with a note where it was made from another one."""
    release = release_at(path, console)
    note_other_log(Path(path), log, console)
    return release


def note_other_log(folder: Path, log: QueryLog, console: Console) -> str:
    """What there is to say where a release was made from another log; empty if nothing."""
    if not is_of_other_log(folder, log):
        return ""
    text = sentence("outside.other_log")
    console.print_note(text)
    return text


def intent_of(method: str, pairs: Iterable[str], *, attacks: tuple[str, ...] | None) -> Intent:
    params = params_of(METHODS[method].params, pairs)
    return Intent(method=method, values=((method, params),), attacks=attacks)


def is_of_check(pair: str) -> bool:
    """Whether ``CHECK.NAME=VALUE`` stands there rather than ``NAME=VALUE``."""
    return "." in pair.partition("=")[0]


def sort_pairs(arguments: argparse.Namespace) -> None:
    """Where a verb has a method and checks, ``-p`` sets what both take."""
    if hasattr(arguments, "set"):
        pairs = arguments.param
        arguments.param = [pair for pair in pairs if not is_of_check(pair)]
        arguments.set += [pair for pair in pairs if is_of_check(pair)]


def params_of(kind: type[Params], pairs: Iterable[str]) -> Params:
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise ParameterError(name, f"-p takes NAME=VALUE, got '{pair[:80]}'.")
        values[name.strip()] = value
    return kind.parse(values)


def assume_attackers(arguments: argparse.Namespace, intent: Intent) -> Intent:
    """The intent with the adversary that the arguments name, and what they set besides."""
    if arguments.adversary is not None:
        intent = intent.assume_adversary(arguments.adversary)
    for pair in arguments.set:
        for check, params in checks_of([pair]):
            name = pair.partition(".")[2].partition("=")[0].strip()
            spec = params.spec(name)
            intent = intent.tune_check(check, **{spec.name: getattr(params, spec.name)})
    return intent


def checks_of(pairs: Iterable[str]) -> tuple[tuple[str, Params], ...]:
    """Parameters of attacks and measures, as CHECK.NAME=VALUE."""
    by_check: dict[str, list[str]] = {}
    for pair in pairs:
        check, dot, assignment = pair.partition(".")
        if not dot:
            raise ParameterError(check[:80], f"-p takes CHECK.NAME=VALUE, got '{pair[:80]}'.")
        by_check.setdefault(check.strip(), []).append(assignment)
    registry: Mapping[str, Registry[Any]] = dict.fromkeys(ATTACKS, ATTACKS)
    found_in = dict(registry) | dict.fromkeys(MEASURES, MEASURES)
    return tuple(
        (name, params_of(found_in.get(name, MEASURES)[name].params, assignment))
        for name, assignment in sorted(by_check.items())
    )
