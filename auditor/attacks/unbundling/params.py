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
        help="By what the attacker attributes two queries to the same user. Links are "
        "transitive, so one wrong link can put two users into one fiber.",
    )
    compare: bool = flag(
        True,
        label="Compare all",
        help="Score all other variants, too, where their inputs are available. Takes longer.",
    )
    days: int | None = integer(
        None,
        1,
        100_000,
        optional="the whole log",
        label="Days examined",
        unit="days",
        slider=(1, 31),
        help="Only the log's first days are bundled. The source bundled one day or a week: "
        "in a day users search for fewer things, so their queries have more in common.",
    )
    cut: str = choice(
        "whole",
        (
            ParamOption(
                "whole", "whole fibers", ("Other users' queries in a fiber count against it.")
            ),
            ParamOption("within", "heavy users alone", "Light users' queries are cut out first."),
        ),
        label="Compare",
        help="Only users with more queries than the mean of their bundle count. The source "
        "can be read either way; leaving the others out favours fibers that are too "
        "large.",
    )
    confidence: float = real(
        0.5,
        0.0,
        1.0,
        label="Confidence in a place, at least",
        slider=(0.0, 0.99),
        help="How certain it must be that a query names a place before the place links it "
        "with others. Names that are also words are uncertain, and so are those of many "
        "places.",
    )
    topics: str = choice(
        "components",
        (
            ParamOption(
                "components",
                "connected",
                ("Connected components of related words; chains reach far."),
            ),
            ParamOption(
                "cliques", "cliques", ("Cliques: words that are all related to each other.")
            ),
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
        ends=("more topics", "more certain topics"),
        help="How far beyond chance the same users must use two words for them to be "
        "related. The lowest value is statistically significant; lower ones would chain "
        "most words into one topic.",
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
        label="Known bundles",
        unit="bundles",
        slider=(5, 200),
        help="In how many bundles a learning attacker knows the users, at most a fifth of "
        "all. They are not scored, for any variant.",
    )
    table: str = choice(
        "masks",
        (
            ParamOption(
                "masks", "masks", ("Table 7: the variants of the source under three address masks.")
            ),
            ParamOption(
                "masks-learned", "masks, learning too", "The same, learning anew for each."
            ),
            ParamOption("topics", "topics", "Tables 8 and 9: cliques, components, thresholds."),
            ParamOption("none", "none", "The attack alone."),
        ),
        label="Table of the source",
        help="Also reproduces tables of the source on this log: masks need addresses, topics "
        "need a reference log.",
    )
