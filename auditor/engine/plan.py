"""From what somebody set (an intent) to what will be done (a frozen plan) and its digest."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from dataclasses import dataclass
from typing import Any, Literal

from auditor.attacks.registry import ATTACKS
from auditor.errors import MissingInput
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.methods.base import Method
from auditor.methods.registry import METHODS
from auditor.params import Params

Engine = Literal["local"]


@dataclass(frozen=True)
class Step:
    """One attack or measure with its parameters."""

    name: str
    params: Params


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that decides a run's result except the randomness; hashable by `digest`."""

    log_digest: str
    method: str
    params: Params
    attacks: tuple[Step, ...] = ()
    measures: tuple[Step, ...] = ()
    engine: Engine = "local"

    @functools.cached_property
    def digest(self) -> str:
        """SHA-256 of the plan: the key under which its result may be kept."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "log": self.log_digest,
            "method": self.method,
            "params": self.params.to_dict(),
            "attacks": [[step.name, step.params.to_dict()] for step in self.attacks],
            "measures": [[step.name, step.params.to_dict()] for step in self.measures],
            "engine": self.engine,
        }

    @property
    def what(self) -> Method:
        """The method that the plan names."""
        return METHODS[self.method]


@dataclass(frozen=True, kw_only=True)
class Intent:
    """What the sliders say. Values of methods that aren't chosen now are kept for later.

    `attacks` and `measures` name what to run beside the method; None means everything that
    applies to what the method yields.
    """

    method: str
    values: tuple[tuple[str, Params], ...] = ()
    attacks: tuple[str, ...] | None = None
    measures: tuple[str, ...] | None = None

    @property
    def params(self) -> Params:
        """The chosen method's parameters."""
        return dict(self.values).get(self.method) or METHODS[self.method].params()

    def choose(self, method: str) -> Intent:
        """The same intent with another method."""
        METHODS[method]
        return dataclasses.replace(self, method=method)

    def set(self, **changes: Any) -> Intent:
        """The same intent with some of the chosen method's values changed, validated."""
        values = dict(self.values) | {self.method: self.params.replace(**changes)}
        return dataclasses.replace(self, values=tuple(values.items()))

    def reset(self, name: str | None = None) -> Intent:
        """The same intent with one value, or all of the method's, back at the default."""
        params = type(self.params)
        if name is not None:
            return self.set(**{name: params.spec(name).default})
        values = dict(self.values) | {self.method: params()}
        return dataclasses.replace(self, values=tuple(values.items()))


def resolve(intent: Intent, log: QueryLog) -> Plan:
    """The plan that an intent means for a log; pure.

    Attacks that need more than the log and the release (a reference, profiles) are planned
    only when they are named.
    """
    method = METHODS[intent.method]
    measures = intent.measures
    if measures is None:
        measures = tuple(name for name in MEASURES if method.yields in MEASURES[name].applies)
    attacks = intent.attacks
    if attacks is None:
        attacks = tuple(name for name in ATTACKS if set(ATTACKS[name].needs) <= {"release"})
    if not len(log):
        raise MissingInput("The log has no rows. Open another file or check its column mapping.")
    return Plan(
        log_digest=log.digest,
        method=intent.method,
        params=intent.params,
        attacks=tuple(Step(name, ATTACKS[name].params()) for name in attacks),
        measures=tuple(Step(name, MEASURES[name].params()) for name in measures),
    )
