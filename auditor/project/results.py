"""A run's results as plain values and back: figures, tables, figures of merit, the statement.

What may hold query text isn't written. Whoever makes a table or a figure says that every word in
it is the program's own (`own_words`); of the others only those go in that have no words but their
headings. The details of a result go in as far as they are numbers.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary
from auditor.attacks.registry import ATTACKS
from auditor.engine.events import RunResult
from auditor.figures import (
    Axis,
    Figure,
    Floats,
    MetricValue,
    PlotMark,
    PlotZone,
    Series,
    Table,
    keepable,
)
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.privacy.statement import Assumption, Statement, Term
from auditor.project.model import StoredResults
from auditor.project.reading import JsonNode, number, real
from auditor.project.settings import public

POINTS = 500_000
"""Points of the longest series, and rows of the longest table, that are read."""


def of_run(result: RunResult, gates: Mapping[str, Any] | None = None) -> StoredResults:
    """What of a run's result is worth keeping."""
    return StoredResults(
        statement=result.release.statement,
        values=result.values,
        measures=result.measures,
        attacks=result.attacks,
        seconds=result.seconds,
        stages=result.stages,
        skipped=result.skipped,
        flagged={a.attack: len(a.findings) for a in result.attacks if a.findings is not None},
        gates=dict(gates or {}),
        withheld=sum(not keepable(one) for one in _shown(result.measures, result.attacks)),
    )


def bare(results: StoredResults) -> StoredResults:
    """The same without plots and tables, which are counted among what was left out."""
    left = len(_shown(results.measures, results.attacks))
    return dataclasses.replace(
        results,
        measures=tuple(dataclasses.replace(m, figures=(), tables=()) for m in results.measures),
        attacks=tuple(dataclasses.replace(a, figures=(), tables=()) for a in results.attacks),
        withheld=results.withheld + left,
    )


def _shown(
    measures: Iterable[MeasureResult], attacks: Iterable[AttackResult]
) -> list[Figure | Table]:
    """The plots and tables of both."""
    parts: list[MeasureResult | AttackResult] = [*measures, *attacks]
    found: list[Figure | Table] = []
    for part in parts:
        found += [*part.figures, *part.tables]
    return found


# --- writing ----------------------------------------------------------------------------------


def plain_results(results: StoredResults) -> dict[str, Any]:
    """Plain values for JSON."""
    return {
        "statement": None if results.statement is None else _plain_statement(results.statement),
        "values": [_plain_value(value) for value in results.values],
        "measures": [_plain_measure(one) for one in results.measures],
        "attacks": [_plain_attack(one) for one in results.attacks],
        "seconds": {name: number(value) for name, value in results.seconds.items()},
        "stages": {
            part: {name: number(value) for name, value in spent.items()}
            for part, spent in results.stages.items()
        },
        "skipped": dict(results.skipped),
        "flagged": {name: int(count) for name, count in results.flagged.items()},
        "gates": _plain_gates(results.gates),
        "withheld": results.withheld,
    }


def _plain_statement(made: Statement) -> dict[str, Any]:
    return {
        "model": made.model,
        "claim": made.claim,
        "unit": made.unit,
        "neighbours": made.neighbours,
        "epsilon": _maybe(made.epsilon),
        "delta": _maybe(made.delta),
        "tight_epsilon": _maybe(made.tight_epsilon),
        "tight_note": made.tight_note,
        "terms": [[t.name, number(t.epsilon), number(t.delta), t.formula] for t in made.terms],
        "assumptions": [[a.name, a.text, a.status, a.evidence] for a in made.assumptions],
        "measured": {name: number(float(value)) for name, value in made.measured.items()},
    }


def _maybe(value: float | None) -> float | int | str | None:
    return None if value is None else number(value)


def _plain_value(value: MetricValue) -> dict[str, Any]:
    made: dict[str, Any] = {
        "name": value.name,
        "label": value.label,
        "value": number(float(value.value)),
        "unit": value.unit,
        "help": value.help,
        "better": value.better,
        "side": value.side,
    }
    if value.interval is not None:
        made["interval"] = [number(float(end)) for end in value.interval]
    return made


def _plain_measure(made: MeasureResult) -> dict[str, Any]:
    return {"name": made.measure, **_plain_part(made)}


def _plain_attack(made: AttackResult) -> dict[str, Any]:
    return {
        "name": made.attack,
        **_plain_part(made),
        "rate": number(float(made.rate)),
        "baseline": number(float(made.baseline)),
        "interval": [number(float(end)) for end in made.interval],
        "control": _maybe(made.control),
        "rate_label": made.rate_label,
    }


def _plain_details(made: MeasureResult | AttackResult) -> dict[str, Any]:
    """Numbers; all of them where whoever made the result speaks for their words."""
    if isinstance(made, AttackResult) and made.own_details:
        return {name: _plain_cell(value) for name, value in made.details.items()}
    return {
        name: number(_bare(value))
        for name, value in made.details.items()
        if isinstance(_bare(value), bool | int | float)
    }


def _plain_part(made: MeasureResult | AttackResult) -> dict[str, Any]:
    return {
        "params": public(made.params),
        "values": [_plain_value(value) for value in made.values],
        "figures": [_plain_figure(figure) for figure in made.figures if keepable(figure)],
        "tables": [_plain_table(table) for table in made.tables if keepable(table)],
        "notes": list(made.notes),
        "details": _plain_details(made),
    }


def _bare(value: Any) -> Any:
    """A NumPy scalar as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _plain_figure(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "title": figure.title,
        "axes": [
            [axis.label, axis.unit, axis.scale, list(axis.categories)]
            for axis in (figure.x, figure.y)
        ],
        "series": [
            {
                "name": series.name,
                "kind": series.kind,
                "x": _numbers(series.x),
                "y": _numbers(series.y),
                "low": None if series.low is None else _numbers(series.low),
                "high": None if series.high is None else _numbers(series.high),
                "role": series.role,
            }
            for series in figure.series
        ],
        "marks": [[m.axis, number(float(m.at)), m.label, m.role] for m in figure.marks],
        "zones": [
            [z.axis, number(float(z.low)), number(float(z.high)), z.label, z.role]
            for z in figure.zones
        ],
        "note": figure.note,
        "source": figure.source,
    }


def _numbers(values: Floats) -> list[float | int | str]:
    return [number(value) for value in np.asarray(values, dtype=np.float64).tolist()]


def _plain_table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [[_plain_cell(cell) for cell in row] for row in table.rows],
        "note": table.note,
        "source": table.source,
    }


def _plain_cell(cell: Any) -> Any:
    cell = _bare(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return {"number": number(cell)}
    if isinstance(cell, tuple | list):
        return [_plain_cell(part) for part in cell]
    if isinstance(cell, Mapping):
        return {"keys": {str(key): _plain_cell(value) for key, value in cell.items()}}
    return cell if cell is None or isinstance(cell, bool | int | float) else str(cell)


def _plain_gates(gates: Mapping[str, Any]) -> dict[str, Any]:
    if not gates:
        return {}
    results = [
        {key: number(v) if isinstance(v, float) else v for key, v in one.items()}
        for one in gates.get("results", ())
    ]
    return {**gates, "results": results}


# --- reading ----------------------------------------------------------------------------------


def read_results(node: JsonNode) -> StoredResults:
    """The results that plain values mean; raises `ProjectError`."""
    statement = node["statement"]
    said = None if statement.missing else _statement(statement)
    return StoredResults(
        statement=said,
        values=tuple(_value(one) for one in node["values"].each()),
        measures=tuple(_measure(one) for one in _known(node["measures"].each(), MEASURES)),
        attacks=tuple(
            made
            for one in _known(node["attacks"].each(), ATTACKS)
            if _readable(made := _attack(one), said)
        ),
        seconds={name: one.number() for name, one in node["seconds"].items()},
        stages={
            part: {name: one.number() for name, one in spent.items()}
            for part, spent in node["stages"].items()
        },
        skipped={name: one.text() for name, one in node["skipped"].items()},
        flagged={name: one.integer(0) for name, one in node["flagged"].items()},
        gates=_gates(node["gates"]),
        withheld=0 if node["withheld"].missing else node["withheld"].integer(0),
    )


def _known(parts: Iterable[JsonNode], registry: Iterable[str]) -> Iterable[JsonNode]:
    """Those parts that this version can still name; a title is wanted for each."""
    names = set(registry)
    return [part for part in parts if part["name"].text() in names]


def _readable(made: AttackResult, statement: Statement | None) -> bool:
    """Whether what stands beside the claim can be told from an audit's details."""
    if made.attack != summary.NAME or statement is None:
        return True
    try:
        summary.told_by(statement, made.details)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def _statement(node: JsonNode) -> Statement:
    return Statement(
        model=node["model"].one_of("differential privacy", "k-anonymity", "pseudonymity", "none"),
        claim=node["claim"].text(),
        unit=node["unit"].text(),
        neighbours=node["neighbours"].text(""),
        epsilon=_optional(node["epsilon"]),
        delta=_optional(node["delta"]),
        tight_epsilon=_optional(node["tight_epsilon"]),
        tight_note=node["tight_note"].text(""),
        terms=tuple(
            Term(name.text(), epsilon.number(), delta.number(), formula.text())
            for name, epsilon, delta, formula in (_tuple(one, 4) for one in node["terms"].each())
        ),
        assumptions=tuple(
            Assumption(
                name.text(), text.text(), status.one_of("holds", "fails", "unknown"), how.text()
            )
            for name, text, status, how in (_tuple(one, 4) for one in node["assumptions"].each())
        ),
        measured={name: one.number() for name, one in node["measured"].items()},
    )


def _tuple(node: JsonNode, size: int) -> list[JsonNode]:
    found = list(node.each(size))
    if len(found) != size:
        raise node.wrong(f"a list of {size} entries")
    return found


def _pair(node: JsonNode) -> tuple[float, float]:
    low, high = _tuple(node, 2)
    return low.number(), high.number()


def _optional(node: JsonNode) -> float | None:
    return None if node.missing else node.number()


def _value(node: JsonNode) -> MetricValue:
    return MetricValue(
        node["name"].text(),
        node["label"].text(),
        node["value"].number(),
        node["unit"].text(""),
        node["help"].text(""),
        node["better"].one_of("higher", "lower", ""),
        node["side"].one_of("privacy", "utility", ""),
        None if node["interval"].missing else _pair(node["interval"]),
    )


def _measure(node: JsonNode) -> MeasureResult:
    return MeasureResult(measure=node["name"].text(), **_part(node))


def _attack(node: JsonNode) -> AttackResult:
    return AttackResult(
        attack=node["name"].text(),
        rate=node["rate"].number(),
        baseline=node["baseline"].number(),
        interval=_pair(node["interval"]),
        control=_optional(node["control"]),
        rate_label=node["rate_label"].text(),
        own_details=True,
        **_part(node),
    )


def _part(node: JsonNode) -> dict[str, Any]:
    return {
        "params": {name: _scalar(one) for name, one in node["params"].items()},
        "values": tuple(_value(one) for one in node["values"].each()),
        "figures": tuple(_figure(one) for one in node["figures"].each()),
        "tables": tuple(_table(one) for one in node["tables"].each()),
        "notes": tuple(one.text() for one in node["notes"].each()),
        "details": {name: _detail(one) for name, one in node["details"].items()},
    }


def _detail(node: JsonNode) -> Any:
    """A detail in place of a cell: words for numbers are numbers again."""
    found = real(node.value) if isinstance(node.value, str) else None
    return _cell(node) if found is None else found


def _scalar(node: JsonNode) -> Any:
    if node.missing or isinstance(node.value, bool | int | float):
        return node.value
    return node.text()


def _figure(node: JsonNode) -> Figure:
    x, y = (_axis(one) for one in _tuple(node["axes"], 2))
    return Figure(
        node["name"].text(),
        node["title"].text(),
        x,
        y,
        tuple(_series(one) for one in node["series"].each(1_000)),
        marks=tuple(
            PlotMark(
                axis.one_of("x", "y"),
                at.number(),
                label.text(),
                role.one_of("current", "optimum", "limit", "note"),
            )
            for axis, at, label, role in (_tuple(one, 4) for one in node["marks"].each(1_000))
        ),
        zones=tuple(
            PlotZone(
                axis.one_of("x", "y"),
                low.number(),
                high.number(),
                label.text(),
                role.one_of("bad", "good", "note"),
            )
            for axis, low, high, label, role in (
                _tuple(one, 5) for one in node["zones"].each(1_000)
            )
        ),
        note=node["note"].text(""),
        source=node["source"].text(""),
        own_words=True,
    )


def _axis(node: JsonNode) -> Axis:
    label, unit, scale, categories = _tuple(node, 4)
    return Axis(
        label.text(),
        unit.text(),
        scale.one_of("linear", "log"),
        tuple(one.text() for one in categories.each(POINTS)),
    )


def _series(node: JsonNode) -> Series:
    x, y = _array(node["x"]), _array(node["y"])
    low = None if node["low"].missing else _array(node["low"])
    high = None if node["high"].missing else _array(node["high"])
    if any(len(one) != len(x) for one in (y, low, high) if one is not None) or (
        (low is None) != (high is None)
    ):
        raise node.wrong("a series with as many y, and as many ends of intervals, as x")
    return Series(
        node["name"].text(),
        x,
        y,
        node["kind"].one_of("line", "points", "bars", "steps"),
        low,
        high,
        role="" if node["role"].missing else node["role"].one_of("", "bad"),
    )


def _array(node: JsonNode) -> Floats:
    if not isinstance(node.value, list) or len(node.value) > POINTS:
        raise node.wrong(f"a list of at most {POINTS:,} numbers")
    found = [real(value) for value in node.value]
    if None in found:
        raise node.wrong("a list of numbers")
    return np.array(found, dtype=np.float64)


def _table(node: JsonNode) -> Table:
    columns = tuple(one.text() for one in node["columns"].each(1_000))
    rows = [tuple(_cell(one) for one in row.each(1_000)) for row in node["rows"].each(POINTS)]
    if any(len(row) != len(columns) for row in rows):
        raise node["rows"].wrong("rows as long as there are columns")
    return Table(
        node["name"].text(),
        node["title"].text(),
        columns,
        rows,
        note=node["note"].text(""),
        source=node["source"].text(""),
        own_words=True,
    )


def _cell(node: JsonNode) -> Any:
    if isinstance(node.value, dict):
        if node["keys"].missing:
            return node["number"].number()
        return {name: _cell(one) for name, one in node["keys"].items()}
    if isinstance(node.value, list):
        return tuple(_cell(one) for one in node.each(1_000))
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        return node.integer()
    return _scalar(node)


def _gates(node: JsonNode) -> dict[str, Any]:
    if node.missing or not node.value:
        return {}
    return {
        "policy": node["policy"].text(""),
        "sha256": node["sha256"].text(""),
        "note": node["note"].text(""),
        "passed": node["passed"].flag(),
        "results": [
            {
                **{
                    key: one[key].text("")
                    for key in ("name", "title", "figure", "wanted", "verdict", "evidence")
                },
                **({} if one["value"].missing else {"value": one["value"].number()}),
            }
            for one in node["results"].each(10_000)
        ],
    }
