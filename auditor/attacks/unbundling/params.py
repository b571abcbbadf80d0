"""The parameters of un-bundling."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.attacks.bundle_view import BundleParams
from auditor.attacks.unbundling.variants import BASELINES, DEFAULT, VARIANTS
from auditor.params import ParamOption, choice, flag, integer, real


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
        help="What makes the attacker take two queries for one user's. Whatever is joined hangs "
        "together, so one wrong link can put two people into one fiber.",
    )
    compare: bool = flag(
        True,
        label="Compare all",
        help="Score all other ways, too, as far as there is what they need. Takes longer.",
    )
    days: int | None = integer(
        None,
        1,
        100_000,
        optional="the whole log",
        label="Days looked at",
        unit="days",
        slider=(1, 31),
        help="Takes only the log's first days into bundles. The source bundled one day or a week: "
        "people ask for fewer things in a day, so their queries hang together more.",
    )
    cut: str = choice(
        "whole",
        (
            ParamOption("whole", "whole fibers", "Strangers' queries in a fiber count against it."),
            ParamOption("within", "heavy users alone", "Light users' queries are cut out first."),
        ),
        label="Compare",
        help="Only users with more than their bundle's mean count. The source can be read either "
        "way; leaving the others out flatters fibers that are too large.",
    )
    confidence: float = real(
        0.5,
        0.0,
        1.0,
        label="Places at least so sure",
        slider=(0.0, 0.99),
        help="How sure it must be that a query is about a place for it to join others by it. Names "
        "that are words, too, are unsure, and so are those that many places have.",
    )
    topics: str = choice(
        "components",
        (
            ParamOption(
                "components", "connected", "All words that hang together; chains reach far."
            ),
            ParamOption("cliques", "cliques", "Words that are all related to each other."),
        ),
        label="Topics",
        help="Which words make one topic. Topics are learned from the reference log.",
    )
    chi2: float | None = real(
        None,
        0.0,
        1e9,
        label="Related from (χ²)",
        optional="0.2 % of the reference's users, 40 at least",
        slider=(4.0, 1_000.0),
        ends=("many topics", "sure topics"),
        help="How far beyond chance the same people must use two words for them to be related. "
        "The least is statistically sure; too little chains most words into one topic.",
    )
    topic_words: int = integer(
        20_000,
        2,
        1_000_000,
        label="Words with topics",
        unit="words",
        slider=(1_000, 100_000),
        scale="log",
        help="How many of the most widespread words may have topics. More take more time.",
    )
    training: int = integer(
        40,
        1,
        10_000,
        label="Bundles known",
        unit="bundles",
        slider=(5, 200),
        help="Of how many bundles an attacker who learns knows the users, a fifth of all at most. "
        "They are left out of what is scored, for every way.",
    )
    table: str = choice(
        "masks",
        (
            ParamOption("masks", "masks", "Table 7: the source's ways under three address masks."),
            ParamOption(
                "masks-learned", "masks, learning too", "The same, learning anew for each."
            ),
            ParamOption("topics", "topics", "Tables 8 and 9: cliques, components, thresholds."),
            ParamOption("none", "none", "The attack alone."),
        ),
        label="Source's table",
        help="Makes tables of the source on this log besides: masks need addresses, topics a "
        "reference log.",
    )
