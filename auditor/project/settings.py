"""What somebody set, as plain values and back: parameters, the intent, a run's plan.

A file is named, and never where it lies; a parameter that is a key or a seed isn't written. What
this version doesn't know, or no longer takes, is left at its default and said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent, Plan, PlanStep, checked_weights
from auditor.errors import ParameterError
from auditor.measures.registry import MEASURES
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params
from auditor.privacy.selection import ParameterSelection
from auditor.project.model import Places
from auditor.project.reading import LONGEST, JsonNode, json_number
from auditor.registry import Registry

_SECRET = re.compile(r"(^|_)(seed|key|salt|secret|password|token)(_|$)", re.IGNORECASE)


class GatheredSettings(list[str]):
    """What could not be taken as it stands, in words, each said once."""

    def say(self, text: str) -> None:
        """Add a sentence."""
        if text not in self and len(self) < 100:
            self.append(text)


def is_secret(name: str) -> bool:
    """Whether a parameter of that name stays out of a project."""
    return _SECRET.search(name) is not None


def public_parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    """A result's own account of its parameters, without secrets and places."""
    told: dict[str, Any] = {}
    for name, value in params.items():
        if is_secret(name):
            continue
        bare = value.item() if hasattr(value, "item") else value
        if isinstance(bare, Path):
            told[name] = bare.name
        elif isinstance(bare, str):
            told[name] = _bare_name(bare)
        elif bare is None or isinstance(bare, bool | int | float):
            told[name] = json_number(bare) if isinstance(bare, float) else bare
    return told


def _bare_name(text: str) -> str:
    """A whole path's last name; any other text as it is."""
    if PurePosixPath(text).is_absolute() or PureWindowsPath(text).is_absolute():
        return PureWindowsPath(text).name
    return text


# --- parameters -------------------------------------------------------------------------------


def plain_params(params: Params) -> dict[str, Any]:
    """The values that aren't None; a file by its name alone."""
    told: dict[str, Any] = {}
    for spec in params.specs():
        value = getattr(params, spec.name)
        if value is None or is_secret(spec.name):
            continue
        told[spec.name] = {"file": value.name} if spec.kind is ParamKind.PATH else value
    return told


def files_of(params: Params) -> dict[str, Path]:
    """The files that parameters name, for this machine's own memory."""
    held = [
        getattr(params, spec.name)
        for spec in params.specs()
        if spec.kind is ParamKind.PATH and not is_secret(spec.name)
    ]
    return {path.name: path for path in held if path is not None}


def read_params(
    kind: type[Params], node: JsonNode, places: Places, said: GatheredSettings
) -> Params:
    """Parameters with every value that is still taken; the others stand at their defaults."""
    known = {spec.name: spec for spec in kind.specs()}
    values: dict[str, Any] = {}
    for spec in known.values():
        if spec.optional and spec.kind is not ParamKind.PATH:
            values[spec.name] = None  # None is never written
    for name, one in node.items():
        if name not in known or is_secret(name):
            said.say(f"This version's {kind.owner} has no parameter '{name[:40]}'.")
            continue
        spec = known[name]
        value = _place(one, places, said) if spec.kind is ParamKind.PATH else one.value
        try:
            values[name] = spec.validate(value, kind.owner)
        except ParameterError:
            values.pop(name, None)
            said.say(f"{kind.owner}: {spec.label} can't be what it was, and is at its default.")
    try:
        return kind(**values)
    except ParameterError:
        said.say(f"{kind.owner}: the parameters no longer go together, and are the defaults.")
        return kind()


def _place(node: JsonNode, places: Places, said: GatheredSettings) -> Path | None:
    name = bare_name(node["file"])
    found = places.get(name)
    if found is None:
        said.say(f"The file {name} is not where it was on this computer. Choose it again.")
    return found


def bare_name(node: JsonNode) -> str:
    """A file's name, and nothing that could lead anywhere."""
    name = node.text(longest=255)
    one = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not one or name in ("", ".", "..") or name != node.value:
        raise node.wrong("the plain name of a file")
    return name


# --- the intent -------------------------------------------------------------------------------


def plain_intent(intent: Intent) -> dict[str, Any]:
    """Plain values for JSON."""
    return {
        "method": intent.method,
        "values": {method: plain_params(params) for method, params in intent.values},
        "attacks": None if intent.attacks is None else list(intent.attacks),
        "measures": None if intent.measures is None else list(intent.measures),
        "checks": {name: plain_params(params) for name, params in intent.checks},
        **_plain_weights(intent.rule_weights),
        **_plain_selection(intent.selection),
    }


def read_intent(node: JsonNode, places: Places, said: GatheredSettings) -> Intent:
    """The intent as far as this version knows its parts; raises `ProjectError`."""
    method = node["method"].text()
    if method not in set(METHODS):
        said.say(f"This version has no method '{method[:40]}'; another one is chosen.")
        method = next(iter(METHODS))
    return Intent(
        method=method,
        values=_each(node["values"], METHODS, "method", places, said),
        attacks=_names(node["attacks"], ATTACKS, "attack", said),
        measures=_names(node["measures"], MEASURES, "measure", said),
        checks=tuple(
            sorted(
                (
                    *_each(node["checks"], ATTACKS, "", places, said),
                    *_each(node["checks"], MEASURES, "", places, said),
                ),
                key=lambda pair: pair[0],
            )
        ),
        selection=_read_selection(node["selection"]),
        rule_weights=_read_weights(node["rule_weights"]),
    )


def _each(
    node: JsonNode, registry: Registry[Any], what: str, places: Places, said: GatheredSettings
) -> tuple[tuple[str, Params], ...]:
    known = set(registry)
    found = []
    for name, one in node.items():
        if name in known:
            found.append((name, read_params(registry[name].params, one, places, said)))
        elif what:
            said.say(f"This version has no {what} '{name[:40]}'.")
    return tuple(found)


def _names(
    node: JsonNode, registry: Iterable[str], what: str, said: GatheredSettings
) -> tuple[str, ...] | None:
    if node.missing:
        return None
    wanted = [one.text(longest=LONGEST) for one in node.each(10_000)]
    for name in wanted:
        if name not in set(registry):
            said.say(f"This version has no {what} '{name[:40]}'.")
    return tuple(name for name in registry if name in wanted)


# --- plans ------------------------------------------------------------------------------------


def plain_plan(plan: Plan) -> dict[str, Any]:
    """Plain values for JSON."""
    return {
        "log": plan.log_digest,
        "method": plan.method,
        "params": plain_params(plan.params),
        "attacks": [[step.name, plain_params(step.params)] for step in plan.attacks],
        "measures": [[step.name, plain_params(step.params)] for step in plan.measures],
        "given": [list(pair) for pair in plan.given],
        "left": [list(pair) for pair in plan.left],
        "asked": plan.asked,
        "named": list(plan.named),
        **_plain_weights(plan.rule_weights),
        **_plain_selection(plan.selection),
    }


def _plain_weights(weights: tuple[tuple[str, float], ...]) -> dict[str, Any]:
    return {"rule_weights": dict(weights)} if weights else {}


def _read_weights(node: JsonNode) -> tuple[tuple[str, float], ...]:
    """Weights of the detector's rules; one that this version lacks stays and has no effect."""
    if node.missing:
        return ()
    try:
        return checked_weights({name[:200]: one.value for name, one in node.items()})
    except ParameterError:
        raise node.wrong("weights of rules from 0 to 1") from None


def _plain_selection(selection: ParameterSelection | None) -> dict[str, Any]:
    return {} if selection is None else {"selection": selection.to_dict()}


def _read_selection(node: JsonNode) -> ParameterSelection | None:
    """How parameters were chosen; what can't be read is refused, for it costs ε."""
    if node.missing:
        return None
    try:
        return ParameterSelection.from_dict({name: one.value for name, one in node.items()})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise node.wrong("a choice of parameters that this version knows") from None


def read_plan(node: JsonNode, places: Places, said: GatheredSettings) -> Plan | None:
    """The plan, or None if its method is unknown here; raises `ProjectError`."""
    method = node["method"].text()
    if method not in set(METHODS):
        said.say(f"A run by '{method[:40]}' is left out: this version has no such method.")
        return None
    return Plan(
        log_digest=node["log"].text(),
        method=method,
        params=read_params(METHODS[method].params, node["params"], places, said),
        attacks=_steps(node["attacks"], ATTACKS, places, said),
        measures=_steps(node["measures"], MEASURES, places, said),
        given=_pairs(node["given"]),
        left=_pairs(node["left"]),
        asked=node["asked"].flag(True),
        named=tuple(one.text() for one in node["named"].each(100)),
        selection=_read_selection(node["selection"]),
        rule_weights=_read_weights(node["rule_weights"]),
    )


def _steps(
    node: JsonNode, registry: Registry[Any], places: Places, said: GatheredSettings
) -> tuple[PlanStep, ...]:
    found = []
    for one in node.each(10_000):
        pair = list(one.each(2))
        if len(pair) != 2:
            raise one.wrong("a name and its parameters")
        name = pair[0].text()
        if name in set(registry):
            params = read_params(registry[name].params, pair[1], places, said)
            found.append(PlanStep(name, params))
    return tuple(found)


def _pairs(node: JsonNode) -> tuple[tuple[str, str], ...]:
    found = []
    for one in node.each(10_000):
        pair = [part.text() for part in one.each(2)]
        if len(pair) != 2:
            raise one.wrong("two texts")
        found.append((pair[0], pair[1]))
    return tuple(found)
