"""The parameters of the hash inversion: how the attacker proceeds, and what is shown besides."""

from __future__ import annotations

from dataclasses import dataclass, fields

from auditor.attacks.hash_inversion.inversion import InversionConfig
from auditor.params import Params


@dataclass(frozen=True, kw_only=True)
class HashInversionParams(Params, owner="hash-inversion"):
    """How the attacker proceeds, and which of the source's tables is made besides."""

    n: int = 1000
    reference: str = "auto"
    scheme: str = "confident"
    initial: str = "node-start"
    distance: str = "l1"
    order: str = "auto"
    update: str = "score-greedy"
    iterations: int = 20
    start: int = 1000
    alpha: float = 1.0
    beta: float = 1.0
    bootstrap: int = 100
    confidence: str = "unknown"
    table: str = "none"

    def make_config(self) -> InversionConfig:
        """The parameters that say how to invert."""
        shared = {field.name: getattr(self, field.name) for field in fields(InversionConfig)}
        shared["order"] = self.scheme == "confident" and self.order == "auto"
        return InversionConfig(**shared)
