"""The ways to recover fibers, by name, and the parameters of un-bundling.

A new way is one `FiberVariant` here, and it is compared, offered as a parameter and told in tables.
"""

from dataclasses import dataclass

from auditor.attacks.bundle_view import BundleParams
from auditor.attacks.unbundling.fibers import (
    FiberVariant,
    label_singletons,
    label_whole_bundles,
    link_events,
)
from auditor.attacks.unbundling.learning.training import classify_fibers, learn_fibers
from auditor.params import ParamOption, choice

BASELINES = ("bl1", "bl2")
"""The ways that look at no query."""


_LISTED = (
    FiberVariant("bl1", "each apart (BL1)", lambda bundled, *_: label_singletons(bundled)),
    FiberVariant("bl2", "all together (BL2)", lambda bundled, *_: label_whole_bundles(bundled)),
    FiberVariant("g", "places", link_events("g"), "g", help="Queries that name the same place."),
    FiberVariant("w", "words", link_events("w"), "w", help="Queries that share a word."),
    FiberVariant("g+w", "places, words", link_events("gw"), "gw", help="A place or a word."),
    FiberVariant("t", "topics", link_events("t"), "t", help="Words that the same people use."),
    FiberVariant("g+t", "places, topics", link_events("gt"), "gt", help="A place or a topic."),
    FiberVariant("w+t", "words, topics", link_events("wt"), "wt", help="A word or a topic."),
    FiberVariant("g+w+t", "places, words, topics", link_events("gwt"), "gwt", help="Any of these."),
    FiberVariant(
        "classifier",
        "pairs judged by a tree",
        classify_fibers,
        trained=True,
        help="A decision tree trained on known bundles, the source's own, says which two queries "
        "are one user's.",
    ),
    FiberVariant(
        "learned",
        "learned weights",
        learn_fibers,
        trained=True,
        works_untrained=True,
        help="How likely two queries are one user's, by words, characters, time and clicks, as "
        "learned from bundles of the reference log (without one, from known bundles); then all "
        "evidence is weighed together. Beyond the source; where it was measured, the strongest by "
        "F beyond chance.",
    ),
)
VARIANTS = {variant.name: variant for variant in _LISTED}
"""All ways to recover fibers, by the names that tables and scripts use."""
DEFAULT = "learned"
"""The way that finds most by F beyond chance at masks 8 and 12, and has the highest F at 8. At
mask 16 it was not measured, and over 30 days words have the higher F from mask 12 on."""


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
