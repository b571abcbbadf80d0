"""What the command line prints: results as JSON or as text, progress on standard error.

On a terminal progress is a single bar (tqdm), which says how long the rest takes; elsewhere it is a
line for each phase of a command.
"""

from __future__ import annotations

import dataclasses
import getpass
import io
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TextIO

from auditor.attacks.base import AttackResult
from auditor.cli import terminal
from auditor.engine.events import AttackDone, PartialResult, RunEvent, StageProgress, TaskStarted
from auditor.engine.run import Run
from auditor.engine.run_progress import RunForecast, RunProgress, SteadyShare
from auditor.engine.runner import RunHandle
from auditor.figures import SHARE, MetricValue, Table, format_count, format_share, name_unit
from auditor.log.escaping import escape_cell
from auditor.measures.base import MeasureResult
from auditor.privacy.verification.models import VerifiedModel
from auditor.progress import Progress
from auditor.release.explanation_text import format_table

if TYPE_CHECKING:
    import pandas as pd
    from tqdm import tqdm

Verbosity = Literal["quiet", "normal", "verbose"]


_OPTION = re.compile("`([a-z_]+)`")
FAILING_SHOWN = 100
"""Users named in text for whom a definition fails; JSON names them all."""


class ProgressDisplay:
    """Progress of a command on a stream, such as standard error.

    Unless it is to be quiet, a terminal (`live`) has one bar, drawn over and over and removed
    at the end; elsewhere each phase is a line, and with "verbose" each part of a run, too. `phase`
    is what the command is doing, `stage` what the part at work says it is doing within that.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        live: bool,
        detail: Verbosity,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self.live = live and detail != "quiet"
        self.detail = detail
        self.phase = self.stage = ""
        self._clock = clock
        self._began: float | None = None
        self._stage_began = clock()
        self._units = (0, 0)
        self._share_of_stage: float | None = None
        self._run: RunProgress | None = None
        self._coming: list[RunForecast] = []
        self._share_done = SteadyShare()
        self._bar: tqdm[Any] | None = None

    def expect_runs(self, *forecasts: RunForecast) -> None:
        """Say which runs are still to come, in order; replaces what was said before."""
        self._coming = list(forecasts)

    def report_units(self, done: int, total: int) -> None:
        """Say how many of equal parts, settings of a sweep say, are done of the whole command."""
        self._units = (done, total)

    def begin_phase(self, phase: str, planned: RunForecast | None = None) -> None:
        """Begin a phase; that of a run has its forecast, the first of those that were expected."""
        if self._began is None:
            self._began = self._clock()
        self.phase, self._run = phase, None
        if planned is not None:
            del self._coming[:1]
            self._run = RunProgress(planned, self._clock)
        self._follow("", 0, 0)
        if self.live:
            self._draw_bar()
        elif self.detail != "quiet":
            self.write(phase)

    def handle_event(self, event: RunEvent) -> None:
        """Follow one event of a run."""
        if self._run is not None:
            self._run.handle_event(event)
        if isinstance(event, TaskStarted):
            self._follow("", 0, 0)
            if self.detail == "verbose":
                self.write(f"  {event.kind} {event.name}")
        elif isinstance(event, StageProgress):
            self._follow(event.stage, event.done, event.total)
        else:
            return
        self._draw_bar()

    def report(self, stage: str, done: int, total: int) -> None:
        """Say how far a stage outside of runs is; `total` 0 where nobody knows."""
        self._follow(stage, done, total)
        self._draw_bar()

    def _follow(self, stage: str, done: int, total: int) -> None:
        if stage != self.stage or done == 0:
            self._stage_began = self._clock()
        self.stage = stage
        self._share_of_stage = min(1.0, done / total) if total else None

    @property
    def part(self) -> str:
        """Name of the method, measure or attack at work; empty outside of a run."""
        part = self._run.part if self._run is not None else None
        return part.name if part is not None else ""

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the command is over; None if nobody knows."""
        done, total = self._units
        if done:
            return self._spent * (total - done) / done
        remaining = self._run.seconds_left if self._run is not None else None
        if remaining is None and (share := self._share_of_stage):
            remaining = (self._clock() - self._stage_began) * (1 - share) / share
        coming = [forecast.total.seconds for forecast in self._coming if forecast.total is not None]
        return None if remaining is None and not coming else (remaining or 0.0) + sum(coming)

    @property
    def share(self) -> float | None:
        """How much of the command is done, from 0 to 1, never falling; None if nobody knows."""
        seconds_left = self.seconds_left
        if seconds_left is not None:
            self._share_done.advance(self._spent, seconds_left)
        return self._share_done.reached or (None if seconds_left is None else 0.0)

    @property
    def _spent(self) -> float:
        return 0.0 if self._began is None else self._clock() - self._began

    def write(self, text: str) -> None:
        """A line of its own, above the bar."""
        if self._bar is not None:
            self._bar.clear()
        terminal.print_message(terminal.escape_controls(text), stream=self._stream)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw_bar(self) -> None:
        if not self.live:
            return
        if self._bar is None:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread of its own: we draw whenever work reports
            # A place of its own: another bar of the process would push it down the screen.
            look: dict[str, Any] = {"leave": False, "nrows": 2, "position": 0}
            self._bar = tqdm(total=1.0, file=self._stream, dynamic_ncols=True, **look)
        share = self.share
        self._bar.bar_format = "{desc}" if share is None else "{percentage:3.0f} % {bar:20} {desc}"
        self._bar.n = share or 0.0
        self._bar.set_description_str(terminal.escape_controls(bar_text(self)), refresh=False)
        self._bar.refresh()


def bar_text(display: ProgressDisplay) -> str:
    """What stands beside the bar: the time left first, since the end may be cut off."""
    seconds_left = display.seconds_left
    wait = "" if seconds_left is None else f"{format_duration(max(round(seconds_left), 1))} left"
    return " · ".join(filter(None, (wait, display.phase, display.part, display.stage)))


def format_duration(seconds: float) -> str:
    """A time in words, with two digits."""
    if seconds < 9.95:
        return f"{max(seconds, 0.01):.2g} s"
    rounded = round(seconds)
    if rounded < 100:
        return f"{rounded} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"


class Console(ProgressDisplay):
    """Prints results to standard output and what happens to standard error."""

    def __init__(
        self,
        *,
        as_json: bool,
        cancelled: threading.Event,
        detail: Verbosity = "normal",
        flags: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._flags = flags
        self.as_json = as_json
        self.cancelled = cancelled
        super().__init__(
            sys.stderr or io.StringIO(),  # none, if whoever started the program closed it
            live=sys.stderr is not None and sys.stderr.isatty(),
            detail=detail,
        )

    @property
    def progress(self) -> Progress:
        """A progress that is shown, and hears an interrupt."""
        return Progress(self.report, self.cancelled)

    def ask_secret(self) -> str:
        """A passphrase that is typed without being shown; "" where nobody sits at a terminal."""
        if sys.stdin is None or not sys.stdin.isatty():
            return ""
        return getpass.getpass("Passphrase of the key: ", stream=sys.stderr)

    @property
    def handle(self) -> RunHandle:
        """A run that an interrupt cancels."""
        handle = RunHandle(1)
        handle.stop = self.cancelled
        return handle

    def print_result(self, plain: Any, text: str, details: str = "") -> None:
        """Print a result: as JSON or as text for people; `details` comes first, if it is wanted."""
        self.close()
        if self.as_json:
            terminal.print_result(terminal.as_json(to_json_value(plain)))
        else:
            full = f"{details}\n\n{text}" if details and self.detail == "verbose" else text
            terminal.print_result(terminal.escape_controls(full))

    def print_table(self, frame: pd.DataFrame) -> None:
        """Print a table as CSV, alone."""
        self.close()
        terminal.print_result(frame.map(escape_cell).to_csv(index=False).rstrip("\n"))

    def print_error(self, text: str) -> None:
        """Print why the command can't go on, however quiet it is to be."""
        self.close()
        terminal.print_message(terminal.escape_controls(self._name_flags(text)))

    def _name_flags(self, text: str) -> str:
        """A message with options as they are typed here: `time_format` is --time-format."""
        return _OPTION.sub(lambda match: self._flags.get(match[1], match[0]), text)

    def print_note(self, text: str) -> None:
        """Print a line about what happens."""
        if self.detail != "quiet":
            self.write(self._name_flags(text))

    def detail_note(self, text: str) -> None:
        """Print a line for those who want to know everything that happens."""
        if self.detail == "verbose":
            self.write(text)

    def __call__(self, event: RunEvent) -> None:
        """Show one event of a run."""
        self.handle_event(event)
        match event:
            case PartialResult(release=release):
                self.detail_note(f"  {release.method}: {release.statement.write_headline()}")
            case AttackDone(result=attacked):
                self.detail_note(f"  {attacked.attack}: rate {format_share(attacked.rate)}")


def attack_facts(result: AttackResult) -> dict[str, Any]:
    """The keys that people script against; those that don't apply are absent."""
    facts: dict[str, Any] = {
        "attack": result.attack,
        "params": dict(result.params),
        "rate": result.rate,
        "baseline": result.baseline,
        "interval": list(result.interval),
        "values": print_values(result.values),
        "tables": tables_to_dict(result.tables),
        "notes": list(result.notes),
    }
    if result.control is not None:
        facts["control"] = result.control
    if result.counts is not None:
        facts |= dict(zip(("hits", "trials"), result.counts, strict=True))
    if result.findings is not None:
        facts["flagged_sessions"] = len(result.findings)
    return facts | dict(result.details)


def measure_facts(result: MeasureResult) -> dict[str, Any]:
    """The measure's name, parameters and figures."""
    return {
        "measure": result.measure,
        "params": dict(result.params),
        "values": print_values(result.values),
        "tables": tables_to_dict(result.tables),
        "notes": list(result.notes),
    } | dict(result.details)


def describe_entry(entry: Any) -> dict[str, Any]:
    specs = []
    for spec in entry.params.specs():
        entry_facts: dict[str, Any] = {
            "name": spec.name,
            "kind": spec.kind.value,
            "label": spec.label,
            "help": spec.help,
            "wanted": spec.requirement(),
        }
        entry_facts |= {"default": spec.default} if spec.default is not None else {}
        entry_facts |= {"unit": spec.unit} if spec.unit else {}
        if spec.bounds is not None:
            entry_facts |= {"low": spec.bounds.low, "high": spec.bounds.high}
            entry_facts |= {"bounds": str(spec.bounds)}
        if spec.options:
            entry_facts["options"] = [dataclasses.asdict(option) for option in spec.options]
        specs.append(entry_facts)
    return {
        "name": entry.name,
        "title": entry.title,
        "summary": entry.summary,
        "source": entry.source,
        "cost": entry.cost,
        "params": specs,
    }


def format_whole(entry: Mapping[str, Any]) -> str:
    lines = [entry["title"], entry["summary"], f"Source: {entry['source']}"]
    lines += [f"Cost: {entry['cost']}", ""]
    for spec in entry["params"]:
        default = spec.get("default", "none")
        unit = (
            f" {name_unit(default, spec['unit'])}" if "unit" in spec and "default" in spec else ""
        )
        lines += [f"  {spec['name']} = {default}{unit}    {spec['label']}"]
        lines += [f"      {spec['wanted']}", f"      {spec['help']}"]
        lines += [
            f"      {option['value']}: {option['label']}. {option['help']}".rstrip()
            for option in spec.get("options", ())
        ]
    return "\n".join(lines)


def print_values(values: Iterable[MetricValue]) -> dict[str, Any]:
    return {value.name: value.value for value in values}


def tables_to_dict(tables: Iterable[Table]) -> dict[str, Any]:
    return {
        table.name: {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}
        for table in tables
        if not table.private
    }


def run_text(result: Run) -> str:
    statement = result.release.statement
    lines = [result.plan.what.title, statement.claim]
    if statement.user_column is not None:
        lines.append(statement.user_column.text)
    lines += [f"  fails: {a.name}. {a.evidence or a.text}" for a in statement.failing]
    lines += _value_lines(result.values)
    lines += [f"  {name}: {reason}" for name, reason in result.skipped.items()]
    return "\n".join(lines)


def attack_text(result: AttackResult) -> str:
    low, high = result.interval
    lines = [
        f"{result.attack}: {result.rate_label} {format_share(result.rate)} "
        f"(95 % interval {format_share(low)} to {format_share(high)}); "
        f"guessing {format_share(result.baseline)}"
        + (f"; control {format_share(result.control)}" if result.control is not None else "")
    ]
    lines += _value_lines(result.values)
    return "\n".join([*lines, *table_lines(result.tables), *result.notes])


def measure_text(result: MeasureResult) -> str:
    lines = [result.measure, *_value_lines(result.values), *table_lines(result.tables)]
    return "\n".join([*lines, *result.notes])


def verdict_text(model: str, params: Mapping[str, Any], check: VerifiedModel) -> str:
    """Whether a definition holds, and the first of the users for whom it fails."""
    text = ", ".join(f"{name} = {value:g}" for name, value in params.items())
    lines = [f"{model} with {text} holds for all {format_count(check.users, 'user')}"]
    if not check.holds:
        lines = [f"{model} with {text} fails for {len(check.failing):,} of {check.users:,} users:"]
        lines += [f"  {name}" for name in check.failing[:FAILING_SHOWN]]
        if len(check.failing) > FAILING_SHOWN:
            lines.append("  … --json lists them all")
    return "\n".join(
        lines + [f"{name}: {format_value(value)}" for name, value in check.facts.items()]
    )


def _value_lines(values: Sequence[MetricValue]) -> list[str]:
    width = max((len(value.label) for value in values), default=0)
    return [f"  {value.label:{width}}  {_format_metric(value)}".rstrip() for value in values]


def _format_metric(value: MetricValue) -> str:
    if value.unit == SHARE:
        return format_share(value.value)
    return f"{value.value:,.6g} {name_unit(value.value, value.unit)}"


def table_lines(tables: Iterable[Table]) -> list[str]:
    blocks = (format_table(table, len(table.rows)) for table in tables if not table.private)
    return [line for lines in blocks for line in lines]


def format_value(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {format_value(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(format_value, value)) or "none"
    return str(value)


def format_utc(seconds: int, zone: str | None = None) -> str:
    """A time of a log as ISO 8601, without a Z if it is the clock of another `zone`."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat()[:19]  # a year in four digits
    return f"{text}Z" if zone in (None, "UTC") else text


def to_json_value(value: Any) -> Any:
    """Only what JSON has: NumPy scalars become numbers, infinity a word, nan is left out."""
    if isinstance(value, Mapping):
        items = {str(name): to_json_value(item) for name, item in value.items()}
        return {name: item for name, item in items.items() if item is not None}
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("infinite" if value > 0 else "-infinite")
    return str(value) if isinstance(value, Path) else value
