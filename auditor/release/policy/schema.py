"""What a gate's figure means, in which unit, between which bounds, and what has to run for it.

What is known of a statement, a release and the ledger stands in ``resources/metrics/gates.toml``;
attacks and measures tell of theirs. A figure that nothing is known of is one that a newer gate
names: it is shown by its name, and any finite number is a limit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from auditor.attacks.registry import ATTACKS
from auditor.errors import ParameterError
from auditor.log.sentences import sentence
from auditor.measures.registry import MEASURES
from auditor.messages import as_phrase, phrase
from auditor.params import ParamInterval
from auditor.release.policy.attestation import SCOPE
from auditor.release.policy.policy import (
    SURVIVING,
    WORST,
    Gate,
    Policy,
    bundled_files,
    gate_words,
    read_bundled,
)

ANY = ParamInterval(-math.inf, math.inf, "neither")
_FROM_0 = ParamInterval(0, math.inf, "left")


@dataclass(frozen=True)
class GateMetric:
    """One figure that a gate can limit.

    `is_count` says that it counts things, `runs` names the attack or measure that has to run for it
    with its title, or is empty.
    """

    name: str
    meaning: str
    unit: str = ""
    bounds: ParamInterval = ANY
    is_count: bool = False
    runs: str = ""


def find_metric(name: str) -> GateMetric:
    """What is known of a figure; imports no attack and no measure but the one it names."""
    if (words := gate_words("metrics").get(name)) is not None:
        return _make_metric(name, words["help"], words)
    scope, _, rest = name.partition(".")
    if scope == SCOPE:
        return _of_attested(name, gate_words(SCOPE)[rest])
    if scope == "statement":
        return GateMetric(
            name,
            sentence(
                "policy.statement_number", rest=as_phrase(_split_name(rest.partition(".")[2]))
            ),
        )
    check, _, what = rest.partition(".")
    if scope == "attack" and check == WORST:
        return _of_worst(name, what)
    if scope == "attack" and check in ATTACKS:
        return _of_attack(name, check, what)
    if scope == "measure" and check in MEASURES:
        title = MEASURES[check].title
        return GateMetric(
            name,
            phrase("{title}: {what}.", title=as_phrase(title), what=as_phrase(_split_name(what))),
            runs=phrase("{title} ({check})", title=as_phrase(title), check=check),
        )
    return GateMetric(name, phrase("The metric “{name}”.", name=as_phrase(_split_name(name))))


def _of_attack(name: str, check: str, what: str) -> GateMetric:
    title = ATTACKS[check].title
    runs = phrase("{title} ({check})", title=as_phrase(title), check=check)
    if what == SURVIVING:
        meaning = sentence("policy.flagged_sessions", title=title)
        return GateMetric(name, meaning, "sessions", _FROM_0, True, runs)
    if (words := gate_words("rates").get(what)) is not None:
        lower = words["help"][:1].lower() + words["help"][1:]
        meaning = sentence("policy.of_attack", title=title, lower=lower)
        return _make_metric(name, meaning, words, runs)
    return GateMetric(
        name,
        phrase("{title}: {what}.", title=as_phrase(title), what=as_phrase(_split_name(what))),
        runs=runs,
    )


def _of_attested(name: str, words: Mapping[str, Any]) -> GateMetric:
    most = {"text": 1.0, "flag": 1.0, "choice": len(words.get("options", ()))}.get(words["kind"])
    bounds = _FROM_0 if most is None else ParamInterval(0, most, "both")
    unit = words.get("unit", "years" if words["kind"] == "day" else "")
    meaning = sentence("policy.attested", help=words["help"])
    return GateMetric(name, meaning, unit, bounds, is_count=words["kind"] != "day")


def _of_worst(name: str, what: str) -> GateMetric:
    if what == SURVIVING:
        meaning = sentence("policy.surviving_of_worst")
        return GateMetric(name, meaning, "sessions", _FROM_0, True)
    words = gate_words("rates")[what]
    meaning = phrase("{meaning}, of the worst attack that applies.", meaning=words["help"])
    return _make_metric(name, meaning, words)


def _make_metric(name: str, meaning: str, words: Mapping[str, Any], runs: str = "") -> GateMetric:
    low, high = words["bounds"]
    bounds = ParamInterval(low, high, "both" if math.isfinite(high) else "left")
    unit = words.get("counts", words.get("unit", ""))
    return GateMetric(name, meaning, unit, bounds, "counts" in words or "whole" in words, runs)


def find_complaint(gate: Gate) -> str:
    """What is wrong with a gate's limits, naming the key; empty if nothing is."""
    metric = find_metric(gate.figure)
    for key, value in (("least", gate.least), ("most", gate.most)):
        if value is None:
            continue
        if value not in metric.bounds:
            return sentence("policy.number_bounds", name=gate.name, key=key, bounds=metric.bounds)
        if metric.is_count and not float(value).is_integer():
            return phrase("{name}.{key} must be a whole number.", name=gate.name, key=key)
    if gate.least is None and gate.most is None:
        return phrase("{name} needs 'least' or 'most'.", name=gate.name)
    if gate.least is not None and gate.most is not None and gate.least > gate.most:
        return phrase("{name}.least must not be above {name}.most.", name=gate.name)
    return ""


def bundled_policies() -> Iterator[tuple[str, Policy]]:
    """The policies that come with the program, the default first; (file name, policy)."""
    policies = read_bundled()
    for name in sorted(policies, key=lambda name: name != "default"):
        yield f"{name}.toml", policies[name]


def gate_catalogue() -> list[Gate]:
    """Every gate that there could be: those of the policies here, then one for each other figure.

    The latter have no limit yet; loads every attack, for its title.
    """
    gates = [gate for _, policy in bundled_policies() for gate in policy.gates]
    taken = {gate.figure for gate in gates}
    contract = (f"{SCOPE}.{name}" for name in gate_words(SCOPE))
    rates = (f"attack.{attack}.rate" for attack in ATTACKS)
    for name in (*gate_words("metrics"), *contract, *rates):
        if name not in taken:
            title = find_metric(name).meaning.rstrip(".")
            gates.append(Gate(re.sub(r"[^a-z0-9]+", "-", name), title, name))
    return gates


def bundled_text(name: str) -> str:
    """What stands in the file of a policy that comes with the program."""
    path = bundled_files().get(name.removesuffix(".toml"))
    if path is None:
        raise ParameterError("policy", "No policy of that name comes with the program.")
    return path.read_text(encoding="utf-8")


def _split_name(name: str) -> str:
    return re.sub(r"[_.-]+", " ", name)
