"""The policies that come with the program, and every gate that one could have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from auditor.attacks.registry import ATTACKS
from auditor.errors import ParameterError
from auditor.release.policy.attestation import SCOPE
from auditor.release.policy.policy import (
    Gate,
    Policy,
    bundled_files,
    find_metric,
    gate_words,
    read_bundled,
)


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
