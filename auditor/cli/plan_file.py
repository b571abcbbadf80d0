"""A run as a file: options of a verb by their names, in TOML; see `auditor.engine.plan.as_toml`.

What the command line says besides goes before the file: `auditor audit --plan run.toml -p q_f=20`.
Files that the plan names are looked for beside it first. In ``[params]`` stand the method's
parameters, in ``[params.CHECK]`` those of an attack or measure, in ``[selection]`` what a choice of
the parameters by this log cost. A name stands for a bundled one (`auditor.engine.presets`).
"""

import argparse
import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.bounded_files import UnfitFile, parse_toml, read_text
from auditor.engine.presets import preset_files
from auditor.errors import MissingInput, ParameterError

LARGEST = 1 << 20
"""Bytes of a plan."""
_INPUTS = ("log", "reference", "profiles", "policy", "other", "feedback", "suggestion", "users")
_TABLES = ("params", "selection")
_NEVER = ("plan", "help")


def read_plan(name: str) -> dict[str, Any]:
    """What a plan's file says; raises `MissingInput` where it can't be read."""
    path = find_preset(name) or Path(name)
    try:
        plain = parse_toml(read_text(path, LARGEST))
    except UnfitFile as error:
        raise MissingInput(f"The plan can't be read: it is {error}.") from None
    for key in _INPUTS:
        if key in plain:
            plain[key] = _place_beside(plain[key], path.parent)
    return plain


def find_preset(name: str) -> Path | None:
    """The file of the bundled plan of that name; None where a file is called so, or none is."""
    return None if Path(name).exists() else preset_files().get(name)


def _place_beside(value: Any, folder: Path) -> Any:
    if isinstance(value, list):
        return [_place_beside(item, folder) for item in value]
    return str(folder / value) if isinstance(value, str) and (folder / value).exists() else value


def expand_plan(command: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """The words of a verb's command line with those that its plan stands for before them.

    The files of the log are the plan's only where the command line names none. Raises
    `MissingInput` and `ParameterError`.
    """
    loose = type(command)(add_help=False, allow_abbrev=False)
    for action in command._actions:
        if action.option_strings and action.dest not in ("help", "version"):
            free = copy.copy(action)
            free.required = False
            loose._add_action(free)
    arguments, positional = loose.parse_known_args(list(words))
    plain = read_plan(arguments.plan)
    if find_preset(arguments.plan):  # for every verb that has a method
        plain = {key: plain[key] for key in ("method", "policy", "params") if key in plain}
        if "--policy" not in command._option_string_actions:
            plain.pop("policy", None)
    logs = plain.pop("log", [])
    logs = logs if isinstance(logs, list) else [logs]
    options = [*_spell_params(plain.pop("params", {})), *_spell_options(command, plain)]
    return [*options, *words, *([] if positional else ["--", *map(str, logs)])]


def plan_selection(name: str) -> Mapping[str, Any] | None:
    """What a plan says was spent on choosing its parameters; None where it says nothing."""
    selection = read_plan(name).get("selection")
    return selection if isinstance(selection, dict) else None


def _spell_options(command: argparse.ArgumentParser, plain: Mapping[str, Any]) -> Iterator[str]:
    options = {
        word.lstrip("-"): action
        for action in command._actions
        for word in action.option_strings
        if action.dest not in _NEVER
    }
    for key, value in plain.items():
        name = key.replace("_", "-")
        if name == "selection":
            continue
        if name not in options:
            from auditor.fuzzy_search import did_you_mean

            hint = did_you_mean(name[:80], [*options, *_TABLES])
            raise ParameterError("plan", f"The plan names '{key[:80]}', no option here.{hint}")
        if isinstance(value, bool):
            if value or f"no-{name}" in options:
                yield f"--{name}" if value else f"--no-{name}"
            continue
        if isinstance(value, dict) and name == "columns":
            value = json.dumps(value, default=str)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict | list):
                raise ParameterError("plan", f"The plan's '{name}' takes no table: give its value.")
            yield f"--{name}={item}"


def _spell_params(table: Any) -> Iterator[str]:
    if not isinstance(table, dict):
        raise ParameterError("plan", "The plan's params are a table, like [params].")
    for name, value in table.items():
        nested = value if isinstance(value, dict) else {}
        inner = {f"{name}.{key}": item for key, item in nested.items()}
        for key, item in (inner or {name: value}).items():
            yield f"--param={key}={str(item).lower() if isinstance(item, bool) else item}"
