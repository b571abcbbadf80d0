"""Runs side by side as lines of text: parameters, figures and what is promised; no widgets."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from auditor.engine.run import Run
from auditor.figures import SHARE, MetricValue
from auditor.gui.app.translation import translate_text
from auditor.gui.state.metrics import RunMetrics, by_key
from auditor.gui.widgets import formats
from auditor.log import escaping
from auditor.methods.registry import METHODS
from auditor.params import ParamSpec

translate = QCoreApplication.translate


@dataclass(frozen=True)
class ComparisonRow:
    """One row of the comparison: a heading if it has no cells.

    `best` are the columns of the runs that are better than all others.
    """

    label: str
    cells: tuple[str, ...] = ()
    help: str = ""
    differs: bool = False
    best: tuple[int, ...] = ()


def lines_of(records: Sequence[Run]) -> list[ComparisonRow]:
    """What the table shows, as text; the first run is what the others are compared with."""
    said = tuple(_format_statement(record) for record in records)
    promise = ComparisonRow(translate("Compare", "promise"), said, "", len(set(said)) > 1)
    return [
        ComparisonRow(translate("Compare", "Parameters")),
        *_list_parameter_rows(records),
        ComparisonRow(translate("Compare", "Statement")),
        promise,
        *_list_metric_rows(records),
    ]


def _list_metric_rows(records: Sequence[Run]) -> Iterator[ComparisonRow]:
    """Every figure of any run, under the attack or measure that made it."""
    found = [by_key(record) for record in records]
    known: dict[str, RunMetrics] = {}
    for figures in found:
        for key, one in figures.items():
            known.setdefault(key, one)
    owners = dict.fromkeys(one.owner for one in known.values())
    for owner in owners:
        yield ComparisonRow(owner or translate("Compare", "Metrics"))
        for key, about in known.items():
            if about.owner == owner:
                yield _make_metric_row(about.value, [of.get(key) for of in found])


def _make_metric_row(about: MetricValue, found: Sequence[RunMetrics | None]) -> ComparisonRow:
    values = [one.value if one is not None else None for one in found]
    first, cells = values[0], []
    for index, value in enumerate(values):
        if value is None:
            cells.append(translate("Compare", "does not apply"))
        elif index == 0 or first is None:
            cells.append(formats.format_metric(value))
        else:
            cells.append(
                f"{formats.format_metric(value)}  {format_difference(value, first)}".rstrip()
            )
    shown = {value.value if value is not None else None for value in values}
    better = {
        "higher": translate("Compare", " (higher is better)"),
        "lower": translate("Compare", " (lower is better)"),
        "": "",
    }[about.better]
    return ComparisonRow(
        translate_text(about.label) + better,
        tuple(cells),
        translate_text(about.help),
        len(shown) > 1,
        _find_best(values),
    )


def _find_best(values: Sequence[MetricValue | None]) -> tuple[int, ...]:
    """The runs with the best value, where they are not all equally good."""
    some = [(i, v.value) for i, v in enumerate(values) if v is not None and not math.isnan(v.value)]
    better = next((value.better for value in values if value is not None), "")
    if len(some) < 2 or not better or len({value for _, value in some}) == 1:
        return ()
    ends = max if better == "higher" else min
    best = ends(value for _, value in some)
    return tuple(index for index, value in some if value == best)


def _list_parameter_rows(records: Sequence[Run]) -> list[ComparisonRow]:
    """One row for each parameter of each method: of two methods, δ is not the same thing."""
    methods = tuple(translate_text(record.plan.what.title) for record in records)
    lines = [ComparisonRow(translate("Compare", "method"), methods, "", len(set(methods)) > 1)]
    several = len({record.plan.method for record in records}) > 1
    specs: dict[tuple[str, str], ParamSpec] = {}
    for record in records:
        for spec in record.plan.params.specs():
            specs.setdefault((record.plan.method, spec.name), spec)
    for (method, name), spec in specs.items():
        cells = []
        for record in records:
            params = record.plan.params
            used = record.plan.method == method and params.matters(name)
            cells.append(
                formats.format_parameter(params.spec(name), getattr(params, name))
                if used
                else translate("Compare", "not used")
            )
        if all(cell == translate("Compare", "not used") for cell in cells):
            continue
        label = translate_text(spec.label)
        if several:
            label = f"{translate_text(METHODS[method].title)}: {label}"
        lines.append(
            ComparisonRow(label, tuple(cells), translate_text(spec.help), len(set(cells)) > 1)
        )
    return lines


def format_difference(value: MetricValue, first: MetricValue) -> str:
    """By how much a figure differs from the first run's, and whether that is good."""
    change = value.value - first.value
    if not math.isfinite(change) or change == 0:
        return ""
    unit = value.unit if value.unit == SHARE else ""
    sign = "+" if change > 0 else "−"
    word = ""
    if value.better:
        good = (change > 0) == (value.better == "higher")
        word = translate("Compare", " better") if good else translate("Compare", " worse")
    if _lie_within_intervals(value, first):
        word += translate("Compare", ", within their intervals")
    return f"[{sign}{formats.format_quantity(abs(change), unit)}{word}]"


def _lie_within_intervals(a: MetricValue, b: MetricValue) -> bool:
    """Whether each value lies within the other's interval: then nothing says that they differ."""
    if a.interval is None or b.interval is None:
        return False
    return a.interval[0] <= b.value <= a.interval[1] and b.interval[0] <= a.value <= b.interval[1]


def _format_statement(record: Run) -> str:
    if record.statement is None:
        return translate("Compare", "none")
    return translate_text(record.statement.write_headline())


def csv_of(records: Sequence[Run]) -> str:
    """The comparison for a spreadsheet; no cell can act as a formula there."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[escaping.escape_cell(cell) for cell in row] for row in rows_of(records)])
    return out.getvalue()


def rows_of(records: Sequence[Run]) -> list[list[str]]:
    """The comparison as cells, headings first; headings of parts stand alone in their row."""
    rows = [["", *(column_heading(record) for record in records)]]
    return rows + [[line.label, *line.cells] for line in lines_of(records)]


def column_heading(record: Run) -> str:
    """A column's heading."""
    return f"{record.letter}  {translate_text(record.title)}"
