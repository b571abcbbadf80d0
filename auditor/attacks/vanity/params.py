"""What the attack by own names is told: whose names count, and how searches are weighed."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.attacks.bundle_view import BundleParams


@dataclass(frozen=True, kw_only=True)
class VanityParams(BundleParams, owner="vanity"):
    """How names are known and weighed; what bundles are made by, for the curves over bundles."""

    names: str = "either"
    least: int = 2
    idf: str = "smoothed"
