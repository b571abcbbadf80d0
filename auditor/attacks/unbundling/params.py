"""The parameters of un-bundling."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.attacks.bundle_view import BundleParams
from auditor.attacks.unbundling.variants import BASELINES, DEFAULT, VARIANTS
from auditor.params import ParamOption, choice


@dataclass(frozen=True, kw_only=True)
class UnbundlingParams(BundleParams, owner="unbundling"):
    """What is joined, and how it is compared with the truth."""

    variant: str = choice(
        DEFAULT,
        tuple(
            ParamOption(name, variant.label, variant.help)
            for name, variant in VARIANTS.items()
            if name not in BASELINES
        ),
        label="Joined by",
        help="By what the attacker attributes two queries to the same user. Links are "
        "transitive, so one wrong link can put two users into one fiber.",
    )
    compare: bool = True
    days: int | None = None
    cut: str = "whole"
    confidence: float = 0.5
    topics: str = "components"
    chi2: float | None = None
    topic_words: int = 20_000
    training: int = 40
    table: str = "masks"
