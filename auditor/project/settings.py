"""Parameters as plain values and back: files by name alone, no keys or seeds, unknown ones said."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.engine.plan import Intent, Plan, PlanStep, checked_weights
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import phrase
from auditor.methods.registry import METHODS
from auditor.params import ParamKind, Params
from auditor.project.model import Places
from auditor.project.reading import JsonNode, json_number
from auditor.registry import Registry

_SECRET = re.compile(r"(^|_)(seed|key|salt|secret|password|token)(_|$)", re.IGNORECASE)


class GatheredSettings(list[str]):
    """What could not be taken as it stands, in words, each said once."""

    def add_sentence(self, text: str) -> None:
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
            absolute = PurePosixPath(bare).is_absolute() or PureWindowsPath(bare).is_absolute()
            told[name] = PureWindowsPath(bare).name if absolute else bare
        elif bare is None or isinstance(bare, bool | int | float):
            told[name] = json_number(bare) if isinstance(bare, float) else bare
    return told


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
    specs = kind.specs()
    known = {spec.name: spec for spec in specs}
    known |= {spec.formerly: spec for spec in specs if spec.formerly}
    values: dict[str, Any] = {  # None is never written
        spec.name: None for spec in specs if spec.optional and spec.kind is not ParamKind.PATH
    }
    for name, one in node.items():
        if name not in known or is_secret(name):
            said.add_sentence(
                phrase(
                    "This version's {owner} has no parameter '{name}'.",
                    owner=kind.owner,
                    name=name[:40],
                )
            )
            continue
        spec = known[name]
        value = _find_place(one, places, said) if spec.kind is ParamKind.PATH else one.value
        try:
            values[spec.name] = spec.validate(value, kind.owner)
        except ParameterError:
            values.pop(spec.name, None)
            said.add_sentence(sentence("settings.default", owner=kind.owner, label=spec.label))
    try:
        return kind(**values)
    except ParameterError:
        said.add_sentence(sentence("settings.parameters_longer_go_together", owner=kind.owner))
        return kind()


def _find_place(node: JsonNode, places: Places, said: GatheredSettings) -> Path | None:
    name = bare_name(node["file"])
    found = places.get(name)
    if found is None:
        said.add_sentence(sentence("settings.file_computer_choose_again", name=name))
    return found


def bare_name(node: JsonNode) -> str:
    """A file's name, and nothing that could lead anywhere."""
    name = node.read_text(longest=255)
    one = PurePosixPath(name).name == name == PureWindowsPath(name).name
    if not one or name in ("", ".", "..") or name != node.value:
        raise node.make_error("the plain name of a file")
    return name


# --- intents and plans, once their fields are read ---------------------------------------------


class SettingsCheck:
    """Gives an intent and a plan their parameters, which are read by the names beside them."""

    def __init__(self, places: Places, said: GatheredSettings) -> None:
        self._places = places
        self._said = said

    def check_intent(self, node: JsonNode, intent: Intent) -> Intent:
        """The intent as far as this version knows its parts; raises `ProjectError`."""
        method = intent.method
        if method not in set(METHODS):
            self._said.add_sentence(
                sentence("settings.version_method_another_chosen", method=method[:40])
            )
            method = next(iter(METHODS))
        checks = [
            pair for of in (ATTACKS, MEASURES) for pair in self._read_pairs(intent.checks, of)
        ]
        return dataclasses.replace(
            intent,
            method=method,
            values=self._read_pairs(intent.values, METHODS, "method"),
            attacks=self._keep_known(intent.attacks, ATTACKS, "attack"),
            measures=self._keep_known(intent.measures, MEASURES, "measure"),
            checks=tuple(sorted(checks, key=lambda pair: pair[0])),
            rule_weights=_check_weights(node, intent.rule_weights),
        )

    def check_plan(self, node: JsonNode, plan: Plan) -> Plan:
        """The plan with the attacks and measures that this version knows; of a known method."""
        params: Any = plan.params
        return dataclasses.replace(
            plan,
            params=read_params(plan.what.params, params, self._places, self._said),
            attacks=self._read_steps(plan.attacks, ATTACKS),
            measures=self._read_steps(plan.measures, MEASURES),
            rule_weights=_check_weights(node, plan.rule_weights),
        )

    def _read_pairs(
        self, pairs: Iterable[tuple[str, Any]], registry: Registry[Any], what: str = ""
    ) -> tuple[tuple[str, Params], ...]:
        found = []
        for name, one in pairs:
            if name in set(registry):
                params = read_params(registry[name].params, one, self._places, self._said)
                found.append((name, params))
            elif what:
                self._say_lacking(what, name)
        return tuple(found)

    def _read_steps(
        self, steps: Iterable[PlanStep], registry: Registry[Any]
    ) -> tuple[PlanStep, ...]:
        pairs = self._read_pairs(((step.name, step.params) for step in steps), registry)
        return tuple(PlanStep(name, params) for name, params in pairs)

    def _keep_known(
        self, wanted: tuple[str, ...] | None, registry: Iterable[str], what: str
    ) -> tuple[str, ...] | None:
        if wanted is None:
            return None
        for name in wanted:
            if name not in set(registry):
                self._say_lacking(what, name)
        return tuple(name for name in registry if name in wanted)

    def _say_lacking(self, what: str, name: str) -> None:
        lacks = phrase("This version has no {what} '{name}'.", what=what, name=name[:40])
        self._said.add_sentence(lacks)


def _check_weights(
    node: JsonNode, weights: tuple[tuple[str, float], ...]
) -> tuple[tuple[str, float], ...]:
    """Weights of the detector's rules; one that this version lacks stays and has no effect."""
    try:
        return checked_weights({name[:200]: weight for name, weight in weights})
    except ParameterError:
        raise node["rule_weights"].make_error("weights of rules from 0 to 1") from None
