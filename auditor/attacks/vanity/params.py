"""What the attack by own names is told: whose names count, and how searches are weighed."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.attacks.bundle_view import BundleParams
from auditor.params import ParamOption, choice, integer


@dataclass(frozen=True, kw_only=True)
class VanityParams(BundleParams, owner="vanity"):
    """How names are known and weighed; what bundles are made by, for the curves over bundles."""

    names: str = choice(
        "either",
        (
            ParamOption("profile", "profile", "Real names that people gave in their profiles (P)."),
            ParamOption("userid", "userid", "Names that stand in a userid (S)."),
            ParamOption("either", "either", "All of both, if one of them holds enough."),
            ParamOption("both", "both", "All of both, if each of them holds enough."),
            ParamOption("common", "common", "Only names in which both agree: the surest."),
        ),
        label="Names from",
        help="How the attacker comes by somebody's names. Userids name more people, profiles fewer "
        "and more reliably.",
    )
    least: int = integer(
        2,
        1,
        6,
        label="Least names",
        unit="names",
        slider=(1, 3),
        ends=("more people", "surer names"),
        help="Somebody with fewer names than this counts as nameless. Two are mostly a first and "
        "a last name; with one, everybody called Mary is meant.",
    )
    idf: str = choice(
        "smoothed",
        (
            ParamOption("smoothed", "1 / log(1 + c)", "Defined for a query that was sent once."),
            ParamOption(
                "printed", "1 / log c", "The source's: infinite for a query that was sent once."
            ),
        ),
        label="Weight of a query sent c times",
        help="Rare names weigh more, since few search for a private person. The source's own "
        "weight has no value where c is 1; those then come before all others.",
    )
