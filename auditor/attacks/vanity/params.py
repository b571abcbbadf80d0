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
            ParamOption("userid", "userid", "Names contained in a userid (S)."),
            ParamOption("either", "either", "All names of both, if one of them has enough."),
            ParamOption("both", "both", "All names of both, if each of them has enough."),
            ParamOption("common", "common", ("Only names in which both agree: the most reliable.")),
        ),
        label="Source of names",
        help="Where the attacker has a user's names from. Userids name more people, profiles "
        "fewer and more reliably.",
    )
    least: int = integer(
        2,
        1,
        6,
        label="Names known of a user, at least",
        unit="names",
        slider=(1, 3),
        ends=("more people", "more reliable names"),
        help="A user with fewer known names counts as having none. Two are mostly a first "
        "and a last name; one alone fits everybody called Mary.",
    )
    idf: str = choice(
        "smoothed",
        (
            ParamOption("smoothed", "1 / log(1 + c)", ("Finite for a query that was issued once.")),
            ParamOption(
                "printed",
                "1 / log c",
                ("As in the source: infinite for a query that was issued once."),
            ),
        ),
        label="Weight of a query issued c times",
        help="Rare names weigh more, since few people search for a private person. The "
        "weight of the source is undefined for c = 1; such queries then rank before all "
        "others.",
    )
