"""What whoever approves a release has to give: a name, and a reason for each gate in the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from auditor.errors import ExportRefused, ParameterError
from auditor.log.escaping import printable_text, says_something
from auditor.messages import phrase
from auditor.release.record import GateVerdict

LONGEST_REASON = 4_000
"""Characters of a reason."""


def clean_reviewer(name: str) -> str:
    """The name as it will be signed; raises `ParameterError` where nobody can read one."""
    name = printable_text(name).strip()
    if not says_something(name):
        raise ParameterError("reviewer", "An approval needs the name of whoever gives it.")
    return name


def check_overrides(given: Mapping[str, str], judged: Sequence[GateVerdict]) -> dict[str, str]:
    """The overrides as they will be signed: of each gate in the way, with a reason, and no other.

    Raises `ParameterError` for another, and `ExportRefused` where one is missing.
    """
    needed = [one.gate.name for one in judged if not one.ok]
    told = {name: printable_text(reason).strip() for name, reason in given.items()}
    for name, reason in told.items():
        if name not in needed:
            raise ParameterError(
                "override",
                phrase("The gate '{name}' needs no override here.", name=printable_text(name)[:80]),
            )
        if not says_something(reason) or len(reason) > LONGEST_REASON:
            raise ParameterError(
                "override", phrase("Overriding the gate '{name}' needs a reason.", name=name)
            )
    missing = [name for name in needed if name not in told]
    if missing:
        raise ExportRefused(
            phrase("These gates stand in the way: {missing}.", missing=", ".join(missing))
        )
    return told
