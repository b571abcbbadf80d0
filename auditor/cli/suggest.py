"""The verb that searches for the most useful release, and what adopts its suggestion."""

import argparse
import dataclasses
import re
import shlex
import sys
from pathlib import Path
from typing import Any

from auditor.bounded_files import parse_json
from auditor.cli.arguments import input_paths, intent_of, load_log, load_named_log
from auditor.cli.console import Console
from auditor.cli.ledger import locate_ledger
from auditor.cli.plan_file import plan_selection
from auditor.engine.plan import Intent
from auditor.errors import ExportFailed, ParameterError
from auditor.figures import format_count
from auditor.log.escaping import printable_text
from auditor.log.model import QueryLog
from auditor.log.sentences import sentence
from auditor.methods.registry import METHODS
from auditor.privacy.selection import ParameterSelection
from auditor.release import export
from auditor.release.export_target import check_file
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import ledger_path
from auditor.release.policy.policy import load_policy
from auditor.suggestions import search
from auditor.suggestions.estimates import few_users
from auditor.suggestions.limits import read_earlier
from auditor.suggestions.request import SELECTION_EPSILON, SearchHearing, SearchRequest, parse_goal
from auditor.suggestions.result import Suggestion, format_line
from auditor.suggestions.store import SearchStore

_UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
CANCELLED = 130


def suggest_release(arguments: argparse.Namespace, console: Console) -> int:
    """The front of what passes a policy; 1 where nothing does, 130 where it was stopped."""
    rules = load_policy(arguments.policy or None)
    out = Path(arguments.out) if arguments.out else None
    if out is not None:
        out = check_file(out, input_paths(arguments), overwrite=arguments.overwrite)
    stated_epsilon = arguments.selection_epsilon
    request = SearchRequest(  # before a log is read, which may take minutes
        policy=rules,
        goal=parse_goal(arguments.maximise),
        mode="free" if arguments.reference else arguments.mode,
        methods=tuple(filter(None, map(str.strip, (arguments.methods or "").split(",")))) or None,
        budget=parse_budget(arguments.budget),
        selection_epsilon=SELECTION_EPSILON if stated_epsilon is None else stated_epsilon,
        growth=arguments.growth,
    )
    confirm = request.mode == "private" and stated_epsilon is None and arguments.log is not None
    if confirm and not _confirm_cost(console):
        return CANCELLED
    place = locate_ledger(arguments)
    store = SearchStore.open_usual(place)
    log, users, released = _load_logs(arguments, console)
    earlier = None
    if released is not None:
        earlier = read_earlier(released, place, console.progress)
    request = dataclasses.replace(request, users=users, earlier=earlier)
    if out is not None:
        check_file(out, log.origin.files, overwrite=arguments.overwrite)
    lines: set[str] = set()

    def tell_point(point: Suggestion) -> None:
        if (line := format_line(point)) not in lines:  # looked at again, with the same outcome
            lines.add(line)
            console.print_note(line)

    hearing = SearchHearing(on_candidate=tell_point, event=console, progress=console.progress)
    console.begin_phase("Searching for the most useful release that passes")
    result = search.suggest_release(request, log, hearing, store)
    facts = result.to_dict()
    text = result.text()
    if out is not None and result.points:
        try:
            export.write_table(result.to_frame(), out)
        except ExportFailed:  # the answer of a long search is said all the same
            console.print_result(facts, text)
            raise
        facts["out"] = str(out)
        passing = sum(point.may_pass for point in result.points)
        failing = len(result.points) - passing
        failing_note = f" and {failing:,} that would not pass" if failing else ""
        text += f"\n\n{format_count(passing, 'suggestion')}{failing_note} written to {out}."
        if result.best is not None:
            file = shlex.quote(str(out))
            text += f"\nTo make the first: auditor audit LOG --suggestion {file} --out DIR"
    console.print_result(facts, text)
    if result.stopped == "cancelled":
        return CANCELLED
    return 0 if result.best is not None else 1


def suggested_intent(arguments: argparse.Namespace, console: Console) -> Intent | None:
    """The most useful release of a log that is expected to pass a policy; None if none is."""
    rules = load_policy(arguments.policy or None)
    # By public sizes, as the window does: a private choice is a draw, which may be a bad one.
    goal = parse_goal("volume")
    request = SearchRequest(policy=rules, goal=goal, mode="sizes", growth=False)
    log = load_named_log(arguments, console)
    hearing = SearchHearing(event=console, progress=console.progress)
    console.begin_phase("Searching for the most useful release that passes")
    result = search.suggest_release(request, log, hearing)
    best = result.best
    if best is None:
        console.print_note(result.text())
        return None
    console.print_note(f"Suggested: {format_line(best)}")
    return Intent(
        method=best.method, values=((best.method, best.params),), selection=best.selection
    )


def _confirm_cost(console: Console) -> bool:
    """Whether somebody at a terminal agrees to what a private search costs.

    Raises `ParameterError` where nobody can be asked.
    """
    if console.as_json or not (sys.stdin and sys.stdin.isatty() and console.live):
        raise ParameterError(
            "selection_epsilon", sentence("suggestions.private_costs", epsilon=SELECTION_EPSILON)
        )
    sys.stderr.write(
        f"A private search costs ε = {SELECTION_EPSILON:g} of this log, whether or not its answer "
        "is used. Repeating the same search costs nothing. Go on? [y/N] "
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def adopted_intent(arguments: argparse.Namespace, attacks: tuple[str, ...] | None) -> Intent:
    """The method and parameters that the arguments name, or those of a suggestion's file.

    A choice of parameters that cost ε comes with them.
    """
    if not arguments.suggestion:
        if arguments.method is None:
            raise ParameterError("method", "Name a method with --method, or give --suggestion.")
        intent = intent_of(arguments.method, arguments.param, attacks=attacks)
        spent = plan_selection(arguments.plan) if getattr(arguments, "plan", None) else None
        if spent is not None:
            try:
                intent = dataclasses.replace(intent, selection=ParameterSelection.from_dict(spent))
            except (KeyError, TypeError, ValueError):
                raise ParameterError("plan", "The plan's [selection] can't be read.") from None
        return intent
    if arguments.method is not None or arguments.param:
        raise ParameterError(
            "suggestion",
            "A suggestion is taken as it was found: leave out --method and -p, or leave out "
            "--suggestion and name them.",
        )
    row = _first_row(Path(arguments.suggestion))
    if row.get("failed_checks") or row.get("may_pass") is False:
        raise ParameterError(
            "suggestion",
            "Not even the first setting of this file is expected to pass the policy, so it is no "
            "suggestion. Name its method and parameters by --method and -p to make it all the "
            "same.",
        )
    try:
        method = str(row["method"])
        params = METHODS[method].params.of(parse_json(str(row["params"]).encode()))
        text = row["selection"]
        selection = ParameterSelection.from_dict(parse_json(str(text).encode())) if text else None
    except (KeyError, TypeError, ValueError):
        raise _make_unreadable_error() from None
    if getattr(arguments, "engine", "local") == "spark":
        raise ParameterError(
            "suggestion", "A suggestion is made on this machine: leave out --engine spark."
        )
    arguments.method = method
    values = ((method, params),)
    return Intent(method=method, values=values, attacks=attacks, selection=selection)


def update_selection(
    intent: Intent, log: QueryLog, console: Console, ledger: Path | None = None
) -> Intent:
    """The intent with all that was spent on choosing parameters of this log by now."""
    choices = PrivateChoices(ledger_path(ledger))
    selection = choices.update_selection(intent.selection, log, console.progress)
    return dataclasses.replace(intent, selection=selection)


def parse_budget(text: str | None) -> float | None:
    """Seconds from what is typed, like 90, 90s, 10min or 1.5h."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(s|min|m|h)?\s*", text)
    if match is None:
        raise ParameterError("budget", "A budget is a time, like 90s, 10min or 1.5h.")
    return float(match[1]) * _UNITS[match[2] or ""]


def _load_logs(
    arguments: argparse.Namespace, console: Console
) -> tuple[QueryLog, int | None, QueryLog | None]:
    """The log that is searched, how many users that of the release has, if it is another, and that.

    There is no log of the release where sizes alone are named.
    """
    if arguments.log is None:
        if arguments.mode != "sizes" or arguments.users is None or arguments.reference:
            raise ParameterError(
                "log", "Name a log, or search by sizes alone: --mode sizes --users N."
            )

        return few_users(), arguments.users, None
    released = load_named_log(arguments, console)
    if arguments.reference:
        users = len(released.users) if arguments.users is None else arguments.users
        older = load_log([Path(arguments.reference)], None, console, what="reference log")
        return older, users, released
    return released, arguments.users, released


def _first_row(path: Path) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    texts = dict.fromkeys(("method", "params", "selection"), pa.string())
    try:
        if path.suffix.lower() == ".csv":
            convert_options = pyarrow.csv.ConvertOptions(column_types=texts)
            rows = pyarrow.csv.read_csv(path, convert_options=convert_options)
        else:
            rows = pq.read_table(path)
        records: list[dict[str, Any]] = rows.slice(0, 1).to_pylist()
    except FileNotFoundError:
        file_name = printable_text(str(path))
        raise ParameterError(
            "suggestion", f"There is no file {file_name} of suggestions."
        ) from None
    except (OSError, pa.ArrowException, ValueError, KeyError):
        raise _make_unreadable_error() from None
    if not records:
        raise _make_unreadable_error()
    return records[0]


def _make_unreadable_error() -> ParameterError:
    return ParameterError(
        "suggestion", "The suggestion can't be read. Give the file that `auditor suggest` wrote."
    )
