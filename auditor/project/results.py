"""What of a run's results a project may hold, and what has to hold of one that is read.

What may hold query text isn't stored. Whoever makes a table or a plot says that every word in it is
the program's own (`own_words`); of the others only those go in that have no words but their
headings. The details of a result go in as far as they are numbers.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from typing import Any, TypeVar, get_args

import numpy as np

from auditor.attacks.base import AttackResult
from auditor.attacks.dp_audit import summary
from auditor.attacks.registry import ATTACKS
from auditor.engine.run import Run
from auditor.figures import Figure, Series, Table, is_storable
from auditor.measures.base import MeasureResult
from auditor.measures.registry import MEASURES
from auditor.privacy.statement import Statement
from auditor.project.dataclass_codec import DataclassReader
from auditor.project.reading import JsonNode
from auditor.project.settings import public_parameters
from auditor.release.kept_content import Basis

Part = TypeVar("Part", MeasureResult, AttackResult)


def strip_result(result: Run) -> Run:
    """What of a run's results is stored: neither its release nor a word of the log."""
    return dataclasses.replace(
        result,
        made=None,
        cache={},
        measures=tuple(map(_strip_part, result.measures)),
        attacks=tuple(map(_strip_part, result.attacks)),
        withheld=result.withheld + sum(not is_storable(one) for one in _list_shown(result)),
    )


def without_plots(result: Run) -> Run:
    """The same without plots and tables, which are counted among what was left out."""
    bare: dict[str, Any] = {"figures": (), "tables": ()}
    return dataclasses.replace(
        result,
        measures=tuple(dataclasses.replace(one, **bare) for one in result.measures),
        attacks=tuple(dataclasses.replace(one, **bare) for one in result.attacks),
        withheld=result.withheld + len(_list_shown(result)),
    )


def _list_shown(result: Run) -> list[Figure | Table]:
    shown: list[Figure | Table] = []
    parts: list[MeasureResult | AttackResult] = [*result.measures, *result.attacks]
    for part in parts:
        shown += [*part.figures, *part.tables]
    return shown


def _strip_part(part: Part) -> Part:
    """Storable plots and tables; details that are numbers, or all that somebody speaks for."""
    details = part.details
    if not (isinstance(part, AttackResult) and part.own_details):
        numeric = bool | int | float | np.number | np.bool_
        details = {name: value for name, value in details.items() if isinstance(value, numeric)}
    figures, tables = filter(is_storable, part.figures), filter(is_storable, part.tables)
    return dataclasses.replace(
        part,
        params=public_parameters(part.params),
        figures=tuple(dataclasses.replace(one, own_words=True) for one in figures),
        tables=tuple(dataclasses.replace(one, own_words=True) for one in tables),
        details=details,
    )


# --- reading ----------------------------------------------------------------------------------


def read_results(node: JsonNode) -> dict[str, Any]:
    """The fields of a run that hold its results; raises `ProjectError`."""
    reader = DataclassReader(
        {
            AttackResult: lambda _node, made: dataclasses.replace(made, own_details=True),
            Figure: lambda _node, made: dataclasses.replace(made, own_words=True),
            Table: _check_table,
            Series: _check_series,
        }
    )
    known = dict(node.value) if isinstance(node.value, dict) else {}
    known["measures"] = _known_parts(node["measures"], "measure", MEASURES)
    known["attacks"] = _known_parts(node["attacks"], "attack", ATTACKS)
    values = reader.read_fields(Run, JsonNode(known, node.place), "results")
    for count in (*node["flagged"].items(), ("withheld", node["withheld"])):
        if not count[1].missing:
            count[1].read_integer(0)
    statement = values.get("statement")
    values["attacks"] = tuple(
        one for one in values.get("attacks", ()) if _is_readable(one, statement)
    )
    values["gates"] = _read_gates(node["gates"])
    return values


def _known_parts(parts: JsonNode, key: str, registry: Iterable[str]) -> list[Any]:
    """Those parts that this version can still name; a title is wanted for each."""
    names = set(registry)
    return [part.value for part in parts.iterate_entries() if part[key].read_text() in names]


def _is_readable(made: AttackResult, statement: Statement | None) -> bool:
    """Whether what stands beside the claim can be told from an audit's details."""
    if made.attack != summary.NAME or statement is None:
        return True
    try:
        summary.told_by(statement, made.details)
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def _check_series(node: JsonNode, made: Series) -> Series:
    ends = [one for one in (made.y, made.low, made.high) if one is not None]
    if any(len(one) != len(made.x) for one in ends) or len(ends) == 2:  # one end of an interval
        raise node.make_error("a series with as many y, and as many ends of intervals, as x")
    return made


def _check_table(node: JsonNode, made: Table) -> Table:
    if any(len(row) != len(made.columns) for row in made.rows):
        raise node["rows"].make_error("rows as long as there are columns")
    if len(made.units) > len(made.columns) or len(made.row_units) > len(made.rows):
        raise node["units"].make_error("no more units than columns, or rows")
    return dataclasses.replace(made, rows=[tuple(row) for row in made.rows], own_words=True)


_GATE_TEXTS = ("name", "title", "figure", "wanted", "verdict", "evidence")


def _read_gates(node: JsonNode) -> dict[str, Any]:
    if node.missing or not node.value:
        return {}
    results = []
    for one in node["results"].iterate_entries(10_000):
        told: dict[str, Any] = {key: one["keys"][key].read_text("") for key in _GATE_TEXTS}
        for key in ("value", "most", "least"):
            number = one["keys"][key]
            if not number.missing:
                inside = number["number"] if isinstance(number.value, dict) else number
                told[key] = inside.read_number()
        results.append(told)
    texts = {key: node[key].read_text("") for key in ("policy", "unit", "sha256", "note")}
    counts = node["kept"] if node["kept"].missing else node["kept"]["keys"]
    kept: dict[str, Any] = {
        key: counts[key].read_number() for key, _ in counts.items() if key != "basis"
    }
    if not all(0 <= number < math.inf for number in kept.values()):
        raise counts.make_error("counts of what is kept")
    if not counts.missing and not counts["basis"].missing:
        kept["basis"] = counts["basis"].one_of(*get_args(Basis))
    told = {**texts, "passed": node["passed"].read_flag(), "results": results}
    return told | ({"kept": kept} if kept else {})
