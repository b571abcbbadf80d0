"""The ways to recover fibers, by name: the source's, and what learns.

A new way is one `Variant` here, and it is compared, offered as a parameter and told in tables.
"""

from __future__ import annotations

from auditor.attacks.bundle_view import Bundled
from auditor.attacks.unbundling.fibers import Clues, Codes, Variant, linked, singletons, wholes
from auditor.attacks.unbundling.learning.training import classified, learned
from auditor.progress import Progress

BASELINES = ("bl1", "bl2")
"""The ways that look at no query."""


def _apart(bundled: Bundled, _clues: Clues, _progress: Progress) -> Codes:
    return singletons(bundled)


def _together(bundled: Bundled, _clues: Clues, _progress: Progress) -> Codes:
    return wholes(bundled)


_LISTED = (
    Variant("bl1", "each apart (BL1)", _apart, help="Every query a fiber of its own."),
    Variant("bl2", "all together (BL2)", _together, help="Every bundle one fiber."),
    Variant("g", "places", linked("g"), "g", help="Queries that name the same place."),
    Variant("w", "words", linked("w"), "w", help="Queries that share a word."),
    Variant("g+w", "places, words", linked("gw"), "gw", help="A place or a word."),
    Variant("t", "topics", linked("t"), "t", help="Words that the same people use."),
    Variant("g+t", "places, topics", linked("gt"), "gt", help="A place or a topic."),
    Variant("w+t", "words, topics", linked("wt"), "wt", help="A word or a topic."),
    Variant("g+w+t", "places, words, topics", linked("gwt"), "gwt", help="Any of these."),
    Variant(
        "classifier",
        "pairs judged by a tree",
        classified,
        trained=True,
        help="A decision tree trained on known bundles, the source's own, says which two queries "
        "are one user's.",
    ),
    Variant(
        "learned",
        "learned weights",
        learned,
        trained=True,
        alone=True,
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
