"""Projects of older versions, brought up to this one step by step.

A file says its version. `STEPS[n]` turns the plain values of version n into those of n + 1, and
is never changed once a release has written version n + 1. Every version has a file among the
tests that has to open for ever.

A step gets whatever JSON stood in the file. What it doesn't find as it should be it leaves alone:
whoever reads the last version says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from auditor.log.sentences import sentence
from auditor.project.values import WORDS, JsonNode, ProjectError, plain_cell

VERSION = 3

Plain = dict[str, Any]

Step = Callable[[Plain, dict[str, Any]], tuple[Plain, dict[str, Any]]]
"""From the main part and the results by letter to both as the next version has them."""


def migrate_values(main: JsonNode, results: dict[str, Any]) -> tuple[JsonNode, dict[str, JsonNode]]:
    """Main part and results as this version writes them; raises `ProjectError` for a newer one."""
    version = main["version"].read_integer(1)
    if version > VERSION:
        raise ProjectError(
            sentence("migrate.project_saved_newer_version", version=version, version_2=VERSION)
        )
    plain: Plain = dict(main.value)
    for step in range(version, VERSION):
        plain, results = STEPS[step](plain, results)
    nodes = {letter: JsonNode(part, f"results/{letter}.json") for letter, part in results.items()}
    return JsonNode(plain), nodes


# --- from 1 to 2: what was a list in the order of a class's fields is an object of them -----------

_NOTE = ("start", "stop", "text", "dismissed")
_LISTS = {
    "terms": ("name", "epsilon", "delta", "formula"),
    "assumptions": ("name", "text", "status", "evidence"),
    "marks": ("axis", "at", "label", "role"),
    "zones": ("axis", "low", "high", "label", "role"),
}
_AXIS = ("label", "unit", "scale", "categories")


def _take_named(value: Any, fields: tuple[str, ...]) -> Any:
    fits = isinstance(value, list) and len(value) == len(fields)
    return dict(zip(fields, value, strict=True)) if fits else value


def _each_named(value: Any, fields: tuple[str, ...]) -> Any:
    return [_take_named(entry, fields) for entry in value] if isinstance(value, list) else value


def _from_1(main: Plain, results: dict[str, Any]) -> tuple[Plain, dict[str, Any]]:
    notes = _each_named(main.get("notes"), _NOTE)
    return main | {"notes": notes}, {
        letter: _migrate_outcome(part) for letter, part in results.items()
    }


def _migrate_outcome(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    outcome = {**value, "statement": _lists_named(value.get("statement"))}
    for key, name in (("measures", "measure"), ("attacks", "attack")):
        if isinstance(value.get(key), list):
            outcome[key] = [_migrate_part(part, name) for part in value[key]]
    if isinstance(value.get("gates"), dict):
        outcome["gates"] = {name: plain_cell(cell) for name, cell in value["gates"].items()}
    return outcome


def _migrate_part(value: Any, name: str) -> Any:
    if not isinstance(value, dict):
        return value
    part = {name: value.get("name"), **value}
    if isinstance(value.get("figures"), list):
        part["figures"] = [_migrate_figure(entry) for entry in value["figures"]]
    if isinstance(value.get("details"), dict):
        part["details"] = {
            key: {"number": entry} if isinstance(entry, str) and entry in WORDS else entry
            for key, entry in value["details"].items()
        }
    return part


def _migrate_figure(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    axes = value.get("axes")
    pair = axes if isinstance(axes, list) and len(axes) == 2 else [None, None]
    return _lists_named(value) | {
        "x": _take_named(pair[0], _AXIS),
        "y": _take_named(pair[1], _AXIS),
    }


def _lists_named(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    lists = {key: _each_named(value[key], fields) for key, fields in _LISTS.items() if key in value}
    return value | lists


# --- from 2 to 3: plans and intents as their classes have them ------------------------------------


def _from_2(main: Plain, results: dict[str, Any]) -> tuple[Plain, dict[str, Any]]:
    runs = main.get("runs")
    if isinstance(runs, list):
        main = main | {"runs": [_migrate_run_plan(run) for run in runs]}
    return main, results


def _migrate_run_plan(run: Any) -> Any:
    plan = run.get("plan") if isinstance(run, dict) else None
    if not isinstance(plan, dict):
        return run
    new_plan = {**plan, "log_digest": plan.get("log")}
    for key in ("attacks", "measures"):
        if key in plan:
            new_plan[key] = _each_named(plan[key], ("name", "params"))
    for key in ("given", "left"):
        if key in plan:
            new_plan[key] = _pairs_to_dict(plan[key])
    return {**run, "plan": new_plan}


def _pairs_to_dict(value: Any) -> Any:
    pairs = isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in value
    )
    return dict(value) if pairs else value


STEPS: dict[int, Step] = {1: _from_1, 2: _from_2}
